/* Loads given by vertex: a force on each, a field of forces, what a function of the program says.
 */
#include "analysis/load/load_type.h"

#include <math.h>
#include <string.h>

/* On the axis of a cylinder there is no radial and no tangential part. */
void ew_load_vector_at_place(const ew_load *load, const double x[3], double out[3])
{
    double frame[9];
    memcpy(out, load->vector, sizeof load->vector);
    if (load->axes.kind != EW_AXES_GLOBAL) {
        (void)ew_axes_at(&load->axes, x, frame);
        ew_axes_to_global(frame, load->vector, out);
    }
}

void ew_load_vector_at(const ew_mesh *mesh, const ew_load *load, int32_t vertex, double out[3])
{
    ew_load_vector_at_place(load, mesh->xyz + 3 * (size_t)vertex, out);
}

ew_status ew_load_count_vertices(const ew_load_context *in, const ew_load *load, int32_t place,
                                 int32_t *n)
{
    const char *name = in->name;
    *n = 0;
    for (int32_t i = 0; i < load->vertex->list.n; i++) {
        const int32_t v = load->vertex->list.id[i];
        if (v >= in->mesh->n_vertex) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "load %d (%s): its set names vertex slot %d of %d; select it again",
                           place + 1, name, v, in->mesh->n_vertex);
        }
        *n += ew_mesh_vertex_is_active(in->mesh, v);
    }
    return *n ? EW_OK
              : ew_fail(EW_BAD_INPUT,
                        "load %d (%s): its set has no vertex of the body; select some or drop the "
                        "load",
                        place + 1, name);
}

static ew_status check_vertices(const ew_load_context *in, const ew_load *load, int32_t place,
                                ew_load_share *share)
{
    int32_t n;
    (void)share;
    return load->vertex ? ew_load_count_vertices(in, load, place, &n) : EW_OK;
}

static void force_on_vertex(const ew_load_context *in, const ew_load *load,
                            const ew_load_share *share, int32_t vertex, double *f)
{
    double vector[3];
    (void)share;
    ew_load_vector_at(in->mesh, load, vertex, vector);
    for (int c = 0; c < 3; c++) {
        f[c] += vector[c];
    }
}

static void own_on_vertex(const ew_load_context *in, const ew_load *load,
                          const ew_load_share *share, int32_t vertex, double *f)
{
    (void)share;
    load->own(load->user, in->mesh, in->topology, vertex, f);
}

static bool acts_on_vertex(const ew_load_context *in, const ew_load *load, int32_t v)
{
    return ew_mesh_vertex_is_active(in->mesh, v) && (!load->vertex || ew_set_has(load->vertex, v));
}

static ew_status check_field(const ew_load_context *in, const ew_load *load, int32_t place,
                             ew_load_share *share)
{
    EW_TRY(check_vertices(in, load, place, share));
    for (int32_t v = 0; v < in->mesh->n_vertex; v++) {
        const double *f = load->value + 3 * (size_t)v;
        if (acts_on_vertex(in, load, v) && !isfinite(f[0] + f[1] + f[2])) {
            return ew_fail_about(EW_BAD_INPUT, v, -1,
                                 "load %d (field of forces): the force on vertex %lld is (%g, %g, "
                                 "%g), must be finite",
                                 place + 1, (long long)in->mesh->vertex_id[v], f[0], f[1], f[2]);
        }
    }
    return EW_OK;
}

static void field_on_vertex(const ew_load_context *in, const ew_load *load,
                            const ew_load_share *share, int32_t vertex, double *f)
{
    (void)in;
    (void)share;
    for (int c = 0; c < 3; c++) {
        f[c] += load->value[3 * (size_t)vertex + (size_t)c];
    }
}

const ew_load_type ew_load_type_force = {
    .traits = {.name = "force", .acts_on = EW_LOAD_ON_VERTICES, .has_axes = true},
    .check = check_vertices,
    .on_vertex = force_on_vertex,
};
const ew_load_type ew_load_type_own = {
    .traits = {.name = "a program's own", .acts_on = EW_LOAD_ON_BODY},
    .check = check_vertices,
    .on_vertex = own_on_vertex,
};
const ew_load_type ew_load_type_field = {
    .traits = {.name = "field of forces", .acts_on = EW_LOAD_ON_BODY | EW_LOAD_ON_VERTICES},
    .check = check_field,
    .on_vertex = field_on_vertex,
};
