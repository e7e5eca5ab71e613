/* What the next recovery computes again. In: copies of what the last one read, and the changes that
 * commits made since. Out: the slots of tets and vertices whose fields differ.
 *
 * Displacement, loads, springs and prescribed components, of edges of quadratic tets, too, are
 * compared with the copies, so that it does not matter who changed them: a local answer changes few
 * rows, a global one all of them. Where tets were only removed and answers were local, and nobody
 * else may have written a displacement, the rows that may differ are known, and the others are not
 * looked at. Tets that came, went or moved are noted by each commit. The stress of a tet follows
 * from its corners, averages, reactions and sums at a vertex from the tets around it, the estimated
 * error of a tet from the recovered stress at its corners: all that is not listed keeps the bits
 * that a whole recovery would find. */
#include "model/internal.h"

#include <string.h>

/* Beyond one tet in so many a whole recovery costs less than lists. */
enum { SHARE = 3, ROWS = 512 };

static bool is_large(const ew_model *model, const ew_recovery_change *change)
{
    return change->tet.list.n > model->mesh.n_tet / SHARE;
}

/* ---- after a commit ----------------------------------------------------------------- */

static ew_status add_list(ew_set *set, const ew_list *list)
{
    for (int32_t i = 0; i < list->n; i++) {
        EW_TRY(ew_set_add(set, list->id[i]));
    }
    return EW_OK;
}

static ew_status note(ew_recovery_change *touched, const ew_change *change)
{
    EW_TRY(add_list(&touched->tet, &change->removed_tet));
    EW_TRY(add_list(&touched->tet, &change->added_tet));
    EW_TRY(add_list(&touched->tet, &change->moved_tet));
    EW_TRY(add_list(&touched->vertex, &change->moved_vertex));
    EW_TRY(add_list(&touched->vertex, &change->added_vertex));
    for (int32_t i = 0; i < 4 * change->removed_tet.n; i++) {
        EW_TRY(ew_set_add(&touched->vertex, change->removed_tet_vertex[i]));
    }
    return EW_OK;
}

void model_follow_recovery(ew_model *model)
{
    const bool removes = model->change.added_vertex.n == 0 && model->change.added_tet.n == 0 &&
                         model->change.moved_vertex.n == 0;
    if (!removes) { /* fields of vertices may have followed */
        model_forget_row_changes(model);
    }
    model_recovery *own = &model->recovery;
    const ew_change *change = &model->change;
    const int64_t n = (int64_t)change->removed_tet.n + change->added_tet.n + change->moved_tet.n;
    if (own->is_kept && (n > model->mesh.n_tet / SHARE || note(&own->touched, change) ||
                         is_large(model, &own->touched))) {
        model_forget_recovery(model);
    }
}

/* ---- before a recovery -------------------------------------------------------------- */

/* Adds rows of `width` bytes that differ from their copies. */
static ew_status compare_rows(const void *value, const void *copy, size_t width, int32_t n,
                              ew_set *row)
{
    const unsigned char *a = value, *b = copy;
    for (int32_t begin = 0; begin < n; begin += ROWS) {
        const int32_t end = n - begin < ROWS ? n : begin + ROWS;
        const size_t at = width * (size_t)begin;
        if (!memcmp(a + at, b + at, width * (size_t)(end - begin))) {
            continue;
        }
        for (int32_t i = begin; i < end; i++) {
            if (memcmp(a + width * (size_t)i, b + width * (size_t)i, width)) {
                EW_TRY(ew_set_add(row, i));
            }
        }
    }
    return EW_OK;
}

static ew_status add_slots(ew_set *set, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i++) {
        EW_TRY(ew_set_add(set, i));
    }
    return EW_OK;
}

/* Rows of three numbers that differ from their copies, `first` known as the one of i = 0: the
 * listed ones where these are all that may. */
static ew_status compare(const ew_model *model, const double *value, const double *copy,
                         int32_t first, int32_t n, ew_set *row)
{
    const model_recovery *own = &model->recovery;
    const ew_list *known = &own->changed.row.list;
    if (!own->changed.is_known || model->is_writable) {
        return compare_rows(value, copy, 3 * sizeof *value, n, row);
    }
    for (int32_t k = 0; k < known->n; k++) {
        const int32_t i = known->id[k] - first;
        const size_t at = 3 * (size_t)i;
        if (i >= 0 && i < n && memcmp(value + at, copy + at, 3 * sizeof *value)) {
            EW_TRY(ew_set_add(row, i));
        }
    }
    return EW_OK;
}

