/* Elements of a Gmsh file. In: their section, of each version. Out: tets with regions and middles,
 * triangles with labels, members of groups. */
#include "format/gmsh/gmsh.h"

#include <string.h>

enum {
    LATEST_TYPE = 19,
    TRIANGLE = EW_GMSH_TRIANGLE,
    TET = EW_GMSH_TET,
    TRIANGLE_6 = EW_GMSH_TRIANGLE_6,
    TET_10 = EW_GMSH_TET_10,
    MAX_NODES = 32
};
/* Places of a ten-node tet's middles, 01 12 02 03 23 13, by edge. */
static const int8_t middle_at[6] = {4, 6, 7, 5, 9, 8};
/* Nodes of an element of each type, and its dimension. */
static const int8_t n_node_of[LATEST_TYPE + 1] = {0, 2,  3,  4,  4,  8, 6, 5,  3,  6,
                                                  9, 10, 27, 18, 14, 1, 8, 20, 15, 13};
static const int8_t dimension_of[LATEST_TYPE + 1] = {0, 1, 2, 2, 3, 3, 3, 3, 1, 2,
                                                     2, 3, 3, 3, 3, 0, 2, 3, 3, 3};

static ew_status check_type(ew_gmsh *r, int64_t type)
{
    if (type < 1 || type > LATEST_TYPE) {
        return ew_scan_fail(&r->scan,
                            "elements of type %lld; tets and triangles are read, linear ones and "
                            "those of second order",
                            (long long)type);
    }
    if (dimension_of[type] == 3 && type != TET && type != TET_10) {
        return ew_scan_fail(&r->scan,
                            "volume elements of type %lld; only tets of four or ten nodes are "
                            "read: save without recombination",
                            (long long)type);
    }
    return EW_OK;
}

static ew_status add_triangle(ew_gmsh *r, const int32_t *node, int32_t group)
{
    const int64_t n = (int64_t)r->n_face + 1;
    EW_TRY(ew_grow(&r->face, r->capacity + 2, n, 3 * sizeof *r->face));
    EW_TRY(ew_grow(&r->face_label, r->capacity + 3, n, sizeof *r->face_label));
    memcpy(r->face + 3 * (size_t)r->n_face, node, 3 * sizeof *node);
    r->face_label[r->n_face++] = group;
    return EW_OK;
}

static ew_status add_tet(ew_gmsh *r, int64_t type, const int32_t *node, int32_t group)
{
    const int64_t n = (int64_t)r->n_tet + 1;
    EW_TRY(ew_grow(&r->tet, r->capacity, n, 4 * sizeof *r->tet));
    EW_TRY(ew_grow(&r->region, r->capacity + 1, n, sizeof *r->region));
    EW_TRY(ew_grow(&r->place, &r->place_capacity, n, sizeof *r->place));
    EW_TRY(ew_grow(&r->middle, &r->middle_capacity, n, 6 * sizeof *r->middle));
    r->place[r->n_tet] = r->binary ? r->scan.at - r->begin : r->scan.line;
    for (size_t k = 0; k < 6; k++) {
        r->middle[6 * (size_t)r->n_tet + k] = type == TET ? -1 : node[middle_at[k]];
    }
    r->has_middles = r->has_middles || type == TET_10;
    memcpy(r->tet + 4 * (size_t)r->n_tet, node, 4 * sizeof *node);
    r->region[r->n_tet++] = group;
    return EW_OK;
}

/* In 2.2 an element of several groups stands there once for each of them, one behind the other. */
static bool is_last_tet(const ew_gmsh *r, const int32_t *node)
{
    return !r->is_4 && r->n_tet &&
           !memcmp(r->tet + 4 * ((size_t)r->n_tet - 1), node, 4 * sizeof *node);
}

/* A tet or a triangle is kept; of all dimensions but that of triangles, members of groups. The
 * first group of a tet is its region for now, a triangle is kept for each of its groups. */
ew_status ew_gmsh_take_element(ew_gmsh *r, int64_t type, const int32_t *node, int32_t n_group,
                               const int32_t *group)
{
    const bool is_tet = type == TET || type == TET_10;
    if (is_tet && is_last_tet(r, node)) {
        const bool other = n_group && group[0] != r->region[r->n_tet - 1];
        return other ? ew_numbers_enter(&r->member[3], group[0], r->n_tet - 1) : EW_OK;
    }
    EW_TRY(is_tet ? add_tet(r, type, node, n_group ? group[0] : 0) : EW_OK);
    for (int32_t i = 1; i < n_group && is_tet; i++) {
        const bool other = group[i] != group[0];
        EW_TRY(other ? ew_numbers_enter(&r->member[3], group[i], r->n_tet - 1) : EW_OK);
    }
    if (type == TRIANGLE || type == TRIANGLE_6) {
        for (int32_t i = 0; i < (n_group ? n_group : 1); i++) {
            EW_TRY(add_triangle(r, node, n_group ? group[i] : 0));
        }
    }
    const int8_t dimension = dimension_of[type];
    for (int32_t i = 0; i < n_group && dimension < 2; i++) {
        for (int32_t k = 0; k < n_node_of[type]; k++) {
            EW_TRY(ew_numbers_enter(&r->member[dimension], group[i], node[k]));
        }
    }
    return EW_OK;
}

