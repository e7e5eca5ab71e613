/* A frame of a finished result file in, its mesh and fields out, for those who show them. Read from
 * /VTKHDF by the offsets of the frame, in a process of its own (thread_affinity.c). */
#include "results/source.h"

#include <stdio.h>
#include <string.h>

/* As many sets as a case may have each give one. */
enum { MAX_FIELDS = 4096 };

typedef struct frame_job {
    ew_source from;
    int32_t k;
    const char *fields; /* space separated; null: all */
    ew_view_frame frame;
} frame_job;

/* ---- rows ------------------------------------------------------------------------------ */

/* Rows begin .. begin+n-1 of a dataset of one or two dimensions, as `memory`; width: numbers of a
 * row, 0 where it may be any, and then found. */
static ew_status read_rows(ew_source *from, const char *name, hid_t memory, int64_t begin,
                           int64_t n, int32_t *width, void **out)
{
    hid_t set = -1, space = -1, shape = -1;
    hsize_t extent[2] = {0, 1};
    char *data = NULL;
    ew_status status = EW_OK;
    EW_TRY(ew_guard_path(from->path, from->file, "", name, &set));
    space = H5Iget_type(set) == H5I_DATASET ? H5Dget_space(set) : -1;
    const int rank = space < 0 ? 0 : H5Sget_simple_extent_ndims(space);
    if (rank < 1 || rank > 2 || H5Sget_simple_extent_dims(space, extent, NULL) < 0 || begin < 0 ||
        n < 0 || n > INT32_MAX || (uint64_t)begin > extent[0] || (uint64_t)n > extent[0] - begin ||
        extent[1] < 1 || extent[1] > EW_VIEW_WIDTH || (*width && (int32_t)extent[1] != *width)) {
        status = ew_fail(EW_BAD_INPUT, "%s: /%s has not the rows of the frame", from->path, name);
        goto out;
    }
    *width = (int32_t)extent[1];
    const size_t row = H5Tget_size(memory) * (size_t)extent[1];
    const hsize_t start[2] = {(hsize_t)begin, 0}, count[2] = {(hsize_t)n, extent[1]};
    /* rows of the fill value take no room in the file, integers four bytes of eight */
    EW_TRY_OUT(
        (uint64_t)n * row > 4 * from->size + (UINT64_C(1) << 20)
            ? ew_fail(EW_BAD_INPUT, "%s: /%s claims more bytes than the file has", from->path, name)
            : EW_OK);
    EW_TRY_OUT(ew_new(&data, (size_t)n * row + 1, 1));
    shape = H5Screate_simple(rank, count, NULL);
    if (n > 0 &&
        (shape < 0 || H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) < 0 ||
         H5Dread(set, memory, shape, space, H5P_DEFAULT, data) < 0)) {
        status = ew_h5_fail(EW_BAD_INPUT, from->path, "read /%s", name);
        goto out;
    }
    *out = data;
    data = NULL;
out:
    ew_release(data);
    ew_h5_close(&shape);
    ew_h5_close(&space);
    ew_h5_close(&set);
    return status;
}

/* One number of a list. */
static ew_status read_one(ew_source *from, const char *name, int64_t row, int64_t *value)
{
    int32_t width = 1;
    void *data = NULL;
    EW_TRY(read_rows(from, name, H5T_NATIVE_INT64, row, 1, &width, &data));
    memcpy(value, data, sizeof *value);
    ew_release(data);
    return EW_OK;
}

static ew_status read_kind(ew_source *from, const char *name, bool *is_integer)
{
    hid_t set = -1;
    EW_TRY(ew_guard_path(from->path, from->file, "", name, &set));
    hid_t type = H5Iget_type(set) == H5I_DATASET ? H5Dget_type(set) : -1;
    *is_integer = type >= 0 && H5Tget_class(type) == H5T_INTEGER;
    ew_h5_close(&type);
    ew_h5_close(&set);
    return EW_OK;
}

/* ---- the frame --------------------------------------------------------------------------- */

