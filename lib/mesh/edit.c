/* The queues of an edit. In: one request at a time, unchecked. Out: the batch that
 * ew_mesh_commit applies, and the release of it and of the change. */
#include "mesh/parts/mesh.h"

#include <string.h>

ew_status ew_edit_add_vertex(ew_edit *edit, const double xyz[3], int32_t *vertex)
{
    return ew_edit_add_vertex_from(edit, xyz, -1, -1, vertex);
}

ew_status ew_edit_add_vertex_from(ew_edit *edit, const double xyz[3], int32_t a, int32_t b,
                                  int32_t *vertex)
{
    int32_t k = edit->n_add_vertex;
    /* EW_NEW_VERTEX(k) must be an int32_t. */
    if (k == INT32_MAX - 1) {
        return ew_fail(EW_LIMIT, "edit: %d vertices are queued; commit them first", k);
    }
    EW_TRY(ew_grow(&edit->add_vertex, &edit->add_vertex_capacity, (int64_t)k + 1,
                   3 * sizeof *edit->add_vertex));
    EW_TRY(ew_grow(&edit->add_parent, &edit->parent_capacity, (int64_t)k + 1,
                   2 * sizeof *edit->add_parent));
    memcpy(edit->add_vertex + 3 * (size_t)k, xyz, 3 * sizeof *xyz);
    edit->add_parent[2 * (size_t)k] = a;
    edit->add_parent[2 * (size_t)k + 1] = b;
    edit->n_add_vertex++;
    if (vertex) {
        *vertex = EW_NEW_VERTEX(k);
    }
    return EW_OK;
}

/* Earlier vertices without a fraction of their own are midpoints. */
ew_status ew_edit_add_vertex_between(ew_edit *edit, const double xyz[3], int32_t a, int32_t b,
                                     double fraction, int32_t *vertex)
{
    const int32_t k = edit->n_add_vertex;
    EW_TRY(ew_grow(&edit->add_fraction, &edit->fraction_capacity, (int64_t)k + 1,
                   sizeof *edit->add_fraction));
    EW_TRY(ew_edit_add_vertex_from(edit, xyz, a, b, vertex));
    while (edit->n_fraction < k) {
        edit->add_fraction[edit->n_fraction++] = 0.5;
    }
    edit->add_fraction[edit->n_fraction++] = fraction;
    return EW_OK;
}

ew_status ew_edit_add_face_origin(ew_edit *edit, const int32_t face[3], const int32_t old[3])
{
    const int32_t n = edit->n_face_origin;
    EW_TRY(ew_grow(&edit->face_origin, &edit->origin_capacity, (int64_t)n + 1,
                   6 * sizeof *edit->face_origin));
    memcpy(edit->face_origin + 6 * (size_t)n, face, 3 * sizeof *face);
    memcpy(edit->face_origin + 6 * (size_t)n + 3, old, 3 * sizeof *old);
    edit->n_face_origin++;
    return EW_OK;
}

ew_status ew_edit_merge_vertex(ew_edit *edit, int32_t vertex, int32_t into)
{
    const int32_t n = edit->n_merge;
    EW_TRY(ew_grow(&edit->merge, &edit->merge_capacity, (int64_t)n + 1, 2 * sizeof *edit->merge));
    EW_TRY(ew_edit_remove_vertex(edit, vertex));
    edit->merge[2 * (size_t)n] = vertex;
    edit->merge[2 * (size_t)n + 1] = into;
    edit->n_merge++;
    return EW_OK;
}

ew_status ew_edit_add_vertex_in(ew_edit *edit, const double xyz[3], const int32_t corner[4],
                                const double weight[4], int32_t *vertex)
{
    const int32_t n = edit->n_inside;
    EW_TRY(ew_grow(&edit->inside, &edit->inside_capacity, (int64_t)n + 1, sizeof *edit->inside));
    edit->inside[n] = (ew_inside){.place = edit->n_add_vertex};
    memcpy(edit->inside[n].corner, corner, sizeof edit->inside[n].corner);
    memcpy(edit->inside[n].weight, weight, sizeof edit->inside[n].weight);
    EW_TRY(ew_edit_add_vertex(edit, xyz, vertex));
    edit->n_inside = n + 1;
    return EW_OK;
}

ew_status ew_edit_add_tet(ew_edit *edit, const int32_t tet[4], int32_t region_label)
{
    return ew_edit_add_tet_from(edit, tet, region_label, -1);
}

ew_status ew_edit_add_tet_from(ew_edit *edit, const int32_t tet[4], int32_t region_label,
                               int32_t from)
{
    int64_t need = (int64_t)edit->n_add_tet + 1;
    EW_TRY(ew_grow(&edit->add_tet, &edit->add_tet_capacity, need, 4 * sizeof *edit->add_tet));
    EW_TRY(ew_grow(&edit->add_tet_region, &edit->add_region_capacity, need,
                   sizeof *edit->add_tet_region));
    EW_TRY(ew_grow(&edit->add_tet_from, &edit->add_from_capacity, need, sizeof from));
    edit->parts_of = 0;
    memcpy(edit->add_tet + 4 * (size_t)edit->n_add_tet, tet, 4 * sizeof *tet);
    edit->add_tet_from[edit->n_add_tet] = from;
    edit->add_tet_region[edit->n_add_tet++] = region_label;
    return EW_OK;
}

