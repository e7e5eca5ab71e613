/* Revalidation on a device. In: the mesh and tables after an edit, and the change. Out: the
 * device's copies brought up to date and the touched blocks recomputed there. What changed is
 * packed into one batch of records, uploaded once and spread by kernels/scatter.cl; an array of
 * which more than half changed is uploaded whole. */
#include "assembly/device_blocks.h"

#include <math.h>
#include <string.h>

/* The arrays of kernels/scatter.cl, in its order. */
enum {
    XYZ,
    TET,
    REGION,
    EDGE_ROW,
    ROW_BEGIN,
    ROW_COUNT,
    ROW_ITEM,
    EDGE_BEGIN,
    EDGE_COUNT,
    EDGE_ITEM,
    VERTEX_BEGIN,
    VERTEX_COUNT,
    VERTEX_ITEM,
    DIAGONAL_SINGLE,
    EDGE_SINGLE,
    ROW_SUM,
    N_ARRAY
};

#define GROUP_ITEMS 64

/* What the change asks for; lists ascending, without repeats. */
typedef struct ew_work {
    ew_list position;        /* vertices whose coordinates are new */
    ew_list tet;             /* tets added or removed */
    ew_list row, edge;       /* vertices and edges whose table rows may be new */
    ew_list block, diagonal; /* blocks to recompute: edges, vertices */
} ew_work;

static void work_free(ew_work *work)
{
    ew_list_free(&work->position);
    ew_list_free(&work->tet);
    ew_list_free(&work->row);
    ew_list_free(&work->edge);
    ew_list_free(&work->block);
    ew_list_free(&work->diagonal);
}

static ew_status push_all(ew_list *list, const ew_list *more)
{
    for (int32_t i = 0; i < more->n; i++) {
        EW_TRY(ew_list_push(list, more->id[i]));
    }
    return EW_OK;
}

/* The vertices and the surviving edges of the removed tets, then those of the added ones. */
static ew_status collect_neighbours(const ew_mesh *mesh, const ew_topology *topology,
                                    const ew_change *change, ew_work *work)
{
    for (int32_t i = 0; i < change->removed_tet.n; i++) {
        const int32_t *vertex = change->removed_tet_vertex + 4 * (size_t)i;
        for (int k = 0; k < 4; k++) {
            EW_TRY(ew_list_push(&work->row, vertex[k]));
        }
        for (int k = 0; k < 6; k++) {
            int32_t a = vertex[ew_edge_vertex[k][0]], b = vertex[ew_edge_vertex[k][1]];
            int32_t e = ew_pattern_pair_between(&topology->pattern, a < b ? a : b, a < b ? b : a);
            if (e >= 0) {
                EW_TRY(ew_list_push(&work->edge, e));
            }
        }
    }
    for (int32_t i = 0; i < change->added_tet.n; i++) {
        size_t t = (size_t)change->added_tet.id[i];
        for (int k = 0; k < 4; k++) {
            EW_TRY(ew_list_push(&work->row, mesh->tet[4 * t + k]));
        }
        for (int k = 0; k < 6; k++) {
            EW_TRY(ew_list_push(&work->edge, topology->tet_to_edge[6 * t + k]));
        }
    }
    return EW_OK;
}

static ew_status collect(const ew_mesh *mesh, const ew_topology *topology, const ew_change *change,
                         ew_work *work)
{
    const ew_pattern_change *touched = &topology->touched;
    EW_TRY(push_all(&work->position, &change->moved_vertex));
    EW_TRY(push_all(&work->position, &change->added_vertex));
    EW_TRY(push_all(&work->tet, &change->removed_tet));
    EW_TRY(push_all(&work->tet, &change->added_tet));
    EW_TRY(push_all(&work->row, &change->added_vertex));
    EW_TRY(push_all(&work->edge, &touched->created_pair));
    EW_TRY(push_all(&work->edge, &touched->freed_pair));
    EW_TRY(push_all(&work->block, &touched->touched_pair));
    EW_TRY(push_all(&work->diagonal, &touched->touched_row));
    EW_TRY(push_all(&work->diagonal, &change->added_vertex));
    EW_TRY(collect_neighbours(mesh, topology, change, work));
    ew_list *const list[] = {&work->position, &work->tet,   &work->row,
                             &work->edge,     &work->block, &work->diagonal};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        ew_list_sort_unique(list[i]);
    }
    return EW_OK;
}

