/* Scenario `model`: single tets removed and put back through a model that carries what an analysis
 * has: gravity, a pressure on faces, a total force on vertices, constraints on vertices and on
 * faces, a set of half of the tets, a field by tet, the boundary. Microseconds by stage, taken from
 * the model's own report: everything up to the solver's first iteration.
 *
 * Sizes compare in equal states of the caches. "Warm": one tet over and over, nothing between the
 * edits, so that what they touch is in the cache; what is left is work. "Cold": the same, but the
 * caches are emptied before each edit. The other rows follow a solve that is stopped after one
 * iteration, whose matrix leaves a small body in the cache and drives the others out: they tell
 * what a user meets, not how cost depends on size. Page faults and involuntary switches to another
 * program are counted, for they make the largest times. */
#define _DEFAULT_SOURCE
#include "edited.h"
#include "model/parts/model.h"

#include <math.h>
#include <sys/resource.h>

enum { PAIRS = 200, WARM_UP = 4, FLUSH_BYTES = 96 << 20, LINE = 64 };

enum { COMMIT, TABLES, BOUNDARY, FOLLOW, SUPPORT, MATRIX, LOADS, PRECONDITIONER, ALL, N_STAGE };
enum { WARM, COLD, HERE, ANYWHERE, SURFACE, N_PLACE }; /* the first three: one tet */

typedef struct samples {
    double *stage[2][N_STAGE];      /* removal, insertion: [PAIRS], s */
    long n_fault[2], n_switched[2]; /* while edits were answered, solves left out */
    char *flush;                    /* [FLUSH_BYTES] */
} samples;

/* ---- the model ------------------------------------------------------------- */

static ew_status add_set(ew_model *model, const char *name, ew_set_kind kind, const ew_list *list)
{
    const ew_model_set_def def = {name, kind, true}; /* a tiny body has only a few */
    int32_t set;
    return ew_model_add_set(model, &def, list, &set);
}

enum { BASE, TIP, BOTTOM_FACES, TOP_FACES, HALF_OF_TETS, N_SET };

static ew_status list_vertices(const ew_mesh *mesh, double low, double high, ew_list *list)
{
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double y = mesh->xyz[3 * (size_t)v + 1];
        EW_TRY(y >= low && y <= high ? ew_list_push(list, v) : EW_OK);
    }
    return EW_OK;
}

/* Boundary faces that lie between two heights. */
static ew_status list_faces(ew_model *model, double low, double high, ew_list *list)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_boundary *boundary;
    EW_TRY(ew_model_boundary(model, &boundary));
    for (int32_t s = 0; s < boundary->n_slot; s++) {
        const int32_t code = boundary->code[s];
        bool inside = true;
        for (int k = 0; k < 3; k++) {
            const int32_t v = mesh->tet[4 * (size_t)(code / 4) + ew_face_vertex[code % 4][k]];
            const double y = mesh->xyz[3 * (size_t)v + 1];
            inside = inside && y >= low && y <= high;
        }
        EW_TRY(inside ? ew_list_push(list, code) : EW_OK);
    }
    return EW_OK;
}

static ew_status list_members(ew_model *model, int set, double base, double top, ew_list *list)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    switch (set) {
    case BASE:
        return list_vertices(mesh, -INFINITY, base, list);
    case TIP:
        return list_vertices(mesh, top, INFINITY, list);
    case BOTTOM_FACES:
        return list_faces(model, -INFINITY, base, list);
    case TOP_FACES:
        return list_faces(model, top, INFINITY, list);
    default:
        for (int32_t t = 0; t < mesh->n_tet / 2; t++) {
            EW_TRY(ew_list_push(list, t));
        }
        return EW_OK;
    }
}

