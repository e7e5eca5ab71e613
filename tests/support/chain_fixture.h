/* A model whose mesh goes through a file between edits, for the tests of chains of commands. */
#ifndef EW_CHAIN_FIXTURE_H
#define EW_CHAIN_FIXTURE_H

#include "ew_parts.h"
#include "format/parts/format.h"
#include "meshing/tetgen.h"
#include "model/parts/model.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline bool same_ints(const char *what, const void *a, const void *b, int32_t n, size_t size)
{
    const bool same = !n || memcmp(a, b, (size_t)n * size) == 0;
    if (!same) {
        printf("\n  other %s\n", what);
    }
    return same;
}

/* Everything that an edit may depend on: slots, holes in their order, ids, triangles, curves. */
static inline bool same_slots(const ew_mesh *a, const ew_mesh *b)
{
    bool same = a->n_vertex == b->n_vertex && a->n_tet == b->n_tet &&
                a->n_live_tet == b->n_live_tet && a->n_active_vertex == b->n_active_vertex &&
                a->next_vertex_id == b->next_vertex_id && a->next_tet_id == b->next_tet_id &&
                a->n_region == b->n_region && a->vertex_hole.n == b->vertex_hole.n &&
                a->tet_hole.n == b->tet_hole.n && a->has_middles == b->has_middles &&
                a->keeps_slots == b->keeps_slots;
    if (!same) {
        printf("\n  slots %d %d, %d %d; holes %d %d, %d %d\n", a->n_vertex, b->n_vertex, a->n_tet,
               b->n_tet, a->vertex_hole.n, b->vertex_hole.n, a->tet_hole.n, b->tet_hole.n);
        return false;
    }
    same =
        same_ints("valences", a->valence, b->valence, a->n_vertex, sizeof *a->valence) &&
        same_ints("holes", a->vertex_hole.id, b->vertex_hole.id, a->vertex_hole.n,
                  sizeof *a->vertex_hole.id) &&
        same_ints("holes", a->tet_hole.id, b->tet_hole.id, a->tet_hole.n, sizeof *a->tet_hole.id) &&
        same_ints("labels", a->region_label, b->region_label, a->n_region, sizeof *a->region_label);
    for (int32_t v = 0; v < a->n_vertex && same; v++) {
        same = a->valence[v] < 0 || (a->vertex_id[v] == b->vertex_id[v] &&
                                     !memcmp(a->xyz + 3 * v, b->xyz + 3 * v, 3 * sizeof *a->xyz));
    }
    for (int32_t t = 0; t < a->n_tet && same; t++) {
        const bool live = ew_mesh_tet_is_live(a, t);
        same = live == ew_mesh_tet_is_live(b, t) &&
               (!live || (a->tet_id[t] == b->tet_id[t] && a->region[t] == b->region[t] &&
                          !memcmp(a->tet + 4 * t, b->tet + 4 * t, 4 * sizeof *a->tet)));
    }
    return same;
}

/* Triangles whose vertices are there, one by one. */
static inline bool same_triangles(const ew_mesh *a, const ew_mesh *b)
{
    int32_t g = 0;
    bool same = true;
    for (int32_t f = 0; f < a->n_face && same; f++) {
        if (!ew_mesh_face_is_kept(a, f)) {
            continue;
        }
        while (g < b->n_face && !ew_mesh_face_is_kept(b, g)) {
            g++;
        }
        same = g < b->n_face && a->face_label[f] == b->face_label[g] &&
               !memcmp(a->face + 3 * f, b->face + 3 * g, 3 * sizeof *a->face);
        g++;
    }
    while (g < b->n_face && !ew_mesh_face_is_kept(b, g)) {
        g++;
    }
    return same && g == b->n_face;
}

static inline ew_model *model_of(ew_mesh *mesh)
{
    const ew_model_def def = ew_default_model_def();
    ew_model *model;
    const bool ten = mesh->has_middles;
    must(ew_model_create(&model, mesh, &def));
#if EW_WITH_TETGEN
    ew_model_set_fill(model, ew_tetgen_fill);
#endif
    must(ten ? ew_model_set_order(model, true) : EW_OK);
    return model;
}

/* Written in the format of the ending and read again. */
static inline void through_file(const char *ending, ew_mesh *mesh, const ew_groups *groups,
                                ew_groups *read)
{
    const ew_format *format = ew_format_of_name(ending);
    ew_text text[EW_FORMAT_MAX_FILES] = {{0}};
    ew_bytes bytes[EW_FORMAT_MAX_FILES] = {{0}};
    must(ew_format_write_mesh(format, mesh, groups, true, text));
    for (int32_t i = 0; i < format->n_file; i++) {
        bytes[i] = (ew_bytes){text[i].data, text[i].size};
    }
    ew_mesh_free(mesh);
    must(ew_format_read_mesh(format, &(ew_mesh_input){.file = bytes}, mesh, NULL, read));
    for (int32_t i = 0; i < format->n_file; i++) {
        ew_text_free(&text[i]);
    }
}

static inline void reload(ew_model **model, const char *ending)
{
    ew_mesh mesh;
    ew_model_give_mesh(*model, &mesh);
    ew_model_free(*model);
    through_file(ending, &mesh, NULL, NULL);
    *model = model_of(&mesh);
}

#endif
