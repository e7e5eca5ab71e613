/* Frames in, the result file out. Everything is appended to growing datasets below /VTKHDF; a frame
 * is a row of offsets into them, so what equals the last frame's is not written again. References:
 * VTKHDF file format 2.0 (temporal unstructured grid); lib/results/README.md for the rest. */
#include "results/internal.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- creation --------------------------------------------------------------- */

static void init_column(ew_column *column, ew_field_place place, ew_number number, int32_t width,
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

static void init_layout(ew_result *result)
{
    result->store.file = -1;
    result->store.sink.descriptor = -1;
    ew_column *mesh = result->mesh;
    init_column(&mesh[EW_COLUMN_POINTS], EW_ON_VERTICES, EW_F64, 3, "");
    ew_series_init(&mesh[EW_COLUMN_POINTS].data, EW_F64, 3, "/VTKHDF", "Points");
    init_column(&mesh[EW_COLUMN_TETS], EW_ON_TETS, EW_I32, 0, "");
    ew_series_init(&mesh[EW_COLUMN_TETS].data, EW_I32, 0, "/VTKHDF", "Connectivity");
    mesh[EW_COLUMN_TETS].data.stored = EW_I64; /* what VTK uses without a conversion */
    init_column(&mesh[EW_COLUMN_VERTEX_ID], EW_ON_VERTICES, EW_I64, 0, "vertex_id");
    init_column(&mesh[EW_COLUMN_TET_ID], EW_ON_TETS, EW_I64, 0, "tet_id");
    init_column(&mesh[EW_COLUMN_REGION], EW_ON_TETS, EW_I32, 0, "region");
    init_column(&mesh[EW_COLUMN_BORN], EW_ON_TETS, EW_I32, 0, "born");

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

static ew_status join_path(char **path, const char *name, const char *ending, bool part)
{
    size_t size = strlen(name) + 64;
    EW_TRY(ew_new(path, size, 1));
    if (part) {
        snprintf(*path, size, "%s%s.%ld.part", name, ending, (long)getpid());
    } else {
        snprintf(*path, size, "%s%s", name, ending);
    }
    return EW_OK;
}

static ew_status make_paths(ew_result *result, const char *name)
{
    EW_TRY(join_path(&result->path, name, ".vtkhdf", false));
    EW_TRY(join_path(&result->part_path, name, ".vtkhdf", true));
    EW_TRY(join_path(&result->xdmf_path, name, ".xdmf", false));
    return join_path(&result->xdmf_part_path, name, ".xdmf", true);
}

static ew_status check_def(const ew_result_def *def)
{
    const char *slash = strrchr(def->name, '/');
    const char *base = slash ? slash + 1 : def->name;
    if (!base[0]) {
        return ew_fail(EW_BAD_ARGUMENT, "result name \"%s\": a file name is missing", def->name);
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
        return ew_fail(EW_UNSUPPORTED, "this HDF5 library cannot deflate; set compression to 0");
    }
    return EW_OK;
}

/* 1.8's structures where they suffice and 1.10's for the virtual datasets, whatever the library's
 * own release: so every reader built on HDF5 1.10 or later opens the file. */
static ew_status create_file(ew_result *result)
{
    ew_store *store = &result->store;
    EW_TRY(ew_sink_open(&store->sink, result->part_path, result->path));
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0 && H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V110) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
        ew_sink_use(access, &store->sink) >= 0) {
        store->file = H5Fcreate(result->part_path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    }
    ew_status status = EW_OK;
    if (store->file < 0) {
        status = ew_h5_fail(EW_IO, result->path, "create the result file");
    }
    ew_h5_close(&access);
    return status;
}

/* HDF5 was told that every write succeeded; this tells the truth, and is asked after each stage. */
static ew_status check_sink(const ew_store *store)
{
    return store->sink.trouble
               ? ew_fail(EW_IO, "%s: cannot write: %s", store->label, strerror(store->sink.trouble))
               : EW_OK;
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
    EW_TRY(ew_store_text(store, "/Edgewise", "program", EW_VERSION));
    EW_TRY(ew_store_text(store, "/Edgewise", "length_unit", def->length_unit));
    EW_TRY(ew_store_text(store, "/Edgewise", "force_unit", def->force_unit));
    EW_TRY(ew_store_text(store, "/Edgewise", "time_unit", def->time_unit));
    EW_TRY(ew_store_text(store, "/Edgewise/case", NULL, def->case_text));
    return check_sink(store);
}

ew_status ew_result_create(ew_result **result, const ew_result_def *def)
{
    ew_quiet quiet;
    ew_quiet_begin(&quiet);
    ew_result *made = NULL;
    ew_status status = check_def(def);
    if (!status) {
        status = ew_new_zero(&made, 1, sizeof *made);
    }
    if (!status) {
        init_layout(made);
        made->store.compression = def->compression;
        EW_TRY_OUT(make_paths(made, def->name));
        made->store.label = made->path;
        EW_TRY_OUT(create_file(made));
        EW_TRY_OUT(write_head(&made->store, def));
        *result = made;
    }
out:
    if (status) {
        ew_result_discard(made);
    }
    ew_quiet_end(&quiet);
    return status;
}

/* ---- checks of a frame ------------------------------------------------------- */

static ew_status check_field(const ew_result *result, const ew_result_frame *frame, int32_t k)
{
    const ew_result_field *field = &frame->field[k];
    size_t length = strlen(field->name);
    if (length == 0 || length >= EW_RESULT_NAME || strpbrk(field->name, "/.") ||
        field->n_component < 1) {
        return ew_fail(
            EW_BAD_ARGUMENT,
            "field %d (\"%s\", %d components): a name has 1 to %d characters, no / or ., "
            "and at least one component",
            k, field->name, field->n_component, EW_RESULT_NAME - 1);
    }
    bool taken = false;
    for (int m = EW_COLUMN_VERTEX_ID; m < EW_N_MESH_COLUMN; m++) {
        const ew_column *column = &result->mesh[m];
        taken = taken || (column->place == field->place && !strcmp(column->name, field->name));
    }
    for (int32_t j = 0; j < k; j++) {
        taken = taken || (frame->field[j].place == field->place &&
                          !strcmp(frame->field[j].name, field->name));
    }
    if (taken) {
        return ew_fail(EW_BAD_ARGUMENT, "field %d: the name \"%s\" is taken", k, field->name);
    }
    return EW_OK;
}

static ew_status check_same_fields(const ew_result *result, const ew_result_frame *frame)
{
    bool same = result->n_field == frame->n_field;
    for (int32_t k = 0; same && k < frame->n_field; k++) {
        const ew_result_field *field = &frame->field[k];
        const ew_column *column = &result->field[k];
        int32_t width = field->n_component > 1 ? field->n_component : 0;
        same = column->place == field->place && column->data.width == width &&
               !strcmp(column->name, field->name);
    }
    return same ? EW_OK
                : ew_fail(EW_BAD_ARGUMENT,
                          "frame %d (%s): its fields differ from those of the first frame",
                          result->n_frame, frame->name);
}

static ew_status check_frame(const ew_result *result, const ew_result_frame *frame)
{
    if (frame->mesh->n_live_tet < 1) {
        return ew_fail(EW_BAD_ARGUMENT, "frame %d (%s): the mesh has no tets", result->n_frame,
                       frame->name);
    }
    if (!isfinite(frame->time) ||
        (result->n_frame > 0 && frame->time <= result->frame[result->n_frame - 1].time)) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "frame %d (%s): time %g is not after that of the frame before",
                       result->n_frame, frame->name, frame->time);
    }
    if (result->n_frame > 0) {
        return check_same_fields(result, frame);
    }
    for (int32_t k = 0; k < frame->n_field; k++) {
        EW_TRY(check_field(result, frame, k));
    }
    return EW_OK;
}

