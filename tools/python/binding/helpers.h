/* What Python calls besides the library: arrays that outlive a change of their model, and callbacks
 * that reach Python now and then. Included by the generated module. */
#ifndef EDGEWISE_HELPERS_H
#define EDGEWISE_HELPERS_H

#include <string.h>

/* The struct that owns *slot goes on with a copy of it; *old is the caller's (ew_release). */
static ew_status edgewise_detach(void **slot, size_t bytes, void **old)
{
    void *room = NULL;
    const ew_status status = ew_new(&room, bytes ? bytes : 1, 1);
    if (status) {
        return status;
    }
    memcpy(room, *slot, bytes);
    *old = *slot;
    *slot = room;
    return EW_OK;
}

/* Progress, passed on at most every `interval` seconds: Python's own cost stays out of short
 * solves. */
typedef struct edgewise_watch {
    void *user;
    double interval, last;
} edgewise_watch;

static bool edgewise_python_progress(void *user, const char *stage, double done);

static bool edgewise_watch_call(void *user, const char *stage, double done)
{
    edgewise_watch *watch = (edgewise_watch *)user;
    const double now = ew_seconds();
    if (now - watch->last < watch->interval) {
        return true;
    }
    watch->last = now;
    return edgewise_python_progress(watch->user, stage, done);
}

static ew_progress edgewise_progress_of(edgewise_watch *watch)
{
    watch->last = ew_seconds();
    const ew_progress progress = {watch, edgewise_watch_call};
    return progress;
}

/* Gathers rows of `width` bytes: to[k] = from[row[k]]. */
static void edgewise_gather(const char *from, const int32_t *row, int32_t n, size_t width, char *to)
{
    for (int32_t k = 0; k < n; k++) {
        memcpy(to + width * (size_t)k, from + width * (size_t)row[k], width);
    }
}

#endif
