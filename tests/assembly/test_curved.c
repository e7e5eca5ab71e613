/* Quadratic tets with curved sides: what a linear field and a rigid motion need of forces,
 * symmetry, blocks against products, any number of threads; sides that edits split and blocks that
 * follow; folded tets. */
#include "curved_fixture.h"
#include "quadratic_fixture.h"

static const ew_material plain = {.young = 200.0, .poisson = 0.3, .density = 1.0};

/* A body whose rows have the curves of its mesh. *curve: the caller's. */
static void make_bent_body(body *p, const int32_t cells[3], const ew_material *of, double **curve)
{
    *p = (body){0};
    must(ew_shape_box(&p->mesh, (double[]){1.0, 0.9, 0.8}, cells));
    bend_mesh(&p->mesh, 0.03 / cells[0]); /* far from a fold */
    build_body_of(p, of, NULL);
    *curve = calloc((size_t)p->rows.pattern.n_row, 3 * sizeof **curve);
    for (int32_t row = 0; row < p->rows.pattern.n_row; row++) {
        const int32_t *end = ends_of(p, row);
        const double *c = ew_mesh_curve(&p->mesh, end[0], end[1]);
        if (c) {
            memcpy(*curve + 3 * row, c, 3 * sizeof *c);
        }
    }
    p->rows.curve = *curve;
    const ew_edge_blocks from = ew_edge_blocks_of(&p->mesh, &p->topology, &p->materials, &p->rows);
    must(ew_matrix_build(&p->blocks, &from.source));
    ew_edge_product_free(&p->quadratic.product);
    must(p->op.type->prepare(&p->op, EW_DOUBLE));
    must(ew_edge_rows_check_curves(&p->rows, &p->mesh, &p->topology, false));
}

/* u = A x with curved sides: the same of the curves. */
static void put_linear(const body *p, double a[3][3], double *x)
{
    for (int32_t i = 0; i < p->n; i++) {
        const double *from = i < p->mesh.n_vertex
                                 ? p->mesh.xyz + 3 * (size_t)i
                                 : p->rows.curve + 3 * (size_t)(i - p->mesh.n_vertex);
        for (int c = 0; c < 3; c++) {
            x[3 * i + c] = a[c][0] * from[0] + a[c][1] * from[1] + a[c][2] * from[2];
        }
    }
}

static void check_linear_fields_and_rigid_motions(const ew_material *material)
{
    double strain[3][3] = {{0.3, 0.1, -0.2}, {0.5, -0.4, 0.2}, {0.1, 0.7, 0.6}};
    double turn[3][3] = {{0.0, 0.4, -0.2}, {-0.4, 0.0, 0.7}, {0.2, -0.7, 0.0}};
    body p;
    double *curve;
    make_bent_body(&p, (int32_t[]){3, 3, 3}, material, &curve);
    double *y = calloc((size_t)p.n, 3 * sizeof *y);
    put_linear(&p, turn, p.x);
    p.op.type->product(&p.op, false, p.x, y);
    double largest = 0.0, inner = 0.0;
    for (int32_t i = 0; i < 3 * p.n; i++) {
        CU_ASSERT(fabs(y[i]) < 1e-12);
    }
    put_linear(&p, strain, p.x);
    p.op.type->product(&p.op, false, p.x, y);
    fix_surface(&p);
    for (int32_t i = 0; i < 3 * p.n; i++) {
        largest = fmax(largest, fabs(y[i]));
        inner = fmax(inner, p.fixed[i / 3] ? 0.0 : fabs(y[i]));
    }
    CU_ASSERT(largest > 1.0 && inner < 1e-3 * largest); /* four points are not exact any more */
    free(y);
    free(curve);
    free_body(&p);
}

/* Of wood what a linear field needs differs from tet to tet. */
static void test_linear_fields_and_rigid_motions(void)
{
    ew_material law = wood();
    law.axes = (ew_material_axes){
        .kind = EW_MATERIAL_AXES_FIXED, .first = {1.0, 0.2, 0.0}, .second = {-0.2, 1.0, 0.0}};
    check_linear_fields_and_rigid_motions(&plain);
    check_linear_fields_and_rigid_motions(&law);
}

