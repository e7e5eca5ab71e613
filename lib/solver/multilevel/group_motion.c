/* How an aggregate moves with its group. In: a motion of the group. Out: that of the aggregate,
 * without what moves none of its rows. */
#include "solver/multilevel/third_level_matrix.h"

#include <math.h>

void ew_group_move(const double map[4], const double q[6], double own[6])
{
    const double *w = q + 3;
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3, last = (i + 2) % 3;
        own[i] = q[i] + (w[next] * map[last] - w[last] * map[next]);
        own[3 + i] = map[3] * w[i];
    }
}

void ew_take_out_null_modes(const ew_grouped_level *level, int32_t aggregate, double q[6])
{
    const double *with = level->diagonal + 36 * (size_t)aggregate;
    const double *without = level->matrix->diagonal + 36 * (size_t)aggregate;
    double largest = 0.0, part[6] = {0.0};
    if (level->n_null[aggregate] == 0) {
        return;
    }
    for (int i = 0; i < 6; i++) {
        largest = fmax(largest, without[7 * i]);
        for (int j = 0; j < 6; j++) {
            part[i] += (with[6 * i + j] - without[6 * i + j]) * q[j];
        }
    }
    for (int i = 0; i < 6; i++) {
        q[i] -= part[i] / (largest > 0.0 ? largest : 1.0);
    }
}
