/* The body as it is now as a case. In: a played body of a mesh. Out: a mesh whose triangles have
 * the sets' numbers as labels, and a case that names them, which `edgewise run` solves. */
#define _POSIX_C_SOURCE 200809L
#include "case/case.h"
#include "format/parts/format.h"
#include "play.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- the mesh ---------------------------------------------------------------------------------
 */

static bool is_named(const ew_model_set *set)
{
    return set->name && set->name[0] && set->name[0] != ' ';
}

/* Triangles of all named sets with faces in place of those of the file: label s + 1 for set s. */
static ew_status label_sets(const ew_model *model, ew_mesh *mesh)
{
    int32_t n = 0, capacity[2] = {0};
    int32_t *face = NULL, *label = NULL;
    ew_status status = EW_OK;
    for (int32_t s = 0; s < ew_model_n_set(model) && !status; s++) {
        const ew_model_set set = ew_model_view_set(model, s);
        ew_list codes = {0};
        status = is_named(&set) && set.kind == EW_SET_OF_FACES
                     ? ew_model_list_faces(model, s, &codes)
                     : EW_OK;
        status = status ? status : ew_grow(&face, &capacity[0], n + codes.n + 1, 3 * sizeof *face);
        status = status ? status : ew_grow(&label, &capacity[1], n + codes.n + 1, sizeof *label);
        for (int32_t i = 0; i < codes.n && !status; i++) {
            const int32_t *tet = mesh->tet + 4 * (size_t)(codes.id[i] / 4);
            for (int k = 0; k < 3; k++) {
                face[3 * (size_t)n + (size_t)k] = tet[ew_face_vertex[codes.id[i] % 4][k]];
            }
            label[n++] = s + 1;
        }
        ew_list_free(&codes);
    }
    if (status) {
        ew_release(face);
        ew_release(label);
        return status;
    }
    ew_release(mesh->face);
    ew_release(mesh->face_label);
    mesh->face = face;
    mesh->face_label = label;
    mesh->n_face = n;
    mesh->face_capacity = capacity[0] < capacity[1] ? capacity[0] : capacity[1];
    return EW_OK;
}

/* ---- the case ---------------------------------------------------------------------------------
 */

static ew_status put_materials(const view_play *play, ew_case_entry *to)
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    const ew_materials *have = ew_model_materials(play->body.model);
    EW_TRY(have ? EW_OK : ew_last_failure()->status);
    for (int32_t r = 0; r < mesh->n_region; r++) {
        const ew_library_material *of = view_library_of(play, mesh->region_label[r]);
        const ew_material *is = &have->material[r];
        ew_case_entry *made = ew_case_add_mapping(to, NULL);
        ew_case_add_integer(made, "region", mesh->region_label[r]);
        if (of) {
            ew_case_add_text(made, "library", of->name);
            continue;
        }
        ew_case_add_number(made, "young", is->young);
        ew_case_add_number(made, "poisson", is->poisson);
        ew_case_add_number(made, "density", is->density);
    }
    return EW_OK;
}

ew_status view_put_vertices(const ew_model *model, int32_t s, ew_case_entry *to)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_list vertex = {0};
    EW_TRY(ew_model_list_vertices(model, s, &vertex));
    ew_case_add_text(to, "of", "vertices");
    ew_case_entry *ids = ew_case_add_list(to, "ids");
    for (int32_t i = 0; i < vertex.n; i++) {
        ew_case_add_integer(ids, NULL, mesh->vertex_id[vertex.id[i]]);
    }
    ew_list_free(&vertex);
    return EW_OK;
}

