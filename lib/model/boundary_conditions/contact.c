/* Contact of parts of a model. In: a list of what touches what. Out: which points are closed, gaps,
 * pressures.
 *
 * The gap of a point is >= 0, its force presses, and one of them is 0 (Signorini). Those conditions
 * are met by an active set: gaps of closed points are 0, which the solver satisfies by projection
 * as it does other equations; closed points that pull are let go, open ones that overlap are closed
 * (Hueber & Wohlmuth 2005, A primal-dual active set strategy for non-linear multibody contact
 * problems). */
#include "model/internal.h"

#include <math.h>
#include <string.h>

/* ---- the list -------------------------------------------------------------------------------- */

static ew_status check_set(const ew_model *model, int32_t set, int32_t place)
{
    if (set < 0 || set >= model->n_set || model->set[set].kind == EW_SET_OF_TETS) {
        return ew_fail_about(EW_BAD_ARGUMENT, place, -1,
                             "contact %d: a side needs a set of faces or vertices, not %d",
                             place + 1, set);
    }
    return EW_OK;
}

static ew_status check(const ew_model *model, const ew_model_contact *contact, int32_t place)
{
    const double numbers = contact->distance + contact->interference + contact->friction;
    if (!isfinite(numbers) || contact->distance < 0.0 || contact->friction < 0.0) {
        return ew_fail_about(EW_BAD_ARGUMENT, place, -1,
                             "contact %d: the distance is %g, the interference %g and the friction "
                             "%g; they must be finite, distance and friction at least 0",
                             place + 1, contact->distance, contact->interference,
                             contact->friction);
    }
    const bool is_rigid = contact->rigid.kind != EW_RIGID_NONE;
    if (contact->slave < 0 && contact->master < 0 && !is_rigid) {
        return EW_OK;
    }
    EW_TRY(check_set(model, contact->slave, place));
    EW_TRY(model_check_amplitude(model, "contact", place, contact->amplitude));
    if (is_rigid && contact->master >= 0) {
        return ew_fail_about(EW_BAD_ARGUMENT, place, -1,
                             "contact %d: its slave meets a rigid surface or a master; leave one "
                             "out",
                             place + 1);
    }
    return is_rigid ? EW_OK : check_set(model, contact->master, place);
}

static bool is_same(const model_contacts *of, int32_t n, const ew_model_contact *list)
{
    bool same = of->n == n;
    for (int32_t i = 0; i < n && same; i++) {
        const ew_model_contact *a = &of->given[i], *b = &list[i];
        same =
            a->rigid.kind == b->rigid.kind &&
            (a->rigid.kind == EW_RIGID_NONE || ew_rigid_is_same(of->rigid[i].surface, &b->rigid));
        same = same && a->slave == b->slave && a->master == b->master &&
               a->distance == b->distance && a->has_interference == b->has_interference &&
               a->interference == b->interference && a->friction == b->friction;
    }
    return same;
}

ew_status ew_model_set_contacts(ew_model *model, int32_t n, const ew_model_contact *list)
{
    model_contacts *of = &model->contacts;
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(check(model, &list[i], i));
    }
    if (is_same(of, n, list)) {
        if (model_move_rigid(model, list)) {
            of->has_forces = false;
            model->dynamics.has_changed = true;
            model_forget_row_changes(model);
        }
        return EW_OK;
    }
    EW_TRY(ew_grow(&of->report, &of->report_capacity, n, sizeof *of->report));
    model_rigid *rigid;
    EW_TRY(model_make_rigid(n, list, &rigid));
    const ew_status status = ew_grow(&of->given, &of->capacity, n, sizeof *of->given);
    if (status) {
        model_free_rigid(n, rigid);
        return status;
    }
    model_forget_contact_rows(of);
    model_pass_surfaces(model, n, list, rigid);
    for (int32_t i = 0; i < n; i++) {
        of->given[i] = list[i];
    }
    model_free_rigid(of->n, of->rigid);
    of->rigid = rigid;
    memset(of->report, 0, sizeof *of->report * (size_t)n);
    of->n = n;
    of->n_part = of->n_point = 0; /* what was closed counts no longer */
    model->dynamics.has_changed = true;
    of->has_forces = of->is_settled = false;
    of->has_history = of->has_history && n;
    of->compliance = 1.0;
    of->revision = 0;
    model_forget_equations(model);
    model_forget_row_changes(model);
    return EW_OK;
}

/* ---- which points are closed --------------------------------------------------------------------
 */

void model_note_closed(model_contacts *of)
{
    for (int32_t i = 0; i < of->n_point; i++) {
        of->before[i] = of->point[i].is_closed;
    }
}

/* How far point i of this area is from what it must be, >= 0: of closed ones the pull relative to
 * the largest pressure, of open ones the overlap relative to the largest displacement. */
