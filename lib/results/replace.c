/* New contents of files that belong together in, all of them under their names or none out, also
 * when the program is killed at any moment.
 *
 * Each file is written as NAME.<process>.part beside its place and brought to the disk. Then a
 * record, FIRST.commit, lists them; once it is on the disk the set counts as new. The parts
 * take their names, the files that had them are kept as NAME.<process>.old.part meanwhile, and the
 * record goes last. A record that is found was left by a killed program: what it lists is
 * finished, or where that cannot be done put back. Files of a living program are locked, so that
 * leftovers are known. */
#define _DEFAULT_SOURCE
#include "results/results.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char head[] = "edgewise commit 1\n";
static const char tail[] = "end\n";

/* ---- names ------------------------------------------------------------------- */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The folder's path with its slash, "" for the present one, and `name` behind it. */
static ew_status join(const char *beside, const char *name, size_t length, const char *ending,
                      char **path)
{
    const size_t folder = (size_t)(base_of(beside) - beside);
    EW_TRY(ew_new(path, folder + length + strlen(ending) + 1, 1));
    memcpy(*path, beside, folder);
    memcpy(*path + folder, name, length);
    strcpy(*path + folder + length, ending);
    return EW_OK;
}

static ew_status with_ending(const char *path, const char *ending, char **out)
{
    return join(path, base_of(path), strlen(base_of(path)), ending, out);
}

static ew_status check_path(const char *path)
{
    struct stat about;
    if (ew_has_control_character(path)) {
        return ew_fail(EW_BAD_ARGUMENT, "%s: a file name with a control character is refused",
                       path);
    }
    if (lstat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISLNK(about.st_mode)) {
        return ew_fail(EW_IO, "%s: cannot take this name: %s", path,
                       S_ISDIR(about.st_mode) ? "it is a folder" : "it is not a file");
    }
    return EW_OK;
}

/* ---- the disk ------------------------------------------------------------------ */

/* Some file systems cannot be asked; what they do is all there is. */
static bool sync_descriptor(int descriptor)
{
    return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

static void sync_folder(const char *folder)
{
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        sync_descriptor(descriptor);
        close(descriptor);
    }
}

/* Whether the descriptor is still what the path names. */
static bool is_at(int descriptor, const char *path)
{
    struct stat open_file, named;
    return fstat(descriptor, &open_file) == 0 && lstat(path, &named) == 0 &&
           open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

/* ---- the record of a killed program ---------------------------------------------- */

static bool ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);
    return n >= m && !strcmp(text + n - m, ending);
}

/* A name of the record: beside the first file, of the same stem, and `final` with an ending. */
static bool is_sound(const char *first, const char *final, const char *name, const char *ending)
{
    const char *base = base_of(first);
    const char *dot = strrchr(base, '.');
    const size_t stem = dot ? (size_t)(dot - base) : strlen(base);
    return !strchr(name, '/') && !strncmp(base, final, stem) &&
           !strncmp(name, final, strlen(final)) && ends_with(name, ending);
}

static char *next_line(char **at)
{
    char *line = *at;
    char *end = strchr(line, '\n');
    if (!end) {
        return NULL;
    }
    *end = '\0';
    *at = end + 1;
    return line;
}

/* The files that a complete record lists; none where it is not complete, since nothing was
 * renamed then. */
