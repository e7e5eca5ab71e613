/* case: what a case file (YAML) says. In: bytes. Out: an ew_case, or the line at fault. Knows
 * nothing of how steps run: that is study. */
#ifndef EW_CASE_CASE_H
#define EW_CASE_CASE_H

#include "cad/cad.h"
#include "case/case_equations.h"
#include "case/case_fatigue.h"
#include "case/case_goals.h"
#include "case/case_writer.h"
#include "format/format.h"
#include "meshing/meshing.h"
#include "model/model.h"
#include "removal/removal.h"
#include "results/results.h"

EW_BEGIN_API

/* ---- the case --------------------------------------------------------- */

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
    bool is_of_section; /* of faces those on one side of the plane of the selector, whose normal */
    bool is_beyond;     /* points to it, or not */
    int32_t named;      /* NAMED: index into ew_case.set */
    int32_t first_child, next;
} ew_set_node;

typedef struct ew_case_set {
    const char *name;
    int32_t line; /* in the case file, from 1; likewise below */
    int32_t node; /* of its first definition */
    ew_set_kind kind;
    bool allow_empty;
    bool is_unnamed; /* given in place of a name; `name` says what and where: "plane in line 12" */
    int32_t step;    /* whose definition is the first, made after its edits; -1: the case's, made on
                        its mesh */
    bool is_plane;   /* unnamed, of a plane of symmetry: found in each step that uses it */
    bool in_edit;    /* unnamed, in an edit of the step: made right before that */
    int32_t group;   /* 1 + index of the group of the mesh that it is; 0: none */
} ew_case_set;
const char *ew_set_kind_name(ew_set_kind kind); /* "vertices" */
/* Whether a load takes sets of the kind; else it acts on their vertices. */
bool ew_case_load_acts_on(ew_load_kind load, ew_set_kind kind);

/* Definition of a set, new or existing, in a step, after its edits. */
typedef struct ew_case_definition {
    int32_t line, set, node;
    bool allow_empty;
} ew_case_definition;

typedef struct ew_case_material {
    int32_t line;
    bool all_regions;
    int32_t region; /* label */
    ew_material material;
    const char *axes_file;                     /* of axes by tet, or null */
    const char *axes_array;                    /* likewise: an array of cells of the mesh's file */
    const struct ew_library_material *library; /* that it is from, or null */
    double library_stress;                     /* 1 / m^2 N in units of the case */
    bool has_fatigue;
    ew_fatigue_curve fatigue; /* with the strengths of the material */
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
    int32_t nodes;     /* of a force or a temperature on nodes: from 1, in the order of the case;
                          else 0 */
    int32_t n_place;
    double
        *place;   /* [n_place][3] of these nodes in the mesh that the study starts with, or null: */
    int64_t *end; /* [n_place][2] their vertex_ids there: of a vertex twice the same, of the middle
                     of a side those of its ends */
    double *force;     /* [n_place][3] the forces there; [0]: temperatures, the rest 0 */
    ew_axes node_axes; /* with `end`: axes of the components of `force` */
} ew_case_load;
/* A force at x [3] along axes into one along x, y and z. */
void ew_case_turn_force(const ew_axes *axes, const double x[3], double force[3]);

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

/* ---- a dynamic step (dynamic.c) ---- */

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

/* Record of every time step: of the vertices of a set the mean of displacement, velocity and
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

/* Element removal in a static step (remove.c). */
typedef struct ew_case_remove {
    int32_t line;
    ew_removal_def def; /* solver, progress and functions are the study's */
    int32_t frames;     /* every so many rounds the body is saved; 0: none */
    int32_t n_protect;
    const int32_t
        *protect; /* indices in ew_case.set: their tets stay, as those that loads act on */
} ew_case_remove;

/* What a body does under loads or motions of the supports that vary harmonically or are random, as
 * a rule by its vibration modes. (response.c) */
