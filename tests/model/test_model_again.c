/* Models that start again from a base: whatever was done to one before, every array of mesh,
 * tables, boundary and blocks is byte for byte that of a model made from the mesh, and what follows
 * has the same bits. Answers that are known need neither blocks nor preconditioners. */
#include "model_edits.h"

static const ew_material steel = {
    .young = 210e9, .poisson = 0.3, .density = 7850.0, .expansion = 1.2e-5};
static const ew_model_template_material materials[] = {
    {EW_ALL_REGIONS, {.young = 210e9, .poisson = 0.3}}};

static ew_mesh make_mesh(void)
{
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[3]){1.0, 1.0, 1.0}, (int32_t[3]){2, 2, 2}));
    return mesh;
}

static ew_model_template *make_base(int32_t n_material)
{
    ew_model_template *base = NULL;
    ew_mesh mesh = make_mesh();
    must(ew_model_template_create(&base, &mesh, true, n_material, materials));
    ew_mesh_free(&mesh);
    return base;
}

/* ---- bytes --------------------------------------------------------------------------- */

static void same(const void *a, const void *b, size_t size)
{
    CU_ASSERT(!size || !memcmp(a, b, size));
}

static void same_list(const ew_list *a, const ew_list *b)
{
    CU_ASSERT_EQUAL_FATAL(a->n, b->n);
    same(a->id, b->id, (size_t)a->n * sizeof *a->id);
}

static void same_rows(const ew_rows *a, const ew_rows *b)
{
    CU_ASSERT_EQUAL_FATAL(a->n_row, b->n_row);
    CU_ASSERT_EQUAL_FATAL(a->n_item, b->n_item);
    CU_ASSERT_EQUAL_FATAL(a->n_class, b->n_class);
    same(a->begin, b->begin, (size_t)a->n_row * sizeof *a->begin);
    same(a->count, b->count, (size_t)a->n_row * sizeof *a->count);
    for (int32_t i = 0; i < a->n_row; i++) { /* between the rows is nothing */
        const size_t first = (size_t)a->width * (size_t)(a->count[i] ? a->begin[i] : 0);
        same(a->item + first, b->item + first, (size_t)(a->width * a->count[i]) * sizeof *a->item);
    }
    same(a->free_chunk, b->free_chunk, (size_t)a->n_class * sizeof *a->free_chunk);
}

static void same_mesh(const ew_mesh *a, const ew_mesh *b)
{
    CU_ASSERT_EQUAL_FATAL(a->n_vertex, b->n_vertex);
    CU_ASSERT_EQUAL_FATAL(a->n_tet, b->n_tet);
    CU_ASSERT_EQUAL(a->next_vertex_id, b->next_vertex_id);
    CU_ASSERT_EQUAL(a->next_tet_id, b->next_tet_id);
    CU_ASSERT_EQUAL(a->revision, b->revision);
    const size_t v = (size_t)a->n_vertex, t = (size_t)a->n_tet;
    same(a->xyz, b->xyz, 3 * v * sizeof *a->xyz);
    same(a->valence, b->valence, v * sizeof *a->valence);
    same(a->vertex_id, b->vertex_id, v * sizeof *a->vertex_id);
    same(a->tet, b->tet, 4 * t * sizeof *a->tet);
    same(a->region, b->region, t * sizeof *a->region);
    same(a->tet_id, b->tet_id, t * sizeof *a->tet_id);
    same_list(&a->vertex_hole, &b->vertex_hole);
    same_list(&a->tet_hole, &b->tet_hole);
    must(ew_mesh_check(a));
}

