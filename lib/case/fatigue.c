/* `fatigue:` of a material, its stress-life and strain-life curves with what corrects it; and of a
 * case, the history that the body is to last. In: materials, steps and combinations, read. Out:
 * curves; a step more, which evaluates the history. */
#include "case/reader.h"

#include <math.h>
#include <string.h>

/* ---- the curve of a material ----------------------------------------------------------------- */

static ew_status read_points(ew_case_reader *reader, const yaml_node_t *list,
                             ew_fatigue_curve *curve)
{
    int32_t n = 0;
    EW_TRY(ew_yaml_expect_list(list, "points", &n));
    if (n > EW_MAX_FATIGUE_POINTS) {
        return ew_yaml_fail(list, "points: the list has %d; it may have %d", (int)n,
                            EW_MAX_FATIGUE_POINTS);
    }
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *item = ew_yaml_item(&reader->yaml, list, i);
        int32_t width = 0;
        if (item->type == YAML_SEQUENCE_NODE) {
            EW_TRY(ew_yaml_expect_list(item, "points", &width));
        }
        if (width != 2) {
            return ew_yaml_fail(item, "each entry of points is a list of 2: [cycles, amplitude]");
        }
        for (int32_t k = 0; k < 2; k++) {
            EW_TRY(ew_yaml_number(ew_yaml_item(&reader->yaml, item, k), "points",
                                  &curve->point[i][k]));
        }
    }
    curve->n_point = n;
    return EW_OK;
}

/* Two points of S = strength (2 N)^exponent; of a knee a third one behind it. */
static void take_basquin(const ew_case_fatigue_keys *keys, ew_fatigue_curve *curve)
{
    double(*at)[2] = curve->point;
    curve->n_point = keys->knee > 0.0 ? 3 : 2;
    at[0][0] = 0.5;
    at[0][1] = keys->strength;
    at[1][0] = keys->knee > 0.0 ? keys->knee : 1e6;
    at[1][1] = keys->strength * pow(2.0 * at[1][0], curve->strain.exponent);
    at[2][0] = 100.0 * at[1][0];
    at[2][1] = at[1][1] * pow(100.0, keys->knee_exponent);
}

/* The strain life; the cyclic curve that fits it where none is given: Morrow 1965. */
static ew_status take_strain(const yaml_node_t *node, ew_fatigue_curve *curve)
{
    ew_strain_life *of = &curve->strain;
    if ((of->ductility > 0.0) != (of->ductility_exponent < 0.0) ||
        (of->cyclic_strength > 0.0) != (of->cyclic_exponent > 0.0) ||
        (of->cyclic_strength > 0.0 && !(of->ductility > 0.0))) {
        return ew_yaml_fail(node, "fatigue: 'ductility' and 'ductility_exponent' go together, with "
                                  "them 'cyclic_strength' and 'cyclic_exponent'");
    }
    if (of->ductility > 0.0 && !(of->cyclic_strength > 0.0)) {
        of->cyclic_exponent = of->exponent / of->ductility_exponent;
        of->cyclic_strength = curve->strength / pow(of->ductility, of->cyclic_exponent);
    }
    return EW_OK;
}

/* Those of the library, which a curve of the case takes the place of. */
static void take_library(ew_yaml *yaml, const yaml_node_t *node, const ew_case_material *material,
                         ew_case_fatigue_keys *keys)
{
    const ew_library_fatigue *of = &material->library->fatigue;
    if (node && (ew_yaml_find(yaml, node, "strength") || ew_yaml_find(yaml, node, "points"))) {
        return;
    }
    if (of->at_million > 0.0) {
        keys->curve.n_point = 2;
        keys->curve.point[0][0] = 1e4;
        keys->curve.point[0][1] = of->at_million * material->library_stress * pow(100.0, 0.2);
        keys->curve.point[1][0] = 1e6;
        keys->curve.point[1][1] = of->at_million * material->library_stress;
        return;
    }
    keys->strength = of->strength * material->library_stress;
    keys->curve.strain =
        (ew_strain_life){.exponent = of->exponent,
                         .ductility = of->ductility,
                         .ductility_exponent = of->ductility_exponent,
                         .cyclic_strength = of->cyclic_strength * material->library_stress,
                         .cyclic_exponent = of->cyclic_exponent};
}

