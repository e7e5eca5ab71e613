/* model, private: the state that its files share. Each file keeps its own part in step. */
#ifndef EW_MODEL_INTERNAL_H
#define EW_MODEL_INTERNAL_H

#include "model/boundary_conditions/equations.h"
#include "model/state/invalidate.h"
#include "model/state/queries.h"

struct ew_model {
    ew_device *device; /* borrowed, or null */
    ew_peers *peers;   /* of the last solve: borrowed, or null */
    ew_precision precision;
    ew_operator_kind operator_kind;
    bool broken;          /* a commit failed half-way: to be rebuilt */
    bool expects_answers; /* see ew_model_def: the blocks of the stiffness are not there */
    ew_mesh mesh;
    ew_topology topology;
    bool has_boundary;
    ew_boundary boundary;
    model_boundary_changes boundary_changes;
    ew_edit edit, applied; /* the queue; what the last commit took from it */
    ew_change change;
    bool has_new_tables;         /* the last commit built them from the mesh alone */
    ew_fill_function fill;       /* or null */
    char remark[EW_REMARK_TEXT]; /* of the last operation that was queued */

    int32_t n_material, material_capacity;
    model_material *material; /* [n_material] owned */
    ew_materials materials;   /* by region index; n = 0: to be assigned again */
    int32_t axes;             /* this field on tets is that of materials; 0: none */
    uint64_t axes_revision;   /* counts how often they were given */
    model_transformed_axes turned_axes;
    bool has_interpolated_state, would_interpolate_state; /* see ew_model_has_interpolated_state;
                                                             once the queue is committed */
    model_transformed turned_vectors; /* of vertices and edges, width 9; memory of an edit */

    ew_device_mesh device_mesh; /* with a device: its copy of mesh and tables */
    model_system stiffness;
    model_dynamics dynamics;
    ew_pattern_change sum; /* memory of matrices.c */

    int32_t n_set, set_capacity;
    model_set *set; /* [n_set] owned */

    int32_t n_constraint, constraint_capacity, line_capacity, n_line;
    ew_model_constraint *constraint; /* [n_constraint] owned */
    ew_constraint *constraint_line;  /* [n_line] owned: the same over sets that have members, */
    int32_t *constraint_of_line;     /* [n_line] owned: and which they are */
    int32_t of_line_capacity, motion_capacity;
    ew_constraint *motion;      /* [3][n_line] owned: the same at a time, of u, v and a */
    model_members *face_vertex; /* [n_constraint] owned: vertices of face sets, where
                                   constraints_current */
    ew_set touched_vertex;      /* memory of constraints.c */
    int32_t face_vertex_capacity;
    ew_constraints constraints;
    bool constraints_current;
    ew_id_index vertex_ids, tet_ids; /* built when ids are first looked up */
    ew_support support;              /* proof that no component is under-constrained */

    int32_t n_spring, spring_capacity, spring_line_capacity, spring_share_capacity;
    model_spring *spring;     /* [n_spring] owned */
    uint64_t spring_revision; /* counts changes of their stiffness */
    ew_spring
        *spring_line; /* those whose sets have members, and their shares, memory of springs.c */
    double *spring_share;
    bool has_ground;     /* there are springs or oblique directions, or were when it was computed */
    bool ground_current; /* but for the vertices of stale_ground */
    uint64_t ground_revision; /* of the mesh that `ground` was last brought up to */
    ew_set stale_ground;
    int32_t spring_stiffness_capacity, ground_capacity;
    double *spring_stiffness; /* [n_vertex][6] owned: of the springs alone, */
    double *ground; /* [n_vertex][6] owned: what is in the blocks, once they are current */
    ew_pattern_change ground_change; /* memory of springs.c */

