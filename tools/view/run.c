/* The process that runs a case for the page. In: a case file. Out: its results, and what it prints.
 * It is this program with the command `run`, so that its numbers are those of the command line. */
#define _POSIX_C_SOURCE 200809L
#include "run.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Its output and its messages go to `to`; signals of this program are not its own. */
static int spawn(pid_t *child, int to, const char *program, char **argument)
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
        posix_spawn_file_actions_adddup2(&files, to, STDERR_FILENO);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        error = posix_spawn(child, program, &files, &attributes, argument, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    return error;
}

static ew_status open_pipe(int ends[2])
{
    if (pipe(ends)) {
        return ew_fail(EW_LIMIT, "run: the system gives no pipe for the run");
    }
    for (int i = 0; i < 2; i++) {
        (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    }
    (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return EW_OK;
}

ew_status view_run_start(view_run *run, const char *case_path, const char *name)
{
    char program[4096], threads[16], own_case[1024];
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    int ends[2];
    if (n <= 0 || strlen(case_path) >= sizeof own_case || strlen(name) >= sizeof run->name) {
        return ew_fail(EW_UNSUPPORTED, "run: this program cannot be started again here; save the "
                                       "case, and run it by 'edgewise run'");
    }
    program[n] = 0;
    view_run_free(run);
    EW_TRY(ew_new(&run->text, VIEW_RUN_TEXT + 1, 1));
    run->text[0] = 0;
    EW_TRY(open_pipe(ends));
    snprintf(run->name, sizeof run->name, "%s", name);
    snprintf(own_case, sizeof own_case, "%s", case_path);
    snprintf(threads, sizeof threads, "%d", (int)ew_threads());
    char command[] = "run", output[] = "--output", with[] = "--threads";
    char *argument[] = {program, command, own_case, output, run->name, with, threads, NULL};
    const int error = spawn(&run->child, ends[1], program, argument);
    close(ends[1]);
    if (error) {
        close(ends[0]);
        run->child = 0;
        return ew_fail(EW_LIMIT, "run: the system does not start the run: %s", strerror(error));
    }
    run->from = ends[0];
    run->start = ew_seconds();
    return EW_OK;
}

/* Of more than there is room for the last half stays. */
static void read_output(view_run *run)
{
    char part[4096];
    ssize_t n;
    while ((n = read(run->from, part, sizeof part)) > 0) {
        if (run->n + (size_t)n > VIEW_RUN_TEXT) {
            run->n = VIEW_RUN_TEXT / 2;
            memmove(run->text, run->text + VIEW_RUN_TEXT / 2, VIEW_RUN_TEXT / 2);
        }
        memcpy(run->text + run->n, part, (size_t)n);
        run->n += (size_t)n;
        run->text[run->n] = 0;
    }
}

static int status_of(int state)
{
    return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

bool view_run_goes_on(view_run *run, int *exit_status)
{
    int state = 0;
    read_output(run);
    if (waitpid(run->child, &state, WNOHANG) == 0) {
        return true;
    }
    read_output(run);
    close(run->from);
    run->child = 0;
    *exit_status = status_of(state);
    return false;
}

void view_run_stop(view_run *run)
{
    if (run->child) {
        run->is_stopped = true;
        kill(run->child, SIGINT);
    }
}

void view_run_free(view_run *run)
{
    int state;
    if (run->child) {
        kill(run->child, SIGTERM);
        while (waitpid(run->child, &state, 0) < 0 && kill(run->child, 0) == 0) {
        }
        close(run->from);
    }
    ew_release(run->text);
    *run = (view_run){0};
}
