/* Tets of ten nodes as images of straight ones. In: a part of a mesh. Out: where points of the
 * straight tets lie in the curved ones, in the body, on its faces and on its sharp edges. */
#include "operation/cut/curved_body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RINGS = 4 };

static double length_of(const double *a, const double *b)
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* ---- one tet -------------------------------------------------------------------- */

static const double *curve_of(const ew_mesh *mesh, int32_t slot, int e)
{
    const int32_t *v = mesh->tet + 4 * (size_t)slot;
    return ew_mesh_curve(mesh, mesh->vertex_id[v[ew_edge_vertex[e][0]]],
                         mesh->vertex_id[v[ew_edge_vertex[e][1]]]);
}

bool ew_curved_tet(const ew_mesh *mesh, int32_t slot)
{
    bool curved = false;
    for (int e = 0; e < 6 && !curved; e++) {
        const double *c = curve_of(mesh, slot, e);
        curved = c && (c[0] != 0.0 || c[1] != 0.0 || c[2] != 0.0);
    }
    return curved;
}

/* Weights of p, not below zero. */
static void find_weights(const ew_mesh *mesh, int32_t slot, const double p[3], double weight[4])
{
    const double *corner[4];
    double sum = 0.0;
    ew_tet_corners(mesh, slot, corner);
    for (int i = 0; i < 4; i++) {
        const double *of[4] = {corner[0], corner[1], corner[2], corner[3]};
        of[i] = p;
        weight[i] = fmax(ew_tet_volume(of[0], of[1], of[2], of[3]), 0.0);
        sum += weight[i];
    }
    for (int i = 0; i < 4; i++) {
        weight[i] = sum > 0.0 ? weight[i] / sum : 0.25;
    }
}

/* x = p + what the curves of the tet add there. */
static void map_place(const ew_mesh *mesh, ew_curved_place *place)
{
    memcpy(place->x, place->p, sizeof place->x);
    for (int e = 0; e < 6; e++) {
        const double *c = curve_of(mesh, place->tet, e);
        const double by =
            4.0 * place->weight[ew_edge_vertex[e][0]] * place->weight[ew_edge_vertex[e][1]];
        for (int i = 0; i < 3 && c; i++) {
            place->x[i] += by * c[i];
        }
    }
}

/* Of the weight of corner k, by the place: the normal of the face across, inwards, over the height.
 */
static void gradient_of(const double *const x[4], int k, double g[3])
{
    const int8_t *f = ew_face_vertex[k];
    const double *a = x[f[0]], *b = x[f[1]], *c = x[f[2]];
    double volume = 0.0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        g[i] = (b[j] - a[j]) * (c[l] - a[l]) - (b[l] - a[l]) * (c[j] - a[j]);
        volume += g[i] * (x[k][i] - a[i]);
    }
    for (int i = 0; i < 3; i++) {
        g[i] /= volume;
    }
}

void ew_curved_pull(const ew_curved_body *body, const ew_curved_place *place, double g[3])
{
    const double *corner[4];
    double of[4][3], by[3] = {g[0], g[1], g[2]};
    ew_tet_corners(body->mesh, place->tet, corner);
    for (int k = 0; k < 4; k++) {
        gradient_of(corner, k, of[k]);
    }
    for (int e = 0; e < 6; e++) {
        const double *c = curve_of(body->mesh, place->tet, e);
        const int a = ew_edge_vertex[e][0], b = ew_edge_vertex[e][1];
        const double along = c ? 4.0 * (c[0] * by[0] + c[1] * by[1] + c[2] * by[2]) : 0.0;
        for (int i = 0; i < 3 && c; i++) {
            g[i] += along * (place->weight[b] * of[a][i] + place->weight[a] * of[b][i]);
        }
    }
}

/* ---- faces of a side --------------------------------------------------------------- */

/* From flat, radians: of the faces with tips c and d on the side a-b. */
static double bend(const double *a, const double *b, const double *c, const double *d)
{
    double n[2][3], cross = 0.0, dot = 0.0;
    for (int k = 0; k < 2; k++) {
        const double *tip = k ? d : c;
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, l = (i + 2) % 3;
            n[k][i] = (b[j] - a[j]) * (tip[l] - a[l]) - (b[l] - a[l]) * (tip[j] - a[j]);
        }
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        const double w = n[0][j] * n[1][l] - n[0][l] * n[1][j];
        cross += w * w;
        dot -= n[0][i] * n[1][i];
    }
    return atan2(sqrt(cross), dot);
}

