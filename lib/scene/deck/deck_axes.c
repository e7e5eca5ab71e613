/* Local axes of a keyword deck. In: *ORIENTATION (materials) and *TRANSFORM (supports, forces).
 * Out: `axes:` of a case. */
#include "scene/deck/deck.h"

#include <math.h>
#include <string.h>

/* Beyond this cosine two directions of an orientation are not taken as at right angles. */
#define RIGHT_ANGLE 1e-12

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int c = 0; c < 3; c++) {
        out[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
    }
}

static bool is_cylinder(const deck_case *d, const ew_deck_card *card)
{
    return deck_is(d, card, "TRANSFORM") ? deck_has(d, card, "TYPE", "C")
                                         : deck_has(d, card, "SYSTEM", "CYLINDRICAL");
}

/* Rotates v by the angle about the unit vector p (Rodrigues). */
static void rotate(const double p[3], double angle, double v[3])
{
    const double c = cos(angle), s = sin(angle), along = (1.0 - c) * dot(p, v);
    double across[3];
    cross(p, v, across);
    for (int k = 0; k < 3; k++) {
        v[k] = c * v[k] + s * across[k] + along * p[k];
    }
}

/* Axes 1 and 2 at right angles, of unit length where they were not so; a rotation about local axis
 * `about`, 1 to 3. */
static ew_status make_right_angles(const deck_case *d, const ew_deck_card *card, int about,
                                   double angle, double v[6])
{
    double frame[3][3], *x = v, *y = v + 3;
    const double length[2] = {sqrt(dot(x, x)), sqrt(dot(y, y))}, product = dot(x, y);
    const double cosine = product / (length[0] * length[1]);
    if (!(fabs(cosine) < 1.0 - 1e-12)) {
        return deck_fail(d, card,
                         "its points a and b lie on one line with the origin; they should be on "
                         "axis 1 and in the plane of axes 1 and 2");
    }
    if (fabs(cosine) <= RIGHT_ANGLE && angle == 0.0) {
        return EW_OK;
    }
    for (int c = 0; c < 3; c++) {
        frame[0][c] = x[c] / length[0];
        frame[1][c] = y[c] / length[1] - cosine * frame[0][c];
    }
    const double rest = sqrt(dot(frame[1], frame[1]));
    for (int c = 0; c < 3; c++) {
        frame[1][c] /= rest;
    }
    cross(frame[0], frame[1], frame[2]);
    for (int k = 0; k < 2; k++) {
        memcpy(v + 3 * (size_t)k, frame[k], sizeof frame[k]);
        rotate(frame[about - 1], angle, v + 3 * (size_t)k);
    }
    return EW_OK;
}

/* The second line of an orientation: a local axis and an angle in degrees. */
static ew_status read_rotation(const deck_case *d, const ew_deck_card *card, const deck_line *line,
                               int *about, double *angle)
{
    double axis;
    EW_TRY(deck_number(d, line, 0, "a local axis", 1.0, &axis));
    EW_TRY(deck_number(d, line, 1, "an angle", 0.0, angle));
    if (axis != 1.0 && axis != 2.0 && axis != 3.0) {
        return deck_fail(d, card, "the axis of its additional rotation is %g; it may be 1, 2 or 3",
                         axis);
    }
    if (*angle != 0.0 && is_cylinder(d, card)) {
        return deck_fail(d, card,
                         "an additional rotation of a cylindrical system is not read; CalculiX "
                         "refuses it, too");
    }
    *about = (int)axis;
    *angle *= acos(-1.0) / 180.0;
    return EW_OK;
}

/* Two points; of an orientation's third, Abaqus' origin, the first two are seen from it. */
static ew_status read_points(deck_case *d, const ew_deck_card *card, double v[6], int *about,
                             double *angle)
{
    const bool is_orientation = deck_is(d, card, "ORIENTATION");
    ew_deck_cursor c = ew_deck_data(&d->deck, card);
    ew_deck_field next;
    bool has_next = false, is_moved = false;
    deck_line line, second;
    double origin[3] = {0.0, 0.0, 0.0};
    *about = 1;
    *angle = 0.0;
    if (!deck_next_line(&c, &next, &has_next, &line) || line.n < 6) {
        return deck_fail(d, card, "needs two points, six numbers");
    }
    for (int i = 0; i < 6; i++) {
        EW_TRY(deck_number(d, &line, i, "a coordinate", 0.0, &v[i]));
    }
    for (int i = 0; i < 3 && is_orientation && !is_cylinder(d, card); i++) {
        EW_TRY(deck_number(d, &line, 6 + i, "a coordinate", 0.0, &origin[i]));
        is_moved = is_moved || origin[i] != 0.0;
    }
    for (int i = 0; i < 6 && is_moved; i++) {
        v[i] -= origin[i % 3];
    }
    if (is_moved && !d->is_read[card - d->deck.card]) {
        deck_note(d, card, "the third point is the origin, as in Abaqus; CalculiX ignores it");
    }
    return is_orientation && deck_next_line(&c, &next, &has_next, &second)
               ? read_rotation(d, card, &second, about, angle)
               : EW_OK;
}

ew_status deck_read_axes(deck_case *d, const ew_deck_card *card, deck_axes *axes)
{
    double v[6], angle;
    int about;
    EW_TRY(read_points(d, card, v, &about, &angle));
    axes->is_cylinder = is_cylinder(d, card);
    if (!axes->is_cylinder) {
        EW_TRY(deck_is(d, card, "ORIENTATION") ? make_right_angles(d, card, about, angle, v)
                                               : EW_OK);
        ew_deck_place(&d->deck, card->scope, false, v);
        ew_deck_place(&d->deck, card->scope, false, v + 3);
    } else {
        for (int c = 0; c < 3; c++) {
            v[3 + c] -= v[c];
        }
        ew_deck_place(&d->deck, card->scope, true, v);
        ew_deck_place(&d->deck, card->scope, false, v + 3);
    }
    memcpy(axes->first, v, sizeof axes->first);
    memcpy(axes->second, v + 3, sizeof axes->second);
    return EW_OK;
}

ew_status deck_put_axes(deck_case *d, const ew_deck_card *card, ew_case_entry *to)
{
    deck_axes axes;
    EW_TRY(deck_read_axes(d, card, &axes));
    ew_case_entry *in = ew_case_add_mapping(to, "axes");
    in = axes.is_cylinder ? ew_case_add_mapping(in, "cylinder") : in;
    ew_case_add_numbers(in, axes.is_cylinder ? "point" : "x", axes.first, 3);
    ew_case_add_numbers(in, axes.is_cylinder ? "axis" : "y", axes.second, 3);
    return EW_OK;
}