static ew_status furnish(ew_model *model, const bench_body *body)
{
    static const ew_set_kind kind[N_SET] = {EW_SET_OF_VERTICES, EW_SET_OF_VERTICES, EW_SET_OF_FACES,
                                            EW_SET_OF_FACES, EW_SET_OF_TETS};
    static const char *const name[N_SET] = {"base", "tip", "bottom faces", "top faces", "half"};
    const ew_material steel = {
        .young = BENCH_YOUNG, .poisson = BENCH_POISSON, .density = BENCH_DENSITY};
    const ew_field_def state = {.name = "state", .on_tets = true, .width = 6, EW_FIELD_COPY};
    const ew_model_constraint fixed[] = {{.set = BASE, .fixed = 7},
                                         {.set = BOTTOM_FACES, .fixed = 2}};
    const ew_model_load load[] = {{.kind = EW_LOAD_GRAVITY, .vector = {0, -BENCH_GRAVITY, 0}},
                                  {.kind = EW_LOAD_PRESSURE, .set = TOP_FACES, .pressure = 1e5},
                                  {.kind = EW_LOAD_TOTAL_FORCE, .set = TIP, .vector = {1e3, 0, 0}}};
    ew_mesh_measure measure;
    int32_t field;
    ew_mesh_take_measure(&body->mesh, &measure);
    const double top = measure.high[1] - BENCH_BASE * (measure.high[1] - measure.low[1]);
    EW_TRY(ew_model_set_material(model, EW_ALL_REGIONS, &steel));
    EW_TRY(ew_model_add_field(model, &state, &field));
    for (int s = 0; s < N_SET; s++) {
        ew_list list = {0};
        ew_status status = list_members(model, s, body->base, top, &list);
        status = status ? status : add_set(model, name[s], kind[s], &list);
        ew_list_free(&list);
        EW_TRY(status);
    }
    EW_TRY(ew_model_set_constraints(model, 2, fixed));
    return ew_model_set_loads(model, 3, load);
}

static ew_status make_model(ew_model **model, const bench_run *bench, const bench_body *body)
{
    ew_mesh mesh;
    const ew_model_def def = {.device = bench->device};
    EW_TRY(ew_mesh_copy(&mesh, &body->mesh));
    ew_status status = ew_model_create(model, &mesh, &def);
    ew_mesh_free(&mesh);
    return status ? status : furnish(*model, body);
}

/* ---- edits ------------------------------------------------------------------ */

/* Reads and writes more than any cache holds. */
static void empty_caches(char *memory)
{
    for (size_t i = 0; i < FLUSH_BYTES; i += LINE) {
        memory[i]++;
    }
}

/* A solve that ends at once drives the model out of the cache, as one that goes on would. */
static ew_status solve_shortly(ew_model *model)
{
    ew_pcg_def def = ew_default_pcg_def();
    def.max_iterations = 1;
    const ew_status status = ew_model_solve(model, &def, NULL);
    return status == EW_NOT_CONVERGED ? EW_OK : status;
}

/* Commits, brings everything up to date and takes the times. */
static ew_status edit_and_prepare(ew_model *model, samples *to, int insertion, int32_t k)
{
    struct rusage before, after;
    ew_model_clear_report(model);
    getrusage(RUSAGE_SELF, &before);
    EW_TRY(ew_model_commit(model));
    EW_TRY(ew_model_prepare(model));
    getrusage(RUSAGE_SELF, &after);
    const ew_model_report *report = ew_model_view_report(model);
    const double stage[ALL] = {report->seconds_commit,   report->seconds_tables,
                               report->seconds_boundary, report->seconds_follow,
                               report->seconds_support,  report->seconds_matrix,
                               report->seconds_loads,    report->seconds_preconditioner};
    double all = 0;
    if (k < 0) {
        return EW_OK;
    }
    for (int i = 0; i < ALL; i++) {
        to->stage[insertion][i][k] = stage[i];
        all += stage[i];
    }
    to->stage[insertion][ALL][k] = all;
    to->n_fault[insertion] += after.ru_minflt - before.ru_minflt;
    to->n_switched[insertion] += after.ru_nivcsw - before.ru_nivcsw;
    return EW_OK;
}

static ew_status edit_and_answer(ew_model *model, samples *to, int place, int insertion, int32_t k)
{
    if (place == COLD) {
        empty_caches(to->flush);
    }
    EW_TRY(edit_and_prepare(model, to, insertion, k));
    return place == WARM || place == COLD ? EW_OK : solve_shortly(model);
}

