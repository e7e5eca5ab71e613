/* A finished result file in, out what is shown of it beside the frames: the case, the steps and
 * their numbers. Read in a process of its own (thread_affinity.c), within the file alone (guard.c).
 */
#include "results/source.h"

#include <stdio.h>
#include <string.h>

enum { MAX_STEPS = 1000000, MAX_NUMBERS = 1024, MAX_SETS = 10000 };
/* A step, and an attribute, take more of the file. */
static const uint64_t min_step_bytes = 64;

typedef struct view_job {
    ew_source from;
    ew_result_view view;
} view_job;

/* ---- numbers ----------------------------------------------------------------------- */

static bool read_number(hid_t object, const char *name, ew_view_number *out)
{
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute);
    const hssize_t n = space < 0 ? 0 : H5Sget_simple_extent_npoints(space);
    const H5T_class_t kind = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
    const bool fits = n >= 1 && n <= EW_VIEW_WIDTH && strlen(name) < sizeof out->name &&
                      (kind == H5T_FLOAT || kind == H5T_INTEGER) &&
                      H5Aread(attribute, H5T_NATIVE_DOUBLE, out->value) >= 0;
    if (fits) {
        out->n = (int32_t)n;
        strcpy(out->name, name);
    }
    ew_h5_close(&type);
    ew_h5_close(&space);
    ew_h5_close(&attribute);
    return fits;
}

typedef struct number_list {
    ew_view_number *number; /* [n] */
    int32_t n, capacity;
    ew_status status;
} number_list;

static herr_t keep_number(hid_t object, const char *name, const H5A_info_t *info, void *user)
{
    (void)info;
    number_list *list = user;
    if (list->n == MAX_NUMBERS) {
        return 1;
    }
    list->status =
        ew_grow(&list->number, &list->capacity, (int64_t)list->n + 1, sizeof *list->number);
    if (list->status) {
        return -1;
    }
    list->n += read_number(object, name, &list->number[list->n]);
    return 0;
}

/* All numbers of an object; owned by the caller, also after a failure. */
static ew_status read_numbers(const ew_source *from, hid_t object, const char *label, int32_t *n,
                              ew_view_number **number)
{
    number_list list = {.n = 0};
    const herr_t code = H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, keep_number, &list);
    *number = list.number;
    *n = list.n;
    if (code >= 0) {
        return EW_OK;
    }
    return list.status ? list.status
                       : ew_h5_fail(EW_BAD_INPUT, from->path, "list the numbers of %s", label);
}

static double number_or(hid_t object, const char *name, double otherwise)
{
    ew_view_number number;
    return H5Aexists(object, name) > 0 && read_number(object, name, &number) ? number.value[0]
                                                                             : otherwise;
}

const double *ew_view_find(int32_t n_number, const ew_view_number *number, const char *name,
                           int32_t n)
{
    for (int32_t k = 0; k < n_number; k++) {
        if (number[k].n == n && !strcmp(number[k].name, name)) {
            return number[k].value;
        }
    }
    return NULL;
}

/* ---- steps ----------------------------------------------------------------------------- */

static ew_status read_set(ew_source *from, hid_t sets, int32_t k, ew_view_set *set)
{
    char name[32];
    hid_t group = -1;
    snprintf(name, sizeof name, "%04d", k);
    EW_TRY(ew_guard_child(from->path, sets, name, "a set of a step", &group));
    ew_status status = ew_source_attribute(from, group, "name", &set->name);
    if (!status) {
        status = ew_source_attribute(from, group, "kind", &set->kind);
    }
    if (!status) {
        status = read_numbers(from, group, "a set", &set->n_number, &set->number);
    }
    ew_h5_close(&group);
    return status;
}

static ew_status read_sets(ew_source *from, hid_t step, ew_view_step *out)
{
    hid_t sets = -1;
    H5G_info_t info = {.nlinks = 0};
    ew_status status = EW_OK;
    if (!ew_guard_has(step, "Sets")) {
        return EW_OK;
    }
    EW_TRY(ew_guard_child(from->path, step, "Sets", "the sets of a step", &sets));
    if (H5Iget_type(sets) != H5I_GROUP || H5Gget_info(sets, &info) < 0 || info.nlinks > MAX_SETS ||
        info.nlinks > from->size / min_step_bytes) {
        status = ew_fail(EW_BAD_INPUT, "%s: the sets of a step are no list", from->path);
        goto out;
    }
    EW_TRY_OUT(ew_new_zero(&out->set, (size_t)info.nlinks, sizeof *out->set));
    out->n_set = (int32_t)info.nlinks;
    for (int32_t k = 0; k < out->n_set; k++) {
        EW_TRY_OUT(read_set(from, sets, k, &out->set[k]));
    }
out:
    ew_h5_close(&sets);
    return status;
}

