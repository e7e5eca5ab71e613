/* Recovery of a nonlinear body. In: mesh, materials, displacement, state of the laws. Out:
 * strain, stress and energy of its tets, and sums of energies, the same for any number of threads.
 */
#include "assembly/host/internal_force.h"

#include <math.h>
#include <string.h>

/* Tets whose energies are added up first. */
#define CHUNK 1024

void ew_internal_force_motion(const ew_internal_force *internal_force, const ew_deformed *body,
                              int32_t tet, int32_t point, ew_tet_motion *motion)
{
    ew_tet_point of;
    ew_tet_point_read(internal_force, body, tet, &of);
    ew_tet_point_go(internal_force, body, point, &of);
    ew_tet_point_move(internal_force, &of, motion);
}

double ew_internal_force_volume(const ew_internal_force *internal_force, const ew_deformed *body,
                                int32_t tet, int32_t point)
{
    double x[12], d[18], y[12];
    if (internal_force->n_point == 1) {
        return ew_mesh_tet_volume(body->mesh, tet);
    }
    if (!ew_tet_curves(body->rows, body->topology, tet, d)) {
        return 0.25 * ew_mesh_tet_volume(body->mesh, tet);
    }
    ew_mesh_tet_values(body->mesh, tet, body->mesh->xyz, x);
    ew_curved_point(point, x, d, y);
    return 0.25 * ew_tet_volume(y, y + 3, y + 6, y + 9);
}

/* ---- by tet ------------------------------------------------------------------------------ */

/* Energy, motion and stress of the state as it is at a point. */
static double answer_again(const ew_internal_force *internal_force, const ew_deformed *body,
                           int32_t t, int p, const ew_tet_point *of, ew_tet_motion *motion,
                           double *stress)
{
    const int32_t region = body->mesh->region[t];
    double rest[6];
    ew_tet_point_move(internal_force, of, motion);
    ew_take_thermal_off(internal_force, body, t, p, motion->strain, rest);
    if (ew_region_has_moduli(body, region)) {
        ew_elastic law;
        double sum = 0.0;
        ew_elastic_of(&law, body->materials, region, t, ew_tet_point_place(internal_force, of));
        ew_elastic_stress(&law, rest, stress);
        for (int i = 0; i < 6; i++) {
            sum += 0.5 * stress[i] * rest[i];
        }
        return motion->volume * sum;
    }
    const double energy =
        motion->volume * ew_respond_again(body->materials, region, rest,
                                          ew_state_at(internal_force, body, t, p), stress);
    if (!body->pressure) {
        return energy;
    }
    const double change =
        ew_internal_force_add_pressure(body, region, of->pressure, rest, stress, NULL);
    return energy + ew_internal_force_pressure_energy(body, t, motion->volume, change);
}

/* Stress of a small strain on top, by the elastic constants, or of a law of strains of any size by
 * its tangent at the strain that is there. */
static void stress_of_rate(const ew_internal_force *internal_force, const ew_deformed *body,
                           int32_t t, int p, const ew_tet_point *of, const ew_tet_motion *motion,
                           const double *strain, double *stress)
{
    const int32_t region = body->mesh->region[t];
    ew_elastic law;
    if (!ew_material_law(body->materials->material + region)->needs_stretch) {
        ew_elastic_of(&law, body->materials, region, t, ew_tet_point_place(internal_force, of));
        ew_elastic_stress(&law, strain, stress);
        return;
    }
    double rest[6], unused[6], tangent[21];
    ew_take_thermal_off(internal_force, body, t, p, motion->strain, rest);
    ew_respond(body->materials, region, rest, NULL, 0.0, NULL, unused, tangent);
    for (int i = 0; i < 6; i++) {
        stress[i] = 0.0;
        for (int j = 0; j < 6; j++) {
            stress[i] += tangent[ew_modulus_at(i, j)] * strain[j];
        }
    }
}

