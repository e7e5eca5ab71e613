/* A step of a harmonic response, direct or by modes, a response spectrum or a random vibration, by
 * modes. In: the model after the step's edits. Out: records with the amplitude, the combined
 * maximum or the root mean square of displacement and stress at each place: the root of the sum of
 * the squares of what the columns of amplitudes of modes or vectors (ew_modal_harmonic, ew_harmonic
 * ...) come to there. The von Mises stress of these columns adds up likewise, since its square is
 * quadratic in stress (Segalman et al. 1998); of a harmonic response it is what it never exceeds in
 * a period. The displacement of the model stays what it was. */
#include "study/run/response.h"

#include <math.h>
#include <string.h>

static const ew_edge_rows *rows_of(const response *in)
{
    return ew_model_edge_rows(in->study->model);
}

static ew_status make_room(response *in)
{
    const size_t n = 3 * (in->n_vertex + in->n_edge);
    const size_t width[4] = {6 * in->n_vertex, in->n_vertex, 6 * in->n_tet, in->n_tet};
    EW_TRY(ew_new(&in->before, n, sizeof(double)));
    EW_TRY(ew_new_zero(&in->load, n, sizeof(double)));
    EW_TRY(ew_new(&in->u[0], n, sizeof(double)));
    EW_TRY(ew_new(&in->u[1], n, sizeof(double)));
    EW_TRY(ew_new(&in->square, n, sizeof(double)));
    for (int k = 0; k < 4; k++) {
        EW_TRY(ew_new(&in->stress[k], width[k] + 1, sizeof(double)));
    }
    EW_TRY(in->of->kind == EW_RESPONSE_HARMONIC ? response_make_parts(in) : EW_OK);
    memcpy(in->before, ew_model_displacement(in->study->model), 3 * in->n_vertex * sizeof(double));
    if (in->n_edge) {
        memcpy(in->before + 3 * in->n_vertex, ew_model_edge_displacement(in->study->model),
               3 * in->n_edge * sizeof(double));
    }
    return EW_OK;
}

static void free_room(response *in)
{
    ew_release(in->before);
    ew_release(in->load);
    ew_release(in->u[0]);
    ew_release(in->u[1]);
    ew_release(in->square);
    ew_release(in->force);
    ew_release(in->column);
    for (int k = 0; k < 4; k++) {
        ew_release(in->stress[k]);
    }
    response_free_parts(in);
}

static void put_displacement(response *in, const double *u)
{
    ew_model *model = in->study->model;
    memcpy(ew_model_field(model, 0), u, 3 * in->n_vertex * sizeof *u);
    if (in->n_edge) { /* as many as there are: it cannot fail */
        (void)ew_model_put_edge_displacement(model, (int32_t)in->n_edge, u + 3 * in->n_vertex);
    }
}

/* ---- modal forces ------------------------------------------------------------------------- */

static ew_status take_loads(response *in)
{
    ew_study *study = in->study;
    EW_TRY(ew_study_set_loads(study, in->step, true));
    EW_TRY(ew_study_update_loads(study, in->step));
    const double *f = ew_model_force(study->model), *of_edges = ew_model_edge_force(study->model);
    memcpy(in->load, f, 3 * in->n_vertex * sizeof *f);
    if (in->n_edge) {
        memcpy(in->load + 3 * in->n_vertex, of_edges, 3 * in->n_edge * sizeof *f);
    }
    return EW_OK;
}

static void project_loads(response *in)
{
    const size_t n = 3 * (in->n_vertex + in->n_edge);
    for (int32_t k = 0; k < in->modes->n; k++) {
        const double *shape = in->modes->shape + n * (size_t)k;
        for (size_t i = 0; i < n; i++) {
            in->force[k] += shape[i] * in->load[i];
        }
    }
}

