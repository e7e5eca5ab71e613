/* Commands that change a body. In: an object {"do": NAME, ...}. Out: the body of a model with the
 * command done, not yet solved. A table tells what there is. */
#include "play.h"

#include <math.h>
#include <string.h>

/* ---- values --------------------------------------------------------------------------------- */

ew_status view_read_number(const cJSON *from, const char *key, double low, double high,
                             double preset, double *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(from, key);
    *value = item && cJSON_IsNumber(item) ? item->valuedouble : preset;
    if ((item && !cJSON_IsNumber(item)) || !(*value >= low && *value <= high)) {
        return ew_fail(EW_BAD_INPUT, "%s: '%s' must be a number from %g to %g",
                       cJSON_GetObjectItemCaseSensitive(from, "do")->valuestring, key, low, high);
    }
    return EW_OK;
}

ew_status view_read_vector(const cJSON *from, const char *key, double value[3])
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(from, key), *number;
    bool is_good = cJSON_IsArray(item) && cJSON_GetArraySize(item) == 3;
    for (int c = 0; c < 3 && is_good; c++) {
        number = cJSON_GetArrayItem(item, c);
        is_good = cJSON_IsNumber(number) && fabs(number->valuedouble) <= 1e90;
        value[c] = number->valuedouble;
    }
    return is_good ? EW_OK
                   : ew_fail(EW_BAD_INPUT, "%s: '%s' must be a list of three finite numbers",
                             cJSON_GetObjectItemCaseSensitive(from, "do")->valuestring, key);
}

static bool is_live(const ew_mesh *mesh, bool tets, double id)
{
    if (!(id >= 0 && id < (tets ? mesh->n_tet : mesh->n_vertex)) || id != floor(id)) {
        return false;
    }
    return tets ? ew_mesh_tet_is_live(mesh, (int32_t)id)
                : ew_mesh_vertex_is_active(mesh, (int32_t)id);
}

/* Slots of vertices or tets that are in the body, each once. */
static ew_status read_slots(const view_play *play, const cJSON *from, const char *key, bool tets,
                            ew_set *slots)
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(from, key), *item;
    if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) == 0) {
        return ew_fail(EW_BAD_INPUT, "'%s' must be a list of %s", key, tets ? "tets" : "vertices");
    }
    cJSON_ArrayForEach(item, list)
    {
        if (!cJSON_IsNumber(item) || !is_live(mesh, tets, item->valuedouble)) {
            return ew_fail(EW_BAD_INPUT, "'%s' has a number that is no %s of the body any more",
                           key, tets ? "tet" : "vertex");
        }
        EW_TRY(ew_set_add(slots, (int32_t)item->valuedouble));
    }
    return EW_OK;
}

/* The middle of the boundary face {"face": 4 * tet + face}, and "radius". */
static ew_status read_spot(view_play *play, const cJSON *from, int32_t *tet, double center[3],
                           double *radius)
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    const ew_boundary *boundary;
    double face;
    EW_TRY(ew_model_boundary(play->body.model, &boundary));
    EW_TRY(view_read_number(from, "face", 0, 4.0 * mesh->n_tet - 1, -1, &face));
    EW_TRY(view_read_number(from, "radius", 0, 1e90, 0, radius));
    const int32_t code = (int32_t)face;
    if (face != floor(face) || ew_boundary_find(boundary, code) < 0) {
        return ew_fail(EW_BAD_INPUT, "%s: face %.17g is not on the surface any more",
                       cJSON_GetObjectItemCaseSensitive(from, "do")->valuestring, face);
    }
    *tet = code / 4;
    for (int c = 0; c < 3; c++) {
        center[c] = 0.0;
        for (int k = 0; k < 3; k++) {
            const int32_t v = mesh->tet[4 * (size_t)*tet + ew_face_vertex[code % 4][k]];
            center[c] += mesh->xyz[3 * (size_t)v + (size_t)c] / 3.0;
        }
    }
    return EW_OK;
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static void middle_of(const ew_mesh *mesh, int32_t t, double place[3])
{
    for (int c = 0; c < 3; c++) {
        place[c] = 0.0;
        for (int k = 0; k < 4; k++) {
            place[c] +=
                0.25 * mesh->xyz[3 * (size_t)mesh->tet[4 * (size_t)t + (size_t)k] + (size_t)c];
        }
    }
}

