/* Numbers of a Gmsh file, as text or as bytes of this machine's order, and the ends of its
 * sections. In: what is left of the file. Out: a number in its range, or the line at fault. */
#include "format/gmsh/gmsh.h"

#include <math.h>
#include <string.h>

ew_status ew_gmsh_take(ew_gmsh *r, size_t bytes, void *value)
{
    if ((size_t)(r->scan.end - r->scan.at) < bytes) {
        return ew_scan_fail(&r->scan, "the file ends in the middle of its binary data");
    }
    memcpy(value, r->scan.at, bytes);
    r->scan.at += bytes;
    return EW_OK;
}

ew_status ew_gmsh_int(ew_gmsh *r, const char *what, size_t bytes, int64_t low, int64_t high,
                      int64_t *value)
{
    if (!r->binary) {
        ew_scan_anywhere(&r->scan);
        return ew_scan_int(&r->scan, what, low, high, value);
    }
    int32_t narrow = 0;
    EW_TRY(ew_gmsh_take(r, bytes, bytes == 4 ? (void *)&narrow : (void *)value));
    *value = bytes == 4 ? narrow : *value;
    return *value >= low && *value <= high
               ? EW_OK
               : ew_scan_fail(&r->scan, "%s is %lld; expected a whole number from %lld to %lld",
                              what, (long long)*value, (long long)low, (long long)high);
}

ew_status ew_gmsh_real(ew_gmsh *r, const char *what, double *value)
{
    if (r->binary) {
        EW_TRY(ew_gmsh_take(r, sizeof *value, value));
        return isfinite(*value)
                   ? EW_OK
                   : ew_scan_fail(&r->scan, "%s in the binary data is not finite", what);
    }
    ew_scan_anywhere(&r->scan);
    return ew_scan_real(&r->scan, what, value);
}

ew_status ew_gmsh_count(ew_gmsh *r, const char *what, size_t bytes_of_count, size_t bytes,
                        int32_t *count)
{
    int64_t n;
    EW_TRY(ew_gmsh_int(r, what, bytes_of_count, 0, INT32_MAX, &n));
    if ((uint64_t)n > (uint64_t)(r->scan.end - r->scan.at) / bytes) {
        return ew_scan_fail(&r->scan, "%s is %lld, more than the rest of the file can hold", what,
                            (long long)n);
    }
    *count = (int32_t)n;
    return EW_OK;
}

ew_status ew_gmsh_leave(ew_gmsh *r, const char *name)
{
    char ending[EW_WORD + 8] = "$End";
    if (!strcmp(name, "NOD") || !strcmp(name, "ELM")) {
        strcpy(ending, "$END");
    }
    strncat(ending, name, EW_WORD);
    const size_t length = strlen(ending);
    for (const char *at = r->scan.at; (size_t)(r->scan.end - at) >= length; at++) {
        at = memchr(at, '$', (size_t)(r->scan.end - at));
        if (!at || (size_t)(r->scan.end - at) < length) {
            break;
        }
        if (!memcmp(at, ending, length)) {
            for (const char *p = r->scan.at; p < at && !r->binary; p++) {
                r->scan.line += *p == '\n';
            }
            r->scan.at = at + length;
            ew_scan_leave_line(&r->scan);
            return EW_OK;
        }
    }
    return ew_scan_fail(&r->scan, "the file ends without %s", ending);
}

ew_status ew_gmsh_text_count(ew_gmsh *r, const char *what, int32_t *n)
{
    const bool binary = r->binary;
    r->binary = false;
    const ew_status status = ew_gmsh_count(r, what, 4, EW_MIN_BYTES(4), n);
    r->binary = binary;
    if (binary) {
        ew_scan_leave_line(&r->scan);
    }
    return status;
}

ew_status ew_gmsh_head(ew_gmsh *r, int32_t *n_block)
{
    int64_t passed;
    EW_TRY(ew_gmsh_count(r, "the count of blocks", 8, EW_MIN_BYTES(4), n_block));
    for (int i = 0; i < 3; i++) {
        EW_TRY(ew_gmsh_int(r, "a count or number", 8, 0, INT64_MAX, &passed));
    }
    return EW_OK;
}
