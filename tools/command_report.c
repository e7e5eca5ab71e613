/* edgewise report: a result as one page of HTML: pictures, curves, tables, the mesh, the case. */
#include "report_envelope.h"
#include "report_page.h"

#include <math.h>
#include <string.h>

typedef struct report_run {
    char *path; /* owned */
    const char *output;
    report_eye eye;
    int32_t max_pictures;
    ew_result_view view;
    char stress_unit[EW_UNIT_TEXT];
    page page;
} report_run;

static const char style[] =
    "body{font:15px/1.45 system-ui,sans-serif;color:#222;max-width:1000px;margin:2em "
    "auto;padding:0 "
    "1em}h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em;border-bottom:1px solid #ddd}"
    "table{border-collapse:collapse;font-size:13px}td,th{padding:3px 9px;text-align:right;"
    "border-bottom:1px solid #eee}td:first-child,th:first-child,td.t,th.t{text-align:left}"
    "pre{background:#f6f6f6;padding:1em;overflow:auto;font-size:12.5px}figure{margin:1em 0}"
    "figcaption{font-size:13px;color:#444}img{max-width:100%;border:1px solid #eee}"
    ".bad{background:#fde8e4;border-left:4px solid #b32;padding:.6em 1em}"
    ".scale{display:inline-block;width:220px;height:11px;vertical-align:-1px;margin:0 6px}"
    "svg{margin:6px 10px 6px 0}svg text{font:11px sans-serif;fill:#444}svg .title{font-size:13px;"
    "fill:#222}svg .y{text-anchor:end}svg .x{text-anchor:middle}svg .grid{stroke:#e4e4e4}"
    "svg .curve{stroke:#3a6ea5;stroke-width:2}svg circle,svg .bar{fill:#3a6ea5}";

/* ---- numbers of steps -------------------------------------------------------------- */

static double number_of(const ew_view_step *step, const char *name)
{
    const double *value = ew_view_find(step->n_number, step->number, name, 1);
    return value ? *value : NAN;
}

static bool is_solved(const ew_view_step *step)
{
    return strcmp(step->kind, "edit") != 0 && strcmp(step->kind, "failed") != 0;
}

static void add_cell(page *to, double value, const char *format)
{
    char text[64] = "";
    if (isfinite(value)) {
        snprintf(text, sizeof text, format, value);
    }
    page_add(to, "<td>%s</td>", text);
}

static void add_fact(page *to, const char *name, const char *value)
{
    if (*value) {
        page_add(to, "<tr><td>%s</td><td class='t'>", name);
        page_add_text(to, value);
        page_add(to, "</td></tr>\n");
    }
}

/* ---- head ------------------------------------------------------------------------------ */

static void add_head(report_run *run)
{
    page *to = &run->page;
    const ew_result_view *view = &run->view;
    const char *slash = strrchr(run->path, '/');
    page_add(to,
             "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
             "content='width=device-width'><title>");
    page_add_text(to, slash ? slash + 1 : run->path);
    page_add(to, "</title><style>%s</style></head><body>\n<h1>", style);
    page_add_text(to, slash ? slash + 1 : run->path);
    page_add(to, "</h1>\n");
    if (!view->complete) {
        page_add(to, "<p class='bad'>Not complete: the run stopped at step %d. ",
                 (int)view->stopped_at);
        page_add_text(to, view->reason);
        page_add(to, "</p>\n");
    }
    page_add(to, "<table>\n");
    add_fact(to, "case", view->case_path);
    add_fact(to, "program", view->program);
    add_fact(to, "device", view->device);
    add_fact(to, "precision", view->precision);
    add_fact(to, "length unit", view->length_unit);
    add_fact(to, "force unit", view->force_unit);
    add_fact(to, "stress unit", run->stress_unit);
    page_add(to, "</table>\n");
}

/* ---- pictures ---------------------------------------------------------------------------- */

