/* Progress of long work: a bar with the time left on a terminal, plain lines elsewhere. */
#define _POSIX_C_SOURCE 200809L
#include "tool.h"

#include <string.h>
#include <unistd.h>

enum { BAR_WIDTH = 30 };

void tool_progress_start(tool_progress *progress, bool quiet)
{
    memset(progress, 0, sizeof *progress);
    progress->quiet = quiet;
    progress->on_terminal = isatty(STDERR_FILENO);
    progress->last_shown = ew_seconds();
}

void tool_progress_clear(tool_progress *progress)
{
    if (progress->bar_is_drawn) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        progress->bar_is_drawn = false;
    }
}

static void time_left(const tool_progress *progress, double done, double now, char text[48])
{
    char duration[32];
    text[0] = 0;
    if (done > 0.01) {
        const double left = (now - progress->stage_start) * (1 - done) / done;
        snprintf(text, 48, ", %s left", tool_duration(left, duration));
    }
}

static void draw(tool_progress *progress, double done, double now)
{
    char bar[BAR_WIDTH + 1], left[48];
    const int filled = done < 0 ? 0 : (int)(done * BAR_WIDTH + 0.5);
    memset(bar, ' ', BAR_WIDTH);
    memset(bar, '=', (size_t)(filled > BAR_WIDTH ? BAR_WIDTH : filled));
    bar[BAR_WIDTH] = 0;
    time_left(progress, done, now, left);
    if (done < 0) {
        fprintf(stderr, "\r\033[K%s ...", progress->stage);
    } else {
        fprintf(stderr, "\r\033[K%-10s [%s] %3.0f %%%s", progress->stage, bar, 100 * done, left);
    }
    fflush(stderr);
    progress->bar_is_drawn = true;
}

bool tool_progress_call(void *user, const char *stage, double done)
{
    tool_progress *progress = user;
    if (tool_is_interrupted()) {
        return false;
    }
    const double now = ew_seconds();
    if (strcmp(stage, progress->stage) != 0 || done < progress->last_done) { /* or the next solve */
        snprintf(progress->stage, sizeof progress->stage, "%s", stage);
        progress->stage_start = now;
    }
    progress->last_done = done;
    const double pause = progress->on_terminal ? 0.1 : 10;
    if (progress->quiet || now - progress->last_shown < pause) {
        return true;
    }
    progress->last_shown = now;
    if (progress->on_terminal) {
        draw(progress, done, now);
    } else {
        char left[48];
        time_left(progress, done, now, left);
        if (done < 0) {
            fprintf(stderr, "%s ...\n", stage);
        } else {
            fprintf(stderr, "%s %.0f %%%s\n", stage, 100 * done, left);
        }
    }
    return true;
}
