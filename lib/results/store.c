/* HDF5 in, status codes out: growing datasets, virtual slices of them, attributes and text. Every
 * HDF5 call is checked, and its failure becomes one line with the system's reason (from the error
 * stack, where HDF5 leaves errno). Reference: HDF5 1.10 reference manual. */
#include "results/internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- messages -------------------------------------------------------------- */

void ew_quiet_begin(ew_quiet *quiet)
{
    H5Eget_auto2(H5E_DEFAULT, &quiet->call, &quiet->data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void ew_quiet_end(const ew_quiet *quiet)
{
    H5Eset_auto2(H5E_DEFAULT, quiet->call, quiet->data);
}

typedef struct reason {
    char text[256];
    bool system; /* the text is the system's */
    bool memory; /* an allocation failed */
} reason;

/* Keeps the innermost description, or the system's words where a record quotes errno. */
static herr_t find_reason(unsigned n, const H5E_error2_t *record, void *user)
{
    static const char mark[] = "error message = '";
    reason *found = user;
    found->memory = found->memory || record->min_num == H5E_NOSPACE ||
                    (record->desc && strstr(record->desc, "memory allocation failed"));
    const char *quote = record->desc ? strstr(record->desc, mark) : NULL;
    if (quote && strstr(record->desc, "errno = ")) {
        quote += sizeof mark - 1;
        snprintf(found->text, sizeof found->text, "%.*s", (int)strcspn(quote, "'"), quote);
        found->system = true;
        return 1;
    }
    if (n == 0 && record->desc) {
        snprintf(found->text, sizeof found->text, "%s", record->desc);
    }
    return 0;
}

ew_status ew_h5_fail(ew_status other, const char *file, const char *format, ...)
{
    reason found = {"", false, false};
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, find_reason, &found);
    char doing[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(doing, sizeof doing, format, arguments);
    va_end(arguments);
    return ew_fail(found.system   ? EW_IO
                   : found.memory ? EW_NO_MEMORY
                                  : other,
                   "%s: cannot %s: %s", file, doing,
                   found.text[0] ? found.text : "HDF5 gave no reason");
}

/* HDF5 1.10 corrupts its own memory where an allocation fails. So between its calls room is kept
 * that it cannot exhaust: a buffer of chunks of 1 MiB for each dataset, its tables and cache. */
static const size_t room_bytes = (size_t)64 << 20;

void ew_store_begin(ew_store *store, ew_quiet *quiet)
{
    ew_quiet_begin(quiet);
    ew_room_give(&store->room, room_bytes);
}

ew_status ew_store_keep_room(ew_store *store)
{
    return ew_room_keep(&store->room, room_bytes) ? ew_fail_prefix(EW_NO_MEMORY, "%s", store->label)
                                                  : EW_OK;
}

ew_status ew_store_end(ew_store *store, const ew_quiet *quiet, ew_status status)
{
    ew_quiet_end(quiet);
    return status ? status : ew_store_keep_room(store);
}

herr_t ew_h5_close(hid_t *object)
{
    hid_t id = *object;
    *object = -1;
    if (id < 0) {
        return 0;
    }
    switch (H5Iget_type(id)) {
    case H5I_FILE:
        return H5Fclose(id);
    case H5I_GROUP:
        return H5Gclose(id);
    case H5I_DATASET:
        return H5Dclose(id);
    case H5I_DATASPACE:
        return H5Sclose(id);
    case H5I_DATATYPE:
        return H5Tclose(id);
    case H5I_ATTR:
        return H5Aclose(id);
    default:
        return H5Pclose(id);
    }
}

ew_status ew_store_check(const ew_store *store)
{
    return store->sink.trouble
               ? ew_fail(EW_IO, "%s: cannot write: %s", store->label, strerror(store->sink.trouble))
               : EW_OK;
}

/* ---- numbers ---------------------------------------------------------------- */

size_t ew_number_bytes(ew_number number)
{
    static const uint8_t bytes[] = {8, 4, 8, 4, 1};
    return bytes[number];
}

hid_t ew_number_memory_type(ew_number number)
{
    switch (number) {
    case EW_F64:
        return H5T_NATIVE_DOUBLE;
    case EW_F32:
        return H5T_NATIVE_FLOAT;
    case EW_I64:
        return H5T_NATIVE_INT64;
    case EW_I32:
        return H5T_NATIVE_INT32;
    default:
        return H5T_NATIVE_UINT8;
    }
}

hid_t ew_number_file_type(ew_number number)
{
    switch (number) {
    case EW_F64:
        return H5T_IEEE_F64LE;
    case EW_F32:
        return H5T_IEEE_F32LE;
    case EW_I64:
        return H5T_STD_I64LE;
    case EW_I32:
        return H5T_STD_I32LE;
    default:
        return H5T_STD_U8LE;
    }
}

/* ---- growing datasets ------------------------------------------------------- */

void ew_series_init(ew_series *series, ew_number number, int32_t width, const char *group,
                    const char *name)
{
    *series = (ew_series){.memory = number, .stored = number, .width = width, .set = -1};
    snprintf(series->path, sizeof series->path, "%s/%s", group, name);
}

/* Property list that makes missing groups on the way. */
static hid_t parents_made(void)
{
    hid_t list = H5Pcreate(H5P_LINK_CREATE);
    if (list >= 0 && H5Pset_create_intermediate_group(list, 1) < 0) {
        ew_h5_close(&list);
    }
    return list;
}

/* A chunk holds the first append where that is small (a frame that repeats the mesh fills whole
 * chunks), but neither less than 128 rows nor more than 65536 numbers. */
static hsize_t chunk_rows(int64_t n, int32_t width)
{
    int64_t max = 65536 / (width > 0 ? width : 1);
    return (hsize_t)(n < 128 ? 128 : n > max ? max : n);
}

static bool set_storage(hid_t list, const ew_store *store, int rank, const hsize_t *chunk)
{
    return H5Pset_chunk(list, rank, chunk) >= 0 &&
           (store->compression == 0 ||
            (H5Pset_shuffle(list) >= 0 && H5Pset_deflate(list, (unsigned)store->compression) >= 0));
}

static ew_status create_set(const ew_store *store, ew_series *series, int64_t n)
{
    int rank = series->width > 0 ? 2 : 1;
    hsize_t extent[2] = {0, (hsize_t)series->width};
    hsize_t limit[2] = {H5S_UNLIMITED, (hsize_t)series->width};
    hsize_t chunk[2] = {chunk_rows(n, series->width), (hsize_t)series->width};
    hid_t space = H5Screate_simple(rank, extent, limit);
    hid_t link = parents_made();
    hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    const double none = NAN; /* rows without data, of a step without an analysis */
    const bool ready = space >= 0 && link >= 0 && create >= 0 &&
                       set_storage(create, store, rank, chunk) &&
                       ((series->stored != EW_F64 && series->stored != EW_F32) ||
                        H5Pset_fill_value(create, H5T_NATIVE_DOUBLE, &none) >= 0);
    if (ready) {
        series->set = H5Dcreate2(store->file, series->path, ew_number_file_type(series->stored),
                                 space, link, create, H5P_DEFAULT);
    }
    ew_status status = EW_OK;
    if (series->set < 0) {
        status = ew_h5_fail(EW_IO, store->label, "create the dataset %s", series->path);
    }
    ew_h5_close(&create);
    ew_h5_close(&link);
    ew_h5_close(&space);
    return status;
}

ew_status ew_series_begin(const ew_store *store, ew_series *series, int64_t n)
{
    return series->set < 0 ? create_set(store, series, n) : EW_OK;
}

ew_status ew_series_append(const ew_store *store, ew_series *series, const void *data, int64_t n)
{
    EW_TRY(ew_series_begin(store, series, n));
    int rank = series->width > 0 ? 2 : 1;
    hsize_t start[2] = {(hsize_t)series->n_row, 0};
    hsize_t count[2] = {(hsize_t)n, (hsize_t)series->width};
    hsize_t extent[2] = {(hsize_t)(series->n_row + n), (hsize_t)series->width};
    hid_t space = -1;
    hid_t memory = -1;
    ew_status status = EW_OK;
    if (!data) { /* rows that no one wrote take no room and read as the fill value */
        if (H5Dset_extent(series->set, extent) < 0) {
            return ew_h5_fail(EW_IO, store->label, "extend %s", series->path);
        }
        series->n_row += n;
        return EW_OK;
    }
    if (H5Dset_extent(series->set, extent) < 0 || (space = H5Dget_space(series->set)) < 0 ||
        (memory = H5Screate_simple(rank, count, NULL)) < 0 ||
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) < 0 ||
        H5Dwrite(series->set, ew_number_memory_type(series->memory), memory, space, H5P_DEFAULT,
                 data) < 0) {
        status = ew_h5_fail(EW_IO, store->label, "write %s", series->path);
    } else {
        series->n_row += n;
    }
    ew_h5_close(&memory);
    ew_h5_close(&space);
    return status;
}

ew_status ew_store_slice(const ew_store *store, const char *path, const ew_series *series,
                         int64_t begin, int64_t n, int32_t width)
{
    int rank = series->width > 0 ? 2 : 1;
    hsize_t whole[2] = {(hsize_t)series->n_row, (hsize_t)series->width};
    hsize_t start[2] = {(hsize_t)begin, 0};
    hsize_t count[2] = {(hsize_t)(series->width == 0 && width > 0 ? n * width : n),
                        (hsize_t)series->width};
    hsize_t shown[2] = {(hsize_t)n, (hsize_t)width};
    hid_t source = H5Screate_simple(rank, whole, NULL);
    hid_t space = H5Screate_simple(width > 0 ? 2 : 1, shown, NULL);
    hid_t link = parents_made();
    hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    hid_t set = -1;
    if (source >= 0 && space >= 0 && link >= 0 && create >= 0 &&
        H5Sselect_hyperslab(source, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
        H5Pset_virtual(create, space, ".", series->path, source) >= 0) {
        set = H5Dcreate2(store->file, path, ew_number_file_type(series->stored), space, link,
                         create, H5P_DEFAULT);
    }
    ew_status status = EW_OK;
    if (set < 0 || ew_h5_close(&set) < 0) {
        status = ew_h5_fail(EW_IO, store->label, "create the virtual dataset %s", path);
    }
    ew_h5_close(&create);
    ew_h5_close(&link);
    ew_h5_close(&space);
    ew_h5_close(&source);
    return status;
}

/* ---- groups, attributes, text ----------------------------------------------- */

ew_status ew_store_group(const ew_store *store, const char *path)
{
    hid_t link = parents_made();
    hid_t group = link < 0 ? -1 : H5Gcreate2(store->file, path, link, H5P_DEFAULT, H5P_DEFAULT);
    ew_status status = EW_OK;
    if (group < 0 || ew_h5_close(&group) < 0) {
        status = ew_h5_fail(EW_IO, store->label, "create the group %s", path);
    }
    ew_h5_close(&link);
    return status;
}

static ew_status put_attribute(const ew_store *store, const char *path, const char *name,
                               hid_t file_type, hid_t memory_type, hid_t space, const void *value)
{
    hid_t attribute = H5Acreate_by_name(store->file, path, name, file_type, space, H5P_DEFAULT,
                                        H5P_DEFAULT, H5P_DEFAULT);
    ew_status status = EW_OK;
    if (attribute < 0 || H5Awrite(attribute, memory_type, value) < 0) {
        status = ew_h5_fail(EW_IO, store->label, "write the attribute %s of %s", name, path);
    }
    ew_h5_close(&attribute);
    return status;
}

ew_status ew_store_attribute(const ew_store *store, const char *path, const char *name,
                             ew_number number, int32_t n, const void *value)
{
    hsize_t extent = (hsize_t)n;
    hid_t space = n == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &extent, NULL);
    ew_status status = put_attribute(store, path, name, ew_number_file_type(number),
                                     ew_number_memory_type(number), space, value);
    ew_h5_close(&space);
    return status;
}

static ew_status put_dataset(const ew_store *store, const char *path, hid_t file_type,
                             hid_t memory_type, hid_t space, const void *value)
{
    hid_t link = parents_made();
    hid_t set =
        link < 0 ? -1
                 : H5Dcreate2(store->file, path, file_type, space, link, H5P_DEFAULT, H5P_DEFAULT);
    ew_status status = EW_OK;
    if (set < 0 ||
        (value && H5Dwrite(set, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) < 0)) {
        status = ew_h5_fail(EW_IO, store->label, "write %s", path);
    }
    if (ew_h5_close(&set) < 0 && !status) {
        status = ew_h5_fail(EW_IO, store->label, "write %s", path);
    }
    ew_h5_close(&link);
    return status;
}

/* The character set is declared: plain text as ASCII, which VTK asks for, anything else as UTF-8.
 */
static hid_t text_type(const char *text)
{
    bool plain = true;
    for (const char *c = text; *c; c++) {
        plain = plain && (unsigned char)*c < 0x80;
    }
    hid_t type = H5Tcopy(H5T_C_S1);
    size_t size = strlen(text);
    if (type >= 0 &&
        (H5Tset_size(type, size ? size : 1) < 0 || H5Tset_strpad(type, H5T_STR_NULLPAD) < 0 ||
         H5Tset_cset(type, plain ? H5T_CSET_ASCII : H5T_CSET_UTF8) < 0)) {
        ew_h5_close(&type);
    }
    return type;
}

ew_status ew_store_text(const ew_store *store, const char *path, const char *name, const char *text)
{
    hid_t type = text_type(text);
    hid_t space = H5Screate(H5S_SCALAR);
    ew_status status = name ? put_attribute(store, path, name, type, type, space, text)
                            : put_dataset(store, path, type, type, space, text);
    ew_h5_close(&space);
    ew_h5_close(&type);
    return status;
}

ew_status ew_store_array(const ew_store *store, const char *path, ew_number number, size_t n,
                         int32_t width, const void *value)
{
    const hsize_t extent[2] = {n, (hsize_t)width};
    hid_t space = H5Screate_simple(width ? 2 : 1, extent, NULL);
    ew_status status = put_dataset(store, path, ew_number_file_type(number),
                                   ew_number_memory_type(number), space, n ? value : NULL);
    ew_h5_close(&space);
    return status;
}

void ew_column_init(ew_column *column, ew_field_place place, ew_number number, int32_t width,
                    const char *name)
{
    bool on_vertices = place == EW_ON_VERTICES;
    *column = (ew_column){.place = place};
    ew_series_init(&column->data, number, width,
                   on_vertices ? "/VTKHDF/PointData" : "/VTKHDF/CellData", name);
    ew_series_init(&column->offset, EW_I64, 0,
                   on_vertices ? "/VTKHDF/Steps/PointDataOffsets" : "/VTKHDF/Steps/CellDataOffsets",
                   name);
    column->name = strrchr(column->data.path, '/') + 1;
}
