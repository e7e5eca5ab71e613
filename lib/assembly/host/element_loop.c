/* The element loop. Every thread owns a range of rows and visits the tets in ascending order,
 * preparing a tet once and adding its contributions to the blocks of its own rows (a pair belongs
 * to its lower row). So no two threads write one block, and every block is summed from +0.0 in
 * ascending tet order whatever the number of threads: the same bits as the gather of gather.c. */
#include "anisotropic.h"
#include "assembly/host/blocks.h"
#include "linear.h"

#include <string.h>

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* Of a formulation: known where the loop is compiled. */
typedef struct functions {
    void (*prepare)(const double *x, const double *constants, double *term);
    void (*add)(const double *term, int p, int q, double *block);
    size_t n_constant;
} functions;

/* How many tets ahead positions and blocks are fetched: they lie where the numbering put them. */
#define PREFETCH_AHEAD 6
/* Below this many tets a team of threads costs more than it saves. */
#define MIN_PARALLEL_TETS 4000

/* A thread's share of the loop. */
typedef struct share {
    ew_matrix *matrix;
    const ew_mesh *mesh;
    const ew_topology *topology;
    const ew_materials *materials;
    const double *constants; /* by region */
    const ew_marks *marks;   /* null: all blocks */
    int32_t begin, end;      /* its rows; an edge belongs to the lower of its two */
} share;

static inline bool is_own(const share *part, int32_t row)
{
    return row >= part->begin && row < part->end;
}

/* A diagonal block before its sum: zero, or the identity of a row without tets. */
static void start_diagonal(const share *part, int32_t row)
{
    double *block = part->matrix->diagonal + 9 * (size_t)row;
    memset(block, 0, 9 * sizeof *block);
    if (part->topology->vertex_to_tet.count[row] == 0) {
        block[0] = block[4] = block[8] = 1.0;
    }
}

/* Sets the share's blocks to what their sums start from. */
static void start_rows(const share *part)
{
    const ew_rows *rows = &part->topology->pattern.row_to_pair;
    const ew_marks *marks = part->marks;
    for (int32_t row = part->begin; row < part->end; row++) {
        if (marks && !ew_bit_has(marks->vertex, row)) {
            continue;
        }
        start_diagonal(part, row);
        for (int32_t i = 0; i < rows->count[row]; i++) {
            const int32_t *item = rows->item + 2 * ((size_t)rows->begin[row] + (size_t)i);
            if (item[0] > row && (!marks || ew_bit_has(marks->edge, item[1]))) {
                double *block = part->matrix->pair + 9 * (size_t)item[1];
                memset(block, 0, 9 * sizeof *block);
            }
        }
    }
}

/* False for a hole, too. */
static inline bool has_own(const share *part, const int32_t vertex[4])
{
    return is_own(part, vertex[0]) | is_own(part, vertex[1]) | is_own(part, vertex[2]) |
           is_own(part, vertex[3]);
}

/* Fetches what adding a tet will need. */
EW_PREFETCHER void prefetch_tet(const share *part, int32_t tet)
{
    const int32_t *vertex = part->mesh->tet + 4 * (size_t)tet;
    const int32_t *edge = part->topology->tet_to_edge + 6 * (size_t)tet;
    if (!has_own(part, vertex)) {
        return;
    }
    for (int i = 0; i < 4; i++) {
        ew_prefetch_block(part->matrix->diagonal + 9 * (size_t)vertex[i]);
        EW_PREFETCH(part->mesh->xyz + 3 * (size_t)vertex[i]);
    }
    for (int k = 0; k < 6; k++) {
        ew_prefetch_block(part->matrix->pair + 9 * (size_t)edge[k]);
    }
}

INLINE void prepare_tet(const share *part, int32_t tet, const functions *of, double *term)
{
    double x[18];
    ew_mesh_tet_values(part->mesh, tet, part->mesh->xyz, x);
    ew_materials_put_axes(part->materials, tet, x);
    of->prepare(x, part->constants + of->n_constant * (size_t)part->mesh->region[tet], term);
}

/* Adds one tet's contributions to the blocks of this share's rows. */
INLINE void add_tet(const share *part, int32_t tet, const functions *of)
{
    const int32_t *vertex = part->mesh->tet + 4 * (size_t)tet;
    const int32_t *edge = part->topology->tet_to_edge + 6 * (size_t)tet;
    double term[EW_MAX_TERMS];
    prepare_tet(part, tet, of, term);
#pragma GCC unroll 1 /* faster than all ten in a row */
    for (int i = 0; i < 4; i++) {
        if (is_own(part, vertex[i])) {
            of->add(term, i, i, part->matrix->diagonal + 9 * (size_t)vertex[i]);
        }
    }
#pragma GCC unroll 1
    for (int k = 0; k < 6; k++) {
        /* looked up, since a branch would be mispredicted */
        const bool down = vertex[ew_edge_vertex[k][0]] > vertex[ew_edge_vertex[k][1]];
        const int low = ew_edge_vertex[k][down], high = ew_edge_vertex[k][!down];
        if (is_own(part, vertex[low])) {
            of->add(term, low, high, part->matrix->pair + 9 * (size_t)edge[k]);
        }
    }
}

