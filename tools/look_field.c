/* Which numbers of a frame a picture shows. In: a name, a place and a component. Out: a number at a
 * vertex or in a tet, its extremes, its title. */
#include "look.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const look_presets[LOOK_N_PRESET] = {"von_mises", "displacement", "envelope_von_mises",
                                                 "envelope_displacement", "fatigue_log_life"};
static const char *const place_titles[3] = {"", " of tets", " by material"};

/* A field that is not in the list has vectors and tensors by their width. */
static ew_field_kind kind_of(const char *name, int32_t n)
{
    const ew_field_type *at_vertices = ew_field_type_of(name, EW_ON_VERTICES),
                        *type = at_vertices ? at_vertices : ew_field_type_of(name, EW_ON_TETS);
    return type     ? type->kind
           : n == 3 ? EW_VECTOR_FIELD
           : n == 6 ? EW_TENSOR_FIELD
                    : EW_VALUES_FIELD;
}

double look_number(const look_field *field, int32_t row)
{
    const int32_t n = field->of->n_component;
    const double *at = field->of->data + (size_t)n * (size_t)row;
    if (field->component >= 0 || n == 1) {
        return at[field->component > 0 ? field->component : 0];
    }
    return sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
}

double look_value(const look_field *field, const ew_view_frame *frame, const look_point *point)
{
    const size_t first = 4 * (size_t)point->tet;
    int32_t row[10];
    double weight[10], sum = 0.0;
    if (field->place == LOOK_AT_TETS) {
        return look_number(field, point->tet);
    }
    if (field->place == LOOK_AT_CORNERS) {
        for (size_t k = 0; k < 4; k++) {
            sum += point->weight[k] * field->of->data[first + k];
        }
        return sum;
    }
    const int n = look_shape(frame, point, row, weight);
    for (int k = 0; k < n; k++) {
        sum += weight[k] * look_number(field, row[k]);
    }
    return sum;
}

bool look_has_length(const char *field, int32_t n)
{
    return n == 1 || kind_of(field, n) == EW_VECTOR_FIELD;
}

/* ---- choice -------------------------------------------------------------------------------- */

static const ew_view_field *find_at(const ew_view_frame *frame, const char *name, look_place place)
{
    char corner[EW_VIEW_NAME + 8];
    snprintf(corner, sizeof corner, "corner_%.*s", EW_VIEW_NAME - 1, name);
    return place == LOOK_AT_CORNERS
               ? ew_view_field_of(frame, corner, EW_ON_TETS)
               : ew_view_field_of(frame, name, place == LOOK_AT_TETS ? EW_ON_TETS : EW_ON_VERTICES);
}

static bool is_finite(const ew_view_field *field)
{
    return field && field->data && isfinite(field->data[0]);
}

bool look_is_life(const look_field *field)
{
    return field->of && !strcmp(field->of->name, "fatigue_log_life");
}

static bool find_field(const ew_view_frame *frame, const char *name, look_place place,
                       look_field *field)
{
    static const look_place order[] = {LOOK_AT_CORNERS, LOOK_AT_VERTICES, LOOK_AT_TETS};
    for (int k = 0; k < 3; k++) {
        const ew_view_field *of = find_at(frame, name, order[k]);
        if (of && (place == LOOK_ANYWHERE || place == order[k])) {
            field->of = of;
            field->place = order[k];
            return true;
        }
    }
    return false;
}

static ew_status refuse_field(const ew_view_frame *frame, const char *name)
{
    char known[1024] = "";
    for (int32_t i = 0; i < frame->n_field; i++) {
        const ew_view_field *field = &frame->field[i];
        const size_t n = strlen(known);
        snprintf(known + n, sizeof known - n, "%s%s (%s)", n ? ", " : "", field->name,
                 field->place == EW_ON_TETS ? "tets" : "vertices");
    }
    return ew_fail(EW_BAD_INPUT, "there is no field '%.60s' there; the frame has: %s", name, known);
}

static ew_status choose_component(int32_t component, look_field *field)
{
    const int32_t n = field->place == LOOK_AT_CORNERS ? 1 : field->of->n_component;
    if (component >= n) {
        return ew_fail(EW_BAD_INPUT, "%s has %d %s, and component %d (from 0) is none of them",
                       field->of->name, (int)n, n == 1 ? "component" : "components",
                       (int)component);
    }
    if (component < 0 && !look_has_length(field->of->name, n)) {
        return ew_fail(EW_BAD_INPUT, "%s has %d components; choose one, from 0, by --component",
                       field->of->name, (int)n);
    }
    field->component = component;
    return EW_OK;
}

