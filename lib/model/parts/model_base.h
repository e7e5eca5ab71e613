/* model: what a program needs that works on its tables itself, beside model/model_base.h. */
#ifndef EW_PARTS_MODEL_BASE_H
#define EW_PARTS_MODEL_BASE_H

#include "analysis/parts/analysis.h"
#include "mapping/parts/mapping.h"
#include "model/model_base.h"
#include "operation/parts/operation.h"

EW_BEGIN_API

/* ---- creation (model.c) ------------------------------------------------ */

/* Moves the mesh to the caller (*mesh is overwritten); afterwards the model can only be freed. */
void ew_model_give_mesh(ew_model *model, ew_mesh *mesh);
/* Builds everything derived from the mesh again, after a failure that left the model unusable.
 * Sets, loads, constraints and fields stay; sets of faces that lost their boundary in the failure
 * are empty and count their members as lost. */
ew_status ew_model_rebuild(ew_model *model);

/* ---- templates (model_template.c) -------------------------------------------------- */

/* What models of one mesh have in common at the start: the renumbered mesh, its tables, and on
 * request the boundary and blocks of the stiffness. Several threads may read it at once. */
typedef struct ew_model_template ew_model_template; /* opaque */
/* The mesh is copied. with_boundary: includes the boundary faces. material [n], by label
 * (EW_ALL_REGIONS: all other regions): includes the stiffness blocks of linear tets with these
 * constants; no blocks where n is 0 or a region has no material. */
typedef struct ew_model_template_material {
    int32_t region;
    ew_material material;
} ew_model_template_material;
ew_status ew_model_template_create(ew_model_template **base, const ew_mesh *mesh,
                                   bool with_boundary, int32_t n,
                                   const ew_model_template_material *material);
/* Borrowed. */
const ew_mesh *ew_model_template_mesh(const ew_model_template *base);
const ew_topology *ew_model_template_topology(const ew_model_template *base);
/* Safe on null. */
void ew_model_template_free(ew_model_template *base);
/* Makes a model of that mesh as ew_model_create does with `reorder`, by copies in place of
 * computations; answers have the same bits. An existing *model is reset to that state in its
 * memory; null: a new model. After a failure *model must be freed. */
ew_status ew_model_start_from(ew_model **model, const ew_model_template *base,
                              const ew_model_def *def);
/* Call after the materials are set and before any edit: copies the stiffness blocks of the template
 * where they equal those of the model; otherwise does nothing. */
ew_status ew_model_take_blocks(ew_model *model, const ew_model_template *base);

/* ---- views (accessors.c), borrowed until the next call that changes the model --------- */

/* Materials by region index of the mesh. Null, with EW_BAD_INPUT as the last failure, while a
 * region has none. */
const ew_materials *ew_model_materials(ew_model *model);

/* The updated stiffness; null on a device with fp64, where the host has no copy. A matrix-free
 * model has the diagonal blocks alone. */
ew_status ew_model_matrix(ew_model *model, const ew_matrix **matrix);

/* ---- materials (materials.c) ------------------------------------------------ */

/* The present local axes of tets, of length 1; null: none were given. */
const double *ew_model_material_axes(const ew_model *model);

/* ---- quadratic tets (quadratic.c, quadratic_solve.c) ------------------------ */

/* The rows of edges, null where all tets are linear; [n_row][3] what was last solved for on them,
 * how far the middle of an edge moved beyond the mean of its ends: the displacement of vertices and
 * these are one array, ew_model_displacement + 3 n_vertex. Borrowed until the next call that
 * changes the model. */
const ew_edge_rows *ew_model_edge_rows(const ew_model *model);
const double *ew_model_edge_displacement(const ew_model *model);
/* [n_row][3] loads on the functions of edges, as ew_model_force; null where all tets are linear. */
const double *ew_model_edge_force(const ew_model *model);
/* [n_row][3] of displacement (0), velocity (1) or acceleration (2), which may be written, as the
 * fields of vertices, which they come after in one array. Borrowed until the next call that changes
 * the model. */
double *ew_model_edge_state(ew_model *model, int32_t k);
/* The same [n][3] in place of what it is: before ew_model_accept. EW_BAD_ARGUMENT unless n is the
 * number of rows. */
ew_status ew_model_put_edge_displacement(ew_model *model, int32_t n, const double *u);

/* ---- mixed tets (mixed.c) ---------------------------------------------------- */

/* [n_vertex] p last solved for, in dynamics and of a nonlinear body that of the last recovery,
 * carried along by commits since; of a linear one the start of the next solve, to be written before
 * ew_model_accept. Null where tets are
 * not mixed. Borrowed. */
double *ew_model_volumetric_stress(ew_model *model);

/* ---- edits (commit.c) ----------------------------------------------------- */

/* The batch that the last commit applied, to be kept (ew_edit_copy) or written down; empty before
 * the first. Borrowed until the next commit. */
const ew_edit *ew_model_applied(const ew_model *model);
/* The first part of ew_model_apply: empties the queue and calls `queue` to fill it. */
ew_status ew_model_queue(ew_model *model, ew_queue_function queue, void *user);

/* Sets the number that later tets carry as `born`. */
void ew_model_set_frame(ew_model *model, int32_t frame);

/* Whether more than half of all slots are holes or without tets. */
bool ew_model_is_sparse(const ew_model *model);
/* Queues the removal of vertices without tets, into an empty queue. */
ew_status ew_model_queue_unused(ew_model *model);

EW_END_API
#endif
