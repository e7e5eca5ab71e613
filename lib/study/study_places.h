/* study: values at the places of `output:`, paths, probes and sections, of goals, and on the way to
 * convergence, in a record. */
#ifndef EW_STUDY_PLACES_REPORT_H
#define EW_STUDY_PLACES_REPORT_H

#include "case/case.h"

EW_BEGIN_API

/* A vector at a place, by components. Of a harmonic response they are amplitudes with phases, in
 * degrees before the loads; of a spectrum largest values and of a random vibration root mean
 * squares, without sign. NaN: it has no meaning there. */
typedef struct ew_place_vector {
    double value[3], phase[3];
    double length; /* of a response the root of the sum of the squares of the components, which its
                      length never exceeds in a period; of an envelope the largest */
} ew_place_vector;
/* Likewise a stress xx yy zz xy yz xz; von Mises as the fields of the record have it. */
typedef struct ew_place_stress {
    double value[6], phase[6], von_mises;
    double
        intensity; /* Tresca: the difference of the outer principal stresses; NaN of a response */
} ew_place_stress;
/* A point of a path or a probe of `output:`. */
typedef struct ew_path_point {
    double distance, xyz[3]; /* from the start of the path; on the undeformed body */
    bool is_inside;          /* of the body; else what follows is NaN */
    ew_place_vector displacement;
    ew_place_stress stress; /* averaged at corners over the tets of one material, linear between;
                               NaN of a shape, whose amplitude is any */
} ew_path_point;
/* Kinds of stress through a wall: at its start membrane + bending + peak, at its end membrane -
 * bending + peak of that end are the total. */
enum { EW_N_WALL_STRESS = 9 };
typedef struct ew_path_report {
    const char *name;
    int32_t n_point;
    ew_path_point *point; /* [n_point] */
    bool is_linearized;
    double thickness;
    ew_place_stress wall[EW_N_WALL_STRESS];
} ew_path_report;
/* What the part in front of a plane exerts on that behind it; moment about the centroid. */
typedef struct ew_section_report {
    const char *name;
    double normal[3], area, centroid[3];
    ew_place_vector force, moment;
    double along[4]; /* force along and across the normal, moment about and across it */
} ew_section_report;
/* Of the undeformed body; inertia xx yy zz xy yz xz about the center of mass: the integrals of
 * rho (y^2 + z^2), ... and - rho x y, ... */
typedef struct ew_mass_report {
    double volume, mass, center[3], inertia[6];
} ew_mass_report;
/* All that `output:` wants of places, in a record. */
typedef struct ew_place_report {
    int32_t n_path, n_section;  /* n_section: 0 of shapes and of an envelope, which have no force */
    ew_path_report *path;       /* [n_path] paths, then probes */
    ew_section_report *section; /* [n_section] */
    bool has_phases;            /* of a harmonic response */
    bool has_mass;
    ew_mass_report mass;
} ew_place_report;

/* ---- values at places as tables (record/place_tables.c) ------------------------------------- */

/* Of one record: points of paths and probes, NAME.paths.csv; kinds of stress through walls,
 * NAME.linearized.csv; sections, NAME.sections.csv; the mass, NAME.mass.csv. */
typedef enum ew_place_table {
    EW_PATHS_TABLE,
    EW_WALLS_TABLE,
    EW_SECTIONS_TABLE,
    EW_MASS_TABLE,
    EW_N_PLACE_TABLE
} ew_place_table;
enum { EW_PLACE_COLUMNS = 32 };
/* Names of the columns of numbers, separated by commas; phases: of a case with a harmonic response,
 * whose rows have phases, too. */
const char *ew_place_columns(ew_place_table table, bool phases);
/* The name of a row of stress through a wall, "membrane" ...; "" for what is none. */
const char *ew_wall_stress_name(int32_t row);
/* How many places of a record a table has, and rows of one; its name, "" of the mass. */
int32_t ew_place_count(const ew_place_report *report, ew_place_table table);
int32_t ew_place_rows(const ew_place_report *report, ew_place_table table, int32_t place);
const char *ew_place_name(const ew_place_report *report, ew_place_table table, int32_t place);
/* The numbers of a row, NaN where there is none, and how many. */
int32_t ew_place_row(const ew_place_report *report, ew_place_table table, int32_t place,
                     int32_t row, bool phases, double value[EW_PLACE_COLUMNS]);

/* A goal of a case. */
typedef struct ew_goal_report {
    const ew_case_goal *goal; /* of the case */
    double value;             /* with an energy tolerance what an adjoint adds included */
    double bound;             /* of its error, then; 0: not estimated */
    double derivative[EW_MAX_DERIVATIVES]; /* [goal->n_by] */
} ew_goal_report;

/* A round of `converge:`. NaN: not known yet, or there is none. */
typedef struct ew_convergence_row {
    double size; /* edge of a regular tet of the mean volume of tets at the set, or of all */
    int32_t n_tet;
    int64_t n_unknown;
    double value, change;       /* relative to the row before */
    double extrapolated, order; /* to size 0, by the last three rows; order < 0: it grows */
} ew_convergence_row;
typedef struct ew_convergence {
    ew_converge_quantity quantity;
    const char *set; /* null: of the whole body */
    int32_t n_row, capacity;
    ew_convergence_row *row; /* [n_row] */
    bool is_reached;
} ew_convergence;

EW_END_API
#endif
