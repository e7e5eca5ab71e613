/* edgewise convert: a mesh in another format, a result as .vtu files, a SOFA scene or a deck of
 * Abaqus, CalculiX or Nastran as a case. */
#include "tool.h"

#include <string.h>

static bool ends_in(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && !strcmp(path + n - m, ending);
}

/* Labeled triangles stand beside the tets of a .vtu where they are asked for alone: filters of
 * ParaView would take them for a second body. */
static ew_status convert_mesh(const char *in, const char *out, bool has_triangles, ew_mesh *mesh,
                              ew_groups *groups)
{
    char tets[32], vertices[32];
    EW_TRY(tool_expect_mesh_output(out));
    EW_TRY(tool_refuse_same_mesh(in, out));
    EW_TRY(tool_read_mesh_for(in, out, false, mesh, groups));
    const int32_t n_face = mesh->n_face;
    mesh->n_face = ends_in(out, ".vtu") && !has_triangles ? 0 : n_face;
    const ew_status status = tool_write_mesh(out, mesh, groups);
    if (!status) {
        printf("%s: %s vertices, %s tets%s\n", out, tool_count(mesh->n_active_vertex, vertices),
               tool_count(mesh->n_live_tet, tets),
               mesh->n_face < n_face ? "; labeled triangles are left out, --triangles writes them"
                                     : "");
    }
    mesh->n_face = n_face;
    return status;
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
        "mesh'.\n\nOUT.stl (binary) and OUT.obj (with groups) are the surface of the body, closed and "
        "manifold.\nWith --smooth the steps of removed tets go, the volume and labeled triangles "
        "(sides that\nare fixed or loaded) stay.\n\nThe frames of a result are written one by one as NAME.NNNNNN.vtu, and NAME.pvd "
        "lists\nthem: for programs that read neither .vtkhdf nor .xdmf.\n\nA SOFA scene (.scn, "
        ".xml) becomes a case OUT.yaml and its mesh OUT.mesh, a deck of\nAbaqus or CalculiX "
        "(.inp), or of "
        "Nastran (.bdf, .nas), a case OUT.yaml and its mesh\nOUT.msh; what has no\ncounterpart is "
        "listed with its line.\n\nexample:\n  edgewise "
        "convert part.mesh part.node\n  edgewise convert result.vtkhdf result.pvd\n  edgewise "
        "convert lighter.mesh lighter.stl --smooth 20\n  edgewise "
        "convert scene.scn case.yaml\n  edgewise convert part.inp part.yaml",
        tool_list_formats(false, formats));
    int32_t n_pass = 0;
    bool has_triangles = false;
    const char *keep = NULL;
    const tool_option options[] = {
        {.name = "smooth",
         .kind = TOOL_INTEGER,
         .value = &n_pass,
         .argument = "N",
         .low = 0,
         .high = 10000,
         .help = "OUT.stl, OUT.obj: passes of smoothing; the volume stays (0)"},
        {.name = "keep",
         .kind = TOOL_TEXT,
         .value = &keep,
         .argument = "LABELS",
         .help = "triangles that smoothing leaves, names or numbers, or none (all with a label)"},
        {.name = "triangles",
         .kind = TOOL_FLAG,
         .value = &has_triangles,
         .help = "OUT.vtu: labeled triangles beside the tets"},
    };
    const tool_syntax syntax = {
        .command = "convert",
        .n_option = sizeof options / sizeof *options,
        .option = options,
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
    if ((ends_in(argv[1], ".bdf") || ends_in(argv[1], ".nas")) &&
        (ends_in(argv[2], ".yaml") || ends_in(argv[2], ".yml"))) {
        return convert_nastran(argv[1], argv[2]);
    }
    if (convert_is_surface(argv[2])) {
        const ew_status made = convert_to_surface(argv[1], argv[2], n_pass, keep);
        return made ? tool_report_failure(made, NULL) : TOOL_DONE;
    }
    if (n_pass || keep) {
        return tool_refuse("convert: --smooth and --keep go with surfaces, OUT.stl or OUT.obj");
    }
    ew_mesh mesh = {0};
    ew_groups groups = {0};
    const ew_status status = convert_mesh(argv[1], argv[2], has_triangles, &mesh, &groups);
    ew_mesh_free(&mesh);
    ew_groups_free(&groups);
    return status ? tool_report_failure(status, NULL) : TOOL_DONE;
}
