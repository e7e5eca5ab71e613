/* Whether a cut may be moved: what it cut off and would uncover is to be an extension of the faces
 * around it, since the mesh that is moved has nothing else of it. In: the body before it was cut,
 * the surface before and after the move. Out: EW_OK, or the vertex that would be missing. */
#include "operation/cut/cut.h"

/* Whether the cut takes away what is at x; both sides stay: nothing. */
static bool is_off(const ew_cut_shape *shape, ew_cut_keep keep, const double x[3])
{
    const double off = keep < EW_CUT_KEEP_BOTH ? shape->distance(shape, x, NULL) : 0.0;
    return keep == EW_CUT_KEEP_INSIDE ? off > 0.0 : off < 0.0;
}

/* Inner vertices, and those in flat faces and on straight edges, are in extensions. */
static ew_status check_vertex(ew_local *local, int32_t slot)
{
    ew_local_class class;
    int32_t v;
    EW_TRY(ew_local_enter(local, slot, &v));
    EW_TRY(ew_local_open(local, v));
    EW_TRY(ew_local_classify(local, v, &class));
    const double *x = local->vertex[v].x;
    return class.kind == EW_LOCAL_INNER || class.is_exact
               ? EW_OK
               : ew_fail(EW_BAD_EDIT,
                         "cut: the surface that moved would uncover a corner or a curved face of "
                         "the body, at (%g, %g, %g), that is no more in the mesh; cut again",
                         x[0], x[1], x[2]);
}

static ew_status check_all(ew_local *local, const ew_cut_def *from, const ew_cut_def *to)
{
    const ew_mesh *body = local->mesh;
    ew_cut_shape before, after;
    EW_TRY(ew_cut_shape_of(from, &before));
    EW_TRY(ew_cut_shape_of(to, &after));
    for (int32_t v = 0; v < body->n_vertex; v++) {
        const double *x = body->xyz + 3 * (size_t)v;
        if (ew_mesh_vertex_is_active(body, v) && is_off(&before, from->keep, x) &&
            !is_off(&after, to->keep, x)) {
            EW_TRY(check_vertex(local, v));
        }
    }
    return EW_OK;
}

ew_status ew_cut_check_move(const ew_mesh *body, const ew_topology *topology,
                            const ew_cut_def *from, const ew_cut_def *to)
{
    ew_local local = {0};
    EW_TRY(ew_need_current("cut", topology, body));
    if (from->kind == EW_CUT_SURFACE || to->kind == EW_CUT_SURFACE) {
        return EW_OK; /* is not moved */
    }
    ew_status status = ew_local_init(&local, body, topology);
    status = status ? status : check_all(&local, from, to);
    ew_local_free(&local);
    return status;
}
