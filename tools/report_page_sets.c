/* Sets on a report page: a table for each, with what it caught and bore in every step. */
#include "report_page.h"

#include <math.h>
#include <string.h>

static bool has_sums(const ew_view_step *step)
{
    return strcmp(step->kind, "envelope") != 0 && strcmp(step->kind, "failed") != 0;
}

static const double *number_of(const ew_view_set *set, const ew_set_number *number)
{
    return ew_view_find(set->n_number, set->number, number->name, number->n);
}

/* The set k of a step, null where it has no such set or none of it is known. */
static const ew_view_set *set_of(const ew_view_step *step, int32_t k)
{
    return k < step->n_set && has_sums(step) && step->set[k].n_number ? &step->set[k] : NULL;
}

static bool has_column(const ew_result_view *view, int32_t k, const ew_set_number *number)
{
    bool any = false;
    for (int32_t s = 0; s < view->n_step && number->title; s++) {
        const ew_view_set *set = set_of(&view->step[s], k);
        any = any || (set && number_of(set, number));
    }
    return any;
}

static void add_heads(page *to, const ew_result_view *view, const ew_set_number *number)
{
    static const char axis[3][3] = {" x", " y", " z"};
    char unit[EW_UNIT_TEXT], title[64];
    report_unit_of(view, number->unit, unit);
    for (int c = 0; c < number->n; c++) {
        snprintf(title, sizeof title, "%s%s", number->title, number->n > 1 ? axis[c] : "");
        page_add_head(to, title, unit, false);
    }
}

static void add_cells(page *to, const ew_set_number *number, const ew_view_set *set, bool is_count)
{
    const double *value = number_of(set, number);
    for (int c = 0; c < number->n; c++) {
        page_add_cell(to, value ? value[c] : NAN, is_count ? "%.0f" : "%.5g");
    }
}

static void add_set(page *to, const ew_result_view *view, int32_t k, const ew_view_set *first)
{
    enum { MAX_COLUMN = 64 };
    const ew_set_number *number, *column[MAX_COLUMN];
    int n = 0;
    int32_t n_row = 0;
    page_add(to, "<h3>");
    page_add_text(to, first->name);
    page_add(to, " (");
    page_add_text(to, first->kind);
    page_add(to, ")</h3>\n");
    page_open_table(to);
    page_add(to, "<thead><tr>");
    page_add_head(to, "step", "", true);
    for (int32_t i = 0; (number = ew_set_number_at(i)) && n < MAX_COLUMN; i++) {
        if (has_column(view, k, number)) {
            add_heads(to, view, number);
            column[n++] = number;
        }
    }
    page_add(to, "</tr></thead>\n");
    for (int32_t s = 0; s < view->n_step && n_row < REPORT_MAX_ROWS; s++) {
        const ew_view_set *set = set_of(&view->step[s], k);
        if (set) {
            page_add(to, "<tr>");
            page_add_text_cell(to, view->step[s].name);
            for (int i = 0; i < n; i++) {
                add_cells(to, column[i], set, !strcmp(column[i]->name, "members"));
            }
            page_add(to, "</tr>\n");
            n_row++;
        }
    }
    page_close_table(to);
}

/* The first step that knows something of set k. */
static const ew_view_set *find_first(const ew_result_view *view, int32_t k)
{
    const ew_view_set *set = NULL;
    for (int32_t s = 0; s < view->n_step && !set; s++) {
        set = set_of(&view->step[s], k);
    }
    return set;
}

void report_add_sets(page *to, const ew_result_view *view)
{
    int32_t n = 0;
    bool any = false;
    for (int32_t s = 0; s < view->n_step; s++) {
        n = view->step[s].n_set > n ? view->step[s].n_set : n;
    }
    for (int32_t k = 0; k < n; k++) {
        const ew_view_set *first = find_first(view, k);
        if (first && k < REPORT_MAX_SETS) {
            page_add(to, any ? "" : "<h2>Sets</h2>\n");
            any = true;
            add_set(to, view, k, first);
        }
    }
    page_add(to,
             n > REPORT_MAX_SETS ? "<p>More sets stand in the table beside the result.</p>\n" : "");
}
