/* What the tests of edits share: a cube of tets, the table of tets by vertex built by
 * scanning, comparison of meshes and changes, and a pair of equal meshes that take each batch
 * with the table and without. */
#ifndef EW_EDIT_FIXTURE_H
#define EW_EDIT_FIXTURE_H

#include "mesh/parts/mesh.h"
#include "testlib.h"

#include <stdlib.h>
#include <string.h>

/* The unit cube in `cells`^3 cells of six tets along the main diagonals. */
static inline void make_cube(ew_mesh *mesh, int32_t cells)
{
    static const int8_t path[6][2] = {{1, 3}, {3, 2}, {2, 6}, {6, 4}, {4, 5}, {5, 1}};
    int32_t side = cells + 1, n_vertex = side * side * side, n_tet = 6 * cells * cells * cells;
    double *xyz = malloc(3 * (size_t)n_vertex * sizeof *xyz);
    int32_t *tet = malloc(4 * (size_t)n_tet * sizeof *tet), *t = tet;
    for (int32_t v = 0; v < n_vertex; v++) {
        int32_t place[3] = {v % side, v / side % side, v / (side * side)};
        for (int i = 0; i < 3; i++) {
            xyz[3 * v + i] = (double)place[i] / cells;
        }
    }
    for (int32_t c = 0; c < cells * cells * cells; c++) {
        int32_t corner[8];
        for (int32_t k = 0; k < 8; k++) {
            corner[k] = (c % cells + k % 2) + side * (c / cells % cells + k / 2 % 2) +
                        side * side * (c / (cells * cells) + k / 4);
        }
        for (int w = 0; w < 6; w++, t += 4) {
            t[0] = corner[0];
            t[1] = corner[path[w][0]];
            t[2] = corner[path[w][1]];
            t[3] = corner[7];
        }
    }
    ew_mesh_def def = {n_vertex, xyz, n_tet, tet, NULL, 0, NULL, NULL};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(mesh, &def, NULL), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_mesh_check(mesh), EW_OK);
    free(xyz);
    free(tet);
}

static inline void make_table(ew_rows *rows, const ew_mesh *mesh)
{
    int32_t *count = calloc((size_t)mesh->n_vertex + 1, sizeof *count);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        count[v] = mesh->valence[v] > 0 ? mesh->valence[v] : 0;
    }
    CU_ASSERT_EQUAL_FATAL(ew_rows_init(rows, mesh->n_vertex, 1, count), EW_OK);
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        for (int k = 0; ew_mesh_tet_is_live(mesh, t) && k < 4; k++) {
            ew_rows_append1(rows, mesh->tet[4 * t + k], t);
        }
    }
    free(count);
}

static inline bool same_bytes(const void *a, const void *b, int64_t n, size_t size)
{
    return n == 0 || memcmp(a, b, (size_t)n * size) == 0;
}

static inline bool same_list(const ew_list *a, const ew_list *b)
{
    return a->n == b->n && same_bytes(a->id, b->id, a->n, sizeof *a->id);
}

/* All but pointers and capacities. */
static inline bool same_mesh(const ew_mesh *a, const ew_mesh *b)
{
    return a->n_vertex == b->n_vertex && a->n_tet == b->n_tet &&
           a->n_active_vertex == b->n_active_vertex && a->n_live_tet == b->n_live_tet &&
           a->n_region == b->n_region && a->n_face == b->n_face &&
           a->face_id_end == b->face_id_end && a->next_vertex_id == b->next_vertex_id &&
           a->next_tet_id == b->next_tet_id && a->frame == b->frame && a->revision == b->revision &&
           same_list(&a->vertex_hole, &b->vertex_hole) && same_list(&a->tet_hole, &b->tet_hole) &&
           same_bytes(a->xyz, b->xyz, a->n_vertex, 3 * sizeof *a->xyz) &&
           same_bytes(a->valence, b->valence, a->n_vertex, sizeof *a->valence) &&
           same_bytes(a->vertex_id, b->vertex_id, a->n_vertex, sizeof *a->vertex_id) &&
           same_bytes(a->tet, b->tet, a->n_tet, 4 * sizeof *a->tet) &&
           same_bytes(a->region, b->region, a->n_tet, sizeof *a->region) &&
           same_bytes(a->tet_id, b->tet_id, a->n_tet, sizeof *a->tet_id) &&
           same_bytes(a->born, b->born, a->n_tet, sizeof *a->born) &&
           same_bytes(a->region_label, b->region_label, a->n_region, sizeof *a->region_label) &&
           same_bytes(a->face, b->face, a->n_face, 3 * sizeof *a->face) &&
           same_bytes(a->face_label, b->face_label, a->n_face, sizeof *a->face_label);
}

