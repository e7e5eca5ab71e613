/* Edits of every kind, chosen at random, for the tests of the model. */
#ifndef EW_MODEL_EDITS_H
#define EW_MODEL_EDITS_H

#include "model_fixture.h"
#include "random_edits.h"
#include "surface_shapes.h"

#include <math.h>

typedef struct editor {
    uint64_t state;
    int32_t n_gone;
    int32_t gone[64][4]; /* tets that were removed, by vertices, to be put back */
} editor;

static inline double jitter(uint64_t *state, double size)
{
    return size * ((double)ew_test_random(state, 2001) / 1000.0 - 1.0);
}

static inline ew_status queue_removal(editor *e, const ew_mesh *mesh, ew_edit *edit)
{
    const uint32_t n = 1 + ew_test_random(&e->state, 3);
    for (uint32_t i = 0; i < n; i++) {
        const int32_t t = random_live_tet(mesh, &e->state), at = e->n_gone++ % 64;
        memcpy(e->gone[at], mesh->tet + 4 * (size_t)t, sizeof e->gone[at]);
        EW_TRY(ew_edit_remove_tet(edit, t));
    }
    return EW_OK;
}

/* A tet on a random face, with a new vertex above it, so high at most that bodies stay near their
 * size; a face that is taken refuses it. */
static inline ew_status queue_growth(editor *e, const ew_mesh *mesh, ew_edit *edit)
{
    const int32_t t = random_live_tet(mesh, &e->state);
    const int8_t *face = ew_face_vertex[ew_test_random(&e->state, 4)];
    int32_t v[3], apex;
    const double *x[3];
    double top[3], normal[3];
    for (int k = 0; k < 3; k++) {
        v[k] = mesh->tet[4 * t + face[k]];
        x[k] = mesh->xyz + 3 * v[k];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        normal[i] =
            (x[1][j] - x[0][j]) * (x[2][k] - x[0][k]) - (x[1][k] - x[0][k]) * (x[2][j] - x[0][j]);
    }
    const double size = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (int i = 0; i < 3; i++) {
        top[i] = (x[0][i] + x[1][i] + x[2][i]) / 3.0 + 3.0 / (1.0 + 4.0 * size) * normal[i];
    }
    EW_TRY(ew_edit_add_vertex(edit, top, &apex));
    return ew_edit_add_tet_from(edit, (int32_t[4]){v[0], v[1], v[2], apex},
                                (int32_t)ew_test_random(&e->state, 3),
                                ew_test_random(&e->state, 2) ? t : -1);
}

static inline ew_status queue_return(editor *e, ew_edit *edit)
{
    const int32_t n = e->n_gone < 64 ? e->n_gone : 64;
    return n ? ew_edit_add_tet(edit, e->gone[ew_test_random(&e->state, (uint32_t)n)], 1) : EW_OK;
}

static inline ew_status queue_move(editor *e, const ew_mesh *mesh, ew_edit *edit)
{
    const int32_t v = (int32_t)ew_test_random(&e->state, (uint32_t)mesh->n_vertex);
    const double size = ew_test_random(&e->state, 8) ? 0.02 : 1.0, *x = mesh->xyz + 3 * (size_t)v;
    const double to[3] = {x[0] + jitter(&e->state, size), x[1] + jitter(&e->state, size),
                          x[2] + jitter(&e->state, size)};
    return ew_edit_move_vertex(edit, v, to);
}

/* Vertices without tets go, and a tet grows far away into the slots. */
static inline ew_status queue_reuse(editor *e, const ew_mesh *mesh, ew_edit *edit)
{
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        EW_TRY(mesh->valence[v] == 0 ? ew_edit_remove_vertex(edit, v) : EW_OK);
    }
    return queue_growth(e, mesh, edit);
}

/* A corner with all its tets goes, and a tet grows elsewhere, by the same batch. */
static inline ew_status queue_corner(editor *e, const ew_mesh *mesh, ew_edit *edit)
{
    int32_t corner = mesh->tet[4 * (size_t)random_live_tet(mesh, &e->state)];
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        corner = mesh->valence[v] > 0 && mesh->valence[v] < mesh->valence[corner] ? v : corner;
    }
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const int32_t *v = mesh->tet + 4 * (size_t)t;
        if (v[0] == corner || v[1] == corner || v[2] == corner || v[3] == corner) {
            EW_TRY(ew_edit_remove_tet(edit, t));
        }
    }
    EW_TRY(ew_edit_remove_vertex(edit, corner));
    return queue_growth(e, mesh, edit);
}

static inline ew_status queue_refinement(editor *e, const ew_mesh *mesh,
                                         const ew_topology *topology, ew_edit *edit)
{
    enum { MAX_TETS = 20000 }; /* tets become so thin that one of them asks for more */
    ew_list near = {0};
    const bool everywhere = !ew_test_random(&e->state, 4) && mesh->n_live_tet < 300;
    const int32_t t = random_live_tet(mesh, &e->state);
    for (int k = 0; k < 4; k++) {
        EW_TRY(ew_list_push(&near, mesh->tet[4 * (size_t)t + (size_t)k]));
    }
    ew_list_sort(&near);
    const ew_status status =
        ew_operation_refine_within(mesh, topology, 0.0, everywhere ? NULL : &near, MAX_TETS, edit);
    ew_list_free(&near);
    return status == EW_LIMIT ? EW_BAD_EDIT : status;
}

