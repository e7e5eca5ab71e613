/* Scenario `falling`: frames of a body that plays as in the window, with contact of all parts and
 * without. Two arms of rubber one above the other, a layer of cells between them; the given body
 * tells how many tets. In time the upper arm is cut through after ten steps of 1/60 s, and its end
 * falls on the lower one, with small displacements and with large rotations; in statics the end is
 * pressed down by a force that grows from frame to frame, and the arm is slit half through on the
 * way. Time is that of the processors, of edits and of the recovery of stresses, too, whatever else
 * they have to do. */
#include "edited.h"
#include "operation/parts/operation.h"
#include "shape/parts/shape.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { BEFORE = 10, AFTER = 50, N_COLUMN = 7 };
enum { MEDIAN, WORST, CUT, BESIDE, ITERATIONS, CLOSED, OVERLAP };

#define WIDE    0.1 /* m: of an arm */
#define YOUNG   1e6
#define POISSON 0.4
#define DENSITY 1000.0
#define STEP    (1.0 / 60.0)
#define PRESS   40.0 /* N */

typedef struct arms {
    bench_run *bench;
    ew_model *model; /* owned */
    int32_t n;       /* cells over the width of an arm */
    int32_t tip;     /* set of faces */
    bool moves, turns, touches;
    double second[BEFORE + AFTER];
} arms;

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* ---- the body ----------------------------------------------------------------------------------
 */

/* A box of 3 n, 2 n + 1, n cells of which the layer between the arms is half as high as others. */
static ew_status make_box(ew_mesh *mesh, int32_t n, double gap)
{
    EW_TRY(ew_shape_box(mesh, (double[3]){3.0 * WIDE, 2.0 * WIDE + 2.0 * gap, WIDE},
                        (int32_t[3]){3 * n, 2 * n + 1, n}));
    for (size_t v = 0; v < (size_t)mesh->n_vertex; v++) {
        double *y = mesh->xyz + 3 * v + 1;
        *y -= *y > WIDE + gap ? gap : 0.0;
    }
    return EW_OK;
}

/* That layer goes, but for what joins the arms. */
static ew_status open_gap(ew_model *model, double gap)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        double x[3];
        ew_mesh_tet_centroid(mesh, t, x);
        EW_TRY(x[0] > WIDE && x[1] > WIDE && x[1] < WIDE + gap
                   ? ew_edit_remove_tet(ew_model_edit(model), t)
                   : EW_OK);
    }
    return ew_model_commit(model);
}

static bool is_of(const ew_mesh *mesh, int32_t code, bool base, double gap)
{
    bool is = true;
    for (int k = 0; k < 3; k++) {
        const double *x =
            mesh->xyz + 3 * (size_t)mesh->tet[code / 4 * 4 + ew_face_vertex[code % 4][k]];
        is = is && (base ? x[1] < 1e-9 : x[0] > 3.0 * WIDE - 1e-9 && x[1] > WIDE + 0.5 * gap);
    }
    return is;
}

static ew_status add_side(ew_model *model, bool base, double gap, int32_t *set)
{
    const ew_model_set_def def = {.name = base ? "base" : "tip", .kind = EW_SET_OF_FACES};
    const ew_boundary *boundary;
    ew_list side = {0};
    ew_status status = ew_model_boundary(model, &boundary);
    for (int32_t i = 0; !status && i < boundary->n_slot; i++) {
        const int32_t code = boundary->code[i];
        status = code >= 0 && is_of(ew_model_mesh(model), code, base, gap)
                     ? ew_list_push(&side, code)
                     : EW_OK;
    }
    status = status ? status : ew_model_add_set(model, &def, &side, set);
    ew_list_free(&side);
    return status;
}

static ew_status make(arms *in)
{
    const ew_material rubber = {.young = YOUNG, .poisson = POISSON, .density = DENSITY};
    const ew_model_contact all = {.slave = -1, .master = -1};
    const ew_model_def def = ew_default_model_def();
    const double gap = 0.5 * WIDE / in->n;
    ew_model_constraint base = {.fixed = 7};
    ew_mesh mesh = {0};
    EW_TRY(make_box(&mesh, in->n, gap));
    const ew_status status = ew_model_create(&in->model, &mesh, &def);
    ew_mesh_free(&mesh);
    EW_TRY(status);
    EW_TRY(ew_model_set_material(in->model, EW_ALL_REGIONS, &rubber));
    EW_TRY(open_gap(in->model, gap));
    EW_TRY(add_side(in->model, true, gap, &base.set));
    EW_TRY(add_side(in->model, false, gap, &in->tip));
    EW_TRY(ew_model_set_constraints(in->model, 1, &base));
    return in->touches ? ew_model_set_contacts(in->model, 1, &all) : EW_OK;
}

/* ---- frames ------------------------------------------------------------------------------------
 */

