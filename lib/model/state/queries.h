/* queries: private to model. What a model is, by its state alone. (queries.c) */
#ifndef EW_MODEL_QUERIES_H
#define EW_MODEL_QUERIES_H

#include "model/records.h"

/* EW_STALE after a commit that failed half-way. */
ew_status model_need_usable(const ew_model *model);
/* EW_UNSUPPORTED: what takes stored blocks; and that of a matrix-free model alone. */
ew_status model_refuse_blocks(const char *what);
ew_status model_need_blocks(const ew_model *model, const char *what);
/* EW_BAD_ARGUMENT with this message unless the body is linear; unless it is not. */
ew_status model_need_linear(const ew_model *model, const char *message);
ew_status model_need_nonlinear(const ew_model *model, const char *message);
/* EW_UNSUPPORTED on a device without fp64. */
ew_status model_need_double(const ew_model *model, const char *what);
/* EW_UNSUPPORTED where tets are mixed. */
ew_status model_refuse_mixed(const ew_model *model, const char *what);

/* Which tets are quadratic. */
ew_order model_order(const ew_model *model);
/* Some tet is. */
bool model_has_edges(const ew_model *model);
/* Or one that an edit brings would be. */
bool model_is_quadratic(const ew_model *model);
/* Rows of edges follow edits: tets are quadratic in general, or some were made so. */
bool model_keeps_edge_rows(const ew_model *model);
/* Row of the edge between two vertices; -1: it has no function, or there is none. */
int32_t model_row_between(const ew_model *model, int32_t a, int32_t b);
/* Rows of vectors: vertices, then edges with functions. */
int32_t model_n_row(const ew_model *model);
/* Bytes of a vector. */
static inline size_t model_vector_size(const ew_model *model)
{
    return 3 * sizeof(double) * (size_t)model_n_row(model);
}
/* A system of all rows without matrix and loads: places, and what is prescribed, as it was last
 * found (model_update_constraints). */
ew_system model_rows(const ew_model *model);
/* Whether directions that are no axes are prescribed on edges, or at vertices. */
bool model_is_oblique(const ew_model *model, bool on_edges);
/* Some side may be curved. */
bool model_is_curved(const ew_model *model);
/* Whether the side between two vertices is curved, and its curve, else zeros; -1: there is none. */
bool model_curve_between(const ew_model *model, int32_t a, int32_t b, double curve[3]);

/* Whether the stiffness of the model is a tangent: corotational, or with a law that is not linear.
 */
bool model_is_nonlinear(const ew_model *model);
bool model_has_large_rotations(const ew_model *model);
/* Tets answer on the device. Mixed ones answer on the host, whatever has the blocks. */
bool model_answers_there(const ew_model *model);
/* Whether loads change the temperature, or did; whether their strain is taken off before the laws,
 * as in a nonlinear body, and they are among no forces. */
bool model_has_temperature(const ew_model *model);
bool model_has_thermal_strain(const ew_model *model);
/* Whether the stress of all tets follows from the displacement of their corners and the state of
 * their laws alone; and whether linearly. */
bool model_stress_is_local(const ew_model *model);
bool model_has_plain_stress(const ew_model *model);
/* Whether fields after a small change follow from those before it. */
bool model_recovers_by_change(const ew_model *model);
/* Whether the load is a pressure that turns with the faces of this body; whether some load is. */
bool model_load_follows(const ew_model *model, const ew_model_load *load);
bool model_has_follower(const ew_model *model);
/* Points of each tet of a nonlinear body. */
int32_t model_n_point(const ew_model *model);
/* [n_vertex] of mixed tets, else null. */
double *model_pressure(const ew_model *model);
/* The body at a displacement of all rows; a step of this length in time began with the state as
 * it is. */
ew_deformed model_deformed(const ew_model *model, const double *u, double dt);
/* What the blocks have beside the tets, as it was last found; null: nothing. */
const double *model_ground(const ew_model *model);
/* What makes the blocks of vertices of the stiffness, or of the tangent from the records as they
 * are: by these tables of the mesh, with this ground, null: none. */
typedef union model_source {
    ew_source source; /* the first member of both */
    ew_stiffness stiffness;
    ew_tangent tangent;
} model_source;
model_source model_stiffness(const ew_model *model, const ew_topology *topology,
                             const double *ground);
model_source model_tangent(const ew_model *model, const ew_topology *topology,
                           const double *ground);
/* The records that the blocks of the stiffness are made of; null: those of elastic tets. */
const ew_internal_force *model_nonlinear_force(const ew_model *model);

/* EW_BAD_ARGUMENT unless the set is of vertices or faces; what: "load", place: from 0. */
ew_status model_check_set_number(const ew_model *model, const char *what, int32_t place,
                                 int32_t set);
/* EW_BAD_ARGUMENT unless there is such an amplitude. */
ew_status model_check_amplitude(const ew_model *model, const char *what, int32_t place,
                                int32_t amplitude);
/* Whether the set has members to act on; EW_BAD_INPUT when it should have. */
ew_status model_require_members(const ew_model *model, int32_t number, bool *usable);

#endif
