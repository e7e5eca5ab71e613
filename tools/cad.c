/* CAD files: which program makes tets of them, and what came of it. */
#define _POSIX_C_SOURCE 200809L
#include "tool.h"

#include <string.h>
#include <unistd.h>

/* edgewise-gmsh in the folder of this program; false: there is none, or the folder is not known. */
static bool find_beside(char *path, size_t size)
{
    static const char name[] = "edgewise-gmsh";
    const ssize_t n = readlink("/proc/self/exe", path, size - sizeof name);
    if (n <= 0 || (size_t)n >= size - sizeof name) {
        return false;
    }
    path[n] = 0;
    char *slash = strrchr(path, '/');
    if (!slash) {
        return false;
    }
    strcpy(slash + 1, name);
    return access(path, X_OK) == 0;
}

static void print_report(const char *path, const ew_cad_def *def, const ew_cad_report *report,
                         const ew_mesh *mesh)
{
    char tets[32], time[32];
    ew_mesh_measure measure;
    ew_mesh_take_measure(mesh, &measure);
    tool_duration(report->seconds, time);
    tool_count(mesh->n_live_tet, tets);
    if (*report->unit) {
        printf("%s: lengths of the file are in %s\n", path, report->unit);
    }
    printf(
        "%s: %d solid%s, %s%d faces (%d with names), in %s; %s tets of quality %.2f or better by "
        "Gmsh in %s\n",
        path, (int)report->n_solid, report->n_solid == 1 ? "" : "s",
        def->solids == EW_CAD_APART && report->n_solid > 1 ? "apart, " : "", (int)report->n_face,
        (int)report->n_named, def->unit ? def->unit : "mm", tets, measure.min_quality, time);
}

ew_status tool_read_cad(const char *path, const ew_cad_def *def, bool quiet, ew_mesh *mesh,
                        ew_groups *groups, ew_mesh_repair *repair)
{
    char beside[4096];
    ew_cad_def own = *def;
    ew_cad_report report;
    if (!own.program && find_beside(beside, sizeof beside)) {
        own.program = beside;
    }
    const ew_status status = ew_cad_read(mesh, groups, path, &own, repair, &report);
    if (status) {
        return ew_fail_in_file(status, path);
    }
    if (!quiet) {
        print_report(path, &own, &report, mesh);
    }
    return EW_OK;
}

void tool_tell_unsure(const char *path, const ew_groups *groups)
{
    const ew_geometry_list *of = &groups->geometry;
    if (of->n_unsure) {
        printf("warning: %s: whether solids %d and %d lie in one another is not known, since "
               "OpenCASCADE did not find what they share (%d pair%s); look at them, or repair "
               "their faces before they are exported\n",
               path, (int)of->unsure[0], (int)of->unsure[1], (int)of->n_unsure,
               of->n_unsure == 1 ? "" : "s");
    }
}
