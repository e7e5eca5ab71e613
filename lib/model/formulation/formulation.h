/* formulation, private to model: what drivers ask of a body by how its internal force depends on
 * the displacement: linearly, or not, where it is corotational or a law is not linear. */
#ifndef EW_MODEL_FORMULATION_H
#define EW_MODEL_FORMULATION_H

#include "model/internal.h"

/* One table for each kind of body. u, x, f, y, force: of all rows. */
typedef struct model_formulation {
    /* Blocks of the stiffness, of vertices and of edges, as they must be; of the tangent at the
     * displacement of the model. */
    ew_status (*update_matrix)(ew_model *model);
    /* What makes those of vertices. */
    model_source (*source)(const ew_model *model, const ew_topology *topology,
                           const double *ground);
    /* Adds those of vertices that differ from blocks built by these tables. */
    ew_status (*verify_matrix)(ew_model *model, const ew_topology *topology,
                               ew_model_verification *result);
    /* f: of tets and springs at u. */
    ew_status (*elastic_force)(ew_model *model, const double *u, double *f);
    /* The same less pressures that turn with faces; and the strain energy of tets, `spring` being
     * that of the springs. */
    ew_status (*force)(ew_model *model, const double *u, double spring, double *f, double *strain);
    /* y = f(u) + K (x - u), u being the displacement of the model; x becomes x - u. Of a linear
     * body K x, which leaves x. */
    ew_status (*linearized_force)(ew_model *model, double *x, double *y);
    /* Loads short of all that the displacement is in balance with; null: there are none such. */
    const double *(*reached_loads)(const ew_model *model);
    /* Whether the energy of tets is less what loads' temperatures make of it, else of laws. */
    bool heat_is_load;
    /* Strain, stress, energy and reactions into the fields. line: loads as they are now; edges:
     * null without edges. */
    ew_status (*recover)(ew_model *model, const ew_load *line, const double *force,
                         const ew_edge_values *edges);
} model_formulation;
const model_formulation *model_formulation_of(const ew_model *model);

/* flow_stress.c: stress at vertices within the yield condition of the points of quadratic tets; and
 * the largest yield stress that the points of a tet have reached, 0 where its law has none. */
ew_status model_bound_flow(ew_model *model);
double model_flow_stress(const ew_model *model, int32_t tet);

/* The stiffness, or the tangent. */
ew_status model_update_matrix(ew_model *model);
/* stiffness.c: the stiffness of a linear body, and what differs of it. */
ew_status model_update_stiffness(ew_model *model);
ew_status model_verify_stiffness(ew_model *model, const ew_topology *topology,
                                 ew_model_verification *result);

/* y = K x with what mixed tets have beside the blocks; and less what the blocks have at oblique
 * supports beside tets and springs (ew_ground_gather). */
ew_status model_stiffness_product(ew_model *model, const double *x, double *y);
ew_status model_elastic_product(ew_model *model, const double *x, double *y);

#endif
