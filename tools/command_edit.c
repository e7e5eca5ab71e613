/* The editing commands, file to file: read, queue an operation, commit, write, report. */
#include "selection.h"

#include <string.h>

typedef struct edit_command {
    const char *input, *output;
    ew_mesh mesh;
    ew_topology topology;
    ew_edit edit;
    ew_change change;
    selection where;
    ew_decimate_def decimate;
    const char *axis, *at;
    ew_mirror_def mirror;
    double factor[3], about[3], by[3], number;
    bool has_axis, has_seed, has_factor, has_by;
    int32_t count, choice;
    const char *other_input; /* of the mesh to add, or null */
    ew_mesh other;
    const char *joined; /* what befell vertices that two parts share; null: no parts are joined */
    int32_t n_part_vertex; /* of the part that was joined on */
} edit_command;

typedef ew_status queue_function(edit_command *command);

/* ---- the path that all share ------------------------------------------- */

static void print_change(const edit_command *command, const ew_mesh_measure *before,
                         int32_t tets_before, int32_t vertices_before)
{
    ew_mesh_measure after;
    char t0[32], t1[32], v0[32], v1[32];
    ew_mesh_take_measure(&command->mesh, &after);
    printf("%s: %s -> %s tets, %s -> %s vertices, volume %.6g -> %.6g, least quality %.3g -> "
           "%.3g\n",
           command->output, tool_count(tets_before, t0), tool_count(command->mesh.n_live_tet, t1),
           tool_count(vertices_before, v0), tool_count(command->mesh.n_active_vertex, v1),
           before->volume, after.volume, before->least_quality, after.least_quality);
}

/* Parts that share no face are not joined, and fewer than three vertices are no face. */
static void print_joint(const edit_command *command, int32_t vertices_before)
{
    const int32_t n = vertices_before + command->n_part_vertex - command->mesh.n_active_vertex;
    char count[32];
    printf("%s: %s %s %s%s\n", command->output, tool_count(n, count),
           n == 1 ? "vertex" : "vertices", command->joined,
           n < 3 ? "; warning: no face is common, the parts are not joined" : "");
}

static ew_status edit_and_write(edit_command *command, queue_function *queue)
{
    ew_mesh_measure before;
    EW_TRY(tool_read_mesh(command->input, false, &command->mesh));
    if (command->other_input) {
        EW_TRY(tool_read_mesh(command->other_input, false, &command->other));
    }
    ew_mesh_take_measure(&command->mesh, &before);
    const int32_t tets = command->mesh.n_live_tet, vertices = command->mesh.n_active_vertex;
    EW_TRY(ew_topology_build(&command->topology, &command->mesh));
    ew_status status = queue(command);
    if (!status) {
        status = ew_mesh_commit(&command->mesh, &command->edit, &command->topology.vertex_to_tet,
                                &command->change);
    }
    if (!status && command->mesh.n_live_tet == 0) {
        status = ew_fail(EW_BAD_EDIT, "the edit leaves no tets");
    }
    if (status) {
        return tool_name_file(status, command->input);
    }
    EW_TRY(tool_write_mesh(command->output, &command->mesh));
    print_change(command, &before, tets, vertices);
    if (command->joined) {
        print_joint(command, vertices);
    }
    return EW_OK;
}

static int run_edit(edit_command *command, queue_function *queue, const tool_syntax *syntax,
                    int argc, char **argv)
{
    int n;
    const int exit_status = tool_parse_options(syntax, argc, argv, &n);
    if (exit_status >= 0) {
        return exit_status;
    }
    if (!command->output) {
        return tool_refuse("%s: say where to write with -o MESH", syntax->command);
    }
    command->input = argv[1];
    command->other_input = n > 1 ? argv[2] : NULL;
    const ew_status status = edit_and_write(command, queue);
    ew_mesh_free(&command->mesh);
    ew_mesh_free(&command->other);
    ew_topology_free(&command->topology);
    ew_edit_free(&command->edit);
    ew_change_free(&command->change);
    ew_release(command->where.id);
    return status ? tool_report_failure(status, NULL) : TOOL_DONE;
}

/* Vertices of the selection; without one, all of the mesh. */
static ew_status select_vertices(edit_command *command, ew_list *list)
{
    ew_selector selector;
    int32_t n;
    EW_TRY(selection_make(&command->where, &selector, &n));
    EW_TRY(ew_mesh_select(&command->mesh, &selector, list));
    return list->n ? EW_OK : selection_refuse_empty(&command->where, "vertices");
}

/* ---- decimate, mirror, scale ------------------------------------------- */

