/* Frames on a report page: pictures, and a body that can be turned. */
#ifndef EW_TOOL_REPORT_FRAMES_H
#define EW_TOOL_REPORT_FRAMES_H

#include "report_acting.h"

/* Colors of a quantity are the same in all pictures. */
typedef enum report_quantity {
    REPORT_STRESS,
    REPORT_DISPLACEMENT,
    REPORT_LIFE,
    REPORT_NO_QUANTITY
} report_quantity;

/* A frame as it is shown. */
typedef struct report_frame {
    const ew_result_view *view;
    const ew_view_step *step;
    int32_t number; /* of the step */
    ew_view_frame frame;
    look_surface surface;
    look_field field; /* of null: gray */
    report_quantity quantity;
    look_extreme low, high;
    report_acting acting;
} report_frame;
/* Frame k with these fields; zeroed and freed ones are empty. (report_frames.c) */
ew_status report_read_frame(const char *path, const ew_result_view *view, int32_t number,
                            const char *fields, report_frame *out);
void report_free_frame(report_frame *own);
/* The place of an extreme and of its displacement, and its id, -1: none. */
int32_t report_place_extreme(const report_frame *of, const look_extreme *at, double place[3],
                             double moved[3]);

/* The figure of a frame; range of its colors; largest: displacement of all frames that have its
 * factor, 0: it has its own. (report_picture.c) */
ew_status report_add_picture(page *to, const report_eye *eye, const report_frame *of,
                             const double range[2], double largest);
double report_largest_displacement(const report_frame *of);

/* Surfaces and frames that the script of the page draws. (report_turn.c) */
typedef struct report_turn {
    page surfaces, frames; /* JSON, owned */
    int32_t n_surface, n_frame;
    size_t limit; /* bytes */
    int32_t n_point, n_tet;
    double *xyz;  /* owned: of the last surface */
    int32_t *tet; /* owned */
} report_turn;
/* Adds a frame where it does not lead above the limit. */
ew_status report_turn_add(report_turn *to, const report_frame *of);
size_t report_turn_size(const report_turn *of); /* bytes so far */
/* The figure of all; nothing where there is none. n_frame: of the result; range:
 * [REPORT_NO_QUANTITY] of each quantity. */
ew_status report_turn_finish(page *to, report_turn *from, int32_t n_frame, double (*range)[2]);
void report_turn_free(report_turn *own);

#endif
