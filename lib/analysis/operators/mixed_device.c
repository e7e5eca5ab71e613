/* Mixed tets on a device. In: the copy of the mesh there, constants of its regions. Out: what each
 * tet and each vertex has, with the host's bits, and products. Kernels: mixed.cl. */
#include "analysis/parts/analysis.h"

#include <string.h>

#define OWN 14 /* of mixed.cl */

static ew_status find_kernel(const ew_mixed *mixed, const char *function, ew_kernel **kernel)
{
    ew_device *device = mixed->device_mesh->device;
    return ew_device_kernel(device, "mixed", function, ew_device_real_options(device, false),
                            kernel);
}

/* Two Lame constants and the density of each region. */
static ew_status send_constants(ew_mixed *mixed)
{
    ew_device *device = mixed->device_mesh->device;
    const ew_materials *materials = mixed->materials;
    const size_t n = (size_t)mixed->mesh->n_region;
    double *density;
    EW_TRY(ew_buffer_reserve(device, &mixed->device_lame, 2 * n * sizeof(double)));
    EW_TRY(ew_buffer_reserve(device, &mixed->device_density, n * sizeof(double)));
    EW_TRY(
        ew_buffer_write(device, &mixed->device_lame, 0, 2 * n * sizeof(double), materials->lame));
    EW_TRY(ew_new(&density, n, sizeof *density));
    for (size_t r = 0; r < n; r++) {
        density[r] = materials->material[r].density;
    }
    const ew_status status =
        ew_buffer_write(device, &mixed->device_density, 0, n * sizeof *density, density);
    ew_release(density);
    return status;
}

static ew_status prepare_tets(ew_mixed *mixed)
{
    const ew_device_mesh *mesh = mixed->device_mesh;
    const int32_t n = mixed->mesh->n_tet;
    ew_kernel *kernel;
    EW_TRY(find_kernel(mixed, "prepare_tets", &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(n),
                                    EW_ARG_BUFFER(&mesh->tet),
                                    EW_ARG_BUFFER(&mesh->region),
                                    EW_ARG_BUFFER(&mesh->xyz),
                                    EW_ARG_BUFFER(&mixed->device_lame),
                                    EW_ARG_BUFFER(&mixed->device_tet)};
    return ew_kernel_run(mesh->device, kernel, (size_t)n, 0, 6, argument);
}

static ew_status prepare_vertices(ew_mixed *mixed)
{
    const ew_device_mesh *mesh = mixed->device_mesh;
    const int32_t n = mixed->mesh->n_vertex;
    ew_kernel *kernel;
    EW_TRY(find_kernel(mixed, "prepare_vertices", &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(n),
                                    EW_ARG_VALUE(mixed->of_k),
                                    EW_ARG_VALUE(mixed->of_m),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.begin),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.count),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.item),
                                    EW_ARG_BUFFER(&mesh->tet),
                                    EW_ARG_BUFFER(&mesh->region),
                                    EW_ARG_BUFFER(&mesh->xyz),
                                    EW_ARG_BUFFER(&mixed->device_lame),
                                    EW_ARG_BUFFER(&mixed->device_density),
                                    EW_ARG_BUFFER(&mixed->device_tet),
                                    EW_ARG_BUFFER(&mixed->device_scale)};
    return ew_kernel_run(mesh->device, kernel, (size_t)n, 0, 13, argument);
}

static ew_status open(ew_mixed *mixed, const ew_mesh *mesh, const ew_device_mesh *there)
{
    ew_device *device = there->device;
    const size_t n_tet = (size_t)mesh->n_tet, n_vertex = (size_t)mesh->n_vertex;
    if (there->pattern.revision != mesh->revision) {
        return ew_fail(EW_STALE,
                       "mixed tets: the copy of the mesh on the device is at revision %llu, the "
                       "mesh at %llu; update or build it first",
                       (unsigned long long)there->pattern.revision,
                       (unsigned long long)mesh->revision);
    }
    mixed->mesh = mesh;
    mixed->device_mesh = there;
    EW_TRY(ew_buffer_reserve(device, &mixed->device_tet, OWN * n_tet * sizeof(double)));
    EW_TRY(ew_buffer_reserve(device, &mixed->device_work, 2 * n_tet * sizeof(double)));
    return ew_buffer_reserve(device, &mixed->device_scale, n_vertex * sizeof(double));
}

