/* What is written upon a picture: the colors and their range, names of kinds, axes, a scale. In: an
 * image and the directions of its view. Letters are of 5 x 7 dots. */
#include "picture.h"

#include <math.h>
#include <string.h>

/* Columns of the letters from ' ' to '~', bit 0 on top; g, p, q and y go one dot lower. */
static const unsigned char letters[95][5] = {
    {0x00, 0x00, 0x00, 0x00, 0x00}, {0x00, 0x00, 0x5f, 0x00, 0x00}, {0x00, 0x07, 0x00, 0x07, 0x00},
    {0x14, 0x7f, 0x14, 0x7f, 0x14}, {0x24, 0x2a, 0x7f, 0x2a, 0x12}, {0x23, 0x13, 0x08, 0x64, 0x62},
    {0x36, 0x49, 0x56, 0x20, 0x50}, {0x00, 0x00, 0x07, 0x00, 0x00}, {0x00, 0x1c, 0x22, 0x41, 0x00},
    {0x00, 0x41, 0x22, 0x1c, 0x00}, {0x2a, 0x1c, 0x7f, 0x1c, 0x2a}, {0x08, 0x08, 0x3e, 0x08, 0x08},
    {0x00, 0x80, 0x70, 0x30, 0x00}, {0x08, 0x08, 0x08, 0x08, 0x08}, {0x00, 0x00, 0x60, 0x60, 0x00},
    {0x20, 0x10, 0x08, 0x04, 0x02}, {0x3e, 0x51, 0x49, 0x45, 0x3e}, {0x00, 0x42, 0x7f, 0x40, 0x00},
    {0x62, 0x51, 0x49, 0x49, 0x46}, {0x22, 0x41, 0x49, 0x49, 0x36}, {0x18, 0x14, 0x12, 0x7f, 0x10},
    {0x27, 0x45, 0x45, 0x45, 0x39}, {0x3c, 0x4a, 0x49, 0x49, 0x30}, {0x01, 0x71, 0x09, 0x05, 0x03},
    {0x36, 0x49, 0x49, 0x49, 0x36}, {0x06, 0x49, 0x49, 0x29, 0x1e}, {0x00, 0x00, 0x14, 0x00, 0x00},
    {0x00, 0x40, 0x34, 0x00, 0x00}, {0x00, 0x08, 0x14, 0x22, 0x41}, {0x14, 0x14, 0x14, 0x14, 0x14},
    {0x41, 0x22, 0x14, 0x08, 0x00}, {0x02, 0x01, 0x59, 0x09, 0x06}, {0x3e, 0x41, 0x5d, 0x55, 0x1e},
    {0x7c, 0x12, 0x11, 0x12, 0x7c}, {0x7f, 0x49, 0x49, 0x49, 0x36}, {0x3e, 0x41, 0x41, 0x41, 0x22},
    {0x7f, 0x41, 0x41, 0x41, 0x3e}, {0x7f, 0x49, 0x49, 0x49, 0x41}, {0x7f, 0x09, 0x09, 0x09, 0x01},
    {0x3e, 0x41, 0x41, 0x51, 0x72}, {0x7f, 0x08, 0x08, 0x08, 0x7f}, {0x00, 0x41, 0x7f, 0x41, 0x00},
    {0x20, 0x40, 0x41, 0x3f, 0x01}, {0x7f, 0x08, 0x14, 0x22, 0x41}, {0x7f, 0x40, 0x40, 0x40, 0x40},
    {0x7f, 0x02, 0x0c, 0x02, 0x7f}, {0x7f, 0x04, 0x08, 0x10, 0x7f}, {0x3e, 0x41, 0x41, 0x41, 0x3e},
    {0x7f, 0x09, 0x09, 0x09, 0x06}, {0x3e, 0x41, 0x51, 0x21, 0x5e}, {0x7f, 0x09, 0x19, 0x29, 0x46},
    {0x26, 0x49, 0x49, 0x49, 0x32}, {0x01, 0x01, 0x7f, 0x01, 0x01}, {0x3f, 0x40, 0x40, 0x40, 0x3f},
    {0x1f, 0x20, 0x40, 0x20, 0x1f}, {0x3f, 0x40, 0x38, 0x40, 0x3f}, {0x63, 0x14, 0x08, 0x14, 0x63},
    {0x07, 0x08, 0x70, 0x08, 0x07}, {0x61, 0x51, 0x49, 0x45, 0x43}, {0x00, 0x7f, 0x41, 0x41, 0x00},
    {0x02, 0x04, 0x08, 0x10, 0x20}, {0x00, 0x41, 0x41, 0x7f, 0x00}, {0x04, 0x02, 0x01, 0x02, 0x04},
    {0x40, 0x40, 0x40, 0x40, 0x40}, {0x00, 0x01, 0x02, 0x04, 0x00}, {0x20, 0x54, 0x54, 0x54, 0x78},
    {0x7f, 0x48, 0x44, 0x44, 0x38}, {0x38, 0x44, 0x44, 0x44, 0x28}, {0x38, 0x44, 0x44, 0x48, 0x7f},
    {0x38, 0x54, 0x54, 0x54, 0x18}, {0x08, 0x7e, 0x09, 0x01, 0x02}, {0x18, 0xa4, 0xa4, 0xa4, 0x7c},
    {0x7f, 0x08, 0x04, 0x04, 0x78}, {0x00, 0x44, 0x7d, 0x40, 0x00}, {0x40, 0x80, 0x84, 0x7d, 0x00},
    {0x7f, 0x10, 0x28, 0x44, 0x00}, {0x00, 0x41, 0x7f, 0x40, 0x00}, {0x7c, 0x04, 0x18, 0x04, 0x78},
    {0x7c, 0x08, 0x04, 0x04, 0x78}, {0x38, 0x44, 0x44, 0x44, 0x38}, {0xfc, 0x24, 0x24, 0x24, 0x18},
    {0x18, 0x24, 0x24, 0x24, 0xfc}, {0x7c, 0x08, 0x04, 0x04, 0x08}, {0x48, 0x54, 0x54, 0x54, 0x24},
    {0x04, 0x3f, 0x44, 0x40, 0x20}, {0x3c, 0x40, 0x40, 0x20, 0x7c}, {0x1c, 0x20, 0x40, 0x20, 0x1c},
    {0x3c, 0x40, 0x30, 0x40, 0x3c}, {0x44, 0x28, 0x10, 0x28, 0x44}, {0x1c, 0xa0, 0xa0, 0xa0, 0x7c},
    {0x44, 0x64, 0x54, 0x4c, 0x44}, {0x00, 0x08, 0x36, 0x41, 0x00}, {0x00, 0x00, 0x7f, 0x00, 0x00},
    {0x00, 0x41, 0x36, 0x08, 0x00}, {0x02, 0x01, 0x02, 0x04, 0x02}};
