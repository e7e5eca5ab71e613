/* contact: private to model. Points of slave faces that may touch master faces, which of them are
 * closed, and the forces there. Equations of closed points are behind those that are given
 * (equations.c). */
#ifndef EW_MODEL_CONTACT_H
#define EW_MODEL_CONTACT_H

#include "model/boundary_conditions/friction.h"

#include <math.h>

/* Two sides that meet. */
struct model_contact_part {
    int32_t contact;
    double friction;           /* coefficient; above 0: */
    ew_contact_rows rows, tie; /* tie: of the same points */
};

/* A point that was closed or open when rows were made last. */
typedef struct model_contact_point {
    int32_t contact;
    int64_t vertex_id;
    bool is_closed;
    int32_t before; /* its place before rows were made last; -1: there was none */
    double between; /* gap without displacements; where rows are of a displaced body less what they
                       make of the displacements of vertices, so that both add up to its gap */
    double
        overlap;  /* where a nonlinear solve starts, <= 0: load steps take it away in proportion */
    bool is_wide; /* before displacements it overlaps, and single points of its faces by less
                     than half of that */
    int32_t n_change; /* how often the rounds have closed it or let it go */
} model_contact_point;

/* Of the point that changed most often in more rounds than those of all points. */
typedef struct model_turns {
    int32_t n_round, n_change, contact; /* n_change of 0: there was none */
    int64_t vertex_id;
} model_turns;

/* The rigid surface of a contact. */
typedef struct model_rigid {
    ew_rigid *surface;                   /* owned; null: the contact has none */
    ew_rigid_motion now, settled, start; /* where it is; was when the displacement was found; and is
                                            where load steps begin */
    ew_rigid_motion kept;                /* was settled when the history was kept */
} model_rigid;

struct model_contacts {
    int32_t n, capacity;
    ew_model_contact *given; /* [n] owned; their surfaces are not */
    model_rigid *rigid;      /* [n] owned */
    bool is_first;           /* rows are made that there were none of */
    int32_t n_part, part_capacity;
    model_contact_part *part; /* [n_part] owned; those behind have memory */
    uint64_t revision;        /* of the mesh that the rows are of; 0: none */
    int32_t n_body;
    struct model_contact_body *body; /* [n_body] owned: faces of parts (contact_rows.c), of the mesh
                                        with this revision: */
    uint64_t body_revision;          /* 0: none */
    double ramp;                     /* share of those overlaps that is still there */
    bool is_released; /* closed points are no equations: a motion but for its solves */
    bool is_linked;   /* forces are of a small motion on top of the displacement, in which
                         closed points stay closed: they are no pressures */
    int32_t placed_capacity;
    double *placed;  /* [n_vertex][3] owned: where vertices are, with large rotations */
    bool keeps_rows; /* other points are closed, and nothing else has changed */
    int32_t n_point, point_capacity, gap_capacity, force_capacity, before_capacity,
        friction_capacity, spring_capacity;
    model_contact_point *point;      /* [n_point] owned: by parts, in each by rows */
    bool *before;                    /* [n_point] owned: closed before the last change */
    model_friction *friction;        /* [n_point] owned: of parts with friction, */
    model_friction *friction_before; /* owned: and before rows were made last */
    int32_t friction_before_capacity;
    int32_t n_passed, passed_capacity;
    double *passed;      /* [n_passed][3] owned: of vertices, what slid in load steps of the same
                            solve before */
    const double *start; /* [rows][3] borrowed: in a nonlinear solve or a step in time what friction
                            goes on from; null: the displacement */
    double compliance;   /* displacement for a unit of force by that of what is solved for; 1
                            but in a step in time */
    bool has_history;    /* the displacement is one that friction goes on from, */
    bool is_settled;     /* and slip is of it */
    bool is_kept;        /* solves go on from a displacement of before all of them, */
    int32_t kept;        /* the field on rows that has it, 0: not made; */
    bool kept_history;   /* has_history of then */
    int32_t n_loose;     /* points that stuck, and slide since the last change */
    double relaxation;   /* share of what forces of points that slip lack that they get, and */
    double most;         /* the largest that it may be */
    double friction_change; /* root of the sum of squares of what the last change of friction makes
                               of forces of points */
    double *spring;         /* owned: stiffness of springs of friction */
    double *gap, *force;    /* [n_point] owned: at the displacement; of closed points, >= 0 where
                               they press */
    int32_t known_capacity, n_known;
    model_contact_point *known; /* [n_known] owned: those before, sorted */
    int32_t step_capacity[4]; /* of a step in time, [rows][3] owned: displacement after it, what is
                                 left of its equation, then velocity that contact gives in a unit of
                                 time; the acceleration that was solved for; and where friction
                                 starts from */
    double *step[4];
    bool rhs_has_friction; /* the right-hand side of the step */
    double friction_work;  /* what friction took in the step */
    bool has_push;         /* the step has such a velocity */
    bool has_forces;       /* gap and force are of the displacement as it is */
    int32_t n_round;       /* in which points have changed, of the solve or the load step */
    model_turns turns;     /* worst ones of the load steps of a solve, of steps in time since they
                              were forgotten */
    int32_t state_capacity, put_capacity, n_put;
    double *state, *put; /* owned: what ew_model_contact_state hands out; [n_put] of an answer that
                            is about to be taken */
    bool is_placed;      /* `placed` is that of such an answer */
    int32_t pressure_capacity, opening_capacity, status_capacity, report_capacity;
    int32_t traction_capacity, slip_capacity;
    double *pressure, *opening, *status; /* [n_vertex] owned */
    double *traction, *slip;             /* [n_vertex][3] owned */
    ew_model_contact_report *report;     /* [n] owned */
};

