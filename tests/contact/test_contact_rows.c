/* Pairs of faces against a comparison of all with all; rows of contacts and ties: rigid motions,
 * the gap, areas, dual functions, displacements that both sides share, pressures on straight and
 * on curved faces; faces that are covered in part; allocations that fail. */
#include "contact_fixture.h"

#include "contact/parts/contact.h"

/* ---- bodies ------------------------------------------------------------------------------------
 */

typedef struct parts {
    ew_mesh mesh;
    ew_topology topology;
    ew_list slave, master;
    int32_t *edge_row;
    double *curve;
} parts;

/* The whole turned about an axis at a slope, so that no normal is along x, y or z. */
static void turn(int32_t n, double *xyz)
{
    const double s = sin(0.7), c = cos(0.7);
    for (int32_t v = 0; v < n; v++) {
        double *x = xyz + 3 * (size_t)v;
        const double y = c * x[1] - s * x[2], z = s * x[1] + c * x[2], w = x[0];
        x[0] = c * w - s * z;
        x[1] = y;
        x[2] = s * w + c * z;
    }
}

/* z += 0.2 x^2 - 0.3 x y + 0.1 y^2: sides of quadratic tets are on that surface, whatever the mesh.
 */
static void bend_parts(parts *p)
{
    const ew_pattern *edges = &p->topology.pattern;
    p->curve = calloc((size_t)edges->n_pair, 3 * sizeof *p->curve);
    for (int32_t e = 0; e < edges->n_pair; e++) {
        const double *x = p->mesh.xyz + 3 * (size_t)edges->pair_row[2 * e],
                     *y = p->mesh.xyz + 3 * (size_t)edges->pair_row[2 * e + 1];
        const double a = x[0] - y[0], b = x[1] - y[1];
        p->curve[3 * e + 2] = -0.25 * (0.2 * a * a - 0.3 * a * b + 0.1 * b * b);
    }
    for (int32_t v = 0; v < p->mesh.n_vertex; v++) {
        double *x = p->mesh.xyz + 3 * (size_t)v;
        x[2] += 0.2 * x[0] * x[0] - 0.3 * x[0] * x[1] + 0.1 * x[1] * x[1];
    }
}

enum { LINEAR, QUADRATIC, CURVED };

/* upper: the upper block is the slave. */
static void make_parts(parts *p, const double shift[3], bool upper, int kind)
{
    ew_list *of_lower = upper ? &p->master : &p->slave, *of_upper = upper ? &p->slave : &p->master;
    *p = (parts){.edge_row = NULL};
    make_blocks(&p->mesh, (int32_t[2]){3, 4}, shift);
    must(ew_topology_build(&p->topology, &p->mesh));
    list_faces(&p->mesh, &p->topology, LOWER, (double[3]){0, 0, 1}, of_lower);
    list_faces(&p->mesh, &p->topology, UPPER, (double[3]){0, 0, -1}, of_upper);
    const int32_t n = p->topology.pattern.n_pair;
    if (kind == CURVED) {
        bend_parts(p);
        turn(n, p->curve);
    }
    turn(p->mesh.n_vertex, p->mesh.xyz);
    p->edge_row = kind != LINEAR ? malloc((size_t)n * sizeof *p->edge_row) : NULL;
    for (int32_t e = 0; e < (kind != LINEAR ? n : 0); e++) {
        p->edge_row[e] = e;
    }
}

static void free_parts(parts *p)
{
    ew_mesh_free(&p->mesh);
    ew_topology_free(&p->topology);
    ew_list_free(&p->slave);
    ew_list_free(&p->master);
    free(p->edge_row);
    free(p->curve);
}

static void build(const parts *p, bool is_tie, ew_contact_rows *rows)
{
    const ew_contact_def def = {.slave = &p->slave,
                                .master = &p->master,
                                .distance = 0.2,
                                .is_tie = is_tie,
                                .edge_row = p->edge_row,
                                .curve = p->curve};
    must(ew_contact_build_rows(rows, &p->mesh, &p->topology, &def));
}

/* u = M x + b of vertices, and where bend is given bend (x.y) of both sides; of edges, what is
 * between the mean of the ends and the middle. */
