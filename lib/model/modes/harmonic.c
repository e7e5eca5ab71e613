/* Harmonic response of a model without its modes. In: stiffness, mass, damping, supports, a load
 * that varies as a cosine, frequencies. Out: at each frequency the complex amplitude u of
 *
 *     A u = f,   A = (1 + i (eta + w beta)) K + (i w alpha - w^2) M
 *
 * w the angular frequency, alpha and beta of Rayleigh damping, eta of structural damping. Above the
 * first frequency the real part of A is indefinite, which a Cholesky factor cannot be of; K + s M
 * with s about the square of the highest w is positive definite, and one factor of it serves all
 * frequencies (Meerbergen 2003, section 3). The answer is a sum of vectors that (K + s M)^-1 makes
 * of residuals and of M times the vector before, orthonormal in K + s M, with coefficients by
 * Galerkin's condition; vectors are added until the residual, formed again, is below the tolerance,
 * and serve the frequencies after it. With damping of these kinds this is Lanczos' method; the
 * number of vectors follows that of the modes up to about the highest frequency. */
#include "model/modes/pencil.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A vector of which orthogonalization leaves less than this share is none: one that a residual
 * made is orthogonal to all before it but for the residual's other part, */
#define PARALLEL 1e-6
/* and one that M times the vector before made may have little that is new. */
#define NOTHING_NEW 1e-10
/* Of rounding in a residual, in eps |K| |u|, as that of a mode (modes.c). */
#define ROUNDING_SHARE 10.0
/* Where equations take all of a load, their projection leaves rounding, less than this share. */
#define TAKEN_SHARE 1e-12

typedef struct harmonic {
    pencil base;
    const ew_harmonic_def *def;
    ew_matrix mass, shifted;
    double shift, k_norm;
    int32_t n_lift;                      /* 1: the first vector is the motion of the supports */
    int32_t n;                           /* vectors behind it */
    int32_t vector_capacity, n_capacity; /* of all vectors; of what is kept for each */
    int32_t k_capacity, m_capacity, system_capacity;
    double *k, *m;       /* packed lower triangles: v_i . K v_j and v_i . M v_j, owned */
    double *side;        /* [n][3] owned: v . f, v . K e, v . M e of the lift e */
    double *system;      /* [n][2 n + 2] owned: of the reduced system, and its answer */
    double *room;        /* [9][size] owned: */
    double *f, *ke, *me; /* load, K e and M e without what is prescribed */
    double *z, *kz, *mz; /* a new vector and its products */
    double *u, *r[2];    /* a part of the answer, the residual */
    double reference;    /* |f - a K e - b M e| at this frequency */
    double a[2], b[2];   /* A = a K + b M there */
    ew_harmonic out;
} harmonic;

ew_harmonic_def ew_default_harmonic_def(void)
{
    return (ew_harmonic_def){.mass = EW_MASS_CONSISTENT, .tolerance = 1e-8, .max_vectors = 2000};
}

static ew_status check(const ew_model *model, const ew_harmonic_def *def)
{
    for (int32_t k = 0; k < def->n_frequency; k++) {
        if (!(def->frequency[k] > 0.0) || !isfinite(def->frequency[k])) {
            return ew_fail(EW_BAD_ARGUMENT, "harmonic: frequency %d is %g; it must be above 0",
                           (int)k, def->frequency[k]);
        }
    }
    if (def->n_frequency < 1 || !(def->damping.mass >= 0.0) || !(def->damping.stiffness >= 0.0) ||
        !(def->damping.structural >= 0.0) || !(def->tolerance > 0.0) || def->max_vectors < 1) {
        return ew_fail(EW_BAD_ARGUMENT, "harmonic: it takes a frequency, damping >= 0, a tolerance "
                                        "> 0 and at least one vector");
    }
    return model_need_linear(model, "harmonic: answers add up in a linear theory alone; use "
                                    "'kinematics: small' and a linear elastic material");
}

/* ---- vectors -------------------------------------------------------------------------- */

static double *vector_at(const harmonic *in, int32_t k)
{
    return in->out.vector + (size_t)(in->n_lift + k) * pencil_size(&in->base);
}

static void find_products(harmonic *in, const double *x, double *kx, double *mx)
{
    pencil_product(&in->base, in->base.stiffness, x, kx);
    pencil_product(&in->base, &in->mass, x, mx);
}

