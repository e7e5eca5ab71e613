/* A picture of a result. In: the frames that are shown. Out: the bytes of their surfaces, caps and,
 * where they are asked for, of all tets, with what is to be seen on them; arrays of the second body
 * are called second_NAME. */
#include "explode.h"
#include "result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_KEPT = 64, MAX_SET = 32 };

/* Parts of a message. */
typedef struct draft {
    view_writer writer;
    const char *prefix; /* of names */
    int n_kept;
    void *kept[MAX_KEPT]; /* owned: arrays */
} draft;

static ew_status add(draft *to, const char *name, const char *type, int32_t rows, int32_t columns,
                     const void *data)
{
    char own[64];
    snprintf(own, sizeof own, "%s%s", to->prefix, name);
    return view_writer_add(&to->writer, own, type, rows, columns, data);
}

/* n zeros of a size that live as long as the message is made; null: no memory, or too many. */
static void *keep(draft *to, size_t n, size_t size)
{
    void *made = NULL;
    if (to->n_kept == MAX_KEPT) {
        (void)ew_fail(EW_LIMIT, "view: a picture has more arrays than it takes");
    } else if (!ew_new_zero(&made, n, size)) {
        to->kept[to->n_kept++] = made;
    }
    return made;
}

/* ---- places -----------------------------------------------------------------------------------
 */

static const double *displacement_of(const ew_view_frame *frame)
{
    const ew_view_field *u = ew_view_field_of(frame, "displacement", EW_ON_VERTICES);
    return u && u->n_component == 3 && frame->n_point && isfinite(u->data[0]) ? u->data : NULL;
}

/* Where a point is, and how far it is displaced. */
static void locate(const ew_view_frame *frame, const look_point *point, const double *u,
                   float *position, float *displacement)
{
    double at[3], moved[3];
    look_locate(frame, point, NULL, 0.0, at);
    look_locate(frame, point, u, 1.0, moved);
    for (int c = 0; c < 3; c++) {
        position[c] = (float)at[c];
        displacement[c] = u ? (float)(moved[c] - at[c]) : 0.0f;
    }
}

static float value_at(const result_body *body, const look_point *point)
{
    return body->field.of ? (float)look_value(&body->field, &body->frame, point) : NAN;
}

static ew_status add_points(draft *to, const result_body *body, bool whole)
{
    const look_surface *surface = &body->surface;
    const int32_t n = surface->n_vertex;
    const double *u = displacement_of(&body->frame);
    float *position, *displacement;
    position = keep(to, 3 * (size_t)n, sizeof *position);
    displacement = keep(to, 3 * (size_t)n, sizeof *displacement);
    if (!position || !displacement) {
        return ew_last_failure()->status;
    }
    for (size_t i = 0; i < (size_t)n; i++) {
        const look_point *point = &surface->pieces.face[surface->vertex_point[i]];
        locate(&body->frame, point, u, position + 3 * i, displacement + 3 * i);
    }
    EW_TRY(add(to, "displacement", "f4", n, 3, displacement));
    return whole ? add(to, "position", "f4", n, 3, position) : EW_OK;
}

/* At vertices, else at the corners of triangles. */
static ew_status add_values(draft *to, const result_body *body)
{
    const look_surface *surface = &body->surface;
    const bool at_vertices = !body->field.of || body->field.place == LOOK_AT_VERTICES;
    const int32_t n = at_vertices ? surface->n_vertex : 3 * surface->pieces.n_face;
    float *value;
    value = keep(to, (size_t)n, sizeof *value);
    if (!value) {
        return ew_last_failure()->status;
    }
    for (int32_t i = 0; i < n; i++) {
        value[i] =
            value_at(body, &surface->pieces.face[at_vertices ? surface->vertex_point[i] : i]);
    }
    return at_vertices ? add(to, "value", "f4", n, 1, value)
                       : add(to, "corner_value", "f4", n / 3, 3, value);
}

static ew_status add_cap(draft *to, const result_body *body)
{
    const int32_t n = 3 * body->cap.n_face;
    const double *u = displacement_of(&body->frame);
    float *position, *displacement, *value;
    position = keep(to, 3 * (size_t)n, sizeof *position);
    displacement = keep(to, 3 * (size_t)n, sizeof *displacement);
    value = keep(to, (size_t)n, sizeof *value);
    if (!position || !displacement || !value) {
        return ew_last_failure()->status;
    }
    for (size_t i = 0; i < (size_t)n; i++) {
        const look_point *point = &body->cap.face[i];
        locate(&body->frame, point, u, position + 3 * i, displacement + 3 * i);
        value[i] = value_at(body, point);
    }
    EW_TRY(add(to, "cap_position", "f4", n, 3, position));
    EW_TRY(add(to, "cap_displacement", "f4", n, 3, displacement));
    return add(to, "cap_value", "f4", n, 1, value);
}

