/* Parts of a mesh under local modification. In: stars of vertices, as they are asked for; tets that
 * are added and removed. Out: the part as it stands.
 *
 * Chains of tets at vertices run through the tets themselves, so that nothing is allocated a
 * vertex. */
#include "operation/framework/local.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ew_status ew_local_init(ew_local *local, const ew_mesh *mesh, const ew_topology *topology)
{
    local->mesh = mesh;
    local->topology = topology;
    local->next_vertex = mesh->next_vertex_id;
    local->next_tet = mesh->next_tet_id;
    return EW_OK;
}

void ew_local_free(ew_local *local)
{
    ew_release(local->vertex);
    ew_release(local->tet);
    ew_release(local->face);
    ew_release(local->curve);
    ew_release(local->label_next);
    ew_map_free(&local->vertex_of);
    ew_map_free(&local->tet_of);
    ew_map_free(&local->face_of);
    ew_map_free(&local->label_of);
    ew_list_free(&local->near);
    ew_list_free(&local->star);
    ew_list_free(&local->work);
    memset(local, 0, sizeof *local);
}

/* ---- quality ------------------------------------------------------------ */

double ew_local_quality_of(const double *x0, const double *x1, const double *x2, const double *x3)
{
    double e[6][3], sum = 0.0;
    const double *x[4] = {x0, x1, x2, x3};
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < 3; i++) {
            e[k][i] = x[ew_edge_vertex[k][1]][i] - x[ew_edge_vertex[k][0]][i];
            sum += e[k][i] * e[k][i];
        }
    }
    const double volume = (e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
                           e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
                           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) /
                          6.0;
    const double root = cbrt(3.0 * fabs(volume));
    const double quality = sum > 0.0 ? 12.0 * root * root / sum : 0.0;
    return volume > 0.0 ? quality : -quality;
}

void ew_local_measure(ew_local *local, int32_t t)
{
    ew_local_tet *tet = &local->tet[t];
    const ew_local_vertex *v = local->vertex;
    tet->quality =
        ew_local_quality_of(v[tet->v[0]].x, v[tet->v[1]].x, v[tet->v[2]].x, v[tet->v[3]].x);
}

bool ew_local_has_moved(const ew_local *local, int32_t t)
{
    bool moved = false;
    for (int k = 0; k < 4; k++) {
        const ew_local_vertex *v = &local->vertex[local->tet[t].v[k]];
        moved = moved || v->slot < 0 ||
                memcmp(v->x, local->mesh->xyz + 3 * (size_t)v->slot, sizeof v->x) != 0;
    }
    return moved;
}

void ew_local_move(ew_local *local, int32_t vertex, const double x[3])
{
    memcpy(local->vertex[vertex].x, x, 3 * sizeof *x);
    local->clock++;
    for (int32_t c = local->vertex[vertex].first; c >= 0; c = local->tet[c / 4].next[c % 4]) {
        ew_local_measure(local, c / 4);
        for (int k = 0; k < 4; k++) {
            local->vertex[local->tet[c / 4].v[k]].changed = local->clock;
        }
    }
}

double ew_local_min_quality(const ew_local *local, int32_t vertex)
{
    double least = INFINITY;
    for (int32_t c = local->vertex[vertex].first; c >= 0; c = local->tet[c / 4].next[c % 4]) {
        least = fmin(least, local->tet[c / 4].quality);
    }
    return least;
}

/* ---- chains ------------------------------------------------------------- */

static void link_tet(ew_local *local, int32_t t)
{
    local->clock++;
    for (int k = 0; k < 4; k++) {
        ew_local_vertex *v = &local->vertex[local->tet[t].v[k]];
        local->tet[t].next[k] = v->first;
        v->first = 4 * t + k;
        v->changed = local->clock;
        v->n_tet++;
    }
}

void ew_local_remove_tet(ew_local *local, int32_t t)
{
    for (int k = 0; k < 4; k++) {
        ew_local_vertex *v = &local->vertex[local->tet[t].v[k]];
        int32_t *at = &v->first;
        while (*at != 4 * t + k) {
            EW_ASSERT(*at >= 0);
            at = &local->tet[*at / 4].next[*at % 4];
        }
        *at = local->tet[t].next[k];
        v->changed = local->clock;
        v->n_tet--;
    }
    local->tet[t].v[0] = -1;
}