static bool read_axis(const char *text, double axis[3])
{
    int length = 0;
    if (strlen(text) == 1 && *text >= 'x' && *text <= 'z') {
        memset(axis, 0, 3 * sizeof *axis);
        axis[*text - 'x'] = 1;
        return true;
    }
    return sscanf(text, "%lf,%lf,%lf%n", &axis[0], &axis[1], &axis[2], &length) == 3 &&
           !text[length];
}

/* Options that the order does not read are mistakes, as they are in case files. */
static ew_status check_order(const edit_command *command)
{
    const bool has_region = command->where.has_region;
    const ew_decimate_order order = (ew_decimate_order)command->choice;
    if (order == EW_DECIMATE_REGION && !has_region) {
        return ew_fail(EW_BAD_ARGUMENT, "--order region needs --region LABEL");
    }
    if (order != EW_DECIMATE_REGION && has_region) {
        return ew_fail(EW_BAD_ARGUMENT, "--region goes with --order region");
    }
    if (order == EW_DECIMATE_RANDOM && command->has_axis) {
        return ew_fail(EW_BAD_ARGUMENT, "--axis goes with --order axis or region");
    }
    if (order != EW_DECIMATE_RANDOM && command->has_seed) {
        return ew_fail(EW_BAD_ARGUMENT, "--seed goes with --order random");
    }
    return EW_OK;
}

static ew_status queue_decimate(edit_command *command)
{
    ew_decimate_def *def = &command->decimate;
    EW_TRY(check_order(command));
    if (!read_axis(command->axis, def->axis)) {
        return ew_fail(EW_BAD_ARGUMENT, "--axis is x, y, z or a vector X,Y,Z, not '%.40s'",
                       command->axis);
    }
    def->order = (ew_decimate_order)command->choice;
    def->seed = (uint64_t)command->count;
    def->region = command->where.region;
    return ew_operation_decimate(&command->mesh, def, &command->edit);
}

int tool_decimate(int argc, char **argv)
{
    edit_command command = {.axis = "x", .count = 1, .decimate = {.fraction = 0.5}};
    const tool_option options[] = {
        tool_output_option(&command.output),
        {.name = "fraction",
         .kind = TOOL_NUMBER,
         .value = &command.decimate.fraction,
         .argument = "F",
         .low = 1e-12,
         .high = 1,
         .help = "of the tets to remove (0.5)"},
        {.name = "axis",
         .kind = TOOL_TEXT,
         .value = &command.axis,
         .argument = "AXIS",
         .given = &command.has_axis,
         .help = "x, y, z or a vector: the far end goes first (x)"},
        {.name = "order",
         .kind = TOOL_CHOICE,
         .value = &command.choice,
         .words = "axis random region",
         .argument = "HOW",
         .help = "axis, random, or region (axis within --region)"},
        {.name = "seed",
         .kind = TOOL_INTEGER,
         .value = &command.count,
         .low = 0,
         .high = INT32_MAX,
         .argument = "N",
         .given = &command.has_seed,
         .help = "of the random choice (1)"},
        {.name = "region",
         .kind = TOOL_INTEGER,
         .value = &command.where.region,
         .low = INT32_MIN,
         .high = INT32_MAX,
         .argument = "LABEL",
         .given = &command.where.has_region,
         .help = "for --order region"},
    };
    const tool_syntax syntax = {
        .command = "decimate",
        .arguments = "IN -o OUT",
        .summary = "remove a fraction of the tets",
        .text = "example:\n  edgewise decimate part.mesh --fraction 0.5 --axis y -o half.mesh",
        .n_option = sizeof options / sizeof *options,
        .option = options,
        .least_arguments = 1,
        .most_arguments = 1,
    };
    return run_edit(&command, queue_decimate, &syntax, argc, argv);
}

static ew_status queue_mirror(edit_command *command)
{
    if (!read_axis(command->axis, command->mirror.normal)) {
        return ew_fail(EW_BAD_ARGUMENT, "--normal is x, y, z or a vector X,Y,Z, not '%.40s'",
                       command->axis);
    }
    const int32_t at = !strcmp(command->at, "max") ? 1 : !strcmp(command->at, "min") ? -1 : 0;
    if (!at && !read_axis(command->at, command->mirror.point)) {
        return ew_fail(EW_BAD_ARGUMENT, "--at is min, max or a point X,Y,Z, not '%.40s'",
                       command->at);
    }
    command->joined = "shared by both halves";
    command->n_part_vertex = command->mesh.n_active_vertex;
    ew_mirror_place(&command->mesh, at, &command->mirror);
    return ew_operation_mirror(&command->mesh, &command->mirror, &command->edit);
}

