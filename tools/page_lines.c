/* Charts of a page with several curves over time, as SVG. */
#include "page.h"

#include <math.h>

enum {
    WIDTH = 640,
    HEIGHT = 260,
    LEFT = 74,
    RIGHT = 120,
    TOP = 26,
    BOTTOM = 34,
    MAX_POINTS = 2000
};

static const char *const colors[] = {"#3a6ea5", "#c0392b", "#2e8b57", "#8e6bbf",
                                     "#d68910", "#16a2b8", "#7f8c8d", "#a04070"};
enum { N_COLOR = sizeof colors / sizeof *colors };

typedef struct frame {
    double left, right, low, high; /* of the values */
} frame;

double page_round_step(double span)
{
    const double power = pow(10, floor(log10(span / 5)));
    const double part = span / 5 / power;
    return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

static frame frame_of(const page_lines *chart)
{
    frame out = {chart->time[0], chart->time[chart->n - 1], 0, 0};
    for (int32_t c = 0; c < chart->n_curve; c++) {
        for (int32_t k = 0; k < chart->n; k++) {
            const double value = chart->curve[c].value[(size_t)k * (size_t)chart->curve[c].stride];
            if (isfinite(value)) {
                out.low = fmin(out.low, value);
                out.high = fmax(out.high, value);
            }
        }
    }
    out.high = out.high > out.low ? out.high : out.low + 1;
    out.right = out.right > out.left ? out.right : out.left + 1;
    return out;
}

static double place_x(const frame *in, double time)
{
    return LEFT + (time - in->left) / (in->right - in->left) * (WIDTH - LEFT - RIGHT);
}

static double place_y(const frame *in, double value)
{
    return HEIGHT - BOTTOM - (value - in->low) / (in->high - in->low) * (HEIGHT - TOP - BOTTOM);
}

static void add_axes(page *to, const page_lines *chart, const frame *in)
{
    const double up = page_round_step(in->high - in->low),
                 on = page_round_step(in->right - in->left);
    for (double y = ceil(in->low / up) * up; y <= in->high + 1e-9 * up; y += up) {
        page_add(to,
                 "<line x1='%d' x2='%d' y1='%.1f' y2='%.1f' class='grid'/>"
                 "<text x='%d' y='%.1f' class='y'>%.4g</text>",
                 LEFT, WIDTH - RIGHT, place_y(in, y), place_y(in, y), LEFT - 5, place_y(in, y) + 4,
                 fabs(y) < 1e-9 * up ? 0 : y);
    }
    for (double x = ceil(in->left / on) * on; x <= in->right + 1e-9 * on; x += on) {
        page_add(to, "<text x='%.1f' y='%d' class='x'>%.4g</text>", place_x(in, x),
                 HEIGHT - BOTTOM + 16, fabs(x) < 1e-9 * on ? 0 : x);
    }
    page_add(to, "<text x='%d' y='%d' class='x'>", (WIDTH - RIGHT + LEFT) / 2, HEIGHT - 4);
    page_add_text(to, chart->axis);
    page_add(to, *chart->time_unit ? ", " : "");
    page_add_text(to, chart->time_unit);
    page_add(to, "</text>");
}

static void add_path(page *to, const page_lines *chart, const frame *in, int32_t c)
{
    const page_curve *curve = &chart->curve[c];
    const int32_t every = chart->n / MAX_POINTS + 1;
    bool down = false;
    page_add(to, "<path fill='none' stroke='%s' stroke-width='1.6' d='", colors[c % N_COLOR]);
    for (int32_t k = 0; k < chart->n; k += every) {
        const double value = curve->value[(size_t)k * (size_t)curve->stride];
        if (isfinite(value)) {
            page_add(to, "%c%.1f %.1f ", down ? 'L' : 'M', place_x(in, chart->time[k]),
                     place_y(in, value));
        }
        down = isfinite(value);
    }
    page_add(to, "'/>");
}

static void add_marks(page *to, const page_lines *chart, const frame *in, int32_t c)
{
    const page_curve *curve = &chart->curve[c];
    for (int32_t k = 0; k < chart->n; k++) {
        const double value = curve->value[(size_t)k * (size_t)curve->stride];
        if (!isfinite(value)) {
            continue;
        }
        page_add(to, "<circle cx='%.1f' cy='%.1f' r='2.6' style='fill:%s'>",
                 place_x(in, chart->time[k]), place_y(in, value), colors[c % N_COLOR]);
        page_add(to, "<title>%.6g: %.6g</title></circle>", chart->time[k], value);
        if (k + 1 == chart->best) {
            page_add(to, "<circle cx='%.1f' cy='%.1f' r='6' style='fill:none' class='best'/>",
                     place_x(in, chart->time[k]), place_y(in, value));
        }
    }
}

static void add_curve(page *to, const page_lines *chart, const frame *in, int32_t c)
{
    if (!chart->has_no_line) {
        add_path(to, chart, in, c);
    }
    if (chart->has_marks) {
        add_marks(to, chart, in, c);
    }
    bool any = false;
    for (int32_t k = 0; k < chart->n && !any; k++) {
        any = isfinite(chart->curve[c].value[(size_t)k * (size_t)chart->curve[c].stride]);
    }
    if (!any) {
        return;
    }
    page_add(to, "<text x='%d' y='%d' style='fill:%s'>", WIDTH - RIGHT + 8, TOP + 12 + 16 * (int)c,
             colors[c % N_COLOR]);
    page_add_text(to, chart->curve[c].name);
    page_add(to, "</text>");
}

/* Crosses on the axis. */
static void add_failures(page *to, const page_lines *chart, const frame *in)
{
    for (int32_t k = 0; k < chart->n && chart->failure; k++) {
        if (chart->failure[k]) {
            const double x = place_x(in, chart->time[k]), y = HEIGHT - BOTTOM;
            page_add(to, "<path class='failed' d='M%.1f %.1fl8 8m0 -8l-8 8'><title>%.6g failed: ",
                     x - 4, y - 4, chart->time[k]);
            page_add_text(to, chart->failure[k]);
            page_add(to, "</title></path>");
        }
    }
}

void page_add_lines(page *to, const page_lines *chart)
{
    if (chart->n < 1) {
        return;
    }
    const frame in = frame_of(chart);
    page_add(to,
             "<svg viewBox='0 0 %d %d' width='%d' height='%d' role='img'><text x='%d' y='15' "
             "class='title'>",
             WIDTH, HEIGHT, WIDTH, HEIGHT, LEFT);
    page_add_text(to, chart->title);
    page_add(to, *chart->unit ? ", " : "");
    page_add_text(to, chart->unit);
    page_add(to, "</text>");
    add_axes(to, chart, &in);
    for (int32_t c = 0; c < chart->n_curve; c++) {
        add_curve(to, chart, &in, c);
    }
    add_failures(to, chart, &in);
    page_add(to, "</svg>\n");
}
