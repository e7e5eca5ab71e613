/* mesh: what a program needs that works on its tables itself, beside mesh/mesh.h. */
#ifndef EW_PARTS_MESH_H
#define EW_PARTS_MESH_H

#include "base/parts/base.h"
#include "mesh/mesh.h"

EW_BEGIN_API

/* A tet's least admissible 6V / (longest edge)^3. Below it a tet has no usable
 * volume: in double precision the determinant's own rounding is about 1e-15. */
#define EW_MIN_SHAPE 1e-12

inline bool ew_mesh_vertex_is_active(const ew_mesh *mesh, int32_t v)
{
    return mesh->valence[v] > 0;
}
/* The next live tet, active vertex after a slot, -1 beyond the last one; start from -1:
 *     for (int32_t t = -1; (t = ew_mesh_next_tet(mesh, t)) >= 0;) { ... }
 * n_tet and n_vertex count slots, of which some are holes; n_live_tet and n_active_vertex are as
 * many as these loops meet. (selectors.c) */
int32_t ew_mesh_next_tet(const ew_mesh *mesh, int32_t tet);
int32_t ew_mesh_next_vertex(const ew_mesh *mesh, int32_t vertex);
/* value [4][3] = the entries of a tet's corners in a vertex array [n_vertex][3]: positions,
 * displacements. */
inline void ew_mesh_tet_values(const ew_mesh *mesh, int32_t t, const double *array, double *value)
{
    for (size_t i = 0; i < 4; i++) {
        const double *from = array + 3 * (size_t)mesh->tet[4 * (size_t)t + i];
        value[3 * i] = from[0];
        value[3 * i + 1] = from[1];
        value[3 * i + 2] = from[2];
    }
}
/* On which of its two sides a face's tet lies, 0 or 1: tets of positive volume that share a face
 * are on the same side exactly when this is equal, for then the face turns the same way round as
 * its normal points out of either. No arithmetic, hence exact. */
inline int32_t ew_face_side(const int32_t tet[4], int face)
{
    int32_t a = tet[ew_face_vertex[face][0]], b = tet[ew_face_vertex[face][1]];
    int32_t c = tet[ew_face_vertex[face][2]];
    return (a < b) + (b < c) + (c < a) - 1;
}
/* Whether the three vertices given with a labeled triangle still exist. */
inline bool ew_mesh_face_is_kept(const ew_mesh *mesh, int32_t f)
{
    bool kept = true;
    for (int i = 0; i < 3; i++) {
        int32_t v = mesh->face[3 * (size_t)f + i];
        kept = kept && mesh->valence[v] >= 0 && mesh->vertex_id[v] < mesh->face_id_end;
    }
    return kept;
}

/* ---- construction (build.c) -------------------------------------------- */

/* Sides whose middle is farther from the straight one than EW_STRAIGHT of their length are curved.
 * list: all of them, sorted in place; xyz: [nodes][3]. EW_BAD_INPUT: two tets have another node on
 * the same side, or a place that is not finite; EW_MESH_VOLUME as of ew_mesh_check_curves. The mesh
 * is as it was then. (curves.c) */
#define EW_STRAIGHT 1e-6
/* Coordinates and curved sides of a mesh as it came from a file, in another unit of length: times
 * factor / divisor, both > 0. */
void ew_mesh_convert_length(ew_mesh *mesh, double factor, double divisor);
/* [3] of the side between two vertices by vertex_id, or null: it is straight. */
const double *ew_mesh_curve(const ew_mesh *mesh, int64_t a, int64_t b);
/* order [n_curve]: places of curved sides by the ids of their ends, ascending. O(n log n). */
ew_status ew_mesh_sort_curves(const ew_mesh *mesh, int32_t *order);
/* Whether the Jacobian of a tet of ten nodes, of degree three, is positive in all of it: more than
 * EW_MIN_SHAPE of the cube of its longest tangent at a corner. x [4][3]: its corners; d [6][3]: how
 * far the middles of its sides lie beyond the straight ones. INFINITY: it is, which is certain.
 * Else the Jacobian, in parts of that of the straight tet, at a place at [4] (by corners) where it
 * is not; or where it is positive, but so near to zero, by some thousandth of what it varies by,
 * that a bounded number of bisections does not tell (folds.c, with the source). */
double ew_curved_tet_fold(const double x[12], const double d[18], double at[4]);
/* The volume of such a tet. */
double ew_curved_tet_volume(const double x[12], const double d[18]);
/* The same as a status: EW_MESH_VOLUME names the tet by these words and by its tet_id `id`, the
 * place, and what to do. */
