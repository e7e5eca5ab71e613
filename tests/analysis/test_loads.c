/* The kinds of loads against what they must add up to: resultants to round-off on sets of faces and
 * of vertices, distributions against integrals taken another way, what is refused and how. Analyses
 * are in test_thermal.c and test_physics.c. */
#include "loads_fixture.h"

#include <stdlib.h>

static void expect_refused(loaded *l, ew_load load, ew_status expected, const char *words)
{
    ew_load_share share = {.factor = 42.0};
    CU_ASSERT_EQUAL(ew_load_find_share(&l->mesh, &l->topology, &l->materials, &load, 2, &share),
                    expected);
    const bool found = strstr(ew_message(), words) && strstr(ew_message(), "load 3");
    CU_ASSERT(found);
    if (!found) {
        printf("%s\n", ew_message());
    }
    CU_ASSERT_EQUAL(share.factor, 42.0);
}

/* ---- moments and remote forces ------------------------------------------------- */

/* Force and moment about a point of what a load gives. */
static void test_moment_has_its_resultant(void)
{
    loaded l = make_loaded(4, 3, 2);
    for (int turned = 0; turned < 2; turned++) {
        const ew_load load =
            on_end(&l, turned, (ew_load){.kind = EW_LOAD_MOMENT, .vector = {3.0, -2.0, 5.0}});
        const resultant sum = resultant_of(&l, &load, (double[3]){0.0, 0.0, 0.0});
        for (int c = 0; c < 3; c++) {
            CU_ASSERT(fabs(sum.force[c]) < 1e-12 * sum.scale);
            CU_ASSERT(fabs(sum.moment[c] - load.vector[c]) < 1e-12 * sum.scale);
        }
    }
    free_loaded(&l);
}

static void test_remote_force_has_its_resultant(void)
{
    loaded l = make_loaded(4, 3, 2);
    for (int turned = 0; turned < 2; turned++) {
        const ew_load load = on_end(&l, turned,
                                    (ew_load){.kind = EW_LOAD_REMOTE_FORCE,
                                              .vector = {30.0, -20.0, 50.0},
                                              .point = {7.0, 4.0, -3.0}});
        const resultant sum = resultant_of(&l, &load, load.point);
        for (int c = 0; c < 3; c++) {
            CU_ASSERT(fabs(sum.force[c] - load.vector[c]) < 1e-12 * sum.scale);
            CU_ASSERT(fabs(sum.moment[c]) < 1e-11 * sum.scale); /* arms of 8 */
        }
    }
    free_loaded(&l);
}

/* A remote force at the centroid is the uniform traction of a total force. */
static void test_remote_force_at_the_centroid(void)
{
    loaded l = make_loaded(3, 3, 3);
    const ew_load remote = on_end(&l, true,
                                  (ew_load){.kind = EW_LOAD_REMOTE_FORCE,
                                            .vector = {1.0, 2.0, 3.0},
                                            .point = {4.0, 0.5, 0.5}});
    const ew_load even =
        on_end(&l, true, (ew_load){.kind = EW_LOAD_TOTAL_FORCE, .vector = {1.0, 2.0, 3.0}});
    double *a = forces_of(&l, &remote), *b = forces_of(&l, &even);
    for (int32_t i = 0; i < 3 * l.mesh.n_vertex; i++) {
        CU_ASSERT_DOUBLE_EQUAL(a[i], b[i], 1e-14);
    }
    ew_release(a);
    ew_release(b);
    free_loaded(&l);
}

