/* Whole static analyses on the host against closed forms: built-in shape, materials, loads,
 * constraints, matrix, solve, recovery. Where the discrete answer is exact (linear fields)
 * it must be so to rounding and the solver's tolerance; elsewhere the error must fall with
 * refinement at the order of the linear tet: two in displacement, one in stress. */
#include "assembly/parts/assembly.h"
#include "testlib.h"

#include "analysis/parts/analysis.h"
#include "shape/parts/shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8 };

typedef struct model {
    ew_mesh mesh;
    ew_topology topology;
    ew_material material;
    ew_materials materials;
    ew_matrix matrix;
    ew_constraints constraints;
    ew_fields fields;
    ew_sums sums;
    double *f, *u;
    ew_set set[MOST];
    int32_t n_set, n_fix, n_load;
    ew_constraint fix[MOST];
    ew_load load[MOST];
} model;

static void model_free(model *m)
{
    for (int i = 0; i < MOST; i++) {
        ew_set_free(&m->set[i]);
    }
    ew_release(m->f);
    ew_release(m->u);
    ew_fields_free(&m->fields);
    ew_constraints_free(&m->constraints);
    ew_matrix_free(&m->matrix);
    ew_materials_free(&m->materials);
    ew_topology_free(&m->topology);
    ew_mesh_free(&m->mesh);
    *m = (model){0};
}

/* Vertices with low <= x[axis] <= high. */
static const ew_set *slab(model *m, int axis, double low, double high)
{
    ew_set *set = &m->set[m->n_set++];
    for (int32_t v = 0; v < m->mesh.n_vertex; v++) {
        double x = m->mesh.xyz[3 * (size_t)v + axis];
        if (x >= low - 1e-9 && x <= high + 1e-9) {
            CU_ASSERT_EQUAL_FATAL(ew_set_add(set, v), EW_OK);
        }
    }
    return set;
}

/* Vertices of the labeled boundary triangles. */
static const ew_set *surface(model *m, int32_t label)
{
    ew_set *set = &m->set[m->n_set++];
    for (int32_t i = 0; i < 3 * m->mesh.n_face; i++) {
        if (m->mesh.face_label[i / 3] == label) {
            CU_ASSERT_EQUAL_FATAL(ew_set_add(set, m->mesh.face[i]), EW_OK);
        }
    }
    return set;
}

static void fix(model *m, const ew_set *set, uint8_t fixed, double x, double y, double z)
{
    m->fix[m->n_fix++] = (ew_constraint){.vertex = set, .fixed = fixed, .value = {x, y, z}};
}

static void build(model *m)
{
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&m->topology, &m->mesh), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&m->materials, 1, &m->material), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_stiffness_build(&m->matrix, &m->mesh, &m->topology, &m->materials),
                          EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_constraints_build(&m->constraints, &m->mesh, m->n_fix, m->fix), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_new_zero(&m->f, 3 * (size_t)m->mesh.n_vertex, sizeof *m->f), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_new_zero(&m->u, 3 * (size_t)m->mesh.n_vertex, sizeof *m->u), EW_OK);
}

/* What no mesh excuses: forces and moments balance, and the work of the forces is twice the
 * energy; as share of the forces at work, or for want of such of the stiffness. */
static void check_balance(const model *m, double slack)
{
    const ew_sums *sums = &m->sums;
    double moved = sums->max_displacement, forces = 0.0;
    for (int32_t i = 0; i < 3 * m->mesh.n_vertex; i++) {
        forces += fabs(m->f[i]) + fabs(m->fields.reaction[i]);
    }
    CU_ASSERT(sums->equilibrium < slack || forces < 1e-9 * m->material.young * moved);
    forces += 0.01 * m->material.young * moved;
    for (int c = 0; c < 3; c++) {
        CU_ASSERT_DOUBLE_EQUAL(sums->applied_force[c], -sums->reaction_force[c], slack * forces);
        CU_ASSERT_DOUBLE_EQUAL(sums->applied_moment[c], -sums->reaction_moment[c],
                               10.0 * slack * forces); /* arms of up to 10 */
    }
    CU_ASSERT_DOUBLE_EQUAL(sums->external_work, 2.0 * sums->strain_energy + sums->thermal_work,
                           slack * forces * moved);
}

