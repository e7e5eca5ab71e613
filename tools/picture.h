/* Pictures of a body without any graphics library: triangles through a depth buffer, colored by a
 * value, into a PNG. */
#ifndef EW_TOOL_PICTURE_H
#define EW_TOOL_PICTURE_H

#include "tool.h"

/* A support, a triangle below its place, or a load, an arrow that ends there. */
typedef struct picture_symbol {
    bool is_load;
    double place[3], direction[3]; /* of a load, of any length > 0 */
    double normal[3];              /* of the face; pale where it is turned away. 0: never */
} picture_symbol;

/* Contents of the picture. All borrowed. */
typedef struct picture_scene {
    int32_t n_point;
    const double *xyz;   /* [n_point][3] */
    const double *moved; /* [n_point][3] where the points have moved to, or null */
    double low, high;    /* of the colors; low above high: the other way round */
    bool is_log;         /* values are logarithms (base 10) of what the legend has */
    int32_t n_face;
    const int32_t *face; /* [n_face][3], turned outward */
    const double *value; /* [n_face][3] at the corners, or null: gray */
    int32_t n_edge;
    const int32_t *edge; /* [n_edge][2] of the body before it moved */
    const int32_t *line; /* [n_line][2] dark, of the body where it moved to */
    int32_t n_line;
    const int32_t *kind;  /* [n_face] which of the names a face has the color of, -1: as above; or
                             null */
    const uint8_t *inner; /* [n_face] bit k: the side opposite corner k is no edge of the mesh; or
                             null */
    int32_t n_name;       /* of the legend, below the colors */
    const char *const *name;  /* [n_name] */
    const char *title, *unit; /* of the colors, for a legend beside the body, "": none of them; null
                                 title: neither legend nor axes nor a scale */
    const char *length_unit;  /* of the scale, or "" */
    const double *box;        /* [2][3] what has its place in the picture, or null: all points */
    int32_t n_mark;
    const double *mark;  /* [n_mark][3] places that a cross shows */
    const int32_t *part; /* [n_face] parts that have numbers, from 0; -1: no part; or null */
    int32_t n_part;
    const int32_t *number; /* [n_part] written where most of the part is seen, */
    bool *is_shown;        /* [n_part] and set where it was: not where next to nothing is seen */
    double eye[3], up[3];  /* directions: from the body to the eye, and what is up */
    int32_t width, height; /* pixels */
    int32_t n_symbol;
    const picture_symbol *symbol; /* [n_symbol] */
} picture_scene;

/* As a PNG, owned by the caller (ew_text_free). */
ew_status picture_draw(const picture_scene *scene, ew_text *png);
/* The color of a value in [0, 1], the same as in tools/render.py. */
void picture_color(double value, unsigned char rgb[3]);

/* The color of kind k. */
void picture_kind_color(int32_t k, unsigned char rgb[3]);

/* An image that is finished and what is written upon it. (picture_legend.c) */
typedef struct picture_image {
    unsigned char *rgb; /* [height][width][3] borrowed */
    int32_t width, height;
    double right[3], up[3], toward[3]; /* directions of the picture */
    double scale;                      /* pixels a length */
} picture_image;
enum { PICTURE_LEGEND = 150 }; /* pixels at the right that the body leaves free */
void picture_add_legend(const picture_scene *scene, picture_image *image);
void picture_add_mark(picture_image *image, const double at[2]);
/* at: the pixel of its place. */
void picture_add_symbol(picture_image *image, const picture_symbol *symbol, const double at[2]);

/* The numbers of parts. part [height][width]: what is seen there, -1: no part.
 * (picture_numbers.c) */
ew_status picture_add_numbers(const picture_scene *scene, const int32_t *part,
                              picture_image *image);
/* What a legend and numbers are made of. Text: letters of PICTURE_LETTER by PICTURE_ROW pixels. */
enum { PICTURE_LETTER = 12, PICTURE_ROW = 22 };
void picture_fill(picture_image *to, int32_t x, int32_t y, int32_t width, int32_t height,
                  const unsigned char rgb[3]);
void picture_line(picture_image *to, const double a[2], const double b[2],
                  const unsigned char rgb[3]);
void picture_text(picture_image *to, int32_t x, int32_t y, const char *text);

/* Rows of 8-bit RGB as a PNG (png.c). */
ew_status png_write(const unsigned char *rgb, int32_t width, int32_t height, ew_text *png);

#endif
