/* edgewise new: a commented case to start from, its mesh, and the schema by which editors complete
 * it. */
#define _POSIX_C_SOURCE 200809L
#include "case_templates.h"
#include "shape/parts/shape.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char place_of_name[] = "@NAME@", schema_name[] = "edgewise.schema.json";

/* In the order of the help; text: what it shows. */
static const struct {
    const char *kind, *summary;
} kinds[] = {
    {"static", "a cantilever under a force: sets, supports, loads, steps"},
    {"modes", "its vibration modes"},
    {"buckling", "a column: the load at which it buckles"},
    {"motion", "the cantilever is bent, let go, and vibrates"},
    {"plastic", "a bar is pulled beyond its yield stress and let go"},
    {"contact", "the cantilever on a floor that stops it, with friction, and rises"},
    {"sweep", "the cantilever in several heights, side by side in one table"},
    {"optimization", "the lightest cantilever that is stiff enough"},
    {"deck", "a deck of Abaqus and CalculiX, for 'edgewise convert'"},
};
enum { N_KIND = sizeof kinds / sizeof *kinds };

static const case_template *find_template(const char *kind)
{
    for (int i = 0; i < n_case_template; i++) {
        if (!strcmp(case_templates[i].name, kind)) {
            return &case_templates[i];
        }
    }
    return NULL;
}

static void list_kinds(char words[200])
{
    words[0] = 0;
    for (int i = 0; i < N_KIND; i++) {
        strcat(strcat(words, i ? " " : ""), kinds[i].kind);
    }
}

static int refuse_kind(const char *kind)
{
    char words[200], nearest[64];
    list_kinds(words);
    return ew_nearest_word(kind, words, nearest)
               ? tool_refuse("new: there is no case '%.60s'; did you mean '%s'?", kind, nearest)
               : tool_refuse("new: there is no case '%.60s'; it must be one of: %s", kind, words);
}

/* ---- files ----------------------------------------------------------------------------------- */

typedef struct new_text {
    ew_text text;
    ew_status status;
} new_text;

static void add_text(new_text *to, const char *text, size_t n)
{
    char *grown = to->status ? NULL : realloc(to->text.data, to->text.size + n + 1);
    if (!grown) {
        to->status = to->status ? to->status : ew_fail(EW_NO_MEMORY, "no memory for the case");
        return;
    }
    memcpy(grown + to->text.size, text, n);
    to->text.data = grown;
    to->text.size += n;
    grown[to->text.size] = 0;
}

static void put_schema(void *user, const char *text)
{
    add_text(user, text, strlen(text));
}

/* The name as files beside the case have it, in place of @NAME@. */
static void fill_template(new_text *to, const char *text, const char *name)
{
    const char *at;
    for (; (at = strstr(text, place_of_name)); text = at + strlen(place_of_name)) {
        add_text(to, text, (size_t)(at - text));
        add_text(to, name, strlen(name));
    }
    add_text(to, text, strlen(text));
}

static ew_status write_text(const char *path, new_text *made)
{
    const ew_status status = made->status ? made->status : tool_write_file(path, &made->text);
    free(made->text.data);
    return status;
}

static ew_status name_ends(ew_groups *groups, const ew_mesh *mesh)
{
    EW_TRY(ew_groups_name_label(groups, EW_GROUP_FACES, 1, "wall"));
    EW_TRY(ew_groups_name_label(groups, EW_GROUP_FACES, 2, "tip"));
    return ew_groups_finish(groups, mesh);
}

/* The bar of all cases, 200 mm x 20 mm x 20 mm. A deck has the names of its ends and no unit. */
static ew_status write_bar(const char *path, bool has_names)
{
    static const double size[3] = {200, 20, 20};
    static const int32_t cells[3] = {20, 2, 2};
    ew_groups groups = {0};
    ew_mesh mesh;
    EW_TRY(ew_shape_box(&mesh, size, cells));
    ew_status status = has_names ? name_ends(&groups, &mesh) : EW_OK;
    status = status ? status : tool_write_mesh(path, &mesh, has_names ? &groups : NULL);
    ew_groups_free(&groups);
    ew_mesh_free(&mesh);
    return status;
}

typedef struct new_files {
    char *file, *mesh, *schema; /* owned paths; schema "": a deck has none */
    const char *name;           /* borrowed, within file: without its folder */
    int length;                 /* of the name without the ending */
} new_files;

