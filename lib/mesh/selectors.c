/* Selectors by kind, and loops over what there is in a mesh. In: what a kind reads; a slot. Out: a
 * selector; the next slot that is no hole. */
#include "mesh/parts/mesh.h"

#include <string.h>

ew_selector ew_select_box(const double low[3], const double high[3])
{
    ew_selector selector = {.kind = EW_SELECT_BOX};
    memcpy(selector.a, low, sizeof selector.a);
    memcpy(selector.b, high, sizeof selector.b);
    return selector;
}

ew_selector ew_select_sphere(const double center[3], double radius)
{
    ew_selector selector = {.kind = EW_SELECT_SPHERE, .radius = radius};
    memcpy(selector.a, center, sizeof selector.a);
    return selector;
}

ew_selector ew_select_cylinder(const double from[3], const double to[3], double radius)
{
    ew_selector selector = {.kind = EW_SELECT_CYLINDER, .radius = radius};
    memcpy(selector.a, from, sizeof selector.a);
    memcpy(selector.b, to, sizeof selector.b);
    return selector;
}

ew_selector ew_select_plane(const double point[3], const double normal[3], double tolerance)
{
    ew_selector selector = {.kind = EW_SELECT_PLANE, .radius = tolerance};
    memcpy(selector.a, point, sizeof selector.a);
    memcpy(selector.b, normal, sizeof selector.b);
    return selector;
}

ew_selector ew_select_side(const double point[3], const double normal[3])
{
    ew_selector selector = {.kind = EW_SELECT_SIDE};
    memcpy(selector.a, point, sizeof selector.a);
    memcpy(selector.b, normal, sizeof selector.b);
    return selector;
}

ew_selector ew_select_nearest(const double point[3])
{
    ew_selector selector = {.kind = EW_SELECT_NEAREST};
    memcpy(selector.a, point, sizeof selector.a);
    return selector;
}

ew_selector ew_select_region(int32_t label)
{
    ew_selector selector = {.kind = EW_SELECT_REGION, .label = label};
    return selector;
}

ew_selector ew_select_surface(int32_t label)
{
    ew_selector selector = {.kind = EW_SELECT_SURFACE, .label = label};
    return selector;
}

ew_selector ew_select_ids(int32_t n, const int64_t *id)
{
    ew_selector selector = {.kind = EW_SELECT_IDS, .n_id = n, .id = id};
    return selector;
}

ew_selector ew_select_all(void)
{
    ew_selector selector = {.kind = EW_SELECT_ALL};
    return selector;
}

int32_t ew_mesh_next_tet(const ew_mesh *mesh, int32_t tet)
{
    int32_t t = tet < 0 ? 0 : tet < mesh->n_tet ? tet + 1 : mesh->n_tet;
    while (t < mesh->n_tet && !ew_mesh_tet_is_live(mesh, t)) {
        t++;
    }
    return t < mesh->n_tet ? t : -1;
}

int32_t ew_mesh_next_vertex(const ew_mesh *mesh, int32_t vertex)
{
    int32_t v = vertex < 0 ? 0 : vertex < mesh->n_vertex ? vertex + 1 : mesh->n_vertex;
    while (v < mesh->n_vertex && !ew_mesh_vertex_is_active(mesh, v)) {
        v++;
    }
    return v < mesh->n_vertex ? v : -1;
}
