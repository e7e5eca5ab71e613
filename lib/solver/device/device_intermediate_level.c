/* The level of groups on a device. In: aggregates, groups and the aggregates' matrix on the host.
 * Out: their copies there, blocks of groups, and cycles. */
#include "solver/device/device_intermediate_level.h"

#include <string.h>

/* Items of a group, as in intermediate_level.cl. */
enum {
    BLOCK_ITEMS = 36,
    SMOOTH_ROWS = 16,
    SMOOTH_ITEMS = 96,
    RESTRICT_ITEMS = 48,
    PROLONG_ITEMS = 96
};

static bool has_double(const ew_device_intermediate_level *self)
{
    return ew_device_about(self->device)->has_double;
}

/* ---- what is sent ---------------------------------------------------------- */

/* Sources of the copies. */
typedef struct source {
    const ew_intermediate_level *intermediate;
    const ew_grouped_level *level;
} source;

/* One kind of copy: `count` numbers for an aggregate or a pair. */
typedef struct kind {
    ew_buffer *to;
    int32_t count;
    bool single;
    void (*fill)(const source *from, int32_t which, double *number);
} kind;

static void fill_pair(const source *from, int32_t pair, double *block)
{
    memcpy(block, from->level->matrix->pair + 36 * (size_t)pair, 36 * sizeof *block);
}

static void fill_raw(const source *from, int32_t a, double *block)
{
    memcpy(block, from->level->matrix->diagonal + 36 * (size_t)a, 36 * sizeof *block);
}

static void fill_map(const source *from, int32_t a, double *map)
{
    memcpy(map, from->intermediate->map + 4 * (size_t)a, 4 * sizeof *map);
}

static void fill_diagonal(const source *from, int32_t a, double *block)
{
    memcpy(block, from->level->diagonal + 36 * (size_t)a, 36 * sizeof *block);
}

static void fill_inverse(const source *from, int32_t a, double *block)
{
    ew_invert_block(from->level->diagonal + 36 * (size_t)a, block);
    for (int i = 0; i < 36; i++) {
        block[i] *= EW_DEVICE_DAMPING;
    }
}

static void fill_modes(const source *from, int32_t a, double *block)
{
    for (int j = 0; j < 6; j++) {
        double unit[6] = {0.0}, own[6];
        unit[j] = 1.0;
        ew_group_move(from->intermediate->map + 4 * (size_t)a, unit, own);
        ew_take_out_null_modes(from->level, a, own);
        for (int i = 0; i < 6; i++) {
            block[6 * i + j] = own[i];
        }
    }
}

static void round_numbers(double *number, int64_t n)
{
    float *narrow = (float *)number;
    for (int64_t i = 0; i < n; i++) {
        const float rounded = (float)number[i];
        memcpy(narrow + i, &rounded, sizeof rounded);
    }
}

/* All n of them, in transit. */
static ew_status fill_all(ew_device_intermediate_level *self, const source *from, const kind *copy,
                          int32_t n)
{
    EW_TRY(ew_grow(&self->transit, &self->transit_capacity, n, 36 * sizeof *self->transit));
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, 1024))
    for (int32_t i = 0; i < n; i++) {
        copy->fill(from, i, self->transit + (size_t)copy->count * (size_t)i);
    }
    if (copy->single) {
        round_numbers(self->transit, (int64_t)copy->count * n);
    }
    return EW_OK;
}

static size_t bytes_of(const kind *copy)
{
    return (size_t)copy->count * (copy->single ? sizeof(float) : sizeof(double));
}

/* Of n: the listed ones, or all of them. */
static ew_status put(ew_device_intermediate_level *self, const source *from, const kind *copy,
                     int32_t n, const ew_list *listed)
{
    double number[36];
    if (!listed) {
        EW_TRY(fill_all(self, from, copy, n));
        return ew_upload_whole(&self->upload, copy->to, bytes_of(copy) * (size_t)n, self->transit);
    }
    EW_TRY(ew_upload_to(&self->upload, copy->to, n, (int32_t)(bytes_of(copy) / sizeof(uint32_t))));
    for (int32_t i = 0; i < listed->n; i++) {
        copy->fill(from, listed->id[i], number);
        if (copy->single) {
            round_numbers(number, copy->count);
        }
        EW_TRY(ew_upload_put(&self->upload, listed->id[i], number));
    }
    return EW_OK;
}

enum { KINDS = 7, PAIR_KINDS = 2 };

