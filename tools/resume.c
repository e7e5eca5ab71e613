/* Runs that end before their last step: what is kept of them, and how they go on. A run writes
 * NAME.checkpoint as it goes; where it fails or is interrupted, the completed frames and rows stand
 * as NAME.partial.vtkhdf, .xdmf and .csv, marked as incomplete, and what NAME named stays. */
#define _POSIX_C_SOURCE 200809L
#include "study.h"

#include <string.h>

/* ---- who a run is ------------------------------------------------------------- */

static uint64_t sum_of_mesh(const ew_mesh *mesh)
{
    const size_t n_vertex = (size_t)mesh->n_vertex, n_tet = (size_t)mesh->n_tet;
    uint64_t sum = ew_checksum(0, mesh->xyz, n_vertex * 3 * sizeof *mesh->xyz);
    sum = ew_checksum(sum, mesh->tet, n_tet * 4 * sizeof *mesh->tet);
    sum = ew_checksum(sum, mesh->region, n_tet * sizeof *mesh->region);
    sum = ew_checksum(sum, mesh->region_label, (size_t)mesh->n_region * sizeof(int32_t));
    sum = ew_checksum(sum, mesh->face, (size_t)mesh->n_face * 3 * sizeof *mesh->face);
    return ew_checksum(sum, mesh->face_label, (size_t)mesh->n_face * sizeof *mesh->face_label);
}

/* Combinations of a sweep, those from a table, too. */
static uint64_t sum_of_sweep(const ew_case *input)
{
    const ew_case_sweep *sweep = input->sweep;
    return sweep ? ew_checksum(0, sweep->value,
                               (size_t)sweep->n * (size_t)sweep->n_parameter * sizeof *sweep->value)
                 : 0;
}

/* All that the bits of the results depend on. */
static ew_status identify(const tool_study *study, const char *device, char text[2048])
{
    const ew_preconditioner_kind own = (ew_preconditioner_kind)study->options.preconditioner;
    const int32_t op = study->options.operator_kind;
    const ew_case *input = &study->input;
    uint64_t sum[STUDY_N_INPUT_KIND];
    EW_TRY(study_sum_inputs(study, sum));
    const struct {
        const char *what;
        uint64_t sum;
    } line[] = {{"case", ew_checksum(0, input->text, strlen(input->text))},
                {"mesh", sum_of_mesh(&study->mesh)},
                {"file of an edit", sum[STUDY_EDIT]},
                {"surface", sum[STUDY_SURFACE]},
                {"table of axes", sum[STUDY_AXES]},
                {"table of an amplitude", sum[STUDY_AMPLITUDE]},
                {"initial state", sum[STUDY_START]},
                {"combinations", sum_of_sweep(input)}};
    int n = snprintf(text, 2048, "program: %s\n", ew_version(NULL));
    for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
        n += snprintf(text + n, 2048 - (size_t)n, "%s: %016llx\n", line[i].what,
                      (unsigned long long)line[i].sum);
    }
    snprintf(text + n, 2048 - (size_t)n,
             "device: %.200s\nprecision: %s\npreconditioner: %s\noperator: %s\n", device,
             study_precision_names[study->options.precision],
             own == EW_PRECONDITIONER_COUNT ? "of the case" : ew_preconditioner_name(own),
             op < 0 ? "of the case" : study_operator_names[op]);
    return EW_OK;
}

/* ---- going on ------------------------------------------------------------------- */

static ew_status name_file(const char *name, const char *ending, char **path)
{
    const size_t size = strlen(name) + strlen(ending) + 1;
    EW_TRY(ew_new(path, size, 1));
    snprintf(*path, size, "%s%s", name, ending);
    return EW_OK;
}

/* Single values of a result. */
static const char *records_of(const tool_study *study)
{
    return study->input.has_dynamics ? "steps and outputs" : "steps";
}

/* A run that starts again where it could go on says so while there is time. */
static void tell_of_earlier_run(const tool_study *study, const char *path, const char *identity)
{
    ew_checkpoint *earlier = NULL;
    if (ew_checkpoint_open(&earlier, path, identity, true)) {
        return;
    }
    const int32_t n = ew_checkpoint_n_record(earlier);
    if (n) {
        printf("%s holds %d %s of this case, which --resume would go on from; the first "
               "of this run replaces them\n",
               path, (int)ew_case_count_done(&study->input, n), records_of(study));
    }
    ew_checkpoint_close(earlier, true);
}

