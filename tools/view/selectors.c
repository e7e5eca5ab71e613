/* Sets of faces by a rule: faces in a box, a sphere, a cylinder or a plane, or that look one way.
 * In: the numbers of a rule. Out: faces, their count and area; a set of the model, and its rule. */
#include "play.h"

#include <math.h>
#include <string.h>

enum { MAX_NUMBER = 7 };

static const struct {
    const char *name;
    int n;
    const char *number[MAX_NUMBER];
} kinds[] = {
    {"plane", 7, {"x", "y", "z", "normal x", "normal y", "normal z", "tolerance"}},
    {"box", 6, {"low x", "low y", "low z", "high x", "high y", "high z"}},
    {"sphere", 4, {"x", "y", "z", "radius"}},
    {"cylinder", 7, {"from x", "from y", "from z", "to x", "to y", "to z", "radius"}},
    {"normal", 4, {"normal x", "normal y", "normal z", "angle"}},
};
enum { N_KIND = sizeof kinds / sizeof *kinds };

/* What is not given is 0; a plane's tolerance then a millionth of the body's size, an angle 20
 * degrees. */
static ew_status read_rule(const view_play *play, const cJSON *from, ew_selector *selector,
                           ew_facing *facing, bool *has_facing)
{
    const cJSON *kind = cJSON_GetObjectItemCaseSensitive(from, "kind"),
                *values = cJSON_GetObjectItemCaseSensitive(from, "values");
    double v[MAX_NUMBER] = {0};
    int k = 0;
    while (k < N_KIND && !(cJSON_IsString(kind) && !strcmp(kinds[k].name, kind->valuestring))) {
        k++;
    }
    if (k == N_KIND) {
        return ew_fail(EW_BAD_INPUT,
                       "a rule: 'kind' must be plane, box, sphere, cylinder or normal");
    }
    for (int i = 0; i < kinds[k].n; i++) {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(values, kinds[k].number[i]);
        v[i] = cJSON_IsNumber(item) ? item->valuedouble : 0.0;
        if ((item && !cJSON_IsNumber(item)) || !(fabs(v[i]) <= 1e90)) {
            return ew_fail(EW_BAD_INPUT, "a rule: '%s' must be a finite number",
                           kinds[k].number[i]);
        }
    }
    *has_facing = k == 4;
    switch (k) {
    case 0:
        *selector = ew_select_plane(v, v + 3, v[6] > 0.0 ? v[6] : 1e-6 * play->size);
        break;
    case 1:
        *selector = ew_select_box(v, v + 3);
        break;
    case 2:
        *selector = ew_select_sphere(v, v[3]);
        break;
    case 3:
        *selector = ew_select_cylinder(v, v + 3, v[6]);
        break;
    default:
        *selector = ew_select_all();
        *facing = (ew_facing){.normal = {v[0], v[1], v[2]}, .angle = v[3] > 0.0 ? v[3] : 20.0};
    }
    return EW_OK;
}

ew_status view_select_by_rule(view_play *play, const cJSON *rule, ew_list *face)
{
    const ew_boundary *boundary;
    ew_selector selector;
    ew_facing facing = {0};
    bool has_facing = false;
    EW_TRY(read_rule(play, rule, &selector, &facing, &has_facing));
    EW_TRY(ew_model_boundary(play->body.model, &boundary));
    return ew_boundary_select(boundary, ew_model_mesh(play->body.model), &selector,
                              has_facing ? &facing : NULL, face);
}

ew_status view_ask_preview(view_play *play, const cJSON *command, cJSON *answer)
{
    ew_list face = {0};
    double area = 0.0;
    const ew_status status = view_select_by_rule(play, command, &face);
    for (int32_t i = 0; i < face.n && !status; i++) {
        double v[3];
        ew_face_area_vector(ew_model_mesh(play->body.model), face.id[i], v);
        area += sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    if (!status) {
        (void)cJSON_AddItemToObject(answer, "faces", cJSON_CreateIntArray(face.id, face.n));
        (void)cJSON_AddNumberToObject(answer, "count", face.n);
        (void)cJSON_AddNumberToObject(answer, "area", area);
    }
    ew_list_free(&face);
    return status;
}

/* A set of these faces, which has a rule from then on. */
ew_status view_do_set_rule(view_play *play, const cJSON *command)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(command, "name");
    ew_list face = {0};
    ew_status status = view_select_by_rule(play, command, &face);
    if (!status && face.n == 0) {
        status =
            ew_fail(EW_BAD_INPUT, "set_rule: no face of the surface is there; change the numbers");
    }
    status = status ? status : view_put_set(play, command, &face);
    ew_list_free(&face);
    if (!status) {
        cJSON *rule = cJSON_CreateObject();
        (void)cJSON_AddItemToObject(
            rule, "kind", cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(command, "kind"), true));
        (void)cJSON_AddItemToObject(
            rule, "values",
            cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(command, "values"), true));
        play->rules = play->rules ? play->rules : cJSON_CreateObject();
        const int32_t set = view_find_set(play, name->valuestring);
        (void)cJSON_AddItemToObject(play->rules, ew_model_view_set(play->body.model, set).name,
                                    rule);
    }
    return status;
}

void view_add_selectors(cJSON *list)
{
    for (int k = 0; k < N_KIND; k++) {
        cJSON *one = cJSON_CreateObject();
        (void)cJSON_AddStringToObject(one, "name", kinds[k].name);
        (void)cJSON_AddItemToObject(one, "numbers",
                                    cJSON_CreateStringArray(kinds[k].number, kinds[k].n));
        (void)cJSON_AddItemToArray(list, one);
    }
}
