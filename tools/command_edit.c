/* The editing commands, file to file: read, an operation by a model, write, report. Options and
 * help come from the operation's descriptor. A mesh in its locality order, or in the slots that its
 * file kept, goes through the same model as in a study, so that commands one after the other make
 * what the same edits of a study make, bit for bit. */
#include "command_parts.h"
#include "ew_parts.h"
#include "meshing/tetgen.h"

#include <string.h>

enum { MAX_OPTIONS = 1 + N_SELECTION_OPTION + EW_MAX_PARAMETERS, MAX_TEXT = 100 };

typedef struct edit_command {
    const ew_operation *operation;
    ew_operation_values values;
    const char *input, *output;
    const char *other_input; /* of the mesh to add, or null */
    ew_mesh mesh, other;     /* the first until the model takes it, and again at the end */
    ew_groups groups;
    ew_model *model;
    command_sets sets;
    selection where;
    ew_text table;
    ew_polygons surface;
    command_parts parts, protect;        /* of several sets; that stay */
    int32_t *protected_set;              /* [protect.n] owned */
    const char *text[EW_MAX_PARAMETERS]; /* as on the command line; null: not given */
    bool flag[EW_MAX_PARAMETERS];
    char name[EW_MAX_PARAMETERS][MAX_TEXT], help[EW_MAX_PARAMETERS][MAX_TEXT];
} edit_command;

/* ---- options from the descriptor --------------------------------------- */

static void make_option(edit_command *command, int32_t i, tool_option *option)
{
    const ew_parameter *p = &command->operation->parameter[i];
    const bool flag = p->kind == EW_PARAMETER_FLAG;
    char *name = command->name[i], *help = command->help[i];
    snprintf(name, MAX_TEXT, "%s", p->key);
    for (char *c = name; *c; c++) {
        *c = *c == '_' ? '-' : *c;
    }
    snprintf(help, MAX_TEXT, p->preset && !flag ? "%s (%s)" : "%s", p->help, p->preset);
    if (p->kind == EW_PARAMETER_PROTECTED) {
        snprintf(help, MAX_TEXT, "%s: \"box 0,0,0,1,1,1; group grip\"", p->help);
    }
    *option = (tool_option){.name = name,
                            .kind = flag ? TOOL_FLAG : TOOL_TEXT,
                            .value = flag ? (void *)&command->flag[i] : (void *)&command->text[i],
                            .argument = flag ? NULL : p->argument,
                            .help = help};
}

/* A selection has options of its own, another mesh is an argument. */
static int32_t make_options(edit_command *command, tool_option option[MAX_OPTIONS])
{
    int32_t n = 0;
    option[n++] = tool_output_option(&command->output);
    for (int32_t i = 0; i < command->operation->n_parameter; i++) {
        if (command->operation->parameter[i].in_case) {
            continue;
        }
        switch (command->operation->parameter[i].kind) {
        case EW_PARAMETER_PARTS:
            make_option(command, i, &option[n]);
            option[n++].value = &command->parts.text;
            break;
        case EW_PARAMETER_VERTICES:
        case EW_PARAMETER_TETS:
            selection_options(&command->where, option + n);
            n += N_SELECTION_OPTION;
            break;
        case EW_PARAMETER_PROTECTED:
            make_option(command, i, &option[n]);
            option[n++].value = &command->protect.text;
            break;
        case EW_PARAMETER_MESH:
            break;
        default:
            make_option(command, i, &option[n++]);
        }
    }
    return n;
}

static ew_status read_options(edit_command *command)
{
    const ew_operation *operation = command->operation;
    command->values = ew_operation_presets(operation);
    for (int32_t i = 0; i < operation->n_parameter; i++) {
        const ew_parameter *p = &operation->parameter[i];
        const char *text = p->kind == EW_PARAMETER_MESH ? command->other_input
                           : command->flag[i]           ? "true"
                                                        : command->text[i];
        if (text) {
            EW_TRY(ew_operation_set(operation, &command->values, p->key, text, EW_AS_OPTIONS));
        }
        if (p->kind == EW_PARAMETER_PARTS && command->parts.text) {
            EW_TRY(command_parts_read(&command->parts, p->key, true));
            command->values.of[i] = (ew_parameter_value){
                .given = true, .n_part = command->parts.n, .part = command->parts.value};
        }
        if (p->kind == EW_PARAMETER_PROTECTED && command->protect.text) {
            EW_TRY(command_parts_read(&command->protect, p->key, false));
            command->values.of[i].given = true;
        }
    }
    return EW_OK;
}

/* The file of a table, once the mesh is there. */
static ew_status read_table(edit_command *command)
{
    const int32_t i = ew_operation_parameter_of(command->operation, EW_PARAMETER_TABLE);
    if (i < 0 || !command->values.of[i].given) {
        return EW_OK;
    }
    EW_TRY(ew_file_read(command->values.of[i].text, &command->table));
    command->values.of[i].content = command->table.data;
    command->values.of[i].content_size = command->table.size;
    return EW_OK;
}

