/* A finished result file in, what a replay needs of it out: the case text and the edit journals.
 * Read in a process of its own (thread_affinity.c), only what lies within the file (guard.c), and
 * no more bytes than the file has. */
#include "results/source.h"

#include <stdio.h>
#include <string.h>

/* A step takes far more of the file. */
static const uint64_t min_step_bytes = 64;

/* Answer of the reading process. */
typedef struct archive_job {
    ew_source from;
    ew_result_archive archive;
} archive_job;

static ew_status read_warnings(ew_source *from, hid_t steps, int32_t step, char **warnings,
                               char **kinds)
{
    char name[32], label[64];
    hid_t group = -1;
    snprintf(name, sizeof name, "%06d", step);
    snprintf(label, sizeof label, "/Edgewise/Steps/%s", name);
    EW_TRY(ew_guard_child(from->path, steps, name, label, &group));
    ew_status status = ew_source_attribute(from, group, "warnings", warnings);
    status = status ? status : ew_source_attribute(from, group, "warning_kinds", kinds);
    ew_h5_close(&group);
    return status;
}

static ew_status read_journal(ew_source *from, hid_t steps, int32_t step, void **journal,
                              size_t *bytes)
{
    char name[32];
    char label[64];
    hid_t set = -1;
    snprintf(name, sizeof name, "%06d/journal", step);
    snprintf(label, sizeof label, "/Edgewise/Steps/%s", name);
    EW_TRY(ew_guard_path(from->path, steps, "/Edgewise/Steps", name, &set));
    const bool is_set = H5Iget_type(set) == H5I_DATASET;
    hid_t type = is_set ? H5Dget_type(set) : -1;
    hid_t space = is_set ? H5Dget_space(set) : -1;
    ew_status status = EW_OK;
    char *read = NULL;
    if (type < 0 || space < 0 || H5Tequal(type, H5T_STD_U8LE) <= 0 ||
        H5Sget_simple_extent_ndims(space) != 1 || H5Sget_simple_extent_npoints(space) < 0) {
        status =
            ew_fail(EW_BAD_INPUT, "%s: %s is missing or not a list of bytes", from->path, label);
        goto out;
    }
    const size_t n = (size_t)H5Sget_simple_extent_npoints(space);
    EW_TRY_OUT(ew_source_claim(from, label, n));
    EW_TRY_OUT(ew_new(&read, n, 1));
    if (n > 0 && H5Dread(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, read) < 0) {
        status = ew_h5_fail(EW_BAD_INPUT, from->path, "read %s", label);
        goto out;
    }
    *journal = read;
    *bytes = n;
    read = NULL;
out:
    ew_release(read);
    ew_h5_close(&space);
    ew_h5_close(&type);
    ew_h5_close(&set);
    return status;
}

static ew_status reserve_steps(ew_result_archive *archive, int32_t n)
{
    archive->n_step = n;
    EW_TRY(ew_new_zero(&archive->journal, (size_t)n, sizeof *archive->journal));
    EW_TRY(ew_new_zero(&archive->journal_bytes, (size_t)n, sizeof *archive->journal_bytes));
    EW_TRY(ew_new_zero(&archive->warnings, (size_t)n, sizeof *archive->warnings));
    return ew_new_zero(&archive->warning_kinds, (size_t)n, sizeof *archive->warning_kinds);
}

static ew_status read_steps(ew_source *from, hid_t root, ew_result_archive *archive)
{
    hid_t steps = -1;
    H5G_info_t info = {.nlinks = 0};
    EW_TRY(ew_guard_child(from->path, root, "Steps", "/Edgewise/Steps", &steps));
    ew_status status = EW_OK;
    if (H5Iget_type(steps) != H5I_GROUP || H5Gget_info(steps, &info) < 0 ||
        info.nlinks > INT32_MAX || info.nlinks > from->size / min_step_bytes) {
        status = ew_fail(EW_BAD_INPUT, "%s: /Edgewise/Steps is not the list of steps", from->path);
        goto out;
    }
    EW_TRY_OUT(reserve_steps(archive, (int32_t)info.nlinks));
    for (int32_t k = 0; k < archive->n_step; k++) {
        EW_TRY_OUT(read_journal(from, steps, k, &archive->journal[k], &archive->journal_bytes[k]));
        EW_TRY_OUT(
            read_warnings(from, steps, k, &archive->warnings[k], &archive->warning_kinds[k]));
    }
out:
    ew_h5_close(&steps);
    return status;
}

/* ---- the two processes ----------------------------------------------------------- */

