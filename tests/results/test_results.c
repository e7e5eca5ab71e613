/* The result file: what is written is read back bit for bit, and unchanged data is stored once.
 * `test_results --sample NAME` writes the sample study that check_results.py reads with other
 * people's readers. */
#define _XOPEN_SOURCE 700
#include "results_fixture.h"

/* ---- reading back ------------------------------------------------------------------ */

static int64_t rows_of(hid_t file, const char *path)
{
    hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    hid_t space = H5Dget_space(set);
    hsize_t extent[2] = {0, 0};
    H5Sget_simple_extent_dims(space, extent, NULL);
    H5Sclose(space);
    H5Dclose(set);
    return (int64_t)extent[0];
}

static void read_all(hid_t file, const char *path, hid_t type, void *to)
{
    hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    CU_ASSERT(set >= 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) >= 0);
    H5Dclose(set);
}

static void check_step_offsets(hid_t file, const char *name, const int64_t expected[N_SAMPLE])
{
    char path[128];
    int64_t offset[N_SAMPLE] = {-1, -1, -1, -1};
    snprintf(path, sizeof path, "/VTKHDF/Steps/%s", name);
    CU_ASSERT_EQUAL_FATAL(rows_of(file, path), N_SAMPLE);
    read_all(file, path, H5T_NATIVE_INT64, offset);
    CU_ASSERT(memcmp(offset, expected, sizeof offset) == 0);
}

/* The second frame stores no mesh, the third positions alone, the fourth everything. */
static void test_results_unchanged_stored_once(void)
{
    CU_ASSERT_EQUAL_FATAL(write_sample("once", 3, 0), EW_OK);
    hid_t file = H5Fopen("once.vtkhdf", H5F_ACC_RDONLY, H5P_DEFAULT);
    int64_t n_point[2], n_tet[2];
    CU_ASSERT_EQUAL_FATAL(rows_of(file, "/VTKHDF/NumberOfPoints"), 2);
    read_all(file, "/VTKHDF/NumberOfPoints", H5T_NATIVE_INT64, n_point);
    read_all(file, "/VTKHDF/NumberOfCells", H5T_NATIVE_INT64, n_tet);
    CU_ASSERT_EQUAL(n_point[0], 64);
    CU_ASSERT_EQUAL(n_tet[0], 162);
    CU_ASSERT(n_tet[1] < n_tet[0]);
    CU_ASSERT_EQUAL(rows_of(file, "/VTKHDF/Points"), 2 * n_point[0] + n_point[1]);
    CU_ASSERT_EQUAL(rows_of(file, "/VTKHDF/Connectivity"), 4 * (n_tet[0] + n_tet[1]));
    CU_ASSERT_EQUAL(rows_of(file, "/VTKHDF/Offsets"), n_tet[0] + n_tet[1] + 2);
    CU_ASSERT_EQUAL(rows_of(file, "/VTKHDF/Types"), n_tet[0] + n_tet[1]);
    CU_ASSERT_EQUAL(rows_of(file, "/VTKHDF/PointData/vertex_id"), n_point[0] + n_point[1]);
    CU_ASSERT_EQUAL(rows_of(file, "/VTKHDF/CellData/born"), n_tet[0] + n_tet[1]);
    CU_ASSERT_EQUAL(rows_of(file, "/VTKHDF/CellData/stress"), 3 * n_tet[0] + n_tet[1]);
    int64_t v = n_point[0], t = n_tet[0];
    check_step_offsets(file, "PartOffsets", (int64_t[]){0, 0, 0, 1});
    check_step_offsets(file, "PointOffsets", (int64_t[]){0, 0, v, 2 * v});
    check_step_offsets(file, "CellOffsets", (int64_t[]){0, 0, 0, t});
    check_step_offsets(file, "ConnectivityIdOffsets", (int64_t[]){0, 0, 0, 4 * t});
    check_step_offsets(file, "PointDataOffsets/displacement", (int64_t[]){0, v, 2 * v, 3 * v});
    check_step_offsets(file, "PointDataOffsets/vertex_id", (int64_t[]){0, 0, 0, v});
    check_step_offsets(file, "CellDataOffsets/tet_id", (int64_t[]){0, 0, 0, t});
    H5Fclose(file);
    remove_results("once");
}

