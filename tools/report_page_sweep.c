/* A sweep or a search on a report page, its parameters as axes: numbers of steps and sets as curves
 * over one parameter, as maps over two, over more as axes beside each other and one at a time; the
 * path of a search; a row for each combination, with the reasons of those that failed. */
#include "report_sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FIGURE_PLACES = 60000 };

/* ---- figures --------------------------------------------------------------------------------- */

typedef struct sortable {
    double value;
    int32_t at;
} sortable;

static int compare(const void *left, const void *right)
{
    const sortable *a = left, *b = right;
    return a->value != b->value ? (a->value > b->value) - (a->value < b->value)
                                : (a->at > b->at) - (a->at < b->at);
}

/* Combinations by a parameter, ascending. */
static ew_status sort_by(sweep *of, int32_t axis)
{
    sortable *list;
    EW_TRY(ew_new(&list, (size_t)of->n, sizeof *list));
    for (int32_t c = 0; c < of->n; c++) {
        list[c] = (sortable){of->place[(size_t)c * (size_t)of->n_axis + (size_t)axis], c};
    }
    qsort(list, (size_t)of->n, sizeof *list, compare);
    for (int32_t c = 0; c < of->n; c++) {
        of->order[c] = list[c].at;
    }
    ew_release(list);
    return EW_OK;
}

/* Curves of all series over one parameter, or circles. */
static ew_status add_curves(page *to, sweep *of, const sweep_number *number, int32_t axis,
                            int32_t first, int32_t n_series, bool has_no_line)
{
    const size_t n = (size_t)of->n;
    const char **failure = NULL;
    double *place = NULL, *value = NULL;
    page_curve curve[SWEEP_MAX_SERIES];
    int32_t n_curve = 0, best = 0;
    EW_TRY(sort_by(of, axis));
    ew_status status = ew_new(&place, n, sizeof *place);
    status = status ? status : ew_new(&value, n * SWEEP_MAX_SERIES, sizeof *value);
    status = status ? status : ew_new(&failure, n, sizeof *failure);
    for (int32_t k = first; k < first + n_series && !status; k++) {
        double *to_value = value + n * (size_t)n_curve;
        sweep_take_values(of, number, k, of->value);
        bool any = false;
        for (size_t c = 0; c < n; c++) {
            to_value[c] = of->value[of->order[c]];
            any = any || isfinite(to_value[c]);
        }
        if (any) {
            curve[n_curve++] = (page_curve){of->n_series > 1 ? of->series[k] : "", to_value, 1};
        }
    }
    for (size_t c = 0; c < n && !status; c++) {
        place[c] = of->place[(size_t)of->order[c] * (size_t)of->n_axis + (size_t)axis];
        failure[c] = of->failure[of->order[c]];
        best = of->order[c] + 1 == of->best ? (int32_t)c + 1 : best;
    }
    if (!status && n_curve) {
        page_add_lines(to, &(page_lines){.title = number->title,
                                         .unit = number->unit,
                                         .axis = of->axis[axis],
                                         .time_unit = "",
                                         .n = of->n,
                                         .time = place,
                                         .n_curve = n_curve,
                                         .curve = curve,
                                         .has_marks = true,
                                         .has_no_line = has_no_line,
                                         .failure = failure,
                                         .best = best});
    }
    ew_release(place);
    ew_release(value);
    ew_release(failure);
    return status;
}

static ew_status add_map(page *to, sweep *of, const char *title, const sweep_number *number)
{
    for (int32_t c = 0; c < of->n; c++) {
        of->row[c] = of->place[2 * (size_t)c];
        of->row[of->n + c] = of->place[2 * (size_t)c + 1];
    }
    return page_add_map(to, &(page_map){.title = title,
                                        .unit = number->unit,
                                        .x_name = of->axis[0],
                                        .y_name = of->axis[1],
                                        .n = of->n,
                                        .x = of->row,
                                        .y = of->row + of->n,
                                        .value = of->value,
                                        .failure = of->failure,
                                        .has_way = of->is_search,
                                        .best = of->best});
}

