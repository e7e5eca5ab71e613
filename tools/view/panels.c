/* Contents of the panels of the page. In: a played body. Out: an object of JSON. */
#include "play.h"

#include <math.h>
#include <string.h>

bool view_is_shown_set(const view_play *play, int32_t s)
{
    const ew_model_set set = ew_model_view_set(play->body.model, s);
    return set.name && set.name[0] && set.name[0] != ' ' && !view_is_removed_set(play, s);
}

static void add_sets(const view_play *play, cJSON *sets)
{
    const ew_model *model = play->body.model;
    static const char *const kind[] = {"vertices", "faces", "tets"};
    for (int32_t s = 0; s < ew_model_n_set(model); s++) {
        const ew_model_set set = ew_model_view_set(model, s);
        ew_set_measure measure = {0};
        if (view_is_shown_set(play, s) && !ew_model_measure_set(model, s, &measure)) {
            cJSON *one = cJSON_CreateObject();
            (void)cJSON_AddStringToObject(one, "name", view_name_of_set(play, s));
            (void)cJSON_AddStringToObject(one, "kind", kind[set.kind]);
            (void)cJSON_AddBoolToObject(one, "of_file", s < play->n_set_of_file);
            (void)cJSON_AddNumberToObject(one, "count", measure.n_member);
            (void)cJSON_AddNumberToObject(one, "area", measure.area);
            const cJSON *rule = cJSON_GetObjectItemCaseSensitive(play->rules, set.name);
            if (rule) {
                (void)cJSON_AddItemToObject(one, "rule", cJSON_Duplicate(rule, true));
            }
            (void)cJSON_AddItemToArray(sets, one);
        }
    }
}

static void add_mesh(const view_play *play, cJSON *mesh)
{
    (void)cJSON_AddNumberToObject(mesh, "edge", play->mean_edge);
    (void)cJSON_AddNumberToObject(mesh, "size", play->mesh_size);
    if (play->source->fill) {
        (void)cJSON_AddStringToObject(mesh, "by", play->source->filled_by);
    }
}

static void add_parameters(const view_play *play, cJSON *list)
{
    for (int32_t i = 0; i < play->source->n_parameter; i++) {
        const view_parameter *of = &play->source->parameter[i];
        const double reach = of->value != 0.0 ? 0.5 * fabs(of->value) : 1.0;
        cJSON *one = cJSON_CreateObject();
        (void)cJSON_AddStringToObject(one, "name", of->name);
        (void)cJSON_AddNumberToObject(one, "value", play->value[i]);
        (void)cJSON_AddNumberToObject(one, "low", of->value - reach);
        (void)cJSON_AddNumberToObject(one, "high", of->value + reach);
        (void)cJSON_AddItemToArray(list, one);
    }
}

static void add_loads(const view_play *play, cJSON *list)
{
    for (int32_t i = 0; i < play->supports.n_load; i++) {
        const ew_model_load *load = &play->supports.load[i];
        const char *set = load->set >= 0 ? view_name_of_set(play, load->set) : NULL;
        cJSON *one = cJSON_CreateObject();
        const char *kind = view_load_name(load);
        const bool is_pressure = load->kind == EW_LOAD_PRESSURE;
        (void)cJSON_AddStringToObject(one, "type", kind ? kind : "other");
        (void)cJSON_AddStringToObject(one, "set", set ? set : "");
        (void)cJSON_AddItemToObject(one, "value",
                                    cJSON_CreateDoubleArray(is_pressure ? &load->pressure
                                                                        : load->vector,
                                                            is_pressure ? 1 : 3));
        (void)cJSON_AddItemToArray(list, one);
    }
}

static void add_supports(const view_play *play, cJSON *list)
{
    for (int32_t i = 0; i < play->supports.n_constraint; i++) {
        const ew_model_constraint *of = &play->supports.constraint[i];
        const char *set = view_name_of_set(play, of->set);
        cJSON *one = cJSON_CreateObject(), *fixed = cJSON_CreateArray();
        for (int c = 0; c < 3; c++) {
            (void)cJSON_AddItemToArray(fixed, cJSON_CreateBool(of->fixed >> c & 1));
        }
        (void)cJSON_AddStringToObject(one, "set", set ? set : "");
        (void)cJSON_AddItemToObject(one, "fixed", fixed);
        (void)cJSON_AddItemToObject(one, "value", cJSON_CreateDoubleArray(of->value, 3));
        (void)cJSON_AddBoolToObject(one, "plain",
                                    view_is_plain_support(of) && of->set != play->fix_set);
        (void)cJSON_AddItemToArray(list, one);
    }
}

