/* Results read back for those who show them: the record, the numbers of each step, mesh and fields
 * of each frame, of whole studies and of those that were stopped. */
#define _XOPEN_SOURCE 700
#include "results_fixture.h"

#include <math.h>

static void test_view_tells_what_was_written(void)
{
    ew_result_view view;
    CU_ASSERT_EQUAL_FATAL(write_sample("view", 3, 0), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_result_read_view("view.vtkhdf", &view), EW_OK);
    CU_ASSERT_STRING_EQUAL(view.case_text, case_text);
    CU_ASSERT_STRING_EQUAL(view.program, ew_version(NULL));
    CU_ASSERT_STRING_EQUAL(view.reason, "");
    CU_ASSERT_TRUE(view.complete);
    CU_ASSERT_EQUAL(view.n_step, N_SAMPLE);
    CU_ASSERT_EQUAL(view.n_frame, N_SAMPLE);
    for (int32_t k = 0; k < view.n_step; k++) {
        const double *iterations =
            ew_view_find(view.step[k].n_number, view.step[k].number, "iterations", 1);
        const double *force =
            ew_view_find(view.step[k].n_number, view.step[k].number, "applied_force", 3);
        CU_ASSERT_EQUAL(view.step[k].frame, k);
        CU_ASSERT(iterations && *iterations == 12 + k);
        CU_ASSERT(force && force[1] == -2.0 && force[2] == 1e-300);
        CU_ASSERT_PTR_NULL(
            ew_view_find(view.step[k].n_number, view.step[k].number, "applied_force", 1));
    }
    ew_result_view_free(&view);
    ew_result_view_free(&view);
    remove_results("view");
}

static void check_frame(const char *path, const ew_mesh *mesh, int32_t f)
{
    ew_view_frame frame;
    CU_ASSERT_EQUAL_FATAL(
        ew_result_read_frame(path, f, "displacement stress nothing von_mises born", &frame), EW_OK);
    CU_ASSERT_EQUAL(frame.n_point, mesh->n_active_vertex);
    CU_ASSERT_EQUAL(frame.n_tet, mesh->n_live_tet);
    CU_ASSERT_EQUAL(frame.n_field, 5);
    const ew_view_field *u = ew_view_field_of(&frame, "displacement", EW_ON_VERTICES);
    const ew_view_field *stress = ew_view_field_of(&frame, "stress", EW_ON_TETS);
    CU_ASSERT(u && stress && u->n_component == 3 && stress->n_component == 6);
    CU_ASSERT_PTR_NULL(ew_view_field_of(&frame, "stress", EW_ON_VERTICES));
    for (int32_t v = 0, row = 0; v < mesh->n_vertex && u; v++) {
        if (ew_mesh_vertex_is_active(mesh, v)) {
            CU_ASSERT(!memcmp(frame.xyz + 3 * row, mesh->xyz + 3 * v, 3 * sizeof(double)));
            CU_ASSERT_EQUAL(u->data[3 * row + 2], sample_value(f, mesh->vertex_id[v], 2));
            row++;
        }
    }
    for (int32_t t = 0, row = 0; t < mesh->n_tet && stress; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            CU_ASSERT_EQUAL(stress->data[6 * row + 5], sample_value(f, mesh->tet_id[t], 5));
            row++;
        }
    }
    ew_view_frame_free(&frame);
    ew_view_frame_free(&frame);
}

static void test_view_reads_frames(void)
{
    CU_ASSERT_EQUAL_FATAL(write_sample("view", 3, 3), EW_OK);
    ew_mesh mesh;
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&mesh, (double[3]){1, 1, 2}, (int32_t[3]){3, 3, 3}), EW_OK);
    for (int32_t f = 0; f < N_SAMPLE; f++) {
        CU_ASSERT_EQUAL_FATAL(edit_sample(&mesh, f), EW_OK);
        check_frame("view.vtkhdf", &mesh, f);
    }
    ew_mesh_free(&mesh);
    ew_view_frame frame;
    CU_ASSERT_EQUAL(ew_result_read_frame("view.vtkhdf", N_SAMPLE, "stress", &frame), EW_BAD_INPUT);
    CU_ASSERT_EQUAL(ew_result_read_frame("view.vtkhdf", -1, "stress", &frame), EW_BAD_INPUT);
    CU_ASSERT_EQUAL(ew_result_read_frame("none.vtkhdf", 0, "stress", &frame), EW_IO);
    remove_results("view");
}

/* Steps without a frame have a record; single precision is read as what it is; a stopped study
 * takes another name and says why. */
