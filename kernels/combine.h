/* The blocks of mass matrices and of combinations with a stiffness, shared by host and device: with
 * the same operations in the same order they give the same bits. */
#ifndef EW_COMBINE_H
#define EW_COMBINE_H

#include "real.h"

#if EW_HAS_DOUBLE

/* Of the mass of a tet: what a vertex has when it is lumped; what a vertex and a pair of vertices
 * have when it is consistent, rho times the integral of the product of their barycentric functions
 * (Zienkiewicz & Taylor, The Finite Element Method, volume 1: a! b! c! d! 3! V / (a+b+c+d+3)!). */
#define EW_MASS_OF_VERTEX        0.25
#define EW_MASS_OF_VERTEX_SQUARE 0.1
#define EW_MASS_OF_PAIR          0.05

/* block [3][3] = c_K K_ab + m I, with m = c_M m_ab; where there is no mass off the diagonal K_ab
 * alone is scaled, since adding 0 would turn -0. */
static inline void ew_combine_block(double *block, double of_stiffness, int has_mass, double m)
{
    for (int i = 0; i < 9; i++) {
        block[i] = of_stiffness * block[i];
    }
    for (int i = 0; i < 9 && has_mass; i += 4) {
        block[i] += m;
    }
}

#endif
#endif
