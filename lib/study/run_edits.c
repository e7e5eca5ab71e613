/* Edits of a running study: an operation fills the queue, one commit applies it, and everything
 * that depends on the mesh is brought along locally. */
#include "study/run.h"

#include <math.h>
#include <string.h>

/* ---- what follows a commit --------------------------------------------- */

/* The mean of the neighbours that have a displacement (it is not NaN), if any has. */
static void mean_around(const ew_run *run, int32_t v, double mean[3])
{
    const ew_rows *rows = &run->topology.pattern.row_to_pair;
    double sum[3] = {0, 0, 0};
    int32_t n = 0;
    for (int32_t i = 0; i < rows->count[v]; i++) {
        const double *u = run->u + 3 * (size_t)rows->item[2 * ((size_t)rows->begin[v] + (size_t)i)];
        if (!isnan(u[0])) {
            n++;
            for (int32_t c = 0; c < 3; c++) {
                sum[c] += u[c];
            }
        }
    }
    for (int32_t c = 0; c < 3 && n; c++) {
        mean[c] = sum[c] / n;
    }
}

/* The middle of a split edge starts from the mean of its ends, other new vertices from that of
 * their neighbours, in the order in which they came: those before serve those after. What lies
 * apart starts from zero. */
static void interpolate_start(ew_run *run)
{
    const ew_list *added = &run->change.added_vertex;
    const int32_t *parent = run->change.added_parent;
    for (int32_t k = 0; k < added->n; k++) {
        run->u[3 * (size_t)added->id[k]] = NAN;
    }
    for (int32_t k = 0; k < added->n; k++) {
        double *u = run->u + 3 * (size_t)added->id[k];
        const int32_t a = parent[2 * (size_t)k], b = parent[2 * (size_t)k + 1];
        for (int32_t c = 0; c < 3 && a != b; c++) {
            u[c] = 0.5 * run->u[3 * (size_t)a + c] + 0.5 * run->u[3 * (size_t)b + c];
        }
        if (isnan(u[0])) {
            mean_around(run, added->id[k], u);
        }
    }
    for (int32_t k = 0; k < added->n; k++) {
        double *u = run->u + 3 * (size_t)added->id[k];
        if (isnan(u[0])) {
            memset(u, 0, 3 * sizeof *u);
        }
    }
    for (int32_t i = 0; i < run->change.emptied_vertex.n; i++) {
        memset(run->u + 3 * (size_t)run->change.emptied_vertex.id[i], 0, 3 * sizeof(double));
    }
}

static ew_status revalidate_matrix(ew_run *run)
{
    ew_device *device = run->def->device;
    const bool host_blocks = !device || !ew_device_about(device)->has_double;
    if (host_blocks) {
        EW_TRY(ew_stiffness_revalidate(&run->matrix, run->mesh, &run->topology, &run->materials,
                                       &run->topology.touched));
    }
    if (device) {
        const ew_stiffness from = ew_stiffness_of(run->mesh, &run->topology, &run->materials);
        EW_TRY(ew_device_mesh_update(&run->device_mesh, run->mesh, &run->topology, &run->change));
        EW_TRY(ew_device_matrix_revalidate(&run->device_matrix, &run->device_mesh, &from,
                                           &run->topology.touched,
                                           host_blocks ? &run->matrix : NULL));
    }
    run->report.touched_blocks +=
        (int64_t)run->topology.touched.touched_pair.n + run->topology.touched.touched_row.n;
    return EW_OK;
}

/* A matrix made afresh where the run keeps its own, so that the times compare; *seconds counts the
 * making alone. Blocks of both end up on the host. */
