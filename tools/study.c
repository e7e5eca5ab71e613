/* A case read, solved, written: see study.h. */
#define _XOPEN_SOURCE 700
#include "study.h"
#include "ew_parts.h"
#include "meshing/tetgen.h"
#include "report_places.h"
#include "solver/cholmod.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const study_precision_names[4] = {"double", "mixed", "single", "auto"};
const char *const study_operator_names[2] = {"stored", "matrix-free"};

/* ---- names ------------------------------------------------------------- */

static ew_status cut(const char *text, size_t length, const char *suffix, char **name)
{
    EW_TRY(ew_new(name, length + strlen(suffix) + 1, 1));
    memcpy(*name, text, length);
    strcpy(*name + length, suffix);
    return EW_OK;
}

ew_status study_name(const char *path, const char *suffix, char **name)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    return cut(base, dot && dot > base ? (size_t)(dot - base) : strlen(base), suffix, name);
}

ew_status study_output(const char *path, char **name)
{
    const char *dot = strrchr(path, '.');
    const bool ends = dot && dot > path && (!strcmp(dot, ".vtkhdf") || !strcmp(dot, ".xdmf"));
    return cut(path, ends ? (size_t)(dot - path) : strlen(path), "", name);
}

/* ---- reading ----------------------------------------------------------- */

static ew_status read_mesh_beside(void *user, const char *file, ew_mesh *mesh)
{
    const tool_study *study = user;
    char *path = NULL;
    EW_TRY(ew_file_beside(study->case_path, file, &path));
    const ew_status status =
        tool_read_mesh_for(path, study->options.mesh, study->options.quiet, mesh, NULL);
    ew_release(path);
    return status;
}

static ew_status read_surface_beside(void *user, const char *file, ew_polygons *polygons)
{
    const tool_study *study = user;
    char *path = NULL;
    EW_TRY(ew_file_beside(study->case_path, file, &path));
    const ew_status status = tool_read_polygons(path, polygons);
    ew_release(path);
    return status;
}

ew_status study_read_text(void *user, const char *file, ew_text *text)
{
    const tool_study *study = user;
    char *path = NULL;
    EW_TRY(ew_file_beside(study->case_path, file, &path));
    const ew_status status = ew_file_read(path, text);
    ew_release(path);
    return status;
}

/* A frame of a result file, the last where its number is -1. */
static ew_status read_frame_beside(void *user, const char *file, int32_t number, const char *fields,
                                   ew_view_frame *frame)
{
    const tool_study *study = user;
    char *path = NULL;
    ew_result_view view = {0};
    EW_TRY(ew_file_beside(study->case_path, file, &path));
    ew_status status = ew_result_read_view(path, &view);
    const int32_t n = view.n_frame;
    ew_result_view_free(&view);
    if (!status && number >= n) {
        status = ew_fail(EW_BAD_INPUT, "%s has the frames 0 to %d, and no frame %d", path,
                         (int)n - 1, (int)number);
    }
    if (!status) {
        status = ew_result_read_frame(path, number < 0 ? n - 1 : number, fields, frame);
    }
    ew_release(path);
    return status;
}

static ew_status load_mesh(tool_study *study, const ew_case *input)
{
    char *path = NULL;
    if (study->has_mesh) {
        return EW_OK;
    }
    ew_groups_free(&study->groups);
    EW_TRY(ew_file_beside(study->case_path,
                          input->mesh_file ? input->mesh_file : input->surface_file, &path));
    if (!input->mesh_file || ew_cad_reads(input->mesh_file)) {
        tool_progress_call(&study->progress, "mesh", -1);
    }
    const ew_status status =
        input->mesh_file ? tool_read_any(path, study->options.mesh, &input->cad,
                                         study->options.quiet, &study->mesh, &study->groups)
                         : tool_fill_surface(path, &input->tetgen, &study->mesh, &study->groups);
    if (status == EW_IO && access(path, F_OK)) {
        ew_fail(status, "%s; 'mesh' of %s names it, and paths start from the folder of the case",
                ew_last_failure()->text, study->case_path);
    }
    ew_release(path);
    study->has_mesh = !status;
    EW_TRY(status);
    ew_case_convert_mesh(input, &study->mesh);
    return study->groups.geometry.n ? EW_OK /* a CAD file's own */
                                    : ew_geometry_measure(&study->mesh, &study->groups.geometry);
}

