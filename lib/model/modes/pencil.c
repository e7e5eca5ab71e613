/* What vibration modes and buckling share. In: a matrix of the model. Out: its inverse and products
 * where supports leave the body free. */
#include "model/modes/pencil.h"

#include <math.h>
#include <string.h>

/* Of the residual of mixed tets' solves; what rounding leaves of it in a body that is free to move
 * counts, too: pairs are judged by themselves. */
#define TOLERANCE 1e-10
/* Of the residual where sets are rigid, whose pairs are judged as others. */
#define TOLERANCE_RIGID 1e-12
#define ROUNDING        1e-7
/* Of a shift, in parts of the square of a wave's time through the body: far below the lowest mode
 * of all but the most slender bodies, far above what rounding makes of a rigid motion. */
#define SHIFT 1e-4

pencil pencil_of(ew_model *model, const char *what, const ew_preconditioner_type *direct,
                 ew_progress progress)
{
    return (pencil){.model = model,
                    .what = what,
                    .direct = direct,
                    .progress = progress,
                    .n_part = 1,
                    .is_tangent = model_is_nonlinear(model),
                    .rows = ew_model_edge_rows(model),
                    .iterates = ew_model_is_mixed(model)};
}

static int32_t count_free(const uint8_t *fixed, int32_t n_row, const ew_oblique *oblique)
{
    int32_t n = 0;
    for (int32_t row = 0; row < n_row; row++) {
        for (int c = 0; c < 3; c++) {
            n += !(fixed[row] >> c & 1);
        }
    }
    for (int32_t k = 0; k < oblique->n; k++) {
        const double *second = oblique->normal + 6 * (size_t)k + 3;
        n -= second[0] != 0.0 || second[1] != 0.0 || second[2] != 0.0 ? 2 : 1;
    }
    return n;
}

/* Free components at rows of rigid groups, less six modes of each. */
static int32_t count_rigid(const pencil *in)
{
    const ew_rigid_rows *rigid = &in->system.equations->rigid;
    int32_t n = -6 * rigid->n;
    for (int32_t i = 0; rigid->n && i < rigid->begin[rigid->n]; i++) {
        for (int c = 0; c < 3; c++) {
            n += !(in->system.fixed[rigid->row[i]] >> c & 1);
        }
    }
    return n;
}

static bool has_rigid(const pencil *in)
{
    return in->system.equations && in->system.equations->rigid.n;
}

bool pencil_iterates(const pencil *in)
{
    return in->iterates || in->is_held || has_rigid(in);
}

static ew_status check(const pencil *in)
{
    const ew_model *model = in->model;
    EW_TRY(model_need_usable(model));
    if (!in->direct) {
        return ew_refuse_missing(in->what, "direct solver", "libsuitesparse-dev and libarpack2-dev",
                                 "EW_WITH_CHOLMOD");
    }
    return model->mesh.n_live_tet ? EW_OK : ew_fail(EW_BAD_INPUT, "model: the mesh has no tets");
}

/* Matrices, constraints and rows, of the vertices alone or of all. */
static ew_status choose_rows(pencil *in)
{
    ew_model *model = in->model;
    const ew_edge_rows *rows = in->rows;
    in->n_row = model_n_row(model);
    in->pattern = pencil_pattern(model);
    EW_TRY(rows ? ew_edge_rows_check_curves(rows, &model->mesh, &model->topology, true) : EW_OK);
    if (in->is_tangent) {
        EW_TRY(pencil_find_tangent(in, !in->is_unstressed, true, &in->blocks));
        in->stiffness = &in->blocks;
        in->source.tangent = in->tangent;
    } else {
        EW_TRY(rows ? model_update_assembled(model) : model_fetch_stiffness(model));
        in->stiffness = rows ? &model->quadratic.assembled_blocks : &model->stiffness.matrix.host;
        in->source = model_stiffness(model, &model->topology, model_ground(model));
    }
    in->system = model_rows(model);
    in->equations = in->system.equations;
    EW_TRY(in->is_wave ? pencil_build_wave(in) : EW_OK);
    in->n_free = in->n_part * count_free(in->system.fixed, in->n_row, in->system.oblique);
    in->n_free -= in->equations ? in->equations->n - in->equations->n_dependent : 0;
    in->n_free -= in->system.equations ? count_rigid(in) : 0;
    return EW_OK;
}

