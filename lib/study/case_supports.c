/* Supports of a case: `constraints:` and the `axes:` that constraints and loads may be given in. */
#include "study/case_reader.h"

/* A failure of the library is about a node. */
static ew_status at_line(const yaml_node_t *node, ew_status status)
{
    return status ? ew_fail_line(status, ew_yaml_line(node)) : EW_OK;
}

static ew_status read_cylinder(ew_case_reader *reader, const yaml_node_t *node, ew_axes *axes)
{
    ew_yaml *yaml = &reader->yaml;
    yaml_node_t *value;
    double point[3], direction[3];
    EW_TRY(ew_yaml_expect_keys(yaml, node, "cylinder", "point axis"));
    EW_TRY(ew_yaml_need(yaml, node, "cylinder", "point", &value));
    EW_TRY(ew_yaml_vector(yaml, value, "point", point));
    EW_TRY(ew_yaml_need(yaml, node, "cylinder", "axis", &value));
    EW_TRY(ew_case_read_axis(reader, value, "axis", direction));
    return at_line(node, ew_axes_of_cylinder(point, direction, axes));
}

ew_status ew_case_read_axes(ew_case_reader *reader, const yaml_node_t *node, ew_axes *axes)
{
    ew_yaml *yaml = &reader->yaml;
    yaml_node_t *value;
    double x[3], y[3];
    EW_TRY(ew_yaml_expect_keys(yaml, node, "axes", "x y cylinder"));
    if ((value = ew_yaml_find(yaml, node, "cylinder"))) {
        if (ew_yaml_find(yaml, node, "x") || ew_yaml_find(yaml, node, "y")) {
            return ew_yaml_fail(node, "axes: give x and y, or a cylinder");
        }
        return read_cylinder(reader, value, axes);
    }
    EW_TRY(ew_yaml_need(yaml, node, "axes", "x", &value));
    EW_TRY(ew_yaml_vector(yaml, value, "x", x));
    EW_TRY(ew_yaml_need(yaml, node, "axes", "y", &value));
    EW_TRY(ew_yaml_vector(yaml, value, "y", y));
    return at_line(node, ew_axes_from_xy(x, y, axes));
}
