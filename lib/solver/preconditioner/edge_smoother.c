/* Preconditioning of the rows of edges: damped block Jacobi on them, before and after the
 * kind that acts on the pattern's rows. In: the diagonal blocks of these rows and their products.
 * Out: z = M^-1 r, symmetric, for it is the same backwards:
 *
 *     z_b = w D^-1 r_b,   z_a = M_a^-1 (r_a - B^T z_b),   z_b += w D^-1 (r_b - C z_b - B z_a)
 *
 * and positive definite as w < 2 / largest eigenvalue of D^-1 C. */
#include "solver/krylov/dealt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The power method's estimate is from below and is raised by this much; and the damping as a
 * multiple of the inverse of that. */
#define POWER_RAISE 1.1
#define DAMPING     1.5
/* It is estimated again once the number of rows differs by more than this share. */
#define OTHER_SIZE 0.1

typedef struct ew_edge_smoother smoother;

/* Rows of edges, two ranges. */
typedef struct ranges {
    int32_t begin[2], end[2];
} ranges;

/* Those of this process, null: all. */
static ranges rows_of(const smoother *own, const ew_dealt *dealt)
{
    ranges rows = {{0, 0}, {own->n_row, 0}};
    for (int k = 0; k < 2 && dealt; k++) {
        const int32_t begin = dealt->row[k][0] - own->n_stored;
        const int32_t end = dealt->row[k][1] - own->n_stored;
        rows.begin[k] = begin > 0 ? begin : 0;
        rows.end[k] = end > 0 ? end : 0;
    }
    return rows;
}

static bool has_row(const ranges *rows, int32_t row)
{
    return (row >= rows->begin[0] && row < rows->end[0]) ||
           (row >= rows->begin[1] && row < rows->end[1]);
}

/* ---- blocks ----------------------------------------------------------------- */

/* Of a row with prescribed directions that are no axes: P inv(P D P + s n n^T) P. */
static ew_status invert_oblique(const double *block, const ew_oblique *oblique, int32_t k,
                                int32_t row, double *inverse)
{
    static const int first[6] = {0, 1, 2, 0, 1, 0}, second[6] = {0, 1, 2, 1, 2, 2};
    const double size = block[0] + block[4] + block[8];
    double inside[9], column[3];
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            column[i] = block[3 * i + j];
        }
        ew_oblique_project(oblique, k, column);
        for (int i = 0; i < 3; i++) {
            inside[3 * i + j] = column[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        ew_oblique_project(oblique, k, inside + 3 * i);
    }
    for (int d = 0; d < 2; d++) {
        const double *n = oblique->normal + 6 * (size_t)k + 3 * d;
        for (int i = 0; i < 9; i++) {
            inside[i] += size * n[i / 3] * n[i % 3];
        }
    }
    EW_TRY(ew_invert_row_block(inside, 0, true, row, inverse));
    for (int d = 0; d < 2; d++) {
        const double *n = oblique->normal + 6 * (size_t)k + 3 * d;
        for (int c = 0; c < 6; c++) {
            inverse[c] -= n[first[c]] * n[second[c]] / size;
        }
    }
    return EW_OK;
}

/* Undamped. */
static ew_status invert_rows(smoother *own, const ew_system *system, const ranges *rows,
                             const double *diagonal)
{
    const int32_t n_stored = system->op->pattern->n_row;
    for (int k = 0; k < 2; k++) {
        for (int32_t row = rows->begin[k]; row < rows->end[k]; row++) {
            if (own->fixed[row] != EW_OBLIQUE) {
                EW_TRY(ew_invert_row_block(diagonal + 9 * (size_t)row, own->fixed[row], true,
                                           n_stored + row, own->inverse + 6 * (size_t)row));
            }
        }
    }
    const ew_oblique *oblique = system->oblique;
    for (int32_t k = 0; oblique && k < oblique->n; k++) {
        const int32_t row = oblique->row[k] - n_stored;
        if (row >= 0 && has_row(rows, row)) {
            EW_TRY(invert_oblique(diagonal + 9 * (size_t)row, oblique, k, n_stored + row,
                                  own->inverse + 6 * (size_t)row));
        }
    }
    return EW_OK;
}

