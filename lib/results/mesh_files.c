/* Meshes from files of all formats, those in HDF5 and CAD files included. In: paths. Out: meshes,
 * numbers; messages begin with the path. */
#include "results/foreign.h"

#include <string.h>
#include <strings.h>

bool ew_med_is_named(const char *path)
{
    const size_t n = strlen(path);
    return n > 4 && !strcasecmp(path + n - 4, ".med");
}

ew_status ew_med_read(const char *path, ew_mesh *mesh, ew_mesh_repair *repair, ew_groups *groups)
{
    ew_text gmsh = {0};
    EW_TRY(ew_med_to_gmsh(path, &gmsh));
    const ew_bytes bytes = {gmsh.data, gmsh.size};
    const ew_mesh_input input = {.file = &bytes};
    const ew_status status =
        ew_format_read_mesh(ew_format_of_name(".msh"), &input, mesh, repair, groups);
    ew_text_free(&gmsh);
    const long long tet = status ? ew_last_failure()->id[0] : -1;
    return tet >= 0 ? ew_fail(status, "%s: its tet %lld, counted from 0: %s", path, tet,
                              ew_status_text(status)) /* lines are those of the bytes between */
           : status ? ew_fail_prefix(status, "%s", path)
                    : EW_OK;
}

ew_status ew_hdf5_read_file(void *user, const char *path, ew_text *text)
{
    const char *dataset = ew_file_dataset(path);
    (void)user;
    if (!dataset) {
        return ew_file_read(path, text);
    }
    char *file;
    EW_TRY(ew_new(&file, strlen(path) + 1, 1));
    strcpy(file, path);
    file[dataset - path - 1] = '\0';
    const ew_status status = ew_hdf5_read_numbers(file, dataset, text);
    ew_release(file);
    return status;
}

ew_status ew_mesh_read_any(const char *path, const ew_cad_def *cad, ew_mesh *mesh,
                           ew_mesh_repair *repair, ew_groups *groups)
{
    const ew_cad_def preset = ew_default_cad_def();
    const ew_file_reader reader = {.read = ew_hdf5_read_file};
    if (ew_cad_reads(path)) {
        ew_mesh made;
        const ew_status status =
            ew_cad_read(&made, groups, path, cad ? cad : &preset, repair, NULL);
        if (status) {
            return ew_fail_in_file(status, path);
        }
        *mesh = made;
        return EW_OK;
    }
    if (ew_med_is_named(path)) {
        return ew_med_read(path, mesh, repair, groups);
    }
    return ew_format_of_name(path)
               ? ew_mesh_read(path, &reader, mesh, repair, groups)
               : ew_format_refuse(path, EW_FORMAT_MESH,
                                  ", .med (MED), " EW_CAD_ENDINGS " (CAD, by Gmsh)");
}