static ew_status add_moved(ew_model *model)
{
    model_recovery *own = &model->recovery;
    const ew_rows *rows = &model->topology.vertex_to_tet;
    const ew_list *moved = &own->moved.list;
    ew_set_clear(&own->moved);
    EW_TRY(compare(model, model->field[0].value, own->u, 0, own->n_vertex, &own->moved));
    for (int32_t i = 0; i < moved->n && !is_large(model, &own->touched); i++) {
        const int32_t v = moved->id[i];
        EW_TRY(ew_set_add(&own->touched.vertex, v));
        for (int32_t k = 0; k < rows->count[v]; k++) {
            EW_TRY(ew_set_add(&own->touched.tet, rows->item[rows->begin[v] + k]));
        }
    }
    return EW_OK;
}

/* The tets around an edge that had or has the row. */
static ew_status add_tets_around(ew_model *model, const int32_t end[2])
{
    const ew_rows *rows = &model->topology.edge_to_tet;
    const int32_t edge =
        end[0] < 0 ? -1 : ew_pattern_pair_between(&model->topology.pattern, end[0], end[1]);
    for (int32_t i = 0; edge >= 0 && i < rows->count[edge]; i++) {
        EW_TRY(ew_set_add(&model->recovery.touched.tet,
                          rows->item[(size_t)rows->begin[edge] + (size_t)i]));
    }
    return EW_OK;
}

static ew_status add_moved_edges(ew_model *model, const ew_edge_values *edges)
{
    model_recovery *own = &model->recovery;
    const ew_list *moved = &own->moved.list;
    const int32_t n = own->n_edge_row, *end = model->quadratic.end;
    ew_set_clear(&own->moved);
    EW_TRY(add_slots(&own->moved, n, edges->rows->pattern.n_row));
    EW_TRY(compare_rows(end, own->end, sizeof *own->end, n, &own->moved));
    EW_TRY(compare(model, edges->u, own->edge_u, model->mesh.n_vertex, n, &own->moved));
    for (int32_t i = 0; i < moved->n && !is_large(model, &own->touched); i++) {
        const int32_t row = moved->id[i];
        EW_TRY(ew_set_add(&own->touched.edge_row, row));
        EW_TRY(add_tets_around(model, end + 2 * (size_t)row));
        EW_TRY(row < n ? add_tets_around(model, own->end[row]) : EW_OK);
    }
    EW_TRY(compare_rows(edges->fixed, own->edge_fixed, 1, n, &own->touched.edge_row));
    return compare(model, edges->f, own->edge_f, model->mesh.n_vertex, n, &own->touched.edge_row);
}

ew_status model_find_touched(ew_model *model, const double *force, const ew_edge_values *edges,
                             bool *is_local)
{
    model_recovery *own = &model->recovery;
    const ew_constraints *constraints = &model->constraints;
    const int32_t n = own->n_vertex;
    *is_local = own->is_kept && model->mesh.n_vertex >= n && model->mesh.n_tet >= own->n_tet &&
                own->has_spring == (constraints->spring != NULL) &&
                own->has_edges == (edges != NULL) &&
                (!edges || edges->rows->pattern.n_row >= own->n_edge_row);
    if (!*is_local) {
        return EW_OK;
    }
    EW_TRY(add_slots(&own->touched.vertex, n, model->mesh.n_vertex));
    EW_TRY(add_slots(&own->touched.tet, own->n_tet, model->mesh.n_tet));
    EW_TRY(add_moved(model));
    EW_TRY(edges ? add_moved_edges(model, edges) : EW_OK);
    EW_TRY(compare(model, force, own->f, 0, n, &own->touched.vertex));
    EW_TRY(compare_rows(constraints->fixed, own->fixed, 1, n, &own->touched.vertex));
    EW_TRY(own->has_spring ? compare_rows(constraints->spring, own->spring, 6 * sizeof *own->spring,
                                          n, &own->touched.vertex)
                           : EW_OK);
    *is_local = !is_large(model, &own->touched);
    return *is_local ? ew_recovery_change_close(&own->touched, &model->mesh, &model->topology,
                                                edges ? edges->rows : NULL)
                     : EW_OK;
}

/* ---- after a recovery --------------------------------------------------------------- */

