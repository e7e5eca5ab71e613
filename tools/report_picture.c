/* Pictures of a report page. In: a frame, from where it is seen, the range of its colors. Out: a
 * figure, the body colored by its stress, or by its displacement where that is all there is, and
 * displaced, with supports and loads, and a caption. */
#include "report_frames.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 880, HEIGHT = 500 };

/* 1, 2 or 5 times a power of ten, not above the value. */
static double round_down(double value)
{
    const double power = pow(10, floor(log10(value))), head = value / power;
    return (head >= 5 ? 5 : head >= 2 ? 2 : 1) * power;
}

double report_largest_displacement(const report_frame *of)
{
    const ew_view_field *u = ew_view_field_of(&of->frame, "displacement", EW_ON_VERTICES);
    double max = 0;
    for (int32_t v = 0; v < of->frame.n_point && u && u->n_component == 3; v++) {
        const double *at = u->data + 3 * (size_t)v;
        max = fmax(max, sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]));
    }
    return isfinite(max) ? max : 0.0;
}

/* So that the largest displacement is seen as about a twelfth of the body. */
static double choose_warp(const report_eye *eye, const report_frame *of, double largest)
{
    const ew_mesh_measure *measure = &of->surface.body.measure;
    const double max = report_largest_displacement(of);
    double size = 0;
    for (int c = 0; c < 3; c++) {
        size = fmax(size, measure->high[c] - measure->low[c]);
    }
    return !(max > 0)      ? 0.0
           : eye->warp > 0 ? eye->warp
                           : round_down(size / (12 * fmax(max, largest)));
}

static void add_extreme(page *to, const char *name, const report_frame *of, const look_extreme *at)
{
    double place[3], moved[3];
    const int32_t id = report_place_extreme(of, at, place, moved);
    page_add(to, ", %s %.5g at ", name, at->value);
    if (id >= 0) {
        page_add(to, "%s %d ", of->field.place == LOOK_AT_TETS ? "tet" : "vertex", (int)id);
    }
    page_add(to, "(%.5g, %.5g, %.5g)", place[0], place[1], place[2]);
}

/* Shortest and longest, in repeats; 12 of the logarithm is no end. */
static void add_life(page *to, const report_frame *of, const double range[2])
{
    page_add(to, ": life, repeats of the history");
    add_extreme(to, "log10 of the shortest", of, &of->low);
    page_add(to, ", which is %.5g; the colors, even in the logarithm, are from %.3g (red) to %.3g",
             pow(10, of->low.value), pow(10, range[0]), pow(10, range[1]));
    page_add(to, range[1] >= 12 ? " or no end" : "");
}

static void add_caption(page *to, const report_frame *of, const char *unit, const double range[2],
                        double warp)
{
    const double *stress = ew_view_find(of->step->n_number, of->step->number, "max_von_mises", 1);
    page_add(to, "<figcaption>step %d, <b>", (int)of->number);
    page_add_text(to, of->step->name);
    page_add(to, "</b>");
    if (of->quantity == REPORT_LIFE) {
        add_life(to, of, range);
    } else if (of->field.of) {
        page_add(to, ": ");
        page_add_text(to, of->field.title);
        page_add(to, ", ");
        page_add_text(to, unit);
        add_extreme(to, "min", of, &of->low);
        add_extreme(to, "max", of, &of->high);
        page_add(to, "; the colors of all pictures of it are from %.5g to %.5g", range[0],
                 range[1]);
        if (of->quantity == REPORT_STRESS && stress) {
            page_add(to, "; the stress to report is max %.5g of all tets and vertices", *stress);
        }
    }
    if (warp > 0.0) {
        page_add(to, "; displacements times %.6g", warp);
    }
    page_add(to, "</figcaption>");
}

static ew_status draw(const report_eye *eye, const report_frame *of, const double range[2],
                      double warp, const char *unit, ew_text *png)
{
    const look *pieces = &of->surface.pieces;
    picture_symbol *symbol = NULL;
    double area;
    look_style style = {.warp = warp,
                        .low = range[0],
                        .high = range[1],
                        .unit = unit,
                        .length_unit = of->view->length_unit,
                        .width = WIDTH,
                        .height = HEIGHT};
    memcpy(style.from, eye->from, sizeof style.from);
    memcpy(style.up, eye->up, sizeof style.up);
    EW_TRY(report_draw_acting(&of->frame, pieces, &of->surface.body.measure, &of->acting, warp,
                              &style.n_symbol, &symbol));
    style.symbol = symbol;
    const ew_status status = look_draw(&of->frame, &of->field, &style, &area, png);
    ew_release(symbol);
    return status;
}

ew_status report_add_picture(page *to, const report_eye *eye, const report_frame *of,
                             const double range[2], double largest)
{
    const double warp = choose_warp(eye, of, largest);
    char unit[EW_UNIT_TEXT];
    ew_text png = {0};
    look_write_unit(of->view, &of->field, unit);
    EW_TRY(draw(eye, of, range, warp, unit, &png));
    page_add(to, "<figure><img width='%d' height='%d' alt='step %d' src='data:image/png;base64,",
             WIDTH, HEIGHT, (int)of->number);
    page_add_base64(to, &png);
    page_add(to, "'>");
    add_caption(to, of, unit, range, warp);
    page_add(to, "</figure>\n");
    ew_text_free(&png);
    return EW_OK;
}
