/* What the state of the laws must be after edits: copied by hand along the changes. */
#ifndef EW_LAW_LEDGER_H
#define EW_LAW_LEDGER_H

#include "model/parts/model.h"
#include "testlib.h"

#include <string.h>

typedef struct ledger {
    int32_t n, capacity, width;
    double *state; /* [n][width] */
} ledger;

static inline void ledger_take(ledger *of, const ew_model *model)
{
    int32_t n_state;
    const double *state = ew_model_law_state(model, &n_state);
    CU_ASSERT_FATAL(n_state == EW_MAX_LAW_STATE ||
                    n_state == EW_QUADRATIC_POINTS * EW_MAX_LAW_STATE);
    of->width = n_state;
    of->n = ew_model_mesh(model)->n_tet;
    must(ew_grow(&of->state, &of->capacity, of->n, (size_t)of->width * sizeof *of->state));
    memcpy(of->state, state, (size_t)of->n * (size_t)of->width * sizeof *state);
}

/* A commit: removed tets leave nothing, parts and images have what their tet had. */
static inline void ledger_follow(ledger *of, const ew_model *model)
{
    const ew_change *change = ew_model_change(model);
    const ew_mesh *mesh = ew_model_mesh(model);
    double *old = NULL;
    const size_t size = (size_t)of->width * sizeof *old;
    must(ew_new(&old, (size_t)of->n, size));
    memcpy(old, of->state, (size_t)of->n * size);
    const int32_t n_old = of->n;
    must(ew_grow(&of->state, &of->capacity, mesh->n_tet, size));
    of->n = mesh->n_tet;
    for (int32_t i = 0; i < change->removed_tet.n; i++) {
        memset(of->state + (size_t)of->width * (size_t)change->removed_tet.id[i], 0, size);
    }
    for (int32_t i = 0; i < change->added_tet.n; i++) {
        const int32_t from = change->added_tet_from[i];
        double *to = of->state + (size_t)of->width * (size_t)change->added_tet.id[i];
        memset(to, 0, size);
        if (from >= 0 && from < n_old) {
            memcpy(to, old + (size_t)of->width * (size_t)from, size);
        }
    }
    ew_release(old);
}

/* A compaction: slots by a map that leads none to a higher one, -1: gone. */
static inline void ledger_rename(ledger *of, const ew_model *model, const int32_t *map)
{
    for (int32_t t = 0; t < of->n; t++) {
        if (map[t] >= 0) {
            memmove(of->state + (size_t)of->width * (size_t)map[t],
                    of->state + (size_t)of->width * (size_t)t,
                    (size_t)of->width * sizeof *of->state);
        }
    }
    of->n = ew_model_mesh(model)->n_tet;
}

/* Bit for bit. */
static inline void ledger_expect(const ledger *of, const ew_model *model)
{
    int32_t n_state;
    const double *state = ew_model_law_state(model, &n_state);
    CU_ASSERT_EQUAL_FATAL(of->n, ew_model_mesh(model)->n_tet);
    CU_ASSERT_EQUAL_FATAL(of->width, n_state);
    CU_ASSERT_EQUAL(memcmp(state, of->state, (size_t)of->n * (size_t)of->width * sizeof *state), 0);
}

#endif
