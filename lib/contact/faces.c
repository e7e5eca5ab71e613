/* Sides. In: a mesh, face codes, the faces before. Out: all that pairs and rows depend on of each
 * face, where the same one was before, boxes that contain them whatever float rounds to. */
#include "contact/internal.h"

#include <math.h>
#include <string.h>

static float round_down(double x)
{
    const float f = (float)x;
    return (double)f > x ? nextafterf(f, -INFINITY) : f;
}

static float round_up(double x)
{
    const float f = (float)x;
    return (double)f < x ? nextafterf(f, INFINITY) : f;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

/* Of corners and, for each curved side, the third point of its control polygon: a face lies within
 * the hull of these. */
contact_box contact_box_of(const contact_face *face, double margin)
{
    contact_box box;
    for (int c = 0; c < 3; c++) {
        const double *x = face->xyz + c;
        double low = least(x[0], least(x[3], x[6])), high = most(x[0], most(x[3], x[6]));
        for (int k = 0; k < 3 && face->is_curved; k++) {
            const double mean = 0.5 * (x[3 * ((k + 1) % 3)] + x[3 * ((k + 2) % 3)]);
            const double control = mean + 2.0 * face->curve[3 * k + c];
            low = least(low, control);
            high = most(high, control);
        }
        box.low[c] = round_down(low - margin);
        box.high[c] = round_up(high + margin);
    }
    return box;
}

/* Local edge of a tet between two of its vertices. */
static int edge_between(int a, int b)
{
    return a && b ? a + b : a + b - 1;
}

/* What only sides that meet themselves depend on. */
static void read_role(const ew_mesh *mesh, const double *rest, contact_face *face)
{
    static const double along[3] = {1.0, 0.618, 0.271};
    const double *x[3];
    for (int k = 0; k < 3; k++) {
        x[k] = (rest ? rest : mesh->xyz) + 3 * (size_t)face->vertex[k];
    }
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        face->normal[c] =
            (x[1][d] - x[0][d]) * (x[2][e] - x[0][e]) - (x[1][e] - x[0][e]) * (x[2][d] - x[0][d]);
        face->place += along[c] * (x[0][c] + x[1][c] + x[2][c]) / 3.0;
    }
    const double *n = face->normal, size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int c = 0; c < 3; c++) {
        face->normal[c] = size > 0.0 ? face->normal[c] / size : 0.0;
        face->turn += along[c] * face->normal[c];
    }
}

static void read_side(const ew_contact_def *def, int32_t edge, int k, contact_face *face)
{
    face->edge[k] = def->edge_row[edge];
    for (int c = 0; c < 3 && def->curve && face->edge[k] >= 0; c++) {
        face->curve[3 * k + c] = def->curve[3 * (size_t)face->edge[k] + (size_t)c];
        face->is_curved = face->is_curved || face->curve[3 * k + c] != 0.0;
    }
}

static void find_area(contact_face *face)
{
    const double *x = face->xyz;
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        face->area[c] =
            (x[3 + d] - x[d]) * (x[6 + e] - x[e]) - (x[3 + e] - x[e]) * (x[6 + d] - x[d]);
        face->square += face->area[c] * face->area[c];
    }
}

static contact_face read_face(const ew_mesh *mesh, const ew_topology *topology,
                              const ew_contact_def *def, int32_t code)
{
    const int8_t *corner = ew_face_vertex[code % 4];
    contact_face face = {.code = code, .edge = {-1, -1, -1}};
    for (int k = 0; k < 3; k++) {
        const int edge = edge_between(corner[(k + 1) % 3], corner[(k + 2) % 3]);
        face.vertex[k] = mesh->tet[4 * (size_t)(code / 4) + (size_t)corner[k]];
        memcpy(face.xyz + 3 * k, mesh->xyz + 3 * (size_t)face.vertex[k], 3 * sizeof *face.xyz);
        if (def->edge_row) {
            read_side(def, topology->tet_to_edge[6 * (size_t)(code / 4) + (size_t)edge], k, &face);
        }
    }
    find_area(&face);
    memcpy(face.apex, mesh->xyz + 3 * (size_t)mesh->tet[code], sizeof face.apex);
    return face;
}

/* before: the same face, of the same mesh without displacements, or null. */
static void find_role(const ew_mesh *mesh, const ew_contact_def *def, const contact_face *before,
                      contact_face *face)
{
    if (!contact_is_of_one(def)) {
        return;
    }
    if (before) {
        memcpy(face->normal, before->normal, sizeof face->normal);
        face->turn = before->turn;
        face->place = before->place;
    } else {
        read_role(mesh, def->rest, face);
    }
}

static bool has_same_corners(const contact_face *a, const contact_face *b)
{
    return a->code == b->code && !memcmp(a->vertex, b->vertex, sizeof a->vertex) &&
           !memcmp(a->edge, b->edge, sizeof a->edge);
}

static bool is_same(const contact_face *a, const contact_face *b)
{
    return has_same_corners(a, b) && !memcmp(a->xyz, b->xyz, sizeof a->xyz) &&
           !memcmp(a->curve, b->curve, sizeof a->curve) &&
           !memcmp(a->apex, b->apex, sizeof a->apex) &&
           !memcmp(a->normal, b->normal, sizeof a->normal) && a->place == b->place;
}

static void begin(contact_side *side)
{
    contact_face *face = side->before;
    contact_box *box = side->box_before;
    const int32_t face_capacity = side->before_capacity, box_capacity = side->box_before_capacity;
    side->before = side->face;
    side->before_capacity = side->face_capacity;
    side->box_before = side->box;
    side->box_before_capacity = side->box_capacity;
    side->face = face;
    side->face_capacity = face_capacity;
    side->box = box;
    side->box_capacity = box_capacity;
    side->n_before = side->n;
    side->n = 0;
}