/* Torsion of a square end: the traction turns about the centroid, T / (a^4 / 6) per length. */
static void test_moment_is_a_turning_traction(void)
{
    loaded l = make_loaded(2, 8, 8);
    const ew_load load =
        on_end(&l, false, (ew_load){.kind = EW_LOAD_MOMENT, .vector = {6.0, 0.0, 0.0}});
    ew_load_share share;
    must(ew_load_find_share(&l.mesh, &l.topology, &l.materials, &load, 0, &share));
    CU_ASSERT_DOUBLE_EQUAL(share.spin[0], 36.0, 1e-11);
    CU_ASSERT_DOUBLE_EQUAL(share.spin[1], 0.0, 1e-11);
    CU_ASSERT_DOUBLE_EQUAL(share.spin[2], 0.0, 1e-11);
    CU_ASSERT_DOUBLE_EQUAL(share.center[0], 4.0, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(share.center[1], 0.5, 1e-14);
    free_loaded(&l);
}

/* ---- local axes --------------------------------------------------------------------- */

/* Oblique axes: as the turned vector. Cylindrical: a tangential traction twists, a radial one has
 * no resultant on a whole hole. */
static void test_loads_along_axes(void)
{
    loaded l = make_loaded(3, 2, 2), hole = make_hole();
    const ew_load_kind kinds[] = {EW_LOAD_FORCE, EW_LOAD_TOTAL_FORCE, EW_LOAD_TRACTION};
    ew_axes tilted, around;
    must(ew_axes_from_xy((double[3]){1, 2, 0}, (double[3]){0, 1, 1}, &tilted));
    must(ew_axes_of_cylinder((double[3]){0, 0, 7}, (double[3]){0, 0, 1}, &around));
    for (int k = 0; k < 6; k++) {
        const ew_load_kind kind = kinds[k % 3];
        const bool faces = k > 2 && kind != EW_LOAD_FORCE;
        ew_load local = on_end(&l, faces, (ew_load){.kind = kind, .vector = {1, 2, 3}});
        ew_load global = local;
        local.axes = tilted;
        ew_axes_to_global(tilted.direction, local.vector, global.vector);
        double *a = forces_of(&l, &local), *b = forces_of(&l, &global);
        (void)resultant_of(&l, &local, (double[3]){0, 0, 0});
        for (int32_t i = 0; i < 3 * l.mesh.n_vertex; i++) {
            CU_ASSERT_DOUBLE_EQUAL(a[i], b[i], 1e-14);
        }
        ew_release(a);
        ew_release(b);
    }
    const double length = 40 * 2.0 * HOLE * sin(3.14159265358979 / 40), area = 0.1 * length;
    const ew_load twist = {
        .kind = EW_LOAD_TRACTION, .vector = {5, 3, 0}, .vertex = &hole.part, .axes = around};
    const resultant sum = resultant_of(&hole, &twist, (double[3]){0, 0, 0.05});
    CU_ASSERT_DOUBLE_EQUAL(sum.moment[2] / (3.0 * area * HOLE), 1.0, 0.01);
    for (int c = 0; c < 3; c++) {
        CU_ASSERT_DOUBLE_EQUAL(sum.force[c], 0.0, 1e-13 * sum.scale);
        CU_ASSERT_DOUBLE_EQUAL(sum.moment[c % 2], 0.0, 1e-13 * sum.scale);
    }
    expect_refused(&l, (ew_load){.kind = EW_LOAD_MOMENT, .axes = around, .vertex = &l.end},
                   EW_BAD_ARGUMENT, "no local axes");
    free_loaded(&l);
    free_loaded(&hole);
}

/* ---- pressure ---------------------------------------------------------------------- */

/* Water on one side of a wall, its level inside it: rho g h^2 / 2 per width, at a third of h. */
static void test_water_pressure(void)
{
    loaded l = make_loaded(3, 2, 5);
    const double level = 0.63, weight = 9810.0;
    for (int turned = 0; turned < 2; turned++) {
        const ew_load load = on_end(&l, turned,
                                    (ew_load){.kind = EW_LOAD_PRESSURE,
                                              .gradient = {0.0, 0.0, -weight},
                                              .point = {0.0, 0.0, level},
                                              .only_positive = true});
        const resultant sum = resultant_of(&l, &load, (double[3]){4.0, 0.5, level / 3.0});
        CU_ASSERT_DOUBLE_EQUAL(sum.force[0], -0.5 * weight * level * level, 1e-12 * sum.scale);
        for (int c = 0; c < 3; c++) {
            CU_ASSERT_DOUBLE_EQUAL(sum.moment[c], 0.0, 1e-12 * sum.scale);
        }
    }
    free_loaded(&l);
}

/* Around the whole body it is buoyancy, at the centroid of the volume. */
static void test_buoyancy(void)
{
    loaded l = make_loaded(3, 2, 4);
    const ew_load load = {.kind = EW_LOAD_PRESSURE,
                          .pressure = 7.0,
                          .gradient = {0.3, -0.2, -9.0},
                          .point = {1.0, 2.0, 3.0},
                          .vertex = &l.all};
    const resultant sum = resultant_of(&l, &load, (double[3]){2.0, 0.5, 0.5});
    for (int c = 0; c < 3; c++) {
        CU_ASSERT_DOUBLE_EQUAL(sum.force[c], -4.0 * load.gradient[c], 1e-12 * sum.scale);
        CU_ASSERT_DOUBLE_EQUAL(sum.moment[c], 0.0, 1e-12 * sum.scale);
    }
    free_loaded(&l);
}

/* The cut faces against a fine sum of midpoints: each vertex of one tet. */
static void test_cut_pressure_by_sampling(void)
{
    const double corner[12] = {0, 0, 0, 1, 0.1, 0, 0.2, 0.9, 0.1, 0.1, 0.3, 1};
    loaded l = make_one_tet(corner);
    for (int k = 0; k < 10; k++) { /* from the seventh on through a vertex */
        const double *at = k < 6 ? (double[3]){0.3, 0.3, 0.2} : corner + 3 * (k - 6);
        const ew_load load = {.kind = EW_LOAD_PRESSURE,
                              .gradient = {1.0 - k % 3, k / 3 - 0.3, 0.8 * k - 2.0},
                              .point = {at[0], at[1], at[2]},
                              .only_positive = true,
                              .vertex = &l.all};
        double *exact = forces_of(&l, &load);
        for (int32_t v = 0; v < 4; v++) {
            double sampled[3];
            sample_pressure(&l, &load, v, sampled);
            for (int c = 0; c < 3; c++) {
                CU_ASSERT_DOUBLE_EQUAL(exact[3 * v + c], sampled[c], 2e-4);
            }
        }
        ew_release(exact);
    }
    free_loaded(&l);
}

/* ---- bearing -------------------------------------------------------------------------- */

/* A hole: the resultant is the force, whichever way it points; the half behind carries nothing. */
static void test_bearing_has_its_resultant(void)
{
    loaded l = make_hole();
    for (int k = 0; k < 8; k++) {
        const double angle = 0.3 + 0.8 * k, d[3] = {cos(angle), sin(angle), 0.0};
        const ew_load load = {.kind = EW_LOAD_BEARING,
                              .vector = {2e3 * d[0], 2e3 * d[1], 0.0},
                              .vertex = &l.part,
                              .axis = {0.0, 0.0, k % 2 ? 3.0 : 0.0}};
        double *f = forces_of(&l, &load);
        const resultant sum = resultant_of(&l, &load, (double[3]){0.0, 0.0, 0.05});
        for (int c = 0; c < 3; c++) {
            CU_ASSERT(fabs(sum.force[c] - load.vector[c]) < 1e-12 * sum.scale);
            CU_ASSERT(fabs(sum.moment[c]) < 1e-9 * sum.scale);
        }
        for (int32_t v = 0; v < l.mesh.n_vertex; v++) {
            const double *x = l.mesh.xyz + 3 * v;
            if (x[0] * d[0] + x[1] * d[1] < -0.02 * hypot(x[0], x[1]) - 0.2) {
                CU_ASSERT_EQUAL(f[3 * v], 0.0);
            }
        }
        ew_release(f);
    }
    free_loaded(&l);
}

/* Whole and regular: q = 2 F / (pi r t), but for the facets; pressure q . n. */
static void test_bearing_is_a_cosine(void)
{
    loaded l = make_hole();
    const ew_load load = {.kind = EW_LOAD_BEARING, .vector = {0.0, 500.0, 0.0}, .vertex = &l.part};
    ew_load_share share;
    must(ew_load_find_share(&l.mesh, &l.topology, &l.materials, &load, 0, &share));
    CU_ASSERT(fabs(share.push[1] / (2.0 * 500.0 / (3.14159265358979 * HOLE * 0.1)) - 1.0) < 0.02);
    CU_ASSERT(fabs(share.push[0]) < 1e-9 * share.push[1]);
    CU_ASSERT_DOUBLE_EQUAL(fabs(share.axis[2]), 1.0, 1e-12);
    free_loaded(&l);
}

/* ---- mass ------------------------------------------------------------------------------ */

/* m w^2 times the distance of the center of mass from the axis, and its moment: integrals of
 * (w . x) x w and the like, exact for the products of inertia of a box. */
static void test_centrifugal_has_its_resultant(void)
{
    loaded l = make_loaded(3, 2, 2);
    const double w[3] = {0.6, -0.8, 1.5}, p[3] = {-1.0, 0.4, 2.0}, center[3] = {2.0, 0.5, 0.5};
    const double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], mass = 8.0 * 4.0;
    const double size[3] = {4.0, 1.0, 1.0};
    const ew_load load = {
        .kind = EW_LOAD_CENTRIFUGAL, .vector = {w[0], w[1], w[2]}, .point = {p[0], p[1], p[2]}};
    const resultant sum = resultant_of(&l, &load, center);
    double along = 0.0, second[3];
    for (int c = 0; c < 3; c++) {
        along += w[c] * (center[c] - p[c]);
        second[c] = mass * size[c] * size[c] / 12.0; /* about the center */
    }
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        const double force = mass * (square * (center[c] - p[c]) - along * w[c]);
        /* integral of r x (-(w . r) w): only it has a moment about the center */
        const double moment = -(second[d] * w[d] * w[e] - second[e] * w[e] * w[d]);
        CU_ASSERT_DOUBLE_EQUAL(sum.force[c], force, 1e-12 * sum.scale);
        CU_ASSERT_DOUBLE_EQUAL(sum.moment[c], moment, 1e-12 * sum.scale);
    }
    free_loaded(&l);
}

