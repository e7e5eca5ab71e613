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
#include <stddef.h>
#include <string.h>

/* Tets whose energies are added up first. */
#define CHUNK 1024

typedef struct step {
    const ew_model *model;
    ew_deformed from, to; /* before and after */
    bool is_motion;       /* by the mean stress */
} step;

/* What the law sees at a point. */
static void strain_of(const step *in, const ew_deformed *body, int32_t t, int32_t point,
                      double *strain)
{
    const model_nonlinear *of = &in->model->nonlinear;
    const size_t at = 6 * ((size_t)of->n_point * (size_t)t + (size_t)point);
    ew_tet_motion motion;
    ew_internal_force_motion(&of->internal_force, body, t, point, &motion);
    for (size_t i = 0; i < 6; i++) {
        strain[i] = motion.strain[i] - (body->thermal ? body->thermal[at + i] : 0.0);
    }
}

/* *missed: what the mean stress has not. */
static double dissipated_in(const step *in, int32_t t, int32_t point, const double *before,
                            double *missed)
{
    const ew_materials *materials = &in->model->materials;
    const int32_t region = in->model->mesh.region[t];
    const ew_law *law = ew_material_law(materials->material + region);
    double from[6], to[6], first[6], last[6], unused[6], after[EW_MAX_LAW_STATE] = {0.0};
    strain_of(in, &in->from, t, point, from);
    strain_of(in, &in->to, t, point, to);
    const double stored = ew_respond_again(materials, region, from, before, first);
    ew_respond(materials, region, to, before, in->to.dt, after, last, NULL);
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
    const int64_t n_point = of->n_point;
    const int64_t end = n_point * (begin + CHUNK < mesh->n_tet ? begin + CHUNK : mesh->n_tet);
    const double *state = in->model->field[of->state].value;
    double sum = 0.0;
    for (int64_t i = n_point * begin; i < end; i++) {
        const int32_t t = (int32_t)(i / n_point), point = (int32_t)(i % n_point);
        const double *before = state + of->n_state * i;
        double *after = of->after + of->n_state * i, missed;
        if (ew_mesh_tet_is_live(mesh, t) && may_flow(in->model, t) &&
            memcmp(before, after, EW_STATE_DISSIPATED * sizeof *before) != 0) {
            after[EW_STATE_DISSIPATED] =
                before[EW_STATE_DISSIPATED] + dissipated_in(in, t, point, before, &missed);
            sum += ew_internal_force_volume(&of->internal_force, &in->to, t, point) * missed;
        }
    }
    return sum;
}

double model_dissipate(ew_model *model, const double *from, const double *thermal, const double *to,
                       double dt, bool is_motion)
{
    enum { AT_ONCE = 64 };
    step in = {model, model_deformed(model, from, dt), model_deformed(model, to, dt), is_motion};
    const int32_t n = model->nonlinear.n_state ? model->mesh.n_tet : 0;
    double missed = 0.0;
    in.from.thermal = thermal;
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

double ew_model_mean_law_state(const ew_model *model, int32_t tet, double *mean)
{
    const model_nonlinear *of = &model->nonlinear;
    const ew_deformed body = model_deformed(model, model->field[0].value, 0.0);
    double volume = 0.0;
    memset(mean, 0, EW_MAX_LAW_STATE * sizeof *mean);
    if (!of->n_state || !ew_mesh_tet_is_live(&model->mesh, tet)) {
        return 0.0;
    }
    const double *state =
        model->field[of->state].value + (ptrdiff_t)of->n_state * of->n_point * (ptrdiff_t)tet;
    if (of->n_point == 1) {
        memcpy(mean, state, (size_t)of->n_state * sizeof *mean);
        return ew_mesh_tet_volume(&model->mesh, tet);
    }
    for (int32_t p = 0; p < of->n_point; p++) {
        const double part = ew_internal_force_volume(&of->internal_force, &body, tet, p);
        volume += part;
        for (int32_t i = 0; i < of->n_state; i++) {
            mean[i] += part * state[of->n_state * p + i];
        }
    }
    for (int32_t i = 0; i < of->n_state; i++) {
        mean[i] /= volume;
    }
    return volume;
}

/* In the order of slots. */
void model_sum_states(const ew_model *model, ew_sums *sums)
{
    const model_nonlinear *of = &model->nonlinear;
    sums->dissipated = sums->max_plastic_strain = 0.0;
    sums->max_plastic_strain_tet = -1;
    const ew_deformed body = model_deformed(model, model->field[0].value, 0.0);
    for (int64_t i = 0; i < (int64_t)of->n_point * model->mesh.n_tet && of->n_state; i++) {
        const double *state = model->field[of->state].value + of->n_state * i;
        const int32_t t = (int32_t)(i / of->n_point), point = (int32_t)(i % of->n_point);
        if (!ew_mesh_tet_is_live(&model->mesh, t)) {
            continue;
        }
        sums->dissipated += ew_internal_force_volume(&of->internal_force, &body, t, point) *
                            state[EW_STATE_DISSIPATED];
        if (state[EW_STATE_EQUIVALENT] > sums->max_plastic_strain) {
            sums->max_plastic_strain = state[EW_STATE_EQUIVALENT];
            sums->max_plastic_strain_tet = t;
        }
    }
}
