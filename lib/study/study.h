/* study: runs the steps of a case: edits, then an analysis, then a frame in the result file. It
 * reads no files itself. */
#ifndef EW_STUDY_H
#define EW_STUDY_H

#include "case/case.h"
#include "study/study_places.h"

EW_BEGIN_API

/* ---- running ----------------------------------------------------------- */

typedef struct ew_edit_report {
    const char *kind; /* "decimate" ... */
    int32_t tets_before, tets_after, vertices_before, vertices_after;
    double error; /* estimated error before the edit, relative to the energy norm; NaN: not
                     estimated */
    double time;  /* of an edit in a dynamic step; NaN: an edit before a step */
    double volume_before, volume_after, quality_before, quality_after; /* least; NaN: unknown */
} ew_edit_report;

/* Kinds of warnings: the constant; the name in results and in the log; whether a step that is done
 * again takes it from its record, as what its edits did (else it is found again from the answer);
 * when it is given. */
#define EW_WARNING_KINDS(X)                                                                        \
    X(EW_WARNING_EDIT, "edit", true, "an edit did less than asked, or in a coarser way")           \
    X(EW_WARNING_LABEL, "label", true, "faces that an edit names have another label than asked")   \
    X(EW_WARNING_RESTART, "restart", true,                                                         \
      "a combination of a sweep begins with the mesh of the case and not with the one before it")  \
    X(EW_WARNING_REMOVAL, "removal", true, "an element removal ended before its goal")             \
    X(EW_WARNING_GOAL, "goal", false,                                                              \
      "'refine: {by: error}' or 'converge' did not reach what was asked for")                      \
    X(EW_WARNING_ERROR, "error", false,                                                            \
      "the estimated error is above 10 % of the energy norm: the tets are too coarse")             \
    X(EW_WARNING_LAYERS, "layers", false,                                                          \
      "more than 20 % of the stress at the surface is bending through fewer than four layers of "  \
      "linear tets")                                                                               \
    X(EW_WARNING_LOCKING, "locking", false,                                                        \
      "Poisson's ratio is above 0.48 and the estimated error above 3 %: linear tets lock")         \
    X(EW_WARNING_ROTATION, "rotation", false,                                                      \
      "more than 1 % of the volume turns by more than 0.1 rad in a linear analysis")               \
    X(EW_WARNING_STRAIN, "strain", false,                                                          \
      "more than 1 % of the volume is strained by more than 0.05 under a linear law")              \
    X(EW_WARNING_YIELDING, "yielding", false,                                                      \
      "a material with a law is beyond its yield stress in a linear analysis")                     \
    X(EW_WARNING_FATIGUE, "fatigue", false,                                                        \
      "more than 10 % of the stress of a history is not proportional, which only a critical "      \
      "plane "                                                                                     \
      "sees")                                                                                      \
    X(EW_WARNING_UNITS, "units", false,                                                            \
      "a modulus, a density or the size of the body is hardly meant in the units of the case")     \
    X(EW_WARNING_STILL, "still", false, "nothing moves: no load acts on what is free to move")     \
    X(EW_WARNING_FIXED_LOAD, "fixed-load", false, "a load acts where constraints fix the body")    \
    X(EW_WARNING_LOST_EQUATION, "lost-equation", false, "edits took points of an equation away")   \
    X(EW_WARNING_OVERLAP, "overlap", false, "parts in contact overlap before any load acts")       \
    X(EW_WARNING_UNTIED, "untied", false, "slave vertices of a tie meet no master")                \
    X(EW_WARNING_NO_CONTACT, "no-contact", false, "faces of a contact do not meet")                \
    X(EW_WARNING_NO_GOALS, "no-goals", false,                                                      \
      "a step has none of the goals of the case, which are of linear static steps")                \
    X(EW_WARNING_ROUNDING, "rounding", false,                                                      \
      "the residual is above the tolerance and as small as double precision allows")               \
    X(EW_WARNING_DRIFT, "drift", false,                                                            \
      "edits join a loaded body to parts that are not displaced as it is")                         \
    X(EW_WARNING_SNAP, "snap", false,                                                              \
      "supports move vertices at once that are displaced at the start of a dynamic step")          \
    X(EW_WARNING_BALANCE, "balance", false,                                                        \
      "time steps took or made more than 5 % of the energy of a nonlinear body")                   \
    X(EW_WARNING_TRUNCATED, "truncated", false,                                                    \
      "the modes of a response carry less than 90 % of the mass, or end near its frequencies")     \
    X(EW_WARNING_UNSTABLE, "unstable", false,                                                      \
      "the equilibrium that buckling starts from is not stable")                                   \
    X(EW_WARNING_PARTIAL, "partial", false, "the step failed and this is the last state in it")    \
    X(EW_WARNING_WIDE_FACES, "wide-faces", false,                                                  \
      "parts in contact overlap in the mean of wide faces alone, by a tenth of what it closes")    \
    X(EW_WARNING_CHATTER, "chatter", false, "points of a contact closed and opened in turns")      \
    X(EW_WARNING_PENETRATION, "penetration", false,                                                \
      "displaced points are inside what they meet, by more than a tenth of the faces there")       \
    X(EW_WARNING_SOLIDS, "solids", false,                                                          \
      "of solids of a CAD file it is not known whether they lie in one another")