/* Takes the parts of z along the vectors out of it. */
static void orthogonalize(harmonic *in)
{
    const size_t n = pencil_size(&in->base);
    find_products(in, in->z, in->kz, in->mz);
    for (size_t i = 0; i < n; i++) {
        in->kz[i] += in->shift * in->mz[i];
    }
    for (int32_t k = 0; k < in->n; k++) {
        const double *v = vector_at(in, k), along = pencil_dot(&in->base, v, in->kz);
        for (size_t i = 0; i < n; i++) {
            in->z[i] -= along * v[i];
        }
    }
}

static double norm_of(harmonic *in)
{
    find_products(in, in->z, in->kz, in->mz);
    return sqrt(fmax(pencil_dot(&in->base, in->z, in->kz) +
                         in->shift * pencil_dot(&in->base, in->z, in->mz),
                     0.0));
}

static ew_status make_room_for_vector(harmonic *in)
{
    const int64_t n = in->n, rows = in->n_lift + n + 1;
    EW_TRY(ew_grow(&in->out.vector, &in->vector_capacity, rows,
                   pencil_size(&in->base) * sizeof(double)));
    EW_TRY(ew_grow(&in->k, &in->k_capacity, (n + 1) * (n + 2) / 2, sizeof(double)));
    EW_TRY(ew_grow(&in->m, &in->m_capacity, (n + 1) * (n + 2) / 2, sizeof(double)));
    return ew_grow(&in->side, &in->n_capacity, n + 1, 3 * sizeof(double));
}

/* z as one more vector; *taken: there is something new in it. */
static ew_status append(harmonic *in, double least, bool *taken)
{
    const size_t n = pencil_size(&in->base);
    const double before = norm_of(in);
    *taken = false;
    orthogonalize(in);
    orthogonalize(in);
    const double after = norm_of(in);
    if (!(after > least * before) || in->base.status) {
        return in->base.status;
    }
    EW_TRY(make_room_for_vector(in));
    for (size_t i = 0; i < n; i++) {
        in->z[i] /= after;
        in->kz[i] /= after;
        in->mz[i] /= after;
    }
    double *k = in->k + (size_t)in->n * ((size_t)in->n + 1) / 2;
    double *m = in->m + (size_t)in->n * ((size_t)in->n + 1) / 2;
    memcpy(vector_at(in, in->n), in->z, n * sizeof *in->z);
    for (int32_t i = 0; i <= in->n; i++) {
        k[i] = pencil_dot(&in->base, vector_at(in, i), in->kz);
        m[i] = pencil_dot(&in->base, vector_at(in, i), in->mz);
    }
    double *side = in->side + 3 * (size_t)in->n;
    side[0] = pencil_dot(&in->base, in->z, in->f);
    side[1] = pencil_dot(&in->base, in->z, in->ke);
    side[2] = pencil_dot(&in->base, in->z, in->me);
    in->n++;
    *taken = true;
    return EW_OK;
}

static void solve(harmonic *in, const double *x)
{
    pencil_solve(&in->base, x, in->z);
    in->out.n_solve++;
}

/* The residual's parts, then what M makes of the last vector: the fewer the answer is looked at,
 * the less the reduced systems cost. *grown: a vector came. */
static ew_status extend(harmonic *in, bool *grown)
{
    const int32_t n_before = in->n, n_more = 1 + in->n / 8;
    bool taken = true;
    for (int part = 0; part < 2; part++) {
        if (pencil_dot(&in->base, in->r[part], in->r[part]) > 0.0 && in->n < in->def->max_vectors) {
            solve(in, in->r[part]);
            EW_TRY(append(in, part ? PARALLEL : NOTHING_NEW, &taken));
        }
    }
    taken = in->n > n_before;
    for (int32_t k = 0; k < n_more && taken && in->n < in->def->max_vectors; k++) {
        pencil_product(&in->base, &in->mass, vector_at(in, in->n - 1), in->u);
        solve(in, in->u);
        EW_TRY(append(in, NOTHING_NEW, &taken));
    }
    *grown = in->n > n_before;
    return in->base.status;
}

/* ---- the reduced system -------------------------------------------------------------- */

