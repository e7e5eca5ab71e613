/* Values at places of a body in any record of an analysis: along lines and at points, of stress
 * through a wall, through cuts, and its mass. In: `output:` of the case, the mesh, displacement and
 * the recovered fields of a state, of a shape the displacement alone, of a response those of each
 * of its columns. Out: the reports of places, which result file and tables have.
 *
 * Displacements are those of the tet's functions; stress is that averaged at the corners over the
 * tets of one material, linear in the tet. */
#include "study/record/places.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* A point may lie outside its tet by this share of its height: sides of tets are straight where
 * those of the part are not. */
static const double outside = 0.05;

/* ---- points in tets -------------------------------------------------------------------------- */

typedef struct located {
    int32_t tet; /* -1: none is near */
    double least, weight[4];
} located;

/* The barycentric coordinates of a point; the least of them. */
static double weights_of(const ew_mesh *mesh, int32_t t, const double *p, double weight[4])
{
    double x[12], g[4][3], least = INFINITY;
    for (int k = 0; k < 4; k++) {
        memcpy(x + 3 * k, mesh->xyz + 3 * (size_t)mesh->tet[4 * (size_t)t + (size_t)k],
               3 * sizeof *x);
    }
    ew_element_gradients(x, g);
    for (int k = 0; k < 4; k++) {
        const double *corner = x + 3 * ((k + 1) % 4); /* where the function is 0 */
        weight[k] = g[k][0] * (p[0] - corner[0]) + g[k][1] * (p[1] - corner[1]) +
                    g[k][2] * (p[2] - corner[2]);
        least = fmin(least, weight[k]);
    }
    return least;
}

static void find_box(const ew_mesh *mesh, int32_t t, double low[3], double high[3])
{
    for (int c = 0; c < 3; c++) {
        low[c] = INFINITY;
        high[c] = -INFINITY;
        for (int k = 0; k < 4; k++) {
            const double x =
                mesh->xyz[3 * (size_t)mesh->tet[4 * (size_t)t + (size_t)k] + (size_t)c];
            low[c] = fmin(low[c], x);
            high[c] = fmax(high[c], x);
        }
        const double room = 0.2 * (high[c] - low[c]);
        low[c] -= room;
        high[c] += room;
    }
}

static bool is_within(const double *p, const double low[3], const double high[3])
{
    return p[0] >= low[0] && p[0] <= high[0] && p[1] >= low[1] && p[1] <= high[1] &&
           p[2] >= low[2] && p[2] <= high[2];
}

/* The tet that each point is in, or is nearest to being in; the first of several. */
static void locate(const ew_mesh *mesh, int32_t n, const ew_path_point *point, located *at)
{
    double first[3] = {INFINITY, INFINITY, INFINITY}, last[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < n; i++) {
        at[i] = (located){.tet = -1, .least = -outside};
        for (int c = 0; c < 3; c++) {
            first[c] = fmin(first[c], point[i].xyz[c]);
            last[c] = fmax(last[c], point[i].xyz[c]);
        }
    }
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        double low[3], high[3], weight[4];
        if (!ew_mesh_tet_is_live(mesh, t)) {
            continue;
        }
        find_box(mesh, t, low, high);
        const bool near = low[0] <= last[0] && high[0] >= first[0] && low[1] <= last[1] &&
                          high[1] >= first[1] && low[2] <= last[2] && high[2] >= first[2];
        for (int32_t i = 0; i < n && near; i++) {
            if (!is_within(point[i].xyz, low, high)) {
                continue;
            }
            const double least = weights_of(mesh, t, point[i].xyz, weight);
            if (least > at[i].least && at[i].least < 0.0) {
                at[i] = (located){.tet = t, .least = least};
                memcpy(at[i].weight, weight, sizeof weight);
            }
        }
    }
}

static void add_edges(ew_study *study, const located *at, double u[3])
{
    const ew_topology *topology = ew_model_topology(study->model);
    const ew_edge_rows *rows = ew_model_edge_rows(study->model);
    const double *state = rows ? ew_model_edge_state(study->model, 0) : NULL;
    for (int k = 0; k < 6 && rows; k++) {
        const int32_t edge = topology->tet_to_edge[6 * (size_t)at->tet + (size_t)k];
        const int32_t row = ew_edge_row(rows, edge);
        const double value =
            4.0 * at->weight[ew_edge_vertex[k][0]] * at->weight[ew_edge_vertex[k][1]];
        for (int c = 0; c < 3 && row >= 0; c++) {
            u[c] += value * state[3 * (size_t)row + (size_t)c];
        }
    }
}

