/* Mass properties of a body. In: the mesh, densities by region. Out: volume, mass, center of mass,
 * inertia about it. Exact for tets with straight sides: with the corners a_i of a tet and s their
 * sum, int x x^T dV = V/20 (s s^T + sum a_i a_i^T). */
#include "study/record/places.h"

#include <math.h>
#include <string.h>

double ew_study_density_of(const ew_case *input, int32_t label)
{
    const ew_case_material *material = ew_study_material_of(input, label);
    return material ? material->material.density : 0.0;
}

/* Region by region; 0 where the material has none. */
static double density_of(const ew_study *study, int32_t tet)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    return ew_study_density_of(study->input, mesh->region_label[mesh->region[tet]]);
}

/* second: int rho x x^T dV, xx yy zz xy yz xz, about `about`. */
static void add_tet(const ew_mesh *mesh, int32_t t, double density, const double *about,
                    ew_mass_report *report, double second[6])
{
    static const int8_t pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
    const double volume = ew_mesh_tet_volume(mesh, t), mass = density * volume;
    double a[4][3], s[3] = {0};
    for (int k = 0; k < 4; k++) {
        for (int c = 0; c < 3; c++) {
            const int32_t v = mesh->tet[4 * (size_t)t + (size_t)k];
            a[k][c] = mesh->xyz[3 * (size_t)v + (size_t)c] - about[c];
            s[c] += a[k][c];
        }
    }
    report->volume += volume;
    report->mass += mass;
    for (int c = 0; c < 3; c++) {
        report->center[c] += mass * s[c] / 4.0;
    }
    for (int k = 0; k < 6; k++) {
        const int i = pair[k][0], j = pair[k][1];
        second[k] += mass / 20.0 *
                     (s[i] * s[j] + a[0][i] * a[0][j] + a[1][i] * a[1][j] + a[2][i] * a[2][j] +
                      a[3][i] * a[3][j]);
    }
}

/* Sums are taken about a vertex of the body, near its center as coordinates go: less cancels. */
void ew_study_take_mass(ew_study *study, ew_mass_report *report)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    const double *about = mesh->xyz;
    double second[6] = {0}, to[3];
    *report = (ew_mass_report){.volume = 0.0};
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            add_tet(mesh, t, density_of(study, t), about, report, second);
        }
    }
    const double mass = report->mass, scale = mass > 0.0 ? 1.0 / mass : 0.0;
    for (int c = 0; c < 3; c++) {
        to[c] = report->center[c] * scale;
        report->center[c] = about[c] + to[c];
    }
    const double xx = second[0] - mass * to[0] * to[0], yy = second[1] - mass * to[1] * to[1];
    const double zz = second[2] - mass * to[2] * to[2];
    const double inertia[6] = {yy + zz,
                               xx + zz,
                               xx + yy,
                               mass * to[0] * to[1] - second[3],
                               mass * to[1] * to[2] - second[4],
                               mass * to[0] * to[2] - second[5]};
    memcpy(report->inertia, inertia, sizeof inertia);
}
