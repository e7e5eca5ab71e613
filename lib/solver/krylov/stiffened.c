/* What preconditioners read in place of K where linear equations tie rows. In: blocks K, equations
 * R. Out: the blocks
 *
 *     A = K + R^T D R
 *
 * on the pattern of K and the pairs of rows that an equation ties. Where R v = 0 both matrices are
 * the same, so the answer is; D is of the size of K's own diagonal blocks, for larger ones spoil
 * what coarse levels find, and smaller ones leave parts apart that equations alone keep together.
 */
#include "solver/krylov/pcg.h"

#include <math.h>
#include <string.h>

/* Stiffness along an equation, of the mean diagonal of K at its rows. */
#define STIFFNESS 1.0
/* Share of the mean diagonal that rows of rigid groups get beside it. */
#define SHARE 0.01
/* Rows of an equation whose pairs are entered; longer ones stiffen diagonal blocks alone: a mean
 * over a face would tie each of its rows to each other. */
enum { MAX_TIED = 24 };

/* The rows of the pattern in an equation, ascending, each with its three coefficients. */
typedef struct tied {
    int32_t n;
    int32_t row[MAX_TIED];
    double v[MAX_TIED][3];
    double stiffness;
} tied;

static double mean_diagonal(const ew_matrix *matrix, int32_t row)
{
    const double *block = matrix->diagonal + 9 * (size_t)row;
    return (block[0] + block[4] + block[8]) / 3.0;
}