static double find_wrong(const model_contacts *of, int32_t i, double area, double pressure,
                         double displacement)
{
    return of->point[i].is_closed ? (of->force[i] < 0.0 ? -of->force[i] / area / pressure : 0.0)
           : of->gap[i] < 0.0     ? -of->gap[i] / displacement
                                  : 0.0;
}

int32_t model_change_contacts(ew_model *model, const double *u, double tolerance, bool one)
{
    model_contacts *of = &model->contacts;
    double pressure, displacement, largest = tolerance;
    int32_t n = 0, worst = -1;
    model_find_largest_contact(model, u, &pressure, &displacement);
    model_note_closed(of);
    for (int32_t k = 0, i = 0; k < of->n_part; k++) {
        const ew_contact_rows *rows = &of->part[k].rows;
        for (int32_t r = 0; r < rows->n; r++, i++) {
            const double wrong = find_wrong(of, i, rows->area[r], pressure, displacement);
            n += wrong > tolerance;
            worst = wrong > largest ? i : worst;
            largest = fmax(largest, wrong);
            of->point[i].is_closed ^= wrong > tolerance && !one;
            of->point[i].n_change += wrong > tolerance && !one;
        }
    }
    if (one && worst >= 0) {
        of->point[worst].is_closed ^= true;
        of->point[worst].n_change++;
    }
    of->n_round += n > 0;
    if (n) {
        model_renew_contact_equations(model);
    }
    return n;
}

void model_restore_contacts(ew_model *model)
{
    model_contacts *of = &model->contacts;
    for (int32_t i = 0; i < of->n_point; i++) {
        of->point[i].n_change -= of->point[i].is_closed != of->before[i];
        of->point[i].is_closed = of->before[i];
    }
    model_renew_contact_equations(model);
}

bool model_close_contacts(ew_model *model)
{
    model_contacts *of = &model->contacts;
    bool any = false;
    model_note_closed(of);
    for (int32_t i = 0; i < of->n_point; i++) {
        any = any || !of->point[i].is_closed;
        of->point[i].is_closed = true;
    }
    if (any) {
        model_renew_contact_equations(model);
    }
    return any;
}

/* ---- gaps and forces ----------------------------------------------------------------------------
 */

static void find_gaps(ew_model *model, const double *u)
{
    model_contacts *of = &model->contacts;
    for (int32_t k = 0, i = 0; k < of->n_part; k++) {
        const ew_contact_rows *rows = &of->part[k].rows;
        for (int32_t r = 0; r < rows->n; r++, i++) {
            of->gap[i] = model_contact_gap_of(of, i);
            for (int32_t t = rows->begin[r]; t < rows->begin[r + 1]; t++) {
                of->gap[i] += rows->factor[t] * u[rows->entry[t]];
            }
        }
    }
}

void model_start_contacts(ew_model *model)
{
    model_contacts *of = &model->contacts;
    const bool is_large = model_has_large_rotations(model);
    of->ramp = 0.0;
    find_gaps(model, model->field[0].value);
    for (int32_t k = 0, i = 0; k < of->n_part; k++) {
        for (int32_t r = 0; r < of->part[k].rows.n; r++, i++) {
            model_contact_point *point = &of->point[i];
            point->overlap = fmin(of->gap[i], 0.0);
            point->is_wide =
                is_large ? model_gap_is_of_width(&of->part[k].rows, r) : point->is_wide;
        }
    }
}

void model_release_contacts(ew_model *model, bool is_released)
{
    model_contacts *of = &model->contacts;
    bool any = false;
    for (int32_t i = 0; i < of->n_point; i++) {
        any = any || of->point[i].is_closed;
    }
    if (any && of->is_released != is_released) {
        model_renew_contact_equations(model);
    }
    of->is_released = is_released;
}

void model_ramp_contacts(ew_model *model, double share)
{
    model_contacts *of = &model->contacts;
    bool any = false;
    for (int32_t i = 0; i < of->n_point; i++) {
        any = any || of->point[i].overlap < 0.0;
    }
    if (any && share != of->ramp) {
        model_renew_contact_equations(model);
    }
    of->ramp = share;
}

void model_find_closed(ew_model *model, double tolerance)
{
    model_contacts *of = &model->contacts;
    double pressure, displacement;
    model_find_largest_contact(model, model->field[0].value, &pressure, &displacement);
    find_gaps(model, model->field[0].value);
    for (int32_t i = 0; i < of->n_point; i++) {
        of->point[i].is_closed = of->gap[i] <= tolerance * displacement;
        of->friction[i].slips = false; /* equations at all points find the same forces */
    }
    model_find_slip(model, model->field[0].value);
    for (int32_t i = 0; i < of->n_point; i++) {
        model_friction *at = &of->friction[i];
        at->has_slid = hypot(at->slip[0], at->slip[1]) > 1e-9 * displacement;
    }
    of->has_history = of->is_settled = true;
    model_renew_contact_equations(model);
}

