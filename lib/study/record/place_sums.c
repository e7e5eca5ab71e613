/* Values at places of several states as one: the root of the sum of squares over the columns of a
 * response, with phases where these are the real and the imaginary part of a harmonic motion, as
 * its fields are made (response.c); the largest over the records of an envelope. In: reports of the
 * same places. Out: one of them all. */
#include "study/record/places.h"

#include <math.h>
#include <string.h>

void ew_place_measure_vector(ew_place_vector *of)
{
    const double *v = of->value;
    of->length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

void ew_place_measure_stress(ew_place_stress *of)
{
    double principal[3];
    ew_principal(of->value, principal);
    of->von_mises = ew_von_mises(of->value);
    of->intensity = principal[0] - principal[2];
}

/* ---- rules for numbers: n components, their phases (null: none), a measure of them ------------
 */

typedef struct numbers {
    int n;
    double *value, *phase, *measure, *intensity; /* intensity: of a stress, else null */
} numbers;
typedef void rule(const numbers *to, const numbers *from, int part);

static const double degrees = 57.29577951308232;

/* The phase is the real part until the imaginary one is there. */
static void put_squares(const numbers *to, const numbers *from, int part)
{
    for (int c = 0; c < to->n; c++) {
        to->phase[c] = part == 0 ? from->value[c] : 0.0;
        to->value[c] = from->value[c] * from->value[c];
    }
    *to->measure = *from->measure * *from->measure;
    if (to->intensity) {
        *to->intensity = NAN; /* its square is not quadratic in stress */
    }
}

static void add_squares(const numbers *to, const numbers *from, int part)
{
    for (int c = 0; c < to->n; c++) {
        const double value = from->value[c], real = to->phase[c];
        to->value[c] += value * value;
        if (part == 1) {
            to->phase[c] = value == 0.0 && real == 0.0 ? 0.0 : degrees * atan2(value, real);
        }
    }
    *to->measure += *from->measure * *from->measure;
}

static void take_roots(const numbers *to, const numbers *from, int part)
{
    (void)from, (void)part;
    for (int c = 0; c < to->n; c++) {
        to->value[c] = sqrt(to->value[c]);
    }
    *to->measure = sqrt(*to->measure);
}

static void take_largest(const numbers *to, const numbers *from, int part)
{
    (void)part;
    for (int c = 0; c < to->n; c++) {
        to->value[c] = NAN;
    }
    *to->measure = fmax(*to->measure, *from->measure);
    if (to->intensity) {
        *to->intensity = fmax(*to->intensity, *from->intensity);
    }
}

/* ---- all places of a report -------------------------------------------------------------------
 */

static void join_vectors(rule *apply, ew_place_vector *to, const ew_place_vector *from, int part)
{
    ew_place_vector given = *from;
    apply(&(numbers){3, to->value, to->phase, &to->length, NULL},
          &(numbers){3, given.value, given.phase, &given.length, NULL}, part);
}

static void join_stresses(rule *apply, ew_place_stress *to, const ew_place_stress *from, int part)
{
    ew_place_stress given = *from;
    apply(&(numbers){6, to->value, to->phase, &to->von_mises, &to->intensity},
          &(numbers){6, given.value, given.phase, &given.von_mises, &given.intensity}, part);
}

static void join(rule *apply, ew_place_report *to, const ew_place_report *from, int part)
{
    for (int32_t i = 0; i < to->n_path; i++) {
        ew_path_report *path = &to->path[i];
        for (int32_t k = 0; k < path->n_point; k++) {
            const ew_path_point *point = &from->path[i].point[k];
            join_vectors(apply, &path->point[k].displacement, &point->displacement, part);
            join_stresses(apply, &path->point[k].stress, &point->stress, part);
        }
        for (int k = 0; k < EW_N_WALL_STRESS && path->is_linearized; k++) {
            join_stresses(apply, &path->wall[k], &from->path[i].wall[k], part);
        }
    }
    for (int32_t i = 0; i < to->n_section; i++) {
        ew_section_report *section = &to->section[i];
        const ew_section_report *other = &from->section[i];
        join_vectors(apply, &section->force, &other->force, part);
        join_vectors(apply, &section->moment, &other->moment, part);
        for (int c = 0; c < 4; c++) {
            double phase, along = other->along[c];
            apply(&(numbers){0, NULL, &phase, &section->along[c], NULL},
                  &(numbers){0, NULL, &phase, &along, NULL}, part);
        }
    }
}

void ew_places_put_squares(ew_place_report *of, int part)
{
    join(put_squares, of, of, part);
}

void ew_places_add_squares(ew_place_report *to, const ew_place_report *from, int part)
{
    join(add_squares, to, from, part);
}

void ew_places_take_roots(ew_place_report *of)
{
    join(take_roots, of, of, -1);
}

static void turn_vector(ew_place_vector *of, double size, double angle)
{
    for (int c = 0; c < 3; c++) {
        const double phase = of->phase[c] + angle;
        of->value[c] *= size;
        of->phase[c] = of->value[c] == 0.0 ? 0.0 : phase > 180.0 ? phase - 360.0 : phase;
    }
    of->length *= size;
}

void ew_places_damp_sections(ew_place_report *of, double factor)
{
    const double size = hypot(1.0, factor), angle = degrees * atan(factor);
    for (int32_t i = 0; i < of->n_section; i++) {
        turn_vector(&of->section[i].force, size, angle);
        turn_vector(&of->section[i].moment, size, angle);
        for (int c = 0; c < 4; c++) {
            of->section[i].along[c] *= size;
        }
    }
}

void ew_places_take_largest(ew_place_report *to, const ew_place_report *from)
{
    join(take_largest, to, from, -1);
}

ew_status ew_places_copy(const ew_place_report *from, ew_place_report *to)
{
    *to = (ew_place_report){.n_path = from->n_path};
    EW_TRY(ew_new_zero(&to->path, (size_t)from->n_path, sizeof *to->path));
    for (int32_t i = 0; i < from->n_path; i++) {
        const ew_path_report *path = &from->path[i];
        to->path[i] = *path;
        to->path[i].point = NULL;
        EW_TRY(ew_new(&to->path[i].point, (size_t)path->n_point, sizeof *path->point));
        memcpy(to->path[i].point, path->point, (size_t)path->n_point * sizeof *path->point);
    }
    return EW_OK;
}

void ew_places_free(ew_place_report *places)
{
    for (int32_t i = 0; i < places->n_path && places->path; i++) {
        ew_release(places->path[i].point);
    }
    ew_release(places->path);
    ew_release(places->section);
    *places = (ew_place_report){0};
}
