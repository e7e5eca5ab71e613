/* Queues of an edit as wholes. In: arrays, or another queue. Out: a queue that has all of them, or
 * where there is no memory none. */
#include "mesh/parts/mesh.h"

#include <string.h>

static ew_status check_count(int32_t n)
{
    return n >= 0 ? EW_OK
                  : ew_fail(EW_BAD_ARGUMENT, "edit: %d entities to be queued, must be >= 0", n);
}

ew_status ew_edit_add_vertices(ew_edit *edit, int32_t n, const double *xyz, int32_t *first)
{
    const int32_t before = edit->n_add_vertex;
    const int64_t need = (int64_t)before + n;
    EW_TRY(check_count(n));
    if (need > INT32_MAX - 1) { /* names must be int32_t */
        return ew_fail(EW_LIMIT, "edit: %d vertices are queued; commit them first", before);
    }
    EW_TRY(ew_grow(&edit->add_vertex, &edit->add_vertex_capacity, need, 3 * sizeof *xyz));
    EW_TRY(ew_grow(&edit->add_parent, &edit->parent_capacity, need, 2 * sizeof(int32_t)));
    if (n) {
        memcpy(edit->add_vertex + 3 * (size_t)before, xyz, 3 * (size_t)n * sizeof *xyz);
        memset(edit->add_parent + 2 * (size_t)before, -1, 2 * (size_t)n * sizeof(int32_t));
    }
    edit->n_add_vertex += n;
    if (first) {
        *first = EW_NEW_VERTEX(before);
    }
    return EW_OK;
}

ew_status ew_edit_add_tets(ew_edit *edit, int32_t n, const int32_t *tet, const int32_t *region)
{
    const size_t before = (size_t)edit->n_add_tet;
    const int64_t need = (int64_t)edit->n_add_tet + n;
    EW_TRY(check_count(n));
    EW_TRY(ew_grow(&edit->add_tet, &edit->add_tet_capacity, need, 4 * sizeof *tet));
    EW_TRY(ew_grow(&edit->add_tet_region, &edit->add_region_capacity, need, sizeof *tet));
    EW_TRY(ew_grow(&edit->add_tet_from, &edit->add_from_capacity, need, sizeof *tet));
    edit->parts_of = 0;
    if (n) {
        memcpy(edit->add_tet + 4 * before, tet, 4 * (size_t)n * sizeof *tet);
        memset(edit->add_tet_from + before, -1, (size_t)n * sizeof *tet);
        if (region) {
            memcpy(edit->add_tet_region + before, region, (size_t)n * sizeof *region);
        } else {
            memset(edit->add_tet_region + before, 0, (size_t)n * sizeof *region);
        }
    }
    edit->n_add_tet += n;
    return EW_OK;
}

static ew_status push_all(ew_list *list, int32_t n, const int32_t *id)
{
    EW_TRY(check_count(n));
    EW_TRY(ew_grow(&list->id, &list->capacity, (int64_t)list->n + n, sizeof *list->id));
    if (n) {
        memcpy(list->id + list->n, id, (size_t)n * sizeof *id);
    }
    list->n += n;
    return EW_OK;
}

ew_status ew_edit_remove_tets(ew_edit *edit, int32_t n, const int32_t *tet)
{
    edit->parts_of = 0;
    return push_all(&edit->remove_tet, n, tet);
}

ew_status ew_edit_remove_vertices(ew_edit *edit, int32_t n, const int32_t *vertex)
{
    return push_all(&edit->remove_vertex, n, vertex);
}

ew_status ew_edit_move_vertices(ew_edit *edit, int32_t n, const int32_t *vertex, const double *xyz)
{
    const int32_t before = edit->move_vertex.n;
    EW_TRY(check_count(n));
    EW_TRY(ew_grow(&edit->move_to, &edit->move_capacity, (int64_t)before + n, 3 * sizeof *xyz));
    EW_TRY(push_all(&edit->move_vertex, n, vertex));
    if (n) {
        memcpy(edit->move_to + 3 * (size_t)before, xyz, 3 * (size_t)n * sizeof *xyz);
    }
    return EW_OK;
}