/* The nodes of one element. */
static ew_status read_element(ew_gmsh *r, int64_t type, int32_t n_group, const int32_t *group)
{
    int32_t node[MAX_NODES];
    for (int32_t i = 0; i < n_node_of[type]; i++) {
        int64_t tag;
        EW_TRY(ew_gmsh_int(r, "a node's number", r->is_4 ? 8 : 4, 0, INT64_MAX, &tag));
        const ew_numbered *found = ew_numbers_find(&r->node, tag);
        if (!found) {
            return ew_scan_fail(&r->scan, "an element names node %lld, which $Nodes does not have",
                                (long long)tag);
        }
        node[i] = found->to;
    }
    return ew_gmsh_take_element(r, type, node, n_group, group);
}

/* An element of 2.2 with its tags, of which the first is the physical group, 0: none. */
static ew_status read_tagged(ew_gmsh *r, int64_t type, int64_t n_tag)
{
    int64_t tag, group = 0;
    for (int64_t i = 0; i < n_tag; i++) {
        EW_TRY(ew_gmsh_int(r, "a tag", 4, -INT32_MAX, INT32_MAX, &tag));
        group = i ? group : tag < 0 ? -tag : tag;
    }
    const int32_t number = (int32_t)group;
    return read_element(r, type, number ? 1 : 0, &number);
}

static ew_status read_elements_2(ew_gmsh *r)
{
    int64_t number, type, n_tag, n_same = 1;
    int32_t n = 0;
    EW_TRY(ew_gmsh_text_count(r, "the count of elements", &n));
    for (int64_t i = 0; i < n; i += n_same) {
        if (!r->binary) {
            EW_TRY(ew_gmsh_int(r, "an element's number", 4, 0, INT32_MAX, &number));
        }
        EW_TRY(ew_gmsh_int(r, "an element's type", 4, 0, INT32_MAX, &type));
        EW_TRY(check_type(r, type));
        if (r->binary) {
            EW_TRY(ew_gmsh_int(r, "the count of elements of a type", 4, 1, n - i, &n_same));
        }
        EW_TRY(ew_gmsh_int(r, "the count of tags", 4, 0, EW_GMSH_MAX_GROUPS, &n_tag));
        for (int64_t k = 0; k < n_same; k++) {
            if (r->binary) {
                EW_TRY(ew_gmsh_int(r, "an element's number", 4, 0, INT32_MAX, &number));
            }
            EW_TRY(read_tagged(r, type, n_tag));
        }
    }
    return EW_OK;
}

/* Of version 1: number, type, physical group, entity, count of nodes, nodes. */
static ew_status read_elements_1(ew_gmsh *r)
{
    int64_t number, type, group, n_node;
    int32_t n = 0;
    EW_TRY(ew_gmsh_text_count(r, "the count of elements", &n));
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(ew_gmsh_int(r, "an element's number", 4, 0, INT32_MAX, &number));
        EW_TRY(ew_gmsh_int(r, "an element's type", 4, 0, INT32_MAX, &type));
        EW_TRY(check_type(r, type));
        EW_TRY(ew_gmsh_int(r, "a physical group", 4, -INT32_MAX, INT32_MAX, &group));
        EW_TRY(ew_gmsh_int(r, "an entity's number", 4, INT32_MIN, INT32_MAX, &number));
        EW_TRY(ew_gmsh_int(r, "the count of nodes", 4, n_node_of[type], n_node_of[type], &n_node));
        const int32_t of = (int32_t)(group < 0 ? -group : group);
        EW_TRY(read_element(r, type, of ? 1 : 0, &of));
    }
    return EW_OK;
}

static ew_status read_element_block(ew_gmsh *r)
{
    int64_t dimension, tag, type, number;
    int32_t n;
    EW_TRY(ew_gmsh_int(r, "a dimension", 4, 0, 3, &dimension));
    EW_TRY(ew_gmsh_int(r, "an entity's number", 4, INT32_MIN, INT32_MAX, &tag));
    EW_TRY(ew_gmsh_int(r, "an element's type", 4, 0, INT32_MAX, &type));
    EW_TRY(check_type(r, type));
    EW_TRY(ew_gmsh_count(r, "the count of elements", 8, 2, &n));
    const ew_numbered *entity = ew_numbers_find(&r->entity[dimension], tag);
    const int32_t *group = entity ? r->group + entity->to : NULL;
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(ew_gmsh_int(r, "an element's number", 8, 0, INT64_MAX, &number));
        EW_TRY(read_element(r, type, group ? group[0] : 0, group ? group + 1 : NULL));
    }
    return EW_OK;
}

ew_status ew_gmsh_read_elements(ew_gmsh *r)
{
    int32_t n_block = 0;
    if (!r->node.n) {
        return ew_scan_fail(&r->scan, "$Elements before $Nodes");
    }
    EW_TRY(r->is_4 ? ew_gmsh_head(r, &n_block) : r->is_1 ? read_elements_1(r) : read_elements_2(r));
    for (int32_t i = 0; i < n_block; i++) {
        EW_TRY(read_element_block(r));
    }
    return EW_OK;
}
