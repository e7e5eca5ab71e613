/* What vibration modes and buckling share. In: a matrix of the model. Out: its inverse and products
 * where supports leave the body free. */
#include "model/pencil.h"

#include <math.h>
#include <string.h>

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

static ew_status check(const pencil *in, ew_eigen_call *eigen)
{
    const ew_model *model = in->model;
    EW_TRY(model_need_usable(model));
    EW_TRY(model_refuse_mixed(model, in->what));
    if (!in->direct || !eigen) {
        return ew_fail(EW_UNSUPPORTED,
                       "%s: this build has no direct solver: install the Debian packages "
                       "libsuitesparse-dev and libarpack2-dev and configure with "
                       "-DEW_WITH_CHOLMOD=ON",
                       in->what);
    }
    return model->mesh.n_live_tet ? EW_OK : ew_fail(EW_BAD_INPUT, "model: the mesh has no tets");
}

/* Matrices, constraints and rows, of the vertices alone or of all. */
static ew_status choose_rows(pencil *in)
{
    ew_model *model = in->model;
    const ew_constraints *constraints = &model->constraints;
    in->n_row = model_n_row(model);
    in->pattern = &model->topology.pattern;
    if (model_is_nonlinear(model)) {
        EW_TRY(pencil_find_tangent(in, in->form, true, &in->blocks));
        in->stiffness = &in->blocks;
    } else {
        EW_TRY(model_fetch_stiffness(model));
        in->stiffness = &model->stiffness.matrix.host;
    }
    in->system = (ew_system){
        .xyz = model->mesh.xyz, .fixed = constraints->fixed, .oblique = &constraints->oblique};
    if (model_has_edges(model)) {
        const ew_edge_rows *rows = &model->quadratic.rows;
        EW_TRY(model_prepare_edge_constraints(model));
        EW_TRY(ew_edge_rows_check_curves(rows, &model->mesh, &model->topology, true));
        EW_TRY(model_update_whole(model));
        in->pattern = &model->quadratic.whole;
        in->stiffness = &model->quadratic.whole_blocks;
        in->system.fixed = model->quadratic.fixed;
        in->system.oblique = &model->quadratic.oblique;
    }
    in->n_free = count_free(in->system.fixed, in->n_row, in->system.oblique);
    return EW_OK;
}

ew_status pencil_prepare(pencil *in, int32_t count, ew_eigen_call *eigen)
{
    EW_TRY(check(in, eigen));
    EW_TRY(model_is_nonlinear(in->model) ? EW_OK : model_update_matrix(in->model));
    EW_TRY(model_update_supports(in->model));
    EW_TRY(choose_rows(in));
    if (count < 1 || count >= in->n_free) {
        return ew_fail(EW_BAD_INPUT,
                       "%s: %d are asked for; it must be from 1 to %d, for %d components of "
                       "displacement are free",
                       in->what, count, in->n_free - 1, in->n_free);
    }
    return ew_new(&in->work, 3 * pencil_size(in), sizeof(double));
}

ew_status pencil_factor(pencil *in, const ew_matrix *matrix)
{
    EW_TRY(ew_progress_report(&in->progress, "factor", -1));
    in->op = ew_operator_on_host(matrix, in->pattern);
    in->system.op = &in->op;
    in->factor.direct = in->direct;
    return ew_preconditioner_setup(&in->factor, EW_CHOLESKY, &in->system, EW_DOUBLE);
}

void pencil_solve(void *user, const double *x, double *y)
{
    pencil *in = user;
    ew_preconditioner_apply(&in->factor, x, y);
    model_filter(in->model, y);
}

/* What starts an iteration afresh may have parts along what is prescribed. */
void pencil_product(pencil *in, const ew_matrix *matrix, const double *x, double *y)
{
    const size_t n = pencil_size(in);
    double *free = in->work + 2 * n;
    memcpy(free, x, n * sizeof *free);
    model_filter(in->model, free);
    if (matrix->block == 1) {
        ew_matrix_product_scalar(matrix, in->pattern, free, y);
    } else {
        ew_matrix_product(matrix, in->pattern, free, y);
    }
    model_filter(in->model, y);
}

double pencil_dot(const pencil *in, const double *x, const double *y)
{
    double sum = 0.0;
    for (int64_t i = 0; i < 3 * (int64_t)in->n_row; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

void pencil_turn_positive(const pencil *in, double *x)
{
    const int64_t n = 3 * (int64_t)in->n_row;
    double largest = 0.0;
    for (int64_t i = 0; i < n; i++) {
        largest = fabs(x[i]) > fabs(largest) ? x[i] : largest;
    }
    for (int64_t i = 0; i < n && largest < 0.0; i++) {
        x[i] = -x[i];
    }
}

void pencil_free(pencil *in)
{
    ew_preconditioner_free(&in->factor);
    ew_operator_free(&in->op);
    ew_response_free(&in->response);
    ew_matrix_free(&in->blocks);
    ew_release(in->work);
    in->work = NULL;
}
