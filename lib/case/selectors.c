/* Selections in space: YAML in, selectors out. */
#include "case/reader.h"

#include <string.h>

static ew_status read_box(ew_case_reader *reader, const yaml_node_t *value, ew_selector *out)
{
    int32_t n = 0;
    if (value->type == YAML_SEQUENCE_NODE) {
        EW_TRY(ew_yaml_expect_list(value, "box", &n));
    }
    if (n != 2) {
        return ew_yaml_fail(value, "box must be a list of two corners [[x, y, z], [x, y, z]]");
    }
    EW_TRY(ew_yaml_vector(&reader->yaml, ew_yaml_item(&reader->yaml, value, 0), "box", out->a));
    EW_TRY(ew_yaml_vector(&reader->yaml, ew_yaml_item(&reader->yaml, value, 1), "box", out->b));
    for (int32_t c = 0; c < 3; c++) {
        if (out->a[c] > out->b[c]) {
            return ew_yaml_fail(value, "box: its first corner must not exceed its second (%g > %g)",
                                out->a[c], out->b[c]);
        }
    }
    return EW_OK;
}

static ew_status read_ids(ew_case_reader *reader, const yaml_node_t *value, ew_selector *out)
{
    EW_TRY(ew_yaml_expect_list(value, "ids", &out->n_id));
    int64_t *id;
    EW_TRY(ew_arena_take(&reader->arena, sizeof *id * ((size_t)out->n_id + 1), &id));
    for (int32_t i = 0; i < out->n_id; i++) {
        EW_TRY(ew_yaml_integer(ew_yaml_item(&reader->yaml, value, i), "ids", 0, INT32_MAX, &id[i]));
    }
    out->id = id;
    return EW_OK;
}

static ew_status read_plane(ew_case_reader *reader, const yaml_node_t *value, ew_selector *out)
{
    ew_yaml *yaml = &reader->yaml;
    out->radius = EW_THICK_BY_SIZE;
    EW_TRY(ew_case_read_keys(
        yaml, value, out->kind == EW_SELECT_PLANE ? &ew_section_plane : &ew_section_side, out));
    return ew_case_read_axis(reader, ew_yaml_find(yaml, value, "normal"), "normal", out->b);
}

static ew_status read_sphere(ew_case_reader *reader, const yaml_node_t *value, ew_selector *out)
{
    return ew_case_read_keys(&reader->yaml, value, &ew_section_sphere, out);
}

static ew_status read_cylinder(ew_case_reader *reader, const yaml_node_t *value, ew_selector *out)
{
    EW_TRY(ew_case_read_keys(&reader->yaml, value, &ew_section_cylinder, out));
    return memcmp(out->a, out->b, sizeof out->a)
               ? EW_OK
               : ew_yaml_fail(ew_yaml_find(&reader->yaml, value, "to"),
                              "cylinder: 'from' and 'to' must differ");
}

/* The faces or tets of a label; none where a geometry has none and need not. */
static ew_status read_labeled(ew_case_reader *reader, const yaml_node_t *value, const char *word,
                              ew_selector *out)
{
    bool is_found = true;
    if (value->type != YAML_MAPPING_NODE) {
        return ew_case_read_label(reader, value, word, &out->label);
    }
    EW_TRY(ew_case_read_geometry(reader, value, out->kind == EW_SELECT_REGION, reader->may_miss,
                                 &out->label, &is_found));
    out->kind = is_found ? out->kind : EW_SELECT_IDS; /* of no ids */
    return EW_OK;
}

ew_status ew_case_read_selector(ew_case_reader *reader, const yaml_node_t *key,
                                const yaml_node_t *value, ew_selector *selector)
{
    static const ew_selector_kind kinds[] = {
        EW_SELECT_BOX,     EW_SELECT_SPHERE, EW_SELECT_CYLINDER, EW_SELECT_PLANE, EW_SELECT_SIDE,
        EW_SELECT_NEAREST, EW_SELECT_REGION, EW_SELECT_SURFACE,  EW_SELECT_IDS,   EW_SELECT_ALL,
    };
    int32_t choice;
    EW_TRY(ew_yaml_choice(key, "a selection", EW_SELECTOR_KEYS, &choice));
    memset(selector, 0, sizeof *selector);
    selector->kind = kinds[choice];
    bool truth = false;
    switch (selector->kind) {
    case EW_SELECT_BOX:
        return read_box(reader, value, selector);
    case EW_SELECT_SPHERE:
        return read_sphere(reader, value, selector);
    case EW_SELECT_CYLINDER:
        return read_cylinder(reader, value, selector);
    case EW_SELECT_PLANE:
    case EW_SELECT_SIDE:
        return read_plane(reader, value, selector);
    case EW_SELECT_NEAREST:
        return ew_yaml_vector(&reader->yaml, value, "nearest", selector->a);
    case EW_SELECT_REGION:
        return read_labeled(reader, value, "region", selector);
    case EW_SELECT_SURFACE:
        return read_labeled(reader, value, "surface", selector);
    case EW_SELECT_IDS:
        return read_ids(reader, value, selector);
    case EW_SELECT_ALL:
        EW_TRY(ew_yaml_truth(value, "all", &truth));
        return truth ? EW_OK : ew_yaml_fail(value, "all: only 'true' makes sense here");
    }
    return EW_OK;
}
