/* mesh: the only truth about geometry and connectivity. Vertices, tets, regions and
 * labeled boundary triangles in slots that no edit ever moves;
 * checks and quality; selection in space; edits.
 *
 * Local numbering of tet (v0 v1 v2 v3), positive when det[x1-x0, x2-x0, x3-x0] > 0:
 *   face f is opposite local vertex f, listed so that its normal (right hand)
 *   points out: 0 = (1 2 3), 1 = (0 3 2), 2 = (0 1 3), 3 = (0 2 1);
 *   edge k is 0 = (0 1), 1 = (0 2), 2 = (0 3), 3 = (1 2), 4 = (1 3), 5 = (2 3).
 * A face code is 4 * tet + face.
 *
 * Longer than 500 lines because a mesh, what selects in it and what edits it are one interface. */
#ifndef EW_MESH_H
#define EW_MESH_H

#include "base/base.h"

EW_BEGIN_API

extern const int8_t ew_face_vertex[4][3];
extern const int8_t ew_edge_vertex[6][2];

/* A tet's least admissible 6V / (longest edge)^3. Below it a tet has no usable
 * volume: in double precision the determinant's own rounding is about 1e-15. */
#define EW_MIN_SHAPE 1e-12

typedef struct ew_mesh {
    int32_t n_vertex, vertex_capacity; /* vertex slots in use, holes included; allocated */
    int32_t n_tet, tet_capacity;       /* tet slots in use, holes included; allocated */
    int32_t n_active_vertex;           /* vertices with at least one tet */
    int32_t n_live_tet;
    double *xyz;        /* [n_vertex][3] owned, in the user's length unit */
    int32_t *valence;   /* [n_vertex] owned: live tets at the vertex; 0 inactive, -1 hole */
    int64_t *vertex_id; /* [n_vertex] owned: name for the whole study, >= 0, never reused;
                           0-based index in the input file, added ones continue the count */
    int32_t *tet;       /* [n_tet][4] owned, vertex slots, positive volume; tet[t][0] = -1: hole */
    int32_t *region;    /* [n_tet] owned, index into region_label */
    int64_t *tet_id;    /* [n_tet] owned, as vertex_id */
    int32_t *born;      /* [n_tet] owned: value of `frame` when the tet was added */
    int32_t n_region;
    int32_t *region_label; /* [n_region] owned: the file's region numbers, each once; those of
                              added tets are appended */
    int32_t region_capacity;
    int32_t n_face, face_capacity; /* labeled boundary triangles, given with the mesh or by edits */
    int32_t *face;       /* [n_face][3] owned, vertex slots; may name faces that no longer exist */
    int32_t *face_label; /* [n_face] owned */
    int64_t face_id_end; /* vertex_ids the triangles may mean are below this: a slot freed and
                            taken by a later vertex is not the corner the triangle had */
    bool has_middles;    /* it was given with tets of ten nodes */
    int32_t n_curve;     /* sides that these have curved */
    int64_t *curve_end;  /* [n_curve][2] owned: vertex_ids, the lower first; pairs ascending */
    double *curve; /* [n_curve][3] owned: how far the middle lies beyond the mean of the ends */
    uint64_t curve_revision;       /* of the mesh whose sides these are: commits leave it behind */
    ew_list vertex_hole, tet_hole; /* free slots, last in first out */
    int64_t next_vertex_id, next_tet_id;
    bool keeps_slots;  /* its slots were chosen for locality, or come from a file that kept them:
                          what reads the mesh leaves them as they are */
    int32_t frame;     /* the holder's frame counter, copied into `born` of added tets */
    uint64_t revision; /* 1 after construction; every commit that changes anything adds 1 */
} ew_mesh;

inline bool ew_mesh_tet_is_live(const ew_mesh *mesh, int32_t t)
{
    return mesh->tet[4 * (size_t)t] >= 0;
}
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

/* Input of ew_mesh_init: all copied. */
typedef struct ew_mesh_def {
    int32_t n_vertex;
    const double *xyz; /* [n_vertex][3] */
    int32_t n_tet;
    const int32_t *tet;    /* [n_tet][4], 0-based */
    const int32_t *region; /* [n_tet] labels, or null: all 0 */
    int32_t n_face;
    const int32_t *face;       /* [n_face][3], 0-based, or null */
    const int32_t *face_label; /* [n_face], or null: all 0 */
} ew_mesh_def;

