/* Turns a mesh or a set of its vertices about an axis. In: mesh, slots, axis, angle. Out: moves of
 * every vertex slot that exists, active or not, or of the set. */
#include "operation/basic/motion.h"

#define REMEDY "turn less far, with a larger radius, or with repair"

enum { SET, ANGLE, AXIS, CENTER, RADIUS, REPAIR, N_PARAMETER };

static const ew_parameter parameters[N_PARAMETER] = {
    [SET] = {.key = "set",
             .kind = EW_PARAMETER_VERTICES,
             .argument = "SET",
             .help = "the vertices to turn (all)"},
    [ANGLE] = {.key = "angle",
               .kind = EW_PARAMETER_NUMBER,
               .unit = "degree",
               .need = EW_REQUIRED,
               .argument = "DEGREES",
               .help = "right hand"},
    [AXIS] = {.key = "axis",
              .kind = EW_PARAMETER_AXIS,
              .need = EW_REQUIRED,
              .argument = "AXIS",
              .help = "x, y, z or X,Y,Z"},
    [CENTER] = {.key = "center",
                .kind = EW_PARAMETER_VECTOR,
                .preset = "0,0,0",
                .argument = "X,Y,Z",
                .help = "a point of the axis"},
    [RADIUS] = EW_RADIUS_PARAMETER,
    [REPAIR] = EW_REPAIR_PARAMETER,
};

static ew_status queue_values(const ew_operation_input *in, ew_edit *edit)
{
    const ew_parameter_value *of = in->values->of;
    const ew_move_def def = {.motion = ew_motion_of(in->operation, in->values),
                             .radius = of[RADIUS].number[0],
                             .repair = of[REPAIR].whole};
    const ew_list *vertex;
    ew_list all = {0};
    ew_status status = ew_listed_or_every(in, &all, &vertex);
    if (!status) {
        status = ew_queue_motion("rotate", in->mesh, in->topology, vertex, &def, REMEDY, edit);
    }
    ew_list_free(&all);
    return status;
}

const ew_operation ew_rotate_operation = {
    .name = "rotate",
    .summary = "turn a mesh, or a part of it, about an axis",
    .example = "part.mesh --angle 30 --axis z -o turned.mesh",
    .file_code = 16,
    .maps = true,
    .n_parameter = N_PARAMETER,
    .parameter = parameters,
    .queue = queue_values,
};
