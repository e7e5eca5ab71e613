/* The component check, kept from edit to edit. In: a proof for the mesh before an edit, and the
 * edit. Out: the proof for the mesh after it, or none.
 *
 * The proof: every component has witnesses, each with a tet of the component at it (its anchor),
 * whose constraints alone fix a rigid body. It stands when
 *   (a) the tets that stay of each old component are connected as before. Removed tets form
 *       clusters (connected through faces); it is enough that around each cluster the tets next to
 *       it still reach one another, for a path through the cluster can then go around it;
 *   (b) every added tet reaches a tet that was there before, so no component is new;
 *   (c) the anchors are there, or others in the same component take their place.
 * Components that become one are no trouble.
 *
 * (a) is looked for around the edges of removed tets first. What this leaves, and (b), is searched
 * for breadth first from the tets next to clusters and the added ones, all at once. Two partitions
 * of these sources are kept: `set`, by the paths found, and `joint`, by paths or clusters. When
 * both have as many classes, every cluster lies within one class of paths.
 */
#include "analysis/check/components.h"

#include <math.h>
#include <string.h>

typedef struct tracing {
    ew_support *support;
    const ew_mesh *mesh;
    const ew_topology *topology;
    const ew_change *change;
    int32_t n_source;                 /* the first nodes: added tets, then tets next to clusters */
    int32_t n_set, n_joint, n_orphan; /* classes; classes by paths without an old tet */
    int32_t max;                      /* nodes */
} tracing;

void ew_support_free(ew_support *support)
{
    ew_release(support->component);
    ew_map_free(&support->search.tet);
    ew_map_free(&support->search.face);
    ew_release(support->search.label);
    ew_release(support->search.set);
    ew_release(support->search.joint);
    ew_release(support->search.cluster);
    ew_release(support->search.first);
    ew_release(support->search.neighbor);
    ew_release(support->search.old);
    ew_release(support->search.split);
    *support = (ew_support){0};
}

/* ---- classes ----------------------------------------------------------- */

static int32_t find_root(int32_t *parent, int32_t i)
{
    while (parent[i] != i) {
        i = parent[i] = parent[parent[i]];
    }
    return i;
}

static bool unite(int32_t *parent, int32_t i, int32_t k)
{
    i = find_root(parent, i);
    k = find_root(parent, k);
    parent[i < k ? k : i] = i < k ? i : k;
    return i != k;
}

/* A path leads from source i to source k. */
static void connect(tracing *in, int32_t i, int32_t k)
{
    int32_t *set = in->support->search.set, *joint = in->support->search.joint;
    bool *old = in->support->search.old, *split = in->support->search.split;
    int32_t a = find_root(set, i), b = find_root(set, k);
    if (a != b) {
        in->n_orphan -= !(old[a] && old[b]);
        old[a] = old[b] = old[a] || old[b];
        unite(set, a, b);
        in->n_set--;
        const bool any = split[find_root(joint, i)] || split[find_root(joint, k)];
        in->n_joint -= unite(joint, i, k);
        split[find_root(joint, i)] = any;
    }
}

/* ---- sources ----------------------------------------------------------- */

/* Enters a tet as a node with the label of its source; -1 for a new source. *node: its place. */
static ew_status enter_node(tracing *in, int32_t tet, int32_t source, int32_t *node, bool *is_new)
{
    ew_support *support = in->support;
    int32_t n = support->search.tet.n, found;
    EW_TRY(ew_grow(&support->search.label, &support->search.label_capacity, (int64_t)n + 1,
                   sizeof *support->search.label));
    EW_TRY(ew_map_enter(&support->search.tet, tet, -1, -1, n, &found));
    *is_new = found < 0;
    *node = found < 0 ? n : found;
    if (found < 0) {
        support->search.label[n] = source < 0 ? n : source;
    }
    return EW_OK;
}

static ew_status enter_source(tracing *in, int32_t tet, bool old, int32_t *node)
{
    ew_support *support = in->support;
    bool is_new;
    EW_TRY(enter_node(in, tet, -1, node, &is_new));
    if (is_new) {
        int64_t n = (int64_t)*node + 1;
        EW_TRY(ew_grow(&support->search.set, &support->search.set_capacity, n, sizeof(int32_t)));
        EW_TRY(
            ew_grow(&support->search.joint, &support->search.joint_capacity, n, sizeof(int32_t)));
        EW_TRY(ew_grow(&support->search.old, &support->search.old_capacity, n, sizeof(bool)));
        EW_TRY(ew_grow(&support->search.split, &support->search.split_capacity, n, sizeof(bool)));
        support->search.set[*node] = support->search.joint[*node] = *node;
        support->search.old[*node] = old;
        support->search.split[*node] = false;
        in->n_source = (int32_t)n;
        in->n_set++;
        in->n_joint++;
        in->n_orphan += !old;
    }
    return EW_OK;
}

