/* contact, private: boxes of faces, the tree that finds them, and what two faces share. */
#ifndef EW_CONTACT_INTERNAL_H
#define EW_CONTACT_INTERNAL_H

#include "contact/parts/contact.h"

/* ---- boxes (faces.c) ---------------------------------------------------- */

typedef struct contact_box {
    float low[3], high[3];
} contact_box;
/* Vertices of a face, as it looks outwards. */
void contact_face_vertices(const ew_mesh *mesh, int32_t code, int32_t vertex[3]);
/* Of a face, wider by `margin` on each side. */
contact_box contact_box_of(const ew_mesh *mesh, int32_t code, double margin);
static inline bool contact_boxes_meet(const contact_box *a, const contact_box *b)
{
    bool meet = true;
    for (int c = 0; c < 3; c++) {
        meet = meet && a->low[c] <= b->high[c] && b->low[c] <= a->high[c];
    }
    return meet;
}

/* ---- the tree (tree.c) ---------------------------------------------------- */

enum { CONTACT_LEAF = 8 };

/* A complete binary tree: node i has the children 2 i and 2 i + 1, the leaves are nodes n_leaf ..
 * 2 n_leaf - 1, in Morton order of the boxes' middles. */
typedef struct contact_tree {
    int32_t n_leaf;    /* a power of 2 */
    contact_box *node; /* [2 n_leaf] owned; the first is not used */
    int32_t *item;     /* [n_leaf][CONTACT_LEAF] owned: places in `box`, -1: none */
    contact_box *box;  /* [n] owned: of the faces */
} contact_tree;
ew_status contact_tree_build(contact_tree *tree, const ew_mesh *mesh, const ew_list *face);
/* Appends the places of all faces whose boxes meet this one, in any order. */
ew_status contact_tree_find(const contact_tree *tree, const contact_box *box, ew_list *found);
void contact_tree_free(contact_tree *tree);

/* ---- what two faces share (clip.c) ----------------------------------------- */

/* A slave face in its own plane. */
typedef struct contact_plane {
    double origin[3], edge[2][3]; /* corner 0, and from it to corners 1 and 2 */
    double normal[3], area;       /* outward, of length 1; area 0: it has none */
} contact_plane;
contact_plane contact_plane_of(const ew_mesh *mesh, int32_t code);

/* A point of quadrature. */
typedef struct contact_point {
    double slave[3], master[3]; /* barycentric coordinates on both faces */
    double gap, weight;         /* length unit; area */
} contact_point;
/* Points on what a master face covers of a slave face, no farther apart than `distance`: of
 * quadrature exact for polynomials of degree 2 on each of its triangles, or of degree 4. */
enum { CONTACT_MAX_POINTS = 4 * 6 };
int contact_clip(const contact_plane *slave, const ew_mesh *mesh, int32_t master, double distance,
                 bool is_quadratic, contact_point point[CONTACT_MAX_POINTS]);

#endif