int tool_mirror(int argc, char **argv)
{
    edit_command command = {.axis = "x", .at = "max", .mirror = {.tolerance = -1}};
    const tool_option options[] = {
        tool_output_option(&command.output),
        {.name = "normal",
         .kind = TOOL_TEXT,
         .value = &command.axis,
         .argument = "AXIS",
         .help = "x, y, z or a vector (x)"},
        {.name = "at",
         .kind = TOOL_TEXT,
         .value = &command.at,
         .argument = "WHERE",
         .help = "min or max of the mesh along the normal, or a point X,Y,Z (max)"},
        {.name = "tolerance",
         .kind = TOOL_NUMBER,
         .value = &command.mirror.tolerance,
         .low = 0,
         .high = 1e300,
         .argument = "LENGTH",
         .help = "vertices this near the plane are shared (1e-6 of the size)"},
    };
    const tool_syntax syntax = {
        .command = "mirror",
        .arguments = "IN -o OUT",
        .summary = "reflect a mesh across a plane and weld both halves",
        .text = "The mesh must lie on one side of the plane.\n\n"
                "example:\n  edgewise mirror half.mesh --normal x --at max -o whole.mesh",
        .n_option = sizeof options / sizeof *options,
        .option = options,
        .least_arguments = 1,
        .most_arguments = 1,
    };
    return run_edit(&command, queue_mirror, &syntax, argc, argv);
}

static ew_status queue_scale(edit_command *command)
{
    if (!command->has_factor) {
        return ew_fail(EW_BAD_ARGUMENT, "say how much with --factor FX,FY,FZ");
    }
    return ew_operation_scale(&command->mesh, command->factor, command->about, &command->edit);
}

int tool_scale(int argc, char **argv)
{
    edit_command command = {0};
    const tool_option options[] = {
        tool_output_option(&command.output),
        {.name = "factor",
         .kind = TOOL_VECTOR,
         .value = command.factor,
         .argument = "FX,FY,FZ",
         .given = &command.has_factor,
         .help = "per axis, greater than 0"},
        {.name = "about",
         .kind = TOOL_VECTOR,
         .value = command.about,
         .argument = "X,Y,Z",
         .help = "the point that stays (0,0,0)"},
    };
    const tool_syntax syntax = {
        .command = "scale",
        .arguments = "IN -o OUT",
        .summary = "stretch a mesh along the axes",
        .text = "example:\n  edgewise scale part.mesh --factor 1.2,1,1 -o longer.mesh",
        .n_option = sizeof options / sizeof *options,
        .option = options,
        .least_arguments = 1,
        .most_arguments = 1,
    };
    return run_edit(&command, queue_scale, &syntax, argc, argv);
}

/* ---- remove, add ------------------------------------------------------- */

static ew_status queue_remove(edit_command *command)
{
    ew_selector selector;
    int32_t n;
    EW_TRY(selection_make(&command->where, &selector, &n));
    if (n + (command->count > 0) != 1) {
        return ew_fail(EW_BAD_ARGUMENT, "say what to remove: one selection, or "
                                        "--pieces-smaller-than");
    }
    if (command->count) {
        return ew_operation_remove_small(&command->mesh, &command->topology, command->count,
                                         &command->edit);
    }
    EW_TRY(ew_operation_remove(&command->mesh, &selector, &command->edit));
    return command->edit.remove_tet.n ? EW_OK : selection_refuse_empty(&command->where, "tets");
}

int tool_remove(int argc, char **argv)
{
    edit_command command = {0};
    const tool_option options[] = {
        tool_output_option(&command.output),
        SELECTION_OPTIONS(command.where),
        {.name = "pieces-smaller-than",
         .kind = TOOL_INTEGER,
         .value = &command.count,
         .low = 1,
         .high = INT32_MAX,
         .argument = "N",
         .help = "pieces (through faces) of fewer tets"},
    };
    const tool_syntax syntax = {
        .command = "remove",
        .arguments = "IN -o OUT",
        .summary = "remove tets by place, region, number or size of piece",
        .text = "Places take the tets whose centroid lies in them.\n\n"
                "example:\n  edgewise remove part.mesh --sphere 0.1,0,0,0.02 -o holed.mesh",
        .n_option = sizeof options / sizeof *options,
        .option = options,
        .least_arguments = 1,
        .most_arguments = 1,
    };
    return run_edit(&command, queue_remove, &syntax, argc, argv);
}

static ew_status queue_add(edit_command *command)
{
    command->joined = "welded";
    command->n_part_vertex = command->other.n_active_vertex;
    return ew_operation_add(&command->mesh, &command->other, command->number, &command->edit);
}

