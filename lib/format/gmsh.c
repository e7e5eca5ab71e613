/* Gmsh .msh, versions 2.2 and 4.1, text and binary of this machine's byte order (Gmsh reference
 * manual, "MSH file format"). In: nodes, tets and triangles with their physical groups, whose
 * numbers become regions and face labels; other elements of surfaces, curves and points are passed
 * over, volume elements that Edgewise lacks are refused: to drop them would change the body. Out: a
 * mesh. */
#include "format/formats.h"
#include "format/numbers.h"
#include "format/scan.h"

#include <math.h>
#include <string.h>

enum { LATEST_TYPE = 19, TRIANGLE = 2, TET = 4, MAX_TAGS = 64 };
/* Nodes of an element of each type, and its dimension. */
static const int8_t n_node_of[LATEST_TYPE + 1] = {0, 2,  3,  4,  4,  8, 6, 5,  3,  6,
                                                  9, 10, 27, 18, 14, 1, 8, 20, 15, 13};
static const int8_t dimension_of[LATEST_TYPE + 1] = {0, 1, 2, 2, 3, 3, 3, 3, 1, 2,
                                                     2, 3, 3, 3, 3, 0, 2, 3, 3, 3};

typedef struct reader {
    ew_scan scan;
    bool binary, is_4; /* version 4.1, else 2.2 */
    bool has_format;
    const char *begin;    /* of the file */
    ew_numbers node;      /* to: its index */
    ew_numbers entity[4]; /* by dimension; to: its physical group, 0: none */
    int32_t n_tet, n_face, xyz_capacity, place_capacity, capacity[4];
    double *xyz;                /* [node.n][3] owned */
    int32_t *tet, *region;      /* owned, nodes by index */
    int64_t *place;             /* [n_tet] owned: line of a tet, in binary its byte */
    int32_t *face, *face_label; /* owned */
} reader;

/* ---- numbers, as text or as bytes ---------------------------------------- */

static ew_status take(reader *r, size_t bytes, void *value)
{
    if ((size_t)(r->scan.end - r->scan.at) < bytes) {
        return ew_scan_fail(&r->scan, "the file ends in the middle of its binary data");
    }
    memcpy(value, r->scan.at, bytes);
    r->scan.at += bytes;
    return EW_OK;
}

/* bytes: that it has in binary, 4 or 8. */
static ew_status next_int(reader *r, const char *what, size_t bytes, int64_t low, int64_t high,
                          int64_t *value)
{
    if (!r->binary) {
        ew_scan_anywhere(&r->scan);
        return ew_scan_int(&r->scan, what, low, high, value);
    }
    int32_t narrow = 0;
    EW_TRY(take(r, bytes, bytes == 4 ? (void *)&narrow : (void *)value));
    *value = bytes == 4 ? narrow : *value;
    return *value >= low && *value <= high
               ? EW_OK
               : ew_scan_fail(&r->scan, "%s is %lld; expected a whole number from %lld to %lld",
                              what, (long long)*value, (long long)low, (long long)high);
}

static ew_status next_real(reader *r, const char *what, double *value)
{
    if (r->binary) {
        EW_TRY(take(r, sizeof *value, value));
        return isfinite(*value)
                   ? EW_OK
                   : ew_scan_fail(&r->scan, "%s in the binary data is not finite", what);
    }
    ew_scan_anywhere(&r->scan);
    return ew_scan_real(&r->scan, what, value);
}

/* A count of entries that take at least `bytes` bytes each, in text or in binary. */
static ew_status next_count(reader *r, const char *what, size_t bytes_of_count, size_t bytes,
                            int32_t *count)
{
    int64_t n;
    EW_TRY(next_int(r, what, bytes_of_count, 0, INT32_MAX, &n));
    if ((uint64_t)n > (uint64_t)(r->scan.end - r->scan.at) / bytes) {
        return ew_scan_fail(&r->scan, "%s is %lld, more than the rest of the file can hold", what,
                            (long long)n);
    }
    *count = (int32_t)n;
    return EW_OK;
}

static ew_status sort(reader *r, ew_numbers *list, const char *what)
{
    int64_t twice;
    return ew_numbers_sort(list, &twice)
               ? EW_OK
               : ew_scan_fail(&r->scan, "two %s have the number %lld", what, (long long)twice);
}

/* ---- sections -------------------------------------------------------------- */

