/* Tables of places beside the result: NAME.paths.csv has a row for each point of a path and each
 * probe, NAME.linearized.csv for each kind of stress of a path through a wall, NAME.sections.csv
 * for each section, NAME.mass.csv for the body; of each record. On the terminal a line for each
 * that is one number or a few, of records in a row the largest. lib/results/README.md describes the
 * columns. */
#include "report_places.h"

#include <math.h>
#include <string.h>

/* NaN: an empty cell. */
static void add_numbers(page *to, int32_t n, const double *value)
{
    for (int32_t i = 0; i < n; i++) {
        page_add(to, isnan(value[i]) ? "," : ",%.17g", value[i]);
    }
}

/* A name in quotes, its own quotes doubled; no formula. */
static void add_name(page *to, const char *name)
{
    page_add(to, "\"%s", ew_cell_prefix(name));
    for (; *name; name++) {
        page_add(to, *name == '"' ? "\"%c" : "%c", *name);
    }
    page_add(to, "\"");
}

void report_begin_row(page *to, const ew_case *input, const ew_step_report *step, const char *name)
{
    add_name(to, step->name);
    if (input->sweep) {
        page_add(to, ",%d", (int)step->combination);
    }
    if (name) {
        page_add(to, ",");
        add_name(to, name);
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

static const struct {
    const char *ending, *what, *name; /* name: of the column of names, "" none */
} tables[EW_N_PLACE_TABLE] = {[EW_PATHS_TABLE] = {".paths.csv", "paths and probes", ",path"},
                              [EW_WALLS_TABLE] = {".linearized.csv", "linearized stress", ",path"},
                              [EW_SECTIONS_TABLE] = {".sections.csv", "sections", ",section"},
                              [EW_MASS_TABLE] = {".mass.csv", "mass", ""}};

static bool has_table(const ew_case *input, ew_place_table table)
{
    const ew_case_output *output = &input->output;
    bool walls = false;
    for (int32_t i = 0; i < output->n_path; i++) {
        walls = walls || output->path[i].linearize;
    }
    return table == EW_PATHS_TABLE      ? output->n_path > 0
           : table == EW_WALLS_TABLE    ? walls
           : table == EW_SECTIONS_TABLE ? output->n_section > 0
                                        : output->mass_properties;
}

static ew_status append(ew_result *result, const char *ending, page *made)
{
    ew_status status = made->status;
    if (!status && made->text.size) {
        status = ew_result_append_file(result, ending, made->text.data, made->text.size);
    }
    ew_text_free(&made->text);
    return status;
}

ew_status report_places_begin(const ew_case *input, ew_result *result)
{
    for (int k = 0; k < EW_N_PLACE_TABLE; k++) {
        const ew_place_table table = (ew_place_table)k;
        page head = {0};
        if (has_table(input, table)) {
            page_add(&head, "step%s%s,record,time,frequency%s,%s\n",
                     input->sweep ? ",combination" : "", tables[k].name,
                     table == EW_WALLS_TABLE ? ",stress" : "",
                     ew_place_columns(table, ew_case_has_harmonic(input)));
            EW_TRY(append(result, tables[k].ending, &head));
        }
    }
    return EW_OK;
}

/* Which record of its step it is, from 1; the time of one in motion, the frequency of a mode or of
 * a harmonic response, else NaN. */
static int32_t find_record(const ew_step_report *step, double *time, double *frequency)
{
    const bool is_harmonic = step->has_response && step->response.kind == EW_RESPONSE_HARMONIC;
    *time = step->motion ? step->motion->time : NAN;
    *frequency = step->modes   ? step->modes->frequency[step->mode]
                 : is_harmonic ? step->response.frequency
                               : NAN;
    return 1 + (step->motion         ? step->motion->output
                : step->has_response ? step->response.record
                                     : step->mode);
}

static void add_rows(page *to, const ew_case *input, const ew_step_report *step,
                     ew_place_table table, int32_t place)
{
    const ew_place_report *places = step->places;
    const char *name = *tables[table].name ? ew_place_name(places, table, place) : NULL;
    double at[2], value[EW_PLACE_COLUMNS];
    const int32_t record = find_record(step, &at[0], &at[1]);
    for (int32_t row = 0; row < ew_place_rows(places, table, place); row++) {
        report_begin_row(to, input, step, name);
        page_add(to, ",%d", (int)record);
        add_numbers(to, 2, at);
        page_add(to, table == EW_WALLS_TABLE ? ",%s" : "", ew_wall_stress_name(row));
        add_numbers(to, ew_place_row(places, table, place, row, ew_case_has_harmonic(input), value),
                    value);
        page_add(to, "\n");
    }
}

ew_status report_places_step(const ew_case *input, const ew_step_report *step, ew_result *result)
{
    ew_status status = EW_OK;
    for (int k = 0; k < EW_N_PLACE_TABLE && step->places; k++) {
        const ew_place_table table = (ew_place_table)k;
        page made = {0};
        for (int32_t i = 0; i < ew_place_count(step->places, table); i++) {
            add_rows(&made, input, step, table, i);
        }
        const ew_status own = append(result, tables[k].ending, &made);
        status = status ? status : own;
    }
    return status;
}

void report_places_name_files(const ew_case *input, const char *name)
{
    for (int k = 0; k < EW_N_PLACE_TABLE; k++) {
        if (has_table(input, (ew_place_table)k)) {
            printf(", %s: %s%s", tables[k].what, name, tables[k].ending);
        }
    }
}

/* ---- the terminal ---------------------------------------------------------------------------- */

static int32_t count_outside(const ew_path_report *path)
{
    int32_t n = 0;
    for (int32_t i = 0; i < path->n_point; i++) {
        n += !path->point[i].is_inside;
    }
    return n;
}

static void print_path(const ew_path_report *path)
{
    const ew_path_point *point = path->point;
    const double *u = point->displacement.value;
    if (path->is_linearized) {
        const ew_place_stress *wall = path->wall;
        printf("  wall %-9s von Mises membrane %.6g, membrane + bending %.6g to %.6g, total %.6g "
               "to %.6g\n",
               path->name, wall[0].von_mises, wall[3].von_mises, wall[4].von_mises,
               wall[7].von_mises, wall[8].von_mises);
    } else if (path->n_point > 1) {
        const int32_t n = count_outside(path);
        printf(n ? "  path %-9s %d of its %d points %s not in the body\n" : "", path->name, (int)n,
               (int)path->n_point, n > 1 ? "are" : "is");
    } else if (path->n_point == 1 && !point->is_inside) {
        printf("  probe %-8s not in the body\n", path->name);
    } else if (path->n_point == 1 && isnan(u[0])) { /* of an envelope */
        printf("  probe %-8s displacement at most %.6g, von Mises at most %.6g\n", path->name,
               point->displacement.length, point->stress.von_mises);
    } else if (path->n_point == 1) {
        printf("  probe %-8s displacement (%.6g, %.6g, %.6g)", path->name, u[0], u[1], u[2]);
        printf(isnan(point->stress.von_mises) ? "\n" : ", von Mises %.6g\n",
               point->stress.von_mises);
    }
}

static void print_section(const ew_section_report *at)
{
    const double *f = at->force.value, *m = at->moment.value;
    printf("  section %-6s force (%.6g, %.6g, %.6g), moment about its centroid (%.6g, %.6g, "
           "%.6g)\n",
           at->name, f[0], f[1], f[2], m[0], m[1], m[2]);
}

/* Of the records of a step so far: of a probe displacement and von Mises stress, of a section force
 * and moment. */
static void take_peak(place_peak *peak, bool is_first, double at, double one, double other)
{
    const double value[2] = {one, other};
    for (int k = 0; k < 2; k++) {
        if (is_first || value[k] > peak->value[k]) {
            peak->value[k] = value[k];
            peak->at[k] = at;
        }
    }
}

static void print_peak(const place_peak *peak, const char *kind, const char *name, const char *one,
                       const char *other)
{
    printf("  %s %-*s %s at most %.6g at %.6g, %s at most %.6g at %.6g\n", kind,
           (int)(14 - strlen(kind)), name, one, peak->value[0], peak->at[0], other, peak->value[1],
           peak->at[1]);
}

/* Records over time or over frequency: their largest, behind the last. */
static ew_status print_series(run_report *report, const ew_step_report *step)
{
    const ew_place_report *places = step->places;
    double time, frequency;
    const int32_t record = find_record(step, &time, &frequency);
    const double at = step->motion ? time : frequency;
    const bool is_last = step->motion ? step->motion->output == step->motion->n_output
                                      : record == report->input->step[step->step].n_mode;
    const int32_t n = places->n_path + places->n_section;
    EW_TRY(ew_grow(&report->peak, &report->peak_capacity, (int64_t)n + 1, sizeof *report->peak));
    for (int32_t i = 0; i < places->n_path; i++) {
        const ew_path_report *path = &places->path[i];
        const ew_path_point *point = path->point;
        place_peak *peak = &report->peak[i];
        take_peak(peak, record == 1, at, point->displacement.length, point->stress.von_mises);
        if (is_last && path->n_point == 1 && point->is_inside) {
            print_peak(peak, "probe", path->name, "displacement", "von Mises");
        }
    }
    for (int32_t i = 0; i < places->n_section; i++) {
        const ew_section_report *section = &places->section[i];
        place_peak *peak = &report->peak[places->n_path + i];
        take_peak(peak, record == 1, at, section->force.length, section->moment.length);
        if (is_last) {
            print_peak(peak, "section", section->name, "force", "moment");
        }
    }
    return EW_OK;
}

ew_status report_places_print(run_report *report, const ew_step_report *step)
{
    const ew_place_report *places = step->places;
    if (!places) {
        return EW_OK;
    }
    if (step->motion || (step->has_response && report->input->step[step->step].n_mode > 1)) {
        return print_series(report, step);
    }
    for (int32_t i = 0; i < places->n_path; i++) {
        print_path(&places->path[i]);
    }
    for (int32_t i = 0; i < places->n_section; i++) {
        print_section(&places->section[i]);
    }
    if (places->has_mass && !step->modes && !step->buckling) {
        const ew_mass_report *mass = &places->mass;
        printf("  mass         %.6g, center of mass (%.6g, %.6g, %.6g)\n", mass->mass,
               mass->center[0], mass->center[1], mass->center[2]);
    }
    return EW_OK;
}