/* Along the direction; *carried: the share of the mass that the modes take along. */
static void take_participation(response *in, double *carried)
{
    const double *d = in->of->direction;
    double sum = 0.0;
    for (int32_t k = 0; k < in->modes->n; k++) {
        const double *p = in->modes->participation + 3 * (size_t)k;
        in->force[k] = d[0] * p[0] + d[1] * p[1] + d[2] * p[2];
        sum += in->force[k] * in->force[k];
    }
    *carried = sum / in->modes->mass;
}

/* ---- sums of squares ---------------------------------------------------------------------- */

static void add_squares(double *to, const double *from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        to[i] += from[i] * from[i];
    }
}

/* Displacement at the middle of an edge beside what the mean of its ends makes. */
static double at_middle(const response *in, const double *u, int32_t row, int c, bool add)
{
    const int32_t edge = rows_of(in)->edge[row];
    const int32_t *end = ew_model_topology(in->study->model)->pattern.pair_row + 2 * (size_t)edge;
    const double mean =
        0.5 * (u[3 * (size_t)end[0] + (size_t)c] + u[3 * (size_t)end[1] + (size_t)c]);
    const double own = u[3 * (in->n_vertex + (size_t)row) + (size_t)c];
    return add ? own + mean : own - mean;
}

static void add_displacement(response *in, const double *u)
{
    add_squares(in->square, u, 3 * in->n_vertex);
    for (size_t row = 0; row < in->n_edge; row++) {
        for (int c = 0; c < 3 && rows_of(in)->edge[row] >= 0; c++) {
            const double middle = at_middle(in, u, (int32_t)row, c, true);
            in->square[3 * (in->n_vertex + row) + (size_t)c] += middle * middle;
        }
    }
}

static void sum_shapes(const response *in, const double *q, double *u)
{
    const size_t n = 3 * (in->n_vertex + in->n_edge);
    memset(u, 0, n * sizeof *u);
    for (int32_t k = 0; k < in->n_shape; k++) {
        const double *shape = in->shape + n * (size_t)k;
        for (size_t i = 0; i < n && q[k] != 0.0; i++) {
            u[i] += q[k] * shape[i];
        }
    }
}

/* part: as of ew_study_add_places. */
static ew_status add_column(response *in, const double *u, const ew_fields *fields, bool is_first,
                            int part)
{
    add_displacement(in, u);
    add_squares(in->stress[0], fields->vertex_stress, 6 * in->n_vertex);
    add_squares(in->stress[1], fields->vertex_von_mises, in->n_vertex);
    add_squares(in->stress[2], fields->stress, 6 * in->n_tet);
    add_squares(in->stress[3], fields->von_mises, in->n_tet);
    return ew_study_add_places(in->study, fields, is_first, part);
}

static ew_status add_all(response *in, const double *column, int32_t n_column)
{
    ew_study *study = in->study;
    const ew_fields *fields;
    for (int32_t i = 0; i < n_column; i++) {
        sum_shapes(in, column + (size_t)i * (size_t)in->n_shape, in->u[0]);
        put_displacement(in, in->u[0]);
        EW_TRY(ew_model_recover_shape(study->model, in->u[0], &fields, &study->report.sums));
        EW_TRY(add_column(in, in->u[0], fields, i == 0, -1));
    }
    return EW_OK;
}

/* Dampers of modes act between the body and its supports as they move, not on these. */
static ew_status add_parts(response *in, const double *column, double frequency)
{
    ew_study *study = in->study;
    const ew_fields *fields;
    const ew_harmonic_motion motion = {.frequency = frequency,
                                       .damping = in->of->more,
                                       .mass = in->step->mass,
                                       .load = in->load,
                                       .u = {in->u[0], in->u[1]}};
    sum_shapes(in, column, in->u[0]);
    sum_shapes(in, column + in->n_shape, in->u[1]);
    for (int part = 0; part < 2; part++) {
        EW_TRY(
            ew_model_recover_harmonic(study->model, &motion, part, &fields, &study->report.sums));
        EW_TRY(add_column(in, in->u[part], fields, part == 0, part));
        EW_TRY(response_take_part(in, part, fields));
    }
    return EW_OK;
}

