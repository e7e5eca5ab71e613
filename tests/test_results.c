/* The result file: what is written is read back bit for bit, unchanged data is stored once, and
 * every failure leaves nothing behind. `test_results --sample NAME` writes the sample study that
 * check_results.py reads with other people's readers. */
#define _XOPEN_SOURCE 700
#include "testlib.h"

#include "mesh/mesh.h"
#include "results/results.h"
#include "shape/shape.h"

#include <dirent.h>
#include <hdf5.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the sample study: base, the same mesh again, moved, decimated ------------- */

#define N_SAMPLE 4
static const char case_text[] = "mesh: box.mesh # \xc3\xa9\n";

/* Value of component c of vertex or tet `id` in frame f: what a reader expects. */
static double sample_value(int32_t f, int64_t id, int32_t c)
{
    return 1000.0 * f + (double)id + c / 8.0 + 1.0 / 3.0;
}

static double *new_field(const ew_mesh *mesh, int32_t f, ew_field_place place, int32_t n_component)
{
    int32_t n = place == EW_ON_VERTICES ? mesh->n_vertex : mesh->n_tet;
    const int64_t *id = place == EW_ON_VERTICES ? mesh->vertex_id : mesh->tet_id;
    double *data = malloc((size_t)n * (size_t)n_component * sizeof *data);
    for (int32_t i = 0; i < n; i++) {
        for (int32_t c = 0; c < n_component; c++) {
            data[(size_t)i * (size_t)n_component + (size_t)c] = sample_value(f, id[i], c);
        }
    }
    return data;
}

static ew_status add_frame(ew_result *result, const ew_mesh *mesh, int32_t f)
{
    double *displacement = new_field(mesh, f, EW_ON_VERTICES, 3);
    double *von_mises = new_field(mesh, f, EW_ON_VERTICES, 1);
    double *stress = new_field(mesh, f, EW_ON_TETS, 6);
    double *energy = new_field(mesh, f, EW_ON_TETS, 1);
    const ew_result_field field[] = {{"displacement", EW_ON_VERTICES, 3, displacement},
                                     {"von_mises", EW_ON_VERTICES, 1, von_mises},
                                     {"stress", EW_ON_TETS, 6, stress},
                                     {"von_mises", EW_ON_TETS, 1, energy}};
    const double force[3] = {0.5, -2.0, 1e-300};
    const double iterations = 12 + f;
    const ew_result_number number[] = {{"iterations", 1, &iterations}, {"applied_force", 3, force}};
    const double history[3] = {1.0, 0.25, 1e-9};
    const uint8_t journal[5] = {0, 255, (uint8_t)f, 7, 10};
    const ew_result_frame frame = {.name = "a & b <c>",
                                   .kind = "static",
                                   .time = 0.5 * f,
                                   .mesh = mesh,
                                   .n_field = 4,
                                   .field = field,
                                   .n_number = 2,
                                   .number = number,
                                   .n_history = f > 0 ? 3 : 0,
                                   .history = f > 0 ? history : NULL,
                                   .journal_bytes = f > 1 ? sizeof journal : 0,
                                   .journal = f > 1 ? journal : NULL};
    ew_status status = ew_result_add_frame(result, &frame);
    free(displacement);
    free(von_mises);
    free(stress);
    free(energy);
    return status;
}

static bool tet_has(const ew_mesh *mesh, int32_t t, int32_t v)
{
    const int32_t *tet = mesh->tet + 4 * (size_t)t;
    return tet[0] == v || tet[1] == v || tet[2] == v || tet[3] == v;
}

static ew_status queue_move(const ew_mesh *mesh, ew_edit *edit)
{
    const double *corner = mesh->xyz + 3 * ((size_t)mesh->n_vertex - 1);
    const double to[3] = {corner[0] + 0.01, corner[1], corner[2]};
    return ew_edit_move_vertex(edit, mesh->n_vertex - 1, to);
}

