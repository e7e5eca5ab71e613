/* Eigenpairs by ARPACK-NG: implicitly restarted Lanczos (Lehoucq, Sorensen & Yang 1998), which asks
 * for products and solves by reverse communication. In: functions. Out: pairs in order. A Lanczos
 * process sees of equal eigenvalues one, and the others only by rounding; so what it found is
 * checked: inverse iteration apart from it must not lead to more. */
#include "cholesky.h"

#include <arpack/arpack.h>
#include <math.h>
#include <string.h>

enum { MAX_RESTARTS = 100, EXTRA = 20, N_CHECK = 12, MAX_TRIES = 4 };
/* Of a vector; eigenvalues are as good as the square of it. */
#define TOLERANCE 1e-12

typedef struct arpack {
    const ew_eigen_problem *problem;
    int32_t count, n_vector; /* pairs, vectors of the process */
    double *start, *basis, *work, *small, *theta, *found, *image;
    int *chosen;
    int32_t n_solve;
    uint64_t random;
} arpack;

static ew_status make_room(arpack *in)
{
    const size_t n = (size_t)in->problem->n, m = (size_t)in->n_vector;
    EW_TRY(ew_new(&in->start, n, sizeof(double)));
    EW_TRY(ew_new(&in->image, 2 * n, sizeof(double)));
    EW_TRY(ew_new(&in->basis, n * m, sizeof(double)));
    EW_TRY(ew_new_zero(&in->work, 3 * n, sizeof(double)));
    EW_TRY(ew_new(&in->small, m * m + 8 * m, sizeof(double)));
    EW_TRY(ew_new(&in->theta, m, sizeof(double)));
    EW_TRY(ew_new(&in->found, n * (size_t)in->count, sizeof(double)));
    return ew_new(&in->chosen, m, sizeof(int));
}

static void give_room(arpack *in)
{
    ew_release(in->start);
    ew_release(in->image);
    ew_release(in->basis);
    ew_release(in->work);
    ew_release(in->small);
    ew_release(in->theta);
    ew_release(in->found);
    ew_release(in->chosen);
}

/* y = T x */
static void transform(arpack *in, const double *x, double *y)
{
    const ew_eigen_problem *of = in->problem;
    (of->image ? of->image : of->inner)(of->user, x, in->image);
    of->solve(of->user, in->image, y);
    in->n_solve++;
}

/* In the range of T. */
static void start_anywhere(arpack *in, double *vector)
{
    double *x = in->image + in->problem->n;
    for (int32_t i = 0; i < in->problem->n; i++) {
        in->random = in->random * 6364136223846793005U + 1442695040888963407U;
        x[i] = (double)(in->random >> 40) / 16777216.0 - 0.5;
    }
    transform(in, x, vector);
}

/* ---- the process -------------------------------------------------------------------- */

static ew_status answer(arpack *in, int ido, const int *place)
{
    const ew_eigen_problem *of = in->problem;
    double *x = in->work + place[0] - 1, *y = in->work + place[1] - 1;
    if (ido == 2) {
        of->inner(of->user, x, y);
    } else if (ido == 1 && !of->image) {
        of->solve(of->user, in->work + place[2] - 1, y); /* B x is there */
        in->n_solve++;
    } else {
        transform(in, x, y);
    }
    return ew_progress_report(&of->progress, "eigenvalues", -1);
}

static ew_status fail(int info, const char *what)
{
    return ew_fail(
        EW_NOT_CONVERGED,
        "eigenvalues: %s ended with %d of ARPACK; ask for fewer, or see whether the body "
        "has stiffness and mass everywhere",
        what, info);
}

static ew_status iterate(arpack *in)
{
    const ew_eigen_problem *of = in->problem;
    const int n = of->n, m = in->n_vector, n_small = m * m + 8 * m;
    int ido = 0, info = 1, place[11] = {0};
    int setting[11] = {1, 0, MAX_RESTARTS, 1, 0, 0, 3};
    for (;;) {
        dsaupd_c(&ido, "G", n, "LM", in->count, TOLERANCE, in->start, m, in->basis, n, setting,
                 place, in->work, in->small, n_small, &info);
        if (ido != -1 && ido != 1 && ido != 2) {
            break;
        }
        EW_TRY(answer(in, ido, place));
    }
    if (info || setting[4] < in->count) {
        return fail(info, "the iteration");
    }
    dseupd_c(1, "A", in->chosen, in->theta, in->found, n, 0.0, "G", n, "LM", in->count, TOLERANCE,
             in->start, m, in->basis, n, setting, place, in->work, in->small, n_small, &info);
    return info ? fail(info, "what it found") : EW_OK;
}

