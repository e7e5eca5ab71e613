/* The numbers of a step's report as a table: a line adds one to the record in the result, to the
 * log, to NAME.csv, NAME.energy.csv and NAME.removal.csv, to the table at the end of a run and to
 * the page, wherever its members say so.
 *
 * Longer than 500 lines because it is one table with the functions of its lines. */
#include "study/run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The struct of which a number is a member. */
typedef enum number_source {
    FROM_REPORT,
    FROM_VERIFICATION, /* of the report, with --verify-rebuild */
    FROM_BODY,         /* sums that every step has */
    FROM_SUMS,         /* sums of an analysis; 0 without one */
    FROM_SOLVER,
    FROM_ESTIMATE,
    FROM_ADEQUACY,
    FROM_MOTION,
    FROM_NONLINEAR,
    FROM_LAWS, /* sums of a step that follows laws */
    FROM_PATH, /* of a nonlinear solve of a body with laws */
    FROM_REMOVAL,
    FROM_PEAK,
    FROM_FATIGUE,
    FROM_FUNCTION
} number_source;

typedef enum number_type { IS_DOUBLE, IS_INT32, IS_INT64, IS_BOOL } number_type;

typedef struct step_number {
    ew_step_number about;
    number_source source;
    size_t offset; /* in the source */
    number_type type;
    /* Of FROM_FUNCTION, in place of the two: false where the step has none; what is in `value` is
     * recorded all the same. */
    bool (*find)(const ew_step_report *report, double *value);
} step_number;

/* ---- numbers that are no members --------------------------------------------------------------
 */

static bool find_one(bool has, double from, double *value)
{
    *value = from;
    return has;
}

static bool find_vector(bool has, const double *from, double *value)
{
    memcpy(value, from, 3 * sizeof *value);
    return has;
}

/* Zeros of a step that has none. */
static const ew_sums *sums_of(const ew_step_report *report)
{
    static const ew_sums none;
    return report->sums ? report->sums : &none;
}

/* Whether what was recovered of an answer is there. */
static bool has_sums(const ew_step_report *report)
{
    return report->solver && !report->has_goals_alone;
}

static double length3(const double *x)
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* Those of a dynamic output are of the loads at its time. */
static bool find_applied_force(const ew_step_report *report, double *value)
{
    return find_vector(
        report->motion || has_sums(report),
        report->motion ? report->motion->applied_force : sums_of(report)->applied_force, value);
}

static bool find_applied_moment(const ew_step_report *report, double *value)
{
    return find_vector(
        report->motion || has_sums(report),
        report->motion ? report->motion->applied_moment : sums_of(report)->applied_moment, value);
}

static bool find_external_work(const ew_step_report *report, double *value)
{
    return find_one(report->motion || has_sums(report),
                    report->motion ? report->motion->account.external_work
                                   : sums_of(report)->external_work,
                    value);
}

static bool find_reaction(const ew_step_report *report, double *value)
{
    return find_one(has_sums(report), length3(sums_of(report)->reaction_force), value);
}

static bool find_equation_force(const ew_step_report *report, double *value)
{
    return find_one(report->equation_force > 0.0, report->equation_force, value);
}

static bool find_tied(const ew_step_report *report, double *value)
{
    return find_one(report->has_tie, report->n_tied, value);
}

static bool find_untied(const ew_step_report *report, double *value)
{
    return find_one(report->has_tie, report->n_untied, value);
}

static bool find_tie_gap(const ew_step_report *report, double *value)
{
    return find_one(report->has_tie, report->tie_gap, value);
}

static bool find_contact_closed(const ew_step_report *report, double *value)
{
    return find_one(report->has_contact || report->has_linked, report->n_closed_point, value);
}

static bool find_contact_pressure(const ew_step_report *report, double *value)
{
    return find_one(report->has_contact, report->contact_pressure, value);
}

static bool find_contact_force(const ew_step_report *report, double *value)
{
    return find_one(report->has_contact, report->contact_force, value);
}

static bool find_contact_area(const ew_step_report *report, double *value)
{
    return find_one(report->has_contact, report->contact_area, value);
}

static bool find_contact_slipping(const ew_step_report *report, double *value)
{
    return find_one(report->has_friction, report->n_slip_point, value);
}

static bool find_friction_force(const ew_step_report *report, double *value)
{
    return find_one(report->has_friction, report->friction_force, value);
}

static bool find_contact_slip(const ew_step_report *report, double *value)
{
    return find_one(report->has_friction, report->max_slip, value);
}

static bool find_contact_gap(const ew_step_report *report, double *value)
{
    return find_one(report->has_contact, report->contact_gap, value);
}

/* Of all time steps of a dynamic step. */
static bool find_all_iterations(const ew_step_report *report, double *value)
{
    return report->solver && find_one(true,
                                      report->motion ? (double)report->motion->iterations
                                                     : report->solver->iterations,
                                      value);
}

static bool find_all_solve(const ew_step_report *report, double *value)
{
    return find_one(report->solver != NULL,
                    report->motion ? report->motion->seconds_solve : report->seconds_solve, value);
}

/* Edit, tables and matrix, without the first build of the study but with those after compaction. */
static bool find_revalidation(const ew_step_report *report, double *value)
{
    return find_one(report->n_edit > 0, ew_step_seconds_revalidate(report), value);
}

