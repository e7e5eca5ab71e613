/* Checks the neighbor tables against the mesh they describe. In: both. Out: the status
 * of the first broken rule, with the ids concerned. Each table is checked entry by entry
 * against its partner and then by its total, which together prove both directions: the
 * entries are distinct and right, and none is missing. */
#include "topology/parts/topology.h"

/* Storage of a table: the expected number of rows, each inside the array. */
static ew_status check_rows(const ew_rows *rows, const char *name, int32_t n_row, int32_t width)
{
    if (rows->n_row != n_row || rows->width != width) {
        return ew_fail(EW_TABLE_POOL, "%s has %d rows of width %d, not %d of width %d", name,
                       rows->n_row, rows->width, n_row, width);
    }
    for (int32_t i = 0; i < n_row; i++) {
        int32_t n = rows->count[i], begin = rows->begin[i];
        if (n < 0 || (n > 0 && (begin < 0 || n > rows->n_item - begin))) {
            return ew_fail(EW_TABLE_POOL, "%s: row %d (%d items from %d) lies outside the table",
                           name, i, n, begin);
        }
    }
    return EW_OK;
}

/* Every hole is listed once, and slots = live edges + holes. */
static ew_status check_holes(const ew_topology *topology)
{
    const ew_pattern *pattern = &topology->pattern;
    const ew_list *hole = &topology->pattern.pair_hole;
    int32_t n_hole = 0;
    for (int32_t e = 0; e < pattern->n_pair; e++) {
        n_hole += pattern->pair_row[2 * (size_t)e] < 0;
    }
    ew_list sorted = {0};
    ew_status status = EW_OK;
    for (int32_t i = 0; i < hole->n && !status; i++) {
        status = ew_list_push(&sorted, hole->id[i]);
    }
    ew_list_sort_unique(&sorted);
    for (int32_t i = 0; i < sorted.n && !status; i++) {
        int32_t e = sorted.id[i];
        if (e < 0 || e >= pattern->n_pair || pattern->pair_row[2 * (size_t)e] >= 0) {
            status = ew_fail(EW_TABLE_POOL, "edge %d is listed as free but is not a hole", e);
        }
    }
    if (!status && (sorted.n != hole->n || sorted.n != n_hole ||
                    topology->pattern.n_live_pair != pattern->n_pair - n_hole)) {
        status = ew_fail(EW_TABLE_POOL,
                         "%d edge slots have %d holes, but %d are listed (%d of them different) "
                         "and %d edges are counted live",
                         pattern->n_pair, n_hole, hole->n, sorted.n, topology->pattern.n_live_pair);
    }
    ew_list_free(&sorted);
    return status;
}

static ew_status check_pool(const ew_topology *topology, const ew_mesh *mesh)
{
    const ew_pattern *pattern = &topology->pattern;
    if (pattern->n_row != mesh->n_vertex || topology->n_tet != mesh->n_tet) {
        return ew_fail(EW_TABLE_POOL, "the tables have %d vertices and %d tets, the mesh %d and %d",
                       pattern->n_row, topology->n_tet, mesh->n_vertex, mesh->n_tet);
    }
    EW_TRY(check_rows(&topology->vertex_to_tet, "vertex to tets", mesh->n_vertex, 1));
    EW_TRY(check_rows(&topology->edge_to_tet, "edge to tets", pattern->n_pair, 1));
    EW_TRY(check_rows(&pattern->row_to_pair, "vertex to edges", mesh->n_vertex, 2));
    return check_holes(topology);
}

/* Position of v in the tet, or -1; -1 too for a tet that is not a live one. */
static int find_vertex(const ew_mesh *mesh, int32_t t, int32_t v)
{
    for (int k = 0; t >= 0 && t < mesh->n_tet && ew_mesh_tet_is_live(mesh, t) && k < 4; k++) {
        if (mesh->tet[4 * (size_t)t + (size_t)k] == v) {
            return k;
        }
    }
    return -1;
}

static ew_status check_edges(const ew_topology *topology, const ew_mesh *mesh)
{
    const ew_pattern *pattern = &topology->pattern;
    const ew_rows *rows = &topology->edge_to_tet;
    for (int32_t e = 0; e < pattern->n_pair; e++) {
        int32_t a = pattern->pair_row[2 * (size_t)e], b = pattern->pair_row[2 * (size_t)e + 1];
        if (a < 0 && b == a && !rows->count[e]) {
            continue;
        }
        bool found = false;
        for (int32_t i = 0; i < rows->count[e] && !found; i++) {
            int32_t t = rows->item[rows->begin[e] + i];
            found = find_vertex(mesh, t, a) >= 0 && find_vertex(mesh, t, b) >= 0;
        }
        if (a < 0 || b <= a || b >= mesh->n_vertex || !found) {
            return ew_fail(EW_TABLE_EDGE, "edge %d (%d, %d): %s", e, a, b,
                           a < 0 || b <= a || b >= mesh->n_vertex
                               ? "its vertices are not two existing ones in ascending order"
                               : "none of its tets has both vertices");
        }
    }
    return EW_OK;
}