#define EW_WARNING_CONSTANT(kind, name, is_recorded, when) kind,
typedef enum ew_warning_kind {
    EW_WARNING_KINDS(EW_WARNING_CONSTANT) EW_WARNING_COUNT
} ew_warning_kind;

/* A warning about an answer, one line with its remedy. */
enum { EW_MAX_WARNINGS = 8, EW_WARNING_TEXT = 320 };
typedef struct ew_warning {
    ew_warning_kind kind;
    int32_t line; /* of the case, of the edit or the load that it is about; 0: of the step */
    char text[EW_WARNING_TEXT];
} ew_warning;
/* The name of a kind; "" for what is none. */
const char *ew_warning_kind_name(ew_warning_kind kind);
/* When warnings of a kind are given; "" for what is none. */
const char *ew_warning_kind_help(ew_warning_kind kind);

/* Of a harmonic response, in degrees before the loads, whose cosine is 1 at time 0. */
typedef struct ew_set_phases {
    double displacement[3], reaction_force[3], reaction_moment[3];
} ew_set_phases;
/* A set on the mesh of the case or after a step. */
typedef struct ew_set_report {
    const char *name; /* a set without a name of its own: "plane in line 12" */
    int32_t line;     /* of its latest definition */
    ew_set_kind kind;
    bool is_made;    /* false: a later step defines it, and it is empty until then */
    bool is_new;     /* defined at the start, or by this step */
    bool in_edit;    /* given in place in an edit, of which nothing is saved: `measure` is of what
                        the edit found, before it */
    bool is_loaded;  /* a load of this step acts on it */
    uint8_t support; /* bit c: constraints of this step prescribe component c on it;
                        EW_SPRING_FORCES: it has springs */
    ew_set_measure measure;
    bool has_results; /* of this step's analysis. Reactions: of the components in `support`; moments
                         about measure.centroid */
    ew_set_results results;
    bool has_phases; /* of a harmonic response: results are amplitudes, without the mean stress */
    ew_set_phases phases;
    bool has_fatigue; /* of the step of fatigue: largest damage and smallest safety of its vertices,
                         and the vertex of that safety (of equal ones, of the larger damage) */
    double fatigue_damage, fatigue_safety, fatigue_place[3];
    bool has_coupling;  /* with its results: how its reference moved, and force and moment about it
                           of what is prescribed there, */
    bool is_prescribed; /* if anything is */
    double reference_displacement[3], reference_rotation[3], reference_force[3];
    double reference_moment[3];
    bool has_preload; /* of the slave of a bolt, likewise: tension; overlap of its sides */
    double preload_force, shortening;
    bool has_tie;        /* of a side of ties, once something was solved with them */
    double tie_force[3]; /* of the other sides on it */
    bool has_contact;    /* of a side of contacts, after a static solve: */
    double contact_area, contact_pressure;
    bool has_contact_force;   /* and of one that meets another side: */
    double contact_force[3];  /* of the other sides on it */
    bool has_rigid;           /* and of a slave of rigid bodies: */
    double contact_moment[3]; /* of their forces on it about the origin */
} ew_set_report;

