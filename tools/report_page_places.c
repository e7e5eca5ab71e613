/* Places on a report page: paths as curves, probes and sections over time or frequency, these,
 * walls, mass and convergence as tables. In: the tables beside the result, which are there where
 * its case wanted places. Out: the part of the page. */
#include "report_page.h"
#include "report_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 400, MAX_CURVES = 7, MAX_CHARTS = 40 };

/* A change from row to row is a share. */
static bool is_share(const report_table *table, int32_t column)
{
    return !strcmp(report_table_cell(table, -1, column), "change");
}

static void add_row(page *to, const report_table *table, int32_t row)
{
    const bool is_head = row < 0;
    page_add(to, is_head ? "<thead><tr>" : "<tr>");
    for (int32_t k = 0; k < table->n_column; k++) {
        const char *cell = report_table_cell(table, row, k);
        char *end;
        const double value = strtod(cell, &end);
        const bool is_number = end > cell && !*end;
        page_add(to, is_head ? "<th>" : is_number ? "<td>" : "<td class='t'>");
        if (is_number && is_share(table, k)) {
            page_add(to, "%.3g %%", 100.0 * value);
        } else if (is_number) {
            page_add(to, "%.6g", value);
        } else {
            page_add_text(to, cell);
        }
        page_add(to, is_head ? "</th>" : "</td>");
    }
    page_add(to, is_head ? "</tr></thead>\n" : "</tr>\n");
}

/* The rows that are marked, null: all. */
static void add_rows(page *to, const report_table *table, const bool *is_shown, const char *title,
                     const char *units)
{
    int32_t n = 0;
    for (int32_t row = 0; row < table->n_row; row++) {
        n += !is_shown || is_shown[row];
    }
    if (!n) {
        return;
    }
    page_add(to, "<h2>%s</h2>\n", title);
    page_open_table(to);
    add_row(to, table, -1);
    for (int32_t row = 0, k = 0; row < table->n_row && k < MAX_ROWS; row++) {
        if (!is_shown || is_shown[row]) {
            add_row(to, table, row);
            k++;
        }
    }
    page_close_table(to);
    page_add(to, n > MAX_ROWS ? "<p>More rows stand in the table beside the result.</p>\n" : "");
    page_add(to, *units ? "<p>Units: " : "");
    page_add_text(to, units);
    page_add(to, *units ? ".</p>\n" : "");
}

static ew_status add_table(page *to, const char *result, const char *ending, const char *title,
                           const char *units)
{
    report_table table;
    EW_TRY(report_table_read(result, ending, &table));
    add_rows(to, &table, NULL, title, units);
    report_table_free(&table);
    return EW_OK;
}

/* ---- curves over rows ---------------------------------------------------------------------------
 */

/* Curves of neighboring columns over one of `axis` or its rows in that order. */
typedef struct row_curves {
    const report_table *table;
    const char *title, *unit, *axis, *axis_unit;
    int32_t over, first, n_curve; /* columns */
    const char *const *name;      /* [n_curve] */
} row_curves;

typedef struct place_in_order {
    double at;
    int32_t row;
} place_in_order;

static int compare(const void *a, const void *b)
{
    const place_in_order *x = a, *y = b;
    return x->at > y->at ? 1 : x->at < y->at ? -1 : (x->row > y->row) - (x->row < y->row);
}

static ew_status draw(page *to, const row_curves *of, int32_t n, const int32_t *row)
{
    place_in_order *order = NULL;
    double *value = NULL;
    page_curve curve[MAX_CURVES];
    EW_TRY(ew_new(&order, (size_t)n, sizeof *order));
    const ew_status status = ew_new(&value, (size_t)n * (size_t)(of->n_curve + 1), sizeof *value);
    for (int32_t i = 0; i < n && !status; i++) {
        order[i] = (place_in_order){report_table_number(of->table, row[i], of->over), row[i]};
    }
    if (!status) {
        qsort(order, (size_t)n, sizeof *order, compare);
        for (int32_t i = 0; i < n; i++) {
            value[i] = order[i].at;
            for (int32_t k = 0; k < of->n_curve; k++) {
                value[(size_t)(k + 1) * (size_t)n + (size_t)i] =
                    report_table_number(of->table, order[i].row, of->first + k);
            }
        }
        for (int32_t k = 0; k < of->n_curve; k++) {
            curve[k] = (page_curve){of->name[k], value + (size_t)(k + 1) * (size_t)n, 1};
        }
        page_add_lines(to, &(page_lines){.title = of->title,
                                         .unit = of->unit,
                                         .axis = of->axis,
                                         .time_unit = of->axis_unit,
                                         .n = n,
                                         .time = value,
                                         .n_curve = of->n_curve,
                                         .curve = curve});
    }
    ew_release(order);
    ew_release(value);
    return status;
}

