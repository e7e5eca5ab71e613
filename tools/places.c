/* Which paths are one file. In: paths as users write them. Out: whether they lead to one place,
 * there or not yet. */
#define _POSIX_C_SOURCE 200809L
#include "tool.h"

#include <string.h>
#include <sys/stat.h>

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* What is known of the folder of a path; false: there is none. */
static bool find_folder(const char *path, struct stat *about)
{
    char *folder = NULL;
    const size_t n = (size_t)(base_of(path) - path);
    if (ew_new(&folder, n + 2, 1)) {
        return false;
    }
    memcpy(folder, path, n);
    memcpy(folder + n, ".", 2);
    const bool found = !stat(folder, about);
    ew_release(folder);
    return found;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool tool_is_beside(const char *path, const char *ending, const char *name)
{
    const char *own = base_of(path), *of_name = base_of(name);
    const size_t n = strlen(of_name), end = strlen(ending);
    struct stat folder, other;
    return strlen(own) == n + end && !strncmp(own, of_name, n) && !strcmp(own + n, ending) &&
           find_folder(path, &folder) && find_folder(name, &other) && is_same(&folder, &other);
}

bool tool_is_same_place(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return tool_is_beside(a, "", b) ||
           (!stat(a, &of_a) && !stat(b, &of_b) && is_same(&of_a, &of_b));
}