static void note_cut(const ew_local *local, int32_t record, int32_t cut[2])
{
    if (cut[0] < 0) {
        cut[0] = record;
    } else if (ew_local_shape(local, record) != ew_local_shape(local, cut[0])) {
        cut[1] = record;
    }
}

ew_side_faces ew_faces_of_side(const ew_local *local, int32_t a, int32_t b)
{
    ew_side_faces faces = {.record = -1, .cut = {-1, -1}};
    const ew_local_vertex *v = local->vertex;
    int32_t tip[2] = {-1, -1}, other = -1;
    const int32_t from = v[a].n_tet <= v[b].n_tet ? a : b, to = a + b - from;
    for (int32_t c = v[from].first; c >= 0; c = local->tet[c / 4].next[c % 4]) {
        const ew_local_tet *tet = &local->tet[c / 4];
        const int at = ew_local_corner(tet, to);
        for (int k = 0; k < 4 && at >= 0; k++) {
            if (k == at || k == c % 4 || tet->face[k] < 0) {
                continue;
            }
            const int32_t third = tet->v[6 - at - c % 4 - k], record = tet->face[k];
            if (local->face[record].is_cut) {
                faces.is_cut = true;
                note_cut(local, record, faces.cut);
            } else if (third != tip[0] && third != tip[1]) {
                other = faces.n == 1 ? record : other;
                faces.record = faces.n == 0 ? record : faces.record;
                tip[faces.n < 2 ? faces.n : 1] = third;
                faces.n++;
            }
        }
    }
    faces.is_sharp =
        (faces.n == 1 && !faces.is_cut) || faces.n > 2 ||
        (faces.n == 2 && (!ew_local_same_face(local, faces.record, other) ||
                          !(bend(v[a].x, v[b].x, v[tip[0]].x, v[tip[1]].x) < EW_LOCAL_FEATURE)));
    return faces;
}

/* ---- the part ------------------------------------------------------------------------ */

static void set_ball(const ew_mesh *mesh, ew_curved_part *part)
{
    const int n = part->v[2] < 0 ? 2 : 3;
    for (int i = 0; i < 3 * n; i++) {
        part->center[i % 3] += mesh->xyz[3 * (size_t)part->v[i / 3] + (size_t)(i % 3)] / n;
    }
    for (int k = 0; k < n; k++) {
        const double *x = mesh->xyz + 3 * (size_t)part->v[k];
        part->radius =
            fmax(part->radius, hypot(hypot(x[0] - part->center[0], x[1] - part->center[1]),
                                     x[2] - part->center[2]) *
                                   (1.0 + 1e-12));
    }
}

static ew_status add_part(const ew_mesh *mesh, ew_curved_parts *parts, ew_curved_part *part)
{
    set_ball(mesh, part);
    EW_TRY(ew_grow(&parts->item, &parts->capacity, (int64_t)parts->n + 1, sizeof *part));
    parts->item[parts->n++] = *part;
    parts->radius = fmax(parts->radius, part->radius);
    return EW_OK;
}

static ew_status add_face(ew_curved_body *body, int32_t t, int k)
{
    const ew_local_tet *tet = &body->old.tet[t];
    const ew_local_face *record = &body->old.face[tet->face[k]];
    ew_curved_part face = {
        .tet = tet->slot, .triangle = record->triangle, .is_boundary = record->is_boundary};
    for (int i = 0; i < 3; i++) {
        face.v[i] = body->old.vertex[tet->v[ew_face_vertex[k][i]]].slot;
    }
    return add_part(body->mesh, &body->face, &face);
}

static ew_status add_edge(ew_curved_body *body, int32_t t, int32_t a, int32_t b)
{
    const ew_local *old = &body->old;
    const ew_side_faces faces = ew_faces_of_side(old, a, b);
    ew_curved_part edge = {.v = {old->vertex[a].slot, old->vertex[b].slot, -1},
                           .tet = old->tet[t].slot};
    return faces.n && faces.is_sharp ? add_part(body->mesh, &body->edge, &edge) : EW_OK;
}

/* No two have the same center. */
static int by_center(const void *left, const void *right)
{
    const double *x = ((const ew_curved_part *)left)->center;
    const double *y = ((const ew_curved_part *)right)->center;
    for (int i = 0; i < 2; i++) {
        if (x[i] != y[i]) {
            return x[i] < y[i] ? -1 : 1;
        }
    }
    return (x[2] > y[2]) - (x[2] < y[2]);
}