/* A fine surface of the case. */
typedef struct ew_surface_report {
    const char *name;
    int32_t n_vertex, n_triangle;
    int32_t n_outside, farthest; /* vertices outside the body when it was bound; the farthest */
    double max_distance;         /* of that one, length unit */
    int32_t n_released;          /* vertices whose material was removed */
    bool looks_inward;           /* closed, with its normals pointing inward */
} ew_surface_report;

/* Resultants of a load of a step. */
typedef struct ew_load_report {
    int32_t line;
    ew_load_kind kind;
    int32_t set;                /* of the case; -1: the whole body */
    const char *surface;        /* fine surface on which it acts; null: none */
    double force[3], moment[3]; /* moment about the origin */
} ew_load_report;

/* An analysis of an element removal: at the start, then after each edit. */
typedef struct ew_removal_report {
    int32_t round; /* from 0 */
    int32_t n_tet;
    int32_t n_removed, n_restored; /* tets, since the analysis before */
    double volume, share;          /* share of that at the start */
    double compliance, change;     /* as in ew_removal_round */
    int32_t iterations;
    double seconds; /* since the analysis before, and this one */
} ew_removal_report;

/* An output of a dynamic step, with the samples since the previous one. */
typedef struct ew_motion_report {
    int32_t output, n_output; /* 0: the state at its start; n_output: the last */
    int32_t n_done, n_step;   /* time steps done, of all */
    double time, dt;
    double stable_step; /* of the scheme on the mesh at the start; INFINITY: any */
    ew_scheme_kind scheme;
    ew_mass_kind mass;
    ew_energy_account account;
    double largest_balance; /* magnitude of account.balance at the outputs so far */
    int64_t iterations;     /* of all time steps so far, */
    int32_t max_iterations; /* and of one */
    double applied_force[3], applied_moment[3]; /* of the loads at this time, about the origin */
    double seconds_update, seconds_loads, seconds_rhs, seconds_solve, seconds_account; /* so far */
    double seconds_recover, seconds_estimate, seconds_save; /* of the outputs before this one */
    int32_t n_probe, n_sample;
    const double *sample_time; /* [n_sample] */
    const double *sample;      /* [n_sample][n_probe][12] displacement, velocity, acceleration,
                                  reaction; NaN where the set is empty */
} ew_motion_report;

/* A record of a response. */
typedef struct ew_response_report {
    ew_response_kind kind;
    int32_t n_mode;            /* 0: direct, by */
    int32_t n_vector, n_solve; /* so many vectors and solves for all its frequencies, */
    double residual;           /* and what is left at this one */
    int32_t record;            /* from 0 */
    double frequency;          /* HARMONIC */
    double highest;            /* of the modes */
    double carried;            /* share of the mass along the direction; 1 of HARMONIC */
} ew_response_report;

/* What the history of fatigue comes to. */
typedef struct ew_fatigue_report {
    int32_t n_state, n_block; /* of the history */
    ew_fatigue_method method;
    ew_fatigue_stress stress;
    ew_mean_stress mean_stress;
    double wanted;    /* repeats of the history */
    double damage;    /* the largest of a repeat; the life is 1 / damage, infinite where 0 */
    double safety;    /* the smallest on stress, for the wanted repeats */
    double amplitude; /* the largest fully reversed one where it is, of a strain life of strain, */
    double turned;    /* as in ew_fatigue_life: the largest where the safety is nearly as small */
    int32_t vertex, region; /* slot and label where it is; -1: no material with a curve is there */
    double place[3], normal[3];
    double seconds;
} ew_fatigue_report;

