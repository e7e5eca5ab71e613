/* analysis: what a program needs that works on its tables itself, beside analysis/analysis_time.h.
 */
#ifndef EW_PARTS_ANALYSIS_TIME_H
#define EW_PARTS_ANALYSIS_TIME_H

#include "analysis/analysis_time.h"
#include "analysis/parts/analysis_loads.h"

EW_BEGIN_API

/* ---- time integration (schemes.c, scheme_*.c) ---------------------------- */

ew_scheme_parameters ew_default_scheme_parameters(void);

/* A step of any scheme, from state 0 to state 1 at time dt after it, over displacement u, velocity
 * v and acceleration a:
 *
 *     u_1 = u_0 + dt v_0 + dt^2 (u[0] a_0 + u[1] a_1)
 *     v_1 = v_0 + dt (v[0] a_0 + v[1] a_1)
 *     d_1 = v_0 + dt (d[0] a_0 + d[1] a_1)             the velocity that damping acts on
 *     M ((1 - alpha_m) a_1 + alpha_m a_0) + C ((1 - alpha_f) d_1 + alpha_f v_0) +
 *         K ((1 - alpha_f) u_1 + alpha_f u_0) = (1 - alpha_f) F_1 + alpha_f F_0 */
typedef struct ew_scheme_rule {
    double alpha_m, alpha_f;
    double u[2], v[2], d[2];
} ew_scheme_rule;

typedef struct ew_scheme {
    const char *name;                                           /* as in a case */
    const char *reference;                                      /* author, year, equation */
    ew_status (*check)(const ew_scheme_parameters *parameters); /* null: there are none */
    void (*rule)(const ew_scheme_parameters *parameters, ew_scheme_rule *rule);
    /* See ew_scheme_stable_step; null: any step. */
    double (*stable_step)(const ew_scheme_parameters *parameters, double square,
                          double damping_mass, double damping_stiffness);
} ew_scheme;
/* Null for a number that is no kind. */
const ew_scheme *ew_scheme_of(ew_scheme_kind kind);
/* EW_BAD_ARGUMENT names the parameter and its range. */
ew_status ew_scheme_check(ew_scheme_kind kind, const ew_scheme_parameters *parameters);
void ew_scheme_rule_of(ew_scheme_kind kind, const ew_scheme_parameters *parameters,
                       ew_scheme_rule *rule);
/* The largest stable step where no frequency (rad per time) squared is above `square` and damping
 * is C = damping_mass M + damping_stiffness K; INFINITY: any; 0: none. */
double ew_scheme_stable_step(ew_scheme_kind kind, const ew_scheme_parameters *parameters,
                             double square, double damping_mass, double damping_stiffness);
/* The matrix that a step solves with, of_mass M + of_stiffness K, for the unknown a_1. */
void ew_scheme_step_matrix(const ew_scheme_rule *rule, double step, double damping_mass,
                           double damping_stiffness, double *of_mass, double *of_stiffness);

/* ---- responses of vibration modes (modal_response.c) ------------------------------------ */

/* A = a K + b M, real and imaginary parts; frequency > 0, per time. */
void ew_damping_factors(const ew_damping *damping, double frequency, double a[2], double b[2]);

/* Modes of shapes with phi . M phi = 1; borrowed. */
typedef struct ew_modal {
    int32_t n;
    const double *frequency; /* [n] > 0, per time */
    double damping;          /* of each, share of the critical one; > 0 but for ew_modal_harmonic
                                with `more` damping */
    ew_damping more;         /* of ew_modal_harmonic, in addition */
} ew_modal;
/* A table of n >= 2 points with ascending first numbers, straight in logarithms where it can be.
 * extends: beyond its ends the nearest point's value, else 0. */
double ew_table_value(int32_t n, const double (*table)[2], double x, bool extends);
/* Columns of modal amplitudes: the amplitude, combined maximum or root mean square of a linear
 * result with the modal values r is the root of the sum of the squares of r . column. force [n]
 * modal; column [2][n] real and imaginary part. */
void ew_modal_harmonic(const ew_modal *of, const double *force, double frequency, double *column);
/* participation [n] along a direction. table: of spectral acceleration over frequency; correlated:
 * by CQC, else SRSS. column [n][n], of which *n_column are filled. */
ew_status ew_modal_spectrum(const ew_modal *of, const double *participation, int32_t n_point,
                            const double (*table)[2], bool correlated, double *column,
                            int32_t *n_column);
/* The same of a random acceleration: table of its one-sided spectral density over frequency,
 * (length / time^2)^2 time, nothing beyond its ends. */
ew_status ew_modal_random(const ew_modal *of, const double *participation, int32_t n_point,
                          const double (*table)[2], double *column, int32_t *n_column);

EW_END_API
#endif