static ew_status put_sets(const view_play *play, ew_case_entry *root)
{
    const ew_model *model = play->body.model;
    for (int32_t s = 0; s < ew_model_n_set(model); s++) {
        const ew_model_set set = ew_model_view_set(model, s);
        const char *name = view_name_of_set(play, s);
        if (!is_named(&set) || set.n_active == 0) {
            continue;
        }
        if (set.kind == EW_SET_OF_TETS) {
            return ew_fail(EW_BAD_INPUT, "save: the set '%s' of tets has no form in a saved case",
                           name);
        }
        ew_case_entry *made = ew_case_add_mapping(ew_case_add_mapping(root, "sets"), name);
        ew_case_add_truth(made, "allow_empty", true);
        if (set.kind == EW_SET_OF_FACES) {
            ew_case_add_integer(made, "surface", s + 1);
        } else {
            EW_TRY(view_put_vertices(model, s, made));
        }
    }
    return EW_OK;
}

void view_put_spring(const ew_model_spring *spring, ew_case_entry *to)
{
    static const char *const key[] = {"spring", "total_spring", "foundation"};
    if (spring->kind == EW_SPRING_FOUNDATION) {
        ew_case_entry *foundation = ew_case_add_mapping(to, key[spring->kind]);
        ew_case_add_number(foundation, "normal", spring->stiffness[0]);
        ew_case_add_number(foundation, "tangential", spring->stiffness[1]);
    } else {
        ew_case_add_numbers(to, key[spring->kind], spring->stiffness, 3);
    }
}

static void put_supports(const view_play *play, ew_case_entry *root)
{
    const view_supports *of = &play->supports;
    for (int32_t i = 0; i < of->n_constraint; i++) {
        const ew_model_constraint *from = &of->constraint[i];
        const ew_model_set set = ew_model_view_set(play->body.model, from->set);
        if (set.n_active) {
            ew_case_entry *made = ew_case_add_mapping(ew_case_add_list(root, "constraints"), NULL);
            ew_case_add_text(made, "set", view_name_of_set(play, from->set));
            ew_case_add_components(made, "displacement", from->value, from->fixed);
        }
    }
    for (int32_t i = 0; i < of->n_spring; i++) {
        const ew_model_set set = ew_model_view_set(play->body.model, of->spring[i].set);
        if (set.n_active) {
            ew_case_entry *made = ew_case_add_mapping(ew_case_add_list(root, "constraints"), NULL);
            ew_case_add_text(made, "set", view_name_of_set(play, of->spring[i].set));
            view_put_spring(&of->spring[i], made);
        }
    }
}

const char *view_load_key(const ew_model_load *load)
{
    return load->kind == EW_LOAD_TOTAL_FORCE ? "total_force"
           : load->kind == EW_LOAD_FORCE     ? "force"
                                             : view_load_name(load);
}

ew_status view_put_load(const ew_model_load *load, ew_case_entry *to)
{
    const char *const key = view_load_key(load);
    if (!key) {
        return ew_fail(EW_BAD_INPUT, "save: a load of this kind has no form in a saved case");
    }
    if (load->kind == EW_LOAD_PRESSURE) {
        ew_case_add_number(to, key, load->pressure);
    } else {
        ew_case_add_numbers(to, key, load->vector, 3);
    }
    return EW_OK;
}

/* A set without a name by its vertices. */
static ew_status put_use(const view_play *play, int32_t set, ew_case_entry *to)
{
    const ew_model *model = play->body.model;
    const ew_model_set of = ew_model_view_set(model, set);
    if (!is_named(&of)) {
        return view_put_vertices(model, set, ew_case_add_mapping(to, "set"));
    }
    ew_case_add_text(to, "set", view_name_of_set(play, set));
    return EW_OK;
}

/* Of static steps and motions alone, as a case has it. */
static void put_contact(const view_play *play, ew_case_entry *root)
{
    bool may = ew_model_n_contact(play->body.model) > 0;
    for (int32_t i = 0; i < play->n_step; i++) {
        may = may && (play->step[i].kind == VIEW_STATIC || play->step[i].kind == VIEW_MOTION);
    }
    if (may) {
        ew_case_add_text(root, "contact", "all");
    }
}

