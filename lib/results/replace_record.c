/* The record of files that take their names together. In: a set whose parts are on the disk, or a
 * record that a killed program left. Out: all of them under their names, or none. See replace.c. */
#define _DEFAULT_SOURCE
#include "results/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char head[] = "edgewise commit 1\n";
static const char tail[] = "end\n";

/* ---- the record of a killed program ---------------------------------------------- */

static bool ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);
    return n >= m && !strcmp(text + n - m, ending);
}

/* A name of the record: beside the first file, of the same stem, and `final` with an ending. */
static bool is_sound(const char *first, const char *final, const char *name, const char *ending)
{
    const char *base = ew_path_base(first);
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
        EW_TRY(ew_path_join(first, final, strlen(final), "", &file->path));
        set->n++;
        EW_TRY(ew_path_join(first, part, strlen(part), "", &file->part));
        EW_TRY(ew_path_join(first, old, strlen(old), "", &file->old));
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
    struct stat about;
    if (was_taken && lstat(file->path, &about) == 0 && S_ISDIR(about.st_mode)) {
        ew_entry_remove(file->path); /* nothing takes the name of a folder */
    }
    if (rename(file->old, file->path) == 0) {
        unlink(file->old); /* links to one file stay both */
    } else if (was_taken) {
        ew_entry_remove(file->path);
    }
    ew_entry_remove(file->part);
}

/* Completes or undoes the replacement by the record of the set, and removes the record. */
ew_status ew_record_settle(const ew_replacement *set)
{
    ew_status status = EW_OK;
    for (int k = 0; k < set->n && !status; k++) {
        if (!take_name(&set->file[k])) {
            status =
                ew_fail(EW_IO, "%s: cannot take this name: %s", set->file[k].path, strerror(errno));
        }
    }
    if (!status) {
        ew_sync_folder(set->folder);
    }
    for (int k = 0; k < set->n; k++) {
        if (status) {
            put_back(&set->file[k]);
        } else {
            ew_entry_remove(set->file[k].old);
        }
    }
    if (status) {
        ew_sync_folder(set->folder);
    }
    unlink(set->record);
    return status;
}

/* Opens and locks a record, so that two programs do not settle at once; -1 with errno. */
int ew_record_lock(const char *path, bool create)
{
    for (;;) {
        const int descriptor =
            open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (create ? O_CREAT : 0), 0666);
        if (descriptor < 0) {
            return -1;
        }
        while (flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
        }
        if (ew_is_at(descriptor, path)) {
            return descriptor;
        }
        close(descriptor); /* another program settled it and took it away */
    }
}

void ew_replace_free(ew_replacement *set)
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
ew_status ew_record_settle_found(int descriptor, const char *first, const char *record, int *n)
{
    ew_replacement found = {0};
    ew_status status = ew_path_with_ending(record, "", &found.record);
    if (!status) {
        status = ew_path_join(record, ".", 1, "", &found.folder);
    }
    if (!status) {
        status = read_record(descriptor, first, &found);
    }
    *n = found.n;
    if (!status && found.n > 0) {
        ew_record_settle(&found); /* done or undone: either is whole */
    }
    ew_replace_free(&found);
    return status;
}

ew_status ew_record_write(const ew_replacement *set, int descriptor)
{
    char text[EW_REPLACE_RECORD];
    size_t n = (size_t)snprintf(text, sizeof text, "%s", head);
    for (int k = 0; k < set->n && n < sizeof text; k++) {
        const ew_replace_file *file = &set->file[k];
        n += (size_t)snprintf(text + n, sizeof text - n, "%s\n%s\n%s\n", ew_path_base(file->path),
                              ew_path_base(file->part), ew_path_base(file->old));
    }
    if (n + sizeof tail > sizeof text) {
        return ew_fail(EW_IO, "%s: the name is too long", set->file[0].path);
    }
    n += (size_t)snprintf(text + n, sizeof text - n, "%s", tail);
    if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, text, n, 0) != (ssize_t)n ||
        !ew_sync_descriptor(descriptor)) {
        return ew_fail(EW_IO, "%s: cannot write: %s", set->record, strerror(errno));
    }
    ew_sync_folder(set->folder);
    return EW_OK;
}
