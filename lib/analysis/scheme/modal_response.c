/* What vibration modes do under a harmonic force, a response spectrum or a random motion of the
 * supports. In: frequencies, damping, modal forces or participation. Out: columns of modal
 * amplitudes, q_1, q_2, ..., such that the amplitude, the combined maximum or the root mean square
 * of any linear result with the modal values r is the root of the sum of the squares (r . q_i)^2.
 *
 * Each mode is an oscillator q'' + 2 z w q' + w^2 q = f, f the modal force or -participation times
 * the acceleration of the supports.
 *   harmonic: q = f / (w_k^2 - w^2 + 2 i z w_k w), and what Rayleigh and structural damping add;
 *             columns are its real and imaginary part;
 *   spectrum: the largest q is participation S(f_k) / w_k^2; modes are combined with the
 *             correlation of Der Kiureghian 1981, eq. 10 (CQC), or none (SRSS);
 *   random:   covariance of q_i and q_j, the integral over f of S(f) Re(h_i conj(h_j)) with
 *             h = participation / (w_k^2 - w^2 + 2 i z w_k w) (Newland 1993, chapter 7). */
#include "analysis/parts/analysis.h"

#include <math.h>
#include <stdlib.h>

static const double two_pi = 6.283185307179586;

/* Straight between two points of a table in logarithms of both, else as it is. Beyond the ends:
 * that of the nearest end, or nothing. */
double ew_table_value(int32_t n, const double (*table)[2], double x, bool extends)
{
    if (x <= table[0][0] || x >= table[n - 1][0]) {
        const int32_t end = x <= table[0][0] ? 0 : n - 1;
        return extends || x == table[end][0] ? table[end][1] : 0.0;
    }
    int32_t k = 1;
    while (table[k][0] < x) {
        k++;
    }
    const double *a = table[k - 1], *b = table[k];
    if (a[0] > 0.0 && a[1] > 0.0 && b[1] > 0.0) {
        return a[1] * exp(log(b[1] / a[1]) * log(x / a[0]) / log(b[0] / a[0]));
    }
    return a[1] + (b[1] - a[1]) * (x - a[0]) / (b[0] - a[0]);
}

void ew_damping_factors(const ew_damping *damping, double frequency, double a[2], double b[2])
{
    const double w = two_pi * frequency;
    a[0] = 1.0;
    a[1] = damping->structural + w * damping->stiffness;
    b[0] = -w * w;
    b[1] = w * damping->mass;
}

/* Of a unit force; re, im. */
static void transfer(const ew_modal *of, int32_t k, double frequency, double h[2])
{
    const double own = two_pi * of->frequency[k];
    double a[2], b[2];
    ew_damping_factors(&of->more, frequency, a, b);
    const double real = own * own + b[0];
    const double imaginary = 2.0 * of->damping * own * two_pi * frequency + a[1] * own * own + b[1];
    const double square = real * real + imaginary * imaginary;
    h[0] = real / square;
    h[1] = -imaginary / square;
}

void ew_modal_harmonic(const ew_modal *of, const double *force, double frequency, double *column)
{
    for (int32_t k = 0; k < of->n; k++) {
        double h[2];
        transfer(of, k, frequency, h);
        column[k] = force[k] * h[0];
        column[of->n + k] = force[k] * h[1];
    }
}

/* Columns of a symmetric matrix, positive semidefinite but for rounding, that it is the sum of:
 * Cholesky's with the largest pivot next, until what is left is rounding. The matrix is lost. How
 * many. */
static int32_t factor(int32_t n, double *matrix, double *column)
{
    double first = 0.0;
    int32_t rank = 0;
    for (; rank < n; rank++) {
        int32_t p = 0;
        for (int32_t i = 1; i < n; i++) {
            p = matrix[i * n + i] > matrix[p * n + p] ? i : p;
        }
        const double pivot = matrix[p * n + p];
        first = rank == 0 ? pivot : first;
        if (!(pivot > 1e-14 * first)) {
            break;
        }
        double *to = column + (size_t)rank * (size_t)n;
        for (int32_t i = 0; i < n; i++) {
            to[i] = matrix[i * n + p] / sqrt(pivot);
        }
        for (int32_t i = 0; i < n; i++) {
            for (int32_t j = 0; j < n; j++) {
                matrix[i * n + j] -= to[i] * to[j];
            }
        }
    }
    return rank;
}

/* 1 of a mode with itself. */
static double correlation(double a, double b, double damping)
{
    const double r = a / b, z = damping * damping, d = 1.0 - r * r;
    return 8.0 * z * (1.0 + r) * r * sqrt(r) / (d * d + 4.0 * z * r * (1.0 + r) * (1.0 + r));
}

