/* Scenario `energy`: the answer after an edit within an energy error of 1e-3, by a local correction
 * where that is enough, then stresses, sums and the estimated discretization error, beside a global
 * solve to a residual of 1e-6 of the same edits on a twin. The error of each claim is compared with
 * a third model solved to 1e-10, where the body has less than 200,000 tets. */
#include "edited.h"

#include "matrix/parts/matrix.h"

#include <math.h>
#include <string.h>

enum { LOCAL, GLOBAL, EXACT, N_MODEL };
enum { MAX_EDITS = 200, MAX_EXACT_TETS = 200000, EXACT_EVERY = 5 };
#define ENERGY_TOLERANCE 1e-3

typedef struct energy_run {
    ew_model *model[N_MODEL];
    uint64_t random;
    int32_t n_edit, n_local, n_checked;
    double ms[N_MODEL][MAX_EDITS], all_ms[MAX_EDITS]; /* to the answer; to the estimate */
    double iterations[N_MODEL], least, most;
} energy_run;

static const ew_pcg_def settings[N_MODEL] = {
    [LOCAL] = {.tolerance = 1e-6, .energy_tolerance = ENERGY_TOLERANCE},
    [GLOBAL] = {.tolerance = 1e-6},
    [EXACT] = {.tolerance = 1e-10},
};

static ew_status solve(energy_run *in, int which, const ew_pcg_info **info)
{
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = settings[which].tolerance;
    def.energy_tolerance = settings[which].energy_tolerance;
    ew_status status = ew_model_solve(in->model[which], &def, info);
    for (int32_t n = 1; status == EW_UNDER_CONSTRAINED && n > 0;) { /* what was cut off goes, too */
        ew_model_begin(in->model[which]);
        EW_TRY(ew_model_queue_under_constrained(in->model[which], &n));
        EW_TRY(ew_model_commit(in->model[which]));
        status = ew_model_solve(in->model[which], &def, info);
    }
    return status;
}

/* |x - y| / |y| in the energy norm; y: of the model that is solved exactly. */
static ew_status find_error(const energy_run *in, double *error)
{
    const ew_matrix *matrix;
    const ew_pattern *pattern;
    EW_TRY(ew_model_assemble_stiffness(in->model[EXACT], &matrix, &pattern));
    const size_t n = 3 * (size_t)pattern->n_row;
    const double *x = ew_model_displacement(in->model[LOCAL]);
    const double *y = ew_model_displacement(in->model[EXACT]);
    double *e, of_e = 0.0, of_y = 0.0;
    EW_TRY(ew_new(&e, 2 * n, sizeof *e));
    for (size_t i = 0; i < n; i++) {
        e[i] = x[i] - y[i];
    }
    ew_matrix_product(matrix, pattern, e, e + n);
    for (size_t i = 0; i < n; i++) {
        of_e += e[i] * e[n + i];
    }
    ew_matrix_product(matrix, pattern, y, e + n);
    for (size_t i = 0; i < n; i++) {
        of_y += y[i] * e[n + i];
    }
    ew_release(e);
    *error = sqrt(of_e / of_y);
    return EW_OK;
}

static ew_status check_claim(energy_run *in, double claimed)
{
    const ew_pcg_info *info;
    double error;
    EW_TRY(solve(in, EXACT, &info));
    EW_TRY(find_error(in, &error));
    in->least = fmin(in->least, claimed / error);
    in->most = fmax(in->most, claimed / error);
    in->n_checked++;
    return EW_OK;
}

static ew_status recover(ew_model *model)
{
    EW_TRY(ew_model_recover(model, NULL, NULL));
    return ew_model_estimate(model, NULL, NULL);
}

