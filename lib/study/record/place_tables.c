/* Values at places as tables of numbers, which result files and the tables beside them share. In:
 * the report of a record. Out: names of columns, and rows. */
#include "study/study_places.h"

#include <math.h>
#include <string.h>

#define STRESS                                                                                     \
    "stress_xx,stress_yy,stress_zz,stress_xy,stress_yz,stress_xz,von_mises,stress_intensity"
#define STRESS_PHASES                                                                              \
    ",stress_phase_xx,stress_phase_yy,stress_phase_zz,stress_phase_xy,stress_phase_yz,"            \
    "stress_phase_xz"
#define PATHS  "point,distance,x,y,z,displacement_x,displacement_y,displacement_z," STRESS
#define LENGTH ",displacement"
#define WALLS  "thickness," STRESS
#define SECTIONS                                                                                   \
    "area,centroid_x,centroid_y,centroid_z,normal_x,normal_y,normal_z,force_x,force_y,force_z,"    \
    "moment_x,moment_y,moment_z,normal_force,shear_force,torsion,bending"
#define MASS                                                                                       \
    "volume,mass,center_x,center_y,center_z,inertia_xx,inertia_yy,inertia_zz,inertia_xy,"          \
    "inertia_yz,inertia_xz"

const char *ew_place_columns(ew_place_table table, bool phases)
{
    static const char *const columns[EW_N_PLACE_TABLE][2] = {
        [EW_PATHS_TABLE] = {PATHS LENGTH, PATHS LENGTH ",displacement_phase_x,displacement_phase_y,"
                                                       "displacement_phase_z" STRESS_PHASES},
        [EW_WALLS_TABLE] = {WALLS, WALLS STRESS_PHASES},
        [EW_SECTIONS_TABLE] = {SECTIONS, SECTIONS ",force_phase_x,force_phase_y,force_phase_z,"
                                                  "moment_phase_x,moment_phase_y,moment_phase_z"},
        [EW_MASS_TABLE] = {MASS, MASS}};
    return columns[table][phases];
}

const char *ew_wall_stress_name(int32_t row)
{
    static const char *const names[EW_N_WALL_STRESS] = {"membrane",
                                                        "bending at start",
                                                        "bending at end",
                                                        "membrane + bending at start",
                                                        "membrane + bending at end",
                                                        "peak at start",
                                                        "peak at end",
                                                        "total at start",
                                                        "total at end"};
    return row >= 0 && row < EW_N_WALL_STRESS ? names[row] : "";
}

int32_t ew_place_count(const ew_place_report *report, ew_place_table table)
{
    return table == EW_SECTIONS_TABLE ? report->n_section
           : table == EW_MASS_TABLE   ? report->has_mass
                                      : report->n_path;
}

int32_t ew_place_rows(const ew_place_report *report, ew_place_table table, int32_t place)
{
    return table == EW_PATHS_TABLE   ? report->path[place].n_point
           : table == EW_WALLS_TABLE ? EW_N_WALL_STRESS * report->path[place].is_linearized
                                     : 1;
}

const char *ew_place_name(const ew_place_report *report, ew_place_table table, int32_t place)
{
    return table == EW_SECTIONS_TABLE ? report->section[place].name
           : table == EW_MASS_TABLE   ? ""
                                      : report->path[place].name;
}

/* ---- rows: each function adds its numbers and returns the place behind them -------------------
 */

static double *put(double *to, int n, const double *from)
{
    memcpy(to, from, (size_t)n * sizeof *to);
    return to + n;
}

static double *put_stress(double *to, const ew_place_stress *from)
{
    to = put(to, 6, from->value);
    *to++ = from->von_mises;
    *to++ = from->intensity;
    return to;
}

static double *put_phases(double *to, int n, const double *phase, bool phases, bool has)
{
    for (int c = 0; c < n && phases; c++) {
        *to++ = has ? phase[c] : NAN;
    }
    return to;
}

static double *put_point(double *to, const ew_path_point *point, int32_t row, bool phases, bool has)
{
    *to++ = row;
    *to++ = point->distance;
    to = put(to, 3, point->xyz);
    to = put(to, 3, point->displacement.value);
    to = put_stress(to, &point->stress);
    *to++ = point->displacement.length;
    has = has && point->is_inside;
    to = put_phases(to, 3, point->displacement.phase, phases, has);
    return put_phases(to, 6, point->stress.phase, phases, has);
}

static double *put_section(double *to, const ew_section_report *section, bool phases, bool has)
{
    *to++ = section->area;
    to = put(to, 3, section->centroid);
    to = put(to, 3, section->normal);
    to = put(to, 3, section->force.value);
    to = put(to, 3, section->moment.value);
    to = put(to, 4, section->along);
    to = put_phases(to, 3, section->force.phase, phases, has);
    return put_phases(to, 3, section->moment.phase, phases, has);
}

static double *put_mass(double *to, const ew_mass_report *mass)
{
    *to++ = mass->volume;
    *to++ = mass->mass;
    to = put(to, 3, mass->center);
    return put(to, 6, mass->inertia);
}

int32_t ew_place_row(const ew_place_report *report, ew_place_table table, int32_t place,
                     int32_t row, bool phases, double value[EW_PLACE_COLUMNS])
{
    const bool has = report->has_phases;
    double *to = value;
    switch (table) {
    case EW_PATHS_TABLE:
        to = put_point(to, &report->path[place].point[row], row, phases, has);
        break;
    case EW_WALLS_TABLE:
        *to++ = report->path[place].thickness;
        to = put_stress(to, &report->path[place].wall[row]);
        to = put_phases(to, 6, report->path[place].wall[row].phase, phases, has);
        break;
    case EW_SECTIONS_TABLE:
        to = put_section(to, &report->section[place], phases, has);
        break;
    default:
        to = put_mass(to, &report->mass);
    }
    return (int32_t)(to - value);
}
