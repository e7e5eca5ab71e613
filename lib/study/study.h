/* study: a case file (YAML) and the running of its steps: edits, then an analysis, then a frame in
 * the result file. Sees everything to its left; reads no files itself.
 *
 * Longer than 500 lines because it is the one header of what a case can say and a run reports. */
#ifndef EW_STUDY_H
#define EW_STUDY_H

#include "cad/cad.h"
#include "evolution/evolution.h"
#include "format/format.h"
#include "meshing/meshing.h"
#include "model/model.h"
#include "results/results.h"

EW_BEGIN_API

/* ---- the case (case.c and case_*.c) ------------------------------------ */

/* A set expression: a selection in space, a named set, or a combination. Nodes live in
 * ew_case.node; children come as a chain first_child -> next. */
typedef enum ew_set_node_kind {
    EW_SET_SELECT,
    EW_SET_NAMED,
    EW_SET_UNION,
    EW_SET_INTERSECT,
    EW_SET_SUBTRACT
} ew_set_node_kind;
typedef struct ew_set_node {
    ew_set_node_kind kind;
    int32_t line;
    int32_t of;                 /* ew_set_kind */
    bool resolved;              /* private: `of` agrees with those of the children */
    ew_selector selector;       /* SELECT; ids are owned by the case. A plane's tolerance may be: */
#define EW_THICK_BY_SIZE (-1.0) /* 1e-6 of the body's size when the set is made */
    bool is_of_edit;            /* private: the label is that of faces that an edit names */
    bool has_direction;         /* of faces those that look in `direction` */
    ew_facing direction;
    int32_t named; /* NAMED: index into ew_case.set */
    int32_t first_child, next;
} ew_set_node;

typedef struct ew_case_set {
    const char *name;
    int32_t line; /* in the case file, from 1; likewise below */
    int32_t node; /* of its first definition */
    ew_set_kind kind;
    bool allow_empty;
    bool is_unnamed; /* given in place of a name; `name` says where: "line 12" */
    int32_t step;    /* whose definition is the first, made after its edits; -1: the case's, made on
                        its mesh */
    bool is_plane;   /* unnamed, of a plane of symmetry: found in each step that uses it */
    bool in_edit;    /* unnamed, in an edit of the step: made right before that */
    int32_t group;   /* 1 + index of the group of the mesh that it is; 0: none */
} ew_case_set;
const char *ew_set_kind_name(ew_set_kind kind); /* "vertices" */
/* Whether a load takes sets of the kind; else it acts on their vertices. */
bool ew_case_load_acts_on(ew_load_kind load, ew_set_kind kind);

/* What a step makes of a set, new or there already, after its edits. */
typedef struct ew_case_definition {
    int32_t line, set, node;
    bool allow_empty;
} ew_case_definition;

typedef struct ew_case_material {
    int32_t line;
    bool all_regions;
    int32_t region; /* label */
    ew_material material;
    const char *axes_file;  /* of axes by tet, or null */
    const char *axes_array; /* likewise: an array of cells of the mesh's file */
} ew_case_material;

/* A factor of time that loads and constraints name. */
typedef struct ew_case_amplitude {
    const char *name;
    int32_t line;
    ew_amplitude as; /* tables are owned by the case; with `file` n is 0 until the study reads it */
    const char *file;            /* of values separated by commas, semicolons or blanks, or null */
    int32_t time_column, column; /* from 1 */
    double scale;                /* that its values are multiplied by */
} ew_case_amplitude;

/* A prescribed displacement or velocity, or springs. */
typedef struct ew_case_constraint {
    int32_t line, set;
    uint8_t fixed; /* bits of prescribed components */
    bool is_velocity;
    double value[3];
    int32_t amplitude; /* index into ew_case.amplitude, -1: none */
    ew_axes axes;
    bool is_spring;
    ew_spring_kind spring;
    double stiffness[3];
    double point[3], normal[3]; /* of a plane of symmetry; the normal of any length > 0 */
} ew_case_constraint;

/* A fine surface that moves with the tets. */
typedef struct ew_case_surface {
    const char *name, *file;
    int32_t line;
    ew_mapping_def mapping;
} ew_case_surface;

