/* What the laws of a nonlinear body dissipate. In: the displacements before and after a step that
 * converged. Out: energy per volume, added to the state of each tet, with which it follows edits;
 * sums of the states.
 *
 * In a time step the work of the mean stress on the strain is stored or dissipated, for that is the
 * work by which schemes move the body: with stress s, strain e and stored energy w before and
 * after,
 *
 *     dissipated += (s + s') . (e' - e) / 2 - (w' - w).
 *
 * Of a law in which nothing flows within a step it is exact. Where plastic flow begins within one,
 * stress is no linear function of strain along it, and the mean is wrong by the second order of the
 * part of the step. In a load step, whose length nothing bounds, such laws tell the energy by
 * themselves (ew_law.dissipated): exact as long as the flow keeps its direction in the step; and by
 * what that is more than of the mean stress is the work of loads, which is found by mean forces,
 * too little. */
#include "model/internal.h"

#include <math.h>
#include <string.h>

/* Tets whose energies are added up first. */
#define CHUNK 1024

typedef struct step {
    const ew_model *model;
    const double *from, *to;              /* displacements [n_vertex][3] */
    const double *thermal, *next_thermal; /* [n_tet][6] there, or null */
    double dt;
    bool is_motion; /* by the mean stress */
} step;

/* What the law sees. */
static void strain_of(const step *in, const double *displacement, const double *thermal, int32_t t,
                      double *strain)
{
    const ew_mesh *mesh = &in->model->mesh;
    double x[12], u[12];
    ew_tet_motion motion;
    ew_mesh_tet_values(mesh, t, mesh->xyz, x);
    ew_mesh_tet_values(mesh, t, displacement, u);
    ew_tet_move(in->model->nonlinear.kinematics, x, u, &motion);
    for (int i = 0; i < 6; i++) {
        strain[i] = motion.strain[i] - (thermal ? thermal[6 * (size_t)t + (size_t)i] : 0.0);
    }
}

/* *missed: what the mean stress has not. */
static double dissipated_in(const step *in, int32_t t, const double *before, double *missed)
{
    const ew_materials *materials = &in->model->materials;
    const int32_t region = in->model->mesh.region[t];
    const ew_law *law = ew_material_law(materials->material + region);
    double from[6], to[6], first[6], last[6], unused[6], after[EW_MAX_LAW_STATE] = {0.0};
    strain_of(in, in->from, in->thermal, t, from);
    strain_of(in, in->to, in->next_thermal, t, to);
    const double stored = ew_respond_again(materials, region, from, before, first);
    ew_respond(materials, region, to, before, in->dt, after, last, NULL);
    double sum = stored - ew_respond_again(materials, region, to, after, unused);
    for (int i = 0; i < 6; i++) {
        sum += 0.5 * (first[i] + last[i]) * (to[i] - from[i]);
    }
    if (law->dissipated && !in->is_motion) {
        const double *constants = materials->constants + EW_MAX_LAW_CONSTANTS * (size_t)region;
        const double along = law->dissipated(constants, before, after);
        *missed = along - sum;
        return along;
    }
    *missed = 0.0;
    return fmax(sum, 0.0); /* of what rounding leaves */
}

static bool may_flow(const ew_model *model, int32_t t)
{
    return ew_material_law(model->materials.material + model->mesh.region[t])->n_state > 0;
}

/* Of tets from `begin` on; the energy that the mean stress has not. */
static double dissipate_chunk(const step *in, int64_t begin)
{
    const ew_mesh *mesh = &in->model->mesh;
    const model_nonlinear *of = &in->model->nonlinear;
    const size_t width = (size_t)of->n_state;
    const double *state = in->model->field[of->state].value;
    double sum = 0.0;
    for (int64_t i = begin; i < begin + CHUNK && i < mesh->n_tet; i++) {
        const int32_t t = (int32_t)i;
        const double *before = state + width * (size_t)t;
        double *after = of->after + width * (size_t)t, missed;
        if (ew_mesh_tet_is_live(mesh, t) && may_flow(in->model, t) &&
            memcmp(before, after, EW_STATE_DISSIPATED * sizeof *before) != 0) {
            after[EW_STATE_DISSIPATED] =
                before[EW_STATE_DISSIPATED] + dissipated_in(in, t, before, &missed);
            sum += ew_mesh_tet_volume(mesh, t) * missed;
        }
    }
    return sum;
}

double model_dissipate(ew_model *model, const double *from, const double *thermal, const double *to,
                       double dt, bool is_motion)
{
    enum { AT_ONCE = 64 };
    const step in = {model, from, to, thermal, model_moved(model, to, dt).thermal, dt, is_motion};
    const int32_t n = model->nonlinear.n_state ? model->mesh.n_tet : 0;
    double missed = 0.0;
    for (int64_t first = 0; first < n; first += AT_ONCE * CHUNK) {
        double part[AT_ONCE]; /* each in its own place: no number of threads changes the sum */
#pragma omp parallel for schedule(static) if (n > MODEL_MIN_PARALLEL)
        for (int32_t k = 0; k < AT_ONCE; k++) {
            part[k] = dissipate_chunk(&in, first + (int64_t)k * CHUNK);
        }
        for (int32_t k = 0; k < AT_ONCE; k++) {
            missed += part[k];
        }
    }
    return missed;
}

/* In the order of slots. */
void model_sum_states(const ew_model *model, ew_sums *sums)
{
    const model_nonlinear *of = &model->nonlinear;
    sums->dissipated = sums->max_plastic_strain = 0.0;
    sums->max_plastic_strain_tet = -1;
    for (int32_t t = 0; t < model->mesh.n_tet && of->n_state; t++) {
        const double *state = model->field[of->state].value + (size_t)of->n_state * (size_t)t;
        if (!ew_mesh_tet_is_live(&model->mesh, t)) {
            continue;
        }
        sums->dissipated += ew_mesh_tet_volume(&model->mesh, t) * state[EW_STATE_DISSIPATED];
        if (state[EW_STATE_EQUIVALENT] > sums->max_plastic_strain) {
            sums->max_plastic_strain = state[EW_STATE_EQUIVALENT];
            sums->max_plastic_strain_tet = t;
        }
    }
}
