/* Slits: a cut that is opened without taking anything away. In: a part of the mesh with the faces
 * of a cut marked, both sides there. Out: those within a box no longer shared by the tets on their
 * sides.
 *
 * Around each vertex of these faces the tets fall into fans that the faces part. All fans but one
 * get a vertex of their own in the same place. At the front of the slit there is one fan, so that
 * vertices there are shared; a face with nothing but such vertices stays closed. */
#include "operation/cut/cut.h"

#include <stdlib.h>
#include <string.h>

static bool is_within(const ew_cut_def *def, const double x[3])
{
    bool in = true;
    for (int i = 0; i < 3; i++) {
        in = in && x[i] >= def->low[i] && x[i] <= def->high[i];
    }
    for (int32_t k = 0; k < def->n_side; k++) {
        const double *side = def->side[k];
        in = in && side[0] * x[0] + side[1] * x[1] + side[2] * x[2] <= side[3];
    }
    return in;
}

/* Records of faces of the cut, one a patch: from `closed` on those that stay closed, from `open` on
 * those of the slit. */
typedef struct slit {
    int32_t closed, open, n;
} slit;

static bool is_of(int32_t record, int32_t first, int32_t n)
{
    return record >= first && record < first + n;
}

/* Faces of closed records with all corners in the box get open ones; their vertices into the list,
 * each once. */
static ew_status mark_open(ew_cutter *c, const slit *s, ew_list *vertex)
{
    ew_local *local = &c->local;
    const int32_t stamp = ++local->stamp;
    for (int32_t t = 0; t < local->n_tet; t++) {
        for (int k = 0; k < 4 && ew_local_is_live(local, t); k++) {
            int32_t *face = &local->tet[t].face[k];
            bool in = is_of(*face, s->closed, s->n);
            for (int i = 0; i < 3 && in; i++) {
                in = is_within(c->def, local->vertex[local->tet[t].v[ew_face_vertex[k][i]]].x);
            }
            *face += in ? s->open - s->closed : 0;
            for (int i = 0; i < 3 && in; i++) {
                const int32_t v = local->tet[t].v[ew_face_vertex[k][i]];
                if (local->vertex[v].stamp != stamp) {
                    local->vertex[v].stamp = stamp;
                    EW_TRY(ew_list_push(vertex, v));
                }
            }
        }
    }
    return vertex->n ? EW_OK
                     : ew_fail(EW_BAD_EDIT, "cut: no face of the surface lies within the box; give "
                                            "a larger one, or refine there first");
}

/* The tets of the star that hang together with its first one by faces that stay, to the front of
 * the list; returns how many. */
static int32_t first_fan(const ew_local *local, int32_t vertex, const slit *s, ew_list *star)
{
    int32_t n = 1;
    for (int32_t i = 0; i < n; i++) {
        const ew_local_tet *tet = &local->tet[star->id[i]];
        for (int k = 0; k < 4; k++) {
            int other;
            const bool stays = tet->v[k] != vertex && !is_of(tet->face[k], s->open, s->n);
            const int32_t beyond = stays ? ew_local_across(local, star->id[i], k, &other) : -1;
            for (int32_t j = n; j < star->n && beyond >= 0; j++) {
                if (star->id[j] == beyond) {
                    star->id[j] = star->id[n];
                    star->id[n++] = beyond;
                    break;
                }
            }
        }
    }
    return n;
}

static ew_status give_to(ew_local *local, const ew_list *tet, int32_t n, int32_t vertex,
                         int32_t copy)
{
    for (int32_t i = 0; i < n; i++) {
        int32_t v[4], face[4], made;
        const int32_t t = tet->id[i];
        memcpy(v, local->tet[t].v, sizeof v);
        memcpy(face, local->tet[t].face, sizeof face);
        v[ew_local_corner(&local->tet[t], vertex)] = copy;
        EW_TRY(ew_local_add_tet(local, v, face, t, &made));
        ew_local_remove_tet(local, t);
    }
    return EW_OK;
}

/* The first fan keeps the vertex. */
static ew_status double_vertex(ew_local *local, int32_t vertex, const slit *s)
{
    EW_TRY(ew_local_open(local, vertex));
    EW_TRY(ew_local_star(local, vertex));
    int32_t n = first_fan(local, vertex, s, &local->star);
    while (n < local->star.n) {
        int32_t copy;
        memmove(local->star.id, local->star.id + n,
                (size_t)(local->star.n - n) * sizeof *local->star.id);
        local->star.n -= n;
        EW_TRY(ew_local_copy(local, vertex, &copy));
        n = first_fan(local, vertex, s, &local->star);
        EW_TRY(give_to(local, &local->star, n, vertex, copy));
    }
    return EW_OK;
}

/* Faces that are still shared are closed. */
static int32_t close_shared(ew_local *local, const slit *s)
{
    int32_t n_open = 0;
    for (int32_t t = 0; t < local->n_tet; t++) {
        for (int k = 0; k < 4 && ew_local_is_live(local, t); k++) {
            int other = 0;
            int32_t *face = &local->tet[t].face[k];
            if (!is_of(*face, s->open, s->n)) {
                continue;
            }
            const int32_t beyond = ew_local_across(local, t, k, &other);
            n_open += beyond < 0;
            if (beyond >= 0) {
                *face += s->closed - s->open;
                local->tet[beyond].face[other] = *face;
            }
        }
    }
    return n_open;
}

static int compare(const void *left, const void *right)
{
    const ew_keyed *x = left, *y = right;
    return (x->name > y->name) - (x->name < y->name);
}

/* In the order of their names. */
static ew_status double_all(ew_local *local, const ew_list *vertex, const slit *s)
{
    ew_keyed *list;
    ew_status status = EW_OK;
    EW_TRY(ew_new(&list, (size_t)vertex->n, sizeof *list));
    for (int32_t i = 0; i < vertex->n; i++) {
        const int32_t v = vertex->id[i];
        list[i] = (ew_keyed){0.0, local->vertex[v].name, v};
    }
    qsort(list, (size_t)vertex->n, sizeof *list, compare);
    for (int32_t i = 0; i < vertex->n && !status; i++) {
        status = double_vertex(local, list[i].slot, s);
    }
    ew_release(list);
    return status;
}

static ew_status make_records(ew_cutter *c, slit *s)
{
    *s = (slit){.closed = c->record, .n = c->patched.n_patch ? c->patched.n_patch : 1};
    for (int32_t k = 0; k < s->n; k++) {
        int32_t record;
        EW_TRY(ew_local_cut_record(&c->local, c->def->label, true, &record));
        c->local.face[record].patch = c->local.face[s->closed + k].patch;
        c->local.face[record].shape = c->local.face[s->closed + k].shape;
        s->open = k ? s->open : record;
    }
    return EW_OK;
}

ew_status ew_cut_open(ew_cutter *c)
{
    ew_list vertex = {0};
    slit s;
    EW_TRY(make_records(c, &s));
    ew_status status = mark_open(c, &s, &vertex);
    status = status ? status : double_all(&c->local, &vertex, &s);
    ew_list_free(&vertex);
    EW_TRY(status);
    return close_shared(&c->local, &s)
               ? EW_OK
               : ew_fail(EW_BAD_EDIT, "cut: the box holds too few faces of the surface to open "
                                      "them, all at the front; refine there first");
}
