/* model: what a program needs that works on its tables itself, beside model/model_sets.h. */
#ifndef EW_PARTS_MODEL_SETS_H
#define EW_PARTS_MODEL_SETS_H

#include "contact/contact.h"
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
 * empty. In dynamics the value is constant; load steps of a nonlinear body lead to it from where
 * the displacement is. EW_BAD_ARGUMENT with mixed tets, EW_UNSUPPORTED on a device. (equations.c)
 */
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

/* ---- couplings (couplings.c) ---------------------------------------------- */

/* The points of a set and a reference point. Rigid: they move as a rigid body, vertices of the set
 * and where tets are quadratic middles of edges as supports of it. Else the reference moves as the
 * mean of the points, by area of faces (or vertices alike), and the set deforms. Prescribed
 * components are satisfied by projection, as equations. A force or a moment at the reference is a
 * load on the set (EW_LOAD_REMOTE_FORCE, EW_LOAD_MOMENT), of forces that keep their directions.
 * With large rotations a rigid set turns by any angle, and the rotation of the reference is that
 * nearest to what the points do, as a vector along the axis and of length the angle, below pi. */
typedef struct ew_model_coupling {
    bool is_rigid;
    uint8_t prescribed; /* bits 0 to 2: displacement of the reference along x, y, z; 3 to 5: its
                           rotation about them, or components of the rotation vector */
    int32_t set;        /* of vertices; of faces where it is not rigid. Three points at least that
                           do not lie on a line; a vertex is in one rigid coupling alone */
    double point[3];    /* the reference, length; edits do not move it */
    double value[6];    /* of prescribed components: length, rad */
} ew_model_coupling;
/* Replaces the couplings (copied); the next use checks them, as equations: EW_BAD_INPUT with the
 * number of equations and the place as the failure's first id. One whose set may be empty and is so
 * is left out. Not in motion with large rotations: EW_BAD_ARGUMENT. */
ew_status ew_model_set_couplings(ew_model *model, int32_t n, const ew_model_coupling *list);

typedef struct ew_model_coupling_report {
    bool is_lost;       /* its set is empty, or nothing was solved with it */
    double motion[6];   /* displacement and rotation of the reference, length and rad */
    double reaction[6]; /* force and moment about the reference that prescribed components take,
                           force and force * length, of the last recovery; else 0. With large
                           rotations about the reference where it is then */
} ew_model_coupling_report;
ew_status ew_model_view_coupling(ew_model *model, int32_t place, ew_model_coupling_report *report);
/* ---- contact (contact.c) ---------------------------------------------------- */

/* Faces that may touch others, or a rigid surface. See contact.h for gaps and slaves. */
typedef struct ew_model_contact {
    int32_t slave, master; /* sets of faces or vertices; the same: faces of it that meet one
                              another; both -1: every part of the body, which are tets connected
                              through faces, with every other and with itself; master
                              -1: of a slave of a rigid surface */
    double distance; /* length unit: faces with more between them, or that overlap by more, are
                        not looked at; 0: the size of a slave face, the root of twice the mean
                        area; of a rigid surface 0: any distance. Of faces at rest farther inside
                        than both that size and this are refused */
    bool has_interference; /* `interference` in place of what the meshes have between them: */
    double interference;   /* length unit: by how much parts would overlap; < 0: a gap */
    double friction; /* Coulomb's coefficient, >= 0: tangential force over normal force, where faces
                        slide */
    ew_rigid_def rigid; /* copied; of the kind EW_RIGID_NONE: none. Its motion is that at the end of
                           a static solve, which load steps lead to in proportion; of others the
                           interference is widened by it */
    int32_t amplitude;  /* in dynamics, of the motion: as of loads */
} ew_model_contact;
/* Replaces the contacts (copied); the next use checks them. A static solve finds by rounds which
 * points of slaves are closed, of a nonlinear body between iterations; in load steps overlaps
 * vanish in proportion to the loads; these are equations to the solver (ew_model_set_equations),
 * behind those that are given, and the checks of supports count them. Points that are closed stay
 * so until the next solve, also through edits. With friction a static solve is a step of a
 * history, of nonlinear bodies each of its load steps: tangential forces act against what has slid
 * since the one before it, or since the body without displacement; EW_NOT_CONVERGED where rounds
 * find no end. A list that differs in motions alone goes on with points and history; of another one
 * rigid surfaces that are there again are where they were. No contact at
 * all (n of 0) ends a history. EW_BAD_INPUT, with the number of equations and couplings and the
 * place of the contact as the failure's first id: sets with faces in common; an empty set; closed
 * points against constraints. With large rotations faces meet where the displacement has them, and
 * slide: EW_BAD_ARGUMENT with an interference. In motion a force acts at the end of a step alone
 * (Kane et al. 1999), so that steps make no energy; friction with it, against the velocity there,
 * so that it has no history. In modes, buckling and harmonic responses closed points stay closed,
 * and those that stick stick: the points of the last solve, or before one those without a gap. */
ew_status ew_model_set_contacts(ew_model *model, int32_t n, const ew_model_contact *list);
int32_t ew_model_n_contact(const ew_model *model);
int32_t ew_model_n_closed(const ew_model *model); /* points of all of them, as last found */

