/* Scenario `hard`: what preconditioners find hard, made of the given body: near-incompressible
 * material, stiffness in blocks that differ by 1e6, flat cells, slivers, and both of the last but
 * one. Set-up and solve to 1e-8 from rest by the kinds of preconditioner, as in `precondition`; a
 * row that ends at the limit of iterations shows by its residual. */
#include "bench.h"

#include <math.h>
#include <string.h>

enum { BLOCKS = 6, MAX_ITERATIONS = 20000 };
#define STIFF     1e6
#define MOVED_ONE 10 /* vertices of which one is moved */

typedef struct hard_case {
    const char *name;
    double poisson, flat; /* of the height in z */
    int layered;   /* directions along which stiff and soft parts take turns; 0: none, 3: blocks */
    double sliver; /* of a tet's height; 0: none */
} hard_case;
static const hard_case cases[] = {
    {"as it is", 0.3, 1, 0, 0},
    {"nu = 0.49", 0.49, 1, 0, 0},
    {"nu = 0.499", 0.499, 1, 0, 0},
    {"layers 1e6", 0.3, 1, 1, 0},
    {"contrast 1e6", 0.3, 1, 3, 0},
    {"flat cells 1:5", 0.3, 1.0 / 5, 0, 0},
    {"flat cells 1:8", 0.3, 1.0 / 8, 0, 0},
    {"flat cells 1:10", 0.3, 1.0 / 10, 0, 0},
    {"flat cells 1:14", 0.3, 1.0 / 14, 0, 0},
    {"flat cells 1:18", 0.3, 1.0 / 18, 0, 0},
    {"flat cells 1:20", 0.3, 1.0 / 20, 0, 0},
    {"flat cells 1:25", 0.3, 1.0 / 25, 0, 0},
    {"flat cells 1:100", 0.3, 1.0 / 100, 0, 0},
    {"slivers 1e-4", 0.3, 1, 0, 1e-4},
    {"slivers 1e-6", 0.3, 1, 0, 1e-6},
    {"slivers 1e-4, contrast 1e6", 0.3, 1, 3, 1e-4},
    {"slivers 1e-6, contrast 1e6", 0.3, 1, 3, 1e-6},
};

/* ---- the bodies ---------------------------------------------------------- */

static double volume_at(const ew_mesh *mesh, int32_t tet, int32_t vertex, const double *at)
{
    double x[4][3], edge[3][3];
    for (size_t k = 0; k < 4; k++) {
        const int32_t v = mesh->tet[4 * (size_t)tet + k];
        memcpy(x[k], v == vertex ? at : mesh->xyz + 3 * (size_t)v, sizeof x[k]);
    }
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < 3; c++) {
            edge[k][c] = x[k + 1][c] - x[0][c];
        }
    }
    return (edge[0][0] * (edge[1][1] * edge[2][2] - edge[1][2] * edge[2][1]) -
            edge[0][1] * (edge[1][0] * edge[2][2] - edge[1][2] * edge[2][0]) +
            edge[0][2] * (edge[1][0] * edge[2][1] - edge[1][1] * edge[2][0])) /
           6;
}

/* Moves a vertex towards the opposite face of one of its tets, unless another one is turned over.
 */
static bool flatten(ew_mesh *mesh, const ew_rows *tets, int32_t v, double height)
{
    const int32_t *own = tets->item + tets->begin[v];
    double area[3], to[3], square = 0;
    int32_t k = 0;
    while (mesh->tet[4 * (size_t)own[0] + (size_t)k] != v) {
        k++;
    }
    ew_face_area_vector(mesh, 4 * own[0] + k, area);
    for (int c = 0; c < 3; c++) {
        square += area[c] * area[c];
    }
    for (int c = 0; c < 3; c++) { /* the height is 3 V / area, outward is away from v */
        to[c] = mesh->xyz[3 * (size_t)v + (size_t)c] +
                (1 - height) * 3 * ew_mesh_tet_volume(mesh, own[0]) * area[c] / square;
    }
    for (int32_t i = 0; i < tets->count[v]; i++) {
        if (volume_at(mesh, own[i], v, to) < 0.9 * height * ew_mesh_tet_volume(mesh, own[i])) {
            return false;
        }
    }
    memcpy(mesh->xyz + 3 * (size_t)v, to, sizeof to);
    return true;
}

/* No two of one tet. */
static ew_status make_slivers(ew_mesh *mesh, double height)
{
    ew_topology topology = {0};
    bool *near;
    EW_TRY(ew_topology_build(&topology, mesh));
    ew_status status = ew_new_zero(&near, (size_t)mesh->n_vertex, sizeof *near);
    for (int32_t v = 0; v < mesh->n_vertex && !status; v += MOVED_ONE) {
        const ew_rows *pairs = &topology.pattern.row_to_pair;
        if (near[v] || !pairs->count[v] || !flatten(mesh, &topology.vertex_to_tet, v, height)) {
            continue;
        }
        for (int32_t i = 0; i < pairs->count[v]; i++) {
            near[pairs->item[2 * ((size_t)pairs->begin[v] + (size_t)i)]] = true;
        }
    }
    ew_release(near);
    ew_topology_free(&topology);
    return status;
}

