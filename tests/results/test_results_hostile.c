/* Result files that are damaged or made to harm: reading them ends in one line, in bounded time and
 * memory, and opens no other file. EW_MUTATIONS sets the number of damaged files (300). */
#define _XOPEN_SOURCE 700
#include "shape/parts/shape.h"
#include "testlib.h"

#include "mesh/parts/mesh.h"
#include "results/results.h"

#include <dirent.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char old_folder[4096];
static char folder[] = "/tmp/edgewise-hostile-XXXXXX";
static uint8_t *sample; /* the bytes of a good file */
static size_t sample_size;

/* ---- a good file ------------------------------------------------------------------- */

static ew_status write_sample(const char *name)
{
    ew_mesh mesh;
    ew_result *result = NULL;
    const ew_result_def def = {.name = name,
                               .case_text = "mesh: box.mesh\n",
                               .length_unit = "m",
                               .force_unit = "N",
                               .time_unit = "",
                               .case_path = "/some/case.yaml",
                               .device = "host",
                               .precision = "double"};
    EW_TRY(ew_shape_box(&mesh, (double[3]){1, 1, 1}, (int32_t[3]){1, 1, 1}));
    double data[3 * 64];
    for (int i = 0; i < 3 * 64; i++) {
        data[i] = 1.0 / (1 + i);
    }
    const ew_result_field field[] = {{"u", EW_ON_VERTICES, 3, data}, {"s", EW_ON_TETS, 1, data}};
    const uint8_t journal[200] = {1, 2, 3};
    ew_status status = ew_result_create(&result, &def);
    for (int f = 0; f < 2 && !status; f++) {
        const ew_result_frame frame = {.name = "s",
                                       .kind = "static",
                                       .time = f,
                                       .mesh = &mesh,
                                       .n_field = 2,
                                       .field = field,
                                       .journal_bytes = sizeof journal,
                                       .journal = journal};
        status = ew_result_add_frame(result, &frame);
    }
    if (!status) {
        status = ew_result_finish(result);
    }
    ew_mesh_free(&mesh);
    return status;
}

