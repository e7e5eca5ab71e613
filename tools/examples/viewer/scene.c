/* The solving thread of `edgewise view` in a program of its own. In: commands. Out: the newest
 * picture. Pictures come from the solving thread; the window takes the newest when it draws, so
 * neither waits for the other. */
#define _POSIX_C_SOURCE 200809L
#include "scene.h"
#include "shape/shape.h"
#include "view.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct viewer_scene {
    viewer_beam beam;
    view_source source;
    view_session *session;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t change;
    view_bytes *newest;        /* owned share */
    double n_command, n_reply; /* ids of commands are 1, 2, ...; the last that was answered */
    double needed;             /* number of the first picture that has it in it */
    char refusal[256];

    view_bytes *taken; /* owned share, the window's */
    cJSON *header;     /* owned: of what was taken */
};

/* ---- the body ---------------------------------------------------------------------------------
 */

static ew_status add_end(ew_model *model, const char *name, double x)
{
    const double point[3] = {x, 0.0, 0.0}, normal[3] = {1.0, 0.0, 0.0};
    const ew_selector at = ew_select_plane(point, normal, 1e-9);
    const ew_model_set_def def = {.name = name, .kind = EW_SET_OF_VERTICES, .allow_empty = true};
    int32_t set;
    return ew_model_select_set(model, &def, &at, &set);
}

static ew_status fill_body(const viewer_beam *beam, ew_model *model)
{
    const ew_material rubber = {.young = 1e6, .poisson = 0.4, .density = 1000.0};
    const ew_model_constraint wall = {.set = 0, .fixed = 7};
    const double section = beam->size[1] * beam->size[2], down[3] = {0.0, 0.0, -1e3 * section};
    const ew_model_load load = ew_load_total_force(1, down);
    EW_TRY(ew_model_set_material(model, EW_ALL_REGIONS, &rubber));
    EW_TRY(add_end(model, "wall", 0.0));
    EW_TRY(add_end(model, "tip", beam->size[0]));
    EW_TRY(ew_model_set_constraints(model, 1, &wall));
    return ew_model_set_loads(model, 1, &load);
}

static ew_status open_body(void *user, const double *value, view_body *body)
{
    const viewer_beam *beam = &((viewer_scene *)user)->beam;
    const ew_model_def def = ew_default_model_def();
    ew_model *model = NULL;
    ew_mesh mesh;
    (void)value;
    EW_TRY(ew_shape_box(&mesh, beam->size, beam->cells));
    EW_TRY(ew_model_create(&model, &mesh, &def));
    const ew_status status = fill_body(beam, model);
    if (status) {
        ew_model_free(model);
        return status;
    }
    body->model = model;
    return EW_OK;
}

static void close_body(void *user, view_body *body)
{
    (void)user;
    ew_model_free(body->model);
    *body = (view_body){0};
}

/* ---- from the solving thread ------------------------------------------------------------------
 */

static void on_picture(void *user, view_bytes *whole, view_bytes *part)
{
    viewer_scene *scene = user;
    (void)part; /* all is in one process: nothing is saved by leaving the surface out */
    pthread_mutex_lock(&scene->lock);
    view_bytes_release(scene->newest);
    scene->newest = view_bytes_hold(whole);
    pthread_cond_broadcast(&scene->change);
    pthread_mutex_unlock(&scene->lock);
}

static void on_state(void *user, view_bytes *state)
{
    (void)user;
    (void)state;
}

static void on_reply(void *user, int32_t client, view_bytes *bytes)
{
    viewer_scene *scene = user;
    cJSON *reply = view_parse_json((const char *)bytes->data, bytes->size);
    const cJSON *error = cJSON_GetObjectItemCaseSensitive(reply, "error"),
                *number = cJSON_GetObjectItemCaseSensitive(reply, "picture"),
                *id = cJSON_GetObjectItemCaseSensitive(reply, error ? "id" : "reply");
    (void)client;
    pthread_mutex_lock(&scene->lock);
    if (cJSON_IsString(error)) {
        snprintf(scene->refusal, sizeof scene->refusal, "%.250s", error->valuestring);
    }
    scene->n_reply = cJSON_IsNumber(id) ? id->valuedouble : scene->n_reply;
    scene->needed = cJSON_IsNumber(number) ? number->valuedouble : scene->needed;
    pthread_mutex_unlock(&scene->lock);
    cJSON_Delete(reply);
}

