/* A study under way, shared by the files that drive its model. Private to study.
 *
 * Longer than 500 lines because its files share one struct, which this documents whole. */
#ifndef EW_STUDY_RUN_H
#define EW_STUDY_RUN_H

#include "cad/parts/cad.h"
#include "format/parts/format.h"
#include "model/parts/model.h"
#include "removal/parts/removal.h"
#include "study/study.h"
#include "study/sweep/moves.h"

/* Numbers in journals of what a study commits by itself; operations have theirs (operation.h). */
enum {
    EW_CODE_REFINE = 7,
    EW_CODE_LEAVE_OUT = 9,
    EW_CODE_CLOSE_HOLES = 10,
    EW_CODE_REMOVAL = 11,
    EW_CODE_ENRICH = -1
};

/* The edits of a step as bytes; see journal.c. */
typedef struct ew_journal {
    unsigned char *data; /* owned */
    int32_t bytes, capacity;
} ew_journal;

enum { STUDY_FAILURE_TEXT = 512 };
/* A step of the checkpoint that is done again. Borrowed; data null: the step is new. */
typedef struct ew_recalled {
    bool is_of_job;    /* else of the checkpoint */
    ew_status failure; /* what it failed with, and */
    char message[STUDY_FAILURE_TEXT];
    const unsigned char *data;
    size_t size, offset;         /* of the next solve */
    const unsigned char *motion; /* of a dynamic step */
    size_t motion_bytes;
    const unsigned char *journal;
    size_t journal_bytes;
} ew_recalled;

/* A record on its way from the thread that computed it to the result and the caller: copies of all
 * that these look at. (outcome.c) */
typedef struct study_outcome {
    struct ew_arena_block *arena; /* owned: where frame and report lead to */
    ew_mesh mesh;                 /* owned: that of both */
    ew_result_frame frame;
    ew_step_report report;
    size_t bytes; /* that it takes, about */
} study_outcome;

/* What a combination that another thread computed leaves: the records of a checkpoint, of which the
 * study does the steps again; of a whole one all that they come to, so that it need not. (jobs.c)
 */
typedef struct study_job {
    bool is_done, is_whole;
    bool wants_frames;  /* of a whole one: outcomes have a frame, */
    bool wants_records; /* and there is a checkpoint */
    bool wants_mesh;    /* without fields the first of them has a mesh, as there may be none yet */
    ew_status status;   /* of what no combination can be blamed for */
    ew_status failure;  /* of a whole one: of the combination */
    char message[STUDY_FAILURE_TEXT];
    int32_t n_record, capacity;
    ew_journal *record; /* [n_record] owned, each */
    int32_t n_outcome, outcome_capacity;
    study_outcome **outcome; /* [n_outcome] owned, each */
    size_t bytes;            /* of them */
} study_job;
typedef struct study_jobs study_jobs;

/* How far elastic stress is beyond what materials with other laws yield at. (laws.c) */
typedef struct study_yielding {
    double most;  /* 1: yields */
    double share; /* of the volume that does */
    int32_t label;
    const ew_law *law; /* where it is most */
} study_yielding;

/* A dynamic step under way (dynamic.c). */
typedef struct study_motion {
    bool is_running; /* edits find a body in motion: nothing is solved between them */
    ew_motion_report report;
    ew_dynamics_def def;
    ew_pcg_info solver; /* of the time steps since the last output: iterations in all, largest
                           residual */
    int32_t next_edit;  /* of those during the run */
    size_t replayed;    /* bytes of the record's journal, where it is a replay */
    int32_t probe_capacity, time_capacity, sample_capacity, gather_capacity;
    struct study_probe {
        int32_t set;        /* of the model, of vertices */
        int32_t number;     /* in the result */
    } * probe;              /* owned */
    double *time, *sample;  /* owned: since the last output */
    double *gather;         /* owned: of one probe, as the result takes it */
    double peak_energy;     /* largest strain energy at an output so far, */
    double peak_error;      /* and the share of the estimated error there */
    double balance, energy; /* largest at an output so far: of the account, signed; in all */
    ew_adequacy worst;      /* bending there; the largest of the others so far */
    study_yielding yielding;
} study_motion;

/* A set of the case under way; the model has it under the same number. */
typedef struct study_set {
    bool is_made;     /* not left to a later step */
    bool is_new;      /* by the step under way */
    bool is_left_out; /* its last members went with components that were left out, */
    bool had_some;    /* and it had some before they did */
    bool allow_empty; /* of the latest definition, which is in this line: */
    int32_t line;
    int32_t vertices; /* the model's set of the vertices of its faces or tets; -1: not needed yet */
    ew_set_measure given; /* of one given in place in an edit: as it was before that edit */
} study_set;

/* A surface of the case under way; the model has it under the same number. */
typedef struct study_surface {
    ew_polygons polygons; /* owned */
    double *xyz;          /* [n_vertex][3] owned: of a frame */
    bool *has;            /* [n_vertex] owned: it is bound */
} study_surface;

/* An element removal under way, live or done again. (removal.c, removal_sets.c) */
typedef struct study_removal {
    bool has_begun; /* its first analysis is made or begins */
    ew_removal_report report;
    double start_volume;
    double since; /* when the last report was made */
    int32_t compliance_capacity;
    double *compliance;            /* [report.round + 1] owned */
    int32_t n_removed, n_restored; /* tets, since the last report */
    int32_t *n_member;             /* [n_set of the case] owned: as the removal found them */
    struct study_kept_set {
        int32_t set; /* of the case or of a group, of faces or tets */
        bool faces;
        int32_t n;    /* members then, */
        int32_t *key; /* [n][4] owned: by their vertices */
    } * kept;         /* [n_kept] owned */
    int32_t n_kept;
} study_removal;

