/* The volumetric stress of mixed tets that goes with a displacement: C p = B x + q by conjugate
 * gradients with the diagonal of C; and the expansion that is without stress. It is what remains of
 * them where the displacement is known: the whole stiffness is that of 2 mu and B^T C^-1 B. The
 * condition of C is a small multiple of lambda / mu. Sums are formed chunk by chunk, whatever the
 * number of threads. */
#include "analysis/parts/analysis.h"

#include <math.h>
#include <string.h>

#define CHUNK          4096
#define MAX_ITERATIONS 20000
/* Of the residual, by the diagonal. */
#define TOLERANCE 1e-14
/* Newton's method for the pressure of a deformed body ends at this residual, or where rounding
 * stops the square of it from falling by that. */
#define DEFORMED   1e-12
#define STAGNATION 0.01

enum { R, Z, P, Q, DIAGONAL, N_WORK };

typedef struct task {
    ew_mixed *mixed;
    int32_t n;
    double *at[N_WORK];
} task;

/* ---- products --------------------------------------------------------------------- */

/* Sums of p over the corners of each tet, in its work. */
static void take_pressure(const ew_mixed *mixed, const double *p)
{
    const ew_mesh *mesh = mixed->mesh;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(mesh->n_tet, 4000))
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const int32_t *v = mesh->tet + 4 * (size_t)t;
        if (v[0] >= 0) {
            mixed->tet[16 * (size_t)t + 14] = (p[v[0]] + p[v[1]]) + (p[v[2]] + p[v[3]]);
        }
    }
}

void ew_mixed_find_divergence(ew_mixed *mixed, const double *x, double *q)
{
    const ew_mesh *mesh = mixed->mesh;
    const ew_rows *rows = &mixed->topology->vertex_to_tet;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(mesh->n_tet, 4000))
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const int32_t *v = mesh->tet + 4 * (size_t)t;
        double *own = mixed->tet + 16 * (size_t)t, sum = 0.0;
        for (size_t k = 0; k < 12 && v[0] >= 0; k++) {
            sum += own[k] * x[3 * (size_t)v[k / 3] + k % 3];
        }
        own[15] = sum;
    }
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(mesh->n_vertex, 4000))
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        q[v] = 0.0;
        for (int32_t i = 0; i < rows->count[v]; i++) {
            q[v] += mixed->tet[16 * (size_t)rows->item[rows->begin[v] + i] + 15];
        }
    }
}

/* q = C p */
static void multiply(const ew_mixed *mixed, const double *p, double *q)
{
    const ew_rows *rows = &mixed->topology->vertex_to_tet;
    const int32_t n = mixed->mesh->n_vertex;
    take_pressure(mixed, p);
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, 4000))
    for (int32_t v = 0; v < n; v++) {
        double sum = 0.0;
        for (int32_t i = 0; i < rows->count[v]; i++) {
            const double *own = mixed->tet + 16 * (size_t)rows->item[rows->begin[v] + i];
            sum += own[12] * (own[14] + p[v]) - own[13] * own[14];
        }
        q[v] = sum;
    }
}

static void find_diagonal(const ew_mixed *mixed, double *diagonal)
{
    const ew_rows *rows = &mixed->topology->vertex_to_tet;
    for (int32_t v = 0; v < mixed->mesh->n_vertex; v++) {
        diagonal[v] = 0.0;
        for (int32_t i = 0; i < rows->count[v]; i++) {
            const double *own = mixed->tet + 16 * (size_t)rows->item[rows->begin[v] + i];
            diagonal[v] += 2.0 * own[12] - own[13];
        }
    }
}

void ew_mixed_add_pressure(ew_mixed *mixed, const double *p, double *y, double *q)
{
    const ew_mesh *mesh = mixed->mesh;
    const ew_rows *rows = &mixed->topology->vertex_to_tet;
    take_pressure(mixed, p);
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(mesh->n_vertex, 2000))
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        for (int32_t i = 0; i < rows->count[v]; i++) {
            const int32_t t = rows->item[rows->begin[v] + i];
            const int32_t *corner = mesh->tet + 4 * (size_t)t;
            const double *own = mixed->tet + 16 * (size_t)t;
            const double *g =
                own + 3 * ((corner[1] == v) + 2 * (corner[2] == v) + 3 * (corner[3] == v));
            for (size_t c = 0; c < 3; c++) {
                y[3 * (size_t)v + c] += g[c] * own[14];
            }
            if (q) {
                q[v] -= own[12] * (own[14] + p[v]) - own[13] * own[14];
            }
        }
    }
}

/* ---- the iteration ------------------------------------------------------------------ */

static double dot(const task *of, const double *x, const double *y)
{
    const int32_t n_chunk = of->n / CHUNK + 1;
    double *partial = of->mixed->partial, sum = 0.0;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n_chunk, 4))
    for (int32_t k = 0; k < n_chunk; k++) {
        const int32_t end = of->n - k * CHUNK < CHUNK ? of->n : (k + 1) * CHUNK;
        double part = 0.0;
        for (int32_t i = k * CHUNK; i < end; i++) {
            part += x[i] * y[i];
        }
        partial[k] = part;
    }
    for (int32_t k = 0; k < n_chunk; k++) {
        sum += partial[k];
    }
    return sum;
}

/* x = by x + times y */
static void combine(const task *of, double by, double *x, double times, const double *y)
{
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(of->n, 16000))
    for (int32_t i = 0; i < of->n; i++) {
        x[i] = by * x[i] + times * y[i];
    }
}

