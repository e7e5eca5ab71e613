/* STL (3D Systems 1989, stereolithography interface specification), text and binary. In:
 * separate triangles. Out: triangles on shared vertices: points equal bit for bit are one (-0
 * equals 0). Normals are passed over; the corners' order says which side is out. A binary file
 * is told by its size, 84 + 50 n bytes, since some begin with "solid" too. */
#include "format/framework/surface.h"

#include <math.h>
#include <string.h>

/* ---- welding ----------------------------------------------------------- */

typedef struct weld {
    ew_surface *surface;
    ew_groups *groups;
    int32_t vertex_capacity, triangle_capacity, label_capacity;
    int32_t *slot;   /* [n_slot] owned: vertex or -1; open addressing */
    uint32_t n_slot; /* a power of 2, more than twice the vertices */
} weld;

static uint32_t hash_point(const double xyz[3])
{
    uint64_t bits[3], h = 0;
    memcpy(bits, xyz, sizeof bits);
    for (int i = 0; i < 3; i++) {
        h = (h ^ bits[i]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 32;
    }
    return (uint32_t)(h ^ (h >> 16));
}

/* The point's place in the table: its own, or a free one. */
static uint32_t find_slot(const weld *w, const double xyz[3])
{
    uint32_t k = hash_point(xyz) & (w->n_slot - 1);
    while (w->slot[k] >= 0 &&
           memcmp(w->surface->xyz + 3 * (size_t)w->slot[k], xyz, 3 * sizeof *xyz) != 0) {
        k = (k + 1) & (w->n_slot - 1);
    }
    return k;
}

static ew_status grow_table(weld *w)
{
    uint32_t n = w->n_slot > 0 ? 2 * w->n_slot : 64;
    int32_t *slot = NULL;
    if (n == 0 || w->surface->n_vertex >= INT32_MAX / 4) {
        return ew_fail(EW_LIMIT, "STL: more than %d points", INT32_MAX / 4);
    }
    EW_TRY(ew_new(&slot, n, sizeof *slot));
    memset(slot, 0xff, n * sizeof *slot);
    ew_release(w->slot);
    w->slot = slot;
    w->n_slot = n;
    for (int32_t v = 0; v < w->surface->n_vertex; v++) {
        w->slot[find_slot(w, w->surface->xyz + 3 * (size_t)v)] = v;
    }
    return EW_OK;
}

static ew_status add_point(weld *w, double xyz[3], int32_t *vertex)
{
    ew_surface *surface = w->surface;
    if (2 * (uint64_t)surface->n_vertex + 2 > w->n_slot) {
        EW_TRY(grow_table(w));
    }
    for (int i = 0; i < 3; i++) {
        xyz[i] += 0.0; /* -0 becomes 0 */
    }
    uint32_t k = find_slot(w, xyz);
    if (w->slot[k] < 0) {
        EW_TRY(ew_grow(&surface->xyz, &w->vertex_capacity, (int64_t)surface->n_vertex + 1,
                       3 * sizeof(double)));
        memcpy(surface->xyz + 3 * (size_t)surface->n_vertex, xyz, 3 * sizeof *xyz);
        w->slot[k] = surface->n_vertex++;
    }
    *vertex = w->slot[k];
    return EW_OK;
}

static ew_status add_triangle(weld *w, double xyz[3][3], int32_t label)
{
    ew_surface *surface = w->surface;
    int64_t n = (int64_t)surface->n_triangle + 1;
    EW_TRY(ew_grow(&surface->triangle, &w->triangle_capacity, n, 3 * sizeof(int32_t)));
    EW_TRY(ew_grow(&surface->label, &w->label_capacity, n, sizeof(int32_t)));
    for (int i = 0; i < 3; i++) {
        EW_TRY(add_point(w, xyz[i], surface->triangle + 3 * (size_t)surface->n_triangle + i));
    }
    surface->label[surface->n_triangle++] = label;
    return EW_OK;
}

/* ---- binary ------------------------------------------------------------ */

static uint32_t read_u32(const char *at)
{
    const unsigned char *p = (const unsigned char *)at;
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static ew_status read_binary(const char *data, uint32_t n, weld *w)
{
    for (uint32_t i = 0; i < n; i++) {
        const char *at = data + 84 + 50 * (size_t)i + 12;
        double xyz[3][3];
        for (int k = 0; k < 9; k++) {
            uint32_t bits = read_u32(at + 4 * k);
            float value;
            memcpy(&value, &bits, sizeof value);
            xyz[k / 3][k % 3] = (double)value;
            if (!isfinite(value)) {
                return ew_fail(EW_BAD_INPUT,
                               "triangle %u, byte %zu: a coordinate is not a finite number", i,
                               (size_t)(at - data) + 4 * (size_t)k);
            }
        }
        EW_TRY(add_triangle(w, xyz, 1));
    }
    return EW_OK;
}

/* ---- text -------------------------------------------------------------- */

static ew_status expect(ew_scan *scan, const char *wanted)
{
    char word[EW_WORD];
    ew_scan_anywhere(scan);
    ew_scan here = *scan;
    ew_scan_word(scan, word);
    if (strcmp(word, wanted) == 0) {
        return EW_OK;
    }
    if (word[0] == 0) {
        return ew_scan_fail(&here, "the file ends where '%s' should be", wanted);
    }
    return ew_scan_fail(&here, "'%s' where '%s' should be", word, wanted);
}

/* From behind the word "facet". */
static ew_status read_facet(ew_scan *scan, int32_t label, weld *w)
{
    char word[EW_WORD];
    double xyz[3][3];
    EW_TRY(expect(scan, "normal"));
    for (int i = 0; i < 3; i++) {
        ew_scan_anywhere(scan);
        ew_scan_word(scan, word);
    }
    EW_TRY(expect(scan, "outer"));
    EW_TRY(expect(scan, "loop"));
    for (int i = 0; i < 3; i++) {
        EW_TRY(expect(scan, "vertex"));
        EW_TRY(ew_scan_point(scan, xyz[i]));
    }
    EW_TRY(expect(scan, "endloop"));
    EW_TRY(expect(scan, "endfacet"));
    return add_triangle(w, xyz, label);
}

/* Each solid of the file gets a label of its own, from 1, and its name; those of one name share it.
 */
static ew_status read_text(ew_scan *scan, weld *w)
{
    char word[EW_WORD];
    int32_t n_label = 0, label;
    while (ew_scan_anywhere(scan)) {
        EW_TRY(expect(scan, "solid"));
        const char *name = scan->at;
        ew_scan_leave_line(scan);
        EW_TRY(ew_surface_name_label(w->groups, name, (size_t)(scan->at - name), &n_label, &label));
        for (;;) {
            ew_scan_anywhere(scan);
            ew_scan here = *scan;
            ew_scan_word(scan, word);
            if (strcmp(word, "endsolid") == 0) {
                ew_scan_leave_line(scan);
                break;
            }
            if (strcmp(word, "facet") != 0) {
                return ew_scan_fail(&here, "%s'%s' where 'facet' or 'endsolid' should be",
                                    word[0] ? "" : "the file ends, ", word);
            }
            EW_TRY(read_facet(scan, label, w));
        }
    }
    return EW_OK;
}

static ew_status read_either(const char *data, size_t size, weld *w)
{
    char word[EW_WORD];
    uint32_t n = size >= 84 ? read_u32(data + 80) : 0;
    if (size >= 84 && size == 84 + 50 * (uint64_t)n) {
        return read_binary(data, n, w);
    }
    ew_scan scan = ew_scan_begin(data, size, ""), begin = scan;
    ew_scan_anywhere(&begin);
    ew_scan_word(&begin, word);
    if (strcmp(word, "solid") == 0) {
        return read_text(&scan, w);
    }
    return ew_scan_fail(&scan,
                        "a text STL file begins with 'solid', a binary one has 84 + 50 n "
                        "bytes; this one has %zu bytes and a count of %u triangles",
                        size, n);
}

static ew_status read_surface(const ew_bytes *file, ew_surface *surface, int32_t *n_welded,
                              ew_groups *groups)
{
    weld w = {.surface = surface, .groups = groups};
    ew_status status = read_either(file->data, file->size, &w);
    ew_release(w.slot);
    EW_TRY(status);
    int64_t merged = 3 * (int64_t)surface->n_triangle - surface->n_vertex;
    *n_welded = merged > INT32_MAX ? INT32_MAX : (int32_t)merged;
    return EW_OK;
}

const ew_format ew_format_stl = {
    .name = "STL",
    .holds = "a surface, ASCII or binary; solids and their names",
    .endings = ".stl",
    .n_file = 1,
    .n_needed = 1,
    .read_surface = read_surface,
};
