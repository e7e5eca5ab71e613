/* Legacy files of VTK (.vtk, versions 1 to 5; "VTK File Formats", vtk.org). In: an unstructured
 * grid as text, or binary, whose numbers have the highest byte first. Out: a mesh. Arrays that say
 * nothing here are passed over. */
#include "format/formats.h"
#include "format/vtk/vtk.h"

#include <stdio.h>
#include <string.h>

typedef struct reading {
    ew_scan scan;
    bool binary, swap;
    ew_vtk_grid grid;
    int64_t n_of; /* values of an array: of points or of cells */
    bool of_cells;
} reading;

/* ---- numbers ------------------------------------------------------------------------- */

static ew_status read_type(reading *r, ew_vtk_type *type, bool *is_bit)
{
    static const struct {
        const char *name;
        ew_vtk_type type;
    } known[] = {{"char", EW_VTK_INT8},
                 {"signed_char", EW_VTK_INT8},
                 {"unsigned_char", EW_VTK_UINT8},
                 {"short", EW_VTK_INT16},
                 {"unsigned_short", EW_VTK_UINT16},
                 {"int", EW_VTK_INT32},
                 {"unsigned_int", EW_VTK_UINT32},
                 {"long", EW_VTK_INT64},
                 {"unsigned_long", EW_VTK_UINT64},
                 {"vtktypeint64", EW_VTK_INT64},
                 {"vtktypeuint64", EW_VTK_UINT64},
                 {"vtkidtype", EW_VTK_INT32},
                 {"vtktypeint32", EW_VTK_INT32},
                 {"float", EW_VTK_FLOAT32},
                 {"double", EW_VTK_FLOAT64}};
    char word[EW_WORD];
    const ew_scan here = r->scan;
    ew_scan_word(&r->scan, word);
    *is_bit = !strcmp(word, "bit");
    *type = EW_VTK_UINT8;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!strcmp(word, known[i].name)) {
            *type = known[i].type;
            return EW_OK;
        }
    }
    return *is_bit ? EW_OK : ew_scan_fail(&here, "the type of numbers is '%s'", word);
}

static ew_status read_text_values(reading *r, int64_t n, double *value)
{
    double one;
    for (int64_t i = 0; i < n; i++) {
        ew_scan_anywhere(&r->scan);
        EW_TRY(ew_scan_real(&r->scan, "a number", &one));
        if (value) {
            value[i] = one;
        }
    }
    return EW_OK;
}

/* n numbers from the next line on; to: null, they are passed over. */
static ew_status read_values(reading *r, ew_vtk_type type, bool is_bit, int64_t n, ew_vtk_array *to)
{
    const size_t left = (size_t)(r->scan.end - r->scan.at), size = ew_vtk_size(type);
    ew_scan_leave_line(&r->scan);
    const uint64_t bytes = is_bit ? ((uint64_t)n + 7) / 8 : (uint64_t)n * size;
    if (n < 0 || (uint64_t)n > 8 * (uint64_t)left + 8 ||
        (r->binary && bytes > (uint64_t)(r->scan.end - r->scan.at))) {
        return ew_scan_fail(&r->scan, "the file ends before %lld numbers", (long long)n);
    }
    if (to) {
        EW_TRY(ew_new(&to->value, (size_t)n, sizeof *to->value));
        to->n = n;
    }
    if (!r->binary) {
        return read_text_values(r, n, to ? to->value : NULL);
    }
    if (to && !is_bit) {
        ew_vtk_values((const unsigned char *)r->scan.at, type, r->swap, n, to->value);
    } else if (to) {
        memset(to->value, 0, (size_t)n * sizeof *to->value);
    }
    r->scan.at += bytes;
    return EW_OK;
}

static ew_status count(reading *r, const char *what, int64_t *n)
{
    ew_scan_on_line(&r->scan);
    return ew_scan_int(&r->scan, what, 0, INT32_MAX, n);
}

/* ---- sections --------------------------------------------------------------------------- */

static ew_status read_points(reading *r)
{
    ew_vtk_type type;
    bool is_bit;
    EW_TRY(count(r, "the count of points", &r->grid.n_point));
    EW_TRY(read_type(r, &type, &is_bit));
    ew_release(r->grid.points.value);
    return read_values(r, type, is_bit, 3 * r->grid.n_point, &r->grid.points);
}