/* A step; a dynamic one has a report for each output. */
typedef struct ew_step_report {
    int32_t step;
    const char *name;
    int32_t n_set;                      /* of the case */
    bool has_laws;                      /* some steps of the case follow plastic or creeping laws */
    int32_t combination, n_combination; /* of a sweep, from 1; 0: none */
    int32_t n_parameter;
    const ew_case_parameter *parameter; /* [n_parameter] */
    bool is_judged;              /* a search evaluated this combination: its objective, and */
    double objective, violation; /* the largest excess over a limit, relative to it; 0: within */
    const char *failure; /* why its combination lacks this step; the members below are then not
                            filled. Null: it has the step */
    const ew_motion_report *motion;   /* null where the step is not dynamic */
    const ew_removal_report *removal; /* its last analysis; null where the step has none */
    const ew_modes *modes;            /* null where the step has none; a report for each */
    const ew_buckling *buckling;      /* likewise */
    int32_t mode;                     /* which of them, from 0 */
    bool is_partial;                  /* the step failed: its last converged state */
    bool is_recalled;                 /* restored from the checkpoint without iterating */
    int32_t n_tet, n_vertex, n_edge;
    int32_t n_edge_row; /* edges with functions of quadratic tets */
    int32_t n_edit;
    const ew_edit_report *edit;
    int64_t touched_blocks, total_blocks;
    int64_t built_blocks;          /* part of touched_blocks: by builds of the entire matrix, */
    double seconds_built;          /* with their part of seconds_topology and seconds_matrix */
    double seconds_choose;         /* selection of the edits */
    double seconds_edit;           /* the mesh */
    double seconds_topology;       /* tables; in the first step with their build */
    double seconds_follow;         /* boundary, sets, fields, constraints */
    double seconds_matrix;         /* blocks */
    double seconds_preconditioner; /* updates after edits; a set-up counts as solve */
    double seconds_loads;          /* loads, constraints, the check of components */
    double seconds_solve, seconds_recover, seconds_estimate, seconds_save;
    bool verified; /* --verify-rebuild: the next four members are filled */
    double seconds_rebuild_topology, seconds_rebuild_matrix;
    int64_t different_blocks;
    double largest_difference;
    double equation_force;    /* largest by which equations act on a point, 0: there are none */
    bool has_tie;             /* of all ties together, once something was solved with them: */
    int32_t n_tied, n_untied; /* slave vertices that are tied, and not */
    double tie_gap;           /* largest between tied faces, or overlap, before displacements */
    bool has_linked;        /* of modes, buckling or a response with contact: closed points stay */
    bool has_contact;       /* of a static solve with contact, of all contacts together: */
    int32_t n_closed_point; /* of both; below largest pressure, sum of forces, smallest gap */
    double contact_pressure, contact_force, contact_area, contact_gap;
    bool has_friction;               /* of the same, where any of them has friction: */
    int32_t n_slip_point;            /* that slide */
    double friction_force, max_slip; /* sum; largest of the step */
    double lost_force[3];        /* of this step's loads, on what the edits took away, force unit */
    const int32_t *lost_members; /* [n_set]: emptied by the edits */
    int32_t n_left_out;          /* under-constrained components removed */
    int32_t left_out_tets;
    bool compacted;             /* renumbered after the edits, */
    double seconds_compact;     /* with new tables and matrix */
    int32_t n_goal;             /* 0 without a linear static analysis */
    const ew_goal_report *goal; /* [n_goal] */
    bool has_goals_alone;       /* of a sweep with 'report: goals': sums are as without analysis */
    const ew_pcg_info *solver;  /* null without analysis; of a nonlinear one iterations of all
                                   solves, the residual of equilibrium and its history */
    const ew_nonlinear_info *nonlinear; /* null where it was linear, or none */
    const ew_sums *sums;                /* without analysis: volume and mass, all else 0 */
    const ew_estimate *estimate;        /* of the error; null without analysis, */
    const ew_adequacy *adequacy;        /* and this, too, or where it was not asked for */
    bool has_response; /* of a harmonic response, a spectrum or a random vibration: */
    ew_response_report response;
    bool in_envelope; /* it counts in the envelope */
    bool is_envelope; /* it is the envelope, whose extremes are in `sums` and `peak`: */
    const char *envelope_displaced, *envelope_stressed; /* names of the steps of the largest
                                                           displacement and stress */
    const ew_fatigue_report *fatigue;                   /* of the step of fatigue; else null */
    bool has_peak;                                      /* of an analysis but modes: */
    ew_peak peak; /* the stress to report, where it is, and how safe it is */
    int32_t n_warning;
    const ew_warning *warning;  /* [n_warning] */
    const ew_mesh *mesh;        /* to name vertices and places of extremes */
    const ew_set_report *set;   /* [n_set] */
    int32_t n_load;             /* 0 without an analysis */
    const ew_load_report *load; /* [n_load] */
    int32_t n_surface;
    const ew_surface_report *surface; /* [n_surface] */
    const ew_place_report *places;    /* of an analysis or an envelope that has some; or null */
    const ew_convergence
        *convergence; /* of a step that refines until a number converges; or null */
} ew_step_report;

