/* Constraints and loads of a model: lists over sets, brought up to date where edits touched them.
 */
#include "model/internal.h"

#include <math.h>
#include <string.h>

/* ---- lists ------------------------------------------------------------------- */

static ew_status check_set_number(const ew_model *model, const char *what, int32_t place,
                                  int32_t set)
{
    return set >= 0 && set < model->n_set && model->set[set].kind != EW_SET_OF_TETS
               ? EW_OK
               : ew_fail(EW_BAD_ARGUMENT, "model: %s %d needs a set of vertices or faces, not %d",
                         what, place + 1, set);
}

ew_status ew_model_set_constraints(ew_model *model, int32_t n, const ew_model_constraint *list)
{
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(check_set_number(model, "constraint", i, list[i].set));
    }
    if (n == model->n_constraint &&
        (!n || !memcmp(list, model->constraint, (size_t)n * sizeof *list))) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&model->constraint, &model->constraint_capacity, n, sizeof *list));
    EW_TRY(
        ew_grow(&model->constraint_line, &model->line_capacity, n, sizeof *model->constraint_line));
    const int32_t before = model->face_vertex_capacity;
    EW_TRY(
        ew_grow(&model->face_vertex, &model->face_vertex_capacity, n, sizeof *model->face_vertex));
    if (model->face_vertex_capacity > before) {
        memset(model->face_vertex + before, 0,
               (size_t)(model->face_vertex_capacity - before) * sizeof *model->face_vertex);
    }
    if (n) {
        memcpy(model->constraint, list, (size_t)n * sizeof *list);
    }
    model->n_constraint = n;
    model->constraints_current = false;
    return EW_OK;
}

static bool needs_set(ew_load_kind kind)
{
    return kind != EW_LOAD_GRAVITY && kind != EW_LOAD_OWN;
}

ew_status ew_model_set_loads(ew_model *model, int32_t n, const ew_model_load *list)
{
    bool on_faces = false;
    for (int32_t i = 0; i < n; i++) {
        if (needs_set(list[i].kind)) {
            EW_TRY(check_set_number(model, "load", i, list[i].set));
        }
        const bool has_faces =
            needs_set(list[i].kind) && model->set[list[i].set].kind == EW_SET_OF_FACES;
        if (list[i].kind == EW_LOAD_FORCE && has_faces) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "model: load %d, a force on each vertex, needs a set of vertices; use a "
                           "total force or a traction on faces",
                           i + 1);
        }
        on_faces = on_faces || list[i].kind == EW_LOAD_PRESSURE || list[i].kind == EW_LOAD_TRACTION;
    }
    if (n == model->n_load && (!n || !memcmp(list, model->load, (size_t)n * sizeof *list))) {
        return EW_OK;
    }
    if (on_faces) { /* what an edit takes from them is told by the boundary */
        EW_TRY(ew_model_boundary(model, NULL));
    }
    EW_TRY(ew_grow(&model->load, &model->load_capacity, n, sizeof *list));
    EW_TRY(ew_grow(&model->load_line, &model->load_line_capacity, n, sizeof *model->load_line));
    if (n) {
        memcpy(model->load, list, (size_t)n * sizeof *list);
    }
    model->n_load = n;
    model->loads_current = false;
    return EW_OK;
}

void ew_model_touch_loads(ew_model *model)
{
    model->loads_current = false;
}

void model_free_loads(ew_model *model)
{
    for (int32_t i = 0; i < model->face_vertex_capacity; i++) {
        ew_set_free(&model->face_vertex[i]);
    }
    ew_release(model->face_vertex);
    ew_release(model->constraint);
    ew_release(model->constraint_line);
    ew_constraints_free(&model->constraints);
    ew_release(model->load);
    ew_release(model->load_line);
    ew_release(model->lost);
    ew_set_free(&model->scratch);
    ew_set_free(&model->stale_load);
    ew_release(model->force);
}

/* Whether the set has members to act on; an error when it should have. */
static ew_status require_members(const ew_model *model, int32_t number, bool *usable)
{
    const model_set *set = &model->set[number];
    *usable = set->n_active > 0;
    if (set->cut_off) {
        return ew_fail(EW_BAD_INPUT, "set '%.60s' was cut off from the boundary; define it again",
                       set->name);
    }
    if (*usable || set->allow_empty) {
        return EW_OK;
    }
    return ew_fail_about(EW_BAD_INPUT, number, -1,
                         "set '%.60s' has no %s%s; change its selection or allow it to be empty",
                         set->name, set->kind == EW_SET_OF_FACES ? "faces" : "vertices",
                         set->had_members ? " left after the edits" : "");
}

/* ---- constraints --------------------------------------------------------------- */

