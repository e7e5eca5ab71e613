/* `edit:` lists of a case's steps: YAML in, operations with their values out, as the table of
 * operations describes them. */
#include "case/reader.h"

#include <string.h>

enum { MAX_KEYS = 320 };

static void add_word(char keys[MAX_KEYS], const char *word)
{
    const size_t n = strlen(keys);
    snprintf(keys + n, MAX_KEYS - n, "%s%s", n ? " " : "", word);
}

static ew_status read_axis_or_place(ew_case_reader *reader, const ew_parameter *p,
                                    const yaml_node_t *node, ew_parameter_value *value)
{
    if (p->kind == EW_PARAMETER_AXIS) {
        return ew_case_read_axis(reader, node, p->key, value->number);
    }
    value->whole = -1;
    if (node->type == YAML_SEQUENCE_NODE) {
        return ew_yaml_vector(&reader->yaml, node, p->key, value->number);
    }
    int32_t place;
    EW_TRY(ew_yaml_choice(node, p->key, p->words, &place));
    value->whole = place;
    return EW_OK;
}

/* One number for all axes, or one for each. */
static ew_status read_factor(ew_case_reader *reader, const ew_parameter *p, const yaml_node_t *node,
                             double number[3])
{
    if (node->type != YAML_SCALAR_NODE) {
        return ew_yaml_vector(&reader->yaml, node, p->key, number);
    }
    EW_TRY(ew_yaml_number(node, p->key, number));
    number[1] = number[2] = number[0];
    return EW_OK;
}

static ew_status read_whole(const ew_parameter *p, const yaml_node_t *node, int64_t *whole)
{
    const bool region = p->kind == EW_PARAMETER_REGION, seed = p->kind == EW_PARAMETER_SEED;
    const int64_t low = region ? INT32_MIN : seed ? 0 : (int64_t)p->low;
    const int64_t high = region ? INT32_MAX : seed ? INT64_MAX : (int64_t)p->high;
    return ew_yaml_integer(node, p->key, low, high, whole);
}

/* One set or a list of them. */
static ew_status read_protected(ew_case_reader *reader, const ew_parameter *p,
                                const yaml_node_t *node, ew_parameter_value *value)
{
    const bool list = node->type == YAML_SEQUENCE_NODE;
    int32_t n = 1, *set;
    if (list) {
        EW_TRY(ew_yaml_expect_list(node, p->key, &n));
    }
    EW_TRY(ew_arena_take(&reader->arena, sizeof *set * (size_t)n, &set));
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *item = list ? ew_yaml_item(&reader->yaml, node, i) : node;
        EW_TRY(ew_case_read_set_use(reader, item, p->key, &set[i]));
    }
    value->n_set = n;
    value->set = set;
    return EW_OK;
}

static ew_status read_values_of(ew_case_reader *reader, const ew_operation *operation,
                                const yaml_node_t *key, const yaml_node_t *node,
                                ew_operation_values *values);

/* A list of forms, each with values of its own. */
static ew_status read_parts(ew_case_reader *reader, const ew_parameter *p, const yaml_node_t *node,
                            ew_parameter_value *value)
{
    ew_operation_values *part;
    int32_t n = 0;
    EW_TRY(ew_yaml_expect_list(node, p->key, &n));
    if (n == 0) {
        return ew_yaml_fail(
            node, "%s: the list is empty; list the sets to move and the sets to keep", p->key);
    }
    EW_TRY(ew_arena_take(&reader->arena, sizeof *part * (size_t)n, &part));
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *item = ew_yaml_item(&reader->yaml, node, i);
        EW_TRY(read_values_of(reader, &ew_part_form, item, item, &part[i]));
    }
    value->n_part = n;
    value->part = part;
    return EW_OK;
}

/* Keys of a mapping, each with a number or three. */
static ew_status read_numbers(ew_case_reader *reader, const ew_parameter *p,
                              const yaml_node_t *node, double *number)
{
    EW_TRY(ew_yaml_expect_keys(&reader->yaml, node, p->key, p->words));
    for (const char *word = p->words; *word;) {
        char key[32];
        yaml_node_t *value;
        const size_t length = strcspn(word, " ");
        snprintf(key, sizeof key, "%.*s", (int)length, word);
        EW_TRY(ew_yaml_need(&reader->yaml, node, p->key, key, &value));
        EW_TRY(!strcmp(key, "normal")          ? ew_case_read_axis(reader, value, key, number)
               : ew_parameter_width(word) == 1 ? ew_yaml_number(value, key, number)
                                               : ew_yaml_vector(&reader->yaml, value, key, number));
        number += ew_parameter_width(word);
        word += length;
        word += strspn(word, " ");
    }
    return EW_OK;
}

