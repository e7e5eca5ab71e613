/* Frames on a report page. In: a result. Out: the body that can be turned, pictures of frames
 * spread over the study, all in the same colors, the mesh of the last one. */
#include "report_frames.h"

#include <math.h>
#include <string.h>

enum { MAX_TURNED = 400 };

/* ---- a frame --------------------------------------------------------------------------------- */

ew_status report_read_frame(const char *path, const ew_result_view *view, int32_t number,
                            const char *fields, report_frame *out)
{
    report_frame own = {.view = view,
                        .step = &view->step[number],
                        .number = number,
                        .quantity = REPORT_NO_QUANTITY};
    ew_status status = ew_result_read_frame(path, own.step->frame, fields, &own.frame);
    status = status ? status : look_surface_take(&own.frame, &own.surface);
    status = status ? status : look_choose_field(&own.frame, NULL, LOOK_ANYWHERE, -1, &own.field);
    if (status) {
        report_free_frame(&own);
        return status;
    }
    if (own.field.of) {
        own.quantity = look_is_life(&own.field)                  ? REPORT_LIFE
                       : strstr(own.field.of->name, "von_mises") ? REPORT_STRESS
                                                                 : REPORT_DISPLACEMENT;
    }
    look_find_extremes(&own.field, &own.frame, &own.low, &own.high);
    if (!isfinite(own.low.value) || !isfinite(own.high.value)) { /* no numbers to color by */
        own.field.of = NULL;
        own.quantity = REPORT_NO_QUANTITY;
    }
    report_take_acting(view, own.step, &own.acting);
    report_place_acting(&own.frame, &own.surface.pieces, &own.acting);
    *out = own;
    return EW_OK;
}

void report_free_frame(report_frame *own)
{
    report_free_acting(&own->acting);
    look_surface_free(&own->surface);
    ew_view_frame_free(&own->frame);
    *own = (report_frame){0};
}

int32_t report_place_extreme(const report_frame *of, const look_extreme *at, double place[3],
                             double moved[3])
{
    const ew_view_frame *frame = &of->frame;
    const bool of_tet = of->field.place == LOOK_AT_TETS;
    const ew_view_field *id = ew_view_field_of(frame, of_tet ? "tet_id" : "vertex_id",
                                               of_tet ? EW_ON_TETS : EW_ON_VERTICES);
    const ew_view_field *u = ew_view_field_of(frame, "displacement", EW_ON_VERTICES);
    const bool is_moved = u && u->n_component == 3 && isfinite(u->data[0]);
    const int n = of_tet ? 4 : 1;
    for (size_t c = 0; c < 3; c++) {
        place[c] = moved[c] = 0.0;
        for (int k = 0; k < n; k++) {
            const int32_t row = of_tet ? frame->tet[4 * (size_t)at->tet + (size_t)k] : at->point;
            place[c] += frame->xyz[3 * (size_t)row + c] / n;
            moved[c] += is_moved ? u->data[3 * (size_t)row + c] / n : 0.0;
        }
    }
    const double number = id ? id->data[of_tet ? at->tet : at->point] : -1.0;
    return number >= 0.0 && number <= INT32_MAX ? (int32_t)number : -1;
}

/* ---- all of them ----------------------------------------------------------------------------- */

typedef struct frames {
    page *to;
    const char *path;
    const ew_result_view *view;
    const report_eye *eye;
    int32_t max_pictures;
    ew_text fields; /* owned: names, with 0 behind */
    int32_t every;  /* each so many frames can be turned */
    size_t first_size;
    bool is_spread;
    report_turn turn;
    double range[REPORT_NO_QUANTITY + 1][2];
    double largest; /* displacement in motions */
} frames;

static ew_status append(ew_text *to, int32_t *capacity, const char *name)
{
    const size_t n = strlen(name);
    EW_TRY(ew_grow(&to->data, capacity, (int64_t)(to->size + n + 2), 1));
    memcpy(to->data + to->size, name, n);
    to->size += n;
    to->data[to->size++] = ' ';
    to->data[to->size] = 0;
    return EW_OK;
}

/* Displacement, stress, ids and the masks of sets that something acts on. */
static ew_status name_fields(frames *of)
{
    int32_t n = 0, capacity = 0;
    ew_view_field *list = NULL;
    ew_case input;
    EW_TRY(append(&of->fields, &capacity,
                  "displacement von_mises corner_von_mises envelope_von_mises "
                  "envelope_displacement fatigue_log_life vertex_id tet_id"));
    if (report_read_case(of->view, NULL, &input)) {
        return EW_OK;
    }
    ew_status status = ew_result_list_fields(of->path, &n, &list);
    for (int32_t k = 0; k < n && !status; k++) {
        const char *name = list[k].name;
        if (!strncmp(name, "set_", 4) && report_acts_on(&input, name + 4)) {
            status = append(&of->fields, &capacity, name);
        }
    }
    ew_release(list);
    ew_case_free(&input);
    return status;
}

