/* Meshes and surfaces from files. In: a path, whose ending names the format. Out: what the files
 * hold, or one line that begins with the path. */
#define _POSIX_C_SOURCE 200809L
#include "format/parts/format.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIPE_TIMEOUT_MS = 5000, MIN_ROOM = 1 << 16, MAX_SIZE = INT32_MAX };

/* ---- one file ------------------------------------------------------------ */

/* Refuses folders, and devices, which may never end. A pipe must have a writer within some
 * seconds. */
static ew_status check_kind(const char *path, int descriptor, const struct stat *about)
{
    if (S_ISDIR(about->st_mode) || S_ISCHR(about->st_mode) || S_ISBLK(about->st_mode)) {
        return ew_fail(EW_IO, "%s: is a %s, not a file", path,
                       S_ISDIR(about->st_mode) ? "folder" : "device");
    }
    struct pollfd waiting = {.fd = descriptor, .events = POLLIN};
    return S_ISFIFO(about->st_mode) && poll(&waiting, 1, PIPE_TIMEOUT_MS) == 0
               ? ew_fail(EW_IO, "%s: is a pipe that nobody writes to", path)
               : EW_OK;
}

static ew_status enlarge(ew_text *text, size_t *room)
{
    const size_t wanted = *room < MAX_SIZE / 2 ? 2 * *room : MAX_SIZE;
    char *data;
    EW_TRY(ew_new(&data, wanted, 1));
    memcpy(data, text->data, text->size);
    ew_release(text->data);
    text->data = data;
    *room = wanted;
    return EW_OK;
}

/* Reads to the end; `size` is what the file system says, 0 for pipes. */
static ew_status read_to_end(int descriptor, size_t size, ew_text *text)
{
    size_t room = size < MIN_ROOM ? MIN_ROOM : size < MAX_SIZE ? size + 1 : MAX_SIZE;
    ssize_t got = 1;
    EW_TRY(ew_new(&text->data, room, 1));
    while (got > 0) {
        if (text->size == MAX_SIZE) {
            return ew_fail(EW_LIMIT, "is larger than 2 GiB; files of that size are not read");
        }
        if (text->size == room) {
            EW_TRY(enlarge(text, &room));
        }
        do {
            got = read(descriptor, text->data + text->size, room - text->size);
        } while (got < 0 && errno == EINTR);
        text->size += got > 0 ? (size_t)got : 0;
    }
    return got < 0 ? ew_fail(EW_IO, "reading failed: %s", strerror(errno)) : EW_OK;
}

ew_status ew_file_read(const char *path, ew_text *text)
{
    struct stat about = {.st_size = 0};
    ew_text read = {0};
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        return ew_fail(EW_IO, "%s: cannot be opened: %s", path, strerror(errno));
    }
    ew_status status = fstat(descriptor, &about) ? EW_OK : check_kind(path, descriptor, &about);
    if (!status) {
        fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
        status = read_to_end(descriptor, about.st_size > 0 ? (size_t)about.st_size : 0, &read);
        if (status) {
            ew_fail_prefix(status, "%s", path);
        }
    }
    close(descriptor);
    if (status) {
        ew_text_free(&read);
        return status;
    }
    *text = read;
    return EW_OK;
}

/* ---- paths --------------------------------------------------------------- */

ew_status ew_file_beside(const char *base, const char *name, char **path)
{
    const char *slash = strrchr(base, '/');
    const size_t folder = name[0] == '/' || !slash ? 0 : (size_t)(slash - base) + 1;
    EW_TRY(ew_new(path, folder + strlen(name) + 1, 1));
    memcpy(*path, base, folder);
    strcpy(*path + folder, name);
    return EW_OK;
}

const char *ew_file_dataset(const char *name)
{
    static const char *const endings[] = {".h5:/", ".hdf5:/", ".hdf:/"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const char *at = strstr(name, endings[i]);
        if (at) {
            return at + strlen(endings[i]) - 1;
        }
    }
    return NULL;
}

ew_status ew_format_file_name(const ew_format *format, const char *path, int32_t i, char **name)
{
    const char *dot = strrchr(path, '.'), *ending = format->endings;
    if (format->n_file == 1 || !dot) {
        EW_TRY(ew_new(name, strlen(path) + 1, 1));
        strcpy(*name, path);
        return EW_OK;
    }
    for (; i > 0; i--) {
        ending += strcspn(ending, " ");
        ending += strspn(ending, " ");
    }
    const size_t stem = (size_t)(dot - path), length = strcspn(ending, " ");
    EW_TRY(ew_new(name, stem + length + 1, 1));
    memcpy(*name, path, stem);
    memcpy(*name + stem, ending, length);
    (*name)[stem + length] = 0;
    return EW_OK;
}

/* ---- what a format can do ------------------------------------------------ */

