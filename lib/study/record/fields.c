/* The values of the fields of a frame. In: the list of results_fields.h, a study after an analysis.
 * Out: the fields that the study has and the case asks for; without a solution they have no values.
 */
#include "study/run/interfaces.h"
#include "study/run/run.h"

#include <math.h>
#include <string.h>

/* Data that the functions of fields read. */
typedef struct field_source {
    ew_study *study;
    ew_model *model;
    const ew_mesh *mesh;
    const ew_fields *of; /* recovered */
    const study_interfaces *interfaces;
    bool is_isotropic;
    int32_t k;        /* the field that is asked for */
    ew_status status; /* of its memory */
} field_source;

static int32_t width_of(const field_source *in)
{
    const ew_field_kind kind = ew_field_type_at(in->k)->kind;
    return kind == EW_STRETCH_FIELD && in->is_isotropic ? 1 : ew_field_kind_width(kind);
}

/* Memory for the values of a field that no other place holds, zeros; null: there is none, which the
 * status says. */
static double *make_values(field_source *in)
{
    struct study_field_values *to = &in->study->field_values[in->k];
    const size_t row = (size_t)width_of(in) * sizeof(double);
    const bool at_vertices = ew_field_type_at(in->k)->place == EW_ON_VERTICES;
    const int32_t n = at_vertices ? in->mesh->n_vertex : in->mesh->n_tet;
    in->status = ew_grow(&to->value, &to->capacity, n, row);
    if (in->status) {
        return NULL;
    }
    memset(to->value, 0, (size_t)n * row);
    return to->value;
}

/* ---- a function for each field of the list --------------------------------------------------- */

static const double *take_displacement(field_source *in)
{
    return ew_model_displacement(in->model);
}

static const double *take_reaction(field_source *in)
{
    return in->of->reaction;
}

/* Where none are left there are zeros. */
static const double *take_equation_force(field_source *in)
{
    const double *force = ew_model_view_equations(in->model).force;
    return force ? force : make_values(in);
}

static const double *take_vertex_stress(field_source *in)
{
    return in->of->vertex_stress;
}

static const double *take_vertex_von_mises(field_source *in)
{
    return in->of->vertex_von_mises;
}

static const double *take_stress(field_source *in)
{
    return in->of->stress;
}

static const double *take_strain(field_source *in)
{
    return in->of->strain;
}

static const double *take_von_mises(field_source *in)
{
    return in->of->von_mises;
}

static const double *take_principal(field_source *in)
{
    return in->of->principal;
}

static const double *take_strain_energy(field_source *in)
{
    return in->of->energy;
}

static const double *take_thermal_strain(field_source *in)
{
    return in->is_isotropic ? in->of->thermal_strain : in->of->thermal_tensor;
}

static const double *take_volumetric_stress(field_source *in)
{
    return ew_model_volumetric_stress(in->model);
}

static const double *take_error(field_source *in)
{
    const ew_step_report *report = &in->study->report;
    return report->estimate ? report->estimate->error : NULL;
}

static const double *take_corner_von_mises(field_source *in)
{
    return in->interfaces->corner;
}

static const double *take_stress_region(field_source *in)
{
    return in->interfaces->region;
}

static const double *take_velocity(field_source *in)
{
    return ew_model_velocity(in->model);
}

static const double *take_acceleration(field_source *in)
{
    return ew_model_acceleration(in->model);
}

/* n numbers of the state of laws, of quadratic tets the mean; an energy per volume becomes that of
 * the tet. */
static const double *take_state(field_source *in, int32_t first, bool is_density)
{
    const int32_t n = width_of(in);
    double *to = make_values(in);
    int32_t width;
    const bool any = to && ew_model_law_state(in->model, &width);
    for (int32_t t = 0; any && t < in->mesh->n_tet; t++) {
        double of[EW_MAX_LAW_STATE];
        const double volume = ew_model_mean_law_state(in->model, t, of);
        for (int32_t c = 0; c < n; c++) {
            to[(size_t)n * (size_t)t + (size_t)c] = of[first + c] * (is_density ? volume : 1.0);
        }
    }
    return to;
}

