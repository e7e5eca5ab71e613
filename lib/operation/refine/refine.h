/* operation, private to refine: tets while they are cut. */
#ifndef EW_OPERATION_REFINE_H
#define EW_OPERATION_REFINE_H

#include "operation/framework/internal.h"

/* Edges of parts are numbered 6 * part + local edge. */
#define EW_REFINE_MAX_PART (INT32_MAX / 6)

/* Vertices are numbered by their slots, then n_vertex + k for the k-th middle, so that a number is
 * also the rank between edges of equal length. Edges have names, of which nothing depends: slots in
 * the tables, then new ones; where few are reached, numbers in the order in which they are. Those
 * that no bisection can reach any more have no name: -1. */
typedef struct ew_refine_edge {
    int32_t end[2]; /* ascending */
    int32_t first;  /* 6 * part + local edge, -1: none */
    int32_t slot;   /* in the tables, -1: a new edge */
} ew_refine_edge;

/* A part of a tet that has an edge with a name. Its place is taken again once it was cut and no
 * chain has it any more, so that parts stay few and in the cache. */
typedef struct ew_part {
    int32_t v[4];    /* v[0] = -1: cut in its turn */
    int32_t edge[6]; /* -1: without a name */
    int32_t next[6]; /* the next part at the edge, as `first` */
    int32_t n_chain; /* edges whose chains have it */
    int32_t from;    /* the tet of the mesh */
    int32_t place;   /* how many parts without names came before */
    int32_t number;  /* how many parts of all came before */
    int32_t longest; /* edge */
} ew_part;

/* A vertex across from the edge under bisection. */
typedef struct ew_spoke {
    int32_t v, edge; /* from the middle to v, -1: without a name */
    unsigned sides;  /* of the face with v that have a tet: bits 0 and 1 */
} ew_spoke;

typedef struct ew_refiner {
    const ew_mesh *mesh;
    const ew_topology *topology;
    double longest;
    int32_t max_tets; /* live ones, with those that are made */
    double min2;      /* squared length from which on edges have names */
    ew_list work;     /* owned: edges to bisect, the last one next */
    ew_list around;   /* owned: tets around an edge: of the mesh as they are, parts as -1 - p */
    bool whole;       /* no set: all vertices are inside */
    bool few;         /* what is known of the mesh is in `known`, else in arrays over all of it */
    ew_map known;     /* owned; see ew_refine_kind */
    bool *inside;     /* [mesh->n_vertex] owned: in the set; unless whole or few */
    uint64_t *cut;    /* owned: bits of the tets of the mesh that were cut; unless few */
    int32_t middle_inside_capacity;
    bool *middle_inside; /* [edit->n_add_vertex] owned; unless whole */
    int32_t n_table;     /* edges of the tables, which lie there; few: 0 */
    int32_t *first;      /* [n_table] owned: as in ew_refine_edge */
    int32_t n_edge, edge_capacity;
    ew_refine_edge *edge; /* [n_edge - n_table] owned: the others */
    int32_t n_part, part_capacity;
    ew_part *part;     /* [n_part] owned */
    ew_list free_part; /* owned */
    int32_t n_made;    /* parts with and without names */
    int32_t n_spoke, spoke_capacity;
    ew_spoke *spoke; /* [n_spoke] owned */
    ew_map spoke_at; /* owned: of spokes beyond the first few, vertex to place */
    bool crowded;    /* a face that was cut has two tets on one side */
    ew_edit *edit;   /* has the middles; parts without names are queued at once, without region and
                        with their vertices numbered as here */
} ew_refiner;

/* What a key of `known` begins with: an edge's slot has its name, vertices of the set and tets that
 * were cut have 0. */
typedef enum ew_refine_kind { EW_REFINE_EDGE, EW_REFINE_VERTEX, EW_REFINE_TET } ew_refine_kind;

static inline const double *ew_refine_place(const ew_refiner *r, int32_t v)
{
    const int32_t n = r->mesh->n_vertex;
    return v < n ? r->mesh->xyz + 3 * (size_t)v : r->edit->add_vertex + 3 * (size_t)(v - n);
}

static inline double ew_refine_length2(const ew_refiner *r, int32_t a, int32_t b)
{
    const double *x = ew_refine_place(r, a), *y = ew_refine_place(r, b);
    const double p = y[0] - x[0], q = y[1] - x[1], s = y[2] - x[2];
    return p * p + q * q + s * s;
}

/* Both ends of an edge, the lower one first; its slot in the tables, -1: none; its chain. */
static inline const int32_t *ew_refine_ends(const ew_refiner *r, int32_t e)
{
    return e < r->n_table ? r->topology->pattern.pair_row + 2 * (size_t)e
                          : r->edge[e - r->n_table].end;
}

static inline int32_t ew_refine_slot(const ew_refiner *r, int32_t e)
{
    return e < r->n_table ? e : r->edge[e - r->n_table].slot;
}

static inline int32_t *ew_refine_chain(ew_refiner *r, int32_t e)
{
    return e < r->n_table ? r->first + e : &r->edge[e - r->n_table].first;
}

/* The vertex as edits name it. */
static inline int32_t ew_refine_name(const ew_refiner *r, int32_t v)
{
    return v < r->mesh->n_vertex ? v : EW_NEW_VERTEX(v - r->mesh->n_vertex);
}

static inline bool ew_refine_is_inside(const ew_refiner *r, int32_t v)
{
    const int32_t n = r->mesh->n_vertex;
    return r->whole || (v >= n   ? r->middle_inside[v - n]
                        : r->few ? ew_map_find(&r->known, EW_REFINE_VERTEX, v, -1) >= 0
                                 : r->inside[v]);
}

static inline bool ew_refine_is_cut(const ew_refiner *r, int32_t t)
{
    return r->few ? ew_map_find(&r->known, EW_REFINE_TET, t, -1) >= 0 : ew_bit_has(r->cut, t);
}

/* Before the first bisection; null: all vertices. (refine_known.c) */
ew_status ew_refine_start(ew_refiner *r, const ew_list *set);
void ew_refine_free(ew_refiner *r);
/* A new edge, a < b, or (few) one of the tables. */
ew_status ew_refine_add_edge(ew_refiner *r, int32_t a, int32_t b, int32_t slot, int32_t *edge);
/* The edge of the tables in this slot. */
ew_status ew_refine_enter_edge(ew_refiner *r, int32_t slot, int32_t *edge);
/* Sets r->max_tets; 0: the preset. EW_BAD_ARGUMENT below 0. */
ew_status ew_refine_set_limit(ew_refiner *r, int32_t max_tets);
ew_status ew_refine_enter_cut(ew_refiner *r, int32_t t);
/* Tets of the mesh that were cut, ascending, become those that the edit removes. */
ew_status ew_refine_remove_cut(ew_refiner *r);
/* Works off r->work. (refine_cut.c) */
ew_status ew_refine_cut(ew_refiner *r);
/* The queued tets become those that are left, in the order in which they were made, with the
 * regions and vertices of an edit. Refuses what the commit would. (refine_queue.c) */
ew_status ew_refine_queue(ew_refiner *r);
#endif
