/* `amplitudes:` of a case: YAML in, factors of time by name out. One key a kind, by a table. */
#include "case/reader.h"

#include <math.h>
#include <string.h>

/* ---- kinds ------------------------------------------------------------------------- */

/* A list of [time, value]. */
static ew_status read_table(ew_case_reader *reader, const yaml_node_t *list, ew_case_amplitude *out)
{
    int32_t n = 0;
    double *time, *value;
    EW_TRY(ew_yaml_expect_list(list, "table", &n));
    EW_TRY(ew_arena_take(&reader->arena, sizeof *time * (size_t)(n + 1), &time));
    EW_TRY(ew_arena_take(&reader->arena, sizeof *value * (size_t)(n + 1), &value));
    out->as.n = n;
    out->as.time = time;
    out->as.value = value;
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *item = ew_yaml_item(&reader->yaml, list, i);
        int32_t width = 0;
        if (item->type == YAML_SEQUENCE_NODE) {
            EW_TRY(ew_yaml_expect_list(item, "table", &width));
        }
        if (width != 2) {
            return ew_yaml_fail(item, "each entry of a table is a list of 2: [time, value]");
        }
        EW_TRY(ew_yaml_number(ew_yaml_item(&reader->yaml, item, 0), "time", &time[i]));
        EW_TRY(ew_yaml_number(ew_yaml_item(&reader->yaml, item, 1), "value", &value[i]));
        if (i && time[i] <= time[i - 1]) {
            return ew_yaml_fail(item, "time %g follows %g; times must ascend", time[i],
                                time[i - 1]);
        }
    }
    return EW_OK;
}

static ew_status read_sine(ew_case_reader *reader, const yaml_node_t *node, ew_case_amplitude *out)
{
    out->as.kind = EW_AMPLITUDE_SINE;
    return ew_case_read_keys(&reader->yaml, node, &ew_section_sine, &out->as);
}

static ew_status read_step(ew_case_reader *reader, const yaml_node_t *node, ew_case_amplitude *out)
{
    out->as.kind = EW_AMPLITUDE_STEP;
    return ew_case_read_keys(&reader->yaml, node, &ew_section_step_amplitude, &out->as);
}

static ew_status read_csv(ew_case_reader *reader, const yaml_node_t *node, ew_case_amplitude *out)
{
    ew_yaml *yaml = &reader->yaml;
    out->time_column = 1;
    out->column = 2;
    return node->type == YAML_SCALAR_NODE ? ew_yaml_text(yaml, node, "csv", &out->file)
                                          : ew_case_read_keys(yaml, node, &ew_section_csv, out);
}

static const struct {
    const char *key;
    ew_status (*read)(ew_case_reader *reader, const yaml_node_t *node, ew_case_amplitude *out);
} kinds[] = {{"table", read_table}, {"sine", read_sine}, {"step", read_step}, {"csv", read_csv}};
enum { N_KIND = sizeof kinds / sizeof *kinds };
#define KINDS "table sine step csv"

/* ---- the list ------------------------------------------------------------------------ */

static ew_status read_amplitude(ew_case_reader *reader, const yaml_node_t *node,
                                ew_case_amplitude *out)
{
    const yaml_node_t *value = NULL;
    EW_TRY(ew_case_expect(&reader->yaml, node, NULL, &ew_section_amplitude));
    out->as = (ew_amplitude){.size = 1.0, .end = INFINITY};
    out->scale = 1.0;
    for (int32_t k = 0; k < N_KIND; k++) {
        const yaml_node_t *found = ew_yaml_find(&reader->yaml, node, kinds[k].key);
        if (found && value) {
            return ew_yaml_fail(found, "one kind per amplitude; give '%s' a name of its own",
                                kinds[k].key);
        }
        EW_TRY(found ? kinds[k].read(reader, found, out) : EW_OK);
        value = found ? found : value;
    }
    if (!value) {
        return ew_yaml_fail(node, "an amplitude needs one of the keys %s", KINDS);
    }
    const ew_status status = out->file ? EW_OK : ew_amplitude_check(&out->as);
    return status ? ew_fail_line(status, ew_yaml_line(value)) : EW_OK;
}

ew_status ew_case_read_amplitudes(ew_case_reader *reader, const yaml_node_t *node)
{
    ew_case *input = reader->out;
    if (!node || ew_yaml_is_null(node)) {
        return EW_OK;
    }
    if (node->type != YAML_MAPPING_NODE) {
        return ew_yaml_fail(node, "amplitudes must be a mapping from names to amplitudes");
    }
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    const int32_t n = (int32_t)(node->data.mapping.pairs.top - pair);
    EW_TRY(ew_arena_take(&reader->arena, sizeof *input->amplitude * (size_t)(n + 1),
                         &input->amplitude));
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *key = yaml_document_get_node(&reader->yaml.document, pair[i].key);
        ew_case_amplitude *out = &input->amplitude[i];
        EW_TRY(ew_yaml_text(&reader->yaml, key, "the name of an amplitude", &out->name));
        out->line = ew_yaml_line(key);
        for (int32_t k = 0; k < i; k++) {
            if (!strcmp(input->amplitude[k].name, out->name)) {
                return ew_yaml_fail(key, "amplitude '%.60s' is defined twice (first in line %d)",
                                    out->name, (int)input->amplitude[k].line);
            }
        }
        EW_TRY(read_amplitude(reader, yaml_document_get_node(&reader->yaml.document, pair[i].value),
                              out));
        input->n_amplitude = i + 1;
    }
    return EW_OK;
}

/* ---- uses ----------------------------------------------------------------------------- */

ew_status ew_case_read_amplitude_use(ew_case_reader *reader, const yaml_node_t *node,
                                     int32_t *amplitude)
{
    const ew_case *input = reader->out;
    const yaml_node_t *value = ew_yaml_find(&reader->yaml, node, "amplitude");
    char near[64] = "", words[1024] = "";
    const char *name;
    *amplitude = -1;
    if (!value) {
        return EW_OK;
    }
    EW_TRY(ew_yaml_text(&reader->yaml, value, "amplitude", &name));
    for (int32_t i = 0; i < input->n_amplitude; i++) {
        const char *known = input->amplitude[i].name;
        if (!strcmp(known, name)) {
            *amplitude = i;
            return EW_OK;
        }
        if (strlen(words) + strlen(known) + 2 < sizeof words) {
            strcat(strcat(words, known), " ");
        }
    }
    if (ew_nearest_word(name, words, near)) {
        return ew_yaml_fail(value, "there is no amplitude '%.60s'; did you mean '%s'?", name, near);
    }
    return ew_yaml_fail(value, "there is no amplitude '%.60s'; define it under 'amplitudes:'",
                        name);
}
