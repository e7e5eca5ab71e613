/* Several selections on the command line, in one option: "box 0,0,0,1,1,0 by 0,0,1; ids 3,7". */
#ifndef EW_TOOL_COMMAND_PARTS_H
#define EW_TOOL_COMMAND_PARTS_H

#include "command_sets.h"

typedef struct command_parts {
    const char *text; /* as on the command line; null: not given */
    char *copy;       /* owned: the text, cut into words */
    int32_t n, value_capacity, where_capacity;
    ew_operation_values *value; /* [n] owned: of ew_part_form */
    selection *where;           /* [n] owned */
} command_parts;

/* Reads the text: for each part a selection and, where motions are allowed, keys of ew_part_form.
 * option: what messages name. */
ew_status command_parts_read(command_parts *parts, const char *option, bool motions);
/* Makes their sets, whose numbers are those of the values' set; an empty selection is refused. */
ew_status command_parts_select(command_parts *parts, const char *option, command_sets *sets);
void command_parts_free(command_parts *parts);

#endif
