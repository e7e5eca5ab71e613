/* Rigid bodies that hang together at points. In: bodies with the directions in which
 * each is held, and the joints between them. Out: for each body what the whole system
 * leaves free, so that a three-hinged arch, whose halves are free one by one, is known
 * to stand.
 *
 * The Gram matrix of the system has the bodies' own ones on its diagonal and one row
 * [row of a, - row of b] per joint and direction. It is factorised by Cholesky with
 * complete pivoting (Higham 2002, section 10.3), which shows the rank and gives the null
 * vectors by back substitution, for a fraction of an eigenvalue decomposition's time. */
#include "rigid.h"

#include <math.h>
#include <string.h>

typedef struct joined {
    int32_t n; /* unknowns, 6 per body */
    int32_t rank;
    double *matrix; /* [n][n] owned: Gram matrix, then its factor, rows and columns permuted */
    int32_t *order; /* [n] owned: unknown at each place */
    double *free;   /* [n - rank][n] owned: orthonormal null vectors, in the unknowns' order */
} joined;

/* Each body's own rows count as about one, so that a body held at thousands of points
 * does not drown the joints of its neighbour. */
static void assemble(joined *system, const ew_rigid *body, const int32_t *group, int32_t n_joint,
                     const ew_joint *joint)
{
    size_t n = (size_t)system->n;
    for (size_t i = 0; i < n; i++) {
        const ew_rigid *own = &body[group[i / 6]];
        double weight = own->n_row ? 1.0 / own->n_row : 0.0;
        for (size_t j = 0; j < 6; j++) {
            system->matrix[n * i + i / 6 * 6 + j] = weight * own->gram[6 * (i % 6) + j];
        }
        system->order[i] = (int32_t)i;
    }
    for (int32_t k = 0; k < n_joint; k++) {
        size_t at[2] = {6 * (size_t)joint[k].a, 6 * (size_t)joint[k].b};
        for (int c = 0; c < 3; c++) {
            double row[2][6];
            if (!(joint[k].directions >> c & 1)) {
                continue;
            }
            ew_rigid_row(&body[group[joint[k].a]], joint[k].x, c, row[0]);
            ew_rigid_row(&body[group[joint[k].b]], joint[k].x, c, row[1]);
            for (int i = 0; i < 12; i++) {
                for (int j = 0; j < 12; j++) {
                    double product = row[i / 6][i % 6] * row[j / 6][j % 6];
                    system->matrix[n * (at[i / 6] + (size_t)i % 6) + at[j / 6] + (size_t)j % 6] +=
                        i / 6 == j / 6 ? product : -product;
                }
            }
        }
    }
}

static void swap_places(joined *system, int32_t a, int32_t b)
{
    size_t n = (size_t)system->n;
    double *matrix = system->matrix, held;
    for (size_t k = 0; k < n; k++) {
        held = matrix[n * (size_t)a + k];
        matrix[n * (size_t)a + k] = matrix[n * (size_t)b + k];
        matrix[n * (size_t)b + k] = held;
    }
    for (size_t k = 0; k < n; k++) {
        held = matrix[n * k + (size_t)a];
        matrix[n * k + (size_t)a] = matrix[n * k + (size_t)b];
        matrix[n * k + (size_t)b] = held;
    }
    int32_t unknown = system->order[a];
    system->order[a] = system->order[b];
    system->order[b] = unknown;
}

/* The lower triangle becomes the factor and the upper its transpose, so that rows can be
 * read for columns; stops where no pivot is left, which is the rank. */
static void factorise(joined *system)
{
    size_t n = (size_t)system->n;
    double *matrix = system->matrix, largest = 0.0;
    for (int32_t k = 0; k < system->n; k++) {
        int32_t pivot = k;
        for (int32_t i = k + 1; i < system->n; i++) {
            bool larger = matrix[(n + 1) * (size_t)i] > matrix[(n + 1) * (size_t)pivot];
            pivot = larger ? i : pivot;
        }
        largest = k ? largest : matrix[(n + 1) * (size_t)pivot];
        if (matrix[(n + 1) * (size_t)pivot] <= EW_RIGID_ZERO * largest) {
            break;
        }
        swap_places(system, k, pivot);
        double *row = matrix + n * (size_t)k;
        row[k] = sqrt(row[k]);
        for (size_t i = (size_t)k + 1; i < n; i++) {
            row[i] /= row[k];
            matrix[n * i + (size_t)k] = row[i];
        }
        for (size_t i = (size_t)k + 1; i < n; i++) {
            for (size_t j = (size_t)k + 1; j < n; j++) {
                matrix[n * i + j] -= row[i] * row[j];
            }
        }
        system->rank = k + 1;
    }
}