static ew_status read_curve(ew_case_reader *reader, const yaml_node_t *node,
                            ew_case_fatigue_keys *keys)
{
    const yaml_node_t *points = node ? ew_yaml_find(&reader->yaml, node, "points") : NULL;
    const bool by_basquin = keys->strength > 0.0 && keys->curve.strain.exponent < 0.0;
    keys->curve.strength = keys->strength;
    if (points && (keys->curve.strain.exponent < 0.0 || keys->curve.strain.ductility > 0.0 ||
                   keys->knee > 0.0)) {
        return ew_yaml_fail(points, "fatigue: give either 'points' or 'strength' and 'exponent', "
                                    "which 'ductility' goes with; more points stand for a knee");
    }
    if (points) {
        return read_points(reader, points, &keys->curve);
    }
    if (keys->curve.n_point && !(keys->strength > 0.0) && keys->curve.strain.exponent == 0.0 &&
        keys->curve.strain.ductility == 0.0 && keys->knee == 0.0) {
        return EW_OK; /* of the library */
    }
    if (!by_basquin) {
        return ew_yaml_fail(node, "fatigue: a stress-life curve is needed: 'strength' and "
                                  "'exponent', or 'points'");
    }
    if ((keys->knee > 0.0) != (keys->knee_exponent < 0.0)) {
        return ew_yaml_fail(node, "fatigue: 'knee' and 'knee_exponent' go together");
    }
    take_basquin(keys, &keys->curve);
    return take_strain(node, &keys->curve);
}

/* a (Su in MPa)^b, at most 1: Lipson & Noll 1946, after Shigley, Mechanical Engineering Design, 9th
 * edition 2011, table 6-2. */
static ew_status read_surface(ew_case_reader *reader, const yaml_node_t *node, double ultimate,
                              double *factor)
{
    static const double a[] = {1.58, 4.51, 57.7, 272.0}, b[] = {-0.085, -0.265, -0.718, -0.995};
    const ew_case *input = reader->out;
    double unit[3];
    int32_t choice;
    EW_TRY(ew_yaml_choice(node, "surface", EW_FATIGUE_SURFACES, &choice));
    if (!(ultimate > 0.0) || !*input->length_unit || !*input->force_unit ||
        !ew_case_units(input->length_unit, input->force_unit, input->time_unit, unit)) {
        return ew_yaml_fail(node, "surface: its factor is by 'ultimate_strength' in MPa; give it, "
                                  "with 'units: {length: mm, force: N}', or a number in 'factors'");
    }
    const double in_mpa = ultimate * unit[1] / (unit[0] * unit[0]) / 1e6;
    *factor *= fmin(1.0, a[choice] * pow(in_mpa, b[choice]));
    return EW_OK;
}

static ew_status read_factors(ew_case_reader *reader, const yaml_node_t *list, double *factor)
{
    int32_t n = 0;
    EW_TRY(ew_yaml_expect_list(list, "factors", &n));
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *item = ew_yaml_item(&reader->yaml, list, i);
        double value;
        EW_TRY(ew_yaml_number(item, "factors", &value));
        if (!(value > 0.0) || value > 10.0) {
            return ew_yaml_fail(item,
                                "factors: %g is none; each must be greater than 0 and at "
                                "most 10",
                                value);
        }
        *factor *= value;
    }
    return EW_OK;
}

/* What is not of the curve alone. */
static ew_status read_corrections(ew_case_reader *reader, const yaml_node_t *node,
                                  const ew_case_fatigue_keys *keys, ew_fatigue_curve *curve)
{
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *value;
    if ((value = ew_yaml_find(yaml, node, "surface"))) {
        EW_TRY(read_surface(reader, value, curve->ultimate, &curve->strength_factor));
    }
    if ((value = ew_yaml_find(yaml, node, "factors"))) {
        EW_TRY(read_factors(reader, value, &curve->strength_factor));
    }
    if ((keys->survival > 0.0) != (ew_yaml_find(yaml, node, "scatter") != NULL) ||
        keys->survival >= 1.0) {
        return ew_yaml_fail(node,
                            "fatigue: 'survival', a share below 1, and 'scatter' go together");
    }
    if (keys->survival > 0.0) {
        curve->life_factor = ew_fatigue_survival(keys->survival, keys->scatter);
    }
    return EW_OK;
}

ew_status ew_case_read_fatigue_curve(ew_case_reader *reader, const yaml_node_t *node,
                                     ew_case_material *material)
{
    const ew_library_fatigue *library = material->library ? &material->library->fatigue : NULL;
    const ew_material *of = &material->material;
    ew_case_fatigue_keys keys = {.curve = ew_default_fatigue_curve()};
    ew_fatigue_curve *curve = &keys.curve;
    const bool has_library = library && library->source;
    if (!node && !has_library) {
        return EW_OK;
    }
    if (has_library) {
        take_library(&reader->yaml, node, material, &keys);
    }
    EW_TRY(node ? ew_case_read_keys(&reader->yaml, node, &ew_section_material_fatigue, &keys)
                : EW_OK);
    EW_TRY(read_curve(reader, node, &keys));
    curve->ultimate = of->ultimate_strength > 0.0 || !has_library
                          ? of->ultimate_strength
                          : library->ultimate * material->library_stress;
    curve->yield = of->yield_strength;
    if (of->kind == EW_ISOTROPIC) {
        curve->strain.young = of->young;
        curve->strain.poisson = of->poisson;
    }
    EW_TRY(node ? read_corrections(reader, node, &keys, curve) : EW_OK);
    const ew_status status = ew_fatigue_curve_check(curve, EW_STRESS_LIFE, EW_MEAN_NONE);
    if (status) {
        ew_fail_line(status, node ? ew_yaml_line(node) : material->line);
        ew_fail_prefix(status, "fatigue");
        return EW_BAD_INPUT;
    }
    material->fatigue = *curve;
    material->has_fatigue = true;
    return EW_OK;
}

