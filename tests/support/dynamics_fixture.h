/* What the tests of dynamics share: small bodies, and an integration of their equations of motion
 * with dense matrices, each scheme written out as its source has it. */
#ifndef EW_DYNAMICS_FIXTURE_H
#define EW_DYNAMICS_FIXTURE_H

#include "model/parts/model.h"
#include "planes.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ew_material rubber = {.young = 2000.0, .poisson = 0.3, .density = 3.0};

/* ---- bodies ------------------------------------------------------------------------ */

static inline ew_model *make_box(const double size[3], const int32_t cells[3],
                                 const ew_material *material, ew_device *device)
{
    ew_mesh mesh;
    ew_model *model = NULL;
    ew_model_def def = ew_default_model_def();
    def.device = device;
    must(ew_shape_box(&mesh, size, cells));
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, material));
    return model;
}

static inline double *displacement(ew_model *model)
{
    return ew_model_field(model, 0);
}

static inline size_t n_entry(const ew_model *model)
{
    return 3 * (size_t)ew_model_mesh(model)->n_vertex;
}

/* Reproducible numbers of size 1 in every component of an active vertex. */
static inline void fill(const ew_model *model, uint64_t seed, double size, double *x)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    for (size_t i = 0; i < n_entry(model); i++) {
        const double r = (double)ew_test_random(&seed, 2000001) / 1e6 - 1.0;
        x[i] = ew_mesh_vertex_is_active(mesh, (int32_t)(i / 3)) ? size * r : 0.0;
    }
}

/* ---- the same with dense matrices ------------------------------------------------------ */

/* Equations of the free components; rows of others are those of the identity, their entries 0. */
typedef struct dense {
    size_t n;
    double *m, *c, *k;   /* [n][n] */
    double *u, *v, *a;   /* [n] */
    double *force, *own; /* [n] constant, and times sin(t) */
} dense;

static inline double *zeros(size_t n)
{
    return calloc(n, sizeof(double));
}

static inline void dense_free(dense *of)
{
    double *all[] = {of->m, of->c, of->k, of->u, of->v, of->a, of->force, of->own};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        free(all[i]);
    }
}

/* Tet by tet: m_ab of the kind, gravity. */
static inline void dense_mass(ew_model *model, ew_mass_kind kind, const double *gravity, dense *of)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_materials *materials = ew_model_materials(model);
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (!ew_mesh_tet_is_live(mesh, t)) {
            continue;
        }
        const double mass =
            ew_mesh_tet_volume(mesh, t) * materials->material[mesh->region[t]].density;
        for (int i = 0; i < 48; i++) {
            const int a = i / 12, b = i / 3 % 4, c = i % 3;
            const size_t row = 3 * (size_t)mesh->tet[4 * t + a] + (size_t)c;
            const size_t column = 3 * (size_t)mesh->tet[4 * t + b] + (size_t)c;
            const double share =
                kind == EW_MASS_LUMPED ? (a == b ? 0.25 : 0.0) : (a == b ? 0.1 : 0.05);
            of->m[row * of->n + column] += mass * share;
            of->force[row] += a == b ? 0.25 * mass * gravity[c] : 0.0;
        }
    }
}

static inline void dense_stiffness(ew_model *model, dense *of)
{
    const ew_matrix *matrix;
    const ew_pattern *pattern = &ew_model_topology(model)->pattern;
    must(ew_model_matrix(model, &matrix));
    for (int32_t r = 0; r < pattern->n_row; r++) {
        for (size_t i = 0; i < 9; i++) {
            of->k[(3 * (size_t)r + i / 3) * of->n + 3 * (size_t)r + i % 3] =
                matrix->diagonal[9 * (size_t)r + i];
        }
    }
    for (int32_t p = 0; p < pattern->n_pair; p++) {
        const int32_t *row = pattern->pair_row + 2 * (size_t)p;
        for (size_t i = 0; i < 9 && row[0] >= 0; i++) {
            const size_t x = 3 * (size_t)row[0] + i / 3, y = 3 * (size_t)row[1] + i % 3;
            of->k[x * of->n + y] = of->k[y * of->n + x] = matrix->pair[9 * (size_t)p + i];
        }
    }
}

/* Components of `wall` (or of no set, -1) and of vertices without tets leave the equations. */
static inline void dense_fix(const ew_model *model, int32_t wall, dense *of)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_set *set = wall < 0 ? NULL : ew_model_view_set(model, wall).member;
    for (size_t i = 0; i < of->n; i++) {
        const int32_t v = (int32_t)(i / 3);
        if (ew_mesh_vertex_is_active(mesh, v) && !(set && ew_set_has(set, v))) {
            continue;
        }
        for (size_t j = 0; j < of->n; j++) {
            of->m[i * of->n + j] = of->m[j * of->n + i] = i == j ? 1.0 : 0.0;
            of->k[i * of->n + j] = of->k[j * of->n + i] = 0.0;
        }
        of->force[i] = of->own[i] = of->u[i] = of->v[i] = 0.0;
    }
}

/* x = A^-1 b by elimination with pivots; A [n][n] is kept. */
static inline void dense_solve(size_t n, const double *matrix, const double *b, double *x)
{
    double *a = malloc(n * n * sizeof *a);
    memcpy(a, matrix, n * n * sizeof *a);
    memmove(x, b, n * sizeof *x);
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < n; i++) {
            best = fabs(a[i * n + k]) > fabs(a[best * n + k]) ? i : best;
        }
        for (size_t j = 0; j < n && best != k; j++) {
            const double old = a[k * n + j];
            a[k * n + j] = a[best * n + j];
            a[best * n + j] = old;
        }
        const double old = x[k];
        x[k] = x[best];
        x[best] = best == k ? x[best] : old;
        for (size_t i = k + 1; i < n; i++) {
            const double factor = a[i * n + k] / a[k * n + k];
            for (size_t j = k; j < n && factor != 0.0; j++) {
                a[i * n + j] -= factor * a[k * n + j];
            }
            x[i] -= factor * x[k];
        }
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; j++) {
            x[k] -= a[k * n + j] * x[j];
        }
        x[k] /= a[k * n + k];
    }
    free(a);
}

