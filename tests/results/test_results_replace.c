/* Files replaced together: whenever the program is killed and whatever fails, the old set or the
 * new one is there, complete, and nothing else. EW_KILLS sets how many writers of results are
 * killed at random moments (24). */
#define _GNU_SOURCE
#include "testlib.h"

#include "results/results.h"
#include "shape/parts/shape.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char old_folder[4096];
static char folder[] = "/tmp/edgewise-replace-XXXXXX";

/* ---- calls that change the folder, counted: the k-th kills the process or fails -------- */

static int calls_left; /* 0: none is touched */
static bool fails;     /* with EIO, instead of being the last thing that happens */

static bool is_due(void)
{
    if (calls_left == 0 || --calls_left > 0) {
        return false;
    }
    if (!fails) {
        kill(getpid(), SIGKILL);
    }
    errno = EIO;
    return true;
}

/* These take the place of the C library's in this program. */
int rename(const char *from, const char *to)
{
    return is_due() ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int link(const char *from, const char *to)
{
    return is_due() && !fails ? -1 : (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char *path)
{
    return is_due() && !fails ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int fsync(int descriptor)
{
    return is_due() ? -1 : (int)syscall(SYS_fsync, descriptor);
}

/* ---- sets of three texts ---------------------------------------------------------------- */

static const char *const names[3] = {"set.vtkhdf", "set.xdmf", "set.csv"};
static bool has_frames; /* and a folder, with a frame that is named after the text */

static ew_status add_frames(ew_replacement *set, const char *text)
{
    char name[64];
    snprintf(name, sizeof name, "%s.000001.obj", text);
    EW_TRY(ew_replace_append_in(set, "set.surfaces", name, text, strlen(text)));
    return ew_replace_append_in(set, "set.surfaces", "frames.csv", text, strlen(text));
}

/* Exactly the two of this text, or none at all. */
static bool frames_hold(const char *text)
{
    char name[80] = "";
    int n = 0, n_right = 0;
    DIR *list = opendir("set.surfaces");
    if (!text || !list) {
        const bool none = !text && !list;
        if (list) {
            closedir(list);
        }
        return none;
    }
    snprintf(name, sizeof name, "%s.000001.obj", text);
    for (struct dirent *entry; (entry = readdir(list));) {
        n += entry->d_name[0] != '.';
        n_right += !strcmp(entry->d_name, name) || !strcmp(entry->d_name, "frames.csv");
    }
    closedir(list);
    return n == 2 && n_right == 2;
}

static void remove_frames(void)
{
    DIR *list = opendir("set.surfaces");
    for (struct dirent *entry; list && (entry = readdir(list));) {
        unlinkat(dirfd(list), entry->d_name, 0);
    }
    if (list) {
        closedir(list);
        rmdir("set.surfaces");
    }
}

static ew_status replace_all(const char *text)
{
    ew_replacement set = {0};
    ew_status status = EW_OK;
    for (int k = 0; k < 3 && !status; k++) {
        status = ew_replace_add_text(&set, names[k], text, strlen(text));
    }
    if (!status && has_frames) {
        status = add_frames(&set, text);
    }
    if (status) {
        ew_replace_abandon(&set);
        return status;
    }
    return ew_replace_commit(&set);
}

static bool all_hold(const char *text)
{
    bool same = !has_frames || frames_hold(text);
    for (int k = 0; k < 3; k++) {
        char found[64] = "";
        FILE *file = fopen(names[k], "r");
        const size_t n = file ? fread(found, 1, sizeof found - 1, file) : 0;
        same = same && (text ? file && n == strlen(text) && !strcmp(found, text) : !file);
        if (file) {
            fclose(file);
        }
    }
    return same;
}

static int count_entries(void)
{
    int n = 0;
    DIR *list = opendir(".");
    for (struct dirent *entry; list && (entry = readdir(list));) {
        n += entry->d_name[0] != '.';
    }
    closedir(list);
    return n;
}

static int tear_down(void)
{
    DIR *list = opendir(".");
    for (struct dirent *entry; list && (entry = readdir(list));) {
        remove(entry->d_name);
    }
    closedir(list);
    return chdir(old_folder) != 0 || rmdir(folder) != 0;
}

static int set_up(void)
{
    return !getcwd(old_folder, sizeof old_folder) || !mkdtemp(folder) || chdir(folder) != 0;
}

static void remove_all(void)
{
    remove_frames();
    for (int k = 0; k < 3; k++) {
        remove(names[k]);
    }
}

/* The child is killed at its k-th call; true when it came to its end. */
static bool replace_until(int k, const char *text)
{
    int code = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        calls_left = k;
        _exit(replace_all(text) ? 1 : 0);
    }
    CU_ASSERT_EQUAL(waitpid(child, &code, 0), child);
    return WIFEXITED(code) && WEXITSTATUS(code) == 0;
}

static void kill_at_every_call(const char *old)
{
    int k = 1;
    int n_new = 0;
    for (bool whole = false; !whole; k++) {
        remove_all();
        if (old) {
            CU_ASSERT_EQUAL_FATAL(replace_all(old), EW_OK);
        }
        whole = replace_until(k, "new");
        CU_ASSERT_EQUAL(ew_replace_recover(names[0]), EW_OK);
        CU_ASSERT(all_hold(old) || all_hold("new"));
        n_new += all_hold("new");
        CU_ASSERT_EQUAL(replace_all("next"), EW_OK); /* clears what the killed one left */
        CU_ASSERT_EQUAL(count_entries(), 3 + has_frames);
        CU_ASSERT_FATAL(k < 100);
    }
    CU_ASSERT(n_new > 3 && n_new < k - 3);
}

static void test_replace_killed_at_every_call(void)
{
    for (int k = 0; k < 2; k++) {
        has_frames = k == 1;
        kill_at_every_call("old");
        kill_at_every_call(NULL);
    }
    remove_all();
    has_frames = false;
}

/* Recovering may be killed as well. */
static void test_replace_killed_twice(void)
{
    for (int k = 5; k < 18; k += 2) {
        for (int j = 1; j < 12; j += 2) {
            int code = 0;
            remove_all();
            CU_ASSERT_EQUAL_FATAL(replace_all("old"), EW_OK);
            replace_until(k, "new");
            const pid_t child = fork();
            if (child == 0) {
                calls_left = j;
                _exit(ew_replace_recover(names[0]) ? 1 : 0);
            }
            CU_ASSERT_EQUAL(waitpid(child, &code, 0), child);
            CU_ASSERT_EQUAL(ew_replace_recover(names[0]), EW_OK);
            CU_ASSERT(all_hold("old") || all_hold("new"));
        }
    }
}

static void fail_every_call(void)
{
    bool failed = true;
    int k = 1;
    for (; failed; k++) {
        remove_all();
        CU_ASSERT_EQUAL_FATAL(replace_all("old"), EW_OK);
        calls_left = k;
        fails = true;
        const ew_status status = replace_all("new");
        failed = calls_left == 0;
        calls_left = 0;
        fails = false;
        CU_ASSERT(status == EW_OK || status == EW_IO);
        CU_ASSERT(all_hold(status ? "old" : "new"));
        CU_ASSERT_EQUAL(count_entries(), 3 + has_frames);
        CU_ASSERT_FATAL(k < 100);
    }
    CU_ASSERT(k > 8);
}

static void test_replace_failing_calls(void)
{
    fail_every_call();
    has_frames = true;
    fail_every_call();
    remove_all();
    has_frames = false;
}

/* A folder with anything but frames in it is nobody's to replace. */
static void test_replace_foreign_folder(void)
{
    has_frames = true;
    CU_ASSERT_EQUAL_FATAL(replace_all("old"), EW_OK);
    FILE *file = fopen("set.surfaces/thesis.txt", "w");
    fclose(file);
    CU_ASSERT_EQUAL(replace_all("new"), EW_IO);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "holds 'thesis.txt'"));
    ew_result_remove_frames("set.surfaces");
    CU_ASSERT_EQUAL(access("set.surfaces/thesis.txt", F_OK), 0);
    CU_ASSERT_EQUAL(access("set.surfaces/frames.csv", F_OK), -1);
    remove_all();
    file = fopen("set.surfaces", "w");
    fclose(file);
    CU_ASSERT_EQUAL(replace_all("new"), EW_IO);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "not a folder"));
    remove("set.surfaces");
    ew_replacement set = {0};
    CU_ASSERT_EQUAL(ew_replace_append_in(&set, "set.surfaces", "../x.obj", "", 0), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_replace_append_in(&set, "set.surfaces", "x.txt", "", 0), EW_BAD_ARGUMENT);
    ew_replace_abandon(&set);
    has_frames = false;
}

