/* Forces on nodes: vertices, and middles of edges. A force in the middle of an edge from a to b,
 * where u = (u_a + u_b) / 2 + c with c of the edge's function, is half of it on each end and all of
 * it on the function; where the edge has none, halves are what is consistent with linear tets. */
#include "analysis/load/load_type.h"

#include <stdlib.h>

static int compare(const void *one, const void *other)
{
    const int64_t *a = ((const ew_load_node *)one)->end, *b = ((const ew_load_node *)other)->end;
    return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

ew_status ew_load_nodes_init(ew_load_nodes *nodes, int32_t n, const ew_load_node *node)
{
    *nodes = (ew_load_nodes){0};
    if (n < 0 || n > INT32_MAX / 2) {
        return ew_fail(EW_BAD_ARGUMENT, "forces on %d nodes", n);
    }
    EW_TRY(ew_new(&nodes->row, 2 * (size_t)n, sizeof *nodes->row));
    for (int32_t i = 0; i < n; i++) {
        ew_load_node *to = nodes->row + nodes->n++;
        *to = node[i];
        if (to->end[0] != to->end[1]) {
            nodes->row[nodes->n] = *to;
            nodes->row[nodes->n].end[0] = to->end[1];
            nodes->row[nodes->n++].end[1] = to->end[0];
        }
    }
    qsort(nodes->row, (size_t)nodes->n, sizeof *nodes->row, compare);
    return EW_OK;
}

void ew_load_nodes_free(ew_load_nodes *nodes)
{
    ew_release(nodes->row);
    *nodes = (ew_load_nodes){0};
}

/* The first row that is not before (a, b). */
static int32_t find(const ew_load_nodes *nodes, int64_t a, int64_t b)
{
    const ew_load_node wanted = {.end = {a, b}};
    int32_t low = 0, high = nodes->n;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (compare(&nodes->row[middle], &wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool ew_load_nodes_add(const ew_load_nodes *nodes, int64_t vertex_id, double *f)
{
    const int32_t first = find(nodes, vertex_id, 0);
    int32_t i;
    for (i = first; i < nodes->n && nodes->row[i].end[0] == vertex_id; i++) {
        const double share = nodes->row[i].end[1] == vertex_id ? 1.0 : 0.5;
        for (int c = 0; c < 3; c++) {
            f[c] += share * nodes->row[i].force[c];
        }
    }
    return i > first;
}

void ew_load_nodes_add_at(const ew_load_nodes *nodes, int64_t a, int64_t b, double *f)
{
    const ew_load_node wanted = {.end = {a, b}};
    for (int32_t i = find(nodes, a, b); i < nodes->n && !compare(&nodes->row[i], &wanted); i++) {
        for (int c = 0; c < 3; c++) {
            f[c] += nodes->row[i].force[c];
        }
    }
}

static ew_status check_nodes(const ew_load_context *in, const ew_load *load, int32_t place,
                             ew_load_share *share)
{
    (void)share;
    double f[3] = {0.0};
    for (int32_t v = 0; v < in->mesh->n_vertex; v++) {
        if (ew_mesh_vertex_is_active(in->mesh, v) &&
            ew_load_nodes_add(load->nodes, in->mesh->vertex_id[v], f)) {
            return EW_OK;
        }
    }
    return ew_fail(EW_BAD_INPUT,
                   "load %d (force on nodes): none of its nodes is in the body; name some that are "
                   "or drop the load",
                   place + 1);
}

static void force_on_vertex(const ew_load_context *in, const ew_load *load,
                            const ew_load_share *share, int32_t vertex, double *f)
{
    (void)share;
    ew_load_nodes_add(load->nodes, in->mesh->vertex_id[vertex], f);
}

static void force_on_middle(const ew_load_context *in, const ew_load *load, const int32_t end[2],
                            double *f)
{
    ew_load_nodes_add_at(load->nodes, in->mesh->vertex_id[end[0]], in->mesh->vertex_id[end[1]], f);
}

const ew_load_type ew_load_type_force_on_nodes = {
    .traits = {.name = "force on nodes", .acts_on = EW_LOAD_ON_BODY},
    .check = check_nodes,
    .on_vertex = force_on_vertex,
    .on_middle = force_on_middle,
};
