/* edgewise info: of a mesh counts, size, quality, and the memory that tables and matrix take; of a
 * case its sets and steps. */
#include "faces.h"
#include "result_info.h"
#include "study.h"

#include <string.h>

static void print_histogram(const ew_mesh_measure *measure, int32_t n_tet)
{
    int32_t max = 1;
    for (int32_t i = 0; i < 10; i++) {
        max = measure->histogram[i] > max ? measure->histogram[i] : max;
    }
    puts("quality     (12 (3V)^(2/3) / sum of squared edges: 1 regular, 0 flat)");
    for (int32_t i = 0; i < 10; i++) {
        char bar[41], count[32];
        const int length = (int)((40.0 * measure->histogram[i] + max - 1) / max);
        memset(bar, '#', (size_t)length);
        bar[length] = 0;
        printf("  %.1f - %.1f %10s %5.1f %% %s\n", 0.1 * i, 0.1 * (i + 1),
               tool_count(measure->histogram[i], count),
               n_tet ? 100.0 * measure->histogram[i] / n_tet : 0, bar);
    }
}

static void print_worst(const ew_mesh *mesh, const ew_mesh_measure *measure)
{
    puts("worst tets  (id, from 0 in the order of the file unless it keeps ids; quality, volume, "
         "place)");
    for (int32_t i = 0; i < 5 && measure->worst[i] >= 0; i++) {
        const int32_t t = measure->worst[i];
        double place[3] = {0, 0, 0};
        for (int32_t k = 0; k < 4; k++) {
            for (int32_t c = 0; c < 3; c++) {
                place[c] +=
                    mesh->xyz[3 * (size_t)mesh->tet[4 * (size_t)t + (size_t)k] + (size_t)c] / 4;
            }
        }
        printf("  %10lld  %.3g  %.3g  (%.4g, %.4g, %.4g)\n", (long long)mesh->tet_id[t],
               ew_mesh_tet_quality(mesh, t), ew_mesh_tet_volume(mesh, t), place[0], place[1],
               place[2]);
    }
}

/* "region 3   " or with a name, "region 3 'steel'   " */
static void print_label(const char *what, int32_t label, ew_group_kind kind,
                        const ew_groups *groups)
{
    const char *name = ew_groups_label_name(groups, kind, label);
    printf("%s %-*d ", what, kind == EW_GROUP_TETS ? 4 : 3, (int)label);
    if (name) {
        printf("'%s'  ", name);
    }
}

static ew_status print_regions(const ew_mesh *mesh, const ew_groups *groups)
{
    int32_t *count;
    double *volume;
    EW_TRY(ew_new_zero(&count, (size_t)mesh->n_region, sizeof *count));
    ew_status status = ew_new_zero(&volume, (size_t)mesh->n_region, sizeof *volume);
    for (int32_t t = 0; t < mesh->n_tet && !status; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            count[mesh->region[t]]++;
            volume[mesh->region[t]] += ew_mesh_curved_tet_volume(mesh, t);
        }
    }
    for (int32_t r = 0; r < mesh->n_region && !status; r++) {
        char text[32];
        print_label("region", mesh->region_label[r], EW_GROUP_TETS, groups);
        printf("%s tets, volume %.6g\n", tool_count(count[r], text), volume[r]);
    }
    ew_release(count);
    ew_release(volume);
    return status;
}

/* The groups that are lists. */
static void print_groups(const ew_groups *groups)
{
    for (int32_t i = 0; i < groups->n; i++) {
        const ew_group *group = &groups->group[i];
        char text[32];
        if (!group->is_label) {
            printf("group '%s'  %s %s\n", group->name, tool_count(group->n_id, text),
                   ew_group_kind_name(group->kind));
        }
    }
}

