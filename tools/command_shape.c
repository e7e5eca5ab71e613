/* edgewise shape: a mesh of a built-in shape. */
#include "shape/parts/shape.h"
#include "tool.h"

#include <string.h>

typedef struct shape_choice {
    int32_t kind;
    double size[3];
    int32_t cells[3];
    double radius, inner, thickness, length, width;
} shape_choice;

enum { BOX, PLATE, BRACKET, TORUS, SPHERE };
static const char kinds[] = "box plate bracket torus sphere";

static const char help[] =
    "KIND and the meaning of --cells:\n"
    "  box      along x, y, z (8,8,8)\n"
    "  plate    a quarter of a square plate with a hole: along the arc (even),\n"
    "           radially, through the thickness (16,16,2)\n"
    "  bracket  an L-bracket with two bolt holes per flange: through the\n"
    "           thickness (2)\n"
    "  torus    around the ring, across the tube (24,4)\n"
    "  sphere   an octant of a hollow sphere: along an arc, radially (8,8)\n"
    "Options of other shapes are ignored.\n"
    "Boundary triangles are labeled side by side; 'edgewise info' lists them and a\n"
    "case selects them with 'surface:'.\n\n"
    "example:\n  edgewise shape box --size 1,0.1,0.1 --cells 20,2,2 -o beam.mesh";

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

/* The kind decides the presets, so it is read before the options. -1: go on. */
static int read_kind(const char *text, shape_choice *choice)
{
    char nearest[64];
    for (const char *word = kinds; *word; choice->kind++) {
        const size_t length = strcspn(word, " ");
        if (strlen(text) == length && !strncmp(text, word, length)) {
            return -1;
        }
        word += length;
        word += strspn(word, " ");
    }
    return ew_nearest_word(text, kinds, nearest)
               ? tool_refuse("shape: there is no shape '%.60s'; did you mean %s?", text, nearest)
               : tool_refuse("shape: there is no shape '%.60s'; it must be one of: %s", text,
                             kinds);
}

static int write_shape(const shape_choice *choice, const char *output)
{
    ew_mesh mesh = {0};
    char tets[32], vertices[32];
    ew_status status = make(choice, &mesh);
    if (!status) {
        status = tool_write_mesh(output, &mesh, NULL);
    }
    if (!status) {
        printf("%s: %s vertices, %s tets\n", output, tool_count(mesh.n_active_vertex, vertices),
               tool_count(mesh.n_live_tet, tets));
    }
    ew_mesh_free(&mesh);
    return status ? tool_report_failure(status, NULL) : TOOL_DONE;
}

int tool_shape(int argc, char **argv)
{
    shape_choice choice = {.size = {1, 1, 1}, .inner = 0.5, .width = 0.05};
    const char *output = NULL;
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
    const tool_syntax syntax = {.command = "shape",
                                .arguments = "KIND -o MESH",
                                .words = kinds,
                                .summary = "make a mesh of a built-in shape",
                                .text = help,
                                .n_option = sizeof options / sizeof *options,
                                .option = options,
                                .min_arguments = 1,
                                .max_arguments = 1};
    int n, exit_status = argc > 1 && argv[1][0] != '-' ? read_kind(argv[1], &choice) : -1;
    if (exit_status < 0) {
        set_defaults(&choice);
        exit_status = tool_parse_options(&syntax, argc, argv, &n);
    }
    if (exit_status >= 0) {
        return exit_status;
    }
    return output ? write_shape(&choice, output)
                  : tool_refuse("shape: say where to write with -o MESH");
}