/* Steps whose solves share a matrix, as load cases of the model (load_cases.c). */
typedef struct study_load_cases {
    int32_t first, end; /* steps that are: case 0, ..; end 0: there are none */
    int32_t next;       /* the step that takes its answer next */
} study_load_cases;

/* Extremes over the records of an envelope. (envelope.c) */
enum {
    STUDY_ENVELOPE_DISPLACEMENT,
    STUDY_ENVELOPE_VON_MISES,
    STUDY_ENVELOPE_RECORD,
    STUDY_ENVELOPE_OF_TETS, /* from here on */
    STUDY_ENVELOPE_TET_VON_MISES = STUDY_ENVELOPE_OF_TETS,
    STUDY_ENVELOPE_HIGH,
    STUDY_ENVELOPE_LOW,
    STUDY_ENVELOPE_FIELDS
};
typedef struct study_envelope {
    int32_t n_record; /* so far */
    int32_t capacity[STUDY_ENVELOPE_FIELDS];
    double *value[STUDY_ENVELOPE_FIELDS]; /* owned: [n_vertex] or [n_tet] */
    int32_t middle_capacity;
    double *middle; /* [edges][8] owned: of edges in the middle, as ew_result_edges has it */
    ew_sums sums;   /* extremes, volume and mass */
    ew_peak peak;   /* of the largest stress; the smallest safety */
    ew_place_report places;      /* largest lengths and stresses there, owned */
    int32_t displaced, stressed; /* steps of both */
} study_envelope;

/* Complex amplitudes of a record of a harmonic response. (response_parts.c) */
typedef enum study_harmonic_part {
    STUDY_PART_OF_DISPLACEMENT,
    STUDY_PART_OF_REACTION,
    STUDY_PART_OF_STRESS, /* at vertices */
    STUDY_PART_OF_TET_STRESS,
    STUDY_N_HARMONIC_PART
} study_harmonic_part;
typedef struct study_harmonic_set {
    ew_set_results amplitude; /* without the mean stress */
    ew_set_phases phase;
} study_harmonic_set;
typedef struct study_harmonic {
    double *part[STUDY_N_HARMONIC_PART][2]; /* real, imaginary; as the fields */
    const double *edge[2];                  /* [rows][3] displacement of edges, as the model's */
    double *reaction;                       /* [n_vertex][3] its amplitude */
    const study_harmonic_set *set;          /* [n_set] */
} study_harmonic;
/* The history of fatigue, its states so far, and what it came to. Points are vertices, where
 * materials meet the patches of tets around them. (fatigue.c) */
enum { STUDY_FATIGUE_DAMAGE, STUDY_FATIGUE_LOG_LIFE, STUDY_FATIGUE_SAFETY, STUDY_FATIGUE_FIELDS };
typedef struct study_fatigue {
    int32_t n_record, n_point, record_capacity;
    struct study_fatigue_record {
        int32_t step, capacity;
        int32_t plastic_capacity;
        float *stress;  /* [n_point][6] owned: averaged; single, as there are many of them */
        float *plastic; /* likewise, plastic strain of a body that yields; or null */
    } * record;         /* [n_record] owned */
    int32_t begin_capacity, curves_capacity;
    int32_t *begin; /* [n_vertex + 1] owned: points of vertex v are begin[v] .. begin[v + 1] - 1 */
    uint64_t *curves; /* [n_point] owned: bit i: a tet there has the i-th material with a curve */
    int32_t capacity[STUDY_FATIGUE_FIELDS];
    double *value[STUDY_FATIGUE_FIELDS]; /* [n_vertex] owned */
    ew_fatigue_report report;
} study_fatigue;

/* Fields of the list in results_fields.h. */
#define STUDY_ONE_FIELD(...) +1
enum { STUDY_N_FIELD = 0 EW_RESULT_FIELDS(STUDY_ONE_FIELD) };

