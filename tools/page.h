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
    const page_curve *curve; /* [n_curve] */
} page_lines;
void page_add_lines(page *to, const page_lines *chart);
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
