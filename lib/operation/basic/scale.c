/* Stretches a mesh or a set of its vertices along the axes about a point. In: mesh, slots, factors,
 * point. Out: moves of every vertex slot that exists, active or not, so that both keep their places
 * in the body; or of the set. */
#include "operation/basic/motion.h"

#include <string.h>

#define REMEDY "use factors closer to 1 and to each other, or repair"

static ew_move_def def_of(const double factor[3], const double about[3])
{
    return (ew_move_def){.motion = {.kind = EW_MOTION_SCALE,
                                    .by = {factor[0], factor[1], factor[2]},
                                    .center = {about[0], about[1], about[2]}}};
}

ew_status ew_operation_scale(const ew_mesh *mesh, const double factor[3], const double about[3],
                             ew_edit *edit)
{
    const ew_move_def def = def_of(factor, about);
    ew_list all = {0};
    ew_status status = ew_every_vertex(mesh, &all);
    if (!status) {
        status = ew_queue_motion("scale", mesh, NULL, &all, &def, REMEDY, edit);
    }
    ew_list_free(&all);
    return status;
}

/* ---- its place in the table -------------------------------------------- */

enum { SET, FACTOR, ABOUT, RADIUS, REPAIR, N_PARAMETER };

static const ew_parameter parameters[N_PARAMETER] = {
    [SET] = {.key = "set",
             .kind = EW_PARAMETER_VERTICES,
             .argument = "SET",
             .help = "the vertices to stretch (all)"},
    [FACTOR] = {.key = "factor",
                .kind = EW_PARAMETER_FACTOR,
                .need = EW_REQUIRED,
                .above = true,
                .argument = "FX,FY,FZ",
                .help = "per axis or one for all, greater than 0 (mirror reflects)"},
    [ABOUT] = {.key = "about",
               .kind = EW_PARAMETER_VECTOR,
               .preset = "0,0,0",
               .argument = "X,Y,Z",
               .help = "the fixed point"},
    [RADIUS] = EW_RADIUS_PARAMETER,
    [REPAIR] = EW_REPAIR_PARAMETER,
};

/* A second scaling applies the ratio of the new factors to the old ones. */
static ew_status go_on(const ew_operation_input *in, double factor[3])
{
    const ew_parameter_value *of = in->values->of, *before = in->before->of;
    if (memcmp(of[ABOUT].number, before[ABOUT].number, sizeof of[ABOUT].number) ||
        of[RADIUS].number[0] > 0 || before[RADIUS].number[0] > 0) {
        return ew_fail(EW_BAD_EDIT, "scale: goes on about the same point alone, without a radius");
    }
    for (int c = 0; c < 3; c++) {
        factor[c] /= before[FACTOR].number[c];
    }
    return EW_OK;
}

static ew_status queue_values(const ew_operation_input *in, ew_edit *edit)
{
    const ew_parameter_value *of = in->values->of;
    double factor[3];
    memcpy(factor, of[FACTOR].number, sizeof factor);
    EW_TRY(in->before ? go_on(in, factor) : EW_OK);
    ew_move_def def = def_of(factor, of[ABOUT].number);
    const ew_list *vertex;
    ew_list all = {0};
    def.radius = of[RADIUS].number[0];
    def.repair = of[REPAIR].whole;
    ew_status status = ew_listed_or_every(in, &all, &vertex);
    if (!status) {
        status = ew_queue_motion("scale", in->mesh, in->topology, vertex, &def, REMEDY, edit);
    }
    ew_list_free(&all);
    return status;
}

const ew_operation ew_scale_operation = {
    .name = "scale",
    .summary = "stretch a mesh, or a part of it, along the axes",
    .example = "part.mesh --factor 1.2,1,1 -o longer.mesh",
    .file_code = 2,
    .maps = true,
    .goes_on = true,
    .n_parameter = N_PARAMETER,
    .parameter = parameters,
    .queue = queue_values,
};