/* ---- damping ----------------------------------------------------------------- */

static double length_of(const double *v, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += v[i] * v[i];
    }
    return sqrt(sum);
}

/* 0 in the rows that products of a process write, and in its own. */
static void clear_dealt(const ew_dealt *dealt, double *w)
{
    for (int32_t i = 0; i < dealt->n_written; i++) {
        memset(w + 3 * (size_t)dealt->written[i], 0, 3 * sizeof *w);
    }
    for (int k = 0; k < 2; k++) {
        memset(w + 3 * (size_t)dealt->row[k][0], 0,
               3 * (size_t)(dealt->row[k][1] - dealt->row[k][0]) * sizeof *w);
    }
}

/* v = D^-1 C v on the rows of edges, of a vector of length 1; the new length. */
static double step(const ew_preconditioner *self, double *v, double *w, int32_t n_stored)
{
    const smoother *own = &self->smoother;
    const ew_dealt *dealt = self->dealt;
    const ranges rows = rows_of(own, dealt);
    const size_t n_row = (size_t)n_stored + (size_t)own->n_row;
    if (dealt) {
        clear_dealt(dealt, w);
    } else {
        memset(w, 0, 3 * n_row * sizeof *w);
    }
#pragma omp parallel num_threads(ew_matrix_product_threads((int32_t)n_row))
    if (dealt) { /* v is whole */
        self->edges->add_own_product(self->edges->user, EW_EDGE_OF_EDGES, v, w);
        ew_dealt_bring(dealt, dealt->tets.out, w);
    } else {
        self->edges->add_product(self->edges->user, EW_EDGE_OF_EDGES, v, w);
    }
    for (int k = 0; k < 2; k++) {
        for (int32_t row = rows.begin[k]; row < rows.end[k]; row++) {
            const size_t at = 3 * ((size_t)n_stored + (size_t)row);
            ew_multiply_row_inverse(own->inverse + 6 * (size_t)row, w + at, v + at);
        }
    }
    if (dealt) {
        dealt->peers->bring(dealt->peers->user, dealt->whole, 3 * sizeof *v, v);
    }
    return length_of(v + 3 * (size_t)n_stored, 3 * (size_t)own->n_row);
}

void ew_edge_smoother_start(const ew_preconditioner *self, double *v)
{
    const smoother *own = &self->smoother;
    const size_t first = 3 * (size_t)own->n_stored, n = 3 * (size_t)own->n_row;
    uint32_t seed = 12345;
    for (size_t i = 0; i < first + n; i++) {
        v[i] = 0.0;
    }
    for (size_t i = first; i < first + n; i++) {
        seed = seed * 1664525u + 1013904223u; /* Numerical Recipes, 7.1 */
        const bool fixed = own->fixed[(i - first) / 3] >> (i - first) % 3 & 1;
        v[i] = fixed ? 0.0 : (double)(seed >> 8) / 16777216.0 - 0.5;
    }
}

double ew_edge_smoother_damping(double eigenvalue)
{
    return eigenvalue > 0.0 && isfinite(eigenvalue) ? DAMPING / (POWER_RAISE * eigenvalue) : 0.25;
}

static ew_status find_damping(ew_preconditioner *self, int32_t n_stored)
{
    smoother *own = &self->smoother;
    const size_t first = 3 * (size_t)n_stored, n = 3 * (size_t)own->n_row;
    double *v, value = 0.0;
    EW_TRY(ew_new(&v, first + n, sizeof *v));
    ew_edge_smoother_start(self, v);
    double size = length_of(v + first, n);
    for (int k = 0; k < EW_BEYOND_POWER_STEPS && size > 0.0 && isfinite(size); k++) {
        for (size_t i = first; i < first + n; i++) {
            v[i] /= size;
        }
        size = step(self, v, own->work, n_stored);
        value = size;
    }
    ew_release(v);
    own->damping = ew_edge_smoother_damping(value);
    return EW_OK;
}

/* ---- set-up -------------------------------------------------------------------- */

