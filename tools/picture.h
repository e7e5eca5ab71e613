/* Pictures of a body without any graphics library: triangles through a depth buffer, colored by a
 * value, into a PNG. */
#ifndef EW_TOOL_PICTURE_H
#define EW_TOOL_PICTURE_H

#include "tool.h"

/* What is to be seen. All borrowed. */
typedef struct picture_scene {
    int32_t n_point;
    const double *xyz;   /* [n_point][3] */
    const double *moved; /* [n_point][3] where the points have moved to, or null */
    double low, high;    /* of the colors */
    int32_t n_face;
    const int32_t *face; /* [n_face][3], turned outward */
    const double *value; /* [n_face][3] at the corners, or null: gray */
    int32_t n_edge;
    const int32_t *edge;   /* [n_edge][2] of the body before it moved */
    double eye[3], up[3];  /* directions: from the body to the eye, and what is up */
    int32_t width, height; /* pixels */
} picture_scene;

/* As a PNG, owned by the caller (ew_text_free). */
ew_status picture_draw(const picture_scene *scene, ew_text *png);
/* The color of a value in [0, 1], the same as in tools/render.py. */
void picture_color(double value, unsigned char rgb[3]);

/* Rows of 8-bit RGB as a PNG (png.c). */
ew_status png_write(const unsigned char *rgb, int32_t width, int32_t height, ew_text *png);

#endif
