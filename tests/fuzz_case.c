/* Fuzzer of the case reader. Whatever the bytes, it ends in a message that names a line or in
 * a case whose references all lead somewhere. */
#include "study/study.h"

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

static void check_nodes(const ew_case *one)
{
    for (int32_t i = 0; i < one->n_set; i++) {
        require(one->set[i].node >= 0 && one->set[i].node < one->n_node);
    }
    for (int32_t i = 0; i < one->n_node; i++) {
        const ew_set_node *node = &one->node[i];
        require(node->kind != EW_SET_NAMED || (node->named >= 0 && node->named < one->n_set));
        require(node->first_child >= -1 && node->first_child < one->n_node);
        require(node->next >= -1 && node->next < one->n_node);
    }
}

static void check_uses(const ew_case *one, int32_t n_constraint,
                       const ew_case_constraint *constraint, int32_t n_load,
                       const ew_case_load *load)
{
    for (int32_t i = 0; i < n_constraint; i++) {
        require(constraint[i].set >= 0 && constraint[i].set < one->n_set);
        require(constraint[i].fixed > 0 && constraint[i].fixed < 8);
    }
    for (int32_t i = 0; i < n_load; i++) {
        require(load[i].set >= -1 && load[i].set < one->n_set);
        require(isfinite(load[i].pressure) && isfinite(load[i].vector[0]));
    }
}

static void check_step(const ew_case *one, const ew_case_step *step)
{
    require(step->name && (!step->has_static || step->tolerance > 0));
    check_uses(one, step->n_constraint, step->constraint, step->n_load, step->load);
    for (int32_t i = 0; i < step->n_edit; i++) {
        const ew_case_edit *edit = &step->edit[i];
        int32_t at;
        require(!ew_operation_check(edit->operation, &edit->values, EW_AS_KEYS, &at));
        for (int32_t k = 0; k < edit->operation->n_parameter; k++) {
            const ew_parameter_kind kind = edit->operation->parameter[k].kind;
            const ew_parameter_value *value = &edit->values.of[k];
            require(!value->given || kind != EW_PARAMETER_VERTICES ||
                    (value->whole >= 0 && value->whole < one->n_set));
            require(!value->given || kind != EW_PARAMETER_MESH || value->text);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ew_case one = {0};
    const ew_status status = ew_case_read((const char *)data, size, &one);
    if (status) {
        require(status == EW_NO_MEMORY || status == EW_LIMIT || strstr(ew_message(), "line "));
        require(!strpbrk(ew_message(), "\n\r"));
        return 0;
    }
    require(one.n_step > 0 && one.n_material > 0);
    require((one.mesh_file != NULL) != (one.surface_file != NULL));
    check_nodes(&one);
    check_uses(&one, one.n_constraint, one.constraint, one.n_load, one.load);
    for (int32_t i = 0; i < one.n_step; i++) {
        check_step(&one, &one.step[i]);
    }
    ew_case_free(&one);
    return 0;
}
