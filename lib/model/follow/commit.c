/* Edits of a model: a queue is filled, one commit applies it, and everything that depends on the
 * mesh is brought along where it was touched. */
#include "model/internal.h"

ew_edit *ew_model_edit(ew_model *model)
{
    return &model->edit;
}

const ew_edit *ew_model_applied(const ew_model *model)
{
    return &model->applied;
}

void ew_model_begin(ew_model *model)
{
    ew_edit_clear(&model->edit);
}

ew_status ew_model_queue(ew_model *model, ew_queue_function queue, void *user)
{
    EW_TRY(model_need_usable(model));
    ew_edit_clear(&model->edit);
    const double start = ew_seconds();
    const ew_status status = queue(user, model, &model->edit);
    model->report.seconds_choose += ew_seconds() - start;
    if (status) {
        ew_edit_clear(&model->edit);
    }
    return status;
}

ew_status ew_model_apply(ew_model *model, ew_queue_function queue, void *user)
{
    EW_TRY(ew_model_queue(model, queue, user));
    return ew_model_commit(model);
}

void ew_model_set_frame(ew_model *model, int32_t frame)
{
    model->mesh.frame = frame;
}

/* Tets of the sets that an operation protects. */
static ew_status list_protected(const ew_model *model, const ew_parameter_value *value,
                                ew_set *keep)
{
    ew_list tet = {0};
    ew_status status = EW_OK;
    for (int32_t i = 0; i < value->n_set && !status; i++) {
        tet.n = 0;
        status = ew_model_list_tets(model, value->set[i], &tet);
        for (int32_t k = 0; k < tet.n && !status; k++) {
            status = ew_set_add(keep, tet.id[k]);
        }
    }
    ew_list_free(&tet);
    return status;
}

/* Tets chosen by id are found without a pass over the mesh. */
static ew_status use_id_index(ew_model *model, const ew_operation *operation,
                              ew_operation_values *values)
{
    const int32_t tets = ew_operation_parameter_of(operation, EW_PARAMETER_TETS);
    if (tets < 0 || !values->of[tets].given || values->of[tets].selector.kind != EW_SELECT_IDS) {
        return EW_OK;
    }
    EW_TRY(ew_id_index_prepare(&model->tet_ids, EW_TET_IDS, &model->mesh));
    values->of[tets].selector.index = &model->tet_ids;
    return EW_OK;
}

/* Vertices of each of several sets; *list [n] the caller's, also on failure. */
static ew_status list_parts(const ew_model *model, const ew_parameter_value *value, ew_list **list)
{
    EW_TRY(ew_new_zero(list, (size_t)value->n_part, sizeof **list));
    for (int32_t i = 0; i < value->n_part; i++) {
        EW_TRY(ew_model_list_vertices(model, (int32_t)value->part[i].of[0].whole, &(*list)[i]));
    }
    return EW_OK;
}

static void free_parts(ew_list *list, int32_t n)
{
    for (int32_t i = 0; i < n && list; i++) {
        ew_list_free(&list[i]);
    }
    ew_release(list);
}

/* Where sets end, for operations that keep that; *list the caller's. */
static ew_status list_sets(const ew_model *model, ew_operation_input *input, const ew_set ***list)
{
    const ew_set **set;
    EW_TRY(ew_new(&set, (size_t)model->n_set, sizeof *set));
    for (int32_t s = 0; s < model->n_set; s++) {
        if (model->set[s].kind == EW_SET_OF_VERTICES && !model->set[s].may_fray) {
            set[input->n_vertex_set++] = &model->set[s].member.set;
        }
    }
    input->vertex_set = set;
    input->tet_set = set + input->n_vertex_set;
    for (int32_t s = 0; s < model->n_set; s++) {
        if (model->set[s].kind == EW_SET_OF_TETS && !model->set[s].may_fray) {
            set[input->n_vertex_set + input->n_tet_set++] = &model->set[s].member.set;
        }
    }
    *list = set;
    return EW_OK;
}

void ew_model_set_fill(ew_model *model, ew_fill_function fill)
{
    model->fill = fill;
}

const char *ew_model_remark(const ew_model *model)
{
    return model->remark;
}

