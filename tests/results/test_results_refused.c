/* Result files that cannot be: what is refused, memory and disk that run out. Every failure leaves
 * nothing behind. */
#define _XOPEN_SOURCE 700
#include "results_fixture.h"

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
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "step 1 (s)"));
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
        int64_t unreleased = ew_test_unreleased();
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(unreleased, 0);
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
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
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
    CU_TestInfo tests[] = {
        {"create_refuses", test_results_create_refuses},
        {"discard_leaves_nothing", test_results_discard_leaves_nothing},
        {"frame_refuses", test_results_frame_refuses},
        {"archive_refuses", test_results_archive_refuses},
        {"allocation_fails", test_results_allocation_fails},
        {"disk_full", test_results_disk_full},
        {"keeps_error_printer", test_results_keeps_error_printer},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"results: refusals", make_folder, remove_folder, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