/* ---- numbers of a step's report as a table (record/numbers.c) ------------- */

typedef enum ew_number_kind {
    EW_COUNT_NUMBER, /* a whole number */
    EW_REAL_NUMBER,
    EW_SHARE_NUMBER, /* of 1; shown in per cent */
    EW_SECONDS_NUMBER
} ew_number_kind;

enum {
    EW_IN_RECORD = 1,       /* an attribute of every record, 0 where it is not computed; of those
                               with goals alone left out there */
    EW_IN_RECORD_WHERE = 2, /* of the records that have it */
    EW_IN_LOG = 4           /* in the lines of the log that have it */
};
enum { EW_STEP_NUMBER_VALUES = 3 };
/* Texts are null and places 0 where the number is not there. */
/* Tables of steps: a row for each step, NAME.csv; for each output of a dynamic step,
 * NAME.energy.csv; for each round of an element removal, NAME.removal.csv. */
typedef enum ew_number_table {
    EW_STEPS_TABLE,
    EW_ENERGY_TABLE,
    EW_REMOVAL_TABLE,
    EW_N_NUMBER_TABLE
} ew_number_table;
typedef struct ew_step_number {
    const char *name;
    const char *column; /* its name in the log and in these tables; null: name */
    int32_t n;          /* values: 1, or 3 of a vector */
    ew_number_kind kind;
    const char *unit;               /* as in results_fields.h */
    uint32_t in;                    /* EW_IN_RECORD ... */
    bool of_analysis;               /* it says nothing of a step without one */
    int32_t csv[EW_N_NUMBER_TABLE]; /* its place there, behind the step's name, from 1; 0: none */
    const char *heading;            /* in the table at the end of a run, */
    int32_t place, width;           /* its column there, from 1, and how wide */
    const char *title;              /* in the table of a report page; of a vector its length */
    const char *curve;              /* likewise, of its curve over the steps */
    const char *help;
} ew_step_number;
/* The k-th number, null behind the last. */
const ew_step_number *ew_step_number_at(int32_t k);
/* Its values in a report that is none of a failure; false where the step has none, which its record
 * has as what `value` is then. */
bool ew_step_number_of(int32_t k, const ew_step_report *report,
                       double value[EW_STEP_NUMBER_VALUES]);
/* Of the edits: mesh, tables and matrix, without the first build of the study but with those after
 * compaction. */
double ew_step_seconds_revalidate(const ew_step_report *report);

/* The same of a set (record/set_numbers.c): an attribute of its record and a column of
 * NAME.sets.csv, three of a vector. */
typedef struct ew_set_number {
    const char *name;
    int32_t n;         /* values: 1, or 3 of a vector */
    const char *unit;  /* as in results_fields.h */
    const char *title; /* in the table of sets of a report page; null: not there */
    const char *help;
} ew_set_number;
/* The k-th number, null behind the last. */
const ew_set_number *ew_set_number_at(int32_t k);
/* Its values; false where the set has none. */
bool ew_set_number_of(int32_t k, const ew_set_report *report, double value[EW_STEP_NUMBER_VALUES]);

