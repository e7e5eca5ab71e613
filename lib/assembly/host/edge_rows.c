/* The rows of edges where tets are quadratic. In: tables, and which tets are quadratic. Out: a row
 * slot for each edge of such a tet, kept from edit to edit. */
#include "assembly/parts/assembly.h"

static bool has_quadratic_tet(const ew_topology *topology, const ew_order *order, int32_t edge)
{
    const ew_rows *tets = &topology->edge_to_tet;
    bool any = false;
    if (topology->pattern.pair_row[2 * (size_t)edge] < 0) {
        return false;
    }
    for (int32_t i = 0; i < tets->count[edge] && !any; i++) {
        any = ew_order_is_quadratic(order, tets->item[(size_t)tets->begin[edge] + (size_t)i]);
    }
    return any;
}

/* Room for all edge slots; new ones have no row. */
static ew_status make_room(ew_edge_rows *rows, int32_t n_edge)
{
    EW_TRY(ew_grow(&rows->row, &rows->edge_capacity, n_edge, sizeof *rows->row));
    for (int32_t e = rows->n_edge; e < n_edge; e++) {
        rows->row[e] = -1;
    }
    rows->n_edge = n_edge;
    return EW_OK;
}

/* A new row for the edge: the one freed last, or one more. */
static ew_status open_row(ew_edge_rows *rows, int32_t edge)
{
    int32_t row = rows->pattern.n_row;
    if (rows->hole.n) {
        row = rows->hole.id[--rows->hole.n];
    } else {
        int32_t capacity = rows->pattern.row_capacity;
        EW_TRY(ew_grow(&rows->edge, &capacity, (int64_t)row + 1, sizeof *rows->edge));
        rows->pattern.row_capacity = capacity;
        rows->pattern.n_row = row + 1;
    }
    rows->edge[row] = edge;
    rows->row[edge] = row;
    rows->n_live++;
    return EW_OK;
}

static ew_status close_row(ew_edge_rows *rows, int32_t edge)
{
    const int32_t row = rows->row[edge];
    EW_TRY(ew_list_push(&rows->hole, row));
    rows->edge[row] = -1;
    rows->row[edge] = -1;
    rows->n_live--;
    return EW_OK;
}

static void clear_touched(ew_edge_rows *rows)
{
    rows->touched.touched_row.n = 0;
    ew_set_clear(&rows->touched.scratch);
}

static void set_revisions(ew_edge_rows *rows, const ew_topology *topology, uint64_t before)
{
    rows->pattern.revision = before + 1;
    rows->mesh_revision = topology->pattern.revision;
    rows->touched.from_revision = before;
    rows->touched.to_revision = rows->pattern.revision;
    ew_list_sort(&rows->touched.touched_row);
}

ew_status ew_edge_rows_build(ew_edge_rows *rows, const ew_topology *topology, const ew_order *order)
{
    const uint64_t before = rows->pattern.revision;
    rows->mesh_revision = 0;
    rows->n_edge = rows->n_live = rows->pattern.n_row = rows->hole.n = 0;
    clear_touched(rows);
    EW_TRY(make_room(rows, topology->pattern.n_pair));
    for (int32_t e = 0; e < rows->n_edge; e++) {
        EW_TRY(has_quadratic_tet(topology, order, e) ? open_row(rows, e) : EW_OK);
    }
    set_revisions(rows, topology, before);
    rows->touched.to_revision = 0; /* nothing leads here */
    return EW_OK;
}

static ew_status touch_row(ew_edge_rows *rows, int32_t row)
{
    if (!ew_set_has(&rows->touched.scratch, row)) {
        EW_TRY(ew_set_add(&rows->touched.scratch, row));
        EW_TRY(ew_list_push(&rows->touched.touched_row, row));
    }
    return EW_OK;
}

/* Edges that lost their function first, so that others take their rows. */
static ew_status close_rows(ew_edge_rows *rows, const ew_topology *topology, const ew_order *order,
                            const ew_list *edge)
{
    for (int32_t i = 0; i < edge->n; i++) {
        const int32_t e = edge->id[i], row = rows->row[e];
        if (row >= 0 && !has_quadratic_tet(topology, order, e)) {
            EW_TRY(touch_row(rows, row));
            EW_TRY(close_row(rows, e));
        }
    }
    return EW_OK;
}

static ew_status open_rows(ew_edge_rows *rows, const ew_topology *topology, const ew_order *order,
                           const ew_list *edge)
{
    for (int32_t i = 0; i < edge->n; i++) {
        const int32_t e = edge->id[i];
        if (rows->row[e] < 0 && has_quadratic_tet(topology, order, e)) {
            EW_TRY(open_row(rows, e));
        }
        EW_TRY(rows->row[e] >= 0 ? touch_row(rows, rows->row[e]) : EW_OK);
    }
    return EW_OK;
}

ew_status ew_edge_rows_update(ew_edge_rows *rows, const ew_topology *topology,
                              const ew_order *order, const ew_list *edge)
{
    const ew_pattern_change *change = &topology->touched;
    const uint64_t before = rows->pattern.revision, revision = topology->pattern.revision;
    const bool moved = rows->mesh_revision != revision;
    if (!rows->mesh_revision || (moved && (change->from_revision != rows->mesh_revision ||
                                           change->to_revision != revision))) {
        return ew_fail(EW_STALE,
                       "rows of edges: they are of the mesh at revision %llu, the tables lead from "
                       "%llu to %llu; build them again",
                       (unsigned long long)rows->mesh_revision,
                       (unsigned long long)change->from_revision, (unsigned long long)revision);
    }
    const ew_list none = {0};
    const ew_list *const list[] = {moved ? &change->freed_pair : &none,
                                   moved ? &change->touched_pair : &none, edge ? edge : &none};
    rows->mesh_revision = 0;
    clear_touched(rows);
    EW_TRY(make_room(rows, topology->pattern.n_pair));
    for (size_t k = 0; k < 3; k++) {
        EW_TRY(close_rows(rows, topology, order, list[k]));
    }
    for (size_t k = 1; k < 3; k++) {
        EW_TRY(open_rows(rows, topology, order, list[k]));
    }
    set_revisions(rows, topology, before);
    return EW_OK;
}

size_t ew_edge_rows_bytes(const ew_edge_rows *rows)
{
    return ((size_t)rows->pattern.row_capacity + (size_t)rows->edge_capacity +
            (size_t)rows->hole.capacity) *
           sizeof(int32_t);
}

void ew_edge_rows_free(ew_edge_rows *rows)
{
    ew_release(rows->edge);
    ew_release(rows->row);
    ew_list_free(&rows->hole);
    ew_pattern_change_free(&rows->touched);
    ew_pattern_free(&rows->pattern);
    *rows = (ew_edge_rows){0};
}
