/* Unstructured grids of VTK in XML (.vtu; "VTK File Formats", vtk.org). In: arrays as text, as
 * base64 in their place, or appended as base64 or raw; compressed by zlib, or not. Out: a mesh. One
 * piece; arrays that say nothing here are not decoded. */
#include "format/vtk/vtu.h"
#include "format/formats.h"

#include <stdio.h>
#include <string.h>

/* ---- the grid -----------------------------------------------------------------------------------
 */

static ew_status read_extra(ew_vtu *r, const ew_vtu_tag *t, const char *name, bool of_cells)
{
    ew_vtk_grid *grid = &r->grid;
    int64_t width;
    EW_TRY(ew_vtu_whole(r, t, "NumberOfComponents", false, &width));
    const bool asked = ew_vtk_is_asked(grid, name, of_cells) && width <= EW_VTK_MAX_WIDTH;
    if (!asked && (width > 1 || !ew_vtk_is_wanted(name, of_cells))) {
        return EW_OK;
    }
    width = width > 1 ? width : 1;
    EW_TRY(ew_grow(&grid->array, &grid->array_capacity, (int64_t)grid->n_array + 1,
                   sizeof *grid->array));
    ew_vtk_array *made = &grid->array[grid->n_array++];
    *made = (ew_vtk_array){.of_cells = of_cells, .width = width};
    snprintf(made->name, sizeof made->name, "%s", name);
    return ew_vtu_read_array(r, t, width * (of_cells ? grid->n_cell : grid->n_point), made);
}

enum { POINTS = 1, CELLS, POINT_DATA, CELL_DATA };

/* Offsets come before the points of cells: their last one is how many there are. */
static ew_status read_data_array(ew_vtu *r, const ew_vtu_tag *t, bool connectivity)
{
    ew_vtk_grid *grid = &r->grid;
    char name[EW_GROUP_NAME];
    ew_vtu_attribute(t, "Name", name);
    ew_vtu_replace_entities(name);
    if (connectivity) {
        const int64_t n = grid->offsets.n;
        const double last = n ? grid->offsets.value[n - 1] : 0.0;
        const bool fits = last >= 0.0 && last < 9e15;
        return r->where != CELLS || strcmp(name, "connectivity") != 0 ? EW_OK
               : fits ? ew_vtu_read_array(r, t, (int64_t)last, &grid->connectivity)
                      : ew_vtu_fail(r, t->name, "the last offset of cells is %g", last);
    }
    switch (r->where) {
    case POINTS:
        return ew_vtu_read_array(r, t, 3 * grid->n_point, &grid->points);
    case CELLS:
        return !strcmp(name, "offsets") ? ew_vtu_read_array(r, t, grid->n_cell, &grid->offsets)
               : !strcmp(name, "types") ? ew_vtu_read_array(r, t, grid->n_cell, &grid->types)
                                        : EW_OK;
    case POINT_DATA:
    case CELL_DATA:
        return read_extra(r, t, name, r->where == CELL_DATA);
    default:
        return EW_OK;
    }
}

static ew_status read_head(ew_vtu *r, const ew_vtu_tag *t)
{
    const uint16_t one = 1;
    unsigned char little;
    char text[EW_GROUP_NAME];
    memcpy(&little, &one, 1);
    ew_vtu_attribute(t, "type", text);
    if (strcmp(text, "UnstructuredGrid") != 0) {
        return ew_vtu_fail(r, t->name, "type='%.40s'; UnstructuredGrid is read", text);
    }
    ew_vtu_attribute(t, "byte_order", text);
    r->swap = !strcmp(text, "BigEndian") == (little == 1);
    ew_vtu_attribute(t, "header_type", text);
    r->wide_head = !strcmp(text, "UInt64");
    r->compressed = ew_vtu_attribute(t, "compressor", text);
    return !r->compressed || !strcmp(text, "vtkZLibDataCompressor")
               ? EW_OK
               : ew_vtu_fail(
                     r, t->name,
                     "compressor='%.40s'; vtkZLibDataCompressor is read: save again without "
                     "compression or with ZLib (ParaView: Save Data, Compressor Type; VTK: "
                     "SetCompressorTypeToZLib)",
                     text);
}

