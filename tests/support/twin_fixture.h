/* What the tests of the rigid-body-mode preconditioner on a device share: a body with its matrix on
 * a device, edits that go to both, z = M^-1 r. */
#ifndef EW_TWIN_FIXTURE_H
#define EW_TWIN_FIXTURE_H

#include "multilevel_edits.h"

#include "solver/krylov/pcg.h"

static ew_device *device, *narrow_device; /* the second is taken for one without fp64 */

typedef struct twin {
    body b;
    ew_device *device;
    ew_precision precision;
    bool has_double;
    ew_device_mesh copy;
    ew_device_matrix matrix;
    ew_operator op;
    ew_system system;
    ew_preconditioner p;
} twin;

static inline int open_devices(void)
{
    ew_device_def def = ew_default_device_def();
    if (ew_device_open(&device, &def)) {
        ew_test_skip_all(ew_message());
        device = NULL;
        return 0;
    }
    def.without_double = true;
    return ew_device_open(&narrow_device, &def) != EW_OK;
}

static inline int close_devices(void)
{
    ew_device_close(device);
    ew_device_close(narrow_device);
    device = narrow_device = NULL;
    return 0;
}

static inline void derive(twin *t)
{
    t->op = ew_operator_on_device(&t->matrix, &t->copy.pattern, &t->b.topology.pattern,
                                  t->has_double ? NULL : &t->b.matrix);
    t->system = (ew_system){.op = &t->op, .xyz = t->b.mesh.xyz, .fixed = t->b.fixed};
}

/* Of a body that it takes over. */
static inline void make_twin(twin *t, ew_device *on, ew_precision precision)
{
    const body *b = &t->b;
    const ew_stiffness from = ew_stiffness_of(&b->mesh, &b->topology, &b->materials);
    t->device = on;
    t->precision = precision;
    t->has_double = ew_device_about(on)->has_double;
    must(ew_device_mesh_build(&t->copy, on, &b->mesh, &b->topology));
    must(ew_device_matrix_build(&t->matrix, &t->copy, &from, precision,
                                t->has_double ? NULL : &b->matrix));
    derive(t);
}

static inline void make_twin_box(twin *t, ew_device *on, ew_precision precision, int32_t cells)
{
    *t = (twin){0};
    make_box(&t->b, (double[]){1.0, 1.1, 0.9}, (int32_t[]){cells, cells, cells});
    make_twin(t, on, precision);
}

static inline void drop_twin(twin *t)
{
    ew_preconditioner_free(&t->p);
    ew_operator_free(&t->op);
    ew_device_matrix_free(&t->matrix);
    ew_device_mesh_free(&t->copy);
    free_body(&t->b);
}

static inline ew_status setup(twin *t)
{
    return ew_preconditioner_setup(&t->p, EW_RIGID, &t->system, t->precision);
}

static inline void expect_host_bits(const twin *t)
{
    must(ew_rigid_device_verify(&t->p, &t->b.matrix, &t->system));
}

/* The queued edit, everywhere but in the preconditioner. */
static inline ew_status apply_edit_on_both(twin *t)
{
    body *b = &t->b;
    ew_status status = apply_edit(b);
    if (status) {
        return status;
    }
    const ew_stiffness from = ew_stiffness_of(&b->mesh, &b->topology, &b->materials);
    must(ew_device_mesh_update(&t->copy, &b->mesh, &b->topology, &b->change));
    must(ew_device_matrix_revalidate(&t->matrix, &t->copy, &from, &b->topology.touched,
                                     t->has_double ? NULL : &b->matrix));
    derive(t);
    return EW_OK;
}

/* ---- z = M^-1 r ---------------------------------------------------------- */

