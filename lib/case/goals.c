/* `goals:` of a case: numbers that answers are wanted for, by name. */
#include "case/reader.h"

#include <string.h>

/* Parameters that derivatives are by. */
static ew_status read_parameters(ew_case_reader *reader, const yaml_node_t *list, ew_case_goal *out)
{
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *root = yaml_document_get_root_node(&yaml->document);
    int32_t n = 0;
    if (!list) {
        return EW_OK;
    }
    EW_TRY(ew_yaml_expect_list(list, "by", &n));
    if (n > EW_MAX_DERIVATIVES) {
        return ew_yaml_fail(list, "by: at most %d parameters", (int)EW_MAX_DERIVATIVES);
    }
    EW_TRY(ew_arena_take(&reader->arena, (size_t)(n + 1) * sizeof *out->by, &out->by));
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *item = ew_yaml_item(yaml, list, i);
        EW_TRY(ew_yaml_choice(item, "by", yaml->names, &out->by[i]));
        if (reader->out->parameter[out->by[i]].follows) {
            return ew_yaml_fail(item, "by: '%.60s' follows from other parameters; name those",
                                reader->out->parameter[out->by[i]].name);
        }
        for (int32_t k = 0; k < i; k++) {
            if (out->by[k] == out->by[i]) {
                return ew_yaml_fail(item, "by: '%.60s' is named twice",
                                    reader->out->parameter[out->by[i]].name);
            }
        }
    }
    if (n && !ew_yaml_find(yaml, root, "sweep") && !ew_yaml_find(yaml, root, "optimise")) {
        const ew_case_parameter *first = &reader->out->parameter[out->by[0]];
        return ew_yaml_fail(list,
                            "by: derivatives are of combinations, and the case has neither 'sweep' "
                            "nor 'optimise'; 'sweep: {list: [{%.60s: %.15g}]}' is the case as it "
                            "stands",
                            first->name, first->value);
    }
    out->n_by = n;
    return EW_OK;
}

/* What a quantity has beside its name. */
static ew_status check_place(const yaml_node_t *node, const ew_case_goal *goal)
{
    const bool has_set = goal->set >= 0;
    switch (goal->quantity) {
    case EW_CASE_GOAL_DISPLACEMENT:
    case EW_CASE_GOAL_STRESS:
    case EW_CASE_GOAL_VON_MISES:
        return has_set != goal->has_point
                   ? EW_OK
                   : ew_yaml_fail(node,
                                  "goal '%.60s' needs a 'set' or the 'point' that the vertex "
                                  "nearest to it is meant by, one of the two",
                                  goal->name);
    case EW_CASE_GOAL_REACTION:
        return has_set && !goal->has_point
                   ? EW_OK
                   : ew_yaml_fail(node, "goal '%.60s': a reaction is of a 'set'", goal->name);
    default:
        return has_set || goal->has_point
                   ? ew_yaml_fail(node,
                                  "goal '%.60s' is of the whole body; leave out 'set' and "
                                  "'point'",
                                  goal->name)
                   : EW_OK;
    }
}

static ew_status read_goal(ew_case_reader *reader, const yaml_node_t *node, ew_case_goal *out)
{
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *value;
    int32_t component = -1;
    out->set = -1;
    EW_TRY(ew_case_read_keys(yaml, node, &ew_section_goal, out));
    if ((value = ew_yaml_find(yaml, node, "set"))) {
        EW_TRY(ew_case_read_set_use(reader, value, "set", &out->set));
    }
    out->has_point = ew_yaml_find(yaml, node, "point") != NULL;
    if ((value = ew_yaml_find(yaml, node, "direction"))) {
        EW_TRY(ew_case_read_axis(reader, value, "direction", out->direction));
    }
    if ((value = ew_yaml_find(yaml, node, "component"))) {
        EW_TRY(ew_yaml_choice(value, "component", EW_STRESS_COMPONENTS, &component));
        out->component = component;
    }
    if ((component >= 0) != (out->quantity == EW_CASE_GOAL_STRESS)) {
        return ew_yaml_fail(node,
                            "goal '%.60s': a 'stress', and nothing else, needs a 'component', "
                            "one of " EW_STRESS_COMPONENTS,
                            out->name);
    }
    EW_TRY(check_place(node, out));
    return read_parameters(reader, ew_yaml_find(yaml, node, "by"), out);
}

/* Whether a column of a name could be that of another goal's bound or derivative. */
static bool is_taken(const char *name)
{
    const size_t n = strlen(name);
    return strstr(name, "_by_") || (n >= 3 && !strcmp(name + n - 3, "_by")) ||
           (n >= 6 && !strcmp(name + n - 6, "_bound"));
}