static void test_view_of_a_stopped_study(void)
{
    const ew_result_def def = {.name = "view",
                               .case_text = case_text,
                               .length_unit = "",
                               .force_unit = "",
                               .time_unit = "",
                               .single_fields = true};
    const double third = 1.0 / 3.0, huge = 1e300;
    ew_result *result = NULL;
    ew_result_view view;
    ew_view_frame frame;
    ew_mesh mesh;
    CU_ASSERT_EQUAL_FATAL(write_sample("view", 2, 0), EW_OK); /* stays as it is */
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&mesh, (double[3]){1, 1, 2}, (int32_t[3]){2, 2, 2}), EW_OK);
    double *value = malloc((size_t)mesh.n_vertex * sizeof *value);
    for (int32_t v = 0; v < mesh.n_vertex; v++) {
        value[v] = third;
    }
    ew_result_field field = {"heat", EW_ON_VERTICES, 1, value};
    ew_result_frame step = {.name = "first", .kind = "static", .n_field = 1, .field = &field};
    CU_ASSERT_EQUAL_FATAL(ew_result_create(&result, &def), EW_OK);
    CU_ASSERT_EQUAL(ew_result_stop(result, "view.partial", 0, "none"), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_result_add_frame(result, &step), EW_OK);
    step.name = "second";
    step.time = 1;
    step.mesh = &mesh;
    CU_ASSERT_EQUAL(ew_result_add_frame(result, &step), EW_OK);
    CU_ASSERT_EQUAL(ew_result_append_file(result, ".csv", "a\n", 2), EW_OK);
    CU_ASSERT_EQUAL(ew_result_append_file(result, ".sets.csv", "b\n", 2), EW_OK);
    CU_ASSERT_EQUAL(ew_result_stop(result, "view.partial", 2, "the third step"), EW_OK);
    CU_ASSERT_EQUAL(ew_result_finish(result), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_result_read_view("view.partial.vtkhdf", &view), EW_OK);
    CU_ASSERT(!view.complete && view.stopped_at == 2 && view.n_step == 2 && view.n_frame == 1);
    CU_ASSERT_STRING_EQUAL(view.reason, "the third step");
    CU_ASSERT(view.step[0].frame == -1 && view.step[1].frame == 0);
    CU_ASSERT_EQUAL_FATAL(ew_result_read_frame("view.partial.vtkhdf", 0, "heat", &frame), EW_OK);
    CU_ASSERT_EQUAL(frame.field[0].data[3], (double)(float)third);
    ew_view_frame_free(&frame);
    ew_result_view_free(&view);
    CU_ASSERT_EQUAL_FATAL(ew_result_read_view("view.vtkhdf", &view), EW_OK);
    CU_ASSERT(view.complete && view.n_step == N_SAMPLE);
    ew_result_view_free(&view);
    CU_ASSERT(access("view.csv", F_OK) != 0 && access("view.partial.csv", F_OK) == 0);
    /* what a single cannot hold is refused, and not written as infinite */
    CU_ASSERT_EQUAL_FATAL(ew_result_create(&result, &def), EW_OK);
    value[3] = huge;
    CU_ASSERT_EQUAL(ew_result_add_frame(result, &step), EW_NOT_FINITE);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "single"));
    ew_result_discard(result);
    free(value);
    ew_mesh_free(&mesh);
    CU_ASSERT_EQUAL(remove("view.partial.csv"), 0);
    CU_ASSERT_EQUAL(remove("view.partial.sets.csv"), 0);
    remove_results("view.partial");
    remove_results("view");
}

/* Names, places and widths are those of a frame with all its fields, in the same order. */
static void test_view_lists_fields(void)
{
    int32_t n = 0;
    ew_view_field *field = NULL;
    ew_view_frame frame;
    CU_ASSERT_EQUAL_FATAL(write_sample("view", 3, 0), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_result_list_fields("view.vtkhdf", &n, &field), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_result_read_frame("view.vtkhdf", 0, NULL, &frame), EW_OK);
    CU_ASSERT_EQUAL_FATAL(n, frame.n_field);
    for (int32_t k = 0; k < n; k++) {
        CU_ASSERT_STRING_EQUAL(field[k].name, frame.field[k].name);
        CU_ASSERT_EQUAL(field[k].place, frame.field[k].place);
        CU_ASSERT_EQUAL(field[k].n_component, frame.field[k].n_component);
        CU_ASSERT_EQUAL(field[k].is_integer, frame.field[k].is_integer);
        CU_ASSERT_PTR_NULL(field[k].data);
    }
    ew_view_frame_free(&frame);
    ew_release(field);
    CU_ASSERT_EQUAL(ew_result_list_fields("none.vtkhdf", &n, &field), EW_IO);
    remove_results("view");
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"tells", test_view_tells_what_was_written},
        {"frames", test_view_reads_frames},
        {"fields", test_view_lists_fields},
        {"stopped", test_view_of_a_stopped_study},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"view", make_folder, remove_folder, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
