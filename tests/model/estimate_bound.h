/* The bound by which claims of local answers are judged. The estimate is eta^2 = r.B^-1 r, B^-1 =
 * D^-1 + P A^-1 P^T being the additive two-level form of the preconditioner: D the diagonal blocks,
 * A the matrix of the aggregates' rigid-body modes P. For every residual the energy of the error is
 * r.K^-1 r <= eta^2 / theta, theta the least eigenvalue of B^-1 K. Conjugate gradients with B^-1
 * find theta as their least Ritz value, from above. */
#ifndef EW_TESTS_ESTIMATE_BOUND_H
#define EW_TESTS_ESTIMATE_BOUND_H

#include "model/formulation/formulation.h"
#include "solver/krylov/pcg.h"
#include "solver/multilevel/multilevel.h"

/* From 45 to 60 steps the bound grows by 2 % at the most in the bodies of the tests. */
enum { BOUND_STEPS = 60 };

typedef struct estimate_form {
    const ew_system *system;
    ew_multilevel *m;
    ew_near_rows near;
    int32_t n_row;
    double *coarse; /* [aggregates][6] */
} estimate_form;

static void filter_rows(const estimate_form *of, double *v)
{
    for (int32_t row = 0; row < of->n_row; row++) {
        ew_near_rows_filter(&of->near, of->system, row, v + 3 * (size_t)row, NULL);
    }
}

/* y = A^-1 P^T r; z += P y. */
static void add_coarse(const estimate_form *of, const double *r, double *z)
{
    ew_multilevel *m = of->m;
    double *y = of->coarse, *work = m->local_answer.work;
    for (int stage = 0; stage < 2; stage++) {
        for (int32_t a = 0; a < m->aggregates.n; a++) {
            double *mode = y + 6 * (size_t)a;
            int32_t n;
            const int32_t *row = ew_aggregates_members(&m->aggregates, a, &n);
            for (int c = 0; c < 6 && stage == 0; c++) {
                mode[c] = 0.0;
            }
            for (int32_t i = 0; i < n; i++) {
                const size_t at = 3 * (size_t)row[i];
                double x[3];
                ew_aggregate_place(&m->aggregates, a, of->system->xyz + at, x);
                for (int c = 0; c < 3; c++) {
                    const int d = (c + 1) % 3, e = (c + 2) % 3;
                    mode[c] += stage == 0 ? r[at + c] : 0.0;
                    mode[3 + c] += stage == 0 ? x[d] * r[at + e] - x[e] * r[at + d] : 0.0;
                    z[at + c] += stage == 1 ? mode[c] + mode[3 + d] * x[e] - mode[3 + e] * x[d] : 0;
                }
            }
        }
        if (stage == 0 && m->intermediate.is_there) {
            const ew_grouped_level level = ew_multilevel_grouped(m, NULL);
            ew_intermediate_solve_in_team(&m->intermediate, &level, &m->coarsest, y);
        } else if (stage == 0) {
            ew_block_cholesky_solve(&m->coarsest.factor, y, work);
        }
    }
}

static void apply_estimate(const estimate_form *of, const double *r, double *z)
{
    for (int32_t row = 0; row < of->n_row; row++) {
        const uint8_t fixed = of->system->fixed[row];
        double inverse[6], *to = z + 3 * (size_t)row;
        memset(to, 0, 3 * sizeof *to);
        if (fixed != 7 && !ew_invert_row_block(ew_diagonal_of_row(of->system->op, row), fixed, true,
                                               row, inverse)) {
            ew_multiply_row_inverse(inverse, r + 3 * (size_t)row, to);
        }
    }
    add_coarse(of, r, z);
    filter_rows(of, z);
}

static double dot_rows(const estimate_form *of, const double *x, const double *y)
{
    double sum = 0.0;
    for (size_t i = 0; i < 3 * (size_t)of->n_row; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* From a random residual. */
static double min_ritz_value(const estimate_form *of, double *work)
{
    const size_t n = 3 * (size_t)of->n_row;
    double *r = work, *z = r + n, *p = z + n, *q = p + n, step[2 * BOUND_STEPS], rz = 0.0;
    uint64_t state = 7;
    for (size_t i = 0; i < n; i++) {
        r[i] = ew_test_random(&state, 2001) * 1e-3 - 1.0;
    }
    filter_rows(of, r);
    for (int k = 0; k < BOUND_STEPS; k++) {
        apply_estimate(of, r, z);
        const double now = dot_rows(of, r, z), beta = k ? now / rz : 0.0;
        rz = now;
        for (size_t i = 0; i < n; i++) {
            p[i] = z[i] + beta * p[i];
        }
        ew_operator_product(of->system->op, p, q);
        filter_rows(of, q);
        step[2 * k] = rz;
        step[2 * k + 1] = dot_rows(of, p, q);
        for (size_t i = 0; i < n; i++) {
            r[i] -= rz / step[2 * k + 1] * q[i];
        }
    }
    return ew_min_ritz_value(BOUND_STEPS, step);
}

/* theta of a model that was solved within an energy tolerance by the rigid-body preconditioner. */
static double estimate_theta(ew_model *model, const ew_pcg_def *def)
{
    ew_system system;
    ew_solver *solver;
    double *work;
    must(model_choose_system(model, def, &system, &solver));
    must(system.op->type->prepare(system.op, EW_DOUBLE));
    estimate_form of = {.system = &system, .n_row = ew_operator_n_row(system.op)};
    memcpy(&of.m, solver->preconditioner.data, sizeof of.m); /* its first member (rigid.c) */
    must(ew_near_rows_note_oblique(&of.near, &system));
    must(ew_new(&of.coarse, 6 * (size_t)of.m->aggregates.n, sizeof *of.coarse));
    must(ew_new_zero(&work, 12 * (size_t)of.n_row, sizeof *work));
    const double theta = min_ritz_value(&of, work);
    ew_release(work);
    ew_release(of.coarse);
    ew_near_rows_free(&of.near);
    return theta;
}

#endif
