/* edgewise convert: a mesh in another format. */
#include "tool.h"

int tool_convert(int argc, char **argv)
{
    const tool_syntax syntax = {
        .command = "convert",
        .arguments = "IN OUT",
        .summary = "write a mesh in another format",
        .text = "Formats go by the ending of the name:\n"
                "  .mesh              MEDIT (vertices, triangles, tetrahedra)\n"
                "  .node .ele .face   TetGen (give any of the three names)\n"
                "Vertices and tets keep their order. Surfaces (.off .obj .stl) are filled with\n"
                "tets by 'edgewise mesh'.\n\n"
                "example:\n  edgewise convert part.mesh part.node",
        .least_arguments = 2,
        .most_arguments = 2,
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
