/* Buckling of a model. In: stiffness, supports, the stress of the last static answer; of a
 * nonlinear body all of it as it is deformed. Out: load factors and shapes. With theta = -1 /
 * factor it is K^-1 K_g phi = theta phi, self-adjoint in the inner product of K, which is positive
 * definite; the least factor > 0 is the least theta, and c the size of the largest theta of any
 * sign. Where that one is > 0, loads pull more than they press: factors > 0 are then looked for by
 * the inverse of K + s K_g, s > 0 being at least half of the least of them, and definite where none
 * is below s: (K + s K_g)^-1 K has 1 / (1 + s theta) > 1 of theirs, and all others in (0, 1].
 * Elsewhere, and of mixed tets, which have no factor, theta - c is looked for. */
#include "model/modes/pencil.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A pair that is no better than this is none. */
#define MAX_RESIDUAL 1e-6
/* Factors above so many times the least of any sign, at which stress is as large as the stiffness
 * of the material, count as none. */
#define FARTHEST 1e4
/* No solve is trusted to leave a smaller residual; and so many times as large may the stress be
 * that it makes in a slender body, which forces bend more than they press: 180 times in a bar 25
 * times as long as thick. */
#define MIN_RESIDUAL 1e-11
#define BENT         1e3

typedef struct buckling {
    pencil base;
    const ew_modes_def *def;
    ew_matrix geometric, shifted; /* K_g, K + s K_g */
    double *theta;                /* [count] */
    double shift;                 /* c */
    double strain;                /* the largest stress over the stiffness of its tet */
    double farthest;              /* factor */
    ew_buckling out;
} buckling;

static void inner(void *user, const double *x, double *y)
{
    buckling *in = user;
    pencil_inner(&in->base, in->base.stiffness, x, y);
}

static void image(void *user, const double *x, double *y)
{
    buckling *in = user;
    pencil_product(&in->base, &in->geometric, x, y);
}

static void shifted_image(void *user, const double *x, double *y)
{
    buckling *in = user;
    double *kx = in->base.work;
    pencil_product(&in->base, in->base.stiffness, x, kx);
    image(user, x, y);
    for (size_t i = 0; i < pencil_size(&in->base); i++) {
        y[i] -= in->shift * kx[i];
    }
}

