/* Tables of places beside the result: NAME.paths.csv has a row for each point of a path and each
 * probe, NAME.linearized.csv for each kind of stress of a path through a wall, NAME.sections.csv
 * for each section, NAME.mass.csv for the body; of each static step. On the terminal a line for
 * each that is one number or a few. lib/results/README.md describes the columns. */
#include "report_places.h"

#include "element/parts/element.h"

#include <math.h>

#define STRESS_COLUMNS                                                                             \
    "stress_xx,stress_yy,stress_zz,stress_xy,stress_yz,stress_xz,von_mises,stress_intensity"

/* ---- numbers --------------------------------------------------------------------------------- */

static double von_mises(const double *s)
{
    const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
    return sqrt(0.5 * (a * a + b * b + c * c) + 3.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

/* Tresca: the difference of the outer principal stresses. */
static double intensity(const double *s)
{
    double principal[3];
    ew_principal(s, principal);
    return principal[0] - principal[2];
}

static void add_numbers(page *to, int32_t n, const double *value)
{
    for (int32_t i = 0; i < n; i++) {
        page_add(to, ",%.17g", value[i]);
    }
}

static void add_stress(page *to, const double *s)
{
    const double measures[2] = {von_mises(s), intensity(s)};
    add_numbers(to, 6, s);
    add_numbers(to, 2, measures);
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

/* ---- rows ------------------------------------------------------------------------------------ */

static void add_path(page *to, const ew_case *input, const ew_step_report *step,
                     const ew_path_report *path)
{
    for (int32_t i = 0; i < path->n_point; i++) {
        const ew_path_point *point = &path->point[i];
        report_begin_row(to, input, step, path->name);
        page_add(to, ",%d", (int)i);
        add_numbers(to, 1, &point->distance);
        add_numbers(to, 3, point->xyz);
        if (point->is_inside) {
            add_numbers(to, 3, point->displacement);
            add_stress(to, point->stress);
        } else {
            page_add(to, ",,,,,,,,,,,");
        }
        page_add(to, "\n");
    }
}

/* Kinds of a wall; sign: of bending, where it counts; end: 0 the start, 1 the end, -1 all of it. */
typedef struct wall_stress {
    const char *kind;
    double membrane, bending;
    int end;
    bool is_peak;
} wall_stress;
static const wall_stress wall_stresses[] = {{"membrane", 1, 0, -1, false},
                                            {"bending at start", 0, 1, 0, false},
                                            {"bending at end", 0, -1, 1, false},
                                            {"membrane + bending at start", 1, 1, 0, false},
                                            {"membrane + bending at end", 1, -1, 1, false},
                                            {"peak at start", 1, 1, 0, true},
                                            {"peak at end", 1, -1, 1, true},
                                            {"total at start", 0, 0, 0, true},
                                            {"total at end", 0, 0, 1, true}};
enum { N_WALL_STRESS = sizeof wall_stresses / sizeof *wall_stresses };

static void stress_of_wall(const ew_linearized *of, const wall_stress *kind, double s[6])
{
    for (int c = 0; c < 6; c++) {
        const double part = kind->membrane * of->membrane[c] + kind->bending * of->bending[c];
        s[c] = kind->is_peak ? of->total[kind->end][c] - part : part;
    }
}

static void add_wall(page *to, const ew_case *input, const ew_step_report *step,
                     const ew_path_report *path)
{
    for (int k = 0; k < N_WALL_STRESS && path->is_linearized; k++) {
        double s[6];
        stress_of_wall(&path->linearized, &wall_stresses[k], s);
        report_begin_row(to, input, step, path->name);
        add_numbers(to, 1, &path->linearized.thickness);
        page_add(to, ",%s", wall_stresses[k].kind);
        add_stress(to, s);
        page_add(to, "\n");
    }
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Along the normal and the length of the rest across it. */
static void divide(const double *v, const double *normal, double part[2])
{
    part[0] = dot(v, normal);
    part[1] = sqrt(fmax(dot(v, v) - part[0] * part[0], 0.0));
}

static void add_section(page *to, const ew_case *input, const ew_step_report *step,
                        const ew_section_report *section)
{
    double force[2], moment[2];
    divide(section->force, section->normal, force);
    divide(section->moment, section->normal, moment);
    report_begin_row(to, input, step, section->name);
    add_numbers(to, 1, &section->area);
    add_numbers(to, 3, section->centroid);
    add_numbers(to, 3, section->normal);
    add_numbers(to, 3, section->force);
    add_numbers(to, 3, section->moment);
    add_numbers(to, 2, force);
    add_numbers(to, 2, moment);
    page_add(to, "\n");
}

static void add_mass(page *to, const ew_case *input, const ew_step_report *step,
                     const ew_mass_report *mass)
{
    report_begin_row(to, input, step, NULL);
    add_numbers(to, 1, &mass->volume);
    add_numbers(to, 1, &mass->mass);
    add_numbers(to, 3, mass->center);
    add_numbers(to, 6, mass->inertia);
    page_add(to, "\n");
}

/* ---- files ----------------------------------------------------------------------------------- */

enum { PATHS, WALLS, SECTIONS, MASS, N_TABLE };
static const struct {
    const char *ending, *name, *columns; /* name: of the column of names, "" none */
} tables[N_TABLE] = {
    [PATHS] =
        {".paths.csv", ",path",
         ",point,distance,x,y,z,displacement_x,displacement_y,displacement_z," STRESS_COLUMNS},
    [WALLS] = {".linearized.csv", ",path", ",thickness,stress," STRESS_COLUMNS},
    [SECTIONS] =
        {".sections.csv", ",section",
         ",area,centroid_x,centroid_y,centroid_z,normal_x,normal_y,normal_z,force_x,force_y,"
         "force_z,moment_x,moment_y,moment_z,normal_force,shear_force,torsion,bending"},
    [MASS] = {".mass.csv", "",
              ",volume,mass,center_x,center_y,center_z,inertia_xx,inertia_yy,inertia_zz,inertia_xy,"
              "inertia_yz,inertia_xz"}};

static bool has_table(const ew_case *input, int table)
{
    const ew_case_output *output = &input->output;
    bool walls = false;
    for (int32_t i = 0; i < output->n_path; i++) {
        walls = walls || output->path[i].linearize;
    }
    return table == PATHS      ? output->n_path > 0
           : table == WALLS    ? walls
           : table == SECTIONS ? output->n_section > 0
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
    for (int k = 0; k < N_TABLE; k++) {
        page head = {0};
        if (has_table(input, k)) {
            page_add(&head, "step%s%s%s\n", input->sweep ? ",combination" : "", tables[k].name,
                     tables[k].columns);
            EW_TRY(append(result, tables[k].ending, &head));
        }
    }
    return EW_OK;
}

ew_status report_places_step(const ew_case *input, const ew_step_report *step, ew_result *result)
{
    const ew_place_report *places = step->places;
    page made[N_TABLE] = {0};
    ew_status status = EW_OK;
    for (int32_t i = 0; places && i < places->n_path; i++) {
        add_path(&made[PATHS], input, step, &places->path[i]);
        add_wall(&made[WALLS], input, step, &places->path[i]);
    }
    for (int32_t i = 0; places && i < places->n_section; i++) {
        add_section(&made[SECTIONS], input, step, &places->section[i]);
    }
    if (places && places->has_mass) {
        add_mass(&made[MASS], input, step, &places->mass);
    }
    for (int k = 0; k < N_TABLE; k++) {
        const ew_status own = append(result, tables[k].ending, &made[k]);
        status = status ? status : own;
    }
    return status;
}

void report_places_name_files(const ew_case *input, const char *name)
{
    static const char *const what[N_TABLE] = {"paths and probes", "linearized stress", "sections",
                                              "mass"};
    for (int k = 0; k < N_TABLE; k++) {
        if (has_table(input, k)) {
            printf(", %s: %s%s", what[k], name, tables[k].ending);
        }
    }
}

/* ---- the terminal ---------------------------------------------------------------------------- */

void report_places_print(const ew_step_report *step)
{
    const ew_place_report *places = step->places;
    for (int32_t i = 0; places && i < places->n_path; i++) {
        const ew_path_report *path = &places->path[i];
        const ew_path_point *point = path->point;
        if (path->is_linearized) {
            double s[6], bent[2];
            stress_of_wall(&path->linearized, &wall_stresses[0], s);
            const double membrane = von_mises(s);
            for (int k = 0; k < 2; k++) {
                stress_of_wall(&path->linearized, &wall_stresses[3 + k], s);
                bent[k] = von_mises(s);
            }
            printf("  wall %-9s von Mises membrane %.6g, membrane + bending %.6g to %.6g, total "
                   "%.6g to "
                   "%.6g\n",
                   path->name, membrane, bent[0], bent[1], von_mises(path->linearized.total[0]),
                   von_mises(path->linearized.total[1]));
        } else if (path->n_point == 1 && point->is_inside) {
            const double *u = point->displacement;
            printf("  probe %-8s displacement (%.6g, %.6g, %.6g), von Mises %.6g\n", path->name,
                   u[0], u[1], u[2], von_mises(point->stress));
        } else if (path->n_point == 1) {
            printf("  probe %-8s not in the body\n", path->name);
        }
    }
    for (int32_t i = 0; places && i < places->n_section; i++) {
        const ew_section_report *at = &places->section[i];
        printf("  section %-6s force (%.6g, %.6g, %.6g), moment about its centroid (%.6g, %.6g, "
               "%.6g)\n",
               at->name, at->force[0], at->force[1], at->force[2], at->moment[0], at->moment[1],
               at->moment[2]);
    }
    if (places && places->has_mass) {
        const ew_mass_report *mass = &places->mass;
        printf("  mass         %.6g, center of mass (%.6g, %.6g, %.6g)\n", mass->mass,
               mass->center[0], mass->center[1], mass->center[2]);
    }
}
