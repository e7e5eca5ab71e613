/* Loads of a model: a list over sets, and the force on each vertex, gathered again where edits
 * touched it. A load's share is taken again when its set or its faces have changed. */
#include "model/internal.h"

#include <math.h>
#include <string.h>

/* ---- lists ------------------------------------------------------------------- */

bool model_load_has_set(const ew_model_load *load)
{
    const int32_t acts_on = ew_load_traits_of(load->kind)->acts_on;
    return (acts_on & ~EW_LOAD_ON_BODY) != 0 && (!(acts_on & EW_LOAD_ON_BODY) || load->set >= 0);
}

/* The kind is one, and its set and its field are such as it takes. */
static ew_status check_entry(const ew_model *model, int32_t place, const ew_model_load *load)
{
    static const int32_t bit[] = {[EW_SET_OF_VERTICES] = EW_LOAD_ON_VERTICES,
                                  [EW_SET_OF_FACES] = EW_LOAD_ON_FACES,
                                  [EW_SET_OF_TETS] = EW_LOAD_ON_TETS};
    static const char *const kinds[] = {"vertices", "faces", "tets"};
    const ew_load_traits *traits = ew_load_traits_of(load->kind);
    if (!traits) {
        return ew_fail(EW_BAD_ARGUMENT, "model: load %d: unknown kind of load", place + 1);
    }
    if (load->kind == EW_LOAD_FORCE_ON_NODES && !load->nodes) {
        return ew_fail(EW_BAD_ARGUMENT, "model: load %d (%s) needs nodes", place + 1, traits->name);
    }
    if (model_load_has_set(load) && (load->set < 0 || load->set >= model->n_set)) {
        return ew_fail(EW_BAD_ARGUMENT, "model: load %d (%s) needs a set, there is no set %d",
                       place + 1, traits->name, load->set);
    }
    if (model_load_has_set(load) && !(traits->acts_on & bit[model->set[load->set].kind])) {
        return ew_fail(EW_BAD_ARGUMENT, "model: load %d (%s) does not act on a set of %s (%d)",
                       place + 1, traits->name, kinds[model->set[load->set].kind], load->set);
    }
    const bool is_field = load->kind == EW_LOAD_FIELD;
    const int32_t width = is_field || load->kind == EW_LOAD_TRACTION ? 3 : 1;
    if (load->field && !is_field && load->kind != EW_LOAD_TRACTION &&
        load->kind != EW_LOAD_PRESSURE && load->kind != EW_LOAD_TEMPERATURE) {
        return ew_fail(EW_BAD_ARGUMENT, "model: load %d (%s) takes no field, it has field %d",
                       place + 1, traits->name, load->field);
    }
    if (load->field < is_field || load->field >= model->n_field ||
        (load->field > 0 &&
         (model->field[load->field].on_tets || model->field[load->field].width != width))) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "model: load %d (%s): field %d is not one on vertices of width %d",
                       place + 1, traits->name, load->field, width);
    }
    if (load->kind == EW_LOAD_TEMPERATURE && load->field > 0 && load->change == 0.0) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "model: load %d (%s) has a field that its change, 0, multiplies; give 1",
                       place + 1, traits->name);
    }
    if (load->kind == EW_LOAD_TEMPERATURE && load->nodes && !load->field) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "model: load %d (%s) has middles of edges, but no field of vertices",
                       place + 1, traits->name);
    }
    return model_check_amplitude(model, "load", place, load->amplitude);
}

static bool has_same_loads(const ew_model *model, int32_t n, const ew_model_load *list)
{
    bool same = n == model->n_load;
    for (int32_t i = 0; i < n && same; i++) {
        same = !memcmp(&list[i], &model->load[i].as, sizeof *list);
    }
    return same;
}

/* A pressure at the place in the list where it was stays in balance as far as it is. */
static void put_entries(ew_model *model, int32_t n, const ew_model_load *list)
{
    for (int32_t i = 0; i < n; i++) {
        model_load *load = &model->load[i];
        const bool stays = i < model->n_load && !memcmp(&load->as, &list[i], sizeof *list);
        const double carried = stays ? load->carried : 0.0;
        *load = (model_load){
            .as = list[i], .thermal_factor = 1.0, .press = carried, .carried = carried};
    }
    model->n_load = n;
}

ew_status ew_model_set_loads(ew_model *model, int32_t n, const ew_model_load *list)
{
    bool by_face = false;
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(check_entry(model, i, &list[i]));
        by_face = by_face || ew_load_traits_of(list[i].kind)->by_face;
    }
    if (has_same_loads(model, n, list)) {
        return EW_OK;
    }
    if (by_face) { /* what an edit takes from them is told by the boundary */
        EW_TRY(ew_model_boundary(model, NULL));
    }
    EW_TRY(ew_grow(&model->load, &model->load_capacity, n, sizeof *model->load));
    EW_TRY(ew_grow(&model->load_line, &model->load_line_capacity, n, sizeof *model->load_line));
    EW_TRY(ew_grow(&model->load_share, &model->load_share_capacity, n, sizeof *model->load_share));
    put_entries(model, n, list);
    model_touch_records(model);
    model_forget_thermal(model);
    model->loads_current = model->groups_current = false;
    model->dynamics.has_changed = true;
    return EW_OK;
}

