/* Who sends and receives values of which vertices. In: a part, its table of tets by vertex. Out:
 * for each other part the owned vertices that are its ghosts, and the ghosts that it owns. An owned
 * vertex is a ghost of each part that owns another corner of one of its tets, for that part has the
 * tet. */
#include "subdomain/internal.h"

#include <string.h>

/* Parts that have the owned vertex as a ghost, each once, appended to an empty list. */
static ew_status list_parts(const ew_subdomain *subdomain, const ew_rows *vertex_to_tet, int32_t v,
                            ew_list *part)
{
    const int32_t *tet =
        vertex_to_tet->item + (vertex_to_tet->count[v] ? vertex_to_tet->begin[v] : 0);
    for (int32_t i = 0; i < vertex_to_tet->count[v]; i++) {
        const int32_t *corner = subdomain->mesh.tet + 4 * (size_t)tet[i];
        for (int k = 0; k < 4; k++) {
            const int32_t p = ew_subdomain_part_of(subdomain, corner[k]);
            bool known = p == subdomain->part;
            for (int32_t j = 0; j < part->n && !known; j++) {
                known = part->id[j] == p;
            }
            EW_TRY(known ? EW_OK : ew_list_push(part, p));
        }
    }
    return EW_OK;
}

/* ---- all ------------------------------------------------------------------------- */

/* One pass counts, the next one enters. */
static ew_status pass_over(ew_subdomain *subdomain, const ew_rows *vertex_to_tet, bool enters,
                           int32_t *n_send, int32_t *n_receive)
{
    const ew_mesh *mesh = &subdomain->mesh;
    ew_list part = {0};
    ew_status status = EW_OK;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (mesh->valence[v] <= 0) {
            continue;
        }
        const int32_t owner = ew_subdomain_part_of(subdomain, v);
        part.n = 0;
        if (owner == subdomain->part) {
            EW_TRY_OUT(list_parts(subdomain, vertex_to_tet, v, &part));
        } else if (enters) {
            ew_rows_append1(&subdomain->receive, owner, v);
        } else {
            n_receive[owner]++;
        }
        for (int32_t i = 0; i < part.n; i++) {
            if (enters) {
                ew_rows_append1(&subdomain->send, part.id[i], v);
            } else {
                n_send[part.id[i]]++;
            }
        }
    }
out:
    ew_list_free(&part);
    return status;
}

ew_status ew_subdomain_plan(ew_subdomain *subdomain, const ew_rows *vertex_to_tet)
{
    int32_t *count = NULL;
    const int32_t n = subdomain->n_part;
    ew_status status;
    ew_rows_free(&subdomain->send);
    ew_rows_free(&subdomain->receive);
    EW_TRY_OUT(ew_new_zero(&count, 2 * (size_t)n, sizeof *count));
    EW_TRY_OUT(pass_over(subdomain, vertex_to_tet, false, count, count + n));
    EW_TRY_OUT(ew_rows_init(&subdomain->send, n, 1, count));
    EW_TRY_OUT(ew_rows_init(&subdomain->receive, n, 1, count + n));
    EW_TRY_OUT(pass_over(subdomain, vertex_to_tet, true, NULL, NULL));
out:
    ew_release(count);
    return status;
}

/* ---- after a commit ---------------------------------------------------------------- */

static ew_status set_row(ew_rows *rows, int32_t part, int32_t v, bool wanted)
{
    const bool is_there = ew_rows_find(rows, part, v) >= 0;
    if (wanted && !is_there) {
        return ew_rows_insert(rows, part, &v);
    }
    if (!wanted && is_there) {
        ew_rows_remove(rows, part, v);
    }
    return EW_OK;
}

static ew_status follow_vertex(ew_subdomain *subdomain, const ew_rows *vertex_to_tet, int32_t v,
                               ew_list *part)
{
    const int32_t owner = ew_subdomain_part_of(subdomain, v);
    if (owner != subdomain->part) {
        return set_row(&subdomain->receive, owner, v, subdomain->mesh.valence[v] > 0);
    }
    part->n = 0;
    EW_TRY(list_parts(subdomain, vertex_to_tet, v, part));
    for (int32_t p = 0; p < subdomain->n_part; p++) {
        bool wanted = false;
        for (int32_t i = 0; i < part->n; i++) {
            wanted = wanted || part->id[i] == p;
        }
        if (wanted || subdomain->send.count[p]) {
            EW_TRY(set_row(&subdomain->send, p, v, wanted));
        }
    }
    return EW_OK;
}

ew_status ew_subdomain_follow(ew_subdomain *subdomain, const ew_rows *vertex_to_tet,
                              const ew_change *change)
{
    ew_list touched = {0}, part = {0};
    ew_status status = EW_OK;
    for (int32_t i = 0; i < 4 * change->removed_tet.n; i++) {
        EW_TRY_OUT(ew_list_push(&touched, change->removed_tet_vertex[i]));
    }
    for (int32_t i = 0; i < 4 * change->added_tet.n; i++) {
        const int32_t t = change->added_tet.id[i / 4];
        EW_TRY_OUT(ew_list_push(&touched, subdomain->mesh.tet[4 * (size_t)t + (size_t)(i % 4)]));
    }
    ew_list_sort_unique(&touched);
    for (int32_t i = 0; i < touched.n; i++) {
        EW_TRY_OUT(follow_vertex(subdomain, vertex_to_tet, touched.id[i], &part));
    }
out:
    ew_list_free(&touched);
    ew_list_free(&part);
    return status;
}

/* ---- values -------------------------------------------------------------------------- */

void ew_subdomain_take_values(const ew_subdomain *subdomain, int32_t to, size_t size,
                              const void *value, void *message)
{
    const ew_rows *rows = &subdomain->send;
    for (int32_t i = 0; i < rows->count[to]; i++) {
        memcpy((char *)message + size * (size_t)i,
               (const char *)value + size * (size_t)rows->item[rows->begin[to] + i], size);
    }
}

void ew_subdomain_put_values(const ew_subdomain *subdomain, int32_t from, size_t size,
                             const void *message, void *value)
{
    const ew_rows *rows = &subdomain->receive;
    for (int32_t i = 0; i < rows->count[from]; i++) {
        memcpy((char *)value + size * (size_t)rows->item[rows->begin[from] + i],
               (const char *)message + size * (size_t)i, size);
    }
}
