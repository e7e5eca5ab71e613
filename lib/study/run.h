/* State of a running study, shared by the files of run_*.c. Private to study. */
#ifndef EW_STUDY_RUN_H
#define EW_STUDY_RUN_H

#include "assembly/assembly.h"
#include "study/study.h"

typedef struct ew_run {
    const ew_case *one;
    const ew_study_def *def;
    ew_result *result;               /* or null */
    const ew_result_archive *replay; /* or null */

    ew_mesh *mesh;
    ew_topology topology;
    ew_materials materials;
    ew_matrix matrix;               /* host blocks; on a device only to verify, or without fp64 */
    ew_device_mesh device_mesh;     /* with a device, */
    ew_device_matrix device_matrix; /* as this */

    ew_set *set;          /* [n_set] members by slot */
    int32_t *set_members; /* [n_set] active members at the last look */
    bool *set_found;      /* [n_set] had members on the mesh of the case */
    int32_t *set_lost;    /* [n_set] members that this step's edits emptied */
    ew_edit edit;
    ew_change change;

    const ew_case_load *loads_of; /* the list that f was assembled from */
    bool loads_are_current;
    ew_set stale_load;         /* vertices whose entry of f must be recomputed */
    ew_load *load;             /* [load_capacity] */
    ew_constraint *constraint; /* [constraint_capacity] */
    int32_t load_capacity, constraint_capacity;

    ew_constraints constraints;
    int32_t vector_capacity; /* vertices that f and u have room for, and are zeroed for */
    double *f, *u;           /* [n_vertex][3] */
    const double *shown;     /* u, or zeros (f) in a step without analysis: recovered and saved */
    ew_fields fields;
    uint64_t fields_revision; /* of the mesh that `fields` was recovered on; 0: no analysis yet */
    ew_sums sums;
    ew_solver pcg;
    ew_pcg_info solver;

    ew_step_report report;
    ew_edit_report *edit_report; /* [edit_report_capacity] of this step */
    int32_t edit_report_capacity;
    unsigned char *journal; /* of this step */
    int32_t journal_bytes, journal_capacity;
} ew_run;

/* run.c: for the files that change the mesh */
ew_status ew_run_assign_materials(ew_run *run); /* by region, anew when regions were added */
ew_status ew_run_size_vectors(ew_run *run);     /* room for added vertices, zeroed */
ew_status ew_run_build_matrix(ew_run *run);     /* from scratch, where the run keeps it */

/* run_sets.c */
ew_status ew_run_find_sets(ew_run *run);
/* Before a commit: loads on faces that go with removed tets are counted as lost. */
void ew_run_count_lost_faces(ew_run *run, int32_t code);
/* After a commit: emptied vertices' loads are counted as lost, added ones inherit membership. */
ew_status ew_run_follow_sets(ew_run *run);
/* Renames members after a renumbering. */
ew_status ew_run_rename_sets(ew_run *run, const int32_t *vertex_map, int32_t n_old);
/* A set a step uses must not be empty, unless the case allows it. */
ew_status ew_run_require_members(const ew_run *run, int32_t set, int32_t line, bool *usable);

/* run_edits.c */
ew_status ew_run_edits(ew_run *run, const ew_case_step *step, int32_t step_index);
/* Removes the tets of under-constrained components; *any tells whether there were some. What they
 * fixed may be under-constrained then. */
ew_status ew_run_leave_out(ew_run *run, bool *any);
/* Commits run->edit and brings tables, matrix, sets, vectors along. */
ew_status ew_run_commit(ew_run *run, int32_t code);

/* journal.c: what replays a step. One record per commit or renumbering; see the top of the file. */
ew_status ew_journal_commit(ew_run *run, int32_t code);
ew_status ew_journal_compact(ew_run *run);
/* Reads the record at *offset into run->edit and *code; *compact instead when it is a
 * renumbering. Safe on any bytes. */
ew_status ew_journal_next(const unsigned char *bytes, size_t size, size_t *offset, ew_run *run,
                          int32_t *code, bool *compact);

#endif
