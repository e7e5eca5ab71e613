/* Files to and from memory, and meshes by the ending of their name. */
#define _POSIX_C_SOURCE 200809L
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
    char text[600];
    int line, length = 0;
    snprintf(text, sizeof text, "%s", *ew_message() ? ew_message() : ew_status_text(status));
    if (sscanf(text, "line %d:%n", &line, &length) == 1 && length) {
        return ew_fail(status, "%s:%d:%s", path, line, text + length);
    }
    return ew_fail(status, "%s: %s", path, text);
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

enum { MOST_FILES = 3 };

/* All take their names, or none does. */
static ew_status write_files(int n, const char *const *path, const ew_text *text)
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
    return write_files(1, &path, text);
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

/* The name with another ending, for the files of one TetGen mesh. */
static ew_status path_with_ending(const char *path, const char *ending, char **out)
{
    const char *dot = strrchr(path, '.');
    const size_t stem = (size_t)(dot - path);
    EW_TRY(ew_new(out, stem + strlen(ending) + 1, 1));
    memcpy(*out, path, stem);
    strcpy(*out + stem, ending);
    return EW_OK;
}

static ew_status read_tetgen(const char *path, ew_mesh *mesh, ew_mesh_mend *mend)
{
    static const char *endings[MOST_FILES] = {".node", ".ele", ".face"};
    char *names[MOST_FILES] = {NULL, NULL, NULL};
    ew_text text[MOST_FILES] = {{0}, {0}, {0}};
    ew_status status = EW_OK;
    for (int i = 0; i < MOST_FILES && !status; i++) {
        status = path_with_ending(path, endings[i], &names[i]);
        if (!status && (i < 2 || access(names[i], F_OK) == 0)) {
            status = tool_read_file(names[i], &text[i]);
        }
    }
    if (!status) {
        status = ew_read_tetgen(text[0].data, text[0].size, text[1].data, text[1].size,
                                text[2].data, text[2].size, mesh, mend);
        if (status) {
            ew_fail_prefix(status, "%s", path);
        }
    }
    for (int i = 0; i < MOST_FILES; i++) {
        ew_release(names[i]);
        ew_text_free(&text[i]);
    }
    return status;
}

static ew_status read_mesh(const char *path, ew_mesh *mesh, ew_mesh_mend *mend)
{
    const ew_format format = ew_format_of_name(path);
    if (format == EW_FORMAT_TETGEN) {
        return read_tetgen(path, mesh, mend);
    }
    if (ew_format_is_surface(format)) {
        return ew_fail(EW_BAD_INPUT,
                       "%s: is a surface; fill it with tets first: edgewise mesh %s "
                       "-o NAME.mesh",
                       path, path);
    }
    if (format != EW_FORMAT_MEDIT) {
        return ew_fail(EW_BAD_INPUT,
                       "%s: not a known mesh ending; known are .mesh (MEDIT) and "
                       ".node/.ele (TetGen)",
                       path);
    }
    ew_text text = {0};
    EW_TRY(tool_read_file(path, &text));
    ew_status status = ew_read_medit(text.data, text.size, mesh, mend);
    if (status) {
        tool_name_file(status, path);
    }
    ew_text_free(&text);
    return status;
}

static void tell_mend(const char *path, const ew_mesh_mend *mend)
{
    if (mend->n_reoriented) {
        printf("%s: %d left-handed tets were reoriented\n", path, (int)mend->n_reoriented);
    }
    if (mend->n_unused) {
        printf("%s: %d vertices belong to no tet and are left out\n", path, (int)mend->n_unused);
    }
}

ew_status tool_read_mesh(const char *path, bool quiet, ew_mesh *mesh)
{
    ew_mesh_mend mend;
    EW_TRY(read_mesh(path, mesh, &mend));
    if (!quiet) {
        tell_mend(path, &mend);
    }
    return EW_OK;
}

ew_status tool_read_surface(const char *path, ew_surface *surface, int32_t *n_welded)
{
    const ew_format format = ew_format_of_name(path);
    if (!ew_format_is_surface(format)) {
        return ew_fail(EW_BAD_INPUT, "%s: not a known surface ending; known are .off .obj .stl",
                       path);
    }
    ew_text text = {0};
    EW_TRY(tool_read_file(path, &text));
    ew_status status = ew_read_surface(format, text.data, text.size, surface, n_welded);
    if (status) {
        tool_name_file(status, path);
    }
    ew_text_free(&text);
    return status;
}

static ew_status write_tetgen(const char *path, const ew_mesh *mesh)
{
    static const char *endings[MOST_FILES] = {".node", ".ele", ".face"};
    char *name[MOST_FILES] = {NULL, NULL, NULL};
    ew_text text[MOST_FILES] = {{0}, {0}, {0}};
    ew_status status = ew_write_tetgen(mesh, true, &text[0], &text[1], &text[2]);
    for (int i = 0; i < MOST_FILES && !status; i++) {
        status = path_with_ending(path, endings[i], &name[i]);
    }
    if (!status) {
        const char *path_of[MOST_FILES] = {name[0], name[1], name[2]};
        status = write_files(MOST_FILES, path_of, text);
    }
    for (int i = 0; i < MOST_FILES; i++) {
        ew_release(name[i]);
        ew_text_free(&text[i]);
    }
    return status;
}

ew_status tool_write_mesh(const char *path, const ew_mesh *mesh)
{
    const ew_format format = ew_format_of_name(path);
    if (format == EW_FORMAT_TETGEN) {
        return write_tetgen(path, mesh);
    }
    if (format != EW_FORMAT_MEDIT) {
        return ew_fail(EW_BAD_INPUT,
                       "%s: not an ending that can be written; meshes are written as "
                       ".mesh (MEDIT) or .node/.ele/.face (TetGen)",
                       path);
    }
    ew_text text = {0};
    EW_TRY(ew_write_medit(mesh, true, &text));
    ew_status status = tool_write_file(path, &text);
    ew_text_free(&text);
    return status;
}
