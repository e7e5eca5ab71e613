/* What the tests of loads share: bodies with sets, the forces of a load on them and what those add
 * up to. */
#ifndef EW_LOADS_FIXTURE_H
#define EW_LOADS_FIXTURE_H

#include "analysis/parts/analysis.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HOLE 0.25 /* radius */

typedef struct loaded {
    ew_mesh mesh;
    ew_topology topology;
    ew_boundary boundary;
    ew_materials materials;
    ew_set all, end, part, far; /* vertices: all, x = 4, y > 0 in the hole and all around, */
    ew_set end_face;            /* boundary slots */
} loaded;

static inline void furnish_loaded(loaded *l)
{
    const ew_material material = {
        .young = 200.0, .poisson = 0.3, .density = 8.0, .expansion = 1e-3};
    must(ew_topology_build(&l->topology, &l->mesh));
    must(ew_boundary_build(&l->boundary, &l->mesh, &l->topology));
    must(ew_materials_init(&l->materials, 1, &material));
    for (int32_t v = 0; v < l->mesh.n_vertex; v++) {
        const double *x = l->mesh.xyz + 3 * (size_t)v;
        must(ew_set_add(&l->all, v));
        must(x[0] > 4.0 - 1e-9 ? ew_set_add(&l->end, v) : EW_OK);
    }
    for (int32_t s = 0; s < l->boundary.n_slot; s++) {
        double normal[3];
        ew_face_area_vector(&l->mesh, l->boundary.code[s], normal);
        const int32_t v =
            l->mesh.tet[4 * (l->boundary.code[s] / 4) + ew_face_vertex[l->boundary.code[s] % 4][0]];
        must(ew_set_has(&l->end, v) && normal[0] > 1e-9 ? ew_set_add(&l->end_face, s) : EW_OK);
    }
}

/* A bar from 0 to (4, 1, 1). */
static inline loaded make_loaded(int32_t nx, int32_t ny, int32_t nz)
{
    loaded l = {0};
    must(ew_shape_box(&l.mesh, (double[3]){4.0, 1.0, 1.0}, (int32_t[3]){nx, ny, nz}));
    furnish_loaded(&l);
    return l;
}

static inline loaded make_one_tet(const double *corner)
{
    loaded l = {0};
    const int32_t tet[4] = {0, 1, 2, 3};
    const ew_mesh_def def = {.n_vertex = 4, .xyz = corner, .n_tet = 1, .tet = tet};
    must(ew_mesh_init(&l.mesh, &def, NULL));
    furnish_loaded(&l);
    return l;
}

/* A square plate of side 2 and thickness 0.1 with a hole: four quarters around it. `part` is the
 * wall of the hole, `far` its half with x < 0. */
static inline loaded make_hole(void)
{
    enum { AROUND = 40, OUT = 2 };
    loaded l = {0};
    double xyz[3 * AROUND * (OUT + 1) * 2];
    int32_t tet[4 * AROUND * OUT * 6], n_tet = 0;
    static const int8_t path[6][2] = {{1, 3}, {3, 2}, {2, 6}, {6, 4}, {4, 5}, {5, 1}};
    for (int k = 0; k < AROUND * (OUT + 1) * 2; k++) {
        const double angle = 6.283185307179586 * (k % AROUND) / AROUND;
        const double radius = HOLE + 0.5 * (k / AROUND % (OUT + 1));
        xyz[3 * k] = radius * cos(angle);
        xyz[3 * k + 1] = radius * sin(angle);
        xyz[3 * k + 2] = 0.1 * (k / (AROUND * (OUT + 1)));
    }
    for (int cell = 0; cell < AROUND * OUT; cell++) {
        const int i = cell % AROUND, j = cell / AROUND;
        int32_t at[8];
        for (int k = 0; k < 8; k++) { /* outwards, around, up */
            at[k] = (i + (k >> 1 & 1)) % AROUND + AROUND * (j + (k & 1)) +
                    AROUND * (OUT + 1) * (k >> 2);
        }
        for (int k = 0; k < 6; k++) {
            const int32_t corner[4] = {at[0], at[path[k][0]], at[path[k][1]], at[7]};
            memcpy(tet + 4 * n_tet++, corner, sizeof corner);
        }
    }
    const ew_mesh_def def = {
        .n_vertex = AROUND * (OUT + 1) * 2, .xyz = xyz, .n_tet = n_tet, .tet = tet};
    must(ew_mesh_init(&l.mesh, &def, NULL));
    furnish_loaded(&l);
    for (int32_t v = 0; v < l.mesh.n_vertex; v++) {
        const double *x = l.mesh.xyz + 3 * (size_t)v;
        const bool wall = hypot(x[0], x[1]) < HOLE + 1e-9;
        must(wall ? ew_set_add(&l.part, v) : EW_OK);
        must(wall && x[0] < 1e-9 ? ew_set_add(&l.far, v) : EW_OK);
    }
    return l;
}