ew_status ew_local_add_tet(ew_local *local, const int32_t v[4], const int32_t face[4], int32_t like,
                           int32_t *t)
{
    EW_TRY(
        ew_grow(&local->tet, &local->tet_capacity, (int64_t)local->n_tet + 1, sizeof *local->tet));
    const ew_local_tet *of = &local->tet[like];
    ew_local_tet *made = &local->tet[local->n_tet];
    *made = (ew_local_tet){.slot = -1,
                           .from = of->from,
                           .region = of->region,
                           .side = of->side,
                           .name = local->next_tet++};
    memcpy(made->v, v, 4 * sizeof *v);
    memcpy(made->face, face, 4 * sizeof *face);
    *t = local->n_tet++;
    link_tet(local, *t);
    ew_local_measure(local, *t);
    return EW_OK;
}

static bool has_corners(const ew_local_tet *tet, int32_t a, int32_t b, int32_t c)
{
    return ew_local_corner(tet, a) >= 0 && ew_local_corner(tet, b) >= 0 &&
           ew_local_corner(tet, c) >= 0;
}

int32_t ew_local_across(const ew_local *local, int32_t t, int corner, int *other)
{
    const ew_local_tet *tet = &local->tet[t];
    const int32_t a = tet->v[ew_face_vertex[corner][0]], b = tet->v[ew_face_vertex[corner][1]];
    const int32_t c = tet->v[ew_face_vertex[corner][2]];
    const int32_t at = local->vertex[a].is_open ? a : local->vertex[b].is_open ? b : c;
    for (int32_t k = local->vertex[at].first; k >= 0; k = local->tet[k / 4].next[k % 4]) {
        const ew_local_tet *near = &local->tet[k / 4];
        if (k / 4 != t && has_corners(near, a, b, c)) {
            for (int i = 0; i < 4; i++) {
                if (near->v[i] != a && near->v[i] != b && near->v[i] != c) {
                    *other = i;
                }
            }
            return k / 4;
        }
    }
    return -1;
}

/* ---- marked faces ------------------------------------------------------- */

/* Labeled triangles by their corners, whether they still are faces or not. One face may have more
 * than one, each with its label. */
static ew_status enter_labels(ew_local *local)
{
    const ew_mesh *mesh = local->mesh;
    EW_TRY(ew_new(&local->label_next, (size_t)mesh->n_face, sizeof *local->label_next));
    for (int32_t f = mesh->n_face - 1; f >= 0; f--) {
        int32_t v[3], old;
        local->label_next[f] = -1;
        if (!ew_mesh_face_is_kept(mesh, f)) {
            continue;
        }
        memcpy(v, mesh->face + 3 * (size_t)f, sizeof v);
        ew_sort_three(v);
        EW_TRY(ew_map_enter(&local->label_of, v[0], v[1], v[2], f, &old));
        if (old >= 0) {
            local->label_next[f] = local->label_next[old];
            local->label_next[old] = f;
        }
    }
    local->has_labels = true;
    return EW_OK;
}

/* The record of a face of the mesh; -1: it needs none. */
static ew_status find_record(ew_local *local, int32_t slot, int k, int32_t *record)
{
    const ew_mesh *mesh = local->mesh;
    const int32_t beyond = ew_topology_face_neighbor(local->topology, mesh, 4 * slot + k);
    int32_t v[3], old;
    for (int i = 0; i < 3; i++) {
        v[i] = mesh->tet[4 * (size_t)slot + (size_t)ew_face_vertex[k][i]];
    }
    ew_sort_three(v);
    const int32_t triangle = ew_map_find(&local->label_of, v[0], v[1], v[2]);
    *record = -1;
    if (beyond >= 0 && triangle < 0 && mesh->region[slot] == mesh->region[beyond]) {
        return EW_OK;
    }
    EW_TRY(ew_map_enter(&local->face_of, v[0], v[1], v[2], local->n_face, &old));
    *record = old >= 0 ? old : local->n_face;
    if (old >= 0) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&local->face, &local->face_capacity, (int64_t)local->n_face + 1,
                   sizeof *local->face));
    local->face[local->n_face++] = (ew_local_face){
        .corner = {v[0], v[1], v[2]}, .triangle = triangle, .is_boundary = beyond < 0};
    return EW_OK;
}