ew_status ew_modal_spectrum(const ew_modal *of, const double *participation, int32_t n_point,
                            const double (*table)[2], bool correlated, double *column,
                            int32_t *n_column)
{
    const int32_t n = of->n;
    double *matrix = NULL, *q = NULL;
    ew_status status = ew_new(&q, (size_t)n, sizeof *q);
    status = status ? status : ew_new_zero(&matrix, (size_t)n * (size_t)n, sizeof *matrix);
    for (int32_t k = 0; k < n && !status; k++) {
        const double w = two_pi * of->frequency[k];
        q[k] = participation[k] * ew_table_value(n_point, table, of->frequency[k], true) / (w * w);
    }
    for (int32_t i = 0; i < n * n && !status; i++) {
        const int32_t a = i / n, b = i % n;
        const double with = a == b ? 1.0
                            : correlated
                                ? correlation(of->frequency[a], of->frequency[b], of->damping)
                                : 0.0;
        matrix[i] = with * q[a] * q[b];
    }
    if (!status) {
        *n_column = factor(n, matrix, column);
    }
    ew_release(matrix);
    ew_release(q);
    return status;
}

/* ---- random ------------------------------------------------------------------------------- */

/* Gauss-Legendre points of [-1, 1]. */
enum { POINTS = 5 };
static const double place[POINTS] = {-0.9061798459386640, -0.5384693101056831, 0.0,
                                     0.5384693101056831, 0.9061798459386640};
static const double weight[POINTS] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                      0.4786286704993665, 0.2369268850561891};

static void add_interval(const ew_modal *of, int32_t n_point, const double (*table)[2], double low,
                         double high, double *h, double *matrix)
{
    const int32_t n = of->n;
    for (int g = 0; g < POINTS; g++) {
        const double f = 0.5 * (low + high) + 0.5 * (high - low) * place[g];
        const double part =
            0.5 * (high - low) * weight[g] * ew_table_value(n_point, table, f, false);
        for (int32_t k = 0; k < n; k++) {
            transfer(of, k, f, h + 2 * (size_t)k);
        }
        for (int32_t i = 0; i < n * n; i++) {
            const double *a = h + 2 * (size_t)(i / n), *b = h + 2 * (size_t)(i % n);
            matrix[i] += part * (a[0] * b[0] + a[1] * b[1]);
        }
    }
}

/* Distances from a mode's frequency, in half widths of its peak, at which intervals end. */
static const double steps[] = {0.5,   1.0,  1.5,  2.0,   3.0,   4.5,   7.0,   11.0,  16.0,  24.0,
                               36.0,  54.0, 80.0, 120.0, 180.0, 270.0, 400.0, 600.0, 900.0, 1.5e3,
                               2.5e3, 4e3,  7e3,  1.2e4, 2.5e4, 5e4,   1e5,   2e5,   5e5};
enum { STEPS = sizeof steps / sizeof *steps };

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Ends of intervals within the table: its points and what lies between them, and around modes. */
static int32_t list_ends(const ew_modal *of, int32_t n_point, const double (*table)[2], double *end)
{
    enum { PARTS = 8 };
    const double low = table[0][0], high = table[n_point - 1][0];
    int32_t n = 0;
    for (int32_t k = 0; k < n_point; k++) {
        for (int i = 0; i < (k + 1 < n_point ? PARTS : 1); i++) {
            end[n++] =
                table[k][0] + (k + 1 < n_point ? (table[k + 1][0] - table[k][0]) * i / PARTS : 0.0);
        }
    }
    for (int32_t k = 0; k < of->n; k++) {
        const double f = of->frequency[k];
        for (int s = -STEPS; s <= STEPS; s++) {
            const double by = s ? (s < 0 ? -steps[-s - 1] : steps[s - 1]) * of->damping * f : 0.0;
            if (f + by > low && f + by < high) {
                end[n++] = f + by;
            }
        }
    }
    qsort(end, (size_t)n, sizeof *end, compare);
    return n;
}

ew_status ew_modal_random(const ew_modal *of, const double *participation, int32_t n_point,
                          const double (*table)[2], double *column, int32_t *n_column)
{
    const int32_t n = of->n;
    double *end = NULL, *h = NULL, *matrix = NULL;
    const size_t n_end = 8 * (size_t)n_point + (size_t)n * (2 * STEPS + 1);
    ew_status status = ew_new(&end, n_end, sizeof *end);
    status = status ? status : ew_new(&h, 2 * (size_t)n, sizeof *h);
    status = status ? status : ew_new_zero(&matrix, (size_t)n * (size_t)n, sizeof *matrix);
    if (!status) {
        const int32_t n_own = list_ends(of, n_point, table, end);
        for (int32_t i = 0; i + 1 < n_own; i++) {
            if (end[i + 1] > end[i]) {
                add_interval(of, n_point, table, end[i], end[i + 1], h, matrix);
            }
        }
        for (int32_t i = 0; i < n * n; i++) {
            matrix[i] *= participation[i / n] * participation[i % n];
        }
        *n_column = factor(n, matrix, column);
    }
    ew_release(end);
    ew_release(h);
    ew_release(matrix);
    return status;
}
