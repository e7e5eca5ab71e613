/* Answers of earlier combinations that the next one starts from. In: answers of steps, on bodies
 * that differ by materials, loads, supports and places of vertices. Out: a start near the answer,
 * where the tets are the same. */
#include "study/run/run.h"

#include <string.h>

static uint64_t tets_of(const ew_mesh *mesh)
{
    return ew_hash(ew_hash(EW_HASH_START, &mesh->n_vertex, sizeof mesh->n_vertex), mesh->tet,
                   4 * (size_t)mesh->n_tet * sizeof *mesh->tet);
}

static bool uses_snapshots(const ew_study *study, const ew_case_step *step)
{
    return study->combination && study->sweep_start != EW_SWEEP_FRESH && !step->n_part &&
           !step->remove && !step->converge && !ew_model_is_nonlinear(study->model) &&
           !ew_model_is_mixed(study->model);
}

static int32_t count_edges(const ew_study *study)
{
    const ew_edge_rows *rows = ew_model_edge_rows(study->model);
    return rows ? rows->pattern.n_row : 0;
}

ew_status ew_study_start_near(ew_study *study, const ew_case_step *step)
{
    study_snapshots *of = study->snapshots ? &study->snapshots[study->n_done] : NULL;
    const double *answer[STUDY_N_SNAPSHOT];
    const ew_mesh *mesh = ew_model_mesh(study->model);
    int32_t n = 0;
    if (of && study->sweep_start == EW_SWEEP_CONTINUE && !study->moves.before) {
        of->n = 0; /* it begins with the case's mesh, at rest */
    }
    if (!of || !of->n || study->recalled.data || study->load_cases.end ||
        !uses_snapshots(study, step)) { /* load cases have been solved by now */
        return EW_OK;
    }
    EW_TRY(ew_model_prepare(study->model)); /* rows of edges are there */
    const int64_t size = 3 * ((int64_t)mesh->n_vertex + count_edges(study));
    const uint64_t tets = tets_of(mesh);
    for (int32_t i = 0; i < of->n && i < STUDY_N_SNAPSHOT; i++) { /* the latest ones first */
        const int32_t k = (of->n - 1 - i) % STUDY_N_SNAPSHOT;
        if (of->tets[k] == tets && of->size[k] == size) {
            answer[n++] = of->u[k];
        }
    }
    return ew_model_start_near(study->model, n, answer);
}

ew_status ew_study_keep_snapshot(ew_study *study, const ew_case_step *step)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    if (!uses_snapshots(study, step)) {
        return EW_OK;
    }
    if (!study->snapshots) {
        EW_TRY(
            ew_new_zero(&study->snapshots, (size_t)study->input->n_step, sizeof *study->snapshots));
        study->n_snapshots = study->input->n_step;
    }
    study_snapshots *of = &study->snapshots[study->n_done];
    const int32_t k = of->n % STUDY_N_SNAPSHOT, n_edge = count_edges(study);
    const size_t n = 3 * (size_t)mesh->n_vertex;
    EW_TRY(ew_grow(&of->u[k], &of->capacity[k], (int64_t)n + 3 * n_edge, sizeof *of->u[k]));
    memcpy(of->u[k], ew_model_displacement(study->model), n * sizeof *of->u[k]);
    if (n_edge) {
        memcpy(of->u[k] + n, ew_model_edge_displacement(study->model),
               3 * (size_t)n_edge * sizeof *of->u[k]);
    }
    of->size[k] = (int64_t)n + 3 * n_edge;
    of->tets[k] = tets_of(mesh);
    of->n++;
    return EW_OK;
}

void ew_study_forget_snapshots(ew_study *study)
{
    for (int32_t s = 0; s < study->n_snapshots; s++) {
        study->snapshots[s].n = 0;
    }
}

void ew_study_free_snapshots(ew_study *study)
{
    for (int32_t s = 0; s < study->n_snapshots; s++) {
        for (int k = 0; k < STUDY_N_SNAPSHOT; k++) {
            ew_release(study->snapshots[s].u[k]);
        }
    }
    ew_release(study->snapshots);
}