ew_status ew_mixed_prepare_on_device(ew_mixed *mixed, const ew_mesh *mesh,
                                     const ew_materials *materials, const ew_device_mesh *there,
                                     double of_k, double of_m)
{
    EW_TRY(open(mixed, mesh, there));
    mixed->materials = materials;
    mixed->of_k = of_k;
    mixed->of_m = of_m;
    EW_TRY(send_constants(mixed));
    EW_TRY(prepare_tets(mixed));
    return prepare_vertices(mixed);
}

ew_status ew_mixed_send(ew_mixed *mixed, const ew_device_mesh *there)
{
    const size_t n = (size_t)mixed->mesh->n_tet, bytes = OWN * sizeof(double) * n;
    double *own;
    EW_TRY(open(mixed, mixed->mesh, there));
    EW_TRY(ew_new_zero(&own, OWN * n, sizeof *own));
    for (size_t t = 0; t < n; t++) {
        if (ew_mesh_tet_is_live(mixed->mesh, (int32_t)t)) {
            memcpy(own + OWN * t, mixed->tet + 16 * t, OWN * sizeof *own);
        }
    }
    const ew_status status = ew_buffer_write(there->device, &mixed->device_tet, 0, bytes, own);
    ew_release(own);
    EW_TRY(status);
    return ew_buffer_write(there->device, &mixed->device_scale, 0,
                           sizeof(double) * (size_t)mixed->mesh->n_vertex, mixed->scale);
}

ew_status ew_mixed_add_product_on_device(void *user, const ew_buffer *v, ew_buffer *out)
{
    ew_mixed *mixed = user;
    const ew_device_mesh *mesh = mixed->device_mesh;
    const int32_t n_tet = mixed->mesh->n_tet, n_row = mixed->mesh->n_vertex;
    const double of_c = 1.0 / mixed->of_k;
    ew_kernel *take, *give;
    EW_TRY(find_kernel(mixed, "take_tets", &take));
    EW_TRY(find_kernel(mixed, "give_vertices", &give));
    const ew_argument first[] = {EW_ARG_VALUE(n_tet),       EW_ARG_VALUE(n_row),
                                 EW_ARG_BUFFER(&mesh->tet), EW_ARG_BUFFER(&mixed->device_tet),
                                 EW_ARG_BUFFER(v),          EW_ARG_BUFFER(&mixed->device_work)};
    const ew_argument then[] = {EW_ARG_VALUE(n_row),
                                EW_ARG_VALUE(of_c),
                                EW_ARG_BUFFER(&mesh->vertex_to_tet.begin),
                                EW_ARG_BUFFER(&mesh->vertex_to_tet.count),
                                EW_ARG_BUFFER(&mesh->vertex_to_tet.item),
                                EW_ARG_BUFFER(&mesh->tet),
                                EW_ARG_BUFFER(&mixed->device_tet),
                                EW_ARG_BUFFER(&mixed->device_work),
                                EW_ARG_BUFFER(v),
                                EW_ARG_BUFFER(out)};
    EW_TRY(ew_kernel_run(mesh->device, take, (size_t)n_tet, 0, 6, first));
    return ew_kernel_run(mesh->device, give, (size_t)n_row, 0, 10, then);
}

void ew_mixed_free_on_device(ew_mixed *mixed)
{
    ew_buffer *const buffer[] = {&mixed->device_tet, &mixed->device_work, &mixed->device_scale,
                                 &mixed->device_lame, &mixed->device_density};
    for (size_t i = 0; i < sizeof buffer / sizeof *buffer; i++) {
        ew_buffer_free(buffer[i]);
    }
}
