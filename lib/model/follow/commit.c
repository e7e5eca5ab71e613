/* The commit of a model: the queue is applied, and everything that depends on the mesh is brought
 * along where it was touched. */
#include "model/matrices/place.h"

/* Regions that the edit brings have a material, if any region has one. */
static ew_status check_new_regions(ew_model *model)
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
 * by row; the blocks are built then, too. */
static bool is_rebuild_cheaper(const ew_model *model)
{
    const model_place *at = model_place_of(model);
    const ew_change *change = &model->change;
    return at->added_cost * (int64_t)change->added_tet.n +
               at->removed_cost * (int64_t)change->removed_tet.n >
           at->table_cost * (int64_t)model->mesh.n_live_tet;
}

static bool is_build_of_blocks_cheaper(const ew_model *model)
{
    const model_place *at = model_place_of(model);
    const ew_pattern *pattern = &model->topology.pattern;
    const ew_pattern_change *touched = &model->topology.touched;
    return at->touched_cost * ((int64_t)touched->touched_pair.n + touched->touched_row.n) >
           at->block_cost * ((int64_t)pattern->n_live_pair + model->mesh.n_active_vertex);
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
    return !model_matrices_follow(model) && !model_keeps_edge_rows(model) &&
           !model->constraints_current && !model->loads_current && !model->ground_current &&
           !change->removed_tet.n && !change->added_tet.n && !change->added_vertex.n &&
           !change->removed_vertex.n;
}

static ew_status update_tables(ew_model *model)
{
    const double start = ew_seconds();
    model->has_new_tables = is_rebuild_cheaper(model);
    if (model->has_new_tables) {
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
    } else {
        EW_TRY(model_place_of(model)->follow(model));
    }
    return model_matrices_touch(model, &model->topology.touched);
}

/* Of what `follow` calls, the parts that have times of their own. */
static double seconds_of_parts(const ew_model_report *report)
{
    return report->seconds_tables + report->seconds_boundary + report->seconds_support +
           report->seconds_matrix;
}

/* ---- followers --------------------------------------------------------------------- */

/* Calls before the mesh is edited: each may refuse the queue, and makes room for what follows. */
static ew_status (*const prepare[])(ew_model *) = {check_new_regions,       model_bend_queue,
                                                   model_transform_queue,   model_transform_axes,
                                                   model_transform_vectors, model_read_queue_edges,
                                                   model_reserve_fields,    model_reserve_sets,
                                                   model_find_lost_faces};

static void follow_fields(ew_model *model)
{
    model_follow_fields(model, model->topology.pattern.revision == model->mesh.revision);
}

static ew_status follow_boundary(ew_model *model)
{
    EW_TRY(update_boundary(model));
    return model_count_lost_faces(model);
}

static void follow_sets(ew_model *model)
{
    model_follow_sets(model);
    if (model->has_boundary) {
        model_follow_face_sets(model, model->boundary.revision == model->mesh.revision);
    }
    model_count_lost_forces(model);
}

static void follow_ids(ew_model *model)
{
    ew_id_index_update(&model->vertex_ids, &model->mesh, &model->change);
    ew_id_index_update(&model->tet_ids, &model->mesh, &model->change);
}

static ew_status follow_edges(ew_model *model)
{
    EW_TRY(model_follow_quadratic(model, model->has_new_tables));
    model_follow_curves(model);
    model_put_transformed_edges(model);
    return EW_OK;
}

static ew_status follow_blocks(ew_model *model)
{
    update_support(model);
    return update_blocks(model);
}

static ew_status follow_supports(ew_model *model)
{
    model_follow_constraints(model);
    model_follow_ground(model);
    model_follow_dynamics(model);
    return EW_OK;
}

/* Functions that follow the mesh, in this order. After a failure those that cannot fail are still
 * called: they need no tables, and a model that is rebuilt keeps what they brought along. */
static const struct follower {
    void (*always)(ew_model *model);
    ew_status (*unless_failed)(ew_model *model);
} followers[] = {{.always = model_count_lost_fields},
                 {.always = follow_fields},
                 {.always = model_follow_recovery},
                 {.unless_failed = follow_boundary},
                 {.always = follow_sets},
                 {.always = follow_ids},
                 {.unless_failed = follow_edges},
                 {.unless_failed = follow_blocks},
                 {.unless_failed = model_follow_surfaces},
                 {.unless_failed = model_follow_loads},
                 {.unless_failed = follow_supports}};

/* A failure leaves the model unusable. */
static ew_status follow(ew_model *model)
{
    if (are_copies_useless(model)) {
        model_matrices_forget(model);
    }
    const double start = ew_seconds(), parts = seconds_of_parts(&model->report);
    ew_status status = update_tables(model);
    for (size_t i = 0; i < sizeof followers / sizeof *followers; i++) {
        if (followers[i].always) {
            followers[i].always(model);
        } else {
            status = status ? status : followers[i].unless_failed(model);
        }
    }
    model->report.seconds_follow += ew_seconds() - start + parts - seconds_of_parts(&model->report);
    model->broken = status != EW_OK;
    return status ? ew_fail_prefix(status, "model: after the mesh was edited, to be rebuilt now")
                  : EW_OK;
}

static ew_status commit_mesh(ew_model *model)
{
    const double start = ew_seconds();
    EW_TRY(model_queue_curves(model));
    EW_TRY(
        ew_mesh_commit(&model->mesh, &model->edit, &model->topology.vertex_to_tet, &model->change));
    model->report.seconds_commit += ew_seconds() - start;
    model->report.n_commit++;
    return EW_OK;
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
    for (size_t i = 0; i < sizeof prepare / sizeof *prepare; i++) {
        EW_TRY(prepare[i](model));
    }
    const int32_t n_curve = model->edit.n_curve; /* without those that follow from the others */
    ew_status status = commit_mesh(model);
    const bool is_refused = status != EW_OK;
    if (!is_refused && model->change.to_revision != model->change.from_revision) {
        status = follow(model);
    }
    model->edit.n_curve = n_curve;
    if (!is_refused) {
        put_queue_aside(model);
    }
    return status;
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
