/* Aggregates after an edit. In: rows whose pairs or positions changed. Out: the same aggregates but
 * for rows that left or joined, and those that had to be split, merged or divided. Every choice
 * depends on rows and numbers alone, so equal edits give equal aggregates. */
#include "solver/multilevel/aggregate_growth.h"

#include <string.h>

typedef struct updater {
    ew_aggregate_growth growth;
    ew_aggregates *aggregates;
    ew_aggregate_change *change;
} updater;

/* From its aggregate, or none, to another, or none. */
static ew_status move_row(updater *u, int32_t row, int32_t from, int32_t to)
{
    ew_aggregates *a = u->aggregates;
    EW_TRY(ew_set_add(&u->change->row, row));
    if (from >= 0) {
        EW_TRY(ew_set_add(&u->change->aggregate, from));
        EW_TRY(ew_set_add(&u->change->suspect, from));
        ew_rows_remove(&a->member, from, row);
        if (a->member.count[from] == 0) {
            u->change->reshaped = true;
            EW_TRY(ew_list_push(&a->hole, from));
        }
    }
    if (to >= 0) {
        EW_TRY(ew_set_add(&u->change->aggregate, to));
        EW_TRY(ew_rows_insert(&a->member, to, &row));
    }
    a->of_row[row] = to;
    return EW_OK;
}

static ew_status open_aggregate(updater *u, int32_t *aggregate)
{
    u->change->reshaped = true;
    EW_TRY(ew_aggregates_open(u->aggregates, aggregate));
    EW_TRY(ew_set_add(&u->change->suspect, *aggregate));
    return ew_set_add(&u->change->aggregate, *aggregate);
}

/* ---- joining ----------------------------------------------------------- */

/* Rows of change->joining enter neighboring aggregates of up to `max` rows, round by round; those
 * that find none stay in the list. Strong pairs go first. */
static ew_status join_by(updater *u, int32_t max, bool weak)
{
    ew_list *joining = &u->change->joining;
    const ew_aggregates *a = u->aggregates;
    double square;
    for (int32_t before = -1; before != joining->n;) {
        int32_t n = 0;
        before = joining->n;
        for (int32_t i = 0; i < joining->n; i++) {
            const int32_t row = joining->id[i];
            const ew_search search = {.pattern = u->growth.pattern,
                                      .aggregates = a,
                                      .xyz = u->growth.xyz,
                                      .count = a->member.count,
                                      .center = a->frame,
                                      .stride = 4,
                                      .weak = weak,
                                      .min = 1,
                                      .min_count = 1,
                                      .max_count = max};
            const int32_t to = ew_search_nearest(&search, row, &square);
            if (to >= 0) {
                EW_TRY(move_row(u, row, -1, to));
                EW_TRY(ew_set_add(&u->change->suspect, to));
            } else {
                joining->id[n++] = row;
            }
        }
        joining->n = n;
    }
    return EW_OK;
}

static ew_status join_neighbors(updater *u, int32_t max)
{
    EW_TRY(join_by(u, max, false));
    return join_by(u, max, true);
}

/* Aggregates grown over the rows of change->joining; what is left is empty. */
static ew_status grow_joining(updater *u, int32_t size)
{
    ew_list *joining = &u->change->joining;
    ew_aggregate_growth *g = &u->growth;
    for (int32_t i = 0; i < joining->n; i++) {
        int32_t to;
        if (u->aggregates->of_row[joining->id[i]] >= 0) {
            continue;
        }
        EW_TRY(open_aggregate(u, &to));
        EW_TRY(ew_aggregate_growth_run(g, joining->id[i], to, size));
        g->seed.n = 0;
        for (int32_t k = 0; k < g->taken.n; k++) {
            EW_TRY(move_row(u, g->taken.id[k], -1, to));
        }
        ew_aggregate_set_frame(u->aggregates, to, g->xyz);
    }
    joining->n = 0;
    return EW_OK;
}

/* ---- looking after aggregates ------------------------------------------ */

/* Marks the rows connected to `row` inside its aggregate by `mark`; returns how many. */
static ew_status flood(updater *u, int32_t row, int32_t mark, int32_t *n)
{
    ew_list *work = &u->change->work;
    const ew_aggregates *a = u->aggregates;
    const int32_t own = a->of_row[row];
    work->n = 0;
    EW_TRY(ew_list_push(work, row));
    a->slot[row] = mark;
    for (*n = 0; *n < work->n; (*n)++) {
        int32_t count;
        const int32_t *item = ew_pattern_items(u->growth.pattern, work->id[*n], &count);
        for (int32_t k = 0; k < count; k++) {
            if (a->of_row[item[2 * k]] == own && a->slot[item[2 * k]] < 0) {
                a->slot[item[2 * k]] = mark;
                EW_TRY(ew_list_push(work, item[2 * k]));
            }
        }
    }
    return EW_OK;
}