/* Names become those of columns. */
static ew_status check_name(const ew_case *input, const yaml_node_t *key, int32_t i)
{
    const char *name = input->goal[i].name;
    const size_t n = strlen(name);
    if (!n || n > EW_MAX_GOAL_NAME ||
        n != strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")) {
        return ew_yaml_fail(key, "goals: a name has letters, digits and _, at most %d: '%.60s'",
                            (int)EW_MAX_GOAL_NAME, name);
    }
    if (is_taken(name)) {
        return ew_yaml_fail(key,
                            "goals: '%.60s' reads like the bound or the derivative of another "
                            "goal; a name has no '_by_' in it, and no '_by' or '_bound' at "
                            "its end",
                            name);
    }
    for (int32_t k = 0; k < i; k++) {
        if (!strcmp(input->goal[k].name, name)) {
            return ew_yaml_fail(key, "goal '%.60s' is defined twice (first in line %d)", name,
                                (int)input->goal[k].line);
        }
    }
    return EW_OK;
}

ew_status ew_case_read_goals(ew_case_reader *reader, const yaml_node_t *node)
{
    ew_case *input = reader->out;
    ew_yaml *yaml = &reader->yaml;
    if (!node || ew_yaml_is_null(node)) {
        return EW_OK;
    }
    if (node->type != YAML_MAPPING_NODE) {
        return ew_yaml_fail(node, "goals must be a mapping from names to goals");
    }
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    const int32_t n = (int32_t)(node->data.mapping.pairs.top - pair);
    if (n > EW_MAX_GOALS) {
        return ew_yaml_fail(node, "goals: %d are more than the %d that there may be", (int)n,
                            (int)EW_MAX_GOALS);
    }
    EW_TRY(ew_arena_take(&reader->arena, (size_t)(n + 1) * sizeof *input->goal, &input->goal));
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *key = yaml_document_get_node(&yaml->document, pair[i].key);
        ew_case_goal *out = &input->goal[i];
        EW_TRY(ew_yaml_text(yaml, key, "the name of a goal", &out->name));
        out->line = ew_yaml_line(key);
        EW_TRY(check_name(input, key, i));
        EW_TRY(read_goal(reader, yaml_document_get_node(&yaml->document, pair[i].value), out));
        input->n_goal = i + 1;
    }
    return EW_OK;
}

static ew_status refuse_derivatives(int32_t line, const char *what)
{
    return ew_fail_at(EW_BAD_INPUT, line,
                      "derivatives (goals with 'by', 'method: mma') do not go with %s; leave 'by' "
                      "out and compare combinations, in a search use 'method: cobyla'",
                      what);
}

/* Derivatives are of a linear body that is prepared from the values of parameters alone: which
 * points of a contact are closed and what a locked bolt came to are of answers. */
ew_status ew_case_check_derivatives(const ew_case *input)
{
    const ew_case_search *search = input->sweep ? input->sweep->search : NULL;
    bool wanted = search && search->takes_gradients;
    for (int32_t i = 0; i < input->n_goal; i++) {
        wanted = wanted || input->goal[i].n_by;
    }
    if (wanted && input->n_contact) {
        return refuse_derivatives(input->contact[0].line, "contact");
    }
    for (int32_t i = 0; i < input->n_tie && wanted && input->n_step > 1; i++) {
        if (input->tie[i].is_bolt && input->tie[i].is_locked && input->tie[i].force > 0.0) {
            return refuse_derivatives(input->tie[i].line,
                                      "several steps of a bolt that the first one locks (or let "
                                      "it have 'locked: false')");
        }
    }
    return EW_OK;
}

/* Where goals alone are reported, nothing asks for the fields of an answer. */
ew_status ew_case_check_report(const ew_case *input)
{
    const ew_case_output *output = &input->output;
    bool plain = input->n_goal && !input->n_contact && !input->mixed && !input->fatigue &&
                 !output->n_path && !output->n_section && !input->n_surface &&
                 input->kinematics == EW_SMALL && !ew_case_is_inelastic(input);
    for (int32_t s = 0; s < input->n_step; s++) {
        const ew_case_step *step = &input->step[s];
        plain = plain && !step->dynamic && !step->n_mode && !step->response && !step->remove &&
                !step->converge && !step->n_part && !step->is_envelope && !step->is_fatigue;
    }
    return plain ? EW_OK
                 : ew_fail_at(EW_BAD_INPUT, input->sweep->line,
                              "sweep: 'report: goals' is for linear static steps without "
                              "envelopes, combinations, contact, paths, sections and surfaces, of "
                              "a case with 'goals:'; use 'report: numbers'");
}