static void open_figure(page *to, const char *name)
{
    page_add(to, "<figure data-name=\"");
    page_add_text(to, name);
    page_add(to, "\">");
}

/* Of one series, over two parameters or more. */
static ew_status add_series(page *to, sweep *of, const sweep_number *number, int32_t k)
{
    char title[2 * SWEEP_NAME + 3];
    snprintf(title, sizeof title, "%s%s%s", number->title, of->n_series > 1 ? ", " : "",
             of->n_series > 1 ? of->series[k] : "");
    if (!sweep_differs(of, number, k)) { /* which fills of->value, too */
        return EW_OK;
    }
    open_figure(to, title);
    ew_status status = EW_OK;
    if (of->n_axis == 2) {
        status = add_map(to, of, title, number);
    } else {
        page_add_axes(to, &(page_axes){.title = title,
                                       .unit = number->unit,
                                       .n_axis = of->n_axis,
                                       .n = of->n,
                                       .name = of->axis,
                                       .place = of->place,
                                       .value = of->value,
                                       .failure = of->failure,
                                       .best = of->best});
        for (int32_t a = 0; a < of->n_axis && !status; a++) {
            status = add_curves(to, of, number, a, k, 1, true);
        }
    }
    page_add(to, "</figure>\n");
    return status;
}

static ew_status add_figures(page *to, sweep *of)
{
    const int64_t cost = (int64_t)of->n * (of->n_axis > 2 ? of->n_axis + 1 : 1);
    int64_t spent = 0;
    bool all = true;
    page_add(to, "<div data-choose='number'>\n");
    for (int32_t i = 0; i < of->n_number; i++) {
        const sweep_number *number = &of->number[i];
        all = all && (!i || spent + of->n_series * cost <= MAX_FIGURE_PLACES);
        if (!all) {
            break;
        }
        spent += of->n_series * cost;
        if (of->n_axis == 1) {
            open_figure(to, number->title);
            EW_TRY(add_curves(to, of, number, 0, 0, of->n_series, false));
            page_add(to, "</figure>\n");
        }
        for (int32_t k = 0; k < of->n_series && of->n_axis > 1; k++) {
            EW_TRY(add_series(to, of, number, k));
        }
    }
    page_add(to, "</div>\n%s", all ? "" : "<p>Other numbers stand in the table below.</p>\n");
    return EW_OK;
}

/* ---- the path of a search ---------------------------------------------------------------------
 */

static void add_evaluations(page *to, const sweep *of, const char *title, const double *value)
{
    const page_curve curve = {"", value, 1};
    double *time = of->row + of->n;
    for (int32_t c = 0; c < of->n; c++) {
        time[c] = c + 1;
    }
    page_add_lines(to, &(page_lines){.title = title,
                                     .unit = "",
                                     .axis = "evaluation",
                                     .time_unit = "",
                                     .n = of->n,
                                     .time = time,
                                     .n_curve = 1,
                                     .curve = &curve,
                                     .has_marks = true,
                                     .failure = of->failure,
                                     .best = of->best});
}

static void add_path(page *to, const sweep *of)
{
    static const struct {
        const char *name, *title;
    } of_search[] = {{"objective", "what the search is after"},
                     {"violation", "beyond its limits, share"}};
    page_add(to, "<h3>Path of the search</h3>\n");
    for (int i = 0; i < 2; i++) {
        for (int32_t c = 0; c < of->n; c++) {
            of->value[c] = NAN;
        }
        for (int32_t s = 0; s < of->view->n_step; s++) {
            const int32_t c = sweep_combination(of->view, &of->view->step[s]);
            const double value = sweep_value(&of->view->step[s], of_search[i].name);
            if (c >= 0 && isfinite(value)) {
                of->value[c] = value;
            }
        }
        add_evaluations(to, of, of_search[i].title, of->value);
    }
    for (int32_t a = 0; a < of->n_axis; a++) {
        for (int32_t c = 0; c < of->n; c++) {
            of->value[c] = of->place[(size_t)c * (size_t)of->n_axis + (size_t)a];
        }
        add_evaluations(to, of, of->axis[a], of->value);
    }
    page_add(to, of->best ? "<p>A ring marks the best evaluation, number %d.</p>\n" : "",
             (int)of->best);
}

