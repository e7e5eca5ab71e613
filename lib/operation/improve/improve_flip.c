/* Flips: an edge goes, and the ring around it is cut into other triangles; or a face between two
 * tets goes, for an edge. In: an edge or a face. Out: other tets in the same place, if the least
 * quality rises.
 *
 * The triangles of the ring are chosen by dynamic programming (Klincsek 1980; Shewchuk 2002, "Two
 * discrete optimization algorithms for the topological improvement of tetrahedral meshes"). On a
 * flat side of the body, or nearly flat, the ring is open, and the new edge between its ends is the
 * other diagonal of the two faces that go. */
#include "operation/improve/improve.h"

#include <math.h>
#include <string.h>

enum { MAX_RING = 8 };

typedef struct ring {
    int32_t a, b;
    int n; /* tets */
    int m; /* vertices: n, or n + 1 where it is open */
    int32_t tet[MAX_RING], p[MAX_RING + 1];
    int32_t face_a[MAX_RING], face_b[MAX_RING]; /* records across from a, and from b */
    int32_t end_face;                           /* record of the two marked faces of an open ring */
    double least;
} ring;

/* The other two corners, so that (a, b, c, d) is positive. */
static void other_corners(const ew_local_tet *tet, int ia, int ib, int *c, int *d)
{
    static const int8_t next[4][4][2] = {{{0, 0}, {2, 3}, {3, 1}, {1, 2}},
                                         {{3, 2}, {0, 0}, {0, 3}, {2, 0}},
                                         {{1, 3}, {3, 0}, {0, 0}, {0, 1}},
                                         {{2, 1}, {0, 2}, {1, 0}, {0, 0}}};
    (void)tet;
    *c = next[ia][ib][0];
    *d = next[ia][ib][1];
}

/* One tet of the ring by the vertex that it begins at; -1: none. */
static int tet_from(const ring *r, const int32_t begin[MAX_RING], int32_t p)
{
    for (int i = 0; i < r->n; i++) {
        if (begin[i] == p) {
            return i;
        }
    }
    return -1;
}

/* Tets around the edge; false: too many, or of two regions. */
static bool gather(const ew_local *local, ring *r, int32_t begin[MAX_RING], int32_t end[MAX_RING])
{
    r->n = 0;
    r->least = INFINITY;
    for (int32_t k = local->vertex[r->a].first; k >= 0; k = local->tet[k / 4].next[k % 4]) {
        const ew_local_tet *tet = &local->tet[k / 4];
        const int ib = ew_local_corner(tet, r->b);
        int c, d;
        if (ib < 0) {
            continue;
        }
        if (r->n == MAX_RING || tet->region != local->tet[r->n ? r->tet[0] : k / 4].region) {
            return false;
        }
        other_corners(tet, k % 4, ib, &c, &d);
        begin[r->n] = tet->v[c];
        end[r->n] = tet->v[d];
        r->least = fmin(r->least, tet->quality);
        r->tet[r->n++] = k / 4;
    }
    return r->n > 0;
}

/* The tet to begin with: of an open ring the first, of a closed one the one of lowest name. */
static int first_tet(const ew_local *local, const ring *r, const int32_t begin[MAX_RING],
                     const int32_t end[MAX_RING], bool *open)
{
    int first = 0, n_first = 0, lowest = 0;
    for (int i = 0; i < r->n; i++) {
        bool has_before = false;
        for (int k = 0; k < r->n; k++) {
            has_before = has_before || end[k] == begin[i];
        }
        if (!has_before) {
            first = i;
            n_first++;
        }
        lowest = local->tet[r->tet[i]].name < local->tet[r->tet[lowest]].name ? i : lowest;
    }
    *open = n_first > 0;
    return n_first == 0 ? lowest : n_first == 1 ? first : -1;
}

/* In the order around the edge; false: it has marked faces where none may be. */
static bool order(const ew_local *local, ring *r, const int32_t begin[MAX_RING],
                  const int32_t end[MAX_RING])
{
    bool open;
    int32_t tet[MAX_RING];
    int at = first_tet(local, r, begin, end, &open);
    if (at < 0 || (open && r->n < 2) || (!open && r->n < 3)) {
        return false;
    }
    r->end_face = -1;
    for (int i = 0; i < r->n; i++) {
        if (at < 0 || (i && begin[at] == r->p[0])) { /* the edge has more than one ring */
            return false;
        }
        const ew_local_tet *of = &local->tet[r->tet[at]];
        const int32_t before = of->face[ew_local_corner(of, end[at])];
        const int32_t after = of->face[ew_local_corner(of, begin[at])];
        tet[i] = r->tet[at];
        r->p[i] = begin[at];
        r->p[i + 1] = end[at];
        r->face_a[i] = of->face[ew_local_corner(of, r->a)];
        r->face_b[i] = of->face[ew_local_corner(of, r->b)];
        if ((before >= 0) != (open && i == 0) || (after >= 0) != (open && i == r->n - 1)) {
            return false;
        }
        if (open && i == 0) {
            r->end_face = before;
        } else if (open && i == r->n - 1 && !ew_local_same_face(local, r->end_face, after)) {
            return false;
        }
        at = tet_from(r, begin, end[at]);
    }
    memcpy(r->tet, tet, sizeof tet);
    r->m = open ? r->n + 1 : r->n;
    return open || r->p[r->n] == r->p[0];
}

