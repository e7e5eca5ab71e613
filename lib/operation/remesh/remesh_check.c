/* Whether tets fill a part of a mesh as it was. In: the part's surface, what a mesher made of it.
 * Out: tets of positive volume, or the rule that is broken. Nothing is taken on trust: a mesher may
 * move, drop or split what it was to keep. */
#include "operation/remesh/remesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A face by its vertices, ascending, and how many tets have it. */
typedef struct face_count {
    int32_t v[3], n;
} face_count;

static int compare_faces(const void *left, const void *right)
{
    const face_count *a = left, *b = right;
    for (int i = 0; i < 3; i++) {
        if (a->v[i] != b->v[i]) {
            return a->v[i] < b->v[i] ? -1 : 1;
        }
    }
    return 0;
}

static void set_face(face_count *face, int32_t a, int32_t b, int32_t c)
{
    const int32_t low = a < b ? a : b, high = a < b ? b : a;
    face->v[0] = c < low ? c : low;
    face->v[1] = c < low ? low : c < high ? c : high;
    face->v[2] = c < high ? high : c;
    face->n = 1;
}

/* Each face once, with its count; returns how many. */
static int32_t count_faces(const ew_filling *filling, face_count *face)
{
    const int32_t n = 4 * filling->n_tet;
    int32_t n_face = 0;
    for (int32_t i = 0; i < n; i++) {
        const int32_t *v = filling->tet + 4 * (size_t)(i / 4);
        const int8_t *of = ew_face_vertex[i % 4];
        set_face(&face[i], v[of[0]], v[of[1]], v[of[2]]);
    }
    qsort(face, (size_t)n, sizeof *face, compare_faces);
    for (int32_t i = 0; i < n; i++) {
        if (n_face && compare_faces(&face[n_face - 1], &face[i]) == 0) {
            face[n_face - 1].n++;
        } else {
            face[n_face++] = face[i];
        }
    }
    return n_face;
}

/* The given triangles are faces, those of the boundary of one tet and those inside of two, and no
 * others are of one tet alone. */
static bool has_triangles(const ew_remesh_part *part, const face_count *face, int32_t n_face)
{
    int32_t n_single = 0;
    for (int32_t i = 0; i < n_face; i++) {
        n_single += face[i].n == 1;
        if (face[i].n > 2) {
            return false;
        }
    }
    for (int32_t i = 0; i < part->triangle.n / 3; i++) {
        const int32_t *v = part->triangle.id + 3 * (size_t)i;
        face_count wanted;
        set_face(&wanted, v[0], v[1], v[2]);
        const face_count *found =
            bsearch(&wanted, face, (size_t)n_face, sizeof *face, compare_faces);
        if (!found || found->n != (i < part->n_outer ? 1 : 2)) {
            return false;
        }
    }
    return n_single == part->n_outer;
}

/* All indices in range, all vertices of the part used, those beyond them too. */
static bool has_vertices(const ew_remesh_part *part, const ew_filling *filling, bool *used)
{
    const int32_t n = filling->n_vertex;
    bool good =
        n >= part->vertex.n && filling->n_tet > 0 &&
        memcmp(filling->xyz, part->xyz, (size_t)part->vertex.n * 3 * sizeof *part->xyz) == 0;
    for (int32_t i = 0; i < 4 * filling->n_tet && good; i++) {
        const int32_t v = filling->tet[i];
        good = v >= 0 && v < n;
        if (good) {
            used[v] = true;
        }
    }
    for (int32_t v = 0; v < n && good; v++) {
        good = used[v];
    }
    return good;
}

static ew_status check_shapes(const ew_remesh_part *part, ew_filling *filling)
{
    ew_refusal refusal = {0};
    double volume = 0.0;
    for (int32_t t = 0; t < filling->n_tet; t++) {
        int32_t *v = filling->tet + 4 * (size_t)t;
        const double *x[4];
        for (int k = 0; k < 4; k++) {
            x[k] = filling->xyz + 3 * (size_t)v[k];
        }
        double own = ew_tet_volume(x[0], x[1], x[2], x[3]);
        if (own < 0.0) {
            const int32_t last = v[3];
            const double *place = x[3];
            v[3] = v[2];
            v[2] = last;
            x[3] = x[2];
            x[2] = place;
            own = -own;
        }
        volume += own;
        ew_refusal_note(&refusal, t, x);
    }
    if (refusal.n || !(fabs(volume - part->volume) <= 1e-9 * part->volume)) {
        return ew_fail(EW_BAD_EDIT, "%d of the new tets are flat, volume %.9g in place of %.9g",
                       refusal.n, volume, part->volume);
    }
    return EW_OK;
}

ew_status ew_remesh_check(const ew_remesh_part *part, ew_filling *filling)
{
    face_count *face = NULL;
    bool *used = NULL;
    ew_status status = ew_new(&face, 4 * (size_t)filling->n_tet, sizeof *face);
    if (!status) {
        status = ew_new_zero(&used, (size_t)filling->n_vertex, sizeof *used);
    }
    if (!status && (!has_vertices(part, filling, used) ||
                    !has_triangles(part, face, count_faces(filling, face)))) {
        status = ew_fail(EW_BAD_EDIT, "the mesher changed the boundary");
    }
    if (!status) {
        status = check_shapes(part, filling);
    }
    ew_release(face);
    ew_release(used);
    return status;
}
