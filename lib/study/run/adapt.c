/* Refinement by the estimated error: `refine: {by: error, until: ..}` of a step. In: the step's
 * constraints, loads and solver settings. Out: rounds of solve, estimate and bisection, each
 * recorded in the journal, until the estimate is below its target or a bound is reached.
 *
 * A round wants of every tet a size at which the whole has the target error e with as few tets as
 * possible. For a tet of error e_t whose edges become r_t times as long, linear tets have the error
 * e_t r_t and there are r_t^-3 in its place; the least sum of r_t^-3 under sum (e_t r_t)^2 = e^2
 * has r_t = c e_t^(-2/5) (Li & Bettess 1995, "Notes on mesh optimal criteria in adaptive finite
 * element computations", Commun. Numer. Meth. Engng 11, with p = 1 in three dimensions). Tets with
 * r_t >= 1 stay and keep their error. The longest edges of those larger than wanted are bisected,
 * and of their parts, until none is.
 *
 * Quadratic tets (p = 2: errors e_t r_t^2, r_t = c e_t^(-2/7)) go by the same law: at the corners
 * that are refined most their error does not fall faster, and on a clamped beam the law of p = 2
 * took more rounds to as many tets. */
#include "study/run/run.h"

#include <math.h>

/* Edges become no shorter in one round than this share: estimates on coarse meshes are coarse. */
static const double min_ratio = 0.5;
/* Parts are halves: a tet is cut when it is so much larger than wanted, that on average its parts
 * are as large as wanted. */
static const double cut_above = 1.25;
/* Where nothing is larger than wanted, less error is wanted; so often. */
enum { MAX_TIGHTER = 60, MAX_PASSES = 64, SWEEPS = 8 };

typedef struct adaption {
    ew_study *study;
    const ew_estimate *estimate;
    ew_refine_goal goal;
    int32_t set; /* -1: none; at its vertices all tets become half as large */
    ew_list tet; /* owned: to bisect in this pass */
} adaption;

/* The factor c of r_t = c (e_t / scale)^(-2/5) for the whole error `target`. Tets with r_t >= 1,
 * whose errors are at most scale c^(5/2), keep theirs: found in a few sweeps. */
static double factor_for(const ew_estimate *estimate, double target, double scale)
{
    double factor = INFINITY, limit = 0.0;
    for (int k = 0; k < SWEEPS; k++) {
        double kept = 0.0, shared = 0.0;
        for (int32_t t = 0; t < estimate->n_tet; t++) {
            const double e = estimate->error[t];
            kept += e > limit ? 0.0 : e * e;
            shared += e > limit ? pow(e / scale, 1.2) : 0.0;
        }
        const double rest = target * target - kept, before = limit;
        if (shared == 0.0 || rest <= 0.0) {
            break;
        }
        factor = sqrt(rest / shared) / scale;
        limit = scale * pow(factor, 2.5);
        if (limit <= before) {
            break;
        }
    }
    return factor;
}

/* The volume wanted of each tet into the field that its parts inherit. */
static void want_sizes(const adaption *in, double target, double *wanted)
{
    const ew_mesh *mesh = ew_model_mesh(in->study->model);
    double scale = 0.0;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        scale = fmax(scale, in->estimate->error[t]);
    }
    const double factor = factor_for(in->estimate, target, scale);
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const double e = in->estimate->error[t];
        double ratio = e > 0.0 ? factor * pow(e / scale, -0.4) : 1.0;
        ratio = fmin(fmax(ratio, min_ratio), 1.0);
        wanted[t] = ew_mesh_tet_is_live(mesh, t)
                        ? ew_mesh_tet_volume(mesh, t) * ratio * ratio * ratio
                        : 0.0;
    }
}

/* At a set the size goes down by one factor from round to round, whatever the estimate says: the
 * table of `converge:` extrapolates by it. Half the size is an eighth of the volume. */
static ew_status want_on_set(const adaption *in, double *wanted)
{
    const ew_mesh *mesh = ew_model_mesh(in->study->model);
    bool *near = NULL;
    EW_TRY(ew_study_mark_vertices(in->study, in->set, &near));
    for (int32_t t = 0; t < mesh->n_tet && near; t++) {
        if (ew_mesh_tet_is_live(mesh, t) && ew_study_touches(mesh, near, t)) {
            wanted[t] = ew_mesh_tet_volume(mesh, t) / 8.0;
        }
    }
    ew_release(near);
    return EW_OK;
}

static ew_status list_too_large(adaption *in)
{
    const ew_mesh *mesh = ew_model_mesh(in->study->model);
    const double *wanted = ew_model_field(in->study->model, in->study->wanted_volume);
    in->tet.n = 0;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t) && ew_mesh_tet_volume(mesh, t) > cut_above * wanted[t]) {
            EW_TRY(ew_list_push(&in->tet, t));
        }
    }
    return EW_OK;
}

static ew_status queue_bisection(void *user, const ew_model *model, ew_edit *edit)
{
    const adaption *in = user;
    return ew_operation_bisect_within(ew_model_mesh(model), ew_model_topology(model), &in->tet,
                                      in->goal.max_tets, edit);
}

