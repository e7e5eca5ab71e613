/* Part of model: creation, materials, formulations, access to what the model owns, edits. */
#ifndef EW_MODEL_BASE_H
#define EW_MODEL_BASE_H

#include "analysis/analysis.h"
#include "mapping/mapping.h"
#include "operation/operation.h"

EW_BEGIN_API

typedef struct ew_model ew_model; /* opaque */

/* ---- creation (model.c) ------------------------------------------------ */

typedef struct ew_model_def {
    ew_device *device;      /* borrowed, must outlive the model; null: the host. Chosen once */
    ew_precision precision; /* of the blocks on a device */
    bool reorder;           /* renumber vertices and tets for locality first, unless the mesh keeps
                               its slots; default true */
    bool expects_answers;   /* each linear solve will be an ew_model_accept, so that blocks of the
                               stiffness and preconditioners are counted but not computed; default
                               false */
} ew_model_def;
ew_model_def ew_default_model_def(void);

/* Takes the mesh over (*mesh is zeroed; untouched on failure) and builds the tables. The mesh must
 * pass ew_mesh_check. */
ew_status ew_model_create(ew_model **model, ew_mesh *mesh, const ew_model_def *def);
/* Safe on null. */
void ew_model_free(ew_model *model);

/* ---- products (matrix_free.c) ---------------------------------------------------------------- */

/* Selects matrix products from stored blocks (the initial state) or from tets. From tets,
 * off-diagonal blocks are neither stored nor computed, and preconditioners use diagonal blocks
 * alone. The present kind again has no effect. EW_UNSUPPORTED: from tets on a device without fp64.
 */
ew_status ew_model_set_operator(ew_model *model, ew_operator_kind kind);

/* ---- access (accessors.c); pointers are borrowed until the next call that changes the model ---
 */

const ew_mesh *ew_model_mesh(const ew_model *model);
const ew_topology *ew_model_topology(const ew_model *model);
/* What the last commit changed. */
const ew_change *ew_model_change(const ew_model *model);
/* The faces of one tet alone, in slots that edits keep, with old -> new maps (topology.h). The
 * first call builds the boundary; every commit then updates it. */
ew_status ew_model_boundary(ew_model *model, const ew_boundary **boundary);
/* Slots of boundary faces that commits changed since the program last cleared the list, for
 * programs that draw less often than they commit. code[slot] of the boundary is the present face
 * there, or -1. (boundary_changes.c) */
typedef struct ew_boundary_changes {
    bool all; /* every slot must be read again, and `slot` is empty: initially, after a renumbering
                 (ew_model_compact, ew_model_rebuild), or when no memory was left for the list */
    ew_list slot;  /* each once; a vertex that only moves changes no slot */
    uint64_t from; /* revision of the mesh when the list was last cleared */
} ew_boundary_changes;
/* Borrowed until the next call that changes the model. The first call starts the list. */
ew_status ew_model_boundary_changes(ew_model *model, const ew_boundary_changes **changes);
void ew_model_clear_boundary_changes(ew_model *model);

/* Where a ray first meets the surface of the body. (pick.c) */
typedef struct ew_pick {
    int32_t slot; /* of the boundary; -1: the ray misses the body, and the other members are 0 */
    int32_t tet;  /* slot of the tet behind it */
    int32_t corner[3]; /* vertex slots of the face, as it looks outwards */
    double weight[3];  /* barycentric coordinates of the point in the face, >= 0, their sum 1 */
    double distance;   /* along the ray, in units of the length of `direction` */
    double xyz[3];     /* the point on the drawn, displaced body, */
    double rest[3];    /* and the same material point in the undeformed mesh */
} ew_pick;
/* The body is drawn with `scale` times the last displacement (0: undeformed) and straight sides.
 * direction: of any length > 0; only faces ahead of the origin are hit. EW_BAD_ARGUMENT: numbers
 * that are not finite, a direction of length 0. O(boundary). */
