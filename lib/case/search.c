/* `optimise:` of a case: which parameters a search may change, what it minimizes, and what bounds
 * it. Out: a sweep whose combinations the search chooses. */
#include "case/reader.h"

#include <math.h>
#include <string.h>

static ew_status read_bounds(ew_case_reader *reader, const yaml_node_t *node,
                             ew_case_search *search, ew_case_sweep *sweep)
{
    ew_yaml *yaml = &reader->yaml;
    const ew_case *input = reader->out;
    const int32_t n = node->type == YAML_MAPPING_NODE
                          ? (int32_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start)
                          : 0;
    if (!n || !input->n_parameter) {
        return ew_yaml_fail(node, "optimise: 'parameters' must be a mapping of parameters of the "
                                  "case to ranges, {radius: [5, 26]}");
    }
    EW_TRY(ew_yaml_expect_keys(yaml, node, "optimise: parameters", yaml->names));
    EW_TRY(ew_arena_take(&reader->arena, (size_t)n * sizeof *sweep->parameter, &sweep->parameter));
    EW_TRY(ew_arena_take(&reader->arena, (size_t)n * sizeof *search->low, &search->low));
    EW_TRY(ew_arena_take(&reader->arena, (size_t)n * sizeof *search->high, &search->high));
    sweep->n_parameter = n;
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_pair_t *pair = &node->data.mapping.pairs.start[i];
        const yaml_node_t *key = yaml_document_get_node(&yaml->document, pair->key);
        const yaml_node_t *range = yaml_document_get_node(&yaml->document, pair->value);
        double bound[2] = {0};
        int32_t m = 0;
        EW_TRY(ew_yaml_choice(key, "optimise: parameters", yaml->names, &sweep->parameter[i]));
        const ew_case_parameter *about = &input->parameter[sweep->parameter[i]];
        EW_TRY(ew_yaml_expect_list(range, about->name, &m));
        for (int32_t c = 0; c < m && c < 2; c++) {
            EW_TRY(ew_yaml_number(ew_yaml_item(yaml, range, c), about->name, &bound[c]));
        }
        if (m != 2 || !(bound[0] < bound[1]) || !isfinite(bound[1] - bound[0])) {
            return ew_yaml_fail(range,
                                "%s must have a range [least, greatest], the least below "
                                "the greatest",
                                about->name);
        }
        if (about->value < bound[0] || about->value > bound[1]) {
            return ew_yaml_fail(range,
                                "%s is %g, where the search starts; it must lie in its range",
                                about->name, about->value);
        }
        search->low[i] = bound[0];
        search->high[i] = bound[1];
    }
    return EW_OK;
}

/* A safety is by a strength, which some material must have. */
static ew_status check_strength(const ew_case *input, const yaml_node_t *node, const char *text)
{
    const bool yield = !strcmp(text, "yield_safety");
    bool has = !yield && strcmp(text, "ultimate_safety") != 0;
    for (int32_t i = 0; i < input->n_material; i++) {
        const ew_material *material = &input->material[i].material;
        has = has || (yield ? material->yield_strength : material->ultimate_strength) > 0.0;
    }
    return has ? EW_OK
               : ew_yaml_fail(node, "optimise: '%s' is by '%s' of a material, and none has one",
                              text, yield ? "yield_strength" : "ultimate_strength");
}

/* Outputs of fatigue are there with it; with it as the last step others of an answer are not. */
static ew_status check_fatigue(const ew_case *input, const yaml_node_t *node, const char *text)
{
    const bool is_fatigue = !strncmp(text, "fatigue_", 8);
    if (is_fatigue && !input->fatigue) {
        return ew_yaml_fail(node, "optimise: '%.60s' is there with 'fatigue:' of the case alone",
                            text);
    }
    if (!is_fatigue && input->step[input->n_step - 1].is_fatigue && strcmp(text, "mass") != 0 &&
        strcmp(text, "volume") != 0) {
        return ew_yaml_fail(node,
                            "optimise: '%.60s' is of the last step, which is the fatigue; add "
                            "'envelope: true' for extremes of the body behind it",
                            text);
    }
    return EW_OK;
}

