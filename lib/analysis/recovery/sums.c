/* Sums and extremes by which an engineer judges a step. In: mesh, materials, constraints, recovered
 * fields, forces and displacement. Out: resultants of loads and reactions, work and energy, the
 * largest displacement and stress. */
#include "analysis/parts/analysis.h"

#include <math.h>

static void add_force(const double *x, const double *f, double force[3], double moment[3])
{
    for (int c = 0; c < 3; c++) {
        int d = (c + 1) % 3, e = (c + 2) % 3;
        force[c] += f[c];
        moment[c] += x[d] * f[e] - x[e] * f[d];
    }
}

static double length(const double *x)
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

static void take_vertices(ew_sums *sums, const ew_mesh *mesh, const ew_fields *fields,
                          const double *f, const double *u)
{
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (!ew_mesh_vertex_is_active(mesh, v)) {
            continue;
        }
        const double *x = mesh->xyz + 3 * (size_t)v, *reaction = fields->reaction + 3 * (size_t)v;
        add_force(x, f + 3 * (size_t)v, sums->applied_force, sums->applied_moment);
        add_force(x, reaction, sums->reaction_force, sums->reaction_moment);
        for (int c = 0; c < 3; c++) {
            sums->external_work += f[3 * (size_t)v + c] * u[3 * (size_t)v + c];
            sums->external_work += reaction[c] * u[3 * (size_t)v + c];
        }
        double moved = length(u + 3 * (size_t)v);
        if (sums->max_displacement_vertex < 0 || moved > sums->max_displacement) {
            sums->max_displacement = moved;
            sums->max_displacement_vertex = v;
        }
        double mises = fields->vertex_von_mises[v];
        if (sums->max_vertex_von_mises_vertex < 0 || mises > sums->max_vertex_von_mises) {
            sums->max_vertex_von_mises = mises;
            sums->max_vertex_von_mises_vertex = v;
            sums->max_vertex_von_mises_region = ew_fields_vertex_region(fields, v);
        }
    }
}

/* The loads of a tet's thermal strain do work that is no work of others; and the stress does work
 * on the thermal strain that is no elastic energy. */
static void take_thermal(ew_sums *sums, const ew_mesh *mesh, const ew_materials *materials,
                         const ew_fields *fields, int32_t t)
{
    const double *strain = fields->strain + 6 * (size_t)t, *stress = fields->stress + 6 * (size_t)t;
    const ew_elastic law = ew_elastic_of_tet(materials, mesh, t);
    const double *lame =
        fields->pressure ? materials->deviatoric + 2 * (size_t)mesh->region[t] : law.lame;
    const double part = ew_mesh_tet_volume(mesh, t) * fields->thermal_strain[t];
    if (fields->thermal_in_law) {
        for (int c = 0; c < 6; c++) {
            const double own = fields->has_thermal_tensor
                                   ? fields->thermal_tensor[6 * (size_t)t + (size_t)c]
                                   : (c < 3 ? fields->thermal_strain[t] : 0.0);
            sums->thermal_work += ew_mesh_tet_volume(mesh, t) * own * stress[c];
        }
    } else if (!lame && fields->has_thermal_tensor) {
        const double *tensor = fields->thermal_tensor + 6 * (size_t)t;
        const double volume = ew_mesh_tet_volume(mesh, t);
        double prevented[6];
        ew_elastic_stress(&law, tensor, prevented);
        for (int c = 0; c < 6; c++) {
            sums->external_work -= volume * prevented[c] * strain[c];
            sums->thermal_work += volume * tensor[c] * stress[c];
        }
    } else if (lame && part != 0.0) {
        sums->external_work -=
            part * (3.0 * lame[0] + 2.0 * lame[1]) * (strain[0] + strain[1] + strain[2]);
        sums->thermal_work += part * (stress[0] + stress[1] + stress[2]);
    }
}

static void take_tets(ew_sums *sums, const ew_mesh *mesh, const ew_materials *materials,
                      const ew_fields *fields)
{
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (!ew_mesh_tet_is_live(mesh, t)) {
            continue;
        }
        const double *principal = fields->principal + 3 * (size_t)t;
        double volume = ew_mesh_tet_volume(mesh, t);
        bool first = sums->max_tet_von_mises_tet < 0;
        sums->volume += volume;
        sums->mass += volume * materials->material[mesh->region[t]].density;
        sums->strain_energy += fields->energy[t];
        take_thermal(sums, mesh, materials, fields, t);
        sums->max_principal =
            first || principal[0] > sums->max_principal ? principal[0] : sums->max_principal;
        sums->min_principal =
            first || principal[2] < sums->min_principal ? principal[2] : sums->min_principal;
        if (first || fields->von_mises[t] > sums->max_tet_von_mises) {
            sums->max_tet_von_mises = fields->von_mises[t];
            sums->max_tet_von_mises_tet = t;
        }
    }
}

void ew_sums_take(ew_sums *sums, const ew_mesh *mesh, const ew_materials *materials,
                  const ew_constraints *constraints, const ew_fields *fields, const double *f,
                  const double *u)
{
    *sums = (ew_sums){.max_displacement_vertex = -1,
                      .max_tet_von_mises_tet = -1,
                      .max_vertex_von_mises_vertex = -1,
                      .max_vertex_von_mises_region = -1,
                      .max_recovered_von_mises_vertex = -1};
    take_vertices(sums, mesh, fields, f, u);
    sums->spring_energy = ew_springs_energy(mesh, constraints, u);
    take_tets(sums, mesh, materials, fields);
    sums->max_von_mises = fmax(sums->max_tet_von_mises, sums->max_vertex_von_mises);
    double rest[3], applied = 0.0, back = 0.0;
    for (int c = 0; c < 3; c++) {
        rest[c] = sums->applied_force[c] + sums->reaction_force[c];
    }
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        bool active = ew_mesh_vertex_is_active(mesh, v);
        applied += active ? length(f + 3 * (size_t)v) : 0.0;
        back += active ? length(fields->reaction + 3 * (size_t)v) : 0.0;
    }
    double largest = applied > back ? applied : back;
    sums->equilibrium = largest > 0.0 ? length(rest) / largest : 0.0;
}
