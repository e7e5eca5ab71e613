/* A surface as a RenderMan Interface archive (RI Specification 3.2, sections 5.1 and D). In: faces,
 * positions of a frame. Out: text for ReadArchive: a PointsPolygons for each run of faces between
 * kept lines, of triangles, since polygons must be plane; P by vertex, N by vertex or, where a
 * vertex has several, by corner; st by corner, with t from the top as the interface has it. Faces
 * turn as their normals point out in the right-handed coordinates that positions are in. */
#include "format/framework/print.h"
#include "format/framework/surface.h"

#include <string.h>

enum { MAX_GROUP = 200 }; /* bytes of a group's name that are written */

/* A run of faces under way. */
typedef struct run {
    const ew_polygon_frame *frame;
    const char *group; /* the last one's name, with a blank before it */
    const double *normal;
    int32_t from, to;      /* faces */
    int32_t *number;       /* [n_vertex] owned: in the run, -1 */
    int32_t *vertex;       /* [n_used] owned: of them, */
    int32_t *first_normal; /* [n_used] owned: and its normal */
    int32_t n_used, n_triangle;
    bool has_creases, has_texture;
} run;

static size_t bound(const ew_polygon_frame *frame)
{
    const ew_polygons *of = frame->polygons;
    const size_t n_corner = 3 * (size_t)of->surface.n_triangle;
    const size_t head = 2 * (strlen(frame->name) + MAX_GROUP) + 2 * EW_MAX_HEADER;
    return (EW_MAX_INT + 8 * EW_MAX_DOUBLE + 12) * n_corner + of->text_size +
           (frame->comment ? strlen(frame->comment) : 0) + (head + 3) * ((size_t)of->n_line + 2);
}

/* Numbers the vertices of the faces that are there, in the order of the corners. */
static void begin_run(run *r)
{
    const ew_polygons *of = r->frame->polygons;
    r->n_used = r->n_triangle = 0;
    r->has_creases = false;
    r->has_texture = of->texture_width > 0;
    for (int32_t f = r->from; f < r->to; f++) {
        if (!ew_polygons_have_face(r->frame, f)) {
            continue;
        }
        r->n_triangle += of->begin[f + 1] - of->begin[f] - 2;
        for (int32_t k = of->begin[f]; k < of->begin[f + 1]; k++) {
            int32_t *number = &r->number[of->vertex[k]];
            if (*number < 0) {
                r->vertex[r->n_used] = of->vertex[k];
                r->first_normal[r->n_used] = of->normal[k];
                *number = r->n_used++;
            }
            r->has_creases = r->has_creases || r->first_normal[*number] != of->normal[k];
            r->has_texture = r->has_texture && of->texture[k] >= 0;
        }
    }
}

static void end_run(run *r)
{
    for (int32_t i = 0; i < r->n_used; i++) {
        r->number[r->vertex[i]] = -1;
    }
}

/* For each corner of each triangle. */
typedef void (*put_corner)(ew_text *text, const run *r, int32_t corner);

static void put_vertex(ew_text *text, const run *r, int32_t corner)
{
    ew_put_int(text, r->number[r->frame->polygons->vertex[corner]]);
    text->data[text->size++] = ' ';
}

static void put_normal(ew_text *text, const run *r, int32_t corner)
{
    ew_put_short(text, r->normal + 3 * (size_t)r->frame->polygons->normal[corner], 3);
}

static void put_texture(ew_text *text, const run *r, int32_t corner)
{
    const ew_polygons *of = r->frame->polygons;
    const double *uv = of->uvw + 3 * (size_t)of->texture[corner];
    ew_put_short(text, (double[2]){uv[0], 1.0 - uv[1]}, 2);
}

static void put_corners(ew_text *text, const run *r, put_corner put)
{
    const ew_polygons *of = r->frame->polygons;
    for (int32_t f = r->from; f < r->to; f++) {
        const int32_t first = of->begin[f], end = of->begin[f + 1];
        for (int32_t k = first + 2; k < end && ew_polygons_have_face(r->frame, f); k++) {
            put(text, r, first);
            put(text, r, k - 1);
            put(text, r, k);
            text->data[text->size++] = '\n';
        }
    }
}

static void put_points(ew_text *text, const run *r, const double *value, const int32_t *row)
{
    for (int32_t i = 0; i < r->n_used; i++) {
        ew_put_short(text, value + 3 * (size_t)row[i], 3);
        text->data[text->size++] = '\n';
    }
}

