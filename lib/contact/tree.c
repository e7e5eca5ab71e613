/* A search tree of boxes. In: boxes. Out: those that meet a given one. Leaves hold
 * up to CONTACT_LEAF boxes that are near each other in Morton order (Morton 1966), so boxes of
 * nodes are small. */
#include "contact/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The tree is no deeper than ids are long; a search goes down one child after the other. */
enum { MAX_DEPTH = 64 };

/* Every third bit from the lowest: the lowest 21 of x. */
static uint64_t spread(uint64_t x)
{
    x = (x | x << 32) & UINT64_C(0x1f00000000ffff);
    x = (x | x << 16) & UINT64_C(0x1f0000ff0000ff);
    x = (x | x << 8) & UINT64_C(0x100f00f00f00f00f);
    x = (x | x << 4) & UINT64_C(0x10c30c30c30c30c3);
    return (x | x << 2) & UINT64_C(0x1249249249249249);
}

static contact_box nothing(void)
{
    const contact_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    return box;
}

static void widen(contact_box *box, const contact_box *by)
{
    for (int c = 0; c < 3; c++) {
        box->low[c] = fminf(box->low[c], by->low[c]);
        box->high[c] = fmaxf(box->high[c], by->high[c]);
    }
}

typedef struct place {
    uint64_t code;
    int32_t face;
} place;

static int by_code(const void *a, const void *b)
{
    const place *x = a, *y = b;
    return x->code != y->code ? (x->code > y->code) - (x->code < y->code)
                              : (x->face > y->face) - (x->face < y->face);
}

static void sort_places(const contact_box *box, int32_t n, place *order)
{
    contact_box all = nothing();
    for (int32_t i = 0; i < n; i++) {
        widen(&all, &box[i]);
    }
    double size = 0.0;
    for (int c = 0; c < 3 && n; c++) {
        size = fmax(size, (double)all.high[c] - all.low[c]);
    }
    for (int32_t i = 0; i < n; i++) {
        order[i] = (place){0, i};
        for (int c = 0; c < 3 && size > 0.0; c++) {
            const double middle = 0.5 * ((double)box[i].low[c] + box[i].high[c]) - all.low[c];
            order[i].code |= spread((uint64_t)(2097151.0 * fmin(middle / size, 1.0))) << c;
        }
    }
    qsort(order, (size_t)n, sizeof *order, by_code);
}

static void fill(contact_tree *tree, int32_t n, const place *order)
{
    memset(tree->item, 0xff, sizeof *tree->item * CONTACT_LEAF * (size_t)tree->n_leaf);
    for (int32_t i = 0; i < 2 * tree->n_leaf; i++) {
        tree->node[i] = nothing();
    }
    for (int32_t i = 0; i < n; i++) {
        tree->item[i] = order[i].face;
        widen(&tree->node[tree->n_leaf + i / CONTACT_LEAF], &tree->box[order[i].face]);
    }
    for (int32_t i = tree->n_leaf - 1; i > 0; i--) {
        widen(&tree->node[i], &tree->node[2 * i]);
        widen(&tree->node[i], &tree->node[2 * i + 1]);
    }
}

ew_status contact_tree_build(contact_tree *tree, int32_t n, const contact_box *box)
{
    place *order = NULL;
    *tree = (contact_tree){.n_leaf = 1, .box = box};
    while ((int64_t)tree->n_leaf * CONTACT_LEAF < n) {
        tree->n_leaf *= 2;
    }
    const size_t n_leaf = (size_t)tree->n_leaf;
    ew_status status = ew_new(&order, (size_t)n, sizeof *order);
    status = status ? status : ew_new(&tree->node, 2 * n_leaf, sizeof *tree->node);
    status = status ? status : ew_new(&tree->item, CONTACT_LEAF * n_leaf, sizeof *tree->item);
    if (!status) {
        sort_places(box, n, order);
        fill(tree, n, order);
    }
    ew_release(order);
    return status;
}

static ew_status search_leaf(const contact_tree *tree, int32_t leaf, const contact_box *box,
                             ew_list *found)
{
    const int32_t *item = tree->item + CONTACT_LEAF * (size_t)leaf;
    for (int k = 0; k < CONTACT_LEAF && item[k] >= 0; k++) {
        if (contact_boxes_meet(box, &tree->box[item[k]])) {
            EW_TRY(ew_list_push(found, item[k]));
        }
    }
    return EW_OK;
}

ew_status contact_tree_find(const contact_tree *tree, const contact_box *box, ew_list *found)
{
    int32_t stack[MAX_DEPTH] = {1}, n = 1;
    while (n) {
        const int32_t at = stack[--n];
        if (!contact_boxes_meet(box, &tree->node[at])) {
            continue;
        }
        if (at >= tree->n_leaf) {
            EW_TRY(search_leaf(tree, at - tree->n_leaf, box, found));
        } else {
            stack[n++] = 2 * at;
            stack[n++] = 2 * at + 1;
        }
    }
    return EW_OK;
}

void contact_tree_free(contact_tree *tree)
{
    ew_release(tree->node);
    ew_release(tree->item);
    *tree = (contact_tree){0};
}
