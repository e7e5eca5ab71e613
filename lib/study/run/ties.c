/* Ties of a case as those of the model, and what comes of them: numbers of a step and of the sets
 * that are tied, warnings of what is not. */
#include "study/run/run.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Whether the tension of a bolt acts, in place of the shortening that it came to. */
static bool is_tensioned(const ew_study *study, int32_t i)
{
    const ew_case_tie *from = &study->input->tie[i];
    return from->is_bolt && from->force > 0.0 &&
           (!from->is_locked || study->preload_step < 0 || study->n_done == study->preload_step);
}

/* Of an amplitude none: the tension is static. */
static double tension_of(const ew_study *study, int32_t i)
{
    const ew_case *input = study->input;
    const bool is_amplitude = study->n_done < input->n_step && input->step[study->n_done].response;
    return is_tensioned(study, i) && !is_amplitude ? input->tie[i].force : 0.0;
}

/* ---- sides that are images ----------------------------------------------------------------------
 */

static const char *name_of(const ew_case_tie *tie)
{
    return tie->is_bolt       ? "preload"
           : tie->sectors     ? "cyclic"
           : tie->is_periodic ? "periodic"
                              : "tie";
}

/* Rodrigues' formula, about an axis of length 1. */
static void find_turn(const double axis[3], double angle, double turn[9])
{
    const double sine = sin(angle), versine = 1.0 - cos(angle);
    for (int i = 0; i < 9; i++) {
        const int a = i / 3, b = i % 3, c = 3 - a - b;
        const double cross = a == b ? 0.0 : (b - a + 3) % 3 == 1 ? -axis[c] : axis[c];
        turn[i] = (a == b ? 1.0 - versine : 0.0) + versine * axis[a] * axis[b] + sine * cross;
    }
}

static void multiply(const double turn[9], const double x[3], double out[3])
{
    for (int c = 0; c < 3; c++) {
        out[c] = turn[3 * c] * x[0] + turn[3 * c + 1] * x[1] + turn[3 * c + 2] * x[2];
    }
}

static double away(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* Round the axis by one sector, to the side where the slave is. */
static void turn_sector(const ew_case_tie *from, const ew_set_measure side[2], ew_model_tie *to)
{
    const double length = hypot(hypot(from->axis[0], from->axis[1]), from->axis[2]);
    const double angle = 2.0 * acos(-1.0) / from->sectors;
    double best = INFINITY, axis[3];
    for (int c = 0; c < 3; c++) {
        axis[c] = from->axis[c] / length;
    }
    for (int sign = 1; sign >= -1; sign -= 2) {
        double turn[9], shift[3], image[3];
        find_turn(axis, sign * angle, turn);
        multiply(turn, from->point, shift);
        multiply(turn, side[1].centroid, image);
        for (int c = 0; c < 3; c++) {
            shift[c] = from->point[c] - shift[c];
            image[c] += shift[c];
        }
        if (away(image, side[0].centroid) < best) {
            best = away(image, side[0].centroid);
            memcpy(to->turn, turn, sizeof turn);
            memcpy(to->shift, shift, sizeof shift);
        }
    }
}

ew_status ew_study_take_sector(const ew_study *study, int32_t diameter, ew_modes_def *def)
{
    const ew_case_tie *from = study->input->tie;
    ew_set_measure side[2];
    ew_model_tie to;
    double along = 0.0;
    while (!from->sectors) { /* the case has one */
        from++;
    }
    EW_TRY(ew_model_measure_set(study->model, from->slave, &side[0]));
    EW_TRY(ew_model_measure_set(study->model, from->master, &side[1]));
    turn_sector(from, side, &to);
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        along += from->axis[c] * (to.turn[3 * e + d] - to.turn[3 * d + e]);
    }
    def->tie = (int32_t)(from - study->input->tie);
    def->sectors = from->sectors;
    def->diameter = along < 0.0 ? -diameter : diameter;
    return EW_OK;
}

