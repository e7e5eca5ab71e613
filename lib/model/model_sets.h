/* Part of model: named sets, constraints, loads, fields and fine surfaces that follow the mesh. */
#ifndef EW_MODEL_SETS_H
#define EW_MODEL_SETS_H

#include "model/model_base.h"

EW_BEGIN_API

/* ---- named sets (sets.c) ------------------------------------------------ */

typedef enum ew_set_kind { EW_SET_OF_VERTICES, EW_SET_OF_FACES, EW_SET_OF_TETS } ew_set_kind;

typedef struct ew_model_set_def {
    const char *name; /* copied; unique. Null: a set without a name, known by its number */
    ew_set_kind kind;
    bool allow_empty; /* else a load or constraint on the set is refused while it has no member */
} ew_model_set_def;
/* `member`: vertex slots; face codes (4 tet + face) of boundary faces; tet slots (copied). Members
 * follow edits: the image of a member vertex and a new vertex between two members are members, and
 * so are the parts and images of a face and of a tet. A member vertex without tets does not count
 * until it has one again; a vertex whose slot is freed leaves the set. *set: the number of the set,
 * from 0. */
ew_status ew_model_add_set(ew_model *model, const ew_model_set_def *def, const ew_list *member,
                           int32_t *set);
/* Adds a set of the vertices, boundary faces or tets (def->kind) that the selector selects. */
ew_status ew_model_select_set(ew_model *model, const ew_model_set_def *def,
                              const ew_selector *selector, int32_t *set);
/* Allows operations to change the boundary of the set (ew_operation_input.vertex_set, tet_set). No
 * effect on a number that is no set. */
void ew_model_release_set_boundary(ew_model *model, int32_t set);
/* Replaces the members (copied) of a set. EW_BAD_ARGUMENT, with the set unchanged, where there is
 * no such set or member. */
ew_status ew_model_redefine_set(ew_model *model, int32_t set, const ew_list *member);
/* The set with this name, or -1. */
int32_t ew_model_find_set(const ew_model *model, const char *name);
int32_t ew_model_n_set(const ew_model *model);

typedef struct ew_model_set {
    const char *name;
    ew_set_kind kind;
    bool allow_empty;
    const ew_set *member; /* vertex slots, boundary slots or tet slots; vertices without tets
                             included */
    int32_t n_active;     /* members in the body */
    int32_t n_lost;       /* members that left the body since the last ew_model_clear_report */
    bool had_members;     /* the set had members when it was defined */
} ew_model_set;
/* Borrowed until the next call that changes the model. A number that is no set: a set of vertices
 * with the name "", no members, and EW_BAD_ARGUMENT as the last failure. */
ew_model_set ew_model_view_set(const ew_model *model, int32_t set);

/* The members of a set as another kind, ascending, appended to an empty list (set_lists.c).
 * Vertices: the active members, or the vertices of its faces or tets. Faces, as codes: of a set of
 * vertices the boundary faces with all three vertices in it, of a set of tets none. Tets: those
 * behind the faces of a set, or those with at least one vertex in it. */
ew_status ew_model_list_vertices(const ew_model *model, int32_t set, ew_list *vertex);
ew_status ew_model_list_faces(const ew_model *model, int32_t set, ew_list *face);
ew_status ew_model_list_tets(const ew_model *model, int32_t set, ew_list *tet);

typedef struct ew_set_measure {
    int32_t n_member;         /* in the body */
    int32_t n_vertex, n_face; /* as ew_model_list_vertices and .._faces */
    double area, volume;      /* of these faces; of the members, where they are tets, else 0; both,
                                 and centroids, with the curved sides of quadratic tets */
    double facing[3];         /* the integral of the outward normal over these faces, area */
    double centroid[3];       /* by area, by volume, or mean of the vertices; 0 when empty */
    double low[3], high[3];   /* bounding box; 0 when empty */
} ew_set_measure;
/* O(members). (set_measure.c) */
ew_status ew_model_measure_set(const ew_model *model, int32_t set, ew_set_measure *measure);

