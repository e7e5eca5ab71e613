/* Loads of a model: a list over sets, and the force on each vertex, gathered again where edits
 * touched it. A load's share is taken again when its set or its faces have changed. */
#include "model/internal.h"

#include <math.h>
#include <string.h>

/* ---- lists ------------------------------------------------------------------- */

ew_status model_check_set_number(const ew_model *model, const char *what, int32_t place,
                                 int32_t set)
{
    return set >= 0 && set < model->n_set && model->set[set].kind != EW_SET_OF_TETS
               ? EW_OK
               : ew_fail(EW_BAD_ARGUMENT, "model: %s %d needs a set of vertices or faces, not %d",
                         what, place + 1, set);
}

static bool needs_set(ew_load_kind kind)
{
    return kind != EW_LOAD_GRAVITY && kind != EW_LOAD_OWN;
}

static bool has_same_loads(const ew_model *model, int32_t n, const ew_model_load *list)
{
    bool same = n == model->n_load;
    for (int32_t i = 0; i < n && same; i++) {
        same = !memcmp(&list[i], &model->load[i].as, sizeof *list);
    }
    return same;
}

ew_status ew_model_set_loads(ew_model *model, int32_t n, const ew_model_load *list)
{
    bool on_faces = false;
    for (int32_t i = 0; i < n; i++) {
        if (needs_set(list[i].kind)) {
            EW_TRY(model_check_set_number(model, "load", i, list[i].set));
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
    if (has_same_loads(model, n, list)) {
        return EW_OK;
    }
    if (on_faces) { /* what an edit takes from them is told by the boundary */
        EW_TRY(ew_model_boundary(model, NULL));
    }
    EW_TRY(ew_grow(&model->load, &model->load_capacity, n, sizeof *model->load));
    EW_TRY(ew_grow(&model->load_line, &model->load_line_capacity, n, sizeof *model->load_line));
    EW_TRY(ew_grow(&model->load_share, &model->load_share_capacity, n, sizeof *model->load_share));
    for (int32_t i = 0; i < n; i++) {
        model->load[i] = (model_load){.as = list[i]};
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
    ew_release(model->load);
    ew_release(model->load_line);
    ew_release(model->load_share);
    ew_release(model->lost);
    ew_set_free(&model->scratch);
    ew_set_free(&model->stale_load);
    ew_release(model->force);
}

ew_status model_require_members(const ew_model *model, int32_t number, bool *usable)
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

/* ---- loads ------------------------------------------------------------------------- */

static ew_load line_of(const ew_model *model, const ew_model_load *from)
{
    const model_set *set = needs_set(from->kind) ? &model->set[from->set] : NULL;
    const bool faces = set && set->kind == EW_SET_OF_FACES;
    ew_load line = {.kind = from->kind,
                    .pressure = from->pressure,
                    .vertex = set && !faces ? &set->member.set : NULL,
                    .face = faces ? &set->member.set : NULL,
                    .boundary = faces ? &model->boundary : NULL,
                    .own = from->own,
                    .user = from->user};
    memcpy(line.vector, from->vector, sizeof line.vector);
    return line;
}

/* The loads whose sets have members, *n of them. all: their shares are taken again, too. */
static ew_status make_lines(ew_model *model, bool all, int32_t *n)
{
    *n = 0;
    for (int32_t i = 0; i < model->n_load; i++) {
        model_load *load = &model->load[i];
        bool usable = true;
        if (needs_set(load->as.kind)) {
            EW_TRY(model_require_members(model, load->as.set, &usable));
        }
        if (!usable) {
            load->share_current = false;
            continue;
        }
        model->load_line[*n] = line_of(model, &load->as);
        if (all || !load->share_current) {
            EW_TRY(ew_load_share(&model->mesh, &model->topology, &model->materials,
                                 &model->load_line[*n], i, &load->share));
            load->share_current = true;
        }
        model->load_share[(*n)++] = load->share;
    }
    return EW_OK;
}

static ew_status reserve_force(ew_model *model)
{
    const int32_t before = model->force_capacity;
    EW_TRY(
        ew_grow(&model->force, &model->force_capacity, model->mesh.n_vertex, 3 * sizeof(double)));
    memset(model->force + 3 * (size_t)before, 0,
           3 * sizeof(double) * (size_t)(model->force_capacity - before));
    return EW_OK;
}

ew_status model_update_loads(ew_model *model)
{
    const bool all = !model->loads_current;
    int32_t n;
    model->loads_current = false; /* unless all goes well */
    EW_TRY(make_lines(model, all, &n));
    EW_TRY(reserve_force(model));
    EW_TRY(ew_loads_gather(&model->mesh, &model->topology, &model->materials, n, model->load_line,
                           model->load_share, all ? NULL : &model->stale_load.list, model->force));
    model->loads_current = true;
    ew_set_clear(&model->stale_load);
    return EW_OK;
}

/* ---- following a commit ------------------------------------------------------- */

/* All members carry another share. */
static ew_status mark_members(ew_model *model, const model_set *set)
{
    const ew_list *member = &set->member.set.list;
    for (int32_t i = 0; i < member->n; i++) {
        if (set->kind == EW_SET_OF_VERTICES) {
            EW_TRY(ew_set_add(&model->stale_load, member->id[i]));
            continue;
        }
        const int32_t code = model->boundary.code[member->id[i]];
        for (int k = 0; k < 3; k++) {
            EW_TRY(ew_set_add(
                &model->stale_load,
                model->mesh.tet[4 * (size_t)(code / 4) + (size_t)ew_face_vertex[code % 4][k]]));
        }
    }
    return EW_OK;
}

/* Whether a face of the set has a moved vertex. */
static bool has_moved_face(const ew_model *model, const model_set *set)
{
    const ew_list *moved = &model->change.moved_tet;
    for (int32_t i = 0; i < 4 * moved->n; i++) {
        const int32_t code = 4 * moved->id[i / 4] + i % 4;
        if (ew_set_has(&set->member.set, ew_boundary_find(&model->boundary, code))) {
            return true;
        }
    }
    return false;
}

/* Whether an added tet may lie in a region without density. */
static bool has_weightless_tet(const ew_model *model)
{
    const ew_list *added = &model->change.added_tet;
    for (int32_t i = 0; i < added->n; i++) {
        const int32_t region = model->mesh.region[added->id[i]];
        if (region >= model->materials.n || !(model->materials.material[region].density > 0.0)) {
            return true;
        }
    }
    return false;
}

static bool touches(const ew_set *set, const ew_list *list)
{
    for (int32_t i = 0; i < list->n; i++) {
        if (ew_set_has(set, list->id[i])) {
            return true;
        }
    }
    return false;
}

static ew_status follow_share(ew_model *model, model_load *load)
{
    const ew_load_kind kind = load->as.kind;
    const model_set *set = needs_set(kind) ? &model->set[load->as.set] : NULL;
    const bool faces = set && set->kind == EW_SET_OF_FACES;
    if (kind == EW_LOAD_GRAVITY) {
        load->share_current = load->share_current && !has_weightless_tet(model);
    } else if (kind == EW_LOAD_TOTAL_FORCE) {
        if (set->has_other_members || (faces && has_moved_face(model, set))) {
            load->share_current = false;
            return mark_members(model, set);
        }
    } else if (set && !faces && kind != EW_LOAD_FORCE) { /* its faces may be gone */
        load->share_current =
            load->share_current && !touches(&set->member.set, &model->topology.touched.touched_row);
    }
    return EW_OK;
}

ew_status model_follow_loads(ew_model *model)
{
    const ew_list *row = &model->topology.touched.touched_row;
    const ew_list *added = &model->change.added_vertex;
    if (!model->loads_current) {
        return EW_OK;
    }
    for (int32_t i = 0; i < row->n; i++) {
        EW_TRY(ew_set_add(&model->stale_load, row->id[i]));
    }
    for (int32_t i = 0; i < added->n; i++) {
        EW_TRY(ew_set_add(&model->stale_load, added->id[i]));
    }
    for (int32_t i = 0; i < model->n_load; i++) {
        EW_TRY(follow_share(model, &model->load[i]));
    }
    return EW_OK;
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
        const ew_model_load *load = &model->load[i].as;
        if (load->kind != EW_LOAD_PRESSURE && load->kind != EW_LOAD_TRACTION) {
            continue;
        }
        const model_set *set = &model->set[load->set];
        bool acts = set->kind == EW_SET_OF_FACES ? ew_set_has(&set->member.set, slot) : true;
        for (int k = 0; k < 3 && acts && set->kind == EW_SET_OF_VERTICES; k++) {
            acts = ew_set_has(&set->member.set, tet[ew_face_vertex[code % 4][k]]);
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
        if (model->load[i].as.kind == EW_LOAD_PRESSURE ||
            model->load[i].as.kind == EW_LOAD_TRACTION) {
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
        const ew_model_load *load = &model->load[i].as;
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
