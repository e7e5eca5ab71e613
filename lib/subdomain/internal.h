/* subdomain, private: what the files of this folder share. */
#ifndef EW_SUBDOMAIN_INTERNAL_H
#define EW_SUBDOMAIN_INTERNAL_H

#include "subdomain/parts/subdomain.h"

/* One more of a list. (records.c) */
ew_status ew_records_push_vertex(ew_records *records, const ew_vertex_record *vertex);
ew_status ew_records_push_tet(ew_records *records, const ew_tet_record *tet);
ew_status ew_records_push_face(ew_records *records, const ew_face_record *face);
ew_status ew_records_push_gone_tet(ew_records *records, int64_t id);
ew_status ew_records_push_gone_vertex(ew_records *records, int64_t id);
/* All of n in place of what was there: vertices and tets ascending by number, the rest by ids, each
 * once. EW_BAD_INPUT: two of one number. (records.c) */
ew_status ew_records_merge(ew_records *all, int32_t n, const ew_records *records);

/* Places by id, for ids that a batch or a message names: -1 where there is none. (records.c) */
static inline ew_status ew_enter_id(ew_map *map, int64_t id, int32_t place)
{
    int32_t old;
    return ew_map_enter(map, (int32_t)(id >> 32), (int32_t)(id & 0x7fffffff),
                        (int32_t)(id >> 31 & 1), place, &old);
}
static inline int32_t ew_find_id(const ew_map *map, int64_t id)
{
    return ew_map_find(map, (int32_t)(id >> 32), (int32_t)(id & 0x7fffffff),
                       (int32_t)(id >> 31 & 1));
}

/* Room for what the part knows of so many slots. (subdomain.c) */
ew_status ew_subdomain_reserve(ew_subdomain *subdomain, int64_t n_vertex, int64_t n_tet);

#endif
