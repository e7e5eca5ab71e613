/* Steps on a report page: a row of numbers for each record of the result. */
#include "report_page.h"

#include <math.h>
#include <string.h>

bool report_is_solved(const ew_view_step *step)
{
    return strcmp(step->kind, "edit") != 0 && strcmp(step->kind, "failed") != 0 &&
           strcmp(step->kind, "fatigue") != 0;
}

double report_number_of(const ew_view_step *step, const ew_step_number *number)
{
    const double *from = ew_view_find(step->n_number, step->number, number->name, number->n);
    /* An envelope and a response have extremes of the body, and no equilibrium; a shape has any
     * amplitude, and an estimated error alone. */
    const bool is_extreme = !strcmp(step->kind, "envelope") || !strcmp(step->kind, "harmonic") ||
                            !strcmp(step->kind, "spectrum") || !strcmp(step->kind, "random");
    const bool is_shape = !strcmp(step->kind, "modes") || !strcmp(step->kind, "buckling");
    const bool has_none = (is_extreme && strncmp(number->name, "max_", 4) != 0) ||
                          (is_shape && strcmp(number->name, "error_share") != 0);
    if (!from || (number->of_analysis && (has_none || !report_is_solved(step)))) {
        return NAN;
    }
    return number->n == 1 ? *from : hypot(hypot(from[0], from[1]), from[2]);
}

void report_add_number(page *to, const ew_step_number *number, double value)
{
    if (number->kind == EW_SHARE_NUMBER) {
        page_add_cell(to, 100 * value, "%.3g %%");
    } else {
        page_add_cell(to, value,
                      number->kind == EW_COUNT_NUMBER     ? "%.0f"
                      : number->kind == EW_SECONDS_NUMBER ? "%.3g"
                                                          : "%.5g");
    }
}

void report_unit_of(const ew_result_view *view, const char *unit, char text[EW_UNIT_TEXT])
{
    ew_unit_text(unit, view->length_unit, view->force_unit, view->time_unit, text);
}

/* A column that says something of some step. */
static bool has_column(const ew_result_view *view, const ew_step_number *number)
{
    bool any = false;
    for (int32_t s = 0; s < view->n_step && number->title; s++) {
        const double value = report_number_of(&view->step[s], number);
        any = any || (isfinite(value) && value != 0.0);
    }
    return any;
}

static void add_row(page *to, const ew_view_step *step, int32_t k, int n,
                    const ew_step_number *const *column)
{
    page_add(to, "<tr><td>%d</td>", (int)k);
    page_add_text_cell(to, step->name);
    if (!strcmp(step->kind, "failed")) {
        page_add(to, "<td class='failed' colspan='%d'>", n > 0 ? n : 1);
        page_add_text(to, step->warnings);
        page_add(to, "</td></tr>\n");
        return;
    }
    for (int i = 0; i < n; i++) {
        report_add_number(to, column[i], report_number_of(step, column[i]));
    }
    page_add(to, "</tr>\n");
}

void report_add_steps(page *to, const ew_result_view *view)
{
    enum { MAX_COLUMN = 64 };
    const ew_step_number *number, *column[MAX_COLUMN];
    int n = 0;
    page_add(to, "<h2>Steps</h2>\n");
    page_open_table(to);
    page_add(to, "<thead><tr>");
    page_add_head(to, "step", "", true);
    page_add_head(to, "name", "", true);
    for (int32_t k = 0; (number = ew_step_number_at(k)) && n < MAX_COLUMN; k++) {
        if (has_column(view, number)) {
            char unit[EW_UNIT_TEXT];
            report_unit_of(view, number->unit, unit);
            page_add_head(to, number->title, unit, false);
            column[n++] = number;
        }
    }
    page_add(to, "</tr></thead>\n");
    for (int32_t s = 0; s < view->n_step && s < REPORT_MAX_ROWS; s++) {
        add_row(to, &view->step[s], s, n, column);
    }
    page_close_table(to);
    page_add(to, view->n_step > REPORT_MAX_ROWS ? "<p>More rows stand in the table beside the "
                                                  "result.</p>\n"
                                                : "");
    page_add(
        to,
        "<p>The max von Mises stress is the one to report: the largest of that of a "
        "tet, constant in it (quadratic tets: at the centroid), that averaged at a vertex over "
        "the tets of one material, and that recovered at the largest tet. Where 'grows by "
        "power' has a number it has no limit (a sharp inner edge, the border of a fixed face, a "
        "point force): on smaller tets it grows with their size to minus that power. The "
        "estimated error is that of the stresses as a share of the energy norm.</p>\n");
}
