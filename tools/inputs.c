/* The files that a case names besides its own: who they are, for a checkpoint, and that no result
 * takes the name of one. */
#define _POSIX_C_SOURCE 200809L
#include "study.h"

#include <string.h>
#include <sys/stat.h>

/* ---- all of them --------------------------------------------------------------- */

typedef struct input_visit {
    const tool_study *study;
    ew_status (*see)(void *user, study_input_kind kind, const char *path);
    void *user;
} input_visit;

static ew_status see(const input_visit *visit, study_input_kind kind, const char *file)
{
    char *path = NULL;
    if (!file) {
        return EW_OK;
    }
    EW_TRY(ew_file_beside(visit->study->case_path, file, &path));
    const ew_status status = visit->see(visit->user, kind, path);
    ew_release(path);
    return status;
}

static bool is_file_kind(ew_parameter_kind kind)
{
    return kind == EW_PARAMETER_MESH || kind == EW_PARAMETER_TABLE || kind == EW_PARAMETER_SURFACE;
}

static ew_status see_edit(const input_visit *visit, const ew_case_edit *edit)
{
    for (int32_t i = 0; i < edit->operation->n_parameter; i++) {
        const ew_parameter_value *value = &edit->values.of[i];
        if (value->given && is_file_kind(edit->operation->parameter[i].kind)) {
            EW_TRY(see(visit, STUDY_EDIT, value->text));
        }
    }
    return EW_OK;
}

static ew_status see_steps(const input_visit *visit)
{
    for (int32_t s = 0; s < visit->study->input.n_step; s++) {
        const ew_case_step *step = &visit->study->input.step[s];
        const ew_case_dynamic *dynamic = step->dynamic;
        for (int32_t e = 0; e < step->n_edit; e++) {
            EW_TRY(see_edit(visit, &step->edit[e]));
        }
        for (int32_t e = 0; dynamic && e < dynamic->n_edit; e++) {
            EW_TRY(see_edit(visit, &dynamic->edit[e].edit));
        }
        EW_TRY(dynamic ? see(visit, STUDY_START, dynamic->start_file) : EW_OK);
    }
    return EW_OK;
}

/* Until one of them fails. */
static ew_status see_all(const tool_study *study,
                         ew_status (*of)(void *user, study_input_kind kind, const char *path),
                         void *user)
{
    const input_visit visit = {study, of, user};
    const ew_case *input = &study->input;
    EW_TRY(see(&visit, STUDY_MESH, input->mesh_file));
    EW_TRY(see(&visit, STUDY_MESH, input->surface_file));
    EW_TRY(input->sweep ? see(&visit, STUDY_COMBINATIONS, input->sweep->file) : EW_OK);
    for (int32_t i = 0; i < input->n_material; i++) {
        EW_TRY(see(&visit, STUDY_AXES, input->material[i].axes_file));
    }
    for (int32_t i = 0; i < input->n_surface; i++) {
        EW_TRY(see(&visit, STUDY_SURFACE, input->surface[i].file));
    }
    for (int32_t i = 0; i < input->n_amplitude; i++) {
        EW_TRY(see(&visit, STUDY_AMPLITUDE, input->amplitude[i].file));
    }
    return see_steps(&visit);
}

/* ---- who they are ---------------------------------------------------------------- */

/* A file that cannot be read fails when its step comes. */
static ew_status add_sum(void *user, study_input_kind kind, const char *path)
{
    uint64_t *sum = user;
    ew_text text = {0};
    if (kind != STUDY_MESH && !ew_file_read(path, &text)) {
        sum[kind] = ew_checksum(sum[kind], text.data, text.size);
    }
    ew_text_free(&text);
    return EW_OK;
}

ew_status study_sum_inputs(const tool_study *study, uint64_t sum[STUDY_N_INPUT_KIND])
{
    memset(sum, 0, STUDY_N_INPUT_KIND * sizeof *sum);
    return see_all(study, add_sum, sum);
}

/* ---- what results would overwrite -------------------------------------------------- */