static double largest_of(const double *x, int32_t n)
{
    double largest = 0.0;
    for (int32_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    return largest;
}

static double stiffness_of_tet(const ew_model *model, int32_t t)
{
    return largest_of(model->materials.moduli + EW_MODULI_WIDTH * (size_t)model->mesh.region[t],
                      21);
}

/* What the residual of a solve leaves of the stress of a thermal strain that nothing holds back,
 * and what rounding makes of displacements, each of which has it in its last digit. */
static double noise_of_tet(const buckling *in, int32_t t)
{
    const ew_model *model = in->base.model;
    const ew_mesh *mesh = &model->mesh;
    const ew_elastic law = ew_elastic_of_tet(&model->materials, mesh, t);
    const double left = in->base.is_tangent ? model->nonlinear.info.residual : model->info.residual;
    const double heat = ew_loads_temperature_change(mesh, model->n_load_line, model->load_line, t);
    double x[12], u[12], g[4][3], rounded = 0.0;
    ew_mesh_tet_values(mesh, t, mesh->xyz, x);
    ew_mesh_tet_values(mesh, t, model->field[0].value, u);
    (void)ew_element_gradients(x, g);
    for (int a = 0; a < 4; a++) {
        rounded += largest_of(g[a], 3) * largest_of(u + 3 * (size_t)a, 3);
    }
    return stiffness_of_tet(model, t) *
           (BENT * fmax(left, MIN_RESIDUAL) * fabs(heat) * largest_of(law.expansion, 6) +
            8.0 * DBL_EPSILON * rounded);
}

/* Stress that is no larger than that makes factors of noise. */
static ew_status need_stress(buckling *in, const double *stress)
{
    const ew_model *model = in->base.model;
    double largest = 0.0, noise = 0.0;
    for (int32_t t = 0; t < model->mesh.n_tet; t++) {
        if (ew_mesh_tet_is_live(&model->mesh, t)) {
            const double of_tet = largest_of(stress + 6 * (size_t)t, 6);
            largest = fmax(largest, of_tet);
            noise = fmax(noise, noise_of_tet(in, t));
            in->strain = fmax(in->strain, of_tet / stiffness_of_tet(model, t));
        }
    }
    if (largest > noise) {
        return EW_OK;
    }
    return ew_fail(EW_BAD_INPUT,
                   "buckling: nothing stresses the body, so nothing makes it buckle; give the "
                   "static answer before it a load that presses. The largest stress is %.3g, and "
                   "rounding and the tolerance of that answer may make %.3g of nothing",
                   largest, noise);
}

static ew_status build_assembled(buckling *in, const ew_fields *fields)
{
    ew_model *model = in->base.model;
    ew_assembled from =
        ew_assembled_of(EW_ASSEMBLED_GEOMETRIC, in->base.pattern, &model->mesh, &model->topology,
                        &model->materials, &model->quadratic.rows);
    from.stress = fields->corner_stress;
    return ew_matrix_build(&in->geometric, &from.source);
}

/* Of a nonlinear body: the exact tangent is that of the strained and turned material, which K is
 * here, and what stress adds to it. Both are of the same strain, so that of strain alone, as heat
 * or flow leave it, nothing is here. */
static ew_status subtract_unstressed(buckling *in)
{
    ew_matrix *to = &in->geometric;
    const ew_matrix *k = in->base.stiffness;
    EW_TRY(pencil_find_tangent(&in->base, true, true, to));
    for (size_t i = 0; i < 9 * (size_t)k->n_row; i++) {
        to->diagonal[i] -= k->diagonal[i];
    }
    for (size_t i = 0; i < 9 * (size_t)k->n_pair; i++) {
        to->pair[i] -= k->pair[i];
    }
    return EW_OK;
}

static ew_status prepare(buckling *in)
{
    ew_model *model = in->base.model;
    const ew_fields *fields = ew_model_recovered(model);
    if (!fields) {
        return ew_fail(EW_STALE, "buckling: there is no static answer on this mesh, from which the "
                                 "stress would come; solve and recover first");
    }
    EW_TRY(need_stress(in, fields->stress));
    EW_TRY(pencil_prepare(&in->base, in->def->count, in->def->eigen));
    EW_TRY(
        ew_support_require(&model->support, &model->mesh, &model->topology, &model->constraints));
    if (in->base.is_tangent) {
        return subtract_unstressed(in);
    }
    if (in->base.rows) {
        return build_assembled(in, fields);
    }
    const ew_geometric from =
        ew_geometric_of(&model->mesh, &model->topology, &model->materials, fields->stress);
    return ew_matrix_build(&in->geometric, &from.source);
}

static ew_status make_room(buckling *in)
{
    const size_t n = (size_t)in->def->count;
    in->out.n_vertex = in->base.model->mesh.n_vertex;
    in->out.n_row = in->base.n_row;
    EW_TRY(ew_new(&in->theta, n, sizeof(double)));
    EW_TRY(ew_new(&in->out.factor, n, sizeof(double)));
    EW_TRY(ew_new(&in->out.shape, n * pencil_size(&in->base), sizeof(double)));
    return ew_new(&in->out.residual, n, sizeof(double));
}

/* The largest displacement becomes 1. */
static void scale(const buckling *in, double *x)
{
    double square = 0.0;
    pencil_turn_positive(&in->base, x);
    for (int32_t v = 0; v < in->out.n_vertex; v++) {
        const double *u = x + 3 * (size_t)v;
        square = fmax(square, u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    }
    for (size_t i = 0; i < pencil_size(&in->base); i++) {
        x[i] /= sqrt(square);
    }
}

static ew_status check_pair(const buckling *in, int32_t k)
{
    return in->out.residual[k] <= MAX_RESIDUAL
               ? EW_OK
               : ew_fail(EW_NOT_CONVERGED,
                         "buckling: shape %d has a residual of %.3g, above %.3g; %s", k + 1,
                         in->out.residual[k], MAX_RESIDUAL,
                         k ? "ask for fewer"
                           : "see whether a part hangs on few vertices or is very soft");
}

static ew_status judge_pair(buckling *in, int32_t k)
{
    const size_t n = pencil_size(&in->base);
    double *x = in->out.shape + n * (size_t)k, *kx = in->base.work, *gx = in->base.work + n;
    double square = 0.0;
    model_filter(in->base.model, x);
    scale(in, x);
    image(in, x, gx);
    if (in->base.iterates) {
        memcpy(kx, gx, n * sizeof *kx);
        in->out.residual[k] = pencil_misfit(&in->base, -1.0 / in->out.factor[k], x);
        return check_pair(in, k);
    }
    inner(in, x, kx);
    for (size_t i = 0; i < n; i++) {
        const double r = kx[i] + in->out.factor[k] * gx[i];
        square += r * r;
    }
    in->out.residual[k] = sqrt(square / pencil_dot(&in->base, kx, kx));
    return check_pair(in, k);
}

static ew_status fail_none(const buckling *in)
{
    return ew_fail(EW_BAD_INPUT,
                   "buckling: no factor > 0 of these loads is found, up to %.3g, at which the body "
                   "buckles; do they press at all?",
                   in->farthest);
}

/* Those that are no positive factor come last. */
static ew_status collect_factors(buckling *in)
{
    for (int32_t k = 0; k < in->def->count && in->theta[k] * in->farthest <= -1.0; k++) {
        in->out.factor[k] = -1.0 / in->theta[k];
        in->out.n++;
        EW_TRY(judge_pair(in, k));
    }
    return in->out.n ? EW_OK : fail_none(in);
}

/* ---- pairs ------------------------------------------------------------------------- */

/* to = k + s g of n blocks, those of g of width x width. */
static void add_blocks(double *to, const double *k, double s, const double *g, int32_t n,
                       int32_t width)
{
    for (size_t i = 0; i < 9 * (size_t)n; i++) {
        const double scalar = i % 9 % 4 ? 0.0 : g[i / 9];
        to[i] = k[i] + s * (width == 1 ? scalar : g[i]);
    }
}

/* The factor of K + s K_g; EW_INDEFINITE where a factor > 0 is below s. */
static ew_status factor_shifted(buckling *in, double s)
{
    const ew_matrix *k = in->base.stiffness, *g = &in->geometric;
    ew_matrix *to = &in->shifted;
    EW_TRY(ew_matrix_reserve(to, in->base.pattern, 3, false));
    add_blocks(to->diagonal, k->diagonal, s, g->diagonal, k->n_row, g->block);
    add_blocks(to->pair, k->pair, s, g->pair, k->n_pair, g->block);
    to->n_row = k->n_row;
    to->n_pair = k->n_pair;
    to->revision = k->revision;
    return pencil_factor(&in->base, to, 0.0);
}

/* Leaves the factor at *s, below the least factor > 0 and not below half of it. None is below 1 /
 * c.
 */
static ew_status bracket(buckling *in, double *s)
{
    double low = 0.5 / in->shift, high = in->farthest, at = high;
    ew_status status = factor_shifted(in, at);
    if (!status) {
        return fail_none(in);
    }
    while (status == EW_INDEFINITE || !status) {
        *(status ? &high : &low) = at;
        if (high <= 2.0 * low) {
            break;
        }
        at = sqrt(low * high);
        status = factor_shifted(in, at);
    }
    *s = low;
    return status == EW_INDEFINITE ? factor_shifted(in, low) : status;
}

/* What K alone makes of the pairs is known: c. */
static ew_status find_pressed(buckling *in, ew_eigen_problem *problem)
{
    double s = 0.0;
    EW_TRY(bracket(in, &s));
    problem->image = NULL;
    EW_TRY(pencil_find(&in->base, in->def->eigen, problem, in->def->count, in->theta, in->out.shape,
                       &in->out.n_solve));
    for (int32_t k = 0; k < in->def->count; k++) {
        in->theta[k] = (1.0 / in->theta[k] - 1.0) / s;
    }
    return collect_factors(in);
}

static ew_status find_shifted(buckling *in, ew_eigen_problem *problem)
{
    problem->image = shifted_image;
    const ew_status status = pencil_find(&in->base, in->def->eigen, problem, in->def->count,
                                         in->theta, in->out.shape, &in->out.n_solve);
    if (status == EW_NOT_CONVERGED) {
        return fail_none(in);
    }
    EW_TRY(status);
    for (int32_t k = 0; k < in->def->count; k++) {
        in->theta[k] += in->shift;
    }
    return collect_factors(in);
}

static ew_status find(buckling *in)
{
    EW_TRY(prepare(in));
    EW_TRY(make_room(in));
    EW_TRY(pencil_factor(&in->base, in->base.stiffness, 0.0));
    ew_eigen_problem problem = {.n = 3 * in->base.n_row,
                                .n_free = in->base.n_free,
                                .user = in,
                                .inner = inner,
                                .image = image,
                                .solve = pencil_solve,
                                .progress = in->def->progress};
    EW_TRY(pencil_find(&in->base, in->def->eigen, &problem, 1, in->theta, in->out.shape,
                       &in->out.n_solve));
    in->shift = fabs(in->theta[0]);
    in->farthest = fmax(FARTHEST / in->shift, 1.0 / in->strain);
    EW_TRY(in->theta[0] > 0.0 && !pencil_iterates(&in->base) ? find_pressed(in, &problem)
                                                             : find_shifted(in, &problem));
    return in->base.status;
}

ew_status ew_model_buckling(ew_model *model, const ew_modes_def *def, const ew_buckling **result)
{
    const double start = ew_seconds();
    buckling in = {.base = pencil_of(model, "buckling", def->direct, def->progress), .def = def};
    in.base.is_unstressed = true;
    const ew_status status = find(&in);
    pencil_free(&in.base);
    ew_matrix_free(&in.geometric);
    ew_matrix_free(&in.shifted);
    ew_release(in.theta);
    if (status) {
        model_free_buckling(&in.out);
        return status;
    }
    model_free_buckling(&model->buckling);
    model->buckling = in.out;
    model->buckling.seconds = ew_seconds() - start;
    *result = &model->buckling;
    return EW_OK;
}