/* Groups of processes that share the combinations of a sweep: group g computes those whose number k
 * has k % n = g, and leaves its records to the first group, which takes them in order, and writes.
 * The calling process is of one of them. */
typedef struct ew_study_groups {
    void *user;
    int32_t group, n;
    /* The records of combination k, for the first group: data is copied. By others than that, in
     * the order of k. */
    ew_status (*give)(void *user, int32_t k, size_t size, const void *data);
    /* By all processes of the first group, in the order of k; *data is the caller's, who releases
     * it. */
    ew_status (*take)(void *user, int32_t k, size_t *size, void **data);
} ew_study_groups;

typedef struct ew_study_def {
    ew_device *device; /* borrowed; null: host */
    ew_precision precision;
    ew_preconditioner_kind preconditioner; /* EW_PRECONDITIONER_COUNT: that of the case */
    int32_t operator_kind;                 /* an ew_operator_kind; -1: that of the case */
    int32_t quadratic; /* tets of a case that says nothing of elements: 1 quadratic, 0 linear, -1:
                          as ew_study_begins_quadratic chooses */
    const ew_preconditioner_type *direct; /* as in ew_pcg_def; null: none in this build */
    ew_eigen_call *eigen;                 /* as in ew_modes_def */
    ew_peers *peers; /* as in ew_pcg_def: all of them run the same study, or of groups theirs */
    const ew_study_groups *groups_of_sweep; /* borrowed; null: this process has all combinations */
    ew_fill_function fill;                  /* as in ew_model_set_fill; null: none in this build */
    int32_t n_job; /* combinations of a sweep computed at the same time, each by its share of the
                      caller's threads; the bits do not depend on the number. All of these threads
                      call the functions below that read files. 0 and 1: one after the other */
    bool verify_rebuild;
    bool goes_on;        /* ew_study_go_on_with will be called: the mesh of the case is kept */
    bool estimate_error; /* estimates the error of each analysis, and whether linear tets and a
                            linear theory are adequate: a pass over the mesh; default true */
    bool measure_edits;  /* volume and quality before and after each edit: a pass over the mesh;
                            default true */
    /* Borrowed; null: none. Steps in the checkpoint are restored without iterating; later ones are
     * recorded in it. */
    ew_checkpoint *checkpoint;
    /* Borrowed: named groups of the mesh, whose lists follow the edits; after ew_study_run they are
     * those of the returned mesh, with the names that edits gave to surfaces. Null: none. No effect
     * on a sweep. */
    ew_groups *groups;
    ew_progress progress;
    void *user;
    /* Called at the start with the sets of the case on its mesh, [n_set of the case]; null: none */
    void (*on_sets)(void *user, int32_t n_set, const ew_set_report *set);
    /* Called after each step, and after each output of a dynamic one; null: none. */
    void (*on_step)(void *user, const ew_step_report *report);
    /* Called after each analysis of an element removal, with report->removal and the step's name
     * and parameters; other members are not filled. Null: none. */
    void (*on_removal)(void *user, const ew_step_report *report);
    int32_t surface_formats; /* bits as in ew_case_output, in addition to them */
    /* Called when the surfaces of the case are bound to its mesh; null: none. */
    void (*on_surfaces)(void *user, int32_t n_surface, const ew_surface_report *surface);
    /* Reads the file of a surface, relative to the case file; null: surfaces are refused. */
    ew_status (*read_surface)(void *user, const char *file, ew_polygons *polygons);
    /* Reads a mesh that an `add:` edit names, relative to the case file; null: adding is refused.
     */
    ew_status (*read_mesh)(void *user, const char *file, ew_mesh *mesh);
    /* Likewise the text of an amplitude's table, and a frame (from 0; -1: the last) of a result
     * with these fields; null: such cases are refused. */
    ew_status (*read_text)(void *user, const char *file, ew_text *text);
    ew_status (*read_frame)(void *user, const char *file, int32_t number, const char *fields,
                            ew_view_frame *frame);
} ew_study_def;
ew_study_def ew_default_study_def(void);

