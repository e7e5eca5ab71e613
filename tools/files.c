/* Files to and from memory, and meshes by the ending of their name. */
#define _POSIX_C_SOURCE 200809L
#include "results/results.h"
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE_MS = 5000 };

ew_status tool_name_file(ew_status status, const char *path)
{
    const ew_failure *failure = ew_last_failure();
    const char *text = *failure->text ? failure->text : ew_status_text(status);
    return failure->line ? ew_fail(status, "%s:%d: %s", path, (int)failure->line, text)
                         : ew_fail(status, "%s: %s", path, text);
}

/* A pipe is waited for some seconds until somebody writes to it; folders, and devices, which may
 * never end, are refused. */
static ew_status open_input(const char *path, FILE **file)
{
    struct stat about;
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK);
    if (descriptor < 0) {
        return ew_fail(EW_IO, "%s: cannot be opened: %s", path, strerror(errno));
    }
    const bool known = fstat(descriptor, &about) == 0;
    if (known && (S_ISDIR(about.st_mode) || S_ISCHR(about.st_mode) || S_ISBLK(about.st_mode))) {
        close(descriptor);
        return ew_fail(EW_IO, "%s: is a %s, not a file", path,
                       S_ISDIR(about.st_mode) ? "folder" : "device");
    }
    struct pollfd waiting = {.fd = descriptor, .events = POLLIN};
    if (known && S_ISFIFO(about.st_mode) && poll(&waiting, 1, PATIENCE_MS) == 0) {
        close(descriptor);
        return ew_fail(EW_IO, "%s: is a pipe that nobody writes to", path);
    }
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    *file = fdopen(descriptor, "rb");
    if (!*file) {
        close(descriptor);
        return ew_fail(EW_NO_MEMORY, "%s: cannot be opened: %s", path, strerror(errno));
    }
    return EW_OK;
}

ew_status tool_read_file(const char *path, ew_text *text)
{
    FILE *file = NULL;
    EW_TRY(open_input(path, &file));
    ew_text read = {0};
    int32_t capacity = 0;
    ew_status status = EW_OK;
    size_t got = 1;
    while (got && !status) {
        /* Grown by half again, so pipes are read as well as files. */
        status = ew_grow(&read.data, &capacity, (int64_t)read.size + (1 << 16), 1);
        if (!status) {
            got = fread(read.data + read.size, 1, (size_t)capacity - read.size, file);
            read.size += got;
        }
    }
    if (!status && ferror(file)) {
        status = ew_fail(EW_IO, "%s: reading failed: %s", path, strerror(errno));
    }
    fclose(file);
    if (status) {
        if (status != EW_IO) {
            ew_fail_prefix(status, "%s", path);
        }
        ew_text_free(&read);
        return status;
    }
    *text = read;
    return EW_OK;
}

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
                         "%s: this would overwrite what it is made from; choose another name", out)
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

ew_status tool_path_beside(const char *base, const char *name, char **path)
{
    const char *slash = strrchr(base, '/');
    const size_t folder = name[0] == '/' || !slash ? 0 : (size_t)(slash - base) + 1;
    EW_TRY(ew_new(path, folder + strlen(name) + 1, 1));
    memcpy(*path, base, folder);
    strcpy(*path + folder, name);
    return EW_OK;
}

/* ---- meshes and surfaces by the ending of their name --------------------- */

/* Whether a format can do what is asked for. */
static bool reads_mesh(const ew_format *format)
{
    return format->read_mesh;
}

static bool reads_surface(const ew_format *format)
{
    return format->read_surface;
}

static bool writes_mesh(const ew_format *format)
{
    return format->write_mesh;
}