ew_status pencil_open(pencil *in)
{
    EW_TRY(check(in));
    model_release_contacts(in->model, false);
    EW_TRY(in->is_tangent ? EW_OK : model_update_matrix(in->model));
    EW_TRY(model_update_supports(in->model));
    EW_TRY(choose_rows(in));
    EW_TRY(model_prepare_mixed(in->model));
    return ew_new(&in->work, 3 * pencil_size(in), sizeof(double));
}

ew_status pencil_prepare(pencil *in, int32_t count, ew_eigen_call *eigen)
{
    in->direct = eigen ? in->direct : NULL; /* a build has both or neither */
    EW_TRY(pencil_open(in));
    if (in->n_free < 2) {
        return ew_fail(EW_BAD_INPUT, "%s: %d components of displacement are free; it takes two",
                       in->what, in->n_free);
    }
    const int32_t most = in->n_free / in->n_part - 1;
    if (count < 1 || count > most) {
        return ew_fail(EW_BAD_INPUT,
                       "%s: %d are asked for; it must be from 1 to %d, for %d components of "
                       "displacement are free",
                       in->what, count, most, in->n_free);
    }
    return EW_OK;
}

/* ---- stiffness and mass ------------------------------------------------------------ */

double pencil_shift(const ew_model *model)
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
        const double stiffness = ew_material_stiffness(material);
        stiffest =
            material->density > 0.0 ? fmax(stiffest, stiffness / material->density) : stiffest;
    }
    return SHIFT * stiffest / (length * length);
}

/* With quadratic tets: all rows behind one another, shifted entry by entry. */
static ew_status shift_all_rows(const pencil *in, const ew_matrix *mass, double shift,
                                ew_matrix *shifted)
{
    const ew_matrix *k = in->stiffness;
    EW_TRY(ew_matrix_reserve(shifted, in->pattern, 3, false));
    const size_t n_row = (size_t)k->n_row, n_pair = (size_t)k->n_pair;
    memcpy(shifted->diagonal, k->diagonal, 9 * n_row * sizeof(double));
    memcpy(shifted->pair, k->pair, 9 * n_pair * sizeof(double));
    for (size_t i = 0; i < 3 * n_row; i++) {
        shifted->diagonal[9 * (i / 3) + 4 * (i % 3)] += shift * mass->diagonal[i / 3];
    }
    for (size_t i = 0; i < 3 * n_pair; i++) {
        shifted->pair[9 * (i / 3) + 4 * (i % 3)] += shift * mass->pair[i / 3];
    }
    shifted->n_row = k->n_row;
    shifted->n_pair = k->n_pair;
    shifted->revision = k->revision;
    return EW_OK;
}

ew_status pencil_build_shifted(const pencil *in, ew_mass_kind kind, double shift, ew_matrix *mass,
                               ew_matrix *shifted)
{
    const ew_model *model = in->model;
    EW_TRY(model_need_densities(model));
    EW_TRY(model_build_mass(model, kind, in->pattern, mass));
    if (in->rows) {
        return shift_all_rows(in, mass, shift, shifted);
    }
    const ew_source *k = &in->source.source;
    const ew_mass from = ew_mass_of(&model->mesh, &model->topology, &model->materials, kind);
    const ew_combination sum = ew_combination_of(k, in->stiffness, 1.0, &from, mass, shift);
    return ew_matrix_build(shifted, &sum.source);
}