/* Those of pairs first; what the device has no use for has no fill. */
static void list_kinds(ew_device_intermediate_level *self, kind all[KINDS])
{
    const bool wide = has_double(self), single = self->single;
    const kind list[KINDS] = {
        {&self->pair, 36, false, wide ? fill_pair : NULL},
        {&self->pair_single, 36, true, single ? fill_pair : NULL},
        {&self->raw, 36, false, wide ? fill_raw : NULL},
        {&self->map, 4, false, wide ? fill_map : NULL},
        {&self->diagonal, 36, single, fill_diagonal},
        {&self->inverse, 36, single, fill_inverse},
        {&self->modes, 36, single, fill_modes},
    };
    memcpy(all, list, sizeof list);
}

static ew_status put_blocks(ew_device_intermediate_level *self, const source *from,
                            const ew_pattern_change *change)
{
    kind all[KINDS];
    list_kinds(self, all);
    for (int k = 0; k < KINDS; k++) {
        const bool of_pairs = k < PAIR_KINDS;
        const int32_t n = of_pairs ? from->level->pattern->n_pair : self->n;
        const ew_list *listed = !change    ? NULL
                                : of_pairs ? &change->touched_pair
                                           : &from->intermediate->remapped;
        EW_TRY(all[k].fill ? put(self, from, &all[k], n, listed) : EW_OK);
    }
    return EW_OK;
}

/* ---- tables ---------------------------------------------------------------- */

static ew_status put_ids(ew_device_intermediate_level *self,
                         const ew_intermediate_level *intermediate, const ew_list *listed)
{
    const size_t bytes = sizeof(int32_t) * (size_t)self->n;
    if (!listed) {
        int32_t *position = (int32_t *)self->transit; /* which has room for a block each */
        for (int32_t a = 0; a < self->n; a++) {
            position[a] = a;
        }
        EW_TRY(ew_upload_whole(&self->upload, &self->position, bytes, position));
        return ew_upload_whole(&self->upload, &self->group_of, bytes, intermediate->groups.of_row);
    }
    EW_TRY(ew_upload_to(&self->upload, &self->position, self->n, 1));
    for (int32_t i = 0; i < listed->n; i++) {
        EW_TRY(ew_upload_put(&self->upload, listed->id[i], &listed->id[i]));
    }
    EW_TRY(ew_upload_to(&self->upload, &self->group_of, self->n, 1));
    for (int32_t i = 0; i < listed->n; i++) {
        EW_TRY(ew_upload_put(&self->upload, listed->id[i],
                             intermediate->groups.of_row + listed->id[i]));
    }
    return EW_OK;
}

static ew_status put_tables(ew_device_intermediate_level *self, const source *from,
                            const ew_pattern_change *change)
{
    const ew_intermediate_level *intermediate = from->intermediate;
    EW_TRY(ew_grow(&self->transit, &self->transit_capacity, self->n, 36 * sizeof(double)));
    EW_TRY(put_ids(self, intermediate, change ? &intermediate->remapped : NULL));
    EW_TRY(ew_device_rows_put(&self->member, &self->upload, &intermediate->groups.member,
                              change ? &intermediate->group_change.aggregate.list : NULL));
    return ew_device_rows_put(&self->row_to_pair, &self->upload, &from->level->pattern->row_to_pair,
                              change ? &change->touched_row : NULL);
}

static ew_status reserve(ew_device_intermediate_level *self)
{
    const size_t real = self->single ? sizeof(float) : sizeof(double);
    const size_t bytes = 6 * real * (size_t)self->n;
    const char *options = ew_device_real_options(self->device, self->single);
    EW_TRY(ew_buffer_reserve(self->device, &self->b, bytes));
    EW_TRY(ew_buffer_reserve(self->device, &self->x, bytes));
    EW_TRY(ew_buffer_reserve(self->device, &self->y, bytes));
    EW_TRY(ew_device_kernel(self->device, "intermediate_level", "smooth_rows", options,
                            &self->smooth));
    EW_TRY(ew_device_kernel(self->device, "intermediate_level", "restrict_rows", options,
                            &self->restrict_rows));
    return ew_device_kernel(self->device, "intermediate_level", "prolong_rows", options,
                            &self->prolong);
}

ew_status ew_device_intermediate_level_follow(ew_device_intermediate_level *self,
                                              const ew_intermediate_level *intermediate,
                                              const ew_grouped_level *level,
                                              const ew_pattern_change *change)
{
    const source from = {intermediate, level};
    self->n = level->aggregates->n;
    self->n_group = intermediate->groups.n;
    EW_TRY(reserve(self));
    EW_TRY(ew_upload_begin(&self->upload, self->device));
    EW_TRY(put_tables(self, &from, change));
    EW_TRY(ew_upload_send(&self->upload));
    EW_TRY(ew_upload_begin(&self->upload, self->device));
    EW_TRY(put_blocks(self, &from, change));
    EW_TRY(ew_upload_send(&self->upload));
    return EW_OK;
}

