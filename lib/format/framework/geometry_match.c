/* The face or solid that a geometry tells of. In: what a body has, what is known of one. Out: the
 * one that deviates least, and by what. */
#include "format/parts/format.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { N_DEVIATION = 4 };
/* Below it nothing is said of a deviation: numbers are written with few digits, and the area of
 * triangles depends on their size. */
static const double same = 1e-3;

/* What deviates, as shares: place, direction, radius, size. */
typedef struct deviation {
    double share[N_DEVIATION], sum, worst;
} deviation;

static double share_of(double a, double b)
{
    return fabs(a - b) / fmax(fmax(fabs(a), fabs(b)), 1e-300);
}

static double angle_share(const ew_geometry *one, const double *direction)
{
    double sum = 0, length = 0;
    for (int c = 0; c < 3; c++) {
        sum += one->direction[c] * direction[c];
        length += direction[c] * direction[c];
    }
    sum /= sqrt(length);
    sum = one->kind == EW_GEOMETRY_PLANE ? sum : fabs(sum); /* axes point either way */
    return acos(fmax(-1.0, fmin(1.0, sum))) / acos(0.0);
}

static deviation deviate(const ew_geometry_list *list, const ew_geometry *one,
                         const ew_geometry_query *query)
{
    const double *x = one->centroid, *y = query->near, *d = query->direction;
    deviation of = {{0}, 0, 0};
    of.share[0] =
        hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]) / fmax(list->diagonal, 1e-300);
    of.share[1] = d[0] != 0 || d[1] != 0 || d[2] != 0 ? angle_share(one, d) : 0;
    of.share[2] = query->radius > 0 ? share_of(one->radius, query->radius) : 0;
    of.share[3] = query->size > 0 ? 0.5 * share_of(one->size, query->size) : 0;
    for (int i = 0; i < N_DEVIATION; i++) {
        of.sum += of.share[i] * of.share[i];
        of.worst = fmax(of.worst, of.share[i]);
    }
    of.sum = sqrt(of.sum);
    return of;
}

static void append(char text[EW_GEOMETRY_TEXT], const char *format, ...)
{
    const size_t n = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + n, EW_GEOMETRY_TEXT - n, format, list);
    va_end(list);
}

/* "face 9: moved by 2, radius 4.5 -> 5" */
static void tell(const ew_geometry_list *list, const ew_geometry *one,
                 const ew_geometry_query *query, const deviation *of, char text[EW_GEOMETRY_TEXT])
{
    const bool is_solid = one->kind == EW_GEOMETRY_SOLID;
    text[0] = 0;
    append(text, "%s %d", is_solid ? "solid" : "face", (int)one->number);
    const char *comma = ":";
    if (of->share[0] > same) {
        append(text, "%s moved by %.4g to (%.5g, %.5g, %.5g)", comma, of->share[0] * list->diagonal,
               one->centroid[0], one->centroid[1], one->centroid[2]);
        comma = ",";
    }
    if (of->share[1] > same) {
        append(text, "%s turned by %.3g degrees", comma, 90 * of->share[1]);
        comma = ",";
    }
    if (of->share[2] > same) {
        append(text, "%s radius %.5g -> %.5g", comma, query->radius, one->radius);
        comma = ",";
    }
    if (of->share[3] > same) {
        append(text, "%s %s %.5g -> %.5g", comma, is_solid ? "volume" : "area", query->size,
               one->size);
    }
}

static bool is_asked(const ew_geometry *one, const ew_geometry_query *query)
{
    return query->kind < 0 ? one->kind != EW_GEOMETRY_SOLID : (int32_t)one->kind == query->kind;
}

static const char *kind_asked(const ew_geometry_query *query)
{
    return query->kind < 0 ? "face" : ew_geometry_kind_name((ew_geometry_kind)query->kind);
}

static ew_status fail_none(const ew_geometry_list *list, const ew_geometry_query *query,
                           const ew_geometry *nearest, const deviation *of)
{
    char text[EW_GEOMETRY_TEXT];
    if (!nearest) {
        return ew_fail(EW_BAD_INPUT, "the body has no %s; 'edgewise info' lists what it has",
                       kind_asked(query));
    }
    tell(list, nearest, query, of, text);
    return ew_fail(EW_BAD_INPUT,
                   "no %s is like this within the tolerance %g; the nearest is %s; 'edgewise info' "
                   "lists what the body has",
                   kind_asked(query), query->tolerance, text);
}

/* Whether one deviates clearly less than the other in what they do not have in common: where all
 * holes became wider, their places tell which is which. */
static bool is_clear(const deviation *one, const deviation *other)
{
    double a = 0, b = 0;
    for (int i = 0; i < N_DEVIATION; i++) {
        if (fabs(one->share[i] - other->share[i]) > same) {
            a += one->share[i] * one->share[i];
            b += other->share[i] * other->share[i];
        }
    }
    return b > 0 && b >= 4 * a;
}

static ew_status refuse_second(const ew_geometry_list *list, const ew_geometry_query *query,
                               const ew_geometry *best, const deviation *of_best)
{
    for (int32_t i = 0; i < list->n; i++) {
        const ew_geometry *one = &list->of[i];
        const deviation of = deviate(list, one, query);
        if (one != best && is_asked(one, query) && of.worst <= query->tolerance &&
            !is_clear(of_best, &of)) {
            return ew_fail(EW_BAD_INPUT,
                           "%ss %d and %d are about equally like this; change 'near', or add what "
                           "tells them apart",
                           query->kind == EW_GEOMETRY_SOLID ? "solid" : "face", (int)best->number,
                           (int)one->number);
        }
    }
    return EW_OK;
}

ew_status ew_geometry_match(const ew_geometry_list *list, const ew_geometry_query *query,
                            const ew_geometry **found, char change[EW_GEOMETRY_TEXT])
{
    const ew_geometry *best = NULL, *nearest = NULL;
    deviation of_best = {{0}, 0, 0}, of_nearest = of_best;
    for (int32_t i = 0; i < list->n; i++) {
        const ew_geometry *one = &list->of[i];
        const deviation of = deviate(list, one, query);
        if (is_asked(one, query) && (!nearest || of.sum < of_nearest.sum)) {
            nearest = one;
            of_nearest = of;
        }
        if (is_asked(one, query) && of.worst <= query->tolerance &&
            (!best || of.sum < of_best.sum)) {
            best = one;
            of_best = of;
        }
    }
    if (!best) {
        return fail_none(list, query, nearest, &of_nearest);
    }
    EW_TRY(refuse_second(list, query, best, &of_best));
    change[0] = 0;
    if (of_best.worst > same) {
        tell(list, best, query, &of_best, change);
    }
    *found = best;
    return EW_OK;
}
