/* A case that was opened, saved with the present mesh beside it: of tets that were cut, refined or
 * welded, which a case cannot list. In: the played body, the case as an editor. Out: the case with
 * that mesh, and without the edits that led to it; its sets by labels and ids; the mesh with these
 * labels. */
#include "save_case.h"

#include <string.h>

/* ---- what the case is made from ----------------------------------------------------------------
 */

/* Above those of the mesh, and of faces that later edits of the case name. */
static int32_t choose_labels(const ew_mesh *mesh)
{
    enum { ABOVE = 9999 };
    int32_t most = ABOVE;
    for (int32_t f = 0; f < mesh->n_face; f++) {
        most = mesh->face_label[f] > most ? mesh->face_label[f] : most;
    }
    return most + 1;
}

static ew_status check_case(const view_case_change *c)
{
    for (int32_t i = 0; i < c->input->n_material; i++) {
        if (c->input->material[i].axes_array) {
            return ew_fail(EW_BAD_INPUT,
                           "save: the axes of a material are the array '%.60s' of the mesh's file, "
                           "which a saved mesh does not have; undo what was cut or refined",
                           c->input->material[i].axes_array);
        }
    }
    for (int32_t s = 0; s <= c->play->body.step; s++) {
        if (c->input->step[s].remove) {
            return ew_fail(EW_BAD_INPUT, "save: the case removes tets by their energy, which is "
                                         "done again when it runs; undo what was cut or refined");
        }
    }
    return EW_OK;
}

static ew_status name_mesh(const view_case_change *c, const char *mesh_file)
{
    ew_case_entry *made = ew_case_add_text(ew_case_draft_root(c->other), "mesh", mesh_file);
    const int32_t node = ew_case_editor_value(c->editor, EW_CASE_EDITOR_ROOT, "mesh");
    return node ? ew_case_editor_replace(c->editor, node, made)
                : ew_case_editor_add(c->editor, EW_CASE_EDITOR_ROOT, made);
}

/* The default might be another one on the mesh that the edits left. */
static ew_status name_elements(const view_case_change *c)
{
    return c->input->has_order
               ? EW_OK
               : ew_case_editor_add(
                     c->editor, EW_CASE_EDITOR_ROOT,
                     ew_case_add_text(ew_case_draft_root(c->other), "elements",
                                      ew_model_edge_rows(c->model) ? "quadratic" : "linear"));
}

/* Steps before that which is shown have edits alone. */
static void remove_edits(const view_case_change *c)
{
    static const char *const gone[] = {"edit", "sets", "reset"};
    const int32_t list = ew_case_editor_value(c->editor, EW_CASE_EDITOR_ROOT, "steps");
    for (int32_t s = 0; s < c->play->body.step; s++) {
        ew_case_editor_remove(c->editor, ew_case_editor_item(c->editor, list, s));
    }
    for (size_t k = 0; k < sizeof gone / sizeof *gone; k++) {
        const int32_t old = ew_case_editor_value(c->editor, c->at_step, gone[k]);
        if (old) {
            ew_case_editor_remove(c->editor, old);
        }
    }
}

ew_status view_begin_present(view_case_change *c, const char *mesh_file)
{
    EW_TRY(check_case(c));
    c->first_label = choose_labels(ew_model_mesh(c->model));
    c->is_edited = false;
    EW_TRY(name_mesh(c, mesh_file));
    EW_TRY(name_elements(c));
    remove_edits(c);
    return EW_OK;
}

/* ---- sets ---------------------------------------------------------------------------------------
 */

static ew_status put_tets(const view_case_change *c, int32_t set, ew_case_entry *to)
{
    const ew_mesh *mesh = ew_model_mesh(c->model);
    const ew_set *member = ew_model_view_set(c->model, set).member;
    ew_case_add_text(to, "of", "tets");
    ew_case_entry *ids = ew_case_add_list(to, "ids");
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_set_has(member, t) && ew_mesh_tet_is_live(mesh, t)) {
            ew_case_add_integer(ids, NULL, mesh->tet_id[t]);
        }
    }
    return EW_OK;
}

ew_status view_put_present_set(const view_case_change *c, int32_t set, ew_case_entry *to)
{
    const ew_model_set of = ew_model_view_set(c->model, set);
    if (!of.n_active) {
        static const char *const kind[] = {"vertices", "faces", "tets"};
        ew_case_add_truth(to, "allow_empty", true);
        ew_case_add_list(to, "ids");
        ew_case_add_text(to, "of", kind[of.kind]);
        return EW_OK;
    }
    switch (of.kind) {
    case EW_SET_OF_FACES:
        ew_case_add_integer(to, "surface", c->first_label + set);
        return EW_OK;
    case EW_SET_OF_TETS:
        return put_tets(c, set, to);
    default:
        return view_put_vertices(c->model, set, to);
    }
}