static ew_status check_sorted(const ew_rows *rows, const char *name)
{
    size_t width = (size_t)rows->width;
    for (int32_t i = 0; i < rows->n_row; i++) {
        for (int32_t k = 1; k < rows->count[i]; k++) {
            const int32_t *item = rows->item + width * ((size_t)rows->begin[i] + (size_t)k);
            if (item[0] <= *(item - width)) {
                return ew_fail(EW_TABLE_SORTED, "%s: row %d lists %d after %d", name, i, item[0],
                               *(item - width));
            }
        }
    }
    return EW_OK;
}

static bool is_edge_between(const ew_pattern *pattern, int32_t e, int32_t p, int32_t q)
{
    return e >= 0 && e < pattern->n_pair && pattern->pair_row[2 * (size_t)e] == (p < q ? p : q) &&
           pattern->pair_row[2 * (size_t)e + 1] == (p < q ? q : p);
}

static ew_status check_tet_to_edge(const ew_topology *topology, const ew_mesh *mesh)
{
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const int32_t *vertex = mesh->tet + 4 * (size_t)t;
        for (int k = 0; k < 6; k++) {
            int32_t e = topology->tet_to_edge[6 * (size_t)t + (size_t)k];
            int32_t p = vertex[ew_edge_vertex[k][0]], q = vertex[ew_edge_vertex[k][1]];
            if (ew_mesh_tet_is_live(mesh, t) ? !is_edge_between(&topology->pattern, e, p, q)
                                             : e != -1) {
                return ew_fail(EW_TABLE_TET_EDGE, "tet %d: its local edge %d is not edge %d", t, k,
                               e);
            }
        }
    }
    return EW_OK;
}

static ew_status check_edge_to_tet(const ew_topology *topology, const ew_mesh *mesh)
{
    const ew_rows *rows = &topology->edge_to_tet;
    int64_t total = 0;
    for (int32_t e = 0; e < rows->n_row; e++) {
        total += rows->count[e];
        for (int32_t i = 0; i < rows->count[e]; i++) {
            int32_t t = rows->item[rows->begin[e] + i];
            bool found = false;
            for (size_t k = 0; k < 6 && t >= 0 && t < mesh->n_tet; k++) {
                found = found || topology->tet_to_edge[6 * (size_t)t + k] == e;
            }
            if (!found) {
                return ew_fail(EW_TABLE_EDGE_TET, "edge %d lists tet %d, which does not have it", e,
                               t);
            }
        }
    }
    if (total != 6 * (int64_t)mesh->n_live_tet) {
        return ew_fail(EW_TABLE_EDGE_TET, "edges list %lld tets, not 6 for each of %d",
                       (long long)total, mesh->n_live_tet);
    }
    return EW_OK;
}

static ew_status check_vertex_to_tet(const ew_topology *topology, const ew_mesh *mesh)
{
    const ew_rows *rows = &topology->vertex_to_tet;
    int64_t total = 0;
    for (int32_t v = 0; v < rows->n_row; v++) {
        total += rows->count[v];
        for (int32_t i = 0; i < rows->count[v]; i++) {
            int32_t t = rows->item[rows->begin[v] + i];
            if (find_vertex(mesh, t, v) < 0) {
                return ew_fail(EW_TABLE_VERTEX_TET,
                               "vertex %d lists tet %d, which does not have it", v, t);
            }
        }
    }
    if (total != 4 * (int64_t)mesh->n_live_tet) {
        return ew_fail(EW_TABLE_VERTEX_TET, "vertices list %lld tets, not 4 for each of %d",
                       (long long)total, mesh->n_live_tet);
    }
    return EW_OK;
}

static ew_status check_row_to_edge(const ew_topology *topology)
{
    const ew_rows *rows = &topology->pattern.row_to_pair;
    int64_t total = 0;
    for (int32_t v = 0; v < rows->n_row; v++) {
        int32_t n_lower = 0;
        total += rows->count[v];
        for (int32_t i = 0; i < rows->count[v]; i++) {
            const int32_t *item = rows->item + 2 * ((size_t)rows->begin[v] + (size_t)i);
            int32_t e = item[1];
            n_lower += item[0] < v;
            if (!is_edge_between(&topology->pattern, e, v, item[0])) {
                return ew_fail(EW_TABLE_VERTEX_EDGE,
                               "vertex %d lists edge %d to vertex %d, which is another edge", v, e,
                               item[0]);
            }
        }
        if (n_lower != topology->pattern.n_lower[v]) {
            return ew_fail(EW_TABLE_VERTEX_EDGE,
                           "vertex %d lists %d edges to lower vertices, counted are %d", v, n_lower,
                           topology->pattern.n_lower[v]);
        }
    }
    if (total != 2 * (int64_t)topology->pattern.n_live_pair) {
        return ew_fail(EW_TABLE_VERTEX_EDGE, "vertices list %lld edges, not 2 for each of %d",
                       (long long)total, topology->pattern.n_live_pair);
    }
    return EW_OK;
}

