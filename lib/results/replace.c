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
#include "results/replace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

ew_status ew_replace_recover(const char *first)
{
    char *record = NULL;
    EW_TRY(ew_path_with_ending(first, ".commit", &record));
    ew_status status = EW_OK;
    const int descriptor = ew_record_lock(record, false);
    if (descriptor < 0 && errno != ENOENT && errno != ENOTDIR) {
        status = ew_fail(EW_IO,
                         "%s: a killed program left %s half replaced, which cannot be "
                         "finished: %s",
                         first, ew_path_base(record), strerror(errno));
    }
    if (descriptor >= 0) {
        int n = 0;
        status = ew_record_settle_found(descriptor, first, record, &n);
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
        ew_entry_remove(path);
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
        if (is_leftover_name(entry->d_name, ew_path_base(path))) {
            char *found = NULL;
            status = ew_path_join(path, entry->d_name, strlen(entry->d_name), "", &found);
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

/* Makes a file or a folder that was not there; -1 with errno. */
static int open_part(const ew_replace_file *file)
{
    if (!file->is_folder) {
        return open(file->part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    return mkdir(file->part, 0777) == 0 ? open(file->part, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

static ew_status check_path(const ew_replace_file *file, const char *path)
{
    return file->is_folder ? ew_folder_check(path) : ew_path_check(path);
}

/* A part of its own for this process: made here, locked, and still there once locked. */
static ew_status make_part(ew_replace_file *file)
{
    char ending[64];
    for (int k = 0; k < 1000; k++) {
        char again[16] = "";
        snprintf(again, sizeof again, k ? ".%d" : "", k);
        snprintf(ending, sizeof ending, ".%ld%s.part", (long)getpid(), again);
        ew_release(file->part);
        EW_TRY(ew_path_with_ending(file->path, ending, &file->part));
        file->descriptor = open_part(file);
        if (file->descriptor < 0 && errno != EEXIST) {
            return ew_fail(EW_IO, "%s: cannot create: %s%s", file->path, strerror(errno),
                           errno == ENOENT ? "; make its folder first, or choose another name"
                                           : "");
        }
        if (file->descriptor >= 0) {
            const bool locked = flock(file->descriptor, LOCK_EX | LOCK_NB) == 0;
            if ((locked || errno != EWOULDBLOCK) && ew_is_at(file->descriptor, file->part)) {
                snprintf(ending, sizeof ending, ".%ld%s.old.part", (long)getpid(), again);
                return ew_path_with_ending(file->path, ending, &file->old);
            }
            close(file->descriptor);
            file->descriptor = -1;
        }
    }
    return ew_fail(EW_IO, "%s: no name for a temporary file is free", file->path);
}

static ew_status add(ew_replacement *set, const char *path, bool is_folder)
{
    ew_replace_file *file = &set->file[set->n];
    if (set->n == EW_REPLACE_MAX) {
        return ew_fail(EW_LIMIT, "%s: more than %d files are to be replaced together", path,
                       (int)EW_REPLACE_MAX);
    }
    *file = (ew_replace_file){.descriptor = -1, .is_folder = is_folder};
    EW_TRY(check_path(file, path));
    if (!set->folder) {
        EW_TRY(ew_replace_recover(path));
        EW_TRY(ew_path_with_ending(path, ".commit", &set->record));
        EW_TRY(ew_path_join(path, ".", 1, "", &set->folder));
    }
    EW_TRY(remove_leftovers(path, set->folder));
    set->n++;
    EW_TRY(ew_path_with_ending(path, "", &file->path));
    return make_part(file);
}

ew_status ew_replace_add(ew_replacement *set, const char *path, int *descriptor)
{
    EW_TRY(add(set, path, false));
    *descriptor = set->file[set->n - 1].descriptor;
    return EW_OK;
}

ew_status ew_replace_append_in(ew_replacement *set, const char *folder, const char *name,
                               const char *data, size_t size)
{
    const ew_replace_file *file = NULL;
    for (int k = 0; k < set->n; k++) {
        file = strcmp(set->file[k].path, folder) ? file : &set->file[k];
    }
    if (!file) {
        EW_TRY(add(set, folder, true));
        file = &set->file[set->n - 1];
    }
    if (!ew_is_frame_name(name) || strchr(name, '/')) {
        return ew_fail(EW_BAD_ARGUMENT, "%s: '%.80s' is no name of a frame", folder, name);
    }
    const int to = openat(file->descriptor, name,
                          O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
    while (to >= 0 && size > 0) {
        const ssize_t n = write(to, data, size);
        if (n > 0) {
            data += n;
            size -= (size_t)n;
        } else if (n == 0 || errno != EINTR) {
            errno = n ? errno : ENOSPC;
            break;
        }
    }
    if (to < 0 || size > 0) {
        const ew_status status =
            ew_fail(EW_IO, "%s/%s: cannot write: %s", folder, name, strerror(errno));
        if (to >= 0) {
            close(to);
        }
        return status;
    }
    return close(to) == 0
               ? EW_OK
               : ew_fail(EW_IO, "%s/%s: cannot write: %s", folder, name, strerror(errno));
}

/* Takes the file's part along. */
static ew_status rename_file(ew_replace_file *file, const char *name, size_t stem)
{
    ew_replace_file to = {0};
    char ending[64];
    snprintf(ending, sizeof ending, ".%ld.part", (long)getpid());
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_path_join(name, ew_path_base(name), strlen(ew_path_base(name)),
                            ew_path_base(file->path) + stem, &to.path));
    EW_TRY_OUT(check_path(file, to.path));
    EW_TRY_OUT(ew_path_with_ending(to.path, ending, &to.part));
    snprintf(ending, sizeof ending, ".%ld.old.part", (long)getpid());
    EW_TRY_OUT(ew_path_with_ending(to.path, ending, &to.old));
    if (rename(file->part, to.part) != 0) {
        status = ew_fail(EW_IO, "%s: cannot create: %s", to.path, strerror(errno));
        goto out;
    }
    to.descriptor = file->descriptor;
    to.is_folder = file->is_folder;
    const ew_replace_file from = *file;
    *file = to;
    to = from;
out:
    ew_release(to.path);
    ew_release(to.part);
    ew_release(to.old);
    return status;
}

ew_status ew_replace_rename(ew_replacement *set, const char *name)
{
    const char *first = ew_path_base(set->file[0].path), *dot = strrchr(first, '.');
    const size_t stem = dot ? (size_t)(dot - first) : strlen(first);
    for (int k = 0; k < set->n; k++) { /* all have this stem */
        EW_TRY(rename_file(&set->file[k], name, stem));
    }
    char *record = NULL, *folder = NULL;
    ew_status status = ew_path_with_ending(set->file[0].path, ".commit", &record);
    if (!status) {
        status = ew_path_join(name, ".", 1, "", &folder);
    }
    if (status) {
        ew_release(record);
        return status;
    }
    ew_release(set->record);
    ew_release(set->folder);
    set->record = record;
    set->folder = folder;
    return ew_replace_recover(set->file[0].path);
}

ew_status ew_replace_add_text(ew_replacement *set, const char *path, const char *data, size_t size)
{
    int descriptor = -1;
    EW_TRY(ew_replace_add(set, path, &descriptor));
    return ew_replace_append(set, path, data, size);
}

ew_status ew_replace_append(const ew_replacement *set, const char *path, const char *data,
                            size_t size)
{
    int descriptor = -1;
    for (int k = 0; k < set->n; k++) {
        descriptor = strcmp(set->file[k].path, path) ? descriptor : set->file[k].descriptor;
    }
    if (descriptor < 0) {
        return ew_fail(EW_BAD_ARGUMENT, "%s: is not among the files to be replaced", path);
    }
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

static ew_status commit(ew_replacement *set)
{
    for (int k = 0; k < set->n; k++) {
        const ew_replace_file *file = &set->file[k];
        EW_TRY(check_path(file, file->path));
        if (!(file->is_folder ? ew_folder_sync : ew_sync_descriptor)(file->descriptor)) {
            return ew_fail(EW_IO, "%s: cannot write: %s", set->file[k].path, strerror(errno));
        }
    }
    const int descriptor = ew_record_lock(set->record, true);
    if (descriptor < 0) {
        return ew_fail(EW_IO, "%s: cannot create: %s", set->record, strerror(errno));
    }
    int n = 0;
    ew_status status = ew_record_settle_found(descriptor, set->file[0].path, set->record, &n);
    if (!status && n > 0) { /* which took the record away */
        close(descriptor);
        return commit(set);
    }
    if (!status) {
        status = ew_record_write(set, descriptor);
    }
    if (status) {
        unlink(set->record);
    } else {
        status = ew_record_settle(set);
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
        ew_replace_free(set);
    }
    return status;
}

void ew_replace_abandon(ew_replacement *set)
{
    for (int k = 0; k < set->n; k++) {
        if (set->file[k].descriptor >= 0) {
            ew_entry_remove(set->file[k].part);
        }
    }
    ew_replace_free(set);
}
