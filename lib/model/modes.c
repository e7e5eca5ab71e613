/* Vibration modes of a model. In: stiffness, mass, supports. Out: frequencies, shapes, what each
 * takes part in a motion of the whole body. By shift-invert: the factor is that of K + s M with a
 * small s > 0, which is positive definite also where the body is free to move. */
#include "model/internal.h"

#include <math.h>
#include <string.h>

/* s in parts of the square of a wave's time through the body: far below the lowest mode of all but
 * the most slender bodies, far above what rounding makes of a rigid motion. */
#define SHIFT 1e-4
/* A motion whose stiffness is below this share of the shift is rigid. */
#define RIGID 1e-2
/* A pair that is no better than this is none. */
#define MAX_RESIDUAL 1e-6

typedef struct modes {
    ew_model *model;
    const ew_modes_def *def;
    double shift;
    ew_matrix mass, shifted;
    ew_operator op;
    ew_preconditioner factor;
    double *work; /* [3][n_vertex][3]: two of the judgment, one of `inner` */
    ew_modes out;
} modes;

ew_modes_def ew_default_modes_def(void)
{
    return (ew_modes_def){.count = 10, .mass = EW_MASS_CONSISTENT};
}

static void free_result(ew_modes *of)
{
    double *const each[] = {of->eigenvalue,    of->frequency, of->shape,
                            of->participation, of->effective, of->residual};
    for (size_t k = 0; k < sizeof each / sizeof *each; k++) {
        ew_release(each[k]);
    }
    *of = (ew_modes){0};
}

void model_free_modes(ew_model *model)
{
    free_result(&model->modes);
}

/* ---- what the eigenvalues are of -------------------------------------------------- */

/* (E / rho) / L^2, L the longest side of the box around the body. */
static double choose_shift(const ew_model *model)
{
    const ew_mesh *mesh = &model->mesh;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double stiffest = 0.0, length = 0.0;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        for (int c = 0; c < 3 && ew_mesh_vertex_is_active(mesh, v); c++) {
            low[c] = fmin(low[c], mesh->xyz[3 * (size_t)v + (size_t)c]);
            high[c] = fmax(high[c], mesh->xyz[3 * (size_t)v + (size_t)c]);
        }
    }
    for (int c = 0; c < 3; c++) {
        length = fmax(length, high[c] - low[c]);
    }
    for (int32_t r = 0; r < mesh->n_region; r++) {
        const ew_material *material = &model->materials.material[r];
        stiffest = material->density > 0.0 ? fmax(stiffest, material->young / material->density)
                                           : stiffest;
    }
    return SHIFT * stiffest / (length * length);
}

/* y = P M P x: what starts the iteration afresh may have parts along what is prescribed. */
static void inner(void *user, const double *x, double *y)
{
    const modes *in = user;
    const size_t n = 3 * (size_t)in->model->mesh.n_vertex;
    double *free = in->work + 2 * n;
    memcpy(free, x, n * sizeof *free);
    model_filter(in->model, free);
    ew_matrix_product_scalar(&in->mass, &in->model->topology.pattern, free, y);
    model_filter(in->model, y);
}

/* y = (K + s M)^-1 x */
static void solve(void *user, const double *x, double *y)
{
    modes *in = user;
    ew_preconditioner_apply(&in->factor, x, y);
    model_filter(in->model, y);
}

static ew_status build_matrices(modes *in)
{
    ew_model *model = in->model;
    const ew_stiffness stiffness = model_stiffness(model);
    const ew_mass mass =
        ew_mass_of(&model->mesh, &model->topology, &model->materials, in->def->mass);
    EW_TRY(ew_matrix_build(&in->mass, &mass.source));
    const ew_combination shifted = ew_combination_of(&stiffness, &model->stiffness.matrix.host, 1.0,
                                                     &mass, &in->mass, in->shift);
    return ew_matrix_build(&in->shifted, &shifted.source);
}

