/* model: the one owner of a mesh and of all that must follow its edits: neighbor tables, boundary
 * faces, matrix, device mirror, materials, named sets, loads, constraints, fields. A program queues
 * an edit or applies an operation, commits, and solves; every stage costs what was touched.
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
 * that is freed and taken again is a new vertex: no set, load or field of the old one sticks to it.
 *
 * Blocks are recomputed once before they are used, however many commits came before.
 *
 * Threads: one model is for one thread at a time, also of functions that take it as const, unless
 * the program guards them by a lock. Several models at once, one a thread, are independent, also
 * where they come from one ew_model_template; answers are the same bits. A failure
 * (ew_last_failure) is that of the calling thread. Loops of a call run on ew_use_threads of the
 * thread that calls: it has its own number. Callbacks (loads and operations of a program's own) are
 * called during a call of the program, those of loads from several threads at once; none of them
 * may call a function that changes the model.
 *
 * Its parts are headers of their own, which come with this one. */
#ifndef EW_MODEL_H
#define EW_MODEL_H

#include "model/model_base.h"
#include "model/model_motion.h"
#include "model/model_sets.h"
#include "model/model_solve.h"

EW_BEGIN_API

/* ---- what it cost ------------------------------------------------------------ */

/* Sums since the last ew_model_clear_report. */
typedef struct ew_model_report {
    int32_t n_commit;
    double seconds_choose; /* ew_model_queue and ew_model_apply */
    double seconds_commit; /* the mesh */
    double seconds_tables;
    double seconds_boundary;
    double seconds_follow;         /* sets, fields, constraints */
    double seconds_support;        /* under-constrained components */
    double seconds_matrix;         /* blocks, and a device's copy of the mesh */
    double seconds_records;        /* of tets of a nonlinear body: rotations, laws, moduli */
    double seconds_preconditioner; /* following edits; its set-up is in the solve */
    double seconds_loads;
    double seconds_solve;
    double seconds_recover;
    double seconds_estimate;
    double seconds_compact;
    int64_t touched_blocks; /* blocks of the stiffness recomputed after edits */
    int64_t built_blocks;   /* computed by builds of the whole matrix */
    double seconds_built;   /* their time, and that of building the tables at creation */
    double lost_force[3];   /* of the loads in place, on vertices and faces that edits took away */
} ew_model_report;
const ew_model_report *ew_model_view_report(const ew_model *model);
void ew_model_clear_report(ew_model *model);

EW_END_API
#endif
