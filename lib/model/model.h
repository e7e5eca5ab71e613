/* model: the one owner of a mesh and of all that must follow its edits: neighbor tables, boundary
 * faces, matrix, device mirror, materials, named sets, loads, constraints, fields. A program queues
 * an edit or applies an operation, commits, and solves; the cost of every stage is that of what the
 * edit touched.
 *
 *     ew_model_create(&model, &mesh, &def);
 *     ew_model_set_material(model, EW_ALL_REGIONS, &steel);
 *     ew_model_add_set(model, &wall, &members, &set);
 *     ew_model_set_constraints(model, 1, &fixed);
 *     ew_model_set_loads(model, 1, &weight);
 *     ew_model_solve(model, &solver, &info);
 *
 *     ew_edit_remove_tet(ew_model_edit(model), 4711);
 *     ew_model_commit(model);
 *     ew_model_solve(model, &solver, &info);
 *
 * A commit is all or nothing: a refused one (EW_BAD_EDIT, EW_BAD_INPUT) and one that finds no
 * memory before it begins change nothing. One that fails after the mesh was changed (EW_NO_MEMORY,
 * EW_DEVICE) leaves a model whose other functions return EW_STALE until ew_model_rebuild.
 *
 * Slots: vertices and tets are named by slot, which no edit moves; ew_model_compact does. A slot
 * that is freed and used again is a new vertex, without the sets, loads and fields of the old one.
 *
 * Blocks are recomputed once before they are used, however many commits came before.
 *
 * Threads: one thread at a time may call functions of a model, those with a const model included,
 * unless the program guards them by a lock. Several models, each in its own thread, are
 * independent, also where they start from one ew_model_template; answers are the same bits.
 * ew_last_failure is that of the calling thread. The loops of a call run on as many threads as the
 * calling thread has set with ew_use_threads. Callbacks (loads and operations of a program's own)
 * are called during a call of the program, those of loads from several threads at once; none of
 * them may call a function that changes the model.
 *
 * This header includes those of its parts. */
#ifndef EW_MODEL_H
#define EW_MODEL_H

#include "model/model_base.h"
#include "model/model_motion.h"
#include "model/model_sets.h"
#include "model/model_solve.h"

EW_BEGIN_API

/* ---- times and counts -------------------------------------------------------- */

/* Sums since the last ew_model_clear_report. */
typedef struct ew_model_report {
    int32_t n_commit;
    double seconds_choose; /* ew_model_queue and ew_model_apply */
    double seconds_commit; /* the mesh */
    double seconds_tables;
    double seconds_boundary;
    double seconds_follow;  /* sets, fields, constraints */
    double seconds_support; /* under-constrained components */
    double seconds_matrix;  /* blocks, and the copy of the mesh on a device */
    double
        seconds_records; /* rotations, states of laws and moduli of the tets of a nonlinear body */
    double seconds_preconditioner; /* updates after edits; its set-up counts as solve */
    double seconds_loads;
    double seconds_solve;
    double seconds_recover;
    double seconds_estimate;
    double seconds_compact;
    int64_t touched_blocks; /* blocks of the stiffness recomputed after edits */
    int64_t recovered_tets; /* slots of tets whose stress was recovered: after a small change few */
    int64_t built_blocks;   /* blocks computed when an entire matrix was built */
    double seconds_built;   /* time of these builds, and of the tables at creation */
    double lost_force[3]; /* force of the present loads on vertices and faces that edits removed */
} ew_model_report;
const ew_model_report *ew_model_view_report(const ew_model *model);
void ew_model_clear_report(ew_model *model);

EW_END_API
#endif
