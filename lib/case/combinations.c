/* `combinations:` and `envelope:` of a case. In: the steps, read.
 * Out: for each combination a static step more, whose loads and prescribed displacements are those
 * of its steps times their factors, on the same matrix; for an envelope a last step that takes what
 * the others came to. */
#include "case/reader.h"

#include <math.h>
#include <string.h>

static const yaml_node_t *root_key(ew_case_reader *reader, const char *key)
{
    const yaml_node_t *root = yaml_document_get_root_node(&reader->yaml.document);
    return ew_yaml_find(&reader->yaml, root, key);
}

static int32_t count_pairs(const yaml_node_t *node)
{
    return node && node->type == YAML_MAPPING_NODE
               ? (int32_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start)
               : 0;
}

int32_t ew_case_count_combined(ew_case_reader *reader)
{
    return count_pairs(root_key(reader, "combinations")) + (root_key(reader, "fatigue") != NULL) +
           (root_key(reader, "envelope") != NULL);
}

static const yaml_node_t *pair_of(ew_case_reader *reader, const yaml_node_t *node, int32_t i,
                                  const yaml_node_t **value)
{
    yaml_document_t *document = &reader->yaml.document;
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start + i;
    *value = yaml_document_get_node(document, pair->value);
    return yaml_document_get_node(document, pair->key);
}

int32_t ew_case_step_named(const ew_case *input, const char *name)
{
    for (int32_t i = 0; i < input->n_step; i++) {
        if (!strcmp(input->step[i].name, name)) {
            return i;
        }
    }
    return -1;
}

ew_status ew_case_fail_no_step(const ew_case *input, const yaml_node_t *node, const char *what,
                               bool combined, const char *name)
{
    char known[200] = "";
    size_t n = 0;
    for (int32_t i = 0; i < input->n_step && n < sizeof known - 48; i++) {
        if (combined || !input->step[i].n_part) {
            n += (size_t)snprintf(known + n, sizeof known - n, "%s'%.40s'", n ? ", " : "",
                                  input->step[i].name);
        }
    }
    return ew_yaml_fail(node, "%s: there is no step%s '%.60s'; there %s %s", what,
                        combined ? " or combination" : "", name, strchr(known, ',') ? "are" : "is",
                        known);
}

/* ---- loads times a factor ----------------------------------------------------------------- */

static void scale(double *value, int n, double factor)
{
    for (int i = 0; i < n; i++) {
        value[i] *= factor;
    }
}

/* Why a load has no multiple; null: it has. */
static const char *refuse_factor(const ew_case_load *load, double factor)
{
    return factor == 1.0   ? NULL
           : load->surface ? "acts on a fine surface, and is taken with the factor 1 alone"
           : load->as.own  ? "is a function of a program, and is taken with the factor 1 alone"
           : factor >= 0.0 ? NULL
           : load->as.kind == EW_LOAD_CENTRIFUGAL
               ? "is of the square of a speed, and takes no negative factor"
           : load->as.only_positive || load->as.kind == EW_LOAD_BEARING
               ? "pushes and never pulls, and takes no negative factor"
               : NULL;
}

static ew_status scale_load(ew_case_reader *reader, const yaml_node_t *place,
                            const ew_case_load *from, double factor, ew_case_load *to)
{
    ew_model_load *as = &to->as;
    const char *why = refuse_factor(from, factor);
    if (why) {
        return ew_yaml_fail(place, "combinations: the load in line %d %s", (int)from->line, why);
    }
    *to = *from;
    scale(as->vector, 3, as->kind == EW_LOAD_CENTRIFUGAL ? sqrt(factor) : factor);
    scale(as->gradient, 3, factor);
    as->pressure *= factor;
    as->change *= factor;
    if (from->nodes && factor != 1.0) {
        const size_t bytes = 3 * sizeof(double) * (size_t)from->n_place;
        EW_TRY(ew_arena_take(&reader->arena, bytes + 1, &to->force));
        memcpy(to->force, from->force, bytes);
        scale(to->force, 3 * from->n_place, factor);
        to->nodes = ++reader->out->n_load_nodes;
    }
    return EW_OK;
}