/* What construction repaired, for the report to the user. */
typedef struct ew_mesh_repair {
    int32_t n_reoriented; /* left-handed tets whose last two vertices were swapped */
    int32_t n_unused;     /* vertices of no tet, kept inactive */
} ew_mesh_repair;

/* Fills `mesh` (zeroed or uninitialized; zeroed on failure) in the order given. Fails on
 * an index out of range, a repeated vertex, a non-finite coordinate, a tet without volume
 * (EW_MIN_SHAPE) and a duplicate tet, with the rule's status and the 0-based tet or
 * vertex in the message. `repair` may be null. */
ew_status ew_mesh_init(ew_mesh *mesh, const ew_mesh_def *def, ew_mesh_repair *repair);
/* `copy`: zeroed or uninitialized; zeroed on failure. Same slots, holes and revision. */
ew_status ew_mesh_copy(ew_mesh *copy, const ew_mesh *mesh);
void ew_mesh_free(ew_mesh *mesh);

/* The middle of a side of a tet of ten nodes, as a file names it. */
typedef struct ew_side_middle {
    int32_t end[2]; /* vertices by vertex_id */
    int32_t node;   /* row of `xyz` */
    int32_t tet;    /* as a message names it */
} ew_side_middle;
/* Sides whose middle is farther from the straight one than EW_STRAIGHT of their length are curved.
 * list: all of them, sorted in place; xyz: [nodes][3]. EW_BAD_INPUT: two tets have another node on
 * the same side, or a place that is not finite; EW_MESH_VOLUME as of ew_mesh_check_curves. The mesh
 * is as it was then. (curves.c) */
#define EW_STRAIGHT 1e-6
ew_status ew_mesh_set_middles(ew_mesh *mesh, int32_t n, ew_side_middle *list, const double *xyz);
/* Another curve for a side that has one, after an edit mapped it; no effect on others. */
void ew_mesh_replace_curve(ew_mesh *mesh, int64_t a, int64_t b, const double curve[3]);
/* [3] of the side between two vertices by vertex_id, or null: it is straight. */
const double *ew_mesh_curve(const ew_mesh *mesh, int64_t a, int64_t b);
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
/* With its curved sides, where these are current. */
double ew_mesh_curved_tet_volume(const ew_mesh *mesh, int32_t tet);
void ew_mesh_tet_centroid(const ew_mesh *mesh, int32_t tet, double centroid[3]);
/* Mean-ratio shape quality, 12 (3V)^(2/3) / sum of squared edge lengths: 1 regular, 0 flat
 * (Liu & Joe 1994). */
double ew_mesh_tet_quality(const ew_mesh *mesh, int32_t tet);

typedef struct ew_mesh_measure {
    double low[3], high[3]; /* bounding box of the active vertices */
    double volume;          /* sum over live tets, with their curved sides */
    double min_volume;      /* of one tet, all else, too, as if sides were straight */
    double min_quality, mean_quality;
    int32_t histogram[10]; /* tets by quality, tenths of [0, 1] */
    int32_t worst[5];      /* tet slots of least quality, worst first; -1 beyond the count */
    double shortest_edge, longest_edge;
} ew_mesh_measure;
void ew_mesh_take_measure(const ew_mesh *mesh, ew_mesh_measure *measure);

/* ---- checking (check.c) ------------------------------------------------ */

/* First broken rule, in this order, named with the ids (user ids) concerned:
 * MESH_POOL, MESH_COORDINATE, MESH_RANGE, MESH_REPEATED, MESH_VOLUME (<= 0 or below
 * EW_MIN_SHAPE), MESH_DUPLICATE, MESH_FACE, MESH_REGION, MESH_VALENCE, MESH_IDS. */
ew_status ew_mesh_check(const ew_mesh *mesh);

/* ---- selection in space (select.c, select_tets.c) ---------------------- */

typedef enum ew_selector_kind {
    EW_SELECT_BOX,      /* low <= x <= high, bounds included */
    EW_SELECT_SPHERE,   /* |x - center| <= radius */
    EW_SELECT_CYLINDER, /* within radius of the segment's line, between its end planes */
    EW_SELECT_PLANE,    /* |(x - point) . n| <= tolerance, n normalized */
    EW_SELECT_SIDE,     /* (x - point) . n >= 0 */
    EW_SELECT_NEAREST,  /* the active vertex nearest to center; ties: the lower vertex_id */
    EW_SELECT_REGION,   /* vertices of tets of the region with this label */
    EW_SELECT_SURFACE,  /* vertices of labeled triangles with this label that are still
                           faces of the mesh's boundary or interior */
    EW_SELECT_IDS,      /* vertices by vertex_id */
    EW_SELECT_ALL
} ew_selector_kind;