static ew_status rebuild_matrix(ew_run *run, const ew_topology *topology, ew_matrix *matrix,
                                double *seconds)
{
    ew_device *device = run->def->device;
    const double start = ew_seconds();
    if (!device || !ew_device_about(device)->has_double) {
        EW_TRY(ew_stiffness_build(matrix, run->mesh, topology, &run->materials));
        *seconds += ew_seconds() - start;
        return EW_OK;
    }
    const ew_stiffness from = ew_stiffness_of(run->mesh, topology, &run->materials);
    ew_device_mesh mesh = {0};
    ew_device_matrix fresh = {0};
    ew_status status = ew_device_mesh_build(&mesh, device, run->mesh, topology);
    if (!status) {
        status = ew_device_matrix_build(&fresh, &mesh, &from, run->def->precision, NULL);
    }
    *seconds += ew_seconds() - start;
    if (!status) {
        status = ew_device_matrix_download(&fresh, matrix);
    }
    if (!status) {
        status = ew_device_matrix_download(&run->device_matrix, &run->matrix);
    }
    ew_device_matrix_free(&fresh);
    ew_device_mesh_free(&mesh);
    return status;
}

/* Compares with tables and matrix made afresh from the mesh, and takes the time of both. */
static ew_status verify_rebuild(ew_run *run)
{
    ew_topology topology = {0};
    ew_matrix matrix = {0};
    int64_t different = 0;
    double largest = 0;
    ew_status status = ew_topology_check(&run->topology, run->mesh);
    const double start = ew_seconds();
    if (!status) {
        status = ew_topology_build(&topology, run->mesh);
    }
    run->report.seconds_rebuild_topology += ew_seconds() - start;
    if (!status) {
        status = rebuild_matrix(run, &topology, &matrix, &run->report.seconds_rebuild_matrix);
    }
    if (!status) {
        status = ew_matrix_compare(&run->matrix, &run->topology.pattern, &matrix, &topology.pattern,
                                   &different, &largest);
    }
    ew_topology_free(&topology);
    ew_matrix_free(&matrix);
    run->report.verified = true;
    run->report.different_blocks += different;
    if (!(largest <= run->report.largest_difference)) { /* NaN, too, which ends the run */
        run->report.largest_difference = largest;
    }
    if (!status && different) {
        status = ew_fail(EW_MATRIX_DIFFERS,
                         "%lld blocks of the revalidated matrix differ from a rebuild, by up to "
                         "%.3g; none may: this is an error of edgewise, please report it with the "
                         "case and its mesh",
                         (long long)different, largest);
    }
    return status;
}

ew_status ew_run_commit(ew_run *run, int32_t code)
{
    EW_TRY(ew_journal_commit(run, code));
    ew_run_count_lost_faces(run, code);
    double start = ew_seconds();
    EW_TRY(ew_mesh_commit(run->mesh, &run->edit, &run->topology.vertex_to_tet, &run->change));
    run->report.seconds_edit += ew_seconds() - start;
    if (run->change.to_revision == run->change.from_revision) {
        return EW_OK;
    }
    if (run->materials.n != run->mesh->n_region) {
        EW_TRY(ew_run_assign_materials(run));
    }
    start = ew_seconds();
    EW_TRY(ew_topology_update(&run->topology, run->mesh, &run->change));
    run->report.seconds_topology += ew_seconds() - start;
    start = ew_seconds();
    EW_TRY(revalidate_matrix(run));
    run->report.seconds_matrix += ew_seconds() - start;
    EW_TRY(ew_run_size_vectors(run));
    interpolate_start(run);
    EW_TRY(ew_run_follow_sets(run));
    return run->def->verify_rebuild ? verify_rebuild(run) : EW_OK;
}

/* ---- operations -------------------------------------------------------- */

/* Active members of a set as a list. */
static ew_status set_members(const ew_run *run, int32_t set, int32_t line, ew_list *list)
{
    bool usable;
    EW_TRY(ew_run_require_members(run, set, line, &usable));
    const ew_list *members = &run->set[set].list;
    for (int32_t i = 0; i < members->n; i++) {
        if (ew_mesh_vertex_is_active(run->mesh, members->id[i])) {
            EW_TRY(ew_list_push(list, members->id[i]));
        }
    }
    ew_list_sort(list);
    return EW_OK;
}

static ew_status read_other(const ew_run *run, const char *file, ew_mesh *other)
{
    if (!run->def->read_mesh) {
        return ew_fail(EW_UNSUPPORTED, "add: this program gives no way to read '%s'", file);
    }
    return run->def->read_mesh(run->def->user, file, other);
}

