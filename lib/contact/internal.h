/* contact, private: faces of a side and what differs from before, the tree that finds boxes, places
 * on curved faces, what two faces share, terms of rows. */
#ifndef EW_CONTACT_INTERNAL_H
#define EW_CONTACT_INTERNAL_H

#include "contact/parts/contact.h"

/* ---- sides (faces.c) ------------------------------------------------------ */

typedef struct contact_box {
    float low[3], high[3];
} contact_box;
static inline bool contact_boxes_meet(const contact_box *a, const contact_box *b)
{
    bool meet = true;
    for (int c = 0; c < 3; c++) {
        meet = meet && a->low[c] <= b->high[c] && b->low[c] <= a->high[c];
    }
    return meet;
}

/* Whether rows are of faces of one list. */
static inline bool contact_is_of_one(const ew_contact_def *def)
{
    return def->slave == def->master;
}
/* Faces meet where the angle between one normal and the other reversed has at least this cosine;
 * both turned by CONTACT_TURN, the length of what a normal has changed by, at least that one. */
#define CONTACT_FACING        0.8
#define CONTACT_TURN          0.1
#define CONTACT_FACING_TURNED 0.58

static inline bool contact_share_vertex(const int32_t a[3], const int32_t b[3])
{
    bool share = false;
    for (int k = 0; k < 9; k++) {
        share = share || a[k / 3] == b[k % 3];
    }
    return share;
}

/* All of a face that pairs and rows depend on. */
typedef struct contact_face {
    int32_t code, vertex[3]; /* as it looks outwards */
    int32_t edge[3]; /* rows of the edges opposite to the vertices, behind theirs; -1: none */
    double xyz[9];
    double area[3], square; /* of the triangle of its corners twice the area vector; its square */
    double apex[3];         /* the vertex behind the face */
    /* of one list, else 0: without displacements the normal, of length 1, and how far along the
     * direction of roles it and the middle are */
    double normal[3], turn, place;
    double curve[9]; /* of the sides opposite to the vertices, how far their middles lie beyond the
                        means of their ends */
    bool is_curved;  /* one of those is not 0 */
} contact_face;
/* Of a face, wider by `margin` on each side. */
contact_box contact_box_of(const contact_face *face, double margin);

/* The faces of one side, and those before. */
typedef struct contact_side {
    int32_t n, n_before;
    contact_face *face, *before;   /* [n], [n_before] owned: codes ascending */
    contact_box *box, *box_before; /* [n], [n_before] owned */
    int32_t *from;         /* [n] owned: place of the same face before, -1: there was none */
    int32_t *to;           /* [n_before] owned: its place now, -1: it is gone or another */
    int32_t *same_corners; /* [n] owned: place before of a face of this code, the same vertices and
                              edges, wherever they were; -1: there was none */
    uint64_t revision;     /* of the mesh that they are of */
    int32_t n_gone;        /* faces before that have none of these now */
    bool *is_gone;         /* [n_before] owned: those */
    int32_t face_capacity, before_capacity, box_capacity, box_before_capacity, from_capacity,
        to_capacity, same_capacity, gone_capacity;
} contact_side;
/* topology, def: null where pairs of straight sides are all that is asked for. The margin is that
 * of the call before. */
ew_status contact_side_read(contact_side *side, const ew_mesh *mesh, const ew_topology *topology,
                            const ew_contact_def *def, const ew_list *list, double margin);
/* The same faces as another side that was read from the same list each time, with boxes of a margin
 * of 0. */
ew_status contact_side_repeat(contact_side *side, const contact_side *other);
/* Takes faces of another side over, with boxes wider by the skin; those stay that the face has not
 * left and by which it has turned little. */
ew_status contact_side_follow(contact_side *side, const contact_side *other, double skin);
void contact_side_free(contact_side *side);

/* ---- the tree (tree.c) ---------------------------------------------------- */

enum { CONTACT_LEAF = 8 };

/* A complete binary tree: node i has the children 2 i and 2 i + 1, the leaves are nodes n_leaf ..
 * 2 n_leaf - 1, in Morton order of the boxes' middles. */
typedef struct contact_tree {
    int32_t n_leaf;         /* a power of 2 */
    contact_box *node;      /* [2 n_leaf] owned; the first is not used */
    int32_t *item;          /* [n_leaf][CONTACT_LEAF] owned: places in `box`, -1: none */
    const contact_box *box; /* [n] borrowed */
} contact_tree;
ew_status contact_tree_build(contact_tree *tree, int32_t n, const contact_box *box);
/* Appends the places of all boxes that meet this one, in any order. */
ew_status contact_tree_find(const contact_tree *tree, const contact_box *box, ew_list *found);
void contact_tree_free(contact_tree *tree);

/* ---- pairs (pairs.c) -------------------------------------------------------- */

