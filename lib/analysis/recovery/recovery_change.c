/* Slots that a change since the last recovery concerns: lists for ew_fields_update,
 * ew_partial_sums_take and ew_estimate_update. */
#include "analysis/parts/analysis.h"

static ew_status add_edge_rows(ew_recovery_change *change, const ew_topology *topology,
                               const ew_edge_rows *rows)
{
    for (int32_t i = 0; i < change->vertex.list.n; i++) {
        int32_t n;
        const int32_t *item = ew_pattern_items(&topology->pattern, change->vertex.list.id[i], &n);
        for (int32_t k = 0; k < n; k++) {
            const int32_t row = rows->row[item[2 * k + 1]];
            EW_TRY(row >= 0 ? ew_set_add(&change->edge_row, row) : EW_OK);
        }
    }
    return EW_OK;
}

/* In the order of memory, which is read and written in the order of the lists. */
ew_status ew_recovery_change_close(ew_recovery_change *change, const ew_mesh *mesh,
                                   const ew_topology *topology, const ew_edge_rows *rows)
{
    ew_list_sort(&change->tet.list);
    for (int32_t i = 0; i < change->tet.list.n; i++) {
        const int32_t t = change->tet.list.id[i];
        for (int k = 0; k < 4 && ew_mesh_tet_is_live(mesh, t); k++) {
            EW_TRY(ew_set_add(&change->vertex, mesh->tet[4 * (size_t)t + (size_t)k]));
        }
    }
    ew_list_sort(&change->vertex.list);
    EW_TRY(rows ? add_edge_rows(change, topology, rows) : EW_OK);
    ew_list_sort(&change->edge_row.list);
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
    for (int32_t i = 0; i < other->edge_row.list.n; i++) {
        EW_TRY(ew_set_add(&change->edge_row, other->edge_row.list.id[i]));
    }
    return EW_OK;
}

void ew_recovery_change_clear(ew_recovery_change *change)
{
    ew_set_clear(&change->tet);
    ew_set_clear(&change->vertex);
    ew_set_clear(&change->edge_row);
}

void ew_recovery_change_free(ew_recovery_change *change)
{
    ew_set_free(&change->tet);
    ew_set_free(&change->vertex);
    ew_set_free(&change->edge_row);
}
