/* Gmsh .msh, versions 2 to 2.2 and 4.1, text and binary of this machine's byte order, and version
 * 1, which is text (Gmsh reference manual). In: nodes, tets and triangles of first or second order,
 * with physical groups: numbers become regions and face labels, names become groups; elements of
 * curves and points are passed over but for their groups; other volume elements are refused: to
 * drop them changes the body. */
#include "format/gmsh/gmsh.h"

#include <string.h>

static ew_status sort(ew_gmsh *r, ew_numbers *list, const char *what)
{
    int64_t twice;
    return ew_numbers_sort(list, &twice)
               ? EW_OK
               : ew_scan_fail(&r->scan, "two %s have the number %lld", what, (long long)twice);
}

/* ---- sections -------------------------------------------------------------- */

static ew_status read_format(ew_gmsh *r)
{
    double version;
    int64_t is_binary, size;
    int32_t one = 0;
    EW_TRY(ew_gmsh_real(r, "the version", &version));
    if ((version < 2.0 || version > 2.2) && version != 4.1) {
        return ew_scan_fail(&r->scan,
                            "version %g; 1, 2 to 2.2 and 4.1 are read: save with "
                            "Mesh.MshFileVersion = 4.1",
                            version);
    }
    EW_TRY(ew_gmsh_int(r, "the file type", 4, 0, 1, &is_binary));
    EW_TRY(ew_gmsh_int(r, "the size of numbers", 4, 8, 8, &size));
    r->is_4 = version == 4.1;
    r->has_format = true;
    if (is_binary) {
        ew_scan_leave_line(&r->scan);
        r->binary = true;
        EW_TRY(ew_gmsh_take(r, sizeof one, &one));
        if (one != 1) {
            return ew_scan_fail(&r->scan, "the binary data are of another byte order; save as text "
                                          "with Mesh.Binary = 0");
        }
    }
    return EW_OK;
}

static ew_status push_group(ew_gmsh *r, int64_t number)
{
    EW_TRY(ew_grow(&r->group, &r->group_capacity, (int64_t)r->n_group + 1, sizeof *r->group));
    r->group[r->n_group++] = (int32_t)(number < 0 ? -number : number);
    return EW_OK;
}

/* The physical groups of an entity. A negative number is that of a group in which it is turned. */
static ew_status read_entity(ew_gmsh *r, int dimension)
{
    int64_t tag, other;
    double bound;
    int32_t n;
    EW_TRY(ew_gmsh_int(r, "an entity's number", 4, INT32_MIN, INT32_MAX, &tag));
    for (int i = 0; i < (dimension ? 6 : 3); i++) {
        EW_TRY(ew_gmsh_real(r, "an entity's bounds", &bound));
    }
    EW_TRY(ew_gmsh_count(r, "the count of physical groups", 8, 2, &n));
    if (n > EW_GMSH_MAX_GROUPS) {
        return ew_scan_fail(&r->scan, "an entity in %d physical groups; at most %d", n,
                            EW_GMSH_MAX_GROUPS);
    }
    const int32_t first = r->n_group;
    EW_TRY(push_group(r, n));
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(ew_gmsh_int(r, "a physical group", 4, -INT32_MAX, INT32_MAX, &other));
        EW_TRY(push_group(r, other));
    }
    if (dimension) {
        EW_TRY(ew_gmsh_count(r, "the count of bounding entities", 8, 2, &n));
        for (int32_t i = 0; i < n; i++) {
            EW_TRY(ew_gmsh_int(r, "a bounding entity", 4, INT32_MIN, INT32_MAX, &other));
        }
    }
    return ew_numbers_enter(&r->entity[dimension], tag, first);
}

static ew_status read_entities(ew_gmsh *r)
{
    int32_t n[4];
    for (int d = 0; d < 4; d++) {
        EW_TRY(ew_gmsh_count(r, "the count of entities", 8, 1, &n[d]));
    }
    for (int d = 0; d < 4; d++) {
        for (int32_t i = 0; i < n[d]; i++) {
            EW_TRY(read_entity(r, d));
        }
        EW_TRY(sort(r, &r->entity[d], "entities"));
    }
    return EW_OK;
}

