/* Where vertices or tets are chosen on the command line: the options given, as the library's
 * selector. */
#include "selection.h"

#include <stdlib.h>
#include <string.h>

void selection_options(selection *where, tool_option option[N_SELECTION_OPTION])
{
    const tool_option rows[N_SELECTION_OPTION] = {
        {.name = "box",
         .kind = TOOL_VECTOR,
         .value = where->box,
         .count = 6,
         .argument = "X,Y,Z,X,Y,Z",
         .given = &where->has_box,
         .help = "two corners, low and high"},
        {.name = "sphere",
         .kind = TOOL_VECTOR,
         .value = where->sphere,
         .count = 4,
         .argument = "X,Y,Z,R",
         .given = &where->has_sphere,
         .help = "center and radius"},
        {.name = "cylinder",
         .kind = TOOL_VECTOR,
         .value = where->cylinder,
         .count = 7,
         .argument = "X,Y,Z,X,Y,Z,R",
         .given = &where->has_cylinder,
         .help = "both ends of the axis, and the radius"},
        {.name = "side",
         .kind = TOOL_VECTOR,
         .value = where->side,
         .count = 6,
         .argument = "X,Y,Z,NX,NY,NZ",
         .given = &where->has_side,
         .help = "beyond a plane: a point of it and its normal"},
        {.name = "region",
         .kind = TOOL_INTEGER,
         .value = &where->region,
         .low = INT32_MIN,
         .high = INT32_MAX,
         .argument = "LABEL",
         .given = &where->has_region,
         .help = "a region of the mesh"},
        {.name = "surface",
         .kind = TOOL_INTEGER,
         .value = &where->surface,
         .low = INT32_MIN,
         .high = INT32_MAX,
         .argument = "LABEL",
         .given = &where->has_surface,
         .help = "labeled triangles of the mesh"},
        {.name = "ids",
         .kind = TOOL_TEXT,
         .value = &where->ids,
         .argument = "N,M,...",
         .given = &where->has_ids,
         .help = "numbers in the file, from 0, also after edits"},
        {.name = "group",
         .kind = TOOL_TEXT,
         .value = &where->group,
         .argument = "NAME",
         .given = &where->has_group,
         .help = "a named group of the file"}};
    memcpy(option, rows, sizeof rows);
}

static ew_status read_ids(selection *where, ew_selector *selector)
{
    int32_t capacity = 0;
    selector->kind = EW_SELECT_IDS;
    for (const char *at = where->ids;; at++) {
        char *end;
        const long long id = strtoll(at, &end, 10);
        if (end == at || id < 0 || (*end && *end != ',')) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "--ids takes whole numbers separated by commas, not "
                           "'%.60s'",
                           where->ids);
        }
        EW_TRY(ew_grow(&where->id, &capacity, (int64_t)selector->n_id + 1, sizeof *where->id));
        where->id[selector->n_id++] = id;
        at = end;
        if (!*at) {
            break;
        }
    }
    selector->id = where->id;
    return EW_OK;
}

/* A box turned inside out would hold nothing; as in case files that is a mistake. */
static ew_status check_box(const double box[6])
{
    for (int32_t c = 0; c < 3; c++) {
        if (box[c] > box[3 + c]) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "--box: its first corner must not exceed its second (%g > %g)", box[c],
                           box[3 + c]);
        }
    }
    return EW_OK;
}

ew_status selection_make(selection *where, ew_selector *selector, int32_t *n)
{
    *selector = (ew_selector){.kind = EW_SELECT_ALL};
    *n = where->has_box + where->has_sphere + where->has_cylinder + where->has_side +
         where->has_region + where->has_surface + where->has_ids + where->has_group;
    if (*n > 1) {
        return ew_fail(EW_BAD_ARGUMENT, "one selection at a time: --box, --sphere, --cylinder, "
                                        "--side, --region, --surface, --ids or --group");
    }
    const double *a = where->has_box        ? where->box
                      : where->has_sphere   ? where->sphere
                      : where->has_cylinder ? where->cylinder
                                            : where->side;
    memcpy(selector->a, a, sizeof selector->a);
    if (where->has_box) {
        EW_TRY(check_box(where->box));
        selector->kind = EW_SELECT_BOX;
        memcpy(selector->b, a + 3, sizeof selector->b);
    } else if (where->has_sphere) {
        selector->kind = EW_SELECT_SPHERE;
        selector->radius = a[3];
    } else if (where->has_cylinder) {
        selector->kind = EW_SELECT_CYLINDER;
        memcpy(selector->b, a + 3, sizeof selector->b);
        selector->radius = a[6];
    } else if (where->has_side) {
        selector->kind = EW_SELECT_SIDE;
        memcpy(selector->b, a + 3, sizeof selector->b);
    } else if (where->has_region) {
        selector->kind = EW_SELECT_REGION;
        selector->label = where->region;
    } else if (where->has_surface) {
        selector->kind = EW_SELECT_SURFACE;
        selector->label = where->surface;
    } else if (where->has_ids) {
        return read_ids(where, selector);
    }
    return EW_OK;
}

ew_status selection_refuse_empty(const selection *where, const char *option, const char *what)
{
    const char *kind = where->has_box        ? "box"
                       : where->has_sphere   ? "sphere"
                       : where->has_cylinder ? "cylinder"
                       : where->has_side     ? "side"
                       : where->has_region   ? "region"
                       : where->has_surface  ? "surface"
                       : where->has_group    ? "group"
                                             : "ids";
    return option ? ew_fail(EW_BAD_ARGUMENT, "--%s: the %s holds no %s", option, kind, what)
                  : ew_fail(EW_BAD_ARGUMENT, "--%s holds no %s", kind, what);
}
