/* The copy of a mesh and its tables on a device. In: both, after an edit with what it changed. Out:
 * the copy brought up to date by one batch. */
#include "assembly/device/device_blocks.h"

#define AXES_WORDS 12 /* of a tet's axes, six doubles */

static size_t n_word_of(int64_t n)
{
    return sizeof(int32_t) * (size_t)n;
}

static size_t bytes_of_positions(const ew_mesh *mesh)
{
    return 3 * sizeof(double) * (size_t)mesh->n_vertex;
}

static bool has_double(const ew_device_mesh *copy)
{
    return ew_device_about(copy->device)->has_double;
}

/* ---- what a change asks for ---------------------------------------------- */

static ew_status push_all(ew_list *list, const ew_list *more)
{
    for (int32_t i = 0; i < more->n; i++) {
        EW_TRY(ew_list_push(list, more->id[i]));
    }
    return EW_OK;
}

/* The vertices and the surviving edges of the removed tets. */
static ew_status collect_removed(ew_device_mesh *copy, const ew_topology *topology,
                                 const ew_change *change)
{
    for (int32_t i = 0; i < change->removed_tet.n; i++) {
        const int32_t *vertex = change->removed_tet_vertex + 4 * (size_t)i;
        for (int k = 0; k < 4; k++) {
            EW_TRY(ew_list_push(&copy->row, vertex[k]));
        }
        for (int k = 0; k < 6; k++) {
            const int32_t e = ew_pattern_pair_between(
                &topology->pattern, vertex[ew_edge_vertex[k][0]], vertex[ew_edge_vertex[k][1]]);
            if (e >= 0) {
                EW_TRY(ew_list_push(&copy->edge, e));
            }
        }
    }
    return EW_OK;
}

static ew_status collect_added(ew_device_mesh *copy, const ew_mesh *mesh,
                               const ew_topology *topology, const ew_change *change)
{
    for (int32_t i = 0; i < change->added_tet.n; i++) {
        const size_t t = (size_t)change->added_tet.id[i];
        for (int k = 0; k < 4; k++) {
            EW_TRY(ew_list_push(&copy->row, mesh->tet[4 * t + k]));
        }
        for (int k = 0; k < 6; k++) {
            EW_TRY(ew_list_push(&copy->edge, topology->tet_to_edge[6 * t + k]));
        }
    }
    return EW_OK;
}

/* Lists ascending, without repeats. */
static ew_status collect_changes(ew_device_mesh *copy, const ew_mesh *mesh,
                                 const ew_topology *topology, const ew_change *change)
{
    ew_list *const list[] = {&copy->position, &copy->row, &copy->edge, &copy->changed_tet};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        list[i]->n = 0;
    }
    EW_TRY(push_all(&copy->position, &change->moved_vertex));
    EW_TRY(push_all(&copy->position, &change->added_vertex));
    EW_TRY(push_all(&copy->changed_tet, &change->removed_tet));
    EW_TRY(push_all(&copy->changed_tet, &change->added_tet));
    EW_TRY(push_all(&copy->row, &change->added_vertex));
    EW_TRY(push_all(&copy->edge, &topology->touched.created_pair));
    EW_TRY(push_all(&copy->edge, &topology->touched.freed_pair));
    EW_TRY(collect_removed(copy, topology, change));
    EW_TRY(collect_added(copy, mesh, topology, change));
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        ew_list_sort_unique(list[i]);
    }
    return EW_OK;
}

/* ---- uploading ------------------------------------------------------------ */

static ew_status put_positions(ew_device_mesh *copy, const ew_mesh *mesh, bool all)
{
    ew_upload *upload = &copy->upload;
    if (all) {
        return ew_upload_whole(upload, &copy->xyz, bytes_of_positions(mesh), mesh->xyz);
    }
    EW_TRY(ew_upload_to(upload, &copy->xyz, mesh->n_vertex, 6));
    for (int32_t i = 0; i < copy->position.n; i++) {
        const int32_t v = copy->position.id[i];
        EW_TRY(ew_upload_put(upload, v, mesh->xyz + 3 * (size_t)v));
    }
    return EW_OK;
}