static inline void free_loaded(loaded *l)
{
    ew_set_free(&l->all);
    ew_set_free(&l->end);
    ew_set_free(&l->part);
    ew_set_free(&l->far);
    ew_set_free(&l->end_face);
    ew_materials_free(&l->materials);
    ew_boundary_free(&l->boundary);
    ew_topology_free(&l->topology);
    ew_mesh_free(&l->mesh);
}

/* The load on the faces of the end, given as vertices or as faces. */
static inline ew_load on_end(loaded *l, bool as_faces, ew_load load)
{
    load.vertex = as_faces ? NULL : &l->end;
    load.face = as_faces ? &l->end_face : NULL;
    load.boundary = as_faces ? &l->boundary : NULL;
    return load;
}

/* [n_vertex][3], the caller's to release. */
static inline double *forces_of_all(loaded *l, int32_t n, const ew_load *load, const ew_list *list)
{
    double *f = NULL;
    must(ew_new_zero(&f, 3 * (size_t)l->mesh.n_vertex, sizeof *f));
    must(ew_loads_assemble(&l->mesh, &l->topology, &l->materials, n, load, list, f));
    return f;
}

static inline double *forces_of(loaded *l, const ew_load *load)
{
    return forces_of_all(l, 1, load, NULL);
}

typedef struct resultant {
    double force[3], moment[3]; /* moment about the point given */
    double scale;               /* sum of |f|, and of |f| times its arm where that is larger */
} resultant;

/* By the nodal forces; what the load says of itself must agree. */
static inline void expect_resultant(loaded *l, const ew_load *load, const resultant *sum,
                                    const double about[3])
{
    double force[3], moment[3];
    ew_load_share share;
    must(ew_load_find_share(&l->mesh, &l->topology, &l->materials, load, 0, &share));
    ew_load_resultant(&l->mesh, &l->topology, &l->materials, load, &share, force, moment);
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        const double shifted = moment[c] - (about[d] * force[e] - about[e] * force[d]);
        CU_ASSERT_DOUBLE_EQUAL(force[c], sum->force[c], 1e-12 * sum->scale);
        CU_ASSERT_DOUBLE_EQUAL(shifted, sum->moment[c], 1e-11 * sum->scale);
    }
}

static inline resultant resultant_of(loaded *l, const ew_load *load, const double about[3])
{
    resultant sum = {.scale = 0.0};
    double *f = forces_of(l, load);
    for (int32_t v = 0; v < l->mesh.n_vertex; v++) {
        const double *x = l->mesh.xyz + 3 * (size_t)v, *g = f + 3 * (size_t)v;
        for (int c = 0; c < 3; c++) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            sum.force[c] += g[c];
            sum.moment[c] += (x[d] - about[d]) * g[e] - (x[e] - about[e]) * g[d];
            sum.scale += fabs(g[c]);
        }
    }
    ew_release(f);
    expect_resultant(l, load, &sum, about);
    return sum;
}

/* What a pressure gives to a vertex, by the midpoints of a fine division of its faces. */
static inline void sample_pressure(loaded *l, const ew_load *load, int32_t v, double force[3])
{
    enum { FINE = 200 };
    force[0] = force[1] = force[2] = 0.0;
    for (int32_t s = 0; s < l->boundary.n_slot; s++) {
        const int32_t code = l->boundary.code[s], *tet = l->mesh.tet + 4 * (code / 4);
        double area[3], mean = 0.0;
        ew_face_area_vector(&l->mesh, code, area);
        for (int i = 0; i < FINE; i++) {
            for (int j = 0; j < 2 * (FINE - i) - 1; j++) { /* triangles of row i */
                const double third = (j % 2 ? 2.0 : 1.0) / 3.0;
                const double b = (i + third) / FINE, c = (j / 2 + third) / FINE;
                const double part[3] = {1.0 - b - c, b, c};
                double p = load->pressure, weight = 0.0;
                for (int k = 0; k < 3; k++) {
                    const int32_t w = tet[ew_face_vertex[code % 4][k]];
                    weight += w == v ? part[k] : 0.0;
                    for (int d = 0; d < 3; d++) {
                        p +=
                            load->gradient[d] * part[k] * (l->mesh.xyz[3 * w + d] - load->point[d]);
                    }
                }
                mean += fmax(p, 0.0) * weight / (FINE * FINE);
            }
        }
        for (int d = 0; d < 3; d++) {
            force[d] -= mean * area[d];
        }
    }
}

#endif
