/* Fine surfaces of a study. In: files that the program reads, the model. Out: surfaces of the model
 * with the same numbers, loads on them, what is reported of them, and their frames beside the
 * result. */
#include "study/run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- bound at the start ---------------------------------------------------------- */

static ew_status add_surface(ew_study *study, int32_t s)
{
    const ew_case_surface *from = &study->input->surface[s];
    study_surface *to = &study->surface[s];
    int32_t number = -1;
    if (!study->def.read_surface) {
        return ew_refuse(EW_RULE_READER, "surface '%s': '%s'", from->name, from->file);
    }
    EW_TRY(study->def.read_surface(study->def.user, from->file, &to->polygons));
    ew_case_convert_surface(study->input, &to->polygons.surface);
    const ew_surface *surface = &to->polygons.surface;
    const ew_status status = ew_model_add_surface(study->model, surface, &from->mapping, &number);
    if (status) {
        return ew_fail_prefix(status, "surface '%s'", from->name);
    }
    EW_ASSERT(number == s);
    EW_TRY(ew_new(&to->xyz, 3 * (size_t)surface->n_vertex, sizeof *to->xyz));
    return ew_new(&to->has, (size_t)surface->n_vertex, sizeof *to->has);
}

/* Of a closed surface, whose triangles' areas add up to nothing; others enclose no volume. */
static bool looks_inward(const ew_mapping *mapping)
{
    double sum[3] = {0.0}, area = 0.0, volume = 0.0;
    for (int32_t i = 0; i < mapping->n_triangle; i++) {
        const int32_t *v = mapping->triangle + 3 * (size_t)i;
        const double *a = mapping->rest + 3 * (size_t)v[0], *origin = mapping->rest;
        double p[3], q[3], r[3];
        for (int c = 0; c < 3; c++) {
            p[c] = mapping->rest[3 * (size_t)v[1] + (size_t)c] - a[c];
            q[c] = mapping->rest[3 * (size_t)v[2] + (size_t)c] - a[c];
            r[c] = a[c] - origin[c];
        }
        const double n[3] = {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2],
                             p[0] * q[1] - p[1] * q[0]};
        for (int c = 0; c < 3; c++) {
            sum[c] += n[c];
            volume += n[c] * r[c];
        }
        area += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    }
    return volume < 0.0 && hypot(hypot(sum[0], sum[1]), sum[2]) < 1e-6 * area;
}

void ew_study_report_surfaces(ew_study *study)
{
    for (int32_t s = 0; s < study->input->n_surface; s++) {
        const ew_mapping *mapping = ew_model_surface(study->model, s);
        study->surface_report[s] = (ew_surface_report){.name = study->input->surface[s].name,
                                                       .n_vertex = mapping->n_vertex,
                                                       .n_triangle = mapping->n_triangle,
                                                       .n_outside = mapping->n_outside,
                                                       .max_distance = mapping->max_distance,
                                                       .farthest = mapping->farthest,
                                                       .n_released = mapping->n_released,
                                                       .looks_inward = looks_inward(mapping)};
    }
    study->report.n_surface = study->input->n_surface;
    study->report.surface = study->surface_report;
}

ew_status ew_study_define_surfaces(ew_study *study)
{
    const size_t n = (size_t)study->input->n_surface;
    EW_TRY(ew_new_zero(&study->surface, n, sizeof *study->surface));
    EW_TRY(ew_new_zero(&study->surface_report, n, sizeof *study->surface_report));
    for (int32_t s = 0; s < study->input->n_surface; s++) {
        const ew_status status = add_surface(study, s);
        if (status) {
            return ew_fail_line(status, study->input->surface[s].line);
        }
    }
    ew_study_report_surfaces(study);
    if (n && study->def.on_surfaces) {
        study->def.on_surfaces(study->def.user, study->input->n_surface, study->surface_report);
    }
    return EW_OK;
}

void ew_study_free_surfaces(ew_study *study)
{
    for (int32_t s = 0; study->surface && s < study->input->n_surface; s++) {
        ew_polygons_free(&study->surface[s].polygons);
        ew_release(study->surface[s].xyz);
        ew_release(study->surface[s].has);
    }
    ew_release(study->surface);
    ew_release(study->surface_report);
    study->surface = NULL;
    study->surface_report = NULL;
}

/* ---- loads -------------------------------------------------------------------------- */