static ew_status print_tables(const ew_mesh *mesh)
{
    ew_topology topology = {0};
    ew_list boundary = {0};
    int32_t *component = NULL, n_component = 0;
    char edges[32], sides[32], tables[32], matrix[32];
    ew_status status = ew_topology_build(&topology, mesh);
    if (!status) {
        status = ew_topology_boundary(&topology, mesh, &boundary);
    }
    if (!status) {
        status = ew_new(&component, (size_t)mesh->n_tet, sizeof *component);
    }
    if (!status) {
        status = ew_topology_components(&topology, mesh, component, &n_component);
    }
    if (!status) {
        const double blocks = (double)topology.pattern.n_row + topology.pattern.n_pair;
        printf("edges       %s\n", tool_count(topology.pattern.n_live_pair, edges));
        printf("boundary    %s faces\n", tool_count(boundary.n, sides));
        printf("components  %d (tets connected through faces)\n", (int)n_component);
        printf("memory      tables %s, matrix %s in double precision\n",
               tool_bytes((double)ew_topology_bytes(&topology), tables),
               tool_bytes(blocks * 9 * sizeof(double), matrix));
    }
    ew_release(component);
    ew_list_free(&boundary);
    ew_topology_free(&topology);
    return status;
}

static ew_status print_info(const char *path, const ew_mesh *mesh, const ew_groups *groups,
                            const faces *of)
{
    ew_mesh_measure measure;
    char vertices[32], tets[32];
    ew_mesh_take_measure(mesh, &measure);
    printf("%s\n", path);
    printf("vertices    %s\n", tool_count(mesh->n_active_vertex, vertices));
    printf("tets        %s\n", tool_count(mesh->n_live_tet, tets));
    EW_TRY(print_tables(mesh));
    printf("volume      %.9g\n", measure.volume);
    printf("box         (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g)\n", measure.low[0], measure.low[1],
           measure.low[2], measure.high[0], measure.high[1], measure.high[2]);
    printf("edge length %.4g to %.4g\n", measure.shortest_edge, measure.longest_edge);
    EW_TRY(print_regions(mesh, groups));
    faces_print(of);
    print_groups(groups);
    printf("quality     min %.3g, mean %.3g; min volume %.3g\n", measure.min_quality,
           measure.mean_quality, measure.min_volume);
    print_histogram(&measure, mesh->n_live_tet);
    print_worst(mesh, &measure);
    return EW_OK;
}

typedef struct info_options {
    const char *picture, *unit;
    bool csv, sets, has_solids;
    int32_t solids;
} info_options;

/* The table, the selectors or the rest of what is asked for. */
static ew_status show_faces(const faces *of, const info_options *options)
{
    if (options->csv) {
        faces_print_csv(of);
    }
    if (options->sets) {
        faces_print_sets(of->groups);
    }
    return options->picture ? faces_draw(of, options->unit, options->picture) : EW_OK;
}

static ew_status show_mesh(const char *path, const info_options *options)
{
    ew_mesh mesh = {0};
    ew_groups groups = {0};
    faces of = {0};
    ew_cad_def cad = ew_default_cad_def();
    const bool is_quiet = options->csv || options->sets;
    cad.unit = options->unit;
    cad.solids = (ew_cad_solids)options->solids;
    ew_status status = tool_read_any(path, NULL, &cad, is_quiet, &mesh, &groups);
    if (!status && !groups.geometry.n) {
        status = ew_geometry_measure(&mesh, &groups.geometry);
    }
    status = status ? status : faces_of_mesh(&mesh, &groups, &of);
    if (!status && !is_quiet) {
        status = print_info(path, &mesh, &groups, &of);
    }
    status = status ? status : show_faces(&of, options);
    faces_free(&of);
    ew_mesh_free(&mesh);
    ew_groups_free(&groups);
    return status;
}

static ew_status show_surface(const char *path, const info_options *options)
{
    ew_surface surface = {0};
    ew_groups groups = {0};
    faces of = {0};
    char vertices[32], triangles[32];
    ew_status status = tool_read_surface(path, &surface, &groups);
    status = status ? status : ew_geometry_of_surface(&surface, 1.0, &groups.geometry);
    status = status ? status : faces_of_surface(&surface, &groups, &of);
    if (!status && !options->csv && !options->sets) {
        printf("%s\n", path);
        printf("vertices    %s\n", tool_count(surface.n_vertex, vertices));
        printf("triangles   %s (a surface; edgewise mesh fills it with tets)\n",
               tool_count(surface.n_triangle, triangles));
        faces_print(&of);
    }
    status = status ? status : show_faces(&of, options);
    faces_free(&of);
    ew_surface_free(&surface);
    ew_groups_free(&groups);
    return status;
}