static void forget(ew_place_stress *stress)
{
    for (int c = 0; c < 6; c++) {
        stress->value[c] = NAN;
    }
    stress->von_mises = stress->intensity = NAN;
}

static void evaluate_stress(const ew_mesh *mesh, const ew_fields *fields, const located *at,
                            ew_place_stress *stress)
{
    for (int k = 0; k < 4; k++) {
        const double *corner = ew_fields_corner_stress(fields, mesh, at->tet, k);
        for (int c = 0; c < 6; c++) {
            stress->value[c] += at->weight[k] * corner[c];
        }
    }
    ew_place_measure_stress(stress);
}

/* fields: null of a shape. */
static void evaluate(ew_study *study, const ew_fields *fields, const located *at,
                     ew_path_point *point)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    const double *u = ew_model_displacement(study->model);
    point->is_inside = at->tet >= 0;
    if (!point->is_inside || !fields) {
        forget(&point->stress);
    } else {
        evaluate_stress(mesh, fields, at, &point->stress);
    }
    for (int c = 0; c < 3 && !point->is_inside; c++) {
        point->displacement.value[c] = NAN;
    }
    for (int k = 0; k < 4 && point->is_inside; k++) {
        const int32_t v = mesh->tet[4 * (size_t)at->tet + (size_t)k];
        for (int c = 0; c < 3; c++) {
            point->displacement.value[c] += at->weight[k] * u[3 * (size_t)v + (size_t)c];
        }
    }
    if (point->is_inside) {
        add_edges(study, at, point->displacement.value);
    }
    ew_place_measure_vector(&point->displacement);
}

/* ---- lines ------------------------------------------------------------------------------------
 */