typedef struct ew_case_load {
    int32_t line;
    int32_t surface;   /* 1 + index of the surface that it acts on in place of a set; 0: none */
    ew_model_load as;  /* its set: an index into ew_case.set, or -1: the whole body */
    int32_t amplitude; /* index into ew_case.amplitude, -1: none */
    int32_t nodes;     /* of a force on nodes: from 1, in the order of the case; else 0 */
    int32_t n_place;
    double *place; /* [n_place][3] of these nodes in the mesh that the study starts with, */
    double *force; /* [n_place][3] and the forces there */
} ew_case_load;

/* Which tets become quadratic, or linear again. */
typedef struct ew_case_enrich {
    int32_t set;    /* index in ew_case.set; -1: by error */
    bool by_error;  /* those with the largest estimated error, until */
    double until;   /* that of the others is no more than this share of the energy norm */
    bool quadratic; /* else linear */
} ew_case_enrich;
extern const ew_operation ew_enrich_edit; /* stands for an operation, which it is none */

/* An operation with its values. A set of vertices is given by its index in ew_case.set; ids and
 * texts are owned by the case. */
typedef struct ew_case_edit {
    const ew_operation *operation;
    int32_t line;
    ew_operation_values values;
    ew_case_enrich enrich; /* where the operation is ew_enrich_edit */
} ew_case_edit;

/* ---- a dynamic step (case_dynamic.c) ---- */

/* Where a dynamic step starts from; sets come on top, in their order. */
typedef enum ew_case_start {
    EW_START_PREVIOUS, /* the state that the step before left: at rest after a static one */
    EW_START_REST,     /* undeformed, at rest */
    EW_START_RESULT    /* displacement and velocity of a frame of a result file, by vertex_id */
} ew_case_start;
typedef struct ew_case_initial {
    int32_t line, set; /* of vertices, or those of its faces or tets */
    bool is_velocity;  /* else a displacement */
    double value[3];
} ew_case_initial;

/* What is recorded every time step: of the vertices of a set the mean of displacement, velocity and
 * acceleration, and the sum of their reactions. */
typedef struct ew_case_probe {
    const char *name;
    int32_t line, set;
} ew_case_probe;

/* An edit before the first time step that starts at `at` or later. */
typedef struct ew_case_timed_edit {
    double at;
    ew_case_edit edit;
} ew_case_timed_edit;

typedef struct ew_case_dynamic {
    int32_t line;
    ew_dynamics_def def;
    double step; /* that the case asks for */
    double end;  /* on the case's time axis */
    int32_t
        n_step;    /* time steps; each takes (end - start) / n_step, which is no more than `step` */
    int32_t every; /* time steps from output to output; the last one is an output, too */
    ew_case_start start;
    const char *start_file; /* RESULT */
    int32_t start_frame;    /* RESULT: from 0; -1: the last */
    int32_t n_initial, n_probe, n_edit;
    ew_case_initial *initial;
    ew_case_probe *probe;
    ew_case_timed_edit *edit; /* ascending times */
} ew_case_dynamic;

/* Element removal in a static step (case_remove.c). */
typedef struct ew_case_remove {
    int32_t line;
    ew_evolution_def def; /* solver, progress and functions are the study's */
    int32_t frames;       /* every so many rounds the body is saved; 0: none */
    int32_t n_protect;
    const int32_t
        *protect; /* indices in ew_case.set: their tets stay, as those that loads act on */
} ew_case_remove;

typedef struct ew_case_step {
    const char *name;
    int32_t line;
    bool reset; /* to the mesh and the sets of the case, at rest, before its edits */
    int32_t n_edit;
    ew_case_edit *edit;
    int32_t n_definition;
    ew_case_definition *definition; /* in this order */
    bool has_static;
    ew_case_dynamic *dynamic; /* or null */
    ew_case_remove *remove;   /* before the analysis of a static step, or null */
    int32_t n_mode;           /* vibration modes, or where is_buckling shapes; 0: neither */
    ew_mass_kind mass;
    bool is_buckling;
    double start;         /* time at its begin; a dynamic step starts there and ends later, all
                             others take no time */
    int32_t first_record; /* of the result: one of each step, and of each output of a dynamic
                             one, which has a first one at its start */
    double tolerance;
    int32_t max_iterations;
    ew_preconditioner_kind preconditioner;
    ew_operator_kind operator_kind;
    bool has_nonlinear;              /* says how a static step of a nonlinear body is solved: */
    ew_nonlinear_def nonlinear;      /* preset where it does not; its solver is that of the step */
    bool own_constraints, own_loads; /* stand in place of the case's for this step */
    int32_t n_constraint, n_load;
    ew_case_constraint *constraint;
    ew_case_load *load;
} ew_case_step;

