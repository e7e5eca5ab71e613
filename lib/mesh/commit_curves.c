/* Curved sides in a commit. In: a batch whose removed tets are known, with the curves that it gives
 * to sides. Out: the curved sides after it. A curve is kept as long as some tet has its side,
 * wherever the ends move; a side without tets loses it. Only sides of removed tets and those that
 * the batch names are looked at. */
#include "mesh/internal.h"

#include <math.h>
#include <string.h>

/* A side whose curve may become another one. */
typedef struct ew_batch_side {
    int64_t end[2]; /* ids of its vertices, the lower first */
    double curve[3];
    bool is_given; /* by the batch: `curve`; else the side keeps the curve that it has, */
    bool exists;   /* if a tet has the side after the batch */
} side;

typedef struct sides {
    const ew_batch *batch;
    ew_map place; /* by the names of the ends, the lower first */
    int32_t capacity;
    side *of; /* [place.n] owned */
} sides;

ew_status ew_edit_check_curves(const ew_edit *edit, const ew_mesh *mesh)
{
    for (int32_t i = 0; i < edit->n_curve; i++) {
        const int32_t *end = edit->curve_end + 2 * (size_t)i;
        const double *curve = edit->curve + 3 * (size_t)i;
        for (int k = 0; k < 2; k++) {
            if (end[0] == end[1] ||
                !(end[k] >= 0
                      ? end[k] < mesh->n_vertex
                      : end[k] <= EW_NEW_VERTEX(0) && EW_NEW_VERTEX(end[k]) < edit->n_add_vertex)) {
                return ew_fail(EW_BAD_EDIT,
                               "edit: curve %d of the queue is between %d and %d; give "
                               "two vertices",
                               (int)i, (int)end[0], (int)end[1]);
            }
        }
        if (!isfinite(curve[0]) || !isfinite(curve[1]) || !isfinite(curve[2])) {
            return ew_fail(EW_BAD_EDIT,
                           "edit: curve %d of the queue is (%g, %g, %g); give finite "
                           "numbers",
                           (int)i, curve[0], curve[1], curve[2]);
        }
    }
    return EW_OK;
}

/* ---- which sides ------------------------------------------------------------------ */

static int64_t id_of(const ew_mesh *mesh, int32_t name)
{
    return name >= 0 ? mesh->vertex_id[name] : mesh->next_vertex_id + EW_NEW_VERTEX(name);
}

/* A side that is entered before stays as it is. */
static ew_status enter(sides *all, int32_t a, int32_t b, const double *given)
{
    const ew_mesh *mesh = all->batch->mesh;
    const int64_t x = id_of(mesh, a), y = id_of(mesh, b);
    const int32_t n = all->place.n;
    int32_t before;
    EW_TRY(ew_grow(&all->of, &all->capacity, (int64_t)n + 1, sizeof *all->of));
    EW_TRY(ew_map_enter(&all->place, a < b ? a : b, a < b ? b : a, -1, n, &before));
    if (before < 0) {
        all->of[n] = (side){.end = {x < y ? x : y, x < y ? y : x}, .is_given = given != NULL};
        memcpy(all->of[n].curve, given ? given : (const double[3]){0.0}, 3 * sizeof *given);
    }
    return EW_OK;
}

static ew_status list_sides(sides *all)
{
    const ew_mesh *mesh = all->batch->mesh;
    const ew_edit *edit = all->batch->edit;
    for (int32_t i = 0; i < edit->n_curve; i++) {
        const int32_t *end = edit->curve_end + 2 * (size_t)i;
        EW_TRY(enter(all, end[0], end[1], edit->curve + 3 * (size_t)i));
    }
    for (int32_t i = 0; i < 6 * edit->remove_tet.n; i++) {
        const int32_t *v = mesh->tet + 4 * (size_t)edit->remove_tet.id[i / 6];
        const int32_t a = v[ew_edge_vertex[i % 6][0]], b = v[ew_edge_vertex[i % 6][1]];
        EW_TRY(ew_mesh_curve(mesh, mesh->vertex_id[a], mesh->vertex_id[b]) ? enter(all, a, b, NULL)
                                                                           : EW_OK);
    }
    return EW_OK;
}

/* ---- whether a tet has them ------------------------------------------------------- */

static void mark_sides_of(sides *all, const int32_t *v)
{
    for (int e = 0; e < 6; e++) {
        const int32_t a = v[ew_edge_vertex[e][0]], b = v[ew_edge_vertex[e][1]];
        const int32_t place = ew_map_find(&all->place, a < b ? a : b, a < b ? b : a, -1);
        if (place >= 0) {
            all->of[place].exists = true;
        }
    }
}

static bool stays(const ew_batch *batch, int32_t tet)
{
    return ew_mesh_tet_is_live(batch->mesh, tet) &&
           !ew_set_has(&batch->change->commit.gone_tet, tet);
}

static ew_status mark_kept(sides *all)
{
    const ew_batch *batch = all->batch;
    for (int32_t t = 0; t < batch->mesh->n_tet && !batch->vertex_to_tet; t++) {
        if (stays(batch, t)) {
            mark_sides_of(all, batch->mesh->tet + 4 * (size_t)t);
        }
    }
    for (int32_t i = 0; i < all->place.n && batch->vertex_to_tet; i++) {
        const int32_t low = all->place.entry[4 * (size_t)i], *tet;
        int32_t n = 0;
        const bool looks = low >= 0 && !all->of[i].exists && batch->mesh->valence[low] > 0;
        EW_TRY(looks ? ew_batch_tets_of(batch, low, &tet, &n) : EW_OK);
        for (int32_t k = 0; k < n && !all->of[i].exists; k++) {
            if (stays(batch, tet[k])) {
                mark_sides_of(all, batch->mesh->tet + 4 * (size_t)tet[k]);
            }
        }
    }
    return EW_OK;
}

/* ---- the list --------------------------------------------------------------------- */

/* Sides of which nothing changes are left out. */
static int32_t keep_changes(side *of, int32_t n)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < n; i++) {
        if (of[i].is_given || !of[i].exists) {
            of[kept++] = of[i];
        }
    }
    return kept;
}

ew_status ew_batch_find_curves(ew_batch *batch)
{
    const ew_edit *edit = batch->edit;
    sides all = {.batch = batch};
    ew_status status = EW_OK;
    if (!batch->mesh->n_curve) {
        return EW_OK;
    }
    EW_TRY(ew_edit_check_curves(edit, batch->mesh));
    EW_TRY_OUT(list_sides(&all));
    for (int32_t i = 0; i < edit->n_add_tet && all.place.n; i++) {
        mark_sides_of(&all, edit->add_tet + 4 * (size_t)i);
    }
    EW_TRY_OUT(mark_kept(&all));
    batch->n_side = keep_changes(all.of, all.place.n);
    EW_TRY_OUT(ew_mesh_reserve_curves(batch->mesh, batch->n_side));
out:
    batch->side = all.of;
    ew_map_free(&all.place);
    return status;
}

void ew_batch_put_curves(const ew_batch *batch)
{
    for (int32_t i = 0; i < batch->n_side; i++) {
        const side *of = &batch->side[i];
        const bool is_curved = of->curve[0] != 0.0 || of->curve[1] != 0.0 || of->curve[2] != 0.0;
        if (of->exists && is_curved) {
            ew_mesh_put_curve(batch->mesh, of->end, of->curve);
        } else {
            ew_mesh_drop_curve(batch->mesh, of->end);
        }
    }
}
