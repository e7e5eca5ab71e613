/* components: private to analysis. The search for under-constrained components, and what it leaves:
 * every component as a rigid body. */
#ifndef EW_ANALYSIS_COMPONENTS_H
#define EW_ANALYSIS_COMPONENTS_H

#include "analysis/check/rigid.h"

typedef struct ew_component_search {
    const ew_mesh *mesh;               /* borrowed */
    const ew_constraints *constraints; /* borrowed */
    int32_t n_component;
    int32_t *component;       /* [n_tet] owned, as all below: ew_topology_components */
    int32_t *vertex_begin;    /* [n_vertex + 1] into vertex_component */
    ew_list vertex_component; /* distinct components at each vertex */
    int32_t *shared_begin;    /* [n_component + 1] into shared_vertex */
    int32_t *shared_vertex;   /* vertices of each component that other components have too */
    ew_rigid *body;           /* [n_component]; rank 6: constrained */
    int32_t *mark;            /* [n_component] each stage says what for */
    uint8_t *fixed; /* [n_vertex] directions fixed by constraints or by constrained components;
                       EW_OBLIQUE: other supports */
} ew_component_search;

/* Fills a zeroed search. EW_STALE when the tables or the constraints are not the mesh's. Free it
 * also after a failure. */
ew_status ew_component_search_run(ew_component_search *search, const ew_mesh *mesh,
                                  const ew_topology *topology, const ew_constraints *constraints);
void ew_component_search_free(ew_component_search *search);

/* The under-constrained components, as of ew_find_free_components. (free_components.c) */
ew_status ew_component_search_list(ew_component_search *search, ew_free_component **free,
                                   int32_t *n_free);
/* EW_UNDER_CONSTRAINED with the message of the first of them, EW_OK when there is none. */
ew_status ew_component_search_verdict(ew_component_search *search);

#endif
