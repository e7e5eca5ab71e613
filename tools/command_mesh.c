/* edgewise mesh: a closed triangle surface, or the solids of a CAD file, filled with tets. */
#include "ew_parts.h"
#include "meshing/tetgen.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>

#if EW_WITH_TETGEN
static ew_status fill(const char *path, const ew_tetgen_def *def, ew_mesh *mesh, ew_groups *groups)
{
    ew_surface surface = {0};
    ew_groups named = {0};
    EW_TRY(tool_read_surface(path, &surface, &named));
    ew_status status = ew_tetgen_mesh(mesh, &surface, def, NULL);
    ew_surface_free(&surface);
    if (status || !groups) {
        ew_groups_free(&named);
    } else {
        *groups = named;
    }
    return status ? ew_fail_in_file(status, path) : EW_OK;
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

/* ---- options ---------------------------------------------------------------- */

/* Of either kind of file; `given`: options that are for one of them alone. */
typedef struct mesh_options {
    ew_tetgen_def tetgen;
    ew_cad_def cad;
    double quality;
    bool has_quality, has_volume, has_sizes, has_size, has_min_size, has_curvature, has_growth,
        has_algorithm, has_order, has_unit, has_sew, has_solids;
    int32_t algorithm, unit, solids;
    const char *sizes, *output;
    ew_cad_size size[64];
    char names[2048], unit_name[8];
} mesh_options;

/* "hole=1,fillet=0.5" */
static ew_status read_sizes(mesh_options *to)
{
    enum { MAX = sizeof to->size / sizeof *to->size };
    if (!to->sizes) {
        return EW_OK;
    }
    if (strlen(to->sizes) >= sizeof to->names) {
        return ew_fail(EW_BAD_ARGUMENT, "--sizes: too long; write them in a case");
    }
    strcpy(to->names, to->sizes);
    for (char *at = to->names; at;) {
        char *next = strchr(at, ','), *equal, *end;
        if (next) {
            *next++ = 0;
        }
        equal = strrchr(at, '=');
        const double size = equal ? strtod(equal + 1, &end) : 0;
        if (!equal || equal == at || end == equal + 1 || *end || !(size > 0)) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "--sizes: '%s' is not FACE=SIZE, a name or number and a size above 0",
                           at);
        }
        if (to->cad.n_size >= MAX) {
            return ew_fail(EW_BAD_ARGUMENT, "--sizes: at most %d; write them in a case", (int)MAX);
        }
        *equal = 0;
        to->size[to->cad.n_size++] = (ew_cad_size){at, size};
        at = next;
    }
    to->cad.sizes = to->size;
    return EW_OK;
}

/* The word of a list at a place. */
static void pick(const char *words, int32_t place, char *word, size_t size)
{
    for (; place > 0; place--) {
        words += strcspn(words, " ") + 1;
    }
    snprintf(word, size, "%.*s", (int)strcspn(words, " "), words);
}

/* Options into the two definitions; those of the other kind of file are refused. */
static ew_status settle(mesh_options *to, bool is_cad)
{
    const struct {
        const char *name;
        bool given, of_cad;
    } own[] = {
        {"max-volume", to->has_volume, false},
        {"keep-surface", to->tetgen.keep_surface, false},
        {"size", to->has_size, true},
        {"min-size", to->has_min_size, true},
        {"sizes", to->has_sizes, true},
        {"curvature", to->has_curvature, true},
        {"growth", to->has_growth, true},
        {"algorithm", to->has_algorithm, true},
        {"order", to->has_order, true},
        {"unit", to->has_unit, true},
        {"sew", to->has_sew, true},
        {"solids", to->has_solids, true},
    };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (own[i].given && own[i].of_cad != is_cad) {
            return ew_fail(EW_BAD_ARGUMENT, "--%s is for %s", own[i].name,
                           own[i].of_cad ? "CAD files; surfaces take --max-volume"
                                         : "surfaces; CAD files take --size");
        }
    }
    if (to->has_quality && (is_cad ? to->quality > 0.9 : to->quality < 1)) {
        return ew_fail(EW_BAD_ARGUMENT, "--quality %g: %s", to->quality,
                       is_cad ? "of CAD files it is a mean ratio in [0.1, 0.9]"
                              : "of surfaces it is a radius-edge ratio, at least 1");
    }
    if (to->has_quality) {
        *(is_cad ? &to->cad.quality : &to->tetgen.quality) = to->quality;
    }
    to->cad.algorithm = (ew_cad_algorithm)to->algorithm;
    to->cad.solids = (ew_cad_solids)to->solids;
    to->cad.max_seconds = to->tetgen.max_seconds;
    to->cad.max_memory = to->tetgen.max_memory;
    if (to->has_unit) {
        pick(EW_CAD_UNITS, to->unit, to->unit_name, sizeof to->unit_name);
        to->cad.unit = to->unit_name;
    }
    return read_sizes(to);
}