/* ---- blocks of groups ------------------------------------------------------ */

bool ew_device_intermediate_level_gathers(const ew_device_intermediate_level *self)
{
    return has_double(self);
}

ew_status ew_device_intermediate_level_gather(ew_device_intermediate_level *self,
                                              const ew_pattern *pattern, ew_matrix *coarse,
                                              const ew_pattern_change *change,
                                              const ew_set *touched)
{
    ew_device_blocks *blocks = &self->gathered;
    const ew_device_rows *rows = &self->row_to_pair;
    ew_kernel *kernel;
    uint32_t first;
    EW_TRY(ew_device_blocks_list(blocks, pattern, change ? &change->touched_row : NULL, touched));
    if (blocks->n == 0) {
        return EW_OK;
    }
    EW_TRY(ew_device_kernel(self->device, "intermediate_level", "gather_groups",
                            ew_device_real_options(self->device, false), &kernel));
    EW_TRY(ew_device_blocks_send(blocks, &self->upload, self->device, &first));
    const ew_argument argument[] = {EW_ARG_VALUE(blocks->n),
                                    EW_ARG_VALUE(first),
                                    EW_ARG_BUFFER(&self->upload.staging),
                                    EW_ARG_BUFFER(&self->group_of),
                                    EW_ARG_BUFFER(&self->map),
                                    EW_ARG_BUFFER(&self->member.begin),
                                    EW_ARG_BUFFER(&self->member.count),
                                    EW_ARG_BUFFER(&self->member.item),
                                    EW_ARG_BUFFER(&rows->begin),
                                    EW_ARG_BUFFER(&rows->count),
                                    EW_ARG_BUFFER(&rows->item),
                                    EW_ARG_BUFFER(&self->raw),
                                    EW_ARG_BUFFER(&self->pair),
                                    EW_ARG_BUFFER(&blocks->block)};
    EW_TRY(ew_kernel_run(self->device, kernel, BLOCK_ITEMS * (size_t)blocks->n, BLOCK_ITEMS, 14,
                         argument));
    return ew_device_blocks_take(blocks, self->device, pattern, touched, coarse);
}

/* ---- cycles ---------------------------------------------------------------- */

static const ew_buffer *working_pair(const ew_device_intermediate_level *self)
{
    return self->single ? &self->pair_single : &self->pair;
}

/* to = from + damping D^-1 (b - A from) */
static ew_status smooth(const ew_device_intermediate_level *self, bool is_zero,
                        const ew_buffer *from, const ew_buffer *to)
{
    const ew_device_rows *rows = &self->row_to_pair;
    const int32_t from_zero = is_zero;
    const size_t n_group = ((size_t)self->n + SMOOTH_ROWS - 1) / SMOOTH_ROWS;
    const ew_argument argument[] = {EW_ARG_VALUE(self->n),
                                    EW_ARG_VALUE(from_zero),
                                    EW_ARG_BUFFER(&rows->begin),
                                    EW_ARG_BUFFER(&rows->count),
                                    EW_ARG_BUFFER(&rows->item),
                                    EW_ARG_BUFFER(&self->diagonal),
                                    EW_ARG_BUFFER(working_pair(self)),
                                    EW_ARG_BUFFER(&self->inverse),
                                    EW_ARG_BUFFER(&self->b),
                                    EW_ARG_BUFFER(from),
                                    EW_ARG_BUFFER(to)};
    return ew_kernel_run(self->device, self->smooth, n_group * SMOOTH_ITEMS, SMOOTH_ITEMS, 11,
                         argument);
}

/* y += E (E^T A E)^-1 E^T (b - A y) */
static ew_status correct(const ew_device_intermediate_level *self,
                         const ew_device_coarsest_factor *coarsest)
{
    const ew_device_rows *rows = &self->row_to_pair;
    const ew_argument down[] = {EW_ARG_BUFFER(&self->member.begin),
                                EW_ARG_BUFFER(&self->member.count),
                                EW_ARG_BUFFER(&self->member.item),
                                EW_ARG_BUFFER(&coarsest->position),
                                EW_ARG_BUFFER(&rows->begin),
                                EW_ARG_BUFFER(&rows->count),
                                EW_ARG_BUFFER(&rows->item),
                                EW_ARG_BUFFER(&self->diagonal),
                                EW_ARG_BUFFER(working_pair(self)),
                                EW_ARG_BUFFER(&self->modes),
                                EW_ARG_BUFFER(&self->b),
                                EW_ARG_BUFFER(&self->y),
                                EW_ARG_BUFFER(&coarsest->x)};
    const ew_argument up[] = {EW_ARG_VALUE(self->n),
                              EW_ARG_BUFFER(&self->group_of),
                              EW_ARG_BUFFER(&coarsest->position),
                              EW_ARG_BUFFER(&self->modes),
                              EW_ARG_BUFFER(&coarsest->x),
                              EW_ARG_BUFFER(&self->y)};
    EW_TRY(ew_kernel_run(self->device, self->restrict_rows, RESTRICT_ITEMS * (size_t)self->n_group,
                         RESTRICT_ITEMS, 13, down));
    EW_TRY(ew_device_coarsest_factor_solve(coarsest, self->device));
    return ew_kernel_run(self->device, self->prolong, 6 * (size_t)self->n, PROLONG_ITEMS, 6, up);
}

