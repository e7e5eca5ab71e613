/* The geometric stiffness as a source: what a stress that is there already adds to the stiffness
 * against rotation. In: positions, the stress of every tet. Out: scalar blocks V g_a . sigma g_b,
 * which stand for that times the identity (Zienkiewicz & Taylor 2005, volume 2, section 1.4). */
#include "assembly/host/blocks.h"
#include "tet.h"

#include <math.h>

#define MIN_BLOCKS_A_THREAD 4000

/* Place of a vertex in a tet. */
static int place_of(const ew_mesh *mesh, int32_t tet, int32_t vertex)
{
    int k = 0;
    while (mesh->tet[4 * (size_t)tet + (size_t)k] != vertex) {
        k++;
    }
    return k;
}

/* Of one tet and the vertices a and b. */
static double contribution(const ew_geometric *from, int32_t tet, int32_t a, int32_t b)
{
    double x[12], g[12];
    ew_mesh_tet_values(from->mesh, tet, from->mesh->xyz, x);
    const double volume = ew_tet_gradients(x, g);
    const double *s = from->stress + 6 * (size_t)tet; /* xx yy zz xy yz xz */
    const double *p = g + 3 * place_of(from->mesh, tet, a);
    const double *q = g + 3 * place_of(from->mesh, tet, b);
    const double on_q[3] = {s[0] * q[0] + s[3] * q[1] + s[5] * q[2],
                            s[3] * q[0] + s[1] * q[1] + s[4] * q[2],
                            s[5] * q[0] + s[4] * q[1] + s[2] * q[2]};
    return volume * (p[0] * on_q[0] + p[1] * on_q[1] + p[2] * on_q[2]);
}

static double sum_of_tets(const ew_geometric *from, const ew_rows *tets, int32_t slot, int32_t a,
                          int32_t b)
{
    const int32_t *item = tets->item + (size_t)(tets->count[slot] ? tets->begin[slot] : 0);
    double sum = 0.0;
    for (int32_t i = 0; i < tets->count[slot]; i++) {
        sum += contribution(from, item[i], a, b);
    }
    return sum;
}

static ew_status compute(const ew_source *source, ew_matrix *matrix,
                         const ew_pattern_change *change)
{
    const ew_geometric *from = (const ew_geometric *)source;
    const ew_pattern *pattern = source->pattern;
    const ew_list *row = change ? &change->touched_row : NULL;
    const ew_list *pair = change ? &change->touched_pair : NULL;
    const int32_t n_row = row ? row->n : pattern->n_row, n_pair = pair ? pair->n : pattern->n_pair;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n_row, MIN_BLOCKS_A_THREAD))
    for (int32_t i = 0; i < n_row; i++) {
        const int32_t v = row ? row->id[i] : i;
        const ew_rows *tets = &from->topology->vertex_to_tet;
        matrix->diagonal[v] = tets->count[v] ? sum_of_tets(from, tets, v, v, v) : 1.0;
    }
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n_pair, MIN_BLOCKS_A_THREAD))
    for (int32_t i = 0; i < n_pair; i++) {
        const int32_t e = pair ? pair->id[i] : i;
        const int32_t *of = pattern->pair_row + 2 * (size_t)e;
        matrix->pair[e] =
            of[0] < 0 ? 0.0 : sum_of_tets(from, &from->topology->edge_to_tet, e, of[0], of[1]);
    }
    return EW_OK;
}

static ew_status check(const ew_source *source)
{
    const ew_geometric *from = (const ew_geometric *)source;
    return ew_assembly_check_tets(source, from->mesh, from->materials);
}

ew_geometric ew_geometric_of(const ew_mesh *mesh, const ew_topology *topology,
                             const ew_materials *materials, const double *stress)
{
    return (ew_geometric){.source = {.name = "geometric stiffness",
                                     .block = 1,
                                     .pattern = &topology->pattern,
                                     .check = check,
                                     .compute = compute},
                          .mesh = mesh,
                          .topology = topology,
                          .materials = materials,
                          .stress = stress};
}