static ew_status factor(modes *in)
{
    const double start = ew_seconds();
    EW_TRY(ew_progress_report(&in->def->progress, "factor", -1));
    in->op = ew_operator_on_host(&in->shifted, &in->model->topology.pattern);
    const ew_system system = {.op = &in->op,
                              .xyz = in->model->mesh.xyz,
                              .fixed = in->model->constraints.fixed,
                              .oblique = &in->model->constraints.oblique};
    in->factor.direct = in->def->direct;
    EW_TRY(ew_preconditioner_setup(&in->factor, EW_CHOLESKY, &system, EW_DOUBLE));
    in->out.seconds_factor = ew_seconds() - start;
    return EW_OK;
}

static int32_t count_free(const ew_model *model)
{
    const ew_oblique *oblique = &model->constraints.oblique;
    int32_t n = 0;
    for (int32_t v = 0; v < model->mesh.n_vertex; v++) {
        for (int c = 0; c < 3; c++) {
            n += !(model->constraints.fixed[v] >> c & 1);
        }
    }
    for (int32_t k = 0; k < oblique->n; k++) {
        const double *second = oblique->normal + 6 * (size_t)k + 3;
        n -= second[0] != 0.0 || second[1] != 0.0 || second[2] != 0.0 ? 2 : 1;
    }
    return n;
}

/* ---- what is made of them -------------------------------------------------------------- */