ew_status ew_curved_tet_check(const char *tet, int64_t id, const double x[12], const double d[18]);
/* Every live tet with curved sides, ascending; straight ones cost next to nothing. O(n). */
ew_status ew_mesh_check_curves(const ew_mesh *mesh);

/* Renumbers the slots without holes: new slot of vertex v is vertex_order[v]
 * (permutation of the live vertices 0..n-1; -1 for holes; inactive vertices are live),
 * null keeps the order. Tets are sorted by their least new vertex when `sort_tets`,
 * else keep their order. vertex_id, tet_id and regions travel along. old->new maps,
 * [old n_vertex] and [old n_tet], -1 where gone, go into the caller's arrays unless
 * null. Labeled triangles that lost a vertex are dropped. Advances the revision.
 * EW_BAD_ARGUMENT when vertex_order is no such permutation. */
ew_status ew_mesh_compact(ew_mesh *mesh, const int32_t *vertex_order, bool sort_tets,
                          int32_t *vertex_map, int32_t *tet_map);
/* The same of a mesh that stays as it is. `copy`: zeroed or uninitialized; zeroed on failure. */
ew_status ew_mesh_compact_copy(ew_mesh *copy, const ew_mesh *mesh, const int32_t *vertex_order,
                               bool sort_tets, int32_t *vertex_map, int32_t *tet_map);

/* Where the vertices and tets of a mesh that was read belong, in the order of the file. */
typedef struct ew_mesh_slots {
    int32_t n_file_vertex, n_file_tet; /* that the file has */
    int32_t n_vertex, n_tet;           /* slots, holes included */
    int64_t next_vertex_id, next_tet_id, face_id_end;
    int32_t *vertex, *tet;         /* [n_file_vertex], [n_file_tet] owned: slots */
    int64_t *vertex_id, *tet_id;   /* likewise: ids, ascending */
    int32_t n_unused;              /* vertices without tets that the file has not */
    int32_t *unused;               /* [n_unused] owned: slots */
    int64_t *unused_id;            /* [n_unused] owned: ids, ascending */
    double *unused_xyz;            /* [n_unused][3] owned */
    ew_list vertex_hole, tet_hole; /* free slots, last in first out */
    ew_list region;                /* labels of regions by index */
    int32_t n_face;                /* labeled triangles that are no faces now */
    int32_t *face;    /* [n_face][5] owned: place among all, ascending, three slots, label */
    bool has_middles; /* and curved sides, as in ew_mesh */
    int32_t n_curve;
    int64_t *curve_end; /* [n_curve][2] owned */
    double *curve;      /* [n_curve][3] owned */
} ew_mesh_slots;
void ew_mesh_slots_free(ew_mesh_slots *slots);
/* Puts a mesh as it was read, ids from 0 without holes, into these slots and gives it these ids;
 * born is 0, the mesh keeps its slots from then on. *slots gives up its lists of holes.
 * EW_BAD_INPUT where they are of another mesh, EW_MESH_VOLUME as of ew_mesh_check_curves: both are
 * as before. (slots.c) */
ew_status ew_mesh_place(ew_mesh *mesh, ew_mesh_slots *slots);

/* ---- measures (quality.c) ---------------------------------------------- */

/* Signed volume of four points. */
double ew_tet_volume(const double *x0, const double *x1, const double *x2, const double *x3);
double ew_mesh_tet_volume(const ew_mesh *mesh, int32_t tet);
/* With its curved sides. */
double ew_mesh_curved_tet_volume(const ew_mesh *mesh, int32_t tet);
void ew_mesh_tet_centroid(const ew_mesh *mesh, int32_t tet, double centroid[3]);
/* Mean-ratio shape quality, 12 (3V)^(2/3) / sum of squared edge lengths: 1 regular, 0 flat
 * (Liu & Joe 1994). */
double ew_mesh_tet_quality(const ew_mesh *mesh, int32_t tet);

/* ---- selection in space (select.c, select_tets.c) ---------------------- */

/* Index of the region with this label; EW_BAD_INPUT naming it when there is none. */
ew_status ew_mesh_find_region(const ew_mesh *mesh, int32_t label, int32_t *region);
/* True where a single point decides: box, sphere, cylinder, plane, side, all. */
bool ew_selector_has_point(const ew_selector *selector, const double xyz[3]);
/* Live tet slots, ascending, appended to an empty list: region by region, ids as tet_id, nearest
 * the one of nearest centroid (ties: the lower tet_id), all else by the tet's centroid. A surface
 * selects no tets: EW_BAD_ARGUMENT. Else as above. */
