/* Random edits of all kinds for the tests of the rigid-body-mode preconditioner across changes. */
#ifndef EW_MULTILEVEL_EDITS_H
#define EW_MULTILEVEL_EDITS_H

#include "multilevel_fixture.h"
#include "random_edits.h"
#include "solver/multilevel/aggregate_growth.h"
#include "solver/multilevel/multilevel.h"

/* A tet on a face, with a new vertex above it; refused where the face has two tets. */
static inline void queue_growth(body *b, uint64_t *state)
{
    const ew_mesh *mesh = &b->mesh;
    const int32_t t = random_live_tet(mesh, state);
    const int8_t *face = ew_face_vertex[ew_test_random(state, 4)];
    int32_t v[3], apex;
    double x[3] = {0}, p[3], q[3];
    for (int k = 0; k < 3; k++) {
        v[k] = mesh->tet[4 * (size_t)t + (size_t)face[k]];
        for (int i = 0; i < 3; i++) {
            x[i] += mesh->xyz[3 * (size_t)v[k] + (size_t)i] / 3.0;
        }
    }
    for (size_t i = 0; i < 3; i++) {
        p[i] = mesh->xyz[3 * (size_t)v[1] + i] - mesh->xyz[3 * (size_t)v[0] + i];
        q[i] = mesh->xyz[3 * (size_t)v[2] + i] - mesh->xyz[3 * (size_t)v[0] + i];
    }
    for (int i = 0; i < 3; i++) {
        x[i] += 4.0 * (p[(i + 1) % 3] * q[(i + 2) % 3] - p[(i + 2) % 3] * q[(i + 1) % 3]);
    }
    CU_ASSERT_EQUAL(ew_edit_add_vertex(&b->edit, x, &apex), EW_OK);
    const int32_t tet[4] = {v[0], v[1], v[2], apex};
    CU_ASSERT_EQUAL(ew_edit_add_tet(&b->edit, tet, b->mesh.region_label[0]), EW_OK);
}

static inline void queue_move(body *b, uint64_t *state, double size)
{
    const int32_t v = (int32_t)ew_test_random(state, (uint32_t)b->mesh.n_vertex);
    double x[3];
    for (size_t i = 0; i < 3; i++) {
        x[i] = b->mesh.xyz[3 * (size_t)v + i] +
               size * ((double)ew_test_random(state, 2001) / 1000.0 - 1.0);
    }
    CU_ASSERT_EQUAL(ew_edit_move_vertex(&b->edit, v, x), EW_OK);
}

/* All tets with a vertex in a ball: rows lose their last pair, aggregates fall apart. */
static inline void queue_hole(body *b, uint64_t *state, double radius)
{
    const double *center =
        b->mesh.xyz + 3 * (size_t)ew_test_random(state, (uint32_t)b->mesh.n_vertex);
    for (int32_t t = 0; t < b->mesh.n_tet; t++) {
        double square = 0.0;
        if (!ew_mesh_tet_is_live(&b->mesh, t)) {
            continue;
        }
        for (size_t i = 0; i < 3; i++) {
            const double d = b->mesh.xyz[3 * (size_t)b->mesh.tet[4 * (size_t)t] + i] - center[i];
            square += d * d;
        }
        if (square < radius * radius) {
            CU_ASSERT_EQUAL(ew_edit_remove_tet(&b->edit, t), EW_OK);
        }
    }
}

/* Removed tets, to be put back. */
typedef struct memory {
    int32_t n;
    int32_t tet[2000][4];
} memory;

static inline void keep_removed(const body *b, memory *gone)
{
    for (int32_t k = 0; k < b->change.removed_tet.n && gone->n < 2000; k++) {
        memcpy(gone->tet[gone->n++], b->change.removed_tet_vertex + 4 * (size_t)k,
               sizeof gone->tet[0]);
    }
}

static inline void queue_random(body *b, memory *gone, uint64_t *state)
{
    const uint32_t kind = ew_test_random(state, 12);
    const uint32_t n = 1 + ew_test_random(state, 4);
    for (uint32_t k = 0; k < n; k++) {
        if (kind < 3) {
            ew_edit_remove_tet(&b->edit, random_live_tet(&b->mesh, state));
        } else if (kind < 6) {
            queue_growth(b, state);
        } else if (kind < 9 && gone->n > 0) {
            ew_edit_add_tet(&b->edit, gone->tet[--gone->n], b->mesh.region_label[0]);
        } else if (kind < 11) {
            queue_move(b, state, 0.01);
        }
    }
    if (kind == 11) {
        queue_hole(b, state, 0.02 * (double)(1 + ew_test_random(state, 12)));
    }
}