/* Those that write nothing have the records there are before another one is added. */
static ew_status share_checkpoint(tool_study *study, const char *path, const char *identity)
{
    const study_peers *together = study->together;
    ew_checkpoint *beside = NULL;
    char all[2200];
    if (study->options.resume) {
        EW_TRY(ew_checkpoint_open_beside(&beside, path, identity));
    }
    snprintf(all, sizeof all, "%s, %d records", identity,
             beside ? (int)ew_checkpoint_n_record(beside) : 0);
    if (study_is_silent(study)) {
        study->checkpoint = beside;
    } else {
        ew_checkpoint_close(beside, true);
    }
    return together->compare(together->peers, "case, mesh, option or checkpoint", all);
}

ew_status study_open_checkpoint(tool_study *study, const char *name, const char *device)
{
    char identity[2048];
    char *path = NULL;
    const char *what = records_of(study);
    if (study->journal) { /* a replay has its result to start from */
        return EW_OK;
    }
    EW_TRY(identify(study, device, identity));
    EW_TRY(name_file(name, ".checkpoint", &path));
    const bool go_on = study->options.resume, tell = !study->options.quiet;
    if (study->together) {
        const ew_status status = share_checkpoint(study, path, identity);
        if (status || study_is_silent(study)) {
            ew_release(path);
            return status;
        }
    }
    if (!go_on && tell) {
        tell_of_earlier_run(study, path, identity);
    }
    const ew_status status = ew_checkpoint_open(&study->checkpoint, path, identity, go_on);
    if (!status && go_on && tell) {
        const ew_case *input = &study->input;
        const int32_t n = ew_checkpoint_n_record(study->checkpoint);
        if (n) {
            printf("resumed: %d of %d %s are in %s\n", (int)ew_case_count_done(input, n),
                   (int)ew_case_count_done(input, input->n_record), what, path);
        } else {
            printf("resumed: there is no %s, so from the start\n", path);
        }
    }
    ew_release(path);
    return status;
}

/* ---- what a run leaves that has failed -------------------------------------------- */

/* The completed frames and rows under NAME.partial. */
static ew_status publish(tool_study *study, const char *name, const char *reason)
{
    char *partial = NULL;
    EW_TRY(name_file(name, ".partial", &partial));
    ew_status status = ew_result_stop(study->result, partial, study->report.n_record, reason);
    ew_release(partial);
    if (!status) {
        status = study_add_table(study);
    }
    if (!status) {
        status = ew_result_finish(study->result);
        study->result = NULL;
    }
    return status;
}

/* Whether the same run may get further another time: what failed is neither its case nor its mesh,
 * with which the checkpoint would have to change. */
static bool may_go_on(ew_status status)
{
    return status == EW_NO_MEMORY || status == EW_IO || status == EW_CANCELED ||
           status == EW_DEVICE;
}

ew_status study_keep_partial(tool_study *study, const char *name, ew_status status)
{
    char text[2048];
    const ew_case *input = &study->input;
    const bool is_partial = study->report.is_partial;
    const int n = study->report.n_record;
    const char *what = records_of(study);
    const int n_kept = study->checkpoint ? ew_checkpoint_n_record(study->checkpoint) : 0;
    const bool useless = !may_go_on(status) || !n_kept ||
                         (study->checkpoint && ew_checkpoint_is_shared(study->checkpoint));
    if (study->journal || study_is_silent(study) || (!n && !is_partial && !n_kept)) {
        return status;
    }
    snprintf(text, sizeof text, "%s", ew_message());
    const bool published = study->result && (n > 0 || is_partial) && !publish(study, name, text);
    const int n_all = ew_case_count_done(input, input->n_record);
    if (published) {
        return ew_fail(status, "%.1600s; %d of %d %s%s are in %s.partial.xdmf%s", text,
                       (int)ew_case_count_done(input, n), n_all, what,
                       is_partial ? ", and the last state that converged," : "", name,
                       useless ? "" : ", --resume goes on from them");
    }
    return useless ? ew_fail(status, "%s", text)
                   : ew_fail(status, "%.1600s; %d of %d %s are kept, --resume goes on from them",
                             text, (int)ew_case_count_done(input, n_kept), n_all, what);
}

void study_remove_partial(const char *name)
{
    for (int i = 0; i < STUDY_N_ENDING; i++) {
        char ending[64], *path = NULL;
        snprintf(ending, sizeof ending, ".partial%s", study_endings[i]);
        if (!name_file(name, ending, &path)) {
            ew_result_remove_frames(path);
        }
        ew_release(path);
    }
}
