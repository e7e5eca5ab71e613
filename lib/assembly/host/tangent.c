/* The tangent stiffness of a nonlinear body as a source: the blocks of each tet are read off its
 * record (internal_force.c), so that a block is gathered from its tets without computing any of
 * them. Kernel: tangent.cl, with the same bits. */
#include "assembly/host/blocks.h"
#include "quadratic_tangent.h"

#include <string.h>

/* With fewer blocks a thread costs more than it saves. */
#define MIN_BLOCKS_A_THREAD 1000

/* Local place of a vertex in a tet that has it. */
static inline int place_in_tet(const int32_t *tet, int32_t vertex)
{
    return (tet[1] == vertex) + 2 * (tet[2] == vertex) + 3 * (tet[3] == vertex);
}

/* block [9] = what the tets of a row of a table give to K_ab. */
static void sum_tets(const ew_tangent *from, const ew_rows *tets, int32_t slot, int32_t a,
                     int32_t b, double *block)
{
    const ew_internal_force *internal_force = from->internal_force;
    const size_t width = (size_t)internal_force->width, n_point = (size_t)internal_force->n_point;
    const bool turned = width == EW_RECORD_OF_TURNED;
    double sum[9] = {0.0};
    for (int32_t i = 0; i < tets->count[slot]; i++) {
        const int32_t tet = tets->item[(size_t)tets->begin[slot] + (size_t)i];
        const int32_t *vertex = from->mesh->tet + 4 * (size_t)tet;
        const double *record = internal_force->record + width * n_point * (size_t)tet;
        const int p = place_in_tet(vertex, a), q = place_in_tet(vertex, b);
        for (size_t k = 0; k < n_point; k++, record += width) {
            if (turned) {
                ew_transformed_add(record, p, q, sum);
            } else {
                ew_general_add(record, p, q, sum);
            }
        }
    }
    memcpy(block, sum, sizeof sum);
}

static void gather_row(const ew_tangent *from, ew_matrix *matrix, int32_t v)
{
    const ew_rows *tets = &from->topology->vertex_to_tet;
    double *block = matrix->diagonal + 9 * (size_t)v;
    sum_tets(from, tets, v, v, v, block);
    if (tets->count[v] == 0) {
        block[0] = block[4] = block[8] = 1.0;
    }
}

static void gather_pair(const ew_tangent *from, ew_matrix *matrix, int32_t pair)
{
    const int32_t *row = from->source.pattern->pair_row + 2 * (size_t)pair;
    if (row[0] >= 0) {
        sum_tets(from, &from->topology->edge_to_tet, pair, row[0], row[1],
                 matrix->pair + 9 * (size_t)pair);
    }
}

static ew_status compute(const ew_source *source, ew_matrix *matrix,
                         const ew_pattern_change *change)
{
    const ew_tangent *from = (const ew_tangent *)source;
    const ew_list *row = change ? &change->touched_row : NULL;
    const ew_list *pair = change ? &change->touched_pair : NULL;
    const int32_t n_row = row ? row->n : source->pattern->n_row;
    const int32_t n_pair = source->diagonal_only ? 0 : pair ? pair->n : source->pattern->n_pair;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n_row, MIN_BLOCKS_A_THREAD))
    for (int32_t i = 0; i < n_row; i++) {
        gather_row(from, matrix, row ? row->id[i] : i);
    }
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n_pair, MIN_BLOCKS_A_THREAD))
    for (int32_t i = 0; i < n_pair; i++) {
        gather_pair(from, matrix, pair ? pair->id[i] : i);
    }
    ew_assembly_add_ground(from->ground, from->topology, matrix, row);
    if (from->follower && !source->diagonal_only) {
        ew_follower_add_pairs(from->follower, pair, matrix);
    }
    return EW_OK;
}

ew_status ew_assembly_check_records(const ew_source *source, const ew_mesh *mesh,
                                    const ew_internal_force *internal_force)
{
    return internal_force && internal_force->n_tet != mesh->n_tet
               ? ew_fail(EW_STALE,
                         "%s: there are records of %d tets, the mesh has %d; find them again",
                         source->name, internal_force->n_tet, mesh->n_tet)
               : EW_OK;
}