static inline void change_constraints(body *b, uint64_t *state)
{
    for (int k = 0; k < 20; k++) {
        const size_t v = ew_test_random(state, (uint32_t)b->mesh.n_vertex);
        if (ew_mesh_vertex_is_active(&b->mesh, (int32_t)v)) {
            b->fixed[v] = (uint8_t)ew_test_random(state, 8);
        }
    }
}

/* All tets of which every vertex is at `low` to `high` in x. */
static inline int32_t queue_slab(body *b, double low, double high, int32_t (*tet)[4])
{
    int32_t n = 0;
    for (int32_t t = 0; t < b->mesh.n_tet; t++) {
        bool is_in = ew_mesh_tet_is_live(&b->mesh, t);
        for (int k = 0; k < 4 && is_in; k++) {
            const double x = b->mesh.xyz[3 * (size_t)b->mesh.tet[4 * (size_t)t + (size_t)k]];
            is_in = x > low && x < high;
        }
        if (is_in) {
            memcpy(tet[n++], b->mesh.tet + 4 * (size_t)t, sizeof tet[0]);
            CU_ASSERT_EQUAL(ew_edit_remove_tet(&b->edit, t), EW_OK);
        }
    }
    return n;
}

/* A bar of steel, and another region, without tets yet, 1000 times as stiff. */
static inline void make_bar(body *b)
{
    ew_material material[2] = {{.young = 210e9, .poisson = 0.3, .density = 7850}};
    material[1] = material[0];
    material[1].young *= 1e3;
    make_box(b, (double[]){20.0, 1.0, 1.0}, (int32_t[]){80, 4, 4});
    ew_materials_free(&b->materials);
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&b->materials, 2, material), EW_OK);
}

/* A slice of it becomes stiff: few rows, so that a factor waits that costs iterations. */
static inline void queue_stiff_slice(body *b)
{
    static int32_t slice[2000][4];
    for (int32_t i = queue_slab(b, 4.9, 5.3, slice); i-- > 0;) {
        CU_ASSERT_EQUAL(ew_edit_add_tet(&b->edit, slice[i], 77), EW_OK);
    }
}

/* Rows of an aggregate that pairs inside it connect with its first one. */
static inline int32_t count_connected(const ew_aggregates *a, const ew_pattern *pattern,
                                      int32_t own)
{
    static int32_t row[4096];
    int32_t count, n = 1;
    const int32_t *member = ew_aggregates_members(a, own, &count);
    CU_ASSERT_FATAL(count <= 4096);
    row[0] = member[0];
    for (int32_t i = 0; i < n; i++) {
        int32_t n_item;
        const int32_t *item = ew_pattern_items(pattern, row[i], &n_item);
        for (int32_t k = 0; k < n_item; k++) {
            bool is_new = a->of_row[item[2 * k]] == own;
            for (int32_t j = 0; j < n && is_new; j++) {
                is_new = row[j] != item[2 * k];
            }
            if (is_new) {
                row[n++] = item[2 * k];
            }
        }
    }
    return n;
}

/* Whether there is a neighboring aggregate. */
static inline bool could_join(const ew_aggregates *a, const ew_pattern *pattern, int32_t own)
{
    int32_t count;
    const int32_t *member = ew_aggregates_members(a, own, &count);
    for (int32_t i = 0; i < count; i++) {
        int32_t n_item;
        const int32_t *item = ew_pattern_items(pattern, member[i], &n_item);
        for (int32_t k = 0; k < n_item; k++) {
            if (a->of_row[item[2 * k]] != own) {
                return true;
            }
        }
    }
    return false;
}

/* Every row with pairs has an aggregate; each of these is in one piece, of twice the size at most,
 * and but for a few not below a quarter of it where there are others to join; strong pairs are
 * those that the blocks of now say. */