typedef struct ew_selector {
    ew_selector_kind kind;
    double a[3];   /* box: low; sphere, nearest: center; cylinder: from; plane, side: point */
    double b[3];   /* box: high; cylinder: to; plane, side: normal, any length > 0 */
    double radius; /* sphere, cylinder; plane: tolerance, >= 0 */
    int32_t label; /* region, surface */
    int32_t n_id;
    const int64_t *id;               /* [n_id] borrowed */
    const struct ew_id_index *index; /* ids: borrowed, current; null: every slot is looked at */
} ew_selector;

/* A selector of each kind, by what it reads (selectors.c). Numbers are copied and checked when it
 * is used; the ids are borrowed. tolerance: how far from the plane, a length: 0 catches only what
 * lies on it to the last bit, so give a small part of the size of a tet. */
ew_selector ew_select_box(const double low[3], const double high[3]);
ew_selector ew_select_sphere(const double center[3], double radius);
ew_selector ew_select_cylinder(const double from[3], const double to[3], double radius);
ew_selector ew_select_plane(const double point[3], const double normal[3], double tolerance);
ew_selector ew_select_side(const double point[3], const double normal[3]);
ew_selector ew_select_nearest(const double point[3]);
ew_selector ew_select_region(int32_t label);
ew_selector ew_select_surface(int32_t label);
ew_selector ew_select_ids(int32_t n, const int64_t *id);
ew_selector ew_select_all(void);
/* Index of the region with this label; EW_BAD_INPUT naming it when there is none. */
ew_status ew_mesh_find_region(const ew_mesh *mesh, int32_t label, int32_t *region);
/* True where a single point decides: box, sphere, cylinder, plane, side, all. */
bool ew_selector_has_point(const ew_selector *selector, const double xyz[3]);
/* Active vertex slots, ascending, appended to an empty list. Unknown region or surface label
 * or id: EW_BAD_INPUT naming it; a normal or axis of length 0, non-finite numbers or a negative
 * radius: EW_BAD_ARGUMENT. An empty result is not an error here. */
ew_status ew_mesh_select(const ew_mesh *mesh, const ew_selector *selector, ew_list *vertex);
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
/* Where in a tet an added vertex lies. */
typedef struct ew_inside {
    int32_t place;     /* in the queue of added vertices */
    int32_t corner[4]; /* slots of the mesh before */
    double weight[4];  /* of the corners, >= 0, their sum 1 */
} ew_inside;
typedef struct ew_edit {
    int32_t n_add_vertex, add_vertex_capacity;
    double *add_vertex; /* [n_add_vertex][3] owned */
    int32_t parent_capacity;
    int32_t *add_parent; /* [n_add_vertex][2] owned, slots or EW_NEW_VERTEX of earlier ones: (a, a)
                            image of a, (a, b) between a and b, (-1, -1) none */
    int32_t n_fraction, fraction_capacity;
    double *add_fraction; /* [n_fraction] owned, in (0, 1): how far from the first to the second
                             parent; 0.5 of those beyond n_fraction: ew_edit_fraction */
    int32_t n_inside, inside_capacity;
    ew_inside *inside; /* [n_inside] owned, places ascending: vertices without parents in tets */
    int32_t n_add_tet, add_tet_capacity, add_region_capacity;
    int32_t *add_tet;        /* [n_add_tet][4] owned, slots or EW_NEW_VERTEX */
    int32_t *add_tet_region; /* [n_add_tet] owned, region label */
    int32_t *add_tet_from; /* [n_add_tet] owned, slot of the tet it is a part or image of, or -1 */
    int32_t add_from_capacity;
    int32_t n_add_face, add_face_capacity, add_label_capacity;
    int32_t *add_face;       /* [n_add_face][3] owned, slots or EW_NEW_VERTEX: labeled triangles */
    int32_t *add_face_label; /* [n_add_face] owned */
    int32_t n_face_origin, origin_capacity;
    int32_t *face_origin;  /* [n_face_origin][6] owned: a boundary face that the batch makes, slots
                              or EW_NEW_VERTEX, and the boundary face before it that it replaces,
                              slots */
    ew_list remove_tet;    /* slots */
    ew_list remove_vertex; /* slots; each must be without tets after the batch; its slot is freed */
    ew_list move_vertex;   /* slots */
    int32_t n_curve, curve_end_capacity, curve_capacity;
    int32_t *curve_end; /* [n_curve][2] owned: sides after the batch by their ends, slots or
                           EW_NEW_VERTEX, and */
    double *curve;      /* [n_curve][3] owned: how far their middles lie beyond the straight ones */
    int32_t move_capacity;
    double *move_to;   /* [move_vertex.n][3] owned, new position */
    uint64_t parts_of; /* private to operations that cut tets: revision of the mesh whose removed
                          tets the added ones are, cut up, with every tet around a cut edge and each
                          face between at most two, on either side; 0: the commit looks for that
                          itself. Queueing tets takes it back */
} ew_edit;
ew_status ew_edit_add_vertex(ew_edit *edit, const double xyz[3], int32_t *vertex);
/* A vertex with parents: the image of a (a = b) or the middle of a and b. What is kept by vertex
 * (sets, loads, displacements) follows them. A parent must stay in the mesh. */
