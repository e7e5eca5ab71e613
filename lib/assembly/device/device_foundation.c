/* Springs to the ground on a device. In: those of the host (foundation.c), and which rows are
 * computed. Out: a record for each row of a vertex or an edge whose diagonal block has some, and a
 * launch that adds them; a copy of the springs on faces of quadratic tets beside that of the rows
 * of edges, and their part of a product. Kernels: foundation.cl. */
#include "assembly/device/device_edges.h"

#include <string.h>

/* ---- diagonal blocks -------------------------------------------------------- */

/* Records of an id and six doubles, GROUND_WORDS words each. */
#define GROUND_WORDS 13

/* A record of the row, unless k is zero. */
static ew_status put_row(ew_upload *upload, const double k[6], int32_t row, ew_block_list *list)
{
    static const double none[6] = {0.0};
    int32_t record[GROUND_WORDS] = {row};
    uint32_t at;
    if (!memcmp(k, none, sizeof none)) {
        return EW_OK;
    }
    memcpy(record + 1, k, sizeof none);
    EW_TRY(ew_upload_ids(upload, record, GROUND_WORDS, &at));
    list->first = list->n++ ? list->first : at;
    return EW_OK;
}

ew_status ew_put_ground(ew_upload *upload, const double *ground, const ew_topology *topology,
                        const ew_pattern_change *change, bool all, ew_block_list *list)
{
    *list = (ew_block_list){.listed = 1};
    const int32_t n = all ? topology->pattern.n_row : change->touched_row.n;
    for (int32_t i = 0; i < n && ground; i++) {
        const int32_t row = all ? i : change->touched_row.id[i];
        EW_TRY(topology->vertex_to_tet.count[row]
                   ? put_row(upload, ground + 6 * (size_t)row, row, list)
                   : EW_OK);
    }
    return EW_OK;
}

ew_status ew_put_face_ground(ew_upload *upload, const ew_edge_blocks *from,
                             const ew_pattern_change *change, ew_block_list *list)
{
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
        EW_TRY(put_row(upload, k, row, list));
    }
    return EW_OK;
}

ew_status ew_compute_ground(ew_device_matrix *matrix, const ew_block_list *list)
{
    ew_kernel *kernel;
    if (!list->n) {
        return EW_OK;
    }
    EW_TRY(ew_device_kernel(matrix->device, "foundation", "add_ground", "", &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(list->n), EW_ARG_VALUE(list->first),
                                    EW_ARG_BUFFER(&matrix->upload.staging),
                                    EW_ARG_BUFFER(&matrix->diagonal)};
    return ew_kernel_run(matrix->device, kernel, (size_t)list->n, EW_ASSEMBLY_GROUP, 4, argument);
}

/* ---- products --------------------------------------------------------------- */

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

static ew_status write_buffer(const ew_device_edges *copy, ew_buffer *to, size_t bytes,
                              const void *from)
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
                    : write_buffer(copy, &copy->ground_tet, (size_t)first.n * sizeof *first.id,
                                   first.id);
    status = status
                 ? status
                 : write_buffer(copy, &copy->ground_face, n * sizeof *ground->face, ground->face);
    status = status ? status
                    : write_buffer(copy, &copy->ground,
                                   6 * EW_FACE_BLOCKS * n * sizeof *ground->block, ground->block);
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
    EW_TRY(ew_device_kernel(copy->device, "foundation", "add_faces",
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
