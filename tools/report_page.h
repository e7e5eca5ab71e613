/* Parts of a report page. */
#ifndef EW_TOOL_REPORT_PAGE_H
#define EW_TOOL_REPORT_PAGE_H

#include "page.h"

/* How pictures show a body: directions to the eye and upward; displacements times warp, 0: chosen
 * for each picture. */
typedef struct report_eye {
    double from[3], up[3], warp;
} report_eye;
/* The figure of a step (its number) with a frame. (report_picture.c) */
ew_status report_add_picture(page *to, const report_eye *eye, const char *stress_unit,
                             const ew_view_step *step, int32_t number, const ew_view_frame *frame,
                             const skin *body);

/* Energies and probes of dynamic steps; nothing without any. (report_time.c) */
ew_status report_add_time(page *to, const char *path, const ew_result_view *view);
/* Volume and compliance over the rounds of element removals, of the table beside the result;
 * nothing without any. (report_rounds.c) */
ew_status report_add_rounds(page *to, const char *path, const ew_result_view *view);
/* The mesh of a step: its counts and volume, the quality of its tets. (report_mesh.c) */
void report_add_mesh(page *to, const ew_view_step *step, const ew_view_frame *frame,
                     const skin *body);
/* Warnings of all steps, each once. (report_page_warnings.c) */
ew_status report_add_warnings(page *to, const ew_result_view *view);
/* Units, extremes and meaning of the fields of the last frame; nothing without any.
 * (report_fields.c)
 */
ew_status report_add_fields(page *to, const char *path, const ew_result_view *view);
/* Paths as curves, walls, sections, mass and convergence as tables, of the tables beside the result;
 * nothing without any. unit: of stress; length: of length. (report_page_places.c) */
ew_status report_add_places(page *to, const char *path, const char *unit, const char *length);

#endif