static ew_status init_fields(ew_result *result, const ew_result_frame *frame)
{
    if (result->n_frame > 0) {
        return EW_OK;
    }
    ew_column *column = NULL;
    EW_TRY(ew_new(&column, (size_t)frame->n_field, sizeof *column));
    for (int32_t k = 0; k < frame->n_field; k++) {
        const ew_result_field *field = &frame->field[k];
        init_column(&column[k], field->place, EW_F64,
                    field->n_component > 1 ? field->n_component : 0, field->name);
    }
    ew_release(result->field); /* of a first frame that was refused */
    result->field = column;
    result->n_field = frame->n_field;
    return EW_OK;
}

/* ---- the data of a frame ----------------------------------------------------- */

static ew_status append_column(const ew_store *store, ew_column *column, const void *data,
                               int64_t n)
{
    column->begin = column->data.n_row;
    return ew_series_append(store, &column->data, data, n);
}

/* Appends what changed since the last frame; `changed` says whether anything did. */
static ew_status append_mesh_column(ew_result *result, const ew_mesh *mesh, int k, bool *changed)
{
    ew_column *column = &result->mesh[k];
    void *data = NULL;
    size_t bytes = 0;
    EW_TRY(ew_pack_mesh(mesh, k, &data, &bytes));
    *changed = bytes != column->kept_bytes || memcmp(data, column->kept, bytes) != 0;
    if (!*changed) {
        ew_release(data);
        return EW_OK;
    }
    ew_release(column->kept);
    column->kept = data;
    column->kept_bytes = bytes;
    size_t width = column->data.width > 0 ? (size_t)column->data.width : 1;
    size_t row = ew_number_bytes(column->data.memory) * width;
    return append_column(&result->store, column, data, (int64_t)(bytes / row));
}