ew_status ew_edit_add_vertex_from(ew_edit *edit, const double xyz[3], int32_t a, int32_t b,
                                  int32_t *vertex);
/* A vertex at the fraction in (0, 1) of the way from a to b: x = (1 - fraction) a + fraction b, or
 * near that. What is kept by vertex is interpolated there. */
ew_status ew_edit_add_vertex_between(ew_edit *edit, const double xyz[3], int32_t a, int32_t b,
                                     double fraction, int32_t *vertex);
inline double ew_edit_fraction(const ew_edit *edit, int32_t k)
{
    return k < edit->n_fraction ? edit->add_fraction[k] : 0.5;
}
/* A vertex in a tet: x = sum weight[i] corner[i], or near that. What is kept by vertex is
 * interpolated there; a set whose members all corners of weight above 0 are has it, too. The
 * corners stay in the mesh, with tets or without. */
ew_status ew_edit_add_vertex_in(ew_edit *edit, const double xyz[3], const int32_t corner[4],
                                const double weight[4], int32_t *vertex);
ew_status ew_edit_add_tet(ew_edit *edit, const int32_t tet[4], int32_t region_label);
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
ew_status ew_edit_remove_tet(ew_edit *edit, int32_t tet);
ew_status ew_edit_remove_vertex(ew_edit *edit, int32_t vertex);
ew_status ew_edit_move_vertex(ew_edit *edit, int32_t vertex, const double xyz[3]);
/* What the batch makes of a side of a tet of ten nodes: curve [3], zeros where it is straight. The
 * commit of a mesh passes it over; a model with curved sides (ew_model_commit) has it in the place
 * of what the side would inherit, and then takes all added vertices to be where the queue has them,
 * middles of curved sides as well. Tets at a side that becomes another one are to be among those
 * that the batch adds or moves. */
ew_status ew_edit_add_curve(ew_edit *edit, int32_t a, int32_t b, const double curve[3]);
/* Many at once, from arrays (copied); all or, where there is no memory, none. n >= 0, else
 * EW_BAD_ARGUMENT; arrays may be null where n is 0. Vertices: xyz [n][3], without parents;
 * *first: the name of the first one, of the k-th it is *first - k; may be null. Tets: tet [n][4];
 * region [n] labels, null: all 0. (edit_many.c) */
ew_status ew_edit_add_vertices(ew_edit *edit, int32_t n, const double *xyz, int32_t *first);
ew_status ew_edit_add_tets(ew_edit *edit, int32_t n, const int32_t *tet, const int32_t *region);
ew_status ew_edit_remove_tets(ew_edit *edit, int32_t n, const int32_t *tet);
ew_status ew_edit_remove_vertices(ew_edit *edit, int32_t n, const int32_t *vertex);
ew_status ew_edit_move_vertices(ew_edit *edit, int32_t n, const int32_t *vertex, const double *xyz);
/* What is queued in `edit`, in place of what is in `copy` (zeroed: nothing), whose memory is kept.
 * On failure `copy` is empty. (edit_many.c) */
ew_status ew_edit_copy(ew_edit *copy, const ew_edit *edit);
/* Whether nothing is queued. */
bool ew_edit_is_empty(const ew_edit *edit);
void ew_edit_clear(ew_edit *edit); /* empties, keeps the memory */
void ew_edit_free(ew_edit *edit);

