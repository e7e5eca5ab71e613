/* Element removal in a step: `optimise: {remove: ...}`. In: the step's supports, loads and solver
 * settings. Out: rounds of analysis and edits, each recorded in the journal, until the removal
 * ends. */
#include "study/run/run.h"

#include <math.h>

typedef struct removing {
    ew_study *study;
    const ew_case_step *step;
} removing;

static ew_status analyze(void *user)
{
    const removing *in = user;
    return ew_study_analyze_between(in->study, in->step);
}

/* Supports are needed at once: by them the removal finds what hangs on nothing. */
static ew_status commit(void *user)
{
    const removing *in = user;
    EW_TRY(ew_study_commit_with_report(in->study, EW_CODE_REMOVAL));
    return ew_study_set_supports(in->study, in->step);
}

static ew_status keep_tets(ew_study *study, int32_t set, ew_set *keep)
{
    ew_list tet = {0};
    ew_status status = ew_model_list_tets(study->model, set, &tet);
    for (int32_t i = 0; i < tet.n && !status; i++) {
        status = ew_set_add(keep, tet.id[i]);
    }
    ew_list_free(&tet);
    return status;
}

/* Tets that are protected, and those that loads act on, which would go with them. */
static ew_status list_what_stays(ew_study *study, const ew_case_step *step, ew_set *keep)
{
    const ew_case_remove *remove = step->remove;
    const ew_case_load *load = step->own_loads ? step->load : study->input->load;
    const int32_t n_load = step->own_loads ? step->n_load : study->input->n_load;
    for (int32_t i = 0; i < remove->n_protect; i++) {
        EW_TRY(ew_study_require_members(study, remove->protect[i], remove->line));
        EW_TRY(keep_tets(study, remove->protect[i], keep));
    }
    for (int32_t i = 0; i < n_load; i++) {
        EW_TRY(load[i].as.set >= 0 ? keep_tets(study, load[i].as.set, keep) : EW_OK);
    }
    return EW_OK;
}

static void warn_of_end(ew_study *study, const ew_case_remove *remove, const ew_removal_info *info)
{
    const double share = 100.0 * info->last.share, until = 100.0 * remove->def.until;
    if (info->end == EW_REMOVAL_FELL_APART) {
        ew_study_warn(
            study, EW_WARNING_REMOVAL, remove->line,
            "remove: stopped at %.1f %% of the volume: with less, what carries a load or is "
            "protected would come off its supports; ask for more volume, a lower rate or "
            "another radius",
            share);
    } else if (info->end == EW_REMOVAL_MAX_ROUNDS && isnan(info->last.change)) {
        ew_study_warn(study, EW_WARNING_REMOVAL, remove->line,
                      "remove: ended after %d rounds, at %.1f %% of the volume; raise max_rounds",
                      (int)info->last.round, share);
    } else if (info->end == EW_REMOVAL_MAX_ROUNDS) {
        ew_study_warn(
            study, EW_WARNING_REMOVAL, remove->line,
            "remove: ended after %d rounds, at %.1f %% of the volume, while the compliance "
            "still changed by %.2g %%, above the %.2g %% of 'until'; raise max_rounds",
            (int)info->last.round, share, 100.0 * info->last.change, until);
    }
}

ew_status ew_study_remove(ew_study *study, const ew_case_step *step)
{
    removing in = {study, step};
    ew_removal_def def = step->remove->def;
    ew_removal_info info;
    ew_set keep = {0};
    EW_TRY(ew_study_analyze_between(study, step));
    ew_status status = list_what_stays(study, step, &keep);
    if (!status) {
        def.keep = &keep;
        def.progress = study->def.progress;
        def.user = &in;
        def.analyze = analyze;
        def.commit = commit;
        status = ew_removal_run(study->model, &def, &info);
    }
    ew_set_free(&keep);
    if (status) {
        return ew_fail_line(status, step->remove->line);
    }
    warn_of_end(study, step->remove, &info);
    return EW_OK;
}
