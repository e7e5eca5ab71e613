/* Charts of a page over two and over more axes, as SVG: places with a value each, in the colors of
 * the pictures, and those that failed as crosses. */
#include "page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 640,
    HEIGHT = 340,
    LEFT = 74,
    RIGHT = 110,
    TOP = 28,
    BOTTOM = 42,
    MAX_CELLS = 40 /* along an axis */
};
enum { INNER = WIDTH - LEFT - RIGHT, TALL = HEIGHT - TOP - BOTTOM };

/* ---- what both have ---------------------------------------------------------------------- */

typedef struct span {
    double low, high;
} span;

static span span_of(int32_t n, const double *value, size_t stride)
{
    span of = {HUGE_VAL, -HUGE_VAL};
    for (int32_t k = 0; k < n; k++) {
        const double x = value[(size_t)k * stride];
        if (isfinite(x)) {
            of.low = fmin(of.low, x);
            of.high = fmax(of.high, x);
        }
    }
    return of;
}

/* Where a value is between both ends; in the middle where they are one. */
static double part_of(const span *in, double value)
{
    return in->high > in->low ? (value - in->low) / (in->high - in->low) : 0.5;
}

static void add_color(page *to, const span *in, double value)
{
    unsigned char rgb[3];
    picture_color(part_of(in, value), rgb);
    page_add(to, "rgb(%d,%d,%d)", rgb[0], rgb[1], rgb[2]);
}

static void open_chart(page *to, const char *title, const char *unit)
{
    page_add(to,
             "<svg viewBox='0 0 %d %d' width='%d' height='%d' role='img'><text x='%d' y='15' "
             "class='title'>",
             WIDTH, HEIGHT, WIDTH, HEIGHT, LEFT);
    page_add_text(to, title);
    page_add(to, *unit ? ", " : "");
    page_add_text(to, unit);
    page_add(to, "</text>");
}

/* The colors from the bottom to the top with the numbers of both ends. */
static void add_scale(page *to, const span *of)
{
    enum { PIECES = 24, BAR = 16 };
    const double x = WIDTH - RIGHT + 24, tall = (double)TALL / PIECES;
    if (!(of->low <= of->high)) {
        return;
    }
    for (int k = 0; k < PIECES; k++) {
        page_add(to, "<rect x='%.0f' y='%.2f' width='%d' height='%.2f' style='fill:", x,
                 TOP + TALL - (k + 1) * tall, BAR, tall + 0.5);
        add_color(to, &(span){0, PIECES - 1}, k);
        page_add(to, "'/>");
    }
    page_add(to, "<text x='%.0f' y='%d'>%.4g</text><text x='%.0f' y='%d'>%.4g</text>", x + BAR + 4,
             TOP + 9, of->high, x + BAR + 4, TOP + TALL, of->low);
}

static void add_cross(page *to, double x, double y, const char *why)
{
    page_add(to, "<path class='failed' d='M%.1f %.1fl8 8m0 -8l-8 8'><title>failed: ", x - 4, y - 4);
    page_add_text(to, why);
    page_add(to, "</title></path>");
}

static const char *failure_of(const char *const *failure, int32_t k)
{
    return failure ? failure[k] : NULL;
}

/* ---- a map --------------------------------------------------------------------------------- */

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The numbers of an axis, each once, ascending, at most MAX_CELLS of them; 0: there are more. */
static ew_status list_places(int32_t n, const double *from, double place[MAX_CELLS], int32_t *found)
{
    double *sorted;
    *found = 0;
    EW_TRY(ew_new(&sorted, (size_t)n, sizeof *sorted));
    memcpy(sorted, from, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, compare);
    int32_t k = 0;
    for (int32_t i = 0; i < n && k <= MAX_CELLS; i++) {
        if (i == 0 || sorted[i] > sorted[i - 1]) {
            if (k < MAX_CELLS) {
                place[k] = sorted[i];
            }
            k++;
        }
    }
    *found = k <= MAX_CELLS ? k : 0;
    ew_release(sorted);
    return EW_OK;
}

typedef struct grid {
    int32_t n[2]; /* 0: no grid */
    double place[2][MAX_CELLS];
} grid;

static ew_status find_grid(const page_map *map, grid *of)
{
    EW_TRY(list_places(map->n, map->x, of->place[0], &of->n[0]));
    EW_TRY(list_places(map->n, map->y, of->place[1], &of->n[1]));
    if (of->n[0] < 2 || of->n[1] < 2 || of->n[0] * of->n[1] != map->n) {
        of->n[0] = 0;
    }
    return EW_OK;
}