static bool find_rebuild(const ew_step_report *report, double *value)
{
    return find_one(report->verified,
                    report->seconds_rebuild_topology + report->seconds_rebuild_matrix, value);
}

static bool find_lost_members(const ew_step_report *report, double *value)
{
    for (int32_t s = 0; s < report->n_set; s++) {
        *value += report->lost_members[s];
    }
    return true;
}

static bool find_revalidated_share(const ew_step_report *report, double *value)
{
    const ew_nonlinear_info *info = report->nonlinear;
    return info &&
           find_one(true,
                    info->total_blocks ? (double)info->touched_blocks / (double)info->total_blocks
                                       : 0.0,
                    value);
}

static bool find_in_envelope(const ew_step_report *report, double *value)
{
    return find_one(report->in_envelope, 1.0, value);
}

/* Infinite without damage. */
static bool find_fatigue_life(const ew_step_report *report, double *value)
{
    const ew_fatigue_report *fatigue = report->fatigue;
    return fatigue && fatigue->damage > 0.0 && find_one(true, 1.0 / fatigue->damage, value);
}

/* Of a stress life. */
static bool find_fatigue_amplitude(const ew_step_report *report, double *value)
{
    const ew_fatigue_report *fatigue = report->fatigue;
    return fatigue && fatigue->method == EW_STRESS_LIFE &&
           find_one(true, fatigue->amplitude, value);
}

static bool find_fatigue_strain(const ew_step_report *report, double *value)
{
    const ew_fatigue_report *fatigue = report->fatigue;
    return fatigue && fatigue->method == EW_STRAIN_LIFE &&
           find_one(true, fatigue->amplitude, value);
}

static bool find_mode(const ew_step_report *report, double *value)
{
    return find_one(report->modes || report->buckling, report->mode + 1, value);
}

static bool find_diameter(const ew_step_report *report, double *value)
{
    const ew_modes *modes = report->modes;
    return modes && modes->sectors && find_one(true, abs(modes->diameter), value);
}

static bool find_frequency(const ew_step_report *report, double *value)
{
    if (report->has_response && report->response.frequency > 0.0) {
        return find_one(true, report->response.frequency, value);
    }
    return report->modes && find_one(true, report->modes->frequency[report->mode], value);
}

/* Infinite without a strength, or without stress. */
static bool find_yield_safety(const ew_step_report *report, double *value)
{
    const double safety = report->peak.safety.yield;
    return report->has_peak && isfinite(safety) && find_one(true, safety, value);
}

static bool find_ultimate_safety(const ew_step_report *report, double *value)
{
    const double safety = report->peak.safety.ultimate;
    return report->has_peak && isfinite(safety) && find_one(true, safety, value);
}

static bool find_energy_error(const ew_step_report *report, double *value)
{
    const double error = report->solver ? report->solver->energy_error : 0.0;
    return find_one(error > 0.0, error, value);
}

static bool find_local(const ew_step_report *report, double *value)
{
    const ew_pcg_info *info = report->solver;
    return find_one(info && info->energy_error > 0.0, info && info->is_local, value);
}

static bool find_eigenvalue(const ew_step_report *report, double *value)
{
    return report->modes && find_one(true, report->modes->eigenvalue[report->mode], value);
}

static bool find_participation(const ew_step_report *report, double *value)
{
    return report->modes &&
           find_vector(true, report->modes->participation + 3 * (size_t)report->mode, value);
}

static bool find_effective_mass(const ew_step_report *report, double *value)
{
    return report->modes &&
           find_vector(true, report->modes->effective + 3 * (size_t)report->mode, value);
}

static bool find_carried(const ew_step_report *report, double *value)
{
    return find_one(report->has_response && report->response.kind != EW_RESPONSE_HARMONIC,
                    report->response.carried, value);
}

static bool find_effective_sum(const ew_step_report *report, double *value)
{
    const ew_modes *modes = report->modes;
    for (int32_t k = 0; modes && k <= report->mode; k++) {
        for (int c = 0; c < 3; c++) {
            value[c] += modes->effective[3 * (size_t)k + (size_t)c] / modes->mass;
        }
    }
    return modes != NULL;
}

static bool find_mode_residual(const ew_step_report *report, double *value)
{
    return report->modes      ? find_one(true, report->modes->residual[report->mode], value)
           : report->buckling ? find_one(true, report->buckling->residual[report->mode], value)
                              : false;
}

static bool find_change(const ew_step_report *report, double *value)
{
    const ew_removal_report *removal = report->removal;
    return removal && find_one(!isnan(removal->change), removal->change, value);
}

static bool find_load_factor(const ew_step_report *report, double *value)
{
    return report->buckling    ? find_one(true, report->buckling->factor[report->mode], value)
           : report->nonlinear ? find_one(true, report->nonlinear->load_factor, value)
                               : false;
}

/* ---- the table ----------------------------------------------------------------------------------
 */

#define TYPE_OF(member)                                                                            \
    _Generic((member), bool : IS_BOOL, int32_t : IS_INT32, int64_t : IS_INT64, default : IS_DOUBLE)
#define MEMBER(from, type_, member)                                                                \
    .source = from, .offset = offsetof(type_, member), .type = TYPE_OF(((type_ *)0)->member)