static ew_status queue_operation(ew_run *run, const ew_case_edit *edit)
{
    const ew_operation *operation = edit->operation;
    const ew_parameter_value *of = edit->values.of;
    const int32_t vertices = ew_operation_parameter_of(operation, EW_PARAMETER_VERTICES);
    const int32_t file = ew_operation_parameter_of(operation, EW_PARAMETER_MESH);
    const bool has_set = vertices >= 0 && of[vertices].given;
    const bool solved = run->fields_revision == run->mesh->revision;
    ew_list list = {0};
    ew_mesh other = {0};
    ew_status status = EW_OK;
    ew_edit_clear(&run->edit);
    if (has_set) {
        status = set_members(run, (int32_t)of[vertices].whole, edit->line, &list);
    }
    if (!status && file >= 0) {
        status = read_other(run, of[file].text, &other);
    }
    if (!status) {
        const ew_operation_input input = {.operation = operation,
                                          .mesh = run->mesh,
                                          .topology = &run->topology,
                                          .values = &edit->values,
                                          .vertex = has_set ? &list : NULL,
                                          .other = file >= 0 ? &other : NULL,
                                          .tet_value = solved ? run->fields.energy : NULL};
        status = operation->queue(&input, &run->edit);
    }
    ew_list_free(&list);
    ew_mesh_free(&other);
    return status;
}

static const char *code_name(int32_t code)
{
    const ew_operation *operation = ew_operation_of_code(code);
    return operation ? operation->name : code == EW_CODE_LEAVE_OUT ? "leave out" : "edit";
}

static ew_status begin_report(ew_run *run, int32_t code, ew_edit_report **report)
{
    ew_mesh_measure measure;
    EW_TRY(ew_grow(&run->edit_report, &run->edit_report_capacity, run->report.n_edit + 1,
                   sizeof **report));
    run->report.edit = run->edit_report;
    *report = &run->edit_report[run->report.n_edit++];
    ew_mesh_take_measure(run->mesh, &measure);
    **report = (ew_edit_report){.kind = code_name(code),
                                .tets_before = run->mesh->n_live_tet,
                                .vertices_before = run->mesh->n_active_vertex,
                                .volume_before = measure.volume,
                                .quality_before = measure.least_quality};
    return EW_OK;
}

static void end_report(const ew_run *run, ew_edit_report *report)
{
    ew_mesh_measure measure;
    ew_mesh_take_measure(run->mesh, &measure);
    report->tets_after = run->mesh->n_live_tet;
    report->vertices_after = run->mesh->n_active_vertex;
    report->volume_after = measure.volume;
    report->quality_after = measure.least_quality;
}

static ew_status commit_with_report(ew_run *run, int32_t code)
{
    ew_edit_report *report;
    EW_TRY(begin_report(run, code, &report));
    EW_TRY(ew_run_commit(run, code));
    end_report(run, report);
    return EW_OK;
}

/* ---- renumbering when most slots are holes ----------------------------- */

static void rename_vector(double *vector, const int32_t *map, int32_t n_old, int32_t n_new)
{
    /* Compaction keeps the order, so an entry only ever moves down. */
    for (int32_t v = 0; v < n_old; v++) {
        if (map[v] >= 0) {
            memmove(vector + 3 * (size_t)map[v], vector + 3 * (size_t)v, 3 * sizeof *vector);
        }
    }
    memset(vector + 3 * (size_t)n_new, 0, 3 * (size_t)(n_old - n_new) * sizeof *vector);
}

static ew_status renumber(ew_run *run)
{
    const int32_t n_old = run->mesh->n_vertex;
    const double start = ew_seconds();
    int32_t *map;
    EW_TRY(ew_journal_compact(run));
    EW_TRY(ew_new(&map, (size_t)n_old, sizeof *map));
    ew_status status = ew_mesh_compact(run->mesh, NULL, false, map, NULL);
    if (!status) {
        ew_topology_free(&run->topology);
        status = ew_topology_build(&run->topology, run->mesh);
    }
    if (!status) {
        status = ew_run_build_matrix(run);
    }
    if (!status) {
        status = ew_run_rename_sets(run, map, n_old);
    }
    if (!status) {
        rename_vector(run->u, map, n_old, run->mesh->n_vertex);
        run->loads_are_current = false;
        run->report.compacted = true;
        run->report.seconds_compact += ew_seconds() - start;
    }
    ew_release(map);
    return status;
}

