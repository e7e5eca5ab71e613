/* Rows of edges on a device: which row each edge of a tet has, curves of sides, their diagonal
 * blocks. In: the mesh's copy there, rows of edges, after an edit what it touched. Out: the copy
 * brought up to date by one batch; blocks with the bits of the host's. Kernels: quadratic.cl. */
#include "assembly/device/device_edges.h"

static size_t n_word_of(int64_t n)
{
    return sizeof(int32_t) * (size_t)n;
}

/* A curve [3], in words. */
#define CURVE_WORDS ((int32_t)(3 * sizeof(double) / sizeof(int32_t)))

/* ---- the copy ------------------------------------------------------------------ */

/* The rows of a tet's edges; -1: none, as all are of a tet that is not there. */
static void rows_of(const ew_mesh *mesh, const ew_topology *topology, const ew_edge_rows *rows,
                    int32_t tet, int32_t row[6])
{
    for (size_t k = 0; k < 6; k++) {
        row[k] = ew_mesh_tet_is_live(mesh, tet)
                     ? rows->row[topology->tet_to_edge[6 * (size_t)tet + k]]
                     : -1;
    }
}

static ew_status list_rows(const ew_mesh *mesh, const ew_topology *topology,
                           const ew_edge_rows *rows, int32_t **row)
{
    EW_TRY(ew_new(row, 6 * (size_t)mesh->n_tet, sizeof **row));
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        rows_of(mesh, topology, rows, t, *row + 6 * (size_t)t);
    }
    return EW_OK;
}

static void set_revisions(ew_device_edges *copy, const ew_mesh *mesh, const ew_edge_rows *rows)
{
    copy->uploaded_bytes = copy->upload.bytes;
    copy->n_tet = mesh->n_tet;
    copy->is_curved = rows->curve != NULL;
    copy->pattern.device = copy->device;
    copy->pattern.n_row = rows->pattern.n_row;
    copy->mesh_revision = mesh->revision;
    copy->pattern.revision = rows->pattern.revision;
}

static ew_status check_rows(const ew_mesh *mesh, const ew_topology *topology,
                            const ew_edge_rows *rows)
{
    if (rows->mesh_revision != mesh->revision || topology->pattern.revision != mesh->revision) {
        return ew_fail(EW_STALE,
                       "device edges: the rows of edges are at revision %llu, the tables at %llu, "
                       "the mesh at %llu; bring them up to date first",
                       (unsigned long long)rows->mesh_revision,
                       (unsigned long long)topology->pattern.revision,
                       (unsigned long long)mesh->revision);
    }
    return EW_OK;
}

static ew_status send_all(ew_device_edges *copy, const ew_mesh *mesh, const ew_topology *topology,
                          const ew_edge_rows *rows)
{
    int32_t *row = NULL;
    EW_TRY(list_rows(mesh, topology, rows, &row));
    ew_status status =
        ew_upload_whole(&copy->upload, &copy->tet_row, n_word_of(6 * (int64_t)mesh->n_tet), row);
    ew_release(row);
    EW_TRY(status);
    EW_TRY(ew_upload_whole(&copy->upload, &copy->edge, n_word_of(rows->pattern.n_row), rows->edge));
    return rows->curve
               ? ew_upload_whole(&copy->upload, &copy->curve,
                                 n_word_of(CURVE_WORDS * (int64_t)rows->pattern.n_row), rows->curve)
               : EW_OK;
}

ew_status ew_device_edges_build(ew_device_edges *copy, ew_device *device, const ew_mesh *mesh,
                                const ew_topology *topology, const ew_edge_rows *rows)
{
    EW_TRY(check_rows(mesh, topology, rows));
    EW_TRY(ew_device_need_double(device, "quadratic tets"));
    if (copy->device != device) {
        ew_device_edges_free(copy);
        copy->device = device;
    }
    copy->pattern.revision = 0;
    EW_TRY(ew_upload_begin(&copy->upload, device));
    EW_TRY(send_all(copy, mesh, topology, rows));
    EW_TRY(ew_device_finish(device));
    set_revisions(copy, mesh, rows);
    return EW_OK;
}