/* ---- nodes ------------------------------------------------------------------- */

static ew_status read_point(ew_gmsh *r, int32_t i)
{
    EW_TRY(ew_grow(&r->xyz, &r->xyz_capacity, (int64_t)i + 1, 3 * sizeof *r->xyz));
    for (int k = 0; k < 3; k++) {
        EW_TRY(ew_gmsh_real(r, "a coordinate", r->xyz + 3 * (size_t)i + k));
    }
    return EW_OK;
}

static ew_status read_nodes_2(ew_gmsh *r)
{
    int64_t tag;
    int32_t n = 0;
    EW_TRY(ew_gmsh_text_count(r, "the count of nodes", &n));
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(ew_gmsh_int(r, "a node's number", 4, 0, INT32_MAX, &tag));
        EW_TRY(ew_numbers_enter(&r->node, tag, i));
        EW_TRY(read_point(r, i));
    }
    return EW_OK;
}

/* The nodes of one entity: their numbers, then their places. */
static ew_status read_node_block(ew_gmsh *r)
{
    int64_t dimension, tag, is_parametric;
    double parameter;
    int32_t n;
    EW_TRY(ew_gmsh_int(r, "a dimension", 4, 0, 3, &dimension));
    EW_TRY(ew_gmsh_int(r, "an entity's number", 4, INT32_MIN, INT32_MAX, &tag));
    EW_TRY(ew_gmsh_int(r, "parametric", 4, 0, 1, &is_parametric));
    EW_TRY(ew_gmsh_count(r, "the count of nodes", 8, EW_MIN_BYTES(4), &n));
    const int32_t first = r->node.n;
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(ew_gmsh_int(r, "a node's number", 8, 0, INT64_MAX, &tag));
        EW_TRY(ew_numbers_enter(&r->node, tag, first + i));
    }
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(read_point(r, first + i));
        for (int64_t k = 0; is_parametric && k < dimension; k++) {
            EW_TRY(ew_gmsh_real(r, "a parameter", &parameter));
        }
    }
    return EW_OK;
}

static ew_status read_nodes(ew_gmsh *r)
{
    int32_t n_block = 0;
    if (r->node.n) {
        return ew_scan_fail(&r->scan, "a second section $Nodes; a mesh has one");
    }
    EW_TRY(r->is_4 ? ew_gmsh_head(r, &n_block) : read_nodes_2(r));
    for (int32_t i = 0; i < n_block; i++) {
        EW_TRY(read_node_block(r));
    }
    return sort(r, &r->node, "nodes");
}

/* ---- the file -------------------------------------------------------------------- */

static ew_status read_section(ew_gmsh *r, const char *name)
{
    if (!strcmp(name, "MeshFormat")) {
        return read_format(r);
    }
    if (!r->has_format && (!strcmp(name, "NOD") || !strcmp(name, "ELM"))) {
        r->is_1 = true;
        return *name == 'N' ? read_nodes(r) : ew_gmsh_read_elements(r);
    }
    if (!r->has_format) {
        return ew_scan_fail(&r->scan, "$%s before $MeshFormat, which a .msh file begins with",
                            name);
    }
    if (!strcmp(name, "Entities") && r->is_4) {
        return read_entities(r);
    }
    if (!strcmp(name, "PartitionedEntities")) {
        return ew_scan_fail(&r->scan, "a partitioned mesh; save it without partitions");
    }
    if (!strcmp(name, "Comments")) {
        const size_t n = sizeof EW_GMSH_REGIONS - 1;
        r->region_is_first = r->region_is_first || ((size_t)(r->scan.end - r->scan.at) > n &&
                                                    !memcmp(r->scan.at, EW_GMSH_REGIONS, n));
    }
    return !strcmp(name, "Nodes")           ? read_nodes(r)
           : !strcmp(name, "Elements")      ? ew_gmsh_read_elements(r)
           : !strcmp(name, "PhysicalNames") ? ew_gmsh_read_names(r)
                                            : EW_OK;
}

