/* Part of case: linear equations between displacements, couplings, ties, contact. */
#ifndef EW_CASE_EQUATIONS_H
#define EW_CASE_EQUATIONS_H

#include "analysis/analysis.h"
#include "contact/contact.h"

EW_BEGIN_API

typedef struct ew_case_term {
    int32_t set;      /* index into ew_case.set; -1: the node that `end` names */
    int64_t end[2];   /* number of a vertex, twice; of the two ends of a side, for its middle */
    double factor[3]; /* of the displacement along x, y, z */
} ew_case_term;

/* The sum of the terms is the value. */
typedef struct ew_case_equation {
    int32_t line, n_term;
    ew_case_term *term;
    double value;
} ew_case_equation;

#define EW_COUPLING_KINDS "rigid distributing" /* as ew_coupling_kind */
typedef enum ew_coupling_kind { EW_COUPLING_RIGID, EW_COUPLING_DISTRIBUTING } ew_coupling_kind;
/* A set and a reference point that moves with it (ew_model_coupling). */
typedef struct ew_case_coupling {
    int32_t line, set;  /* index into ew_case.set */
    int32_t kind;       /* ew_coupling_kind */
    uint8_t prescribed; /* bits 0 to 2: displacement of the reference, 3 to 5: rotation */
    double point[3];    /* the reference */
    double value[6];    /* of what is prescribed */
} ew_case_coupling;

/* Faces that move with others. */
typedef struct ew_case_tie {
    int32_t line;
    int32_t slave, master; /* index into ew_case.set */
    double distance;       /* length unit; 0: the size of a slave face */
    bool is_bolt;          /* the sides of a bolt that is cut through: */
    bool has_axis;       /* `axis`, along which the sides move; else the mean normal of the slave */
    bool has_section;    /* by edits of the steps that begin with the mesh of the case, next to
                            the plane of `point` and `axis`, the slave behind it */
    int32_t section_set; /* index into ew_case.set, of tets that are parted; -1: all */
    double force;        /* its tension, force unit; 0: `shortening` is given */
    double shortening;   /* length unit */
    bool is_locked;      /* the force is of the first step alone; in later ones the sides stay as
                            far over one another */
    int32_t sectors;     /* cyclic symmetry: of the whole body, about: 0: none, */
    double point[3];     /* a point, length unit, and; or of a section */
    double axis[3];      /* the direction of the axis; or the normal of a section */
    bool is_periodic;    /* of a cell with */
    double strain[6];    /* this mean strain, xx yy zz xy yz xz, shear as engineering strain */
} ew_case_tie;

/* A rigid body that faces may touch. */
typedef struct ew_case_rigid {
    ew_rigid_def as;   /* of the kind EW_RIGID_NONE: none; without the surface, which is in */
    const char *file;  /* triangles; null: of another kind */
    const char *name;  /* by which steps move it; null: none does */
    int32_t amplitude; /* index into ew_case.amplitude, of its motion; -1: none */
} ew_case_rigid;

/* Faces that may touch others. */
typedef struct ew_case_contact {
    int32_t line;
    int32_t slave, master; /* index into ew_case.set; the same: faces of it that meet one another;
                              both -1: all parts; master -1: a rigid body */
    ew_case_rigid rigid;
    double distance; /* length unit; 0: the size of a slave face */
    bool has_interference;
    double interference; /* length unit, in place of what the meshes have between them */
    double friction;     /* Coulomb's coefficient; 0: none */
} ew_case_contact;

/* Where a rigid body is in a step, in place of the motion that its contact gives. */
typedef struct ew_case_rigid_motion {
    int32_t contact; /* index into ew_case.contact */
    ew_rigid_motion motion;
    int32_t amplitude; /* index into ew_case.amplitude; -1: none */
} ew_case_rigid_motion;

EW_END_API
#endif
