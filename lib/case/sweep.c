/* `sweep:` of a case: combinations of values of its parameters, as a list, a grid, the rows of a
 * table or a Latin hypercube (McKay, Beckman and Conover 1979). */
#include "case/reader.h"

#include <math.h>
#include <string.h>

/* The parameter that a key names, and no other key of the mapping. */
static ew_status find_parameter(const ew_case *input, const yaml_node_t *key, const char *names,
                                int32_t *parameter)
{
    return input->n_parameter ? ew_yaml_choice(key, "sweep: a parameter", names, parameter)
                              : ew_yaml_fail(key, "sweep: the case has no 'parameters:'; name "
                                                  "there what varies, each with a value");
}

/* The keys of a mapping, parameters all: how many, and which. */
static ew_status read_names(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                            int32_t *n, int32_t **parameter)
{
    const ew_case *input = reader->out;
    if (node->type != YAML_MAPPING_NODE) {
        return ew_yaml_fail(node, "%s must be a mapping of parameters", what);
    }
    const yaml_node_pair_t *start = node->data.mapping.pairs.start;
    *n = (int32_t)(node->data.mapping.pairs.top - start);
    if (!*n) {
        return ew_yaml_fail(node, "%s is empty; name a parameter and its values", what);
    }
    EW_TRY(ew_arena_take(&reader->arena, (size_t)*n * sizeof **parameter, parameter));
    for (int32_t i = 0; i < *n; i++) {
        const yaml_node_t *key = yaml_document_get_node(&reader->yaml.document, start[i].key);
        EW_TRY(find_parameter(input, key, reader->yaml.names, &(*parameter)[i]));
        for (int32_t j = 0; j < i; j++) {
            if ((*parameter)[j] == (*parameter)[i]) {
                return ew_yaml_fail(key, "%s: parameter '%s' is given twice", what,
                                    input->parameter[(*parameter)[i]].name);
            }
        }
    }
    return EW_OK;
}

static yaml_node_t *value_of(ew_case_reader *reader, const yaml_node_t *node, int32_t i)
{
    return yaml_document_get_node(&reader->yaml.document, node->data.mapping.pairs.start[i].value);
}

/* Room for n combinations of the sweep's parameters. */
static ew_status take_values(ew_case_reader *reader, const yaml_node_t *node, double n)
{
    ew_case_sweep *sweep = reader->out->sweep;
    if (n > EW_MAX_COMBINATIONS) {
        return ew_yaml_fail(node, "sweep: %.6g combinations are more than the %d that there may be",
                            n, (int)EW_MAX_COMBINATIONS);
    }
    sweep->n = (int32_t)n;
    return ew_arena_take(&reader->arena,
                         (size_t)sweep->n * (size_t)sweep->n_parameter * sizeof *sweep->value,
                         &sweep->value);
}

/* ---- a list ------------------------------------------------------------------ */

/* A parameter that a combination does not name has the value of the case. */
static ew_status read_list(ew_case_reader *reader, const yaml_node_t *node)
{
    ew_case *input = reader->out;
    ew_case_sweep *sweep = input->sweep;
    int32_t n = 0;
    EW_TRY(ew_yaml_expect_list(node, "sweep: list", &n));
    if (!n) {
        return ew_yaml_fail(node, "sweep: the list is empty; give it items such as {radius: 5}");
    }
    sweep->n_parameter = input->n_parameter;
    EW_TRY(ew_arena_take(&reader->arena, (size_t)(input->n_parameter + 1) * sizeof(int32_t),
                         &sweep->parameter));
    for (int32_t k = 0; k < input->n_parameter; k++) {
        sweep->parameter[k] = k;
    }
    EW_TRY(take_values(reader, node, n));
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *item = ew_yaml_item(&reader->yaml, node, i);
        double *row = sweep->value + (size_t)i * (size_t)sweep->n_parameter;
        int32_t n_given, *given;
        EW_TRY(read_names(reader, item, "sweep: an item of the list", &n_given, &given));
        for (int32_t k = 0; k < input->n_parameter; k++) {
            row[k] = NAN; /* as the case says */
        }
        for (int32_t k = 0; k < n_given; k++) {
            EW_TRY(ew_yaml_number(value_of(reader, item, k), input->parameter[given[k]].name,
                                  &row[given[k]]));
        }
    }
    return EW_OK;
}