static void test_replace_taken_name(void)
{
    for (int k = 0; k < 3; k++) {
        remove_all();
        CU_ASSERT_EQUAL_FATAL(replace_all("old"), EW_OK);
        remove(names[k]);
        CU_ASSERT_EQUAL(mkdir(names[k], 0700), 0);
        CU_ASSERT_EQUAL(replace_all("new"), EW_IO);
        CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), names[k]));
        CU_ASSERT_EQUAL(count_entries(), 3 + has_frames);
        CU_ASSERT_EQUAL(rmdir(names[k]), 0);
        FILE *file = fopen(names[k], "w");
        fputs("old", file);
        fclose(file);
        CU_ASSERT(all_hold("old"));
    }
    int descriptor;
    ew_replacement set = {0};
    CU_ASSERT_EQUAL(ew_replace_add(&set, "a\033[31m.mesh", &descriptor), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_replace_add(&set, "a\nb.mesh", &descriptor), EW_BAD_ARGUMENT);
    ew_replace_abandon(&set);
}

/* As many files as there are kinds of tables; one more is refused, and the others are there. */
static void test_replace_many(void)
{
    ew_replacement set = {0};
    int descriptor;
    char name[32];
    remove_all();
    for (int k = 0; k <= EW_REPLACE_MAX; k++) {
        snprintf(name, sizeof name, "set.%02d", k);
        CU_ASSERT_EQUAL(ew_replace_add(&set, name, &descriptor),
                        k < EW_REPLACE_MAX ? EW_OK : EW_LIMIT);
    }
    CU_ASSERT_EQUAL(ew_replace_commit(&set), EW_OK);
    CU_ASSERT_EQUAL(count_entries(), EW_REPLACE_MAX);
    for (int k = 0; k < EW_REPLACE_MAX; k++) {
        snprintf(name, sizeof name, "set.%02d", k);
        CU_ASSERT_EQUAL(access(name, F_OK), 0);
        remove(name);
    }
}