struct ew_study {
    const ew_case *input;
    ew_study_def def;
    ew_result *result;               /* or null */
    const ew_result_archive *replay; /* or null */
    ew_model *model;
    ew_place_report places; /* of the record under way */
    ew_convergence convergence;
    ew_mesh base;             /* as the case has it, where the study starts from it again */
    ew_model_template *start; /* of the same, what models of it start from; null: nothing is kept */
    int32_t n_done;           /* steps */
    int32_t n_record;         /* of the result and the checkpoint; that of the first step is */
    int32_t first_record;     /* this one: of a sweep those of other combinations come before */
    int32_t combination, n_combination; /* from 1; 0: no sweep */
    study_job *sink;         /* borrowed: where its records go, of a thread of a sweep; or null */
    bool solves_nothing;     /* it prepares steps alone: a solve is refused */
    const study_job *source; /* borrowed: where those of this combination come from; or null */
    double seconds_recalled; /* that the solves of a record took there */
    study_moves moves;       /* of a combination that goes on from the one before */
    ew_sweep_start sweep_start;
    ew_sweep_report sweep_report;
    bool has_mesh;       /* the result has a mesh, which is enough where fields are not reported */
    const ew_case *root; /* of a sweep: the case as it is given; else null */
    ew_status (*differentiate)(ew_study *study, int32_t n, const ew_goal *list,
                               ew_goal_answer *answer, int32_t j, double *derivative);
    /* of a sweep: ew_study_differentiate_goals; else null */
    const ew_case_search *search; /* under way, or null: it looks at these of a combination */
    bool is_judged;
    double objective, violation, excess[EW_MAX_LIMITS];
    double limited[EW_MAX_LIMITS]; /* values that the excesses are of */
    bool notes_base;               /* its first record says that it does not */
    double axis_start;             /* where times of the case begin on the result's axis */
    const ew_modes *modes;         /* of the step under way, borrowed from the model */
    const ew_buckling *buckling;
    bool quadratic;          /* tets are, by the case or by its mesh */
    bool is_cut;             /* a dynamic step failed after it had saved records */
    double axis_time;        /* of the last record on the time axis of the result */
    ew_amplitude *amplitude; /* [n_amplitude of the case] owned, their tables, too, where they
                                come from files */
    study_motion motion;
    study_removal removal;
    bool has_step_sets;         /* the sets of this step are made */
    uint64_t analyzed_revision; /* of the mesh that an edit of this step had analyzed; 0: none */
    double
        largest_norm; /* of the energy, of the static answers since the study began on this mesh */
    bool has_wanted_volume;
    int32_t wanted_volume; /* field of the model, see adapt.c */

    int32_t constraint_capacity, spring_capacity, load_capacity;
    ew_model_constraint *constraint; /* owned: those of the step */
    ew_model_spring *spring;         /* owned */
    ew_model_load *load;             /* owned */
    double *shortening;              /* [n_tie] owned: of bolts after the step in which they */
    int32_t preload_step;            /* were tensioned; -1: none yet */
    ew_load_nodes *load_nodes;       /* [n_load_nodes of the case] owned */
    int32_t *load_field;             /* [n_load_nodes of the case] owned: of temperatures, else 0 */
    int32_t load_report_capacity;
    ew_load_report *load_report; /* owned */

    int32_t n_snapshots;
    ew_answer_basis **snapshots; /* [n_snapshots] owned, each, by step (snapshots.c) */
    study_envelope envelope;
    study_fatigue fatigue;
    study_load_cases load_cases;
    int32_t n_part;
    struct study_part {
        uint64_t revision; /* of the mesh */
        size_t n;
        int32_t capacity;
        double
            *u; /* [n] owned: displacement of vertices and edges; null: no combination takes it */
    } * part;   /* [n_part] owned, by step */
    ew_nonlinear_info nonlinear; /* of this step's analysis, */
    ew_pcg_info nonlinear_solver;
    struct study_field_values {
        int32_t capacity;
        double *value; /* owned: of a field that no other place holds */
    } field_values[STUDY_N_FIELD];
    ew_step_report report;
    ew_goal_report goal[EW_MAX_GOALS]; /* of this step */
    const ew_fields *fields;           /* of this step's analysis, or null */
    const study_harmonic *harmonic;    /* of a record of a harmonic response, or null */
    double *shape;           /* [2][vertices, then edges][3] owned, while shapes are recorded */
    const double *imaginary; /* [vertices, then edges with functions][3] of a complex shape, whose
                                real part is the displacement; or null */
    ew_sums body;            /* of a step without one: volume and mass, */
    struct {
        uint64_t key; /* of the mesh and the densities of its regions; 0: of none */
        double volume, mass;
    } measured;                          /* as they were summed last */
    ew_warning warning[EW_MAX_WARNINGS]; /* of this step */
    int32_t edit_report_capacity;
    ew_edit_report *edit_report; /* owned: of this step */
    int32_t *label;              /* [edits that name faces] owned: see ew_study_label */
    int32_t *lost_members;       /* [n_set] owned: of this step */
    study_set *set;              /* [n_set] owned */
    ew_set_report *set_report;   /* [n_set] owned: as the step left them */
    int32_t *group_set;          /* [n of def.groups] owned: their sets, -1: none */
    study_surface *surface;      /* [n_surface of the case] owned */
    ew_polygons
        *rigid; /* [n_contact of the case] owned: surfaces of rigid bodies; null: not read */
    ew_surface_report *surface_report; /* [n_surface] owned */
    int32_t n_surface_frame;           /* saved so far */
    int32_t n_round_frame;             /* likewise, of element removals */
    bool has_frame_list;               /* they have a list */
    ew_journal journal;                /* of this step */
    ew_journal record;                 /* of this step, for the checkpoint */
    int32_t n_recorded;                /* steps that the checkpoint had at first */
    ew_recalled recalled;              /* this step in it */
    int32_t number_capacity;
    double *number; /* owned: history and displacement of a solve in it */
};

/* Whether records have what a sweep may leave out. */
static inline bool ew_study_recovers(const ew_study *study)
{
    return study->sweep_report != EW_SWEEP_GOALS;
}
static inline bool ew_study_estimates(const ew_study *study)
{
    return study->def.estimate_error && study->sweep_report == EW_SWEEP_FIELDS;
}

/* start.c: a model with all that the case says of it. The mesh as in ew_study_create. */
ew_status ew_study_start(ew_study *study, ew_mesh *mesh);
/* The same on the mesh that the study began with, for a case that differs by the values of its
 * parameters alone, or not at all. After a failure the study can but start again. */