static void check_products_and_blocks(const ew_material *material)
{
    body p;
    double *curve;
    make_bent_body(&p, (int32_t[]){2, 2, 2}, material, &curve);
    const size_t size = 3 * (size_t)p.n, first = 3 * (size_t)p.mesh.n_vertex;
    double *y = calloc(size, sizeof *y), *z = calloc(size, sizeof *z), *b = calloc(size, sizeof *b);
    double one = 0.0, other = 0.0;
    random_vector(p.x, p.n, 1);
    random_vector(b, p.n, 2);
    p.op.type->product(&p.op, false, p.x, y);
    p.op.type->product(&p.op, false, b, z);
    for (size_t i = 0; i < size; i++) {
        one += b[i] * y[i];
        other += p.x[i] * z[i];
    }
    CU_ASSERT_DOUBLE_EQUAL(one, other, 1e-10 * fabs(one));
    for (int32_t row = 0; row < p.rows.pattern.n_row; row++) { /* columns */
        for (size_t c = 0; c < 3; c++) {
            const size_t at = first + 3 * (size_t)row;
            memset(b, 0, size * sizeof *b);
            b[at + c] = 1.0;
            p.op.type->product(&p.op, false, b, z);
            for (size_t k = 0; k < 3; k++) {
                CU_ASSERT_DOUBLE_EQUAL(z[at + k], p.blocks.diagonal[9 * (size_t)row + 3 * k + c],
                                       1e-11);
            }
        }
    }
    memset(z, 0, size * sizeof *z); /* parts against all of it, on edges */
    memset(b, 0, size * sizeof *b);
    ew_edge_product_add(&p.quadratic.product, EW_EDGE_OF_CORNERS, p.x, z);
    ew_edge_product_add(&p.quadratic.product, EW_EDGE_OF_EDGES, p.x, z);
    ew_edge_product_add(&p.quadratic.product, EW_EDGE_ALL, p.x, b);
    for (size_t i = first; i < size; i++) {
        CU_ASSERT_DOUBLE_EQUAL(z[i], b[i], 1e-10);
    }
    free(y);
    free(z);
    free(b);
    free(curve);
    free_body(&p);
}

/* y = the matrix with all blocks stored, scalar blocks times the identity, times x. */
static void assembled_product(const ew_pattern *pattern, const ew_matrix *matrix, const double *x,
                              double *y)
{
    if (matrix->block == 1) {
        ew_matrix_product_scalar(matrix, pattern, x, y);
    } else {
        ew_matrix_product(matrix, pattern, x, y);
    }
}

/* Stiffness and both masses with all blocks stored are what the products are. */
static void check_whole(const ew_material *material)
{
    static const ew_assembled_kind kinds[] = {EW_ASSEMBLED_STIFFNESS, EW_ASSEMBLED_MASS,
                                              EW_ASSEMBLED_MASS_LUMPED};
    body p;
    double *curve;
    make_bent_body(&p, (int32_t[]){2, 2, 2}, material, &curve);
    const size_t size = 3 * (size_t)p.n;
    double *y = calloc(size, sizeof *y), *z = calloc(size, sizeof *z);
    ew_pattern pattern = {0};
    must(ew_assembled_pattern_build(&pattern, &p.mesh, &p.topology, &p.rows));
    random_vector(p.x, p.n, 1);
    for (int k = 0; k < 3; k++) {
        ew_assembled from =
            ew_assembled_of(kinds[k], &pattern, &p.mesh, &p.topology, &p.materials, &p.rows);
        ew_matrix whole = {0}, mass = {0};
        ew_edge_mass edges = {0};
        from.linear = k ? NULL : &p.matrix;
        must(ew_matrix_build(&whole, &from.source));
        assembled_product(&pattern, &whole, p.x, y);
        if (k == 0) {
            p.op.type->product(&p.op, false, p.x, z);
        } else {
            const ew_mass_kind kind = k == 1 ? EW_MASS_CONSISTENT : EW_MASS_LUMPED;
            const ew_mass of = ew_mass_of(&p.mesh, &p.topology, &p.materials, kind);
            must(ew_matrix_build(&mass, &of.source));
            must(ew_edge_mass_build(&edges, &of, &p.rows));
            edges.list = &p.quadratic.product;
            memset(z, 0, size * sizeof *z);
            ew_matrix_product_scalar(&mass, &p.topology.pattern, p.x, z);
            ew_edge_mass_add(&edges, EW_EDGE_ALL, 1.0, p.x, z);
        }
        for (size_t i = 0; i < size; i++) {
            CU_ASSERT_DOUBLE_EQUAL(y[i], z[i], k ? 1e-15 : 1e-11);
        }
        ew_edge_mass_free(&edges);
        ew_matrix_free(&whole);
        ew_matrix_free(&mass);
    }
    ew_pattern_free(&pattern);
    free(y);
    free(z);
    free(curve);
    free_body(&p);
}

