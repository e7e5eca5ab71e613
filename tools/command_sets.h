/* Sets of an editing command: the named groups of its mesh, which follow the edit as sets of a
 * study do, and what its options choose. */
#ifndef EW_TOOL_COMMAND_SETS_H
#define EW_TOOL_COMMAND_SETS_H

#include "selection.h"

typedef struct command_sets {
    ew_model *model;   /* borrowed */
    ew_groups *groups; /* borrowed */
    int32_t *of_group; /* [groups->n] owned: set of the model, -1: none */
    int32_t label;     /* that command_sets_label chose; 0: none */
} command_sets;

/* Groups that are lists become sets. */
ew_status command_sets_begin(command_sets *sets, ew_model *model, ew_groups *groups);
/* The set that a selection catches, or that of a group. `option`: what messages name where it is
 * empty. */
ew_status command_sets_choose(command_sets *sets, selection *where, const char *option,
                              int32_t *set);
/* The selection as one of tets; a group must be of tets. */
ew_status command_sets_tets(const command_sets *sets, const selection *where,
                            ew_selector *selector);
/* A label for the faces that the operation makes, where they have a name and no label is given: one
 * that no others have. EW_BAD_INPUT where others have the name. */
ew_status command_sets_label(command_sets *sets, const ew_operation *operation,
                             ew_operation_values *values);
/* On stdout, where it is not the first that such faces get. */
void command_sets_tell(const command_sets *sets, const ew_operation *operation,
                       const ew_operation_values *values);
/* After the edit: names of its values are those of labels, the lists of groups are what their sets
 * are. */
ew_status command_sets_end(command_sets *sets, const ew_operation *operation,
                           const ew_operation_values *values);
void command_sets_free(command_sets *sets);

#endif