    model_equations equations;
    model_ties ties;
    model_contacts contacts;
    int32_t n_load, load_capacity, load_line_capacity, load_share_capacity;
    model_load *load; /* [n_load] owned */
    int32_t n_load_line;
    ew_load *load_line;        /* [n_load_line] owned: those whose sets have members, */
    ew_load_share *load_share; /* and their shares */
    int32_t n_amplitude, amplitude_capacity;
    ew_amplitude *amplitude; /* [n_amplitude] owned, with their tables */
    int32_t n_group, group_capacity, group_line_capacity, group_share_capacity;
    model_load_group *group; /* [n_group] owned, in dynamics */
    bool groups_current;
    ew_load *group_line; /* memory of load_groups.c */
    ew_load_share *group_share;
    int32_t n_lost_face, lost_face_capacity;
    lost_face *lost; /* [n_lost_face] owned, of the commit under way */
    ew_set scratch;
    bool loads_current; /* but for the vertices of stale_load */
    ew_set stale_load;
    model_vector force; /* that of edges is current where quadratic.f_current */

    int32_t n_field, field_capacity; /* field 0 is the displacement */
    model_field *field;              /* [n_field] owned */
    int32_t inherited_capacity;
    double *inherited; /* owned: values that added tets take over */

    int32_t n_surface, surface_capacity;
    model_surface **surface; /* [n_surface] owned, each */

    model_quadratic quadratic;
    model_mixed mixed;
    model_nonlinear nonlinear;
    uint64_t order_revision; /* counts changes of the order of tets */
    ew_pcg_info info;
    ew_fields fields;
    ew_sums sums;
    ew_estimate estimate;
    ew_adequacy adequacy;
    ew_modes modes;       /* owned: of the last call */
    ew_buckling buckling; /* likewise */
    ew_harmonic harmonic; /* likewise */
    model_cases cases;
    model_response_mass response_mass;
    model_recovery recovery;
    model_goals goals;
    model_row_change answer_change; /* since the last local answer */
    model_near near;
    uint64_t tets, body, body_revision; /* tell tets, and places of vertices, from others, of the
                                     mesh at this revision (galerkin_start.c) */
    bool is_writable; /* the displacement was given to be written, at any time: its changes are
                         never known */
    uint64_t fields_revision; /* of the mesh that `fields` was recovered on; 0: not recovered */
    bool has_stress_alone;    /* stress and von Mises stress of tets were, and nothing else */
    uint64_t solved_revision; /* of the mesh that the last solve was made on; 0: none */
    double *energy;           /* [energy_capacity] owned: of ew_model_recover_energies */
    int32_t energy_capacity;
    ew_set surface_vertex;     /* owned: of the boundary; memory of surface_stress.c, */
    double *surface_von_mises; /* [surface_stress_capacity] owned */
    double *surface_part;      /* [surface_part_capacity][7] owned: of tets at it */
    int32_t surface_stress_capacity, surface_part_capacity;
    ew_model_report report;
};

/* model.c: all that it owns is given back; the model itself stays, to be released or made again. */
void model_release_parts(ew_model *model);
/* A zeroed model with mesh and tables in place becomes one: without sets, at rest. */
ew_status model_begin(ew_model *model, const ew_model_def *def);
/* materials.c: constants for every region; EW_BAD_INPUT names one that has no material. */
ew_status model_assign_materials(ew_model *model);
/* After the field of axes may have moved. */
void model_follow_axes(ew_model *model);
/* The material of a region label; null: it has none. */
const ew_material *model_material_of(const ew_model *model, int32_t label);
bool model_has_material(const ew_model *model, int32_t label);
/* axes [2][3], not zero and nearly at right angles: of length 1 and at right angles. */
void model_square_axes(double axes[6]);

/* transformed_tets.c: each tet that the queue moves all corners of or adds an image of. */
ew_status model_visit_transformed(const ew_model *model, model_see_transformed see, void *user);
/* Whether a tet goes there as it is, turned, reflected, shifted, stretched alike in all directions;
 * r [3][3]: what takes its directions along, orthogonal; *turns: it is not the identity. */
bool model_transform_of(const ew_model *model, const model_transformed_tet *turned, double r[9],
                        bool *turns);
