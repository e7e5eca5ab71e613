/* mesh, private: what the files of this folder share. */
#ifndef EW_MESH_INTERNAL_H
#define EW_MESH_INTERNAL_H

#include "mesh/mesh.h"

/* A face code, 4 * tet + face, must fit an int32_t. */
#define EW_MAX_TET (INT32_MAX / 4)

/* +1: positive and at least EW_MIN_SHAPE; -1: the same, left-handed; 0: no usable volume
 * (flat, not finite, or too small or too large for a double). (quality.c) */
int ew_tet_hand(const double *x0, const double *x1, const double *x2, const double *x3);

/* Looks for `size` vertices (4: a whole tet, 3: a face) that more than `most` tets share;
 * holes (tet[t][0] < 0) are passed over. *found: whether there are; first[0] < first[1] < ..:
 * the first most + 1 tets of the lowest such set, room for 3. Vertices must be in range.
 * O(n) but for a vertex with very many tets. (repeat.c) */
ew_status ew_tets_repeat(int32_t n_vertex, int32_t n_tet, const int32_t *tet, int size, int most,
                         bool *found, int32_t first[3]);

#endif
