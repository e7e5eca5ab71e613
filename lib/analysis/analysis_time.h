/* Part of analysis: schemes of time integration. */
#ifndef EW_ANALYSIS_TIME_H
#define EW_ANALYSIS_TIME_H

#include "analysis/analysis_loads.h"

EW_BEGIN_API

/* ---- time integration (schemes.c, scheme_*.c) ---------------------------- */

typedef enum ew_scheme_kind {
    EW_IMPLICIT_EULER,
    EW_NEWMARK,
    EW_HHT,
    EW_GENERALIZED_ALPHA,
    EW_EXPLICIT_EULER,
    EW_CENTRAL_DIFFERENCE,
    EW_SCHEME_COUNT /* none */
} ew_scheme_kind;

typedef struct ew_scheme_parameters {
    double beta, gamma;     /* NEWMARK: 0 .. 1, 0.5 .. 2; default 1/4, 1/2 */
    double alpha;           /* HHT: -1/3 .. 0; default -0.05 */
    double spectral_radius; /* GENERALIZED_ALPHA: at infinite frequency, 0 .. 1; default 0.8 */
} ew_scheme_parameters;

/* ---- harmonic motion (modal_response.c) ---------------------------------- */

/* Of a motion with the angular frequency w the complex stiffness is
 * A = (1 + i (structural + w stiffness)) K + (i w mass - w^2) M. */
typedef struct ew_damping {
    double mass, stiffness; /* Rayleigh's C = mass M + stiffness K: 1/time and time, >= 0 */
    double structural;      /* loss factor of all material and springs, >= 0 */
} ew_damping;

EW_END_API
#endif
