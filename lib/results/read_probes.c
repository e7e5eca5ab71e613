/* The probes of a finished result file in, their samples out, for those who show them. Read in a
 * process of its own (thread_affinity.c). */
#include "results/source.h"

#include <stdio.h>
#include <string.h>

/* A case has far fewer. */
enum { MAX_PROBES = 100000 };

static const char *const quantity[EW_PROBE_QUANTITIES] = {"displacement", "velocity",
                                                          "acceleration", "reaction"};

typedef struct probe_job {
    ew_source from;
    int32_t n;
    ew_view_probe *probe;
} probe_job;

/* All of a dataset of rows of `width` doubles; *n: how many there are, or must be where >= 0. */
static ew_status read_rows(ew_source *from, hid_t group, const char *name, int width, int32_t *n,
                           double **out)
{
    hid_t set = -1, space = -1;
    hsize_t extent[2] = {0, 1};
    double *data = NULL;
    ew_status status = EW_OK;
    EW_TRY(ew_guard_child(from->path, group, name, name, &set));
    space = H5Iget_type(set) == H5I_DATASET ? H5Dget_space(set) : -1;
    const int rank = space < 0 ? 0 : H5Sget_simple_extent_ndims(space);
    if (rank != (width > 1 ? 2 : 1) || H5Sget_simple_extent_dims(space, extent, NULL) < 0 ||
        extent[1] != (hsize_t)width || extent[0] > INT32_MAX / 16 ||
        (*n >= 0 && extent[0] != (hsize_t)*n)) {
        status = ew_fail(EW_BAD_INPUT, "%s: a probe's %s has not a row for each sample", from->path,
                         name);
        goto out;
    }
    const size_t count = (size_t)extent[0] * (size_t)width;
    EW_TRY_OUT(ew_source_claim(from, name, count * sizeof *data));
    EW_TRY_OUT(ew_new(&data, count + 1, sizeof *data));
    if (count && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) {
        status = ew_h5_fail(EW_BAD_INPUT, from->path, "read a probe's %s", name);
        goto out;
    }
    *n = (int32_t)extent[0];
    *out = data;
    data = NULL;
out:
    ew_release(data);
    ew_h5_close(&space);
    ew_h5_close(&set);
    return status;
}

/* A probe whose step failed before its first output has no datasets. */
static ew_status read_probe(ew_source *from, hid_t probes, int32_t k, ew_view_probe *out)
{
    char name[32];
    hid_t group = -1;
    int32_t n = -1;
    ew_status status = EW_OK;
    snprintf(name, sizeof name, "%06d", (int)k);
    EW_TRY(ew_guard_child(from->path, probes, name, "/Edgewise/Probes", &group));
    EW_TRY_OUT(ew_source_attribute(from, group, "name", &out->name));
    EW_TRY_OUT(ew_source_attribute(from, group, "step", &out->step));
    if (ew_guard_has(group, "time")) {
        EW_TRY_OUT(read_rows(from, group, "time", 1, &n, &out->time));
        for (int q = 0; q < EW_PROBE_QUANTITIES; q++) {
            EW_TRY_OUT(read_rows(from, group, quantity[q], 3, &n, &out->value[q]));
        }
        out->n = n;
    }
out:
    ew_h5_close(&group);
    return status;
}

static ew_status read_all(void *user)
{
    probe_job *job = user;
    ew_source *from = &job->from;
    hid_t root = -1, probes = -1;
    H5G_info_t info = {.nlinks = 0};
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_source_open(from, &root));
    if (!ew_guard_has(root, "Probes")) {
        goto out;
    }
    EW_TRY_OUT(ew_guard_child(from->path, root, "Probes", "/Edgewise/Probes", &probes));
    if (H5Iget_type(probes) != H5I_GROUP || H5Gget_info(probes, &info) < 0 ||
        info.nlinks > MAX_PROBES) {
        status = ew_fail(EW_BAD_INPUT, "%s: /Edgewise/Probes is no list of probes", from->path);
        goto out;
    }
    EW_TRY_OUT(ew_new_zero(&job->probe, (size_t)info.nlinks, sizeof *job->probe));
    for (job->n = 0; job->n < (int32_t)info.nlinks && !status; job->n++) {
        status = read_probe(from, probes, job->n, &job->probe[job->n]);
    }
