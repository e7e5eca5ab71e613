/* element: one tet at a time. Gradients, volume, stiffness block, mass, loads, strain,
 * stress. The formulas that host and kernels share are in kernels/tet.h, valid as C11 and as
 * OpenCL C 1.2; compiled without contraction they give the same bits on both.
 *
 * Voigt order everywhere: xx yy zz xy yz xz. Strain is engineering shear (gamma = 2 eps). */
#ifndef EW_ELEMENT_H
#define EW_ELEMENT_H

#include "base/base.h"

EW_BEGIN_API

typedef struct ew_law ew_law;
#define EW_MAX_LAW_VALUES 4
#define EW_MAX_HARDENING  32 /* points of a table */

/* ---- materials (material.c, moduli.c) ------------------------------------- */

typedef enum ew_material_kind {
    EW_ISOTROPIC,   /* young, poisson, expansion */
    EW_ORTHOTROPIC, /* engineering constants along local axes */
    EW_ANISOTROPIC  /* 21 stiffnesses along local axes */
} ew_material_kind;

typedef enum ew_material_axes_kind {
    EW_MATERIAL_AXES_GLOBAL,   /* x, y, z */
    EW_MATERIAL_AXES_FIXED,    /* other directions, the same in the whole region: they stay in
                                  space, whatever turns the body */
    EW_MATERIAL_AXES_CYLINDER, /* 1 radial, 2 tangential, 3 axial: of a tet at its centroid, so that
                                  they are those of its place whatever moved it there */
    EW_MATERIAL_AXES_FIELD     /* those of each tet (ew_materials.axes) */
} ew_material_axes_kind;
/* Local axes 1, 2, 3 of a material, right-handed. Zeroed: x, y, z. */
typedef struct ew_material_axes {
    ew_material_axes_kind kind;
    double first[3];  /* FIXED: along axes 1 and 2, of any length > 0, at right angles within */
    double second[3]; /* 1e-6 rad */
    double point[3];  /* CYLINDER: on its axis, length unit, */
    double third[3];  /* and along it, of any length > 0 */
} ew_material_axes;

/* Elastic, and what a law adds; by region index of the mesh. What is of another kind is not looked
 * at. */
typedef struct ew_material {
    double young;     /* ISOTROPIC: E > 0, force / length^2 */
    double poisson;   /* ISOTROPIC: -1 < nu <= EW_MAX_POISSON */
    double density;   /* >= 0, mass / length^3; 0: not given */
    double expansion; /* ISOTROPIC: linear, 1/K; 0: see has_expansion */
    ew_material_kind kind;
    double young_along[3];     /* ORTHOTROPIC: E1, E2, E3, from 1e-90 to 1e90 */
    double poisson_between[3]; /* ORTHOTROPIC: nu12, nu13, nu23. Pulled along 1 by a strain e, the
                                  material strains by -nu12 e along 2 */
    double shear[3];           /* ORTHOTROPIC: G12, G13, G23 > 0 */
    double stiffness[21];      /* ANISOTROPIC: the upper triangle of D by rows, stress = D strain:
                                  D11 D12 .. D16 D22 .. D66; positive definite */
    double expansions[6];      /* of the other two: thermal strain by a change of temperature of 1 K
                                  along the local axes, ORTHOTROPIC without shear */
    bool has_expansion;        /* it is given, also where all of it is 0, so that heat strains
                                  nothing; false: it is given where some of it is not 0 */
    ew_material_axes axes;     /* of the other two */
    const ew_law *law; /* borrowed; null: elastic. Read by nonlinear analyses: linear ones take all
                          materials as elastic */
    double law_value[EW_MAX_LAW_VALUES];   /* law->value[] */
    double hardening[EW_MAX_HARDENING][2]; /* of a law with a table: yield stress over equivalent
                                              plastic strain, in place of the values. Stress > 0,
                                              not descending; strain ascending from 0 */
    int64_t n_hardening;                   /* points; 0: none */
    /* force / length^2, >= 0; 0: not given. Only the safety is by them: no answer depends on them.
     */
    double yield_strength, ultimate_strength;
} ew_material;

/* As the initialization does, of one material and without a region. */
ew_status ew_material_check(const ew_material *material);

