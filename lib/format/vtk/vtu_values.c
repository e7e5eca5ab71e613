/* Numbers of an XML file of VTK. In: an array's tag. Out: its numbers, from text, from base64 in
 * its place, or from appended data, base64 or raw; inflated where the file is compressed. */
#include "format/vtk/inflate.h"
#include "format/vtk/vtu.h"

#include <string.h>

enum { MAX_RATIO = 1100 }; /* deflated data grow by no more (zlib: 1032) */

/* ---- bytes -------------------------------------------------------------------------------- */

static int digit_of(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

/* Base64 from *at to n bytes; padding ends a run, and the next one begins behind it. */
static ew_status decode(const ew_vtu *r, const char **at, const char *end, size_t n,
                        unsigned char *out)
{
    size_t done = 0;
    while (done < n) {
        int value[4], count = 0, padding = 0;
        while (count < 4 && *at < end) {
            const char c = *(*at)++;
            if (c == '=') {
                value[count++] = 0;
                padding++;
            } else if (digit_of(c) >= 0 && !padding) {
                value[count++] = digit_of(c);
            } else if ((unsigned char)c > ' ') {
                return ew_vtu_fail(r, *at - 1, "'%c' is no character of base64",
                                   c < 127 && c > ' ' ? c : '?');
            }
        }
        if (count < 4 || padding > 2) {
            return ew_vtu_fail(r, *at < r->end ? *at : r->end - 1, "the base64 data end too early");
        }
        const int bits = value[0] << 18 | value[1] << 12 | value[2] << 6 | value[3];
        for (int k = 0; k < 3 - padding && done < n; k++) {
            out[done++] = (unsigned char)(bits >> (16 - 8 * k));
        }
    }
    return EW_OK;
}

/* n bytes at *at, moved on. A run of base64 stands for as many bytes as are asked for. */
static ew_status take_bytes(const ew_vtu *r, bool raw, const char **at, const char *end, size_t n,
                            unsigned char *out)
{
    if (!raw) {
        return decode(r, at, end, n, out);
    }
    if ((size_t)(end - *at) < n) {
        return ew_vtu_fail(r, *at < r->end ? *at : r->end - 1, "the data end too early");
    }
    memcpy(out, *at, n);
    *at += n;
    return EW_OK;
}

static uint64_t head_number(const ew_vtu *r, const unsigned char *at)
{
    const size_t size = r->wide_head ? 8 : 4;
    uint64_t value = 0;
    for (size_t k = 0; k < size; k++) {
        value |= (uint64_t)at[r->swap ? size - 1 - k : k] << (8 * k);
    }
    return value;
}

/* Blocks of an array, whose compressed sizes stand behind the count, the size of all but the last,
 * and that of the last where it is another. */
typedef struct blocks {
    uint64_t n, size, last;
    unsigned char *sizes; /* owned */
} blocks;

static ew_status inflate_all(const ew_vtu *r, const blocks *b, bool raw, const char **at,
                             const char *end, unsigned char *out)
{
    const size_t head = r->wide_head ? 8 : 4;
    unsigned char *packed = NULL;
    uint64_t all = 0;
    for (uint64_t i = 0; i < b->n; i++) {
        all += head_number(r, b->sizes + i * head);
        if (all > (uint64_t)(end - *at)) {
            return ew_vtu_fail(r, *at, "the compressed data end too early");
        }
    }
    EW_TRY(ew_new(&packed, (size_t)all, 1));
    ew_status status = take_bytes(r, raw, at, end, (size_t)all, packed);
    const unsigned char *from = packed;
    for (uint64_t i = 0; i < b->n && !status; i++) {
        const size_t n = (size_t)head_number(r, b->sizes + i * head);
        const size_t size = (size_t)(i == b->n - 1 && b->last ? b->last : b->size);
        if (ew_inflate(from, n, out, size)) {
            status = ew_vtu_fail(r, *at < r->end ? *at : r->end - 1, "%s", ew_last_failure()->text);
        }
        from += n;
        out += size;
    }
    ew_release(packed);
    return status;
}

static ew_status read_compressed(const ew_vtu *r, bool raw, const char *at, const char *end,
                                 size_t need, unsigned char *out)
{
    const size_t head = r->wide_head ? 8 : 4;
    unsigned char first[24];
    blocks b = {0};
    const char *begin = at;
    EW_TRY(take_bytes(r, raw, &at, end, 3 * head, first));
    b.n = head_number(r, first);
    b.size = head_number(r, first + head);
    b.last = head_number(r, first + 2 * head);
    if (b.n > (uint64_t)(end - begin) / head ||
        (b.n ? (b.n - 1) * (b.size < need + 1 ? b.size : need + 1) + (b.last ? b.last : b.size)
             : 0) != need) {
        return ew_vtu_fail(r, begin, "the sizes of compressed blocks do not fit the array");
    }
    /* the head is one run of base64, so it is read from its begin */
    EW_TRY(ew_new(&b.sizes, (size_t)(b.n + 3) * head, 1));
    at = begin;
    ew_status status = take_bytes(r, raw, &at, end, (size_t)(b.n + 3) * head, b.sizes);
    if (!status) {
        memmove(b.sizes, b.sizes + 3 * head, (size_t)b.n * head);
        status = inflate_all(r, &b, raw, &at, end, out);
    }
    ew_release(b.sizes);
    return status;
}

/* The size and the numbers, in one run of base64 or in two. */
static ew_status read_plain(const ew_vtu *r, bool raw, const char *at, const char *end, size_t need,
                            unsigned char *out)
{
    const size_t head = r->wide_head ? 8 : 4;
    const char *begin = at;
    unsigned char *all = NULL;
    if (need + head > (size_t)(end - at)) {
        return ew_vtu_fail(r, at, "the data end too early");
    }
    EW_TRY(ew_new(&all, need + head, 1));
    ew_status status = take_bytes(r, raw, &at, end, need + head, all);
    if (!status && head_number(r, all) != need) {
        status = ew_vtu_fail(r, begin, "an array of %llu bytes where it should have %zu",
                             (unsigned long long)head_number(r, all), need);
    }
    if (!status) {
        memcpy(out, all + head, need);
    }
    ew_release(all);
    return status;
}

/* ---- arrays ------------------------------------------------------------------------------------
 */

static ew_status type_of(const ew_vtu *r, const ew_vtu_tag *t, ew_vtk_type *type)
{
    static const char *const names[] = {"Int8",   "UInt8", "Int16",  "UInt16",  "Int32",
                                        "UInt32", "Int64", "UInt64", "Float32", "Float64"};
    char text[EW_GROUP_NAME];
    ew_vtu_attribute(t, "type", text);
    for (int i = 0; i < 10; i++) {
        if (!strcmp(text, names[i])) {
            *type = (ew_vtk_type)i;
            return EW_OK;
        }
    }
    return ew_vtu_fail(r, t->name, "type='%.40s' is no type of numbers", text);
}

static ew_status read_ascii(const ew_vtu *r, const char *at, const char *end, int64_t n,
                            double *value)
{
    ew_scan scan = {at, end, 1, ""};
    for (int64_t i = 0; i < n; i++) {
        ew_scan_anywhere(&scan);
        if (ew_scan_real(&scan, "a number", &value[i])) {
            return ew_vtu_fail(r, scan.at < r->end ? scan.at : r->end - 1, "%s",
                               ew_last_failure()->text);
        }
    }
    return EW_OK;
}

static ew_status read_bytes(const ew_vtu *r, const ew_vtu_tag *t, ew_vtk_type type, int64_t n,
                            double *value)
{
    char format[EW_GROUP_NAME];
    const size_t need = (size_t)n * ew_vtk_size(type);
    const char *at = t->end + 1, *end = memchr(at, '<', (size_t)(r->end - at));
    bool raw = false;
    ew_vtu_attribute(t, "format", format);
    if (!strcmp(format, "appended")) {
        int64_t offset;
        EW_TRY(ew_vtu_whole(r, t, "offset", true, &offset));
        if (!r->appended || offset > r->end - r->appended) {
            return ew_vtu_fail(r, t->name, "offset %lld lies beyond the appended data",
                               (long long)offset);
        }
        at = r->appended + offset;
        end = r->end;
        raw = r->appended_is_raw;
    } else if (strcmp(format, "binary") != 0) {
        return ew_vtu_fail(r, t->name, "format='%.40s'; ascii, binary and appended are read",
                           format);
    }
    unsigned char *bytes = NULL;
    EW_TRY(ew_new(&bytes, need, 1));
    end = end ? end : r->end;
    ew_status status = need == 0       ? EW_OK
                       : r->compressed ? read_compressed(r, raw, at, end, need, bytes)
                                       : read_plain(r, raw, at, end, need, bytes);
    if (!status) {
        ew_vtk_values(bytes, type, r->swap, n, value);
    }
    ew_release(bytes);
    return status;
}

/* n numbers of an array. */
ew_status ew_vtu_read_array(const ew_vtu *r, const ew_vtu_tag *t, int64_t n, ew_vtk_array *to)
{
    char format[EW_GROUP_NAME];
    ew_vtk_type type = EW_VTK_INT8;
    EW_TRY(type_of(r, t, &type));
    ew_vtu_attribute(t, "format", format);
    const int64_t bytes = r->end - r->data;
    const bool ascii = !strcmp(format, "ascii");
    const bool packed = !ascii && r->compressed;
    if (n > (packed ? bytes * MAX_RATIO : bytes) || to->value) {
        return ew_vtu_fail(r, t->name,
                           to->value ? "an array that is there already"
                                     : "more numbers than the file can hold");
    }
    EW_TRY(ew_new(&to->value, (size_t)n, sizeof *to->value));
    to->n = n;
    const char *at = t->end + 1, *end = memchr(at, '<', (size_t)(r->end - at));
    return ascii ? read_ascii(r, at, end ? end : r->end, n, to->value)
                 : read_bytes(r, t, type, n, to->value);
}
