/* Questions of a result, which change nothing: what is at a vertex, a face or a tet in the present
 * frame, how well its tets are shaped, between which numbers a field is in all frames. In: a
 * command. Out: an object of JSON. */
#include "result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what is asked for ------------------------------------------------------------------------
 */

static bool read_id(const cJSON *command, const char *key, double *id)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(command, key);
    *id = cJSON_IsNumber(item) ? item->valuedouble : -1;
    return item;
}

/* The row with this id, -1: none. */
static int32_t find_row(const ew_view_frame *frame, const char *field, ew_field_place place,
                        double id)
{
    const ew_view_field *of = ew_view_field_of(frame, field, place);
    const int32_t n = place == EW_ON_TETS ? frame->n_tet : frame->n_point;
    for (int32_t k = 0; of && id >= 0 && k < n; k++) {
        if (of->data[k] == id) {
            return k;
        }
    }
    return -1;
}

/* ---- rows -------------------------------------------------------------------------------------
 */

static void add_row(cJSON *rows, const char *name, double value, const char *unit)
{
    cJSON *row = cJSON_CreateArray();
    (void)cJSON_AddItemToArray(row, cJSON_CreateString(name));
    (void)cJSON_AddItemToArray(row,
                               isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
    (void)cJSON_AddItemToArray(row, cJSON_CreateString(unit));
    (void)cJSON_AddItemToArray(rows, row);
}

/* All numbers of the row at a place but ids and masks; lengths of vectors, too. */
static void add_fields(const view_result *result, const ew_view_frame *frame, ew_field_place place,
                       int32_t row, cJSON *rows)
{
    for (int32_t k = 0; k < frame->n_field; k++) {
        const ew_view_field *field = &frame->field[k];
        const int32_t n = field->n_component;
        if (field->place != place || !strncmp(field->name, "set_", 4) ||
            !strcmp(field->name, "tet_id") || !strcmp(field->name, "vertex_id")) {
            continue;
        }
        look_field of = {.place = place == EW_ON_TETS ? LOOK_AT_TETS : LOOK_AT_VERTICES,
                         .component = -1,
                         .of = field};
        char name[EW_VIEW_NAME + 16], unit[EW_UNIT_TEXT];
        look_write_unit(&result->file[0].view, &of, unit);
        if (look_has_length(field->name, n)) {
            look_write_name(field->name, n, -1, name, sizeof name);
            add_row(rows, name, look_number(&of, row), unit);
        }
        for (of.component = 0; of.component < n && n > 1; of.component++) {
            look_write_name(field->name, n, of.component, name, sizeof name);
            add_row(rows, name, look_number(&of, row), unit);
        }
    }
}

static void add_place(const view_result *result, const double place[3], cJSON *rows)
{
    const char *unit = result->file[0].view.length_unit;
    add_row(rows, "x", place[0], unit);
    add_row(rows, "y", place[1], unit);
    add_row(rows, "z", place[2], unit);
}

static ew_status tell_vertex(const view_result *result, const ew_view_frame *frame, double id,
                             cJSON *answer, cJSON *rows)
{
    char title[64];
    const int32_t row = find_row(frame, "vertex_id", EW_ON_VERTICES, id);
    if (row < 0) {
        return ew_fail(EW_BAD_INPUT, "inspect: there is no vertex %.17g in this frame", id);
    }
    const double *place = frame->xyz + 3 * (size_t)row;
    snprintf(title, sizeof title, "Vertex %.0f", id);
    add_place(result, place, rows);
    add_fields(result, frame, EW_ON_VERTICES, row, rows);
    (void)cJSON_AddStringToObject(answer, "title", title);
    (void)cJSON_AddItemToObject(answer, "place", cJSON_CreateDoubleArray(place, 3));
    return EW_OK;
}

/* A tet, or face `face` of it (from 0; -1: the tet). */
static void tell_tet(const view_result *result, const ew_view_frame *frame, int32_t row, int face,
                     cJSON *answer, cJSON *rows)
{
    const ew_view_field *id = ew_view_field_of(frame, "tet_id", EW_ON_TETS);
    double place[3] = {0};
    char title[64];
    const double number = id ? id->data[row] : row;
    const int n = face < 0 ? 4 : 3;
    for (int k = 0; k < n; k++) {
        const int corner = face < 0 ? k : ew_face_vertex[face][k];
        const size_t point = (size_t)frame->tet[4 * (size_t)row + (size_t)corner];
        for (size_t c = 0; c < 3; c++) {
            place[c] += frame->xyz[3 * point + c] / n;
        }
    }
    if (face < 0) {
        snprintf(title, sizeof title, "Tet %.0f", number);
    } else {
        snprintf(title, sizeof title, "Face %d of tet %.0f", face, number);
    }
    add_place(result, place, rows);
    add_fields(result, frame, EW_ON_TETS, row, rows);
    (void)cJSON_AddStringToObject(answer, "title", title);
    (void)cJSON_AddItemToObject(answer, "place", cJSON_CreateDoubleArray(place, 3));
}

static ew_status inspect(const view_result *result, const ew_view_frame *frame,
                         const cJSON *command, cJSON *answer)
{
    cJSON *rows = cJSON_AddArrayToObject(answer, "rows");
    double id;
    if (read_id(command, "vertex", &id)) {
        return tell_vertex(result, frame, id, answer, rows);
    }
    if (read_id(command, "tet", &id)) {
        const int32_t row = find_row(frame, "tet_id", EW_ON_TETS, id);
        if (row < 0) {
            return ew_fail(EW_BAD_INPUT, "inspect: there is no tet %.17g in this frame", id);
        }
        tell_tet(result, frame, row, -1, answer, rows);
        return EW_OK;
    }
    if (!read_id(command, "face", &id)) {
        return ew_fail(EW_BAD_INPUT, "inspect: name a 'vertex', a 'tet' or a 'face'");
    }
    if (!(id >= 0 && id < 4.0 * frame->n_tet) || id != floor(id)) {
        return ew_fail(EW_BAD_INPUT, "inspect: there is no such face in this frame");
    }
    tell_tet(result, frame, (int32_t)(id / 4), (int)fmod(id, 4), answer, rows);
    return EW_OK;
}

ew_status result_do_inspect(view_result *result, const cJSON *command, cJSON *answer)
{
    ew_view_frame frame = {0};
    EW_TRY(result_read_frame(result, 0, result->frame, NULL, &frame));
    const ew_status status = inspect(result, &frame, command, answer);
    ew_view_frame_free(&frame);
    return status;
}

/* ---- of all tets, of all frames ---------------------------------------------------------------
 */

ew_status result_do_quality(view_result *result, const cJSON *command, cJSON *answer)
{
    const result_body *body = &result->body[0];
    const ew_mesh_measure *measure = &body->surface.body.measure;
    const ew_view_field *id = ew_view_field_of(&body->frame, "tet_id", EW_ON_TETS);
    (void)command;
    cJSON *worst = cJSON_AddArrayToObject(answer, "worst");
    (void)cJSON_AddItemToObject(answer, "count", cJSON_CreateIntArray(measure->histogram, 10));
    (void)cJSON_AddNumberToObject(answer, "low", 0.0);
    (void)cJSON_AddNumberToObject(answer, "high", 1.0);
    for (int k = 0; k < 5 && measure->worst[k] >= 0; k++) {
        cJSON *one = cJSON_CreateObject();
        (void)cJSON_AddNumberToObject(one, "tet", id ? id->data[measure->worst[k]] : -1);
        if (k == 0) {
            (void)cJSON_AddNumberToObject(one, "quality", measure->min_quality);
        }
        (void)cJSON_AddItemToArray(worst, one);
    }
    return EW_OK;
}

/* The least and the largest of the field over all frames, one after the other: {"low", "high"}. */
ew_status result_do_range(view_result *result, const cJSON *command, cJSON *answer)
{
    double low = INFINITY, high = -INFINITY;
    char names[2 * EW_VIEW_NAME + 16] = "";
    (void)command;
    if (result->n_choice) {
        const char *name = result->choice[result->shown].name;
        snprintf(names, sizeof names, "%s corner_%s", name, name);
    }
    for (int32_t k = 0; k < result_n_frame(result); k++) {
        ew_view_frame frame = {0};
        look_field field;
        look_extreme least, most;
        EW_TRY(result_read_frame(result, 0, k, names, &frame));
        result_choose(result, &frame, &field);
        look_find_extremes(&field, &frame, &least, &most);
        low = fmin(low, least.value);
        high = fmax(high, most.value);
        ew_view_frame_free(&frame);
    }
    if (!(low <= high)) {
        return ew_fail(EW_BAD_INPUT, "range: no frame has numbers of this field");
    }
    (void)cJSON_AddNumberToObject(answer, "low", low);
    (void)cJSON_AddNumberToObject(answer, "high", high);
    return EW_OK;
}