/* ---- refusals ---------------------------------------------------------------------------- */

static void test_loads_on_the_wrong_sets(void)
{
    loaded l = make_loaded(2, 2, 2);
    const ew_set none = {0};
    ew_set corner = {0};
    must(ew_set_add(&corner, 0));
    for (int kind = 0; kind < EW_LOAD_COUNT; kind++) {
        const ew_load_traits *traits = ew_load_traits_of((ew_load_kind)kind);
        if (!traits->by_face) {
            continue;
        }
        expect_refused(&l,
                       (ew_load){.kind = (ew_load_kind)kind, .vector = {1, 0, 0}, .vertex = &none},
                       EW_BAD_INPUT, "no vertex of the body");
        expect_refused(
            &l, (ew_load){.kind = (ew_load_kind)kind, .vector = {1, 0, 0}, .vertex = &corner},
            EW_BAD_INPUT, "no boundary face");
        expect_refused(&l,
                       (ew_load){.kind = (ew_load_kind)kind, .vector = {1, 0, 0}, .tet = &corner},
                       EW_BAD_ARGUMENT, "no set that it can act on");
        expect_refused(
            &l, (ew_load){.kind = (ew_load_kind)kind, .vector = {NAN, 0, 0}, .vertex = &l.all},
            EW_BAD_INPUT, "not finite");
    }
    expect_refused(
        &l, (ew_load){.kind = EW_LOAD_PRESSURE, .gradient = {0, INFINITY, 0}, .vertex = &l.all},
        EW_BAD_INPUT, "not finite");
    expect_refused(&l, (ew_load){.kind = EW_LOAD_TEMPERATURE, .change = 1.0, .vertex = &none},
                   EW_BAD_INPUT, "no vertex of the body");
    expect_refused(&l, (ew_load){.kind = EW_LOAD_TEMPERATURE, .change = 1.0, .tet = &none},
                   EW_BAD_INPUT, "no tet");
    CU_ASSERT_PTR_NULL(ew_load_traits_of(EW_LOAD_COUNT));
    ew_set_free(&corner);
    free_loaded(&l);
}