static int32_t find(const grid *of, int axis, double value)
{
    int32_t k = 0;
    while (k < of->n[axis] - 1 && of->place[axis][k] < value) {
        k++;
    }
    return k;
}

static void add_names(page *to, const page_map *map)
{
    page_add(to, "<text x='%d' y='%d' class='x'>", LEFT + INNER / 2, HEIGHT - 6);
    page_add_text(to, map->x_name);
    page_add(to, "</text><text x='14' y='%d' class='x' transform='rotate(-90 14 %d)'>",
             TOP + TALL / 2, TOP + TALL / 2);
    page_add_text(to, map->y_name);
    page_add(to, "</text>");
}

static void add_title(page *to, const page_map *map, int32_t k)
{
    page_add(to, "<title>");
    page_add_text(to, map->x_name);
    page_add(to, " %.6g, ", map->x[k]);
    page_add_text(to, map->y_name);
    page_add(to, " %.6g: %.6g</title>", map->y[k], map->value[k]);
}

static void add_cells(page *to, const page_map *map, const grid *of, const span *in)
{
    const double wide = (double)INNER / of->n[0], tall = (double)TALL / of->n[1];
    for (int32_t k = 0; k < map->n; k++) {
        const double x = LEFT + wide * find(of, 0, map->x[k]);
        const double y = TOP + TALL - tall * (find(of, 1, map->y[k]) + 1);
        if (isfinite(map->value[k])) {
            const double part = part_of(in, map->value[k]);
            page_add(to, "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' style='fill:", x + 0.5,
                     y + 0.5, wide - 1, tall - 1);
            add_color(to, in, map->value[k]);
            page_add(to, "'>");
            add_title(to, map, k);
            page_add(to, "</rect>");
            if (wide > 40 && tall > 14) {
                page_add(to, "<text x='%.1f' y='%.1f' class='x' style='fill:%s'>%.4g</text>",
                         x + wide / 2, y + tall / 2 + 4,
                         part < 0.2 || part > 0.85 ? "#fff" : "#111", map->value[k]);
            }
        } else if (failure_of(map->failure, k)) {
            add_cross(to, x + wide / 2, y + tall / 2, map->failure[k]);
        }
        if (k + 1 == map->best) {
            page_add(to, "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' class='best'/>", x + 1,
                     y + 1, wide - 2, tall - 2);
        }
    }
    for (int axis = 0; axis < 2; axis++) {
        const int32_t every = of->n[axis] / 12 + 1;
        for (int32_t i = 0; i < of->n[axis]; i += every) {
            if (axis == 0) {
                page_add(to, "<text x='%.1f' y='%d' class='x'>%.4g</text>", LEFT + wide * (i + 0.5),
                         HEIGHT - BOTTOM + 15, of->place[0][i]);
            } else {
                page_add(to, "<text x='%d' y='%.1f' class='y'>%.4g</text>", LEFT - 5,
                         TOP + TALL - tall * (i + 0.5) + 4, of->place[1][i]);
            }
        }
    }
}

static void add_ticks(page *to, const span *x, const span *y)
{
    const double on = page_round_step(fmax(x->high - x->low, 1e-300)),
                 up = page_round_step(fmax(y->high - y->low, 1e-300));
    for (int32_t k = 0; k < 12; k++) {
        const double a = (ceil(x->low / on) + k) * on, b = (ceil(y->low / up) + k) * up;
        if (a <= x->high) {
            page_add(to, "<text x='%.1f' y='%d' class='x'>%.4g</text>",
                     LEFT + INNER * part_of(x, a), HEIGHT - BOTTOM + 15,
                     fabs(a) < 1e-9 * on ? 0 : a);
        }
        if (b <= y->high) {
            const double at = TOP + TALL * (1 - part_of(y, b));
            page_add(to,
                     "<line x1='%d' x2='%d' y1='%.1f' y2='%.1f' class='grid'/><text x='%d' "
                     "y='%.1f' class='y'>%.4g</text>",
                     LEFT, LEFT + INNER, at, at, LEFT - 5, at + 4, fabs(b) < 1e-9 * up ? 0 : b);
        }
    }
}