/* Behind the line "$End" + name, which binary data may not hide. */
static ew_status leave_section(reader *r, const char *name)
{
    char ending[EW_WORD + 8] = "$End";
    strncat(ending, name, EW_WORD);
    const size_t length = strlen(ending);
    for (const char *at = r->scan.at; (size_t)(r->scan.end - at) >= length; at++) {
        at = memchr(at, '$', (size_t)(r->scan.end - at));
        if (!at || (size_t)(r->scan.end - at) < length) {
            break;
        }
        if (!memcmp(at, ending, length)) {
            for (const char *p = r->scan.at; p < at && !r->binary; p++) {
                r->scan.line += *p == '\n';
            }
            r->scan.at = at + length;
            ew_scan_leave_line(&r->scan);
            return EW_OK;
        }
    }
    return ew_scan_fail(&r->scan, "the file ends without %s", ending);
}

static ew_status read_format(reader *r)
{
    double version;
    int64_t is_binary, size;
    int32_t one = 0;
    EW_TRY(next_real(r, "the version", &version));
    if (version != 2.2 && version != 4.1) {
        return ew_scan_fail(&r->scan,
                            "version %g; 2.2 and 4.1 are read: save with Mesh.MshFileVersion = 4.1",
                            version);
    }
    EW_TRY(next_int(r, "the file type", 4, 0, 1, &is_binary));
    EW_TRY(next_int(r, "the size of numbers", 4, 8, 8, &size));
    r->is_4 = version == 4.1;
    r->has_format = true;
    if (is_binary) {
        ew_scan_leave_line(&r->scan);
        r->binary = true;
        EW_TRY(take(r, sizeof one, &one));
        if (one != 1) {
            return ew_scan_fail(&r->scan, "the binary data are of another byte order; save as text "
                                          "with Mesh.Binary = 0");
        }
    }
    return EW_OK;
}

/* The physical groups of geometric entities; of several the first counts. */
static ew_status read_entity(reader *r, int dimension)
{
    int64_t tag, group = 0, other;
    double bound;
    int32_t n;
    EW_TRY(next_int(r, "an entity's number", 4, INT32_MIN, INT32_MAX, &tag));
    for (int i = 0; i < (dimension ? 6 : 3); i++) {
        EW_TRY(next_real(r, "an entity's bounds", &bound));
    }
    EW_TRY(next_count(r, "the count of physical groups", 8, 2, &n));
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(next_int(r, "a physical group", 4, INT32_MIN, INT32_MAX, &other));
        group = i ? group : other;
    }
    if (dimension) {
        EW_TRY(next_count(r, "the count of bounding entities", 8, 2, &n));
        for (int32_t i = 0; i < n; i++) {
            EW_TRY(next_int(r, "a bounding entity", 4, INT32_MIN, INT32_MAX, &other));
        }
    }
    return ew_numbers_enter(&r->entity[dimension], tag, (int32_t)group);
}

static ew_status read_entities(reader *r)
{
    int32_t n[4];
    for (int d = 0; d < 4; d++) {
        EW_TRY(next_count(r, "the count of entities", 8, 1, &n[d]));
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

static ew_status read_point(reader *r, int32_t i)
{
    EW_TRY(ew_grow(&r->xyz, &r->xyz_capacity, (int64_t)i + 1, 3 * sizeof *r->xyz));
    for (int k = 0; k < 3; k++) {
        EW_TRY(next_real(r, "a coordinate", r->xyz + 3 * (size_t)i + k));
    }
    return EW_OK;
}

/* In 2.2 counts are text, whatever follows. */
static ew_status text_count(reader *r, const char *what, int32_t *n)
{
    const bool binary = r->binary;
    r->binary = false;
    const ew_status status = next_count(r, what, 4, EW_MIN_BYTES(4), n);
    r->binary = binary;
    if (binary) {
        ew_scan_leave_line(&r->scan);
    }
    return status;
}

static ew_status read_nodes_2(reader *r)
{
    int64_t tag;
    int32_t n = 0;
    EW_TRY(text_count(r, "the count of nodes", &n));
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(next_int(r, "a node's number", 4, 0, INT32_MAX, &tag));
        EW_TRY(ew_numbers_enter(&r->node, tag, i));
        EW_TRY(read_point(r, i));
    }
    return EW_OK;
}

/* The nodes of one entity: their numbers, then their places. */
static ew_status read_node_block(reader *r)
{
    int64_t dimension, tag, is_parametric;
    double parameter;
    int32_t n;
    EW_TRY(next_int(r, "a dimension", 4, 0, 3, &dimension));
    EW_TRY(next_int(r, "an entity's number", 4, INT32_MIN, INT32_MAX, &tag));
    EW_TRY(next_int(r, "parametric", 4, 0, 1, &is_parametric));
    EW_TRY(next_count(r, "the count of nodes", 8, EW_MIN_BYTES(4), &n));
    const int32_t first = r->node.n;
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(next_int(r, "a node's number", 8, 0, INT64_MAX, &tag));
        EW_TRY(ew_numbers_enter(&r->node, tag, first + i));
    }
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(read_point(r, first + i));
        for (int64_t k = 0; is_parametric && k < dimension; k++) {
            EW_TRY(next_real(r, "a parameter", &parameter));
        }
    }
    return EW_OK;
}