/* ---- whole queues ---------------------------------------------------------------- */

bool ew_edit_is_empty(const ew_edit *edit)
{
    return !edit->n_add_vertex && !edit->n_add_tet && !edit->n_add_face && !edit->n_face_origin &&
           !edit->n_curve && !edit->remove_tet.n && !edit->remove_vertex.n && !edit->move_vertex.n;
}

static ew_status copy_added(ew_edit *copy, const ew_edit *edit)
{
    const int32_t n = edit->n_add_vertex, tets = edit->n_add_tet;
    EW_TRY(ew_grow_copy(&copy->add_vertex, &copy->add_vertex_capacity, edit->add_vertex, n,
                        3 * sizeof *edit->add_vertex));
    EW_TRY(ew_grow_copy(&copy->add_parent, &copy->parent_capacity, edit->add_parent, n,
                        2 * sizeof *edit->add_parent));
    EW_TRY(ew_grow_copy(&copy->add_fraction, &copy->fraction_capacity, edit->add_fraction,
                        edit->n_fraction, sizeof *edit->add_fraction));
    EW_TRY(ew_grow_copy(&copy->inside, &copy->inside_capacity, edit->inside, edit->n_inside,
                        sizeof *edit->inside));
    EW_TRY(ew_grow_copy(&copy->add_tet, &copy->add_tet_capacity, edit->add_tet, tets,
                        4 * sizeof *edit->add_tet));
    EW_TRY(ew_grow_copy(&copy->add_tet_region, &copy->add_region_capacity, edit->add_tet_region,
                        tets, sizeof *edit->add_tet_region));
    return ew_grow_copy(&copy->add_tet_from, &copy->add_from_capacity, edit->add_tet_from, tets,
                        sizeof *edit->add_tet_from);
}

static ew_status copy_faces(ew_edit *copy, const ew_edit *edit)
{
    EW_TRY(ew_grow_copy(&copy->add_face, &copy->add_face_capacity, edit->add_face, edit->n_add_face,
                        3 * sizeof *edit->add_face));
    EW_TRY(ew_grow_copy(&copy->add_face_label, &copy->add_label_capacity, edit->add_face_label,
                        edit->n_add_face, sizeof *edit->add_face_label));
    EW_TRY(ew_grow_copy(&copy->face_origin, &copy->origin_capacity, edit->face_origin,
                        edit->n_face_origin, 6 * sizeof *edit->face_origin));
    EW_TRY(ew_grow_copy(&copy->merge, &copy->merge_capacity, edit->merge, edit->n_merge,
                        2 * sizeof *edit->merge));
    EW_TRY(ew_grow_copy(&copy->curve_end, &copy->curve_end_capacity, edit->curve_end, edit->n_curve,
                        2 * sizeof *edit->curve_end));
    return ew_grow_copy(&copy->curve, &copy->curve_capacity, edit->curve, edit->n_curve,
                        3 * sizeof *edit->curve);
}

ew_status ew_edit_copy(ew_edit *copy, const ew_edit *edit)
{
    ew_edit_clear(copy);
    EW_TRY(copy_added(copy, edit));
    EW_TRY(copy_faces(copy, edit));
    EW_TRY(ew_edit_remove_tets(copy, edit->remove_tet.n, edit->remove_tet.id));
    ew_status status = ew_edit_remove_vertices(copy, edit->remove_vertex.n, edit->remove_vertex.id);
    status = status ? status
                    : ew_edit_move_vertices(copy, edit->move_vertex.n, edit->move_vertex.id,
                                            edit->move_to);
    if (status) {
        ew_edit_clear(copy);
        return status;
    }
    copy->n_add_vertex = edit->n_add_vertex;
    copy->n_fraction = edit->n_fraction;
    copy->n_inside = edit->n_inside;
    copy->n_add_tet = edit->n_add_tet;
    copy->n_add_face = edit->n_add_face;
    copy->n_face_origin = edit->n_face_origin;
    copy->n_merge = edit->n_merge;
    copy->n_curve = edit->n_curve;
    copy->parts_of = edit->parts_of;
    return EW_OK;
}
