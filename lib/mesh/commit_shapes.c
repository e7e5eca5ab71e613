/* Whether a batch of edits leaves every tet a volume. In: mesh and queues, moved vertices in their
 * final positions. Out: the first tet that has none, with its place in the queue. */
#include "mesh/internal.h"

static const double *position(const ew_batch *batch, int32_t v)
{
    return v >= 0 ? batch->mesh->xyz + 3 * (size_t)v
                  : batch->edit->add_vertex + 3 * (size_t)EW_NEW_VERTEX(v);
}

static bool has_volume(const ew_batch *batch, const int32_t v[4])
{
    return ew_tet_hand(position(batch, v[0]), position(batch, v[1]), position(batch, v[2]),
                       position(batch, v[3])) > 0;
}

static double volume(const ew_batch *batch, const int32_t v[4])
{
    return ew_tet_volume(position(batch, v[0]), position(batch, v[1]), position(batch, v[2]),
                         position(batch, v[3]));
}

static ew_status fail_moved_shape(const ew_batch *batch, int32_t t)
{
    const ew_mesh *mesh = batch->mesh;
    const ew_list *queue = &batch->edit->move_vertex;
    const int32_t *v = mesh->tet + 4 * (size_t)t;
    int32_t place = 0;
    while (queue->id[place] != v[0] && queue->id[place] != v[1] && queue->id[place] != v[2] &&
           queue->id[place] != v[3]) {
        place++;
    }
    return ew_fail_about(
        EW_BAD_EDIT, queue->id[place], t,
        "move vertex, place %d of the queue: with %s there, %s has volume %g, which is "
        "not positive or too small for its edges (6V / longest^3 < %g); move it less or "
        "remove the tet",
        place, ew_vertex_name(mesh, queue->id[place]).text, ew_tet_name(mesh, t).text,
        volume(batch, v), EW_MIN_SHAPE);
}

static ew_status check_added_shape(const ew_batch *batch, int32_t i)
{
    const int32_t *v = batch->edit->add_tet + 4 * (size_t)i;
    if (has_volume(batch, v)) {
        return EW_OK;
    }
    return ew_fail_about(EW_BAD_EDIT, v[0], v[1],
                         "add tet, place %d of the queue: volume %g between %s, %s, %s and %s "
                         "is not positive or too small for its edges (6V / longest^3 < %g); "
                         "swap two vertices if it is negative",
                         i, volume(batch, v), ew_vertex_name(batch->mesh, v[0]).text,
                         ew_vertex_name(batch->mesh, v[1]).text,
                         ew_vertex_name(batch->mesh, v[2]).text,
                         ew_vertex_name(batch->mesh, v[3]).text, EW_MIN_SHAPE);
}

static ew_status check_moved_shape(const ew_batch *batch, int32_t i)
{
    const int32_t t = batch->change->moved_tet.id[i];
    return has_volume(batch, batch->mesh->tet + 4 * (size_t)t) ? EW_OK : fail_moved_shape(batch, t);
}

ew_status ew_batch_check_shapes(const ew_batch *batch)
{
    EW_TRY(ew_batch_check_all(batch, batch->edit->n_add_tet, check_added_shape));
    return ew_batch_check_all(batch, batch->change->moved_tet.n, check_moved_shape);
}
