/* Springs of a model, and what the matrix gets beside the tets: a list over sets, and per vertex
 * what it comes to, brought up to date where edits touched it. Rows where it changes are touched
 * rows of the matrix. */
#include "model/internal.h"

#include <string.h>

/* ---- lists ------------------------------------------------------------------- */

static bool has_same_springs(const ew_model *model, int32_t n, const ew_model_spring *list)
{
    bool same = n == model->n_spring;
    for (int32_t i = 0; i < n && same; i++) {
        same = !memcmp(&list[i], &model->spring[i].as, sizeof *list);
    }
    return same;
}

static ew_status check_field(const ew_model *model, const ew_model_spring *one, int32_t place)
{
    const int32_t f = one->field;
    if (f && (one->kind != EW_SPRING_EACH || f < 0 || f >= model->n_field ||
              model->field[f].on_tets || model->field[f].width != 3)) {
        return ew_fail_about(
            EW_BAD_ARGUMENT, place, -1,
            "model: spring %d: field %d is no field on vertices of width 3, or the "
            "spring is not one at each vertex",
            place + 1, f);
    }
    return EW_OK;
}

ew_status ew_model_set_springs(ew_model *model, int32_t n, const ew_model_spring *list)
{
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(model_check_set_number(model, "spring", i, list[i].set));
        if (list[i].kind == EW_SPRING_EACH && model->set[list[i].set].kind == EW_SET_OF_FACES) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "model: spring %d, at each vertex, needs a set of vertices; use a total "
                           "or a foundation on faces",
                           i + 1);
        }
    }
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(check_field(model, &list[i], i));
    }
    if (has_same_springs(model, n, list)) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&model->spring, &model->spring_capacity, n, sizeof *model->spring));
    EW_TRY(
        ew_grow(&model->spring_line, &model->spring_line_capacity, n, sizeof *model->spring_line));
    EW_TRY(ew_grow(&model->spring_share, &model->spring_share_capacity, n,
                   sizeof *model->spring_share));
    for (int32_t i = 0; i < n; i++) {
        model->spring[i] = (model_spring){.as = list[i]};
    }
    model->n_spring = n;
    model->ground_current = false;
    model->spring_revision++;
    return EW_OK;
}

void model_free_springs(ew_model *model)
{
    ew_release(model->spring);
    ew_release(model->spring_line);
    ew_release(model->spring_share);
    ew_release(model->spring_stiffness);
    ew_release(model->ground);
    ew_set_free(&model->stale_ground);
    ew_pattern_change_free(&model->ground_change);
}

ew_status model_make_spring_lines(ew_model *model, bool all, int32_t *n)
{
    *n = 0;
    for (int32_t i = 0; i < model->n_spring; i++) {
        model_spring *spring = &model->spring[i];
        const model_set *set = &model->set[spring->as.set];
        const bool faces = set->kind == EW_SET_OF_FACES;
        bool usable;
        EW_TRY(model_require_members(model, spring->as.set, &usable));
        if (!usable) {
            spring->share_current = false;
            continue;
        }
        ew_spring *line = &model->spring_line[*n];
        *line = (ew_spring){.kind = spring->as.kind,
                            .axes = spring->as.axes,
                            .value = spring->as.field ? model->field[spring->as.field].value : NULL,
                            .vertex = faces ? NULL : &set->member.set,
                            .face = faces ? &set->member.set : NULL,
                            .boundary = faces ? &model->boundary : NULL,
                            .curves = model->mesh.n_curve ? &model->quadratic.curves : NULL};
        memcpy(line->stiffness, spring->as.stiffness, sizeof line->stiffness);
        if (all || !spring->share_current) {
            EW_TRY(ew_spring_share(&model->mesh, &model->topology, line, i, &spring->share));
            spring->share_current = true;
        }
        model->spring_share[(*n)++] = spring->share;
    }
    return EW_OK;
}

/* ---- the ground ---------------------------------------------------------------- */

static bool needs_ground(const ew_model *model)
{
    return model->n_spring > 0 || model_is_oblique(model, false);
}

