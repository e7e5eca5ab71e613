/* A finished result file in, what a replay needs of it out: the case text and the edit journals.
 * Read in a process of its own (apart.c), only what lies within the file (guard.c), and no more
 * bytes than the file has. */
#include "results/apart.h"

#include <stdio.h>
#include <string.h>

/* A step takes far more of the file. */
static const uint64_t min_step_bytes = 64;

/* A file that is read, and what may still be taken from it. */
typedef struct source {
    const char *path;
    uint64_t size; /* of the file, bytes */
    uint64_t left; /* bytes: what is stored without compression is no larger than the file */
    hid_t file;
} source;

/* What the reading process hands back. */
typedef struct archive_job {
    source from;
    ew_result_archive archive;
} archive_job;

static ew_status claim(source *from, const char *name, uint64_t bytes)
{
    if (bytes > from->left) {
        return ew_fail(EW_BAD_INPUT, "%s: %s claims more bytes than the file has", from->path,
                       name);
    }
    from->left -= bytes;
    return EW_OK;
}

static ew_status check_format(const source *from, hid_t root)
{
    int32_t format = 0;
    hid_t attribute = H5Aexists(root, "format") > 0 ? H5Aopen(root, "format", H5P_DEFAULT) : -1;
    hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute);
    if (space >= 0 && H5Sget_simple_extent_npoints(space) == 1 && type >= 0 &&
        H5Tequal(type, H5T_STD_I32LE) > 0) {
        H5Aread(attribute, H5T_NATIVE_INT32, &format);
    }
    ew_h5_close(&type);
    ew_h5_close(&space);
    ew_h5_close(&attribute);
    if (format < 1) {
        return ew_fail(EW_BAD_INPUT, "%s: an HDF5 file, but not a result of Edgewise", from->path);
    }
    if (format > EW_RESULT_FORMAT) {
        return ew_fail(EW_BAD_INPUT,
                       "%s: written by a newer Edgewise (format %d; this program reads %d)",
                       from->path, format, EW_RESULT_FORMAT);
    }
    return EW_OK;
}

/* Opens /Edgewise of a file of a known format. */
static ew_status open_root(source *from, hid_t *root)
{
    EW_TRY(ew_guard_file(from->path, &from->file));
    ew_open_nothing_more();
    if (!ew_guard_has(from->file, "Edgewise")) {
        return ew_fail(EW_BAD_INPUT, "%s: an HDF5 file, but not a result of Edgewise", from->path);
    }
    EW_TRY(ew_guard_child(from->path, from->file, "Edgewise", "/Edgewise", root));
    if (H5Iget_type(*root) != H5I_GROUP) {
        return ew_fail(EW_BAD_INPUT, "%s: /Edgewise is not a group", from->path);
    }
    return check_format(from, *root);
}

static ew_status read_case(source *from, hid_t root, char **text)
{
    hid_t set = -1;
    EW_TRY(ew_guard_child(from->path, root, "case", "/Edgewise/case", &set));
    const bool is_set = H5Iget_type(set) == H5I_DATASET;
    hid_t type = is_set ? H5Dget_type(set) : -1;
    hid_t space = is_set ? H5Dget_space(set) : -1;
    ew_status status = EW_OK;
    char *read = NULL;
    if (type < 0 || space < 0 || H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) ||
        H5Sget_simple_extent_npoints(space) != 1) {
        status = ew_fail(EW_BAD_INPUT, "%s: /Edgewise/case is not a text", from->path);
        goto out;
    }
    size_t size = H5Tget_size(type);
    EW_TRY_OUT(claim(from, "/Edgewise/case", size));
    EW_TRY_OUT(ew_new_zero(&read, size + 1, 1));
    if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read) < 0) {
        status = ew_h5_fail(EW_BAD_INPUT, from->path, "read /Edgewise/case");
        goto out;
    }
    *text = read;
    read = NULL;
out:
    ew_release(read);
    ew_h5_close(&space);
    ew_h5_close(&type);
    ew_h5_close(&set);
    return status;
}

/* A text attribute of /Edgewise, "" where it is absent. */
static ew_status read_origin(source *from, hid_t root, const char *name, char **text)
{
    hid_t attribute = H5Aexists(root, name) > 0 ? H5Aopen(root, name, H5P_DEFAULT) : -1;
    hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute);
    hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    const bool is_text = type >= 0 && H5Tget_class(type) == H5T_STRING &&
                         !H5Tis_variable_str(type) && H5Sget_simple_extent_npoints(space) == 1;
    const size_t size = is_text ? H5Tget_size(type) : 0;
    char *read = NULL;
    ew_status status = claim(from, name, size);
    if (!status) {
        status = ew_new_zero(&read, size + 1, 1);
    }
    if (!status && attribute >= 0 && (!is_text || H5Aread(attribute, type, read) < 0)) {
        status = ew_fail(EW_BAD_INPUT, "%s: the attribute %s of /Edgewise is not a text",
                         from->path, name);
    }
    if (status) {
        ew_release(read);
    } else {
        *text = read;
    }
    ew_h5_close(&space);
    ew_h5_close(&type);
    ew_h5_close(&attribute);
    return status;
}