/* ---- the surface ------------------------------------------------------------------------------
 */

static int32_t id_of(const ew_view_field *id, int32_t row)
{
    const double value = id && row >= 0 ? id->data[row] : -1.0;
    return value >= 0.0 && value <= INT32_MAX ? (int32_t)value : -1;
}

/* Bit s: the face is in the result's set s, of faces or tets, or with all its vertices in one of
 * vertices. */
static uint32_t sets_of(const ew_view_frame *frame, const ew_view_field *const *set, int n_set,
                        int32_t code)
{
    uint32_t bits = 0;
    for (int s = 0; s < n_set; s++) {
        bool is_in;
        if (set[s]->place == EW_ON_TETS) {
            const int mask = (int)set[s]->data[code / 4];
            is_in = mask & 16 || mask >> code % 4 & 1;
        } else {
            is_in = true;
            for (int k = 0; k < 3 && is_in; k++) {
                const int32_t corner = code - code % 4 + ew_face_vertex[code % 4][k];
                is_in = set[s]->data[frame->tet[corner]] > 0;
            }
        }
        bits |= (uint32_t)is_in << s;
    }
    return bits;
}

static ew_status add_faces(draft *to, const result_body *body, const ew_view_field *const *set,
                           int n_set)
{
    const ew_view_frame *frame = &body->frame;
    const look_surface *surface = &body->surface;
    const ew_view_field *tet_id = ew_view_field_of(frame, "tet_id", EW_ON_TETS),
                        *label = ew_view_field_of(frame, "region", EW_ON_TETS);
    const int32_t n = surface->pieces.n_face, *code = surface->pieces.code;
    int32_t *tet, *region;
    uint32_t *face_set;
    tet = keep(to, (size_t)n, sizeof *tet);
    region = keep(to, (size_t)n, sizeof *region);
    face_set = keep(to, (size_t)n, sizeof *face_set);
    if (!tet || !region || !face_set) {
        return ew_last_failure()->status;
    }
    for (int32_t f = 0; f < n; f++) {
        tet[f] = id_of(tet_id, code[f] / 4);
        region[f] = label ? (int32_t)label->data[code[f] / 4] : 0;
        face_set[f] = sets_of(frame, set, n_set, code[f]);
    }
    EW_TRY(add(to, "triangle", "i4", n, 3, surface->triangle));
    EW_TRY(add(to, "tet", "i4", n, 1, tet));
    EW_TRY(add(to, "face", "i4", n, 1, code));
    EW_TRY(add(to, "region", "i4", n, 1, region));
    EW_TRY(add(to, "face_set", "u4", n, 1, face_set));
    return surface->edge ? add(to, "mesh_edge", "i4", surface->n_edge, 2, surface->edge) : EW_OK;
}

static ew_status add_surface(draft *to, const result_body *body)
{
    const ew_view_field *id = ew_view_field_of(&body->frame, "vertex_id", EW_ON_VERTICES);
    const ew_view_field *set[MAX_SET];
    int n_set = 0;
    int32_t *vertex_id;
    const int32_t n = body->surface.n_vertex;
    for (int32_t k = 0; k < body->frame.n_field && n_set < MAX_SET; k++) {
        const ew_view_field *field = &body->frame.field[k];
        if (!strncmp(field->name, "set_", 4) && field->is_integer && field->n_component == 1) {
            set[n_set++] = field;
        }
    }
    vertex_id = keep(to, (size_t)n, sizeof *vertex_id);
    if (!vertex_id) {
        return ew_last_failure()->status;
    }
    for (int32_t i = 0; i < n; i++) {
        vertex_id[i] = id_of(id, body->surface.vertex_row[i]);
    }
    EW_TRY(add(to, "vertex_id", "i4", n, 1, vertex_id));
    return add_faces(to, body, set, n_set);
}

/* ---- all tets ---------------------------------------------------------------------------------
 */

