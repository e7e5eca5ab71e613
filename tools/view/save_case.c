/* The case that was opened, with what commands changed. In: a played body of a case, and the text
 * of that. Out: the text with other values of parameters, loads, supports, materials and sets, and
 * with the tets that were removed as an edit; all else of it stays as it is. */
#include "save_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ew_case_step *step_of(const view_case_change *c)
{
    return &c->input->step[c->play->body.step];
}

/* ---- tets that were removed ------------------------------------------------------------------ */

static int compare_ids(const void *one, const void *other)
{
    const int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

/* Ids of the live tets, ascending. */
static ew_status list_live(const ew_mesh *mesh, int64_t **id)
{
    int32_t n = 0;
    EW_TRY(ew_new(id, (size_t)mesh->n_live_tet, sizeof **id));
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            (*id)[n++] = mesh->tet_id[t];
        }
    }
    qsort(*id, (size_t)n, sizeof **id, compare_ids);
    return EW_OK;
}

/* Tets that are gone as an edit; of others, which a case cannot list, the mesh beside it. */
static ew_status put_removed(view_case_change *c, const char *mesh_file)
{
    const view_play *play = c->play;
    const int32_t n_live = ew_model_mesh(c->model)->n_live_tet;
    int64_t *live = NULL;
    int32_t at = 0, n_removed = 0;
    EW_TRY(list_live(ew_model_mesh(c->model), &live));
    for (int32_t i = 0; i < play->n_opened; i++) {
        const bool is_live = at < n_live && live[at] == play->opened_tet[i];
        at += is_live;
        n_removed += !is_live;
    }
    if (at < n_live) {
        ew_release(live);
        return view_begin_present(c, mesh_file);
    }
    if (n_removed) {
        ew_case_entry *edit = ew_case_add_mapping(ew_case_add_list(c->step, "edit"), NULL);
        ew_case_entry *ids = ew_case_add_list(ew_case_add_mapping(edit, "remove"), "ids");
        at = 0;
        for (int32_t i = 0; i < play->n_opened; i++) {
            if (at < n_live && live[at] == play->opened_tet[i]) {
                at++;
            } else {
                ew_case_add_integer(ids, NULL, play->opened_tet[i]);
            }
        }
        c->is_edited = true;
    }
    ew_release(live);
    return EW_OK;
}

static bool has_edits(const view_case_change *c)
{
    bool has = false;
    for (int32_t s = 0; s <= c->play->body.step; s++) {
        has = has || c->input->step[s].n_edit || c->input->step[s].remove;
    }
    return has;
}

/* ---- sets ------------------------------------------------------------------------------------ */

/* The set of the case with the name of a set of the model; -1: a command made that. */
static int32_t find_in_case(const view_case_change *c, const char *name)
{
    for (int32_t i = 0; name && i < c->input->n_set; i++) {
        if (!strcmp(c->input->set[i].name, name)) {
            return i;
        }
    }
    return -1;
}

/* Ids of these vertices, ascending. */
static ew_status put_ids(const ew_mesh *mesh, const ew_list *vertex, ew_case_entry *to)
{
    int64_t *id = NULL;
    EW_TRY(ew_new(&id, (size_t)vertex->n, sizeof *id));
    for (int32_t i = 0; i < vertex->n; i++) {
        id[i] = mesh->vertex_id[vertex->id[i]];
    }
    qsort(id, (size_t)vertex->n, sizeof *id, compare_ids);
    for (int32_t i = 0; i < vertex->n; i++) {
        ew_case_add_integer(to, NULL, id[i]);
    }
    ew_release(id);
    return EW_OK;
}

static void put_corners(const ew_mesh *mesh, int32_t code, ew_case_entry *to)
{
    ew_case_add_text(to, "of", "faces");
    ew_case_entry *ids = ew_case_add_list(to, "ids");
    for (int k = 0; k < 3; k++) {
        const int32_t v = mesh->tet[4 * (size_t)(code / 4) + ew_face_vertex[code % 4][k]];
        ew_case_add_integer(ids, NULL, mesh->vertex_id[v]);
    }
}

/* Faces of the body by their vertices: those whose three are among these, less those between them
 * that are none of the set. */