static ew_status read_journal(source *from, hid_t steps, int32_t step, void **journal,
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
    EW_TRY_OUT(claim(from, label, n));
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

static ew_status read_steps(source *from, hid_t root, ew_result_archive *archive)
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
    int32_t n = (int32_t)info.nlinks;
    EW_TRY_OUT(ew_new_zero(&archive->journal, (size_t)n, sizeof *archive->journal));
    EW_TRY_OUT(ew_new_zero(&archive->journal_bytes, (size_t)n, sizeof *archive->journal_bytes));
    archive->n_step = n;
    for (int32_t k = 0; k < n; k++) {
        EW_TRY_OUT(read_journal(from, steps, k, &archive->journal[k], &archive->journal_bytes[k]));
    }
out:
    ew_h5_close(&steps);
    return status;
}

/* ---- the two processes ----------------------------------------------------------- */

static ew_status read_all(void *user)
{
    archive_job *job = user;
    source *from = &job->from;
    ew_result_archive *archive = &job->archive;
    hid_t root = -1;
    ew_status status = EW_OK;
    EW_TRY_OUT(open_root(from, &root));
    EW_TRY_OUT(read_case(from, root, &archive->case_text));
    EW_TRY_OUT(read_origin(from, root, "case_path", &archive->case_path));
    EW_TRY_OUT(read_origin(from, root, "device", &archive->device));
    EW_TRY_OUT(read_origin(from, root, "precision", &archive->precision));
    EW_TRY_OUT(read_origin(from, root, "preconditioner", &archive->preconditioner));
    status = read_steps(from, root, archive);
out:
    ew_h5_close(&root);
    ew_h5_close(&from->file);
    return status;
}

static void send_all(void *user, ew_wire *wire)
{
    const ew_result_archive *archive = &((archive_job *)user)->archive;
    const char *text[] = {archive->case_text, archive->case_path, archive->device,
                          archive->precision, archive->preconditioner};
    for (int k = 0; k < 5; k++) {
        ew_wire_put_block(wire, text[k], strlen(text[k]));
    }
    ew_wire_put(wire, &archive->n_step, sizeof archive->n_step);
    for (int32_t k = 0; k < archive->n_step; k++) {
        ew_wire_put_block(wire, archive->journal[k], archive->journal_bytes[k]);
    }
}

static ew_status take_all(void *user, ew_wire *wire)
{
    archive_job *job = user;
    ew_result_archive *archive = &job->archive;
    uint64_t left = job->from.left;
    char **text[] = {&archive->case_text, &archive->case_path, &archive->device,
                     &archive->precision, &archive->preconditioner};
    int32_t n = 0;
    for (int k = 0; k < 5 && !wire->broken; k++) {
        size_t size;
        EW_TRY(ew_wire_get_block(wire, &left, text[k], &size));
    }
    ew_wire_get(wire, &n, sizeof n);
    if (wire->broken || n < 0 || (uint64_t)n > job->from.size / min_step_bytes) {
        wire->broken = true;
        return EW_OK;
    }
    EW_TRY(ew_new_zero(&archive->journal, (size_t)n, sizeof *archive->journal));
    EW_TRY(ew_new_zero(&archive->journal_bytes, (size_t)n, sizeof *archive->journal_bytes));
    archive->n_step = n;
    for (int32_t k = 0; k < n && !wire->broken; k++) {
        char *bytes = NULL;
        EW_TRY(ew_wire_get_block(wire, &left, &bytes, &archive->journal_bytes[k]));
        archive->journal[k] = bytes;
    }
    return EW_OK;
}

ew_status ew_result_read_archive(const char *path, ew_result_archive *archive)
{
    archive_job job = {.from = {.path = path, .file = -1}};
    EW_TRY(ew_result_file_size(path, &job.from.size));
    job.from.left = job.from.size;
    const ew_apart_job apart = {path, job.from.size, &job, read_all, send_all, take_all};
    const ew_status status = ew_read_apart(&apart);
    if (status) {
        ew_result_archive_free(&job.archive);
        return status;
    }
    *archive = job.archive;
    return EW_OK;
}

void ew_result_archive_free(ew_result_archive *archive)
{
    for (int32_t k = 0; archive->journal && k < archive->n_step; k++) {
        ew_release(archive->journal[k]);
    }
    ew_release(archive->journal);
    ew_release(archive->journal_bytes);
    ew_release(archive->case_text);
    ew_release(archive->case_path);
    ew_release(archive->device);
    ew_release(archive->precision);
    ew_release(archive->preconditioner);
    *archive = (ew_result_archive){0};
}
