/* Paths of files that are replaced together, and what brings a file to the disk. */
#define _DEFAULT_SOURCE
#include "results/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *ew_path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The folder's path with its slash, "" for the present one, and `name` behind it. */
ew_status ew_path_join(const char *beside, const char *name, size_t length, const char *ending,
                       char **path)
{
    const size_t folder = (size_t)(ew_path_base(beside) - beside);
    EW_TRY(ew_new(path, folder + length + strlen(ending) + 1, 1));
    memcpy(*path, beside, folder);
    memcpy(*path + folder, name, length);
    strcpy(*path + folder + length, ending);
    return EW_OK;
}

ew_status ew_path_with_ending(const char *path, const char *ending, char **out)
{
    return ew_path_join(path, ew_path_base(path), strlen(ew_path_base(path)), ending, out);
}

ew_status ew_path_check(const char *path)
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

/* Some file systems cannot be asked; what they do is all there is. */
bool ew_sync_descriptor(int descriptor)
{
    return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

void ew_sync_folder(const char *folder)
{
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        ew_sync_descriptor(descriptor);
        close(descriptor);
    }
}

/* Whether the descriptor is still what the path names. */
bool ew_is_at(int descriptor, const char *path)
{
    struct stat open_file, named;
    return fstat(descriptor, &open_file) == 0 && lstat(path, &named) == 0 &&
           open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}