static inline void apply_on_device(twin *t, const double *r, double *z)
{
    const int32_t n_row = t->b.mesh.n_vertex;
    const size_t n = 3 * (size_t)n_row, n_group = ew_pcg_groups(n_row);
    const bool single = t->p.single;
    const size_t bytes = n * (single ? sizeof(float) : sizeof(double));
    ew_buffer vector[3] = {{0}}, partial = {0};
    float *narrow = calloc(n, sizeof *narrow);
    ew_kernel *start = NULL;
    for (size_t i = 0; i < n; i++) {
        narrow[i] = (float)r[i];
    }
    for (int k = 0; k < 3; k++) {
        must(ew_buffer_reserve(t->device, &vector[k], bytes));
    }
    must(ew_buffer_reserve(t->device, &partial, 2 * EW_MAX_PARTIALS * sizeof(double)));
    must(ew_buffer_write(t->device, &vector[0], 0, bytes,
                         single ? (const void *)narrow : (const void *)r));
    must(ew_device_kernel(t->device, "pcg", "start", ew_device_real_options(t->device, single),
                          &start));
    const ew_argument argument[] = {EW_ARG_VALUE(n_row),
                                    EW_ARG_VALUE(t->p.inverse_capacity),
                                    EW_ARG_BUFFER(&t->p.device_inverse),
                                    EW_ARG_BUFFER(&vector[0]),
                                    EW_ARG_BUFFER(&vector[0]),
                                    EW_ARG_BUFFER(&vector[1]),
                                    EW_ARG_BUFFER(&vector[2]),
                                    EW_ARG_BUFFER(&partial)};
    must(ew_kernel_run(t->device, start, n_group * EW_PCG_GROUP, EW_PCG_GROUP, 8, argument));
    must(t->p.type->device_apply(&t->p, &t->op, &vector[0], &vector[1], &partial, n_group));
    must(ew_buffer_read(t->device, &vector[1], 0, bytes, single ? (void *)narrow : (void *)z));
    for (size_t i = 0; single && i < n; i++) {
        z[i] = (double)narrow[i];
    }
    double sum[1];
    must(ew_device_read_sums(t->device, &partial, n_group, 1, sum));
    const double rz = dot(r, z, n);
    CU_ASSERT_DOUBLE_EQUAL(sum[0], rz, (single ? 1e-4 : 1e-12) * fabs(rz));
    for (int k = 0; k < 3; k++) {
        ew_buffer_free(&vector[k]);
    }
    ew_buffer_free(&partial);
    free(narrow);
}

static inline void expect_symmetric_positive(twin *t)
{
    const size_t n = 3 * (size_t)t->b.mesh.n_vertex;
    const double tolerance = t->p.single ? 2e-4 : 1e-10;
    double *v = calloc(4 * n, sizeof *v), *x = v, *y = v + n, *mx = v + 2 * n, *my = v + 3 * n;
    uint64_t state = 7;
    for (int k = 0; k < 2; k++) {
        fill_random(&t->b, &state, x);
        fill_random(&t->b, &state, y);
        apply_on_device(t, x, mx);
        apply_on_device(t, y, my);
        const double xx = dot(x, mx, n), yy = dot(y, my, n);
        CU_ASSERT(xx > 0.0 && yy > 0.0);
        CU_ASSERT(fabs(dot(y, mx, n) - dot(x, my, n)) <= tolerance * sqrt(xx * yy));
        for (size_t i = 0; i < n; i++) {
            CU_ASSERT(is_free(&t->b, i) || (mx[i] == 0.0 && my[i] == 0.0));
        }
    }
    free(v);
}

/* Random edits of all kinds, now and then with other constraints: the host's bits after each. */
static inline void edit_both_at_random(twin *t, uint64_t seed)
{
    static memory gone;
    uint64_t state = seed;
    int32_t n_done = 0;
    gone.n = 0;
    for (int32_t k = 0; k < 100; k++) {
        const bool refix = ew_test_random(&state, 6) == 0;
        bool worked;
        queue_random(&t->b, &gone, &state);
        if (apply_edit_on_both(t)) {
            continue;
        }
        n_done++;
        keep_removed(&t->b, &gone);
        must(ew_preconditioner_update(&t->p, &t->system, &t->b.topology.touched));
        if (refix) {
            change_constraints(&t->b, &state);
            must(ew_preconditioner_prepare(&t->p, &t->system, &worked));
        }
        expect_host_bits(t);
        if (k % 25 == 0) {
            expect_symmetric_positive(t);
        }
    }
    CU_ASSERT(n_done > 50);
}

/* ---- in every place ------------------------------------------------------ */

static inline void in_all_places(void (*test)(ew_device *on, ew_precision precision))
{
    if (device && ew_device_about(device)->has_double) {
        test(device, EW_AUTO_PRECISION);
        test(device, EW_MIXED);
    }
    if (narrow_device) {
        test(narrow_device, EW_SINGLE);
    }
}

#endif
