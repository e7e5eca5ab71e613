/* response: private to assembly. One tet of a nonlinear body at its points: a linear tet has one,
 * itself; a quadratic one its Gauss points, at each of which it is like a straight tet
 * (kernels/quadratic_tangent.h). What follows from the points is found in one way for both. */
#ifndef EW_ASSEMBLY_INTERNAL_FORCE_H
#define EW_ASSEMBLY_INTERNAL_FORCE_H

#include "assembly/parts/assembly.h"

/* With fewer tets a thread costs more than it saves. */
#define EW_MIN_TETS_A_THREAD 500

/* Data of a tet by corner: positions, and vectors of the body. */
enum { EW_POINT_X, EW_POINT_U, EW_POINT_FROM, EW_POINT_RATE, EW_N_POINT_VALUE };
typedef struct ew_tet_point {
    double share;                    /* of the volume of the straight tet at the point */
    double pressure;                 /* of a mixed tet the mean */
    double at[EW_N_POINT_VALUE][12]; /* of its corners */
    /* Of quadratic tets what that is made of, by corners and edges. */
    double corner[EW_N_POINT_VALUE][12], edge[EW_N_POINT_VALUE][18];
} ew_tet_point;

/* Reads live tet t, then goes to one of its points, 0 to n_point - 1. */
void ew_tet_point_read(const ew_internal_force *internal_force, const ew_deformed *body, int32_t t,
                       ew_tet_point *of);
void ew_tet_point_go(const ew_internal_force *internal_force, const ew_deformed *body, int p,
                     ew_tet_point *of);
/* The corners of the tet itself, where its law is. */
const double *ew_tet_point_place(const ew_internal_force *internal_force, const ew_tet_point *of);
/* Gradients, volume, rotation and strain at the point. */
void ew_tet_point_move(const ew_internal_force *internal_force, const ew_tet_point *of,
                       ew_tet_motion *motion);

/* Elastic, but not isotropic: moduli along axes that may be those of the place of the tet. */
bool ew_region_has_moduli(const ew_deformed *body, int32_t region);
/* The strain at a point as the law reads it. */
void ew_take_thermal_off(const ew_internal_force *internal_force, const ew_deformed *body,
                         int32_t t, int p, const double *strain, double *rest);
/* How the law of a region measures the change of volume: EW_MEASURE_TRACE or another of
 * kernels/volumetric.h. */
static inline int ew_internal_force_measure(const ew_deformed *body, int32_t region)
{
    return (int)ew_material_law(body->materials->material + region)->volumetric;
}
/* Of a live mixed tet: the mean of its pressure; the change of volume of a strain as the law reads
 * it, with what the mean pressure adds to the stress [6] there, and to the tangent [21], or null.
 */
double ew_internal_force_mean_pressure(const ew_deformed *body, int32_t t);
double ew_internal_force_add_pressure(const ew_deformed *body, int32_t region, double pressure,
                                      const double *strain, double *stress, double *tangent);
/* The energy of such a tet by its pressure alone: p theta - Y(p) at the mean p, less that of the
 * stabilization. */
double ew_internal_force_pressure_energy(const ew_deformed *body, int32_t t, double volume,
                                         double change);
/* The state of the law there before the step. */
const double *ew_state_at(const ew_internal_force *internal_force, const ew_deformed *body,
                          int32_t t, int p);

#endif