static void test_products_and_blocks(void)
{
    const ew_material law = wood();
    check_products_and_blocks(&plain);
    check_products_and_blocks(&law);
    check_whole(&plain);
    check_whole(&law);
}

/* With and without the stored matrix, whose blocks are up to some 100. */
static void check_whole_product(body *p, size_t size)
{
    double *y = calloc(size, sizeof *y), *z = calloc(size, sizeof *z);
    must(p->op.type->prepare(&p->op, EW_DOUBLE));
    p->op.type->product(&p->op, false, p->x, y);
    p->quadratic.stored_is_of_tets = true;
    CU_ASSERT(p->quadratic.edges.is_whole(&p->quadratic));
    p->op.type->product(&p->op, false, p->x, z);
    p->quadratic.stored_is_of_tets = false;
    for (size_t i = 0; i < size; i++) {
        CU_ASSERT_DOUBLE_EQUAL(y[i], z[i], 1e-10);
    }
    free(y);
    free(z);
}

static void test_any_number_of_threads(void)
{
    static const int threads[] = {1, 2, 3};
    const int before = ew_threads();
    body p;
    double *curve;
    make_bent_body(&p, (int32_t[]){8, 8, 9}, &plain, &curve);
    const size_t size = 3 * (size_t)p.n;
    double *y = NULL;
    for (uint32_t i = 0; i < (uint32_t)p.rows.pattern.n_row; i += 2) { /* some tets are straight */
        memset(curve + 3 * i, 0, 3 * sizeof *curve);
    }
    random_vector(p.x, p.n, 3);
    check_whole_product(&p, size);
    for (int k = 0; k < 3; k++) {
        double *z = calloc(size, sizeof *z);
        ew_use_threads(threads[k]);
        ew_edge_product_free(&p.quadratic.product);
        must(p.op.type->prepare(&p.op, EW_DOUBLE));
        ew_edge_product_add(&p.quadratic.product, EW_EDGE_ALL, p.x, z);
        CU_ASSERT(!y || !memcmp(y, z, size * sizeof *z));
        free(y);
        y = z;
    }
    ew_use_threads(before);
    free(y);
    free(curve);
    free_body(&p);
}

/* ---- in a model --------------------------------------------------------------------- */

static ew_model *make_bent_model(double noise)
{
    return make_bent_model_of(noise, &plain);
}

static ew_status queue_refinement(void *user, const ew_model *model, ew_edit *edit)
{
    return ew_operation_refine(ew_model_mesh(model), ew_model_topology(model), *(double *)user,
                               NULL, edit);
}

/* Where the vertex was in the box. */
static void straighten(const double y[3], double x[3])
{
    x[1] = y[1];
    x[0] = y[0] - 0.15 * x[1] * x[1];
    x[2] = y[2] - 0.2 * x[0] * x[0] + 0.1 * x[0] * x[1];
}

static void verify(ew_model *model)
{
    ew_model_verification result;
    const ew_matrix *matrix;
    must(ew_model_matrix(model, &matrix));
    must(ew_model_verify(model, &result));
    CU_ASSERT_EQUAL(result.n_different, 0);
}

/* Refined, the body is the bent box still: the sides of the parts are those of the whole, to
 * rounding. */
static void test_split_sides_keep_the_body(void)
{
    ew_model *model = make_bent_model(0.0);
    verify(model);
    for (double longest = 0.45; longest > 0.2; longest *= 0.7) {
        must(ew_model_apply(model, queue_refinement, &longest));
        CU_ASSERT(ew_model_change(model)->added_vertex.n > 0);
        const ew_edge_rows *rows = ew_model_edge_rows(model);
        const ew_mesh *mesh = ew_model_mesh(model);
        double off = 0.0;
        for (int32_t row = 0; row < rows->pattern.n_row; row++) {
            double a[3], b[3], c[3];
            if (rows->edge[row] < 0) {
                continue;
            }
            const int32_t *end = ew_model_topology(model)->pattern.pair_row + 2 * rows->edge[row];
            straighten(mesh->xyz + 3 * end[0], a);
            straighten(mesh->xyz + 3 * end[1], b);
            curve_of((double[]){b[0] - a[0], b[1] - a[1], b[2] - a[2]}, c);
            for (int i = 0; i < 3; i++) {
                off = fmax(off, fabs(rows->curve[3 * row + i] - c[i]));
            }
        }
        CU_ASSERT(off < 1e-14);
        verify(model);
    }
    ew_model_free(model);
}

