/* Axes of a material that are a field of the tets: against axes of a cylinder, through edits, and
 * what is refused. */
#include "axes_fixture.h"

static void check_field_of_a_cylinder(ew_device *on)
{
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = 1e-12;
    for (int order = 0; order < 3; order++) {
        ew_model *model[2] = {NULL, NULL};
        const ew_fields *fields[2] = {NULL, NULL};
        const ew_sums *sums;
        for (int k = 0; k < 2; k++) {
            model[k] = make_body_on(order, k ? EW_MATERIAL_AXES_FIELD : EW_MATERIAL_AXES_CYLINDER,
                                    k ? on : NULL);
            if (k) {
                double *axes = make_axes(ew_model_mesh(model[k]));
                must(ew_model_set_material_axes(model[k], axes));
                free(axes);
            }
            must(ew_model_solve(model[k], &def, NULL));
            must(ew_model_recover(model[k], &fields[k], &sums));
        }
        double largest = 0.0, error = 0.0, stress = 0.0, wrong = 0.0;
        const double *u = ew_model_displacement(model[0]), *v = ew_model_displacement(model[1]);
        for (int32_t i = 0; i < 3 * ew_model_mesh(model[0])->n_vertex; i++) {
            largest = fmax(largest, fabs(u[i]));
            error = fmax(error, fabs(u[i] - v[i]));
        }
        for (int32_t i = 0; i < 6 * ew_model_mesh(model[0])->n_tet; i++) {
            stress = fmax(stress, fabs(fields[0]->stress[i]));
            wrong = fmax(wrong, fabs(fields[0]->stress[i] - fields[1]->stress[i]));
        }
        CU_ASSERT(largest > 1e-3 && error < 1e-9 * largest);
        CU_ASSERT(stress > 1e-3 && wrong < 1e-8 * stress);
        ew_model_free(model[0]);
        ew_model_free(model[1]);
    }
}

static void test_field_of_a_cylinder(void)
{
    check_field_of_a_cylinder(NULL);
    if (device) {
        check_field_of_a_cylinder(device);
    }
}

/* Blocks on the device are those of the host, bit for bit; without the axes there they are refused.
 */
static void test_blocks_on_a_device(void)
{
    const ew_material wood = wood_along(EW_MATERIAL_AXES_FIELD);
    ew_mesh mesh;
    ew_topology topology;
    ew_materials materials;
    ew_matrix host = {0}, there = {0};
    ew_device_mesh copy = {0};
    ew_device_matrix matrix = {0};
    if (!device) {
        return;
    }
    must(ew_shape_box(&mesh, (double[]){1.0, 0.9, 0.8}, (int32_t[]){3, 2, 2}));
    must(ew_topology_build(&topology, &mesh));
    must(ew_materials_init(&materials, 1, &wood));
    double *axes = make_axes(&mesh);
    for (int32_t i = 0; i < 2 * mesh.n_tet; i++) { /* of length 1 */
        double *a = axes + 3 * i;
        const double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        for (int c = 0; c < 3; c++) {
            a[c] /= length;
        }
    }
    materials.axes = axes;
    materials.axes_revision = 3;
    const ew_stiffness from = ew_stiffness_of(&mesh, &topology, &materials);
    must(ew_matrix_build(&host, &from.source));
    must(ew_device_mesh_build(&copy, device, &mesh, &topology));
    CU_ASSERT_EQUAL(ew_device_matrix_build(&matrix, &copy, &from, EW_DOUBLE, NULL), EW_STALE);
    must(ew_device_mesh_send_axes(&copy, &mesh, &materials));
    must(ew_device_matrix_build(&matrix, &copy, &from, EW_DOUBLE, NULL));
    must(ew_device_matrix_download(&matrix, &there));
    CU_ASSERT(!memcmp(host.diagonal, there.diagonal, 9 * sizeof(double) * (size_t)mesh.n_vertex));
    CU_ASSERT(!memcmp(host.pair, there.pair, 9 * sizeof(double) * (size_t)topology.pattern.n_pair));
    ew_device_matrix_free(&matrix);
    ew_device_mesh_free(&copy);
    ew_matrix_free(&host);
    ew_matrix_free(&there);
    free(axes);
    ew_materials_free(&materials);
    ew_topology_free(&topology);
    ew_mesh_free(&mesh);
}

/* ---- edits ------------------------------------------------------------------------------ */

static ew_status queue_refinement(void *user, const ew_model *model, ew_edit *edit)
{
    return ew_operation_refine(ew_model_mesh(model), ew_model_topology(model), *(double *)user,
                               NULL, edit);
}

static ew_status queue_removal(void *user, const ew_model *model, ew_edit *edit)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    for (int i = 0; i < 4; i++) {
        const int32_t t = (int32_t)ew_test_random(user, (uint32_t)mesh->n_tet);
        EW_TRY(ew_mesh_tet_is_live(mesh, t) ? ew_edit_remove_tet(edit, t) : EW_OK);
    }
    return EW_OK;
}

