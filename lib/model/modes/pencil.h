/* pencil, private to model: what the eigenvalue problems of a model and its harmonic response
 * share: the factor of a matrix, applied where nothing is prescribed; of mixed tets and rigid sets
 * iterations in its place. The first member of each problem, so that functions of an
 * ew_eigen_problem find it. */
#ifndef EW_MODEL_PENCIL_H
#define EW_MODEL_PENCIL_H

#include "model/formulation/formulation.h"

typedef struct pencil {
    ew_model *model;
    ew_status status; /* of solves and products, whose callers cannot fail: to be looked at */
    const char *what; /* for messages: "modes" */
    const ew_preconditioner_type *direct;
    ew_progress progress;
    int32_t n_row;      /* rows of a part: vertices, then edges with functions of quadratic tets */
    int32_t n_part;     /* of vectors: 1; of a complex one real and imaginary part: 2 */
    int32_t n_free;     /* components of displacement that nothing prescribes */
    bool is_tangent;    /* the stiffness is that of a nonlinear body where it is: */
    bool is_unstressed; /* stress adds nothing to it, */
    ew_internal_force internal_force; /* records of tets, */
    ew_follower follower;             /* their load stiffness where pressures turn with faces, */
    ew_tangent tangent;               /* what makes blocks of them, */
    ew_matrix of_vertices;            /* those of vertices of a body with quadratic tets, */
    ew_matrix blocks;                 /* and those of all rows: owned, as the records */
    const ew_edge_rows *rows;         /* null: all tets are linear */
    const ew_pattern *pattern;        /* of all matrices here, and the stiffness: */
    const ew_matrix *stiffness;       /* with quadratic tets with all their blocks stored, */
    model_source source;              /* what makes those of vertices */
    ew_operator op;
    ew_system system;              /* constraints of all rows */
    const ew_equations *equations; /* what the factor does not know: those of the system, or: */
    bool is_wave;                  /* of a sector in a wave round its axis (pencil_wave.c), */
    model_wave wave;
    ew_equations of_wave; /* owned: of all parts */
    ew_preconditioner factor;
    bool iterates; /* of mixed tets, in place of a factor: what they are solved by, */
    double of_mass;
    bool is_held;     /* equations alone hold a part, so that the stiffness is not definite */
    ew_solver solver; /* with so much of the mass beside the stiffness; also where sets are rigid or
                         equations alone keep a part in place, with the factor of: */
    ew_stiffened stiffened;
    ew_operator stiffened_op;
    double *work;         /* [3][n_part][n_row][3] owned: two of the caller, one of products */
    int32_t n_equation;   /* equations of the system that are not left out */
    double *of_equations; /* [n_equation][n_equation] owned: Cholesky factor of R A^-1 R^T, */
    double *multiplier, *reduced; /* [n_equation], [n_part][n_row][3] owned: memory
                                     (pencil_equations.c) */
} pencil;

/* Of a model, to be opened; direct: null in a build without the direct solver. */
pencil pencil_of(ew_model *model, const char *what, const ew_preconditioner_type *direct,
                 ew_progress progress);
/* Matrix and supports brought up to date; EW_UNSUPPORTED without the direct solver. */
ew_status pencil_open(pencil *in);
/* The same for `count` pairs: EW_UNSUPPORTED without the function that finds them, EW_BAD_INPUT
 * unless there are as many. */
ew_status pencil_prepare(pencil *in, int32_t count, ew_eigen_call *eigen);
/* Blocks of the exact tangent at the displacement of a nonlinear body, on the host, with what
 * stress adds to it or without, and with the springs to the ground or without; laws answer as
 * elastic ones, about the stress that there is: no bound, and nothing of what the model has on a
 * device. The records are those of the last call. (pencil_tangent.c) */
ew_status pencil_find_tangent(pencil *in, bool with_stress, bool with_ground, ew_matrix *blocks);
/* 1e-4 (E / rho) / L^2, L the longest side of the box around the body. */
double pencil_shift(const ew_model *model);
/* The mass and K + shift M, on `pattern`; EW_BAD_INPUT without a density. */
ew_status pencil_build_shifted(const pencil *in, ew_mass_kind kind, double shift, ew_matrix *mass,
                               ew_matrix *shifted);
/* Of a matrix on `pattern`, which must stay: the stiffness and of_mass times the mass. */
ew_status pencil_factor(pencil *in, const ew_matrix *matrix, double of_mass);
/* Whether solves are iterations, which a matrix that is not definite does not stop. */
bool pencil_iterates(const pencil *in);
/* What equations need beside the factor; y = A^-1 x becomes the one that they allow. Nothing where
 * there are none. (pencil_equations.c) */
ew_status pencil_factor_equations(pencil *in);
void pencil_solve_equations(pencil *in, const double *x, double *y);
void pencil_free_equations(pencil *in);
/* Before it is opened: of a sector of so many in a wave of a diameter. EW_BAD_ARGUMENT: no such
 * one, or a tie that joins no sides of a sector. (pencil_wave.c) */
ew_status pencil_take_wave(pencil *in, const ew_modes_def *def);
/* Its equations, for constraints that are current; EW_BAD_INPUT with rigid sets and mixed tets. */
ew_status pencil_build_wave(pencil *in);
/* Of vectors that belong to a sector and turn with the wave: their sum over all sectors, real and
 * imaginary part. */
void pencil_add_sectors(const pencil *in, int32_t sectors, double part[2][3], double sum[2][3]);
/* y = A^-1 x by the factor, each part alone. (pencil_wave.c) */
void pencil_apply(pencil *in, const double *x, double *y);
/* x without what is prescribed. */
void pencil_filter(const pencil *in, double *x);
/* y = P A^-1 x, x without a part along what is prescribed. */
void pencil_solve(void *user, const double *x, double *y);
/* y = P B P x of scalar blocks or of blocks of 3 x 3; with mixed tets `stiffness` stands for the
 * whole one. */
void pencil_product(pencil *in, const ew_matrix *matrix, const double *x, double *y);
/* The same and, along what is prescribed, a diagonal entry of B times x: definite where B is. */
void pencil_inner(pencil *in, const ew_matrix *matrix, const double *x, double *y);
/* Of all rows: of vertices alone, or with those of edges. */
static inline const ew_pattern *pencil_pattern(const ew_model *model)
{
    return model_has_edges(model) ? &model->quadratic.assembled : &model->topology.pattern;
}
/* What modes and buckling find is of this many numbers a shape. */
static inline size_t pencil_size(const pencil *in)
{
    return 3 * (size_t)in->n_row * (size_t)in->n_part;
}
/* The largest sum of sizes along a row of the stiffness, which |K| does not exceed, and the vertex
 * whose row has the largest one of vertices. */
typedef struct pencil_norm {
    double largest;
    int32_t vertex;
} pencil_norm;
pencil_norm pencil_norm_of(const pencil *in);
/* The eigenpairs; what its solves and products failed with, if any did. */
ew_status pencil_find(pencil *in, ew_eigen_call *eigen, const ew_eigen_problem *problem,
                      int32_t count, double *theta, double *vector, int32_t *n_solve);
/* |A^-1 y / theta - x| over |x|: how far x is from a vector of A^-1 with its image y, of mixed
 * tets. Their stiffness times x would make the residual of the pressure many times as large. y: the
 * first of `work`, spoiled. */
double pencil_misfit(pencil *in, double theta, const double *x);
double pencil_dot(const pencil *in, const double *x, const double *y);
/* Times a factor of size 1, so that the largest component is real and positive. */
void pencil_turn_positive(const pencil *in, double *x);
void pencil_free(pencil *in);

#endif
