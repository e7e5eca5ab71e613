/* Vibration modes of a model. In: stiffness, mass, supports. Out: frequencies, shapes, what each
 * takes part in a motion of the whole body. By shift-invert: the factor is that of K + s M with a
 * small s > 0, which is positive definite also where the body is free to move. */
#include "model/modes/pencil.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As many motions are rigid as supports leave free, while their stiffness is below this share of
 * the shift: that of a body that is kept in place by soft springs is, too. */
#define RIGID 1e-2
/* An elastic pair that is no better than this is none. */
#define MAX_RESIDUAL 1e-6
/* What rounding leaves of K phi of an exact rigid motion, in eps |K| |phi|. A component of K phi is
 * a sum of about 100 rounded terms: 45 products, with blocks that are sums of 24 tets' and these of
 * 30 products. Independent roundings of eps / 2 add up to sqrt(100) eps / 2 = 5 eps (Higham & Mary
 * 2019, theorem 2.4); the backward error of the factor that found phi is as much again. Measured:
 * 0.02 to 0.9. */
#define ROUNDING_SHARE 10.0

/* Of complex shapes: the square of a part of length 1 that is more than rounding. */
#define APART 1e-3

typedef struct modes {
    pencil base;
    const ew_modes_def *def;
    ew_matrix mass, shifted;
    pencil_norm norm; /* of K */
    ew_modes out;
    /* Owned, of complex shapes: */
    double *theta, *vector; /* [2 n], [2 n][2][n_row][3] what the iteration finds */
    double *imaginary;      /* [n][3] participation of imaginary parts */
} modes;

ew_modes_def ew_default_modes_def(void)
{
    return (ew_modes_def){.count = 10, .mass = EW_MASS_CONSISTENT};
}

/* ---- what the eigenvalues are of -------------------------------------------------- */

static void inner(void *user, const double *x, double *y)
{
    modes *in = user;
    pencil_inner(&in->base, &in->mass, x, y);
}

/* ---- what is made of them -------------------------------------------------------------- */

/* The residual by K itself, in place of what the iteration believes; of mixed tets by its inverse.
 * *rounding: the part of it that rounding explains for a rigid motion. */
static void find_residual(modes *in, int32_t k, double *rounding)
{
    ew_modes *out = &in->out;
    const int64_t n = (int64_t)pencil_size(&in->base);
    const double *x = out->shape + n * k, lambda = out->eigenvalue[k];
    double *kx = in->base.work, *mx = in->base.work + n, square = 0.0;
    *rounding = 0.0;
    inner(in, x, mx);
    for (int32_t j = 0; j <= k; j++) {
        const double angle = pencil_dot(&in->base, out->shape + n * j, mx) - (j == k);
        out->orthogonality = fmax(out->orthogonality, fabs(angle));
    }
    if (in->base.iterates) {
        memcpy(kx, mx, pencil_size(&in->base) * sizeof *kx);
        out->residual[k] = pencil_misfit(&in->base, 1.0 / (lambda + out->shift), x);
        return;
    }
    pencil_product(&in->base, in->base.stiffness, x, kx);
    for (int64_t i = 0; i < n; i++) {
        const double r = kx[i] - lambda * mx[i];
        square += r * r;
    }
    const double size = (fabs(lambda) + out->shift) * sqrt(pencil_dot(&in->base, mx, mx));
    out->residual[k] = sqrt(square) / size;
    *rounding =
        ROUNDING_SHARE * DBL_EPSILON * in->norm.largest * sqrt(pencil_dot(&in->base, x, x)) / size;
}

/* Rounding in the iteration is relative to its largest theta, which that of an elastic mode of a
 * free body is 1e-4 of. One step of inverse iteration, kept apart from the pairs before, leaves
 * what the solve's own rounding is. */
static void refine_pair(modes *in, int32_t k)
{
    const size_t n = pencil_size(&in->base);
    double *x = in->out.shape + n * (size_t)k, *y = in->base.work, *mass = y + n;
    inner(in, x, mass);
    pencil_solve(in, mass, y);
    inner(in, y, mass);
    memcpy(x, y, n * sizeof *x);
    for (int32_t j = 0; j < k; j++) {
        const double *other = in->out.shape + n * (size_t)j,
                     along = pencil_dot(&in->base, other, mass);
        for (size_t i = 0; i < n; i++) {
            x[i] -= along * other[i];
        }
    }
    inner(in, x, mass);
    const double size = sqrt(pencil_dot(&in->base, x, mass));
    for (size_t i = 0; i < n; i++) {
        x[i] /= size;
    }
    pencil_turn_positive(&in->base, x);
    pencil_product(&in->base, in->base.stiffness, x, y);
    in->out.eigenvalue[k] = pencil_dot(&in->base, x, y);
}