/* ---- a grid ------------------------------------------------------------------ */

typedef struct axis {
    int32_t n;
    double *value; /* in the arena */
} axis;

static ew_status read_range(ew_case_reader *reader, const yaml_node_t *node, const char *name,
                            axis *out)
{
    ew_yaml *yaml = &reader->yaml;
    yaml_node_t *value[3];
    static const char *const key[] = {"from", "to", "count"};
    double from, to;
    int64_t n;
    EW_TRY(ew_case_expect(yaml, node, name, &ew_section_range));
    for (int32_t i = 0; i < 3; i++) {
        EW_TRY(ew_yaml_need(yaml, node, name, key[i], &value[i]));
    }
    EW_TRY(ew_yaml_number(value[0], "from", &from));
    EW_TRY(ew_yaml_number(value[1], "to", &to));
    EW_TRY(ew_yaml_integer(value[2], "count", 1, EW_MAX_COMBINATIONS, &n));
    if (n > 1 && !isfinite(to - from)) {
        return ew_yaml_fail(node, "%s: from %g to %g is beyond the range of double precision", name,
                            from, to);
    }
    out->n = (int32_t)n;
    EW_TRY(ew_arena_take(&reader->arena, (size_t)n * sizeof *out->value, &out->value));
    for (int32_t i = 0; i < out->n; i++) {
        out->value[i] = i && i == out->n - 1 ? to : from + (to - from) * i / (double)(n - 1 + !i);
    }
    return EW_OK;
}

/* [1, 2, 3], or {from: 1, to: 3, count: 3}. */
static ew_status read_axis(ew_case_reader *reader, const yaml_node_t *node, const char *name,
                           axis *out)
{
    if (node->type == YAML_MAPPING_NODE) {
        return read_range(reader, node, name, out);
    }
    EW_TRY(ew_yaml_expect_list(node, name, &out->n));
    if (!out->n) {
        return ew_yaml_fail(node, "sweep: %s has no values", name);
    }
    EW_TRY(ew_arena_take(&reader->arena, (size_t)out->n * sizeof *out->value, &out->value));
    for (int32_t i = 0; i < out->n; i++) {
        EW_TRY(ew_yaml_number(ew_yaml_item(&reader->yaml, node, i), name, &out->value[i]));
    }
    return EW_OK;
}

/* All combinations; the last parameter varies fastest. */
static ew_status read_grid(ew_case_reader *reader, const yaml_node_t *node)
{
    const ew_case *input = reader->out;
    ew_case_sweep *sweep = reader->out->sweep;
    axis *axes;
    double n = 1.0;
    EW_TRY(read_names(reader, node, "sweep: grid", &sweep->n_parameter, &sweep->parameter));
    EW_TRY(ew_arena_take(&reader->arena, (size_t)sweep->n_parameter * sizeof *axes, &axes));
    for (int32_t k = 0; k < sweep->n_parameter; k++) {
        EW_TRY(read_axis(reader, value_of(reader, node, k),
                         input->parameter[sweep->parameter[k]].name, &axes[k]));
        n *= axes[k].n;
    }
    EW_TRY(take_values(reader, node, n));
    for (int32_t i = 0; i < sweep->n; i++) {
        for (int32_t k = sweep->n_parameter - 1, rest = i; k >= 0; k--) {
            sweep->value[(size_t)i * (size_t)sweep->n_parameter + (size_t)k] =
                axes[k].value[rest % axes[k].n];
            rest /= axes[k].n;
        }
    }
    return EW_OK;
}

/* ---- a Latin hypercube ---------------------------------------------------------- */

/* The same numbers everywhere: splitmix64 (Steele, Lea and Flood 2014). */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static double draw_share(uint64_t *state)
{
    return (double)(draw(state) >> 11) * 0x1p-53;
}

