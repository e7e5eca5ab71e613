/* Changes of the boundary that add up over commits. In: what each update of the boundary did. Out:
 * the slots that have another face than when the reader last looked, or that all are to be read. */
#include "model/internal.h"

static void give_up(model_boundary_changes *of)
{
    ew_set_clear(&of->slot);
    of->public.all = true;
}

static ew_status add(ew_set *to, const ew_list *slot)
{
    for (int32_t i = 0; i < slot->n; i++) {
        EW_TRY(ew_set_add(to, slot->id[i]));
    }
    return EW_OK;
}

static ew_status add_all(ew_set *to, const ew_boundary *boundary)
{
    EW_TRY(add(to, &boundary->removed));
    EW_TRY(add(to, &boundary->added));
    return add(to, &boundary->kept);
}

void model_note_boundary(ew_model *model)
{
    model_boundary_changes *of = &model->boundary_changes;
    if (!of->is_counted || of->public.all) {
        of->revision = model->boundary.revision;
        return;
    }
    if (of->revision != model->change.from_revision || add_all(&of->slot, &model->boundary)) {
        give_up(of);
    }
    of->revision = model->boundary.revision;
}

ew_status ew_model_boundary_changes(ew_model *model, const ew_boundary_changes **changes)
{
    model_boundary_changes *of = &model->boundary_changes;
    EW_TRY(ew_model_boundary(model, NULL));
    if (!of->is_counted || of->revision != model->boundary.revision) {
        of->is_counted = true;
        give_up(of);
        of->revision = model->boundary.revision;
    }
    of->public.slot = of->slot.list;
    *changes = &of->public;
    return EW_OK;
}

void ew_model_clear_boundary_changes(ew_model *model)
{
    model_boundary_changes *of = &model->boundary_changes;
    ew_set_clear(&of->slot);
    of->public.slot = of->slot.list;
    of->public.all = of->revision != model->boundary.revision;
    of->public.from = model->mesh.revision;
}
