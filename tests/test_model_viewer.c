/* A program like a viewer with a knife: it drives a model for 10,000 edits, keeps a triangle list
 * of its own in step through what the boundary says of each, and now and then asks for a few
 * iterations. After a warm-up the library takes no more memory. */
#include "model/model.h"
#include "shape/shape.h"
#include "testlib.h"

#include <stdlib.h>
#include <string.h>

enum {
    EDITS = 10000,
    WARM_UP = 3000,
    SOLVE_EVERY = 250,
    CHECK_EVERY = 500,
    MAX_GONE = 40,
    SAME = 1000
};
/* Bytes by which a star larger than any before may lengthen lists. One byte lost by each edit would
 * be more. */
enum { LUCK = 4096 };

/* ---- live bytes: every block carries its size in front ------------------------- */

static size_t live;

static void *resize(void *user, void *old, size_t size)
{
    size_t *block = old ? (size_t *)old - 2 : NULL;
    (void)user;
    live += size - (block ? block[0] : 0);
    block = realloc(block, size + 2 * sizeof *block);
    block[0] = size;
    return block + 2;
}

static void release(void *user, void *old)
{
    (void)user;
    if (old) {
        live -= ((size_t *)old - 2)[0];
        free((size_t *)old - 2);
    }
}

/* ---- the viewer ------------------------------------------------------------------ */

typedef struct triangle {
    int32_t vertex[3], slot;
} triangle;

typedef struct viewer {
    ew_model *model;
    int32_t n_triangle, capacity;
    triangle *triangle; /* [n_triangle] without holes, as a graphics card wants them */
    int32_t *at;        /* [boundary slot] place in `triangle` */
    int32_t slot_capacity;
    float (*position)[3]; /* [n_vertex] deformed */
    int32_t vertex_capacity;
    int32_t n_gone;
    int32_t gone[MAX_GONE][4]; /* tets that were cut, to be put back */
    int32_t n_spike;
    int32_t spike[MAX_GONE]; /* apex of an added tet */
    uint64_t random;
} viewer;

static void must(ew_status status)
{
    CU_ASSERT_EQUAL_FATAL(status, EW_OK);
}

static const ew_mesh *mesh_of(const viewer *v)
{
    return ew_model_mesh(v->model);
}

static int32_t draw(viewer *v, int32_t bound)
{
    return (int32_t)ew_test_random(&v->random, (uint32_t)bound);
}

static void set_triangle(viewer *v, const ew_boundary *boundary, int32_t slot)
{
    const int32_t code = boundary->code[slot];
    triangle *t = &v->triangle[v->at[slot]];
    for (int k = 0; k < 3; k++) {
        t->vertex[k] = mesh_of(v)->tet[4 * (code / 4) + ew_face_vertex[code % 4][k]];
    }
    t->slot = slot;
}

/* Only what the last commit changed. */
static void update_triangles(viewer *v, const ew_boundary *boundary)
{
    must(ew_grow(&v->at, &v->slot_capacity, boundary->n_slot, sizeof *v->at));
    must(ew_grow(&v->triangle, &v->capacity, boundary->n_live + boundary->removed.n,
                 sizeof *v->triangle));
    for (int32_t i = 0; i < boundary->removed.n; i++) {
        const int32_t hole = v->at[boundary->removed.id[i]];
        v->triangle[hole] = v->triangle[--v->n_triangle];
        v->at[v->triangle[hole].slot] = hole;
    }
    for (int32_t i = 0; i < boundary->added.n; i++) {
        v->at[boundary->added.id[i]] = v->n_triangle++;
        set_triangle(v, boundary, boundary->added.id[i]);
    }
    for (int32_t i = 0; i < boundary->kept.n; i++) {
        set_triangle(v, boundary, boundary->kept.id[i]);
    }
}

static void update_positions(viewer *v)
{
    const double *u = ew_model_displacement(v->model);
    must(ew_grow(&v->position, &v->vertex_capacity, mesh_of(v)->n_vertex, sizeof *v->position));
    for (int32_t i = 0; i < 3 * mesh_of(v)->n_vertex; i++) {
        v->position[i / 3][i % 3] = (float)(mesh_of(v)->xyz[i] + u[i]);
    }
}