/* A part is one connectivity. Its block of Offsets restarts at 0 and has one entry more than the
 * part has cells, which is why a reader looks for it at CellOffsets + PartOffsets. */
static ew_status append_part(ew_result *result, const ew_mesh *mesh)
{
    const ew_store *store = &result->store;
    int64_t n_point = mesh->n_active_vertex;
    int64_t n_tet = mesh->n_live_tet;
    int64_t n_id = 4 * n_tet;
    EW_TRY(ew_series_append(store, &result->part[EW_PART_POINTS], &n_point, 1));
    EW_TRY(ew_series_append(store, &result->part[EW_PART_CELLS], &n_tet, 1));
    EW_TRY(ew_series_append(store, &result->part[EW_PART_IDS], &n_id, 1));
    int64_t *offset = NULL;
    EW_TRY(ew_new(&offset, (size_t)n_tet + 1, sizeof *offset));
    for (int64_t t = 0; t <= n_tet; t++) {
        offset[t] = 4 * t;
    }
    ew_status status = ew_series_append(store, &result->part[EW_PART_OFFSETS], offset, n_tet + 1);
    if (!status) {
        uint8_t *type = (uint8_t *)offset; /* the same room serves both */
        memset(type, 10, (size_t)n_tet);   /* VTK_TETRA */
        status = ew_series_append(store, &result->part[EW_PART_TYPES], type, n_tet);
    }
    ew_release(offset);
    return status;
}

static ew_status append_mesh(ew_result *result, const ew_mesh *mesh)
{
    for (int k = 0; k < EW_N_MESH_COLUMN; k++) {
        bool changed = false;
        EW_TRY(append_mesh_column(result, mesh, k, &changed));
        if (changed && k == EW_COLUMN_TETS) {
            EW_TRY(append_part(result, mesh));
        }
    }
    return EW_OK;
}

static ew_status append_fields(ew_result *result, const ew_result_frame *frame)
{
    const ew_mesh *mesh = frame->mesh;
    for (int32_t k = 0; k < frame->n_field; k++) {
        double *data = NULL;
        EW_TRY(ew_pack_field(mesh, &frame->field[k], &data));
        bool on_vertices = frame->field[k].place == EW_ON_VERTICES;
        ew_status status = append_column(&result->store, &result->field[k], data,
                                         on_vertices ? mesh->n_active_vertex : mesh->n_live_tet);
        ew_release(data);
        EW_TRY(status);
    }
    return EW_OK;
}