ew_status ew_device_intermediate_level_solve(const ew_device_intermediate_level *self,
                                             const ew_device_coarsest_factor *coarsest)
{
    for (int k = 0; k < EW_INTERMEDIATE_CYCLES; k++) {
        EW_TRY(smooth(self, k == 0, &self->x, &self->y));
        EW_TRY(correct(self, coarsest));
        EW_TRY(smooth(self, false, &self->y, &self->x));
    }
    return EW_OK;
}

/* ---- the rest -------------------------------------------------------------- */

static ew_status check_copy(ew_device_intermediate_level *self, const source *from,
                            const kind *copy, int32_t n)
{
    EW_TRY(fill_all(self, from, copy, n));
    return ew_buffer_check(self->device, copy->to, bytes_of(copy) * (size_t)n, self->transit,
                           "a block of the level of groups");
}

/* Copies of freed pairs are out of date, and read by nobody. */
static ew_status check_pairs(ew_device_intermediate_level *self, const source *from,
                             const kind *copy)
{
    const ew_pattern *pattern = from->level->pattern;
    const size_t bytes = bytes_of(copy);
    ew_status status = EW_OK;
    char *there;
    EW_TRY(ew_new(&there, (size_t)pattern->n_pair + 1, bytes));
    EW_TRY_OUT(ew_buffer_read(self->device, copy->to, 0, bytes * (size_t)pattern->n_pair, there));
    for (int32_t pair = 0; pair < pattern->n_pair && !status; pair++) {
        double here[36];
        copy->fill(from, pair, here);
        if (copy->single) {
            round_numbers(here, copy->count);
        }
        if (pattern->pair_row[2 * (size_t)pair] >= 0 &&
            memcmp(here, there + bytes * (size_t)pair, bytes) != 0) {
            status = ew_fail(EW_DEVICE_COPY,
                             "device: the block of pair %d of aggregates is not the host's; build "
                             "the copy again",
                             pair);
        }
    }
out:
    ew_release(there);
    return status;
}

ew_status ew_device_intermediate_level_verify(ew_device_intermediate_level *self,
                                              const ew_intermediate_level *intermediate,
                                              const ew_grouped_level *level)
{
    const source from = {intermediate, level};
    kind all[KINDS];
    list_kinds(self, all);
    EW_TRY(ew_device_rows_check(&self->row_to_pair, self->device, &level->pattern->row_to_pair,
                                "pairs of an aggregate"));
    EW_TRY(ew_device_rows_check(&self->member, self->device, &intermediate->groups.member,
                                "aggregates of a group"));
    EW_TRY(ew_buffer_check(self->device, &self->group_of, sizeof(int32_t) * (size_t)self->n,
                           intermediate->groups.of_row, "the group of an aggregate"));
    for (int k = 0; k < KINDS; k++) {
        if (all[k].fill && k < PAIR_KINDS) {
            EW_TRY(check_pairs(self, &from, &all[k]));
        } else if (all[k].fill) {
            EW_TRY(check_copy(self, &from, &all[k], self->n));
        }
    }
    return EW_OK;
}

void ew_device_intermediate_level_free(ew_device_intermediate_level *self)
{
    ew_buffer *const buffer[] = {&self->group_of, &self->position, &self->raw,
                                 &self->pair,     &self->map,      &self->pair_single,
                                 &self->diagonal, &self->inverse,  &self->modes,
                                 &self->b,        &self->x,        &self->y};
    for (size_t i = 0; i < sizeof buffer / sizeof *buffer; i++) {
        ew_buffer_free(buffer[i]);
    }
    ew_upload_free(&self->upload);
    ew_device_blocks_free(&self->gathered);
    ew_device_rows_free(&self->row_to_pair);
    ew_device_rows_free(&self->member);
    ew_release(self->transit);
    *self = (ew_device_intermediate_level){0};
}