static inline void expect_fit_aggregates(const body *b)
{
    const ew_aggregates *a = &b->multilevel->aggregates;
    const ew_pattern *pattern = &b->topology.pattern;
    const ew_fine_level fine = {
        .matrix = &b->matrix, .pattern = pattern, .xyz = b->mesh.xyz, .fixed = b->fixed};
    int32_t n = 0, n_small = 0, n_wrong = 0;
    for (int32_t row = 0; row < pattern->n_row; row++) {
        n_wrong += (a->of_row[row] >= 0) != (pattern->row_to_pair.count[row] > 0);
    }
    for (int32_t own = 0; own < a->n; own++) {
        const int32_t count = a->member.count[own];
        if (count) {
            n++;
            n_wrong += count > 2 * a->size || count_connected(a, pattern, own) != count;
            n_small += 4 * count < a->size && could_join(a, pattern, own);
        }
    }
    for (int32_t pair = 0; pair < pattern->n_pair; pair++) {
        const bool is_strong = a->strong[pair / 64] >> (pair % 64) & 1;
        n_wrong += pattern->pair_row[2 * (size_t)pair] >= 0 &&
                   is_strong != (ew_aggregate_growth_strength(&fine, pair) >= a->cut);
    }
    /* a chunk that is there takes an aggregate of twice the size at most more */
    for (int32_t k = 0; k < b->multilevel->n_chunk; k++) {
        n_wrong += 2 * b->multilevel->chunk[k].n > 3 * b->multilevel->chunk_rows + 4 * a->size;
    }
    CU_ASSERT_EQUAL(n_wrong, 0);
    CU_ASSERT(50 * n_small <= n + 100);
}

/* Random edits and constraints of a box of this many cells a side, after each of which all bits are
 * those of a rebuild. */
static inline void run_random_edits_on(int32_t n_cell, const ew_multilevel_def *def, int32_t n_edit)
{
    static memory gone;
    uint64_t state = 99;
    body b;
    int32_t n_done = 0;
    gone.n = 0;
    make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){n_cell, n_cell, n_cell});
    b.def = *def;
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    for (int32_t k = 0; k < n_edit; k++) {
        const bool refix = ew_test_random(&state, 8) == 0;
        queue_random(&b, &gone, &state);
        if (apply_edit(&b)) {
            continue;
        }
        n_done++;
        keep_removed(&b, &gone);
        if (refix) {
            change_constraints(&b, &state);
        }
        CU_ASSERT_EQUAL_FATAL(update(&b), EW_OK);
        CU_ASSERT_EQUAL_FATAL(verify(&b), EW_OK);
        expect_fit_aggregates(&b);
        if (k % 20 == 0) {
            check_symmetric_positive(&b);
            CU_ASSERT_EQUAL(ew_multilevel_factor_pending(b.multilevel), EW_OK);
            CU_ASSERT_EQUAL_FATAL(verify(&b), EW_OK);
        }
    }
    CU_ASSERT(2 * n_done > n_edit);
    CU_ASSERT(b.mesh.n_live_tet > 1000);
    free_body(&b);
}

static inline void run_random_edits(const ew_multilevel_def *def, int32_t n_edit)
{
    run_random_edits_on(10, def, n_edit);
}

/* Set up and updated by one thread and by three, M^-1 has the same bits. */
static inline void check_threads_do_not_matter(const ew_multilevel_def *def)
{
    const int before = ew_threads();
    double *z[2] = {NULL, NULL};
    size_t n = 0;
    for (int k = 0; k < 2; k++) {
        uint64_t state = 21;
        body b;
        ew_use_threads(k ? 3 : 1);
        make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){20, 20, 20});
        b.def = *def;
        b.def.postpone = 0.0;
        CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
        queue_hole(&b, &state, 0.2);
        CU_ASSERT_EQUAL_FATAL(apply_edit(&b), EW_OK);
        CU_ASSERT_EQUAL_FATAL(update(&b), EW_OK);
        n = 3 * (size_t)b.mesh.n_vertex;
        double *r = calloc(n, sizeof *r);
        z[k] = calloc(n, sizeof *r);
        fill_random(&b, &state, r);
        ew_multilevel_apply(b.multilevel, r, z[k]);
        free(r);
        free_body(&b);
    }
    CU_ASSERT_EQUAL(memcmp(z[0], z[1], n * sizeof *z[0]), 0);
    free(z[0]);
    free(z[1]);
    ew_use_threads(before);
}

#endif
