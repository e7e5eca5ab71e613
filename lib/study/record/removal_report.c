/* Reports of an element removal: of each analysis, live or done again from a journal, and what its
 * edits removed and brought back. */
#include "study/run/run.h"

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
                                  .change = ew_removal_change(removal->compliance, round + 1),
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