#define REPORT(member)       MEMBER(FROM_REPORT, ew_step_report, member)
#define VERIFICATION(member) MEMBER(FROM_VERIFICATION, ew_step_report, member)
#define BODY(member)         MEMBER(FROM_BODY, ew_sums, member)
#define SUMS(member)         MEMBER(FROM_SUMS, ew_sums, member), .about.of_analysis = true
#define SOLVER(member)       MEMBER(FROM_SOLVER, ew_pcg_info, member), .about.of_analysis = true
#define ESTIMATE(member)     MEMBER(FROM_ESTIMATE, ew_estimate, member), .about.of_analysis = true
#define ADEQUACY(member)     MEMBER(FROM_ADEQUACY, ew_adequacy, member), .about.of_analysis = true
#define MOTION(member)       MEMBER(FROM_MOTION, ew_motion_report, member)
#define NONLINEAR(member)    MEMBER(FROM_NONLINEAR, ew_nonlinear_info, member)
#define LAWS(member)         MEMBER(FROM_LAWS, ew_sums, member)
#define PATH(member)         MEMBER(FROM_PATH, ew_nonlinear_info, member)
#define REMOVAL(member)      MEMBER(FROM_REMOVAL, ew_removal_report, member)
#define PEAK(member)         MEMBER(FROM_PEAK, ew_peak, member)
#define FATIGUE(member)      MEMBER(FROM_FATIGUE, ew_fatigue_report, member)
#define BY(function)         .source = FROM_FUNCTION, .find = function
/* from: one of the above; then the members of ew_step_number that are not zero. */
#define NUMBER(name_, n_, kind_, unit_, from, ...)                                                 \
    {                                                                                              \
        .about = {.name = name_, .n = n_, .kind = kind_, .unit = unit_, __VA_ARGS__}, from         \
    }
#define ALWAYS .in = EW_IN_RECORD | EW_IN_LOG /* 0 where it is not computed */
#define WHERE  .in = EW_IN_RECORD_WHERE | EW_IN_LOG
#define LOG    .in = EW_IN_LOG
/* Places in NAME.csv, NAME.energy.csv, NAME.removal.csv. */
#define STEPS(at)  .csv[EW_STEPS_TABLE] = at
#define ENERGY(at) .csv[EW_ENERGY_TABLE] = at
#define ROUND(at)  .csv[EW_REMOVAL_TABLE] = at
#define STRESS     "force/length^2"
#define WORK       "force*length"

