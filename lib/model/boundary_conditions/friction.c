/* Friction at points of contacts: Coulomb's law, as an iteration of symmetric systems. In: closed
 * points, their forces and displacements. Out: which of them stick, equations and forces.
 *
 * Tangential rows of a point are those of a tie (contact.h) along two tangents. With s what a point
 * has slid since the solve before, p its normal force and f the tangential one, on masters:
 *
 *     sticks:  s = 0, |f| <= mu p          two equations
 *     slips:   f = -mu p s / |s|           a given force
 *
 * The size mu p is that of the last round, so the matrix stays symmetric; the direction is that of
 * f - k s, k being the stiffness of the body at the point (Alart & Curnier 1991, A mixed
 * formulation for frictional contact problems prone to Newton like solution methods), and a spring
 * mu p / |s| across it is the tangent of the law there, which has no force once the directions are
 * right. Where a direction turns far, a second one along it bounds |s| from above by a parabola
 * (Hunter & Lange 2004, A tutorial on MM algorithms), whose minimum the iteration cannot miss. */
#include "model/internal.h"

#include <math.h>
#include <string.h>

/* The largest spring, of the stiffness of the body at a point: a stiffer one spoils the iteration.
 */
#define STIFFEST 10.0
/* A direction whose cosine with the one before is smaller has turned far. */
#define TURNS 0.7
/* The largest relaxation; the least that is tried, and that a limit on it comes down to: where
 * squares of what forces lack grow by more. */
#define MAX_RELAXATION 2.0
#define MIN_AITKEN     0.1
#define MIN_RELAXATION 0.02
#define GROWS          2.0
#define RECOVERS       1.2
/* What sizes of forces may lack where they are near the law. */
#define NEAR 0.05
/* What is prescribed slides where it is more than this share of the largest displacement. */
#define MOVES 1e-9

/* ---- rows ------------------------------------------------------------------------------------ */

static ew_status push_row(ew_model *model, const model_contact_part *part, int32_t row,
                          const double tangent[3])
{
    const ew_contact_rows *tie = &part->tie;
    EW_TRY(model_begin_equation(&model->equations, model_place_of_contact(model, part->contact)));
    for (int c = 0; c < 3; c++) {
        for (int32_t k = tie->begin[3 * row + c]; k < tie->begin[3 * row + c + 1]; k++) {
            double factor[3] = {0.0, 0.0, 0.0};
            factor[tie->entry[k] % 3] = tie->factor[k];
            EW_TRY(model_push_terms(&model->equations, tie->entry[k] / 3, tangent[c], factor));
        }
    }
    return EW_OK;
}

static bool is_fixed(const ew_model *model, int32_t entry)
{
    return model->constraints.fixed[entry / 3] >> entry % 3 & 1;
}

/* Whether constraints prescribe all that a tangential row reads, or, not whole, of it what slides
 * along the tangent. Beside that a row of a tie reads how the slave face turns, times what is
 * between the faces: such rests, of one point after the other along a side, are hardly independent
 * of each other, and no equations. */
static bool is_driven(const ew_model *model, const model_contact_part *part, int32_t row,
                      const double tangent[3], bool whole)
{
    const ew_contact_rows *tie = &part->tie;
    bool driven = true;
    for (int c = 0; c < 3; c++) {
        for (int32_t k = tie->begin[3 * row + c]; k < tie->begin[3 * row + c + 1]; k++) {
            const bool counts = fabs(tangent[c]) >= 1e-9 && (whole || tie->entry[k] % 3 == c);
            driven = driven && (!counts || is_fixed(model, tie->entry[k]));
        }
    }
    return driven;
}

/* ---- equations and forces ---------------------------------------------------------------------
 */

ew_status model_stick(ew_model *model, const model_contact_part *part, int32_t row, int32_t point)
{
    model_equations *to = &model->equations;
    const model_friction *of = &model->contacts.friction[point];
    for (int a = 0; a < 2 && !of->slips; a++) {
        if (!is_driven(model, part, row, of->tangent[a], false)) {
            EW_TRY(push_row(model, part, row, of->tangent[a]));
            to->value[to->n_row++] = of->origin[a];
        }
    }
    return EW_OK;
}