ew_status ew_mesh_select_tets(const ew_mesh *mesh, const ew_selector *selector, ew_list *tet);
/* live[n_face]: whether the labeled triangle is still a face of a live tet. O(n log n_face). */
ew_status ew_mesh_live_faces(const ew_mesh *mesh, bool *live);

/* ---- edits (edit.c queues, commit.c applies) --------------------------- */

/* A batch of edits, queued and then committed all or nothing. A vertex queued by
 * ew_edit_add_vertex is named by EW_NEW_VERTEX(k) for the k-th one (from 0) until the
 * commit tells its slot. Queueing checks nothing but memory. Zeroed is empty. */
#define EW_NEW_VERTEX(k) (-2 - (k))
/* The same as a function: the name of the k-th queued vertex, and the place in the queue of a
 * vertex with such a name. */
inline int32_t ew_new_vertex(int32_t k)
{
    return EW_NEW_VERTEX(k);
}
/* A vertex with parents: the image of a (a = b) or the middle of a and b. What is kept by vertex
 * (sets, loads, displacements) follows them. A parent must stay in the mesh. */
ew_status ew_edit_add_vertex_from(ew_edit *edit, const double xyz[3], int32_t a, int32_t b,
                                  int32_t *vertex);
/* How far the k-th queued vertex lies from its first parent to its second, in (0, 1). */
inline double ew_edit_fraction(const ew_edit *edit, int32_t k)
{
    return k < edit->n_fraction ? edit->add_fraction[k] : 0.5;
}
/* A vertex in a tet: x = sum weight[i] corner[i], or near that. What is kept by vertex is
 * interpolated there; a set whose members all corners of weight above 0 are has it, too. The
 * corners stay in the mesh, with tets or without. */
ew_status ew_edit_add_vertex_in(ew_edit *edit, const double xyz[3], const int32_t corner[4],
                                const double weight[4], int32_t *vertex);
/* A tet that is a part or the image of the tet `from`, which may be removed by the same batch. What
 * is kept by tet follows it. */
ew_status ew_edit_add_tet_from(ew_edit *edit, const int32_t tet[4], int32_t region_label,
                               int32_t from);
/* A labeled triangle, so that `surface` selections and written files know the faces that an edit
 * makes. Labels alone leave the revision. */
ew_status ew_edit_add_face(ew_edit *edit, const int32_t face[3], int32_t label);
/* Where faces of the boundary are cut in another way, by flips or collapsed edges, a new one is no
 * part of an old one by its vertices: this says which one it replaces. What is kept by face follows
 * it. */
ew_status ew_edit_add_face_origin(ew_edit *edit, const int32_t face[3], const int32_t old[3]);
/* Removes a vertex whose tets the batch gives to `into`, which stays: a set of vertices that has
 * the first has `into` afterwards. */
ew_status ew_edit_merge_vertex(ew_edit *edit, int32_t vertex, int32_t into);
/* A side of a tet of ten nodes after the batch: curve [3], zeros where it is straight; of two
 * curves for a side the first. A mesh without curved sides passes it over, and so does the commit
 * where no tet has the side. A model (ew_model_commit) has it in the place of what the side would
 * inherit, and then takes all added vertices to be where the queue has them, middles of curved
 * sides as well. Tets at a side that becomes another one are to be among those that the batch adds
 * or moves. */
ew_status ew_edit_add_curve(ew_edit *edit, int32_t a, int32_t b, const double curve[3]);
/* Whether the ends of all queued curves may be vertices after the batch, and their numbers are
 * finite: EW_BAD_EDIT names the first that is not. The commit asks, too. (commit_curves.c) */
ew_status ew_edit_check_curves(const ew_edit *edit, const ew_mesh *mesh);
/* What is queued in `edit`, in place of what is in `copy` (zeroed: nothing), whose memory is kept.
 * On failure `copy` is empty. (edit_many.c) */
ew_status ew_edit_copy(ew_edit *copy, const ew_edit *edit);
void ew_edit_free(ew_edit *edit);

void ew_change_free(ew_change *change);
/* Of the k-th added vertex: how far from its first to its second parent. */
inline double ew_change_fraction(const ew_change *change, int32_t k)
{
    return k < change->n_fraction ? change->added_fraction[k] : 0.5;
}

