/* Private to format: the arrays of a mesh being read, and the names that errors found later
 * get: the line of a tet or a triangle is counted again from where its section began. */
#ifndef EW_FORMAT_DRAFT_H
#define EW_FORMAT_DRAFT_H

#include "format/framework/scan.h"

typedef struct ew_draft {
    int32_t n_vertex, n_tet, n_face;
    double *xyz;                 /* [n_vertex][3] owned */
    int32_t *tet;                /* [n_tet][4] owned, 0-based once checked */
    int32_t *region;             /* [n_tet] owned */
    int32_t *middle;             /* [n_tet][6] owned, likewise: see ew_take_middles; or null */
    int32_t *face;               /* [n_face][3] owned, likewise */
    int32_t *face_label;         /* [n_face] owned */
    int32_t first;               /* the file's number of the first vertex */
    ew_scan tet_scan, face_scan; /* at the first entry of the section */
    int32_t tet_numbers, face_numbers; /* numbers of an entry; 0: an entry is a line */
} ew_draft;

/* Subtracts the file's first number from all vertices; one out of range fails with its line. */
ew_status ew_draft_shift(ew_draft *draft);
/* After ew_mesh_init with all nodes of a file as vertices: those that are middles of sides, of
 * tet's side k middle[6 * tet + k] in the order of mesh.h, -1: none, are vertices no more, and the
 * mesh has its curved sides. Others keep their vertex_id, the node's place in the file. tet:
 * [n_tet][4] as given to ew_mesh_init; xyz: of all nodes. Fails as ew_mesh_set_middles does, and
 * where a middle is a corner, too; the mesh is then released. */
ew_status ew_take_middles(ew_mesh *mesh, ew_mesh_repair *repair, const int32_t *tet,
                          const int32_t *middle, const double *xyz);
/* ew_mesh_init, then ew_take_middles, the message preceded by the line of the tet that it names. */
ew_status ew_draft_to_mesh(const ew_draft *draft, ew_mesh *mesh, ew_mesh_repair *repair);
void ew_draft_free(ew_draft *draft);

#endif
