/* A surface as Wavefront OBJ. In: faces with texture coordinates and groups, positions of a frame.
 * Out: a text whose vertices and texture coordinates have the numbers of the file that was read,
 * with normals of the positions. Numbers have nine digits, more than single precision. */
#include "format/framework/print.h"
#include "format/framework/surface.h"

#include <string.h>

static size_t bound(const ew_polygon_frame *frame)
{
    const ew_polygons *of = frame->polygons;
    const size_t row = 4 + 3 * EW_MAX_DOUBLE;
    return row * ((size_t)of->surface.n_vertex + (size_t)of->n_texture + (size_t)of->n_normal) +
           3 * (EW_MAX_INT + 1) * (size_t)of->n_corner + 3 * (size_t)of->n_face + of->text_size +
           (size_t)of->n_line + (frame->comment ? strlen(frame->comment) : 0) + EW_MAX_HEADER;
}

static void put_rows(ew_text *text, const char *word, const double *value, int32_t n, int width)
{
    for (int32_t i = 0; i < n; i++) {
        ew_put_text(text, word);
        ew_put_short(text, value + 3 * (size_t)i, width);
        text->data[text->size++] = '\n';
    }
}

/* a/t/n or a//n, from 1. */
static void put_face(ew_text *text, const ew_polygons *of, int32_t face)
{
    text->data[text->size++] = 'f';
    for (int32_t k = of->begin[face]; k < of->begin[face + 1]; k++) {
        text->data[text->size++] = ' ';
        ew_put_int(text, of->vertex[k] + 1);
        text->data[text->size++] = '/';
        if (of->texture[k] >= 0) {
            ew_put_int(text, of->texture[k] + 1);
        }
        text->data[text->size++] = '/';
        ew_put_int(text, of->normal[k] + 1);
    }
    text->data[text->size++] = '\n';
}

static void put_lines(ew_text *text, const ew_polygons *of, int32_t face, int32_t *line)
{
    for (; *line < of->n_line && of->line[*line].face <= face; (*line)++) {
        ew_put_text(text, of->text + of->line[*line].begin);
        text->data[text->size++] = '\n';
    }
}

ew_status ew_write_obj(const ew_polygon_frame *frame, ew_text *text)
{
    const ew_polygons *of = frame->polygons;
    double *normal = NULL;
    ew_text made = {0};
    int32_t line = 0;
    EW_TRY(ew_new(&normal, 3 * (size_t)of->n_normal, sizeof *normal));
    const ew_status status = ew_new(&made.data, bound(frame), 1);
    if (status) {
        ew_release(normal);
        return status;
    }
    ew_polygons_normals(of, frame->xyz, frame->has, normal);
    ew_put_text(&made, "# ");
    ew_put_text(&made, frame->comment ? frame->comment : "edgewise");
    ew_put_text(&made, "\n");
    put_rows(&made, "v", frame->xyz, of->surface.n_vertex, 3);
    put_rows(&made, "vt", of->uvw, of->n_texture, of->texture_width);
    put_rows(&made, "vn", normal, of->n_normal, 3);
    for (int32_t f = 0; f < of->n_face; f++) {
        put_lines(&made, of, f, &line);
        if (ew_polygons_have_face(frame, f)) {
            put_face(&made, of, f);
        }
    }
    put_lines(&made, of, of->n_face, &line);
    ew_release(normal);
    *text = made;
    return EW_OK;
}