static const double *take_plastic_strain(field_source *in)
{
    return take_state(in, EW_STATE_STRAIN, false);
}

static const double *take_equivalent_plastic_strain(field_source *in)
{
    return take_state(in, EW_STATE_EQUIVALENT, false);
}

static const double *take_dissipated_energy(field_source *in)
{
    return take_state(in, EW_STATE_DISSIPATED, true);
}

static const double *take_envelope_displacement(field_source *in)
{
    return in->study->envelope.value[STUDY_ENVELOPE_DISPLACEMENT];
}

static const double *take_envelope_vertex_von_mises(field_source *in)
{
    return in->study->envelope.value[STUDY_ENVELOPE_VON_MISES];
}

static const double *take_envelope_record(field_source *in)
{
    return in->study->envelope.value[STUDY_ENVELOPE_RECORD];
}

static const double *take_envelope_von_mises(field_source *in)
{
    return in->study->envelope.value[STUDY_ENVELOPE_TET_VON_MISES];
}

static const double *take_envelope_max_principal(field_source *in)
{
    return in->study->envelope.value[STUDY_ENVELOPE_HIGH];
}

static const double *take_envelope_min_principal(field_source *in)
{
    return in->study->envelope.value[STUDY_ENVELOPE_LOW];
}

static const double *take_part(field_source *in, study_harmonic_part k, int part)
{
    return in->study->harmonic->part[k][part];
}

static const double *take_displacement_real(field_source *in)
{
    return take_part(in, STUDY_PART_OF_DISPLACEMENT, 0);
}

static const double *take_displacement_imaginary(field_source *in)
{
    return in->study->imaginary ? in->study->imaginary
                                : take_part(in, STUDY_PART_OF_DISPLACEMENT, 1);
}

static const double *take_reaction_real(field_source *in)
{
    return take_part(in, STUDY_PART_OF_REACTION, 0);
}

static const double *take_reaction_imaginary(field_source *in)
{
    return take_part(in, STUDY_PART_OF_REACTION, 1);
}

static const double *take_vertex_stress_real(field_source *in)
{
    return take_part(in, STUDY_PART_OF_STRESS, 0);
}

static const double *take_vertex_stress_imaginary(field_source *in)
{
    return take_part(in, STUDY_PART_OF_STRESS, 1);
}

static const double *take_stress_real(field_source *in)
{
    return take_part(in, STUDY_PART_OF_TET_STRESS, 0);
}

static const double *take_stress_imaginary(field_source *in)
{
    return take_part(in, STUDY_PART_OF_TET_STRESS, 1);
}

static const double *take_contact_pressure(field_source *in)
{
    return ew_model_contact_field(in->model, EW_CONTACT_PRESSURE);
}

static const double *take_contact_gap(field_source *in)
{
    const double *gap = ew_model_contact_field(in->model, EW_CONTACT_GAP);
    double *to = gap ? make_values(in) : NULL;
    for (int32_t v = 0; to && v < in->mesh->n_vertex; v++) {
        to[v] = isfinite(gap[v]) ? gap[v] : 0.0;
    }
    return to;
}

static const double *take_contact_status(field_source *in)
{
    return ew_model_contact_field(in->model, EW_CONTACT_STATUS);
}

static const double *take_contact_traction(field_source *in)
{
    return ew_model_contact_field(in->model, EW_CONTACT_TRACTION);
}

static const double *take_contact_slip(field_source *in)
{
    return ew_model_contact_field(in->model, EW_CONTACT_SLIP);
}

static const double *take_fatigue_damage(field_source *in)
{
    return in->study->fatigue.value[STUDY_FATIGUE_DAMAGE];
}

static const double *take_fatigue_log_life(field_source *in)
{
    return in->study->fatigue.value[STUDY_FATIGUE_LOG_LIFE];
}

static const double *take_fatigue_safety(field_source *in)
{
    return in->study->fatigue.value[STUDY_FATIGUE_SAFETY];
}

