/* Contacts of a case as those of the model, and what comes of them: numbers of a step and of the
 * sets that touch, warnings. */
#include "study/run/run.h"

#include <math.h>

/* Overlaps below this share of the root of the covered area are those of rounding. */
#define NO_OVERLAP 1e-6

ew_status ew_study_require_side(ew_study *study, const char *what, int32_t set, int32_t line)
{
    EW_TRY(ew_study_require_members(study, set, line));
    return study->input->set[set].kind != EW_SET_OF_TETS
               ? EW_OK
               : ew_fail_at(
                     EW_BAD_INPUT, line,
                     "%s: '%.60s' is a set of tets; a side is a set of faces, or of vertices", what,
                     study->input->set[set].name);
}

/* ---- rigid bodies ---------------------------------------------------------------------------- */

/* Files, once. */
static ew_status read_surfaces(ew_study *study)
{
    const ew_case *input = study->input;
    EW_TRY(study->rigid
               ? EW_OK
               : ew_new_zero(&study->rigid, (size_t)input->n_contact, sizeof *study->rigid));
    for (int32_t i = 0; i < input->n_contact; i++) {
        const char *file = input->contact[i].rigid.file;
        ew_surface *to = &study->rigid[i].surface;
        if (!file || to->n_triangle) {
            continue;
        }
        if (!study->def.read_surface) {
            return ew_refuse(EW_RULE_READER, "rigid body: '%s'", file);
        }
        const ew_status status = study->def.read_surface(study->def.user, file, &study->rigid[i]);
        if (status) {
            return ew_fail_line(status, input->contact[i].line);
        }
        ew_case_convert_surface(input, to);
    }
    return EW_OK;
}

void ew_study_free_contacts(ew_study *study)
{
    for (int32_t i = 0; study->rigid && i < study->input->n_contact; i++) {
        ew_polygons_free(&study->rigid[i]);
    }
    ew_release(study->rigid);
    study->rigid = NULL; /* other combinations may have other files */
}

/* Modes, buckling and responses are about the state of the step before, which left the rigid bodies
 * where they are. */
static const ew_case_step *step_that_moves(const ew_case *input, const ew_case_step *step)
{
    while (step > input->step && (step->n_mode || step->response)) {
        step--;
    }
    return step;
}

static void put_rigid(const ew_study *study, const ew_case_step *step, int32_t i,
                      ew_model_contact *to)
{
    const ew_case_rigid *from = &study->input->contact[i].rigid;
    to->rigid = from->as;
    to->rigid.surface = from->file ? &study->rigid[i].surface : NULL;
    to->amplitude = from->as.kind == EW_RIGID_NONE ? 0 : from->amplitude + 1;
    for (int32_t k = 0; k < step->n_rigid; k++) {
        if (step->rigid[k].contact == i) {
            to->rigid.motion = step->rigid[k].motion;
            to->amplitude = step->rigid[k].amplitude + 1;
        }
    }
}

/* ---- to the model ------------------------------------------------------------------------------
 */

/* Of all contacts; what one is of is named by its line. */
static ew_status set_contacts(ew_study *study, const ew_model_contact *list)
{
    const ew_case *input = study->input;
    const ew_status status = ew_model_set_contacts(study->model, input->n_contact, list);
    const int64_t place = status ? ew_last_failure()->id[0] : -1;
    if (place < 0 || place >= input->n_contact) {
        return status;
    }
    const ew_case_contact *of = &input->contact[place];
    if (of->rigid.file) {
        (void)ew_fail_prefix(status, "'%s'", of->rigid.file);
    }
    return ew_fail_line(status, of->line);
}

ew_status ew_study_set_contacts(ew_study *study, const ew_case_step *step)
{
    const ew_case *input = study->input;
    ew_model_contact *list;
    EW_TRY(read_surfaces(study));
    EW_TRY(ew_new(&list, (size_t)input->n_contact, sizeof *list));
    step = step_that_moves(input, step);
    ew_status status = EW_OK;
    for (int32_t i = 0; i < input->n_contact && !status; i++) {
        const ew_case_contact *from = &input->contact[i];
        list[i] = (ew_model_contact){.slave = from->slave,
                                     .master = from->master,
                                     .distance = from->distance,
                                     .has_interference = from->has_interference,
                                     .interference = from->interference,
                                     .friction = from->friction};
        put_rigid(study, step, i, &list[i]);
        if (from->slave >= 0) {
            status = ew_study_require_side(study, "a contact", from->slave, from->line);
        }
        if (from->master >= 0 && !status) {
            status = ew_study_require_side(study, "a contact", from->master, from->line);
        }
    }
    status = status ? status : set_contacts(study, list);
    ew_release(list);
    return status;
}