static ew_status join(const char *folder, size_t n, const char *name, const char *ending,
                      char **path)
{
    const size_t size = n + strlen(name) + strlen(ending) + 1;
    *path = malloc(size);
    if (!*path) {
        return ew_fail(EW_NO_MEMORY, "no memory for a path");
    }
    snprintf(*path, size, "%.*s%s%s", (int)n, folder, name, ending);
    return EW_OK;
}

static ew_status name_files(const char *path, const case_template *from, new_files *files)
{
    const size_t length = strlen(path), n = strlen(from->ending);
    const char *slash = strrchr(path, '/');
    const size_t folder = slash ? (size_t)(slash + 1 - path) : 0;
    const bool ends = length > n + folder && !strcmp(path + length - n, from->ending);
    const bool is_deck = !strcmp(from->ending, ".inp");
    EW_TRY(join(path, ends ? length - n : length, "", from->ending, &files->file));
    files->name = files->file + folder;
    files->length = (int)(strlen(files->name) - n);
    if (files->length == 0) {
        return ew_fail(EW_BAD_ARGUMENT, "new: '%s' is a folder; give the name of a case", path);
    }
    EW_TRY(join(files->file, folder + (size_t)files->length, is_deck ? "-mesh.inp" : ".mesh", "",
                &files->mesh));
    return join(path, is_deck ? 0 : folder, is_deck ? "" : schema_name, "", &files->schema);
}

static ew_status refuse_existing(const new_files *files)
{
    const char *const path[] = {files->file, files->mesh};
    for (int i = 0; i < 2; i++) {
        if (!access(path[i], F_OK)) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "%s: is there already, and is left as it is; give another name, for "
                           "example 'edgewise new static beam'",
                           path[i]);
        }
    }
    return EW_OK;
}

static ew_status write_files(const case_template *from, const new_files *files)
{
    const bool has_schema = *files->schema;
    char name[256];
    new_text text = {0}, schema = {0};
    snprintf(name, sizeof name, "%.*s", files->length, files->name);
    EW_TRY(refuse_existing(files));
    if (has_schema) {
        add_text(&text, "# yaml-language-server: $schema=", 32);
        add_text(&text, schema_name, strlen(schema_name));
        add_text(&text, "\n", 1);
    }
    fill_template(&text, from->text, name);
    EW_TRY(write_text(files->file, &text));
    EW_TRY(write_bar(files->mesh, !has_schema));
    if (has_schema) {
        ew_case_put_json_schema(put_schema, &schema);
        EW_TRY(write_text(files->schema, &schema));
    }
    return EW_OK;
}

static int write_new(const case_template *from, const char *path)
{
    new_files files = {0};
    ew_status status = name_files(path, from, &files);
    status = status ? status : write_files(from, &files);
    const int exit_status = status ? tool_report_failure(status, NULL) : TOOL_DONE;
    if (!status) {
        const bool has_schema = *files.schema;
        printf("%s, %s%s%s: read it, change it, 'edgewise %s %s%s%.*s%s'\n", files.file, files.mesh,
               has_schema ? ", " : "", has_schema ? schema_name : "",
               has_schema ? "run" : "convert", files.file, has_schema ? "" : " ",
               has_schema ? 0 : files.length, has_schema ? "" : files.name,
               has_schema ? "" : ".yaml");
    }
    free(files.file);
    free(files.mesh);
    free(files.schema);
    return exit_status;
}

int tool_new(int argc, char **argv)
{
    char text[1400], words[200];
    list_kinds(words);
    int n, used = snprintf(text, sizeof text, "KIND:\n");
    for (int i = 0; i < N_KIND; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "  %-14s %s\n", kinds[i].kind,
                         kinds[i].summary);
    }
    snprintf(
        text + used, sizeof text - (size_t)used,
        "\nWrites NAME.yaml (KIND.yaml without NAME) with a comment on every line that is not "
        "plain,\n"
        "its mesh NAME.mesh, and edgewise.schema.json, by which editors complete and check cases; "
        "a\n"
        "deck is NAME.inp with NAME-mesh.inp. Files that are there are left as they are, but for\n"
        "the schema.\n\nexample:\n  edgewise new static beam\n  edgewise run beam.yaml");
    const tool_syntax syntax = {.command = "new",
                                .arguments = "KIND [NAME]",
                                .words = words,
                                .summary = "write a commented case to start from",
                                .text = text,
                                .min_arguments = 1,
                                .max_arguments = 2};
    const int exit_status = tool_parse_options(&syntax, argc, argv, &n);
    if (exit_status >= 0) {
        return exit_status;
    }
    const case_template *from = find_template(argv[1]);
    return from ? write_new(from, argv[n]) : refuse_kind(argv[1]);
}