/* In place of a selection under `set:` of an item, its name. */
static ew_status name_set(const view_case_change *c, int32_t item, int32_t of_case)
{
    const int32_t node = ew_case_editor_value(c->editor, item, "set");
    if (of_case < 0 || !node || !c->input->set[of_case].is_unnamed) {
        return EW_OK;
    }
    const int32_t set = ew_model_find_set(c->model, c->input->set[of_case].name);
    if (set < 0 || !*c->name[set]) {
        return EW_OK; /* it is found when its step begins */
    }
    ew_case_entry *list = ew_case_add_list(ew_case_draft_root(c->other), "constraints");
    ew_case_entry *made = ew_case_add_text(ew_case_add_mapping(list, NULL), "set", c->name[set]);
    return ew_case_editor_replace(c->editor, node, made);
}

static ew_status name_items(const view_case_change *c, int32_t scope, int32_t n_constraint,
                            const ew_case_constraint *constraint, int32_t n_load,
                            const ew_case_load *load)
{
    const int32_t supports = ew_case_editor_value(c->editor, scope, "constraints"),
                  loads = ew_case_editor_value(c->editor, scope, "loads");
    for (int32_t i = 0; i < n_constraint && supports; i++) {
        EW_TRY(name_set(c, ew_case_editor_item(c->editor, supports, i), constraint[i].set));
    }
    for (int32_t i = 0; i < n_load && loads; i++) {
        EW_TRY(name_set(c, ew_case_editor_item(c->editor, loads, i), load[i].as.set));
    }
    return EW_OK;
}

ew_status view_name_present_sets(view_case_change *c)
{
    const ew_case *in = c->input;
    const int32_t list = ew_case_editor_value(c->editor, EW_CASE_EDITOR_ROOT, "steps");
    EW_TRY(
        name_items(c, EW_CASE_EDITOR_ROOT, in->n_constraint, in->constraint, in->n_load, in->load));
    for (int32_t s = c->play->body.step; s < in->n_step && list; s++) {
        const ew_case_step *step = &in->step[s];
        if (ew_case_stands_beside(step)) {
            continue; /* they stand beside the list */
        }
        EW_TRY(name_items(c, ew_case_editor_item(c->editor, list, s),
                          step->own_constraints ? step->n_constraint : 0, step->constraint,
                          step->own_loads ? step->n_load : 0, step->load));
    }
    return EW_OK;
}

/* ---- the mesh -----------------------------------------------------------------------------------
 */

static ew_status add_triangles(const ew_model *model, int32_t set, int32_t label, ew_mesh *mesh)
{
    ew_list code = {0};
    int32_t capacity[2] = {mesh->face_capacity, mesh->face_capacity};
    ew_status status = ew_model_list_faces(model, set, &code);
    const int64_t n = (int64_t)mesh->n_face + code.n;
    status = status ? status : ew_grow(&mesh->face, &capacity[0], n, 3 * sizeof *mesh->face);
    status =
        status ? status : ew_grow(&mesh->face_label, &capacity[1], n, sizeof *mesh->face_label);
    mesh->face_capacity = capacity[0] < capacity[1] ? capacity[0] : capacity[1];
    for (int32_t i = 0; i < code.n && !status; i++) {
        const int32_t *tet = mesh->tet + 4 * (size_t)(code.id[i] / 4);
        for (int k = 0; k < 3; k++) {
            mesh->face[3 * (size_t)mesh->n_face + (size_t)k] =
                tet[ew_face_vertex[code.id[i] % 4][k]];
        }
        mesh->face_label[mesh->n_face++] = label;
    }
    ew_list_free(&code);
    return status;
}

ew_status view_copy_present_mesh(const view_case_change *c, ew_mesh *mesh)
{
    EW_TRY(ew_mesh_copy(mesh, ew_model_mesh(c->model)));
    for (int32_t s = 0; s < ew_model_n_set(c->model); s++) {
        const ew_model_set set = ew_model_view_set(c->model, s);
        if (*c->name[s] && set.kind == EW_SET_OF_FACES && set.n_active) {
            EW_TRY(add_triangles(c->model, s, c->first_label + s, mesh));
        }
    }
    return EW_OK;
}
