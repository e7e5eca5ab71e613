/* Scenario `contact`: blocks that stand on others, of unlike meshes; the given body tells how many
 * tets. Pairs and rows of two plates, made from nothing and after a vertex of the slave has moved;
 * then two cubes under their weight, the upper one by contact alone, beside one block of about as
 * many tets: a solve from rest to 1e-8, and the next one after a tet where they meet is taken out
 * and put back. Time is that of the processors, whatever else they have to do. */
#include "contact/parts/contact.h"
#include "edited.h"
#include "shape/parts/shape.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { MAX_REPEAT = 99, N_COLUMN = 9 };
enum { FACES, PAIRS, BUILD, MOVED, MADE, ITERATIONS, SOLVE, NEXT, EDIT };

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* ---- bodies ------------------------------------------------------------------------------------
 */

static void append(ew_mesh_def *to, double *xyz, int32_t *tet, const ew_mesh *part, double up)
{
    for (int32_t i = 0; i < 3 * part->n_vertex; i++) {
        xyz[3 * (size_t)to->n_vertex + (size_t)i] = part->xyz[i] + (i % 3 == 1 ? up : 0.0);
    }
    for (int32_t i = 0; i < 4 * part->n_tet; i++) {
        tet[4 * (size_t)to->n_tet + (size_t)i] = part->tet[i] + to->n_vertex;
    }
    to->n_vertex += part->n_vertex;
    to->n_tet += part->n_tet;
}

/* 1 x high x 1 each, of n and 5 n / 4 cells along x and z and `layers` along y, which is up. */
static ew_status make_blocks(bench_body *body, int32_t n, int32_t layers, double high)
{
    ew_mesh part[2] = {{0}};
    ew_mesh_def def = {0};
    double *xyz = NULL;
    int32_t *tet = NULL;
    ew_status status = EW_OK;
    for (int k = 0; k < 2 && !status; k++) {
        const int32_t m = k ? (5 * n + 3) / 4 : n, cells[3] = {m, layers * m / n, m};
        status = ew_shape_box(&part[k], (double[3]){1, high, 1}, cells);
    }
    const size_t n_vertex = (size_t)part[0].n_vertex + (size_t)part[1].n_vertex,
                 n_tet = (size_t)part[0].n_tet + (size_t)part[1].n_tet;
    status = status ? status : ew_new(&xyz, 3 * n_vertex, sizeof *xyz);
    status = status ? status : ew_new(&tet, 4 * n_tet, sizeof *tet);
    for (int k = 0; k < 2 && !status; k++) {
        append(&def, xyz, tet, &part[k], k * high);
    }
    def.xyz = xyz;
    def.tet = tet;
    memset(body, 0, sizeof *body);
    status = status ? status : ew_mesh_init(&body->mesh, &def, NULL);
    body->base = 1e-6;
    ew_release(xyz);
    ew_release(tet);
    ew_mesh_free(&part[0]);
    ew_mesh_free(&part[1]);
    return status ? status : ew_topology_build(&body->topology, &body->mesh);
}

/* Faces in the plane y = high that look up or down. */
static ew_status list_side(const bench_body *body, double high, double up, ew_list *side)
{
    const ew_mesh *mesh = &body->mesh;
    ew_list all = {0};
    ew_status status = ew_topology_boundary(&body->topology, mesh, &all);
    for (int32_t i = 0; i < all.n && !status; i++) {
        const int32_t t = all.id[i] / 4, v = mesh->tet[4 * t + ew_face_vertex[all.id[i] % 4][0]];
        double area[3];
        ew_face_area_vector(mesh, all.id[i], area);
        status = fabs(mesh->xyz[3 * (size_t)v + 1] - high) < 1e-9 &&
                         up * area[1] > 0.9 * (fabs(area[0]) + fabs(area[1]) + fabs(area[2]))
                     ? ew_list_push(side, all.id[i])
                     : EW_OK;
    }
    ew_list_free(&all);
    return status;
}

/* ---- pairs and rows ----------------------------------------------------------------------------
 */

static ew_status time_rows(bench_run *bench, bench_body *body, const ew_contact_def *def,
                           double value[N_COLUMN])
{
    const int32_t repeat = bench->repeat < MAX_REPEAT ? bench->repeat : MAX_REPEAT;
    double build[MAX_REPEAT], moved[MAX_REPEAT];
    uint64_t random = 1;
    for (int32_t k = 0; k < repeat; k++) {
        ew_contact_rows rows = {0};
        double start = processor_seconds();
        ew_status status = ew_contact_build_rows(&rows, &body->mesh, &body->topology, def);
        build[k] = processor_seconds() - start;
        /* the second call has memory for two states */
        status = status ? status : ew_contact_build_rows(&rows, &body->mesh, &body->topology, def);
        if (!status && rows.n) {
            const size_t v = (size_t)rows.vertex[bench_random(&random, rows.n)];
            body->mesh.xyz[3 * v + 1] += 1e-5;
            start = processor_seconds();
            status = ew_contact_build_rows(&rows, &body->mesh, &body->topology, def);
            moved[k] = processor_seconds() - start;
        }
        value[PAIRS] = rows.n_pair;
        value[MADE] = rows.n_new;
        ew_contact_rows_free(&rows);
        EW_TRY(status);
    }
    value[FACES] = def->slave->n + def->master->n;
    value[BUILD] = 1e3 * bench_median(build, repeat);
    value[MOVED] = 1e3 * bench_median(moved, repeat);
    return EW_OK;
}

