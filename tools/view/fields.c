/* Which numbers color a played body. In: its model as it is, and the choice of the command `field`.
 * Out: a number at each vertex, of each tet or at each corner of each tet, and what is drawn of
 * them. */
#include "play.h"
#include "results/results_fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const place_names[VIEW_N_PLACE] = {"vertices", "tets", "corners", "recovered"};

enum { LENGTH = -1, NO_PART = 0 }; /* of `part`: the length of a vector */
#define AT(place) (1u << (place))
#define STRESS_PLACES                                                                              \
    (AT(VIEW_AT_VERTICES) | AT(VIEW_OF_TETS) | AT(VIEW_AT_CORNERS) | AT(VIEW_RECOVERED))

/* Where the numbers of a field are. Null: there are none, and the model's message may say why. */
typedef const double *(*numbers_of)(view_play *play);

typedef struct field_row {
    const char *name;
    numbers_of find; /* null: of `places` other than vertices and tets alone */
    const char *unit;
    unsigned places; /* AT bits; vertices and tets: by `find` and, of stress, by place */
    int width, part; /* numbers of a slot; which of them */
} field_row;

/* ---- where the numbers are ------------------------------------------------------------------- */

/* A failure is the message of the picture. */
static const ew_fields *recover(view_play *play)
{
    const ew_fields *fields = NULL;
    const ew_sums *sums;
    if (play->message[0]) {
        return NULL;
    }
    if (ew_model_recover(play->body.model, &fields, &sums)) {
        snprintf(play->message, sizeof play->message, "%s", ew_message());
        return NULL;
    }
    return fields;
}

/* The estimate of the present static answer. */
static ew_status take_estimate(view_play *play, const ew_estimate **estimate)
{
    EW_TRY(ew_model_recover(play->body.model, NULL, NULL));
    EW_TRY(ew_model_estimate(play->body.model, estimate, NULL));
    play->error = (*estimate)->share;
    return EW_OK;
}

static double *make_numbers(view_play *play, int64_t n)
{
    return ew_grow(&play->number, &play->number_capacity, n, sizeof *play->number) ? NULL
                                                                                   : play->number;
}

static const double *find_displacement(view_play *play)
{
    return ew_model_displacement(play->body.model);
}

static const double *find_velocity(view_play *play)
{
    return play->mode == VIEW_STATICS ? NULL : ew_model_velocity(play->body.model);
}

static const double *find_acceleration(view_play *play)
{
    return play->mode == VIEW_STATICS ? NULL : ew_model_acceleration(play->body.model);
}

static const double *find_reaction(view_play *play)
{
    const ew_fields *fields = recover(play);
    return fields ? fields->reaction : NULL;
}

/* After a local answer everything is recovered, with its error: of what changed alone. */
static bool recovers_all(const view_play *play)
{
    return play->mode == VIEW_STATICS && play->is_local && !play->message[0] &&
           ew_model_keeps_recovery(play->body.model);
}

static const double *find_von_mises(view_play *play)
{
    ew_surface_stress stress = {0};
    const ew_estimate *estimate;
    const ew_fields *fields;
    if (recovers_all(play)) {
        if (take_estimate(play, &estimate)) {
            snprintf(play->message, sizeof play->message, "%s", ew_message());
            return NULL;
        }
    } else if (play->place == VIEW_AT_VERTICES && !play->has_section && !play->is_exploded) {
        if (play->message[0]) {
            return NULL;
        }
        if (ew_model_recover_surface(play->body.model, &stress)) {
            snprintf(play->message, sizeof play->message, "%s", ew_message());
        }
        return stress.von_mises;
    }
    fields = recover(play);
    return !fields                       ? NULL
           : play->place == VIEW_OF_TETS ? fields->von_mises
                                         : fields->vertex_von_mises;
}

static const double *find_stress(view_play *play)
{
    const ew_fields *fields = recover(play);
    return !fields ? NULL : play->place == VIEW_OF_TETS ? fields->stress : fields->vertex_stress;
}

static const double *find_principal(view_play *play)
{
    const ew_fields *fields = recover(play);
    return fields ? fields->principal : NULL;
}

