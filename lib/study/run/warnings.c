/* What a step's answer must not be taken without: plain lines, each with a remedy. In: the
 * estimated error and whether a linear theory and linear tets fit. Out: warnings in the step's
 * report, none where the answer is good.
 *
 * A share of the body must be concerned, since a single tet at a sharp corner or under a point load
 * always is. */
#include "study/run/run.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shares of the energy norm, of the stress at the surface, of the volume. */
static const double max_error = 0.10, max_bent = 0.20, max_beyond = 0.01;
/* Poisson's ratio above which linear tets lock, and the estimate, too, is low: at 0.45 it was 0.80
 * to 0.99 of the true error, at 0.49 0.67 to 0.99; from which share on that matters. */
static const double max_poisson = 0.48, min_locked = 0.03;
/* Of the largest energy norm of the study: less stress than that is what tolerances leave of a body
 * that was unloaded. */
static const double min_norm = 1e-3;
/* Of the energy in a motion: what time steps may make or take. */
static const double max_made = 0.05;

/* [EW_WARNING_COUNT] */
#define KIND(kind, name, is_recorded, when) {name, is_recorded, when},
static const struct {
    const char *name;
    bool is_recorded;
    const char *when;
} kinds[] = {EW_WARNING_KINDS(KIND)};

const char *ew_warning_kind_name(ew_warning_kind kind)
{
    return (unsigned)kind < EW_WARNING_COUNT ? kinds[kind].name : "";
}

const char *ew_warning_kind_help(ew_warning_kind kind)
{
    return (unsigned)kind < EW_WARNING_COUNT ? kinds[kind].when : "";
}

bool ew_study_records_warning(ew_warning_kind kind)
{
    return (unsigned)kind < EW_WARNING_COUNT && kinds[kind].is_recorded;
}

void ew_study_warn(ew_study *study, ew_warning_kind kind, int32_t line, const char *format, ...)
{
    ew_step_report *report = &study->report;
    if (report->n_warning == EW_MAX_WARNINGS) {
        return;
    }
    ew_warning *warning = &study->warning[report->n_warning++];
    va_list list;
    va_start(list, format);
    memset(warning, 0, sizeof *warning); /* its bytes go into checkpoints */
    warning->kind = kind;
    warning->line = line;
    vsnprintf(warning->text, sizeof warning->text, format, list);
    va_end(list);
    report->warning = study->warning;
}

/* ---- texts of a record --------------------------------------------------------------------- */

void ew_study_join_warnings(const ew_step_report *report, study_warning_texts *texts)
{
    texts->text[0] = texts->kind[0] = 0;
    for (int32_t i = 0; i < report->n_warning; i++) {
        const ew_warning *warning = &report->warning[i];
        const size_t n = strlen(texts->kind);
        strcat(strcat(texts->text, i ? "\n" : ""), warning->text);
        snprintf(texts->kind + n, sizeof texts->kind - n, "%s%s:%d", i ? "\n" : "",
                 ew_warning_kind_name(warning->kind), (int)warning->line);
    }
}

/* *line: of "kind:line" at the start of a line of text; an edit of no line where there is none, as
 * in results of versions that wrote no kinds. */
static ew_warning_kind read_kind(const char *text, int32_t *line)
{
    const size_t length = strcspn(text, ":\n");
    *line = text[length] == ':' ? (int32_t)strtol(text + length + 1, NULL, 10) : 0;
    for (int k = 0; k < EW_WARNING_COUNT && length; k++) {
        if (length == strlen(kinds[k].name) && !memcmp(text, kinds[k].name, length)) {
            return (ew_warning_kind)k;
        }
    }
    return EW_WARNING_COUNT;
}

void ew_study_repeat_warnings(ew_study *study, const char *text, const char *kind, bool all)
{
    while (*text) {
        const size_t length = strcspn(text, "\n"), n = strcspn(kind, "\n");
        int32_t line;
        const ew_warning_kind found = read_kind(kind, &line);
        if (all || ew_study_records_warning(found)) {
            ew_study_warn(study, found < EW_WARNING_COUNT ? found : EW_WARNING_EDIT, line, "%.*s",
                          (int)(length < EW_WARNING_TEXT ? length : EW_WARNING_TEXT), text);
        }
        text += length + (text[length] != 0);
        kind += n + (kind[n] != 0);
    }
}

/* ---- what an answer is judged by ------------------------------------------------------------- */