static ew_status reserve(double **array, int32_t *capacity, int32_t n)
{
    const int32_t before = *capacity;
    EW_TRY(ew_grow(array, capacity, n, 6 * sizeof **array));
    memset(*array + 6 * (size_t)before, 0, 6 * sizeof **array * (size_t)(*capacity - before));
    return EW_OK;
}

/* One vertex; it is listed where the matrix gets something else. */
static ew_status update_vertex(ew_model *model, int32_t n_line, int32_t v)
{
    const ew_list only = {.n = 1, .capacity = 1, .id = &v};
    double before[6], *now = model->ground + 6 * (size_t)v;
    memcpy(before, now, sizeof before);
    EW_TRY(ew_springs_gather(&model->mesh, &model->topology, n_line, model->spring_line,
                             model->spring_share, &only, model->spring_stiffness));
    EW_TRY(ew_ground_gather(&model->mesh, &model->topology, &model->materials, &model->constraints,
                            &only, model->ground));
    return memcmp(before, now, sizeof before) ? ew_list_push(&model->ground_change.touched_row, v)
                                              : EW_OK;
}

/* The rows that changed are touched rows of a change that leads nowhere else. */
static ew_status touch_rows(ew_model *model)
{
    ew_pattern_change *change = &model->ground_change;
    change->from_revision = change->to_revision = model->mesh.revision;
    return change->touched_row.n ? model_matrices_touch(model, change) : EW_OK;
}

static ew_status update_all(ew_model *model, bool all)
{
    const ew_list *stale = &model->stale_ground.list;
    const int32_t n = all ? model->mesh.n_vertex : stale->n;
    int32_t n_line;
    EW_TRY(model_make_spring_lines(model, all, &n_line));
    EW_TRY(
        reserve(&model->spring_stiffness, &model->spring_stiffness_capacity, model->mesh.n_vertex));
    EW_TRY(reserve(&model->ground, &model->ground_capacity, model->mesh.n_vertex));
    model->constraints.spring = model->n_spring ? model->spring_stiffness : NULL;
    model->ground_change.touched_row.n = 0;
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(update_vertex(model, n_line, all ? i : stale->id[i]));
    }
    EW_TRY(touch_rows(model));
    return model_update_face_ground(model, n_line, n > 0);
}

ew_status model_update_supports(ew_model *model)
{
    EW_TRY(model_update_constraints(model));
    EW_TRY(model_update_equations(model));
    if (!needs_ground(model) && !model->has_ground) {
        return EW_OK;
    }
    EW_TRY(model_assign_materials(model));
    const bool all = !model->ground_current || !model->has_ground;
    model->ground_current = false; /* unless all goes well */
    if (all || model->stale_ground.list.n) {
        model->dynamics.square = model->dynamics.largest = -1.0;
    }
    model->has_ground = true;
    const ew_status status = update_all(model, all);
    if (status) { /* what changed was not told to the matrices */
        model_matrices_forget(model);
    }
    model->ground_current = !status;
    model->ground_revision = status ? 0 : model->mesh.revision;
    model->has_ground = status || needs_ground(model);
    ew_set_clear(&model->stale_ground);
    return status;
}

static bool has_local_supports(const ew_model *model)
{
    bool any = model->n_spring > 0 || model->has_ground;
    for (int32_t i = 0; i < model->n_constraint && !any; i++) {
        any = model->constraint[i].axes.kind != EW_AXES_GLOBAL;
    }
    return any;
}

ew_status model_ground_again(ew_model *model, const ew_topology *topology, double **ground)
{
    const size_t n = 6 * (size_t)model->mesh.n_vertex;
    ew_constraints constraints = model->constraints;
    double *spring = NULL, *made = NULL;
    int32_t n_line;
    ew_status status;
    EW_TRY_OUT(model_make_spring_lines(model, true, &n_line));
    EW_TRY_OUT(ew_new(&spring, n, sizeof *spring));
    EW_TRY_OUT(ew_new(&made, n, sizeof *made));
    EW_TRY_OUT(ew_springs_gather(&model->mesh, topology, n_line, model->spring_line,
                                 model->spring_share, NULL, spring));
    constraints.spring = spring;
    EW_TRY_OUT(
        ew_ground_gather(&model->mesh, topology, &model->materials, &constraints, NULL, made));
    *ground = made;
    made = NULL;
out:
    ew_release(spring);
    ew_release(made);
    return status;
}

