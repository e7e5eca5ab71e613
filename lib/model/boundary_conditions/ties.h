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
    ew_contact_rows rows; /* three for each slave vertex that is tied */
} model_tie;

typedef struct model_ties {
    int32_t n, capacity;
    model_tie *tie;    /* [n] owned; those behind have memory */
    uint64_t revision; /* of the mesh that the rows are of; 0: none */
} model_ties;

/* Rows of the mesh as it is, unless they are there, and an equation for each. */
ew_status model_make_ties(ew_model *model);
void model_take_ties(ew_model *model); /* forces, from the multipliers of the equations */
/* Those of the next use are made from nothing. */
void model_forget_tie_rows(model_ties *of);
void model_free_ties(ew_model *model);

#endif
