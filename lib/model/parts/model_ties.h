/* model: parts that are tied to one another over faces whose meshes need not match. */
#ifndef EW_PARTS_MODEL_TIES_H
#define EW_PARTS_MODEL_TIES_H

#include "model/model_base.h"

EW_BEGIN_API

/* Faces of a slave that move with those of a master as if they were one body, over what is between
 * them, too: three equations for each slave vertex that masters cover something round, by dual
 * mortar functions (contact/contact.h). Rigid motions are exact, and so is a displacement that is
 * linear (of quadratic tets quadratic) where the faces lie on one another. */
typedef enum ew_tie_kind {
    EW_TIE_JOINED,
    EW_TIE_SHORTENED, /* the sides of a bolt that is cut through move over one another by a length
                         along the mean normal of the slave */
    EW_TIE_SLIDING,   /* likewise by a length that is free: a tension of the bolt is a load on both
                         sides that pulls them out of the parts, a pressure < 0 */
    EW_TIE_CYCLIC /* the slave is the image of the master, as in a body that repeats itself round
                     an axis or along a direction: it moves as the turned displacement of the
                     master there. Where each vertex (of quadratic tets each side, too) is the
                     image of one the equations are of these, exact as in the whole body; else of
                     a tie with the image */
} ew_tie_kind;
typedef struct ew_model_tie {
    int32_t slave, master; /* sets of faces or vertices, without a face in common */
    double distance;       /* length unit: faces with more between them, or that overlap by more,
                              are not tied; 0: the size of a slave face, the root of twice the mean
                              area */
    ew_tie_kind kind;
    double shortening;        /* length unit, of EW_TIE_SHORTENED: by how much the sides overlap */
    double axis[3];           /* along which sides move over one another, of any length, turned out
                                 of the slave; 0: the mean normal of the slave */
    double turn[9], shift[3]; /* of EW_TIE_CYCLIC: the image of x is turn x + shift, turn a rotation
                                 by rows; length unit */
    double jump[3]; /* length unit, likewise: what the slave moves beyond the turned displacement of
                       the master, of a cell with a mean strain the strain times the shift */
} ew_model_tie;
/* Replaces the ties (copied); the next use checks them. They are equations to the solver
 * (ew_model_set_equations), behind those that are given and couplings, in all analyses that have
 * such; they follow edits by their sets. EW_BAD_INPUT, with the number of equations and couplings
 * and the place of the tie as the failure's first id: sets with faces in common; an empty set that
 * may not be empty; what they prescribe contradicts constraints or other equations. (ties.c) */
ew_status ew_model_set_ties(ew_model *model, int32_t n, const ew_model_tie *list);

typedef struct ew_model_tie_report {
    bool is_lost;            /* a set of it is empty */
    int32_t n_point, n_free; /* slave vertices that are tied; that no master covers anything
                                round */
    double covered, whole;   /* area of slave faces: that masters cover; all of it */
    double min_gap, max_gap; /* of tied vertices, before displacements, length unit; < 0: overlap.
                                Nothing is moved to close it. 0: none is tied */
    double force[3];   /* of masters on slaves, of the last recovery; else 0. Of EW_TIE_SLIDING
                          what acts across the normal */
    double normal[3];  /* mean of the slave, of length 1 */
    double shortening; /* mean by which the sides move over one another along it, by the
                          displacement as it is */
} ew_model_tie_report;
/* EW_STALE where ties have not been used since they, the mesh or the supports changed. */
ew_status ew_model_view_tie(const ew_model *model, int32_t tie, ew_model_tie_report *report);

EW_END_API
#endif