static void take_roots(double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        values[i] = sqrt(values[i]);
    }
}

static ew_status add_columns(response *in, int32_t k, const double *column, int32_t n_column)
{
    const size_t width[4] = {6 * in->n_vertex, in->n_vertex, 6 * in->n_tet, in->n_tet};
    const size_t n = 3 * (in->n_vertex + in->n_edge);
    const bool is_harmonic = in->of->kind == EW_RESPONSE_HARMONIC;
    memset(in->square, 0, n * sizeof *in->square);
    for (int i = 0; i < 4; i++) {
        memset(in->stress[i], 0, width[i] * sizeof(double));
    }
    EW_TRY(ew_model_set_loads(in->study->model, 0, NULL));
    EW_TRY(is_harmonic ? add_parts(in, column, in->of->frequency[k])
                       : add_all(in, column, n_column));
    take_roots(in->square, n);
    for (int i = 0; i < 4; i++) {
        take_roots(in->stress[i], width[i]);
    }
    EW_TRY(is_harmonic ? response_join_parts(in) : EW_OK);
    for (size_t row = 0; row < in->n_edge; row++) {
        for (int c = 0; c < 3 && rows_of(in)->edge[row] >= 0; c++) {
            in->square[3 * (in->n_vertex + row) + (size_t)c] =
                at_middle(in, in->square, (int32_t)row, c, false);
        }
    }
    put_displacement(in, in->square);
    return EW_OK;
}

/* ---- a record ------------------------------------------------------------------------------ */

static void take_extremes(response *in)
{
    ew_study *study = in->study;
    const ew_mesh *mesh = ew_model_mesh(study->model);
    ew_sums *sums = &study->body;
    ew_peak *peak = &study->report.peak;
    ew_study_measure_body(study);
    sums->max_displacement_vertex = sums->max_vertex_von_mises_vertex = -1;
    sums->max_tet_von_mises_tet = -1;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *u = in->square + 3 * (size_t)v;
        const double moved = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        if (ew_mesh_vertex_is_active(mesh, v) && moved > sums->max_displacement) {
            sums->max_displacement = moved;
            sums->max_displacement_vertex = v;
        }
        if (ew_mesh_vertex_is_active(mesh, v) && in->stress[1][v] > sums->max_vertex_von_mises) {
            sums->max_vertex_von_mises = in->stress[1][v];
            sums->max_vertex_von_mises_vertex = v;
        }
    }
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t) && in->stress[3][t] > sums->max_tet_von_mises) {
            sums->max_tet_von_mises = in->stress[3][t];
            sums->max_tet_von_mises_tet = t;
        }
    }
    const bool of_tet = sums->max_tet_von_mises >= sums->max_vertex_von_mises;
    const int32_t t = of_tet ? sums->max_tet_von_mises_tet : -1;
    sums->max_von_mises = fmax(sums->max_tet_von_mises, sums->max_vertex_von_mises);
    *peak =
        (ew_peak){.von_mises = sums->max_von_mises,
                  .of = of_tet ? EW_PEAK_OF_TET : EW_PEAK_AVERAGED,
                  .tet = t,
                  .vertex = t >= 0 ? mesh->tet[4 * (size_t)t] : sums->max_vertex_von_mises_vertex,
                  .region = t >= 0 ? mesh->region[t] : -1,
                  .safety = {INFINITY, INFINITY, -1, -1}};
    study->report.has_peak = true;
}

