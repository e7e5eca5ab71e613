/* Derivatives of outputs by the parameters of a case, from adjoints. In: a study whose combination
 * was solved, and the outputs. Out: their derivatives by each parameter of the sweep.
 *
 * The case is read again with values a little above and below, and prepared up to its last solve,
 * on a study beside: that takes no solve. There the Lagrangians are formed with displacement and
 * adjoints of the combination (model_goals.h), whose differences are the derivatives. */
#include "study/run/run.h"

#include <math.h>
#include <string.h>

/* A share of a parameter's range: the error of differences grows with its square, and rounding with
 * its inverse. */
#define STEP 1e-5

typedef struct gradient_run {
    ew_study *study;
    const ew_case *input;
    int32_t k; /* combination */
    int32_t n; /* outputs */
    const ew_case_output_of *const *output;
    ew_goal_answer *answer; /* [n] owned; adjoints of those with goals */
    int32_t *goal;          /* [n] owned: number of the goal; -1: it is no function of the answer */
    double *slope;          /* [n] owned: of the output by the goal; null: 1 */
} gradient_run;

/* ---- outputs as goals ------------------------------------------------------------- */

/* The tet of a region (-1: of any) with the largest von Mises stress of its own. */
static int32_t find_peak_tet(const ew_study *study, int32_t region)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    int32_t most = -1;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t) && (region < 0 || mesh->region[t] == region) &&
            (most < 0 || study->fields->von_mises[t] > study->fields->von_mises[most])) {
            most = t;
        }
    }
    return most;
}

/* The largest stress of all kinds, or the safety against yielding, by the stress where it is: at a
 * vertex the averaged one, else that of the tet, of which the recovered stress there, and the
 * safety, are taken to be a constant multiple. Where only the tet's own is the largest, or the
 * averaged one, that is exact. *slope: of the output by that. */
static ew_goal goal_of_peak(const ew_study *study, bool is_safety, double *slope)
{
    const ew_peak *peak = &study->report.peak;
    ew_goal goal = ew_default_goal();
    *slope = 0.0; /* where nothing is stressed, or no material has a strength */
    goal.kind = EW_GOAL_KINDS;
    if (!(peak->von_mises > 0.0) || (is_safety && !isfinite(peak->safety.yield))) {
        return goal;
    }
    *slope = 1.0;
    goal.kind = EW_GOAL_VON_MISES;
    if (!is_safety && peak->of == EW_PEAK_AVERAGED) {
        goal.vertex = peak->vertex;
        return goal;
    }
    goal.tet = is_safety ? find_peak_tet(study, peak->safety.yield_region) : peak->tet;
    const double own = study->fields->von_mises[goal.tet];
    *slope = own > 0.0 ? (is_safety ? -peak->safety.yield : peak->von_mises) / own : 0.0;
    return goal;
}

/* Words of EW_OUTPUTS and EW_SET_OUTPUTS that have derivatives, in their order. */
static ew_goal goal_of(const ew_study *study, const ew_case_output_of *of, double *slope)
{
    enum { MAX_VON_MISES = 3, YIELD_SAFETY = 9 };
    static const ew_goal_kind of_body[] = {
        [0] = EW_GOAL_KINDS,     [1] = EW_GOAL_KINDS,     [2] = EW_GOAL_DISPLACEMENT,
        [4] = EW_GOAL_VON_MISES, [5] = EW_GOAL_VON_MISES, [6] = EW_GOAL_ENERGY};
    static const ew_goal_kind of_set[] = {EW_GOAL_DISPLACEMENT, EW_GOAL_DISPLACEMENT,
                                          EW_GOAL_VON_MISES, EW_GOAL_KINDS, EW_GOAL_REACTION};
    const ew_sums *sums = study->report.sums;
    ew_goal goal = ew_default_goal();
    *slope = 1.0;
    if (of->set < 0 && (of->quantity == MAX_VON_MISES || of->quantity == YIELD_SAFETY)) {
        return goal_of_peak(study, of->quantity == YIELD_SAFETY, slope);
    }
    if (of->set < 0) {
        goal.kind = of_body[of->quantity];
        goal.vertex = of->quantity == 2   ? sums->max_displacement_vertex
                      : of->quantity == 5 ? sums->max_vertex_von_mises_vertex
                                          : -1;
        goal.tet = of->quantity == 4 ? sums->max_tet_von_mises_tet : -1;
        return goal;
    }
    const ew_set_report *set = &study->report.set[of->set];
    goal.kind = of_set[of->quantity];
    goal.components = set->support;
    goal.set = of->set;
    if (of->quantity == 1) {
        goal.set = -1;
        goal.vertex = set->results.max_displacement_vertex;
    }
    return goal;
}