/* A row of n complex numbers, each its real and imaginary part, less factor times another. */
static void subtract_row(double *row, const double *other, const double factor[2], int32_t n)
{
    for (int32_t j = 0; j < n; j++) {
        row[2 * j] -= factor[0] * other[2 * j] - factor[1] * other[2 * j + 1];
        row[2 * j + 1] -= factor[0] * other[2 * j + 1] + factor[1] * other[2 * j];
    }
}

static void divide(const double x[2], const double y[2], double out[2])
{
    const double square = y[0] * y[0] + y[1] * y[1];
    const double real = (x[0] * y[0] + x[1] * y[1]) / square;
    out[1] = (x[1] * y[0] - x[0] * y[1]) / square;
    out[0] = real;
}

static void swap_rows(double *a, double *b, int32_t n)
{
    for (int32_t j = 0; j < 2 * n; j++) {
        const double at = a[j];
        a[j] = b[j];
        b[j] = at;
    }
}

/* Gauss with the largest pivot of the column next; the answer is left in the last column. */
static void eliminate(double *system, int32_t n)
{
    const size_t width = 2 * (size_t)n + 2;
    for (int32_t c = 0; c < n; c++) {
        double *row = system + width * (size_t)c;
        int32_t best = c;
        for (int32_t i = c; i < n; i++) {
            const double *at = system + width * (size_t)i + 2 * c;
            const double *most = system + width * (size_t)best + 2 * c;
            best = hypot(at[0], at[1]) > hypot(most[0], most[1]) ? i : best;
        }
        if (best != c) {
            swap_rows(row, system + width * (size_t)best, n + 1);
        }
        for (int32_t i = c + 1; i < n; i++) {
            double *other = system + width * (size_t)i, factor[2];
            divide(other + 2 * c, row + 2 * c, factor);
            subtract_row(other + 2 * c, row + 2 * c, factor, n + 1 - c);
        }
    }
    for (int32_t c = n - 1; c >= 0; c--) {
        double *row = system + width * (size_t)c, *x = row + 2 * n;
        divide(x, row + 2 * c, x);
        for (int32_t i = 0; i < c; i++) {
            double *other = system + width * (size_t)i;
            subtract_row(other + 2 * n, x, other + 2 * c, 1);
        }
    }
}

/* Coefficients [2][n] of the vectors, by V^T (A (e + V y) - f) = 0. */
static ew_status reduce(harmonic *in, double *y)
{
    const int32_t n = in->n;
    const size_t width = 2 * (size_t)n + 2;
    EW_TRY(ew_grow(&in->system, &in->system_capacity, (int64_t)n * (int64_t)width, sizeof(double)));
    for (int32_t i = 0; i < n; i++) {
        double *row = in->system + width * (size_t)i;
        const double *side = in->side + 3 * (size_t)i;
        for (int32_t j = 0; j < n; j++) {
            const size_t high = (size_t)(i > j ? i : j), low = (size_t)(i > j ? j : i);
            const double k = in->k[high * (high + 1) / 2 + low];
            const double m = in->m[high * (high + 1) / 2 + low];
            row[2 * j] = in->a[0] * k + in->b[0] * m;
            row[2 * j + 1] = in->a[1] * k + in->b[1] * m;
        }
        row[2 * n] = side[0] - in->a[0] * side[1] - in->b[0] * side[2];
        row[2 * n + 1] = -in->a[1] * side[1] - in->b[1] * side[2];
    }
    eliminate(in->system, n);
    for (int32_t i = 0; i < n; i++) {
        y[i] = in->system[width * (size_t)i + 2 * (size_t)n];
        y[n + i] = in->system[width * (size_t)i + 2 * (size_t)n + 1];
    }
    return EW_OK;
}

/* ---- a frequency ------------------------------------------------------------------------ */

/* r = f - A (e + V y); *u_norm: of V y. */
static void find_residual(harmonic *in, const double *y, double *u_norm)
{
    const size_t n = pencil_size(&in->base);
    double square = 0.0;
    for (size_t i = 0; i < n; i++) {
        in->r[0][i] = in->f[i] - in->a[0] * in->ke[i] - in->b[0] * in->me[i];
        in->r[1][i] = -in->a[1] * in->ke[i] - in->b[1] * in->me[i];
    }
    in->reference =
        sqrt(pencil_dot(&in->base, in->r[0], in->r[0]) + pencil_dot(&in->base, in->r[1], in->r[1]));
    for (int part = 0; part < 2; part++) {
        memset(in->u, 0, n * sizeof *in->u);
        for (int32_t k = 0; k < in->n; k++) {
            const double *v = vector_at(in, k), by = y[part * in->n + k];
            for (size_t i = 0; i < n; i++) {
                in->u[i] += by * v[i];
            }
        }
        square += pencil_dot(&in->base, in->u, in->u);
        find_products(in, in->u, in->kz, in->mz);
        const double sign = part ? -1.0 : 1.0; /* i times i */
        for (size_t i = 0; i < n; i++) {
            in->r[part][i] -= in->a[0] * in->kz[i] + in->b[0] * in->mz[i];
            in->r[!part][i] -= sign * (in->a[1] * in->kz[i] + in->b[1] * in->mz[i]);
        }
    }
    *u_norm = sqrt(square);
}

