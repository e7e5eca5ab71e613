/* The direct solver as one of the preconditioners, whose answer is exact: what is solved, by the
 * true residual, is left to the solver. In: a system and its changes. Out: z = A^-1 r. Decides
 * between an update of the factor and a new one, which waits for the next solve: between two solves
 * there are states that no factor exists of, springs being gone before other constraints come. */
#include "solver/direct/cholesky.h"
#include "solver/cholmod.h"

#include <string.h>

/* A change of more rows, or a difference of more columns, is a new factor: 50 tets that do not
 * touch each other have so many. */
#define MAX_ROWS    200
#define MAX_COLUMNS 300
/* Tets that touch are one dense matrix, whose eigenvectors take some 0.8 ns n^3, where a new factor
 * takes 50 ns for each of its numbers: clumps in small bodies are made again. */
#define CUBES_PER_ENTRY 60.0

typedef struct cholesky {
    cholesky_blocks blocks;
    cholesky_factor *factor;
    cholesky_difference difference; /* memory of updates */
    cholesky_columns added, removed;
    ew_set row;
    uint8_t *fixed; /* [n_row] owned: constraints that the last new factor was analyzed with */
    int32_t n_row, row_capacity;
    uint64_t revision; /* of the pattern, then; 0: equations tied rows */
    bool has_oblique;
} cholesky;

static cholesky_source source_of(const ew_preconditioner *self, const ew_system *system)
{
    return (cholesky_source){.matrix = system->op->matrix,
                             .pattern = system->op->pattern,
                             .fixed = self->fixed,
                             .oblique = system->oblique};
}

/* ---- a new factor -------------------------------------------------------------------- */

/* Which rows equations tie is no part of the pattern's revision: a structure with them is of one
 * factor alone. */
static uint64_t structure_of(const ew_system *system)
{
    return system->equations ? 0 : system->op->pattern->revision;
}

static ew_status keep_structure(cholesky *own, const ew_preconditioner *self,
                                const ew_system *system)
{
    EW_TRY(ew_grow(&own->fixed, &own->row_capacity, self->n_row, sizeof *own->fixed));
    memcpy(own->fixed, self->fixed, (size_t)self->n_row);
    own->n_row = self->n_row;
    own->revision = structure_of(system);
    return EW_OK;
}

static bool has_same_structure(const cholesky *own, const ew_preconditioner *self,
                               const ew_system *system)
{
    return own->revision && own->revision == structure_of(system) && own->n_row == self->n_row &&
           !memcmp(own->fixed, self->fixed, (size_t)self->n_row);
}

static ew_status factor_again(ew_preconditioner *self, const ew_system *system)
{
    cholesky *own = self->data;
    EW_TRY(has_same_structure(own, self, system)
               ? cholesky_factor_refill(&own->factor, &own->blocks, self->fixed)
               : cholesky_factor_make(&own->factor, &own->blocks, self->fixed));
    self->factor =
        (ew_factor_info){.work = EW_FACTOR_NEW, .n_entry = cholesky_factor_entries(own->factor)};
    return keep_structure(own, self, system);
}

static ew_status set_up(ew_preconditioner *self, const ew_system *system)
{
    if (!system->op->matrix) {
        return ew_refuse(EW_RULE_BLOCKS, "solver: cholesky of a %s, unlike 'solver: cg',",
                         system->op->type->name);
    }
    if (!self->data) {
        EW_TRY(ew_new_zero(&self->data, 1, sizeof(cholesky)));
    }
    cholesky *own = self->data;
    const cholesky_source from = source_of(self, system);
    own->has_oblique = from.oblique && from.oblique->n;
    EW_TRY(cholesky_blocks_build(&own->blocks, &from));
    return factor_again(self, system);
}

/* ---- an update ------------------------------------------------------------------------ */