ew_status ew_study_start_again(ew_study *study, const ew_case *input);
/* The same for a case like it on the mesh as it is, with its sets. */
ew_status ew_study_go_on(ew_study *study, const ew_case *input);
/* The displacement by vertex_id of the mesh that the study began with, zero for those that are gone
 * (*u [ids][3] the caller's); and as a start of the next solve. */
ew_status ew_study_keep_answer(const ew_study *study, double **u);
void ew_study_put_answer(ew_study *study, const double *u);
/* Starts from the template of the study where there is one, which costs less. */
ew_status ew_study_keep_start(ew_study *study);
void ew_study_release_model(ew_study *study);
/* The same, but for the memory of a model that starts again. */
void ew_study_release_case(ew_study *study);
void ew_study_free_start(ew_study *study);
/* sweep.c: all combinations, in a study that has its base and no model. */
ew_status ew_study_sweep(ew_study *study);
/* read_combination.c: the case of combination k, to be freed; in place of one that cannot be read
 * the case as it stands, with the values that are known. Whether it can be blamed for a failure;
 * "radius = 12: why". */
ew_status ew_study_read_combination(const ew_case *input, int32_t k, ew_case *given);
ew_status ew_study_read_stand_in(const ew_case *input, int32_t k, ew_case *given);
bool ew_study_blames_combination(ew_status status);
void ew_study_describe_combination(const ew_case *input, int32_t k, const char *why,
                                   char text[STUDY_FAILURE_TEXT]);

/* jobs.c: threads that compute the combinations from `first` on; null: the study has no use for
 * them. What combination k left, null where no thread has it; borrowed until the next one is
 * taken. Ends all of them; safe on null. */
ew_status ew_jobs_start(study_jobs **jobs, const ew_study *study, int32_t first);
/* Whether threads do all but write: of static steps without surfaces. */
bool ew_jobs_are_whole(const ew_case *input);
/* Combination k by a study beside (ew_study_make_beside), into its sink. */
ew_status ew_job_compute(ew_study *beside, const ew_case *input, int32_t k);
void ew_job_free(study_job *job); /* what it has */
ew_status ew_jobs_take(study_jobs *jobs, int32_t k, study_job **job);
/* Combinations from `first` on that groups of processes share (def.groups_of_sweep): those of this
 * group, given to the first one; and by that one job k, null where it is its own, in place of
 * the one before. (groups_of_sweep.c) */
ew_status ew_groups_of_sweep_compute(const ew_study *study, int32_t first);
ew_status ew_groups_of_sweep_take(const ew_study *study, int32_t first, int32_t k, study_job *room,
                                  study_job **job);
void ew_jobs_stop(study_jobs *jobs);

/* jobs.c: a study without a model, for combinations of the same sweep beside that one, which it
 * borrows the mesh from; safe on null. */
ew_status ew_study_make_beside(ew_study **beside, const ew_study *study, const ew_case *input);
void ew_study_free_beside(ew_study *beside);
/* goals.c: values of the goals of the case into the report, with derivatives, of a step that is
 * solved. */
ew_status ew_study_evaluate_goals(ew_study *study, const ew_case_step *step);
/* gradients.c: derivatives [n] of the goals of the model, whose answers these are, by the j-th
 * parameter of the sweep; 0 of those without an adjoint. */
ew_status ew_study_differentiate_goals(ew_study *study, int32_t n, const ew_goal *list,
                                       ew_goal_answer *answer, int32_t j, double *derivative);
/* gradients.c: gradient [n][parameters of the sweep] of outputs that have derivatives, of
 * combination k, which the study has just solved. Solves for an adjoint each. */
ew_status ew_study_differentiate(ew_study *study, const ew_case *input, int32_t k, int32_t n,
                                 const ew_case_output_of *const *output, double *gradient);
/* outcome.c: in the thread, the record of the study with this frame (null: none) into its job; in
 * the study, all records of a job into checkpoint, result and reports. */
ew_status ew_outcome_add(ew_study *study, const ew_result_frame *frame);
ew_status ew_outcome_put_all(ew_study *study, study_job *job);
void ew_outcome_free(study_outcome *outcome); /* safe on null */
/* Puts bytes into the checkpoint, unless it has this record already. (checkpoint.c) */
ew_status ew_study_keep_record(ew_study *study, const void *data, size_t size);

/* judge.c: after a record, where a search is under way, what it is after; the derivative of an
 * excess by the value that it is of. search.c: the search itself. */
void ew_study_judge_combination(ew_study *study);
double ew_study_excess_slope(double value, const ew_case_limit *limit);
ew_status ew_study_search(ew_study *study, const ew_case *input,
                          ew_status (*of_combination)(void *user, int32_t k), void *user);

/* parameter_numbers.c: numbers of a record, their values in the case and the study: each parameter,
 * and in a sweep which combination it is. How many. */
enum {
    STUDY_N_GOAL_NUMBER = EW_MAX_GOALS * (2 + EW_MAX_DERIVATIVES),
    STUDY_N_PARAMETER_NUMBER = EW_MAX_PARAMETERS_OF_CASE + 4 + STUDY_N_GOAL_NUMBER
};
typedef struct study_parameter_names {
    char name[EW_MAX_PARAMETERS_OF_CASE][EW_EXPRESSION_NAME + 16];
    char goal[STUDY_N_GOAL_NUMBER][EW_EXPRESSION_NAME + EW_MAX_GOAL_NAME + 16];
    double combination, goes_on;
} study_parameter_names;
int32_t ew_study_parameter_numbers(const ew_study *study, const ew_case *input,
                                   study_parameter_names *names, ew_result_number *list);