int tool_add(int argc, char **argv)
{
    edit_command command = {0};
    const tool_option options[] = {
        tool_output_option(&command.output),
        {.name = "weld",
         .kind = TOOL_NUMBER,
         .value = &command.number,
         .low = 0,
         .high = 1e300,
         .argument = "LENGTH",
         .help = "vertices this near become one (0: equal ones only)"},
    };
    const tool_syntax syntax = {
        .command = "add",
        .arguments = "IN OTHER -o OUT",
        .summary = "weld another mesh on",
        .text = "example:\n  edgewise add plate.mesh rib.mesh --weld 1e-6 -o stiffened.mesh",
        .n_option = sizeof options / sizeof *options,
        .option = options,
        .least_arguments = 2,
        .most_arguments = 2,
    };
    return run_edit(&command, queue_add, &syntax, argc, argv);
}

/* ---- move, refine, smooth ---------------------------------------------- */

static ew_status queue_move(edit_command *command)
{
    ew_list list = {0};
    if (!command->has_by) {
        return ew_fail(EW_BAD_ARGUMENT, "say how far with --by X,Y,Z");
    }
    ew_status status = select_vertices(command, &list);
    if (!status) {
        status =
            ew_operation_move(&command->mesh, &list, command->by, command->number, &command->edit);
    }
    ew_list_free(&list);
    return status;
}

int tool_move(int argc, char **argv)
{
    edit_command command = {0};
    const tool_option options[] = {
        tool_output_option(&command.output),
        SELECTION_OPTIONS(command.where),
        {.name = "by",
         .kind = TOOL_VECTOR,
         .value = command.by,
         .argument = "X,Y,Z",
         .given = &command.has_by,
         .help = "how far"},
        {.name = "radius",
         .kind = TOOL_NUMBER,
         .value = &command.number,
         .low = 0,
         .high = 1e300,
         .argument = "LENGTH",
         .help = "the neighbourhood that follows, fading out (0: none)"},
    };
    const tool_syntax syntax = {
        .command = "move",
        .arguments = "IN -o OUT",
        .summary = "move vertices, with or without their neighbourhood",
        .text = "Refused, with the tets named, where it would turn tets inside out.\n\n"
                "example:\n  edgewise move part.mesh --sphere 0,0,1,0.1 --by 0,0,0.02 --radius 0.2 "
                "-o bulged.mesh",
        .n_option = sizeof options / sizeof *options,
        .option = options,
        .least_arguments = 1,
        .most_arguments = 1,
    };
    return run_edit(&command, queue_move, &syntax, argc, argv);
}

static ew_status queue_refine(edit_command *command)
{
    ew_list list = {0};
    ew_selector selector;
    int32_t n;
    EW_TRY(selection_make(&command->where, &selector, &n));
    if (!n && command->number == 0) {
        return ew_fail(EW_BAD_ARGUMENT, "say what to refine: --longer-than, a selection, or both");
    }
    ew_status status = n ? select_vertices(command, &list) : EW_OK;
    if (!status) {
        status = ew_operation_refine(&command->mesh, &command->topology, command->number,
                                     n ? &list : NULL, &command->edit);
    }
    ew_list_free(&list);
    return status;
}

int tool_refine(int argc, char **argv)
{
    edit_command command = {0};
    const tool_option options[] = {
        tool_output_option(&command.output),
        SELECTION_OPTIONS(command.where),
        tool_positive_option("longer-than", "LENGTH", &command.number, "edges to bisect"),
    };
    const tool_syntax syntax = {
        .command = "refine",
        .arguments = "IN -o OUT",
        .summary = "bisect long edges",
        .text = "With a selection, edges between two of its vertices. Neighbours are split where\n"
                "needed, so the mesh stays conforming.\n\n"
                "example:\n  edgewise refine part.mesh --longer-than 0.01 -o fine.mesh",
        .n_option = sizeof options / sizeof *options,
        .option = options,
        .least_arguments = 1,
        .most_arguments = 1,
    };
    return run_edit(&command, queue_refine, &syntax, argc, argv);
}

static ew_status queue_smooth(edit_command *command)
{
    return ew_operation_smooth(&command->mesh, &command->topology, command->count, &command->edit);
}

int tool_smooth(int argc, char **argv)
{
    edit_command command = {.count = 5};
    const tool_option options[] = {
        tool_output_option(&command.output),
        {.name = "sweeps",
         .kind = TOOL_INTEGER,
         .value = &command.count,
         .low = 1,
         .high = 1000,
         .argument = "N",
         .help = "over all inner vertices (5)"},
    };
    const tool_syntax syntax = {
        .command = "smooth",
        .arguments = "IN -o OUT",
        .summary = "improve tets without moving the boundary",
        .text = "example:\n  edgewise smooth part.mesh --sweeps 10 -o better.mesh",
        .n_option = sizeof options / sizeof *options,
        .option = options,
        .least_arguments = 1,
        .most_arguments = 1,
    };
    return run_edit(&command, queue_smooth, &syntax, argc, argv);
}