static ew_status read_step(ew_source *from, hid_t steps, int32_t k, int32_t n_frame,
                           ew_view_step *step)
{
    static const char *const name[] = {"name", "kind", "warnings", "warning_kinds"};
    char **const text[] = {&step->name, &step->kind, &step->warnings, &step->warning_kinds};
    char child[32], label[64];
    hid_t group = -1;
    ew_status status = EW_OK;
    snprintf(child, sizeof child, "%06d", k);
    snprintf(label, sizeof label, "/Edgewise/Steps/%s", child);
    EW_TRY(ew_guard_child(from->path, steps, child, label, &group));
    for (int i = 0; i < 4; i++) {
        EW_TRY_OUT(ew_source_attribute(from, group, name[i], text[i]));
    }
    EW_TRY_OUT(read_numbers(from, group, label, &step->n_number, &step->number));
    EW_TRY_OUT(read_sets(from, group, step));
    const double frame = number_or(group, "frame", k); /* files of version 0.1 have all frames */
    step->frame = frame >= 0 && frame < n_frame ? (int32_t)frame : -1;
out:
    ew_h5_close(&group);
    return status;
}

static ew_status read_steps(ew_source *from, hid_t root, ew_result_view *view)
{
    hid_t steps = -1, frames = -1;
    H5G_info_t info = {.nlinks = 0};
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_guard_path(from->path, from->file, "", "VTKHDF/Steps", &frames));
    const double n_frame = number_or(frames, "NSteps", -1);
    EW_TRY_OUT(ew_guard_child(from->path, root, "Steps", "/Edgewise/Steps", &steps));
    if (H5Iget_type(steps) != H5I_GROUP || H5Gget_info(steps, &info) < 0 ||
        info.nlinks > MAX_STEPS || info.nlinks > from->size / min_step_bytes || n_frame < 0 ||
        n_frame > (double)info.nlinks) {
        status = ew_fail(EW_BAD_INPUT, "%s: /Edgewise/Steps is not the list of steps", from->path);
        goto out;
    }
    view->n_frame = (int32_t)n_frame;
    EW_TRY_OUT(ew_new_zero(&view->step, (size_t)info.nlinks, sizeof *view->step));
    view->n_step = (int32_t)info.nlinks;
    for (int32_t k = 0; k < view->n_step; k++) {
        EW_TRY_OUT(read_step(from, steps, k, view->n_frame, &view->step[k]));
    }
out:
    ew_h5_close(&steps);
    ew_h5_close(&frames);
    return status;
}

/* The texts in the order in which they are sent. */
enum { N_TEXT = 11 };
static void list_texts(ew_result_view *view, char **text[N_TEXT])
{
    char **const all[N_TEXT] = {&view->case_text,   &view->summary,    &view->case_path,
                                &view->program,     &view->device,     &view->precision,
                                &view->length_unit, &view->force_unit, &view->time_unit,
                                &view->reason,      &view->elements};
    memcpy(text, all, sizeof all);
}

static ew_status read_all(void *user)
{
    static const char *const name[N_TEXT] = {"case",      "summary",   "case_path",   "program",
                                             "device",    "precision", "length_unit", "force_unit",
                                             "time_unit", "reason",    "elements"};
    view_job *job = user;
    ew_source *from = &job->from;
    ew_result_view *view = &job->view;
    char **text[N_TEXT];
    hid_t root = -1;
    ew_status status = EW_OK;
    list_texts(view, text);
    EW_TRY_OUT(ew_source_open(from, &root));
    for (int k = 0; k < N_TEXT; k++) {
        const bool is_set = k < 2 && (k == 0 || ew_guard_has(root, name[k]));
        EW_TRY_OUT(is_set ? ew_source_text(from, root, name[k], text[k])
                          : ew_source_attribute(from, root, name[k], text[k]));
    }
    view->complete = number_or(root, "complete", 1) != 0;
    const double stopped = number_or(root, "stopped_at", -1);
    view->stopped_at =
        !view->complete && stopped >= 0 && stopped < INT32_MAX ? (int32_t)stopped : -1;
    status = read_steps(from, root, view);
out:
    ew_h5_close(&root);
    ew_h5_close(&from->file);
    return status;
}

/* ---- the two processes --------------------------------------------------------------------- */

static void send_all(void *user, ew_wire *wire)
{
    ew_result_view *view = &((view_job *)user)->view;
    char **text[N_TEXT];
    list_texts(view, text);
    for (int k = 0; k < N_TEXT; k++) {
        ew_wire_put_block(wire, *text[k], strlen(*text[k]));
    }
    const int32_t head[4] = {view->complete, view->stopped_at, view->n_frame, view->n_step};
    ew_wire_put(wire, head, sizeof head);
    for (int32_t s = 0; s < view->n_step; s++) {
        const ew_view_step *step = &view->step[s];
        ew_wire_put_block(wire, step->name, strlen(step->name));
        ew_wire_put_block(wire, step->kind, strlen(step->kind));
        ew_wire_put_block(wire, step->warnings, strlen(step->warnings));
        ew_wire_put_block(wire, step->warning_kinds, strlen(step->warning_kinds));
        ew_wire_put(wire, &step->frame, sizeof step->frame);
        ew_wire_put_block(wire, step->number, (size_t)step->n_number * sizeof *step->number);
        ew_wire_put(wire, &step->n_set, sizeof step->n_set);
        for (int32_t k = 0; k < step->n_set; k++) {
            const ew_view_set *set = &step->set[k];
            ew_wire_put_block(wire, set->name, strlen(set->name));
            ew_wire_put_block(wire, set->kind, strlen(set->kind));
            ew_wire_put_block(wire, set->number, (size_t)set->n_number * sizeof *set->number);
        }
    }
}