/* ---- laws (laws.c) ------------------------------------------------------ */

typedef struct ew_law_value {
    const char *name; /* key of a case */
    double low;       /* the least that is allowed, or where */
    bool above;       /* only more than that */
    bool is_truth;    /* 0 or 1 */
    bool is_stress;   /* force / length^2, or */
    bool is_rate;     /* 1 / time; neither: without a unit */
    double preset;    /* NAN: must be given */
} ew_law_value;

/* U of an isotropic law with Lame's lambda, the energy that a change of volume alone has, in place
 * of which mixed tets have a pressure. J: the determinant of the stretch. */
typedef enum ew_volumetric {
    EW_VOLUME_TRACE,  /* lambda / 2 tr(strain)^2 */
    EW_VOLUME_SQUARE, /* lambda / 2 (J - 1)^2 */
    EW_VOLUME_LOG     /* lambda / 4 (J^2 - 1 - 2 ln J) */
} ew_volumetric;

/* A law at a point: strain in, stress out, with a state that it has left there. Pure functions,
 * called by all threads. The caller takes thermal strain off the strain and chooses the frame,
 * always the same of a tet: plastic strain is in it. A state of zeros is that of undeformed
 * material.
 *
 * To add one: formulas in kernels/law_NAME.h, a file here with its functions and descriptor, a line
 * in the list of kernels/laws.h. */
struct ew_law {
    const char *name;         /* key of a case */
    bool is_linear;           /* the tangent is always that of the elastic constants */
    bool needs_stretch;       /* of strains of any size: takes EW_COROTATIONAL, whose strain is the
                                 stretch less the identity */
    ew_volumetric volumetric; /* with lambda = 0 `prepare` gives the constants of the law without it
                               */
    int32_t n_value;
    const ew_law_value *value; /* [n_value] */
    bool has_table;            /* reads `hardening` in place of values */
    int32_t n_state;           /* 0, or EW_MAX_LAW_STATE: see ew_law_state */
    /* How the values agree with each other and with the elastic constants, once each is in its
     * range. Null: nothing to check. */
    ew_status (*check)(const ew_material *material);
    /* Of a checked material, at most EW_MAX_LAW_CONSTANTS. Elastic: the moduli [EW_N_MODULI], where
     * axes are those of a cylinder along them. */
    void (*prepare)(const ew_material *material, double *constants);
    /* `after` [n_state], stress [6] and d stress / d strain [EW_N_MODULI] (null: not wanted) at the
     * end of a step of time dt (0: statics) that began with the state `before`, which may be
     * `after`. */
    void (*respond)(const double *constants, const double *strain, const double *before, double dt,
                    double *after, double *stress, double *tangent);
    /* Stress [6] of a state as it is, and the energy per volume that is stored, that is returned.
     */
    double (*recover)(const double *constants, const double *strain, const double *state,
                      double *stress);
    /* How far a stress goes: from 1 on it yields. Null: it never does. */
    double (*yielding)(const double *constants, const double *stress, const double *state);
    /* Energy per volume that flow from one state to a later one dissipates: the integral of the
     * yield stress over the equivalent plastic strain. Null: flow follows no yield stress. */
    double (*dissipated)(const double *constants, const double *before, const double *after);
};
extern const ew_law ew_law_elastic;
extern const ew_law ew_law_plastic;       /* von Mises, isotropic hardening */
extern const ew_law ew_law_creep;         /* Mueller & Gross (2004) */
extern const ew_law ew_law_neo_hookean;   /* compressible, strains of any size */
extern const ew_law ew_law_mooney_rivlin; /* the same */
/* The law of this name, or null. */
const ew_law *ew_law_named(const char *name);
/* Gives a material the law, with presets for its values: NAN where one must be given. */
void ew_material_put_law(ew_material *material, const ew_law *law);

/* ---- large rotations (internal_force.c) ----------------------------------------- */

typedef enum ew_kinematics {
    EW_SMALL,       /* strain: the symmetric gradient of the displacement */
    EW_COROTATIONAL /* strain: the stretch less the identity, exact for rotations and strains of
                     * any size; what large strains mean is up to the law
                     * (kernels/corotational.h) */
} ew_kinematics;

EW_END_API
#endif
