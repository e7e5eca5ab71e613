/* edgewise shape: a mesh of a built-in shape. */
#include "shape/shape.h"
#include "tool.h"

typedef struct shape_choice {
    int32_t kind;
    double size[3];
    int32_t cells[3];
    double radius, inner, thickness, length, width;
} shape_choice;

enum { BOX, PLATE, BRACKET, TORUS, SPHERE };

static ew_status make(const shape_choice *choice, ew_mesh *mesh)
{
    switch (choice->kind) {
    case BOX:
        return ew_shape_box(mesh, choice->size, choice->cells);
    case PLATE:
        return ew_shape_plate_hole(mesh, choice->length, choice->radius, choice->thickness,
                                   choice->cells);
    case BRACKET:
        return ew_shape_bracket(mesh, choice->length, choice->width, choice->thickness,
                                choice->radius, choice->cells[0]);
    case TORUS:
        return ew_shape_torus(mesh, choice->length, choice->radius, choice->cells);
    default:
        return ew_shape_sphere_octant(mesh, choice->inner, choice->radius, choice->cells);
    }
}

static void set_defaults(shape_choice *choice)
{
    static const int32_t cells[5][3] = {{8, 8, 8}, {16, 16, 2}, {2, 1, 1}, {24, 4, 1}, {8, 8, 1}};
    static const double radius[5] = {0, 0.1, 0.005, 0.25, 1};
    static const double length[5] = {0, 1, 0.08, 1, 0};
    static const double thickness[5] = {0, 0.1, 0.008, 0, 0};
    const int32_t kind = choice->kind;
    for (int32_t i = 0; i < 3; i++) {
        choice->cells[i] = cells[kind][i];
    }
    choice->radius = radius[kind];
    choice->length = length[kind];
    choice->thickness = thickness[kind];
}

int tool_shape(int argc, char **argv)
{
    shape_choice choice = {.size = {1, 1, 1}, .inner = 0.5, .width = 0.05};
    const char *output = NULL;
    static const char words[] = "box plate bracket torus sphere";
    const tool_option kind[] = {{.name = "kind",
                                 .kind = TOOL_CHOICE,
                                 .value = &choice.kind,
                                 .argument = "KIND",
                                 .words = words,
                                 .help = "which shape"}};
    const tool_option options[] = {
        tool_output_option(&output),
        {.name = "size",
         .kind = TOOL_VECTOR,
         .value = &choice.size,
         .argument = "X,Y,Z",
         .help = "box: its edges (1,1,1)"},
        {.name = "cells",
         .kind = TOOL_CELLS,
         .value = choice.cells,
         .argument = "N[,M[,K]]",
         .help = "resolution, see above"},
        tool_positive_option(
            "length", "L", &choice.length,
            "plate: half side (1); bracket: flange (0.08); torus: ring radius (1)"),
        tool_positive_option(
            "radius", "R", &choice.radius,
            "plate: hole (0.1); bracket: holes (0.005); torus: tube (0.25); sphere: outer (1)"),
        tool_positive_option("inner", "R", &choice.inner, "sphere: inner radius (0.5)"),
        tool_positive_option("width", "W", &choice.width, "bracket: along z (0.05)"),
        tool_positive_option("thickness", "T", &choice.thickness, "plate (0.1), bracket (0.008)"),
    };
    const tool_syntax syntax = {
        .command = "shape",
        .arguments = "KIND -o MESH",
        .summary = "make a mesh of a built-in shape",
        .text = "KIND and the meaning of --cells:\n"
                "  box      along x, y, z (8,8,8)\n"
                "  plate    a quarter of a square plate with a hole: along the arc (even),\n"
                "           radially, through the thickness (16,16,2)\n"
                "  bracket  an L-bracket with two bolt holes per flange: through the\n"
                "           thickness (2)\n"
                "  torus    around the ring, across the tube (24,4)\n"
                "  sphere   an octant of a hollow sphere: along an arc, radially (8,8)\n"
                "An option that another shape has is not read.\n"
                "Boundary triangles are labeled side by side; 'edgewise info' lists them and a\n"
                "case selects them with 'surface:'.\n\n"
                "example:\n  edgewise shape box --size 1,0.1,0.1 --cells 20,2,2 -o beam.mesh",
        .n_option = sizeof options / sizeof *options,
        .option = options,
        .min_arguments = 1,
        .max_arguments = 1,
    };
    const tool_syntax kind_syntax = {
        .command = "shape",
        .arguments = "KIND",
        .n_option = 1,
        .option = kind,
        .min_arguments = 0,
        .max_arguments = 0,
    };
    /* The kind decides the defaults, so it is read before the options. */
    int n = 0;
    if (argc > 1 && argv[1][0] != '-') {
        char *as_option[] = {argv[0], "--kind", argv[1]};
        const int exit_status = tool_parse_options(&kind_syntax, 3, as_option, &n);
        if (exit_status >= 0) {
            return exit_status;
        }
    }
    set_defaults(&choice);
    const int exit_status = tool_parse_options(&syntax, argc, argv, &n);
    if (exit_status >= 0) {
        return exit_status;
    }
    if (!output) {
        return tool_refuse("shape: say where to write with -o MESH");
    }
    ew_mesh mesh = {0};
    char tets[32], vertices[32];
    ew_status status = make(&choice, &mesh);
    if (!status) {
        status = tool_write_mesh(output, &mesh);
    }
    if (!status) {
        printf("%s: %s vertices, %s tets\n", output, tool_count(mesh.n_active_vertex, vertices),
               tool_count(mesh.n_live_tet, tets));
    }
    ew_mesh_free(&mesh);
    return status ? tool_report_failure(status, NULL) : TOOL_DONE;
}