static ew_status reserve(contact_side *side, int32_t n)
{
    EW_TRY(ew_grow(&side->face, &side->face_capacity, n, sizeof *side->face));
    EW_TRY(ew_grow(&side->box, &side->box_capacity, n, sizeof *side->box));
    EW_TRY(ew_grow(&side->from, &side->from_capacity, n, sizeof *side->from));
    return ew_grow(&side->to, &side->to_capacity, side->n_before, sizeof *side->to);
}

static ew_status reserve_corners(contact_side *side, int32_t n)
{
    EW_TRY(ew_grow(&side->same_corners, &side->same_capacity, n, sizeof *side->same_corners));
    return ew_grow(&side->is_gone, &side->gone_capacity, side->n_before, sizeof *side->is_gone);
}

/* Faces before from `at` on, up to a code, have no place. Where the next one is. */
static int32_t pass_faces(contact_side *side, int32_t at, int64_t code)
{
    for (; at < side->n_before && side->before[at].code < code; at++) {
        side->to[at] = -1;
        side->is_gone[at] = true;
        side->n_gone++;
    }
    return at;
}

ew_status contact_side_read(contact_side *side, const ew_mesh *mesh, const ew_topology *topology,
                            const ew_contact_def *def, const ew_list *list, double margin)
{
    const bool keeps_rest = side->revision == mesh->revision && def->rest;
    int32_t at = 0;
    begin(side);
    EW_TRY(reserve(side, list->n));
    EW_TRY(reserve_corners(side, list->n));
    side->n_gone = 0;
    for (int32_t i = 0; i < list->n; i++) {
        const int32_t code = list->id[i];
        contact_face face = read_face(mesh, topology, def, code);
        at = pass_faces(side, at, code);
        const bool has = at < side->n_before && has_same_corners(&side->before[at], &face);
        find_role(mesh, def, has && keeps_rest ? &side->before[at] : NULL, &face);
        const bool same = has && is_same(&side->before[at], &face);
        side->face[i] = face;
        side->from[i] = same ? at : -1;
        side->same_corners[i] = has ? at : -1;
        side->box[i] = same ? side->box_before[at] : contact_box_of(&face, margin);
        if (has) {
            side->is_gone[at] = false;
            side->to[at++] = same ? i : -1;
        }
    }
    (void)pass_faces(side, at, INT64_MAX);
    side->n = list->n;
    side->revision = mesh->revision;
    return EW_OK;
}

ew_status contact_side_repeat(contact_side *side, const contact_side *other)
{
    const size_t n = (size_t)other->n, n_before = (size_t)other->n_before;
    begin(side);
    EW_TRY(reserve(side, other->n));
    for (size_t i = 0; i < n; i++) {
        const int32_t from = other->from[i];
        side->face[i] = other->face[i];
        side->from[i] = from;
        side->box[i] = from < 0 ? contact_box_of(&side->face[i], 0.0) : side->box_before[from];
    }
    for (size_t o = 0; o < n_before; o++) {
        side->to[o] = other->to[o];
    }
    side->n = other->n;
    return EW_OK;
}

static bool is_within(const contact_box *box, const contact_box *other)
{
    bool within = true;
    for (int c = 0; c < 3; c++) {
        within = within && other->low[c] <= box->low[c] && box->high[c] <= other->high[c];
    }
    return within;
}

/* Whether pairs by a face and its wider box are all that it may have by now. */
static bool serves(const contact_face *before, const contact_box *wide, const contact_face *now,
                   const contact_box *box)
{
    double turn = 0.0;
    for (int c = 0; c < 3; c++) {
        const double d = now->area[c] / sqrt(now->square) - before->area[c] / sqrt(before->square);
        turn += d * d;
    }
    return before->code == now->code && !memcmp(before->vertex, now->vertex, sizeof now->vertex) &&
           !memcmp(before->normal, now->normal, sizeof now->normal) &&
           before->place == now->place && turn <= CONTACT_TURN * CONTACT_TURN &&
           is_within(box, wide);
}

static contact_box widened(const contact_box *box, double skin)
{
    contact_box wide;
    for (int c = 0; c < 3; c++) {
        wide.low[c] = round_down(box->low[c] - skin);
        wide.high[c] = round_up(box->high[c] + skin);
    }
    return wide;
}

ew_status contact_side_follow(contact_side *side, const contact_side *other, double skin)
{
    int32_t at = 0;
    begin(side);
    EW_TRY(reserve(side, other->n));
    for (int32_t i = 0; i < other->n; i++) {
        const contact_face *face = &other->face[i];
        for (; at < side->n_before && side->before[at].code < face->code; at++) {
            side->to[at] = -1;
        }
        const bool same = at < side->n_before &&
                          serves(&side->before[at], &side->box_before[at], face, &other->box[i]);
        side->face[i] = same ? side->before[at] : *face;
        side->from[i] = same ? at : -1;
        side->box[i] = same ? side->box_before[at] : widened(&other->box[i], skin);
        if (same) {
            side->to[at++] = i;
        }
    }
    for (; at < side->n_before; at++) {
        side->to[at] = -1;
    }
    side->n = other->n;
    return EW_OK;
}

void contact_side_free(contact_side *side)
{
    ew_release(side->face);
    ew_release(side->before);
    ew_release(side->box);
    ew_release(side->box_before);
    ew_release(side->from);
    ew_release(side->to);
    ew_release(side->same_corners);
    ew_release(side->is_gone);
    *side = (contact_side){0};
}
