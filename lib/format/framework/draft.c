/* From arrays read from a file to a mesh. In: a draft. Out: a mesh, or the line at fault. */
#include "format/framework/draft.h"

#include <stdio.h>
#include <string.h>

/* Moves to the entry of this index. */
static ew_scan find_entry(ew_scan scan, int32_t numbers, int32_t index)
{
    for (int64_t i = 0; i < (int64_t)index * (numbers > 0 ? numbers : 1); i++) {
        char word[EW_WORD];
        ew_scan_anywhere(&scan);
        if (numbers > 0) {
            ew_scan_word(&scan, word);
        } else {
            ew_scan_leave_line(&scan);
        }
    }
    ew_scan_anywhere(&scan);
    return scan;
}

/* Shifts `width` vertices per entry; the first one out of range fails with its line. */
static ew_status shift(const ew_draft *draft, const char *what, int32_t *vertex, int32_t n,
                       int width, ew_scan begin, int32_t numbers)
{
    for (int64_t i = 0; i < (int64_t)n * width; i++) {
        int64_t v = (int64_t)vertex[i] - draft->first;
        if (v < 0 || v >= draft->n_vertex) {
            ew_scan scan = find_entry(begin, numbers, (int32_t)(i / width));
            return ew_scan_fail(&scan, "%s names vertex %d; the vertices are %d to %lld", what,
                                vertex[i], draft->first,
                                (long long)draft->n_vertex - 1 + draft->first);
        }
        vertex[i] = (int32_t)v;
    }
    return EW_OK;
}

ew_status ew_draft_shift(ew_draft *draft)
{
    EW_TRY(shift(draft, "tetrahedron", draft->tet, draft->n_tet, 4, draft->tet_scan,
                 draft->tet_numbers));
    EW_TRY(draft->middle ? shift(draft, "tetrahedron", draft->middle, draft->n_tet, 6,
                                 draft->tet_scan, draft->tet_numbers)
                         : EW_OK);
    return shift(draft, "triangle", draft->face, draft->n_face, 3, draft->face_scan,
                 draft->face_numbers);
}

/* ---- tets of ten nodes ------------------------------------------------------ */

static ew_status list_middles(ew_mesh *mesh, const int32_t *tet, const int32_t *middle,
                              ew_side_middle *list, int32_t *n)
{
    *n = 0;
    for (int64_t i = 0; i < 6 * (int64_t)mesh->n_tet; i++) {
        const int32_t of = (int32_t)(i / 6), node = middle[i];
        const int32_t *corner = tet + 4 * (size_t)of;
        if (node < 0) {
            continue;
        }
        if (mesh->valence[node] > 0) {
            return ew_fail_about(EW_BAD_INPUT, of, -1,
                                 "tet %d: node %d is the middle of a side, and elsewhere a corner",
                                 of, node);
        }
        list[(*n)++] = (ew_side_middle){.end = {corner[ew_edge_vertex[i % 6][0]],
                                                corner[ew_edge_vertex[i % 6][1]]},
                                        .node = node,
                                        .tet = of};
    }
    return EW_OK;
}

/* Middles are holes of the mesh, which closing up removes. */
static ew_status drop_middles(ew_mesh *mesh, ew_mesh_repair *repair, const ew_side_middle *list,
                              int32_t n)
{
    const uint64_t revision = mesh->revision;
    for (int32_t i = 0; i < n; i++) {
        const int32_t node = list[i].node;
        if (mesh->valence[node] == 0) {
            EW_TRY(ew_list_push(&mesh->vertex_hole, node));
            mesh->valence[node] = -1;
            repair->n_unused--;
        }
    }
    EW_TRY(ew_mesh_compact(mesh, NULL, false, NULL, NULL));
    mesh->revision = revision;
    return EW_OK;
}

ew_status ew_take_middles(ew_mesh *mesh, ew_mesh_repair *repair, const int32_t *tet,
                          const int32_t *middle, const double *xyz)
{
    ew_side_middle *list = NULL;
    int32_t n;
    ew_status status = ew_new(&list, 6 * (size_t)mesh->n_tet, sizeof *list);
    status = status ? status : list_middles(mesh, tet, middle, list, &n);
    status = status ? status : drop_middles(mesh, repair, list, n);
    status = status ? status : ew_mesh_set_middles(mesh, n, list, xyz);
    ew_release(list);
    if (status) {
        ew_mesh_free(mesh);
    }
    return status;
}

ew_status ew_draft_to_mesh(const ew_draft *draft, ew_mesh *mesh, ew_mesh_repair *repair)
{
    ew_mesh_def def = {.n_vertex = draft->n_vertex,
                       .xyz = draft->xyz,
                       .n_tet = draft->n_tet,
                       .tet = draft->tet,
                       .region = draft->region,
                       .n_face = draft->n_face,
                       .face = draft->face,
                       .face_label = draft->face_label};
    ew_mesh made;
    ew_mesh_repair repaired;
    ew_status status = ew_mesh_init(&made, &def, &repaired);
    if (!status && draft->middle) {
        status = ew_take_middles(&made, &repaired, draft->tet, draft->middle, draft->xyz);
    }
    if (status == EW_OK) {
        *mesh = made;
        if (repair) {
            *repair = repaired;
        }
        return EW_OK;
    }
    /* of two tets the second is the one to look at */
    const ew_failure *failure = ew_last_failure();
    const int64_t tet = failure->id[1] >= 0 ? failure->id[1] : failure->id[0];
    if (tet < 0) {
        return status;
    }
    ew_scan scan = find_entry(draft->tet_scan, draft->tet_numbers, (int32_t)tet);
    if (*scan.file) {
        return ew_fail_prefix(status, "%sline %lld: counted from 0", scan.file,
                              (long long)scan.line);
    }
    ew_fail_line(status, (int32_t)scan.line);
    return ew_fail_prefix(status, "counted from 0");
}

void ew_draft_free(ew_draft *draft)
{
    ew_release(draft->xyz);
    ew_release(draft->tet);
    ew_release(draft->region);
    ew_release(draft->middle);
    ew_release(draft->face);
    ew_release(draft->face_label);
    memset(draft, 0, sizeof *draft);
}
