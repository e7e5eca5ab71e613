/* ties: private to model. Rows of slave faces that masters take along, as equations behind those of
 * couplings (equations.c). */
#ifndef EW_MODEL_TIES_H
#define EW_MODEL_TIES_H

#include "contact/parts/contact.h"
#include "model/records.h"

typedef struct model_tie {
    ew_model_tie given;
    bool is_lost;
    int32_t n_vertex;     /* of the slave */
    int32_t first_row;    /* among the equations */
    double force[3];      /* of masters on slaves, of the last recovery; else 0 */
    ew_contact_rows rows; /* three for each slave vertex that is tied; none where `image` has any */
    ew_list side; /* owned: of a bolt whose sides have the same faces the rows of their edges in
                     turn, -1: none; multipliers, linear between vertices, do not keep these
                     together where the faces are not in a plane */
    /* Of EW_TIE_CYCLIC (tie_images.c): */
    int32_t end_row;    /* behind its equations */
    double whole;       /* area of the slave */
    ew_list image;      /* owned: rows of a slave and of its master in turn, vertices first; -1:
                           the other one has no coefficient. None: the sides do not match, */
    ew_set turned, own; /* then rows of masters; slave vertices that are not their own images */
    double *placed;     /* [vertices][3] owned: the mesh with masters on their images, and behind it
                           [rows of edges][3] where sides are curved; or null */
} model_tie;

/* A wave round the axis of a sector: the slave is the turned master times exp(i angle). */
typedef struct model_wave {
    int32_t tie;    /* of EW_TIE_CYCLIC */
    int32_t n_part; /* 1: sine is 0 and u real; 2: real and imaginary part, */
    int32_t n_row;  /* of so many rows each */
    double cosine, sine;
} model_wave;

typedef struct model_ties {
    int32_t n, capacity;
    model_tie *tie;    /* [n] owned; those behind have memory */
    uint64_t revision; /* of the mesh that the rows are of; 0: none */
} model_ties;

/* Rows of the mesh as it is, unless they are there, and an equation for each. */
ew_status model_make_ties(ew_model *model);
/* tie_images.c. Vertices of faces, into an empty list. */
ew_status model_list_corners(const ew_mesh *mesh, const ew_list *face, ew_list *vertex);
/* Of tie i of EW_TIE_CYCLIC, between these faces: its pairs of rows, or the masters as placed;
 * size: of a face. EW_BAD_INPUT about it: sides that do not match have vertices in common. */
ew_status model_find_images(ew_model *model, int32_t i, const ew_list *slave, const ew_list *master,
                            double size);
/* Its equations, and of a wave in `to` those of one part. */
ew_status model_add_images(const model_tie *tie, const model_wave *wave, int32_t part,
                           int32_t place, model_equations *to);
/* Of a bolt of quadratic tets: the rows of edges of both sides, where these match. */
ew_status model_match_sides(ew_model *model, model_tie *tie, const ew_list *slave,
                            const ew_list *master, double size);
void model_find_image_force(const model_equations *of, int32_t n_vertex, model_tie *tie);
void model_forget_images(model_tie *tie);
void model_take_ties(ew_model *model); /* forces, from the multipliers of the equations */
/* Those of the next use are made from nothing. */
void model_forget_tie_rows(model_ties *of);
void model_free_ties(ew_model *model);

#endif