static ew_status measure_rows(bench_run *bench, double n_tet)
{
    const int32_t n = (int32_t)fmax(sqrt(n_tet / 15.4), 2.0);
    const double high = 1.0 / n;
    double value[N_COLUMN] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    ew_list slave = {0}, master = {0};
    bench_body body;
    ew_status status = make_blocks(&body, n, 1, high);
    status = status ? status : list_side(&body, high, -1.0, &slave);
    status = status ? status : list_side(&body, high, 1.0, &master);
    const ew_contact_def def = {.slave = &slave, .master = &master, .distance = 1.0 / n};
    status = status ? status : time_rows(bench, &body, &def, value);
    bench_body_free(&body);
    ew_list_free(&slave);
    ew_list_free(&master);
    return status ? status : bench_row(bench, "host", "rows", value);
}

/* ---- solves ------------------------------------------------------------------------------------
 */

/* A tet with a vertex near the middle of the body. */
static int32_t middle_tet(const ew_mesh *mesh, uint64_t *random)
{
    for (;;) {
        const int32_t t = bench_random(random, mesh->n_tet);
        double x[3];
        if (ew_mesh_tet_is_live(mesh, t)) {
            ew_mesh_tet_centroid(mesh, t, x);
            if (x[1] > 1.0 && x[1] < 1.1) {
                return t;
            }
        }
    }
}

/* Out and in again: seconds of the edits, and of edits and solves. */
static ew_status edit_and_solve(ew_model *model, const ew_pcg_def *def, uint64_t *random,
                                double *edit, double *next)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const int32_t t = middle_tet(mesh, random), label = mesh->region_label[mesh->region[t]];
    int32_t tet[4];
    memcpy(tet, mesh->tet + 4 * (size_t)t, sizeof tet);
    *edit = *next = 0.0;
    for (int k = 0; k < 2; k++) {
        const double start = processor_seconds();
        EW_TRY(k ? ew_edit_add_tet(ew_model_edit(model), tet, label)
                 : ew_edit_remove_tet(ew_model_edit(model), t));
        EW_TRY(ew_model_commit(model));
        *edit += 0.5 * (processor_seconds() - start);
        EW_TRY(ew_model_solve(model, def, NULL));
        *next += 0.5 * (processor_seconds() - start);
    }
    return EW_OK;
}

/* Contact holds the upper cube in y alone. */
static ew_status hold_sides(ew_model *model)
{
    static const char *const name[3] = {"side x", "side y", "side z"};
    ew_model_constraint list[3] = {{.fixed = 1}, {.fixed = 7}, {.fixed = 4}};
    const ew_mesh *mesh = ew_model_mesh(model);
    for (size_t c = 0; c < 3; c++) {
        const ew_model_set_def def = {.name = name[c], .kind = EW_SET_OF_VERTICES};
        ew_list side = {0};
        ew_status status = EW_OK;
        for (int32_t v = 0; v < mesh->n_vertex && !status; v++) {
            status = mesh->xyz[3 * (size_t)v + c] < 1e-9 ? ew_list_push(&side, v) : EW_OK;
        }
        status = status ? status : ew_model_add_set(model, &def, &side, &list[c].set);
        ew_list_free(&side);
        EW_TRY(status);
    }
    return ew_model_set_constraints(model, 3, list);
}

static ew_status time_solves(bench_run *bench, ew_model *model, double value[N_COLUMN])
{
    const int32_t repeat = bench->repeat < MAX_REPEAT ? bench->repeat : MAX_REPEAT;
    const ew_pcg_def def = ew_default_pcg_def();
    double edit[MAX_REPEAT], next[MAX_REPEAT];
    uint64_t random = 1;
    const ew_pcg_info *info;
    const double start = processor_seconds();
    EW_TRY(ew_model_solve(model, &def, &info));
    value[SOLVE] = 1e3 * (processor_seconds() - start);
    value[ITERATIONS] = info->iterations;
    for (int32_t k = 0; k < repeat; k++) {
        EW_TRY(edit_and_solve(model, &def, &random, &edit[k], &next[k]));
    }
    value[EDIT] = 1e3 * bench_median(edit, repeat);
    value[NEXT] = 1e3 * bench_median(next, repeat);
    return EW_OK;
}

static ew_status measure_solves(bench_run *bench, double n_tet, bool touching)
{
    const int32_t n = (int32_t)fmax(cbrt(n_tet / (touching ? 17.7 : 12.0)), 2.0);
    const ew_model_contact all = {.slave = -1, .master = -1};
    double value[N_COLUMN] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    bench_body body = {0};
    ew_model *model = NULL;
    ew_status status =
        touching ? make_blocks(&body, n, n, 1.0)
                 : ew_shape_box(&body.mesh, (double[3]){1, 2, 1}, (int32_t[3]){n, 2 * n, n});
    body.base = 1e-6;
    status = status ? status : bench_model_make(&body, NULL, &model);
    status = status ? status : hold_sides(model);
    status = status || !touching ? status : ew_model_set_contacts(model, 1, &all);
    status = status ? status : time_solves(bench, model, value);
    ew_model_free(model);
    bench_body_free(&body);
    return status ? status : bench_row(bench, "host", touching ? "two cubes" : "one block", value);
}

static ew_status run_contact(bench_run *bench, const bench_body *body)
{
    const double n_tet = body->mesh.n_live_tet;
    EW_TRY(measure_rows(bench, n_tet));
    EW_TRY(measure_solves(bench, n_tet, false));
    return measure_solves(bench, n_tet, true);
}

const bench_scenario bench_scenario_contact = {
    .name = "contact",
    .summary = "pairs and rows of blocks that touch, from nothing and after an edit, and solves "
               "beside one block",
    .as_read = true,
    .column = {"faces", "pairs", "build ms", "moved ms", "rows made", "iterations", "solve ms",
               "edit+solve ms", "edit ms"},
    .run = run_contact,
};
