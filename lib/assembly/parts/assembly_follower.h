/* Part of assembly: pressure on faces that turns with them, and its load stiffness. */
#ifndef EW_PARTS_ASSEMBLY_FOLLOWER_H
#define EW_PARTS_ASSEMBLY_FOLLOWER_H

#include "assembly/parts/assembly_sources.h"

EW_BEGIN_API

/* A follower pressure: faces of tets with the pressure on each, which stays with the material
 * points, and what it adds to a tangent. The load stiffness of a face is skew between two nodes,
 * K_ij x = turn_ij cross x for i < j, and zero on the diagonal: its symmetric part, whose
 * derivation stands in lib/analysis/load/follower.c. A face has n_node nodes: its corners as
 * ew_face_vertex lists them, and of quadratic tets the edge opposite each corner behind them. */
enum { EW_FOLLOWER_NODES = 6, EW_FOLLOWER_TURNS = 15 };
struct ew_follower {
    int32_t n;               /* faces; one that several loads press is there several times */
    int32_t n_node, n_value; /* of a face: 3 and 3, of quadratic tets 6 and 12 */
    int32_t *face;           /* [n] owned: codes, ascending within each load */
    int32_t *node;  /* [n][n_node] owned: rows of vertices, then of edges; -1: there is none */
    double *value;  /* [n][n_value] owned, force per area: linear tets: mean of pressure times the
                       function of each corner; quadratic: pressure at the points of the face */
    double *force;  /* [n][n_node][3] owned: memory of sums over faces */
    double *turn;   /* [n][n_node (n_node - 1) / 2][3] owned: of nodes i < j, row by row */
    int32_t n_pair; /* of vertices that a face has both of */
    int32_t *pair;  /* [n_pair] owned: slots, ascending */
    double
        *of_pair; /* [n_pair][3] owned: sum of the turns, from the pair's first row to its second */
    uint64_t version; /* counts computations of the turns */
    int32_t face_capacity, node_capacity, value_capacity, force_capacity, turn_capacity;
    int32_t pair_capacity, of_pair_capacity;
};
/* Place of the turn of nodes i < j of a face. */
static inline int ew_follower_place(int n_node, int i, int j)
{
    return i * (2 * n_node - i - 1) / 2 + (j - i - 1);
}
/* Place of a slot among the pairs; -1: it is none of them. */
int32_t ew_follower_find_pair(const ew_follower *follower, int32_t pair);
/* What the stored block of a pair has of it is added: for the listed pairs, null: for all. */
void ew_follower_add_pairs(const ew_follower *follower, const ew_list *pair, ew_matrix *matrix);
/* y += the product with the load stiffness, as ew_edge_product_add and called like it: of
 * EW_EDGE_ALL all but what pairs of vertices give each other, which is stored. */
void ew_follower_add_product(ew_follower *follower, ew_edge_part part, const double *x, double *y);
void ew_follower_free(ew_follower *follower);

EW_END_API
#endif
