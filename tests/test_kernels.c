/* Every kernel of product.cl, pcg.cl and scatter.cl against plain loops, in both precisions, at odd
 * sizes and with fewer groups than rows. assemble.cl is compared bit for bit in
 * test_device_matrix.c. The plain loops are in double; EW_QUICK in the environment keeps the sizes
 * small, for simulators. */
#include "device/device.h"
#include "testlib.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUP 128
#define TILE  252

static const int32_t sizes[] = {1, 2, 3, 31, 33, 257, 999, 1001};
static int n_size = sizeof sizes / sizeof *sizes;

static ew_device *device;
static uint64_t random_state = 1;

static double uniform(void)
{
    return (double)ew_test_random(&random_state, 2000001) * 1e-6 - 1.0;
}

static int open_device(void)
{
    ew_device_def def = ew_default_device_def();
    if (getenv("EW_QUICK")) {
        n_size = 5;
    }
    if (ew_device_open(&device, &def)) {
        printf("skipped: %s\n", ew_message());
        device = NULL;
    }
    return 0;
}

static int close_device(void)
{
    ew_device_close(device);
    device = NULL;
    return 0;
}

/* Runs the body for every size and precision the device has. */
static void for_all(void (*body)(int32_t n, bool single))
{
    for (int i = 0; device && i < n_size; i++) {
        body(sizes[i], true);
        if (ew_device_about(device)->has_double) {
            body(sizes[i], false);
        }
    }
}

/* ---- values to and from the device ------------------------------------- */

/* A vector on both sides; on the host always in double, rounded to what the device holds. */
typedef struct vector {
    size_t n;
    bool single;
    double *value;
    ew_buffer buffer;
} vector;

static void must(ew_status status)
{
    if (status) {
        printf("%s ", ew_message());
    }
    CU_ASSERT_EQUAL_FATAL(status, EW_OK);
}

static void send(vector *v)
{
    size_t size = v->single ? sizeof(float) : sizeof(double);
    float *narrow = NULL;
    must(ew_new(&narrow, v->n, sizeof *narrow));
    for (size_t i = 0; v->single && i < v->n; i++) {
        narrow[i] = (float)v->value[i];
        v->value[i] = (double)narrow[i];
    }
    must(ew_buffer_reserve(device, &v->buffer, v->n * size));
    must(ew_buffer_write(device, &v->buffer, 0, v->n * size,
                         v->single ? (const void *)narrow : (const void *)v->value));
    ew_release(narrow);
}

static vector make(size_t n, bool single)
{
    vector v = {.n = n, .single = single};
    must(ew_new(&v.value, n, sizeof *v.value));
    for (size_t i = 0; i < n; i++) {
        v.value[i] = uniform();
    }
    send(&v);
    return v;
}

static void drop(vector *v)
{
    ew_release(v->value);
    ew_buffer_free(&v->buffer);
}

/* What the device holds now. */
static double *fetch(const vector *v)
{
    double *value = NULL;
    float *narrow = NULL;
    must(ew_new(&value, v->n, sizeof *value));
    if (!v->single) {
        must(ew_buffer_read(device, &v->buffer, 0, v->n * sizeof *value, value));
        return value;
    }
    must(ew_new(&narrow, v->n, sizeof *narrow));
    must(ew_buffer_read(device, &v->buffer, 0, v->n * sizeof *narrow, narrow));
    for (size_t i = 0; i < v->n; i++) {
        value[i] = (double)narrow[i];
    }
    ew_release(narrow);
    return value;
}

static double epsilon(bool single)
{
    return single ? 6e-8 : 1.2e-16;
}

/* The device's vector equals the host's within `scale` roundings. */
static void expect_close(const vector *v, const double *expected, bool single, double scale)
{
    double *value = fetch(v), largest = 0.0;
    for (size_t i = 0; i < v->n; i++) {
        double error = fabs(value[i] - expected[i]);
        largest = error > largest || isnan(error) ? error : largest;
    }
    CU_ASSERT(largest <= scale * epsilon(single));
    ew_release(value);
}

