/* Moves that go farther than the tets let them, in steps, with the tets improved after each. In:
 * mesh, tables, queued moves. Out: the difference as an edit, or which tet stays bad.
 *
 * Tets that a long move would turn inside out can hardly be improved from there; after a part of
 * the move they still can. So all of it is tried at once, then in ever more steps. Vertices that
 * are moved for themselves stay where they are put; those that only follow them are free to be
 * smoothed, flipped around and collapsed as any other. */
#include "operation/improve/improve.h"

#include <math.h>
#include <string.h>

enum { MAX_STEPS = 64, RINGS = 2 };

/* Moved vertices, by numbers of the local mesh. */
typedef struct journey {
    const ew_edit *edit;
    int32_t n;       /* moves */
    int32_t *vertex; /* [n] owned */
    double *last;    /* [n][3] owned: how far each has come by its moves alone */
} journey;

/* All moved vertices with their stars; *before: the least quality there. */
static ew_status take_in(ew_local *local, journey *of, const ew_set *follow, double *before)
{
    const ew_edit *edit = of->edit;
    for (int32_t i = 0; i < of->n; i++) {
        int32_t v;
        EW_TRY(ew_local_enter(local, edit->move_vertex.id[i], &v));
        of->vertex[i] = v;
        local->vertex[v].is_fixed = !follow || !ew_set_has(follow, edit->move_vertex.id[i]);
        memcpy(of->last + 3 * (size_t)i, local->vertex[v].x, sizeof local->vertex[v].x);
    }
    for (int32_t i = 0; i < of->n; i++) {
        EW_TRY(ew_local_open(local, of->vertex[i]));
    }
    *before = 1.0;
    for (int32_t t = 0; t < local->n_tet; t++) {
        *before = fmin(*before, local->tet[t].quality);
    }
    return EW_OK;
}

/* The share of the moves. Vertices that follow go on from where smoothing left them; such as were
 * collapsed are gone. */
static void advance(ew_local *local, const journey *of, double share)
{
    for (int32_t i = 0; i < of->n; i++) {
        ew_local_vertex *v = &local->vertex[of->vertex[i]];
        const double *begin = local->mesh->xyz + 3 * (size_t)of->edit->move_vertex.id[i];
        const double *end = of->edit->move_to + 3 * (size_t)i;
        double *last = of->last + 3 * (size_t)i, to[3];
        for (int c = 0; c < 3; c++) {
            const double next = share == 1.0 ? end[c] : begin[c] + share * (end[c] - begin[c]);
            to[c] = v->is_fixed ? next : v->x[c] + (next - last[c]);
            last[c] = next;
        }
        if (v->n_tet) {
            ew_local_move(local, of->vertex[i], to);
        }
    }
}

/* Around the tets that are bad now. */
static ew_status improve(ew_local *local, const ew_improve_def *def)
{
    bool any = false;
    for (int32_t v = 0; v < local->n_vertex; v++) {
        local->vertex[v].ring = -1;
    }
    for (int32_t t = 0; t < local->n_tet; t++) {
        const bool bad = ew_local_is_live(local, t) && local->tet[t].quality < def->goal;
        for (int k = 0; k < 4 && bad; k++) {
            local->vertex[local->tet[t].v[k]].ring = 0;
        }
        any = any || bad;
    }
    EW_TRY(any ? ew_improve_rings(local, RINGS) : EW_OK);
    return any ? ew_improve(local, def) : EW_OK;
}

static ew_status move_in_steps(const char *operation, ew_local *local, journey *of,
                               const ew_set *follow, int32_t n_step)
{
    double before;
    ew_improve_def def = ew_default_improve_def();
    EW_TRY(ew_new(&of->vertex, (size_t)of->n, sizeof *of->vertex));
    EW_TRY(ew_new(&of->last, (size_t)of->n, 3 * sizeof *of->last));
    EW_TRY(take_in(local, of, follow, &before));
    def.floor = fmin(def.floor, before); /* what was worse may stay so */
    for (int32_t step = 1; step <= n_step; step++) {
        advance(local, of, (double)step / n_step);
        EW_TRY(improve(local, &def));
    }
    return ew_improve_refuse(local, &def, operation, "move less far, or refine there before");
}

static ew_status try_steps(const char *operation, const ew_mesh *mesh, const ew_topology *topology,
                           const ew_set *follow, int32_t n_step, const ew_edit *moves,
                           ew_edit *edit)
{
    ew_local local = {0};
    journey of = {.edit = moves, .n = moves->move_vertex.n};
    ew_status status = ew_local_init(&local, mesh, topology);
    if (!status) {
        status = move_in_steps(operation, &local, &of, follow, n_step);
    }
    if (!status) {
        status = ew_local_queue(&local, edit);
    }
    ew_local_free(&local);
    ew_release(of.vertex);
    ew_release(of.last);
    return status;
}

ew_status ew_repair_moves(const char *operation, const ew_mesh *mesh, const ew_topology *topology,
                          const ew_set *follow, ew_edit *edit)
{
    ew_edit moves = *edit;
    ew_status status = EW_BAD_EDIT;
    memset(edit, 0, sizeof *edit);
    for (int32_t n = 1; n <= MAX_STEPS && status == EW_BAD_EDIT; n *= 4) {
        ew_edit_clear(edit);
        status = try_steps(operation, mesh, topology, follow, n, &moves, edit);
    }
    ew_edit_free(&moves);
    if (status) {
        ew_edit_clear(edit);
    }
    return status;
}
