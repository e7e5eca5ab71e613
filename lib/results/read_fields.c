/* A finished result file in, the fields that its frames have out, without their numbers. Read in a
 * process of its own (thread_affinity.c). */
#include "results/source.h"

#include <string.h>

/* As read_frame.c takes. */
enum { MAX_FIELDS = 4096 };

typedef struct field_job {
    ew_source from;
    int32_t n, capacity;
    ew_view_field *field; /* [n] */
    ew_field_place place; /* of the group that is listed */
    ew_status status;
} field_job;

/* A dataset of one or two dimensions; other things are left out, as by those who read frames. */
static ew_status add_field(field_job *job, hid_t group, const char *name)
{
    hid_t set = -1;
    hsize_t extent[2] = {0, 1};
    EW_TRY(ew_guard_child(job->from.path, group, name, name, &set));
    const bool is_set = H5Iget_type(set) == H5I_DATASET;
    hid_t space = is_set ? H5Dget_space(set) : -1, type = is_set ? H5Dget_type(set) : -1;
    const int rank = space < 0 ? 0 : H5Sget_simple_extent_ndims(space);
    ew_status status = EW_OK;
    if (type >= 0 && rank >= 1 && rank <= 2 &&
        H5Sget_simple_extent_dims(space, extent, NULL) >= 0 && extent[1] >= 1 &&
        extent[1] <= EW_VIEW_WIDTH) {
        status = ew_grow(&job->field, &job->capacity, (int64_t)job->n + 1, sizeof *job->field);
        if (!status) {
            ew_view_field *field = &job->field[job->n++];
            *field = (ew_view_field){.place = job->place,
                                     .is_integer = H5Tget_class(type) == H5T_INTEGER,
                                     .n_component = (int32_t)extent[1]};
            strcpy(field->name, name);
        }
    }
    ew_h5_close(&type);
    ew_h5_close(&space);
    ew_h5_close(&set);
    return status;
}

static herr_t keep_field(hid_t group, const char *name, const H5L_info_t *info, void *user)
{
    (void)info;
    field_job *job = user;
    if (job->n == MAX_FIELDS || strlen(name) >= EW_VIEW_NAME) {
        return -1;
    }
    job->status = add_field(job, group, name);
    return job->status ? -1 : 0;
}

static ew_status read_all(void *user)
{
    field_job *job = user;
    ew_source *from = &job->from;
    hid_t root = -1;
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_source_open(from, &root));
    for (int place = 0; place < 2 && !status; place++) {
        const char *path = place == EW_ON_VERTICES ? "VTKHDF/PointData" : "VTKHDF/CellData";
        hid_t group = -1;
        job->place = (ew_field_place)place;
        EW_TRY_OUT(ew_guard_path(from->path, from->file, "", path, &group));
        const herr_t code = H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, keep_field, job);
        ew_h5_close(&group);
        if (code < 0) {
            status = job->status ? job->status
                                 : ew_fail(EW_BAD_INPUT,
                                           "%s: /%s cannot be listed, or lists more than %d fields",
                                           from->path, path, (int)MAX_FIELDS);
        }
    }
out:
    ew_h5_close(&root);
    ew_h5_close(&from->file);
    return status;
}

static void send_all(void *user, ew_wire *wire)
{
    const field_job *job = user;
    ew_wire_put_block(wire, job->field, (size_t)job->n * sizeof *job->field);
}

static ew_status take_all(void *user, ew_wire *wire)
{
    field_job *job = user;
    uint64_t left = MAX_FIELDS * sizeof *job->field;
    char *data = NULL;
    size_t size = 0;
    EW_TRY(ew_wire_get_block(wire, &left, &data, &size));
    job->field = (ew_view_field *)(void *)data;
    job->n = (int32_t)(size / sizeof *job->field);
    for (int32_t k = 0; k < job->n; k++) {
        ew_view_field *field = &job->field[k];
        field->data = NULL;
        field->is_integer = field->is_integer != 0;
        field->name[EW_VIEW_NAME - 1] = '\0';
        wire->broken = wire->broken || (unsigned)field->place > EW_ON_TETS ||
                       field->n_component < 1 || field->n_component > EW_VIEW_WIDTH;
    }
    return EW_OK;
}

ew_status ew_result_list_fields(const char *path, int32_t *n, ew_view_field **field)
{
    field_job job = {.from = {.path = path, .file = -1}};
    EW_TRY(ew_result_file_size(path, &job.from.size));
    job.from.left = job.from.size;
    const ew_isolated_job apart = {path, job.from.size, &job, read_all, send_all, take_all};
    const ew_status status = ew_read_isolated(&apart);
    if (status) {
        ew_release(job.field);
        return status;
    }
    *n = job.n;
    *field = job.field;
    return EW_OK;
}