static const step_number numbers[] = {
    NUMBER("n_tet", 1, EW_COUNT_NUMBER, "", REPORT(n_tet), ALWAYS, .column = "tets", STEPS(1),
           .heading = "tets", .place = 1, .width = 11, .title = "tets", .curve = "tets",
           .help = "tets of the frame's mesh"),
    NUMBER("n_vertex", 1, EW_COUNT_NUMBER, "", REPORT(n_vertex), ALWAYS, .column = "vertices",
           .title = "vertices", .help = "vertices with tets"),
    NUMBER("n_edge", 1, EW_COUNT_NUMBER, "", REPORT(n_edge), ALWAYS, .column = "edges",
           .help = "edges of tets"),
    NUMBER("n_quadratic_edge", 1, EW_COUNT_NUMBER, "", REPORT(n_edge_row), ALWAYS,
           .help = "edges of quadratic tets, each of which has a node in its middle"),
    NUMBER("volume", 1, EW_REAL_NUMBER, "length^3", BODY(volume), ALWAYS, STEPS(2),
           .heading = "volume", .place = 2, .width = 11, .title = "volume", .curve = "volume",
           .help = "of the body"),
    NUMBER("mass", 1, EW_REAL_NUMBER, "force*time^2/length", BODY(mass), ALWAYS, STEPS(3),
           .heading = "mass", .place = 3, .width = 11, .title = "mass",
           .help = "of the body; 0 where no density is given"),
    NUMBER("max_displacement", 1, EW_REAL_NUMBER, "length", SUMS(max_displacement), ALWAYS,
           STEPS(4), .heading = "max u", .place = 4, .width = 11, .title = "max displacement",
           .curve = "largest displacement", .help = "largest magnitude at a vertex"),
    NUMBER("max_von_mises", 1, EW_REAL_NUMBER, STRESS, SUMS(max_von_mises), ALWAYS, STEPS(5),
           .heading = "von Mises", .place = 5, .width = 11, .title = "max von Mises",
           .curve = "largest von Mises stress",
           .help = "the stress to report: the largest of `max_tet_von_mises`, "
                   "`max_averaged_von_mises` and `peak_recovered`"),
    NUMBER("max_tet_von_mises", 1, EW_REAL_NUMBER, STRESS, SUMS(max_tet_von_mises), ALWAYS,
           STEPS(14), .title = "of a tet", .help = "largest of the tets' own stress"),
    NUMBER("max_averaged_von_mises", 1, EW_REAL_NUMBER, STRESS, SUMS(max_vertex_von_mises), ALWAYS,
           STEPS(15), .title = "averaged", .help = "largest of the stress averaged at vertices"),
    NUMBER("error_share", 1, EW_SHARE_NUMBER, "", ESTIMATE(share), ALWAYS, STEPS(12),
           .heading = "error %", .place = 6, .width = 8, .title = "est. error",
           .curve = "estimated error, share",
           .help = "estimated error as a share of the energy norm (0.1: 10 %), error_norm / "
                   "sqrt(2 strain_energy + error_norm^2); 0 where the stress is but what the "
                   "tolerance leaves of a free thermal expansion"),
    NUMBER("error_norm", 1, EW_REAL_NUMBER, "(force*length)^0.5", ESTIMATE(error_norm), ALWAYS,
           .help = "estimated error of the whole: the root of the sum of the field `error`^2"),
    NUMBER("peak_recovered", 1, EW_REAL_NUMBER, STRESS, ESTIMATE(peak_recovered), ALWAYS, STEPS(16),
           .title = "recovered",
           .help = "largest recovered von Mises stress at a corner of the tet of "
                   "`max_tet_von_mises`"),
    NUMBER("peak_error", 1, EW_SHARE_NUMBER, "", ESTIMATE(peak_share), ALWAYS, STEPS(13),
           .help = "by what share the stress of that tet is estimated to be off there"),
    NUMBER("singular_order", 1, EW_REAL_NUMBER, "", PEAK(singularity.order), WHERE, STEPS(17),
           .title = "grows by power",
           .help = "where the stress has no limit at the place of "
                   "`max_von_mises`: there it grows with the size of the tets to minus this power; "
                   "2 of a point force"),
    NUMBER("singular_angle", 1, EW_REAL_NUMBER, "degree", PEAK(singularity.angle), WHERE, STEPS(18),
           .help = "of the material around the sharp edge there; 0: a point force"),
    NUMBER("yield_safety", 1, EW_REAL_NUMBER, "", BY(find_yield_safety), WHERE, STEPS(19),
           .title = "yield safety", .curve = "safety against yielding",
           .help = "smallest `yield_strength` of a material over its largest von Mises stress"),
    NUMBER("ultimate_safety", 1, EW_REAL_NUMBER, "", BY(find_ultimate_safety), WHERE, STEPS(20),
           .title = "ultimate safety",
           .help = "smallest `ultimate_strength` of a material over the larger of its largest von "
                   "Mises stress and principal stress in magnitude"),
    NUMBER("bent", 1, EW_SHARE_NUMBER, "", ADEQUACY(bent), ALWAYS,
           .help = "share of the stress at the surface that is bending through fewer than four "
                   "layers of tets"),
    NUMBER("layers", 1, EW_REAL_NUMBER, "", ADEQUACY(layers), LOG,
           .help = "mean of the layers of tets in these walls"),
    NUMBER("rotated", 1, EW_SHARE_NUMBER, "", ADEQUACY(rotated), LOG,
           .help = "share of the volume that turns by more than 0.1 rad"),
    NUMBER("max_rotation", 1, EW_REAL_NUMBER, "", ADEQUACY(max_rotation), ALWAYS,
           .help = "largest rotation of a tet, rad: of corotational tets the angle of the tet's "
                   "frame, 0 to pi, else the axis of the skew gradient"),
    NUMBER("max_strain", 1, EW_REAL_NUMBER, "", ADEQUACY(max_strain), ALWAYS,
           .help = "largest principal strain of a tet"),
    NUMBER("reaction", 1, EW_REAL_NUMBER, "force", BY(find_reaction), STEPS(6),
           .heading = "reaction", .place = 7, .width = 11,
           .help = "magnitude of the sum of all reactions"),
    NUMBER("reaction_force", 3, EW_REAL_NUMBER, "force", SUMS(reaction_force), ALWAYS,
           .title = "reaction", .help = "sum of all reactions"),
    NUMBER("reaction_moment", 3, EW_REAL_NUMBER, WORK, SUMS(reaction_moment), ALWAYS,
           .help = "of all reactions, about the origin"),
    NUMBER("applied_force", 3, EW_REAL_NUMBER, "force", BY(find_applied_force), ALWAYS,
           .help = "sum of the loads; of a dynamic record at its time"),
    NUMBER("applied_moment", 3, EW_REAL_NUMBER, WORK, BY(find_applied_moment), ALWAYS,
           .help = "of the loads, about the origin"),
    NUMBER("equation_force", 1, EW_REAL_NUMBER, "force", BY(find_equation_force), WHERE,
           .help = "largest force by which equations act on a point"),
    NUMBER("tied", 1, EW_COUNT_NUMBER, "", BY(find_tied), WHERE,
           .help = "vertices of slaves of ties that are tied"),
    NUMBER("untied", 1, EW_COUNT_NUMBER, "", BY(find_untied), WHERE,
           .help = "vertices of slaves of ties that meet no master"),
    NUMBER("tie_gap", 1, EW_REAL_NUMBER, "length", BY(find_tie_gap), WHERE,
           .help = "largest gap, or overlap, of tied faces in the mesh, which stays"),
    NUMBER("contact_closed", 1, EW_COUNT_NUMBER, "", BY(find_contact_closed), WHERE,
           .help = "points of contact slaves that are closed; in modes and responses they stay so"),
    NUMBER("contact_pressure", 1, EW_REAL_NUMBER, "force/length^2", BY(find_contact_pressure),
           WHERE, .title = "contact pressure", .help = "largest pressure of contact"),
    NUMBER("contact_force", 1, EW_REAL_NUMBER, "force", BY(find_contact_force), WHERE,
           .help = "sum of the forces of contact, each along its normal"),
    NUMBER("contact_area", 1, EW_REAL_NUMBER, "length^2", BY(find_contact_area), WHERE,
           .help = "of the closed points"),
    NUMBER("contact_gap", 1, EW_REAL_NUMBER, "length", BY(find_contact_gap), WHERE,
           .help = "smallest gap; what rounding makes of 0 where points are closed"),
    NUMBER("contact_slipping", 1, EW_COUNT_NUMBER, "", BY(find_contact_slipping), WHERE,
           .help = "with friction: closed points that slide"),
    NUMBER("friction_force", 1, EW_REAL_NUMBER, "force", BY(find_friction_force), WHERE,
           .help = "with friction: sum of the sizes of the tangential forces of contact"),
    NUMBER("contact_slip", 1, EW_REAL_NUMBER, "length", BY(find_contact_slip), WHERE,
           .help = "with friction: farthest that a point slid in the step"),
    NUMBER("lost_force", 3, EW_REAL_NUMBER, "force", REPORT(lost_force), LOG, STEPS(11),
           .help = "of the step's loads, with what its edits took away"),
    NUMBER("lost_members", 1, EW_COUNT_NUMBER, "", BY(find_lost_members), LOG,
           .help = "of sets, with what the edits took away"),
    NUMBER("equilibrium", 1, EW_SHARE_NUMBER, "", SUMS(equilibrium), ALWAYS,
           .help = "force that is out of balance, relative to the larger side"),
    NUMBER("external_work", 1, EW_REAL_NUMBER, WORK, BY(find_external_work), ALWAYS, ENERGY(8),
           .help = "of loads and prescribed displacements: 2 strain_energy + thermal_work; of a "
                   "dynamic record the work of loads and of moving supports since the start"),
    NUMBER("strain_energy", 1, EW_REAL_NUMBER, WORK, SUMS(strain_energy), ALWAYS,
           .title = "strain energy", .help = "of all tets"),
    NUMBER("thermal_work", 1, EW_REAL_NUMBER, WORK, SUMS(thermal_work), ALWAYS,
           .help = "the integral of stress : thermal strain"),
    NUMBER("spring_energy", 1, EW_REAL_NUMBER, WORK, SUMS(spring_energy), ALWAYS,
           .help = "of the springs to the ground, which is not in `strain_energy`"),
    NUMBER("iterations", 1, EW_COUNT_NUMBER, "", SOLVER(iterations), ALWAYS, .title = "iterations",
           .curve = "iterations",
           .help = "of the solver; of a dynamic record since the one before"),
    NUMBER("iterations", 1, EW_COUNT_NUMBER, "", BY(find_all_iterations), STEPS(7),
           .heading = "iter", .place = 8, .width = 6,
           .help = "of the solver; of a dynamic step of all its time steps"),
    NUMBER("residual", 1, EW_REAL_NUMBER, "", SOLVER(residual), ALWAYS,
           .help = "the true residual, relative to the load"),
    NUMBER("energy_error", 1, EW_REAL_NUMBER, "", BY(find_energy_error), WHERE,
           .help = "with `energy_tolerance`: the estimated error of the displacement in the energy "
                   "norm, relative, which the solver claims"),
    NUMBER("is_local", 1, EW_COUNT_NUMBER, "", BY(find_local), WHERE,
           .help =
               "with `energy_tolerance`: 1 where the displacement was corrected around the edit "
               "alone, else 0"),
    NUMBER("limited_by_rounding", 1, EW_COUNT_NUMBER, "", SOLVER(limited_by_rounding), ALWAYS,
           .help = "1 where the residual is above the tolerance and double precision goes no "
                   "further, else 0"),
    NUMBER("touched_blocks", 1, EW_COUNT_NUMBER, "", REPORT(touched_blocks), ALWAYS,
           .help = "blocks computed: the first build, then summed over the edits of the step"),
    NUMBER("total_blocks", 1, EW_COUNT_NUMBER, "", REPORT(total_blocks), ALWAYS,
           .help = "blocks of the matrix"),
    NUMBER("different_blocks", 1, EW_COUNT_NUMBER, "", VERIFICATION(different_blocks), LOG,
           .help = "from those of a rebuild (`--verify-rebuild`)"),
    NUMBER("largest_difference", 1, EW_REAL_NUMBER, "", VERIFICATION(largest_difference), LOG,
           .help = "of a block (`--verify-rebuild`)"),
    NUMBER("seconds_revalidate", 1, EW_SECONDS_NUMBER, "", BY(find_revalidation), STEPS(8),
           .heading = "revalidate", .place = 9, .width = 10,
           .help = "tables and matrix after the step's edits"),
    NUMBER("seconds_rebuild", 1, EW_SECONDS_NUMBER, "", BY(find_rebuild), LOG, STEPS(9),
           .heading = "rebuild", .place = 10, .width = 10,
           .help = "the same built from nothing (`--verify-rebuild`)"),
    NUMBER("seconds_solve", 1, EW_SECONDS_NUMBER, "", BY(find_all_solve), STEPS(10),
           .heading = "solve", .place = 11, .width = 10,
           .help = "the solver; of a dynamic step in all its time steps"),
    NUMBER("seconds_choose", 1, EW_SECONDS_NUMBER, "", REPORT(seconds_choose), ALWAYS,
           .help = "what to edit"),
    NUMBER("seconds_edit", 1, EW_SECONDS_NUMBER, "", REPORT(seconds_edit), ALWAYS,
           .help = "the commits of the edits"),
    NUMBER("seconds_topology", 1, EW_SECONDS_NUMBER, "", REPORT(seconds_topology), ALWAYS,
           .column = "seconds_tables",
           .help = "tables of neighbors; in the first step their build"),
    NUMBER("seconds_follow", 1, EW_SECONDS_NUMBER, "", REPORT(seconds_follow), ALWAYS,
           .help = "boundary, sets, fields, constraints after edits"),
    NUMBER("seconds_matrix", 1, EW_SECONDS_NUMBER, "", REPORT(seconds_matrix), ALWAYS,
           .help = "blocks of the matrix"),
    NUMBER("seconds_preconditioner", 1, EW_SECONDS_NUMBER, "", REPORT(seconds_preconditioner),
           ALWAYS, .help = "the preconditioner after edits"),
    NUMBER("seconds_compact", 1, EW_SECONDS_NUMBER, "", REPORT(seconds_compact), ALWAYS,
           .help = "renumbering where most slots are free, with new tables and matrix"),
    NUMBER("seconds_loads", 1, EW_SECONDS_NUMBER, "", REPORT(seconds_loads), ALWAYS,
           .help = "loads, constraints, the check of components"),
    NUMBER("seconds_solve", 1, EW_SECONDS_NUMBER, "", REPORT(seconds_solve), ALWAYS,
           .of_analysis = true, .title = "solve, s", .help = "the solver"),
    NUMBER("seconds_setup", 1, EW_SECONDS_NUMBER, "", SOLVER(seconds_setup), ALWAYS,
           .help = "of `seconds_solve`, for a preconditioner that is new"),
    NUMBER("seconds_recover", 1, EW_SECONDS_NUMBER, "", REPORT(seconds_recover), ALWAYS,
           .help = "fields and sums"),
    NUMBER("seconds_estimate", 1, EW_SECONDS_NUMBER, "", REPORT(seconds_estimate), ALWAYS,
           .help = "the estimated error"),
    NUMBER("seconds_save", 1, EW_SECONDS_NUMBER, "", REPORT(seconds_save), LOG,
           .help = "the frame; in the record, too, which gets it afterwards"),
    NUMBER("time", 1, EW_REAL_NUMBER, "time", MOTION(time), LOG, ENERGY(1),
           .help = "of an output of a dynamic step; that of the record is its place on the time "
                   "axis"),
    NUMBER("time_steps", 1, EW_COUNT_NUMBER, "", MOTION(n_done), WHERE, ENERGY(2),
           .help = "of a dynamic record: since the start of its step"),
    NUMBER("initial_energy", 1, EW_REAL_NUMBER, WORK, MOTION(account.initial), WHERE, ENERGY(10),
           .help = "of a dynamic record: energy at the start"),
    NUMBER("kinetic_energy", 1, EW_REAL_NUMBER, WORK, MOTION(account.kinetic), WHERE, ENERGY(3),
           .help = "of a dynamic record"),
    NUMBER("damping_work", 1, EW_REAL_NUMBER, WORK, MOTION(account.damping_work), WHERE, ENERGY(7),
           .help = "of a dynamic record: taken by damping"),
    NUMBER("friction_work", 1, EW_REAL_NUMBER, WORK, MOTION(account.friction_work), WHERE,
           ENERGY(14), .help = "of a dynamic record: taken by friction of contacts"),
    NUMBER("edit_work", 1, EW_REAL_NUMBER, WORK, MOTION(account.edit_work), WHERE, ENERGY(9),
           .help = "of a dynamic record: what edits brought (+) or took (-)"),
    NUMBER("energy_balance", 1, EW_REAL_NUMBER, WORK, MOTION(account.balance), WHERE, ENERGY(11),
           .help = "of a dynamic record: kinetic + strain + spring energy + dissipated_energy + "
                   "damping_work + friction_work - external_work - edit_work - initial_energy: "
                   "what the scheme and impacts make or take, and tolerances leave"),
    NUMBER("linear_momentum", 3, EW_REAL_NUMBER, "force*time", MOTION(account.linear_momentum),
           WHERE, ENERGY(12), .help = "of a dynamic record"),
    NUMBER("angular_momentum", 3, EW_REAL_NUMBER, "force*length*time",
           MOTION(account.angular_momentum), WHERE, ENERGY(13),
           .help = "of a dynamic record, about the origin; of the undeformed places, of a "
                   "corotational body of the deformed"),
    NUMBER("in_envelope", 1, EW_COUNT_NUMBER, "", BY(find_in_envelope), .in = EW_IN_RECORD_WHERE,
           .help = "1 of a record that counts in the envelope"),
    NUMBER("fatigue_life", 1, EW_REAL_NUMBER, "", BY(find_fatigue_life), WHERE, STEPS(27),
           .title = "fatigue life", .help = "repeats of the history of fatigue; none: infinite"),
    NUMBER("fatigue_damage", 1, EW_REAL_NUMBER, "", FATIGUE(damage), WHERE, STEPS(28),
           .title = "fatigue damage",
           .help = "largest damage at a vertex by a repeat of the history, Palmgren-Miner"),
    NUMBER("fatigue_safety", 1, EW_REAL_NUMBER, "", FATIGUE(safety), WHERE, STEPS(29),
           .title = "fatigue safety",
           .help = "smallest factor on the stress of the history that the wanted life bears; 1000: "
                   "that or more"),
    NUMBER("fatigue_amplitude", 1, EW_REAL_NUMBER, STRESS, BY(find_fatigue_amplitude), WHERE,
           .title = "reversed amplitude",
           .help = "largest fully reversed stress amplitude where the safety is the smallest"),
    NUMBER("fatigue_strain", 1, EW_REAL_NUMBER, "", BY(find_fatigue_strain), WHERE,
           .title = "strain amplitude",
           .help = "of a strain life: largest amplitude of the local strain there"),
    NUMBER("fatigue_place", 3, EW_REAL_NUMBER, "length", FATIGUE(place), WHERE,
           .help = "where the fatigue safety is the smallest"),
    NUMBER("non_proportional", 1, EW_SHARE_NUMBER, "", FATIGUE(turned), WHERE,
           .help = "share of the stress of the history there that is no multiple of the largest"),
    NUMBER("mode", 1, EW_COUNT_NUMBER, "", BY(find_mode), WHERE, STEPS(21), .title = "mode",
           .help = "number of a vibration mode or of a load factor of buckling, from 1"),
    NUMBER("nodal_diameter", 1, EW_COUNT_NUMBER, "", BY(find_diameter), WHERE, STEPS(30),
           .title = "nodal diameter",
           .help = "of a vibration mode of a sector: waves round the axis"),
    NUMBER("frequency", 1, EW_REAL_NUMBER, "1/time", BY(find_frequency), WHERE, STEPS(22),
           .title = "frequency",
           .help =
               "of a vibration mode or of the loads of a harmonic response; in Hz where time is "
               "in s"),
    NUMBER("carried_mass", 1, EW_SHARE_NUMBER, "", BY(find_carried), WHERE, .title = "carried mass",
           .help = "of a response to a motion of the supports: share of the mass that its modes "
                   "take along the direction"),
    NUMBER("eigenvalue", 1, EW_REAL_NUMBER, "1/time^2", BY(find_eigenvalue), WHERE,
           .help = "of a vibration mode"),
    NUMBER("participation", 3, EW_REAL_NUMBER, "", BY(find_participation), WHERE, STEPS(24),
           .title = "participation", .help = "of a vibration mode, along x, y, z"),
    NUMBER("effective_mass", 3, EW_REAL_NUMBER, "force*time^2/length", BY(find_effective_mass),
           WHERE, STEPS(25), .title = "effective mass",
           .help = "of a vibration mode, along x, y, z"),
    NUMBER("effective_mass_sum", 3, EW_SHARE_NUMBER, "", BY(find_effective_sum), WHERE, STEPS(26),
           .title = "sum of effective masses",
           .help = "of this mode and those before it, share of the mass, along x, y, z"),
    NUMBER("load_factor", 1, EW_REAL_NUMBER, "", BY(find_load_factor), WHERE, STEPS(23),
           .title = "load factor",
           .help = "of buckling; of a nonlinear static step the share of what changed in it that "
                   "was reached: 1, or less where it failed, and `applied_force`, `equilibrium` "
                   "and work are of that share"),
    NUMBER("mode_residual", 1, EW_REAL_NUMBER, "", BY(find_mode_residual), WHERE,
           .help = "of a mode: the norm of K phi - lambda M phi over that of (lambda's magnitude + "
                   "shift) M phi"),
    NUMBER("load_steps", 1, EW_COUNT_NUMBER, "", NONLINEAR(n_step), WHERE,
           .help = "of a nonlinear static step: those that converged"),
    NUMBER("halvings", 1, EW_COUNT_NUMBER, "", NONLINEAR(n_failed), WHERE,
           .help = "of a nonlinear static step: load steps that did not converge and were halved"),
    NUMBER("newton_iterations", 1, EW_COUNT_NUMBER, "", NONLINEAR(n_iteration), WHERE,
           .help = "of a nonlinear static step"),
    NUMBER("revalidated_share", 1, EW_SHARE_NUMBER, "", BY(find_revalidated_share), WHERE,
           .help = "of a nonlinear static step: share of the blocks of the matrix that an "
                   "iteration computed, the mean of all"),
    NUMBER("path_work", 1, EW_REAL_NUMBER, WORK, PATH(work), WHERE,
           .help = "of a nonlinear static step of a body with laws: work of loads, supports and "
                   "heat on the way"),
    NUMBER("dissipated_energy", 1, EW_REAL_NUMBER, WORK, LAWS(dissipated), WHERE,
           .help = "of a step that follows laws: what plastic flow took in the body as it is, so "
                   "far"),
    NUMBER("max_plastic_strain", 1, EW_REAL_NUMBER, "", LAWS(max_plastic_strain), WHERE,
           .help = "of a step that follows laws: largest equivalent plastic strain of a tet"),
    NUMBER("removal_rounds", 1, EW_COUNT_NUMBER, "", REMOVAL(round), WHERE,
           .help = "of a step with an element removal"),
    NUMBER("compliance", 1, EW_REAL_NUMBER, WORK, REMOVAL(compliance), WHERE, ROUND(5),
           .help = "of a step with an element removal: twice the energy of strain and springs"),
    NUMBER("strain_energy", 1, EW_REAL_NUMBER, WORK, MOTION(account.strain), ENERGY(4),
           .help = "of the tets, as the balance has it"),
    NUMBER("spring_energy", 1, EW_REAL_NUMBER, WORK, MOTION(account.spring), ENERGY(5),
           .help = "of the springs to the ground"),
    NUMBER("dissipated_energy", 1, EW_REAL_NUMBER, WORK, MOTION(account.dissipated), ENERGY(6),
           .help = "what plastic flow took in the body as it is, so far"),
    NUMBER("round", 1, EW_COUNT_NUMBER, "", REMOVAL(round), ROUND(1),
           .help = "0: the body at the start"),
    NUMBER("tets", 1, EW_COUNT_NUMBER, "", REMOVAL(n_tet), ROUND(2), .help = "of the body"),
    NUMBER("volume", 1, EW_REAL_NUMBER, "length^3", REMOVAL(volume), ROUND(3),
           .help = "of the body"),
    NUMBER("share", 1, EW_SHARE_NUMBER, "", REMOVAL(share), ROUND(4),
           .help = "of the volume at the start"),
    NUMBER("change", 1, EW_SHARE_NUMBER, "", BY(find_change), ROUND(6),
           .help = "of the compliance: mean of the last five rounds against the five before; empty "
                   "before there are ten"),
    NUMBER("removed", 1, EW_COUNT_NUMBER, "", REMOVAL(n_removed), ROUND(7),
           .help = "tets since the row before"),
    NUMBER("restored", 1, EW_COUNT_NUMBER, "", REMOVAL(n_restored), ROUND(8),
           .help = "likewise, that came back"),
    NUMBER("iterations", 1, EW_COUNT_NUMBER, "", REMOVAL(iterations), ROUND(9),
           .help = "of the solver"),
    NUMBER("seconds", 1, EW_SECONDS_NUMBER, "", REMOVAL(seconds), ROUND(10),
           .help = "since the row before"),
    NUMBER("volume_share", 1, EW_SHARE_NUMBER, "", REMOVAL(share), WHERE,
           .help = "of a step with an element removal: share of the volume that it began with"),
};
enum { N_NUMBER = sizeof numbers / sizeof *numbers };
_Static_assert((int)N_NUMBER <= (int)STUDY_MAX_NUMBER, "a record has room for fewer");