static void on_end(void *user)
{
    (void)user;
}

/* ---- public -----------------------------------------------------------------------------------
 */

viewer_scene *viewer_open(const viewer_beam *beam)
{
    viewer_scene *scene = NULL;
    if (ew_new_zero(&scene, 1, sizeof *scene)) {
        return NULL;
    }
    scene->beam = *beam;
    scene->source =
        (view_source){.user = scene, .file = "beam", .open = open_body, .close = close_body};
    pthread_mutex_init(&scene->lock, NULL);
    pthread_cond_init(&scene->change, NULL);
    const view_session_def def = {.subject = view_play_subject(&scene->source),
                                  .user = scene,
                                  .on_picture = on_picture,
                                  .on_state = on_state,
                                  .on_reply = on_reply,
                                  .on_end = on_end};
    if (view_session_create(&scene->session, &def)) {
        viewer_close(scene);
        return NULL;
    }
    view_session_greet(scene->session);
    return scene;
}

void viewer_close(viewer_scene *scene)
{
    if (!scene) {
        return;
    }
    view_session_free(scene->session);
    view_bytes_release(scene->newest);
    view_bytes_release(scene->taken);
    cJSON_Delete(scene->header);
    pthread_cond_destroy(&scene->change);
    pthread_mutex_destroy(&scene->lock);
    ew_release(scene);
}

const char *viewer_message(void)
{
    return ew_message();
}

bool viewer_do(viewer_scene *scene, const char *format, ...)
{
    char members[900], text[1024];
    double id;
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(members, sizeof members, format, arguments);
    va_end(arguments);
    if (n < 0 || n >= (int)sizeof members) {
        (void)ew_fail(EW_BAD_ARGUMENT, "viewer: a command is longer than %d bytes", n);
        return false;
    }
    pthread_mutex_lock(&scene->lock);
    const double number = scene->n_command + 1.0;
    pthread_mutex_unlock(&scene->lock);
    const int size = snprintf(text, sizeof text, "{\"id\": %.0f, %s}", number, members);
    if (view_session_post(scene->session, 0, text, (size_t)size, &id)) {
        return false;
    }
    pthread_mutex_lock(&scene->lock);
    scene->n_command = number;
    pthread_mutex_unlock(&scene->lock);
    return true;
}

bool viewer_refusal(viewer_scene *scene, char line[256])
{
    pthread_mutex_lock(&scene->lock);
    const bool any = scene->refusal[0];
    memcpy(line, scene->refusal, sizeof scene->refusal);
    scene->refusal[0] = '\0';
    pthread_mutex_unlock(&scene->lock);
    return any;
}

static double number_of(const cJSON *header, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(header, key);
    return cJSON_IsNumber(item) ? item->valuedouble : 0.0;
}

/* An array of the picture and its rows; null: it has none of this name. */
static const void *array_of(const viewer_scene *scene, const char *name, int32_t *rows)
{
    const cJSON *arrays = cJSON_GetObjectItemCaseSensitive(scene->header, "arrays"),
                *own = cJSON_GetObjectItemCaseSensitive(arrays, name),
                *shape = cJSON_GetObjectItemCaseSensitive(own, "shape");
    uint32_t head;
    if (!own) {
        return NULL;
    }
    memcpy(&head, scene->taken->data, sizeof head);
    *rows = (int32_t)cJSON_GetArrayItem(shape, 0)->valuedouble;
    return scene->taken->data + 4 + head + (size_t)number_of(own, "offset");
}

static cJSON *parse_header(const view_bytes *bytes)
{
    uint32_t head;
    memcpy(&head, bytes->data, sizeof head);
    return cJSON_ParseWithLength((const char *)bytes->data + 4, head);
}

