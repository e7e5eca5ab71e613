/* Null modes are eigenvectors of the Gram matrix of an aggregate's modes, sum P_a^T S_a P_a, with
 * eigenvalues below a share of its rows. */
#include "solver/multilevel/null_modes.h"

#include <math.h>
#include <string.h>

/* An eigenvalue below this share of the rows: the mode moves them by less than a hundredth of what
 * a translation does, root mean square. */
#define NULL_SHARE 1e-4

static void rotate(double *a, double *b, double c, double s)
{
    const double old = *a;
    *a = c * old - s * *b;
    *b = s * old + c * *b;
}

static void rotate_pair(int p, int q, double *matrix, double *vector)
{
    const double slope = (matrix[7 * q] - matrix[7 * p]) / (2.0 * matrix[6 * p + q]);
    const double t = (slope < 0.0 ? -1.0 : 1.0) / (fabs(slope) + sqrt(slope * slope + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 6; k++) {
        rotate(&matrix[6 * k + p], &matrix[6 * k + q], c, s);
    }
    for (int k = 0; k < 6; k++) {
        rotate(&matrix[6 * p + k], &matrix[6 * q + k], c, s);
        rotate(&vector[6 * p + k], &vector[6 * q + k], c, s);
    }
}

/* Cyclic Jacobi rotations (Golub & Van Loan 2013, section 8.5): eigenvalues on the diagonal of the
 * matrix, eigenvectors as rows. */
static void find_eigenvectors(double *matrix, double *vector)
{
    enum { MAX_SWEEPS = 30 }; /* converges quadratically, in 6 to 8 */
    for (int i = 0; i < 36; i++) {
        vector[i] = i % 7 == 0 ? 1.0 : 0.0;
    }
    for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
        double off = 0.0, scale = 0.0;
        for (int i = 0; i < 36; i++) {
            const double square = matrix[i] * matrix[i];
            off += i % 7 == 0 ? 0.0 : square;
            scale += square;
        }
        if (off <= 1e-30 * scale) {
            return;
        }
        for (int p = 0; p < 6; p++) {
            for (int q = p + 1; q < 6; q++) {
                if (matrix[6 * p + q] != 0.0) {
                    rotate_pair(p, q, matrix, vector);
                }
            }
        }
    }
}

/* A bound from below for the least eigenvalue: the determinant over the product of the other five,
 * which is at most (trace / 5)^5. A hundredth of the work of the eigenvalues; 0 where a pivot is
 * lost to rounding. */
static double min_eigenvalue_bound(const double gram[36])
{
    double a[36], trace = 0.0, bound = 1.0;
    memcpy(a, gram, sizeof a);
    for (int k = 0; k < 6; k++) {
        trace += gram[7 * k];
    }
    for (int k = 0; k < 6; k++) {
        const double pivot = a[7 * k];
        if (!(pivot > 1e-8 * trace)) {
            return 0.0;
        }
        bound *= k < 5 ? pivot / (trace / 5.0) : pivot;
        for (int i = k + 1; i < 6; i++) {
            for (int j = k + 1; j < 6; j++) {
                a[6 * i + j] -= a[6 * i + k] * a[6 * k + j] / pivot;
            }
        }
    }
    return bound;
}

/* gram += that of rows without constraints: how many, the sum of their places, and of products
 * xx yy zz xy yz zx of these. */
static void add_moments(double n, const double sum[3], const double product[6], double gram[36])
{
    const double trace = product[0] + product[1] + product[2];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        gram[7 * i] += n;
        gram[6 * i + 3 + j] += sum[k];
        gram[6 * i + 3 + k] -= sum[j];
        gram[6 * (3 + j) + i] += sum[k];
        gram[6 * (3 + k) + i] -= sum[j];
        gram[7 * (3 + i)] += trace - product[i];
        gram[6 * (3 + i) + 3 + j] -= product[3 + i];
        gram[6 * (3 + j) + 3 + i] -= product[3 + i];
    }
}

/* normal: its oblique directions, or null. */
static void add_constrained_row(const double d[3], unsigned fixed, const double *normal,
                                double gram[36])
{
    double mode[3][6] = {{1.0, 0.0, 0.0, 0.0, d[2], -d[1]},
                         {0.0, 1.0, 0.0, -d[2], 0.0, d[0]},
                         {0.0, 0.0, 1.0, d[1], -d[0], 0.0}};
    for (int k = 0; k < 6 && normal; k++) {
        ew_take_out_normals(normal, &mode[0][k], 6);
    }
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 36 && !(fixed >> c & 1); k++) {
            gram[k] += mode[c][k / 6] * mode[c][k % 6];
        }
    }
}

int32_t ew_form_gram(const ew_fine_level *fine, const ew_aggregates *aggregates, int32_t aggregate,
                     double gram[36])
{
    const ew_rows *rows = &aggregates->member;
    double sum[3] = {0.0}, product[6] = {0.0};
    int32_t n_free = 0, n_part = 0;
    memset(gram, 0, 36 * sizeof *gram);
    for (int32_t i = 0; i < rows->count[aggregate]; i++) {
        const int32_t row = rows->item[(size_t)rows->begin[aggregate] + (size_t)i];
        double d[3];
        ew_aggregate_place(aggregates, aggregate, fine->xyz + 3 * (size_t)row, d);
        if (fine->fixed[row]) {
            n_part += fine->fixed[row] != 7;
            add_constrained_row(d, fine->fixed[row], ew_fine_normal(fine, row), gram);
            continue;
        }
        n_free++;
        for (int c = 0; c < 3; c++) {
            sum[c] += d[c];
            product[c] += d[c] * d[c];
            product[3 + c] += d[c] * d[(c + 1) % 3];
        }
    }
    add_moments(n_free, sum, product, gram);
    return n_free + n_part;
}

int ew_penalize_by_gram(double gram[36], int32_t n, const double block[36], double to[36])
{
    double vector[36], largest = 0.0;
    int n_null = 0;
    memcpy(to, block, 36 * sizeof *to);
    const double min = NULL_SHARE * n;
    if (n > 0 && min_eigenvalue_bound(gram) > min) {
        return 0;
    }
    for (int i = 0; i < 6; i++) {
        largest = fmax(largest, block[7 * i]);
    }
    largest = largest > 0.0 ? largest : 1.0;
    find_eigenvectors(gram, vector);
    for (int k = 0; k < 6; k++) {
        if (gram[7 * k] > min) {
            continue;
        }
        n_null++;
        for (int i = 0; i < 36; i++) {
            to[i] += largest * vector[6 * k + i / 6] * vector[6 * k + i % 6];
        }
    }
    return n_null;
}

int ew_penalize_null_modes(const ew_fine_level *fine, const ew_aggregates *aggregates,
                           int32_t aggregate, const double block[36], double to[36])
{
    double gram[36];
    const int32_t n = ew_form_gram(fine, aggregates, aggregate, gram);
    return ew_penalize_by_gram(gram, n, block, to);
}