/* In the order of the list. */
#define TAKE(take, name, place, kind, unit, when, words, help) take_##take,
static const double *(*const takes[STUDY_N_FIELD])(field_source *in) = {EW_RESULT_FIELDS(TAKE)};

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

static bool has_diameters(const ew_case *input)
{
    bool found = false;
    for (int32_t s = 0; s < input->n_step; s++) {
        found = found || input->step[s].n_diameter;
    }
    return found;
}

static bool study_has(const ew_study *study, const study_interfaces *interfaces, ew_field_when when)
{
    switch (when) {
    case EW_FIELD_OF_THERMAL_STRAIN:
        return case_has_temperature(study->input);
    case EW_FIELD_OF_MIXED_TETS:
        return study->input->mixed;
    case EW_FIELD_OF_EQUATIONS:
        return study->input->n_equation + study->input->n_coupling + study->input->n_tie > 0;
    case EW_FIELD_OF_ERROR:
        return study->def.estimate_error;
    case EW_FIELD_OF_INTERFACES:
        return interfaces->may_meet;
    case EW_FIELD_OF_MOTION:
        return study->input->has_dynamics;
    case EW_FIELD_OF_LAWS:
        return ew_case_is_inelastic(study->input);
    case EW_FIELD_OF_ENVELOPE:
        return study->input->step[study->input->n_step - 1].is_envelope;
    case EW_FIELD_OF_HARMONIC:
        return ew_case_has_harmonic(study->input);
    case EW_FIELD_OF_PARTS:
        return ew_case_has_harmonic(study->input) || has_diameters(study->input);
    case EW_FIELD_OF_FATIGUE:
        return study->input->fatigue != NULL;
    case EW_FIELD_OF_CONTACT:
        return study->input->n_contact > 0;
    case EW_FIELD_OF_FRICTION:
        return ew_case_has_friction(study->input);
    default:
        return true;
    }
}

/* A record of an envelope or of fatigue has its extremes alone, one of a mode the shape alone,
 * whose amplitude is any, and all others what was recovered. */
static bool has_values(const ew_study *study, const ew_field_type *type)
{
    const ew_step_report *report = &study->report;
    if (type->when == EW_FIELD_OF_PARTS) {
        return study->harmonic || study->imaginary;
    }
    if (type->when == EW_FIELD_OF_HARMONIC ||
        (study->harmonic && !strcmp(type->name, "reaction"))) {
        return study->harmonic != NULL;
    }
    if (report->has_response) { /* reactions, strain and energy do not add up as squares */
        return !strcmp(type->name, "displacement") || !strcmp(type->name, "stress") ||
               !strcmp(type->name, "von_mises");
    }
    if (report->fatigue || type->when == EW_FIELD_OF_FATIGUE) {
        return report->fatigue && type->when == EW_FIELD_OF_FATIGUE;
    }
    return report->is_envelope                  ? type->when == EW_FIELD_OF_ENVELOPE
           : type->when == EW_FIELD_OF_ENVELOPE ? false
           : report->modes || report->buckling  ? !strcmp(type->name, "displacement")
                                                : study->fields != NULL;
}

ew_status ew_study_list_fields(ew_study *study, const study_interfaces *interfaces,
                               ew_result_field list[STUDY_N_FIELD], int32_t *n)
{
    field_source in = {.study = study,
                       .model = study->model,
                       .mesh = ew_model_mesh(study->model),
                       .of = study->fields,
                       .interfaces = interfaces,
                       .is_isotropic = case_is_isotropic(study->input)};
    *n = 0;
    for (in.k = 0; in.k < STUDY_N_FIELD && !in.status; in.k++) {
        const ew_field_type *type = ew_field_type_at(in.k);
        if (study->input->output.fields >> in.k & 1 && study_has(study, interfaces, type->when)) {
            list[(*n)++] = (ew_result_field){type->name, type->place, width_of(&in),
                                             has_values(study, type) ? takes[in.k](&in) : NULL};
        }
    }
    return in.status;
}
