/* Where vertices or tets are chosen on the command line. */
#ifndef EW_TOOL_SELECTION_H
#define EW_TOOL_SELECTION_H

#include "tool.h"

typedef struct selection {
    double box[6], sphere[4], cylinder[7], side[6];
    int32_t region;
    const char *ids;
    bool has_box, has_sphere, has_cylinder, has_side, has_region, has_ids;
    int64_t *id; /* owned */
} selection;

/* Rows of a command's table of options. */
#define SELECTION_OPTIONS(where)                                                                   \
    {.name = "box",                                                                                \
     .kind = TOOL_VECTOR,                                                                          \
     .value = (where).box,                                                                         \
     .count = 6,                                                                                   \
     .argument = "X,Y,Z,X,Y,Z",                                                                    \
     .given = &(where).has_box,                                                                    \
     .help = "two corners, low and high"},                                                         \
        {.name = "sphere",                                                                         \
         .kind = TOOL_VECTOR,                                                                      \
         .value = (where).sphere,                                                                  \
         .count = 4,                                                                               \
         .argument = "X,Y,Z,R",                                                                    \
         .given = &(where).has_sphere,                                                             \
         .help = "center and radius"},                                                             \
        {.name = "cylinder",                                                                       \
         .kind = TOOL_VECTOR,                                                                      \
         .value = (where).cylinder,                                                                \
         .count = 7,                                                                               \
         .argument = "X,Y,Z,X,Y,Z,R",                                                              \
         .given = &(where).has_cylinder,                                                           \
         .help = "both ends of the axis, and the radius"},                                         \
        {.name = "side",                                                                           \
         .kind = TOOL_VECTOR,                                                                      \
         .value = (where).side,                                                                    \
         .count = 6,                                                                               \
         .argument = "X,Y,Z,NX,NY,NZ",                                                             \
         .given = &(where).has_side,                                                               \
         .help = "beyond a plane: a point of it and its normal"},                                  \
        {.name = "region",                                                                         \
         .kind = TOOL_INTEGER,                                                                     \
         .value = &(where).region,                                                                 \
         .low = INT32_MIN,                                                                         \
         .high = INT32_MAX,                                                                        \
         .argument = "LABEL",                                                                      \
         .given = &(where).has_region,                                                             \
         .help = "a region of the mesh"},                                                          \
    {                                                                                              \
        .name = "ids", .kind = TOOL_TEXT, .value = &(where).ids, .argument = "N,M,...",            \
        .given = &(where).has_ids, .help = "by number in the file, from 0"                         \
    }

/* The one selection given, everything where none is; *n counts how many were. The selector borrows
 * where->id, which is filled here (ew_release). */
ew_status selection_make(selection *where, ew_selector *selector, int32_t *n);
/* That the option given "holds no" vertices or tets. */
ew_status selection_refuse_empty(const selection *where, const char *what);

#endif