/* "..; known are .mesh (MEDIT), .msh (Gmsh), .." */
static ew_status refuse_ending(const char *path, const char *what,
                               bool (*can)(const ew_format *format))
{
    char known[1024] = "";
    EW_TRY(can == writes_mesh ? EW_OK : tool_expect_mesh(path, can == reads_surface));
    for (int32_t i = 0; ew_format_at(i); i++) {
        const ew_format *format = ew_format_at(i);
        const size_t n = strlen(known);
        if (can(format)) {
            snprintf(known + n, sizeof known - n, "%s%s (%s)", n ? ", " : "", format->endings,
                     format->name);
        }
    }
    if (can != writes_mesh) {
        const size_t n = strlen(known);
        snprintf(known + n, sizeof known - n, "%s, " EW_CAD_ENDINGS " (CAD, by Gmsh)",
                 can == reads_mesh ? ", .med (MED)" : "");
    }
    return ew_fail(EW_BAD_INPUT, "%s: not a known %s ending; known are %s", path, what, known);
}

const char *tool_list_formats(bool surfaces, char text[1024])
{
    size_t n = 0;
    text[0] = 0;
    for (int32_t i = 0; ew_format_at(i) && n < 1024; i++) {
        const ew_format *format = ew_format_at(i);
        if (surfaces ? reads_surface(format) : reads_mesh(format)) {
            n += (size_t)snprintf(text + n, 1024 - n, "  %-18s %s (%s)%s\n", format->endings,
                                  format->name, format->holds,
                                  surfaces || writes_mesh(format) ? "" : ", read only");
        }
    }
    if (!surfaces && n < 1024) {
        snprintf(text + n, 1024 - n,
                 "  %-18s MED (tets of Salome and code_aster, groups), read only\n", ".med");
    }
    return text;
}

/* Names of all files of a mesh, by any of them; [n_file], released one by one. */
static ew_status name_files(const ew_format *format, const char *path, char **name)
{
    if (format->n_file == 1) {
        EW_TRY(ew_new(&name[0], strlen(path) + 1, 1));
        strcpy(name[0], path);
        return EW_OK;
    }
    const size_t stem = (size_t)(strrchr(path, '.') - path);
    const char *ending = format->endings;
    for (int32_t i = 0; i < format->n_file; i++) {
        const size_t length = strcspn(ending, " ");
        EW_TRY(ew_new(&name[i], stem + length + 1, 1));
        memcpy(name[i], path, stem);
        memcpy(name[i] + stem, ending, length);
        name[i][stem + length] = 0;
        ending += length + strspn(ending + length, " ");
    }
    return EW_OK;
}

/* The files of a mesh or surface; those that may be missing are left empty. */
typedef struct mesh_files {
    char *name[EW_FORMAT_MAX_FILES];
    ew_text text[EW_FORMAT_MAX_FILES];
    ew_bytes bytes[EW_FORMAT_MAX_FILES];
} mesh_files;

static ew_status read_files(const ew_format *format, const char *path, mesh_files *files)
{
    EW_TRY(name_files(format, path, files->name));
    for (int32_t i = 0; i < format->n_file; i++) {
        if (i < format->n_needed || access(files->name[i], F_OK) == 0) {
            EW_TRY(tool_read_file(files->name[i], &files->text[i]));
            files->bytes[i] = (ew_bytes){files->text[i].data, files->text[i].size};
        }
    }
    return EW_OK;
}

static void free_files(mesh_files *files)
{
    for (int i = 0; i < EW_FORMAT_MAX_FILES; i++) {
        ew_release(files->name[i]);
        ew_text_free(&files->text[i]);
    }
}

/* A mesh file that includes others, and the mesh that is made from it; null: none. */
typedef struct including {
    const char *path, *out;
} including;

/* A file that a mesh file includes, beside it. */
static ew_status open_beside(void *user, const char *name, ew_text *text)
{
    const including *in = user;
    const char *dataset = tool_dataset_of(name);
    char *path = NULL;
    EW_TRY(tool_path_beside(in->path, name, &path));
    if (dataset) {
        path[strlen(path) - strlen(dataset) - 1] = '\0';
    }
    ew_status status = in->out ? tool_refuse_same_mesh(path, in->out) : EW_OK;
    status = status    ? status
             : dataset ? ew_hdf5_read_numbers(path, dataset, text)
                       : tool_read_file(path, text);
    ew_release(path);
    return status;
}