typedef enum ew_response_kind {
    EW_RESPONSE_HARMONIC, /* amplitudes under the loads of the step, at frequencies */
    EW_RESPONSE_SPECTRUM, /* largest values under a spectrum of the supports' acceleration */
    EW_RESPONSE_RANDOM    /* root mean squares under a spectral density of it */
} ew_response_kind;
enum { EW_MAX_FREQUENCIES = 1000 };
typedef struct ew_case_response {
    ew_response_kind kind;
    bool is_direct; /* HARMONIC: without modes */
    int32_t n_mode;
    double damping;  /* of all modes, share of the critical one; 0: `more` alone */
    ew_damping more; /* HARMONIC: Rayleigh and structural damping */
    int32_t n_frequency;
    double *frequency;   /* [n_frequency] HARMONIC */
    double direction[3]; /* the others: of length 1 */
    int32_t n_point;
    double (*table)[2]; /* [n_point] frequency and acceleration, or its density */
    bool correlated;    /* SPECTRUM: CQC, else SRSS */
} ew_case_response;

/* `converge:` of a step: the number that a refinement is to make converge. */
#define EW_CONVERGE_WORDS "von_mises displacement strain_energy"
typedef enum ew_converge_quantity {
    EW_CONVERGE_VON_MISES,
    EW_CONVERGE_DISPLACEMENT,
    EW_CONVERGE_STRAIN_ENERGY
} ew_converge_quantity;
typedef struct ew_case_converge {
    ew_converge_quantity quantity;
    int32_t set; /* where its largest value is looked for; -1: the whole body */
    int32_t line, max_rounds, max_tets;
    double until; /* relative change from round to round, and to the extrapolated value */
} ew_case_converge;

typedef struct ew_case_step {
    const char *name;
    int32_t line;
    bool reset; /* to the mesh and the sets of the case, at rest, before its edits */
    int32_t n_edit;
    ew_case_edit *edit;
    int32_t n_definition;
    ew_case_definition *definition; /* in this order */
    bool has_static;
    ew_case_dynamic *dynamic;   /* or null */
    ew_case_converge *converge; /* refinement before the analysis of a static step, or null */
    ew_case_remove *remove;     /* before the analysis of a static step, or null */
    ew_case_response *response; /* or null */
    int32_t n_mode;             /* vibration modes, where is_buckling shapes, of a response records;
                                   0: none of these. With diameters of all of them */
    int32_t n_diameter;         /* of vibration modes of a sector, ascending; 0: all of a body; */
    int32_t *diameter;          /* [n_diameter] */
    ew_mass_kind mass;
    bool is_buckling;
    int32_t n_part; /* of a combination: a static step whose loads and prescribed displacements are
                       those of its parts times their factors; 0: none */
    ew_case_part *part;
    bool in_envelope;     /* its records count in the envelope, */
    bool is_envelope;     /* which this last step is */
    bool in_fatigue;      /* the history of fatigue has it */
    bool is_fatigue;      /* this step, behind all but the envelope, evaluates that history */
    double start;         /* time at its begin; a dynamic step starts there and ends later, all
                             others take no time */
    int32_t first_record; /* of the result: one of each step, and of each output of a dynamic
                             one, which has a first one at its start */
    double tolerance, energy_tolerance;
    int32_t max_iterations;
    ew_preconditioner_kind preconditioner;
    ew_operator_kind operator_kind;
    bool has_nonlinear;              /* says how a static step of a nonlinear body is solved: */
    ew_nonlinear_def nonlinear;      /* preset where it does not; its solver is that of the step */
    bool own_constraints, own_loads; /* stand in place of the case's for this step */
    int32_t n_constraint, n_load;
    ew_case_constraint *constraint;
    ew_case_load *load;
    int32_t n_rigid;
    ew_case_rigid_motion *rigid;
} ew_case_step;

/* A line along which values are wanted, or with one corner a point. */
typedef struct ew_case_path {
    const char *name;
    int32_t line, n_corner, count; /* count: points at equal distances from end to end */
    double (*corner)[3];           /* [n_corner] */
    bool linearize; /* the stress along it is divided into membrane, bending and peak */
} ew_case_path;
/* A plane through which force and moment are wanted. */
typedef struct ew_case_section_plane {
    const char *name;
    int32_t line;
    double point[3], normal[3]; /* of length 1 */
} ew_case_section_plane;

#define EW_SURFACE_FORMATS "obj rib" /* of frames of surfaces, by bit */
typedef struct ew_case_output {
    uint64_t fields; /* bit k: field k of results_fields.h is saved; masks of sets always are */
    bool single;     /* fields are stored in single precision */
    bool vtu;        /* frames are written as .vtu, too: by the program that writes the files */
    int32_t surface_formats; /* bits: frames of surfaces are written as 1 OBJ, 2 RIB */
    int32_t every; /* frames of every so many steps, and of the last; the others have a record. All
                      outputs of dynamic steps have frames */
    int32_t n_path, n_section;      /* values there, of all records of an analysis: */
    ew_case_path *path;             /* [n_path] paths, then probes */
    ew_case_section_plane *section; /* [n_section] */
    bool mass_properties;
} ew_case_output;

