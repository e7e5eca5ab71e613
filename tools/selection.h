/* Where vertices or tets are chosen on the command line. */
#ifndef EW_TOOL_SELECTION_H
#define EW_TOOL_SELECTION_H

#include "tool.h"

typedef struct selection {
    double box[6], sphere[4], cylinder[7], side[6];
    int32_t region, surface;
    const char *ids, *group;
    bool has_box, has_sphere, has_cylinder, has_side, has_region, has_surface, has_ids, has_group;
    int64_t *id; /* owned */
} selection;

enum { N_SELECTION_OPTION = 8 };
/* Rows of a command's table of options, which fill `where`. */
void selection_options(selection *where, tool_option option[N_SELECTION_OPTION]);

/* The one selection given, everything where none is; *n counts how many were. The selector borrows
 * where->id, which is filled here (ew_release). What a group is, is known once the mesh is there
 * (command_sets.h): until then its selector is that of everything. */
ew_status selection_make(selection *where, ew_selector *selector, int32_t *n);
/* That the selection of the option, or null the one given, "holds no" vertices or tets. */
ew_status selection_refuse_empty(const selection *where, const char *option, const char *what);

#endif