/* What a committed edit touched: plain data that every later stage reads. Reused from commit to
 * commit. */
typedef struct ew_change {
    uint64_t from_revision, to_revision;
    int32_t n_vertex_before, n_tet_before; /* slot counts before */
    ew_list added_vertex;                  /* slot of the k-th queued vertex, in queue order */
    int32_t parent_capacity;
    int32_t *added_parent; /* [added_vertex.n][2] owned, slots: as queued; a parent that is itself
                              added lies before its children */
    int32_t n_fraction, fraction_capacity;
    double *added_fraction; /* [n_fraction] owned: as queued; ew_change_fraction */
    int32_t n_face_origin, origin_capacity;
    int32_t *face_origin; /* [n_face_origin][6] owned, slots: as queued, the last three before */
    int32_t n_inside, inside_capacity;
    ew_inside *inside;      /* [n_inside] owned: as queued */
    ew_list removed_vertex; /* slots freed */
    ew_list moved_vertex;   /* ascending */
    ew_list removed_tet;    /* slots, ascending; a slot may be in added_tet too (reused) */
    int32_t removed_capacity;
    int32_t *removed_tet_vertex; /* [removed_tet.n][4] owned: what they were made of */
    ew_list added_tet;           /* slot of the k-th queued tet, in queue order */
    int32_t from_capacity;
    int32_t *added_tet_from; /* [added_tet.n] owned, slot before the commit of the tet it is a part
                                or image of, or -1 */
    ew_list moved_tet;       /* ascending: surviving tets with a moved vertex */
    ew_list emptied_vertex;  /* ascending: had tets, has none now */
    ew_list filled_vertex;   /* ascending: had none (or is new), has some now */
    struct {
        ew_set gone_tet, gone_vertex; /* named for removal */
        ew_set moved_vertex, moved_tet;
        ew_set corner;      /* vertices of added tets, without a table */
        ew_list new_region; /* labels that the mesh lacks */
        int32_t *face;      /* owned: hash table of the added tets' faces */
        int32_t face_capacity;
        double *old_position; /* [queued moves][3] owned: put back when the batch is refused */
        int32_t old_capacity;
    } commit; /* private to ew_mesh_commit: memory kept from one commit to the next */
} ew_change;
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
 * order; added vertices and tets take those freed last first, then new ones. A move to where the
 * vertex is already is passed over; a batch that changes nothing leaves the revision. Unknown
 * region labels become new regions. EW_NO_MEMORY, EW_LIMIT and EW_STALE (a table that is not this
 * mesh's) change nothing either. After any failure the change is empty: it leads from the mesh's
 * revision to itself. */
ew_status ew_mesh_commit(ew_mesh *mesh, const ew_edit *edit, const ew_rows *vertex_to_tet,
                         ew_change *change);

/* ---- slots by id (ids.c) ----------------------------------------------- */

typedef enum ew_id_kind { EW_VERTEX_IDS, EW_TET_IDS } ew_id_kind;

/* The slots of one kind by vertex_id (inactive ones, too) or tet_id. Zeroed is not built. */
typedef struct ew_id_index {
    ew_id_kind kind;
    uint64_t revision; /* of the mesh */
    int32_t n;         /* ids */
    int32_t n_slot, slot_capacity;
    int64_t *id;    /* [n_slot] owned: id of what is in the slot, -1 nothing */
    int32_t bits;   /* of a place in the table */
    int32_t *table; /* [1 << bits] owned: slots, -1 empty; at most half full */
} ew_id_index;
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

/* A triangle surface, input of tetrahedralization. Triangles look outwards. */
typedef struct ew_surface {
    int32_t n_vertex;
    double *xyz; /* [n_vertex][3] owned */
    int32_t n_triangle;
    int32_t *triangle; /* [n_triangle][3] owned */
    int32_t *label;    /* [n_triangle] owned */
} ew_surface;
void ew_surface_free(ew_surface *surface);
/* Closed and manifold: every edge has exactly two triangles, that run through it in
 * opposite directions; no degenerate triangle. Fails with EW_BAD_INPUT naming an edge by
 * its two vertices and their coordinates, and how many such edges there are. (Self-intersection is
 * found by the mesher.) */
ew_status ew_surface_check(const ew_surface *surface);

EW_END_API
#endif
