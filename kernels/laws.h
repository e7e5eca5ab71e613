/* The law of a region by its number, for devices, which have no pointers to functions: the host
 * calls the same formulas through the table of lib/element/laws.c. */
#ifndef EW_LAWS_H
#define EW_LAWS_H

#include "law_creep.h"
#include "law_elastic.h"
#include "law_mooney_rivlin.h"
#include "law_neo_hookean.h"
#include "law_von_mises.h"

#if EW_HAS_DOUBLE

/* Their places in that table. */
enum {
    EW_NUMBER_ELASTIC,
    EW_NUMBER_VON_MISES,
    EW_NUMBER_CREEP,
    EW_NUMBER_NEO_HOOKEAN,
    EW_NUMBER_MOONEY_RIVLIN,
    EW_N_LAW
};

/* `respond` of element.h; the state after is that before where the law has none. */
static inline void ew_law_respond(const int number, const double *constants, const double *strain,
                                  const double *before, double dt, double *after, double *stress,
                                  double *tangent)
{
    if (number == EW_NUMBER_VON_MISES) {
        ew_von_mises_respond(constants, strain, before, after, stress, tangent);
    } else if (number == EW_NUMBER_CREEP) {
        ew_creep_respond(constants, strain, before, dt, after, stress, tangent);
    } else if (number == EW_NUMBER_NEO_HOOKEAN) {
        ew_neo_hookean_respond(constants, strain, stress, tangent);
    } else if (number == EW_NUMBER_MOONEY_RIVLIN) {
        ew_mooney_rivlin_respond(constants, strain, stress, tangent);
    } else {
        ew_elastic_respond(constants, strain, stress, tangent);
    }
}

#endif
#endif
