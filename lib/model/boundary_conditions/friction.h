/* friction: private to model. Coulomb's law at closed points of contacts (friction.c), and what
 * these have slid (friction_points.c). */
#ifndef EW_MODEL_FRICTION_H
#define EW_MODEL_FRICTION_H

#include "contact/parts/contact.h"
#include "model/records.h"

/* Of a point of a contact with friction, along two tangents. Numbers, then what is true. */
typedef struct model_friction {
    double tangent[2][3];
    double origin[2]; /* jump of the displacement, masters less slaves, before the solve, load step
                         or step in time; */
    double moved[2];  /* of that what a rigid surface in place of masters has moved since it was
                         settled last, and touched; */
    double apart;     /* gap before that motion, where it does not touch by that alone; length */
    double slip[2];   /* what the displacement has beside it */
    double force[2];  /* on masters */
    double direction[2], limit; /* of the force of a point that slips, of length 1; its size, */
    double lack;                /* and what that lacked in this round and the one before */
    double stiffness, along;    /* of springs across the direction, and along it, */
    double slid;                /* where the latter has no force */
    bool slips;                 /* else sticks, where it is closed */
    bool has_slid;              /* of an answer that was taken as known */
} model_friction;

typedef struct model_contact_part model_contact_part;
typedef struct model_contacts model_contacts;

/* Points of a part, which begin at `first`, as the mesh, the constraints and the displacement are.
 */
void model_make_friction(ew_model *model, const model_contact_part *part, int32_t first);
/* Before a solve: friction acts against what slides from now on. */
void model_begin_friction(ew_model *model);
/* A displacement that is given goes on from the one that is kept. */
void model_start_from_kept(ew_model *model);
/* The share of its way after which a rigid surface touches a point whose gap it changes from one to
 * another; 0: it did from the start. */
static inline double model_touch_share(double before, double now)
{
    return before > 0.0 && now < 0.0 ? before / (before - now) : 0.0;
}
/* Before a load step or a step in time: against what slides from displacement u on, which is
 * borrowed until contacts.start is another one, and from this share of how rigid surfaces move in
 * it on. */
void model_start_friction(ew_model *model, const double *u, double share);
/* After a load step that another one follows: what slid in it counts, for what is shown. */
ew_status model_pass_slip(ew_model *model);
void model_find_slip(ew_model *model, const double *u);
/* After a step in time to displacement u: slip is that since displacement `from`. What friction
 * took on the way. */
double model_close_friction(ew_model *model, const double *from, const double *u);
/* Row `row` of the tie of a part along a tangent, times u. */
double model_jump_of(const model_contact_part *part, int32_t row, const double tangent[3],
                     const double *u);
void model_combine_tangents(const model_friction *of, const double along[2], double direction[3]);
/* Two equations of a point that sticks, behind those that there are. */
ew_status model_stick(ew_model *model, const model_contact_part *part, int32_t row, int32_t point);
/* Springs of all points that slip, behind the equations. */
ew_status model_make_friction_springs(ew_model *model);
/* An operator with those springs, in place of *op; blocks that preconditioners read, unless null.
 */
void model_add_friction_springs(ew_model *model, ew_operator **op, ew_stiffened *blocks);
/* force [rows][3] += sign times that of points that slip: at the displacement, or without what
 * springs have of it. */
void model_add_friction(const ew_model *model, double sign, bool at_displacement, double *force);
/* Slip and force of a closed point; the multipliers of the equations that it has, which it passes.
 */
void model_take_friction(ew_model *model, const model_contact_part *part, int32_t row,
                         int32_t point, const double **multiplier);
/* All that is known of earlier rounds. */
void model_reset_relaxation(model_contacts *of);
/* Whether sizes of forces are near those of the law, those of all points that slip together. */
bool model_friction_is_near(const model_contacts *of);
/* Diagonal of what is solved with: of blocks, [n_row][9], or scalars. */
typedef struct model_diagonal {
    int32_t n_row;
    bool is_scalar;
    const double *value; /* borrowed */
} model_diagonal;
/* Points that stick or slip against the law at displacement u, but for this share of the largest
 * pressure, follow it, and forces of those that slip on but for the share `fine`; are_new: those
 * that have just been closed alone. How many. */
int32_t model_change_friction(ew_model *model, const double *u, const model_diagonal *diagonal,
                              double tolerance, double fine, bool are_new);

#endif
