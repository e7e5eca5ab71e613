/* `kinematics:` of a case and `nonlinear:` of its steps. In: the nodes. Out: how large
 * rotations are, and how such a body is solved. */
#include "case/reader.h"

ew_status ew_case_read_nonlinear(ew_case_reader *reader, const yaml_node_t *node,
                                 ew_case_step *step)
{
    ew_yaml *yaml = &reader->yaml;
    ew_nonlinear_def *def = &step->nonlinear;
    step->has_nonlinear = true;
    if (ew_yaml_is_null(node)) {
        return EW_OK;
    }
    EW_TRY(ew_case_read_keys(yaml, node, &ew_section_nonlinear, def));
    EW_TRY(ew_case_read_tolerance(yaml, node, &def->tolerance));
    const ew_status status = ew_nonlinear_def_check(def);
    return status ? ew_yaml_fail(node, "%s", ew_message()) : EW_OK;
}

/* A key that would be ignored is an error. */
static ew_status check_newton(ew_yaml *yaml, const yaml_node_t *node, const ew_dynamics_def *def)
{
    static const char *const keys[] = {"tolerance", "max_iterations", "halvings", "bound"};
    ew_scheme_rule rule;
    ew_scheme_rule_of(def->scheme, &def->parameters, &rule);
    for (size_t k = 0; k < sizeof keys / sizeof *keys && rule.u[1] == 0.0; k++) {
        const yaml_node_t *value = ew_yaml_find(yaml, node, keys[k]);
        if (value) {
            return ew_yaml_fail(value,
                                "%s: %s takes the force alone and solves nothing; 'nonlinear: {}' "
                                "is enough",
                                keys[k], ew_scheme_of(def->scheme)->name);
        }
    }
    return EW_OK;
}

ew_status ew_case_read_newton(ew_case_reader *reader, const yaml_node_t *node, ew_case_step *step,
                              ew_dynamics_def *def)
{
    ew_yaml *yaml = &reader->yaml;
    step->has_nonlinear = true;
    if (ew_yaml_is_null(node)) {
        return EW_OK;
    }
    EW_TRY(ew_case_read_keys(yaml, node, &ew_section_newton, def));
    if (ew_yaml_find(yaml, node, "max_iterations") || ew_yaml_find(yaml, node, "halvings")) {
        def->newton_tolerance = ew_default_nonlinear_def().tolerance; /* these are of the method */
    }
    EW_TRY(ew_case_read_tolerance(yaml, node, &def->newton_tolerance));
    EW_TRY(check_newton(yaml, node, def));
    const ew_status status = ew_dynamics_def_check(def);
    return status ? ew_yaml_fail(node, "%s", ew_message()) : EW_OK;
}

/* Refuses analyses that a corotational body, or one with a law, does not support. */
static ew_status check_steps(const ew_case *input)
{
    const bool all = input->kinematics == EW_COROTATIONAL;
    for (int32_t i = 0; i < input->n_step; i++) {
        const ew_case_step *step = &input->step[i];
        const bool concerned = all ? ew_case_is_solved(step) : step->has_nonlinear;
        if (concerned && step->operator_kind == EW_MATRIX_FREE) {
            return ew_fail_at(EW_BAD_INPUT, step->line,
                              "a nonlinear body needs stored blocks; leave 'operator: matrix-free' "
                              "out");
        }
        if (!all && step->is_buckling && step[-1].has_nonlinear) {
            return ew_fail_at(EW_BAD_INPUT, step->line,
                              "buckling: behind a nonlinear step it takes 'kinematics: "
                              "corotational'; give the case that, or leave 'nonlinear:' out there");
        }
    }
    return EW_OK;
}

/* Small strains do not do for laws that take any. */
static ew_status check_strains(const ew_case *input)
{
    for (int32_t i = 0; i < input->n_material; i++) {
        const ew_law *law = input->material[i].material.law;
        if (law && law->needs_stretch) {
            return ew_fail_at(EW_BAD_INPUT, input->material[i].line,
                              "'%s' is a law of strains of any size; give the case 'kinematics: "
                              "corotational'",
                              law->name);
        }
    }
    return EW_OK;
}

/* Nor do they turn a face. */
static ew_status check_followers(int32_t n_load, const ew_case_load *load)
{
    for (int32_t i = 0; i < n_load; i++) {
        if (load[i].as.follower) {
            return ew_fail_at(EW_BAD_INPUT, load[i].line,
                              "pressure: follower: at small displacements no face turns; give the "
                              "case 'kinematics: corotational', or leave it out");
        }
    }
    return EW_OK;
}

static ew_status check_small(const ew_case *input)
{
    EW_TRY(check_strains(input));
    EW_TRY(check_followers(input->n_load, input->load));
    for (int32_t i = 0; i < input->n_step; i++) {
        EW_TRY(check_followers(input->step[i].n_load, input->step[i].load));
    }
    return EW_OK;
}

ew_status ew_case_read_kinematics(ew_case_reader *reader, const yaml_node_t *node)
{
    ew_case *input = reader->out;
    int32_t choice = 0;
    if (node) {
        EW_TRY(ew_yaml_choice(node, "kinematics", EW_KINEMATICS_NAMES, &choice));
    }
    input->kinematics = (ew_kinematics)choice;
    EW_TRY(input->kinematics == EW_SMALL ? check_small(input) : EW_OK);
    if (input->kinematics != EW_SMALL && input->output.n_section) {
        return ew_fail_at(
            EW_BAD_INPUT, input->output.section->line,
            "section '%.60s': forces through a plane of the undeformed body are those "
            "of small rotations; leave it out, or 'kinematics: small'",
            input->output.section->name);
    }
    if (input->kinematics == EW_COROTATIONAL || ew_case_has_laws(input)) {
        return check_steps(input);
    }
    for (int32_t i = 0; i < input->n_step; i++) {
        if (input->step[i].has_nonlinear) {
            return ew_fail_at(EW_BAD_INPUT, input->step[i].line,
                              "nonlinear: nothing in this case is; give it 'kinematics: "
                              "corotational', or a material with a law, or leave it out");
        }
    }
    return EW_OK;
}
