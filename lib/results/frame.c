/* One frame in, its rows in the result file out. Everything is appended to growing datasets below
 * /VTKHDF; a frame is a row of offsets into them, so what equals the last frame's is not written
 * again. References: VTKHDF file format 2.0 (temporal unstructured grid); lib/results/README.md. */
#include "analysis/parts/analysis.h"
#include "results/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
                          "step %d (%s): its fields differ from those of the first frame",
                          result->n_step, frame->name);
}

/* Those that the frame has values of, as bits. */
static uint64_t fields_of(const ew_result_frame *frame)
{
    uint64_t fields = 0;
    for (int32_t k = 0; k < frame->n_field; k++) {
        fields |= (uint64_t)(frame->field[k].data != NULL) << k;
    }
    return fields;
}

static ew_status check_frame(const ew_result *result, const ew_result_frame *frame)
{
    if (!isfinite(frame->time) || (result->n_step > 0 && frame->time <= result->time)) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "step %d (%s): time %g is not after that of the step before", result->n_step,
                       frame->name, frame->time);
    }
    if (!frame->mesh) {
        return EW_OK;
    }
    if (frame->mesh->n_live_tet < 1) {
        return ew_fail(EW_BAD_ARGUMENT, "step %d (%s): the mesh has no tets", result->n_step,
                       frame->name);
    }
    if (frame->n_field > 64) {
        return ew_fail(EW_BAD_ARGUMENT, "step %d (%s): it has %d fields, at most 64 are allowed",
                       result->n_step, frame->name, frame->n_field);
    }
    if (result->n_frame > 0 && result->n_node != ew_frame_n_node(frame)) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "step %d (%s): its tets have %d nodes, those of the first frame %d",
                       result->n_step, frame->name, ew_frame_n_node(frame), result->n_node);
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
        ew_column_init(&column[k], field->place, EW_F64,
                       field->n_component > 1 ? field->n_component : 0, field->name);
        column[k].data.stored = result->precision;
    }
    result->n_node = ew_frame_n_node(frame);
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
static ew_status append_mesh_column(ew_result *result, const ew_result_frame *frame, int k,
                                    bool *changed)
{
    ew_column *column = &result->mesh[k];
    void *data = NULL;
    size_t bytes = 0;
    EW_TRY(ew_pack_mesh(frame, k, &data, &bytes));
    *changed = !ew_bytes_stay(&column->last, data, bytes);
    size_t width = column->data.width > 0 ? (size_t)column->data.width : 1;
    size_t row = ew_number_bytes(column->data.memory) * width;
    const ew_status status =
        *changed ? append_column(&result->store, column, data, (int64_t)(bytes / row)) : EW_OK;
    ew_release(data);
    return status;
}

/* A part is one connectivity. Its block of Offsets restarts at 0 and has one entry more than the
 * part has cells, which is why a reader looks for it at CellOffsets + PartOffsets. */
static ew_status append_part(ew_result *result, const ew_result_frame *frame)
{
    const ew_store *store = &result->store;
    int64_t n_point = ew_frame_n_point(frame);
    int64_t n_tet = frame->mesh->n_live_tet;
    int64_t n_id = result->n_node * n_tet;
    EW_TRY(ew_series_append(store, &result->part[EW_PART_POINTS], &n_point, 1));
    EW_TRY(ew_series_append(store, &result->part[EW_PART_CELLS], &n_tet, 1));
    EW_TRY(ew_series_append(store, &result->part[EW_PART_IDS], &n_id, 1));
    int64_t *offset = NULL;
    EW_TRY(ew_new(&offset, (size_t)n_tet + 1, sizeof *offset));
    for (int64_t t = 0; t <= n_tet; t++) {
        offset[t] = result->n_node * t;
    }
    ew_status status = ew_series_append(store, &result->part[EW_PART_OFFSETS], offset, n_tet + 1);
    if (!status) {
        uint8_t *type = (uint8_t *)offset;          /* the same room serves both */
        memset(type, result->n_node == 4 ? 10 : 24, /* VTK_TETRA, VTK_QUADRATIC_TETRA */
               (size_t)n_tet);
        status = ew_series_append(store, &result->part[EW_PART_TYPES], type, n_tet);
    }
    ew_release(offset);
    return status;
}

