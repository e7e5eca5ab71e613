/* Couplings of a case: `couplings:`, each a set and a reference point that moves with it. */
#include "case/reader.h"

/* Components of the reference from bit `first` on; null: none. */
static ew_status read_motion(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                             int first, ew_case_coupling *out)
{
    int32_t n = 0;
    EW_TRY(node ? ew_yaml_expect_list(node, what, &n) : EW_OK);
    if (node && n != 3) {
        return ew_yaml_fail(node, "%s must be a list of 3, each a number or ~ for free", what);
    }
    for (int32_t c = 0; c < n; c++) {
        const yaml_node_t *item = ew_yaml_item(&reader->yaml, node, c);
        if (!ew_yaml_is_null(item)) {
            EW_TRY(ew_yaml_number(item, what, &out->value[first + c]));
            out->prescribed = (uint8_t)(out->prescribed | 1u << (first + c));
        }
    }
    return EW_OK;
}

static ew_status read_coupling(ew_case_reader *reader, const yaml_node_t *node,
                               ew_case_coupling *out)
{
    ew_yaml *yaml = &reader->yaml;
    EW_TRY(ew_case_read_keys(yaml, node, &ew_section_coupling, out));
    out->line = ew_yaml_line(node);
    EW_TRY(ew_case_read_set_use(reader, ew_yaml_find(yaml, node, "set"), "set", &out->set));
    EW_TRY(read_motion(reader, ew_yaml_find(yaml, node, "displacement"), "displacement", 0, out));
    EW_TRY(read_motion(reader, ew_yaml_find(yaml, node, "rotation"), "rotation", 3, out));
    return out->kind == EW_COUPLING_RIGID || out->prescribed
               ? EW_OK
               : ew_yaml_fail(node, "a distributing coupling whose reference is free does nothing; "
                                    "give it a displacement or a rotation, or in its place the set "
                                    "a remote_force or a moment");
}

ew_status ew_case_read_couplings(ew_case_reader *reader, const yaml_node_t *list)
{
    ew_case *input = reader->out;
    int32_t n = 0;
    EW_TRY(list ? ew_yaml_expect_list(list, "couplings", &n) : EW_OK);
    EW_TRY(ew_arena_take(&reader->arena, sizeof *input->coupling * (size_t)n, &input->coupling));
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(read_coupling(reader, ew_yaml_item(&reader->yaml, list, i), &input->coupling[i]));
    }
    input->n_coupling = n;
    return EW_OK;
}
