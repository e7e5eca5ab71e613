/* The load stiffness of pressure that turns with faces. In: the turns of the nodes of each face,
 * found by analysis. Out: what they add to blocks of pairs of vertices in a tangent, and products
 * with the functions of edges. Sums take faces in their order, whatever the number of threads. */
#include "assembly/host/blocks.h"

#include <string.h>

void ew_follower_add_turn(const double turn[3], double sign, double *block)
{
    block[1] -= sign * turn[2];
    block[2] += sign * turn[1];
    block[3] += sign * turn[2];
    block[5] -= sign * turn[0];
    block[6] -= sign * turn[1];
    block[7] += sign * turn[0];
}

/* ---- blocks of pairs ---------------------------------------------------------- */

int32_t ew_follower_find_pair(const ew_follower *follower, int32_t pair)
{
    int32_t low = 0, high = follower->n_pair;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (follower->pair[middle] < pair) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < follower->n_pair && follower->pair[low] == pair ? low : -1;
}

void ew_follower_add_pairs(const ew_follower *follower, const ew_list *pair, ew_matrix *matrix)
{
    const int32_t n = pair ? pair->n : follower->n_pair;
    for (int32_t i = 0; i < n && follower->n_pair; i++) {
        const int32_t place = pair ? ew_follower_find_pair(follower, pair->id[i]) : i;
        if (place >= 0) {
            ew_follower_add_turn(follower->of_pair + 3 * (size_t)place, 1.0,
                                 matrix->pair + 9 * (size_t)follower->pair[place]);
        }
    }
}

/* ---- products ------------------------------------------------------------------- */

/* Whether this part of a product has what node j gives node i. */
static bool is_in_part(ew_edge_part part, int i, int j)
{
    switch (part) {
    case EW_EDGE_OF_EDGES:
        return j >= 3;
    case EW_EDGE_OF_CORNERS:
        return j < 3 && i >= 3;
    case EW_EDGE_ALL:
        return i >= 3 || j >= 3;
    default:
        return true;
    }
}

static void multiply_face(const ew_follower *follower, ew_edge_part part, int32_t face,
                          const double *x)
{
    const int n = follower->n_node;
    const int32_t *node = follower->node + (size_t)n * (size_t)face;
    const double *turns = follower->turn + 3 * (size_t)(n * (n - 1) / 2) * (size_t)face;
    double *force = follower->force + 3 * (size_t)n * (size_t)face;
    memset(force, 0, 3 * (size_t)n * sizeof *force);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (i == j || node[i] < 0 || node[j] < 0 || !is_in_part(part, i, j)) {
                continue;
            }
            const double sign = i < j ? 1.0 : -1.0, *u = x + 3 * (size_t)node[j];
            const double *turn =
                turns + 3 * (i < j ? ew_follower_place(n, i, j) : ew_follower_place(n, j, i));
            for (int c = 0; c < 3; c++) {
                const int d = (c + 1) % 3, e = (c + 2) % 3;
                force[3 * i + c] += sign * (turn[d] * u[e] - turn[e] * u[d]);
            }
        }
    }
}

void ew_follower_add_product(ew_follower *follower, ew_edge_part part, const double *x, double *y)
{
#pragma omp for schedule(static)
    for (int32_t face = 0; face < follower->n; face++) {
        multiply_face(follower, part, face, x);
    }
#pragma omp single
    for (int32_t i = 0; i < follower->n * follower->n_node; i++) {
        for (size_t c = 0; c < 3 && follower->node[i] >= 0; c++) {
            y[3 * (size_t)follower->node[i] + c] += follower->force[3 * (size_t)i + c];
        }
    }
}

void ew_follower_free(ew_follower *follower)
{
    ew_release(follower->face);
    ew_release(follower->node);
    ew_release(follower->value);
    ew_release(follower->force);
    ew_release(follower->turn);
    ew_release(follower->pair);
    ew_release(follower->of_pair);
    *follower = (ew_follower){0};
}
