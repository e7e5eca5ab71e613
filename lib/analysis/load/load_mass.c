/* Forces on mass: gravity, rho V/4 g per vertex of a tet; centrifugal force rho w^2 r, which grows
 * with the distance r from the axis and is integrated exactly with the linear functions:
 * rho V w^2 (r_1 + r_2 + r_3 + r_4 + r_k) / 20 at corner k. (CalculiX takes it at the tet's
 * centroid and gives each corner a quarter: the same force on every tet, another moment.) */
#include "analysis/load/load_type.h"

ew_status ew_load_need_constant(const ew_load_context *in, const ew_load *load, int32_t place,
                                bool (*has)(const ew_material *material), const char *name)
{
    const ew_mesh *mesh = in->mesh;
    bool missing = false;
    for (int32_t r = 0; r < in->materials->n; r++) {
        missing = missing || !has(&in->materials->material[r]);
    }
    for (int32_t t = 0; missing && t < mesh->n_tet; t++) { /* searched only where some region has
                                                              none */
        if (!ew_mesh_tet_is_live(mesh, t) || (load->tet && !ew_set_has(load->tet, t)) ||
            has(&in->materials->material[mesh->region[t]])) {
            continue;
        }
        bool touched = !load->vertex;
        for (size_t k = 0; k < 4 && !touched; k++) {
            touched = ew_set_has(load->vertex, mesh->tet[4 * (size_t)t + k]);
        }
        if (touched) {
            return ew_fail(EW_BAD_INPUT,
                           "load %d (%s): the material of region %d has no %s; give one", place + 1,
                           in->name, mesh->region_label[mesh->region[t]], name);
        }
    }
    return EW_OK;
}

static ew_status check_gravity(const ew_load_context *in, const ew_load *load, int32_t place,
                               ew_load_share *share)
{
    (void)share;
    return ew_load_need_constant(in, load, place, ew_material_has_density, "density");
}

static void gravity_on_tet(const ew_load_context *in, const ew_load *load,
                           const ew_load_share *share, int32_t tet, int corner, double *f)
{
    const double density = in->materials->material[in->mesh->region[tet]].density;
    const double mass = density * ew_mesh_tet_volume(in->mesh, tet) / 4.0;
    (void)share;
    (void)corner;
    for (int c = 0; c < 3; c++) {
        f[c] += mass * load->vector[c];
    }
}

static void gravity_in_tet(const ew_load_context *in, const ew_load *load, int32_t tet,
                           const double x[3], double volume, double force[3])
{
    const double density = in->materials->material[in->mesh->region[tet]].density;
    (void)x;
    for (int c = 0; c < 3; c++) {
        force[c] = density * volume * load->vector[c];
    }
}

/* ---- centrifugal ---------------------------------------------------------------- */

static ew_status check_centrifugal(const ew_load_context *in, const ew_load *load, int32_t place,
                                   ew_load_share *share)
{
    (void)share;
    if (!(ew_load_dot(load->vector, load->vector) > 0.0)) {
        return ew_fail(EW_BAD_INPUT,
                       "load %d (centrifugal): its angular velocity is zero; give one or drop the "
                       "load",
                       place + 1);
    }
    return ew_load_need_constant(in, load, place, ew_material_has_density, "density");
}

/* With the angular velocity w, w^2 times the part of r across w is w^2 r - (w . r) w. */
static void centrifugal_on_tet(const ew_load_context *in, const ew_load *load,
                               const ew_load_share *share, int32_t tet, int corner, double *f)
{
    double x[12], sum[3];
    const double density = in->materials->material[in->mesh->region[tet]].density;
    const double part = density * ew_mesh_tet_volume(in->mesh, tet) / 20.0;
    const double *w = load->vector;
    (void)share;
    ew_mesh_tet_values(in->mesh, tet, in->mesh->xyz, x);
    for (int c = 0; c < 3; c++) {
        sum[c] = (x[c] - load->point[c]) + (x[3 + c] - load->point[c]) +
                 (x[6 + c] - load->point[c]) + (x[9 + c] - load->point[c]) +
                 (x[3 * corner + c] - load->point[c]);
    }
    const double square = ew_load_dot(w, w), along = ew_load_dot(w, sum);
    for (int c = 0; c < 3; c++) {
        f[c] += part * (square * sum[c] - along * w[c]);
    }
}

static void centrifugal_in_tet(const ew_load_context *in, const ew_load *load, int32_t tet,
                               const double x[3], double volume, double force[3])
{
    const double density = in->materials->material[in->mesh->region[tet]].density;
    const double *w = load->vector;
    const double r[3] = {x[0] - load->point[0], x[1] - load->point[1], x[2] - load->point[2]};
    const double square = ew_load_dot(w, w), along = ew_load_dot(w, r);
    for (int c = 0; c < 3; c++) {
        force[c] = density * volume * (square * r[c] - along * w[c]);
    }
}

const ew_load_type ew_load_type_gravity = {
    .traits = {.name = "gravity", .acts_on = EW_LOAD_ON_BODY},
    .check = check_gravity,
    .on_tet = gravity_on_tet,
    .in_tet = gravity_in_tet,
};
const ew_load_type ew_load_type_centrifugal = {
    .traits = {.name = "centrifugal", .acts_on = EW_LOAD_ON_BODY},
    .check = check_centrifugal,
    .on_tet = centrifugal_on_tet,
    .in_tet = centrifugal_in_tet,
};