static tool_option limit_option(const char *name, double *value, const char *argument,
                                const char *help)
{
    return (tool_option){.name = name,
                         .kind = TOOL_NUMBER,
                         .value = value,
                         .argument = argument,
                         .low = 0,
                         .high = 1e9,
                         .help = help};
}

static tool_option size_option(const char *name, double *value, bool *given, const char *help)
{
    tool_option made = tool_positive_option(name, "LENGTH", value, help);
    made.given = given;
    return made;
}

enum { MAX_OPTIONS = 20 };

static int32_t list_options(mesh_options *to, tool_option option[MAX_OPTIONS])
{
    int32_t n = 0;
    option[n++] = tool_output_option(&to->output);
    option[n++] = (tool_option){.name = "quality",
                                .letter = 'q',
                                .kind = TOOL_NUMBER,
                                .value = &to->quality,
                                .given = &to->has_quality,
                                .argument = "RATIO",
                                .low = 0.1,
                                .high = 100,
                                .help = "surfaces: largest radius-edge ratio (1.4 good, 2 quick);"
                                        " CAD: tets of less mean ratio are improved (0.3)"};
    option[n] = tool_positive_option("max-volume", "VOLUME", &to->tetgen.max_volume,
                                     "surfaces: largest volume of a tet");
    option[n].given = &to->has_volume;
    option[n++].letter = 'a';
    option[n++] = (tool_option){.name = "keep-surface",
                                .kind = TOOL_FLAG,
                                .value = &to->tetgen.keep_surface,
                                .help = "surfaces: do not split their triangles"};
    option[n] = size_option("size", &to->cad.size, &to->has_size,
                            "CAD: approximate longest edge (a fifteenth of the diagonal)");
    option[n++].letter = 's';
    option[n++] = (tool_option){.name = "sizes",
                                .kind = TOOL_TEXT,
                                .value = &to->sizes,
                                .given = &to->has_sizes,
                                .argument = "FACE=LENGTH,..",
                                .help = "CAD: sizes on faces, by name or number"};
    option[n] = size_option("growth", &to->cad.growth, &to->has_growth,
                            "CAD: growth of sizes with distance from such faces (0.3)");
    option[n++].argument = "RATE";
    option[n++] = size_option("min-size", &to->cad.min_size, &to->has_min_size,
                              "CAD: shortest edge that curvature may ask for (size / 20)");
    option[n++] = (tool_option){.name = "curvature",
                                .kind = TOOL_NUMBER,
                                .value = &to->cad.curvature,
                                .given = &to->has_curvature,
                                .argument = "N",
                                .low = 0,
                                .high = 1000,
                                .help = "CAD: edges around a full circle (0: by size alone)"};
    option[n++] = (tool_option){.name = "algorithm",
                                .kind = TOOL_CHOICE,
                                .value = &to->algorithm,
                                .given = &to->has_algorithm,
                                .argument = "NAME",
                                .words = EW_CAD_ALGORITHMS,
                                .help = "CAD: hxt, or delaunay, ten times slower"};
    option[n++] = (tool_option){.name = "order",
                                .kind = TOOL_INTEGER,
                                .value = &to->cad.order,
                                .given = &to->has_order,
                                .argument = "N",
                                .low = 1,
                                .high = 2,
                                .help = "CAD: 2 for tets of ten nodes with curved sides"};
    option[n++] = (tool_option){.name = "unit",
                                .kind = TOOL_CHOICE,
                                .value = &to->unit,
                                .given = &to->has_unit,
                                .argument = "NAME",
                                .words = EW_CAD_UNITS,
                                .help = "CAD: unit of the written coordinates (mm)"};
    option[n++] = size_option("sew", &to->cad.sew, &to->has_sew,
                              "CAD: faces without a solid are joined over gaps up to this");
    option[n++] =
        (tool_option){.name = "solids",
                      .kind = TOOL_CHOICE,
                      .value = &to->solids,
                      .given = &to->has_solids,
                      .argument = "WORD",
                      .words = EW_CAD_SOLIDS,
                      .help = "CAD: those that touch are joined (as without it), or stay apart"};
    option[n++] = limit_option("max-seconds", &to->tetgen.max_seconds, "S",
                               "stop TetGen or Gmsh after this time (600; 0: never)");
    option[n++] = limit_option("max-memory", &to->tetgen.max_memory, "GIB",
                               "memory limit of TetGen or Gmsh (16; 0: none)");
    return n;
}

