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

static void catch_one(int number)
{
    caught = number;
}

void tool_catch_interrupts(void)
{
    for (int i = 0; i < N_SIGNAL; i++) {
        struct sigaction old, action;
        memset(&action, 0, sizeof action);
        action.sa_handler = catch_one;
        action.sa_flags = (int)SA_RESETHAND | SA_RESTART;
        sigemptyset(&action.sa_mask);
        /* What nohup and shells made the program ignore stays ignored. */
        if (!sigaction(signals[i], NULL, &old) && old.sa_handler != SIG_IGN) {
            sigaction(signals[i], &action, NULL);
        }
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
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < N_SIGNAL; i++) {
        sigaddset(&set, signals[i]);
    }
    sigprocmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}