/* Inactive vertices count as holes here: in a case nothing can bring them back by name. */
static ew_status compact_if_sparse(ew_run *run)
{
    const ew_mesh *mesh = run->mesh;
    const int64_t slots = (int64_t)mesh->n_tet + mesh->n_vertex;
    const int64_t live = (int64_t)mesh->n_live_tet + mesh->n_active_vertex;
    if (2 * live >= slots || mesh->n_live_tet == 0) {
        return EW_OK;
    }
    ew_edit_clear(&run->edit);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (mesh->valence[v] == 0) {
            EW_TRY(ew_edit_remove_vertex(&run->edit, v));
        }
    }
    EW_TRY(ew_run_commit(run, EW_CODE_CLOSE_HOLES));
    return renumber(run);
}

/* ---- a step's edits ---------------------------------------------------- */

static ew_status replay_commit(ew_run *run, int32_t code)
{
    const ew_status status =
        code == EW_CODE_CLOSE_HOLES ? ew_run_commit(run, code) : commit_with_report(run, code);
    return status == EW_BAD_EDIT
               ? ew_fail_prefix(status,
                                "the recorded edits do not fit this mesh; a replay needs the "
                                "mesh that the result was made from")
               : status;
}

static ew_status replay(ew_run *run, int32_t index)
{
    const unsigned char *bytes = run->replay->journal[index];
    const size_t size = run->replay->journal_bytes[index];
    for (size_t offset = 0; offset < size;) {
        int32_t code = 0;
        bool compact;
        EW_TRY(ew_journal_next(bytes, size, &offset, run, &code, &compact));
        EW_TRY(compact ? renumber(run) : replay_commit(run, code));
    }
    return EW_OK;
}

ew_status ew_run_edits(ew_run *run, const ew_case_step *step, int32_t index)
{
    if (run->replay) {
        return replay(run, index);
    }
    for (int32_t i = 0; i < step->n_edit; i++) {
        const ew_case_edit *edit = &step->edit[i];
        EW_TRY(ew_progress_report(&run->def->progress, edit->operation->name, -1));
        ew_status status = queue_operation(run, edit); /* its failures name it */
        if (!status) {
            status = commit_with_report(run, edit->operation->file_code);
            status = status ? ew_fail_prefix(status, "%s", edit->operation->name) : EW_OK;
        }
        if (status) {
            return ew_fail_line(status, edit->line);
        }
    }
    return compact_if_sparse(run);
}

/* ---- under-constrained components -------------------------------------- */

static ew_status queue_free(ew_run *run, const ew_free_component *free, int32_t n_free,
                            const int32_t *component)
{
    ew_set chosen = {0};
    ew_status status = EW_OK;
    for (int32_t i = 0; i < n_free && !status; i++) {
        status = ew_set_add(&chosen, free[i].component);
    }
    for (int32_t t = 0; t < run->mesh->n_tet && !status; t++) {
        if (component[t] >= 0 && ew_set_has(&chosen, component[t])) {
            status = ew_edit_remove_tet(&run->edit, t);
        }
    }
    ew_set_free(&chosen);
    return status;
}

ew_status ew_run_leave_out(ew_run *run, bool *any)
{
    int32_t *component, n_free = 0;
    *any = false;
    ew_free_component *free = NULL;
    EW_TRY(ew_new(&component, (size_t)run->mesh->n_tet, sizeof *component));
    ew_edit_clear(&run->edit);
    ew_status status = ew_find_free_components(run->mesh, &run->topology, &run->constraints,
                                               component, &free, &n_free);
    if (!status && n_free) {
        status = queue_free(run, free, n_free, component);
    }
    const int32_t n_tet = run->edit.remove_tet.n;
    if (!status && n_free && n_tet < run->mesh->n_live_tet) {
        status = commit_with_report(run, EW_CODE_LEAVE_OUT);
        run->report.n_left_out += n_free;
        run->report.left_out_tets += n_tet;
        *any = true;
    }
    ew_release(component);
    ew_release(free);
    return status;
}