static ew_status push_tets_of(ew_list *tet, const ew_topology *topology, const ew_list *edge)
{
    const ew_rows *tets = &topology->edge_to_tet;
    for (int32_t i = 0; i < edge->n; i++) {
        const int32_t e = edge->id[i];
        for (int32_t k = 0; k < tets->count[e]; k++) {
            EW_TRY(ew_list_push(tet, tets->item[(size_t)tets->begin[e] + (size_t)k]));
        }
    }
    return EW_OK;
}

static ew_status push_all(ew_list *list, const ew_list *more)
{
    for (int32_t i = 0; i < more->n; i++) {
        EW_TRY(ew_list_push(list, more->id[i]));
    }
    return EW_OK;
}

/* Tets whose edges may have other rows. */
static ew_status collect_rows(ew_device_edges *copy, const ew_topology *topology,
                              const ew_change *change, const ew_list *edge)
{
    copy->tet.n = 0;
    if (change) {
        EW_TRY(push_all(&copy->tet, &change->removed_tet));
        EW_TRY(push_all(&copy->tet, &change->added_tet));
        EW_TRY(push_tets_of(&copy->tet, topology, &topology->touched.touched_pair));
    }
    EW_TRY(edge ? push_tets_of(&copy->tet, topology, edge) : EW_OK);
    ew_list_sort_unique(&copy->tet);
    return EW_OK;
}

static ew_status send_some(ew_device_edges *copy, const ew_mesh *mesh, const ew_topology *topology,
                           const ew_edge_rows *rows)
{
    ew_upload *upload = &copy->upload;
    const ew_list *touched = &rows->touched.touched_row;
    EW_TRY(ew_upload_to(upload, &copy->tet_row, mesh->n_tet, 6));
    for (int32_t i = 0; i < copy->tet.n; i++) {
        int32_t row[6];
        rows_of(mesh, topology, rows, copy->tet.id[i], row);
        EW_TRY(ew_upload_put(upload, copy->tet.id[i], row));
    }
    EW_TRY(ew_upload_to(upload, &copy->edge, rows->pattern.n_row, 1));
    for (int32_t i = 0; i < touched->n; i++) {
        EW_TRY(ew_upload_put(upload, touched->id[i], rows->edge + touched->id[i]));
    }
    if (rows->curve) {
        EW_TRY(ew_upload_to(upload, &copy->curve, rows->pattern.n_row, CURVE_WORDS));
    }
    for (int32_t i = 0; i < touched->n && rows->curve; i++) {
        const int32_t row = touched->id[i];
        EW_TRY(ew_upload_put(upload, row, rows->curve + 3 * (size_t)row));
    }
    return ew_upload_send(upload);
}

ew_status ew_device_edges_update(ew_device_edges *copy, const ew_mesh *mesh,
                                 const ew_topology *topology, const ew_edge_rows *rows,
                                 const ew_change *change, const ew_list *edge)
{
    const ew_pattern_change *touched = &rows->touched;
    EW_TRY(check_rows(mesh, topology, rows));
    if (!copy->pattern.revision || copy->pattern.revision != touched->from_revision ||
        rows->pattern.revision != touched->to_revision ||
        copy->mesh_revision != (change ? change->from_revision : mesh->revision)) {
        return ew_fail(EW_STALE,
                       "device edges: the copy of the rows of edges is at revision %llu, they were "
                       "brought from %llu to %llu; build it again",
                       (unsigned long long)copy->pattern.revision,
                       (unsigned long long)touched->from_revision,
                       (unsigned long long)touched->to_revision);
    }
    EW_TRY(collect_rows(copy, topology, change, edge));
    copy->pattern.revision = 0;
    EW_TRY(ew_upload_begin(&copy->upload, copy->device));
    EW_TRY(copy->tet.n > mesh->n_tet / 2 || copy->is_curved != (rows->curve != NULL)
               ? send_all(copy, mesh, topology, rows)
               : send_some(copy, mesh, topology, rows));
    EW_TRY(ew_device_finish(copy->device));
    set_revisions(copy, mesh, rows);
    return EW_OK;
}

