/* Every kernel of product.cl and scatter.cl against plain loops. assemble.cl is compared bit for
 * bit in test_device_matrix.c. */
#include "kernels_fixture.h"

/* ---- product.cl ---------------------------------------------------------- */

/* Rows with random edges to the rows after them, in the layout of ew_pattern. */
typedef struct pattern {
    int32_t n_row, n_edge;
    int32_t *begin, *count, *item; /* [n_row], [n_row], [2 * n_edge][2] */
    ew_buffer begin_buffer, count_buffer, item_buffer;
} pattern;

static void send_ids(ew_buffer *buffer, const int32_t *id, size_t n)
{
    must(ew_buffer_reserve(device, buffer, n * sizeof *id));
    must(ew_buffer_write(device, buffer, 0, n * sizeof *id, id));
}

/* Each row has an edge with the next ones at distance 1, 5 and 17, with gaps. */
static pattern make_pattern(int32_t n)
{
    static const int32_t distance[3] = {1, 5, 17};
    pattern p = {.n_row = n};
    int32_t *edge_of = NULL;
    must(ew_new(&p.begin, (size_t)n, sizeof(int32_t)));
    must(ew_new_zero(&p.count, (size_t)n, sizeof(int32_t)));
    must(ew_new(&p.item, 12 * (size_t)n, sizeof(int32_t)));
    must(ew_new(&edge_of, 3 * (size_t)n, sizeof(int32_t)));
    for (int32_t i = 0; i < 3 * n; i++) {
        bool there = i / 3 + distance[i % 3] < n && ew_test_random(&random_state, 4);
        edge_of[i] = there ? p.n_edge++ : -1;
    }
    for (int32_t row = 0, at = 0; row < n; row++) {
        p.begin[row] = at;
        for (int k = 5; k >= 0; k--) {
            int32_t other = k < 3 ? row + distance[2 - k] : row - distance[k - 3];
            int32_t low = other < row ? other : row, d = k < 3 ? 2 - k : k - 3;
            if (other >= 0 && other < n && edge_of[3 * low + d] >= 0) {
                p.item[2 * at] = other;
                p.item[2 * at + 1] = edge_of[3 * low + d];
                at++;
            }
        }
        p.count[row] = at - p.begin[row];
        p.begin[row] = p.count[row] ? p.begin[row] : -1;
    }
    ew_release(edge_of);
    send_ids(&p.begin_buffer, p.begin, (size_t)n);
    send_ids(&p.count_buffer, p.count, (size_t)n);
    send_ids(&p.item_buffer, p.item, 12 * (size_t)n);
    return p;
}

static void drop_pattern(pattern *p)
{
    ew_release(p->begin);
    ew_release(p->count);
    ew_release(p->item);
    ew_buffer_free(&p->begin_buffer);
    ew_buffer_free(&p->count_buffer);
    ew_buffer_free(&p->item_buffer);
}

/* `difference`: edges multiply x_b - x_a, as in float. */
static void multiply(const pattern *p, bool difference, const double *diagonal, const double *edge,
                     const double *x, double *y)
{
    for (int32_t row = 0; row < p->n_row; row++) {
        for (size_t i = 0; i < 3; i++) {
            double sum = 0.0;
            for (size_t j = 0; j < 3; j++) {
                double own = x[3 * (size_t)row + j];
                sum += diagonal[9 * (size_t)row + 3 * i + j] * own;
                for (int32_t k = 0; k < p->count[row]; k++) {
                    size_t at = 2 * ((size_t)p->begin[row] + (size_t)k);
                    size_t other = (size_t)p->item[at], e = (size_t)p->item[at + 1];
                    size_t entry = (int32_t)other > row ? 3 * i + j : 3 * j + i;
                    sum += edge[9 * e + entry] * (x[3 * other + j] - (difference ? own : 0.0));
                }
            }
            y[3 * (size_t)row + i] = sum;
        }
    }
}