ew_status ew_edit_add_face(ew_edit *edit, const int32_t face[3], int32_t label)
{
    int64_t need = (int64_t)edit->n_add_face + 1;
    EW_TRY(ew_grow(&edit->add_face, &edit->add_face_capacity, need, 3 * sizeof *edit->add_face));
    EW_TRY(ew_grow(&edit->add_face_label, &edit->add_label_capacity, need,
                   sizeof *edit->add_face_label));
    memcpy(edit->add_face + 3 * (size_t)edit->n_add_face, face, 3 * sizeof *face);
    edit->add_face_label[edit->n_add_face++] = label;
    return EW_OK;
}

ew_status ew_edit_remove_tet(ew_edit *edit, int32_t tet)
{
    edit->parts_of = 0;
    return ew_list_push(&edit->remove_tet, tet);
}

ew_status ew_edit_remove_vertex(ew_edit *edit, int32_t vertex)
{
    return ew_list_push(&edit->remove_vertex, vertex);
}

ew_status ew_edit_move_vertex(ew_edit *edit, int32_t vertex, const double xyz[3])
{
    int32_t k = edit->move_vertex.n;
    EW_TRY(
        ew_grow(&edit->move_to, &edit->move_capacity, (int64_t)k + 1, 3 * sizeof *edit->move_to));
    EW_TRY(ew_list_push(&edit->move_vertex, vertex));
    memcpy(edit->move_to + 3 * (size_t)k, xyz, 3 * sizeof *xyz);
    return EW_OK;
}

ew_status ew_edit_add_curve(ew_edit *edit, int32_t a, int32_t b, const double curve[3])
{
    const int32_t n = edit->n_curve;
    EW_TRY(ew_grow(&edit->curve_end, &edit->curve_end_capacity, (int64_t)n + 1,
                   2 * sizeof *edit->curve_end));
    EW_TRY(ew_grow(&edit->curve, &edit->curve_capacity, (int64_t)n + 1, 3 * sizeof *edit->curve));
    edit->curve_end[2 * (size_t)n] = a;
    edit->curve_end[2 * (size_t)n + 1] = b;
    memcpy(edit->curve + 3 * (size_t)n, curve, 3 * sizeof *curve);
    edit->n_curve++;
    return EW_OK;
}

void ew_edit_clear(ew_edit *edit)
{
    edit->n_add_vertex = edit->n_add_tet = edit->n_add_face = 0;
    edit->n_fraction = edit->n_face_origin = edit->n_merge = 0;
    edit->n_inside = edit->n_curve = 0;
    edit->remove_tet.n = edit->remove_vertex.n = edit->move_vertex.n = 0;
    edit->parts_of = 0;
}

void ew_edit_free(ew_edit *edit)
{
    ew_release(edit->add_vertex);
    ew_release(edit->add_parent);
    ew_release(edit->add_fraction);
    ew_release(edit->face_origin);
    ew_release(edit->merge);
    ew_release(edit->inside);
    ew_release(edit->curve_end);
    ew_release(edit->curve);
    ew_release(edit->add_tet_from);
    ew_release(edit->add_tet);
    ew_release(edit->add_tet_region);
    ew_release(edit->add_face);
    ew_release(edit->add_face_label);
    ew_release(edit->move_to);
    ew_list_free(&edit->remove_tet);
    ew_list_free(&edit->remove_vertex);
    ew_list_free(&edit->move_vertex);
    memset(edit, 0, sizeof *edit);
}

void ew_change_free(ew_change *change)
{
    ew_list_free(&change->added_vertex);
    ew_release(change->added_parent);
    ew_release(change->added_fraction);
    ew_release(change->face_origin);
    ew_release(change->merge);
    ew_release(change->inside);
    ew_release(change->added_tet_from);
    ew_list_free(&change->removed_vertex);
    ew_list_free(&change->moved_vertex);
    ew_list_free(&change->removed_tet);
    ew_release(change->removed_tet_vertex);
    ew_list_free(&change->added_tet);
    ew_list_free(&change->moved_tet);
    ew_list_free(&change->emptied_vertex);
    ew_list_free(&change->filled_vertex);
    ew_set_free(&change->commit.gone_tet);
    ew_set_free(&change->commit.gone_vertex);
    ew_set_free(&change->commit.moved_vertex);
    ew_set_free(&change->commit.moved_tet);
    ew_set_free(&change->commit.corner);
    ew_list_free(&change->commit.new_region);
    ew_release(change->commit.face);
    ew_release(change->commit.old_position);
    memset(change, 0, sizeof *change);
}
