/* model, private: what it keeps of each of its sets, fields, loads, surfaces and matrices, and of
 * its motion. */
#ifndef EW_MODEL_RECORDS_H
#define EW_MODEL_RECORDS_H

#include "meshing/parts/meshing.h"
#include "model/formulation/quadratic.h"
#include "model/nonlinear/nonlinear.h"
#include "model/parts/model.h"

typedef struct model_material {
    int32_t region; /* label, or EW_ALL_REGIONS */
    ew_material material;
} model_material;

/* A set that gives its members up one by one. (set_members.c) */
typedef struct model_members {
    ew_set set;     /* owned */
    int32_t *place; /* owned: of a member, its place in set.list */
    int32_t place_capacity;
} model_members;
/* Where an id is, or would be, in an ascending list. */
static inline int32_t model_place_in(const ew_list *list, int32_t id)
{
    int32_t low = 0, high = list->n;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (list->id[middle] < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}
/* Room for ids below n_slot and for n_more members. */
ew_status model_members_reserve(model_members *members, int64_t n_slot, int64_t n_more);
/* No effect on a member; `put` in reserved room. */
void model_members_put(model_members *members, int32_t id);
ew_status model_members_add(model_members *members, int32_t id);
/* No effect on others. */
void model_members_remove(model_members *members, int32_t id);
/* New ids by a map that leads no id to a higher one, -1: gone. */
void model_members_rename(model_members *members, const int32_t *map);
void model_members_free(model_members *members);

typedef struct model_set {
    char *name; /* owned */
    ew_set_kind kind;
    bool allow_empty, may_fray, had_members;
    bool cut_off; /* a face set whose members were lost with the boundary */
    model_members member;
    int32_t n_active, n_lost;
    int32_t n_leaving;        /* active member vertices that the queue removes */
    int32_t n_before, n_gone; /* active members before the last commit; those it took away */
    bool has_other_members;   /* since the last commit: some went or came into the body */
} model_set;

/* [n_vertex + n_edge][3] owned: vertices, then rows of edges, as many as when it was last reserved;
 * zero beyond those. (rows.c) */
typedef struct model_vector {
    double *value;
    int32_t capacity, n_vertex, n_edge;
} model_vector;

typedef struct model_field {
    char *name; /* owned */
    bool on_tets;
    int32_t width;
    ew_field_rule rule;
    bool on_rows; /* the rows of edges that model_quadratic has room for come after the vertices */
    int32_t capacity; /* vertices and rows, or tets, that `value` has room for, and is zero for
                         beyond those in use */
    double *value;    /* owned */
} model_field;

/* A tet that the queue takes along as a whole (transformed_tets.c). Pointers are borrowed. */
typedef struct model_transformed_tet {
    int32_t tet;         /* slot before the edit */
    int32_t added;       /* place in the queue of its image, -1: it is moved itself */
    const int32_t *from; /* [4] corners: slots before, */
    const int32_t *name; /* [4] and what they become: slots, or vertices of the queue */
    bool moves[4];       /* which become another one or go to another place, */
    double to[12];       /* [4][3] and where they are then */
} model_transformed_tet;
typedef ew_status (*model_see_transformed)(void *user, const model_transformed_tet *turned);

/* Axes that tets have after the queue was committed. (transform_axes.c) */
typedef struct model_transformed_axes_item {
    int32_t tet, added; /* as above */
    double axes[6];
} model_transformed_axes_item;
typedef struct model_transformed_axes {
    int32_t n, capacity;
    model_transformed_axes_item *item; /* [n] owned */
} model_transformed_axes;

/* See ew_model_boundary_changes. */
typedef struct model_boundary_changes {
    ew_boundary_changes public;
    ew_set slot;
    uint64_t revision; /* of the boundary that is counted up to */
    bool is_counted;   /* somebody asked */
} model_boundary_changes;

typedef struct model_load {
    ew_model_load as;
    ew_load_share share;
    bool share_current;    /* where loads_current */
    double thermal_factor; /* of a temperature in the strain of a nonlinear body (thermal.c) */
    double press, carried; /* factor of a pressure that turns with its faces; and what it was where
                              the displacement was last in balance (follower.c) */
    double leaving[3];     /* of FORCE_ON_NODES, FIELD: what the queue takes with vertices */
    uint64_t own_hash;     /* of OWN: of what it read when the forces were last gathered */
} model_load;

typedef struct model_spring {
    ew_model_spring as;
    double share;       /* see ew_spring_share */
    bool share_current; /* where ground_current */
} model_spring;

/* A load on a fine surface: user of an EW_LOAD_OWN. */
typedef struct model_surface_load {
    ew_surface_load as;
    const ew_mapping *mapping; /* borrowed */
    double *force;             /* [mapping->n_vertex][3] owned: on the surface, current */
} model_surface_load;

typedef struct model_surface {
    ew_mapping mapping;
    int32_t n_load, load_capacity;
    model_surface_load **load; /* [n_load] owned, each; their addresses are in lists of loads */
} model_surface;

/* A loaded boundary face of a tet that the queue removes. */
/* Linear equations between displacements. (equations.c) */
typedef struct model_equations {
    int32_t n, capacity, n_term, term_capacity;
    ew_model_equation *given; /* [n] owned, with terms in: */
    ew_model_term *term;      /* [n_term] owned */
    bool is_current;          /* what is below */
    int32_t n_row, row_capacity, begin_capacity, entry_capacity, factor_capacity, place_capacity;
    int32_t *begin, *entry; /* [n_row] owned: one for each point (ew_equation_list), */
    double *factor, *value;
    int32_t beyond_capacity;
    double *beyond; /* [n_row] owned: what a value is beyond its terms, which are of a further
                       displacement; 0: they are of all of it */
    int32_t *place; /* [n_row] owned: and which of the given ones it is of; n and more: of
                       contacts, */
    int32_t first_contact; /* which begin with this row */
    ew_equation_list list; /* the same */
    int32_t n_spring;      /* springs of friction, written behind the equations, */
    ew_sprung_operator sprung;
    ew_equation_list support; /* both: what holds parts */
    ew_equations free;        /* what they leave */
    int32_t n_lost, first_lost;
    int32_t n_coupling, coupling_capacity, coupling_row_capacity, n_lost_coupling;
    ew_model_coupling *coupling; /* [n_coupling] owned */
    int32_t *coupling_row;       /* [n_coupling] owned: the first row of one, -1: its set is gone */
    int32_t n_rigid, rigid_begin_capacity, rigid_row_capacity, mode_capacity;
    int32_t *rigid_begin, *rigid_row; /* owned: of rigid couplings (ew_rigid_rows) */
    double *mode;
    ew_stiffened stiffened; /* blocks of a system, with what keeps parts in place that equations
                               alone do, */
    ew_operator op;         /* and the operator of these */
    bool are_in_steps;      /* what solves steps in time has been made with them */
    int32_t force_capacity, total_capacity, multiplier_capacity;
    double *force, *total; /* [rows][3] owned: of the equations, of the last recovery; with loads */
    double *multiplier;    /* [n_row] owned: likewise */
    int32_t start_capacity, aim_capacity;
    double *start; /* [first_contact] owned: values that equations have where a nonlinear solve
                      starts, */
    double *aim;   /* [n_row] owned: and what the next update of Newton's method adds to them */
    double max_force;
} model_equations;

typedef struct lost_face {
    int32_t slot; /* on the boundary */
    double force[3];
} lost_face;

/* A matrix of the model, and what it has not followed yet. (matrices.c) */
typedef struct model_matrix {
    ew_matrix host;          /* blocks on the host; beside a device with fp64 only to verify */
    ew_device_matrix device; /* on the device, if the model has one */
    bool all_dirty;          /* the blocks must be built */
    bool only_constants;     /* where all_dirty: rows and pairs are what they were */
    bool is_copied;          /* the blocks are those of a base, and not used yet */
    ew_pattern_dirty dirty;  /* else what commits since the last use touched */
    bool takes_rows;         /* the solve under way asks for rows: a build computes none */
    uint64_t *has;           /* owned: rows whose blocks are there; null: all */
    ew_row_demand demand;    /* of the solver */
} model_matrix;

/* A x = b with a matrix of the model: what solves it follows its blocks. */
typedef struct model_system {
    model_matrix matrix;
    ew_pattern_dirty solver_dirty; /* what the preconditioner has not followed yet */
    ew_operator op;
    ew_solver solver;
    ew_tet_operator tets; /* of a matrix-free model, */
    ew_stiffness tet_stiffness;
    ew_mass tet_mass; /* and what it multiplies from; of no mesh: no mass */
} model_system;

/* Loads that vary with one amplitude. (load_groups.c) */
typedef struct model_load_group {
    int32_t amplitude;   /* as in ew_model_load */
    double factor;       /* of time, that is in the force of `dynamics` */
    bool factor_current; /* whether it is */
    model_vector force;
    int32_t thermal_stress_capacity;
    double *thermal_stress; /* [n_vertex] owned: of mixed tets the volumetric stress that takes
                     temperatures back, in `force`, too; null: none */
    ew_set touched;         /* vertices where the force is or was not zero */
} model_load_group;

/* Vectors of a step, [model_n_row][3]: vertices, then edges with functions of quadratic tets. */
enum {
    MODEL_NEXT_U, /* state after the step, but for what the unknown acceleration adds */
    MODEL_NEXT_V,
    MODEL_NEXT_D, /* velocity that damping acts on */
    MODEL_NEXT_A,
    MODEL_UNKNOWN, /* acceleration where nothing is prescribed */
    MODEL_INPUT,   /* of a product, and its */
    MODEL_OUTPUT,
    MODEL_RHS,
    MODEL_FORCE,      /* loads at the time of the state, */
    MODEL_NEXT_FORCE, /* and after the step, with the factors of the groups */
    MODEL_N_VECTOR_OF_STEP,
    MODEL_DAMPING = MODEL_N_VECTOR_OF_STEP, /* account: forces of damping at the state, */
    MODEL_REACTION,                         /* and of supports */
    MODEL_MOMENTUM,                         /* work */
    MODEL_N_VECTOR
};

/* Loops over fewer rows or entries stay on one thread: a team costs more than it saves. */
#define MODEL_MIN_PARALLEL 6000

/* Share by which stable steps take the largest frequency squared of a linear body to be above the
 * one that was found. (dynamics_frequency.c) */
#define MODEL_FREQUENCY_MARGIN 0.05

/* A body that moves. (dynamics*.c) */
typedef struct model_dynamics {
    bool is_active, keeps_acceleration; /* the next update of the state leaves it as it is */
    bool is_aside;                      /* a solve came since: the displacement is its */
    bool has_changed;                   /* the state is not that of the model as it is */
    bool has_followed; /* the solver is not as set up afresh: it followed changes */
    bool has_solved;   /* a step since the state was restored */
    ew_dynamics_def def;
    ew_scheme_rule rule;
    int32_t velocity, acceleration, frequency; /* fields; 0: not made */
    double time, step;                         /* step: that the step matrix is for; 0: none */
    int64_t n_step;
    model_matrix mass;
    model_system system; /* of a step */
    double of_mass, of_stiffness;
    double square;                  /* no frequency squared is above it; < 0: not known */
    double largest;                 /* largest frequency squared, from below by no more than
                                       MODEL_FREQUENCY_MARGIN of it; < 0: not known */
    double *vector[MODEL_N_VECTOR]; /* owned */
    int32_t vector_capacity[MODEL_N_VECTOR];
    int32_t partial_capacity;
    double *partial; /* owned: sums by chunk */
    ew_buffer device_input, device_output;
    ew_energy_account account;
    bool has_account; /* it is of the state, or of the one before edits */
    ew_advance_info info;
    ew_pcg_info solver_info;
    double rate; /* iterations per factor of e of the first solve after the preconditioner followed
                    the matrix last; 0: not known */
    double excess; /* iterations beyond that rate of first solves of steps since */
} model_dynamics;

/* Rows whose displacement or load changed since some moment, those of edges behind all vertices. */
typedef struct model_row_change {
    bool is_known; /* all of them are in the list */
    ew_set row;    /* owned */
} model_row_change;

/* Of a start that was put near the answer, for the next solve. (galerkin_start.c) */
typedef struct model_near {
    double reference; /* |S (f - K u_0)|, u_0 prescribed; 0: there is no such start */
    double residual;  /* relative to it */
} model_near;

/* What the last recovery was made from, and what changed since. (recovery.c) */
typedef struct model_recovery {
    bool is_kept;            /* fields and partial sums are those of the copies, of a linear body
                                without temperature, local axes and springs on faces of quadratic
                                tets */
    bool is_estimated;       /* the estimate is that of the fields, but for `since` */
    bool has_spring;         /* there were springs: */
    bool has_edges;          /* there were quadratic tets */
    int32_t n_vertex, n_tet; /* of the mesh then */
    int32_t n_edge_row;
    int32_t capacity, spring_capacity, edge_capacity;
    double *u, *f;              /* [n_vertex][3] owned: copies */
    double *spring;             /* [n_vertex][6] owned: likewise */
    uint8_t *fixed;             /* [n_vertex] owned: likewise */
    double *edge_u, *edge_f;    /* [n_edge_row][3] owned: likewise */
    uint8_t *edge_fixed;        /* [n_edge_row] owned */
    int32_t (*end)[2];          /* [n_edge_row] owned: vertices of the edge; -1: hole */
    model_row_change changed;   /* since then */
    ew_set moved;               /* work: vertices or rows of edges with another displacement */
    ew_recovery_change touched; /* by commits since the recovery; then all that differs from it */
    ew_recovery_change since;   /* what differs from the estimate */
    ew_partial_sums partial;
} model_recovery;

/* Goals and their adjoints. (goals.c) */
typedef struct model_goal {
    ew_goal goal;
    int32_t field; /* of all rows: the adjoint */
    int32_t n_slope, slope_capacity;
    double *slope; /* [n_slope] owned: derivatives by what the goal is a measure of (goal_values.c),
                      at the last evaluation */
} model_goal;
typedef struct model_goals {
    int32_t n, n_made, capacity;
    model_goal *goal; /* [n_made >= n] owned */
    ew_pcg_info info;
    double *gradient, *product; /* [rows][3] owned: work */
    double *history;            /* owned: of the solves for adjoints */
    int32_t gradient_capacity, product_capacity, history_capacity;
} model_goals;

/* The mass that reactions of a harmonic motion take. (harmonic_recovery.c) */
typedef struct model_response_mass {
    uint64_t revision; /* of the mesh; 0: there is none */
    ew_mass_kind kind;
    ew_matrix matrix; /* owned: of all rows */
} model_response_mass;

/* Mixed tets. (mixed.c) */
typedef struct model_mixed {
    bool is_on;
    int32_t pressure;    /* this field; 0: not made */
    ew_mixed tets, step; /* of the stiffness, and of what is solved with a mass beside it; of a
                            nonlinear body of its tangent, and of its force */
    int32_t capacity;
    double *p; /* [2][n_vertex] owned: work, and what model_split_mixed_product leaves */
    int32_t newton_capacity;
    double *newton; /* [3][n_vertex] owned: pressure where an update of Newton's method began, that
                       of the update, and what it led to linearly */
    int32_t thermal_stress_capacity, thermal_capacity;
    double *thermal;        /* [n_tet] owned: thermal strains, work */
    double *thermal_stress; /* [n_vertex] owned: in statics what temperatures expand, in dynamics */
    bool has_thermal_stress; /* whether groups of loads have one, and this is theirs at a time */
} model_mixed;

/* A load case (cases.c). */
typedef struct model_case {
    double *b, *x; /* [n_row][3] owned: loads; start vector with what is prescribed, the answer */
    double *start; /* [n_row][3] owned: that of the prescribed values */
    ew_pcg_info info;
    char message[EW_COLUMN_MESSAGE]; /* why it failed */
} model_case;
/* What the matrix of all of them is of. */
typedef struct model_shared {
    int32_t n_row, n_oblique;
    uint64_t revision, order_revision, spring_revision, constants;
    int64_t operator_kind;
} model_shared;
typedef struct model_cases {
    int32_t n, capacity;
    model_case *one;   /* [n] owned */
    bool are_solved;   /* the next one that is added is the first */
    bool have_answers; /* of their solves side by side; else there were none */
    model_shared shared;
    uint8_t *fixed; /* [n_row] owned: constrained components of all */
    int32_t *place; /* [n_row] owned: of oblique ones, which of */
    double *normal; /* [n_oblique][2][3] owned: directions */
    int32_t fixed_capacity, place_capacity, normal_capacity;
} model_cases;
/* release.c */
void model_clear_cases(model_cases *of);
void model_free_cases(model_cases *of);

#endif
