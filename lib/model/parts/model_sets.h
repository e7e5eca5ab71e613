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