static const double *find_strain(view_play *play)
{
    const ew_fields *fields = recover(play);
    return fields ? fields->strain : NULL;
}

static const double *find_energy(view_play *play)
{
    const ew_fields *fields = recover(play);
    return fields ? fields->energy : NULL;
}

static const double *find_volumetric(view_play *play)
{
    return play->message[0] ? NULL : ew_model_volumetric_stress(play->body.model);
}

static const double *find_error(view_play *play)
{
    const ew_estimate *estimate;
    return play->mode == VIEW_STATICS && !play->message[0] && !take_estimate(play, &estimate)
               ? estimate->error
               : NULL;
}

static const double *find_contact_pressure(view_play *play)
{
    return play->message[0] ? NULL : ew_model_contact_field(play->body.model, EW_CONTACT_PRESSURE);
}

static const double *find_plastic(view_play *play)
{
    const int32_t n = ew_model_mesh(play->body.model)->n_tet;
    double *to = make_numbers(play, n), state[EW_MAX_LAW_STATE];
    for (int32_t t = 0; t < n && to; t++) {
        (void)ew_model_mean_law_state(play->body.model, t, state);
        to[t] = state[EW_STATE_EQUIVALENT];
    }
    return to;
}

static const double *find_region(view_play *play)
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    double *to = make_numbers(play, mesh->n_tet);
    for (int32_t t = 0; t < mesh->n_tet && to; t++) {
        to[t] = ew_mesh_tet_is_live(mesh, t) ? mesh->region_label[mesh->region[t]] : 0.0;
    }
    return to;
}

static const double *find_quality(view_play *play)
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    double *to = make_numbers(play, mesh->n_tet);
    for (int32_t t = 0; t < mesh->n_tet && to; t++) {
        to[t] = ew_mesh_tet_is_live(mesh, t) ? ew_mesh_tet_quality(mesh, t) : 0.0;
    }
    return to;
}

/* ---- the list -------------------------------------------------------------------------------- */

#define STRESS "force/length^2"
#define VECTOR(name, find, unit, places)                                                           \
    {name, find, unit, places, 3, LENGTH}, {name " x", find, unit, places, 3, 0},                  \
        {name " y", find, unit, places, 3, 1},                                                     \
    {                                                                                              \
        name " z", find, unit, places, 3, 2                                                        \
    }
#define TENSOR(name, find, unit, places)                                                           \
    {name " xx", find, unit, places, 6, 0}, {name " yy", find, unit, places, 6, 1},                \
        {name " zz", find, unit, places, 6, 2}, {name " xy", find, unit, places, 6, 3},            \
        {name " yz", find, unit, places, 6, 4},                                                    \
    {                                                                                              \
        name " xz", find, unit, places, 6, 5                                                       \
    }

/* The first is that of a body that is opened. */
static const field_row rows[] = {
    {"von Mises stress", find_von_mises, STRESS, STRESS_PLACES, 1, NO_PART},
    VECTOR("displacement", find_displacement, "length", AT(VIEW_AT_VERTICES)),
    TENSOR("stress", find_stress, STRESS, STRESS_PLACES),
    {"principal stress 1", find_principal, STRESS, AT(VIEW_OF_TETS), 3, 0},
    {"principal stress 2", find_principal, STRESS, AT(VIEW_OF_TETS), 3, 1},
    {"principal stress 3", find_principal, STRESS, AT(VIEW_OF_TETS), 3, 2},
    TENSOR("strain", find_strain, "", AT(VIEW_OF_TETS)),
    {"strain energy", find_energy, "force*length", AT(VIEW_OF_TETS), 1, NO_PART},
    VECTOR("reaction", find_reaction, "force", AT(VIEW_AT_VERTICES)),
    VECTOR("velocity", find_velocity, "length/time", AT(VIEW_AT_VERTICES)),
    VECTOR("acceleration", find_acceleration, "length/time^2", AT(VIEW_AT_VERTICES)),
    {"volumetric stress", find_volumetric, STRESS, AT(VIEW_AT_VERTICES), 1, NO_PART},
    {"contact pressure", find_contact_pressure, STRESS, AT(VIEW_AT_VERTICES), 1, NO_PART},
    {"equivalent plastic strain", find_plastic, "", AT(VIEW_OF_TETS), 1, NO_PART},
    {"estimated error", find_error, "(force*length)^0.5", AT(VIEW_OF_TETS), 1, NO_PART},
    {"region", find_region, "", AT(VIEW_OF_TETS), 1, NO_PART},
    {"tet quality", find_quality, "", AT(VIEW_OF_TETS), 1, NO_PART},
};
enum { N_ROW = sizeof rows / sizeof *rows };