/* Columns of the difference into the factor. EW_LIMIT, EW_INDEFINITE: not to be had this way. */
static ew_status update_factor(ew_preconditioner *self)
{
    cholesky *own = self->data;
    const cholesky_limits limits = {MAX_ROWS, MAX_COLUMNS,
                                    CUBES_PER_ENTRY * (double)cholesky_factor_entries(own->factor)};
    EW_TRY(cholesky_columns_split(&own->difference, cholesky_factor_place(own->factor), &limits,
                                  &own->added, &own->removed));
    const int32_t n = own->added.n + own->removed.n;
    if (!n) {
        return EW_OK;
    }
    EW_TRY(cholesky_factor_update(own->factor, &own->added, &own->removed));
    self->factor.n_entry = cholesky_factor_entries(own->factor);
    self->factor.n_update++;
    if (self->factor.work != EW_FACTOR_NEW) {
        self->factor.work = EW_FACTOR_UPDATED;
        self->factor.n_column += n;
    }
    return EW_OK;
}

static ew_status follow_rows(ew_preconditioner *self, const ew_system *system, const ew_list *row)
{
    cholesky *own = self->data;
    const cholesky_source from = source_of(self, system);
    if (self->is_to_refill) {
        return EW_OK; /* before the next solve */
    }
    if (row->n > MAX_ROWS || self->n_row > cholesky_factor_rows(own->factor)) {
        self->is_to_refill = true;
        return EW_OK;
    }
    ew_set_clear(&own->row);
    for (int32_t i = 0; i < row->n; i++) {
        EW_TRY(ew_set_add(&own->row, row->id[i]));
    }
    own->has_oblique = from.oblique && from.oblique->n;
    EW_TRY(cholesky_blocks_update(&own->blocks, &from, &own->row, &own->difference));
    const ew_status status = update_factor(self);
    self->is_to_refill = status == EW_LIMIT || status == EW_INDEFINITE;
    return self->is_to_refill ? EW_OK : status;
}

/* ---- the kind's functions, which have the BLAS to themselves ---------------------------- */

static ew_status setup(ew_preconditioner *self, const ew_system *system)
{
    EW_TRY(cholesky_blas_reserve());
    const int threads = cholesky_blas_alone();
    const ew_status status = set_up(self, system);
    cholesky_blas_restore(threads);
    return status;
}

static ew_status follow(ew_preconditioner *self, const ew_system *system, const ew_list *row)
{
    const int threads = cholesky_blas_alone();
    const ew_status status = follow_rows(self, system, row);
    cholesky_blas_restore(threads);
    return status;
}

static ew_status update(ew_preconditioner *self, const ew_system *system,
                        const ew_pattern_change *change, int32_t n_before)
{
    (void)n_before; /* new rows with contributors are among the touched */
    return follow(self, system, &change->touched_row);
}

/* Updates leave of prescribed components what rounding is. */
static void solve_filtered(const ew_preconditioner *self, const double *r, double *z)
{
    const cholesky *own = self->data;
    const int threads = cholesky_blas_alone();
    cholesky_factor_solve(own->factor, self->n_row, r, z);
    cholesky_blas_restore(threads);
    for (int32_t i = 0; i < 3 * self->n_row; i++) {
        z[i] = self->fixed[i / 3] >> i % 3 & 1 ? 0.0 : z[i];
    }
}

static void apply(ew_preconditioner *self, const double *r, double *z)
{
#pragma omp single
    solve_filtered(self, r, z);
}

/* Many updates may add up to an inexact factor; directions may have changed unseen. */
static ew_status learn_from_solve(ew_preconditioner *self, const ew_pcg_info *info)
{
    const cholesky *own = self->data;
    if (info && info->iterations > EW_FACTOR_STEPS && (self->factor.n_update || own->has_oblique)) {
        self->is_to_refill = true;
    }
    return EW_OK;
}

static void free_cholesky(ew_preconditioner *self)
{
    cholesky *own = self->data;
    if (own) {
        cholesky_blocks_free(&own->blocks);
        cholesky_factor_free(own->factor);
        cholesky_difference_free(&own->difference);
        cholesky_columns_free(&own->added);
        cholesky_columns_free(&own->removed);
        ew_set_free(&own->row);
        ew_release(own->fixed);
        ew_release(own);
    }
}

const ew_preconditioner_type *ew_direct_solver(void)
{
    static const ew_preconditioner_type type = {.kind = EW_CHOLESKY,
                                                .needs_pairs = true,
                                                .setup = setup,
                                                .update = update,
                                                .refilter = follow,
                                                .refill = setup,
                                                .apply = apply,
                                                .learn = learn_from_solve,
                                                .free = free_cholesky};
    return &type;
}
