/* The mesh as the last step of a run leaves it, in a file that edit commands and other cases go on
 * with. What can be refused is refused before the run. */
#define _POSIX_C_SOURCE 200809L
#include "study.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ew_status check_place(const char *path)
{
    char *folder = NULL;
    struct stat about;
    if (!stat(path, &about) && S_ISDIR(about.st_mode)) {
        return ew_fail(EW_IO, "%s: cannot be written: it is a folder", path);
    }
    EW_TRY(ew_file_beside(path, ".", &folder));
    const ew_status status =
        access(folder, W_OK) ? ew_fail(EW_IO, "%s: cannot be written: %s", path, strerror(errno))
                             : EW_OK;
    ew_release(folder);
    return status;
}

ew_status study_check_mesh(const tool_study *study, const char *name, bool has_frames)
{
    const char *path = study->options.mesh;
    if (!path) {
        return EW_OK;
    }
    if (study->input.sweep) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "%s: --mesh writes one mesh, and each combination of the case's %s has its "
                       "own; put the values of one into 'parameters'",
                       study->case_path, study->input.sweep->search ? "search" : "sweep");
    }
    EW_TRY(tool_expect_mesh_output(path));
    EW_TRY(check_place(path));
    return study_refuse_mesh(study, path, name, has_frames);
}

ew_status study_write_mesh(const tool_study *study)
{
    return study->options.mesh ? tool_write_mesh(study->options.mesh, &study->mesh, &study->groups)
                               : EW_OK;
}