void ew_study_warn_of_goal(ew_study *study, const ew_refine_goal *goal, int32_t line, double share)
{
    ew_study_warn(
        study, EW_WARNING_GOAL, line,
        "the estimated error is %.2f %%, above the %.2f %% that 'refine: {by: error}' was "
        "to reach; raise max_rounds (%d) or max_tets (%d), unless a point, a line or a sharp inner "
        "corner carries load: the stress has no limit there, and a finer mesh does not help",
        100.0 * share, 100.0 * goal->until, goal->max_rounds, goal->max_tets);
}

/* Whether a goal was missed, which is told then. */
static bool judge_goals(ew_study *study, const ew_case_step *step)
{
    bool missed = false;
    for (int32_t i = 0; i < step->n_edit; i++) {
        ew_refine_goal goal;
        const ew_case_edit *edit = &step->edit[i];
        if (ew_refine_goal_of(edit->operation, &edit->values, &goal) &&
            study->report.estimate->share > goal.until) {
            ew_study_warn_of_goal(study, &goal, edit->line, study->report.estimate->share);
            missed = true;
        }
    }
    return missed;
}

static bool is_nonlinear(const ew_study *study)
{
    return ew_model_kinematics(study->model) != EW_SMALL ||
           ew_materials_have_laws(ew_model_materials(study->model));
}

/* Nonlinear steps take a stored matrix. */
const char *ew_study_nonlinear_conflict(const ew_study *study)
{
    const ew_case_step *step = &study->input->step[study->n_done];
    return step->operator_kind == EW_MATRIX_FREE ? ", without 'operator: matrix-free'" : "";
}

static bool may_be_quadratic(const ew_study *study)
{
    return !study->input->mixed &&
           study->input->step[study->n_done].operator_kind != EW_MATRIX_FREE;
}

static void judge_materials(ew_study *study, double share)
{
    const ew_materials *materials = ew_model_materials(study->model);
    double poisson = 0.0;
    for (int32_t r = 0; r < materials->n; r++) {
        poisson = fmax(poisson, materials->material[r].poisson);
    }
    if (poisson > max_poisson && share > min_locked && !ew_model_edge_rows(study->model) &&
        !study->input->mixed) {
        ew_study_warn(study, EW_WARNING_LOCKING, 0,
                      "Poisson's ratio is %g: linear tets lock near 0.5, are too stiff, and their "
                      "estimated error is too low; use 'elements: mixed', or a smaller Poisson's "
                      "ratio where the volume may change",
                      poisson);
    }
}

/* Of a plastic or creeping body the estimate is that of the stress alone, as large as the elastic
 * energy of its error; strain that has flowed is not in it. In motion `by: error` would judge the
 * state at the start. */
static void judge_error(ew_study *study, double share)
{
    const bool has_flowed = study->report.sums->dissipated > 0.0;
    char refine[80];
    if (share <= max_error) {
        return;
    }
    if (study->input->step[study->n_done].remove) {
        ew_study_warn(study, EW_WARNING_ERROR, 0,
                      "the estimated error is %.1f %% of the energy norm, more than %.0f %%: the "
                      "tets are too coarse; refine the mesh before the removal begins",
                      100.0 * share, 100.0 * max_error);
        return;
    }
    snprintf(refine, sizeof refine, "by: error, until: %.0f %%", 100.0 * max_error);
    ew_study_warn(study, EW_WARNING_ERROR, 0,
                  "the estimated error is %.1f %% of the energy norm, more than %.0f %%: the tets "
                  "are too coarse%s; refine%s, for example by 'edit: [{refine: {%s}}]'",
                  100.0 * share, 100.0 * max_error,
                  has_flowed ? ", and plastic strain may be off by more" : "",
                  has_flowed ? " before the first load, since what flows stays" : "",
                  study->motion.is_running ? "longer_than: ..." : refine);
}

/* share: estimated error, of the energy norm; 0 where there is no stress to speak of. is_told: that
 * it is too large. */