static ew_status collect_face_vertices(const ew_model *model, const model_set *set, ew_set *vertex)
{
    ew_set_clear(vertex);
    for (int32_t i = 0; i < set->member.list.n; i++) {
        const int32_t code = model->boundary.code[set->member.list.id[i]];
        for (int k = 0; k < 3; k++) {
            EW_TRY(ew_set_add(
                vertex,
                model->mesh.tet[4 * (size_t)(code / 4) + (size_t)ew_face_vertex[code % 4][k]]));
        }
    }
    return EW_OK;
}

/* The usable lines; *n of them. */
static ew_status make_lines(ew_model *model, int32_t *n)
{
    *n = 0;
    for (int32_t i = 0; i < model->n_constraint; i++) {
        const ew_model_constraint *from = &model->constraint[i];
        const model_set *set = &model->set[from->set];
        bool usable;
        EW_TRY(require_members(model, from->set, &usable));
        if (!usable) {
            continue;
        }
        ew_constraint *to = &model->constraint_line[(*n)++];
        *to = (ew_constraint){.vertex = &set->member, .fixed = from->fixed};
        memcpy(to->value, from->value, sizeof to->value);
        if (set->kind == EW_SET_OF_FACES) {
            EW_TRY(collect_face_vertices(model, set, &model->face_vertex[i]));
            to->vertex = &model->face_vertex[i];
        }
    }
    return EW_OK;
}

ew_status model_update_constraints(ew_model *model)
{
    int32_t n;
    EW_TRY(make_lines(model, &n));
    if (!model->constraints_current) {
        EW_TRY(ew_constraints_build(&model->constraints, &model->mesh, n, model->constraint_line));
        model->constraints_current = true;
    }
    return EW_OK;
}

/* Vertices whose constraints an edit may have changed. Constraints on faces are built again. */
static ew_status follow_constraints(ew_model *model)
{
    const ew_change *change = &model->change;
    int32_t n;
    for (int32_t i = 0; i < model->n_constraint && model->constraints_current; i++) {
        model->constraints_current =
            model->set[model->constraint[i].set].kind == EW_SET_OF_VERTICES;
    }
    if (!model->constraints_current || make_lines(model, &n)) {
        model->constraints_current = false; /* the next solve says why */
        return EW_OK;
    }
    const ew_list *const list[] = {&change->added_vertex, &change->emptied_vertex,
                                   &change->filled_vertex, &change->removed_vertex};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const ew_status status = ew_constraints_update(&model->constraints, &model->mesh, n,
                                                       model->constraint_line, list[i]);
        model->constraints_current = model->constraints_current && !status;
    }
    return EW_OK;
}

/* ---- loads ------------------------------------------------------------------------- */

ew_status model_update_loads(ew_model *model)
{
    const ew_mesh *mesh = &model->mesh;
    int32_t n = 0;
    for (int32_t i = 0; i < model->n_load; i++) {
        const ew_model_load *from = &model->load[i];
        const model_set *set = needs_set(from->kind) ? &model->set[from->set] : NULL;
        bool usable = true;
        if (set) {
            EW_TRY(require_members(model, from->set, &usable));
        }
        if (!usable) {
            continue;
        }
        const bool faces = set && set->kind == EW_SET_OF_FACES;
        ew_load *to = &model->load_line[n++];
        *to = (ew_load){.kind = from->kind,
                        .pressure = from->pressure,
                        .vertex = set && !faces ? &set->member : NULL,
                        .face = faces ? &set->member : NULL,
                        .boundary = faces ? &model->boundary : NULL,
                        .own = from->own,
                        .user = from->user};
        memcpy(to->vector, from->vector, sizeof to->vector);
    }
    const int32_t before = model->force_capacity;
    EW_TRY(ew_grow(&model->force, &model->force_capacity, mesh->n_vertex, 3 * sizeof(double)));
    memset(model->force + 3 * (size_t)before, 0,
           3 * sizeof(double) * (size_t)(model->force_capacity - before));
    const bool touched_only = model->loads_current;
    model->loads_current = false;
    EW_TRY(ew_loads_assemble(mesh, &model->topology, &model->materials, n, model->load_line,
                             touched_only ? &model->stale_load.list : NULL, model->force));
    model->loads_current = true;
    ew_set_clear(&model->stale_load);
    return EW_OK;
}

/* A total force is shared by its members: when they change, so does every share. */
static ew_status mark_shares(ew_model *model, const ew_model_load *load)
{
    const model_set *set = &model->set[load->set];
    if (set->kind == EW_SET_OF_FACES) {
        model->loads_current = false;
        return EW_OK;
    }
    for (int32_t i = 0; i < set->member.list.n; i++) {
        EW_TRY(ew_set_add(&model->stale_load, set->member.list.id[i]));
    }
    return EW_OK;
}

