/* Goals of a case. In: a study whose linear static step is solved. Out: their values in its report,
 * where an energy tolerance is given with bounds of their errors, and derivatives by parameters of
 * the sweep. */
#include "study/run/run.h"

#include <math.h>
#include <string.h>

static int32_t nearest_vertex(const ew_mesh *mesh, const double point[3])
{
    int32_t nearest = -1;
    double smallest = INFINITY;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v;
        const double a = x[0] - point[0], b = x[1] - point[1], c = x[2] - point[2];
        const double square = a * a + b * b + c * c;
        if (ew_mesh_vertex_is_active(mesh, v) && square < smallest) {
            smallest = square;
            nearest = v;
        }
    }
    return nearest;
}

/* The tet with the largest von Mises stress, the first of several. */
static ew_status find_peak(ew_study *study, int32_t *tet)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    const ew_fields *fields;
    double largest = -1.0;
    EW_TRY(ew_model_recover_stress(study->model, &fields));
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t) && fields->von_mises[t] > largest) {
            largest = fields->von_mises[t];
            *tet = t;
        }
    }
    return EW_OK;
}

/* By its name, in place of its number in the model. */
static ew_status fail_of(const ew_case_goal *goal, ew_status status)
{
    const char *text = ew_last_failure()->text;
    const char *end = strncmp(text, "goal ", 5) ? NULL : strstr(text, ": ");
    return ew_fail_at(status, goal->line, "goal '%s': %s", goal->name, end ? end + 2 : text);
}

static ew_status take_goal(ew_study *study, const ew_case_goal *from, ew_goal *goal)
{
    static const ew_goal_kind kind[] = {EW_GOAL_DISPLACEMENT, EW_GOAL_REACTION, EW_GOAL_COMPLIANCE,
                                        EW_GOAL_ENERGY,       EW_GOAL_STRESS,   EW_GOAL_VON_MISES,
                                        EW_GOAL_VON_MISES};
    *goal = ew_default_goal();
    goal->kind = kind[from->quantity];
    goal->set = from->set;
    goal->components = 7 | EW_SPRING_FORCES;
    goal->component = from->component;
    for (int c = 0; c < 3; c++) {
        goal->direction[c] = from->direction[c];
    }
    if (from->has_point) {
        goal->vertex = nearest_vertex(ew_model_mesh(study->model), from->point);
    }
    return from->quantity == EW_CASE_GOAL_MAX_VON_MISES ? find_peak(study, &goal->tet) : EW_OK;
}

/* With an adjoint where its error or a derivative is asked for. */
static ew_status evaluate(ew_study *study, const ew_case_step *step, int32_t i,
                          ew_goal_answer *answer)
{
    ew_goal_report *to = &study->goal[i];
    const ew_pcg_def def = ew_study_solver_def(study, step);
    if (!to->goal->n_by && !(def.energy_tolerance > 0.0)) {
        return ew_model_goal_value(study->model, i, &to->value);
    }
    EW_TRY(ew_model_evaluate_goal(study->model, i, &def, answer));
    to->bound = answer->bound;
    to->value = answer->bound > 0.0 ? answer->corrected : answer->value;
    return EW_OK;
}

/* All goals at once by each parameter that one of them is differentiated by. */
static ew_status differentiate(ew_study *study, int32_t n, const ew_goal *list,
                               ew_goal_answer *answer)
{
    const ew_case_sweep *sweep = study->root->sweep;
    for (int32_t j = 0; j < sweep->n_parameter; j++) {
        double derivative[EW_MAX_GOALS];
        bool is_found = false;
        for (int32_t i = 0; i < n; i++) {
            for (int32_t k = 0; k < study->goal[i].goal->n_by; k++) {
                if (study->goal[i].goal->by[k] != sweep->parameter[j]) {
                    continue;
                }
                EW_TRY(is_found ? EW_OK
                                : study->differentiate(study, n, list, answer, j, derivative));
                is_found = true;
                study->goal[i].derivative[k] = derivative[i];
            }
        }
    }
    return EW_OK;
}

ew_status ew_study_evaluate_goals(ew_study *study, const ew_case_step *step)
{
    const ew_case *input = study->input;
    ew_goal list[EW_MAX_GOALS];
    ew_goal_answer answer[EW_MAX_GOALS] = {{0}};
    bool has_derivatives = false;
    const int32_t n = input->n_goal;
    if (!n || ew_model_is_nonlinear(study->model) || ew_model_is_mixed(study->model)) {
        return EW_OK;
    }
    for (int32_t i = 0; i < n; i++) {
        const ew_case_goal *from = study->root ? &study->root->goal[i] : &input->goal[i];
        study->goal[i] = (ew_goal_report){.goal = from};
        const ew_status status = take_goal(study, from, &list[i]);
        EW_TRY(status ? fail_of(from, status) : EW_OK);
        has_derivatives = has_derivatives || from->n_by;
    }
    EW_TRY(ew_model_set_goals(study->model, n, list));
    for (int32_t i = 0; i < n; i++) {
        const ew_status status = evaluate(study, step, i, &answer[i]);
        EW_TRY(status ? fail_of(study->goal[i].goal, status) : EW_OK);
    }
    EW_TRY(has_derivatives && study->root ? differentiate(study, n, list, answer) : EW_OK);
    study->report.n_goal = n;
    study->report.goal = study->goal;
    return EW_OK;
}
