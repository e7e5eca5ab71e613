/* Laws of a material beside elastic constants: the key of a law with its values or its table, by
 * the law's descriptor. */
#include "case/reader.h"

#include <math.h>
#include <string.h>

enum { MAX_KEYS = 200 };

/* [[yield stress, plastic strain], ...] */
static ew_status read_table(ew_yaml *yaml, const yaml_node_t *node, ew_material *material)
{
    int32_t n = 0, n_number = 0;
    EW_TRY(ew_yaml_expect_list(node, "table", &n));
    if (n < 1 || n > EW_MAX_HARDENING) {
        return ew_yaml_fail(node, "table has %d points; it must have 1 to %d", (int)n,
                            EW_MAX_HARDENING);
    }
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *point = ew_yaml_item(yaml, node, i);
        EW_TRY(ew_yaml_expect_list(point, "a point of the table", &n_number));
        if (n_number != 2) {
            return ew_yaml_fail(point, "a point of the table must be two numbers, a yield stress "
                                       "and the plastic strain there");
        }
        for (int k = 0; k < 2; k++) {
            EW_TRY(
                ew_yaml_number(ew_yaml_item(yaml, point, k), "table", &material->hardening[i][k]));
        }
    }
    material->n_hardening = n;
    return EW_OK;
}

static ew_status read_value(ew_yaml *yaml, const yaml_node_t *node, const ew_law *law, int32_t k,
                            ew_material *material)
{
    const ew_law_value *rule = &law->value[k];
    yaml_node_t *value;
    bool truth = false;
    if (isnan(rule->preset)) {
        EW_TRY(ew_yaml_need(yaml, node, law->name, rule->name, &value));
    } else {
        value = ew_yaml_find(yaml, node, rule->name);
    }
    if (value && rule->is_truth) {
        EW_TRY(ew_yaml_truth(value, rule->name, &truth));
        material->law_value[k] = truth;
    } else if (value) {
        EW_TRY(ew_yaml_number(value, rule->name, &material->law_value[k]));
    }
    return EW_OK;
}

static ew_status read_values(ew_yaml *yaml, const yaml_node_t *node, const ew_law *law,
                             ew_material *material)
{
    const yaml_node_t *table = law->has_table ? ew_yaml_find(yaml, node, "table") : NULL;
    char keys[MAX_KEYS] = "";
    for (int32_t k = 0; k < law->n_value; k++) {
        const size_t used = strlen(keys);
        snprintf(keys + used, sizeof keys - used, "%s ", law->value[k].name);
    }
    strcat(keys, law->has_table ? "table" : "");
    if (!*keys && (node->type != YAML_MAPPING_NODE ||
                   node->data.mapping.pairs.start < node->data.mapping.pairs.top)) {
        return ew_yaml_fail(
            node, "%s must be {}: the law has no constants beside young and poisson", law->name);
    }
    EW_TRY(ew_yaml_expect_keys(yaml, node, law->name, keys));
    ew_material_put_law(material, law);
    for (int32_t k = 0; k < law->n_value; k++) {
        if (table && ew_yaml_find(yaml, node, law->value[k].name)) {
            return ew_yaml_fail(node, "%s: give either 'table' or '%s'", law->name,
                                law->value[k].name);
        }
        EW_TRY(table ? EW_OK : read_value(yaml, node, law, k, material));
    }
    return table ? read_table(yaml, table, material) : EW_OK;
}

ew_status ew_case_read_law(ew_case_reader *reader, const yaml_node_t *node, ew_material *material)
{
    ew_yaml *yaml = &reader->yaml;
    const ew_law *law;
    for (int32_t i = 0; (law = ew_law_at(i)); i++) {
        const yaml_node_t *value =
            law != &ew_law_elastic ? ew_yaml_find(yaml, node, law->name) : NULL;
        if (!value) {
            continue;
        }
        if (material->law) {
            return ew_yaml_fail(value, "a material is '%s' or '%s', not both", material->law->name,
                                law->name);
        }
        EW_TRY(read_values(yaml, value, law, material));
        const ew_status status = ew_law_check(material);
        if (status) {
            ew_fail_line(status, ew_yaml_line(value));
            ew_fail_prefix(status, "%s", law->name);
            return EW_BAD_INPUT;
        }
    }
    return EW_OK;
}

bool ew_case_has_laws(const ew_case *input)
{
    bool any = false;
    for (int32_t i = 0; i < input->n_material; i++) {
        any = any || input->material[i].material.law;
    }
    return any;
}

bool ew_case_takes_laws(const ew_case *input, const ew_case_step *step)
{
    return (step->has_static || step->dynamic || step->n_mode) &&
           (step->has_nonlinear || input->kinematics != EW_SMALL);
}

bool ew_case_is_inelastic(const ew_case *input)
{
    bool any = false;
    for (int32_t s = 0; s < input->n_step; s++) {
        any = any || ew_case_takes_laws(input, &input->step[s]);
    }
    return any && ew_case_has_laws(input);
}

ew_status ew_case_check_laws(const ew_case *input)
{
    bool flowed = false;
    for (int32_t i = 0; i < input->n_step && ew_case_has_laws(input); i++) {
        const ew_case_step *step = &input->step[i];
        if (ew_case_takes_laws(input, step)) {
            flowed = true;
        } else if (flowed && (step->has_static || step->dynamic || step->n_mode)) {
            return ew_fail_at(EW_BAD_INPUT, step->line,
                              "step '%.60s' takes materials as elastic, and would forget what "
                              "flowed in the steps before; %s",
                              step->name,
                              step->has_static ? "give it 'static: {nonlinear: {}}'"
                              : step->dynamic  ? "give 'nonlinear: {}' among the keys of 'dynamic:'"
                                               : "put it before them, or into a case of its own");
        }
    }
    return EW_OK;
}
