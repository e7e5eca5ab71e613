/* The life of a result file: created under a temporary name, filled (frame.c), sealed and renamed,
 * or discarded without a trace. References: VTKHDF file format 2.0 (temporal unstructured grid);
 * lib/results/README.md for the rest. */
#include "results/internal.h"
#include "results/replace.h"

#include <stdio.h>
#include <string.h>

/* ---- creation --------------------------------------------------------------- */

static void init_layout(ew_result *result)
{
    result->store.file = -1;
    result->store.sink.descriptor = -1;
    result->store.sink.driver = -1;
    ew_column *mesh = result->mesh;
    ew_column_init(&mesh[EW_COLUMN_POINTS], EW_ON_VERTICES, EW_F64, 3, "");
    ew_series_init(&mesh[EW_COLUMN_POINTS].data, EW_F64, 3, "/VTKHDF", "Points");
    ew_column_init(&mesh[EW_COLUMN_TETS], EW_ON_TETS, EW_I32, 0, "");
    ew_series_init(&mesh[EW_COLUMN_TETS].data, EW_I32, 0, "/VTKHDF", "Connectivity");
    mesh[EW_COLUMN_TETS].data.stored = EW_I64; /* what VTK uses without a conversion */
    ew_column_init(&mesh[EW_COLUMN_VERTEX_ID], EW_ON_VERTICES, EW_I64, 0, "vertex_id");
    ew_column_init(&mesh[EW_COLUMN_TET_ID], EW_ON_TETS, EW_I64, 0, "tet_id");
    ew_column_init(&mesh[EW_COLUMN_REGION], EW_ON_TETS, EW_I32, 0, "region");
    ew_column_init(&mesh[EW_COLUMN_BORN], EW_ON_TETS, EW_I32, 0, "born");

    ew_series *part = result->part;
    ew_series_init(&part[EW_PART_POINTS], EW_I64, 0, "/VTKHDF", "NumberOfPoints");
    ew_series_init(&part[EW_PART_CELLS], EW_I64, 0, "/VTKHDF", "NumberOfCells");
    ew_series_init(&part[EW_PART_IDS], EW_I64, 0, "/VTKHDF", "NumberOfConnectivityIds");
    ew_series_init(&part[EW_PART_TYPES], EW_U8, 0, "/VTKHDF", "Types");
    ew_series_init(&part[EW_PART_OFFSETS], EW_I64, 0, "/VTKHDF", "Offsets");

    ew_series *step = result->step;
    ew_series_init(&step[EW_STEP_VALUE], EW_F64, 0, "/VTKHDF/Steps", "Values");
    ew_series_init(&step[EW_STEP_N_PART], EW_I64, 0, "/VTKHDF/Steps", "NumberOfParts");
    ew_series_init(&step[EW_STEP_PART], EW_I64, 0, "/VTKHDF/Steps", "PartOffsets");
    ew_series_init(&step[EW_STEP_POINT], EW_I64, 0, "/VTKHDF/Steps", "PointOffsets");
    ew_series_init(&step[EW_STEP_CELL], EW_I64, 1, "/VTKHDF/Steps", "CellOffsets");
    ew_series_init(&step[EW_STEP_ID], EW_I64, 1, "/VTKHDF/Steps", "ConnectivityIdOffsets");
}

static ew_status join_path(char **path, const char *name, const char *ending)
{
    size_t size = strlen(name) + strlen(ending) + 1;
    EW_TRY(ew_new(path, size, 1));
    snprintf(*path, size, "%s%s", name, ending);
    return EW_OK;
}

/* Both names are asked for before anything is computed for them. */
static ew_status open_files(ew_result *result, const char *name)
{
    int descriptor = -1;
    EW_TRY(join_path(&result->name, name, ""));
    EW_TRY(join_path(&result->path, name, ".vtkhdf"));
    EW_TRY(join_path(&result->xdmf_path, name, ".xdmf"));
    result->store.label = result->path;
    EW_TRY(ew_replace_add(&result->set, result->path, &descriptor));
    EW_TRY(ew_sink_open(&result->store.sink, descriptor, result->path));
    return ew_replace_add(&result->set, result->xdmf_path, &result->xdmf_descriptor);
}