static ew_status put_faces(const view_case_change *c, int32_t set, ew_case_entry *to)
{
    const ew_mesh *mesh = ew_model_mesh(c->model);
    const ew_boundary *boundary;
    ew_list face = {0}, other = {0};
    ew_set chosen = {0}, corner = {0};
    ew_status status = ew_model_boundary(c->play->body.model, &boundary);
    status = status ? status : ew_model_list_faces(c->model, set, &face);
    for (int32_t i = 0; i < face.n && !status; i++) {
        status = ew_set_add(&chosen, face.id[i]);
        for (int k = 0; k < 3 && !status; k++) {
            const int32_t *tet = mesh->tet + 4 * (size_t)(face.id[i] / 4);
            status = ew_set_add(&corner, tet[ew_face_vertex[face.id[i] % 4][k]]);
        }
    }
    for (int32_t s = 0; !status && s < boundary->n_slot; s++) {
        const int32_t code = boundary->code[s];
        bool among = code >= 0 && !ew_set_has(&chosen, code);
        for (int k = 0; k < 3 && among; k++) {
            const int32_t *tet = mesh->tet + 4 * (size_t)(code / 4);
            among = ew_set_has(&corner, tet[ew_face_vertex[code % 4][k]]);
        }
        status = among ? ew_list_push(&other, code) : EW_OK;
    }
    if (!status) {
        ew_case_entry *list = other.n ? ew_case_add_list(to, "subtract") : NULL;
        ew_case_entry *all = list ? ew_case_add_mapping(list, NULL) : to;
        ew_case_add_text(all, "of", "faces");
        status = put_ids(mesh, &corner.list, ew_case_add_list(all, "ids"));
        for (int32_t i = 0; i < other.n; i++) {
            put_corners(mesh, other.id[i], ew_case_add_mapping(list, NULL));
        }
    }
    ew_list_free(&face);
    ew_list_free(&other);
    ew_set_free(&chosen);
    ew_set_free(&corner);
    return status;
}

static ew_status put_members(const view_case_change *c, int32_t set, ew_case_entry *to)
{
    const ew_set_kind kind = ew_model_view_set(c->model, set).kind;
    if (c->first_label) {
        return view_put_present_set(c, set, to);
    }
    if (kind == EW_SET_OF_TETS) {
        return ew_fail(EW_BAD_INPUT, "save: a set of tets that the window made has no form in a "
                                     "saved case");
    }
    return kind == EW_SET_OF_FACES ? put_faces(c, set, to) : view_put_vertices(c->model, set, to);
}

/* A set that commands made, into the sets of the case, or, where edits come before it, into those
 * of the step; then the case has an empty one, so that its own loads and supports may name it. */
static ew_status put_set(view_case_change *c, int32_t set)
{
    const char *own = ew_model_view_set(c->model, set).name;
    char *name = c->name[set];
    const int32_t there = find_in_case(c, own);
    const bool is_unnamed = there >= 0 && c->input->set[there].is_unnamed;
    const bool keeps_name =
        there >= 0 && (ew_set_has(&c->play->named_sets, set) || (c->first_label && !is_unnamed));
    const char *base = is_unnamed ? "selection" : own && *own && *own != ' ' ? own : "loaded";
    int number = ++c->n_named;
    snprintf(name, sizeof c->name[set], base == own ? "%.70s" : "%.70s 1", base);
    while (!keeps_name && (find_in_case(c, name) >= 0 ||
                           ew_case_find_entry(ew_case_add_mapping(c->root, "sets"), name))) {
        snprintf(name, sizeof c->name[set], "%.60s %d", base, ++number);
    }
    if (c->is_edited && there < 0) {
        ew_case_entry *empty = ew_case_add_mapping(ew_case_add_mapping(c->root, "sets"), name);
        const bool is_faces = ew_model_view_set(c->model, set).kind == EW_SET_OF_FACES;
        ew_case_add_list(empty, "ids");
        ew_case_add_text(empty, "of", is_faces ? "faces" : "vertices");
        ew_case_add_truth(empty, "allow_empty", true);
    }
    ew_case_entry *in = ew_case_add_mapping(c->is_edited ? c->step : c->root, "sets");
    return put_members(c, set, ew_case_add_mapping(in, name));
}

/* All that have a name in the case, where its mesh is another one. */
static ew_status put_present_sets(view_case_change *c)
{
    for (int32_t s = 0; s < ew_model_n_set(c->model); s++) {
        const bool is_of_case = find_in_case(c, ew_model_view_set(c->model, s).name) >= 0;
        EW_TRY(is_of_case || ew_set_has(&c->play->named_sets, s) ? put_set(c, s) : EW_OK);
    }
    return EW_OK;
}