static ew_status check(const ew_source *source)
{
    const ew_tangent *from = (const ew_tangent *)source;
    EW_TRY(ew_assembly_check_ground(source, from->mesh, from->ground, from->ground_revision));
    EW_TRY(ew_assembly_check_records(source, from->mesh, from->internal_force));
    return ew_assembly_check_tets(source, from->mesh, from->materials);
}

static uint64_t constants(const ew_source *source, int32_t *n)
{
    const ew_tangent *from = (const ew_tangent *)source;
    *n = ew_assembly_n_kind(*n, from->mesh, from->materials);
    return ew_materials_revision(from->materials, *n);
}

ew_tangent ew_tangent_of(const ew_mesh *mesh, const ew_topology *topology,
                         const ew_materials *materials, const ew_internal_force *internal_force)
{
    return (ew_tangent){.source = {.name = "tangent",
                                   .block = 3,
                                   .pattern = &topology->pattern,
                                   .check = check,
                                   .constants = constants,
                                   .compute = compute},
                        .mesh = mesh,
                        .topology = topology,
                        .materials = materials,
                        .internal_force = internal_force};
}

/* ---- functions of edges ----------------------------------------------------------------- */

/* The gradient of a function at a point; at: its two corners, a corner's own twice. */
static void gradient_at(const double *record, int point, const int8_t *at, double *gradient)
{
    double unused[3];
    if (at[0] == at[1]) {
        ew_pick_gradients(record, at[0], at[0], gradient, unused);
    } else {
        ew_edge_gradient(record, point, at[0], at[1], gradient);
    }
}

void ew_tangent_add_functions(const ew_internal_force *internal_force, int32_t tet, const int8_t *i,
                              const int8_t *j, double *block)
{
    const size_t width = (size_t)internal_force->width;
    const double *record = internal_force->record + width * EW_POINTS * (size_t)tet;
    const bool same = i[0] == j[0] && i[1] == j[1];
    for (int p = 0; p < EW_POINTS; p++, record += width) {
        double a[3], b[3];
        gradient_at(record, p, i, a);
        gradient_at(record, p, j, b);
        if (width == EW_RECORD_OF_TURNED) {
            ew_transformed_add_between(record, a, b, same, block);
        } else {
            ew_general_add_between(record, a, b, same, block);
        }
    }
}

/* ---- what records touch ------------------------------------------------------------ */

static ew_status mark_blocks(const ew_mesh *mesh, const ew_topology *topology, const ew_list *tet,
                             uint64_t *row, uint64_t *pair, ew_pattern_change *change)
{
    for (int32_t i = 0; i < tet->n; i++) {
        const size_t t = (size_t)tet->id[i];
        if (!ew_mesh_tet_is_live(mesh, tet->id[i])) {
            continue;
        }
        for (int k = 0; k < 4; k++) {
            ew_bit_set(row, mesh->tet[4 * t + (size_t)k]);
        }
        for (int k = 0; k < 6; k++) {
            ew_bit_set(pair, topology->tet_to_edge[6 * t + (size_t)k]);
        }
        EW_TRY(ew_list_push(&change->changed_item, tet->id[i]));
    }
    return EW_OK;
}

ew_status ew_tangent_change(const ew_mesh *mesh, const ew_topology *topology, const ew_list *tet,
                            ew_pattern_change *change)
{
    const ew_pattern *pattern = &topology->pattern;
    const int32_t row_words = pattern->n_row / 64 + 1, pair_words = pattern->n_pair / 64 + 1;
    uint64_t *row = NULL, *pair = NULL;
    ew_list *const list[] = {&change->created_pair, &change->freed_pair, &change->touched_pair,
                             &change->touched_row, &change->changed_item};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        list[i]->n = 0;
    }
    change->from_revision = change->to_revision = 0;
    ew_status status = ew_new_zero(&row, (size_t)row_words, sizeof *row);
    EW_TRY_OUT(status);
    EW_TRY_OUT(ew_new_zero(&pair, (size_t)pair_words, sizeof *pair));
    EW_TRY_OUT(mark_blocks(mesh, topology, tet, row, pair, change));
    EW_TRY_OUT(ew_list_push_bits(&change->touched_row, row, row_words));
    EW_TRY_OUT(ew_list_push_bits(&change->touched_pair, pair, pair_words));
    change->from_revision = change->to_revision = pattern->revision;
out:
    ew_release(row);
    ew_release(pair);
    return status;
}