static void add_circles(page *to, const page_map *map, const span *in)
{
    const span x = span_of(map->n, map->x, 1), y = span_of(map->n, map->y, 1);
    add_ticks(to, &x, &y);
    if (map->has_way) {
        page_add(to, "<path class='way' d='");
        for (int32_t k = 0; k < map->n; k++) {
            page_add(to, "%c%.1f %.1f", k ? 'L' : 'M', LEFT + INNER * part_of(&x, map->x[k]),
                     TOP + TALL * (1 - part_of(&y, map->y[k])));
        }
        page_add(to, "'/>");
    }
    for (int32_t k = 0; k < map->n; k++) {
        const double at[2] = {LEFT + INNER * part_of(&x, map->x[k]),
                              TOP + TALL * (1 - part_of(&y, map->y[k]))};
        if (isfinite(map->value[k])) {
            page_add(to, "<circle cx='%.1f' cy='%.1f' r='5' style='fill:", at[0], at[1]);
            add_color(to, in, map->value[k]);
            page_add(to, "'>");
            add_title(to, map, k);
            page_add(to, "</circle>");
        } else if (failure_of(map->failure, k)) {
            add_cross(to, at[0], at[1], map->failure[k]);
        }
        if (k + 1 == map->best) {
            page_add(to, "<circle cx='%.1f' cy='%.1f' r='9' style='fill:none' class='best'/>",
                     at[0], at[1]);
        }
    }
}

ew_status page_add_map(page *to, const page_map *map)
{
    const span in = span_of(map->n, map->value, 1);
    grid of = {{0, 0}, {{0}}};
    EW_TRY(find_grid(map, &of));
    open_chart(to, map->title, map->unit);
    if (of.n[0]) {
        add_cells(to, map, &of, &in);
    } else {
        add_circles(to, map, &in);
    }
    add_names(to, map);
    add_scale(to, &in);
    page_add(to, "</svg>\n");
    return EW_OK;
}

/* ---- axes beside each other --------------------------------------------------------------- */

static double axis_x(const page_axes *axes, int32_t a)
{
    return LEFT + (INNER - 24.0) * a / (axes->n_axis > 1 ? axes->n_axis - 1 : 1);
}

static void add_line(page *to, const page_axes *axes, const span *of, const span *in, int32_t k)
{
    const char *failure = failure_of(axes->failure, k);
    if (!isfinite(axes->value[k]) && !failure) {
        return;
    }
    page_add(to, "<path style='fill:none;stroke-width:%s' stroke='",
             k + 1 == axes->best ? "3.5" : "1.3");
    if (failure) {
        page_add(to, "gray' stroke-dasharray='3 3");
    } else {
        add_color(to, in, axes->value[k]);
    }
    page_add(to, "' d='");
    for (int32_t a = 0; a < axes->n_axis; a++) {
        const double at = axes->place[(size_t)k * (size_t)axes->n_axis + (size_t)a];
        page_add(to, "%c%.1f %.1f", a ? 'L' : 'M', axis_x(axes, a),
                 TOP + 16 + (TALL - 16) * (1 - part_of(&of[a], at)));
    }
    page_add(to, "'><title>");
    if (failure) {
        page_add(to, "failed: ");
        page_add_text(to, failure);
    } else {
        page_add(to, "%.6g", axes->value[k]);
    }
    page_add(to, "</title></path>");
}

void page_add_axes(page *to, const page_axes *axes)
{
    const span in = span_of(axes->n, axes->value, 1);
    span of[PAGE_MAX_AXES];
    open_chart(to, axes->title, axes->unit);
    for (int32_t a = 0; a < axes->n_axis; a++) {
        const double x = axis_x(axes, a);
        of[a] = span_of(axes->n, axes->place + a, (size_t)axes->n_axis);
        page_add(to, "<line x1='%.1f' x2='%.1f' y1='%d' y2='%d' class='grid'/>", x, x, TOP + 16,
                 TOP + TALL);
        page_add(to,
                 "<text x='%.1f' y='%d' class='x'>%.4g</text><text x='%.1f' y='%d' "
                 "class='x'>%.4g</text><text x='%.1f' y='%d' class='x'>",
                 x, TOP + 10, of[a].high, x, TOP + TALL + 13, of[a].low, x, HEIGHT - 8);
        page_add_text(to, axes->name[a]);
        page_add(to, "</text>");
    }
    for (int32_t k = 0; k < axes->n; k++) {
        add_line(to, axes, of, &in, k);
    }
    add_scale(to, &in);
    page_add(to, "</svg>\n");
}
