/* Numbers of parts upon a picture. In: which part is seen at each pixel. Out: the number of a part
 * where it is widest, beside it with a line to that place where it is too narrow there or another
 * number has the room. No number covers another one. */
#include "picture.h"

#include <math.h>
#include <string.h>

enum { PAD = 3, TALL = 16 + 2 * PAD }; /* pixels around the text; height of a number */
static const unsigned char white[3] = {255, 255, 255}, ink[3] = {40, 40, 48};

/* The widest place of a part: the pixel that is farthest from its border. */
typedef struct spot {
    int32_t x, y;
    int32_t depth; /* pixels to the border, 0: the part is not seen */
} spot;

typedef struct plate {
    int32_t x, y, width; /* corner on top at the left */
} plate;

/* Steps to the border of each pixel's part, where steps go along rows, columns and diagonals:
 * forth and back over the image. */
static void measure_depth(const int32_t *part, int32_t width, int32_t height, int32_t *depth)
{
    for (int pass = 0; pass < 2; pass++) {
        const int sign = pass ? 1 : -1;
        for (int32_t k = 0; k < width * height; k++) {
            const int32_t i = pass ? width * height - 1 - k : k;
            const int32_t x = i % width, y = i / width;
            int32_t least = pass ? depth[i] - 1 : INT32_MAX - 1;
            for (int n = 0; n < 4; n++) {
                const int32_t ax = x + sign * (n == 3 ? 1 : n == 0 ? 1 : n == 1 ? 0 : -1);
                const int32_t ay = y + sign * (n == 3 ? 0 : 1);
                const bool inside = ax >= 0 && ax < width && ay >= 0 && ay < height;
                const int32_t j = ay * width + ax;
                const int32_t there = inside && part[j] == part[i] ? depth[j] : 0;
                least = there < least ? there : least;
            }
            depth[i] = least + 1;
        }
    }
}

static ew_status find_spots(const picture_scene *scene, const int32_t *part, spot *found)
{
    int32_t *depth;
    EW_TRY(ew_new(&depth, (size_t)scene->width * (size_t)scene->height, sizeof *depth));
    measure_depth(part, scene->width, scene->height, depth);
    for (int32_t i = 0; i < scene->width * scene->height; i++) {
        if (part[i] >= 0 && depth[i] > found[part[i]].depth) {
            found[part[i]] = (spot){i % scene->width, i / scene->width, depth[i]};
        }
    }
    ew_release(depth);
    return EW_OK;
}

static bool is_free(const plate *list, int32_t n, const plate *one, const picture_image *image)
{
    bool is = one->x >= 0 && one->y >= 0 && one->x + one->width <= image->width &&
              one->y + TALL <= image->height;
    for (int32_t i = 0; i < n && is; i++) {
        is = one->x >= list[i].x + list[i].width || list[i].x >= one->x + one->width ||
             one->y >= list[i].y + TALL || list[i].y >= one->y + TALL;
    }
    return is;
}

/* Over the spot, else on circles around it. */
static bool find_room(const spot *at, const plate *list, int32_t n, const picture_image *image,
                      plate *one)
{
    const bool fits = at->depth >= TALL / 2;
    const int32_t x = at->x - one->width / 2, y = at->y - TALL / 2;
    for (int32_t ring = fits ? 0 : 2; ring < 30; ring++) {
        for (int32_t k = 0; k < (ring ? 16 : 1); k++) {
            const double angle = 0.39269908169872414 * k - 0.7853981633974483;
            one->x = x + (int32_t)lround(12.0 * ring * cos(angle));
            one->y = y + (int32_t)lround(12.0 * ring * sin(angle));
            if (is_free(list, n, one, image)) {
                return true;
            }
        }
    }
    return false;
}

static void draw_plate(picture_image *image, const spot *at, const plate *one, const char *text)
{
    const double middle[2] = {one->x + 0.5 * one->width, one->y + 0.5 * TALL};
    if (fabs(middle[0] - at->x) > 2 || fabs(middle[1] - at->y) > 2) {
        picture_line(image, (const double[2]){at->x, at->y}, middle, ink);
        picture_fill(image, at->x - 2, at->y - 2, 6, 6, ink);
    }
    picture_fill(image, one->x, one->y, one->width, TALL, ink);
    picture_fill(image, one->x + 1, one->y + 1, one->width - 2, TALL - 2, white);
    picture_text(image, one->x + PAD + 1, one->y + PAD + 1, text);
}

/* The wide ones first, which have the most room. */
static int32_t next_spot(const spot *found, const bool *is_done, int32_t n)
{
    int32_t best = -1;
    for (int32_t k = 0; k < n; k++) {
        if (!is_done[k] && found[k].depth && (best < 0 || found[k].depth > found[best].depth)) {
            best = k;
        }
    }
    return best;
}

static void draw(const picture_scene *scene, const spot *found, plate *list, bool *is_done,
                 picture_image *image)
{
    enum { LEAST = 3 }; /* of the depth: less is no more than a line */
    int32_t n = 0;
    for (int32_t k; (k = next_spot(found, is_done, scene->n_part)) >= 0;) {
        char text[16];
        snprintf(text, sizeof text, "%d", (int)scene->number[k]);
        list[n] = (plate){.width = PICTURE_LETTER * (int32_t)strlen(text) + 2 * PAD};
        is_done[k] = true;
        if (found[k].depth >= LEAST && find_room(&found[k], list, n, image, &list[n])) {
            draw_plate(image, &found[k], &list[n++], text);
            scene->is_shown[k] = true;
        }
    }
}

ew_status picture_add_numbers(const picture_scene *scene, const int32_t *part, picture_image *image)
{
    const size_t n = (size_t)scene->n_part + 1;
    spot *found = NULL;
    plate *list = NULL;
    bool *is_done = NULL;
    ew_status status = ew_new_zero(&found, n, sizeof *found);
    status = status ? status : ew_new(&list, n, sizeof *list);
    status = status ? status : ew_new_zero(&is_done, n, sizeof *is_done);
    status = status ? status : find_spots(scene, part, found);
    if (!status) {
        draw(scene, found, list, is_done, image);
    }
    ew_release(found);
    ew_release(list);
    ew_release(is_done);
    return status;
}
