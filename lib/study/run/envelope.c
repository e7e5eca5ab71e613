/* The envelope of a case: of the records of its steps and combinations, and of all outputs of
 * dynamic ones, the largest displacement and stress at each vertex and tet, the largest and the
 * smallest principal stress, which record the largest stress is of, displacement and stress in the
 * middles of edges, too, and at the places of `output:`. In: the fields of each of
 * them. Out: a record of its own, whose fields and extremes are these. */
#include "study/run/interfaces.h"
#include "study/run/run.h"

#include <math.h>
#include <string.h>

static ew_status reserve(study_envelope *to, const ew_study *study)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    const bool is_new = to->n_record == 0;
    for (int k = 0; k < STUDY_ENVELOPE_FIELDS; k++) {
        const int32_t n = k < STUDY_ENVELOPE_OF_TETS ? mesh->n_vertex : mesh->n_tet;
        EW_TRY(ew_grow(&to->value[k], &to->capacity[k], n + 1, sizeof(double)));
        if (is_new) {
            memset(to->value[k], 0, (size_t)n * sizeof(double));
        }
    }
    const int32_t n_edge = ew_model_topology(study->model)->pattern.n_pair;
    EW_TRY(ew_grow(&to->middle, &to->middle_capacity, (int64_t)n_edge + 1, 8 * sizeof(double)));
    if (is_new) {
        memset(to->middle, 0, (size_t)n_edge * 8 * sizeof(double));
    }
    return EW_OK;
}

static void take_vertices(study_envelope *to, const ew_study *study)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    const double *u = ew_model_displacement(study->model);
    const double *mises = study->fields->vertex_von_mises;
    const bool first = to->n_record == 0;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *at = u + 3 * (size_t)v;
        if (!ew_mesh_vertex_is_active(mesh, v)) {
            continue;
        }
        const double moved = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
        double *largest = &to->value[STUDY_ENVELOPE_DISPLACEMENT][v];
        *largest = fmax(*largest, moved);
        if (first || mises[v] > to->value[STUDY_ENVELOPE_VON_MISES][v]) {
            to->value[STUDY_ENVELOPE_VON_MISES][v] = mises[v];
            to->value[STUDY_ENVELOPE_RECORD][v] = study->n_record;
        }
    }
}

/* Of an edge with its own function, which is 1 there. */
static double find_middle(const double *a, const double *b, const double *own)
{
    double square = 0.0;
    for (int c = 0; c < 3; c++) {
        const double at = 0.5 * (a[c] + b[c]) + (own ? own[c] : 0.0);
        square += at * at;
    }
    return sqrt(square);
}

/* By slots of edges: what the frames of the records have there. */
static ew_status take_middles(study_envelope *to, const ew_study *study)
{
    const ew_pattern *pattern = &ew_model_topology(study->model)->pattern;
    const ew_edge_rows *rows = ew_model_edge_rows(study->model);
    const double *u = ew_model_displacement(study->model);
    const double *own = rows ? ew_model_edge_state(study->model, 0) : NULL;
    const double *of_vertex = study->fields->vertex_von_mises;
    study_interfaces interfaces;
    EW_TRY(ew_study_take_interfaces(study, true, &interfaces));
    for (int32_t e = 0; e < pattern->n_pair; e++) {
        const int32_t *end = pattern->pair_row + 2 * (size_t)e;
        if (end[0] < 0) {
            continue;
        }
        const int32_t row = rows ? ew_edge_row(rows, e) : -1;
        const double moved = find_middle(u + 3 * (size_t)end[0], u + 3 * (size_t)end[1],
                                         row >= 0 ? own + 3 * (size_t)row : NULL);
        const double mises = interfaces.middle ? interfaces.middle[8 * (size_t)e + 6]
                                               : 0.5 * of_vertex[end[0]] + 0.5 * of_vertex[end[1]];
        double *at = to->middle + 8 * (size_t)e;
        at[0] = fmax(at[0], moved);
        if (to->n_record == 0 || mises > at[6]) {
            at[6] = mises;
            at[7] = study->n_record;
        }
    }
    ew_study_free_interfaces(&interfaces);
    return EW_OK;
}