static bool sums_are_single(void)
{
    return !ew_device_about(device)->has_double;
}

/* The sum of n_group partial sums from the k-th array on equals `expected`. */
static void expect_sum(const vector *partial, size_t n_group, size_t k, double expected,
                       bool single, double scale)
{
    double *value = fetch(partial), sum = 0.0;
    for (size_t i = 0; i < n_group; i++) {
        sum += value[k * n_group + i];
    }
    CU_ASSERT_DOUBLE_EQUAL(sum, expected, scale * epsilon(single));
    ew_release(value);
}

static uint8_t *make_fixed(int32_t n, ew_buffer *buffer)
{
    uint8_t *fixed = NULL;
    must(ew_new(&fixed, (size_t)n, 1));
    for (int32_t i = 0; i < n; i++) {
        fixed[i] = (uint8_t)ew_test_random(&random_state, 8);
    }
    must(ew_buffer_reserve(device, buffer, (size_t)n));
    must(ew_buffer_write(device, buffer, 0, (size_t)n, fixed));
    return fixed;
}

static bool is_fixed(const uint8_t *fixed, size_t i)
{
    return fixed[i / 3] >> (i % 3) & 1;
}

static void run(const char *file, const char *function, bool single, size_t n_group, size_t local,
                int32_t n_argument, const ew_argument *argument)
{
    ew_kernel *kernel = NULL;
    must(ew_device_kernel(device, file, function, ew_device_real_options(device, single), &kernel));
    must(ew_kernel_run(device, kernel, n_group * local, local, n_argument, argument));
    must(ew_device_finish(device));
}

/* One group more than half the rows need, so that items take several rows. */
static size_t groups_for(int32_t n, size_t rows)
{
    return ((size_t)n + rows - 1) / rows / 2 + 1;
}

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

/* ---- pcg.cl ---------------------------------------------------------------- */

/* Random symmetric positive definite blocks, condition about 10. */
static void make_diagonal(vector *diagonal, int32_t n)
{
    for (size_t row = 0; row < (size_t)n; row++) {
        double *a = diagonal->value + 9 * row;
        for (size_t i = 0; i < 3; i++) {
            for (size_t j = 0; j <= i; j++) {
                a[3 * i + j] = a[3 * j + i] = i == j ? 2.5 + uniform() * 0.4 : 0.7 * uniform();
            }
        }
    }
    send(diagonal);
}

static double determinant(const double a[9])
{
    return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
           a[2] * (a[3] * a[7] - a[4] * a[6]);
}

/* By Cramer's rule: inverse entry (i, j) of the block with fixed rows and columns made identity. */
static double inverse_entry(const double *block, uint8_t fixed, bool scalar, size_t i, size_t j)
{
    double a[9], b[9];
    for (size_t k = 0; k < 9; k++) {
        bool cut = (fixed >> k / 3 | fixed >> k % 3) & 1 || (scalar && k / 3 != k % 3);
        a[k] = !cut ? block[k] : k / 3 == k % 3 ? 1.0 : 0.0;
    }
    memcpy(b, a, sizeof b);
    for (size_t k = 0; k < 3; k++) {
        b[3 * k + i] = k == j ? 1.0 : 0.0;
    }
    return (fixed >> i | fixed >> j) & 1 ? 0.0 : determinant(b) / determinant(a);
}

static void invert(const vector *diagonal, const uint8_t *fixed, bool scalar, vector *inverse)
{
    static const size_t row_of[6] = {0, 0, 0, 1, 1, 2}, column_of[6] = {0, 1, 2, 1, 2, 2};
    size_t n = diagonal->n / 9;
    for (size_t k = 0; k < 6; k++) {
        for (size_t row = 0; row < n; row++) {
            inverse->value[k * n + row] = inverse_entry(diagonal->value + 9 * row, fixed[row],
                                                        scalar, row_of[k], column_of[k]);
        }
    }
}

