/* SOFA scenes (XML, .scn) to cases. In: bytes of a scene, its meshes by a function. Out: a mesh, a
 * case that does what the scene does as far as there are counterparts, and a list of all that is
 * left out or read otherwise. The body is the first one with an elasticity of tets. */
#include "scene/internal.h"

#include <string.h>

ew_scene_def ew_default_scene_def(void)
{
    return (ew_scene_def){
        .scene_name = "scene", .mesh_name = "scene.mesh", .prefix = "", .n_step = 100};
}

void ew_scene_free(ew_scene *scene)
{
    ew_mesh_free(&scene->mesh);
    ew_groups_free(&scene->groups);
    ew_text_free(&scene->text);
    ew_text_free(&scene->notes);
    memset(scene, 0, sizeof *scene);
}

/* ---- what is said --------------------------------------------------------------------- */

static ew_status read_scene(sofa *s, ew_scene *scene)
{
    ew_text text = {0};
    s->elastic = -1;
    for (int32_t i = 0; i < s->tree.n && s->elastic < 0; i++) {
        s->elastic = sofa_is(s, i, sofa_elastic_names) ? i : -1;
    }
    if (s->elastic < 0 || s->tree.element[s->elastic].parent < 0) {
        return ew_fail_at(EW_BAD_INPUT, 1, "no body of tets in the scene: none of %s",
                          sofa_elastic_names);
    }
    s->body = s->tree.element[s->elastic].parent;
    s->is_read[s->elastic] = true;
    EW_TRY(ew_case_draft_create(&s->draft));
    EW_TRY(sofa_read_body(s));
    EW_TRY(sofa_read_constraints(s));
    EW_TRY(sofa_read_forces(s));
    EW_TRY(sofa_read_surfaces(s));
    words_add(&s->notes, "%s", "");
    EW_TRY(sofa_write_case(s, &text));
    *scene = (ew_scene){.mesh = s->mesh,
                        .text = text,
                        .n_note = s->n_note,
                        .notes = {(size_t)s->notes.n, s->notes.text}};
    s->notes.text = NULL;
    memset(&s->mesh, 0, sizeof s->mesh);
    return EW_OK;
}

ew_status ew_scene_read(const char *data, size_t size, const ew_scene_def *def, ew_scene *scene)
{
    sofa s = {.def = def};
    EW_TRY(xml_read(data, size, &s.tree));
    ew_status status = ew_new_zero(&s.is_read, (size_t)s.tree.n, sizeof *s.is_read);
    if (!status) {
        status = read_scene(&s, scene);
    }
    xml_free(&s.tree);
    ew_mesh_free(&s.mesh);
    ew_release(s.is_read);
    ew_release(s.number);
    ew_release(s.notes.text);
    ew_case_draft_free(s.draft);
    return status;
}
