/* A frame and its boundary in, the triangles and edges of a picture out. A tet of ten nodes is seen
 * in pieces: its sides by its own shape functions, its section by marching through eight tets. */
#include "look.h"

#include <math.h>
#include <string.h>

/* Corners of the edges of a tet in the order of ew_view_frame.middle. */
static const int edge_corner[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
/* Nodes of the eight tets of a tet: corners 0 to 3, then the middles. */
static const int piece[8][4] = {{0, 4, 6, 7}, {4, 1, 5, 8}, {6, 5, 2, 9}, {7, 8, 9, 3},
                                {6, 8, 4, 5}, {6, 8, 5, 9}, {6, 8, 9, 7}, {6, 8, 7, 4}};

/* ---- places -------------------------------------------------------------------------------- */

int look_shape(const ew_view_frame *frame, const look_point *point, int32_t row[10],
               double weight[10])
{
    const double *w = point->weight;
    int n = 4;
    for (int k = 0; k < 4; k++) {
        row[k] = frame->tet[4 * (size_t)point->tet + (size_t)k];
        weight[k] = frame->middle ? w[k] * (2 * w[k] - 1) : w[k];
    }
    for (int k = 0; k < 6 && frame->middle; k++, n++) {
        row[n] = frame->middle[6 * (size_t)point->tet + (size_t)k];
        weight[n] = 4 * w[edge_corner[k][0]] * w[edge_corner[k][1]];
    }
    return n;
}

void look_locate(const ew_view_frame *frame, const look_point *point, const double *displacement,
                 double warp, double at[3])
{
    int32_t row[10];
    double weight[10];
    const int n = look_shape(frame, point, row, weight);
    at[0] = at[1] = at[2] = 0.0;
    for (int k = 0; k < n; k++) {
        for (size_t c = 0; c < 3; c++) {
            const size_t i = 3 * (size_t)row[k] + c;
            at[c] += weight[k] * (frame->xyz[i] + (displacement ? warp * displacement[i] : 0.0));
        }
    }
}

/* How far beyond the plane a point is; nothing is where there is no plane. */
static double beyond(const ew_view_frame *frame, const double *section, const look_point *point)
{
    double x[3];
    if (!section) {
        return -1.0;
    }
    look_locate(frame, point, NULL, 0.0, x);
    return section[0] * x[0] + section[1] * x[1] + section[2] * x[2] - section[3];
}

/* Where the plane meets the line between points of one tet, a kept and b left out. */
static look_point between(const look_point *a, double at_a, const look_point *b, double at_b)
{
    const double t = at_a / (at_a - at_b);
    look_point p = *a;
    for (int k = 0; k < 4; k++) {
        p.weight[k] += t * (b->weight[k] - a->weight[k]);
    }
    return p;
}

/* ---- triangles ----------------------------------------------------------------------------- */

static ew_status add_face(look *to, const look_point *p, int32_t code)
{
    EW_TRY(ew_grow(&to->face, &to->face_capacity, 3 * ((int64_t)to->n_face + 1), sizeof *to->face));
    EW_TRY(ew_grow(&to->code, &to->code_capacity, (int64_t)to->n_face + 1, sizeof *to->code));
    memcpy(to->face + 3 * (size_t)to->n_face, p, 3 * sizeof *p);
    to->code[to->n_face++] = code;
    return EW_OK;
}

/* The part of a triangle on one side of the plane. */
static ew_status add_clipped(const ew_view_frame *frame, const double *section, const look_point *p,
                             int32_t code, look *to)
{
    look_point left[4];
    double d[3];
    int n = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = beyond(frame, section, &p[k]);
    }
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3;
        if (d[k] <= 0) {
            left[n++] = p[k];
        }
        if ((d[k] <= 0) != (d[next] <= 0)) {
            left[n++] = d[k] <= 0 ? between(&p[k], d[k], &p[next], d[next])
                                  : between(&p[next], d[next], &p[k], d[k]);
        }
    }
    for (int k = 2; k < n; k++) {
        const look_point part[3] = {left[0], left[k - 1], left[k]};
        EW_TRY(add_face(to, part, code));
    }
    return EW_OK;
}

/* A boundary face in n x n pieces. */
static ew_status add_side(const ew_view_frame *frame, const double *section, int32_t code, int n,
                          look *to)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 2 * (n - i) - 1; j++) {
            const int a = j / 2, is_down = j % 2;
            const int at[3][2] = {{i + is_down, a}, {i + 1, a + is_down}, {i, a + 1}};
            look_point p[3] = {{.tet = code / 4}, {.tet = code / 4}, {.tet = code / 4}};
            for (int k = 0; k < 3; k++) {
                const int8_t *corner = ew_face_vertex[code % 4];
                p[k].weight[corner[0]] = (double)(n - at[k][0] - at[k][1]) / n;
                p[k].weight[corner[1]] = (double)at[k][0] / n;
                p[k].weight[corner[2]] = (double)at[k][1] / n;
            }
            EW_TRY(add_clipped(frame, section, p, code, to));
        }
    }
    return EW_OK;
}

/* ---- the cap ------------------------------------------------------------------------------- */

