/* mesh, private: what the files of this folder share. */
#ifndef EW_MESH_INTERNAL_H
#define EW_MESH_INTERNAL_H

#include "mesh/parts/mesh.h"

/* A face code, 4 * tet + face, must fit an int32_t. */
#define EW_MAX_TET (INT32_MAX / 4)

/* +1: positive and at least EW_MIN_SHAPE; -1: the same, left-handed; 0: no usable volume
 * (flat, not finite, or too small or too large for a double). (quality.c) */
int ew_tet_hand(const double *x0, const double *x1, const double *x2, const double *x3);

/* Room for exactly the counts of `mesh`, whose arrays are null; valences are 0. (build.c) */
ew_status ew_mesh_allocate(ew_mesh *mesh);

/* Whether the numbers of a selector are in range: EW_BAD_ARGUMENT names the first that is not.
 * (select.c) */
ew_status ew_check_selector(const ew_selector *selector);

typedef enum ew_repeat {
    EW_REPEAT_TET,  /* four vertices of more than one tet */
    EW_REPEAT_FACE, /* a face of more than two tets */
    EW_REPEAT_SIDE  /* a face with more than one tet on the same side */
} ew_repeat;
/* Looks for what occurs too often; holes (tet[t][0] < 0) are passed over. *found: whether there
 * is such a set; first[0] < first[1] < ..: the lowest one's first 2 tets (FACE: 3), room for 3.
 * Vertices must be in range. O(n) but for a vertex with very many tets. (repeat.c) */
ew_status ew_tets_repeat(int32_t n_vertex, int32_t n_tet, const int32_t *tet, ew_repeat what,
                         bool *found, int32_t first[3]);

/* A batch on its way into the mesh. */
typedef struct ew_batch {
    ew_mesh *mesh;
    const ew_edit *edit;
    const ew_rows *vertex_to_tet; /* or null */
    ew_change *change;            /* its scratch sets are filled by the checks */
    uint64_t n_face_place;        /* of the hash table of faces */
    int face_shift;               /* new vertices that share a block of it, as a power of 2 */
    uint64_t *stays;              /* owned: bits of vertices that keep a tet; null: not known */
    int32_t n_side;
    struct ew_batch_side *side; /* [n_side] owned: whose curves the batch changes */
} ew_batch;

/* Before the moved vertices are in place: ids, positions, lists. Collects what goes, what
 * moves (change->moved_vertex and moved_tet) and the new regions. (commit_check.c) */
ew_status ew_batch_check_ids(ew_batch *batch);
/* Then: the curves that the batch changes, and room for them in the mesh; and into the mesh.
 * (commit_curves.c) */
ew_status ew_batch_find_curves(ew_batch *batch);
void ew_batch_put_curves(const ew_batch *batch);
/* curves.c: room for n more curved sides; the table of a list that was written as a whole; a side,
 * the lower id first, becomes curved, in reserved room, or straight. */
ew_status ew_mesh_reserve_curves(ew_mesh *mesh, int32_t n_more);
void ew_mesh_index_curves(ew_mesh *mesh);
void ew_mesh_put_curve(ew_mesh *mesh, const int64_t end[2], const double curve[3]);
void ew_mesh_drop_curve(ew_mesh *mesh, const int64_t end[2]);
/* Memory for ew_batch_check_faces. (commit_faces.c) */
ew_status ew_batch_reserve_faces(ew_batch *batch);
/* After the moved vertices are in place: shapes (commit_shapes.c), then duplicates and faces
 * (commit_faces.c). Neither allocates. */
ew_status ew_batch_check_shapes(const ew_batch *batch);
ew_status ew_batch_check_faces(const ew_batch *batch);

/* Checks items 0 .. n-1, each by itself and on any thread; the status and message are those of the
 * first that fails. (commit_check.c) */
typedef ew_status (*ew_batch_check)(const ew_batch *batch, int32_t i);
ew_status ew_batch_check_all(const ew_batch *batch, int32_t n, ew_batch_check check);

/* A vertex' tets by the table; EW_STALE when it shows that it is not this mesh's. */
ew_status ew_batch_tets_of(const ew_batch *batch, int32_t v, const int32_t **tet, int32_t *n);

/* "vertex 7", "vertex 7 (slot 3)", "new vertex 0"; likewise tets. For messages. */
typedef struct ew_name {
    char text[64];
} ew_name;
ew_name ew_vertex_name(const ew_mesh *mesh, int32_t v);
ew_name ew_tet_name(const ew_mesh *mesh, int32_t t);

#endif
