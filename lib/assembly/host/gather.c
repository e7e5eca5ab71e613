/* The gather: each block that a change names summed from its own tets, in ascending order. Cheapest
 * for few blocks; the same bits as the element loop of element_loop.c. */
#include "assembly/host/blocks.h"

#include <string.h>

/* Touched vertices fetched ahead of use. */
#define PREFETCH_AHEAD 4

/* With fewer rows a thread costs more than it saves. */
#define MIN_ROWS_A_THREAD 1000

/* The tets seen last: a tet serves up to ten of the touched blocks. Slot: the tet's number modulo
 * that of the slots, 256 where their terms fit, else 64; the tets around a vertex of a well
 * numbered mesh are near each other, so few collide. 38 kB of stack. */
#define N_RECENT  256
#define TERM_ROOM 16 /* doubles of each */
typedef struct recent {
    const double *constants; /* by region, n_constant each */
    size_t n_constant, n_term;
    uint32_t mask;
    int32_t tet[N_RECENT]; /* -1: free */
    int32_t vertex[N_RECENT][4];
    double term[N_RECENT * TERM_ROOM]; /* n_term each */
} recent;
_Static_assert(N_RECENT / 4 * EW_MAX_TERMS <= N_RECENT * TERM_ROOM, "64 tets have room");

static void start_recent(recent *seen, const ew_stiffness *from)
{
    const ew_element *element = from->element;
    const bool is_short = element->n_term <= TERM_ROOM;
    seen->constants = element->constants(from->materials);
    seen->n_constant = (size_t)element->n_constant;
    seen->n_term = is_short ? TERM_ROOM : EW_MAX_TERMS;
    seen->mask = is_short ? N_RECENT - 1 : N_RECENT / 4 - 1;
    memset(seen->tet, 0xff, sizeof seen->tet);
}

/* The slot of a tet, prepared. */
static inline size_t find_tet(recent *seen, const ew_stiffness *from, int32_t tet)
{
    const ew_mesh *mesh = from->mesh;
    const size_t at = (uint32_t)tet & seen->mask;
    if (seen->tet[at] != tet) {
        seen->tet[at] = tet;
        memcpy(seen->vertex[at], mesh->tet + 4 * (size_t)tet, sizeof seen->vertex[at]);
        double x[18];
        ew_mesh_tet_values(mesh, tet, mesh->xyz, x);
        ew_materials_put_axes(from->materials, tet, x);
        from->element->prepare(x, seen->constants + seen->n_constant * (size_t)mesh->region[tet],
                               seen->term + seen->n_term * at);
    }
    return at;
}

/* Local place of a vertex in a tet that has it. A sum, since branches would be guessed wrong. */
static inline int place_in_tet(const int32_t *tet, int32_t vertex)
{
    return (tet[1] == vertex) + 2 * (tet[2] == vertex) + 3 * (tet[3] == vertex);
}

static void gather_diagonal(recent *seen, const ew_stiffness *from, ew_matrix *matrix, int32_t v)
{
    const ew_rows *tets = &from->topology->vertex_to_tet;
    double sum[6] = {0.0}, *block = matrix->diagonal + 9 * (size_t)v;
    if (tets->count[v] == 0) {
        sum[0] = sum[3] = sum[5] = 1.0;
    }
    for (int32_t i = 0; i < tets->count[v]; i++) {
        const size_t at = find_tet(seen, from, tets->item[(size_t)tets->begin[v] + (size_t)i]);
        from->element->add_diagonal(seen->term + seen->n_term * at,
                                    place_in_tet(seen->vertex[at], v), sum);
    }
    const double full[9] = {sum[0], sum[1], sum[2], sum[1], sum[3], sum[4], sum[2], sum[4], sum[5]};
    memcpy(block, full, sizeof full);
}

static void gather_pair(recent *seen, const ew_stiffness *from, ew_matrix *matrix, int32_t edge)
{
    const ew_rows *tets = &from->topology->edge_to_tet;
    const int32_t *row = from->topology->pattern.pair_row + 2 * (size_t)edge;
    double sum[9] = {0.0};
    for (int32_t i = 0; i < tets->count[edge]; i++) {
        const size_t at = find_tet(seen, from, tets->item[(size_t)tets->begin[edge] + (size_t)i]);
        from->element->add(seen->term + seen->n_term * at, place_in_tet(seen->vertex[at], row[0]),
                           place_in_tet(seen->vertex[at], row[1]), sum);
    }
    memcpy(matrix->pair + 9 * (size_t)edge, sum, sizeof sum);
}

/* Fetches what the blocks of a vertex and its edges are computed from. */
EW_PREFETCHER void prefetch_vertex(const ew_matrix *matrix, const ew_mesh *mesh,
                                   const ew_topology *topology, int32_t v)
{
    const ew_rows *tets = &topology->vertex_to_tet;
    ew_prefetch_block(matrix->diagonal + 9 * (size_t)v);
    for (int32_t i = 0; i < tets->count[v]; i++) {
        const int32_t tet = tets->item[(size_t)tets->begin[v] + (size_t)i];
        EW_PREFETCH(mesh->region + tet);
        for (int k = 0; k < 4; k++) {
            EW_PREFETCH(mesh->xyz + 3 * (size_t)mesh->tet[4 * (size_t)tet + k]);
        }
    }
}

/* Each pair after its lower row, as far as pair slots ascend with it: tets are still at hand. */
void ew_assembly_gather(const ew_stiffness *from, ew_matrix *matrix,
                        const ew_pattern_change *change)
{
    const ew_list *row = &change->touched_row, *pair = &change->touched_pair;
    const ew_mesh *mesh = from->mesh;
    const ew_topology *topology = from->topology;
    recent seen;
    start_recent(&seen, from);
    for (int32_t i = 0; i < pair->n; i++) {
        ew_prefetch_block(matrix->pair + 9 * (size_t)pair->id[i]);
    }
    for (int32_t i = 0; i < row->n && i < PREFETCH_AHEAD; i++) {
        prefetch_vertex(matrix, mesh, topology, row->id[i]);
    }
    int32_t k = 0;
    for (int32_t i = 0; i < row->n; i++) {
        int32_t v = row->id[i];
        if (i + PREFETCH_AHEAD < row->n) {
            prefetch_vertex(matrix, mesh, topology, row->id[i + PREFETCH_AHEAD]);
        }
        gather_diagonal(&seen, from, matrix, v);
        for (; k < pair->n && topology->pattern.pair_row[2 * (size_t)pair->id[k]] <= v; k++) {
            gather_pair(&seen, from, matrix, pair->id[k]);
        }
    }
    for (; k < pair->n; k++) {
        gather_pair(&seen, from, matrix, pair->id[k]);
    }
}

static void gather_range(const ew_stiffness *from, ew_matrix *matrix, const ew_list *row,
                         int32_t begin, int32_t end)
{
    recent seen;
    start_recent(&seen, from);
    for (int32_t i = begin; i < end; i++) {
        gather_diagonal(&seen, from, matrix, row ? row->id[i] : i);
    }
}

void ew_assembly_gather_diagonal(const ew_stiffness *from, ew_matrix *matrix, const ew_list *row)
{
    const int32_t n = row ? row->n : from->source.pattern->n_row;
    const int n_part = ew_threads_for(n, MIN_ROWS_A_THREAD);
#pragma omp parallel for schedule(static) num_threads(n_part)
    for (int k = 0; k < n_part; k++) {
        gather_range(from, matrix, row, (int32_t)((int64_t)n * k / n_part),
                     (int32_t)((int64_t)n * (k + 1) / n_part));
    }
}