/* The two local vertices of each block of a tet: its diagonals, then its edges. */
static const int8_t block_vertex[10][2] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {0, 1},
                                           {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

/* The marked blocks of a tet in this part's rows, a bit each in the order of block_vertex. */
static inline uint64_t wanted_blocks(const share *part, const int32_t *vertex, const int32_t *edge)
{
    uint64_t wanted = 0;
    for (int i = 0; i < 4; i++) {
        const bool own = is_own(part, vertex[i]);
        wanted |= (uint64_t)(own & ew_bit_has(part->marks->vertex, vertex[i])) << i;
    }
    for (int k = 0; k < 6; k++) {
        const int32_t a = vertex[ew_edge_vertex[k][0]], b = vertex[ew_edge_vertex[k][1]];
        const bool own = is_own(part, a < b ? a : b);
        wanted |= (uint64_t)(own & ew_bit_has(part->marks->edge, edge[k])) << (4 + k);
    }
    return wanted;
}

/* As add_tet, but to marked blocks alone. They are few of the ten and follow no order: each is
 * found by its bit, since a branch for each of the ten would be mispredicted. */
INLINE void add_marked(const share *part, int32_t tet, const functions *of)
{
    const int32_t *vertex = part->mesh->tet + 4 * (size_t)tet;
    const int32_t *edge = part->topology->tet_to_edge + 6 * (size_t)tet;
    uint64_t wanted = wanted_blocks(part, vertex, edge);
    if (!wanted) {
        return;
    }
    double term[EW_MAX_TERMS];
    prepare_tet(part, tet, of, term);
    for (; wanted; wanted &= wanted - 1) {
        const int k = ew_lowest_bit(wanted);
        const int p = block_vertex[k][0], q = block_vertex[k][1];
        const bool down = vertex[p] > vertex[q];
        double *block = k < 4 ? part->matrix->diagonal + 9 * (size_t)vertex[p]
                              : part->matrix->pair + 9 * (size_t)edge[k - 4];
        of->add(term, down ? q : p, down ? p : q, block);
    }
}

INLINE void loop_all(const share *part, const functions *of)
{
    const ew_mesh *mesh = part->mesh;
    for (int32_t tet = 0; tet < mesh->n_tet; tet++) {
        if (tet + PREFETCH_AHEAD < mesh->n_tet) {
            prefetch_tet(part, tet + PREFETCH_AHEAD);
        }
        if (has_own(part, mesh->tet + 4 * (size_t)tet)) {
            add_tet(part, tet, of);
        }
    }
}

INLINE void loop_marked(const share *part, const functions *of)
{
    const ew_list *tets = &part->marks->tet;
    for (int32_t i = 0; i < tets->n; i++) {
        if (i + PREFETCH_AHEAD < tets->n) {
            prefetch_tet(part, tets->id[i + PREFETCH_AHEAD]);
        }
        if (!has_own(part, part->mesh->tet + 4 * (size_t)tets->id[i])) {
            continue;
        }
        if (ew_bit_has(part->marks->whole, tets->id[i])) {
            add_tet(part, tets->id[i], of);
        } else {
            add_marked(part, tets->id[i], of);
        }
    }
}

/* Compiled in for the functions it is given, where they are known. */
INLINE void loop(const share *part, const functions *of)
{
    if (part->marks) {
        loop_marked(part, of);
    } else {
        loop_all(part, of);
    }
}

/* Contributions to a row's blocks, about. */
static int64_t load_of_row(const ew_topology *topology, const ew_marks *marks, int32_t row)
{
    return !marks || ew_bit_has(marks->vertex, row) ? topology->vertex_to_tet.count[row] + 1 : 0;
}

/* First row before which at least `load` contributions lie. */
static int32_t row_at_load(const ew_topology *topology, const ew_marks *marks, int64_t load)
{
    int64_t before = 0;
    int32_t row = 0;
    while (row < topology->pattern.n_row && before < load) {
        before += load_of_row(topology, marks, row++);
    }
    return row;
}

void ew_assembly_loop(const ew_stiffness *from, ew_matrix *matrix, const ew_marks *marks)
{
    const ew_topology *topology = from->topology;
    const ew_element *element = from->element;
    const double *constants = element->constants(from->materials);
    const int32_t n_row = topology->pattern.n_row;
    const int n_part = from->mesh->n_tet < MIN_PARALLEL_TETS ? 1 : ew_threads();
    int64_t total = 0;
    for (int32_t row = 0; row < n_row && n_part > 1; row++) {
        total += load_of_row(topology, marks, row);
    }
#pragma omp parallel for schedule(static) num_threads(n_part)
    for (int k = 0; k < n_part; k++) {
        const int32_t begin = row_at_load(topology, marks, total * k / n_part);
        const int32_t end =
            k + 1 < n_part ? row_at_load(topology, marks, total * (k + 1) / n_part) : n_row;
        const share part = {matrix,    from->mesh, topology, from->materials,
                            constants, marks,      begin,    end};
        start_rows(&part);
        if (element == &ew_element_linear) {
            loop(&part, &(const functions){ew_linear_prepare, ew_linear_add, 2});
        } else if (element == &ew_element_anisotropic) {
            loop(&part, &(const functions){ew_anisotropic_prepare, ew_anisotropic_add,
                                           EW_MODULI_CONSTANTS});
        } else {
            loop(&part,
                 &(const functions){element->prepare, element->add, (size_t)element->n_constant});
        }
    }
}
