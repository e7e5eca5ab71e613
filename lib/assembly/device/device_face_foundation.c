/* Springs on faces of quadratic tets on a device: their copy beside that of the rows of edges, and
 * their part of a product. Kernel: face_ground.cl. */
#include "assembly/device/device_edges.h"

#include <string.h>

/* The first face of each tet that has some, and the end. */
static ew_status list_tets(const ew_face_ground *ground, ew_list *first)
{
    for (int32_t i = 0; i < ground->n; i++) {
        if (!i || ground->face[i] / 4 != ground->face[i - 1] / 4) {
            EW_TRY(ew_list_push(first, i));
        }
    }
    return ew_list_push(first, ground->n);
}

static ew_status put(const ew_device_edges *copy, ew_buffer *to, size_t bytes, const void *from)
{
    EW_TRY(ew_buffer_reserve(copy->device, to, bytes));
    return ew_buffer_write(copy->device, to, 0, bytes, from);
}

ew_status ew_send_face_ground(ew_device_edges *copy, const ew_face_ground *ground)
{
    ew_list first = {0};
    const uint64_t version = ground && ground->n ? ground->version : 0;
    if (copy->ground_version == version) {
        return EW_OK;
    }
    copy->ground_version = 0;
    copy->n_ground_tet = 0;
    if (!version) {
        return EW_OK;
    }
    const size_t n = (size_t)ground->n;
    ew_status status = list_tets(ground, &first);
    status = status ? status
                    : put(copy, &copy->ground_tet, (size_t)first.n * sizeof *first.id, first.id);
    status =
        status ? status : put(copy, &copy->ground_face, n * sizeof *ground->face, ground->face);
    status = status ? status
                    : put(copy, &copy->ground, 6 * EW_FACE_BLOCKS * n * sizeof *ground->block,
                          ground->block);
    if (!status) {
        copy->n_ground_tet = first.n - 1;
        copy->ground_version = version;
    }
    ew_list_free(&first);
    return status;
}

ew_status ew_add_face_forces(const ew_device_edges *copy, const ew_device_mesh *mesh,
                             ew_edge_part part, bool single, double factor, const ew_buffer *x)
{
    const int32_t of = (int32_t)part;
    ew_kernel *kernel;
    if (!copy->n_ground_tet) {
        return EW_OK;
    }
    EW_TRY(ew_device_kernel(copy->device, "face_ground", "add_faces",
                            ew_device_real_options(copy->device, single), &kernel));
    const ew_argument argument[] = {
        EW_ARG_VALUE(copy->n_ground_tet),  EW_ARG_VALUE(of),
        EW_ARG_VALUE(mesh->pattern.n_row), EW_ARG_VALUE(factor),
        EW_ARG_BUFFER(&copy->ground_tet),  EW_ARG_BUFFER(&copy->ground_face),
        EW_ARG_BUFFER(&copy->ground),      EW_ARG_BUFFER(&mesh->tet),
        EW_ARG_BUFFER(&copy->tet_row),     EW_ARG_BUFFER(x),
        EW_ARG_BUFFER(&copy->force)};
    return ew_kernel_run(copy->device, kernel, (size_t)copy->n_ground_tet, EW_ASSEMBLY_GROUP, 11,
                         argument);
}

/* A record per row that has some, as of the ground of vertices. */
ew_status ew_put_face_ground(ew_upload *upload, const ew_edge_blocks *from,
                             const ew_pattern_change *change, ew_block_list *list)
{
    static const double none[6] = {0.0};
    const ew_face_ground *ground = from->ground;
    const int32_t n = !ground || !ground->n ? 0
                      : change              ? change->touched_row.n
                                            : from->rows->pattern.n_row;
    *list = (ew_block_list){.listed = 1};
    for (int32_t i = 0; i < n; i++) {
        const int32_t row = change ? change->touched_row.id[i] : i;
        const int32_t edge = from->rows->edge[row];
        double k[6] = {0.0};
        if (edge >= 0) {
            ew_face_ground_of_edge(ground, from->topology, edge, k);
        }
        EW_TRY(memcmp(k, none, sizeof none) ? ew_put_ground_row(upload, k, row, list) : EW_OK);
    }
    return EW_OK;
}