static void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

/* Leftovers go, files of the living stay, and so does what only looks alike. */
static void test_replace_leftovers(void)
{
    CU_ASSERT_EQUAL_FATAL(replace_all("old"), EW_OK);
    put_file("set.csv.123.part", "");
    put_file("set.vtkhdf.123.4.old.part", "");
    put_file("set.xdmf.99.part", "");
    put_file("set.csv.mine.part", "");
    put_file("set.csv.", "");
    const int living = open("set.xdmf.99.part", O_RDWR);
    CU_ASSERT_EQUAL(flock(living, LOCK_EX), 0);
    CU_ASSERT_EQUAL(replace_all("new"), EW_OK);
    CU_ASSERT_EQUAL(access("set.csv.123.part", F_OK), -1);
    CU_ASSERT_EQUAL(access("set.vtkhdf.123.4.old.part", F_OK), -1);
    CU_ASSERT_EQUAL(access("set.xdmf.99.part", F_OK), 0);
    CU_ASSERT_EQUAL(access("set.csv.mine.part", F_OK), 0);
    CU_ASSERT_EQUAL(access("set.csv.", F_OK), 0);
    close(living);
    remove("set.xdmf.99.part");
    remove("set.csv.mine.part");
    remove("set.csv.");
}

/* A record that names files beyond the set is not followed. */
static void test_replace_foreign_record(void)
{
    static const char *const lines[] = {"../victim\n../set.csv.1.part\n../victim.1.old.part\n",
                                        "victim\nset.csv.1.part\nvictim.1.old.part\n",
                                        "set.csv\nvictim\nset.csv.1.old.part\n",
                                        "set.csv\nset.csv.1.part\nvictim\n", "set.csv\n"};
    CU_ASSERT_EQUAL_FATAL(replace_all("old"), EW_OK);
    for (int k = 0; k < 5; k++) {
        char record[200];
        snprintf(record, sizeof record, "edgewise commit 1\n%send\n", lines[k]);
        put_file("victim", "safe");
        put_file("set.vtkhdf.commit", record);
        CU_ASSERT_EQUAL(ew_replace_recover(names[0]), EW_OK);
        CU_ASSERT(all_hold("old"));
        CU_ASSERT_EQUAL(access("victim", F_OK), 0);
        CU_ASSERT_EQUAL(access("set.vtkhdf.commit", F_OK), -1);
    }
    remove("victim");
    remove_all();
}

