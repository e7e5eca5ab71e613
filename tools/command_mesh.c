/* edgewise mesh: a closed triangle surface filled with tets. */
#include "tool.h"

#include <string.h>

#if EW_WITH_TETGEN
static ew_status fill(const char *path, const ew_tetgen_def *def, ew_mesh *mesh, ew_groups *groups)
{
    ew_surface surface = {0};
    int32_t n_welded = 0;
    ew_groups named = {0};
    EW_TRY(tool_read_surface(path, &surface, &n_welded, &named));
    if (n_welded) {
        char text[32];
        printf("%s: %s repeated points were welded\n", path, tool_count(n_welded, text));
    }
    ew_status status = ew_tetgen_mesh(mesh, &surface, def, NULL);
    ew_surface_free(&surface);
    if (status || !groups) {
        ew_groups_free(&named);
    } else {
        *groups = named;
    }
    return status ? tool_name_file(status, path) : EW_OK;
}
#endif

ew_status tool_fill_surface(const char *path, const ew_tetgen_def *def, ew_mesh *mesh,
                            ew_groups *groups)
{
#if EW_WITH_TETGEN
    return fill(path, def, mesh, groups);
#else
    (void)def;
    (void)mesh;
    (void)groups;
    return ew_fail(EW_UNSUPPORTED,
                   "%s: this program was built without TetGen; configure with "
                   "-DEW_WITH_TETGEN=ON to mesh surfaces",
                   path);
#endif
}

int tool_mesh(int argc, char **argv)
{
    ew_tetgen_def def = ew_default_tetgen_def();
    const char *output = NULL;
    tool_option max_volume =
        tool_positive_option("max-volume", "VOLUME", &def.max_volume, "largest volume of a tet");
    max_volume.letter = 'a';
    const tool_option options[] = {
        tool_output_option(&output),
        {.name = "quality",
         .letter = 'q',
         .kind = TOOL_NUMBER,
         .value = &def.quality,
         .argument = "RATIO",
         .low = 1,
         .high = 100,
         .help = "largest radius-edge ratio of a tet (1.4 good, 2 quick)"},
        max_volume,
        {.name = "keep-surface",
         .kind = TOOL_FLAG,
         .value = &def.keep_surface,
         .help = "do not split the surface's triangles"},
        {.name = "max-seconds",
         .kind = TOOL_NUMBER,
         .value = &def.max_seconds,
         .argument = "S",
         .low = 0,
         .high = 1e9,
         .help = "stop TetGen after this time (600; 0: never)"},
        {.name = "max-memory",
         .kind = TOOL_NUMBER,
         .value = &def.max_memory,
         .argument = "GIB",
         .low = 0,
         .high = 1e9,
         .help = "memory that TetGen may take (16; 0: no bound)"},
    };
    char formats[1024], text[1536];
    snprintf(
        text, sizeof text,
        "SURFACE is one of\n%sIt must be closed, manifold and free of self-intersections; else "
        "an offending edge\nor facet is named. What lies in an even number of closed shells is a "
        "cavity.\nTetrahedralization is TetGen's.\n\n"
        "example:\n  edgewise mesh part.stl -q 1.4 -a 1e-8 -o part.mesh",
        tool_list_formats(true, formats));
    const tool_syntax syntax = {
        .command = "mesh",
        .arguments = "SURFACE -o MESH",
        .summary = "fill a closed triangle surface with tets",
        .text = text,
        .n_option = sizeof options / sizeof *options,
        .option = options,
        .min_arguments = 1,
        .max_arguments = 1,
    };
    int n;
    const int exit_status = tool_parse_options(&syntax, argc, argv, &n);
    if (exit_status >= 0) {
        return exit_status;
    }
    if (!output) {
        return tool_refuse("mesh: say where to write with -o MESH");
    }
    ew_mesh mesh = {0};
    ew_groups groups = {0};
    char tets[32], vertices[32];
    ew_status status = tool_fill_surface(argv[1], &def, &mesh, &groups);
    if (!status) {
        status = tool_write_mesh(output, &mesh, &groups);
    }
    if (!status) {
        ew_mesh_measure measure;
        ew_mesh_take_measure(&mesh, &measure);
        printf("%s: %s vertices, %s tets, volume %.6g, min quality %.3g\n", output,
               tool_count(mesh.n_active_vertex, vertices), tool_count(mesh.n_live_tet, tets),
               measure.volume, measure.min_quality);
    }
    ew_mesh_free(&mesh);
    ew_groups_free(&groups);
    return status ? tool_report_failure(status, NULL) : TOOL_DONE;
}
