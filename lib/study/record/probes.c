/* Probes of a dynamic step: sets whose mean displacement, velocity and acceleration and whose
 * reaction are sampled after every time step, kept until the next output, and saved with it. */
#include "study/run/run.h"

#include <math.h>
#include <string.h>

/* Displacement, velocity, acceleration, reaction. */
enum { N_VALUE = 3 * EW_PROBE_QUANTITIES };

ew_status ew_study_open_probes(ew_study *study, const ew_case_step *step)
{
    const ew_case_dynamic *of = step->dynamic;
    study_motion *motion = &study->motion;
    EW_TRY(ew_grow(&motion->probe, &motion->probe_capacity, of->n_probe, sizeof *motion->probe));
    for (int32_t i = 0; i < of->n_probe; i++) {
        const ew_case_probe *from = &of->probe[i];
        struct study_probe *to = &motion->probe[i];
        EW_TRY(ew_study_require_members(study, from->set, from->line));
        EW_TRY(ew_study_vertices_of(study, from->set, &to->set));
        EW_TRY(study->result
                   ? ew_result_add_probe(study->result, step->name, from->name, &to->number)
                   : EW_OK);
    }
    return EW_OK;
}

/* Means over the active vertices of the set; NaN where there are none. */
static ew_status sample_set(ew_study *study, int32_t set, double value[N_VALUE])
{
    ew_model *model = study->model;
    const double *field[] = {ew_model_displacement(model), ew_model_velocity(model),
                             ew_model_acceleration(model)};
    ew_list vertex = {0};
    ew_status status = ew_model_list_vertices(model, set, &vertex);
    for (int k = 0; k < N_VALUE; k++) {
        value[k] = vertex.n ? 0.0 : NAN;
    }
    for (int32_t i = 0; i < vertex.n && !status; i++) {
        for (int k = 0; k < 9; k++) {
            value[k] += field[k / 3][3 * (size_t)vertex.id[i] + (size_t)(k % 3)] / vertex.n;
        }
    }
    if (!status && vertex.n) {
        status = ew_model_reaction_of(model, set, value + 9);
    }
    ew_list_free(&vertex);
    return status;
}

ew_status ew_study_take_sample(ew_study *study)
{
    study_motion *motion = &study->motion;
    ew_motion_report *report = &motion->report;
    const int64_t n = report->n_sample, width = (int64_t)report->n_probe * N_VALUE;
    if (!report->n_probe) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&motion->time, &motion->time_capacity, n + 1, sizeof *motion->time));
    EW_TRY(ew_grow(&motion->sample, &motion->sample_capacity, (n + 1) * width,
                   sizeof *motion->sample));
    motion->time[n] = report->time;
    for (int32_t i = 0; i < report->n_probe; i++) {
        EW_TRY(sample_set(study, motion->probe[i].set,
                          motion->sample + n * width + (int64_t)i * N_VALUE));
    }
    report->n_sample++;
    return EW_OK;
}

/* The samples of one probe, quantity by quantity. */
static ew_status save_probe(ew_study *study, int32_t probe)
{
    study_motion *motion = &study->motion;
    const ew_motion_report *report = &motion->report;
    const size_t n = (size_t)report->n_sample, width = (size_t)report->n_probe * N_VALUE;
    const double *value[EW_PROBE_QUANTITIES];
    EW_TRY(ew_grow(&motion->gather, &motion->gather_capacity, (int64_t)n * N_VALUE,
                   sizeof *motion->gather));
    for (size_t q = 0; q < EW_PROBE_QUANTITIES; q++) {
        value[q] = motion->gather + q * n * 3;
        for (size_t i = 0; i < n; i++) {
            memcpy(motion->gather + (q * n + i) * 3,
                   motion->sample + i * width + (size_t)probe * N_VALUE + 3 * q,
                   3 * sizeof *motion->gather);
        }
    }
    return ew_result_append_probe(study->result, motion->probe[probe].number, (int32_t)n,
                                  motion->time, value);
}

ew_status ew_study_save_samples(ew_study *study)
{
    const ew_motion_report *report = &study->motion.report;
    for (int32_t i = 0; i < report->n_probe && study->result && report->n_sample; i++) {
        EW_TRY(save_probe(study, i));
    }
    return EW_OK;
}

void ew_study_free_motion(ew_study *study)
{
    ew_release(study->motion.probe);
    ew_release(study->motion.time);
    ew_release(study->motion.sample);
    ew_release(study->motion.gather);
    study->motion = (study_motion){0};
}