ew_status ew_model_queue_operation(ew_model *model, const ew_operation *operation,
                                   const ew_operation_values *values, const ew_mesh *other)
{
    const int32_t parts = ew_operation_parameter_of(operation, EW_PARAMETER_PARTS);
    const int32_t n_part = parts >= 0 && values->of[parts].given ? values->of[parts].n_part : 0;
    const int32_t vertices = ew_operation_parameter_of(operation, EW_PARAMETER_VERTICES);
    const bool has_set = vertices >= 0 && values->of[vertices].given;
    const int32_t protect = ew_operation_parameter_of(operation, EW_PARAMETER_PROTECTED);
    const bool protects = protect >= 0 && values->of[protect].given;
    const ew_fields *fields = ew_model_recovered(model);
    ew_list list = {0}, *part = NULL;
    const ew_set **set = NULL;
    ew_set keep = {0};
    ew_operation_values given = *values;
    ew_mesh view = {0};
    ew_operation_input input = {.operation = operation,
                                .mesh = model->mesh.n_curve ? &view : &model->mesh,
                                .topology = &model->topology,
                                .values = &given,
                                .other = other,
                                .before = values->before,
                                .fill = model->fill,
                                .remark = model->remark,
                                .tet_value = fields ? fields->energy : NULL};
    EW_TRY(model_need_usable(model));
    EW_TRY(operation->maps ? model_need_unflowed(model, operation->name) : EW_OK);
    EW_TRY(model->mesh.n_curve ? model_see_curves(model, &view) : EW_OK);
    ew_edit_clear(&model->edit);
    model->remark[0] = 0;
    const double start = ew_seconds();
    ew_status status =
        has_set ? ew_model_list_vertices(model, (int32_t)values->of[vertices].whole, &list) : EW_OK;
    if (!status && protects) {
        status = list_protected(model, &values->of[protect], &keep);
    }
    if (!status) {
        status = use_id_index(model, operation, &given);
    }
    if (!status && n_part) {
        status = list_parts(model, &values->of[parts], &part);
    }
    if (!status) {
        status = list_sets(model, &input, &set);
    }
    if (!status) {
        input.part = part;
        input.vertex = has_set ? &list : NULL;
        input.keep = protects ? &keep : NULL;
        status = operation->queue(&input, &model->edit);
    }
    status = status ? status : model_remark_on_axes(model, operation->name);
    ew_list_free(&list);
    free_parts(part, n_part);
    model_forget_view(&view);
    ew_release(set);
    ew_set_free(&keep);
    model->report.seconds_choose += ew_seconds() - start;
    return status;
}

/* ---- commit -------------------------------------------------------------------- */

/* Regions that the edit brings have a material, if any region has one. */
static ew_status check_new_regions(const ew_model *model)
{
    const ew_edit *edit = &model->edit;
    int32_t last = EW_ALL_REGIONS;
    for (int32_t i = 0; i < edit->n_add_tet && model->n_material; i++) {
        const int32_t label = edit->add_tet_region[i];
        if (label != last && !model_has_material(model, label)) {
            return ew_fail_about(EW_BAD_INPUT, label, -1,
                                 "region %d of the added tets has no material; give it one", label);
        }
        last = label;
    }
    return EW_OK;
}

/* Where most of the mesh is new, tables built from the mesh alone cost less than tables edited row
 * by row; the blocks are built then, too. The line is a rough fit to processor times on boxes and
 * brackets (bench model-whole): editing costs about 4/3 of a build for each added tet and 2/3 for
 * each removed one, over the tets there are. On a device, where what changed is sent in pieces, it
 * costs 8/5 for each added tet and 1/5 for each removed one. */
static bool is_rebuild_cheaper(const ew_model *model)
{
    const int32_t added = model->device ? 8 : 4, removed = model->device ? 1 : 2;
    const int32_t all = model->device ? 5 : 3;
    const ew_change *change = &model->change;
    return added * (int64_t)change->added_tet.n + removed * (int64_t)change->removed_tet.n >
           all * (int64_t)model->mesh.n_live_tet;
}

/* On a device all blocks are built sooner than most of them are gathered one by one. */
static bool is_build_of_blocks_cheaper(const ew_model *model)
{
    const ew_pattern *pattern = &model->topology.pattern;
    const ew_pattern_change *touched = &model->topology.touched;
    return model->device && 8 * ((int64_t)touched->touched_pair.n + touched->touched_row.n) >
                                7 * ((int64_t)pattern->n_live_pair + model->mesh.n_active_vertex);
}