const ew_step_number *ew_step_number_at(int32_t k)
{
    return k >= 0 && k < N_NUMBER ? &numbers[k].about : NULL;
}

/* ---- values -----------------------------------------------------------------------------------
 */

static const void *source_of(number_source source, const ew_step_report *report)
{
    switch (source) {
    case FROM_VERIFICATION:
        return report->verified ? report : NULL;
    case FROM_BODY:
    case FROM_SUMS:
        return sums_of(report);
    case FROM_SOLVER:
        return report->solver;
    case FROM_ESTIMATE:
        return report->estimate;
    case FROM_ADEQUACY:
        return report->adequacy;
    case FROM_MOTION:
        return report->motion;
    case FROM_NONLINEAR:
        return report->nonlinear;
    case FROM_LAWS:
        return report->has_laws && (report->nonlinear || report->motion) ? report->sums : NULL;
    case FROM_PATH:
        return report->has_laws ? report->nonlinear : NULL;
    case FROM_REMOVAL:
        return report->removal;
    case FROM_FATIGUE:
        return report->fatigue;
    case FROM_PEAK:
        return report->has_peak && report->peak.singularity.order > 0.0 ? &report->peak : NULL;
    default:
        return report;
    }
}

static double read_member(const char *at, number_type type)
{
    int32_t i32;
    int64_t i64;
    double value;
    switch (type) {
    case IS_BOOL:
        return *(const bool *)at;
    case IS_INT32:
        memcpy(&i32, at, sizeof i32);
        return i32;
    case IS_INT64:
        memcpy(&i64, at, sizeof i64);
        return (double)i64;
    default:
        memcpy(&value, at, sizeof value);
        return value;
    }
}

