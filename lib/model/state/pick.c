/* A ray and the body. In: a ray, the displacement to a scale. Out: the boundary face that it meets
 * first, by Cramer's rule for each (Moeller & Trumbore 1997, "Fast, minimum storage ray-triangle
 * intersection"). */
#include "model/internal.h"

#include <math.h>
#include <string.h>

typedef struct ray {
    const double *origin, *direction, *u;
    double scale;
} ray;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void place_of(const ew_mesh *mesh, const ray *from, int32_t v, double x[3])
{
    for (size_t c = 0; c < 3; c++) {
        x[c] = mesh->xyz[3 * (size_t)v + c] + from->scale * from->u[3 * (size_t)v + c];
    }
}

/* Whether the ray meets the triangle: t along it, weights of the second and the third corner. */
static bool ray_meets_triangle(const ray *from, double x[3][3], double *t, double weight[3])
{
    double a[3], b[3], p[3], q[3], to[3];
    for (int c = 0; c < 3; c++) {
        a[c] = x[1][c] - x[0][c];
        b[c] = x[2][c] - x[0][c];
        to[c] = from->origin[c] - x[0][c];
    }
    cross(from->direction, b, p);
    const double volume = dot(a, p);
    if (volume == 0.0) {
        return false;
    }
    cross(to, a, q);
    weight[1] = dot(to, p) / volume;
    weight[2] = dot(from->direction, q) / volume;
    weight[0] = 1.0 - weight[1] - weight[2];
    *t = dot(b, q) / volume;
    return weight[0] >= 0.0 && weight[1] >= 0.0 && weight[2] >= 0.0 && *t >= 0.0;
}

static void look_at(const ew_model *model, const ray *from, int32_t slot, ew_pick *best)
{
    const int32_t code = model->boundary.code[slot],
                  *tet = model->mesh.tet + 4 * (size_t)(code / 4);
    ew_pick found = {.slot = slot, .tet = code / 4};
    double x[3][3];
    for (int k = 0; k < 3; k++) {
        found.corner[k] = tet[ew_face_vertex[code % 4][k]];
        place_of(&model->mesh, from, found.corner[k], x[k]);
    }
    if (!ray_meets_triangle(from, x, &found.distance, found.weight) ||
        (best->slot >= 0 && found.distance >= best->distance)) {
        return;
    }
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++) {
            found.xyz[c] += found.weight[k] * x[k][c];
            found.rest[c] +=
                found.weight[k] * model->mesh.xyz[3 * (size_t)found.corner[k] + (size_t)c];
        }
    }
    *best = found;
}

ew_status ew_model_pick(ew_model *model, const double origin[3], const double direction[3],
                        double scale, ew_pick *pick)
{
    const ray from = {origin, direction, model->field[0].value, scale};
    const double length = dot(direction, direction);
    ew_pick best = {.slot = -1};
    if (!isfinite(dot(origin, origin)) || !isfinite(length) || !(length > 0.0) ||
        !isfinite(scale)) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "model: a ray needs a finite origin, a direction of a length "
                       "greater than 0 and a finite scale");
    }
    EW_TRY(ew_model_boundary(model, NULL));
    for (int32_t s = 0; s < model->boundary.n_slot; s++) {
        if (model->boundary.code[s] >= 0) {
            look_at(model, &from, s, &best);
        }
    }
    *pick = best;
    return EW_OK;
}
