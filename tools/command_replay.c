/* edgewise replay: a result file's own case and edit journal run again, and every number of the new
 * results compared with the old ones, bit for bit. */
#include "study.h"

#include <stdlib.h>
#include <string.h>

typedef struct replay_run {
    tool_study run; /* first: study.c hands it back to read_case */
    ew_result_archive archive;
    const char *result_path, *case_folder;
    bool precision_is_given;
    char *case_path;      /* owned */
    char device_text[32]; /* where options.device points to when it was looked up */
} replay_run;

/* ---- what the result file records -------------------------------------- */

static ew_status find_case_path(replay_run *replay)
{
    const char *recorded = replay->archive.case_path;
    if (!replay->case_folder) {
        /* Results without a record: the mesh is looked for beside them. */
        return ew_file_beside("", *recorded ? recorded : replay->result_path, &replay->case_path);
    }
    const char *slash = strrchr(recorded, '/');
    const char *base = slash ? slash + 1 : *recorded ? recorded : "case";
    const size_t size = strlen(replay->case_folder) + strlen(base) + 2;
    EW_TRY(ew_new(&replay->case_path, size, 1));
    snprintf(replay->case_path, size, "%s/%s", replay->case_folder, base);
    return EW_OK;
}

/* Bits are the same only where the same device computes. */
static ew_status find_device(replay_run *replay)
{
    const char *recorded = replay->archive.device;
    ew_device_info *list = NULL;
    int32_t n = 0, found = -1;
    if (replay->run.options.device) {
        return EW_OK;
    }
    replay->run.options.device = "host";
    if (!*recorded || !strcmp(recorded, "host")) {
        return EW_OK;
    }
    EW_TRY(ew_device_list(&list, &n));
    for (int32_t i = 0; i < n && found < 0; i++) {
        if (!strcmp(list[i].name, recorded)) {
            found = i;
            snprintf(replay->device_text, sizeof replay->device_text, "opencl:%d.%d",
                     (int)list[i].platform, (int)list[i].device);
            replay->run.options.device = replay->device_text;
        }
    }
    ew_release(list);
    return found >= 0 ? EW_OK
                      : ew_fail(EW_UNSUPPORTED,
                                "%s: was solved on '%s', which is not here; choose a device with "
                                "--device (the last bits may differ then)",
                                replay->result_path, recorded);
}

static void find_precision(replay_run *replay)
{
    for (int32_t i = 0; i < 4 && !replay->precision_is_given; i++) {
        if (!strcmp(replay->archive.precision, study_precision_names[i])) {
            replay->run.options.precision = i;
        }
    }
}

static void find_preconditioner(replay_run *replay)
{
    int32_t *kind = &replay->run.options.preconditioner;
    for (int32_t i = 0; *kind == EW_PRECONDITIONER_COUNT && i < EW_PRECONDITIONER_COUNT; i++) {
        if (!strcmp(replay->archive.preconditioner,
                    ew_preconditioner_name((ew_preconditioner_kind)i))) {
            *kind = i;
            return;
        }
    }
}

static void find_operator(replay_run *replay)
{
    int32_t *kind = &replay->run.options.operator_kind;
    for (int32_t i = 0; *kind < 0 && i < 2; i++) {
        *kind = strcmp(replay->archive.operator_name, study_operator_names[i]) ? *kind : i;
    }
}

static ew_status read_case(tool_study *study)
{
    const char *text = ((replay_run *)study)->archive.case_text;
    const ew_status status = study_read_case(study, text, strlen(text));
    return status ? ew_fail_in_file(status, study->case_path) : EW_OK;
}

/* ---- the replay -------------------------------------------------------- */