static ew_status read_value(ew_case_reader *reader, const ew_parameter *p, const yaml_node_t *node,
                            ew_parameter_value *value)
{
    int32_t place = 0;
    bool truth = false;
    if (p->percent) {
        return ew_yaml_share(node, p->key, value->number);
    }
    switch (p->kind) {
    case EW_PARAMETER_NUMBER:
    case EW_PARAMETER_LENGTH:
        return ew_yaml_number(node, p->key, value->number);
    case EW_PARAMETER_VECTOR:
        return ew_yaml_vector(&reader->yaml, node, p->key, value->number);
    case EW_PARAMETER_FACTOR:
        return read_factor(reader, p, node, value->number);
    case EW_PARAMETER_AXIS:
    case EW_PARAMETER_PLACE:
        return read_axis_or_place(reader, p, node, value);
    case EW_PARAMETER_COUNT:
    case EW_PARAMETER_SEED:
    case EW_PARAMETER_REGION:
        return read_whole(p, node, &value->whole);
    case EW_PARAMETER_CHOICE:
        EW_TRY(ew_yaml_choice(node, p->key, p->words, &place));
        break;
    case EW_PARAMETER_FLAG:
        EW_TRY(ew_yaml_truth(node, p->key, &truth));
        place = truth;
        break;
    case EW_PARAMETER_VERTICES:
        EW_TRY(ew_case_read_set_use(reader, node, p->key, &place));
        break;
    case EW_PARAMETER_PROTECTED:
        return read_protected(reader, p, node, value);
    case EW_PARAMETER_MESH:
    case EW_PARAMETER_TABLE:
    case EW_PARAMETER_SURFACE:
    case EW_PARAMETER_NAME:
        return ew_yaml_text(&reader->yaml, node, p->key, &value->text);
    case EW_PARAMETER_NUMBERS:
        return read_numbers(reader, p, node, value->number);
    case EW_PARAMETER_PARTS:
        return read_parts(reader, p, node, value);
    case EW_PARAMETER_TETS: /* by its own keys, below */
        break;
    }
    value->whole = place;
    return EW_OK;
}

/* Tets are selected by a key of their own for each kind of selection. */
static ew_status read_tets(ew_case_reader *reader, const ew_operation *operation,
                           const ew_parameter *p, const yaml_node_t *node,
                           ew_parameter_value *value)
{
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    for (; pair < node->data.mapping.pairs.top; pair++) {
        yaml_node_t *key = yaml_document_get_node(&reader->yaml.document, pair->key);
        if (!ew_yaml_is_one_of(key, p->words)) {
            continue;
        }
        if (value->given) {
            return ew_yaml_fail(key, "%s takes one kind of selection; write several %ss",
                                operation->name, operation->name);
        }
        value->given = true;
        EW_TRY(ew_case_read_selector(reader, key,
                                     yaml_document_get_node(&reader->yaml.document, pair->value),
                                     &value->selector));
    }
    return EW_OK;
}

static ew_status read_values(ew_case_reader *reader, const ew_operation *operation,
                             const yaml_node_t *node, ew_operation_values *values)
{
    char keys[MAX_KEYS] = "";
    for (int32_t i = 0; i < operation->n_parameter; i++) {
        const ew_parameter *p = &operation->parameter[i];
        add_word(keys, p->kind == EW_PARAMETER_TETS ? p->words : p->key);
    }
    EW_TRY(ew_yaml_expect_keys(&reader->yaml, node, operation->name, keys));
    for (int32_t i = 0; i < operation->n_parameter; i++) {
        const ew_parameter *p = &operation->parameter[i];
        if (p->kind == EW_PARAMETER_TETS) {
            EW_TRY(read_tets(reader, operation, p, node, &values->of[i]));
            continue;
        }
        const yaml_node_t *value = ew_yaml_find(&reader->yaml, node, p->key);
        if (value) {
            values->of[i] = (ew_parameter_value){.given = true};
            EW_TRY(read_value(reader, p, value, &values->of[i]));
        }
    }
    return EW_OK;
}

/* Nothing after the key leaves all at the presets. */
static ew_status read_values_of(ew_case_reader *reader, const ew_operation *operation,
                                const yaml_node_t *key, const yaml_node_t *node,
                                ew_operation_values *values)
{
    *values = ew_operation_presets(operation);
    if (!ew_yaml_is_null(node)) {
        EW_TRY(read_values(reader, operation, node, values));
    }
    int32_t at;
    const ew_status status = ew_operation_check(operation, values, EW_AS_KEYS, &at);
    if (status) {
        const yaml_node_t *place =
            at < 0 ? NULL : ew_yaml_find(&reader->yaml, node, operation->parameter[at].key);
        return ew_fail_line(status, ew_yaml_line(place ? place : key));
    }
    return EW_OK;
}

