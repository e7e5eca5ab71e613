/* Pictures of a report page. In: a frame, its boundary, from where it is seen. Out: a figure, the
 * body colored by von Mises stress and moved by its displacement, with a caption. */
#include "report_page.h"

#include "picture.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 720, HEIGHT = 480 };

/* 1, 2 or 5 times a power of ten, not above the value. */
static double round_down(double value)
{
    const double power = pow(10, floor(log10(value))), head = value / power;
    return (head >= 5 ? 5 : head >= 2 ? 2 : 1) * power;
}

/* So that the largest displacement is seen as about a twelfth of the body. */
static double choose_warp(const report_eye *eye, const ew_view_frame *frame, const skin *body,
                          const ew_view_field *u)
{
    double max = 0, size = 0;
    for (int32_t v = 0; v < frame->n_point; v++) {
        const double *at = u->data + 3 * (size_t)v;
        max = fmax(max, sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]));
    }
    for (int c = 0; c < 3; c++) {
        size = fmax(size, body->measure.high[c] - body->measure.low[c]);
    }
    if (!(max > 0) || !isfinite(max) || eye->warp > 0) {
        return eye->warp > 0 ? eye->warp : 1;
    }
    return round_down(size / (12 * max));
}

static void add_caption(page *to, const char *stress_unit, const ew_view_step *step, int32_t number,
                        const picture_scene *scene, double warp)
{
    const double *most = ew_view_find(step->n_number, step->number, "max_von_mises", 1);
    page_add(to, "<figcaption>step %d, <b>", (int)number);
    page_add_text(to, step->name);
    page_add(to, "</b>");
    if (scene->value) {
        page_add(to, ": von Mises %.4g<span class='scale' style='background:linear-gradient(90deg",
                 scene->low);
        for (int k = 0; k <= 4; k++) {
            unsigned char rgb[3];
            picture_color(0.25 * k, rgb);
            page_add(to, ",rgb(%d,%d,%d)", rgb[0], rgb[1], rgb[2]);
        }
        page_add(to, ")'></span>%.4g ", scene->high);
        page_add_text(to, stress_unit);
        page_add(to, " (averaged at the vertices by material)");
        if (most) {
            page_add(to, ", max %.5g of all tets and vertices", *most);
        }
    }
    if (scene->moved) {
        page_add(to, ", displacements times %.6g", warp);
    }
    page_add(to, "</figcaption>");
}

static ew_status move_points(const ew_view_frame *frame, const ew_view_field *u, double warp,
                             double **moved)
{
    const size_t n = 3 * (size_t)frame->n_point;
    EW_TRY(ew_new(moved, n, sizeof **moved));
    for (size_t i = 0; i < n; i++) {
        (*moved)[i] = frame->xyz[i] + warp * u->data[i];
    }
    return EW_OK;
}

static bool has_numbers(const ew_view_field *field, int32_t width)
{
    return field && field->n_component == width && isfinite(field->data[0]);
}

/* Von Mises stress at the corners of the faces into scene->value, the caller's, where materials
 * meet on the side of the tet behind; its range over the body. */
static ew_status take_stress(const ew_view_frame *frame, const skin *body, picture_scene *scene,
                             double **value)
{
    const ew_view_field *mises = ew_view_field_of(frame, "von_mises", EW_ON_VERTICES);
    if (!has_numbers(mises, 1)) { /* the frame of an envelope has that alone */
        mises = ew_view_field_of(frame, "envelope_von_mises", EW_ON_VERTICES);
    }
    const ew_view_field *corner = ew_view_field_of(frame, "corner_von_mises", EW_ON_TETS);
    const bool by_corner = has_numbers(corner, 4);
    if (!by_corner && !has_numbers(mises, 1)) {
        return EW_OK;
    }
    const double *from = by_corner ? corner->data : mises->data;
    const int64_t n = by_corner ? 4 * (int64_t)frame->n_tet : frame->n_point;
    EW_TRY(ew_new(value, 3 * (size_t)body->n_face, sizeof **value));
    for (size_t i = 0; i < 3 * (size_t)body->n_face; i++) {
        (*value)[i] = from[by_corner ? body->corner[i] : body->face[i]];
    }
    scene->value = *value;
    for (int64_t i = 0; i < n; i++) {
        scene->low = fmin(scene->low, from[i]);
        scene->high = fmax(scene->high, from[i]);
    }
    return EW_OK;
}

ew_status report_add_picture(page *to, const report_eye *eye, const char *stress_unit,
                             const ew_view_step *step, int32_t number, const ew_view_frame *frame,
                             const skin *body)
{
    const ew_view_field *u = ew_view_field_of(frame, "displacement", EW_ON_VERTICES);
    double *moved = NULL, *value = NULL, warp = 1;
    ew_text png = {0};
    if (has_numbers(u, 3)) {
        warp = choose_warp(eye, frame, body, u);
        EW_TRY(move_points(frame, u, warp, &moved));
    }
    picture_scene scene = {.n_point = frame->n_point,
                           .xyz = frame->xyz,
                           .moved = moved,
                           .low = HUGE_VAL,
                           .high = -HUGE_VAL,
                           .n_face = body->n_face,
                           .face = body->face,
                           .n_edge = body->n_edge,
                           .edge = body->edge,
                           .width = WIDTH,
                           .height = HEIGHT};
    memcpy(scene.eye, eye->from, sizeof scene.eye);
    memcpy(scene.up, eye->up, sizeof scene.up);
    ew_status status = take_stress(frame, body, &scene, &value);
    status = status ? status : picture_draw(&scene, &png);
    if (!status) {
        page_add(to,
                 "<figure><img width='%d' height='%d' alt='step %d' "
                 "src='data:image/png;base64,",
                 WIDTH, HEIGHT, (int)number);
        page_add_base64(to, &png);
        page_add(to, "'>");
        add_caption(to, stress_unit, step, number, &scene, warp);
        page_add(to, "</figure>\n");
    }
    ew_text_free(&png);
    ew_release(moved);
    ew_release(value);
    return status;
}