out:
    ew_h5_close(&probes);
    ew_h5_close(&root);
    ew_h5_close(&from->file);
    return status;
}

/* ---- the two processes --------------------------------------------------------------------- */

static void send_all(void *user, ew_wire *wire)
{
    const probe_job *job = user;
    ew_wire_put(wire, &job->n, sizeof job->n);
    for (int32_t k = 0; k < job->n; k++) {
        const ew_view_probe *probe = &job->probe[k];
        const size_t bytes = (size_t)probe->n * sizeof(double);
        ew_wire_put_block(wire, probe->name, strlen(probe->name));
        ew_wire_put_block(wire, probe->step, strlen(probe->step));
        ew_wire_put(wire, &probe->n, sizeof probe->n);
        ew_wire_put_block(wire, probe->time, bytes);
        for (int q = 0; q < EW_PROBE_QUANTITIES; q++) {
            ew_wire_put_block(wire, probe->value[q], 3 * bytes);
        }
    }
}

static ew_status take_rows(ew_wire *wire, uint64_t *left, size_t bytes, double **out)
{
    char *data = NULL;
    size_t size = 0;
    EW_TRY(ew_wire_get_block(wire, left, &data, &size));
    wire->broken = wire->broken || size != bytes;
    memcpy(out, &data, sizeof data);
    return EW_OK;
}

static ew_status take_probe(ew_wire *wire, uint64_t *left, ew_view_probe *out)
{
    size_t size;
    EW_TRY(ew_wire_get_block(wire, left, &out->name, &size));
    EW_TRY(ew_wire_get_block(wire, left, &out->step, &size));
    ew_wire_get(wire, &out->n, sizeof out->n);
    wire->broken = wire->broken || out->n < 0;
    const size_t bytes = wire->broken ? 0 : (size_t)out->n * sizeof(double);
    EW_TRY(take_rows(wire, left, bytes, &out->time));
    for (int q = 0; q < EW_PROBE_QUANTITIES; q++) {
        EW_TRY(take_rows(wire, left, 3 * bytes, &out->value[q]));
    }
    return EW_OK;
}

static ew_status take_all(void *user, ew_wire *wire)
{
    probe_job *job = user;
    uint64_t left = 4 * job->from.size + (UINT64_C(16) << 20);
    int32_t n = 0;
    ew_wire_get(wire, &n, sizeof n);
    if (wire->broken || n < 0 || n > MAX_PROBES) {
        wire->broken = true;
        return EW_OK;
    }
    EW_TRY(ew_new_zero(&job->probe, (size_t)n, sizeof *job->probe));
    for (job->n = 0; job->n < n && !wire->broken;) {
        EW_TRY(take_probe(wire, &left, &job->probe[job->n++]));
    }
    return EW_OK;
}

ew_status ew_result_read_probes(const char *path, int32_t *n, ew_view_probe **probe)
{
    probe_job job = {.from = {.path = path, .file = -1}};
    EW_TRY(ew_result_file_size(path, &job.from.size));
    job.from.left = job.from.size;
    const ew_isolated_job apart = {path, job.from.size, &job, read_all, send_all, take_all};
    const ew_status status = ew_read_isolated(&apart);
    if (status) {
        ew_view_probes_free(job.n, job.probe);
        return status;
    }
    *n = job.n;
    *probe = job.probe;
    return EW_OK;
}

void ew_view_probes_free(int32_t n, ew_view_probe *probe)
{
    for (int32_t k = 0; k < n && probe; k++) {
        ew_release(probe[k].name);
        ew_release(probe[k].step);
        ew_release(probe[k].time);
        for (int q = 0; q < EW_PROBE_QUANTITIES; q++) {
            ew_release(probe[k].value[q]);
        }
    }
    ew_release(probe);
}