static ew_status check_def(const ew_result_def *def)
{
    const char *slash = strrchr(def->name, '/');
    const char *base = slash ? slash + 1 : def->name;
    if (!base[0] || !strcmp(base, ".") || !strcmp(base, "..")) {
        return ew_fail(EW_BAD_ARGUMENT, "result name \"%s\": a file name is missing", def->name);
    }
    if (ew_has_control_character(def->name)) {
        return ew_fail(EW_BAD_ARGUMENT, "result name \"%s\": it holds a control character",
                       def->name);
    }
    if (strchr(base, ':')) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "result name \"%s\": a colon separates file and dataset in XDMF; "
                       "choose a name without it",
                       def->name);
    }
    if (def->compression < 0 || def->compression > 9) {
        return ew_fail(EW_BAD_ARGUMENT, "compression is %d; allowed: 0 to 9", def->compression);
    }
    if (def->compression > 0 && H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0) {
        return ew_refuse(EW_RULE_DEFLATE, "compression %d", def->compression);
    }
    return EW_OK;
}

/* 1.8's structures where they suffice and 1.10's for the virtual datasets, whatever the library's
 * own release: so every reader built on HDF5 1.10 or later opens the file. */
static ew_status create_file(ew_result *result)
{
    ew_store *store = &result->store;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0 && H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V110) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
        ew_sink_use(access, &store->sink) >= 0) {
        store->file = H5Fcreate(result->path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    }
    ew_status status = EW_OK;
    if (store->file < 0) {
        status = ew_h5_fail(EW_IO, result->path, "create the result file");
    }
    ew_h5_close(&access);
    return status;
}

static ew_status write_origin(const ew_store *store, const char *name, const char *text)
{
    return text && text[0] ? ew_store_text(store, "/Edgewise", name, text) : EW_OK;
}

static ew_status write_head(const ew_store *store, const ew_result_def *def)
{
    static const int64_t version[2] = {2, 0};
    static const int32_t format = EW_RESULT_FORMAT;
    EW_TRY(ew_store_group(store, "/VTKHDF/FieldData"));
    EW_TRY(ew_store_group(store, "/VTKHDF/Steps"));
    EW_TRY(ew_store_attribute(store, "/VTKHDF", "Version", EW_I64, 2, version));
    EW_TRY(ew_store_text(store, "/VTKHDF", "Type", "UnstructuredGrid"));
    EW_TRY(ew_store_group(store, "/Edgewise/Steps"));
    EW_TRY(ew_store_attribute(store, "/Edgewise", "format", EW_I32, 1, &format));
    EW_TRY(ew_store_text(store, "/Edgewise", "program", ew_version(NULL)));
    EW_TRY(ew_store_text(store, "/Edgewise", "length_unit", def->length_unit));
    EW_TRY(ew_store_text(store, "/Edgewise", "force_unit", def->force_unit));
    EW_TRY(ew_store_text(store, "/Edgewise", "time_unit", def->time_unit));
    EW_TRY(write_origin(store, "case_path", def->case_path));
    EW_TRY(write_origin(store, "device", def->device));
    EW_TRY(write_origin(store, "precision", def->precision));
    EW_TRY(write_origin(store, "preconditioner", def->preconditioner));
    EW_TRY(write_origin(store, "operator", def->operator_name));
    EW_TRY(write_origin(store, "elements", def->elements));
    EW_TRY(ew_store_text(store, "/Edgewise/case", NULL, def->case_text));
    return ew_store_check(store);
}

static ew_status create(ew_result *result, const ew_result_def *def)
{
    EW_TRY(check_def(def));
    EW_TRY(open_files(result, def->name));
    EW_TRY(create_file(result));
    return write_head(&result->store, def);
}