/* {"tets": [..]} or the tets about a spot: that behind the face, and those near. */
static ew_status read_tets(view_play *play, const cJSON *from, ew_set *tets)
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    double center[3], place[3], radius;
    int32_t tet;
    if (cJSON_GetObjectItemCaseSensitive(from, "tets")) {
        return read_slots(play, from, "tets", true, tets);
    }
    EW_TRY(read_spot(play, from, &tet, center, &radius));
    EW_TRY(ew_set_add(tets, tet));
    for (int32_t t = 0; t < mesh->n_tet && radius > 0.0; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            middle_of(mesh, t, place);
            EW_TRY(distance(place, center) <= radius ? ew_set_add(tets, t) : EW_OK);
        }
    }
    return EW_OK;
}

/* {"vertices": [..]} or those of the surface about a spot, with those of its face. */
static ew_status read_vertices(view_play *play, const cJSON *from, ew_set *vertices)
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    const ew_boundary *boundary;
    double center[3], radius;
    int32_t tet;
    if (cJSON_GetObjectItemCaseSensitive(from, "vertices")) {
        return read_slots(play, from, "vertices", false, vertices);
    }
    EW_TRY(read_spot(play, from, &tet, center, &radius));
    EW_TRY(ew_model_boundary(play->body.model, &boundary));
    const int32_t own = (int32_t)cJSON_GetObjectItemCaseSensitive(from, "face")->valuedouble;
    for (int32_t s = 0; s < boundary->n_slot; s++) {
        const int32_t code = boundary->code[s];
        for (int k = 0; code >= 0 && k < 3; k++) {
            const int32_t v = mesh->tet[4 * (size_t)(code / 4) + ew_face_vertex[code % 4][k]];
            const bool is_near = distance(mesh->xyz + 3 * (size_t)v, center) <= radius;
            EW_TRY(is_near || code == own ? ew_set_add(vertices, v) : EW_OK);
        }
    }
    return EW_OK;
}

/* ---- edits of the mesh -------------------------------------------------------------------------
 */

/* In statics pieces that nothing holds go, too. */
static ew_status commit(view_play *play)
{
    ew_model *model = play->body.model;
    const double start = ew_seconds();
    int32_t n = 0;
    const bool is_supported = play->supports.n_constraint + play->supports.n_spring > 0;
    ew_status status = play->mode == VIEW_STATICS && is_supported
                           ? ew_model_commit_connected(model, &n)
                           : ew_model_commit(model);
    if (status == EW_UNDER_CONSTRAINED) { /* the edit stays, and the solve says so */
        status = EW_OK;
    }
    if (status) {
        ew_model_begin(model);
    }
    play->seconds_edit = ew_seconds() - start;
    play->is_changed = true;
    return status;
}

static ew_status commit_or_empty(view_play *play, ew_status queued)
{
    if (queued) {
        ew_model_begin(play->body.model);
        return queued;
    }
    return commit(play);
}

static ew_status do_remove(view_play *play, const cJSON *command)
{
    ew_set tets = {0};
    ew_status status = read_tets(play, command, &tets);
    if (!status && tets.list.n >= ew_model_mesh(play->body.model)->n_live_tet) {
        status = ew_fail(EW_BAD_INPUT, "remove: these are all tets of the body; leave some");
    }
    if (!status) {
        status = commit_or_empty(play, ew_edit_remove_tets(ew_model_edit(play->body.model),
                                                           tets.list.n, tets.list.id));
    }
    ew_set_free(&tets);
    return status;
}

