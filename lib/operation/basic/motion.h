/* Private to operation: how move, rotate and scale move vertices. */
#ifndef EW_OPERATION_MOTION_H
#define EW_OPERATION_MOTION_H

#include "operation/framework/internal.h"

/* A motion that is ready to be asked. Zeroed is none. */
typedef struct ew_mover {
    ew_motion motion; /* its axis of length 1, where it has one */
    double *each;     /* [listed][3] owned: NORMAL, TABLE; else null */
} ew_mover;

/* Checks the motion of the listed vertices, and finds what it is at each where the place alone does
 * not say it. Names the operation in what fails. */
ew_status ew_mover_init(ew_mover *mover, const char *operation, const ew_mesh *mesh,
                        const ew_topology *topology, const ew_list *vertex,
                        const ew_motion *motion);
void ew_mover_free(ew_mover *mover);
/* Where a point goes, by a share of the motion; listed: place in the list of the vertex whose
 * motion it takes, read by NORMAL and TABLE alone. False where the motion has no direction there.
 */
bool ew_mover_place(const ew_mover *mover, const double x[3], int32_t listed, double share,
                    double to[3]);

/* Queues the motion of the listed vertices and, with a radius, of what lies near them. The edit is
 * refused where it inverts tets, or repaired where that is asked for. */
ew_status ew_queue_motion(const char *operation, const ew_mesh *mesh, const ew_topology *topology,
                          const ew_list *vertex, const ew_move_def *def, const char *remedy,
                          ew_edit *edit);
/* Checks after moves are queued: tets without usable volume are refused, or, where `repair` is
 * not null, repaired; it has the vertices that only follow. */
ew_status ew_finish_moves(const char *operation, const ew_mesh *mesh, const ew_topology *topology,
                          const ew_set *repair, const char *remedy, ew_edit *edit);

/* The parameters that say a motion, for the tables of operations: places of their keys are found by
 * name. What is not among the operation's parameters is not given. */
ew_motion ew_motion_of(const ew_operation *operation, const ew_operation_values *values);
/* An ew_operation.check: what motions need. */
ew_status ew_check_motion(const ew_operation *operation, const ew_operation_values *values,
                          ew_naming naming);
/* The vertices given, or all that are active, or all slots that exist; *all is the caller's to
 * free.
 */
ew_status ew_listed_or_all(const ew_operation_input *in, ew_list *all, const ew_list **vertex);
ew_status ew_listed_or_every(const ew_operation_input *in, ew_list *all, const ew_list **vertex);
ew_status ew_every_vertex(const ew_mesh *mesh, ew_list *all);

/* u [n_vertex][3] of the active vertices that are not `known`: harmonic, from those that are, by
 * linear tets. Components without a known one stay 0. (harmonic.c) */
ew_status ew_harmonic_extend(const char *operation, const ew_mesh *mesh,
                             const ew_topology *topology, const bool *known, double *u);

/* Rows "vertex_id, dx, dy, dz" of a text. (move_table.c) */
typedef struct ew_move_table {
    int32_t n, id_capacity, by_capacity;
    int64_t *id; /* [n] owned, each once, in the order of the rows */
    double *by;  /* [n][3] owned */
} ew_move_table;
ew_status ew_move_table_read(const char *name, const char *text, size_t size, ew_move_table *table);
/* The vertices of the rows, ascending by slot, appended to an empty list, and *by [n][3] of each,
 * the caller's. An id that no active vertex has is EW_BAD_INPUT. */
ew_status ew_move_table_place(const ew_mesh *mesh, const ew_move_table *table, ew_list *vertex,
                              double **by);
void ew_move_table_free(ew_move_table *table);

/* One line each of the descriptors that share them. */
#define EW_RADIUS_PARAMETER                                                                        \
    {                                                                                              \
        .key = "radius", .kind = EW_PARAMETER_LENGTH, .argument = "LENGTH",                        \
        .help = "radius of the neighborhood that moves along, decreasing to 0 (0: none)"           \
    }
#define EW_REPAIR_PARAMETER                                                                        \
    {                                                                                              \
        .key = "repair", .kind = EW_PARAMETER_FLAG, .preset = "false", .argument = "BOOL",         \
        .help = "improve bad tets around the moved part instead of refusing"                       \
    }

#endif