static double square(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

/* The next stretch of terms of one row from *k on. False: none is left. */
static bool next_row(const ew_equations *of, int32_t i, int32_t *k, int32_t *row, double v[3])
{
    if (*k == of->begin[i + 1]) {
        return false;
    }
    *row = of->entry[*k] / 3;
    v[0] = v[1] = v[2] = 0.0;
    for (; *k < of->begin[i + 1] && of->entry[*k] / 3 == *row; ++*k) {
        v[of->entry[*k] % 3] = of->factor[*k];
    }
    return true;
}

/* False: it has too many rows. */
static bool take(const ew_equations *of, int32_t i, int32_t n_row, tied *out)
{
    double v[3];
    out->n = 0;
    for (int32_t k = of->begin[i], row; next_row(of, i, &k, &row, v);) {
        if (row < n_row && out->n == MAX_TIED) {
            return false;
        }
        if (row < n_row) {
            out->row[out->n] = row;
            memcpy(out->v[out->n++], v, sizeof v);
        }
    }
    return true;
}

static ew_status add_pairs(ew_pattern *pattern, const tied *of)
{
    for (int32_t a = 0; a < of->n; a++) {
        for (int32_t b = a + 1; b < of->n; b++) {
            int32_t pair;
            EW_TRY(ew_pattern_pair_between(pattern, of->row[a], of->row[b]) >= 0
                       ? EW_OK
                       : ew_pattern_add_pair(pattern, of->row[a], of->row[b], &pair));
        }
    }
    return EW_OK;
}

static ew_status make_pattern(const ew_equations *of, const ew_pattern *from, ew_pattern *to)
{
    tied one;
    EW_TRY(ew_pattern_copy(to, from));
    to->revision = 0; /* unless all goes well */
    for (int32_t i = 0; i < of->n; i++) {
        EW_TRY(take(of, i, from->n_row, &one) ? add_pairs(to, &one) : EW_OK);
    }
    to->revision = from->revision;
    return EW_OK;
}

static void add_block(double *block, double factor, const double a[3], const double b[3])
{
    for (int c = 0; c < 9; c++) {
        block[c] += factor * a[c / 3] * b[c % 3];
    }
}

static bool has_jump(const ew_matrix *from, const tied *of)
{
    double least = INFINITY, largest = 0.0;
    for (int32_t a = 0; a < of->n; a++) {
        least = fmin(least, mean_diagonal(from, of->row[a]));
        largest = fmax(largest, mean_diagonal(from, of->row[a]));
    }
    return largest > EW_STIFFNESS_JUMP * least;
}

/* The mean over the rows, of diagonals, or of their inverses, which the softest rows decide: where
 * other rows, of edges, share the equation, its part here is no equation, and where one side is
 * stiff it is no equation of the coarse levels of the other; of the stiffness of stiff rows it
 * would lock soft ones. Soft rows follow stiff ones by weighted.c there. */
static double stiffness_along(const ew_matrix *from, const tied *of, bool has_edges)
{
    const bool is_soft = has_edges || has_jump(from, of);
    double mean = 0.0, weight = 0.0;
    for (int32_t a = 0; a < of->n; a++) {
        const double one = mean_diagonal(from, of->row[a]);
        mean += square(of->v[a]) * (is_soft ? 1.0 / one : one);
        weight += square(of->v[a]);
    }
    return weight > 0.0 ? STIFFNESS * (is_soft ? weight / mean : mean / weight) : 0.0;
}

static void add_tied(const ew_matrix *from, const ew_pattern *pattern, const tied *of,
                     bool has_edges, ew_matrix *to)
{
    const double stiffness = stiffness_along(from, of, has_edges);
    for (int32_t a = 0; a < of->n; a++) {
        add_block(to->diagonal + 9 * (size_t)of->row[a], stiffness, of->v[a], of->v[a]);
        for (int32_t b = a + 1; b < of->n; b++) {
            const int32_t pair = ew_pattern_pair_between(pattern, of->row[a], of->row[b]);
            add_block(to->pair + 9 * (size_t)pair, stiffness, of->v[a], of->v[b]);
        }
    }
}

/* As springs to the ground would, which resist x along the equation as it does itself. */
static void add_apart(const ew_matrix *from, const ew_equations *of, int32_t i, ew_matrix *to)
{
    double v[3], fourth = 0.0;
    for (int32_t k = of->begin[i], row; next_row(of, i, &k, &row, v);) {
        fourth += row < from->n_row ? square(v) * square(v) : 0.0;
    }
    for (int32_t k = of->begin[i], row; next_row(of, i, &k, &row, v);) {
        if (row < from->n_row) {
            add_block(to->diagonal + 9 * (size_t)row, STIFFNESS * mean_diagonal(from, row) / fourth,
                      v, v);
        }
    }
}

/* The same for the rows of a group, of an equation with factors f of its modes. */
static void add_group(const ew_matrix *from, const ew_equations *of, int32_t group,
                      const double f[6], ew_matrix *to)
{
    const ew_rigid_rows *rigid = &of->rigid;
    double fourth = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = rigid->begin[group]; i < rigid->begin[group + 1]; i++) {
            const double *mode = of->mode + 18 * (size_t)i;
            const int32_t row = rigid->row[i];
            double v[3] = {0.0, 0.0, 0.0};
            for (int k = 0; k < 18; k++) {
                v[k / 6] += mode[k] * f[k % 6];
            }
            fourth += pass ? 0.0 : square(v) * square(v);
            if (pass && row < from->n_row && fourth > 0.0) {
                add_block(to->diagonal + 9 * (size_t)row,
                          STIFFNESS * mean_diagonal(from, row) / fourth, v, v);
            }
        }
    }
}

static void add_groups(const ew_matrix *from, const ew_equations *of, int32_t i, ew_matrix *to)
{
    const int32_t first = 3 * of->n_row;
    for (int32_t k = of->begin[i]; k < of->begin[i + 1]; k++) {
        if (of->entry[k] >= first) { /* six, of each group */
            add_group(from, of, (of->entry[k] - first) / 6, of->factor + k, to);
            k += 5;
        }
    }
}

/* What a group alone keeps in place. */
static void add_share(const ew_matrix *from, const ew_rigid_rows *rigid, ew_matrix *to)
{
    for (int32_t i = 0; rigid->n && i < rigid->begin[rigid->n]; i++) {
        const int32_t row = rigid->row[i];
        for (int c = 0; c < 3 && row < from->n_row; c++) {
            to->diagonal[9 * (size_t)row + 4 * (size_t)c] += SHARE * mean_diagonal(from, row);
        }
    }
}