static ew_status remove_some(void *user, const ew_model *model, ew_edit *edit)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    for (int i = 0; i < 5; i++) {
        const int32_t t = (int32_t)ew_test_random(user, (uint32_t)mesh->n_tet);
        EW_TRY(ew_mesh_tet_is_live(mesh, t) ? ew_edit_remove_tet(edit, t) : EW_OK);
    }
    return EW_OK;
}

static ew_status move_one(void *user, const ew_model *model, ew_edit *edit)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const int32_t v = (int32_t)ew_test_random(user, (uint32_t)mesh->n_vertex);
    double x[3];
    memcpy(x, mesh->xyz + 3 * v, sizeof x);
    x[0] += 0.01;
    return ew_mesh_vertex_is_active(mesh, v) ? ew_edit_move_vertex(edit, v, x) : EW_OK;
}

/* Blocks are those of a rebuild, whatever is removed, moved, split, or made linear and back. */
static void follow_edits(const ew_material *material)
{
    ew_model *model = make_bent_model_of(0.01, material);
    uint64_t state = 5;
    double longest = 0.4;
    ew_list tet = {0};
    for (int i = 0; i < 40; i++) {
        const ew_mesh *mesh = ew_model_mesh(model);
        ew_status status = EW_OK;
        switch (ew_test_random(&state, 5)) {
        case 0:
            longest *= 0.97;
            status = ew_model_apply(model, queue_refinement, &longest);
            break;
        case 1:
            status = ew_model_apply(model, move_one, &state);
            break;
        case 2:
            must(ew_model_compact(model, NULL, NULL));
            break;
        case 3:
            tet.n = 0;
            for (int32_t t = 0; t < mesh->n_tet; t++) {
                if (ew_mesh_tet_is_live(mesh, t) && ew_test_random(&state, 10) == 0) {
                    must(ew_list_push(&tet, t));
                }
            }
            must(ew_model_enrich(model, &tet, ew_test_random(&state, 2) == 0));
            break;
        default:
            status = ew_model_apply(model, remove_some, &state);
        }
        CU_ASSERT(status == EW_OK || status == EW_BAD_EDIT);
        verify(model);
    }
    ew_list_free(&tet);
    ew_model_free(model);
}

static void test_blocks_follow_edits(void)
{
    const ew_material law = wood();
    follow_edits(&plain);
    follow_edits(&law);
}

/* What maps a body maps its sides: volumes as the determinant says, and blocks that follow. So it
 * is with tets that are linear then, and become quadratic after. */
static void test_mapped_sides(void)
{
    static const char *const maps[][4] = {{"scale", "factor", "1.5,1,0.5", NULL},
                                          {"rotate", "angle", "30", "z"},
                                          {"mirror", "normal", "y", NULL}};
    static const double becomes[] = {0.75, 1.0, 2.0};
    for (int k = 0; k < 6; k++) {
        const ew_operation *operation = ew_operation_named(maps[k / 2][0]);
        ew_operation_values values = ew_operation_presets(operation);
        ew_model *model = make_bent_model(0.0);
        const double before = volume_of(model);
        CU_ASSERT_DOUBLE_EQUAL(before, 0.72, 1e-14);
        must(k % 2 ? ew_model_set_order(model, false) : EW_OK);
        must(ew_operation_set(operation, &values, maps[k / 2][1], maps[k / 2][2], EW_AS_KEYS));
        if (maps[k / 2][3]) {
            must(ew_operation_set(operation, &values, "axis", maps[k / 2][3], EW_AS_KEYS));
        }
        must(ew_model_queue_operation(model, operation, &values, NULL));
        must(ew_model_commit(model));
        must(k % 2 ? ew_model_set_order(model, true) : EW_OK);
        if (k != 5) { /* images of linear tets have straight sides */
            CU_ASSERT_DOUBLE_EQUAL(volume_of(model), becomes[k / 2] * before, 1e-13);
        }
        verify(model);
        ew_model_free(model);
    }
}