static ew_status put_tets(ew_device_mesh *copy, const ew_mesh *mesh, bool all)
{
    ew_upload *upload = &copy->upload;
    const ew_list *changed = &copy->changed_tet;
    if (all) {
        EW_TRY(ew_upload_whole(upload, &copy->tet, n_word_of(4 * (int64_t)mesh->n_tet), mesh->tet));
        return ew_upload_whole(upload, &copy->region, n_word_of(mesh->n_tet), mesh->region);
    }
    EW_TRY(ew_upload_to(upload, &copy->tet, mesh->n_tet, 4));
    for (int32_t i = 0; i < changed->n; i++) {
        EW_TRY(ew_upload_put(upload, changed->id[i], mesh->tet + 4 * (size_t)changed->id[i]));
    }
    EW_TRY(ew_upload_to(upload, &copy->region, mesh->n_tet, 1));
    for (int32_t i = 0; i < changed->n; i++) {
        EW_TRY(ew_upload_put(upload, changed->id[i], mesh->region + changed->id[i]));
    }
    return EW_OK;
}

/* Everything that says who neighbors whom, and positions: all, or what was collected. */
static ew_status put_tables(ew_device_mesh *copy, const ew_mesh *mesh, const ew_topology *topology,
                            bool all_tables, bool all_positions)
{
    const ew_list *row = all_tables ? NULL : &copy->row, *edge = all_tables ? NULL : &copy->edge;
    ew_upload *upload = &copy->upload;
    EW_TRY(ew_device_pattern_put(&copy->pattern, upload, &topology->pattern, row, edge));
    copy->n_tet = mesh->n_tet;
    if (!has_double(copy)) {
        return EW_OK;
    }
    EW_TRY(put_positions(copy, mesh, all_positions));
    EW_TRY(put_tets(copy, mesh, all_tables));
    EW_TRY(ew_device_rows_put(&copy->edge_to_tet, upload, &topology->edge_to_tet, edge));
    return ew_device_rows_put(&copy->vertex_to_tet, upload, &topology->vertex_to_tet, row);
}

static bool is_majority(int32_t n, int32_t all)
{
    return n > all / 2;
}

/* From here on a failure leaves neither the old copy nor the new one. */
static ew_status send_tables(ew_device_mesh *copy, const ew_mesh *mesh, const ew_topology *topology,
                             bool all_tables, bool all_positions)
{
    copy->pattern.revision = 0;
    EW_TRY(ew_upload_begin(&copy->upload, copy->device));
    EW_TRY(put_tables(copy, mesh, topology, all_tables, all_positions));
    EW_TRY(ew_upload_send(&copy->upload));
    EW_TRY(ew_device_finish(copy->device));
    copy->uploaded_bytes = copy->upload.bytes;
    ew_device_pattern_seal(&copy->pattern, &topology->pattern);
    return EW_OK;
}

/* ---- interface -------------------------------------------------------------- */

static ew_status check_tables(const ew_mesh *mesh, const ew_topology *topology)
{
    if (!mesh->revision || topology->pattern.revision != mesh->revision) {
        return ew_fail(EW_STALE,
                       "device mesh: the tables are at revision %llu, the mesh at %llu; update or "
                       "build the tables first",
                       (unsigned long long)topology->pattern.revision,
                       (unsigned long long)mesh->revision);
    }
    return EW_OK;
}

ew_status ew_device_mesh_build(ew_device_mesh *copy, ew_device *device, const ew_mesh *mesh,
                               const ew_topology *topology)
{
    EW_TRY(check_tables(mesh, topology));
    if (copy->device != device) {
        ew_device_mesh_free(copy);
        copy->device = device;
    }
    copy->axes_revision = 0;
    return send_tables(copy, mesh, topology, true, true);
}

ew_status ew_device_mesh_update(ew_device_mesh *copy, const ew_mesh *mesh,
                                const ew_topology *topology, const ew_change *change)
{
    const ew_pattern_change *touched = &topology->touched;
    const uint64_t from = change->from_revision, to = change->to_revision;
    EW_TRY(check_tables(mesh, topology));
    if (!copy->pattern.revision || copy->pattern.revision != from || mesh->revision != to) {
        return ew_fail(EW_STALE,
                       "device mesh: at revision %llu, but the change leads from %llu to %llu; "
                       "build it again",
                       (unsigned long long)copy->pattern.revision, (unsigned long long)from,
                       (unsigned long long)to);
    }
    if (touched->from_revision != from || touched->to_revision != to) {
        return ew_fail(EW_STALE, "device mesh: the tables were not updated from the change; build "
                                 "it again");
    }
    EW_TRY(collect_changes(copy, mesh, topology, change));
    if (copy->axes_revision) { /* those of moved tets may have turned */
        EW_TRY(push_all(&copy->axes_tet, &change->added_tet));
        EW_TRY(push_all(&copy->axes_tet, &change->moved_tet));
    }
    return send_tables(copy, mesh, topology, is_majority(copy->row.n, mesh->n_vertex),
                       is_majority(copy->position.n, mesh->n_vertex));
}