/* From the box of the master to that of the slave. */
static ew_status shift_cell(const ew_study *study, const ew_case_tie *from,
                            const ew_set_measure side[2], ew_model_tie *to)
{
    static const int place[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2};
    double size = 0.0, off = 0.0;
    for (int c = 0; c < 3; c++) {
        const double low = side[0].low[c] - side[1].low[c],
                     high = side[0].high[c] - side[1].high[c];
        to->turn[4 * c] = 1.0;
        to->shift[c] = 0.5 * (low + high);
        off = fmax(off, fabs(high - low));
        size = fmax(size, side[0].high[c] - side[0].low[c]);
    }
    for (int i = 0; i < 9; i++) {
        to->jump[i / 3] += (i % 4 ? 0.5 : 1.0) * from->strain[place[i]] * to->shift[i % 3];
    }
    return off <= 1e-3 * size
               ? EW_OK
               : ew_fail_at(EW_BAD_INPUT, from->line,
                            "periodic: the sides '%.60s' and '%.60s' differ in size by %g; a slave "
                            "is its master shifted",
                            study->input->set[from->slave].name,
                            study->input->set[from->master].name, off);
}

/* Where a side has left the body nothing is tied, which is told. */
static ew_status put_image(const ew_study *study, const ew_case_tie *from, ew_model_tie *to)
{
    ew_set_measure side[2];
    to->kind = EW_TIE_CYCLIC;
    EW_TRY(ew_model_measure_set(study->model, from->slave, &side[0]));
    EW_TRY(ew_model_measure_set(study->model, from->master, &side[1]));
    if (from->sectors) {
        turn_sector(from, side, to);
        return EW_OK;
    }
    return shift_cell(study, from, side, to);
}

/* ---- all
 * -----------------------------------------------------------------------------------------
 */

/* What faces of a set come to along an axis; sides that move along themselves hold nothing. */
static ew_status measure_along(const ew_study *study, const ew_case_tie *from, int32_t set,
                               const double axis[3], double *area)
{
    ew_set_measure of;
    EW_TRY(ew_model_measure_set(study->model, set, &of));
    *area = fabs(axis[0] * of.facing[0] + axis[1] * of.facing[1] + axis[2] * of.facing[2]) /
            fmax(hypot(hypot(axis[0], axis[1]), axis[2]), DBL_MIN);
    return of.area > 0.0 && *area < 0.1 * of.area
               ? ew_fail_at(EW_BAD_INPUT, from->line,
                            "a preload: its axis lies in the faces of '%.60s', so that nothing "
                            "pulls along it; give the direction of the bolt, as edits have turned "
                            "it",
                            study->input->set[set].name)
               : EW_OK;
}

static ew_status put_bolt(const ew_study *study, int32_t i, ew_model_tie *to)
{
    const ew_case_tie *from = &study->input->tie[i];
    const int32_t side[2] = {from->slave, from->master};
    double area;
    to->kind = is_tensioned(study, i) ? EW_TIE_SLIDING : EW_TIE_SHORTENED;
    to->shortening = to->kind == EW_TIE_SLIDING ? 0.0
                     : from->force > 0.0        ? study->shortening[i]
                                                : from->shortening;
    memcpy(to->axis, from->axis, from->has_axis ? sizeof to->axis : 0);
    for (int k = 0; k < 2 && from->has_axis; k++) {
        EW_TRY(measure_along(study, from, side[k], from->axis, &area));
    }
    return EW_OK;
}

static ew_status put_tie(ew_study *study, int32_t i, ew_model_tie *to)
{
    const ew_case_tie *from = &study->input->tie[i];
    const char *what = from->is_bolt ? "a preload" : name_of(from);
    *to = (ew_model_tie){.slave = from->slave, .master = from->master, .distance = from->distance};
    EW_TRY(ew_study_require_side(study, what, from->slave, from->line));
    EW_TRY(ew_study_require_side(study, what, from->master, from->line));
    return from->is_bolt                        ? put_bolt(study, i, to)
           : from->sectors || from->is_periodic ? put_image(study, from, to)
                                                : EW_OK;
}

