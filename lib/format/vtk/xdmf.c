/* Meshes in XDMF (xdmf.org, versions 2 and 3). In: the file's XML; numbers as text in their place,
 * or in an HDF5 file beside it, which the caller opens. Out: a mesh, as of a grid of VTK. One
 * uniform grid; attributes of cells are regions and labels as arrays of VTK are. */
#include "format/formats.h"
#include "format/vtk/vtu.h"

#include <stdio.h>
#include <string.h>

typedef struct cell_type {
    const char *names; /* of a topology, lower case */
    int code;          /* in a mixed one */
    int n_node;        /* 0: a count stands behind the code */
    int vtk;
} cell_type;
static const cell_type types[] = {
    {"tetrahedron", 6, 4, 10},
    {"tetrahedron_10 tet_10", 38, 10, 24},
    {"triangle", 4, 3, 5},
    {"triangle_6 tri_6", 36, 6, 22},
    {"polyvertex", 1, 0, 2},
    {"polyline", 2, 0, 4},
    {"quadrilateral", 5, 4, 9},
    {"edge_3", 34, 3, 21},
    {"quadrilateral_8 quad_8", 37, 8, 23},
    {"pyramid", 7, 5, 14},
    {"wedge", 8, 6, 13},
    {"hexahedron", 9, 8, 12},
    {"pyramid_13", 39, 13, 27},
    {"wedge_15", 40, 15, 26},
    {"hexahedron_20 hex_20", 48, 20, 25},
};
enum { N_TYPE = sizeof types / sizeof *types };

enum { ELSEWHERE, GEOMETRY, TOPOLOGY, ATTRIBUTE };

typedef struct reading {
    ew_vtu xml;
    const ew_mesh_input *input;
    int where, n_topology, n_geometry;
    const cell_type *type; /* null: mixed */
    ew_vtk_array topology; /* its numbers, as they stand there */
    char name[EW_GROUP_NAME];
    bool of_cells, is_wanted;
} reading;

/* ---- numbers ----------------------------------------------------------------------------------
 */

/* The product of "8 3". */
static ew_status read_dimensions(const reading *r, const ew_vtu_tag *t, int64_t *n)
{
    char text[EW_GROUP_NAME];
    int count = 0;
    ew_vtu_attribute(t, "Dimensions", text);
    ew_scan scan = ew_scan_begin(text, strlen(text), "");
    for (*n = 1; ew_scan_on_line(&scan); count++) {
        int64_t extent;
        if (ew_scan_int(&scan, "an extent", 0, INT32_MAX, &extent) || *n > INT32_MAX) {
            return ew_vtu_fail(&r->xml, t->name, "Dimensions='%.40s'; expected whole numbers",
                               text);
        }
        *n *= extent;
    }
    return count && *n <= (int64_t)INT32_MAX * 32
               ? EW_OK
               : ew_vtu_fail(&r->xml, t->name, "Dimensions='%.40s'; expected whole numbers", text);
}

static ew_status read_text(const reading *r, const char *at, const char *end, ew_vtk_array *to)
{
    ew_scan scan = {at, end, 1, ""};
    if (to->n > (end - at + 1) / 2) {
        return ew_vtu_fail(&r->xml, at, "more numbers than the text can hold");
    }
    EW_TRY(ew_new(&to->value, (size_t)to->n, sizeof *to->value));
    for (int64_t i = 0; i < to->n; i++) {
        ew_scan_anywhere(&scan);
        if (ew_scan_real(&scan, "a number", &to->value[i])) {
            return ew_vtu_fail(&r->xml, scan.at < end ? scan.at : end, "%s",
                               ew_last_failure()->text);
        }
    }
    return EW_OK;
}

/* "mesh.h5:/data0" */
static ew_status read_hdf(const reading *r, const char *at, const char *end, ew_vtk_array *to)
{
    char name[2 * EW_GROUP_NAME];
    ew_text text = {0};
    while (at < end && (unsigned char)*at <= ' ') {
        at++;
    }
    while (end > at && (unsigned char)end[-1] <= ' ') {
        end--;
    }
    if (end == at || (size_t)(end - at) >= sizeof name || memchr(at, 0, (size_t)(end - at))) {
        return ew_vtu_fail(&r->xml, at, "expected the place of data, 'FILE.h5:/PATH'");
    }
    snprintf(name, sizeof name, "%.*s", (int)(end - at), at);
    if (!strstr(name, ":/") || !r->input->open) {
        return ew_vtu_fail(&r->xml, at, "'%.80s' is no place in an HDF5 file that is there", name);
    }
    EW_TRY(r->input->open(r->input->user, name, &text));
    if (text.size / sizeof(double) != (size_t)to->n) {
        const size_t n = text.size / sizeof(double);
        ew_text_free(&text);
        return ew_vtu_fail(&r->xml, at, "'%.80s' has %zu numbers, its Dimensions say %lld", name, n,
                           (long long)to->n);
    }
    EW_TRY(ew_new(&to->value, (size_t)to->n, sizeof *to->value));
    memcpy(to->value, text.data, (size_t)to->n * sizeof *to->value);
    ew_text_free(&text);
    return EW_OK;
}

