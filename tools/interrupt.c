/* Ctrl-C and kin. Until there is work that can stop, one ends the program at once, with a line.
 * From then on the first one asks long work to stop through its progress callback, so that
 * temporary files go; a second one ends the program at once. */
#define _GNU_SOURCE /* syscall */
#include "tool.h"

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile sig_atomic_t caught; /* the signal, or 0 */
static volatile sig_atomic_t can_stop;
static int blocked; /* bits of `signals` that tool_hold_first holds back */

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { N_SIGNAL = sizeof signals / sizeof *signals };

/* ---- before there is anything to stop ------------------------------------------------------ */

#if defined(__linux__) && defined(__GNUC__)
__attribute__((no_sanitize("address", "undefined"))) void tool_hold_first(void)
{
    unsigned long hold = 0, before = 0;
    for (int i = 0; i < N_SIGNAL; i++) {
        hold |= 1UL << (signals[i] - 1);
    }
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &hold, &before, sizeof hold);
    for (int i = 0; i < N_SIGNAL; i++) {
        blocked |= before >> (signals[i] - 1) & 1 ? 0 : 1 << i;
    }
}
#else
void tool_hold_first(void)
{
}
#endif

int tool_blocked_signals(void)
{
    return blocked;
}

/* Blocked rather than ignored, for OpenCL platforms and compilers install handlers of their own,
 * and with them the program would no longer ignore the signal. */
static bool is_ignored(int number)
{
    struct sigaction now;
    return !sigaction(number, NULL, &now) && now.sa_handler == SIG_IGN;
}

static void catch_one(int number)
{
    static const char line[] = "\r\033[K" /* a bar of progress */
                               "edgewise: canceled\n";
    if (can_stop) {
        caught = number;
        return;
    }
    const size_t begin = isatty(STDERR_FILENO) ? 0 : 4;
    const ssize_t written = write(STDERR_FILENO, line + begin, sizeof line - 1 - begin);
    (void)written;
    raise(number);
}

static void install(void)
{
    for (int i = 0; i < N_SIGNAL; i++) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = catch_one;
        action.sa_flags = (int)SA_RESETHAND | SA_RESTART | SA_NODEFER;
        sigemptyset(&action.sa_mask);
        sigaction(signals[i], &action, NULL);
    }
}

void tool_answer_interrupts(void)
{
    sigset_t ignored, free;
    const char *text = getenv(TOOL_BLOCKED_SIGNALS);
    blocked = text ? atoi(text) : blocked;
    unsetenv(TOOL_BLOCKED_SIGNALS);
    sigemptyset(&ignored);
    sigemptyset(&free);
    for (int i = 0; i < N_SIGNAL; i++) {
        if (is_ignored(signals[i])) {
            sigaddset(&ignored, signals[i]);
        } else if (blocked >> i & 1) {
            sigaddset(&free, signals[i]);
        }
    }
    sigprocmask(SIG_BLOCK, &ignored, NULL);
    install();
    sigprocmask(SIG_UNBLOCK, &free, NULL);
}

/* ---- long work ------------------------------------------------------------------------------ */

/* Again, for what was loaded since then installs handlers of its own. */
void tool_catch_interrupts(void)
{
    can_stop = 1;
    install();
}

bool tool_is_interrupted(void)
{
    return caught != 0;
}

void tool_end_interrupted(void)
{
    signal(caught, SIG_DFL);
    raise(caught);
}

void tool_hold_interrupts(bool hold)
{
    static sigset_t before; /* what is blocked without it */
    sigset_t set;
    if (!hold) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        return;
    }
    sigemptyset(&set);
    for (int i = 0; i < N_SIGNAL; i++) {
        sigaddset(&set, signals[i]);
    }
    sigprocmask(SIG_BLOCK, &set, &before);
}