/* Which pairs of faces whose boxes meet are pairs. */
typedef struct contact_meeting {
    bool is_of_one; /* list */
    double facing;  /* cosine */
} contact_meeting;
bool contact_may_meet(const contact_face *slave, const contact_face *master,
                      contact_meeting meeting);
/* From the pairs before to those of the sides as they are; is_touched [slaves]: its pairs are
 * others, or one of its masters is. */
ew_status contact_pairs_update(ew_face_pairs *pairs, const ew_face_pairs *before,
                               const contact_side *slave, const contact_side *master,
                               contact_meeting meeting, bool *is_touched);

/* ---- pairs of faces that move (near.c) ------------------------------------------ */

typedef struct contact_near {
    contact_side slave, master; /* faces as they were when they were searched for; wider boxes */
    ew_face_pairs pairs, before;
    bool *is_touched; /* owned: work */
    int32_t touched_capacity;
} contact_near;
/* The same as contact_pairs_update; EW_LIMIT: there are too many pairs of wider boxes. Slaves are
 * wider by this margin. */
ew_status contact_near_update(contact_near *near, ew_face_pairs *pairs, const ew_face_pairs *before,
                              const contact_side *slave, const contact_side *master, bool is_of_one,
                              double margin, bool *is_touched);
void contact_near_free(contact_near *near);

/* ---- places on faces (curved.c) --------------------------------------------- */

/* `at`: barycentric coordinates, which add up to 1. Functions of corners, and of the sides opposite
 * to them, there; their derivatives by coordinates 1 and 2. */
void contact_values(const double at[3], double value[6]);
void contact_slopes(const double at[3], double slope[2][6]);
void contact_place(const contact_face *face, const double at[3], double x[3], double tangent[2][3]);
/* Of length 1, outward; returns half the length of the product of the tangents. */
double contact_normal(double tangent[2][3], double normal[3]);
/* The place that is nearest to a point, from a first one; false, and at is anything: none is near.
 */
bool contact_find_nearest(const contact_face *face, const double target[3], double at[3]);
/* The place where the line through x along a normal meets the face, from a first one, and how far
 * along it; false, and at is anything: none is near. */
bool contact_meet(const contact_face *face, const double x[3], const double normal[3], double at[3],
                  double *gap);

/* ---- what two faces share (clip.c) ----------------------------------------- */

/* A slave face, and the plane of its corners. */
typedef struct contact_plane {
    const contact_face *face;     /* borrowed */
    double origin[3], edge[2][3]; /* corner 0, and from it to corners 1 and 2 */
    double square[2], angle;      /* products of edges: of each with itself, of both */
    double normal[3];             /* outward, of length 1, of the plane: 0 where it has none */
    double area;                  /* of the face */
} contact_plane;
contact_plane contact_plane_of(const contact_face *face);

/* A point of quadrature. */
typedef struct contact_point {
    double slave[3], master[3]; /* barycentric coordinates on both faces */
    double normal[3];           /* of the slave there */
    double gap, weight;         /* length unit; area */
    double min_gap;             /* smallest gap at the corners of what the master covers */
} contact_point;
/* Points on what a master face covers of a slave face, no farther apart than the distance: of
 * quadrature exact for polynomials of degree 2 on each of its triangles, or of degree 4. *apart:
 * how far, >= 0; below 0: it covers nothing. */
enum { CONTACT_MAX_POINTS = 4 * 6 };
int contact_clip(const contact_plane *slave, const ew_mesh *mesh, const ew_contact_def *def,
                 const contact_face *master, double *apart,
                 contact_point point[CONTACT_MAX_POINTS]);

/* Points all over a triangle: barycentric coordinates and shares of its area. */
typedef struct contact_rule_point {
    double at[3], share;
} contact_rule_point;
const contact_rule_point *contact_rule(bool is_quadratic, int *n);

/* ---- what is remembered from call to call (memory.c) ------------------------- */

/* What a slave face adds to the whole. */
typedef struct contact_sums {
    double area, covered;
    double near, far; /* of the masters over it the largest distance that counted, and the smallest
                         one that did not */
    double share[3];  /* of the covered area that of each corner, the integral of its function */
} contact_sums;

/* A vertex of slave faces. */
typedef struct contact_vertex {
    int32_t vertex, n_face;         /* slot; slave faces round it */
    int32_t place;                  /* of its row, -1: it has none */
    bool is_touched;                /* its row is to be made */
    bool is_small;                  /* little round it is covered, or */
    bool is_shared, meets_itself;   /* masters over its faces have it, too; so far, of faces that
                                       are added */
    double covered, whole;          /* its shares of the area of faces */
    double area, moment, normal[3]; /* integrals of psi: 1, gap; area times normal, summed */
    double slid[3];                 /* likewise, of the motion of a rigid surface */
    double min_gap;                 /* smallest gap of single points */
} contact_vertex;

