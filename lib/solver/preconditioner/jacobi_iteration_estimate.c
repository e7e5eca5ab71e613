/* How hard a system is for block Jacobi. In: blocks on the host, constraints. Out: about how many
 * iterations conjugate gradients take with it.
 *
 * Of D^-1 K, D being the diagonal blocks, the largest eigenvalue is about 2. The least is at most
 * the Rayleigh quotient of a translation, sum K_ab / sum D_a over the free components: next to
 * nothing for a stiffness that is fixed at one end, and nearly 1 where a mass outweighs it. There
 * the translation is as good as an eigenvector, and the quotient tells. The error shrinks with 2
 * exp(-2 n / sqrt(condition)) (Saad 2003, Iterative Methods for Sparse Linear Systems, (6.128)). */
#include "solver/krylov/pcg.h"

#include <math.h>

#define LARGEST_EIGENVALUE 2.0

/* Sum of the diagonal of S_a K S_b. */
static double free_trace(const double *block, unsigned fixed)
{
    return (fixed & 1 ? 0.0 : block[0]) + (fixed & 2 ? 0.0 : block[4]) +
           (fixed & 4 ? 0.0 : block[8]);
}

double ew_expected_iterations(const ew_system *system, double tolerance)
{
    const ew_pattern *pattern = system->op->pattern;
    const ew_matrix *matrix = system->op->matrix;
    double diagonal = 0.0, pairs = 0.0;
    if (!matrix || system->op->edges || matrix->block != 3 || system->op->type->on_device) {
        return INFINITY;
    }
    for (int32_t row = 0; row < pattern->n_row; row++) {
        diagonal += free_trace(matrix->diagonal + 9 * (size_t)row, system->fixed[row]);
    }
    for (int32_t pair = 0; pair < pattern->n_pair; pair++) {
        const int32_t *row = pattern->pair_row + 2 * (size_t)pair;
        if (row[0] >= 0) {
            const unsigned fixed = system->fixed[row[0]] | system->fixed[row[1]];
            pairs += free_trace(matrix->pair + 9 * (size_t)pair, fixed);
        }
    }
    const double quotient = (diagonal + 2.0 * pairs) / diagonal;
    return quotient > 0.0 ? 0.5 * sqrt(LARGEST_EIGENVALUE / quotient) * log(2.0 / tolerance)
                          : INFINITY;
}