/* combination.c: a record of a step that its combination did not come to, into result and
 * checkpoint. */
ew_status ew_study_save_failure(ew_study *study, const ew_case *input, const ew_case_step *step,
                                ew_status status, const char *message);
/* EW_OK unless the record that is being done again, or replayed, is one of a failure: that. */
ew_status ew_study_fail_again(const ew_study *study);

/* sets.c: the sets of the case as sets of the model, with the same numbers; those that steps make
 * are empty until then. */
ew_status ew_study_define_sets(ew_study *study);
/* Once a step: after its edits, or before the first analysis between them. */
ew_status ew_study_make_step_sets(ew_study *study, const ew_case_step *step);
/* After the edit that gives faces a name: their set is made, for later edits; the end of the step
 * finds it again. */
ew_status ew_study_make_named_faces(ew_study *study, const ew_case_step *step, const char *name);
/* Before the edit that uses it: a set given there in place of a name is made; no effect on others.
 */
ew_status ew_study_make_edit_set(ew_study *study, int32_t set);
/* The model's set of the vertices of a set, which is itself where it is of vertices. */
ew_status ew_study_vertices_of(ew_study *study, int32_t set, int32_t *vertices);
/* A set that line `line` uses has members, or is allowed to have none. */
ew_status ew_study_require_members(const ew_study *study, int32_t set, int32_t line);

/* supports.c: constraints and springs of the step, on the mesh as it is. */
ew_status ew_study_set_supports(ew_study *study, const ew_case_step *step);
/* equations.c: nodes that equations name, on the mesh that a study starts with; the equations to
 * the model; a warning where edits took points of them away. */
ew_status ew_study_check_equations(ew_study *study);
ew_status ew_study_set_equations(ew_study *study);
void ew_study_warn_of_equations(ew_study *study);
/* couplings.c: those of the case to the model; into the reports of their sets how they moved. */
ew_status ew_study_set_couplings(ew_study *study);
ew_status ew_study_report_couplings(ew_study *study);
/* ties.c: ties to the model; warnings of slaves without a master, EW_BAD_INPUT where the tension of
 * a bolt would pull at sides that do not meet; numbers of all of them and of the sets that they
 * have. */
ew_status ew_study_set_ties(ew_study *study);
/* Of the sector of the case, which has one: a diameter round its axis, to modes of the model. */
ew_status ew_study_take_sector(const ew_study *study, int32_t diameter, ew_modes_def *def);
/* Tensions of bolts behind other loads, two each. */
ew_status ew_study_put_tensions(ew_study *study, ew_model_load *to, int32_t *n);
ew_status ew_study_check_ties(ew_study *study);
void ew_study_report_ties(ew_study *study);
/* Bolts are tensioned again by the next solve. */
void ew_study_forget_preload(ew_study *study);
void ew_study_report_ties_of_set(const ew_study *study, int32_t set, ew_set_report *report);
/* contact.c: contacts to the model; after a solve, warnings of parts that overlap before the load
 * or do not meet, and numbers of all of them and of the sets that they have. */
ew_status ew_study_set_contacts(ew_study *study, const ew_case_step *step);
void ew_study_free_contacts(ew_study *study);
/* A side of `what` ("a tie") in this line: it has members, or may have none, and is not of tets. */
ew_status ew_study_require_side(ew_study *study, const char *what, int32_t set, int32_t line);
ew_status ew_study_report_contacts(ew_study *study);
ew_status ew_study_report_contact_of_set(const ew_study *study, int32_t set, ew_set_report *report);

/* groups.c: those of the definition as sets, behind the sets of the case; what the edits left of
 * them. */
ew_status ew_study_follow_groups(ew_study *study);
ew_status ew_study_take_groups(ew_study *study);

/* labels.c: of faces that edits make and name. `label`: that which the case's reader gave to such
 * an edit; what it is on this mesh. */
ew_status ew_study_choose_labels(ew_study *study);
int32_t ew_study_label(const ew_study *study, int32_t label);
/* The values of an edit, with that label. */
ew_operation_values ew_study_values(const ew_study *study, const ew_case_edit *edit);
/* A warning where another one than the reader's was taken. */
void ew_study_tell_label(ew_study *study, const ew_case_edit *edit);
/* Faces of one name have one label, as the groups of the definition know them. */
ew_status ew_study_check_labels(const ew_study *study);

/* set_reports.c: what the sets are now, and what the solve of this step says of them. */
ew_status ew_study_report_sets(ew_study *study, const ew_case_step *step);

/* surfaces.c: read and bound at the start; loads on them into those of the model; frames. */
ew_status ew_study_define_surfaces(ew_study *study);
void ew_study_report_surfaces(ew_study *study);
/* load_nodes.c: the nodes of the case's loads in the mesh as it is; that they are those of the next
 * case, too, which goes on with this mesh. */
ew_status ew_study_find_load_nodes(ew_study *study);
ew_status ew_study_keep_load_nodes(const ew_study *study, const ew_case *next);
void ew_study_free_load_nodes(ew_study *study);
ew_status ew_study_load_surface(ew_study *study, const ew_case_load *from, ew_model_load *load);
ew_status ew_study_save_surfaces(ew_study *study, const ew_result_frame *frame);
/* The name of a step as lists of frames have it, its quotes doubled; cut off where it is too long.
 */
enum { EW_QUOTED_STEP = 160 };
void ew_study_quote(const char *step, char quoted[EW_QUOTED_STEP]);
void ew_study_free_surfaces(ew_study *study);

