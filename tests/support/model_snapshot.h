/* A plain statement of how sets and fields follow an edit, by ids that no edit uses again: what a
 * model was before the edit is written down, what it must be after is worked out from that, from
 * the change and from the mesh, and compared. */
#ifndef EW_MODEL_SNAPSHOT_H
#define EW_MODEL_SNAPSHOT_H

#include "model_fixture.h"

typedef int64_t triangle[3]; /* vertex ids, ascending */

typedef struct snapshot {
    ew_mesh mesh;
    struct {
        uint8_t *has; /* [next id] of a set of vertices or tets */
        int32_t n;
        triangle *face; /* [n] of a set of faces */
    } set[N_SET];
    double *value[N_FIELD]; /* [slots][width] */
} snapshot;

static inline void sort_triangle(triangle t)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < 2; k++) {
            if (t[k] > t[k + 1]) {
                const int64_t swap = t[k];
                t[k] = t[k + 1];
                t[k + 1] = swap;
            }
        }
    }
}

static inline void triangle_of(const ew_mesh *mesh, int32_t code, triangle t)
{
    for (int k = 0; k < 3; k++) {
        const int32_t corner = ew_face_vertex[code % 4][k];
        t[k] = mesh->vertex_id[mesh->tet[4 * (size_t)(code / 4) + (size_t)corner]];
    }
    sort_triangle(t);
}

static inline int64_t slots_of(const ew_mesh *mesh, int field)
{
    return field_def[field].on_tets ? mesh->n_tet : mesh->n_vertex;
}

static inline snapshot take_snapshot(ew_model *model)
{
    snapshot s = {0};
    must(ew_mesh_copy(&s.mesh, ew_model_mesh(model)));
    for (int i = 0; i < N_SET; i++) {
        ew_list list = members_of(model, i);
        const bool tets = set_def[i].kind == EW_SET_OF_TETS;
        s.set[i].has = calloc((size_t)(s.mesh.next_vertex_id + s.mesh.next_tet_id) + 1, 1);
        s.set[i].face = calloc((size_t)list.n + 1, sizeof(triangle));
        s.set[i].n = list.n;
        for (int32_t k = 0; k < list.n; k++) {
            if (set_def[i].kind == EW_SET_OF_FACES) {
                triangle_of(&s.mesh, list.id[k], s.set[i].face[k]);
            } else {
                s.set[i].has[(tets ? s.mesh.tet_id : s.mesh.vertex_id)[list.id[k]]] = 1;
            }
        }
        ew_list_free(&list);
    }
    for (int f = 1; f < N_FIELD; f++) {
        const size_t size = (size_t)(field_def[f].width * slots_of(&s.mesh, f)) * sizeof(double);
        s.value[f] = malloc(size + 1);
        memcpy(s.value[f], ew_model_view_field(model, f), size);
    }
    return s;
}

static inline void drop_snapshot(snapshot *s)
{
    ew_mesh_free(&s->mesh);
    for (int i = 0; i < N_SET; i++) {
        free(s->set[i].has);
        free(s->set[i].face);
    }
    for (int f = 1; f < N_FIELD; f++) {
        free(s->value[f]);
    }
}

/* ---- sets ------------------------------------------------------------------ */

static inline bool vertex_is_old(const snapshot *s, const ew_mesh *mesh, int32_t v)
{
    return mesh->valence[v] >= 0 && mesh->vertex_id[v] < s->mesh.next_vertex_id;
}

static inline void expect_members(ew_model *model, int set, const uint8_t *expected, int32_t n_slot)
{
    const ew_model_set view = ew_model_view_set(model, set);
    int32_t n = 0, wrong = 0;
    for (int32_t i = 0; i < n_slot; i++) {
        n += expected[i];
        wrong += ew_set_has(view.member, i) != expected[i];
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(view.member->list.n, n);
}

/* Whether the model's last change is what came after the snapshot: a queue may be refused. */
static inline bool is_change_since(const ew_model *model, const snapshot *s)
{
    const ew_change *change = ew_model_change(model);
    return change->from_revision == s->mesh.revision &&
           change->to_revision == ew_model_mesh(model)->revision;
}

/* Old ones stay; a new one is in when both its parents are. */
static inline void expect_vertices(ew_model *model, const snapshot *s, int set)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_change *change = ew_model_change(model);
    uint8_t *expected = calloc((size_t)mesh->n_vertex + 1, 1);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        expected[v] = vertex_is_old(s, mesh, v) && s->set[set].has[mesh->vertex_id[v]];
    }
    for (int32_t k = 0; k < change->added_vertex.n && is_change_since(model, s); k++) {
        const int32_t *p = change->added_parent + 2 * (size_t)k;
        expected[change->added_vertex.id[k]] =
            p[0] >= 0 && p[1] >= 0 && expected[p[0]] && expected[p[1]];
    }
    for (int32_t i = 0; i < change->n_inside && mesh->revision == change->to_revision; i++) {
        const ew_inside *in = &change->inside[i];
        bool all = true;
        for (int k = 0; k < 4; k++) {
            all = all && (in->weight[k] == 0.0 || expected[in->corner[k]]);
        }
        expected[change->added_vertex.id[in->place]] = all;
    }
    expect_members(model, set, expected, mesh->n_vertex);
    free(expected);
}