/* ---- in order, of length 1 -------------------------------------------------------------- */

static double dot(const arpack *in, const double *x, const double *y)
{
    double sum = 0.0;
    for (int32_t i = 0; i < in->problem->n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* ARPACK gives 1 / theta, in an order of its own. */
static void put_in_order(arpack *in, double *theta, double *vector)
{
    const size_t n = (size_t)in->problem->n;
    for (int32_t k = 0; k < in->count; k++) {
        const double value = 1.0 / in->theta[k];
        int32_t at = k;
        for (; at > 0 && fabs(value) > fabs(theta[at - 1]); at--) {
            theta[at] = theta[at - 1];
            in->chosen[at] = in->chosen[at - 1];
        }
        theta[at] = value;
        in->chosen[at] = k;
    }
    for (int32_t k = 0; k < in->count; k++) {
        const double *x = in->found + n * (size_t)in->chosen[k];
        in->problem->inner(in->problem->user, x, in->image);
        const double factor = 1.0 / sqrt(dot(in, x, in->image));
        for (size_t i = 0; i < n; i++) {
            vector[n * (size_t)k + i] = factor * x[i];
        }
    }
}

/* ---- the check ----------------------------------------------------------------------------- */

/* Takes out of x what is along the pairs; returns x . B x. */
static double leave(arpack *in, const double *vector, double *x)
{
    const size_t n = (size_t)in->problem->n;
    double square = 0.0;
    for (int twice = 0; twice < 2; twice++) {
        in->problem->inner(in->problem->user, x, in->image);
        for (int32_t k = 0; k < in->count; k++) {
            const double along = dot(in, vector + n * (size_t)k, in->image);
            for (size_t i = 0; i < n; i++) {
                x[i] -= along * vector[n * (size_t)k + i];
            }
        }
    }
    in->problem->inner(in->problem->user, x, in->image);
    square = dot(in, x, in->image);
    return square;
}

/* Whether a power iteration of T apart from the pairs finds one that belongs before the last of
 * them. start: then holds a vector that has it. */
static bool has_missed(arpack *in, const double *theta, const double *vector)
{
    const size_t n = (size_t)in->problem->n;
    double *y = in->image + n, least = fabs(theta[in->count - 1]), value = 0.0;
    start_anywhere(in, in->start);
    for (int step = 0; step < N_CHECK; step++) {
        const double square = leave(in, vector, in->start);
        if (!(square > 0.0)) {
            return false;
        }
        for (size_t i = 0; i < n; i++) {
            in->start[i] /= sqrt(square);
        }
        transform(in, in->start, y);
        in->problem->inner(in->problem->user, in->start, in->image);
        value = fabs(dot(in, y, in->image));
        memcpy(in->start, y, n * sizeof *y);
    }
    return value > least * (1.0 + 1e-6);
}

static ew_status solve(arpack *in, double *theta, double *vector)
{
    EW_TRY(make_room(in));
    start_anywhere(in, in->start);
    for (int k = 0; k < MAX_TRIES; k++) {
        EW_TRY(iterate(in));
        put_in_order(in, theta, vector);
        if (!has_missed(in, theta, vector)) {
            return EW_OK;
        }
        for (int32_t j = 0; j < in->count; j++) { /* once more, from a vector that has them all */
            const double *x = vector + (size_t)in->problem->n * (size_t)j;
            for (int32_t i = 0; i < in->problem->n; i++) {
                in->start[i] += x[i] * fabs(theta[j]);
            }
        }
    }
    return ew_fail(EW_NOT_CONVERGED, "eigenvalues: one of several equal ones is not found; ask for "
                                     "one more or one fewer");
}

ew_status ew_eigen_solve(const ew_eigen_problem *problem, int32_t count, double *theta,
                         double *vector, int32_t *n_solve)
{
    if (count < 1 || count >= problem->n_free) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "eigenvalues: %d are asked for; it must be from 1 to %d, for %d components "
                       "are free",
                       count, problem->n_free - 1, problem->n_free);
    }
    const int32_t most = 2 * count > count + EXTRA ? 2 * count : count + EXTRA;
    arpack in = {.problem = problem,
                 .count = count,
                 .n_vector = most < problem->n_free ? most : problem->n_free,
                 .random = 88172645463325252U};
    const int threads = cholesky_blas_alone();
    const ew_status status = solve(&in, theta, vector);
    cholesky_blas_restore(threads);
    *n_solve = in.n_solve;
    give_room(&in);
    return status;
}