static void write_bytes(const char *path, const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    CU_ASSERT_EQUAL(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static int set_up(void)
{
    if (!getcwd(old_folder, sizeof old_folder) || !mkdtemp(folder) || chdir(folder) != 0 ||
        write_sample("good") || mkfifo("outside.h5", 0600) != 0) {
        return 1;
    }
    struct stat about;
    FILE *file = fopen("good.vtkhdf", "rb");
    if (!file || stat("good.vtkhdf", &about) != 0) {
        return 1;
    }
    sample_size = (size_t)about.st_size;
    sample = malloc(sample_size);
    const bool whole = fread(sample, 1, sample_size, file) == sample_size;
    fclose(file);
    return whole ? 0 : 1;
}

static int tear_down(void)
{
    DIR *list = opendir(".");
    for (struct dirent *entry; list && (entry = readdir(list));) {
        remove(entry->d_name);
    }
    closedir(list);
    free(sample);
    return chdir(old_folder) != 0 || rmdir(folder) != 0;
}

/* ---- damaged files ------------------------------------------------------------------ */

/* A place where something is written; most of the file is chunks that are not filled. */
static uint32_t written_place(uint64_t *state)
{
    uint32_t at = 0;
    do {
        at = ew_test_random(state, (uint32_t)sample_size - 16);
    } while (sample[at] == 0 && ew_test_random(state, 16));
    return at;
}

/* Changes bytes, writes extreme numbers, repeats blocks, or cuts the end off. */
static size_t mutate(uint8_t *bytes, uint64_t *state)
{
    const uint32_t size = (uint32_t)sample_size;
    size_t kept = size;
    memcpy(bytes, sample, size);
    const int n = 1 + (int)ew_test_random(state, 6);
    for (int k = 0; k < n; k++) {
        const uint32_t at = written_place(state);
        switch (ew_test_random(state, 8)) {
        case 0:
            memset(bytes + at, 0xff, 1 + ew_test_random(state, 8));
            break;
        case 1:
            memset(bytes + at, 0, 1 + ew_test_random(state, 8));
            break;
        case 2:
            memmove(bytes + at, bytes + written_place(state), 16);
            break;
        case 3:
            kept = ew_test_random(state, 8) ? kept : at + 1;
            break;
        default:
            bytes[at] = (uint8_t)ew_test_random(state, 256);
        }
    }
    return kept;
}

static void expect_told(ew_status status, const char *path)
{
    if (status) {
        CU_ASSERT(status == EW_BAD_INPUT || status == EW_IO || status == EW_NO_MEMORY);
        CU_ASSERT(strstr(ew_message(), path) || status == EW_NO_MEMORY);
        CU_ASSERT_PTR_NULL(strpbrk(ew_message(), "\n\r"));
    }
}

/* Reports of the sanitizers go to this file meanwhile. Those within HDF5, in the process that
 * reads, are what that process is for; any other is a fault of ours. */
static int foreign_reports(const char *path)
{
    char line[1000];
    int n = 0;
    bool looking = false;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        if (strstr(line, "runtime error") || strstr(line, "LeakSanitizer")) {
            n++;
        } else if (strstr(line, "ERROR: AddressSanitizer")) {
            looking = true;
        } else if (looking && strchr(line, '#') && !strstr(line, "libasan")) {
            n += !strstr(line, "libhdf5");
            looking = false;
        }
    }
    n += looking;
    if (file) {
        fclose(file);
    }
    return n;
}

/* What shows results reads them too: refused or not, in one line. Whether HDF5 crashed. */
static bool show(const char *path)
{
    ew_result_view view = {0};
    bool crashed = false;
    ew_status status = ew_result_read_view(path, &view);
    expect_told(status, path);
    crashed = status && strstr(ew_message(), "crashed");
    ew_result_view_free(&view);
    for (int32_t k = 0; k < 5; k += 4) {
        ew_view_frame frame = {0};
        status = ew_result_read_frame(path, k, "displacement stress von_mises tet_id", &frame);
        expect_told(status, path);
        crashed = crashed || (status && strstr(ew_message(), "crashed"));
        ew_view_frame_free(&frame);
    }
    int32_t n = 0;
    ew_view_field *field = NULL;
    status = ew_result_list_fields(path, &n, &field);
    expect_told(status, path);
    crashed = crashed || (status && strstr(ew_message(), "crashed"));
    ew_release(field);
    return crashed;
}

static void test_hostile_mutations(void)
{
    const char *asked = getenv("EW_MUTATIONS");
    const int n = asked ? atoi(asked) : 300;
    uint64_t state = 20240607;
    int refused = 0;
    int contained = 0;
    uint8_t *bytes = malloc(sample_size);
    double slowest = 0;
    const int old_errors = dup(STDERR_FILENO);
    const int errors = open("reports.txt", O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(errors, STDERR_FILENO);
    for (int k = 0; k < n; k++) {
        ew_result_archive archive = {0};
        char different[800] = "";
        const double begin = ew_seconds();
        write_bytes("mutant.vtkhdf", bytes, mutate(bytes, &state));
        ew_status status = ew_result_read_archive("mutant.vtkhdf", &archive);
        expect_told(status, "mutant.vtkhdf");
        refused += status != EW_OK;
        contained += status && strstr(ew_message(), "crashed");
        ew_result_archive_free(&archive);
        status = ew_result_compare("mutant.vtkhdf", "good.vtkhdf", different, sizeof different);
        expect_told(status, "mutant.vtkhdf");
        contained += status && strstr(ew_message(), "crashed");
        contained += show("mutant.vtkhdf");
        slowest = ew_seconds() - begin > slowest ? ew_seconds() - begin : slowest;
    }
    free(bytes);
    dup2(old_errors, STDERR_FILENO);
    close(old_errors);
    close(errors);
    CU_ASSERT_EQUAL(foreign_reports("reports.txt"), 0);
    struct rusage use;
    getrusage(RUSAGE_CHILDREN, &use);
    printf("\n    %d mutants: %d refused, %d crashes of HDF5 contained, slowest %.2f s, at most "
           "%ld MiB ... ",
           n, refused, contained, slowest, use.ru_maxrss / 1024);
    CU_ASSERT(slowest < 20);
    CU_ASSERT(use.ru_maxrss / 1024 < 400);
}

/* ---- crafted files ------------------------------------------------------------------- */

/* What takes the place of an object of the good file. */
typedef enum craft {
    EXTERNAL_LINK,
    SOFT_LINK,
    EXTERNAL_STORAGE,
    VIRTUAL_SET,
    HUGE_SET,
    HUGE_CHUNK,
    FOREIGN_FILTER,
    FOREIGN_KIND,
    CYCLE,
    N_CRAFT
} craft;

static hid_t craft_list(craft kind, hid_t space)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk = kind == HUGE_CHUNK ? UINT32_MAX / 2 : 64;
    if (kind == EXTERNAL_STORAGE) {
        H5Pset_external(list, "outside.h5", 0, 64);
    } else if (kind == VIRTUAL_SET) {
        H5Pset_virtual(list, space, "outside.h5", "secret", space);
    } else if (kind != HUGE_SET) {
        H5Pset_chunk(list, 1, &chunk);
        H5Pset_deflate(list, 9);
    }
    if (kind == FOREIGN_FILTER) {
        H5Pset_fletcher32(list);
    }
    return list;
}

static void craft_set(hid_t file, const char *path, craft kind)
{
    const hsize_t n = kind == HUGE_SET || kind == HUGE_CHUNK ? (hsize_t)1 << 33 : 64;
    hid_t space = H5Screate_simple(1, &n, NULL);
    hid_t list = craft_list(kind, space);
    hid_t set = H5Dcreate2(file, path, H5T_STD_U8LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    CU_ASSERT(set >= 0);
    H5Dclose(set);
    H5Pclose(list);
    H5Sclose(space);
}

static void craft_object(hid_t file, const char *path, craft kind)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    CU_ASSERT(H5Ldelete(file, path, H5P_DEFAULT) >= 0);
    switch (kind) {
    case EXTERNAL_LINK:
        CU_ASSERT(H5Lcreate_external("outside.h5", path, file, path, H5P_DEFAULT, H5P_DEFAULT) >=
                  0);
        break;
    case SOFT_LINK:
        CU_ASSERT(H5Lcreate_soft("/Frames/000000", file, path, H5P_DEFAULT, H5P_DEFAULT) >= 0);
        break;
    case FOREIGN_KIND:
        CU_ASSERT(H5Tcommit2(file, path, type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) >= 0);
        break;
    case CYCLE:
        CU_ASSERT(H5Lcreate_hard(file, "/", file, path, H5P_DEFAULT, H5P_DEFAULT) >= 0);
        break;
    default:
        craft_set(file, path, kind);
    }
    H5Tclose(type);
}

/* Refused by the reading of the record or by the comparison, in one line, soon. */
static void expect_refused(const char *what)
{
    ew_result_archive archive = {0};
    char different[800] = "";
    const double begin = ew_seconds();
    CU_ASSERT_FALSE(show("crafted.vtkhdf"));
    const ew_status read = ew_result_read_archive("crafted.vtkhdf", &archive);
    expect_told(read, "crafted.vtkhdf");
    ew_result_archive_free(&archive);
    const ew_status compared =
        ew_result_compare("crafted.vtkhdf", "good.vtkhdf", different, sizeof different);
    expect_told(compared, "crafted.vtkhdf");
    const bool refused = read || compared || different[0];
    CU_ASSERT(refused);
    CU_ASSERT(ew_seconds() - begin < 5);
    if (!refused || strstr(ew_message(), "crashed")) {
        printf("\n    %s: %s\n", what, ew_message());
        CU_FAIL("accepted, or refused only by a crash");
    }
}

/* A fifo stands for the file outside: whoever opened it would wait for ever. */
static void test_hostile_crafted(void)
{
    static const char *const paths[] = {
        "/Edgewise", "/Edgewise/case", "/Edgewise/Steps",     "/Edgewise/Steps/000000/journal",
        "/VTKHDF",   "/VTKHDF/Points", "/VTKHDF/PointData/u", "/VTKHDF/CellData",
    };
    int n = 0;
    for (size_t p = 0; p < sizeof paths / sizeof *paths; p++) {
        for (craft kind = 0; kind < N_CRAFT; kind++) {
            char what[100];
            snprintf(what, sizeof what, "%s, kind %d", paths[p], (int)kind);
            write_bytes("crafted.vtkhdf", sample, sample_size);
            hid_t file = H5Fopen("crafted.vtkhdf", H5F_ACC_RDWR, H5P_DEFAULT);
            craft_object(file, paths[p], kind);
            H5Fclose(file);
            expect_refused(what);
            n++;
        }
    }
    printf("%d files ... ", n);
    CU_ASSERT(n >= 40);
}

/* One journal under the names of many steps: small in the file, large in memory. */
static void test_hostile_repeated_journal(void)
{
    write_bytes("crafted.vtkhdf", sample, sample_size);
    hid_t file = H5Fopen("crafted.vtkhdf", H5F_ACC_RDWR, H5P_DEFAULT);
    const hsize_t n_byte = 1 << 20;
    uint8_t *bytes = calloc(n_byte, 1);
    hid_t space = H5Screate_simple(1, &n_byte, NULL);
    H5Ldelete(file, "/Edgewise/Steps/000000/journal", H5P_DEFAULT);
    hid_t set = H5Dcreate2(file, "/Edgewise/Steps/000000/journal", H5T_STD_U8LE, space, H5P_DEFAULT,
                           H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes);
    H5Dclose(set);
    H5Sclose(space);
    free(bytes);
    for (int k = 2; k < 4000; k++) {
        char name[64];
        snprintf(name, sizeof name, "/Edgewise/Steps/%06d", k);
        H5Lcreate_hard(file, "/Edgewise/Steps/000000", file, name, H5P_DEFAULT, H5P_DEFAULT);
    }
    H5Fclose(file);
    expect_refused("one journal of many steps");
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "more bytes than the file"));
}

static void test_hostile_not_a_file(void)
{
    static const char *const paths[] = {"outside.h5", "/dev/zero", "."};
    for (int k = 0; k < 3; k++) {
        ew_result_archive archive = {0};
        char different[100] = "";
        CU_ASSERT_EQUAL(ew_result_read_archive(paths[k], &archive), EW_IO);
        expect_told(EW_IO, paths[k]);
        CU_ASSERT_EQUAL(ew_result_compare("good.vtkhdf", paths[k], different, sizeof different),
                        EW_IO);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"mutations", test_hostile_mutations},
        {"crafted", test_hostile_crafted},
        {"repeated_journal", test_hostile_repeated_journal},
        {"not_a_file", test_hostile_not_a_file},
        CU_TEST_INFO_NULL,
    };
    const CU_SuiteInfo suites[] = {
        {"hostile results", set_up, tear_down, NULL, NULL, tests},
        CU_SUITE_INFO_NULL,
    };
    return ew_test_main(argc, argv, suites);
}
