/* Common functions of writers of names and of tets of ten nodes. In: a mesh in the order of its
 * file. Out: nodes in the middle of sides, members of groups by their numbers in the file. */
#include "format/framework/print.h"

#include <stdlib.h>
#include <string.h>

void ew_middles_free(ew_middles *middles)
{
    ew_release(middles->xyz);
    ew_map_free(&middles->place);
    memset(middles, 0, sizeof *middles);
}

static ew_status add_middle(const ew_mesh *mesh, int32_t a, int32_t b, int32_t *capacity,
                            ew_middles *to)
{
    int32_t old;
    EW_TRY(ew_map_enter(&to->place, a < b ? a : b, a < b ? b : a, -1, to->n, &old));
    if (old >= 0) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&to->xyz, capacity, (int64_t)to->n + 1, 3 * sizeof *to->xyz));
    const double *curve = ew_mesh_curve(mesh, mesh->vertex_id[a], mesh->vertex_id[b]);
    for (size_t c = 0; c < 3; c++) {
        to->xyz[3 * (size_t)to->n + c] =
            0.5 * (mesh->xyz[3 * (size_t)a + c] + mesh->xyz[3 * (size_t)b + c]) +
            (curve ? curve[c] : 0.0);
    }
    to->n++;
    return EW_OK;
}

ew_status ew_middles_make(const ew_mesh *mesh, const ew_plan *p, ew_middles *middles)
{
    int32_t capacity = 0;
    for (int32_t i = 0; i < p->n_tet && mesh->has_middles; i++) {
        const int32_t *tet = mesh->tet + 4 * (size_t)p->tet[i];
        for (int k = 0; k < 6; k++) {
            EW_TRY(add_middle(mesh, tet[ew_edge_vertex[k][0]], tet[ew_edge_vertex[k][1]], &capacity,
                              middles));
        }
    }
    return EW_OK;
}

int32_t ew_middle_number(const ew_middles *middles, const ew_plan *p, int32_t a, int32_t b)
{
    return p->n_vertex + 1 + ew_map_find(&middles->place, a < b ? a : b, a < b ? b : a, -1);
}

/* ---- members ------------------------------------------------------------------------- */

typedef struct placed {
    int64_t id;
    int32_t number;
} placed;

static int by_id(const void *a, const void *b)
{
    const int64_t first = ((const placed *)a)->id, second = ((const placed *)b)->id;
    return (first > second) - (first < second);
}

static ew_status match(const ew_group *group, const placed *list, int32_t n, ew_list *number)
{
    for (int32_t i = 0, k = 0; i < group->n_id; i++) {
        while (k < n && list[k].id < group->id[i]) {
            k++;
        }
        if (k < n && list[k].id == group->id[i]) {
            EW_TRY(ew_list_push(number, list[k].number));
        }
    }
    ew_list_sort_unique(number);
    return EW_OK;
}

ew_status ew_plan_members(const ew_mesh *mesh, const ew_plan *p, const ew_group *group,
                          ew_list *number)
{
    const bool tets = group->kind == EW_GROUP_TETS;
    const int32_t n = tets ? p->n_tet : p->n_vertex;
    placed *list = NULL;
    number->n = 0;
    EW_TRY(ew_new(&list, (size_t)n, sizeof *list));
    for (int32_t i = 0; i < n; i++) {
        list[i] = (placed){tets ? mesh->tet_id[p->tet[i]] : mesh->vertex_id[p->vertex[i]], i + 1};
    }
    if (n) {
        qsort(list, (size_t)n, sizeof *list, by_id);
    }
    const ew_status status = match(group, list, n, number);
    ew_release(list);
    return status;
}

/* ---- texts ----------------------------------------------------------------------------- */

ew_status ew_text_room(ew_text *text, size_t *capacity, size_t bytes)
{
    const size_t need = text->size + bytes + EW_MAX_HEADER;
    if (need <= *capacity) {
        return EW_OK;
    }
    char *data = NULL;
    const size_t room = need + need / 2;
    EW_TRY(ew_new(&data, room, 1));
    if (text->size) {
        memcpy(data, text->data, text->size);
    }
    ew_release(text->data);
    text->data = data;
    *capacity = room;
    return EW_OK;
}