static ew_status fail_pair(const modes *in, int32_t k, double rounding)
{
    const ew_modes *out = &in->out;
    const double lambda = fabs(out->eigenvalue[k]), residual = out->residual[k];
    char advice[240];
    if (residual > rounding) {
        snprintf(advice, sizeof advice,
                 "the iteration has not found it; ask for one more or one "
                 "fewer");
    } else if (lambda < RIGID * out->shift) {
        snprintf(advice, sizeof advice,
                 "next to nothing resists this motion, which supports do not leave free; see "
                 "whether a part hangs on points nearly in line or on very soft springs");
    } else {
        snprintf(advice, sizeof advice,
                 "rounding makes as much, most at vertex %d, the stiffest; improve the tets of "
                 "least quality there, or see its materials and springs",
                 in->norm.vertex);
    }
    return ew_fail(EW_NOT_CONVERGED, "modes: mode %d has a residual of %.3g, above %.3g: %s", k + 1,
                   residual, MAX_RESIDUAL, advice);
}

/* An elastic pair needs a small residual. The residual of a rigid motion is rounding relative to
 * next to nothing, and may be as large as rounding makes it. */
static ew_status judge_pair(modes *in, int32_t k, bool is_rigid)
{
    double rounding;
    find_residual(in, k, &rounding);
    if (!is_rigid && in->out.residual[k] > MAX_RESIDUAL && !in->base.iterates) {
        refine_pair(in, k);
        find_residual(in, k, &rounding);
    }
    const double max = is_rigid ? fmax(MAX_RESIDUAL, rounding) : MAX_RESIDUAL;
    return in->out.residual[k] <= max ? EW_OK : fail_pair(in, k, rounding);
}

static double dot(size_t n, const double *x, const double *y)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* Of what there is of the body, along c; *total: its mass. */
static void find_shares(modes *in, int c, double *total)
{
    const ew_mesh *mesh = &in->base.model->mesh;
    const size_t n = 3 * (size_t)in->base.n_row, n_part = (size_t)in->base.n_part;
    double *unit = in->base.work, *mass = in->base.work + n;
    for (size_t i = 0; i < n; i++) {
        const bool moves = i % 3 == (size_t)c && i / 3 < (size_t)mesh->n_vertex &&
                           ew_mesh_vertex_is_active(mesh, (int32_t)(i / 3));
        unit[i] = moves ? 1.0 : 0.0;
    }
    ew_matrix_product_scalar(&in->mass, in->base.pattern, unit, mass);
    *total = dot(n, unit, mass);
    for (size_t k = 0; k < (size_t)in->out.n; k++) {
        const double *shape = in->out.shape + n * n_part * k;
        in->out.participation[3 * k + (size_t)c] = dot(n, shape, mass);
        if (n_part == 2) {
            in->imaginary[3 * k + (size_t)c] = dot(n, shape + n, mass);
        }
    }
}

/* Of the whole body of n sectors, whose mass with a shape is n times that of one, and of each of
 * two of a kind half of that. */
static void add_sectors(modes *in, int32_t k)
{
    const double size = sqrt((double)in->def->sectors / in->base.n_part);
    double *share = in->out.participation + 3 * (size_t)k, part[2][3] = {{0.0}}, sum[2][3];
    for (int c = 0; c < 3; c++) {
        part[0][c] = share[c];
        part[1][c] = in->base.n_part == 2 ? in->imaginary[3 * k + c] : 0.0;
    }
    pencil_add_sectors(&in->base, in->def->sectors, part, sum);
    for (int c = 0; c < 3; c++) {
        share[c] = (in->base.n_part == 2 ? hypot(sum[0][c], sum[1][c]) : sum[0][c]) / size;
    }
}