ew_status ew_local_cut_record(ew_local *local, int32_t label, bool is_boundary, int32_t *record)
{
    EW_TRY(ew_grow(&local->face, &local->face_capacity, (int64_t)local->n_face + 1,
                   sizeof *local->face));
    *record = local->n_face;
    local->face[local->n_face++] = (ew_local_face){.corner = {-1, -1, -1},
                                                   .triangle = -1,
                                                   .label = label,
                                                   .is_boundary = is_boundary,
                                                   .is_cut = true};
    return EW_OK;
}

ew_status ew_local_add_curve(ew_local *local, int32_t a, int32_t b, const double curve[3])
{
    EW_TRY(ew_grow(&local->curve, &local->curve_capacity, (int64_t)local->n_curve + 1,
                   sizeof *local->curve));
    ew_local_curve *made = &local->curve[local->n_curve++];
    *made = (ew_local_curve){.a = a, .b = b};
    memcpy(made->curve, curve, sizeof made->curve);
    return EW_OK;
}

/* Both lists have the order of the triangles. */
bool ew_local_same_face(const ew_local *local, int32_t record, int32_t other)
{
    const ew_local_face *a = &local->face[record], *b = &local->face[other];
    const int32_t *label = local->mesh->face_label;
    int32_t i = a->triangle, k = b->triangle;
    while (i >= 0 && k >= 0 && label[i] == label[k]) {
        i = local->label_next[i];
        k = local->label_next[k];
    }
    return record == other || (a->is_boundary == b->is_boundary && a->is_cut == b->is_cut &&
                               a->patch == b->patch && a->label == b->label && i < 0 && k < 0);
}

/* ---- what comes in ------------------------------------------------------ */

ew_status ew_local_enter(ew_local *local, int32_t slot, int32_t *vertex)
{
    *vertex = ew_map_find(&local->vertex_of, slot, -1, -1);
    if (*vertex >= 0) {
        return EW_OK;
    }
    int32_t old;
    const ew_mesh *mesh = local->mesh;
    EW_TRY(ew_grow(&local->vertex, &local->vertex_capacity, (int64_t)local->n_vertex + 1,
                   sizeof *local->vertex));
    EW_TRY(ew_map_enter(&local->vertex_of, slot, -1, -1, local->n_vertex, &old));
    ew_local_vertex *made = &local->vertex[local->n_vertex];
    *made = (ew_local_vertex){
        .slot = slot, .name = mesh->vertex_id[slot], .first = -1, .parent = {-1, -1}, .ring = -1};
    memcpy(made->x, mesh->xyz + 3 * (size_t)slot, sizeof made->x);
    *vertex = local->n_vertex++;
    return EW_OK;
}

static ew_status enter_tet(ew_local *local, int32_t slot)
{
    const ew_mesh *mesh = local->mesh;
    int32_t old;
    EW_TRY(ew_map_enter(&local->tet_of, slot, -1, -1, local->n_tet, &old));
    if (old >= 0) {
        return EW_OK;
    }
    EW_TRY(
        ew_grow(&local->tet, &local->tet_capacity, (int64_t)local->n_tet + 1, sizeof *local->tet));
    ew_local_tet *tet = &local->tet[local->n_tet];
    *tet = (ew_local_tet){
        .slot = slot, .from = slot, .region = mesh->region[slot], .name = mesh->tet_id[slot]};
    for (int k = 0; k < 4; k++) {
        EW_TRY(ew_local_enter(local, mesh->tet[4 * (size_t)slot + (size_t)k], &tet->v[k]));
        EW_TRY(find_record(local, slot, k, &tet->face[k]));
    }
    link_tet(local, local->n_tet);
    ew_local_measure(local, local->n_tet);
    local->n_tet++;
    return EW_OK;
}

ew_status ew_local_open(ew_local *local, int32_t vertex)
{
    const int32_t slot = local->vertex[vertex].slot;
    const ew_rows *rows = &local->topology->vertex_to_tet;
    if (local->vertex[vertex].is_open) {
        return EW_OK;
    }
    EW_TRY(local->has_labels ? EW_OK : enter_labels(local));
    for (int32_t i = 0; i < rows->count[slot]; i++) {
        EW_TRY(enter_tet(local, rows->item[rows->begin[slot] + i]));
    }
    local->vertex[vertex].is_open = true;
    return EW_OK;
}