/* Fixes the first vertices. */
static void fix_some(ew_model *model)
{
    const ew_model_set_def def = {.name = "some"};
    ew_list vertex = {0};
    int32_t set;
    for (int32_t v = 0; v < 12; v++) {
        must(ew_list_push(&vertex, v));
    }
    must(ew_model_add_set(model, &def, &vertex, &set));
    const ew_model_constraint fixed = {.set = set, .fixed = 7};
    must(ew_model_set_constraints(model, 1, &fixed));
    ew_list_free(&vertex);
}

/* Those of the loads, and of the support's reactions, have what acts on the middles of sides. */
static void check_moments(const ew_model *model, const ew_sums *sums)
{
    const double origin[3] = {0.0, 0.0, 0.0};
    double force[3], moment[3];
    ew_set_results results;
    must(ew_model_load_resultant(model, 0, force, moment)); /* heat has none */
    must(ew_model_recover_set(model, 0, 7, origin, &results));
    const double small = 1e-9 * (fabs(moment[0]) + fabs(moment[1]) + fabs(moment[2]));
    CU_ASSERT(small > 0.0);
    for (int c = 0; c < 3; c++) {
        CU_ASSERT_DOUBLE_EQUAL(sums->applied_moment[c], moment[c], small);
        CU_ASSERT_DOUBLE_EQUAL(sums->reaction_moment[c], -moment[c], small);
        CU_ASSERT_DOUBLE_EQUAL(results.reaction_moment[c], -moment[c], small);
    }
}

/* Weight and heat on a body of wood: energy is what work was done, and of heat what it pressed. */
static void test_energy_of_wood(void)
{
    const ew_model_load loads[] = {
        {.kind = EW_LOAD_GRAVITY, .set = -1, .vector = {0.0, 1.0, -9.0}},
        {.kind = EW_LOAD_TEMPERATURE, .set = -1, .change = 3.0, .gradient = {1.0, -2.0, 0.5}}};
    const ew_fields *fields;
    const ew_sums *sums;
    ew_pcg_def def = ew_default_pcg_def();
    ew_material law = wood();
    def.tolerance = 1e-12;
    memcpy(law.expansions, (double[]){1e-2, 3e-2, 5e-2}, 3 * sizeof(double));
    ew_model *model = make_bent_model_of(0.01, &law);
    fix_some(model);
    must(ew_model_set_loads(model, 2, loads));
    must(ew_model_solve(model, &def, NULL));
    must(ew_model_recover(model, &fields, &sums));
    CU_ASSERT(sums->strain_energy > 0.01 && fabs(sums->thermal_work) > 0.01);
    CU_ASSERT_DOUBLE_EQUAL(sums->external_work, 2.0 * sums->strain_energy + sums->thermal_work,
                           1e-9 * sums->strain_energy);
    CU_ASSERT(sums->equilibrium < 1e-9);
    check_moments(model, sums);
    ew_model_free(model);
}

/* The assembly's own look at its points: curves that no mesh takes, put on the edges. */
static void test_folded_tets(void)
{
    body p;
    double *curve;
    make_bent_body(&p, (int32_t[]){2, 2, 2}, &plain, &curve);
    for (int32_t i = 0; i < 3 * p.rows.pattern.n_row; i++) {
        curve[i] *= 30.0;
    }
    CU_ASSERT_EQUAL(ew_edge_rows_check_curves(&p.rows, &p.mesh, &p.topology, false),
                    EW_MESH_VOLUME);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "fold it"));
    free(curve);
    free_body(&p);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"linear_fields_and_rigid_motions", test_linear_fields_and_rigid_motions},
        {"products_and_blocks", test_products_and_blocks},
        {"any_number_of_threads", test_any_number_of_threads},
        {"split_sides_keep_the_body", test_split_sides_keep_the_body},
        {"blocks_follow_edits", test_blocks_follow_edits},
        {"mapped_sides", test_mapped_sides},
        {"energy_of_wood", test_energy_of_wood},
        {"folded_tets", test_folded_tets},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"curved", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
