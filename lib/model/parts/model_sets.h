/* model: what a program needs that works on its tables itself, beside model/model_sets.h. */
#ifndef EW_PARTS_MODEL_SETS_H
#define EW_PARTS_MODEL_SETS_H

#include "model/model_sets.h"
#include "model/parts/model_base.h"

EW_BEGIN_API

/* ---- named sets (sets.c) ------------------------------------------------ */

#define EW_SPRING_FORCES 8

/* ---- constraints and loads (loads.c) ------------------------------------ */

/* Updates constraints and springs, as a solve does, with the same failures; *constraint, *spring:
 * the one at fault, from 0, else -1. */
ew_status ew_model_update_supports(ew_model *model, int32_t *constraint, int32_t *spring);

/* ---- equations (equations.c) ---------------------------------------------- */

/* One term of an equation: factor . displacement of a point. */
typedef struct ew_model_term {
    int32_t set;    /* of vertices: its one vertex, in the first term of an equation any number; -1:
                       the point that `end` names */
    int64_t end[2]; /* vertex ids (ew_mesh.vertex_id): of a vertex twice the same, of the middle of
                       a side its two ends */
    double factor[3]; /* of the components of the displacement along x, y, z */
} ew_model_term;
/* The sum of its terms is the value: an equation for each vertex of the first term's set, and where
 * tets are quadratic for the middles of the edges on boundary faces between them (between two of
 * them, where the set has no such face). */
typedef struct ew_model_equation {
    int32_t n_term;            /* at least 1 */
    const ew_model_term *term; /* [n_term] copied */
    double value;              /* length times the unit of the factors */
} ew_model_equation;
/* Replaces the equations (copied); the next use checks them. The solver satisfies them by
 * projection (ew_equations), and the matrix is as without them. Equations that follow from others
 * or from constraints count once; EW_BAD_INPUT, with the place of the equation as the failure's
 * first id, where they contradict. They follow edits by their sets and vertices: one of whose
 * points is gone is left out (ew_model_equation_report), as is one of an empty set that may be
 * empty. In dynamics the value is constant. Small displacements, tets that are not mixed and a body
 * on the host: EW_UNSUPPORTED else. (equations.c) */
ew_status ew_model_set_equations(ew_model *model, int32_t n, const ew_model_equation *list);

typedef struct ew_model_equation_report {
    int32_t n;           /* equations of single points */
    int32_t n_dependent; /* of them, that follow from others or from constraints */
    int32_t n_lost;      /* given equations that are left out, for their points are gone */
    int32_t first_lost;  /* place of the first of these, or -1 */
    double max_force;    /* largest force that equations exert on a row of the matrix, of the last
                            recovery */
    const double *force; /* [n_vertex][3] these forces at vertices, borrowed; null: none */
} ew_model_equation_report;
/* As the last use found them. */
ew_model_equation_report ew_model_view_equations(const ew_model *model);

/* ---- lists (lists.c) ------------------------------------------------------- */

/* The present constraints, springs and loads as they were given (lists.c), with the same borrowed
 * pointers. i: from 0; EW_BAD_ARGUMENT where there is no such entry, and *out is untouched. */
int32_t ew_model_n_constraint(const ew_model *model);
int32_t ew_model_n_spring(const ew_model *model);
int32_t ew_model_n_load(const ew_model *model);
ew_status ew_model_view_constraint(const ew_model *model, int32_t i, ew_model_constraint *out);
ew_status ew_model_view_spring(const ew_model *model, int32_t i, ew_model_spring *out);
ew_status ew_model_view_load(const ew_model *model, int32_t i, ew_model_load *out);

/* ---- fields that follow the mesh (fields.c) ------------------------------ */

/* The array of a field, as ew_model_field gave it, becomes the caller's (ew_release), and the model
 * goes on in another one with the same numbers: for bindings, whose arrays must neither change nor
 * dangle when the model does. O(n). EW_BAD_ARGUMENT: no field has this array, or it is that of
 * material axes; EW_NO_MEMORY: the array stays the model's. */
ew_status ew_model_give_field(ew_model *model, const double *array);

/* ---- fine surfaces that move with the mesh (surfaces.c) ------------------- */

int32_t ew_model_n_surface(const ew_model *model);
/* A load on a surface as one of the list that ew_model_set_loads takes: OWN, of the whole body. The
 * model keeps what it needs; asking again for an equal one gives the same. EW_BAD_INPUT where the
 * surface has no triangles for it. */
ew_status ew_model_surface_load(ew_model *model, int32_t surface, const ew_surface_load *load,
                                ew_model_load *out);

EW_END_API
#endif
