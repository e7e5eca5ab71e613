/* Folders of frames among the files that are replaced together (replace.c). In: a name, frames one
 * after the other. Out: a folder that takes its name as a file does. What it replaces, or what is
 * removed, holds nothing but frames: a folder with anything else in it is left alone. */
#define _DEFAULT_SOURCE
#include "results/replace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);
    return n > m && !strcmp(text + n - m, ending);
}

bool ew_is_frame_name(const char *name)
{
    return ends_with(name, ".obj") || ends_with(name, ".rib") || ends_with(name, ".vtu") ||
           !strcmp(name, "frames.csv");
}

static bool is_dots(const char *name)
{
    return !strcmp(name, ".") || !strcmp(name, "..");
}

ew_status ew_folder_check(const char *path)
{
    struct stat about;
    ew_status status = EW_OK;
    if (ew_has_control_character(path)) {
        return ew_fail(EW_BAD_ARGUMENT, "%s: a file name with a control character is refused",
                       path);
    }
    if (lstat(path, &about) != 0) {
        return EW_OK;
    }
    DIR *list = S_ISDIR(about.st_mode) ? opendir(path) : NULL;
    if (!list) {
        return ew_fail(EW_IO, "%s: cannot take this name: it is not a folder of frames", path);
    }
    for (struct dirent *entry; !status && (entry = readdir(list));) {
        if (!is_dots(entry->d_name) && !ew_is_frame_name(entry->d_name)) {
            status = ew_fail(EW_IO,
                             "%s: cannot take this name: the folder holds '%.80s', which is not a "
                             "frame; move it away",
                             path, entry->d_name);
        }
    }
    closedir(list);
    return status;
}

/* Of frames alone; what else is in it stays, and the folder with it. */
void ew_entry_remove(const char *path)
{
    if (unlink(path) == 0 || (errno != EISDIR && errno != EPERM)) {
        return;
    }
    DIR *list = opendir(path);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        if (ew_is_frame_name(entry->d_name)) {
            unlinkat(dirfd(list), entry->d_name, 0);
        }
    }
    if (list) {
        closedir(list);
    }
    rmdir(path);
}

bool ew_folder_sync(int descriptor)
{
    bool synced = true;
    const int again = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = again >= 0 ? fdopendir(again) : NULL;
    for (struct dirent *entry; list && synced && (entry = readdir(list));) {
        const int file = ew_is_frame_name(entry->d_name)
                             ? openat(descriptor, entry->d_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
                             : -1;
        if (file >= 0) {
            synced = ew_sync_descriptor(file);
            close(file);
        }
    }
    if (list) {
        closedir(list);
    }
    return list && synced && ew_sync_descriptor(descriptor);
}
