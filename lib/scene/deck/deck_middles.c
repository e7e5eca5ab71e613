/* Supports of a deck and the nodes in the middle of sides. In: nodes with the same support. Out:
 * those of them that one set of the case can have. A support on a set of vertices acts on sides
 * between them, too (analysis/edge_constraints.c): on those of faces of the boundary that are in
 * the set, without such faces on all. Where the deck leaves the middle of such a side free, its
 * ends stand in two sets. */
#include "scene/deck/deck.h"

#include "topology/parts/topology.h"

#include <string.h>

/* The sides of deck.middle by corners of a tet. */
static const int8_t side[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

struct deck_middles {
    deck_case *d;
    ew_list boundary;  /* face codes */
    bool *given, *has; /* [mesh.n_vertex] owned: in the set; of them those that stay in it */
    bool *is_lost;     /* [deck.n_node] owned: middles that are supported there, but not here */
    int32_t *apart;    /* [deck.n_node] owned: nodes that do not stay */
};

static bool has_middles(const deck_case *d)
{
    bool any = false;
    for (int32_t t = 0; t < d->mesh.n_tet && !any; t++) {
        any = d->deck.middle[t][0] >= 0;
    }
    return any;
}

static ew_status prepare(deck_middles *m)
{
    const ew_mesh *mesh = &m->d->mesh;
    ew_topology topology = {0};
    EW_TRY(ew_new_zero(&m->given, (size_t)mesh->n_vertex, sizeof *m->given));
    EW_TRY(ew_new_zero(&m->has, (size_t)mesh->n_vertex, sizeof *m->has));
    EW_TRY(ew_new_zero(&m->is_lost, (size_t)m->d->deck.n_node, sizeof *m->is_lost));
    EW_TRY(ew_new(&m->apart, (size_t)m->d->deck.n_node, sizeof *m->apart));
    ew_status status = ew_topology_build(&topology, mesh);
    status = status ? status : ew_topology_boundary(&topology, mesh, &m->boundary);
    ew_topology_free(&topology);
    return status;
}

ew_status deck_middles_begin(deck_case *d, deck_middles **middles)
{
    deck_middles *made = NULL;
    *middles = NULL;
    if (!has_middles(d)) {
        return EW_OK;
    }
    EW_TRY(ew_new_zero(&made, 1, sizeof *made));
    made->d = d;
    const ew_status status = prepare(made);
    if (status) {
        deck_middles_end(made);
        return status;
    }
    *middles = made;
    return EW_OK;
}

void deck_middles_end(deck_middles *m)
{
    if (!m) {
        return;
    }
    for (int32_t i = 0; m->is_lost && i < m->d->deck.n_node; i++) {
        m->d->n_lost_middle += m->is_lost[i];
    }
    ew_list_free(&m->boundary);
    ew_release(m->given);
    ew_release(m->has);
    ew_release(m->is_lost);
    ew_release(m->apart);
    ew_release(m);
}

static void side_of(const deck_middles *m, int32_t t, int edge, int32_t end[2], int32_t *node)
{
    for (int k = 0; k < 2; k++) {
        end[k] = m->d->slot[m->d->deck.tet[t][side[edge][k]]];
    }
    *node = m->d->deck.middle[t][edge];
}

static bool is_fixed(const deck_middles *m, int32_t node, int component)
{
    return m->d->fixed[3 * (size_t)node + (size_t)component].has;
}

/* An end of the side leaves the set where its middle is free. */
static bool part_ends(deck_middles *m, int component, const int32_t end[2], int32_t node)
{
    if (!m->has[end[0]] || !m->has[end[1]] || node < 0 || is_fixed(m, node, component)) {
        return false;
    }
    m->has[end[0] > end[1] ? end[0] : end[1]] = false;
    return true;
}

/* Sides of a face of the boundary, code; *whole: it is in the set. */
static bool part_face(deck_middles *m, int component, int32_t code, bool *whole)
{
    const int32_t t = code / 4, *tet = m->d->mesh.tet + 4 * (size_t)t;
    const int32_t opposite = tet[code % 4];
    bool parted = false;
    *whole = true;
    for (int k = 0; k < 4; k++) {
        *whole = *whole && (tet[k] == opposite || m->has[tet[k]]);
    }
    for (int e = 0; e < 6 && *whole && !parted; e++) {
        int32_t end[2], node;
        side_of(m, t, e, end, &node);
        if (end[0] != opposite && end[1] != opposite) {
            parted = part_ends(m, component, end, node);
        }
    }
    return parted;
}

/* Once over all sides that a support on the set would act on. */
static bool part_all(deck_middles *m, int component)
{
    bool any_face = false, parted = false;
    for (int32_t i = 0; i < m->boundary.n; i++) {
        bool whole;
        parted = part_face(m, component, m->boundary.id[i], &whole) || parted;
        any_face = any_face || whole;
    }
    for (int32_t i = 0; i < 6 * m->d->mesh.n_tet && !any_face; i++) {
        int32_t end[2], node;
        side_of(m, i / 6, i % 6, end, &node);
        parted = part_ends(m, component, end, node) || parted;
    }
    return parted;
}

static void mark_lost(deck_middles *m, int component)
{
    for (int32_t i = 0; i < 6 * m->d->mesh.n_tet; i++) {
        int32_t end[2], node;
        side_of(m, i / 6, i % 6, end, &node);
        if (node >= 0 && m->given[end[0]] && m->given[end[1]] && m->has[end[0]] != m->has[end[1]]) {
            m->is_lost[node] = m->is_lost[node] || is_fixed(m, node, component);
        }
    }
}

int32_t deck_middles_part(deck_middles *m, int component, int32_t n, int32_t *node)
{
    int32_t n_kept = 0, n_apart = 0;
    memset(m->given, 0, (size_t)m->d->mesh.n_vertex * sizeof *m->given);
    for (int32_t i = 0; i < n; i++) {
        m->given[m->d->slot[node[i]]] = true;
    }
    memcpy(m->has, m->given, (size_t)m->d->mesh.n_vertex * sizeof *m->has);
    while (part_all(m, component)) {
    }
    for (int32_t i = 0; i < n; i++) {
        if (m->has[m->d->slot[node[i]]]) {
            node[n_kept++] = node[i];
        } else {
            m->apart[n_apart++] = node[i];
        }
    }
    if (n_apart) {
        mark_lost(m, component);
        memcpy(node + n_kept, m->apart, (size_t)n_apart * sizeof *node);
    }
    return n_kept;
}
