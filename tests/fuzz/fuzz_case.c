/* Fuzzer of the case reader. Whatever the bytes, it ends in a message that names a line or in
 * a case whose references all lead somewhere. */
#include "study/study.h"
#include "model/parts/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void check_nodes(const ew_case *input)
{
    for (int32_t i = 0; i < input->n_set; i++) {
        require(input->set[i].node >= 0 && input->set[i].node < input->n_node);
        require(input->node[input->set[i].node].of == (int32_t)input->set[i].kind);
        require(input->set[i].step >= -1 && input->set[i].step < input->n_step);
    }
    for (int32_t i = 0; i < input->n_node; i++) {
        const ew_set_node *node = &input->node[i];
        require(node->kind != EW_SET_NAMED || (node->named >= 0 && node->named < input->n_set));
        require(node->first_child >= -1 && node->first_child < input->n_node);
        require(node->next >= -1 && node->next < input->n_node);
    }
}

static void check_uses(const ew_case *input, int32_t n_constraint,
                       const ew_case_constraint *constraint, int32_t n_load,
                       const ew_case_load *load)
{
    for (int32_t i = 0; i < n_constraint; i++) {
        require(constraint[i].set >= 0 && constraint[i].set < input->n_set);
        require(constraint[i].fixed < 8);
        require(constraint[i].fixed > 0 || constraint[i].is_spring);
        require(constraint[i].amplitude >= -1 && constraint[i].amplitude < input->n_amplitude);
    }
    for (int32_t i = 0; i < n_load; i++) {
        require(load[i].as.set >= -1 && load[i].as.set < input->n_set);
        require(isfinite(load[i].as.pressure) && isfinite(load[i].as.vector[0]));
        require(load[i].amplitude >= -1 && load[i].amplitude < input->n_amplitude);
    }
}

static void check_dynamic(const ew_case *input, const ew_case_step *step)
{
    const ew_case_dynamic *of = step->dynamic;
    require(of->n_step > 0 && of->every > 0 && of->end > step->start && isfinite(of->end));
    require(ew_case_n_output(step) > 0 && ew_case_n_output(step) <= of->n_step);
    require(!ew_dynamics_def_check(&of->def));
    for (int32_t i = 0; i < of->n_probe; i++) {
        require(of->probe[i].name && of->probe[i].set >= 0 && of->probe[i].set < input->n_set);
    }
    for (int32_t i = 0; i < of->n_initial; i++) {
        require(of->initial[i].set >= 0 && of->initial[i].set < input->n_set);
    }
    for (int32_t i = 0; i < of->n_edit; i++) {
        require(of->edit[i].at >= step->start && of->edit[i].at < of->end);
    }
}

static void check_step(const ew_case *input, const ew_case_step *step)
{
    require(step->name && (!step->has_static || step->tolerance > 0));
    for (int32_t i = 0; i < step->n_definition; i++) {
        const ew_case_definition *made = &step->definition[i];
        require(made->set >= 0 && made->set < input->n_set);
        require(made->node >= 0 && made->node < input->n_node);
        require(input->node[made->node].of == (int32_t)input->set[made->set].kind);
    }
    check_uses(input, step->n_constraint, step->constraint, step->n_load, step->load);
    if (step->dynamic) {
        check_dynamic(input, step);
    }
    for (int32_t i = 0; i < step->n_edit; i++) {
        const ew_case_edit *edit = &step->edit[i];
        int32_t at;
        require(!ew_operation_check(edit->operation, &edit->values, EW_AS_KEYS, &at));
        for (int32_t k = 0; k < edit->operation->n_parameter; k++) {
            const ew_parameter_kind kind = edit->operation->parameter[k].kind;
            const ew_parameter_value *value = &edit->values.of[k];
            require(!value->given || kind != EW_PARAMETER_VERTICES ||
                    (value->whole >= 0 && value->whole < input->n_set));
            require(!value->given || kind != EW_PARAMETER_MESH || value->text);
            for (int32_t s = 0; s < value->n_set; s++) {
                require(value->set[s] >= 0 && value->set[s] < input->n_set);
            }
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ew_case input = {0};
    const ew_status status = ew_case_read((const char *)data, size, &input);
    if (status) {
        require(status == EW_NO_MEMORY || status == EW_LIMIT || strstr(ew_message(), "line "));
        require(!strpbrk(ew_message(), "\n\r"));
        return 0;
    }
    require(input.n_step > 0 && input.n_material > 0);
    require((input.mesh_file != NULL) != (input.surface_file != NULL));
    check_nodes(&input);
    check_uses(&input, input.n_constraint, input.constraint, input.n_load, input.load);
    for (int32_t i = 0; i < input.n_step; i++) {
        check_step(&input, &input.step[i]);
    }
    ew_case_free(&input);
    return 0;
}