ew_status pencil_factor(pencil *in, const ew_matrix *matrix, double of_mass)
{
    EW_TRY(ew_progress_report(&in->progress, "factor", -1));
    in->op = ew_operator_on_host(matrix, in->pattern);
    in->system.op = &in->op;
    in->of_mass = of_mass;
    if (in->iterates) {
        return EW_OK;
    }
    if (!has_rigid(in) && !in->is_held) {
        in->factor.direct = in->direct;
        ew_status status =
            ew_preconditioner_setup(&in->factor, EW_CHOLESKY, &in->system, EW_DOUBLE);
        status = status ? status : pencil_factor_equations(in);
        in->is_held = status == EW_INDEFINITE && in->system.equations && matrix == in->stiffness;
        if (!in->is_held) {
            return status;
        }
    }
    EW_TRY(ew_equations_stiffen(in->system.equations, matrix, in->pattern, &in->stiffened));
    in->stiffened_op = ew_operator_on_host(&in->stiffened.matrix, &in->stiffened.pattern);
    in->system.stiffened = &in->stiffened_op;
    return EW_OK;
}

/* By iterations: with the pressure of mixed tets, or projected on what equations leave free. */
static void iterate(pencil *in, const double *x, double *y)
{
    ew_pcg_def def = ew_default_pcg_def();
    ew_system system = in->system;
    ew_pcg_info info;
    def.tolerance = in->iterates ? TOLERANCE : TOLERANCE_RIGID;
    def.progress = in->progress;
    system.b = x;
    memset(y, 0, pencil_size(in) * sizeof *y);
    if (in->status) {
        return;
    }
    if (in->iterates) {
        in->status = model_solve_with_mass(in->model, 1.0, in->of_mass, &in->solver, &system, &def,
                                           false, y, &info);
    } else {
        def.preconditioner = EW_CHOLESKY;
        def.direct = in->direct;
        in->status = ew_solver_solve(&in->solver, &system, &def, y, &info);
    }
    const bool is_short = in->status == EW_NOT_CONVERGED || info.limited_by_rounding;
    in->status = !is_short ? in->status : info.residual < ROUNDING ? EW_OK : EW_NOT_CONVERGED;
}

void pencil_filter(const pencil *in, double *x)
{
    const size_t n = 3 * (size_t)in->n_row;
    if (!in->is_wave) {
        model_filter(in->model, x);
        return;
    }
    for (int32_t p = 0; p < in->n_part; p++) {
        model_filter_constraints(in->model, x + (size_t)p * n);
    }
    if (in->equations) {
        ew_equations_project(in->equations, x);
    }
}

void pencil_solve(void *user, const double *x, double *y)
{
    pencil *in = user;
    if (pencil_iterates(in)) {
        iterate(in, x, y);
    } else {
        pencil_apply(in, x, y);
        if (in->n_equation) {
            pencil_solve_equations(in, x, y);
        }
    }
    pencil_filter(in, y);
}

/* What starts an iteration afresh may have parts along what is prescribed. */
void pencil_product(pencil *in, const ew_matrix *matrix, const double *x, double *y)
{
    const size_t n = pencil_size(in), size = 3 * (size_t)in->n_row;
    double *free = in->work + 2 * n;
    memcpy(free, x, n * sizeof *free);
    pencil_filter(in, free);
    for (size_t at = 0; at < n; at += size) {
        if (matrix->block == 1) {
            ew_matrix_product_scalar(matrix, in->pattern, free + at, y + at);
        } else {
            ew_matrix_product(matrix, in->pattern, free + at, y + at);
        }
    }
    if (matrix == in->stiffness && !in->status) {
        in->status = model_add_mixed_stiffness(in->model, free, y);
    }
    pencil_filter(in, y);
}

/* Without that second part rounding along what is prescribed, which the inner product would not
 * see, grows from one step of Lanczos to the next. */
