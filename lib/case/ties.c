/* Ties of a case: `ties:`, a list of two sides each that move as one body. */
#include "case/reader.h"

static ew_status read_tie(ew_case_reader *reader, const yaml_node_t *node, ew_case_tie *out)
{
    ew_yaml *yaml = &reader->yaml;
    EW_TRY(ew_case_read_keys(yaml, node, &ew_section_tie, out));
    out->line = ew_yaml_line(node);
    EW_TRY(ew_case_read_set_use(reader, ew_yaml_find(yaml, node, "slave"), "slave", &out->slave));
    EW_TRY(
        ew_case_read_set_use(reader, ew_yaml_find(yaml, node, "master"), "master", &out->master));
    return out->slave == out->master
               ? ew_yaml_fail(node,
                              "slave and master are the same set; give each side faces of its own")
               : EW_OK;
}

ew_status ew_case_read_ties(ew_case_reader *reader, const yaml_node_t *list)
{
    ew_case *input = reader->out;
    int32_t n = 0;
    EW_TRY(list ? ew_yaml_expect_list(list, "ties", &n) : EW_OK);
    EW_TRY(ew_arena_take(&reader->arena, sizeof *input->tie * (size_t)n, &input->tie));
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(read_tie(reader, ew_yaml_item(&reader->yaml, list, i), &input->tie[i]));
    }
    input->n_tie = n;
    return EW_OK;
}