ew_status ew_model_pick(ew_model *model, const double origin[3], const double direction[3],
                        double scale, ew_pick *pick);
/* Slot of the vertex or tet with this id, or -1. The first look-up of a kind is O(n), later ones
 * O(1), also after edits. */
int32_t ew_model_find_vertex(ew_model *model, int64_t id);
int32_t ew_model_find_tet(ew_model *model, int64_t id);
/* The stiffness with all blocks on the host, without constraints, for programs with a solver of
 * their own. With linear tets its pattern is that of the topology; a device's blocks are
 * downloaded. With quadratic tets it has a pattern of its own: the rows of vertices, then those of
 * edges (ew_edge_rows), for the shape functions l_a and 4 l_a l_b. Borrowed until the next call
 * that changes the model. EW_UNSUPPORTED of a matrix-free model. O(n) after an edit with quadratic
 * tets. */
ew_status ew_model_assemble_stiffness(ew_model *model, const ew_matrix **matrix,
                                      const ew_pattern **pattern);
/* The mass on the same rows, as scalar blocks: each multiplies the identity. *matrix is the
 * caller's and to be freed by ew_matrix_free; the pattern is borrowed. EW_BAD_INPUT where a region
 * with tets has no density. O(n). */
ew_status ew_model_assemble_mass(ew_model *model, ew_mass_kind kind, ew_matrix *matrix,
                                 const ew_pattern **pattern);
/* [n_vertex][3] the last displacement, which commits keep up to date; the next solve starts from
 * it. */
const double *ew_model_displacement(const ew_model *model);
/* [n_vertex][3] forces of the loads in the last solve; in dynamics those at the present time. */
const double *ew_model_force(const ew_model *model);
const ew_constraints *ew_model_constraints(const ew_model *model); /* of the last solve */

/* ---- materials (materials.c) ------------------------------------------------ */

#define EW_ALL_REGIONS INT32_MIN
/* The material of the regions with this label, or of all regions without a material of their own.
 * The label may be one that no region has yet. New elastic constants invalidate all blocks, a new
 * density or expansion the loads; equal constants change nothing. */
ew_status ew_model_set_material(ew_model *model, int32_t region_label, const ew_material *material);
/* Local axes 1 and 2 of each tet, [n_tet][6] by slot (copied), for materials whose axes are a
 * field: of any length > 0, at right angles within 1e-6 rad; EW_BAD_INPUT names a tet with other
 * axes. Parts of a tet inherit its axes; other tets that an edit adds have x, y, z. Where an edit
 * moves a tet, or adds its image, by a rotation, a reflection, a translation and a uniform scale,
 * within 1e-6, the axes rotate with it; after a reflection they are the negative images, which are
 * right-handed. A tet whose shape changes keeps its axes. */
ew_status ew_model_set_material_axes(ew_model *model, const double *axes);

/* ---- quadratic tets (quadratic.c, quadratic_solve.c) ------------------------ */

/* Makes all tets, and those of later edits, quadratic or linear (the initial state). Quadratic tets
 * have one more shape function for each edge (ew_edge_rows); their sides are straight, except where
 * the mesh has curved ones (ew_mesh_set_middles). O(n). */
ew_status ew_model_set_order(ew_model *model, bool quadratic);
/* The same for the listed tets alone; parts and images of a tet inherit its order. The displacement
 * is kept, except for the part of shape functions that are removed. After EW_NO_MEMORY the model
 * may need ew_model_rebuild. O(listed). */
ew_status ew_model_enrich(ew_model *model, const ew_list *tet, bool quadratic);
bool ew_model_tet_is_quadratic(const ew_model *model, int32_t tet);

/* ---- mixed tets (mixed.c) ---------------------------------------------------- */