typedef struct ew_model_contact_report {
    int32_t n_point, n_closed; /* slave vertices that masters cover something round; of these */
    double area;               /* of closed points */
    double covered;            /* area of slave faces that masters cover */
    double force[3];           /* of masters on slaves */
    double moment[3];          /* of a rigid surface on slaves, about the origin, force * length;
                                  else 0 */
    double normal_force;       /* sum of the forces of points, each along its normal */
    double max_pressure;       /* force/length^2; at: */
    int32_t vertex;            /* slot, where n_point > 0 */
    double min_gap;            /* of the displaced body, length unit: what rounding makes of 0 */
    double overlap;            /* largest one before displacements, or the interference, >= 0; 0
                                  where a rigid surface has moved */
    int32_t overlap_vertex;    /* slot, where overlap > 0 */
    double wide_overlap;       /* length unit, likewise, of points that overlap in the mean alone,
                                  which are not among those above: single points of the faces round
                                  them do by less than half of that. By the square of the size of
                                  faces over the radius of what they meet */
    double wide_size;          /* of these faces, length unit, where wide_overlap > 0; */
    int32_t wide_vertex;       /* slot, likewise */
    double bridged;            /* largest gap before displacements that a closed point of the same
                                  parts has, length unit; of several parts with wide faces those
                                  are told whose wide_overlap is the largest share of this */
    int32_t n_change;          /* most often that one of its points closed and opened, where it is
                                  the point of all contacts that did so most often, in more than 12
                                  rounds: those of one load step of the last static solve, or of
                                  one step in time since they were forgotten; else 0 */
    int32_t n_round;           /* in so many of them, and this point: slot; both where */
    int32_t change_vertex;     /* n_change > 0 */
    int32_t n_slip;            /* of the closed points those that slide; with friction */
    double friction_force;     /* sum of the sizes of the tangential forces of points */
    double max_slip;           /* length unit: largest that a point slid in the last solve, over
                                  its load steps; in motion in the last step in time */
} ew_model_contact_report;
/* Of the last recovery; EW_STALE where contacts have changed since. */
ew_status ew_model_view_contact(const ew_model *model, int32_t contact,
                                ew_model_contact_report *report);
/* The vertex that a slave vertex is over, a slot; -1: over none, or over a rigid surface. */
int32_t ew_model_find_master(const ew_model *model, int32_t contact, int32_t slave);
/* What a contact does to a set: to its vertices and the edges between them. Where both sides are of
 * the set it adds up to 0. */
typedef struct ew_model_contact_sum {
    int32_t n_point;     /* of which the set has a part that does not add up to 0 */
    double force[3];     /* on the set */
    double area;         /* of closed points, by their part in it */
    double max_pressure; /* of points that are its own by more than half; 0: there is none */
} ew_model_contact_sum;
/* Of the last recovery, O(n_vertex); EW_STALE as above. (contact_sums.c) */
ew_status ew_model_sum_contact(const ew_model *model, int32_t contact, int32_t set,
                               ew_model_contact_sum *sum);
/* Points have not taken turns so far: those of the steps in time that follow are told. A static
 * solve begins so. */
void ew_model_forget_turns(ew_model *model);
/* How deep single points of slave faces are inside what they meet, where the displacement has both;
 * what the interference of a contact is counts, strips along edges do not. */
typedef struct ew_model_penetration {
    double depth;   /* length unit, >= 0 */
    double size;    /* of the slave faces there, length unit; */
    int32_t vertex; /* slot: of one of them; */
    int32_t master; /* slot of what it meets, -1: a rigid surface; all three where depth > 0 */
} ew_model_penetration;
/* Of the last recovery: finds the faces that meet from nothing, so that this costs what the first
 * solve takes for that. EW_STALE as above. */
ew_status ew_model_find_penetration(ew_model *model, int32_t contact, ew_model_penetration *found);
typedef enum ew_contact_field {
    EW_CONTACT_PRESSURE, /* [n_vertex] 0 at other vertices than closed slaves */
    EW_CONTACT_GAP,      /* [n_vertex] infinite at others than slaves */
    EW_CONTACT_STATUS,   /* [n_vertex] 0: no slave, 1: open, 2: closed, 3: closed, and slides */
    EW_CONTACT_TRACTION, /* [n_vertex][3] force/length^2: tangential, of masters on slaves */
    EW_CONTACT_SLIP      /* [n_vertex][3] length unit: how far slaves slid over masters in the last
                            solve */
} ew_contact_field;
/* Of the last recovery, borrowed; null: contacts have changed since. */
const double *ew_model_contact_field(const ew_model *model, ew_contact_field field);

/* From here on each static solve goes on with the friction of the body as it is now, whatever
 * solves and edits are made in between: rounds of one step of a history. False: each from the one
 * before it, as at first. Load steps of nonlinear bodies begin with the displacement of then. */
ew_status ew_model_keep_history(ew_model *model, bool keeps);
/* The next solve is the first of a history, from the body without displacement, and is started from
 * the displacement as it is. */
void ew_model_forget_history(ew_model *model);
/* What contacts have beside the displacement after a solve or a step in time, n numbers: points
 * that are closed, forces, where friction goes on from. Borrowed until the next call.
 * (contact_state.c)
 */
ew_status ew_model_contact_state(ew_model *model, int64_t *n, const double **state);
/* Of the answer that the next ew_model_accept, ew_model_accept_nonlinear or
 * ew_model_restore_dynamics takes, which then goes on with the bits of the model that it is from;
 * EW_BAD_INPUT there unless it has the same points. Without it (n of 0) closed points are those
 * whose gap is 0. */
ew_status ew_model_put_contact_state(ew_model *model, int64_t n, const double *state);

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