/* ---- the faces of an open ring -------------------------------------------- */

static double distance(const double *a, const double *b)
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* How far two lines that cross, seen from above, pass by each other: six volumes of the tet by
 * twice the area of its shadow. */
static double find_gap(const double *a, const double *b, const double *c, const double *d)
{
    double n[3], e[3], f[3];
    for (int i = 0; i < 3; i++) {
        e[i] = b[i] - a[i];
        f[i] = d[i] - c[i];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        n[i] = e[j] * f[k] - e[k] * f[j];
    }
    const double area = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    return area > 0.0 ? 6.0 * fabs(ew_tet_volume(a, b, c, d)) / area : INFINITY;
}

static bool is_flat_enough(const ew_local *local, const ring *r)
{
    const ew_local_face *face = &local->face[r->end_face];
    const double *a = local->vertex[r->a].x, *b = local->vertex[r->b].x;
    const double *c = local->vertex[r->p[0]].x, *d = local->vertex[r->p[r->n]].x;
    const double size = fmin(distance(a, b), distance(c, d)), off = find_gap(a, b, c, d);
    if (face->is_cut) {
        return off <=
               (ew_local_shape(local, r->end_face)->is_flat ? 1e-9 : EW_LOCAL_OFF_CUT) * size;
    }
    return off <= 1e-9 * size || (off > EW_LOCAL_FLAT * size && off <= EW_LOCAL_OFF_CURVED * size);
}

/* The new edge must not be one already: a boundary that folds back has it elsewhere. */
static ew_status has_edge(ew_local *local, int32_t a, int32_t b, bool *has)
{
    EW_TRY(ew_local_open(local, a));
    *has = false;
    for (int32_t k = local->vertex[a].first; k >= 0 && !*has; k = local->tet[k / 4].next[k % 4]) {
        *has = ew_local_corner(&local->tet[k / 4], b) >= 0;
    }
    return EW_OK;
}

/* ---- triangles ------------------------------------------------------------ */

typedef struct choice {
    double best[MAX_RING + 1][MAX_RING + 1];
    int8_t apex[MAX_RING + 1][MAX_RING + 1];
} choice;

static double triangle_quality(const ew_local *local, const ring *r, int i, int k, int j)
{
    const ew_local_vertex *v = local->vertex;
    const double *x = v[r->p[i]].x, *y = v[r->p[k]].x, *z = v[r->p[j]].x;
    const double above = ew_local_quality_of(x, y, z, v[r->b].x);
    return above > r->least ? fmin(above, ew_local_quality_of(x, z, y, v[r->a].x)) : above;
}

static void choose(const ew_local *local, const ring *r, choice *c)
{
    for (int i = 0; i + 1 < r->m; i++) {
        c->best[i][i + 1] = INFINITY;
    }
    for (int span = 2; span < r->m; span++) {
        for (int i = 0; i + span < r->m; i++) {
            const int j = i + span;
            c->best[i][j] = -INFINITY;
            for (int k = i + 1; k < j; k++) {
                const double parts = fmin(c->best[i][k], c->best[k][j]);
                if (parts <= c->best[i][j] || parts <= r->least) {
                    continue;
                }
                const double all = fmin(parts, triangle_quality(local, r, i, k, j));
                if (all > c->best[i][j]) {
                    c->best[i][j] = all;
                    c->apex[i][j] = (int8_t)k;
                }
            }
        }
    }
}

/* The record of a face on side i..j of a triangle: one of the ring's own, or none. */
static int32_t side_record(const ring *r, const int32_t *face, int i, int j)
{
    return j == i + 1                ? face[i]
           : i == 0 && j == r->m - 1 ? r->m == r->n ? face[r->n - 1] : r->end_face
                                     : -1;
}

static ew_status add_triangle(ew_local *local, const ring *r, const choice *c, int i, int j)
{
    if (j < i + 2) {
        return EW_OK;
    }
    const int k = c->apex[i][j];
    const int32_t p = r->p[i], q = r->p[k], s = r->p[j], like = r->tet[i < r->n ? i : r->n - 1];
    int32_t t;
    /* faces across from the corners in turn */
    const int32_t above[4] = {side_record(r, r->face_a, k, j), side_record(r, r->face_a, i, j),
                              side_record(r, r->face_a, i, k), -1};
    const int32_t below[4] = {side_record(r, r->face_b, k, j), side_record(r, r->face_b, i, k),
                              side_record(r, r->face_b, i, j), -1};
    EW_TRY(ew_local_add_tet(local, (int32_t[4]){p, q, s, r->b}, above, like, &t));
    EW_TRY(ew_local_add_tet(local, (int32_t[4]){p, s, q, r->a}, below, like, &t));
    EW_TRY(add_triangle(local, r, c, i, k));
    return add_triangle(local, r, c, k, j);
}

