/* An order of elimination. In: a pattern, and where its rows are. Out: the better of two orders.
 * Nested dissection is best for thick bodies, and has a wide tree. Thin and branched bodies, which
 * cuts along axes do not suit, take half the work with the row of least degree first (Tinney &
 * Walker 1967); there it is found exactly, for the rows are few. */
#include "solver/factor/elimination.h"
#include "solver/factor/dissect.h"

#include <string.h>

/* With more rows, only dissection: the bits below would take more memory and time than they save.
 */
enum { MAX_ROWS = 4096 };

/* Rows that are left, and which of them are pairs after the elimination of the others. */
typedef struct graph {
    int32_t n, n_word;
    uint64_t *row;   /* [n][n_word] owned: bits of the other rows */
    int32_t *degree; /* [n] owned: INT32_MAX: eliminated */
    int32_t *min;    /* [n_word] owned: least degree of 64 rows, -1: to be found again */
    int32_t *word;   /* [n_word] owned, work */
} graph;

static ew_status open_graph(graph *g, const ew_pattern *pattern)
{
    const size_t n = (size_t)pattern->n_row, n_word = n / 64 + 1;
    g->n = pattern->n_row;
    g->n_word = (int32_t)n_word;
    EW_TRY(ew_new(&g->row, n * n_word, sizeof *g->row));
    EW_TRY(ew_new(&g->degree, n, sizeof *g->degree));
    EW_TRY(ew_new(&g->min, n_word, sizeof *g->min));
    return ew_new(&g->word, n_word, sizeof *g->word);
}

static void close_graph(graph *g)
{
    ew_release(g->row);
    ew_release(g->degree);
    ew_release(g->min);
    ew_release(g->word);
}

static void fill_graph(graph *g, const ew_pattern *pattern)
{
    memset(g->row, 0, (size_t)g->n * (size_t)g->n_word * sizeof *g->row);
    memset(g->min, 0xff, (size_t)g->n_word * sizeof *g->min);
    for (int32_t a = 0; a < g->n; a++) {
        int32_t count;
        const int32_t *item = ew_pattern_items(pattern, a, &count);
        uint64_t *bits = g->row + (size_t)a * (size_t)g->n_word;
        for (int32_t k = 0; k < count; k++) {
            bits[item[2 * k] / 64] |= UINT64_C(1) << (item[2 * k] % 64);
        }
        g->degree[a] = count;
    }
}

/* Row a gets the pairs of the eliminated one, whose words that are not zero are listed. */
static void join(graph *g, int32_t a, int32_t eliminated, const uint64_t *from, int32_t n_word)
{
    uint64_t *to = g->row + (size_t)a * (size_t)g->n_word;
    int32_t degree = g->degree[a] - 1;
    to[eliminated / 64] &= ~(UINT64_C(1) << (eliminated % 64));
    for (int32_t k = 0; k < n_word; k++) {
        const int32_t w = g->word[k];
        uint64_t more = from[w] & ~to[w];
        if (w == a / 64) {
            more &= ~(UINT64_C(1) << (a % 64));
        }
        to[w] |= more;
        for (; more; more &= more - 1) {
            degree++;
        }
    }
    g->degree[a] = degree;
    g->min[a / 64] = -1;
}

/* Returns the products that the factor's column makes. */
static int64_t eliminate(graph *g, int32_t row)
{
    const uint64_t *from = g->row + (size_t)row * (size_t)g->n_word;
    const int64_t degree = g->degree[row];
    int32_t n_word = 0;
    for (int32_t w = 0; w < g->n_word; w++) {
        g->word[n_word] = w;
        n_word += from[w] != 0;
    }
    for (int32_t k = 0; k < n_word; k++) {
        for (uint64_t left = from[g->word[k]]; left; left &= left - 1) {
            join(g, 64 * g->word[k] + ew_lowest_bit(left), row, from, n_word);
        }
    }
    g->degree[row] = INT32_MAX;
    g->min[row / 64] = -1;
    return degree * (degree + 1) / 2;
}

static int64_t count_products(graph *g, const int32_t *order)
{
    int64_t n = 0;
    for (int32_t k = 0; k < g->n; k++) {
        n += eliminate(g, order[k]);
    }
    return n;
}

static int32_t min_of_word(const graph *g, int32_t word)
{
    const int32_t end = g->n - 64 * word < 64 ? g->n : 64 * word + 64;
    int32_t min = INT32_MAX;
    for (int32_t a = 64 * word; a < end; a++) {
        min = g->degree[a] < min ? g->degree[a] : min;
    }
    return min;
}

/* The row of least degree, the first of equals. */
static int32_t find_min(graph *g)
{
    int32_t best = 0;
    for (int32_t w = 0; w < g->n_word; w++) {
        g->min[w] = g->min[w] < 0 ? min_of_word(g, w) : g->min[w];
        best = g->min[w] < g->min[best] ? w : best;
    }
    int32_t row = 64 * best;
    while (g->degree[row] != g->min[best]) {
        row++;
    }
    return row;
}

static int64_t order_by_degree(graph *g, int32_t *order)
{
    int64_t n = 0;
    for (int32_t k = 0; k < g->n; k++) {
        order[k] = find_min(g);
        n += eliminate(g, order[k]);
    }
    return n;
}

ew_status ew_find_elimination_order(const ew_pattern *pattern, const double *point, int32_t *order)
{
    graph g = {0};
    int32_t *other = NULL;
    ew_status status = ew_dissect_order(pattern, point, order);
    if (status || pattern->n_row > MAX_ROWS) {
        return status;
    }
    EW_TRY_OUT(open_graph(&g, pattern));
    EW_TRY_OUT(ew_new(&other, (size_t)g.n, sizeof *other));
    fill_graph(&g, pattern);
    const int64_t n = count_products(&g, order);
    fill_graph(&g, pattern);
    if (order_by_degree(&g, other) < n) {
        memcpy(order, other, (size_t)g.n * sizeof *order);
    }
out:
    ew_release(other);
    close_graph(&g);
    return status;
}
