/* edgewise report: a result as one page of HTML: pictures, curves, tables, the mesh, the case. */
#include "report_envelope.h"
#include "report_files.h"
#include "report_page.h"

#include <math.h>
#include <string.h>

typedef struct report_run {
    char *path; /* owned */
    const char *output;
    report_eye eye;
    int32_t max_pictures;
    double max_turn; /* MB */
    ew_result_view view;
    char stress_unit[EW_UNIT_TEXT];
    page page;
} report_run;

/* ---- numbers of steps -------------------------------------------------------------- */

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
    char hash[sizeof report_script_hash];
    page_add(to,
             "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
             "content='width=device-width'>");
    /* No script but its own runs, whatever a name in the file says, and nothing is loaded. */
    page_add(to, "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; img-src "
                 "data:; style-src 'unsafe-inline'; script-src 'sha256-");
    memcpy(hash, report_script_hash, sizeof hash);
    page_add_base64(to, &(ew_text){.data = hash, .size = sizeof hash});
    page_add(to, "'\"><title>");
    page_add_text(to, slash ? slash + 1 : run->path);
    page_add(to, "</title><style>%s</style></head><body>\n<h1>", (const char *)report_style);
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
    add_fact(to, "elements", view->elements);
    add_fact(to, "length unit", view->length_unit);
    add_fact(to, "force unit", view->force_unit);
    add_fact(to, "stress unit", run->stress_unit);
    page_add(to, "</table>\n");
}

/* ---- curves ---------------------------------------------------------------------- */

static void add_curve(report_run *run, const ew_step_number *number, const char *unit,
                      double *value, const char **name)
{
    const int32_t n = run->view.n_step;
    bool any = false;
    for (int32_t k = 0; k < n; k++) {
        const ew_view_step *step = &run->view.step[k];
        name[k] = step->name;
        value[k] = report_number_of(step, number);
        any = any || isfinite(value[k]);
    }
    if (any) {
        page_add_chart(&run->page, &(page_chart){number->curve, unit, n, value, name});
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
    for (int32_t k = 0; (number = ew_step_number_at(k)) && !status; k++) {
        char unit[EW_UNIT_TEXT];
        if (number->curve) {
            ew_unit_text(number->unit, view->length_unit, view->force_unit, view->time_unit, unit);
            add_curve(run, number, unit, value, name);
        }
    }
    ew_release(value);
    ew_release(name);
    return status;
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
    EW_TRY(report_add_warnings(&run->page, view));
    report_add_steps(&run->page, view);
    EW_TRY(report_add_sweep(&run->page, view));
    EW_TRY(report_add_envelope(&run->page, view));
    report_add_sets(&run->page, view);
    EW_TRY(report_add_places(&run->page, run->path, view));
    EW_TRY(report_add_frames(&run->page, run->path, view, &run->eye, run->max_pictures,
                             (size_t)(run->max_turn * 1e6)));
    EW_TRY(report_add_fields(&run->page, run->path, view));
    EW_TRY(report_add_rounds(&run->page, run->path, view));
    if (view->n_step > 1) {
        EW_TRY(report_add_harmonic(&run->page, &run->view));
        EW_TRY(report_add_time(&run->page, run->path, &run->view));
        EW_TRY(report_is_sweep(view) ? EW_OK : add_curves(run)); /* which has its own */
    }
    page_add(&run->page, "<h2>Case</h2>\n<pre>");
    page_add_text(&run->page, view->case_text);
    page_add(&run->page, "</pre>\n<script type='module'>%s</script>\n</body></html>\n",
             (const char *)report_script);
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
    report_run run = {
        .eye = {.from = {1, .75, 1.1}, .up = {0, 1, 0}}, .max_pictures = 12, .max_turn = 12};
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
        {.name = "turn",
         .kind = TOOL_NUMBER,
         .value = &run.max_turn,
         .argument = "MB",
         .high = 500,
         .help =
             "largest size of what can be turned and played on the page; 0: pictures alone (12)"},
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
