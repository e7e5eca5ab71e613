/* Contacts of a case as those of the model, and what comes of them: numbers of a step and of the
 * sets that touch, warnings. */
#include "study/run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Overlaps below this share of the root of the covered area are those of rounding. */
#define NO_OVERLAP 1e-6
/* Of the gap that a contact closes what wide faces may add to it. Of a face of size h on a surface
 * of radius R, pressed over a half width a, they add h^2 / 12 R to a^2 / 2 R: this is h / a = 0.77.
 */
#define WIDE 0.1
/* Of the size of a face how deep single points may be inside what they meet. */
#define DEPTH 0.1
/* Changes of a point that are turns. */
enum { TURNS = 4 };

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

/* What meets what, in warnings. */
typedef struct pair_name {
    char text[160];
} pair_name;

/* The region that a vertex is of. */
static void name_region(const ew_study *study, int32_t vertex, char name[64])
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    const ew_rows *rows = &ew_model_topology(study->model)->vertex_to_tet;
    const int32_t label = mesh->region_label[mesh->region[rows->item[rows->begin[vertex]]]];
    const char *given =
        study->def.groups ? ew_groups_label_name(study->def.groups, EW_GROUP_TETS, label) : NULL;
    if (given) {
        snprintf(name, 64, "'%.40s'", given);
    } else {
        snprintf(name, 64, "region %d", (int)label);
    }
}

/* At a slave vertex, over a master vertex or none. */
static pair_name name_pair(const ew_study *study, const ew_case_contact *of, int32_t vertex,
                           int32_t over)
{
    const ew_case_set *set = study->input->set;
    pair_name name = {"all parts"};
    const char *slave = of->slave < 0 || set[of->slave].is_unnamed ? NULL : set[of->slave].name;
    const char *master = of->master < 0 || set[of->master].is_unnamed ? NULL : set[of->master].name;
    if (of->slave < 0 && over >= 0) {
        char part[2][64];
        name_region(study, vertex, part[0]);
        name_region(study, over, part[1]);
        const bool is_one = !strcmp(part[0], part[1]);
        snprintf(name.text, sizeof name.text, is_one ? "parts of %s" : "%s on %s", part[0],
                 part[1]);
    } else if (of->slave >= 0 && of->slave == of->master) {
        snprintf(name.text, sizeof name.text, "'%.40s'", slave ? slave : "the set");
    } else if (of->slave >= 0) {
        snprintf(name.text, sizeof name.text, "'%.40s' on %s%.40s%s", slave ? slave : "the slave",
                 master ? "'" : "",
                 of->rigid.as.kind != EW_RIGID_NONE ? "the rigid body"
                 : master                           ? master
                                                    : "the master",
                 master ? "'" : "");
    }
    return name;
}

/* The same at a slave vertex, of contact i. */
static pair_name name_pair_at(const ew_study *study, int32_t i, int32_t vertex)
{
    return name_pair(study, &study->input->contact[i], vertex,
                     ew_model_find_master(study->model, i, vertex));
}

static void warn(ew_study *study, int32_t i, const ew_model_contact_report *report)
{
    const ew_case_contact *of = &study->input->contact[i];
    const ew_mesh *mesh = ew_model_mesh(study->model);
    const double *x = mesh->xyz + 3 * (size_t)report->overlap_vertex;
    const double rounding = NO_OVERLAP * sqrt(report->covered);
    if (!report->n_point && of->rigid.as.kind != EW_RIGID_NONE) {
        ew_study_warn(study, EW_WARNING_NO_CONTACT, of->line,
                      "contact: no face of the slave looks at the rigid body or is as near; see "
                      "where it is, its normal and 'inside', or give a larger distance");
    } else if (!report->n_point) {
        ew_study_warn(study, EW_WARNING_NO_CONTACT, of->line,
                      "contact: no face of a slave meets one of a master: parts are apart or "
                      "overlap by more than the distance, or do not look at each other; move them, "
                      "or give a larger distance");
    } else if (!of->has_interference && report->overlap > rounding) {
        ew_study_warn(study, EW_WARNING_OVERLAP, of->line,
                      "contact: parts overlap by up to %.3g before any load acts, at (%.4g, %.4g, "
                      "%.4g) of %s, which presses them apart; move them, or give an interference "
                      "if the overlap is of the mesh alone",
                      report->overlap, x[0], x[1], x[2],
                      name_pair_at(study, i, report->overlap_vertex).text);
    }
    if (!of->has_interference && report->wide_overlap > fmax(rounding, WIDE * report->bridged)) {
        x = mesh->xyz + 3 * (size_t)report->wide_vertex;
        ew_study_warn(
            study, EW_WARNING_WIDE_FACES, of->line,
            "contact: faces of %.3g at (%.4g, %.4g, %.4g), of %s, are too wide beside the "
            "curvature of what they meet: their mean gap is an overlap of %.3g, which presses "
            "the parts apart, though single points are inside by less than half of that; refine "
            "them there, or let the curved side be the slave",
            report->wide_size, x[0], x[1], x[2], name_pair_at(study, i, report->wide_vertex).text,
            report->wide_overlap);
    }
}