/* Solves and recovers. */
/* Reactions come from stresses; the matrix must say the same: K u - f on what is prescribed. */
static void check_reactions(model *m)
{
    size_t n = 3 * (size_t)m->mesh.n_vertex;
    double *y = malloc(n * sizeof *y), largest = 0.0, difference = 0.0, terms = 0.0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(y);
    ew_matrix_product(&m->matrix, &m->topology.pattern, m->u, y);
    for (size_t i = 0; i < n; i++) {
        bool is_fixed = m->constraints.fixed[i / 3] >> i % 3 & 1;
        double expected = is_fixed ? y[i] - m->f[i] : 0.0;
        largest = fmax(largest, fabs(y[i]));
        terms = fmax(terms, fabs(m->matrix.diagonal[9 * (i / 3) + 4 * (i % 3)] * m->u[i]));
        difference = fmax(difference, fabs(m->fields.reaction[i] - expected));
    }
    /* Where the sum vanishes, rounding is that of its terms. */
    CU_ASSERT(difference <= 1e-9 * largest + 1e-13 * terms);
    free(y);
}

static void solve(model *m, double tolerance)
{
    ew_pcg_def def = ew_default_pcg_def();
    ew_pcg_info info;
    ew_solver solver = {0};
    ew_operator op = ew_operator_on_host(&m->matrix, &m->topology.pattern);
    const ew_system system = {
        .op = &op, .xyz = m->mesh.xyz, .fixed = m->constraints.fixed, .b = m->f};
    def.tolerance = tolerance;
    CU_ASSERT_EQUAL_FATAL(ew_require_constrained(&m->mesh, &m->topology, &m->constraints), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_loads_assemble(&m->mesh, &m->topology, &m->materials, m->n_load,
                                            m->load, NULL, m->f),
                          EW_OK);
    memcpy(m->u, m->constraints.value, 3 * (size_t)m->mesh.n_vertex * sizeof *m->u);
    CU_ASSERT_EQUAL_FATAL(ew_solver_solve(&solver, &system, &def, m->u, &info), EW_OK);
    ew_solver_free(&solver);
    ew_operator_free(&op);
    CU_ASSERT_EQUAL_FATAL(ew_fields_recover(&m->fields, &m->mesh, &m->topology, &m->materials,
                                            &m->constraints, m->n_load, m->load, m->f, m->u, NULL),
                          EW_OK);
    ew_partial_sums partial = {0};
    must(ew_partial_sums_take(&partial, &m->mesh, &m->materials, &m->constraints, &m->fields, m->f,
                              m->u, NULL, &m->sums));
    ew_partial_sums_free(&partial);
    check_balance(m, 100.0 * tolerance);
    check_reactions(m);
}

static void make_box(model *m, double x, double y, double z, int32_t i, int32_t j, int32_t k)
{
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&m->mesh, (double[3]){x, y, z}, (int32_t[3]){i, j, k}),
                          EW_OK);
}

static double order_of(double coarse, double fine)
{
    return log2(coarse / fine);
}

/* ---- exact ---------------------------------------------------------------------- */

/* u = A x + b */
static double linear(const double a[9], const double *x, int c)
{
    static const double b[3] = {0.3, -0.2, 0.1};
    return a[3 * c] * x[0] + a[3 * c + 1] * x[1] + a[3 * c + 2] * x[2] + b[c];
}

/* A 4 x 4 x 4 box whose inner vertices are moved at random, the linear field prescribed on
 * its boundary. */