/* record.c: what all records begin and end with: the report is empty; the numbers of the step, its
 * record in checkpoint and result, its report. */
ew_status ew_study_begin_record(ew_study *study, const ew_case_step *step);
ew_status ew_study_end_record(ew_study *study, const ew_case_step *step);

/* loads.c: those of the step into the model; edited: after its edits, where sets must have members.
 * What each adds up to, into the report. */
ew_status ew_study_set_loads(ew_study *study, const ew_case_step *step, bool edited);
ew_status ew_study_update_loads(ew_study *study, const ew_case_step *step);
ew_status ew_study_report_loads(ew_study *study, const ew_case_step *step);

/* amplitudes.c: those of the case into the model, with their tables. */
ew_status ew_study_define_amplitudes(ew_study *study);
/* axes.c: axes of materials by tet, from files. */
ew_status ew_study_define_axes(ew_study *study);
void ew_study_free_amplitudes(ew_study *study);

/* nonlinear.c: the solve of a static step, or the outcome of one made before; what strain and
 * stress are. */
ew_status ew_study_solve_nonlinear(ew_study *study, const ew_pcg_def *solver);
ew_status ew_study_accept_nonlinear(ew_study *study, const ew_nonlinear_info *info, int64_t n_state,
                                    const double *displacement, const double *state);
/* After a failure: a record of the last state in the step that converged, "the state at ...", which
 * `end` makes. Returns the failure. */
ew_status ew_study_save_reached(ew_study *study, const ew_case_step *step, ew_status failure,
                                const char *state,
                                ew_status (*end)(ew_study *study, const ew_case_step *step));
/* The same of a static step, where it reached one that has no frame. */
ew_status ew_study_save_equilibrium(ew_study *study, const ew_case_step *step, ew_status failure,
                                    ew_status (*end)(ew_study *study, const ew_case_step *step));
const char *ew_study_measure(const ew_study *study, const ew_case_step *step);
/* load_cases.c: before the supports of the step are set, the solves that share its matrix, itself
 * among them; and the linear solve of the step, once its supports and loads are in place. */
ew_status ew_study_solve_load_cases(ew_study *study, const ew_pcg_def *def);
ew_status ew_study_solve_linear(ew_study *study, const ew_pcg_def *def);
/* combinations.c: the displacement of a step that ends, where a combination takes it; the sum that
 * the solve of a combination starts from. */
ew_status ew_study_keep_part(ew_study *study);
ew_status ew_study_superpose(ew_study *study, const ew_case_step *step);
void ew_study_free_parts(ew_study *study);
/* snapshots.c: before a solve of a combination that does not start afresh, a displacement near its
 * answer; after it, the answer for those to come. */
ew_status ew_study_start_near(ew_study *study, const ew_case_step *step);
ew_status ew_study_keep_snapshot(ew_study *study, const ew_case_step *step);
/* After a combination that failed, of which a run that is resumed does nothing again. */
void ew_study_forget_snapshots(ew_study *study);
void ew_study_free_snapshots(ew_study *study);
/* envelope.c: a record with its fields into the envelope; the envelope into the report. */
ew_status ew_study_add_to_envelope(ew_study *study, const ew_case_step *step);
void ew_study_report_envelope(ew_study *study);
void ew_study_free_envelope(ew_study *study);
/* fatigue.c: a record with its fields into the history; what the history comes to, into the report
 * of its step; the same of a set. */
ew_status ew_study_add_to_fatigue(ew_study *study, const ew_case_step *step);
ew_status ew_study_evaluate_fatigue(ew_study *study);
ew_status ew_study_report_fatigue_of_set(const ew_study *study, int32_t set, ew_set_report *report);
void ew_study_free_fatigue(ew_study *study);
/* response.c: a step of a harmonic response, a response spectrum or a random vibration. */
ew_status ew_study_run_response(ew_study *study, const ew_case_step *step);
/* modes.c: a step of vibration modes or of buckling. */
ew_status ew_study_run_modes(ew_study *study, const ew_case_step *step);
/* analysis.c: settings of the solver in a step; operator, supports and loads of the step into the
 * model, all but the solve. */
ew_pcg_def ew_study_solver_def(const ew_study *study, const ew_case_step *step);
ew_status ew_study_prepare_solve(ew_study *study, const ew_case_step *step);
/* The operator that the run asks for, else that of the step. */
ew_status ew_study_choose_operator(ew_study *study, const ew_case_step *step);
/* dynamic.c: a dynamic step, from the state after its edits to its last record. */
ew_status ew_study_run_dynamic(ew_study *study, const ew_case_step *step);
/* dynamic_start.c: displacement and velocity at its start. */
ew_status ew_study_put_initial_state(ew_study *study, const ew_case_step *step);
/* Starts the motion from there; warns where a support moves displaced vertices at once. */
ew_status ew_study_begin_motion(ew_study *study, const ew_dynamics_def *def, double start);
/* probes.c: sets and places in the result; a sample of the state as it is; the samples since the
 * last output into the result. */
ew_status ew_study_open_probes(ew_study *study, const ew_case_step *step);
ew_status ew_study_take_sample(ew_study *study);
ew_status ew_study_save_samples(ew_study *study);
void ew_study_free_motion(ew_study *study);
/* dynamic_record.c: the state in motion into the checkpoint; and from it, in place of time steps.
 */