/* Copied blocks nobody used yet are built again sooner than most of them are gathered one by one.
 */
static bool are_copies_useless(const ew_model *model)
{
    return model->stiffness.matrix.is_copied &&
           2 * (int64_t)model->change.moved_tet.n > model->mesh.n_live_tet;
}

/* After vertices moved, where blocks, constraints, loads and ground will be made from all of the
 * mesh: nobody asks what was touched. */
static bool is_list_useless(const ew_model *model)
{
    const ew_change *change = &model->change;
    return !model_matrices_follow(model) && !model->quadratic.is_on &&
           !model->constraints_current && !model->loads_current && !model->ground_current &&
           !change->removed_tet.n && !change->added_tet.n && !change->added_vertex.n &&
           !change->removed_vertex.n;
}

static ew_status update_tables(ew_model *model, bool rebuild)
{
    const double start = ew_seconds();
    if (rebuild) {
        ew_topology fresh = {0};
        EW_TRY(ew_topology_build(&fresh, &model->mesh));
        ew_topology_free(&model->topology);
        model->topology = fresh;
        model_matrices_forget(model);
        model->constraints_current = model->loads_current = model->ground_current = false;
    } else if (is_list_useless(model)) {
        EW_TRY(ew_topology_pass(&model->topology, &model->mesh, &model->change));
    } else {
        EW_TRY(ew_topology_update(&model->topology, &model->mesh, &model->change));
    }
    model->report.seconds_tables += ew_seconds() - start;
    return EW_OK;
}

static ew_status update_boundary(ew_model *model)
{
    const double start = ew_seconds();
    if (model->has_boundary) {
        EW_TRY(
            ew_boundary_update(&model->boundary, &model->mesh, &model->topology, &model->change));
        model_note_boundary(model);
    }
    model->report.seconds_boundary += ew_seconds() - start;
    return EW_OK;
}

/* A failure costs the proof alone: the next solve then checks in full. */
static void update_support(ew_model *model)
{
    const double start = ew_seconds();
    (void)ew_support_update(&model->support, &model->mesh, &model->topology, &model->change);
    model->report.seconds_support += ew_seconds() - start;
}

/* Blocks are recomputed when they are used; a device's copy of the mesh follows at once. */
static ew_status update_blocks(ew_model *model)
{
    if (is_build_of_blocks_cheaper(model)) {
        model_matrices_forget(model);
    }
    if (model->stiffness.matrix.all_dirty) {
        ew_device_mesh_forget(&model->device_mesh);
        ew_device_edges_forget(&model->quadratic.device_edges);
    } else if (model->device) { /* as a build of the blocks counts what it sends */
        const double start = ew_seconds();
        EW_TRY(ew_device_mesh_update(&model->device_mesh, &model->mesh, &model->topology,
                                     &model->change));
        EW_TRY(model_update_device_edges(model, &model->change));
        model->report.seconds_matrix += ew_seconds() - start;
    }
    return model_matrices_touch(model, &model->topology.touched);
}

/* Of what `follow` calls, the parts that have times of their own. */
static double seconds_of_parts(const ew_model_report *report)
{
    return report->seconds_boundary + report->seconds_support + report->seconds_matrix;
}

/* What can still fail has left the model unusable by then. */
static ew_status follow(ew_model *model, ew_status tables, bool rebuilt)
{
    const double start = ew_seconds(), parts = seconds_of_parts(&model->report);
    model_count_lost_fields(model);
    model_follow_fields(model, !tables);
    ew_status status = tables;
    if (!status) {
        status = update_boundary(model);
    }
    if (!status) {
        status = model_count_lost_faces(model);
    }
    model_follow_sets(model);
    if (model->has_boundary) {
        model_follow_face_sets(model, model->boundary.revision == model->mesh.revision);
    }
    model_count_lost_forces(model);
    ew_id_index_update(&model->vertex_ids, &model->mesh, &model->change);
    ew_id_index_update(&model->tet_ids, &model->mesh, &model->change);
    if (!status) {
        status = model_follow_quadratic(model, rebuilt);
    }
    if (!status) {
        model_take_turned(model);
        model_put_turned_edges(model);
        update_support(model);
        status = update_blocks(model);
    }
    if (!status) {
        status = model_follow_surfaces(model);
    }
    if (!status) {
        status = model_follow_loads(model);
    }
    if (!status) {
        model_follow_constraints(model);
        model_follow_ground(model);
        model_follow_dynamics(model);
    }
    model->report.seconds_follow += ew_seconds() - start + parts - seconds_of_parts(&model->report);
    return status;
}