static ew_status add_exploded(draft *to, const result_body *body, bool whole)
{
    const ew_view_frame *frame = &body->frame;
    const look_field *field = &body->field;
    const bool at_points = !field->of || field->place == LOOK_AT_VERTICES;
    const ew_view_field *label = ew_view_field_of(frame, "region", EW_ON_TETS),
                        *tet_id = ew_view_field_of(frame, "tet_id", EW_ON_TETS);
    const int32_t n = at_points ? frame->n_point : 4 * frame->n_tet;
    int32_t *region = NULL, *id = NULL;
    float *value;
    value = keep(to, (size_t)n, sizeof *value);
    if (!value) {
        return ew_last_failure()->status;
    }
    for (int32_t i = 0; i < n; i++) {
        look_point point = {.tet = i / 4};
        point.weight[i % 4] = 1.0;
        value[i] = !field->of  ? NAN
                   : at_points ? (float)look_number(field, i)
                               : (float)look_value(field, frame, &point);
    }
    if (whole) {
        region = keep(to, (size_t)frame->n_tet, sizeof *region);
        id = keep(to, (size_t)frame->n_tet, sizeof *id);
        if (!region || !id) {
            return ew_last_failure()->status;
        }
        for (int32_t t = 0; t < frame->n_tet; t++) {
            region[t] = label ? (int32_t)label->data[t] : 0;
            id[t] = id_of(tet_id, t);
        }
    }
    float *position, *displacement;
    position = keep(to, 3 * (size_t)frame->n_point, sizeof *position);
    displacement = keep(to, 3 * (size_t)frame->n_point, sizeof *displacement);
    if (!position || !displacement) {
        return ew_last_failure()->status;
    }
    const view_tets tets = {
        .prefix = to->prefix,
        .n_point = frame->n_point,
        .xyz = frame->xyz,
        .displacement = displacement_of(frame),
        .n_tet = frame->n_tet,
        .tet = frame->tet,
        .region = region,
        .id = id,
        .at_corners = !at_points,
        .value = value,
        .position_room = position,
        .displacement_room = displacement,
    };
    return view_writer_add_tets(&to->writer, &tets, whole);
}

/* ---- the message ------------------------------------------------------------------------------
 */

static ew_status add_body(draft *to, const view_result *result, int32_t b, bool whole)
{
    const result_body *body = &result->body[b];
    to->prefix = b ? "second_" : "";
    EW_TRY(add_points(to, body, whole));
    EW_TRY(add_values(to, body));
    EW_TRY(result->has_section ? add_cap(to, body) : EW_OK);
    EW_TRY(result->is_exploded ? add_exploded(to, body, whole) : EW_OK);
    return whole ? add_surface(to, body) : EW_OK;
}

/* Where the field is least and largest: {"value", "place", "displacement", "vertex" or "tet"}. */
static cJSON *make_extreme(const result_body *body, const look_extreme *at)
{
    const ew_view_frame *frame = &body->frame;
    const bool of_tet = body->field.place == LOOK_AT_TETS;
    const ew_view_field *id = ew_view_field_of(frame, of_tet ? "tet_id" : "vertex_id",
                                               of_tet ? EW_ON_TETS : EW_ON_VERTICES);
    const double *u = displacement_of(frame);
    double place[3] = {0}, moved[3] = {0};
    const int n = of_tet ? 4 : 1;
    for (int k = 0; k < n; k++) {
        const int32_t row = of_tet ? frame->tet[4 * (size_t)at->tet + (size_t)k] : at->point;
        for (size_t c = 0; c < 3; c++) {
            place[c] += frame->xyz[3 * (size_t)row + c] / n;
            moved[c] += u ? u[3 * (size_t)row + c] / n : 0.0;
        }
    }
    cJSON *one = cJSON_CreateObject();
    const int32_t number = id_of(id, of_tet ? at->tet : at->point);
    (void)cJSON_AddNumberToObject(one, "value", at->value);
    (void)cJSON_AddItemToObject(one, "place", cJSON_CreateDoubleArray(place, 3));
    (void)cJSON_AddItemToObject(one, "displacement", cJSON_CreateDoubleArray(moved, 3));
    if (number >= 0) {
        (void)cJSON_AddNumberToObject(one, of_tet ? "tet" : "vertex", number);
    }
    return one;
}

static cJSON *make_extrema(const result_body *body)
{
    look_extreme low, high;
    cJSON *list = cJSON_CreateArray();
    look_find_extremes(&body->field, &body->frame, &low, &high);
    if (low.value <= high.value) {
        (void)cJSON_AddItemToArray(list, make_extreme(body, &low));
        (void)cJSON_AddItemToArray(list, make_extreme(body, &high));
    }
    return list;
}

static cJSON *make_field(const view_result *result)
{
    static const char *const places[] = {"vertices", "tets", "corners"};
    const look_field *field = &result->body[0].field;
    cJSON *one = cJSON_CreateObject();
    char unit[EW_UNIT_TEXT];
    look_write_unit(&result->file[0].view, field, unit);
    if (result->n_choice) {
        (void)cJSON_AddStringToObject(one, "name", result->choice[result->shown].title);
    }
    if (field->place < LOOK_ANYWHERE) {
        (void)cJSON_AddStringToObject(one, "of", places[field->place]);
    }
    (void)cJSON_AddStringToObject(one, "unit", unit);
    return one;
}