typedef struct contact_memory {
    contact_side slave, master;
    ew_face_pairs pairs, pairs_before;
    contact_near near;                      /* while most faces differ from call to call */
    bool *is_touched;                       /* [slave.n] owned */
    contact_sums *sums, *sums_before;       /* [slave.n], [slave.n_before] owned */
    int32_t n_vertex;                       /* slave vertices */
    contact_vertex *vertex, *vertex_before; /* [n_vertex] owned, slots ascending */
    int32_t *corner_place, *corner_before; /* [slave.n][3], [slave.n_before][3] owned: places of the
                                              vertices of faces in that list, and before */
    int32_t *now_at;                       /* owned, work: of vertices before their places now */
    ew_list corner;                        /* vertices of new faces */
    ew_set touched;                        /* vertices whose rows are to be made */
    ew_contact_rows before, before_tie;    /* rows before, and those of a tie beside them */
    int32_t n_mesh_vertex;                 /* of the mesh that the rows are of */
    double margin;
    bool is_tie, has_tie, turns, has_edges, is_of_one, by_motion;
    const ew_rigid *rigid; /* and its revision: */
    uint64_t rigid_revision;
    int32_t touched_capacity, sums_capacity, sums_before_capacity, vertex_capacity,
        vertex_before_capacity, corner_capacity, corner_before_capacity, now_capacity;
} contact_memory;
/* Follows the faces to the pairs and the vertices of slave faces, and marks those whose rows are to
 * be made. */
ew_status contact_memory_update(contact_memory *memory, const ew_mesh *mesh,
                                const ew_topology *topology, const ew_contact_def *def,
                                double margin);
/* *again: little is covered now of some vertices of which it was not, or the other way round; those
 * that share a face with them are touched, too, and terms and sums of all touched ones are to be
 * made again. */
ew_status contact_memory_find_small(contact_memory *memory, bool *again);
/* Null where the slot is none of a slave face. */
contact_vertex *contact_memory_find(const contact_memory *memory, int32_t vertex);
/* That of corner k of slave face i. */
static inline contact_vertex *contact_memory_corner(const contact_memory *memory, int32_t i, int k)
{
    return &memory->vertex[memory->corner_place[3 * (size_t)i + (size_t)k]];
}
void contact_memory_clear(contact_memory *memory); /* knows nothing, keeps the room */
void contact_memory_free(contact_memory *memory);
void contact_release_rows(ew_contact_rows *rows); /* but for what they remember */

/* ---- terms of rows (rows.c) --------------------------------------------------- */

/* A block of one row: three factors at the row of a vertex or an edge. */
typedef struct contact_item {
    int32_t row, column;
    double factor[3];
} contact_item;
/* Adds a block to that of the same row and column in a list that ascends by both, or enters it
 * there; how many there are then. */
int32_t contact_enter_item(contact_item *list, int32_t n, const contact_item *one);

typedef struct contact_covered_point {
    contact_point point;
    double function[3];        /* of the corners of the slave face, that dual ones are sums of */
    int32_t master;            /* place of its face; -1: a rigid surface, which has */
    double normal[3], slid[3]; /* minus this normal, and moved by so much, length unit */
} contact_covered_point;

/* What is made of touched vertices. */
typedef struct contact_terms {
    const ew_mesh *mesh;
    const ew_contact_def *def;
    contact_memory *memory;
    int32_t n_point, point_capacity; /* of one slave face */
    contact_covered_point *point;    /* owned */
    bool is_tie;                     /* what is made of them: rows of a tie, */
    int32_t first, width;            /* from this one on of so many of a vertex */
    int32_t n_item, item_capacity;
    contact_item
        *item; /* [n_item] owned: of a face and corner one a row and column, face by face */
} contact_terms;
/* The terms of touched vertices of slave face i, and its sums. A vertex of which little is covered
 * leaves its part to the other corners of the face: alone it would tell how the gap goes on where
 * nothing is.
 */
ew_status contact_add_face(contact_terms *terms, int32_t i);

/* ---- points over rigid surfaces (rigid_points.c) -------------------------------- */

enum { CONTACT_MAX_RULE = 6 };
/* All over a slave face, where it looks at the surface no farther than `distance`; *apart as of
 * contact_clip, 0 within the body. EW_BAD_INPUT: deeper than it may be. */
ew_status contact_find_rigid_points(const contact_plane *slave, const ew_contact_def *def,
                                    double *apart, int *n,
                                    contact_covered_point point[CONTACT_MAX_RULE]);
/* Another one each time that the surface moves, or what it slides is counted from there. */
uint64_t contact_rigid_revision(const ew_rigid *rigid);

#endif
