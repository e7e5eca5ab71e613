/* Which numbers color the surface. In: a played body as it is, and the choice of the command
 * `field`. Out: a number at each vertex of the surface, or one on each triangle, of its tet. */
#include "play.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* [VIEW_N_FIELD] as the page names them, and the places of their numbers. */
static const struct {
    const char *name;
    bool at_vertices, of_tets;
} fields[VIEW_N_FIELD] = {
    {"von Mises stress", true, true}, {"displacement", true, false},
    {"displacement x", true, false},  {"displacement y", true, false},
    {"displacement z", true, false},  {"estimated error", false, true},
};
static const char *const places[2] = {"vertices", "tets"};

/* ---- choice ---------------------------------------------------------------------------------- */

void view_add_fields(cJSON *list)
{
    for (int k = 0; k < VIEW_N_FIELD; k++) {
        cJSON *one = cJSON_CreateObject(), *of;
        (void)cJSON_AddStringToObject(one, "name", fields[k].name);
        of = cJSON_AddArrayToObject(one, "of");
        if (fields[k].at_vertices) {
            (void)cJSON_AddItemToArray(of, cJSON_CreateString(places[0]));
        }
        if (fields[k].of_tets) {
            (void)cJSON_AddItemToArray(of, cJSON_CreateString(places[1]));
        }
        (void)cJSON_AddItemToArray(list, one);
    }
}

cJSON *view_make_field(const view_play *play)
{
    cJSON *field = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(field, "name", fields[play->field].name);
    (void)cJSON_AddStringToObject(field, "of", places[play->field_of_tets]);
    return field;
}

/* The estimate of the present static answer. */
static ew_status take_estimate(view_play *play, const ew_estimate **estimate)
{
    EW_TRY(ew_model_recover(play->body.model, NULL, NULL));
    EW_TRY(ew_model_estimate(play->body.model, estimate, NULL));
    play->error = (*estimate)->share;
    return EW_OK;
}

static ew_status find_name(const cJSON *command, int *found)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(command, "name");
    for (int k = 0; k < VIEW_N_FIELD && cJSON_IsString(name); k++) {
        if (!strcmp(name->valuestring, fields[k].name)) {
            *found = k;
            return EW_OK;
        }
    }
    return ew_fail(EW_BAD_INPUT, "field: 'name' must be a field of the state's list, as '%s'",
                   fields[0].name);
}

static ew_status find_place(const cJSON *command, int k, bool *of_tets)
{
    const cJSON *of = cJSON_GetObjectItemCaseSensitive(command, "of");
    *of_tets = !fields[k].at_vertices;
    if (!of) {
        return EW_OK;
    }
    for (int place = 0; place < 2 && cJSON_IsString(of); place++) {
        if (!strcmp(of->valuestring, places[place]) &&
            (place ? fields[k].of_tets : fields[k].at_vertices)) {
            *of_tets = place;
            return EW_OK;
        }
    }
    return ew_fail(EW_BAD_INPUT, "field: '%s' has numbers 'of' %s", fields[k].name,
                   !fields[k].of_tets       ? "'vertices' only"
                   : !fields[k].at_vertices ? "'tets' only"
                                            : "'vertices' or 'tets'");
}

ew_status view_do_field(view_play *play, const cJSON *command)
{
    int k = 0;
    bool of_tets = false;
    const ew_estimate *estimate;
    EW_TRY(find_name(command, &k));
    EW_TRY(find_place(command, k, &of_tets));
    if (k == VIEW_ERROR && play->mode != VIEW_STATICS) {
        return ew_fail(EW_BAD_INPUT, "field: the error is estimated of a static answer; choose the "
                                     "mode 'statics' first");
    }
    EW_TRY(k == VIEW_ERROR && !play->message[0] ? take_estimate(play, &estimate) : EW_OK);
    play->field = (view_field)k;
    play->field_of_tets = of_tets;
    return EW_OK;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* By slot of a vertex, with a section of all, or of a tet; a failure is the message. */
static const double *find_stress(view_play *play)
{
    ew_surface_stress stress = {0};
    const ew_fields *recovered = NULL;
    const ew_sums *sums;
    const ew_status status = play->field_of_tets || play->has_section || play->is_exploded
                                 ? ew_model_recover(play->body.model, &recovered, &sums)
                                 : ew_model_recover_surface(play->body.model, &stress);
    if (status) {
        snprintf(play->message, sizeof play->message, "%s", ew_message());
        return NULL;
    }
    return !recovered            ? stress.von_mises
           : play->field_of_tets ? recovered->von_mises
                                 : recovered->vertex_von_mises;
}

const double *view_find_field(view_play *play)
{
    const ew_estimate *estimate;
    if (play->field != VIEW_VON_MISES && play->field != VIEW_ERROR) {
        return ew_model_displacement(play->body.model);
    }
    if (play->message[0]) {
        return NULL;
    }
    if (play->field == VIEW_VON_MISES) {
        return find_stress(play);
    }
    return play->mode == VIEW_STATICS && !take_estimate(play, &estimate) ? estimate->error : NULL;
}

double view_number_at(const view_play *play, const double *number, size_t slot)
{
    if (!number) {
        return NAN;
    }
    if (play->field == VIEW_VON_MISES || play->field == VIEW_ERROR) {
        return number[slot];
    }
    const double *u = number + 3 * slot;
    return play->field == VIEW_DISPLACEMENT ? sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2])
                                            : u[play->field - VIEW_DISPLACEMENT_X];
}

/* float: beyond its range infinity, which the page shows as no number. */
void view_take_field(view_play *play, int32_t n, int32_t m, const double *number)
{
    for (int32_t i = 0; i < n && !play->field_of_tets; i++) {
        play->shown[i] = (float)view_number_at(play, number, (size_t)play->vertex_id[i]);
    }
    for (int32_t i = 0; i < m && play->field_of_tets; i++) {
        float *corner = play->corner_shown + 3 * (size_t)i;
        corner[0] = corner[1] = corner[2] =
            (float)view_number_at(play, number, (size_t)play->tet[i]);
    }
}
