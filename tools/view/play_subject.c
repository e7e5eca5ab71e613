/* A played body as a session shows it: a table of the functions of play.c and scene.c. */
#include "view.h"

#include <math.h>

static ew_status open_play(void *user, void **shown)
{
    view_play *play = NULL;
    EW_TRY(view_play_create(&play, user));
    *shown = play;
    return EW_OK;
}

static void free_play(void *shown)
{
    view_play_free(shown);
}

static ew_status do_command(void *shown, const cJSON *command, cJSON **reply)
{
    return view_play_do(shown, command, reply);
}

static double due_in(const void *shown)
{
    return view_play_due(shown);
}

static ew_status advance(void *shown, bool *panels)
{
    const ew_status status = view_play_advance(shown);
    *panels = status || !isfinite(view_play_due(shown));
    return status;
}

static bool rest(void *shown)
{
    return view_play_rest(shown);
}

static bool has_ended(const void *shown)
{
    return view_play_has_ended(shown);
}

static ew_status take_picture(void *shown, int64_t number, double done, view_bytes **whole,
                              view_bytes **change)
{
    return view_play_picture(shown, number, done, whole, change);
}

static ew_status take_state(void *shown, cJSON **state)
{
    return view_play_state(shown, state);
}

view_subject view_play_subject(view_source *source)
{
    static const view_kind kind = {
        .free = free_play,
        .command = do_command,
        .replaces = view_command_replaces,
        .due = due_in,
        .advance = advance,
        .idle = rest,
        .has_ended = has_ended,
        .picture = take_picture,
        .state = take_state,
    };
    return (view_subject){&kind, source, open_play};
}