/* One value in each of n equal parts of the range, the parts in random order. */
static void fill_latin(ew_case_sweep *sweep, int32_t k, double low, double high, uint64_t *state)
{
    const size_t width = (size_t)sweep->n_parameter;
    double *value = sweep->value + k;
    for (int32_t i = 0; i < sweep->n; i++) {
        value[width * (size_t)i] = i;
    }
    for (int32_t i = sweep->n - 1; i > 0; i--) {
        const size_t j = (size_t)(draw(state) % (uint64_t)(i + 1));
        const double other = value[width * j];
        value[width * j] = value[width * (size_t)i];
        value[width * (size_t)i] = other;
    }
    for (int32_t i = 0; i < sweep->n; i++) {
        double *at = &value[width * (size_t)i];
        *at = low + (high - low) * ((*at + draw_share(state)) / sweep->n);
    }
}

static ew_status read_bounds(ew_case_reader *reader, const yaml_node_t *node, const char *name,
                             double bound[2])
{
    int32_t n = 0;
    EW_TRY(ew_yaml_expect_list(node, name, &n));
    for (int32_t i = 0; i < n && i < 2; i++) {
        EW_TRY(ew_yaml_number(ew_yaml_item(&reader->yaml, node, i), name, &bound[i]));
    }
    return n == 2 && bound[0] < bound[1] && isfinite(bound[1] - bound[0])
               ? EW_OK
               : ew_yaml_fail(node,
                              "%s must be a range [least, greatest], the least below the "
                              "greatest",
                              name);
}

static ew_status read_latin(ew_case_reader *reader, const yaml_node_t *node)
{
    ew_yaml *yaml = &reader->yaml;
    const ew_case *input = reader->out;
    ew_case_sweep *sweep = reader->out->sweep;
    yaml_node_t *count, *ranges, *seed;
    int64_t n, start = 0;
    EW_TRY(ew_case_expect(yaml, node, NULL, &ew_section_latin));
    EW_TRY(ew_yaml_need(yaml, node, "sweep: latin", "count", &count));
    EW_TRY(ew_yaml_need(yaml, node, "sweep: latin", "ranges", &ranges));
    EW_TRY(ew_yaml_integer(count, "count", 1, EW_MAX_COMBINATIONS, &n));
    if ((seed = ew_yaml_find(yaml, node, "seed"))) {
        EW_TRY(ew_yaml_integer(seed, "seed", 0, INT64_MAX, &start));
    }
    EW_TRY(read_names(reader, ranges, "sweep: ranges", &sweep->n_parameter, &sweep->parameter));
    EW_TRY(take_values(reader, node, (double)n));
    uint64_t state = (uint64_t)start;
    for (int32_t k = 0; k < sweep->n_parameter; k++) {
        double bound[2];
        EW_TRY(read_bounds(reader, value_of(reader, ranges, k),
                           input->parameter[sweep->parameter[k]].name, bound));
        fill_latin(sweep, k, bound[0], bound[1], &state);
    }
    return EW_OK;
}

/* ---- all ------------------------------------------------------------------------- */

/* rows.csv, or {file: rows.csv, columns: {radius: "Radius [mm]"}}. */
static ew_status read_csv(ew_case_reader *reader, const yaml_node_t *node)
{
    ew_yaml *yaml = &reader->yaml;
    ew_case_sweep *sweep = reader->out->sweep;
    yaml_node_t *value;
    if (!reader->out->n_parameter) {
        return ew_yaml_fail(node, "sweep: the case has no 'parameters:'; name there what varies, "
                                  "each with a value");
    }
    if (node->type == YAML_SCALAR_NODE) {
        return ew_yaml_text(yaml, node, "sweep: csv", &sweep->file);
    }
    EW_TRY(ew_case_expect(yaml, node, NULL, &ew_section_sweep_csv));
    EW_TRY(ew_yaml_need(yaml, node, "sweep: csv", "file", &value));
    EW_TRY(ew_yaml_text(yaml, value, "file", &sweep->file));
    if ((value = ew_yaml_find(yaml, node, "columns"))) {
        EW_TRY(read_names(reader, value, "columns", &sweep->n_parameter, &sweep->parameter));
        EW_TRY(ew_arena_take(&reader->arena, (size_t)sweep->n_parameter * sizeof *sweep->column,
                             &sweep->column));
        for (int32_t k = 0; k < sweep->n_parameter; k++) {
            EW_TRY(ew_yaml_text(yaml, value_of(reader, value, k), "columns", &sweep->column[k]));
        }
    }
    return EW_OK;
}

