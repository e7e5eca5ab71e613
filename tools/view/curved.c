/* Curved sides of a played body. In: the surface that scene.c took, a triangle a face. Out: each
 * face in pieces, whose vertices lie on its curve, straight or displaced: x = sum w_i x_i + 4 w_a
 * w_b c_ab, w the barycentric coordinates in the face, c_ab how far the middle of a side lies
 * beyond the mean of its ends. */
#include "play.h"

#include <math.h>
#include <string.h>

enum { PIECES = 4 };

/* A face: its vertices, its sides from corner k to the next as edge slots, and their curves. */
typedef struct curved_face {
    int32_t vertex[3], edge[3];
    const double *curve[3]; /* null: straight */
    const double *moved[3]; /* likewise of the displacement */
} curved_face;

bool view_is_curved(const view_play *play)
{
    const ew_model *model = play->body.model;
    return ew_model_edge_rows(model) || ew_model_mesh(model)->n_curve > 0;
}

static void read_face(const view_play *play, int32_t code, curved_face *face)
{
    ew_model *model = play->body.model;
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_topology *topology = ew_model_topology(model);
    const ew_edge_rows *rows = ew_model_edge_rows(model);
    const double *moved = ew_model_edge_displacement(model);
    const size_t t = (size_t)(code / 4);
    for (int k = 0; k < 3; k++) {
        const int a = ew_face_vertex[code % 4][k], b = ew_face_vertex[code % 4][(k + 1) % 3];
        int e = 0;
        while ((ew_edge_vertex[e][0] != a || ew_edge_vertex[e][1] != b) &&
               (ew_edge_vertex[e][0] != b || ew_edge_vertex[e][1] != a)) {
            e++;
        }
        const int32_t va = mesh->tet[4 * t + (size_t)a], vb = mesh->tet[4 * t + (size_t)b];
        face->vertex[k] = va;
        face->edge[k] = topology->tet_to_edge[6 * t + (size_t)e];
        face->curve[k] = ew_mesh_curve(mesh, mesh->vertex_id[va], mesh->vertex_id[vb]);
        const int32_t row = rows ? rows->row[face->edge[k]] : -1;
        face->moved[k] = row >= 0 && moved ? moved + 3 * (size_t)row : NULL;
    }
}

/* Of a vector at the vertices and what it has beyond the mean on the sides. */
static void mix(const curved_face *face, const double w[3], const double *vector,
                const double *const beyond[3], float out[3])
{
    for (size_t c = 0; c < 3; c++) {
        double sum = 0.0;
        for (int k = 0; k < 3; k++) {
            sum += w[k] * vector[3 * (size_t)face->vertex[k] + c];
            sum += beyond[k] ? 4.0 * w[k] * w[(k + 1) % 3] * beyond[k][c] : 0.0;
        }
        out[c] = (float)sum;
    }
}

/* Vertex i of the pieces, at these steps of PIECES towards the corners. */
static void place(view_play *play, const curved_face *face, const double *number, const int step[3],
                  int32_t i)
{
    const double *xyz = ew_model_mesh(play->body.model)->xyz,
                 *u = ew_model_displacement(play->body.model);
    const double w[3] = {(double)step[0] / PIECES, (double)step[1] / PIECES,
                         (double)step[2] / PIECES};
    double value = 0.0;
    mix(face, w, xyz, face->curve, play->position + 3 * (size_t)i);
    mix(face, w, u, face->moved, play->displacement + 3 * (size_t)i);
    for (int k = 0; k < 3 && play->place == VIEW_AT_VERTICES; k++) {
        value += w[k] * view_number_at(play, number, (size_t)face->vertex[k]);
    }
    play->shown[i] = (float)value;
    play->vertex_id[i] = -1;
}

/* Where the vertex at these steps is remembered, of a face whose corners are `corner`; null: inside
 * of the face. */
static int32_t *find_place(view_play *play, const curved_face *face, int32_t *corner,
                           const int step[3])
{
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3;
        if (step[k] == PIECES) {
            return &corner[k];
        }
        if (step[k] > 0 && step[next] > 0 && step[k] + step[next] == PIECES) {
            const int from = face->vertex[k] < face->vertex[next] ? k : next;
            return &play->curved
                        .of_side[(PIECES - 1) * (size_t)face->edge[k] + (size_t)(step[from] - 1)];
        }
    }
    return NULL;
}

typedef int32_t piece_grid[PIECES + 1][PIECES + 1]; /* [steps to corner 1][to corner 2] */

/* *n: vertices so far. */
static void take_grid(view_play *play, const curved_face *face, int32_t *corner,
                      const double *number, piece_grid grid, int32_t *n)
{
    for (int i = 0; i <= PIECES; i++) {
        for (int j = 0; i + j <= PIECES; j++) {
            const int step[3] = {PIECES - i - j, i, j};
            int32_t *known = find_place(play, face, corner, step);
            if (known && *known >= 0) {
                grid[i][j] = *known;
                continue;
            }
            place(play, face, number, step, *n);
            grid[i][j] = (*n)++;
            if (known) {
                *known = grid[i][j];
            }
        }
    }
}

