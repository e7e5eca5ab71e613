/* Part of analysis: products from tets without a stored matrix, rows of edges and pressures of
 * mixed tets in a solve, the law of a tet. */
#ifndef EW_ANALYSIS_TETS_H
#define EW_ANALYSIS_TETS_H

#include "assembly/assembly.h"
#include "solver/solver.h"

EW_BEGIN_API

/* ---- products from tets (tet_operator.c, tet_operator_device.c) ---------- */

/* How products are made. */
typedef enum ew_operator_kind {
    EW_STORED,     /* from stored blocks */
    EW_MATRIX_FREE /* from positions and tets */
} ew_operator_kind;

EW_END_API
#endif
