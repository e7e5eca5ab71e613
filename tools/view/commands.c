/* Commands that change a body. In: an object {"do": NAME, ...}. Out: the body of a model with the
 * command done, not yet solved. A table tells what there is. */
#include "play.h"

#include <math.h>
#include <string.h>

/* ---- supports, loads, materials
 * ------------------------------------------------------------------ */

static ew_status do_pull(view_play *play, const cJSON *command)
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    double vertex, to[3], stiffness;
    EW_TRY(view_read_number(command, "vertex", 0, mesh->n_vertex - 1, -1, &vertex));
    EW_TRY(view_read_number(command, "stiffness", 0, 1e90, 0, &stiffness));
    EW_TRY(view_read_vector(command, "to", to));
    return view_is_live(mesh, false, vertex)
               ? view_pull(play, (int32_t)vertex, to, stiffness)
               : ew_fail(EW_BAD_INPUT, "pull: vertex %.17g is not in the body any more", vertex);
}

static ew_status do_release(view_play *play, const cJSON *command)
{
    (void)command;
    return view_release(play);
}

static ew_status do_fix(view_play *play, const cJSON *command)
{
    ew_set vertices = {0};
    ew_status status = view_read_vertices(play, command, &vertices);
    status = status ? status : view_fix(play, &vertices.list);
    ew_set_free(&vertices);
    return status;
}

static ew_status do_unfix(view_play *play, const cJSON *command)
{
    (void)command;
    return view_fix(play, NULL);
}

/* A load of the list, by as many numbers as it has; else a total force that is added. */
static ew_status do_load(view_play *play, const cJSON *command)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(command, "set");
    const ew_model_set_def def = {.kind = EW_SET_OF_VERTICES, .allow_empty = true};
    ew_model *model = play->body.model;
    double force[3], index;
    ew_set vertices = {0};
    if (cJSON_GetObjectItemCaseSensitive(command, "index")) {
        EW_TRY(view_read_number(command, "index", 0, 1e6, 0, &index));
        return view_change_load(play, (int32_t)index, command);
    }
    EW_TRY(view_read_vector(command, "force", force));
    int32_t set = cJSON_IsString(name) ? view_find_set(play, name->valuestring) : -1;
    if (name && set < 0) {
        return ew_fail(EW_BAD_INPUT, "load: there is no set of this name");
    }
    ew_status status = name ? EW_OK : view_read_vertices(play, command, &vertices);
    status = status || name ? status : ew_model_add_set(model, &def, &vertices.list, &set);
    const ew_model_load load = ew_load_total_force(set, force);
    status = status ? status : view_add_load(play, &load);
    ew_set_free(&vertices);
    return status;
}

ew_status view_put_parameter(view_play *play, const cJSON *command)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(command, "name");
    double value;
    EW_TRY(view_read_number(command, "value", -1e90, 1e90, NAN, &value));
    for (int32_t i = 0; i < play->source->n_parameter && cJSON_IsString(name); i++) {
        if (!strcmp(play->source->parameter[i].name, name->valuestring)) {
            play->value[i] = value;
            return EW_OK;
        }
    }
    return ew_fail(EW_BAD_INPUT, "parameter: there is no parameter of this name");
}

/* The body begins again with the value: what was done to it by hand is gone, until an undo. */
static ew_status do_parameter(view_play *play, const cJSON *command)
{
    double before[VIEW_MAX_PARAMETER];
    memcpy(before, play->value, sizeof before);
    EW_TRY(view_put_parameter(play, command));
    const ew_status status = view_vary_body(play);
    if (status) {
        memcpy(play->value, before, sizeof before);
    }
    return status;
}

/* ---- time
 * ------------------------------------------------------------------------------------------ */

