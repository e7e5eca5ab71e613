/* Scenario `surface`: a fine surface bound to a body, 15 vertices on each boundary face, those of
 * every other face a hundredth of an edge outside: binding, positions of a displacement, forces
 * handed back, in nanoseconds a vertex of the surface. */
#include "bench.h"

#include <math.h>

enum { GRID = 4, PER_FACE = (GRID + 1) * (GRID + 2) / 2 };

typedef struct carried {
    const bench_body *body;
    ew_surface surface;
    ew_mapping mapping;
    double *u, *out, *force;
} carried;

static ew_status make_surface(carried *c)
{
    const ew_mesh *mesh = &c->body->mesh;
    ew_list face = {0};
    EW_TRY(ew_topology_boundary(&c->body->topology, mesh, &face));
    c->surface.n_vertex = PER_FACE * face.n;
    ew_status status =
        ew_new(&c->surface.xyz, 3 * (size_t)c->surface.n_vertex, sizeof *c->surface.xyz);
    double *to = c->surface.xyz;
    for (int32_t f = 0; f < face.n && !status; f++) {
        const int32_t *v = mesh->tet + 4 * (size_t)(face.id[f] / 4);
        const int8_t *at = ew_face_vertex[face.id[f] % 4];
        double area[3];
        ew_face_area_vector(mesh, face.id[f], area);
        const double size = sqrt(area[0] * area[0] + area[1] * area[1] + area[2] * area[2]);
        const double shift = f % 2 ? 0.01 / sqrt(size) : 0.0;
        for (int k = 0; k < PER_FACE; k++) {
            int row = 0, first = 0;
            for (; first + row < k; first += ++row) {
            }
            const double a = (double)row / GRID, b = (double)(k - first) / GRID;
            for (int i = 0; i < 3; i++, to++) {
                const double *x = mesh->xyz + i;
                *to = (1.0 - a) * x[3 * (size_t)v[at[0]]] + (a - b) * x[3 * (size_t)v[at[1]]] +
                      b * x[3 * (size_t)v[at[2]]] + shift * area[i];
            }
        }
    }
    ew_list_free(&face);
    return status;
}

static ew_status step_bind(void *self)
{
    carried *c = self;
    ew_mapping_free(&c->mapping);
    return ew_mapping_bind(&c->mapping, &c->body->mesh, &c->surface, &(ew_mapping_def){0});
}

static ew_status step_positions(void *self)
{
    carried *c = self;
    return ew_mapping_positions(&c->mapping, &c->body->mesh, c->u, c->out);
}

static ew_status step_forces(void *self)
{
    carried *c = self;
    return ew_mapping_forces(&c->mapping, &c->body->mesh, c->out, c->force);
}

static ew_status measure(bench_run *bench, carried *c, const char *what, bench_step *step)
{
    bench_times times;
    EW_TRY(bench_time(bench->repeat, step, c, &times));
    const double n = c->surface.n_vertex;
    const double value[] = {n, 1e9 * times.median / n, 1e9 * times.min / n};
    return bench_row(bench, "host", what, value);
}

static ew_status run_surface(bench_run *bench, const bench_body *body)
{
    carried c = {.body = body};
    ew_status status = EW_OK;
    EW_TRY_OUT(make_surface(&c));
    EW_TRY_OUT(ew_new_zero(&c.u, 3 * (size_t)body->mesh.n_vertex, sizeof *c.u));
    EW_TRY_OUT(ew_new_zero(&c.force, 3 * (size_t)body->mesh.n_vertex, sizeof *c.force));
    EW_TRY_OUT(ew_new_zero(&c.out, 3 * (size_t)c.surface.n_vertex, sizeof *c.out));
    EW_TRY_OUT(measure(bench, &c, "bind", step_bind));
    EW_TRY_OUT(measure(bench, &c, "positions", step_positions));
    EW_TRY_OUT(measure(bench, &c, "forces back", step_forces));
out:
    ew_mapping_free(&c.mapping);
    ew_surface_free(&c.surface);
    ew_release(c.u);
    ew_release(c.out);
    ew_release(c.force);
    return status;
}

const bench_scenario bench_scenario_surface = {
    .name = "surface",
    .summary = "a fine surface bound to a body: binding, positions, forces (ns a vertex)",
    .column = {"vertices", "median ns", "fastest ns"},
    .run = run_surface,
};
