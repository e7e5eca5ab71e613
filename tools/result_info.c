/* info of a result: where it comes from, whether it is whole, its steps. */
#include "result_info.h"

#include <math.h>
#include <string.h>

bool result_is_named(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strcmp(dot, ".vtkhdf");
}

static void print_fact(const char *name, const char *value)
{
    if (*value) { /* a file may hold anything: no control characters on the terminal */
        printf("%-11s ", name);
        tool_print_padded(value, (int)strlen(value));
        puts("");
    }
}

static void print_number(const ew_view_step *step, const char *name, bool shown, const char *format)
{
    const double *value = ew_view_find(step->n_number, step->number, name, 1);
    char text[64] = "-";
    if (value && shown && isfinite(*value)) {
        snprintf(text, sizeof text, format, *value);
    }
    printf(" %12s", text);
}

/* Whether times are those of a body in motion, not the numbers of steps. */
static bool is_dynamic(const ew_result_view *view)
{
    bool any = false;
    for (int32_t k = 0; k < view->n_step; k++) {
        any = any || !strcmp(view->step[k].kind, "dynamic");
    }
    return any;
}

static void print_steps(const ew_result_view *view)
{
    const bool timed = is_dynamic(view);
    printf("%4s %-16s %6s %s%12s %12s %12s %12s %12s\n", timed ? "" : "step", "name", "frame",
           timed ? "        time " : "", "tets", "volume", "max u", "von Mises", "iterations");
    for (int32_t k = 0; k < view->n_step; k++) {
        const ew_view_step *step = &view->step[k];
        const bool solved = strcmp(step->kind, "edit") != 0 && strcmp(step->kind, "fatigue") != 0;
        char frame[16] = "-";
        if (step->frame >= 0) {
            snprintf(frame, sizeof frame, "%d", (int)step->frame);
        }
        printf("%4d ", (int)k);
        tool_print_padded(step->name, 16);
        printf(" %6s", frame);
        if (timed) {
            print_number(step, "time", true, "%.6g");
        }
        print_number(step, "n_tet", true, "%.0f");
        print_number(step, "volume", true, "%.5g");
        print_number(step, "max_displacement", solved, "%.5g");
        print_number(step, "max_von_mises", solved, "%.5g");
        print_number(step, "iterations", solved, "%.0f");
        puts("");
    }
}

int result_info(const char *path)
{
    ew_result_view view = {0};
    ew_status status = ew_replace_recover(path);
    if (!status) {
        status = ew_result_read_view(path, &view);
    }
    if (status) {
        return tool_report_failure(status, NULL);
    }
    printf("%s\n", path);
    print_fact("case", view.case_path);
    print_fact("program", view.program);
    print_fact("device", view.device);
    print_fact("precision", view.precision);
    print_fact("elements", view.elements);
    printf("%-11s %d, %d frames\n", is_dynamic(&view) ? "outputs" : "steps", (int)view.n_step,
           (int)view.n_frame);
    if (!view.complete) {
        printf("stopped     at %s %d, so not complete\n", is_dynamic(&view) ? "output" : "step",
               (int)view.stopped_at);
        print_fact("reason", view.reason);
    }
    print_steps(&view);
    ew_result_view_free(&view);
    return TOOL_DONE;
}