/* Whether an OWN load may give other forces than those that were gathered: what it reads changed,
 * or no function for it was given. */
static bool has_other_parameters(ew_model *model)
{
    bool other = false;
    for (int32_t i = 0; i < model->n_load; i++) {
        const ew_model_load *as = &model->load[i].as;
        if (as->kind == EW_LOAD_OWN && as->user) {
            const uint64_t now = ew_hash(EW_HASH_START, as->user, as->user_bytes);
            other = other || !as->user_bytes || now != model->load[i].own_hash;
            model->load[i].own_hash = now;
        }
    }
    return other;
}

void model_free_loads(ew_model *model)
{
    ew_release(model->load);
    ew_release(model->load_line);
    ew_release(model->load_share);
    ew_release(model->lost);
    ew_set_free(&model->scratch);
    ew_set_free(&model->stale_load);
    ew_release(model->force.value);
}

/* ---- loads ------------------------------------------------------------------------- */

ew_load model_load_line(const ew_model *model, const ew_model_load *from)
{
    const model_set *set = model_load_has_set(from) ? &model->set[from->set] : NULL;
    const ew_set *member = set ? &set->member.set : NULL;
    ew_load line = {.kind = from->kind,
                    .pressure = from->pressure,
                    .change = from->change,
                    .only_positive = from->only_positive,
                    .axes = from->axes,
                    .value = from->field > 0 ? model->field[from->field].value : NULL,
                    .vertex = set && set->kind == EW_SET_OF_VERTICES ? member : NULL,
                    .face = set && set->kind == EW_SET_OF_FACES ? member : NULL,
                    .tet = set && set->kind == EW_SET_OF_TETS ? member : NULL,
                    .boundary = set && set->kind == EW_SET_OF_FACES ? &model->boundary : NULL,
                    .expression = from->expression,
                    .curves = model->mesh.n_curve ? &model->quadratic.curves : NULL,
                    .nodes = from->nodes,
                    .own = from->own,
                    .user = from->user};
    memcpy(line.vector, from->vector, sizeof line.vector);
    memcpy(line.gradient, from->gradient, sizeof line.gradient);
    memcpy(line.point, from->point, sizeof line.point);
    memcpy(line.axis, from->axis, sizeof line.axis);
    return line;
}

/* The loads whose sets have members. all: their shares are taken again, too. *place: the load that
 * failed. */
static ew_status make_lines(ew_model *model, bool all, int32_t *place)
{
    model->n_load_line = 0;
    for (int32_t i = 0; i < model->n_load; i++) {
        model_load *load = &model->load[i];
        bool usable = true;
        *place = i;
        if (model_load_has_set(&load->as)) {
            EW_TRY(model_require_members(model, load->as.set, &usable));
        }
        if (!usable) {
            load->share_current = false;
            continue;
        }
        ew_load *line = &model->load_line[model->n_load_line];
        *line = model_load_line(model, &load->as);
        if (all || !load->share_current) {
            EW_TRY(ew_load_find_share(&model->mesh, &model->topology, &model->materials, line, i,
                                      &load->share));
            load->share_current = true;
        }
        model->load_share[model->n_load_line++] = load->share;
    }
    *place = -1;
    return EW_OK;
}

/* An expression has no value at every place that an edit may bring: the load says which. */
static ew_status check_expressions(ew_model *model, const ew_list *vertex, int32_t *place)
{
    bool finite = true;
    for (int32_t i = 0; i < vertex->n; i++) {
        const double *f = model->force.value + 3 * (size_t)vertex->id[i];
        finite = finite && isfinite(f[0] + f[1] + f[2]);
    }
    for (int32_t i = 0; i < model->n_load && !finite; i++) {
        if (model->load[i].as.expression) {
            const ew_load line = model_load_line(model, &model->load[i].as);
            *place = i;
            EW_TRY(ew_load_find_share(&model->mesh, &model->topology, &model->materials, &line, i,
                                      &model->load[i].share));
        }
    }
    *place = -1;
    return EW_OK;
}

/* In the memory of load_groups.c. */
ew_status model_list_forces(ew_model *model, int32_t *n, const ew_load **line,
                            const ew_load_share **share)
{
    *n = model->n_load_line;
    *line = model->load_line;
    *share = model->load_share;
    if (!model_has_thermal_strain(model) && !model_has_follower(model)) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&model->group_line, &model->group_line_capacity, *n, sizeof **line));
    EW_TRY(ew_grow(&model->group_share, &model->group_share_capacity, *n, sizeof **share));
    *n = 0;
    for (int32_t i = 0, at = 0; i < model->n_load; i++) {
        const ew_model_load *as = &model->load[i].as;
        if (!model->load[i].share_current) {
            continue;
        }
        if (as->kind != EW_LOAD_TEMPERATURE && !model_load_follows(model, as)) {
            model->group_line[*n] = model->load_line[at];
            model->group_share[(*n)++] = model->load_share[at];
        }
        at++;
    }
    *line = model->group_line;
    *share = model->group_share;
    return EW_OK;
}

