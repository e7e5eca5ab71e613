/* A SOFA scene or a keyword deck to a case and its mesh beside it, and what has no counterpart to
 * stdout. */
#define _XOPEN_SOURCE 700
#include "scene/scene.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>

typedef struct conversion {
    const char *in, *out, *mesh; /* the scene or deck, the case, the mesh of the case */
} conversion;

/* A file that is read may be none of those that are written. */
static ew_status refuse_input(const conversion *c, const char *path)
{
    EW_TRY(tool_refuse_same(path, c->out));
    return tool_refuse_same(path, c->mesh);
}

static ew_status read_mesh_beside(void *user, const char *file, ew_mesh *mesh)
{
    const conversion *c = user;
    char *path = NULL;
    EW_TRY(ew_file_beside(c->in, file, &path));
    ew_status status = refuse_input(c, path);
    status = status ? status : tool_read_mesh(path, true, mesh, NULL);
    ew_release(path);
    return status;
}

static ew_status open_beside(void *user, const char *name, ew_text *text)
{
    const conversion *c = user;
    char *path = NULL;
    EW_TRY(ew_file_beside(c->in, name, &path));
    ew_status status = refuse_input(c, path);
    status = status ? status : ew_file_read(path, text);
    ew_release(path);
    return status;
}

/* The folder of the scene as the case has to name it: "" where both are in one. */
static ew_status find_prefix(const char *scene, const char *out, char **prefix)
{
    const char *a = strrchr(scene, '/'), *b = strrchr(out, '/');
    const size_t n = a ? (size_t)(a - scene) : 0, m = b ? (size_t)(b - out) : 0;
    char *folder = NULL, *whole = NULL;
    EW_TRY(ew_file_beside(scene, ".", &folder));
    const bool same = n == m && !memcmp(scene, out, n);
    whole = same ? NULL : realpath(folder, NULL);
    ew_release(folder);
    const ew_status status = ew_new_zero(prefix, (whole ? strlen(whole) : 0) + 2, 1);
    if (!status && whole) {
        strcat(strcpy(*prefix, whole), "/");
    }
    free(whole);
    return status;
}

static ew_status write_both(const char *out, const char *mesh_path, const ew_scene *scene)
{
    const char *path[2] = {out, mesh_path};
    ew_text text[2] = {scene->text, {0}};
    EW_TRY(ew_format_write_mesh(ew_format_of_name(mesh_path), &scene->mesh, &scene->groups, true,
                                &text[1]));
    const ew_status status = tool_write_files(2, path, text);
    ew_text_free(&text[1]);
    return status;
}

/* Null: a scene. */
typedef ew_status (*deck_reader)(const ew_mesh_input *input, const ew_scene_def *def,
                                 ew_scene *scene);

static ew_status convert(const char *path, const char *out, const char *mesh_path,
                         deck_reader read_deck, char **prefix)
{
    const char *slash = strrchr(mesh_path, '/'), *name = strrchr(path, '/');
    ew_text text = {0};
    ew_scene scene = {.n_note = 0};
    char tets[32];
    conversion files = {path, out, mesh_path};
    EW_TRY(refuse_input(&files, path));
    EW_TRY(find_prefix(path, out, prefix));
    ew_scene_def def = ew_default_scene_def();
    def.scene_name = name ? name + 1 : path;
    def.mesh_name = slash ? slash + 1 : mesh_path;
    def.prefix = *prefix;
    def.user = &files;
    def.read_mesh = read_mesh_beside;
    EW_TRY(ew_file_read(path, &text));
    const ew_bytes bytes = {text.data, text.size};
    const ew_mesh_input input = {&bytes, &files, open_beside};
    ew_status status = read_deck ? read_deck(&input, &def, &scene)
                                 : ew_scene_read(text.data, text.size, &def, &scene);
    ew_text_free(&text);
    if (status) {
        return ew_fail_in_file(status, path);
    }
    status = write_both(out, mesh_path, &scene);
    if (!status) {
        printf("%s: a case of %s tets, which are in %s\n", out,
               tool_count(scene.mesh.n_live_tet, tets), mesh_path);
        if (scene.n_note) {
            printf("left out, or read in another way (%d):\n%s", (int)scene.n_note,
                   scene.notes.data);
        }
    }
    ew_scene_free(&scene);
    return status;
}

static int convert_beside(const char *path, const char *out, const char *ending,
                          deck_reader read_deck)
{
    char *mesh_path = NULL, *prefix = NULL;
    const size_t stem = (size_t)(strrchr(out, '.') - out);
    ew_status status = ew_new_zero(&mesh_path, stem + strlen(ending) + 1, 1);
    if (!status) {
        memcpy(mesh_path, out, stem);
        strcat(mesh_path, ending);
        status = convert(path, out, mesh_path, read_deck, &prefix);
    }
    ew_release(mesh_path);
    ew_release(prefix);
    return status ? tool_report_failure(status, NULL) : TOOL_DONE;
}

int convert_scene(const char *path, const char *out)
{
    return convert_beside(path, out, ".mesh", NULL);
}

int convert_deck(const char *path, const char *out)
{
    return convert_beside(path, out, ".msh", ew_scene_read_deck);
}

int convert_nastran(const char *path, const char *out)
{
    return convert_beside(path, out, ".msh", ew_scene_read_nastran);
}
