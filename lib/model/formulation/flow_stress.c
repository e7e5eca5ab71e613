/* The yield condition in what is reported of quadratic tets. In: a recovered body with laws. Out:
 * stress at vertices whose deviator is not longer than the yield stress that the points around have
 * reached by hardening: the condition holds at points, and the linear functions through these go
 * beyond it at corners. The stress at the corners of each tet, which forces and buckling are by,
 * stays as it is. */
#include "model/formulation/formulation.h"

#include <math.h>
#include <string.h>

/* The law of a region, from one tet to the next of it. */
typedef struct region_law {
    int32_t region; /* -1: none yet */
    const ew_law *law;
    double constants[EW_MAX_LAW_CONSTANTS];
} region_law;

static void take_region(const ew_model *model, int32_t region, region_law *of)
{
    if (region != of->region) {
        of->region = region;
        of->law = ew_material_law(&model->materials.material[region]);
        of->law->prepare(&model->materials.material[region], of->constants);
    }
}

static double flow_stress_of(const ew_model *model, int32_t t, region_law *of)
{
    static const double unit[6] = {1.0};
    const model_nonlinear *nonlinear = &model->nonlinear;
    double most = 0.0;
    if (!ew_mesh_tet_is_live(&model->mesh, t) || !nonlinear->n_state) {
        return 0.0;
    }
    take_region(model, model->mesh.region[t], of);
    for (int32_t p = 0; p < nonlinear->n_point && of->law->yielding && of->law->dissipated; p++) {
        const double *state =
            model->field[nonlinear->state].value +
            (size_t)nonlinear->n_state * ((size_t)nonlinear->n_point * (size_t)t + (size_t)p);
        most = fmax(most, 1.0 / of->law->yielding(of->constants, unit, state));
    }
    return most;
}

double model_flow_stress(const ew_model *model, int32_t tet)
{
    region_law of = {.region = -1};
    return flow_stress_of(model, tet, &of);
}

static void shorten_deviator(double stress[6], double limit, double *von_mises)
{
    const double mean = (stress[0] + stress[1] + stress[2]) / 3.0;
    for (int c = 0; c < 6; c++) {
        const double kept = c < 3 ? mean : 0.0;
        stress[c] = kept + (stress[c] - kept) * (limit / *von_mises);
    }
    *von_mises = limit;
}

/* A vertex takes the patch of the largest von Mises stress. */
static void take_patches(ew_fields *fields)
{
    for (int32_t v = 0; v < fields->patches.n_vertex; v++) {
        int32_t most = fields->patches.begin[v];
        for (int32_t p = most + 1; p < fields->patches.begin[v + 1]; p++) {
            most = fields->patch_von_mises[p] > fields->patch_von_mises[most] ? p : most;
        }
        if (fields->vertex_von_mises[v] > fields->patch_von_mises[most]) {
            memcpy(fields->vertex_stress + 6 * (size_t)v, fields->patch_stress + 6 * (size_t)most,
                   6 * sizeof *fields->patch_stress);
            fields->vertex_von_mises[v] = fields->patch_von_mises[most];
        }
    }
}

ew_status model_bound_flow(ew_model *model)
{
    ew_fields *fields = &model->fields;
    const ew_patches *patches = &fields->patches;
    const int32_t n = patches->n_vertex ? patches->begin[patches->n_vertex] : fields->n_vertex;
    double *stress = patches->n_vertex ? fields->patch_stress : fields->vertex_stress;
    double *mises = patches->n_vertex ? fields->patch_von_mises : fields->vertex_von_mises;
    double *limit;
    region_law of = {.region = -1};
    EW_TRY(ew_new_zero(&limit, (size_t)n + 1, sizeof *limit));
    for (int32_t t = 0; t < model->mesh.n_tet; t++) {
        const double flow = flow_stress_of(model, t, &of);
        for (size_t k = 4 * (size_t)t; k < 4 * (size_t)t + 4 && flow > 0.0; k++) {
            const int32_t v = model->mesh.tet[k];
            const int32_t at =
                !patches->n_vertex
                    ? v
                    : patches->begin[v] + (patches->is_parted ? patches->of_corner[k] : 0);
            limit[at] = fmax(limit[at], flow);
        }
    }
    for (int32_t i = 0; i < n; i++) {
        if (limit[i] > 0.0 && mises[i] > limit[i]) {
            shorten_deviator(stress + 6 * (size_t)i, limit[i], &mises[i]);
        }
    }
    ew_release(limit);
    take_patches(fields);
    return EW_OK;
}