static void sort_parts(ew_curved_parts *parts)
{
    if (parts->n) {
        qsort(parts->item, (size_t)parts->n, sizeof *parts->item, by_center);
    }
}

/* Each once. */
static ew_status list_parts(ew_curved_body *body)
{
    const ew_local *old = &body->old;
    ew_map seen = {0};
    ew_status status = EW_OK;
    for (int32_t i = 0; i < 4 * old->n_tet && !status; i++) {
        const int32_t t = i / 4, record = old->tet[t].face[i % 4];
        int other;
        if (record < 0) {
            continue;
        }
        const int8_t *f = ew_face_vertex[i % 4];
        const int32_t beyond = ew_local_across(old, t, i % 4, &other);
        status = beyond >= 0 && beyond < t ? EW_OK : add_face(body, t, i % 4);
        for (int k = 0; k < 3 && !status; k++) {
            const int32_t a = old->tet[t].v[f[k]], b = old->tet[t].v[f[(k + 1) % 3]];
            int32_t before;
            if (!old->vertex[a].is_open || !old->vertex[b].is_open) {
                continue;
            }
            status = ew_map_enter(&seen, a < b ? a : b, a < b ? b : a, -1, 0, &before);
            status = status || before >= 0 ? status : add_edge(body, t, a, b);
        }
    }
    ew_map_free(&seen);
    return status;
}

static void find_size(ew_curved_body *body)
{
    double sum = 0.0;
    for (int32_t i = 0; i < 6 * body->part.tet.n; i++) {
        const double *x[4];
        ew_tet_corners(body->mesh, body->part.tet.id[i / 6], x);
        sum += length_of(x[ew_edge_vertex[i % 6][0]], x[ew_edge_vertex[i % 6][1]]);
    }
    body->size = body->part.tet.n ? sum / (6.0 * body->part.tet.n) : 0.0;
}

static int by_id(const void *left, const void *right)
{
    const ew_keyed *x = left, *y = right;
    return (x->name > y->name) - (x->name < y->name);
}

static ew_status list_tets(ew_curved_body *body)
{
    const ew_mesh *mesh = body->mesh;
    const int32_t n = body->old.n_tet;
    ew_keyed *list;
    ew_status status = EW_OK;
    body->part.mesh = mesh;
    body->part.topology = body->old.topology;
    EW_TRY(ew_new(&body->part_of, (size_t)mesh->n_tet, sizeof *body->part_of));
    EW_TRY(ew_new(&list, (size_t)n, sizeof *list));
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        body->part_of[t] = -1;
    }
    for (int32_t i = 0; i < n; i++) {
        const int32_t slot = body->old.tet[i].slot;
        list[i] = (ew_keyed){0.0, mesh->tet_id[slot], slot};
        body->part_of[slot] = 0;
    }
    qsort(list, (size_t)n, sizeof *list, by_id);
    for (int32_t i = 0; i < n && !status; i++) {
        status = ew_list_push(&body->part.tet, list[i].slot);
    }
    ew_release(list);
    return status ? status : ew_locator_init(&body->locator, &body->part, body->part_of, 0);
}

ew_status ew_curved_body_init(ew_curved_body *body, const ew_local *local)
{
    body->mesh = local->mesh;
    EW_TRY(ew_local_init(&body->old, local->mesh, local->topology));
    for (int32_t v = 0; v < local->n_vertex; v++) {
        int32_t vertex;
        EW_TRY(ew_local_enter(&body->old, local->vertex[v].slot, &vertex));
    }
    for (int ring = 0; ring < RINGS; ring++) {
        const int32_t n = body->old.n_vertex;
        for (int32_t v = 0; v < n; v++) {
            EW_TRY(ew_local_open(&body->old, v));
        }
    }
    EW_TRY(list_tets(body));
    find_size(body);
    EW_TRY(list_parts(body));
    sort_parts(&body->face);
    sort_parts(&body->edge);
    return EW_OK;
}

void ew_curved_body_free(ew_curved_body *body)
{
    ew_local_free(&body->old);
    ew_locator_free(&body->locator);
    ew_remesh_part_free(&body->part);
    ew_release(body->part_of);
    ew_release(body->face.item);
    ew_release(body->edge.item);
    memset(body, 0, sizeof *body);
}

