/* What tests that edit at random share: a tet that is there, tets that were, and a trial. */
#ifndef EW_RANDOM_EDITS_H
#define EW_RANDOM_EDITS_H

#include "testlib.h"
#include "topology/parts/topology.h"

#include <stdlib.h>
#include <string.h>

/* A share of the edits that EW_EDITS in the environment asks for, else a few seconds' worth, or a
 * third of that where EW_QUICK is set. */
static inline int edits_of(int share, int preset)
{
    const char *asked = getenv("EW_EDITS");
    return asked ? atoi(asked) / share : getenv("EW_QUICK") ? (preset + 2) / 3 : preset;
}

/* Other sequences for each EW_SEED in the environment: long trials are done piece by piece. */
static inline uint64_t seed_of(uint64_t seed)
{
    const char *asked = getenv("EW_SEED");
    return seed + (asked ? 1000003 * strtoull(asked, NULL, 10) : 0);
}

/* -1: there is none. */
static inline int32_t random_live_tet(const ew_mesh *mesh, uint64_t *state)
{
    int32_t t = (int32_t)ew_test_random(state, (uint32_t)mesh->n_tet);
    for (int32_t i = 0; i < mesh->n_tet; i++, t = (t + 1) % mesh->n_tet) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            return t;
        }
    }
    return -1;
}

/* Tets that were removed, by their vertices, to be put back. A full list forgets one at random. */
enum { MAX_PAST = 256 };
typedef struct past {
    int32_t n;
    int32_t tet[MAX_PAST][4];
} past;

static inline void remember_tet(past *gone, const int32_t tet[4], uint64_t *state)
{
    const int32_t at = gone->n < MAX_PAST ? gone->n++ : (int32_t)ew_test_random(state, MAX_PAST);
    memcpy(gone->tet[at], tet, 4 * sizeof *tet);
}

/* There must be one. */
static inline const int32_t *recall_tet(const past *gone, uint64_t *state)
{
    return gone->tet[ew_test_random(state, (uint32_t)gone->n)];
}

/* Whether the mesh would take the batch. */
static inline bool is_accepted(const ew_mesh *mesh, const ew_topology *topology,
                               const ew_edit *edit)
{
    ew_mesh copy;
    ew_change change = {0};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_copy(&copy, mesh), EW_OK);
    const ew_status status = ew_mesh_commit(&copy, edit, &topology->vertex_to_tet, &change);
    ew_mesh_free(&copy);
    ew_change_free(&change);
    return status == EW_OK;
}

#endif
