/* model, private: faces and tets of sets, as means over them take them. (set_measure.c) */
#ifndef EW_MODEL_SET_PARTS_H
#define EW_MODEL_SET_PARTS_H

#include "model/internal.h"

/* A face or a tet of a set: its size, and the integrals of the functions of its corners and edges.
 */
typedef struct model_set_part {
    int n_corner, n_edge;
    int32_t corner[4], row[6]; /* row -1: the edge has no function */
    double size, of_corner[4], of_edge[6];
} model_set_part;
model_set_part model_part_of_set(const ew_model *model, bool is_face, int32_t id);

#endif