ew_status model_follow_loads(ew_model *model)
{
    const ew_change *change = &model->change;
    const ew_list *row = &model->topology.touched.touched_row;
    for (int32_t i = 0; i < row->n; i++) {
        EW_TRY(ew_set_add(&model->stale_load, row->id[i]));
    }
    for (int32_t i = 0; i < change->added_vertex.n; i++) {
        EW_TRY(ew_set_add(&model->stale_load, change->added_vertex.id[i]));
    }
    for (int32_t i = 0; i < model->n_load; i++) {
        const ew_model_load *load = &model->load[i];
        if (load->kind != EW_LOAD_TOTAL_FORCE) {
            continue;
        }
        const model_set *set = &model->set[load->set];
        if (set->kind == EW_SET_OF_FACES || set->has_other_members) {
            EW_TRY(mark_shares(model, load));
        }
    }
    return follow_constraints(model);
}

/* ---- losses ------------------------------------------------------------------------ */

/* Force of all loads on a boundary face; false when none acts on it. */
static bool force_on_face(const ew_model *model, int32_t code, int32_t slot, double force[3])
{
    const int32_t *tet = model->mesh.tet + 4 * (size_t)(code / 4);
    double area[3];
    bool any = false;
    ew_face_area_vector(&model->mesh, code, area);
    const double size = sqrt(area[0] * area[0] + area[1] * area[1] + area[2] * area[2]);
    for (int32_t i = 0; i < model->n_load; i++) {
        const ew_model_load *load = &model->load[i];
        if (load->kind != EW_LOAD_PRESSURE && load->kind != EW_LOAD_TRACTION) {
            continue;
        }
        const model_set *set = &model->set[load->set];
        bool acts = set->kind == EW_SET_OF_FACES ? ew_set_has(&set->member, slot) : true;
        for (int k = 0; k < 3 && acts && set->kind == EW_SET_OF_VERTICES; k++) {
            acts = ew_set_has(&set->member, tet[ew_face_vertex[code % 4][k]]);
        }
        for (int c = 0; c < 3 && acts; c++) {
            force[c] +=
                load->kind == EW_LOAD_PRESSURE ? -load->pressure * area[c] : size * load->vector[c];
        }
        any = any || acts;
    }
    return any;
}

static bool has_face_loads(const ew_model *model)
{
    for (int32_t i = 0; i < model->n_load; i++) {
        if (model->load[i].kind == EW_LOAD_PRESSURE || model->load[i].kind == EW_LOAD_TRACTION) {
            return true;
        }
    }
    return false;
}

ew_status model_find_lost_faces(ew_model *model)
{
    const ew_list *gone = &model->edit.remove_tet;
    model->n_lost_face = 0;
    if (!model->has_boundary || !has_face_loads(model)) {
        return EW_OK;
    }
    for (int32_t i = 0; i < gone->n; i++) {
        const int32_t t = gone->id[i];
        if (t < 0 || t >= model->mesh.n_tet || !ew_mesh_tet_is_live(&model->mesh, t)) {
            continue; /* the commit will refuse it */
        }
        for (int32_t code = 4 * t; code < 4 * t + 4; code++) {
            const int32_t slot = ew_boundary_find(&model->boundary, code);
            lost_face face = {.slot = slot};
            if (slot >= 0 && force_on_face(model, code, slot, face.force)) {
                EW_TRY(ew_grow(&model->lost, &model->lost_face_capacity,
                               (int64_t)model->n_lost_face + 1, sizeof face));
                model->lost[model->n_lost_face++] = face;
            }
        }
    }
    return EW_OK;
}

static void lose(ew_model *model, const double force[3])
{
    for (int c = 0; c < 3; c++) {
        model->report.lost_force[c] += force[c];
    }
}

/* A total force stays whole as long as one member is left to carry it. */
void model_count_lost_forces(ew_model *model)
{
    for (int32_t i = 0; i < model->n_load; i++) {
        const ew_model_load *load = &model->load[i];
        const model_set *set = needs_set(load->kind) ? &model->set[load->set] : NULL;
        if (load->kind == EW_LOAD_TOTAL_FORCE && set->n_before && !set->n_active) {
            lose(model, load->vector);
        } else if (load->kind == EW_LOAD_FORCE) {
            const double n = set->n_gone;
            lose(model, (double[3]){n * load->vector[0], n * load->vector[1], n * load->vector[2]});
        }
    }
}

ew_status model_count_lost_faces(ew_model *model)
{
    const ew_boundary *boundary = &model->boundary;
    ew_set *origin = &model->scratch;
    if (!model->n_lost_face) {
        return EW_OK;
    }
    ew_set_clear(origin);
    for (int32_t i = 0; i < boundary->from.n; i++) {
        if (boundary->from.id[i] >= 0) {
            EW_TRY(ew_set_add(origin, boundary->from.id[i]));
        }
    }
    for (int32_t i = 0; i < model->n_lost_face; i++) {
        const int32_t slot = model->lost[i].slot;
        if (boundary->code[slot] < 0 && !ew_set_has(origin, slot)) {
            lose(model, model->lost[i].force);
        }
    }
    return EW_OK;
}