static void find_participation(modes *in)
{
    for (int c = 0; c < 3; c++) {
        find_shares(in, c, &in->out.mass);
    }
    in->out.mass *= in->base.is_wave ? in->def->sectors : 1.0;
    for (int32_t k = 0; k < in->out.n && in->base.is_wave; k++) {
        add_sectors(in, k);
    }
    for (int32_t i = 0; i < 3 * in->out.n; i++) {
        in->out.effective[i] = in->out.participation[i] * in->out.participation[i];
    }
}

/* A body that may leave the displacement it is at by itself does not vibrate about it. */
static ew_status fail_unstable(void)
{
    return ew_fail(
        EW_INDEFINITE,
        "modes: the body is not stable at its displacement: its tangent stiffness is not "
        "positive definite, so that it buckles rather than vibrates; take a smaller "
        "load, or ask 'buckling:' by how much this one is too large");
}

/* Of all components that supports and equations do not hold, among these no springs of friction;
 * each of several that share a vertex counts. Of those of a sector alone a wave has at the most the
 * two along and round the axis, with one diameter the two kinds across it, which with two sectors
 * are all four. */
static ew_status count_free_motions(const ew_model *model, const ew_modes_def *def, int32_t *n)
{
    const bool with_wave = def->sectors > 0;
    const int32_t diameter = abs(def->diameter);
    ew_constraints constraints = model->constraints;
    ew_free_component *free = NULL;
    int32_t n_component;
    constraints.equations = constraints.equations && !with_wave ? &model->equations.list : NULL;
    EW_TRY(ew_find_free_components(&model->mesh, &model->topology, &constraints, NULL, &free,
                                   &n_component));
    *n = 0;
    for (int32_t i = 0; i < n_component; i++) {
        *n += free[i].n_free;
    }
    if (with_wave) {
        const int32_t most = diameter > 1 ? 0 : diameter && def->sectors == 2 ? 4 : 2;
        *n = *n < most ? *n : most;
    }
    ew_release(free);
    return EW_OK;
}

static ew_status check_pairs(modes *in)
{
    ew_modes *out = &in->out;
    const double two_pi = 6.283185307179586;
    int32_t n_motion;
    EW_TRY(count_free_motions(in->base.model, in->def, &n_motion));
    in->norm = pencil_norm_of(&in->base);
    for (int32_t k = 0; k < out->n; k++) {
        const double lambda = 1.0 / out->eigenvalue[k] - out->shift; /* of theta */
        const bool is_rigid = k < n_motion && fabs(lambda) < RIGID * out->shift;
        if (in->base.is_tangent && !is_rigid && lambda < -MAX_RESIDUAL * out->shift) {
            return fail_unstable();
        }
        out->eigenvalue[k] = lambda;
        out->n_rigid += is_rigid;
        double *shape = out->shape + pencil_size(&in->base) * (size_t)k;
        pencil_filter(&in->base, shape);
        pencil_turn_positive(&in->base, shape);
        EW_TRY(judge_pair(in, k, is_rigid));
        out->frequency[k] = is_rigid ? 0.0 : sqrt(fmax(out->eigenvalue[k], 0.0)) / two_pi;
    }
    find_participation(in);
    return EW_OK;
}

/* ---- the call ------------------------------------------------------------------------------ */

static ew_status make_room(modes *in)
{
    const size_t n = (size_t)in->def->count, size = pencil_size(&in->base);
    ew_modes *out = &in->out;
    out->n = in->def->count;
    out->n_vertex = in->base.model->mesh.n_vertex;
    out->n_row = in->base.n_row;
    out->n_part = in->base.n_part;
    out->sectors = in->def->sectors;
    out->diameter = in->def->sectors ? in->def->diameter : 0;
    EW_TRY(ew_new(&out->eigenvalue, n, sizeof(double)));
    EW_TRY(ew_new(&out->frequency, n, sizeof(double)));
    EW_TRY(ew_new(&out->shape, n * size, sizeof(double)));
    EW_TRY(in->base.n_part == 2 ? ew_new(&in->theta, 2 * n, sizeof(double)) : EW_OK);
    EW_TRY(in->base.n_part == 2 ? ew_new(&in->vector, 2 * n * size, sizeof(double)) : EW_OK);
    EW_TRY(in->base.n_part == 2 ? ew_new(&in->imaginary, 3 * n, sizeof(double)) : EW_OK);
    EW_TRY(ew_new(&out->participation, 3 * n, sizeof(double)));
    EW_TRY(ew_new(&out->effective, 3 * n, sizeof(double)));
    return ew_new(&out->residual, n, sizeof(double));
}

