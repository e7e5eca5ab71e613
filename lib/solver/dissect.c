/* Recursive bisection at medians along the axes. In: points, and the pattern for separators. Out:
 * an order of elimination, or groups. Each cut tries the three axes and takes the one with the
 * fewest rows in the separator, a minimum vertex cover of the pairs across (Koenig 1931). */
#include "dissect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sets of so few rows are not cut further. */
enum { LEAF = 4 };

typedef struct place {
    double key;
    int32_t row;
} place;

typedef struct dissection {
    const ew_pattern *pattern;
    const double *point;
    int8_t *side; /* [n_row] owned: 0 outside the set being cut, 1 or 2 */
    bool *cover;  /* [n_row] owned */
    int32_t search;
    int32_t *reached; /* [n_row] owned: the last search that met the row */
    int32_t *mate;    /* [n_row] owned, -1 */
    place *sorted;    /* [n_row] owned */
    int32_t *work;    /* [n_row] owned */
} dissection;

static int by_key(const void *a, const void *b)
{
    const place *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->row > y->row) - (x->row < y->row);
}

/* Sides 1 and 2 of the rows set[0 .. n): halves along the axis. */
static void halve(dissection *in, const int32_t *set, int32_t n, int axis)
{
    for (int32_t k = 0; k < n; k++) {
        in->sorted[k] = (place){in->point[4 * (size_t)set[k] + (size_t)axis], set[k]};
    }
    qsort(in->sorted, (size_t)n, sizeof *in->sorted, by_key);
    for (int32_t k = 0; k < n; k++) {
        in->side[in->sorted[k].row] = k < n / 2 ? 1 : 2;
    }
}

/* Gives the row of side 1 a mate on side 2, passing on the mates of others (Kuhn 1955). */
static bool find_mate(dissection *in, int32_t row)
{
    int32_t count;
    const int32_t *item = ew_pattern_items(in->pattern, row, &count);
    for (int32_t k = 0; k < count; k++) {
        const int32_t other = item[2 * k];
        if (in->side[other] != 2 || in->reached[other] == in->search) {
            continue;
        }
        in->reached[other] = in->search;
        if (in->mate[other] < 0 || find_mate(in, in->mate[other])) {
            in->mate[other] = row;
            in->mate[row] = other;
            return true;
        }
    }
    return false;
}

/* Rows reached from `row` (side 1, no mate) along ways that alternate. */
static void reach(dissection *in, int32_t row)
{
    int32_t count;
    const int32_t *item = ew_pattern_items(in->pattern, row, &count);
    in->reached[row] = in->search;
    for (int32_t k = 0; k < count; k++) {
        const int32_t other = item[2 * k];
        if (in->side[other] == 2 && in->reached[other] != in->search) {
            in->reached[other] = in->search;
            reach(in, in->mate[other]); /* it has one, or find_mate had succeeded */
        }
    }
}

static bool has_neighbor_across(const dissection *in, int32_t row)
{
    int32_t count;
    const int32_t *item = ew_pattern_items(in->pattern, row, &count);
    for (int32_t k = 0; k < count; k++) {
        if (in->side[item[2 * k]] == 2) {
            return true;
        }
    }
    return false;
}

/* Marks the separator of the halves; returns its size. */
static int32_t cover_cut(dissection *in, const int32_t *set, int32_t n)
{
    int32_t n_boundary = 0, size = 0;
    for (int32_t k = 0; k < n; k++) {
        in->mate[set[k]] = -1;
        in->cover[set[k]] = false;
        if (in->side[set[k]] == 1 && has_neighbor_across(in, set[k])) {
            in->work[n_boundary++] = set[k];
        }
    }
    for (int32_t k = 0; k < n_boundary; k++) {
        in->search++;
        find_mate(in, in->work[k]);
    }
    in->search++;
    for (int32_t k = 0; k < n_boundary; k++) {
        if (in->mate[in->work[k]] < 0) {
            reach(in, in->work[k]);
        }
    }
    for (int32_t k = 0; k < n; k++) {
        const int32_t row = set[k];
        in->cover[row] =
            in->mate[row] >= 0 && (in->reached[row] == in->search) == (in->side[row] == 2);
        size += in->cover[row];
    }
    return size;
}

