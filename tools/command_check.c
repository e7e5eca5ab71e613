/* edgewise check: every rule of mesh, tables and matrix on a user's mesh. */
#include "assembly/parts/assembly.h"
#include "tool.h"

static ew_status check_all(const ew_mesh *mesh)
{
    ew_topology topology = {0};
    ew_matrix matrix = {0};
    ew_materials materials = {0};
    ew_material *material = NULL;
    ew_status status = ew_mesh_check(mesh);
    if (!status) {
        status = ew_topology_build(&topology, mesh);
    }
    if (!status) {
        status = ew_topology_check(&topology, mesh);
    }
    if (!status) {
        status = ew_new(&material, (size_t)mesh->n_region, sizeof *material);
    }
    for (int32_t r = 0; r < mesh->n_region && !status; r++) {
        material[r] = (ew_material){.young = 1, .poisson = 0.3, .density = 1};
    }
    if (!status) {
        status = ew_materials_init(&materials, mesh->n_region, material);
    }
    if (!status) {
        status = ew_stiffness_build(&matrix, mesh, &topology, &materials);
    }
    if (!status) {
        status = ew_matrix_check(&matrix, &topology.pattern);
    }
    ew_topology_free(&topology);
    ew_matrix_free(&matrix);
    ew_materials_free(&materials);
    ew_release(material);
    return status;
}

int tool_check(int argc, char **argv)
{
    const tool_syntax syntax = {
        .command = "check",
        .arguments = "MESH",
        .summary = "check a mesh against every rule",
        .text = "Reads the mesh, then checks it, its neighbor tables and its stiffness matrix\n"
                "(with unit material). The first broken rule is named, with the vertices and\n"
                "tets concerned (numbered from 0), and the exit status is 2.",
        .min_arguments = 1,
        .max_arguments = 1,
    };
    int n;
    const int exit_status = tool_parse_options(&syntax, argc, argv, &n);
    if (exit_status >= 0) {
        return exit_status;
    }
    ew_mesh mesh = {0};
    char tets[32], vertices[32];
    ew_status status = tool_read_mesh(argv[1], false, &mesh, NULL);
    if (!status) {
        status = check_all(&mesh);
        if (status) {
            ew_fail_in_file(status, argv[1]);
        }
    }
    if (!status) {
        printf("%s: good (%s vertices, %s tets; mesh, tables and matrix checked)\n", argv[1],
               tool_count(mesh.n_active_vertex, vertices), tool_count(mesh.n_live_tet, tets));
    }
    ew_mesh_free(&mesh);
    return status ? tool_report_failure(status, NULL) : TOOL_DONE;
}
