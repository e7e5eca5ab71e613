/* What tests of a played body share: a beam with a fixed end and a loaded one, commands as text,
 * and a hash of all that a picture has. */
#ifndef EW_VIEW_FIXTURE_H
#define EW_VIEW_FIXTURE_H

#include "play.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a beam with a fixed end and a loaded one ---------------------------------------------------
 */

static inline void add_end(ew_model *model, const char *name, double x)
{
    const double point[3] = {x, 0.0, 0.0}, normal[3] = {1.0, 0.0, 0.0};
    const ew_selector at = ew_select_plane(point, normal, 1e-9);
    const ew_model_set_def def = {.name = name, .kind = EW_SET_OF_VERTICES, .allow_empty = true};
    int32_t set;
    must(ew_model_select_set(model, &def, &at, &set));
}

/* Two regions, from the middle along x on the second, of other material. */
static inline ew_status part_regions(ew_mesh *mesh)
{
    ew_edit edit = {0};
    ew_change change = {0};
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        double x = 0.0;
        for (int k = 0; k < 4; k++) {
            x += 0.25 * mesh->xyz[3 * mesh->tet[4 * t + k]];
        }
        if (x > 1.5) {
            must(ew_edit_remove_tet(&edit, t));
            must(ew_edit_add_tet_from(&edit, mesh->tet + 4 * t, 7, t));
        }
    }
    must(ew_mesh_commit(mesh, &edit, NULL, &change));
    ew_edit_free(&edit);
    ew_change_free(&change);
    return EW_OK;
}

/* user: null, or for two regions something else. */
static inline ew_status open_beam(void *user, const double *value, view_body *body)
{
    const double size[3] = {value[0], 1.0, 1.0}, down[3] = {0.0, 0.0, -1.0};
    const ew_material rubber = {.young = 1000.0, .poisson = 0.3, .density = 1.0};
    const ew_model_constraint wall = {.set = 0, .fixed = 7};
    const ew_model_load load = ew_load_total_force(1, down);
    const ew_model_def def = ew_default_model_def();
    ew_mesh mesh;
    EW_TRY(ew_shape_box(&mesh, size, (int32_t[]){6, 2, 2}));
    must(user ? part_regions(&mesh) : EW_OK);
    must(ew_model_create(&body->model, &mesh, &def));
    must(ew_model_set_material(body->model, EW_ALL_REGIONS, &rubber));
    if (user) {
        const ew_material steel = {.young = 1e5, .poisson = 0.3, .density = 1.0};
        must(ew_model_set_material(body->model, 7, &steel));
    }
    add_end(body->model, "wall", 0.0);
    add_end(body->model, "tip", value[0]);
    must(ew_model_set_constraints(body->model, 1, &wall));
    must(ew_model_set_loads(body->model, 1, &load));
    return EW_OK;
}

static inline void close_beam(void *user, view_body *body)
{
    (void)user;
    ew_model_free(body->model);
    *body = (view_body){0};
}

static const view_source beam = {.file = "beam",
                                 .n_parameter = 1,
                                 .parameter = {{"length", 3.0}},
                                 .open = open_beam,
                                 .close = close_beam};

/* ---- commands and pictures
 * --------------------------------------------------------------------------- */

static inline ew_status send(view_play *play, const char *text)
{
    cJSON *command = cJSON_Parse(text), *reply;
    CU_ASSERT_PTR_NOT_NULL_FATAL(command);
    const ew_status status = view_play_do(play, command, &reply);
    cJSON_Delete(command);
    cJSON_Delete(reply);
    return status;
}

/* FNV-1a of all arrays of a picture: its header has times. */
static inline uint64_t look(view_play *play)
{
    view_bytes *whole, *change;
    uint64_t hash = 0xcbf29ce484222325u;
    must(view_play_picture(play, 1, 1, &whole, &change));
    const size_t head = whole->data[0] + 256u * whole->data[1];
    for (size_t i = 4 + head; i < whole->size; i++) {
        hash = (hash ^ whole->data[i]) * 0x100000001b3u;
    }
    CU_ASSERT(change->size < whole->size && !change->has_surface);
    view_bytes_release(whole);
    view_bytes_release(change);
    return hash;
}

/* The number in a row of an answer; NaN: there is no such row. */
static inline double row_of(const cJSON *answer, const char *name)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(answer, "rows"))
    {
        if (!strcmp(cJSON_GetArrayItem(row, 0)->valuestring, name)) {
            return cJSON_GetArrayItem(row, 1)->valuedouble;
        }
    }
    return NAN;
}

static inline cJSON *ask(view_play *play, const char *text)
{
    cJSON *command = cJSON_Parse(text), *reply;
    must(view_play_do(play, command, &reply));
    cJSON_Delete(command);
    CU_ASSERT_PTR_NOT_NULL_FATAL(reply);
    return reply;
}

#endif
