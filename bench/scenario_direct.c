/* Scenario `direct`: conjugate gradients beside the direct solver, to 1e-8 from rest: the first
 * solve, another right-hand side, and the answer after 1, 10 and 50 tets were removed, by an update
 * of the factor and by a new one. Medians, ms; the first update converts the factor and stands
 * alone. */
#include "edited.h"
#include "ew_parts.h"
#include "solver/cholmod.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 15, N_COLUMN = 6 };
enum { FOLLOW, SOLVE, TOTAL, ITERATIONS, COLUMNS, ENTRIES };

typedef struct direct {
    const bench_body *body;
    ew_model *model;
    bool is_direct;
    uint64_t random;
    double sample[SAMPLES][N_COLUMN];
} direct;

/* What a solve from rest costs: the matrix is current, but what solves with it is not. */
static ew_status solve(direct *in, double value[N_COLUMN])
{
    ew_pcg_def def = ew_default_pcg_def();
    const ew_pcg_info *info;
    const ew_matrix *matrix;
#if EW_WITH_CHOLMOD
    def.direct = ew_direct_solver();
    def.preconditioner = in->is_direct ? EW_CHOLESKY : EW_AUTO_PRECONDITIONER;
#endif
    EW_TRY(ew_model_matrix(in->model, &matrix));
    memset(ew_model_field(in->model, 0), 0,
           3 * (size_t)ew_model_mesh(in->model)->n_vertex * sizeof(double));
    ew_model_clear_report(in->model);
    EW_TRY(ew_model_solve(in->model, &def, &info));
    const ew_model_report *report = ew_model_view_report(in->model);
    value[FOLLOW] = 1e3 * (report->seconds_preconditioner + info->seconds_setup);
    value[SOLVE] = 1e3 * (info->seconds - info->seconds_setup);
    value[TOTAL] = value[FOLLOW] + value[SOLVE];
    value[ITERATIONS] = info->iterations;
    value[COLUMNS] = in->is_direct ? (double)info->factor.n_column : (double)NAN;
    value[ENTRIES] = in->is_direct ? 1e-6 * (double)info->factor.n_entry : (double)NAN;
    return EW_OK;
}

/* Tets without a face on the boundary, so that nothing is cut off. */
static ew_status remove_tets(direct *in, int32_t n)
{
    const ew_mesh *mesh = ew_model_mesh(in->model);
    const ew_topology *topology = ew_model_topology(in->model);
    ew_model_begin(in->model);
    for (int32_t k = 0, tries = 0; k < n && tries < 1000 * n; tries++) {
        const int32_t t = bench_random(&in->random, mesh->n_tet);
        bool is_inside = ew_mesh_tet_is_live(mesh, t);
        for (int f = 0; f < 4 && is_inside; f++) {
            is_inside = ew_topology_face_neighbor(topology, mesh, 4 * t + f) >= 0;
        }
        if (is_inside) {
            EW_TRY(ew_edit_remove_tet(ew_model_edit(in->model), t));
            k++;
        }
    }
    const ew_status status = ew_model_commit(in->model);
    return status == EW_BAD_EDIT ? EW_OK : status; /* one was drawn twice: try without */
}

static ew_status put_medians(bench_run *bench, direct *in, const char *what, int32_t n)
{
    double value[N_COLUMN], work[SAMPLES];
    for (int column = 0; column < N_COLUMN; column++) {
        for (int32_t k = 0; k < n; k++) {
            work[k] = in->sample[k][column];
        }
        value[column] = bench_median(work, n);
    }
    char name[64];
    snprintf(name, sizeof name, "%s, %s", in->is_direct ? "cholesky" : "cg", what);
    return bench_row(bench, "host", name, value);
}

static ew_status measure_edits(bench_run *bench, direct *in, int32_t n_tet, bool rebuild,
                               const char *what)
{
    const int32_t most = in->body->mesh.n_live_tet / (20 * n_tet);
    int32_t n = bench->repeat < SAMPLES ? bench->repeat : SAMPLES;
    n = n < most ? n : most > 1 ? most : 1;
    for (int32_t k = 0; k < n; k++) {
        EW_TRY(remove_tets(in, n_tet));
        EW_TRY(rebuild ? ew_model_rebuild(in->model) : EW_OK);
        EW_TRY(solve(in, in->sample[k]));
    }
    return put_medians(bench, in, what, n);
}

static ew_status measure(bench_run *bench, direct *in)
{
    const ew_model_load load = {.kind = EW_LOAD_GRAVITY, .vector = {3.0, 1.0, 2.0}};
    EW_TRY(bench_model_make(in->body, NULL, &in->model));
    EW_TRY(solve(in, in->sample[0]));
    EW_TRY(put_medians(bench, in, "first", 1));
    EW_TRY(ew_model_set_loads(in->model, 1, &load));
    EW_TRY(solve(in, in->sample[0]));
    EW_TRY(put_medians(bench, in, "other load", 1));
    EW_TRY(remove_tets(in, 1));
    EW_TRY(solve(in, in->sample[0]));
    EW_TRY(put_medians(bench, in, "first edit", 1));
    EW_TRY(measure_edits(bench, in, 1, false, "1 tet"));
    EW_TRY(measure_edits(bench, in, 10, false, "10 tets"));
    EW_TRY(measure_edits(bench, in, 50, false, "50 tets"));
    return measure_edits(bench, in, 1, true, "set up again");
}

static ew_status run_direct(bench_run *bench, const bench_body *body)
{
    ew_status status = EW_OK;
    for (int k = 0; k <= EW_WITH_CHOLMOD && !status; k++) {
        direct in = {.body = body, .is_direct = k == 1, .random = 88172645463325252U};
        status = measure(bench, &in);
        ew_model_free(in.model);
    }
    return status;
}

const bench_scenario bench_scenario_direct = {
    .name = "direct",
    .summary = "conjugate gradients beside the direct solver: first solve, another load, tets "
               "removed, ms",
    .as_read = true,
    .column = {"follow ms", "solve ms", "total ms", "iterations", "columns", "M entries"},
    .run = run_direct,
};