static ew_status do_mode(view_play *play, const cJSON *command)
{
    const cJSON *mode = cJSON_GetObjectItemCaseSensitive(command, "mode");
    double damping;
    EW_TRY(view_read_number(command, "damping", 0, 1e90, 0, &damping));
    for (int k = 0; k < VIEW_N_MODE && cJSON_IsString(mode); k++) {
        if (!strcmp(mode->valuestring, view_mode_names[k])) {
            return view_set_mode(play, (view_mode)k, damping);
        }
    }
    return ew_fail(EW_BAD_INPUT, "mode: 'mode' must be statics, dynamics or rotations");
}

/* ---- the table
 * ---------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    ew_status (*apply)(view_play *play, const cJSON *command);
    const char *drag; /* what two of one drag agree in; null: it is no drag */
} table[] = {
    {"remove", view_do_remove, NULL},
    {"refine", view_do_refine, NULL},
    {"cut", view_do_cut, NULL},
    {"weld", view_do_weld, NULL},
    {"pull", do_pull, "vertex"},
    {"release", do_release, NULL},
    {"fix", do_fix, NULL},
    {"unfix", do_unfix, NULL},
    {"load", do_load, "index"},
    {"material", view_do_material, "region"},
    {"units", view_do_units, NULL},
    {"parameter", do_parameter, "name"},
    {"mode", do_mode, NULL},
    {"set", view_do_set, NULL},
    {"set_rule", view_do_set_rule, NULL},
    {"set_remove", view_do_set_remove, NULL},
    {"set_rename", view_do_set_rename, NULL},
    {"support", view_do_support, NULL},
    {"support_change", view_do_support_change, NULL},
    {"support_remove", view_do_support_remove, NULL},
    {"spring", view_do_spring, NULL},
    {"spring_remove", view_do_spring_remove, NULL},
    {"load_add", view_do_load_add, NULL},
    {"load_change", view_do_load_change, NULL},
    {"load_remove", view_do_load_remove, NULL},
    {"fill", view_do_fill, NULL},
    {"step_add", view_do_step_add, NULL},
    {"step_change", view_do_step_change, NULL},
    {"step_remove", view_do_step_remove, NULL},
};
enum { N_COMMAND = sizeof table / sizeof *table };

static int find(const cJSON *command)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(command, "do");
    for (int k = 0; k < N_COMMAND && cJSON_IsString(name); k++) {
        if (!strcmp(table[k].name, name->valuestring)) {
            return k;
        }
    }
    return -1;
}

const char *view_edit_name(int k)
{
    return k < N_COMMAND ? table[k].name : NULL;
}

bool view_is_edit(const cJSON *command)
{
    return find(command) >= 0;
}

ew_status view_apply(view_play *play, const cJSON *command)
{
    const int k = find(command);
    if (k < 0) {
        return ew_fail(EW_BAD_INPUT, "there is no such command");
    }
    const ew_status status = table[k].apply(play, command);
    play->is_as_opened = play->is_as_opened && (status || table[k].apply == do_parameter);
    return status;
}

/* One stroke of the brush: commands of the same kind with the same number. */
bool view_is_same_stroke(const cJSON *command, const cJSON *before)
{
    const cJSON *own = cJSON_GetObjectItemCaseSensitive(command, "stroke");
    const cJSON *other = cJSON_GetObjectItemCaseSensitive(before, "stroke");
    return find(command) >= 0 && find(command) == find(before) && cJSON_IsNumber(own) &&
           cJSON_IsNumber(other) && own->valuedouble == other->valuedouble;
}

bool view_command_replaces(const cJSON *command, const cJSON *waiting)
{
    const int k = find(command);
    if (k < 0 || k != find(waiting) || !table[k].drag) {
        return false;
    }
    const cJSON *own = cJSON_GetObjectItemCaseSensitive(command, table[k].drag);
    const cJSON *other = cJSON_GetObjectItemCaseSensitive(waiting, table[k].drag);
    const bool is_optional = !strcmp(table[k].name, "material");
    return own || other ? cJSON_Compare(own, other, true) : is_optional;
}