ew_status ew_result_create(ew_result **result, const ew_result_def *def)
{
    ew_result *made = NULL;
    ew_quiet quiet;
    EW_TRY(ew_new_zero(&made, 1, sizeof *made));
    init_layout(made);
    made->store.compression = def->compression;
    made->precision = def->single_fields ? EW_F32 : EW_F64;
    made->stopped = -1;
    made->store.label = def->name;
    ew_status status = ew_store_keep_room(&made->store); /* is there any? */
    if (!status) {
        ew_store_begin(&made->store, &quiet);
        status = ew_store_end(&made->store, &quiet, create(made, def));
    }
    if (status) {
        ew_result_discard(made);
    } else {
        *result = made;
    }
    return status;
}

/* ---- a number after the frame ------------------------------------------------ */

ew_status ew_result_add_number(ew_result *result, const char *name, double value)
{
    char group[64];
    if (result->n_step == 0) {
        return ew_fail(EW_BAD_ARGUMENT, "number \"%s\": add a step before it", name);
    }
    snprintf(group, sizeof group, "/Edgewise/Steps/%06d", result->n_step - 1);
    ew_quiet quiet;
    ew_store_begin(&result->store, &quiet);
    ew_status status = ew_store_attribute(&result->store, group, name, EW_F64, 1, &value);
    status = ew_store_end(&result->store, &quiet, status);
    return status ? status : ew_store_check(&result->store);
}

/* ---- text ------------------------------------------------------------------- */

ew_status ew_result_add_text(ew_result *result, const char *name, const char *text)
{
    char path[EW_RESULT_PATH];
    if (!name[0] || strpbrk(name, "/.") || strlen(name) >= EW_RESULT_NAME) {
        return ew_fail(EW_BAD_ARGUMENT, "text \"%s\": a name has 1 to %d characters and no / or .",
                       name, EW_RESULT_NAME - 1);
    }
    snprintf(path, sizeof path, "/Edgewise/%s", name);
    ew_quiet quiet;
    ew_store_begin(&result->store, &quiet);
    ew_status status = ew_store_text(&result->store, path, NULL, text);
    status = ew_store_end(&result->store, &quiet, status);
    return status ? status : ew_store_check(&result->store);
}

ew_status ew_result_append_file(ew_result *result, const char *ending, const char *data,
                                size_t size)
{
    char *path = NULL;
    bool is_there = false;
    EW_TRY(join_path(&path, result->name, ending));
    for (int k = 0; k < result->set.n; k++) {
        is_there = is_there || !strcmp(result->set.file[k].path, path);
    }
    const ew_status status = is_there ? ew_replace_append(&result->set, path, data, size)
                                      : ew_replace_add_text(&result->set, path, data, size);
    ew_release(path);
    return status;
}

ew_status ew_result_append_frame_file(ew_result *result, const char *ending, const char *file,
                                      const char *data, size_t size)
{
    char *path = NULL;
    EW_TRY(join_path(&path, result->name, ending));
    const ew_status status = ew_replace_append_in(&result->set, path, file, data, size);
    ew_release(path);
    return status;
}

ew_status ew_result_check_frames(const ew_result *result, const char *ending)
{
    char *path = NULL;
    EW_TRY(join_path(&path, result->name, ending));
    const ew_status status = ew_folder_check(path);
    ew_release(path);
    return status;
}

void ew_result_remove_frames(const char *path)
{
    ew_entry_remove(path);
}

ew_status ew_result_stop(ew_result *result, const char *name, int32_t stopped_at,
                         const char *reason)
{
    char **const path[] = {&result->name, &result->path, &result->xdmf_path, &result->reason};
    const char *const text[] = {name, name, name, reason};
    const char *const ending[] = {"", ".vtkhdf", ".xdmf", ""};
    if (result->n_frame == 0) {
        return ew_fail(EW_BAD_ARGUMENT, "%s: no frame was added", result->path);
    }
    EW_TRY(ew_store_check(&result->store));
    if (result->is_damaged) {
        return ew_fail(EW_IO, "%s: the last frame was written in part", result->path);
    }
    for (int k = 0; k < 4; k++) {
        char *made = NULL;
        EW_TRY(join_path(&made, text[k], ending[k]));
        ew_release(*path[k]);
        *path[k] = made;
    }
    result->store.label = result->path;
    result->stopped = stopped_at;
    return ew_replace_rename(&result->set, name);
}

