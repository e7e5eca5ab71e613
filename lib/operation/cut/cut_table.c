/* The place of cuts in the table of operations. */
#include "operation/cut/cut.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    PLANE,
    SPHERE,
    CYLINDER,
    CONE,
    SURFACE,
    ANGLE,
    KEEP,
    WITHIN,
    REGION,
    LABEL,
    NAME,
    FLOOR,
    N_PARAMETER
};

static const ew_parameter parameters[N_PARAMETER] = {
    [PLANE] = {.key = "plane",
               .kind = EW_PARAMETER_NUMBERS,
               .need = EW_ONE_OF,
               .words = "point normal",
               .argument = "X,Y,Z,NX,NY,NZ",
               .help = "a point of it and its normal, which points outside"},
    [SPHERE] = {.key = "sphere",
                .kind = EW_PARAMETER_NUMBERS,
                .need = EW_ONE_OF,
                .words = "center radius",
                .argument = "X,Y,Z,R",
                .help = "center and radius"},
    [CYLINDER] = {.key = "cylinder",
                  .kind = EW_PARAMETER_NUMBERS,
                  .need = EW_ONE_OF,
                  .words = "from to radius",
                  .argument = "X,Y,Z,X,Y,Z,R",
                  .help = "two points of its axis, and the radius; it has no ends"},
    [CONE] = {.key = "cone",
              .kind = EW_PARAMETER_NUMBERS,
              .need = EW_ONE_OF,
              .words = "from to radius radius_to",
              .argument = "X,Y,Z,X,Y,Z,R,R",
              .help = "two points of its axis, and the radii there; it has no ends"},
    [SURFACE] = {.key = "surface",
                 .kind = EW_PARAMETER_SURFACE,
                 .need = EW_ONE_OF,
                 .argument = "FILE",
                 .help = "a closed surface (.stl, .obj, .off)"},
    [ANGLE] = {.key = "angle",
               .kind = EW_PARAMETER_NUMBER,
               .unit = "degree",
               .preset = "40",
               .above = true,
               .high = 180.0,
               .with = "surface",
               .argument = "DEGREES",
               .help = "angle above which edges of the surface stay sharp"},
    [KEEP] = {.key = "keep",
              .kind = EW_PARAMETER_CHOICE,
              .preset = "outside",
              .words = "inside outside both open",
              .argument = "SIDE",
              .help = "part to keep; both: one body, with faces along the surface; open: with a "
                      "slit there"},
    [WITHIN] = {.key = "within",
                .kind = EW_PARAMETER_NUMBERS,
                .words = "low high",
                .with = "keep",
                .when = "open",
                .argument = "X,Y,Z,X,Y,Z",
                .help = "region of the slit: two corners of a box (everywhere)"},
    [REGION] = {.key = "region",
                .kind = EW_PARAMETER_REGION,
                .is_new = true,
                .with = "keep",
                .when = "both open",
                .argument = "LABEL",
                .help = "region label of the tets inside (unchanged)"},
    [LABEL] = {.key = "label",
               .kind = EW_PARAMETER_REGION,
               .preset = "1000",
               .argument = "LABEL",
               .help = "label of the new faces; with a name from 1001 on"},
    [NAME] = {.key = "name",
              .kind = EW_PARAMETER_NAME,
              .argument = "NAME",
              .help = "name of the new faces, as a set or a group of the file"},
    [FLOOR] = {.key = "floor",
               .kind = EW_PARAMETER_NUMBER,
               .preset = "0.05",
               .high = 0.9,
               .argument = "QUALITY",
               .help = "smallest quality of tets at the cut; worse results are refused"},
};

static ew_cut_def def_of(const ew_operation_values *values)
{
    const ew_parameter_value *of = values->of;
    ew_cut_def def = ew_default_cut_def();
    int32_t kind = PLANE;
    while (kind < SURFACE && !of[kind].given) {
        kind++;
    }
    const double *number = of[kind].number;
    def.kind = kind == PLANE     ? EW_CUT_PLANE
               : kind == SPHERE  ? EW_CUT_SPHERE
               : kind == CONE    ? EW_CUT_CONE
               : kind == SURFACE ? EW_CUT_SURFACE
                                 : EW_CUT_CYLINDER;
    def.surface = of[SURFACE].surface;
    def.angle = of[ANGLE].number[0];
    memcpy(def.a, number, sizeof def.a);
    if (kind != SPHERE) {
        memcpy(def.b, number + 3, sizeof def.b);
    }
    def.radius = number[kind == SPHERE ? 3 : 6];
    def.radius_to = number[7];
    def.keep = (ew_cut_keep)of[KEEP].whole;
    if (of[WITHIN].given) {
        memcpy(def.low, of[WITHIN].number, sizeof def.low);
        memcpy(def.high, of[WITHIN].number + 3, sizeof def.high);
    }
    def.has_region = of[REGION].given;
    def.region = (int32_t)of[REGION].whole;
    def.label = (int32_t)of[LABEL].whole;
    def.floor = of[FLOOR].number[0];
    return def;
}

