/* Warnings on a report page. In: those of the steps of a result. Out: a line for each kind and each
 * edit or load that they are about, with the number of steps that have it and the text of the last.
 */
#include "report_page.h"

#include <string.h>

/* Lines of the view's texts. */
typedef struct page_warning {
    const char *kind, *text; /* kind: with the line of the case that it is about */
    size_t kind_size, text_size;
    int32_t n_step, last; /* steps that have it; the last of them */
} page_warning;

typedef struct page_warnings {
    int32_t n, capacity;
    page_warning *list; /* owned */
} page_warnings;

/* What older results and failed combinations say has no kind, and is by itself. */
static page_warning *find(const page_warnings *known, const char *kind, size_t size)
{
    for (int32_t i = 0; i < known->n && size; i++) {
        page_warning *at = &known->list[i];
        if (at->kind_size == size && !memcmp(at->kind, kind, size)) {
            return at;
        }
    }
    return NULL;
}

static ew_status collect(const ew_view_step *step, int32_t number, page_warnings *known)
{
    const char *text = step->warnings, *kind = step->warning_kinds;
    while (*text) {
        const size_t n = strcspn(text, "\n"), m = strcspn(kind, "\n");
        page_warning *at = find(known, kind, m);
        if (!at) {
            EW_TRY(ew_grow(&known->list, &known->capacity, (int64_t)known->n + 1,
                           sizeof *known->list));
            at = &known->list[known->n++];
            *at = (page_warning){.kind = kind, .kind_size = m, .last = -1};
        }
        at->n_step += at->last != number;
        at->last = number;
        at->text = text;
        at->text_size = n;
        text += n + (text[n] != 0);
        kind += m + (kind[m] != 0);
    }
    return EW_OK;
}

ew_status report_add_warnings(page *to, const ew_result_view *view)
{
    page_warnings known = {0};
    ew_status status = EW_OK;
    for (int32_t k = 0; k < view->n_step && !status; k++) {
        if (strcmp(view->step[k].kind, "failed") != 0) { /* these stand with their combinations */
            status = collect(&view->step[k], k, &known);
        }
    }
    for (int32_t i = 0; i < known.n && !status; i++) {
        const page_warning *at = &known.list[i];
        if (at->n_step > 1) {
            page_add(to, "<p class='bad'>in %d steps, last in step %d: ", (int)at->n_step,
                     (int)at->last);
        } else {
            page_add(to, "<p class='bad'>step %d: ", (int)at->last);
        }
        page_add_line(to, at->text, at->text_size);
        page_add(to, "</p>\n");
    }
    ew_release(known.list);
    return status;
}