/* ---- the table ------------------------------------------------------------------------------- */

static void add_heads(page *to, const sweep *of)
{
    page_add(to, "<thead><tr>");
    page_add_head(to, "#", "", false);
    for (int32_t a = 0; a < of->n_axis; a++) {
        page_add_head(to, of->axis[a], "", false);
    }
    if (of->n_series > 1) {
        page_add_head(to, "step", "", true);
    }
    for (int32_t i = 0; i < of->n_number; i++) {
        page_add_head(to, of->number[i].title, of->number[i].unit, false);
    }
    page_add_head(to, "failure", "", true);
    page_add(to, "</tr></thead>\n");
}

static void add_row(page *to, const sweep *of, int32_t c, int32_t k)
{
    const int32_t s = of->record[(size_t)k * (size_t)of->n + (size_t)c];
    const char *failure = of->failure[c];
    if (s < 0 && !(failure && k == 0)) {
        return;
    }
    page_add(to, "<tr%s><td>%d</td>", c + 1 == of->best ? " class='best'" : "", (int)c + 1);
    for (int32_t a = 0; a < of->n_axis; a++) {
        page_add_cell(to, of->place[(size_t)c * (size_t)of->n_axis + (size_t)a], "%.6g");
    }
    if (of->n_series > 1) {
        page_add_text_cell(to, s < 0 ? "" : of->series[k]);
    }
    for (int32_t i = 0; i < of->n_number; i++) {
        const sweep_number *number = &of->number[i];
        const double value = s < 0 ? NAN : sweep_number_of(number, &of->view->step[s]);
        if (number->of) {
            report_add_number(to, number->of, value);
        } else {
            page_add_cell(to, value, "%.5g");
        }
    }
    page_add(to, "<td class='failed'>");
    page_add_text(to, failure ? failure : "");
    page_add(to, "</td></tr>\n");
}

static void add_table(page *to, const sweep *of)
{
    int32_t n_row = 0;
    page_open_table(to);
    add_heads(to, of);
    for (int32_t c = 0; c < of->n && n_row < REPORT_MAX_ROWS; c++) {
        for (int32_t k = 0; k < (of->n_series ? of->n_series : 1); k++, n_row++) {
            add_row(to, of, c, k);
        }
    }
    page_close_table(to);
}

/* ---- the part of the page ---------------------------------------------------------------------
 */

static void add_summary(page *to, const sweep *of)
{
    int32_t n_failed = 0;
    for (int32_t c = 0; c < of->n; c++) {
        n_failed += of->failure[c] != NULL;
    }
    page_add(to, "<p>%d %s of ", (int)of->n, of->is_search ? "evaluations" : "combinations");
    for (int32_t a = 0; a < of->n_axis; a++) {
        page_add(to, a ? ", " : "");
        page_add_text(to, of->axis[a]);
    }
    page_add(to, n_failed ? ", %d of them failed: crosses, and the last column of the table" : "",
             (int)n_failed);
    page_add(to, ".</p>\n");
}

static ew_status add_sweep(page *to, sweep *of)
{
    page_add(to, of->is_search ? "<h2>Search</h2>\n" : "<h2>Parameters</h2>\n");
    add_summary(to, of);
    if (of->is_search) {
        add_path(to, of);
    }
    EW_TRY(of->n_axis ? add_figures(to, of) : EW_OK);
    add_table(to, of);
    return EW_OK;
}

ew_status report_add_sweep(page *to, const ew_result_view *view)
{
    sweep of;
    if (!report_is_sweep(view)) {
        return EW_OK;
    }
    EW_TRY(sweep_take(view, &of));
    const ew_status status = add_sweep(to, &of);
    sweep_free(&of);
    return status;
}
