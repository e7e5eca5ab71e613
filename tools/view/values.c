/* Values of commands: numbers, vertices and tets by their slots or by a place. In: an object of
 * JSON, and the body that it is about. Out: numbers in their ranges, slots that are in the body. */
#include "play.h"

#include <math.h>
#include <string.h>

/* ---- numbers ------------------------------------------------------------------------------- */

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

/* {"sides": [[x, y, z, d], ...]}: half-spaces x . place <= d; none where there are none. */
ew_status view_read_sides(const cJSON *from, view_sides *sides)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(from, "sides"), *item;
    bool is_good = !list || (cJSON_IsArray(list) && cJSON_GetArraySize(list) <= EW_MAX_CUT_SIDE);
    sides->n = 0;
    for (item = is_good && list ? list->child : NULL; item; item = item->next) {
        is_good = is_good && cJSON_IsArray(item) && cJSON_GetArraySize(item) == 4;
        for (int c = 0; c < 4 && is_good; c++) {
            const cJSON *number = cJSON_GetArrayItem(item, c);
            is_good = cJSON_IsNumber(number) && fabs(number->valuedouble) <= 1e90;
            sides->side[sides->n][c] = is_good ? number->valuedouble : 0.0;
        }
        sides->n += is_good;
    }
    return is_good
               ? EW_OK
               : ew_fail(EW_BAD_INPUT,
                         "%s: 'sides' must be a list of at most %d lists of four finite numbers",
                         cJSON_GetObjectItemCaseSensitive(from, "do")->valuestring,
                         EW_MAX_CUT_SIDE);
}

/* ---- vertices and tets ---------------------------------------------------------------------- */

bool view_is_live(const ew_mesh *mesh, bool tets, double id)
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
        if (!cJSON_IsNumber(item) || !view_is_live(mesh, tets, item->valuedouble)) {
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

/* The tets that a plane passes through, between the sides. */
static ew_status read_strip(view_play *play, const cJSON *from, ew_set *tets)
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    view_sides sides;
    double point[3], n[3], place[3];
    EW_TRY(view_read_vector(from, "point", point));
    EW_TRY(view_read_vector(from, "normal", n));
    EW_TRY(view_read_sides(from, &sides));
    const double offset = n[0] * point[0] + n[1] * point[1] + n[2] * point[2];
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        int n_beyond = 0;
        for (int k = 0; k < 4 && ew_mesh_tet_is_live(mesh, t); k++) {
            const double *x = mesh->xyz + 3 * (size_t)mesh->tet[4 * (size_t)t + (size_t)k];
            n_beyond += n[0] * x[0] + n[1] * x[1] + n[2] * x[2] > offset;
        }
        bool is_met = n_beyond % 4 != 0;
        if (is_met) {
            middle_of(mesh, t, place);
        }
        for (int32_t k = 0; k < sides.n && is_met; k++) {
            const double *s = sides.side[k];
            is_met = s[0] * place[0] + s[1] * place[1] + s[2] * place[2] <= s[3];
        }
        EW_TRY(is_met ? ew_set_add(tets, t) : EW_OK);
    }
    return tets->list.n ? EW_OK
                        : ew_fail(EW_BAD_INPUT, "%s: the plane meets no tet there",
                                  cJSON_GetObjectItemCaseSensitive(from, "do")->valuestring);
}

ew_status view_read_tets(view_play *play, const cJSON *from, ew_set *tets)
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    double center[3], place[3], radius;
    int32_t tet;
    if (cJSON_GetObjectItemCaseSensitive(from, "tets")) {
        return read_slots(play, from, "tets", true, tets);
    }
    if (cJSON_GetObjectItemCaseSensitive(from, "normal")) {
        return read_strip(play, from, tets);
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

ew_status view_read_vertices(view_play *play, const cJSON *from, ew_set *vertices)
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
