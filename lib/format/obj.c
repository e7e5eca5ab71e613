/* Wavefront OBJ (Wavefront, Advanced Visualizer manual, appendix B1). In: lines 'v x y z' and
 * 'f a b c ...' with corners a, a/t, a//n or a/t/n, numbered from 1, or from -1 backwards;
 * all other lines are passed over. Polygons are fanned from their first corner. A first pass
 * counts, a second one reads. */
#include "format/surface.h"

#include <string.h>

typedef enum line_kind { line_vertex, line_face, line_other } line_kind;

static line_kind begin_line(ew_scan *scan)
{
    char word[EW_WORD];
    ew_scan_word(scan, word);
    return strcmp(word, "v") == 0 ? line_vertex : strcmp(word, "f") == 0 ? line_face : line_other;
}

static ew_status count_lines(ew_scan scan, int64_t *n_vertex, int64_t *n_triangle)
{
    *n_vertex = *n_triangle = 0;
    while (ew_scan_anywhere(&scan)) {
        char word[EW_WORD];
        int64_t n = 0;
        line_kind kind = begin_line(&scan);
        *n_vertex += kind == line_vertex;
        if (kind == line_face) {
            for (; ew_scan_on_line(&scan); n++) {
                ew_scan_word(&scan, word);
            }
            if (n < 3) {
                return ew_scan_fail(&scan, "a face of %lld corners; it needs at least 3",
                                    (long long)n);
            }
            *n_triangle += n - 2;
        }
        ew_scan_leave_line(&scan);
    }
    return EW_OK;
}

/* The vertex of a corner; what follows a slash is not used. */
static ew_status read_corner(ew_scan *scan, int32_t n_before, int32_t n_vertex, int32_t *vertex)
{
    ew_scan_on_line(scan);
    ew_scan here = *scan, part;
    char word[EW_WORD];
    int64_t value;
    ew_scan_word(scan, word);
    const char *slash = memchr(here.at, '/', (size_t)(scan->at - here.at));
    part = here;
    part.end = slash ? slash : scan->at;
    EW_TRY(ew_scan_int(&part, "a face's vertex", -(int64_t)n_before, n_vertex, &value));
    if (value == 0) {
        return ew_scan_fail(&here, "a face's vertex is 0; vertices are numbered from 1");
    }
    *vertex = (int32_t)(value > 0 ? value - 1 : n_before + value);
    return EW_OK;
}

static ew_status read_face(ew_scan *scan, int32_t n_before, const ew_surface *surface, int32_t **to)
{
    int32_t first = 0, before = 0, v = 0;
    for (int64_t k = 0; ew_scan_on_line(scan); k++) {
        EW_TRY(read_corner(scan, n_before, surface->n_vertex, &v));
        if (k == 0) {
            first = v;
        } else if (k > 1) {
            *(*to)++ = first;
            *(*to)++ = before;
            *(*to)++ = v;
        }
        before = v;
    }
    return EW_OK;
}

static ew_status read_surface(const ew_bytes *file, ew_surface *surface, int32_t *n_welded)
{
    ew_scan scan = ew_scan_begin(file->data, file->size, "");
    int64_t n_vertex, n_triangle;
    *n_welded = 0;
    EW_TRY(count_lines(scan, &n_vertex, &n_triangle));
    if (n_triangle == 0) {
        return ew_scan_fail(&scan, "no faces ('f' lines) in the file");
    }
    EW_TRY(ew_surface_allocate(surface, n_vertex, n_triangle));
    int32_t n = 0;
    int32_t *to = surface->triangle;
    while (ew_scan_anywhere(&scan)) {
        line_kind kind = begin_line(&scan);
        if (kind == line_vertex) {
            EW_TRY(ew_scan_point(&scan, surface->xyz + 3 * (size_t)n++));
        } else if (kind == line_face) {
            EW_TRY(read_face(&scan, n, surface, &to));
        }
        ew_scan_leave_line(&scan);
    }
    return EW_OK;
}

const ew_format ew_format_obj = {
    .name = "OBJ",
    .holds = "a surface; polygons are fanned",
    .endings = ".obj",
    .n_file = 1,
    .n_needed = 1,
    .read_surface = read_surface,
};