void pencil_inner(pencil *in, const ew_matrix *matrix, const double *x, double *y)
{
    const size_t n = pencil_size(in), n_row = (size_t)in->n_row, width = matrix->block;
    const double *free = in->work + 2 * n; /* P x, from the product */
    double mean = 0.0;
    pencil_product(in, matrix, x, y);
    for (size_t row = 0; row < n_row; row++) {
        mean += matrix->diagonal[width * width * row] / (double)n_row;
    }
    for (size_t i = 0; i < n; i++) {
        y[i] += mean * (x[i] - free[i]);
    }
}

static double size_of_block(const double *block, int component, bool transposed)
{
    double sum = 0.0;
    for (int j = 0; j < 3; j++) {
        sum += fabs(block[transposed ? 3 * j + component : 3 * component + j]);
    }
    return sum;
}

pencil_norm pencil_norm_of(const pencil *in)
{
    const ew_matrix *k = in->stiffness;
    const int32_t n_vertex = in->model->mesh.n_vertex;
    pencil_norm norm = {0};
    for (int32_t row = 0; row < k->n_row; row++) {
        int32_t n;
        const int32_t *item = ew_pattern_items(in->pattern, row, &n);
        for (int c = 0; c < 3; c++) {
            double sum = size_of_block(k->diagonal + 9 * (size_t)row, c, false);
            for (int32_t i = 0; i < n; i++) {
                sum += size_of_block(k->pair + 9 * (size_t)item[2 * i + 1], c, item[2 * i] < row);
            }
            norm.vertex = row < n_vertex && sum > norm.largest ? row : norm.vertex;
            norm.largest = fmax(norm.largest, sum);
        }
    }
    return norm;
}

ew_status pencil_find(pencil *in, ew_eigen_call *eigen, const ew_eigen_problem *problem,
                      int32_t count, double *theta, double *vector, int32_t *n_solve)
{
    const ew_status status = eigen(problem, count, theta, vector, n_solve);
    return in->status
               ? ew_fail(in->status,
                         "%s: %s after %d solves by iterations; see whether a part hangs on few "
                         "vertices",
                         in->what, ew_status_text(in->status), *n_solve)
               : status;
}

double pencil_dot(const pencil *in, const double *x, const double *y)
{
    double sum = 0.0;
    for (size_t i = 0; i < pencil_size(in); i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

double pencil_misfit(pencil *in, double theta, const double *x)
{
    const size_t n = pencil_size(in);
    double *y = in->work, *z = y + n, square = 0.0;
    pencil_solve(in, y, z);
    for (size_t i = 0; i < n; i++) {
        const double r = z[i] / theta - x[i];
        square += r * r;
    }
    return sqrt(square / pencil_dot(in, x, x));
}

void pencil_turn_positive(const pencil *in, double *x)
{
    const size_t n = 3 * (size_t)in->n_row;
    double *imaginary = in->n_part == 2 ? x + n : NULL, largest = 0.0, of[2] = {1.0, 0.0};
    for (size_t i = 0; i < n; i++) {
        const double other = imaginary ? imaginary[i] : 0.0, size = hypot(x[i], other);
        if (size > largest) {
            largest = size;
            of[0] = x[i] / size;
            of[1] = other / size;
        }
    }
    for (size_t i = 0; i < n && (of[0] < 0.0 || of[1] != 0.0); i++) {
        const double real = x[i], other = imaginary ? imaginary[i] : 0.0;
        x[i] = of[0] * real + of[1] * other;
        if (imaginary) {
            imaginary[i] = of[0] * other - of[1] * real;
        }
    }
}

void pencil_free(pencil *in)
{
    ew_preconditioner_free(&in->factor);
    ew_solver_free(&in->solver);
    ew_operator_free(&in->op);
    ew_operator_free(&in->stiffened_op);
    ew_stiffened_free(&in->stiffened);
    ew_internal_force_free(&in->internal_force);
    ew_follower_free(&in->follower);
    ew_matrix_free(&in->of_vertices);
    ew_matrix_free(&in->blocks);
    pencil_free_equations(in);
    ew_equations_free(&in->of_wave);
    ew_release(in->work);
    in->work = NULL;
}
