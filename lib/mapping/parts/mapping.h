/* mapping: what a program needs that works on its tables itself, beside mapping/mapping.h. */
#ifndef EW_PARTS_MAPPING_H
#define EW_PARTS_MAPPING_H

#include "mapping/mapping.h"
#include "topology/parts/topology.h"

EW_BEGIN_API

/* Binds every vertex of the surface (copied; triangles must name its vertices). `mapping`: zeroed
 * or uninitialized; zeroed on failure. EW_BAD_INPUT names a vertex that is not finite or too far
 * outside, and a mesh without tets. O(n_tet + n_vertex); the same for any number of threads. */
ew_status ew_mapping_bind(ew_mapping *mapping, const ew_mesh *mesh, const ew_surface *surface,
                          const ew_mapping_def *def);
/* The same for what is there, from the undeformed positions that it has; released vertices stay
 * released. On failure the revision is 0. */
ew_status ew_mapping_bind_again(ew_mapping *mapping, const ew_mesh *mesh);
void ew_mapping_free(ew_mapping *mapping);

/* Follows a committed edit; the tables must have followed it already (EW_STALE otherwise, and
 * nothing changes).
 * - Bindings to tets that stay are kept. Where such a tet has moved vertices the weights stay and
 *   the undeformed position moves along.
 * - A vertex whose tet is removed looks for another one among the parts of that tet (ew_change) or,
 *   without parts, among the tets at its vertices, and from the nearest of them on among the tets
 *   that share a vertex with that, as long as they are nearer. So where the tet was replaced by
 *   others it is bound as ew_mapping_bind would do it.
 * - It is released where none of the vertices of its tet has a tet left. With `drop` also where the
 *   tet that was found is farther from it than the removed one was, by more than 1e-6 of its size:
 *   its material is gone. Triangles with a released vertex are not part of the surface any more.
 *   What is released stays so.
 * O(touched). On EW_NO_MEMORY its revision is 0: bind it again. */
ew_status ew_mapping_update(ew_mapping *mapping, const ew_mesh *mesh, const ew_topology *topology,
                            const ew_change *change);
/* After ew_mesh_compact: tet [slots before] from old to new slots. */
ew_status ew_mapping_rename(ew_mapping *mapping, const ew_mesh *mesh, const int32_t *tet,
                            int32_t n_tet);
/* EW_STALE or EW_TABLE_BOUNDARY with the vertex concerned: slots, lists, weights. O(n). */
ew_status ew_mapping_check(const ew_mapping *mapping, const ew_mesh *mesh);

static inline bool ew_mapping_has_triangle(const ew_mapping *mapping, int32_t triangle)
{
    const int32_t *v = mapping->triangle + 3 * (size_t)triangle;
    return mapping->tet[v[0]] >= 0 && mapping->tet[v[1]] >= 0 && mapping->tet[v[2]] >= 0;
}

/* ---- carrying (carry.c); EW_STALE where the mesh is another -------------- */

/* out [n_vertex][width] of a field on vertices, interpolated (outside the body extrapolated), or on
 * tets, that of the tet; 0 where released. */
ew_status ew_mapping_vertex_field(const ew_mapping *mapping, const ew_mesh *mesh, int32_t width,
                                  const double *value, double *out);
ew_status ew_mapping_tet_field(const ew_mapping *mapping, const ew_mesh *mesh, int32_t width,
                               const double *value, double *out);
/* force [slots][3] += the transpose: surface [n_vertex][3] forces on the vertices of the surface.
 * Forces on released ones count nowhere. */
ew_status ew_mapping_forces(const ew_mapping *mapping, const ew_mesh *mesh, const double *surface,
                            double *force);
/* force [3] += the same for one active vertex of the mesh, gathered in a fixed order. The mapping
 * must be current. */
void ew_mapping_force_at(const ew_mapping *mapping, const ew_mesh *mesh,
                         const ew_topology *topology, const double *surface, int32_t vertex,
                         double *force);

/* ---- loads on the surface (surface_load.c) ------------------------------- */

typedef enum ew_surface_load_kind {
    EW_SURFACE_PRESSURE,    /* `pressure` against the triangles, which look outwards */
    EW_SURFACE_TRACTION,    /* `vector`, force per area */
    EW_SURFACE_TOTAL_FORCE, /* `vector`, spread over the area */
    EW_SURFACE_FORCE        /* `vector` on each vertex */
} ew_surface_load_kind;
typedef struct ew_surface_load {
    ew_surface_load_kind kind;
    double pressure, vector[3];
} ew_surface_load;
/* Of the undeformed triangles that are there, summed in their order. */
double ew_mapping_area(const ew_mapping *mapping);
/* force [3] of the load on a vertex of the surface; area: as above. */
void ew_surface_load_at(const ew_mapping *mapping, const ew_surface_load *load, double area,
                        int32_t vertex, double force[3]);

EW_END_API
#endif
