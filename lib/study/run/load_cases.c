/* Static steps that differ in loads and prescribed values alone: their solves share a matrix, and
 * are made side by side before the first of them. In: the steps of the case. Out: load cases of the
 * model, which the steps take.
 *
 * Which steps these are follows from the case alone. All but the first start from zero, so that
 * each has the same answer, bit for bit, where a run is resumed between them. */
#include "study/run/run.h"

#include <string.h>

/* Steps that are worth it: two are solved as fast one after the other. And as many as are solved at
 * once: each takes three vectors. */
enum { LEAST = 3, AT_ONCE = 8 };

static bool makes_sets(const ew_case *input, int32_t s)
{
    bool any = input->step[s].n_definition > 0;
    for (int32_t i = 0; i < input->n_set; i++) {
        any = any || input->set[i].step == s;
    }
    return any;
}

static bool is_load_case(const ew_case *input, int32_t s)
{
    const ew_case_step *step = &input->step[s];
    return step->has_static && !step->n_edit && !step->reset && !step->converge && !step->remove &&
           !step->n_part && !step->is_envelope && !step->is_fatigue &&
           step->energy_tolerance == 0.0 && step->preconditioner != EW_CHOLESKY &&
           !ew_case_takes_laws(input, step) && !makes_sets(input, s);
}

static bool same_support(const ew_case_constraint *a, const ew_case_constraint *b)
{
    return a->set == b->set && a->fixed == b->fixed && a->is_velocity == b->is_velocity &&
           a->amplitude == b->amplitude && a->is_spring == b->is_spring && a->spring == b->spring &&
           !memcmp(a->stiffness, b->stiffness, sizeof a->stiffness) &&
           !memcmp(&a->axes, &b->axes, sizeof a->axes);
}

static bool same_supports(const ew_case *input, const ew_case_step *a, const ew_case_step *b)
{
    const ew_case_constraint *of_a = a->own_constraints ? a->constraint : input->constraint;
    const ew_case_constraint *of_b = b->own_constraints ? b->constraint : input->constraint;
    const int32_t n = a->own_constraints ? a->n_constraint : input->n_constraint;
    bool same = n == (b->own_constraints ? b->n_constraint : input->n_constraint);
    for (int32_t i = 0; i < n && same && of_a != of_b; i++) {
        same = same_support(&of_a[i], &of_b[i]);
    }
    return same;
}

/* Whether step s shares its matrix with the one before it. */
static bool joins(const ew_case *input, int32_t s)
{
    const ew_case_step *a = &input->step[s - 1], *b = &input->step[s];
    return is_load_case(input, s - 1) && is_load_case(input, s) && a->tolerance == b->tolerance &&
           a->max_iterations == b->max_iterations && a->preconditioner == b->preconditioner &&
           a->operator_kind == b->operator_kind && same_supports(input, a, b);
}

/* The steps [*first, *end) that share with step s. */
static void find_group(const ew_case *input, int32_t s, int32_t *first, int32_t *end)
{
    *first = s;
    *end = s + 1;
    while (*first > 0 && joins(input, *first)) {
        --*first;
    }
    while (*end < input->n_step && joins(input, *end)) {
        ++*end;
    }
}

static ew_status add_case(ew_study *study, int32_t s, bool from_zero)
{
    const ew_case_step *step = &study->input->step[s];
    EW_TRY(ew_study_set_supports(study, step));
    EW_TRY(ew_study_set_loads(study, step, true));
    EW_TRY(ew_study_update_loads(study, step));
    return ew_model_add_case(study->model, from_zero);
}

/* Whether the answer of this step waits in the model. */
static bool is_ahead(const ew_study *study)
{
    const study_load_cases *of = &study->load_cases;
    return study->n_done == of->next && of->next > of->first && of->next < of->end;
}

/* What is wrong with a later step is told there. */
ew_status ew_study_solve_load_cases(ew_study *study, const ew_pcg_def *def)
{
    study_load_cases *of = &study->load_cases;
    const int32_t s = study->n_done;
    int32_t first, end;
    if (study->recalled.data || study->def.device || is_ahead(study)) {
        return EW_OK;
    }
    of->end = 0;
    find_group(study->input, s, &first, &end);
    if (end - first < LEAST || study->input->leave_out_free || study->input->n_equation ||
        study->input->n_coupling || study->input->n_tie || study->input->n_contact ||
        study->input->mixed || ew_model_is_nonlinear(study->model)) {
        return EW_OK;
    }
    ew_model_expect_no_answers(study->model);
    ew_model_clear_cases(study->model);
    EW_TRY(add_case(study, s, s > first));
    end = end < s + AT_ONCE ? end : s + AT_ONCE;
    for (int32_t k = s + 1; k < end; k++) {
        end = add_case(study, k, true) ? k : end;
    }
    EW_TRY(ew_model_solve_cases(study->model, def));
    *of = (study_load_cases){.first = s, .next = s, .end = end};
    return EW_OK;
}

ew_status ew_study_solve_linear(ew_study *study, const ew_pcg_def *def)
{
    study_load_cases *of = &study->load_cases;
    const bool takes = study->n_done == of->next && of->next < of->end;
    const int32_t number = of->next++ - of->first;
    ew_model *model = study->model;
    const ew_status status = takes ? ew_model_take_case(model, number, def, &study->report.solver)
                                   : ew_model_solve(model, def, &study->report.solver);
    if (!takes || status || of->next == of->end) {
        of->end = 0;
        ew_model_clear_cases(model);
    }
    return status;
}
