/* Private to format: an unstructured grid of VTK. (vtk.c, vtk_legacy.c, vtu.c, vtk_write.c) */
#ifndef EW_FORMAT_VTK_H
#define EW_FORMAT_VTK_H

#include "format/framework/draft.h"

/* Numbers of a file, whatever their type there. */
typedef struct ew_vtk_array {
    char name[EW_GROUP_NAME];
    bool of_cells; /* else of points */
    int64_t n;     /* numbers */
    int64_t width; /* of a cell or point; 0 in the grid's own arrays */
    double *value; /* [n] owned */
} ew_vtk_array;

typedef struct ew_vtk_grid {
    int64_t n_point, n_cell;                           /* as the file says */
    ew_vtk_array points, connectivity, offsets, types; /* offsets: [n_cell] ends of cells */
    int32_t n_array, array_capacity;
    ew_vtk_array *array; /* [n_array] owned: those that say something here */
    int64_t line;        /* that a message about the grid names */
    const char *asked;   /* an array of cells that is kept, too, whatever it is; null: none */
} ew_vtk_grid;
void ew_vtk_free(ew_vtk_grid *grid);
/* Whether an array of a cell or point says something here: a region, a label, or the members of a
 * group, which writers call "group:NAME". */
bool ew_vtk_is_wanted(const char *name, bool of_cells);
#define EW_VTK_GROUP "group:"

/* vtk_cells.c: as ew_format's read_cells; whether an array is the one that is asked for. */
ew_status ew_vtk_take_cells(const ew_vtk_grid *grid, ew_cell_array *cells);
bool ew_vtk_is_asked(const ew_vtk_grid *grid, const char *name, bool of_cells);
/* Numbers of a cell that one that is asked for may have. */
#define EW_VTK_MAX_WIDTH 64

/* The arrays of a grid to a mesh. */
ew_status ew_vtk_make_mesh(const ew_vtk_grid *grid, ew_mesh *mesh, ew_mesh_repair *repair,
                           ew_groups *groups);

/* vtk_values.c */
typedef enum ew_vtk_type {
    EW_VTK_INT8,
    EW_VTK_UINT8,
    EW_VTK_INT16,
    EW_VTK_UINT16,
    EW_VTK_INT32,
    EW_VTK_UINT32,
    EW_VTK_INT64,
    EW_VTK_UINT64,
    EW_VTK_FLOAT32,
    EW_VTK_FLOAT64
} ew_vtk_type;
size_t ew_vtk_size(ew_vtk_type type);
/* n numbers of the type at data, in this machine's order of bytes, or where `swap` says so in the
 * other. */
void ew_vtk_values(const unsigned char *data, ew_vtk_type type, bool swap, int64_t n,
                   double *value);

/* As ew_format's write_mesh. */
ew_status ew_vtk_write(const ew_mesh *mesh, const ew_groups *groups, bool user_order,
                       ew_text *file);
ew_status ew_vtu_write(const ew_mesh *mesh, const ew_groups *groups, bool user_order,
                       ew_text *file);

#endif