/* Of the small displacement on top: the motion there, its strain, stress and energy. */
static double answer_to_rate(const ew_internal_force *internal_force, const ew_deformed *body,
                             int32_t t, int p, const ew_tet_point *of, ew_tet_motion *motion,
                             double *strain, double *stress)
{
    double sum = 0.0;
    ew_tet_point_move(internal_force, of, motion);
    ew_tet_strain_rate(internal_force->kinematics, motion, of->at[EW_POINT_RATE], strain);
    if (body->pressure) {
        ew_stress_of_strain(body->materials->deviatoric + 2 * (size_t)body->mesh->region[t], strain,
                            stress);
        for (int i = 0; i < 3; i++) {
            stress[i] += of->pressure;
        }
    } else {
        stress_of_rate(internal_force, body, t, p, of, motion, strain, stress);
    }
    for (int i = 0; i < 6; i++) {
        sum += 0.5 * stress[i] * strain[i];
    }
    return motion->volume * sum;
}

/* Strain, or null, and stress along x, y, z and energy at a point; its volume. */
static double recover_point(const ew_internal_force *internal_force, const ew_deformed *body,
                            int32_t t, int p, ew_tet_point *of, double *strain, double *stress,
                            double *energy)
{
    ew_tet_motion motion;
    double local[6], own[6];
    ew_tet_point_go(internal_force, body, p, of);
    if (body->rate) {
        *energy = answer_to_rate(internal_force, body, t, p, of, &motion, own, local);
    } else {
        *energy = answer_again(internal_force, body, t, p, of, &motion, local);
        memcpy(own, motion.strain, sizeof own);
        if (internal_force->kinematics == EW_COROTATIONAL) {
            ew_tet_true_stress(&motion, local);
        }
    }
    ew_rotate_tensor(motion.r, local, stress);
    for (int i = 3; i < 6; i++) {
        own[i] *= 0.5;
    }
    if (strain) {
        ew_rotate_tensor(motion.r, own, strain);
    }
    for (int i = 3; i < 6 && strain; i++) {
        strain[i] *= 2.0;
    }
    return motion.volume;
}

/* Means over the volume, and the stress that is linear between corners with these values at the
 * points: sqrt 5 (s_k - (5 - sqrt 5) / 20 sum s). */
static double take_means(int32_t n, const double *volume, double (*strain)[6], double (*stress)[6],
                         const double *energy, double *corner)
{
    const double root = sqrt(5.0);
    double all = 0.0, sum = 0.0;
    for (int32_t p = 0; p < n; p++) {
        all += volume[p];
        sum += energy[p];
    }
    for (int i = 0; i < 6; i++) {
        double of_strain = 0.0, of_stress = 0.0, plain = 0.0;
        for (int32_t p = 0; p < n; p++) {
            of_strain += volume[p] * strain[p][i];
            of_stress += volume[p] * stress[p][i];
            plain += stress[p][i];
        }
        for (int32_t p = 0; p < n && corner; p++) {
            corner[6 * p + i] = root * (stress[p][i] - (5.0 - root) / 20.0 * plain);
        }
        strain[0][i] = of_strain / all;
        stress[0][i] = of_stress / all;
    }
    return sum;
}

static void recover_tet(const ew_internal_force *internal_force, const ew_deformed *body,
                        const ew_tet_answers *answers, int32_t t)
{
    const int32_t n = internal_force->n_point;
    double strain[EW_QUADRATIC_POINTS][6] = {{0.0}}, stress[EW_QUADRATIC_POINTS][6] = {{0.0}};
    double energy[EW_QUADRATIC_POINTS] = {0.0}, volume[EW_QUADRATIC_POINTS];
    double *corner = answers->corner_stress ? answers->corner_stress + 24 * (size_t)t : NULL;
    if (ew_mesh_tet_is_live(body->mesh, t)) {
        ew_tet_point of;
        ew_tet_point_read(internal_force, body, t, &of);
        for (int32_t p = 0; p < n; p++) {
            volume[p] =
                recover_point(internal_force, body, t, p, &of, strain[p], stress[p], energy + p);
        }
        energy[0] = n > 1 ? take_means(n, volume, strain, stress, energy, corner) : energy[0];
    } else if (corner) {
        memset(corner, 0, 24 * sizeof *corner);
    }
    if (answers->strain) {
        memcpy(answers->strain + 6 * (size_t)t, strain, sizeof *strain);
    }
    if (answers->stress) {
        memcpy(answers->stress + 6 * (size_t)t, stress, sizeof *stress);
    }
    if (answers->energy) {
        answers->energy[t] = energy[0];
    }
}

