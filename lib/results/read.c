/* A finished result file in, what a replay needs of it out: the case text and the edit journals. */
#include "results/internal.h"

#include <stdio.h>
#include <string.h>

static ew_status open_checked(const char *path, hid_t *file)
{
    *file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (*file < 0) {
        return ew_h5_fail(EW_BAD_INPUT, path, "read as a result file");
    }
    int32_t format = 0;
    hid_t attribute = -1;
    if (H5Lexists(*file, "Edgewise", H5P_DEFAULT) > 0) {
        attribute = H5Aopen_by_name(*file, "Edgewise", "format", H5P_DEFAULT, H5P_DEFAULT);
    }
    hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    if (space >= 0 && H5Sget_simple_extent_npoints(space) == 1) {
        H5Aread(attribute, H5T_NATIVE_INT32, &format);
    }
    ew_h5_close(&space);
    ew_h5_close(&attribute);
    if (format < 1) {
        return ew_fail(EW_BAD_INPUT, "%s: an HDF5 file, but not a result of Edgewise", path);
    }
    if (format > EW_RESULT_FORMAT) {
        return ew_fail(EW_BAD_INPUT,
                       "%s: written by a newer Edgewise (format %d; this program reads %d)", path,
                       format, EW_RESULT_FORMAT);
    }
    return EW_OK;
}

static ew_status read_case(const char *path, hid_t file, char **text)
{
    hid_t set = H5Dopen2(file, "Edgewise/case", H5P_DEFAULT);
    hid_t type = set < 0 ? -1 : H5Dget_type(set);
    hid_t space = set < 0 ? -1 : H5Dget_space(set);
    ew_status status = EW_OK;
    char *read = NULL;
    if (type < 0 || space < 0 || H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) ||
        H5Sget_simple_extent_npoints(space) != 1) {
        status = ew_fail(EW_BAD_INPUT, "%s: /Edgewise/case is not a text", path);
        goto out;
    }
    size_t size = H5Tget_size(type);
    EW_TRY_OUT(ew_new_zero(&read, size + 1, 1));
    if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read) < 0) {
        status = ew_h5_fail(EW_BAD_INPUT, path, "read /Edgewise/case");
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
static ew_status read_origin(const char *path, hid_t file, const char *name, char **text)
{
    hid_t attribute = -1;
    if (H5Aexists_by_name(file, "Edgewise", name, H5P_DEFAULT) > 0) {
        attribute = H5Aopen_by_name(file, "Edgewise", name, H5P_DEFAULT, H5P_DEFAULT);
    }
    hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute);
    hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    const bool is_text = type >= 0 && H5Tget_class(type) == H5T_STRING &&
                         !H5Tis_variable_str(type) && H5Sget_simple_extent_npoints(space) == 1;
    char *read = NULL;
    ew_status status = ew_new_zero(&read, (is_text ? H5Tget_size(type) : 0) + 1, 1);
    if (!status && attribute >= 0 && (!is_text || H5Aread(attribute, type, read) < 0)) {
        status =
            ew_fail(EW_BAD_INPUT, "%s: the attribute %s of /Edgewise is not a text", path, name);
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

static ew_status read_journal(const char *path, hid_t file, int32_t step, void **journal,
                              size_t *bytes)
{
    char name[64];
    snprintf(name, sizeof name, "Edgewise/Steps/%06d/journal", step);
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    hid_t type = set < 0 ? -1 : H5Dget_type(set);
    hid_t space = set < 0 ? -1 : H5Dget_space(set);
    ew_status status = EW_OK;
    char *read = NULL;
    if (type < 0 || space < 0 || H5Tequal(type, H5T_STD_U8LE) <= 0 ||
        H5Sget_simple_extent_ndims(space) != 1) {
        status = ew_fail(EW_BAD_INPUT, "%s: /%s is missing or not a list of bytes", path, name);
        goto out;
    }
    hssize_t n = H5Sget_simple_extent_npoints(space);
    EW_TRY_OUT(ew_new(&read, (size_t)n, 1));
    if (H5Dread(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, read) < 0) {
        status = ew_h5_fail(EW_BAD_INPUT, path, "read /%s", name);
        goto out;
    }
    *journal = read;
    *bytes = (size_t)n;
    read = NULL;
out:
    ew_release(read);
    ew_h5_close(&space);
    ew_h5_close(&type);
    ew_h5_close(&set);
    return status;
}

static ew_status read_steps(const char *path, hid_t file, ew_result_archive *archive)
{
    hid_t group = H5Gopen2(file, "Edgewise/Steps", H5P_DEFAULT);
    H5G_info_t info = {.nlinks = 0};
    if (group < 0 || H5Gget_info(group, &info) < 0 || info.nlinks > INT32_MAX) {
        ew_h5_close(&group);
        return ew_fail(EW_BAD_INPUT, "%s: /Edgewise/Steps is missing", path);
    }
    ew_h5_close(&group);
    int32_t n = (int32_t)info.nlinks;
    EW_TRY(ew_new_zero(&archive->journal, (size_t)n, sizeof *archive->journal));
    EW_TRY(ew_new_zero(&archive->journal_bytes, (size_t)n, sizeof *archive->journal_bytes));
    archive->n_step = n;
    for (int32_t k = 0; k < n; k++) {
        EW_TRY(read_journal(path, file, k, &archive->journal[k], &archive->journal_bytes[k]));
    }
    return EW_OK;
}

ew_status ew_result_read_archive(const char *path, ew_result_archive *archive)
{
    ew_quiet quiet;
    ew_quiet_begin(&quiet);
    ew_result_archive read = {0};
    hid_t file = -1;
    ew_status status = open_checked(path, &file);
    if (!status) {
        status = read_case(path, file, &read.case_text);
    }
    if (!status) {
        status = read_origin(path, file, "case_path", &read.case_path);
    }
    if (!status) {
        status = read_origin(path, file, "device", &read.device);
    }
    if (!status) {
        status = read_origin(path, file, "precision", &read.precision);
    }
    if (!status) {
        status = read_steps(path, file, &read);
    }
    ew_h5_close(&file);
    ew_quiet_end(&quiet);
    if (status) {
        ew_result_archive_free(&read);
        return status;
    }
    *archive = read;
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
    *archive = (ew_result_archive){0};
}
