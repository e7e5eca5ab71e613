/* Linear equations of a case: `equations:`, each a list of terms and a value. */
#include "case/reader.h"

static ew_status read_node(ew_case_reader *reader, const yaml_node_t *node, ew_case_term *out)
{
    const bool is_pair = node->type == YAML_SEQUENCE_NODE;
    int32_t n = 2;
    EW_TRY(is_pair ? ew_yaml_expect_list(node, "node", &n) : EW_OK);
    if (n != 2) {
        return ew_yaml_fail(node, "node: the middle of a side is [a, b], the numbers of its two "
                                  "ends");
    }
    for (int k = 0; k < 2; k++) {
        EW_TRY(ew_yaml_integer(is_pair ? ew_yaml_item(&reader->yaml, node, k) : node, "node", 0,
                               INT32_MAX, &out->end[k]));
    }
    return EW_OK;
}

static ew_status read_term(ew_case_reader *reader, const yaml_node_t *node, ew_case_term *out)
{
    ew_yaml *yaml = &reader->yaml;
    const double *f = out->factor;
    EW_TRY(ew_case_read_keys(yaml, node, &ew_section_term, out));
    const yaml_node_t *set = ew_yaml_find(yaml, node, "set");
    const yaml_node_t *number = ew_yaml_find(yaml, node, "node");
    out->set = -1;
    if (!set == !number) {
        return ew_yaml_fail(node, "a term acts on a set or on a node; give one of them");
    }
    if (f[0] == 0.0 && f[1] == 0.0 && f[2] == 0.0) {
        return ew_yaml_fail(ew_yaml_find(yaml, node, "factor"),
                            "factor is 0 along x, y and z; leave the term out");
    }
    return set ? ew_case_read_set_use(reader, set, "set", &out->set)
               : read_node(reader, number, out);
}

static ew_status read_equation(ew_case_reader *reader, const yaml_node_t *node,
                               ew_case_equation *out)
{
    ew_yaml *yaml = &reader->yaml;
    EW_TRY(ew_case_read_keys(yaml, node, &ew_section_equation, out));
    const yaml_node_t *list = ew_yaml_find(yaml, node, "terms");
    EW_TRY(ew_yaml_expect_list(list, "terms", &out->n_term));
    if (!out->n_term) {
        return ew_yaml_fail(list, "terms: the list is empty; an equation needs a term");
    }
    EW_TRY(ew_arena_take(&reader->arena, sizeof *out->term * (size_t)out->n_term, &out->term));
    for (int32_t k = 0; k < out->n_term; k++) {
        EW_TRY(read_term(reader, ew_yaml_item(yaml, list, k), &out->term[k]));
    }
    out->line = ew_yaml_line(node);
    return EW_OK;
}

ew_status ew_case_read_equations(ew_case_reader *reader, const yaml_node_t *list)
{
    ew_case *input = reader->out;
    int32_t n = 0;
    EW_TRY(list ? ew_yaml_expect_list(list, "equations", &n) : EW_OK);
    EW_TRY(ew_arena_take(&reader->arena, sizeof *input->equation * (size_t)n, &input->equation));
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(read_equation(reader, ew_yaml_item(&reader->yaml, list, i), &input->equation[i]));
    }
    input->n_equation = n;
    return EW_OK;
}