static void test_materials_that_loads_need(void)
{
    loaded l = make_loaded(2, 1, 1);
    l.materials.material[0].density = 0.0;
    l.materials.material[0].expansion = 0.0;
    expect_refused(&l, (ew_load){.kind = EW_LOAD_CENTRIFUGAL, .vector = {0, 0, 9}}, EW_BAD_INPUT,
                   "has no density; give one");
    expect_refused(&l, (ew_load){.kind = EW_LOAD_CENTRIFUGAL}, EW_BAD_INPUT, "is zero");
    expect_refused(&l, (ew_load){.kind = EW_LOAD_TEMPERATURE, .change = 1.0}, EW_BAD_INPUT,
                   "has no expansion (1/K); give one");
    free_loaded(&l);
}

/* One along any axis is given, or that it is 0: then heat loads nothing. */
static void test_expansions_that_are_given(void)
{
    const ew_load load = {.kind = EW_LOAD_TEMPERATURE, .change = 40.0, .gradient = {1.0, 2.0, 3.0}};
    for (int k = -1; k < 6; k++) {
        loaded l = make_loaded(2, 1, 1);
        const ew_materials plain = l.materials;
        ew_material general = {
            .kind = k < 0 ? EW_ISOTROPIC : EW_ANISOTROPIC,
            .young = 1.0,
            .has_expansion = k < 0,
            .stiffness = {[0] = 1, [6] = 1, [11] = 1, [15] = 1, [18] = 1, [20] = 1}};
        general.expansion = k < 0 ? 0.0 : 7.0; /* not looked at where it is of another kind */
        must(ew_materials_init(&l.materials, 1, &general));
        if (k >= 0) {
            expect_refused(&l, load, EW_BAD_INPUT, "has no expansion");
            ew_materials_free(&l.materials);
            general.expansions[k] = -1e-5;
            must(ew_materials_init(&l.materials, 1, &general));
        }
        const size_t n = 3 * (size_t)l.mesh.n_vertex;
        double *f = forces_of(&l, &load), size = 0.0;
        for (size_t i = 0; i < n; i++) {
            size = fmax(size, fabs(f[i]));
        }
        CU_ASSERT(k < 0 ? size == 0.0 : size > 1e-6);
        free(f);
        ew_materials_free(&l.materials);
        l.materials = plain;
        free_loaded(&l);
    }
}