static bool slides(const model_contacts *of, int32_t i)
{
    return of->point[i].is_closed && (of->friction[i].slips || of->friction[i].has_slid);
}

/* What a closed point slid in the solve. */
static void find_slid(const model_contacts *of, int32_t vertex, int32_t i, double slid[3])
{
    const model_friction *at = &of->friction[i];
    model_combine_tangents(at, at->slip, slid);
    for (int c = 0; c < 3; c++) {
        slid[c] = slides(of, i) ? slid[c] : 0.0;
        slid[c] += of->point[i].is_closed && vertex < of->n_passed
                       ? of->passed[3 * (size_t)vertex + c]
                       : 0.0;
    }
}

/* Before displacements, of the points of two parts, of which i is the first. Of wide faces the
 * overlap counts that is the largest share of what its parts close. */
static void add_overlaps(const model_contacts *of, const model_contact_part *part, bool is_large,
                         int32_t i, ew_model_contact_report *to)
{
    const ew_contact_rows *rows = &part->rows;
    const bool has_moved = model_rigid_has_moved(&of->rigid[part->contact]);
    double bridged = 0.0, wide = 0.0;
    int32_t widest = 0;
    for (int32_t r = 0; r < rows->n; r++) {
        const model_contact_point *point = &of->point[i + r];
        const double overlap = -(is_large ? point->overlap : point->between);
        if (overlap > to->overlap && !has_moved && !point->is_wide) {
            to->overlap = overlap;
            to->overlap_vertex = rows->vertex[r];
        }
        if (overlap > wide && !has_moved && point->is_wide) {
            wide = overlap;
            widest = r;
        }
        bridged = point->is_closed ? fmax(bridged, point->between) : bridged;
    }
    const double share = wide * to->bridged, before = to->wide_overlap * bridged;
    if (share > before || (share == before && wide > to->wide_overlap)) {
        to->wide_overlap = wide;
        to->wide_size = rows->size[widest];
        to->wide_vertex = rows->vertex[widest];
        to->bridged = bridged;
    }
}

static void add_to_report(const model_contacts *of, const model_contact_part *part, int32_t r,
                          int32_t i, ew_model_contact_report *to)
{
    const ew_contact_rows *rows = &part->rows;
    const double pressure = of->force[i] / rows->area[r];
    const model_contact_point *point = &of->point[i];
    if (of->turns.n_change && point->contact == of->turns.contact &&
        point->vertex_id == of->turns.vertex_id) {
        to->n_round = of->turns.n_round;
        to->n_change = of->turns.n_change;
        to->change_vertex = rows->vertex[r];
    }
    to->n_closed += of->point[i].is_closed;
    to->area += of->point[i].is_closed ? rows->area[r] : 0.0;
    if (!to->n_point++ || pressure > to->max_pressure) {
        to->max_pressure = pressure;
        to->vertex = rows->vertex[r];
    }
    to->min_gap = to->n_point == 1 ? of->gap[i] : fmin(to->min_gap, of->gap[i]);
    for (size_t c = 0; c < 3; c++) {
        to->force[c] -= of->force[i] * rows->normal[3 * (size_t)r + c];
    }
    to->normal_force += of->force[i];
    if (part->friction > 0.0) {
        const model_friction *at = &of->friction[i];
        double force[3], slid[3];
        model_combine_tangents(at, at->force, force);
        find_slid(of, rows->vertex[r], i, slid);
        to->friction_force += hypot(at->force[0], at->force[1]);
        to->n_slip += slides(of, i);
        to->max_slip = fmax(to->max_slip, hypot(hypot(slid[0], slid[1]), slid[2]));
        for (int c = 0; c < 3; c++) {
            to->force[c] -= force[c];
        }
    }
}

/* By vertex: the smallest gap of the points there, the largest pressure, and of its point what is
 * tangential. */
static void add_to_vertex(model_contacts *of, const model_contact_part *part, int32_t r, int32_t i)
{
    const int32_t v = part->rows.vertex[r];
    const double area = part->rows.area[r], pressure = of->force[i] / area;
    double force[3], slid[3];
    model_combine_tangents(&of->friction[i], of->friction[i].force, force);
    find_slid(of, v, i, slid);
    of->status[v] = fmax(of->status[v], !of->point[i].is_closed ? 1.0 : slides(of, i) ? 3.0 : 2.0);
    of->opening[v] = fmin(of->opening[v], of->gap[i]);
    for (int c = 0; c < 3 && part->friction > 0.0 && pressure >= of->pressure[v]; c++) {
        of->traction[3 * (size_t)v + (size_t)c] = -force[c] / area;
        of->slip[3 * (size_t)v + (size_t)c] = 0.0 - slid[c];
    }
    of->pressure[v] = fmax(of->pressure[v], pressure);
}