static double *make_displacement(const parts *p, const double m[9], const double bend[3])
{
    const ew_pattern *edges = &p->topology.pattern;
    double *u = calloc(3 * (size_t)(p->mesh.n_vertex + edges->n_pair), sizeof *u);
    for (int32_t v = 0; v < p->mesh.n_vertex; v++) {
        const double *x = p->mesh.xyz + 3 * (size_t)v;
        for (int c = 0; c < 3; c++) {
            u[3 * v + c] = 0.3 + m[3 * c] * x[0] + m[3 * c + 1] * x[1] + m[3 * c + 2] * x[2] +
                           bend[c] * x[0] * x[1];
        }
    }
    for (int32_t e = 0; e < edges->n_pair; e++) {
        const double *x = p->mesh.xyz + 3 * (size_t)edges->pair_row[2 * e],
                     *y = p->mesh.xyz + 3 * (size_t)edges->pair_row[2 * e + 1];
        for (int c = 0; c < 3; c++) {
            double *to = &u[3 * (p->mesh.n_vertex + e) + c];
            *to = -0.25 * bend[c] * (x[0] - y[0]) * (x[1] - y[1]);
            for (int d = 0; d < 3 && p->curve; d++) {
                *to += m[3 * c + d] * p->curve[3 * e + d];
            }
        }
    }
    return u;
}

static double largest_row(const ew_contact_rows *rows, const double *u)
{
    double largest = 0.0;
    for (int32_t i = 0; i < rows->n_row; i++) {
        double sum = 0.0;
        for (int32_t k = rows->begin[i]; k < rows->begin[i + 1]; k++) {
            sum += rows->factor[k] * u[rows->entry[k]];
        }
        largest = fmax(largest, fabs(sum));
    }
    return largest;
}

static const double no_bend[3] = {0, 0, 0};

/* ---- pairs ----------------------------------------------------------------------------------- */

static void test_pairs_are_those_of_all_with_all(void)
{
    uint64_t random = 17;
    for (int round = 0; round < 20; round++) {
        parts p;
        ew_face_pairs found = {0}, all = {0};
        make_parts(&p, (double[3]){0.02 * round, 0.1, 0.01}, round % 2, LINEAR);
        for (int32_t i = 0; i < 3 * p.mesh.n_vertex; i++) {
            p.mesh.xyz[i] += 1e-3 * ew_test_random(&random, 100);
        }
        must(ew_face_pairs_find(&found, &p.mesh, &p.slave, &p.master, 0.01 * round));
        must(ew_face_pairs_compare_all(&all, &p.mesh, &p.slave, &p.master, 0.01 * round));
        CU_ASSERT(found.n_pair > 20);
        CU_ASSERT_EQUAL_FATAL(found.n_pair, all.n_pair);
        CU_ASSERT(!memcmp(found.begin, all.begin, sizeof *all.begin * ((size_t)all.n_slave + 1)));
        CU_ASSERT(!memcmp(found.master, all.master, sizeof *all.master * (size_t)all.n_pair));
        ew_face_pairs_free(&found);
        ew_face_pairs_free(&all);
        free_parts(&p);
    }
}

static void test_neighbors_are_no_pairs(void)
{
    parts p;
    ew_face_pairs found = {0};
    make_parts(&p, (double[3]){0, 0, 0}, true, LINEAR);
    must(ew_face_pairs_find(&found, &p.mesh, &p.slave, &p.slave, 1e-6));
    for (int32_t i = 0; i < found.n_slave; i++) {
        for (int32_t k = found.begin[i]; k < found.begin[i + 1]; k++) {
            CU_ASSERT_NOT_EQUAL(found.master[k], i);
        }
    }
    ew_face_pairs_free(&found);
    free_parts(&p);
}

/* ---- rows --------------------------------------------------------------------------------------
 */

static void test_rigid_motions_change_no_gap(void)
{
    static const double spin[3][9] = {
        {0, -1, 0, 1, 0, 0, 0, 0, 0}, {0, 0, 1, 0, 0, 0, -1, 0, 0}, {0, 0, 0, 0, 0, -1, 0, 1, 0}};
    for (int k = 0; k < 24; k++) {
        const double gap = k & 2 ? 0.07 : 0.0, aside = k & 4 ? 0.33 : 0.0;
        parts p;
        ew_contact_rows rows = {0};
        make_parts(&p, (double[3]){aside, aside, gap}, k & 1, k / 8);
        for (int tie = 0; tie < 2; tie++) {
            build(&p, tie, &rows);
            CU_ASSERT(rows.n > 4);
            CU_ASSERT_EQUAL(rows.n_row, tie ? 3 * rows.n : rows.n);
            for (int s = 0; s < 3; s++) {
                double *u = make_displacement(&p, spin[s], no_bend);
                CU_ASSERT(largest_row(&rows, u) < (k / 8 == CURVED ? 1e-13 : 2e-14));
                free(u);
            }
        }
        ew_contact_rows_free(&rows);
        free_parts(&p);
    }
}