/* Pictures of frames spread over the study, the last among them; then the mesh of that one. */
static ew_status add_frames(report_run *run)
{
    const int32_t n = run->view.n_frame;
    const int32_t n_shown = n < run->max_pictures ? n : run->max_pictures;
    ew_status status = EW_OK;
    int32_t drawn = 0;
    page_add(&run->page, "<h2>Pictures</h2>\n");
    for (int32_t s = 0; s < run->view.n_step && !status; s++) {
        const int32_t k = run->view.step[s].frame;
        const bool is_last = k == n - 1;
        const bool is_shown =
            k >= 0 && (is_last || (int64_t)k * n_shown / n != (int64_t)(k + 1) * n_shown / n);
        ew_view_frame frame = {0};
        skin body = {0};
        if (is_shown && drawn < n_shown + is_last) {
            status = ew_result_read_frame(run->path, k, "displacement von_mises corner_von_mises",
                                          &frame);
            status = status ? status : skin_take(&frame, &body);
            if (!status && n_shown) {
                status = report_add_picture(&run->page, &run->eye, run->stress_unit,
                                            &run->view.step[s], s, &frame, &body);
                drawn++;
            }
            if (!status && is_last) {
                page_add(&run->page, "<h2>Mesh of the last frame</h2>\n");
                report_add_mesh(&run->page, &run->view.step[s], &frame, &body);
            }
        }
        skin_free(&body);
        ew_view_frame_free(&frame);
    }
    return status;
}

/* ---- curves and table ---------------------------------------------------------------------- */

/* of_analysis: it says something of steps with an analysis alone. */
static void add_curve(report_run *run, const char *number, const char *title, const char *unit,
                      bool of_analysis, double *value, const char **name)
{
    const int32_t n = run->view.n_step;
    bool any = false;
    for (int32_t k = 0; k < n; k++) {
        const ew_view_step *step = &run->view.step[k];
        name[k] = step->name;
        value[k] = of_analysis && !is_solved(step) ? NAN : number_of(step, number);
        any = any || isfinite(value[k]);
    }
    if (any) {
        page_add_chart(&run->page, &(page_chart){title, unit, n, value, name});
    }
}

static ew_status add_curves(report_run *run)
{
    const ew_result_view *view = &run->view;
    const ew_step_number *number;
    double *value = NULL;
    const char **name = NULL;
    EW_TRY(ew_new(&value, (size_t)view->n_step, sizeof *value));
    const ew_status status = ew_new(&name, (size_t)view->n_step, sizeof *name);
    page_add(&run->page, "<h2>Over the steps</h2>\n");
    if (!status) {
        add_curve(run, "objective", "what the search is after", "", true, value, name);
        add_curve(run, "violation", "beyond its limits, share", "", true, value, name);
    }
    for (int32_t k = 0; (number = ew_step_number_at(k)) && !status; k++) {
        char unit[EW_UNIT_TEXT];
        if (number->curve) {
            ew_unit_text(number->unit, view->length_unit, view->force_unit, view->time_unit, unit);
            add_curve(run, number->name, number->curve, unit, number->of_analysis, value, name);
        }
    }
    ew_release(value);
    ew_release(name);
    return status;
}

/* A vector by its length. */
static void add_number(page *to, const ew_step_number *number, const ew_view_step *step)
{
    const double *from = ew_view_find(step->n_number, step->number, number->name, number->n);
    const double value = !from            ? NAN
                         : number->n == 1 ? *from
                                          : hypot(hypot(from[0], from[1]), from[2]);
    /* An envelope has extremes of the body, and no equilibrium. */
    const bool has_none = !strcmp(step->kind, "envelope") && strncmp(number->name, "max_", 4) != 0;
    if (number->of_analysis && (has_none || !is_solved(step))) {
        add_cell(to, NAN, "");
    } else if (number->kind == EW_SHARE_NUMBER) {
        add_cell(to, 100 * value, "%.3g %%");
    } else {
        add_cell(to, value,
                 number->kind == EW_COUNT_NUMBER     ? "%.0f"
                 : number->kind == EW_SECONDS_NUMBER ? "%.3g"
                                                     : "%.5g");
    }
}