/* The queue is empty again; what it had stays to be read. */
static void put_queue_aside(ew_model *model)
{
    const ew_edit before = model->applied;
    model->applied = model->edit;
    model->edit = before;
    ew_edit_clear(&model->edit);
}

ew_status ew_model_commit(ew_model *model)
{
    EW_TRY(model_need_usable(model));
    EW_TRY(check_new_regions(model));
    EW_TRY(model_bend_queue(model));
    EW_TRY(model_turn_queue(model));
    EW_TRY(model_turn_axes(model));
    EW_TRY(model_turn_vectors(model));
    EW_TRY(model_read_queue_edges(model));
    EW_TRY(model_reserve_fields(model));
    EW_TRY(model_reserve_sets(model));
    EW_TRY(model_find_lost_faces(model));
    const double start = ew_seconds();
    EW_TRY(
        ew_mesh_commit(&model->mesh, &model->edit, &model->topology.vertex_to_tet, &model->change));
    model->report.seconds_commit += ew_seconds() - start;
    model->report.n_commit++;
    if (model->change.to_revision == model->change.from_revision) {
        put_queue_aside(model);
        return EW_OK;
    }
    if (are_copies_useless(model)) {
        model_matrices_forget(model);
    }
    const bool rebuild = is_rebuild_cheaper(model);
    const ew_status status = follow(model, update_tables(model, rebuild), rebuild);
    model->broken = status != EW_OK;
    put_queue_aside(model);
    return status ? ew_fail_prefix(status, "model: after the mesh was edited, to be rebuilt now")
                  : EW_OK;
}

/* ---- components ------------------------------------------------------------------ */

static ew_status queue_components(ew_model *model, const ew_free_component *free, int32_t n_free,
                                  const int32_t *component)
{
    ew_set *chosen = &model->scratch;
    ew_set_clear(chosen);
    for (int32_t i = 0; i < n_free; i++) {
        EW_TRY(ew_set_add(chosen, free[i].component));
    }
    for (int32_t t = 0; t < model->mesh.n_tet; t++) {
        if (component[t] >= 0 && ew_set_has(chosen, component[t])) {
            EW_TRY(ew_edit_remove_tet(&model->edit, t));
        }
    }
    return EW_OK;
}

ew_status ew_model_queue_under_constrained(ew_model *model, int32_t *n)
{
    int32_t *component, n_free = 0;
    ew_free_component *free = NULL;
    EW_TRY(model_need_usable(model));
    EW_TRY(model_update_supports(model));
    EW_TRY(ew_new(&component, (size_t)model->mesh.n_tet, sizeof *component));
    ew_edit_clear(&model->edit);
    ew_status status = ew_support_find_free(&model->support, &model->mesh, &model->topology,
                                            &model->constraints, component, &free, &n_free);
    if (!status && n_free) {
        status = queue_components(model, free, n_free, component);
    }
    *n = n_free;
    ew_release(component);
    ew_release(free);
    return status;
}

/* A body that is free altogether stays, to be told of. */
ew_status ew_model_commit_connected(ew_model *model, int32_t *n)
{
    int32_t n_free;
    *n = 0;
    EW_TRY(ew_model_commit(model));
    for (;;) {
        EW_TRY(ew_model_queue_under_constrained(model, &n_free));
        if (!n_free) {
            return EW_OK;
        }
        if (model->edit.remove_tet.n == model->mesh.n_live_tet) {
            ew_edit_clear(&model->edit);
            return ew_fail(EW_UNDER_CONSTRAINED,
                           "model: no piece of the body is fully constrained; add supports");
        }
        EW_TRY(ew_model_commit(model));
        *n += n_free;
    }
}