/* ---- the history ------------------------------------------------------------------------------
 */

static ew_status read_part(ew_case_reader *reader, const yaml_node_t *node, ew_case_part *part)
{
    ew_case *input = reader->out;
    const char *name;
    EW_TRY(ew_yaml_text(&reader->yaml, node, "steps", &name));
    const int32_t s = ew_case_step_named(input, name);
    if (s < 0) {
        return ew_case_fail_no_step(input, node, "fatigue", true, name);
    }
    ew_case_step *step = &input->step[s];
    if (!step->has_static && !step->dynamic) {
        return ew_yaml_fail(node,
                            "fatigue: step '%.60s' is neither static nor dynamic, and has no "
                            "stress that cycles",
                            name);
    }
    if (step->dynamic && step->dynamic->n_edit) {
        return ew_yaml_fail(node,
                            "fatigue: step '%.60s' changes the body while it moves; take steps "
                            "without edits",
                            name);
    }
    step->in_fatigue = true;
    *part = (ew_case_part){.step = s, .factor = 1.0};
    return EW_OK;
}

/* The other end of a cycle of one step. */
static ew_status read_ratio(ew_case_reader *reader, const yaml_node_t *node,
                            ew_case_fatigue_block *block)
{
    const ew_case_step *step = &reader->out->step[block->part[0].step];
    if (block->n_part > 1 || step->dynamic || step->has_nonlinear) {
        return ew_yaml_fail(node, "ratio: goes with one linear static step or combination; leave "
                                  "it out, or name the steps of both ends");
    }
    block->part[1] = block->part[0];
    EW_TRY(ew_yaml_number(node, "ratio", &block->part[1].factor));
    if (block->part[1].factor == 1.0) {
        return ew_yaml_fail(node, "ratio is 1, which is no cycle; -1 is fully reversed, 0 "
                                  "pulsating");
    }
    block->n_part = 2;
    return EW_OK;
}

static ew_status read_block(ew_case_reader *reader, const yaml_node_t *node,
                            ew_case_fatigue_block *block)
{
    ew_yaml *yaml = &reader->yaml;
    int32_t n = 1;
    block->cycles = 1.0;
    EW_TRY(ew_case_read_keys(yaml, node, &ew_section_fatigue_block, block));
    const yaml_node_t *steps = ew_yaml_find(yaml, node, "steps");
    const yaml_node_t *ratio = ew_yaml_find(yaml, node, "ratio");
    const bool is_list = steps->type == YAML_SEQUENCE_NODE;
    EW_TRY(is_list ? ew_yaml_expect_list(steps, "steps", &n) : EW_OK);
    EW_TRY(ew_arena_take(&reader->arena, sizeof *block->part * (size_t)(n + 1), &block->part));
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *item = is_list ? ew_yaml_item(yaml, steps, i) : steps;
        EW_TRY(read_part(reader, item, &block->part[i]));
        block->n_part = i + 1;
    }
    if (n == 0 || (n == 1 && !ratio && !reader->out->step[block->part[0].step].dynamic)) {
        return ew_yaml_fail(steps, "fatigue: one state is no cycle; name two steps or more, or "
                                   "give a 'ratio'");
    }
    return ratio ? read_ratio(reader, ratio, block) : EW_OK;
}

/* Some material has a curve, and each that has one what the correction needs. */
static ew_status check_curves(const ew_case *input, const yaml_node_t *node)
{
    static const char *const words = EW_MEAN_STRESS_WORDS;
    int32_t n = 0;
    for (int32_t i = 0; i < input->n_material; i++) {
        const ew_case_material *material = &input->material[i];
        const ew_status status =
            material->has_fatigue
                ? ew_fatigue_curve_check(&material->fatigue, input->fatigue->method,
                                         input->fatigue->mean_stress)
                : EW_OK;
        if (status && input->fatigue->method == EW_STRAIN_LIFE) {
            ew_fail_line(status, material->line);
            ew_fail_prefix(status, "fatigue, 'method: strain_life'");
            return EW_BAD_INPUT;
        }
        if (status) {
            const char *word = words;
            for (int k = 0; k < (int)input->fatigue->mean_stress; k++) {
                word += strcspn(word, " ") + 1;
            }
            ew_fail_line(status, material->line);
            ew_fail_prefix(status, "fatigue, 'mean_stress: %.*s' or none", (int)strcspn(word, " "),
                           word);
            return EW_BAD_INPUT;
        }
        n += material->has_fatigue;
    }
    if (n > EW_MAX_FATIGUE_CURVES) {
        return ew_yaml_fail(node, "fatigue: %d materials have a stress-life curve; %d may", (int)n,
                            EW_MAX_FATIGUE_CURVES);
    }
    return n ? EW_OK
             : ew_yaml_fail(node, "fatigue: no material has a stress-life curve; give one "
                                  "'fatigue: {strength: ..., exponent: ...}', or take one of "
                                  "'edgewise help materials' that has");
}