/* "mass", or "max_von_mises of tip": of a set. */
static ew_status read_output(ew_case_reader *reader, const yaml_node_t *node,
                             ew_case_output_of *out)
{
    const ew_case *input = reader->out;
    const char *text;
    bool found = false;
    EW_TRY(ew_yaml_text(&reader->yaml, node, "an output", &text));
    const char *of = strstr(text, " of ");
    const size_t length = of ? (size_t)(of - text) : strlen(text);
    out->name = text;
    out->set = -1;
    const char *words = of ? EW_SET_OUTPUTS : EW_OUTPUTS;
    for (int32_t i = 0; *words; i++) {
        const size_t n = strcspn(words, " ");
        if (n == length && !memcmp(words, text, n)) {
            out->quantity = i;
            found = true;
        }
        words += n + strspn(words + n, " ");
    }
    if (!found) {
        return ew_yaml_fail(node,
                            "optimise: there is no output '%.60s'; there are %s, and of sets, "
                            "'%s of SET', %s",
                            text, EW_OUTPUTS, "max_von_mises", EW_SET_OUTPUTS);
    }
    EW_TRY(of ? EW_OK : check_strength(input, node, text));
    EW_TRY(check_fatigue(input, node, text));
    if (input->step[input->n_step - 1].is_envelope && (of || !strcmp(text, "strain_energy"))) {
        return ew_yaml_fail(node,
                            "optimise: '%.60s' is of one step, and an envelope is the last one; it "
                            "has mass, volume, safety, and the extremes of the body",
                            text);
    }
    for (int32_t s = 0; of && s < input->n_set; s++) {
        out->set = strcmp(reader->set[s].name, of + 4) ? out->set : s;
    }
    return !of || out->set >= 0 ? EW_OK
                                : ew_yaml_fail(node, "optimise: there is no set '%.60s'", of + 4);
}

/* 2e8 is at most that; else {least: .., most: ..}. */
static ew_status read_limit(ew_case_reader *reader, const yaml_node_t *key, const yaml_node_t *node,
                            ew_case_limit *limit)
{
    static const char *const side[] = {"least", "most"};
    ew_yaml *yaml = &reader->yaml;
    double *into[] = {&limit->least, &limit->most};
    EW_TRY(read_output(reader, key, &limit->of));
    limit->least = -INFINITY;
    limit->most = INFINITY;
    if (node->type != YAML_MAPPING_NODE) {
        return ew_yaml_number(node, limit->of.name, &limit->most);
    }
    EW_TRY(ew_case_expect(yaml, node, limit->of.name, &ew_section_limit));
    for (int32_t i = 0; i < 2; i++) {
        const yaml_node_t *value = ew_yaml_find(yaml, node, side[i]);
        EW_TRY(value ? ew_yaml_number(value, side[i], into[i]) : EW_OK);
    }
    return (isfinite(limit->least) || isfinite(limit->most)) && limit->least < limit->most
               ? EW_OK
               : ew_yaml_fail(node,
                              "%s: give it 'least', 'most' or both, the first below the other",
                              limit->of.name);
}

static ew_status read_limits(ew_case_reader *reader, const yaml_node_t *node,
                             ew_case_search *search)
{
    if (!node) {
        return EW_OK;
    }
    if (node->type != YAML_MAPPING_NODE) {
        return ew_yaml_fail(node, "optimise: 'limits' must be a mapping of outputs, "
                                  "{max_von_mises: 2e8}");
    }
    const yaml_node_pair_t *start = node->data.mapping.pairs.start;
    search->n_limit = (int32_t)(node->data.mapping.pairs.top - start);
    EW_TRY(ew_arena_take(&reader->arena, (size_t)(search->n_limit + 1) * sizeof *search->limit,
                         &search->limit));
    if (search->n_limit > EW_MAX_LIMITS) {
        return ew_yaml_fail(node, "optimise: at most %d limits", (int)EW_MAX_LIMITS);
    }
    for (int32_t i = 0; i < search->n_limit; i++) {
        yaml_document_t *document = &reader->yaml.document;
        const yaml_node_t *key = yaml_document_get_node(document, start[i].key);
        EW_TRY(read_limit(reader, key, yaml_document_get_node(document, start[i].value),
                          &search->limit[i]));
        for (int32_t j = 0; j < i; j++) {
            if (!strcmp(search->limit[j].of.name, search->limit[i].of.name)) {
                return ew_yaml_fail(key, "optimise: limits: '%.60s' is given twice",
                                    search->limit[i].of.name);
            }
        }
    }
    return EW_OK;
}