/* The fields that a case can leave out; others, as masks of sets, are always saved. */
#define EW_OUTPUT_FIELDS                                                                           \
    "displacement reaction stress von_mises strain principal strain_energy error thermal_strain "  \
    "velocity acceleration volumetric_stress plastic_strain equivalent_plastic_strain "            \
    "dissipated_energy"
#define EW_SURFACE_FORMATS "obj rib" /* of frames of surfaces, by bit */
typedef struct ew_case_output {
    uint32_t fields; /* bit k: word k of EW_OUTPUT_FIELDS, at every place it has */
    bool single;     /* fields are stored in single precision */
    bool vtu;        /* frames are written as .vtu, too: by the program that writes the files */
    int32_t surface_formats; /* bits: frames of surfaces are written as 1 OBJ, 2 RIB */
    int32_t every; /* frames of every so many steps, and of the last; the others have a record. All
                      outputs of dynamic steps have frames */
} ew_case_output;

/* A name for a number, which expressions of the case use. */
enum { EW_MAX_PARAMETERS_OF_CASE = 64, EW_MAX_COMBINATIONS = 10000 };
typedef struct ew_case_parameter {
    const char *name;
    int32_t line;
    bool follows; /* by an expression of those before it */
    double value;
} ew_case_parameter;

/* What a combination of a sweep begins with. */
#define EW_SWEEP_STARTS "fresh warm continue"
typedef enum ew_sweep_start {
    EW_SWEEP_FRESH,   /* the case's mesh, at rest: as a run of its own, bit for bit */
    EW_SWEEP_WARM,    /* the case's mesh, and the answer of the one before for a start */
    EW_SWEEP_CONTINUE /* all as the one before left it */
} ew_sweep_start;

/* Outputs of a static step that a search knows, of the whole body and of a set. */
#define EW_OUTPUTS                                                                                 \
    "mass volume max_displacement max_von_mises max_averaged_von_mises strain_energy "             \
    "max_principal min_principal"
#define EW_SET_OUTPUTS                                                                             \
    "mean_displacement max_displacement mean_von_mises max_von_mises reaction_force"
typedef struct ew_case_output_of {
    const char *name; /* as the case writes it */
    int32_t quantity; /* which word of EW_OUTPUTS, of a set of EW_SET_OUTPUTS */
    int32_t set;      /* -1: the whole body */
} ew_case_output_of;

typedef struct ew_case_limit {
    ew_case_output_of of;
    double least, most; /* or infinite */
} ew_case_limit;

/* A search for the least of an output within limits. (case_search.c) */
enum { EW_MAX_LIMITS = 32 };
typedef struct ew_case_search {
    ew_case_output_of goal;
    bool maximize;
    double *low, *high; /* of the parameters of the sweep */
    double tolerance;   /* of the parameters, share of their ranges */
    int32_t n_limit;
    ew_case_limit *limit;
} ew_case_search;

struct ew_case;
/* Combinations of values of some parameters. (case_sweep.c) */
typedef struct ew_case_sweep {
    int32_t line;
    ew_sweep_start start;
    int32_t n, n_parameter; /* n: combinations, 0 until the rows of a table are read */
    int32_t *parameter;     /* [n_parameter] of the case */
    double *value;          /* [n][n_parameter] NaN: as the case says */
    const char *file;       /* of a table, or null, */
    ew_case_search *search; /* chooses the combinations, at most n; null: they are given */
    int32_t n_done;         /* by the search */
    int32_t *first_record;  /* [n + 1] of each combination in the result, once planned */
    const char **column;    /* [n_parameter] and heads of its columns; null: the names */
    bool is_planned;        /* by ew_case_plan */
    void *user;             /* as in the ew_case_def that the case was read with */
    ew_status (*read_groups)(void *user, const struct ew_case *input, const ew_groups **groups);
} ew_case_sweep;