static ew_status check_values(const ew_operation *operation, const ew_operation_values *values,
                              ew_naming naming)
{
    const ew_cut_def def = def_of(values);
    const ew_parameter_value *of = values->of;
    ew_cut_shape shape;
    (void)operation;
    (void)naming;
    if (!of[PLANE].given && !of[SPHERE].given && !of[CYLINDER].given && !of[CONE].given) {
        return EW_OK; /* a surface file, not read yet; or none, which another check says */
    }
    return ew_cut_shape_of(&def, &shape) ? EW_BAD_INPUT : EW_OK;
}

/* A few tets, where a cone narrows, are no matter. */
static void remark_on_radius(int32_t n_coarse, int32_t n, double coarsest,
                             char remark[EW_REMARK_TEXT])
{
    if (10 * (int64_t)n_coarse > n) {
        snprintf(remark, EW_REMARK_TEXT,
                 "cut: the radius is %.2g edges of the tets there; below %g a surface is cut "
                 "coarsely: refine there first",
                 coarsest, EW_CUT_MIN_RADIUS);
    }
}

static void make_remark(const ew_cut_def *def, const ew_cut_report *report,
                        char remark[EW_REMARK_TEXT])
{
    if (report->angle > def->angle) {
        snprintf(remark, EW_REMARK_TEXT,
                 "cut: sharp edges of the surface are too close for the tets, of %.3g; those that "
                 "bend by up to %g degrees are round: refine there first",
                 report->size, report->angle);
    } else if (report->n_turned) {
        snprintf(remark, EW_REMARK_TEXT, "cut: %d of the surface's shells looked inwards; %s",
                 (int)report->n_turned,
                 report->n_turned == 1 ? "it was turned" : "they were turned");
    } else if (report->n_beside && 10 * (int64_t)report->n_coarse <= report->n_crossed) {
        snprintf(remark, EW_REMARK_TEXT,
                 "cut: %d of its curved sides bend beside the surface, where tets would be folded: "
                 "refine there first",
                 (int)report->n_beside);
    } else {
        remark_on_radius(report->n_coarse, report->n_crossed, report->coarsest, remark);
    }
}

static ew_status move(const ew_operation_input *in, const ew_cut_def *def, ew_edit *edit)
{
    const ew_cut_def before = def_of(in->before);
    ew_cut_accuracy now;
    const ew_operation_values *of = in->values;
    EW_TRY(of->body ? ew_cut_check_move(of->body, of->body_topology, &before, def) : EW_OK);
    EW_TRY(ew_operation_cut_move(in->mesh, in->topology, &before, def, of->first, edit, &now));
    if (in->remark) {
        remark_on_radius(now.n_coarse, now.n_tet, now.radius / now.size, in->remark);
    }
    return EW_OK;
}

static ew_status measure_values(const ew_operation_input *in, ew_cut_accuracy *accuracy)
{
    const ew_cut_def def = def_of(in->values);
    return ew_cut_measure(in->mesh, in->topology, &def, accuracy);
}

static ew_status queue_values(const ew_operation_input *in, ew_edit *edit)
{
    const ew_cut_def def = def_of(in->values);
    if (in->before) {
        return move(in, &def, edit);
    }
    ew_cut_report report;
    EW_TRY(ew_operation_cut(in->mesh, in->topology, &def, edit, &report));
    if (in->remark) {
        make_remark(&def, &report, in->remark);
    }
    return EW_OK;
}

const ew_operation ew_cut_operation = {
    .name = "cut",
    .summary = "cut along a plane, sphere, cylinder, cone or surface",
    .text = "Tets are split along the surface, and improved near it: vertices move onto it or\n"
            "along the faces of the body. The new faces get a label. Where the mesh is too\n"
            "coarse for the surface, refine there first.",
    .example = "part.mesh --cylinder 0,0,0,0,0,1,0.25 -o hole.mesh",
    .file_code = 12,
    .n_parameter = N_PARAMETER,
    .parameter = parameters,
    .goes_on = true,
    .measure = measure_values,
    .queue = queue_values,
    .check = check_values,
};
