/* Force and moment through a plane cut of a body. In: mesh, recovered stress. Out: the resultants,
 * with the area and the centroid of the cut.
 *
 * With phi = 1 at the vertices in front of the plane and 0 at the others, linear in each tet,
 *     F = int sigma grad phi dV,   M = the moments of the forces int sigma grad(l_i) dV of these
 *     vertices i about the centroid of the cut,
 * is what the part in front exerts on that behind: by the weak form with phi as the test function,
 * it balances loads and supports in front of the plane as exactly as the system was solved, on any
 * mesh and with stresses of any error. Tets that the plane does not cut add nothing. A quadratic
 * tet, whose functions contain phi (x - c), adds int (x - c) x (sigma grad phi) dV, its stress
 * linear between corners. In motion the inertia in front counts with the loads there. */
#include "study/record/places.h"

#include <math.h>
#include <string.h>

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* xx yy zz xy yz xz times a vector. */
static void pull(const double *s, const double *g, double *out)
{
    out[0] = s[0] * g[0] + s[3] * g[1] + s[5] * g[2];
    out[1] = s[3] * g[0] + s[1] * g[1] + s[4] * g[2];
    out[2] = s[5] * g[0] + s[4] * g[1] + s[2] * g[2];
}

typedef struct cut {
    const ew_mesh *mesh;
    const ew_fields *fields;
    bool is_quadratic;
    const ew_case_section_plane *plane;
    double tolerance; /* distances that are 0 */
    double force[3], about_origin[3], area, centroid[3];
} cut;

/* Corners of a tet with their distances; how many lie in front. */
static int look_at(const cut *c, int32_t t, double x[12], double d[4])
{
    int n = 0;
    for (int k = 0; k < 4; k++) {
        const double *from = c->mesh->xyz + 3 * (size_t)c->mesh->tet[4 * (size_t)t + (size_t)k];
        memcpy(x + 3 * k, from, 3 * sizeof *x);
        d[k] = dot(from, c->plane->normal) - dot(c->plane->point, c->plane->normal);
        n += d[k] > c->tolerance;
    }
    return n;
}

/* The triangle or quadrangle in which the plane cuts the tet. */
static void add_area(cut *c, const double x[12], const double d[4])
{
    double p[4][3], u[3], v[3], w[3];
    int front[4], back[4], n_front = 0, n_back = 0, n = 0;
    for (int k = 0; k < 4; k++) {
        if (d[k] > c->tolerance) {
            front[n_front++] = k;
        } else {
            back[n_back++] = k;
        }
    }
    /* Pairs in an order around the polygon: 1-3, 3-1 any; 2-2: 00 01 11 10. */
    for (int i = 0; i < n_front; i++) {
        for (int j = 0; j < n_back; j++) {
            const int b = back[i % 2 ? n_back - 1 - j : j], a = front[i];
            const double part = d[a] / (d[a] - fmin(d[b], 0.0));
            for (int e = 0; e < 3; e++) {
                p[n][e] = x[3 * a + e] + part * (x[3 * b + e] - x[3 * a + e]);
            }
            n++;
        }
    }
    for (int i = 1; i + 1 < n; i++) {
        for (int e = 0; e < 3; e++) {
            u[e] = p[i][e] - p[0][e];
            v[e] = p[i + 1][e] - p[0][e];
        }
        cross(u, v, w);
        const double area = 0.5 * sqrt(dot(w, w));
        c->area += area;
        for (int e = 0; e < 3; e++) {
            c->centroid[e] += area * (p[0][e] + p[i][e] + p[i + 1][e]) / 3.0;
        }
    }
}

/* A linear tet: forces at its corners in front. */
static void add_linear(cut *c, int32_t t, const double x[12], const double d[4], double volume,
                       double g[4][3])
{
    for (int k = 0; k < 4; k++) {
        double f[3], m[3];
        if (d[k] <= c->tolerance) {
            continue;
        }
        pull(c->fields->stress + 6 * (size_t)t, g[k], f);
        cross(x + 3 * k, f, m);
        for (int e = 0; e < 3; e++) {
            c->force[e] += volume * f[e];
            c->about_origin[e] += volume * m[e];
        }
    }
}

/* int f g dV of functions linear in a tet is V/20 (sum f_i g_i + sum f sum g). */
static void add_quadratic(cut *c, int32_t t, const double x[12], const double d[4], double volume,
                          double g[4][3])
{
    double slope[3] = {0}, f[4][3], f_sum[3] = {0}, x_sum[3] = {0}, m[3];
    for (int k = 0; k < 4; k++) {
        for (int e = 0; e < 3 && d[k] > c->tolerance; e++) {
            slope[e] += g[k][e];
        }
    }
    for (int k = 0; k < 4; k++) {
        pull(c->fields->corner_stress + 24 * (size_t)t + 6 * (size_t)k, slope, f[k]);
        cross(x + 3 * k, f[k], m);
        for (int e = 0; e < 3; e++) {
            f_sum[e] += f[k][e];
            x_sum[e] += x[3 * k + e];
            c->about_origin[e] += volume / 20.0 * m[e];
        }
    }
    cross(x_sum, f_sum, m);
    for (int e = 0; e < 3; e++) {
        c->force[e] += volume / 4.0 * f_sum[e];
        c->about_origin[e] += volume / 20.0 * m[e];
    }
}

/* Along the normal and the length of the rest across it. */
static void divide(const double *v, const double *normal, double part[2])
{
    part[0] = dot(v, normal);
    part[1] = sqrt(fmax(dot(v, v) - part[0] * part[0], 0.0));
}

ew_status ew_study_cut_section(const ew_study *study, const ew_fields *fields,
                               const ew_case_section_plane *plane, ew_section_report *report)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    const bool quadratic = ew_model_edge_rows(study->model) != NULL;
    cut c = {.mesh = mesh, .fields = fields, .is_quadratic = quadratic, .plane = plane};
    ew_mesh_measure measure;
    double m[3];
    ew_mesh_take_measure(mesh, &measure);
    for (int e = 0; e < 3; e++) {
        c.tolerance = fmax(c.tolerance, 1e-9 * (measure.high[e] - measure.low[e]));
    }
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        double x[12], d[4], g[4][3];
        const int n = ew_mesh_tet_is_live(mesh, t) ? look_at(&c, t, x, d) : 0;
        if (n > 0 && n < 4) {
            const double volume = ew_element_gradients(x, g);
            (quadratic ? add_quadratic : add_linear)(&c, t, x, d, volume, g);
            add_area(&c, x, d);
        }
    }
    if (c.area == 0.0) {
        return ew_fail_at(
            EW_BAD_INPUT, plane->line,
            "the plane of section '%.60s' does not cut the body, or lies on its end with "
            "the body behind it; move its point, or turn its normal",
            plane->name);
    }
    *report = (ew_section_report){.name = plane->name, .area = c.area};
    for (int e = 0; e < 3; e++) {
        report->centroid[e] = c.centroid[e] / c.area;
    }
    cross(report->centroid, c.force, m);
    for (int e = 0; e < 3; e++) {
        report->force.value[e] = c.force[e];
        report->moment.value[e] = c.about_origin[e] - m[e];
        report->normal[e] = plane->normal[e];
    }
    ew_place_measure_vector(&report->force);
    ew_place_measure_vector(&report->moment);
    divide(report->force.value, plane->normal, report->along);
    divide(report->moment.value, plane->normal, report->along + 2);
    return EW_OK;
}
