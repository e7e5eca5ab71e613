/* What the tests of mappings share: surfaces of points at random in and around the unit cube, and
 * the rule of binding by a look at every tet. */
#ifndef EW_MAPPING_FIXTURE_H
#define EW_MAPPING_FIXTURE_H

#include "mapping/place.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline double draw(uint64_t *state)
{
    return ew_test_random(state, 1000001) / 1000000.0;
}

/* n points up to `beyond` outside the unit cube, some of them on its grid of eighths, where tets
 * share faces, edges and vertices; triangles between neighbors in the list. */
static inline void make_points(ew_surface *surface, int32_t n, double beyond, uint64_t seed)
{
    uint64_t state = seed;
    memset(surface, 0, sizeof *surface);
    must(ew_new(&surface->xyz, 3 * (size_t)n, sizeof *surface->xyz));
    must(ew_new(&surface->triangle, 3 * (size_t)n, sizeof *surface->triangle));
    surface->n_vertex = n;
    for (int32_t v = 0; v < n; v++) {
        const bool on_grid = ew_test_random(&state, 4) == 0;
        for (int c = 0; c < 3; c++) {
            const double x = draw(&state) * (1.0 + 2.0 * beyond) - beyond;
            surface->xyz[3 * v + c] = on_grid ? ew_test_random(&state, 9) / 8.0 : x;
        }
    }
    for (int32_t i = 0; i + 2 < n; i++, surface->n_triangle++) {
        for (int k = 0; k < 3; k++) {
            surface->triangle[3 * i + k] = i + k;
        }
    }
}

/* A closed surface: that of the unit cube in cells, moved outwards by `beyond` on each side. */
static inline void make_skin(ew_surface *surface, int32_t cells, double beyond)
{
    static const int8_t axis[3][2] = {{1, 2}, {2, 0}, {0, 1}};
    const int32_t side = cells + 1;
    memset(surface, 0, sizeof *surface);
    must(ew_new(&surface->xyz, 18 * (size_t)(side * side), sizeof *surface->xyz));
    must(ew_new(&surface->triangle, 36 * (size_t)(cells * cells), sizeof *surface->triangle));
    for (int32_t f = 0; f < 6; f++) {
        const int32_t first = surface->n_vertex;
        for (int32_t k = 0; k < side * side; k++, surface->n_vertex++) {
            double *x = surface->xyz + 3 * (size_t)surface->n_vertex;
            const double place[2] = {(double)(k % side) / cells, (double)(k / side) / cells};
            x[f / 2] = f % 2 ? 1.0 + beyond : -beyond;
            for (int c = 0; c < 2; c++) {
                x[axis[f / 2][c]] = -beyond + (1.0 + 2.0 * beyond) * place[c];
            }
        }
        for (int32_t q = 0; q < cells * cells; q++) {
            const int32_t a = first + q % cells + side * (q / cells), b = a + 1, c = a + side;
            int32_t *t = surface->triangle + 3 * (size_t)surface->n_triangle;
            const int32_t two[6] = {a, f % 2 ? b : c,     f % 2 ? c : b,
                                    b, f % 2 ? c + 1 : c, f % 2 ? c : c + 1};
            memcpy(t, two, sizeof two);
            surface->n_triangle += 2;
        }
    }
}

/* The rule of mapping.h, from every live tet. */
static inline void find_by_scan(const ew_mesh *mesh, const double x[3], ew_place *place)
{
    ew_list live = {0};
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            must(ew_list_push(&live, t));
        }
    }
    ew_place_choose(mesh, live.id, live.n, x, place);
    ew_list_free(&live);
}

static inline bool is_bound_so(const ew_mapping *mapping, int32_t v, const ew_place *place)
{
    return mapping->tet[v] == place->tet && mapping->distance[v] == place->distance &&
           !memcmp(mapping->weight + 4 * (size_t)v, place->weight, sizeof place->weight);
}

#endif