static void sorted_corners(const int32_t tet[4], int face, int32_t key[3])
{
    int32_t a = tet[ew_face_vertex[face][0]], b = tet[ew_face_vertex[face][1]];
    int32_t c = tet[ew_face_vertex[face][2]];
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    key[0] = c < low ? c : low;
    key[1] = c < low ? low : c < high ? c : high;
    key[2] = c < high ? high : c;
}

/* Removed tets that share a face are of one cluster. */
static ew_status find_clusters(tracing *in)
{
    ew_support *support = in->support;
    const ew_change *change = in->change;
    int32_t n = change->removed_tet.n, key[3], other;
    EW_TRY(
        ew_grow(&support->search.cluster, &support->search.cluster_capacity, n, sizeof(int32_t)));
    EW_TRY(ew_grow(&support->search.first, &support->search.first_capacity, n, sizeof(int32_t)));
    EW_TRY(ew_grow(&support->search.neighbor, &support->search.neighbor_capacity, 4 * (int64_t)n,
                   sizeof(int32_t)));
    for (int32_t i = 0; i < n; i++) {
        support->search.cluster[i] = i;
        support->search.first[i] = -1;
    }
    for (int32_t i = 0; i < 4 * n; i++) {
        support->search.neighbor[i] = -1;
        sorted_corners(change->removed_tet_vertex + 4 * (size_t)(i / 4), i % 4, key);
        EW_TRY(ew_map_enter(&support->search.face, key[0], key[1], key[2], i / 4, &other));
        if (other >= 0) {
            unite(support->search.cluster, other, i / 4);
        }
    }
    return EW_OK;
}

/* The tet that was across the face of a removed tet and stays is a source, in one joint class with
 * the others around the cluster. Tets entered before are added ones or such. */
static ew_status enter_neighbor(tracing *in, int32_t face, const int32_t key[3])
{
    const int32_t i = face / 4;
    const ew_rows *rows = &in->topology->edge_to_tet;
    int32_t edge = ew_pattern_pair_between(&in->topology->pattern, key[0], key[1]), node;
    for (int32_t k = 0; edge >= 0 && k < rows->count[edge]; k++) {
        int32_t t = rows->item[rows->begin[edge] + k];
        const int32_t *v = in->mesh->tet + 4 * (size_t)t;
        int32_t known = ew_map_find(&in->support->search.tet, t, -1, -1);
        if ((v[0] != key[2] && v[1] != key[2] && v[2] != key[2] && v[3] != key[2]) ||
            (known >= 0 && known < in->change->added_tet.n)) {
            continue;
        }
        EW_TRY(enter_source(in, t, true, &node));
        int32_t *first = &in->support->search.first[find_root(in->support->search.cluster, i)];
        *first = *first < 0 ? node : *first;
        in->n_joint -= unite(in->support->search.joint, *first, node);
        in->support->search.neighbor[face] = node;
    }
    return EW_OK;
}

static ew_status find_sources(tracing *in)
{
    const ew_change *change = in->change;
    int32_t node, key[3];
    ew_map_clear(&in->support->search.tet);
    ew_map_clear(&in->support->search.face);
    EW_TRY(find_clusters(in));
    for (int32_t i = 0; i < change->added_tet.n; i++) {
        EW_TRY(enter_source(in, change->added_tet.id[i], false, &node));
    }
    for (int32_t i = 0; i < 4 * change->removed_tet.n; i++) {
        sorted_corners(change->removed_tet_vertex + 4 * (size_t)(i / 4), i % 4, key);
        EW_TRY(enter_neighbor(in, i, key));
    }
    return EW_OK;
}

/* ---- paths ------------------------------------------------------------- */