/* Whether the body has the field as it is. */
static bool is_there(const view_play *play, const field_row *row)
{
    ew_model *model = play->body.model;
    int32_t n;
    return row->find == find_velocity || row->find == find_acceleration ? play->mode != VIEW_STATICS
           : row->find == find_error                                    ? play->mode == VIEW_STATICS
           : row->find == find_volumetric                               ? ew_model_is_mixed(model)
           : row->find == find_contact_pressure ? ew_model_n_contact(model) > 0
           : row->find == find_plastic          ? ew_model_law_state(model, &n) != NULL
                                                : true;
}

/* Sides of an interface differ where there are several regions; a stress is recovered of an
 * answer. */
static bool has_place(const view_play *play, const field_row *row, int place)
{
    return (row->places & AT(place)) &&
           (place != VIEW_AT_CORNERS || ew_model_mesh(play->body.model)->n_region > 1) &&
           (place != VIEW_RECOVERED || play->mode == VIEW_STATICS);
}

void view_add_fields(const view_play *play, cJSON *list)
{
    for (int k = 0; k < N_ROW; k++) {
        if (!is_there(play, &rows[k])) {
            continue;
        }
        cJSON *one = cJSON_CreateObject(), *of;
        (void)cJSON_AddStringToObject(one, "name", rows[k].name);
        of = cJSON_AddArrayToObject(one, "of");
        for (int place = 0; place < VIEW_N_PLACE; place++) {
            if (has_place(play, &rows[k], place)) {
                (void)cJSON_AddItemToArray(of, cJSON_CreateString(place_names[place]));
            }
        }
        (void)cJSON_AddItemToArray(list, one);
    }
}

cJSON *view_make_field(const view_play *play)
{
    const field_row *row = &rows[play->field];
    const char *length, *force, *time = play->body.input ? play->body.input->time_unit : "s";
    char unit[EW_UNIT_TEXT];
    cJSON *field = cJSON_CreateObject();
    view_units_of(play, &length, &force);
    ew_unit_text(row->unit, length, force, time, unit);
    (void)cJSON_AddStringToObject(field, "name", row->name);
    (void)cJSON_AddStringToObject(field, "of", place_names[play->place]);
    (void)cJSON_AddStringToObject(field, "unit", unit);
    return field;
}

/* ---- choice ---------------------------------------------------------------------------------- */

static ew_status find_name(const view_play *play, const cJSON *command, int *found)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(command, "name");
    for (int k = 0; k < N_ROW && cJSON_IsString(name); k++) {
        if (strcmp(name->valuestring, rows[k].name) != 0) {
            continue;
        }
        if (rows[k].find == find_error && play->mode != VIEW_STATICS) {
            return ew_fail(EW_BAD_INPUT, "field: the error is estimated of a static answer; choose "
                                         "the mode 'statics' first");
        }
        *found = k;
        return is_there(play, &rows[k])
                   ? EW_OK
                   : ew_fail(EW_BAD_INPUT, "field: the body has no '%s' as it is", rows[k].name);
    }
    return ew_fail(EW_BAD_INPUT, "field: 'name' must be a field of the state's list, as '%s'",
                   rows[0].name);
}