static ew_status make(const char *path, const mesh_options *from, ew_mesh *mesh, ew_groups *groups)
{
    if (!ew_cad_reads(path)) {
        return tool_fill_surface(path, &from->tetgen, mesh, groups);
    }
    EW_TRY(tool_read_any(path, NULL, &from->cad, false, mesh, groups));
    tool_tell_unsure(path, groups);
    return EW_OK;
}

static ew_status run(const char *path, mesh_options *from)
{
    ew_mesh mesh = {0};
    ew_groups groups = {0};
    ew_status status = tool_refuse_same(path, from->output);
    if (!status) {
        status = make(path, from, &mesh, &groups);
    }
    if (!status) {
        status = tool_write_mesh(from->output, &mesh, &groups);
    }
    if (!status) {
        char tets[32], vertices[32];
        ew_mesh_measure measure;
        ew_mesh_take_measure(&mesh, &measure);
        printf("%s: %s vertices, %s tets, volume %.6g, min quality %.3g\n", from->output,
               tool_count(mesh.n_active_vertex, vertices), tool_count(mesh.n_live_tet, tets),
               measure.volume, measure.min_quality);
    }
    ew_mesh_free(&mesh);
    ew_groups_free(&groups);
    return status;
}

int tool_mesh(int argc, char **argv)
{
    mesh_options made = {.tetgen = ew_default_tetgen_def(), .cad = ew_default_cad_def()};
    tool_option option[MAX_OPTIONS];
    char formats[1024], text[2560];
    snprintf(
        text, sizeof text,
        "FILE is a surface:\n%sIt must be closed, manifold and free of self-intersections; else "
        "an offending edge\nor facet is named. A region inside an even number of closed shells is "
        "a "
        "cavity.\nTetrahedralization is TetGen's.\n\n"
        "Or a CAD file with solids (" EW_CAD_ENDINGS "): each becomes a region, and each face\n"
        "a surface label; names of solids and faces become groups. Gmsh makes the tets, with\n"
        "the program edgewise-gmsh beside this one.\n\n"
        "examples:\n  edgewise mesh part.stl -q 1.4 -a 1e-8 -o part.mesh\n"
        "  edgewise mesh part.step --size 4 --sizes hole=0.5 --curvature 20 -o part.mesh",
        tool_list_formats(true, formats));
    const tool_syntax syntax = {
        .command = "mesh",
        .arguments = "FILE -o MESH",
        .summary = "fill a closed triangle surface, or a CAD file, with tets",
        .text = text,
        .n_option = list_options(&made, option),
        .option = option,
        .min_arguments = 1,
        .max_arguments = 1,
    };
    int n;
    const int exit_status = tool_parse_options(&syntax, argc, argv, &n);
    if (exit_status >= 0) {
        return exit_status;
    }
    if (!made.output) {
        return tool_refuse("mesh: say where to write with -o MESH");
    }
    if (settle(&made, ew_cad_reads(argv[1]))) {
        return tool_refuse("mesh: %s", ew_message());
    }
    const ew_status status = run(argv[1], &made);
    return status ? tool_report_failure(status, NULL) : TOOL_DONE;
}