static ew_status make_room(smoother *own, int32_t n_row, int32_t n_stored)
{
    EW_TRY(ew_grow(&own->inverse, &own->row_capacity, n_row, 6 * sizeof *own->inverse));
    return ew_grow(&own->work, &own->work_capacity, (int64_t)n_row + 2 * (int64_t)n_stored,
                   3 * sizeof *own->work);
}

static bool has_oblique(const ew_system *system)
{
    bool any = false;
    for (int32_t k = 0; system->oblique && k < system->oblique->n && !any; k++) {
        any = system->oblique->row[k] >= system->op->pattern->n_row;
    }
    return any;
}

ew_status ew_edge_smoother_follow(ew_preconditioner *self, const ew_system *system, bool *is_other,
                                  bool *is_other_size)
{
    smoother *own = &self->smoother;
    const int32_t n_stored = system->op->pattern->n_row;
    const uint8_t *fixed = system->fixed + n_stored;
    int32_t n_row;
    const double *diagonal;
    uint64_t revision;
    self->edges->state(self->edges->user, &n_row, &diagonal, &revision);
    EW_TRY(ew_grow(&own->fixed, &own->fixed_capacity, n_row, sizeof *own->fixed));
    *is_other = own->revision != revision || own->n_row != n_row || own->n_stored != n_stored ||
                has_oblique(system) || (n_row && memcmp(own->fixed, fixed, (size_t)n_row) != 0);
    *is_other_size = abs(n_row - own->n_row) > OTHER_SIZE * own->n_row || own->damping == 0.0 ||
                     (self->edges->is_tangent && own->revision != revision);
    own->revision = revision;
    own->n_row = n_row;
    own->n_stored = n_stored;
    if (n_row) {
        memcpy(own->fixed, fixed, (size_t)n_row);
    }
    return EW_OK;
}

ew_status ew_edge_smoother_prepare_on_host(ew_preconditioner *self, const ew_system *system,
                                           bool afresh)
{
    smoother *own = &self->smoother;
    const int32_t n_stored = system->op->pattern->n_row;
    bool is_other, is_other_size;
    int32_t n_row;
    const double *diagonal;
    uint64_t revision;
    const ew_dealt *dealt = self->dealt;
    EW_TRY(ew_edge_smoother_follow(self, system, &is_other, &is_other_size));
    self->edges->state(self->edges->user, &n_row, &diagonal, &revision);
    if (!afresh && !is_other && (!own->is_of_own || dealt)) {
        own->revision = revision;
        return EW_OK;
    }
    own->revision = 0;
    EW_TRY(make_room(own, n_row, n_stored));
    const ranges rows = rows_of(own, dealt);
    const ew_status status = invert_rows(own, system, &rows, diagonal);
    EW_TRY(dealt ? ew_peers_agree(dealt->peers, status) : status);
    EW_TRY(ew_weighted_build(&own->weighted, system->equations,
                             system->stiffened ? system->stiffened->matrix : NULL, diagonal));
    if (afresh || is_other_size) {
        EW_TRY(find_damping(self, n_stored));
    }
    for (int k = 0; k < 2; k++) {
        for (size_t i = 6 * (size_t)rows.begin[k]; i < 6 * (size_t)rows.end[k]; i++) {
            own->inverse[i] *= own->damping;
        }
    }
    own->revision = revision;
    own->is_of_own = dealt != NULL;
    return EW_OK;
}

ew_status ew_edge_smoother_undeal(ew_preconditioner *self, const ew_system *system)
{
    ew_system seen = *system;
    if (system->stiffened) { /* as preconditioners know it */
        seen.op = system->stiffened;
        seen.stiffened = system->op;
    }
    return self->smoother.is_of_own ? ew_edge_smoother_prepare_on_host(self, &seen, false) : EW_OK;
}

void ew_edge_smoother_free(ew_preconditioner *self)
{
    smoother *own = &self->smoother;
    ew_release(own->inverse);
    ew_release(own->fixed);
    ew_release(own->work);
    ew_release(own->columns);
    ew_weighted_free(&own->weighted);
    ew_buffer_free(&own->device_work);
    ew_buffer_free(&own->device_rest);
    ew_buffer_free(&own->oblique_row);
    ew_buffer_free(&own->oblique_normal);
}

