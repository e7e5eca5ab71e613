/* Commands that ask of a body and change nothing: what is at a vertex, a face or a tet, and how
 * well the tets are shaped. In: a command. Out: an object of JSON. */
#include "play.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what is asked for ----------------------------------------------------------------------- */

/* True where the command has this key, whose id must be below n. */
static bool read_id(const cJSON *command, const char *key, int32_t n, int32_t *id)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(command, key);
    const double value = cJSON_IsNumber(item) ? item->valuedouble : -1;
    *id = value >= 0 && value < n && value == floor(value) ? (int32_t)value : -1;
    return item;
}

/* A row of the answer: a name, a number and a unit. */
static void add_row(cJSON *rows, const char *name, double value)
{
    cJSON *row = cJSON_CreateArray();
    (void)cJSON_AddItemToArray(row, cJSON_CreateString(name));
    (void)cJSON_AddItemToArray(row,
                               isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
    (void)cJSON_AddItemToArray(row, cJSON_CreateString(""));
    (void)cJSON_AddItemToArray(rows, row);
}

static void add_vector(cJSON *rows, const char *name, const double value[3])
{
    char text[32];
    for (int c = 0; c < 3; c++) {
        snprintf(text, sizeof text, "%s %c", name, "xyz"[c]);
        add_row(rows, text, value[c]);
    }
}

/* Null where the body has no answer; messages stay those of its solve. */
static const ew_fields *find_fields(view_play *play)
{
    const ew_fields *fields = NULL;
    const ew_sums *sums;
    return !play->message[0] && !ew_model_recover(play->body.model, &fields, &sums) ? fields : NULL;
}

/* ---- a vertex, a tet, a face ----------------------------------------------------------------- */

static void tell_vertex(view_play *play, int32_t v, cJSON *rows, double place[3])
{
    const double *u = ew_model_displacement(play->body.model) + 3 * (size_t)v;
    const ew_fields *fields = find_fields(play);
    memcpy(place, ew_model_mesh(play->body.model)->xyz + 3 * (size_t)v, 3 * sizeof *place);
    add_vector(rows, "place", place);
    add_vector(rows, "displacement", u);
    add_row(rows, "displacement", sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
    if (fields) {
        add_row(rows, "von Mises, averaged", fields->vertex_von_mises[v]);
        add_vector(rows, "reaction", fields->reaction + 3 * (size_t)v);
    }
}

static void tell_tet(view_play *play, int32_t t, cJSON *rows, double place[3])
{
    static const char *const part[6] = {"xx", "yy", "zz", "xy", "yz", "xz"};
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    const ew_fields *fields = find_fields(play);
    for (int c = 0; c < 3; c++) {
        place[c] = 0.0;
        for (int k = 0; k < 4; k++) {
            const size_t v = (size_t)mesh->tet[4 * (size_t)t + (size_t)k];
            place[c] += 0.25 * mesh->xyz[3 * v + (size_t)c];
        }
    }
    add_row(rows, "region", mesh->region_label[mesh->region[t]]);
    add_row(rows, "quality", ew_mesh_tet_quality(mesh, t));
    if (fields) {
        char text[32];
        add_row(rows, "von Mises", fields->von_mises[t]);
        for (int c = 0; c < 6; c++) {
            snprintf(text, sizeof text, "stress %s", part[c]);
            add_row(rows, text, fields->stress[6 * (size_t)t + (size_t)c]);
        }
    }
}

/* The number that `surface:` and edgewise info have for a face of the boundary, if any. */
static void add_surface(const ew_mesh *mesh, int32_t code, cJSON *rows)
{
    const int32_t *tet = mesh->tet + 4 * (size_t)(code / 4);
    for (int32_t f = 0; f < mesh->n_face; f++) {
        int n = 0;
        for (int k = 0; k < 9; k++) {
            n += mesh->face[3 * (size_t)f + (size_t)k / 3] == tet[ew_face_vertex[code % 4][k % 3]];
        }
        if (n == 3 && ew_mesh_face_is_kept(mesh, f)) {
            add_row(rows, "surface", mesh->face_label[f]);
            return;
        }
    }
}

static void tell_face(view_play *play, int32_t code, cJSON *rows, double place[3])
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    double x[3][3], n[3] = {0};
    add_surface(mesh, code, rows);
    add_row(rows, "tet", code / 4);
    tell_tet(play, code / 4, rows, place);
    for (int k = 0; k < 3; k++) {
        const int32_t v = mesh->tet[4 * (size_t)(code / 4) + ew_face_vertex[code % 4][k]];
        memcpy(x[k], mesh->xyz + 3 * (size_t)v, sizeof x[k]);
    }
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        n[c] = 0.5 * ((x[1][d] - x[0][d]) * (x[2][e] - x[0][e]) -
                      (x[1][e] - x[0][e]) * (x[2][d] - x[0][d]));
        place[c] = (x[0][c] + x[1][c] + x[2][c]) / 3.0;
    }
    add_row(rows, "area", sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]));
}

