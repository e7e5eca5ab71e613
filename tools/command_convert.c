/* edgewise convert: a mesh in another format, a result as .vtu files, a SOFA scene or a deck of
 * Abaqus or CalculiX as a case. */
#include "tool.h"

#include <string.h>

static bool ends_in(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && !strcmp(path + n - m, ending);
}

static ew_status convert_mesh(const char *in, const char *out, ew_mesh *mesh, ew_groups *groups)
{
    char tets[32], vertices[32];
    EW_TRY(tool_expect_mesh_output(out));
    EW_TRY(tool_refuse_same_mesh(in, out));
    EW_TRY(tool_read_mesh_for(in, out, false, mesh, groups));
    EW_TRY(tool_write_mesh(out, mesh, groups));
    printf("%s: %s vertices, %s tets\n", out, tool_count(mesh->n_active_vertex, vertices),
           tool_count(mesh->n_live_tet, tets));
    return EW_OK;
}

/* RESULT.vtkhdf to NAME.pvd. */
static int convert_result(const char *path, char *list)
{
    int32_t n = 0;
    char *result = NULL;
    ew_status status = tool_find_result(path, &result);
    status = status ? status : tool_refuse_same(result, list);
    list[strlen(list) - strlen(".pvd")] = '\0';
    status = status ? status : tool_write_vtu(result, list, &n);
    ew_release(result);
    if (status) {
        return tool_report_failure(status, NULL);
    }
    printf("%s.pvd: %d %s in a .vtu beside it\n", list, (int)n, n == 1 ? "frame," : "frames, each");
    return TOOL_DONE;
}

int tool_convert(int argc, char **argv)
{
    char formats[1024], text[2048];
    snprintf(
        text, sizeof text,
        "Formats go by the ending of the name:\n%sAny file of a mesh with several files stands for "
        "all of them. "
        "Vertices and tets keep their order.\nSurfaces are filled with tets by 'edgewise "
        "mesh'.\n\nThe frames of a result are written one by one as NAME.NNNNNN.vtu, and NAME.pvd "
        "lists\nthem: for programs that read neither .vtkhdf nor .xdmf.\n\nA SOFA scene (.scn, "
        ".xml) becomes a case OUT.yaml and its mesh OUT.mesh, a deck of\nAbaqus or CalculiX (.inp) "
        "a "
        "case OUT.yaml and its mesh OUT.msh; what has no\ncounterpart is "
        "listed with its line.\n\nexample:\n  edgewise "
        "convert part.mesh part.node\n  edgewise convert result.vtkhdf result.pvd\n  edgewise "
        "convert scene.scn case.yaml\n  edgewise convert part.inp part.yaml",
        tool_list_formats(false, formats));
    const tool_syntax syntax = {
        .command = "convert",
        .arguments = "IN OUT",
        .summary =
            "write a mesh in another format, a result as .vtu files, a scene or deck as a case",
        .text = text,
        .min_arguments = 2,
        .max_arguments = 2,
    };
    int n;
    const int exit_status = tool_parse_options(&syntax, argc, argv, &n);
    if (exit_status >= 0) {
        return exit_status;
    }
    if (ends_in(argv[2], ".pvd")) {
        return convert_result(argv[1], argv[2]);
    }
    if ((ends_in(argv[1], ".scn") || ends_in(argv[1], ".xml")) &&
        (ends_in(argv[2], ".yaml") || ends_in(argv[2], ".yml"))) {
        return convert_scene(argv[1], argv[2]);
    }
    if (ends_in(argv[1], ".inp") && (ends_in(argv[2], ".yaml") || ends_in(argv[2], ".yml"))) {
        return convert_deck(argv[1], argv[2]);
    }
    ew_mesh mesh = {0};
    ew_groups groups = {0};
    const ew_status status = convert_mesh(argv[1], argv[2], &mesh, &groups);
    ew_mesh_free(&mesh);
    ew_groups_free(&groups);
    return status ? tool_report_failure(status, NULL) : TOOL_DONE;
}
