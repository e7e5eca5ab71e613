/* Frames of an element removal (`frames: N` of `remove:`). In: the body after each of its analyses.
 * Out: that of every N-th round, as NAME.rounds/000000.vtu and so on, and frames.csv beside them,
 * which lists them. The body that is left is the frame of the step itself. */
#include "study/run/run.h"

#include <stdio.h>
#include <string.h>

static const char folder[] = ".rounds";

static ew_status list_frame(ew_study *study, const char *file)
{
    static const char head[] = "frame,step,combination,round,file\n";
    const ew_step_report *report = &study->report;
    char line[320], quoted[EW_QUOTED_STEP];
    ew_study_quote(report->name, quoted);
    if (!study->n_round_frame) {
        EW_TRY(ew_result_append_frame_file(study->result, folder, "frames.csv", head,
                                           sizeof head - 1));
    }
    snprintf(line, sizeof line, "%d,\"%s\",%d,%d,%s\n", (int)study->n_round_frame, quoted,
             (int)report->combination, (int)report->removal->round, file);
    return ew_result_append_frame_file(study->result, folder, "frames.csv", line, strlen(line));
}

ew_status ew_study_save_round(ew_study *study)
{
    const ew_case_remove *remove = study->input->step[study->n_done].remove;
    ew_text text = {0};
    char file[32];
    if (!study->result || study->replay || !remove->frames ||
        study->report.removal->round % remove->frames) {
        return EW_OK;
    }
    EW_TRY(ew_format_write_mesh(ew_format_of_name(".vtu"), ew_model_mesh(study->model), NULL, false,
                                &text));
    snprintf(file, sizeof file, "%06d.vtu", (int)study->n_round_frame);
    ew_status status =
        ew_result_append_frame_file(study->result, folder, file, text.data, text.size);
    status = status ? status : list_frame(study, file);
    ew_text_free(&text);
    study->n_round_frame++;
    return status;
}
