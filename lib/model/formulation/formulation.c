/* Formulations of a body. In: its state, records or blocks. Out: forces, blocks and fields, by one
 * function for bodies that are linear and one for those that are not. */
#include "model/formulation/formulation.h"

#include <string.h>

ew_status model_update_matrix(ew_model *model)
{
    EW_TRY(model_need_usable(model));
    return model_formulation_of(model)->update_matrix(model);
}

ew_status ew_model_matrix(ew_model *model, const ew_matrix **matrix)
{
    EW_TRY(model_update_matrix(model));
    *matrix = model_host_blocks(model, &model->stiffness.matrix);
    return EW_OK;
}

/* ---- products -------------------------------------------------------------------------- */

ew_status model_stiffness_product(ew_model *model, const double *x, double *y)
{
    EW_TRY(model_blocks_product(model, x, y));
    return model_add_mixed_stiffness(model, x, y);
}

/* y -= what the matrix has beside tets and springs at oblique supports, times x (ew_ground_gather).
 */
static void remove_penalty(const ew_model *model, const double *x, double *y)
{
    const ew_oblique *oblique = &model->constraints.oblique;
    for (int32_t k = 0; k < oblique->n; k++) {
        const size_t v = (size_t)oblique->row[k];
        if (oblique->row[k] >= model->mesh.n_vertex) {
            continue; /* blocks of edges have nothing of the kind */
        }
        const double *spring = model->constraints.spring;
        double rest[6], force[3];
        for (size_t i = 0; i < 6; i++) {
            rest[i] = model->ground[6 * v + i] - (spring ? spring[6 * v + i] : 0.0);
        }
        ew_spring_force(rest, x + 3 * v, force);
        for (size_t c = 0; c < 3; c++) {
            y[3 * v + c] += force[c];
        }
    }
}

ew_status model_elastic_product(ew_model *model, const double *x, double *y)
{
    EW_TRY(model_stiffness_product(model, x, y));
    remove_penalty(model, x, y);
    return EW_OK;
}

/* ---- linear bodies --------------------------------------------------------------------- */

/* Of the displacement as it is: the pressure of mixed tets is that which there is. */
static ew_status elastic_product(ew_model *model, const double *u, double *f)
{
    EW_TRY(model_update_matrix(model));
    if (!model->mixed.is_on) {
        return model_elastic_product(model, u, f);
    }
    EW_TRY(model_mixed_elastic_force(model, u, f));
    remove_penalty(model, u, f);
    return EW_OK;
}

static ew_status linear_force(ew_model *model, const double *u, double spring, double *f,
                              double *strain)
{
    EW_TRY(model_elastic_product(model, u, f));
    *strain = 0.5 * model_dot(model, u, f) - spring;
    return EW_OK;
}

static ew_status linear_product(ew_model *model, double *x, double *y)
{
    return model_stiffness_product(model, x, y);
}

static const double *no_loads(const ew_model *model)
{
    (void)model;
    return NULL;
}

static ew_status linear_recover(ew_model *model, const ew_load *line, const double *force,
                                const ew_edge_values *edges)
{
    return ew_fields_recover_together(model->peers, &model->fields, &model->mesh, &model->topology,
                                      &model->materials, &model->constraints, model->n_load_line,
                                      line, force, model->field[0].value, edges);
}

static const model_formulation linear = {.update_matrix = model_update_stiffness,
                                         .source = model_stiffness,
                                         .verify_matrix = model_verify_stiffness,
                                         .elastic_force = elastic_product,
                                         .force = linear_force,
                                         .linearized_force = linear_product,
                                         .reached_loads = no_loads,
                                         .heat_is_load = true,
                                         .recover = linear_recover};

/* ---- nonlinear bodies ------------------------------------------------------------------ */

static ew_status elastic_force(ew_model *model, const double *u, double *f)
{
    EW_TRY(model_prepare_internal_force(model));
    return model_body_force(model, u, 0.0, f);
}

static ew_status nonlinear_force(ew_model *model, const double *u, double spring, double *f,
                                 double *strain)
{
    const ew_deformed body = model_deformed(model, u, 0.0);
    (void)spring;
    EW_TRY(model_net_force(model, u, 0.0, f));
    *strain = ew_internal_force_energy(&model->nonlinear.internal_force, &body);
    return EW_OK;
}

/* Of the displacement as it is: the acceleration after an edit and the step after that share it,
 * but where loads or temperatures of another time are part of it. */
static ew_status find_force(ew_model *model, double *f)
{
    model_nonlinear *of = &model->nonlinear;
    double *kept = of->vector[NONLINEAR_AT_STATE];
    if (of->has_force) {
        memcpy(f, kept, model_vector_size(model));
        return EW_OK;
    }
    EW_TRY(model_net_force(model, model->field[0].value, 0.0, f));
    of->has_force = of->pressed.n == 0 && !model_has_temperature(model);
    memcpy(kept, f, model_vector_size(model));
    return EW_OK;
}

static ew_status linearized_force(ew_model *model, double *x, double *y)
{
    const size_t n = 3 * (size_t)model_n_row(model);
    const double *u = model->field[0].value;
    EW_TRY(model_reserve_nonlinear(model));
    double *part = model->nonlinear.vector[NONLINEAR_FORCE];
    EW_TRY(find_force(model, y));
    for (size_t i = 0; i < n; i++) {
        x[i] -= u[i];
    }
    if (model_is_zero(x, n)) {
        return EW_OK;
    }
    EW_TRY(model_stiffness_product(model, x, part));
    for (size_t i = 0; i < n; i++) {
        y[i] += part[i];
    }
    return EW_OK;
}

static const double *reached_loads(const ew_model *model)
{
    const model_nonlinear *of = &model->nonlinear;
    return of->reached_revision == model->mesh.revision ? of->vector[NONLINEAR_REACHED] : NULL;
}

/* The state of the laws has taken the last step in: strain answers with the stress of its end. */
static ew_status nonlinear_recover(ew_model *model, const ew_load *line, const double *force,
                                   const ew_edge_values *edges)
{
    model_nonlinear *of = &model->nonlinear;
    const double *u = model->field[0].value;
    (void)line;
    EW_TRY(model_prepare_internal_force(model));
    EW_TRY(model_reserve_nonlinear(model));
    EW_TRY(model_internal_force(model, u, 0.0, of->vector[NONLINEAR_FORCE]));
    const ew_deformed body = model_deformed(model, u, 0.0);
    EW_TRY(ew_fields_recover_nonlinear(&model->fields, &model->constraints, force,
                                       &of->internal_force, &body, of->vector[NONLINEAR_FORCE],
                                       edges));
    return edges && of->n_state ? model_bound_flow(model) : EW_OK;
}

static const model_formulation nonlinear = {.update_matrix = model_update_tangent,
                                            .source = model_tangent,
                                            .verify_matrix = model_verify_tangent,
                                            .elastic_force = elastic_force,
                                            .force = nonlinear_force,
                                            .linearized_force = linearized_force,
                                            .reached_loads = reached_loads,
                                            .recover = nonlinear_recover};

const model_formulation *model_formulation_of(const ew_model *model)
{
    return model_is_nonlinear(model) ? &nonlinear : &linear;
}
