/* Parameters of meshing CAD files: presets, checks, and the endings of the files. */
#include "cad/internal.h"

#include <math.h>
#include <string.h>

ew_cad_def ew_default_cad_def(void)
{
    return (ew_cad_def){.growth = 0.3,
                        .quality = 0.3,
                        .order = 1,
                        .algorithm = EW_CAD_HXT,
                        .max_seconds = 600,
                        .max_memory = 16};
}

/* A word of a list, separated by spaces, whole and in any case. */
static bool is_word(const char *words, const char *text, size_t length, bool any_case)
{
    for (const char *at = words; *at;) {
        const size_t n = strcspn(at, " ");
        bool same = n == length;
        for (size_t i = 0; same && i < n; i++) {
            const char c = text[i];
            same = at[i] == (any_case && c >= 'A' && c <= 'Z' ? (char)(c + 32) : c);
        }
        if (same) {
            return true;
        }
        at += n;
        at += strspn(at, " ");
    }
    return false;
}

static bool ends_as(const char *path, const char *endings)
{
    const char *dot = strrchr(path, '.');
    return dot && is_word(endings, dot, strlen(dot), true);
}

bool ew_cad_reads(const char *path)
{
    return ends_as(path, EW_CAD_ENDINGS);
}

static ew_status check_number(const char *name, double value, double low, double high)
{
    return value >= low && value <= high
               ? EW_OK
               : ew_fail(EW_BAD_ARGUMENT, "%s is %g; it must be in [%g, %g]", name, value, low,
                         high);
}

static ew_status check_sizes(const ew_cad_def *def)
{
    for (int32_t i = 0; i < def->n_size; i++) {
        const ew_cad_size *one = &def->sizes[i];
        if (!one->face || !*one->face || strlen(one->face) >= EW_GROUP_NAME) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "sizes: face %d has no name; give the name or the "
                           "number of a face",
                           (int)i + 1);
        }
        if (!(one->size > 0 && one->size <= 1e300)) {
            return ew_fail(EW_BAD_ARGUMENT, "size of face '%s' is %g; it must be greater than 0",
                           one->face, one->size);
        }
    }
    return EW_OK;
}

ew_status ew_cad_def_check(const ew_cad_def *def)
{
    const char *unit = def->unit ? def->unit : "mm";
    EW_TRY(check_number("size", def->size, 0, 1e300));
    EW_TRY(check_number("min_size", def->min_size, 0, 1e300));
    EW_TRY(check_number("curvature", def->curvature, 0, 1000));
    EW_TRY(check_number("growth", def->growth, 0.01, 10));
    EW_TRY(check_number("quality", def->quality, 0.1, 0.9));
    EW_TRY(check_number("sew", def->sew, 0, 1e300));
    EW_TRY(check_number("max_seconds", def->max_seconds, 0, 1e9));
    EW_TRY(check_number("max_memory", def->max_memory, 0, 1e9));
    if (def->order != 1 && def->order != 2) {
        return ew_fail(EW_BAD_ARGUMENT, "order is %d; it must be 1 or 2", (int)def->order);
    }
    if (!is_word(EW_CAD_UNITS, unit, strlen(unit), false)) {
        return ew_fail(EW_BAD_ARGUMENT, "unit is '%s'; it must be one of: " EW_CAD_UNITS, unit);
    }
    return check_sizes(def);
}
