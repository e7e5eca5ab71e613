/* Laws of a study's materials. Linear analyses take every material as elastic: the model has laws
 * in nonlinear steps alone, and where one would have yielded in a linear step, a warning says by
 * how much. */
#include "study/run/run.h"

ew_status ew_study_set_laws(ew_study *study, bool linear)
{
    const ew_case *input = study->input;
    for (int32_t i = 0; i < input->n_material; i++) {
        const ew_case_material *from = &input->material[i];
        ew_material material = from->material;
        if (linear) {
            material.law = NULL;
            material.n_hardening = 0;
        }
        EW_TRY(ew_model_set_material(study->model,
                                     from->all_regions ? EW_ALL_REGIONS : from->region, &material));
    }
    return EW_OK;
}

const ew_case_material *ew_study_material_of(const ew_case *input, int32_t label)
{
    const ew_case_material *found = NULL;
    for (int32_t i = 0; i < input->n_material; i++) {
        const ew_case_material *at = &input->material[i];
        if (!at->all_regions && at->region == label) {
            return at;
        }
        found = at->all_regions ? at : found;
    }
    return found;
}

/* A region's law, from one tet to the next of it. */
typedef struct region_law {
    int32_t region; /* -1: none yet */
    const ew_law *law;
    double constants[EW_MAX_LAW_CONSTANTS];
} region_law;

static double yielding_of(const ew_study *study, int32_t t, region_law *of)
{
    static const double none[EW_MAX_LAW_STATE];
    const ew_mesh *mesh = ew_model_mesh(study->model);
    if (mesh->region[t] != of->region) {
        of->region = mesh->region[t];
        const ew_case_material *from =
            ew_study_material_of(study->input, mesh->region_label[of->region]);
        const ew_material *material = from ? &from->material : NULL;
        of->law = ew_material_law(material);
        of->law->prepare(material, of->constants);
    }
    const double *stress = study->fields->stress + 6 * (size_t)t;
    return of->law->yielding ? of->law->yielding(of->constants, stress, none) : 0.0;
}

void ew_study_find_yielding(ew_study *study, study_yielding *worst)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    const bool has_laws = ew_case_has_laws(study->input);
    double beyond = 0.0, volume = 0.0;
    region_law of = {.region = -1};
    for (int32_t t = 0; has_laws && t < mesh->n_tet; t++) {
        if (!ew_mesh_tet_is_live(mesh, t)) {
            continue;
        }
        const double part = ew_mesh_tet_volume(mesh, t), much = yielding_of(study, t, &of);
        volume += part;
        beyond += much > 1.0 ? part : 0.0;
        if (much > worst->most) {
            worst->most = much;
            worst->label = mesh->region_label[of.region];
            worst->law = of.law;
        }
    }
    if (volume > 0.0 && beyond / volume > worst->share) {
        worst->share = beyond / volume;
    }
}

void ew_study_judge_yielding(ew_study *study, const study_yielding *worst)
{
    if (worst->most > 1.0) {
        ew_study_warn(study, EW_WARNING_YIELDING, 0,
                      "region %d is '%s', but a linear analysis takes it as elastic: its stress is "
                      "up to %.3g times its yield stress, above it in %.3g %% of the volume; "
                      "compute it with 'nonlinear: {}'%s",
                      (int)worst->label, worst->law->name, worst->most, 100.0 * worst->share,
                      ew_study_nonlinear_conflict(study));
    }
}
