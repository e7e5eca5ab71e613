/* A result, or two, as the page shows them: frame by frame, of which one at a time is in memory. */
#ifndef EW_VIEW_RESULT_H
#define EW_VIEW_RESULT_H

#include "look.h"
#include "view.h"

/* Files to open; all borrowed. */
typedef struct view_result_def {
    const char *path;   /* a result, or a file beside it */
    const char *second; /* likewise; null: none */
    bool is_difference; /* the first less the second, else both side by side */
} view_result_def;
/* A session of it; the def is borrowed. Opening fails where a file is no result. (result.c) */
view_subject view_result_subject(view_result_def *def);
/* As view_command_replaces. */
bool view_result_replaces(const cJSON *command, const cJSON *waiting);

/* ---- private to tools/view/result*.c --------------------------------------------------------- */

/* A number that a field has, as the page lists it. */
typedef struct result_choice {
    char name[EW_VIEW_NAME], title[EW_VIEW_NAME + 16];
    int32_t component;
    bool at[3]; /* by look_place */
} result_choice;

typedef struct result_file {
    char *path; /* owned; null: none */
    ew_result_view view;
} result_file;

/* The displayed part of a file. */
typedef struct result_body {
    ew_view_frame frame;
    look_field field; /* borrowed from the frame */
    look_surface surface;
    look cap;
} result_body;

typedef enum result_how { RESULT_ALONE, RESULT_BESIDE, RESULT_DIFFERENCE, RESULT_N_HOW } result_how;

typedef struct view_result {
    result_file file[2];
    int32_t n_choice;
    result_choice *choice; /* [n_choice] owned, of the first file */
    char *fields;          /* owned: names that each frame is read with, but for that shown */
    result_how how;
    int32_t frame, surface; /* surface: counts those that pictures had */
    int32_t field, shown;   /* choices: what was asked for; what the frame has of it, or a preset */
    look_place place;
    bool has_section, is_exploded, is_playing, has_ended;
    double section[4];
    double speed, due; /* frames a second; of ew_seconds */
    int32_t n_body;
    result_body body[2];
    char message[640]; /* why the present frame shows no numbers; "" */
    bool has_case;
    ew_case input; /* owned: of the first file */
} view_result;

static inline int32_t result_n_frame(const view_result *result)
{
    return result->file[0].view.n_frame;
}
/* The step of the file whose frame is k. */
const ew_view_step *result_step_of(const ew_result_view *view, int32_t k);
/* Frame k of what is shown on body b, with these fields (null: all), owned by the caller. */
ew_status result_read_frame(const view_result *result, int32_t b, int32_t k, const char *fields,
                            ew_view_frame *frame);

/* result_fields.c: what there is to be shown. */
ew_status result_list_choices(view_result *result);
ew_status result_do_field(view_result *result, const cJSON *command);
/* The choice that was asked for, or in a frame without it a preset that the frame has. */
int32_t result_find_shown(const view_result *result, const ew_view_frame *frame);
/* The numbers that the frame has of the choice which is shown; null numbers: none. */
void result_choose(const view_result *result, const ew_view_frame *frame, look_field *field);

/* result_picture.c, result_panels.c */
ew_status result_picture(view_result *result, int64_t number, double done, view_bytes **whole,
                         view_bytes **change);
ew_status result_state(view_result *result, cJSON **state);

/* result_supports.c: reads the case of the file, where it can be read; `supports` and `loads` of
 * the step that is shown, into the state. */
void result_read_case(view_result *result);
void result_free_case(view_result *result);
void result_add_supports(const view_result *result, cJSON *all);

/* result_history.c, result_inspect.c: what a command answers; the caller's. */
ew_status result_do_history(view_result *result, const cJSON *command, cJSON *answer);
ew_status result_do_inspect(view_result *result, const cJSON *command, cJSON *answer);
ew_status result_do_quality(view_result *result, const cJSON *command, cJSON *answer);
ew_status result_do_range(view_result *result, const cJSON *command, cJSON *answer);

#endif
