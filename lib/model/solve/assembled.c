/* Stiffness and mass with all their blocks on the host, for programs that solve by themselves. */
#include "model/formulation/formulation.h"

ew_status ew_model_assemble_stiffness(ew_model *model, const ew_matrix **matrix,
                                      const ew_pattern **pattern)
{
    EW_TRY(model_need_blocks(model, "a matrix to be handed out"));
    EW_TRY(model_need_usable(model));
    EW_TRY(model_update_matrix(model));
    EW_TRY(model_fetch_stiffness(model));
    *matrix = &model->stiffness.matrix.host;
    *pattern = &model->topology.pattern;
    if (model_has_edges(model)) {
        EW_TRY(model_update_constraints(model));
        EW_TRY(ew_edge_rows_check_curves(&model->quadratic.rows, &model->mesh, &model->topology,
                                         false));
        EW_TRY(model_update_assembled(model));
        *matrix = &model->quadratic.assembled_blocks;
        *pattern = &model->quadratic.assembled;
    }
    return EW_OK;
}

ew_status ew_model_assemble_mass(ew_model *model, ew_mass_kind kind, ew_matrix *matrix,
                                 const ew_pattern **pattern)
{
    const ew_matrix *stiffness;
    EW_TRY(ew_model_assemble_stiffness(model, &stiffness, pattern)); /* the same rows */
    EW_TRY(model_need_densities(model));
    return model_build_mass(model, kind, *pattern, matrix);
}
