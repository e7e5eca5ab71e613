/* Rigid bodies pinned to one another at points. In: bodies with the directions in which each is
 * fixed, and the joints between them. Out: for each body what the whole system leaves free, so that
 * a three-hinged arch, whose halves are free one by one, is known to stand.
 *
 * The unknowns are the free modes of each body. A joint gives one row per direction: the motion of
 * the point with one body less that with the other; an equation between displacements gives one
 * row, the sum of its terms. What is orthogonal to all of them is free, and
 * a body moves as its part of that says. */
#include "analysis/check/rigid.h"

#include <math.h>
#include <string.h>

typedef struct joined {
    int32_t n;      /* unknowns */
    int32_t rank;   /* of the joints' rows */
    double *basis;  /* [n][n] owned: rows of the joints, then what is free */
    double *row;    /* [n] owned */
    int32_t *begin; /* [bodies + 1] owned: first unknown of each */
} joined;

/* The motion of x in direction c with each free mode of the body. */
static void move_point(const ew_rigid *body, const double *x, int c, double sign, double *to)
{
    double row[6];
    ew_rigid_row(body, x, c, row);
    for (int32_t k = body->n_row; k < 6; k++, to++) {
        for (int i = 0; i < 6; i++) {
            *to += sign * row[i] * body->row[6 * k + i];
        }
    }
}

static void enter_joint(joined *system, const ew_rigid *body, const int32_t *group,
                        const ew_joint *joint)
{
    for (int c = 0; c < 3 && system->rank < system->n; c++) {
        if (joint->directions >> c & 1) {
            memset(system->row, 0, (size_t)system->n * sizeof *system->row);
            move_point(&body[group[joint->a]], joint->x, c, 1.0,
                       system->row + system->begin[joint->a]);
            move_point(&body[group[joint->b]], joint->x, c, -1.0,
                       system->row + system->begin[joint->b]);
            ew_span_add(system->n, system->basis, &system->rank, system->row, EW_SPAN_ZERO);
        }
    }
}

/* The equation whose terms begin there; returns where the next one's do. */
static int32_t enter_equation(joined *system, const ew_rigid *body, const int32_t *group,
                              int32_t n_tie, const ew_tie *tie, int32_t first)
{
    double square = 0.0;
    int32_t end = first;
    for (; end < n_tie && tie[end].equation == tie[first].equation; end++) {
        const double *f = tie[end].factor;
        square += f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
    }
    memset(system->row, 0, (size_t)system->n * sizeof *system->row);
    for (int32_t k = first; k < end; k++) {
        for (int c = 0; c < 3; c++) {
            move_point(&body[group[tie[k].body]], tie[k].x, c, tie[k].factor[c] / sqrt(square),
                       system->row + system->begin[tie[k].body]);
        }
    }
    if (system->rank < system->n) {
        ew_span_add(system->n, system->basis, &system->rank, system->row, EW_SPAN_ZERO);
    }
    return end;
}

/* The body's parts of the free vectors span what it can do; the rest of its modes are fixed. */
static void fix_rest(const joined *system, int32_t place, ew_rigid *body)
{
    double moves[36], part[6], fixed[36] = {0.0};
    int32_t n = 6 - body->n_row, rank = 0, n_row = body->n_row;
    for (int32_t k = system->rank; k < system->n && rank < n; k++) {
        const double *x = system->basis + (size_t)system->n * (size_t)k + system->begin[place];
        memcpy(part, x, (size_t)n * sizeof *part);
        ew_span_add(n, moves, &rank, part, EW_SPAN_ZERO);
    }
    ew_span_complete(n, moves, rank);
    for (int32_t k = rank; k < n; k++) {
        for (int32_t i = 0; i < 6 * n; i++) {
            fixed[6 * (k - rank) + i % 6] += moves[n * k + i / 6] * body->row[6 * n_row + i];
        }
        body->vertex[body->n_row++] = -1;
    }
    memcpy(body->row + 6 * n_row, fixed, 6 * (size_t)(n - rank) * sizeof *fixed);
}

ew_status ew_rigid_join(ew_rigid *body, int32_t n, const int32_t *group, int32_t n_joint,
                        const ew_joint *joint, int32_t n_tie, const ew_tie *tie)
{
    ew_status status;
    joined system = {0};
    EW_TRY_OUT(ew_new(&system.begin, (size_t)n + 1, sizeof *system.begin));
    for (int32_t i = 0; i < n && system.n <= EW_MAX_JOINED; i++) {
        system.begin[i] = system.n;
        system.n += 6 - body[group[i]].n_row;
    }
    if (system.n > EW_MAX_JOINED) {
        goto out;
    }
    size_t size = (size_t)system.n;
    EW_TRY_OUT(ew_new(&system.basis, size * size, sizeof *system.basis));
    EW_TRY_OUT(ew_new(&system.row, size, sizeof *system.row));
    for (int32_t i = 0; i < n; i++) {
        ew_span_complete(6, body[group[i]].row, body[group[i]].n_row);
    }
    for (int32_t k = 0; k < n_joint; k++) {
        enter_joint(&system, body, group, &joint[k]);
    }
    for (int32_t k = 0; k < n_tie;) {
        k = enter_equation(&system, body, group, n_tie, tie, k);
    }
    ew_span_complete(system.n, system.basis, system.rank);
    for (int32_t i = 0; i < n; i++) {
        fix_rest(&system, i, &body[group[i]]);
    }
out:
    ew_release(system.begin);
    ew_release(system.basis);
    ew_release(system.row);
    return status;
}