ew_status ew_study_set_ties(ew_study *study)
{
    const ew_case *input = study->input;
    ew_model_tie *list;
    if (!study->shortening) {
        EW_TRY(ew_new_zero(&study->shortening, (size_t)input->n_tie, sizeof *study->shortening));
        study->preload_step = -1;
    }
    EW_TRY(ew_new(&list, (size_t)input->n_tie, sizeof *list));
    ew_status status = EW_OK;
    for (int32_t i = 0; i < input->n_tie && !status; i++) {
        status = put_tie(study, i, &list[i]);
    }
    status = status ? status : ew_model_set_ties(study->model, input->n_tie, list);
    ew_release(list);
    return status;
}

void ew_study_forget_preload(ew_study *study)
{
    ew_release(study->shortening);
    study->shortening = NULL;
    study->preload_step = -1;
}

static ew_status require_faces(const ew_study *study, const ew_case_tie *from, int32_t set)
{
    return study->input->set[set].kind == EW_SET_OF_FACES
               ? EW_OK
               : ew_fail_at(EW_BAD_INPUT, from->line,
                            "a preload: '%.60s' is no set of faces, on which the force acts; say "
                            "'of: faces'",
                            study->input->set[set].name);
}

/* As pressures that pull both sides out of the parts. Faces of a side need not lie in a plane: what
 * they come to along the axis, which is the normal of the slave unless the case says one, is the
 * force. */
ew_status ew_study_put_tensions(ew_study *study, ew_model_load *to, int32_t *n)
{
    for (int32_t i = 0; i < study->input->n_tie; i++) {
        const ew_case_tie *from = &study->input->tie[i];
        const int32_t side[2] = {from->slave, from->master};
        const double tension = tension_of(study, i);
        for (int k = 0; k < 2 && tension > 0.0; k++) {
            ew_set_measure slave;
            double area;
            EW_TRY(require_faces(study, from, side[k]));
            EW_TRY(ew_model_measure_set(study->model, from->slave, &slave));
            EW_TRY(measure_along(study, from, side[k], from->has_axis ? from->axis : slave.facing,
                                 &area));
            if (area > 0.0) {
                memset(&to[*n], 0, sizeof *to);
                to[*n].kind = EW_LOAD_PRESSURE;
                to[*n].set = side[k];
                to[(*n)++].pressure = -tension / area;
            }
        }
    }
    return EW_OK;
}

/* Whether a side is there that a tension would pull at. */
static ew_status has_faces(const ew_study *study, const ew_case_tie *tie, bool *has)
{
    const int32_t side[2] = {tie->slave, tie->master};
    *has = false;
    for (int k = 0; k < 2 && !*has; k++) {
        ew_set_measure measure;
        if (study->input->set[side[k]].kind == EW_SET_OF_FACES) {
            EW_TRY(ew_model_measure_set(study->model, side[k], &measure));
            *has = measure.area > 0.0;
        }
    }
    return EW_OK;
}

/* A side that is not all of the image of the other is no boundary of a sector or a cell: neither a
 * slave that its master does not cover, nor a master that is larger. */
static ew_status check_image(const ew_study *study, const ew_case_tie *tie,
                             const ew_model_tie_report *of)
{
    const char *slave = study->input->set[tie->slave].name,
               *master = study->input->set[tie->master].name;
    const char *see = tie->sectors ? "axis, the number of sectors" : "sides";
    ew_set_measure side[2];
    if (of->is_lost || of->n_free || !(of->covered > 0.99 * of->whole)) {
        return ew_fail_at(EW_BAD_INPUT, tie->line,
                          "%s: '%.60s' is not the image of '%.60s', which covers %.3g of its "
                          "area %.3g; see the %s and what edits made of both sides",
                          name_of(tie), slave, master, of->covered, of->whole, see);
    }
    EW_TRY(ew_model_measure_set(study->model, tie->slave, &side[0]));
    EW_TRY(ew_model_measure_set(study->model, tie->master, &side[1]));
    return fabs(side[0].area - side[1].area) <= 0.01 * side[1].area
               ? EW_OK
               : ew_fail_at(EW_BAD_INPUT, tie->line,
                            "%s: '%.60s' is not the image of '%.60s': their areas are %.6g and "
                            "%.6g; see the %s and what edits made of both sides",
                            name_of(tie), slave, master, side[0].area, side[1].area, see);
}