/* Version 5: offsets, one more than cells, from 0, and points of all cells. */
static ew_status read_offsets(reading *r, int64_t n_offset, int64_t n_point)
{
    ew_vtk_array *offsets = &r->grid.offsets;
    char word[EW_WORD];
    for (int part = 0; part < 2; part++) {
        ew_vtk_type type;
        bool is_bit;
        ew_scan_anywhere(&r->scan);
        const ew_scan here = r->scan;
        ew_scan_word(&r->scan, word);
        if (strcmp(word, part ? "connectivity" : "offsets") != 0) {
            return ew_scan_fail(&here, "'%s' where %s should stand", word,
                                part ? "CONNECTIVITY" : "OFFSETS");
        }
        EW_TRY(read_type(r, &type, &is_bit));
        EW_TRY(read_values(r, type, is_bit, part ? n_point : n_offset,
                           part ? &r->grid.connectivity : offsets));
    }
    if (n_offset) {
        memmove(offsets->value, offsets->value + 1,
                ((size_t)n_offset - 1) * sizeof *offsets->value);
        offsets->n--;
        r->grid.n_cell = n_offset - 1;
    }
    return EW_OK;
}

/* Before: of each cell the count of its points, and they. */
static ew_status split_cells(reading *r, const ew_vtk_array *all)
{
    ew_vtk_grid *grid = &r->grid;
    int64_t at = 0, n = 0;
    EW_TRY(ew_new(&grid->offsets.value, (size_t)grid->n_cell, sizeof *grid->offsets.value));
    EW_TRY(ew_new(&grid->connectivity.value, (size_t)all->n, sizeof *grid->offsets.value));
    for (int64_t i = 0; i < grid->n_cell; i++) {
        const double size = at < all->n ? all->value[at++] : -1.0;
        if (!(size >= 0 && size <= (double)(all->n - at))) {
            return ew_scan_fail(&r->scan, "CELLS: the size of cell %lld, counted from 0, is wrong",
                                (long long)i);
        }
        for (int64_t k = 0; k < (int64_t)size; k++) {
            grid->connectivity.value[n++] = all->value[at++];
        }
        grid->offsets.value[i] = (double)n;
    }
    grid->offsets.n = grid->n_cell;
    grid->connectivity.n = n;
    return EW_OK;
}

static ew_status read_cells(reading *r)
{
    int64_t n, size;
    EW_TRY(count(r, "the count of cells", &n));
    EW_TRY(count(r, "the size of the list of cells", &size));
    if (r->grid.offsets.value) {
        return ew_scan_fail(&r->scan, "a second section CELLS");
    }
    ew_scan ahead = r->scan;
    char word[EW_WORD];
    ew_scan_leave_line(&ahead);
    ew_scan_anywhere(&ahead);
    ew_scan_word(&ahead, word);
    if (!strcmp(word, "offsets")) {
        ew_scan_leave_line(&r->scan);
        return read_offsets(r, n, size);
    }
    ew_vtk_array all = {.n = 0};
    r->grid.n_cell = n;
    ew_status status = (uint64_t)n > (uint64_t)(r->scan.end - r->scan.at)
                           ? ew_scan_fail(&r->scan, "more cells than the file can hold")
                           : read_values(r, EW_VTK_INT32, false, size, &all);
    status = status ? status : split_cells(r, &all);
    ew_release(all.value);
    return status;
}

static ew_status read_cell_types(reading *r)
{
    int64_t n;
    EW_TRY(count(r, "the count of types", &n));
    ew_release(r->grid.types.value);
    return read_values(r, EW_VTK_INT32, false, n, &r->grid.types);
}

/* ---- arrays --------------------------------------------------------------------------------- */

/* The next word of the line as it is, with %20 and the like as characters. */
static void read_array_name(reading *r, char name[EW_GROUP_NAME])
{
    size_t n = 0;
    ew_scan_on_line(&r->scan);
    for (; r->scan.at < r->scan.end && (unsigned char)*r->scan.at > ' '; r->scan.at++) {
        char c = *r->scan.at;
        int value = 0;
        if (c == '%' && r->scan.end - r->scan.at > 2) {
            for (int k = 1; k < 3; k++) {
                const char h = r->scan.at[k];
                const int digit = h >= '0' && h <= '9'   ? h - '0'
                                  : h >= 'a' && h <= 'f' ? h - 'a' + 10
                                  : h >= 'A' && h <= 'F' ? h - 'A' + 10
                                                         : 16;
                value = digit < 16 && value >= 0 ? 16 * value + digit : -1;
            }
            if (value > 0) {
                c = (char)value;
                r->scan.at += 2;
            }
        }
        if (n < EW_GROUP_NAME - 1) {
            name[n++] = c;
        }
    }
    name[n] = 0;
}

