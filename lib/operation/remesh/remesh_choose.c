/* Which tets are meshed again. In: mesh, tables, candidates, what quality and size ask for. Out:
 * the tets, and rings around them among the candidates. */
#include "operation/remesh/remesh.h"

#include <math.h>

static double longest_edge(const ew_mesh *mesh, int32_t t)
{
    double longest2 = 0.0;
    const double *x[4];
    ew_tet_corners(mesh, t, x);
    for (int k = 0; k < 6; k++) {
        const double *p = x[ew_edge_vertex[k][0]], *q = x[ew_edge_vertex[k][1]];
        const double a = q[0] - p[0], b = q[1] - p[1], c = q[2] - p[2];
        longest2 = fmax(longest2, a * a + b * b + c * c);
    }
    return sqrt(longest2);
}

/* Whether quality or size ask for the tet; without either of them every tet is asked for. */
static bool is_asked_for(const ew_mesh *mesh, const ew_remesh_def *def, int32_t t)
{
    const bool by_size = def->longer_than > 0.0 || def->shorter_than > 0.0;
    const double longest = by_size ? longest_edge(mesh, t) : 0.0;
    if (!by_size && !(def->worse_than > 0.0)) {
        return true;
    }
    return (def->worse_than > 0.0 && ew_mesh_tet_quality(mesh, t) < def->worse_than) ||
           (def->longer_than > 0.0 && longest > def->longer_than) ||
           (def->shorter_than > 0.0 && longest < def->shorter_than);
}

/* Adds the tets of `among` that share a vertex with those chosen so far. */
static ew_status add_ring(const ew_operation_input *in, const ew_set *among, ew_set *chosen)
{
    const ew_rows *rows = &in->topology->vertex_to_tet;
    const int32_t n = chosen->list.n;
    for (int32_t i = 0; i < 4 * n; i++) {
        const int32_t v = in->mesh->tet[4 * (size_t)chosen->list.id[i / 4] + (size_t)(i % 4)];
        for (int32_t k = 0; k < rows->count[v]; k++) {
            const int32_t t = rows->item[rows->begin[v] + k];
            EW_TRY(ew_set_has(among, t) ? ew_set_add(chosen, t) : EW_OK);
        }
    }
    return EW_OK;
}

ew_status ew_remesh_choose(const ew_operation_input *in, const ew_remesh_def *def,
                           const ew_list *tet, ew_set *chosen)
{
    ew_set among = {0};
    ew_status status = EW_OK;
    const bool everything = !tet;
    const int32_t n = everything ? in->mesh->n_tet : tet->n;
    for (int32_t i = 0; i < n && !status; i++) {
        const int32_t t = everything ? i : tet->id[i];
        if (!everything || ew_mesh_tet_is_live(in->mesh, t)) {
            status = ew_set_add(&among, t);
            if (!status && is_asked_for(in->mesh, def, t)) {
                status = ew_set_add(chosen, t);
            }
        }
    }
    for (int32_t i = 0; i < def->rings && !status; i++) {
        status = add_ring(in, &among, chosen);
    }
    ew_set_free(&among);
    return status;
}
