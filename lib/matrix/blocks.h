/* Private to lib/matrix: what build and revalidation share. */
#ifndef EW_MATRIX_BLOCKS_H
#define EW_MATRIX_BLOCKS_H

#include "matrix/matrix.h"
#include "tet.h"

#include <string.h>

/* What a tet gives to each of its blocks. */
typedef struct ew_terms {
    double g[4][3], v_lambda, v_mu; /* as ew_tet_add_block takes them */
} ew_terms;

static inline void ew_terms_of(const ew_mesh *mesh, const ew_materials *materials, int32_t tet,
                               ew_terms *terms)
{
    const int32_t *vertex = mesh->tet + 4 * (size_t)tet;
    const double *lame = materials->lame + 2 * (size_t)mesh->region[tet];
    double x[12];
    for (int i = 0; i < 4; i++) {
        memcpy(x + 3 * i, mesh->xyz + 3 * (size_t)vertex[i], 3 * sizeof *x);
    }
    const double volume = ew_tet_gradients(x, terms->g[0]);
    terms->v_lambda = volume * lame[0];
    terms->v_mu = volume * lame[1];
}

EW_PREFETCHER void ew_prefetch_block(const double *block)
{
    EW_PREFETCH(block);
    EW_PREFETCH(block + 8);
}

/* Which blocks a walk computes, a bit per slot, and the tets it must visit for them, ascending. */
typedef struct ew_marks {
    uint64_t *vertex, *edge; /* owned */
    uint64_t *whole;         /* owned: tets of which all blocks are computed */
    ew_list tet;             /* owned */
} ew_marks;

/* EW_STALE unless the tables describe the mesh, EW_BAD_ARGUMENT unless every region has a material.
 */
ew_status ew_matrix_check_source(const ew_mesh *mesh, const ew_topology *topology,
                                 const ew_materials *materials);
/* EW_STALE unless the tables were updated from the change. */
ew_status ew_matrix_check_change(const ew_change *change);
/* Room for the graph's rows and edges, contents kept. Sizes are left alone. */
ew_status ew_matrix_reserve(ew_matrix *matrix, const ew_graph *graph);
/* A row's diagonal block before its sum: zero, or the identity of a row without tets. */
void ew_matrix_start_diagonal(ew_matrix *matrix, const ew_topology *topology, int32_t row);
/* Computes the marked blocks, or all of them when `marks` is null, visiting each tet once per
 * thread that owns one of its vertices. The other blocks keep their values. */
void ew_matrix_walk(ew_matrix *matrix, const ew_mesh *mesh, const ew_topology *topology,
                    const ew_materials *materials, const ew_marks *marks);

#endif