/* ---- application ----------------------------------------------------------------- */

/* Behind what is of all rows: of those of the pattern. */
static double *rest_of(const ew_preconditioner *self)
{
    const smoother *own = &self->smoother;
    return own->work + 3 * ((size_t)self->n_row + (size_t)own->n_row);
}

/* z += w D^-1 (r - work) of one row. */
static void correct_row(const smoother *own, int32_t row, const double *r, const double *work,
                        double *z)
{
    const double rest[3] = {r[0] - work[0], r[1] - work[1], r[2] - work[2]};
    double more[3];
    ew_multiply_row_inverse(own->inverse + 6 * (size_t)row, rest, more);
    for (int c = 0; c < 3; c++) {
        z[c] += more[c];
    }
}

/* The same of rows that are dealt to processes: products are of the tets that a process has, all
 * else is of its rows. What tets add to `work` stays where it is written. */
static void apply_dealt(ew_preconditioner *self, const double *r, double *z)
{
    const smoother *own = &self->smoother;
    const ew_edge_operator *edges = self->edges;
    const ew_dealt *dealt = self->dealt;
    const int32_t n_stored = self->n_row, stored = dealt->row[0][0];
#pragma omp for schedule(static)
    for (int32_t i = 0; i < dealt->n_written; i++) {
        memset(own->work + 3 * (size_t)dealt->written[i], 0, 3 * sizeof *own->work);
    }
    for (int k = 0; k < 2; k++) {
#pragma omp for schedule(static)
        for (int32_t row = dealt->row[k][0]; row < dealt->row[k][1]; row++) {
            const size_t at = 3 * (size_t)row;
            own->work[at] = own->work[at + 1] = own->work[at + 2] = 0.0;
            if (row >= n_stored) {
                ew_multiply_row_inverse(own->inverse + 6 * (size_t)(row - n_stored), r + at,
                                        z + at);
            }
        }
    }
    ew_dealt_bring(dealt, dealt->tets.in, z);
    edges->add_own_product(edges->user, EW_EDGE_OF_EDGES, z, own->work);
    ew_dealt_bring(dealt, dealt->tets.out, own->work);
#pragma omp for schedule(static)
    for (int32_t i = 3 * stored; i < 3 * (stored + dealt->n_own_stored); i++) {
        const bool fixed = self->fixed[i / 3] >> i % 3 & 1;
        rest_of(self)[i] = fixed ? 0.0 : r[i] - own->work[i];
    }
    ew_preconditioner_apply_stored(self, rest_of(self), z);
    ew_dealt_bring(dealt, dealt->tets.in, z);
    edges->add_own_product(edges->user, EW_EDGE_OF_CORNERS, z, own->work);
    ew_dealt_bring(dealt, dealt->tets.out, own->work);
    for (int k = 0; k < 2; k++) {
#pragma omp for schedule(static)
        for (int32_t row = dealt->row[k][0]; row < dealt->row[k][1]; row++) {
            const size_t at = 3 * (size_t)row;
            if (row >= n_stored) {
                correct_row(own, row - n_stored, r + at, own->work + at, z + at);
            }
        }
    }
}

/* The same where they are not. */
static void apply_whole(ew_preconditioner *self, const double *r, double *z)
{
    const smoother *own = &self->smoother;
    const ew_edge_operator *edges = self->edges;
    const int32_t n_stored = self->n_row, n_all = n_stored + own->n_row;
#pragma omp for schedule(static)
    for (int32_t row = 0; row < n_all; row++) {
        const size_t at = 3 * (size_t)row;
        own->work[at] = own->work[at + 1] = own->work[at + 2] = 0.0;
        if (row >= n_stored) {
            ew_multiply_row_inverse(own->inverse + 6 * (size_t)(row - n_stored), r + at, z + at);
        }
    }
    edges->add_product(edges->user, EW_EDGE_OF_EDGES, z, own->work);
#pragma omp for schedule(static)
    for (int32_t i = 0; i < 3 * n_stored; i++) {
        const bool fixed = self->fixed[i / 3] >> i % 3 & 1;
        rest_of(self)[i] = fixed ? 0.0 : r[i] - own->work[i];
    }
    ew_preconditioner_apply_stored(self, rest_of(self), z);
    edges->add_product(edges->user, EW_EDGE_OF_CORNERS, z, own->work);
#pragma omp for schedule(static)
    for (int32_t row = n_stored; row < n_all; row++) {
        const size_t at = 3 * (size_t)row;
        correct_row(own, row - n_stored, r + at, own->work + at, z + at);
    }
}

