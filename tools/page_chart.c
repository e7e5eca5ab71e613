/* Charts of a page as SVG. */
#include "page.h"

#include <math.h>

enum { WIDTH = 420, HEIGHT = 200, LEFT = 62, RIGHT = 12, TOP = 26, BOTTOM = 34 };

static double place_x(int32_t k, int32_t n)
{
    return LEFT + (n > 1 ? (double)k / (n - 1) : 0.5) * (WIDTH - LEFT - RIGHT);
}

static double place_y(double value, double high)
{
    return HEIGHT - BOTTOM - value / high * (HEIGHT - TOP - BOTTOM);
}

/* A round number not below the value: 1, 2, 2.5 or 5 times a power of ten. */
static double round_up(double value)
{
    static const double step[] = {1, 2, 2.5, 5, 10};
    if (!(value > 0) || !isfinite(value)) {
        return 1;
    }
    const double power = pow(10, floor(log10(value)));
    for (int k = 0; k < 5; k++) {
        if (step[k] * power >= value * (1 - 1e-12)) {
            return step[k] * power;
        }
    }
    return 10 * power;
}

static void add_axes(page *to, const page_chart *chart, double high)
{
    page_add(to,
             "<svg viewBox='0 0 %d %d' width='%d' height='%d' role='img'><text x='%d' y='15' "
             "class='title'>",
             WIDTH, HEIGHT, WIDTH, HEIGHT, LEFT);
    page_add_text(to, chart->title);
    if (*chart->unit) {
        page_add(to, ", ");
        page_add_text(to, chart->unit);
    }
    page_add(to, "</text>");
    for (int k = 0; k <= 4; k++) {
        const double y = place_y(k, 4);
        page_add(to,
                 "<line x1='%d' x2='%d' y1='%.1f' y2='%.1f' class='grid'/>"
                 "<text x='%d' y='%.1f' class='y'>%.3g</text>",
                 LEFT, WIDTH - RIGHT, y, y, LEFT - 5, y + 4, high * k / 4);
    }
    const int32_t every = chart->n / 8 + 1;
    for (int32_t k = 0; k < chart->n; k += every) {
        page_add(to, "<text x='%.1f' y='%d' class='x'>%d</text>", place_x(k, chart->n),
                 HEIGHT - BOTTOM + 16, (int)k);
    }
}

void page_add_chart(page *to, const page_chart *chart)
{
    double high = 0;
    for (int32_t k = 0; k < chart->n; k++) {
        high = isfinite(chart->value[k]) ? fmax(high, chart->value[k]) : high;
    }
    high = round_up(high);
    add_axes(to, chart, high);
    page_add(to, "<path fill='none' class='curve' d='");
    bool down = false;
    for (int32_t k = 0; k < chart->n; k++) {
        if (isfinite(chart->value[k])) {
            page_add(to, "%c%.1f %.1f ", down ? 'L' : 'M', place_x(k, chart->n),
                     place_y(chart->value[k], high));
        }
        down = isfinite(chart->value[k]);
    }
    page_add(to, "'/>");
    for (int32_t k = 0; k < chart->n; k++) {
        if (isfinite(chart->value[k])) {
            page_add(to, "<circle cx='%.1f' cy='%.1f' r='3'><title>", place_x(k, chart->n),
                     place_y(chart->value[k], high));
            page_add_text(to, chart->name[k]);
            page_add(to, ": %.6g</title></circle>", chart->value[k]);
        }
    }
    page_add(to, "<text x='%d' y='%d' class='x'>step</text></svg>\n", (WIDTH + LEFT) / 2,
             HEIGHT - 4);
}

void page_add_histogram(page *to, const int32_t count[10])
{
    double high = 0;
    for (int k = 0; k < 10; k++) {
        high = fmax(high, count[k]);
    }
    high = round_up(high);
    const page_chart axes = {.title = "tets by quality (1 regular, 0 flat)", .unit = ""};
    add_axes(to, &axes, high);
    const double width = (WIDTH - LEFT - RIGHT) / 10.0;
    for (int k = 0; k < 10; k++) {
        page_add(to,
                 "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' class='bar'><title>%.1f to "
                 "%.1f: %d tets</title></rect><text x='%.1f' y='%d' class='x'>%.1f</text>",
                 LEFT + k * width + 1, place_y(count[k], high), width - 2,
                 HEIGHT - BOTTOM - place_y(count[k], high), 0.1 * k, 0.1 * (k + 1), (int)count[k],
                 LEFT + k * width, HEIGHT - BOTTOM + 16, 0.1 * k);
    }
    page_add(to, "</svg>\n");
}