/* An envelope has extremes of the body, and no equilibrium. */
static bool is_extreme(const char *name)
{
    return !strncmp(name, "max_", 4);
}

bool ew_step_number_of(int32_t k, const ew_step_report *report, double value[EW_STEP_NUMBER_VALUES])
{
    const step_number *number = &numbers[k];
    memset(value, 0, EW_STEP_NUMBER_VALUES * sizeof *value);
    if (number->find) {
        return number->find(report, value);
    }
    const bool is_shape = report->modes || report->buckling;
    const bool has_scale =
        !is_shape || number->source != FROM_ESTIMATE || number->about.kind == EW_SHARE_NUMBER;
    const char *from = has_scale ? source_of(number->source, report) : NULL;
    for (int32_t i = 0; from && i < number->about.n; i++) {
        value[i] = read_member(from + number->offset + (size_t)i * sizeof(double), number->type);
    }
    return from &&
           (number->source != FROM_SUMS || has_sums(report) ||
            ((report->is_envelope || report->has_response) && is_extreme(number->about.name)));
}

double ew_step_seconds_revalidate(const ew_step_report *report)
{
    return report->seconds_edit + report->seconds_topology + report->seconds_matrix +
           report->seconds_compact - report->seconds_built;
}

int32_t ew_study_list_numbers(const ew_study *study, double value[][EW_STEP_NUMBER_VALUES],
                              ew_result_number *list)
{
    int32_t n = 0;
    for (int32_t k = 0; k < N_NUMBER; k++) {
        const ew_step_number *about = &numbers[k].about;
        const bool has = ew_step_number_of(k, &study->report, value[n]);
        const bool is_in = about->in & EW_IN_RECORD && !study->report.has_goals_alone;
        if (is_in || (has && about->in & (EW_IN_RECORD | EW_IN_RECORD_WHERE))) {
            list[n] = (ew_result_number){about->name, about->n, value[n]};
            n++;
        }
    }
    return n;
}