void ew_internal_force_recover(const ew_internal_force *internal_force, const ew_deformed *body,
                               const ew_tet_answers *answers)
{
    const int32_t n = body->mesh->n_tet;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, EW_MIN_TETS_A_THREAD))
    for (int32_t t = 0; t < n; t++) {
        recover_tet(internal_force, body, answers, t);
    }
}

void ew_internal_force_stress(const ew_internal_force *internal_force, const ew_deformed *body,
                              int32_t tet, double stress[6])
{
    double energy;
    ew_tet_point of;
    ew_tet_point_read(internal_force, body, tet, &of);
    (void)recover_point(internal_force, body, tet, 0, &of, NULL, stress, &energy);
}

/* ---- sums ------------------------------------------------------------------------------ */

/* At a point of a tet between two bodies, or of the first. */
typedef double (*point_term)(const ew_internal_force *internal_force, const ew_deformed *body,
                             const ew_deformed *next, int32_t t, int p);

static double answer_at(const ew_internal_force *internal_force, const ew_deformed *body, int32_t t,
                        int p, ew_tet_motion *motion, double *stress)
{
    ew_tet_point of;
    ew_tet_point_read(internal_force, body, t, &of);
    ew_tet_point_go(internal_force, body, p, &of);
    return answer_again(internal_force, body, t, p, &of, motion, stress);
}

static double energy_at(const ew_internal_force *internal_force, const ew_deformed *body,
                        const ew_deformed *next, int32_t t, int p)
{
    ew_tet_motion motion;
    double stress[6];
    (void)next;
    return answer_at(internal_force, body, t, p, &motion, stress);
}

/* - V (s + s') . (h' - h) / 2 with the thermal strain h. */
static double thermal_work_at(const ew_internal_force *internal_force, const ew_deformed *body,
                              const ew_deformed *next, int32_t t, int p)
{
    const size_t at = 6 * ((size_t)internal_force->n_point * (size_t)t + (size_t)p);
    const double *before = body->thermal + at, *after = next->thermal + at;
    double first[6], last[6], sum = 0.0;
    ew_tet_motion motion;
    if (!memcmp(before, after, sizeof first)) {
        return 0.0;
    }
    (void)answer_at(internal_force, body, t, p, &motion, first);
    (void)answer_at(internal_force, next, t, p, &motion, last);
    for (int i = 0; i < 6; i++) {
        sum += 0.5 * (first[i] + last[i]) * (after[i] - before[i]);
    }
    return -motion.volume * sum;
}

static double sum_of_chunk(const ew_internal_force *internal_force, const ew_deformed *body,
                           const ew_deformed *next, point_term term, int64_t begin)
{
    const int64_t n = body->mesh->n_tet, end = begin + CHUNK < n ? begin + CHUNK : n;
    double sum = 0.0;
    for (int64_t t = begin; t < end; t++) {
        for (int p = 0; p < internal_force->n_point && ew_mesh_tet_is_live(body->mesh, (int32_t)t);
             p++) {
            sum += term(internal_force, body, next, (int32_t)t, p);
        }
    }
    return sum;
}

/* A team's chunks, each into its own place, so that the order of the sum is always the same. */
static double sum_of_tets(const ew_internal_force *internal_force, const ew_deformed *body,
                          const ew_deformed *next, point_term term)
{
    enum { AT_ONCE = 64 };
    const int32_t n = body->mesh->n_tet;
    double sum = 0.0;
    for (int64_t first = 0; first < n; first += AT_ONCE * CHUNK) {
        double part[AT_ONCE] = {0.0};
#pragma omp parallel for schedule(static) num_threads(ew_threads_for((int32_t)(n - first), CHUNK))
        for (int32_t k = 0; k < AT_ONCE; k++) {
            part[k] = sum_of_chunk(internal_force, body, next, term, first + (int64_t)k * CHUNK);
        }
        for (int32_t k = 0; k < AT_ONCE; k++) {
            sum += part[k];
        }
    }
    return sum;
}

double ew_internal_force_energy(const ew_internal_force *internal_force, const ew_deformed *body)
{
    return sum_of_tets(internal_force, body, NULL, energy_at);
}

double ew_internal_force_thermal_work(const ew_internal_force *internal_force,
                                      const ew_deformed *from, const ew_deformed *to)
{
    return sum_of_tets(internal_force, from, to, thermal_work_at);
}