/* Rows of the list, or the first n when it is null. */
static void run_invert(int32_t n, const ew_buffer *list, int32_t scalar, const ew_buffer *fixed,
                       const vector *diagonal, const vector *inverse, const vector *partial,
                       size_t n_group)
{
    const int32_t stride = (int32_t)(inverse->n / 6), listed = list != NULL;
    const ew_argument argument[] = {EW_ARG_VALUE(n),
                                    EW_ARG_VALUE(listed),
                                    EW_ARG_BUFFER(list ? list : fixed),
                                    EW_ARG_VALUE(stride),
                                    EW_ARG_VALUE(scalar),
                                    EW_ARG_BUFFER(fixed),
                                    EW_ARG_BUFFER(&diagonal->buffer),
                                    EW_ARG_BUFFER(&inverse->buffer),
                                    EW_ARG_BUFFER(&partial->buffer)};
    run("pcg", "invert_diagonal", inverse->single, n_group, GROUP, 9, argument);
}

static void invert_diagonal(int32_t n, bool single)
{
    vector diagonal = make(9 * (size_t)n, sums_are_single());
    vector inverse = make(6 * (size_t)n, single);
    size_t n_group = groups_for(n, GROUP);
    vector partial = make(2 * n_group, sums_are_single());
    ew_buffer buffer = {0};
    uint8_t *fixed = make_fixed(n, &buffer);
    make_diagonal(&diagonal, n);
    for (int32_t scalar = 0; scalar < 2; scalar++) {
        run_invert(n, NULL, scalar, &buffer, &diagonal, &inverse, &partial, n_group);
        invert(&diagonal, fixed, scalar, &inverse);
        expect_close(&inverse, inverse.value, single, 100.0);
        expect_sum(&partial, n_group, 0, 0.0, single, 0.0);
        expect_sum(&partial, n_group, 1, 0.0, single, 0.0);
    }
    memset(fixed, 0, (size_t)n);
    must(ew_buffer_write(device, &buffer, 0, (size_t)n, fixed));
    diagonal.value[9 * (size_t)n - 1] = NAN;
    diagonal.value[0] = n > 1 ? -1.0 : 1.0;
    send(&diagonal);
    run_invert(n, NULL, 0, &buffer, &diagonal, &inverse, &partial, n_group);
    expect_sum(&partial, n_group, 0, 1.0, single, 0.0);
    expect_sum(&partial, n_group, 1, n > 1 ? 1.0 : 0.0, single, 0.0);
    drop(&diagonal);
    drop(&inverse);
    drop(&partial);
    ew_release(fixed);
    ew_buffer_free(&buffer);
}
/* Every third row again with other constraints; the stride leaves room for more rows. */
static void invert_listed_rows(int32_t n, bool single)
{
    const int32_t stride = n + 5, n_list = (n + 2) / 3;
    vector diagonal = make(9 * (size_t)stride, sums_are_single());
    vector inverse = make(6 * (size_t)stride, single);
    size_t n_group = groups_for(n, GROUP);
    vector partial = make(2 * n_group, sums_are_single());
    ew_buffer buffer = {0}, list = {0};
    uint8_t *fixed = make_fixed(stride, &buffer);
    int32_t *row = NULL;
    make_diagonal(&diagonal, stride);
    run_invert(n, NULL, 0, &buffer, &diagonal, &inverse, &partial, n_group);
    must(ew_new(&row, (size_t)n_list, sizeof *row));
    for (int32_t i = 0; i < n_list; i++) {
        row[i] = 3 * i;
        fixed[3 * i] = (uint8_t)(i % 8);
    }
    must(ew_buffer_reserve(device, &list, (size_t)n_list * sizeof *row));
    must(ew_buffer_write(device, &list, 0, (size_t)n_list * sizeof *row, row));
    must(ew_buffer_write(device, &buffer, 0, (size_t)n, fixed));
    run_invert(n_list, &list, 0, &buffer, &diagonal, &inverse, &partial, n_group);
    vector expected = make(6 * (size_t)stride, single);
    memcpy(expected.value, inverse.value, 6 * (size_t)stride * sizeof *expected.value);
    invert(&diagonal, fixed, false, &expected);
    for (size_t k = 0; k < 6; k++) { /* rows beyond n stay as they were made */
        memcpy(expected.value + k * (size_t)stride + n, inverse.value + k * (size_t)stride + n,
               5 * sizeof *expected.value);
    }
    expect_close(&inverse, expected.value, single, 100.0);
    drop(&diagonal);
    drop(&inverse);
    drop(&expected);
    drop(&partial);
    ew_release(fixed);
    ew_release(row);
    ew_buffer_free(&buffer);
    ew_buffer_free(&list);
}