static ew_status read_array(reading *r, const char *name, ew_vtk_type type, bool is_bit, int64_t n,
                            int64_t width)
{
    ew_vtk_grid *grid = &r->grid;
    ew_vtk_array made = {.of_cells = r->of_cells, .width = width};
    const bool asked = ew_vtk_is_asked(grid, name, r->of_cells) && width <= EW_VTK_MAX_WIDTH;
    if (n != r->n_of || (!asked && (width != 1 || !ew_vtk_is_wanted(name, r->of_cells)))) {
        return read_values(r, type, is_bit, n * width, NULL);
    }
    EW_TRY(ew_grow(&grid->array, &grid->array_capacity, (int64_t)grid->n_array + 1,
                   sizeof *grid->array));
    memcpy(made.name, name, sizeof made.name);
    grid->array[grid->n_array++] = made;
    return read_values(r, type, is_bit, n * width, &grid->array[grid->n_array - 1]);
}

static ew_status read_scalars(reading *r)
{
    char name[EW_GROUP_NAME], word[EW_WORD];
    ew_vtk_type type;
    bool is_bit;
    int64_t width = 1;
    read_array_name(r, name);
    EW_TRY(read_type(r, &type, &is_bit));
    if (ew_scan_on_line(&r->scan)) {
        EW_TRY(ew_scan_int(&r->scan, "the count of components", 1, 9, &width));
    }
    ew_scan ahead = r->scan;
    ew_scan_leave_line(&ahead);
    ew_scan line = ahead;
    ew_scan_anywhere(&line);
    ew_scan_word(&line, word);
    if (!strcmp(word, "lookup_table")) {
        r->scan = line;
    }
    return read_array(r, name, type, is_bit, r->n_of, width);
}

static ew_status read_field(reading *r)
{
    char name[EW_GROUP_NAME];
    int64_t n_array, width, n;
    ew_vtk_type type;
    bool is_bit;
    read_array_name(r, name);
    EW_TRY(count(r, "the count of arrays", &n_array));
    for (int64_t i = 0; i < n_array; i++) {
        if (!ew_scan_anywhere(&r->scan)) {
            return ew_scan_fail(&r->scan, "the file ends before array %lld", (long long)i + 1);
        }
        if (r->scan.end - r->scan.at > 8 && !memcmp(r->scan.at, "METADATA", 8)) {
            while (r->scan.at < r->scan.end && *r->scan.at != '\n') { /* to an empty line */
                ew_scan_leave_line(&r->scan);
            }
            ew_scan_anywhere(&r->scan);
        }
        read_array_name(r, name);
        EW_TRY(count(r, "the count of components", &width));
        EW_TRY(count(r, "the count of values", &n));
        EW_TRY(read_type(r, &type, &is_bit));
        if (width > 10000) {
            return ew_scan_fail(&r->scan, "an array of %lld components", (long long)width);
        }
        EW_TRY(read_array(r, name, type, is_bit, n, width));
    }
    return EW_OK;
}

/* Arrays of a known width, kept where they are asked for. */
static ew_status pass_over(reading *r, const char *word)
{
    char name[EW_GROUP_NAME];
    ew_vtk_type type;
    bool is_bit;
    int64_t width = !strcmp(word, "tensors") ? 9 : !strcmp(word, "tensors6") ? 6 : 3;
    read_array_name(r, name);
    if (!strcmp(word, "texture_coordinates") || !strcmp(word, "color_scalars")) {
        EW_TRY(count(r, "the count of components", &width));
    }
    if (!strcmp(word, "lookup_table")) {
        EW_TRY(count(r, "the size of the table", &width));
        return r->binary ? read_values(r, EW_VTK_UINT8, false, 4 * width, NULL)
                         : read_values(r, EW_VTK_FLOAT32, false, 4 * width, NULL);
    }
    if (!strcmp(word, "color_scalars")) {
        return read_values(r, r->binary ? EW_VTK_UINT8 : EW_VTK_FLOAT32, false, r->n_of * width,
                           NULL);
    }
    EW_TRY(read_type(r, &type, &is_bit));
    return read_array(r, name, type, is_bit, r->n_of, width);
}

/* ---- the file -----------------------------------------------------------------------------------
 */

