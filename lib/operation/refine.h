/* operation, private to refine: tets while they are cut. */
#ifndef EW_OPERATION_REFINE_H
#define EW_OPERATION_REFINE_H

#include "operation/internal.h"

/* Edges are named by their slots in the tables, new ones by the numbers that follow. Vertices
 * likewise: slots, then n_vertex + k for the k-th added one, so that a number is also the rank
 * between edges of equal length. Those that no bisection can reach any more have no name: -1. */
typedef struct ew_refine_edge {
    int32_t a, b;  /* a < b */
    int32_t first; /* 6 * part + local edge, -1: none */
} ew_refine_edge;

/* A part of a tet that has an edge with a name. */
typedef struct ew_part {
    int32_t v[4];    /* v[0] = -1: cut in its turn */
    int32_t edge[6]; /* -1: without a name */
    int32_t next[6]; /* the next part at the edge, as `first` */
} ew_part;

typedef struct ew_part_origin {
    int32_t from;    /* the tet of the mesh */
    int32_t place;   /* how many parts without names came before */
    int32_t longest; /* edge */
} ew_part_origin;

/* A vertex across from the edge under bisection. */
typedef struct ew_spoke {
    int32_t v, edge; /* from the middle to v, -1: without a name */
} ew_spoke;

typedef struct ew_refiner {
    const ew_mesh *mesh;
    const ew_topology *topology;
    double longest;
    double least2;  /* squared length from which on edges have names */
    ew_list work;   /* owned: edges to bisect, the last one next */
    ew_list around; /* owned: tets around an edge: of the mesh as they are, parts as -1 - p */
    int32_t n_vertex, xyz_capacity, inside_capacity, spoke_capacity;
    double *xyz;       /* [n_vertex][3] owned */
    bool *inside;      /* [n_vertex] owned: in the set; null: all are */
    int32_t *spoke_of; /* [n_vertex] owned: place in `spoke`, if that names the vertex */
    uint64_t *cut;     /* owned: bits of the tets of the mesh that were cut */
    int32_t n_edge, edge_capacity;
    ew_refine_edge *edge; /* [n_edge] owned */
    int32_t n_part, part_capacity, origin_capacity;
    ew_part *part;          /* [n_part] owned */
    ew_part_origin *origin; /* [n_part] owned */
    int32_t n_made;         /* parts with and without names */
    int32_t n_spoke, most_spoke;
    ew_spoke *spoke; /* [n_spoke] owned */
    ew_edit *edit;   /* parts without names are queued at once, without region and with their
                        vertices numbered as here; of middles the parents alone */
} ew_refiner;

static inline double ew_refine_length2(const ew_refiner *r, int32_t a, int32_t b)
{
    const double *x = r->xyz + 3 * (size_t)a, *y = r->xyz + 3 * (size_t)b;
    const double p = y[0] - x[0], q = y[1] - x[1], s = y[2] - x[2];
    return p * p + q * q + s * s;
}

/* The vertex as edits name it. */
static inline int32_t ew_refine_name(const ew_refiner *r, int32_t v)
{
    return v < r->mesh->n_vertex ? v : EW_NEW_VERTEX(v - r->mesh->n_vertex);
}

/* Works off r->work. (refine_cut.c) */
ew_status ew_refine_cut(ew_refiner *r);
/* The queued tets become those that are left, in the order in which they were made, with the
 * regions and vertices of an edit. Refuses what the commit would. (refine_queue.c) */
ew_status ew_refine_queue(ew_refiner *r);

#endif