static void test_invert_diagonal(void)
{
    for_all(invert_diagonal);
    for_all(invert_listed_rows);
}

/* z = M^-1 r; returns r . z */
static double precondition(const vector *inverse, const double *r, double *z)
{
    static const size_t place[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    size_t n = inverse->n / 6;
    double rz = 0.0;
    for (size_t i = 0; i < 3 * n; i++) {
        z[i] = 0.0;
        for (size_t j = 0; j < 3; j++) {
            z[i] += inverse->value[place[i % 3][j] * n + i / 3] * r[i / 3 * 3 + j];
        }
        rz += r[i] * z[i];
    }
    return rz;
}

static void start_and_advance(int32_t n, bool single)
{
    size_t m = 3 * (size_t)n, n_group = groups_for(n, GROUP);
    vector inverse = make(6 * (size_t)n, single), p = make(m, single), q = make(m, single);
    vector r = make(m, single), z = make(m, single), d = make(m, sums_are_single());
    vector partial = make(2 * n_group, sums_are_single());
    const ew_argument start[] = {EW_ARG_VALUE(n),
                                 EW_ARG_VALUE(n),
                                 EW_ARG_BUFFER(&inverse.buffer),
                                 EW_ARG_BUFFER(&r.buffer),
                                 EW_ARG_BUFFER(&z.buffer),
                                 EW_ARG_BUFFER(&p.buffer),
                                 EW_ARG_BUFFER(&partial.buffer)};
    run("pcg", "start", single, n_group, GROUP, 7, start);
    double rz = precondition(&inverse, r.value, z.value), rr = 0.0, roundings = 20.0 * n + 50.0;
    expect_close(&z, z.value, single, 20.0);
    expect_close(&p, z.value, single, 20.0);
    expect_sum(&partial, n_group, 0, rz, single, roundings);

    const float alpha_single = 0.75F;
    const double alpha_double = 0.75;
    send(&p);
    send(&z);
    const ew_argument advance[] = {EW_ARG_VALUE(n),
                                   EW_ARG_VALUE(n),
                                   single ? EW_ARG_VALUE(alpha_single) : EW_ARG_VALUE(alpha_double),
                                   EW_ARG_BUFFER(&inverse.buffer),
                                   EW_ARG_BUFFER(&p.buffer),
                                   EW_ARG_BUFFER(&q.buffer),
                                   EW_ARG_BUFFER(&d.buffer),
                                   EW_ARG_BUFFER(&r.buffer),
                                   EW_ARG_BUFFER(&z.buffer),
                                   EW_ARG_BUFFER(&partial.buffer)};
    run("pcg", "advance", single, n_group, GROUP, 10, advance);
    for (size_t i = 0; i < m; i++) {
        d.value[i] += alpha_double * p.value[i];
        r.value[i] -= alpha_double * q.value[i];
        rr += r.value[i] * r.value[i];
    }
    rz = precondition(&inverse, r.value, z.value);
    expect_close(&d, d.value, sums_are_single(), 10.0);
    expect_close(&r, r.value, single, 10.0);
    expect_close(&z, z.value, single, 50.0);
    expect_sum(&partial, n_group, 0, rz, single, 4.0 * roundings);
    expect_sum(&partial, n_group, 1, rr, single, 4.0 * roundings);
    vector *const all[] = {&inverse, &p, &q, &r, &z, &d, &partial};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        drop(all[i]);
    }
}
static void test_start_and_advance(void)
{
    for_all(start_and_advance);
}