static ew_status edit_pair(ew_model *model, int32_t t, samples *to, int place, int32_t k)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const int32_t label = mesh->region_label[mesh->region[t]];
    int32_t tet[4];
    for (int i = 0; i < 4; i++) {
        tet[i] = mesh->tet[4 * (size_t)t + i];
    }
    ew_model_begin(model);
    EW_TRY(ew_edit_remove_tet(ew_model_edit(model), t));
    EW_TRY(edit_and_answer(model, to, place, 0, k));
    ew_model_begin(model);
    EW_TRY(ew_edit_add_tet(ew_model_edit(model), tet, label));
    return edit_and_answer(model, to, place, 1, k);
}

/* On the surface: the tet behind a face of the loaded set. Faces that an edit takes away are no
 * members when the tet comes back. */
static int32_t choose_tet(ew_model *model, int place, uint64_t *random)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_boundary *boundary;
    if (place == SURFACE && !ew_model_boundary(model, &boundary)) {
        const ew_list *member = &ew_model_view_set(model, TOP_FACES).member->list;
        const int32_t n = member->n;
        return n ? boundary->code[member->id[bench_random(random, n)]] / 4 : mesh->n_tet / 2;
    }
    return place == ANYWHERE ? bench_random(random, mesh->n_tet) : mesh->n_tet / 2;
}

static ew_status tell(bench_run *bench, samples *from, int insertion, const char *what)
{
    double value[N_STAGE + 3];
    for (int i = 0; i < N_STAGE; i++) {
        value[i] = 1e6 * bench_median(from->stage[insertion][i], PAIRS);
    }
    value[N_STAGE] = 1e6 * from->stage[insertion][ALL][PAIRS * 95 / 100];
    value[N_STAGE + 1] = (double)from->n_fault[insertion];
    value[N_STAGE + 2] = (double)from->n_switched[insertion];
    from->n_fault[insertion] = from->n_switched[insertion] = 0;
    return bench_row(bench, bench->device ? "opencl" : "host", what, value);
}

static ew_status run_place(bench_run *bench, ew_model *model, samples *to, int place)
{
    static const char *const what[N_PLACE][2] = {{"remove, warm", "insert, warm"},
                                                 {"remove, cold", "insert, cold"},
                                                 {"remove here", "insert here"},
                                                 {"remove anywhere", "insert anywhere"},
                                                 {"remove loaded", "insert loaded"}};
    uint64_t random = 1;
    for (int32_t k = -WARM_UP; k < PAIRS; k++) {
        EW_TRY(edit_pair(model, choose_tet(model, place, &random), to, place, k));
    }
    EW_TRY(tell(bench, to, 0, what[place][0]));
    return tell(bench, to, 1, what[place][1]);
}

static ew_status run_model(bench_run *bench, const bench_body *body)
{
    ew_model *model = NULL;
    samples to = {0};
    double *memory = NULL;
    ew_model_verification verification;
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_new(&memory, 2 * (size_t)N_STAGE * PAIRS, sizeof *memory));
    for (size_t i = 0; i < 2 * (size_t)N_STAGE; i++) {
        to.stage[i / N_STAGE][i % N_STAGE] = memory + i * PAIRS;
    }
    EW_TRY_OUT(ew_new_zero(&to.flush, FLUSH_BYTES, 1));
    EW_TRY_OUT(make_model(&model, bench, body));
    EW_TRY_OUT(solve_shortly(model));
    for (int place = 0; place < N_PLACE; place++) {
        EW_TRY_OUT(run_place(bench, model, &to, place));
    }
    EW_TRY_OUT(ew_model_verify(model, &verification));
    if (verification.n_different) {
        status = ew_fail(EW_MATRIX_DIFFERS, "bench: %lld blocks of the model differ from a rebuild",
                         (long long)verification.n_different);
    }
out:
    ew_model_free(model);
    ew_release(memory);
    ew_release(to.flush);
    return status;
}

const bench_scenario bench_scenario_model = {
    .name = "model",
    .summary = "single tets removed and put back through a model (us): all but the solve",
    .column = {"commit us", "tables us", "boundary us", "follow us", "support us", "matrix us",
               "loads us", "precond us", "all us", "95 % us", "faults", "switches"},
    .run = run_model,
};