static void test_bearings_that_are_none(void)
{
    loaded l = make_loaded(3, 2, 2), hole = make_hole();
    ew_load load = {.kind = EW_LOAD_BEARING, .vector = {0.0, -1.0, 0.0}, .vertex = &l.end};
    expect_refused(&l, load, EW_BAD_INPUT, "look one way");
    load.vertex = &l.all;
    expect_refused(&l, load, EW_BAD_INPUT, "no cylinder");
    load.vertex = &hole.part;
    load.axis[0] = 1.0;
    expect_refused(&hole, load, EW_BAD_INPUT, "no cylinder about the axis (1, 0, 0)");
    load.axis[0] = 0.0;
    load.vector[2] = 0.5;
    expect_refused(&hole, load, EW_BAD_INPUT, "is along the axis");
    load.vector[1] = load.vector[2] = 0.0;
    expect_refused(&hole, load, EW_BAD_INPUT, "is zero");
    load.vector[0] = 1.0; /* the half that it would press is not there */
    load.vertex = &hole.far;
    expect_refused(&hole, load, EW_BAD_INPUT, "some would have to pull");
    free_loaded(&l);
    free_loaded(&hole);
}

/* ---- together -------------------------------------------------------------------------------- */

/* Any subset, asked for alone, gives the bits of the whole, for every kind. */
static void test_subsets_of_every_kind(void)
{
    loaded l = make_loaded(3, 3, 2);
    const ew_load load[] = {
        {.kind = EW_LOAD_MOMENT, .vector = {0.1, -9.81, 0.3}, .vertex = &l.end},
        {.kind = EW_LOAD_REMOTE_FORCE, .vector = {1, 2, 3}, .point = {3, 1, 1}, .vertex = &l.all},
        {.kind = EW_LOAD_PRESSURE, .gradient = {1, 2, -3}, .only_positive = true, .vertex = &l.all},
        {.kind = EW_LOAD_CENTRIFUGAL, .vector = {1.0, 0.5, 0.2}},
        {.kind = EW_LOAD_TEMPERATURE, .change = 3.0, .gradient = {1, 0, 0}, .vertex = &l.end},
    };
    enum { N = sizeof load / sizeof *load };
    double *full = forces_of_all(&l, N, load, NULL), part[3 * 256] = {0.0};
    uint64_t random = 7;
    ew_list some = {0};
    CU_ASSERT_FATAL(l.mesh.n_vertex <= 256);
    for (int round = 0; round < 40; round++) {
        some.n = 0;
        for (int k = 0; k < 5; k++) {
            must(ew_list_push(&some, (int32_t)ew_test_random(&random, (uint32_t)l.mesh.n_vertex)));
        }
        must(ew_loads_assemble(&l.mesh, &l.topology, &l.materials, N, load, &some, part));
        for (int32_t i = 0; i < some.n; i++) {
            CU_ASSERT(memcmp(part + 3 * some.id[i], full + 3 * some.id[i], 24) == 0);
        }
    }
    ew_list_free(&some);
    ew_release(full);
    free_loaded(&l);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"moment_has_its_resultant", test_moment_has_its_resultant},
        {"remote_force_has_its_resultant", test_remote_force_has_its_resultant},
        {"remote_force_at_the_centroid", test_remote_force_at_the_centroid},
        {"moment_is_a_turning_traction", test_moment_is_a_turning_traction},
        {"loads_along_axes", test_loads_along_axes},
        {"water_pressure", test_water_pressure},
        {"buoyancy", test_buoyancy},
        {"cut_pressure_by_sampling", test_cut_pressure_by_sampling},
        {"bearing_has_its_resultant", test_bearing_has_its_resultant},
        {"bearing_is_a_cosine", test_bearing_is_a_cosine},
        {"centrifugal_has_its_resultant", test_centrifugal_has_its_resultant},
        {"loads_on_the_wrong_sets", test_loads_on_the_wrong_sets},
        {"materials_that_loads_need", test_materials_that_loads_need},
        {"expansions_that_are_given", test_expansions_that_are_given},
        {"bearings_that_are_none", test_bearings_that_are_none},
        {"subsets_of_every_kind", test_subsets_of_every_kind},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"loads", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
