/* A body and a direction in, a PNG out: an orthographic view, triangles through a depth buffer at
 * twice the resolution, flat light, colors between the points. Edges of the body before it moved
 * are drawn as lines where nothing hides them. */
#include "picture.h"

#include <math.h>
#include <string.h>

enum { FINE = 2, MARGIN = 16 }; /* fine pixels a pixel; pixels */

/* Of tools/render.py. */
static const double colors[][4] = {{0.0, .23, .30, .75},
                                   {.25, .40, .65, .85},
                                   {.5, .87, .87, .75},
                                   {.75, .93, .55, .35},
                                   {1.0, .70, .02, .15}};

typedef struct canvas {
    int32_t width, height; /* fine pixels */
    float *depth;          /* [height][width] owned: toward the eye is larger */
    unsigned char *rgb;    /* [height][width][3] owned */
    int32_t *part;         /* [height][width] owned: of a scene with parts that have numbers */
    double right[3], up[3], toward[3];
    double scale, middle[2]; /* fine pixels a length; what is in the middle */
    double *point;           /* [n][3] owned: fine pixels and depth */
} canvas;

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* Of sets; tools/render_sets.py has the same. */
static const unsigned char kind_color[][3] = {{214, 38, 41},   {31, 120, 181}, {43, 161, 43},
                                              {148, 102, 189}, {255, 128, 13}, {23, 191, 207},
                                              {227, 120, 194}, {189, 189, 33}, {140, 87, 74}};

void picture_kind_color(int32_t k, unsigned char rgb[3])
{
    memcpy(rgb, kind_color[k % (int32_t)(sizeof kind_color / sizeof *kind_color)], 3);
}

/* False where the length is below `min`. */
static bool normalize(double *a, double min)
{
    const double length = sqrt(dot(a, a));
    for (int c = 0; c < 3 && length > min; c++) {
        a[c] /= length;
    }
    return length > min;
}

void picture_color(double value, unsigned char rgb[3])
{
    const double v = value > 0 ? (value < 1 ? value : 1) : 0; /* NaN: 0 */
    int k = 1;
    while (k < 4 && v > colors[k][0]) {
        k++;
    }
    const double *a = colors[k - 1], *b = colors[k], t = (v - a[0]) / (b[0] - a[0]);
    for (int c = 0; c < 3; c++) {
        rgb[c] = (unsigned char)lround(255 * ((1 - t) * a[c + 1] + t * b[c + 1]));
    }
}

/* ---- the view ------------------------------------------------------------------- */

static ew_status set_view(const picture_scene *scene, canvas *to)
{
    double up[3];
    memcpy(to->toward, scene->eye, sizeof to->toward);
    memcpy(up, scene->up, sizeof up);
    if (normalize(to->toward, 0) && normalize(up, 0)) {
        cross(up, to->toward, to->right);
    }
    if (!normalize(to->right, 1e-6)) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "the view direction and the up direction must not be zero or parallel");
    }
    cross(to->toward, to->right, to->up);
    return EW_OK;
}

/* Corners of the picture over the points before and after they moved. */
static void fit(const picture_scene *scene, canvas *to)
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    double corner[8][3];
    for (int32_t k = 0; k < 8 && scene->box; k++) {
        for (int c = 0; c < 3; c++) {
            corner[k][c] = scene->box[3 * (k >> c & 1) + c];
        }
    }
    for (int pass = 0; pass < 2; pass++) {
        const double *xyz = scene->box ? corner[0] : pass ? scene->moved : scene->xyz;
        for (int32_t v = 0; v < (scene->box ? 8 : scene->n_point) && xyz; v++) {
            const double at[2] = {dot(to->right, xyz + 3 * (size_t)v),
                                  dot(to->up, xyz + 3 * (size_t)v)};
            for (int c = 0; c < 2; c++) {
                low[c] = fmin(low[c], at[c]);
                high[c] = fmax(high[c], at[c]);
            }
        }
    }
    const double legend = scene->title ? FINE * (double)PICTURE_LEGEND : 0.0;
    const double room[2] = {to->width - legend - 2.0 * FINE * MARGIN,
                            to->height - (scene->title ? 4.0 : 2.0) * FINE * MARGIN};
    to->scale = HUGE_VAL;
    for (int c = 0; c < 2; c++) {
        to->scale = fmin(to->scale, room[c] / fmax(high[c] - low[c], 1e-300));
        to->middle[c] = 0.5 * (low[c] + high[c]);
    }
    to->middle[0] += 0.5 * legend / to->scale;
    to->middle[1] -= scene->title ? FINE * (double)MARGIN / to->scale : 0.0;
}