static void open_viewer(viewer *v)
{
    ew_mesh mesh;
    ew_list wall = {0};
    const ew_boundary *boundary;
    const ew_model_def def = ew_default_model_def();
    const ew_model_set_def wall_def = {"wall", EW_SET_OF_VERTICES, false};
    int32_t set;
    must(ew_shape_box(&mesh, (double[3]){1.0, 1.0, 1.0}, (int32_t[3]){5, 5, 5}));
    must(ew_model_create(&v->model, &mesh, &def));
    must(ew_model_set_material(v->model, EW_ALL_REGIONS,
                               &(ew_material){.young = 1e6, .poisson = 0.3, .density = 1000.0}));
    for (int32_t i = 0; i < mesh_of(v)->n_vertex; i++) {
        must(mesh_of(v)->xyz[3 * i] < 1e-9 ? ew_list_push(&wall, i) : EW_OK);
    }
    must(ew_model_add_set(v->model, &wall_def, &wall, &set));
    ew_list_free(&wall);
    must(ew_model_set_constraints(v->model, 1, &(ew_model_constraint){.set = set, .fixed = 7}));
    must(ew_model_set_loads(v->model, 1,
                            &(ew_model_load){.kind = EW_LOAD_GRAVITY, .vector = {0, 0, -9.81}}));
    must(ew_model_boundary(v->model, &boundary));
    must(ew_grow(&v->at, &v->slot_capacity, boundary->n_slot, sizeof *v->at));
    must(ew_grow(&v->triangle, &v->capacity, boundary->n_live, sizeof *v->triangle));
    for (int32_t s = 0; s < boundary->n_slot; s++) {
        v->at[s] = v->n_triangle++;
        set_triangle(v, boundary, s);
    }
}

static void close_viewer(viewer *v)
{
    ew_model_free(v->model);
    ew_release(v->triangle);
    ew_release(v->at);
    ew_release(v->position);
}

/* ---- what a user does --------------------------------------------------------------- */

static ew_status cut(viewer *v)
{
    int32_t t = draw(v, mesh_of(v)->n_tet);
    while (!ew_mesh_tet_is_live(mesh_of(v), t)) {
        t = (t + 1) % mesh_of(v)->n_tet;
    }
    memcpy(v->gone[v->n_gone], mesh_of(v)->tet + 4 * t, sizeof v->gone[0]);
    must(ew_edit_remove_tet(ew_model_edit(v->model), t));
    const ew_status status = ew_model_commit(v->model);
    v->n_gone += !status;
    return status;
}

static ew_status put_back(viewer *v)
{
    const int32_t k = draw(v, v->n_gone);
    must(ew_edit_add_tet(ew_model_edit(v->model), v->gone[k], 1));
    const ew_status status = ew_model_commit(v->model);
    memcpy(v->gone[k], v->gone[--v->n_gone], sizeof v->gone[0]); /* what is refused is forgotten */
    return status;
}

static ew_status move(viewer *v)
{
    const int32_t i = draw(v, mesh_of(v)->n_vertex);
    double to[3];
    for (int c = 0; c < 3; c++) {
        to[c] = mesh_of(v)->xyz[3 * i + c] + 0.002 * (draw(v, 21) - 10);
    }
    must(ew_edit_move_vertex(ew_model_edit(v->model), i, to));
    return ew_model_commit(v->model);
}

/* A new vertex above a triangle, and a tet between them. */
static ew_status grow_spike(viewer *v)
{
    const int32_t *at = v->triangle[draw(v, v->n_triangle)].vertex;
    const double *xyz = mesh_of(v)->xyz;
    double top[3], a[3], b[3];
    int32_t apex;
    for (int c = 0; c < 3; c++) {
        top[c] = (xyz[3 * at[0] + c] + xyz[3 * at[1] + c] + xyz[3 * at[2] + c]) / 3.0;
        a[c] = xyz[3 * at[1] + c] - xyz[3 * at[0] + c];
        b[c] = xyz[3 * at[2] + c] - xyz[3 * at[0] + c];
    }
    for (int c = 0; c < 3; c++) { /* the triangle looks outwards */
        top[c] += 2.0 * (a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3]);
    }
    must(ew_edit_add_vertex(ew_model_edit(v->model), top, &apex));
    must(ew_edit_add_tet(ew_model_edit(v->model), (int32_t[4]){at[0], at[1], at[2], apex}, 1));
    const ew_status status = ew_model_commit(v->model);
    if (!status) {
        v->spike[v->n_spike++] = ew_model_change(v->model)->added_vertex.id[0];
    }
    return status;
}

/* A spike goes with its vertex and with what has grown on it. */
static ew_status cut_spike(viewer *v)
{
    const int32_t apex = v->spike[--v->n_spike];
    const ew_rows *rows = &ew_model_topology(v->model)->vertex_to_tet;
    for (int32_t i = 0; i < rows->count[apex]; i++) {
        must(ew_edit_remove_tet(ew_model_edit(v->model), rows->item[rows->begin[apex] + i]));
    }
    must(ew_edit_remove_vertex(ew_model_edit(v->model), apex));
    for (int32_t k = v->n_gone - 1; k >= 0; k--) { /* nor can a tet at it be put back */
        const int32_t *g = v->gone[k];
        if (g[0] == apex || g[1] == apex || g[2] == apex || g[3] == apex) {
            memcpy(v->gone[k], v->gone[--v->n_gone], sizeof v->gone[0]);
        }
    }
    return ew_model_commit(v->model);
}

