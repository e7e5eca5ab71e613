/* Mixed tets: displacement and pressure, both linear in a tet. In: mesh, tables, Lame constants.
 * Out: products with what is beside the stiffness of 2 mu, and the diagonal that preconditions the
 * pressure. On the host; mixed_device.c does the same on a device.
 *
 * Herrmann 1965, Elasticity equations for incompressible and nearly incompressible materials by a
 * variational theorem, AIAA Journal 3: stress = 2 mu e + p I with p = lambda tr(e) and e the strain
 * without the thermal strain a dT I, that is
 *
 *     integral of (2 mu eps(v) : eps(u) + p div v) = loads + integral of 2 mu a dT div v,
 *     integral of q (div u - p / lambda) = integral of q 3 a dT.
 *
 * The pressure of the whole strain would have to follow lambda times each temperature, which one
 * that is continuous and smoothed cannot.
 *
 * Two linear fields alone are not stable. Dohrmann & Bochev 2004, A stabilized finite element
 * method for the Stokes problem based on polynomial pressure projections, Int. J. Numer. Meth.
 * Fluids 46: less 1 / mu times the integral of (p - Pp)(q - Pq), P the mean in each tet; it
 * vanishes with the size of the tets. With V / 20 (1 + delta_ab) for the integral of two linear
 * functions
 *
 *     C_ab = V / 20 (1 + delta_ab) (1 / lambda + 1 / mu) - V / 16 / mu,   B_ab = V / 4 g_b. */
#include "analysis/parts/analysis.h"

#include "mixed.h"

/* ---- what a tet has -------------------------------------------------------------- */

static void prepare_tets(ew_mixed *mixed)
{
    const ew_mesh *mesh = mixed->mesh;
    const int32_t n = mesh->n_tet;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, 4000))
    for (int32_t t = 0; t < n; t++) {
        double x[12];
        if (ew_mesh_tet_is_live(mesh, t)) {
            const double *lame = mixed->materials->lame + 2 * (size_t)mesh->region[t];
            ew_mesh_tet_values(mesh, t, mesh->xyz, x);
            ew_mixed_tet(x, lame[0], lame[1], mixed->tet + 16 * (size_t)t);
        }
    }
}

static void prepare_deformed_tets(ew_mixed *mixed, const ew_internal_force *internal_force,
                                  const ew_deformed *body)
{
    const int32_t n = mixed->mesh->n_tet;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, 2000))
    for (int32_t t = 0; t < n; t++) {
        if (ew_mesh_tet_is_live(mixed->mesh, t)) {
            ew_internal_force_mixed_tet(internal_force, body, t, mixed->tet + 16 * (size_t)t);
        }
    }
}

static void prepare_vertices(ew_mixed *mixed)
{
    const ew_mesh *mesh = mixed->mesh;
    const ew_rows *rows = &mixed->topology->vertex_to_tet;
    const int32_t n = mesh->n_vertex;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, 4000))
    for (int32_t v = 0; v < n; v++) {
        double x[12], sum = 0.0;
        for (int32_t i = 0; i < rows->count[v]; i++) {
            const int32_t t = rows->item[(size_t)rows->begin[v] + (size_t)i];
            const size_t r = (size_t)mesh->region[t];
            const double *lame = mixed->materials->lame + 2 * r;
            ew_mesh_tet_values(mesh, t, mesh->xyz, x);
            sum +=
                ew_mixed_scale(mixed->tet + 16 * (size_t)t, ew_tet_volume_of(x), lame[0], lame[1],
                               mixed->of_k, mixed->of_m * mixed->materials->material[r].density);
        }
        mixed->scale[v] = sum;
    }
}

static ew_status open(ew_mixed *mixed, const ew_mesh *mesh, const ew_topology *topology,
                      const ew_materials *materials)
{
    EW_TRY(ew_grow(&mixed->tet, &mixed->tet_capacity, mesh->n_tet, 16 * sizeof *mixed->tet));
    EW_TRY(ew_grow(&mixed->scale, &mixed->vertex_capacity, mesh->n_vertex, sizeof *mixed->scale));
    mixed->mesh = mesh;
    mixed->topology = topology;
    mixed->materials = materials;
    return EW_OK;
}

void ew_mixed_scale_step(ew_mixed *mixed, double of_k, double of_m)
{
    mixed->of_k = of_k;
    mixed->of_m = of_m;
    prepare_vertices(mixed);
}

ew_status ew_mixed_prepare(ew_mixed *mixed, const ew_mesh *mesh, const ew_topology *topology,
                           const ew_materials *materials, double of_k, double of_m)
{
    EW_TRY(open(mixed, mesh, topology, materials));
    prepare_tets(mixed);
    ew_mixed_scale_step(mixed, of_k, of_m);
    return EW_OK;
}

ew_status ew_mixed_prepare_deformed(ew_mixed *mixed, const ew_internal_force *internal_force,
                                    const ew_deformed *body)
{
    EW_TRY(open(mixed, body->mesh, body->topology, body->materials));
    prepare_deformed_tets(mixed, internal_force, body);
    return EW_OK;
}

/* ---- products ---------------------------------------------------------------------- */

/* own[14], own[15] = sum of p over the corners, integral of div x over four. */
static void take_tet(const ew_mixed *mixed, int32_t t, const double *x, const double *p)
{
    const int32_t *vertex = mixed->mesh->tet + 4 * (size_t)t;
    double *own = mixed->tet + 16 * (size_t)t, sum = 0.0, divergence = 0.0;
    for (size_t k = 0; k < 4; k++) {
        const double *u = x + 3 * (size_t)vertex[k], *g = own + 3 * k;
        sum += p[vertex[k]];
        divergence += (g[0] * u[0] + g[1] * u[1]) + g[2] * u[2];
    }
    own[14] = sum;
    own[15] = divergence;
}

static void give_vertex(const ew_mixed *mixed, int32_t v, double p, double *y, double *q)
{
    const ew_rows *rows = &mixed->topology->vertex_to_tet;
    const double of_c = 1.0 / mixed->of_k;
    double sum = 0.0;
    for (int32_t i = 0; i < rows->count[v]; i++) {
        const int32_t t = rows->item[(size_t)rows->begin[v] + (size_t)i];
        const int32_t *vertex = mixed->mesh->tet + 4 * (size_t)t;
        const double *own = mixed->tet + 16 * (size_t)t;
        const double *g =
            own + 3 * ((vertex[1] == v) + 2 * (vertex[2] == v) + 3 * (vertex[3] == v));
        for (int c = 0; c < 3; c++) {
            y[c] += g[c] * own[14];
        }
        sum += own[15] - of_c * (own[12] * (own[14] + p) - own[13] * own[14]);
    }
    *q = sum;
}

void ew_mixed_add_product(void *user, const double *x, const double *p, double *y, double *q)
{
    const ew_mixed *mixed = user;
    const int32_t n = mixed->mesh->n_tet, n_vertex = mixed->mesh->n_vertex;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, 4000))
    for (int32_t t = 0; t < n; t++) {
        if (ew_mesh_tet_is_live(mixed->mesh, t)) {
            take_tet(mixed, t, x, p);
        }
    }
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n_vertex, 2000))
    for (int32_t v = 0; v < n_vertex; v++) {
        give_vertex(mixed, v, p[v], y + 3 * (size_t)v, q + v);
    }
}

void ew_mixed_free(ew_mixed *mixed)
{
    ew_release(mixed->tet);
    ew_release(mixed->scale);
    ew_release(mixed->work);
    ew_release(mixed->partial);
    ew_mixed_free_on_device(mixed);
    *mixed = (ew_mixed){0};
}