/* Every fifth tet goes, and all of a vertex of few tets, which becomes inactive; in the place of
 * tet 0 comes one with a new vertex. So slots have holes, reused ones and new ones. */
static ew_status queue_decimation(const ew_mesh *mesh, ew_edit *edit)
{
    int32_t lonely = -1;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (!tet_has(mesh, 0, v) && (lonely < 0 || mesh->valence[v] < mesh->valence[lonely])) {
            lonely = v;
        }
    }
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (t % 5 == 0 || tet_has(mesh, t, lonely)) {
            EW_TRY(ew_edit_remove_tet(edit, t));
        }
    }
    int32_t tet[4];
    double apex[3] = {0, 0, 0};
    memcpy(tet, mesh->tet, sizeof tet);
    for (int k = 0; k < 12; k++) { /* the centroid: on the same side of the face as vertex 3 */
        apex[k % 3] += mesh->xyz[3 * (size_t)tet[k / 3] + (size_t)(k % 3)] / 4;
    }
    EW_TRY(ew_edit_add_vertex(edit, apex, &tet[3]));
    return ew_edit_add_tet(edit, tet, 1);
}

/* Makes the mesh of frame f out of that of frame f - 1. */
static ew_status edit_sample(ew_mesh *mesh, int32_t f)
{
    ew_edit edit = {0};
    ew_change change = {0};
    ew_status status = EW_OK;
    mesh->frame = f;
    if (f == 2) {
        status = queue_move(mesh, &edit);
    } else if (f == 3) {
        status = queue_decimation(mesh, &edit);
    }
    if (!status && f >= 2) {
        status = ew_mesh_commit(mesh, &edit, NULL, &change);
    }
    ew_edit_free(&edit);
    ew_change_free(&change);
    return status;
}

static ew_result_def sample_def(const char *name, int32_t compression)
{
    return (ew_result_def){.name = name,
                           .case_text = case_text,
                           .length_unit = "m",
                           .force_unit = "N",
                           .time_unit = "",
                           .compression = compression,
                           .case_path = "parts/box.yaml",
                           .precision = "double",
                           .preconditioner = "rigid"};
}

static ew_status fill_sample(ew_result *result, int32_t cells)
{
    ew_mesh mesh;
    EW_TRY(ew_shape_box(&mesh, (double[3]){1, 1, 2}, (int32_t[3]){cells, cells, cells}));
    ew_status status = EW_OK;
    for (int32_t f = 0; f < N_SAMPLE && !status; f++) {
        status = edit_sample(&mesh, f);
        if (!status) {
            status = add_frame(result, &mesh, f);
        }
    }
    ew_mesh_free(&mesh);
    return status;
}

static ew_status write_sample(const char *name, int32_t cells, int32_t compression)
{
    ew_result *result = NULL;
    const ew_result_def def = sample_def(name, compression);
    EW_TRY(ew_result_create(&result, &def));
    ew_status status = fill_sample(result, cells);
    if (!status) {
        status = ew_result_add_text(result, "summary", "step,energy\nbase,1\n");
    }
    if (status) {
        ew_result_discard(result);
        return status;
    }
    return ew_result_finish(result);
}

/* ---- a folder of our own --------------------------------------------------------- */

static char folder[64];

static int make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/edgewise-results-XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : 1;
}

static int remove_folder(void)
{
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : 1; /* fails when anything is left behind */
}

static int entries(void)
{
    int n = 0;
    DIR *listing = opendir(".");
    while (readdir(listing)) {
        n++;
    }
    closedir(listing);
    return n - 2; /* . and .. */
}

static void remove_results(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s.vtkhdf", name);
    CU_ASSERT_EQUAL(remove(path), 0);
    snprintf(path, sizeof path, "%s.xdmf", name);
    CU_ASSERT_EQUAL(remove(path), 0);
}

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

/* ---- refusals -------------------------------------------------------------------------- */