/* y += factor A x */
static inline void dense_add(size_t n, double factor, const double *a, const double *x, double *y)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            y[i] += factor * a[i * n + j] * x[j];
        }
    }
}

static inline void dense_load(const dense *of, double t, double factor, double *f)
{
    for (size_t i = 0; i < of->n; i++) {
        f[i] += factor * (of->force[i] + sin(t) * of->own[i]);
    }
}

/* a = M^-1 (F - C v - K u) */
static inline void dense_accelerate(dense *of, double t)
{
    double *f = zeros(of->n);
    dense_load(of, t, 1.0, f);
    dense_add(of->n, -1.0, of->c, of->v, f);
    dense_add(of->n, -1.0, of->k, of->u, f);
    dense_solve(of->n, of->m, f, of->a);
    free(f);
}

static inline void dense_combine(const dense *of, double m, double c, double k, double *to)
{
    for (size_t i = 0; i < of->n * of->n; i++) {
        to[i] = m * of->m[i] + c * of->c[i] + k * of->k[i];
    }
}

/* (M + dt C + dt^2 K) v_1 = M v_0 + dt (F_1 - K u_0) */
static inline void dense_implicit_euler(dense *of, double t, double dt)
{
    const size_t n = of->n;
    double *a = zeros(n * n), *f = zeros(n), *before = zeros(n);
    memcpy(before, of->v, n * sizeof *before);
    dense_combine(of, 1.0, dt, dt * dt, a);
    dense_load(of, t + dt, dt, f);
    dense_add(n, 1.0, of->m, of->v, f);
    dense_add(n, -dt, of->k, of->u, f);
    dense_solve(n, a, f, of->v);
    for (size_t i = 0; i < n; i++) {
        of->u[i] += dt * of->v[i];
        of->a[i] = (of->v[i] - before[i]) / dt;
    }
    free(a), free(f), free(before);
}

/* Generalized alpha with Newmark's updates; alpha_m = alpha_f = 0: Newmark; alpha_m = 0: HHT. */
static inline void dense_alpha(dense *of, double t, double dt, const double by[4])
{
    const size_t n = of->n;
    const double am = by[0], af = by[1], beta = by[2], gamma = by[3];
    double *a = zeros(n * n), *f = zeros(n), *u = zeros(n), *v = zeros(n), *x = zeros(n);
    for (size_t i = 0; i < n; i++) { /* what a_1 = 0 gives */
        u[i] = of->u[i] + dt * of->v[i] + dt * dt * (0.5 - beta) * of->a[i];
        v[i] = of->v[i] + dt * (1.0 - gamma) * of->a[i];
    }
    dense_combine(of, 1.0 - am, (1.0 - af) * gamma * dt, (1.0 - af) * beta * dt * dt, a);
    dense_load(of, t + dt, 1.0 - af, f);
    dense_load(of, t, af, f);
    dense_add(n, -am, of->m, of->a, f);
    dense_add(n, -(1.0 - af), of->c, v, f);
    dense_add(n, -af, of->c, of->v, f);
    dense_add(n, -(1.0 - af), of->k, u, f);
    dense_add(n, -af, of->k, of->u, f);
    dense_solve(n, a, f, x);
    for (size_t i = 0; i < n; i++) {
        of->u[i] = u[i] + dt * dt * beta * x[i];
        of->v[i] = v[i] + dt * gamma * x[i];
        of->a[i] = x[i];
    }
    free(a), free(f), free(u), free(v), free(x);
}

static inline void dense_explicit_euler(dense *of, double t, double dt)
{
    for (size_t i = 0; i < of->n; i++) {
        of->u[i] += dt * of->v[i];
        of->v[i] += dt * of->a[i];
    }
    dense_accelerate(of, t + dt);
}

/* Velocities at half steps. */
static inline void dense_central(dense *of, double t, double dt)
{
    for (size_t i = 0; i < of->n; i++) {
        of->v[i] += 0.5 * dt * of->a[i];
        of->u[i] += dt * of->v[i];
    }
    dense_accelerate(of, t + dt);
    for (size_t i = 0; i < of->n; i++) {
        of->v[i] += 0.5 * dt * of->a[i];
    }
}

static inline void dense_step(dense *of, const ew_dynamics_def *def, double t, double dt)
{
    const double al = def->parameters.alpha, r = def->parameters.spectral_radius;
    const double am = (2.0 * r - 1.0) / (r + 1.0), af = r / (r + 1.0);
    const double newmark[4] = {0.0, 0.0, def->parameters.beta, def->parameters.gamma};
    const double hht[4] = {0.0, -al, 0.25 * (1.0 - al) * (1.0 - al), 0.5 - al};
    const double chung[4] = {am, af, 0.25 * (1.0 - am + af) * (1.0 - am + af), 0.5 - am + af};
    switch (def->scheme) {
    case EW_IMPLICIT_EULER:
        dense_implicit_euler(of, t, dt);
        break;
    case EW_EXPLICIT_EULER:
        dense_explicit_euler(of, t, dt);
        break;
    case EW_CENTRAL_DIFFERENCE:
        dense_central(of, t, dt);
        break;
    default:
        dense_alpha(of, t, dt,
                    def->scheme == EW_NEWMARK ? newmark
                    : def->scheme == EW_HHT   ? hht
                                              : chung);
    }
}

#endif
