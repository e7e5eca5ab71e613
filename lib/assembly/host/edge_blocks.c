/* The diagonal blocks of edges as a source: each gathered from the tets around its edge, in
 * ascending order, then from the springs on its faces. A row without an edge has the identity. */
#include "assembly/host/blocks.h"
#include "curved_blocks.h"
#include "linear.h"

#include <string.h>

/* Fewer rows than this are not worth a team of threads. */
#define MIN_PARALLEL_ROWS 256

static int place_in_tet(const int32_t *tet, int32_t vertex)
{
    return (tet[1] == vertex) + 2 * (tet[2] == vertex) + 3 * (tet[3] == vertex);
}

/* sum: xx xy xz yy yz zz. */
static void add_ground(const ew_edge_blocks *from, int32_t edge, double sum[6])
{
    static const int entry[6] = {0, 3, 5, 1, 4, 2};
    double k[6];
    ew_face_ground_of_edge(from->ground, from->topology, edge, k);
    for (int i = 0; i < 6; i++) {
        sum[i] += k[entry[i]];
    }
}

/* block [3][3] = what the records of the tets around an edge give. */
static void gather_tangent(const ew_edge_blocks *from, int32_t edge, double *block)
{
    const ew_rows *tets = &from->topology->edge_to_tet;
    double k[6];
    memset(block, 0, 9 * sizeof *block);
    for (int32_t i = 0; i < tets->count[edge]; i++) {
        const int32_t t = tets->item[(size_t)tets->begin[edge] + (size_t)i];
        const int32_t *of_tet = from->topology->tet_to_edge + 6 * (size_t)t;
        int place = 0;
        while (of_tet[place] != edge) {
            place++;
        }
        ew_tangent_add_functions(from->internal_force, t, ew_edge_vertex[place],
                                 ew_edge_vertex[place], block);
    }
    if (from->ground && from->ground->n) {
        static const int entry[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2};
        ew_face_ground_of_edge(from->ground, from->topology, edge, k);
        for (int i = 0; i < 9; i++) {
            block[i] += k[entry[i]];
        }
    }
}

static void gather_block(const ew_edge_blocks *from, ew_matrix *matrix, int32_t row)
{
    const ew_rows *tets = &from->topology->edge_to_tet;
    const int32_t edge = from->rows->edge[row];
    double sum[6] = {0.0}, x[18], term[33], curve[18];
    if (edge >= 0 && from->internal_force) {
        gather_tangent(from, edge, matrix->diagonal + 9 * (size_t)row);
        return;
    }
    if (edge < 0) {
        sum[0] = sum[3] = sum[5] = 1.0;
    }
    for (int32_t i = 0; edge >= 0 && i < tets->count[edge]; i++) {
        const int32_t t = tets->item[(size_t)tets->begin[edge] + (size_t)i];
        const int32_t *vertex = from->mesh->tet + 4 * (size_t)t;
        const int32_t *end = from->topology->pattern.pair_row + 2 * (size_t)edge;
        const size_t region = (size_t)from->mesh->region[t];
        const double *lame = from->materials->lame + 2 * region;
        const double *moduli = from->materials->moduli + EW_MODULI_WIDTH * region;
        const bool is_isotropic = from->materials->is_isotropic;
        const int a = place_in_tet(vertex, end[0]), b = place_in_tet(vertex, end[1]);
        ew_mesh_tet_values(from->mesh, t, from->mesh->xyz, x);
        ew_materials_put_axes(from->materials, t, x);
        if (ew_tet_curves(from->rows, from->topology, t, curve)) {
            double law[21];
            if (!is_isotropic) {
                ew_moduli_at(moduli, x, law);
            }
            ew_curved_edge_diagonal(x, curve, is_isotropic ? lame : law, is_isotropic ? 2 : 21, a,
                                    b, sum);
        } else if (is_isotropic) {
            ew_linear_prepare(x, lame, term);
            ew_quadratic_add_diagonal(term + 3 * a, term + 3 * b, term[12], term[13], sum);
        } else {
            ew_anisotropic_prepare(x, moduli, term);
            ew_quadratic_add_any_diagonal(term + 3 * a, term + 3 * b, term + 12, sum);
        }
    }
    if (edge >= 0 && from->ground && from->ground->n) {
        add_ground(from, edge, sum);
    }
    const double full[9] = {sum[0], sum[1], sum[2], sum[1], sum[3], sum[4], sum[2], sum[4], sum[5]};
    memcpy(matrix->diagonal + 9 * (size_t)row, full, sizeof full);
}

static ew_status compute(const ew_source *source, ew_matrix *matrix,
                         const ew_pattern_change *change)
{
    const ew_edge_blocks *from = (const ew_edge_blocks *)source;
    const int32_t n = change ? change->touched_row.n : source->pattern->n_row;
#pragma omp parallel for schedule(static) if (n >= MIN_PARALLEL_ROWS)
    for (int32_t i = 0; i < n; i++) {
        gather_block(from, matrix, change ? change->touched_row.id[i] : i);
    }
    return EW_OK;
}

static ew_status check(const ew_source *source)
{
    const ew_edge_blocks *from = (const ew_edge_blocks *)source;
    const uint64_t revision = from->mesh->revision;
    if (from->topology->pattern.revision != revision || from->rows->mesh_revision != revision) {
        return ew_fail(EW_STALE,
                       "edge blocks: the tables are at revision %llu, the rows of edges at %llu, "
                       "the mesh at %llu; bring them up to date first",
                       (unsigned long long)from->topology->pattern.revision,
                       (unsigned long long)from->rows->mesh_revision, (unsigned long long)revision);
    }
    EW_TRY(ew_face_ground_check(from->ground, from->rows));
    EW_TRY(ew_assembly_check_records(source, from->mesh, from->internal_force));
    if (from->materials->n < from->mesh->n_region) {
        return ew_fail(EW_BAD_ARGUMENT, "edge blocks: %d materials for %d regions",
                       from->materials->n, from->mesh->n_region);
    }
    return EW_OK;
}

static uint64_t constants(const ew_source *source, int32_t *n)
{
    const ew_edge_blocks *from = (const ew_edge_blocks *)source;
    *n = ew_assembly_n_kind(*n, from->mesh, from->materials);
    return ew_materials_revision(from->materials, *n) + (from->internal_force != NULL);
}

ew_edge_blocks ew_edge_blocks_of(const ew_mesh *mesh, const ew_topology *topology,
                                 const ew_materials *materials, const ew_edge_rows *rows)
{
    return (ew_edge_blocks){.source = {.name = "edge blocks",
                                       .block = 3,
                                       .pattern = &rows->pattern,
                                       .check = check,
                                       .constants = constants,
                                       .compute = compute},
                            .mesh = mesh,
                            .topology = topology,
                            .materials = materials,
                            .rows = rows};
}
