/* The fields of the last frame on a report page: units, extremes and what they mean. */
#include "report_page.h"

#include <math.h>

/* Of the lengths of vectors, of the components of all else; false: there is no number. */
static bool find_range(const ew_view_field *field, bool is_vector, int32_t n, double range[2])
{
    const size_t width = (size_t)field->n_component;
    range[0] = HUGE_VAL;
    range[1] = -HUGE_VAL;
    for (size_t i = 0; i < (size_t)n; i++) {
        const double *at = field->data + width * i;
        for (size_t c = 0; c < (is_vector ? 1 : width); c++) {
            const double value = is_vector ? hypot(hypot(at[0], at[1]), at[2]) : at[c];
            range[0] = value < range[0] ? value : range[0];
            range[1] = value > range[1] ? value : range[1];
        }
    }
    return range[0] <= range[1];
}

/* Numbers of mesh and sets are no fields of the list. */
static bool add_field(page *to, const ew_result_view *view, const ew_view_frame *frame,
                      const ew_view_field *field, bool is_first)
{
    const ew_field_type *type = ew_field_type_of(field->name, field->place);
    const bool at_points = field->place == EW_ON_VERTICES;
    char unit[EW_UNIT_TEXT];
    double range[2];
    if (!type || !find_range(field, type->kind == EW_VECTOR_FIELD && field->n_component == 3,
                             at_points ? frame->n_point : frame->n_tet, range)) {
        return false;
    }
    if (is_first) {
        page_add(to, "<h2>Fields of the last frame</h2>\n");
        page_open_table(to);
        page_add(to, "<thead><tr><th>field</th><th class='t'>at</th><th>smallest</th><th>largest"
                     "</th><th class='t'>unit</th><th class='t'>meaning</th></tr></thead>\n");
    }
    ew_unit_text(type->unit, view->length_unit, view->force_unit, view->time_unit, unit);
    page_add(to, "<tr><td>%s</td><td class='t'>%s</td><td>%.5g</td><td>%.5g</td><td class='t'>",
             type->name, at_points ? "points" : "tets", range[0], range[1]);
    page_add_text(to, unit);
    page_add(to, "</td><td class='t'>");
    page_add_text(to, type->help);
    page_add(to, "</td></tr>\n");
    return true;
}

ew_status report_add_fields(page *to, const char *path, const ew_result_view *view)
{
    ew_view_frame frame = {0};
    if (!view->n_frame) {
        return EW_OK;
    }
    EW_TRY(ew_result_read_frame(path, view->n_frame - 1, NULL, &frame));
    bool any = false;
    for (int32_t k = 0; k < frame.n_field; k++) {
        any = add_field(to, view, &frame, &frame.field[k], !any) || any;
    }
    if (any) {
        page_close_table(to);
    }
    ew_view_frame_free(&frame);
    return EW_OK;
}