static void check_product(const char *plain, const char *dot, size_t local, size_t rows, int32_t n,
                          bool single)
{
    pattern p = make_pattern(n);
    vector diagonal = make(9 * (size_t)n, single), edge = make(9 * (size_t)p.n_edge + 9, single);
    vector x = make(3 * (size_t)n, single), y = make(3 * (size_t)n, single);
    size_t n_group = groups_for(n, rows);
    vector partial = make(n_group, sums_are_single());
    ew_buffer fixed_buffer = {0};
    uint8_t *fixed = make_fixed(n, &fixed_buffer);
    double sum = 0.0;
    const ew_argument argument[] = {EW_ARG_VALUE(n),
                                    EW_ARG_BUFFER(&p.begin_buffer),
                                    EW_ARG_BUFFER(&p.count_buffer),
                                    EW_ARG_BUFFER(&p.item_buffer),
                                    EW_ARG_BUFFER(&diagonal.buffer),
                                    EW_ARG_BUFFER(&edge.buffer),
                                    EW_ARG_BUFFER(&x.buffer),
                                    EW_ARG_BUFFER(&y.buffer)};
    multiply(&p, single, diagonal.value, edge.value, x.value, y.value);
    run("product", plain, single, n_group, local, 8, argument);
    expect_close(&y, y.value, single, 200.0);

    const ew_argument filtered[] = {argument[0],
                                    argument[1],
                                    argument[2],
                                    argument[3],
                                    argument[4],
                                    argument[5],
                                    EW_ARG_BUFFER(&fixed_buffer),
                                    argument[6],
                                    argument[7],
                                    EW_ARG_BUFFER(&partial.buffer)};
    for (size_t i = 0; i < 3 * (size_t)n; i++) {
        y.value[i] = is_fixed(fixed, i) ? 0.0 : y.value[i];
        sum += x.value[i] * y.value[i];
    }
    run("product", dot, single, n_group, local, 10, filtered);
    expect_close(&y, y.value, single, 200.0);
    expect_sum(&partial, n_group, 0, sum, single, 200.0 * sqrt(3.0 * n) + 100.0);
    drop_pattern(&p);
    drop(&diagonal);
    drop(&edge);
    drop(&x);
    drop(&y);
    drop(&partial);
    ew_release(fixed);
    ew_buffer_free(&fixed_buffer);
}

static void product_rows(int32_t n, bool single)
{
    check_product("product_rows", "product_rows_dot", GROUP, GROUP, n, single);
}
static void test_product_rows(void)
{
    for_all(product_rows);
}

static void product_tiles(int32_t n, bool single)
{
    check_product("product_tiles", "product_tiles_dot", TILE, 28, n, single);
}
static void test_product_tiles(void)
{
    for_all(product_tiles);
}

/* ---- scatter.cl ------------------------------------------------------------ */

/* n records for every second array, of 1 + k % 9 words for array k, ids descending by 2. */
static void scatter(int32_t n, bool single)
{
    enum { N_ARRAY = 16 };
    uint32_t *batch = NULL, *word = NULL, total = 0;
    ew_buffer staging = {0}, array[N_ARRAY] = {{0}};
    ew_argument argument[2 + N_ARRAY];
    size_t at = 3 * N_ARRAY, room = 2 * 9 * (size_t)n;
    if (!single) {
        return; /* words know no precision */
    }
    must(ew_new_zero(&batch, at + (size_t)N_ARRAY * 10 * (size_t)n, sizeof *batch));
    must(ew_new_zero(&word, N_ARRAY * room, sizeof *word));
    for (uint32_t k = 0; k < N_ARRAY; k++) {
        uint32_t width = 1 + k % 9, records = k % 2 ? (uint32_t)n : 0;
        batch[3 * k] = total += records * width;
        batch[3 * k + 1] = width;
        batch[3 * k + 2] = (uint32_t)at;
        for (uint32_t i = 0; i < records; i++) {
            uint32_t id = batch[at++] = 2 * (records - 1 - i);
            for (uint32_t w = 0; w < width; w++) {
                word[k * room + id * width + w] = batch[at++] =
                    ew_test_random(&random_state, UINT32_MAX);
            }
        }
        must(ew_buffer_reserve(device, &array[k], room * sizeof *word));
        must(ew_buffer_zero(device, &array[k], 0, room * sizeof *word));
        argument[2 + k] = EW_ARG_BUFFER(&array[k]);
    }
    must(ew_buffer_reserve(device, &staging, at * sizeof *batch));
    must(ew_buffer_write(device, &staging, 0, at * sizeof *batch, batch));
    argument[0] = EW_ARG_VALUE(total);
    argument[1] = EW_ARG_BUFFER(&staging);
    ew_kernel *kernel = NULL;
    must(ew_device_kernel(device, "scatter", "scatter", "", &kernel));
    must(ew_kernel_run(device, kernel, total, 64, 2 + N_ARRAY, argument));
    for (size_t k = 0; k < N_ARRAY; k++) {
        must(ew_buffer_read(device, &array[k], 0, room * sizeof *word, batch));
        CU_ASSERT_EQUAL(memcmp(batch, word + k * room, room * sizeof *word), 0);
        ew_buffer_free(&array[k]);
    }
    ew_buffer_free(&staging);
    ew_release(batch);
    ew_release(word);
}
static void test_scatter(void)
{
    for_all(scatter);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"product_rows", test_product_rows},
        {"product_tiles", test_product_tiles},
        {"scatter", test_scatter},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"kernels", open_device, close_device, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