/* ---- places -------------------------------------------------------------------------------------
 */

/* A table with a row for each record of a place, of a path for each of its points. */
typedef struct place_rows {
    page *to;
    const ew_result_view *view;
    report_table table;
    int32_t step, combination, name, record, time, frequency, point, mises; /* columns */
    bool *is_done;                                                          /* [n_row] owned */
    bool *is_shown; /* [n_row] owned: in the table of probes */
    int32_t *row;   /* [n_row] owned: those of a curve */
    int32_t n_chart;
} place_rows;

static ew_status open_places(place_rows *of, const char *result, const char *ending,
                             const char *name)
{
    report_table *table = &of->table;
    EW_TRY(report_table_read(result, ending, table));
    of->step = report_table_column(table, "step");
    of->combination = report_table_column(table, "combination");
    of->name = report_table_column(table, name);
    of->record = report_table_column(table, "record");
    of->time = report_table_column(table, "time");
    of->frequency = report_table_column(table, "frequency");
    of->point = report_table_column(table, "point");
    of->mises = report_table_column(table, "von_mises");
    if (of->step < 0 || of->name < 0 || of->record < 0) { /* of an older program */
        table->n_row = 0;
    }
    EW_TRY(ew_new_zero(&of->is_done, (size_t)table->n_row + 1, sizeof *of->is_done));
    EW_TRY(ew_new_zero(&of->is_shown, (size_t)table->n_row + 1, sizeof *of->is_shown));
    return ew_new(&of->row, (size_t)table->n_row + 1, sizeof *of->row);
}

static void close_places(place_rows *of)
{
    report_table_free(&of->table);
    ew_release(of->is_done);
    ew_release(of->is_shown);
    ew_release(of->row);
}

static bool has_same(const place_rows *of, int32_t column, int32_t a, int32_t b)
{
    return !strcmp(report_table_cell(&of->table, a, column),
                   report_table_cell(&of->table, b, column));
}

/* The next rows of the same place in the same step, which are taken from the rows. */
static int32_t take_place(place_rows *of, int32_t first)
{
    int32_t n = 0;
    for (int32_t row = first; row < of->table.n_row; row++) {
        if (!of->is_done[row] && has_same(of, of->name, first, row) &&
            has_same(of, of->step, first, row) && has_same(of, of->combination, first, row)) {
            of->is_done[row] = true;
            of->row[n++] = row;
        }
    }
    return n;
}

/* "across, swing at 0.3" */
static void write_title(const place_rows *of, const char *what, int32_t row, bool is_one,
                        char title[240])
{
    const double time = report_table_number(&of->table, row, of->time);
    const double at = isnan(time) ? report_table_number(&of->table, row, of->frequency) : time;
    int n =
        snprintf(title, 240, "%s%.80s, %.80s", what, report_table_cell(&of->table, row, of->name),
                 report_table_cell(&of->table, row, of->step));
    if (of->combination >= 0) {
        n += snprintf(title + n, 240 - (size_t)n, " %.10s",
                      report_table_cell(&of->table, row, of->combination));
    }
    if (is_one && !isnan(at)) {
        snprintf(title + n, 240 - (size_t)n, " at %.6g", at);
    }
}

/* Of the n rows of a path those of the record with the largest stress, in place; how many. */
static int32_t keep_largest(place_rows *of, int32_t n)
{
    int32_t best = 0, start = 0, count = 0;
    double largest = -1.0;
    for (int32_t i = 0; i < n; i++) {
        const double stress = report_table_number(&of->table, of->row[i], of->mises);
        start = has_same(of, of->record, of->row[start], of->row[i]) ? start : i;
        if (stress > largest) {
            largest = stress;
            best = start;
        }
    }
    for (int32_t i = best; i < n && largest >= 0.0; i++) {
        if (has_same(of, of->record, of->row[best], of->row[i])) {
            of->row[count++] = of->row[i];
        }
    }
    return count;
}

