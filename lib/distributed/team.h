/* distributed: the processes of a run, one for each part of a mesh, that talk by MPI: what they
 * agree on, sums with the same bits for any number of them, values of ghosts, records of edits,
 * linear systems. Every function but those that say so is called by all processes together, and
 * ends with the same status in all of them. */
#ifndef EW_DISTRIBUTED_TEAM_H
#define EW_DISTRIBUTED_TEAM_H

#include "solver/parts/solver.h"
#include "subdomain/parts/subdomain.h"

#include <mpi.h>

/* ---- the team (team.c) ------------------------------------------------------------ */

/* The status of a call of MPI. (team.c) */
ew_status ew_check_mpi(int code);

typedef struct ew_team {
    MPI_Comm comm; /* borrowed */
    int32_t rank, n;
} ew_team;
/* EW_BAD_ARGUMENT where processes have other versions of the program. */
ew_status ew_team_init(ew_team *team, MPI_Comm comm);
/* The status of the lowest process that has one, with its message, in all of them. */
ew_status ew_team_agree(const ew_team *team, ew_status own);
/* sum[i], i < n: the numbers [n_atom][n] of all processes by atom, of which each gives those of its
 * own atoms and 0 for the rest, added up in the order of atoms. What is not a number stays so.
 * `partial` is spoiled. */
ew_status ew_team_sum_atoms(const ew_team *team, int32_t n_atom, int32_t n, double *partial,
                            double *sum);
/* The sum of arrays of all processes of which at most one has another number than 0 at a place. */
ew_status ew_team_join(const ew_team *team, int64_t n, double *number);
ew_status ew_team_join_counts(const ew_team *team, int32_t n, int32_t *count);

/* The entries of all processes, n of `size` bytes here, one process after the other: *all_n of them
 * in
 * *(void **)all, which the caller releases. */
ew_status ew_team_gather(const ew_team *team, size_t size, int32_t n, const void *own,
                         int32_t *all_n, void *all);

/* Memory of exchanges. Zeroed is none. */
typedef struct ew_exchange_room {
    int64_t n_message, n_byte; /* sent by this process, of all exchanges so far */
    int32_t request_capacity, byte_capacity;
    MPI_Request *request; /* owned */
    char *byte;           /* owned */
} ew_exchange_room;
void ew_exchange_room_free(ew_exchange_room *room);
/* Brings values of `size` bytes by vertex to the ghosts. */
ew_status ew_team_exchange(const ew_team *team, const ew_subdomain *subdomain, size_t size,
                           void *value, ew_exchange_room *room);

/* ---- messages (messages.c) ---------------------------------------------------------- */

/* From each process to each, itself included. Zeroed is none. */
typedef struct ew_parcels {
    int32_t n;
    void **message; /* [n] owned, each owned, too: what goes to each process, */
    size_t *bytes;  /* [n] owned: of so many bytes, 0 for null */
    char *arrived;  /* owned: what came from process p stands from begin[p] to begin[p + 1] */
    size_t *begin;  /* [n + 1] owned */
} ew_parcels;
/* Nothing in it. By each process for itself. */
ew_status ew_parcels_init(ew_parcels *parcels, const ew_team *team);
ew_status ew_parcels_send(const ew_team *team, ew_parcels *parcels);
void ew_parcels_free(ew_parcels *parcels);
/* records[p] goes to process p; received [n]: what comes from each, this one included. */
ew_status ew_team_send_records(const ew_team *team, const ew_records *records,
                               ew_records *received);

/* ---- edits (edit.c) ------------------------------------------------------------------ */

/* records[p]: what process p must know of an edit by what this one has found (ew_records_of_edit),
 * or nothing, but for the next ids, which are those of all of it. All parts take the edit or none
 * does, and all say why. Then as ew_subdomain_commit; the exchange follows the tables. */
ew_status ew_team_edit(const ew_team *team, ew_subdomain *subdomain, const ew_records *records,
                       const ew_rows *vertex_to_tet, ew_change *change, bool *renumbered);

/* ---- balance (balance.c) --------------------------------------------------------------- */

/* Atoms with more than `limit` rows, >= 2, are halved until there is none. Where the largest part
 * then has more than `above` times the mean of the rows, atoms are dealt again and travel: *moved;
 * the subdomain is another one then, at revision 1, and the holder builds its tables and plan.
 * *value [n_vertex][width]: values that go along, of ghosts, too; replaced (ew_release); width 0:
 * none. topology: that of the part's mesh. */
ew_status ew_team_balance(const ew_team *team, ew_subdomain *subdomain, const ew_topology *topology,
                          int32_t limit, double above, int32_t width, double **value, bool *moved);

/* ---- linear systems (levels.c, solve.c) ------------------------------------------------ */

/* A part of K x = b. All borrowed. */
typedef struct ew_part_system {
    const ew_subdomain *subdomain;
    const ew_pattern *pattern; /* of its mesh */
    const ew_matrix *matrix;   /* blocks of 3x3; rows of ghosts need not be complete */
    const uint8_t *fixed;      /* [n_vertex] bit c: component c is prescribed; of ghosts, too */
} ew_part_system;
typedef struct ew_part_solver_def {
    double tolerance;       /* of |S (b - K x)| relative to that of x with free components of 0 */
    int32_t max_iterations; /* >= 1 */
    int32_t aggregate_rows; /* of an aggregate, at most; 0: by the number of rows, 20 to 128 */
} ew_part_solver_def;
ew_part_solver_def ew_default_part_solver_def(void); /* 1e-8, 10000, 0 */
typedef struct ew_part_solver_info {
    int32_t iterations, n_aggregate;
    int64_t n_row;   /* of all parts, with tets */
    double residual; /* as in the definition; the true one */
} ew_part_solver_info;

/* Workspace and preconditioner. Zeroed is none. */
typedef struct ew_part_solver {
    ew_part_level *level; /* owned */
    int32_t n_aggregate;
    int64_t n_row;
    double *coarse;      /* [n_aggregate][6] owned */
    int32_t n_own;       /* owned rows with tets, */
    int32_t *own;        /* [n_own] owned: by atom, ascending in each, */
    int32_t *atom_begin; /* [n_atom + 1] owned: that begin here */
    double *vector;      /* [4][n_vertex][3] owned: r z p q */
    double *partial;     /* [n_atom][2] owned */
    ew_exchange_room room;
} ew_part_solver;
/* The preconditioner of the system as it is, from scratch. */
ew_status ew_part_solver_setup(const ew_team *team, ew_part_solver *solver,
                               const ew_part_system *system, const ew_part_solver_def *def);
/* Conjugate gradients (Hestenes & Stiefel 1952) after a set-up. b, x [n_vertex][3]; on entry x has
 * the prescribed values in fixed components and a start in the others, of owned vertices; on return
 * the solution, of ghosts, too. EW_NOT_CONVERGED, EW_INDEFINITE, EW_NOT_FINITE. The bits of x do
 * not depend on the number of processes, nor on that of their threads. */
ew_status ew_part_solver_solve(const ew_team *team, ew_part_solver *solver,
                               const ew_part_system *system, const ew_part_solver_def *def,
                               const double *b, double *x, ew_part_solver_info *info);
void ew_part_solver_free(ew_part_solver *solver);

#endif