ew_status ew_device_edges_check(const ew_device_edges *copy, const ew_mesh *mesh,
                                const ew_topology *topology, const ew_edge_rows *rows)
{
    int32_t *row = NULL;
    if (copy->pattern.revision != rows->pattern.revision || copy->mesh_revision != mesh->revision) {
        return ew_fail(EW_STALE,
                       "device edges: the copy of the rows of edges is at revision %llu, they are "
                       "at %llu; update or build it first",
                       (unsigned long long)copy->pattern.revision,
                       (unsigned long long)rows->pattern.revision);
    }
    EW_TRY(list_rows(mesh, topology, rows, &row));
    ew_status status = ew_buffer_check(copy->device, &copy->tet_row,
                                       n_word_of(6 * (int64_t)mesh->n_tet), row, "tet_row");
    ew_release(row);
    EW_TRY(status);
    EW_TRY(ew_buffer_check(copy->device, &copy->edge, n_word_of(rows->pattern.n_row), rows->edge,
                           "edge"));
    return rows->curve ? ew_buffer_check(copy->device, &copy->curve,
                                         n_word_of(CURVE_WORDS * (int64_t)rows->pattern.n_row),
                                         rows->curve, "curve")
                       : EW_OK;
}

void ew_device_edges_forget(ew_device_edges *copy)
{
    copy->pattern.revision = 0;
}

void ew_device_edges_free(ew_device_edges *copy)
{
    ew_buffer_free(&copy->edge);
    ew_buffer_free(&copy->tet_row);
    ew_buffer_free(&copy->curve);
    ew_buffer_free(&copy->constants);
    ew_buffer_free(&copy->density);
    ew_buffer_free(&copy->mass);
    ew_buffer_free(&copy->force);
    ew_buffer_free(&copy->ground_tet);
    ew_buffer_free(&copy->ground_face);
    ew_buffer_free(&copy->ground);
    ew_buffer_free(&copy->turned_tet);
    ew_buffer_free(&copy->turned_place);
    ew_buffer_free(&copy->turned_face);
    ew_buffer_free(&copy->turned_node);
    ew_buffer_free(&copy->turn);
    ew_upload_free(&copy->upload);
    ew_list_free(&copy->tet);
    *copy = (ew_device_edges){0};
}

/* ---- blocks -------------------------------------------------------------------- */

typedef struct block_source {
    ew_device_source as;
    const ew_edge_blocks *from;
    const ew_device_edges *edges;
    const ew_device_internal_force *there; /* null: not of a tangent */
} block_source;

static ew_status compute_elastic(const block_source *from, ew_device_matrix *matrix,
                                 const ew_block_list *rows)
{
    const ew_device_mesh *mesh = from->as.mesh;
    const ew_device_edges *edges = from->edges;
    const ew_materials *materials = from->from->materials;
    ew_kernel *kernel;
    EW_TRY(ew_edge_kernel(edges, "edge_blocks", false, materials, false, NULL, &kernel));
    int32_t n = 14;
    ew_argument argument[17] = {EW_ARG_VALUE(rows->n),
                                EW_ARG_VALUE(rows->listed),
                                EW_ARG_VALUE(rows->first),
                                EW_ARG_BUFFER(&matrix->upload.staging),
                                EW_ARG_BUFFER(&edges->edge),
                                EW_ARG_BUFFER(&mesh->pattern.pair_row),
                                EW_ARG_BUFFER(&mesh->edge_to_tet.begin),
                                EW_ARG_BUFFER(&mesh->edge_to_tet.count),
                                EW_ARG_BUFFER(&mesh->edge_to_tet.item),
                                EW_ARG_BUFFER(&mesh->tet),
                                EW_ARG_BUFFER(&mesh->region),
                                EW_ARG_BUFFER(&matrix->kind_constants),
                                EW_ARG_BUFFER(&mesh->xyz),
                                EW_ARG_BUFFER(&matrix->diagonal)};
    if (edges->is_curved) {
        argument[n++] = EW_ARG_BUFFER(&edges->tet_row);
        argument[n++] = EW_ARG_BUFFER(&edges->curve);
    }
    if (materials->axes && !materials->is_isotropic) {
        argument[n++] = EW_ARG_BUFFER(&mesh->axes);
    }
    return ew_kernel_run(matrix->device, kernel, (size_t)rows->n, EW_ASSEMBLY_GROUP, n, argument);
}

