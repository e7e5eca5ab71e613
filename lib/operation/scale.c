/* Stretches a mesh along the axes about a point. In: mesh, factors, point. Out: moves of every
 * vertex slot that exists, active or not, so that both keep their places in the body. */
#include "operation/internal.h"

#include <math.h>

static ew_status queue(const ew_mesh *mesh, const double factor[3], const double about[3],
                       ew_edit *edit)
{
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v;
        double to[3];
        if (mesh->valence[v] < 0) {
            continue;
        }
        for (int i = 0; i < 3; i++) {
            to[i] = factor[i] == 1.0 ? x[i] : about[i] + factor[i] * (x[i] - about[i]);
        }
        EW_TRY(ew_edit_move_vertex(edit, v, to));
    }
    return ew_refuse_moves(mesh, edit, "scale", "use factors closer to 1 and to each other");
}

ew_status ew_operation_scale(const ew_mesh *mesh, const double factor[3], const double about[3],
                             ew_edit *edit)
{
    EW_TRY(ew_need_empty("scale", edit));
    EW_TRY(ew_need_tets("scale", mesh));
    EW_TRY(ew_need_finite("scale", "about", about));
    for (int i = 0; i < 3; i++) {
        if (!isfinite(factor[i]) || factor[i] <= 0.0) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "scale: factor %g along %c must be a finite number > 0; mirror makes "
                           "reflections",
                           factor[i], "xyz"[i]);
        }
    }
    ew_status status = queue(mesh, factor, about, edit);
    if (status) {
        ew_edit_clear(edit);
    }
    return status;
}

/* ---- its place in the table -------------------------------------------- */

enum { FACTOR, ABOUT, N_PARAMETER };

static const ew_parameter parameters[N_PARAMETER] = {
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
               .help = "the point that stays"},
};

static ew_status queue_values(const ew_operation_input *in, ew_edit *edit)
{
    const ew_parameter_value *of = in->values->of;
    return ew_operation_scale(in->mesh, of[FACTOR].number, of[ABOUT].number, edit);
}

const ew_operation ew_scale_operation = {
    .name = "scale",
    .summary = "stretch a mesh along the axes",
    .example = "part.mesh --factor 1.2,1,1 -o longer.mesh",
    .file_code = 2,
    .maps = true,
    .n_parameter = N_PARAMETER,
    .parameter = parameters,
    .queue = queue_values,
};
