/* invalidate: private to model. What must be found again. (invalidate.c) */
#ifndef EW_MODEL_INVALIDATE_H
#define EW_MODEL_INVALIDATE_H

#include "model/records.h"

/* Displacement, state or material are other than before: records of a nonlinear body. */
void model_touch_records(ew_model *model);
/* A material has another law, or constants of one, than before. */
void model_follow_law(ew_model *model, const ew_material *before, const ew_material *now);
/* Other loads of temperature than before, or another mesh. */
void model_forget_thermal(ew_model *model);
/* Nothing of the last recovery holds any more. */
void model_forget_recovery(ew_model *model);
/* Displacements or loads of any rows may have changed; those of these rows. */
void model_forget_row_changes(ew_model *model);
void model_note_rows(ew_model *model, const ew_list *row);
void model_note_edge_rows(ew_model *model, const ew_list *edge_row);
/* All blocks of all matrices must be built. */
void model_matrices_forget(ew_model *model);
/* Those that a constant is in; null: of none. */
void model_matrix_forget_constants(model_matrix *matrix);
/* All tets have other frequencies. */
void model_forget_frequencies(ew_model *model);
/* A field is given to be written: loads, constraints and springs that read it. */
void model_touch_loads_of_field(ew_model *model, int32_t field);
void model_touch_constraints_of_field(ew_model *model, int32_t field);
void model_touch_springs_of_field(ew_model *model, int32_t field);

#endif
