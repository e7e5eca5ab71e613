/* Part of analysis: amplitudes, loads and their nodal forces. */
#ifndef EW_ANALYSIS_LOADS_H
#define EW_ANALYSIS_LOADS_H

#include "analysis/analysis_supports.h"

EW_BEGIN_API

/* ---- amplitudes (amplitude.c) ------------------------------------------- */

/* A factor of time, by which a load or a prescribed displacement is multiplied. */
typedef enum ew_amplitude_kind {
    EW_AMPLITUDE_TABLE, /* linear between times, the first value before and the last one after */
    EW_AMPLITUDE_SINE,  /* offset + size sin(2 pi frequency (t - start) + phase) from start to end,
                           both included; 0 before and after */
    EW_AMPLITUDE_STEP   /* size from start on, and before end; 0 before and after */
} ew_amplitude_kind;
/* Times are those of the case's time axis. A kind reads only the members that name it. */
typedef struct ew_amplitude {
    ew_amplitude_kind kind;
    int32_t n;           /* TABLE: >= 1 */
    const double *time;  /* TABLE: [n] borrowed, each greater than the one before */
    const double *value; /* TABLE: [n] borrowed */
    double size, offset; /* no unit; STEP reads no offset */
    double frequency;    /* SINE: > 0, at most EW_MAX_FREQUENCY, per time */
    double phase;        /* SINE: rad */
    double start, end;   /* SINE, STEP: end > start, INFINITY: never */
} ew_amplitude;

/* ---- loads (loads.c and load_*.c) ---------------------------------------- */

/* Nodal forces are consistent: integrated exactly with the shape functions over flat faces and
 * straight tets; where sides are curved by 12 points on a face (to the sixth degree), four in a
 * tet. */
typedef enum ew_load_kind {
    EW_LOAD_GRAVITY,        /* acceleration `vector` on all mass */
    EW_LOAD_TOTAL_FORCE,    /* `vector`, a uniform traction on the faces of the set; on a set of
                               vertices shared equally by the active ones */
    EW_LOAD_FORCE,          /* `vector` on each active vertex of the set */
    EW_LOAD_FORCE_ON_NODES, /* the forces of `nodes`, on those nodes that are in the body */
    EW_LOAD_PRESSURE, /* pushes into the body: pressure + gradient . (x - point), and `value` */
    EW_LOAD_TRACTION, /* `vector`, force per area, and `value` */
    EW_LOAD_MOMENT,   /* `vector` about the centroid c of the faces, as a traction w x (x - c) */
    EW_LOAD_REMOTE_FORCE, /* force `vector` that acts at `point`: uniform traction and that of its
                             moment about the centroid */
    EW_LOAD_BEARING, /* force `vector` at right angles to the axis of a cylinder, as a pressure on
                        the loaded half, which varies as a cosine */
    EW_LOAD_CENTRIFUGAL, /* centrifugal force on all mass for the angular velocity `vector`, rad per
                            time, about the axis through `point` */
    EW_LOAD_TEMPERATURE, /* change + gradient . (x - point), or `change` times `value` or an
                            expression: thermal strain, of all tets, those of a set, or between
                            vertices of a set (0 at others) */
    EW_LOAD_OWN,         /* forces that a function of the program computes */
    EW_LOAD_FIELD,       /* at each active vertex, of a set or of all, the force in `value` */
    EW_LOAD_COUNT
} ew_load_kind;

/* Adds the load on an active vertex to force [3]. It reads mesh and tables alone, so that the
 * answer for a vertex does not depend on earlier calls. Several threads call it at once. */
typedef void (*ew_load_function)(void *user, const ew_mesh *mesh, const ew_topology *topology,
                                 int32_t vertex, double *force);
/* Forces on vertices and middles of edges, as finite element programs give them for tets of ten
 * nodes. Where an edge is linear, or was removed by edits, half of the force at its middle acts on
 * each end. (load_nodes.c) */
typedef struct ew_load_node {
    int64_t end[2]; /* vertex_ids of the edge; of a vertex twice the same */
    double force[3];
} ew_load_node;
typedef struct ew_load_nodes {
    int32_t n;         /* rows: one a vertex, two a middle */
    ew_load_node *row; /* [n] owned: by ascending ends; of a middle both ways round */
} ew_load_nodes;

EW_END_API
#endif