static ew_status read_surface(edit_command *command)
{
    const int32_t i = ew_operation_parameter_of(command->operation, EW_PARAMETER_SURFACE);
    if (i < 0 || !command->values.of[i].given) {
        return EW_OK;
    }
    EW_TRY(tool_read_polygons(command->values.of[i].text, &command->surface));
    command->values.of[i].surface = &command->surface.surface;
    return EW_OK;
}

/* The file that an edit failed by: a surface that cannot be cut along whatever the mesh is, or the
 * mesh. */
static const char *file_at_fault(const edit_command *command, ew_status status)
{
    const int32_t i = ew_operation_parameter_of(command->operation, EW_PARAMETER_SURFACE);
    return status == EW_BAD_INPUT && i >= 0 && command->values.of[i].given &&
                   ew_cut_surface_check(&command->surface.surface)
               ? command->values.of[i].text
               : command->input;
}

/* ---- queueing ---------------------------------------------------------- */

/* The selection as a set of vertices or as tets, whichever the operation takes. */
static ew_status select_entities(edit_command *command)
{
    const ew_operation *operation = command->operation;
    const int32_t vertices = ew_operation_parameter_of(operation, EW_PARAMETER_VERTICES);
    const int32_t tets = ew_operation_parameter_of(operation, EW_PARAMETER_TETS);
    ew_operation_values *values = &command->values;
    ew_selector selector;
    int32_t n, at, set = 0;
    EW_TRY(selection_make(&command->where, &selector, &n));
    if (vertices >= 0) {
        values->of[vertices].given = n > 0;
    }
    if (tets >= 0) {
        values->of[tets].given = n > 0;
        EW_TRY(command_sets_tets(&command->sets, &command->where, &selector));
        values->of[tets].selector = selector;
    }
    EW_TRY(ew_operation_check(operation, values, EW_AS_OPTIONS, &at));
    if (n && vertices >= 0) {
        ew_release(command->where.id); /* of the first look */
        command->where.id = NULL;
        EW_TRY(command_sets_choose(&command->sets, &command->where, NULL, &set));
        values->of[vertices].whole = set;
    }
    return EW_OK;
}

/* The sets whose tets stay. */
static ew_status select_protected(edit_command *command)
{
    const int32_t i = ew_operation_parameter_of(command->operation, EW_PARAMETER_PROTECTED);
    const command_parts *parts = &command->protect;
    EW_TRY(command_parts_select(&command->protect, "protect", &command->sets));
    EW_TRY(ew_new(&command->protected_set, (size_t)parts->n, sizeof *command->protected_set));
    for (int32_t k = 0; k < parts->n; k++) {
        command->protected_set[k] = (int32_t)parts->value[k].of[0].whole;
    }
    if (parts->n) {
        command->values.of[i].n_set = parts->n;
        command->values.of[i].set = command->protected_set;
    }
    return EW_OK;
}

static ew_status queue_operation(edit_command *command)
{
    const ew_operation *operation = command->operation;
    const int32_t tets = ew_operation_parameter_of(operation, EW_PARAMETER_TETS);
    EW_TRY(select_entities(command));
    EW_TRY(command_parts_select(&command->parts, "sets", &command->sets));
    EW_TRY(select_protected(command));
    EW_TRY(command_sets_label(&command->sets, operation, &command->values));
    EW_TRY(ew_model_queue_operation(command->model, operation, &command->values,
                                    command->other_input ? &command->other : NULL));
    command_sets_tell(&command->sets, operation, &command->values);
    if (*ew_model_remark(command->model)) {
        printf("warning: %s\n", ew_model_remark(command->model));
    }
    const bool nothing =
        tets >= 0 && command->values.of[tets].given && !ew_model_edit(command->model)->remove_tet.n;
    return nothing ? selection_refuse_empty(&command->where, NULL, "tets") : EW_OK;
}

/* As a study does after an edit. */
static ew_status close_holes(ew_model *model)
{
    if (!ew_model_is_sparse(model)) {
        return EW_OK;
    }
    EW_TRY(ew_model_queue_unused(model));
    EW_TRY(ew_model_commit(model));
    return ew_model_compact(model, NULL, NULL);
}

/* ---- the path that all share ------------------------------------------- */

static void print_change(const edit_command *command, const ew_mesh_measure *before,
                         int32_t tets_before, int32_t vertices_before)
{
    ew_mesh_measure after;
    char t0[32], t1[32], v0[32], v1[32];
    ew_mesh_take_measure(&command->mesh, &after);
    printf("%s: %s -> %s tets, %s -> %s vertices, volume %.6g -> %.6g, min quality %.3g -> "
           "%.3g\n",
           command->output, tool_count(tets_before, t0), tool_count(command->mesh.n_live_tet, t1),
           tool_count(vertices_before, v0), tool_count(command->mesh.n_active_vertex, v1),
           before->volume, after.volume, before->min_quality, after.min_quality);
}