/* The entry of an item that is not the one beside. */
static yaml_node_t *find_operation(ew_case_reader *reader, const yaml_node_t *item,
                                   const char *beside, yaml_node_t **value)
{
    yaml_document_t *document = &reader->yaml.document;
    const yaml_node_pair_t *pair = item->data.mapping.pairs.start;
    yaml_node_t *key = NULL;
    for (; pair < item->data.mapping.pairs.top && !key; pair++) {
        yaml_node_t *found = yaml_document_get_node(document, pair->key);
        key = *beside && ew_yaml_is_word(found, beside) ? NULL : found;
        *value = yaml_document_get_node(document, pair->value);
    }
    return key;
}

ew_status ew_case_read_edit(ew_case_reader *reader, const yaml_node_t *item, const char *beside,
                            ew_case_edit *edit)
{
    char names[MAX_KEYS] = "", all[MAX_KEYS];
    yaml_node_t *value = NULL;
    int32_t choice;
    for (int32_t i = 0; ew_operation_at(i); i++) {
        add_word(names, ew_operation_at(i)->name);
    }
    if (!*beside) { /* not between time steps */
        add_word(names, ew_enrich_edit.name);
    }
    memcpy(all, names, sizeof all);
    if (*beside) {
        add_word(all, beside);
    }
    EW_TRY(ew_yaml_expect_keys(&reader->yaml, item, "an edit", all));
    const bool has_beside = *beside && ew_yaml_find(&reader->yaml, item, beside);
    if (item->data.mapping.pairs.top - item->data.mapping.pairs.start != 1 + has_beside) {
        return ew_yaml_fail(item, "an edit has one kind; write each as an item of the list");
    }
    yaml_node_t *key = find_operation(reader, item, beside, &value);
    EW_TRY(ew_yaml_choice(key, "an edit", names, &choice));
    const ew_operation *operation = ew_operation_at(choice); /* null: behind the table */
    edit->operation = operation ? operation : &ew_enrich_edit;
    edit->line = ew_yaml_line(item);
    if (!operation) {
        return ew_case_read_enrich(reader, value, &edit->enrich);
    }
    EW_TRY(read_values_of(reader, operation, key, value, &edit->values));
    const int32_t name = ew_operation_parameter_of(operation, EW_PARAMETER_NAME);
    return *beside && name >= 0 && edit->values.of[name].given
               ? ew_yaml_fail(ew_yaml_find(&reader->yaml, value, "name"),
                              "%s: name goes with the edits of a step, not with those at a time",
                              operation->name)
               : EW_OK;
}

/* What an edit makes and names has a label of its own, unless the case says one: counted from the
 * first here, and chosen where the mesh is known (labels.c). */
static ew_status name_what_is_made(ew_case_reader *reader, const yaml_node_t *item,
                                   ew_case_edit *edit, ew_case_step *step)
{
    const ew_operation *operation = edit->operation;
    const int32_t name = ew_operation_parameter_of(operation, EW_PARAMETER_NAME);
    const int32_t label = ew_operation_parameter(operation, "label");
    const int32_t keep = ew_operation_parameter(operation, "keep");
    ew_parameter_value *of = edit->values.of;
    if (name < 0 || label < 0 || !of[name].given) {
        return EW_OK;
    }
    if (!of[label].given) {
        of[label].whole = EW_FIRST_NAMED_LABEL + reader->n_label++;
    }
    const bool inside = keep >= 0 && of[keep].whole == EW_CUT_KEEP_BOTH;
    return ew_case_name_surface(reader, item, of[name].text, (int32_t)of[label].whole,
                                of[label].given, inside ? EW_SET_OF_VERTICES : EW_SET_OF_FACES,
                                step);
}

ew_status ew_case_read_edits(ew_case_reader *reader, const yaml_node_t *list, ew_case_step *step)
{
    int32_t n = 0;
    EW_TRY(ew_yaml_expect_list(list, "edit", &n));
    EW_TRY(ew_arena_take(&reader->arena, sizeof *step->edit * (size_t)n, &step->edit));
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *item = ew_yaml_item(&reader->yaml, list, i);
        EW_TRY(ew_case_read_edit(reader, item, "", &step->edit[i]));
        EW_TRY(name_what_is_made(reader, item, &step->edit[i], step));
    }
    step->n_edit = n;
    return EW_OK;
}
