/* Constraints and springs brought up to date by themselves, and which of them is at fault. */
#include "model/internal.h"

static int32_t set_of(const ew_model *model, bool springs, int32_t i)
{
    return springs ? model->spring[i].as.set : model->constraint[i].set;
}

/* The entry that the k-th line stands for: those whose sets have members make lines, in order. Or
 * the first whose set should have some and has none. */
static int32_t entry_at(const ew_model *model, bool springs, int64_t line)
{
    const int32_t n = springs ? model->n_spring : model->n_constraint;
    int32_t found = -1;
    for (int32_t i = 0; i < n; i++) {
        bool usable;
        if (model_require_members(model, set_of(model, springs, i), &usable)) {
            return i;
        }
        found = usable && line-- == 0 ? i : found;
    }
    return found;
}

ew_status ew_model_update_supports(ew_model *model, int32_t *constraint, int32_t *spring)
{
    *constraint = *spring = -1;
    EW_TRY(model_need_usable(model));
    const ew_status status = model_update_supports(model);
    if (status == EW_BAD_INPUT) {
        const ew_failure failure = *ew_last_failure();
        const bool springs = model->constraints_current;
        *(springs ? spring : constraint) = entry_at(model, springs, failure.id[0]);
        return ew_fail_about(status, failure.id[0], failure.id[1], "%s", failure.text);
    }
    return status;
}
