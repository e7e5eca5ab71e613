/* A program like a viewer with a knife: it drives a model for 10,000 edits, keeps a triangle list
 * of its own in step through what the boundary says of each, and now and then asks for a few
 * iterations. After a warm-up the library takes no more memory. */
#include "model_fixture.h"

enum { EDITS = 10000, WARM_UP = 3000, SOLVE_EVERY = 250, CHECK_EVERY = 500, MAX_GONE = 40 };
/* Bytes by which a star larger than any before may lengthen lists. One byte lost by each edit would
 * be more. */
enum { LUCK = 4096 };

/* ---- the viewer ------------------------------------------------------------------ */

typedef struct triangle {
    int32_t vertex[3], slot;
} triangle;

typedef struct viewer {
    ew_model *model;
    int32_t n_triangle, capacity, slot_capacity;
    triangle *triangle; /* [n_triangle] without holes, as a graphics card wants them */
    int32_t *at;        /* [boundary slot] place in `triangle` */
    int32_t n_gone, gone[MAX_GONE][4]; /* tets that were cut, to be put back */
    int32_t n_spike, spike[MAX_GONE];  /* apex of an added tet */
    uint64_t random;
} viewer;

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

/* Only what the last commit changed; at first, all. */
static void update_triangles(viewer *v)
{
    const ew_boundary *boundary;
    must(ew_model_boundary(v->model, &boundary));
    const ew_list *removed = &boundary->removed, *added = &boundary->added;
    const bool first = !v->at;
    must(ew_grow(&v->at, &v->slot_capacity, boundary->n_slot, sizeof *v->at));
    must(ew_grow(&v->triangle, &v->capacity, boundary->n_live + removed->n, sizeof *v->triangle));
    for (int32_t i = 0; i < removed->n; i++) {
        const int32_t hole = v->at[removed->id[i]];
        v->triangle[hole] = v->triangle[--v->n_triangle];
        v->at[v->triangle[hole].slot] = hole;
    }
    for (int32_t i = 0; i < (first ? boundary->n_slot : added->n); i++) {
        const int32_t slot = first ? i : added->id[i];
        v->at[slot] = v->n_triangle++;
        set_triangle(v, boundary, slot);
    }
    for (int32_t i = 0; i < boundary->kept.n; i++) {
        set_triangle(v, boundary, boundary->kept.id[i]);
    }
}

/* ---- what a user does --------------------------------------------------------------- */

static void cut(viewer *v, ew_edit *edit)
{
    int32_t t = draw(v, mesh_of(v)->n_tet);
    while (!ew_mesh_tet_is_live(mesh_of(v), t)) {
        t = (t + 1) % mesh_of(v)->n_tet;
    }
    memcpy(v->gone[v->n_gone++], mesh_of(v)->tet + 4 * t, sizeof v->gone[0]);
    must(ew_edit_remove_tet(edit, t));
}

/* What is refused is forgotten. */
static void put_back(viewer *v, ew_edit *edit)
{
    const int32_t k = draw(v, v->n_gone);
    must(ew_edit_add_tet(edit, v->gone[k], 1));
    memcpy(v->gone[k], v->gone[--v->n_gone], sizeof v->gone[0]);
}

static void move(viewer *v, ew_edit *edit)
{
    const int32_t i = draw(v, mesh_of(v)->n_vertex);
    double to[3];
    for (int c = 0; c < 3; c++) {
        to[c] = mesh_of(v)->xyz[3 * i + c] + 0.002 * (draw(v, 21) - 10);
    }
    must(ew_edit_move_vertex(edit, i, to));
}

/* A new vertex above a triangle, which looks outwards, and a tet between them. */
static void grow_spike(viewer *v, ew_edit *edit)
{
    const int32_t *at = v->triangle[draw(v, v->n_triangle)].vertex;
    const double *p = mesh_of(v)->xyz + 3 * at[0], *q = mesh_of(v)->xyz + 3 * at[1];
    const double *r = mesh_of(v)->xyz + 3 * at[2];
    double top[3];
    int32_t apex;
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        top[c] = (p[c] + q[c] + r[c]) / 3.0 +
                 2.0 * ((q[d] - p[d]) * (r[e] - p[e]) - (q[e] - p[e]) * (r[d] - p[d]));
    }
    must(ew_edit_add_vertex(edit, top, &apex));
    must(ew_edit_add_tet(edit, (int32_t[4]){at[0], at[1], at[2], apex}, 1));
}

/* A spike goes with its vertex and with what has grown on it. */
static void cut_spike(viewer *v, ew_edit *edit)
{
    const int32_t apex = v->spike[--v->n_spike];
    const ew_rows *rows = &ew_model_topology(v->model)->vertex_to_tet;
    for (int32_t i = 0; i < rows->count[apex]; i++) {
        must(ew_edit_remove_tet(edit, rows->item[rows->begin[apex] + i]));
    }
    must(ew_edit_remove_vertex(edit, apex));
}

static ew_status edit(viewer *v)
{
    const int32_t what = draw(v, 6);
    ew_edit *edit = ew_model_edit(v->model);
    ew_model_begin(v->model);
    if (what < 2 && v->n_spike && (what == 1 || v->n_spike == MAX_GONE)) {
        cut_spike(v, edit);
    } else if (what == 0) {
        grow_spike(v, edit);
    } else if (what == 2) {
        move(v, edit);
    } else if (v->n_gone < MAX_GONE && (what < 4 || !v->n_gone)) {
        cut(v, edit);
    } else {
        put_back(v, edit);
    }
    EW_TRY(ew_model_commit(v->model));
    const ew_list *added = &ew_model_change(v->model)->added_vertex;
    if (added->n) {
        v->spike[v->n_spike++] = added->id[0];
    }
    update_triangles(v);
    return EW_OK;
}

/* ---- what is expected ----------------------------------------------------------------- */

/* The list has each boundary face of the mesh once, seen from outside. */
static void check_triangles(const viewer *v)
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
}

static void test_ten_thousand_edits_take_no_more_memory(void)
{
    viewer v = {.random = 2024};
    size_t warm = 0, max = 0;
    int32_t n_taken = 0;
    ew_test_bytes_begin();
    v.model = make_model(5, NULL);
    update_triangles(&v);
    for (int32_t i = 0; i < EDITS; i++) {
        const ew_status status = edit(&v);
        CU_ASSERT(status == EW_OK || status == EW_BAD_EDIT);
        n_taken += status == EW_OK;
        if (i % SOLVE_EVERY == 0) {
            solve_a_little(&v);
        }
        if (i % CHECK_EVERY == 0) {
            check_triangles(&v);
        }
        max = ew_test_bytes() > max ? ew_test_bytes() : max;
        warm = i < WARM_UP ? max : warm;
    }
    CU_ASSERT(n_taken > EDITS / 2);
    CU_ASSERT(max - warm < LUCK);
    ew_model_free(v.model);
    ew_release(v.triangle);
    ew_release(v.at);
    CU_ASSERT_EQUAL(ew_test_bytes(), 0);
    ew_test_bytes_end();
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