ew_status ew_study_note_motion(ew_study *study);
ew_status ew_study_recall_motion(ew_study *study);

/* analysis.c: the step's analysis; the same between its edits, unless one was made of this mesh,
 * with a record of it in the journal. */
ew_status ew_study_analyze(ew_study *study, const ew_case_step *step);
ew_status ew_study_analyze_between(ew_study *study, const ew_case_step *step);
/* After a recovery, and an estimate where there is one: the largest stress into the report. */
ew_status ew_study_find_peak(ew_study *study);
/* analysis.c: volume and mass alone into the report. */
void ew_study_measure_body(ew_study *study);
/* run.c: a study of the case that has no model yet; hands the mesh back and frees the study. */
ew_status ew_study_make(ew_study **study, const ew_case *input, const ew_study_def *def,
                        ew_result *result, const ew_result_archive *journal);
void ew_study_give_back(ew_study *study, ew_mesh *mesh);

/* removal.c: the element removal of a step. */
ew_status ew_study_remove(ew_study *study, const ew_case_step *step);
/* removal_report.c: what is done at its edits and after its analyses, also where they are done
 * again from a journal. */
ew_status ew_study_follow_removal(ew_study *study);
ew_status ew_study_note_removal(ew_study *study);
void ew_study_free_removal(ew_study *study);
/* removal_frames.c: the body of the round in report.removal, where the step asks for it. */
ew_status ew_study_save_round(ew_study *study);
/* removal_sets.c: sets of faces and tets are remembered when it begins; what an edit brought back
 * of their members is given back to them. */
ew_status ew_study_remember_sets(ew_study *study);
ew_status ew_study_give_sets_back(ew_study *study);
void ew_study_forget_sets(ew_study *study);

/* converge.c: a row of the table after each analysis of such a step, a warning where it did not
 * converge. Vertices of a set as marks [n_vertex], owned by the caller, null for set -1; whether a
 * tet has one of them, or there are no marks. */
ew_status ew_study_note_round(ew_study *study, const ew_case_converge *of);
void ew_study_judge_convergence(ew_study *study, const ew_case_converge *of);
void ew_study_free_convergence(ew_study *study);
ew_status ew_study_mark_vertices(ew_study *study, int32_t set, bool **near);
bool ew_study_touches(const ew_mesh *mesh, const bool *near, int32_t t);

/* adapt.c */
ew_status ew_study_converge(ew_study *study, const ew_case_step *step);
ew_status ew_study_adapt(ew_study *study, const ew_case_step *step, const ew_refine_goal *goal,
                         int32_t line);

/* enrich.c: an edit of that kind; and what it does once the tets are known. */
ew_status ew_study_enrich(ew_study *study, const ew_case_step *step, const ew_case_edit *edit);
ew_status ew_study_switch_order(ew_study *study, const ew_list *tet, bool quadratic);

/* commit.c: what an edit did: before it, and after. */
ew_status ew_study_begin_report(ew_study *study, int32_t code, ew_edit_report **report);
ew_status ew_study_end_report(ew_study *study, ew_edit_report *report);
/* The queue, and a record of it. What is refused leaves no trace. */
ew_status ew_study_commit(ew_study *study, int32_t code);
ew_status ew_study_commit_with_report(ew_study *study, int32_t code);
/* Removes components that are not fully constrained until there is none. */
ew_status ew_study_leave_out(ew_study *study);
/* edits.c: those of a step. */
ew_status ew_study_edit(ew_study *study, const ew_case_step *step);
/* Those before the time step n of a dynamic step, from the case or from a journal; those of a
 * record that is done again. */
ew_status ew_study_edit_at(ew_study *study, const ew_case_step *step, int32_t n);
ew_status ew_study_edit_again(ew_study *study, const ew_case_step *step);
/* The edits before the first n time steps are done. */
void ew_study_skip_edits(ew_study *study, const ew_case_step *step, int32_t n);
/* A journal that is replayed has nothing left for this record. */
ew_status ew_study_end_replay(const ew_study *study);

/* checkpoint.c: at the beginning of a step; a solve of it, from the checkpoint where the step is
 * there; at its end, before its frame. Every solve of a study goes through here. */
bool ew_study_keeps_records(const ew_study *study);
ew_status ew_study_recall(ew_study *study);
ew_status ew_study_solve(ew_study *study, const ew_pcg_def *def);
ew_status ew_study_keep(ew_study *study);
ew_status ew_study_note_failure(ew_study *study, ew_status status, const char *message);
ew_status ew_study_fail_to_fit(void); /* what is in the checkpoint */

/* What `output:` wants of places, into the report of a record; before that, of a response, of each
 * of its columns, of a harmonic one the real (0) and the imaginary part (1), else -1.
 * (record/places.c) */
ew_status ew_study_add_places(ew_study *study, const ew_fields *fields, bool is_first, int part);
ew_status ew_study_report_places(ew_study *study, const ew_case_step *step);
/* Of an envelope, which has no sections; both safe on what is empty. (record/place_sums.c) */
ew_status ew_places_copy(const ew_place_report *from, ew_place_report *to);
void ew_places_take_largest(ew_place_report *to, const ew_place_report *from);
void ew_places_free(ew_place_report *places);
/* Of the material of a region with this label; 0: it has none. (record/mass.c) */
double ew_study_density_of(const ew_case *input, int32_t label);
/* Of the first step: whether materials and size fit the units of the case. (units.c) */
void ew_study_judge_units(ew_study *study);
void ew_study_judge_solids(ew_study *study); /* of the CAD file, likewise */
/* warnings.c: one more warning in the report of this step, as many as there is room for. `line` as
 * in ew_warning. */
