/* What a model keeps of its solves and of its motion, given back. */
#include "model/internal.h"

void ew_model_stop_dynamics(ew_model *model)
{
    model_dynamics *of = &model->dynamics;
    model_matrix_free(&of->mass);
    model_system_free(&of->system);
    for (int k = 0; k < MODEL_N_VECTOR; k++) {
        ew_release(of->vector[k]);
        of->vector[k] = NULL;
        of->vector_capacity[k] = 0;
    }
    ew_release(of->partial);
    of->partial = NULL;
    of->partial_capacity = 0;
    ew_buffer_free(&of->device_input);
    ew_buffer_free(&of->device_output);
    of->is_active = false;
    model_apply_thermal_strain_fully(model);
}

void model_free_moving_edges(model_quadratic *q)
{
    ew_edge_mass_free(&q->moving.mass);
    ew_device_matrix_free(&q->moving.device_blocks);
    ew_release(q->moving.row_mass);
    ew_release(q->moving.diagonal);
    ew_quadratic_operator_free(&q->moving.op);
    ew_set_free(&q->moving.stale_vertex);
    ew_set_free(&q->moving.stale_row);
    ew_set_free(&q->moving.stale_diagonal);
    ew_set_free(&q->moving.stale_force);
}

void model_free_modes(ew_modes *of)
{
    double *const each[] = {of->eigenvalue,    of->frequency, of->shape,
                            of->participation, of->effective, of->residual};
    for (size_t k = 0; k < sizeof each / sizeof *each; k++) {
        ew_release(each[k]);
    }
    *of = (ew_modes){0};
}

void model_free_buckling(ew_buckling *of)
{
    ew_release(of->factor);
    ew_release(of->shape);
    ew_release(of->residual);
    *of = (ew_buckling){0};
}

void model_free_harmonic(ew_harmonic *of)
{
    ew_release(of->vector);
    ew_release(of->column);
    ew_release(of->residual);
    *of = (ew_harmonic){0};
}

void model_clear_cases(model_cases *of)
{
    for (int32_t i = 0; i < of->n; i++) {
        ew_release(of->one[i].b);
        ew_release(of->one[i].start);
        ew_release(of->one[i].x);
    }
    of->n = 0;
    of->are_solved = of->have_answers = false;
}

void model_free_cases(model_cases *of)
{
    model_clear_cases(of);
    ew_release(of->one);
    ew_release(of->fixed);
    ew_release(of->place);
    ew_release(of->normal);
    *of = (model_cases){0};
}

void model_free_goals(model_goals *goals)
{
    for (int32_t i = 0; i < goals->n_made; i++) {
        ew_release(goals->goal[i].slope);
    }
    ew_release(goals->goal);
    ew_release(goals->gradient);
    ew_release(goals->product);
    ew_release(goals->history);
}
