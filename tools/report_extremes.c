/* Printed extremes of an analysis: the largest displacement, the stress to report, the estimated
 * error, each with its place. */
#include "report.h"

#include <math.h>

void report_place(const ew_mesh *mesh, int32_t vertex)
{
    if (vertex >= 0) {
        const double *x = mesh->xyz + 3 * (size_t)vertex;
        printf(" at vertex %lld (%.5g, %.5g, %.5g)", (long long)mesh->vertex_id[vertex], x[0], x[1],
               x[2]);
    }
}

/* " unit", or nothing where the case names none. */
void report_unit(const char *unit, char out[64])
{
    snprintf(out, 64, "%s%.60s", *unit ? " " : "", unit);
}

static void find_units(const ew_case *input, char length[64], char stress[64])
{
    char unit[EW_UNIT_TEXT];
    report_unit(input->length_unit, length);
    ew_unit_text("force/length^2", input->length_unit, input->force_unit, input->time_unit, unit);
    report_unit(unit, stress);
}

/* Of the whole, and of what is read at the peak. */
static void print_error(const ew_step_report *step, const char *stress, bool verbose)
{
    const ew_estimate *estimate = step->estimate;
    if (!estimate) {
        return;
    }
    const double share = estimate->share, peak = estimate->peak_share;
    printf("  error        estimated %.1f %% of the energy norm (%.1f %% of the energy)\n",
           100.0 * share, 100.0 * share * share);
    if (!verbose) {
        return;
    }
    printf("               %s %.0f %% of the largest stress of a tet, recovered %.6g%s",
           peak > 1.0 ? "more than" : "estimated", 100.0 * fmin(peak, 1.0),
           estimate->peak_recovered, stress);
    report_place(step->mesh, estimate->peak_vertex);
    puts("");
}

/* In a region, where the body has several. */
static void print_region(const ew_mesh *mesh, int32_t region)
{
    if (region >= 0 && mesh->n_region > 1) {
        printf(" in region %d", (int)mesh->region_label[region]);
    }
}

/* Where the stress to report has no limit. */
static void print_singularity(const ew_step_report *step)
{
    const ew_singularity *at = &step->peak.singularity;
    static const char *const edge[] = {[EW_EDGE_FREE] = "a sharp inner edge",
                                       [EW_EDGE_FIXED] = "a sharp inner edge of fixed faces",
                                       [EW_EDGE_MIXED] = "the border of a fixed face"};
    if (at->kind == EW_NOT_SINGULAR) {
        return;
    }
    printf("               no limit there: it grows with the size of the tets to the power -%.2g, "
           "at ",
           at->order);
    if (at->kind == EW_SINGULAR_POINT) {
        printf("a point force");
    } else {
        printf("%s, %.0f degrees of material%s", edge[at->support], at->angle,
               at->is_symmetric ? " beside a plane of symmetry" : "");
    }
    report_place(step->mesh, at->vertex);
    puts("");
}

static void print_safety(const ew_step_report *step)
{
    const ew_safety *safety = &step->peak.safety;
    if (safety->yield_region >= 0) {
        printf("  safety       %.4g against yielding", safety->yield);
        print_region(step->mesh, safety->yield_region);
    }
    if (safety->ultimate_region >= 0) {
        printf("%s%.4g against the ultimate strength",
               safety->yield_region >= 0 ? ", " : "  safety       ", safety->ultimate);
        print_region(step->mesh, safety->ultimate_region);
    }
    if (safety->yield_region >= 0 || safety->ultimate_region >= 0) {
        puts("");
    }
}

/* The stress to report, where it is, and what it means. */
static void print_stress(const ew_step_report *step, const char *unit)
{
    const ew_peak *peak = &step->peak;
    printf("  %-12s max %.6g%s%s", "von Mises", peak->von_mises, unit,
           peak->of == EW_PEAK_AVERAGED    ? " averaged"
           : peak->of == EW_PEAK_RECOVERED ? " recovered"
                                           : "");
    if (peak->tet >= 0) {
        printf(" in tet %lld", (long long)step->mesh->tet_id[peak->tet]);
    }
    report_place(step->mesh, peak->vertex);
    print_region(step->mesh, peak->region);
    puts("");
    print_singularity(step);
}

/* What the stress to report is the largest of. */
static void print_peaks(const ew_step_report *step, const char *unit)
{
    const ew_sums *sums = step->sums;
    printf("               of a tet %.6g%s", sums->max_tet_von_mises, unit);
    printf(", averaged at a vertex %.6g%s", sums->max_vertex_von_mises, unit);
    if (step->estimate) {
        printf(", recovered %.6g%s", sums->max_recovered_von_mises, unit);
    }
    printf("\n  principal    from %.6g to %.6g%s\n", sums->min_principal, sums->max_principal,
           unit);
}