static void judge_answer(ew_study *study, double share, const ew_adequacy *adequacy, bool is_told)
{
    judge_materials(study, share);
    if (adequacy->bent > max_bent && share > 0.0 && !ew_model_edge_rows(study->model)) {
        ew_study_warn(
            study, EW_WARNING_LAYERS, 0,
            "%.0f %% of the stress at the surface is bending through %.1f layers of tets; "
            "linear tets need %d: they are too stiff here, and stresses too low; refine "
            "the thin walls%s",
            100.0 * adequacy->bent, adequacy->layers, EW_MIN_LAYERS,
            may_be_quadratic(study) ? ", or use 'elements: quadratic'" : "");
    }
    judge_error(study, is_told ? 0.0 : share);
    if (adequacy->rotated > max_beyond && ew_model_kinematics(study->model) == EW_SMALL) {
        ew_study_warn(study, EW_WARNING_ROTATION, 0,
                      "%.0f %% of the volume turns by more than %g rad, at most by %.3g: small "
                      "displacements no longer describe it; take 'kinematics: corotational'%s, or "
                      "check loads and units",
                      100.0 * adequacy->rotated, EW_MAX_ROTATION, adequacy->max_rotation,
                      ew_study_nonlinear_conflict(study));
    }
    if (adequacy->strained > max_beyond &&
        !ew_materials_have_laws(ew_model_materials(study->model))) {
        ew_study_warn(study, EW_WARNING_STRAIN, 0,
                      "%.0f %% of the volume is strained by more than %g, at most by %.3g: a "
                      "linear law no longer describes it; check loads and units, or scale the "
                      "loads down",
                      100.0 * adequacy->strained, EW_MAX_STRAIN, adequacy->max_strain);
    }
}

void ew_study_judge(ew_study *study, const ew_case_step *step)
{
    const bool is_told = judge_goals(study, step);
    if (study->report.sums->max_displacement == 0.0) {
        ew_study_warn(study, EW_WARNING_STILL, 0,
                      "nothing moves: no load acts on what is free to move; see "
                      "which sets loads and constraints have");
    }
    const ew_estimate *estimate = study->report.estimate;
    const double norm = hypot(estimate->error_norm, estimate->solution_norm);
    study->largest_norm = fmax(study->largest_norm, norm);
    judge_answer(study, norm > min_norm * study->largest_norm ? estimate->share : 0.0,
                 study->report.adequacy, is_told);
}

void ew_study_judge_goals(ew_study *study, const ew_case_step *step)
{
    const ew_model *model = study->model;
    const char *what = step->dynamic                                      ? "dynamic"
                       : step->response                                   ? "a response"
                       : step->n_mode                                     ? "of modes"
                       : step->has_static && ew_model_is_nonlinear(model) ? "nonlinear"
                       : step->has_static && ew_model_is_mixed(model)     ? "of mixed tets"
                                                                          : NULL;
    if (study->input->n_goal && what) {
        ew_study_warn(study, EW_WARNING_NO_GOALS, 0,
                      "the step has none of the goals of the case: it is %s, and goals are of "
                      "linear static steps; ask for sets or places in its place ('output:')",
                      what);
    }
}

void ew_study_judge_residual(ew_study *study)
{
    if (study->report.solver->limited_by_rounding) {
        ew_study_warn(
            study, EW_WARNING_ROUNDING, 0,
            "residual above the tolerance, as small as double precision allows; %s a part "
            "hangs on points nearly in line or on very soft springs",
            study->report.nonlinear ? "the body is nearly free of stress, or" : "see whether");
    }
}

/* What an implicit scheme makes of a nonlinear body's energy. Of a body that turns a step that
 * linearizes the force once is braked: the force at its end is along the rotations at its start.
 * What schemes with damping of their own take, and implicit Euler, is theirs. */
static void judge_balance(ew_study *study)
{
    const study_motion *motion = &study->motion;
    const ew_dynamics_def *def = &motion->def;
    const double share = motion->energy > 0.0 ? motion->balance / motion->energy : 0.0;
    ew_scheme_rule rule;
    ew_scheme_rule_of(def->scheme, &def->parameters, &rule);
    if (!is_nonlinear(study) || rule.u[1] == 0.0 || def->scheme == EW_IMPLICIT_EULER) {
        return;
    }
    if (def->newton_tolerance == 0.0 && motion->worst.max_rotation > EW_MAX_ROTATION &&
        fabs(share) > max_made) {
        ew_study_warn(study, EW_WARNING_BALANCE, 0,
                      "the time steps %s %.0f %% of the energy: they linearize the force once, "
                      "which brakes a body that turns, and angular momentum is lost as well; give "
                      "'nonlinear: {tolerance: 1e-6}' among the keys of 'dynamic:', or take "
                      "smaller steps",
                      share < 0.0 ? "took" : "made", 100.0 * fabs(share));
    } else if (share > max_made) {
        ew_study_warn(study, EW_WARNING_BALANCE, 0,
                      "the time steps made %.0f %% of the energy: take smaller ones",
                      100.0 * share);
    }
}

void ew_study_judge_motion(ew_study *study)
{
    judge_answer(study, study->motion.peak_error, &study->motion.worst, false);
    judge_balance(study);
}
