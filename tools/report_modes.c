/* Printed results of a step of vibration modes or buckling: a line of each. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_mode(const run_report *report, const ew_step_report *step)
{
    const ew_modes *modes = step->modes;
    const int32_t k = step->mode;
    const double *mass = modes->effective + 3 * (size_t)k;
    if (k == 0 && modes->sectors) {
        printf("  diameter     %d of %d sectors%s\n", (int)abs(modes->diameter),
               (int)modes->sectors,
               modes->n_part == 2 ? "; the whole body has each of these modes twice" : "");
    }
    if (k == 0) {
        printf("  modes        %d of a mass of %.6g, %d of them rigid; factor and %d solves\n"
               "  mode  %18s  effective mass, %% of all: x        y        z\n",
               (int)modes->n, modes->mass, (int)modes->n_rigid, (int)modes->n_solve,
               !strcmp(report->input->time_unit, "s") ? "frequency, Hz" : "frequency");
    }
    printf("  %4d  %18.8g  %26.4f %8.4f %8.4f%s\n", (int)k + 1, modes->frequency[k],
           100.0 * mass[0] / modes->mass, 100.0 * mass[1] / modes->mass,
           100.0 * mass[2] / modes->mass, k < modes->n_rigid ? "  rigid" : "");
    double sum[3] = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < 3 * modes->n && k + 1 == modes->n; i++) {
        sum[i % 3] += 100.0 * modes->effective[i] / modes->mass;
    }
    if (k + 1 == modes->n) {
        printf("   sum %18s  %27.4f %8.4f %8.4f\n", "", sum[0], sum[1], sum[2]);
    }
}

void report_mode(const run_report *report, const ew_step_report *step)
{
    if (step->modes) {
        print_mode(report, step);
        return;
    }
    if (step->mode == 0) {
        puts("  buckling     times what stresses the body in the step before");
    }
    printf("  %4d        load factor %.8g\n", (int)step->mode + 1,
           step->buckling->factor[step->mode]);
}

void report_mode_name(const ew_step_report *step, char *name, size_t size)
{
    const int k = (int)step->mode;
    name[0] = '\0';
    if (step->modes && step->modes->sectors) {
        snprintf(name, size, "n %d mode %d %.6g", (int)abs(step->modes->diameter), k + 1,
                 step->modes->frequency[k]);
    } else if (step->modes) {
        snprintf(name, size, "mode %d %.6g", k + 1, step->modes->frequency[k]);
    } else if (step->buckling) {
        snprintf(name, size, "factor %d %.6g", k + 1, step->buckling->factor[k]);
    } else if (step->has_response && step->response.kind == EW_RESPONSE_HARMONIC) {
        snprintf(name, size, "%.12s at %.6g", step->name, step->response.frequency);
    }
}
