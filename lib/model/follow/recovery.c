/* What the next recovery computes again. In: copies of what the last one read, and the changes that
 * commits made since. Out: the slots of tets and vertices whose fields differ.
 *
 * Displacement, loads, springs and prescribed components are compared with the copies, so that it
 * does not matter who changed them: a local answer changes few rows, a global one all of them.
 * Where tets were only removed and answers were local, and nobody else may have written a
 * displacement, the rows that may differ are known, and the others are not looked at. Tets that
 * came, went or moved are noted by each commit. The stress of a tet follows from its corners,
 * averages, reactions and sums at a vertex from the tets around it, the estimated error of a tet
 * from the recovered stress at its corners: all that is not listed keeps the bits that a whole
 * recovery would find. */
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

/* Slots beyond those of the last recovery. */
static ew_status add_new_slots(const ew_model *model, ew_recovery_change *touched)
{
    for (int32_t v = model->recovery.n_vertex; v < model->mesh.n_vertex; v++) {
        EW_TRY(ew_set_add(&touched->vertex, v));
    }
    for (int32_t t = model->recovery.n_tet; t < model->mesh.n_tet; t++) {
        EW_TRY(ew_set_add(&touched->tet, t));
    }
    return EW_OK;
}

/* The listed rows that differ. */
static ew_status compare_listed(const double *value, const double *copy, const ew_list *list,
                                ew_set *row)
{
    for (int32_t i = 0; i < list->n; i++) {
        const size_t at = 3 * (size_t)list->id[i];
        EW_TRY(memcmp(value + at, copy + at, 3 * sizeof *value) ? ew_set_add(row, list->id[i])
                                                                : EW_OK);
    }
    return EW_OK;
}

/* Rows of vertices that differ from their copies. */
static ew_status compare(const ew_model *model, const double *value, const double *copy,
                         ew_set *row)
{
    const model_recovery *own = &model->recovery;
    return own->changed.is_known && !model->is_writable
               ? compare_listed(value, copy, &own->changed.row.list, row)
               : compare_rows(value, copy, 3 * sizeof *value, own->n_vertex, row);
}

static ew_status add_moved(ew_model *model)
{
    model_recovery *own = &model->recovery;
    const ew_rows *rows = &model->topology.vertex_to_tet;
    const ew_list *moved = &own->moved.list;
    ew_set_clear(&own->moved);
    EW_TRY(compare(model, model->field[0].value, own->u, &own->moved));
    for (int32_t i = 0; i < moved->n && !is_large(model, &own->touched); i++) {
        const int32_t v = moved->id[i];
        EW_TRY(ew_set_add(&own->touched.vertex, v));
        for (int32_t k = 0; k < rows->count[v]; k++) {
            EW_TRY(ew_set_add(&own->touched.tet, rows->item[rows->begin[v] + k]));
        }
    }
    return EW_OK;
}

ew_status model_find_touched(ew_model *model, const double *force, bool *is_local)
{
    model_recovery *own = &model->recovery;
    const ew_constraints *constraints = &model->constraints;
    const int32_t n = own->n_vertex;
    *is_local = own->is_kept && model->mesh.n_vertex >= n && model->mesh.n_tet >= own->n_tet &&
                own->has_spring == (constraints->spring != NULL);
    if (!*is_local) {
        return EW_OK;
    }
    EW_TRY(add_new_slots(model, &own->touched));
    EW_TRY(add_moved(model));
    EW_TRY(compare(model, force, own->f, &own->touched.vertex));
    EW_TRY(compare_rows(constraints->fixed, own->fixed, 1, n, &own->touched.vertex));
    EW_TRY(own->has_spring ? compare_rows(constraints->spring, own->spring, 6 * sizeof *own->spring,
                                          n, &own->touched.vertex)
                           : EW_OK);
    *is_local = !is_large(model, &own->touched);
    return *is_local ? ew_recovery_change_close(&own->touched, &model->mesh) : EW_OK;
}

/* ---- after a recovery --------------------------------------------------------------- */

static ew_status make_room(ew_model *model)
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

ew_status model_keep_recovery(ew_model *model, const double *force, bool is_local)
{
    model_recovery *own = &model->recovery;
    const ew_list *vertex = &own->touched.vertex.list;
    EW_TRY(make_room(model));
    for (int32_t i = 0; i < vertex->n && is_local; i++) {
        copy_row(model, force, vertex->id[i]);
    }
    for (int32_t v = 0; v < model->mesh.n_vertex && !is_local; v++) {
        copy_row(model, force, v);
    }
    own->is_estimated = own->is_estimated && is_local && !is_large(model, &own->since);
    EW_TRY(own->is_estimated ? ew_recovery_change_add(&own->since, &own->touched) : EW_OK);
    ew_recovery_change_clear(&own->touched);
    ew_set_clear(&own->changed.row);
    own->changed.is_known = true;
    own->n_vertex = model->mesh.n_vertex;
    own->n_tet = model->mesh.n_tet;
    own->is_kept = true;
    return EW_OK;
}

void model_free_recovery(model_recovery *own)
{
    ew_release(own->u);
    ew_release(own->f);
    ew_release(own->spring);
    ew_release(own->fixed);
    ew_set_free(&own->changed.row);
    ew_set_free(&own->moved);
    ew_recovery_change_free(&own->touched);
    ew_recovery_change_free(&own->since);
    ew_partial_sums_free(&own->partial);
    *own = (model_recovery){0};
}