static bool has_picture(const frames *of, int32_t k)
{
    const int32_t n = of->view->n_frame;
    const int32_t n_shown = n < of->max_pictures ? n : of->max_pictures;
    return n_shown && (k == n - 1 || (int64_t)k * n_shown / n != (int64_t)(k + 1) * n_shown / n);
}

static bool is_turned(const frames *of, int32_t k)
{
    return of->turn.limit && (k == of->view->n_frame - 1 || k % of->every == 0);
}

/* Where the first two frames that are turned say that not all fit, those that do are spread over
 * what is left. */
static void spread(frames *of, int32_t k)
{
    const size_t size = report_turn_size(&of->turn), limit = of->turn.limit;
    if (of->turn.n_frame == 1) {
        of->first_size = size;
    } else if (of->turn.n_frame == 2 && !of->is_spread && size < limit) {
        const int64_t n_fit = (int64_t)((limit - size) / (size - of->first_size + 1)) - 1;
        const int64_t n_left = of->view->n_frame - k;
        const int64_t every = n_left / (n_fit > 0 ? n_fit : 1) + 1;
        of->every = every > of->every ? (int32_t)every : of->every;
        of->is_spread = true;
    }
}

static bool is_motion(const ew_view_step *step)
{
    return !strcmp(step->kind, "dynamic");
}

/* For each frame that is drawn: the range of the colors, and what the script draws. */
static ew_status measure(frames *of)
{
    for (int32_t s = 0; s < of->view->n_step; s++) {
        const int32_t k = of->view->step[s].frame;
        report_frame frame;
        if (k < 0 || !(has_picture(of, k) || is_turned(of, k))) {
            continue;
        }
        EW_TRY(report_read_frame(of->path, of->view, s, of->fields.data, &frame));
        double *range = of->range[frame.quantity];
        range[0] = fmin(range[0], frame.low.value);
        range[1] = fmax(range[1], frame.high.value);
        if (is_motion(frame.step)) {
            of->largest = fmax(of->largest, report_largest_displacement(&frame));
        }
        const ew_status status = is_turned(of, k) ? report_turn_add(&of->turn, &frame) : EW_OK;
        report_free_frame(&frame);
        EW_TRY(status);
        spread(of, k);
    }
    return EW_OK;
}

static ew_status draw(frames *of)
{
    const int32_t last = of->view->n_frame - 1;
    for (int32_t s = 0; s < of->view->n_step; s++) {
        const int32_t k = of->view->step[s].frame;
        report_frame frame;
        if (k < 0 || !(has_picture(of, k) || k == last)) {
            continue;
        }
        EW_TRY(report_read_frame(of->path, of->view, s, of->fields.data, &frame));
        ew_status status = EW_OK;
        if (has_picture(of, k)) {
            status = report_add_picture(of->to, of->eye, &frame, of->range[frame.quantity],
                                        is_motion(frame.step) ? of->largest : 0.0);
        }
        if (!status && k == last) {
            page_add(of->to, "<h2>Mesh of the last frame</h2>\n");
            report_add_mesh(of->to, frame.step, &frame.frame, &frame.surface.body);
        }
        report_free_frame(&frame);
        EW_TRY(status);
    }
    return EW_OK;
}

static ew_status add(frames *of)
{
    EW_TRY(name_fields(of));
    EW_TRY(measure(of));
    page_add(of->to, "<h2>Pictures</h2>\n");
    EW_TRY(report_turn_finish(of->to, &of->turn, of->view->n_frame, of->range));
    return draw(of);
}

ew_status report_add_frames(page *to, const char *path, const ew_result_view *view,
                            const report_eye *eye, int32_t max_pictures, size_t max_bytes)
{
    frames own = {.to = to,
                  .path = path,
                  .view = view,
                  .eye = eye,
                  .max_pictures = max_pictures,
                  .every = view->n_frame / MAX_TURNED + 1,
                  .turn = {.limit = max_bytes}};
    for (int q = 0; q <= REPORT_NO_QUANTITY; q++) {
        own.range[q][0] = HUGE_VAL;
        own.range[q][1] = -HUGE_VAL;
    }
    const ew_status status = add(&own);
    report_turn_free(&own.turn);
    ew_text_free(&own.fields);
    return status;
}