/* A name for a number, which expressions of the case use. */
enum { EW_MAX_PARAMETERS_OF_CASE = 64, EW_MAX_COMBINATIONS = 10000 };
typedef struct ew_case_parameter {
    const char *name;
    int32_t line;
    bool follows; /* by an expression of those before it */
    double value;
} ew_case_parameter;

/* Initial state of a combination of a sweep. */
#define EW_SWEEP_STARTS "fresh warm continue"
typedef enum ew_sweep_start {
    EW_SWEEP_FRESH,   /* the case's mesh, at rest: as a run of its own, bit for bit */
    EW_SWEEP_WARM,    /* the case's mesh, and the answer of the one before for a start */
    EW_SWEEP_CONTINUE /* all as the one before left it */
} ew_sweep_start;

/* A search for the least of an output within limits. (search.c) */
enum { EW_MAX_LIMITS = 32 };
typedef struct ew_case_search {
    ew_case_output_of goal;
    bool maximize, takes_gradients; /* of adjoints, by MMA; else COBYLA */
    double *low, *high;             /* of the parameters of the sweep */
    double tolerance;               /* of the parameters, share of their ranges */
    int32_t n_limit;
    ew_case_limit *limit;
} ew_case_search;

struct ew_case;
struct ew_case_document;
/* Combinations of values of some parameters. (sweep.c) */
typedef struct ew_case_sweep {
    int32_t line;
    ew_sweep_start start;
    ew_sweep_report report;
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
    struct ew_case_document *document; /* owned: what was parsed */
} ew_case_sweep;

typedef struct ew_case {
    char *text;                           /* owned copy of the file */
    const char *mesh_file, *surface_file; /* or null */
    ew_tetgen_def tetgen;                 /* of the surface */
    ew_cad_def cad; /* of a mesh_file that ew_cad_reads; strings are the case's */
    const char *length_unit, *force_unit, *time_unit;
    const char *mesh_unit;            /* of a file of tets or triangles, null: that of the case, */
    double mesh_factor, mesh_divisor; /* by which its coordinates are multiplied and divided */
    const char *file_unit;            /* likewise of files of `add`, of cuts and of `surfaces` */
    double file_factor, file_divisor;
    int32_t n_material, n_set, n_node, n_constraint, n_load, n_step, n_amplitude;
    int32_t n_equation, n_coupling, n_tie, n_record; /* the last: what its steps have together */
    bool has_dynamics;    /* in one of the steps: the time axis is the physical time */
    double shortest_step; /* of time, then */
    ew_case_material *material;
    ew_case_amplitude *amplitude;
    ew_case_set *set;
    ew_set_node *node;
    ew_case_constraint *constraint;
    ew_case_equation *equation;
    ew_case_coupling *coupling;
    ew_case_tie *tie;
    ew_case_contact *contact;
    ew_case_load *load;
    int32_t n_contact, n_surface, n_parameter, n_load_nodes; /* the last: of the steps, too */
    ew_case_surface *surface;
    ew_case_step *step;
    ew_case_fatigue *fatigue; /* or null */
    int32_t n_goal;
    ew_case_goal *goal;
    ew_case_output output;
    bool quadratic, mixed; /* what tets are, else linear */
    bool has_order;        /* the case says what they are; else ew_study_begins_quadratic does */
    ew_kinematics kinematics;
    ew_case_parameter *parameter;
    ew_case_sweep *sweep; /* or null */
    int32_t n_note;
    const char **note;   /* [n_note] what the user should know of how it was read: "line 7: ..." */
    bool leave_out_free; /* remove under-constrained components before solving, and report them */
    void *arena;         /* owned: everything else the pointers above lead to */
} ew_case;

/* First label of surfaces that edits name, where the case gives none. */
enum { EW_FIRST_NAMED_LABEL = 1001 };

/* Messages: "line L: what is wrong and what is allowed"; unknown keys name the nearest known one.
 */
ew_status ew_case_read(const char *data, size_t size, ew_case *out);