/* ---- places --------------------------------------------------------------------------- */

static bool is_like(const ew_local *local, int32_t like, const ew_curved_part *face)
{
    const int32_t *label = local->mesh->face_label;
    int32_t i = local->face[like].triangle, k = face->triangle;
    while (i >= 0 && k >= 0 && label[i] == label[k]) {
        i = local->label_next[i];
        k = local->label_next[k];
    }
    return local->face[like].is_boundary == face->is_boundary && i < 0 && k < 0;
}

/* The nearest point to p so far. */
typedef struct nearest {
    const ew_curved_part *part;
    double off, q[3];
} nearest;

static void look_at(const ew_mesh *mesh, const ew_curved_part *part, const double p[3],
                    nearest *found)
{
    double at[3];
    const double *xyz = mesh->xyz;
    ew_local_nearest(p, xyz + 3 * (size_t)part->v[0], xyz + 3 * (size_t)part->v[1],
                     xyz + 3 * (size_t)part->v[part->v[2] < 0 ? 1 : 2], at);
    const double off = length_of(p, at);
    if (off < found->off) {
        *found = (nearest){.part = part, .off = off};
        memcpy(found->q, at, sizeof at);
    }
}

/* From those beside p along x to both sides, as long as one may be nearer. part: null: there is
 * none. local: or null, for all. */
static nearest nearest_of(const ew_curved_body *body, const ew_curved_parts *parts,
                          const double p[3], const ew_local *local, int32_t like)
{
    nearest found = {.off = INFINITY};
    int32_t at[2], low = 0, high = parts->n;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (parts->item[middle].center[0] < p[0]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    at[0] = low - 1;
    at[1] = low;
    for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < 2; k++) {
            const ew_curved_part *part =
                at[k] >= 0 && at[k] < parts->n ? &parts->item[at[k]] : NULL;
            if (!part || fabs(part->center[0] - p[0]) - parts->radius >= found.off) {
                continue;
            }
            more = true;
            at[k] += k ? 1 : -1;
            if (length_of(p, part->center) - part->radius < found.off &&
                (!local || is_like(local, like, part))) {
                look_at(body->mesh, part, p, &found);
            }
        }
    }
    return found;
}

/* Weights of corners that the face or edge lacks are zero. */
static void keep_on(const ew_mesh *mesh, const ew_curved_part *part, ew_curved_place *place)
{
    const int32_t *v = mesh->tet + 4 * (size_t)part->tet;
    double sum = 0.0, length = 0.0;
    for (int k = 0; k < 4; k++) {
        const bool has = v[k] == part->v[0] || v[k] == part->v[1] || v[k] == part->v[2];
        place->weight[k] = has ? place->weight[k] : 0.0;
        sum += place->weight[k];
    }
    for (int k = 0; k < 4; k++) {
        place->weight[k] /= sum;
    }
    const double *a = mesh->xyz + 3 * (size_t)part->v[0], *b = mesh->xyz + 3 * (size_t)part->v[1];
    const double *c = part->v[2] < 0 ? NULL : mesh->xyz + 3 * (size_t)part->v[2];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        place->normal[i] =
            c ? (b[j] - a[j]) * (c[l] - a[l]) - (b[l] - a[l]) * (c[j] - a[j]) : b[i] - a[i];
        length += place->normal[i] * place->normal[i];
    }
    for (int i = 0; i < 3; i++) {
        place->normal[i] /= sqrt(length);
    }
}

void ew_curved_find(const ew_curved_body *body, const double p[3], ew_curved_hold hold,
                    const ew_local *local, int32_t like, ew_curved_place *place)
{
    const nearest found = hold == EW_HOLD_EDGE   ? nearest_of(body, &body->edge, p, NULL, -1)
                          : hold == EW_HOLD_FACE ? nearest_of(body, &body->face, p, local, like)
                                                 : (nearest){.part = NULL};
    memcpy(place->p, found.part ? found.q : p, sizeof place->p);
    if (found.part) {
        place->tet = found.part->tet;
        find_weights(body->mesh, place->tet, place->p, place->weight);
        keep_on(body->mesh, found.part, place);
    } else {
        place->tet = ew_locate(&body->locator, p, place->weight);
    }
    map_place(body->mesh, place);
}

bool ew_curved_on_edge(const ew_curved_body *body, const double p[3], double tolerance)
{
    return nearest_of(body, &body->edge, p, NULL, -1).off <= tolerance;
}