/* Names and geometry of labels, which filling leaves as they are. */
static ew_status read_surface_groups(tool_study *study, const ew_case *input)
{
    char *path = NULL;
    ew_surface surface = {0};
    EW_TRY(ew_file_beside(study->case_path, input->surface_file, &path));
    ew_status status = tool_read_surface(path, &surface, &study->groups);
    status = status ? status
                    : ew_geometry_of_surface(&surface, input->mesh_factor / input->mesh_divisor,
                                             &study->groups.geometry);
    ew_surface_free(&surface);
    ew_release(path);
    return status;
}

static ew_status read_groups(void *user, const ew_case *input, const ew_groups **groups)
{
    tool_study *study = user;
    *groups = &study->groups;
    if (study->has_mesh) { /* its combinations of parameters ask again */
        return EW_OK;
    }
    return input->mesh_file ? load_mesh(study, input) : read_surface_groups(study, input);
}

ew_status study_read_case(tool_study *study, const char *text, size_t size)
{
    return study_read_case_with(study, text, size, 0, NULL, &study->input);
}

ew_status study_read_case_with(tool_study *study, const char *text, size_t size, int32_t n_value,
                               const double *value, ew_case *input)
{
    const ew_case_def def = {
        .user = study, .read_groups = read_groups, .n_value = n_value, .value = value};
    return ew_case_read_with(text, size, &def, input);
}

ew_status study_read_mesh(tool_study *study)
{
    return load_mesh(study, &study->input);
}

/* ---- solving and writing ----------------------------------------------- */

static void on_step(void *user, const ew_step_report *step)
{
    tool_study *study = user;
    tool_progress_clear(&study->progress);
    report_step(&study->report, step);
}

static void on_removal(void *user, const ew_step_report *step)
{
    tool_study *study = user;
    tool_progress_clear(&study->progress);
    report_removal(&study->report, step);
}

static void on_sets(void *user, int32_t n_set, const ew_set_report *set)
{
    tool_study *study = user;
    tool_progress_clear(&study->progress);
    if (n_set && !study->options.quiet) {
        report_sets(&study->input, set, true);
    }
}

static void on_surfaces(void *user, int32_t n_surface, const ew_surface_report *surface)
{
    tool_study *study = user;
    tool_progress_clear(&study->progress);
    if (!study->options.quiet) {
        report_surfaces(n_surface, surface);
    }
}

static const char *device_name(const tool_study *study)
{
    return study->device ? ew_device_about(study->device)->name : "host";
}

static bool has_surfaces(const tool_study *study)
{
    return !study->journal && study->input.n_surface > 0 &&
           (study->options.surface_frames || study->input.output.surface_formats);
}

/* A replay computes the rounds again and writes none. */
static bool has_rounds(const tool_study *study)
{
    bool any = false;
    for (int32_t s = 0; s < study->input.n_step && !study->journal; s++) {
        const ew_case_remove *remove = study->input.step[s].remove;
        any = any || (remove && remove->frames);
    }
    return any;
}

/* So that a folder with other files is refused before the first solve. */
static ew_status check_frames(const tool_study *study)
{
    EW_TRY(has_surfaces(study) ? ew_result_check_frames(study->result, ".surfaces") : EW_OK);
    return has_rounds(study) ? ew_result_check_frames(study->result, ".rounds") : EW_OK;
}

/* Some libraries end the program, as libgomp does where it cannot have one of its threads back. */
static const tool_study *running; /* null: none */

static void remove_unfinished(void)
{
    if (running) {
        ew_result_abandon(running->result);
    }
}

ew_study_def study_def_of(tool_study *study)
{
    ew_study_def def = ew_default_study_def();
    def.device = study->device;
    def.precision = (ew_precision)study->options.precision;
    def.preconditioner = (ew_preconditioner_kind)study->options.preconditioner;
    def.operator_kind = study->options.operator_kind;
    def.measure_edits = !study->options.quiet; /* they are printed alone */
    if (study->journal) { /* earlier versions, which recorded none, had linear ones by default */
        def.quadratic = !strcmp(study->journal->elements, "quadratic");
    }
#if EW_WITH_CHOLMOD
    def.direct = ew_direct_solver();
    def.eigen = ew_eigen_solve;
#endif
    if (study->together) {
        def.peers = study->together->peers;
        def.groups_of_sweep = study->together->groups;
    }
#if EW_WITH_TETGEN
    def.fill = ew_tetgen_fill;
#endif
    def.progress = (ew_progress){&study->progress, tool_progress_call};
    def.user = study;
    def.read_mesh = read_mesh_beside;
    def.read_surface = read_surface_beside;
    def.read_text = study_read_text;
    def.read_frame = read_frame_beside;
    return def;
}