/* ---- the batch ---------------------------------------------------------- */

static ew_status open_batch(ew_device_matrix *matrix)
{
    EW_TRY(ew_grow(&matrix->host_staging, &matrix->host_staging_capacity, 3 * N_ARRAY,
                   sizeof *matrix->host_staging));
    memset(matrix->host_staging, 0, 3 * N_ARRAY * sizeof *matrix->host_staging);
    matrix->n_host_staging = 3 * N_ARRAY;
    return EW_OK;
}

/* One record; all records of an array follow each other. The table's first word counts them until
 * close_batch makes it the words of all arrays so far. */
static ew_status put(ew_device_matrix *matrix, int array, int32_t id, const void *data, int width)
{
    EW_TRY(ew_grow(&matrix->host_staging, &matrix->host_staging_capacity,
                   (int64_t)matrix->n_host_staging + width + 1, sizeof *matrix->host_staging));
    uint32_t *row = matrix->host_staging + 3 * array;
    uint32_t *record = matrix->host_staging + matrix->n_host_staging;
    if (!row[0]) {
        row[1] = (uint32_t)width;
        row[2] = (uint32_t)matrix->n_host_staging;
    }
    row[0]++;
    record[0] = (uint32_t)id;
    memcpy(record + 1, data, sizeof *record * (size_t)width);
    matrix->n_host_staging += width + 1;
    return EW_OK;
}

static ew_status put_positions(ew_device_matrix *matrix, const ew_mesh *mesh, const ew_list *vertex)
{
    for (int32_t i = 0; i < vertex->n; i++) {
        int32_t v = vertex->id[i];
        EW_TRY(put(matrix, XYZ, v, mesh->xyz + 3 * (size_t)v, 6));
    }
    return EW_OK;
}

static ew_status put_tets(ew_device_matrix *matrix, const ew_mesh *mesh, const ew_list *tet)
{
    for (int32_t i = 0; i < tet->n; i++) {
        int32_t t = tet->id[i];
        EW_TRY(put(matrix, TET, t, mesh->tet + 4 * (size_t)t, 4));
    }
    for (int32_t i = 0; i < tet->n; i++) {
        int32_t t = tet->id[i];
        EW_TRY(put(matrix, REGION, t, mesh->region + t, 1));
    }
    return EW_OK;
}

/* The array of begins, then those of counts and items. */
static ew_status put_rows(ew_device_matrix *matrix, int array, const ew_rows *rows,
                          const ew_list *list)
{
    for (int32_t i = 0; i < list->n; i++) {
        EW_TRY(put(matrix, array, list->id[i], rows->begin + list->id[i], 1));
    }
    for (int32_t i = 0; i < list->n; i++) {
        EW_TRY(put(matrix, array + 1, list->id[i], rows->count + list->id[i], 1));
    }
    for (int32_t i = 0; i < list->n; i++) {
        int32_t begin = rows->begin[list->id[i]];
        for (int32_t at = begin; at < begin + rows->count[list->id[i]]; at++) {
            EW_TRY(put(matrix, array + 2, at, rows->item + (size_t)rows->width * (size_t)at,
                       rows->width));
        }
    }
    return EW_OK;
}

static ew_status put_tables(ew_device_matrix *matrix, const ew_mesh *mesh,
                            const ew_topology *topology, const ew_work *work)
{
    const ew_pattern *pattern = &topology->pattern;
    EW_TRY(put_rows(matrix, ROW_BEGIN, &pattern->row_to_pair, &work->row));
    if (!matrix->has_double) {
        return EW_OK;
    }
    EW_TRY(put_tets(matrix, mesh, &work->tet));
    for (int32_t i = 0; i < work->edge.n; i++) {
        int32_t e = work->edge.id[i];
        EW_TRY(put(matrix, EDGE_ROW, e, pattern->pair_row + 2 * (size_t)e, 2));
    }
    EW_TRY(put_rows(matrix, EDGE_BEGIN, &topology->edge_to_tet, &work->edge));
    return put_rows(matrix, VERTEX_BEGIN, &topology->vertex_to_tet, &work->row);
}

