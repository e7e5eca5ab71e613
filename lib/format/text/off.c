/* OFF (Geomview's manual, object file format). In: the word OFF, which may be missing or
 * carry the prefixes ST, C, N of further vertex data, three counts on its line or the next;
 * then a vertex or a polygon per line, further data on the line passed over. Polygons are
 * fanned from their first vertex. */
#include "format/framework/surface.h"

#include <string.h>

/* Passes over the header's word. */
static ew_status read_header(ew_scan *scan)
{
    static const char *const known[] = {"off",   "coff",   "noff",   "stoff",
                                        "cnoff", "stcoff", "stnoff", "stcnoff"};
    char word[EW_WORD];
    ew_scan_anywhere(scan);
    ew_scan here = *scan;
    ew_scan_word(scan, word);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(word, known[i]) == 0) {
            ew_scan next = *scan;
            ew_scan_word(&next, word);
            return strcmp(word, "binary") == 0
                       ? ew_scan_fail(&here, "a binary OFF file; only text is read")
                       : EW_OK;
        }
    }
    if (word[0] != 0 && strspn(word, "0123456789") == strlen(word)) {
        *scan = here;
        return EW_OK;
    }
    return ew_scan_fail(&here, "an OFF file begins with 'OFF'; this one begins with '%s'", word);
}

static ew_status read_corner_count(ew_scan *scan, int64_t *n)
{
    if (!ew_scan_anywhere(scan)) {
        return ew_scan_fail(scan, "the file ends before all faces are read");
    }
    return ew_scan_int(scan, "the count of a face's vertices", 3, INT32_MAX, n);
}

/* Triangles of the faces: they are counted before anything is allocated. */
static ew_status count_triangles(ew_scan scan, int32_t n_face, int64_t *n_triangle)
{
    *n_triangle = 0;
    for (int32_t i = 0; i < n_face; i++) {
        int64_t n;
        EW_TRY(read_corner_count(&scan, &n));
        ew_scan here = scan;
        ew_scan_leave_line(&scan);
        if (n > (scan.at - here.at) / 2 + 1) {
            return ew_scan_fail(&here, "a face of %lld vertices on a line that cannot hold them",
                                (long long)n);
        }
        *n_triangle += n - 2;
    }
    return EW_OK;
}

static ew_status read_faces(ew_scan *scan, int32_t n_face, ew_surface *surface)
{
    int32_t *to = surface->triangle;
    for (int32_t i = 0; i < n_face; i++) {
        int64_t n, v, first = 0, before = 0;
        EW_TRY(read_corner_count(scan, &n));
        for (int64_t k = 0; k < n; k++) {
            EW_TRY(ew_scan_int(scan, "a face's vertex", 0, (int64_t)surface->n_vertex - 1, &v));
            if (k == 0) {
                first = v;
            } else if (k > 1) {
                *to++ = (int32_t)first;
                *to++ = (int32_t)before;
                *to++ = (int32_t)v;
            }
            before = v;
        }
        ew_scan_leave_line(scan);
    }
    return EW_OK;
}

static ew_status read_surface(const ew_bytes *file, ew_surface *surface, int32_t *n_welded,
                              ew_groups *groups)
{
    (void)groups;
    ew_scan scan = ew_scan_begin(file->data, file->size, "");
    int32_t n_vertex, n_face;
    int64_t n_triangle;
    *n_welded = 0;
    EW_TRY(read_header(&scan));
    ew_scan_anywhere(&scan);
    EW_TRY(ew_scan_count(&scan, "the count of vertices", EW_MIN_BYTES(3), &n_vertex));
    EW_TRY(ew_scan_count(&scan, "the count of faces", EW_MIN_BYTES(4), &n_face));
    ew_scan_leave_line(&scan); /* the count of edges is not used */
    ew_scan vertices = scan;
    for (int32_t i = 0; i < n_vertex && ew_scan_anywhere(&scan); i++) {
        ew_scan_leave_line(&scan);
    }
    EW_TRY(count_triangles(scan, n_face, &n_triangle));
    EW_TRY(ew_surface_allocate(surface, n_vertex, n_triangle));
    for (int32_t i = 0; i < n_vertex; i++) {
        ew_scan_anywhere(&vertices);
        EW_TRY(ew_scan_point(&vertices, surface->xyz + 3 * (size_t)i));
        ew_scan_leave_line(&vertices);
    }
    return read_faces(&scan, n_face, surface);
}

const ew_format ew_format_off = {
    .name = "OFF",
    .holds = "a surface",
    .endings = ".off",
    .n_file = 1,
    .n_needed = 1,
    .read_surface = read_surface,
};