ew_status ew_study_check_ties(ew_study *study)
{
    for (int32_t i = 0; i < study->input->n_tie; i++) {
        const int32_t line = study->input->tie[i].line;
        const char *what = name_of(&study->input->tie[i]);
        ew_model_tie_report of;
        if (ew_model_view_tie(study->model, i, &of)) {
            continue;
        }
        const bool is_apart = of.is_lost || !of.n_point;
        bool pulls = false;
        EW_TRY(is_apart && is_tensioned(study, i) ? has_faces(study, &study->input->tie[i], &pulls)
                                                  : EW_OK);
        if (pulls) {
            return ew_fail_at(EW_BAD_INPUT, line,
                              "a preload: '%.60s' and '%.60s' do not meet, so that the force would "
                              "pull at parts that nothing joins; give both sides of one cut, or a "
                              "larger distance",
                              study->input->set[study->input->tie[i].slave].name,
                              study->input->set[study->input->tie[i].master].name);
        }
        if (study->input->tie[i].sectors || study->input->tie[i].is_periodic) {
            EW_TRY(check_image(study, &study->input->tie[i], &of));
        } else if (is_apart) {
            ew_study_warn(study, EW_WARNING_UNTIED, line, "%s: %s, so that nothing is tied; %s",
                          what,
                          of.is_lost ? "a side of it is empty" : "no face of it meets its master",
                          of.is_lost ? "see whether the body is supported as it should be"
                                     : "give a larger distance, or see whether they look at each "
                                       "other");
        } else if (of.n_free) {
            ew_study_warn(study, EW_WARNING_UNTIED, line,
                          "%s: %d of %d vertices of the slave meet no master and move freely; "
                          "give a larger distance, or a slave that its master covers",
                          what, of.n_free, of.n_free + of.n_point);
        }
    }
    return EW_OK;
}

void ew_study_report_ties(ew_study *study)
{
    ew_step_report *to = &study->report;
    for (int32_t i = 0; i < study->input->n_tie; i++) {
        ew_model_tie_report of;
        if (ew_model_view_tie(study->model, i, &of)) {
            continue; /* nothing has been solved with it */
        }
        to->has_tie = true;
        to->n_tied += of.n_point;
        to->n_untied += of.n_free;
        to->tie_gap = fmax(to->tie_gap, fmax(fabs(of.min_gap), fabs(of.max_gap)));
        if (study->report.solver && is_tensioned(study, i)) {
            study->shortening[i] = of.shortening;
            study->preload_step = study->preload_step < 0 ? study->n_done : study->preload_step;
        }
    }
}

/* The force of the pressures of a tension on a slave, as large as it along the normal, out of
 * it. */
static void find_pull(const ew_study *study, const ew_case_tie *from, double tension,
                      const double normal[3], double pull[3])
{
    ew_set_measure of;
    memset(pull, 0, 3 * sizeof *pull);
    if (!(tension > 0.0) || ew_model_measure_set(study->model, from->slave, &of)) {
        return;
    }
    const double along =
        of.facing[0] * normal[0] + of.facing[1] * normal[1] + of.facing[2] * normal[2];
    for (int c = 0; c < 3 && along != 0.0; c++) {
        pull[c] = tension * of.facing[c] / fabs(along);
    }
}

void ew_study_report_ties_of_set(const ew_study *study, int32_t set, ew_set_report *report)
{
    for (int32_t i = 0; i < study->input->n_tie; i++) {
        const ew_case_tie *from = &study->input->tie[i];
        const bool is_slave = from->slave == set;
        ew_model_tie_report of;
        if ((!is_slave && from->master != set) || ew_model_view_tie(study->model, i, &of)) {
            continue;
        }
        const double tension = tension_of(study, i);
        double pull[3];
        find_pull(study, from, tension, of.normal, pull);
        report->has_tie = true;
        if (from->is_bolt && is_slave) {
            report->has_preload = true;
            report->shortening = of.shortening;
            report->preload_force = tension + of.force[0] * of.normal[0] +
                                    of.force[1] * of.normal[1] + of.force[2] * of.normal[2];
        }
        for (int c = 0; c < 3; c++) {
            of.force[c] += pull[c];
            report->tie_force[c] += is_slave ? of.force[c] : -of.force[c];
        }
    }
}
