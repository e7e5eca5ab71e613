/* A response under way, shared by the files that run it. Private to study. */
#ifndef EW_STUDY_RESPONSE_H
#define EW_STUDY_RESPONSE_H

#include "study/run/run.h"

typedef struct response {
    ew_study *study;
    const ew_case_step *step;
    const ew_case_response *of;
    const ew_modes *modes;          /* null: of a direct one, */
    const ew_harmonic *direct;      /* which has this */
    int32_t n_shape;                /* modes, or vectors of a direct one */
    const double *shape;            /* [n_shape][3 (n_vertex + n_edge)] borrowed */
    size_t n_vertex, n_edge, n_tet; /* n_edge: rows */
    double *before;                 /* [3 (n_vertex + n_edge)] displacement of the model */
    double *load;                   /* [3 (n_vertex + n_edge)] HARMONIC */
    double *force;                  /* [n_shape] modal forces, or participation */
    double *column;                 /* [n_shape + 2][n_shape] of modes */
    double *u[2];                   /* [3 (n_vertex + n_edge)] of a column; HARMONIC: both */
    double *square;                 /* [3 (n_vertex + n_edge)] sums; of edges at their middles */
    double *stress[4];              /* vertex stress and von Mises, of tets both: sums, too */
    ew_fields fields;               /* of the record: these */
    study_harmonic harmonic;        /* HARMONIC: and these, whose memory is here */
    double *part_memory;
    ew_set_results *set[2];     /* [n_set] HARMONIC: of the real and the imaginary part */
    study_harmonic_set *of_set; /* [n_set] */
} response;

/* response_parts.c: memory; after the recovery of a part of the motion, what it says; after both,
 * amplitudes and phases of sets. */
ew_status response_make_parts(response *in);
ew_status response_take_part(response *in, int part, const ew_fields *fields);
ew_status response_join_parts(response *in);
void response_free_parts(response *in);

#endif
