/* The start of a solve from answers of the same body with other materials, loads or supports. In: a
 * model whose matrix, loads and supports are current, displacements of all rows. Out: as its
 * displacement the sum of them that is nearest to the answer in the energy norm.
 *
 * With u_i what is free of the answers, and u_0 the prescribed values, the factors solve
 * (u_i . K u_j) c = u_i . (f - K u_0): Galerkin's method in the space of the answers, a reduced
 * basis (Noor & Peters 1980, Reduced basis technique for nonlinear analysis of structures). */
#include "model/formulation/formulation.h"

#include <math.h>
#include <string.h>

/* A direction is left out where what others leave of its energy is this share. */
#define DEPENDENT 1e-13

typedef struct galerkin {
    ew_model *model;
    int32_t n;
    size_t size;     /* numbers of a vector */
    double *u;       /* [n + 1][size] owned: free parts of the answers, and the prescribed values */
    double *product; /* [size] owned */
    double *a, *b;   /* [n][n], [n] owned */
} galerkin;

static double dot(const double *x, const double *y, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

static ew_status open(galerkin *in, ew_model *model, int32_t n, const double *const *answer)
{
    const size_t size = 3 * (size_t)model_n_row(model), m = (size_t)n;
    *in = (galerkin){.model = model, .n = n, .size = size};
    EW_TRY(ew_new(&in->u, (m + 2) * size + m * m + m, sizeof(double)));
    in->product = in->u + (m + 1) * size;
    in->a = in->product + size;
    in->b = in->a + m * m;
    for (size_t i = 0; i < m; i++) {
        memcpy(in->u + i * size, answer[i], size * sizeof(double));
        model_filter_constraints(model, in->u + i * size);
    }
    memset(in->u + m * size, 0, size * sizeof(double));
    model_put_prescribed_values(model, in->u + m * size);
    return EW_OK;
}

static ew_status form(galerkin *in)
{
    const ew_model *model = in->model;
    const size_t n = (size_t)in->n;
    for (size_t j = 0; j <= n; j++) {
        const double *of = in->u + j * in->size;
        if (j == n && model_is_zero(of, in->size)) {
            memset(in->product, 0, in->size * sizeof(double));
        } else {
            EW_TRY(model_elastic_product(in->model, of, in->product));
        }
        for (size_t i = 0; i < n; i++) {
            const double *with = in->u + i * in->size;
            if (j == n) {
                in->b[i] =
                    dot(with, model->force.value, in->size) - dot(with, in->product, in->size);
            } else if (i >= j) {
                in->a[i * n + j] = dot(with, in->product, in->size);
            }
        }
    }
    return EW_OK;
}

/* a = L D L^T, b becomes the factors; directions that depend on those before get none. */
static void solve(galerkin *in)
{
    const int n = in->n;
    double *a = in->a, *b = in->b;
    for (int j = 0; j < n; j++) {
        const double whole = a[j * n + j];
        for (int k = 0; k < j; k++) {
            a[j * n + j] -= a[j * n + k] * a[j * n + k] * a[k * n + k];
            b[j] -= a[j * n + k] * b[k];
        }
        const bool is_left_out = !(a[j * n + j] > DEPENDENT * whole);
        a[j * n + j] = is_left_out ? 0.0 : a[j * n + j];
        for (int i = j + 1; i < n; i++) {
            for (int k = 0; k < j; k++) {
                a[i * n + j] -= a[i * n + k] * a[j * n + k] * a[k * n + k];
            }
            a[i * n + j] = is_left_out ? 0.0 : a[i * n + j] / a[j * n + j];
        }
        b[j] = is_left_out ? 0.0 : b[j];
    }
    for (int j = n - 1; j >= 0; j--) {
        b[j] = a[j * n + j] > 0.0 ? b[j] / a[j * n + j] : 0.0;
        for (int i = j + 1; i < n; i++) {
            b[j] -= a[i * n + j] * b[i];
        }
    }
}

static void add_up(const galerkin *in)
{
    double *to = in->model->field[0].value;
    memcpy(to, in->u + (size_t)in->n * in->size, in->size * sizeof *to);
    for (size_t i = 0; i < (size_t)in->n; i++) {
        for (size_t k = 0; k < in->size && in->b[i] != 0.0; k++) {
            to[k] += in->b[i] * in->u[i * in->size + k];
        }
    }
}

ew_status ew_model_start_near(ew_model *model, int32_t n, const double *const *answer)
{
    galerkin in;
    EW_TRY(ew_model_prepare(model));
    if (n < 1 || model->mixed.is_on || model_has_equations(&model->equations)) {
        return EW_OK;
    }
    ew_status status = open(&in, model, n, answer);
    status = status ? status : form(&in);
    if (!status) {
        solve(&in);
        add_up(&in);
        model_forget_row_changes(model);
        model->starts_near = true;
    }
    ew_release(in.u);
    return status;
}
