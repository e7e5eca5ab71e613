/* The values of the fields of a frame. In: the list of results_fields.h, a study after an analysis.
 * Out: the fields that the study has and the case asks for; without a solution they have no values.
 */
#include "study/run/interfaces.h"
#include "study/run/run.h"

/* What the functions of the fields read. */
typedef struct field_source {
    const ew_study *study;
    const ew_model *model;
    const ew_fields *of; /* recovered */
    const study_interfaces *interfaces;
    const double *law; /* by tet: 6 plastic strains of all, then a number of all, twice
                          (law_fields.c); null: the case has no laws */
    size_t n_tet;
    bool is_isotropic;
} field_source;

/* ---- a function for each field of the list --------------------------------------------------- */

static const double *take_displacement(const field_source *in)
{
    return ew_model_displacement(in->model);
}

static const double *take_reaction(const field_source *in)
{
    return in->of->reaction;
}

static const double *take_vertex_stress(const field_source *in)
{
    return in->of->vertex_stress;
}

static const double *take_vertex_von_mises(const field_source *in)
{
    return in->of->vertex_von_mises;
}

static const double *take_stress(const field_source *in)
{
    return in->of->stress;
}

static const double *take_strain(const field_source *in)
{
    return in->of->strain;
}

static const double *take_von_mises(const field_source *in)
{
    return in->of->von_mises;
}

static const double *take_principal(const field_source *in)
{
    return in->of->principal;
}

static const double *take_strain_energy(const field_source *in)
{
    return in->of->energy;
}

static const double *take_thermal_strain(const field_source *in)
{
    return in->is_isotropic ? in->of->thermal_strain : in->of->thermal_tensor;
}

static const double *take_volumetric_stress(const field_source *in)
{
    return ew_model_volumetric_stress(in->study->model);
}

/* Rigid motions among modes have none. */
static const double *take_error(const field_source *in)
{
    const ew_step_report *report = &in->study->report;
    return report->estimate ? report->estimate->error : report->modes ? in->study->no_error : NULL;
}

static const double *take_corner_von_mises(const field_source *in)
{
    return in->interfaces->corner;
}

static const double *take_stress_region(const field_source *in)
{
    return in->interfaces->region;
}

static const double *take_velocity(const field_source *in)
{
    return ew_model_velocity(in->study->model);
}

static const double *take_acceleration(const field_source *in)
{
    return ew_model_acceleration(in->study->model);
}

static const double *take_plastic_strain(const field_source *in)
{
    return in->law;
}

static const double *take_equivalent_plastic_strain(const field_source *in)
{
    return in->law + 6 * in->n_tet;
}

static const double *take_dissipated_energy(const field_source *in)
{
    return in->law + 7 * in->n_tet;
}

/* In the order of the list. */
#define TAKE(take, name, place, kind, unit, when, words, help) take_##take,
static const double *(*const takes[STUDY_N_FIELD])(const field_source *in) = {
    EW_RESULT_FIELDS(TAKE)};

/* ---- which of them a study has ------------------------------------------------------------------
 */

static bool has_temperature(int32_t n, const ew_case_load *load)
{
    bool found = false;
    for (int32_t i = 0; i < n; i++) {
        found = found || load[i].as.kind == EW_LOAD_TEMPERATURE;
    }
    return found;
}

/* In some step: all frames of a file have the same fields. */
static bool case_has_temperature(const ew_case *input)
{
    bool found = has_temperature(input->n_load, input->load);
    for (int32_t s = 0; s < input->n_step; s++) {
        found = found || has_temperature(input->step[s].n_load, input->step[s].load);
    }
    return found;
}

static bool case_is_isotropic(const ew_case *input)
{
    bool isotropic = true;
    for (int32_t i = 0; i < input->n_material; i++) {
        isotropic = isotropic && input->material[i].material.kind == EW_ISOTROPIC;
    }
    return isotropic;
}

static bool study_has(const ew_study *study, const study_interfaces *interfaces, ew_field_when when)
{
    switch (when) {
    case EW_FIELD_OF_HEAT:
        return case_has_temperature(study->input);
    case EW_FIELD_OF_MIXED_TETS:
        return study->input->mixed;
    case EW_FIELD_OF_ERROR:
        return study->def.estimate_error;
    case EW_FIELD_OF_INTERFACES:
        return interfaces->may_meet;
    case EW_FIELD_OF_MOTION:
        return study->input->has_dynamics;
    case EW_FIELD_OF_LAWS:
        return ew_case_is_inelastic(study->input);
    default:
        return true;
    }
}

ew_status ew_study_list_fields(ew_study *study, const study_interfaces *interfaces,
                               ew_result_field list[STUDY_N_FIELD], int32_t *n)
{
    field_source in = {.study = study,
                       .model = study->model,
                       .of = study->fields,
                       .interfaces = interfaces,
                       .n_tet = (size_t)ew_model_mesh(study->model)->n_tet,
                       .is_isotropic = case_is_isotropic(study->input)};
    EW_TRY(ew_study_law_fields(study, &in.law));
    *n = 0;
    for (int32_t k = 0; k < STUDY_N_FIELD; k++) {
        const ew_field_type *type = ew_field_type_at(k);
        if (study->input->output.fields >> k & 1 && study_has(study, interfaces, type->when)) {
            const int32_t width = type->kind == EW_STRETCH_FIELD && in.is_isotropic
                                      ? 1
                                      : ew_field_kind_width(type->kind);
            list[(*n)++] = (ew_result_field){type->name, type->place, width,
                                             study->fields ? takes[k](&in) : NULL};
        }
    }
    return EW_OK;
}
