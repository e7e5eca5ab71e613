/* Part of model: its life, materials, formulations, views of what it owns, edits. */
#ifndef EW_MODEL_BASE_H
#define EW_MODEL_BASE_H

#include "analysis/analysis.h"
#include "mapping/mapping.h"
#include "operation/operation.h"

EW_BEGIN_API

typedef struct ew_model ew_model; /* opaque */

/* ---- life (model.c) ---------------------------------------------------- */

typedef struct ew_model_def {
    ew_device *device;      /* borrowed, must outlive the model; null: the host. Chosen once */
    ew_precision precision; /* of the blocks on a device */
    bool reorder;           /* renumber vertices and tets for locality first, unless the mesh keeps
                               its slots; default true */
    bool expects_answers; /* all its linear solves will be ew_model_accept: blocks of the stiffness
                             and preconditioners are left out, though counted; default false */
} ew_model_def;
ew_model_def ew_default_model_def(void);

/* Takes the mesh over (*mesh is zeroed; untouched on failure) and builds the tables. The mesh must
 * pass ew_mesh_check. */
ew_status ew_model_create(ew_model **model, ew_mesh *mesh, const ew_model_def *def);
/* Safe on null. */
void ew_model_free(ew_model *model);

/* ---- products (matrix_free.c) ---------------------------------------------------------------- */

/* From now on products are made from stored blocks, as at first, or from tets: then blocks of pairs
 * are neither kept nor computed, and preconditioners have the diagonal ones alone. No effect where
 * it is so already. EW_UNSUPPORTED: from tets on a device without fp64. */
ew_status ew_model_set_operator(ew_model *model, ew_operator_kind kind);

/* ---- views (accessors.c), borrowed until the next call that changes the model --------- */

const ew_mesh *ew_model_mesh(const ew_model *model);
const ew_topology *ew_model_topology(const ew_model *model);
/* What the last commit changed. */
const ew_change *ew_model_change(const ew_model *model);
/* The faces with one tet, in slots that stay from edit to edit, with old -> new maps (topology.h).
 * Built when first asked for, then kept in step by every commit. */
ew_status ew_model_boundary(ew_model *model, const ew_boundary **boundary);
/* Slots of boundary faces that commits changed since the reader last cleared them, for programs
 * that draw less often than they commit. code[slot] of the boundary says what is there now: a face,
 * or -1. (boundary_changes.c) */
typedef struct ew_boundary_changes {
    bool all; /* every slot is to be read again, and `slot` is empty: at first, after the slots were
                 numbered again (ew_model_compact, ew_model_rebuild), or where memory ended */
    ew_list slot;  /* each once; positions of vertices are not looked at */
    uint64_t from; /* revision of the mesh when they were last cleared */
} ew_boundary_changes;
/* Borrowed until the next call that changes the model. Counting begins with the first call. */
ew_status ew_model_boundary_changes(ew_model *model, const ew_boundary_changes **changes);
void ew_model_clear_boundary_changes(ew_model *model);

/* Where a ray first meets the surface of the body. (pick.c) */
typedef struct ew_pick {
    int32_t slot;      /* of the boundary; -1: the ray misses the body, and the rest is 0 */
    int32_t tet;       /* slot of the tet behind it */
    int32_t corner[3]; /* vertex slots of the face, as it looks outwards */
    double weight[3];  /* of the corners at the place, >= 0, their sum 1 */
    double distance;   /* along the ray, in lengths of `direction` */
    double xyz[3];     /* the place in the body as it is drawn, */
    double rest[3];    /* and the same material point in the mesh, without displacement */
} ew_pick;
/* The body is drawn displaced by `scale` times the displacement last solved for (0: the mesh);
 * sides are straight. direction: of any length > 0; only what lies ahead of the origin counts.
 * EW_BAD_ARGUMENT: numbers that are not finite, a direction of length 0. O(boundary). */
ew_status ew_model_pick(ew_model *model, const double origin[3], const double direction[3],
                        double scale, ew_pick *pick);
/* Slot of the vertex or tet with this id, or -1. The first look-up of a kind is O(n), later ones
 * O(1), also after edits. */
int32_t ew_model_find_vertex(ew_model *model, int64_t id);
int32_t ew_model_find_tet(ew_model *model, int64_t id);
/* All blocks on the host, for programs that solve by themselves. Of linear tets the stiffness as
 * above on the pattern of the topology, downloaded from a device; with quadratic tets the rows of
 * vertices and behind them those of edges (ew_edge_rows), in the functions l_a and 4 l_a l_b, on a
 * pattern of its own. Without constraints. Borrowed until the next call that changes the model.
 * EW_UNSUPPORTED of a matrix-free model. O(n) after an edit with quadratic tets. */
ew_status ew_model_assemble_stiffness(ew_model *model, const ew_matrix **matrix,
                                      const ew_pattern **pattern);
/* The mass on the same rows: scalar blocks, which stand for themselves times the identity. *matrix:
 * the caller's, to be freed by ew_matrix_free; the pattern is borrowed likewise. EW_BAD_INPUT where
 * a region with tets has no density. O(n). */
ew_status ew_model_assemble_mass(ew_model *model, ew_mass_kind kind, ew_matrix *matrix,
                                 const ew_pattern **pattern);
/* [n_vertex][3] the displacement last solved for, carried along by commits since; the start of the
 * next solve. */
const double *ew_model_displacement(const ew_model *model);
/* [n_vertex][3] loads of the last solve; in dynamics those at the time. */
const double *ew_model_force(const ew_model *model);
const ew_constraints *ew_model_constraints(const ew_model *model); /* of the last solve */

/* ---- materials (materials.c) ------------------------------------------------ */

