/* Parts of a report page: text that grows, escaped; charts; the skin of a body. */
#ifndef EW_TOOL_PAGE_H
#define EW_TOOL_PAGE_H

#include "picture.h"

/* A text that grows. The first failure stays and is told at the end. */
typedef struct page {
    ew_text text; /* owned */
    int32_t capacity;
    ew_status status;
} page;

EW_PRINTF(2, 3) void page_add(page *to, const char *format, ...);
/* With <, >, & and quotes escaped. */
void page_add_text(page *to, const char *text);
void page_add_line(page *to, const char *text, size_t n); /* n bytes of it */
void page_add_bytes(page *to, const void *data, size_t n);
void page_add_base64(page *to, const ew_text *data);

/* A table in a box of its own, which scrolls where the table is wider than the page. */
void page_open_table(page *to);
void page_close_table(page *to);
/* A head of a column with its unit below, "": none; is_text: aligned as text. */
void page_add_head(page *to, const char *title, const char *unit, bool is_text);
/* A cell of a number by a format of printf for a double; NaN: empty. */
void page_add_cell(page *to, double value, const char *format);
void page_add_text_cell(page *to, const char *text);

/* Values over the steps as an SVG line; NaN: a gap. (page_chart.c) */
typedef struct page_chart {
    const char *title, *unit;
    int32_t n;
    const double *value;     /* [n] */
    const char *const *name; /* [n] of the steps */
} page_chart;
void page_add_chart(page *to, const page_chart *chart);
/* Curves over time, or another axis, with their names beside them; NaN: a gap. (page_lines.c) */
typedef struct page_curve {
    const char *name;
    const double *value; /* [n], each `stride` doubles after the one before */
    int32_t stride;
} page_curve;
typedef struct page_lines {
    const char *title, *unit;
    const char *axis, *time_unit; /* what `time` is, "time" or another name, and its unit or "" */
    int32_t n;
    const double *time; /* [n] ascending */
    int32_t n_curve;
    const page_curve *curve;    /* [n_curve] */
    bool has_marks;             /* circles at the values; else the curve alone */
    bool has_no_line;           /* the circles alone */
    const char *const *failure; /* [n] why there is no value, null: there is; or null */
    int32_t best;               /* 1 + the place that a ring marks; 0: none */
} page_lines;
void page_add_lines(page *to, const page_lines *chart);
/* A round step of at least a fifth of the span: 1, 2 or 5 times a power of ten. */
double page_round_step(double span);

/* Values over two axes as SVG: cells where the places are all pairs of the numbers on both axes,
 * else circles. (page_map.c) */
typedef struct page_map {
    const char *title, *unit;
    const char *x_name, *y_name;
    int32_t n;
    const double *x, *y;        /* [n] */
    const double *value;        /* [n] NaN: none */
    const char *const *failure; /* [n] as of lines */
    bool has_way;               /* a line joins the places in their order */
    int32_t best;               /* as of lines */
} page_map;
ew_status page_add_map(page *to, const page_map *map);
enum { PAGE_MAX_AXES = 64 };
/* Values over several axes beside each other, a line for each place (Inselberg 1985). */
typedef struct page_axes {
    const char *title, *unit;
    int32_t n_axis, n;       /* n_axis: at most PAGE_MAX_AXES */
    const char *const *name; /* [n_axis] */
    const double *place;     /* [n][n_axis] */
    const double *value;     /* [n] NaN: none */
    const char *const *failure;
    int32_t best;
} page_axes;
void page_add_axes(page *to, const page_axes *axes);
/* Counts in ten classes of [0, 1] as bars. */
void page_add_histogram(page *to, const int32_t count[10]);

/* The boundary of a frame and its sharp edges. (skin.c) */
typedef struct skin {
    int32_t n_face, n_edge, edge_capacity, side_capacity;
    int32_t *face;   /* [n_face][3] owned, turned outward */
    int32_t *corner; /* [n_face][3] owned: which of the corners [n_tet][4] of the frame that is */
    int32_t *edge;   /* [n_edge][2] owned: where normals turn by more than 40 degrees */
    int32_t *side;   /* [n_edge] owned: 3 * face + k, from the face's corner k to the next */
    ew_mesh_measure measure;
} skin;
ew_status skin_take(const ew_view_frame *frame, skin *out);
void skin_free(skin *own);

#endif