/* As in the window. */
static ew_status start(arms *in)
{
    const ew_model_load weight = {
        .kind = EW_LOAD_GRAVITY, .set = -1, .vector = {0.0, -BENCH_GRAVITY, 0.0}};
    ew_dynamics_def def = ew_default_dynamics_def();
    def.scheme = EW_GENERALIZED_ALPHA;
    def.damping_mass = 1.0;
    def.solver.tolerance = 1e-5;
    def.bound = 0.01;
    def.account = false;
    def.contact_rounds = 2;
    EW_TRY(ew_model_set_kinematics(in->model, in->turns ? EW_COROTATIONAL : EW_SMALL));
    EW_TRY(ew_model_set_loads(in->model, 1, &weight));
    return ew_model_start_dynamics(in->model, &def, 0.0);
}

/* Through the upper arm, or half through it. */
static ew_status cut(arms *in)
{
    const double cell = WIDE / in->n;
    ew_cut_def def = ew_default_cut_def();
    ew_cut_report report;
    def.kind = EW_CUT_PLANE;
    def.keep = EW_CUT_KEEP_OPEN;
    def.a[0] = (in->moves ? 1.5 : 2.0) * WIDE + 0.3 * cell;
    def.b[0] = 1.0;
    def.b[1] = 0.1;
    def.low[1] = WIDE + 0.25 * cell;
    def.high[1] = in->moves ? def.high[1] : 1.5 * WIDE + cell;
    EW_TRY(ew_operation_cut(ew_model_mesh(in->model), ew_model_topology(in->model), &def,
                            ew_model_edit(in->model), &report));
    return ew_model_commit(in->model);
}

static ew_status answer(arms *in, int32_t frame, double *iterations)
{
    ew_pcg_def def = ew_default_pcg_def();
    const ew_advance_info *step = NULL;
    const ew_pcg_info *info = NULL;
    if (in->moves) {
        EW_TRY(ew_model_advance(in->model, STEP, &step));
        *iterations += step->solver ? step->solver->iterations : 0;
        return EW_OK;
    }
    const ew_model_load press = {.kind = EW_LOAD_TOTAL_FORCE,
                                 .set = in->tip,
                                 .vector = {0.0, -PRESS * (frame + 1) / (BEFORE + AFTER), 0.0}};
    EW_TRY(ew_model_set_loads(in->model, 1, &press));
    def.tolerance = 1e-6;
    def.energy_tolerance = 1e-3;
    EW_TRY(ew_model_solve(in->model, &def, &info));
    *iterations += info->iterations;
    return EW_OK;
}

static ew_status play(arms *in, double value[N_COLUMN])
{
    const double cell = WIDE / in->n;
    const int32_t n = in->bench->repeat < 3 ? BEFORE + 8 : BEFORE + AFTER; /* few: a test */
    double deepest = 0.0, closed = 0.0, iterations = 0.0;
    EW_TRY(in->moves ? start(in) : EW_OK);
    for (int32_t i = 0; i < n; i++) {
        ew_model_contact_report report = {0};
        const double begin = processor_seconds();
        iterations = i == BEFORE ? 0.0 : iterations;
        EW_TRY(i == BEFORE ? cut(in) : EW_OK);
        EW_TRY(answer(in, i, &iterations));
        EW_TRY(ew_model_recover(in->model, NULL, NULL));
        in->second[i] = processor_seconds() - begin;
        EW_TRY(in->touches ? ew_model_view_contact(in->model, 0, &report) : EW_OK);
        deepest = fmax(deepest, i > BEFORE ? -report.min_gap : 0.0);
        closed = fmax(closed, report.n_closed);
    }
    value[CUT] = 1e3 * in->second[BEFORE];
    value[BESIDE] = in->second[BEFORE];
    value[WORST] = 0.0;
    for (int32_t i = BEFORE + 1; i < n; i++) {
        value[WORST] = fmax(value[WORST], 1e3 * in->second[i]);
    }
    value[MEDIAN] = 1e3 * bench_median(in->second + BEFORE + 1, n - BEFORE - 1);
    value[BESIDE] *= 1e3 / value[MEDIAN];
    value[ITERATIONS] = iterations / (n - BEFORE);
    value[CLOSED] = in->touches ? closed : NAN;
    value[OVERLAP] = in->touches ? 100.0 * deepest / cell : NAN;
    return EW_OK;
}

static ew_status run_falling(bench_run *bench, const bench_body *body)
{
    static const char *const what[3] = {"statics", "small displacements", "large rotations"};
    for (int k = 0; k < 6; k++) {
        arms in = {.bench = bench, .moves = k > 1, .turns = k > 3, .touches = k % 2};
        double value[N_COLUMN];
        char name[64];
        in.n = (int32_t)fmax(cbrt(body->mesh.n_live_tet / 36.0), 2.0);
        ew_status status = make(&in);
        status = status ? status : play(&in, value);
        ew_model_free(in.model);
        EW_TRY(status);
        snprintf(name, sizeof name, "%s%s", what[k / 2], in.touches ? ", contact" : "");
        EW_TRY(bench_row(bench, "host", name, value));
    }
    return EW_OK;
}

const bench_scenario bench_scenario_falling = {
    .name = "falling",
    .summary = "frames at 60 a second of a body that is cut through and falls on itself, with "
               "contact and without",
    .as_read = true,
    .column = {"median ms", "worst ms", "cut ms", "cut/median", "iterations", "closed",
               "overlap %"},
    .run = run_falling,
};