/* ---- results --------------------------------------------------------------------------------- */

static ew_status write_result(int n_frame)
{
    ew_mesh mesh;
    ew_result *result = NULL;
    char csv[32];
    double data[64] = {0};
    const ew_result_field field = {"s", EW_ON_TETS, 1, data};
    const ew_result_def def = {
        .name = "set", .case_text = "x", .length_unit = "", .force_unit = "", .time_unit = ""};
    EW_TRY(ew_shape_box(&mesh, (double[3]){1, 1, 1}, (int32_t[3]){1, 1, 1}));
    ew_status status = ew_result_create(&result, &def);
    for (int f = 0; f < n_frame && !status; f++) {
        const ew_result_frame frame = {
            .name = "s", .kind = "static", .time = f, .mesh = &mesh, .n_field = 1, .field = &field};
        status = ew_result_add_frame(result, &frame);
    }
    snprintf(csv, sizeof csv, "%d\n", n_frame);
    if (!status) {
        status = ew_result_append_file(result, ".csv", csv, strlen(csv));
    }
    if (!status) {
        status = ew_result_finish(result);
        result = NULL;
    }
    ew_result_discard(result);
    ew_mesh_free(&mesh);
    return status;
}

/* The frames that all three files tell of; -1 where they differ. */
static int frames_told(void)
{
    char line[512];
    int in_csv = -1;
    int in_xdmf = 0;
    ew_result_archive archive = {0};
    FILE *csv = fopen("set.csv", "r");
    FILE *xdmf = fopen("set.xdmf", "r");
    if (!csv || !xdmf || ew_result_read_archive("set.vtkhdf", &archive)) {
        return -1;
    }
    in_csv = fscanf(csv, "%d", &in_csv) == 1 ? in_csv : -1;
    while (fgets(line, sizeof line, xdmf)) {
        in_xdmf += strstr(line, "<Time") != NULL;
    }
    fclose(csv);
    fclose(xdmf);
    const int32_t n = archive.n_step;
    ew_result_archive_free(&archive);
    return n == in_csv && n == in_xdmf ? n : -1;
}

static void test_replace_killed_at_random(void)
{
    const char *asked = getenv("EW_KILLS");
    const int n = asked ? atoi(asked) : 24;
    uint64_t state = 7;
    int replaced = 0;
    const double begin = ew_seconds();
    CU_ASSERT_EQUAL_FATAL(write_result(2), EW_OK);
    const uint32_t lasts = (uint32_t)(1e6 * (ew_seconds() - begin)) + 1000;
    for (int k = 0; k < n; k++) {
        int code = 0;
        CU_ASSERT_EQUAL_FATAL(write_result(2), EW_OK);
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            _exit(write_result(3) ? 1 : 0);
        }
        usleep(ew_test_random(&state, lasts + lasts / 2));
        kill(child, SIGKILL);
        CU_ASSERT_EQUAL(waitpid(child, &code, 0), child);
        CU_ASSERT_EQUAL(ew_replace_recover("set.vtkhdf"), EW_OK);
        const int told = frames_told();
        CU_ASSERT(told == 2 || told == 3);
        replaced += told == 3;
    }
    CU_ASSERT_EQUAL(write_result(1), EW_OK);
    CU_ASSERT_EQUAL(count_entries(), 3 + has_frames);
    printf("%d killed, %d of them after the new set counted ... ", n, replaced);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"killed_at_every_call", test_replace_killed_at_every_call},
        {"killed_twice", test_replace_killed_twice},
        {"failing_calls", test_replace_failing_calls},
        {"foreign_folder", test_replace_foreign_folder},
        {"taken_name", test_replace_taken_name},
        {"many", test_replace_many},
        {"leftovers", test_replace_leftovers},
        {"foreign_record", test_replace_foreign_record},
        {"killed_at_random", test_replace_killed_at_random},
        CU_TEST_INFO_NULL,
    };
    const CU_SuiteInfo suites[] = {
        {"replace", set_up, tear_down, NULL, NULL, tests},
        CU_SUITE_INFO_NULL,
    };
    return ew_test_main(argc, argv, suites);
}