typedef struct ew_case {
    char *text;            /* owned copy of the file */
    const char *mesh_file; /* or null */
    const char *surface_file;
    ew_tetgen_def tetgen; /* of the surface */
    ew_cad_def cad;       /* of a mesh_file that ew_cad_reads; strings are the case's */
    const char *length_unit, *force_unit, *time_unit;
    int32_t n_material, n_set, n_node, n_constraint, n_load, n_step, n_amplitude;
    int32_t n_record;     /* of the result file: what its steps have together */
    bool has_dynamics;    /* in one of the steps: the time axis is the physical time */
    double shortest_step; /* of time, then */
    ew_case_material *material;
    ew_case_amplitude *amplitude;
    ew_case_set *set;
    ew_set_node *node;
    ew_case_constraint *constraint;
    ew_case_load *load;
    int32_t n_load_nodes; /* loads on nodes, those of the steps, too */
    int32_t n_surface;
    ew_case_surface *surface;
    ew_case_step *step;
    ew_case_output output;
    bool quadratic; /* tets are quadratic */
    bool has_order; /* the case says what they are; else they are also where the mesh has tets
                       of ten nodes */
    bool mixed;     /* tets are mixed */
    ew_kinematics kinematics;
    int32_t n_parameter;
    ew_case_parameter *parameter;
    ew_case_sweep *sweep; /* or null */
    bool leave_out_free;  /* remove under-constrained components before solving, and report them */
    void *arena;          /* owned: everything the pointers above lead to */
} ew_case;

/* Messages: "line L: what is wrong and what is allowed"; unknown keys name the nearest known one.
 */
ew_status ew_case_read(const char *data, size_t size, ew_case *out);

/* What reading a case may ask for. */
typedef struct ew_case_def {
    void *user;
    /* The groups of the mesh that `input` names, whose mesh_file, surface_file and tetgen are read
     * by then: called once, and only where the case names a set, region or surface that it does not
     * define. Borrowed until the case is read. Null: meshes have no names. Where the case has a
     * sweep, called again while that runs. */
    ew_status (*read_groups)(void *user, const ew_case *input, const ew_groups **groups);
    /* [n_value] of the first parameters, NaN: as the case says. Null: all are as it says; else its
     * sweep is passed over. */
    int32_t n_value;
    const double *value;
} ew_case_def;
/* The same with names of the mesh's groups, and with other values of parameters. */
ew_status ew_case_read_with(const char *data, size_t size, const ew_case_def *def, ew_case *out);
/* The rows of the table that its sweep names: text in (of `size` bytes), combinations out. A head
 * of names, columns separated by commas, semicolons or tabs; empty lines and those that begin with
 * # are none. (sweep_table.c) */
ew_status ew_case_read_rows(ew_case *input, const char *text, size_t size);
void ew_case_free(ew_case *input);
/* Whether tets are quadratic in some step. */
bool ew_case_is_quadratic(const ew_case *input);
/* Whether a step has an analysis, static or dynamic. */
bool ew_case_is_solved(const ew_case_step *step);
/* Of a dynamic step: time after n of its time steps, and how many outputs there are behind the one
 * at its start. */
double ew_case_time(const ew_case_step *step, int32_t n);
int32_t ew_case_n_output(const ew_case_step *step);

/* ---- running ----------------------------------------------------------- */

typedef struct ew_edit_report {
    const char *kind; /* "decimate" ... */
    int32_t tets_before, tets_after, vertices_before, vertices_after;
    double error; /* estimated before it, share of the energy norm; NaN: not estimated */
    double time;  /* in a dynamic step; NaN: before a step */
    double volume_before, volume_after, quality_before, quality_after; /* least quality; NaN: not
                                                                          measured */
} ew_edit_report;

/* A line that an answer must not be taken without, with its remedy. */
enum { EW_MAX_WARNINGS = 8, EW_WARNING_TEXT = 320 };
typedef struct ew_warning {
    char text[EW_WARNING_TEXT];
} ew_warning;

/* A set as the case's mesh or a step left it. */
typedef struct ew_set_report {
    const char *name; /* of one given in place: "line 12" */
    int32_t line;     /* of its latest definition */
    ew_set_kind kind;
    bool is_made;    /* false: a later step makes it, and it is empty until then */
    bool is_new;     /* made at the start, or by this step */
    bool in_edit;    /* given in place in an edit, of which nothing is saved */
    bool is_loaded;  /* a load of this step acts on it */
    uint8_t support; /* bit c: constraints of this step prescribe component c on it;
                        EW_SPRING_FORCES: it has springs */
    ew_set_measure measure;
    bool has_results; /* of this step's analysis. Reactions: of the components in `support`; moments
                         about measure.centroid */
    ew_set_results results;
} ew_set_report;

