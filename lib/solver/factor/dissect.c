/* Recursive bisection at medians along the axes. In: points, and the pattern for separators. Out:
 * an order of elimination, or groups. Each cut tries the three axes and takes the one with the
 * fewest rows in the separator, a minimum vertex cover of the pairs across (Koenig 1931). Rows are
 * sorted along the axes once; a cut divides the sorted lists and keeps their order. */
#include "solver/factor/dissect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sets of so few rows are not cut further. */
enum { LEAF = 4 };
#define SHORT 0.8 /* of the longest extent */

typedef struct place {
    double key;
    int32_t row;
} place;

static int by_key(const void *a, const void *b)
{
    const place *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->row > y->row) - (x->row < y->row);
}

/* list: the rows set[0 .. n) sorted along the axis, those at one place by number. work: [n]. */
static void sort_along(const double *point, int axis, const int32_t *set, int32_t n, place *work,
                       int32_t *list)
{
    for (int32_t k = 0; k < n; k++) {
        work[k] = (place){point[4 * (size_t)set[k] + (size_t)axis], set[k]};
    }
    qsort(work, (size_t)n, sizeof *work, by_key);
    for (int32_t k = 0; k < n; k++) {
        list[k] = work[k].row;
    }
}

/* Rows of a list by their parts, 0 to 2, in the order that they are in; begin: of the parts. */
static void divide(int32_t *list, int32_t n, const int8_t *part, const int32_t begin[3],
                   int32_t *work)
{
    int32_t next[3] = {begin[0], begin[1], begin[2]};
    memcpy(work, list, (size_t)n * sizeof *list);
    for (int32_t k = 0; k < n; k++) {
        list[next[part[work[k]]]++] = work[k];
    }
}

/* ---- an order of elimination ------------------------------------------------ */

typedef struct dissection {
    const ew_pattern *pattern;
    int32_t *along[3]; /* [n_row] owned: rows, in each set sorted along the axes */
    int32_t *order;    /* [n_row] the same, in each set ascending */
    int8_t *side;      /* [n_row] owned: 0 outside the set being cut, 1 or 2 */
    int8_t *part;      /* [n_row] owned: 0 or 1 for the sides, 2 for the separator */
    int32_t search;
    int32_t *reached; /* [n_row] owned: the last search that met the row */
    int32_t *mate;    /* [n_row] owned, -1 */
    int32_t *work;    /* [n_row] owned */
} dissection;

/* Sides 1 and 2: halves of a list. */
static void halve(dissection *in, const int32_t *list, int32_t n)
{
    for (int32_t k = 0; k < n; k++) {
        in->side[list[k]] = k < n / 2 ? 1 : 2;
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
        const bool is_in_cover =
            in->mate[row] >= 0 && (in->reached[row] == in->search) == (in->side[row] == 2);
        in->part[row] = is_in_cover ? 2 : (int8_t)(in->side[row] - 1);
        size += is_in_cover;
    }
    return size;
}

/* Puts rows [begin, begin + n) of all lists in the order side 1, side 2, separator. */
static void partition(dissection *in, int32_t begin, int32_t n, int32_t *n_first, int32_t *n_second)
{
    int32_t *const list[] = {in->order, in->along[0], in->along[1], in->along[2]};
    int32_t count[3] = {0};
    for (int32_t k = 0; k < n; k++) {
        const int32_t row = in->order[begin + k];
        count[in->part[row]]++;
        in->side[row] = 0;
    }
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        divide(list[i] + begin, n, in->part, (int32_t[]){0, count[0], count[0] + count[1]},
               in->work);
    }
    *n_first = count[0];
    *n_second = count[1];
}

static void cut(dissection *in, int32_t begin, int32_t n)
{
    const int32_t *set = in->order + begin;
    int32_t n_first, n_second, min = INT32_MAX;
    int best = 0;
    if (n <= LEAF) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        halve(in, in->along[axis] + begin, n);
        const int32_t size = cover_cut(in, set, n);
        if (size < min) {
            min = size;
            best = axis;
        }
    }
    if (best != 2) {
        halve(in, in->along[best] + begin, n);
        cover_cut(in, set, n);
    }
    partition(in, begin, n, &n_first, &n_second);
    cut(in, begin, n_first);
    cut(in, begin + n_first, n_second);
}

static void free_dissection(dissection *in)
{
    for (int axis = 0; axis < 3; axis++) {
        ew_release(in->along[axis]);
    }
    ew_release(in->side);
    ew_release(in->part);
    ew_release(in->reached);
    ew_release(in->mate);
    ew_release(in->work);
}

