/* A step's frame in the result file: fields (fields.c), numbers, the journal. A step without an
 * analysis has a mesh and no fields. */
#include "study/run/interfaces.h"
#include "study/run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every so many steps, the last, and what a step reached that failed. */
static bool has_frame(const ew_study *study)
{
    if (study->report.motion || study->report.is_partial) {
        return true;
    }
    if (study->sweep_report != EW_SWEEP_FIELDS) {
        return study->sink ? study->sink->wants_mesh && study->n_record == study->first_record
                           : !study->has_mesh;
    }
    const int32_t n = study->n_done + 1;
    return n % study->input->output.every == 0 || n == study->input->n_step;
}

/* ---- what a frame has ---------------------------------------------------- */

/* Tets are written with ten nodes where some step of the case has quadratic ones: all frames of a
 * file are alike. *bent: as in edges, the caller's. */
static ew_status take_edges(const ew_study *study, ew_result_edges *edges, double **bent)
{
    const ew_topology *topology = ew_model_topology(study->model);
    const ew_edge_rows *rows = ew_model_edge_rows(study->model);
    *edges = (ew_result_edges){topology->pattern.n_pair,
                               topology->pattern.pair_row,
                               topology->tet_to_edge,
                               NULL,
                               NULL,
                               NULL};
    *bent = NULL;
    if (!rows) {
        return EW_OK;
    }
    const size_t n = (size_t)edges->n_edge;
    EW_TRY(ew_new_zero(bent, 4 * n, 3 * sizeof **bent));
    edges->bent = *bent;
    edges->curve = rows->curve ? *bent + 9 * n : NULL;
    for (int32_t row = 0; row < rows->pattern.n_row; row++) {
        const size_t edge = (size_t)rows->edge[row];
        if (rows->edge[row] < 0) {
            continue;
        }
        for (int32_t k = 0; k < (study->input->has_dynamics ? 3 : 1); k++) {
            memcpy(*bent + 9 * edge + 3 * (size_t)k,
                   ew_model_edge_state(study->model, k) + 3 * (size_t)row, 3 * sizeof **bent);
        }
        for (int part = 0; part < 2 && study->harmonic; part++) {
            memcpy(*bent + 9 * edge + 3 * (size_t)(part + 1),
                   study->harmonic->edge[part] + 3 * (size_t)row, 3 * sizeof **bent);
        }
        if (study->imaginary) {
            memcpy(*bent + 9 * edge + 6,
                   study->imaginary +
                       3 * ((size_t)ew_model_mesh(study->model)->n_vertex + (size_t)row),
                   3 * sizeof **bent);
        }
        if (rows->curve) {
            memcpy(*bent + 9 * n + 3 * edge, rows->curve + 3 * (size_t)row, 3 * sizeof **bent);
        }
    }
    return EW_OK;
}

/* Time steps are longer than this many records at one time can ever need. */
static const double apart = 1e-6;

/* In studies without dynamics the number of the step. Else the time, a little later where there is
 * a frame of that time already, for a time axis ascends: as after a static step, which takes none.
 */
double ew_study_frame_time(ew_study *study, const ew_case_step *step)
{
    const ew_case *input = study->input;
    const ew_motion_report *motion = study->report.motion;
    if (!input->has_dynamics) {
        return study->n_record;
    }
    const double time = study->axis_start + (motion ? motion->time : step->start);
    const double least = study->axis_time + apart * input->shortest_step;
    study->axis_time = study->n_record && time < least ? least : time;
    return study->axis_time;
}

/* That of the step, of a shape with its number. */
static void name_frame(const ew_study *study, const ew_case_step *step, char name[160])
{
    if (step->response) {
        snprintf(name, 160, step->n_mode > 1 ? "%.120s %d" : "%.120s", step->name,
                 (int)study->report.response.record + 1);
    } else if (step->n_diameter) {
        snprintf(name, 160, "%.120s diameter %d mode %d", step->name,
                 (int)abs(study->report.modes->diameter), (int)study->report.mode + 1);
    } else if (step->n_mode) {
        snprintf(name, 160, "%.120s mode %d", step->name, (int)study->report.mode + 1);
    } else {
        snprintf(name, 160, "%.159s", step->name);
    }
}

