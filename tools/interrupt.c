/* Ctrl-C and kin while temporary files exist: the first one asks long work to stop through its
 * progress callback, so that it cleans up; a second one ends the program at once. */
#define _POSIX_C_SOURCE 200809L
#include "tool.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

static volatile sig_atomic_t caught; /* the signal, or 0 */

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { N_SIGNAL = sizeof signals / sizeof *signals };

/* Blocked rather than ignored, for OpenCL platforms and compilers install handlers of their own,
 * and with them the program would no longer ignore the signal. */
void tool_keep_ignored(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < N_SIGNAL; i++) {
        struct sigaction now;
        if (!sigaction(signals[i], NULL, &now) && now.sa_handler == SIG_IGN) {
            sigaddset(&set, signals[i]);
        }
    }
    sigprocmask(SIG_BLOCK, &set, NULL);
}

static void catch_one(int number)
{
    caught = number;
}

void tool_catch_interrupts(void)
{
    for (int i = 0; i < N_SIGNAL; i++) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = catch_one;
        action.sa_flags = (int)SA_RESETHAND | SA_RESTART;
        sigemptyset(&action.sa_mask);
        sigaction(signals[i], &action, NULL);
    }
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
