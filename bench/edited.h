/* A body under edit, for the scenarios that compare revalidation with a rebuild, and the published
 * way of revalidating beside ours. */
#ifndef EW_BENCH_EDITED_H
#define EW_BENCH_EDITED_H

#include "bench.h"
#include "model/parts/model.h"

/* Seconds. */
typedef struct bench_stages {
    double commit, tables, matrix;
} bench_stages;

/* Subtract and add: contributions of tets that go are subtracted from their blocks, those of tets
 * that come are added, and a moved tet is both. What this leaves of rounding stays in the blocks.
 * One material everywhere (body.c), so a tet's region does not matter. */
typedef struct bench_subtracting {
    ew_matrix matrix; /* owned */
    double *xyz;      /* [n_vertex][3] owned: positions that the blocks are of */
    int32_t capacity;
    double seconds; /* of the last edit, without keeping the positions */
} bench_subtracting;
ew_status bench_subtracting_start(bench_subtracting *published, const ew_mesh *mesh,
                                  const ew_matrix *matrix);
/* Before and after the update of the tables; the mesh is committed already. */
void bench_subtract(bench_subtracting *published, const ew_mesh *mesh, const ew_topology *topology,
                    const ew_materials *materials, const ew_change *change);
ew_status bench_subtract_add(bench_subtracting *published, const ew_mesh *mesh,
                             const ew_topology *topology, const ew_materials *materials,
                             const ew_change *change);
/* Largest difference of an entry from `exact` (the same slots) over the largest entry of its block.
 */
double bench_subtracting_drift(const bench_subtracting *published, const ew_matrix *exact);
void bench_subtracting_free(bench_subtracting *published);

typedef struct bench_edited {
    const ew_materials *materials; /* borrowed from the body */
    ew_mesh mesh;
    ew_topology topology;
    ew_matrix matrix;
    ew_edit edit; /* to be filled by the caller, emptied by bench_edited_apply */
    ew_change change;
    ew_topology rebuilt_topology;
    ew_matrix rebuilt;
    bench_subtracting *published; /* borrowed; null: ours alone */
} bench_edited;
/* Copies the body's mesh and builds; `build` tells how long (commit 0). */
ew_status bench_edited_start(bench_edited *edited, const bench_body *body, bench_stages *build);
/* Commits the queued edit and brings tables and matrix up to date. */
ew_status bench_edited_apply(bench_edited *edited, bench_stages *stages);
/* Tables and matrix rebuilt from the mesh as it is; fails unless the matrix has the same bits. */
ew_status bench_edited_verify(bench_edited *edited, bench_stages *rebuild);
void bench_edited_free(bench_edited *edited);

/* A model of the body, its base clamped, under its weight; `answer` and `direct` edit and solve it.
 * (scenario_answer.c) */
ew_status bench_model_make(const bench_body *body, ew_device *device, ew_model **model);

/* Queues the removal of n tets anywhere, none of which leaves a neighbor that hangs by one face.
 * (scenario_answer.c) */
ew_status bench_queue_tets(ew_model *model, uint64_t *random, int32_t n);

/* The middle one; sorts. */
double bench_median(double *value, int32_t n);
/* A generator of its own: the same edits on every machine. In [0, n). */
int32_t bench_random(uint64_t *state, int32_t n);

#endif