static ew_status read_mesh(const char *path, const char *out, ew_mesh *mesh, ew_mesh_repair *repair,
                           ew_groups *groups)
{
    const ew_format *format = ew_format_of_name(path);
    if (!format || !tool_is_mesh_name(path)) {
        return refuse_ending(path, "mesh", reads_mesh);
    }
    if (!format->read_mesh) {
        return ew_fail(EW_BAD_INPUT,
                       "%s: is a surface; fill it with tets first: edgewise mesh %s "
                       "-o NAME.mesh, or in a case 'mesh: {surface: FILE}'",
                       path, path);
    }
    mesh_files files = {0};
    ew_status status = read_files(format, path, &files);
    if (!status) {
        including in = {path, out};
        const ew_mesh_input input = {files.bytes, &in, open_beside};
        status = ew_read_mesh(format, &input, mesh, repair, groups);
        if (status) {
            tool_name_file(status, path);
        }
    }
    free_files(&files);
    return status;
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
    return tool_read_any(path, out, &cad, quiet, mesh, groups);
}

ew_status tool_read_any(const char *path, const char *out, const ew_cad_def *cad, bool quiet,
                        ew_mesh *mesh, ew_groups *groups)
{
    ew_mesh_repair repair;
    EW_TRY(ew_cad_reads(path)  ? tool_read_cad(path, cad, quiet, mesh, groups, &repair)
           : tool_is_med(path) ? tool_read_med(path, mesh, &repair, groups)
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

/* One of the two: the surface alone, or with its polygons. */
static ew_status read_surface(const char *path, ew_surface *surface, ew_polygons *polygons,
                              ew_groups *groups)
{
    const ew_format *format = ew_format_of_name(path);
    if (!format || !format->read_surface) {
        return refuse_ending(path, "surface", reads_surface);
    }
    mesh_files files = {0};
    ew_status status = read_files(format, path, &files);
    if (!status) {
        status = surface ? ew_read_surface(format, files.bytes, surface, NULL, groups)
                         : ew_read_polygons(format, files.bytes, polygons, NULL);
        if (status) {
            tool_name_file(status, path);
        }
    }
    free_files(&files);
    return status;
}

ew_status tool_read_surface(const char *path, ew_surface *surface, ew_groups *groups)
{
    return read_surface(path, surface, NULL, groups);
}

ew_status tool_read_polygons(const char *path, ew_polygons *polygons)
{
    return read_surface(path, NULL, polygons, NULL);
}

ew_status tool_expect_mesh_output(const char *path)
{
    const ew_format *format = ew_format_of_name(path);
    return format && format->write_mesh ? EW_OK : refuse_ending(path, "mesh output", writes_mesh);
}

ew_status tool_refuse_same_mesh(const char *in, const char *out)
{
    const ew_format *format = ew_format_of_name(out);
    mesh_files files = {0};
    ew_status status = format ? name_files(format, out, files.name) : EW_OK;
    for (int32_t i = 0; format && i < format->n_file && !status; i++) {
        status = tool_refuse_same(in, files.name[i]);
    }
    free_files(&files);
    return status;
}

ew_status tool_find_in_mesh(const char *path, const char *out, bool *found)
{
    const ew_format *format = ew_format_of_name(out);
    mesh_files files = {0};
    const ew_status status = format ? name_files(format, out, files.name) : EW_OK;
    *found = false;
    for (int32_t i = 0; format && i < format->n_file && !status; i++) {
        *found = *found || tool_is_same_place(path, files.name[i]);
    }
    free_files(&files);
    return status;
}

ew_status tool_write_mesh(const char *path, const ew_mesh *mesh, const ew_groups *groups)
{
    const ew_format *format = ew_format_of_name(path);
    EW_TRY(tool_expect_mesh_output(path));
    mesh_files files = {0};
    ew_status status = ew_write_mesh(format, mesh, groups, true, files.text);
    if (!status) {
        status = name_files(format, path, files.name);
    }
    if (!status) {
        status = tool_write_files(format->n_file, (const char *const *)files.name, files.text);
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
    free_files(&files);
    return status;
}
