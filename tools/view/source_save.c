/* Files of a case that was opened and is saved. In: the text of the changed case, and a mesh that
 * goes beside it or null. Out: both in the folder of the case, once the text reads. */
#define _POSIX_C_SOURCE 200809L
#include "ew_parts.h"
#include "source.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Regions of the file keep their names; sets are labels and ids of the case. */
static ew_status write_mesh(const tool_study *study, const char *path, const ew_mesh *mesh)
{
    ew_groups regions = {0};
    const ew_groups *all = &study->groups;
    EW_TRY(ew_new_zero(&regions.group, (size_t)all->n, sizeof *regions.group));
    for (int32_t g = 0; g < all->n; g++) {
        if (all->group[g].kind == EW_GROUP_TETS && all->group[g].is_label) {
            regions.group[regions.n++] = all->group[g];
        }
    }
    const ew_status status = tool_write_mesh(path, mesh, regions.n ? &regions : NULL);
    ew_release(regions.group);
    return status;
}

/* A mesh beside the case, which must not take the place of a file that is there for something else.
 */
static ew_status place_mesh(const tool_study *study, const char *case_path, const char *mesh_path,
                            const ew_mesh *mesh, char **path, bool *was_there)
{
    char *own = NULL;
    EW_TRY(ew_file_beside(case_path, mesh_path, path));
    if (study->input.mesh_file) {
        EW_TRY(ew_file_beside(study->case_path, study->input.mesh_file, &own));
        const ew_status status = tool_refuse_same(own, *path);
        ew_release(own);
        EW_TRY(status);
    }
    *was_there = !access(*path, F_OK);
    return write_mesh(study, *path, mesh);
}

/* Beside the case that was opened, whose files it names; once it reads. */
ew_status view_write_case(tool_study *study, const char *case_path, const ew_text *text,
                          const char *mesh_path, const ew_mesh *mesh, char *path, size_t size)
{
    ew_case input = {0};
    const char *old = study->case_path, *slash = strrchr(old, '/');
    const char *name = strrchr(case_path, '/');
    const size_t folder = slash ? (size_t)(slash - old) + 1 : 0;
    char *beside = NULL;
    bool was_there = false;
    if (name && ((size_t)(name - case_path) + 1 != folder || memcmp(case_path, old, folder) != 0)) {
        return ew_fail(EW_BAD_INPUT,
                       "save: the case names its files from where it is; give a name without a "
                       "folder, and it is written beside '%.200s'",
                       old);
    }
    snprintf(path, size, "%.*s%s", (int)folder, old, name ? name + 1 : case_path);
    ew_status status = mesh ? place_mesh(study, path, mesh_path, mesh, &beside, &was_there) : EW_OK;
    if (!status) {
        status = study_read_case_with(study, text->data, text->size, 0, NULL, &input);
        if (status && beside && !was_there) {
            (void)unlink(beside);
        }
        status = status ? ew_fail_prefix(status, "save: the changed case would not read") : EW_OK;
    }
    ew_release(beside);
    EW_TRY(status);
    ew_case_free(&input);
    return tool_write_file(path, text);
}