/* Enters a value of the side between two vertices, or of one that is named twice, by their names in
 * the queue; the first counts. The width is the same for all. */
ew_status model_enter_transformed(model_transformed *to, int32_t a, int32_t b, int32_t width,
                                  const double *value);
/* After the commit: the slot of a vertex by its name in the queue. */
int32_t model_transformed_slot(const ew_model *model, int32_t name);
void model_free_transformed(model_transformed *turned);
/* transform_vectors.c: displacement, velocity and acceleration of the tets that the queue turns or
 * adds images of, before the commit; then those of vertices, before new ones inherit from them, and
 * those of edges once these have rows. */
ew_status model_transform_vectors(ew_model *model);
void model_put_transformed_vertices(ew_model *model);
void model_put_transformed_edges(ew_model *model);
/* transform_axes.c: axes of the tets that the queue turns, before the commit; then those of tets
 * that are moved, before others take them over, and those of images. EW_UNSUPPORTED where a tet
 * that turns has flowed. */
ew_status model_transform_axes(ew_model *model);
void model_put_transformed_axes(ew_model *model, bool of_images);
/* The remark on an operation that turns tets whose axes are given for their region. */
ew_status model_remark_on_axes(ew_model *model, const char *operation);
/* Host blocks are kept. */
static inline bool model_has_host_blocks(const ew_model *model)
{
    return !model->device || !ew_device_about(model->device)->has_double;
}
/* Null: blocks are on the device alone. */
static inline const ew_matrix *model_host_blocks(const ew_model *model, const model_matrix *matrix)
{
    return model_has_host_blocks(model) ? &matrix->host : NULL;
}

/* sets.c: memory for n more slots ahead, so that following cannot fail; then the following. */
ew_status model_reserve_sets(ew_model *model);
void model_follow_sets(ew_model *model);
/* After the boundary was updated, or lost (`valid` false). */
void model_follow_face_sets(ew_model *model, bool valid);
/* After compaction; face sets by codes listed before it, in room reserved before it. */
void model_rename_sets(ew_model *model, const int32_t *vertex, const int32_t *tet);
ew_status model_reserve_face_sets(ew_model *model);
void model_rename_face_sets(ew_model *model, const ew_list *code, const int32_t *tet);
void model_free_sets(ew_model *model);

/* boundary_changes.c: after the boundary followed a commit. */
void model_note_boundary(ew_model *model);
/* EW_BAD_ARGUMENT unless the set is there; the failure's id is the number. */
ew_status model_need_set(const ew_model *model, int32_t set);

/* recovery.c: what the commit touched; no effect where nothing is kept. */
void model_follow_recovery(ew_model *model);
/* Before a recovery of a body that model_keep_recovery takes: all that differs from the last one
 * into recovery.touched. edges: null: linear. *is_local: false, and a whole one is necessary. */
ew_status model_find_touched(ew_model *, const double *force, const ew_edge_values *edges, bool *);
/* After one, from these forces, of what was touched (is_local) or of all. */
ew_status model_keep_recovery(ew_model *, const double *force, const ew_edge_values *, bool);
void model_free_recovery(model_recovery *recovery);

/* fields.c: as above. `tables_current`: neighbors can be asked. */
ew_status model_reserve_fields(ew_model *model);
void model_follow_fields(ew_model *model, bool tables_current);
void model_rename_fields(ew_model *model, const int32_t *vertex, int32_t n_vertex,
                         const int32_t *tet, int32_t n_tet);
void model_free_fields(ew_model *model);
/* A vector on the vertices and, after them, on the rows of edges: [n_vertex + n_room][3]. */
ew_status model_add_row_field(ew_model *model, const char *name, int32_t *field);

