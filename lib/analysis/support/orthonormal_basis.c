/* Spans of rows. In: rows, one by one. Out: an orthonormal basis of what they span, and of what is
 * orthogonal to it, by Gram-Schmidt steps done twice (Giraud et al. 2005: twice is enough). */
#include "analysis/check/rigid.h"

#include <math.h>
#include <string.h>

static double dot(int32_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int32_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static void take_out(int32_t n, const double *basis, int32_t rank, double *row)
{
    for (int32_t k = 0; k < 2 * rank; k++) {
        const double *unit = basis + (size_t)n * (size_t)(k % rank);
        double part = dot(n, unit, row);
        for (int32_t i = 0; i < n; i++) {
            row[i] -= part * unit[i];
        }
    }
}

bool ew_span_add(int32_t n, double *basis, int32_t *rank, double *row, double zero)
{
    take_out(n, basis, *rank, row);
    double size = sqrt(dot(n, row, row));
    if (*rank == n || size <= zero) {
        return false;
    }
    for (int32_t i = 0; i < n; i++) {
        basis[(size_t)n * (size_t)*rank + (size_t)i] = row[i] / size;
    }
    ++*rank;
    return true;
}

/* Starts each row at the unit vector that lies farthest outside, the first of equals. */
void ew_span_complete(int32_t n, double *basis, int32_t rank)
{
    for (; rank < n; rank++) {
        double *row = basis + (size_t)n * (size_t)rank, farthest = -1.0;
        int32_t chosen = 0;
        for (int32_t i = 0; i < n; i++) {
            double outside = 1.0;
            for (int32_t k = 0; k < rank; k++) {
                double inside = basis[(size_t)n * (size_t)k + (size_t)i];
                outside -= inside * inside;
            }
            chosen = outside > farthest + 1e-9 ? i : chosen;
            farthest = outside > farthest + 1e-9 ? outside : farthest;
        }
        memset(row, 0, (size_t)n * sizeof *row);
        row[chosen] = 1.0;
        take_out(n, basis, rank, row);
        double size = sqrt(dot(n, row, row));
        for (int32_t i = 0; i < n; i++) {
            row[i] /= size;
        }
    }
}