/* Makes all tets mixed, or not (the initial state): displacement and volumetric stress p = lambda
 * tr(strain), both linear, for nearly incompressible materials, in which linear tets lock. Stress
 * is 2 mu strain + p, with the mechanical strain in both terms. A nonlinear body takes its law for
 * lambda = 0, and p in place of the energy of ew_law.volumetric. In statics, in dynamics by
 * implicit schemes, in modes and buckling, on the host or a device with fp64; with linear tets and
 * stored blocks: EW_UNSUPPORTED otherwise; isotropic materials, Poisson's ratios > 0. The solver is
 * the minimal residual method (ew_saddle_solve). ew_model_matrix then has the blocks without p, of
 * a linear body those of 2 mu alone. */
ew_status ew_model_set_mixed(ew_model *model, bool mixed);
bool ew_model_is_mixed(const ew_model *model);

/* ---- edits (commit.c) ----------------------------------------------------- */

/* To edit, fill the queue by ew_edit_* functions and operations (ew_operation_*,
 * ew_model_queue_operation), then commit it: ew_model_commit applies the entire queue or, when it
 * refuses the queue, nothing. */

/* The model's queue. It is empty initially and after each applied commit; a refused commit leaves
 * it unchanged, to be corrected or emptied. */
ew_edit *ew_model_edit(ew_model *model);
/* Empties the queue, for example after a refused commit. */
void ew_model_begin(ew_model *model);
/* Applies the queue, updates everything that follows the mesh, and empties the queue. An empty
 * queue changes nothing. EW_BAD_EDIT: what ew_mesh_commit refuses; the failure's ids are the slots
 * at fault. EW_UNSUPPORTED, with nothing changed, where it would rotate or reflect a tet with
 * plastic strain: that strain is not transformed. */
ew_status ew_model_commit(ew_model *model);
/* The same, followed by the removal of all components that are not fully constrained, for example
 * those that a cut separates. A removal may leave other components under-constrained, so it repeats
 * until there is none. *n: number of removed components, also after failures. EW_UNDER_CONSTRAINED:
 * the entire body would be removed; the first commit stays. O(n) where the components must be
 * checked again. ew_model_applied is the last batch. */
ew_status ew_model_commit_connected(ew_model *model, int32_t *n);
/* Empties the queue, calls `queue` to fill it, and commits. The time of `queue` counts as
 * seconds_choose. */
typedef ew_status (*ew_queue_function)(void *user, const ew_model *model, ew_edit *edit);
ew_status ew_model_apply(ew_model *model, ew_queue_function queue, void *user);

/* Fills the queue by an operation of the table, or of the program (operation.h). Vertices of the
 * operation are those of the model's set `values->of[].whole` (ew_model_list_vertices), and those
 * of its parts likewise; protected tets are those of the sets in `values->of[].set`; energies are
 * those of the last recovery, if the mesh has not changed since. other: a second mesh that the
 * operation reads, or null. */
ew_status ew_model_queue_operation(ew_model *model, const ew_operation *operation,
                                   const ew_operation_values *values, const ew_mesh *other);
/* One line about the queued operation for the user, or "": for example that it rotates tets whose
 * material has axes by region, which do not rotate. Valid until the next operation is queued. */
const char *ew_model_remark(const ew_model *model);
/* The function that fills a cavity with tets for remesh: ew_tetgen_fill, or null, with which such
 * operations are refused. */
void ew_model_set_fill(ew_model *model, ew_fill_function fill);

/* Queues the removal of all components that are not fully constrained, *n of them, into an empty
 * queue. Their removal may leave others under-constrained: repeat until there is none. */
ew_status ew_model_queue_under_constrained(ew_model *model, int32_t *n);
/* Renumbers vertices and tets in the order of their slots, so that no slot is free, and updates
 * everything. vertex, tet: arrays of the caller [slots before] for the new slot of each old one, -1
 * for free slots; or null. O(n). */
ew_status ew_model_compact(ew_model *model, int32_t *vertex, int32_t *tet);

EW_END_API
#endif