/* rows.c */
/* Room for n slots, zero beyond those that were there. */
ew_status model_reserve_field(model_field *field, int64_t n);
/* Lines of loads and supports that read an array read another that has its place. */
void model_move_lines(ew_model *model, const double *array, const double *value);
/* Room for n rows of edges in the fields on rows, zero beyond those that were there. */
ew_status model_reserve_rows(ew_model *model, int32_t n);
/* After vertices came, for which there is room, or went: the rows of edges come after those that
 * there are by now; new places are zero. */
void model_move_rows(ew_model *model);
/* [n_room][3] of displacement (0), velocity (1) or acceleration (2) on the rows of edges; null: the
 * model has no such field. */
double *model_edge_values_of(const ew_model *model, int k);
/* Room for the rows that there are by now; what rows of edges have moves behind the vertices. */
ew_status model_reserve_vector(const ew_model *model, model_vector *vector);
/* [n_edge][3] */
double *model_edges_of(const model_vector *vector);

/* lost_loads.c */
/* Before a commit: loaded faces of the tets in the queue. */
ew_status model_find_lost_faces(ew_model *model);
/* After it: forces of fields, before fields and sets follow; faces without a successor, before sets
 * follow; forces on sets when they have. */
void model_count_lost_fields(ew_model *model);
ew_status model_count_lost_faces(ew_model *model);
void model_count_lost_forces(ew_model *model);

/* surfaces.c */
/* Bindings follow; loads on them are gathered again where that matters. */
ew_status model_follow_surfaces(ew_model *model);
/* After compaction. */
ew_status model_rename_surfaces(ew_model *model, const int32_t *tet, int32_t n_tet);
/* After a failure: those that are not of the mesh as it is. */
ew_status model_bind_surfaces_again(ew_model *model);
void model_free_surfaces(ew_model *model);

/* loads.c */
/* After sets followed. */
ew_status model_follow_loads(ew_model *model);
ew_status model_update_loads(ew_model *model);
/* The lines whose forces add up, and their shares: of a nonlinear body those without temperatures,
 * which are strain there. Borrowed until the loads change. */
ew_status model_list_forces(ew_model *model, int32_t *n, const ew_load **line,
                            const ew_load_share **share);
void model_free_loads(ew_model *model);
/* follower_factors.c. Factors of pressures that turn with faces: from those in balance (0) to the
 * loads in full (1); of one load, if it is such a pressure; and those that there are become those
 * in balance. */
void model_press_partly(ew_model *model, double share);
void model_press_load(ew_model *model, model_load *load, double factor);
void model_carry_pressure(ew_model *model);
/* follower.c. Their forces at the displacement u of all rows, into NONLINEAR_PRESSURE; null: there
 * are none. */
ew_status model_find_pressure(ew_model *model, const double *u, const double **force);
/* model_body_force less these. */
ew_status model_net_force(ew_model *model, const double *u, double dt, double *f);
/* *force [model_n_row][3], other loads: in their place all loads at the displacement of the model,
 * in NONLINEAR_LOADS, where pressures follow. */
ew_status model_add_pressure(ew_model *model, const double **force);
/* The load stiffness at u, and the pairs whose blocks it may change, into `follower` and
 * `pressed_pair`; the same into another one, with the pairs of other tables. */
ew_status model_update_follower(ew_model *model, const double *u);
ew_status model_find_turns(ew_model *model, const ew_topology *topology, const double *u,
                           ew_follower *out);

/* Whether a load of the list acts on a set, else on the whole body; and the load as analysis takes
 * it, over the sets as they are. */
bool model_load_has_set(const ew_model_load *load);
ew_load model_load_line(const ew_model *model, const ew_model_load *from);

/* constraints.c: where following fails they are built again when they are used. */
void model_follow_constraints(ew_model *model);
/* Of vertices, and of edges that have rows. */
ew_status model_update_constraints(ew_model *model);

/* springs.c */
/* After the constraints followed. */
void model_follow_ground(ew_model *model);
/* Constraints and springs; rows of the matrix that this changes are dirty. */
ew_status model_update_supports(ew_model *model);
/* The springs whose sets have members into spring_line, *n of them, and their shares; all: the
 * shares are found again. */