static ew_status append_mesh(ew_result *result, const ew_result_frame *frame)
{
    for (int k = 0; k < EW_N_MESH_COLUMN; k++) {
        bool changed = false;
        EW_TRY(append_mesh_column(result, frame, k, &changed));
        if (changed && k == EW_COLUMN_TETS) {
            EW_TRY(append_part(result, frame));
        }
    }
    return EW_OK;
}

/* Process by process, so that no more than the part of one is here beside one's own. */
static ew_status append_parts(ew_result *result, const ew_result_frame *frame, int32_t k)
{
    ew_series *series = &result->field[k].data;
    const int64_t begin = series->n_row;
    ew_status status = ew_series_begin(&result->store, series, frame->mesh->n_live_tet);
    result->field[k].begin = begin;
    for (int32_t p = 0; p < frame->parts->parts->n && !status; p++) {
        double *room = NULL;
        int64_t n = 0;
        status = ew_pack_part(frame, &frame->field[k], result->precision == EW_F32, p,
                              series->n_row - begin, &room, &n);
        status = status || n == 0 ? status : ew_series_append(&result->store, series, room, n);
        ew_release(room);
    }
    return status;
}

static ew_status append_fields(ew_result *result, const ew_result_frame *frame)
{
    const ew_mesh *mesh = frame->mesh;
    for (int32_t k = 0; k < frame->n_field; k++) {
        if (frame->parts && frame->field[k].place != EW_ON_VERTICES && frame->field[k].data) {
            EW_TRY(append_parts(result, frame, k));
            continue;
        }
        double *room = NULL;
        const double *data = NULL;
        const bool on_vertices = frame->field[k].place == EW_ON_VERTICES;
        ew_status status =
            ew_pack_field(frame, &frame->field[k], result->precision == EW_F32, &room, &data);
        status = status ? status
                        : append_column(&result->store, &result->field[k], data,
                                        on_vertices ? ew_frame_n_point(frame) : mesh->n_live_tet);
        ew_release(room);
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
        [EW_STEP_CELL] = id / result->n_node,
        [EW_STEP_ID] = id,
    };
    EW_TRY(ew_series_append(store, &result->step[EW_STEP_VALUE], &time, 1));
    for (int k = EW_STEP_N_PART; k < EW_N_STEP; k++) {
        EW_TRY(ew_series_append(store, &result->step[k], &value[k], 1));
    }
    for (int k = EW_COLUMN_VERTEX_ID; k < EW_N_MESH_COLUMN + ew_result_n_column(result); k++) {
        ew_column *column = k < EW_N_MESH_COLUMN ? &result->mesh[k]
                                                 : ew_result_column(result, k - EW_N_MESH_COLUMN);
        EW_TRY(ew_series_append(store, &column->offset, &column->begin, 1));
    }
    return EW_OK;
}

static ew_status add_slices(const ew_result *result, const ew_result_frame *frame)
{
    const uint64_t fields = fields_of(frame);
    const ew_store *store = &result->store;
    char path[2 * EW_RESULT_PATH];
    for (int k = 0; k < EW_N_MESH_COLUMN + ew_result_n_column(result); k++) {
        const ew_column *column = k < EW_N_MESH_COLUMN
                                      ? &result->mesh[k]
                                      : ew_result_column(result, k - EW_N_MESH_COLUMN);
        if (!ew_result_has_column(result, fields, k - EW_N_MESH_COLUMN)) {
            continue;
        }
        bool on_vertices = column->place == EW_ON_VERTICES;
        const char *name = k == EW_COLUMN_POINTS ? "Points"
                           : k == EW_COLUMN_TETS ? "Tets"
                                                 : column->data.path + strlen("/VTKHDF/");
        snprintf(path, sizeof path, "/Frames/%06d/%s", result->n_step, name);
        EW_TRY(ew_store_slice(store, path, &column->data, column->begin,
                              on_vertices ? ew_frame_n_point(frame) : frame->mesh->n_live_tet,
                              k == EW_COLUMN_TETS ? result->n_node : column->data.width));
    }
    return EW_OK;
}

/* ---- the study's own part ---------------------------------------------------- */

