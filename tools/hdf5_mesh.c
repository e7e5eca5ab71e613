/* Meshes that are in HDF5 files, or whose numbers are: MED, and the data beside a file of XDMF. In:
 * paths. Out: meshes, numbers; messages begin with the path. */
#include "results/results.h"
#include "tool.h"

#include <string.h>
#include <strings.h>

bool tool_is_med(const char *path)
{
    const size_t n = strlen(path);
    return n > 4 && !strcasecmp(path + n - 4, ".med");
}

ew_status tool_read_med(const char *path, ew_mesh *mesh, ew_mesh_repair *repair, ew_groups *groups)
{
    ew_text gmsh = {0};
    EW_TRY(ew_med_to_gmsh(path, &gmsh));
    const ew_bytes bytes = {gmsh.data, gmsh.size};
    const ew_mesh_input input = {.file = &bytes};
    const ew_status status = ew_read_mesh(ew_format_of_name(".msh"), &input, mesh, repair, groups);
    ew_text_free(&gmsh);
    const long long tet = status ? ew_last_failure()->id[0] : -1;
    return tet >= 0 ? ew_fail(status, "%s: its tet %lld, counted from 0: %s", path, tet,
                              ew_status_text(status)) /* lines are those of the bytes between */
           : status ? ew_fail_prefix(status, "%s", path)
                    : EW_OK;
}

const char *tool_dataset_of(const char *name)
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