/* Faces meet where the mesh has them, and each point keeps a mean gap: where parts slide far or
 * faces are coarse beside what they meet, single points are inside. */
static ew_status warn_of_depth(ew_study *study, int32_t i)
{
    const ew_case_contact *of = &study->input->contact[i];
    ew_model_penetration found = {0};
    const ew_status status =
        of->has_interference ? EW_OK : ew_model_find_penetration(study->model, i, &found);
    if (status == EW_LIMIT || status == EW_BAD_INPUT) {
        return EW_OK; /* displaced faces that are flat, or lie in heaps: the answer stands */
    }
    EW_TRY(status);
    if (found.depth > DEPTH * found.size) {
        const double *x = ew_model_mesh(study->model)->xyz + 3 * (size_t)found.vertex;
        const bool is_large = study->input->kinematics != EW_SMALL;
        ew_study_warn(study, EW_WARNING_PENETRATION, of->line,
                      "contact: displaced, points of %s are inside what they meet by up to %.3g at "
                      "(%.4g, %.4g, %.4g), of faces of %.3g there: %s",
                      name_pair(study, of, found.vertex, found.master).text, found.depth, x[0],
                      x[1], x[2], found.size,
                      is_large ? "refine them"
                               : "parts that slide or turn far need 'kinematics: corotational', "
                                 "else refine them");
    }
    return EW_OK;
}

/* Of the contact whose points took turns most often, if any did. */
static void warn_of_turns(ew_study *study, int32_t i, const ew_model_contact_report *report)
{
    const double *x = ew_model_mesh(study->model)->xyz + 3 * (size_t)report->change_vertex;
    const pair_name name = name_pair_at(study, i, report->change_vertex);
    ew_study_warn(study, EW_WARNING_CHATTER, study->input->contact[i].line,
                  "contact: points of %s took turns: that at (%.4g, %.4g, %.4g) closed and opened "
                  "%d times in %d rounds, until points changed one at a time; which of them press "
                  "may hang on little there: give these faces a finer mesh, or loads in more steps",
                  name.text, x[0], x[1], x[2], (int)report->n_change, (int)report->n_round);
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
    ew_model_contact_report worst = {.n_change = TURNS - 1};
    int32_t at = -1;
    for (int32_t i = 0; i < input->n_contact && report->solver; i++) {
        ew_model_contact_report of;
        EW_TRY(ew_model_view_contact(study->model, i, &of));
        warn(study, i, &of);
        add(report, &of);
        EW_TRY(warn_of_depth(study, i));
        report->has_friction = report->has_friction || input->contact[i].friction > 0.0;
        if (of.n_change > worst.n_change) {
            worst = of;
            at = i;
        }
    }
    if (at >= 0) {
        warn_of_turns(study, at, &worst);
    }
    return EW_OK;
}

/* Where all parts meet, what others do to a set of any kind. */
static ew_status add_of_all(const ew_study *study, int32_t contact, int32_t set,
                            ew_set_report *report)
{
    ew_model_contact_sum of;
    EW_TRY(ew_model_sum_contact(study->model, contact, set, &of));
    if (!of.n_point) {
        return EW_OK;
    }
    report->has_contact = report->has_contact_force = true;
    report->contact_area += of.area;
    report->contact_pressure = fmax(report->contact_pressure, of.max_pressure);
    for (int c = 0; c < 3; c++) {
        report->contact_force[c] += of.force[c];
    }
    return EW_OK;
}

ew_status ew_study_report_contact_of_set(const ew_study *study, int32_t set, ew_set_report *report)
{
    const ew_case *input = study->input;
    for (int32_t i = 0; i < input->n_contact && study->report.solver; i++) {
        const ew_case_contact *from = &input->contact[i];
        const bool is_slave = from->slave == set, is_of_all = from->slave < 0;
        ew_model_contact_report of;
        if ((!is_of_all && !is_slave && from->master != set) ||
            ew_model_view_contact(study->model, i, &of)) {
            continue;
        }
        if (is_of_all) {
            EW_TRY(add_of_all(study, i, set, report));
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
    return EW_OK;
}