static ew_status create_result(tool_study *study, const char *name)
{
    char *whole = realpath(study->case_path, NULL);
    const ew_preconditioner_kind own = (ew_preconditioner_kind)study->options.preconditioner;
    const int32_t op = study->options.operator_kind;
    const ew_result_def def = {
        .name = name,
        .case_text = study->input.text,
        .length_unit = study->input.length_unit,
        .force_unit = study->input.force_unit,
        .time_unit = study->input.time_unit,
        .case_path = whole ? whole : study->case_path,
        .device = device_name(study),
        .precision = study_precision_names[study->options.precision],
        .single_fields = study->input.output.single,
        .preconditioner = own == EW_PRECONDITIONER_COUNT ? NULL : ew_preconditioner_name(own),
        .operator_name = op < 0 ? NULL : study_operator_names[op],
        .elements = study_elements(study, NULL),
    };
    running = atexit(remove_unfinished) ? NULL : study; /* before HDF5 asks for the same */
    ew_status status = ew_result_create(&study->result, &def);
    free(whole);
    if (!status) {
        study->report.result = study->result;
        status = report_csv_begin(&study->report, study->result);
    }
    return status ? status : check_frames(study);
}

/* What is told of the steps. */
static void set_listeners(const tool_study *study, ew_study_def *to)
{
    if (!study_is_silent(study)) {
        to->on_sets = on_sets;
        to->on_step = on_step;
        to->on_removal = on_removal;
        to->on_surfaces = on_surfaces;
        to->surface_formats = study->options.surface_frames;
    }
}

static ew_status solve(tool_study *study)
{
    ew_study_def def = study_def_of(study);
    def.verify_rebuild = study->options.verify;
    def.n_job = study->options.n_job;
    def.checkpoint = study->checkpoint;
    set_listeners(study, &def);
    def.groups = study->options.mesh ? &study->groups : NULL;
    ew_status status =
        ew_study_run(&study->input, &study->mesh, &def, study->result, study->journal);
    tool_progress_clear(&study->progress);
    return status ? ew_fail_in_file(status, study->case_path) : EW_OK;
}

ew_status study_add_table(tool_study *study)
{
    char *csv = NULL;
    EW_TRY(study->report.status);
    EW_TRY(report_csv_text(&study->report, &csv));
    const ew_status status = ew_result_add_text(study->result, "summary", csv);
    ew_release(csv);
    return status;
}

static bool has_vtu(const tool_study *study)
{
    return !study->journal && (study->options.vtu || study->input.output.vtu);
}

/* From the result, where it is asked for; what fails here costs nothing but these. */
static ew_status write_vtu(const tool_study *study, const char *name)
{
    char *path = NULL;
    int32_t n_frame = 0;
    if (!has_vtu(study)) {
        return EW_OK;
    }
    EW_TRY(ew_new(&path, strlen(name) + sizeof ".vtkhdf", 1));
    strcat(strcpy(path, name), ".vtkhdf");
    const ew_status status = tool_write_vtu(path, name, &n_frame);
    ew_release(path);
    return status;
}

