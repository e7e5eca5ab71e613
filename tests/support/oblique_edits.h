/* Rows with prescribed directions that are no axes, for the tests of the rigid-body-mode
 * preconditioner: they come, turn and leave. */
#ifndef EW_OBLIQUE_EDITS_H
#define EW_OBLIQUE_EDITS_H

#include "multilevel_edits.h"

#define OBLIQUE_ROWS 60

static inline void unit(uint64_t *state, double n[3])
{
    double square = 0.0;
    for (int c = 0; c < 3; c++) {
        n[c] = (double)ew_test_random(state, 2001) / 1000.0 - 1.0;
        square += n[c] * n[c];
    }
    for (int c = 0; c < 3; c++) {
        n[c] /= sqrt(square);
    }
}

/* One direction, or two at right angles. */
static inline void choose_directions(uint64_t *state, double normal[6])
{
    double other[3], along = 0.0, square = 0.0;
    unit(state, normal);
    unit(state, other);
    for (int c = 0; c < 3; c++) {
        along += normal[c] * other[c];
    }
    for (int c = 0; c < 3; c++) {
        normal[3 + c] = other[c] - along * normal[c];
        square += normal[3 + c] * normal[3 + c];
    }
    const double scale = ew_test_random(state, 2) ? 1.0 / sqrt(square) : 0.0;
    for (int c = 0; c < 3; c++) {
        normal[3 + c] *= scale;
    }
}

/* Each row of the list stays, turns or leaves; some come. */
static inline void change_directions(body *b, ew_oblique *list, uint64_t *state)
{
    int32_t n = 0;
    for (int32_t k = 0; k < list->n; k++) {
        const int32_t row = list->row[k];
        const uint32_t kind =
            ew_mesh_vertex_is_active(&b->mesh, row) ? ew_test_random(state, 8) : 0;
        if (kind == 0) {
            b->fixed[row] &= 7;
            continue;
        }
        list->row[n] = row;
        memmove(list->normal + 6 * n, list->normal + 6 * k, 6 * sizeof(double));
        if (kind == 1) {
            choose_directions(state, list->normal + 6 * n);
        }
        n++;
    }
    for (; n < OBLIQUE_ROWS; n++) {
        const int32_t row = (int32_t)ew_test_random(state, (uint32_t)b->mesh.n_vertex);
        if (b->fixed[row] == 0 && ew_mesh_vertex_is_active(&b->mesh, row)) {
            b->fixed[row] = EW_OBLIQUE;
            list->row[n] = row;
            choose_directions(state, list->normal + 6 * n);
        } else {
            n--;
        }
    }
    list->n = n;
}

#endif