static ew_status compute(const ew_device_source *source, ew_device_matrix *matrix,
                         const ew_pattern_change *change)
{
    const block_source *from = (const block_source *)source;
    const ew_device_mesh *mesh = source->mesh;
    const ew_device_edges *edges = from->edges;
    const ew_materials *materials = from->from->materials;
    size_t bytes;
    const double *constants = ew_edge_constants_of(materials, &bytes);
    ew_block_list rows, ground;
    EW_TRY(ew_need_device_axes(mesh, materials));
    EW_TRY(ew_upload_whole(&matrix->upload, &matrix->kind_constants, bytes, constants));
    EW_TRY(ew_put_rows(matrix, change, edges->pattern.n_row, &rows));
    EW_TRY(ew_put_face_ground(&matrix->upload, from->from, rows.listed ? change : NULL, &ground));
    EW_TRY(ew_upload_send(&matrix->upload));
    EW_TRY(from->there ? ew_compute_tangent_edges(from->there, mesh, edges, matrix, &rows)
                       : compute_elastic(from, matrix, &rows));
    return ew_compute_ground(matrix, &ground);
}

static ew_status check_mesh(const ew_device_source *source)
{
    const block_source *from = (const block_source *)source;
    const uint64_t revision = from->from->mesh->revision;
    EW_TRY(source->source->check(source->source));
    EW_TRY(from->there
               ? ew_need_device_records(from->there, from->from->internal_force, from->from->mesh)
               : EW_OK);
    if (source->mesh->pattern.revision != revision || from->edges->mesh_revision != revision) {
        return ew_fail(
            EW_STALE,
            "device edges: the copy of the mesh is at revision %llu, that of the rows of "
            "edges at %llu, the mesh at %llu; update or build them first",
            (unsigned long long)source->mesh->pattern.revision,
            (unsigned long long)from->edges->mesh_revision, (unsigned long long)revision);
    }
    return EW_OK;
}

static block_source source_of(const ew_edge_blocks *from, const ew_device_mesh *mesh,
                              const ew_device_edges *edges, const ew_device_internal_force *there)
{
    return (block_source){.as = {.source = &from->source,
                                 .mesh = mesh,
                                 .pattern = &edges->pattern,
                                 .check = check_mesh,
                                 .compute = compute},
                          .from = from,
                          .edges = edges,
                          .there = there};
}

ew_status ew_device_edge_blocks_build(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                      const ew_device_edges *edges, const ew_edge_blocks *from,
                                      const ew_device_internal_force *there)
{
    const block_source blocks = source_of(from, mesh, edges, there);
    return ew_device_source_build(matrix, &blocks.as, EW_DOUBLE);
}

ew_status ew_device_edge_blocks_revalidate(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                           const ew_device_edges *edges, const ew_edge_blocks *from,
                                           const ew_device_internal_force *there,
                                           const ew_pattern_change *change)
{
    const block_source blocks = source_of(from, mesh, edges, there);
    return ew_device_source_revalidate(matrix, &blocks.as, change);
}