static void expect_create_fails(const char *name, int32_t compression, ew_status expected,
                                const char *word)
{
    ew_result *result = NULL;
    const ew_result_def def = sample_def(name, compression);
    CU_ASSERT_EQUAL(ew_result_create(&result, &def), expected);
    CU_ASSERT_PTR_NULL(result);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), word));
    CU_ASSERT_PTR_NULL(strchr(ew_message(), '\n'));
}

static void test_results_create_refuses(void)
{
    expect_create_fails("none/here", 0, EW_IO, "none/here.vtkhdf: ");
    expect_create_fails("none/here", 0, EW_IO, "No such file or directory");
    expect_create_fails("/proc/here", 0, EW_IO, "/proc/here.vtkhdf: ");
    expect_create_fails("", 0, EW_BAD_ARGUMENT, "file name");
    expect_create_fails("folder/", 0, EW_BAD_ARGUMENT, "file name");
    expect_create_fails("folder/.", 0, EW_BAD_ARGUMENT, "file name");
    expect_create_fails("..", 0, EW_BAD_ARGUMENT, "file name");
    expect_create_fails("a:b", 0, EW_BAD_ARGUMENT, "colon");
    expect_create_fails("a", 10, EW_BAD_ARGUMENT, "0 to 9");
    ew_result_discard(NULL);
}

static void test_results_discard_leaves_nothing(void)
{
    ew_result *result = NULL;
    const ew_result_def def = sample_def("gone", 0);
    CU_ASSERT_EQUAL_FATAL(ew_result_create(&result, &def), EW_OK);
    CU_ASSERT_EQUAL(access("gone.vtkhdf", F_OK), -1);
    CU_ASSERT_EQUAL(fill_sample(result, 2), EW_OK);
    ew_result_discard(result);
    CU_ASSERT_EQUAL_FATAL(ew_result_create(&result, &def), EW_OK);
    CU_ASSERT_EQUAL(ew_result_finish(result), EW_BAD_ARGUMENT); /* without a frame */
    CU_ASSERT_EQUAL(entries(), 0);
    mkdir("taken.xdmf", 0700);
    CU_ASSERT_EQUAL(write_sample("taken", 2, 0), EW_IO);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "taken.xdmf"));
    CU_ASSERT_EQUAL(rmdir("taken.xdmf"), 0);
    mkdir("taken.vtkhdf", 0700);
    CU_ASSERT_EQUAL(write_sample("taken", 2, 0), EW_IO);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "taken.vtkhdf"));
    CU_ASSERT_EQUAL(rmdir("taken.vtkhdf"), 0);
}

static ew_status add_fields(ew_result *result, const ew_mesh *mesh, double time, int32_t n,
                            const ew_result_field *field)
{
    const ew_result_frame frame = {
        .name = "s", .kind = "static", .time = time, .mesh = mesh, .n_field = n, .field = field};
    return ew_result_add_frame(result, &frame);
}

static void test_results_frame_refuses(void)
{
    ew_mesh mesh;
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&mesh, (double[3]){1, 1, 1}, (int32_t[3]){1, 1, 1}), EW_OK);
    double data[64] = {0};
    ew_result_field field[2] = {{"u", EW_ON_VERTICES, 3, data}, {"s", EW_ON_TETS, 1, data}};
    ew_result *result = NULL;
    const ew_result_def def = sample_def("refused", 0);
    CU_ASSERT_EQUAL_FATAL(ew_result_create(&result, &def), EW_OK);
    const char *bad[] = {"", "a/b", ".", "region"};
    for (int k = 0; k < 4; k++) {
        field[1].name = bad[k];
        CU_ASSERT_EQUAL(add_fields(result, &mesh, 0, 2, field), EW_BAD_ARGUMENT);
    }
    field[1] = field[0];
    CU_ASSERT_EQUAL(add_fields(result, &mesh, 0, 2, field), EW_BAD_ARGUMENT);
    field[1].place = EW_ON_TETS; /* the same name on tets is another field */
    CU_ASSERT_EQUAL(add_fields(result, &mesh, 0, 2, field), EW_OK);
    CU_ASSERT_EQUAL(add_fields(result, &mesh, 0, 2, field), EW_BAD_ARGUMENT); /* time */
    CU_ASSERT_EQUAL(add_fields(result, &mesh, 1, 1, field), EW_BAD_ARGUMENT);
    field[1].n_component = 1;
    CU_ASSERT_EQUAL(add_fields(result, &mesh, 1, 2, field), EW_BAD_ARGUMENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "frame 1 (s)"));
    CU_ASSERT_EQUAL(ew_result_add_text(result, "a/b", "x"), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_result_add_text(result, "note", ""), EW_OK);
    CU_ASSERT_EQUAL(ew_result_add_text(result, "note", ""), EW_IO); /* it is there already */
    ew_result_discard(result);
    ew_mesh_free(&mesh);
}

