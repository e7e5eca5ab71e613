/* Element removal in a step: `optimise: {remove: ...}`. In: the step's supports, loads and solver
 * settings. Out: rounds of analysis and edits, each recorded in the journal, until the evolution
 * ends; a report of each analysis, live or done again from a journal. */
#include "study/run/run.h"

#include <math.h>
#include <string.h>

/* ---- a report of each analysis --------------------------------------------------------- */

ew_status ew_study_follow_removal(ew_study *study)
{
    const ew_change *change = ew_model_change(study->model);
    study->removal.n_removed += change->removed_tet.n;
    study->removal.n_restored += change->added_tet.n;
    return ew_study_give_sets_back(study);
}

ew_status ew_study_note_removal(ew_study *study)
{
    study_removal *removal = &study->removal;
    ew_removal_report *report = &removal->report;
    const int32_t round = study->report.removal ? report->round + 1 : 0;
    const double now = ew_seconds();
    ew_energies energies;
    EW_TRY(ew_model_recover_energies(study->model, &energies));
    EW_TRY(ew_grow(&removal->compliance, &removal->compliance_capacity, (int64_t)round + 1,
                   sizeof *removal->compliance));
    removal->start_volume = round ? removal->start_volume : energies.volume;
    removal->compliance[round] = 2.0 * (energies.strain + energies.springs);
    *report = (ew_removal_report){.round = round,
                                  .n_tet = ew_model_mesh(study->model)->n_live_tet,
                                  .n_removed = removal->n_removed,
                                  .n_restored = removal->n_restored,
                                  .volume = energies.volume,
                                  .share = energies.volume / removal->start_volume,
                                  .compliance = removal->compliance[round],
                                  .change = ew_evolution_change(removal->compliance, round + 1),
                                  .iterations =
                                      study->report.solver ? study->report.solver->iterations : 0,
                                  .seconds = now - removal->since};
    removal->n_removed = removal->n_restored = 0;
    removal->since = now;
    study->report.removal = report;
    if (study->def.on_removal) {
        study->def.on_removal(study->def.user, &study->report);
    }
    return ew_study_save_round(study);
}

void ew_study_free_removal(ew_study *study)
{
    ew_study_forget_sets(study);
    ew_release(study->removal.compliance);
}

/* ---- the evolution ------------------------------------------------------------------------ */

typedef struct removing {
    ew_study *study;
    const ew_case_step *step;
} removing;

static ew_status analyze(void *user)
{
    const removing *in = user;
    return ew_study_analyze_between(in->study, in->step);
}

/* Supports are needed at once: by them the evolution finds what hangs on nothing. */
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

static void warn(ew_study *study, const ew_case_remove *remove, const ew_evolution_info *info)
{
    const double share = 100.0 * info->last.share, until = 100.0 * remove->def.until;
    if (info->end == EW_EVOLUTION_FELL_APART) {
        ew_study_warn(
            study, EW_WARNING_REMOVAL, remove->line,
            "remove: stopped at %.1f %% of the volume: with less, what carries a load or is "
            "protected would come off its supports; ask for more volume, a lower rate or "
            "another radius",
            share);
    } else if (info->end == EW_EVOLUTION_MAX_ROUNDS && isnan(info->last.change)) {
        ew_study_warn(study, EW_WARNING_REMOVAL, remove->line,
                      "remove: ended after %d rounds, at %.1f %% of the volume; raise max_rounds",
                      (int)info->last.round, share);
    } else if (info->end == EW_EVOLUTION_MAX_ROUNDS) {
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
    ew_evolution_def def = step->remove->def;
    ew_evolution_info info;
    ew_set keep = {0};
    EW_TRY(ew_study_analyze_between(study, step));
    ew_status status = list_what_stays(study, step, &keep);
    if (!status) {
        def.keep = &keep;
        def.progress = study->def.progress;
        def.user = &in;
        def.analyze = analyze;
        def.commit = commit;
        status = ew_evolution_run(study->model, &def, &info);
    }
    ew_set_free(&keep);
    if (status) {
        return ew_fail_line(status, step->remove->line);
    }
    warn(study, step->remove, &info);
    return EW_OK;
}