static ew_status put_case(const view_play *play, const char *mesh, ew_case_draft *draft)
{
    ew_case_entry *root = ew_case_draft_root(draft);
    ew_case_draft_head(draft, "Saved by edgewise view.");
    ew_case_add_text(root, "mesh", mesh);
    ew_case_add_text(root, "elements",
                     ew_model_edge_rows(play->body.model) ? "quadratic" : "linear");
    if (*play->length_unit && *play->force_unit) {
        ew_case_entry *units = ew_case_add_mapping(root, "units");
        ew_case_add_text(units, "length", play->length_unit);
        ew_case_add_text(units, "force", play->force_unit);
        ew_case_add_text(units, "time", "s");
    }
    EW_TRY(put_materials(play, ew_case_add_list(root, "material")));
    EW_TRY(put_sets(play, root));
    put_supports(play, root);
    put_contact(play, root);
    for (int32_t i = 0; i < play->supports.n_load; i++) {
        const ew_model_load *load = &play->supports.load[i];
        ew_case_entry *made = ew_case_add_mapping(ew_case_add_list(root, "loads"), NULL);
        EW_TRY(load->set >= 0 ? put_use(play, load->set, made) : EW_OK);
        EW_TRY(view_put_load(load, made));
    }
    for (int32_t i = 0; i < play->n_step; i++) {
        view_put_step(&play->step[i], ew_case_add_mapping(ew_case_add_list(root, "steps"), NULL));
    }
    return EW_OK;
}

/* ---- names ------------------------------------------------------------------------------------
 */

static bool is_written(const view_play *play, const char *path)
{
    const cJSON *one;
    cJSON_ArrayForEach(one, play->written)
    {
        if (!strcmp(one->valuestring, path)) {
            return true;
        }
    }
    return false;
}

/* A file that this window has not written may be somebody's work. */
static ew_status refuse_foreign(const view_play *play, const char *path)
{
    return access(path, F_OK) || is_written(play, path)
               ? EW_OK
               : ew_fail(EW_BAD_INPUT,
                         "save: there is a file '%.200s' already, which this window has not "
                         "written; choose another name, or remove it",
                         path);
}

static void mesh_beside(const char *file, char path[256])
{
    snprintf(path, 256, "%.*s.mesh", (int)(strlen(file) - 5), file);
}

static void tell_written(view_play *play, const char *path)
{
    play->written = play->written ? play->written : cJSON_CreateArray();
    if (!is_written(play, path)) {
        (void)cJSON_AddItemToArray(play->written, cJSON_CreateString(path));
    }
}

void view_name_case(const view_play *play, char name[256])
{
    const char *file = play->source->file, *slash = strrchr(file, '/');
    const char *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
    const int length = (int)(dot && dot > base ? (size_t)(dot - base) : strlen(base));
    char mesh[256];
    if (play->source->text) {
        snprintf(name, 256, "%.200s", base);
        return;
    }
    snprintf(name, 256, "%.*s.yaml", length < 180 ? length : 180, base);
    for (int k = 2; k < 1000; k++) {
        mesh_beside(name, mesh);
        if (!refuse_foreign(play, name) && !refuse_foreign(play, mesh)) {
            return;
        }
        snprintf(name, 256, "%.*s-%d.yaml", length < 180 ? length : 180, base, k);
    }
}

/* ---- both -------------------------------------------------------------------------------------
 */

static ew_status check_name(const cJSON *command, const char **name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(command, "file");
    const size_t n = cJSON_IsString(item) ? strlen(item->valuestring) : 0;
    if (n < 6 || n > 200 || strcmp(item->valuestring + n - 5, ".yaml") ||
        strpbrk(item->valuestring, "\"\\\n")) {
        return ew_fail(EW_BAD_INPUT, "save: 'file' must be a name that ends in .yaml, of at most "
                                     "200 bytes, without quotes and backslashes");
    }
    *name = item->valuestring;
    return EW_OK;
}

