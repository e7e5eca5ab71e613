/* The log of a run: a line for each step and output, one for each warning. */
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

static void log_numbers(tool_log *log, const ew_step_report *step)
{
    const ew_step_number *number;
    for (int32_t k = 0; (number = ew_step_number_at(k)); k++) {
        const char *name = number->column ? number->column : number->name;
        double value[EW_STEP_NUMBER_VALUES];
        if (!(number->in & EW_IN_LOG) || !ew_step_number_of(k, step, value)) {
            continue;
        }
        if (number->n == 1) {
            tool_log_number(log, name, *value);
        } else {
            tool_log_vector(log, name, value, number->n);
        }
    }
}

static void log_preconditioner(tool_log *log, const ew_pcg_info *solver)
{
    tool_log_text(log, "preconditioner", ew_preconditioner_name(solver->preconditioner));
    if (solver->preconditioner == EW_CHOLESKY) {
        const ew_factor_info *factor = &solver->factor;
        tool_log_text(log, "factor",
                      factor->work == EW_FACTOR_NEW       ? "new"
                      : factor->work == EW_FACTOR_UPDATED ? "updated"
                                                          : "kept");
        tool_log_number(log, "factor_columns", factor->n_column);
        tool_log_number(log, "factor_entries", (double)factor->n_entry);
    }
}

void report_log(tool_log *log, const ew_step_report *step)
{
    if (step->failure) {
        tool_log_begin(log, "failed step");
        tool_log_text(log, "name", step->name);
        log_parameters(log, step);
        tool_log_text(log, "message", step->failure);
        tool_log_end(log);
        return;
    }
    tool_log_begin(log, "step");
    tool_log_text(log, "name", step->name);
    log_parameters(log, step);
    log_numbers(log, step);
    if (step->solver) {
        log_preconditioner(log, step->solver);
    }
    tool_log_end(log);
    for (int32_t i = 0; i < step->n_warning; i++) {
        tool_log_begin(log, "warning");
        tool_log_text(log, "step", step->name);
        tool_log_text(log, "kind", ew_warning_kind_name(step->warning[i].kind));
        tool_log_text(log, "message", step->warning[i].text);
        tool_log_end(log);
    }
}