/* A fine surface of the case. */
typedef struct ew_surface_report {
    const char *name;
    int32_t n_vertex, n_triangle;
    int32_t n_outside, farthest; /* vertices outside the body when it was bound; the farthest */
    double max_distance;         /* of that one, length unit */
    int32_t n_released;          /* vertices whose material is gone by now */
    bool looks_inward;           /* closed, with its triangles turned the wrong way */
} ew_surface_report;

/* What a load of a step adds up to. */
typedef struct ew_load_report {
    int32_t line;
    ew_load_kind kind;
    int32_t set;                /* of the case; -1: the whole body */
    const char *surface;        /* that it acts on; null: none */
    double force[3], moment[3]; /* moment about the origin */
} ew_load_report;

/* An analysis of an element removal: of the body at the start, then after each edit. */
typedef struct ew_removal_report {
    int32_t round; /* from 0 */
    int32_t n_tet;
    int32_t n_removed, n_restored; /* tets, since the analysis before */
    double volume, share;          /* share of that at the start */
    double compliance, change;     /* as in ew_evolution_round */
    int32_t iterations;
    double seconds; /* since the analysis before, and this one */
} ew_removal_report;

/* An output of a dynamic step, and what came since the one before. */
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

/* A step; a dynamic one has a report for each output. */
typedef struct ew_step_report {
    int32_t step;
    const char *name;
    int32_t combination, n_combination; /* of a sweep, from 1; 0: none */
    int32_t n_parameter;
    const ew_case_parameter *parameter; /* [n_parameter] */
    bool is_judged; /* by a search, at the end of a combination: what it looks at, and */
    double objective, violation; /* the largest excess over a limit, relative to it; 0: within */
    const char *failure; /* why its combination does not have this step; then nothing below is
                            filled. Null: it has */
    const ew_motion_report *motion;   /* null where the step is not dynamic */
    const ew_removal_report *removal; /* its last analysis; null where the step has none */
    const ew_modes *modes;            /* null where the step has none; a report for each */
    const ew_buckling *buckling;      /* likewise */
    int32_t mode;                     /* which of them, from 0 */
    bool is_recalled; /* done before, and done again from the checkpoint without iterating */
    int32_t n_tet, n_vertex, n_edge;
    int32_t n_edge_row; /* edges with functions of quadratic tets */
    int32_t n_edit;
    const ew_edit_report *edit;
    int64_t touched_blocks, total_blocks;
    int64_t built_blocks;          /* of touched_blocks: by a build of the whole matrix, */
    double seconds_built;          /* and of seconds_topology and seconds_matrix */
    double seconds_choose;         /* what to edit */
    double seconds_edit;           /* the mesh */
    double seconds_topology;       /* tables; in the first step with their build */
    double seconds_follow;         /* boundary, sets, fields, constraints */
    double seconds_matrix;         /* blocks */
    double seconds_preconditioner; /* following the edits; where it is new it is in the solve */
    double seconds_loads;          /* loads, constraints, the check of components */
    double seconds_solve, seconds_recover, seconds_estimate, seconds_save;
    bool verified; /* --verify-rebuild: the rest is filled */
    double seconds_rebuild_topology, seconds_rebuild_matrix;
    int64_t different_blocks;
    double largest_difference;
    double lost_force[3]; /* of this step's loads, on vertices and faces that the edits took away,
                             force unit */
    const int32_t *lost_members; /* [n_set of the case]: emptied by the edits */
    int32_t n_left_out;          /* under-constrained components removed */
    int32_t left_out_tets;
    bool compacted;            /* renumbered after the edits, */
    double seconds_compact;    /* with new tables and matrix */
    const ew_pcg_info *solver; /* null without analysis; of a nonlinear one iterations of all
                                  solves, the residual of equilibrium and its history */
    const ew_nonlinear_info *nonlinear; /* null where it was linear, or none */
    const ew_sums *sums;                /* without analysis: volume and mass, all else 0 */
    const ew_estimate *estimate;        /* of the error; null without analysis, */
    const ew_fitness *fitness;          /* and this, too, or where it was not asked for */
    int32_t n_warning;
    const ew_warning *warning;  /* [n_warning] */
    const ew_mesh *mesh;        /* to name vertices and places of extremes */
    const ew_set_report *set;   /* [n_set of the case] */
    int32_t n_load;             /* 0 without an analysis */
    const ew_load_report *load; /* [n_load] */
    int32_t n_surface;
    const ew_surface_report *surface; /* [n_surface] */
} ew_step_report;