static ew_status append_step(ew_result *result, double time)
{
    const ew_store *store = &result->store;
    int64_t id = result->mesh[EW_COLUMN_TETS].begin;
    int64_t value[EW_N_STEP] = {
        [EW_STEP_N_PART] = 1,
        [EW_STEP_PART] = result->part[EW_PART_CELLS].n_row - 1,
        [EW_STEP_POINT] = result->mesh[EW_COLUMN_POINTS].begin,
        [EW_STEP_CELL] = id / 4,
        [EW_STEP_ID] = id,
    };
    EW_TRY(ew_series_append(store, &result->step[EW_STEP_VALUE], &time, 1));
    for (int k = EW_STEP_N_PART; k < EW_N_STEP; k++) {
        EW_TRY(ew_series_append(store, &result->step[k], &value[k], 1));
    }
    for (int k = EW_COLUMN_VERTEX_ID; k < EW_N_MESH_COLUMN + result->n_field; k++) {
        ew_column *column =
            k < EW_N_MESH_COLUMN ? &result->mesh[k] : &result->field[k - EW_N_MESH_COLUMN];
        EW_TRY(ew_series_append(store, &column->offset, &column->begin, 1));
    }
    return EW_OK;
}

static ew_status add_slices(const ew_result *result, const ew_mesh *mesh)
{
    const ew_store *store = &result->store;
    char path[2 * EW_RESULT_PATH];
    for (int k = 0; k < EW_N_MESH_COLUMN + result->n_field; k++) {
        const ew_column *column =
            k < EW_N_MESH_COLUMN ? &result->mesh[k] : &result->field[k - EW_N_MESH_COLUMN];
        bool on_vertices = column->place == EW_ON_VERTICES;
        const char *name = k == EW_COLUMN_POINTS ? "Points"
                           : k == EW_COLUMN_TETS ? "Tets"
                                                 : column->data.path + strlen("/VTKHDF/");
        snprintf(path, sizeof path, "/Frames/%06d/%s", result->n_frame, name);
        EW_TRY(ew_store_slice(store, path, &column->data, column->begin,
                              on_vertices ? mesh->n_active_vertex : mesh->n_live_tet,
                              k == EW_COLUMN_TETS ? 4 : column->data.width));
    }
    return EW_OK;
}

/* ---- the study's own part ---------------------------------------------------- */

static ew_status add_step_record(const ew_result *result, const ew_result_frame *frame)
{
    const ew_store *store = &result->store;
    char group[64];
    char path[96];
    snprintf(group, sizeof group, "/Edgewise/Steps/%06d", result->n_frame);
    EW_TRY(ew_store_group(store, group));
    EW_TRY(ew_store_text(store, group, "name", frame->name));
    EW_TRY(ew_store_text(store, group, "kind", frame->kind));
    EW_TRY(ew_store_attribute(store, group, "time", EW_F64, 1, &frame->time));
    for (int32_t k = 0; k < frame->n_number; k++) {
        const ew_result_number *number = &frame->number[k];
        EW_TRY(ew_store_attribute(store, group, number->name, EW_F64, number->n, number->value));
    }
    snprintf(path, sizeof path, "%s/history", group);
    EW_TRY(ew_store_array(store, path, EW_F64, frame->history ? (size_t)frame->n_history : 0,
                          frame->history));
    snprintf(path, sizeof path, "%s/journal", group);
    return ew_store_array(store, path, EW_U8, frame->journal ? frame->journal_bytes : 0,
                          frame->journal);
}

