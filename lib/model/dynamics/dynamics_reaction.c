/* Reactions of a body in motion, as the account has them after each step, where springs count among
 * the forces of the body. */
#include "model/internal.h"

#include <string.h>

ew_status ew_model_reaction_of(ew_model *model, int32_t set, double force[3])
{
    const model_dynamics *of = &model->dynamics;
    ew_list vertex = {0};
    if (!of->is_active || !of->def.account) {
        return ew_fail(EW_BAD_ARGUMENT, "model: reactions of a set need dynamics with an account");
    }
    EW_TRY(model_update_state(model));
    EW_TRY(model_pull_faces(model, model->field[0].value));
    const ew_status status = ew_model_list_vertices(model, set, &vertex);
    double sum[3] = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < vertex.n && !status; i++) {
        const size_t v = (size_t)vertex.id[i];
        double drawn[3];
        model_spring_force(model, vertex.id[i], model->field[0].value + 3 * v, drawn);
        for (size_t c = 0; c < 3; c++) {
            sum[c] += of->vector[MODEL_REACTION][3 * v + c] + drawn[c];
        }
    }
    ew_list_free(&vertex);
    if (!status) {
        memcpy(force, sum, sizeof sum);
    }
    return status;
}