static ew_status push_spring(ew_model *model, const model_contact_part *part, int32_t row,
                             const model_friction *of, const double along[2], double stiffness)
{
    model_equations *to = &model->equations;
    double direction[3];
    if (stiffness > 0.0) {
        model_combine_tangents(of, along, direction);
        EW_TRY(push_row(model, part, row, direction));
        to->value[to->n_row++] = 0.0;
        model->contacts.spring[to->n_spring++] = stiffness * model->contacts.compliance;
    }
    return EW_OK;
}

ew_status model_make_friction_springs(ew_model *model)
{
    model_equations *to = &model->equations;
    model_contacts *of = &model->contacts;
    const int32_t n_row = to->n_row;
    to->n_spring = 0;
    EW_TRY(
        ew_grow(&of->spring, &of->spring_capacity, 2 * (int64_t)of->n_point, sizeof *of->spring));
    for (int32_t k = 0, i = 0; k < of->n_part; k++) {
        const model_contact_part *part = &of->part[k];
        for (int32_t r = 0; r < part->rows.n; r++, i++) {
            const model_friction *at = &of->friction[i];
            const double *d = at->direction;
            if (of->point[i].is_closed && at->slips) {
                EW_TRY(push_spring(model, part, r, at, (double[2]){-d[1], d[0]}, at->stiffness));
                EW_TRY(push_spring(model, part, r, at, d, at->along));
            }
        }
    }
    to->n_row = n_row;
    return EW_OK;
}

void model_add_friction_springs(ew_model *model, ew_operator **op, ew_stiffened *blocks)
{
    model_equations *of = &model->equations;
    const ew_equation_list form = {.n = of->n_spring,
                                   .begin = of->begin + of->n_row,
                                   .entry = of->entry,
                                   .factor = of->factor};
    if (of->n_spring && blocks) {
        ew_stiffened_add_springs(blocks, &form, model->contacts.spring);
    }
    if (of->n_spring) {
        ew_operator_add_springs(&of->sprung, *op, &form, model->contacts.spring);
        *op = &of->sprung.op;
    }
}

/* The force of a point that slips; slip: that of the displacement, or less the origin. */
static void find_force(const model_friction *of, const double slip[2], double force[2])
{
    const double *d = of->direction;
    const double pull = of->stiffness * (slip[1] * d[0] - slip[0] * d[1]);
    const double push = of->limit - of->along * (slip[0] * d[0] + slip[1] * d[1] + of->slid);
    force[0] = push * d[0] + pull * d[1];
    force[1] = push * d[1] - pull * d[0];
}

void model_add_friction(const ew_model *model, double sign, bool at_displacement, double *force)
{
    const model_contacts *of = &model->contacts;
    for (int32_t k = 0, i = 0; k < of->n_part && !of->is_released; k++) {
        const ew_contact_rows *tie = &of->part[k].tie;
        for (int32_t r = 0; r < of->part[k].rows.n; r++, i++) {
            const model_friction *at = &of->friction[i];
            double along[2], pushed[3];
            if (!of->point[i].is_closed || !at->slips) {
                continue;
            }
            find_force(at, at_displacement ? at->slip : (double[2]){-at->origin[0], -at->origin[1]},
                       along);
            model_combine_tangents(at, along, pushed);
            for (int c = 0; c < 3; c++) {
                for (int32_t t = tie->begin[3 * r + c]; t < tie->begin[3 * r + c + 1]; t++) {
                    force[tie->entry[t]] += sign * pushed[c] * tie->factor[t];
                }
            }
        }
    }
}

void model_take_friction(ew_model *model, const model_contact_part *part, int32_t row,
                         int32_t point, const double **multiplier)
{
    model_friction *to = &model->contacts.friction[point];
    if (to->slips) {
        find_force(to, to->slip, to->force);
        return;
    }
    for (int a = 0; a < 2; a++) {
        to->force[a] = is_driven(model, part, row, to->tangent[a], false) ? 0.0 : *(*multiplier)++;
    }
}

