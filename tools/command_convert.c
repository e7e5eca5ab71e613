/* edgewise convert: a mesh in another format. */
#include "tool.h"

int tool_convert(int argc, char **argv)
{
    char formats[1024], text[1536];
    snprintf(text, sizeof text,
             "Formats go by the ending of the name:\n%sOf several files any name stands for all. "
             "Vertices and tets keep their order.\nSurfaces are filled with tets by 'edgewise "
             "mesh'.\n\nexample:\n  edgewise convert part.mesh part.node",
             tool_list_formats(false, formats));
    const tool_syntax syntax = {
        .command = "convert",
        .arguments = "IN OUT",
        .summary = "write a mesh in another format",
        .text = text,
        .min_arguments = 2,
        .max_arguments = 2,
    };
    int n;
    const int exit_status = tool_parse_options(&syntax, argc, argv, &n);
    if (exit_status >= 0) {
        return exit_status;
    }
    ew_mesh mesh = {0};
    char tets[32], vertices[32];
    ew_status status = tool_read_mesh(argv[1], false, &mesh);
    if (!status) {
        status = tool_write_mesh(argv[2], &mesh);
    }
    if (!status) {
        printf("%s: %s vertices, %s tets\n", argv[2], tool_count(mesh.n_active_vertex, vertices),
               tool_count(mesh.n_live_tet, tets));
    }
    ew_mesh_free(&mesh);
    return status ? tool_report_failure(status, NULL) : TOOL_DONE;
}