/* Side k of the face, from its corner k to the next, as lines of the mesh. */
static void add_side(view_curved_memory *to, piece_grid grid, int k)
{
    static const int end[3][2] = {{0, 0}, {PIECES, 0}, {0, PIECES}};
    for (int s = 0; s < PIECES; s++) {
        for (int e = 0; e < 2; e++) {
            const int next = (k + 1) % 3, at = s + e;
            const int i = (end[k][0] * (PIECES - at) + end[next][0] * at) / PIECES;
            const int j = (end[k][1] * (PIECES - at) + end[next][1] * at) / PIECES;
            to->edge[2 * (size_t)to->n_edge + (size_t)e] = grid[i][j];
        }
        to->n_edge++;
    }
}

/* Face f, the last that is not yet in pieces. */
static void refine_face(view_play *play, const double *number, int32_t f, int32_t *n)
{
    curved_face face;
    piece_grid grid;
    int32_t corner[3];
    bool is_new[3];
    int32_t *out = play->triangle + 3 * PIECES * PIECES * (size_t)f;
    memcpy(corner, play->triangle + 3 * (size_t)f, sizeof corner);
    read_face(play, play->face[f], &face);
    for (int k = 0; k < 3; k++) {
        is_new[k] = play->curved.of_side[(PIECES - 1) * (size_t)face.edge[k]] < 0;
    }
    take_grid(play, &face, corner, number, grid, n);
    for (int k = 0; k < 3; k++) {
        if (is_new[k]) {
            add_side(&play->curved, grid, k);
        }
    }
    for (int i = 0; i < PIECES; i++) {
        for (int j = 0; i + j < PIECES; j++, out += 3) {
            const int32_t own[3] = {grid[i][j], grid[i + 1][j], grid[i][j + 1]};
            memcpy(out, own, sizeof own);
            if (i + j + 1 < PIECES) {
                const int32_t next[3] = {grid[i + 1][j], grid[i + 1][j + 1], grid[i][j + 1]};
                memcpy(out += 3, next, sizeof next);
            }
        }
    }
}

static void copy_face(view_play *play, int32_t f)
{
    const int32_t tet = play->tet[f], code = play->face[f], region = play->region[f];
    const int32_t cad_face = play->cad_face[f];
    const size_t width = (size_t)play->n_set_word;
    uint32_t sets[VIEW_MAX_SET_WORD];
    memcpy(sets, play->face_set + width * (size_t)f, width * sizeof *sets);
    for (size_t k = 0; k < PIECES * PIECES; k++) {
        const size_t to = PIECES * PIECES * (size_t)f + k;
        play->tet[to] = tet;
        play->face[to] = code;
        play->region[to] = region;
        memcpy(play->face_set + width * to, sets, width * sizeof *sets);
        play->cad_face[to] = cad_face;
    }
}

/* Steps to corners 1 and 2 of the corners of a face's pieces, in the order of refine_face. */
static void list_pieces(int8_t step[PIECES * PIECES][3][2])
{
    int n = 0;
    for (int8_t i = 0; i < PIECES; i++) {
        for (int8_t j = 0; i + j < PIECES; j++) {
            const int8_t right = (int8_t)(i + 1), up = (int8_t)(j + 1);
            const int8_t own[3][2] = {{i, j}, {right, j}, {i, up}};
            memcpy(step[n++], own, sizeof own);
            if (i + j + 1 < PIECES) {
                const int8_t next[3][2] = {{right, j}, {right, up}, {i, up}};
                memcpy(step[n++], next, sizeof next);
            }
        }
    }
}

/* Of a field that corners of tets have each for themselves: linear over the face. */
static void take_corner_values(view_play *play, const double *number, int32_t m)
{
    int8_t step[PIECES * PIECES][3][2];
    list_pieces(step);
    for (int32_t i = 0; i < m && play->place != VIEW_AT_VERTICES; i++) {
        double at[3];
        for (int k = 0; k < 3; k++) {
            at[k] =
                view_number_of(play, number, play->tet[i], ew_face_vertex[play->face[i] % 4][k]);
        }
        for (int k = 0; k < 3; k++) {
            const int8_t *s = step[i % (PIECES * PIECES)][k];
            play->corner_shown[3 * (size_t)i + (size_t)k] =
                (float)((at[0] * (PIECES - s[0] - s[1]) + at[1] * s[0] + at[2] * s[1]) / PIECES);
        }
    }
}

ew_status view_refine_surface(view_play *play, const double *number, int32_t *n, int32_t *m)
{
    view_curved_memory *to = &play->curved;
    const int32_t n_face = *m, n_side = ew_model_topology(play->body.model)->pattern.n_pair;
    const int64_t n_max = *n + 12 * (int64_t)n_face, n_piece = PIECES * PIECES * (int64_t)n_face;
    if (n_max > INT32_MAX / 4 || 3 * n_piece > INT32_MAX) {
        return ew_fail(EW_LIMIT, "view: the curved body has too many faces for the page");
    }
    EW_TRY(view_grow_surface(play, (int32_t)n_max, (int32_t)n_piece));
    EW_TRY(ew_grow(&to->of_side, &to->side_capacity, n_side, (PIECES - 1) * sizeof *to->of_side));
    EW_TRY(
        ew_grow(&to->edge, &to->edge_capacity, 3 * PIECES * (int64_t)n_face, 2 * sizeof *to->edge));
    memset(to->of_side, 0xff, (PIECES - 1) * (size_t)n_side * sizeof *to->of_side);
    to->n_edge = 0;
    for (int32_t f = n_face - 1; f >= 0; f--) {
        refine_face(play, number, f, n);
        copy_face(play, f);
    }
    *m = (int32_t)n_piece;
    take_corner_values(play, number, *m);
    return EW_OK;
}