static ew_status edit_all(energy_run *in, int32_t n_tet)
{
    const int32_t k = in->n_edit++;
    const uint64_t random = in->random;
    double claimed = 0.0;
    for (int which = 0; which < N_MODEL && in->model[which]; which++) {
        const ew_pcg_info *info;
        in->random = random; /* the same tets */
        ew_model_begin(in->model[which]);
        EW_TRY(bench_queue_tets(in->model[which], &in->random, n_tet));
        const double start = ew_seconds();
        EW_TRY(ew_model_commit(in->model[which]));
        if (which == EXACT) {
            EW_TRY(k % EXACT_EVERY == 0 ? check_claim(in, claimed) : EW_OK);
            continue;
        }
        EW_TRY(solve(in, which, &info));
        in->ms[which][k] = 1e3 * (ew_seconds() - start);
        EW_TRY(which == LOCAL ? recover(in->model[which]) : EW_OK);
        in->all_ms[k] = which == LOCAL ? 1e3 * (ew_seconds() - start) : in->all_ms[k];
        in->iterations[which] += info->iterations;
        in->n_local += info->is_local;
        claimed = which == LOCAL ? info->energy_error : claimed;
    }
    return EW_OK;
}

static ew_status make_models(const bench_body *body, energy_run *in)
{
    const int n = body->mesh.n_live_tet < MAX_EXACT_TETS ? N_MODEL : EXACT;
    const ew_pcg_info *info;
    for (int which = 0; which < n; which++) {
        EW_TRY(bench_model_make(body, NULL, &in->model[which]));
        EW_TRY(solve(in, which, &info));
        EW_TRY(which == LOCAL ? recover(in->model[which]) : EW_OK);
    }
    return EW_OK;
}

static double quantile(double *value, int32_t n, double share)
{
    bench_median(value, n); /* sorts */
    return value[(int32_t)(share * (n - 1))];
}

static ew_status measure(bench_run *bench, const bench_body *body, int32_t n_tet, energy_run *in)
{
    const int32_t most = body->mesh.n_live_tet / 10 / n_tet;
    const int32_t wanted = 20 * bench->repeat < MAX_EDITS ? 20 * bench->repeat : MAX_EDITS;
    const int32_t n = most < wanted ? most : wanted;
    char what[64];
    in->random = 88172645463325252U;
    in->least = INFINITY;
    EW_TRY(make_models(body, in));
    while (in->n_edit < n) {
        EW_TRY(edit_all(in, n_tet));
    }
    const double value[] = {bench_median(in->ms[LOCAL], n),
                            quantile(in->ms[LOCAL], n, 0.95),
                            bench_median(in->all_ms, n),
                            quantile(in->all_ms, n, 0.95),
                            bench_median(in->ms[GLOBAL], n),
                            (double)in->n_local / n,
                            in->iterations[LOCAL] / n,
                            in->iterations[GLOBAL] / n,
                            in->n_checked ? in->least : NAN,
                            in->n_checked ? in->most : NAN,
                            n};
    snprintf(what, sizeof what, "%d tet%s", n_tet, n_tet > 1 ? "s" : "");
    return bench_row(bench, "host", what, value);
}

static ew_status run_energy(bench_run *bench, const bench_body *body)
{
    ew_status status = EW_OK;
    for (int32_t n_tet = 1; n_tet <= 1000 && n_tet <= body->mesh.n_live_tet / 100 && !status;
         n_tet *= 10) {
        energy_run *in;
        EW_TRY(ew_new_zero(&in, 1, sizeof *in));
        status = measure(bench, body, n_tet, in);
        for (int which = 0; which < N_MODEL; which++) {
            ew_model_free(in->model[which]);
        }
        ew_release(in);
    }
    return status;
}

const bench_scenario bench_scenario_energy = {
    .name = "energy",
    .summary =
        "the answer after tets are removed, ms from the edit: within an energy error of 1e-3 "
        "(median, 95 %), the same with stresses and estimated error, to a residual of 1e-6; share "
        "of local answers, iterations of both, "
        "claimed over true error",
    .as_read = true,
    .column = {"ms", "95 %", "all ms", "all 95 %", "1e-6 ms", "local", "iterations", "at 1e-6",
               "least", "most", "edits"},
    .run = run_energy,
};