ew_status model_make_spring_lines(ew_model *model, bool all, int32_t *n);
/* The ground from the mesh, the sets and the constraints alone. *ground [n_vertex][6]: the
 * caller's. */
ew_status model_ground_again(ew_model *model, const ew_topology *topology, double **ground);
void model_free_springs(ew_model *model);

/* constraints.c */
/* The prescribed values into a displacement of all rows. */
void model_put_prescribed_values(const ew_model *model, double *u);
void model_free_constraints(ew_model *model);

/* mixed.c. As solve in solve.c, of the system of the displacement. */
ew_status model_solve_mixed(ew_model *model, const ew_system *system, const ew_pcg_def *def,
                            const ew_pcg_info *known);
/* What the next ones take from the tets as they are; no effect where tets are not mixed, nor have
 * these. y += what the stiffness has beside the blocks, times x; the volumetric stress p of u, after
 * model_update_mixed_thermal; f = A u + B^T p, of mixed tets with the p that there is. */
ew_status model_prepare_mixed(ew_model *model);
ew_status model_add_mixed_stiffness(ew_model *model, const double *x, double *y);
ew_status model_find_volumetric_stress(ew_model *model);
ew_status model_mixed_elastic_force(ew_model *model, const double *u, double *f);
/* The forces of a group of loads are those of its lines, which are given; what their temperatures
 * do by way of the volumetric stress is added. */
ew_status model_add_mixed_thermal(ew_model *model, int32_t n_line, const ew_load *line,
                                  model_load_group *group);
/* From now on this heat is that of the factors that the groups have. A step counts its unknown from
 * there: whichever time it is of, the answer is the same. */
ew_status model_update_mixed_thermal(ew_model *model);
/* What that gave to a force, taken out. */
void model_subtract_mixed_thermal(ew_model *model, double *force);
/* EW_UNSUPPORTED where the scheme is explicit. */
ew_status model_check_mixed_dynamics(const ew_model *model, const ew_scheme_rule *rule);
/* (of_k K + of_m M) x = b, the blocks of which are the system's, from x, or of mixed tets from
 * zero; after model_prepare_mixed. is_split, of mixed tets: b lacks what the stiffness makes of
 * another vector by its pressure, which may be many times what moves a body and is solved for
 * together with that of x, and heat; y = K x without. */
ew_status model_split_mixed_product(ew_model *model, const double *x, double *y);
ew_status model_solve_with_mass(ew_model *model, double of_k, double of_m, ew_solver *solver,
                                const ew_system *system, const ew_pcg_def *def, bool is_split,
                                double *x, ew_pcg_info *info);
/* Of a nonlinear body. The pressure at the displacement u of all vertices, into its field; no
 * effect where tets are not mixed. That of any other body, which reads it from p then. */
ew_status model_find_mixed_pressure(ew_model *model, const double *u);
ew_status model_find_mixed_pressure_of(ew_model *model, ew_deformed *body, double *p);
/* What the tangent has beside the blocks, which are about to be made of this body: it reads the
 * pressure at its displacement, or with body->from what the last update led to linearly. */
ew_status model_prepare_mixed_tangent(ew_model *model, ew_deformed *body);
/* An update of Newton's method, from it in the prescribed values, of mixed tets together with the
 * pressure; a share of that is taken. */
ew_status model_solve_update(ew_model *model, ew_solver *solver, const ew_system *system,
                             const ew_pcg_def *def, double *update, ew_pcg_info *info);
void model_lead_pressure(ew_model *model, double share);
void model_free_mixed(ew_model *model);

/* matrices.c */
/* Computes the blocks of a matrix on the device, all for a null change. */
typedef ew_status (*model_compute)(ew_model *model, model_matrix *matrix, const void *from,
                                   const ew_pattern_change *change);