/* Each tet becomes two at least. */
static bool has_room(const adaption *in)
{
    return (int64_t)ew_model_mesh(in->study->model)->n_live_tet + in->tet.n <= in->goal.max_tets;
}

/* The bisections of the tets, and of those around them, are queued; nothing where they are too
 * many. */
static ew_status queue_if_room(adaption *in, bool *full)
{
    const ew_status status = ew_model_queue(in->study->model, queue_bisection, in);
    *full = status == EW_LIMIT;
    return *full ? EW_OK : status;
}

/* The sizes for the goal, or for less error where none is smaller than what there is. */
static ew_status list_first(adaption *in)
{
    double *wanted = ew_model_field(in->study->model, in->study->wanted_volume);
    double target = in->goal.until * hypot(in->estimate->error_norm, in->estimate->solution_norm);
    in->tet.n = 0;
    for (int k = 0; k < MAX_TIGHTER && in->tet.n == 0; k++) {
        want_sizes(in, target, wanted);
        EW_TRY(want_on_set(in, wanted));
        EW_TRY(list_too_large(in));
        target *= 0.95;
    }
    return EW_OK;
}

/* The bisections of a round. *full: max_tets ended them. */
static ew_status bisect(adaption *in, bool *full)
{
    ew_study *study = in->study;
    ew_edit_report *report;
    EW_TRY(ew_study_begin_report(study, EW_CODE_REFINE, &report));
    report->error = in->estimate->share;
    EW_TRY(list_first(in));
    for (int pass = 0; pass < MAX_PASSES && in->tet.n; pass++) {
        *full = !has_room(in);
        if (*full) {
            break;
        }
        EW_TRY(ew_progress_report(&study->def.progress, "refine", -1));
        EW_TRY(queue_if_room(in, full));
        if (*full) {
            break;
        }
        EW_TRY(ew_study_commit(study, EW_CODE_REFINE));
        EW_TRY(list_too_large(in));
    }
    return ew_study_end_report(study, report);
}

static ew_status adapt(adaption *in, const ew_case_step *step)
{
    ew_study *study = in->study;
    bool full = false;
    for (int32_t round = 0;; round++) {
        EW_TRY(ew_study_analyze_between(study, step));
        EW_TRY(ew_model_estimate(study->model, &in->estimate, NULL));
        if (in->estimate->share <= in->goal.until || full || round == in->goal.max_rounds) {
            return EW_OK;
        }
        const int32_t n_tet = ew_model_mesh(study->model)->n_live_tet;
        EW_TRY(bisect(in, &full));
        if (ew_model_mesh(study->model)->n_live_tet == n_tet) {
            return EW_OK; /* no room for any */
        }
    }
}

static ew_status find_field(ew_study *study)
{
    if (!study->has_wanted_volume) {
        const ew_field_def def = {
            .name = "wanted volume", .on_tets = true, .width = 1, .rule = EW_FIELD_COPY};
        EW_TRY(ew_model_add_field(study->model, &def, &study->wanted_volume));
        study->has_wanted_volume = true;
    }
    return EW_OK;
}

ew_status ew_study_adapt(ew_study *study, const ew_case_step *step, const ew_refine_goal *goal,
                         int32_t line)
{
    adaption in = {.study = study, .goal = *goal, .set = -1};
    EW_TRY(find_field(study));
    const ew_status status = adapt(&in, step);
    ew_list_free(&in.tet);
    if (!status && in.estimate->share > goal->until && !ew_case_is_solved(step)) {
        ew_study_warn_of_goal(study, goal, line, in.estimate->share);
    }
    return status;
}

/* ---- until a number converges ---------------------------------------------------------------- */

/* Of the estimated error that each round leaves, at the most: that of quadratic tets falls by a
 * quarter, of linear ones by half where tets become half as large. */
static const double share_of_round = 0.5;

static ew_status converge(adaption *in, const ew_case_step *step)
{
    ew_study *study = in->study;
    bool full = false;
    for (int32_t round = 0;; round++) {
        EW_TRY(ew_study_analyze_between(study, step));
        if (study->convergence.is_reached || full || round == step->converge->max_rounds) {
            return EW_OK;
        }
        EW_TRY(ew_model_estimate(study->model, &in->estimate, NULL));
        in->goal.until = share_of_round * in->estimate->share;
        const int32_t n_tet = ew_model_mesh(study->model)->n_live_tet;
        EW_TRY(bisect(in, &full));
        if (ew_model_mesh(study->model)->n_live_tet == n_tet) {
            return EW_OK; /* no room for any */
        }
    }
}

ew_status ew_study_converge(ew_study *study, const ew_case_step *step)
{
    adaption in = {.study = study, .set = step->converge->set};
    in.goal.max_tets = step->converge->max_tets;
    EW_TRY(find_field(study));
    const ew_status status = converge(&in, step);
    ew_list_free(&in.tet);
    return status;
}