static ew_status read_record(int descriptor, const char *first, ew_replacement *set)
{
    char text[EW_REPLACE_RECORD];
    const ssize_t n = pread(descriptor, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    if (strncmp(text, head, strlen(head)) != 0 || !ends_with(text, tail)) {
        return EW_OK;
    }
    char *at = text + strlen(head);
    for (char *final = next_line(&at); final && strcmp(final, "end") != 0; final = next_line(&at)) {
        char *part = next_line(&at);
        char *old = part ? next_line(&at) : NULL;
        if (!old || set->n == EW_REPLACE_MAX || !is_sound(first, final, final, "") ||
            !is_sound(first, final, part, ".part") || !is_sound(first, final, old, ".old.part")) {
            set->n = 0;
            return EW_OK;
        }
        ew_replace_file *file = &set->file[set->n];
        file->descriptor = -1;
        EW_TRY(join(first, final, strlen(final), "", &file->path));
        set->n++;
        EW_TRY(join(first, part, strlen(part), "", &file->part));
        EW_TRY(join(first, old, strlen(old), "", &file->old));
    }
    return EW_OK;
}

/* ---- taking the names -------------------------------------------------------------- */

/* Keeps what has the name; a hard link where there are such, so that the name is never free. */
static bool keep_old(const ew_replace_file *file)
{
    if (link(file->path, file->old) == 0 || errno == ENOENT || errno == EEXIST) {
        return true;
    }
    return rename(file->path, file->old) == 0;
}

static bool take_name(const ew_replace_file *file)
{
    if (access(file->part, F_OK) != 0) {
        return errno == ENOENT; /* it has its name already */
    }
    return keep_old(file) && rename(file->part, file->path) == 0;
}

static void put_back(const ew_replace_file *file)
{
    const bool was_taken = access(file->part, F_OK) != 0;
    if (rename(file->old, file->path) == 0) {
        unlink(file->old); /* links to one file stay both */
    } else if (was_taken) {
        unlink(file->path);
    }
    unlink(file->part);
}

/* What the record of the set says is done, or undone; then the record goes. */
static ew_status settle(const ew_replacement *set)
{
    ew_status status = EW_OK;
    for (int k = 0; k < set->n && !status; k++) {
        if (!take_name(&set->file[k])) {
            status =
                ew_fail(EW_IO, "%s: cannot take this name: %s", set->file[k].path, strerror(errno));
        }
    }
    if (!status) {
        sync_folder(set->folder);
    }
    for (int k = 0; k < set->n; k++) {
        if (status) {
            put_back(&set->file[k]);
        } else {
            unlink(set->file[k].old);
        }
    }
    if (status) {
        sync_folder(set->folder);
    }
    unlink(set->record);
    return status;
}

/* Opens and locks a record, so that two programs do not settle at once; -1 with errno. */
static int lock_record(const char *path, bool create)
{
    for (;;) {
        const int descriptor =
            open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (create ? O_CREAT : 0), 0666);
        if (descriptor < 0) {
            return -1;
        }
        while (flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
        }
        if (is_at(descriptor, path)) {
            return descriptor;
        }
        close(descriptor); /* another program settled it and took it away */
    }
}

static void free_files(ew_replacement *set)
{
    for (int k = 0; k < set->n; k++) {
        ew_replace_file *file = &set->file[k];
        if (file->descriptor >= 0) {
            close(file->descriptor);
        }
        ew_release(file->path);
        ew_release(file->part);
        ew_release(file->old);
    }
    ew_release(set->record);
    ew_release(set->folder);
    *set = (ew_replacement){0};
}

/* Settles what the record of `first` lists; *n is the number of files. */
static ew_status settle_found(int descriptor, const char *first, const char *record, int *n)
{
    ew_replacement found = {0};
    ew_status status = with_ending(record, "", &found.record);
    if (!status) {
        status = join(record, ".", 1, "", &found.folder);
    }
    if (!status) {
        status = read_record(descriptor, first, &found);
    }
    *n = found.n;
    if (!status && found.n > 0) {
        settle(&found); /* done or undone: either is whole */
    }
    free_files(&found);
    return status;
}

ew_status ew_replace_recover(const char *first)
{
    char *record = NULL;
    EW_TRY(with_ending(first, ".commit", &record));
    ew_status status = EW_OK;
    const int descriptor = lock_record(record, false);
    if (descriptor >= 0) {
        int n = 0;
        status = settle_found(descriptor, first, record, &n);
        if (!status && n == 0) {
            unlink(record);
        }
        close(descriptor);
    }
    ew_release(record);
    return status;
}

/* ---- leftovers ------------------------------------------------------------------------ */

/* NAME.<digits>[.<digits>][.old].part */
static bool is_leftover_name(const char *entry, const char *base)
{
    const size_t n = strlen(base);
    if (strncmp(entry, base, n) != 0 || entry[n] != '.') {
        return false;
    }
    const char *at = entry + n + 1;
    const size_t digits = strspn(at, "0123456789.");
    return digits > 0 && (!strcmp(at + digits, "part") || !strcmp(at + digits, "old.part"));
}

static void remove_unlocked(const char *path)
{
    const int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
        unlink(path);
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
}

/* Removes the parts of killed programs: those that nobody has locked. */
static ew_status remove_leftovers(const char *path, const char *folder)
{
    ew_status status = EW_OK;
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && !status && (entry = readdir(list));) {
        if (is_leftover_name(entry->d_name, base_of(path))) {
            char *found = NULL;
            status = join(path, entry->d_name, strlen(entry->d_name), "", &found);
            if (!status) {
                remove_unlocked(found);
            }
            ew_release(found);
        }
    }
    if (list) {
        closedir(list);
    }
    return status;
}

/* ---- a set ---------------------------------------------------------------------------- */