/* Numbers of the step, where it has them. */
static void add_number(cJSON *header, const ew_view_step *step, const char *name, const char *key)
{
    const double *value = step ? ew_view_find(step->n_number, step->number, name, 1) : NULL;
    (void)cJSON_AddItemToObject(
        header, key, value && isfinite(*value) ? cJSON_CreateNumber(*value) : cJSON_CreateNull());
}

/* The largest displacement of all frames, so that one factor shows them; null: each has its own,
 * which a mode's is, and a difference's. */
static cJSON *make_largest(const view_result *result)
{
    const ew_result_view *view = &result->file[0].view;
    double largest = 0.0;
    bool is_alike = result->how != RESULT_DIFFERENCE;
    for (int32_t s = 0; s < view->n_step && is_alike; s++) {
        const ew_view_step *step = &view->step[s];
        const double *of = ew_view_find(step->n_number, step->number, "max_displacement", 1);
        is_alike = strcmp(step->kind, "modes") != 0 && strcmp(step->kind, "buckling") != 0;
        largest = of && isfinite(*of) ? fmax(largest, *of) : largest;
    }
    return is_alike && largest > 0.0 ? cJSON_CreateNumber(largest) : cJSON_CreateNull();
}

static cJSON *make_header(const view_result *result, int64_t number, double done)
{
    const ew_view_frame *frame = &result->body[0].frame;
    const ew_view_step *step = result_step_of(&result->file[0].view, result->frame);
    const ew_mesh_measure *measure = &result->body[0].surface.body.measure;
    double square = 0.0;
    for (int c = 0; c < 3; c++) {
        square += (measure->high[c] - measure->low[c]) * (measure->high[c] - measure->low[c]);
    }
    cJSON *header = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(header, "kind", "picture");
    (void)cJSON_AddNumberToObject(header, "number", (double)number);
    (void)cJSON_AddNumberToObject(header, "done", done);
    (void)cJSON_AddNumberToObject(header, "surface", result->surface);
    (void)cJSON_AddStringToObject(header, "mode", "result");
    (void)cJSON_AddNumberToObject(header, "frame", result->frame);
    (void)cJSON_AddBoolToObject(header, "playing", result->is_playing);
    (void)cJSON_AddNumberToObject(header, "n_tet", frame->n_tet);
    add_number(header, step, "n_vertex", "n_vertex");
    add_number(header, step, "time", "time");
    const bool is_solved = step && strcmp(step->kind, "envelope") != 0;
    add_number(header, is_solved ? step : NULL, "iterations", "iterations");
    add_number(header, is_solved ? step : NULL, "error_share", "error");
    (void)cJSON_AddNumberToObject(header, "size", sqrt(square));
    (void)cJSON_AddItemToObject(header, "largest", make_largest(result));
    (void)cJSON_AddStringToObject(header, "message", result->message);
    (void)cJSON_AddItemToObject(header, "field", make_field(result));
    (void)cJSON_AddItemToObject(header, "extrema", make_extrema(&result->body[0]));
    if (result->n_body > 1) {
        (void)cJSON_AddItemToObject(header, "second_extrema", make_extrema(&result->body[1]));
    }
    return header;
}

static ew_status write(const view_result *result, int64_t number, double done, bool whole,
                       view_bytes **bytes)
{
    draft own = {.prefix = ""};
    ew_status status = EW_OK;
    for (int32_t b = 0; b < result->n_body && !status; b++) {
        status = add_body(&own, result, b, whole);
    }
    if (status) {
        cJSON_Delete(own.writer.arrays);
    } else {
        status = view_writer_end(&own.writer, make_header(result, number, done), bytes);
    }
    for (int k = 0; k < own.n_kept; k++) {
        ew_release(own.kept[k]);
    }
    if (!status) {
        (*bytes)->surface = result->surface;
        (*bytes)->has_surface = whole;
    }
    return status;
}

ew_status result_picture(view_result *result, int64_t number, double done, view_bytes **whole,
                         view_bytes **change)
{
    view_bytes *first = NULL, *second = NULL;
    EW_TRY(write(result, number, done, true, &first));
    const ew_status status = write(result, number, done, false, &second);
    if (status) {
        view_bytes_release(first);
        return status;
    }
    *whole = first;
    *change = second;
    return EW_OK;
}
