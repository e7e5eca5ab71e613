/* The linear tet's contributions as functions of what its blocks share, to be compiled into loops.
 * term [14]: gradients g [4][3], V lambda, V mu. */
#ifndef EW_LINEAR_H
#define EW_LINEAR_H

#include "tet.h"

static inline void ew_linear_prepare(const double *x, const double *lame, double *term)
{
    const double volume = ew_tet_gradients(x, term);
    term[12] = volume * lame[0];
    term[13] = volume * lame[1];
}

static inline void ew_linear_add(const double *term, int p, int q, double *block)
{
    ew_tet_add_block(term + 3 * p, term + 3 * q, term[12], term[13], block);
}

static inline void ew_linear_add_diagonal(const double *term, int p, double *sum)
{
    ew_tet_add_diagonal(term + 3 * p, term[12], term[13], sum);
}

#endif