/* Whether the tets around the edge (a, b) lead from its face with c to that with d. */
static bool leads_round(const tracing *in, int32_t a, int32_t b, int32_t c, int32_t d)
{
    const int32_t edge = ew_pattern_pair_between(&in->topology->pattern, a, b);
    const ew_rows *rows = &in->topology->edge_to_tet;
    const int32_t n = edge < 0 ? 0 : rows->count[edge];
    int32_t last = -1, next = 0;
    for (int32_t step = 0; step < n && c != d && next >= 0; step++) {
        next = -1;
        for (int32_t k = 0; k < n && next < 0; k++) {
            const int32_t t = rows->item[(size_t)rows->begin[edge] + (size_t)k];
            const int32_t *v = in->mesh->tet + 4 * (size_t)t;
            if (t != last && (v[0] == c || v[1] == c || v[2] == c || v[3] == c)) {
                next = v[0] ^ v[1] ^ v[2] ^ v[3] ^ a ^ b ^ c; /* the fourth one */
                last = t;
            }
        }
        c = next;
    }
    return c == d;
}

/* The shortest paths: from one neighbor of a removed tet to another around one of its edges. Where
 * single tets went, here and there, few others are left to be found. */
static void go_round_edges(tracing *in)
{
    const int32_t *neighbor = in->support->search.neighbor;
    int32_t *set = in->support->search.set;
    for (int32_t i = 0; i < 6 * in->change->removed_tet.n && in->n_set > in->n_joint; i++) {
        const int32_t *v = in->change->removed_tet_vertex + 4 * (size_t)(i / 6);
        const int8_t *on = ew_edge_vertex[i % 6], *off = ew_edge_vertex[5 - i % 6];
        const int32_t from = neighbor[4 * (i / 6) + off[1]], to = neighbor[4 * (i / 6) + off[0]];
        if (from >= 0 && to >= 0 && find_root(set, from) != find_root(set, to) &&
            leads_round(in, v[on[0]], v[on[1]], v[off[0]], v[off[1]])) {
            connect(in, from, to);
        }
    }
}

static bool is_traced(const tracing *in)
{
    return in->n_set == in->n_joint && in->n_orphan == 0;
}

/* Marks the joint classes from which paths are to be found. The root of a class is a member. */
static void mark_split(const tracing *in)
{
    int32_t *set = in->support->search.set, *joint = in->support->search.joint;
    for (int32_t i = 0; i < in->n_source; i++) {
        const int32_t own = find_root(set, i), root = find_root(joint, i);
        if (own != find_root(set, root) || !in->support->search.old[own]) {
            in->support->search.split[root] = true;
        }
    }
}

/* Nodes are visited in the order in which they were entered, all of them or those of split classes.
 * A tet that is no source is old. */
static ew_status trace(tracing *in, bool all)
{
    const ew_map *tet = &in->support->search.tet;
    for (int32_t i = 0; i < tet->n && tet->n <= in->max && !is_traced(in); i++) {
        int32_t source = in->support->search.label[i];
        const int32_t root = find_root(in->support->search.joint, source);
        for (int32_t f = 0; f < 4 && (all || in->support->search.split[root]); f++) {
            int32_t node;
            int32_t code = 4 * tet->entry[4 * (size_t)i] + f;
            int32_t other = ew_topology_face_neighbor(in->topology, in->mesh, code);
            bool is_new = false;
            if (other < 0) {
                continue;
            }
            EW_TRY(enter_node(in, other, source, &node, &is_new));
            bool *old = &in->support->search.old[find_root(in->support->search.set, source)];
            if (is_new) {
                in->n_orphan -= !*old;
                *old = true;
            } else {
                connect(in, source, in->support->search.label[node]);
            }
        }
    }
    return EW_OK;
}

/* ---- anchors ----------------------------------------------------------- */

/* Place of the tet among the removed ones, or -1. */
static int32_t find_removed(const ew_list *removed, int32_t t)
{
    int32_t low = 0, high = removed->n;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (removed->id[middle] < t) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < removed->n && removed->id[low] == t ? low : -1;
}

/* Another tet at the witness, known to be in the component that its anchor was cut from. */
static bool anchor_again(const tracing *in, ew_witness *witness, int32_t removed)
{
    const ew_support *support = in->support;
    const ew_rows *rows = &in->topology->vertex_to_tet;
    int32_t first = support->search.first[find_root(support->search.cluster, removed)];
    for (int32_t k = 0; k < rows->count[witness->vertex] && first >= 0; k++) {
        int32_t t = rows->item[rows->begin[witness->vertex] + k];
        int32_t node = ew_map_find(&support->search.tet, t, -1, -1);
        if (node >= 0 && find_root(support->search.set, support->search.label[node]) ==
                             find_root(support->search.set, first)) {
            witness->tet = t;
            return true;
        }
    }
    return false;
}