/* Applies the batch. vertex_to_tet: the current table of tets by vertex (rows of width 1),
 * with which the cost is O(touched); null: found by scanning the mesh. Removal happens
 * before addition, so a batch may replace a tet by one with the same vertices, and an added
 * vertex may take the slot of a removed one (it is then in both lists). Refuses, changing
 * nothing and naming the first offender (kind, place in the queue, ids), with EW_BAD_EDIT; the
 * failure's ids are the slots that it is about (a new vertex by its name), the slot at fault first:
 * unknown or dead ids, an id twice in one list, a vertex both moved and removed, repeated
 * vertices in a tet or labeled triangle, non-finite positions, non-positive volume or shape below
 * EW_MIN_SHAPE of an added tet or a tet with moved vertices, a fraction outside (0, 1), an added
 * tet that is there already or twice in the batch, that would be the third on a face or lie on the
 * same side of it as the other, removal of a vertex that still has tets. Slots are freed in queue
 * order; added vertices and tets take those freed last first, then new ones (ew_mesh.appends:
 * new ones alone). A move to where the
 * vertex is already is passed over; a batch that changes nothing leaves the revision. Unknown
 * region labels become new regions. EW_NO_MEMORY, EW_LIMIT and EW_STALE (a table that is not this
 * mesh's) change nothing either. After any failure the change is empty: it leads from the mesh's
 * revision to itself. */
ew_status ew_mesh_commit(ew_mesh *mesh, const ew_edit *edit, const ew_rows *vertex_to_tet,
                         ew_change *change);

/* Whether ew_mesh_commit would take the batch: its status, with the mesh as it is. Where several
 * meshes follow one edit each of them is asked before any is changed. O(touched). */
ew_status ew_mesh_check_edit(ew_mesh *mesh, const ew_edit *edit, const ew_rows *vertex_to_tet,
                             ew_change *change);

/* ---- ids and regions of a part of a larger mesh (given_ids.c) ------------ */

/* What slots are named, in place of their names. */
typedef struct ew_given_ids {
    int32_t n_vertex, n_tet;
    const int32_t *vertex, *tet;         /* [n_vertex], [n_tet] slots; null: 0 to n - 1 */
    const int64_t *vertex_id, *tet_id;   /* [n_vertex], [n_tet] unlike all others of the mesh */
    const int32_t *born;                 /* [n_tet], or null: as they are */
    int64_t next_vertex_id, next_tet_id; /* of the larger mesh: above all ids */
} ew_given_ids;
/* All borrowed. No revision tells: what knows ids is prepared or updated after it. EW_MESH_IDS
 * names the first id that is not below the next one, or negative; the mesh is then as before. */
ew_status ew_mesh_give_ids(ew_mesh *mesh, const ew_given_ids *ids);
/* The larger mesh's list of regions, [n_region] labels, each once (copied). EW_MESH_REGION: it
 * lacks one of the mesh's own; the mesh is then as before. */
ew_status ew_mesh_give_regions(ew_mesh *mesh, int32_t n_region, const int32_t *region_label);

/* ---- slots by id (ids.c) ----------------------------------------------- */

/* Makes it current: builds it, O(n), unless it is. Zeroed on failure. */
ew_status ew_id_index_prepare(ew_id_index *index, ew_id_kind kind, const ew_mesh *mesh);
/* After a commit, O(touched). One that is not built stays so; one that cannot follow (it was not
 * current, or memory ends) is released, to be built when it is next prepared. */
void ew_id_index_update(ew_id_index *index, const ew_mesh *mesh, const ew_change *change);
void ew_id_index_free(ew_id_index *index);
/* The slot, or -1. */
int32_t ew_id_index_find(const ew_id_index *index, int64_t id);
/* Slots of the active vertices or live tets with these ids, each once, ascending, appended to an
 * empty list. Through the index, which must be current (EW_STALE), or where it is null by a look at
 * every slot. An unknown id: EW_BAD_INPUT naming the lowest. */
ew_status ew_mesh_find_ids(const ew_mesh *mesh, ew_id_kind kind, const ew_id_index *index,
                           const int64_t *id, int32_t n, ew_list *slot);

/* ---- triangle surfaces ------------------------------------------------- */

/* Closed and manifold: every edge has exactly two triangles, that run through it in
 * opposite directions; no degenerate triangle. Fails with EW_BAD_INPUT naming an edge by
 * its two vertices and their coordinates, and how many such edges there are. (Self-intersection is
 * found by the mesher.) */
ew_status ew_surface_check(const ew_surface *surface);

EW_END_API
#endif
