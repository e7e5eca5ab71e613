/* Private to mapping: the lists of vertices by tet. */
#ifndef EW_MAPPING_INTERNAL_H
#define EW_MAPPING_INTERNAL_H

#include "mapping/place.h"

/* Room for lists of so many tets; new ones are empty. */
ew_status mapping_reserve_tets(ew_mapping *mapping, int32_t n_tet);
/* All lists from mapping->tet. */
void mapping_list_vertices(ew_mapping *mapping);
/* Tet, weights and distance of a vertex; lists stay as they are. */
void mapping_put(ew_mapping *mapping, int32_t v, const ew_place *place);

#endif
