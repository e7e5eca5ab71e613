/* Names of vertices and tets in messages: the id, and the slot where it is another number. */
#include "mesh/internal.h"

#include <stdio.h>

ew_name ew_vertex_name(const ew_mesh *mesh, int32_t v)
{
    ew_name n;
    if (v < 0) {
        snprintf(n.text, sizeof n.text, "new vertex %d", EW_NEW_VERTEX(v));
    } else if (mesh->vertex_id[v] == v) {
        snprintf(n.text, sizeof n.text, "vertex %d", v);
    } else {
        snprintf(n.text, sizeof n.text, "vertex %lld (slot %d)", (long long)mesh->vertex_id[v], v);
    }
    return n;
}

ew_name ew_tet_name(const ew_mesh *mesh, int32_t t)
{
    ew_name n;
    if (mesh->tet_id[t] == t) {
        snprintf(n.text, sizeof n.text, "tet %d", t);
    } else {
        snprintf(n.text, sizeof n.text, "tet %lld (slot %d)", (long long)mesh->tet_id[t], t);
    }
    return n;
}