ew_status ew_device_mesh_send_axes(ew_device_mesh *copy, const ew_mesh *mesh,
                                   const ew_materials *materials)
{
    ew_list *tet = &copy->axes_tet;
    ew_upload *upload = &copy->upload;
    const bool all = copy->axes_revision != materials->axes_revision;
    if (!materials->axes || materials->is_isotropic || !has_double(copy) || (!all && !tet->n)) {
        return EW_OK;
    }
    copy->axes_revision = 0;
    ew_list_sort_unique(tet);
    EW_TRY(ew_upload_begin(upload, copy->device));
    if (all || is_majority(tet->n, mesh->n_tet)) {
        EW_TRY(ew_upload_whole(upload, &copy->axes, 6 * sizeof(double) * (size_t)mesh->n_tet,
                               materials->axes));
    } else {
        EW_TRY(ew_upload_to(upload, &copy->axes, mesh->n_tet, AXES_WORDS));
        for (int32_t i = 0; i < tet->n; i++) {
            EW_TRY(ew_upload_put(upload, tet->id[i], materials->axes + 6 * (size_t)tet->id[i]));
        }
        EW_TRY(ew_upload_send(upload));
    }
    EW_TRY(ew_device_finish(copy->device));
    tet->n = 0;
    copy->axes_revision = materials->axes_revision;
    return EW_OK;
}

ew_status ew_need_device_axes(const ew_device_mesh *copy, const ew_materials *materials)
{
    if (!materials->axes || materials->is_isotropic || !has_double(copy) ||
        (copy->axes_revision == materials->axes_revision && !copy->axes_tet.n)) {
        return EW_OK;
    }
    return ew_fail(EW_STALE, "device mesh: the axes of materials by tet were not sent; call "
                             "ew_device_mesh_send_axes first");
}

ew_status ew_device_mesh_check(const ew_device_mesh *copy, const ew_mesh *mesh,
                               const ew_topology *topology)
{
    ew_device *device = copy->device;
    EW_TRY(check_tables(mesh, topology));
    EW_TRY(ew_device_pattern_check(&copy->pattern, &topology->pattern));
    if (!has_double(copy)) {
        return EW_OK;
    }
    EW_TRY(ew_buffer_check(device, &copy->xyz, bytes_of_positions(mesh), mesh->xyz, "xyz"));
    EW_TRY(
        ew_buffer_check(device, &copy->tet, n_word_of(4 * (int64_t)mesh->n_tet), mesh->tet, "tet"));
    EW_TRY(ew_buffer_check(device, &copy->region, n_word_of(mesh->n_tet), mesh->region, "region"));
    EW_TRY(ew_device_rows_check(&copy->edge_to_tet, device, &topology->edge_to_tet, "edge_to_tet"));
    return ew_device_rows_check(&copy->vertex_to_tet, device, &topology->vertex_to_tet,
                                "vertex_to_tet");
}

size_t ew_device_mesh_bytes(const ew_device_mesh *copy)
{
    return ew_device_pattern_bytes(&copy->pattern) + ew_device_rows_bytes(&copy->edge_to_tet) +
           ew_device_rows_bytes(&copy->vertex_to_tet) + copy->xyz.capacity + copy->tet.capacity +
           copy->region.capacity + copy->axes.capacity + copy->upload.staging.capacity;
}

void ew_device_mesh_forget(ew_device_mesh *copy)
{
    copy->pattern.revision = 0;
}

void ew_device_mesh_free(ew_device_mesh *copy)
{
    ew_device_pattern_free(&copy->pattern);
    ew_buffer_free(&copy->xyz);
    ew_buffer_free(&copy->tet);
    ew_buffer_free(&copy->region);
    ew_buffer_free(&copy->axes);
    ew_device_rows_free(&copy->edge_to_tet);
    ew_device_rows_free(&copy->vertex_to_tet);
    ew_upload_free(&copy->upload);
    ew_list_free(&copy->position);
    ew_list_free(&copy->row);
    ew_list_free(&copy->edge);
    ew_list_free(&copy->changed_tet);
    ew_list_free(&copy->axes_tet);
    *copy = (ew_device_mesh){0};
}
