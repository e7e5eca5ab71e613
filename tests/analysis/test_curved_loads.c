/* Loads that are whole, on curved faces of quadratic tets: their resultants are what is asked for,
 * and a bearing load on a half ring that is nearly round is the pressure of closed form. */
#include "curved_blocks.h"
#include "curved_fixture.h"
#include "quadratic_fixture.h"

typedef struct part {
    body p;
    double *curve;
    ew_curves curves;
    ew_set vertex; /* those of one side of the box that it was made from */
} part;

/* The box is moved to its place with its middles; the side: where coordinate c is `at`. */
static void make_part(part *of, const int32_t cells[3], void (*place)(const double *, double *),
                      int c, double at)
{
    *of = (part){0};
    body *p = &of->p;
    must(ew_shape_box(&p->mesh, (double[]){1.0, 0.9, 0.8}, cells));
    for (int32_t v = 0; v < p->mesh.n_vertex; v++) {
        must(fabs(p->mesh.xyz[3 * v + c] - at) < 1e-12 ? ew_set_add(&of->vertex, v) : EW_OK);
    }
    curve_mesh(&p->mesh, place, 0.0);
    build_body(p, 0.3, NULL);
    of->curve = calloc((size_t)p->rows.pattern.n_row, 3 * sizeof *of->curve);
    for (int32_t row = 0; row < p->rows.pattern.n_row; row++) {
        const int32_t *end = ends_of(p, row);
        const double *d = ew_mesh_curve(&p->mesh, end[0], end[1]);
        if (d) {
            memcpy(of->curve + 3 * row, d, 3 * sizeof *d);
        }
    }
    p->rows.curve = of->curve;
    of->curves = (ew_curves){&p->rows, &p->topology};
}

static void free_part(part *of)
{
    ew_set_free(&of->vertex);
    free_body(&of->p);
    free(of->curve);
}

/* Force and moment of the vector that a solve is given, about the origin: what vertices have, and
 * on edges the moment on their curves. */
static void add_up(const part *of, const ew_load *load, const ew_load_share *share, double force[3],
                   double moment[3])
{
    const body *p = &of->p;
    const int32_t n_vertex = p->mesh.n_vertex;
    double *f = calloc((size_t)p->n, 3 * sizeof *f);
    must(ew_loads_gather(&p->mesh, &p->topology, &p->materials, 1, load, share, NULL, f));
    must(ew_loads_gather_edges(&p->mesh, &p->topology, &p->materials, 1, load, share, &p->rows,
                               NULL, false, f + 3 * n_vertex));
    memset(force, 0, 3 * sizeof *force);
    memset(moment, 0, 3 * sizeof *moment);
    for (int32_t i = 0; i < p->n; i++) {
        const double *x =
            i < n_vertex ? p->mesh.xyz + 3 * i : of->curve + 3 * (size_t)(i - n_vertex);
        for (int c = 0; c < 3; c++) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            force[c] += i < n_vertex ? f[3 * i + c] : 0.0;
            moment[c] += x[d] * f[3 * i + e] - x[e] * f[3 * i + d];
        }
    }
    free(f);
}