static void place(const canvas *to, const double *x, double *at)
{
    at[0] = 0.5 * to->width + to->scale * (dot(to->right, x) - to->middle[0]);
    at[1] = 0.5 * to->height - to->scale * (dot(to->up, x) - to->middle[1]);
    at[2] = to->scale * dot(to->toward, x);
}

/* ---- triangles and lines ------------------------------------------------------------ */

static bool put_pixel(canvas *to, int32_t x, int32_t y, double depth, const unsigned char rgb[3])
{
    const size_t i = (size_t)y * (size_t)to->width + (size_t)x;
    if (!((float)depth > to->depth[i])) {
        return false;
    }
    to->depth[i] = (float)depth;
    memcpy(to->rgb + 3 * i, rgb, 3);
    return true;
}

/* Twice the signed area of a, b, p. */
static double area(const double *a, const double *b, double x, double y)
{
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

static int32_t clamp(double value, int32_t high)
{
    return value > 0 ? (value < high ? (int32_t)value : high) : 0;
}

/* How a triangle looks. */
typedef struct paint {
    const double *value; /* [3] in [0, 1], or null: plain */
    unsigned char plain[3];
    uint8_t inner; /* as of a scene */
    int32_t part;
    double light;
} paint;

/* The least of the barycentric coordinates, of sides that are edges of the mesh. */
static double from_edge(double a, double b, double c, unsigned inner)
{
    return fmin(inner & 1 ? 1 : a, fmin(inner & 2 ? 1 : b, inner & 4 ? 1 : c));
}

/* Light from the eye; edges of the mesh a little darker, the less so the closer they are. */
static void draw_triangle(canvas *to, const double *p[3], const paint *with)
{
    const double whole = area(p[0], p[1], p[2][0], p[2][1]);
    if (!(fabs(whole) > 1e-9)) {
        return;
    }
    const double low_x = fmin(fmin(p[0][0], p[1][0]), p[2][0]);
    const double high_x = fmax(fmax(p[0][0], p[1][0]), p[2][0]);
    const double low_y = fmin(fmin(p[0][1], p[1][1]), p[2][1]);
    const double high_y = fmax(fmax(p[0][1], p[1][1]), p[2][1]);
    const double longest = fmax(high_x - low_x, high_y - low_y);
    const double line = 0.7 * longest / fabs(whole); /* barycentric */
    const double ink = 0.13 * fmax(0.0, fmin(1.0, (longest - 10) / 14));
    for (int32_t y = clamp(low_y, to->height - 1); y <= clamp(high_y, to->height - 1); y++) {
        for (int32_t x = clamp(low_x, to->width - 1); x <= clamp(high_x, to->width - 1); x++) {
            const double a = area(p[1], p[2], x + 0.5, y + 0.5) / whole;
            const double b = area(p[2], p[0], x + 0.5, y + 0.5) / whole;
            const double c = 1.0 - a - b;
            if (a < 0 || b < 0 || c < 0) {
                continue;
            }
            unsigned char rgb[3] = {with->plain[0], with->plain[1], with->plain[2]};
            if (with->value) {
                picture_color(a * with->value[0] + b * with->value[1] + c * with->value[2], rgb);
            }
            const double shade =
                with->light * (from_edge(a, b, c, with->inner) < line ? 1.0 - ink : 1.0);
            for (int k = 0; k < 3; k++) {
                rgb[k] = (unsigned char)(rgb[k] * shade);
            }
            if (put_pixel(to, x, y, a * p[0][2] + b * p[1][2] + c * p[2][2], rgb) && to->part) {
                to->part[(size_t)y * (size_t)to->width + (size_t)x] = with->part;
            }
        }
    }
}

static void draw_line(canvas *to, const double *a, const double *b, const unsigned char gray[3])
{
    const double length = fmax(fabs(b[0] - a[0]), fabs(b[1] - a[1]));
    const int32_t n = length < 1e5 ? (int32_t)length + 1 : 0;
    for (int32_t i = 0; i <= n && n; i++) {
        const double t = (double)i / n;
        const double x = a[0] + t * (b[0] - a[0]), y = a[1] + t * (b[1] - a[1]);
        if (x >= 0 && x < to->width && y >= 0 && y < to->height) {
            put_pixel(to, (int32_t)x, (int32_t)y, a[2] + t * (b[2] - a[2]), gray);
        }
    }
}

static void draw_faces(const picture_scene *scene, canvas *to)
{
    const double range = scene->high != scene->low ? scene->high - scene->low : 1.0;
    for (int32_t f = 0; f < scene->n_face; f++) {
        const int32_t *face = scene->face + 3 * (size_t)f;
        const double *p[3];
        double value[3], u[3], v[3], normal[3];
        for (int k = 0; k < 3; k++) {
            p[k] = to->point + 3 * (size_t)face[k];
            value[k] =
                scene->value ? (scene->value[3 * (size_t)f + (size_t)k] - scene->low) / range : 0.0;
        }
        for (int c = 0; c < 3; c++) {
            u[c] = p[1][c] - p[0][c];
            v[c] = p[2][c] - p[0][c];
        }
        cross(u, v, normal);
        const int32_t kind = scene->kind ? scene->kind[f] : -1;
        paint with = {.plain = {200, 200, 205}, .inner = scene->inner ? scene->inner[f] : 0};
        with.part = scene->part ? scene->part[f] : -1;
        with.value = scene->value && kind < 0 ? value : NULL;
        if (kind >= 0) {
            picture_kind_color(kind, with.plain);
        }
        if (normalize(normal, 0)) {
            with.light = 0.55 + 0.45 * fabs(normal[2]);
            draw_triangle(to, p, &with);
        }
    }
}

/* Edges of the body before it moved, and lines, a little nearer than the faces that they bound. */
static void draw_edges(const picture_scene *scene, canvas *to)
{
    static const unsigned char gray[3] = {140, 140, 150}, dark[3] = {50, 50, 58};
    for (int32_t e = 0; e < scene->n_edge; e++) {
        double a[3], b[3];
        place(to, scene->xyz + 3 * (size_t)scene->edge[2 * (size_t)e], a);
        place(to, scene->xyz + 3 * (size_t)scene->edge[2 * (size_t)e + 1], b);
        draw_line(to, a, b, gray);
    }
    for (int32_t e = 0; e < scene->n_line; e++) {
        double end[2][3];
        for (size_t k = 0; k < 2; k++) {
            memcpy(end[k], to->point + 3 * (size_t)scene->line[2 * (size_t)e + k], sizeof end[k]);
            end[k][2] += 2.0 * FINE;
        }
        draw_line(to, end[0], end[1], dark);
    }
}

/* ---- the picture ---------------------------------------------------------------------- */

/* Means of FINE x FINE. */
static void average(const canvas *from, int32_t width, int32_t height, unsigned char *out)
{
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++) {
            for (size_t c = 0; c < 3; c++) {
                unsigned sum = 0;
                for (int32_t k = 0; k < FINE * FINE; k++) {
                    const size_t at = (size_t)(FINE * y + k / FINE) * (size_t)from->width +
                                      (size_t)(FINE * x + k % FINE);
                    sum += from->rgb[3 * at + c];
                }
                *out++ = (unsigned char)(sum / (FINE * FINE));
            }
        }
    }
}