static ew_status read_item(const reading *r, const ew_vtu_tag *t, ew_vtk_array *to)
{
    char format[EW_GROUP_NAME], kind[EW_GROUP_NAME];
    const char *at = t->end + 1;
    const char *end = memchr(at, '<', (size_t)(r->xml.end - at));
    ew_vtu_attribute(t, "ItemType", kind);
    ew_vtu_attribute(t, "Format", format);
    if ((*kind && strcmp(kind, "Uniform") != 0) || ew_vtu_attribute(t, "Reference", kind)) {
        return ew_vtu_fail(&r->xml, t->name,
                           "numbers that are a part of others, or a reference; save them whole");
    }
    if (to->value) {
        return ew_vtu_fail(&r->xml, t->name, "a second DataItem; one is read");
    }
    EW_TRY(read_dimensions(r, t, &to->n));
    end = end ? end : r->xml.end;
    return !*format || !strcmp(format, "XML") ? read_text(r, at, end, to)
           : !strcmp(format, "HDF")
               ? read_hdf(r, at, end, to)
               : ew_vtu_fail(&r->xml, t->name, "Format='%.40s'; XML and HDF are read", format);
}

/* ---- tags -------------------------------------------------------------------------------------
 */

static bool is_in(const char *word, const char *words)
{
    const size_t length = strlen(word);
    for (; length && *words; words += strcspn(words, " "), words += strspn(words, " ")) {
        if (strcspn(words, " ") == length && !memcmp(words, word, length)) {
            return true;
        }
    }
    return false;
}

/* Version 2 calls it TopologyType, version 3 Type, too; lower case. */
static void read_kind(const ew_vtu_tag *t, const char *key, char kind[EW_GROUP_NAME])
{
    if (!ew_vtu_attribute(t, key, kind)) {
        ew_vtu_attribute(t, "Type", kind);
    }
    for (char *c = kind; *c; c++) {
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c + 32) : *c;
    }
}

static ew_status read_topology(reading *r, const ew_vtu_tag *t)
{
    char kind[EW_GROUP_NAME];
    if (r->n_topology++) {
        return ew_vtu_fail(
            &r->xml, t->name,
            "a second grid; a mesh is one: save it alone, without further time steps");
    }
    r->xml.grid.line = 1;
    for (const char *c = r->xml.data; c < t->name; c++) {
        r->xml.grid.line += *c == '\n';
    }
    read_kind(t, "TopologyType", kind);
    for (int i = 0; i < N_TYPE; i++) {
        r->type = is_in(kind, types[i].names) ? &types[i] : r->type;
    }
    return (r->type && r->type->n_node) || !strcmp(kind, "mixed")
               ? EW_OK
               : ew_vtu_fail(&r->xml, t->name,
                             "TopologyType='%.40s'; Tetrahedron, Tetrahedron_10 and Mixed are read",
                             kind);
}

static ew_status read_geometry(reading *r, const ew_vtu_tag *t)
{
    char kind[EW_GROUP_NAME];
    read_kind(t, "GeometryType", kind);
    return !r->n_geometry++ && (!*kind || !strcmp(kind, "xyz"))
               ? EW_OK
               : ew_vtu_fail(&r->xml, t->name,
                             "GeometryType='%.40s'; one geometry, of type XYZ, is read", kind);
}

static void read_attribute(reading *r, const ew_vtu_tag *t)
{
    char center[EW_GROUP_NAME], kind[EW_GROUP_NAME];
    ew_vtu_attribute(t, "Name", r->name);
    ew_vtu_replace_entities(r->name);
    ew_vtu_attribute(t, "Center", center);
    read_kind(t, "AttributeType", kind);
    r->of_cells = !strcmp(center, "Cell");
    r->is_wanted = (r->of_cells || !*center || !strcmp(center, "Node")) &&
                   (!*kind || !strcmp(kind, "scalar")) && ew_vtk_is_wanted(r->name, r->of_cells);
}

static ew_status add_array(reading *r, const ew_vtu_tag *t)
{
    ew_vtk_grid *grid = &r->xml.grid;
    EW_TRY(ew_grow(&grid->array, &grid->array_capacity, (int64_t)grid->n_array + 1,
                   sizeof *grid->array));
    ew_vtk_array *made = &grid->array[grid->n_array++];
    *made = (ew_vtk_array){.of_cells = r->of_cells, .width = 1};
    memcpy(made->name, r->name, sizeof made->name);
    return read_item(r, t, made);
}

