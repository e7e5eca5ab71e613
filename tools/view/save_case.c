/* The case that was opened, with what commands changed. In: a played body of a case, and the text
 * of that. Out: the text with other values of parameters, loads, supports, materials and sets, and
 * with the tets that were removed as an edit; all else of it stays as it is. */
#include "save_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tets that were removed ------------------------------------------------------------------ */

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
    qsort(*id, (size_t)n, sizeof **id, view_compare_ids);
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
    status = status ? status : view_put_named_sets(&c);
    status = status ? status : view_put_supports(&c);
    status = status ? status : view_put_loads(&c);
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