static ew_status read_piece(ew_vtu *r, const ew_vtu_tag *t)
{
    int64_t n_point, n_cell;
    EW_TRY(ew_vtu_whole(r, t, "NumberOfPoints", true, &n_point));
    EW_TRY(ew_vtu_whole(r, t, "NumberOfCells", true, &n_cell));
    if (!n_point && !n_cell) {
        return EW_OK;
    }
    if (n_point > INT32_MAX || n_cell > INT32_MAX || r->n_piece++) {
        return ew_vtu_fail(r, t->name,
                           "a grid in several pieces, or of more than %d cells; save it whole",
                           INT32_MAX);
    }
    r->grid.n_point = n_point;
    r->grid.n_cell = n_cell;
    return EW_OK;
}

static ew_status read_tag(ew_vtu *r, const ew_vtu_tag *t, bool connectivity)
{
    static const char *const sections[] = {"", "Points", "Cells", "PointData", "CellData"};
    for (int i = 1; i < 5; i++) {
        if (ew_vtu_is_named(t, sections[i])) {
            r->where = t->end[-1] == '/' ? 0 : i;
        }
        if (*t->name == '/' && t->name_size == strlen(sections[i]) + 1 &&
            !memcmp(t->name + 1, sections[i], t->name_size - 1)) {
            r->where = 0;
        }
    }
    if (ew_vtu_is_named(t, "DataArray")) {
        return read_data_array(r, t, connectivity);
    }
    return connectivity                    ? EW_OK
           : ew_vtu_is_named(t, "VTKFile") ? read_head(r, t)
           : ew_vtu_is_named(t, "Piece")   ? read_piece(r, t)
                                           : EW_OK;
}

/* Appended data may hold anything, tags too: the file is read up to there. */
static ew_status find_appended(ew_vtu *r)
{
    const char *open = ew_vtu_find(r->data, r->end, "<AppendedData");
    ew_vtu_tag t;
    char text[EW_GROUP_NAME];
    if (!open) {
        return EW_OK;
    }
    r->at = open;
    if (!ew_vtu_next_tag(r, &t)) {
        return ew_vtu_fail(r, open, "the tag AppendedData does not end");
    }
    const char *begin = memchr(r->at, '_', (size_t)(r->end - r->at));
    ew_vtu_attribute(&t, "encoding", text);
    if (!begin) {
        return ew_vtu_fail(r, open, "appended data begin with '_'");
    }
    r->appended_is_raw = !strcmp(text, "raw");
    r->appended = begin + 1;
    return EW_OK;
}

static ew_status read_all(ew_vtu *r)
{
    ew_vtu_tag t;
    EW_TRY(find_appended(r));
    const char *end = r->end;
    for (int pass = 0; pass < 2; pass++) { /* points of cells once offsets are known */
        r->at = r->data;
        r->where = 0;
        while (ew_vtu_next_tag(r, &t) && !ew_vtu_is_named(&t, "AppendedData")) {
            EW_TRY(read_tag(r, &t, pass == 1));
        }
        r->end = end;
    }
    return r->n_piece ? EW_OK
                      : ew_vtu_fail(r, r->data, "no grid: no <Piece> with points in a <VTKFile>");
}

static ew_vtu begin_reading(const ew_bytes *file)
{
    const ew_scan scan = ew_scan_begin(file->data, file->size, "");
    return (ew_vtu){.data = scan.at, .end = scan.end, .grid.line = 1};
}

static ew_status read_cells(const ew_bytes *file, const char *name, ew_cell_array *cells)
{
    ew_vtu r = begin_reading(file);
    r.grid.asked = name;
    ew_status status = read_all(&r);
    status = status ? status : ew_vtk_take_cells(&r.grid, cells);
    ew_vtk_free(&r.grid);
    return status;
}

static ew_status read_mesh(const ew_mesh_input *input, ew_mesh *mesh, ew_mesh_repair *repair,
                           ew_groups *groups)
{
    ew_vtu r = begin_reading(input->file);
    ew_status status = read_all(&r);
    status = status ? status : ew_vtk_make_mesh(&r.grid, mesh, repair, groups);
    ew_vtk_free(&r.grid);
    return status;
}

const ew_format ew_format_vtu = {
    .name = "VTK XML",
    .holds = "an unstructured grid of tets (of ten nodes, too) and triangles; groups by name",
    .endings = ".vtu",
    .n_file = 1,
    .n_needed = 1,
    .read_mesh = read_mesh,
    .read_cells = read_cells,
    .write_mesh = ew_vtu_write,
    .comment = {"<!--\n", "", "-->\n"},
    .writes_groups = true,
    .writes_middles = true,
};