ew_status ew_topology_check(const ew_topology *topology, const ew_mesh *mesh)
{
    if (topology->pattern.revision != mesh->revision) {
        return ew_fail(EW_STALE, "the tables are of mesh revision %llu, the mesh is at %llu",
                       (unsigned long long)topology->pattern.revision,
                       (unsigned long long)mesh->revision);
    }
    EW_TRY(check_pool(topology, mesh));
    EW_TRY(check_edges(topology, mesh));
    EW_TRY(check_sorted(&topology->vertex_to_tet, "vertex to tets"));
    EW_TRY(check_sorted(&topology->edge_to_tet, "edge to tets"));
    EW_TRY(check_sorted(&topology->pattern.row_to_pair, "vertex to edges"));
    EW_TRY(check_tet_to_edge(topology, mesh));
    EW_TRY(check_edge_to_tet(topology, mesh));
    EW_TRY(check_vertex_to_tet(topology, mesh));
    return check_row_to_edge(topology);
}

/* ---- boundary faces ---------------------------------------------------- */

/* The scan: a face has a slot exactly when no tet is across it. */
static ew_status check_faces(const ew_boundary *boundary, const ew_mesh *mesh,
                             const ew_topology *topology)
{
    for (int32_t code = 0; code < 4 * mesh->n_tet; code++) {
        int32_t slot = ew_boundary_find(boundary, code);
        bool outer = ew_mesh_tet_is_live(mesh, code / 4) &&
                     ew_topology_face_neighbor(topology, mesh, code) < 0;
        if ((slot >= 0) != outer || slot >= boundary->n_slot ||
            (outer && boundary->code[slot] != code)) {
            return ew_fail(EW_TABLE_BOUNDARY, "face %d of tet %d is %s boundary and has slot %d",
                           code % 4, code / 4, outer ? "on the" : "not on the", slot);
        }
    }
    return EW_OK;
}

/* Slots are faces or holes, and every hole is listed once. */
static ew_status check_slots(const ew_boundary *boundary)
{
    const ew_list *hole = &boundary->hole;
    ew_set listed = {0};
    ew_status status = EW_OK;
    int32_t n_live = 0, n_listed = 0;
    for (int32_t slot = 0; slot < boundary->n_slot; slot++) {
        n_live += boundary->code[slot] >= 0;
    }
    for (int32_t i = 0; i < hole->n && !status; i++) {
        bool is_hole = hole->id[i] >= 0 && hole->id[i] < boundary->n_slot &&
                       boundary->code[hole->id[i]] == -1 && !ew_set_has(&listed, hole->id[i]);
        n_listed += is_hole;
        status = is_hole ? ew_set_add(&listed, hole->id[i]) : EW_OK;
    }
    if (!status && (n_listed != hole->n || n_live != boundary->n_live ||
                    n_live + n_listed != boundary->n_slot)) {
        status = ew_fail(EW_TABLE_BOUNDARY,
                         "%d boundary slots have %d faces (counted are %d) and %d holes, but %d "
                         "are listed",
                         boundary->n_slot, n_live, boundary->n_live, n_listed, hole->n);
    }
    ew_set_free(&listed);
    return status;
}

static ew_status check_groups(const ew_boundary *boundary)
{
    int32_t n = 0, n_slot = 0;
    for (int32_t t = 0; t < boundary->n_tet; t++) {
        n += boundary->tet_group[t] >= 0;
        for (int32_t f = 0; f < 4; f++) {
            n_slot += ew_boundary_find(boundary, 4 * t + f) >= 0;
        }
    }
    if (n != boundary->n_group - boundary->group_hole.n || n_slot != boundary->n_live) {
        return ew_fail(
            EW_TABLE_BOUNDARY,
            "%d tets have %d boundary faces; %d groups, %d free, and %d faces are counted", n,
            n_slot, boundary->n_group, boundary->group_hole.n, boundary->n_live);
    }
    return EW_OK;
}

ew_status ew_boundary_check(const ew_boundary *boundary, const ew_mesh *mesh,
                            const ew_topology *topology)
{
    if (boundary->revision != mesh->revision || topology->pattern.revision != mesh->revision) {
        return ew_fail(EW_STALE, "the boundary is of mesh revision %llu, the mesh is at %llu",
                       (unsigned long long)boundary->revision, (unsigned long long)mesh->revision);
    }
    if (boundary->n_tet != mesh->n_tet) {
        return ew_fail(EW_TABLE_BOUNDARY, "the boundary covers %d tets of %d", boundary->n_tet,
                       mesh->n_tet);
    }
    EW_TRY(check_faces(boundary, mesh, topology));
    EW_TRY(check_slots(boundary));
    return check_groups(boundary);
}
