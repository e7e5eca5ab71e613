/* What a picture says of contact. In: a played body as it is. Out: sums over its contacts, and
 * whether a step in time left something of them to the next one. */
#include "play.h"

#include <math.h>

/* Whether a vertex moves by more than an edge in a step: faces may pass through each other unseen.
 */
static bool is_fast(const view_play *play)
{
    const double *v = play->mode == VIEW_STATICS ? NULL : ew_model_velocity(play->body.model);
    double square = 0.0;
    for (int32_t i = 0; v && i < ew_model_mesh(play->body.model)->n_vertex; i++) {
        const double *at = v + 3 * (size_t)i;
        square = fmax(square, at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
    }
    return sqrt(square) * play->dt > play->mean_edge;
}

/* After an edit that nothing has solved for yet there is nothing to say. */
cJSON *view_make_contact(const view_play *play)
{
    const int32_t n = play->message[0] ? 0 : ew_model_n_contact(play->body.model);
    ew_model_contact_report sum = {0}, one;
    for (int32_t i = 0; i < n; i++) {
        if (ew_model_view_contact(play->body.model, i, &one)) {
            return cJSON_CreateNull();
        }
        sum.n_closed += one.n_closed;
        sum.area += one.area;
        sum.normal_force += one.normal_force;
        sum.min_gap = fmin(sum.min_gap, one.min_gap);
    }
    cJSON *contact = n ? cJSON_CreateObject() : cJSON_CreateNull();
    if (n) {
        (void)cJSON_AddNumberToObject(contact, "closed", sum.n_closed);
        (void)cJSON_AddNumberToObject(contact, "area", sum.area);
        (void)cJSON_AddNumberToObject(contact, "force", sum.normal_force);
        (void)cJSON_AddNumberToObject(contact, "overlap", -sum.min_gap);
        (void)cJSON_AddNumberToObject(contact, "left",
                                      play->mode == VIEW_STATICS ? 0 : play->n_contact_left);
        (void)cJSON_AddBoolToObject(contact, "fast", is_fast(play));
    }
    return contact;
}
