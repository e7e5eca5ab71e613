/* Meshes and surfaces in, as commands take them; files out, all of one mesh or none. */
#define _POSIX_C_SOURCE 200809L
#include "results/results.h"
#include "tool.h"

#include <string.h>
#include <sys/stat.h>

/* All take their names, or none does. */
ew_status tool_write_files(int n, const char *const *path, const ew_text *text)
{
    ew_replacement set = {0};
    ew_status status = EW_OK;
    tool_hold_interrupts(true);
    for (int i = 0; i < n && !status; i++) {
        status = ew_replace_add_text(&set, path[i], text[i].data, text[i].size);
    }
    if (status) {
        ew_replace_abandon(&set);
    } else {
        status = ew_replace_commit(&set);
    }
    tool_hold_interrupts(false);
    return status;
}

ew_status tool_write_file(const char *path, const ew_text *text)
{
    return tool_write_files(1, &path, text);
}

ew_status tool_refuse_same(const char *in, const char *out)
{
    struct stat from, to;
    return !stat(in, &from) && !stat(out, &to) && from.st_dev == to.st_dev &&
                   from.st_ino == to.st_ino
               ? ew_fail(EW_BAD_ARGUMENT,
                         "%s: this would overwrite an input file; choose another name", out)
               : EW_OK;
}

ew_status tool_expect_page_output(const char *in, const char *path)
{
    const char *dot = strrchr(path, '.');
    if (!dot || (strcmp(dot, ".html") != 0 && strcmp(dot, ".htm") != 0)) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "%s: a report is a page of HTML; choose a name that ends in .html or .htm",
                       path);
    }
    return tool_refuse_same(in, path);
}

/* ---- meshes and surfaces by the ending of their name --------------------- */

/* Says of a file of another kind which command takes it. */
static ew_status expect_kind(const char *path, bool is_surface)
{
    const ew_format *format = ew_format_of_name(path);
    if (is_surface) {
        return format && format->read_surface ? EW_OK : tool_expect_mesh(path, true);
    }
    if (!tool_is_mesh_name(path)) {
        return tool_expect_mesh(path, false);
    }
    return format && !format->read_mesh
               ? ew_fail(EW_BAD_INPUT,
                         "%s: is a surface; fill it with tets first: edgewise mesh %s "
                         "-o NAME.mesh, or in a case 'mesh: {surface: FILE}'",
                         path, path)
               : EW_OK;
}

const char *tool_list_formats(bool surfaces, char text[1024])
{
    size_t n = 0;
    text[0] = 0;
    for (int32_t i = 0; ew_format_at(i) && n < 1024; i++) {
        const ew_format *format = ew_format_at(i);
        if (surfaces ? format->read_surface != NULL : format->read_mesh != NULL) {
            n += (size_t)snprintf(text + n, 1024 - n, "  %-18s %s (%s)%s\n", format->endings,
                                  format->name, format->holds,
                                  surfaces || format->write_mesh ? "" : ", read only");
        }
    }
    if (!surfaces && n < 1024) {
        snprintf(text + n, 1024 - n,
                 "  %-18s MED (tets of Salome and code_aster, groups), read only\n", ".med");
    }
    return text;
}

/* A mesh file, and the mesh that is made from it; null: none. */
typedef struct mesh_source {
    const char *path, *out;
} mesh_source;

/* Reads a file of a mesh; one that the mesh file includes must not be a file of `out`. */
static ew_status read_input(void *user, const char *path, ew_text *text)
{
    const mesh_source *from = user;
    const char *dataset = ew_file_dataset(path);
    const bool is_included = ew_format_of_name(from->path)->n_file == 1 && strcmp(path, from->path);
    if (from->out && is_included) {
        char *file;
        EW_TRY(ew_file_beside("", path, &file));
        if (dataset) {
            file[dataset - path - 1] = '\0';
        }
        const ew_status status = tool_refuse_same_mesh(file, from->out);
        ew_release(file);
        EW_TRY(status);
    }
    return ew_hdf5_read_file(NULL, path, text);
}

static ew_status read_mesh(const char *path, const char *out, ew_mesh *mesh, ew_mesh_repair *repair,
                           ew_groups *groups)
{
    mesh_source from = {path, out};
    const ew_file_reader reader = {&from, read_input};
    return ew_format_of_name(path) ? ew_mesh_read(path, &reader, mesh, repair, groups)
                                   : ew_mesh_read_any(path, NULL, mesh, repair, groups);
}

static void tell_mend(const char *path, const ew_mesh_repair *repair)
{
    if (repair->n_reoriented) {
        printf("%s: %d left-handed tets were reoriented\n", path, (int)repair->n_reoriented);
    }
    if (repair->n_unused) {
        printf("%s: %d vertices belong to no tet and are left out\n", path, (int)repair->n_unused);
    }
}