/* What is seen at the middle of each pixel. */
static ew_status add_numbers(const picture_scene *scene, const canvas *of, picture_image *image)
{
    int32_t *part;
    EW_TRY(ew_new(&part, (size_t)scene->width * (size_t)scene->height, sizeof *part));
    for (int32_t i = 0; i < scene->width * scene->height; i++) {
        part[i] = of->part[(size_t)(FINE * (i / scene->width)) * (size_t)of->width +
                           (size_t)(FINE * (i % scene->width))];
    }
    const ew_status status = picture_add_numbers(scene, part, image);
    ew_release(part);
    return status;
}

/* Texts on the picture. */
static ew_status add_words(const picture_scene *scene, const canvas *of, unsigned char *rgb)
{
    picture_image image = {.rgb = rgb, .width = scene->width, .height = scene->height};
    memcpy(image.right, of->right, sizeof image.right);
    memcpy(image.up, of->up, sizeof image.up);
    memcpy(image.toward, of->toward, sizeof image.toward);
    image.scale = of->scale / FINE;
    for (int32_t k = 0; k < scene->n_symbol; k++) {
        double at[3];
        place(of, scene->symbol[k].place, at);
        picture_add_symbol(&image, &scene->symbol[k],
                           (const double[2]){at[0] / FINE, at[1] / FINE});
    }
    for (int32_t k = 0; k < scene->n_mark; k++) {
        double at[3];
        place(of, scene->mark + 3 * (size_t)k, at);
        picture_add_mark(&image, (const double[2]){at[0] / FINE, at[1] / FINE});
    }
    if (scene->title) {
        picture_add_legend(scene, &image);
    }
    return scene->part ? add_numbers(scene, of, &image) : EW_OK;
}