/* ---- the law ----------------------------------------------------------------------------------
 */

/* By how much a unit of force at a point moves it, by the diagonal of its rows; 0: it is driven. */
static double find_softness(const ew_model *model, const model_diagonal *of,
                            const model_contact_part *part, int32_t row)
{
    const ew_contact_rows *tie = &part->tie;
    double most = 0.0;
    for (int c = 0; c < 3; c++) {
        double sum = 0.0;
        for (int32_t k = tie->begin[3 * row + c]; k < tie->begin[3 * row + c + 1]; k++) {
            const int32_t e = tie->entry[k];
            const size_t at = (size_t)(e / 3);
            if (e % 3 == c && e / 3 < of->n_row && !is_fixed(model, e)) {
                sum += tie->factor[k] * tie->factor[k] /
                       of->value[of->is_scalar ? at : 9 * at + 4 * (size_t)c];
            }
        }
        most = fmax(most, sum);
    }
    return most * model->contacts.compliance;
}

typedef struct coulomb {
    const model_diagonal *diagonal;
    double pressure, displacement; /* the largest */
    double tolerance, fine, relaxation;
    double square; /* sum of those of what forces change by */
    double share;  /* sum of normal forces over that of those that press: of what points that stick
                      make of a motion little is left once they slide */
} coulomb;

bool model_friction_is_near(const model_contacts *of)
{
    double lack = 0.0, size = 0.0;
    for (int32_t i = 0; i < of->n_point; i++) {
        const model_friction *at = &of->friction[i];
        const bool slips = of->point[i].is_closed && at->slips;
        lack += slips ? at->lack * at->lack : 0.0;
        size += slips ? at->limit * at->limit : 0.0;
    }
    return lack <= NEAR * NEAR * size;
}

/* Aitken's relaxation, by vectors (Irons & Tuck 1969, A version of the Aitken accelerator for
 * computer iteration): forces and pressures of points that slip depend on each other, and may
 * overshoot. Where several of their patterns overshoot unlike, what serves one makes another grow:
 * no more than half of that is taken from then on. */
static void relax(model_contacts *of)
{
    double product = 0.0, square = 0.0, before = 0.0, now = 0.0;
    for (int32_t k = 0, i = 0; k < of->n_part; k++) {
        for (int32_t r = 0; r < of->part[k].rows.n; r++, i++) {
            model_friction *at = &of->friction[i];
            const double lack = of->part[k].friction * fmax(of->force[i], 0.0) - at->limit;
            if (at->slips && of->point[i].is_closed && at->lack != 0.0) {
                product += at->lack * (lack - at->lack);
                square += (lack - at->lack) * (lack - at->lack);
                before += at->lack * at->lack;
                now += lack * lack;
            }
            at->lack = at->slips ? lack : 0.0;
        }
    }
    if (!of->n_loose && now > GROWS * before) {
        of->most = fmax(0.5 * fmin(of->relaxation, of->most), MIN_RELAXATION);
    } else {
        of->most = fmin(RECOVERS * of->most, MAX_RELAXATION);
    }
    if (square > 0.0) {
        of->relaxation = fmin(fmax(-of->relaxation * product / square, MIN_AITKEN),
                              fmin(of->most, MAX_RELAXATION));
    }
}

/* What a point of a contact with friction is in. */
typedef struct state {
    const model_contact_part *part;
    int32_t row;
    double normal, gap; /* force, 0 where it has just been closed, and gap */
} state;

/* Whether what is prescribed slides at a point, whatever the forces are. */
static bool is_moved(const ew_model *model, const coulomb *by, const state *at,
                     const model_friction *of)
{
    bool moved = false;
    for (int a = 0; a < 2; a++) {
        moved = moved || (fabs(of->slip[a]) > MOVES * by->displacement &&
                          is_driven(model, at->part, at->row, of->tangent[a], true));
    }
    return moved;
}

/* The size of what a point has slid as a force of the body. */
static double find_resistance(double slid, double softness)
{
    return softness > 0.0 ? slid / softness : 0.0;
}

