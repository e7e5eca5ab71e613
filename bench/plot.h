/* Curves over logarithmic axes, as SVG. */
#ifndef EW_BENCH_PLOT_H
#define EW_BENCH_PLOT_H

#include "format/parts/format.h"

enum { BENCH_MAX_CURVES = 12 };

typedef struct bench_curve {
    char name[64];
    int32_t n, capacity;
    double *point; /* [n][2] owned, x and y > 0 */
} bench_curve;

typedef struct bench_plot {
    const char *title, *x_label, *y_label; /* borrowed */
    const char *line;                      /* name of the line y = 1; borrowed */
    int32_t n_curve;
    bench_curve curve[BENCH_MAX_CURVES];
} bench_plot;

/* Adds a point to the curve of this name, in the order drawn; a new name starts a curve. EW_LIMIT
 * beyond BENCH_MAX_CURVES. */
ew_status bench_plot_add(bench_plot *plot, const char *name, double x, double y);
/* EW_BAD_ARGUMENT when there is nothing to draw. */
ew_status bench_plot_draw(const bench_plot *plot, ew_text *svg);
void bench_plot_free(bench_plot *plot);

#endif