static ew_status put_named_sets(view_case_change *c)
{
    if (c->first_label) {
        return put_present_sets(c);
    }
    for (int32_t i = 0; i < c->play->named_sets.list.n; i++) {
        const int32_t set = c->play->named_sets.list.id[i];
        EW_TRY(ew_model_view_set(c->model, set).n_active ? put_set(c, set) : EW_OK);
    }
    return EW_OK;
}

/* `set:` of a new load or support. */
static ew_status put_use(view_case_change *c, int32_t set, ew_case_entry *to)
{
    const int32_t there = find_in_case(c, ew_model_view_set(c->model, set).name);
    if (there >= 0 && c->input->set[there].is_unnamed && !*c->name[set]) {
        return ew_fail(EW_BAD_INPUT,
                       "save: the case has no name for the set '%s'; name these faces, and take "
                       "that name",
                       c->input->set[there].name);
    }
    if (there < 0 && !*c->name[set]) {
        EW_TRY(put_set(c, set));
    }
    ew_case_add_text(to, "set", *c->name[set] ? c->name[set] : c->input->set[there].name);
    return EW_OK;
}

static bool is_empty(const view_case_change *c, int32_t set)
{
    return set >= 0 && ew_model_view_set(c->model, set).n_active == 0;
}

/* ---- supports and loads ---------------------------------------------------------------------- */

/* The node of the list that the step takes, its own or the case's; 0: there is none. */
static int32_t list_of(const view_case_change *c, const char *key, bool is_own)
{
    return ew_case_editor_value(c->editor, is_own ? c->at_step : EW_CASE_EDITOR_ROOT, key);
}

/* New entries go where those are that the step takes. */
static ew_case_entry *add_item(view_case_change *c, const char *key, bool is_own)
{
    return ew_case_add_mapping(ew_case_add_list(is_own ? c->step : c->root, key), NULL);
}

/* Takes those away that `kept` [n] has none of; places of the file by item, -1: not counted. */
static void remove_others(view_case_change *c, int32_t list, int32_t n_item, const int32_t *place,
                          int32_t n_kept, const int32_t *kept)
{
    for (int32_t i = 0; i < n_item; i++) {
        bool is_kept = place[i] < 0;
        for (int32_t k = 0; k < n_kept && !is_kept; k++) {
            is_kept = kept[k] == place[i];
        }
        if (!is_kept) {
            ew_case_editor_remove(c->editor, ew_case_editor_item(c->editor, list, i));
        }
    }
}

static ew_status put_supports(view_case_change *c)
{
    const view_supports *with = &c->play->supports;
    const ew_case_step *step = step_of(c);
    const bool is_own = step->own_constraints;
    const int32_t n = is_own ? step->n_constraint : c->input->n_constraint;
    const ew_case_constraint *list = is_own ? step->constraint : c->input->constraint;
    int32_t *place, n_counted = 0;
    for (int32_t i = 0; i < with->n_constraint; i++) {
        const ew_model_constraint *from = &with->constraint[i];
        if (with->constraint_of_file[i] >= 0 || is_empty(c, from->set)) {
            continue;
        }
        ew_case_entry *made = add_item(c, "constraints", is_own);
        EW_TRY(put_use(c, from->set, made));
        ew_case_add_components(made, "displacement", from->value, from->fixed);
    }
    EW_TRY(ew_new(&place, (size_t)n, sizeof *place));
    for (int32_t i = 0; i < n; i++) {
        place[i] = list[i].is_spring ? -1 : n_counted++;
    }
    if (n_counted == with->n_of_file[0]) { /* else the step has not begun: all are kept */
        remove_others(c, list_of(c, "constraints", is_own), n, place, with->n_constraint,
                      with->constraint_of_file);
    }
    ew_release(place);
    return EW_OK;
}

