/* Groups of columns that are solved side by side. In: the elimination tree of a factor. Out:
 * columns by group, and the top: the columns that are above more of the factor than one group
 * should have.
 *
 * A column has blocks in rows of its ancestors alone, so two subtrees meet in the columns above
 * both. Subtrees are dealt by size, largest first, each to the group that has least. */
#include "solver/factor/block_cholesky.h"

#include <stdlib.h>

typedef struct subtree {
    int32_t root, group;
    int64_t cost;
} subtree;

static int by_cost(const void *a, const void *b)
{
    const subtree *x = a, *y = b;
    return x->cost != y->cost ? (x->cost < y->cost) - (x->cost > y->cost)
                              : (x->root > y->root) - (x->root < y->root);
}

/* What the columns below each, itself included, cost; the whole. Children come before parents. */
static int64_t add_costs(const ew_block_cholesky *f, int64_t *cost)
{
    int64_t total = 0;
    for (int32_t j = 0; j < f->n; j++) {
        cost[j] = 0;
    }
    for (int32_t j = 0; j < f->n; j++) {
        const int64_t own = 1 + f->begin[j + 1] - f->begin[j];
        cost[j] += own;
        total += own;
        if (f->parent[j] >= 0) {
            cost[f->parent[j]] += cost[j];
        }
    }
    return total;
}

/* Largest first, to the group that has least, the first of equals. */
static void assign_to_groups(subtree *list, int32_t n)
{
    int64_t load[EW_CHOLESKY_GROUPS] = {0};
    qsort(list, (size_t)n, sizeof *list, by_cost);
    for (int32_t k = 0; k < n; k++) {
        int32_t least = 0;
        for (int32_t g = 1; g < EW_CHOLESKY_GROUPS; g++) {
            least = load[g] < load[least] ? g : least;
        }
        list[k].group = least;
        load[least] += list[k].cost;
    }
}

/* group[j]: of column j; that of a root is known, others have their parents'. */
static void list_columns(ew_block_cholesky *f, int32_t *group)
{
    int32_t next[EW_CHOLESKY_GROUPS + 1] = {0};
    for (int32_t j = f->n - 1; j >= 0; j--) {
        group[j] = group[j] < 0 ? group[f->parent[j]] : group[j];
        next[group[j]]++;
    }
    f->group_begin[0] = 0;
    for (int32_t g = 0; g <= EW_CHOLESKY_GROUPS; g++) {
        f->group_begin[g + 1] = f->group_begin[g] + next[g];
        next[g] = f->group_begin[g];
    }
    for (int32_t j = 0; j < f->n; j++) {
        f->group_column[next[group[j]]++] = j;
        f->in_top[j] = group[j] == EW_CHOLESKY_GROUPS;
    }
    for (int32_t j = 0; j < f->n; j++) { /* ancestors in the top follow those below it */
        int32_t p = f->begin[j];
        while (p < f->begin[j + 1] && !f->in_top[f->below[p]]) {
            p++;
        }
        f->begin_top[j] = p;
    }
}

ew_status ew_block_cholesky_group(ew_block_cholesky *factor)
{
    ew_block_cholesky *f = factor;
    const size_t n = (size_t)f->n;
    int64_t *cost = NULL;
    int32_t *group = NULL, n_list = 0;
    subtree *list = NULL;
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_new(&f->group_column, n, sizeof *f->group_column));
    EW_TRY_OUT(ew_new(&f->begin_top, n, sizeof *f->begin_top));
    EW_TRY_OUT(ew_new(&f->in_top, n, sizeof *f->in_top));
    EW_TRY_OUT(ew_new(&cost, n, sizeof *cost));
    EW_TRY_OUT(ew_new(&group, n, sizeof *group));
    EW_TRY_OUT(ew_new(&list, n, sizeof *list));
    const int64_t limit = add_costs(f, cost) / (2 * EW_CHOLESKY_GROUPS);
    for (int32_t j = 0; j < f->n; j++) {
        const int32_t parent = f->parent[j];
        const bool is_root = cost[j] <= limit && (parent < 0 || cost[parent] > limit);
        group[j] = cost[j] > limit ? EW_CHOLESKY_GROUPS : -1;
        if (is_root) {
            list[n_list++] = (subtree){j, -1, cost[j]};
        }
    }
    assign_to_groups(list, n_list);
    for (int32_t k = 0; k < n_list; k++) {
        group[list[k].root] = list[k].group;
    }
    list_columns(f, group);
out:
    ew_release(cost);
    ew_release(group);
    ew_release(list);
    return status;
}
