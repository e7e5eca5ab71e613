/* Whether the numbers of a case fit the units that it names. In: materials, the size of the body.
 * Out: a warning about the first that no engineering material or body has. Bounds are an order of
 * magnitude beyond what there is: gels of 100 Pa, diamond's 1.2 TPa; aerogel's 1 kg/m^3, osmium's
 * 22,590 kg/m^3 (CRC Handbook of Chemistry and Physics, 2016, section 4); matter denser than 3000
 * kg/m^3 that is softer than 1 MPa is metal or rock in wrong units. */
#include "study/run/run.h"

#include <math.h>

static const double min_young = 10.0, max_young = 1e13;       /* Pa */
static const double min_density = 0.1, max_density = 2.5e5;   /* kg/m^3 */
static const double dense = 3000.0, min_young_of_dense = 1e6; /* kg/m^3, Pa */
static const double min_size = 1e-8, max_size = 1e5;          /* m */
static const double min_number = 1e-4, max_number = 1e6;      /* of the unit that is named */

static double stiffness_of(const ew_material *material)
{
    return material->kind == EW_ORTHOTROPIC   ? material->young_along[0]
           : material->kind == EW_ANISOTROPIC ? material->stiffness[0]
                                              : material->young;
}

/* value: unit of length in m, of force in N, of time in s. */
static void judge_material(ew_study *study, const ew_case_material *of, const double value[3])
{
    const ew_case *input = study->input;
    const char *length = input->length_unit, *force = input->force_unit;
    const char *time = *input->time_unit ? input->time_unit : "s";
    const double area = value[0] * value[0];
    const double young = stiffness_of(&of->material) * value[1] / area;
    const double density = of->material.density * value[1] * value[2] * value[2] / (area * area);
    const bool is_soft = density > dense && young < min_young_of_dense;
    if (!(young >= min_young && young <= max_young) || (is_soft && density <= max_density)) {
        ew_study_warn(
            study, EW_WARNING_UNITS, of->line,
            "Young's modulus %g %s/%s^2 of the material in line %d is %.3g GPa%s: hardly a "
            "material in these units; give the unit behind it, for example 'young: 210 "
            "GPa'",
            stiffness_of(&of->material), force, length, (int)of->line, young / 1e9,
            is_soft ? " of dense matter" : "");
    } else if (of->material.density > 0.0 && !(density >= min_density && density <= max_density)) {
        ew_study_warn(
            study, EW_WARNING_UNITS, of->line,
            "density %g %s %s^2/%s^4 of the material in line %d is %.3g kg/m^3: hardly a "
            "material in these units; give the unit behind it, for example 'density: 7850 "
            "kg/m^3'",
            of->material.density, force, time, length, (int)of->line, density);
    }
}

static void judge_size(ew_study *study, double unit)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double size = 0.0;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        for (int c = 0; c < 3 && ew_mesh_vertex_is_active(mesh, v); c++) {
            low[c] = fmin(low[c], mesh->xyz[3 * (size_t)v + c]);
            high[c] = fmax(high[c], mesh->xyz[3 * (size_t)v + c]);
        }
    }
    for (int c = 0; c < 3; c++) {
        size = fmax(size, high[c] - low[c]);
    }
    if (size > 0.0 && !(size >= min_number && size <= max_number && size * unit >= min_size &&
                        size * unit <= max_size)) {
        ew_study_warn(
            study, EW_WARNING_UNITS, 0,
            "the body is %g %s long: hardly one that is meant; where its file has another "
            "unit, give it, for example 'mesh: {file: part.mesh, unit: mm}'",
            size, study->input->length_unit);
    }
}

void ew_study_judge_solids(ew_study *study)
{
    const ew_geometry_list *of = study->def.groups ? &study->def.groups->geometry : NULL;
    if (study->n_done > 0 || !of || !of->n_unsure) {
        return;
    }
    ew_study_warn(
        study, EW_WARNING_SOLIDS, 0,
        "whether solids %d and %d lie in one another is not known, since OpenCASCADE did "
        "not find what they share (%d pair%s); look at them, or repair their faces before "
        "they are exported",
        (int)of->unsure[0], (int)of->unsure[1], (int)of->n_unsure, of->n_unsure == 1 ? "" : "s");
}

void ew_study_judge_units(ew_study *study)
{
    const ew_case *input = study->input;
    double value[3];
    if (study->n_done > 0 ||
        !ew_case_units(input->length_unit, input->force_unit, input->time_unit, value)) {
        return;
    }
    for (int32_t i = 0; i < input->n_material; i++) {
        judge_material(study, &input->material[i], value);
    }
    judge_size(study, value[0]);
}
