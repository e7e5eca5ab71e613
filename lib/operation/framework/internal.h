/* operation, private: what the files of this folder share. */
#ifndef EW_OPERATION_INTERNAL_H
#define EW_OPERATION_INTERNAL_H

#include "operation/parts/operation.h"

/* ---- descriptors, each at the end of its operation's file --------------- */

extern const ew_operation ew_decimate_operation, ew_mirror_operation, ew_scale_operation,
    ew_remove_operation, ew_add_operation, ew_move_operation, ew_refine_operation,
    ew_smooth_operation, ew_rotate_operation, ew_cut_operation, ew_remesh_operation,
    ew_weld_operation, ew_split_operation;

/* ---- arguments (refuse.c) ---------------------------------------------- */

/* EW_BAD_ARGUMENT, EW_BAD_EDIT (no tets) or EW_STALE, naming the operation and the argument. */
ew_status ew_need_empty(const char *operation, const ew_edit *edit);
ew_status ew_need_tets(const char *operation, const ew_mesh *mesh);
ew_status ew_need_current(const char *operation, const ew_topology *topology, const ew_mesh *mesh);
ew_status ew_need_finite(const char *operation, const char *what, const double v[3]);
ew_status ew_need_length(const char *operation, const char *what, double length);
/* Slots of vertices that exist. */
ew_status ew_need_vertices(const char *operation, const ew_mesh *mesh, const ew_list *vertex);
/* direction / |direction|, which must be finite and > 0. */
ew_status ew_need_unit(const char *operation, const char *what, const double direction[3],
                       double unit[3]);
/* Index of the region with this label; EW_BAD_INPUT when there is none. */
ew_status ew_need_region(const char *operation, const ew_mesh *mesh, int32_t label,
                         int32_t *region);

/* ---- refusals (refuse.c) ----------------------------------------------- */

/* Tets that an edit would leave without usable volume. Zeroed is none. */
typedef struct ew_refusal {
    int32_t n;
    int64_t worst; /* tet_id of the one of least 6V / (longest edge)^3 */
    double shape, volume;
    int32_t n_beyond; /* those whose volume or (longest edge)^3 a double cannot hold */
    int64_t beyond;   /* tet_id of the first one */
    double size;      /* its largest extent along an axis */
} ew_refusal;
/* Counts the tet if the commit would refuse it. */
void ew_refusal_note(ew_refusal *refusal, int64_t tet_id, const double *const x[4]);
/* EW_OK when none was noted. `what`: "tets", "tets of the other mesh", ..; `remedy`: a clause. */
ew_status ew_refusal_fail(const ew_refusal *refusal, const char *operation, const char *what,
                          const char *remedy);
/* The positions of a tet's corners. */
void ew_tet_corners(const ew_mesh *mesh, int32_t tet, const double *x[4]);
/* Refuses the queued moves if a vertex would be nowhere. */
ew_status ew_refuse_places(const ew_mesh *mesh, const ew_edit *edit, const char *operation);
/* Refuses the queued moves if a tet would be left without usable volume, or a vertex nowhere.
 * O(n). */
ew_status ew_refuse_moves(const ew_mesh *mesh, const ew_edit *edit, const char *operation,
                          const char *remedy);

/* ---- order statistics (lowest.c) --------------------------------------- */

typedef struct ew_keyed {
    double key;   /* not NaN */
    int64_t name; /* tet_id or vertex_id, each once: a renumbering changes slots, not names */
    int32_t slot;
} ew_keyed;
/* Rearranges so that the `count` lowest (ties: lower name) come first and the next one after
 * them, the rest in no particular order. O(n) expected. */
void ew_lowest_first(ew_keyed *list, int32_t n, int32_t count);
/* Ascending by name; names that ascend already cost one look at each. */
void ew_sort_by_name(ew_keyed *list, int32_t n);
/* Output number `index` (from 0) of the generator splitmix64 started at `seed`. */
uint64_t ew_random_at(uint64_t seed, uint64_t index);

/* ---- nearest points (nearest.c) ---------------------------------------- */

/* A k-d tree of vertices: the middle of each range splits it along axis[middle]. */
typedef struct ew_points {
    int32_t n;
    int32_t *slot; /* [n] owned, tree order, as all below */
    int64_t *name; /* [n] owned, vertex_id */
    double *xyz;   /* [n][3] owned */
    int8_t *axis;  /* [n] owned */
} ew_points;
ew_status ew_points_init(ew_points *points, const ew_mesh *mesh, const ew_list *vertex);
void ew_points_free(ew_points *points);
/* Slot of the nearest point with distance^2 <= bound2 (ties: the lower vertex_id), or -1.
 * *distance2 is written when there is one. */
int32_t ew_points_nearest(const ew_points *points, const double x[3], double bound2,
                          double *distance2);
/* Likewise, of the points whose vertex_id is lower than `name`. */
int32_t ew_points_nearest_before(const ew_points *points, const double x[3], int64_t name,
                                 double bound2, double *distance2);

/* ---- tets that overlap across faces (add.c) ----------------------------- */

/* A face or tet by its vertices, ascending. */
typedef struct ew_corners {
    int32_t v[4]; /* v[3] = -1 or -2: a face with the tet on one or the other side */
    int32_t tet;
} ew_corners;
typedef struct ew_corners_list {
    int32_t n, capacity;
    ew_corners *item; /* [n] owned */
} ew_corners_list;
/* The faces of a tet whose vertices all are >= 0, and the tet itself when all four are. */
ew_status ew_corners_push(ew_corners_list *list, const int32_t v[4], int32_t tet);
/* The first tet that is there twice, else the first face with two tets on the same side, one of
 * the two < 0; the other follows it. Null when there is none. Of three tets on a face two are on
 * the same side. Sorts the list. */
const ew_corners *ew_corners_overlap(ew_corners_list *list);

/* ---- labeled triangles (labels.c) -------------------------------------- */

/* Ascending. */
static inline void ew_sort_three(int32_t v[3])
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 2; k++) {
            if (v[k] > v[k + 1]) {
                const int32_t swap = v[k];
                v[k] = v[k + 1];
                v[k + 1] = swap;
            }
        }
    }
}

/* Queues the image of every labeled triangle of `from`: vertex v becomes image[v] (slot or
 * EW_NEW_VERTEX). `turn`: the images look the other way. Those without a new vertex are passed
 * over. */
ew_status ew_label_images(const ew_mesh *from, const int32_t *image, bool turn, ew_edit *edit);
/* Queues the parts of every labeled triangle that refinement cut. The edit's added vertices are
 * the middles of edges, in the order of the cuts. */
ew_status ew_label_parts(const ew_mesh *mesh, const ew_topology *topology, ew_edit *edit);

#endif
