/* analysis, private: patches of tets around vertices, and the stress that is recovered in them. */
#ifndef EW_ANALYSIS_PATCHES_H
#define EW_ANALYSIS_PATCHES_H

#include "analysis/parts/analysis.h"

/* The patches of the tets around every vertex: of one region each (by_region), or of one material,
 * and then none, with n_vertex = 0, where all of it is one. Memory is reused. O(n). (patches.c) */
ew_status ew_patches_take(ew_patches *out, const ew_mesh *mesh, const ew_topology *topology,
                          const ew_materials *materials, bool by_region);
/* The same after a change of the tets around the listed vertices alone. *fits: false, with the
 * patches undefined, where a vertex has more or fewer of them than before, or where axes are a
 * field: all are to be taken. O(list). */
ew_status ew_patches_update(ew_patches *out, const ew_mesh *mesh, const ew_topology *topology,
                            const ew_materials *materials, bool by_region, const ew_list *vertex,
                            bool *fits);
void ew_patches_free(ew_patches *patches);

/* Which corner of a tet [4] the vertex is. */
static inline int ew_corner_of(const int32_t *tet, int32_t vertex)
{
    return (tet[1] == vertex) + 2 * (tet[2] == vertex) + 3 * (tet[3] == vertex);
}

/* The patch at a vertex that a tet around it is in. */
static inline int32_t ew_patch_at(const ew_patches *patches, const ew_mesh *mesh, int32_t vertex,
                                  int32_t tet)
{
    const size_t t = 4 * (size_t)tet;
    return patches->begin[vertex] +
           (patches->is_parted ? patches->of_corner[t + (size_t)ew_corner_of(mesh->tet + t, vertex)]
                               : 0);
}

/* The stress of every patch from the stress [n_tet][6] of the tets; null: patches alone, with a
 * stress of zero that the caller replaces. Memory is reused. peers: as of
 * ew_estimate_take_together. O(n). (recovered.c) */
ew_status ew_recovered_take(ew_recovered *out, const ew_mesh *mesh, const ew_topology *topology,
                            const ew_materials *materials, const double *stress, ew_peers *peers);
/* The same after a change of the stress and of the tets around the listed vertices alone; adds to
 * `changed` the vertices whose recovered stress is another one. stress: null as it was. *is_local:
 * as above. O(list). */
ew_status ew_recovered_update(ew_recovered *out, const ew_mesh *mesh, const ew_topology *topology,
                              const ew_materials *materials, const double *stress,
                              const ew_list *vertex, ew_set *changed, bool *is_local);
void ew_recovered_free(ew_recovered *out);

#endif