static ew_status take_text(ew_wire *wire, uint64_t *left, char **text)
{
    size_t size = 0;
    return wire->broken ? EW_OK : ew_wire_get_block(wire, left, text, &size);
}

static ew_status take_numbers(ew_wire *wire, uint64_t *left, int32_t *n, ew_view_number **number)
{
    char *block = NULL;
    size_t size = 0;
    EW_TRY(wire->broken ? EW_OK : ew_wire_get_block(wire, left, &block, &size));
    *number = (ew_view_number *)(void *)block;
    *n = (int32_t)(size / sizeof **number);
    for (int32_t k = 0; k < *n; k++) {
        (*number)[k].name[EW_VIEW_NAME - 1] = '\0';
    }
    return EW_OK;
}

static ew_status take_step(ew_wire *wire, uint64_t *left, ew_view_step *step)
{
    int32_t n_set = 0;
    EW_TRY(take_text(wire, left, &step->name));
    EW_TRY(take_text(wire, left, &step->kind));
    EW_TRY(take_text(wire, left, &step->warnings));
    EW_TRY(take_text(wire, left, &step->warning_kinds));
    ew_wire_get(wire, &step->frame, sizeof step->frame);
    EW_TRY(take_numbers(wire, left, &step->n_number, &step->number));
    ew_wire_get(wire, &n_set, sizeof n_set);
    if (wire->broken || n_set < 0 || n_set > MAX_SETS) {
        wire->broken = true;
        return EW_OK;
    }
    EW_TRY(ew_new_zero(&step->set, (size_t)n_set, sizeof *step->set));
    step->n_set = n_set;
    for (int32_t k = 0; k < n_set && !wire->broken; k++) {
        ew_view_set *set = &step->set[k];
        EW_TRY(take_text(wire, left, &set->name));
        EW_TRY(take_text(wire, left, &set->kind));
        EW_TRY(take_numbers(wire, left, &set->n_number, &set->number));
    }
    return EW_OK;
}

static ew_status take_all(void *user, ew_wire *wire)
{
    view_job *job = user;
    ew_result_view *view = &job->view;
    /* Numbers take more room here than in the file. */
    uint64_t left = 16 * job->from.size + (UINT64_C(1) << 20);
    char **text[N_TEXT];
    int32_t head[4] = {0};
    size_t size;
    list_texts(view, text);
    for (int k = 0; k < N_TEXT && !wire->broken; k++) {
        EW_TRY(ew_wire_get_block(wire, &left, text[k], &size));
    }
    ew_wire_get(wire, head, sizeof head);
    if (wire->broken || head[3] < 0 || (uint64_t)head[3] > job->from.size / min_step_bytes) {
        wire->broken = true;
        return EW_OK;
    }
    view->complete = head[0] != 0;
    view->stopped_at = head[1];
    view->n_frame = head[2];
    EW_TRY(ew_new_zero(&view->step, (size_t)head[3], sizeof *view->step));
    view->n_step = head[3];
    for (int32_t k = 0; k < view->n_step && !wire->broken; k++) {
        EW_TRY(take_step(wire, &left, &view->step[k]));
    }
    return EW_OK;
}

ew_status ew_result_read_view(const char *path, ew_result_view *view)
{
    view_job job = {.from = {.path = path, .file = -1}};
    EW_TRY(ew_result_file_size(path, &job.from.size));
    job.from.left = job.from.size;
    const ew_isolated_job apart = {path, job.from.size, &job, read_all, send_all, take_all};
    const ew_status status = ew_read_isolated(&apart);
    if (status) {
        ew_result_view_free(&job.view);
        return status;
    }
    *view = job.view;
    return EW_OK;
}

static void free_step(ew_view_step *step)
{
    for (int32_t k = 0; k < step->n_set; k++) {
        ew_release(step->set[k].name);
        ew_release(step->set[k].kind);
        ew_release(step->set[k].number);
    }
    ew_release(step->set);
    ew_release(step->name);
    ew_release(step->kind);
    ew_release(step->warnings);
    ew_release(step->warning_kinds);
    ew_release(step->number);
}

void ew_result_view_free(ew_result_view *view)
{
    char **text[N_TEXT];
    list_texts(view, text);
    for (int k = 0; k < N_TEXT; k++) {
        ew_release(*text[k]);
    }
    for (int32_t s = 0; s < view->n_step && view->step; s++) {
        free_step(&view->step[s]);
    }
    ew_release(view->step);
    *view = (ew_result_view){0};
}