/* Every frame through its virtual datasets, against the mesh and the fields, bit for bit. */
static void check_frame(hid_t file, const ew_mesh *mesh, int32_t f)
{
    char path[128];
    snprintf(path, sizeof path, "/Frames/%06d/Points", f);
    CU_ASSERT_EQUAL_FATAL(rows_of(file, path), mesh->n_active_vertex);
    double *xyz = malloc((size_t)mesh->n_active_vertex * 3 * sizeof *xyz);
    read_all(file, path, H5T_NATIVE_DOUBLE, xyz);
    snprintf(path, sizeof path, "/Frames/%06d/Tets", f);
    CU_ASSERT_EQUAL_FATAL(rows_of(file, path), mesh->n_live_tet);
    int64_t *tet = malloc((size_t)mesh->n_live_tet * 4 * sizeof *tet);
    read_all(file, path, H5T_NATIVE_INT64, tet);
    snprintf(path, sizeof path, "/Frames/%06d/CellData/stress", f);
    double *stress = malloc((size_t)mesh->n_live_tet * 6 * sizeof *stress);
    read_all(file, path, H5T_NATIVE_DOUBLE, stress);
    snprintf(path, sizeof path, "/Frames/%06d/CellData/region", f);
    int32_t *region = malloc((size_t)mesh->n_live_tet * sizeof *region);
    read_all(file, path, H5T_NATIVE_INT32, region);
    int32_t row = 0;
    bool same = true;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (!ew_mesh_tet_is_live(mesh, t)) {
            continue;
        }
        for (int k = 0; k < 4; k++) {
            const double *at = mesh->xyz + 3 * (size_t)mesh->tet[4 * (size_t)t + (size_t)k];
            same = same && !memcmp(xyz + 3 * tet[4 * row + k], at, 3 * sizeof *at);
        }
        for (int c = 0; c < 6; c++) {
            double expected = sample_value(f, mesh->tet_id[t], c);
            same = same && !memcmp(&stress[6 * row + c], &expected, sizeof expected);
        }
        same = same && region[row] == mesh->region_label[mesh->region[t]];
        row++;
    }
    CU_ASSERT(same);
    free(xyz);
    free(tet);
    free(stress);
    free(region);
}

static void check_frames_of(const char *name, int32_t cells, int32_t compression)
{
    char path[128];
    CU_ASSERT_EQUAL_FATAL(write_sample(name, cells, compression), EW_OK);
    snprintf(path, sizeof path, "%s.vtkhdf", name);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    ew_mesh mesh;
    CU_ASSERT_EQUAL_FATAL(
        ew_shape_box(&mesh, (double[3]){1, 1, 2}, (int32_t[3]){cells, cells, cells}), EW_OK);
    for (int32_t f = 0; f < N_SAMPLE; f++) {
        CU_ASSERT_EQUAL_FATAL(edit_sample(&mesh, f), EW_OK);
        check_frame(file, &mesh, f);
    }
    ew_mesh_free(&mesh);
    H5Fclose(file);
}

static void test_results_frames_bit_exact(void)
{
    check_frames_of("plain", 8, 0);
    check_frames_of("packed", 8, 6);
    char different[200] = "x";
    CU_ASSERT_EQUAL(ew_result_compare("plain.vtkhdf", "packed.vtkhdf", different, sizeof different),
                    EW_OK);
    CU_ASSERT_STRING_EQUAL(different, "");
    struct stat plain, packed;
    CU_ASSERT(stat("plain.vtkhdf", &plain) == 0 && stat("packed.vtkhdf", &packed) == 0);
    CU_ASSERT(packed.st_size < plain.st_size);
    remove_results("plain");
    remove_results("packed");
}

