/* model, private: a body whose force is no linear function of its displacement. (nonlinear*.c) */
#ifndef EW_MODEL_NONLINEAR_H
#define EW_MODEL_NONLINEAR_H

#include "model/parts/model.h"

/* Vectors of a nonlinear solve, of all rows, [model_n_row][3]. */
enum {
    NONLINEAR_START,    /* displacement at the last converged load factor */
    NONLINEAR_REST,     /* what is out of balance at the start */
    NONLINEAR_LEAD,     /* what supports prescribe beyond the start, zero elsewhere */
    NONLINEAR_KEPT,     /* force of tets and springs at that displacement */
    NONLINEAR_FORCE,    /* of tets and springs, at the displacement as it is */
    NONLINEAR_RESIDUAL, /* out of balance there */
    NONLINEAR_UPDATE,   /* Newton's */
    NONLINEAR_BEFORE,   /* displacement before it */
    NONLINEAR_PRESSURE, /* forces of pressures that turn with faces, as they were last found; */
    NONLINEAR_LOADS,    /* all loads with these */
    NONLINEAR_BALANCED, /* these pressures at the last state that the account of motion has */
    NONLINEAR_REACHED,  /* loads at the load factor that a failed solve reached */
    NONLINEAR_FOUND,    /* displacement that forces of tets were found for last */
    NONLINEAR_AT_STATE, /* net force of the body at the state that a time step begins with */
    NONLINEAR_N_VECTOR
};

typedef struct model_nonlinear {
    ew_kinematics kinematics;
    double bound; /* records that changed by no more are kept */
    ew_internal_force internal_force;
    ew_device_internal_force there; /* on a device with fp64: what `internal_force` says of forces
                                 and records is there */
    int32_t temperature;  /* field on tets, [2]: change of temperature of the displacement and
                             state as they are, and 1 where it is known; 0: there was none */
    bool is_warm;         /* some change of it was not 0 */
    double share_before;  /* of it in the temperature of a load step, the rest of the loads */
    bool thermal_current; /* of the loads and the mesh as they are */
    int32_t thermal_capacity, thermal_before_capacity;
    double *thermal;         /* [n_tet][6] owned: thermal strain, where there are temperatures, */
    double *thermal_before;  /* and what it was before a step of load or time */
    double thermal_work;     /* of temperatures that changed in the last time step */
    uint64_t state_revision; /* counts changes of the state of the laws */
    int32_t diagonal_capacity;
    double *diagonal;         /* [n_vertex][3][3] owned: memory of nonlinear_blocks.c */
    bool is_current;          /* records are of the displacement as it is */
    int32_t state;            /* field on tets: of the laws; 0: there is none; */
    int32_t n_point, n_state; /* its points by tet, and numbers of each */
    int32_t after_capacity;
    double *after; /* [n_tet][n_point][n_state] owned: at the end of a step that has not converged
                      yet */
    ew_follower follower, pressed; /* pressures that turn with faces: those of the tangent, where
                                      is_current; and those of forces */
    int32_t pressed_line_capacity, pressed_factor_capacity;
    ew_load *pressed_line; /* memory of follower.c */
    double *pressed_factor;
    ew_list changed, pressed_pair;            /* memory */
    ew_pattern_change touched, touched_edges; /* likewise */
    int32_t vector_capacity[NONLINEAR_N_VECTOR];
    double *vector[NONLINEAR_N_VECTOR]; /* owned */
    bool has_force;            /* NONLINEAR_AT_STATE is that of the displacement as it is */
    uint64_t found_revision;   /* of the mesh whose forces of tets are those of NONLINEAR_FOUND,
                                  while nothing else that they depend on is another; 0: none */
    uint64_t reached_revision; /* of the mesh whose displacement is at those loads; 0: none */
    int32_t history_capacity;
    double *history; /* owned */
    ew_nonlinear_info info;
    ew_pcg_info solver; /* of the last iteration */
} model_nonlinear;