static void solve_linear(model *m, const double a[9])
{
    uint64_t random = 11;
    make_box(m, 1.0, 1.0, 1.0, 4, 4, 4);
    ew_set *boundary = &m->set[m->n_set++];
    for (int32_t i = 0; i < 3 * m->mesh.n_face; i++) {
        CU_ASSERT_EQUAL_FATAL(ew_set_add(boundary, m->mesh.face[i]), EW_OK);
    }
    for (int32_t i = 0; i < 3 * m->mesh.n_vertex; i++) {
        if (!ew_set_has(boundary, i / 3)) {
            m->mesh.xyz[i] += (ew_test_random(&random, 1001) / 1000.0 - 0.5) * 0.1;
        }
    }
    CU_ASSERT_EQUAL_FATAL(ew_mesh_check(&m->mesh), EW_OK);
    fix(m, boundary, 7, 0, 0, 0);
    build(m);
    for (int32_t i = 0; i < 3 * m->mesh.n_vertex; i++) {
        double value = linear(a, m->mesh.xyz + i / 3 * 3, i % 3);
        m->constraints.value[i] = m->constraints.fixed[i / 3] ? value : 0.0;
    }
    solve(m, 1e-12);
}

/* Largest errors of the displacement, and of the stress as share of Young's modulus. */
static double linear_field(const double a[9], double *stress_error)
{
    model m = {.material = {2.0, 0.3, 1.0}};
    solve_linear(&m, a);
    double error = 0.0;
    for (int32_t i = 0; i < 3 * m.mesh.n_vertex; i++) {
        double off = fabs(m.u[i] - linear(a, m.mesh.xyz + i / 3 * 3, i % 3));
        error = off > error ? off : error;
    }
    double strain[6] = {a[0], a[4], a[8], a[1] + a[3], a[5] + a[7], a[2] + a[6]};
    const double e = m.material.young, nu = m.material.poisson, mu = e / (2.0 * (1.0 + nu));
    double volumetric = (a[0] + a[4] + a[8]) * e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
    *stress_error = 0.0;
    for (int32_t i = 0; i < 6 * m.mesh.n_tet; i++) {
        int c = i % 6;
        double expected = c < 3 ? volumetric + 2.0 * mu * strain[c] : mu * strain[c];
        double off = fabs(m.fields.stress[i] - expected) / e;
        *stress_error = off > *stress_error ? off : *stress_error;
    }
    model_free(&m);
    return error;
}

static void test_physics_patch(void)
{
    const double a[9] = {0.4, -0.1, 0.2, 0.3, -0.5, 0.15, 0.05, 0.25, 0.1};
    double stress;
    double displacement = linear_field(a, &stress);
    printf(" patch: displacement %.1e, stress %.1e ", displacement, stress);
    CU_ASSERT(displacement < 1e-9);
    CU_ASSERT(stress < 1e-9);
}

/* A small rotation is a linear field with no strain. */
static void test_physics_rotation(void)
{
    const double a[9] = {0.0, -0.03, 0.02, 0.03, 0.0, -0.01, -0.02, 0.01, 0.0};
    double stress;
    CU_ASSERT(linear_field(a, &stress) < 1e-9);
    CU_ASSERT(stress < 1e-9);
}

