/* The list of laws at a point, and the response of one by its number, for devices, which have no
 * pointers to functions: the host calls the same formulas by the descriptors. */
#ifndef EW_LAWS_H
#define EW_LAWS_H

#include "law_creep.h"
#include "law_elastic.h"
#include "law_mooney_rivlin.h"
#include "law_neo_hookean.h"
#include "law_von_mises.h"

#if EW_HAS_DOUBLE

/* A line adds one: its number is EW_NUMBER_ and the first word, its descriptor ew_law_ and the
 * second (lib/element/law_NAME.c), then its response, with the arguments of ew_law_respond that it
 * reads. */
#define EW_LAWS(X)                                                                                 \
    X(ELASTIC, elastic, ew_elastic_respond(constants, strain, stress, tangent))                    \
    X(VON_MISES, plastic, ew_von_mises_respond(constants, strain, before, after, stress, tangent)) \
    X(CREEP, creep, ew_creep_respond(constants, strain, before, dt, after, stress, tangent))       \
    X(NEO_HOOKEAN, neo_hookean, ew_neo_hookean_respond(constants, strain, stress, tangent))        \
    X(MOONEY_RIVLIN, mooney_rivlin, ew_mooney_rivlin_respond(constants, strain, stress, tangent))

#define EW_LAW_NUMBER(place, name, call) EW_NUMBER_##place,
enum { EW_LAWS(EW_LAW_NUMBER) EW_N_LAW };

/* `respond` of element.h; the state after is that before where the law has none. */
#define EW_LAW_CALL(place, name, call)                                                             \
    if (number == EW_NUMBER_##place) {                                                             \
        call;                                                                                      \
    }
static inline void ew_law_respond(const int number, const double *constants, const double *strain,
                                  const double *before, double dt, double *after, double *stress,
                                  double *tangent)
{
    EW_LAWS(EW_LAW_CALL)
}

#endif
#endif