static void fill_report(response *in, int32_t k, double carried)
{
    const ew_harmonic *direct = in->direct;
    ew_step_report *report = &in->study->report;
    report->solver = NULL;
    report->has_response = true;
    report->response =
        (ew_response_report){.kind = in->of->kind,
                             .n_mode = in->modes ? in->modes->n : 0,
                             .n_vector = direct ? direct->n : 0,
                             .n_solve = direct ? direct->n_solve : 0,
                             .residual = direct ? direct->residual[k] : 0.0,
                             .record = k,
                             .frequency = in->of->n_frequency ? in->of->frequency[k] : 0.0,
                             .highest = in->modes ? in->modes->frequency[in->modes->n - 1] : 0.0,
                             .carried = carried};
}

static ew_status add_record(response *in, int32_t k, const double *column, int32_t n_column,
                            double carried)
{
    ew_study *study = in->study;
    EW_TRY(k ? ew_study_begin_record(study, in->step) : EW_OK);
    EW_TRY(add_columns(in, k, column, n_column));
    take_extremes(in);
    in->fields = (ew_fields){.n_vertex = (int32_t)in->n_vertex,
                             .n_tet = (int32_t)in->n_tet,
                             .reaction = in->harmonic.reaction,
                             .vertex_stress = in->stress[0],
                             .vertex_von_mises = in->stress[1],
                             .stress = in->stress[2],
                             .von_mises = in->stress[3]};
    study->fields = &in->fields;
    fill_report(in, k, carried);
    const ew_status status = ew_study_end_record(study, in->step);
    study->fields = NULL;
    study->harmonic = NULL;
    return status;
}

static void judge(ew_study *study, const ew_case_response *of, double carried, double highest)
{
    double frequency = 0.0;
    for (int32_t k = 0; k < of->n_frequency; k++) {
        frequency = fmax(frequency, of->frequency[k]);
    }
    if (of->kind != EW_RESPONSE_HARMONIC && carried < 0.9) {
        ew_study_warn(
            study, EW_WARNING_TRUNCATED, 0,
            "the %d modes take %.0f %% of the mass along this direction, less than 90 %%: "
            "what the others carry is missing; ask for more modes",
            (int)of->n_mode, 100.0 * carried);
    }
    if (of->kind == EW_RESPONSE_HARMONIC && frequency > 0.67 * highest) {
        ew_study_warn(study, EW_WARNING_TRUNCATED, 0,
                      "the frequencies go up to %.4g, and the highest of the %d modes is %.4g: ask "
                      "for modes up to one and a half times the frequencies",
                      frequency, (int)of->n_mode, highest);
    }
}

static ew_status find_modes(response *in)
{
    ew_study *study = in->study;
    const size_t n_mode = (size_t)in->of->n_mode;
    const ew_modes_def def = {.count = in->of->n_mode,
                              .mass = in->step->mass,
                              .direct = study->def.direct,
                              .eigen = study->def.eigen,
                              .progress = study->def.progress};
    EW_TRY(ew_model_modes(study->model, &def, &in->modes));
    in->n_shape = in->modes->n;
    in->shape = in->modes->shape;
    EW_TRY(ew_new_zero(&in->force, n_mode, sizeof(double)));
    EW_TRY(ew_new(&in->column, (n_mode + 2) * n_mode, sizeof(double)));
    return in->modes->n_rigid == 0
               ? EW_OK
               : ew_fail(EW_UNDER_CONSTRAINED,
                         "the body has %d rigid motions, and what it does by them has no limit; "
                         "hold it by 'constraints'%s",
                         (int)in->modes->n_rigid,
                         in->of->kind == EW_RESPONSE_HARMONIC ? " or take 'method: direct'" : "");
}

static ew_status find_columns(response *in, const ew_modal *modal, int32_t k, int32_t *n_column)
{
    const ew_case_response *of = in->of;
    *n_column = 2;
    if (of->kind == EW_RESPONSE_HARMONIC) {
        ew_modal_harmonic(modal, in->force, of->frequency[k], in->column);
        return EW_OK;
    }
    return of->kind == EW_RESPONSE_SPECTRUM
               ? ew_modal_spectrum(modal, in->force, of->n_point, (const double(*)[2])of->table,
                                   of->correlated, in->column, n_column)
               : ew_modal_random(modal, in->force, of->n_point, (const double(*)[2])of->table,
                                 in->column, n_column);
}