static inline void expect_tets(ew_model *model, const snapshot *s, int set)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_change *change = ew_model_change(model);
    uint8_t *expected = calloc((size_t)mesh->n_tet + 1, 1);
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        expected[t] = ew_mesh_tet_is_live(mesh, t) && mesh->tet_id[t] < s->mesh.next_tet_id &&
                      s->set[set].has[mesh->tet_id[t]];
    }
    for (int32_t k = 0; k < change->added_tet.n && is_change_since(model, s); k++) {
        const int32_t from = change->added_tet_from[k];
        expected[change->added_tet.id[k]] = from >= 0 && s->set[set].has[s->mesh.tet_id[from]];
    }
    expect_members(model, set, expected, mesh->n_tet);
    free(expected);
}

/* The old vertices that the vertex with this id stems from, added to at most three; false beyond.
 */
static inline bool add_ancestors(const ew_model *model, const snapshot *s, int32_t v, triangle out)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_change *change = ew_model_change(model);
    if (v < 0) {
        return false;
    }
    if (!vertex_is_old(s, mesh, v)) {
        int32_t k = 0;
        while (change->added_vertex.id[k] != v) {
            k++;
        }
        return add_ancestors(model, s, change->added_parent[2 * k], out) &&
               add_ancestors(model, s, change->added_parent[2 * k + 1], out);
    }
    for (int k = 0; k < 3; k++) {
        if (out[k] < 0 || out[k] == mesh->vertex_id[v]) {
            out[k] = mesh->vertex_id[v];
            return true;
        }
    }
    return false;
}

/* The old vertices, by id, of the face that the edit says this one replaces. */
static inline bool find_named_origin(const ew_model *model, const snapshot *s, int32_t code,
                                     triangle out)
{
    const ew_change *change = ew_model_change(model);
    const int32_t *tet = ew_model_mesh(model)->tet + 4 * (size_t)(code / 4);
    const bool is_last = is_change_since(model, s);
    for (int32_t i = 0; i < change->n_face_origin && is_last; i++) {
        const int32_t *origin = change->face_origin + 6 * (size_t)i;
        int same = 0;
        for (int k = 0; k < 9; k++) {
            same += origin[k / 3] == tet[ew_face_vertex[code % 4][k % 3]];
        }
        for (int k = 0; k < 3 && same == 3; k++) {
            out[k] = s->mesh.vertex_id[origin[3 + k]];
        }
        if (same == 3) {
            return true;
        }
    }
    return false;
}

/* A face is in when it was, or when its ancestors are the vertices of one that was. */
static inline bool face_descends(const ew_model *model, const snapshot *s, int set, int32_t code)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    triangle from = {-1, -1, -1};
    const bool named = find_named_origin(model, s, code, from);
    for (int k = 0; k < 3 && !named; k++) {
        const int32_t corner = ew_face_vertex[code % 4][k];
        if (!add_ancestors(model, s, mesh->tet[4 * (size_t)(code / 4) + (size_t)corner], from)) {
            return false;
        }
    }
    sort_triangle(from);
    for (int32_t i = 0; i < s->set[set].n; i++) {
        if (!memcmp(from, s->set[set].face[i], sizeof from)) {
            return true;
        }
    }
    return false;
}

static inline void expect_faces(ew_model *model, const snapshot *s, int set)
{
    const ew_boundary *boundary;
    must(ew_model_boundary(model, &boundary));
    uint8_t *expected = calloc((size_t)boundary->n_slot + 1, 1);
    for (int32_t i = 0; i < boundary->n_slot; i++) {
        expected[i] = boundary->code[i] >= 0 && face_descends(model, s, set, boundary->code[i]);
    }
    expect_members(model, set, expected, boundary->n_slot);
    free(expected);
}

static inline void expect_sets_followed(ew_model *model, const snapshot *s)
{
    for (int i = 0; i < N_SET; i++) {
        if (set_def[i].kind == EW_SET_OF_VERTICES) {
            expect_vertices(model, s, i);
        } else if (set_def[i].kind == EW_SET_OF_TETS) {
            expect_tets(model, s, i);
        } else {
            expect_faces(model, s, i);
        }
    }
}

/* ---- fields ------------------------------------------------------------------ */

/* Whether entry `slot` has the value given, or zeros for null. */
static inline bool has_value(ew_model *model, int f, int32_t slot, const double *value)
{
    const int32_t width = field_def[f].width;
    const double *now = ew_model_view_field(model, f) + (size_t)width * (size_t)slot;
    bool same = true;
    for (int32_t c = 0; c < width; c++) {
        same = same && (value ? now[c] == value[c] : now[c] == 0.0);
    }
    return same;
}