static ew_status finish(tool_study *study, const char *name)
{
    EW_TRY(study_add_table(study));
    const ew_status status = ew_result_finish(study->result);
    study->result = NULL;
    EW_TRY(status);
    study_remove_partial(name);
    EW_TRY(write_vtu(study, name));
    EW_TRY(study_write_mesh(study));
    if (!study->options.quiet) {
        if (study->report.n_row > 1) {
            report_table(&study->report);
        }
        report_warnings(&study->report);
        if (study->input.sweep && study->input.sweep->search) {
            report_search(&study->report);
        }
        if (study->report.n_failed) {
            printf("%d of %d combinations failed, see %s.csv\n", (int)study->report.n_failed,
                   (int)study->input.sweep->n, name);
        }
        printf("results: %s.xdmf (any ParaView), %s.vtkhdf (ParaView 5.12 or newer), table: %s.csv",
               name, name, name);
        if (study->input.n_set) {
            printf(", of sets: %s.sets.csv", name);
        }
        report_places_name_files(&study->input, name);
        report_convergence_name_file(&study->input, name);
        if (has_surfaces(study)) {
            printf(", of surfaces: %s.surfaces/frames.csv", name);
        }
        if (study->input.has_dynamics) {
            printf(", energies: %s.energy.csv", name);
        }
        if (study->input.step[study->input.n_step - 1].is_envelope) {
            printf(", of the envelope: %s.envelope.csv", name);
        }
        if (report_csv_has_removal(&study->input)) {
            printf(", rounds of removal: %s.removal.csv", name);
        }
        if (has_rounds(study)) {
            printf(", bodies of rounds: %s.rounds/frames.csv", name);
        }
        if (has_vtu(study)) {
            printf(", frames: %s.pvd", name);
        }
        if (study->options.mesh) {
            printf(", mesh: %s", study->options.mesh);
        }
        puts("");
    }
    return EW_OK;
}

static ew_status run_all(tool_study *study, const char *name, ew_status (*read_case)(tool_study *))
{
    EW_TRY(read_case(study));
    ew_status status = ew_case_plan(&study->input, study_read_text, study);
    EW_TRY(status ? ew_fail_in_file(status, study->case_path) : EW_OK);
    if (study->options.n_job > 1 && !study->input.sweep) {
        return ew_fail(
            EW_BAD_ARGUMENT,
            "%s: --jobs runs combinations of a sweep at the same time, and the case has no sweep",
            study->case_path);
    }
    EW_TRY(study_refuse_overwriting(study, name, has_vtu(study)));
    EW_TRY(study_check_mesh(study, name, has_vtu(study)));
    EW_TRY(study_read_mesh(study));
    EW_TRY(study->together ? study->together->check(study) : EW_OK);
    EW_TRY(study_open_device(study));
    if (!study->options.quiet) {
        report_notes(&study->input);
    }
    tool_catch_interrupts();
    EW_TRY(study_open_checkpoint(study, name, device_name(study)));
    if (study_is_silent(study)) {
        return solve(study);
    }
    EW_TRY(create_result(study, name));
    if (!study->options.quiet) {
        study_print_elements(study);
    }
    tool_log_begin(&study->log, "start");
    tool_log_text(&study->log, "case", study->case_path);
    tool_log_text(&study->log, "device", device_name(study));
    tool_log_text(&study->log, "elements", study_elements(study, NULL));
    tool_log_number(&study->log, "threads", ew_threads());
    tool_log_number(&study->log, "tets", study->mesh.n_live_tet);
    tool_log_end(&study->log);
    EW_TRY(solve(study));
    return finish(study, name);
}

static void release(tool_study *study, bool done)
{
    running = NULL;
    ew_checkpoint_close(study->checkpoint, !done);
    ew_result_discard(study->result);
    ew_mesh_free(&study->mesh);
    ew_groups_free(&study->groups);
    ew_case_free(&study->input);
    ew_device_close(study->device);
    report_free(&study->report);
}

int study_run(tool_study *study, const char *name, ew_status (*read_case)(tool_study *))
{
    if (study->options.threads) {
        ew_use_threads(study->options.threads);
    }
    tool_progress_start(&study->progress, study->options.quiet);
    study->report = (run_report){.input = &study->input,
                                 .log = &study->log,
                                 .quiet = study->options.quiet,
                                 .verbose = study->options.verbose};
    ew_status status = study_check_log(study, name);
    status = status
                 ? status
                 : tool_log_open(&study->log, study_is_silent(study) ? NULL : study->options.log);
    if (!status) {
        status = run_all(study, name, read_case);
        status = status ? study_keep_partial(study, name, status) : EW_OK;
    }
    tool_progress_clear(&study->progress);
    if (status && !study->options.quiet) {
        report_warnings(&study->report);
    }
    tool_log_begin(&study->log, status ? "failure" : "done");
    tool_log_text(&study->log, "message", status ? ew_message() : "");
    tool_log_end(&study->log);
    const int exit_status = status ? tool_report_failure(status, NULL) : TOOL_DONE;
    const ew_status closed = tool_log_close(&study->log);
    release(study, !status);
    if (status && tool_is_interrupted()) {
        tool_end_interrupted();
    }
    return !exit_status && closed ? tool_report_failure(closed, NULL) : exit_status;
}
