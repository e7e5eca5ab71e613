/* Slots that a change since the last recovery concerns: lists for ew_fields_update,
 * ew_partial_sums_take and ew_estimate_update. */
#include "analysis/parts/analysis.h"

/* In the order of memory, which is read and written in the order of the lists. */
ew_status ew_recovery_change_close(ew_recovery_change *change, const ew_mesh *mesh)
{
    ew_list_sort(&change->tet.list);
    for (int32_t i = 0; i < change->tet.list.n; i++) {
        const int32_t t = change->tet.list.id[i];
        for (int k = 0; k < 4 && ew_mesh_tet_is_live(mesh, t); k++) {
            EW_TRY(ew_set_add(&change->vertex, mesh->tet[4 * (size_t)t + (size_t)k]));
        }
    }
    ew_list_sort(&change->vertex.list);
    return EW_OK;
}

ew_status ew_recovery_change_add(ew_recovery_change *change, const ew_recovery_change *other)
{
    for (int32_t i = 0; i < other->tet.list.n; i++) {
        EW_TRY(ew_set_add(&change->tet, other->tet.list.id[i]));
    }
    for (int32_t i = 0; i < other->vertex.list.n; i++) {
        EW_TRY(ew_set_add(&change->vertex, other->vertex.list.id[i]));
    }
    return EW_OK;
}

void ew_recovery_change_clear(ew_recovery_change *change)
{
    ew_set_clear(&change->tet);
    ew_set_clear(&change->vertex);
}

void ew_recovery_change_free(ew_recovery_change *change)
{
    ew_set_free(&change->tet);
    ew_set_free(&change->vertex);
}
