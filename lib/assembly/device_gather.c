/* Blocks gathered on a device, each from its own tets in ascending order, with the bits of the
 * host's. In: the copy of the mesh there, the constants of its regions, ids of blocks. Out: double
 * blocks, and where they are kept the single-precision pairs and row sums. */
#include "assembly/device_blocks.h"

#include <stdio.h>
#include <string.h>

#define GROUP_ITEMS 64

/* Blocks to compute: n ids in the staging buffer from word `first` on, or slots 0 to n - 1. */
typedef struct block_list {
    int32_t n, listed;
    uint32_t first;
} block_list;

/* What the launches have in common. */
typedef struct gather {
    ew_device_matrix *matrix;
    const ew_device_mesh *mesh;
    char options[64]; /* names the function that sums the formulation's contributions */
} gather;

static ew_status compute_pairs(const gather *in, const block_list *list)
{
    ew_device_matrix *matrix = in->matrix;
    const ew_device_mesh *mesh = in->mesh;
    const int32_t keep_single = matrix->has_single;
    ew_kernel *kernel;
    EW_TRY(ew_device_kernel(matrix->device, "assemble", "pair_blocks", in->options, &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(list->n),
                                    EW_ARG_VALUE(list->listed),
                                    EW_ARG_VALUE(list->first),
                                    EW_ARG_VALUE(keep_single),
                                    EW_ARG_BUFFER(&matrix->upload.staging),
                                    EW_ARG_BUFFER(&mesh->pattern.pair_row),
                                    EW_ARG_BUFFER(&mesh->edge_to_tet.begin),
                                    EW_ARG_BUFFER(&mesh->edge_to_tet.count),
                                    EW_ARG_BUFFER(&mesh->edge_to_tet.item),
                                    EW_ARG_BUFFER(&mesh->tet),
                                    EW_ARG_BUFFER(&mesh->region),
                                    EW_ARG_BUFFER(&matrix->kind_constants),
                                    EW_ARG_BUFFER(&mesh->xyz),
                                    EW_ARG_BUFFER(&matrix->pair),
                                    EW_ARG_BUFFER(&matrix->pair_single)};
    return ew_kernel_run(matrix->device, kernel, (size_t)list->n, GROUP_ITEMS, 15, argument);
}

static ew_status compute_diagonal(const gather *in, const block_list *list)
{
    ew_device_matrix *matrix = in->matrix;
    const ew_device_mesh *mesh = in->mesh;
    ew_kernel *kernel;
    EW_TRY(ew_device_kernel(matrix->device, "assemble", "diagonal_blocks", in->options, &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(list->n),
                                    EW_ARG_VALUE(list->listed),
                                    EW_ARG_VALUE(list->first),
                                    EW_ARG_BUFFER(&matrix->upload.staging),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.begin),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.count),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.item),
                                    EW_ARG_BUFFER(&mesh->tet),
                                    EW_ARG_BUFFER(&mesh->region),
                                    EW_ARG_BUFFER(&matrix->kind_constants),
                                    EW_ARG_BUFFER(&mesh->xyz),
                                    EW_ARG_BUFFER(&matrix->diagonal)};
    return ew_kernel_run(matrix->device, kernel, (size_t)list->n, GROUP_ITEMS, 12, argument);
}

/* Records of an id and six doubles, GROUND_WORDS words each. */
#define GROUND_WORDS 13