/* A result by its name, or one that a file without an ending may be; -1: it is none. */
static int show_result(const char *path)
{
    char *result = NULL;
    const ew_status found = tool_find_result(path, &result);
    int exit_status = -1;
    if (found && result_is_named(path)) {
        exit_status = tool_report_failure(found, NULL);
    } else if (!found && result_is_named(result)) {
        exit_status = result_info(result);
    }
    ew_release(result);
    return exit_status;
}

int tool_info(int argc, char **argv)
{
    info_options options = {NULL};
    const tool_option list[] = {
        {.name = "picture",
         .kind = TOOL_TEXT,
         .value = &options.picture,
         .argument = "NAME.png",
         .help = "draw a mesh or surface with the numbers of its surfaces"},
        {.name = "csv",
         .kind = TOOL_FLAG,
         .value = &options.csv,
         .help = "write the faces as comma separated values, and nothing else"},
        {.name = "sets",
         .kind = TOOL_FLAG,
         .value = &options.sets,
         .help = "write faces and solids without a name as sets of a case"},
        {.name = "unit",
         .kind = TOOL_TEXT,
         .value = &options.unit,
         .argument = "UNIT",
         .help = "CAD: unit of what is shown (mm): " EW_CAD_UNITS},
        {.name = "solids",
         .kind = TOOL_CHOICE,
         .value = &options.solids,
         .given = &options.has_solids,
         .argument = "WORD",
         .words = EW_CAD_SOLIDS,
         .help = "CAD: the faces of solids that are joined (as without it), or stay apart"},
    };
    const tool_syntax syntax = {
        .command = "info",
        .arguments = "MESH | SURFACE | CASE.yaml | RESULT.vtkhdf",
        .summary =
            "show the contents of a mesh (counts, size, quality, memory), a case or a result",
        .text =
            "Regions are named in a case by 'region:', surfaces (labeled boundary\n"
            "triangles of the file) by 'surface:', and all that has a name in the file\n"
            "by that name, as a set is. What a surface is (plane, cylinder, ...), its area,\n"
            "centroid and normal or axis are exact for the faces of CAD files, else measured\n"
            "on its triangles.\n\n"
            "For a case: the members of each of its sets on its mesh (members, area or volume,\n"
            "centroid, bounding box), and what its steps do. Nothing is solved.\n\n"
            "For a result: its origin, whether it is complete, and its steps.\n\n"
            "Examples\n"
            "  edgewise info part.step --picture faces.png\n"
            "  edgewise info part.step --sets",
        .n_option = sizeof list / sizeof *list,
        .option = list,
        .min_arguments = 1,
        .max_arguments = 1,
    };
    int n;
    const int exit_status = tool_parse_options(&syntax, argc, argv, &n);
    if (exit_status >= 0) {
        return exit_status;
    }
    const bool has_faces = options.picture || options.csv || options.sets;
    const ew_format *format = ew_format_of_name(argv[1]);
    if (case_is_named(argv[1]) && !has_faces) {
        return case_info(argv[1]);
    }
    if ((options.unit || options.has_solids) && !ew_cad_reads(argv[1])) {
        return tool_refuse("info: --%s is for CAD files (" EW_CAD_ENDINGS ")",
                           options.unit ? "unit" : "solids");
    }
    options.unit = !options.unit && ew_cad_reads(argv[1]) ? "mm" : options.unit;
    const bool is_surface = format && format->read_surface && !format->read_mesh;
    if (!has_faces && !is_surface && !tool_is_mesh_name(argv[1])) {
        const int exit_of_result = show_result(argv[1]);
        if (exit_of_result >= 0) {
            return exit_of_result;
        }
    }
    const ew_status status =
        is_surface ? show_surface(argv[1], &options) : show_mesh(argv[1], &options);
    return status ? tool_report_failure(status, NULL) : TOOL_DONE;
}