/* Modes are at rest where supports are; a motion of these is the amplitude of a displacement. */
static ew_status check_supports(const response *in)
{
    const ew_case *input = in->study->input;
    const bool own = in->step->own_constraints;
    const ew_case_constraint *list = own ? in->step->constraint : input->constraint;
    for (int32_t i = 0; i < (own ? in->step->n_constraint : input->n_constraint); i++) {
        const double *u = list[i].value;
        if (list[i].is_velocity) {
            return ew_fail_at(EW_BAD_INPUT, list[i].line,
                              "step '%.60s': a support with a velocity is of dynamic steps; give "
                              "the amplitude of its displacement",
                              in->step->name);
        }
        if (!in->of->is_direct && !list[i].is_spring &&
            (u[0] != 0.0 || u[1] != 0.0 || u[2] != 0.0)) {
            return ew_fail_at(EW_BAD_INPUT, list[i].line,
                              "step '%.60s': modes are of supports at rest, and this one moves; "
                              "take 'harmonic: {method: direct, ...}' or leave its motion out",
                              in->step->name);
        }
    }
    return EW_OK;
}

static ew_status run_modes(response *in)
{
    double carried = 1.0;
    int32_t n_column;
    const bool is_harmonic = in->of->kind == EW_RESPONSE_HARMONIC;
    EW_TRY(is_harmonic ? take_loads(in) : EW_OK);
    EW_TRY(find_modes(in));
    const ew_modal modal = {in->modes->n, in->modes->frequency, in->of->damping, in->of->more};
    if (is_harmonic) {
        project_loads(in);
    } else {
        take_participation(in, &carried);
    }
    judge(in->study, in->of, carried, in->modes->frequency[in->modes->n - 1]);
    for (int32_t k = 0; k < in->step->n_mode; k++) {
        EW_TRY(find_columns(in, &modal, k, &n_column));
        EW_TRY(add_record(in, k, in->column, n_column, carried));
    }
    return EW_OK;
}

static ew_status run_direct(response *in)
{
    ew_study *study = in->study;
    ew_harmonic_def def = ew_default_harmonic_def();
    def.n_frequency = in->of->n_frequency;
    def.frequency = in->of->frequency;
    def.load = in->load;
    def.damping = in->of->more;
    def.mass = in->step->mass;
    def.direct = study->def.direct;
    def.progress = study->def.progress;
    EW_TRY(take_loads(in));
    EW_TRY(ew_model_harmonic(study->model, &def, &in->direct));
    in->n_shape = in->direct->n;
    in->shape = in->direct->vector;
    for (int32_t k = 0; k < in->step->n_mode; k++) {
        const double *column = in->direct->column + 2 * (size_t)k * (size_t)in->direct->n;
        EW_TRY(add_record(in, k, column, 2, 1.0));
    }
    return EW_OK;
}

ew_status ew_study_run_response(ew_study *study, const ew_case_step *step)
{
    const ew_edge_rows *rows = ew_model_edge_rows(study->model);
    const ew_mesh *mesh = ew_model_mesh(study->model);
    response in = {.study = study,
                   .step = step,
                   .of = step->response,
                   .n_vertex = (size_t)mesh->n_vertex,
                   .n_edge = rows ? (size_t)rows->pattern.n_row : 0,
                   .n_tet = (size_t)mesh->n_tet};
    EW_TRY(ew_model_set_operator(study->model, EW_STORED)); /* for the factor */
    EW_TRY(ew_study_set_supports(study, step));
    EW_TRY(check_supports(&in));
    ew_status status = make_room(&in);
    if (!status) {
        status = in.of->is_direct ? run_direct(&in) : run_modes(&in);
        put_displacement(&in, in.before);
    }
    free_room(&in);
    return status;
}
