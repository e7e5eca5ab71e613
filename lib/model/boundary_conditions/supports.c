/* Constraints and springs brought up to date by themselves, and which of them is at fault. */
#include "model/internal.h"

static int32_t set_of(const ew_model *model, bool springs, int32_t i)
{
    return springs ? model->spring[i].as.set : model->constraint[i].set;
}

/* The first entry whose set should have members and has none, or -1. */
static int32_t find_empty(const ew_model *model, bool springs, int32_t n)
{
    bool usable;
    for (int32_t i = 0; i < n; i++) {
        if (model_require_members(model, set_of(model, springs, i), &usable)) {
            return i;
        }
    }
    return -1;
}

/* The entry that the k-th line stands for: those whose sets have members make lines, in order. */
static int32_t find_line(const ew_model *model, bool springs, int32_t n, int64_t line)
{
    bool usable;
    for (int32_t i = 0; i < n; i++) {
        if (!model_require_members(model, set_of(model, springs, i), &usable) && usable &&
            line-- == 0) {
            return i;
        }
    }
    return -1;
}

/* Where an equation or a contact is at fault none of them is. */
static void find_fault(const ew_model *model, int64_t line, int32_t *constraint, int32_t *spring)
{
    if (model_is_tied(model) && model->constraints_current && !model->equations.is_current) {
        return;
    }
    *constraint = find_empty(model, false, model->n_constraint);
    if (*constraint < 0 && !model->constraints_current) {
        *constraint = find_line(model, false, model->n_constraint, line);
    } else if (*constraint < 0) {
        *spring = find_empty(model, true, model->n_spring);
        *spring = *spring < 0 ? find_line(model, true, model->n_spring, line) : *spring;
    }
}

ew_status ew_model_update_supports(ew_model *model, int32_t *constraint, int32_t *spring)
{
    *constraint = *spring = -1;
    EW_TRY(model_need_usable(model));
    const ew_status status = model_update_supports(model);
    if (status == EW_BAD_INPUT) {
        const ew_failure failure = *ew_last_failure(); /* what follows may overwrite it */
        find_fault(model, failure.id[0], constraint, spring);
        return ew_fail_about(status, failure.id[0], failure.id[1], "%s", failure.text);
    }
    return status;
}