/* Goals of the model, and their adjoints. */
static ew_status find_adjoints(gradient_run *run, ew_goal *list)
{
    ew_study *study = run->study;
    const ew_case *given = study->input;
    const ew_pcg_def def = ew_study_solver_def(study, &given->step[given->n_step - 1]);
    int32_t n = 0;
    if (!study->fields) {
        return ew_fail_at(EW_BAD_INPUT, run->input->sweep->line,
                          "optimise: 'method: mma' needs a last step that is static; use 'method: "
                          "cobyla'");
    }
    for (int32_t i = 0; i < run->n; i++) {
        const ew_goal goal = goal_of(study, run->output[i], &run->slope[i]);
        run->goal[i] = goal.kind == EW_GOAL_KINDS ? -1 : n;
        if (goal.kind != EW_GOAL_KINDS) {
            list[n++] = goal;
        }
    }
    EW_TRY(ew_model_set_goals(study->model, n, list));
    for (int32_t i = 0; i < run->n; i++) {
        if (run->goal[i] >= 0) {
            EW_TRY(ew_model_evaluate_goal(study->model, run->goal[i], &def, &run->answer[i]));
        }
    }
    return EW_OK;
}

/* ---- the case beside ---------------------------------------------------------------- */

/* All up to the solve of a step. */
static ew_status prepare(ew_study *beside, const ew_case *given, int32_t last)
{
    EW_TRY(ew_study_start_again(beside, given));
    last = last < given->n_step ? last : given->n_step - 1; /* all are done */
    for (int32_t s = 0; s <= last; s++) {
        const ew_case_step *step = &given->step[s];
        beside->n_done = s;
        beside->has_step_sets = false;
        EW_TRY(step->reset ? ew_study_start_again(beside, given) : EW_OK);
        EW_TRY(ew_study_begin_record(beside, step));
        EW_TRY(ew_study_set_laws(beside, !ew_case_takes_laws(given, step)));
        EW_TRY(ew_study_set_loads(beside, step, false));
        EW_TRY(ew_study_edit(beside, step));
        EW_TRY(ew_study_make_step_sets(beside, step));
    }
    return ew_study_prepare_solve(beside, &given->step[last]);
}

static bool has_same_tets(const ew_mesh *a, const ew_mesh *b)
{
    return a->n_vertex == b->n_vertex && a->n_tet == b->n_tet &&
           !memcmp(a->tet, b->tet, 4 * (size_t)a->n_tet * sizeof *a->tet);
}

/* The displacement of the combination, and its goals, into the model beside it. */
static ew_status take_answer(const gradient_run *run, ew_study *beside, int32_t n,
                             const ew_goal *list)
{
    const ew_model *from = run->study->model;
    const ew_mesh *mesh = ew_model_mesh(from);
    const ew_edge_rows *rows = ew_model_edge_rows(from);
    if (!has_same_tets(mesh, ew_model_mesh(beside->model))) {
        return ew_fail_at(EW_BAD_INPUT, run->input->sweep->line,
                          "where a parameter changes a little other tets are made, so that there "
                          "are no derivatives; use edits that move vertices, in a search 'method: "
                          "cobyla', of goals no 'by'");
    }
    memcpy(ew_model_field(beside->model, 0), ew_model_displacement(from),
           3 * (size_t)mesh->n_vertex * sizeof(double));
    EW_TRY(rows ? ew_model_put_edge_displacement(beside->model, rows->pattern.n_row,
                                                 ew_model_edge_displacement(from))
                : EW_OK);
    return ew_model_set_goals(beside->model, n, list);
}

/* Adds factor times each output of the case with these values, u and adjoints being constant. */
static ew_status add_outputs(const gradient_run *run, ew_study *beside, int32_t n,
                             const ew_goal *list, double factor, double *sum, int32_t stride)
{
    ew_case given;
    EW_TRY(ew_study_read_combination(run->input, run->k, &given));
    ew_status status = prepare(beside, &given, run->study->n_done);
    status = status ? status : take_answer(run, beside, n, list);
    if (!status) {
        ew_study_measure_body(beside);
    }
    for (int32_t i = 0; i < run->n && !status; i++) {
        double value = !run->output               ? 0.0
                       : run->output[i]->quantity ? beside->body.volume
                                                  : beside->body.mass;
        status = run->goal[i] >= 0 ? ew_model_goal_lagrangian(beside->model, run->goal[i],
                                                              &run->answer[i], &value)
                                   : EW_OK;
        sum[(size_t)i * (size_t)stride] += factor * (run->slope ? run->slope[i] : 1.0) * value;
    }
    ew_study_release_case(beside);
    beside->input = run->input;
    ew_case_free(&given);
    return status;
}

