/* Kinds of files by the ending of their names, and for a file of the wrong kind the command
 * that takes it. In: a path. Out: the path of a result, or one line. */
#define _POSIX_C_SOURCE 200809L
#include "result_info.h"
#include "study.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ends_in(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && !strcasecmp(path + n - m, ending);
}

/* Neither a folder nor a device, of which reading says what they are. */
static bool is_file(const char *path)
{
    struct stat about;
    return !stat(path, &about) && S_ISREG(about.st_mode);
}

static bool is_scene(const char *path)
{
    return ends_in(path, ".scn") || ends_in(path, ".xml");
}

/* The path with another ending, behind its own or in place of it. */
static ew_status replace_ending(const char *path, size_t stem, const char *ending, char **made)
{
    EW_TRY(ew_new_zero(made, stem + strlen(ending) + 1, 1));
    memcpy(*made, path, stem);
    strcat(*made, ending);
    return EW_OK;
}

static size_t stem_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    return dot && dot > (slash ? slash : path) ? (size_t)(dot - path) : strlen(path);
}

static bool has_result_beside(const char *path)
{
    char *result = NULL;
    const bool has =
        !replace_ending(path, stem_of(path), ".vtkhdf", &result) && access(result, F_OK) == 0;
    ew_release(result);
    return has;
}

bool tool_is_mesh_name(const char *path)
{
    const bool is_mesh = ew_format_of_name(path) || ew_cad_reads(path) || ew_med_is_named(path);
    return is_mesh && !(ends_in(path, ".xdmf") && has_result_beside(path));
}

/* Reading says that a file is not there, but not that only its ending is missing. */
static ew_status expect_ending(const char *path)
{
    char *with = NULL;
    EW_TRY(replace_ending(path, strlen(path), ".yaml", &with));
    const bool is_there = access(with, F_OK) == 0;
    ew_release(with);
    return is_there ? ew_fail(EW_BAD_INPUT, "%s: is not there; did you mean %s.yaml?", path, path)
                    : EW_OK;
}

ew_status tool_expect_case(const char *path)
{
    const ew_format *format = ew_format_of_name(path);
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (!is_file(path)) {
        return expect_ending(path);
    }
    if (is_scene(path) || ends_in(path, ".inp")) {
        return ew_fail(EW_BAD_INPUT,
                       "%s: is a %s, not a case; make a case of it first: edgewise convert %s "
                       "NAME.yaml",
                       path, is_scene(path) ? "SOFA scene" : "deck", path);
    }
    if (result_is_named(path) || (ends_in(path, ".xdmf") && !tool_is_mesh_name(path))) {
        return ew_fail(EW_BAD_INPUT,
                       "%s: is a result, not a case; 'edgewise report' shows it, 'edgewise replay' "
                       "solves it again",
                       path);
    }
    if (tool_is_mesh_name(path)) {
        const bool is_surface = format && !format->read_mesh;
        const char *kind = is_surface ? "surface" : ew_cad_reads(path) ? "CAD file" : "mesh";
        return ew_fail(EW_BAD_INPUT,
                       "%s: is a %s, not a case; write a case, a YAML file with 'mesh: %s%s%s', "
                       "material, constraints and loads (datasets/ has examples); 'edgewise %s %s' "
                       "%s",
                       path, kind, is_surface ? "{surface: " : "", name, is_surface ? "}" : "",
                       is_surface ? "mesh" : "info", path,
                       is_surface ? "fills it with tets" : "tells what it holds");
    }
    return EW_OK;
}

ew_status tool_expect_mesh(const char *path, bool is_surface)
{
    if (case_is_named(path)) {
        return ew_fail(EW_BAD_INPUT,
                       "%s: is a case, not a mesh; 'edgewise info' shows its mesh and sets, "
                       "'edgewise run --mesh' writes the mesh that it ends with",
                       path);
    }
    if (result_is_named(path) || ends_in(path, ".xdmf") || is_scene(path)) {
        return ew_fail(EW_BAD_INPUT, "%s: is a %s, not a mesh; 'edgewise convert' takes it", path,
                       is_scene(path) ? "SOFA scene" : "result");
    }
    if (is_surface && ew_cad_reads(path)) {
        return ew_fail(
            EW_BAD_INPUT,
            "%s: is a CAD file, not a surface; a case takes it as 'mesh: FILE', or with a "
            "size 'mesh: {file: FILE, size: 5}'",
            path);
    }
    return is_surface && tool_is_mesh_name(path)
               ? ew_fail(EW_BAD_INPUT,
                         "%s: is a mesh of tets already, not a surface; a case takes it as 'mesh: "
                         "FILE', 'edgewise remesh' makes other tets of it",
                         path)
               : EW_OK;
}

const char *tool_command_for(const char *path)
{
    return case_is_named(path)       ? "run"
           : result_is_named(path)   ? "report"
           : tool_is_mesh_name(path) ? "info"
                                     : NULL;
}

/* Files beside NAME.vtkhdf, or none. */
static bool is_beside_result(const char *path)
{
    static const char *const endings[] = {".xdmf", ".csv", ".html", ".pvd", ".checkpoint"};
    bool is = !path[stem_of(path)];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        is = is || ends_in(path, endings[i]);
    }
    return is;
}

static ew_status refuse_result(const char *path)
{
    if (case_is_named(path)) {
        return ew_fail(EW_BAD_INPUT,
                       "%s: is a case, not a result; solve it first, 'edgewise run %s', and give "
                       "the NAME.vtkhdf that this writes",
                       path, path);
    }
    if (access(path, F_OK) == 0 && (tool_is_mesh_name(path) || is_scene(path))) {
        return ew_fail(
            EW_BAD_INPUT,
            "%s: is not a result; a result is the NAME.vtkhdf that 'edgewise run' writes", path);
    }
    return ew_fail(EW_BAD_INPUT,
                   "%s: is %s, and there is no result NAME.vtkhdf beside it; give one that "
                   "'edgewise run' wrote",
                   path, access(path, F_OK) ? "not there" : "no result");
}

ew_status tool_find_result(const char *path, char **result)
{
    const bool is_there = access(path, F_OK) == 0;
    char *partial = NULL;
    EW_TRY(replace_ending(path, strlen(path), "", result));
    if (result_is_named(path) && !is_there) {
        EW_TRY(replace_ending(path, stem_of(path), ".partial.vtkhdf", &partial));
    }
    ew_status status = EW_OK;
    if (partial && access(partial, F_OK) == 0) {
        status = ew_fail(EW_IO,
                         "%s: is not there; the run stopped before its end and left %s, which can "
                         "be read as well",
                         path, partial);
    } else if (!result_is_named(path) && (!is_there || is_file(path))) {
        ew_release(*result);
        *result = NULL;
        status = replace_ending(path, stem_of(path), ".vtkhdf", result);
        if (!status && (!is_beside_result(path) || access(*result, F_OK))) {
            status = refuse_result(path);
        }
    }
    ew_release(partial);
    if (status) {
        ew_release(*result);
        *result = NULL;
    }
    return status;
}
