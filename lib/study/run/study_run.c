/* A study of a case from its first step to its last, or of all combinations of its sweep. */
#include "study/run/run.h"

#include <string.h>

/* The mesh stays as it was: each combination takes a copy. */
static ew_status run_sweep(const ew_case *input, ew_mesh *mesh, const ew_study_def *def,
                           ew_result *result, const ew_result_archive *journal)
{
    ew_study *study = NULL;
    EW_TRY(ew_study_make(&study, input, def, result, journal));
    study->def.groups = NULL;
    study->base = *mesh;
    const ew_status status = ew_study_sweep(study);
    memset(&study->base, 0, sizeof study->base);
    ew_study_free(study);
    return status;
}

ew_status ew_study_run(const ew_case *input, ew_mesh *mesh, const ew_study_def *def,
                       ew_result *result, const ew_result_archive *journal)
{
    ew_study *study = NULL;
    if (input->sweep) {
        return run_sweep(input, mesh, def, result, journal);
    }
    EW_TRY(ew_study_create(&study, input, mesh, def, result, journal));
    ew_status status = EW_OK;
    while (!status && study->n_done < input->n_step) {
        status = ew_study_next(study);
    }
    status = status ? status : ew_study_take_groups(study);
    ew_study_give_back(study, mesh);
    return status;
}
