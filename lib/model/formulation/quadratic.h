/* quadratic: private to model. The rows of edges of quadratic tets: what a model keeps for them,
 * and what its other files call. */
#ifndef EW_MODEL_QUADRATIC_H
#define EW_MODEL_QUADRATIC_H

#include "model/parts/model.h"

/* Edges in a body that moves: the vectors of a step have all rows, vertices and then edges.
 * (dynamics_edges.c) */
typedef struct model_moving_edges {
    ew_edge_mass mass;
    ew_quadratic_operator op;       /* of the matrix of a step, and its */
    double *diagonal;               /* [n_row][3][3] owned; */
    ew_device_matrix device_blocks; /* with a device: the diagonal there, */
    double *row_mass;               /* [n_row] owned: what mass gives to it */
    int32_t diagonal_capacity, row_mass_capacity;
    bool mass_current;              /* but for what is at stale_vertex and stale_row; of these */
    uint64_t density;               /* densities */
    ew_set stale_vertex, stale_row; /* owned, as the next three */
    bool diagonal_current;          /* but for the rows of stale_diagonal */
    ew_set stale_diagonal;
    ew_set stale_force; /* rows where forces of load groups are not current, where groups are */
} model_moving_edges;

/* What belongs to sides of tets that the queue takes along as a whole, or to their corners, by the
 * names of the ends in it, at a vertex twice the same. (transformed_tets.c) */
typedef struct model_transformed {
    ew_map edge;   /* to a row of */
    int32_t *end;  /* [][2] owned */
    double *value; /* [][width] owned */
    int32_t end_capacity, capacity;
} model_transformed;

/* Values on an edge: coefficients of the fields of motion (model_motion_field), and the curve of
 * its side, each [n_row][3]; the last where the mesh came with curved sides alone. */
enum { MODEL_N_MOTION = 4, EW_ON_EDGE = 3 * MODEL_N_MOTION + 3 };

/* Memory of an edit: what is to stand on the edges that the queue brings. (queued_edges.c) */
typedef struct model_queued {
    ew_map edge;    /* by the names of its ends, to a place in */
    uint8_t *known; /* [edge.n] owned, and */
    double *value;  /* [edge.n][EW_ON_EDGE] owned */
    int32_t n_beyond;
    double *beyond; /* [n_beyond][EW_ON_EDGE] owned: how far an added vertex is, and moves, beyond
                       where it would between its ends */
    int32_t known_capacity, value_capacity, beyond_capacity;
} model_queued;

/* Quadratic tets. (quadratic.c, quadratic_solve.c) */
typedef struct model_quadratic {
    bool in_general; /* what tets are, but for those that */
    int32_t other;   /* this field on tets marks; 0: there is none */
    ew_edge_rows rows;
    ew_matrix blocks;               /* of these rows, */
    uint64_t *has;                  /* owned: those whose blocks are there; null: all */
    ew_pattern_dirty dirty;         /* rows touched since the blocks were computed */
    ew_device_edges device_edges;   /* with a device: the copy of the rows there, */
    ew_device_matrix device_blocks; /* and the blocks; those of the host are then to verify */
    ew_quadratic_operator op;
    bool constraints_current;                       /* of edges, but for the rows of stale_fixed */
    ew_set stale_fixed;                             /* owned */
    ew_face_ground face_ground, face_ground_before; /* springs on faces, where ground_current; and
                                                       memory of spring_faces.c */
    ew_pattern_change face_change;                  /* likewise */
    int32_t pull_n, pull_capacity;
    double *pull; /* [pull_n][3] owned: their forces on vertices and edges, as last asked for */
    int32_t n_vertex, n_room; /* fields on rows have so many vertices before the rows of edges, and
                                 room for so many of these (rows.c) */
    bool f_current;           /* of the loads on edges, in `force`, but for the rows of stale_f */
    ew_set stale_f;           /* owned */
    double *curve; /* [n_row][3] owned: rows.curve, those of the mesh by rows, where it came with
                      curved sides */
    int32_t *end;  /* [n_row][2] owned: vertices of the edge whose coefficient it is, -1: hole */
    ew_pattern assembled; /* of vertices and edges, with all blocks of their stiffness, where a
                         factor was asked for; and what solves with it. (quadratic_assembled.c) */
    ew_matrix assembled_blocks;
    ew_operator assembled_op;
    ew_solver assembled_solver;
    model_moving_edges moving;
    model_queued queued;
    ew_list edge;
    model_transformed turned; /* memory of an edit: curves, width 3 */
    ew_curves curves;         /* for loads and recovery */
} model_quadratic;

/* rows.c: the field k of MODEL_N_MOTION: displacement, velocity, acceleration, the displacement
 * that friction goes on from while that is kept; -1: the model has none. */
int32_t model_motion_field(const ew_model *model, int k);
/* [EW_ON_EDGE] of a row, out of the fields on rows and the curves; and into the fields. */
void model_collect_edge(const ew_model *model, int32_t row, double *all);
void model_spread_edge(ew_model *model, int32_t row, const double *all);
/* quadratic.c */
/* After fields and tables; rebuilt: the tables have other edge slots. */
ew_status model_follow_quadratic(ew_model *model, bool rebuilt);
/* Then: rows of sides whose curves the queue had. */
void model_follow_curves(ew_model *model);
/* After compaction. */
ew_status model_rename_quadratic(ew_model *model, const int32_t *vertex);
void model_free_quadratic(ew_model *model);