/* After so many rounds the worst point changes alone, so that sets cannot take turns; after so many
 * altogether there is no end. */
enum { MODEL_ROUNDS_OF_ALL = 12, MODEL_MAX_ROUNDS = 200 };
/* Iterations of Newton's method that friction changes in, at most. */
enum { MODEL_ROUNDS_OF_FRICTION = 60 };
/* The tolerance of the solve after a round: beyond those of all points ever finer, since what rough
 * solves leave may be the pull of a point that is closed, and an overlap of the same one when it is
 * open. */
static inline double model_tolerance_after(int32_t round, double tolerance)
{
    return round > MODEL_ROUNDS_OF_ALL ? fmin(tolerance, fmax(0.1 * tolerance, 1e-12)) : tolerance;
}
/* Share of the largest pressure that is no pull, and of the largest displacement no overlap. */
#define MODEL_CONTACT_TOLERANCE 1e-7

/* contact_points.c. In failures: behind all equations. */
int32_t model_place_of_contact(const ew_model *model, int32_t contact);
/* All equations are to be made again, with the rows of contacts and ties. */
void model_forget_equations(ew_model *model);
/* The equations of the points are others; rows are not, unless something else is to be made again.
 */
void model_renew_contact_equations(ew_model *model);
void model_find_largest_contact(const ew_model *model, const double *u, double *pressure,
                                double *displacement);
bool model_has_friction(const ew_model *model);
/* contact_points.c. The vertex of the masters that counts most in row r; -1: there is none. */
int32_t model_find_master(const ew_model *model, const ew_contact_rows *rows, int32_t r);
/* contact_rows.c: the size of faces, the root of twice the mean area. */
double model_face_size(const ew_model *model, const ew_list *face);
/* sides.c. Codes of the faces of two sets, ascending, into lists that are empty; EW_BAD_INPUT about
 * `place`: they have some in common, or a set is empty that may not be. */
typedef struct model_sides {
    const char *what; /* "contact" */
    int32_t number;   /* which of them, from 0 */
    int32_t slave, master;
    bool may_be_one; /* set */
} model_sides;
ew_status model_list_sides(ew_model *model, const model_sides *of, int32_t place, ew_list *slave,
                           ew_list *master);