/* What a section of 4.1 begins with: counts and range of numbers. */
static ew_status read_head(reader *r, int32_t *n_block)
{
    int64_t passed;
    EW_TRY(next_count(r, "the count of blocks", 8, EW_MIN_BYTES(4), n_block));
    for (int i = 0; i < 3; i++) {
        EW_TRY(next_int(r, "a count or number", 8, 0, INT64_MAX, &passed));
    }
    return EW_OK;
}

static ew_status read_nodes(reader *r)
{
    int32_t n_block = 0;
    if (r->node.n) {
        return ew_scan_fail(&r->scan, "a second section $Nodes; a mesh has one");
    }
    EW_TRY(r->is_4 ? read_head(r, &n_block) : read_nodes_2(r));
    for (int32_t i = 0; i < n_block; i++) {
        EW_TRY(read_node_block(r));
    }
    return sort(r, &r->node, "nodes");
}

/* ---- elements ------------------------------------------------------------------ */

static ew_status check_type(reader *r, int64_t type)
{
    if (type < 1 || type > LATEST_TYPE) {
        return ew_scan_fail(&r->scan,
                            "elements of type %lld; 4-node tets and 3-node triangles are read",
                            (long long)type);
    }
    if (dimension_of[type] == 3 && type != TET) {
        return ew_scan_fail(&r->scan,
                            "volume elements of type %lld; only 4-node tets are read: save with "
                            "Mesh.ElementOrder = 1 and without recombination",
                            (long long)type);
    }
    return EW_OK;
}

/* The nodes of one element, kept where it is a tet or a triangle. */
static ew_status read_element(reader *r, int64_t type, int32_t group)
{
    const bool is_tet = type == TET;
    const int32_t n = n_node_of[type];
    int32_t **corner = is_tet ? &r->tet : &r->face, **label = is_tet ? &r->region : &r->face_label;
    int32_t *count = is_tet ? &r->n_tet : &r->n_face, *capacity = r->capacity + (is_tet ? 0 : 2);
    int32_t node[32];
    for (int32_t i = 0; i < n; i++) {
        int64_t tag;
        EW_TRY(next_int(r, "a node's number", r->is_4 ? 8 : 4, 0, INT64_MAX, &tag));
        const ew_numbered *found = ew_numbers_find(&r->node, tag);
        if (!found) {
            return ew_scan_fail(&r->scan, "an element names node %lld, which $Nodes does not have",
                                (long long)tag);
        }
        node[i] = found->to;
    }
    if (!is_tet && type != TRIANGLE) {
        return EW_OK;
    }
    EW_TRY(ew_grow(corner, capacity, (int64_t)*count + 1, (size_t)n * sizeof **corner));
    EW_TRY(ew_grow(label, capacity + 1, (int64_t)*count + 1, sizeof **label));
    if (is_tet) {
        EW_TRY(ew_grow(&r->place, &r->place_capacity, (int64_t)*count + 1, sizeof *r->place));
        r->place[*count] = r->binary ? r->scan.at - r->begin : r->scan.line;
    }
    memcpy(*corner + (size_t)n * (size_t)*count, node, (size_t)n * sizeof *node);
    (*label)[(*count)++] = group;
    return EW_OK;
}

/* An element of 2.2 with its tags, of which the first is the physical group. */
static ew_status read_tagged(reader *r, int64_t type, int64_t n_tag)
{
    int64_t tag, group = 0;
    for (int64_t i = 0; i < n_tag; i++) {
        EW_TRY(next_int(r, "a tag", 4, INT32_MIN, INT32_MAX, &tag));
        group = i ? group : tag;
    }
    return read_element(r, type, (int32_t)group);
}

static ew_status read_elements_2(reader *r)
{
    int64_t number, type, n_tag, n_same = 1;
    int32_t n = 0;
    EW_TRY(text_count(r, "the count of elements", &n));
    for (int64_t i = 0; i < n; i += n_same) {
        if (!r->binary) {
            EW_TRY(next_int(r, "an element's number", 4, 0, INT32_MAX, &number));
        }
        EW_TRY(next_int(r, "an element's type", 4, 0, INT32_MAX, &type));
        EW_TRY(check_type(r, type));
        if (r->binary) {
            EW_TRY(next_int(r, "the count of elements of a type", 4, 1, n - i, &n_same));
        }
        EW_TRY(next_int(r, "the count of tags", 4, 0, MAX_TAGS, &n_tag));
        for (int64_t k = 0; k < n_same; k++) {
            if (r->binary) {
                EW_TRY(next_int(r, "an element's number", 4, 0, INT32_MAX, &number));
            }
            EW_TRY(read_tagged(r, type, n_tag));
        }
    }
    return EW_OK;
}