/* Adds a triangle of the cap, turned as the normal. */
static ew_status add_cap(const ew_view_frame *frame, const double *section, look_point *p, look *to)
{
    double x[3][3], twice = 0.0, length = 0.0;
    for (int k = 0; k < 3; k++) {
        look_locate(frame, &p[k], NULL, 0.0, x[k]);
    }
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        twice += section[c] * ((x[1][d] - x[0][d]) * (x[2][e] - x[0][e]) -
                               (x[1][e] - x[0][e]) * (x[2][d] - x[0][d]));
        length += section[c] * section[c];
    }
    to->cap_area += 0.5 * fabs(twice) / sqrt(length);
    if (twice < 0) {
        const look_point other = p[1];
        p[1] = p[2];
        p[2] = other;
    }
    return add_face(to, p, -1);
}

/* Marching tets: one corner alone on its side gives a triangle, two a quadrangle. */
static ew_status add_section(const ew_view_frame *frame, const double *section,
                             const look_point node[4], look *to)
{
    look_point kept[4], gone[4], cut[4];
    double kept_at[4], gone_at[4];
    int n_kept = 0, n_gone = 0, n = 0;
    for (int k = 0; k < 4; k++) {
        const double d = beyond(frame, section, &node[k]);
        if (d <= 0) {
            kept_at[n_kept] = d;
            kept[n_kept++] = node[k];
        } else {
            gone_at[n_gone] = d;
            gone[n_gone++] = node[k];
        }
    }
    for (int i = 0; i < n_kept; i++) {
        for (int k = 0; k < n_gone; k++) { /* around the quadrangle: 00 01 11 10 */
            const int j = i % 2 && n_gone == 2 ? 1 - k : k;
            cut[n++] = between(&kept[i], kept_at[i], &gone[j], gone_at[j]);
        }
    }
    for (int k = 2; k < n; k++) {
        look_point part[3] = {cut[0], cut[k - 1], cut[k]};
        EW_TRY(add_cap(frame, section, part, to));
    }
    return EW_OK;
}

static ew_status add_caps(const ew_view_frame *frame, const double *section, look *to)
{
    for (int32_t t = 0; t < frame->n_tet; t++) {
        look_point node[10] = {{0}};
        for (int k = 0; k < 10; k++) {
            node[k].tet = t;
            node[k].weight[k < 4 ? k : edge_corner[k - 4][0]] += 0.5;
            node[k].weight[k < 4 ? k : edge_corner[k - 4][1]] += 0.5;
        }
        for (int s = 0; s < 8 && frame->middle; s++) {
            const look_point part[4] = {node[piece[s][0]], node[piece[s][1]], node[piece[s][2]],
                                        node[piece[s][3]]};
            EW_TRY(add_section(frame, section, part, to));
        }
        EW_TRY(frame->middle ? EW_OK : add_section(frame, section, node, to));
    }
    return EW_OK;
}

/* ---- edges ------------------------------------------------------------------------------------
 */

/* The edge between two corners of a tet in n pieces, as far as the plane leaves them. */
static ew_status add_edge(const ew_view_frame *frame, const double *section, int32_t from,
                          int32_t to_corner, int n, look *to)
{
    for (int i = 0; i < n; i++) {
        look_point p[2] = {{.tet = from / 4}, {.tet = from / 4}};
        double d[2];
        for (int k = 0; k < 2; k++) {
            p[k].weight[from % 4] = 1.0 - (double)(i + k) / n;
            p[k].weight[to_corner % 4] = (double)(i + k) / n;
            d[k] = beyond(frame, section, &p[k]);
        }
        if (d[0] > 0 && d[1] > 0) {
            continue;
        }
        for (int k = 0; k < 2; k++) {
            p[k] = d[k] > 0 ? between(&p[1 - k], d[1 - k], &p[k], d[k]) : p[k];
        }
        EW_TRY(ew_grow(&to->edge, &to->edge_capacity, 2 * ((int64_t)to->n_edge + 1),
                       sizeof *to->edge));
        memcpy(to->edge + 2 * (size_t)to->n_edge++, p, sizeof p);
    }
    return EW_OK;
}

/* ---- all ----------------------------------------------------------------------------------------
 */

int look_n_piece(const ew_view_frame *frame, const double *section)
{
    return !frame->middle ? 1 : section ? 2 : 4;
}

ew_status look_take(const ew_view_frame *frame, const skin *body, const double *section, look *out)
{
    const int n = look_n_piece(frame, section);
    look own = {0};
    ew_status status = EW_OK;
    for (int32_t f = 0; f < body->n_face && !status; f++) {
        const int32_t *corner = body->corner + 3 * (size_t)f;
        const int32_t sum = corner[0] % 4 + corner[1] % 4 + corner[2] % 4;
        /* The face opposite the corner that is missing. */
        status = add_side(frame, section, corner[0] - corner[0] % 4 + 6 - sum, n, &own);
    }
    for (int32_t e = 0; e < body->n_edge && !status; e++) {
        const int32_t i = body->side[e];
        status = add_edge(frame, section, body->corner[i], body->corner[i % 3 == 2 ? i - 2 : i + 1],
                          n, &own);
    }
    if (!status && section) {
        status = add_caps(frame, section, &own);
    }
    if (status) {
        look_free(&own);
        return status;
    }
    *out = own;
    return EW_OK;
}

void look_free(look *own)
{
    ew_release(own->face);
    ew_release(own->code);
    ew_release(own->edge);
    *own = (look){0};
}
