/* The cap of a section: where a plane cuts the tets of a played body. In: the command `section`.
 * Out: triangles in the plane, turned as its normal, with displacement and field. */
#include "play.h"

#include <math.h>
#include <string.h>

/* A place on the cap: position, displacement and number of the field. */
typedef struct cap_point {
    double x[3], u[3], value, beyond; /* beyond the plane; in the normal's length */
} cap_point;

ew_status view_read_section(const cJSON *command, bool *has_section, double section[4])
{
    double normal[3];
    const cJSON *offset = cJSON_GetObjectItemCaseSensitive(command, "offset");
    if (!offset && !cJSON_GetObjectItemCaseSensitive(command, "normal")) {
        *has_section = false;
        return EW_OK;
    }
    EW_TRY(view_read_vector(command, "normal", normal));
    if (!(normal[0] != 0.0 || normal[1] != 0.0 || normal[2] != 0.0)) {
        return ew_fail(EW_BAD_INPUT, "section: 'normal' must not be zero");
    }
    if (!cJSON_IsNumber(offset) || !(fabs(offset->valuedouble) <= 1e90)) {
        return ew_fail(EW_BAD_INPUT, "section: 'offset' must be a finite number");
    }
    memcpy(section, normal, sizeof normal);
    section[3] = offset->valuedouble;
    *has_section = true;
    return EW_OK;
}

ew_status view_do_section(view_play *play, const cJSON *command)
{
    return view_read_section(command, &play->has_section, play->section);
}

static cap_point between(const cap_point *kept, const cap_point *gone)
{
    const double t = kept->beyond / (kept->beyond - gone->beyond);
    cap_point p = *kept;
    for (int c = 0; c < 3; c++) {
        p.x[c] += t * (gone->x[c] - kept->x[c]);
        p.u[c] += t * (gone->u[c] - kept->u[c]);
    }
    p.value += t * (gone->value - kept->value);
    return p;
}

static ew_status add_triangle(view_play *play, const cap_point *a, const cap_point *b,
                              const cap_point *c)
{
    double turned = 0.0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        turned += play->section[i] * ((b->x[j] - a->x[j]) * (c->x[k] - a->x[k]) -
                                      (b->x[k] - a->x[k]) * (c->x[j] - a->x[j]));
    }
    const cap_point *const corner[3] = {a, turned < 0 ? c : b, turned < 0 ? b : c};
    const int64_t n = (int64_t)play->n_cap + 3;
    int32_t had = play->cap_capacity, grown = had;
    EW_TRY(ew_grow(&play->cap_position, &grown, n, 3 * sizeof *play->cap_position));
    EW_TRY((grown = had,
            ew_grow(&play->cap_displacement, &grown, n, 3 * sizeof *play->cap_displacement)));
    EW_TRY((grown = had, ew_grow(&play->cap_value, &grown, n, sizeof *play->cap_value)));
    play->cap_capacity = grown;
    for (int k = 0; k < 3; k++, play->n_cap++) {
        const size_t row = (size_t)play->n_cap;
        for (size_t i = 0; i < 3; i++) {
            play->cap_position[3 * row + i] = (float)corner[k]->x[i];
            play->cap_displacement[3 * row + i] = (float)corner[k]->u[i];
        }
        play->cap_value[row] = (float)corner[k]->value;
    }
    return EW_OK;
}

/* Marching tets: one corner alone on its side gives a triangle, two a quadrangle. */
static ew_status add_tet(view_play *play, const cap_point corner[4])
{
    cap_point cut[4];
    const cap_point *kept[4], *gone[4];
    int n_kept = 0, n_gone = 0, n = 0;
    for (int k = 0; k < 4; k++) {
        if (corner[k].beyond <= 0) {
            kept[n_kept++] = &corner[k];
        } else {
            gone[n_gone++] = &corner[k];
        }
    }
    for (int i = 0; i < n_kept; i++) {
        for (int k = 0; k < n_gone; k++) { /* around the quadrangle: 00 01 11 10 */
            cut[n++] = between(kept[i], gone[i % 2 && n_gone == 2 ? 1 - k : k]);
        }
    }
    for (int k = 2; k < n; k++) {
        EW_TRY(add_triangle(play, &cut[0], &cut[k - 1], &cut[k]));
    }
    return EW_OK;
}

ew_status view_take_cap(view_play *play, const double *number)
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    const double *u = ew_model_displacement(play->body.model), *plane = play->section;
    play->n_cap = 0;
    for (int32_t t = 0; t < mesh->n_tet && play->has_section; t++) {
        cap_point corner[4];
        int n_beyond = 0;
        if (!ew_mesh_tet_is_live(mesh, t)) {
            continue;
        }
        for (size_t k = 0; k < 4; k++) {
            const size_t v = (size_t)mesh->tet[4 * (size_t)t + k];
            memcpy(corner[k].x, mesh->xyz + 3 * v, sizeof corner[k].x);
            memcpy(corner[k].u, u + 3 * v, sizeof corner[k].u);
            const double *x = corner[k].x;
            corner[k].beyond = plane[0] * x[0] + plane[1] * x[1] + plane[2] * x[2] - plane[3];
            corner[k].value = view_number_of(play, number, t, (int)k);
            n_beyond += corner[k].beyond > 0;
        }
        EW_TRY(n_beyond % 4 ? add_tet(play, corner) : EW_OK);
    }
    return EW_OK;
}