/* Blocks are those of a rebuild, and parts of a tet have its axes. */
static void check_edits(ew_device *on)
{
    for (int order = 0; order < 3; order++) {
        ew_model *model = make_body_on(order, EW_MATERIAL_AXES_FIELD, on);
        double *axes = make_axes(ew_model_mesh(model)), longest = 0.5;
        uint64_t state = 7;
        must(ew_model_set_material_axes(model, axes));
        for (int i = 0; i < 12; i++) {
            const ew_matrix *matrix;
            ew_model_verification result;
            longest *= i % 3 ? 1.0 : 0.93;
            must(ew_model_matrix(model, &matrix));
            const ew_status status = i % 3   ? ew_model_apply(model, queue_removal, &state)
                                     : i % 2 ? ew_model_compact(model, NULL, NULL)
                                             : ew_model_apply(model, queue_refinement, &longest);
            CU_ASSERT(status == EW_OK || status == EW_BAD_EDIT);
            must(ew_model_matrix(model, &matrix));
            must(ew_model_verify(model, &result));
            CU_ASSERT_EQUAL(result.n_different, 0);
        }
        const ew_mesh *mesh = ew_model_mesh(model);
        const double *now = ew_model_material_axes(model);
        for (int32_t t = 0; t < mesh->n_tet; t++) {
            const double *a = now + 6 * (size_t)t;
            if (ew_mesh_tet_is_live(mesh, t)) {
                CU_ASSERT_DOUBLE_EQUAL(a[0] * a[0] + a[1] * a[1] + a[2] * a[2], 1.0, 1e-14);
                CU_ASSERT_DOUBLE_EQUAL(a[0] * a[3] + a[1] * a[4] + a[2] * a[5], 0.0, 1e-14);
            }
        }
        free(axes);
        ew_model_free(model);
    }
}

static void test_edits(void)
{
    check_edits(NULL);
    if (device) {
        check_edits(device);
    }
}

/* The same axes as a cylinder's and as a field, where rotations are large; on the device after an
 * edit, too, whose tets bring their axes. */
static void test_turning(void)
{
    ew_nonlinear_def def = ew_default_nonlinear_def();
    ew_model *model[3] = {NULL, NULL, NULL};
    double longest = 0.4;
    def.tolerance = 1e-11;
    def.solver.tolerance = 1e-10;
    const int n_model = device && ew_device_about(device)->has_double ? 3 : 2;
    for (int k = 0; k < n_model; k++) {
        model[k] = make_body_on(0, k ? EW_MATERIAL_AXES_FIELD : EW_MATERIAL_AXES_CYLINDER,
                                k == 2 ? device : NULL);
        if (k) {
            double *axes = make_axes(ew_model_mesh(model[k]));
            must(ew_model_set_material_axes(model[k], axes));
            free(axes);
        }
        must(ew_model_set_kinematics(model[k], EW_COROTATIONAL));
    }
    for (int step = 0; step < 2; step++) {
        const size_t n = 3 * (size_t)ew_model_mesh(model[0])->n_vertex;
        for (int k = 0; k < n_model; k++) {
            double largest = 0.0, error = 0.0;
            must(ew_model_solve_nonlinear(model[k], &def, NULL));
            for (size_t i = 0; i < n && (k != 1 || step == 0); i++) {
                const double u = ew_model_displacement(model[k == 2])[i];
                largest = fmax(largest, fabs(u));
                error = fmax(error, fabs(u - ew_model_displacement(model[k])[i]));
            }
            CU_ASSERT(error <= 1e-8 * largest);
            CU_ASSERT(largest > 0.1 || (k == 1 && step == 1));
        }
        for (int k = 0; k < n_model && step == 0; k++) {
            const int32_t before = ew_model_mesh(model[k])->n_live_tet;
            must(ew_model_apply(model[k], queue_refinement, &longest));
            CU_ASSERT(ew_model_mesh(model[k])->n_live_tet > before);
        }
    }
    for (int k = 0; k < n_model; k++) {
        ew_model_free(model[k]);
    }
}

/* Other axes are other blocks. */
static void test_given_again(void)
{
    ew_model *model = make_body(1, EW_MATERIAL_AXES_FIELD);
    const int32_t n = ew_model_mesh(model)->n_tet;
    double *axes = make_axes(ew_model_mesh(model));
    const ew_matrix *matrix;
    ew_model_verification result;
    CU_ASSERT_EQUAL(ew_model_matrix(model, &matrix), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "no field was given"));
    must(ew_model_set_material_axes(model, axes));
    must(ew_model_matrix(model, &matrix));
    const double before = matrix->diagonal[0];
    for (int32_t t = 0; t < n; t++) {
        memcpy(axes + 6 * t, (double[]){0.0, 0.0, 1.0, 1.0, 0.0, 0.0}, 6 * sizeof *axes);
    }
    must(ew_model_set_material_axes(model, axes));
    must(ew_model_matrix(model, &matrix));
    CU_ASSERT(matrix->diagonal[0] != before);
    must(ew_model_verify(model, &result));
    CU_ASSERT_EQUAL(result.n_different, 0);
    free(axes);
    ew_model_free(model);
}

