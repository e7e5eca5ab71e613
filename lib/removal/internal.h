/* Private to removal: the tets of the body at the start, which of them are there now, and what is
 * known of each. */
#ifndef EW_REMOVAL_INTERNAL_H
#define EW_REMOVAL_INTERNAL_H

#include "removal/parts/removal.h"

/* Which vertices the sensitivity of each vertex is averaged over: rows by vertex slot. */
typedef struct removal_filter {
    size_t *begin;   /* [n_vertex + 1] owned */
    int32_t *vertex; /* [begin[n_vertex]] owned: slots */
    double *weight;  /* [begin[n_vertex]] owned: they add up to 1 in each row */
} removal_filter;

/* Tets are named by their place among those at the start, in the order of their slots then. */
typedef struct removal_design {
    int32_t n;
    int32_t *corner;                      /* [n][4] owned: vertex slots */
    int32_t *label;                       /* [n] owned: of the region */
    double *volume;                       /* [n] owned */
    int32_t *slot;                        /* [n] owned: in the mesh now; -1: it is removed */
    bool *keep;                           /* [n] owned */
    bool *wanted;                         /* [n] owned: it is to be there after the next edit */
    bool *before;                         /* [n] owned: it was there before the last choice */
    double *sensitivity;                  /* [n] owned: averaged over space and over the rounds */
    double *vertex_value, *vertex_volume; /* [n_vertex] owned: of the patches at the start */
    double *filtered;                     /* [n_vertex] owned */
    int32_t n_vertex;
    int32_t *tet_of; /* [slot_capacity] owned: the tet in a slot, or -1 */
    int32_t n_slot, slot_capacity;
    ew_list queued; /* tets that the queue adds, in its order */
    struct removal_order {
        uint64_t key; /* ascends where sensitivities descend */
        int32_t tet;
    } * order, *spare;    /* [n] owned */
    double whole, kept;   /* volume at the start, and of the tets that stay */
    bool has_sensitivity; /* of a round before */
    removal_filter filter;
} removal_design;

/* design.c */
ew_status removal_design_init(removal_design *design, const ew_mesh *mesh, const ew_set *keep);
void removal_design_free(removal_design *design);
/* Queues what makes the wanted tets those of the mesh, into an empty queue. *n_removed, *n_added.
 */
ew_status removal_design_queue(removal_design *design, ew_model *model, int32_t *n_removed,
                               int32_t *n_added);
/* After the commit of a queue, by what it changed. */
ew_status removal_design_follow(removal_design *design, const ew_change *change);

/* filter.c */
ew_status removal_filter_init(removal_filter *filter, const ew_mesh *mesh, double radius);
void removal_filter_free(removal_filter *filter);
double removal_mean_edge(const ew_mesh *mesh, const ew_topology *topology);

/* choose.c: the sensitivities from strain energies by slot; then which tets are wanted, for a share
 * of the volume. */
void removal_take_energies(removal_design *design, const double *energy);
void removal_choose(removal_design *design, double share, double max_restored);

#endif