/* 1 in every other one of BLOCKS layers, or of BLOCKS^3 blocks, like a chessboard. */
static int32_t label_of(const ew_mesh *mesh, const ew_mesh_measure *size, int32_t tet, int layered)
{
    int32_t sum = 0;
    for (size_t c = 0; c < (size_t)layered; c++) {
        double middle = 0;
        for (size_t k = 0; k < 4; k++) {
            middle += 0.25 * mesh->xyz[3 * (size_t)mesh->tet[4 * (size_t)tet + k] + c];
        }
        sum += (int32_t)(BLOCKS * (middle - size->low[c]) / (size->high[c] - size->low[c]));
    }
    return sum % 2;
}

static ew_status make_mesh(const hard_case *row, const ew_mesh *from, ew_mesh *mesh)
{
    ew_mesh_measure size;
    int32_t *label;
    ew_mesh_take_measure(from, &size);
    EW_TRY(ew_new_zero(&label, (size_t)from->n_tet, sizeof *label));
    for (int32_t t = 0; row->layered && t < from->n_tet; t++) {
        label[t] = label_of(from, &size, t, row->layered);
    }
    const ew_mesh_def def = {.n_vertex = from->n_vertex,
                             .xyz = from->xyz,
                             .n_tet = from->n_tet,
                             .tet = from->tet,
                             .region = label};
    ew_status status = ew_mesh_init(mesh, &def, NULL);
    ew_release(label);
    for (int32_t v = 0; v < from->n_vertex && !status; v++) {
        mesh->xyz[3 * (size_t)v + 2] *= row->flat;
    }
    return !status && row->sliver > 0 ? make_slivers(mesh, row->sliver) : status;
}

static ew_status make_body(const hard_case *row, const bench_body *from, bench_body *body)
{
    ew_material material[2];
    *body = (bench_body){.base = from->base};
    EW_TRY(make_mesh(row, &from->mesh, &body->mesh));
    EW_TRY(bench_body_prepare(body));
    for (int32_t r = 0; r < body->mesh.n_region; r++) {
        const double young = body->mesh.region_label[r] ? STIFF * BENCH_YOUNG : BENCH_YOUNG;
        material[r] =
            (ew_material){.young = young, .poisson = row->poisson, .density = BENCH_DENSITY};
    }
    ew_materials_free(&body->materials);
    return ew_materials_init(&body->materials, body->mesh.n_region, material);
}

/* ---- the solves ----------------------------------------------------------- */

static ew_status measure(bench_run *bench, const bench_body *body, const ew_matrix *matrix,
                         const hard_case *row, ew_preconditioner_kind kind, double *u)
{
    ew_operator op = ew_operator_on_host(matrix, &body->topology.pattern);
    const ew_system system = {
        .op = &op, .xyz = body->mesh.xyz, .fixed = body->constraints.fixed, .b = body->f};
    ew_pcg_def def = ew_default_pcg_def();
    ew_pcg_info info = {0};
    ew_solver solver = {0};
    char what[64];
    def.preconditioner = kind;
    def.max_iterations = MAX_ITERATIONS;
    memset(u, 0, 3 * (size_t)body->mesh.n_vertex * sizeof *u);
    ew_status status = ew_solver_solve(&solver, &system, &def, u, &info);
    ew_solver_free(&solver);
    ew_operator_free(&op);
    const double value[] = {info.iterations, info.residual, 1e3 * info.seconds_setup,
                            1e3 * (info.seconds - info.seconds_setup), 1e3 * info.seconds};
    snprintf(what, sizeof what, "%s, %s", row->name, ew_preconditioner_name(kind));
    return status == EW_NO_MEMORY ? status : bench_row(bench, "host", what, value);
}

static ew_status run_case(bench_run *bench, const bench_body *from, const hard_case *row)
{
    static const ew_preconditioner_kind kind[] = {EW_RIGID, EW_AUTO_PRECONDITIONER,
                                                  EW_BLOCK_JACOBI};
    bench_body body;
    ew_matrix matrix = {0};
    double *u = NULL;
    ew_status status;
    EW_TRY_OUT(make_body(row, from, &body));
    EW_TRY_OUT(ew_new(&u, 3 * (size_t)body.mesh.n_vertex, sizeof *u));
    EW_TRY_OUT(ew_stiffness_build(&matrix, &body.mesh, &body.topology, &body.materials));
    for (size_t k = 0; k < sizeof kind / sizeof *kind; k++) {
        EW_TRY_OUT(measure(bench, &body, &matrix, row, kind[k], u));
    }
out:
    ew_matrix_free(&matrix);
    ew_release(u);
    bench_body_free(&body);
    return status;
}

static ew_status run_hard(bench_run *bench, const bench_body *body)
{
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        EW_TRY(run_case(bench, body, &cases[k]));
    }
    return EW_OK;
}

const bench_scenario bench_scenario_hard = {
    .name = "hard",
    .summary = "set-up and solve to 1e-8 by preconditioner, of what is hard",
    .as_read = true,
    .column = {"iterations", "residual", "setup ms", "solve ms", "total ms"},
    .run = run_hard,
};