static ew_status take_places(study_envelope *to, const ew_study *study)
{
    if (!study->report.places) {
        return EW_OK;
    }
    if (to->n_record == 0) {
        ew_places_free(&to->places);
        EW_TRY(ew_places_copy(study->report.places, &to->places));
    }
    ew_places_take_largest(&to->places, study->report.places);
    return EW_OK;
}

static void take_tets(study_envelope *to, const ew_study *study)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    const ew_fields *fields = study->fields;
    const bool first = to->n_record == 0;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (!ew_mesh_tet_is_live(mesh, t)) {
            continue;
        }
        const double *principal = fields->principal + 3 * (size_t)t;
        double *mises = &to->value[STUDY_ENVELOPE_TET_VON_MISES][t];
        double *high = &to->value[STUDY_ENVELOPE_HIGH][t], *low = &to->value[STUDY_ENVELOPE_LOW][t];
        *mises = fmax(*mises, fields->von_mises[t]);
        *high = first ? principal[0] : fmax(*high, principal[0]);
        *low = first ? principal[2] : fmin(*low, principal[2]);
    }
}

/* Extremes of the body. */
static void take_sums(study_envelope *to, const ew_study *study)
{
    const ew_sums *now = study->report.sums;
    ew_sums *all = &to->sums;
    const ew_safety before = to->peak.safety, safety = study->report.peak.safety;
    if (to->n_record == 0) {
        *all = (ew_sums){.max_displacement = -1.0,
                         .max_principal = now->max_principal,
                         .min_principal = now->min_principal};
        to->peak = study->report.peak;
    }
    if (now->max_displacement > all->max_displacement) {
        all->max_displacement = now->max_displacement;
        all->max_displacement_vertex = now->max_displacement_vertex;
        to->displaced = study->n_done;
    }
    if (to->n_record == 0 || study->report.peak.von_mises > to->peak.von_mises) {
        to->peak = study->report.peak;
        to->stressed = study->n_done;
    }
    to->peak.safety = to->n_record == 0 ? safety : before;
    if (safety.yield < to->peak.safety.yield) {
        to->peak.safety.yield = safety.yield;
        to->peak.safety.yield_region = safety.yield_region;
    }
    if (safety.ultimate < to->peak.safety.ultimate) {
        to->peak.safety.ultimate = safety.ultimate;
        to->peak.safety.ultimate_region = safety.ultimate_region;
    }
    all->max_von_mises = to->peak.von_mises;
    all->max_tet_von_mises = fmax(all->max_tet_von_mises, now->max_tet_von_mises);
    all->max_vertex_von_mises = fmax(all->max_vertex_von_mises, now->max_vertex_von_mises);
    all->max_recovered_von_mises = fmax(all->max_recovered_von_mises, now->max_recovered_von_mises);
    all->max_principal = fmax(all->max_principal, now->max_principal);
    all->min_principal = fmin(all->min_principal, now->min_principal);
    all->volume = now->volume;
    all->mass = now->mass;
}

ew_status ew_study_add_to_envelope(ew_study *study, const ew_case_step *step)
{
    study_envelope *to = &study->envelope;
    if (!step->in_envelope || !study->fields || study->report.is_partial) {
        return EW_OK;
    }
    EW_TRY(reserve(to, study));
    EW_TRY(take_places(to, study));
    take_vertices(to, study);
    EW_TRY(take_middles(to, study));
    take_tets(to, study);
    take_sums(to, study);
    study->report.in_envelope = true;
    to->n_record++;
    return EW_OK;
}

void ew_study_report_envelope(ew_study *study)
{
    study_envelope *of = &study->envelope;
    ew_step_report *report = &study->report;
    study->fields = NULL;
    report->solver = NULL;
    report->is_envelope = true;
    report->sums = &of->sums;
    report->peak = of->peak;
    report->has_peak = of->n_record > 0;
    report->envelope_displaced = study->input->step[of->displaced].name;
    report->envelope_stressed = study->input->step[of->stressed].name;
}

void ew_study_free_envelope(ew_study *study)
{
    for (int k = 0; k < STUDY_ENVELOPE_FIELDS; k++) {
        ew_release(study->envelope.value[k]);
    }
    ew_release(study->envelope.middle);
    ew_places_free(&study->envelope.places);
}