enum { DOT = 2, STEP = PICTURE_LETTER, ROW = PICTURE_ROW }; /* pixels of a dot, a letter, a line */

static const unsigned char ink[3] = {40, 40, 48};

void picture_fill(picture_image *to, int32_t x, int32_t y, int32_t width, int32_t height,
                  const unsigned char rgb[3])
{
    for (int32_t j = y > 0 ? y : 0; j < y + height && j < to->height; j++) {
        for (int32_t i = x > 0 ? x : 0; i < x + width && i < to->width; i++) {
            memcpy(to->rgb + 3 * ((size_t)j * (size_t)to->width + (size_t)i), rgb, 3);
        }
    }
}

/* Bytes that are no letter of ASCII are dots, one for each character of UTF-8. */
void picture_text(picture_image *to, int32_t x, int32_t y, const char *text)
{
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if ((c & 0xc0) == 0x80) {
            continue;
        }
        const unsigned char *column = letters[c >= ' ' && c <= '~' ? c - ' ' : '.' - ' '];
        for (int32_t k = 0; k < 5 * 8; k++) {
            if (column[k / 8] >> k % 8 & 1) {
                picture_fill(to, x + DOT * (k / 8), y + DOT * (k % 8), DOT, DOT, ink);
            }
        }
        x += STEP;
    }
}

