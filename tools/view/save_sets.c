/* Sets that commands made of a case that was opened. In: members of the model. Out: entries of the
 * case, by ids of vertices, or as the mesh beside it has them. */
#include "save_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int view_compare_ids(const void *one, const void *other)
{
    const int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

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
    qsort(id, (size_t)vertex->n, sizeof *id, view_compare_ids);
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
    const char *own = view_name_of_set(c->play, set);
    char *name = c->name[set];
    const int32_t there = find_in_case(c, ew_model_view_set(c->model, set).name);
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

ew_status view_put_named_sets(view_case_change *c)
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
ew_status view_put_use(view_case_change *c, int32_t set, ew_case_entry *to)
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

bool view_is_empty(const view_case_change *c, int32_t set)
{
    return set >= 0 && ew_model_view_set(c->model, set).n_active == 0;
}