static void expect_archive_fails(const char *path, ew_status expected, const char *word)
{
    ew_result_archive archive = {.n_step = 77};
    CU_ASSERT_EQUAL(ew_result_read_archive(path, &archive), expected);
    CU_ASSERT_EQUAL(archive.n_step, 77);
    CU_ASSERT_EQUAL(strncmp(ew_message(), path, strlen(path)), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), word));
}

static void test_results_archive_refuses(void)
{
    expect_archive_fails("none.vtkhdf", EW_IO, "No such file or directory");
    FILE *text = fopen("text.vtkhdf", "w");
    fputs("not HDF5\n", text);
    fclose(text);
    expect_archive_fails("text.vtkhdf", EW_BAD_INPUT, "signature");
    remove("text.vtkhdf");

    hid_t file = H5Fcreate("foreign.vtkhdf", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    expect_archive_fails("foreign.vtkhdf", EW_BAD_INPUT, "not a result of Edgewise");
    char different[100] = "x";
    CU_ASSERT_EQUAL(ew_result_compare("foreign.vtkhdf", "foreign.vtkhdf", different, 100),
                    EW_BAD_INPUT);
    remove("foreign.vtkhdf");

    CU_ASSERT_EQUAL_FATAL(write_sample("short", 3, 0), EW_OK);
    file = H5Fopen("short.vtkhdf", H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, "/Edgewise/Steps/000002", H5P_DEFAULT);
    H5Fclose(file);
    expect_archive_fails("short.vtkhdf", EW_BAD_INPUT, "/Edgewise/Steps/000002");
    struct stat whole;
    CU_ASSERT_EQUAL(stat("short.vtkhdf", &whole), 0);
    for (int part = 1; part < 16; part++) {
        CU_ASSERT_EQUAL(truncate("short.vtkhdf", whole.st_size * (16 - part) / 16), 0);
        expect_archive_fails("short.vtkhdf", EW_BAD_INPUT, "short.vtkhdf");
    }
    remove_results("short");

    CU_ASSERT_EQUAL_FATAL(write_sample("newer", 2, 0), EW_OK);
    file = H5Fopen("newer.vtkhdf", H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t group = H5Gopen2(file, "Edgewise", H5P_DEFAULT);
    hid_t attribute = H5Aopen(group, "format", H5P_DEFAULT);
    CU_ASSERT(H5Awrite(attribute, H5T_NATIVE_INT, &(int){9}) >= 0);
    H5Aclose(attribute);
    H5Gclose(group);
    H5Fclose(file);
    expect_archive_fails("newer.vtkhdf", EW_BAD_INPUT, "newer Edgewise");
    remove_results("newer");
}

/* ---- memory and disk that run out ----------------------------------------------------- */

static void test_results_allocation_fails(void)
{
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        ew_test_allocations_begin(k);
        ew_status status = write_sample("hungry", 1, 0);
        int64_t held = ew_test_held();
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(held, 0);
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT_EQUAL(access("hungry.vtkhdf", F_OK) == 0, !refused);
    }
    for (int64_t k = 0, again = 1; again; k++) {
        ew_result_archive archive = {0};
        char different[100] = "";
        ew_test_allocations_begin(k);
        ew_status status = ew_result_read_archive("hungry.vtkhdf", &archive);
        ew_status compared =
            ew_result_compare("hungry.vtkhdf", "hungry.vtkhdf", different, sizeof different);
        ew_result_archive_free(&archive);
        CU_ASSERT_EQUAL(ew_test_held(), 0);
        ew_test_allocations_end(); /* the process that reads refuses on its own */
        again = status || compared;
        CU_ASSERT(compared == EW_OK || compared == EW_NO_MEMORY);
        CU_ASSERT(status == EW_OK || status == EW_NO_MEMORY);
    }
    remove_results("hungry");
}

/* In a process of its own, because the limit cannot be lifted there and HDF5 must also survive the
 * process' end. Exit status 0: written, 3: EW_IO with the system's reason, else a fault. */
static int write_limited(rlim_t bytes)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        const struct rlimit limit = {bytes, bytes};
        int code = setrlimit(RLIMIT_FSIZE, &limit) ? 4 : 0;
        if (!code) {
            ew_status status = write_sample("full", 8, 0);
            bool told = status == EW_IO && strstr(ew_message(), "full.") &&
                        strstr(ew_message(), "File too large");
            code = status == EW_OK ? 0 : told ? 3 : 5;
            if (code == 5) {
                fprintf(stderr, "%llu bytes: %s\n", (unsigned long long)bytes, ew_message());
            }
        }
        exit(code);
    }
    int status = 0;
    CU_ASSERT(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 6;
}