static double dot(const modes *in, const double *x, const double *y)
{
    double sum = 0.0;
    for (int64_t i = 0; i < 3 * (int64_t)in->model->mesh.n_vertex; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

static void turn_positive(const modes *in, double *x)
{
    double largest = 0.0;
    const int64_t n = 3 * (int64_t)in->model->mesh.n_vertex;
    for (int64_t i = 0; i < n; i++) {
        largest = fabs(x[i]) > fabs(largest) ? x[i] : largest;
    }
    for (int64_t i = 0; i < n && largest < 0.0; i++) {
        x[i] = -x[i];
    }
}

/* The residual by K itself, in place of what the iteration believes. */
static void judge_pair(modes *in, int32_t k)
{
    ew_modes *out = &in->out;
    const int64_t n = 3 * (int64_t)in->model->mesh.n_vertex;
    const double *x = out->shape + n * k, lambda = out->eigenvalue[k];
    double *kx = in->work, *mx = in->work + n, square = 0.0;
    ew_matrix_product(&in->model->stiffness.matrix.host, &in->model->topology.pattern, x, kx);
    model_filter(in->model, kx);
    inner(in, x, mx);
    for (int64_t i = 0; i < n; i++) {
        const double r = kx[i] - lambda * mx[i];
        square += r * r;
    }
    out->residual[k] = sqrt(square) / ((fabs(lambda) + in->shift) * sqrt(dot(in, mx, mx)));
    for (int32_t j = 0; j <= k; j++) {
        const double angle = dot(in, out->shape + n * j, mx) - (j == k);
        out->orthogonality = fmax(out->orthogonality, fabs(angle));
    }
}

static void find_participation(modes *in)
{
    const ew_model *model = in->model;
    const int64_t n = 3 * (int64_t)model->mesh.n_vertex;
    double *unit = in->work, *mass = in->work + n;
    for (int c = 0; c < 3; c++) {
        for (int64_t i = 0; i < n; i++) {
            unit[i] =
                i % 3 == c && ew_mesh_vertex_is_active(&model->mesh, (int32_t)(i / 3)) ? 1.0 : 0.0;
        }
        ew_matrix_product_scalar(&in->mass, &model->topology.pattern, unit, mass);
        in->out.mass = dot(in, unit, mass);
        for (int32_t k = 0; k < in->out.n; k++) {
            const double share = dot(in, in->out.shape + n * k, mass);
            in->out.participation[3 * k + c] = share;
            in->out.effective[3 * k + c] = share * share;
        }
    }
}

static ew_status judge(modes *in)
{
    ew_modes *out = &in->out;
    const double two_pi = 6.283185307179586;
    for (int32_t k = 0; k < out->n; k++) {
        const double lambda = 1.0 / out->eigenvalue[k] - in->shift; /* of theta */
        const bool is_rigid = fabs(lambda) < RIGID * in->shift;
        out->eigenvalue[k] = lambda;
        out->n_rigid += is_rigid;
        out->frequency[k] = is_rigid ? 0.0 : sqrt(fmax(lambda, 0.0)) / two_pi;
        double *shape = out->shape + 3 * (size_t)in->model->mesh.n_vertex * (size_t)k;
        model_filter(in->model, shape);
        turn_positive(in, shape);
        judge_pair(in, k);
        if (!(out->residual[k] <= MAX_RESIDUAL)) {
            return ew_fail(EW_NOT_CONVERGED,
                           "modes: mode %d has a residual of %.3g, above %.3g; see whether a part "
                           "hangs on points nearly in line or on very soft springs",
                           k + 1, out->residual[k], MAX_RESIDUAL);
        }
    }
    find_participation(in);
    return EW_OK;
}

/* ---- the call ------------------------------------------------------------------------------ */

static ew_status make_room(modes *in)
{
    const size_t n = (size_t)in->def->count, size = 3 * (size_t)in->model->mesh.n_vertex;
    ew_modes *out = &in->out;
    out->n = in->def->count;
    out->n_vertex = in->model->mesh.n_vertex;
    EW_TRY(ew_new(&in->work, 3 * size, sizeof(double)));
    EW_TRY(ew_new(&out->eigenvalue, n, sizeof(double)));
    EW_TRY(ew_new(&out->frequency, n, sizeof(double)));
    EW_TRY(ew_new(&out->shape, n * size, sizeof(double)));
    EW_TRY(ew_new(&out->participation, 3 * n, sizeof(double)));
    EW_TRY(ew_new(&out->effective, 3 * n, sizeof(double)));
    return ew_new(&out->residual, n, sizeof(double));
}

static ew_status prepare(ew_model *model, const ew_modes_def *def)
{
    EW_TRY(model_need_usable(model));
    if (!def->direct || !def->eigen) {
        return ew_fail(EW_UNSUPPORTED,
                       "modes: this build has no direct solver: install the Debian packages "
                       "libsuitesparse-dev and libarpack2-dev and configure with "
                       "-DEW_WITH_CHOLMOD=ON");
    }
    if (model->quadratic.is_on) {
        return ew_fail(EW_UNSUPPORTED,
                       "modes: quadratic tets have no mass yet; make all tets linear");
    }
    if (!model_has_host_blocks(model)) {
        return ew_fail(EW_UNSUPPORTED,
                       "modes: they need the matrix on the host: use --device host");
    }
    if (!model->mesh.n_live_tet) {
        return ew_fail(EW_BAD_INPUT, "model: the mesh has no tets");
    }
    EW_TRY(model_update_matrix(model));
    EW_TRY(model_update_supports(model));
    return model_need_densities(model);
}

static ew_status find(modes *in)
{
    ew_model *model = in->model;
    const int32_t n_free = count_free(model);
    if (in->def->count < 1 || in->def->count >= n_free) {
        return ew_fail(EW_BAD_INPUT,
                       "modes: %d are asked for; it must be from 1 to %d, for %d components of "
                       "displacement are free",
                       in->def->count, n_free - 1, n_free);
    }
    in->shift = in->out.shift = choose_shift(model);
    EW_TRY(make_room(in));
    EW_TRY(build_matrices(in));
    EW_TRY(factor(in));
    const ew_eigen_problem problem = {.n = 3 * model->mesh.n_vertex,
                                      .n_free = n_free,
                                      .user = in,
                                      .inner = inner,
                                      .solve = solve,
                                      .progress = in->def->progress};
    EW_TRY(in->def->eigen(&problem, in->def->count, in->out.eigenvalue, in->out.shape,
                          &in->out.n_solve));
    return judge(in);
}

ew_status ew_model_modes(ew_model *model, const ew_modes_def *def, const ew_modes **result)
{
    const double start = ew_seconds();
    modes in = {.model = model, .def = def};
    if (model->quadratic.is_on) {
        return ew_fail(EW_UNSUPPORTED,
                       "modes: quadratic tets have no mass yet; make all tets linear");
    }
    EW_TRY(prepare(model, def));
    const ew_status status = find(&in);
    ew_preconditioner_free(&in.factor);
    ew_operator_free(&in.op);
    ew_matrix_free(&in.mass);
    ew_matrix_free(&in.shifted);
    ew_release(in.work);
    if (status) {
        free_result(&in.out);
        return status;
    }
    model_free_modes(model);
    model->modes = in.out;
    model->modes.seconds = ew_seconds() - start;
    *result = &model->modes;
    return EW_OK;
}