/* Null vector `which`: one of the unknowns beyond the rank is 1, the others of them 0, and
 * the rest follows from L11^T x = -(its row of L21). Then orthonormalised against those
 * before it. */
static void find_null(joined *system, int32_t which, double *place)
{
    size_t n = (size_t)system->n, last = (size_t)(system->rank + which);
    const double *factor = system->matrix;
    double *x = system->free + n * (size_t)which, size = 0.0;
    memset(place, 0, n * sizeof *place);
    place[last] = 1.0;
    for (int32_t i = system->rank - 1; i >= 0; i--) {
        double sum = -factor[n * last + (size_t)i];
        for (int32_t k = i + 1; k < system->rank; k++) {
            sum -= factor[n * (size_t)i + (size_t)k] * place[k];
        }
        place[i] = sum / factor[(n + 1) * (size_t)i];
    }
    for (size_t i = 0; i < n; i++) {
        x[system->order[i]] = place[i];
    }
    for (int32_t k = 0; k < which; k++) {
        const double *other = system->free + n * (size_t)k;
        double product = 0.0;
        for (size_t i = 0; i < n; i++) {
            product += x[i] * other[i];
        }
        for (size_t i = 0; i < n; i++) {
            x[i] -= product * other[i];
        }
    }
    for (size_t i = 0; i < n; i++) {
        size += x[i] * x[i];
    }
    for (size_t i = 0; i < n; i++) {
        x[i] /= sqrt(size);
    }
}

/* The body's part of the null vectors spans what it can do; the projector onto all else
 * serves as its Gram matrix, of six rows since it stands for six directions at most. */
static void restrict_body(const joined *system, int32_t place, ew_rigid *body)
{
    double moves[36] = {0.0}, value[6], vector[36];
    size_t n = (size_t)system->n;
    for (int32_t k = 0; k < system->n - system->rank; k++) {
        const double *x = system->free + n * (size_t)k + 6 * (size_t)place;
        for (int i = 0; i < 36; i++) {
            moves[i] += x[i / 6] * x[i % 6];
        }
    }
    ew_rigid_eigen(6, moves, value, vector);
    for (int i = 0; i < 36; i++) {
        body->gram[i] = i % 7 == 0 ? 1.0 : 0.0;
        for (int k = 0; k < 6; k++) {
            double part = value[k] > EW_RIGID_ZERO ? 1.0 : 0.0;
            body->gram[i] -= part * vector[6 * k + i / 6] * vector[6 * k + i % 6];
        }
    }
    body->n_row = 6;
}

ew_status ew_rigid_join(ew_rigid *body, int32_t n, const int32_t *group, int32_t n_joint,
                        const ew_joint *joint)
{
    EW_ASSERT(n <= EW_JOINED_MOST);
    ew_status status;
    joined system = {.n = 6 * n};
    double *place = NULL;
    size_t size = (size_t)system.n;
    EW_TRY_OUT(ew_new_zero(&system.matrix, size * size, sizeof *system.matrix));
    EW_TRY_OUT(ew_new(&system.order, size, sizeof *system.order));
    EW_TRY_OUT(ew_new(&place, size, sizeof *place));
    assemble(&system, body, group, n_joint, joint);
    factorise(&system);
    EW_TRY_OUT(ew_new(&system.free, (size_t)(system.n - system.rank) * size, sizeof *system.free));
    for (int32_t k = 0; k < system.n - system.rank; k++) {
        find_null(&system, k, place);
    }
    for (int32_t i = 0; i < n; i++) {
        restrict_body(&system, i, &body[group[i]]);
    }
out:
    ew_release(system.matrix);
    ew_release(system.order);
    ew_release(system.free);
    ew_release(place);
    return status;
}
