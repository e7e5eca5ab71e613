/* Products from tets on a device. In: the copy of the mesh there, terms of its regions, the ground,
 * x. Out: y = (c_K K + c_M M) x, or the filtered product with partial sums of its dot product.
 * Kernel: tet_product.cl. */
#include "analysis/operators/tet_operator.h"

#define GROUP_ROWS 128 /* GROUP of kernels/tet_product.cl */

static size_t n_group(const ew_tet_operator *op)
{
    const size_t n = ((size_t)op->as.pattern->n_row + GROUP_ROWS - 1) / GROUP_ROWS;
    return n < EW_MAX_PARTIALS ? n : EW_MAX_PARTIALS;
}

static ew_status need_current(const ew_tet_operator *op)
{
    const ew_device_mesh *mesh = op->device_mesh;
    EW_TRY(ew_device_matrix_need_current(op->as.device_matrix, &mesh->pattern));
    return mesh->pattern.revision == op->stiffness->mesh->revision
               ? EW_OK
               : ew_fail(EW_STALE,
                         "solver: the copy of the mesh on the device is at revision %llu, the mesh "
                         "at %llu; update or build it first",
                         (unsigned long long)mesh->pattern.revision,
                         (unsigned long long)op->stiffness->mesh->revision);
}

/* Few bytes but the ground's, which is sent whole where there is one: it may have changed. */
static ew_status send(ew_tet_operator *op)
{
    ew_device *device = op->device_mesh->device;
    const double *ground = op->stiffness->ground;
    const size_t terms = 4 * sizeof(double) * (size_t)op->stiffness->mesh->n_region;
    const size_t rows = 6 * sizeof(double) * (size_t)op->as.pattern->n_row;
    EW_TRY(ew_buffer_reserve(device, &op->device_term, terms));
    EW_TRY(ew_buffer_write(device, &op->device_term, 0, terms, op->term));
    if (ground) {
        EW_TRY(ew_buffer_reserve(device, &op->device_ground, rows));
        EW_TRY(ew_buffer_write(device, &op->device_ground, 0, rows, ground));
    }
    return EW_OK;
}

static ew_status prepare(ew_operator *as, ew_precision precision)
{
    ew_tet_operator *op = (ew_tet_operator *)as;
    (void)precision;
    EW_TRY(ew_device_need_double(op->device_mesh->device, "solver: a product from tets"));
    EW_TRY(ew_tet_operator_check(op));
    EW_TRY(need_current(op));
    return send(op);
}

static void state(const ew_operator *op, uint64_t *revision, uint64_t *constants)
{
    *revision = op->device_matrix->revision;
    *constants = op->device_matrix->constants;
}

/* fixed, partial: null where there is no dot product. */
static ew_status run(const ew_tet_operator *op, bool single, const ew_buffer *x, ew_buffer *y,
                     const ew_buffer *fixed, const ew_buffer *partial)
{
    const ew_device_mesh *mesh = op->device_mesh;
    const int32_t n_row = op->as.pattern->n_row;
    const int32_t mass = ew_tet_operator_mass(op), has_ground = op->stiffness->ground != NULL;
    ew_kernel *kernel;
    EW_TRY(ew_device_kernel(mesh->device, "tet_product",
                            partial ? "tet_product_dot" : "tet_product",
                            ew_device_real_options(mesh->device, single), &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(n_row),
                                    EW_ARG_VALUE(mass),
                                    EW_ARG_VALUE(has_ground),
                                    EW_ARG_VALUE(op->of_stiffness),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.begin),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.count),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.item),
                                    EW_ARG_BUFFER(&mesh->tet),
                                    EW_ARG_BUFFER(&mesh->region),
                                    EW_ARG_BUFFER(&op->device_term),
                                    EW_ARG_BUFFER(&mesh->xyz),
                                    EW_ARG_BUFFER(&op->device_ground),
                                    EW_ARG_BUFFER(x),
                                    EW_ARG_BUFFER(y),
                                    EW_ARG_BUFFER(fixed),
                                    EW_ARG_BUFFER(partial)};
    return ew_kernel_run(mesh->device, kernel, n_group(op) * GROUP_ROWS, GROUP_ROWS,
                         partial ? 16 : 14, argument);
}

static ew_status product(const ew_operator *as, bool single, const ew_buffer *x, ew_buffer *y)
{
    const ew_tet_operator *op = (const ew_tet_operator *)as;
    const size_t size = single ? sizeof(float) : sizeof(double);
    EW_TRY(ew_buffer_reserve(op->device_mesh->device, y, 3 * size * (size_t)as->pattern->n_row));
    return run(op, single, x, y, NULL, NULL);
}

static ew_status product_dot(const ew_operator *as, bool single, const ew_buffer *fixed,
                             const ew_buffer *p, ew_buffer *q, ew_buffer *partial,
                             int32_t *n_partial)
{
    const ew_tet_operator *op = (const ew_tet_operator *)as;
    *n_partial = (int32_t)n_group(op);
    return run(op, single, p, q, fixed, partial);
}

static const ew_operator_type from_tets = {.name = "matrix-free operator on a device",
                                           .on_device = true,
                                           .prepare = prepare,
                                           .state = state,
                                           .device_product = product,
                                           .device_product_dot = product_dot};

ew_tet_operator ew_tet_operator_on_device(const ew_stiffness *stiffness, double of_stiffness,
                                          const ew_mass *mass, double of_mass,
                                          const ew_device_mesh *mesh,
                                          const ew_device_matrix *diagonal)
{
    return (ew_tet_operator){.as = {.type = &from_tets,
                                    .pattern = stiffness->source.pattern,
                                    .device_matrix = diagonal,
                                    .device_pattern = &mesh->pattern},
                             .stiffness = stiffness,
                             .mass = mass,
                             .of_stiffness = of_stiffness,
                             .of_mass = of_mass,
                             .device_mesh = mesh};
}
