/* Settings that only the environment at the start of a program determines: how OpenMP's threads
 * wait, how many a BLAS starts, and how malloc asks for memory. Out: the same program started
 * again, with those variables set; nothing where the user has set them. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sets of processors */
#endif
#include "ew_parts.h"
#include "tool.h"

#include <fcntl.h>
#if defined(_OPENMP) && defined(__linux__)
#include <omp.h>
#include <sched.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Threads that wait spin for some 0.1 ms, then sleep. Sleeping at once makes a solve of 3,000 to
 * 7,000 rows slower on two threads than on one, for between two parallel loops there is less time
 * than it takes to wake. Longer spins (5,000, 20,000) gain little more on an idle machine, and on a
 * busy one cost in proportion, for a thread spins away the time of the one it waits for. */
#define SPINS "2000"
/* OMP_PROC_BIND has bound this thread to one processor, and what is started next would take that
 * for the machine. */
static void unbind(void)
{
#if defined(_OPENMP) && defined(__linux__)
    cpu_set_t all;
    int id[CPU_SETSIZE];
    CPU_ZERO(&all);
    for (int place = 0; place < omp_get_num_places(); place++) {
        const int n = omp_get_place_num_procs(place);
        if (n < 1 || n > CPU_SETSIZE) {
            return;
        }
        omp_get_place_proc_ids(place, id);
        for (int k = 0; k < n; k++) {
            CPU_SET((size_t)id[k], &all);
        }
    }
    if (CPU_COUNT(&all)) {
        (void)sched_setaffinity(0, sizeof all, &all);
    }
#endif
}

/* False where it could not be set. libgomp reads the second and takes it for more precise, other
 * OpenMP libraries the first. */
static bool choose_waiting(void)
{
    if (setenv("OMP_WAIT_POLICY", "passive", 1) || setenv("GOMP_SPINCOUNT", SPINS, 1)) {
        return false;
    }
    setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 0);
    return true;
}

/* OpenBLAS starts its threads while it is loaded. They would be there for nothing, as the direct
 * solver uses one, take signals that the program has blocked in its own, and where there is no
 * memory for them OpenBLAS ends the program before it begins. So it is told to have none by
 * starting the program once more before any library is initialized: nothing here may need one. */
#if defined(__GLIBC__)
#define BEFORE_LIBRARIES __attribute__((no_sanitize("address", "undefined")))

#if EW_WITH_CHOLMOD
/* "NAME=", its first characters, in `text`. */
BEFORE_LIBRARIES static bool begins(const char *text, const char *with)
{
    while (*with && *text == *with) {
        text++;
        with++;
    }
    return !*with;
}

BEFORE_LIBRARIES static void start_with_one_thread_of_blas(char **argv, char **envp)
{
    enum { ROOM = 8192 };
    static char one[] = "OPENBLAS_NUM_THREADS=1", path[4096], *with_one[ROOM];
    static char holds[] = TOOL_BLOCKED_SIGNALS "=0";
    size_t n = 0;
    for (; envp[n]; n++) {
        if (n + 3 == ROOM || begins(envp[n], "OPENBLAS_NUM_THREADS=")) {
            return;
        }
        with_one[n] = envp[n];
    }
    holds[sizeof holds - 2] = (char)('0' + tool_blocked_signals());
    with_one[n] = one;
    with_one[n + 1] = holds;
    const long end = syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path, sizeof path - 1);
    if (end > 0) {
        path[end] = 0;
        syscall(SYS_execve, path, argv, with_one);
    }
}
#endif

BEFORE_LIBRARIES static void begin(int n_argument, char **argv, char **envp)
{
    (void)n_argument;
    tool_hold_first();
#if EW_WITH_CHOLMOD
    start_with_one_thread_of_blas(argv, envp);
#else
    (void)argv;
    (void)envp;
#endif
}
__attribute__((section(".preinit_array"),
               used)) static void (*const before_libraries)(int, char **, char **) = begin;
#endif

/* What is started next finds these signals blocked, and learns that they are to be let go. */
static void hand_on_signals(void)
{
    char bits[4];
    if (!getenv(TOOL_BLOCKED_SIGNALS) && tool_blocked_signals()) {
        snprintf(bits, sizeof bits, "%d", tool_blocked_signals());
        setenv(TOOL_BLOCKED_SIGNALS, bits, 1);
    }
}

void tool_choose_environment(char **argv)
{
    char path[4096];
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT")) {
        return;
    }
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length > 0 && choose_waiting()) {
        path[length] = 0;
        unbind();
        hand_on_signals();
        execv(path, argv);
    }
}