static ew_status add_ground(const gather *in, const block_list *list)
{
    ew_device_matrix *matrix = in->matrix;
    ew_kernel *kernel;
    if (!list->n) {
        return EW_OK;
    }
    EW_TRY(ew_device_kernel(matrix->device, "assemble", "add_ground", in->options, &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(list->n), EW_ARG_VALUE(list->first),
                                    EW_ARG_BUFFER(&matrix->upload.staging),
                                    EW_ARG_BUFFER(&matrix->diagonal)};
    return ew_kernel_run(matrix->device, kernel, (size_t)list->n, GROUP_ITEMS, 4, argument);
}

static ew_status compute_row_sums(const gather *in, const block_list *list)
{
    ew_device_matrix *matrix = in->matrix;
    const ew_device_rows *rows = &in->mesh->pattern.row_to_pair;
    ew_kernel *kernel;
    EW_TRY(ew_device_kernel(matrix->device, "assemble", "row_sums", in->options, &kernel));
    const ew_argument argument[] = {
        EW_ARG_VALUE(list->n),        EW_ARG_VALUE(list->listed),
        EW_ARG_VALUE(list->first),    EW_ARG_BUFFER(&matrix->upload.staging),
        EW_ARG_BUFFER(&rows->begin),  EW_ARG_BUFFER(&rows->count),
        EW_ARG_BUFFER(&rows->item),   EW_ARG_BUFFER(&matrix->diagonal),
        EW_ARG_BUFFER(&matrix->pair), EW_ARG_BUFFER(&matrix->row_sum)};
    return ew_kernel_run(matrix->device, kernel, (size_t)list->n, GROUP_ITEMS, 10, argument);
}

/* ---- what is computed ------------------------------------------------------ */

/* Naming more than this share of the slots costs more than computing them all. */
static bool is_majority(int32_t n, int32_t all)
{
    return n > all - all / 4;
}

static ew_status put_pairs(ew_upload *upload, const ew_pattern_change *change, int32_t n_pair,
                           block_list *pairs)
{
    *pairs = (block_list){.n = n_pair};
    if (!change || is_majority(change->touched_pair.n, n_pair)) {
        return EW_OK;
    }
    *pairs = (block_list){.n = change->touched_pair.n, .listed = 1};
    return ew_upload_ids(upload, change->touched_pair.id, pairs->n, &pairs->first);
}

/* The touched rows, and those from n_before on, which are new: without contributors they are the
 * identity. */
static ew_status put_rows(ew_upload *upload, const ew_pattern_change *change, int32_t n_before,
                          int32_t n_row, block_list *rows)
{
    uint32_t at;
    *rows = (block_list){.n = n_row};
    if (!change || is_majority(change->touched_row.n, n_row)) {
        return EW_OK;
    }
    const ew_list *touched = &change->touched_row;
    int32_t n_old = touched->n;
    while (n_old > 0 && touched->id[n_old - 1] >= n_before) {
        n_old--;
    }
    *rows = (block_list){.n = n_old + n_row - n_before, .listed = 1};
    EW_TRY(ew_upload_ids(upload, touched->id, n_old, &rows->first));
    for (int32_t row = n_before; row < n_row; row++) {
        EW_TRY(ew_upload_ids(upload, &row, 1, &at));
    }
    return EW_OK;
}

static ew_status put_ground_row(ew_upload *upload, const ew_stiffness *from, int32_t row,
                                block_list *list)
{
    static const double none[6] = {0.0};
    const double *k = from->ground + 6 * (size_t)row;
    int32_t record[GROUND_WORDS] = {row};
    uint32_t at;
    if (!from->topology->vertex_to_tet.count[row] || !memcmp(k, none, sizeof none)) {
        return EW_OK;
    }
    memcpy(record + 1, k, sizeof none);
    EW_TRY(ew_upload_ids(upload, record, GROUND_WORDS, &at));
    list->first = list->n++ ? list->first : at;
    return EW_OK;
}

/* Of the rows whose diagonal blocks are computed. */
static ew_status put_ground(ew_upload *upload, const ew_stiffness *from,
                            const ew_pattern_change *change, bool all, block_list *list)
{
    *list = (block_list){.listed = 1};
    const int32_t n = all ? from->source.pattern->n_row : change->touched_row.n;
    for (int32_t i = 0; i < n && from->ground; i++) {
        EW_TRY(put_ground_row(upload, from, all ? i : change->touched_row.id[i], list));
    }
    return EW_OK;
}

/* Constants of regions that are new to the blocks. The others have not changed. */
static ew_status send_constants(ew_device_matrix *matrix, const ew_stiffness *from)
{
    const int32_t n = from->mesh->n_region;
    if (matrix->n_constants == n) {
        return EW_OK;
    }
    return ew_upload_whole(&matrix->upload, &matrix->kind_constants, 2 * sizeof(double) * (size_t)n,
                           from->materials->lame);
}

ew_status ew_device_gather(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                           const ew_stiffness *from, const ew_pattern_change *change)
{
    gather in = {.matrix = matrix, .mesh = mesh};
    ew_upload *upload = &matrix->upload;
    block_list pairs, rows, ground;
    snprintf(in.options, sizeof in.options, "-DEW_SUM_CONTRIBUTIONS=%s", from->element->kernel);
    EW_TRY(send_constants(matrix, from));
    EW_TRY(put_pairs(upload, change, mesh->pattern.n_pair, &pairs));
    EW_TRY(put_rows(upload, change, matrix->n_row, mesh->pattern.n_row, &rows));
    EW_TRY(put_ground(upload, from, change, !rows.listed, &ground));
    EW_TRY(ew_upload_send(upload));
    EW_TRY(compute_pairs(&in, &pairs));
    EW_TRY(compute_diagonal(&in, &rows));
    EW_TRY(add_ground(&in, &ground));
    return matrix->has_single ? compute_row_sums(&in, &rows) : EW_OK;
}