/* contact_rows.c. Rows of the mesh as it is, for the equations that are about to be made. */
ew_status model_update_contacts(ew_model *model);
/* What rows are made from next time: the mesh alone. Which points were closed stays. */
void model_forget_contact_rows(model_contacts *of);
/* contact_rigid.c. Surfaces of a list; EW_BAD_ARGUMENT, EW_BAD_INPUT about the place of one. */
ew_status model_make_rigid(int32_t n, const ew_model_contact *list, model_rigid **out);
void model_free_rigid(int32_t n, model_rigid *list);
/* Surfaces that the model has already, each once and rather of the same slave, take the place of
 * those made: they know where the displacement has them. */
void model_pass_surfaces(ew_model *model, int32_t n, const ew_model_contact *list,
                         model_rigid *made);
/* Whether it is elsewhere than where it is defined. */
bool model_rigid_has_moved(const model_rigid *rigid);
/* To the motions of a list that differs in them alone; whether one does. */
bool model_move_rigid(ew_model *model, const ew_model_contact *list);
/* Load steps begin where the surfaces are; a share of the way to the motions that are given. */
void model_start_rigid(ew_model *model);
void model_place_rigid(ew_model *model, double share);
/* Where amplitudes have them; whether that is another place. */
bool model_place_rigid_at(ew_model *model, double time);
/* The displacement is of them where they are: what slides, does from here on; and from where they
 * were when the history was kept, or defined. */
void model_settle_rigid(ew_model *model);
void model_unsettle_rigid(ew_model *model, bool to_kept);
/* Points that the last change closed were touched by rigid surfaces on the way of these: what they
 * moved before that is no slide. (With large rotations, where rows are made again, that is known
 * of their motion alone.) */
void model_touch_rigid(ew_model *model);
/* What point i, of a row of a part, adds to the moment of a rigid surface. */
void model_add_rigid_moment(const ew_model *model, const model_contact_part *part, int32_t row,
                            int32_t i, double moment[3]);
/* None has changed in the solve, the load step or the step in time that begins. */
void model_begin_rounds(model_contacts *of);
/* Once one has ended: its turns, if they are the worst so far. */
void model_end_rounds(model_contacts *of);
/* contact.c. What displacements add to at a point for its gap, less the overlap that is still
 * allowed. */
static inline double model_contact_gap_of(const model_contacts *of, int32_t i)
{
    return of->point[i].between - of->ramp * of->point[i].overlap;
}
/* Overlaps at the displacement as it is are those that a nonlinear solve starts with. */
void model_start_contacts(ew_model *model);
/* Another share of them is still there. */
void model_ramp_contacts(ew_model *model, double share);
/* Whether closed points are no equations from now on. */
void model_release_contacts(ew_model *model, bool is_released);
/* From multipliers of the closed points, in the order of points, null: none is closed, or of
 * released ones those that there are stay; gaps at a displacement, pressures and the report. */
ew_status model_take_contacts(ew_model *model, const double *u, const double *multiplier);
/* Whether row r has a mean gap below 0, and single points of its faces overlap by less than half of
 * that: of faces that are wide beside the curvature of the other side, or a little inside it. */
static inline bool model_gap_is_of_width(const ew_contact_rows *rows, int32_t r)
{
    return rows->gap[r] < fmin(2.0 * rows->min_gap[r], 0.0);
}
/* Lets closed points go that pull, and closes open ones that overlap, but for this share of the
 * largest pressure and displacement; one: the worst alone. How many. */
int32_t model_change_contacts(ew_model *model, const double *u, double tolerance, bool one);
void model_note_closed(model_contacts *of);   /* before a change */
void model_restore_contacts(ew_model *model); /* those that were noted last */
/* Closes all; false: they are. */
bool model_close_contacts(ew_model *model);
/* Closes those whose gap is 0 at the displacement, but for this share of the largest one, and opens
 * all others. */
void model_find_closed(ew_model *model, double tolerance);
/* contact_state.c. Where an answer is taken: as the state that was put for it, or without one as
 * above. */
ew_status model_recall_contacts(ew_model *model, double tolerance);
#define MODEL_ZERO_GAP   1e-10 /* of a linear solve, */
#define MODEL_NEWTON_GAP 1e-6  /* and of Newton's method, which ends before rounding does */
void model_free_contacts(ew_model *model);

#endif
