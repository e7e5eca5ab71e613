/* `harmonic:`, `spectrum:` and `random:` of a step: what a body does under loads that vary
 * harmonically, and what its vibration modes do under a response spectrum or a spectral density of
 * the acceleration of all supports. */
#include "case/reader.h"

#include <math.h>

enum { MAX_POINTS = 1000 };

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

/* From .. to, evenly. */
static ew_status read_range(ew_case_reader *reader, const yaml_node_t *node, ew_case_response *out)
{
    ew_yaml *yaml = &reader->yaml;
    yaml_node_t *value;
    double end[2];
    int64_t n;
    static const char *const key[] = {"from", "to"};
    EW_TRY(ew_case_expect(yaml, node, "frequencies", &ew_section_frequencies));
    for (int k = 0; k < 2; k++) {
        EW_TRY(ew_yaml_need(yaml, node, "frequencies", key[k], &value));
        EW_TRY(ew_yaml_number(value, key[k], &end[k]));
    }
    EW_TRY(ew_yaml_need(yaml, node, "frequencies", "count", &value));
    EW_TRY(ew_yaml_integer(value, "count", 2, EW_MAX_FREQUENCIES, &n));
    if (!(end[0] > 0.0) || !(end[1] > end[0])) {
        return ew_yaml_fail(node, "harmonic: frequencies go from one above 0 to a higher one");
    }
    EW_TRY(ew_arena_take(&reader->arena, sizeof *out->frequency * (size_t)n, &out->frequency));
    for (int64_t i = 0; i < n; i++) {
        out->frequency[i] =
            i + 1 == n ? end[1] : end[0] + (end[1] - end[0]) * (double)i / (double)(n - 1);
    }
    out->n_frequency = (int32_t)n;
    return EW_OK;
}

static ew_status read_frequencies(ew_case_reader *reader, const yaml_node_t *node,
                                  ew_case_response *out)
{
    yaml_node_t *value;
    int32_t n;
    EW_TRY(ew_yaml_need(&reader->yaml, node, "harmonic", "frequencies", &value));
    if (value->type == YAML_MAPPING_NODE) {
        return read_range(reader, value, out);
    }
    EW_TRY(ew_yaml_expect_list(value, "frequencies", &n));
    if (n < 1 || n > EW_MAX_FREQUENCIES) {
        return ew_yaml_fail(value, "harmonic: %d frequencies; 1 to %d are allowed", (int)n,
                            (int)EW_MAX_FREQUENCIES);
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

/* The method, and damping that it takes. */
static ew_status read_harmonic(ew_case_reader *reader, const yaml_node_t *node,
                               ew_case_response *out)
{
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *value = ew_yaml_find(yaml, node, "method");
    int32_t choice = 0;
    EW_TRY(value ? ew_yaml_choice(value, "method", "modes direct", &choice) : EW_OK);
    out->is_direct = choice == 1;
    value = ew_yaml_find(yaml, node, "rayleigh");
    EW_TRY(value ? ew_case_read_keys(yaml, value, &ew_section_rayleigh, &out->more) : EW_OK);
    const bool is_damped =
        out->more.mass > 0.0 || out->more.stiffness > 0.0 || out->more.structural > 0.0;
    const char *const of_modes[] = {"modes", "damping"};
    for (int k = 0; k < 2 && out->is_direct; k++) {
        value = ew_yaml_find(yaml, node, of_modes[k]);
        if (value) {
            return ew_yaml_fail(value,
                                "harmonic: '%s' is of modes, which 'method: direct' does without; "
                                "damping is 'rayleigh' or 'structural' there",
                                of_modes[k]);
        }
    }
    if (isnan(out->damping) && !out->is_direct && !is_damped) {
        return ew_yaml_fail(node, "harmonic: 'damping' is missing, or 'rayleigh' or 'structural'");
    }
    out->damping = isnan(out->damping) ? 0.0 : out->damping;
    return read_frequencies(reader, node, out);
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
        EW_TRY(read_harmonic(reader, node, made));
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