/* Another vector of a load of the case. */
static ew_status change_load(view_case_change *c, int32_t node, const ew_model_load *load)
{
    ew_case_entry *scratch =
        ew_case_add_mapping(ew_case_add_list(ew_case_draft_root(c->other), "loads"), NULL);
    const char *key = view_load_key(load);
    const int32_t value = key ? ew_case_editor_value(c->editor, node, key) : 0;
    const int32_t axes = ew_case_editor_value(c->editor, node, "axes");
    if (!value) {
        return ew_fail(EW_BAD_INPUT, "save: a load of this kind cannot be changed in a case");
    }
    if (axes && !ew_load_traits_of(load->kind)->has_axes) { /* now along x, y and z */
        ew_case_editor_remove(c->editor, axes);
    }
    return ew_case_editor_replace(c->editor, value,
                                  load->kind == EW_LOAD_PRESSURE
                                      ? ew_case_add_number(scratch, key, load->pressure)
                                      : ew_case_add_numbers(scratch, key, load->vector, 3));
}

static ew_status put_loads(view_case_change *c)
{
    const view_supports *with = &c->play->supports;
    const ew_case_step *step = step_of(c);
    const bool is_own = step->own_loads;
    const int32_t n = is_own ? step->n_load : c->input->n_load;
    const ew_case_load *list = is_own ? step->load : c->input->load;
    const int32_t node = list_of(c, "loads", is_own);
    int32_t *place;
    const bool has_begun = n == with->n_of_file[1]; /* else all of the file are kept */
    for (int32_t i = 0; i < with->n_load; i++) {
        const ew_model_load *load = &with->load[i];
        const int32_t from = with->load_of_file[i];
        if (from < 0 && !is_empty(c, load->set)) {
            ew_case_entry *made = add_item(c, "loads", is_own);
            EW_TRY(load->set >= 0 ? put_use(c, load->set, made) : EW_OK);
            EW_TRY(view_put_load(load, made));
        } else if (from >= 0 && has_begun &&
                   (memcmp(load->vector, list[from].as.vector, sizeof load->vector) != 0 ||
                    load->pressure != list[from].as.pressure)) {
            EW_TRY(change_load(c, ew_case_editor_item(c->editor, node, from), load));
        }
    }
    EW_TRY(ew_new(&place, (size_t)n, sizeof *place));
    for (int32_t i = 0; i < n; i++) {
        place[i] = i;
    }
    if (has_begun) {
        remove_others(c, node, n, place, with->n_load, with->load_of_file);
    }
    ew_release(place);
    return EW_OK;
}

/* ---- materials and parameters ---------------------------------------------------------------- */

static bool is_same_material(const ew_material *a, const ew_material *b)
{
    return a->kind == b->kind &&
           (a->kind != EW_ISOTROPIC || (a->young == b->young && a->poisson == b->poisson)) &&
           a->density == b->density;
}

/* Numbers of the window in place of those of a material that has such; else it is another one. Of
 * all regions only where all have it. */
static ew_status change_material(view_case_change *c, int32_t i, const ew_material *material,
                                 int32_t label)
{
    static const char *const keys[] = {"young", "poisson", "density"};
    const double value[] = {material->young, material->poisson, material->density};
    const ew_case_material *from = &c->input->material[i];
    const int32_t node = ew_case_editor_value(c->editor, EW_CASE_EDITOR_ROOT, "material");
    const int32_t item = ew_case_editor_item(c->editor, node, i), at = item ? item : node;
    ew_case_entry *made =
        ew_case_add_mapping(ew_case_add_list(ew_case_draft_root(c->other), "material"), NULL);
    if (from->all_regions && ew_model_mesh(c->model)->n_region > 1) {
        return ew_fail(EW_BAD_INPUT,
                       "save: region %d has a material of its own now, and the case has one for "
                       "all regions; give it a list of materials first",
                       (int)label);
    }
    const bool is_kept = from->material.kind == EW_ISOTROPIC && material->kind == EW_ISOTROPIC &&
                         ew_case_editor_value(c->editor, at, "young");
    if (!is_kept && !from->all_regions) {
        ew_case_add_integer(made, "region", label);
    }
    for (int k = 0; k < 3; k++) {
        const int32_t old = ew_case_editor_value(c->editor, at, keys[k]);
        if (!old && value[k] == 0.0 && k == 2) {
            continue;
        }
        ew_case_entry *number = ew_case_add_number(made, keys[k], value[k]);
        if (is_kept) {
            EW_TRY(old ? ew_case_editor_replace(c->editor, old, number)
                       : ew_case_editor_add(c->editor, at, number));
        }
    }
    return is_kept ? EW_OK : ew_case_editor_replace(c->editor, at, made);
}