/* A column that says something of some step. */
static bool has_column(const report_run *run, const ew_step_number *number)
{
    bool any = false;
    for (int32_t s = 0; s < run->view.n_step && number->title; s++) {
        const ew_view_step *step = &run->view.step[s];
        any = any || ew_view_find(step->n_number, step->number, number->name, number->n);
    }
    return any;
}

static void add_table(report_run *run)
{
    page *to = &run->page;
    const ew_step_number *number;
    page_add(to, "<h2>Steps</h2>\n<table><tr><th>step</th><th class='t'>name</th>");
    for (int32_t k = 0; (number = ew_step_number_at(k)); k++) {
        if (has_column(run, number)) {
            page_add(to, "<th>%s</th>", number->title);
        }
    }
    page_add(to, "</tr>\n");
    for (int32_t s = 0; s < run->view.n_step; s++) {
        const ew_view_step *step = &run->view.step[s];
        page_add(to, "<tr><td>%d</td><td class='t'>", (int)s);
        page_add_text(to, step->name);
        page_add(to, "</td>");
        for (int32_t k = 0; (number = ew_step_number_at(k)); k++) {
            if (has_column(run, number)) {
                add_number(to, number, step);
            }
        }
        page_add(to, "</tr>\n");
    }
    page_add(
        to,
        "</table>\n<p>The max von Mises stress is the one to report: the largest of that of a "
        "tet, constant in it (quadratic tets: at the centroid), that averaged at a vertex over "
        "the tets of one material, and that recovered at the largest tet. Where 'grows by "
        "power' has a number it has no limit (a sharp inner edge, the border of a fixed face, a "
        "point force): on smaller tets it grows with their size to minus that power. The "
        "estimated error is that of the stresses as a share of the energy norm.</p>\n");
}

static void add_set_number(page *to, const ew_set_number *number, const ew_view_set *set,
                           bool is_count)
{
    const double *value = ew_view_find(set->n_number, set->number, number->name, number->n);
    if (number->n == 1) {
        add_cell(to, value ? *value : NAN, is_count ? "%.0f" : "%.5g");
    } else if (value) {
        page_add(to, "<td>(%.5g, %.5g, %.5g)</td>", value[0], value[1], value[2]);
    } else {
        page_add(to, "<td></td>");
    }
}

/* What the sets caught and bore in the last step that tells of them. */
static void add_sets(report_run *run)
{
    const ew_set_number *number;
    const ew_view_step *step = NULL;
    page *to = &run->page;
    for (int32_t k = 0; k < run->view.n_step; k++) {
        const bool has_sums = strcmp(run->view.step[k].kind, "envelope") != 0;
        step = run->view.step[k].n_set && has_sums ? &run->view.step[k] : step;
    }
    if (!step) {
        return;
    }
    page_add(to, "<h2>Sets, after the step ");
    page_add_text(to, step->name);
    page_add(to, "</h2>\n<table><tr><th>set</th><th class='t'>of</th>");
    for (int32_t i = 0; (number = ew_set_number_at(i)); i++) {
        if (number->title) {
            page_add(to, "<th>%s</th>", number->title);
        }
    }
    page_add(to, "</tr>\n");
    for (int32_t k = 0; k < step->n_set; k++) {
        const ew_view_set *set = &step->set[k];
        page_add(to, "<tr><td>");
        page_add_text(to, set->name);
        page_add(to, "</td><td class='t'>");
        page_add_text(to, set->kind);
        page_add(to, "</td>");
        for (int32_t i = 0; (number = ew_set_number_at(i)); i++) {
            if (number->title) {
                add_set_number(to, number, set, i == 0);
            }
        }
        page_add(to, "</tr>\n");
    }
    page_add(to, "</table>\n");
}

/* ---- the page -------------------------------------------------------------------------------- */

