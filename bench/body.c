/* Bodies to measure on: a mesh file or a built-in shape in, everything a scenario needs out. */
#include "bench.h"
#include "shape/parts/shape.h"

#include <math.h>
#include <string.h>

static void find_base(bench_body *body)
{
    ew_mesh_measure measure;
    ew_mesh_take_measure(&body->mesh, &measure);
    body->base = measure.low[1] + BENCH_BASE * (measure.high[1] - measure.low[1]);
}

ew_status bench_body_read(bench_body *body, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    memset(body, 0, sizeof *body);
    EW_TRY(tool_read_mesh(path, true, &body->mesh, NULL));
    snprintf(body->name, sizeof body->name, "%.*s", (int)strcspn(name, "."), name);
    find_base(body);
    return EW_OK;
}

/* Cells for about n_tet tets, all shapes with about equal cell sides. */
static void choose_cells(int32_t shape, double n_tet, int32_t cells[3])
{
    const double tets_per_unit[5] = {6, 6 * 8 * 8, 0, 36, 18},
                 per_axis[5][3] = {{1, 1, 1}, {8, 8, 1}, {0, 0, 0}, {6, 1, 0}, {1, 1, 0}};
    for (int32_t i = 0; i < 3; i++) {
        const double n = round(cbrt(n_tet / tets_per_unit[shape]) * per_axis[shape][i]);
        cells[i] = n < 1 ? 1 : (int32_t)n;
    }
    cells[0] += shape == BENCH_PLATE ? cells[0] % 2 : 0;
    cells[0] = shape == BENCH_TORUS && cells[0] < 3 ? 3 : cells[0];
}

static ew_status make_bracket(ew_mesh *mesh, double n_tet, const int32_t *cells)
{
    int32_t n = cells ? cells[0] : 1;
    EW_TRY(ew_shape_bracket(mesh, 0.08, 0.05, 0.008, 0.005, n));
    if (cells) {
        return EW_OK;
    }
    /* Tets grow with the cube of the cells; one cell tells the factor. */
    n = (int32_t)round(cbrt(n_tet / mesh->n_live_tet));
    ew_mesh_free(mesh);
    return ew_shape_bracket(mesh, 0.08, 0.05, 0.008, 0.005, n < 1 ? 1 : n);
}

ew_status bench_body_make(bench_body *body, int32_t shape, double n_tet, const int32_t *cells)
{
    static const char *names[5] = {"box", "plate", "bracket", "torus", "sphere"};
    static const double one[3] = {1, 1, 1};
    int32_t chosen[3] = {1, 1, 1};
    memset(body, 0, sizeof *body);
    if (cells) {
        memcpy(chosen, cells, sizeof chosen);
    } else if (shape != BENCH_BRACKET) {
        choose_cells(shape, n_tet, chosen);
    }
    switch (shape) {
    case BENCH_BOX:
        EW_TRY(ew_shape_box(&body->mesh, one, chosen));
        break;
    case BENCH_PLATE:
        EW_TRY(ew_shape_plate_hole(&body->mesh, 1, 0.1, 0.1, chosen));
        break;
    case BENCH_BRACKET:
        EW_TRY(make_bracket(&body->mesh, n_tet, cells));
        break;
    case BENCH_TORUS:
        EW_TRY(ew_shape_torus(&body->mesh, 1, 0.25, chosen));
        break;
    default:
        EW_TRY(ew_shape_sphere_octant(&body->mesh, 0.5, 1, chosen));
    }
    snprintf(body->name, sizeof body->name, "%s", names[shape]);
    find_base(body);
    return EW_OK;
}

static ew_status order_for_locality(bench_body *body)
{
    ew_mesh *mesh = &body->mesh;
    int32_t *order;
    EW_TRY(ew_new(&order, (size_t)mesh->n_vertex, sizeof *order));
    ew_status status = ew_order_for_locality(mesh, order);
    if (!status) {
        status = ew_mesh_compact(mesh, order, true, NULL, NULL);
    }
    ew_release(order);
    return status ? status : ew_topology_build(&body->topology, mesh);
}

static ew_status assign_materials(bench_body *body)
{
    ew_material *list;
    EW_TRY(ew_new(&list, (size_t)body->mesh.n_region, sizeof *list));
    for (int32_t r = 0; r < body->mesh.n_region; r++) {
        list[r] =
            (ew_material){.young = BENCH_YOUNG, .poisson = BENCH_POISSON, .density = BENCH_DENSITY};
    }
    ew_status status = ew_materials_init(&body->materials, body->mesh.n_region, list);
    ew_release(list);
    return status;
}

static ew_status hold_base(bench_body *body)
{
    const ew_mesh *mesh = &body->mesh;
    ew_set base = {0};
    ew_status status = EW_OK;
    for (int32_t v = 0; v < mesh->n_vertex && !status; v++) {
        if (ew_mesh_vertex_is_active(mesh, v) && mesh->xyz[3 * (size_t)v + 1] <= body->base) {
            status = ew_set_add(&base, v);
        }
    }
    if (!status) {
        const ew_constraint fixed = {.vertex = &base, .fixed = 7};
        status = ew_constraints_build(&body->constraints, mesh, 1, &fixed);
    }
    ew_set_free(&base);
    return status;
}

ew_status bench_body_prepare(bench_body *body)
{
    const ew_load weight = {.kind = EW_LOAD_GRAVITY, .vector = {0, -BENCH_GRAVITY, 0}};
    EW_TRY(order_for_locality(body));
    EW_TRY(assign_materials(body));
    EW_TRY(hold_base(body));
    EW_TRY(ew_new_zero(&body->f, 3 * (size_t)body->mesh.n_vertex, sizeof *body->f));
    return ew_loads_assemble(&body->mesh, &body->topology, &body->materials, 1, &weight, NULL,
                             body->f);
}

void bench_body_free(bench_body *body)
{
    ew_topology_free(&body->topology);
    ew_materials_free(&body->materials);
    ew_constraints_free(&body->constraints);
    ew_release(body->f);
    ew_mesh_free(&body->mesh);
    memset(body, 0, sizeof *body);
}