static bool keep_anchors(const tracing *in)
{
    for (int32_t c = 0; c < in->support->n_component; c++) {
        struct ew_supported *component = &in->support->component[c];
        for (int32_t k = 0; k < component->n_witness; k++) {
            int32_t removed = find_removed(&in->change->removed_tet, component->witness[k].tet);
            if (removed >= 0 && !anchor_again(in, &component->witness[k], removed)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- the update -------------------------------------------------------- */

static bool is_large(const ew_mesh *mesh, const ew_change *change)
{
    enum { LEAST = 64, SHARE = 16 };
    int64_t n = (int64_t)change->removed_tet.n + change->added_tet.n + change->moved_tet.n;
    return n > LEAST && n > mesh->n_live_tet / SHARE;
}

/* Edits that move vertices alone leave the components what they are. */
static bool only_moves(const ew_change *change)
{
    return !change->removed_tet.n && !change->added_tet.n;
}

/* Center and radius of the one component there is, all of the mesh. False where there are others.
 */
static bool place_body(ew_support *support, const ew_mesh *mesh, const ew_topology *topology)
{
    struct ew_supported *body = support->component;
    double sum[3] = {0.0}, square = 0.0;
    int32_t n = 0;
    if (support->n_component != 1 || support->n_free_tet) {
        return false;
    }
    for (int stage = 0; stage < 2; stage++) {
        for (int32_t v = 0; v < mesh->n_vertex; v++) {
            const double *x = mesh->xyz + 3 * (size_t)v;
            for (int c = 0; c < 3 && topology->vertex_to_tet.count[v]; c++) {
                const double from = x[c] - body->center[c];
                sum[c] += stage == 0 ? x[c] : 0.0;
                square += stage == 1 ? from * from : 0.0;
            }
            n += stage == 0 && topology->vertex_to_tet.count[v];
        }
        for (int c = 0; c < 3 && stage == 0; c++) {
            body->center[c] = sum[c] / n;
        }
    }
    body->radius = sqrt(square / n);
    return true;
}

/* Tets looked at. A full check looks at all of them, each in a fifth of the time. */
static int32_t max_nodes(const ew_mesh *mesh, const ew_change *change)
{
    enum { LEAST = 1024, EACH = 64, SHARE = 5 };
    const int64_t n = (int64_t)change->removed_tet.n + change->added_tet.n;
    const int64_t share = mesh->n_live_tet / SHARE, max = LEAST + EACH * n;
    return (int32_t)(max <= LEAST || max <= share ? max : share > LEAST ? share : LEAST);
}

/* Whether the under-constrained components are what the edit took away, whole, and nothing else: no
 * tet is beside those that went, as many went as these have, and no witness of another did. */
static bool takes_the_free(const tracing *in)
{
    const ew_change *change = in->change;
    return in->n_source == 0 && change->moved_tet.n == 0 &&
           change->removed_tet.n == in->support->n_free_tet;
}

ew_status ew_support_update(ew_support *support, const ew_mesh *mesh, const ew_topology *topology,
                            const ew_change *change)
{
    const uint64_t revision = support->revision;
    if (topology->pattern.revision != mesh->revision || mesh->revision != change->to_revision) {
        return ew_fail(EW_STALE,
                       "support: the change leads to revision %llu, the mesh is of %llu, the "
                       "tables of %llu",
                       (unsigned long long)change->to_revision, (unsigned long long)mesh->revision,
                       (unsigned long long)topology->pattern.revision);
    }
    support->revision = 0;
    if (revision == 0 || revision != change->from_revision ||
        (is_large(mesh, change) && !(only_moves(change) && place_body(support, mesh, topology)))) {
        return EW_OK;
    }
    if (!only_moves(change)) {
        tracing in = {.support = support, .mesh = mesh, .topology = topology, .change = change};
        in.max = max_nodes(mesh, change);
        EW_TRY(find_sources(&in));
        go_round_edges(&in);
        mark_split(&in);
        EW_TRY(trace(&in, false));
        EW_TRY(trace(&in, true));
        if (!is_traced(&in) || (change->removed_tet.n && !keep_anchors(&in)) ||
            (support->n_free_tet && !takes_the_free(&in))) {
            return EW_OK;
        }
        support->n_free_tet = 0;
    }
    support->revision = mesh->revision;
    return EW_OK;
}
