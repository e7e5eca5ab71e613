/* Points in, an SVG picture out: log-log axes from decade to decade, a grid, curves with a mark at
 * each point, and a legend to the right. Text is in the page's sans-serif font. */
#include "plot.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 900, HEIGHT = 520, LEFT = 80, RIGHT = 220, TOP = 50, BOTTOM = 64 };

typedef struct canvas {
    ew_text *svg;
    int32_t capacity;
    ew_status status;
    double low[2], high[2]; /* exponents of 10 at the ends of the axes */
} canvas;

/* Colors that also differ in lightness; Okabe & Ito (2008). */
static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73",
                                     "#cc79a7", "#56b4e9", "#e69f00"};
enum { N_COLOR = sizeof colors / sizeof *colors };

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
put(canvas *to, const char *format, ...)
{
    enum { MOST = 512 };
    if (!to->status) {
        to->status = ew_grow(&to->svg->data, &to->capacity, (int64_t)to->svg->size + MOST, 1);
    }
    if (!to->status) {
        va_list list;
        va_start(list, format);
        to->svg->size += (size_t)vsnprintf(to->svg->data + to->svg->size, MOST, format, list);
        va_end(list);
    }
}

static double at_x(const canvas *to, double exponent)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * (exponent - to->low[0]) / (to->high[0] - to->low[0]);
}

static double at_y(const canvas *to, double exponent)
{
    return HEIGHT - BOTTOM -
           (HEIGHT - TOP - BOTTOM) * (exponent - to->low[1]) / (to->high[1] - to->low[1]);
}

/* Whole decades around all points and, upwards, around 1. */
static void find_ends(canvas *to, const bench_plot *plot)
{
    for (int axis = 0; axis < 2; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int32_t c = 0; c < plot->n_curve; c++) {
            for (int32_t i = 0; i < plot->curve[c].n; i++) {
                const double exponent = log10(plot->curve[c].point[2 * (size_t)i + axis]);
                low = fmin(low, exponent);
                high = fmax(high, exponent);
            }
        }
        to->low[axis] = floor(low);
        to->high[axis] = fmax(ceil(high), to->low[axis] + 1);
    }
    to->high[1] = fmax(to->high[1], 1);
}

/* A power of ten with its exponent raised. */
static void put_power(canvas *to, double x, double y, const char *anchor, int exponent)
{
    put(to,
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">10<tspan dy=\"-5\" "
        "font-size=\"9\">%d</tspan></text>\n",
        x, y, anchor, exponent);
}

static void put_axes(canvas *to, const bench_plot *plot)
{
    const int bottom = HEIGHT - BOTTOM, right = WIDTH - RIGHT;
    for (int e = (int)to->low[0]; e <= (int)to->high[0]; e++) {
        put(to, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/>\n",
            at_x(to, e), TOP, at_x(to, e), bottom);
        put_power(to, at_x(to, e), bottom + 20, "middle", e);
    }
    for (int e = (int)to->low[1]; e <= (int)to->high[1]; e++) {
        put(to, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", LEFT,
            at_y(to, e), right, at_y(to, e));
        put_power(to, LEFT - 8, at_y(to, e) + 4, "end", e);
    }
    put(to, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#444\"/>\n",
        LEFT, TOP, right - LEFT, bottom - TOP);
    put(to,
        "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#444\" "
        "stroke-dasharray=\"6 4\"/>\n",
        LEFT, at_y(to, 0), right, at_y(to, 0));
    put(to, "<text x=\"%d\" y=\"%.1f\" fill=\"#444\">%s</text>\n", LEFT + 8, at_y(to, 0) - 6,
        plot->line);
    put(to, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", (LEFT + right) / 2,
        HEIGHT - 16, plot->x_label);
    put(to, "<text transform=\"translate(22 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
        (TOP + bottom) / 2, plot->y_label);
    put(to, "<text x=\"%d\" y=\"28\" font-size=\"16\">%s</text>\n", LEFT, plot->title);
}

/* The second half of the colors repeats them dashed. */
static void put_curve(canvas *to, const bench_plot *plot, int32_t c)
{
    const bench_curve *curve = &plot->curve[c];
    const char *color = colors[c % N_COLOR];
    const double legend_x = WIDTH - RIGHT + 16, legend_y = TOP + 12 + 22 * c;
    const char *dash = c < N_COLOR ? "" : " stroke-dasharray=\"5 3\"";
    put(to, "<g stroke=\"%s\" fill=\"none\" stroke-width=\"1.8\"%s>\n<path d=\"", color, dash);
    for (int32_t i = 0; i < curve->n; i++) {
        put(to, "%s%.1f %.1f", i ? " L" : "M", at_x(to, log10(curve->point[2 * (size_t)i])),
            at_y(to, log10(curve->point[2 * (size_t)i + 1])));
    }
    put(to, "\"/>\n<path d=\"M%.1f %.1fh28\"/>\n</g>\n", legend_x, legend_y);
    put(to, "<g fill=\"%s\">\n<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n", color, legend_x + 14,
        legend_y);
    for (int32_t i = 0; i < curve->n; i++) {
        put(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n",
            at_x(to, log10(curve->point[2 * (size_t)i])),
            at_y(to, log10(curve->point[2 * (size_t)i + 1])));
    }
    put(to, "</g>\n<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", legend_x + 36, legend_y + 4,
        curve->name);
}

ew_status bench_plot_add(bench_plot *plot, const char *name, double x, double y)
{
    int32_t c = 0;
    while (c < plot->n_curve && strcmp(plot->curve[c].name, name) != 0) {
        c++;
    }
    if (c == BENCH_MAX_CURVES) {
        return ew_fail(EW_LIMIT, "bench: a plot takes at most %d curves; ask for fewer meshes",
                       BENCH_MAX_CURVES);
    }
    bench_curve *curve = &plot->curve[c];
    EW_TRY(ew_grow(&curve->point, &curve->capacity, (int64_t)curve->n + 1, 2 * sizeof(double)));
    if (c == plot->n_curve) {
        snprintf(curve->name, sizeof curve->name, "%s", name);
        for (char *at = curve->name; *at; at++) {
            *at = strchr("<>&", *at) ? '_' : *at; /* not in XML text */
        }
        plot->n_curve++;
    }
    curve->point[2 * (size_t)curve->n] = x;
    curve->point[2 * (size_t)curve->n + 1] = y;
    curve->n++;
    return EW_OK;
}

ew_status bench_plot_draw(const bench_plot *plot, ew_text *svg)
{
    canvas to = {.svg = svg};
    *svg = (ew_text){0};
    if (!plot->n_curve) {
        return ew_fail(EW_BAD_ARGUMENT, "bench: nothing to plot; the scenario crossover draws");
    }
    find_ends(&to, plot);
    put(&to,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
        "%d\" font-family=\"sans-serif\" font-size=\"13\">\n"
        "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
        WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT);
    put_axes(&to, plot);
    for (int32_t c = 0; c < plot->n_curve; c++) {
        put_curve(&to, plot, c);
    }
    put(&to, "</svg>\n");
    if (to.status) {
        ew_text_free(svg);
    }
    return to.status;
}

void bench_plot_free(bench_plot *plot)
{
    for (int32_t c = 0; c < plot->n_curve; c++) {
        ew_release(plot->curve[c].point);
    }
    memset(plot, 0, sizeof *plot);
}
