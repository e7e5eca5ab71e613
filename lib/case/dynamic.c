/* `dynamic:` of a step: YAML in; time steps, scheme, initial state, probes and edits during the run
 * out. Where it lies in time is known once the steps before it are read. */
#include "case/reader.h"

#include <math.h>
#include <string.h>

/* A result file numbers its records with six digits. */
enum { MAX_RECORDS = 1000000 };
/* A whole number of time steps is taken for one within this share of a step. */
static const double almost_whole = 1e-6;

/* ---- numbers and the scheme ----------------------------------------------------------- */

/* `step`, and `end` or `steps`. */
static ew_status read_time(ew_case_reader *reader, const yaml_node_t *node, ew_case_dynamic *out)
{
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *end = ew_yaml_find(yaml, node, "end"),
                      *steps = ew_yaml_find(yaml, node, "steps");
    int64_t n = 0;
    if (!end == !steps) {
        return ew_yaml_fail(node, "dynamic: give 'end:', a time, or 'steps:', how many, and not "
                                  "both");
    }
    out->end = NAN;
    EW_TRY(end ? ew_yaml_number(end, "end", &out->end)
               : ew_yaml_integer(steps, "steps", 1, INT32_MAX / 2, &n));
    out->n_step = (int32_t)n;
    return EW_OK;
}

/* A parameter is read where the scheme has it. */
static ew_status read_parameter(ew_case_reader *reader, const yaml_node_t *node, const char *key,
                                bool has_it, double *number)
{
    const yaml_node_t *value = ew_yaml_find(&reader->yaml, node, key);
    if (value && !has_it) {
        return ew_yaml_fail(value,
                            "this scheme has no %s; newmark has beta and gamma, hht alpha, "
                            "generalized-alpha spectral_radius",
                            key);
    }
    return value ? ew_yaml_number(value, key, number) : EW_OK;
}

static ew_status read_scheme(ew_case_reader *reader, const yaml_node_t *node, ew_dynamics_def *def)
{
    ew_scheme_parameters *to = &def->parameters;
    const bool newmark = def->scheme == EW_NEWMARK, hht = def->scheme == EW_HHT;
    const bool generalized = def->scheme == EW_GENERALIZED_ALPHA;
    EW_TRY(read_parameter(reader, node, "beta", newmark, &to->beta));
    EW_TRY(read_parameter(reader, node, "gamma", newmark, &to->gamma));
    EW_TRY(read_parameter(reader, node, "alpha", hht, &to->alpha));
    return read_parameter(reader, node, "spectral_radius", generalized, &to->spectral_radius);
}

/* ---- the initial state --------------------------------------------------------------- */

static ew_status read_start(ew_case_reader *reader, const yaml_node_t *node, ew_case_dynamic *out)
{
    int32_t choice;
    out->start_frame = -1;
    if (node->type == YAML_SCALAR_NODE) {
        EW_TRY(ew_yaml_choice(node, "initial", "previous rest", &choice));
        out->start = choice ? EW_START_REST : EW_START_PREVIOUS;
        return EW_OK;
    }
    out->start = EW_START_RESULT;
    return ew_case_read_keys(&reader->yaml, node, &ew_section_from, out);
}

static ew_status read_values(ew_case_reader *reader, const yaml_node_t *node, bool is_velocity,
                             ew_case_initial *out)
{
    const char *what = is_velocity ? "velocity" : "displacement";
    yaml_node_t *value;
    EW_TRY(ew_case_expect(&reader->yaml, node, what, &ew_section_initial_displacement));
    out->line = ew_yaml_line(node);
    out->is_velocity = is_velocity;
    EW_TRY(ew_yaml_need(&reader->yaml, node, what, "set", &value));
    EW_TRY(ew_case_read_set_use(reader, value, "set", &out->set));
    EW_TRY(ew_yaml_need(&reader->yaml, node, what, "value", &value));
    return ew_yaml_vector(&reader->yaml, value, "value", out->value);
}

/* One {set, value}, or a list of them. */
static ew_status read_all_values(ew_case_reader *reader, const yaml_node_t *node, bool is_velocity,
                                 ew_case_dynamic *out)
{
    const char *what = is_velocity ? "velocity" : "displacement";
    const yaml_node_t *value = ew_yaml_find(&reader->yaml, node, what);
    const bool list = value && value->type == YAML_SEQUENCE_NODE;
    int32_t n = value ? 1 : 0;
    EW_TRY(list ? ew_yaml_expect_list(value, what, &n) : EW_OK);
    const ew_case_initial *before = out->initial;
    EW_TRY(ew_arena_take(&reader->arena, sizeof *out->initial * (size_t)(out->n_initial + n + 1),
                         &out->initial));
    if (out->n_initial) {
        memcpy(out->initial, before, sizeof *before * (size_t)out->n_initial);
    }
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *item = list ? ew_yaml_item(&reader->yaml, value, i) : value;
        EW_TRY(read_values(reader, item, is_velocity, &out->initial[out->n_initial]));
        out->n_initial++;
    }
    return EW_OK;
}