/* ---- following a commit ------------------------------------------------------- */

static ew_status add_all(ew_set *set, const ew_list *list)
{
    for (int32_t i = 0; i < list->n; i++) {
        EW_TRY(ew_set_add(set, list->id[i]));
    }
    return EW_OK;
}

/* All members carry another share. */
static ew_status mark_members(ew_model *model, const model_set *set)
{
    const ew_list *member = &set->member.set.list;
    if (set->kind == EW_SET_OF_VERTICES) {
        return add_all(&model->stale_ground, member);
    }
    for (int32_t i = 0; i < 3 * member->n; i++) {
        const int32_t code = model->boundary.code[member->id[i / 3]];
        const int32_t *tet = model->mesh.tet + 4 * (size_t)(code / 4);
        EW_TRY(ew_set_add(&model->stale_ground, tet[ew_face_vertex[code % 4][i % 3]]));
    }
    return EW_OK;
}

/* Of a face that is kept between the same vertices, the tet behind it may list them in another
 * order, and its area have other last bits. */
static bool has_kept_face(const ew_model *model, const model_set *set)
{
    const ew_list *kept = &model->boundary.kept;
    bool found = false;
    for (int32_t i = 0; i < kept->n && !found; i++) {
        found = ew_set_has(&set->member.set, kept->id[i]);
    }
    return found;
}

static bool has_moved_face(const ew_model *model, const model_set *set)
{
    const ew_list *moved = &model->change.moved_tet;
    bool found = false;
    for (int32_t i = 0; i < 4 * moved->n && !found; i++) {
        const int32_t code = 4 * moved->id[i / 4] + i % 4;
        found = ew_set_has(&set->member.set, ew_boundary_find(&model->boundary, code));
    }
    return found;
}

/* A total is shared again; a foundation may have lost its last face. */
static ew_status follow_share(ew_model *model, model_spring *spring)
{
    const model_set *set = &model->set[spring->as.set];
    const bool faces = set->kind == EW_SET_OF_FACES;
    const ew_list *touched = &model->topology.touched.touched_row;
    if (spring->as.kind == EW_SPRING_TOTAL &&
        (set->has_other_members ||
         (faces && (has_moved_face(model, set) || has_kept_face(model, set))))) {
        spring->share_current = false;
        return mark_members(model, set);
    }
    for (int32_t i = 0; i < touched->n && spring->as.kind == EW_SPRING_FOUNDATION && !faces &&
                        spring->share_current;
         i++) {
        spring->share_current = !ew_set_has(&set->member.set, touched->id[i]);
    }
    return EW_OK;
}

static ew_status follow(ew_model *model)
{
    const ew_change *change = &model->change;
    const ew_list *const list[] = {&model->topology.touched.touched_row,
                                   &change->added_vertex,
                                   &change->emptied_vertex,
                                   &change->filled_vertex,
                                   &change->removed_vertex,
                                   &model->touched_vertex.list};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        EW_TRY(add_all(&model->stale_ground, list[i]));
    }
    for (int32_t i = 0; i < model->n_spring; i++) {
        EW_TRY(follow_share(model, &model->spring[i]));
    }
    return EW_OK;
}

void model_follow_ground(ew_model *model)
{
    model->ground_current = model->ground_current && model->constraints_current &&
                            (!model->has_ground || follow(model) == EW_OK);
}

ew_status model_update_supports_of_matrix(ew_model *model)
{
    const double start = ew_seconds();
    EW_TRY(has_local_supports(model) ? model_update_supports(model) : EW_OK);
    model->report.seconds_loads += ew_seconds() - start;
    return EW_OK;
}