/* What this process has of fields in parts, to the one that writes, in the order of the file. */
static ew_status give_fields(ew_study *study)
{
    const study_interfaces none = {0};
    ew_result_field field[STUDY_N_FIELD];
    int32_t n = 0;
    if (!study->fields || !study->fields->parts || !has_frame(study)) {
        return EW_OK;
    }
    EW_TRY(ew_study_list_fields(study, &none, field, &n));
    for (int32_t k = 0; k < n; k++) {
        const bool is_by_tet = field[k].place != EW_ON_VERTICES && field[k].data;
        for (int32_t p = 0; p < study->fields->parts->n && is_by_tet; p++) {
            EW_TRY(
                ew_fields_bring_part(study->fields, p, field[k].n_component, field[k].data, NULL));
        }
    }
    return EW_OK;
}

ew_status ew_study_save(ew_study *study, const ew_case_step *step)
{
    static const char *const responses[] = {"harmonic", "spectrum", "random"};
    const bool hands_over = study->sink && study->sink->is_whole;
    if (!study->result && !(hands_over && study->sink->wants_frames)) {
        return hands_over ? ew_outcome_add(study, NULL) : give_fields(study);
    }
    const double start = ew_seconds();
    const ew_pcg_info *solver = study->report.solver;
    ew_result_field fields[STUDY_N_FIELD];
    ew_result_number numbers[STUDY_MAX_NUMBER + STUDY_N_PARAMETER_NUMBER];
    double values[STUDY_MAX_NUMBER][EW_STEP_NUMBER_VALUES];
    study_parameter_names names;
    int32_t n_field = 0;
    study_warning_texts warnings;
    ew_frame_sets *sets = NULL;
    study_frame_places places = {0};
    ew_result_edges edges = {0};
    double *bent = NULL;
    study_interfaces interfaces;
    const bool is_whole = has_frame(study);
    EW_TRY(is_whole ? take_edges(study, &edges, &bent) : EW_OK);
    ew_status status = ew_study_take_interfaces(study, is_whole, &interfaces);
    edges.stress = study->report.is_envelope ? study->envelope.middle : interfaces.middle;
    status =
        status || !is_whole ? status : ew_study_list_fields(study, &interfaces, fields, &n_field);
    int32_t n_number = ew_study_list_numbers(study, values, numbers);
    n_number += ew_study_parameter_numbers(study, study->input, &names, numbers + n_number);
    char name[160];
    name_frame(study, step, name);
    ew_study_join_warnings(&study->report, &warnings);
    ew_result_frame frame = {
        .name = name,
        .kind = step->n_part        ? "combination"
                : step->has_static  ? "static"
                : step->dynamic     ? "dynamic"
                : step->is_buckling ? "buckling"
                : step->response    ? responses[step->response->kind]
                : step->n_mode      ? "modes"
                : step->is_envelope ? "envelope"
                : step->is_fatigue  ? "fatigue"
                                    : "edit",
        .time = ew_study_frame_time(study, step),
        .mesh = is_whole ? ew_model_mesh(study->model) : NULL,
        .edges =
            is_whole && (study->quadratic || ew_case_is_quadratic(study->input)) ? &edges : NULL,
        .n_field = n_field,
        .field = fields,
        .parts = study->fields && study->fields->parts ? study->fields : NULL,
        .n_number = n_number,
        .number = numbers,
        .measure = ew_study_measure(study, step),
        .warnings = warnings.text,
        .warning_kinds = warnings.kind,
        .n_history = solver ? solver->n_history : 0,
        .history = solver ? solver->history : NULL,
        .journal_bytes = (size_t)study->journal.bytes,
        .journal = study->journal.data,
    };
    status = status ? status : ew_progress_report(&study->def.progress, "save", -1);
    status = status ? status : ew_frame_sets_list(study, &sets, &frame);
    status = status ? status : ew_study_list_places(study, &places, &frame);
    if (!status) {
        status =
            hands_over ? ew_outcome_add(study, &frame) : ew_result_add_frame(study->result, &frame);
    }
    ew_frame_sets_free(sets);
    ew_study_free_frame_places(&places);
    ew_release(bent);
    ew_study_free_interfaces(&interfaces);
    if (status || hands_over) {
        return status;
    }
    study->has_mesh = study->has_mesh || is_whole;
    EW_TRY(ew_study_save_surfaces(study, &frame));
    study->report.seconds_save = ew_seconds() - start;
    return ew_result_add_number(study->result, "seconds_save", study->report.seconds_save);
}
