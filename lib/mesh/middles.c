/* Curved sides of a mesh. In: the middles of the sides of tets of ten nodes, each as often as tets
 * share it. Out: for each side that is not straight how far its middle lies beyond the mean of its
 * ends, sorted by the ends' vertex_ids, which edits never change. What an edit makes of a side is
 * the business of who follows edits (lib/model/formulation/quadratic.c). */
#include "mesh/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_ends(const void *a, const void *b)
{
    const ew_side_middle *p = a, *q = b;
    const int32_t *x = p->end, *y = q->end;
    const int order = (x[0] > y[0]) - (x[0] < y[0]);
    return order          ? order
           : x[1] != y[1] ? (x[1] > y[1]) - (x[1] < y[1])
                          : (p->tet > q->tet) - (p->tet < q->tet);
}

static bool same_side(const ew_side_middle *a, const ew_side_middle *b)
{
    return a->end[0] == b->end[0] && a->end[1] == b->end[1];
}

static ew_status check(int32_t n, const ew_side_middle *list, const double *xyz)
{
    for (int32_t i = 0; i < n; i++) {
        const double *x = xyz + 3 * (size_t)list[i].node;
        if (i && same_side(&list[i - 1], &list[i]) && list[i - 1].node != list[i].node) {
            return ew_fail_about(EW_BAD_INPUT, list[i - 1].tet, list[i].tet,
                                 "tets %d and %d share a side, whose middle is node %d in one and "
                                 "%d in the other; give them the same",
                                 list[i - 1].tet, list[i].tet, list[i - 1].node, list[i].node);
        }
        if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2])) {
            return ew_fail_about(EW_MESH_COORDINATE, list[i].tet, -1,
                                 "tet %d: the middle of a side is at (%g, %g, %g); give three "
                                 "numbers",
                                 list[i].tet, x[0], x[1], x[2]);
        }
    }
    return EW_OK;
}

/* Slots by vertex_id, which a mesh as it was read has in ascending order. */
static const double *position(const ew_mesh *mesh, int64_t id)
{
    int32_t low = 0, high = mesh->n_vertex - 1;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (mesh->vertex_id[middle] < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return mesh->xyz + 3 * (size_t)low;
}

/* curve [3] = how far the middle lies beyond that of the ends; false: no farther than rounding. */
static bool find_curve(const ew_mesh *mesh, const ew_side_middle *middle, const double *xyz,
                       double *curve)
{
    const double *a = position(mesh, middle->end[0]), *b = position(mesh, middle->end[1]);
    const double *x = xyz + 3 * (size_t)middle->node;
    double beyond = 0.0, length = 0.0;
    for (int c = 0; c < 3; c++) {
        curve[c] = x[c] - (0.5 * a[c] + 0.5 * b[c]);
        beyond = fmax(beyond, fabs(curve[c]));
        length = fmax(length, fabs(b[c] - a[c]));
    }
    return beyond > EW_STRAIGHT * length;
}

ew_status ew_mesh_set_middles(ew_mesh *mesh, int32_t n, ew_side_middle *list, const double *xyz)
{
    double curve[3];
    for (int32_t i = 0; i < n; i++) {
        if (list[i].end[0] > list[i].end[1]) {
            const int32_t end = list[i].end[0];
            list[i].end[0] = list[i].end[1];
            list[i].end[1] = end;
        }
    }
    if (n) {
        qsort(list, (size_t)n, sizeof *list, by_ends);
    }
    EW_TRY(check(n, list, xyz));
    ew_mesh made = *mesh; /* but for its curves the arrays of the mesh */
    made.curve_end = NULL;
    made.curve = NULL;
    made.curve_place = NULL;
    made.n_curve = made.curve_end_capacity = made.curve_capacity = made.n_curve_place = 0;
    made.has_middles = true;
    ew_status status = EW_OK;
    for (int32_t i = 0; i < n && !status; i++) {
        if (!(i && same_side(&list[i - 1], &list[i])) && find_curve(mesh, &list[i], xyz, curve)) {
            const int64_t end[2] = {list[i].end[0], list[i].end[1]};
            status = ew_mesh_reserve_curves(&made, 1);
            if (!status) {
                ew_mesh_put_curve(&made, end, curve);
            }
        }
    }
    status = status ? status : ew_mesh_check_curves(&made);
    const ew_mesh *old = status ? &made : mesh;
    ew_release(old->curve_end);
    ew_release(old->curve);
    ew_release(old->curve_place);
    if (!status) {
        *mesh = made;
    }
    return status;
}