/* Pairs that K lacks, in holes of its list or behind it, are zero. */
static ew_status copy_blocks(const ew_matrix *from, const ew_pattern *pattern,
                             const ew_pattern *wider, ew_matrix *to)
{
    const size_t size = 9 * sizeof(double);
    EW_TRY(ew_matrix_copy(to, from));
    EW_TRY(ew_grow(&to->pair, &to->pair_capacity, wider->n_pair, size));
    for (int32_t k = 0; k < pattern->pair_hole.n; k++) {
        memset(to->pair + 9 * (size_t)pattern->pair_hole.id[k], 0, size);
    }
    memset(to->pair + 9 * (size_t)from->n_pair, 0, size * (size_t)(wider->n_pair - from->n_pair));
    to->n_pair = wider->n_pair;
    return EW_OK;
}

ew_status ew_equations_stiffen(const ew_equations *equations, const ew_matrix *matrix,
                               const ew_pattern *pattern, ew_stiffened *to)
{
    const bool has_edges = equations->n_row > matrix->n_row;
    tied one;
    if (to->from != pattern || to->pattern.revision != pattern->revision) {
        EW_TRY(make_pattern(equations, pattern, &to->pattern));
        to->from = pattern;
    }
    ew_matrix *own = &to->matrix;
    EW_TRY(copy_blocks(matrix, pattern, &to->pattern, own));
    for (int32_t i = 0; i < equations->n; i++) {
        if (take(equations, i, matrix->n_row, &one)) {
            add_tied(matrix, &to->pattern, &one, has_edges, own);
        } else {
            add_apart(matrix, equations, i, own);
        }
        add_groups(matrix, equations, i, own);
    }
    add_share(matrix, &equations->rigid, own);
    return EW_OK;
}

bool ew_equations_have_jump(const ew_equations *equations, const ew_matrix *matrix)
{
    bool any = false;
    tied one;
    for (int32_t i = 0; i < equations->n && !any; i++) {
        any = take(equations, i, matrix->n_row, &one) && has_jump(matrix, &one);
    }
    return any;
}

/* The rows of the pattern in a form, whose terms are in any order. False: it has too many. */
static bool gather(const ew_equation_list *form, int32_t i, int32_t n_row, tied *out)
{
    out->n = 0;
    for (int32_t k = form->begin[i]; k < form->begin[i + 1]; k++) {
        const int32_t row = form->entry[k] / 3;
        int32_t at = 0;
        while (at < out->n && out->row[at] != row) {
            at++;
        }
        if (row >= n_row) {
            continue;
        }
        if (at == MAX_TIED) {
            return false;
        }
        if (at == out->n) {
            out->row[out->n++] = row;
            memset(out->v[at], 0, sizeof out->v[at]);
        }
        out->v[at][form->entry[k] % 3] += form->factor[k];
    }
    return true;
}

void ew_stiffened_add_springs(ew_stiffened *to, const ew_equation_list *form,
                              const double *stiffness)
{
    tied of;
    for (int32_t i = 0; i < form->n; i++) {
        if (!gather(form, i, to->matrix.n_row, &of)) {
            continue;
        }
        for (int32_t a = 0; a < of.n; a++) {
            add_block(to->matrix.diagonal + 9 * (size_t)of.row[a], stiffness[i], of.v[a], of.v[a]);
            for (int32_t b = 0; b < of.n; b++) {
                const int32_t pair =
                    of.row[a] < of.row[b]
                        ? ew_pattern_pair_between(&to->pattern, of.row[a], of.row[b])
                        : -1;
                if (pair >= 0) {
                    add_block(to->matrix.pair + 9 * (size_t)pair, stiffness[i], of.v[a], of.v[b]);
                }
            }
        }
    }
}

void ew_stiffened_free(ew_stiffened *stiffened)
{
    ew_matrix_free(&stiffened->matrix);
    ew_pattern_free(&stiffened->pattern);
    *stiffened = (ew_stiffened){0};
}