/* A point follows the law. False: it did so before. */
static bool follow(ew_model *model, coulomb *by, const state *at, model_friction *of)
{
    const double softness = find_softness(model, by->diagonal, at->part, at->row);
    const double expected = softness > 0.0 ? -at->gap / softness : 0.0;
    const double size = at->part->friction * fmax(at->normal != 0.0 ? at->normal : expected, 0.0);
    const double whole = at->part->friction * by->pressure * at->part->rows.area[at->row];
    const double slack = by->tolerance * whole;
    const bool moved = is_moved(model, by, at, of);
    double to[2];
    for (int a = 0; a < 2; a++) {
        to[a] = moved || softness == 0.0 ? -of->slip[a] : of->force[a] - of->slip[a] / softness;
    }
    const double length = hypot(to[0], to[1]), slid = hypot(of->slip[0], of->slip[1]);
    const double resistance = find_resistance(slid, softness);
    if (!moved && (of->slips ? length < size - slack : length <= size + slack)) {
        const bool changes = of->slips;
        of->slips = false;
        by->square += changes ? resistance * resistance : 0.0;
        return changes;
    }
    to[0] /= length;
    to[1] /= length;
    if (of->slips &&
        hypot(of->force[0] - size * to[0], of->force[1] - size * to[1]) <= by->fine * whole) {
        return false;
    }
    const double stiffest = softness > 0.0 ? STIFFEST / softness : 0.0;
    const double cosine = of->slips ? to[0] * of->direction[0] + to[1] * of->direction[1] : 1.0;
    if (cosine < -TURNS) { /* it goes to and fro about where it sticks */
        of->slips = false;
        model->contacts.n_loose++;
        by->square += resistance * resistance;
        return true;
    }
    const bool turns = cosine < TURNS;
    model->contacts.n_loose += !of->slips;
    of->limit = of->slips ? fmax(of->limit + by->relaxation * of->lack, 0.0) : size * by->share;
    of->slips = true;
    of->stiffness = by->diagonal->is_scalar ? 0.0 : size < stiffest * slid ? size / slid : stiffest;
    of->along = turns ? of->stiffness : 0.0;
    of->slid = slid;
    memcpy(of->direction, to, sizeof to);
    find_force(of, of->slip, to);
    by->square += (to[0] - of->force[0]) * (to[0] - of->force[0]) +
                  (to[1] - of->force[1]) * (to[1] - of->force[1]);
    return true;
}

static double find_share(const model_contacts *of)
{
    double sum = 0.0, pressing = 0.0;
    for (int32_t k = 0, i = 0; k < of->n_part; k++) {
        for (int32_t r = 0; r < of->part[k].rows.n; r++, i++) {
            sum += of->part[k].friction > 0.0 ? of->force[i] : 0.0;
            pressing += of->part[k].friction > 0.0 ? fmax(of->force[i], 0.0) : 0.0;
        }
    }
    return pressing > 0.0 ? fmax(sum / pressing, 0.0) : 1.0;
}

int32_t model_change_friction(ew_model *model, const double *u, const model_diagonal *diagonal,
                              double tolerance, double fine, bool are_new)
{
    model_contacts *of = &model->contacts;
    coulomb by = {
        .diagonal = diagonal, .tolerance = tolerance, .fine = fine, .share = find_share(of)};
    int32_t n = 0;
    if (!are_new) {
        relax(of);
    }
    of->n_loose = 0;
    by.relaxation = of->relaxation;
    model_find_largest_contact(model, u, &by.pressure, &by.displacement);
    for (int32_t k = 0, i = 0; k < of->n_part; k++) {
        const model_contact_part *part = &of->part[k];
        for (int32_t r = 0; r < part->rows.n; r++, i++) {
            if (part->friction > 0.0 && of->point[i].is_closed && (!are_new || !of->before[i])) {
                n += follow(model, &by, &(state){part, r, of->force[i], of->gap[i]},
                            &of->friction[i]);
            } else if (!of->point[i].is_closed) {
                of->friction[i].slips = false;
            }
        }
    }
    of->friction_change = sqrt(by.square);
    if (n) {
        model_renew_contact_equations(model);
    }
    return n;
}
