/* A job on a file that may be damaged or hostile in, its answer or one line of refusal out. HDF5
 * 1.10 crashes on some damaged files and takes what memory they ask for, so the job runs in a child
 * process under limits of time and memory; a crash there is a refusal here. The answer comes back
 * through a pipe, its sizes checked again. */
#define _DEFAULT_SOURCE
#include "results/isolated_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Under the address sanitizer the child's reports are to be seen. */
#if defined(__SANITIZE_ADDRESS__)
static const bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
static const bool sanitized = true;
#else
static const bool sanitized = false;
#endif
#else
static const bool sanitized = false;
#endif

enum { MAX_MESSAGE = 4096 };
/* Beside what follows from the size of the file: HDF5's own memory, and a slow disk's time. */
static const uint64_t spare_bytes = UINT64_C(512) << 20;
static const uint64_t spare_seconds = 30;

/* ---- the wire ---------------------------------------------------------------- */

void ew_wire_put(ew_wire *wire, const void *data, size_t size)
{
    const char *from = data;
    while (size > 0 && !wire->broken) {
        ssize_t n = write(wire->descriptor, from, size);
        if (n > 0) {
            from += n;
            size -= (size_t)n;
        } else if (n == 0 || errno != EINTR) {
            wire->broken = true;
        }
    }
}

void ew_wire_put_block(ew_wire *wire, const void *data, size_t size)
{
    const uint64_t length = size;
    ew_wire_put(wire, &length, sizeof length);
    ew_wire_put(wire, data, size);
}

void ew_wire_get(ew_wire *wire, void *data, size_t size)
{
    char *to = data;
    while (size > 0 && !wire->broken) {
        ssize_t n = read(wire->descriptor, to, size);
        if (n > 0) {
            to += n;
            size -= (size_t)n;
        } else if (n == 0 || errno != EINTR) {
            wire->broken = true;
        }
    }
}

ew_status ew_wire_get_block(ew_wire *wire, uint64_t *left, char **data, size_t *size)
{
    uint64_t length = 0;
    char *got = NULL;
    ew_wire_get(wire, &length, sizeof length);
    if (wire->broken || length > *left) {
        wire->broken = true;
        return EW_OK;
    }
    EW_TRY(ew_new(&got, (size_t)length + 1, 1));
    ew_wire_get(wire, got, (size_t)length);
    if (wire->broken) {
        ew_release(got);
        return EW_OK;
    }
    got[length] = '\0';
    *left -= length;
    *data = got;
    *size = (size_t)length;
    return EW_OK;
}

/* ---- the child ----------------------------------------------------------------- */

static void set_limit(int what, uint64_t max)
{
    struct rlimit limit;
    if (getrlimit(what, &limit) == 0) {
        limit.rlim_cur = max < limit.rlim_max ? (rlim_t)max : limit.rlim_max;
        setrlimit(what, &limit);
    }
}

void ew_open_nothing_more(void)
{
    set_limit(RLIMIT_NOFILE, 0);
}

/* Address space in use, from the system; 0 where it does not tell. */
static uint64_t address_space(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file) {
        pages = fscanf(file, "%llu", &pages) == 1 ? pages : 0;
        fclose(file);
    }
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void limit_child(uint64_t file_bytes)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGABRT};
    static const int crash[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        signal(ending[i], SIG_DFL);
    }
    for (size_t i = 0; i < sizeof crash / sizeof *crash && !sanitized; i++) {
        signal(crash[i], SIG_DFL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    const int nowhere = sanitized ? -1 : open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        dup2(nowhere, STDERR_FILENO); /* what the C library says of a corrupt heap */
        close(nowhere);
    }
    const uint64_t used = address_space();
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_CPU, spare_seconds + file_bytes / (UINT64_C(4) << 20));
    if (used > 0) {
        set_limit(RLIMIT_AS, used + spare_bytes + 4 * file_bytes);
    }
}

static void run_child(const ew_isolated_job *job, ew_wire *wire)
{
    limit_child(job->file_bytes);
    ew_quiet quiet;
    ew_quiet_begin(&quiet); /* for as long as this process lives */
    const ew_status status = job->read(job->user);
    ew_wire_put(wire, &status, sizeof status);
    if (status) {
        ew_wire_put_block(wire, ew_message(), strlen(ew_message()));
    } else {
        job->send(job->user, wire);
    }
    _exit(0);
}

/* ---- the parent ------------------------------------------------------------------ */

static ew_status take_answer(const ew_isolated_job *job, ew_wire *wire)
{
    ew_status status = EW_OK;
    ew_wire_get(wire, &status, sizeof status);
    if (wire->broken || !status) {
        return wire->broken ? EW_OK : job->take(job->user, wire);
    }
    uint64_t left = MAX_MESSAGE;
    char *message = NULL;
    size_t size = 0;
    EW_TRY(ew_wire_get_block(wire, &left, &message, &size));
    if (message) {
        status = ew_fail(status, "%s", message);
        ew_release(message);
    }
    return status;
}

static ew_status tell_death(const ew_isolated_job *job, int code)
{
    const int number = WIFSIGNALED(code) ? WTERMSIG(code) : 0;
    if (number == SIGXCPU || number == SIGKILL) {
        return ew_fail(EW_BAD_INPUT,
                       "%s: damaged: reading it takes more time or memory than its size allows",
                       job->path);
    }
    if (number == SIGINT || number == SIGTERM || number == SIGHUP) {
        return ew_fail(EW_CANCELED, "%s: reading was interrupted", job->path);
    }
    return ew_fail(EW_BAD_INPUT, "%s: damaged: the HDF5 library crashed on it (%s %d)", job->path,
                   number ? "signal" : "exit status", number ? number : WEXITSTATUS(code));
}

ew_status ew_read_isolated(const ew_isolated_job *job)
{
    int pipes[2];
    if (pipe(pipes) != 0) {
        return ew_fail(EW_IO, "%s: cannot be read: %s", job->path, strerror(errno));
    }
    const pid_t child = fork();
    if (child < 0) {
        const int reason = errno;
        close(pipes[0]);
        close(pipes[1]);
        return ew_fail(reason == ENOMEM ? EW_NO_MEMORY : EW_IO,
                       "%s: no process can be started to read it: %s", job->path, strerror(reason));
    }
    ew_wire wire = {pipes[child == 0 ? 1 : 0], false};
    close(pipes[child == 0 ? 0 : 1]);
    if (child == 0) {
        run_child(job, &wire);
    }
    ew_status status = take_answer(job, &wire);
    close(pipes[0]);
    int code = 0;
    while (waitpid(child, &code, 0) < 0 && errno == EINTR) {
    }
    return wire.broken ? tell_death(job, code) : status;
}

ew_status ew_result_file_size(const char *path, uint64_t *size)
{
    struct stat about;
    if (stat(path, &about) != 0) {
        return ew_fail(EW_IO, "%s: cannot read as a result file: %s", path, strerror(errno));
    }
    if (!S_ISREG(about.st_mode)) {
        return ew_fail(EW_IO, "%s: cannot read as a result file: it is a %s", path,
                       S_ISDIR(about.st_mode)    ? "folder"
                       : S_ISFIFO(about.st_mode) ? "pipe"
                                                 : "device or socket");
    }
    *size = (uint64_t)about.st_size;
    return EW_OK;
}
