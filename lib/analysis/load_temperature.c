/* Change of temperature. In: a change linear in position, or by vertex, in the whole body, at the
 * vertices of a set (none at others, linear between them) or in the tets of a set. Out: the thermal
 * strain a dT of a tet, the mean of its corners, and the forces V B^T D (a dT I) = V (3 lambda + 2
 * mu) a dT g_k on them, which balance one another. Recovery takes the strain off again: stress =
 * D (strain - a dT I) (Cook et al. 2002, section 3.9). */
#include "load_type.h"

#include <math.h>

/* sum += the change at a corner of a tet, term by term. */
static void add_change(const ew_mesh *mesh, const ew_load *load, int32_t tet, size_t corner,
                       double *sum)
{
    const int32_t v = mesh->tet[4 * (size_t)tet + corner];
    const double *x = mesh->xyz + 3 * (size_t)v;
    if (load->vertex && !ew_set_has(load->vertex, v)) {
        return;
    }
    if (load->value) {
        *sum += load->value[v];
        return;
    }
    *sum += load->change;
    for (int c = 0; c < 3; c++) {
        *sum += load->gradient[c] * (x[c] - load->point[c]);
    }
}

static bool acts_on(const ew_load *load, int32_t tet)
{
    return !load->tet || ew_set_has(load->tet, tet);
}

/* Mean change of a tet's corners. */
static double change_in_tet(const ew_mesh *mesh, const ew_load *load, int32_t tet)
{
    double sum = 0.0;
    for (size_t k = 0; k < 4 && acts_on(load, tet); k++) {
        add_change(mesh, load, tet, k, &sum);
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

void ew_loads_thermal_strain_at_corners(const ew_mesh *mesh, const ew_materials *materials,
                                        int32_t n_load, const ew_load *load, int32_t tet,
                                        double strain[4])
{
    for (size_t k = 0; k < 4; k++) {
        strain[k] = 0.0;
        for (int32_t i = 0; i < n_load; i++) {
            if (load[i].kind == EW_LOAD_TEMPERATURE && acts_on(&load[i], tet)) {
                add_change(mesh, &load[i], tet, k, &strain[k]);
            }
        }
        strain[k] *= materials->material[mesh->region[tet]].expansion;
    }
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

/* Linear in the tet, T = sum T_k l_k: of the function of an edge (a, b) the integral of (3 lambda +
 * 2 mu) alpha T times its gradient, V / 5 ((S + T_a) g_b + (S + T_b) g_a) with S = sum T_k. */
static void temperature_on_edge(const ew_load_context *in, const ew_load *load,
                                const ew_load_share *share, int32_t tet, const int place[2],
                                double *f)
{
    double x[12], g[4][3], strain[4];
    const double *lame = in->materials->lame + 2 * (size_t)in->mesh->region[tet];
    (void)share;
    ew_loads_thermal_strain_at_corners(in->mesh, in->materials, 1, load, tet, strain);
    ew_mesh_tet_values(in->mesh, tet, in->mesh->xyz, x);
    const double part = ew_element_gradients(x, g) * (3.0 * lame[0] + 2.0 * lame[1]) / 5.0;
    const double sum = strain[0] + strain[1] + strain[2] + strain[3];
    for (int c = 0; c < 3; c++) {
        f[c] += part * ((sum + strain[place[0]]) * g[place[1]][c] +
                        (sum + strain[place[1]]) * g[place[0]][c]);
    }
}

const ew_load_type ew_load_temperature = {
    .traits = {.name = "temperature",
               .acts_on = EW_LOAD_ON_BODY | EW_LOAD_ON_VERTICES | EW_LOAD_ON_TETS},
    .check = check_temperature,
    .on_tet = temperature_on_tet,
    .on_edge = temperature_on_edge,
};