/* What the mesh writes. */
static inline bool same_change(const ew_change *a, const ew_change *b)
{
    return a->from_revision == b->from_revision && a->to_revision == b->to_revision &&
           a->n_vertex_before == b->n_vertex_before && a->n_tet_before == b->n_tet_before &&
           same_list(&a->added_vertex, &b->added_vertex) &&
           same_list(&a->removed_vertex, &b->removed_vertex) &&
           same_list(&a->moved_vertex, &b->moved_vertex) &&
           same_list(&a->removed_tet, &b->removed_tet) &&
           same_bytes(a->removed_tet_vertex, b->removed_tet_vertex, a->removed_tet.n,
                      4 * sizeof(int32_t)) &&
           same_list(&a->added_tet, &b->added_tet) && same_list(&a->moved_tet, &b->moved_tet) &&
           same_list(&a->emptied_vertex, &b->emptied_vertex) &&
           same_list(&a->filled_vertex, &b->filled_vertex);
}

static inline void add_tet(ew_edit *edit, int32_t a, int32_t b, int32_t c, int32_t d)
{
    CU_ASSERT_EQUAL(ew_edit_add_tet(edit, (int32_t[4]){a, b, c, d}, 0), EW_OK);
}

static inline int32_t add_vertex(ew_edit *edit, double x, double y, double z)
{
    int32_t v = 0;
    CU_ASSERT_EQUAL(ew_edit_add_vertex(edit, (double[3]){x, y, z}, &v), EW_OK);
    return v;
}

static inline void move_vertex(ew_edit *edit, int32_t v, double x, double y, double z)
{
    CU_ASSERT_EQUAL(ew_edit_move_vertex(edit, v, (double[3]){x, y, z}), EW_OK);
}

/* ---- the same batch on two meshes, with the table and without ----------- */

typedef struct pair {
    ew_mesh mesh, other;
    ew_change change, other_change;
    ew_edit edit;
} pair;

static inline void pair_begin(pair *p, int32_t cells)
{
    memset(p, 0, sizeof *p);
    make_cube(&p->mesh, cells);
    CU_ASSERT_EQUAL_FATAL(ew_mesh_copy(&p->other, &p->mesh), EW_OK);
}

static inline void pair_end(pair *p)
{
    ew_mesh_free(&p->mesh);
    ew_mesh_free(&p->other);
    ew_change_free(&p->change);
    ew_change_free(&p->other_change);
    ew_edit_free(&p->edit);
}

static inline bool change_is_empty(const ew_change *change, const ew_mesh *mesh)
{
    return change->from_revision == mesh->revision && change->to_revision == mesh->revision &&
           change->added_vertex.n + change->removed_vertex.n + change->moved_vertex.n +
                   change->removed_tet.n + change->added_tet.n + change->moved_tet.n +
                   change->emptied_vertex.n + change->filled_vertex.n ==
               0;
}

/* Commits the queued edit to both and clears it; a refusal must leave all as it was. */
static inline ew_status pair_commit(pair *p)
{
    ew_mesh before;
    ew_rows table;
    CU_ASSERT_EQUAL_FATAL(ew_mesh_copy(&before, &p->mesh), EW_OK);
    make_table(&table, &p->mesh);
    ew_status other = ew_mesh_commit(&p->other, &p->edit, NULL, &p->other_change);
    ew_status status = ew_mesh_commit(&p->mesh, &p->edit, &table, &p->change);
    CU_ASSERT_EQUAL(status, other);
    CU_ASSERT(same_mesh(&p->mesh, &p->other));
    CU_ASSERT(same_change(&p->change, &p->other_change));
    CU_ASSERT_EQUAL(ew_mesh_check(&p->mesh), EW_OK);
    if (status) {
        CU_ASSERT(same_mesh(&p->mesh, &before));
        CU_ASSERT(change_is_empty(&p->change, &p->mesh));
    }
    ew_rows_free(&table);
    ew_mesh_free(&before);
    ew_edit_clear(&p->edit);
    return status;
}

#endif