static bool can(const ew_format *format, ew_format_use use)
{
    return use == EW_FORMAT_MESH      ? format->read_mesh != NULL
           : use == EW_FORMAT_SURFACE ? format->read_surface != NULL
                                      : format->write_mesh != NULL;
}

ew_status ew_format_refuse(const char *path, ew_format_use use, const char *others)
{
    static const char *const what[] = {"mesh", "surface", "mesh output"};
    char known[1024] = "";
    size_t n = 0;
    for (int32_t i = 0; ew_format_at(i) && n < sizeof known; i++) {
        const ew_format *format = ew_format_at(i);
        if (can(format, use)) {
            n += (size_t)snprintf(known + n, sizeof known - n, "%s%s (%s)", n ? ", " : "",
                                  format->endings, format->name);
        }
    }
    return ew_fail(EW_BAD_INPUT, "%s: not a known %s ending; known are %s%s", path, what[use],
                   known, others);
}

static ew_status find_format(const char *path, ew_format_use use, const ew_format **format)
{
    *format = ew_format_of_name(path);
    if (*format && can(*format, use)) {
        return EW_OK;
    }
    return use == EW_FORMAT_MESH && *format
               ? ew_fail(EW_BAD_INPUT, "%s: is a surface (%s), not a mesh of tets; fill it first",
                         path, (*format)->name)
               : ew_format_refuse(path, use, "");
}

/* ---- meshes and surfaces --------------------------------------------------- */

/* The files of one mesh or surface. Optional files that do not exist stay empty. */
typedef struct file_set {
    ew_text text[EW_FORMAT_MAX_FILES];
    ew_bytes bytes[EW_FORMAT_MAX_FILES];
} file_set;

static void free_files(file_set *files)
{
    for (int i = 0; i < EW_FORMAT_MAX_FILES; i++) {
        ew_text_free(&files->text[i]);
    }
}

static ew_status read_file(const ew_file_reader *reader, const char *path, ew_text *text)
{
    if (reader && reader->read) {
        return reader->read(reader->user, path, text);
    }
    return ew_file_dataset(path)
               ? ew_refuse(EW_RULE_READER,
                           "'%s', numbers in HDF5 (ew_mesh_read_any of edgewise_study does),", path)
               : ew_file_read(path, text);
}

static ew_status read_files(const ew_format *format, const char *path, const ew_file_reader *reader,
                            file_set *files)
{
    for (int32_t i = 0; i < format->n_file; i++) {
        char *name = NULL;
        EW_TRY(ew_format_file_name(format, path, i, &name));
        ew_status status = EW_OK;
        if (i < format->n_needed || access(name, F_OK) == 0) {
            status = read_file(reader, name, &files->text[i]);
            files->bytes[i] = (ew_bytes){files->text[i].data, files->text[i].size};
        }
        ew_release(name);
        EW_TRY(status);
    }
    return EW_OK;
}

/* A mesh file that includes others. */
typedef struct including {
    const char *path;
    const ew_file_reader *reader;
} including;

/* Reads a file that a mesh file includes; its path starts from the folder of that one. */
static ew_status read_included(void *user, const char *name, ew_text *text)
{
    const including *in = user;
    char *path = NULL;
    EW_TRY(ew_file_beside(in->path, name, &path));
    const ew_status status = read_file(in->reader, path, text);
    ew_release(path);
    return status;
}

ew_status ew_mesh_read(const char *path, const ew_file_reader *reader, ew_mesh *mesh,
                       ew_mesh_repair *repair, ew_groups *groups)
{
    const ew_format *format;
    file_set files = {0};
    EW_TRY(find_format(path, EW_FORMAT_MESH, &format));
    ew_status status = read_files(format, path, reader, &files);
    if (!status) {
        including in = {path, reader};
        const ew_mesh_input input = {files.bytes, &in, read_included};
        status = ew_format_read_mesh(format, &input, mesh, repair, groups);
        if (status) {
            ew_fail_in_file(status, path);
        }
    }
    free_files(&files);
    return status;
}

ew_status ew_surface_read(const char *path, ew_surface *surface, int32_t *n_welded,
                          ew_groups *groups)
{
    const ew_format *format;
    file_set files = {0};
    EW_TRY(find_format(path, EW_FORMAT_SURFACE, &format));
    ew_status status = read_files(format, path, NULL, &files);
    if (!status) {
        status = ew_format_read_surface(format, files.bytes, surface, n_welded, groups);
        if (status) {
            ew_fail_in_file(status, path);
        }
    }
    free_files(&files);
    return status;
}

ew_status ew_polygons_read(const char *path, ew_polygons *polygons)
{
    const ew_format *format;
    file_set files = {0};
    EW_TRY(find_format(path, EW_FORMAT_SURFACE, &format));
    ew_status status = read_files(format, path, NULL, &files);
    if (!status) {
        status = ew_format_read_polygons(format, files.bytes, polygons, NULL);
        if (status) {
            ew_fail_in_file(status, path);
        }
    }
    free_files(&files);
    return status;
}