static ew_status add_curves(place_rows *of, int32_t n, const char *what, const char *const *name,
                            int32_t n_curve, const char *first, const char *unit, bool is_path)
{
    const ew_result_view *view = of->view;
    char title[240], shown[EW_UNIT_TEXT];
    const bool in_time = !isnan(report_table_number(&of->table, of->row[0], of->time));
    row_curves curves = {.table = &of->table,
                         .title = title,
                         .unit = shown,
                         .first = report_table_column(&of->table, first),
                         .n_curve = n_curve,
                         .name = name};
    curves.over = is_path   ? report_table_column(&of->table, "distance")
                  : in_time ? of->time
                            : of->frequency;
    curves.axis = is_path ? "distance" : in_time ? "time" : "frequency";
    curves.axis_unit = is_path                         ? view->length_unit
                       : in_time                       ? view->time_unit
                       : !strcmp(view->time_unit, "s") ? "Hz"
                                                       : "";
    if (curves.first < 0 || curves.over < 0 || n < 2 || of->n_chart == MAX_CHARTS) {
        return EW_OK;
    }
    report_unit_of(view, unit, shown);
    write_title(of, what, of->row[0], is_path, title);
    of->n_chart++;
    return draw(of->to, &curves, n, of->row);
}

/* Records over time or frequency, and no shapes, whose amplitude is any. */
static bool is_series(const place_rows *of, int32_t n)
{
    const int32_t row = of->row[0];
    const bool in_time = !isnan(report_table_number(&of->table, row, of->time));
    const bool has_stress =
        of->mises < 0 || !isnan(report_table_number(&of->table, row, of->mises));
    return n > 1 && has_stress &&
           (in_time || !isnan(report_table_number(&of->table, row, of->frequency)));
}

static bool is_probe(const place_rows *of, int32_t n)
{
    bool any = false;
    for (int32_t i = 0; i < n; i++) {
        any = any || strcmp(report_table_cell(&of->table, of->row[i], of->point), "0");
    }
    return !any;
}

static const char stress_unit[] = "force/length^2";

/* A path of the record with the largest stress on it. */
static ew_status add_path(place_rows *of, int32_t n)
{
    static const char *const names[] = {"xx", "yy", "zz", "xy", "yz", "xz", "von Mises"};
    const int32_t moved = report_table_column(&of->table, "displacement_x");
    bool any = false;
    for (int32_t i = 0; i < n && !any; i++) { /* an envelope has stress alone, a shape none */
        any = !isnan(report_table_number(&of->table, of->row[i], moved)) ||
              !isnan(report_table_number(&of->table, of->row[i], of->mises));
    }
    if (!any) {
        char title[240];
        write_title(of, "", of->row[0], false, title);
        page_add(of->to, "<p>");
        page_add_text(of->to, title);
        page_add(of->to, ": no point of this path lies in the body.</p>\n");
        return EW_OK;
    }
    return add_curves(of, keep_largest(of, n), "", names, 7, "stress_xx", stress_unit, true);
}

static ew_status add_probe(place_rows *of, int32_t n)
{
    static const char *const names[] = {"x", "y", "z"}, *const mises = "";
    for (int32_t i = 0; i < n; i++) {
        of->is_shown[of->row[i]] = true;
    }
    if (!is_series(of, n)) {
        return EW_OK;
    }
    EW_TRY(add_curves(of, n, "displacement of ", names, 3, "displacement_x", "length", false));
    return add_curves(of, n, "von Mises stress at ", &mises, 1, "von_mises", stress_unit, false);
}

static ew_status add_paths(page *to, const char *result, const ew_result_view *view,
                           const char *units)
{
    place_rows of = {.to = to, .view = view};
    ew_status status = open_places(&of, result, ".paths.csv", "path");
    page_add(to, !status && of.table.n_row ? "<h2>Along paths and at probes</h2>\n" : "");
    for (int32_t row = 0; row < of.table.n_row && !status; row++) {
        const int32_t n = of.is_done[row] ? 0 : take_place(&of, row);
        status = !n ? EW_OK : is_probe(&of, n) ? add_probe(&of, n) : add_path(&of, n);
    }
    if (!status) {
        add_rows(to, &of.table, of.is_shown, "Values at probes", units);
    }
    close_places(&of);
    return status;
}