typedef struct ew_set_results {
    double mean_displacement[3]; /* by area, by volume, of the vertices alike */
    double max_displacement;     /* magnitude, and where; -1: the set is empty */
    int32_t max_displacement_vertex;
    /* Of the stress averaged at vertices. Where materials meet, of faces on their side; of vertices
     * on that of the tets, else of the faces, that have all their vertices in the set, else the
     * largest. */
    double mean_von_mises; /* of tets: of their own */
    double max_von_mises;  /* of tets: of their own and of the averaged one at their corners */
    double reaction_force[3], reaction_moment[3];
} ew_set_results;
/* Results of the last recovery on a set; EW_STALE when the mesh has changed since. components: bit
 * c includes component c of the reactions of constraints, EW_SPRING_FORCES the forces of springs,
 * at all vertices of the set; `about`: the point of the moments. O(members). */
ew_status ew_model_recover_set(const ew_model *model, int32_t set, uint8_t components,
                               const double about[3], ew_set_results *results);

/* ---- constraints and loads (loads.c) ------------------------------------ */

/* Replaces the amplitudes, factors of time of loads and constraints (copied, with their tables).
 * EW_BAD_ARGUMENT: a present load, constraint or contact refers to an amplitude that the list
 * lacks. Amplitudes act in dynamics alone. (load_groups.c) */
ew_status ew_model_set_amplitudes(ew_model *model, int32_t n, const ew_amplitude *list);

typedef struct ew_model_constraint {
    int32_t set;     /* of vertices; of faces: their vertices */
    uint8_t fixed;   /* bit c: component c is prescribed */
    double value[3]; /* of the prescribed components, length unit */
    ew_axes axes;    /* that the components are along; zeroed: x, y, z */
    int32_t field;   /* number of a field on vertices of width 3, to which the values are added,
                        length   unit, linear along edges; 0: none. With axes x, y, z, without an
                        amplitude, not   of a velocity: EW_BAD_ARGUMENT */
    /* In dynamics; a static solve uses the value without the amplitude, and ignores velocities: */
    int32_t amplitude; /* 1 + number of the amplitude that multiplies the value; 0: constant */
    bool is_velocity; /* the value is a velocity, and displacement continues from its present value:
                         a velocity of 0 fixes a vertex where it is */
} ew_model_constraint;
/* Replaces the constraints (copied); the next use checks them. */ ew_status
ew_model_set_constraints(ew_model *model, int32_t n, const ew_model_constraint *list);

typedef struct ew_model_spring {
    ew_spring_kind kind;
    int32_t set;         /* EACH: of vertices; TOTAL, FOUNDATION: of vertices or faces */
    double stiffness[3]; /* see ew_spring */
    ew_axes axes;        /* that the stiffness is along; zeroed: x, y, z */
    int32_t field;       /* EACH: number of a field on vertices of width 3 that is added to the
                            stiffness; 0: none */
} ew_model_spring;
/* Replaces the springs to the ground (copied); the next use checks them. Springs count as supports
 * and are part of the stiffness matrix. */
ew_status ew_model_set_springs(ew_model *model, int32_t n, const ew_model_spring *list);

/* See ew_load in analysis.h for what each kind reads. */
typedef struct ew_model_load {
    ew_load_kind kind;
    int32_t set; /* of a kind that the load acts on (ew_load_traits); -1: a TEMPERATURE or a FIELD
                    of the whole body. GRAVITY, CENTRIFUGAL, FORCE_ON_NODES and OWN take none and
                    read nothing here */
    double vector[3];
    double pressure, change;
    double gradient[3], point[3], axis[3];
    bool only_positive;
    bool follower; /* PRESSURE: with corotational kinematics it turns and grows with the faces as
                      they are displaced; the number at a material point stays. Else, and at small
                      displacements: as the undeformed faces lie */
    ew_axes axes;
    int32_t field; /* TEMPERATURE: number of a field on vertices of width 1 that times `change`, not
                      0, is the change; 0: none. FIELD: number of one of width 3, the forces, by
                      vertex, of all that is in the body or of a set of vertices. PRESSURE (width
                      1), TRACTION (width 3): what by vertex is added, linear between them; 0: none.
                      Others take none, 0 */
    const ew_expression
        *expression; /* TEMPERATURE: see ew_load; borrowed while a model has this load; or null */
    const ew_load_nodes *nodes; /* FORCE_ON_NODES, TEMPERATURE: see ew_load; borrowed while a model
                                   has this load; or null */
    ew_load_function own;       /* OWN: see analysis.h */
    void *user;                 /* OWN: borrowed while a model has this load */
    size_t user_bytes; /* OWN: the function reads this many bytes at `user` and otherwise the mesh
                          and its tables alone; each solve compares the bytes and gathers the forces
                          again when they have changed. 0: unknown, so each solve gathers all forces
                          again; with a null `user` they depend on the mesh and its tables alone */
    int32_t amplitude; /* 1 + number of the amplitude that multiplies the load in dynamics; 0:
                          constant. A static solve ignores it */
} ew_model_load;
/* Constructors of loads (load_makers.c). `set` is the number of a set; vectors [3] are copied;
 * units are those of the program. Other members (axes, amplitude, gradient) may be set before
 * ew_model_set_loads. They never fail: ew_model_set_loads checks the list. */
