/* `edit:` lists of a case's steps: YAML in, ew_case_edit out. */
#include "study/case_reader.h"

#include <string.h>

#define EDIT_KEYS "decimate mirror scale remove add move refine smooth"

static ew_status number_above(ew_case_reader *reader, const yaml_node_t *node, const char *key,
                              bool zero_allowed, double *out)
{
    const yaml_node_t *value = ew_yaml_find(&reader->yaml, node, key);
    if (!value) {
        return EW_OK;
    }
    EW_TRY(ew_yaml_number(value, key, out));
    if (*out < 0 || (*out == 0 && !zero_allowed)) {
        return ew_yaml_fail(value, "%s is %g; it must be %s 0", key, *out,
                            zero_allowed ? "at least" : "greater than");
    }
    return EW_OK;
}

static ew_status read_decimate(ew_case_reader *reader, const yaml_node_t *node, ew_case_edit *edit)
{
    ew_yaml *yaml = &reader->yaml;
    ew_decimate_def *def = &edit->decimate;
    yaml_node_t *value;
    EW_TRY(ew_yaml_expect_keys(yaml, node, "decimate", "fraction axis order seed region"));
    EW_TRY(ew_yaml_need(yaml, node, "decimate", "fraction", &value));
    EW_TRY(ew_yaml_number(value, "fraction", &def->fraction));
    if (def->fraction <= 0 || def->fraction > 1) {
        return ew_yaml_fail(value, "fraction is %g; it must be greater than 0 and at most 1",
                            def->fraction);
    }
    def->axis[0] = 1;
    if ((value = ew_yaml_find(yaml, node, "axis"))) {
        EW_TRY(ew_case_read_axis(reader, value, "axis", def->axis));
    }
    if ((value = ew_yaml_find(yaml, node, "order"))) {
        int32_t choice;
        EW_TRY(ew_yaml_choice(value, "order", "axis random region energy", &choice));
        def->order = (ew_decimate_order)choice;
    }
    def->seed = 1;
    if ((value = ew_yaml_find(yaml, node, "seed"))) {
        int64_t seed;
        EW_TRY(ew_yaml_integer(value, "seed", 0, INT64_MAX, &seed));
        def->seed = (uint64_t)seed;
    }
    value = ew_yaml_find(yaml, node, "region");
    if (def->order == EW_DECIMATE_REGION && !value) {
        return ew_yaml_fail(node, "decimate: order 'region' needs 'region:'");
    }
    if (value && def->order != EW_DECIMATE_REGION) {
        return ew_yaml_fail(value, "decimate: 'region:' goes with 'order: region'");
    }
    if (value) {
        int64_t label;
        EW_TRY(ew_yaml_integer(value, "region", INT32_MIN, INT32_MAX, &label));
        def->region = (int32_t)label;
    }
    return EW_OK;
}

static ew_status read_mirror(ew_case_reader *reader, const yaml_node_t *node, ew_case_edit *edit)
{
    ew_yaml *yaml = &reader->yaml;
    yaml_node_t *value;
    EW_TRY(ew_yaml_expect_keys(yaml, node, "mirror", "normal at tolerance"));
    EW_TRY(ew_yaml_need(yaml, node, "mirror", "normal", &value));
    EW_TRY(ew_case_read_axis(reader, value, "normal", edit->mirror.normal));
    edit->mirror_at = 1;
    if ((value = ew_yaml_find(yaml, node, "at"))) {
        if (value->type == YAML_SEQUENCE_NODE) {
            edit->mirror_at = 0;
            EW_TRY(ew_yaml_vector(yaml, value, "at", edit->mirror.point));
        } else {
            int32_t choice;
            EW_TRY(ew_yaml_choice(value, "at", "min max", &choice));
            edit->mirror_at = choice ? 1 : -1;
        }
    }
    edit->mirror.tolerance = -1; /* the run chooses one from the mesh's size */
    return number_above(reader, node, "tolerance", true, &edit->mirror.tolerance);
}

static ew_status read_scale(ew_case_reader *reader, const yaml_node_t *node, ew_case_edit *edit)
{
    ew_yaml *yaml = &reader->yaml;
    yaml_node_t *value;
    EW_TRY(ew_yaml_expect_keys(yaml, node, "scale", "factor about"));
    EW_TRY(ew_yaml_need(yaml, node, "scale", "factor", &value));
    if (value->type == YAML_SCALAR_NODE) {
        EW_TRY(ew_yaml_number(value, "factor", &edit->vector[0]));
        edit->vector[1] = edit->vector[2] = edit->vector[0];
    } else {
        EW_TRY(ew_yaml_vector(yaml, value, "factor", edit->vector));
    }
    for (int32_t c = 0; c < 3; c++) {
        if (edit->vector[c] <= 0) {
            return ew_yaml_fail(value, "factor is %g; it must be greater than 0 (mirror reflects)",
                                edit->vector[c]);
        }
    }
    if ((value = ew_yaml_find(yaml, node, "about"))) {
        EW_TRY(ew_yaml_vector(yaml, value, "about", edit->about));
    }
    return EW_OK;
}

