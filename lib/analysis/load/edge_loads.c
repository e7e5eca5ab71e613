/* Loads on the functions of edges, 4 l_a l_b. In: the loads of a case with their shares. Out: the
 * force on each edge, gathered from its tets in ascending order.
 *
 * A traction linear over a face is known by its forces f_k on the three corners, and gives an edge
 * (4 (f_a + f_b) - sum f) / 5: a third of a uniform one's force. A body force linear in a tet gives
 * it (10 (f_a + f_b) - 2 sum f) / 15: a fifth of a uniform one's. On the lumped mass, 4/27 in the
 * middle of each edge, it is (40 (f_a + f_b) - 16 sum f) / 27. Both follow from the integrals of
 * products of l over triangle and tet (Zienkiewicz & Taylor 2000, volume 1, sections 8.8, 8.11). So
 * a kind of load needs nothing of its own here, unless it is no force (temperature). */
#include "analysis/load/load_type.h"

#include <string.h>

/* Below this many rows a team of threads costs more than it saves. */
#define MIN_PARALLEL_ROWS 512

/* Local places of an edge's ends in a tet that has it. */
static void find_ends(const int32_t *tet, const int32_t *end, int place[2])
{
    for (int i = 0; i < 2; i++) {
        place[i] = (tet[1] == end[i]) + 2 * (tet[2] == end[i]) + 3 * (tet[3] == end[i]);
    }
}

static void add_face(const ew_load_context *in, const ew_load *load, const ew_load_share *share,
                     int32_t face, const int32_t *end, const int place[2], double *f)
{
    double q[9], edge[18];
    if (ew_load_on_curved_face(ew_load_type_of(load->kind), in, load, share, face, q, edge)) {
        for (int c = 0; c < 3; c++) {
            f[c] += edge[3 * ew_edge_between(place) + c];
        }
        return;
    }
    const int32_t *tet = in->mesh->tet + 4 * (size_t)(face / 4);
    double sum[3] = {0.0}, ends[3] = {0.0};
    for (int k = 0; k < 3; k++) {
        const int32_t v = tet[ew_face_vertex[face % 4][k]];
        double part[3] = {0.0};
        ew_load_type_of(load->kind)->on_face(in, load, share, face, k, part);
        for (int c = 0; c < 3; c++) {
            sum[c] += part[c];
            ends[c] += v == end[0] || v == end[1] ? part[c] : 0.0;
        }
    }
    for (int c = 0; c < 3; c++) {
        f[c] += (4.0 * ends[c] - sum[c]) / 5.0;
    }
}

static void add_tet(const ew_load_context *in, const ew_load *load, const ew_load_share *share,
                    int32_t tet, const int place[2], double *f)
{
    const ew_load_type *type = ew_load_type_of(load->kind);
    if (type->on_edge) {
        type->on_edge(in, load, share, tet, place, f);
        return;
    }
    double q[12], edge[18];
    if (ew_load_on_curved_tet(type, in, load, tet, q, edge)) {
        for (int c = 0; c < 3; c++) {
            f[c] += edge[3 * ew_edge_between(place) + c];
        }
        return;
    }
    double sum[3] = {0.0}, ends[3] = {0.0};
    for (int k = 0; k < 4; k++) {
        double part[3] = {0.0};
        type->on_tet(in, load, share, tet, k, part);
        for (int c = 0; c < 3; c++) {
            sum[c] += part[c];
            ends[c] += k == place[0] || k == place[1] ? part[c] : 0.0;
        }
    }
    for (int c = 0; c < 3; c++) {
        f[c] += in->lumped ? (40.0 * ends[c] - 16.0 * sum[c]) / 27.0
                           : (10.0 * ends[c] - 2.0 * sum[c]) / 15.0;
    }
}

static void add_load(const ew_load_context *in, const ew_load *load, const ew_load_share *share,
                     int32_t edge, double *f)
{
    const ew_load_type *type = ew_load_type_of(load->kind);
    const bool on_faces = ew_load_is_on_faces(load, &type->traits);
    const ew_rows *rows = &in->topology->edge_to_tet;
    const int32_t *end = in->topology->pattern.pair_row + 2 * (size_t)edge;
    if (!on_faces && type->on_vertex) {
        if (type->on_middle) {
            type->on_middle(in, load, end, f);
        }
        return;
    }
    for (int32_t i = 0; i < rows->count[edge]; i++) {
        const int32_t t = rows->item[(size_t)rows->begin[edge] + (size_t)i];
        int place[2];
        find_ends(in->mesh->tet + 4 * (size_t)t, end, place);
        if (!on_faces) {
            add_tet(in, load, share, t, place, f);
        }
        for (int32_t k = 0; k < 4 && on_faces; k++) { /* face k is opposite to vertex k */
            if (k != place[0] && k != place[1] && ew_load_has_face(in, load, 4 * t + k)) {
                add_face(in, load, share, 4 * t + k, end, place, f);
            }
        }
    }
}

ew_status ew_loads_gather_edges(const ew_mesh *mesh, const ew_topology *topology,
                                const ew_materials *materials, int32_t n_load, const ew_load *load,
                                const ew_load_share *share, const ew_edge_rows *rows,
                                const ew_list *row, bool lumped, double *f)
{
    const int32_t n = row ? row->n : rows->pattern.n_row;
    const ew_load_context in = {mesh, topology, materials, lumped, NULL};
    if (rows->mesh_revision != mesh->revision || topology->pattern.revision != mesh->revision) {
        return ew_fail(EW_STALE, "loads: the rows of edges are at revision %llu, the mesh at %llu",
                       (unsigned long long)rows->mesh_revision, (unsigned long long)mesh->revision);
    }
#pragma omp parallel for schedule(static) if (n >= MIN_PARALLEL_ROWS)
    for (int32_t i = 0; i < n; i++) {
        const int32_t at = row ? row->id[i] : i;
        double sum[3] = {0.0, 0.0, 0.0};
        for (int32_t k = 0; k < n_load && rows->edge[at] >= 0; k++) {
            add_load(&in, &load[k], &share[k], rows->edge[at], sum);
        }
        memcpy(f + 3 * (size_t)at, sum, sizeof sum);
    }
    return EW_OK;
}
