/* The estimated error of a model's last recovery, and its largest stress. In: its mesh, tables,
 * materials and recovered fields. Out: the estimate, and whether linear tets and a linear theory
 * fit; where the largest stress is, whether it has a limit, and how safe the body is. */
#include "model/formulation/formulation.h"

#include <math.h>

/* Of what changed since the last estimate, where that is enough. */
static ew_status take_estimate(ew_model *model)
{
    model_recovery *kept = &model->recovery;
    bool is_local = kept->is_kept && kept->is_estimated;
    kept->is_estimated = false; /* unless all goes well */
    EW_TRY(is_local ? ew_estimate_update(&model->estimate, &model->mesh, &model->topology,
                                         &model->materials, &model->fields,
                                         ew_model_edge_rows(model), &kept->since, &is_local)
                    : EW_OK);
    EW_TRY(is_local ? EW_OK
                    : ew_estimate_take_together(model->peers, &model->estimate, &model->mesh,
                                                &model->topology, &model->materials, &model->fields,
                                                ew_model_edge_rows(model)));
    ew_recovery_change_clear(&kept->since);
    kept->is_estimated = kept->is_kept;
    return EW_OK;
}

ew_status ew_model_estimate(ew_model *model, const ew_estimate **estimate,
                            const ew_adequacy **adequacy)
{
    EW_TRY(model_need_usable(model));
    if (!ew_model_recovered(model)) {
        return ew_fail(EW_STALE,
                       "model: an error is estimated from recovered fields, and the mesh has "
                       "changed since, or nothing was recovered; call ew_model_recover first");
    }
    const double start = ew_seconds();
    EW_TRY(take_estimate(model));
    if (adequacy) {
        EW_TRY(ew_adequacy_evaluate_together(model->peers, &model->adequacy, &model->mesh,
                                             &model->topology, &model->fields, &model->estimate,
                                             model->nonlinear.kinematics, model->field[0].value));
        *adequacy = &model->adequacy;
    }
    const int32_t peak = model->estimate.peak_tet;
    const double flow =
        peak >= 0 && model_is_nonlinear(model) ? model_flow_stress(model, peak) : 0.0;
    if (flow > 0.0) {
        model->estimate.peak_recovered = fmin(model->estimate.peak_recovered, flow);
    }
    ew_sums *sums = &model->sums;
    sums->max_recovered_von_mises = model->estimate.peak_recovered;
    sums->max_recovered_von_mises_vertex = model->estimate.peak_vertex;
    sums->max_von_mises = fmax(sums->max_von_mises, sums->max_recovered_von_mises);
    model->report.seconds_estimate += ew_seconds() - start;
    if (estimate) {
        *estimate = &model->estimate;
    }
    return EW_OK;
}

/* The vertices that the peak is at: those of its tet, or the one it was averaged at. */
static int list_vertices(const ew_mesh *mesh, const ew_peak *peak, int32_t list[4])
{
    if (peak->tet < 0) {
        list[0] = peak->vertex;
        return peak->vertex >= 0;
    }
    for (int k = 0; k < 4; k++) {
        list[k] = mesh->tet[4 * (size_t)peak->tet + (size_t)k];
    }
    return 4;
}

static void find_place(const ew_model *model, ew_peak *peak)
{
    const ew_sums *sums = &model->sums;
    peak->tet = peak->vertex = peak->region = -1;
    if (sums->max_von_mises == sums->max_recovered_von_mises &&
        sums->max_recovered_von_mises_vertex >= 0 && sums->max_von_mises > 0.0) {
        peak->of = EW_PEAK_RECOVERED;
        peak->tet = model->estimate.peak_tet;
        peak->vertex = sums->max_recovered_von_mises_vertex;
    }
    if (sums->max_von_mises == sums->max_vertex_von_mises) {
        peak->of = EW_PEAK_AVERAGED;
        peak->tet = -1;
        peak->vertex = sums->max_vertex_von_mises_vertex;
        peak->region = sums->max_vertex_von_mises_region;
    }
    if (sums->max_von_mises == sums->max_tet_von_mises) {
        peak->of = EW_PEAK_OF_TET;
        peak->tet = sums->max_tet_von_mises_tet;
        peak->vertex = peak->tet < 0 ? -1 : model->mesh.tet[4 * (size_t)peak->tet];
    }
    peak->region = peak->tet >= 0 ? model->mesh.region[peak->tet] : peak->region;
}

/* Where the body yields at the peak its stress has a limit. */
static bool is_at_yield(const ew_model *model, const ew_peak *peak)
{
    const ew_rows *tets = &model->topology.vertex_to_tet;
    double flow = 0.0;
    if (!model_is_nonlinear(model) || peak->vertex < 0) {
        return false;
    }
    for (int32_t i = 0; i < tets->count[peak->vertex]; i++) {
        flow = fmax(flow, model_flow_stress(
                              model, tets->item[(size_t)tets->begin[peak->vertex] + (size_t)i]));
    }
    return flow > 0.0 && peak->von_mises > (1.0 - 1e-3) * flow;
}

ew_status ew_model_peak(ew_model *model, ew_peak *peak)
{
    int32_t vertex[4];
    EW_TRY(model_need_usable(model));
    if (!ew_model_recovered(model)) {
        return ew_fail(EW_STALE, "model: the largest stress is that of recovered fields, and the "
                                 "mesh has changed since, or nothing was recovered; call "
                                 "ew_model_recover first");
    }
    EW_TRY(model_update_constraints(model));
    const bool estimated = model->sums.max_recovered_von_mises_vertex >= 0;
    *peak = (ew_peak){.von_mises = model->sums.max_von_mises,
                      .safety = ew_safety_take(&model->mesh, &model->materials, &model->fields,
                                               estimated ? &model->estimate : NULL)};
    find_place(model, peak);
    const int n = is_at_yield(model, peak) ? 0 : list_vertices(&model->mesh, peak, vertex);
    for (int i = 0; i < n && peak->von_mises > 0.0; i++) {
        ew_singularity found;
        ew_singularity_at(&model->mesh, &model->topology, &model->materials, &model->constraints,
                          ew_model_force(model), model->fields.reaction, vertex[i], &found);
        peak->singularity =
            i == 0 || found.order > peak->singularity.order ? found : peak->singularity;
    }
    return EW_OK;
}