static ew_status edit(viewer *v)
{
    const int32_t what = draw(v, 6);
    ew_model_begin(v->model);
    if (what == 0) {
        return v->n_spike < MAX_GONE ? grow_spike(v) : cut_spike(v);
    } else if (what == 1 && v->n_spike) {
        return cut_spike(v);
    } else if (what == 2) {
        return move(v);
    }
    return v->n_gone < MAX_GONE && (what < 4 || !v->n_gone) ? cut(v) : put_back(v);
}

/* ---- what is expected ----------------------------------------------------------------- */

/* The list has each boundary face of the mesh once, seen from outside. */
static void check_triangles(viewer *v)
{
    ew_list face = {0};
    const ew_boundary *boundary;
    must(ew_topology_boundary(ew_model_topology(v->model), mesh_of(v), &face));
    must(ew_model_boundary(v->model, &boundary));
    CU_ASSERT_EQUAL(face.n, v->n_triangle);
    for (int32_t i = 0; i < face.n; i++) {
        const int32_t code = face.id[i], slot = ew_boundary_find(boundary, code);
        const triangle *t = &v->triangle[v->at[slot]];
        CU_ASSERT_EQUAL(t->slot, slot);
        for (int k = 0; k < 3; k++) {
            CU_ASSERT_EQUAL(t->vertex[k],
                            mesh_of(v)->tet[4 * (code / 4) + ew_face_vertex[code % 4][k]]);
        }
    }
    ew_list_free(&face);
}

static void solve_a_little(viewer *v)
{
    ew_pcg_def def = ew_default_pcg_def();
    def.max_iterations = 4;
    def.tolerance = 1e-3;
    const ew_status status = ew_model_solve(v->model, &def, NULL);
    CU_ASSERT(status == EW_OK || status == EW_NOT_CONVERGED || status == EW_UNDER_CONSTRAINED);
    update_positions(v);
}

/* The same cut and its undoing, with a solve in between, allocate nothing that stays. */
static void check_same_edit_for_ever(viewer *v)
{
    const ew_boundary *boundary;
    size_t before = 0;
    int32_t t = 0;
    while (!ew_mesh_tet_is_live(mesh_of(v), t)) {
        t++;
    }
    for (int32_t i = 0; i < SAME; i++) {
        int32_t tet[4];
        memcpy(tet, mesh_of(v)->tet + 4 * t, sizeof tet);
        ew_model_begin(v->model);
        must(ew_edit_remove_tet(ew_model_edit(v->model), t));
        must(ew_model_commit(v->model));
        must(ew_model_boundary(v->model, &boundary));
        update_triangles(v, boundary);
        if (i % 50 == 0) {
            solve_a_little(v);
        }
        ew_model_begin(v->model);
        must(ew_edit_add_tet(ew_model_edit(v->model), tet, 1));
        must(ew_model_commit(v->model));
        update_triangles(v, boundary);
        t = ew_model_change(v->model)->added_tet.id[0];
        before = i == 50 ? live : before;
    }
    check_triangles(v);
    CU_ASSERT_EQUAL(live, before);
}

static void test_ten_thousand_edits_take_no_more_memory(void)
{
    viewer v = {.random = 2024};
    const ew_boundary *boundary;
    size_t warm = 0, max = 0;
    int32_t n_taken = 0;
    ew_set_allocator(&(ew_allocator){NULL, resize, release});
    open_viewer(&v);
    for (int32_t i = 0; i < EDITS; i++) {
        const ew_status status = edit(&v);
        CU_ASSERT(status == EW_OK || status == EW_BAD_EDIT);
        if (!status) {
            must(ew_model_boundary(v.model, &boundary));
            update_triangles(&v, boundary);
            n_taken++;
        }
        if (i % SOLVE_EVERY == 0) {
            solve_a_little(&v);
        }
        if (i % CHECK_EVERY == 0) {
            check_triangles(&v);
        }
        max = live > max ? live : max;
        warm = i < WARM_UP ? max : warm;
    }
    CU_ASSERT(n_taken > EDITS / 2);
    CU_ASSERT(max - warm < LUCK);
    check_same_edit_for_ever(&v);
    close_viewer(&v);
    CU_ASSERT_EQUAL(live, 0);
    ew_set_allocator(NULL);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"ten_thousand_edits_take_no_more_memory", test_ten_thousand_edits_take_no_more_memory},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"model viewer", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