ew_model_load ew_load_gravity(const double acceleration[3]);
ew_model_load ew_load_total_force(int32_t set, const double force[3]); /* vertices or faces */
ew_model_load ew_load_force(int32_t set, const double force[3]);       /* on each vertex */
ew_model_load ew_load_pressure(int32_t set, double pressure); /* > 0 pushes into the body */
ew_model_load ew_load_traction(int32_t set, const double per_area[3]);
ew_model_load ew_load_moment(int32_t set, const double moment[3]);
ew_model_load ew_load_remote_force(int32_t set, const double force[3], const double point[3]);
ew_model_load ew_load_bearing(int32_t set, const double force[3]);
/* angular_velocity: rad per time, about the axis through `point`. */
ew_model_load ew_load_centrifugal(const double angular_velocity[3], const double point[3]);
/* set: -1: of the whole body; change: K. */
ew_model_load ew_load_temperature(int32_t set, double change);
/* set: of vertices, -1: all; field: number of one on vertices of width 3. */
ew_model_load ew_load_field(int32_t set, int32_t field);
/* user, bytes: see ew_model_load.user and .user_bytes. */
ew_model_load ew_load_own(ew_load_function own, void *user, size_t bytes);
/* Replaces the loads (copied); the next use checks them. */ ew_status
ew_model_set_loads(ew_model *model, int32_t n, const ew_model_load *list);
/* Updates the forces of the loads, as a solve does, with the same failures; *place: the load at
 * fault, from 0, or -1. */
ew_status ew_model_update_loads(ew_model *model, int32_t *place);
/* Force and moment about the origin of the load at this place of the list, of the last update of
 * loads; zero where its set is empty. EW_STALE after an edit. O(set), see ew_load_resultant. */
ew_status ew_model_load_resultant(const ew_model *model, int32_t place, double force[3],
                                  double moment[3]);
/* Invalidates the forces of all loads, for changes that the model cannot detect: an OWN load reads
 * memory behind pointers in its `user_bytes`, or a program wrote to a field by a pointer that
 * ew_model_field returned before the last solve. */
void ew_model_touch_loads(ew_model *model);

/* ---- fields that follow the mesh (fields.c) ------------------------------ */

typedef enum ew_field_rule {
    EW_FIELD_MEAN, /* a new vertex: interpolated between its two parents, else the mean of neighbors
                      with a value */
    EW_FIELD_COPY, /* the value of the first parent, or of the tet that the new one is a part of */
    EW_FIELD_ZERO
} ew_field_rule;
typedef struct ew_field_def {
    const char *name;   /* copied */
    bool on_tets;       /* else on vertices */
    int32_t width;      /* doubles per vertex or tet, >= 1 */
    ew_field_rule rule; /* MEAN is for vertices */
} ew_field_def;
/* Adds a field that is zero everywhere. *field: its number. */
ew_status ew_model_add_field(ew_model *model, const ew_field_def *def, int32_t *field);
/* [n_vertex or n_tet][width], to read and write; borrowed until the next call that changes the
 * model. The next solve evaluates loads and supports on the field again, so a program calls this
 * each time before it writes. Null, with EW_BAD_ARGUMENT as the last failure: there is no such
 * field. */
double *ew_model_field(ew_model *model, int32_t field);
/* The same, to read. */
const double *ew_model_view_field(const ew_model *model, int32_t field);

/* ---- fine surfaces that move with the mesh (surfaces.c) ------------------- */

/* Binds a surface (copied) to the present tets; it follows commits by the rules of mapping.h and
 * does not stiffen the body. *number: from 0. */
ew_status ew_model_add_surface(ew_model *model, const ew_surface *surface,
                               const ew_mapping_def *def, int32_t *number);
/* Borrowed until the model is freed; commits update it. Null, with EW_BAD_ARGUMENT as the last
 * failure: there is no such surface. */
const ew_mapping *ew_model_surface(const ew_model *model, int32_t surface);

EW_END_API
#endif
