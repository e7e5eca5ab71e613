/* A program like a viewer with a knife: it drives a model for 10,000 edits, keeps a triangle list
 * of its own in step through what the boundary says of each, and now and then asks for a few
 * iterations. After a warm-up the library takes no more memory. */
#include "model_fixture.h"
#include "random_edits.h"

enum { EDITS = 10000, WARM_UP = 3000, SOLVE_EVERY = 250, CHECK_EVERY = 500, MAX_GONE = 40 };
enum { LUCK = 4096 }; /* bytes by which a large star may lengthen lists: less than one an edit */

/* ---- the viewer ------------------------------------------------------------------ */

typedef struct triangle {
    int32_t vertex[3], slot;
} triangle;

typedef struct viewer {
    ew_model *model;
    const ew_mesh *mesh;         /* the model's */
    const ew_boundary *boundary; /* the model's, as of the last commit */
    int32_t n_triangle, capacity, slot_capacity;
    triangle *triangle; /* [n_triangle] without holes, as a graphics card wants them */
    int32_t *at;        /* [boundary slot] place in `triangle` */
    int32_t n_gone, gone[MAX_GONE][4]; /* tets that were cut, to be put back */
    int32_t n_spike, spike[MAX_GONE];  /* apex of an added tet */
    uint64_t random;
} viewer;

static int32_t draw(viewer *v, int32_t bound)
{
    return (int32_t)ew_test_random(&v->random, (uint32_t)bound);
}

static triangle triangle_of(const viewer *v, int32_t slot)
{
    const int32_t code = v->boundary->code[slot];
    triangle t = {.slot = slot};
    for (int k = 0; k < 3; k++) {
        t.vertex[k] = v->mesh->tet[4 * (code / 4) + ew_face_vertex[code % 4][k]];
    }
    return t;
}

/* Only what the last commit changed; at first, all. */
static void update_triangles(viewer *v)
{
    must(ew_model_boundary(v->model, &v->boundary));
    const ew_boundary *boundary = v->boundary;
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
        v->at[slot] = v->n_triangle;
        v->triangle[v->n_triangle++] = triangle_of(v, slot);
    }
    for (int32_t i = 0; i < boundary->kept.n; i++) {
        const int32_t slot = boundary->kept.id[i];
        v->triangle[v->at[slot]] = triangle_of(v, slot);
    }
}

/* ---- what a user does --------------------------------------------------------------- */

static void cut(viewer *v, ew_edit *edit)
{
    const int32_t t = random_live_tet(v->mesh, &v->random);
    memcpy(v->gone[v->n_gone++], v->mesh->tet + 4 * t, sizeof v->gone[0]);
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
    const int32_t i = draw(v, v->mesh->n_vertex);
    double to[3];
    for (int c = 0; c < 3; c++) {
        to[c] = v->mesh->xyz[3 * i + c] + 0.002 * (draw(v, 21) - 10);
    }
    must(ew_edit_move_vertex(edit, i, to));
}

/* A new vertex above a triangle, which looks outwards, and a tet between them. */
static void grow_spike(viewer *v, ew_edit *edit)
{
    const triangle *base = &v->triangle[draw(v, v->n_triangle)];
    const int32_t *at = base->vertex;
    const double *x = v->mesh->xyz;
    double up[3], top[3];
    int32_t apex;
    ew_face_area_vector(v->mesh, v->boundary->code[base->slot], up);
    for (int c = 0; c < 3; c++) {
        top[c] = (x[3 * at[0] + c] + x[3 * at[1] + c] + x[3 * at[2] + c]) / 3.0 + 4.0 * up[c];
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
    must(ew_topology_boundary(ew_model_topology(v->model), v->mesh, &face));
    CU_ASSERT_EQUAL(face.n, v->n_triangle);
    for (int32_t i = 0; i < face.n; i++) {
        const int32_t slot = ew_boundary_find(v->boundary, face.id[i]);
        const triangle now = triangle_of(v, slot);
        CU_ASSERT(!memcmp(&v->triangle[v->at[slot]], &now, sizeof now));
    }
    ew_list_free(&face);
}

static void test_ten_thousand_edits_take_no_more_memory(void)
{
    viewer v = {.random = 2024};
    size_t warm = 0, max = 0;
    int32_t n_taken = 0;
    ew_test_bytes_begin();
    v.model = make_model(5, NULL);
    v.mesh = ew_model_mesh(v.model);
    update_triangles(&v);
    for (int32_t i = 0; i < EDITS; i++) {
        const ew_status status = edit(&v);
        CU_ASSERT(status == EW_OK || status == EW_BAD_EDIT);
        n_taken += status == EW_OK;
        if (i % SOLVE_EVERY == 0) {
            solve_a_little(v.model, 4);
        }
        if (i % CHECK_EVERY == 0) {
            check_triangles(&v);
        }
        max = ew_test_bytes() > max ? ew_test_bytes() : max;
        warm = i < WARM_UP ? max : warm;
    }
    CU_ASSERT(n_taken > EDITS / 2 && max - warm < LUCK);
    ew_model_free(v.model);
    ew_release(v.triangle);
    ew_release(v.at);
    CU_ASSERT_EQUAL(ew_test_bytes(), 0);
    ew_test_bytes_end();
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"ten_thousand_edits_take_no_more_memory",
                            test_ten_thousand_edits_take_no_more_memory},
                           CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"model viewer", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
