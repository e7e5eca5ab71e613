/* Atoms: vertices that have one part for ever, cut by the mesh alone, and dealt to parts by the
 * graph of them. METIS does both where it is; else atoms are stretches of a Hilbert curve, parts
 * stretches of atoms. */
#include "subdomain/internal.h"

#include <stdlib.h>
#include <string.h>

int32_t ew_atom_rows(int32_t n_row)
{
    enum { ATOMS = 400, MIN = 512, MAX = 4096 };
    const int32_t rows = n_row / ATOMS;
    return rows < MIN ? MIN : rows > MAX ? MAX : rows;
}

/* ---- cutting ----------------------------------------------------------------- */

static ew_status cut_curve(const ew_mesh *mesh, int32_t n_atom, int32_t *atom)
{
    EW_TRY(ew_order_for_locality(mesh, atom));
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (atom[v] >= 0) {
            atom[v] = (int32_t)((int64_t)atom[v] * n_atom / mesh->n_active_vertex);
        }
    }
    return EW_OK;
}

/* Atoms without vertices are left out, the others keep their order. Vertices without tets go to the
 * first. */
static ew_status number_atoms(const ew_mesh *mesh, int32_t *n_atom, int32_t *atom)
{
    int32_t *to = NULL, n = 0;
    EW_TRY(ew_new_zero(&to, (size_t)*n_atom, sizeof *to));
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (mesh->valence[v] > 0) {
            to[atom[v]] = 1;
        }
    }
    for (int32_t a = 0; a < *n_atom; a++) {
        to[a] = to[a] ? n++ : -1;
    }
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        atom[v] = mesh->valence[v] > 0 ? to[atom[v]] : mesh->valence[v];
    }
    *n_atom = n;
    ew_release(to);
    return EW_OK;
}

ew_status ew_atoms_cut(const ew_mesh *mesh, const ew_pattern *pattern, int32_t rows,
                       int32_t *n_atom, int32_t *atom)
{
    const int32_t n_row = mesh->n_active_vertex;
    if (rows < 0 || n_row < 1) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "atoms of %d rows of a mesh of %d vertices with tets: both must be positive",
                       rows, n_row);
    }
    rows = rows ? rows : ew_atom_rows(n_row);
    int32_t n = n_row / rows + (n_row % rows > rows / 2);
    n = n > 0 ? n : 1;
    EW_TRY(ew_has_metis() ? ew_partition(pattern, NULL, NULL, n, atom) : cut_curve(mesh, n, atom));
    EW_TRY(number_atoms(mesh, &n, atom));
    *n_atom = n;
    return EW_OK;
}

/* ---- the graph --------------------------------------------------------------- */

void ew_atom_graph_free(ew_atom_graph *graph)
{
    ew_release(graph->rows);
    ew_release(graph->edge);
    memset(graph, 0, sizeof *graph);
}

static int compare_edges(const void *left, const void *right)
{
    const int32_t *x = left, *y = right;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* Edges ascending, each once. */
static void merge_edges(ew_atom_graph *graph)
{
    int32_t kept = 0;
    if (graph->n_edge) {
        qsort(graph->edge, (size_t)graph->n_edge, 3 * sizeof *graph->edge, compare_edges);
    }
    for (int32_t i = 0; i < graph->n_edge; i++) {
        const int32_t *edge = graph->edge + 3 * (size_t)i;
        int32_t *last = graph->edge + 3 * (size_t)(kept ? kept - 1 : 0);
        if (kept && compare_edges(last, edge) == 0) {
            last[2] += edge[2];
        } else {
            memmove(graph->edge + 3 * (size_t)kept++, edge, 3 * sizeof *edge);
        }
    }
    graph->n_edge = kept;
}

static ew_status start_graph(ew_atom_graph *graph, int32_t n_atom)
{
    EW_TRY(ew_grow(&graph->rows, &graph->atom_capacity, n_atom, sizeof *graph->rows));
    memset(graph->rows, 0, (size_t)n_atom * sizeof *graph->rows);
    graph->n_atom = n_atom;
    graph->n_edge = 0;
    return EW_OK;
}

/* Of vertices of `part`, all where atom_part is null: rows, and edges whose lower vertex it is. */
static ew_status count_graph(ew_atom_graph *graph, const ew_mesh *mesh, const ew_pattern *pattern,
                             const int32_t *atom, const int32_t *atom_part, int32_t part)
{
    ew_map place = {0};
    ew_status status = EW_OK;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (mesh->valence[v] > 0 && (!atom_part || atom_part[atom[v]] == part)) {
            graph->rows[atom[v]]++;
        }
    }
    for (int32_t p = 0; p < pattern->n_pair; p++) {
        const int32_t *end = pattern->pair_row + 2 * (size_t)p;
        if (end[0] < 0 || atom[end[0]] == atom[end[1]] ||
            (atom_part && atom_part[atom[end[0]]] != part)) {
            continue;
        }
        const int32_t x = atom[end[0]], y = atom[end[1]];
        int32_t at = ew_map_find(&place, x < y ? x : y, x < y ? y : x, -1), old;
        if (at < 0) {
            at = graph->n_edge;
            EW_TRY_OUT(ew_map_enter(&place, x < y ? x : y, x < y ? y : x, -1, at, &old));
            EW_TRY_OUT(ew_grow(&graph->edge, &graph->edge_capacity, (int64_t)at + 1,
                               3 * sizeof *graph->edge));
            memcpy(graph->edge + 3 * (size_t)at, (int32_t[]){x < y ? x : y, x < y ? y : x, 0},
                   3 * sizeof *graph->edge);
            graph->n_edge++;
        }
        graph->edge[3 * (size_t)at + 2]++;
    }
out:
    ew_map_free(&place);
    return status;
}

