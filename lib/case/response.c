/* `harmonic:`, `spectrum:` and `random:` of a step: what vibration modes do under loads that vary
 * harmonically, under a response spectrum or a spectral density of the acceleration of all
 * supports. */
#include "case/reader.h"

#include <math.h>

enum { MAX_POINTS = 1000, MAX_FREQUENCIES = 1000 };

static ew_status read_table(ew_case_reader *reader, const yaml_node_t *list, const char *what,
                            ew_case_response *out)
{
    ew_yaml *yaml = &reader->yaml;
    int32_t n, width;
    EW_TRY(ew_yaml_expect_list(list, "table", &n));
    if (n < 2 || n > MAX_POINTS) {
        return ew_yaml_fail(list, "%s: its table has %d points; 2 to %d are allowed", what, (int)n,
                            (int)MAX_POINTS);
    }
    EW_TRY(ew_arena_take(&reader->arena, sizeof *out->table * (size_t)n, &out->table));
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *point = ew_yaml_item(yaml, list, i);
        EW_TRY(ew_yaml_expect_list(point, "a point of the table", &width));
        if (width != 2) {
            return ew_yaml_fail(point, "a point of the table is [frequency, value]");
        }
        EW_TRY(ew_yaml_number(ew_yaml_item(yaml, point, 0), "a frequency", &out->table[i][0]));
        EW_TRY(ew_yaml_number(ew_yaml_item(yaml, point, 1), "a value", &out->table[i][1]));
        if (!(out->table[i][0] >= 0.0) || (i && !(out->table[i][0] > out->table[i - 1][0])) ||
            !(out->table[i][1] >= 0.0)) {
            return ew_yaml_fail(point,
                                "frequencies of a table ascend from 0 on, and values are not "
                                "negative");
        }
    }
    out->n_point = n;
    return EW_OK;
}

static ew_status read_base(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                           ew_case_response *out)
{
    yaml_node_t *value;
    EW_TRY(ew_yaml_need(&reader->yaml, node, what, "direction", &value));
    EW_TRY(ew_case_read_axis(reader, value, "direction", out->direction));
    const double *d = out->direction, length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int c = 0; c < 3; c++) {
        out->direction[c] /= length;
    }
    EW_TRY(ew_yaml_need(&reader->yaml, node, what, "table", &value));
    return read_table(reader, value, what, out);
}

/* A list, or from .. to with a count, evenly in logarithms. */
static ew_status read_frequencies(ew_case_reader *reader, const yaml_node_t *node,
                                  ew_case_response *out)
{
    yaml_node_t *value;
    int32_t n;
    EW_TRY(ew_yaml_need(&reader->yaml, node, "harmonic", "frequencies", &value));
    EW_TRY(ew_yaml_expect_list(value, "frequencies", &n));
    if (n < 1 || n > MAX_FREQUENCIES) {
        return ew_yaml_fail(value, "harmonic: %d frequencies; 1 to %d are allowed", (int)n,
                            (int)MAX_FREQUENCIES);
    }
    EW_TRY(ew_arena_take(&reader->arena, sizeof *out->frequency * (size_t)n, &out->frequency));
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *item = ew_yaml_item(&reader->yaml, value, i);
        EW_TRY(ew_yaml_number(item, "a frequency", &out->frequency[i]));
        if (!(out->frequency[i] > 0.0)) {
            return ew_yaml_fail(item, "harmonic: a frequency is %g; it must be greater than 0",
                                out->frequency[i]);
        }
    }
    out->n_frequency = n;
    return EW_OK;
}

ew_status ew_case_read_response(ew_case_reader *reader, ew_response_kind kind,
                                const yaml_node_t *node, ew_case_step *step)
{
    static const char *const names[] = {"harmonic", "spectrum", "random"};
    static const ew_case_section *const sections[] = {&ew_section_harmonic, &ew_section_spectrum,
                                                      &ew_section_random};
    ew_case_response *made;
    if (ew_case_is_solved(step)) {
        return ew_yaml_fail(node, "%s: a step has one analysis; write two steps", names[kind]);
    }
    EW_TRY(ew_arena_take(&reader->arena, sizeof *made, &made));
    made->kind = kind;
    made->n_mode = 10;
    made->damping = NAN;
    made->correlated = true;
    EW_TRY(ew_case_read_keys(&reader->yaml, node, sections[kind], made));
    step->response = made;
    step->mass = EW_MASS_CONSISTENT;
    step->n_mode = 1;
    if (kind == EW_RESPONSE_HARMONIC) {
        EW_TRY(read_frequencies(reader, node, made));
        step->n_mode = made->n_frequency;
        return EW_OK;
    }
    const yaml_node_t *value = ew_yaml_find(&reader->yaml, node, "combine");
    if (value) {
        int32_t choice;
        EW_TRY(ew_yaml_choice(value, "combine", "srss cqc", &choice));
        made->correlated = choice == 1;
    }
    return read_base(reader, node, names[kind], made);
}