static ew_status read_element_block(reader *r)
{
    int64_t dimension, tag, type, number;
    int32_t n;
    EW_TRY(next_int(r, "a dimension", 4, 0, 3, &dimension));
    EW_TRY(next_int(r, "an entity's number", 4, INT32_MIN, INT32_MAX, &tag));
    EW_TRY(next_int(r, "an element's type", 4, 0, INT32_MAX, &type));
    EW_TRY(check_type(r, type));
    EW_TRY(next_count(r, "the count of elements", 8, 2, &n));
    const ew_numbered *entity = ew_numbers_find(&r->entity[dimension], tag);
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(next_int(r, "an element's number", 8, 0, INT64_MAX, &number));
        EW_TRY(read_element(r, type, entity ? entity->to : 0));
    }
    return EW_OK;
}

static ew_status read_elements(reader *r)
{
    int32_t n_block = 0;
    if (!r->node.n) {
        return ew_scan_fail(&r->scan, "$Elements before $Nodes");
    }
    EW_TRY(r->is_4 ? read_head(r, &n_block) : read_elements_2(r));
    for (int32_t i = 0; i < n_block; i++) {
        EW_TRY(read_element_block(r));
    }
    return EW_OK;
}

/* ---- the file -------------------------------------------------------------------- */

static ew_status read_section(reader *r, const char *name)
{
    if (!strcmp(name, "MeshFormat")) {
        return read_format(r);
    }
    if (!r->has_format) {
        return ew_scan_fail(&r->scan, "$%s before $MeshFormat, which a .msh file begins with",
                            name);
    }
    if (!strcmp(name, "Entities") && r->is_4) {
        return read_entities(r);
    }
    if (!strcmp(name, "PartitionedEntities")) {
        return ew_scan_fail(&r->scan, "a partitioned mesh; save it whole");
    }
    return !strcmp(name, "Nodes")      ? read_nodes(r)
           : !strcmp(name, "Elements") ? read_elements(r)
                                       : EW_OK;
}

/* The name of a section behind its $, case kept. */
static ew_status read_name(reader *r, char name[EW_WORD])
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
static ew_status name_place(const reader *r, ew_status status)
{
    const ew_failure *failure = ew_last_failure();
    const int64_t tet = failure->id[1] >= 0 ? failure->id[1] : failure->id[0];
    if (r->binary && tet >= 0) {
        return ew_fail_prefix(status, "before byte %lld: counted from 0", (long long)r->place[tet]);
    }
    ew_fail_line(status, (int32_t)r->place[tet < 0 ? 0 : tet]);
    return ew_fail_prefix(status, "counted from 0");
}

static ew_status read_all(reader *r, ew_mesh *mesh, ew_mesh_repair *repair)
{
    char name[EW_WORD];
    while (ew_scan_anywhere(&r->scan)) {
        EW_TRY(read_name(r, name));
        EW_TRY(read_section(r, name));
        EW_TRY(leave_section(r, name));
    }
    if (!r->n_tet) {
        return ew_scan_fail(&r->scan, "the file has no tets; mesh the volume in Gmsh (-3), and "
                                      "where there are physical groups have one of the volume");
    }
    const ew_mesh_def def = {.n_vertex = r->node.n,
                             .xyz = r->xyz,
                             .n_tet = r->n_tet,
                             .tet = r->tet,
                             .region = r->region,
                             .n_face = r->n_face,
                             .face = r->face,
                             .face_label = r->face_label};
    const ew_status status = ew_mesh_init(mesh, &def, repair);
    return status ? name_place(r, status) : EW_OK;
}

static ew_status read_mesh(const ew_bytes *file, ew_mesh *mesh, ew_mesh_repair *repair)
{
    reader r = {.scan = ew_scan_begin(file->data, file->size, "")};
    r.begin = r.scan.at;
    ew_mesh made;
    ew_mesh_repair repaired;
    const ew_status status = read_all(&r, &made, &repaired);
    if (!status) {
        *mesh = made;
        if (repair) {
            *repair = repaired;
        }
    }
    ew_numbers_free(&r.node);
    for (int d = 0; d < 4; d++) {
        ew_numbers_free(&r.entity[d]);
    }
    ew_release(r.xyz);
    ew_release(r.tet);
    ew_release(r.region);
    ew_release(r.place);
    ew_release(r.face);
    ew_release(r.face_label);
    return status;
}

const ew_format ew_format_gmsh = {
    .name = "Gmsh",
    .holds = "nodes, triangles, tets, numbers of physical groups",
    .endings = ".msh",
    .n_file = 1,
    .n_needed = 1,
    .read_mesh = read_mesh,
};