static double precondition(const task *of)
{
    const double *r = of->at[R], *diagonal = of->at[DIAGONAL];
    double *z = of->at[Z];
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(of->n, 16000))
    for (int32_t i = 0; i < of->n; i++) {
        z[i] = diagonal[i] > 0.0 ? r[i] / diagonal[i] : 0.0;
    }
    return dot(of, r, z);
}

/* p += C^-1 r until r . z, which begins with *rz, is below the target. */
static ew_status iterate(const task *of, double target, double *rz, double *p)
{
    double *const *at = of->at;
    const double first = *rz;
    int32_t k = 0;
    memcpy(at[P], at[Z], (size_t)of->n * sizeof *p);
    for (; *rz > target && k < MAX_ITERATIONS; k++) {
        multiply(of->mixed, at[P], at[Q]);
        const double step = *rz / dot(of, at[P], at[Q]), before = *rz;
        combine(of, 1.0, p, step, at[P]);
        combine(of, 1.0, at[R], -step, at[Q]);
        *rz = precondition(of);
        combine(of, *rz / before, at[P], 1.0, at[Z]);
    }
    return isfinite(first) && (*rz <= 1e-20 * first || *rz <= target)
               ? EW_OK
               : ew_fail(EW_NOT_CONVERGED,
                         "mixed tets: the volumetric stress of a displacement was not found in %d "
                         "iterations; take a smaller Poisson's ratio",
                         k);
}

void ew_mixed_find_expansion(const ew_mesh *mesh, const ew_topology *topology,
                             const double *thermal, double *q)
{
    const ew_rows *rows = &topology->vertex_to_tet;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(mesh->n_vertex, 2000))
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        q[v] = 0.0;
        for (int32_t i = 0; i < rows->count[v]; i++) {
            const int32_t t = rows->item[rows->begin[v] + i];
            q[v] += 0.75 * ew_mesh_tet_volume(mesh, t) * thermal[t];
        }
    }
}

static ew_status open(ew_mixed *mixed, int32_t n, task *of)
{
    *of = (task){.mixed = mixed, .n = n};
    EW_TRY(ew_grow(&mixed->work, &mixed->work_capacity, n, N_WORK * sizeof *mixed->work));
    EW_TRY(
        ew_grow(&mixed->partial, &mixed->partial_capacity, n / CHUNK + 1, sizeof *mixed->partial));
    for (int k = 0; k < N_WORK; k++) {
        of->at[k] = mixed->work + (size_t)k * (size_t)n;
    }
    return EW_OK;
}

ew_status ew_mixed_find_pressure(ew_mixed *mixed, const double *x, const double *q, double *p)
{
    const int32_t n = mixed->mesh->n_vertex;
    task of;
    EW_TRY(open(mixed, n, &of));
    find_diagonal(mixed, of.at[DIAGONAL]);
    if (x) {
        ew_mixed_find_divergence(mixed, x, of.at[R]);
    } else {
        memset(of.at[R], 0, (size_t)n * sizeof *p);
    }
    for (int32_t v = 0; v < n && q; v++) {
        of.at[R][v] += q[v];
    }
    memset(p, 0, (size_t)n * sizeof *p);
    double rz = precondition(&of);
    return iterate(&of, TOLERANCE * TOLERANCE * rz, &rz, p);
}

/* ---- deformed bodies ---------------------------------------------------------------- */

/* r = the derivative of the energy by p. With s = 1 / lambda + 1 / mu the part of p less its mean
 * is s V (1 + delta) / 20 p - s V / 16 of the sum. */
static void find_imbalance(const ew_mixed *mixed, const double *p, double *r)
{
    const ew_rows *rows = &mixed->topology->vertex_to_tet;
    const int32_t n = mixed->mesh->n_vertex;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, 4000))
    for (int32_t v = 0; v < n; v++) {
        double sum = 0.0;
        for (int32_t i = 0; i < rows->count[v]; i++) {
            const double *own = mixed->tet + 16 * (size_t)rows->item[rows->begin[v] + i];
            sum += own[15] - own[12] * (p[v] - 0.25 * own[14]);
        }
        r[v] = sum;
    }
}

static ew_status solve_deformed(ew_mixed *mixed, const ew_internal_force *internal_force,
                                const ew_deformed *body, double *p)
{
    const int32_t n = body->mesh->n_vertex;
    double first = 0.0, last = INFINITY;
    task of;
    for (int32_t k = 0;; k++) {
        EW_TRY(ew_mixed_prepare_deformed(mixed, internal_force, body));
        EW_TRY(open(mixed, n, &of));
        find_diagonal(mixed, of.at[DIAGONAL]);
        find_imbalance(mixed, p, of.at[R]);
        double rz = precondition(&of);
        if (!isfinite(rz)) {
            return ew_fail(EW_NOT_FINITE, "mixed tets: a tet is turned inside out; take smaller "
                                          "steps of load or time");
        }
        first = k ? first : rz;
        if (rz <= DEFORMED * DEFORMED * first || (k > 1 && !(rz < STAGNATION * last))) {
            return EW_OK;
        }
        last = rz;
        EW_TRY(iterate(&of, TOLERANCE * TOLERANCE * first, &rz, p));
    }
}

ew_status ew_mixed_find_deformed_pressure(ew_mixed *mixed, const ew_internal_force *internal_force,
                                          const ew_deformed *body, double *p)
{
    const size_t size = (size_t)body->mesh->n_vertex * sizeof *p;
    memset(p, 0, size);
    const ew_status status = solve_deformed(mixed, internal_force, body, p);
    if (status) {
        memset(p, 0, size);
    }
    return status;
}
