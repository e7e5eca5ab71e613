/* place, private to model: the host or the device on which a model computes, a table each. */
#ifndef EW_MODEL_PLACE_H
#define EW_MODEL_PLACE_H

#include "model/internal.h"

typedef struct model_place {
    /* Tables built from the mesh alone cost less than tables that follow an edit where
     * added_cost * added tets + removed_cost * removed tets > table_cost * tets; and so do blocks
     * where touched_cost * touched ones > block_cost * blocks. */
    int32_t added_cost, removed_cost, table_cost, touched_cost, block_cost;
    /* Operators: of the blocks of a system; of its tets, for a matrix-free model; and of the rows
     * of edges, into model_quadratic.op. */
    ew_operator (*make_operator)(ew_model *model, model_system *system);
    ew_tet_operator (*make_tet_operator)(ew_model *model, model_system *system);
    void (*make_edge_operator)(ew_model *model);
    /* y = K x of vectors on the host, by a prepared operator. */
    ew_status (*product)(ew_model *model, const ew_operator *op, const double *x, double *y);
    /* Blocks of edges: the revision of their rows, 0: there are none, and that of the constants of
     * *n_constants regions in them. */
    uint64_t (*edge_blocks_revision)(const model_quadratic *q, int32_t *n_constants,
                                     uint64_t *constants);
    /* Those that the change names, null: all. */
    ew_status (*compute_edge_blocks)(ew_model *model, const ew_edge_blocks *from,
                                     const ew_pattern_change *change);
    /* To the host, for a verification there, with a check of the copied rows. */
    ew_status (*fetch_edge_blocks)(ew_model *model);
    /* Copies of mesh and rows of edges, where there are any, follow a commit. */
    ew_status (*follow)(ew_model *model);
} model_place;
const model_place *model_place_of(const ew_model *model);

/* rows_on_demand.c: instead of a build, room for the blocks, of which none is there; and those of
 * the rows that are missing, a bit set, null: of all. */
ew_status model_matrix_begin_rows(model_matrix *matrix, const ew_source *source);
ew_status model_matrix_add_rows(ew_model *model, model_matrix *matrix, const ew_source *source,
                                const uint64_t *row);
/* All that are missing of the stiffness. */
ew_status model_complete_stiffness(ew_model *model);
/* For the solver, of the stiffness; null: all its blocks are there. */
const ew_row_demand *model_row_demand(ew_model *model, model_system *system);
/* Whether a solve by this definition may ask for rows. */
bool model_takes_rows(const ew_model *model, const ew_pcg_def *def);

#endif