enum { N_TEXT = 7 };

static ew_status read_all(void *user)
{
    archive_job *job = user;
    ew_source *from = &job->from;
    ew_result_archive *archive = &job->archive;
    hid_t root = -1;
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_source_open(from, &root));
    EW_TRY_OUT(ew_source_text(from, root, "case", &archive->case_text));
    EW_TRY_OUT(ew_source_attribute(from, root, "case_path", &archive->case_path));
    EW_TRY_OUT(ew_source_attribute(from, root, "device", &archive->device));
    EW_TRY_OUT(ew_source_attribute(from, root, "precision", &archive->precision));
    EW_TRY_OUT(ew_source_attribute(from, root, "preconditioner", &archive->preconditioner));
    EW_TRY_OUT(ew_source_attribute(from, root, "operator", &archive->operator_name));
    EW_TRY_OUT(ew_source_attribute(from, root, "elements", &archive->elements));
    status = read_steps(from, root, archive);
out:
    ew_h5_close(&root);
    ew_h5_close(&from->file);
    return status;
}

static void send_all(void *user, ew_wire *wire)
{
    const ew_result_archive *archive = &((archive_job *)user)->archive;
    const char *text[N_TEXT] = {archive->case_text, archive->case_path,      archive->device,
                                archive->precision, archive->preconditioner, archive->operator_name,
                                archive->elements};
    for (int k = 0; k < N_TEXT; k++) {
        ew_wire_put_block(wire, text[k], strlen(text[k]));
    }
    ew_wire_put(wire, &archive->n_step, sizeof archive->n_step);
    for (int32_t k = 0; k < archive->n_step; k++) {
        ew_wire_put_block(wire, archive->journal[k], archive->journal_bytes[k]);
        ew_wire_put_block(wire, archive->warnings[k], strlen(archive->warnings[k]));
        ew_wire_put_block(wire, archive->warning_kinds[k], strlen(archive->warning_kinds[k]));
    }
}

static ew_status take_all(void *user, ew_wire *wire)
{
    archive_job *job = user;
    ew_result_archive *archive = &job->archive;
    uint64_t left = job->from.left;
    char **text[N_TEXT] = {&archive->case_text, &archive->case_path,      &archive->device,
                           &archive->precision, &archive->preconditioner, &archive->operator_name,
                           &archive->elements};
    int32_t n = 0;
    for (int k = 0; k < N_TEXT && !wire->broken; k++) {
        size_t size;
        EW_TRY(ew_wire_get_block(wire, &left, text[k], &size));
    }
    ew_wire_get(wire, &n, sizeof n);
    if (wire->broken || n < 0 || (uint64_t)n > job->from.size / min_step_bytes) {
        wire->broken = true;
        return EW_OK;
    }
    EW_TRY(reserve_steps(archive, n));
    for (int32_t k = 0; k < n && !wire->broken; k++) {
        char *bytes = NULL;
        size_t size;
        EW_TRY(ew_wire_get_block(wire, &left, &bytes, &archive->journal_bytes[k]));
        archive->journal[k] = bytes;
        EW_TRY(ew_wire_get_block(wire, &left, &archive->warnings[k], &size));
        EW_TRY(ew_wire_get_block(wire, &left, &archive->warning_kinds[k], &size));
    }
    return EW_OK;
}

ew_status ew_result_read_archive(const char *path, ew_result_archive *archive)
{
    archive_job job = {.from = {.path = path, .file = -1}};
    EW_TRY(ew_result_file_size(path, &job.from.size));
    job.from.left = job.from.size;
    const ew_isolated_job apart = {path, job.from.size, &job, read_all, send_all, take_all};
    const ew_status status = ew_read_isolated(&apart);
    if (status) {
        ew_result_archive_free(&job.archive);
        return status;
    }
    *archive = job.archive;
    return EW_OK;
}

void ew_result_archive_free(ew_result_archive *archive)
{
    for (int32_t k = 0; archive->warning_kinds && k < archive->n_step; k++) {
        ew_release(archive->journal[k]);
        ew_release(archive->warnings[k]);
        ew_release(archive->warning_kinds[k]);
    }
    ew_release(archive->journal);
    ew_release(archive->warnings);
    ew_release(archive->warning_kinds);
    ew_release(archive->journal_bytes);
    ew_release(archive->case_text);
    ew_release(archive->case_path);
    ew_release(archive->device);
    ew_release(archive->precision);
    ew_release(archive->preconditioner);
    ew_release(archive->operator_name);
    ew_release(archive->elements);
    *archive = (ew_result_archive){0};
}
