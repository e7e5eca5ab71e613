/* All tets of a body in a picture, for a page that draws them apart from each other. */
#ifndef EW_VIEW_EXPLODE_H
#define EW_VIEW_EXPLODE_H

#include "view.h"

/* The command `explode`, {"on": true or false}. */
ew_status view_read_explode(const cJSON *command, bool *on);

/* All borrowed. */
typedef struct view_tets {
    const char *prefix; /* of the arrays' names */
    int32_t n_point;
    const double *xyz, *displacement; /* [n_point][3]; displacement null: none */
    int32_t n_tet;
    const int32_t *tet, *region, *id; /* [n_tet][4] points, [n_tet] labels, [n_tet] ids */
    bool at_corners;
    const float *value;                       /* [n_point], or [n_tet][4] of corners */
    float *position_room, *displacement_room; /* [n_point][3], until the end of the picture */
} view_tets;
/* Arrays exploded_displacement, exploded_value or exploded_corner_value, and, with `whole`,
 * exploded_position, exploded_tet, exploded_region, exploded_id. (explode.c) */
ew_status view_writer_add_tets(view_writer *writer, const view_tets *tets, bool whole);

#endif
