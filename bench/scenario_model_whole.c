/* Scenario `model-whole`: operations that touch a tenth of a mesh, all of it or what lies between,
 * through a model: what tables and blocks cost beside building both, as ew_model_verify does from
 * the same mesh. Every sample is a model of its own; shown is the least of each, in ms, and the
 * ratio of these. */
#include "edited.h"
#include "model/parts/model.h"

#include <math.h>

enum { MAX_REPEAT = 99 };
enum { COMMIT, TABLES, MATRIX, FOLLOW, REBUILD, RATIO, N_TIME }; /* RATIO: of the least ones */

typedef struct whole {
    const char *name;
    double share; /* of the body along y that is edited, or of its tets */
    ew_status (*queue)(const struct whole *self, const ew_model *model, ew_edit *edit);
    bool smooth; /* a second edit of the same step */
} whole;

/* Vertices in the lower part of the body, ascending. */
static ew_status list_lower(const ew_mesh *mesh, double share, ew_list *list)
{
    ew_mesh_measure measure;
    ew_mesh_take_measure(mesh, &measure);
    const double top = measure.low[1] + share * (measure.high[1] - measure.low[1]) * (1 + 1e-9);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        EW_TRY(mesh->xyz[3 * (size_t)v + 1] <= top && mesh->valence[v] > 0 ? ew_list_push(list, v)
                                                                           : EW_OK);
    }
    return EW_OK;
}

static ew_status queue_refine(const whole *self, const ew_model *model, ew_edit *edit)
{
    ew_list lower = {0};
    ew_status status = list_lower(ew_model_mesh(model), self->share, &lower);
    status = status ? status
                    : ew_operation_refine(ew_model_mesh(model), ew_model_topology(model), 0, &lower,
                                          edit);
    ew_list_free(&lower);
    return status;
}

static ew_status queue_decimate(const whole *self, const ew_model *model, ew_edit *edit)
{
    const ew_decimate_def def = {.fraction = self->share, .order = EW_DECIMATE_RANDOM, .seed = 1};
    return ew_operation_decimate(ew_model_mesh(model), &def, edit);
}

static ew_status queue_cut(const whole *self, const ew_model *model, ew_edit *edit)
{
    const ew_decimate_def def = {
        .fraction = self->share, .order = EW_DECIMATE_AXIS, .axis = {0, 1, 0}};
    return ew_operation_decimate(ew_model_mesh(model), &def, edit);
}

/* As smooth does, but of as many vertices as are asked for: by too little to matter. */
static ew_status queue_move(const whole *self, const ew_model *model, ew_edit *edit)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_list lower = {0};
    ew_mesh_measure measure;
    ew_mesh_take_measure(mesh, &measure);
    ew_status status = list_lower(mesh, self->share, &lower);
    for (int32_t i = 0; i < lower.n && !status; i++) {
        const double *x = mesh->xyz + 3 * (size_t)lower.id[i];
        const double step = 1e-6 * measure.shortest_edge * (1 + i % 3);
        status = ew_edit_move_vertex(edit, lower.id[i], (double[3]){x[0] + step, x[1], x[2]});
    }
    ew_list_free(&lower);
    return status;
}

static ew_status queue_mirror(const whole *self, const ew_model *model, ew_edit *edit)
{
    ew_mirror_def def = {.normal = {1, 0, 0}, .tolerance = -1};
    (void)self;
    ew_mirror_place(ew_model_mesh(model), 1, &def);
    return ew_operation_mirror(ew_model_mesh(model), &def, edit);
}

/* What a case's `longer_than` asks for: here a share of the longest edge. */
static ew_status queue_lengths(const whole *self, const ew_model *model, ew_edit *edit)
{
    ew_mesh_measure measure;
    ew_mesh_take_measure(ew_model_mesh(model), &measure);
    return ew_operation_refine(ew_model_mesh(model), ew_model_topology(model),
                               self->share * measure.longest_edge, NULL, edit);
}

static ew_status queue_smooth(void *user, const ew_model *model, ew_edit *edit)
{
    enum { SWEEPS = 3 };
    (void)user;
    return ew_operation_smooth(ew_model_mesh(model), ew_model_topology(model), SWEEPS, edit);
}