static void same_tables(ew_model *model, ew_model *other)
{
    const ew_topology *a = ew_model_topology(model), *b = ew_model_topology(other);
    const ew_boundary *c, *d;
    same_list(&a->pattern.pair_hole, &b->pattern.pair_hole);
    CU_ASSERT_EQUAL_FATAL(a->pattern.n_pair, b->pattern.n_pair);
    CU_ASSERT_EQUAL(a->pattern.n_live_pair, b->pattern.n_live_pair);
    same(a->pattern.pair_row, b->pattern.pair_row,
         2 * (size_t)a->pattern.n_pair * sizeof *a->pattern.pair_row);
    same(a->pattern.n_lower, b->pattern.n_lower,
         (size_t)a->pattern.n_row * sizeof *a->pattern.n_lower);
    same_rows(&a->pattern.row_to_pair, &b->pattern.row_to_pair);
    same_rows(&a->edge_to_tet, &b->edge_to_tet);
    same_rows(&a->vertex_to_tet, &b->vertex_to_tet);
    same(a->tet_to_edge, b->tet_to_edge, 6 * (size_t)a->n_tet * sizeof *a->tet_to_edge);
    must(ew_topology_check(a, ew_model_mesh(model)));
    must(ew_model_boundary(model, &c));
    must(ew_model_boundary(other, &d));
    must(ew_boundary_check(c, ew_model_mesh(model), a));
    CU_ASSERT_EQUAL_FATAL(c->n_slot, d->n_slot);
    same(c->code, d->code, (size_t)c->n_slot * sizeof *c->code);
    same_list(&c->hole, &d->hole);
}

static void same_blocks(ew_model *model, ew_model *other)
{
    const ew_matrix *a, *b;
    must(ew_model_matrix(model, &a));
    must(ew_model_matrix(other, &b));
    CU_ASSERT_EQUAL_FATAL(a->n_pair, b->n_pair);
    same(a->diagonal, b->diagonal, 9 * (size_t)a->n_row * sizeof *a->diagonal);
    same(a->pair, b->pair, 9 * (size_t)a->n_pair * sizeof *a->pair);
}

/* ---- tests ----------------------------------------------------------------------------- */

/* The boundary in the same order as in a base that has it. */
static ew_model *make_plain(void)
{
    const ew_model_def def = ew_default_model_def();
    ew_model *model = NULL;
    ew_mesh mesh = make_mesh();
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_boundary(model, NULL));
    return model;
}

static void edit_at_random(ew_model *model, uint64_t seed, int n)
{
    editor e = {.state = seed};
    for (int i = 0; i < n; i++) {
        const ew_status status = ew_model_apply(model, queue_any, &e);
        CU_ASSERT(status == EW_OK || status == EW_BAD_EDIT);
    }
}

static void solve_both(ew_model *model, ew_model *other)
{
    const ew_pcg_info *info;
    ew_pcg_def def = ew_default_pcg_def();
    ew_model *both[] = {model, other};
    int32_t iterations[2];
    ew_status status[2];
    for (int i = 0; i < 2; i++) {
        status[i] = ew_model_solve(both[i], &def, &info);
        iterations[i] = info ? info->iterations : -1;
    }
    CU_ASSERT_EQUAL(status[0], status[1]);
    CU_ASSERT_EQUAL(iterations[0], iterations[1]);
    same(ew_model_displacement(model), ew_model_displacement(other),
         3 * (size_t)ew_model_mesh(model)->n_vertex * sizeof(double));
}

static void test_again_after_edits(void)
{
    const ew_model_def def = ew_default_model_def();
    ew_model_template *base = make_base(1);
    ew_model *model = NULL, *plain = make_plain();
    must(ew_model_set_material(plain, EW_ALL_REGIONS, &steel));
    for (uint64_t seed = 1; seed <= 1000 && !CU_get_number_of_failures(); seed++) {
        must(ew_model_start_from(&model, base, &def));
        must(ew_model_set_material(model, EW_ALL_REGIONS, &steel));
        must(ew_model_take_blocks(model, base));
        CU_ASSERT_EQUAL(ew_model_view_report(model)->built_blocks, 0);
        same_mesh(ew_model_mesh(model), ew_model_mesh(plain));
        same_tables(model, plain);
        same_blocks(model, plain);
        CU_ASSERT_EQUAL(ew_model_view_report(model)->built_blocks, 0);
        edit_at_random(model, seed, 4);
    }
    ew_model_free(model);
    ew_model_free(plain);
    ew_model_template_free(base);
}

