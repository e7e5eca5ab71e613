/* The least Ritz value of conjugate gradients. In: r.z and p.q of each step. Out: the least
 * eigenvalue of the tridiagonal matrix of the Lanczos process that the steps are (Golub & Meurant
 * 1997, section 3), by bisection with Sturm sequences. */
#include "solver/local/local_answer.h"

#include <float.h>
#include <math.h>

/* Diagonal entry k and the square of the entry beside it, to k - 1. */
static double diagonal(const double *step, int32_t k)
{
    const double now = step[2 * k + 1] / step[2 * k]; /* 1 / alpha */
    return k == 0 ? now : now + step[2 * k] / step[2 * k - 2] * (step[2 * k - 1] / step[2 * k - 2]);
}
static double square_beside(const double *step, int32_t k)
{
    const double before = step[2 * k - 1] / step[2 * k - 2];
    return step[2 * k] / step[2 * k - 2] * before * before;
}

/* Whether no eigenvalue is below x: all pivots of T - x are positive. */
static bool is_below_all(int32_t n, const double *step, double x)
{
    double pivot = diagonal(step, 0) - x;
    for (int32_t k = 1; k < n && pivot > 0.0; k++) {
        pivot = diagonal(step, k) - x - square_beside(step, k) / pivot;
    }
    return pivot > 0.0;
}

double ew_min_ritz_value(int32_t n, const double *step)
{
    double low = 0.0, high = diagonal(step, 0);
    for (int32_t k = 1; k < n; k++) {
        high = fmin(high, diagonal(step, k));
    }
    for (int i = 0; i < 60 && high - low > 1e-4 * high; i++) {
        const double middle = 0.5 * (low + high);
        if (is_below_all(n, step, middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}