static ew_status check_tets(const ew_source *from, const ew_view_frame *frame)
{
    for (size_t i = 0; i < 4 * (size_t)frame->n_tet; i++) {
        if (frame->tet[i] < 0 || frame->tet[i] >= frame->n_point) {
            return ew_fail(EW_BAD_INPUT, "%s: tet %zu names point %d, which does not exist",
                           from->path, i / 4, frame->tet[i]);
        }
    }
    for (size_t i = 0; i < 6 * (size_t)frame->n_tet && frame->middle; i++) {
        if (frame->middle[i] < 0 || frame->middle[i] >= frame->n_point) {
            return ew_fail(EW_BAD_INPUT, "%s: tet %zu names point %d, which does not exist",
                           from->path, i / 6, frame->middle[i]);
        }
    }
    return EW_OK;
}

/* Ten nodes of each tet, four corners and six middles, apart. */
static ew_status part_nodes(const int32_t *node, ew_view_frame *frame)
{
    EW_TRY(ew_new(&frame->tet, (size_t)frame->n_tet, 4 * sizeof *frame->tet));
    EW_TRY(ew_new(&frame->middle, (size_t)frame->n_tet, 6 * sizeof *frame->middle));
    for (size_t t = 0; t < (size_t)frame->n_tet; t++) {
        memcpy(frame->tet + 4 * t, node + 10 * t, 4 * sizeof *node);
        memcpy(frame->middle + 6 * t, node + 10 * t + 4, 6 * sizeof *node);
    }
    return EW_OK;
}

static ew_status read_mesh(ew_source *from, int32_t k, ew_view_frame *frame)
{
    int64_t part, point, id, n_point, n_tet, n_id;
    int32_t three = 3, one = 1;
    void *data;
    EW_TRY(read_one(from, "VTKHDF/Steps/PartOffsets", k, &part));
    EW_TRY(read_one(from, "VTKHDF/Steps/PointOffsets", k, &point));
    EW_TRY(read_one(from, "VTKHDF/Steps/ConnectivityIdOffsets", k, &id));
    EW_TRY(read_one(from, "VTKHDF/NumberOfPoints", part, &n_point));
    EW_TRY(read_one(from, "VTKHDF/NumberOfCells", part, &n_tet));
    EW_TRY(read_one(from, "VTKHDF/NumberOfConnectivityIds", part, &n_id));
    if (n_point < 0 || n_point > INT32_MAX || n_tet < 0 || n_tet > INT32_MAX / 10) {
        return ew_fail(EW_BAD_INPUT, "%s: a frame of %lld points and %lld tets", from->path,
                       (long long)n_point, (long long)n_tet);
    }
    EW_TRY(read_rows(from, "VTKHDF/Points", H5T_NATIVE_DOUBLE, point, n_point, &three, &data));
    frame->xyz = data;
    const bool ten = n_tet > 0 && n_id == 10 * n_tet;
    EW_TRY(read_rows(from, "VTKHDF/Connectivity", H5T_NATIVE_INT32, id, (ten ? 10 : 4) * n_tet,
                     &one, &data));
    frame->n_point = (int32_t)n_point;
    frame->n_tet = (int32_t)n_tet;
    if (ten) {
        const ew_status status = part_nodes(data, frame);
        ew_release(data);
        EW_TRY(status);
    } else {
        frame->tet = data;
    }
    return check_tets(from, frame);
}

