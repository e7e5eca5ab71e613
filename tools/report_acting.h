/* Supports and loads at a record of a result, as symbols show them. */
#ifndef EW_TOOL_REPORT_ACTING_H
#define EW_TOOL_REPORT_ACTING_H

#include "look.h"
#include "report_page.h"

enum { REPORT_MAX_PLACES = 9 };

typedef struct report_act {
    char set[128];
    bool has_set;     /* else it acts on the whole body */
    const char *type; /* of a load; null: a support */
    bool fixed[3];    /* directions of a support */
    bool is_pressure;
    double value[3]; /* of a load; the pressure in the first */
    int32_t n_place;
    int32_t place[REPORT_MAX_PLACES]; /* triangles of the boundary in the set, over its extent */
} report_act;

typedef struct report_acting {
    int32_t n, capacity;
    report_act *act; /* [n] owned */
} report_acting;
/* Of the step of the record; none where the case cannot be read without its mesh. */
void report_take_acting(const ew_result_view *view, const ew_view_step *record, report_acting *out);
/* Whether a support or a load of any step is on the set of a mask, less "set_". */
bool report_acts_on(const ew_case *input, const char *mask);
/* Fills in the places. */
void report_place_acting(const ew_view_frame *frame, const look *pieces, report_acting *acting);
/* The symbols of all, displaced by warp; *symbol: *n of them, the caller's (ew_release). */
ew_status report_draw_acting(const ew_view_frame *frame, const look *pieces,
                             const ew_mesh_measure *measure, const report_acting *acting,
                             double warp, int32_t *n, picture_symbol **symbol);
void report_free_acting(report_acting *own);

#endif