/* Where the blocks of a matrix come from. */
typedef struct model_blocks {
    const ew_source *source; /* on the host; null: there are none, */
    model_compute on_device; /* as this */
    const void *from;        /* for on_device */
} model_blocks;
/* Those of a source, the first member of what `on_device` takes, wherever the model has blocks. */
model_blocks model_blocks_of(const ew_model *model, const ew_source *source,
                             model_compute on_device);
/* Blocks as they must be: built, or those computed again that changes touched. */
ew_status model_matrix_update(ew_model *model, model_matrix *matrix, const model_blocks *blocks);
/* The same, and the solver knows of it. */
ew_status model_system_update(ew_model *model, model_system *system, const model_blocks *blocks);
/* The preconditioner follows what it has not followed yet; the constraints are current. */
ew_status model_system_update_solver(ew_model *model, model_system *system);
/* What the solver is given, with the blocks as they are and the rows of edges where there are any.
 * b: right-hand side of all rows. */
ew_system model_system_view(ew_model *model, model_system *system, const double *b);
/* Whether any of them is kept, and must be told what a commit touched. */
bool model_matrices_follow(const ew_model *model);
/* Rows and pairs that a commit, or supports (`rows` alone), touched, for all matrices. */
ew_status model_matrices_touch(ew_model *model, const ew_pattern_change *change);
/* The same for the stiffness, and the matrix of a step that is made of it. */
ew_status model_stiffness_touch(ew_model *model, const ew_pattern_change *change);
/* What a matrix-free system multiplies with, from the tets as they are: of_k K, and of_m M where
 * there is a mass. (matrix_free.c) */
void model_system_set_tets(model_system *system, double of_k, const ew_mass *mass, double of_m);
ew_operator *model_system_tets(ew_model *model, model_system *system);
void model_system_free(model_system *system);
void model_matrix_free(model_matrix *matrix);

/* load_groups.c */
/* The loads' forces by amplitude for the listed vertices, null: all; where the model moves. */
ew_status model_update_load_groups(ew_model *model, const ew_list *vertex);
/* Adds the edges whose forces are not those of a new gathering, which are kept. */
ew_status model_verify_edge_groups(ew_model *model, ew_model_verification *result);
/* The time after a step from that of the dynamics; where an amplitude jumps within 1e-4 dt of it,
 * that of the jump, since sums of steps miss it by rounding. */
double model_step_end(const ew_model *model, double dt);
/* Loads at a time, into MODEL_NEXT_FORCE; all: whatever was there. */
void model_find_force(ew_model *model, double time, bool all);
/* The lines of the loads with temperatures as they are at the time of the dynamics. */
const ew_load *model_load_lines_now(ew_model *model);
void model_free_amplitudes(ew_model *model);

/* dynamics_motion.c: the state u, v, a [n_vertex][3], and d, another velocity, gets what supports
 * prescribe at a time, `step` after the state of the model. all: of supports that do not move, too;
 * else only their directions are kept clean. */
ew_status model_put_motion(ew_model *model, double time, double step, bool all, double *u,
                           double *v, double *d, double *a);
/* Whether the line is on both ends of an edge. */
bool model_line_has_edge(const ew_model *model, int32_t line, int32_t edge);

/* dynamics_matrices.c */
/* Mass and supports as they must be, once the stiffness is; a density everywhere. */
ew_status model_update_dynamic_matrices(ew_model *model);
/* The matrix of a step of this length, unless the mass alone is to be solved with. */
ew_status model_update_step_matrix(ew_model *model, double step);
/* All rows: y = M x; and y = K x by the blocks, without the pressure of mixed tets (products.c). */
ew_status model_blocks_product(ew_model *model, const double *x, double *y);
void model_mass_product(ew_model *model, const double *x, double *y);
/* EW_BAD_INPUT names a region with tets and without a density. */
ew_status model_need_densities(const ew_model *model);
/* The mass with all its blocks, on the host; pattern: that of all rows. */
ew_status model_build_mass(const ew_model *model, ew_mass_kind kind, const ew_pattern *pattern,
                           ew_matrix *matrix);
