/* edgewise-gmsh started, and all that it sends. In: a file and what is to be made of it. Out: the
 * bytes, or why there are none. A program of its own, because libgmsh takes a tenth of a second to
 * load, may end a process or never come back, and is GPL. */
#define _GNU_SOURCE
#include "cad/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define PROGRAM "edgewise-gmsh"

/* ---- its arguments ------------------------------------------------------- */

typedef struct arguments {
    char *text;   /* owned: one after the other, each with its zero */
    char **value; /* owned: ends with null */
    size_t used, size;
    int32_t n, room;
} arguments;

static void add(arguments *to, const char *key, const char *value)
{
    if (to->n + 1 < to->room) {
        to->value[to->n++] = to->text + to->used;
        const int n = snprintf(to->text + to->used, to->size - to->used, "%s%s%s", key,
                               *key ? "=" : "", value);
        to->used += (size_t)n + 1;
    }
}

static void add_number(arguments *to, const char *key, double value)
{
    char text[40];
    if (value > 0) {
        snprintf(text, sizeof text, "%.17g", value);
        add(to, key, text);
    }
}

/* OpenCASCADE's names of EW_CAD_UNITS, in their order. */
static const char *unit_for(const char *unit)
{
    static const char *const names[] = {"mm", "MM", "cm", "CM", "m",    "M",  "km",
                                        "KM", "um", "UM", "in", "INCH", "ft", "FT"};
    for (size_t i = 0; unit && i < sizeof names / sizeof *names; i += 2) {
        if (!strcmp(unit, names[i])) {
            return names[i + 1];
        }
    }
    return "MM";
}

static ew_status make_arguments(arguments *made, const char *program, const char *path,
                                const ew_cad_def *def)
{
    enum { OTHERS = 20, NUMBER = 64 };
    made->room = OTHERS + def->n_size;
    made->size = strlen(program) + strlen(path) + 2 * NUMBER + NUMBER * (size_t)made->room;
    for (int32_t i = 0; i < def->n_size; i++) {
        made->size += strlen(def->sizes[i].face);
    }
    EW_TRY(ew_new(&made->text, made->size, 1));
    EW_TRY(ew_new(&made->value, (size_t)made->room, sizeof *made->value));
    add(made, "", program);
    add(made, "file", path);
    add(made, "unit", unit_for(def->unit));
    add_number(made, "size", def->size);
    add_number(made, "min_size", def->min_size);
    add_number(made, "curvature", def->curvature);
    add_number(made, "growth", def->growth);
    add(made, "algorithm", def->algorithm == EW_CAD_DELAUNAY ? "delaunay" : "hxt");
    add(made, "solids", def->solids == EW_CAD_APART ? "apart" : "joined");
    add_number(made, "quality", def->quality);
    add(made, "order", def->order == 2 ? "2" : "1");
    add_number(made, "sew", def->sew);
    add_number(made, "max_memory", def->max_memory);
    for (int32_t i = 0; i < def->n_size; i++) {
        char value[EW_GROUP_NAME + 40];
        snprintf(value, sizeof value, "%.17g:%s", def->sizes[i].size, def->sizes[i].face);
        add(made, "face", value);
    }
    made->value[made->n] = NULL;
    return EW_OK;
}

/* ---- the process ---------------------------------------------------------- */

/* Its standard output is `to`; it has no standard input, and this program's signals are not its. */
static int spawn(pid_t *child, int to, char **argument)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int error = posix_spawn_file_actions_init(&files);
    if (error) {
        return error;
    }
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&files, to, STDOUT_FILENO);
        posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        error = posix_spawnp(child, argument[0], &files, &attributes, argument, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    return error;
}

/* More than 0: so many bytes; 0: no more will come; -1: the time is over. */
static ssize_t read_some(int from, char *to, size_t size, double deadline)
{
    for (;;) {
        const double left = deadline - ew_seconds();
        const double patience = left < 1000 ? left : 1000;
        struct pollfd waiting = {.fd = from, .events = POLLIN};
        if (left <= 0) {
            return -1;
        }
        const int ready = poll(&waiting, 1, (int)(patience * 1000) + 1);
        if (ready > 0) {
            const ssize_t n = read(from, to, size);
            if (n >= 0 || errno != EINTR) {
                return n > 0 ? n : 0;
            }
        } else if (ready < 0 && errno != EINTR) {
            return 0;
        }
    }
}