void ew_edge_smoother_apply(ew_preconditioner *self, const double *r, double *z)
{
    if (self->dealt) {
        apply_dealt(self, r, z);
    } else {
        apply_whole(self, r, z);
    }
}

/* ---- of several vectors ---------------------------------------------------------- */

ew_status ew_edge_smoother_prepare_columns(ew_preconditioner *self)
{
    smoother *own = &self->smoother;
    const int64_t n_row = 2 * (int64_t)self->n_row + own->n_row;
    return ew_grow(&own->columns, &own->columns_capacity,
                   3 * EW_COLUMNS * n_row / EW_LINE_NUMBERS + 2,
                   EW_LINE_NUMBERS * sizeof *own->columns);
}

/* z = B r of one row, as ew_multiply_row_inverse, in each of them. */
static void multiply_columns(const double *inverse, const double *r, double *z)
{
    for (size_t l = 0; l < EW_COLUMNS; l++) {
        const double *x = r + l, *y = x + EW_COLUMNS, *w = y + EW_COLUMNS;
        z[l] = inverse[0] * *x + inverse[3] * *y + inverse[5] * *w;
        z[EW_COLUMNS + l] = inverse[3] * *x + inverse[1] * *y + inverse[4] * *w;
        z[2 * EW_COLUMNS + l] = inverse[5] * *x + inverse[4] * *y + inverse[2] * *w;
    }
}

/* As ew_edge_smoother_apply. */
void ew_edge_smoother_apply_columns(ew_preconditioner *self, const double *r, double *z)
{
    enum { ROW = 3 * EW_COLUMNS };
    const smoother *own = &self->smoother;
    const ew_edge_operator *edges = self->edges;
    const int32_t n_stored = self->n_row, n_all = n_stored + own->n_row;
    double *work = ew_at_line(own->columns), *rest = work + ROW * (size_t)n_all;
#pragma omp for schedule(static)
    for (int32_t row = 0; row < n_all; row++) {
        memset(work + ROW * (size_t)row, 0, ROW * sizeof *work);
        if (row >= n_stored) {
            multiply_columns(own->inverse + 6 * (size_t)(row - n_stored), r + ROW * (size_t)row,
                             z + ROW * (size_t)row);
        }
    }
    edges->add_columns_product(edges->user, EW_EDGE_OF_EDGES, z, work);
#pragma omp for schedule(static)
    for (int32_t i = 0; i < 3 * n_stored; i++) {
        const bool fixed = self->fixed[i / 3] >> i % 3 & 1;
        for (size_t k = EW_COLUMNS * (size_t)i; k < EW_COLUMNS * ((size_t)i + 1); k++) {
            rest[k] = fixed ? 0.0 : r[k] - work[k];
        }
    }
    self->type->apply_columns(self, rest, z);
    edges->add_columns_product(edges->user, EW_EDGE_OF_CORNERS, z, work);
#pragma omp for schedule(static)
    for (int32_t row = n_stored; row < n_all; row++) {
        double more[ROW], left[ROW];
        for (size_t k = 0; k < ROW; k++) {
            left[k] = r[ROW * (size_t)row + k] - work[ROW * (size_t)row + k];
        }
        multiply_columns(own->inverse + 6 * (size_t)(row - n_stored), left, more);
        for (size_t k = 0; k < ROW; k++) {
            z[ROW * (size_t)row + k] += more[k];
        }
    }
}