ew_status ew_atom_graph_of_mesh(ew_atom_graph *graph, const ew_mesh *mesh,
                                const ew_pattern *pattern, int32_t n_atom, const int32_t *atom)
{
    EW_TRY(start_graph(graph, n_atom));
    return count_graph(graph, mesh, pattern, atom, NULL, 0);
}

ew_status ew_subdomain_graph(const ew_subdomain *subdomain, const ew_pattern *pattern,
                             ew_atom_graph *graph)
{
    EW_TRY(start_graph(graph, subdomain->n_atom));
    return count_graph(graph, &subdomain->mesh, pattern, subdomain->atom, subdomain->atom_part,
                       subdomain->part);
}

ew_status ew_atom_graph_add(ew_atom_graph *graph, const ew_atom_graph *other)
{
    const int64_t n = (int64_t)graph->n_edge + other->n_edge;
    if (graph->n_atom != other->n_atom) {
        return ew_fail(EW_BAD_ARGUMENT, "graphs of %d and of %d atoms do not add", graph->n_atom,
                       other->n_atom);
    }
    EW_TRY(ew_grow(&graph->edge, &graph->edge_capacity, n, 3 * sizeof *graph->edge));
    for (int32_t a = 0; a < graph->n_atom; a++) {
        graph->rows[a] += other->rows[a];
    }
    if (other->n_edge) {
        memcpy(graph->edge + 3 * (size_t)graph->n_edge, other->edge,
               3 * (size_t)other->n_edge * sizeof *other->edge);
    }
    graph->n_edge = (int32_t)n;
    merge_edges(graph);
    return EW_OK;
}

/* ---- dealing ------------------------------------------------------------------ */

static ew_status partition_atoms(const ew_atom_graph *graph, int32_t n_part, int32_t *part)
{
    ew_pattern pattern = {.n_row = graph->n_atom, .n_pair = graph->n_edge};
    int32_t *weight = NULL;
    const size_t n = (size_t)graph->n_edge;
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_new(&pattern.pair_row, 2 * n, sizeof *pattern.pair_row));
    EW_TRY_OUT(ew_new(&weight, n, sizeof *weight));
    for (size_t i = 0; i < n; i++) {
        pattern.pair_row[2 * i] = graph->edge[3 * i];
        pattern.pair_row[2 * i + 1] = graph->edge[3 * i + 1];
        weight[i] = graph->edge[3 * i + 2];
    }
    EW_TRY_OUT(ew_pattern_index(&pattern));
    EW_TRY_OUT(ew_partition(&pattern, graph->rows, weight, n_part, part));
out:
    ew_release(weight);
    ew_pattern_free(&pattern);
    return status;
}