static void direction(int32_t n, bool single)
{
    size_t m = 3 * (size_t)n;
    vector z = make(m, single), p = make(m, single);
    const float beta_single = 0.3F;
    const double beta_double = 0.3;
    const ew_argument argument[] = {EW_ARG_VALUE(n),
                                    single ? EW_ARG_VALUE(beta_single) : EW_ARG_VALUE(beta_double),
                                    EW_ARG_BUFFER(&z.buffer), EW_ARG_BUFFER(&p.buffer)};
    run("pcg", "direction", single, groups_for(n, GROUP), GROUP, 4, argument);
    for (size_t i = 0; i < m; i++) {
        p.value[i] = z.value[i] + (single ? (double)beta_single : beta_double) * p.value[i];
    }
    expect_close(&p, p.value, single, 5.0);
    drop(&z);
    drop(&p);
}
static void test_direction(void)
{
    for_all(direction);
}

/* correct, prescribe, residual and narrow: x, b and the residual in double. */
static void residual(int32_t n, bool single)
{
    if (sums_are_single()) {
        return;
    }
    size_t m = 3 * (size_t)n, n_group = groups_for(n, GROUP);
    vector d = make(m, false), x = make(m, false), b = make(m, false), given = make(m, false);
    vector rest = make(m, false), r = make(m, single), partial = make(n_group, false);
    ew_buffer buffer = {0};
    uint8_t *fixed = make_fixed(n, &buffer);
    const double scale = 3.5, factor = 0.125;
    double rr = 0.0;
    const ew_argument correct[] = {EW_ARG_VALUE(n), EW_ARG_VALUE(scale), EW_ARG_BUFFER(&d.buffer),
                                   EW_ARG_BUFFER(&x.buffer)};
    const ew_argument prescribe[] = {EW_ARG_VALUE(n), EW_ARG_BUFFER(&buffer),
                                     EW_ARG_BUFFER(&x.buffer), EW_ARG_BUFFER(&given.buffer)};
    const ew_argument subtract[] = {EW_ARG_VALUE(n), EW_ARG_BUFFER(&buffer),
                                    EW_ARG_BUFFER(&b.buffer), EW_ARG_BUFFER(&rest.buffer),
                                    EW_ARG_BUFFER(&partial.buffer)};
    const ew_argument narrow[] = {EW_ARG_VALUE(n), EW_ARG_VALUE(factor),
                                  EW_ARG_BUFFER(&rest.buffer), EW_ARG_BUFFER(&r.buffer)};
    run("pcg", "correct", single, n_group, GROUP, 4, correct);
    run("pcg", "prescribe", single, n_group, GROUP, 4, prescribe);
    run("pcg", "residual", single, n_group, GROUP, 5, subtract);
    run("pcg", "narrow", single, n_group, GROUP, 4, narrow);
    for (size_t i = 0; i < m; i++) {
        x.value[i] += scale * d.value[i];
        d.value[i] = 0.0;
        given.value[i] = is_fixed(fixed, i) ? x.value[i] : 0.0;
        rest.value[i] = is_fixed(fixed, i) ? 0.0 : b.value[i] - rest.value[i];
        rr += rest.value[i] * rest.value[i];
        r.value[i] = factor * rest.value[i];
    }
    expect_close(&d, d.value, false, 0.0);
    expect_close(&x, x.value, false, 8.0);
    expect_close(&given, given.value, false, 8.0);
    expect_close(&rest, rest.value, false, 0.0);
    expect_close(&r, r.value, single, 1.0);
    expect_sum(&partial, n_group, 0, rr, false, 20.0 * n);
    vector *const all[] = {&d, &x, &b, &given, &rest, &r, &partial};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        drop(all[i]);
    }
    ew_release(fixed);
    ew_buffer_free(&buffer);
}
static void test_residual(void)
{
    for_all(residual);
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
        {"invert_diagonal", test_invert_diagonal},
        {"start_and_advance", test_start_and_advance},
        {"direction", test_direction},
        {"residual", test_residual},
        {"scatter", test_scatter},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"kernels", open_device, close_device, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