/* Of the j-th parameter: the size of its range; of a sweep its largest value. */
static double size_of(const ew_case *input, int32_t j, double value)
{
    const ew_case_sweep *sweep = input->sweep;
    double size = fabs(value);
    if (sweep->search) {
        return sweep->search->high[j] - sweep->search->low[j];
    }
    for (int32_t k = 0; k < sweep->n; k++) {
        const double other = sweep->value[(size_t)k * (size_t)sweep->n_parameter + (size_t)j];
        size = other == other ? fmax(size, fabs(other)) : size;
    }
    return size > 0.0 ? size : 1.0;
}

/* Derivatives by the j-th parameter, `stride` apart. */
static ew_status differentiate_by(const gradient_run *run, ew_study *beside, int32_t n,
                                  const ew_goal *list, int32_t j, double *gradient, int32_t stride)
{
    const ew_case_sweep *sweep = run->input->sweep;
    double *at = sweep->value + (size_t)run->k * (size_t)sweep->n_parameter + j;
    const double given = *at;
    const double value =
        given == given ? given : run->study->input->parameter[sweep->parameter[j]].value;
    const double step = STEP * size_of(run->input, j, value);
    const double high = value + step, low = value - step;
    *at = high;
    ew_status status = add_outputs(run, beside, n, list, 1.0 / (high - low), gradient, stride);
    *at = low;
    if (!status) {
        status = add_outputs(run, beside, n, list, -1.0 / (high - low), gradient, stride);
    }
    *at = given;
    return status;
}

static ew_status differentiate(const gradient_run *run, ew_study *beside, const ew_goal *list,
                               double *gradient)
{
    const int32_t m = run->input->sweep->n_parameter, n = ew_model_n_goal(run->study->model);
    memset(gradient, 0, (size_t)run->n * (size_t)m * sizeof *gradient);
    for (int32_t j = 0; j < m; j++) {
        EW_TRY(differentiate_by(run, beside, n, list, j, gradient + j, m));
    }
    return EW_OK;
}

ew_status ew_study_differentiate_goals(ew_study *study, int32_t n, const ew_goal *list,
                                       ew_goal_answer *answer, int32_t j, double *derivative)
{
    int32_t goal[EW_MAX_GOALS];
    gradient_run run = {.study = study,
                        .input = study->root,
                        .k = study->combination - 1,
                        .n = n,
                        .answer = answer,
                        .goal = goal};
    ew_study *beside = NULL;
    for (int32_t i = 0; i < n; i++) {
        goal[i] = answer[i].adjoint ? i : -1;
        derivative[i] = 0.0;
    }
    EW_TRY(ew_study_make_beside(&beside, study, study->root));
    beside->solves_nothing = true;
    beside->n_done = study->n_done;
    const ew_status status = differentiate_by(&run, beside, n, list, j, derivative, 1);
    ew_study_free_beside(beside);
    return status;
}

ew_status ew_study_differentiate(ew_study *study, const ew_case *input, int32_t k, int32_t n,
                                 const ew_case_output_of *const *output, double *gradient)
{
    gradient_run run = {.study = study, .input = input, .k = k, .n = n, .output = output};
    ew_study *beside = NULL;
    ew_goal *list = NULL;
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_new_zero(&run.answer, (size_t)n, sizeof *run.answer));
    EW_TRY_OUT(ew_new_zero(&run.goal, (size_t)n, sizeof *run.goal));
    EW_TRY_OUT(ew_new_zero(&run.slope, (size_t)n, sizeof *run.slope));
    EW_TRY_OUT(ew_new_zero(&list, (size_t)n, sizeof *list));
    EW_TRY_OUT(ew_study_make_beside(&beside, study, input));
    beside->solves_nothing = true;
    EW_TRY_OUT(find_adjoints(&run, list));
    status = differentiate(&run, beside, list, gradient);
out:
    ew_study_free_beside(beside);
    ew_release(run.answer);
    ew_release(run.goal);
    ew_release(run.slope);
    ew_release(list);
    return status;
}
