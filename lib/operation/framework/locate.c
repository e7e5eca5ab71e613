/* Points in tets. In: tets of a part of a mesh, a point. Out: the tet that has it, and the weights
 * of its corners.
 *
 * A path from the nearest vertex crosses the face that the point is farthest beyond; where it
 * leaves the part or does not end, all tets are looked at. Both take the tet in which the point's
 * least weight is greatest, so that a point on a face, or a hair outside, has one as well. */
#include "operation/remesh/remesh.h"

#include <math.h>

/* A point that is no farther beyond a face than this share of the tet's height is in it. */
#define INSIDE (-1e-9)

enum { MAX_STEPS = 200 };

/* Barycentric coordinates; returns the least. */
static double find_weights(const ew_mesh *mesh, int32_t t, const double x[3], double weight[4])
{
    const double *corner[4], *of[4];
    double sum = 0.0, least = INFINITY;
    ew_tet_corners(mesh, t, corner);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++) {
            of[k] = k == i ? x : corner[k];
        }
        weight[i] = ew_tet_volume(of[0], of[1], of[2], of[3]);
        sum += weight[i];
    }
    for (int i = 0; i < 4; i++) {
        weight[i] /= sum;
        least = fmin(least, weight[i]);
    }
    return least;
}

static bool is_of_part(const ew_locator *in, int32_t t)
{
    return t >= 0 && in->part_of[t] == in->number;
}

/* A tet of the part at the vertex: that of lowest tet_id. */
static int32_t tet_at(const ew_locator *in, int32_t v)
{
    const ew_rows *rows = &in->part->topology->vertex_to_tet;
    const int64_t *id = in->part->mesh->tet_id;
    int32_t found = -1;
    for (int32_t i = 0; i < rows->count[v]; i++) {
        const int32_t t = rows->item[rows->begin[v] + i];
        if (is_of_part(in, t) && (found < 0 || id[t] < id[found])) {
            found = t;
        }
    }
    return found;
}

/* -1: it left the part, or went on for too long. */
static int32_t follow_path(const ew_locator *in, int32_t t, const double x[3], double weight[4])
{
    for (int step = 0; step < MAX_STEPS && t >= 0; step++) {
        if (find_weights(in->part->mesh, t, x, weight) >= INSIDE) {
            return t;
        }
        int32_t face = 0;
        for (int32_t i = 1; i < 4; i++) {
            face = weight[i] < weight[face] ? i : face;
        }
        t = ew_topology_face_neighbor(in->part->topology, in->part->mesh, 4 * t + face);
        t = is_of_part(in, t) ? t : -1;
    }
    return -1;
}

static int32_t look_at_all(const ew_locator *in, const double x[3], double weight[4])
{
    const ew_list *tet = &in->part->tet;
    int32_t found = tet->id[0];
    double most = -INFINITY;
    for (int32_t i = 0; i < tet->n; i++) {
        const double least = find_weights(in->part->mesh, tet->id[i], x, weight);
        if (least > most) {
            most = least;
            found = tet->id[i];
        }
    }
    find_weights(in->part->mesh, found, x, weight);
    return found;
}

int32_t ew_locate(const ew_locator *in, const double x[3], double weight[4])
{
    double distance2, sum = 0.0;
    const int32_t near = ew_points_nearest(&in->points, x, INFINITY, &distance2);
    int32_t t = near >= 0 ? follow_path(in, tet_at(in, near), x, weight) : -1;
    if (t < 0) {
        t = look_at_all(in, x, weight);
    }
    for (int i = 0; i < 4; i++) {
        weight[i] = weight[i] > 0.0 ? weight[i] : 0.0;
        sum += weight[i];
    }
    for (int i = 0; i < 4; i++) {
        weight[i] = sum > 0.0 ? weight[i] / sum : 0.25;
    }
    return t;
}

ew_status ew_locator_init(ew_locator *in, const ew_remesh_part *part, const int32_t *part_of,
                          int32_t number)
{
    ew_set seen = {0};
    ew_status status = EW_OK;
    *in = (ew_locator){.part = part, .part_of = part_of, .number = number};
    for (int32_t i = 0; i < 4 * part->tet.n && !status; i++) {
        const int32_t v = part->mesh->tet[4 * (size_t)part->tet.id[i / 4] + (size_t)(i % 4)];
        status = ew_set_add(&seen, v);
    }
    for (int32_t i = 0; i < seen.list.n && !status; i++) {
        status = ew_list_push(&in->vertex, seen.list.id[i]);
    }
    ew_set_free(&seen);
    if (!status) {
        ew_list_sort(&in->vertex);
        status = ew_points_init(&in->points, part->mesh, &in->vertex);
    }
    return status;
}

void ew_locator_free(ew_locator *in)
{
    ew_points_free(&in->points);
    ew_list_free(&in->vertex);
}