/* That of the linear functions, of the motion's kind. */
ew_mass model_mass(const ew_model *model);
/* x = M^-1 b / factor where nothing is prescribed, else 0. Overwrites b, MODEL_INPUT and
 * MODEL_OUTPUT. */
ew_status model_mass_solve(ew_model *model, double factor, double *b, double *x);

/* vectors.c: loops over all entries; sums the same for any number of threads. */
ew_status model_reserve_vectors(ew_model *model);
/* Entries too small to be squared become 0; x = 0 where something is prescribed. */
void model_flush(double *x, int64_t n);
void model_filter(const ew_model *model, double *x);
double model_dot(ew_model *model, const double *x, const double *y);
bool model_is_zero(const double *x, size_t n);

/* ew_model_recover, or _parts, under these forces [n_row][3], null: the loads. (recover.c) */
ew_status model_recover_under(ew_model *, const double *, bool in_parts, const ew_fields **, const ew_sums **);
/* release.c */
void model_free_goals(model_goals *goals);
void model_free_modes(ew_modes *modes);
void model_free_buckling(ew_buckling *buckling);
void model_free_harmonic(ew_harmonic *harmonic);

/* dynamics_account.c */
/* Energies and momenta of the fields. Leaves K u in MODEL_OUTPUT and M v in `momentum`. */
ew_status model_measure_motion(ew_model *model, double *momentum, ew_energy_account *to);
/* damping = C v, momentum being M v. */
ew_status model_find_damping(ew_model *model, const double *momentum, double *damping);
/* F - C v - M a [n_vertex][3] at the time, into one of the vectors: what statics would call the
 * load. */
ew_status model_effective_force(ew_model *model, const double **force);
/* Energies and momenta of the state; `is_known`: those in the account are of the same state before
 * an edit. */
ew_status model_account_state(ew_model *model, bool is_known);
/* After a step that displaced by `moved`: energies, and what work was done. */
ew_status model_account_step(ew_model *model, const double *moved);

/* dynamics_verify.c: adds what differs of mass and step matrix; of edges dynamics_edges_verify.c.
 */
ew_status model_verify_dynamics(ew_model *model, const ew_topology *topology,
                                ew_model_verification *result);

/* dynamics_rhs.c */
/* Fills entries `begin` to `end` of a vector. */
typedef void (*model_weigh)(const ew_model *model, double *out, size_t begin, size_t end);
/* What the equation of motion is of, each as a loop: MODEL_RHS = load - K stiffness - M mass, where
 * nothing is prescribed. `displacement` and `damping` are the two parts of `stiffness`. */
typedef struct model_terms {
    model_weigh load, stiffness, mass, displacement, damping;
    bool is_split; /* of mixed tets: as model_split_mixed_product has it */
} model_terms;
ew_status model_find_rhs(ew_model *model, const model_terms *terms);
/* The same of a nonlinear body with its force at `displacement` in place of what the tangent at the
 * state makes of it. */
ew_status model_find_exact_rhs(ew_model *model, const model_terms *terms, double dt);
ew_status model_find_unfiltered_rhs(ew_model *model, const model_terms *terms, double dt);
/* dynamics_state.c: fields, matrices, loads and the acceleration as edits require. */
ew_status model_update_state(ew_model *model);
/* invalidate.c */
/* Other tets than before have other frequencies. */
void model_follow_dynamics(ew_model *model);
/* dynamics_frequency.c: of a linear body whose state is up to date, squared, from below. Spoils the
 * vectors of a step but for the forces. */
ew_status model_find_largest_frequency(ew_model *model, double *square);
/* device_copies.c: the copy of the mesh on the device is one of the mesh as it is. */
ew_status model_need_device_mesh(ew_model *model);
/* prepare.c: matrix, supports, loads and preconditioner as they must be; all is constrained. */
ew_status model_prepare_solve(ew_model *model);
/* springs.c: supports, where the matrix depends on them. */
ew_status model_update_supports_of_matrix(ew_model *model);

#endif
