/* Load stiffness of pressure that turns with faces, on a device. In: that of the host
 * (host/follower.c), and which pairs are computed. Out: a record for each pair that has some, and a
 * launch that adds them; a copy of the faces of quadratic tets, and their part of a product.
 * Kernels: foundation.cl. */
#include "assembly/device/device_edges.h"

#include <stdlib.h>
#include <string.h>

/* Records of an id and three doubles. */
#define TURN_WORDS 7

static ew_status put_pair(ew_upload *upload, const ew_follower *follower, int32_t place,
                          ew_block_list *list)
{
    int32_t record[TURN_WORDS] = {follower->pair[place]};
    uint32_t at;
    memcpy(record + 1, follower->of_pair + 3 * (size_t)place, 3 * sizeof(double));
    EW_TRY(ew_upload_ids(upload, record, TURN_WORDS, &at));
    list->first = list->n++ ? list->first : at;
    return EW_OK;
}

ew_status ew_put_follower(ew_upload *upload, const ew_follower *follower,
                          const ew_pattern_change *change, ew_block_list *list)
{
    *list = (ew_block_list){.listed = 1};
    const int32_t n = !follower || !follower->n_pair ? 0
                      : change                       ? change->touched_pair.n
                                                     : follower->n_pair;
    for (int32_t i = 0; i < n; i++) {
        const int32_t place =
            change ? ew_follower_find_pair(follower, change->touched_pair.id[i]) : i;
        EW_TRY(place >= 0 ? put_pair(upload, follower, place, list) : EW_OK);
    }
    return EW_OK;
}

ew_status ew_compute_follower(ew_device_matrix *matrix, const ew_block_list *list)
{
    const int32_t keep_single = matrix->has_single;
    ew_kernel *kernel;
    if (!list->n) {
        return EW_OK;
    }
    EW_TRY(ew_device_kernel(matrix->device, "foundation", "add_turns", "", &kernel));
    const ew_argument argument[] = {
        EW_ARG_VALUE(list->n),        EW_ARG_VALUE(list->first),
        EW_ARG_VALUE(keep_single),    EW_ARG_BUFFER(&matrix->upload.staging),
        EW_ARG_BUFFER(&matrix->pair), EW_ARG_BUFFER(&matrix->pair_single)};
    return ew_kernel_run(matrix->device, kernel, (size_t)list->n, EW_ASSEMBLY_GROUP, 6, argument);
}

/* ---- products of quadratic tets ------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

/* place: of the faces, those of one tet behind one another; first: of each tet, and the end. */
static ew_status sort_faces(const ew_follower *follower, ew_list *first, ew_list *place)
{
    int64_t *key = NULL; /* face, then place */
    ew_status status = ew_new(&key, (size_t)follower->n, sizeof *key);
    for (int32_t i = 0; i < follower->n && !status; i++) {
        key[i] = ((int64_t)follower->face[i] << 32) + i;
    }
    if (!status) {
        qsort(key, (size_t)follower->n, sizeof *key, compare);
    }
    for (int32_t i = 0; i < follower->n && !status; i++) {
        status = !i || key[i] >> 34 != key[i - 1] >> 34 ? ew_list_push(first, i) : EW_OK;
        status = status ? status : ew_list_push(place, (int32_t)(key[i] & INT32_MAX));
    }
    ew_release(key);
    return status ? status : ew_list_push(first, follower->n);
}

static ew_status send_faces(ew_device_edges *copy, const ew_follower *follower,
                            const ew_list *first, const ew_list *place)
{
    const size_t n = (size_t)follower->n;
    const struct {
        ew_buffer *to;
        const void *from;
        size_t bytes;
    } part[] = {
        {&copy->turned_tet, first->id, (size_t)first->n * sizeof *first->id},
        {&copy->turned_place, place->id, n * sizeof *place->id},
        {&copy->turned_face, follower->face, n * sizeof *follower->face},
        {&copy->turned_node, follower->node, n * EW_FOLLOWER_NODES * sizeof *follower->node},
        {&copy->turn, follower->turn, 3 * n * EW_FOLLOWER_TURNS * sizeof *follower->turn},
    };
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        EW_TRY(ew_buffer_reserve(copy->device, part[i].to, part[i].bytes));
        EW_TRY(ew_buffer_write(copy->device, part[i].to, 0, part[i].bytes, part[i].from));
    }
    return EW_OK;
}

ew_status ew_send_turned_faces(ew_device_edges *copy, const ew_follower *follower)
{
    ew_list first = {0}, place = {0};
    const uint64_t version = follower && follower->n ? follower->version : 0;
    if (copy->turn_version == version) {
        return EW_OK;
    }
    copy->turn_version = 0;
    copy->n_turned_tet = 0;
    if (!version) {
        return EW_OK;
    }
    ew_status status = sort_faces(follower, &first, &place);
    status = status ? status : send_faces(copy, follower, &first, &place);
    if (!status) {
        copy->n_turned_tet = first.n - 1;
        copy->turn_version = version;
    }
    ew_list_free(&first);
    ew_list_free(&place);
    return status;
}

ew_status ew_add_turned_faces(const ew_device_edges *copy, ew_edge_part part, bool single,
                              double factor, const ew_buffer *x)
{
    const int32_t of = (int32_t)part;
    ew_kernel *kernel;
    if (!copy->n_turned_tet) {
        return EW_OK;
    }
    EW_TRY(ew_device_kernel(copy->device, "foundation", "add_turned_faces",
                            ew_device_real_options(copy->device, single), &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(copy->n_turned_tet),
                                    EW_ARG_VALUE(of),
                                    EW_ARG_VALUE(factor),
                                    EW_ARG_BUFFER(&copy->turned_tet),
                                    EW_ARG_BUFFER(&copy->turned_place),
                                    EW_ARG_BUFFER(&copy->turned_face),
                                    EW_ARG_BUFFER(&copy->turned_node),
                                    EW_ARG_BUFFER(&copy->turn),
                                    EW_ARG_BUFFER(x),
                                    EW_ARG_BUFFER(&copy->force)};
    return ew_kernel_run(copy->device, kernel, (size_t)copy->n_turned_tet, EW_ASSEMBLY_GROUP, 10,
                         argument);
}