/* ---- stars -------------------------------------------------------------- */

/* Insertion keeps short lists in the order of names. */
ew_status ew_local_star(ew_local *local, int32_t vertex)
{
    ew_list *star = &local->star;
    star->n = 0;
    for (int32_t c = local->vertex[vertex].first; c >= 0; c = local->tet[c / 4].next[c % 4]) {
        EW_TRY(ew_list_push(star, c / 4));
        int32_t k = star->n - 1;
        for (; k > 0 && local->tet[star->id[k - 1]].name > local->tet[c / 4].name; k--) {
            star->id[k] = star->id[k - 1];
        }
        star->id[k] = c / 4;
    }
    return EW_OK;
}

ew_status ew_local_neighbors(ew_local *local, int32_t vertex)
{
    ew_list *near = &local->near;
    const int32_t stamp = ++local->stamp;
    near->n = 0;
    local->vertex[vertex].stamp = stamp;
    for (int32_t c = local->vertex[vertex].first; c >= 0; c = local->tet[c / 4].next[c % 4]) {
        for (int i = 0; i < 4; i++) {
            const int32_t v = local->tet[c / 4].v[i];
            if (local->vertex[v].stamp == stamp) {
                continue;
            }
            local->vertex[v].stamp = stamp;
            EW_TRY(ew_list_push(near, v));
            int32_t k = near->n - 1;
            for (; k > 0 && local->vertex[near->id[k - 1]].name > local->vertex[v].name; k--) {
                near->id[k] = near->id[k - 1];
            }
            near->id[k] = v;
        }
    }
    return EW_OK;
}

ew_status ew_local_size(ew_local *local, int32_t vertex, double *size)
{
    EW_TRY(ew_local_neighbors(local, vertex));
    double sum = 0.0;
    for (int32_t i = 0; i < local->near.n; i++) {
        const double *x = local->vertex[local->near.id[i]].x, *y = local->vertex[vertex].x;
        sum += sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) +
                    (x[2] - y[2]) * (x[2] - y[2]));
    }
    *size = local->near.n ? sum / local->near.n : 0.0;
    return EW_OK;
}

/* ---- splitting ---------------------------------------------------------- */

static ew_status add_middle(ew_local *local, int32_t a, int32_t b, const double x[3],
                            double fraction, int32_t *middle)
{
    EW_TRY(ew_grow(&local->vertex, &local->vertex_capacity, (int64_t)local->n_vertex + 1,
                   sizeof *local->vertex));
    ew_local_vertex *made = &local->vertex[local->n_vertex];
    *made = (ew_local_vertex){.slot = -1,
                              .name = local->next_vertex++,
                              .first = -1,
                              .parent = {a, b},
                              .fraction = fraction,
                              .is_open = true};
    memcpy(made->x, x, sizeof made->x);
    *middle = local->n_vertex++;
    return EW_OK;
}

ew_status ew_local_copy(ew_local *local, int32_t vertex, int32_t *copy)
{
    const ew_local_vertex of = local->vertex[vertex];
    EW_TRY(add_middle(local, vertex, vertex, of.x, 0.5, copy));
    local->vertex[*copy].ring = of.ring;
    local->vertex[*copy].sign = of.sign;
    return EW_OK;
}

/* Each tet around the edge becomes two; faces on the edge are cut with their records. */
ew_status ew_local_split(ew_local *local, int32_t a, int32_t b, const double x[3], double fraction,
                         int32_t *middle)
{
    EW_TRY(add_middle(local, a, b, x, fraction, middle));
    EW_TRY(ew_local_star(local, a));
    for (int32_t i = 0; i < local->star.n; i++) {
        const int32_t t = local->star.id[i];
        const ew_local_tet old = local->tet[t];
        const int ia = ew_local_corner(&old, a), ib = ew_local_corner(&old, b);
        if (ib < 0) {
            continue;
        }
        for (int side = 0; side < 2; side++) {
            int32_t v[4], face[4], part;
            memcpy(v, old.v, sizeof v);
            memcpy(face, old.face, sizeof face);
            v[side ? ia : ib] = *middle;
            face[side ? ib : ia] = -1;
            EW_TRY(ew_local_add_tet(local, v, face, t, &part));
        }
        ew_local_remove_tet(local, t);
    }
    return EW_OK;
}
