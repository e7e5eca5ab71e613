/* Pictures of a result or of a mesh, drawn without a browser, for the options of edgewise view. */
#include "look.h"
#include "result_info.h"
#include "study.h"

#include <math.h>
#include <string.h>
#include <strings.h>

typedef struct view_run {
    const look_options *options;
    look_style style;
    char *path, *other; /* owned: results */
    ew_result_view view;
    ew_view_frame mesh; /* where there is no result */
    double box[6];      /* low and high of all frames */
} view_run;

/* ---- frames -------------------------------------------------------------------------------- */

static int32_t n_frame(const view_run *run)
{
    return run->path ? run->view.n_frame : 1;
}

static ew_status read_frame(const view_run *run, int32_t k, ew_view_frame *frame)
{
    ew_view_frame other = {0};
    EW_TRY(ew_result_read_frame(run->path, k, NULL, frame));
    if (!run->other) {
        return EW_OK;
    }
    ew_status status = ew_result_read_frame(run->other, k, NULL, &other);
    status = status ? status : look_subtract(frame, run->path, &other, run->other);
    ew_view_frame_free(&other);
    if (status) {
        ew_view_frame_free(frame);
    }
    return status;
}

/* With `use`, which may change the run. */
static ew_status with_frame(view_run *run, int32_t k,
                            ew_status (*use)(view_run *run, int32_t k, const ew_view_frame *frame))
{
    ew_view_frame frame = {0};
    if (!run->path) {
        return use(run, k, &run->mesh);
    }
    EW_TRY(read_frame(run, k, &frame));
    const ew_status status = use(run, k, &frame);
    ew_view_frame_free(&frame);
    return status;
}

/* ---- what all frames share ----------------------------------------------------------------- */

/* So that the largest displacement is a tenth of the body. */
static double choose_warp(const double *box, double largest)
{
    double size = 0;
    for (int c = 0; c < 3; c++) {
        size = fmax(size, box[3 + c] - box[c]);
    }
    return largest > 0 && isfinite(largest) ? 0.1 * size / largest : 0.0;
}

typedef struct span {
    double box[6], move[6], largest; /* of points and displacements */
} span;