static const ew_case_load *loads_of(const ew_case *input, const ew_case_step *step, int32_t *n)
{
    *n = step->own_loads ? step->n_load : input->n_load;
    return step->own_loads ? step->load : input->load;
}

static ew_status combine_loads(ew_case_reader *reader, const yaml_node_t *place, ew_case_step *made)
{
    const ew_case *input = reader->out;
    int32_t n, all = 0;
    for (int32_t i = 0; i < made->n_part; i++) {
        (void)loads_of(input, &input->step[made->part[i].step], &n);
        all += n;
    }
    EW_TRY(ew_arena_take(&reader->arena, sizeof *made->load * (size_t)(all + 1), &made->load));
    made->own_loads = true;
    for (int32_t i = 0; i < made->n_part; i++) {
        const ew_case_load *list = loads_of(input, &input->step[made->part[i].step], &n);
        for (int32_t k = 0; k < n && made->part[i].factor != 0.0; k++) {
            EW_TRY(scale_load(reader, place, &list[k], made->part[i].factor,
                              &made->load[made->n_load++]));
        }
    }
    return EW_OK;
}

/* ---- supports ----------------------------------------------------------------------------- */

static const ew_case_constraint *constraints_of(const ew_case *input, const ew_case_step *step,
                                                int32_t *n)
{
    *n = step->own_constraints ? step->n_constraint : input->n_constraint;
    return step->own_constraints ? step->constraint : input->constraint;
}

/* All but values and lines. */
static bool is_alike(const ew_case_constraint *a, const ew_case_constraint *b)
{
    return a->set == b->set && a->fixed == b->fixed && a->is_spring == b->is_spring &&
           a->spring == b->spring && !memcmp(a->stiffness, b->stiffness, sizeof a->stiffness) &&
           a->axes.kind == b->axes.kind &&
           !memcmp(a->axes.direction, b->axes.direction, sizeof a->axes.direction) &&
           !memcmp(a->axes.point, b->axes.point, sizeof a->axes.point) &&
           !memcmp(a->normal, b->normal, sizeof a->normal);
}

/* One matrix for all. */
static ew_status combine_supports(ew_case_reader *reader, const yaml_node_t *place,
                                  ew_case_step *made)
{
    const ew_case *input = reader->out;
    const ew_case_step *first = &input->step[made->part[0].step];
    int32_t n, n_other;
    const ew_case_constraint *list = constraints_of(input, first, &n), *other;
    made->own_constraints = true;
    made->n_constraint = n;
    EW_TRY(ew_arena_take(&reader->arena, sizeof *list * (size_t)(n + 1), &made->constraint));
    memcpy(made->constraint, list, sizeof *list * (size_t)n);
    for (int32_t k = 0; k < n; k++) {
        memset(made->constraint[k].value, 0, sizeof made->constraint[k].value);
    }
    for (int32_t i = 0; i < made->n_part; i++) {
        const ew_case_step *part = &input->step[made->part[i].step];
        bool alike = true;
        other = constraints_of(input, part, &n_other);
        for (int32_t k = 0; k < n && n == n_other; k++) {
            alike = alike && is_alike(&list[k], &other[k]);
            for (int c = 0; c < 3; c++) {
                made->constraint[k].value[c] += made->part[i].factor * other[k].value[c];
            }
        }
        if (n != n_other || !alike) {
            return ew_yaml_fail(place,
                                "combinations: steps '%.60s' and '%.60s' have other supports; what "
                                "is combined shares one matrix, so give them the same sets and "
                                "components in the same order",
                                first->name, part->name);
        }
    }
    return EW_OK;
}

/* ---- a combination ------------------------------------------------------------------------ */

static bool defines_again(const ew_case_reader *reader, const ew_case_step *step, int32_t s)
{
    bool again = false;
    for (int32_t i = 0; i < step->n_definition; i++) {
        again = again || reader->set[step->definition[i].set].step != s;
    }
    return again;
}

