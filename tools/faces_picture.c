/* Pictures of a part with the number at each of its faces. In: labeled triangles. Out: one view,
 * and others as long as they show faces that none before has shown. */
#include "faces.h"
#include "picture.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A side of a triangle. */
typedef struct side {
    int32_t a, b, place; /* a < b; of the label */
} side;

static int by_ends(const void *left, const void *right)
{
    const side *a = left, *b = right;
    return a->a != b->a   ? (a->a < b->a ? -1 : 1)
           : a->b != b->b ? (a->b < b->b ? -1 : 1)
                          : (a->place > b->place) - (a->place < b->place);
}

/* Sides between two labels; line [n][2] owned by the caller. */
static ew_status find_lines(const faces *of, int32_t **line, int32_t *n_line)
{
    side *list;
    const size_t n = 3 * (size_t)of->n_triangle;
    EW_TRY(ew_new(&list, n + 1, sizeof *list));
    const ew_status status = ew_new(line, 2 * n + 1, sizeof **line);
    if (status) {
        ew_release(list);
        return status;
    }
    for (size_t i = 0; i < n; i++) {
        const int32_t a = of->triangle[i], b = of->triangle[i % 3 == 2 ? i - 2 : i + 1];
        list[i] = (side){a < b ? a : b, a < b ? b : a, of->place[i / 3]};
    }
    qsort(list, n, sizeof *list, by_ends);
    *n_line = 0;
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i; j < n && list[j].a == list[i].a && list[j].b == list[i].b; j++) {
        }
        if (j - i == 1 || list[j - 1].place != list[i].place) {
            (*line)[2 * *n_line] = list[i].a;
            (*line)[2 * *n_line + 1] = list[i].b;
            ++*n_line;
        }
    }
    ew_release(list);
    return EW_OK;
}

static ew_status write_view(const char *path, int32_t number, const ew_text *png, char **name)
{
    const size_t n = strlen(path);
    EW_TRY(ew_new(name, n + 16, 1));
    if (number == 1) {
        strcpy(*name, path);
    } else {
        snprintf(*name, n + 16, "%.*s.%d.png", (int)(n - 4), path, (int)number);
    }
    return tool_write_file(*name, png);
}

/* Whether the view shows a number that none before has. */
static bool add_shown(const picture_scene *view, bool *is_known)
{
    bool any = false;
    for (int32_t k = 0; k < view->n_part; k++) {
        any = any || (view->is_shown[k] && !is_known[k]);
        is_known[k] = is_known[k] || view->is_shown[k];
    }
    return any;
}

static void tell_rest(const faces *of, const bool *is_known)
{
    int32_t n = 0;
    for (int32_t k = 0; k < of->label.n; k++) {
        if (!is_known[k]) {
            printf("%s%d", n++ ? ", " : "in no view, as they lie inside or are too small: surface ",
                   (int)of->label.id[k]);
        }
    }
    printf("%s", n ? "\n" : "");
}

static ew_status draw_views(const faces *of, const char *path, picture_scene *scene, bool *is_known)
{
    static const double eye[][3] = {{1, -1.1, .75}, {-1.1, 1, -.75},  {-1, -1.1, .75},
                                    {1.1, 1, .75},  {1, -1.1, -.75},  {-1, 1.1, .75},
                                    {1.1, 1, -.75}, {-1, -1.1, -.75}, {.15, -1, .1},
                                    {-.15, 1, .1},  {1, .15, .1},     {-1, -.15, .1},
                                    {.15, .1, 1},   {.15, .1, -1}};
    int32_t n = 0, n_left = 0;
    for (size_t k = 0; k < sizeof eye / sizeof *eye && (n == 0 || n_left); k++) {
        ew_text png = {0};
        char *name = NULL;
        memcpy(scene->eye, eye[k], sizeof eye[k]);
        memset(scene->is_shown, 0, (size_t)of->label.n);
        ew_status status = picture_draw(scene, &png);
        if (!status && (add_shown(scene, is_known) || n == 0)) {
            status = write_view(path, ++n, &png, &name);
            printf("%s: %s\n", name && !status ? name : path, "numbers of surfaces");
        }
        ew_release(name);
        ew_text_free(&png);
        EW_TRY(status);
        n_left = 0;
        for (int32_t i = 0; i < of->label.n; i++) {
            n_left += !is_known[i];
        }
    }
    tell_rest(of, is_known);
    return EW_OK;
}

ew_status faces_draw(const faces *of, const char *unit, const char *path)
{
    const size_t length = strlen(path), n = (size_t)of->label.n + 1;
    int32_t *line = NULL, n_line = 0, n_point = 0;
    bool *shown = NULL;
    uint8_t *inner = NULL;
    if (length <= 4 || strcasecmp(path + length - 4, ".png") != 0) {
        return ew_fail(EW_BAD_INPUT, "%s: a picture is a PNG; choose a name that ends in .png",
                       path);
    }
    for (int32_t i = 0; i < 3 * of->n_triangle; i++) {
        n_point = of->triangle[i] >= n_point ? of->triangle[i] + 1 : n_point;
    }
    ew_status status = find_lines(of, &line, &n_line);
    status = status ? status : ew_new_zero(&shown, 2 * n, sizeof *shown);
    status = status ? status : ew_new(&inner, (size_t)of->n_triangle + 1, sizeof *inner);
    if (!status) {
        memset(inner, 7, (size_t)of->n_triangle);
        picture_scene scene = {.n_point = n_point,
                               .xyz = of->xyz,
                               .n_face = of->n_triangle,
                               .face = of->triangle,
                               .inner = inner,
                               .n_line = n_line,
                               .line = line,
                               .title = "",
                               .unit = "",
                               .length_unit = unit ? unit : "",
                               .part = of->place,
                               .n_part = of->label.n,
                               .number = of->label.id,
                               .is_shown = shown,
                               .up = {0, 0, 1},
                               .width = 960,
                               .height = 640};
        status = draw_views(of, path, &scene, shown + n);
    }
    ew_release(line);
    ew_release(shown);
    ew_release(inner);
    return status;
}