EW_PRINTF(4, 5)
void ew_study_warn(ew_study *study, ew_warning_kind kind, int32_t line, const char *format, ...);
/* A step that is done again takes warnings of this kind from its record. */
bool ew_study_records_warning(ew_warning_kind kind);
/* Warnings of a record as text: a line for each, and its kind, "name:line of the case". */
typedef struct study_warning_texts {
    char text[EW_MAX_WARNINGS * EW_WARNING_TEXT], kind[EW_MAX_WARNINGS * 32];
} study_warning_texts;
void ew_study_join_warnings(const ew_step_report *report, study_warning_texts *texts);
/* From such texts; all: those, too, that a step with an analysis finds again. */
void ew_study_repeat_warnings(ew_study *study, const char *text, const char *kind, bool all);
/* Warnings that the residual, and the estimate, of an analysis give. */
void ew_study_judge_residual(ew_study *study);
void ew_study_judge_goals(ew_study *study, const ew_case_step *step); /* that the step has them */
void ew_study_judge(ew_study *study, const ew_case_step *step);
void ew_study_judge_motion(ew_study *study); /* of a dynamic step, by its worst outputs */
/* What the case must change besides to have nonlinear steps, to end an advice; "": nothing. */
const char *ew_study_nonlinear_conflict(const ew_study *study);
void ew_study_warn_of_goal(ew_study *study, const ew_refine_goal *goal, int32_t line, double share);

/* laws.c: the materials into the model, all of them elastic for linear analyses. */
ew_status ew_study_set_laws(ew_study *study, bool linear);
/* The material of a region's label; null: the case has none. */
const ew_case_material *ew_study_material_of(const ew_case *input, int32_t label);
/* Takes the last recovery in; warns of what was taken in. */
void ew_study_find_yielding(ew_study *study, study_yielding *worst);
void ew_study_judge_yielding(ew_study *study, const study_yielding *worst);

/* law_state.c: how many numbers the state of the laws has in all; null: only that. */
int64_t ew_study_law_state(const ew_study *study, const double **state);

enum { STUDY_MAX_SET_NUMBER = 34 };
/* frame_sets.c: the sets into a frame, which borrows them until they are freed. */
typedef struct ew_frame_sets ew_frame_sets;
ew_status ew_frame_sets_list(const ew_study *study, ew_frame_sets **sets, ew_result_frame *frame);
void ew_frame_sets_free(ew_frame_sets *sets); /* safe on null */

/* frame_places.c: the values at places into a frame, which borrows them until they are freed; safe
 * on what is empty. */
typedef struct study_frame_places {
    ew_result_table *table; /* owned */
    double *value;          /* owned */
} study_frame_places;
ew_status ew_study_list_places(const ew_study *study, study_frame_places *places,
                               ew_result_frame *frame);
void ew_study_free_frame_places(study_frame_places *places);

/* fields.c: the fields of a frame that the study has and the case asks for; how many. */
struct study_interfaces;
ew_status ew_study_list_fields(ew_study *study, const struct study_interfaces *interfaces,
                               ew_result_field list[STUDY_N_FIELD], int32_t *n);

/* numbers.c: the numbers of the record; how many. Their values are in `value`. */
enum { STUDY_MAX_NUMBER = 128 };
int32_t ew_study_list_numbers(const ew_study *study, double value[][EW_STEP_NUMBER_VALUES],
                              ew_result_number *list);

/* frame.c; the time of a record, which ascends. */
double ew_study_frame_time(ew_study *study, const ew_case_step *step);
ew_status ew_study_save(ew_study *study, const ew_case_step *step);

/* journal.c */
ew_status ew_journal_put(ew_journal *journal, const void *data, size_t bytes);
ew_status ew_journal_commit(ew_journal *journal, int32_t code, const ew_edit *edit);
ew_status ew_journal_compact(ew_journal *journal);
ew_status ew_journal_analysis(ew_journal *journal);
ew_status ew_journal_time(ew_journal *journal, int32_t n);
ew_status ew_journal_order(ew_journal *journal, const ew_list *tet, bool quadratic);
#define EW_JOURNAL_BASE_MARK "B" /* the first byte, where it stands */
ew_status ew_journal_base(ew_journal *journal);
/* All of the journal of a step that failed. */
#define EW_JOURNAL_FAILURE "F"
typedef enum ew_journal_kind {
    EW_JOURNAL_ORDER,
    EW_JOURNAL_BASE,
    EW_JOURNAL_COMMIT,
    EW_JOURNAL_COMPACT,
    EW_JOURNAL_ANALYSIS,
    EW_JOURNAL_TIME /* what follows comes before time step *code of a dynamic step */
} ew_journal_kind;
/* Reads the record at *offset: its kind, and of a commit the `edit`, which is emptied, and *code.
 * Of an order *code is 1 where the tets become quadratic, and `tet`, emptied, lists them. Safe on
 * any bytes. */
ew_status ew_journal_next(const unsigned char *bytes, size_t size, size_t *offset, ew_edit *edit,
                          ew_list *tet, int32_t *code, ew_journal_kind *kind);

/* How far from a plane a vertex may lie and still be in it, where nothing else is said: 1e-6 of the
 * body's size. O(n). (sets.c) */
double study_plane_thickness(const ew_mesh *mesh);

#endif