/* Displacement and stress. */
void report_extremes(const run_report *report, const ew_step_report *step)
{
    const ew_sums *sums = step->sums;
    char length[64], stress[64];
    find_units(report->input, length, stress);
    printf("  displacement max %.6g%s", sums->max_displacement, length);
    report_place(step->mesh, sums->max_displacement_vertex);
    puts("");
    print_stress(step, stress);
    if (report->verbose) {
        print_peaks(step, stress);
    }
    print_safety(step);
    print_error(step, stress, report->verbose);
}

/* A gap below a billionth of the body is what rounding makes of 0. */
void report_ties(const run_report *report, const ew_step_report *step)
{
    const double dust = 1e-9 * cbrt(step->sums->volume);
    char length[64], stress[64];
    find_units(report->input, length, stress);
    printf("  ties         %d vertices of slaves tied, %d not, gap %.6g%s at most\n",
           (int)step->n_tied, (int)step->n_untied, step->tie_gap > dust ? step->tie_gap : 0.0,
           length);
}

/* A gap below a billionth of the largest displacement is what rounding makes of 0. */
void report_contact(const run_report *report, const ew_step_report *step)
{
    const double dust = 1e-9 * step->sums->max_displacement;
    char length[64], stress[64], force[64];
    find_units(report->input, length, stress);
    report_unit(report->input->force_unit, force);
    printf("  contact      %d points closed, pressure %.6g%s at most, area %.6g%s%s, force %.6g%s, "
           "smallest gap %.6g%s\n",
           (int)step->n_closed_point, step->contact_pressure, stress, step->contact_area, length,
           *length ? "^2" : "", step->contact_force, force,
           fabs(step->contact_gap) > dust ? step->contact_gap : 0.0, length);
    if (step->has_friction) {
        printf("  friction     %d points slide, by %.6g%s at most, force %.6g%s\n",
               (int)step->n_slip_point, step->max_slip, length, step->friction_force, force);
    }
}

void report_response(const run_report *report, const ew_step_report *step)
{
    static const char *const names[] = {"harmonic", "spectrum", "random"};
    static const char *const values[] = {"amplitudes", "largest values", "root mean squares"};
    const ew_response_report *of = &step->response;
    char length[64], stress[64];
    find_units(report->input, length, stress);
    if (of->record == 0 && !of->n_mode) {
        printf("step '%s'\n  %-12s %s by %d vectors, a factor and %d solves\n", step->name,
               names[of->kind], values[of->kind], (int)of->n_vector, (int)of->n_solve);
    } else if (of->record == 0) {
        printf("step '%s'\n  %-12s %s by %d modes up to %.6g", step->name, names[of->kind],
               values[of->kind], (int)of->n_mode, of->highest);
        if (of->kind != EW_RESPONSE_HARMONIC) {
            printf(", which carry %.1f %% of the mass", 100.0 * of->carried);
        }
        puts("");
    }
    if (of->kind == EW_RESPONSE_HARMONIC) {
        printf("  frequency    %.6g\n", of->frequency);
    }
    printf("  displacement max %.6g%s", step->sums->max_displacement, length);
    report_place(step->mesh, step->sums->max_displacement_vertex);
    puts("");
    print_stress(step, stress);
}

void report_fatigue(const run_report *report, const ew_step_report *step)
{
    const ew_fatigue_report *of = step->fatigue;
    char length[64], stress[64];
    find_units(report->input, length, stress);
    printf("fatigue\n  history      %d states in %d block%s\n", (int)of->n_state, (int)of->n_block,
           of->n_block > 1 ? "s" : "");
    if (of->vertex < 0) {
        puts("  life         of no tet a material has a stress-life curve");
        return;
    }
    if (of->damage > 0.0) {
        printf("  life         %.6g repeats of the history\n", 1.0 / of->damage);
    } else {
        puts("  life         infinite: no cycle does damage");
    }
    printf("  damage       %.6g a repeat, %.6g in the %.6g that are wanted\n", of->damage,
           of->damage * of->wanted, of->wanted);
    printf("  safety       %s%.6g on stress for these",
           of->safety < EW_MAX_FATIGUE_SAFETY ? "" : ">= ", of->safety);
    report_place(step->mesh, of->vertex);
    if (of->method == EW_STRAIN_LIFE) {
        printf("\n  amplitude    %.6g of the local strain there\n", of->amplitude);
    } else {
        printf("\n  amplitude    %.6g%s there, fully reversed\n", of->amplitude, stress);
    }
    report_set_fatigue(report->input, step->set);
}

void report_envelope(const run_report *report, const ew_step_report *step)
{
    const ew_sums *sums = step->sums;
    char length[64], stress[64];
    find_units(report->input, length, stress);
    printf("envelope\n  displacement max %.6g%s", sums->max_displacement, length);
    report_place(step->mesh, sums->max_displacement_vertex);
    printf(", in '%s'\n", step->envelope_displaced);
    print_stress(step, stress);
    printf("               in '%s'\n", step->envelope_stressed);
    print_safety(step);
    printf("  principal    from %.6g to %.6g%s\n", sums->min_principal, sums->max_principal,
           stress);
    puts("  of each set and number, with the steps: in the table of the envelope");
}