/* ---- the end ----------------------------------------------------------------- */

static herr_t close_column(ew_column *column)
{
    herr_t data = ew_h5_close(&column->data.set);
    herr_t offset = ew_h5_close(&column->offset.set);
    return data < 0 || offset < 0 ? -1 : 0;
}

/* Negative when a close failed; all are closed all the same. */
static herr_t close_datasets(ew_result *result)
{
    herr_t code = 0;
    for (int k = 0; k < EW_N_MESH_COLUMN; k++) {
        code |= close_column(&result->mesh[k]);
    }
    for (int32_t k = 0; k < result->n_field; k++) {
        code |= close_column(&result->field[k]);
    }
    for (int32_t k = 0; k < result->n_mask; k++) {
        code |= close_column(&result->mask[k]);
    }
    code |= ew_probes_close(result);
    for (int k = 0; k < EW_N_PART; k++) {
        code |= ew_h5_close(&result->part[k].set);
    }
    for (int k = 0; k < EW_N_STEP; k++) {
        code |= ew_h5_close(&result->step[k].set);
    }
    return code;
}

static void free_result(ew_result *result)
{
    ew_release(result->field);
    ew_release(result->probe);
    ew_sets_free(result);
    ew_release(result->frame);
    ew_replace_abandon(&result->set);
    ew_release(result->name);
    ew_release(result->path);
    ew_release(result->xdmf_path);
    ew_release(result->reason);
    ew_release(result);
}

/* Whether all steps are there, and if not, which is not and why. */
static ew_status write_end(const ew_result *result)
{
    const ew_store *store = &result->store;
    const int32_t complete = result->stopped < 0;
    const int64_t n = result->n_frame;
    EW_TRY(ew_store_attribute(store, "/VTKHDF/Steps", "NSteps", EW_I64, 1, &n));
    EW_TRY(ew_store_attribute(store, "/Edgewise", "complete", EW_I32, 1, &complete));
    if (!complete) {
        EW_TRY(ew_store_attribute(store, "/Edgewise", "stopped_at", EW_I32, 1, &result->stopped));
        EW_TRY(ew_store_text(store, "/Edgewise", "reason", result->reason));
    }
    return EW_OK;
}

static ew_status seal_result(ew_result *result)
{
    if (result->n_frame == 0) {
        return ew_fail(EW_BAD_ARGUMENT, "%s: no frame was added", result->path);
    }
    EW_TRY(write_end(result));
    if (close_datasets(result) < 0 || ew_h5_close(&result->store.file) < 0) {
        return ew_h5_fail(EW_IO, result->path, "write");
    }
    ew_sink_close(&result->store.sink);
    EW_TRY(ew_store_check(&result->store));
    return ew_xdmf_write(result);
}

ew_status ew_result_finish(ew_result *result)
{
    ew_quiet quiet;
    ew_store_begin(&result->store, &quiet);
    ew_status status = seal_result(result);
    ew_quiet_end(&quiet);
    if (!status) {
        status = ew_replace_commit(&result->set);
    }
    if (status) {
        ew_result_discard(result);
    } else {
        free_result(result);
    }
    return status;
}

void ew_result_discard(ew_result *result)
{
    if (!result) {
        return;
    }
    ew_quiet quiet;
    ew_store_begin(&result->store, &quiet);
    close_datasets(result);
    ew_h5_close(&result->store.file);
    ew_sink_close(&result->store.sink);
    ew_quiet_end(&quiet);
    free_result(result);
}

void ew_result_abandon(ew_result *result)
{
    if (result) {
        ew_replace_abandon(&result->set);
    }
}
