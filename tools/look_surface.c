/* The boundary of a frame as the page draws it. In: a frame. Out: triangles that share their
 * vertices, so that normals are continuous and feature edges found; curved sides in pieces. */
#include "look.h"

#include <math.h>
#include <string.h>

/* Edges of a tet in the order of ew_view_frame.middle, by their corners. */
static const int edge_of[4][4] = {{-1, 0, 2, 3}, {0, -1, 1, 4}, {2, 1, -1, 5}, {3, 4, 5, -1}};

enum { MAX_PIECES = 8 };

/* Vertices that exist: by point, by the middle of a side and a place along it, and inside of the
 * present face by two of their weights. -1: not yet. */
typedef struct known {
    int32_t n_piece;             /* of a side */
    int32_t *of_point, *of_side; /* [n_point], [n_point][n_piece - 1] */
    int32_t code;                /* of the face */
    int32_t inside[MAX_PIECES][MAX_PIECES];
} known;

/* Where a point of a boundary face is remembered. *row: the point of the frame that it is, or -1.
 */
static int32_t *find_place(const ew_view_frame *frame, const look_point *point, known *of,
                           int32_t *row)
{
    int corner[4], n = 0;
    for (int k = 0; k < 4; k++) {
        if (point->weight[k] > 0.0) {
            corner[n++] = k;
        }
    }
    const int32_t *tet = frame->tet + 4 * (size_t)point->tet;
    *row = -1;
    if (n == 1) {
        *row = tet[corner[0]];
        return &of->of_point[*row];
    }
    if (n > 2) {
        return &of->inside[lround(point->weight[corner[0]] * of->n_piece)]
                          [lround(point->weight[corner[1]] * of->n_piece)];
    }
    const int from = tet[corner[0]] < tet[corner[1]] ? corner[0] : corner[1];
    const int step = (int)lround(point->weight[from] * of->n_piece);
    const int32_t side =
        frame->middle[6 * (size_t)point->tet + (size_t)edge_of[corner[0]][corner[1]]];
    *row = 2 * step == of->n_piece ? side : -1;
    return &of->of_side[(size_t)side * (size_t)(of->n_piece - 1) + (size_t)(step - 1)];
}

static void add_vertex(look_surface *own, const ew_view_frame *frame, known *of, int32_t i)
{
    int32_t row;
    if (own->pieces.code[i / 3] != of->code) {
        of->code = own->pieces.code[i / 3];
        memset(of->inside, 0xff, sizeof of->inside);
    }
    int32_t *place = find_place(frame, &own->pieces.face[i], of, &row);
    if (*place < 0) {
        own->vertex_point[own->n_vertex] = i;
        own->vertex_row[own->n_vertex] = row;
        *place = own->n_vertex++;
    }
    own->triangle[i] = *place;
}

/* Sides of triangles that are pieces of a tet's side: each once, from the vertex that is less. */
static ew_status add_edges(look_surface *own)
{
    for (int32_t i = 0; i < 3 * own->pieces.n_face; i++) {
        const int32_t next = i % 3 == 2 ? i - 2 : i + 1;
        const double *a = own->pieces.face[i].weight, *b = own->pieces.face[next].weight;
        int n_zero = 0;
        for (int c = 0; c < 4; c++) {
            n_zero += a[c] == 0.0 && b[c] == 0.0;
        }
        if (n_zero < 2 || own->triangle[i] > own->triangle[next]) {
            continue;
        }
        EW_TRY(ew_grow(&own->edge, &own->edge_capacity, 2 * ((int64_t)own->n_edge + 1),
                       sizeof *own->edge));
        own->edge[2 * (size_t)own->n_edge] = own->triangle[i];
        own->edge[2 * (size_t)own->n_edge++ + 1] = own->triangle[next];
    }
    return EW_OK;
}

static ew_status fill(const ew_view_frame *frame, known *of, look_surface *own)
{
    EW_TRY(skin_take(frame, &own->body));
    EW_TRY(look_take(frame, &own->body, NULL, &own->pieces));
    const size_t n_corner = 3 * (size_t)own->pieces.n_face;
    if (n_corner > INT32_MAX / 4) {
        return ew_fail(EW_LIMIT, "the body has too many faces for the page");
    }
    of->n_piece = look_n_piece(frame, NULL);
    EW_ASSERT(of->n_piece <= MAX_PIECES);
    const size_t n_side = (size_t)frame->n_point * (size_t)(of->n_piece - 1);
    EW_TRY(ew_new(&of->of_point, (size_t)frame->n_point, sizeof *of->of_point));
    EW_TRY(ew_new(&of->of_side, n_side, sizeof *of->of_side));
    EW_TRY(ew_new(&own->triangle, n_corner, sizeof *own->triangle));
    EW_TRY(ew_new(&own->vertex_point, n_corner, sizeof *own->vertex_point));
    EW_TRY(ew_new(&own->vertex_row, n_corner, sizeof *own->vertex_row));
    memset(of->of_point, 0xff, (size_t)frame->n_point * sizeof *of->of_point);
    memset(of->of_side, 0xff, n_side * sizeof *of->of_side);
    for (int32_t i = 0; i < (int32_t)n_corner; i++) {
        add_vertex(own, frame, of, i);
    }
    return of->n_piece > 1 ? add_edges(own) : EW_OK;
}

ew_status look_surface_take(const ew_view_frame *frame, look_surface *out)
{
    look_surface own = {0};
    known of = {.code = -1};
    const ew_status status = fill(frame, &of, &own);
    ew_release(of.of_point);
    ew_release(of.of_side);
    if (status) {
        look_surface_free(&own);
        return status;
    }
    *out = own;
    return EW_OK;
}

void look_surface_free(look_surface *surface)
{
    skin_free(&surface->body);
    look_free(&surface->pieces);
    ew_release(surface->triangle);
    ew_release(surface->vertex_point);
    ew_release(surface->vertex_row);
    ew_release(surface->edge);
    *surface = (look_surface){0};
}