/* Puts the rows in the order side 1, side 2, separator. */
static void partition(dissection *in, int32_t *set, int32_t n, int32_t *n_first, int32_t *n_second)
{
    int32_t at = 0;
    memcpy(in->work, set, (size_t)n * sizeof *set);
    for (int part = 0; part < 3; part++) {
        for (int32_t k = 0; k < n; k++) {
            const int32_t row = in->work[k];
            if ((in->cover[row] ? 2 : in->side[row] - 1) == part) {
                set[at++] = row;
            }
        }
        *(part == 0 ? n_first : n_second) = part == 0 ? at : part == 1 ? at - *n_first : *n_second;
    }
}

static void cut(dissection *in, int32_t *set, int32_t n)
{
    int32_t n_first = 0, n_second = 0, min = INT32_MAX;
    int best = 0;
    if (n <= LEAF) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        halve(in, set, n, axis);
        const int32_t size = cover_cut(in, set, n);
        if (size < min) {
            min = size;
            best = axis;
        }
    }
    if (best != 2) {
        halve(in, set, n, best);
        cover_cut(in, set, n);
    }
    partition(in, set, n, &n_first, &n_second);
    for (int32_t k = 0; k < n; k++) {
        in->side[set[k]] = 0;
    }
    cut(in, set, n_first);
    cut(in, set + n_first, n_second);
}

static void free_dissection(dissection *in)
{
    ew_release(in->side);
    ew_release(in->cover);
    ew_release(in->reached);
    ew_release(in->mate);
    ew_release(in->sorted);
    ew_release(in->work);
}

ew_status ew_dissect_order(const ew_pattern *pattern, const double *point, int32_t *order)
{
    const size_t n = (size_t)pattern->n_row;
    dissection in = {.pattern = pattern, .point = point};
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_new_zero(&in.side, n, sizeof *in.side));
    EW_TRY_OUT(ew_new(&in.cover, n, sizeof *in.cover));
    EW_TRY_OUT(ew_new_zero(&in.reached, n, sizeof *in.reached));
    EW_TRY_OUT(ew_new(&in.mate, n, sizeof *in.mate));
    EW_TRY_OUT(ew_new(&in.sorted, n, sizeof *in.sorted));
    EW_TRY_OUT(ew_new(&in.work, n, sizeof *in.work));
    for (int32_t row = 0; row < pattern->n_row; row++) {
        order[row] = row;
    }
    cut(&in, order, pattern->n_row);
out:
    free_dissection(&in);
    return status;
}

/* ---- groups ------------------------------------------------------------ */

static void group_places(place *set, int32_t n, const double *point, const int32_t *weight,
                         int64_t total, int64_t n_part, int32_t *group, int32_t *n_group)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    int axis = 0;
    if (n_part <= 1 || n <= 1) {
        for (int32_t k = 0; k < n; k++) {
            group[set[k].row] = *n_group;
        }
        *n_group += n > 0;
        return;
    }
    for (int32_t k = 0; k < n; k++) {
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], point[4 * (size_t)set[k].row + (size_t)i]);
            high[i] = fmax(high[i], point[4 * (size_t)set[k].row + (size_t)i]);
        }
    }
    for (int i = 1; i < 3; i++) {
        axis = high[i] - low[i] > high[axis] - low[axis] ? i : axis;
    }
    for (int32_t k = 0; k < n; k++) {
        set[k].key = point[4 * (size_t)set[k].row + (size_t)axis];
    }
    qsort(set, (size_t)n, sizeof *set, by_key);
    const int64_t n_first = n_part / 2, wanted = total * n_first / n_part;
    int64_t first = 0;
    int32_t k = 0;
    for (; k < n - 1 && (k == 0 || first + weight[set[k].row] / 2 < wanted); k++) {
        first += weight[set[k].row];
    }
    group_places(set, k, point, weight, first, n_first, group, n_group);
    group_places(set + k, n - k, point, weight, total - first, n_part - n_first, group, n_group);
}

ew_status ew_dissect_groups(int32_t n_row, const double *point, const int32_t *weight, int64_t size,
                            int32_t *group, int32_t *n_group)
{
    place *set;
    int64_t total = 0;
    int32_t n = 0;
    EW_TRY(ew_new(&set, (size_t)n_row, sizeof *set));
    for (int32_t row = 0; row < n_row; row++) {
        group[row] = -1;
        if (weight[row] > 0) {
            set[n++].row = row;
            total += weight[row];
        }
    }
    *n_group = 0;
    group_places(set, n, point, weight, total, (total + size - 1) / size, group, n_group);
    ew_release(set);
    return EW_OK;
}