static ew_status draw(const picture_scene *scene, canvas *to, ew_text *png)
{
    const size_t n = (size_t)to->width * (size_t)to->height;
    unsigned char *out = NULL;
    EW_TRY(set_view(scene, to));
    EW_TRY(ew_new(&to->depth, n, sizeof *to->depth));
    EW_TRY(ew_new(&to->rgb, n, 3));
    EW_TRY(ew_new(&to->point, (size_t)scene->n_point * 3, sizeof *to->point));
    memset(to->rgb, 255, 3 * n);
    if (scene->part) {
        EW_TRY(ew_new(&to->part, n, sizeof *to->part));
        memset(to->part, 255, n * sizeof *to->part); /* -1 */
    }
    for (size_t i = 0; i < n; i++) {
        to->depth[i] = -INFINITY;
    }
    fit(scene, to);
    const double *xyz = scene->moved ? scene->moved : scene->xyz;
    for (int32_t v = 0; v < scene->n_point; v++) {
        place(to, xyz + 3 * (size_t)v, to->point + 3 * (size_t)v);
    }
    draw_faces(scene, to);
    draw_edges(scene, to);
    EW_TRY(ew_new(&out, 3 * (size_t)scene->width * (size_t)scene->height, 1));
    average(to, scene->width, scene->height, out);
    ew_status status = add_words(scene, to, out);
    status = status ? status : png_write(out, scene->width, scene->height, png);
    ew_release(out);
    return status;
}

ew_status picture_draw(const picture_scene *scene, ew_text *png)
{
    canvas to = {.width = FINE * scene->width, .height = FINE * scene->height};
    const ew_status status = draw(scene, &to, png);
    ew_release(to.depth);
    ew_release(to.rgb);
    ew_release(to.part);
    ew_release(to.point);
    return status;
}