/* Adds the field where the file has it at this place. */
static ew_status read_field(ew_source *from, int32_t k, const char *name, size_t length,
                            ew_field_place place, ew_view_frame *frame)
{
    const bool on_vertices = place == EW_ON_VERTICES;
    char path[2 * EW_RESULT_PATH];
    int64_t begin;
    void *data;
    snprintf(path, sizeof path, "VTKHDF/Steps/%sDataOffsets", on_vertices ? "Point" : "Cell");
    hid_t group = -1;
    EW_TRY(ew_guard_path(from->path, from->file, "", path, &group));
    ew_view_field *field = &frame->field[frame->n_field];
    snprintf(field->name, sizeof field->name, "%.*s", (int)length, name);
    const bool is_there = ew_guard_has(group, field->name);
    ew_h5_close(&group);
    if (!is_there) {
        return EW_OK;
    }
    snprintf(path, sizeof path, "VTKHDF/Steps/%sDataOffsets/%s", on_vertices ? "Point" : "Cell",
             field->name);
    EW_TRY(read_one(from, path, k, &begin));
    snprintf(path, sizeof path, "VTKHDF/%sData/%s", on_vertices ? "Point" : "Cell", field->name);
    field->n_component = 0;
    EW_TRY(read_kind(from, path, &field->is_integer));
    EW_TRY(read_rows(from, path, H5T_NATIVE_DOUBLE, begin,
                     on_vertices ? frame->n_point : frame->n_tet, &field->n_component, &data));
    field->data = data;
    field->place = place;
    frame->n_field++;
    return EW_OK;
}

/* The fields of a list of names, each at the places it has. */
static ew_status read_named(frame_job *job)
{
    for (const char *word = job->fields; *word;) {
        const size_t length = strcspn(word, " ");
        for (int place = 0; place < 2 && length && length < EW_VIEW_NAME; place++) {
            if (job->frame.n_field < MAX_FIELDS) {
                EW_TRY(read_field(&job->from, job->k, word, length, (ew_field_place)place,
                                  &job->frame));
            }
        }
        word += length + strspn(word + length, " ");
    }
    return EW_OK;
}

typedef struct name_list {
    char name[MAX_FIELDS][EW_VIEW_NAME];
    int32_t n;
} name_list;

static herr_t keep_name(hid_t group, const char *name, const H5L_info_t *info, void *user)
{
    (void)group;
    (void)info;
    name_list *list = user;
    if (list->n == MAX_FIELDS || strlen(name) >= EW_VIEW_NAME) {
        return -1;
    }
    strcpy(list->name[list->n++], name);
    return 0;
}

/* All fields that the file has, in the order of their names. */
static ew_status read_every(frame_job *job)
{
    ew_source *from = &job->from;
    for (int place = 0; place < 2; place++) {
        const char *path = place == EW_ON_VERTICES ? "VTKHDF/Steps/PointDataOffsets"
                                                   : "VTKHDF/Steps/CellDataOffsets";
        name_list list = {.n = 0};
        hid_t group = -1;
        EW_TRY(ew_guard_path(from->path, from->file, "", path, &group));
        const herr_t code = H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, keep_name, &list);
        ew_h5_close(&group);
        if (code < 0 || job->frame.n_field + list.n > MAX_FIELDS) {
            return ew_fail(EW_BAD_INPUT, "%s: /%s cannot be listed, or lists more than %d fields",
                           from->path, path, (int)MAX_FIELDS);
        }
        for (int32_t i = 0; i < list.n; i++) {
            EW_TRY(read_field(from, job->k, list.name[i], strlen(list.name[i]),
                              (ew_field_place)place, &job->frame));
        }
    }
    return EW_OK;
}

static ew_status read_all(void *user)
{
    frame_job *job = user;
    ew_source *from = &job->from;
    hid_t root = -1;
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_source_open(from, &root));
    EW_TRY_OUT(read_mesh(from, job->k, &job->frame));
    EW_TRY_OUT(ew_new_zero(&job->frame.field, MAX_FIELDS, sizeof *job->frame.field));
    status = job->fields ? read_named(job) : read_every(job);
out:
    ew_h5_close(&root);
    ew_h5_close(&from->file);
    return status;
}

/* ---- the two processes --------------------------------------------------------------------- */

static int64_t numbers_of(const ew_view_frame *frame, const ew_view_field *field)
{
    return (int64_t)field->n_component *
           (field->place == EW_ON_VERTICES ? frame->n_point : frame->n_tet);
}