static ew_status put_block(ew_device_matrix *matrix, int array, int32_t id, const double *block)
{
    float narrow[9];
    for (int k = 0; k < 9; k++) {
        narrow[k] = (float)block[k];
        if (!isfinite(narrow[k])) {
            return ew_fail(EW_NOT_FINITE,
                           "device matrix: a stiffness block is beyond the range of single "
                           "precision; use double precision or other units");
        }
    }
    return put(matrix, array, id, narrow, 9);
}

static ew_status put_blocks(ew_device_matrix *matrix, int array, const double *blocks,
                            const ew_list *list)
{
    for (int32_t i = 0; i < list->n; i++) {
        EW_TRY(put_block(matrix, array, list->id[i], blocks + 9 * (size_t)list->id[i]));
    }
    return EW_OK;
}

static ew_status put_row_sums(ew_device_matrix *matrix, const ew_matrix *host,
                              const ew_pattern *pattern, const ew_list *list)
{
    for (int32_t i = 0; i < list->n; i++) {
        double row_sum[9];
        ew_matrix_row_sum(host, pattern, list->id[i], row_sum);
        EW_TRY(put_block(matrix, ROW_SUM, list->id[i], row_sum));
    }
    return EW_OK;
}

/* Ids to compute, behind the records; all blocks when most are listed anyway. */
static ew_status put_list(ew_device_matrix *matrix, const ew_list *list, int32_t n_all,
                          ew_block_list *blocks)
{
    *blocks = (ew_block_list){.n = list->n, .first = (uint32_t)matrix->n_host_staging};
    if (list->n > n_all - n_all / 4) {
        blocks->all = true;
        return EW_OK;
    }
    if (!list->n) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&matrix->host_staging, &matrix->host_staging_capacity,
                   (int64_t)matrix->n_host_staging + list->n, sizeof *matrix->host_staging));
    memcpy(matrix->host_staging + matrix->n_host_staging, list->id,
           sizeof *list->id * (size_t)list->n);
    matrix->n_host_staging += list->n;
    return EW_OK;
}

/* Turns the table's counts into running totals; returns the words to scatter. */
static uint32_t close_batch(ew_device_matrix *matrix)
{
    uint32_t total = 0;
    for (size_t k = 0; k < N_ARRAY; k++) {
        uint32_t *row = matrix->host_staging + 3 * k;
        total += row[0] * row[1];
        row[0] = total;
    }
    return total;
}