/* An aggregate that fell apart keeps its largest part; the others are aggregates of their own. */
static ew_status split_parts(updater *u, int32_t own)
{
    ew_aggregates *a = u->aggregates;
    ew_list *rest = &u->change->joining;
    int32_t n_part = 0, largest = 0, max = 0, n;
    ew_status status = EW_OK;
    rest->n = 0;
    for (int32_t i = 0; i < a->member.count[own]; i++) {
        const int32_t row = a->member.item[(size_t)a->member.begin[own] + (size_t)i];
        if (a->slot[row] < 0) {
            EW_TRY_OUT(flood(u, row, n_part, &n));
            largest = n > max ? n_part : largest;
            max = n > max ? n : max;
            n_part++;
        }
    }
    for (int32_t i = 0; i < a->member.count[own] && n_part > 1; i++) {
        const int32_t row = a->member.item[(size_t)a->member.begin[own] + (size_t)i];
        if (a->slot[row] != largest) {
            EW_TRY_OUT(ew_list_push(rest, row));
        }
    }
out:
    for (int32_t i = 0; i < a->member.count[own]; i++) {
        a->slot[a->member.item[(size_t)a->member.begin[own] + (size_t)i]] = -1;
    }
    EW_TRY(status);
    for (int32_t i = 0; i < rest->n; i++) {
        EW_TRY(move_row(u, rest->id[i], own, -1));
    }
    return grow_joining(u, INT32_MAX);
}

static ew_status take_all_rows(updater *u, int32_t own)
{
    const ew_rows *member = &u->aggregates->member;
    ew_list *joining = &u->change->joining;
    joining->n = 0;
    while (member->count[own] > 0) {
        const int32_t row = member->item[member->begin[own]];
        EW_TRY(ew_list_push(joining, row));
        EW_TRY(move_row(u, row, own, -1));
    }
    return EW_OK;
}

/* Rows of one that is too small join neighbors of up to `max` rows, if there are any. */
static ew_status merge_small(updater *u, int32_t own, int32_t max)
{
    const int32_t n = u->aggregates->member.count[own];
    if (n == 0 || 4 * n >= u->aggregates->size) {
        return EW_OK;
    }
    EW_TRY(take_all_rows(u, own));
    EW_TRY(join_neighbors(u, max));
    return grow_joining(u, INT32_MAX);
}

/* One that is too large is grown again as several of about equal size. */
static ew_status divide_large(updater *u, int32_t own)
{
    const int32_t n = u->aggregates->member.count[own], size = u->aggregates->size;
    const int32_t parts = (n + size - 1) / size;
    if (n <= 2 * size) {
        return EW_OK;
    }
    EW_TRY(take_all_rows(u, own));
    return grow_joining(u, (n + parts - 1) / parts);
}

/* The frame follows when most rows of an aggregate were touched, as by a move of all of them; then
 * no block of before is kept. change->work holds the touched rows' aggregates, ascending. */
static ew_status refresh_frames(updater *u)
{
    ew_list *work = &u->change->work;
    ew_aggregates *a = u->aggregates;
    for (int32_t i = 0, next; i < work->n; i = next) {
        const int32_t own = work->id[i];
        for (next = i; next < work->n && work->id[next] == own; next++) {
        }
        if (2 * (next - i) > a->member.count[own]) {
            ew_aggregate_set_frame(a, own, u->growth.xyz);
            EW_TRY(ew_set_add(&u->change->aggregate, own));
        }
    }
    return EW_OK;
}

/* Rows leave; those that are to join are listed, aggregates of the others are suspects. */
static ew_status sort_rows(updater *u, const ew_list *touched)
{
    ew_aggregates *a = u->aggregates;
    ew_aggregate_change *change = u->change;
    for (int32_t i = 0; i < touched->n; i++) {
        const int32_t row = touched->id[i], own = a->of_row[row];
        const bool has_pairs = u->growth.pattern->row_to_pair.count[row] > 0;
        if (own < 0 && has_pairs) {
            EW_TRY(ew_list_push(&change->joining, row));
        } else if (own >= 0 && !has_pairs) {
            EW_TRY(move_row(u, row, own, -1));
        } else if (own >= 0) {
            EW_TRY(ew_set_add(&change->loosened, own));
            EW_TRY(ew_list_push(&change->work, own));
        }
    }
    ew_list_sort(&change->work);
    return refresh_frames(u);
}

/* Diagonal blocks of touched rows changed, so all their pairs are judged again. */
static void find_strong(updater *u, const ew_fine_level *fine, int32_t row)
{
    int32_t count;
    const int32_t *item = ew_pattern_items(fine->pattern, row, &count);
    for (int32_t k = 0; k < count; k++) {
        uint64_t *word = &u->aggregates->strong[item[2 * k + 1] / 64];
        const uint64_t bit = UINT64_C(1) << (item[2 * k + 1] % 64);
        const bool is_strong =
            ew_aggregate_growth_strength(fine, item[2 * k + 1]) >= u->aggregates->cut;
        *word = is_strong ? *word | bit : *word & ~bit;
    }
}

/* Marks of a search for touched rows. */
enum { WANTED = 0, VISITED = 1 };