static const whole edits[] = {
    {"refine 0.1", 0.1, queue_refine, false},       {"refine 0.25", 0.25, queue_refine, false},
    {"refine 0.5", 0.5, queue_refine, false},       {"refine 0.75", 0.75, queue_refine, false},
    {"refine 1", 1.0, queue_refine, false},         {"move 0.1", 0.1, queue_move, false},
    {"move 0.5", 0.5, queue_move, false},           {"move 1", 1.0, queue_move, false},
    {"mirror", 1.0, queue_mirror, false},           {"decimate 0.1", 0.1, queue_decimate, false},
    {"decimate 0.25", 0.25, queue_decimate, false}, {"decimate 0.5", 0.5, queue_decimate, false},
    {"decimate 0.75", 0.75, queue_decimate, false}, {"decimate 0.85", 0.85, queue_decimate, false},
    {"decimate 0.9", 0.9, queue_decimate, false},   {"cut off 0.5", 0.5, queue_cut, false},
    {"cut off 0.9", 0.9, queue_cut, false},         {"longer than 0.7", 0.7, queue_lengths, false},
    {"the same, smooth", 0.7, queue_lengths, true}, {"longer than 0.9", 0.9, queue_lengths, false},
    {"the same, smooth", 0.9, queue_lengths, true},
};

/* ---- one sample ------------------------------------------------------------- */

static ew_status queue_whole(void *user, const ew_model *model, ew_edit *edit)
{
    const whole *self = user;
    return self->queue(self, model, edit);
}

static ew_status make_model(ew_model **model, const bench_run *bench, const bench_body *body)
{
    const ew_material steel = {
        .young = BENCH_YOUNG, .poisson = BENCH_POISSON, .density = BENCH_DENSITY};
    const ew_model_def def = {.device = bench->device};
    const ew_matrix *matrix;
    ew_mesh mesh;
    EW_TRY(ew_mesh_copy(&mesh, &body->mesh));
    const ew_status status = ew_model_create(model, &mesh, &def);
    ew_mesh_free(&mesh);
    EW_TRY(status);
    EW_TRY(ew_model_set_material(*model, EW_ALL_REGIONS, &steel));
    EW_TRY(ew_model_boundary(*model, NULL));
    return ew_model_matrix(*model, &matrix);
}

static ew_status take_sample(ew_model *model, whole *edit, double time[N_TIME])
{
    ew_model_verification verification;
    const ew_matrix *matrix;
    ew_model_clear_report(model);
    EW_TRY(ew_model_apply(model, queue_whole, edit));
    EW_TRY(edit->smooth ? ew_model_apply(model, queue_smooth, NULL) : EW_OK);
    EW_TRY(ew_model_matrix(model, &matrix));
    const ew_model_report report = *ew_model_view_report(model);
    EW_TRY(ew_model_verify(model, &verification));
    if (verification.n_different) {
        return ew_fail(EW_MATRIX_DIFFERS, "bench: %lld blocks of the model differ from a rebuild",
                       (long long)verification.n_different);
    }
    time[COMMIT] = report.seconds_commit;
    time[TABLES] = report.seconds_tables;
    time[MATRIX] = report.seconds_matrix;
    time[FOLLOW] = report.seconds_boundary + report.seconds_follow;
    time[REBUILD] = verification.seconds_tables + verification.seconds_matrix;
    return EW_OK;
}

static ew_status run_edit(bench_run *bench, const bench_body *body, whole edit)
{
    double sample[N_TIME][MAX_REPEAT], value[N_TIME];
    const int32_t n = bench->repeat < MAX_REPEAT ? bench->repeat : MAX_REPEAT;
    for (int32_t k = -1; k < n; k++) {
        ew_model *model = NULL;
        double time[N_TIME] = {0};
        ew_status status = make_model(&model, bench, body);
        status = status ? status : take_sample(model, &edit, time);
        ew_model_free(model);
        EW_TRY(status);
        for (int i = 0; i < RATIO; i++) {
            sample[i][k < 0 ? 0 : k] = time[i];
        }
    }
    for (int i = 0; i < RATIO; i++) {
        bench_median(sample[i], n); /* sorts */
        value[i] = 1e3 * sample[i][0];
    }
    value[RATIO] = (value[TABLES] + value[MATRIX]) / value[REBUILD];
    return bench_row(bench, bench->device ? "opencl" : "host", edit.name, value);
}

static ew_status run_whole(bench_run *bench, const bench_body *body)
{
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        EW_TRY(run_edit(bench, body, edits[i]));
    }
    return EW_OK;
}

const bench_scenario bench_scenario_model_whole = {
    .name = "model-whole",
    .summary = "operations on a tenth of the mesh and more through a model, beside building (ms)",
    .column = {"commit ms", "tables ms", "matrix ms", "follow ms", "rebuild ms", "ratio"},
    .run = run_whole,
};