void look_write_name(const char *field, int32_t n, int32_t k, char *name, size_t size)
{
    const char *own = ew_field_component_name(kind_of(field, n), k);
    char part[16] = "";
    if (own && n > 1) {
        snprintf(part, sizeof part, " %s", own);
    } else if (k >= 0 && n > 1) {
        snprintf(part, sizeof part, " %d", (int)k);
    }
    snprintf(name, size, "%s%s", field, part);
    for (char *c = name; *c; c++) {
        *c = *c == '_' ? ' ' : *c;
    }
    char *mises = strstr(name, "von mises");
    if (mises) {
        mises[4] = 'M';
    }
}

static void write_title(look_field *field)
{
    const char *name = field->of->name;
    char own[sizeof field->title];
    name += field->place == LOOK_AT_CORNERS ? strlen("corner_") : 0;
    look_write_name(name, field->of->n_component, field->component, own, sizeof own);
    snprintf(field->title, sizeof field->title, "%.*s%s",
             (int)(sizeof field->title - 1 - strlen(place_titles[field->place])), own,
             place_titles[field->place]);
}

ew_status look_choose_field(const ew_view_frame *frame, const char *name, look_place place,
                            int32_t component, look_field *field)
{
    look_field own = {.place = LOOK_ANYWHERE, .component = -1};
    for (int k = 0; k < LOOK_N_PRESET && !name && !is_finite(own.of); k++) {
        find_field(frame, look_presets[k], place, &own);
    }
    if (name && !find_field(frame, name, place, &own)) {
        return refuse_field(frame, name);
    }
    if (own.of) {
        EW_TRY(choose_component(component, &own));
        write_title(&own);
    }
    if (!is_finite(own.of)) { /* of a step without an analysis */
        own.of = NULL;
    }
    *field = own;
    return EW_OK;
}

/* ---- differences and units ----------------------------------------------------------------- */

ew_status look_subtract(ew_view_frame *frame, const char *path, const ew_view_frame *other,
                        const char *other_path)
{
    if (frame->n_point != other->n_point || frame->n_tet != other->n_tet ||
        memcmp(frame->tet, other->tet, 4 * (size_t)frame->n_tet * sizeof *frame->tet) != 0) {
        return ew_fail(EW_BAD_INPUT, "%s: has other tets than %s; a difference is of one mesh",
                       other_path, path);
    }
    for (int32_t i = 0; i < frame->n_field; i++) {
        ew_view_field *field = &frame->field[i];
        const ew_view_field *less = ew_view_field_of(other, field->name, field->place);
        const bool at_tets = field->place == EW_ON_TETS;
        const size_t n =
            (size_t)field->n_component * (size_t)(at_tets ? frame->n_tet : frame->n_point);
        if (!field->is_integer && less && less->n_component == field->n_component) {
            for (size_t k = 0; k < n; k++) {
                field->data[k] -= less->data[k];
            }
        }
    }
    return EW_OK;
}

void look_write_unit(const ew_result_view *view, const look_field *field, char unit[EW_UNIT_TEXT])
{
    const ew_field_type *type =
        field->of ? ew_field_type_of(field->of->name, field->of->place) : NULL;
    const bool has_units = view->length_unit && view->force_unit && view->time_unit;
    ew_unit_text(type && has_units ? type->unit : "", has_units ? view->length_unit : "",
                 has_units ? view->force_unit : "", has_units ? view->time_unit : "", unit);
}

/* ---- extremes ------------------------------------------------------------------------------ */

static void update_extremes(look_extreme *low, look_extreme *high, double value, int32_t point,
                            int32_t tet)
{
    const look_extreme here = {value, point, tet};
    if (value < low->value) {
        *low = here;
    }
    if (value > high->value) {
        *high = here;
    }
}

void look_find_extremes(const look_field *field, const ew_view_frame *frame, look_extreme *low,
                        look_extreme *high)
{
    *low = (look_extreme){HUGE_VAL, -1, -1};
    *high = (look_extreme){-HUGE_VAL, -1, -1};
    if (!field->of) {
        return;
    }
    if (field->place == LOOK_AT_VERTICES) {
        for (int32_t v = 0; v < frame->n_point; v++) {
            update_extremes(low, high, look_number(field, v), v, -1);
        }
        return;
    }
    const int n = field->place == LOOK_AT_CORNERS ? 4 : 1;
    for (int32_t t = 0; t < frame->n_tet; t++) {
        for (int k = 0; k < n; k++) {
            const size_t i = 4 * (size_t)t + (size_t)k;
            update_extremes(low, high, n == 4 ? field->of->data[i] : look_number(field, t),
                            frame->tet[i], t);
        }
    }
}
