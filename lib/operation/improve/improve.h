/* operation, private: local improvement of quality, by smoothing, flips and collapsed edges. */
#ifndef EW_OPERATION_IMPROVE_H
#define EW_OPERATION_IMPROVE_H

#include "operation/framework/local.h"

typedef struct ew_improve_def {
    double goal;    /* mean ratio: tets below it are worked on, in (0, 1) */
    double floor;   /* none may be below it at the end, in [0, goal] */
    int32_t passes; /* >= 1 */
    bool keeps_vertices; /* no edge is collapsed */
} ew_improve_def;
/* 0.3, 0.05, 8. */
ew_improve_def ew_default_improve_def(void);

/* Marks vertices by their distance, in edges, from those of ring 0, up to `rings`, and opens them.
 * Others keep -1. */
ew_status ew_improve_rings(ew_local *local, int32_t rings);
/* Works on the tets at marked vertices until none is below the goal or nothing helps. Fixed
 * vertices stay. */
ew_status ew_improve(ew_local *local, const ew_improve_def *def);
/* The tet of least quality among those with a marked vertex (ties: the lower name); -1: none. */
int32_t ew_improve_worst(const ew_local *local);
/* EW_BAD_EDIT, naming the worst tet by the tet_id that it has or came from, where it is below the
 * floor; tets that are as they were may be. `what`: what led to it; `remedy`: a clause. */
ew_status ew_improve_refuse(const ew_local *local, const ew_improve_def *def, const char *operation,
                            const char *remedy);

/* `edit` has queued moves, and nothing else. Tets that they leave below the goal, and two rings
 * around them, are improved; where that is not enough, moves are made in steps, improved after
 * each. Moved vertices stay where they were moved to, but those that only `follow` others (null:
 * none do). On success the edit holds the difference. EW_BAD_EDIT where a tet stays below the
 * floor, and below the least quality that was there; the edit is then empty. (repair.c) */
ew_status ew_repair_moves(const char *operation, const ew_mesh *mesh, const ew_topology *topology,
                          const ew_set *follow, ew_edit *edit);

/* ---- one step each; *done: whether it raised the least quality ------------ */

/* improve_smooth.c */
ew_status ew_improve_vertex(ew_local *local, int32_t vertex, bool *done);
/* improve_flip.c: the edge goes, with the tets around it (at most 8); the face goes. */
ew_status ew_improve_edge(ew_local *local, int32_t a, int32_t b, bool *done);
ew_status ew_improve_face(ew_local *local, int32_t t, int corner, bool *done);
/* improve_collapse.c: vertex a goes into b. least: what the tets must keep, of quality. */
ew_status ew_improve_collapse(ew_local *local, int32_t a, int32_t b, double least, bool *done);

/* A step must gain so much. */
#define EW_IMPROVE_GAIN 1e-3

#endif