static ew_status make_page(report_run *run)
{
    ew_result_view *view = &run->view;
    EW_TRY(ew_replace_recover(run->path));
    EW_TRY(ew_result_read_view(run->path, view));
    ew_unit_text("force/length^2", view->length_unit, view->force_unit, view->time_unit,
                 run->stress_unit);
    add_head(run);
    add_table(run);
    EW_TRY(report_add_warnings(&run->page, view));
    EW_TRY(report_add_envelope(&run->page, view));
    add_sets(run);
    EW_TRY(report_add_places(&run->page, run->path, run->stress_unit, view->length_unit));
    EW_TRY(add_frames(run));
    EW_TRY(report_add_fields(&run->page, run->path, view));
    EW_TRY(report_add_rounds(&run->page, run->path, view));
    if (view->n_step > 1) {
        EW_TRY(report_add_time(&run->page, run->path, &run->view));
        EW_TRY(add_curves(run));
    }
    page_add(&run->page, "<h2>Case</h2>\n<pre>");
    page_add_text(&run->page, view->case_text);
    page_add(&run->page, "</pre>\n</body></html>\n");
    return run->page.status;
}

/* RESULT.html unless another name is given. */
static ew_status name_output(const report_run *run, char **path)
{
    const char *slash = strrchr(run->path, '/'), *dot = strrchr(run->path, '.');
    const char *from = run->output ? run->output : run->path;
    const size_t n =
        !run->output && dot && (!slash || dot > slash) ? (size_t)(dot - from) : strlen(from);
    EW_TRY(ew_new(path, n + sizeof ".html", 1));
    memcpy(*path, from, n);
    strcpy(*path + n, run->output ? "" : ".html");
    return tool_expect_page_output(run->path, *path);
}

static int write_report(report_run *run)
{
    char *path = NULL;
    ew_status status = name_output(run, &path);
    status = status ? status : make_page(run);
    status = status ? status : tool_write_file(path, &run->page.text);
    const int exit_status = status ? tool_report_failure(status, NULL) : TOOL_DONE;
    if (!status) {
        printf("%s: open it in a browser\n", path);
    }
    ew_release(path);
    ew_release(run->path);
    ew_text_free(&run->page.text);
    ew_result_view_free(&run->view);
    return exit_status;
}

int tool_report(int argc, char **argv)
{
    report_run run = {.eye = {.from = {1, .75, 1.1}, .up = {0, 1, 0}}, .max_pictures = 12};
    const tool_option options[] = {
        {.name = "output",
         .letter = 'o',
         .kind = TOOL_TEXT,
         .value = &run.output,
         .argument = "FILE.html",
         .help = "file of the page (RESULT.html)"},
        {.name = "pictures",
         .kind = TOOL_INTEGER,
         .value = &run.max_pictures,
         .argument = "N",
         .high = 1000,
         .help = "largest number of pictures, spread over the steps (12)"},
        {.name = "warp",
         .kind = TOOL_NUMBER,
         .value = &run.eye.warp,
         .argument = "FACTOR",
         .low = 1e-300,
         .high = 1e300,
         .help = "factor of the drawn displacements (chosen for each picture)"},
        {.name = "from",
         .kind = TOOL_VECTOR,
         .value = run.eye.from,
         .argument = "X,Y,Z",
         .help = "view direction, from the body to the viewer (1,0.75,1.1)"},
        {.name = "up",
         .kind = TOOL_VECTOR,
         .value = run.eye.up,
         .argument = "X,Y,Z",
         .help = "the pictures' up direction (0,1,0)"},
    };
    const tool_syntax syntax = {
        .command = "report",
        .arguments = "RESULT.vtkhdf",
        .summary = "write a result as one page of HTML",
        .text =
            "Pictures, curves over steps, the table, the mesh and the case in one file that needs\n"
            "nothing beside it.\n\nexample:\n  edgewise report bracket.vtkhdf --up 0,1,0",
        .n_option = sizeof options / sizeof *options,
        .option = options,
        .min_arguments = 1,
        .max_arguments = 1,
    };
    int n;
    const int exit_status = tool_parse_options(&syntax, argc, argv, &n);
    if (exit_status >= 0) {
        return exit_status;
    }
    const ew_status status = tool_find_result(argv[1], &run.path);
    return status ? tool_report_failure(status, NULL) : write_report(&run);
}
