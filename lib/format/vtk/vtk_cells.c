/* An array of cells of a grid of VTK by tet: what its cells of four and ten nodes have, in their
 * order, which is that of the mesh that is read from the grid. */
#include "format/vtk/vtk.h"

#include <string.h>

enum { TET = 10, TET_10 = 24 };

bool ew_vtk_is_asked(const ew_vtk_grid *grid, const char *name, bool of_cells)
{
    return of_cells && grid->asked && !strcmp(name, grid->asked);
}

static const ew_vtk_array *find(const ew_vtk_grid *grid)
{
    for (int32_t i = 0; i < grid->n_array; i++) {
        if (ew_vtk_is_asked(grid, grid->array[i].name, grid->array[i].of_cells)) {
            return &grid->array[i];
        }
    }
    return NULL;
}

ew_status ew_vtk_take_cells(const ew_vtk_grid *grid, ew_cell_array *cells)
{
    const ew_vtk_array *array = find(grid);
    ew_cell_array made = {0};
    if (!array || !array->width) {
        return ew_fail_at(EW_BAD_INPUT, (int32_t)grid->line,
                          "the grid has no array of cells '%.60s'", grid->asked);
    }
    const size_t width = (size_t)array->width;
    if (array->n != array->width * grid->n_cell || grid->types.n != grid->n_cell) {
        return ew_fail_at(
            EW_BAD_INPUT, (int32_t)grid->line,
            "the array of cells '%.60s' has %lld numbers for %lld cells of %lld types", grid->asked,
            (long long)array->n, (long long)grid->n_cell, (long long)grid->types.n);
    }
    EW_TRY(ew_new(&made.value, width * (size_t)grid->n_cell, sizeof *made.value));
    for (int64_t i = 0; i < grid->n_cell; i++) {
        if (grid->types.value[i] == TET || grid->types.value[i] == TET_10) {
            memcpy(made.value + width * (size_t)made.n_tet++, array->value + width * (size_t)i,
                   width * sizeof *made.value);
        }
    }
    made.width = (int32_t)width;
    *cells = made;
    return EW_OK;
}