static ew_status add_sections(page *to, const char *result, const ew_result_view *view,
                              const char *units)
{
    static const char *const forces[] = {"normal", "shear"}, *const moments[] = {"torsion",
                                                                                 "bending"};
    place_rows of = {.to = to, .view = view};
    ew_status status = open_places(&of, result, ".sections.csv", "section");
    if (!status) {
        add_rows(to, &of.table, NULL, "Force and moment through sections", units);
    }
    for (int32_t row = 0; row < of.table.n_row && !status; row++) {
        const int32_t n = of.is_done[row] ? 0 : take_place(&of, row);
        if (n && is_series(&of, n)) {
            status =
                add_curves(&of, n, "force through ", forces, 2, "normal_force", "force", false);
            status = status ? status
                            : add_curves(&of, n, "moment through ", moments, 2, "torsion",
                                         "force*length", false);
        }
    }
    close_places(&of);
    return status;
}

/* ---- convergence ----------------------------------------------------------------------------- */

/* The value and the extrapolated one over the size. */
static ew_status add_rounds(page *to, const char *result, const char *length)
{
    static const char *const names[2] = {"value", "extrapolated"};
    report_table table;
    EW_TRY(report_table_read(result, ".convergence.csv", &table));
    const int32_t column[4] = {report_table_column(&table, "round"),
                               report_table_column(&table, "size"),
                               report_table_column(&table, "value"),
                               report_table_column(&table, "extrapolated")};
    const bool is_known = column[0] > 0 && column[1] > 0 && column[2] > 0 && column[3] > 0;
    ew_status status = EW_OK;
    for (int32_t row = 0, n; row < table.n_row && is_known && !status; row += n) {
        double *value = NULL;
        for (n = 1; row + n < table.n_row &&
                    strcmp(report_table_cell(&table, row + n, column[0]), "0") != 0;
             n++) {
        }
        status = ew_new(&value, 3 * (size_t)n, sizeof *value);
        for (int32_t i = 0; i < n && !status; i++) { /* from small to large */
            for (int k = 0; k < 3; k++) {
                value[(size_t)k * (size_t)n + (size_t)i] =
                    report_table_number(&table, row + n - 1 - i, column[k + 1]);
            }
        }
        const page_curve curve[2] = {{names[0], value + n, 1}, {names[1], value + 2 * n, 1}};
        if (!status && n > 1) {
            page_add_lines(to, &(page_lines){.title = report_table_cell(&table, row, 0),
                                             .unit = "",
                                             .axis = "size of tets",
                                             .time_unit = length,
                                             .n = n,
                                             .time = value,
                                             .n_curve = 2,
                                             .curve = curve,
                                             .has_marks = true});
        }
        ew_release(value);
    }
    report_table_free(&table);
    return status;
}

/* "length mm, force N"; "" where the case names none. */
static void write_units(const ew_result_view *view, char units[EW_UNIT_TEXT])
{
    const char *const name[] = {view->length_unit, view->force_unit, view->time_unit};
    static const char *const of[] = {"length", "force", "time"};
    size_t n = 0;
    units[0] = 0;
    for (int k = 0; k < 3 && n < EW_UNIT_TEXT; k++) {
        if (*name[k]) {
            n += (size_t)snprintf(units + n, EW_UNIT_TEXT - n, "%s%s %.30s", n ? ", " : "", of[k],
                                  name[k]);
        }
    }
}

ew_status report_add_places(page *to, const char *path, const ew_result_view *view)
{
    char units[EW_UNIT_TEXT];
    write_units(view, units);
    EW_TRY(add_paths(to, path, view, units));
    EW_TRY(add_table(to, path, ".linearized.csv", "Stress through walls", units));
    EW_TRY(add_sections(to, path, view, units));
    EW_TRY(add_table(to, path, ".mass.csv", "Mass, center of mass, inertia about it", units));
    EW_TRY(add_table(to, path, ".convergence.csv", "Convergence", units));
    return add_rounds(to, path, view->length_unit);
}