/* The name of a section behind its $, case kept. */
static ew_status read_name(ew_gmsh *r, char name[EW_WORD])
{
    size_t n = 0;
    if (*r->scan.at != '$') {
        return ew_scan_fail(&r->scan, "the name of a section, such as $Nodes, should stand here; "
                                      "the section before has more entries than its count, or the "
                                      "file is no .msh file");
    }
    for (r->scan.at++; r->scan.at<r->scan.end && * r->scan.at> ' '; r->scan.at++) {
        if (n < EW_WORD - 1) {
            name[n++] = *r->scan.at;
        }
    }
    name[n] = 0;
    ew_scan_leave_line(&r->scan);
    return EW_OK;
}

/* Of two tets the second is the one to look at. */
static ew_status name_place(const ew_gmsh *r, ew_status status)
{
    const ew_failure *failure = ew_last_failure();
    const int64_t tet = failure->id[1] >= 0 ? failure->id[1] : failure->id[0];
    if (tet < 0) {
        return status;
    }
    if (r->binary) {
        return ew_fail_prefix(status, "before byte %lld: counted from 0", (long long)r->place[tet]);
    }
    ew_fail_line(status, (int32_t)r->place[tet]);
    return ew_fail_prefix(status, "counted from 0");
}

static ew_status read_all(ew_gmsh *r, ew_mesh *mesh, ew_mesh_repair *repair, ew_groups *groups)
{
    char name[EW_WORD];
    while (ew_scan_anywhere(&r->scan)) {
        EW_TRY(read_name(r, name));
        EW_TRY(read_section(r, name));
        EW_TRY(ew_gmsh_leave(r, name));
    }
    if (!r->n_tet) {
        return ew_scan_fail(&r->scan, "the file has no tets; mesh the volume in Gmsh (-3), and "
                                      "where there are physical groups have one of the volume");
    }
    return ew_gmsh_finish(r, mesh, repair, groups);
}

ew_status ew_gmsh_finish(ew_gmsh *r, ew_mesh *mesh, ew_mesh_repair *repair, ew_groups *groups)
{
    EW_TRY(ew_gmsh_name_groups(r, groups));
    const ew_mesh_def def = {.n_vertex = r->node.n,
                             .xyz = r->xyz,
                             .n_tet = r->n_tet,
                             .tet = r->tet,
                             .region = r->region,
                             .n_face = r->n_face,
                             .face = r->face,
                             .face_label = r->face_label};
    ew_status status = ew_mesh_init(mesh, &def, repair);
    if (!status && r->has_middles) {
        status = ew_take_middles(mesh, repair, r->tet, r->middle, r->xyz);
    }
    return status ? name_place(r, status) : EW_OK;
}

void ew_gmsh_free(ew_gmsh *r)
{
    ew_numbers_free(&r->node);
    for (int d = 0; d < 4; d++) {
        ew_numbers_free(&r->entity[d]);
        ew_numbers_free(&r->member[d]);
    }
    ew_release(r->group);
    ew_release(r->name);
    ew_release(r->xyz);
    ew_release(r->tet);
    ew_release(r->region);
    ew_release(r->middle);
    ew_release(r->place);
    ew_release(r->face);
    ew_release(r->face_label);
}

static ew_status read_mesh(const ew_mesh_input *input, ew_mesh *mesh, ew_mesh_repair *repair,
                           ew_groups *groups)
{
    ew_gmsh r = {.scan = ew_scan_begin(input->file->data, input->file->size, "")};
    r.begin = r.scan.at;
    const ew_status status = read_all(&r, mesh, repair, groups);
    ew_gmsh_free(&r);
    return status;
}

const ew_format ew_format_gmsh = {
    .name = "Gmsh",
    .holds = "nodes, triangles, tets (of ten nodes, too), physical groups and their names",
    .endings = ".msh",
    .n_file = 1,
    .n_needed = 1,
    .read_mesh = read_mesh,
    .write_mesh = ew_gmsh_write,
    .comment = {"$Comments\n", "", "$EndComments\n"},
    .writes_groups = true,
    .writes_middles = true,
};
