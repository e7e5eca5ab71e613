/* Eigenpairs by ARPACK-NG: implicitly restarted Lanczos (Lehoucq, Sorensen & Yang 1998), which asks
 * for products and solves by reverse communication. In: functions. Out: pairs in order. A Lanczos
 * process sees of equal eigenvalues one, and the others only by rounding; so what it found is
 * checked: a process apart from it must not lead to more. Where it does, as in bodies of equal
 * parts, it finds one more of each, until there are no more. */
#include "solver/cholmod.h"
#include "solver/direct/cholesky.h"

#include <arpack/arpack.h>
#include <math.h>
#include <string.h>

enum { MAX_RESTARTS = 100, EXTRA = 20, MAX_TRIES = 64, MORE = 8 };
/* Of a vector; eigenvalues are as good as the square of it. */
#define TOLERANCE 1e-12
/* So that an eigenvalue is seen to 1e-8. */
#define ROUGHLY 1e-4

typedef struct arpack {
    const ew_eigen_problem *problem;
    int32_t count;              /* pairs */
    int32_t n_wanted, n_vector; /* of a process: pairs, vectors, */
    double tolerance;           /* and this */
    const double *known;        /* [count][n] or null: what it is kept apart from */
    double *start, *basis, *work, *small, *theta, *found, *image;
    double *more, more_theta[MORE]; /* [MORE][n]: what one apart from the pairs found */
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
    EW_TRY(ew_new(&in->more, n * MORE, sizeof(double)));
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
    ew_release(in->more);
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

static double dot(const arpack *in, const double *x, const double *y)
{
    double sum = 0.0;
    for (int32_t i = 0; i < in->problem->n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* Takes out of x what is along the pairs; returns x . B x. */
static double project_out_pairs(arpack *in, const double *vector, double *x)
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

/* ---- the process -------------------------------------------------------------------- */

static ew_status answer_arpack(arpack *in, int ido, const int *place)
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
    if (ido != 2 && in->known) {
        (void)project_out_pairs(in, in->known, y);
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
        dsaupd_c(&ido, "G", n, "LM", in->n_wanted, in->tolerance, in->start, m, in->basis, n,
                 setting, place, in->work, in->small, n_small, &info);
        if (ido != -1 && ido != 1 && ido != 2) {
            break;
        }
        EW_TRY(answer_arpack(in, ido, place));
    }
    if (info || setting[4] < in->n_wanted) {
        return fail(info, "the iteration");
    }
    dseupd_c(1, "A", in->chosen, in->theta, in->found, n, 0.0, "G", n, "LM", in->n_wanted,
             in->tolerance, in->start, m, in->basis, n, setting, place, in->work, in->small,
             n_small, &info);
    return info ? fail(info, "what it found") : EW_OK;
}

/* ---- in order, of length 1 -------------------------------------------------------------- */

/* ARPACK gives 1 / theta, in an order of its own. */
static void put_in_order(arpack *in, double *theta, double *vector)
{
    const size_t n = (size_t)in->problem->n;
    for (int32_t k = 0; k < in->n_wanted; k++) {
        const double value = 1.0 / in->theta[k];
        int32_t at = k;
        for (; at > 0 && fabs(value) > fabs(theta[at - 1]); at--) {
            theta[at] = theta[at - 1];
            in->chosen[at] = in->chosen[at - 1];
        }
        theta[at] = value;
        in->chosen[at] = k;
    }
    for (int32_t k = 0; k < in->n_wanted; k++) {
        const double *x = in->found + n * (size_t)in->chosen[k];
        in->problem->inner(in->problem->user, x, in->image);
        const double factor = 1.0 / sqrt(dot(in, x, in->image));
        for (size_t i = 0; i < n; i++) {
            vector[n * (size_t)k + i] = factor * x[i];
        }
    }
}

/* ---- the check ----------------------------------------------------------------------------- */

/* The largest pairs apart from those that are known into `more`, by a process from `start`. */
static ew_status look_apart(arpack *in, int32_t max, double tolerance, const double *vector)
{
    const int32_t rest = in->problem->n_free - in->count;
    const int32_t wanted = in->count < max ? in->count : max;
    (void)project_out_pairs(in, vector, in->start);
    in->n_wanted = wanted < rest ? wanted : rest - 1;
    in->n_vector = in->n_wanted + EXTRA < rest ? in->n_wanted + EXTRA : rest;
    in->tolerance = tolerance;
    if (rest == 1) { /* what is left is the pair */
        double *y = in->image + in->problem->n;
        in->n_wanted = 1;
        const double square = project_out_pairs(in, vector, in->start);
        transform(in, in->start, y);
        in->problem->inner(in->problem->user, in->start, in->image);
        in->theta[0] = square / dot(in, y, in->image);
        memcpy(in->found, in->start, (size_t)in->problem->n * sizeof *in->found);
        in->chosen[0] = 0;
    } else {
        in->known = vector;
        EW_TRY(iterate(in));
        in->known = NULL;
    }
    put_in_order(in, in->more_theta, in->more);
    return EW_OK;
}

/* A pair takes its place, and the last one is gone. */
static void insert(arpack *in, double value, const double *x, double *theta, double *vector)
{
    const size_t n = (size_t)in->problem->n;
    int32_t at = in->count - 1;
    for (; at > 0 && fabs(value) > fabs(theta[at - 1]); at--) {
        theta[at] = theta[at - 1];
        memcpy(vector + n * (size_t)at, vector + n * (size_t)(at - 1), n * sizeof *vector);
    }
    theta[at] = value;
    memcpy(vector + n * (size_t)at, x, n * sizeof *vector);
}

/* Whether one belongs before the last of the pairs; `start` then has it. */
static ew_status look_for_missed(arpack *in, const double *theta, const double *vector,
                                 bool *has_missed)
{
    start_anywhere(in, in->start);
    EW_TRY(look_apart(in, 1, ROUGHLY, vector));
    memcpy(in->start, in->more, (size_t)in->problem->n * sizeof *in->start);
    *has_missed = fabs(in->more_theta[0]) > fabs(theta[in->count - 1]) * (1.0 + 1e-6);
    return EW_OK;
}

static ew_status solve(arpack *in, double *theta, double *vector)
{
    bool has_missed;
    EW_TRY(make_room(in));
    start_anywhere(in, in->start);
    EW_TRY(iterate(in));
    put_in_order(in, theta, vector);
    EW_TRY(look_for_missed(in, theta, vector, &has_missed));
    for (int try = 0; has_missed; try++) {
        if (try == MAX_TRIES) {
            return ew_fail(EW_NOT_CONVERGED,
                           "eigenvalues: one of several equal ones is not found; ask for one more "
                           "or one fewer");
        }
        EW_TRY(look_apart(in, MORE, TOLERANCE, vector));
        for (int32_t k = 0; k < in->n_wanted; k++) {
            if (fabs(in->more_theta[k]) > fabs(theta[in->count - 1])) {
                insert(in, in->more_theta[k], in->more + (size_t)in->problem->n * (size_t)k, theta,
                       vector);
            }
        }
        EW_TRY(look_for_missed(in, theta, vector, &has_missed));
    }
    return EW_OK;
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
                 .n_wanted = count,
                 .tolerance = TOLERANCE,
                 .n_vector = most < problem->n_free ? most : problem->n_free,
                 .random = 88172645463325252U};
    EW_TRY(cholesky_blas_reserve());
    const int threads = cholesky_blas_alone();
    const ew_status status = solve(&in, theta, vector);
    cholesky_blas_restore(threads);
    *n_solve = in.n_solve;
    give_room(&in);
    return status;
}