static ew_status do_inspect(view_play *play, const cJSON *command, cJSON *answer)
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    const ew_boundary *boundary;
    cJSON *rows = cJSON_AddArrayToObject(answer, "rows");
    double place[3] = {0};
    char title[64];
    int32_t id;
    EW_TRY(ew_model_boundary(play->body.model, &boundary));
    if (read_id(command, "vertex", mesh->n_vertex, &id)) {
        if (id < 0 || !ew_mesh_vertex_is_active(mesh, id)) {
            return ew_fail(EW_BAD_INPUT, "inspect: there is no such vertex in the body");
        }
        tell_vertex(play, id, rows, place);
        snprintf(title, sizeof title, "Vertex %d", (int)id);
    } else if (read_id(command, "tet", mesh->n_tet, &id)) {
        if (id < 0 || !ew_mesh_tet_is_live(mesh, id)) {
            return ew_fail(EW_BAD_INPUT, "inspect: there is no such tet in the body");
        }
        tell_tet(play, id, rows, place);
        snprintf(title, sizeof title, "Tet %d", (int)id);
    } else if (read_id(command, "face", mesh->n_tet <= INT32_MAX / 4 ? 4 * mesh->n_tet : 0, &id)) {
        if (id < 0 || ew_boundary_find(boundary, id) < 0) {
            return ew_fail(EW_BAD_INPUT, "inspect: there is no such face on the surface");
        }
        tell_face(play, id, rows, place);
        snprintf(title, sizeof title, "Face %d of tet %d", (int)(id % 4), (int)(id / 4));
    } else {
        return ew_fail(EW_BAD_INPUT, "inspect: name a 'vertex', a 'tet' or a 'face'");
    }
    (void)cJSON_AddStringToObject(answer, "title", title);
    (void)cJSON_AddItemToObject(answer, "place", cJSON_CreateDoubleArray(place, 3));
    return EW_OK;
}

/* ---- quality --------------------------------------------------------------------------------- */

static ew_status do_quality(view_play *play, const cJSON *command, cJSON *answer)
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    ew_mesh_measure measure;
    (void)command;
    ew_mesh_take_measure(mesh, &measure);
    cJSON *worst = cJSON_AddArrayToObject(answer, "worst");
    (void)cJSON_AddItemToObject(answer, "count", cJSON_CreateIntArray(measure.histogram, 10));
    (void)cJSON_AddNumberToObject(answer, "low", 0.0);
    (void)cJSON_AddNumberToObject(answer, "high", 1.0);
    for (int k = 0; k < 5 && measure.worst[k] >= 0; k++) {
        cJSON *one = cJSON_CreateObject();
        (void)cJSON_AddNumberToObject(one, "tet", measure.worst[k]);
        (void)cJSON_AddNumberToObject(one, "quality", ew_mesh_tet_quality(mesh, measure.worst[k]));
        cJSON *corners = cJSON_AddArrayToObject(one, "corners");
        for (int c = 0; c < 4; c++) {
            const size_t v = (size_t)mesh->tet[4 * (size_t)measure.worst[k] + (size_t)c];
            (void)cJSON_AddItemToArray(corners, cJSON_CreateDoubleArray(mesh->xyz + 3 * v, 3));
        }
        (void)cJSON_AddItemToArray(worst, one);
    }
    return EW_OK;
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    ew_status (*ask)(view_play *play, const cJSON *command, cJSON *answer);
} table[] = {{"inspect", do_inspect}, {"quality", do_quality}, {"preview", view_ask_preview}};
enum { N_QUESTION = sizeof table / sizeof *table };

const char *view_question_name(int k)
{
    return k < N_QUESTION ? table[k].name : NULL;
}

ew_status view_ask(view_play *play, int k, const cJSON *command, cJSON **reply)
{
    cJSON *answer = cJSON_CreateObject();
    const ew_status status = answer ? table[k].ask(play, command, answer)
                                    : ew_fail(EW_NO_MEMORY, "view: no memory for an answer");
    if (status || !reply) {
        cJSON_Delete(answer);
        return status;
    }
    *reply = answer;
    return EW_OK;
}
