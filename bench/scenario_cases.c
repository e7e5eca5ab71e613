/* Scenario `cases`: a body of linear and of quadratic tets under 2, 4 and 8 loads in, to a residual
 * of 1e-8; time of their solves side by side, and one after the other on the same preconditioner,
 * in turns, out. Time is that of the processors, whatever else they have to do. */
#include "edited.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { MAX_CASES = 8, MAX_REPEAT = 99 };

typedef struct cases_run {
    ew_model *model;
    ew_pcg_def def;
    size_t n_number; /* of a displacement */
    double *answer;  /* [MAX_CASES][n_number] owned: of vertices */
    int32_t n_edge, top;
    double *zero; /* [n_edge][3] owned */
    double iterations, difference;
} cases_run;

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static ew_status set_load(cases_run *in, int32_t k)
{
    const ew_model_load force = {
        .kind = EW_LOAD_FORCE, .set = in->top, .vector = {cos(k), sin(k), k / 4.0}};
    return ew_model_set_loads(in->model, 1, &force);
}

static ew_status add_top(cases_run *in)
{
    const ew_model_set_def def = {.name = "top", .kind = EW_SET_OF_VERTICES};
    const ew_mesh *mesh = ew_model_mesh(in->model);
    ew_list top = {0};
    ew_status status = EW_OK;
    double height = -INFINITY;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        height = fmax(height, mesh->xyz[3 * (size_t)v + 1]);
    }
    for (int32_t v = 0; v < mesh->n_vertex && !status; v++) {
        status = mesh->xyz[3 * (size_t)v + 1] > height - 1e-6 ? ew_list_push(&top, v) : EW_OK;
    }
    status = status ? status : ew_model_add_set(in->model, &def, &top, &in->top);
    ew_list_free(&top);
    return status;
}

static ew_status rest(cases_run *in)
{
    memset(ew_model_field(in->model, 0), 0, in->n_number * sizeof(double));
    return ew_model_put_edge_displacement(in->model, in->n_edge, in->zero);
}

static ew_status solve_in_turn(cases_run *in, int32_t n, double *seconds)
{
    const double start = processor_seconds();
    in->iterations = 0.0;
    for (int32_t k = 0; k < n; k++) {
        const ew_pcg_info *info;
        EW_TRY(set_load(in, k));
        EW_TRY(rest(in));
        EW_TRY(ew_model_solve(in->model, &in->def, &info));
        in->iterations += info->iterations;
        memcpy(in->answer + in->n_number * (size_t)k, ew_model_displacement(in->model),
               in->n_number * sizeof(double));
    }
    *seconds = processor_seconds() - start;
    return EW_OK;
}

static ew_status solve_side_by_side(cases_run *in, int32_t n, double *seconds)
{
    const double start = processor_seconds();
    for (int32_t k = 0; k < n; k++) {
        EW_TRY(set_load(in, k));
        EW_TRY(ew_model_add_case(in->model, true));
    }
    EW_TRY(ew_model_solve_cases(in->model, &in->def));
    for (int32_t k = 0; k < n; k++) {
        const ew_pcg_info *info;
        EW_TRY(set_load(in, k));
        EW_TRY(ew_model_take_case(in->model, k, &in->def, &info));
        const double *u = ew_model_displacement(in->model);
        for (size_t i = 0; i < in->n_number; i++) {
            const double other = in->answer[in->n_number * (size_t)k + i];
            in->difference = fmax(in->difference, fabs(u[i] - other));
        }
    }
    *seconds = processor_seconds() - start;
    return EW_OK;
}

static ew_status measure(bench_run *bench, cases_run *in, const char *what, int32_t n)
{
    double each[MAX_REPEAT], together[MAX_REPEAT], ratio[MAX_REPEAT];
    char text[40];
    const int32_t repeat = bench->repeat < MAX_REPEAT ? bench->repeat : MAX_REPEAT;
    in->difference = 0.0;
    for (int32_t i = 0; i < repeat; i++) {
        EW_TRY(solve_in_turn(in, n, &each[i]));
        EW_TRY(solve_side_by_side(in, n, &together[i]));
        ratio[i] = each[i] / together[i];
    }
    const double value[] = {n,
                            in->iterations / n,
                            1e3 * bench_median(each, repeat) / n,
                            1e3 * bench_median(together, repeat) / n,
                            bench_median(ratio, repeat),
                            in->difference};
    snprintf(text, sizeof text, "%s, %d cases", what, (int)n);
    return bench_row(bench, "host", text, value);
}

static ew_status measure_order(bench_run *bench, const bench_body *body, bool is_quadratic,
                               cases_run *in)
{
    EW_TRY(bench_model_make(body, NULL, &in->model));
    EW_TRY(ew_model_set_order(in->model, is_quadratic));
    in->n_number = 3 * (size_t)ew_model_mesh(in->model)->n_vertex;
    EW_TRY(ew_new(&in->answer, MAX_CASES * in->n_number, sizeof *in->answer));
    const ew_edge_rows *rows = ew_model_edge_rows(in->model);
    in->n_edge = rows ? rows->pattern.n_row : 0;
    EW_TRY(ew_new_zero(&in->zero, (size_t)in->n_edge, 3 * sizeof *in->zero));
    EW_TRY(add_top(in));
    double untimed;
    EW_TRY(solve_in_turn(in, 1, &untimed));
    EW_TRY(solve_side_by_side(in, 2, &untimed));
    for (int32_t n = 2; n <= MAX_CASES; n *= 2) {
        EW_TRY(measure(bench, in, is_quadratic ? "quadratic" : "linear", n));
    }
    return EW_OK;
}

static ew_status run_cases(bench_run *bench, const bench_body *body)
{
    ew_status status = EW_OK;
    for (int order = 0; order < 2 && !status; order++) {
        cases_run in = {.def = ew_default_pcg_def()};
        status = measure_order(bench, body, order == 1, &in);
        ew_release(in.answer);
        ew_release(in.zero);
        ew_model_free(in.model);
    }
    return status;
}

const bench_scenario bench_scenario_cases = {
    .name = "cases",
    .summary = "processor time of a solve to 1e-8 for each of several loads, one after the other "
               "and side by side",
    .as_read = true,
    .column = {"cases", "iterations", "in turn ms", "together ms", "ratio", "difference m"},
    .run = run_cases,
};