const char *const study_endings[STUDY_N_ENDING] = {
    ".vtkhdf",         ".xdmf",         ".csv",      ".sets.csv",        ".energy.csv",
    ".probes.csv",     ".removal.csv",  ".surfaces", ".rounds",          ".paths.csv",
    ".linearized.csv", ".sections.csv", ".mass.csv", ".convergence.csv", ".envelope.csv"};

static bool is_file(const struct stat *file, const char *name, const char *middle,
                    const char *ending)
{
    char *path = NULL;
    struct stat about;
    const size_t size = strlen(name) + strlen(middle) + strlen(ending) + 1;
    if (ew_new(&path, size, 1)) {
        return false;
    }
    snprintf(path, size, "%s%s%s", name, middle, ending);
    const bool same =
        !stat(path, &about) && about.st_dev == file->st_dev && about.st_ino == file->st_ino;
    ew_release(path);
    return same;
}

/* ".000012.vtu", the end of its name: the frames of --vtu have such. */
static const char *frame_ending(const char *path)
{
    enum { LENGTH = sizeof ".000012.vtu" - 1 };
    const size_t n = strlen(path);
    const char *end = n > LENGTH ? path + n - LENGTH : "";
    return end[0] == '.' && strspn(end + 1, "0123456789") == 6 && !strcmp(end + 7, ".vtu") ? end
                                                                                           : ".pvd";
}

typedef struct overwriting {
    const char *name;
    bool has_frames;
} overwriting;

static ew_status refuse(void *user, study_input_kind kind, const char *path)
{
    const overwriting *by = user;
    struct stat file;
    (void)kind;
    if (stat(path, &file)) {
        return EW_OK;
    }
    bool same = is_file(&file, by->name, ".checkpoint", "");
    for (int i = 0; i < STUDY_N_ENDING; i++) {
        same = same || is_file(&file, by->name, "", study_endings[i]) ||
               is_file(&file, by->name, ".partial", study_endings[i]);
    }
    same = same || (by->has_frames && is_file(&file, by->name, "", frame_ending(path)));
    return same ? ew_fail(EW_BAD_ARGUMENT,
                          "%s: the case reads it, and results named '%s' would overwrite it; "
                          "choose another name with -o",
                          path, by->name)
                : EW_OK;
}

static ew_status refuse_mesh(void *user, study_input_kind kind, const char *path)
{
    (void)kind;
    return tool_refuse_same_mesh(path, user);
}

/* Whether the path is that of a frame of results of this name, written in whatever way. */
static bool is_frame(const char *path, const char *name)
{
    return tool_is_beside(path, frame_ending(path), name);
}

ew_status study_refuse_mesh(const tool_study *study, const char *path, const char *name,
                            bool has_frames)
{
    if (has_frames && is_frame(path, name)) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "%s: frames have such names, and the mesh would overwrite one; choose "
                       "another name",
                       path);
    }
    return see_all(study, refuse_mesh, (void *)path);
}

ew_status study_refuse_overwriting(const tool_study *study, const char *name, bool has_frames)
{
    overwriting by = {name, has_frames};
    return see_all(study, refuse, &by);
}

/* Whether results of this name, or what is kept of a run that stopped, have the path. */
static bool is_of_results(const char *path, const char *name)
{
    bool found = is_frame(path, name) || tool_is_beside(path, ".checkpoint", name);
    for (int i = 0; i < STUDY_N_ENDING; i++) {
        char partial[64];
        snprintf(partial, sizeof partial, ".partial%s", study_endings[i]);
        found = found || tool_is_beside(path, study_endings[i], name) ||
                tool_is_beside(path, partial, name);
    }
    return found;
}

ew_status study_check_log(const tool_study *study, const char *name)
{
    const char *path = study->options.log, *mesh = study->options.mesh;
    bool is_mesh = false;
    if (!path) {
        return EW_OK;
    }
    EW_TRY(mesh ? tool_find_in_mesh(path, mesh, &is_mesh) : EW_OK);
    return is_mesh || is_of_results(path, name)
               ? ew_fail(EW_BAD_ARGUMENT,
                         "%s: the run writes its %s there, too; choose another name for the log",
                         path, is_mesh ? "mesh" : "results")
               : EW_OK;
}