/* Files and names that reading a case may request. */
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
/* A case with a sweep once more, with other values [n_value] of its parameters as in ew_case_def,
 * from what was parsed when it was read. May be called by any thread. */
ew_status ew_case_read_again(const ew_case *input, int32_t n_value, const double *value,
                             ew_case *out);
/* The rows of the table that its sweep names: text in (of `size` bytes), combinations out. A head
 * of names, columns separated by commas, semicolons or tabs; empty lines and those that begin with
 * # are none. (sweep_table.c) */
ew_status ew_case_read_rows(ew_case *input, const char *text, size_t size);
void ew_case_free(ew_case *input);

/* The keys of a case, with their values, ranges, units and defaults: as a JSON Schema (draft 7), by
 * which editors complete and check case files, and as a page of text. Both are handed to `put` in
 * pieces, each valid during the call alone. (schema_json.c, schema_page.c) */
typedef void (*ew_case_put)(void *user, const char *text);
void ew_case_put_json_schema(ew_case_put put, void *user);
void ew_case_put_page(ew_case_put put, void *user);
/* The material library as a page of text. */
void ew_case_put_materials(ew_case_put put, void *user);
/* The units that are known, as a page of text. */
void ew_case_put_units(ew_case_put put, void *user);
/* A face or a solid as `surface:` or `region:` of a case takes it: "{kind: plane, near: [0, 1, 2],
 * ...}". diagonal: of the body; coordinates that are round-off of it are written as 0.
 * (geometry.c) */
void ew_case_geometry_text(const ew_geometry *one, double diagonal, char text[EW_GEOMETRY_TEXT]);
/* A case's names of units, time "" is s, in m, N and s: value [3]. False: one is not known. */
bool ew_case_units(const char *length, const char *force, const char *time, double value[3]);
/* Whether tets are quadratic in some step, by what the case says of them. */
bool ew_case_is_quadratic(const ew_case *input);
/* Whether a step stands beside the list of steps: combinations, fatigue, the envelope. */
bool ew_case_stands_beside(const ew_case_step *step);
/* Whether a step has an analysis, static or dynamic. */
bool ew_case_is_solved(const ew_case_step *step);
/* Whether some step is a harmonic response. */
bool ew_case_has_harmonic(const ew_case *input);
/* Of a dynamic step: time after n of its time steps, and how many outputs there are behind the one
 * at its start. */
double ew_case_time(const ew_case_step *step, int32_t n);
int32_t ew_case_n_output(const ew_case_step *step);
/* The work that the first n_record records of a result complete: steps, and outputs of dynamic
 * ones. Modes are one step with all of its shapes. */
int32_t ew_case_count_done(const ew_case *input, int32_t n_record);

/* The mesh of its file, as that is read or filled, in the case's unit of length. */
void ew_case_convert_mesh(const ew_case *input, ew_mesh *mesh);
/* Likewise the mesh of another file, and a surface, by `units: {files: ...}`; not of CAD files. */
void ew_case_convert_other(const ew_case *input, const char *file, ew_mesh *mesh);
void ew_case_convert_surface(const ew_case *input, ew_surface *surface);
/* Whether both are made of the same files with the same numbers. */
bool ew_case_same_mesh(const ew_case *a, const ew_case *b);
/* Of two readings of one text with other values of its parameters: whether the sets that are made
 * on the case's mesh are the same. */
bool ew_case_same_sets(const ew_case *a, const ew_case *b);
/* Whether a combination can go on from another, as with 'start: continue': its edits can move what
 * they made, and the answer does not depend on the way there. */
bool ew_case_can_go_on(const ew_case *input);
/* Whether a material has a law; whether a step takes materials as they are, with their laws; and
 * whether both is so. */
bool ew_case_has_laws(const ew_case *input);
bool ew_case_takes_laws(const ew_case *input, const ew_case_step *step);
bool ew_case_is_inelastic(const ew_case *input);
bool ew_case_has_friction(const ew_case *input);
/* What of a step solves before its edits are done, null: nothing. */
const char *ew_case_solves_between(const ew_case_step *step);

/* Memory of a case, released all at once: *pointer is set to so many zeroed bytes, which live until
 * the arena, null at first, is freed. EW_NO_MEMORY. */
typedef struct ew_arena_block ew_arena_block;
ew_status ew_arena_take(ew_arena_block **arena, size_t bytes, void *pointer);
void ew_arena_free(ew_arena_block *arena);

EW_END_API
#endif
