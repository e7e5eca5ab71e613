/* The table of operations. In: a place, a name or a journal's code. Out: a descriptor. */
#include "operation/framework/internal.h"

#include <string.h>

static const ew_operation *const operations[] = {
    &ew_decimate_operation, &ew_mirror_operation, &ew_scale_operation,  &ew_remove_operation,
    &ew_add_operation,      &ew_move_operation,   &ew_refine_operation, &ew_smooth_operation,
    &ew_rotate_operation,   &ew_cut_operation,    &ew_remesh_operation, &ew_weld_operation,
    &ew_split_operation,
};
enum { N_OPERATION = sizeof operations / sizeof *operations };

/* Journals of older programs tell the two forms of remove apart. */
enum { CODE_REMOVE = 3, CODE_REMOVE_SMALL = 4 };

const ew_operation *ew_operation_at(int32_t i)
{
    return i >= 0 && i < N_OPERATION ? operations[i] : NULL;
}

const ew_operation *ew_operation_named(const char *name)
{
    for (int32_t i = 0; i < N_OPERATION; i++) {
        if (!strcmp(operations[i]->name, name)) {
            return operations[i];
        }
    }
    return NULL;
}

const ew_operation *ew_operation_of_code(int32_t file_code)
{
    for (int32_t i = 0; i < N_OPERATION; i++) {
        if (operations[i]->file_code ==
            (file_code == CODE_REMOVE_SMALL ? CODE_REMOVE : file_code)) {
            return operations[i];
        }
    }
    return NULL;
}