/* By the words of EW_OUTPUTS, of a set of EW_SET_OUTPUTS. */
static ew_status check_derivative(const yaml_node_t *node, const ew_case_output_of *of)
{
    static const bool of_body[] = {true, true, true,  true,  true,
                                   true, true, false, false, true};
    static const bool of_set[] = {true, true, true, false, true};
    const int32_t n = of->set < 0 ? (int32_t)(sizeof of_body / sizeof *of_body)
                                  : (int32_t)(sizeof of_set / sizeof *of_set);
    return of->quantity < n && (of->set < 0 ? of_body : of_set)[of->quantity]
               ? EW_OK
               : ew_yaml_fail(node,
                              "optimise: '%.60s' has no derivatives, which this method needs; "
                              "there are those of mass, volume, max_displacement, "
                              "max_von_mises, max_tet_von_mises, max_averaged_von_mises, "
                              "strain_energy, yield_safety, and of "
                              "sets mean_displacement, max_displacement, mean_von_mises, "
                              "reaction_force; or use 'method: cobyla'",
                              of->name);
}

static ew_status read_method(ew_case_reader *reader, const yaml_node_t *node,
                             ew_case_search *search)
{
    const yaml_node_t *value = ew_yaml_find(&reader->yaml, node, "method");
    int32_t choice = 0;
    EW_TRY(value ? ew_yaml_choice(value, "method", EW_SEARCH_METHODS, &choice) : EW_OK);
    search->takes_gradients = choice == 1;
    if (!search->takes_gradients) {
        return EW_OK;
    }
    EW_TRY(check_derivative(value, &search->goal));
    for (int32_t i = 0; i < search->n_limit; i++) {
        EW_TRY(check_derivative(value, &search->limit[i].of));
    }
    return EW_OK;
}

static ew_status read_numbers(ew_case_reader *reader, const yaml_node_t *node,
                              ew_case_search *search, ew_case_sweep *sweep)
{
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *value = ew_yaml_find(yaml, node, "evaluations");
    int64_t n = 60;
    EW_TRY(value ? ew_yaml_integer(value, "evaluations", 1, EW_MAX_COMBINATIONS, &n) : EW_OK);
    sweep->n = (int32_t)n;
    search->tolerance = 1e-3;
    if ((value = ew_yaml_find(yaml, node, "tolerance"))) {
        EW_TRY(ew_yaml_share(value, "tolerance", &search->tolerance));
        if (search->tolerance <= 0 || search->tolerance >= 1) {
            return ew_yaml_fail(value,
                                "tolerance is %g; it is a share of the ranges between 0 and "
                                "1, bounds excluded",
                                search->tolerance);
        }
    }
    return ew_arena_take(&reader->arena,
                         (size_t)sweep->n * (size_t)sweep->n_parameter * sizeof *sweep->value,
                         &sweep->value);
}

ew_status ew_case_read_search(ew_case_reader *reader, const yaml_node_t *node)
{
    ew_yaml *yaml = &reader->yaml;
    ew_case *input = reader->out;
    ew_case_search *search;
    yaml_node_t *value;
    if (!node) {
        return EW_OK;
    }
    if (input->sweep) {
        return ew_yaml_fail(node, "optimise: and 'sweep' exclude each other");
    }
    EW_TRY(ew_case_expect(yaml, node, NULL, &ew_section_search));
    EW_TRY(ew_arena_take(&reader->arena, sizeof *input->sweep, &input->sweep));
    EW_TRY(ew_arena_take(&reader->arena, sizeof *search, &search));
    input->sweep->line = ew_yaml_line(node);
    input->sweep->search = search;
    EW_TRY(ew_yaml_need(yaml, node, "optimise", "parameters", &value));
    EW_TRY(read_bounds(reader, value, search, input->sweep));
    const yaml_node_t *least = ew_yaml_find(yaml, node, "minimize");
    const yaml_node_t *most = ew_yaml_find(yaml, node, "maximize");
    if (!least == !most) {
        return ew_yaml_fail(
            node, "optimise: give it either 'minimize' or 'maximize', an output: %s", EW_OUTPUTS);
    }
    search->maximize = most != NULL;
    EW_TRY(read_output(reader, least ? least : most, &search->goal));
    EW_TRY(read_limits(reader, ew_yaml_find(yaml, node, "limits"), search));
    EW_TRY(read_method(reader, node, search));
    EW_TRY(read_numbers(reader, node, search, input->sweep));
    const ew_case_step *last = &input->step[input->n_step - 1];
    if (!last->has_static && !last->is_fatigue && !last->is_envelope) {
        return ew_yaml_fail(node, "optimise: the outputs are those of the last step, which must be "
                                  "static");
    }
    return ew_case_read_sweep_start(reader, ew_yaml_find(yaml, node, "start"), EW_SWEEP_WARM);
}