static ew_status make_fields(model_contacts *of, int32_t n)
{
    const size_t size = sizeof(double);
    EW_TRY(ew_grow(&of->pressure, &of->pressure_capacity, n, size));
    EW_TRY(ew_grow(&of->opening, &of->opening_capacity, n, size));
    EW_TRY(ew_grow(&of->status, &of->status_capacity, n, size));
    EW_TRY(ew_grow(&of->traction, &of->traction_capacity, n, 3 * size));
    EW_TRY(ew_grow(&of->slip, &of->slip_capacity, n, 3 * size));
    memset(of->pressure, 0, (size_t)n * size);
    memset(of->status, 0, (size_t)n * size);
    memset(of->traction, 0, 3 * (size_t)n * size);
    memset(of->slip, 0, 3 * (size_t)n * size);
    for (int32_t v = 0; v < n; v++) {
        of->opening[v] = INFINITY;
    }
    return EW_OK;
}

ew_status model_take_contacts(ew_model *model, const double *u, const double *multiplier)
{
    model_contacts *of = &model->contacts;
    const bool is_large = model_has_large_rotations(model);
    if (!of->n || of->is_linked) {
        return EW_OK;
    }
    EW_TRY(make_fields(of, model->mesh.n_vertex));
    find_gaps(model, u);
    model_find_slip(model, u);
    memset(of->report, 0, sizeof *of->report * (size_t)of->n);
    for (int32_t k = 0, i = 0; k < of->n_part; k++) {
        const model_contact_part *part = &of->part[k];
        of->report[part->contact].covered += part->rows.covered;
        add_overlaps(of, part, is_large, i, &of->report[part->contact]);
        for (int32_t r = 0; r < part->rows.n; r++, i++) {
            const bool is_known = of->point[i].is_closed && multiplier;
            if (!of->is_released || multiplier) {
                of->friction[i].force[0] = of->friction[i].force[1] = 0.0;
                of->force[i] = is_known ? *multiplier++ : 0.0;
            }
            if (is_known && part->friction > 0.0) {
                model_take_friction(model, part, r, i, &multiplier);
            }
            add_to_report(of, part, r, i, &of->report[part->contact]);
            model_add_rigid_moment(model, part, r, i, of->report[part->contact].moment);
            add_to_vertex(of, part, r, i);
        }
    }
    of->has_forces = true;
    return EW_OK;
}

/* ---- what is shown of them
 * ------------------------------------------------------------------------ */

ew_status ew_model_view_contact(const ew_model *model, int32_t contact,
                                ew_model_contact_report *report)
{
    const model_contacts *of = &model->contacts;
    if (contact < 0 || contact >= of->n) {
        return ew_fail(EW_BAD_ARGUMENT, "model: there is no contact %d, it has %d", contact, of->n);
    }
    if (!of->has_forces || of->revision != model->mesh.revision) {
        return ew_fail(EW_STALE, "model: contacts have changed since the last recovery");
    }
    *report = of->report[contact];
    return EW_OK;
}

int32_t ew_model_n_contact(const ew_model *model)
{
    return model->contacts.n;
}

int32_t ew_model_n_closed(const ew_model *model)
{
    int32_t n = 0;
    for (int32_t i = 0; i < model->contacts.n_point; i++) {
        n += model->contacts.point[i].is_closed;
    }
    return n;
}

const double *ew_model_contact_field(const ew_model *model, ew_contact_field field)
{
    const model_contacts *of = &model->contacts;
    const double *const all[] = {of->pressure, of->opening, of->status, of->traction, of->slip};
    return of->has_forces && of->revision == model->mesh.revision ? all[field] : NULL;
}

void model_free_contacts(ew_model *model)
{
    model_contacts *of = &model->contacts;
    model_forget_contact_rows(of);
    model_free_rigid(of->n, of->rigid);
    ew_release(of->given);
    ew_release(of->part);
    ew_release(of->point);
    ew_release(of->before);
    ew_release(of->friction);
    ew_release(of->passed);
    ew_release(of->friction_before);
    ew_release(of->spring);
    ew_release(of->gap);
    ew_release(of->force);
    ew_release(of->known);
    ew_release(of->placed);
    ew_release(of->state);
    ew_release(of->put);
    for (int k = 0; k < 4; k++) {
        ew_release(of->step[k]);
    }
    ew_release(of->pressure);
    ew_release(of->opening);
    ew_release(of->status);
    ew_release(of->traction);
    ew_release(of->slip);
    ew_release(of->report);
    *of = (model_contacts){0};
}