static ew_status fail_residual(const harmonic *in, int32_t k)
{
    return ew_fail(EW_NOT_CONVERGED,
                   "harmonic: at frequency %g the residual is %.3g after %d vectors, above %.3g; "
                   "%s",
                   in->def->frequency[k], in->out.residual[k], (int)in->n, in->def->tolerance,
                   isfinite(in->out.residual[k])
                       ? "take lower frequencies, or fewer in one step"
                       : "without damping nothing limits a body at a frequency of its own: give "
                         "damping or another frequency");
}

static ew_status find_answer(harmonic *in, int32_t k, double **y, int32_t *y_capacity)
{
    double *residual = &in->out.residual[k];
    bool grown = true;
    ew_damping_factors(&in->def->damping, in->def->frequency[k], in->a, in->b);
    for (;;) {
        double u_norm;
        EW_TRY(ew_grow(y, y_capacity, 2 * (int64_t)in->n + 1, sizeof **y));
        EW_TRY(reduce(in, *y));
        find_residual(in, *y, &u_norm);
        EW_TRY(in->base.status);
        *residual = in->reference > 0.0 ? sqrt(pencil_dot(&in->base, in->r[0], in->r[0]) +
                                               pencil_dot(&in->base, in->r[1], in->r[1])) /
                                              in->reference
                                        : 0.0;
        const double rounding = ROUNDING_SHARE * DBL_EPSILON * hypot(in->a[0], in->a[1]) *
                                in->k_norm * u_norm / in->reference;
        if (*residual <= in->def->tolerance || (in->n && *residual <= rounding)) {
            return EW_OK;
        }
        if (!grown || !isfinite(*residual)) {
            return fail_residual(in, k);
        }
        EW_TRY(extend(in, &grown));
    }
}

/* ---- the call ------------------------------------------------------------------------------ */

static ew_status make_room(harmonic *in)
{
    const size_t n = pencil_size(&in->base);
    double **const each[] = {&in->f,  &in->ke, &in->me,   &in->z,   &in->kz,
                             &in->mz, &in->u,  &in->r[0], &in->r[1]};
    enum { N = sizeof each / sizeof *each };
    EW_TRY(ew_new_zero(&in->room, N * n, sizeof(double)));
    for (int k = 0; k < N; k++) {
        *each[k] = in->room + (size_t)k * n;
    }
    in->out.n_frequency = in->def->n_frequency;
    in->out.n_row = in->base.n_row;
    return ew_new_zero(&in->out.residual, (size_t)in->def->n_frequency, sizeof(double));
}

/* The load, and what supports that move bring. */
static ew_status take_load(harmonic *in)
{
    const size_t n = pencil_size(&in->base);
    ew_model *model = in->base.model;
    memcpy(in->f, in->def->load, n * sizeof *in->f);
    model_filter_constraints(model, in->f);
    const double whole = sqrt(pencil_dot(&in->base, in->f, in->f));
    model_filter(model, in->f);
    const double left = sqrt(pencil_dot(&in->base, in->f, in->f));
    if (model_has_equations(&model->equations) && left < TAKEN_SHARE * whole) {
        memset(in->f, 0, n * sizeof *in->f); /* the answer is 0 where nothing is lifted */
    }
    for (size_t i = 0; i < n; i++) {
        in->n_lift = in->n_lift || model->constraints.value[i] != 0.0;
    }
    if (!in->n_lift) {
        return whole > 0.0
                   ? EW_OK
                   : ew_fail(EW_BAD_INPUT, "harmonic: no load acts on the body and no support "
                                           "moves; give one of them");
    }
    EW_TRY(make_room_for_vector(in));
    double *e = in->out.vector;
    memcpy(e, model->constraints.value, n * sizeof *e);
    EW_TRY(model_put_equations(model, true, e));
    ew_matrix_product(in->base.stiffness, in->base.pattern, e, in->ke);
    EW_TRY(model_add_mixed_stiffness(model, e, in->ke));
    ew_matrix_product_scalar(&in->mass, in->base.pattern, e, in->me);
    model_filter(model, in->ke);
    model_filter(model, in->me);
    return EW_OK;
}