/* Without a place the first that there is. */
static ew_status find_place(const view_play *play, const cJSON *command, int k, view_place *found)
{
    const cJSON *of = cJSON_GetObjectItemCaseSensitive(command, "of");
    char all[80] = "";
    for (int place = VIEW_N_PLACE - 1; place >= 0; place--) {
        if (!has_place(play, &rows[k], place)) {
            continue;
        }
        if (!of || (cJSON_IsString(of) && !strcmp(of->valuestring, place_names[place]))) {
            *found = (view_place)place;
            if (of) {
                return EW_OK;
            }
        }
        snprintf(all + strlen(all), sizeof all - strlen(all), " %s", place_names[place]);
    }
    return !of ? EW_OK
               : ew_fail(EW_BAD_INPUT, "field: '%s' has numbers 'of':%s", rows[k].name, all);
}

ew_status view_do_field(view_play *play, const cJSON *command)
{
    int k = 0;
    view_place place = VIEW_AT_VERTICES;
    const ew_estimate *estimate;
    EW_TRY(find_name(play, command, &k));
    EW_TRY(find_place(play, command, k, &place));
    const bool is_estimated = rows[k].find == find_error || place == VIEW_RECOVERED;
    EW_TRY(is_estimated && !play->message[0] ? take_estimate(play, &estimate) : EW_OK);
    play->field = k;
    play->place = place;
    return EW_OK;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* A number at each corner of each tet, of the stress there: averaged over the tets of its own side
 * of an interface, or recovered. */
static const double *find_at_corners(view_play *play)
{
    const field_row *row = &rows[play->field];
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    const ew_estimate *estimate = NULL;
    const ew_fields *fields = recover(play);
    const bool is_recovered = play->place == VIEW_RECOVERED;
    if (!fields ||
        (is_recovered && (play->mode != VIEW_STATICS || take_estimate(play, &estimate)))) {
        return NULL;
    }
    double *to = make_numbers(play, 4 * (int64_t)mesh->n_tet);
    for (int32_t t = 0; t < mesh->n_tet && to; t++) {
        for (int k = 0; k < 4 && ew_mesh_tet_is_live(mesh, t); k++) {
            const double *stress = is_recovered ? ew_recovered_at(&estimate->recovered, mesh, t, k)
                                                : ew_fields_corner_stress(fields, mesh, t, k);
            to[4 * (size_t)t + (size_t)k] = row->width == 6 ? stress[row->part]
                                            : is_recovered
                                                ? ew_von_mises(stress)
                                                : ew_fields_corner_von_mises(fields, mesh, t, k);
        }
    }
    return to;
}

const double *view_find_field(view_play *play)
{
    return play->place == VIEW_AT_CORNERS || play->place == VIEW_RECOVERED
               ? find_at_corners(play)
               : rows[play->field].find(play);
}

double view_number_at(const view_play *play, const double *number, size_t slot)
{
    const field_row *row = &rows[play->field];
    const double *of = number ? number + (size_t)row->width * slot : NULL;
    return !of                   ? NAN
           : row->part == LENGTH ? sqrt(of[0] * of[0] + of[1] * of[1] + of[2] * of[2])
                                 : of[row->part];
}

double view_number_of(const view_play *play, const double *number, int32_t tet, int corner)
{
    const size_t at = 4 * (size_t)tet + (size_t)corner;
    if (play->place == VIEW_AT_CORNERS || play->place == VIEW_RECOVERED) {
        return number ? number[at] : NAN;
    }
    return view_number_at(play, number,
                          play->place == VIEW_OF_TETS
                              ? (size_t)tet
                              : (size_t)ew_model_mesh(play->body.model)->tet[at]);
}

/* float: beyond its range infinity, which the page shows as no number. */
void view_take_field(view_play *play, int32_t n, int32_t m, const double *number)
{
    const bool at_vertices = play->place == VIEW_AT_VERTICES;
    for (int32_t i = 0; i < n && at_vertices; i++) {
        play->shown[i] = (float)view_number_at(play, number, (size_t)play->vertex_id[i]);
    }
    for (int32_t i = 0; i < m && !at_vertices; i++) {
        for (int k = 0; k < 3; k++) {
            play->corner_shown[3 * (size_t)i + (size_t)k] = (float)view_number_of(
                play, number, play->tet[i], ew_face_vertex[play->face[i] % 4][k]);
        }
    }
}