ew_status ew_case_read_fatigue(ew_case_reader *reader, const yaml_node_t *node, int32_t n_own)
{
    ew_case *input = reader->out;
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *value;
    ew_case_fatigue *made;
    int32_t choice = 0, n = 0, first = n_own;
    EW_TRY(ew_arena_take(&reader->arena, sizeof *made, &made));
    *made = (ew_case_fatigue){.line = ew_yaml_line(node), .life = 1.0};
    EW_TRY(ew_case_read_keys(yaml, node, &ew_section_fatigue, made));
    if ((value = ew_yaml_find(yaml, node, "method"))) {
        EW_TRY(ew_yaml_choice(value, "method", EW_FATIGUE_METHOD_WORDS, &choice));
        made->method = (ew_fatigue_method)choice;
    }
    if ((value = ew_yaml_find(yaml, node, "notch"))) {
        EW_TRY(ew_yaml_choice(value, "notch", EW_NOTCH_RULE_WORDS, &choice));
        made->notch = (ew_notch_rule)choice;
    }
    if (value && made->method == EW_STRESS_LIFE) {
        return ew_yaml_fail(value, "notch: goes with 'method: strain_life'; leave it out");
    }
    made->mean_stress = made->method == EW_STRAIN_LIFE ? EW_MEAN_SWT : EW_MEAN_GOODMAN;
    if ((value = ew_yaml_find(yaml, node, "stress"))) {
        EW_TRY(ew_yaml_choice(value, "stress", EW_FATIGUE_STRESS_WORDS, &choice));
        made->stress = (ew_fatigue_stress)choice;
    }
    if ((value = ew_yaml_find(yaml, node, "mean_stress"))) {
        EW_TRY(ew_yaml_choice(value, "mean_stress", EW_MEAN_STRESS_WORDS, &choice));
        made->mean_stress = (ew_mean_stress)choice;
        if (made->method == EW_STRAIN_LIFE && choice != EW_MEAN_NONE && choice != EW_MEAN_MORROW &&
            choice != EW_MEAN_SWT) {
            return ew_yaml_fail(value,
                                "mean_stress: that of a strain life is corrected by 'morrow' "
                                "or 'swt', or 'none'");
        }
    }
    const yaml_node_t *history = ew_yaml_find(yaml, node, "history");
    EW_TRY(ew_yaml_expect_list(history, "history", &n));
    if (n == 0) {
        return ew_yaml_fail(history, "fatigue: the history is empty; give it a block: '{steps: "
                                     "[...], cycles: 1e5}'");
    }
    EW_TRY(ew_arena_take(&reader->arena, sizeof *made->block * (size_t)n, &made->block));
    made->n_block = n;
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(read_block(reader, ew_yaml_item(yaml, history, i), &made->block[i]));
    }
    input->fatigue = made;
    EW_TRY(check_curves(input, node));
    for (int32_t s = n_own - 1; s >= 0; s--) {
        first = input->step[s].in_fatigue ? s : first;
    }
    EW_TRY(ew_case_check_same_body(reader, node, "fatigue", first, n_own));
    if (ew_case_step_named(input, "fatigue") >= 0) {
        return ew_yaml_fail(node, "fatigue: a step has this name already; give it another one");
    }
    input->step[input->n_step++] =
        (ew_case_step){.name = "fatigue", .line = made->line, .is_fatigue = true};
    return EW_OK;
}

ew_status ew_case_check_fatigue(const ew_case *input)
{
    const ew_case_fatigue *fatigue = input->fatigue;
    for (int32_t b = 0; fatigue && b < fatigue->n_block; b++) {
        const ew_case_fatigue_block *block = &fatigue->block[b];
        const bool has_ratio = block->n_part == 2 && block->part[1].factor != 1.0;
        if (has_ratio && input->kinematics != EW_SMALL) {
            return ew_fail_at(EW_BAD_INPUT, fatigue->line,
                              "fatigue: 'ratio' goes with a linear theory, not with 'kinematics: "
                              "corotational'; name the steps of both ends");
        }
    }
    return EW_OK;
}
