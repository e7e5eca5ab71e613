/* Parts of a report page. */
#ifndef EW_TOOL_REPORT_PAGE_H
#define EW_TOOL_REPORT_PAGE_H

#include "page.h"

/* How pictures show a body: directions to the eye and upward; displacements times warp, 0: chosen
 * for each picture. */
typedef struct report_eye {
    double from[3], up[3], warp;
} report_eye;
/* The body to be turned, pictures, the mesh of the last frame; max_bytes: of surfaces and frames
 * that the page's script draws, 0: none. (report_frames.c) */
ew_status report_add_frames(page *to, const char *path, const ew_result_view *view,
                            const report_eye *eye, int32_t max_pictures, size_t max_bytes);

enum { REPORT_MAX_ROWS = 2000, REPORT_MAX_SETS = 200 };

/* Whether the record is one of an analysis. (report_page_steps.c) */
bool report_is_solved(const ew_view_step *step);
/* A number of a record, a vector by its length; NaN where it says nothing of this one. */
double report_number_of(const ew_view_step *step, const ew_step_number *number);
/* It in a cell. */
void report_add_number(page *to, const ew_step_number *number, double value);
/* A unit of the tables in the names of the result. */
void report_unit_of(const ew_result_view *view, const char *unit, char text[EW_UNIT_TEXT]);
void report_add_steps(page *to, const ew_result_view *view);
/* Of each set what it caught and bore in every step. (report_page_sets.c) */
void report_add_sets(page *to, const ew_result_view *view);
/* The combinations of a sweep, the evaluations of a search; nothing without any.
 * (report_page_sweep.c) */
ew_status report_add_sweep(page *to, const ew_result_view *view);
/* The name of a record's step without the number of its combination. */
void report_name_step(const ew_view_step *step, char *name, size_t size);
/* Whether records are those of combinations. (report_sweep.c) */
bool report_is_sweep(const ew_result_view *view);
/* Whether a record is one of the step of the case with this name: in a sweep, or a mode, too.
 * (report_acting.c) */
bool report_is_of_step(const ew_view_step *record, const char *step);
/* The case of the result, with the parameters of a record (null: its own, with its sweep);
 * ew_case_free. A case that names groups of its mesh is not read without that. (report_acting.c) */
ew_status report_read_case(const ew_result_view *view, const ew_view_step *step, ew_case *input);

/* Energies and probes of dynamic steps; nothing without any. (report_time.c) */
ew_status report_add_time(page *to, const char *path, const ew_result_view *view);
/* Curves of harmonic steps over frequency; nothing without any. (report_harmonic.c) */
ew_status report_add_harmonic(page *to, const ew_result_view *view);
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
/* Paths as curves, walls, sections, mass and convergence as tables, of the tables beside the
 * result; nothing without any. (report_page_places.c) */
ew_status report_add_places(page *to, const char *path, const ew_result_view *view);

#endif
