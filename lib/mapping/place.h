/* Private to mapping: where a point lies in relation to tets. */
#ifndef EW_MAPPING_PLACE_H
#define EW_MAPPING_PLACE_H

#include "mapping/parts/mapping.h"

/* A weight that is no less than minus this still counts as inside. */
#define EW_INSIDE 1e-9

typedef struct ew_place {
    int32_t tet; /* -1: none */
    double weight[4];
    double distance; /* 0 inside */
} ew_place;

/* The point in a live tet. */
void ew_place_in(const ew_mesh *mesh, int32_t tet, const double x[3], ew_place *place);
/* Of the listed live tets that contain the point the one with the lowest id; false: none does, and
 * tet is -1. */
bool ew_place_inside(const ew_mesh *mesh, const int32_t *tet, int32_t n, const double x[3],
                     ew_place *place);
/* Of the listed live tets (repeats are fine) the one that the rule of mapping.h takes; none: tet is
 * -1. Depends on the set of tets alone, not on their order. */
void ew_place_choose(const ew_mesh *mesh, const int32_t *tet, int32_t n, const double x[3],
                     ew_place *place);

/* Tets by the cells of a box; private to a binding. */
typedef struct ew_grid {
    double low[3], high[3], cell; /* box of the active vertices; length of a cell's edge */
    int32_t size[3];              /* cells along x, y, z */
    int32_t *begin;               /* [cells + 1] owned */
    int32_t *tet;                 /* [entries] owned, ascending in a cell */
    double *box;                  /* [n_tet][6] owned: lowest and highest corner */
} ew_grid;
/* EW_BAD_INPUT without tets. */
ew_status ew_grid_build(ew_grid *grid, const ew_mesh *mesh);
void ew_grid_free(ew_grid *grid);
/* The place in the whole mesh. work: memory, one a thread. */
ew_status ew_grid_find(const ew_grid *grid, const ew_mesh *mesh, const double x[3], ew_list *work,
                       ew_place *place);

#endif