ew_status tool_read_mesh(const char *path, bool quiet, ew_mesh *mesh, ew_groups *groups)
{
    return tool_read_mesh_for(path, NULL, quiet, mesh, groups);
}

ew_status tool_read_mesh_for(const char *path, const char *out, bool quiet, ew_mesh *mesh,
                             ew_groups *groups)
{
    const ew_cad_def cad = ew_default_cad_def();
    EW_TRY(tool_read_any(path, out, &cad, quiet, mesh, groups));
    if (!quiet && groups) {
        tool_tell_unsure(path, groups);
    }
    return EW_OK;
}

ew_status tool_read_any(const char *path, const char *out, const ew_cad_def *cad, bool quiet,
                        ew_mesh *mesh, ew_groups *groups)
{
    ew_mesh_repair repair;
    EW_TRY(expect_kind(path, false));
    EW_TRY(ew_cad_reads(path) ? tool_read_cad(path, cad, quiet, mesh, groups, &repair)
                              : read_mesh(path, out, mesh, &repair, groups));
    if (!quiet && mesh->has_middles) {
        printf(
            "%s: tets of ten nodes, quadratic ones in a case that says nothing else; %d of their "
            "sides are curved\n",
            path, (int)mesh->n_curve);
    }
    if (!quiet) {
        tell_mend(path, &repair);
    }
    return EW_OK;
}

ew_status tool_read_surface(const char *path, ew_surface *surface, ew_groups *groups)
{
    EW_TRY(expect_kind(path, true));
    return ew_surface_read(path, surface, NULL, groups);
}

ew_status tool_read_polygons(const char *path, ew_polygons *polygons)
{
    EW_TRY(expect_kind(path, true));
    return ew_polygons_read(path, polygons);
}

ew_status tool_expect_mesh_output(const char *path)
{
    const ew_format *format = ew_format_of_name(path);
    return format && format->write_mesh ? EW_OK : ew_format_refuse(path, EW_FORMAT_MESH_OUTPUT, "");
}

/* Names of the files of a mesh; none of an unknown format. */
typedef struct file_names {
    int32_t n;
    char *name[EW_FORMAT_MAX_FILES]; /* owned */
} file_names;

static void free_names(file_names *names)
{
    for (int32_t i = 0; i < names->n; i++) {
        ew_release(names->name[i]);
    }
}

static ew_status name_files(const char *path, file_names *names)
{
    const ew_format *format = ew_format_of_name(path);
    *names = (file_names){.n = 0};
    for (int32_t i = 0; format && i < format->n_file; i++) {
        const ew_status status = ew_format_file_name(format, path, i, &names->name[i]);
        if (status) {
            free_names(names);
            return status;
        }
        names->n++;
    }
    return EW_OK;
}

ew_status tool_refuse_same_mesh(const char *in, const char *out)
{
    file_names names;
    EW_TRY(name_files(out, &names));
    ew_status status = EW_OK;
    for (int32_t i = 0; i < names.n && !status; i++) {
        status = tool_refuse_same(in, names.name[i]);
    }
    free_names(&names);
    return status;
}

ew_status tool_find_in_mesh(const char *path, const char *out, bool *found)
{
    file_names names;
    EW_TRY(name_files(out, &names));
    *found = false;
    for (int32_t i = 0; i < names.n; i++) {
        *found = *found || tool_is_same_place(path, names.name[i]);
    }
    free_names(&names);
    return EW_OK;
}

ew_status tool_write_mesh(const char *path, const ew_mesh *mesh, const ew_groups *groups)
{
    const ew_format *format = ew_format_of_name(path);
    EW_TRY(tool_expect_mesh_output(path));
    file_names names;
    ew_text text[EW_FORMAT_MAX_FILES] = {{0}};
    EW_TRY(name_files(path, &names));
    ew_status status = ew_format_write_mesh(format, mesh, groups, true, text);
    if (!status) {
        status = tool_write_files(names.n, (const char *const *)names.name, text);
    }
    if (!status && groups && groups->n && !format->writes_groups) {
        printf(
            "%s: %s files have no names: those of %d groups are lost, labels are kept; .msh keeps "
            "them\n",
            path, format->name, (int)groups->n);
    }
    if (!status && mesh->has_middles && !format->writes_middles) {
        printf("warning: %s: %s files have no tets of ten nodes: these and %d curved sides stand "
               "in comments, which Edgewise alone reads; .mesh and .msh have them\n",
               path, format->name, (int)mesh->n_curve);
    }
    if (!status && mesh->keeps_slots && !format->comment[0]) {
        printf(
            "%s: %s files have no place for slots and ids: numbers begin from 0 again; .mesh and "
            ".msh keep them\n",
            path, format->name);
    }
    free_names(&names);
    for (int32_t i = 0; i < EW_FORMAT_MAX_FILES; i++) {
        ew_text_free(&text[i]);
    }
    return status;
}
