/* What a run tells its log: a line for each step and output, one for each warning. */
#include "report.h"

static void log_parameters(tool_log *log, const ew_step_report *step)
{
    if (step->combination) {
        tool_log_number(log, "combination", step->combination);
    }
    for (int32_t k = 0; k < step->n_parameter; k++) {
        char name[EW_EXPRESSION_NAME + 16];
        snprintf(name, sizeof name, "parameter_%s", step->parameter[k].name);
        tool_log_number(log, name, step->parameter[k].value);
    }
}

void report_log(tool_log *log, const ew_case *input, const ew_step_report *step)
{
    const ew_sums *sums = step->sums;
    int32_t lost = 0;
    if (step->failure) {
        tool_log_begin(log, "failed step");
        tool_log_text(log, "name", step->name);
        log_parameters(log, step);
        tool_log_text(log, "message", step->failure);
        tool_log_end(log);
        return;
    }
    for (int32_t s = 0; s < input->n_set; s++) {
        lost += step->lost_members[s];
    }
    tool_log_begin(log, "step");
    tool_log_text(log, "name", step->name);
    log_parameters(log, step);
    tool_log_number(log, "tets", step->n_tet);
    tool_log_number(log, "vertices", step->n_vertex);
    tool_log_number(log, "edges", step->n_edge);
    tool_log_number(log, "touched_blocks", (double)step->touched_blocks);
    tool_log_number(log, "total_blocks", (double)step->total_blocks);
    if (step->verified) {
        tool_log_number(log, "different_blocks", (double)step->different_blocks);
        tool_log_number(log, "largest_difference", step->largest_difference);
        tool_log_number(log, "seconds_rebuild",
                        step->seconds_rebuild_topology + step->seconds_rebuild_matrix);
    }
    tool_log_number(log, "volume", sums->volume);
    tool_log_number(log, "mass", sums->mass);
    if (step->solver) {
        tool_log_number(log, "iterations", step->solver->iterations);
        tool_log_number(log, "residual", step->solver->residual);
        report_nonlinear_log(log, step);
        tool_log_text(log, "preconditioner", ew_preconditioner_name(step->solver->preconditioner));
        if (step->solver->preconditioner == EW_CHOLESKY) {
            const ew_factor_info *factor = &step->solver->factor;
            tool_log_text(log, "factor",
                          factor->work == EW_FACTOR_NEW       ? "new"
                          : factor->work == EW_FACTOR_UPDATED ? "updated"
                                                              : "kept");
            tool_log_number(log, "factor_columns", factor->n_column);
            tool_log_number(log, "factor_entries", (double)factor->n_entry);
        }
        tool_log_number(log, "max_displacement", sums->max_displacement);
        tool_log_number(log, "max_von_mises", sums->max_von_mises);
        tool_log_number(log, "max_tet_von_mises", sums->max_tet_von_mises);
        tool_log_number(log, "max_averaged_von_mises", sums->max_vertex_von_mises);
        tool_log_vector(log, "applied_force", sums->applied_force, 3);
        tool_log_vector(log, "reaction_force", sums->reaction_force, 3);
        tool_log_number(log, "strain_energy", sums->strain_energy);
        tool_log_number(log, "thermal_work", sums->thermal_work);
        tool_log_number(log, "spring_energy", sums->spring_energy);
    }
    report_mode_log(log, step);
    if (step->motion) {
        tool_log_number(log, "time", step->motion->time);
        tool_log_number(log, "kinetic_energy", step->motion->account.kinetic);
        tool_log_number(log, "energy_balance", step->motion->account.balance);
    }
    if (step->estimate) {
        tool_log_number(log, "error_share", step->estimate->share);
        tool_log_number(log, "peak_error", step->estimate->peak_share);
        tool_log_number(log, "bent", step->adequacy->bent);
        tool_log_number(log, "layers", step->adequacy->layers);
        tool_log_number(log, "rotated", step->adequacy->rotated);
        tool_log_number(log, "max_rotation", step->adequacy->max_rotation);
        tool_log_number(log, "max_strain", step->adequacy->max_strain);
    }
    tool_log_number(log, "lost_members", lost);
    tool_log_vector(log, "lost_force", step->lost_force, 3);
    tool_log_number(log, "seconds_edit", step->seconds_edit);
    tool_log_number(log, "seconds_tables", step->seconds_topology);
    tool_log_number(log, "seconds_matrix", step->seconds_matrix);
    tool_log_number(log, "seconds_compact", step->seconds_compact);
    tool_log_number(log, "seconds_loads", step->seconds_loads);
    tool_log_number(log, "seconds_solve", step->seconds_solve);
    tool_log_number(log, "seconds_recover", step->seconds_recover);
    tool_log_number(log, "seconds_estimate", step->seconds_estimate);
    tool_log_number(log, "seconds_save", step->seconds_save);
    tool_log_end(log);
    for (int32_t i = 0; i < step->n_warning; i++) {
        tool_log_begin(log, "warning");
        tool_log_text(log, "step", step->name);
        tool_log_text(log, "kind", ew_warning_kind_name(step->warning[i].kind));
        tool_log_text(log, "message", step->warning[i].text);
        tool_log_end(log);
    }
}