static ew_status add_frame(ew_result *result, const ew_result_frame *frame)
{
    EW_TRY(check_frame(result, frame));
    EW_TRY(init_fields(result, frame));
    EW_TRY(ew_grow(&result->frame, &result->frame_capacity, (int64_t)result->n_frame + 1,
                   sizeof *result->frame));
    EW_TRY(append_mesh(result, frame->mesh));
    EW_TRY(check_sink(&result->store));
    EW_TRY(append_fields(result, frame));
    EW_TRY(check_sink(&result->store));
    EW_TRY(append_step(result, frame->time));
    EW_TRY(add_slices(result, frame->mesh));
    EW_TRY(add_step_record(result, frame));
    EW_TRY(check_sink(&result->store));
    result->frame[result->n_frame++] =
        (ew_frame_note){frame->time, frame->mesh->n_active_vertex, frame->mesh->n_live_tet};
    return EW_OK;
}

ew_status ew_result_add_frame(ew_result *result, const ew_result_frame *frame)
{
    ew_quiet quiet;
    ew_quiet_begin(&quiet);
    ew_status status = add_frame(result, frame);
    ew_quiet_end(&quiet);
    return status;
}

ew_status ew_result_add_text(ew_result *result, const char *name, const char *text)
{
    char path[EW_RESULT_PATH];
    if (!name[0] || strpbrk(name, "/.") || strlen(name) >= EW_RESULT_NAME) {
        return ew_fail(EW_BAD_ARGUMENT, "text \"%s\": a name has 1 to %d characters and no / or .",
                       name, EW_RESULT_NAME - 1);
    }
    snprintf(path, sizeof path, "/Edgewise/%s", name);
    ew_quiet quiet;
    ew_quiet_begin(&quiet);
    ew_status status = ew_store_text(&result->store, path, NULL, text);
    ew_quiet_end(&quiet);
    return status ? status : check_sink(&result->store);
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
    for (int k = 0; k < EW_N_MESH_COLUMN; k++) {
        ew_release(result->mesh[k].kept);
    }
    ew_release(result->field);
    ew_release(result->frame);
    ew_release(result->path);
    ew_release(result->part_path);
    ew_release(result->xdmf_path);
    ew_release(result->xdmf_part_path);
    ew_release(result);
}

static ew_status seal(ew_result *result)
{
    if (result->n_frame == 0) {
        return ew_fail(EW_BAD_ARGUMENT, "%s: no frame was added", result->path);
    }
    int64_t n = result->n_frame;
    EW_TRY(ew_store_attribute(&result->store, "/VTKHDF/Steps", "NSteps", EW_I64, 1, &n));
    if (close_datasets(result) < 0 || ew_h5_close(&result->store.file) < 0) {
        return ew_h5_fail(EW_IO, result->path, "write");
    }
    ew_sink_close(&result->store.sink);
    EW_TRY(check_sink(&result->store));
    return ew_xdmf_write(result);
}

/* The XDMF first: where its name cannot be taken, nothing has been replaced yet. */
static ew_status take_names(const ew_result *result)
{
    if (rename(result->xdmf_part_path, result->xdmf_path) != 0) {
        return ew_fail(EW_IO, "%s: cannot take this name: %s", result->xdmf_path, strerror(errno));
    }
    if (rename(result->part_path, result->path) != 0) {
        ew_status status =
            ew_fail(EW_IO, "%s: cannot take this name: %s", result->path, strerror(errno));
        remove(result->xdmf_path);
        return status;
    }
    return EW_OK;
}

ew_status ew_result_finish(ew_result *result)
{
    ew_quiet quiet;
    ew_quiet_begin(&quiet);
    ew_status status = seal(result);
    if (!status) {
        status = take_names(result);
    }
    ew_quiet_end(&quiet);
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
    ew_quiet_begin(&quiet);
    close_datasets(result);
    ew_h5_close(&result->store.file);
    ew_sink_close(&result->store.sink);
    if (result->xdmf_part_path) { /* the last of the paths to be made */
        remove(result->part_path);
        remove(result->xdmf_part_path);
    }
    ew_quiet_end(&quiet);
    free_result(result);
}