static bool depends_on_way(const ew_case *input)
{
    return input->kinematics != EW_SMALL || ew_case_is_inelastic(input) || input->mixed;
}

/* Edits that move what they made; between time steps there are none. */
static ew_status check_going_on(const ew_case *input)
{
    for (int32_t s = 0; s < input->n_step; s++) {
        const ew_case_step *step = &input->step[s];
        const bool moves = step->dynamic && step->dynamic->n_edit;
        for (int32_t e = 0; e < step->n_edit; e++) {
            const ew_case_edit *edit = &step->edit[e];
            if (!edit->operation->goes_on) {
                return ew_fail_at(EW_BAD_INPUT, edit->line,
                                  "sweep: 'start: continue' needs edits that can move what they "
                                  "made, which '%s' cannot; use 'start: warm'",
                                  edit->operation->name);
            }
        }
        if (moves || step->reset) {
            return ew_fail_at(EW_BAD_INPUT, step->line,
                              "sweep: 'start: continue' goes with no edits during a dynamic step, "
                              "and with no 'reset'; use 'start: warm'");
        }
    }
    return EW_OK;
}

ew_status ew_case_read_sweep_start(ew_case_reader *reader, const yaml_node_t *node,
                                   ew_sweep_start preset)
{
    const ew_case *input = reader->out;
    const bool depends = depends_on_way(input);
    int32_t choice = depends ? EW_SWEEP_FRESH : preset;
    EW_TRY(node ? ew_yaml_choice(node, "start", EW_SWEEP_STARTS, &choice) : EW_OK);
    input->sweep->start = (ew_sweep_start)choice;
    if (choice != EW_SWEEP_FRESH && depends) {
        return ew_yaml_fail(node, "start: bodies with large rotations, laws or mixed tets start "
                                  "'fresh' alone: where they come to may depend on the way");
    }
    return choice == EW_SWEEP_CONTINUE ? check_going_on(input) : EW_OK;
}

bool ew_case_can_go_on(const ew_case *input)
{
    return !depends_on_way(input) && !check_going_on(input);
}

ew_status ew_case_read_sweep(ew_case_reader *reader, const yaml_node_t *node)
{
    static const char *const key[] = {"list", "grid", "csv", "latin"};
    static ew_status (*const read[])(ew_case_reader *, const yaml_node_t *) = {
        read_list, read_grid, read_csv, read_latin};
    ew_yaml *yaml = &reader->yaml;
    yaml_node_t *value;
    int32_t found = -1;
    if (!node) {
        return EW_OK;
    }
    EW_TRY(ew_arena_take(&reader->arena, sizeof *reader->out->sweep, &reader->out->sweep));
    reader->out->sweep->line = ew_yaml_line(node);
    EW_TRY(ew_case_expect(yaml, node, NULL, &ew_section_sweep));
    for (int32_t i = 0; i < 4; i++) {
        if ((value = ew_yaml_find(yaml, node, key[i]))) {
            if (found >= 0) {
                return ew_yaml_fail(value, "sweep: '%s' and '%s' exclude each other", key[found],
                                    key[i]);
            }
            found = i;
        }
    }
    if (found < 0) {
        return ew_yaml_fail(node, "sweep: says nothing; give it 'list', 'grid', 'csv' or 'latin'");
    }
    EW_TRY(ew_case_read_sweep_start(reader, ew_yaml_find(yaml, node, "start"), EW_SWEEP_FRESH));
    if ((value = ew_yaml_find(yaml, node, "report"))) {
        int32_t choice;
        EW_TRY(ew_yaml_choice(value, "report", EW_SWEEP_REPORTS, &choice));
        reader->out->sweep->report = (ew_sweep_report)choice;
        EW_TRY(choice == EW_SWEEP_GOALS ? ew_case_check_report(reader->out) : EW_OK);
    }
    return read[found](reader, ew_yaml_find(yaml, node, key[found]));
}