static void warn(ew_study *study, const ew_case_contact *of, const ew_model_contact_report *report)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    const double *x = mesh->xyz + 3 * (size_t)report->overlap_vertex;
    if (!report->n_point && of->rigid.as.kind != EW_RIGID_NONE) {
        ew_study_warn(study, EW_WARNING_NO_CONTACT, of->line,
                      "contact: no face of the slave looks at the rigid body or is as near; see "
                      "where it is, its normal and 'inside', or give a larger distance");
    } else if (!report->n_point) {
        ew_study_warn(study, EW_WARNING_NO_CONTACT, of->line,
                      "contact: no face of a slave meets one of a master: parts are apart or "
                      "overlap by more than the distance, or do not look at each other; move them, "
                      "or give a larger distance");
    } else if (!of->has_interference && report->overlap > NO_OVERLAP * sqrt(report->covered)) {
        ew_study_warn(
            study, EW_WARNING_OVERLAP, of->line,
            "contact: parts overlap by up to %.3g before any load acts, at (%.4g, %.4g, "
            "%.4g), which presses them apart; where no point of a face is inside, faces "
            "are too wide beside the curvature of what they meet: refine them there; give "
            "an interference if the overlap is of the mesh alone",
            report->overlap, x[0], x[1], x[2]);
    }
}

static void add(ew_step_report *to, const ew_model_contact_report *part)
{
    if (part->n_point) {
        to->contact_gap = to->has_contact ? fmin(to->contact_gap, part->min_gap) : part->min_gap;
        to->has_contact = true;
    }
    to->n_closed_point += part->n_closed;
    to->contact_area += part->area;
    to->contact_force += part->normal_force;
    to->contact_pressure = fmax(to->contact_pressure, part->max_pressure);
    to->n_slip_point += part->n_slip;
    to->friction_force += part->friction_force;
    to->max_slip = fmax(to->max_slip, part->max_slip);
}

ew_status ew_study_report_contacts(ew_study *study)
{
    const ew_case *input = study->input;
    ew_step_report *report = &study->report;
    if (input->n_contact && (report->modes || report->buckling || report->has_response)) {
        report->has_linked = true;
        report->n_closed_point = ew_model_n_closed(study->model);
    }
    for (int32_t i = 0; i < input->n_contact && report->solver; i++) {
        ew_model_contact_report of;
        EW_TRY(ew_model_view_contact(study->model, i, &of));
        warn(study, &input->contact[i], &of);
        add(report, &of);
        report->has_friction = report->has_friction || input->contact[i].friction > 0.0;
    }
    return EW_OK;
}

void ew_study_report_contact_of_set(const ew_study *study, int32_t set, ew_set_report *report)
{
    const ew_case *input = study->input;
    for (int32_t i = 0; i < input->n_contact && study->report.solver; i++) {
        const ew_case_contact *from = &input->contact[i];
        const bool is_slave = from->slave == set;
        ew_model_contact_report of;
        if ((!is_slave && from->master != set) || ew_model_view_contact(study->model, i, &of)) {
            continue;
        }
        report->has_contact = true;
        report->has_contact_force = report->has_contact_force || from->master != from->slave;
        report->has_rigid = report->has_rigid || from->rigid.as.kind != EW_RIGID_NONE;
        report->contact_area += of.area;
        report->contact_pressure = fmax(report->contact_pressure, of.max_pressure);
        for (int c = 0; c < 3; c++) {
            report->contact_moment[c] += of.moment[c];
            report->contact_force[c] += from->master == from->slave ? 0.0
                                        : is_slave                  ? of.force[c]
                                                                    : -of.force[c];
        }
    }
}