static void measure(const ew_view_frame *frame, span *of)
{
    const ew_view_field *u = ew_view_field_of(frame, "displacement", EW_ON_VERTICES);
    const bool is_moved = u && u->n_component == 3 && isfinite(u->data[0]);
    for (int32_t v = 0; v < frame->n_point; v++) {
        const double *x = frame->xyz + 3 * (size_t)v;
        const double *d = is_moved ? u->data + 3 * (size_t)v : (const double[3]){0, 0, 0};
        for (int c = 0; c < 3; c++) {
            of->box[c] = fmin(of->box[c], x[c]);
            of->box[3 + c] = fmax(of->box[3 + c], x[c]);
            of->move[c] = fmin(of->move[c], d[c]);
            of->move[3 + c] = fmax(of->move[3 + c], d[c]);
        }
        of->largest = fmax(of->largest, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
    }
}

static ew_status choose_field(const view_run *run, const ew_view_frame *frame, look_field *field)
{
    if (run->options->has_sets && !run->options->field) {
        *field = (look_field){.component = -1};
        return EW_OK;
    }
    return look_choose_field(frame, run->options->field, (look_place)run->options->place,
                             run->options->component, field);
}

/* The box, the warp and the colors of these frames. */
static ew_status fit_style(view_run *run, int32_t first, int32_t end)
{
    span all = {{HUGE_VAL, HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {0}, 0};
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int32_t k = first; k < end; k++) {
        ew_view_frame frame = {0};
        look_field field;
        look_extreme least, most;
        EW_TRY(run->path ? read_frame(run, k, &frame) : EW_OK);
        const ew_view_frame *of = run->path ? &frame : &run->mesh;
        const ew_status status = choose_field(run, of, &field);
        if (!status) {
            measure(of, &all);
            look_find_extremes(&field, of, &least, &most);
            low = fmin(low, least.value);
            high = fmax(high, most.value);
        }
        ew_view_frame_free(&frame);
        EW_TRY(status);
    }
    run->style.warp = run->options->has_warp ? run->style.warp : choose_warp(all.box, all.largest);
    for (int c = 0; c < 6; c++) {
        run->box[c] = all.box[c] + run->style.warp * all.move[c];
        run->box[c] = c < 3 ? fmin(run->box[c], all.box[c]) : fmax(run->box[c], all.box[c]);
    }
    run->style.box = run->style.section && !run->options->all_frames ? NULL : run->box;
    run->style.low = run->options->has_range ? run->options->range[0] : low;
    run->style.high = run->options->has_range ? run->options->range[1] : high;
    return EW_OK;
}

/* ---- a picture ----------------------------------------------------------------------------- */

static void print_extreme(const ew_view_frame *frame, const look_field *field, const char *what,
                          const look_extreme *at, const char *unit)
{
    const bool of_tet = field->place == LOOK_AT_TETS;
    const ew_view_field *id = ew_view_field_of(frame, of_tet ? "tet_id" : "vertex_id",
                                               of_tet ? EW_ON_TETS : EW_ON_VERTICES);
    const int32_t row = of_tet ? at->tet : at->point;
    const double *x = frame->xyz + 3 * (size_t)at->point;
    printf("  %-12s %.6g%s%s", what, at->value, *unit ? " " : "", unit);
    if (id && id->data[row] >= 0) {
        printf(" %s %.0f", of_tet ? "in tet" : "at vertex", id->data[row]);
    }
    printf(of_tet ? "\n" : " (%.5g, %.5g, %.5g)\n", x[0], x[1], x[2]);
}

/* NAME.png, or NAME.000007.png of many. */
static ew_status write_picture(const view_run *run, int32_t k, const ew_text *png)
{
    char *path = NULL;
    const size_t n = strlen(run->options->picture) - strlen(".png");
    if (!run->options->all_frames) {
        return tool_write_file(run->options->picture, png);
    }
    EW_TRY(ew_new(&path, n + 24, 1));
    snprintf(path, n + 24, "%.*s.%06d.png", (int)n, run->options->picture, (int)k);
    const ew_status status = tool_write_file(path, png);
    ew_release(path);
    return status;
}

static ew_status draw_frame(view_run *run, int32_t k, const ew_view_frame *frame)
{
    look_field field;
    look_extreme low, high;
    ew_text png = {0};
    double area = 0;
    EW_TRY(choose_field(run, frame, &field));
    char unit[EW_UNIT_TEXT];
    look_write_unit(&run->view, &field, unit);
    run->style.unit = unit;
    EW_TRY(look_draw(frame, &field, &run->style, &area, &png));
    const ew_status status = write_picture(run, k, &png);
    ew_text_free(&png);
    EW_TRY(status);
    printf("frame %d\n", (int)k);
    look_find_extremes(&field, frame, &low, &high);
    if (low.value <= high.value) {
        printf("  %-12s %s\n", "field", field.title);
        print_extreme(frame, &field, "smallest", &low, unit);
        print_extreme(frame, &field, "largest", &high, unit);
    }
    if (run->style.warp > 0) {
        printf("  %-12s times %.6g\n", "displacement", run->style.warp);
    }
    if (run->style.section) {
        printf("  %-12s area %.6g\n", "section", area);
    }
    return EW_OK;
}

/* Vibration and buckling modes have lengths of their own. */
static bool are_modes(const view_run *run)
{
    bool are = false;
    for (int32_t s = 0; s < run->view.n_step; s++) {
        are = are || !strcmp(run->view.step[s].kind, "modes") ||
              !strcmp(run->view.step[s].kind, "buckling");
    }
    return are;
}

static ew_status draw_all(view_run *run)
{
    const int32_t n = n_frame(run), last = run->options->has_frame ? run->options->frame : n - 1;
    const int32_t first = run->options->all_frames ? 0 : last,
                  end = run->options->all_frames ? n : last + 1;
    if (n == 0 || last >= n) {
        return ew_fail(EW_BAD_INPUT, "%s: has %d %s, counted from 0; there is no frame %d",
                       run->options->in, (int)n, n == 1 ? "frame" : "frames", (int)last);
    }
    const bool each = are_modes(run);
    EW_TRY(each ? EW_OK : fit_style(run, first, end));
    for (int32_t k = first; k < end; k++) {
        EW_TRY(each ? fit_style(run, k, k + 1) : EW_OK);
        EW_TRY(with_frame(run, k, draw_frame));
    }
    return EW_OK;
}

/* ---- what is shown ------------------------------------------------------------------------- */

static ew_status open_mesh(view_run *run)
{
    ew_mesh mesh = {0};
    ew_status status = tool_read_mesh(run->options->in, true, &mesh, NULL);
    status = status ? status : look_frame_of_mesh(&mesh, &run->mesh);
    ew_mesh_free(&mesh);
    return status;
}

static ew_status open_result(view_run *run)
{
    ew_result_view *view = &run->view;
    EW_TRY(tool_find_result(run->options->in, &run->path));
    EW_TRY(ew_replace_recover(run->path));
    EW_TRY(ew_result_read_view(run->path, view));
    run->style.length_unit = view->length_unit;
    return run->options->minus ? tool_find_result(run->options->minus, &run->other) : EW_OK;
}

static ew_status check_options(const view_run *run)
{
    const size_t n = run->options->picture ? strlen(run->options->picture) : 0;
    const double *s = run->options->section;
    if (n <= 4 || strcasecmp(run->options->picture + n - 4, ".png") != 0) {
        return ew_fail(EW_BAD_INPUT, "view: give --picture NAME.png, where the picture goes%s%.60s",
                       n ? ", and not " : "", n ? run->options->picture : "");
    }
    if (run->options->all_frames && run->options->has_frame) {
        return ew_fail(EW_BAD_INPUT, "view: --frames draws all and --frame one; give one of them");
    }
    if (run->options->has_section && !(s[0] * s[0] + s[1] * s[1] + s[2] * s[2] > 0)) {
        return ew_fail(EW_BAD_INPUT, "view: --section has a normal of length 0");
    }
    if (run->options->has_range && !(run->options->range[0] < run->options->range[1])) {
        return ew_fail(EW_BAD_INPUT, "view: --range is from %g to %g; the first must be the less",
                       run->options->range[0], run->options->range[1]);
    }
    if (run->options->size[0] < 320 || run->options->size[1] < 240 ||
        run->options->size[0] > 8192 || run->options->size[1] > 8192) {
        return ew_fail(EW_BAD_INPUT, "view: --size is %d,%d; it must be from 320,240 to 8192,8192",
                       (int)run->options->size[0], (int)run->options->size[1]);
    }
    return EW_OK;
}

static ew_status show(view_run *run)
{
    const look_options *options = run->options;
    const bool is_mesh = tool_is_mesh_name(options->in) && !result_is_named(options->in);
    EW_TRY(check_options(run));
    if (is_mesh && (options->minus || options->all_frames || options->has_frame)) {
        return ew_fail(EW_BAD_INPUT,
                       "%s: is a mesh; frames and differences are of results, which 'edgewise run' "
                       "writes",
                       options->in);
    }
    EW_TRY(is_mesh ? open_mesh(run) : open_result(run));
    return draw_all(run);
}

int look_show(const look_options *options)
{
    view_run run = {.options = options,
                    .style = {.warp = options->warp,
                              .section = options->has_section ? options->section : NULL,
                              .has_sets = options->has_sets,
                              .length_unit = "",
                              .width = options->size[0],
                              .height = options->size[1]}};
    memcpy(run.style.from, options->from, sizeof run.style.from);
    memcpy(run.style.up, options->up, sizeof run.style.up);
    const ew_status status = show(&run);
    ew_result_view_free(&run.view);
    ew_view_frame_free(&run.mesh);
    ew_release(run.path);
    ew_release(run.other);
    return status ? tool_report_failure(status, NULL) : TOOL_DONE;
}
