/* Two sides of a contact or a tie. In: sets of faces or vertices. Out: codes of their faces, none
 * on both. */
#include "model/internal.h"

static ew_status check_apart(const ew_model *model, const model_sides *of, int32_t place,
                             const ew_list *slave, const ew_list *master)
{
    for (int32_t i = 0, k = 0; i < slave->n && k < master->n;) {
        const int32_t a = slave->id[i], b = master->id[k];
        if (a == b) {
            return ew_fail_about(EW_BAD_INPUT, place, -1,
                                 "%s %d: sets '%.60s' and '%.60s' have faces in common; give "
                                 "each side faces of its own",
                                 of->what, of->number + 1, model->set[of->slave].name,
                                 model->set[of->master].name);
        }
        i += a < b;
        k += b < a;
    }
    return EW_OK;
}

ew_status model_list_sides(ew_model *model, const model_sides *of, int32_t place, ew_list *slave,
                           ew_list *master)
{
    bool usable;
    if (model_require_members(model, of->slave, &usable) ||
        (of->master >= 0 && model_require_members(model, of->master, &usable))) {
        const ew_failure failure = *ew_last_failure();
        return ew_fail_about(EW_BAD_INPUT, place, -1, "%s %d: %s", of->what, of->number + 1,
                             failure.text);
    }
    EW_TRY(ew_model_list_faces(model, of->slave, slave));
    if (of->master < 0) {
        return EW_OK;
    }
    EW_TRY(ew_model_list_faces(model, of->master, master));
    return of->may_be_one && of->slave == of->master ? EW_OK
                                                     : check_apart(model, of, place, slave, master);
}
