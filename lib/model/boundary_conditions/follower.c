/* Pressure that turns with the faces of a body of large displacements. In: loads, with the factors
 * of follower_factors.c. Out: forces at a displacement, which are among no other loads, and the
 * load stiffness of the tangent there. */
#include "model/internal.h"

#include <string.h>

static ew_status gather(ew_model *model, ew_follower *out)
{
    model_nonlinear *of = &model->nonlinear;
    int32_t n = 0, line = 0;
    EW_TRY(model_update_loads(model));
    EW_TRY(ew_grow(&of->pressed_line, &of->pressed_line_capacity, model->n_load,
                   sizeof *of->pressed_line));
    EW_TRY(ew_grow(&of->pressed_factor, &of->pressed_factor_capacity, model->n_load,
                   sizeof *of->pressed_factor));
    for (int32_t i = 0; i < model->n_load; i++) {
        if (model->load[i].share_current) {
            of->pressed_line[n] = model->load_line[line++];
            of->pressed_factor[n] = model->load[i].press;
            n += model_load_follows(model, &model->load[i].as);
        }
    }
    return ew_follower_gather(out, &model->mesh, &model->topology, ew_model_edge_rows(model), n,
                              of->pressed_line, of->pressed_factor);
}

ew_status model_find_pressure(ew_model *model, const double *u, const double **force)
{
    model_nonlinear *of = &model->nonlinear;
    *force = NULL;
    if (!model_has_follower(model)) {
        return EW_OK;
    }
    EW_TRY(model_reserve_nonlinear(model));
    EW_TRY(gather(model, &of->pressed));
    double *out = of->vector[NONLINEAR_PRESSURE];
    memset(out, 0, model_vector_size(model));
    ew_follower_add_force(&of->pressed, &model->mesh, ew_model_edge_rows(model), u, out);
    *force = out;
    return EW_OK;
}

ew_status model_net_force(ew_model *model, const double *u, double dt, double *f)
{
    const double *pressure;
    EW_TRY(model_body_force(model, u, dt, f));
    EW_TRY(model_find_pressure(model, u, &pressure));
    for (size_t i = 0; i < 3 * (size_t)model_n_row(model) && pressure; i++) {
        f[i] -= pressure[i];
    }
    return EW_OK;
}

ew_status model_add_pressure(ew_model *model, const double **force)
{
    const double *pressure;
    EW_TRY(model_find_pressure(model, model->field[0].value, &pressure));
    double *all = model->nonlinear.vector[NONLINEAR_LOADS];
    for (size_t i = 0; i < 3 * (size_t)model_n_row(model) && pressure; i++) {
        all[i] = (*force)[i] + pressure[i];
    }
    *force = pressure ? all : *force;
    return EW_OK;
}

/* Pairs of vertices that an edit may have freed since are passed over. */
static ew_status touch_pairs(ew_model *model)
{
    model_nonlinear *of = &model->nonlinear;
    const ew_pattern *pattern = &model->topology.pattern;
    for (int32_t i = 0; i < of->follower.n_pair; i++) {
        const int32_t pair = of->follower.pair[i];
        if (pair < pattern->n_pair && pattern->pair_row[2 * (size_t)pair] >= 0) {
            EW_TRY(ew_list_push(&of->pressed_pair, pair));
        }
    }
    return EW_OK;
}

ew_status model_update_follower(ew_model *model, const double *u)
{
    model_nonlinear *of = &model->nonlinear;
    of->pressed_pair.n = 0;
    if (!model_has_follower(model) && !of->follower.n_pair) {
        return EW_OK;
    }
    EW_TRY(touch_pairs(model));
    EW_TRY(model_find_turns(model, &model->topology, u, &of->follower));
    return touch_pairs(model);
}

ew_status model_find_turns(ew_model *model, const ew_topology *topology, const double *u,
                           ew_follower *out)
{
    EW_TRY(gather(model, out));
    return ew_follower_find_turns(out, &model->mesh, topology, ew_model_edge_rows(model), u);
}