static ew_status read_initial(ew_case_reader *reader, const yaml_node_t *node, ew_case_dynamic *out)
{
    if (node->type == YAML_SCALAR_NODE) {
        return read_start(reader, node, out);
    }
    EW_TRY(ew_case_expect(&reader->yaml, node, NULL, &ew_section_initial));
    const yaml_node_t *from = ew_yaml_find(&reader->yaml, node, "from");
    EW_TRY(from ? read_start(reader, from, out) : EW_OK);
    EW_TRY(read_all_values(reader, node, false, out));
    return read_all_values(reader, node, true, out);
}

/* ---- output and probes ---------------------------------------------------------------- */

/* The name of a set, or {name, set}. A set without a name gives none to its probe. */
static ew_status read_probe(ew_case_reader *reader, const yaml_node_t *node, ew_case_probe *out)
{
    ew_yaml *yaml = &reader->yaml;
    yaml_node_t *set, *name;
    out->line = ew_yaml_line(node);
    if (node->type == YAML_SCALAR_NODE) {
        EW_TRY(ew_yaml_text(yaml, node, "a probe", &out->name));
        return ew_case_read_set_use(reader, node, "a probe", &out->set);
    }
    EW_TRY(ew_case_expect(yaml, node, NULL, &ew_section_probe));
    EW_TRY(ew_yaml_need(yaml, node, "a probe", "set", &set));
    EW_TRY(ew_case_read_set_use(reader, set, "set", &out->set));
    name = ew_yaml_find(yaml, node, "name");
    if (!name && reader->set[out->set].is_unnamed) {
        return ew_yaml_fail(node, "a probe of a set written in place needs a name");
    }
    out->name = name ? NULL : reader->set[out->set].name;
    return name ? ew_yaml_text(yaml, name, "name", &out->name) : EW_OK;
}

static ew_status read_probes(ew_case_reader *reader, const yaml_node_t *list, ew_case_dynamic *out)
{
    int32_t n = 0;
    EW_TRY(ew_yaml_expect_list(list, "probes", &n));
    EW_TRY(ew_arena_take(&reader->arena, sizeof *out->probe * (size_t)(n + 1), &out->probe));
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *item = ew_yaml_item(&reader->yaml, list, i);
        EW_TRY(read_probe(reader, item, &out->probe[i]));
        for (int32_t k = 0; k < i; k++) {
            if (!strcmp(out->probe[k].name, out->probe[i].name)) {
                return ew_yaml_fail(item, "probe '%.60s' stands already in line %d",
                                    out->probe[i].name, (int)out->probe[k].line);
            }
        }
        out->n_probe = i + 1;
    }
    return EW_OK;
}

/* ---- edits during the run ---------------------------------------------------------------- */

static ew_status read_edits(ew_case_reader *reader, const yaml_node_t *list, ew_case_dynamic *out)
{
    int32_t n = 0;
    EW_TRY(ew_yaml_expect_list(list, "edits", &n));
    EW_TRY(ew_arena_take(&reader->arena, sizeof *out->edit * (size_t)(n + 1), &out->edit));
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *item = ew_yaml_item(&reader->yaml, list, i);
        ew_case_timed_edit *edit = &out->edit[i];
        yaml_node_t *at;
        EW_TRY(ew_case_read_edit(reader, item, "at", &edit->edit));
        EW_TRY(ew_yaml_need(&reader->yaml, item, "an edit during the run", "at", &at));
        EW_TRY(ew_yaml_number(at, "at", &edit->at));
        if (i && edit->at < out->edit[i - 1].at) {
            return ew_yaml_fail(at, "at %g follows %g; list edits in the order of their times",
                                edit->at, out->edit[i - 1].at);
        }
        out->n_edit = i + 1;
    }
    return EW_OK;
}

/* ---- the step -------------------------------------------------------------------------- */

static ew_status read_lists(ew_case_reader *reader, const yaml_node_t *node, ew_case_dynamic *out)
{
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *value;
    if ((value = ew_yaml_find(yaml, node, "initial"))) {
        EW_TRY(read_initial(reader, value, out));
    }
    if ((value = ew_yaml_find(yaml, node, "output"))) {
        EW_TRY(ew_case_read_keys(yaml, value, &ew_section_dynamic_output, out));
    }
    if ((value = ew_yaml_find(yaml, node, "probes"))) {
        EW_TRY(read_probes(reader, value, out));
    }
    if ((value = ew_yaml_find(yaml, node, "edits"))) {
        reader->in_edit = true;
        EW_TRY(read_edits(reader, value, out));
        reader->in_edit = false;
    }
    return EW_OK;
}

/* The checks of the model, but for whether there is a direct solver: it comes when the case runs.
 */
static ew_status check(ew_dynamics_def def)
{
    if (def.solver.preconditioner == EW_CHOLESKY) {
        def.solver.preconditioner = EW_AUTO_PRECONDITIONER;
    }
    return ew_dynamics_def_check(&def);
}