/* transform_curves.c: sides whose curves the queue has, and those of tets that it moves as a whole
 * or adds images of; before the commit. */
ew_status model_transform_queue(ew_model *model);
/* queued_edges.c: vertices that the queue adds between two others are moved to where these are in
 * curved tets; before the above. */
ew_status model_bend_queue(ew_model *model);
/* After these two, before the commit: EW_BAD_EDIT names a tet that would be folded. */
ew_status model_read_queue_edges(ew_model *model);
/* Then: what all that found of curves goes into the queue, behind its own, for the commit of the
 * mesh, which has them. */
ew_status model_queue_curves(ew_model *model);
/* After the commit, its rows and fields: what that found of displacement and its rates. */
void model_put_queued_edges(ew_model *model);

/* spring_faces.c */
/* With the springs of spring_line; is_stale: some of them are others, or their members. */
ew_status model_update_face_ground(ew_model *model, int32_t n_line, bool is_stale);
/* Finds the forces of springs on faces at a displacement of all rows; none where there are none. */
ew_status model_pull_faces(ew_model *model, const double *x);
/* Of all springs on a row, a vertex or an edge, displaced by x [3], those on faces as last found.
 */
void model_spring_force(const ew_model *model, int32_t row, const double *x, double force[3]);
/* Rows from this one on have no springs. */
int32_t model_n_spring_row(const ew_model *model);
/* Stored in all springs at a displacement of all rows, at which those on faces were found. */
double model_spring_energy(const ew_model *model, const double *x);
void model_free_face_ground(model_quadratic *q);

/* quadratic_touch.c */
/* Constraints of edges at these vertices are to be found again. */
ew_status model_touch_edge_constraints(ew_model *model, const ew_list *vertex);
/* After a commit, before it is forgotten which vertices have other loads, and before the groups of
 * loads follow; all: each has. */
ew_status model_follow_edge_loads(ew_model *model, bool all);
/* Of a body that moves, after the rows followed: those with other tets than before, and vertices.
 */
ew_status model_touch_moving_edge(ew_model *model, int32_t row, const int32_t *end_before);
ew_status model_touch_moving_vertices(ew_model *model);

/* The rows of edges of the stiffness, where there are any. (matrix_free.c) */
const ew_edge_operator *model_edge_operator(ew_model *model);
/* Of a model with quadratic tets: with a device, the copy of the rows there; that after the copy of
 * the mesh followed a commit, null: after tets got another order. (device_copies.c) */
ew_status model_need_device_edges(ew_model *model);
ew_status model_update_device_edges(ew_model *model, const ew_change *change);
/* quadratic_solve.c */
void model_forget_edge_blocks(ew_model *model);
ew_status model_update_edge_blocks(ew_model *model);
/* Blocks that are missing of rows that are asked for, a bit set of all rows; null: of all. */
ew_status model_add_edge_rows(ew_model *model, const uint64_t *row);
/* Loads of edges, once those of vertices are current. */
ew_status model_prepare_edges(ew_model *model);
/* What recoveries take of edges, in `values`; null: there are none. */
const ew_edge_values *model_edge_values(const ew_model *model, ew_edge_values *values);
ew_status model_verify_edges(ew_model *model, const ew_topology *topology,
                             ew_model_verification *result);

/* dynamics_edges.c: all of it for bodies with edges that have functions, and of no effect on
 * others. */
/* Mass, once the vertices' is current. */
ew_status model_update_moving_edges(ew_model *model);
/* That mass as it was last updated; null: all tets are linear. y += M x but for what the vertices'
 * mass gives. */
const ew_edge_mass *model_edge_mass(const ew_model *model);
void model_add_edge_mass(const ew_model *model, const ew_edge_mass *mass, const double *x,
                         double *y);
/* The matrix of a step, once that of the vertices is current. */
ew_status model_update_step_edges(ew_model *model);
void model_free_moving_edges(model_quadratic *q);
/* dynamics_edges_verify.c: adds the rows where constraints, masses, forces or blocks are not those
 * of a build, once the state and the matrix of a step are current. */
ew_status model_verify_moving_edges(ew_model *model, ew_model_verification *result);

/* quadratic_assembled.c */
/* The blocks of the stiffness of vertices on the host, where factors are made, from a device. */
ew_status model_fetch_stiffness(ew_model *model);
/* The stiffness with all blocks of quadratic tets, once that of the vertices is current. */
ew_status model_update_assembled(ew_model *model);
/* The pattern alone. */
ew_status model_update_assembled_pattern(ew_model *model);
/* Which of the systems of the stiffness and the loads a solve takes, brought up to date: all blocks
 * of quadratic tets for a factor, else their products; and what solves it. */
ew_status model_choose_system(ew_model *model, const ew_pcg_def *def, ew_system *system,
                              ew_solver **solver);
void model_free_assembled(model_quadratic *q);

#endif