static ew_status update_loads(ew_model *model, int32_t *place)
{
    const bool other = has_other_parameters(model), all = other || !model->loads_current;
    const ew_load *line;
    const ew_load_share *share;
    int32_t n;
    if (all || model->stale_load.list.n) {
        model_forget_thermal(model);
    }
    model->loads_current = false; /* unless all goes well */
    if (all) {
        model_forget_row_changes(model);
    } else {
        model_note_rows(model, &model->stale_load.list);
    }
    EW_TRY(make_lines(model, all, place));
    EW_TRY(model_reserve_vector(model, &model->force));
    EW_TRY(model_list_forces(model, &n, &line, &share));
    EW_TRY(ew_loads_gather(&model->mesh, &model->topology, &model->materials, n, line, share,
                           all ? NULL : &model->stale_load.list, model->force.value));
    EW_TRY(all ? EW_OK : check_expressions(model, &model->stale_load.list, place));
    EW_TRY(model_follow_edge_loads(model, all));
    EW_TRY(model_update_load_groups(model, all ? NULL : &model->stale_load.list));
    model->loads_current = true;
    ew_set_clear(&model->stale_load);
    return EW_OK;
}

ew_status model_update_loads(ew_model *model)
{
    int32_t place;
    return update_loads(model, &place);
}

ew_status ew_model_update_loads(ew_model *model, int32_t *place)
{
    *place = -1;
    EW_TRY(model_need_usable(model));
    EW_TRY(model_assign_materials(model));
    const double start = ew_seconds();
    const ew_status status = update_loads(model, place);
    model->report.seconds_loads += ew_seconds() - start;
    return status;
}

ew_status ew_model_load_resultant(const ew_model *model, int32_t place, double force[3],
                                  double moment[3])
{
    EW_TRY(model_need_usable(model));
    if (place < 0 || place >= model->n_load) {
        return ew_fail(EW_BAD_ARGUMENT, "model: there is no load %d of %d", place + 1,
                       model->n_load);
    }
    if (!model->loads_current || model->stale_load.list.n) {
        return ew_fail(EW_STALE, "model: the loads are not those of the mesh; update them first");
    }
    const model_load *load = &model->load[place];
    memset(force, 0, 3 * sizeof *force);
    memset(moment, 0, 3 * sizeof *moment);
    if (load->share_current) {
        const ew_load line = model_load_line(model, &load->as);
        ew_load_resultant(&model->mesh, &model->topology, &model->materials, &line, &load->share,
                          force, moment);
    }
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

/* Whether an added tet may lie in a region without a constant that a load needs. */
static bool has_tet_without(const ew_model *model, bool (*has)(const ew_material *material))
{
    const ew_list *added = &model->change.added_tet;
    for (int32_t i = 0; i < added->n; i++) {
        const int32_t region = model->mesh.region[added->id[i]];
        if (region >= model->materials.n || !has(model->materials.material + region)) {
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

/* Whether the share of a load that depends on its whole set may be another one. Of a face that is
 * kept between the same vertices, the tet behind it may list them in another order. */
static bool has_other_share(const ew_model *model, const model_set *set,
                            const ew_load_traits *traits)
{
    const ew_list *row = &model->topology.touched.touched_row;
    if (set->kind == EW_SET_OF_FACES) {
        return set->has_other_members || has_moved_face(model, set) ||
               touches(&set->member.set, &model->boundary.kept);
    }
    return set->has_other_members || (traits->by_face && touches(&set->member.set, row));
}

static ew_status follow_share(ew_model *model, model_load *load)
{
    const ew_load_kind kind = load->as.kind;
    const ew_load_traits *traits = ew_load_traits_of(kind);
    const model_set *set = model_load_has_set(&load->as) ? &model->set[load->as.set] : NULL;
    bool current = load->share_current;
    if (kind == EW_LOAD_GRAVITY || kind == EW_LOAD_CENTRIFUGAL || kind == EW_LOAD_TEMPERATURE) {
        current = current &&
                  !has_tet_without(model, kind == EW_LOAD_TEMPERATURE ? ew_material_has_expansion
                                                                      : ew_material_has_density);
    } else if (traits->is_whole && has_other_share(model, set, traits)) {
        load->share_current = false;
        return mark_members(model, set);
    } else if (traits->by_face && set->kind == EW_SET_OF_VERTICES) { /* its faces may be gone */
        current = current && !touches(&set->member.set, &model->topology.touched.touched_row);
    }
    load->share_current = current;
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
