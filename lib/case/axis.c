/* A direction of a case: x, y, z or a vector. In: a node. Out: a vector of some length. */
#include "case/reader.h"

#include <math.h>
#include <string.h>

ew_status ew_case_read_axis(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                            double axis[3])
{
    if (node->type == YAML_SCALAR_NODE) {
        int32_t choice;
        EW_TRY(ew_yaml_choice(node, what, "x y z", &choice));
        memset(axis, 0, 3 * sizeof *axis);
        axis[choice] = 1;
        return EW_OK;
    }
    EW_TRY(ew_yaml_vector(&reader->yaml, node, what, axis));
    const double length = hypot(hypot(axis[0], axis[1]), axis[2]);
    if (length == 0) {
        return ew_yaml_fail(node, "%s has length 0; give a direction", what);
    }
    /* its square must be a number, too */
    return length >= 1e-100 && length <= 1e100
               ? EW_OK
               : ew_yaml_fail(node, "%s has length %g; give a direction of a length nearer to 1",
                              what, length);
}