static ew_status add_step_record(const ew_result *result, const ew_result_frame *frame)
{
    const ew_store *store = &result->store;
    char group[64];
    char path[96];
    const int32_t number_of_frame = frame->mesh ? result->n_frame : -1;
    snprintf(group, sizeof group, "/Edgewise/Steps/%06d", result->n_step);
    EW_TRY(ew_store_group(store, group));
    EW_TRY(ew_store_text(store, group, "name", frame->name));
    EW_TRY(ew_store_text(store, group, "kind", frame->kind));
    EW_TRY(ew_store_attribute(store, group, "time", EW_F64, 1, &frame->time));
    EW_TRY(ew_store_attribute(store, group, "frame", EW_I32, 1, &number_of_frame));
    for (int32_t k = 0; k < frame->n_number; k++) {
        const ew_result_number *number = &frame->number[k];
        EW_TRY(ew_store_attribute(store, group, number->name, EW_F64, number->n, number->value));
    }
    EW_TRY(frame->measure ? ew_store_text(store, group, "measure", frame->measure) : EW_OK);
    EW_TRY(ew_store_text(store, group, "warnings", frame->warnings ? frame->warnings : ""));
    EW_TRY(ew_store_text(store, group, "warning_kinds",
                         frame->warning_kinds ? frame->warning_kinds : ""));
    snprintf(path, sizeof path, "%s/history", group);
    EW_TRY(ew_store_array(store, path, EW_F64, frame->history ? (size_t)frame->n_history : 0, 0,
                          frame->history));
    snprintf(path, sizeof path, "%s/journal", group);
    return ew_store_array(store, path, EW_U8, frame->journal ? frame->journal_bytes : 0, 0,
                          frame->journal);
}

static ew_status add_tables(const ew_result *result, const ew_result_frame *frame)
{
    const ew_store *store = &result->store;
    char group[128] = "", path[144];
    for (int32_t k = 0, in_group = 0; k < frame->n_table; k++) {
        const ew_result_table *table = &frame->table[k];
        const bool is_next = k && !strcmp(table->group, table[-1].group);
        if (!is_next) {
            snprintf(group, sizeof group, "/Edgewise/Steps/%06d/%.40s", result->n_step,
                     table->group);
            EW_TRY(ew_store_group(store, group));
        }
        in_group = is_next ? in_group + 1 : 0;
        snprintf(path, sizeof path, "%s/%04d", group, (int)in_group);
        EW_TRY(ew_store_array(store, path, EW_F64, (size_t)table->n_row, table->n_column,
                              table->value));
        EW_TRY(ew_store_text(store, path, "name", table->name));
        EW_TRY(ew_store_text(store, path, "columns", table->columns));
    }
    return EW_OK;
}

static ew_status add_data(ew_result *result, const ew_result_frame *frame)
{
    EW_TRY(append_mesh(result, frame));
    EW_TRY(ew_store_check(&result->store));
    EW_TRY(append_fields(result, frame));
    EW_TRY(ew_sets_append(result, frame));
    EW_TRY(ew_store_check(&result->store));
    EW_TRY(append_step(result, frame->time));
    return add_slices(result, frame);
}

static ew_status write_frame(ew_result *result, const ew_result_frame *frame)
{
    if (frame->mesh) {
        EW_TRY(add_data(result, frame));
    }
    EW_TRY(add_step_record(result, frame));
    EW_TRY(ew_sets_record(result, frame));
    EW_TRY(add_tables(result, frame));
    return ew_store_check(&result->store);
}

static ew_status add_frame(ew_result *result, const ew_result_frame *frame)
{
    EW_TRY(check_frame(result, frame));
    EW_TRY(ew_sets_check(result, frame));
    EW_TRY(ew_sets_init(result, frame));
    if (frame->mesh) {
        EW_TRY(init_fields(result, frame));
        EW_TRY(ew_grow(&result->frame, &result->frame_capacity, (int64_t)result->n_frame + 1,
                       sizeof *result->frame));
    }
    const ew_status status = write_frame(result, frame);
    result->is_damaged = result->is_damaged || status;
    EW_TRY(status);
    if (frame->mesh) {
        result->frame[result->n_frame++] =
            (ew_frame_note){result->n_step, frame->time, ew_frame_n_point(frame),
                            frame->mesh->n_live_tet, fields_of(frame)};
    }
    result->n_step++;
    result->time = frame->time;
    return EW_OK;
}

ew_status ew_result_add_frame(ew_result *result, const ew_result_frame *frame)
{
    ew_quiet quiet;
    ew_store_begin(&result->store, &quiet);
    const ew_status status = add_frame(result, frame);
    return ew_store_end(&result->store, &quiet, status);
}