static ew_status read_remove(ew_case_reader *reader, const yaml_node_t *node, ew_case_edit *edit)
{
    ew_yaml *yaml = &reader->yaml;
    EW_TRY(ew_yaml_expect_keys(yaml, node, "remove",
                               "box sphere cylinder side region ids pieces_smaller_than"));
    if (node->data.mapping.pairs.top - node->data.mapping.pairs.start != 1) {
        return ew_yaml_fail(node, "remove takes one kind of selection; write several removes");
    }
    yaml_node_t *value, *key = ew_yaml_first_key(yaml, node, &value);
    if (ew_yaml_is_word(key, "pieces_smaller_than")) {
        int64_t count;
        edit->kind = EW_EDIT_REMOVE_SMALL;
        EW_TRY(ew_yaml_integer(value, "pieces_smaller_than", 1, INT32_MAX, &count));
        edit->count = (int32_t)count;
        return EW_OK;
    }
    return ew_case_read_selector(reader, key, value, &edit->selector);
}

static ew_status read_add(ew_case_reader *reader, const yaml_node_t *node, ew_case_edit *edit)
{
    yaml_node_t *value;
    EW_TRY(ew_yaml_expect_keys(&reader->yaml, node, "add", "mesh weld"));
    EW_TRY(ew_yaml_need(&reader->yaml, node, "add", "mesh", &value));
    EW_TRY(ew_yaml_text(&reader->yaml, value, "mesh", &edit->file));
    return number_above(reader, node, "weld", true, &edit->length);
}

static ew_status read_move(ew_case_reader *reader, const yaml_node_t *node, ew_case_edit *edit)
{
    yaml_node_t *value;
    EW_TRY(ew_yaml_expect_keys(&reader->yaml, node, "move", "set by radius"));
    EW_TRY(ew_yaml_need(&reader->yaml, node, "move", "set", &value));
    EW_TRY(ew_case_read_set_use(reader, value, "set", &edit->set));
    EW_TRY(ew_yaml_need(&reader->yaml, node, "move", "by", &value));
    EW_TRY(ew_yaml_vector(&reader->yaml, value, "by", edit->vector));
    return number_above(reader, node, "radius", true, &edit->length);
}

static ew_status read_refine(ew_case_reader *reader, const yaml_node_t *node, ew_case_edit *edit)
{
    EW_TRY(ew_yaml_expect_keys(&reader->yaml, node, "refine", "longer_than set"));
    const yaml_node_t *set = ew_yaml_find(&reader->yaml, node, "set");
    edit->set = -1;
    if (set) {
        EW_TRY(ew_case_read_set_use(reader, set, "set", &edit->set));
    }
    EW_TRY(number_above(reader, node, "longer_than", false, &edit->length));
    if (!set && edit->length == 0) {
        return ew_yaml_fail(node, "refine needs longer_than, set, or both");
    }
    return EW_OK;
}

static ew_status read_smooth(ew_case_reader *reader, const yaml_node_t *node, ew_case_edit *edit)
{
    edit->count = 5;
    if (ew_yaml_is_null(node)) {
        return EW_OK;
    }
    EW_TRY(ew_yaml_expect_keys(&reader->yaml, node, "smooth", "sweeps"));
    const yaml_node_t *value = ew_yaml_find(&reader->yaml, node, "sweeps");
    if (value) {
        int64_t count;
        EW_TRY(ew_yaml_integer(value, "sweeps", 1, 1000, &count));
        edit->count = (int32_t)count;
    }
    return EW_OK;
}

ew_status ew_case_read_edits(ew_case_reader *reader, const yaml_node_t *list, ew_case_step *step)
{
    static const struct {
        const char *name;
        ew_case_edit_kind kind;
        ew_status (*read)(ew_case_reader *, const yaml_node_t *, ew_case_edit *);
    } kinds[] = {
        {"decimate", EW_EDIT_DECIMATE, read_decimate},
        {"mirror", EW_EDIT_MIRROR, read_mirror},
        {"scale", EW_EDIT_SCALE, read_scale},
        {"remove", EW_EDIT_REMOVE, read_remove},
        {"add", EW_EDIT_ADD, read_add},
        {"move", EW_EDIT_MOVE, read_move},
        {"refine", EW_EDIT_REFINE, read_refine},
        {"smooth", EW_EDIT_SMOOTH, read_smooth},
    };
    int32_t n = 0;
    EW_TRY(ew_yaml_expect_list(list, "edit", &n));
    EW_TRY(ew_arena_take(&reader->arena, sizeof *step->edit * (size_t)n, &step->edit));
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *item = ew_yaml_item(&reader->yaml, list, i);
        EW_TRY(ew_yaml_expect_keys(&reader->yaml, item, "an edit", EDIT_KEYS));
        if (item->data.mapping.pairs.top - item->data.mapping.pairs.start != 1) {
            return ew_yaml_fail(item, "an edit has one kind; write each as an item of the list");
        }
        yaml_node_t *value, *key = ew_yaml_first_key(&reader->yaml, item, &value);
        int32_t choice;
        EW_TRY(ew_yaml_choice(key, "an edit", EDIT_KEYS, &choice));
        step->edit[i].kind = kinds[choice].kind;
        step->edit[i].line = ew_yaml_line(item);
        EW_TRY(kinds[choice].read(reader, value, &step->edit[i]));
    }
    step->n_edit = n;
    return EW_OK;
}