/* From now on temperatures are those in full, as at the end of statics; with a share of those that
 * the state has, as in load steps; or between two times, with the share of the first: as amplitudes
 * have them. */
void model_apply_thermal_strain_fully(ew_model *model);
void model_apply_thermal_strain_partly(ew_model *model, double share_before);
void model_apply_thermal_strain(ew_model *model, double time, double next, double share);
/* The thermal strain of that. */
ew_status model_update_thermal(ew_model *model);
/* It is kept as that before a step of load or time. */
ew_status model_keep_thermal(ew_model *model);
/* The temperature as it is is that of the displacement and state as they are: what the next load
 * steps begin with, on parts of tets, too. */
ew_status model_keep_temperature(ew_model *model);
/* Work of temperatures that changed in a step of load or time: in body and state before it, in
 * those after. */
ew_status model_find_thermal_work(ew_model *model, const double *from, const double *to,
                                  double *work);
/* EW_UNSUPPORTED: products from tets. */
ew_status model_check_nonlinear(const ew_model *model);
/* The records, the blocks made of them and the preconditioner are to be made afresh. */
void model_forget_records(ew_model *model);
/* Points of a tet as many as the order of tets asks for, and the fields and memory that have them;
 * and with the state of laws of n_state numbers a point. (nonlinear_points.c) */
ew_status model_update_points(ew_model *model);
ew_status model_open_state(ew_model *model, int32_t n_state);
/* Materials and state field as they must be: before all that is below. */
ew_status model_prepare_internal_force(ew_model *model);
/* Copies of mesh, rows of edges and axes on a device, as tets that answer there need them; and that
 * of the rows, null: all tets are linear. */
ew_status model_need_copies(ew_model *model);
const ew_device_edges *model_edges_there(const ew_model *model);
/* f, of all rows: of tets at the displacement u; the state after it is kept until it is taken. */
ew_status model_internal_force(ew_model *model, const double *u, double dt, double *f);
/* The same with the springs to the ground. */
ew_status model_body_force(ew_model *model, const double *u, double dt, double *f);
/* What rounding leaves of the force: differences of displacements are rounded to the last digit of
 * the displacements, stretches of what turns to that of 1. (nonlinear_blocks.c) */
ew_status model_find_rounding(ew_model *model, double *force);
/* Vectors for the rows there are. */
ew_status model_reserve_nonlinear(ew_model *model);
/* The state after the last model_internal_force, to the host; then it becomes that of the laws. */
ew_status model_fetch_after(ew_model *model);
void model_take_state(ew_model *model);
/* EW_UNSUPPORTED for an operation that maps the whole body, where a tet has flowed; where this tet
 * has. */
ew_status model_need_unflowed(const ew_model *model, const char *operation);
ew_status model_need_unflowed_tet(const ew_model *model, int32_t tet);
/* What laws dissipate between two displacements goes into the state that is about to be taken; the
 * states of all tets into the sums. thermal: [n_tet][6] at the first, or null. In a time step it is
 * by the mean stress, as is the work that moves the body; in a load step along the flow: returned
 * is by how much that is more, which the work of mean forces lacks. (dissipation.c) */
double model_dissipate(ew_model *model, const double *from, const double *thermal, const double *to,
                       double dt, bool is_motion);
void model_sum_states(const ew_model *model, ew_sums *sums);
/* Records at the displacement u, and the tangent's blocks. from: as in ew_deformed, or null.
 * (nonlinear_blocks.c) */
ew_status model_update_records(ew_model *model, const double *u, const double *from, double dt);
ew_status model_update_tangent(ew_model *model);
/* Records and blocks to the host, where they are on a device. */
ew_status model_fetch_blocks(ew_model *model);
/* The blocks against those of records found afresh. */
ew_status model_verify_tangent(ew_model *model, const ew_topology *topology,
                               ew_model_verification *result);
void model_free_nonlinear(ew_model *model);

#endif
