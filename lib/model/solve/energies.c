/* The energies of a model's displacement. In: a model that was solved. Out: strain energies of its
 * tets and what they add up to; by a whole recovery where tets are not plain linear ones. */
#include "model/internal.h"

#include <math.h>

/* In the order in which ew_partial_sums_take adds. */
static void take_sums(const ew_model *model, ew_energies *out)
{
    const ew_mesh *mesh = &model->mesh;
    double volume = 0.0, strain = 0.0;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            volume += ew_mesh_tet_volume(mesh, t);
            strain += out->tet[t];
        }
        if ((t + 1) % EW_SUM_CHUNK == 0 || t + 1 == mesh->n_tet) {
            out->volume += volume;
            out->strain += strain;
            volume = strain = 0.0;
        }
    }
    out->springs = ew_springs_energy(mesh, &model->constraints, model->field[0].value);
}

static ew_status recover(ew_model *model, ew_energies *out)
{
    const double start = ew_seconds();
    EW_TRY(
        ew_grow(&model->energy, &model->energy_capacity, model->mesh.n_tet, sizeof *model->energy));
    ew_tet_energies(&model->mesh, &model->materials, model->field[0].value, model->energy);
    out->tet = model->energy;
    take_sums(model, out);
    model->report.seconds_recover += ew_seconds() - start;
    return isfinite(out->strain + out->springs)
               ? EW_OK
               : ew_fail(EW_NOT_FINITE,
                         "model: the strain energy is outside the range of double precision; "
                         "choose units nearer to the numbers");
}

ew_status ew_model_recover_energies(ew_model *model, ew_energies *energies)
{
    *energies = (ew_energies){0};
    EW_TRY(model_need_usable(model));
    EW_TRY(model_assign_materials(model));
    EW_TRY(model_update_supports(model));
    EW_TRY(model_update_loads(model));
    const bool moves = model->dynamics.is_active || model_is_nonlinear(model);
    if (!ew_model_recovered(model) && !moves && model->solved_revision != model->mesh.revision) {
        return ew_fail(EW_STALE, "model: energies are those of an answer, and the mesh has changed "
                                 "since the last one; call ew_model_solve first");
    }
    if (!ew_model_recovered(model) && !model->dynamics.is_active && model_has_plain_stress(model)) {
        return recover(model, energies);
    }
    EW_TRY(ew_model_recovered(model) ? EW_OK : ew_model_recover(model, NULL, NULL));
    EW_TRY(ew_fields_complete(&model->fields, ew_model_edge_rows(model) != NULL));
    *energies = (ew_energies){.tet = model->fields.energy,
                              .volume = model->sums.volume,
                              .strain = model->sums.strain_energy,
                              .springs = model->sums.spring_energy};
    return EW_OK;
}