static double distance_of(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* Points at equal distances along the polygon of the corners. */
static void spread(const ew_case_path *path, ew_path_point *point)
{
    double length = 0.0, before = 0.0;
    int32_t k = 1;
    for (int32_t i = 1; i < path->n_corner; i++) {
        length += distance_of(path->corner[i - 1], path->corner[i]);
    }
    for (int32_t i = 0; i < path->count; i++) {
        const double s = path->count > 1 ? length * i / (path->count - 1) : 0.0;
        double step = path->n_corner > 1 ? distance_of(path->corner[k - 1], path->corner[k]) : 1.0;
        while (k + 1 < path->n_corner && s > before + step) {
            before += step;
            k++;
            step = distance_of(path->corner[k - 1], path->corner[k]);
        }
        const double part = path->n_corner > 1 ? fmin((s - before) / step, 1.0) : 0.0;
        point[i] = (ew_path_point){.distance = s};
        for (int c = 0; c < 3; c++) {
            const double *a = path->corner[path->n_corner > 1 ? k - 1 : 0];
            const double *b = path->corner[path->n_corner > 1 ? k : 0];
            point[i].xyz[c] = part == 1.0 ? b[c] : a[c] + part * (b[c] - a[c]);
        }
    }
}

/* ASME BPVC Section VIII Division 2, Annex 5-A, 5-A.4.1.2 (stress integration, components): with
 * x from one surface to the other, t apart,
 *     membrane = 1/t int sigma dx,  bending = 6/t^2 int sigma (t/2 - x) dx at x = 0, its negative
 *     at x = t,  peak = what is left there.
 * The integrals are those of stress that is linear between the points. */
static void integrate(int32_t n, const ew_path_point *point, double membrane[6], double bending[6])
{
    const double t = point[n - 1].distance;
    for (int32_t i = 0; i + 1 < n; i++) {
        const double a = point[i].distance, b = point[i + 1].distance;
        for (int c = 0; c < 6; c++) {
            const double p = point[i].stress.value[c], q = point[i + 1].stress.value[c];
            const double sum = (b - a) * (p + q) / 2.0;
            const double moment = (b - a) * (a * (2.0 * p + q) + b * (p + 2.0 * q)) / 6.0;
            membrane[c] += sum / t;
            bending[c] += 6.0 / (t * t) * (t / 2.0 * sum - moment);
        }
    }
}

/* In the order of ew_wall_stress_name. */
static void linearize(ew_path_report *path)
{
    static const struct {
        double membrane, bending, total; /* factors of these; total: of the one at `end` */
        int end;
    } kinds[EW_N_WALL_STRESS] = {{1, 0, 0, 0},  {0, 1, 0, 0},  {0, -1, 0, 1},
                                 {1, 1, 0, 0},  {1, -1, 0, 1}, {-1, -1, 1, 0},
                                 {-1, 1, 1, 1}, {0, 0, 1, 0},  {0, 0, 1, 1}};
    double membrane[6] = {0}, bending[6] = {0};
    path->thickness = path->point[path->n_point - 1].distance;
    integrate(path->n_point, path->point, membrane, bending);
    for (int k = 0; k < EW_N_WALL_STRESS; k++) {
        const ew_path_point *end = &path->point[kinds[k].end ? path->n_point - 1 : 0];
        for (int c = 0; c < 6; c++) {
            path->wall[k].value[c] = kinds[k].membrane * membrane[c] +
                                     kinds[k].bending * bending[c] +
                                     kinds[k].total * end->stress.value[c];
        }
        ew_place_measure_stress(&path->wall[k]);
    }
}

static ew_status report_path(ew_study *study, const ew_fields *fields, const ew_case_path *path,
                             ew_path_report *report)
{
    located *at = NULL;
    *report = (ew_path_report){.name = path->name, .n_point = path->count};
    EW_TRY(ew_new_zero(&report->point, (size_t)path->count, sizeof *report->point));
    spread(path, report->point);
    EW_TRY(ew_new(&at, (size_t)path->count, sizeof *at));
    locate(ew_model_mesh(study->model), path->count, report->point, at);
    bool all = true;
    for (int32_t i = 0; i < path->count; i++) {
        evaluate(study, fields, &at[i], &report->point[i]);
        all = all && report->point[i].is_inside;
    }
    ew_release(at);
    report->is_linearized = path->linearize && fields;
    if (report->is_linearized && !all) {
        return ew_fail_at(
            EW_BAD_INPUT, path->line,
            "path '%.60s' leaves the body: to be linearized it has to lie in the wall "
            "from one surface to the other; move its ends onto these",
            path->name);
    }
    if (report->is_linearized) {
        linearize(report);
    }
    return EW_OK;
}

/* ---- records ----------------------------------------------------------------------------------
 */

/* Of the state or the shape in place; fields: null of a shape. */
static ew_status take_state(ew_study *study, const ew_fields *fields, ew_place_report *to)
{
    const ew_case_output *output = &study->input->output;
    const int32_t n_section = fields ? output->n_section : 0;
    ew_places_free(to);
    EW_TRY(ew_new_zero(&to->path, (size_t)output->n_path, sizeof *to->path));
    to->n_path = output->n_path;
    for (int32_t i = 0; i < output->n_path; i++) {
        EW_TRY(report_path(study, fields, &output->path[i], &to->path[i]));
    }
    EW_TRY(ew_new_zero(&to->section, (size_t)n_section, sizeof *to->section));
    to->n_section = n_section;
    for (int32_t i = 0; i < n_section; i++) {
        EW_TRY(ew_study_cut_section(study, fields, &output->section[i], &to->section[i]));
    }
    return EW_OK;
}

static bool wants_places(const ew_study *study)
{
    const ew_case_output *output = &study->input->output;
    return output->n_path || output->n_section || output->mass_properties;
}

ew_status ew_study_add_places(ew_study *study, const ew_fields *fields, bool is_first, int part)
{
    ew_place_report column = {0};
    if (!wants_places(study)) {
        return EW_OK;
    }
    if (is_first) {
        EW_TRY(take_state(study, fields, &study->places));
        ew_places_put_squares(&study->places, part);
        return EW_OK;
    }
    const ew_status status = take_state(study, fields, &column);
    if (!status) {
        ew_places_add_squares(&study->places, &column, part);
    }
    ew_places_free(&column);
    return status;
}

/* Once in a step, and where edits changed it. */
static bool has_mass(const ew_study *study)
{
    const ew_step_report *report = &study->report;
    const int32_t record = report->motion         ? report->motion->output
                           : report->has_response ? report->response.record
                                                  : report->mode;
    return study->input->output.mass_properties && !report->is_envelope &&
           (record == 0 || report->n_edit);
}

ew_status ew_study_report_places(ew_study *study, const ew_case_step *step)
{
    ew_place_report *places = &study->places;
    if (!wants_places(study) || !(ew_case_is_solved(step) || step->is_envelope)) {
        return EW_OK;
    }
    if (step->is_envelope) {
        study->report.places = &study->envelope.places;
        return EW_OK;
    }
    if (study->report.has_response) {
        ew_places_take_roots(places);
        if (step->response->kind == EW_RESPONSE_HARMONIC) {
            const ew_damping *more = &step->response->more;
            ew_places_damp_sections(places,
                                    more->structural + 2.0 * pi * study->report.response.frequency *
                                                           more->stiffness);
        }
    } else {
        EW_TRY(take_state(study, study->fields, places));
    }
    places->has_phases = step->response && step->response->kind == EW_RESPONSE_HARMONIC;
    places->has_mass = has_mass(study);
    if (places->has_mass) {
        ew_study_take_mass(study, &places->mass);
    }
    study->report.places = places;
    return EW_OK;
}
