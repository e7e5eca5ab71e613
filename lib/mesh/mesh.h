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
    int32_t n_curve;     /* sides of tets that these have curved; commits keep the list so */
    int64_t *curve_end;  /* [n_curve][2] owned: vertex_ids, the lower first; pairs in no order */
    double *curve; /* [n_curve][3] owned: how far the middle lies beyond the mean of the ends */
    int32_t curve_end_capacity, curve_capacity;
    int32_t n_curve_place, *curve_place; /* [n_curve_place] owned: a hash table of the list */
    ew_list vertex_hole, tet_hole;       /* free slots, last in first out */
    int64_t next_vertex_id, next_tet_id;
    bool appends;      /* what commits add takes no freed slot, so slots ascend as ids do: a part of
                          a larger mesh, and the mesh that it is a part of */
    bool keeps_slots;  /* its slots were chosen for locality, or come from a file that kept them:
                          what reads the mesh leaves them as they are */
    int32_t frame;     /* the holder's frame counter, copied into `born` of added tets */
    uint64_t revision; /* 1 after construction; every commit that changes anything adds 1 */
} ew_mesh;

inline bool ew_mesh_tet_is_live(const ew_mesh *mesh, int32_t t)
{
    return mesh->tet[4 * (size_t)t] >= 0;
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

/* Repairs of the construction, for the report to the user. */
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
/* A side is curved where its middle node is farther from the straight midpoint than EW_STRAIGHT
 * times its length. list: all of them, sorted in place; xyz: [nodes][3]. EW_BAD_INPUT: two tets
 * have another node on the same side, or a place that is not finite; EW_MESH_VOLUME as of
 * ew_mesh_check_curves. The mesh is as it was then. (curves.c) */
ew_status ew_mesh_set_middles(ew_mesh *mesh, int32_t n, ew_side_middle *list, const double *xyz);

/* ---- measures (quality.c) ---------------------------------------------- */

typedef struct ew_mesh_measure {
    double low[3], high[3]; /* bounding box of the active vertices */
    double volume;          /* sum over live tets, with their curved sides */
    double min_volume; /* of one tet; this and the members below are computed with straight sides */
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
 * is used; the ids are borrowed. tolerance: largest distance from the plane; 0 selects only points
 * on it to the last bit, so give a small part of the size of a tet. */
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
/* Active vertex slots, ascending, appended to an empty list. Unknown region or surface label
 * or id: EW_BAD_INPUT naming it; a normal or axis of length 0, non-finite numbers or a negative
 * radius: EW_BAD_ARGUMENT. An empty result is not an error here. */
ew_status ew_mesh_select(const ew_mesh *mesh, const ew_selector *selector, ew_list *vertex);

/* ---- edits (edit.c queues, commit.c applies) --------------------------- */

/* Where in a tet an added vertex lies. */
typedef struct ew_inside {
    int32_t place;     /* in the queue of added vertices */
    int32_t corner[4]; /* slots of the mesh before */
    double weight[4];  /* of the corners, >= 0, their sum 1 */
} ew_inside;
/* A queue of changes, committed at once. */
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
    int32_t n_merge, merge_capacity;
    int32_t *merge; /* [n_merge][2] owned, slots: a vertex that the batch removes, and the one that
                       its tets have in its place */
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
/* Adds a vertex between a and b, near x = (1 - fraction) a + fraction b with a fraction in (0, 1).
 * Values at vertices are interpolated with this fraction. */
ew_status ew_edit_add_vertex_between(ew_edit *edit, const double xyz[3], int32_t a, int32_t b,
                                     double fraction, int32_t *vertex);
ew_status ew_edit_add_tet(ew_edit *edit, const int32_t tet[4], int32_t region_label);
ew_status ew_edit_remove_tet(ew_edit *edit, int32_t tet);
ew_status ew_edit_remove_vertex(ew_edit *edit, int32_t vertex);
ew_status ew_edit_move_vertex(ew_edit *edit, int32_t vertex, const double xyz[3]);
/* Many at once, from arrays (copied); all or, where there is no memory, none. n >= 0, else
 * EW_BAD_ARGUMENT; arrays may be null where n is 0. Vertices: xyz [n][3], without parents;
 * *first: the name of the first one, of the k-th it is *first - k; may be null. Tets: tet [n][4];
 * region [n] labels, null: all 0. (edit_many.c) */
ew_status ew_edit_add_vertices(ew_edit *edit, int32_t n, const double *xyz, int32_t *first);
ew_status ew_edit_add_tets(ew_edit *edit, int32_t n, const int32_t *tet, const int32_t *region);
ew_status ew_edit_remove_tets(ew_edit *edit, int32_t n, const int32_t *tet);
ew_status ew_edit_remove_vertices(ew_edit *edit, int32_t n, const int32_t *vertex);
ew_status ew_edit_move_vertices(ew_edit *edit, int32_t n, const int32_t *vertex, const double *xyz);
/* Whether nothing is queued. */
bool ew_edit_is_empty(const ew_edit *edit);
void ew_edit_clear(ew_edit *edit); /* empties, keeps the memory */

/* The changes of a committed edit: plain data that every later stage reads. The next commit reuses
 * it. */
typedef struct ew_change {
    uint64_t from_revision, to_revision;
    int32_t n_vertex_before, n_tet_before; /* slot counts before */
    ew_list added_vertex;                  /* slot of the k-th queued vertex, in queue order */
    int32_t parent_capacity;
    int32_t *added_parent; /* [added_vertex.n][2] owned, slots: as queued; a parent that is itself
                              added lies before its children */
    int32_t n_fraction, fraction_capacity;
    double *added_fraction; /* [n_fraction] owned: as queued; ew_change_fraction */
    int32_t n_merge, merge_capacity;
    int32_t *merge; /* [n_merge][2] owned, slots before the commit: as queued */
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

EW_END_API
#endif