ew_status ew_study_load_surface(ew_study *study, const ew_case_load *from, ew_model_load *load)
{
    static const ew_surface_load_kind kinds[EW_LOAD_COUNT] = {
        [EW_LOAD_PRESSURE] = EW_SURFACE_PRESSURE,
        [EW_LOAD_TRACTION] = EW_SURFACE_TRACTION,
        [EW_LOAD_TOTAL_FORCE] = EW_SURFACE_TOTAL_FORCE,
        [EW_LOAD_FORCE] = EW_SURFACE_FORCE};
    ew_surface_load as = {.kind = kinds[from->as.kind], .pressure = from->as.pressure};
    ew_model_load made;
    memcpy(as.vector, from->as.vector, sizeof as.vector);
    const ew_status status = ew_model_surface_load(study->model, from->surface - 1, &as, &made);
    if (status) {
        ew_fail_line(status, from->line);
        return ew_fail_prefix(status, "surface '%s'",
                              study->input->surface[from->surface - 1].name);
    }
    load->kind = made.kind;
    load->own = made.own;
    load->user = made.user;
    return EW_OK;
}

/* ---- frames -------------------------------------------------------------------------- */

void ew_study_quote(const char *step, char quoted[EW_QUOTED_STEP])
{
    size_t n = strlen(strcpy(quoted, ew_cell_prefix(step)));
    for (const char *at = step; *at && n + 3 < EW_QUOTED_STEP; at++) {
        quoted[n++] = *at;
        if (*at == '"') {
            quoted[n++] = '"';
        }
    }
    quoted[n] = 0;
}

/* A line of frames.csv, after its head. */
static ew_status list_frame(ew_study *study, const char *step, double time, const char *file,
                            int32_t n_released)
{
    static const char head[] = "frame,step,time,file,released vertices\n";
    char line[512], quoted[EW_QUOTED_STEP];
    ew_study_quote(step, quoted);
    if (!study->has_frame_list) {
        EW_TRY(ew_result_append_frame_file(study->result, ".surfaces", "frames.csv", head,
                                           sizeof head - 1));
        study->has_frame_list = true;
    }
    snprintf(line, sizeof line, "%d,\"%s\",%.17g,%s,%d\n", (int)study->n_surface_frame, quoted,
             time, file, (int)n_released);
    return ew_result_append_frame_file(study->result, ".surfaces", "frames.csv", line,
                                       strlen(line));
}

static ew_status save_as(ew_study *study, int32_t s, int format, const char *step, double time)
{
    static ew_status (*const write[])(const ew_polygon_frame *, ew_text *) = {ew_write_obj,
                                                                              ew_write_rib};
    const study_surface *surface = &study->surface[s];
    const char *name = study->input->surface[s].name;
    const ew_mapping *mapping = ew_model_surface(study->model, s);
    char file[96], comment[256];
    ew_text text = {0};
    snprintf(file, sizeof file, "%s.%06d.%s", name, (int)study->n_surface_frame,
             format ? "rib" : "obj");
    snprintf(comment, sizeof comment, "surface %s, frame %d, time %.9g", name,
             (int)study->n_surface_frame, time);
    const ew_polygon_frame frame = {.polygons = &surface->polygons,
                                    .xyz = surface->xyz,
                                    .has = mapping->n_released ? surface->has : NULL,
                                    .name = name,
                                    .comment = comment};
    EW_TRY(write[format](&frame, &text));
    ew_status status =
        ew_result_append_frame_file(study->result, ".surfaces", file, text.data, text.size);
    ew_text_free(&text);
    return status ? status : list_frame(study, step, time, file, mapping->n_released);
}

ew_status ew_study_save_surfaces(ew_study *study, const ew_result_frame *frame)
{
    const int32_t formats = study->input->output.surface_formats | study->def.surface_formats;
    const double *u = study->fields ? ew_model_displacement(study->model) : NULL;
    if (!formats || !study->input->n_surface || !frame->mesh || study->replay) {
        return EW_OK;
    }
    for (int32_t s = 0; s < study->input->n_surface; s++) {
        study_surface *surface = &study->surface[s];
        const ew_mapping *mapping = ew_model_surface(study->model, s);
        EW_TRY(ew_mapping_positions(mapping, frame->mesh, u, surface->xyz));
        for (int32_t v = 0; v < mapping->n_vertex; v++) {
            surface->has[v] = mapping->tet[v] >= 0;
        }
        for (int k = 0; k < 2; k++) {
            EW_TRY(formats >> k & 1 ? save_as(study, s, k, frame->name, frame->time) : EW_OK);
        }
    }
    study->n_surface_frame++;
    return EW_OK;
}