/* Vertices and tets that were there keep what they had; vertices that left the body have zeros. */
static inline void expect_old_values(ew_model *model, const snapshot *s, int f)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const bool tets = field_def[f].on_tets;
    const int64_t *id = tets ? mesh->tet_id : mesh->vertex_id;
    const int64_t *old_id = tets ? s->mesh.tet_id : s->mesh.vertex_id;
    const int64_t end = tets ? s->mesh.next_tet_id : s->mesh.next_vertex_id;
    int32_t *old_slot = malloc((size_t)(end + 1) * sizeof *old_slot), wrong = 0;
    for (int32_t i = 0; i < slots_of(&s->mesh, f); i++) {
        if (tets ? ew_mesh_tet_is_live(&s->mesh, i) : s->mesh.valence[i] >= 0) {
            old_slot[old_id[i]] = i;
        }
    }
    for (int32_t i = 0; i < slots_of(mesh, f); i++) {
        const bool here = tets ? ew_mesh_tet_is_live(mesh, i) : mesh->valence[i] >= 0;
        if (!here || id[i] >= end) {
            continue;
        }
        const int32_t old = old_slot[id[i]];
        const bool left = !tets && mesh->valence[i] == 0 && s->mesh.valence[old] > 0;
        const double *value = s->value[f] + (size_t)field_def[f].width * (size_t)old;
        wrong += !has_value(model, f, i, left ? NULL : value);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    free(old_slot);
}

static inline void expect_new_vertex(ew_model *model, int f, int32_t v, const int32_t *p, double s)
{
    const int32_t *valence = ew_model_mesh(model)->valence;
    const size_t width = (size_t)field_def[f].width;
    const double *value = ew_model_view_field(model, f);
    const double *a = p[0] >= 0 ? value + width * (size_t)p[0] : NULL;
    const double *b = p[1] >= 0 ? value + width * (size_t)p[1] : NULL;
    if (f == ZERO || (field_def[f].rule == EW_FIELD_COPY && !a)) {
        CU_ASSERT(has_value(model, f, v, NULL));
    } else if (field_def[f].rule == EW_FIELD_COPY && valence[p[0]] > 0) {
        CU_ASSERT(has_value(model, f, v, a));
    } else if (a && b && a != b && valence[p[0]] > 0 && valence[p[1]] > 0) {
        const double mean[2] = {(1.0 - s) * a[0] + s * b[0], (1.0 - s) * a[1] + s * b[1]};
        CU_ASSERT(has_value(model, f, v, mean));
    } else {
        CU_ASSERT(isfinite(value[width * (size_t)v]) && isfinite(value[width * (size_t)v + 1]));
    }
}

/* Where in a tet a new vertex lies, or null. */
static inline const ew_inside *inside_of(const ew_change *change, int32_t place)
{
    for (int32_t i = 0; i < change->n_inside; i++) {
        if (change->inside[i].place == place) {
            return &change->inside[i];
        }
    }
    return NULL;
}

/* From the values before, for the corners may have left the body. */
static inline void expect_inside(ew_model *model, const snapshot *s, int f, int32_t v,
                                 const ew_inside *in)
{
    const size_t width = (size_t)field_def[f].width;
    double value[3] = {0.0, 0.0, 0.0};
    int most = 0;
    for (int k = 1; k < 4; k++) {
        most = in->weight[k] > in->weight[most] ? k : most;
    }
    for (size_t c = 0; c < width && f != ZERO; c++) {
        for (int k = 0; k < 4; k++) {
            value[c] += in->weight[k] * s->value[f][width * (size_t)in->corner[k] + c];
        }
        if (field_def[f].rule == EW_FIELD_COPY) {
            value[c] = s->value[f][width * (size_t)in->corner[most] + c];
        }
    }
    CU_ASSERT(has_value(model, f, v, value));
}

static inline void expect_fields_followed(ew_model *model, const snapshot *s)
{
    const ew_change *change = ew_model_change(model);
    for (int f = 1; f < N_FIELD; f++) {
        expect_old_values(model, s, f);
        if (!is_change_since(model, s)) {
            continue;
        }
        for (int32_t k = 0; k < change->added_vertex.n && !field_def[f].on_tets; k++) {
            const ew_inside *in = inside_of(change, k);
            if (in) {
                expect_inside(model, s, f, change->added_vertex.id[k], in);
                continue;
            }
            expect_new_vertex(model, f, change->added_vertex.id[k],
                              change->added_parent + 2 * (size_t)k, ew_change_fraction(change, k));
        }
        for (int32_t k = 0; k < change->added_tet.n && field_def[f].on_tets; k++) {
            const int32_t from = change->added_tet_from[k];
            const double *value = s->value[f] + (size_t)field_def[f].width * (size_t)from;
            CU_ASSERT(has_value(model, f, change->added_tet.id[k],
                                f == TET_COPY && from >= 0 ? value : NULL));
        }
    }
}

#endif
