/* The body that is played with: opened as its file has it with the present values of the
 * parameters, or led there from the body with other values. In: a source. Out: a model with an
 * answer. */
#include "play.h"

#include <math.h>
#include <stdlib.h>

static double diagonal_of(const ew_mesh *mesh)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        for (int c = 0; c < 3 && ew_mesh_vertex_is_active(mesh, v); c++) {
            low[c] = fmin(low[c], mesh->xyz[3 * (size_t)v + (size_t)c]);
            high[c] = fmax(high[c], mesh->xyz[3 * (size_t)v + (size_t)c]);
        }
    }
    const double d[3] = {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
    return mesh->n_live_tet ? sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) : 0.0;
}

/* Mean length of the edges, each as often as tets have it. */
static double mean_edge_of(const ew_mesh *mesh)
{
    double sum = 0.0;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        for (int k = 0; k < 6 && ew_mesh_tet_is_live(mesh, t); k++) {
            static const int end[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
            const int32_t *tet = mesh->tet + 4 * (size_t)t;
            const double *a = mesh->xyz + 3 * (size_t)tet[end[k][0]],
                         *b = mesh->xyz + 3 * (size_t)tet[end[k][1]];
            sum += sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                        (a[2] - b[2]) * (a[2] - b[2]));
        }
    }
    return mesh->n_live_tet ? sum / (6.0 * mesh->n_live_tet) : 0.0;
}

static int compare_ids(const void *one, const void *other)
{
    const int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

/* Ids of the tets that the body begins with. */
static ew_status list_tets(view_play *play)
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    EW_TRY(ew_grow(&play->opened_tet, &play->tet_capacity, mesh->n_live_tet + 1,
                   sizeof *play->opened_tet));
    play->n_opened = 0;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            play->opened_tet[play->n_opened++] = mesh->tet_id[t];
        }
    }
    bool is_ascending = true;
    for (int32_t i = 1; i < play->n_opened; i++) {
        is_ascending = is_ascending && play->opened_tet[i - 1] < play->opened_tet[i];
    }
    if (!is_ascending) {
        qsort(play->opened_tet, (size_t)play->n_opened, sizeof *play->opened_tet, compare_ids);
    }
    return EW_OK;
}

/* Resets data of the former body, but the list of tets. */
static ew_status take(view_play *play)
{
    const ew_model *model = play->body.model;
    play->mode = VIEW_STATICS;
    play->is_playing = false;
    play->kinematics = ew_model_kinematics(model);
    play->is_changed = !play->body.is_solved;
    play->is_as_opened = true;
    play->opened_revision = ew_model_mesh(model)->revision;
    play->size = diagonal_of(ew_model_mesh(model));
    play->is_about = false;
    play->seen_revision = 0;
    play->error = NAN;
    play->message[0] = 0;
    ew_set_clear(&play->named_sets);
    play->removed_sets.n = 0;
    play->n_set_of_file = ew_model_n_set(model);
    play->mean_edge = mean_edge_of(ew_model_mesh(model));
    EW_TRY(view_take_materials(play));
    cJSON_Delete(play->rules);
    cJSON_Delete(play->renamed);
    play->rules = play->renamed = NULL;
    play->has_labels = false;
    EW_TRY(
        ew_model_boundary(play->body.model, NULL)); /* its slots are those of a body that begins */
    EW_TRY(view_take_steps(play));
    return view_supports_take(play);
}

ew_status view_take_body(view_play *play)
{
    EW_TRY(list_tets(play));
    return take(play);
}

ew_status view_open_body(view_play *play)
{
    view_body body = {0};
    const view_source *source = play->source;
    EW_TRY(source->open(source->user, play->value, &body));
    source->close(source->user, &play->body);
    play->body = body;
    return view_take_body(play);
}

ew_status view_vary_body(view_play *play)
{
    const view_source *source = play->source;
    const double start = ew_seconds();
    ew_status status = EW_UNSUPPORTED;
    if (source->go_on && play->is_as_opened && !play->is_redoing && play->body.is_solved &&
        play->mode == VIEW_STATICS) {
        status = source->go_on(source->user, play->value, &play->body);
    }
    play->is_broken = status && status != EW_UNSUPPORTED;
    if (status) {
        EW_TRY(view_open_body(play));
        play->is_broken = false;
    } else {
        EW_TRY(take(play)); /* what is saved is a body that began again */
        play->is_about = true;
        (void)view_play_estimate(play);
    }
    play->seconds_solve = ew_seconds() - start;
    return EW_OK;
}

ew_status view_settle_body(view_play *play)
{
    if (!play->is_about) {
        return EW_OK;
    }
    play->is_about = false;
    EW_TRY(view_open_body(play));
    view_answer(play, NULL);
    return EW_OK;
}
