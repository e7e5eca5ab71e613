/* The state that a dynamic step starts from: displacement and velocity of the step before, of rest,
 * or of a frame of a result file; then what the case gives on sets. */
#include "study/run/run.h"

#include <math.h>
#include <string.h>

static void rest(double *field, int32_t n_vertex)
{
    memset(field, 0, 3 * (size_t)n_vertex * sizeof *field);
}

/* Edges that are neither bent nor bending. */
static void rest_edges(ew_model *model)
{
    const ew_edge_rows *rows = ew_model_edge_rows(model);
    for (int32_t k = 0; k < 2 && rows; k++) {
        rest(ew_model_edge_state(model, k), rows->pattern.n_row);
    }
}

/* Vertices are known by the id that they have for a whole study. *n: how many were found. */
static void put_frame(ew_model *model, const ew_view_frame *frame, const ew_view_field *id,
                      const ew_view_field *from, double *to, int32_t *n)
{
    *n = 0;
    for (int32_t i = 0; i < frame->n_point; i++) {
        const int32_t v = ew_model_find_vertex(model, (int64_t)id->data[i]);
        const double *value = from->data + 3 * (size_t)i;
        if (v >= 0 && value[0] == value[0]) {
            memcpy(to + 3 * (size_t)v, value, 3 * sizeof *to);
            ++*n;
        }
    }
}

/* Without a velocity, as of a static study, the body is at rest. */
static ew_status put_result(ew_study *study, const ew_case_dynamic *of, double *u, double *v)
{
    static const char fields[] = "vertex_id displacement velocity";
    ew_view_frame frame = {0};
    int32_t n = 0;
    if (!study->def.read_frame) {
        return ew_refuse(EW_RULE_READER, "'%s'", of->start_file);
    }
    EW_TRY(study->def.read_frame(study->def.user, of->start_file, of->start_frame, fields, &frame));
    const ew_view_field *id = ew_view_field_of(&frame, "vertex_id", EW_ON_VERTICES);
    const ew_view_field *displacement = ew_view_field_of(&frame, "displacement", EW_ON_VERTICES);
    const ew_view_field *velocity = ew_view_field_of(&frame, "velocity", EW_ON_VERTICES);
    if (id && displacement && displacement->n_component == 3) {
        put_frame(study->model, &frame, id, displacement, u, &n);
    }
    if (n && velocity && velocity->n_component == 3) {
        int32_t n_velocity;
        put_frame(study->model, &frame, id, velocity, v, &n_velocity);
    }
    ew_view_frame_free(&frame);
    return n ? EW_OK
             : ew_fail(EW_BAD_INPUT,
                       "'%s' has no displacement of a vertex of this mesh in that frame; take a "
                       "frame with an analysis, of a result made from the same mesh",
                       of->start_file);
}

static ew_status put_set(ew_study *study, const ew_case_initial *from, double *field)
{
    ew_list vertex = {0};
    EW_TRY(ew_study_require_members(study, from->set, from->line));
    const ew_status status = ew_model_list_vertices(study->model, from->set, &vertex);
    for (int32_t i = 0; i < vertex.n && !status; i++) {
        memcpy(field + 3 * (size_t)vertex.id[i], from->value, sizeof from->value);
    }
    ew_list_free(&vertex);
    return status;
}

/* Supports come last: where the body is displaced, one takes its vertices elsewhere at once. */
static void warn_of_snaps(ew_study *study, const double *before)
{
    const int32_t n_vertex = ew_model_mesh(study->model)->n_vertex;
    const double *u = ew_model_field(study->model, 0);
    double largest = 0.0, farthest = 0.0;
    int32_t n = 0;
    for (size_t i = 0; i < 3 * (size_t)n_vertex; i++) {
        largest = fmax(largest, fabs(before[i]));
    }
    for (int32_t v = 0; v < n_vertex; v++) {
        const double *from = before + 3 * (size_t)v, *to = u + 3 * (size_t)v;
        const double moved = hypot(hypot(to[0] - from[0], to[1] - from[1]), to[2] - from[2]);
        const bool was_displaced = from[0] != 0.0 || from[1] != 0.0 || from[2] != 0.0;
        if (was_displaced && moved > 1e-6 * largest) {
            farthest = fmax(farthest, moved);
            n++;
        }
    }
    if (n) {
        ew_study_warn(
            study, EW_WARNING_SNAP, 0,
            "supports move %d vertices that are displaced at the start of the step, by up "
            "to %.3g, at once; prescribe the displacement that is there, or start from "
            "rest",
            (int)n, farthest);
    }
}

ew_status ew_study_begin_motion(ew_study *study, const ew_dynamics_def *def, double start)
{
    const size_t n = 3 * (size_t)ew_model_mesh(study->model)->n_vertex;
    double *before;
    EW_TRY(ew_new(&before, n, sizeof *before));
    memcpy(before, ew_model_field(study->model, 0), n * sizeof *before);
    const ew_status status = ew_model_start_dynamics(study->model, def, start);
    if (!status) {
        warn_of_snaps(study, before);
    }
    ew_release(before);
    return status;
}

ew_status ew_study_put_initial_state(ew_study *study, const ew_case_step *step)
{
    const ew_case_dynamic *of = step->dynamic;
    const int32_t n_vertex = ew_model_mesh(study->model)->n_vertex;
    double *u = ew_model_field(study->model, 0), *v = ew_model_velocity(study->model);
    if (!v) {
        return ew_fail(EW_NO_MEMORY, "no memory for velocities");
    }
    if (of->start != EW_START_PREVIOUS) {
        rest(u, n_vertex);
        rest(v, n_vertex);
        rest_edges(study->model);
    }
    if (of->start == EW_START_RESULT) {
        const ew_status status = put_result(study, of, u, v);
        EW_TRY(status ? ew_fail_line(status, of->line) : EW_OK);
    }
    for (int32_t i = 0; i < of->n_initial; i++) {
        EW_TRY(put_set(study, &of->initial[i], of->initial[i].is_velocity ? v : u));
    }
    return EW_OK;
}