static void test_results_archive(void)
{
    CU_ASSERT_EQUAL_FATAL(write_sample("archive", 2, 0), EW_OK);
    ew_result_archive archive;
    CU_ASSERT_EQUAL_FATAL(ew_result_read_archive("archive.vtkhdf", &archive), EW_OK);
    CU_ASSERT_STRING_EQUAL(archive.case_text, case_text);
    CU_ASSERT_STRING_EQUAL(archive.case_path, "parts/box.yaml");
    CU_ASSERT_STRING_EQUAL(archive.device, "");
    CU_ASSERT_STRING_EQUAL(archive.precision, "double");
    CU_ASSERT_STRING_EQUAL(archive.preconditioner, "rigid");
    CU_ASSERT_EQUAL_FATAL(archive.n_step, N_SAMPLE);
    CU_ASSERT_EQUAL(archive.journal_bytes[0], 0);
    CU_ASSERT_EQUAL_FATAL(archive.journal_bytes[3], 5);
    CU_ASSERT(memcmp(archive.journal[3], "\x00\xff\x03\x07\x0a", 5) == 0);
    ew_result_archive_free(&archive);
    ew_result_archive_free(&archive);
    remove_results("archive");
}

/* ---- comparison ---------------------------------------------------------------------- */

static void change_number(const char *path, const char *name, hsize_t row, hsize_t column)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    hid_t space = H5Dget_space(set);
    hid_t one = H5Screate(H5S_SCALAR);
    const hsize_t at[2] = {row, column};
    const double value = -5;
    H5Sselect_elements(space, H5S_SELECT_SET, 1, at);
    CU_ASSERT(H5Dwrite(set, H5T_NATIVE_DOUBLE, one, space, H5P_DEFAULT, &value) >= 0);
    H5Sclose(one);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
}

static void test_results_compare_names_difference(void)
{
    char different[200];
    CU_ASSERT_EQUAL_FATAL(write_sample("a", 3, 0), EW_OK);
    CU_ASSERT_EQUAL_FATAL(write_sample("b", 3, 0), EW_OK);
    CU_ASSERT_EQUAL_FATAL(write_sample("c", 2, 0), EW_OK);
    CU_ASSERT_EQUAL(ew_result_compare("a.vtkhdf", "b.vtkhdf", different, sizeof different), EW_OK);
    CU_ASSERT_STRING_EQUAL(different, "");
    change_number("b.vtkhdf", "/VTKHDF/PointData/displacement", 66, 1);
    CU_ASSERT_EQUAL(ew_result_compare("a.vtkhdf", "b.vtkhdf", different, sizeof different), EW_OK);
    const char *place = "/VTKHDF/PointData/displacement [66][1]: ";
    CU_ASSERT_EQUAL(strncmp(different, place, strlen(place)), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(different, " against -5"));
    CU_ASSERT_EQUAL(ew_result_compare("a.vtkhdf", "c.vtkhdf", different, sizeof different), EW_OK);
    CU_ASSERT_PTR_NOT_NULL(strstr(different, " rows against "));
    hid_t file = H5Fopen("b.vtkhdf", H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, "/VTKHDF/CellData/born", H5P_DEFAULT);
    H5Fclose(file);
    CU_ASSERT_EQUAL(ew_result_compare("b.vtkhdf", "a.vtkhdf", different, sizeof different), EW_OK);
    CU_ASSERT_STRING_EQUAL(different, "/VTKHDF/CellData/born: only in a.vtkhdf");
    CU_ASSERT_EQUAL(ew_result_compare("a.vtkhdf", "none", different, sizeof different), EW_IO);
    CU_ASSERT_STRING_EQUAL(different, "/VTKHDF/CellData/born: only in a.vtkhdf");
    remove_results("a");
    remove_results("b");
    remove_results("c");
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "--sample")) {
        ew_status status = write_sample(argv[2], 4, 0);
        if (status) {
            fprintf(stderr, "%s\n", ew_message());
        }
        return status ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    CU_TestInfo tests[] = {
        {"unchanged_stored_once", test_results_unchanged_stored_once},
        {"frames_bit_exact", test_results_frames_bit_exact},
        {"archive", test_results_archive},
        {"compare_names_difference", test_results_compare_names_difference},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"results", make_folder, remove_folder, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