static ew_status make_edge_room(model_recovery *own, int32_t n)
{
    const int32_t had = own->edge_capacity;
    int32_t grown = had;
    EW_TRY(ew_grow(&own->edge_u, &grown, n, 3 * sizeof *own->edge_u));
    grown = had;
    EW_TRY(ew_grow(&own->edge_f, &grown, n, 3 * sizeof *own->edge_f));
    grown = had;
    EW_TRY(ew_grow(&own->edge_fixed, &grown, n, sizeof *own->edge_fixed));
    return ew_grow(&own->end, &own->edge_capacity, n, sizeof *own->end);
}

static ew_status make_room(ew_model *model, const ew_edge_values *edges)
{
    model_recovery *own = &model->recovery;
    const int32_t n = model->mesh.n_vertex, had = own->capacity;
    int32_t grown = had;
    EW_TRY(ew_grow(&own->u, &grown, n, 3 * sizeof *own->u));
    grown = had;
    EW_TRY(ew_grow(&own->f, &grown, n, 3 * sizeof *own->f));
    grown = had;
    EW_TRY(ew_grow(&own->fixed, &grown, n, sizeof *own->fixed));
    own->capacity = grown;
    own->has_spring = model->constraints.spring != NULL;
    EW_TRY(edges ? make_edge_room(own, edges->rows->pattern.n_row) : EW_OK);
    return own->has_spring
               ? ew_grow(&own->spring, &own->spring_capacity, n, 6 * sizeof *own->spring)
               : EW_OK;
}

static void copy_row(const ew_model *model, const double *force, int32_t v)
{
    const model_recovery *own = &model->recovery;
    const size_t at = 3 * (size_t)v;
    memcpy(own->u + at, model->field[0].value + at, 3 * sizeof *own->u);
    memcpy(own->f + at, force + at, 3 * sizeof *own->f);
    own->fixed[v] = model->constraints.fixed[v];
    if (own->has_spring) {
        memcpy(own->spring + 2 * at, model->constraints.spring + 2 * at, 6 * sizeof *own->spring);
    }
}

static void copy_edge_row(const ew_model *model, const ew_edge_values *edges, int32_t row)
{
    const model_recovery *own = &model->recovery;
    const size_t at = 3 * (size_t)row;
    memcpy(own->edge_u + at, edges->u + at, 3 * sizeof *own->edge_u);
    memcpy(own->edge_f + at, edges->f + at, 3 * sizeof *own->edge_f);
    memcpy(own->end[row], model->quadratic.end + 2 * (size_t)row, sizeof *own->end);
    own->edge_fixed[row] = edges->fixed[row];
}

static void copy_rows(ew_model *model, const double *force, const ew_edge_values *edges,
                      bool is_local)
{
    model_recovery *own = &model->recovery;
    const ew_list *vertex = &own->touched.vertex.list, *edge_row = &own->touched.edge_row.list;
    const int32_t n_edge = edges ? edges->rows->pattern.n_row : 0;
    for (int32_t i = 0; i < (is_local ? vertex->n : model->mesh.n_vertex); i++) {
        copy_row(model, force, is_local ? vertex->id[i] : i);
    }
    for (int32_t i = 0; i < (is_local ? edge_row->n : n_edge); i++) {
        copy_edge_row(model, edges, is_local ? edge_row->id[i] : i);
    }
    own->n_vertex = model->mesh.n_vertex;
    own->n_tet = model->mesh.n_tet;
    own->n_edge_row = n_edge;
    own->has_edges = edges != NULL;
}

ew_status model_keep_recovery(ew_model *model, const double *force, const ew_edge_values *edges,
                              bool is_local)
{
    model_recovery *own = &model->recovery;
    EW_TRY(make_room(model, edges));
    copy_rows(model, force, edges, is_local);
    own->is_estimated = own->is_estimated && is_local && !is_large(model, &own->since);
    EW_TRY(own->is_estimated ? ew_recovery_change_add(&own->since, &own->touched) : EW_OK);
    ew_recovery_change_clear(&own->touched);
    ew_set_clear(&own->changed.row);
    own->changed.is_known = true;
    own->is_kept = true;
    return EW_OK;
}

void model_free_recovery(model_recovery *own)
{
    ew_release(own->u);
    ew_release(own->f);
    ew_release(own->spring);
    ew_release(own->fixed);
    ew_release(own->edge_u);
    ew_release(own->edge_f);
    ew_release(own->edge_fixed);
    ew_release(own->end);
    ew_set_free(&own->changed.row);
    ew_set_free(&own->moved);
    ew_recovery_change_free(&own->touched);
    ew_recovery_change_free(&own->since);
    ew_partial_sums_free(&own->partial);
    *own = (model_recovery){0};
}