/* A case of the body as it is, and its mesh. */
static ew_status save_body(const view_play *play, const char *file, const char *mesh_file)
{
    EW_TRY(refuse_foreign(play, file));
    EW_TRY(refuse_foreign(play, mesh_file));
    char path[256];
    ew_case_draft *draft = NULL;
    ew_text text = {0};
    ew_mesh mesh = {0};
    const char *slash = strrchr(mesh_file, '/');
    EW_TRY(ew_case_draft_create(&draft));
    ew_status status = put_case(play, slash ? slash + 1 : mesh_file, draft);
    status = status ? status : ew_case_draft_write(draft, &text);
    status = status ? status : ew_mesh_copy(&mesh, ew_model_mesh(play->body.model));
    status = status ? status : label_sets(play->body.model, &mesh);
    status = status ? status
                    : play->source->save(play->source->user, file, &text, mesh_file, &mesh, path,
                                         sizeof path);
    ew_mesh_free(&mesh);
    ew_text_free(&text);
    ew_case_draft_free(draft);
    return status;
}

/* Over the case that was opened, or where there is no file yet. */
static ew_status check_place(const view_play *play, const char *file)
{
    char *path = NULL;
    EW_TRY(ew_file_beside(play->source->file, file, &path));
    const ew_status status =
        strcmp(path, play->source->file) != 0 ? refuse_foreign(play, path) : EW_OK;
    ew_release(path);
    return status;
}

/* For the mesh beside the case: a name that no other file has, nor the mesh that the case has now.
 */
static ew_status name_mesh(const view_play *play, const char *file, char name[256])
{
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    const char *own = play->body.input->mesh_file;
    const int length = (int)strlen(base) - 5;
    snprintf(name, 256, "%.*s.msh", length, base);
    for (int k = 2; k < 1000; k++) {
        char *path = NULL;
        EW_TRY(ew_file_beside(play->source->file, name, &path));
        const bool is_free = (!own || strcmp(own, name) != 0) && !refuse_foreign(play, path);
        ew_release(path);
        if (is_free) {
            return EW_OK;
        }
        snprintf(name, 256, "%.*s-%d.msh", length, base, k);
    }
    return ew_fail(EW_BAD_INPUT, "save: no name is free for the mesh beside '%.200s'", base);
}

/* *mesh_file: "" where the case keeps its mesh. */
static ew_status save_case(view_play *play, const char *file, char *path, size_t size,
                           char mesh_file[256])
{
    ew_text text = {0};
    ew_mesh mesh = {0};
    EW_TRY(strchr(file, '/') ? EW_OK : check_place(play, file)); /* elsewhere is refused below */
    EW_TRY(name_mesh(play, file, mesh_file));
    ew_status status = view_change_case(play, mesh_file, &text, &mesh);
    if (!status) {
        const ew_mesh *beside = mesh.n_tet ? &mesh : NULL;
        status = play->source->save(play->source->user, file, &text, beside ? mesh_file : NULL,
                                    beside, path, size);
        mesh_file[0] = beside ? mesh_file[0] : 0;
    }
    ew_mesh_free(&mesh);
    ew_text_free(&text);
    return status;
}

ew_status view_save(view_play *play, const cJSON *command, cJSON **reply)
{
    const char *file = NULL;
    char mesh_file[256] = "", path[512];
    if (play->is_pulled) {
        return ew_fail(EW_BAD_INPUT, "save: a vertex is pulled, and a case has no such spring; "
                                     "release it first");
    }
    EW_TRY(check_name(command, &file));
    snprintf(path, sizeof path, "%s", file);
    if (play->source->text) {
        EW_TRY(save_case(play, file, path, sizeof path, mesh_file));
        if (*mesh_file) {
            char *beside = NULL;
            EW_TRY(ew_file_beside(play->source->file, mesh_file, &beside));
            tell_written(play, beside);
            ew_release(beside);
        }
    } else {
        mesh_beside(file, mesh_file);
        EW_TRY(save_body(play, file, mesh_file));
        tell_written(play, mesh_file);
    }
    tell_written(play, path);
    if (reply) {
        *reply = cJSON_CreateObject();
        (void)cJSON_AddStringToObject(*reply, "file", path);
        if (*mesh_file) {
            (void)cJSON_AddStringToObject(*reply, "mesh", mesh_file);
        }
    }
    return EW_OK;
}