static void expect_whole(const part *of, const ew_load *load, const double force[3],
                         const double moment[3])
{
    ew_load_share share;
    double now[3], turned[3], again[3], more[3];
    const body *p = &of->p;
    must(ew_load_find_share(&p->mesh, &p->topology, &p->materials, load, 0, &share));
    add_up(of, load, &share, now, turned);
    ew_load_resultant(&p->mesh, &p->topology, &p->materials, load, &share, again, more);
    for (int c = 0; c < 3; c++) {
        CU_ASSERT_DOUBLE_EQUAL(now[c], force[c], 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(again[c], force[c], 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(turned[c], more[c], 1e-12);
        if (moment) {
            CU_ASSERT_DOUBLE_EQUAL(turned[c], moment[c], 1e-12);
        }
    }
}

/* On the displacement x, of middles how far they are curved. */
static double work_on_growth(const part *of, const ew_load *load)
{
    const body *p = &of->p;
    ew_load_share share;
    double *f = calloc((size_t)p->n, 3 * sizeof *f), sum = 0.0;
    must(ew_load_find_share(&p->mesh, &p->topology, &p->materials, load, 0, &share));
    must(ew_loads_gather(&p->mesh, &p->topology, &p->materials, 1, load, &share, NULL, f));
    must(ew_loads_gather_edges(&p->mesh, &p->topology, &p->materials, 1, load, &share, &p->rows,
                               NULL, false, f + 3 * p->mesh.n_vertex));
    for (int32_t i = 0; i < 3 * p->n; i++) {
        const int32_t n = 3 * p->mesh.n_vertex;
        sum += f[i] * (i < n ? p->mesh.xyz[i] : of->curve[i - n]);
    }
    free(f);
    return sum;
}

static void test_moments_and_remote_forces(void)
{
    const double none[3] = {0.0, 0.0, 0.0}, force[3] = {0.3, -0.2, 0.5},
                 moment[3] = {1.0, 2.0, -3.0};
    const double from[3] = {0.2, 3.0, -1.0};
    const double arm[3] = {from[1] * force[2] - from[2] * force[1],
                           from[2] * force[0] - from[0] * force[2],
                           from[0] * force[1] - from[1] * force[0]};
    part of;
    make_part(&of, (int32_t[]){2, 2, 2}, bend, 0, 0.0);
    ew_load load = {.kind = EW_LOAD_MOMENT, .vertex = &of.vertex, .curves = &of.curves};
    memcpy(load.vector, moment, sizeof moment);
    expect_whole(&of, &load, none, moment);
    load.kind = EW_LOAD_REMOTE_FORCE;
    memcpy(load.vector, force, sizeof force);
    memcpy(load.point, from, sizeof from);
    expect_whole(&of, &load, force, arm);
    free_part(&of);
}

/* A body in a liquid whose surface is at rest, and one under a pressure that is the same all round:
 * weight of what it takes the place of, through the middle of that, and nothing; node by node, the
 * work of the pressure on any displacement that is linear in the body. */
static void test_closed_surfaces(void)
{
    const double none[3] = {0.0, 0.0, 0.0}, weight = 0.7;
    part of;
    make_part(&of, (int32_t[]){2, 3, 2}, bend, 0, 0.0);
    body *p = &of.p;
    for (int32_t v = 0; v < p->mesh.n_vertex; v++) {
        must(ew_set_has(&of.vertex, v) ? EW_OK : ew_set_add(&of.vertex, v));
    }
    double volume = 0.0, first[3] = {0.0};
    for (int32_t t = 0; t < p->mesh.n_tet; t++) {
        double x[12], d[18];
        ew_mesh_tet_values(&p->mesh, t, p->mesh.xyz, x);
        (void)ew_curves_of(&of.curves, t, d);
        for (int k = 0; k < EW_MASS_POINTS; k++) {
            double l[4], y[3] = {0.0};
            const double share = ew_mass_point_volume(ew_mass_point(k, l), l, x, d);
            for (int i = 0; i < 12; i++) {
                y[i % 3] += l[i / 3] * x[i];
            }
            for (int i = 0; i < 18; i++) {
                const int8_t *end = ew_edge_vertex[i / 3];
                y[i % 3] += 4.0 * l[end[0]] * l[end[1]] * d[i];
            }
            volume += share;
            for (int c = 0; c < 3; c++) {
                first[c] += share * y[c];
            }
        }
    }
    ew_load load = {
        .kind = EW_LOAD_PRESSURE, .vertex = &of.vertex, .curves = &of.curves, .pressure = 2.0};
    expect_whole(&of, &load, none, none);
    CU_ASSERT_DOUBLE_EQUAL(work_on_growth(&of, &load), -3.0 * 2.0 * volume, 1e-12);
    load.gradient[2] = -weight; /* the deeper, the more */
    const double up[3] = {0.0, 0.0, weight * volume},
                 moment[3] = {weight * first[1], -weight * first[0], 0.0};
    expect_whole(&of, &load, up, moment);
    free_part(&of);
}

/* Half a ring about z, x being the angle and y the radius beyond 1. */
static void ring(const double *x, double *y)
{
    const double angle = 3.14159265358979 * (1.0 - x[0]), radius = 1.0 + x[1];
    y[0] = radius * cos(angle);
    y[1] = radius * sin(angle);
    y[2] = x[2];
}

/* On a whole half the pressure is q cos, q = 2 F / (pi r L); so many sides are nearly round. */
static void test_bearing(void)
{
    part of;
    const double force[3] = {0.1, 4.0, 0.0}, up[3] = {0.0, 4.0, 0.0};
    make_part(&of, (int32_t[]){8, 2, 1}, ring, 1, 0.0);
    ew_load load = {.kind = EW_LOAD_BEARING,
                    .vertex = &of.vertex,
                    .curves = &of.curves,
                    .axis = {0.0, 0.0, 1.0}};
    ew_load_share share;
    memcpy(load.vector, up, sizeof up);
    expect_whole(&of, &load, up, NULL);
    must(ew_load_find_share(&of.p.mesh, &of.p.topology, &of.p.materials, &load, 0, &share));
    CU_ASSERT_DOUBLE_EQUAL(share.push[1], 2.0 * 4.0 / (3.14159265358979 * 0.8), 2e-3);
    memcpy(load.vector, force, sizeof force);
    expect_whole(&of, &load, force, NULL);
    load.axis[2] = 0.0;
    expect_whole(&of, &load, force, NULL);
    free_part(&of);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"moments_and_remote_forces", test_moments_and_remote_forces},
        {"closed_surfaces", test_closed_surfaces},
        {"bearing", test_bearing},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"curved loads", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