/* A part of its own for this process: made here, locked, and still there once locked. */
static ew_status make_part(ew_replace_file *file)
{
    char ending[64];
    for (int k = 0; k < 1000; k++) {
        char again[16] = "";
        snprintf(again, sizeof again, k ? ".%d" : "", k);
        snprintf(ending, sizeof ending, ".%ld%s.part", (long)getpid(), again);
        ew_release(file->part);
        EW_TRY(with_ending(file->path, ending, &file->part));
        file->descriptor = open(file->part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file->descriptor < 0 && errno != EEXIST) {
            return ew_fail(EW_IO, "%s: cannot create: %s", file->path, strerror(errno));
        }
        if (file->descriptor >= 0) {
            const bool locked = flock(file->descriptor, LOCK_EX | LOCK_NB) == 0;
            if ((locked || errno != EWOULDBLOCK) && is_at(file->descriptor, file->part)) {
                snprintf(ending, sizeof ending, ".%ld%s.old.part", (long)getpid(), again);
                return with_ending(file->path, ending, &file->old);
            }
            close(file->descriptor);
            file->descriptor = -1;
        }
    }
    return ew_fail(EW_IO, "%s: no name for a temporary file is free", file->path);
}

ew_status ew_replace_add(ew_replacement *set, const char *path, int *descriptor)
{
    EW_ASSERT(set->n < EW_REPLACE_MAX);
    EW_TRY(check_path(path));
    if (!set->folder) {
        EW_TRY(ew_replace_recover(path));
        EW_TRY(with_ending(path, ".commit", &set->record));
        EW_TRY(join(path, ".", 1, "", &set->folder));
    }
    EW_TRY(remove_leftovers(path, set->folder));
    ew_replace_file *file = &set->file[set->n++];
    *file = (ew_replace_file){.descriptor = -1};
    EW_TRY(with_ending(path, "", &file->path));
    EW_TRY(make_part(file));
    *descriptor = file->descriptor;
    return EW_OK;
}

ew_status ew_replace_add_text(ew_replacement *set, const char *path, const char *data, size_t size)
{
    int descriptor = -1;
    EW_TRY(ew_replace_add(set, path, &descriptor));
    while (size > 0) {
        const ssize_t n = write(descriptor, data, size);
        if (n > 0) {
            data += n;
            size -= (size_t)n;
        } else if (n == 0 || errno != EINTR) {
            return ew_fail(EW_IO, "%s: cannot write: %s", path, strerror(n ? errno : ENOSPC));
        }
    }
    return EW_OK;
}

static ew_status write_record(const ew_replacement *set, int descriptor)
{
    char text[EW_REPLACE_RECORD];
    size_t n = (size_t)snprintf(text, sizeof text, "%s", head);
    for (int k = 0; k < set->n && n < sizeof text; k++) {
        const ew_replace_file *file = &set->file[k];
        n += (size_t)snprintf(text + n, sizeof text - n, "%s\n%s\n%s\n", base_of(file->path),
                              base_of(file->part), base_of(file->old));
    }
    if (n + sizeof tail > sizeof text) {
        return ew_fail(EW_IO, "%s: the name is too long", set->file[0].path);
    }
    n += (size_t)snprintf(text + n, sizeof text - n, "%s", tail);
    if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, text, n, 0) != (ssize_t)n ||
        !sync_descriptor(descriptor)) {
        return ew_fail(EW_IO, "%s: cannot write: %s", set->record, strerror(errno));
    }
    sync_folder(set->folder);
    return EW_OK;
}

static ew_status commit(ew_replacement *set)
{
    for (int k = 0; k < set->n; k++) {
        EW_TRY(check_path(set->file[k].path));
        if (!sync_descriptor(set->file[k].descriptor)) {
            return ew_fail(EW_IO, "%s: cannot write: %s", set->file[k].path, strerror(errno));
        }
    }
    const int descriptor = lock_record(set->record, true);
    if (descriptor < 0) {
        return ew_fail(EW_IO, "%s: cannot create: %s", set->record, strerror(errno));
    }
    int n = 0;
    ew_status status = settle_found(descriptor, set->file[0].path, set->record, &n);
    if (!status && n > 0) { /* which took the record away */
        close(descriptor);
        return commit(set);
    }
    if (!status) {
        status = write_record(set, descriptor);
    }
    if (status) {
        unlink(set->record);
    } else {
        status = settle(set);
    }
    close(descriptor);
    return status;
}

ew_status ew_replace_commit(ew_replacement *set)
{
    const ew_status status = set->n > 0 ? commit(set) : EW_OK;
    if (status) {
        ew_replace_abandon(set);
    } else {
        free_files(set);
    }
    return status;
}

void ew_replace_abandon(ew_replacement *set)
{
    for (int k = 0; k < set->n; k++) {
        if (set->file[k].descriptor >= 0) {
            unlink(set->file[k].part);
        }
    }
    free_files(set);
}