#define EW_ALL_REGIONS INT32_MIN
/* The material of the regions with this label, or of all that have none of their own. May be set
 * for labels that no region has yet. A change of elastic constants makes all blocks stale, one of
 * density or expansion the loads; equal constants change nothing. */
ew_status ew_model_set_material(ew_model *model, int32_t region_label, const ew_material *material);
/* Local axes 1 and 2 of each tet, [n_tet][6] by slot, for materials whose axes are a field: of any
 * length > 0, at right angles within 1e-6 rad; EW_BAD_INPUT names a tet of theirs where not. Parts
 * of a tet take its axes over; other tets that an edit adds have x, y, z. A tet that an edit moves
 * all corners of, or adds as the image of another, by a rotation, a reflection, a shift and one
 * factor of size, within 1e-6, has its axes turned so that the law goes along: of a reflection the
 * images against their directions, which are right-handed. Where its shape changes it keeps them.
 * Copied. */
ew_status ew_model_set_material_axes(ew_model *model, const double *axes);

/* ---- quadratic tets (quadratic.c, quadratic_solve.c) ------------------------ */

/* All tets, and those that edits bring, quadratic or linear (as at first). Quadratic ones have
 * a function more on each edge, see ew_edge_rows, and straight sides but for those that the mesh
 * came with (ew_mesh_set_middles). O(n). */
ew_status ew_model_set_order(ew_model *model, bool quadratic);
/* The listed tets alone; parts and images of a tet are of its order. The displacement stays what it
 * was, but for what functions that go away had of it. EW_NO_MEMORY may leave a model that is to be
 * rebuilt first (ew_model_rebuild). O(listed). */
ew_status ew_model_enrich(ew_model *model, const ew_list *tet, bool quadratic);
bool ew_model_tet_is_quadratic(const ew_model *model, int32_t tet);

/* ---- mixed tets (mixed.c) ---------------------------------------------------- */

/* All tets mixed, or not (as at first): displacement and volumetric stress p = lambda tr(strain),
 * both linear, for materials that are nearly incompressible, in which linear tets lock. Stress is
 * 2 mu strain + p, the strain being without the thermal strain in both. In statics, in dynamics by
 * implicit schemes, in modes and buckling, on the host or a device with fp64; with linear tets,
 * small displacements and stored blocks: EW_UNSUPPORTED otherwise; Poisson's ratios > 0. Solved by
 * the minimal residual method (ew_saddle_solve). The blocks of ew_model_matrix are then those of 2
 * mu alone. */
ew_status ew_model_set_mixed(ew_model *model, bool mixed);
bool ew_model_is_mixed(const ew_model *model);

/* ---- edits (commit.c) ----------------------------------------------------- */

/* One way to edit: fill the queue, commit it. A queue is filled by ew_edit_* functions and by
 * operations (ew_operation_*, ew_model_queue_operation); ew_model_commit applies all of it or,
 * where it is refused, nothing. */

/* The model's queue. It is empty at first and after each commit that was applied; a refused one
 * leaves it as it is, to be repaired or emptied. */
ew_edit *ew_model_edit(ew_model *model);
/* Empties the queue: drops what was queued, as after a refused commit. */
void ew_model_begin(ew_model *model);
/* Applies the queue and empties it; all that follows the mesh follows. An empty queue changes
 * nothing. EW_BAD_EDIT: what ew_mesh_commit refuses; the failure's ids are the slots at fault.
 * EW_UNSUPPORTED, with nothing changed, where it would turn or reflect a tet that has flowed as a
 * whole: plastic strain does not turn. */
ew_status ew_model_commit(ew_model *model);
/* The same, and then the removal of all pieces that are not fully constrained, as those that a cut
 * separates: what they supported may be under-constrained then, so that this repeats until nothing
 * is. *n: pieces removed, also after failures. EW_UNDER_CONSTRAINED: the whole body would go; the
 * first commit stays. O(n) where the proof of what is constrained is lost. ew_model_applied is the
 * last batch. */
ew_status ew_model_commit_connected(ew_model *model, int32_t *n);
/* For an operation that is a function: empties the queue, has it filled, commits. Time spent in
 * `queue` counts as choosing. */
typedef ew_status (*ew_queue_function)(void *user, const ew_model *model, ew_edit *edit);
ew_status ew_model_apply(ew_model *model, ew_queue_function queue, void *user);

/* The same for an operation of the table, or of one's own (operation.h). Its vertices, where given,
 * are those of the model's set `values->of[].whole` (ew_model_list_vertices), those of its parts
 * likewise, the tets it protects those of the sets in `values->of[].set`; energies are those of the
 * last recovery, if the mesh is still the same. other: the mesh it reads, or null. */
ew_status ew_model_queue_operation(ew_model *model, const ew_operation *operation,
                                   const ew_operation_values *values, const ew_mesh *other);
/* What the user should know of it, a line, or "": also that it turns tets whose material has axes
 * by region, which stay. Until the next one is queued. */
const char *ew_model_remark(const ew_model *model);
/* Who fills what operations empty (remesh): ew_tetgen_fill, or null: such operations are refused.
 */
void ew_model_set_fill(ew_model *model, ew_fill_function fill);

/* Queues the removal of all components that are not fully constrained, into an empty queue; *n of
 * them. What they supported may be under-constrained then: repeat until there is none. */
ew_status ew_model_queue_under_constrained(ew_model *model, int32_t *n);
/* Renumbers so that no slot is a hole, in the order of slots; everything follows. vertex, tet: the
 * caller's arrays [slots before] for old -> new, -1 for holes; or null. O(n). */
ew_status ew_model_compact(ew_model *model, int32_t *vertex, int32_t *tet);

EW_END_API
#endif