bool viewer_take(viewer_scene *scene, viewer_picture *picture)
{
    int32_t rows;
    pthread_mutex_lock(&scene->lock);
    const bool is_new = scene->newest && scene->newest != scene->taken;
    if (is_new) {
        view_bytes_release(scene->taken);
        scene->taken = view_bytes_hold(scene->newest);
    }
    pthread_mutex_unlock(&scene->lock);
    if (!is_new) {
        return false;
    }
    cJSON_Delete(scene->header);
    scene->header = parse_header(scene->taken);
    const cJSON *header = scene->header,
                *message = cJSON_GetObjectItemCaseSensitive(header, "message"),
                *mode = cJSON_GetObjectItemCaseSensitive(header, "mode");
    *picture = (viewer_picture){
        .displacement = array_of(scene, "displacement", &rows),
        .value = array_of(scene, "value", &rows),
        .position = array_of(scene, "position", &rows),
        .vertex_slot = array_of(scene, "vertex_id", &rows),
        .face = array_of(scene, "face", &rows),
        .n_tet = (int32_t)number_of(header, "n_tet"),
        .number = number_of(header, "number"),
        .time = number_of(header, "time"),
        .size = number_of(header, "size"),
        .milliseconds = number_of(cJSON_GetObjectItemCaseSensitive(header, "stages"), "total"),
        .is_playing = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(header, "playing")),
        .is_static = cJSON_IsString(mode) && !strcmp(mode->valuestring, "statics"),
    };
    (void)array_of(scene, "position", &picture->n_vertex);
    picture->triangle = array_of(scene, "triangle", &picture->n_triangle);
    if (cJSON_IsString(message)) {
        snprintf(picture->message, sizeof picture->message, "%.250s", message->valuestring);
    }
    return true;
}

bool viewer_wait(viewer_scene *scene, double seconds)
{
    struct timespec until;
    bool is_there = false;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)ceil(seconds);
    pthread_mutex_lock(&scene->lock);
    for (int late = 0; !late && !is_there;) {
        cJSON *header = scene->newest ? parse_header(scene->newest) : NULL;
        is_there = header && scene->n_reply >= scene->n_command &&
                   number_of(header, "number") >= scene->needed;
        cJSON_Delete(header);
        late = is_there ? 0 : pthread_cond_timedwait(&scene->change, &scene->lock, &until);
    }
    pthread_mutex_unlock(&scene->lock);
    return is_there;
}

/* ---- picking ----------------------------------------------------------------------------------
 */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int c = 0; c < 3; c++) {
        out[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
    }
}

/* Distance along the ray, infinity where it misses (Moeller and Trumbore, 1997). */
static double meet(double corner[3][3], const double origin[3], const double direction[3])
{
    double u[3], v[3], s[3], p[3], q[3];
    for (int c = 0; c < 3; c++) {
        u[c] = corner[1][c] - corner[0][c];
        v[c] = corner[2][c] - corner[0][c];
        s[c] = origin[c] - corner[0][c];
    }
    cross(direction, v, p);
    cross(s, u, q);
    const double volume = dot(u, p), a = dot(s, p) / volume, b = dot(direction, q) / volume;
    const double t = dot(v, q) / volume;
    return a >= 0.0 && b >= 0.0 && a + b <= 1.0 && t > 0.0 ? t : INFINITY;
}

int32_t viewer_pick(const viewer_picture *picture, double factor, const double origin[3],
                    const double direction[3], double place[3])
{
    double nearest = INFINITY;
    int32_t found = -1;
    for (int32_t f = 0; f < picture->n_triangle; f++) {
        double corner[3][3];
        for (int k = 0; k < 3; k++) {
            const size_t v = (size_t)picture->triangle[3 * (size_t)f + (size_t)k];
            for (size_t c = 0; c < 3; c++) {
                corner[k][c] =
                    picture->position[3 * v + c] + factor * picture->displacement[3 * v + c];
            }
        }
        const double t = meet(corner, origin, direction);
        if (t < nearest) {
            nearest = t;
            found = f;
        }
    }
    for (int c = 0; c < 3 && found >= 0; c++) {
        place[c] = origin[c] + nearest * direction[c];
    }
    return found;
}
