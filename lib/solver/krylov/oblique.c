/* Rows with prescribed directions that are no axes. In: a vector of one row. Out: what of it is
 * free, and what is not. Host reference of `project` and `prescribe_oblique` in kernels/pcg.cl. */
#include "solver/parts/solver.h"

/* The remaining component of a vector along a prescribed direction, relative and squared. */
#define ROUNDING 4e-30

void ew_oblique_project(const ew_oblique *oblique, int32_t k, double v[3])
{
    const double *n = oblique->normal + 6 * (size_t)k;
    const double before = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    for (int i = 0; i < 6; i += 3) {
        const double along = n[i] * v[0] + n[i + 1] * v[1] + n[i + 2] * v[2];
        for (int c = 0; c < 3; c++) {
            v[c] -= along * n[i + c];
        }
    }
    if (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] <= ROUNDING * before) {
        v[0] = v[1] = v[2] = 0.0;
    }
}

void ew_oblique_part(const ew_oblique *oblique, int32_t k, const double v[3], double part[3])
{
    const double *n = oblique->normal + 6 * (size_t)k;
    double sum[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 6; i += 3) {
        const double along = n[i] * v[0] + n[i + 1] * v[1] + n[i + 2] * v[2];
        for (int c = 0; c < 3; c++) {
            sum[c] += along * n[i + c];
        }
    }
    for (int c = 0; c < 3; c++) {
        part[c] = sum[c];
    }
}