static ew_status do_refine(view_play *play, const cJSON *command)
{
    ew_model *model = play->body.model;
    ew_set tets = {0};
    ew_status status = read_tets(play, command, &tets);
    if (!status) {
        status = commit_or_empty(play,
                                 ew_operation_bisect(ew_model_mesh(model), ew_model_topology(model),
                                                     &tets.list, ew_model_edit(model)));
    }
    ew_set_free(&tets);
    return status;
}

/* A plane through a point: what lies on the side of the normal goes, or the body is slit between
 * "low" and "high". */
static ew_status do_cut(view_play *play, const cJSON *command)
{
    ew_model *model = play->body.model;
    ew_cut_def def = ew_default_cut_def();
    ew_cut_report report;
    const cJSON *keep = cJSON_GetObjectItemCaseSensitive(command, "keep");
    def.kind = EW_CUT_PLANE;
    EW_TRY(view_read_vector(command, "point", def.a));
    EW_TRY(view_read_vector(command, "normal", def.b));
    if (!keep || (cJSON_IsString(keep) && !strcmp(keep->valuestring, "open"))) {
        def.keep = EW_CUT_KEEP_OPEN;
        for (int c = 0; c < 3; c++) {
            def.low[c] = -1e90;
            def.high[c] = 1e90;
        }
        EW_TRY(cJSON_GetObjectItemCaseSensitive(command, "low")
                   ? view_read_vector(command, "low", def.low)
                   : EW_OK);
        EW_TRY(cJSON_GetObjectItemCaseSensitive(command, "high")
                   ? view_read_vector(command, "high", def.high)
                   : EW_OK);
    } else if (cJSON_IsString(keep) && !strcmp(keep->valuestring, "inside")) {
        def.keep = EW_CUT_KEEP_INSIDE;
    } else {
        return ew_fail(EW_BAD_INPUT, "cut: 'keep' must be open or inside");
    }
    return commit_or_empty(play, ew_operation_cut(ew_model_mesh(model), ew_model_topology(model),
                                                  &def, ew_model_edit(model), &report));
}

/* ---- supports, loads, materials
 * ------------------------------------------------------------------ */

static ew_status do_pull(view_play *play, const cJSON *command)
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    double vertex, to[3], stiffness;
    EW_TRY(view_read_number(command, "vertex", 0, mesh->n_vertex - 1, -1, &vertex));
    EW_TRY(view_read_number(command, "stiffness", 0, 1e90, 0, &stiffness));
    EW_TRY(view_read_vector(command, "to", to));
    return is_live(mesh, false, vertex)
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
    ew_status status = read_vertices(play, command, &vertices);
    status = status ? status : view_fix(play, &vertices.list);
    ew_set_free(&vertices);
    return status;
}

static ew_status do_unfix(view_play *play, const cJSON *command)
{
    (void)command;
    return view_fix(play, NULL);
}

static ew_status do_load(view_play *play, const cJSON *command)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(command, "set");
    const ew_model_set_def def = {.kind = EW_SET_OF_VERTICES, .allow_empty = true};
    ew_model *model = play->body.model;
    double force[3], index;
    ew_set vertices = {0};
    EW_TRY(view_read_vector(command, "force", force));
    if (cJSON_GetObjectItemCaseSensitive(command, "index")) {
        EW_TRY(view_read_number(command, "index", 0, 1e6, 0, &index));
        return view_change_load(play, (int32_t)index, force);
    }
    int32_t set = cJSON_IsString(name) ? ew_model_find_set(model, name->valuestring) : -1;
    if (name && set < 0) {
        return ew_fail(EW_BAD_INPUT, "load: there is no set of this name");
    }
    ew_status status = name ? EW_OK : read_vertices(play, command, &vertices);
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
    {"remove", do_remove, NULL},
    {"refine", do_refine, NULL},
    {"cut", do_cut, NULL},
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
    {"support", view_do_support, NULL},
    {"support_remove", view_do_support_remove, NULL},
    {"load_add", view_do_load_add, NULL},
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
