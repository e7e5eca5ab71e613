/* Stiffness as a source: tets contribute, and last springs to the ground. Few blocks are gathered
 * one by one, each from its tets; many are computed by the element loop over their tets alone,
 * nearly all by the loop over all tets. All three add the same numbers in the same order. */
#include "assembly/host/blocks.h"

#include <string.h>

/* The loop marks slots in arrays as long as the mesh, and prepares each tet but once. It pays from
 * about one block in this many on. */
#define LOOP_SHARE 12

static void mark_all(uint64_t *mark, const ew_list *list)
{
    for (int32_t i = 0; i < list->n; i++) {
        ew_bit_set(mark, list->id[i]);
    }
}

/* Every tet of a touched edge is a tet of its two touched vertices, so these name all. */
static ew_status mark_blocks(ew_marks *marks, const ew_topology *topology,
                             const ew_pattern_change *change)
{
    const ew_rows *tets = &topology->vertex_to_tet;
    const ew_list *touched = &change->touched_row;
    const size_t n_word = (size_t)topology->n_tet / 64 + 1;
    uint64_t *tet = NULL;
    EW_TRY(ew_new_zero(&marks->vertex, (size_t)topology->pattern.n_row / 64 + 1, sizeof(uint64_t)));
    EW_TRY(ew_new_zero(&marks->edge, (size_t)topology->pattern.n_pair / 64 + 1, sizeof(uint64_t)));
    EW_TRY(ew_new_zero(&marks->whole, n_word, sizeof(uint64_t)));
    mark_all(marks->vertex, touched);
    mark_all(marks->edge, &change->touched_pair);
    mark_all(marks->whole, &change->changed_item);
    EW_TRY(ew_new(&tet, n_word, sizeof *tet));
    memcpy(tet, marks->whole, n_word * sizeof *tet);
    for (int32_t i = 0; i < touched->n; i++) {
        const int32_t v = touched->id[i];
        for (int32_t j = 0; j < tets->count[v]; j++) {
            ew_bit_set(tet, tets->item[(size_t)tets->begin[v] + (size_t)j]);
        }
    }
    const ew_status status = ew_list_push_bits(&marks->tet, tet, (int32_t)n_word);
    ew_release(tet);
    return status;
}

static void free_marks(ew_marks *marks)
{
    ew_release(marks->vertex);
    ew_release(marks->edge);
    ew_release(marks->whole);
    ew_list_free(&marks->tet);
}

static ew_status add_tets(const ew_stiffness *from, ew_matrix *matrix,
                          const ew_pattern_change *change)
{
    const ew_pattern *pattern = from->source.pattern;
    const int64_t n_block = (int64_t)pattern->n_row + pattern->n_pair;
    if (from->source.diagonal_only) {
        ew_assembly_gather_diagonal(from, matrix, change ? &change->touched_row : NULL);
        return EW_OK;
    }
    if (!change) {
        ew_assembly_loop(from, matrix, NULL);
        return EW_OK;
    }
    if (LOOP_SHARE * ((int64_t)change->touched_row.n + change->touched_pair.n) < n_block) {
        ew_assembly_gather(from, matrix, change);
        return EW_OK;
    }
    ew_marks marks = {0};
    const ew_status status = mark_blocks(&marks, from->topology, change);
    if (!status) {
        ew_assembly_loop(from, matrix, &marks);
    }
    free_marks(&marks);
    return status;
}

static bool is_majority(const ew_pattern *pattern, const ew_pattern_change *change)
{
    return 10 * (int64_t)change->touched_pair.n >= 9 * (int64_t)pattern->n_live_pair;
}

static ew_status compute(const ew_source *source, ew_matrix *matrix,
                         const ew_pattern_change *change)
{
    const ew_stiffness *from = (const ew_stiffness *)source;
    change = change && !is_majority(source->pattern, change) ? change : NULL;
    EW_TRY(add_tets(from, matrix, change));
    ew_assembly_add_ground(from->ground, from->topology, matrix,
                           change ? &change->touched_row : NULL);
    return EW_OK;
}

static ew_status check(const ew_source *source)
{
    const ew_stiffness *from = (const ew_stiffness *)source;
    EW_TRY(ew_assembly_check_ground(source, from->mesh, from->ground, from->ground_revision));
    return ew_assembly_check_tets(source, from->mesh, from->materials);
}

static uint64_t constants(const ew_source *source, int32_t *n)
{
    const ew_stiffness *from = (const ew_stiffness *)source;
    *n = ew_assembly_n_kind(*n, from->mesh, from->materials);
    return ew_materials_revision(from->materials, *n);
}

ew_stiffness ew_stiffness_of(const ew_mesh *mesh, const ew_topology *topology,
                             const ew_materials *materials)
{
    return (ew_stiffness){.source = {.name = "stiffness",
                                     .block = 3,
                                     .pattern = &topology->pattern,
                                     .check = check,
                                     .constants = constants,
                                     .compute = compute},
                          .mesh = mesh,
                          .topology = topology,
                          .materials = materials,
                          .element = ew_element_for(materials)};
}

ew_status ew_stiffness_build(ew_matrix *matrix, const ew_mesh *mesh, const ew_topology *topology,
                             const ew_materials *materials)
{
    const ew_stiffness stiffness = ew_stiffness_of(mesh, topology, materials);
    return ew_matrix_build(matrix, &stiffness.source);
}

ew_status ew_stiffness_revalidate(ew_matrix *matrix, const ew_mesh *mesh,
                                  const ew_topology *topology, const ew_materials *materials,
                                  const ew_pattern_change *change)
{
    const ew_stiffness stiffness = ew_stiffness_of(mesh, topology, materials);
    return ew_matrix_revalidate(matrix, &stiffness.source, change);
}