static ew_status receive(int from, double deadline, const ew_cad_def *def, ew_text *sent)
{
    int32_t capacity = 0;
    for (;;) {
        EW_TRY(ew_grow(&sent->data, &capacity, (int64_t)sent->size + (1 << 16), 1));
        const ssize_t n =
            read_some(from, sent->data + sent->size, (size_t)capacity - sent->size, deadline);
        if (n < 0) {
            return ew_fail(EW_LIMIT,
                           "Gmsh did not end within %g s; try a larger size, another algorithm, or "
                           "give it more (max_seconds)",
                           def->max_seconds);
        }
        if (n == 0) {
            return EW_OK;
        }
        sent->size += (size_t)n;
    }
}

/* The status with which the dynamic linker ends a program. */
enum { NO_LIBRARY = 127 };

/* A crash leaves no header, or half a result. */
static ew_status explain_end(int state)
{
    if (WIFSIGNALED(state)) {
        return ew_fail(EW_BAD_INPUT,
                       "Gmsh crashed on it (signal %d); repair the file, or try another size or "
                       "algorithm",
                       WTERMSIG(state));
    }
    if (WIFEXITED(state) && WEXITSTATUS(state) && WEXITSTATUS(state) != NO_LIBRARY) {
        return ew_fail(EW_NO_MEMORY,
                       PROGRAM " gave up (status %d), as it does without memory; give it more "
                               "(max_memory)",
                       WEXITSTATUS(state));
    }
    return WEXITSTATUS(state)
               ? ew_refuse(EW_RULE_CAD, "a CAD file (" PROGRAM " ended with status %d)",
                           WEXITSTATUS(state))
               : EW_OK;
}

static ew_status run(char **argument, const ew_cad_def *def, ew_text *sent)
{
    int end[2];
    pid_t child = -1;
    if (pipe2(end, O_CLOEXEC)) {
        return ew_fail(EW_NO_MEMORY, "no pipe to " PROGRAM ": %s", strerror(errno));
    }
    const int error = spawn(&child, end[1], argument);
    close(end[1]);
    ew_status status = EW_OK;
    if (error) {
        status = ew_refuse(EW_RULE_CAD, "a CAD file (" PROGRAM ": %s)", strerror(error));
    } else {
        const double seconds = def->max_seconds > 0 ? def->max_seconds : 1e9;
        status = receive(end[0], ew_seconds() + seconds, def, sent);
    }
    close(end[0]);
    if (!error) {
        int state = 0;
        if (status) {
            kill(child, SIGKILL);
        }
        while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
        }
        status = status ? status : explain_end(state);
    }
    return status;
}

ew_status ew_cad_run(const char *path, const ew_cad_def *def, ew_text *sent)
{
    arguments made = {0};
    ew_text got = {0};
    ew_status status = make_arguments(&made, def->program ? def->program : PROGRAM, path, def);
    if (!status) {
        status = run(made.value, def, &got);
    }
    ew_release(made.text);
    ew_release(made.value);
    if (status) {
        ew_text_free(&got);
        return status;
    }
    *sent = got;
    return EW_OK;
}

ew_status ew_cad_read(ew_mesh *mesh, ew_groups *groups, const char *path, const ew_cad_def *def,
                      ew_mesh_repair *repair, ew_cad_report *report)
{
    ew_text sent = {0};
    const double start = ew_seconds();
    memset(mesh, 0, sizeof *mesh);
    EW_TRY(ew_cad_def_check(def));
    struct stat about;
    if (access(path, R_OK) || stat(path, &about)) {
        return ew_fail(EW_IO, "cannot be opened: %s", strerror(errno));
    }
    if (!S_ISREG(about.st_mode)) {
        return ew_fail(EW_IO, "is no file, but a folder, pipe or device; CAD files are read from "
                              "files");
    }
    EW_TRY(ew_cad_run(path, def, &sent));
    ew_cad_report made = {0};
    const ew_status status = ew_cad_decode(&sent, def, mesh, groups, repair, &made);
    ew_text_free(&sent);
    made.seconds = ew_seconds() - start;
    if (!status && report) {
        *report = made;
    }
    return status;
}