static void send_all(void *user, ew_wire *wire)
{
    const ew_view_frame *frame = &((frame_job *)user)->frame;
    const int32_t head[4] = {frame->n_point, frame->n_tet, frame->n_field, frame->middle != NULL};
    ew_wire_put(wire, head, sizeof head);
    ew_wire_put_block(wire, frame->xyz, (size_t)frame->n_point * 3 * sizeof *frame->xyz);
    ew_wire_put_block(wire, frame->tet, (size_t)frame->n_tet * 4 * sizeof *frame->tet);
    if (frame->middle) {
        ew_wire_put_block(wire, frame->middle, (size_t)frame->n_tet * 6 * sizeof *frame->middle);
    }
    for (int32_t f = 0; f < frame->n_field; f++) {
        const ew_view_field *field = &frame->field[f];
        ew_wire_put(wire, field, sizeof *field);
        ew_wire_put_block(wire, field->data, (size_t)numbers_of(frame, field) * sizeof(double));
    }
}

/* A block of exactly so many bytes. */
static ew_status take_block(ew_wire *wire, uint64_t *left, uint64_t bytes, void *out)
{
    char *data = NULL;
    size_t size = 0;
    EW_TRY(ew_wire_get_block(wire, left, &data, &size));
    wire->broken = wire->broken || size != bytes;
    memcpy(out, &data, sizeof data);
    return EW_OK;
}

static ew_status take_all(void *user, ew_wire *wire)
{
    frame_job *job = user;
    ew_view_frame *frame = &job->frame;
    uint64_t left = 64 * job->from.size + (UINT64_C(64) << 20);
    int32_t head[4] = {0};
    ew_wire_get(wire, head, sizeof head);
    if (wire->broken || head[0] < 0 || head[1] < 0 || head[2] < 0 || head[2] > MAX_FIELDS) {
        wire->broken = true;
        return EW_OK;
    }
    frame->n_point = head[0];
    frame->n_tet = head[1];
    EW_TRY(take_block(wire, &left, (uint64_t)head[0] * 24, &frame->xyz));
    EW_TRY(take_block(wire, &left, (uint64_t)head[1] * 16, &frame->tet));
    if (head[3]) {
        EW_TRY(take_block(wire, &left, (uint64_t)head[1] * 24, &frame->middle));
    }
    EW_TRY(ew_new_zero(&frame->field, (size_t)head[2], sizeof *frame->field));
    for (int32_t f = 0; f < head[2] && !wire->broken; f++) {
        ew_view_field *field = &frame->field[f];
        ew_wire_get(wire, field, sizeof *field);
        field->data = NULL;
        field->is_integer = field->is_integer != 0;
        field->name[EW_VIEW_NAME - 1] = '\0';
        frame->n_field = f + 1;
        EW_TRY(take_block(wire, &left, (uint64_t)numbers_of(frame, field) * sizeof(double),
                          &field->data));
    }
    return wire->broken ? EW_OK : check_tets(&job->from, frame);
}

ew_status ew_result_read_frame(const char *path, int32_t k, const char *fields,
                               ew_view_frame *frame)
{
    frame_job job = {.from = {.path = path, .file = -1}, .k = k, .fields = fields};
    EW_TRY(ew_result_file_size(path, &job.from.size));
    job.from.left = job.from.size;
    const ew_isolated_job apart = {path, job.from.size, &job, read_all, send_all, take_all};
    const ew_status status = ew_read_isolated(&apart);
    if (status) {
        ew_view_frame_free(&job.frame);
        return status;
    }
    *frame = job.frame;
    return EW_OK;
}

const ew_view_field *ew_view_field_of(const ew_view_frame *frame, const char *name,
                                      ew_field_place place)
{
    for (int32_t f = 0; f < frame->n_field; f++) {
        if (frame->field[f].place == place && !strcmp(frame->field[f].name, name)) {
            return &frame->field[f];
        }
    }
    return NULL;
}

void ew_view_frame_free(ew_view_frame *frame)
{
    for (int32_t f = 0; f < frame->n_field; f++) {
        ew_release(frame->field[f].data);
    }
    ew_release(frame->field);
    ew_release(frame->xyz);
    ew_release(frame->tet);
    ew_release(frame->middle);
    *frame = (ew_view_frame){0};
}
