/* Ties of a case: `ties:`, a list of two sides each that move as one body, and `preload:`, sides of
 * bolts that are cut through. */
#include "case/reader.h"

static ew_status read_tie(ew_case_reader *reader, const yaml_node_t *node,
                          const ew_case_section *section, ew_case_tie *out)
{
    ew_yaml *yaml = &reader->yaml;
    EW_TRY(ew_case_read_keys(yaml, node, section, out));
    out->line = ew_yaml_line(node);
    EW_TRY(ew_case_read_set_use(reader, ew_yaml_find(yaml, node, "slave"), "slave", &out->slave));
    EW_TRY(
        ew_case_read_set_use(reader, ew_yaml_find(yaml, node, "master"), "master", &out->master));
    return out->slave == out->master
               ? ew_yaml_fail(node,
                              "slave and master are the same set; give each side faces of its own")
               : EW_OK;
}

static ew_status read_preload(ew_case_reader *reader, const yaml_node_t *node, ew_case_tie *out)
{
    ew_yaml *yaml = &reader->yaml;
    out->is_bolt = out->is_locked = true; /* unless it says otherwise */
    EW_TRY(read_tie(reader, node, &ew_section_preload, out));
    return !ew_yaml_find(yaml, node, "force") == !ew_yaml_find(yaml, node, "shortening")
               ? ew_yaml_fail(node, "a preload has a force or a shortening; give one of them")
               : EW_OK;
}

static ew_status check_pairs(const ew_case *input, const yaml_node_t *node, int32_t i)
{
    const ew_case_tie *b = &input->tie[i];
    for (int32_t k = 0; k < i; k++) {
        const ew_case_tie *a = &input->tie[k];
        if ((a->slave == b->slave && a->master == b->master) ||
            (a->slave == b->master && a->master == b->slave)) {
            return ew_yaml_fail(node,
                                "slave and master are the two sides of the entry in line %d "
                                "already; give each pair once",
                                (int)a->line);
        }
    }
    return EW_OK;
}

ew_status ew_case_read_ties(ew_case_reader *reader, const yaml_node_t *ties,
                            const yaml_node_t *preload)
{
    ew_case *input = reader->out;
    ew_yaml *yaml = &reader->yaml;
    int32_t n = 0, n_bolt = 0;
    EW_TRY(ties ? ew_yaml_expect_list(ties, "ties", &n) : EW_OK);
    EW_TRY(preload ? ew_yaml_expect_list(preload, "preload", &n_bolt) : EW_OK);
    EW_TRY(ew_arena_take(&reader->arena, sizeof *input->tie * ((size_t)n + (size_t)n_bolt),
                         &input->tie));
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *item = ew_yaml_item(yaml, ties, i);
        EW_TRY(read_tie(reader, item, &ew_section_tie, &input->tie[i]));
        EW_TRY(check_pairs(input, item, i));
    }
    for (int32_t i = 0; i < n_bolt; i++) {
        const yaml_node_t *item = ew_yaml_item(yaml, preload, i);
        EW_TRY(read_preload(reader, item, &input->tie[n + i]));
        EW_TRY(check_pairs(input, item, n + i));
    }
    input->n_tie = n + n_bolt;
    return EW_OK;
}