ew_status ew_dissect_order(const ew_pattern *pattern, const double *point, int32_t *order)
{
    const size_t n = (size_t)pattern->n_row;
    dissection in = {.pattern = pattern, .order = order};
    place *sorted = NULL;
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_new(&sorted, n, sizeof *sorted));
    EW_TRY_OUT(ew_new_zero(&in.side, n, sizeof *in.side));
    EW_TRY_OUT(ew_new(&in.part, n, sizeof *in.part));
    EW_TRY_OUT(ew_new_zero(&in.reached, n, sizeof *in.reached));
    EW_TRY_OUT(ew_new(&in.mate, n, sizeof *in.mate));
    EW_TRY_OUT(ew_new(&in.work, n, sizeof *in.work));
    for (int32_t row = 0; row < pattern->n_row; row++) {
        order[row] = row;
    }
    for (int axis = 0; axis < 3; axis++) {
        EW_TRY_OUT(ew_new(&in.along[axis], n, sizeof *in.along[axis]));
        sort_along(point, axis, order, pattern->n_row, sorted, in.along[axis]);
    }
    cut(&in, 0, pattern->n_row);
out:
    ew_release(sorted);
    free_dissection(&in);
    return status;
}

/* ---- groups ------------------------------------------------------------ */

typedef struct grouping {
    const double *point;
    const int32_t *weight;
    int32_t *along[3]; /* [n] rows, in each set sorted along the axes */
    int8_t *part;      /* [n_row] owned: 0 or 1 */
    int32_t *work;     /* [n] */
    int32_t *group, *n_group;
} grouping;

/* How far the rows of a sorted list reach. */
static double extent(const grouping *in, int axis, int32_t begin, int32_t n)
{
    const int32_t *list = in->along[axis] + begin;
    return in->point[4 * (size_t)list[n - 1] + (size_t)axis] -
           in->point[4 * (size_t)list[0] + (size_t)axis];
}

/* By how much the rows of the second half of a sorted list are later ones than those of the first.
 */
static double measure_lean(const grouping *in, int axis, int32_t begin, int32_t n)
{
    const int32_t *list = in->along[axis] + begin;
    double sum = 0.0;
    for (int32_t k = 0; k < n; k++) {
        sum += k < n / 2 ? -list[k] / (double)(n / 2) : list[k] / (double)(n - n / 2);
    }
    return sum;
}

/* The longest, or of some that are about as long the one along which rows are numbered. down: they
 * are from its end. */
static int axis_to_cut(const grouping *in, int32_t begin, int32_t n, bool *down)
{
    double longest = 0.0, most = -1.0;
    int axis = 0;
    for (int i = 0; i < 3; i++) {
        longest = fmax(longest, extent(in, i, begin, n));
    }
    for (int i = 0; i < 3; i++) {
        const double own = measure_lean(in, i, begin, n);
        if (extent(in, i, begin, n) >= SHORT * longest && fabs(own) > most) {
            most = fabs(own);
            *down = own < 0.0;
            axis = i;
        }
    }
    return axis;
}

/* Rows [begin, begin + n), of the given weight in all, into n_part groups. */
static void make_groups(grouping *in, int32_t begin, int32_t n, int64_t total, int64_t n_part)
{
    if (n_part <= 1 || n <= 1) {
        for (int32_t k = 0; k < n; k++) {
            in->group[in->along[0][begin + k]] = *in->n_group;
        }
        *in->n_group += n > 0;
        return;
    }
    bool down = false;
    const int axis = axis_to_cut(in, begin, n, &down);
    const int32_t *list = in->along[axis] + begin;
    const int64_t n_first = n_part / 2, wanted = total * n_first / n_part;
    int64_t first = 0;
    int32_t k = 0;
    for (; k < n - 1 && (k == 0 || first + in->weight[list[k]] / 2 < wanted); k++) {
        first += in->weight[list[k]];
    }
    for (int32_t i = 0; i < n; i++) {
        in->part[list[i]] = i >= k;
    }
    for (int i = 0; i < 3; i++) {
        divide(in->along[i] + begin, n, in->part, (int32_t[]){0, k, n}, in->work);
    }
    if (down) { /* groups are numbered as rows are */
        make_groups(in, begin + k, n - k, total - first, n_part - n_first);
    }
    make_groups(in, begin, k, first, n_first);
    if (!down) {
        make_groups(in, begin + k, n - k, total - first, n_part - n_first);
    }
}

ew_status ew_dissect_groups(int32_t n_row, const double *point, const int32_t *weight, int64_t size,
                            int32_t *group, int32_t *n_group)
{
    grouping in = {.point = point, .weight = weight, .group = group, .n_group = n_group};
    int32_t *list = NULL, n = 0;
    place *sorted = NULL;
    int64_t total = 0;
    ew_status status = EW_OK;
    *n_group = 0;
    EW_TRY_OUT(ew_new(&sorted, (size_t)n_row, sizeof *sorted));
    EW_TRY_OUT(ew_new(&list, 4 * (size_t)n_row, sizeof *list));
    EW_TRY_OUT(ew_new(&in.part, (size_t)n_row, sizeof *in.part));
    in.work = list + 3 * (size_t)n_row;
    for (int32_t row = 0; row < n_row; row++) {
        group[row] = -1;
        if (weight[row] > 0) {
            in.work[n++] = row;
            total += weight[row];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        in.along[axis] = list + (size_t)axis * (size_t)n_row;
        sort_along(point, axis, in.work, n, sorted, in.along[axis]);
    }
    make_groups(&in, 0, n, total, (total + size - 1) / size);
out:
    ew_release(sorted);
    ew_release(list);
    ew_release(in.part);
    return status;
}
