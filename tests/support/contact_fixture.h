/* Two blocks, one over the other, with meshes of their own: 1 x 1 x 1/2 each, the lower one between
 * z = 0 and 1/2, the other `gap` above it. Vertices at the faces that meet are moved about in them.
 */
#ifndef EW_CONTACT_FIXTURE_H
#define EW_CONTACT_FIXTURE_H

#include "shape/parts/shape.h"
#include "testlib.h"
#include "topology/parts/topology.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the regions of both. */
enum { LOWER = 1, UPPER = 2 };

/* Inner vertices of the grid move in x and y by up to a quarter of a cell, those at the sides along
 * them. */
static inline void jitter_grid(ew_mesh *mesh, int32_t cells, uint64_t *random)
{
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        for (int c = 0; c < 2; c++) {
            double *x = &mesh->xyz[3 * (size_t)v + c];
            const double by = (ew_test_random(random, 1000) / 1000.0 - 0.5) * 0.5 / cells;
            *x += *x > 1e-9 && *x < 1.0 - 1e-9 ? by : 0.0;
        }
    }
}

/* `part` moved by `shift` behind what is in the arrays. */
static inline void append_part(ew_mesh_def *to, const ew_mesh *part, const double shift[3],
                               int32_t label)
{
    const int32_t n = to->n_vertex + part->n_vertex, m = to->n_tet + part->n_tet;
    double *xyz = realloc((void *)to->xyz, 3 * (size_t)n * sizeof *xyz);
    int32_t *tet = realloc((void *)to->tet, 4 * (size_t)m * sizeof *tet);
    int32_t *region = realloc((void *)to->region, (size_t)m * sizeof *region);
    for (int32_t i = 0; i < 3 * part->n_vertex; i++) {
        xyz[3 * (size_t)to->n_vertex + (size_t)i] = part->xyz[i] + shift[i % 3];
    }
    for (int32_t i = 0; i < 4 * part->n_tet; i++) {
        tet[4 * (size_t)to->n_tet + (size_t)i] = part->tet[i] + to->n_vertex;
    }
    for (int32_t t = to->n_tet; t < m; t++) {
        region[t] = label;
    }
    *to = (ew_mesh_def){.n_vertex = n, .xyz = xyz, .n_tet = m, .tet = tet, .region = region};
}

static inline void finish_parts(ew_mesh *mesh, ew_mesh_def *def)
{
    must(ew_mesh_init(mesh, def, NULL));
    free((void *)def->xyz);
    free((void *)def->tet);
    free((void *)def->region);
}

/* cells: along x and y of the lower and the upper block; shift: of the upper one. */
static inline void make_blocks(ew_mesh *mesh, const int32_t cells[2], const double shift[3])
{
    ew_mesh_def def = {0};
    uint64_t random = 5;
    for (int k = 0; k < 2; k++) {
        const double by[3] = {shift[0], shift[1], 0.5 + shift[2]};
        ew_mesh part;
        must(ew_shape_box(&part, (double[3]){1, 1, 0.5}, (int32_t[3]){cells[k], cells[k], 2}));
        jitter_grid(&part, cells[k], &random);
        append_part(&def, &part, k ? by : (double[3]){0, 0, 0}, k ? UPPER : LOWER);
        ew_mesh_free(&part);
    }
    finish_parts(mesh, &def);
}

/* Codes of the boundary faces of a region that look along `direction` but for 1e-6, ascending. */
static inline void list_faces(const ew_mesh *mesh, const ew_topology *topology, int32_t label,
                              const double direction[3], ew_list *face)
{
    ew_list all = {0};
    must(ew_topology_boundary(topology, mesh, &all));
    for (int32_t i = 0; i < all.n; i++) {
        const int32_t tet = all.id[i] / 4;
        double area[3], size = 0.0, along = 0.0;
        ew_face_area_vector(mesh, all.id[i], area);
        for (int c = 0; c < 3; c++) {
            size += area[c] * area[c];
            along += area[c] * direction[c];
        }
        if (mesh->region_label[mesh->region[tet]] == label && along > (1.0 - 1e-6) * sqrt(size)) {
            must(ew_list_push(face, all.id[i]));
        }
    }
    ew_list_free(&all);
}

#endif