static void test_gaps_and_areas(void)
{
    for (int k = 0; k < 4; k++) {
        const double aside = k & 2 ? 0.4 : 0.0, part = (1.0 - aside) * (1.0 - aside);
        parts p;
        ew_contact_rows rows = {0};
        double sum = 0.0;
        make_parts(&p, (double[3]){aside, aside, 0.03}, k & 1, LINEAR);
        build(&p, false, &rows);
        for (int32_t i = 0; i < rows.n; i++) {
            CU_ASSERT_DOUBLE_EQUAL(rows.gap[i], 0.03, 1e-13);
            CU_ASSERT(i == 0 || rows.vertex[i - 1] < rows.vertex[i]);
            CU_ASSERT(rows.area[i] > 0.0);
            sum += rows.area[i];
        }
        CU_ASSERT_DOUBLE_EQUAL(rows.covered, part, 1e-13);
        CU_ASSERT_DOUBLE_EQUAL(rows.whole, 1.0, 1e-13);
        CU_ASSERT_DOUBLE_EQUAL(sum, part, 1e-12);
        ew_contact_rows_free(&rows);
        free_parts(&p);
    }
}

/* What both sides do alike, linearly, and quadratic where the tets are. */
static void test_common_displacements_open_no_gap(void)
{
    const double m[9] = {0.2, 0.5, -0.1, 0.4, -0.6, 0.3, 0.7, 0.1, 0.9}, bend[3] = {1, -2, 0.5};
    for (int k = 0; k < 12; k++) {
        parts p;
        ew_contact_rows rows = {0};
        make_parts(&p, (double[3]){k & 2 ? 0.3 : 0.0, 0.0, 0.0}, k & 1, k / 4);
        double *u = make_displacement(&p, m, k / 4 == QUADRATIC ? bend : no_bend);
        for (int tie = 0; tie < 2; tie++) {
            build(&p, tie, &rows);
            CU_ASSERT(largest_row(&rows, u) < (k / 4 == CURVED ? 1e-13 : 2e-14));
        }
        free(u);
        ew_contact_rows_free(&rows);
        free_parts(&p);
    }
}

static void test_rows_are_dual(void)
{
    parts p;
    ew_contact_rows rows = {0};
    make_parts(&p, (double[3]){0, 0, 0}, true, LINEAR);
    build(&p, false, &rows);
    for (int32_t i = 0; i < rows.n; i++) {
        for (int32_t k = rows.begin[i]; k < rows.begin[i + 1]; k++) {
            const int32_t vertex = rows.entry[k] / 3;
            bool is_slave = false;
            for (int32_t j = 0; j < rows.n; j++) {
                is_slave = is_slave || rows.vertex[j] == vertex;
            }
            CU_ASSERT(!is_slave || vertex == rows.vertex[i]);
        }
    }
    ew_contact_rows_free(&rows);
    free_parts(&p);
}

/* Adds the integral of the outward normal times each function, by Gauss's rule with 4 x 4 points of
 * the square that the triangle is a collapsed one of: exact for degree 6. */
static void add_pressure(const parts *p, const ew_list *side, double *force)
{
    static const double at[4] = {0.06943184420297371, 0.33000947820757187, 0.66999052179242813,
                                 0.93056815579702629},
                        share[4] = {0.17392742256872693, 0.32607257743127307, 0.32607257743127307,
                                    0.17392742256872693};
    for (int32_t i = 0; i < 16 * side->n; i++) {
        const int32_t code = side->id[i / 16];
        const double a = at[i % 16 / 4], b = (1.0 - a) * at[i % 4], l[3] = {1.0 - a - b, a, b};
        double side_along[2][3] = {{0.0}}, value[6];
        int32_t v[3], row[6];
        for (int k = 0; k < 3; k++) {
            v[k] = p->mesh.tet[4 * (code / 4) + ew_face_vertex[code % 4][k]];
        }
        for (int k = 0; k < 3; k++) {
            const int s = (k + 1) % 3, t = (k + 2) % 3;
            const int32_t e = ew_pattern_pair_between(&p->topology.pattern, v[s], v[t]);
            const double slope[2] = {(double)(k == 1) - (k == 0), (double)(k == 2) - (k == 0)};
            row[k] = v[k];
            row[3 + k] = p->mesh.n_vertex + e;
            value[k] = l[k];
            value[3 + k] = 4.0 * l[s] * l[t];
            for (int c = 0; c < 6; c++) {
                const double bent = 4.0 * (p->curve ? p->curve[3 * e + c % 3] : 0.0),
                             of_s = (double)(s == 1 + c / 3) - (s == 0),
                             of_t = (double)(t == 1 + c / 3) - (t == 0);
                side_along[c / 3][c % 3] += slope[c / 3] * p->mesh.xyz[3 * v[k] + c % 3] +
                                            bent * (of_s * l[t] + l[s] * of_t);
            }
        }
        for (int k = 0; k < 18; k++) {
            const int c = k % 3, d = (c + 1) % 3, e = (c + 2) % 3;
            const double area =
                side_along[0][d] * side_along[1][e] - side_along[0][e] * side_along[1][d];
            force[3 * row[k / 3] + c] +=
                share[i % 16 / 4] * share[i % 4] * (1.0 - a) * value[k / 3] * area;
        }
    }
}

