/* A frame, a field and a style in, a PNG out. */
#include "look.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { MAX_SET = 64 };

/* Data of a picture. All owned except the names. */
typedef struct parts {
    skin body;
    look look;
    double *xyz, *moved, *value; /* [n_point][3], [n_point][3], [n_face][3] */
    int32_t *face, *line, *kind; /* [n_face][3], [n_edge][2], [n_face] */
    uint8_t *inner;              /* [n_face] */
    double mark[6];
    int32_t n_set;
    const ew_view_field *set[MAX_SET];
    const char *name[MAX_SET];
} parts;

/* ---- sets ---------------------------------------------------------------------------------- */

static void find_sets(const ew_view_frame *frame, parts *to)
{
    for (int32_t i = 0; i < frame->n_field && to->n_set < MAX_SET; i++) {
        const ew_view_field *field = &frame->field[i];
        if (!strncmp(field->name, "set_", 4) && field->is_integer && field->n_component == 1) {
            to->name[to->n_set] = field->name + 4;
            to->set[to->n_set++] = field;
        }
    }
}

bool look_is_mask_of(const char *mask, const char *name)
{
    size_t i = 0;
    for (; name[i] && mask[i]; i++) {
        const unsigned char c = (unsigned char)name[i];
        if (mask[i] != (c >= 128 || isalnum(c) || c == '-' ? (char)c : '_')) {
            return false;
        }
    }
    return !name[i] && !mask[i];
}

bool look_is_in_set(const ew_view_frame *frame, const ew_view_field *set, int32_t tet, int32_t code)
{
    if (set->place == EW_ON_TETS) {
        const int mask = (int)set->data[tet];
        return mask & 16 || (code >= 0 && mask >> code % 4 & 1);
    }
    bool is = code >= 0;
    for (int k = 0; k < 3 && is; k++) {
        is = set->data[frame->tet[4 * (size_t)tet + (size_t)ew_face_vertex[code % 4][k]]] > 0;
    }
    return is;
}

static ew_status take_kinds(const ew_view_frame *frame, parts *to)
{
    find_sets(frame, to);
    EW_TRY(ew_new(&to->kind, (size_t)to->look.n_face, sizeof *to->kind));
    for (int32_t f = 0; f < to->look.n_face; f++) {
        const int32_t tet = to->look.face[3 * (size_t)f].tet;
        to->kind[f] = -1;
        for (int32_t s = to->n_set - 1; s >= 0; s--) {
            if (look_is_in_set(frame, to->set[s], tet, to->look.code[f])) {
                to->kind[f] = s;
            }
        }
    }
    return EW_OK;
}

/* ---- points, values, marks ---------------------------------------------------------------------
 */

static const double *displacement_of(const ew_view_frame *frame)
{
    const ew_view_field *u = ew_view_field_of(frame, "displacement", EW_ON_VERTICES);
    return u && u->n_component == 3 && isfinite(u->data[0]) ? u->data : NULL;
}

static ew_status take_points(const ew_view_frame *frame, double warp, parts *to)
{
    const size_t n_corner = 3 * (size_t)to->look.n_face, n_end = 2 * (size_t)to->look.n_edge;
    const double *u = displacement_of(frame);
    if (n_corner + n_end > INT32_MAX) {
        return ew_fail(EW_LIMIT, "the body has too many faces for a picture");
    }
    EW_TRY(ew_new(&to->xyz, 3 * (n_corner + n_end), sizeof *to->xyz));
    EW_TRY(ew_new(&to->moved, 3 * (n_corner + n_end), sizeof *to->moved));
    EW_TRY(ew_new(&to->face, n_corner, sizeof *to->face));
    EW_TRY(ew_new(&to->line, n_end, sizeof *to->line));
    for (size_t i = 0; i < n_corner + n_end; i++) {
        const look_point *p = i < n_corner ? &to->look.face[i] : &to->look.edge[i - n_corner];
        *(i < n_corner ? &to->face[i] : &to->line[i - n_corner]) = (int32_t)i;
        look_locate(frame, p, NULL, 0.0, to->xyz + 3 * i);
        look_locate(frame, p, u, warp, to->moved + 3 * i);
    }
    return EW_OK;
}

/* Which sides of the triangles are pieces of no edge: those of a boundary face on the edges of its
 * tet, those of a cap on its faces, are lines. */