static ew_status put_materials(view_case_change *c)
{
    const ew_mesh *mesh = ew_model_mesh(c->model);
    const ew_materials *have = ew_model_materials(c->play->body.model);
    for (int32_t r = 0; r < mesh->n_region; r++) {
        for (int32_t i = 0; i < c->input->n_material; i++) {
            const ew_case_material *from = &c->input->material[i];
            const bool is_of_it = from->all_regions || from->region == mesh->region_label[r];
            if (is_of_it && !is_same_material(&from->material, &have->material[r])) {
                EW_TRY(change_material(c, i, &have->material[r], mesh->region_label[r]));
            }
        }
    }
    return EW_OK;
}

static void put_parameters(view_case_change *c)
{
    const view_source *source = c->play->source;
    for (int32_t i = 0; i < source->n_parameter; i++) {
        if (c->play->value[i] != source->parameter[i].value) {
            ew_case_add_number(ew_case_add_mapping(c->root, "parameters"),
                               source->parameter[i].name, c->play->value[i]);
        }
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

static ew_status merge_all(view_case_change *c)
{
    static const char *const keys[] = {"parameters", "sets", "constraints", "loads", "edit"};
    EW_TRY(ew_case_draft_status(c->draft));
    EW_TRY(ew_case_draft_status(c->other));
    if (!c->at_step && (!ew_case_entry_is_empty(c->step) ||
                        view_has_own_steps(c->play))) { /* the one static step, by its name */
        ew_case_add_text(c->step, "name", c->play->step[0].name);
        ew_case_add_mapping(c->step, "static");
        EW_TRY(ew_case_editor_merge(c->editor, EW_CASE_EDITOR_ROOT,
                                    ew_case_find_entry(ew_case_draft_root(c->other), "steps")));
    }
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const ew_case_entry *of_case = ew_case_find_entry(c->root, keys[k]);
        const ew_case_entry *of_step = ew_case_find_entry(c->step, keys[k]);
        EW_TRY(of_case ? ew_case_editor_merge(c->editor, EW_CASE_EDITOR_ROOT, of_case) : EW_OK);
        EW_TRY(of_step && c->at_step ? ew_case_editor_merge(c->editor, c->at_step, of_step)
                                     : EW_OK);
    }
    return EW_OK;
}

static ew_status begin(const view_play *play, view_case_change *c)
{
    const ew_text *text = play->source->text;
    *c = (view_case_change){.play = play, .model = play->body.model, .input = play->body.input};
    EW_TRY(ew_case_editor_open(&c->editor, text->data, text->size));
    EW_TRY(ew_case_draft_create(&c->draft));
    EW_TRY(ew_case_draft_create(&c->other));
    EW_TRY(ew_new_zero(&c->name, (size_t)ew_model_n_set(c->model), sizeof *c->name));
    c->root = ew_case_draft_root(c->draft);
    c->step = ew_case_add_mapping(ew_case_add_list(ew_case_draft_root(c->other), "steps"), NULL);
    c->at_step = ew_case_editor_item(
        c->editor, ew_case_editor_value(c->editor, EW_CASE_EDITOR_ROOT, "steps"), play->body.step);
    c->is_edited = has_edits(c);
    return EW_OK;
}

ew_status view_change_case(const view_play *play, const char *mesh_file, ew_text *text,
                           ew_mesh *mesh)
{
    view_case_change c;
    ew_status status = begin(play, &c);
    status = status ? status : put_removed(&c, mesh_file);
    status = status ? status : put_materials(&c);
    status = status ? status : put_named_sets(&c);
    status = status ? status : put_supports(&c);
    status = status ? status : put_loads(&c);
    status = status ? status
                    : view_change_steps(play, c.editor, c.other,
                                        ew_case_add_list(ew_case_draft_root(c.other), "steps"));
    status = status || !c.first_label ? status : view_name_present_sets(&c);
    status = status || !c.first_label ? status : view_copy_present_mesh(&c, mesh);
    if (!status) {
        put_parameters(&c);
        status = merge_all(&c);
    }
    status = status ? status : ew_case_editor_write(c.editor, text);
    ew_case_editor_free(c.editor);
    ew_case_draft_free(c.draft);
    ew_case_draft_free(c.other);
    ew_release(c.name);
    return status;
}
