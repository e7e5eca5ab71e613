/* The largest frequency of a linear body that moves. In: stiffness, mass and constraints as they
 * are. Out: its square, the largest eigenvalue of M^-1 K where nothing is prescribed, from below.
 *
 * Lanczos' method in the inner product of M, from a start that is random and always the same. After
 * k steps with n unknowns the largest Ritz value t misses more than a share e of the eigenvalue,
 * t < (1 - e) w^2, for a share of all starts of at most
 *
 *     1.648 sqrt(n) exp(-sqrt(e) (2k - 1))
 *
 * (Kuczynski & Wozniakowski 1992, "Estimating the largest eigenvalue by the power and Lanczos
 * algorithms with a random start", SIAM J. Matrix Anal. Appl. 13, theorem 4.2 (b), whatever the
 * eigenvalues are). k is chosen so that it is MISSED for the margin that stable steps keep: 40 to
 * 50 products. The theorem takes starts as uniform in that norm: they are so for a lumped mass of
 * linear tets, and within a constant else, which k feels by its logarithm alone. */
#include "model/formulation/formulation.h"

#include <math.h>
#include <string.h>

enum { MAX_STEPS = 100 };
#define MISSED 1e-6

/* The next number in -2 .. 2, nearly normally distributed: a sum of four. (splitmix64) */
static double next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
    const uint64_t sum = (z & 0xffff) + (z >> 16 & 0xffff) + (z >> 32 & 0xffff) + (z >> 48);
    return (double)sum / 65536.0 - 2.0;
}

/* r: random, times the root of the mass. Returns how many entries are not prescribed. */
static int64_t choose_start(ew_model *model, double *r)
{
    const model_dynamics *of = &model->dynamics;
    const ew_edge_mass *edges = model_edge_mass(model);
    const int32_t n_vertex = model->mesh.n_vertex, n_row = model_n_row(model);
    const double *at_vertex = edges ? edges->vertex : of->mass.host.diagonal;
    uint64_t state = 1;
    int64_t n = 0;
    for (int32_t row = 0; row < n_row; row++) {
        const bool live = row >= n_vertex ? model->quadratic.rows.edge[row - n_vertex] >= 0
                                          : ew_mesh_vertex_is_active(&model->mesh, row) &&
                                                model->topology.vertex_to_tet.count[row] > 0;
        const double mass = row < n_vertex ? at_vertex[row] : edges->edge[row - n_vertex];
        for (size_t c = 0; c < 3; c++) {
            const double random = next_random(&state);
            r[3 * (size_t)row + c] = live ? random * sqrt(mass) : 0.0;
        }
    }
    model_filter(model, r);
    for (size_t i = 0; i < 3 * (size_t)n_row; i++) {
        n += r[i] != 0.0;
    }
    return n;
}

static int32_t count_steps(int64_t n)
{
    const double k =
        0.5 * (1.0 + log(1.648 * sqrt((double)n) / MISSED) / sqrt(MODEL_FREQUENCY_MARGIN));
    return k < (double)n ? (int32_t)fmin(ceil(k), MAX_STEPS) : (int32_t)n;
}

/* Eigenvalues above x of the symmetric tridiagonal matrix, by the signs of its pivots. */
static int32_t count_above(int32_t n, const double *diagonal, const double *beside, double x)
{
    int32_t above = 0;
    double pivot = 1.0;
    for (int32_t i = 0; i < n; i++) {
        const double before = i ? beside[i - 1] * beside[i - 1] / pivot : 0.0;
        pivot = diagonal[i] - x - before;
        pivot = pivot == 0.0 ? -1e-300 : pivot;
        above += pivot > 0.0;
    }
    return above;
}

/* Its largest eigenvalue, between the largest diagonal entry and a row's sum. */
static double largest_of(int32_t n, const double *diagonal, const double *beside)
{
    double low = 0.0, high = 0.0;
    for (int32_t i = 0; i < n; i++) {
        const double radius = (i ? beside[i - 1] : 0.0) + (i < n - 1 ? beside[i] : 0.0);
        low = fmax(low, diagonal[i]);
        high = fmax(high, diagonal[i] + radius);
    }
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + high);
        if (count_above(n, diagonal, beside, middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

/* v = q / size, the last mass times it goes, r / size comes. */
static void turn(ew_model *model, double size, const double *q, const double *r)
{
    double *const *vector = model->dynamics.vector;
    double *v = vector[MODEL_NEXT_U], *mass_v = vector[MODEL_NEXT_V], *last = vector[MODEL_NEXT_A];
    const int64_t n = 3 * (int64_t)model_n_row(model);
#pragma omp parallel for schedule(static) if (n > MODEL_MIN_PARALLEL)
    for (int64_t i = 0; i < n; i++) {
        last[i] = mass_v[i];
        mass_v[i] = r[i] / size;
        v[i] = q[i] / size;
    }
}

/* r -= a M v + b M v_last */
static void subtract(ew_model *model, double a, double b, double *r)
{
    double *const *vector = model->dynamics.vector;
    const double *mass_v = vector[MODEL_NEXT_V], *last = vector[MODEL_NEXT_A];
    const int64_t n = 3 * (int64_t)model_n_row(model);
#pragma omp parallel for schedule(static) if (n > MODEL_MIN_PARALLEL)
    for (int64_t i = 0; i < n; i++) {
        r[i] -= a * mass_v[i] + b * last[i];
    }
}

/* q = M^-1 r, and the norm of q. `last` is free by then, and what the solve spoils. */
static ew_status solve_mass(ew_model *model, const double *r, double *q, double *norm)
{
    double *copy = model->dynamics.vector[MODEL_NEXT_A];
    memcpy(copy, r, model_vector_size(model));
    EW_TRY(model_mass_solve(model, 1.0, copy, q));
    *norm = sqrt(fmax(model_dot(model, r, q), 0.0));
    return EW_OK;
}

ew_status model_find_largest_frequency(ew_model *model, double *square)
{
    double *const *vector = model->dynamics.vector;
    double *v = vector[MODEL_NEXT_U], *r = vector[MODEL_RHS], *q = vector[MODEL_NEXT_D];
    double diagonal[MAX_STEPS], beside[MAX_STEPS], norm;
    const int32_t n_step = count_steps(choose_start(model, r));
    int32_t n = 0;
    EW_TRY(solve_mass(model, r, q, &norm));
    memset(vector[MODEL_NEXT_V], 0, model_vector_size(model));
    while (n < n_step && norm > 0.0) {
        turn(model, norm, q, r);
        EW_TRY(model_stiffness_product(model, v, r));
        model_filter(model, r);
        diagonal[n] = model_dot(model, v, r);
        subtract(model, diagonal[n], n ? beside[n - 1] : 0.0, r);
        EW_TRY(solve_mass(model, r, q, &norm));
        beside[n] = norm;
        n++;
        if (norm <= 1e-12 * diagonal[0]) { /* all that the start has is found */
            break;
        }
    }
    *square = largest_of(n, diagonal, beside);
    return isfinite(*square) ? EW_OK
                             : ew_fail(EW_NOT_FINITE, "dynamics: the largest frequency is not "
                                                      "finite; check densities and stiffness");
}
