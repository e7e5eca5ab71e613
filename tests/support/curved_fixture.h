/* A bent box with tets of ten nodes: the fixture of the tests of curved sides. */
#ifndef EW_CURVED_FIXTURE_H
#define EW_CURVED_FIXTURE_H

#include "model/parts/model.h"
#include "shape/parts/shape.h"
#include "testlib.h"
#include "topology/parts/topology.h"

#include <stdlib.h>
#include <string.h>

/* The box that all bodies are made from, bent: quadratic, so that the middles hold all of it. */
static inline void bend(const double x[3], double y[3])
{
    y[0] = x[0] + 0.15 * x[1] * x[1];
    y[1] = x[1];
    y[2] = x[2] + 0.2 * x[0] * x[0] - 0.1 * x[0] * x[1];
}

/* What the middle of a straight edge along d is bent by. */
static inline void curve_of(const double d[3], double c[3])
{
    c[0] = -0.25 * 0.15 * d[1] * d[1];
    c[1] = 0.0;
    c[2] = -0.25 * (0.2 * d[0] * d[0] - 0.1 * d[0] * d[1]);
}

/* From a box to the body with tets of ten nodes whose nodes are moved to their place. noise: of the
 * middles. */
static inline void curve_mesh(ew_mesh *mesh, void (*place)(const double *x, double *y),
                              double noise)
{
    const int32_t n = 6 * mesh->n_tet;
    ew_topology topology;
    uint64_t state = 11;
    must(ew_topology_build(&topology, mesh));
    ew_side_middle *list = malloc((size_t)n * sizeof *list);
    double *node = calloc((size_t)topology.pattern.n_pair, 3 * sizeof *node);
    for (int32_t e = 0; e < topology.pattern.n_pair; e++) {
        const int32_t *end = topology.pattern.pair_row + 2 * e;
        double x[3];
        for (int c = 0; c < 3; c++) {
            x[c] = 0.5 * (mesh->xyz[3 * end[0] + c] + mesh->xyz[3 * end[1] + c]);
        }
        place(x, node + 3 * e);
        for (int c = 0; c < 3; c++) {
            node[3 * e + c] += noise * ((double)ew_test_random(&state, 2001) / 1000.0 - 1.0);
        }
    }
    for (int32_t i = 0; i < n; i++) {
        const int32_t t = i / 6, *edge = topology.tet_to_edge + 6 * t;
        list[i] = (ew_side_middle){.end = {mesh->tet[4 * t + ew_edge_vertex[i % 6][0]],
                                           mesh->tet[4 * t + ew_edge_vertex[i % 6][1]]},
                                   .node = edge[i % 6],
                                   .tet = t};
    }
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        double y[3];
        place(mesh->xyz + 3 * v, y);
        memcpy(mesh->xyz + 3 * v, y, sizeof y);
    }
    must(ew_mesh_set_middles(mesh, n, list, node));
    free(list);
    free(node);
    ew_topology_free(&topology);
}

static inline void bend_mesh(ew_mesh *mesh, double noise)
{
    curve_mesh(mesh, bend, noise);
}

/* Of quadratic tets. */
static inline ew_model *make_bent_model_of(double noise, const ew_material *material)
{
    const ew_model_def def = ew_default_model_def();
    ew_model *model;
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[]){1.0, 0.9, 0.8}, (int32_t[]){3, 3, 3}));
    bend_mesh(&mesh, noise);
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, material));
    must(ew_model_set_order(model, true));
    return model;
}

/* With curved sides. */
static inline double volume_of(const ew_model *model)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    double sum = 0.0, x[12], d[18];
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            ew_mesh_tet_values(mesh, t, mesh->xyz, x);
            (void)ew_tet_curves(ew_model_edge_rows(model), ew_model_topology(model), t, d);
            sum += ew_curved_volume(x, d);
        }
    }
    return sum;
}

#endif