typedef struct ew_study_def {
    ew_device *device; /* borrowed; null: host */
    ew_precision precision;
    ew_preconditioner_kind preconditioner; /* EW_PRECONDITIONER_COUNT: as the case says */
    int32_t operator_kind;                 /* an ew_operator_kind; -1: as the case says */
    const ew_preconditioner_type *direct;  /* as in ew_pcg_def; null: none in this build */
    ew_eigen_call *eigen;                  /* as in ew_modes_def */
    ew_fill_function fill;                 /* as in ew_model_set_fill; null: none in this build */
    int32_t n_job; /* combinations of a sweep that threads compute side by side, each with its share
                      of the threads of the caller; the same bits for any number. Its functions that
                      read files are called by all of them. 0 and 1: one after the other */
    bool verify_rebuild;
    bool estimate_error; /* of each analysis, and whether linear tets and a linear theory fit it: a
                            pass over the mesh; default true */
    bool measure_edits;  /* volume and quality before and after each edit: a pass over the mesh;
                            default true */
    /* Borrowed; null: none. Steps that it holds are done again without iterating, what is solved
     * after them goes into it. */
    ew_checkpoint *checkpoint;
    /* Borrowed: named groups of the mesh, lists of which follow the edits; after ew_study_run they
     * are those of the mesh that it hands back, and labels of surfaces that edits named have these
     * names. Null: none. Of no effect on a sweep. */
    ew_groups *groups;
    ew_progress progress;
    void *user;
    /* At the start: what the sets of the case caught on its mesh, [n_set of the case]; null: none
     */
    void (*on_sets)(void *user, int32_t n_set, const ew_set_report *set);
    /* After each step, of a dynamic one after each output; null: none. */
    void (*on_step)(void *user, const ew_step_report *report);
    /* After each analysis of an element removal, which report->removal describes; of all else but
     * the step's name and parameters nothing is there yet. Null: none. */
    void (*on_removal)(void *user, const ew_step_report *report);
    int32_t surface_formats; /* bits as in ew_case_output, in addition to them */
    /* When the surfaces of the case are bound to its mesh; null: none. */
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

/* A study that a program runs step by step; what a failing step leaves is still there. */
typedef struct ew_study ew_study; /* opaque */
/* Takes the mesh over (handed back on failure) and makes a model of the case. All arguments are
 * borrowed until ew_study_free; `result` and `journal` as in ew_study_run. */
ew_status ew_study_create(ew_study **study, const ew_case *input, ew_mesh *mesh,
                          const ew_study_def *def, ew_result *result,
                          const ew_result_archive *journal);
/* The next step. After a failure the model holds what the step reached, all frames before it are in
 * the result, and the step may be tried again, unless it is a dynamic one that has saved some. */
ew_status ew_study_next(ew_study *study);
int32_t ew_study_n_done(const ew_study *study); /* steps */
ew_model *ew_study_model(ew_study *study);      /* borrowed */
void ew_study_free(ew_study *study);            /* safe on null */

/* Of a case with a sweep the steps of one combination after the other, each on the mesh as the case
 * has it; one that fails has records without frames that say why, and the next one follows. Without
 * any that succeeds the first failure is returned.
 *
 * Runs every step of the case on `mesh` (taken over: renumbered for locality, edited) and adds one
 * frame per step, of a dynamic one per output, to `result` (null: none); without a sweep `mesh` is
 * then that of the last step, with its curved sides. The message of a failure starts with the
 * step's name. With a `journal` archive the edits of each step are replayed from it
 * instead of being computed from the case. */
ew_status ew_study_run(const ew_case *input, ew_mesh *mesh, const ew_study_def *def,
                       ew_result *result, const ew_result_archive *journal);

/* Groups that are lists as sets of a model, which follow its edits; set: [groups->n] the number of
 * each, -1 of those that are labels. (groups.c) */
ew_status ew_groups_follow(const ew_groups *groups, ew_model *model, int32_t *set);
/* The set of group g, whatever it is, for an operation. */
ew_status ew_group_as_set(const ew_group *group, ew_model *model, int32_t *set);
/* After edits: the lists are what the sets are. */
ew_status ew_groups_take(ew_groups *groups, const ew_model *model, const int32_t *set);
/* What an edit makes and names has a label of its own, from here on, unless one is given. */
enum { EW_FIRST_NAMED_LABEL = 1001 };
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