/* *y becomes x times i. */
static void turn_quarter(const modes *in, const double *x, double *y)
{
    const size_t n = 3 * (size_t)in->base.n_row;
    for (size_t i = 0; i < n; i++) {
        y[i] = -x[n + i];
        y[n + i] = x[i];
    }
}

/* Of each shape the iteration finds any two of phi and i phi; one that is none of those before
 * times a complex number is another. Of m vectors of length 1 at right angles to one another, of
 * which j are taken, squares of what is apart from these and i times these add up to at least
 * m - 2 j: where that is 1 or more one of them has more than APART, so that none is missed. */
static ew_status take_one_of_each(modes *in)
{
    const size_t n = pencil_size(&in->base);
    double *mass = in->base.work, *turned = mass + n;
    int32_t taken = 0;
    for (int32_t k = 0; k < 2 * in->def->count && taken < in->def->count; k++) {
        double *x = in->vector + n * (size_t)k;
        for (int32_t j = 0; j < 2 * taken; j++) {
            const double *other = in->out.shape + n * (size_t)(j / 2);
            inner(in, x, mass);
            turn_quarter(in, other, turned);
            other = j % 2 ? turned : other;
            const double along = pencil_dot(&in->base, other, mass);
            for (size_t i = 0; i < n; i++) {
                x[i] -= along * other[i];
            }
        }
        inner(in, x, mass);
        const double square = pencil_dot(&in->base, x, mass);
        if (square < APART) {
            continue;
        }
        for (size_t i = 0; i < n; i++) {
            in->out.shape[n * (size_t)taken + i] = x[i] / sqrt(square);
        }
        in->out.eigenvalue[taken++] = in->theta[k];
    }
    return taken == in->def->count
               ? EW_OK
               : ew_fail(
                     EW_NOT_CONVERGED,
                     "modes: the iteration found %d of %d shapes of a wave; ask for one more or "
                     "one fewer",
                     taken, in->def->count);
}

static ew_status find_pairs(modes *in, const ew_eigen_problem *problem)
{
    const bool twice = in->base.n_part == 2;
    EW_TRY(pencil_find(&in->base, in->def->eigen, problem, in->def->count * in->base.n_part,
                       twice ? in->theta : in->out.eigenvalue, twice ? in->vector : in->out.shape,
                       &in->out.n_solve));
    return twice ? take_one_of_each(in) : EW_OK;
}

static ew_status find(modes *in)
{
    ew_model *model = in->base.model;
    EW_TRY(pencil_take_wave(&in->base, in->def));
    EW_TRY(pencil_prepare(&in->base, in->def->count, in->def->eigen));
    in->out.shift = pencil_shift(model);
    EW_TRY(make_room(in));
    EW_TRY(pencil_build_shifted(&in->base, in->def->mass, in->out.shift, &in->mass, &in->shifted));
    const double start = ew_seconds();
    const ew_status status = pencil_factor(&in->base, &in->shifted, in->out.shift);
    EW_TRY(status == EW_INDEFINITE && in->base.is_tangent ? fail_unstable() : status);
    in->out.seconds_factor = ew_seconds() - start;
    const ew_eigen_problem problem = {.n = 3 * in->base.n_row * in->base.n_part,
                                      .n_free = in->base.n_free,
                                      .user = in,
                                      .inner = inner,
                                      .solve = pencil_solve,
                                      .progress = in->def->progress};
    EW_TRY(find_pairs(in, &problem));
    EW_TRY(check_pairs(in));
    return in->base.status;
}

ew_status ew_model_modes(ew_model *model, const ew_modes_def *def, const ew_modes **result)
{
    const double start = ew_seconds();
    modes in = {.base = pencil_of(model, "modes", def->direct, def->progress), .def = def};
    const ew_status status = find(&in);
    pencil_free(&in.base);
    ew_matrix_free(&in.mass);
    ew_matrix_free(&in.shifted);
    ew_release(in.theta);
    ew_release(in.vector);
    ew_release(in.imaginary);
    if (status) {
        model_free_modes(&in.out);
        return status;
    }
    model_free_modes(&model->modes);
    model->modes = in.out;
    model->modes.seconds = ew_seconds() - start;
    *result = &model->modes;
    return EW_OK;
}