/* Where tets are inverted, as after moves, a new edge or face may be there already, elsewhere. */
static ew_status are_free(ew_local *local, const ring *r, const choice *c, int i, int j, bool *good)
{
    bool has = false;
    if (j < i + 2 || !*good) {
        return EW_OK;
    }
    const int k = c->apex[i][j];
    EW_TRY(k > i + 1 ? has_edge(local, r->p[i], r->p[k], &has) : EW_OK);
    *good = !has;
    EW_TRY(j > k + 1 ? has_edge(local, r->p[k], r->p[j], &has) : EW_OK);
    *good = *good && !has;
    EW_TRY(ew_local_open(local, r->p[i]));
    for (int32_t t = local->vertex[r->p[i]].first; t >= 0; t = local->tet[t / 4].next[t % 4]) {
        *good = *good && (ew_local_corner(&local->tet[t / 4], r->p[k]) < 0 ||
                          ew_local_corner(&local->tet[t / 4], r->p[j]) < 0);
    }
    EW_TRY(are_free(local, r, c, i, k, good));
    return are_free(local, r, c, k, j, good);
}

ew_status ew_improve_edge(ew_local *local, int32_t a, int32_t b, bool *done)
{
    ring r = {.a = a, .b = b};
    int32_t begin[MAX_RING], end[MAX_RING];
    choice c;
    bool has = false, good = true;
    *done = false;
    EW_TRY(ew_local_open(local, a));
    EW_TRY(ew_local_open(local, b));
    if (!gather(local, &r, begin, end) || !order(local, &r, begin, end)) {
        return EW_OK;
    }
    if (r.m > r.n) {
        if (!is_flat_enough(local, &r)) {
            return EW_OK;
        }
        EW_TRY(has_edge(local, r.p[0], r.p[r.n], &has));
    }
    choose(local, &r, &c);
    if (has || !(c.best[0][r.m - 1] > r.least + EW_IMPROVE_GAIN)) {
        return EW_OK;
    }
    EW_TRY(are_free(local, &r, &c, 0, r.m - 1, &good));
    if (!good) {
        return EW_OK;
    }
    EW_TRY(add_triangle(local, &r, &c, 0, r.m - 1));
    for (int i = 0; i < r.n; i++) {
        ew_local_remove_tet(local, r.tet[i]);
    }
    *done = true;
    return EW_OK;
}

ew_status ew_improve_face(ew_local *local, int32_t t, int corner, bool *done)
{
    const ew_local_tet tet = local->tet[t];
    int far = 0;
    bool has;
    *done = false;
    const int32_t a = tet.v[ew_face_vertex[corner][0]];
    EW_TRY(ew_local_open(local, a));
    const int32_t u = tet.face[corner] < 0 ? ew_local_across(local, t, corner, &far) : -1;
    if (u < 0 || local->tet[u].region != tet.region) {
        return EW_OK;
    }
    const ew_local_tet other = local->tet[u];
    const int32_t d = tet.v[corner], e = other.v[far];
    const double least = fmin(tet.quality, other.quality) + EW_IMPROVE_GAIN;
    int32_t v[3][4], face[3][4];
    for (int i = 0; i < 3; i++) { /* the face turns outwards: seen from d it is (0, 2, 1) */
        const int i0 = ew_face_vertex[corner][i], i1 = ew_face_vertex[corner][(i + 2) % 3];
        const int i2 = ew_face_vertex[corner][(i + 1) % 3];
        const int32_t made[4] = {tet.v[i0], tet.v[i1], e, d};
        const int32_t of[4] = {-1, -1, tet.face[i2],
                               other.face[ew_local_corner(&other, tet.v[i2])]};
        memcpy(v[i], made, sizeof made);
        memcpy(face[i], of, sizeof of);
        const ew_local_vertex *x = local->vertex;
        if (!(ew_local_quality_of(x[made[0]].x, x[made[1]].x, x[e].x, x[d].x) > least)) {
            return EW_OK;
        }
    }
    EW_TRY(has_edge(local, d, e, &has));
    for (int i = 0; i < 3 && !has; i++) {
        int32_t made;
        EW_TRY(ew_local_add_tet(local, v[i], face[i], i < 2 ? t : u, &made));
    }
    if (!has) {
        ew_local_remove_tet(local, t);
        ew_local_remove_tet(local, u);
    }
    *done = !has;
    return EW_OK;
}