static ew_status prepare(replay_run *replay, char **name, char **path)
{
    EW_TRY(ew_replace_recover(replay->result_path));
    EW_TRY(ew_result_read_archive(replay->result_path, &replay->archive));
    EW_TRY(find_case_path(replay));
    EW_TRY(find_device(replay));
    find_precision(replay);
    find_preconditioner(replay);
    find_operator(replay);
    replay->run.case_path = replay->case_path;
    replay->run.journal = &replay->archive;
    EW_TRY(replay->run.options.output ? study_output(replay->run.options.output, name)
                                      : study_name(replay->result_path, "-replay", name));
    const size_t size = strlen(*name) + sizeof ".partial.vtkhdf";
    EW_TRY(ew_new(path, size, 1));
    snprintf(*path, size, "%s.partial.vtkhdf", *name); /* which would be removed at the end */
    EW_TRY(tool_refuse_same(replay->result_path, *path));
    snprintf(*path, size, "%s.vtkhdf", *name);
    return tool_refuse_same(replay->result_path, *path);
}

static int compare(const replay_run *replay, const char *path)
{
    char different[600];
    const ew_status status =
        ew_result_compare(replay->result_path, path, different, sizeof different);
    if (status) {
        return tool_report_failure(status, NULL);
    }
    if (different[0]) {
        tool_refuse("%s: the replay %s differs: %s", replay->result_path, path, different);
        return TOOL_FAILED;
    }
    if (!replay->run.options.quiet) {
        printf("%s: every number below /VTKHDF has the same bits as in %s\n", path,
               replay->result_path);
    }
    return TOOL_DONE;
}

static int replay_and_compare(replay_run *replay)
{
    char *name = NULL, *path = NULL;
    const ew_status status = prepare(replay, &name, &path);
    int result =
        status ? tool_report_failure(status, NULL) : study_run(&replay->run, name, read_case);
    if (!status && !result) {
        result = compare(replay, path);
    }
    ew_result_archive_free(&replay->archive);
    ew_release(replay->case_path);
    ew_release(name);
    ew_release(path);
    return result;
}

int tool_replay(int argc, char **argv)
{
    replay_run replay = {.run = {.options = {0}}};
    study_options *to = &replay.run.options;
    const tool_option options[] = {
        {.name = "output",
         .letter = 'o',
         .kind = TOOL_TEXT,
         .value = &to->output,
         .argument = "NAME",
         .help = "results go to NAME.vtkhdf and NAME.xdmf (the old name and -replay)"},
        {.name = "case-dir",
         .kind = TOOL_TEXT,
         .value = &replay.case_folder,
         .argument = "FOLDER",
         .help = "folder of the case's mesh (that of the case)"},
        tool_final_mesh_option(&to->mesh),
        tool_device_option(&to->device, "auto, host, opencl, opencl:P.D (the recorded one)"),
        tool_precision_option(&to->precision, &replay.precision_is_given,
                              "auto, double, mixed or single (the recorded one)"),
        tool_preconditioner_option(&to->preconditioner, "overrides the recorded one"),
        tool_solver_option(&to->solver),
        tool_operator_option(&to->operator_kind),
        tool_threads_option(&to->threads),
        tool_quiet_option(&to->quiet),
    };
    const tool_syntax syntax = {
        .command = "replay",
        .arguments = "RESULT.vtkhdf",
        .summary = "solve the case of a result file again and compare",
        .text = "A result file holds its case and the journal of its edits. Replay applies the\n"
                "journal to the case's mesh, solves every step again, and compares each number\n"
                "of the new file with the old one, bit for bit. Exit status 1 and the first\n"
                "difference where they differ.\n\n"
                "example:\n  edgewise replay bracket.vtkhdf --case-dir datasets",
        .n_option = sizeof options / sizeof *options,
        .option = options,
        .min_arguments = 1,
        .max_arguments = 1,
    };
    int n;
    int exit_status = tool_parse_options(&syntax, argc, argv, &n);
    if (exit_status < 0) {
        exit_status = tool_choose_solver("replay", to->solver, &to->preconditioner);
    }
    if (exit_status >= 0) {
        return exit_status;
    }
    char *path = NULL;
    if (tool_find_result(argv[1], &path)) {
        return tool_report_failure(EW_BAD_INPUT, NULL);
    }
    replay.result_path = path;
    const int result = replay_and_compare(&replay);
    ew_release(path);
    return result;
}