ew_status ew_case_check_same_body(const ew_case_reader *reader, const yaml_node_t *place,
                                  const char *what, int32_t first, int32_t n)
{
    for (int32_t s = first + 1; s < n; s++) {
        const ew_case_step *step = &reader->out->step[s];
        if (step->n_edit || step->converge || step->reset ||
            (step->dynamic && step->dynamic->n_edit) || defines_again(reader, step, s)) {
            return ew_yaml_fail(place,
                                "%s: step '%.60s' changes the body or its sets after step '%.60s'; "
                                "take steps behind the last change alone",
                                what, step->name, reader->out->step[first].name);
        }
    }
    return EW_OK;
}

static ew_status read_parts(ew_case_reader *reader, const yaml_node_t *node, const char *name,
                            ew_case_step *made)
{
    const ew_case *input = reader->out;
    const int32_t n = count_pairs(node);
    if (n == 0) {
        return ew_yaml_fail(node,
                            "combination '%.60s' must be a mapping of steps to factors: {dead: "
                            "1.35, wind: 1.5}",
                            name);
    }
    char what[80];
    snprintf(what, sizeof what, "combination '%.60s'", name);
    EW_TRY(ew_arena_take(&reader->arena, sizeof *made->part * (size_t)n, &made->part));
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *value, *key = pair_of(reader, node, i, &value);
        const char *of;
        ew_case_part *part = &made->part[i];
        EW_TRY(ew_yaml_text(&reader->yaml, key, "a step of a combination", &of));
        part->step = ew_case_step_named(input, of);
        if (part->step < 0 || input->step[part->step].n_part) {
            return ew_case_fail_no_step(input, key, what, false, of);
        }
        const ew_case_step *step = &input->step[part->step];
        if (!step->has_static || step->remove || step->has_nonlinear) {
            return ew_yaml_fail(key,
                                "combination '%.60s': step '%.60s' is not a linear static one, and "
                                "only these add up",
                                name, of);
        }
        EW_TRY(ew_yaml_number(value, "a factor", &part->factor));
        made->n_part = i + 1;
    }
    return EW_OK;
}

/* Solver settings are those of the first step, with the smallest tolerance. */
static void take_solver(const ew_case *input, ew_case_step *made)
{
    const ew_case_step *first = &input->step[made->part[0].step];
    made->has_static = true;
    made->tolerance = first->tolerance;
    made->max_iterations = first->max_iterations;
    made->preconditioner = first->preconditioner;
    made->operator_kind = first->operator_kind;
    made->nonlinear = first->nonlinear;
    for (int32_t i = 1; i < made->n_part; i++) {
        made->tolerance = fmin(made->tolerance, input->step[made->part[i].step].tolerance);
    }
}

static ew_status read_combination(ew_case_reader *reader, const yaml_node_t *key,
                                  const yaml_node_t *node, int32_t n_own)
{
    ew_case *input = reader->out;
    ew_case_step *made = &input->step[input->n_step];
    int32_t first = n_own;
    EW_TRY(ew_yaml_text(&reader->yaml, key, "the name of a combination", &made->name));
    made->line = ew_yaml_line(key);
    if (ew_case_step_named(input, made->name) >= 0) {
        return ew_yaml_fail(key, "combination '%.60s' has the name of a step; give it its own",
                            made->name);
    }
    EW_TRY(read_parts(reader, node, made->name, made));
    for (int32_t i = 0; i < made->n_part; i++) {
        first = made->part[i].step < first ? made->part[i].step : first;
    }
    EW_TRY(ew_case_check_same_body(reader, key, "combinations", first, n_own));
    EW_TRY(combine_loads(reader, key, made));
    EW_TRY(combine_supports(reader, key, made));
    take_solver(input, made);
    input->n_step++;
    return EW_OK;
}

/* ---- the envelope ------------------------------------------------------------------------- */

static ew_status mark(ew_case *input, const yaml_node_t *node, int32_t s, bool is_named)
{
    ew_case_step *step = &input->step[s];
    if (step->has_static || step->dynamic) {
        step->in_envelope = true;
        return EW_OK;
    }
    return is_named ? ew_yaml_fail(node,
                                   "envelope: step '%.60s' is neither static nor dynamic, and has "
                                   "no stress to compare",
                                   step->name)
                    : EW_OK;
}

