/* Quadratic tets in a body that moves, whose vectors have all rows, vertices and then edges: the
 * supports that they cannot have, and what mass and the matrix of a step have beyond those of the
 * vertices. */
#include "model/internal.h"

/* ---- supports ---------------------------------------------------------------------- */

/* An edge on a support that moves along other directions at each place. */
static ew_status refuse_turning(const ew_model *model, int32_t line)
{
    const model_quadratic *q = &model->quadratic;
    for (int32_t row = 0; row < q->rows.pattern.n_row; row++) {
        const size_t at = (size_t)model->mesh.n_vertex + (size_t)row;
        const double *value = model->constraints.value + 3 * at;
        if (q->rows.edge[row] >= 0 && model->constraints.fixed[at] &&
            (value[0] != 0.0 || value[1] != 0.0 || value[2] != 0.0) &&
            model_line_has_edge(model, line, q->rows.edge[row])) {
            return ew_refuse(EW_RULE_PATH, "dynamics: a support that an amplitude moves");
        }
    }
    return EW_OK;
}

static ew_status check_supports(const ew_model *model)
{
    for (int32_t k = 0; k < model->n_line; k++) {
        const ew_model_constraint *of = &model->constraint[model->constraint_of_line[k]];
        if (of->amplitude && of->axes.kind == EW_AXES_CYLINDER) {
            EW_TRY(refuse_turning(model, k));
        }
    }
    return EW_OK;
}

/* ---- mass --------------------------------------------------------------------------- */

/* An edge with another mass has another block of the step matrix. */
static ew_status follow_mass(model_moving_edges *moving)
{
    EW_TRY(ew_edge_mass_update(&moving->mass, &moving->stale_vertex.list, &moving->stale_row.list));
    const ew_list *row = &moving->mass.touched_row.list;
    for (int32_t i = 0; i < row->n && moving->diagonal_current; i++) {
        EW_TRY(ew_set_add(&moving->stale_diagonal, row->id[i]));
    }
    return EW_OK;
}

/* The tets as products with the stiffness list them; the host has the mass, whatever has that. */
static ew_status update_list(ew_model *model)
{
    model_quadratic *q = &model->quadratic;
    (void)model_edge_operator(model); /* its list of tets is that of the mass, too */
    q->moving.mass.list = &q->op.product;
    return q->moving.mass.of.kind == EW_MASS_CONSISTENT
               ? ew_edge_product_prepare(&q->op.product, &model->mesh, &model->topology,
                                         &model->materials, &q->rows, q->op.internal_force)
               : EW_OK;
}

static ew_status update_mass(ew_model *model)
{
    model_moving_edges *moving = &model->quadratic.moving;
    const ew_mass from = model_mass(model);
    const uint64_t density = ew_materials_density_revision(&model->materials, model->mesh.n_region);
    const bool follows =
        moving->mass_current && moving->mass.of.kind == from.kind && moving->density == density;
    moving->mass_current = false; /* unless all goes well */
    if (follows) {
        EW_TRY(follow_mass(moving));
    } else {
        moving->diagonal_current = false;
        EW_TRY(ew_edge_mass_build(&moving->mass, &from, &model->quadratic.rows));
    }
    ew_set_clear(&moving->stale_vertex);
    ew_set_clear(&moving->stale_row);
    moving->density = density;
    moving->mass_current = true;
    return update_list(model);
}

ew_status model_update_moving_edges(ew_model *model)
{
    model_quadratic *q = &model->quadratic;
    if (!model_has_edges(model)) {
        return EW_OK;
    }
    EW_TRY(ew_edge_rows_check_curves(&q->rows, &model->mesh, &model->topology, true));
    EW_TRY(check_supports(model));
    return update_mass(model);
}

const ew_edge_mass *model_edge_mass(const ew_model *model)
{
    return model_has_edges(model) ? &model->quadratic.moving.mass : NULL;
}

void model_add_edge_mass(const ew_model *model, const ew_edge_mass *mass, const double *x,
                         double *y)
{
#pragma omp parallel num_threads(ew_matrix_product_threads(model->mesh.n_vertex))
    ew_edge_mass_add(mass, EW_EDGE_ALL, 1.0, x, y);
}

/* ---- the matrix of a step ------------------------------------------------------------------ */

static void fill_row(model_quadratic *q, int32_t row)
{
    model_moving_edges *moving = &q->moving;
    const double *k = q->blocks.diagonal + 9 * (size_t)row;
    const double m = moving->op.terms.of_mass * ew_edge_mass_diagonal(&moving->mass, row);
    double *block = moving->diagonal + 9 * (size_t)row;
    for (int i = 0; i < 9; i++) {
        block[i] = moving->op.terms.of_stiffness * k[i] + (i % 4 == 0 ? m : 0.0);
    }
}

static ew_status fill_diagonal(model_quadratic *q)
{
    model_moving_edges *moving = &q->moving;
    const ew_list *stale = &moving->stale_diagonal.list;
    const int32_t n = moving->diagonal_current ? stale->n : q->rows.pattern.n_row;
    EW_TRY(ew_grow(&moving->diagonal, &moving->diagonal_capacity, q->rows.pattern.n_row,
                   9 * sizeof *moving->diagonal));
    for (int32_t i = 0; i < n; i++) {
        fill_row(q, moving->diagonal_current ? stale->id[i] : i);
    }
    ew_set_clear(&moving->stale_diagonal);
    moving->diagonal_current = true;
    return EW_OK;
}

static ew_status fill_diagonal_on_device(model_quadratic *q)
{
    model_moving_edges *moving = &q->moving;
    const int32_t n = q->rows.pattern.n_row;
    EW_TRY(ew_grow(&moving->row_mass, &moving->row_mass_capacity, n, sizeof *moving->row_mass));
    for (int32_t row = 0; row < n; row++) {
        moving->row_mass[row] =
            moving->op.terms.of_mass * ew_edge_mass_diagonal(&moving->mass, row);
    }
    return ew_device_edges_step_blocks(&q->device_edges, &q->device_blocks,
                                       moving->op.terms.of_stiffness, moving->row_mass,
                                       &moving->device_blocks);
}

ew_status model_update_step_edges(ew_model *model)
{
    model_quadratic *q = &model->quadratic;
    model_moving_edges *moving = &q->moving;
    if (!model_has_edges(model)) {
        return EW_OK;
    }
    (void)model_edge_operator(model); /* whose products those of a step are made of */
    const ew_edge_terms terms = {.of_stiffness = model->dynamics.of_stiffness,
                                 .of_mass = model->dynamics.of_mass,
                                 .mass = model->dynamics.def.mass};
    moving->diagonal_current = moving->diagonal_current &&
                               terms.of_stiffness == moving->op.terms.of_stiffness &&
                               terms.of_mass == moving->op.terms.of_mass;
    moving->op.terms = terms;
    const bool is_there = model->device != NULL;
    EW_TRY(is_there ? fill_diagonal_on_device(q) : fill_diagonal(q));
    return ew_quadratic_operator_set_step(&moving->op, &q->op, &moving->mass, &terms,
                                          is_there ? NULL : moving->diagonal,
                                          is_there ? &moving->device_blocks : NULL);
}