static ew_status find_inner(parts *to)
{
    EW_TRY(ew_new_zero(&to->inner, (size_t)to->look.n_face, 1));
    for (int32_t i = 0; i < 3 * to->look.n_face; i++) {
        const int32_t f = i / 3, k = i % 3;
        const double *a = to->look.face[3 * f + (k + 1) % 3].weight;
        const double *b = to->look.face[3 * f + (k + 2) % 3].weight;
        int n_zero = 0;
        for (int c = 0; c < 4; c++) {
            n_zero += a[c] == 0.0 && b[c] == 0.0;
        }
        if (n_zero < (to->look.code[f] < 0 ? 1 : 2)) {
            to->inner[f] |= (uint8_t)(1 << k);
        }
    }
    return EW_OK;
}

static ew_status take_values(const ew_view_frame *frame, const look_field *field, parts *to)
{
    const size_t n = 3 * (size_t)to->look.n_face;
    EW_TRY(ew_new(&to->value, n, sizeof *to->value));
    for (size_t i = 0; i < n; i++) {
        to->value[i] = look_value(field, frame, &to->look.face[i]);
    }
    return EW_OK;
}

/* Where the field is least and largest, a vertex or the middle of a tet, as far as the section
 * leaves that. Returns how many. */
static int32_t take_marks(const ew_view_frame *frame, const look_field *field,
                          const look_style *style, parts *to)
{
    look_extreme at[2];
    const double *u = displacement_of(frame), *s = style->section;
    int32_t n = 0;
    look_find_extremes(field, frame, &at[0], &at[1]);
    for (int k = 0; k < 2 && at[0].value < at[1].value; k++) {
        look_point p = {at[k].tet, {.25, .25, .25, .25}};
        double x[3], *place = to->mark + 3 * (size_t)n;
        if (field->place == LOOK_AT_TETS) {
            look_locate(frame, &p, NULL, 0.0, x);
            look_locate(frame, &p, u, style->warp, place);
        } else {
            const size_t i = 3 * (size_t)at[k].point;
            memcpy(x, frame->xyz + i, sizeof x);
            for (size_t c = 0; c < 3; c++) {
                place[c] = x[c] + (u ? style->warp * u[i + c] : 0.0);
            }
        }
        n += !s || s[0] * x[0] + s[1] * x[1] + s[2] * x[2] <= s[3];
    }
    return n;
}

/* ---- the picture --------------------------------------------------------------------------- */

static ew_status draw(const ew_view_frame *frame, const look_field *field, const look_style *style,
                      parts *own, ew_text *png)
{
    EW_TRY(skin_take(frame, &own->body));
    EW_TRY(look_take(frame, &own->body, style->section, &own->look));
    EW_TRY(take_points(frame, style->warp, own));
    EW_TRY(find_inner(own));
    EW_TRY(field->of ? take_values(frame, field, own) : EW_OK);
    EW_TRY(style->has_sets ? take_kinds(frame, own) : EW_OK);
    const bool is_moved = displacement_of(frame) && style->warp != 0.0;
    const bool is_life = look_is_life(field);
    picture_scene scene = {
        .n_point = 3 * own->look.n_face + 2 * own->look.n_edge,
        .xyz = own->xyz,
        .moved = own->moved,
        .low = is_life ? style->high : style->low,
        .high = is_life ? style->low : style->high,
        .is_log = is_life,
        .n_face = own->look.n_face,
        .face = own->face,
        .value = own->value,
        .n_edge = is_moved ? own->look.n_edge : 0,
        .edge = own->line,
        .n_line = own->look.n_edge,
        .line = own->line,
        .kind = own->kind,
        .inner = own->inner,
        .n_name = own->n_set,
        .name = own->name,
        .title = is_life     ? "fatigue life, repeats"
                 : field->of ? field->title
                             : "",
        .unit = style->unit,
        .length_unit = style->length_unit,
        .box = style->box,
        .n_mark = field->of ? take_marks(frame, field, style, own) : 0,
        .mark = own->mark,
        .n_symbol = style->n_symbol,
        .symbol = style->symbol,
        .width = style->width,
        .height = style->height,
    };
    memcpy(scene.eye, style->from, sizeof scene.eye);
    memcpy(scene.up, style->up, sizeof scene.up);
    return picture_draw(&scene, png);
}

ew_status look_draw(const ew_view_frame *frame, const look_field *field, const look_style *style,
                    double *cap_area, ew_text *png)
{
    parts own = {0};
    const ew_status status = draw(frame, field, style, &own, png);
    *cap_area = own.look.cap_area;
    skin_free(&own.body);
    look_free(&own.look);
    ew_release(own.xyz);
    ew_release(own.moved);
    ew_release(own.value);
    ew_release(own.face);
    ew_release(own.line);
    ew_release(own.kind);
    ew_release(own.inner);
    return status;
}