/* ---- heat ------------------------------------------------------------------------------- */

/* Of a body all of which is fixed, by 30 K more: the stress that strains it back by its expansion,
 * S stress = -30 expansion along the axes, here turned by 45 degrees about z. Curved sides, too. */
static void test_hot_body_that_is_fixed(void)
{
    static const ew_material steel = {.young = 200.0, .poisson = 0.3, .expansion = 1e-3};
    ew_material wood = wood_along(EW_MATERIAL_AXES_FIXED);
    const ew_model_load heat = {.kind = EW_LOAD_TEMPERATURE, .set = -1, .change = 30.0};
    ew_pcg_def def = ew_default_pcg_def();
    memcpy(wood.axes.first, (double[]){1, 1, 0}, sizeof wood.axes.first);
    memcpy(wood.axes.second, (double[]){-1, 1, 0}, sizeof wood.axes.second);
    for (int k = 0; k < 6; k++) {
        ew_model *model = make_body(k / 2, EW_MATERIAL_AXES_CYLINDER);
        const ew_model_set_def whole = {.name = "whole"};
        const double near = k < 4 ? 1e-6 : 4e-3; /* curved sides are integrated by four points */
        ew_model_constraint fixed = {.fixed = 7};
        const ew_fields *fields;
        const ew_sums *sums;
        ew_list vertex = {0};
        must(ew_mesh_select(ew_model_mesh(model), &(ew_selector){.kind = EW_SELECT_ALL}, &vertex));
        must(ew_model_add_set(model, &whole, &vertex, &fixed.set));
        ew_list_free(&vertex);
        must(ew_model_set_material(model, EW_ALL_REGIONS, k % 2 ? &wood : &steel));
        must(ew_model_set_constraints(model, 1, &fixed));
        must(ew_model_set_loads(model, 1, &heat));
        must(ew_model_solve(model, &def, NULL));
        must(ew_model_recover(model, &fields, &sums));
        for (int32_t t = 0; t < ew_model_mesh(model)->n_tet; t++) {
            const double *s = fields->stress + 6 * (size_t)t, *e = wood.young_along;
            const double *nu = wood.poisson_between, middle = 0.5 * (s[0] + s[1]);
            const double local[3] = {middle + s[3], middle - s[3], s[2]};
            const double strain[3] = {
                local[0] / e[0] - nu[0] / e[0] * local[1] - nu[1] / e[0] * local[2],
                -nu[0] / e[0] * local[0] + local[1] / e[1] - nu[2] / e[1] * local[2],
                -nu[1] / e[0] * local[0] - nu[2] / e[1] * local[1] + local[2] / e[2]};
            for (int c = 0; c < 3 && k % 2; c++) {
                CU_ASSERT_DOUBLE_EQUAL(strain[c], -30.0 * wood.expansions[c], near / 100.0);
            }
            for (int c = 0; c < 3 && k % 2 == 0; c++) { /* E alpha / (1 - 2 nu) */
                CU_ASSERT_DOUBLE_EQUAL(s[c], -200.0 * 0.03 / 0.4, near);
            }
            CU_ASSERT_DOUBLE_EQUAL(s[1] - s[0], 0.0, near); /* no shear along the axes */
            CU_ASSERT_DOUBLE_EQUAL(fields->thermal_strain[t], k % 2 ? 0.0 : 0.03, 1e-15);
        }
        ew_model_free(model);
    }
}

/* ---- what is refused ------------------------------------------------------------------ */

static void test_refused(void)
{
    ew_model *model = make_body(0, EW_MATERIAL_AXES_FIELD);
    double *axes = make_axes(ew_model_mesh(model));
    const double good = axes[6 * 5 + 3];
    axes[6 * 5 + 3] += 0.3;
    CU_ASSERT_EQUAL(ew_model_set_material_axes(model, axes), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "right angles"));
    CU_ASSERT_PTR_NULL(ew_model_material_axes(model));
    axes[6 * 5 + 3] = (double)NAN;
    CU_ASSERT_EQUAL(ew_model_set_material_axes(model, axes), EW_BAD_INPUT);
    axes[6 * 5 + 3] = good;
    memset(axes + 6 * 9, 0, 3 * sizeof *axes);
    CU_ASSERT_EQUAL(ew_model_set_material_axes(model, axes), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "axis 1 is (0, 0, 0)"));
    free(axes);
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"field_of_a_cylinder", test_field_of_a_cylinder},
        {"blocks_on_a_device", test_blocks_on_a_device},
        {"edits", test_edits},
        {"turning", test_turning},
        {"given_again", test_given_again},
        {"hot_body_that_is_fixed", test_hot_body_that_is_fixed},
        {"refused", test_refused},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"material_axes", open_device, close_device, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
