/* HDF5 files of other programs in, their numbers out. Read in a process of its own
 * (thread_affinity.c): only what is stored in the file itself, and no more of it than a file of its
 * size holds. */
#define _POSIX_C_SOURCE 200809L
#include "results/foreign.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_RATIO = 1100 }; /* deflated data grow by no more (zlib: 1032) */

/* ---- objects ----------------------------------------------------------------------------------
 */

static bool has_known_filters(hid_t list)
{
    bool known = true;
    const int n = H5Pget_nfilters(list);
    for (int k = 0; known && k < n; k++) {
        unsigned flags = 0, config = 0;
        size_t n_value = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(list, (unsigned)k, &flags, &n_value, NULL, 0, NULL, &config);
        known = filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE ||
                filter == H5Z_FILTER_FLETCHER32;
    }
    return known && n >= 0 && n <= 3;
}

static ew_status check_dataset(const ew_foreign *from, hid_t set, const char *name)
{
    hid_t list = H5Dget_create_plist(set);
    const H5D_layout_t layout = list < 0 ? H5D_LAYOUT_ERROR : H5Pget_layout(list);
    const bool inside =
        layout != H5D_LAYOUT_ERROR && layout != H5D_VIRTUAL && H5Pget_external_count(list) == 0;
    const bool known = inside && has_known_filters(list);
    ew_h5_close(&list);
    return known ? EW_OK
                 : ew_fail(EW_BAD_INPUT,
                           "%s: '%.80s' is stored %s; save it again, in one file and without "
                           "compression or with gzip",
                           from->path, name, inside ? "by a filter that is not read" : "elsewhere");
}

ew_status ew_foreign_child(const ew_foreign *from, hid_t group, const char *name, bool needed,
                           hid_t *child)
{
    H5L_info_t info;
    *child = -1;
    if (!*name || !ew_guard_has(group, name)) {
        return needed ? ew_fail(EW_BAD_INPUT, "%s: it has no '%.80s'", from->path, name) : EW_OK;
    }
    if (H5Lget_info(group, name, &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_HARD) {
        return ew_fail(EW_BAD_INPUT,
                       "%s: '%.80s' is a link to another place, which is not followed", from->path,
                       name);
    }
    hid_t made = H5Oopen(group, name, H5P_DEFAULT);
    if (made < 0) {
        return ew_h5_fail(EW_BAD_INPUT, from->path, "open '%.80s'", name);
    }
    const ew_status status =
        H5Iget_type(made) == H5I_DATASET ? check_dataset(from, made, name) : EW_OK;
    if (status) {
        ew_h5_close(&made);
    } else {
        *child = made;
    }
    return status;
}

bool ew_foreign_name(hid_t group, int64_t i, char name[EW_GROUP_NAME])
{
    H5G_info_t info;
    if (H5Gget_info(group, &info) < 0 || (uint64_t)i >= info.nlinks) {
        return false;
    }
    const ssize_t length = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, (hsize_t)i,
                                              name, EW_GROUP_NAME, H5P_DEFAULT);
    if (length < 0 || length >= EW_GROUP_NAME) {
        name[0] = 0; /* no object has it */
    }
    return true;
}

/* ---- numbers ----------------------------------------------------------------------------------
 */

ew_status ew_foreign_numbers(const ew_foreign *from, hid_t set, const char *name, hid_t memory,
                             void **data, int64_t *n)
{
    const bool is_set = H5Iget_type(set) == H5I_DATASET;
    hid_t space = is_set ? H5Dget_space(set) : -1, type = is_set ? H5Dget_type(set) : -1;
    const H5T_class_t kind = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
    const hssize_t count = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    const size_t width = H5Tget_size(memory);
    char *read = NULL;
    ew_status status = EW_OK;
    if (count < 0 || (kind != H5T_INTEGER && kind != H5T_FLOAT)) {
        status = ew_fail(EW_BAD_INPUT, "%s: '%.80s' holds no numbers", from->path, name);
    } else if ((uint64_t)count > from->size * MAX_RATIO / width) {
        status = ew_fail(EW_BAD_INPUT, "%s: '%.80s' claims more numbers than the file can hold",
                         from->path, name);
    }
    status = status ? status : ew_new(&read, (size_t)count * width + 1, 1);
    if (!status && count > 0 && H5Dread(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, read) < 0) {
        status = ew_h5_fail(EW_BAD_INPUT, from->path, "read '%.80s'", name);
    }
    ew_h5_close(&type);
    ew_h5_close(&space);
    if (status) {
        ew_release(read);
        return status;
    }
    *data = read;
    *n = count;
    return EW_OK;
}