/* After ew_case_read of a case with a sweep: reads the rows of its table, if it has one, by
 * read_text (null: refused), and counts what all combinations have together into input->n_record. A
 * study of it needs that. No effect on other cases. */
ew_status ew_case_plan(ew_case *input,
                       ew_status (*read_text)(void *user, const char *file, ew_text *text),
                       void *user);

/* Whether all tets of the body are quadratic before the first edit: by 'elements:'; where the case
 * says nothing of them, because the tets of the file have ten nodes, by def->quadratic, or because
 * nothing in case and mesh is against it. *why_linear, which may be null: what is, null where
 * nothing is or the kind is given. (order.c) */
bool ew_study_begins_quadratic(const ew_study_def *def, const ew_case *input, const ew_mesh *mesh,
                               const char **why_linear);

/* A study that a program runs step by step; after a failed step the model stays accessible. */
typedef struct ew_study ew_study; /* opaque */
/* Takes the mesh over (returned on failure) and creates a model of the case. All arguments are
 * borrowed until ew_study_free; `result` and `journal` as in ew_study_run. */
ew_status ew_study_create(ew_study **study, const ew_case *input, ew_mesh *mesh,
                          const ew_study_def *def, ew_result *result,
                          const ew_result_archive *journal);
/* Runs the next step. After a failure the model has the state that the step reached, the result has
 * all earlier frames, and the step may be repeated, except a dynamic one that has saved frames. */
ew_status ew_study_next(ew_study *study);
int32_t ew_study_n_done(const ew_study *study); /* steps */
/* Other values of the case's parameters: `next`, the same text read with them, is the study's case
 * from here on, and its first step the next one. Edits move what they made from where the case
 * before had it, and solves start from the last answer, as in a sweep with 'start: continue'. Both
 * cases are borrowed until the steps of `next` that have edits are done. EW_UNSUPPORTED, with
 * nothing changed: this case cannot. After a step that fails the study is of no further use. */
ew_status ew_study_go_on_with(ew_study *study, const ew_case *next);
ew_model *ew_study_model(ew_study *study); /* borrowed */
void ew_study_free(ew_study *study);       /* safe on null */

/* A case with a sweep: runs the steps of one combination after the other, each on the mesh of the
 * case. A failed combination has records with the reason and without frames, and the next one
 * follows; if all fail, the first failure is returned.
 *
 * Runs every step of the case on `mesh` (taken over: renumbered for locality, edited) and adds one
 * frame per step, of a dynamic one per output, to `result` (null: none); without a sweep `mesh` is
 * then that of the last step, with its curved sides. The message of a failure starts with the
 * step's name. With a `journal` archive the edits of each step are replayed from it
 * instead of being computed from the case. */
ew_status ew_study_run(const ew_case *input, ew_mesh *mesh, const ew_study_def *def,
                       ew_result *result, const ew_result_archive *journal);

/* Adds sets to a model for the groups that are lists, so that they follow edits; set: [groups->n]
 * the number of each, -1 for groups that are labels. (groups.c) */
ew_status ew_groups_follow(const ew_groups *groups, ew_model *model, int32_t *set);
/* Makes a set of a group of any kind, for an operation. */
ew_status ew_group_as_set(const ew_group *group, ew_model *model, int32_t *set);
/* After edits: copies the members of the sets into the lists. */
ew_status ew_groups_take(ew_groups *groups, const ew_model *model, const int32_t *set);
/* Whether labeled triangles of the mesh have this label. */
bool ew_faces_have_label(const ew_mesh *mesh, int32_t label);
/* EW_BAD_INPUT where faces of this name have another label, or those with the label another name.
 */
ew_status ew_groups_check_label(const ew_groups *groups, int32_t label, const char *name);
/* Names the label of the faces that an operation with these values makes, where they have a name
 * that no faces have yet. */
ew_status ew_groups_name_surface(ew_groups *groups, const ew_operation *operation,
                                 const ew_operation_values *values);

EW_END_API
#endif
