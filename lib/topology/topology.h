/* topology: the neighbor tables of a mesh. Built in O(n), updated from a change in
 * O(touched). Also what follows from them: face neighbors, boundary faces, components. */
#ifndef EW_TOPOLOGY_H
#define EW_TOPOLOGY_H

#include "mesh/mesh.h"
#include "pattern/pattern.h"

EW_BEGIN_API

typedef struct ew_topology {
    ew_pattern pattern;    /* rows: vertex slots, pairs: edges; its revision is the mesh's */
    ew_rows edge_to_tet;   /* width 1, tets ascending */
    ew_rows vertex_to_tet; /* width 1, tets ascending */
    int32_t *tet_to_edge;  /* [n_tet][6] owned, local edge order of mesh.h; -1 in holes */
    int32_t n_tet, tet_capacity;
    ew_pattern_change touched; /* what the last update did to the pattern, for all that is stored by
                                  vertex and edge; contributors are tets */
} ew_topology;

/* The tet across a face (code 4 * tet + face), or -1 on the boundary. O(1). */
int32_t ew_topology_face_neighbor(const ew_topology *topology, const ew_mesh *mesh, int32_t face);

/* The faces whose lowest vertex is a given one, each once: over all vertices, every face of the
 * mesh. Zeroed is empty; memory is kept from vertex to vertex. */
typedef struct ew_star_faces {
    int32_t n;
    int32_t *code;  /* [n][2] owned: face codes from both sides, the second -1 on the boundary */
    uint64_t *key;  /* [n] owned, private as all below: the other two vertices */
    int32_t *place; /* owned hash table: before + 1 + face; up to `before`: free */
    int32_t before; /* numbers up to this one were entered for other vertices */
    uint32_t mask;
    int32_t capacity, place_capacity;
} ew_star_faces;

/* Outward area vector (area times unit normal) of a face code. */
void ew_face_area_vector(const ew_mesh *mesh, int32_t face, double area[3]);

/* ---- boundary faces that follow the mesh (boundary.c) ------------------- */

/* A slot for every face that only one tet has. Slots never move, so what is stored by slot (labels,
 * pressures, a viewer's triangles) follows an edit by the lists that the update leaves:
 *   - give each of `added` what its `from` has, which still stands there: no slot freed by an
 *     update is used again by the same update;
 *   - then drop what stands at `removed`;
 *   - at `kept`, only the tet behind the face is another (it may lie on the other side).
 * A new face descends from an old boundary face when its vertices do: let the ancestors of an old
 * vertex be itself, those of an added one those of its parents (ew_change), of a vertex without
 * parents none. If the ancestors of a face's three vertices are exactly the three vertices of a
 * face that was on the boundary before, the face is a part or an image of that; a face that the
 * edit gave an origin (ew_edit_add_face_origin) descends from that instead. So the parts of a
 * refined face and the mirror image of a face know where they come from; a face that a removed tet
 * lays open comes from none. */
typedef struct ew_boundary {
    int32_t n_slot, slot_capacity; /* slots in use, holes included */
    int32_t n_live;                /* boundary faces */
    int32_t *code;                 /* [n_slot] owned: face codes 4 * tet + face; -1: hole */
    ew_list hole;                  /* free slots, last in first out */

    /* from face codes to slots: ew_boundary_find */
    int32_t n_tet, tet_capacity;
    int32_t *tet_group; /* [n_tet] owned: index into group_slot, -1: no face on the boundary */
    int32_t n_group, group_capacity;
    int32_t *group_slot; /* [n_group][4] owned: slots of a tet's faces, -1: not on the boundary */
    ew_list group_hole;  /* free groups */

    uint64_t revision; /* of the mesh; 0: not valid, build it again */

    /* what the last update did; empty after a build */
    ew_list removed; /* slots freed, which the next update may use again */
    int32_t removed_capacity;
    int32_t *removed_vertex; /* [removed.n][3] owned: vertices of these faces, as they looked
                                outwards; slots before the edit */
    ew_list added;           /* slots taken */
    ew_list from;            /* [added.n] slot, before the update, of the face that it descends
                                from, or -1 */
    ew_list kept;            /* slots whose face has another code now, between the same vertices */

    struct {
        ew_set touched; /* vertices of removed and added tets */
        ew_star_faces star;
        ew_list fresh;     /* codes of faces that are on the boundary now */
        ew_map gone, born; /* old faces by sorted vertices; added vertices */
        ew_map named;      /* faces with an origin that the edit names, by sorted vertices */
        int32_t *ancestor; /* owned, [added vertex][3] old vertices, -1 beyond the last */
        int32_t ancestor_capacity;
    } update; /* private: memory kept from update to update */
} ew_boundary;

/* A direction that faces look in: the angle between it and the outward normal, at most. */
typedef struct ew_facing {
    double normal[3]; /* of any length > 0 */
    double angle;     /* degrees, > 0, <= 180 */
} ew_facing;
/* Codes of boundary faces, ascending, appended to an empty list (select_faces.c): with all three
 * vertices selected (box, sphere, cylinder, plane, side, ids, all), of the tets of a region, or
 * exactly the labeled triangles of a surface that are boundary faces. direction: of those the
 * ones that look that way; null: all. Nearest selects no faces: EW_BAD_ARGUMENT. Else as
 * ew_mesh_select. O(n). */
ew_status ew_boundary_select(const ew_boundary *boundary, const ew_mesh *mesh,
                             const ew_selector *selector, const ew_facing *direction,
                             ew_list *face);

EW_END_API
#endif