/* Parts that share no face are not joined, and fewer than three vertices are no face. */
static void print_joint(const edit_command *command, int32_t vertices_before)
{
    const int32_t part = command->other_input ? command->other.n_active_vertex : vertices_before;
    const int32_t n = vertices_before + part - command->mesh.n_active_vertex;
    char count[32];
    printf("%s: %s %s %s%s\n", command->output, tool_count(n, count),
           n == 1 ? "vertex" : "vertices", command->operation->joined,
           n < 3 ? "; warning: no face is common, the parts are not joined" : "");
}

static ew_status start_model(edit_command *command)
{
    const ew_model_def def = ew_default_model_def();
    const bool ten = command->mesh.has_middles;
    EW_TRY(ew_model_create(&command->model, &command->mesh, &def));
#if EW_WITH_TETGEN
    ew_model_set_fill(command->model, ew_tetgen_fill);
#endif
    EW_TRY(ten ? ew_model_set_order(command->model, true) : EW_OK); /* so that sides stay curved */
    return command_sets_begin(&command->sets, command->model, &command->groups);
}

static ew_status edit(edit_command *command)
{
    EW_TRY(start_model(command));
    EW_TRY(queue_operation(command));
    EW_TRY(ew_model_commit(command->model));
    if (ew_model_mesh(command->model)->n_live_tet == 0) {
        return ew_fail(EW_BAD_EDIT, "the edit leaves no tets");
    }
    EW_TRY(close_holes(command->model));
    EW_TRY(command_sets_end(&command->sets, command->operation, &command->values));
    ew_model_give_mesh(command->model, &command->mesh);
    return EW_OK;
}

static ew_status edit_and_write(edit_command *command)
{
    ew_mesh_measure before;
    EW_TRY(read_options(command));
    EW_TRY(command->other_input ? tool_refuse_same_mesh(command->other_input, command->output)
                                : EW_OK);
    EW_TRY(tool_read_mesh_for(command->input, command->output, false, &command->mesh,
                              &command->groups));
    if (command->other_input) {
        EW_TRY(tool_read_mesh_for(command->other_input, command->output, false, &command->other,
                                  NULL));
    }
    EW_TRY(read_table(command));
    EW_TRY(read_surface(command));
    ew_mesh_take_measure(&command->mesh, &before);
    const int32_t tets = command->mesh.n_live_tet, vertices = command->mesh.n_active_vertex;
    const ew_status status = edit(command);
    if (status) {
        return ew_fail_in_file(status, file_at_fault(command, status));
    }
    EW_TRY(tool_write_mesh(command->output, &command->mesh, &command->groups));
    print_change(command, &before, tets, vertices);
    if (command->operation->joined) {
        print_joint(command, vertices);
    }
    return EW_OK;
}

static void free_command(edit_command *command)
{
    command_sets_free(&command->sets);
    ew_model_free(command->model);
    ew_mesh_free(&command->mesh);
    ew_mesh_free(&command->other);
    ew_groups_free(&command->groups);
    ew_release(command->where.id);
    ew_text_free(&command->table);
    ew_polygons_free(&command->surface);
    command_parts_free(&command->parts);
    command_parts_free(&command->protect);
    ew_release(command->protected_set);
}

int tool_edit(const ew_operation *operation, int argc, char **argv)
{
    edit_command command = {.operation = operation};
    tool_option option[MAX_OPTIONS];
    static const char kept[] =
        "OUT keeps slots and ids in a comment, so that commands one after the "
        "other give\nthe mesh of a case with these edits (.mesh .msh .vtu "
        ".node).\n\n";
    char text[1024], arguments[64] = "IN -o OUT";
    const int32_t other = ew_operation_parameter_of(operation, EW_PARAMETER_MESH);
    const int32_t n_argument = other >= 0 ? 2 : 1;
    if (other >= 0) {
        snprintf(arguments, sizeof arguments, "IN %s -o OUT", operation->parameter[other].argument);
    }
    snprintf(text, sizeof text, "%s%s%sexample:\n  edgewise %s %s",
             operation->text ? operation->text : "", operation->text ? "\n\n" : "", kept,
             operation->name, operation->example);
    const tool_syntax syntax = {.command = operation->name,
                                .arguments = arguments,
                                .summary = operation->summary,
                                .text = text,
                                .n_option = make_options(&command, option),
                                .option = option,
                                .min_arguments = n_argument,
                                .max_arguments = n_argument};
    int n;
    const int exit_status = tool_parse_options(&syntax, argc, argv, &n);
    if (exit_status >= 0) {
        return exit_status;
    }
    if (!command.output) {
        return tool_refuse("%s: say where to write with -o MESH", operation->name);
    }
    command.input = argv[1];
    command.other_input = n > 1 ? argv[2] : NULL;
    const ew_status status = edit_and_write(&command);
    free_command(&command);
    return status ? tool_report_failure(status, NULL) : TOOL_DONE;
}
