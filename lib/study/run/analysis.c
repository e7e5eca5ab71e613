/* The static analysis of a step, and one between its edits. In: the mesh as it is, supports, loads
 * and solver settings of the step. Out: the answer in the model, recovered. */
#include "study/run/interfaces.h"
#include "study/run/run.h"

/* The whole case's, so that a run that is resumed chooses as one that is not. Analyses between
 * edits come on top; nobody knows how many. */
enum { REMOVAL_SOLVES = 50 };
static int32_t count_static_solves(const ew_case *input)
{
    int32_t n = 0;
    for (int32_t s = 0; s < input->n_step; s++) {
        n += input->step[s].has_static + (input->step[s].remove ? REMOVAL_SOLVES : 0);
    }
    return n;
}

ew_status ew_study_choose_operator(ew_study *study, const ew_case_step *step)
{
    const int32_t own = study->def.operator_kind;
    return ew_model_set_operator(study->model,
                                 own < 0 ? step->operator_kind : (ew_operator_kind)own);
}

ew_pcg_def ew_study_solver_def(const ew_study *study, const ew_case_step *step)
{
    ew_pcg_def def = ew_default_pcg_def();
    if (step->has_static) {
        def.tolerance = step->tolerance;
        def.energy_tolerance = step->energy_tolerance;
        def.max_iterations = step->max_iterations;
        def.preconditioner = step->preconditioner;
    }
    if (study->def.preconditioner != EW_PRECONDITIONER_COUNT) {
        def.preconditioner = study->def.preconditioner;
    }
    def.expected_solves = count_static_solves(study->input);
    def.direct = study->def.direct;
    def.peers = study->def.peers;
    def.precision = study->def.precision;
    def.progress = study->def.progress;
    return def;
}

ew_status ew_study_prepare_solve(ew_study *study, const ew_case_step *step)
{
    EW_TRY(ew_study_choose_operator(study, step));
    EW_TRY(ew_study_set_supports(study, step));
    if (study->input->leave_out_free) {
        EW_TRY(ew_study_leave_out(study));
    }
    EW_TRY(ew_study_set_supports(study, step));
    EW_TRY(ew_study_set_loads(study, step, true));
    return ew_study_update_loads(study, step);
}

static ew_status solve(ew_study *study, const ew_case_step *step)
{
    const ew_pcg_def def = ew_study_solver_def(study, step);
    EW_TRY(ew_study_choose_operator(study, step));
    EW_TRY(step->has_static ? ew_study_solve_load_cases(study, &def) : EW_OK);
    EW_TRY(ew_study_prepare_solve(study, step));
    EW_TRY(ew_progress_report(&study->def.progress, "matrix", -1));
    EW_TRY(step->n_part ? ew_study_superpose(study, step) : EW_OK);
    EW_TRY(ew_study_start_near(study, step));
    EW_TRY(ew_study_solve(study, &def));
    return ew_study_keep_snapshot(study, step);
}

/* Where processes solve together each keeps what it computes of the tets, and writes it with the
 * others, unless something reads values of single tets: whatever is not known to read none. */
static bool may_be_in_parts(const ew_study *study, const ew_case_step *step)
{
    const ew_case *input = study->input;
    bool may = study->def.peers && !study->n_combination && !study->sink && !input->has_dynamics &&
               !input->fatigue && !input->n_goal && !input->output.n_path &&
               !input->output.n_section && !ew_study_may_meet(input) && !ew_case_has_laws(input) &&
               !step->converge && !ew_case_solves_between(step);
    for (int32_t s = 0; s < input->n_step; s++) {
        may = may && !input->step[s].n_part && !input->step[s].is_envelope;
    }
    return may;
}

ew_status ew_study_analyze(ew_study *study, const ew_case_step *step)
{
    EW_TRY(solve(study, step));
    return !ew_study_recovers(study) ? EW_OK
           : may_be_in_parts(study, step)
               ? ew_model_recover_parts(study->model, &study->fields, &study->report.sums)
               : ew_model_recover(study->model, &study->fields, &study->report.sums);
}

ew_status ew_study_analyze_between(ew_study *study, const ew_case_step *step)
{
    if (study->analyzed_revision == ew_model_mesh(study->model)->revision) {
        return EW_OK;
    }
    if (study->motion.is_running) {
        EW_TRY(ew_model_recover(study->model, &study->fields, &study->report.sums));
    } else {
        EW_TRY(ew_study_make_step_sets(study, step));
        study->fields = NULL;
        EW_TRY(step->remove ? ew_study_remember_sets(study) : EW_OK);
        EW_TRY(step->remove ? solve(study, step) : ew_study_analyze(study, step));
    }
    study->analyzed_revision = ew_model_mesh(study->model)->revision;
    EW_TRY(ew_journal_analysis(&study->journal));
    EW_TRY(step->converge ? ew_study_note_round(study, step->converge) : EW_OK);
    return step->remove ? ew_study_note_removal(study) : EW_OK;
}

ew_status ew_study_find_peak(ew_study *study)
{
    EW_TRY(ew_model_peak(study->model, &study->report.peak));
    study->report.has_peak = true;
    return EW_OK;
}

static double density_of(const ew_study *study, const ew_mesh *mesh, int32_t region)
{
    return ew_study_density_of(study->input, mesh->region_label[region]);
}

/* Summed as ew_partial_sums_take does. */
static void sum_body(ew_study *study, const ew_mesh *mesh)
{
    double of_volume = 0.0, of_mass = 0.0, density = 0.0;
    int32_t region = -1;
    study->measured.volume = study->measured.mass = 0.0;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            const double volume = ew_mesh_tet_volume(mesh, t);
            density =
                mesh->region[t] == region ? density : density_of(study, mesh, mesh->region[t]);
            region = mesh->region[t];
            of_volume += volume;
            of_mass += volume * density;
        }
        if ((t + 1) % EW_SUM_CHUNK == 0 || t + 1 == mesh->n_tet) {
            study->measured.volume += of_volume;
            study->measured.mass += of_mass;
            of_volume = of_mass = 0.0;
        }
    }
}

/* Volume and mass; steps and combinations of one mesh share the pass over its tets. */
void ew_study_measure_body(ew_study *study)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    uint64_t key = ew_hash(EW_HASH_START, &mesh->revision, sizeof mesh->revision);
    for (int32_t r = 0; r < mesh->n_region; r++) {
        const double density = density_of(study, mesh, r);
        key = ew_hash(key, &density, sizeof density);
    }
    if (key != study->measured.key) {
        sum_body(study, mesh);
        study->measured.key = key;
    }
    study->body = (ew_sums){.volume = study->measured.volume, .mass = study->measured.mass};
    study->report.sums = &study->body;
}
