/* The parameters of an operation's descriptor. In: a key or a kind. Out: the parameter's place. */
#include "operation/parts/operation.h"

#include <string.h>

int32_t ew_operation_parameter(const ew_operation *operation, const char *key)
{
    for (int32_t i = 0; i < operation->n_parameter; i++) {
        if (!strcmp(operation->parameter[i].key, key)) {
            return i;
        }
    }
    return -1;
}

int32_t ew_operation_parameter_of(const ew_operation *operation, ew_parameter_kind kind)
{
    for (int32_t i = 0; i < operation->n_parameter; i++) {
        if (operation->parameter[i].kind == kind) {
            return i;
        }
    }
    return -1;
}