/* A pressure of 1 at all points acts on both sides as a load of the whole curved face does: the
 * forces on corners and sides, without weights of their own, are those of area vectors. */
static void test_pressures_are_those_of_faces(void)
{
    for (int k = 0; k < 4; k++) {
        parts p;
        ew_contact_rows rows = {0};
        make_parts(&p, (double[3]){0, 0, 0}, k & 1, k & 2 ? CURVED : QUADRATIC);
        build(&p, false, &rows);
        const size_t n = 3 * (size_t)(p.mesh.n_vertex + p.topology.pattern.n_pair);
        double *force = calloc(n, sizeof *force);
        for (int32_t i = 0; i < rows.n; i++) {
            for (int32_t t = rows.begin[i]; t < rows.begin[i + 1]; t++) {
                force[rows.entry[t]] += rows.area[i] * rows.factor[t];
            }
        }
        add_pressure(&p, &p.slave, force);
        add_pressure(&p, &p.master, force);
        double worst = 0.0;
        for (size_t i = 0; i < n; i++) {
            worst = fmax(worst, fabs(force[i]));
        }
        CU_ASSERT(worst < 1e-14);
        free(force);
        ew_contact_rows_free(&rows);
        free_parts(&p);
    }
}

/* Over the largest one. */
static double min_area(const ew_contact_rows *rows)
{
    double min = INFINITY, largest = 0.0;
    for (int32_t i = 0; i < rows->n; i++) {
        min = fmin(min, rows->area[i]);
        largest = fmax(largest, rows->area[i]);
    }
    return min / largest;
}

/* Masters end just beyond slave vertices, as a hole over a pin does: rows of those that lie outside
 * would be of gaps far from what is covered, of which a force presses on next to no area. Their
 * parts are with the others. */
static void test_slivers_have_no_rows_of_their_own(void)
{
    double min = 1.0;
    for (int k = 0; k < 60; k++) {
        const double aside = 0.1 + 0.011 * k;
        parts p;
        ew_contact_rows rows = {0};
        double sum = 0.0;
        make_parts(&p, (double[3]){aside, 0.0, 0.03}, k & 1, LINEAR);
        build(&p, false, &rows);
        for (int32_t i = 0; i < rows.n; i++) {
            sum += rows.area[i];
        }
        CU_ASSERT_DOUBLE_EQUAL(sum, 1.0 - aside, 1e-12);
        min = fmin(min, min_area(&rows));
        ew_contact_rows_free(&rows);
        free_parts(&p);
    }
    printf("smallest area %g ... ", min);
    CU_ASSERT(min > 0.01);
}

static void test_parts_too_far_apart_do_not_meet(void)
{
    parts p;
    ew_contact_rows rows = {0};
    make_parts(&p, (double[3]){0, 0, 0.5}, true, LINEAR);
    build(&p, false, &rows);
    CU_ASSERT_EQUAL(rows.n, 0);
    CU_ASSERT_EQUAL(rows.covered, 0.0);
    ew_contact_rows_free(&rows);
    free_parts(&p);
}

static void test_allocations_fail(void)
{
    parts p;
    bool failed = true;
    make_parts(&p, (double[3]){0, 0, 0.01}, true, CURVED);
    const ew_contact_def def = {
        .slave = &p.slave, .master = &p.master, .distance = 0.2, .edge_row = p.edge_row};
    for (int64_t k = 0; failed; k++) {
        ew_contact_rows rows = {0};
        ew_test_allocations_begin(k);
        const ew_status status = ew_contact_build_rows(&rows, &p.mesh, &p.topology, &def);
        CU_ASSERT(status == EW_OK || (status == EW_NO_MEMORY && rows.n == 0));
        ew_contact_rows_free(&rows);
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        failed = ew_test_allocations_end();
    }
    free_parts(&p);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"pairs_are_those_of_all_with_all", test_pairs_are_those_of_all_with_all},
        {"neighbors_are_no_pairs", test_neighbors_are_no_pairs},
        {"rigid_motions_change_no_gap", test_rigid_motions_change_no_gap},
        {"gaps_and_areas", test_gaps_and_areas},
        {"common_displacements_open_no_gap", test_common_displacements_open_no_gap},
        {"rows_are_dual", test_rows_are_dual},
        {"pressures_are_those_of_faces", test_pressures_are_those_of_faces},
        {"slivers_have_no_rows_of_their_own", test_slivers_have_no_rows_of_their_own},
        {"parts_too_far_apart_do_not_meet", test_parts_too_far_apart_do_not_meet},
        {"allocations_fail", test_allocations_fail},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{.pName = "contact_rows", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