/* Takes a row into the search unless it is there. */
static ew_status visit(updater *u, int32_t row, int32_t *n_wanted)
{
    int32_t *mark = u->aggregates->slot + row;
    if (*mark == VISITED) {
        return EW_OK;
    }
    *n_wanted -= *mark == WANTED;
    *mark = VISITED;
    return ew_list_push(&u->change->work, row);
}

/* Whether the touched rows of an aggregate are connected inside it. Pairs that went were between
 * touched rows, so an aggregate that was whole is whole then. Seldom looks further than the pairs
 * of one row. */
static ew_status is_whole(updater *u, const ew_list *touched, int32_t own, bool *whole)
{
    ew_list *work = &u->change->work;
    const ew_aggregates *a = u->aggregates;
    ew_status status = EW_OK;
    int32_t n_left = 0;
    work->n = 0;
    for (int32_t i = 0; i < touched->n; i++) {
        if (a->of_row[touched->id[i]] == own) {
            a->slot[touched->id[i]] = WANTED;
            n_left++;
        }
    }
    for (int32_t i = 0; i < touched->n && n_left > 0 && work->n == 0; i++) {
        if (a->of_row[touched->id[i]] == own) {
            EW_TRY_OUT(visit(u, touched->id[i], &n_left));
        }
    }
    for (int32_t i = 0; i < work->n && n_left > 0; i++) {
        int32_t count;
        const int32_t *item = ew_pattern_items(u->growth.pattern, work->id[i], &count);
        for (int32_t k = 0; k < count && n_left > 0; k++) {
            if (a->of_row[item[2 * k]] == own) {
                EW_TRY_OUT(visit(u, item[2 * k], &n_left));
            }
        }
    }
    *whole = n_left == 0;
out:
    for (int32_t i = 0; i < work->n; i++) {
        a->slot[work->id[i]] = -1;
    }
    for (int32_t i = 0; i < touched->n; i++) {
        a->slot[touched->id[i]] = -1;
    }
    return status;
}

/* Aggregates of touched rows become suspects unless a short look shows that they are whole. */
static ew_status suspect_loosened(updater *u, const ew_list *touched)
{
    enum { FEW = 64 }; /* touched rows; of more, each aggregate would look at all */
    const ew_list *loosened = &u->change->loosened.list;
    for (int32_t i = 0; i < loosened->n; i++) {
        const int32_t own = loosened->id[i];
        bool whole = false;
        if (touched->n <= FEW && !ew_set_has(&u->change->suspect, own)) {
            EW_TRY(is_whole(u, touched, own, &whole));
        }
        if (!whole) {
            EW_TRY(ew_set_add(&u->change->suspect, own));
        }
    }
    return EW_OK;
}

static ew_status look_after(updater *u)
{
    ew_set *suspect = &u->change->suspect;
    for (int32_t i = 0; i < suspect->list.n; i++) { /* which grows meanwhile */
        EW_TRY(split_parts(u, suspect->list.id[i]));
    }
    for (int32_t i = 0, n = suspect->list.n; i < n; i++) {
        EW_TRY(merge_small(u, suspect->list.id[i], INT32_MAX));
    }
    const int32_t n = suspect->list.n;
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(divide_large(u, suspect->list.id[i]));
    }
    for (int32_t i = n; i < suspect->list.n; i++) { /* what that left */
        EW_TRY(merge_small(u, suspect->list.id[i], 2 * u->aggregates->size - 1));
    }
    return EW_OK;
}

ew_status ew_aggregates_update(ew_aggregates *aggregates, const ew_fine_level *fine,
                               const ew_list *touched, ew_aggregate_change *change)
{
    updater u = {.growth = {.pattern = fine->pattern,
                            .xyz = fine->xyz,
                            .aggregates = aggregates,
                            .end = INT32_MAX,
                            .weak = true},
                 .aggregates = aggregates,
                 .change = change};
    ew_status status = EW_OK;
    ew_set_clear(&change->row);
    ew_set_clear(&change->aggregate);
    ew_set_clear(&change->suspect);
    ew_set_clear(&change->loosened);
    change->work.n = change->joining.n = 0;
    change->reshaped = false;
    EW_TRY_OUT(ew_aggregates_extend_rows(aggregates, fine->pattern->n_row));
    EW_TRY_OUT(ew_aggregates_extend_pairs(aggregates, fine->pattern->n_pair));
    for (int32_t i = 0; i < touched->n; i++) {
        find_strong(&u, fine, touched->id[i]);
    }
    EW_TRY_OUT(sort_rows(&u, touched));
    EW_TRY_OUT(join_neighbors(&u, 3 * aggregates->size / 2));
    EW_TRY_OUT(grow_joining(&u, aggregates->size));
    EW_TRY_OUT(suspect_loosened(&u, touched));
    EW_TRY_OUT(look_after(&u));
out:
    ew_aggregate_growth_free(&u.growth);
    return status;
}

void ew_aggregate_change_free(ew_aggregate_change *change)
{
    ew_set_free(&change->row);
    ew_set_free(&change->aggregate);
    ew_set_free(&change->suspect);
    ew_set_free(&change->loosened);
    ew_list_free(&change->work);
    ew_list_free(&change->joining);
    *change = (ew_aggregate_change){0};
}