/* Rollers on three planes, traction s on the far end: u = (s x, - nu s y, - nu s z) / E. */
static void check_uniaxial(double poisson)
{
    const double s = 3.0, young = 70.0;
    model m = {.material = {young, poisson, 1.0}};
    make_box(&m, 4.0, 1.0, 1.5, 6, 2, 3);
    fix(&m, slab(&m, 0, 0, 0), 1, 0, 0, 0);
    fix(&m, slab(&m, 1, 0, 0), 2, 0, 0, 0);
    fix(&m, slab(&m, 2, 0, 0), 4, 0, 0, 0);
    m.load[m.n_load++] =
        (ew_load){.kind = EW_LOAD_TRACTION, .vector = {s, 0, 0}, .vertex = slab(&m, 0, 4, 4)};
    build(&m);
    solve(&m, 1e-12);
    for (int32_t i = 0; i < 3 * m.mesh.n_vertex; i++) {
        double exact = (i % 3 ? -poisson : 1.0) * s * m.mesh.xyz[i] / young;
        CU_ASSERT_DOUBLE_EQUAL(m.u[i], exact, 1e-10);
    }
    for (int32_t i = 0; i < 6 * m.mesh.n_vertex; i++) {
        CU_ASSERT_DOUBLE_EQUAL(m.fields.vertex_stress[i], i % 6 ? 0.0 : s, 1e-8);
    }
    CU_ASSERT_DOUBLE_EQUAL(m.sums.reaction_force[0], -s * 1.5, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(m.sums.strain_energy, 0.5 * s * s / young * 6.0, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(m.sums.max_von_mises, s, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(m.sums.max_principal, s, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(m.sums.volume, 6.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(m.sums.mass, 6.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(m.mesh.xyz[3 * (size_t)m.sums.max_displacement_vertex], 4.0, 1e-12);
    model_free(&m);
}

static void test_physics_uniaxial(void)
{
    check_uniaxial(0.0);
    check_uniaxial(0.3);
}

/* The same stretch by prescribed displacement gives the same force, as a reaction. */
static void test_physics_prescribed(void)
{
    model m = {.material = {70.0, 0.3, 0.0}};
    make_box(&m, 4.0, 1.0, 1.5, 6, 2, 3);
    fix(&m, slab(&m, 0, 0, 0), 1, 0, 0, 0);
    fix(&m, slab(&m, 1, 0, 0), 2, 0, 0, 0);
    fix(&m, slab(&m, 2, 0, 0), 4, 0, 0, 0);
    fix(&m, slab(&m, 0, 4, 4), 1, 0.2, 0, 0);
    build(&m);
    solve(&m, 1e-12);
    double pull = 0.0;
    for (int32_t i = 0; i < m.set[3].list.n; i++) {
        pull += m.fields.reaction[3 * (size_t)m.set[3].list.id[i]];
    }
    CU_ASSERT_DOUBLE_EQUAL(pull, 70.0 * 0.2 / 4.0 * 1.5, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(m.sums.external_work, pull * 0.2, 1e-9);
    CU_ASSERT_EQUAL(m.sums.mass, 0.0);
    model_free(&m);
}

/* ---- converging ------------------------------------------------------------------- */

/* A bar hung by its upper end (nu = 0) sinks by rho g (L s - s^2 / 2) / E at depth s, at the
 * lower end rho g L^2 / 2E. Root mean square over the vertices, and at the end, as share of
 * the latter. */
static void hanging_error(int32_t n, double *mean, double *tip)
{
    const double length = 2.0, young = 50.0, density = 3.0, g = 9.81;
    const double largest = density * g * length * length / (2.0 * young);
    model m = {.material = {young, 0.0, density}};
    make_box(&m, 0.5, 0.5, length, n, n, 4 * n);
    fix(&m, slab(&m, 2, length, length), 7, 0, 0, 0);
    m.load[m.n_load++] = (ew_load){.kind = EW_LOAD_GRAVITY, .vector = {0, 0, -g}};
    build(&m);
    solve(&m, 1e-10);
    *mean = *tip = 0.0;
    for (int32_t v = 0; v < m.mesh.n_vertex; v++) {
        double s = length - m.mesh.xyz[3 * (size_t)v + 2];
        double exact = -largest * s * (2.0 * length - s) / (length * length);
        double off = fabs(m.u[3 * (size_t)v + 2] - exact) / largest;
        *mean += off * off / m.mesh.n_vertex;
        *tip = s == length && off > *tip ? off : *tip;
    }
    *mean = sqrt(*mean);
    CU_ASSERT_DOUBLE_EQUAL(m.sums.reaction_force[2], density * g * 0.5 * 0.5 * length, 1e-7);
    model_free(&m);
}

static void test_physics_own_weight(void)
{
    double mean[3], tip[3];
    for (int k = 0; k < 3; k++) {
        hanging_error(2 << k, &mean[k], &tip[k]);
    }
    double order = order_of(mean[1], mean[2]);
    printf(" own weight: mean error %.1e %.1e %.1e order %.2f, end %.1e %.1e %.1e ", mean[0],
           mean[1], mean[2], order, tip[0], tip[1], tip[2]);
    CU_ASSERT(order > 1.8);
    CU_ASSERT(tip[2] < tip[1] && tip[1] < tip[0]);
}

/* Clamped beam, transverse force spread over its end. nu = 0, so that the clamp does not
 * hinder the cross-section and beam theory is what the body converges to; Timoshenko:
 * P L^3 / 3 E I + P L / (5/6 G A). */
static double cantilever_tip(int32_t n)
{
    const double length = 6.0, force = 0.01, young = 100.0;
    model m = {.material = {young, 0.0, 1.0}};
    make_box(&m, length, 1.0, 1.0, 6 * n, n, n);
    fix(&m, slab(&m, 0, 0, 0), 7, 0, 0, 0);
    const ew_set *tip = slab(&m, 0, length, length);
    m.load[m.n_load++] =
        (ew_load){.kind = EW_LOAD_TRACTION, .vector = {0, 0, -force}, .vertex = tip};
    build(&m);
    solve(&m, 1e-10);
    double mean = 0.0;
    for (int32_t i = 0; i < tip->list.n; i++) {
        mean += m.u[3 * (size_t)tip->list.id[i] + 2] / tip->list.n;
    }
    CU_ASSERT_DOUBLE_EQUAL(m.sums.reaction_force[2], force, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(m.sums.reaction_moment[1], -force * length, 1e-8);
    model_free(&m);
    double exact = force * length * length * length / (3.0 * young / 12.0) +
                   force * length / (5.0 / 6.0 * 0.5 * young);
    return -mean / exact;
}

static void test_physics_cantilever(void)
{
    double w1 = cantilever_tip(3), w2 = cantilever_tip(6), w3 = cantilever_tip(12);
    double first = order_of(1.0 - w1, 1.0 - w2), order = order_of(1.0 - w2, 1.0 - w3);
    printf(" cantilever: %.4f %.4f %.4f of Timoshenko, orders %.2f %.2f ", w1, w2, w3, first,
           order);
    CU_ASSERT(w1 < w2 && w2 < w3 && w3 < 1.0); /* displacement elements are too stiff */
    CU_ASSERT(w3 > 0.97);
    CU_ASSERT(order > 1.8);
}

typedef struct sphere_error {
    double displacement, hoop; /* root mean square over vertices, and over the volume */
} sphere_error;

/* Lame: with inner radius a, outer b, inner pressure p and k = p a^3 / (b^3 - a^3),
 * u_r = k / E ((1 - 2 nu) r + (1 + nu) b^3 / 2 r^2), hoop stress k (1 + b^3 / 2 r^3). */
static sphere_error sphere(int32_t n)
{
    const double a = 1.0, b = 2.0, p = 1.0, young = 10.0, nu = 0.3, b3 = b * b * b;
    const double k = p * a * a * a / (b3 - a * a * a);
    model m = {.material = {young, nu, 1.0}};
    CU_ASSERT_EQUAL_FATAL(ew_shape_sphere_octant(&m.mesh, a, b, (int32_t[2]){n, n}), EW_OK);
    for (int axis = 0; axis < 3; axis++) {
        fix(&m, slab(&m, axis, 0, 0), (uint8_t)(1 << axis), 0, 0, 0);
    }
    m.load[m.n_load++] =
        (ew_load){.kind = EW_LOAD_PRESSURE, .pressure = p, .vertex = surface(&m, 1)};
    build(&m);
    solve(&m, 1e-10);
    double error = 0.0, size = 0.0, hoop_error = 0.0, hoop_size = 0.0;
    for (int32_t v = 0; v < m.mesh.n_vertex; v++) {
        const double *x = m.mesh.xyz + 3 * (size_t)v;
        double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        double exact = k / young * ((1.0 - 2.0 * nu) * r + (1.0 + nu) * b3 / (2.0 * r * r));
        for (int c = 0; c < 3; c++) {
            double off = m.u[3 * (size_t)v + c] - exact * x[c] / r;
            error += off * off;
        }
        size += exact * exact;
    }
    for (int32_t t = 0; t < m.mesh.n_tet; t++) {
        double x[3] = {0.0}, volume = ew_mesh_tet_volume(&m.mesh, t);
        const double *s = m.fields.stress + 6 * (size_t)t;
        for (int i = 0; i < 12; i++) {
            x[i % 3] += m.mesh.xyz[3 * (size_t)m.mesh.tet[4 * (size_t)t + i / 3] + i % 3] / 4.0;
        }
        double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
        double radial = (s[0] * x[0] * x[0] + s[1] * x[1] * x[1] + s[2] * x[2] * x[2] +
                         2.0 * (s[3] * x[0] * x[1] + s[4] * x[1] * x[2] + s[5] * x[0] * x[2])) /
                        r2;
        double hoop = 0.5 * (s[0] + s[1] + s[2] - radial); /* mean of the two */
        double exact = k * (1.0 + b3 / (2.0 * r2 * sqrt(r2)));
        hoop_error += volume * (hoop - exact) * (hoop - exact);
        hoop_size += volume * exact * exact;
    }
    model_free(&m);
    return (sphere_error){sqrt(error / size), sqrt(hoop_error / hoop_size)};
}

static void test_physics_sphere(void)
{
    sphere_error e1 = sphere(4), e2 = sphere(8), e3 = sphere(16);
    double order = order_of(e2.displacement, e3.displacement), hoop = order_of(e2.hoop, e3.hoop);
    printf(" sphere: displacement %.1e %.1e %.1e order %.2f, hoop %.1e %.1e %.1e order %.2f ",
           e1.displacement, e2.displacement, e3.displacement, order, e1.hoop, e2.hoop, e3.hoop,
           hoop);
    CU_ASSERT(order > 1.9 && order_of(e1.displacement, e2.displacement) > 1.8);
    CU_ASSERT(hoop > 0.85 && e2.hoop < e1.hoop);
    CU_ASSERT(e3.displacement < 0.006 && e3.hoop < 0.08);
}

/* Tension along x of a plate with a hole of a fortieth of its width, nu = 0 so that it stays
 * plane: the stress at the hole's flank over the remote one is 3 in an infinite plate
 * (Kirsch 1898), (2 + (1 - d/W)^3) / (1 - d/W) = 3.002 here (Heywood 1952, for a strip). */
static double plate_factor(int32_t n)
{
    const double side = 40.0;
    model m = {.material = {100.0, 0.0, 1.0}};
    CU_ASSERT_EQUAL_FATAL(
        ew_shape_plate_hole(&m.mesh, side, 1.0, 0.25, (int32_t[3]){2 * n, 3 * n, 1}), EW_OK);
    for (int axis = 0; axis < 3; axis++) {
        fix(&m, slab(&m, axis, 0, 0), (uint8_t)(1 << axis), 0, 0, 0);
    }
    m.load[m.n_load++] =
        (ew_load){.kind = EW_LOAD_TRACTION, .vector = {1, 0, 0}, .vertex = slab(&m, 0, side, side)};
    build(&m);
    solve(&m, 1e-9);
    double factor = 0.0;
    for (int32_t v = 0; v < m.mesh.n_vertex; v++) {
        const double *x = m.mesh.xyz + 3 * (size_t)v;
        double s = m.fields.vertex_stress[6 * (size_t)v];
        if (fabs(x[0]) < 1e-9 && fabs(x[1] - 1.0) < 1e-9 && s > factor) {
            factor = s;
        }
    }
    model_free(&m);
    return factor;
}

static void test_physics_plate_with_hole(void)
{
    double k1 = plate_factor(4), k2 = plate_factor(8), k3 = plate_factor(16), k4 = plate_factor(32);
    printf(" plate: factor %.3f %.3f %.3f %.3f ", k1, k2, k3, k4);
    CU_ASSERT(k1 < k2 && k2 < k3 && k3 < k4 && k4 < 3.002);
    CU_ASSERT(k4 > 2.98);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"physics_patch", test_physics_patch},
                           {"physics_rotation", test_physics_rotation},
                           {"physics_uniaxial", test_physics_uniaxial},
                           {"physics_prescribed", test_physics_prescribed},
                           {"physics_own_weight", test_physics_own_weight},
                           {"physics_cantilever", test_physics_cantilever},
                           {"physics_sphere", test_physics_sphere},
                           {"physics_plate_with_hole", test_physics_plate_with_hole},
                           CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"physics", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