/* Doubles the body, or where it has become long cuts it to its first half. */
static inline ew_status queue_mirror(const ew_mesh *mesh, ew_edit *edit)
{
    ew_mirror_def def = {.normal = {1.0, 0.0, 0.0}, .tolerance = -1.0};
    ew_mesh_measure of;
    ew_mesh_take_measure(mesh, &of);
    if (of.high[0] - of.low[0] > 20.0) {
        for (int32_t t = 0; t < mesh->n_tet; t++) {
            const int32_t v = mesh->tet[4 * (size_t)t];
            const bool far = v >= 0 && mesh->xyz[3 * (size_t)v] > 0.5 * (of.low[0] + of.high[0]);
            EW_TRY(far ? ew_edit_remove_tet(edit, t) : EW_OK);
        }
        return EW_OK;
    }
    ew_mirror_place(mesh, 1, &def);
    return ew_operation_mirror(mesh, &def, edit);
}

/* A cube or a ball there. */
static inline void make_cutter(editor *e, const double at[3], ew_surface *surface)
{
    double q[4];
    if (ew_test_random(&e->state, 2)) {
        make_cube(surface);
    } else {
        make_ball_surface(surface, 1);
    }
    for (int i = 0; i < 4; i++) {
        q[i] = jitter(&e->state, 1.0);
    }
    place_surface(surface, q, 0.4, at);
}

/* Through the middle of the body, or near it, along any kind of surface. A slit takes no tets. */
static inline ew_status queue_cut(editor *e, const ew_mesh *mesh, const ew_topology *topology,
                                  ew_edit *edit)
{
    ew_cut_def def = ew_default_cut_def();
    ew_mesh_measure of;
    ew_surface surface = {0};
    ew_mesh_take_measure(mesh, &of);
    def.kind = (ew_cut_kind)ew_test_random(&e->state, EW_CUT_SURFACE + 1);
    def.keep = mesh->n_live_tet > 300         ? (ew_cut_keep)ew_test_random(&e->state, 4)
               : ew_test_random(&e->state, 2) ? EW_CUT_KEEP_BOTH
                                              : EW_CUT_KEEP_OPEN;
    def.label = 5;
    def.radius = def.radius_to = 0.4;
    for (int i = 0; i < 3; i++) {
        def.a[i] = 0.5 * (of.low[i] + of.high[i]) + jitter(&e->state, 0.2);
        def.b[i] = (def.kind == EW_CUT_PLANE ? 0.0 : def.a[i]) + jitter(&e->state, 1.0);
    }
    if (def.kind == EW_CUT_SURFACE) {
        make_cutter(e, def.a, &surface);
        def.surface = &surface;
    }
    const ew_status status = ew_operation_cut(mesh, topology, &def, edit, NULL);
    ew_surface_free(&surface);
    return status;
}

/* Where nothing is left, after many edits: a tet of its own. */
static inline ew_status queue_first(editor *e, ew_edit *edit)
{
    int32_t v[4];
    for (int k = 0; k < 4; k++) {
        const double x[3] = {(k == 1) + jitter(&e->state, 0.1), (k == 2) + jitter(&e->state, 0.1),
                             (k == 3) + jitter(&e->state, 0.1)};
        EW_TRY(ew_edit_add_vertex(edit, x, &v[k]));
    }
    return ew_edit_add_tet(edit, v, 1);
}

/* An operation of one's own for ew_model_apply: the kind is drawn here. */
static inline ew_status queue_any(void *user, const ew_model *model, ew_edit *edit)
{
    editor *e = user;
    const ew_mesh *mesh = ew_model_mesh(model);
    const uint32_t kind = ew_test_random(&e->state, 41);
    const ew_decimate_def half = {.fraction = 0.4, .order = EW_DECIMATE_RANDOM, .seed = kind};
    if (mesh->n_live_tet == 0) {
        return queue_first(e, edit);
    }
    if (mesh->n_live_tet > 1200) {
        return ew_operation_decimate(mesh, &half, edit);
    }
    if (kind < 12) {
        return queue_removal(e, mesh, edit);
    } else if (kind < 20) {
        return queue_growth(e, mesh, edit);
    } else if (kind < 25) {
        return queue_return(e, edit);
    } else if (kind < 29) {
        return queue_move(e, mesh, edit);
    } else if (kind < 31) {
        return queue_reuse(e, mesh, edit);
    } else if (kind < 33) {
        return queue_corner(e, mesh, edit);
    } else if (kind < 37) {
        return queue_refinement(e, mesh, ew_model_topology(model), edit);
    } else if (kind < 38) {
        return queue_mirror(mesh, edit);
    }
    if (kind >= 40) {
        return queue_cut(e, mesh, ew_model_topology(model), edit);
    }
    return kind < 39 ? ew_operation_smooth(mesh, ew_model_topology(model), 2, edit)
                     : ew_operation_decimate(mesh, &half, edit);
}

#endif
