/* The matrix of a time step as a source: c_K K + c_M M. In: the blocks of a stiffness and of a mass
 * on one pattern, as they are now. Out: their combination, block by block. Kernel: combine.cl, with
 * the same bits. */
#include "assembly/host/blocks.h"
#include "combine.h"

#include <string.h>

/* With fewer blocks a thread costs more than it saves. */
#define MIN_BLOCKS_A_THREAD 4000

static void fill_row(const ew_combination *from, int32_t row, double *block)
{
    memcpy(block, from->k->diagonal + 9 * (size_t)row, 9 * sizeof *block);
    if (from->source.pattern->row_to_pair.count[row]) { /* else the identity, as in K */
        ew_combine_block(block, from->of_stiffness, 1, from->of_mass * from->m->diagonal[row]);
    }
}

static void fill_pair(const ew_combination *from, int32_t pair, double *block)
{
    const bool has_mass = !from->m->diagonal_only;
    memcpy(block, from->k->pair + 9 * (size_t)pair, 9 * sizeof *block);
    ew_combine_block(block, from->of_stiffness, has_mass,
                     has_mass ? from->of_mass * from->m->pair[pair] : 0.0);
}

static void fill_rows(const ew_combination *from, const ew_list *row, double *to)
{
    const int32_t n = row ? row->n : from->source.pattern->n_row;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, MIN_BLOCKS_A_THREAD))
    for (int32_t i = 0; i < n; i++) {
        const int32_t at = row ? row->id[i] : i;
        fill_row(from, at, to + 9 * (size_t)at);
    }
}

/* A freed pair is left as it is. */
static void fill_pairs(const ew_combination *from, const ew_list *pair, double *to)
{
    const int32_t *pair_row = from->source.pattern->pair_row;
    const int32_t n = pair ? pair->n : from->source.pattern->n_pair;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, MIN_BLOCKS_A_THREAD))
    for (int32_t i = 0; i < n; i++) {
        const int32_t at = pair ? pair->id[i] : i;
        if (pair_row[2 * (size_t)at] >= 0) {
            fill_pair(from, at, to + 9 * (size_t)at);
        }
    }
}

static ew_status compute(const ew_source *source, ew_matrix *matrix,
                         const ew_pattern_change *change)
{
    const ew_combination *from = (const ew_combination *)source;
    fill_rows(from, change ? &change->touched_row : NULL, matrix->diagonal);
    if (!source->diagonal_only) {
        fill_pairs(from, change ? &change->touched_pair : NULL, matrix->pair);
    }
    return EW_OK;
}

/* The blocks are those of the source as it is now. */
static ew_status check_part(const ew_source *part, const ew_matrix *matrix)
{
    EW_TRY(part->check(part));
    int32_t n = matrix->n_constants;
    if (!matrix->revision || matrix->revision != part->pattern->revision ||
        part->constants(part, &n) != matrix->constants) {
        return ew_fail(EW_STALE,
                       "step matrix: the blocks of the %s are at revision %llu, the tables at "
                       "%llu with their own constants; bring the %s up to date first",
                       part->name, (unsigned long long)matrix->revision,
                       (unsigned long long)part->pattern->revision, part->name);
    }
    return EW_OK;
}

static ew_status check(const ew_source *source)
{
    const ew_combination *from = (const ew_combination *)source;
    if (!from->k || !from->m || from->k->block != 3 || from->m->block != 1 ||
        from->k->diagonal_only != source->diagonal_only ||
        (from->m->diagonal_only && !from->mass->source.diagonal_only)) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "step matrix: needs a stiffness of 3x3 blocks and a mass of scalar ones");
    }
    EW_TRY(check_part(from->stiffness, from->k));
    return check_part(&from->mass->source, from->m);
}

static uint64_t constants(const ew_source *source, int32_t *n)
{
    const ew_combination *from = (const ew_combination *)source;
    const ew_source *k = from->stiffness, *m = &from->mass->source;
    const double coefficient[2] = {from->of_stiffness, from->of_mass};
    const uint64_t of_k = k->constants(k, n), of_m = m->constants(m, n);
    uint64_t hash = ew_hash(EW_HASH_START, &of_k, sizeof of_k);
    hash = ew_hash(hash, &of_m, sizeof of_m);
    return ew_hash(hash, coefficient, sizeof coefficient);
}

ew_combination ew_combination_of(const ew_source *stiffness, const ew_matrix *k,
                                 double of_stiffness, const ew_mass *mass, const ew_matrix *m,
                                 double of_mass)
{
    return (ew_combination){.source = {.name = "step matrix",
                                       .block = 3,
                                       .diagonal_only = stiffness->diagonal_only,
                                       .pattern = stiffness->pattern,
                                       .check = check,
                                       .constants = constants,
                                       .compute = compute},
                            .stiffness = stiffness,
                            .mass = mass,
                            .k = k,
                            .m = m,
                            .of_stiffness = of_stiffness,
                            .of_mass = of_mass};
}