void picture_line(picture_image *to, const double a[2], const double b[2],
                  const unsigned char rgb[3])
{
    const double length = fmax(fabs(b[0] - a[0]), fabs(b[1] - a[1]));
    const int32_t n = length < 1e4 ? (int32_t)length + 1 : 0;
    for (int32_t i = 0; i <= n && n; i++) {
        const double t = (double)i / n, x = a[0] + t * (b[0] - a[0]), y = a[1] + t * (b[1] - a[1]);
        if (fabs(x) < 1e6 && fabs(y) < 1e6) {
            picture_fill(to, (int32_t)x, (int32_t)y, 2, 2, rgb);
        }
    }
}

void picture_add_mark(picture_image *image, const double at[2])
{
    static const unsigned char white[3] = {255, 255, 255};
    for (int pass = 0; pass < 4; pass++) {
        const double s = pass % 2 ? 7 : -7, d = pass < 2 ? 1 : 0;
        picture_line(image, (const double[2]){at[0] - 7 + d, at[1] - s + d},
                     (const double[2]){at[0] + 7 + d, at[1] + s + d}, pass < 2 ? white : ink);
    }
}

/* ---- supports and loads ------------------------------------------------------------------------
 */

static double along(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void add_support(picture_image *to, const double at[2], const unsigned char rgb[3])
{
    for (int32_t j = 0; j < 12; j++) {
        picture_fill(to, (int32_t)at[0] - j / 2, (int32_t)at[1] + j, j + 1, 1, rgb);
    }
    picture_fill(to, (int32_t)at[0] - 9, (int32_t)at[1] + 14, 19, 2, rgb);
}

/* A ring where it points along the line of sight. */
static void add_load(picture_image *to, const double at[2], const double direction[3],
                     const unsigned char rgb[3])
{
    enum { LENGTH = 42, HEAD = 11 };
    const double length = sqrt(along(direction, direction));
    const double x = along(to->right, direction) / length, y = -along(to->up, direction) / length;
    const double seen = hypot(x, y);
    if (seen < 0.1) {
        for (int k = 0; k < 40; k++) {
            picture_fill(to, (int32_t)(at[0] + 6 * cos(0.157 * k)),
                         (int32_t)(at[1] + 6 * sin(0.157 * k)), 2, 2, rgb);
        }
        return;
    }
    picture_line(to, (const double[2]){at[0] - LENGTH * x, at[1] - LENGTH * y}, at, rgb);
    for (int k = 0; k < HEAD; k++) {
        const double wide = 0.45 * k, from[2] = {at[0] - k * x / seen, at[1] - k * y / seen};
        picture_line(to, (const double[2]){from[0] - wide * y / seen, from[1] + wide * x / seen},
                     (const double[2]){from[0] + wide * y / seen, from[1] - wide * x / seen}, rgb);
    }
}

void picture_add_symbol(picture_image *image, const picture_symbol *symbol, const double at[2])
{
    static const unsigned char color[2][2][3] = {{{45, 138, 87}, {171, 208, 188}},
                                                 {{200, 55, 45}, {233, 175, 171}}};
    const bool is_behind = along(symbol->normal, image->toward) < 0.0;
    if (!(fabs(at[0]) < 1e6 && fabs(at[1]) < 1e6)) {
        return;
    }
    if (symbol->is_load) {
        add_load(image, at, symbol->direction, color[1][is_behind]);
    } else {
        add_support(image, at, color[0][is_behind]);
    }
}

/* ---- legend -------------------------------------------------------------------------------- */

/* In lines of at most as many letters as fit, broken at blanks; returns where the next begins. */
static int32_t write_lines(picture_image *to, int32_t x, int32_t y, const char *text)
{
    enum { MOST = (PICTURE_LEGEND - 6) / STEP };
    while (*text) {
        char line[MOST + 1];
        size_t n = strlen(text);
        for (size_t k = n > MOST ? MOST : 0; k > 0; k--) {
            n = n > MOST && text[k] == ' ' ? k : n;
        }
        n = n > MOST ? MOST : n;
        memcpy(line, text, n);
        line[n] = 0;
        picture_text(to, x, y, line);
        text += n + (text[n] == ' ');
        y += ROW;
    }
    return y;
}

/* The colors from the bottom to the top with five numbers; returns where the next line begins. */
static int32_t add_colors(const picture_scene *scene, picture_image *to, int32_t x, int32_t y)
{
    enum { BAR = 220 };
    char text[32];
    unsigned char rgb[3];
    y = write_lines(to, x, y, scene->title);
    y = write_lines(to, x, y, scene->unit) + DOT;
    for (int32_t j = 0; j < BAR; j++) {
        picture_color(1.0 - (double)j / (BAR - 1), rgb);
        picture_fill(to, x, y + j, 18, 1, rgb);
    }
    for (int32_t k = 0; k <= 4; k++) {
        const double value = scene->high + 0.25 * k * (scene->low - scene->high);
        snprintf(text, sizeof text, "%.3g", scene->is_log ? pow(10, value) : value);
        picture_text(to, x + 24, y + k * (BAR - 1) / 4 - 7 + (k ? k == 4 ? -7 : 0 : 7), text);
    }
    return y + BAR + ROW;
}

static void add_names(const picture_scene *scene, picture_image *to, int32_t x, int32_t y)
{
    unsigned char rgb[3];
    for (int32_t k = 0; k < scene->n_name && y + ROW < to->height; k++, y += ROW) {
        picture_kind_color(k, rgb);
        picture_fill(to, x, y, 14, 14, rgb);
        picture_text(to, x + 20, y, scene->name[k]);
    }
}

static void add_axes(picture_image *to)
{
    static const unsigned char color[3][3] = {{200, 50, 50}, {40, 140, 50}, {50, 80, 200}};
    const double from[2] = {44, to->height - 44.0};
    for (int pass = 0; pass < 3; pass++) {
        const double end[2] = {from[0] + 28 * to->right[pass], from[1] - 28 * to->up[pass]};
        const char name[2] = {"xyz"[pass], 0};
        picture_line(to, from, end, color[pass]);
        if (fabs(to->toward[pass]) < 0.98) {
            picture_text(to, (int32_t)(from[0] + 38 * to->right[pass]) - 5,
                         (int32_t)(from[1] - 38 * to->up[pass]) - 7, name);
        }
    }
}

/* A line of 1, 2 or 5 times a power of ten. */
static void add_scale(const picture_scene *scene, picture_image *to)
{
    const double most = 160 / to->scale, power = pow(10, floor(log10(most)));
    const double head = most / power, length = power * (head >= 5 ? 5 : head >= 2 ? 2 : 1);
    const int32_t x = 100, y = to->height - 22, n = (int32_t)lround(length * to->scale);
    char text[64];
    if (!(n > 0 && n <= 160)) {
        return;
    }
    picture_fill(to, x, y, n, 2, ink);
    picture_fill(to, x, y - 4, 2, 10, ink);
    picture_fill(to, x + n - 2, y - 4, 2, 10, ink);
    snprintf(text, sizeof text, "%.6g%s%.20s", length, *scene->length_unit ? " " : "",
             scene->length_unit);
    picture_text(to, x + n + 10, y - 6, text);
}

void picture_add_legend(const picture_scene *scene, picture_image *image)
{
    const int32_t x = image->width - PICTURE_LEGEND;
    int32_t y = 20;
    if (*scene->title) {
        y = add_colors(scene, image, x, y);
    }
    add_names(scene, image, x, y);
    add_axes(image);
    add_scale(scene, image);
}