/* The first bytes of a string of the interface, without its quotes. */
static void put_string(ew_text *text, const char *words, size_t n)
{
    for (; *words && n > 0; words++, n--) {
        if (*words == '"' || *words == '\\') {
            text->data[text->size++] = '\\';
        }
        text->data[text->size++] = *words;
    }
}

/* Kept lines as comments; the last group or object names the run. */
static void put_head(ew_text *text, run *r, int32_t line, int32_t end)
{
    const ew_polygons *of = r->frame->polygons;
    ew_put_text(text, "AttributeBegin\n");
    for (int32_t i = line; i < end; i++) {
        ew_put_text(text, "# ");
        ew_put_text(text, of->text + of->line[i].begin);
        ew_put_text(text, "\n");
    }
    ew_put_text(text, "Attribute \"identifier\" \"name\" [\"");
    put_string(text, r->frame->name, strlen(r->frame->name));
    put_string(text, r->group, MAX_GROUP);
    ew_put_text(text, "\"]\nOrientation \"outside\"\n");
}

static void find_group(run *r, int32_t line, int32_t end)
{
    const ew_polygons *of = r->frame->polygons;
    for (int32_t i = line; i < end; i++) {
        const char *words = of->text + of->line[i].begin;
        const bool is_group = (words[0] | 32) == 'g' || (words[0] | 32) == 'o';
        r->group = is_group ? words + 1 : r->group;
    }
}

static void put_run(ew_text *text, run *r, int32_t line, int32_t end)
{
    begin_run(r);
    find_group(r, line, end);
    if (r->n_triangle) {
        put_head(text, r, line, end);
        ew_put_text(text, "PointsPolygons [");
        for (int32_t i = 0; i < r->n_triangle; i++) {
            ew_put_text(text, i % 32 == 31 ? "3\n" : "3 ");
        }
        ew_put_text(text, "]\n[");
        put_corners(text, r, put_vertex);
        ew_put_text(text, "]\n\"P\" [");
        put_points(text, r, r->frame->xyz, r->vertex);
        if (r->has_creases) {
            ew_put_text(text, "]\n\"facevarying normal N\" [");
            put_corners(text, r, put_normal);
        } else {
            ew_put_text(text, "]\n\"N\" [");
            put_points(text, r, r->normal, r->first_normal);
        }
        if (r->has_texture) {
            ew_put_text(text, "]\n\"facevarying float[2] st\" [");
            put_corners(text, r, put_texture);
        }
        ew_put_text(text, "]\nAttributeEnd\n");
    }
    end_run(r);
}

static void put_all(ew_text *text, run *r)
{
    const ew_polygons *of = r->frame->polygons;
    ew_put_text(text, "##RenderMan RIB-Structure 1.1 Entity\n# ");
    ew_put_text(text, r->frame->comment ? r->frame->comment : "edgewise");
    ew_put_text(text, "\n");
    for (int32_t i = 0; i < of->surface.n_vertex; i++) {
        r->number[i] = -1;
    }
    for (int32_t line = 0, end = 0, from = 0; from < of->n_face; from = r->to, line = end) {
        while (end < of->n_line && of->line[end].face <= from) {
            end++;
        }
        r->from = from;
        r->to = end < of->n_line ? of->line[end].face : of->n_face;
        put_run(text, r, line, end);
    }
}

ew_status ew_write_rib(const ew_polygon_frame *frame, ew_text *text)
{
    const ew_polygons *of = frame->polygons;
    const size_t n_vertex = (size_t)of->surface.n_vertex;
    double *normal = NULL;
    ew_text made = {0};
    run r = {.frame = frame, .group = ""};
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_new(&normal, 3 * (size_t)of->n_normal, sizeof *normal));
    EW_TRY_OUT(ew_new(&r.number, n_vertex, sizeof *r.number));
    EW_TRY_OUT(ew_new(&r.vertex, n_vertex, sizeof *r.vertex));
    EW_TRY_OUT(ew_new(&r.first_normal, n_vertex, sizeof *r.first_normal));
    EW_TRY_OUT(ew_new(&made.data, bound(frame), 1));
    ew_polygons_normals(of, frame->xyz, frame->has, normal);
    r.normal = normal;
    put_all(&made, &r);
    *text = made;
out:
    ew_release(normal);
    ew_release(r.number);
    ew_release(r.vertex);
    ew_release(r.first_normal);
    return status;
}