static void test_results_disk_full(void)
{
    CU_ASSERT_EQUAL_FATAL(write_sample("full", 8, 0), EW_OK);
    struct stat whole;
    CU_ASSERT_EQUAL(stat("full.vtkhdf", &whole), 0);
    remove_results("full");
    CU_ASSERT_EQUAL(write_limited(2 * (rlim_t)whole.st_size), 0);
    remove_results("full");
    const int64_t size = (int64_t)whole.st_size;
    const int64_t room[] = {0,        1,        100,      4096,     size / 8,
                            size / 4, size / 2, size - 9, size - 1, size * 3 / 4};
    for (size_t k = 0; k < sizeof room / sizeof *room; k++) {
        CU_ASSERT_EQUAL(write_limited((rlim_t)room[k]), 3);
        CU_ASSERT_EQUAL(access("full.vtkhdf", F_OK), -1);
        CU_ASSERT_EQUAL(access("full.xdmf", F_OK), -1);
    }
}

/* What the caller set for HDF5's messages is as before. */
static herr_t count_error(hid_t stack, void *user)
{
    (void)stack;
    ++*(int *)user;
    return 0;
}

static void test_results_keeps_error_printer(void)
{
    int n_error = 0;
    H5E_auto2_t call;
    void *data;
    H5Eget_auto2(H5E_DEFAULT, &call, &data);
    H5Eset_auto2(H5E_DEFAULT, count_error, &n_error);
    expect_archive_fails("none.vtkhdf", EW_IO, "none");
    CU_ASSERT_EQUAL(n_error, 0);
    CU_ASSERT(H5Fopen("none.vtkhdf", H5F_ACC_RDONLY, H5P_DEFAULT) < 0);
    CU_ASSERT_EQUAL(n_error, 1);
    H5Eset_auto2(H5E_DEFAULT, call, data);
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
        {"create_refuses", test_results_create_refuses},
        {"discard_leaves_nothing", test_results_discard_leaves_nothing},
        {"frame_refuses", test_results_frame_refuses},
        {"archive_refuses", test_results_archive_refuses},
        {"allocation_fails", test_results_allocation_fails},
        {"disk_full", test_results_disk_full},
        {"keeps_error_printer", test_results_keeps_error_printer},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        {"results", make_folder, remove_folder, NULL, NULL, tests},
        CU_SUITE_INFO_NULL,
    };
    return ew_test_main(argc, argv, suites);
}
