/* Names in, open HDF5 objects out, and only such as lie within the file: a link to another file, a
 * dataset stored elsewhere or a view of another file is refused before it is followed. Nor are
 * sizes believed: chunks and filters must be such as Edgewise writes. */
#include "results/isolated_reader.h"

#include <stdio.h>
#include <string.h>

/* A chunk is unpacked as a whole; Edgewise writes chunks of 512 KiB at most. */
static const uint64_t max_chunk_bytes = UINT64_C(16) << 20;

ew_status ew_guard_file(const char *path, hid_t *file)
{
    *file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    return *file < 0 ? ew_h5_fail(EW_BAD_INPUT, path, "read as a result file") : EW_OK;
}

bool ew_guard_has(hid_t group, const char *name)
{
    return H5Lexists(group, name, H5P_DEFAULT) > 0;
}

static bool has_known_filters(hid_t list)
{
    bool known = true;
    const int n = H5Pget_nfilters(list);
    for (int k = 0; known && k < n; k++) {
        unsigned flags = 0, config = 0;
        size_t n_value = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(list, (unsigned)k, &flags, &n_value, NULL, 0, NULL, &config);
        known = filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE;
    }
    return known && n >= 0 && n <= 2;
}

/* Numbers as they are written; a text where it is the only item. */
static bool has_known_type(hid_t set)
{
    static const ew_number number[] = {EW_F64, EW_F32, EW_I64, EW_I32, EW_U8};
    hid_t type = H5Dget_type(set);
    bool known = type >= 0 && H5Tget_class(type) == H5T_STRING && !H5Tis_variable_str(type);
    for (int k = 0; type >= 0 && !known && k < 5; k++) {
        known = H5Tequal(type, ew_number_file_type(number[k])) > 0;
    }
    ew_h5_close(&type);
    return known;
}

static bool has_small_chunks(hid_t list, hid_t set)
{
    hsize_t extent[H5S_MAX_RANK] = {0};
    const int rank = H5Pget_chunk(list, H5S_MAX_RANK, extent);
    hid_t type = H5Dget_type(set);
    uint64_t bytes = type < 0 ? 0 : H5Tget_size(type);
    bool small = rank > 0 && bytes > 0;
    for (int d = 0; small && d < rank; d++) {
        small = extent[d] > 0 && extent[d] <= max_chunk_bytes / bytes;
        bytes *= small ? extent[d] : 1;
    }
    ew_h5_close(&type);
    return small;
}

static ew_status check_dataset(const char *path, hid_t set, const char *label)
{
    hid_t list = H5Dget_create_plist(set);
    const H5D_layout_t layout = list < 0 ? H5D_LAYOUT_ERROR : H5Pget_layout(list);
    ew_status status = EW_OK;
    if (layout == H5D_LAYOUT_ERROR) {
        status = ew_h5_fail(EW_BAD_INPUT, path, "read the layout of %s", label);
    } else if (layout == H5D_VIRTUAL || H5Pget_external_count(list) != 0) {
        status = ew_fail(EW_BAD_INPUT,
                         "%s: %s is stored outside this file, which Edgewise never writes: refused",
                         path, label);
    } else if (!has_known_type(set) || !has_known_filters(list) ||
               (layout == H5D_CHUNKED && !has_small_chunks(list, set))) {
        status = ew_fail(EW_BAD_INPUT, "%s: %s is stored in a way that Edgewise never writes", path,
                         label);
    }
    ew_h5_close(&list);
    return status;
}

ew_status ew_guard_child(const char *path, hid_t group, const char *name, const char *label,
                         hid_t *child)
{
    H5L_info_t info;
    if (!ew_guard_has(group, name)) {
        return ew_fail(EW_BAD_INPUT, "%s: %s is missing", path, label);
    }
    if (H5Lget_info(group, name, &info, H5P_DEFAULT) < 0) {
        return ew_h5_fail(EW_BAD_INPUT, path, "find %s", label);
    }
    if (info.type != H5L_TYPE_HARD) {
        return ew_fail(EW_BAD_INPUT,
                       "%s: %s is a link to another place, which Edgewise never writes: refused",
                       path, label);
    }
    hid_t made = H5Oopen(group, name, H5P_DEFAULT);
    if (made < 0) {
        return ew_h5_fail(EW_BAD_INPUT, path, "open %s", label);
    }
    const H5I_type_t kind = H5Iget_type(made);
    ew_status status = EW_OK;
    if (kind == H5I_DATASET) {
        status = check_dataset(path, made, label);
    } else if (kind != H5I_GROUP) {
        status = ew_fail(EW_BAD_INPUT, "%s: %s is neither a group nor a dataset", path, label);
    }
    if (status) {
        ew_h5_close(&made);
    } else {
        *child = made;
    }
    return status;
}

ew_status ew_guard_path(const char *path, hid_t group, const char *prefix, const char *name,
                        hid_t *child)
{
    char label[2 * EW_RESULT_PATH];
    char part[EW_RESULT_PATH];
    hid_t at = -1;
    ew_status status = EW_OK;
    for (const char *begin = name; *begin && !status;) {
        const size_t length = strcspn(begin, "/");
        snprintf(part, sizeof part, "%.*s", (int)length, begin);
        begin += length;
        snprintf(label, sizeof label, "%s/%.*s", prefix, (int)(begin - name), name);
        begin += *begin == '/';
        hid_t next = -1;
        status = ew_guard_child(path, at < 0 ? group : at, part, label, &next);
        ew_h5_close(&at);
        at = next;
    }
    *child = at;
    return status;
}
