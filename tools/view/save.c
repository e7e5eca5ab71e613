/* The body as it is now as a case. In: a played body of a mesh. Out: a mesh whose triangles have
 * the sets' numbers as labels, and a case that names them, which `edgewise run` solves. */
#include "play.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct lines {
    ew_text text; /* owned */
    int32_t capacity;
    ew_status status;
} lines;

EW_PRINTF(2, 3) static void add(lines *to, const char *format, ...)
{
    char line[400];
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (!to->status && (n < 0 || (size_t)n >= sizeof line)) {
        to->status = ew_fail(EW_LIMIT, "save: a line of the case is too long; take shorter names");
    }
    to->status = to->status
                     ? to->status
                     : ew_grow(&to->text.data, &to->capacity, (int64_t)to->text.size + n + 1, 1);
    if (!to->status) {
        memcpy(to->text.data + to->text.size, line, (size_t)n + 1);
        to->text.size += (size_t)n;
    }
}

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

static void put_materials(const view_play *play, lines *to)
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    add(to, "material:\n");
    for (int32_t r = 0; r < mesh->n_region; r++) {
        const ew_material of = view_material_of(play, mesh->region_label[r]);
        add(to, "  - {region: %d, young: %.17g, poisson: %.17g, density: %.17g}\n",
            (int)mesh->region_label[r], of.young, of.poisson, of.density);
    }
}

static void put_vertices(const ew_model *model, int32_t s, lines *to)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_list vertex = {0};
    to->status = to->status ? to->status : ew_model_list_vertices(model, s, &vertex);
    add(to, "{of: vertices, ids: [");
    for (int32_t i = 0; i < vertex.n; i++) {
        add(to, "%s%lld", i ? ", " : "", (long long)mesh->vertex_id[vertex.id[i]]);
    }
    add(to, "], allow_empty: true}\n");
    ew_list_free(&vertex);
}

static ew_status put_sets(const ew_model *model, lines *to)
{
    bool has_sets = false;
    for (int32_t s = 0; s < ew_model_n_set(model); s++) {
        const ew_model_set set = ew_model_view_set(model, s);
        if (!is_named(&set) || set.n_active == 0) {
            continue;
        }
        add(to, "%s", has_sets ? "" : "sets:\n");
        has_sets = true;
        add(to, "  \"%s\": ", set.name);
        if (set.kind == EW_SET_OF_FACES) {
            add(to, "{surface: %d, allow_empty: true}\n", (int)s + 1);
        } else if (set.kind == EW_SET_OF_VERTICES) {
            put_vertices(model, s, to);
        } else {
            return ew_fail(EW_BAD_INPUT, "save: the set '%s' of tets has no form in a saved case",
                           set.name);
        }
    }
    return to->status;
}

static void put_supports(const view_play *play, lines *to)
{
    const view_supports *of = &play->supports;
    bool has = false;
    for (int32_t i = 0; i < of->n_constraint; i++) {
        const ew_model_set set = ew_model_view_set(play->body.model, of->constraint[i].set);
        if (set.n_active == 0) {
            continue;
        }
        add(to, "%s  - {set: \"%s\", displacement: [", has ? "" : "constraints:\n", set.name);
        has = true;
        for (int c = 0; c < 3; c++) {
            add(to, c ? ", " : "");
            if (of->constraint[i].fixed >> c & 1) {
                add(to, "%.17g", of->constraint[i].value[c]);
            } else {
                add(to, "~");
            }
        }
        add(to, "]}\n");
    }
}

static ew_status put_load(const ew_model *model, const ew_model_load *load, lines *to)
{
    const char *const key = view_load_name(load);
    if (!key) {
        return ew_fail(EW_BAD_INPUT, "save: a load of this kind has no form in a saved case");
    }
    add(to, "  - {");
    if (load->kind != EW_LOAD_GRAVITY) {
        add(to, "set: \"%s\", ", ew_model_view_set(model, load->set).name);
    }
    if (load->kind == EW_LOAD_PRESSURE) {
        add(to, "pressure: %.17g}\n", load->pressure);
    } else {
        add(to, "%s: [%.17g, %.17g, %.17g]}\n", strcmp(key, "force") ? key : "total_force",
            load->vector[0], load->vector[1], load->vector[2]);
    }
    return to->status;
}

static ew_status put_case(const view_play *play, const char *mesh, lines *to)
{
    add(to, "# Saved by edgewise view.\nmesh: \"%s\"\n", mesh);
    put_materials(play, to);
    EW_TRY(put_sets(play->body.model, to));
    put_supports(play, to);
    for (int32_t i = 0; i < play->supports.n_load; i++) {
        add(to, i ? "%s" : "loads:\n%s", "");
        EW_TRY(put_load(play->body.model, &play->supports.load[i], to));
    }
    add(to, "steps:\n  - {name: answer, static: {tolerance: 1e-8}}\n");
    return to->status;
}

/* ---- both -------------------------------------------------------------------------------------
 */

static ew_status check_name(const view_play *play, const cJSON *command, const char **name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(command, "file");
    const size_t n = cJSON_IsString(item) ? strlen(item->valuestring) : 0;
    if (n < 6 || n > 200 || strcmp(item->valuestring + n - 5, ".yaml") ||
        strpbrk(item->valuestring, "\"\\\n")) {
        return ew_fail(EW_BAD_INPUT, "save: 'file' must be a name that ends in .yaml, of at most "
                                     "200 bytes, without quotes and backslashes");
    }
    if (!play->source->save) {
        return ew_fail(EW_BAD_INPUT, "save: the body is from a case, which says more than a page "
                                     "shows; change its file, or open its mesh");
    }
    *name = item->valuestring;
    return EW_OK;
}

ew_status view_save(const view_play *play, const cJSON *command, cJSON **reply)
{
    const char *file = NULL;
    char mesh_file[256];
    lines text = {0};
    ew_mesh mesh = {0};
    EW_TRY(check_name(play, command, &file));
    snprintf(mesh_file, sizeof mesh_file, "%.*s.mesh", (int)(strlen(file) - 5), file);
    const char *slash = strrchr(mesh_file, '/');
    ew_status status = put_case(play, slash ? slash + 1 : mesh_file, &text);
    status = status ? status : ew_mesh_copy(&mesh, ew_model_mesh(play->body.model));
    status = status ? status : label_sets(play->body.model, &mesh);
    status = status ? status
                    : play->source->save(play->source->user, file, &text.text, mesh_file, &mesh);
    ew_mesh_free(&mesh);
    ew_text_free(&text.text);
    if (!status && reply) {
        *reply = cJSON_CreateObject();
        (void)cJSON_AddStringToObject(*reply, "file", file);
        (void)cJSON_AddStringToObject(*reply, "mesh", mesh_file);
    }
    return status;
}
