/* `material: NAME` and `library: NAME`: a material of the library in the units of the case. */
#include "case/reader.h"

#include <string.h>

static ew_status fail_name(const yaml_node_t *node, const char *name)
{
    char nearest[64], names[EW_SECTION_KEYS] = "";
    for (int32_t i = 0; ew_library_material_name(i); i++) {
        const size_t n = strlen(names);
        snprintf(names + n, sizeof names - n, "%s ", ew_library_material_name(i));
    }
    if (ew_nearest_word(name, names, nearest)) {
        return ew_yaml_fail(node,
                            "there is no material '%.60s' in the library; did you mean '%s'? "
                            "'edgewise help materials' lists them",
                            name, nearest);
    }
    return ew_yaml_fail(node,
                        "there is no material '%.60s' in the library; 'edgewise help materials' "
                        "lists what is, or give 'young' and 'poisson'",
                        name);
}

ew_status ew_case_read_library(ew_case_reader *reader, const yaml_node_t *node,
                               ew_case_material *out)
{
    const ew_case *input = reader->out;
    const char *name;
    double value[3];
    EW_TRY(ew_yaml_text(&reader->yaml, node, "material", &name));
    const ew_library_material *of = ew_library_material_named(name);
    if (!of) {
        return fail_name(node, name);
    }
    if (!*input->length_unit || !*input->force_unit) {
        return ew_yaml_fail(node,
                            "material '%s' is converted to the units of the case, which does not "
                            "name them; write, for example, 'units: {length: mm, force: N}'",
                            name);
    }
    if (!ew_case_units(input->length_unit, input->force_unit, input->time_unit, value)) {
        return ew_yaml_fail(node,
                            "material '%s' cannot be converted to the units of the case, '%.20s', "
                            "'%.20s' and '%.20s'; 'edgewise help units' lists those that are known",
                            name, input->length_unit, input->force_unit,
                            *input->time_unit ? input->time_unit : "s");
    }
    ew_material material = of->material;
    material.yield_strength = of->yield_stress;
    out->material = ew_material_in_units(&material, value[0], value[1], value[2]);
    out->library = of;
    out->library_stress = value[0] * value[0] / value[1];
    return EW_OK;
}

static void put_constants(ew_case_put put, void *user, const ew_library_material *of)
{
    const ew_material *m = &of->material;
    char line[200];
    if (m->kind == EW_ORTHOTROPIC) {
        const double *e = m->young_along, *nu = m->poisson_between, *g = m->shear;
        snprintf(line, sizeof line,
                 "    E %.4g, %.4g, %.4g GPa; nu12 %.3g, nu13 %.3g, nu23 %.3g;\n", e[0] / 1e9,
                 e[1] / 1e9, e[2] / 1e9, nu[0], nu[1], nu[2]);
        put(user, line);
        snprintf(line, sizeof line, "    G12 %.3g, G13 %.3g, G23 %.3g GPa", g[0] / 1e9, g[1] / 1e9,
                 g[2] / 1e9);
    } else {
        snprintf(line, sizeof line, "    E %.4g GPa, nu %.3g", m->young / 1e9, m->poisson);
    }
    put(user, line);
    snprintf(line, sizeof line, ", density %g kg/m^3", m->density);
    put(user, line);
    if (m->expansion != 0.0) {
        snprintf(line, sizeof line, ", expansion %.3g 1/K", m->expansion);
        put(user, line);
    }
    if (of->yield_stress > 0.0) {
        snprintf(line, sizeof line, ", yield %g MPa", of->yield_stress / 1e6);
        put(user, line);
    }
}

static void put_fatigue(ew_case_put put, void *user, const ew_library_fatigue *of)
{
    char line[500];
    if (of->at_million > 0.0) {
        snprintf(line, sizeof line,
                 "    fatigue: amplitude %g MPa at 1e6 cycles, exponent -0.2, ultimate %g MPa\n"
                 "    %s\n",
                 of->at_million / 1e6, of->ultimate / 1e6, of->source);
        put(user, line);
    } else if (of->source) {
        snprintf(line, sizeof line,
                 "    fatigue: strength %g MPa, exponent %g, ductility %.3g, its exponent %g,\n"
                 "    cyclic strength %g MPa, its exponent %g, ultimate %g MPa\n    %s\n",
                 of->strength / 1e6, of->exponent, of->ductility, of->ductility_exponent,
                 of->cyclic_strength / 1e6, of->cyclic_exponent, of->ultimate / 1e6, of->source);
        put(user, line);
    }
}

void ew_case_put_materials(ew_case_put put, void *user)
{
    const ew_library_material *of;
    char line[400];
    put(user, "Materials of the library, at room temperature. In a case: 'material: S355' or\n"
              "'material: [{region: 1, library: S355}, ...]', with the units of the case named:\n"
              "'units: {length: mm, force: N}'.\n");
    for (int32_t i = 0; (of = ew_library_material_at(i)); i++) {
        snprintf(line, sizeof line, "\n%s: %s\n", of->name, of->help);
        put(user, line);
        put_constants(put, user, of);
        snprintf(line, sizeof line, "\n    %s\n", of->source);
        put(user, line);
        put_fatigue(put, user, &of->fatigue);
    }
}