static ew_status mark_named(ew_case_reader *reader, const yaml_node_t *list)
{
    int32_t n;
    EW_TRY(ew_yaml_expect_list(list, "envelope", &n));
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *item = ew_yaml_item(&reader->yaml, list, i);
        const char *name;
        EW_TRY(ew_yaml_text(&reader->yaml, item, "envelope", &name));
        const int32_t s = ew_case_step_named(reader->out, name);
        if (s < 0) {
            return ew_case_fail_no_step(reader->out, item, "envelope", true, name);
        }
        EW_TRY(mark(reader->out, item, s, true));
    }
    return EW_OK;
}

ew_status ew_case_read_envelope(ew_case_reader *reader, const yaml_node_t *node, int32_t n_own)
{
    ew_case *input = reader->out;
    bool all = false;
    if (node->type == YAML_SCALAR_NODE) {
        EW_TRY(ew_yaml_truth(node, "envelope", &all));
        if (!all) {
            return EW_OK;
        }
    }
    EW_TRY(all ? EW_OK : mark_named(reader, node));
    int32_t first = -1;
    for (int32_t s = 0; s < input->n_step; s++) {
        EW_TRY(all ? mark(input, node, s, false) : EW_OK);
        first = first < 0 && input->step[s].in_envelope ? s : first;
    }
    if (first < 0) {
        return ew_yaml_fail(node, "envelope: no step is static or dynamic; name some");
    }
    EW_TRY(ew_case_check_same_body(reader, node, "envelope", first, n_own));
    if (ew_case_step_named(input, "envelope") >= 0) {
        return ew_yaml_fail(node, "envelope: a step has this name already; give it another one");
    }
    ew_case_step *made = &input->step[input->n_step++];
    made->name = "envelope";
    made->line = ew_yaml_line(node);
    made->is_envelope = true;
    return EW_OK;
}

ew_status ew_case_read_combinations(ew_case_reader *reader)
{
    const yaml_node_t *combinations = root_key(reader, "combinations");
    const int32_t n_own = reader->out->n_step;
    if (combinations && count_pairs(combinations) == 0) {
        return ew_yaml_fail(combinations, "combinations must be a mapping of names: {uls: {dead: "
                                          "1.35, wind: 1.5}}");
    }
    for (int32_t i = 0; i < count_pairs(combinations); i++) {
        const yaml_node_t *value, *key = pair_of(reader, combinations, i, &value);
        EW_TRY(read_combination(reader, key, value, n_own));
    }
    return EW_OK;
}

/* Or a mean strain of a cell. */
static bool has_preload(const ew_case *input)
{
    bool found = false;
    for (int32_t i = 0; i < input->n_tie; i++) {
        found = found || input->tie[i].is_bolt;
        for (int c = 0; c < 6; c++) {
            found = found || input->tie[i].strain[c] != 0.0;
        }
    }
    return found;
}

ew_status ew_case_check_combinations(const ew_case *input)
{
    for (int32_t s = 0; s < input->n_step; s++) {
        if (input->step[s].response && input->kinematics != EW_SMALL) {
            return ew_fail_at(EW_BAD_INPUT, input->step[s].line,
                              "step '%.60s': modes add up in a linear theory alone, not with "
                              "'kinematics: corotational'; take 'dynamic:'",
                              input->step[s].name);
        }
        if (input->step[s].n_part && input->kinematics != EW_SMALL) {
            return ew_fail_at(EW_BAD_INPUT, input->step[s].line,
                              "combination '%.60s': answers add up in a linear theory alone, not "
                              "with 'kinematics: corotational'; write a step with the loads",
                              input->step[s].name);
        }
        if (input->step[s].n_part && has_preload(input)) {
            return ew_fail_at(
                EW_BAD_INPUT, input->step[s].line,
                "combination '%.60s': answers with a preload or a mean strain do not add "
                "up; write a step with the loads",
                input->step[s].name);
        }
    }
    return EW_OK;
}
