/* Change of temperature. In: a change linear in position, or by vertex, in the whole body, at the
 * vertices of a set (none at others, linear between them) or in the tets of a set. Out: the thermal
 * strain a dT of a tet, the mean of its corners, and the forces V B^T D (a dT I) = V (3 lambda + 2
 * mu) a dT g_k on them, which balance one another. Recovery takes the strain off again: stress =
 * D (strain - a dT I) (Cook et al. 2002, section 3.9). */
#include "load_type.h"

#include <math.h>

/* Mean change of a tet's corners. */
static double change_in_tet(const ew_mesh *mesh, const ew_load *load, int32_t tet)
{
    double sum = 0.0;
    if (load->tet && !ew_set_has(load->tet, tet)) {
        return 0.0;
    }
    for (size_t k = 0; k < 4; k++) {
        const int32_t v = mesh->tet[4 * (size_t)tet + k];
        const double *x = mesh->xyz + 3 * (size_t)v;
        if (load->vertex && !ew_set_has(load->vertex, v)) {
            continue;
        }
        if (load->value) {
            sum += load->value[v];
            continue;
        }
        sum += load->change;
        for (int c = 0; c < 3; c++) {
            sum += load->gradient[c] * (x[c] - load->point[c]);
        }
    }
    return 0.25 * sum;
}

double ew_loads_thermal_strain(const ew_mesh *mesh, const ew_materials *materials, int32_t n_load,
                               const ew_load *load, int32_t tet)
{
    double change = 0.0;
    bool any = false;
    for (int32_t i = 0; i < n_load; i++) {
        if (load[i].kind == EW_LOAD_TEMPERATURE) {
            change += change_in_tet(mesh, &load[i], tet);
            any = true;
        }
    }
    return any ? change * materials->material[mesh->region[tet]].expansion : 0.0;
}

static double expansion_of(const ew_material *material)
{
    return material->expansion;
}

static ew_status check_temperature(const ew_load_context *in, const ew_load *load, int32_t place,
                                   ew_load_share *share)
{
    int32_t n;
    (void)share;
    if (load->vertex) {
        EW_TRY(ew_load_count_vertices(in, load, place, &n));
    }
    if (load->tet && !load->tet->list.n) {
        return ew_fail(EW_BAD_INPUT,
                       "load %d (temperature): its set has no tet; select some or drop the load",
                       place + 1);
    }
    for (int32_t v = 0; load->value && v < in->mesh->n_vertex; v++) {
        if (ew_mesh_vertex_is_active(in->mesh, v) && !isfinite(load->value[v])) {
            return ew_fail(EW_BAD_INPUT,
                           "load %d (temperature): the change at vertex %lld is %g; all must be "
                           "finite",
                           place + 1, (long long)in->mesh->vertex_id[v], load->value[v]);
        }
    }
    return ew_load_need_constant(in, load, place, expansion_of, "expansion (1/K)");
}

static void temperature_on_tet(const ew_load_context *in, const ew_load *load,
                               const ew_load_share *share, int32_t tet, int corner, double *f)
{
    double x[12], g[4][3];
    const int32_t region = in->mesh->region[tet];
    const double *lame = in->materials->lame + 2 * (size_t)region;
    const double strain =
        change_in_tet(in->mesh, load, tet) * in->materials->material[region].expansion;
    (void)share;
    if (strain == 0.0) {
        return;
    }
    ew_mesh_tet_values(in->mesh, tet, in->mesh->xyz, x);
    const double volume = ew_element_gradients(x, g);
    const double part = volume * (3.0 * lame[0] + 2.0 * lame[1]) * strain;
    for (int c = 0; c < 3; c++) {
        f[c] += part * g[corner][c];
    }
}

const ew_load_type ew_load_temperature = {
    .traits = {.name = "temperature",
               .acts_on = EW_LOAD_ON_BODY | EW_LOAD_ON_VERTICES | EW_LOAD_ON_TETS},
    .check = check_temperature,
    .on_tet = temperature_on_tet,
};