static ew_status read_head(reading *r)
{
    char word[EW_WORD];
    const char begin[] = "# vtk DataFile Version";
    if ((size_t)(r->scan.end - r->scan.at) < sizeof begin ||
        memcmp(r->scan.at, begin, sizeof begin - 1) != 0) {
        return ew_scan_fail(&r->scan, "a legacy VTK file begins with '%s'", begin);
    }
    ew_scan_leave_line(&r->scan);
    ew_scan_leave_line(&r->scan); /* its title */
    ew_scan_anywhere(&r->scan);
    const ew_scan here = r->scan;
    ew_scan_word(&r->scan, word);
    r->binary = !strcmp(word, "binary");
    return r->binary || !strcmp(word, "ascii")
               ? EW_OK
               : ew_scan_fail(&here, "'%s' where ASCII or BINARY should stand", word);
}

static ew_status read_dataset(reading *r)
{
    char word[EW_WORD];
    const ew_scan here = r->scan;
    ew_scan_word(&r->scan, word);
    return !strcmp(word, "unstructured_grid")
               ? EW_OK
               : ew_scan_fail(&here, "DATASET '%s'; UNSTRUCTURED_GRID is read, which has tets",
                              word);
}

static ew_status read_section(reading *r, const char *word, const ew_scan *here)
{
    static const char passed[] = " vectors normals tensors texture_coordinates color_scalars "
                                 "lookup_table global_ids pedigree_ids edge_flags tensors6 ";
    char spaced[EW_WORD + 2];
    snprintf(spaced, sizeof spaced, " %s ", word);
    if (!strcmp(word, "cell_data") || !strcmp(word, "point_data")) {
        r->of_cells = word[0] == 'c';
        return count(r, "the count of values", &r->n_of);
    }
    if (!strcmp(word, "metadata")) { /* to an empty line */
        ew_scan_leave_line(&r->scan);
        while (r->scan.at < r->scan.end && *r->scan.at != '\n' && *r->scan.at != '\r') {
            ew_scan_leave_line(&r->scan);
        }
        return EW_OK;
    }
    if (!strcmp(word, "global_ids") || !strcmp(word, "pedigree_ids")) {
        char name[EW_GROUP_NAME];
        ew_vtk_type type;
        bool is_bit;
        read_array_name(r, name);
        EW_TRY(read_type(r, &type, &is_bit));
        return read_values(r, type, is_bit, r->n_of, NULL);
    }
    return !strcmp(word, "dataset")      ? read_dataset(r)
           : !strcmp(word, "points")     ? read_points(r)
           : !strcmp(word, "cells")      ? read_cells(r)
           : !strcmp(word, "cell_types") ? read_cell_types(r)
           : !strcmp(word, "scalars")    ? read_scalars(r)
           : !strcmp(word, "field")      ? read_field(r)
           : strstr(passed, spaced)      ? pass_over(r, word)
                                         : ew_scan_fail(here, "'%s' is no section of VTK", word);
}

static ew_status read_all(reading *r)
{
    EW_TRY(read_head(r));
    while (ew_scan_anywhere(&r->scan)) {
        const ew_scan here = r->scan;
        char word[EW_WORD];
        ew_scan_word(&r->scan, word);
        EW_TRY(read_section(r, word, &here));
    }
    return EW_OK;
}

static reading begin_reading(const ew_bytes *file)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return (
        reading){.scan = ew_scan_begin(file->data, file->size, ""), .swap = first, .grid.line = 1};
}

static ew_status read_array_of_cells(const ew_bytes *file, const char *name, ew_cell_array *cells)
{
    reading r = begin_reading(file);
    r.grid.asked = name;
    ew_status status = read_all(&r);
    status = status ? status : ew_vtk_take_cells(&r.grid, cells);
    ew_vtk_free(&r.grid);
    return status;
}

static ew_status read_mesh(const ew_mesh_input *input, ew_mesh *mesh, ew_mesh_repair *repair,
                           ew_groups *groups)
{
    reading r = begin_reading(input->file);
    ew_status status = read_all(&r);
    status = status ? status : ew_vtk_make_mesh(&r.grid, mesh, repair, groups);
    ew_vtk_free(&r.grid);
    return status;
}

const ew_format ew_format_vtk = {
    .name = "VTK",
    .holds = "an unstructured grid of tets (of ten nodes, too) and triangles; groups by name",
    .endings = ".vtk",
    .n_file = 1,
    .n_needed = 1,
    .read_mesh = read_mesh,
    .read_cells = read_array_of_cells,
    .write_mesh = ew_vtk_write,
    .writes_groups = true,
    .writes_middles = true,
};