ew_status ew_case_read_dynamic(ew_case_reader *reader, const yaml_node_t *node, ew_case_step *step)
{
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *value;
    ew_case_dynamic *out;
    int32_t mass = 0;
    EW_TRY(ew_arena_take(&reader->arena, sizeof *out, &out));
    out->line = ew_yaml_line(node);
    out->def = ew_default_dynamics_def();
    out->def.account = true;
    out->every = 1;
    EW_TRY(ew_case_read_keys(yaml, node, &ew_section_dynamic, out));
    EW_TRY(read_time(reader, node, out));
    EW_TRY(read_scheme(reader, node, &out->def));
    if ((value = ew_yaml_find(yaml, node, "damping"))) {
        EW_TRY(ew_case_read_keys(yaml, value, &ew_section_damping, &out->def));
    }
    if ((value = ew_yaml_find(yaml, node, "mass"))) {
        EW_TRY(ew_yaml_choice(value, "mass", "lumped consistent", &mass));
        out->def.mass = mass ? EW_MASS_CONSISTENT : EW_MASS_LUMPED;
    }
    if ((value = ew_yaml_find(yaml, node, "nonlinear"))) {
        EW_TRY(ew_case_read_newton(reader, value, step, &out->def));
    }
    EW_TRY(ew_case_read_solver(reader, node, &out->def.solver));
    EW_TRY(
        ew_case_read_operator(reader, node, out->def.solver.preconditioner, &step->operator_kind));
    const ew_status status = check(out->def);
    if (status) {
        return ew_fail_line(status, out->line);
    }
    EW_TRY(read_lists(reader, node, out));
    step->dynamic = out;
    reader->out->has_dynamics = true;
    return EW_OK;
}

/* ---- its place in time ------------------------------------------------------------------- */

static ew_status require_density(const ew_case *input, const ew_case_dynamic *dynamic)
{
    for (int32_t i = 0; i < input->n_material; i++) {
        if (input->material[i].material.density <= 0) {
            return ew_fail_at(EW_BAD_INPUT, input->material[i].line,
                              "the material has no density; the dynamic step in line %d needs "
                              "'density:'",
                              (int)dynamic->line);
        }
    }
    return EW_OK;
}

static ew_status count_steps(const ew_case_step *step)
{
    ew_case_dynamic *of = step->dynamic;
    if (of->n_step) {
        of->end = step->start + of->n_step * of->step;
        return isfinite(of->end) && of->end > step->start
                   ? EW_OK
                   : ew_fail_at(EW_BAD_INPUT, of->line,
                                "%d steps of %g from %g on end at %g; it must be a finite time "
                                "after the start",
                                (int)of->n_step, of->step, step->start, of->end);
    }
    if (of->end <= step->start) {
        return ew_fail_at(EW_BAD_INPUT, of->line,
                          "end is %g, and the step starts at %g; it is a time of the case, which "
                          "goes on from step to step",
                          of->end, step->start);
    }
    const double n = (of->end - step->start) / of->step;
    if (n < 1.0 - almost_whole) {
        return ew_fail_at(EW_BAD_INPUT, of->line,
                          "step is %g, longer than all of the time from %g to %g", of->step,
                          step->start, of->end);
    }
    if (n > INT32_MAX / 2) {
        return ew_fail_at(EW_BAD_INPUT, of->line, "%g time steps are too many; %d are allowed", n,
                          INT32_MAX / 2);
    }
    of->n_step = (int32_t)ceil(n - almost_whole);
    return EW_OK;
}

ew_status ew_case_place_dynamic(ew_case *input, ew_case_step *step)
{
    const ew_case_dynamic *of = step->dynamic;
    if (of->start == EW_START_RESULT &&
        (ew_case_is_quadratic(input) ||
         (ew_case_has_laws(input) && ew_case_takes_laws(input, step)))) {
        return ew_fail_line(ew_refuse(EW_RULE_STATE, "a start from a result"), of->line);
    }
    EW_TRY(require_density(input, of));
    EW_TRY(count_steps(step));
    const double dt = (of->end - step->start) / of->n_step;
    input->shortest_step = input->shortest_step > 0 ? fmin(input->shortest_step, dt) : dt;
    for (int32_t i = 0; i < of->n_edit; i++) {
        if (!(of->edit[i].at >= step->start && of->edit[i].at < of->end)) {
            return ew_fail_at(EW_BAD_INPUT, of->edit[i].edit.line,
                              "at is %g; an edit during the run lies from %g on and before %g, "
                              "where the step ends",
                              of->edit[i].at, step->start, of->end);
        }
    }
    if (ew_case_n_output(step) > MAX_RECORDS - input->n_record - input->n_step) {
        return ew_fail_at(EW_BAD_INPUT, of->line,
                          "%d outputs are too many; a result has room for %d: raise 'output: "
                          "{every: %d}'",
                          (int)ew_case_n_output(step), MAX_RECORDS, (int)of->every);
    }
    input->n_record += ew_case_n_output(step);
    return EW_OK;
}