ew_status ew_foreign_attribute(const ew_foreign *from, hid_t object, const char *name,
                               int64_t *value)
{
    hid_t attribute = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
    hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute);
    const bool right = space >= 0 && H5Sget_simple_extent_npoints(space) == 1 && type >= 0 &&
                       H5Tget_class(type) == H5T_INTEGER &&
                       H5Aread(attribute, H5T_NATIVE_INT64, value) >= 0;
    ew_h5_close(&type);
    ew_h5_close(&space);
    ew_h5_close(&attribute);
    return right ? EW_OK
                 : ew_fail(EW_BAD_INPUT, "%s: the attribute %s is missing or not an integer",
                           from->path, name);
}

/* ---- the job ----------------------------------------------------------------------------------
 */

ew_status ew_foreign_put(ew_foreign *from, const void *data, size_t size)
{
    EW_TRY(ew_grow(&from->made.data, &from->capacity, (int64_t)(from->made.size + size), 1));
    memcpy(from->made.data + from->made.size, data, size);
    from->made.size += size;
    return EW_OK;
}

typedef struct foreign_job {
    ew_foreign *from;
    ew_status (*read)(void *user);
    void *user;
} foreign_job;

static ew_status read_job(void *user)
{
    const foreign_job *job = user;
    job->from->file = H5Fopen(job->from->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (job->from->file < 0) {
        return ew_h5_fail(EW_BAD_INPUT, job->from->path, "read as an HDF5 file");
    }
    ew_open_nothing_more();
    return job->read(job->user);
}

static void send_job(void *user, ew_wire *wire)
{
    const foreign_job *job = user;
    ew_wire_put_block(wire, job->from->made.data, job->from->made.size);
}

static ew_status take_job(void *user, ew_wire *wire)
{
    const foreign_job *job = user;
    ew_foreign *from = job->from;
    uint64_t left = (UINT64_C(512) << 20) + 4 * from->size; /* the memory of the other process */
    return ew_wire_get_block(wire, &left, &from->made.data, &from->made.size);
}

ew_status ew_foreign_read(const char *path, ew_foreign *from, ew_status (*read)(void *user),
                          void *user)
{
    *from = (ew_foreign){.path = path, .file = -1};
    if (access(path, R_OK)) {
        return ew_fail(EW_IO, "%s: cannot be opened: %s", path, strerror(errno));
    }
    EW_TRY(ew_result_file_size(path, &from->size));
    foreign_job job = {from, read, user};
    const ew_isolated_job apart = {path, from->size, &job, read_job, send_job, take_job};
    const ew_status status = ew_read_isolated(&apart);
    if (status) {
        ew_text_free(&from->made);
    }
    return status;
}

/* ---- one dataset ------------------------------------------------------------------------------
 */

typedef struct numbers_job {
    ew_foreign from;
    const char *dataset; /* "/a/b" */
} numbers_job;

static ew_status read_numbers(void *user)
{
    numbers_job *job = user;
    ew_foreign *from = &job->from;
    hid_t at = from->file;
    void *data;
    int64_t n;
    for (const char *name = job->dataset; *name;) { /* this process ends: nothing is closed */
        char part[EW_GROUP_NAME];
        name += strspn(name, "/");
        const size_t length = strcspn(name, "/");
        snprintf(part, sizeof part, "%.*s", (int)length, name);
        name += length;
        EW_TRY(*part ? ew_foreign_child(from, at, part, true, &at) : EW_OK);
    }
    EW_TRY(ew_foreign_numbers(from, at, job->dataset, H5T_NATIVE_DOUBLE, &data, &n));
    return ew_foreign_put(from, data, (size_t)n * sizeof(double));
}

ew_status ew_hdf5_read_numbers(const char *path, const char *dataset, ew_text *numbers)
{
    numbers_job job = {.dataset = dataset};
    EW_TRY(ew_foreign_read(path, &job.from, read_numbers, &job));
    *numbers = job.from.made;
    return EW_OK;
}