static void add_springs(const view_play *play, cJSON *list)
{
    static const char *const kind[] = {"each vertex", "total", "foundation"};
    for (int32_t i = 0; i < play->supports.n_spring; i++) {
        const ew_model_spring *of = &play->supports.spring[i];
        const char *set = view_name_of_set(play, of->set);
        const int n = of->kind == EW_SPRING_FOUNDATION ? 2 : 3;
        cJSON *one = cJSON_CreateObject();
        (void)cJSON_AddStringToObject(one, "set", set ? set : "");
        (void)cJSON_AddStringToObject(one, "kind", kind[of->kind]);
        (void)cJSON_AddItemToObject(one, "stiffness", cJSON_CreateDoubleArray(of->stiffness, n));
        (void)cJSON_AddItemToArray(list, one);
    }
}

const char *view_load_name(const ew_model_load *load)
{
    switch (load->kind) {
    case EW_LOAD_TOTAL_FORCE:
        return "force";
    case EW_LOAD_FORCE:
        return "force at each vertex";
    case EW_LOAD_PRESSURE:
        return "pressure";
    case EW_LOAD_TRACTION:
        return "traction";
    case EW_LOAD_MOMENT:
        return "moment";
    case EW_LOAD_GRAVITY:
        return "gravity";
    default:
        return NULL;
    }
}

enum { MAX_SHOWN = 1000 }; /* entries of the journal that the page is told: the last ones */

static void add_journal(const view_play *play, cJSON *list)
{
    const int32_t first = play->n_entry > MAX_SHOWN ? play->n_entry - MAX_SHOWN : 0;
    for (int32_t i = first; i < play->n_entry; i++) {
        cJSON *entry = cJSON_Parse(play->entry[i].text);
        cJSON *name = cJSON_DetachItemFromObjectCaseSensitive(entry, "do"),
              *one = cJSON_CreateObject();
        (void)cJSON_AddNumberToObject(one, "at", i + 1);
        (void)cJSON_AddStringToObject(one, "do", name ? name->valuestring : "");
        if (play->entry[i].n_step) {
            (void)cJSON_AddNumberToObject(one, "n", play->entry[i].n_step);
        }
        (void)cJSON_AddItemToArray(list, one);
        cJSON_Delete(entry);
        cJSON_Delete(name);
    }
}

/* What the program knows, so that the page offers no more. */
static void add_commands(const view_play *play, cJSON *list)
{
    const char *name;
    for (int k = 0; (name = view_edit_name(k)); k++) {
        if (strcmp(name, "fill") != 0 || play->source->fill) {
            (void)cJSON_AddItemToArray(list, cJSON_CreateString(name));
        }
    }
    for (int k = 0; (name = view_question_name(k)); k++) {
        (void)cJSON_AddItemToArray(list, cJSON_CreateString(name));
    }
    (void)cJSON_AddItemToArray(list, cJSON_CreateString("field"));
    (void)cJSON_AddItemToArray(list, cJSON_CreateString("section"));
    (void)cJSON_AddItemToArray(list, cJSON_CreateString("explode"));
    if (play->source->save) {
        (void)cJSON_AddItemToArray(list, cJSON_CreateString("save"));
    }
}

ew_status view_play_state(view_play *play, cJSON **state)
{
    cJSON *all = cJSON_CreateObject();
    if (!all) {
        return ew_fail(EW_NO_MEMORY, "view: no memory for the panels");
    }
    (void)cJSON_AddStringToObject(all, "kind", "state");
    (void)cJSON_AddStringToObject(all, "file", play->source->file);
    if (play->source->save) {
        char name[256];
        view_name_case(play, name);
        (void)cJSON_AddStringToObject(all, "case_file", name);
    }
    (void)cJSON_AddNumberToObject(all, "dt", play->dt);
    (void)cJSON_AddBoolToObject(all, "cad", play->source->is_cad);
    (void)cJSON_AddBoolToObject(all, "is_case", play->source->text != NULL);
    (void)cJSON_AddNumberToObject(all, "speed", play->speed);
    add_mesh(play, cJSON_AddObjectToObject(all, "mesh"));
    add_sets(play, cJSON_AddArrayToObject(all, "sets"));
    add_parameters(play, cJSON_AddArrayToObject(all, "parameters"));
    add_loads(play, cJSON_AddArrayToObject(all, "loads"));
    add_commands(play, cJSON_AddArrayToObject(all, "commands"));
    view_add_fields(play, cJSON_AddArrayToObject(all, "fields"));
    view_add_materials(play, all);
    view_add_selectors(cJSON_AddArrayToObject(all, "selectors"));
    add_supports(play, cJSON_AddArrayToObject(all, "supports"));
    add_springs(play, cJSON_AddArrayToObject(all, "springs"));
    view_add_steps(play, cJSON_AddArrayToObject(all, "steps"));
    add_journal(play, cJSON_AddArrayToObject(all, "journal"));
    (void)cJSON_AddNumberToObject(all, "at", play->at);
    *state = all;
    return EW_OK;
}