/* What follows has the same bits: other edits, sets, loads, supports and solves. */
static void test_again_goes_on_alike(void)
{
    const ew_model_def def = ew_default_model_def();
    ew_model_template *base = make_base(1);
    ew_model *model = NULL;
    for (uint64_t seed = 1; seed <= 40 && !CU_get_number_of_failures(); seed++) {
        ew_model *plain = make_plain();
        must(ew_model_start_from(&model, base, &def));
        must(ew_model_set_material(model, EW_ALL_REGIONS, &steel));
        must(ew_model_take_blocks(model, base));
        must(furnish(model));
        must(furnish(plain));
        edit_at_random(model, seed, 3);
        edit_at_random(plain, seed, 3);
        same_mesh(ew_model_mesh(model), ew_model_mesh(plain));
        same_tables(model, plain);
        solve_both(model, plain);
        edit_at_random(model, seed + 1000, 2);
        edit_at_random(plain, seed + 1000, 2);
        solve_both(model, plain);
        ew_model_free(plain);
    }
    ew_model_free(model);
    ew_model_template_free(base);
}

/* Blocks that are not what the model would compute are left alone. */
static void test_again_takes_own_blocks(void)
{
    const ew_model_def def = ew_default_model_def();
    ew_material other = steel;
    ew_model_template *with = make_base(1), *without = make_base(0);
    ew_model *model = NULL, *plain = make_plain();
    other.young *= 2;
    must(ew_model_set_material(plain, EW_ALL_REGIONS, &other));
    for (int i = 0; i < 2; i++) {
        ew_model_template *base = i ? without : with;
        must(ew_model_start_from(&model, base, &def));
        must(ew_model_set_material(model, EW_ALL_REGIONS, &other));
        must(ew_model_take_blocks(model, base));
        same_blocks(model, plain);
        CU_ASSERT(ew_model_view_report(model)->built_blocks > 0);
    }
    must(ew_model_start_from(&model, with, &def)); /* an edit came before */
    must(ew_model_set_material(model, EW_ALL_REGIONS, &steel));
    edit_at_random(model, 5, 1);
    must(ew_model_take_blocks(model, with));
    ew_model_verification found;
    must(ew_model_verify(model, &found));
    CU_ASSERT_EQUAL(found.n_different, 0);
    ew_model_free(model);
    ew_model_free(plain);
    ew_model_template_free(with);
    ew_model_template_free(without);
}

/* An answer that is known, without blocks; then a solve that needs them after all. */
static void test_again_expects_answers(void)
{
    ew_model_def def = ew_default_model_def();
    ew_pcg_def solver = ew_default_pcg_def();
    ew_model_template *base = make_base(1);
    ew_model *solved = NULL, *told = NULL;
    const ew_pcg_info *info, *taken;
    const ew_sums *a, *b;
    must(ew_model_start_from(&solved, base, &def));
    def.expects_answers = true;
    must(ew_model_start_from(&told, base, &def));
    ew_model *both[] = {solved, told};
    for (int i = 0; i < 2; i++) {
        must(ew_model_set_material(both[i], EW_ALL_REGIONS, &steel));
        must(ew_model_take_blocks(both[i], base));
        must(furnish(both[i]));
        edit_at_random(both[i], 3, 3);
    }
    must(ew_model_solve(solved, &solver, &info));
    must(ew_model_accept(told, &solver, ew_model_displacement(solved), info, &taken));
    CU_ASSERT_EQUAL(taken->iterations, info->iterations);
    CU_ASSERT_EQUAL(ew_model_view_report(told)->built_blocks,
                    ew_model_view_report(solved)->built_blocks);
    CU_ASSERT_EQUAL(ew_model_view_report(told)->touched_blocks,
                    ew_model_view_report(solved)->touched_blocks);
    must(ew_model_recover(solved, NULL, &a));
    must(ew_model_recover(told, NULL, &b));
    CU_ASSERT_EQUAL(a->strain_energy, b->strain_energy);
    CU_ASSERT_EQUAL(a->max_von_mises, b->max_von_mises);
    CU_ASSERT_EQUAL(a->max_displacement, b->max_displacement);
    ew_model_expect_no_answers(told);
    ew_model_verification found;
    must(ew_model_verify(told, &found));
    CU_ASSERT_EQUAL(found.n_different, 0);
    CU_ASSERT(ew_model_view_report(told)->built_blocks >
              ew_model_view_report(solved)->built_blocks);
    ew_model_free(solved);
    ew_model_free(told);
    ew_model_template_free(base);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"again_after_edits", test_again_after_edits},
        {"again_goes_on_alike", test_again_goes_on_alike},
        {"again_takes_own_blocks", test_again_takes_own_blocks},
        {"again_expects_answers", test_again_expects_answers},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"model again", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