/* Atoms in their order, each to the part in whose stretch of rows its middle is. */
static void deal_stretches(const ew_atom_graph *graph, int32_t n_part, int32_t *part)
{
    int64_t all = 0, before = 0;
    for (int32_t a = 0; a < graph->n_atom; a++) {
        all += graph->rows[a];
    }
    for (int32_t a = 0; a < graph->n_atom; a++) {
        const int64_t middle = 2 * before + graph->rows[a];
        const int64_t at = all ? middle * n_part / (2 * all) : 0;
        part[a] = (int32_t)(at < n_part ? at : n_part - 1);
        before += graph->rows[a];
    }
}

/* The part with the fewest rows, or, of those with several atoms, with the largest number. */
static int32_t extreme_part(int32_t n_part, const int64_t *rows, const int32_t *n, bool largest)
{
    int32_t best = -1;
    for (int32_t p = 0; p < n_part; p++) {
        if (largest ? n[p] > 1 && (best < 0 || rows[p] > rows[best])
                    : best < 0 || rows[p] < rows[best]) {
            best = p;
        }
    }
    return best;
}

static void give(const ew_atom_graph *graph, int32_t a, int32_t to, int32_t *part, int64_t *rows,
                 int32_t *n)
{
    if (part[a] >= 0) {
        rows[part[a]] -= graph->rows[a];
        n[part[a]]--;
    }
    part[a] = to;
    rows[to] += graph->rows[a];
    n[to]++;
}

/* Atoms without edges have no part yet; and no part stays without atoms. */
static ew_status settle(const ew_atom_graph *graph, int32_t n_part, int32_t *part)
{
    int64_t *rows = NULL;
    int32_t *n = NULL;
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_new_zero(&rows, (size_t)n_part, sizeof *rows));
    EW_TRY_OUT(ew_new_zero(&n, (size_t)n_part, sizeof *n));
    for (int32_t a = 0; a < graph->n_atom; a++) {
        if (part[a] >= 0) {
            rows[part[a]] += graph->rows[a];
            n[part[a]]++;
        }
    }
    for (int32_t a = 0; a < graph->n_atom; a++) {
        if (part[a] < 0) {
            give(graph, a, extreme_part(n_part, rows, n, false), part, rows, n);
        }
    }
    for (int32_t p = 0; p < n_part; p++) {
        const int32_t from = n[p] ? -1 : extreme_part(n_part, rows, n, true);
        int32_t smallest = -1;
        for (int32_t a = 0; from >= 0 && a < graph->n_atom; a++) {
            if (part[a] == from && (smallest < 0 || graph->rows[a] < graph->rows[smallest])) {
                smallest = a;
            }
        }
        if (smallest >= 0) {
            give(graph, smallest, p, part, rows, n);
        }
    }
out:
    ew_release(rows);
    ew_release(n);
    return status;
}

ew_status ew_atom_graph_deal(const ew_atom_graph *graph, int32_t n_part, int32_t *part)
{
    ew_atom_graph sorted = {0};
    int32_t n_linked = 0;
    ew_status status;
    if (n_part < 1 || n_part > graph->n_atom) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "%d parts of %d atoms: give 1 to %d, or atoms of fewer rows", n_part,
                       graph->n_atom, graph->n_atom);
    }
    EW_TRY_OUT(start_graph(&sorted, graph->n_atom));
    EW_TRY_OUT(ew_atom_graph_add(&sorted, graph));
    for (int32_t a = 0; a < graph->n_atom; a++) {
        part[a] = -1;
    }
    for (int32_t i = 0; i < 2 * sorted.n_edge; i++) {
        int32_t *mark = &part[sorted.edge[3 * (size_t)(i / 2) + (size_t)(i % 2)]];
        n_linked += *mark < 0;
        *mark = 0;
    }
    if (!ew_has_metis() || n_linked < n_part) {
        deal_stretches(&sorted, n_part, part);
    } else {
        EW_TRY_OUT(partition_atoms(&sorted, n_part, part));
    }
    EW_TRY_OUT(settle(&sorted, n_part, part));
out:
    ew_atom_graph_free(&sorted);
    return status;
}

double ew_atom_graph_imbalance(const ew_atom_graph *graph, int32_t n_part, const int32_t *part)
{
    int64_t all = 0, largest = 0;
    for (int32_t p = 0; p < n_part; p++) {
        int64_t rows = 0;
        for (int32_t a = 0; a < graph->n_atom; a++) {
            rows += part[a] == p ? graph->rows[a] : 0;
        }
        all += rows;
        largest = rows > largest ? rows : largest;
    }
    return all ? (double)largest * n_part / (double)all : 1.0;
}