static ew_status read_tag(reading *r, const ew_vtu_tag *t)
{
    static const char *const sections[] = {"", "Geometry", "Topology", "Attribute"};
    for (int i = GEOMETRY; i <= ATTRIBUTE; i++) {
        const bool begins = ew_vtu_is_named(t, sections[i]);
        const bool ends = *t->name == '/' && t->name_size == strlen(sections[i]) + 1 &&
                          !memcmp(t->name + 1, sections[i], t->name_size - 1);
        r->where = begins && t->end[-1] != '/' ? i : begins || ends ? ELSEWHERE : r->where;
    }
    if (ew_vtu_is_named(t, "DataItem")) {
        return r->where == GEOMETRY                    ? read_item(r, t, &r->xml.grid.points)
               : r->where == TOPOLOGY                  ? read_item(r, t, &r->topology)
               : r->where == ATTRIBUTE && r->is_wanted ? add_array(r, t)
                                                       : EW_OK;
    }
    if (ew_vtu_is_named(t, "Attribute")) {
        read_attribute(r, t);
    }
    return ew_vtu_is_named(t, "Topology")   ? read_topology(r, t)
           : ew_vtu_is_named(t, "Geometry") ? read_geometry(r, t)
                                            : EW_OK;
}

/* ---- cells ------------------------------------------------------------------------------------
 */

/* The type of the cell that begins at *at, and where its nodes do; null: there is no such. */
static const cell_type *find_cell(const reading *r, int64_t *at, int64_t *n_node)
{
    const ew_vtk_array *from = &r->topology;
    const cell_type *type = r->type;
    for (int i = 0; i < N_TYPE && !type; i++) {
        type = from->value[*at] == types[i].code ? &types[i] : NULL;
    }
    *at += r->type ? 0 : 1;
    *n_node = type ? type->n_node : 0;
    if (type && !type->n_node) {
        const double count = *at < from->n ? from->value[(*at)++] : -1.0;
        *n_node = count >= 1.0 && count <= (double)from->n ? (int64_t)count : from->n + 1;
    }
    return type && *n_node <= from->n - *at ? type : NULL;
}

/* Counts the cells, or where there is room takes them. */
static ew_status walk_cells(reading *r, bool take)
{
    ew_vtk_grid *grid = &r->xml.grid;
    int64_t at = 0, cell = 0, n_used = 0;
    for (; at < r->topology.n; cell++) {
        int64_t n_node;
        const cell_type *type = find_cell(r, &at, &n_node);
        if (!type || cell >= INT32_MAX) {
            return ew_fail_at(EW_BAD_INPUT, (int32_t)grid->line,
                              "the topology's numbers at cell %lld, counted from 0, are no cell of "
                              "a type that is known",
                              (long long)cell);
        }
        if (take) {
            memcpy(grid->connectivity.value + n_used, r->topology.value + at,
                   (size_t)n_node * sizeof(double));
            n_used += n_node;
            grid->offsets.value[cell] = (double)n_used;
            grid->types.value[cell] = type->vtk;
        }
        at += n_node;
    }
    grid->n_cell = cell;
    return EW_OK;
}

static ew_status make_cells(reading *r)
{
    ew_vtk_grid *grid = &r->xml.grid;
    ew_vtk_array *own[] = {&grid->connectivity, &grid->offsets, &grid->types};
    EW_TRY(walk_cells(r, false));
    for (int i = 0; i < 3; i++) {
        own[i]->n = i ? grid->n_cell : r->topology.n;
        EW_TRY(ew_new(&own[i]->value, (size_t)own[i]->n, sizeof *own[i]->value));
    }
    EW_TRY(walk_cells(r, true));
    for (int32_t i = 0; i < grid->n_array; i++) {
        const ew_vtk_array *array = &grid->array[i];
        const int64_t n = array->of_cells ? grid->n_cell : grid->n_point;
        if (array->n != n) {
            return ew_fail_at(EW_BAD_INPUT, (int32_t)grid->line,
                              "the attribute '%.60s' has %lld numbers for %lld %s", array->name,
                              (long long)array->n, (long long)n,
                              array->of_cells ? "cells" : "points");
        }
    }
    return EW_OK;
}

static ew_status read_all(reading *r)
{
    ew_vtu_tag t;
    while (ew_vtu_next_tag(&r->xml, &t)) {
        EW_TRY(read_tag(r, &t));
    }
    if (!r->topology.value || !r->xml.grid.points.value) {
        return ew_vtu_fail(&r->xml, r->xml.data,
                           "no mesh: no <Grid> with <Topology> and <Geometry> in an <Xdmf>");
    }
    r->xml.grid.n_point = r->xml.grid.points.n / 3;
    return make_cells(r);
}

static ew_status read_mesh(const ew_mesh_input *input, ew_mesh *mesh, ew_mesh_repair *repair,
                           ew_groups *groups)
{
    const ew_scan scan = ew_scan_begin(input->file->data, input->file->size, "");
    reading r = {.xml = {.data = scan.at, .at = scan.at, .end = scan.end}, .input = input};
    ew_status status = read_all(&r);
    status = status ? status : ew_vtk_make_mesh(&r.xml.grid, mesh, repair, groups);
    ew_vtk_free(&r.xml.grid);
    ew_release(r.topology.value);
    return status;
}

const ew_format ew_format_xdmf = {
    .name = "XDMF",
    .holds = "a grid of tets (of ten nodes, too) and triangles, numbers in HDF5 or in it",
    .endings = ".xdmf .xmf",
    .n_file = 1,
    .n_needed = 1,
    .read_mesh = read_mesh,
};