/* Coefficients of all vectors at a frequency, with those that came later 0: column [2][n]. */
static void put_column(const harmonic *in, const double *y, int32_t n_then, double *column)
{
    const int32_t n = in->out.n, first = in->n_lift;
    column[0] = first ? 1.0 : column[0];
    for (int32_t k = 0; k < n_then; k++) {
        column[first + k] = y[k];
        column[n + first + k] = y[n_then + k];
    }
}

static ew_status find_answers(harmonic *in, double **y, int32_t *capacity, int32_t *count)
{
    const int32_t n_frequency = in->def->n_frequency;
    for (int32_t k = 0; k < n_frequency; k++) {
        EW_TRY(ew_progress_report(&in->base.progress, "harmonic", (double)k / n_frequency));
        EW_TRY(find_answer(in, k, &y[k], &capacity[k]));
        count[k] = in->n;
    }
    in->out.n = in->n_lift + in->n;
    const size_t width = 2 * (size_t)in->out.n;
    EW_TRY(ew_new_zero(&in->out.column, width * (size_t)n_frequency, sizeof(double)));
    for (int32_t k = 0; k < n_frequency; k++) {
        put_column(in, y[k], count[k], in->out.column + width * (size_t)k);
    }
    return EW_OK;
}

static ew_status find_all(harmonic *in)
{
    const size_t n = (size_t)in->def->n_frequency;
    double **y = NULL;
    int32_t *number = NULL; /* capacities, counts */
    ew_status status = ew_new_zero(&y, n, sizeof *y);
    status = status ? status : ew_new_zero(&number, 2 * n, sizeof *number);
    status = status ? status : find_answers(in, y, number, number + n);
    for (size_t k = 0; k < n && y; k++) {
        ew_release(y[k]);
    }
    ew_release(y);
    ew_release(number);
    return status;
}

static ew_status find(harmonic *in)
{
    double highest = 0.0;
    EW_TRY(check(in->base.model, in->def));
    EW_TRY(pencil_open(&in->base));
    if (in->base.n_free < 1) {
        return ew_fail(EW_BAD_INPUT, "harmonic: supports leave no component of displacement free");
    }
    for (int32_t k = 0; k < in->def->n_frequency; k++) {
        highest = fmax(highest, 6.283185307179586 * in->def->frequency[k]);
    }
    in->shift = fmax(pencil_shift(in->base.model), highest * highest);
    in->k_norm = pencil_norm_of(&in->base).largest;
    EW_TRY(make_room(in));
    EW_TRY(pencil_build_shifted(&in->base, in->def->mass, in->shift, &in->mass, &in->shifted));
    EW_TRY(take_load(in));
    EW_TRY(pencil_factor(&in->base, &in->shifted, in->shift));
    const ew_status status = find_all(in);
    return in->base.status ? ew_fail(in->base.status,
                                     "harmonic: %s after %d solves of mixed tets by iterations; "
                                     "see whether a part hangs on few vertices",
                                     ew_status_text(in->base.status), (int)in->out.n_solve)
                           : status;
}

ew_status ew_model_harmonic(ew_model *model, const ew_harmonic_def *def, const ew_harmonic **result)
{
    const double start = ew_seconds();
    harmonic in = {.base = pencil_of(model, "harmonic", def->direct, def->progress), .def = def};
    const ew_status status = find(&in);
    pencil_free(&in.base);
    ew_matrix_free(&in.mass);
    ew_matrix_free(&in.shifted);
    ew_release(in.k);
    ew_release(in.m);
    ew_release(in.side);
    ew_release(in.system);
    ew_release(in.room);
    if (status) {
        model_free_harmonic(&in.out);
        return status;
    }
    model_free_harmonic(&model->harmonic);
    model->harmonic = in.out;
    model->harmonic.seconds = ew_seconds() - start;
    *result = &model->harmonic;
    return EW_OK;
}