static ew_status scatter(ew_device_matrix *matrix, uint32_t n)
{
    size_t bytes = sizeof *matrix->host_staging * (size_t)matrix->n_host_staging;
    EW_TRY(ew_buffer_reserve(matrix->device, &matrix->staging, bytes));
    EW_TRY(ew_device_matrix_upload(matrix, &matrix->staging, bytes, matrix->host_staging));
    ew_kernel *kernel;
    EW_TRY(ew_device_kernel(matrix->device, "scatter", "scatter", "", &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(n),
                                    EW_ARG_BUFFER(&matrix->staging),
                                    EW_ARG_BUFFER(&matrix->xyz),
                                    EW_ARG_BUFFER(&matrix->tet),
                                    EW_ARG_BUFFER(&matrix->region),
                                    EW_ARG_BUFFER(&matrix->pair_row),
                                    EW_ARG_BUFFER(&matrix->row_begin),
                                    EW_ARG_BUFFER(&matrix->row_count),
                                    EW_ARG_BUFFER(&matrix->row_item),
                                    EW_ARG_BUFFER(&matrix->edge_begin),
                                    EW_ARG_BUFFER(&matrix->edge_count),
                                    EW_ARG_BUFFER(&matrix->edge_item),
                                    EW_ARG_BUFFER(&matrix->vertex_begin),
                                    EW_ARG_BUFFER(&matrix->vertex_count),
                                    EW_ARG_BUFFER(&matrix->vertex_item),
                                    EW_ARG_BUFFER(&matrix->diagonal_single),
                                    EW_ARG_BUFFER(&matrix->pair_single),
                                    EW_ARG_BUFFER(&matrix->row_sum)};
    return ew_kernel_run(matrix->device, kernel, n ? n : 1, GROUP_ITEMS, 18, argument);
}

ew_status ew_device_matrix_warm_up(ew_device_matrix *matrix)
{
    EW_TRY(open_batch(matrix));
    return scatter(matrix, 0);
}

/* ---- revalidation --------------------------------------------------------- */

static bool most(int32_t n, int32_t all)
{
    return n > all / 2;
}

/* The blocks that the host computed for a device without fp64. */
static ew_status send_blocks(ew_device_matrix *matrix, const ew_matrix *host,
                             const ew_pattern *pattern, const ew_work *work)
{
    if (most(work->block.n, matrix->n_pair) || most(work->diagonal.n, matrix->n_row)) {
        return ew_device_matrix_upload_blocks(matrix, host, pattern);
    }
    EW_TRY(put_blocks(matrix, DIAGONAL_SINGLE, host->diagonal, &work->diagonal));
    EW_TRY(put_blocks(matrix, EDGE_SINGLE, host->pair, &work->block));
    return put_row_sums(matrix, host, pattern, &work->diagonal);
}

static ew_status update(ew_device_matrix *matrix, const ew_mesh *mesh, const ew_topology *topology,
                        const ew_materials *materials, const ew_matrix *host, const ew_work *work)
{
    ew_block_list edges, vertices;
    EW_TRY(ew_device_matrix_reserve(matrix, mesh, topology, materials));
    EW_TRY(open_batch(matrix));
    if (most(work->row.n, matrix->n_row)) {
        EW_TRY(ew_device_matrix_upload_tables(matrix, mesh, topology));
    } else {
        EW_TRY(put_tables(matrix, mesh, topology, work));
    }
    if (!matrix->has_double) {
        EW_TRY(send_blocks(matrix, host, &topology->pattern, work));
        EW_TRY(scatter(matrix, close_batch(matrix)));
        return ew_device_finish(matrix->device);
    }
    EW_TRY(ew_device_matrix_upload(matrix, &matrix->lame, 2 * sizeof(double) * (size_t)materials->n,
                                   materials->lame));
    if (most(work->position.n, matrix->n_row)) {
        EW_TRY(ew_device_matrix_upload_positions(matrix, mesh));
    } else {
        EW_TRY(put_positions(matrix, mesh, &work->position));
    }
    EW_TRY(put_list(matrix, &work->block, matrix->n_pair, &edges));
    EW_TRY(put_list(matrix, &work->diagonal, matrix->n_row, &vertices));
    EW_TRY(scatter(matrix, close_batch(matrix)));
    EW_TRY(ew_device_matrix_compute(matrix, &edges, &vertices));
    return ew_device_finish(matrix->device);
}

ew_status ew_device_matrix_revalidate(ew_device_matrix *matrix, const ew_mesh *mesh,
                                      const ew_topology *topology, const ew_materials *materials,
                                      const ew_change *change, const ew_matrix *host)
{
    if (matrix->revision != change->from_revision || mesh->revision != change->to_revision) {
        return ew_fail(EW_STALE,
                       "device matrix: at mesh revision %llu, but the change leads from %llu to "
                       "%llu; build it again",
                       (unsigned long long)matrix->revision,
                       (unsigned long long)change->from_revision,
                       (unsigned long long)change->to_revision);
    }
    if (topology->touched.from_revision != change->from_revision ||
        topology->touched.to_revision != change->to_revision) {
        return ew_fail(
            EW_STALE, "device matrix: the tables were not updated from the change; build it again");
    }
    EW_TRY(ew_device_matrix_check_source(matrix, mesh, topology, materials, host));
    if (ew_materials_revision(materials, matrix->n_constants) != matrix->constants) {
        return ew_fail(EW_STALE, "device matrix: material constants that are in its blocks have "
                                 "changed; build it again");
    }
    ew_work work = {0};
    ew_status status = collect(mesh, topology, change, &work);
    if (!status) {
        matrix->revision = 0; /* from here on a failure leaves neither the old nor the new one */
        matrix->uploaded_bytes = 0;
        status = update(matrix, mesh, topology, materials, host, &work);
    }
    if (!status) {
        ew_device_matrix_seal(matrix, mesh, materials);
    }
    work_free(&work);
    return status;
}
