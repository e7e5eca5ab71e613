/* `enrich` among the edits of a step: YAML in, which tets become quadratic out. No operation of the
 * mesh: geometry and connectivity stay. */
#include "case/reader.h"

const ew_operation ew_enrich_edit = {.name = "enrich",
                                     .summary = "switch between linear and quadratic tets"};

/* Of the energy norm, where nothing is said. */
static const double preset_until = 0.05;

ew_status ew_case_read_enrich(ew_case_reader *reader, const yaml_node_t *node, ew_case_enrich *out)
{
    ew_yaml *yaml = &reader->yaml;
    yaml_node_t *value;
    int32_t choice = 0;
    *out = (ew_case_enrich){.set = -1, .quadratic = true, .until = preset_until};
    EW_TRY(ew_case_expect(yaml, node, NULL, &ew_section_enrich));
    if (reader->out->mixed) {
        return ew_yaml_fail(node,
                            "enrich: mixed tets are linear; leave it or 'elements: mixed' out");
    }
    if ((value = ew_yaml_find(yaml, node, "by"))) {
        EW_TRY(ew_yaml_choice(value, "by", "error", &choice));
        out->by_error = true;
    }
    if ((value = ew_yaml_find(yaml, node, "set"))) {
        EW_TRY(ew_case_read_set_use(reader, value, "set", &out->set));
    }
    if ((out->set >= 0) == out->by_error) {
        return ew_yaml_fail(node,
                            "enrich takes either a set, whose tets it switches, or by: error");
    }
    if ((value = ew_yaml_find(yaml, node, "until"))) {
        if (!out->by_error) {
            return ew_yaml_fail(value, "until belongs to by: error");
        }
        EW_TRY(ew_yaml_share(value, "until", &out->until));
        if (!(out->until > 0.0 && out->until < 1.0)) {
            return ew_yaml_fail(value, "until is %g; it must be above 0 and below 1 (100 %%)",
                                out->until);
        }
    }
    if ((value = ew_yaml_find(yaml, node, "order"))) {
        EW_TRY(ew_yaml_choice(value, "order", EW_ENRICH_ORDERS, &choice));
        out->quadratic = choice == 1;
        if (out->by_error && !out->quadratic) {
            return ew_yaml_fail(value, "by: error makes tets quadratic; order: linear needs a set");
        }
    }
    return EW_OK;
}
