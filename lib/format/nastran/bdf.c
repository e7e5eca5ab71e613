/* Nastran bulk data, .bdf and .nas (MSC Nastran Quick Reference Guide, "Format of Bulk Data
 * Entries"): fields of 8 or 16 columns or between commas, with continuation lines. In: GRID in the
 * basic coordinate system, CTETRA of four or ten nodes, CTRIA3 and CTRIA6. Out: a mesh; properties
 * (PID) are regions and face labels, 0 where none is given. Other cards are passed over, but for
 * solids that are no tets and included files, without which the body would be another. */
#include "format/formats.h"
#include "format/gmsh/gmsh.h"

#include <string.h>

typedef struct bdf {
    ew_gmsh r;
    ew_bulk bulk; /* the card under way */
} bdf;

/* ---- cards ---------------------------------------------------------------------------- */

static ew_status read_grid(bdf *b)
{
    ew_gmsh *r = &b->r;
    const ew_bulk *from = &b->bulk;
    int64_t id, system = 0;
    const int32_t row = r->node.n;
    EW_TRY(ew_bulk_int(from, 0, "a node's number", 1, &id));
    if (*ew_bulk_text(from, 1)) {
        EW_TRY(ew_bulk_int(from, 1, "a coordinate system", 0, &system));
    }
    if (system) {
        return ew_fail_at(EW_BAD_INPUT, (int32_t)from->line,
                          "GRID %lld is given in coordinate system %lld; export all nodes in the "
                          "basic one",
                          (long long)id, (long long)system);
    }
    EW_TRY(ew_grow(&r->xyz, &r->xyz_capacity, (int64_t)row + 1, 3 * sizeof *r->xyz));
    for (int32_t i = 0; i < 3; i++) {
        EW_TRY(ew_bulk_real(from, 2 + i, "a coordinate", 0.0, r->xyz + 3 * (size_t)row + i));
    }
    return ew_numbers_enter(&r->node, id, row);
}

static ew_status find_nodes(bdf *b, int32_t n, const int8_t *place, int32_t *node)
{
    const ew_bulk *from = &b->bulk;
    for (int32_t i = 0; i < n; i++) {
        int64_t id;
        EW_TRY(ew_bulk_int(from, 2 + place[i], "a node's number", 1, &id));
        const ew_numbered *found = ew_numbers_find(&b->r.node, id);
        if (!found) {
            return ew_fail_at(EW_BAD_INPUT, (int32_t)from->line,
                              "%s names GRID %lld, which the file does not have", from->name,
                              (long long)id);
        }
        node[i] = found->to;
    }
    return EW_OK;
}

/* The middles of tets stand as 01 12 20 03 13 23, those of triangles as Gmsh's do. */
static ew_status read_element(bdf *b, bool is_tet)
{
    const ew_bulk *from = &b->bulk;
    static const int8_t place[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
    int32_t node[10], n = is_tet ? 4 : 3;
    int64_t property = 0;
    const int32_t last = from->n > 2 + 4 && *ew_bulk_text(from, 2 + (is_tet ? 4 : 3)) ? 1 : 0;
    const bool middles = is_tet ? last : !strcmp(from->name, "CTRIA6");
    n = middles ? (is_tet ? 10 : 6) : n;
    if (*ew_bulk_text(from, 1)) {
        EW_TRY(ew_bulk_int(from, 1, "a property", 0, &property));
    }
    EW_TRY(find_nodes(b, n, place, node));
    const int type = is_tet ? (middles ? EW_GMSH_TET_10 : EW_GMSH_TET)
                            : (middles ? EW_GMSH_TRIANGLE_6 : EW_GMSH_TRIANGLE);
    const int32_t group = (int32_t)property;
    b->r.scan.line = (int32_t)from->line;
    return ew_gmsh_take_element(&b->r, type, node, group ? 1 : 0, &group);
}

static ew_status refuse_card(const ew_bulk *from)
{
    static const char *const solids[] = {"CHEXA", "CPENTA", "CPYRAM", "CPYRA"};
    for (size_t i = 0; i < sizeof solids / sizeof *solids; i++) {
        if (!strcmp(from->name, solids[i])) {
            return ew_fail_at(EW_BAD_INPUT, (int32_t)from->line,
                              "%s; only tets (CTETRA) are read: mesh the part with tets",
                              from->name);
        }
    }
    return strcmp(from->name, "INCLUDE")
               ? EW_OK
               : ew_fail_at(EW_BAD_INPUT, (int32_t)from->line,
                            "INCLUDE is not followed; export the mesh as one file");
}

static void find_bulk_data(bdf *b)
{
    ew_bulk_free(&b->bulk);
    b->bulk = ew_bulk_begin(b->r.begin, (size_t)(b->r.scan.end - b->r.begin));
    (void)ew_bulk_skip_control(&b->bulk);
}

static ew_status read_elements(bdf *b)
{
    bool more = false;
    find_bulk_data(b);
    EW_TRY(ew_bulk_next(&b->bulk, &more));
    while (more) {
        const char *name = b->bulk.name;
        const bool is_tet = !strcmp(name, "CTETRA");
        if (is_tet || !strcmp(name, "CTRIA3") || !strcmp(name, "CTRIA6")) {
            EW_TRY(read_element(b, is_tet));
        }
        EW_TRY(ew_bulk_next(&b->bulk, &more));
    }
    return EW_OK;
}

static ew_status read_all(bdf *b, ew_mesh *mesh, ew_mesh_repair *repair, ew_groups *groups)
{
    int64_t twice;
    bool more = false;
    find_bulk_data(b);
    EW_TRY(ew_bulk_next(&b->bulk, &more));
    while (more) {
        EW_TRY(strcmp(b->bulk.name, "GRID") ? refuse_card(&b->bulk) : read_grid(b));
        EW_TRY(ew_bulk_next(&b->bulk, &more));
    }
    b->r.scan.line = (int32_t)b->bulk.next_line;
    if (!ew_numbers_sort(&b->r.node, &twice)) {
        return ew_scan_fail(&b->r.scan, "two GRID have the number %lld", (long long)twice);
    }
    EW_TRY(read_elements(b));
    b->r.scan.line = (int32_t)b->bulk.next_line;
    if (!b->r.n_tet) {
        return ew_scan_fail(&b->r.scan, "the file has no tets (CTETRA); mesh the volume before it "
                                        "is exported");
    }
    return ew_gmsh_finish(&b->r, mesh, repair, groups);
}

static ew_status read_mesh(const ew_mesh_input *input, ew_mesh *mesh, ew_mesh_repair *repair,
                           ew_groups *groups)
{
    bdf b = {.r.scan = ew_scan_begin(input->file->data, input->file->size, "")};
    b.r.begin = b.r.scan.at;
    const ew_status status = read_all(&b, mesh, repair, groups);
    ew_bulk_free(&b.bulk);
    ew_gmsh_free(&b.r);
    return status;
}

const ew_format ew_format_bdf = {
    .name = "Nastran",
    .holds = "GRID, CTETRA (of ten nodes, too), CTRIA3, CTRIA6, properties",
    .endings = ".bdf .nas",
    .n_file = 1,
    .n_needed = 1,
    .read_mesh = read_mesh,
};
