/* The table of formats, and reading and writing through it. In: a name, or a descriptor with the
 * bytes of its files. Out: the format of the name's ending, a mesh, a surface, texts. */
#include "format/framework/slots.h"
#include "format/framework/surface.h"

#include <string.h>

static const ew_format *const formats[] = {
    &ew_format_medit, &ew_format_tetgen, &ew_format_gmsh, &ew_format_inp,
    &ew_format_vtu,   &ew_format_vtk,    &ew_format_xdmf, &ew_format_unv,
    &ew_format_bdf,   &ew_format_off,    &ew_format_obj,  &ew_format_stl,
};
enum { N_FORMAT = sizeof formats / sizeof *formats };

const ew_format *ew_format_at(int32_t i)
{
    return i >= 0 && i < N_FORMAT ? formats[i] : NULL;
}

static bool ends_with(const char *name, const char *ending, size_t length)
{
    const size_t n = strlen(name);
    if (n < length) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        const char c = name[n - length + i];
        if ((c >= 'A' && c <= 'Z' ? (char)(c + 32) : c) != ending[i]) {
            return false;
        }
    }
    return true;
}

const ew_format *ew_format_of_name(const char *name)
{
    for (int32_t i = 0; i < N_FORMAT; i++) {
        for (const char *at = formats[i]->endings; *at;) {
            const size_t length = strcspn(at, " ");
            if (ends_with(name, at, length)) {
                return formats[i];
            }
            at += length;
            at += strspn(at, " ");
        }
    }
    return NULL;
}

static ew_status refuse(const ew_format *format, const char *what)
{
    return format ? ew_refuse(EW_RULE_FORMAT, "%s: %s", format->name, what)
                  : ew_refuse(EW_RULE_FORMAT, "an unknown format");
}

ew_status ew_format_read_mesh(const ew_format *format, const ew_mesh_input *input, ew_mesh *mesh,
                              ew_mesh_repair *repair, ew_groups *groups)
{
    if (!format || !format->read_mesh) {
        return refuse(format, "this format holds no tets to be read");
    }
    ew_groups named = {0};
    ew_mesh made;
    ew_mesh_repair repaired = {0};
    ew_status status = format->read_mesh(input, &made, &repaired, &named);
    if (!status) {
        status = ew_groups_finish(&named, &made);
        if (!status && format->comment[0]) {
            status = ew_slots_read(input->file, &made, &named);
        }
        if (status) {
            ew_mesh_free(&made);
        }
    }
    if (status || !groups) {
        ew_groups_free(&named);
    }
    if (status) {
        return status;
    }
    *mesh = made;
    if (repair) {
        *repair = repaired;
    }
    if (groups) {
        *groups = named;
    }
    return EW_OK;
}

ew_status ew_format_read_cells(const ew_format *format, const ew_bytes *file, const char *name,
                               ew_cell_array *cells)
{
    return format && format->read_cells
               ? format->read_cells(file, name, cells)
               : refuse(format, "this format has no arrays of cells; .vtu and .vtk have");
}

ew_status ew_format_read_surface(const ew_format *format, const ew_bytes *file, ew_surface *surface,
                                 int32_t *n_welded, ew_groups *groups)
{
    if (!format || !format->read_surface) {
        return refuse(format, "this format holds no surface to be read");
    }
    ew_groups named = {0};
    ew_surface read = {0};
    int32_t welded = 0;
    const ew_status status = format->read_surface(file, &read, &welded, &named);
    if (status || !groups) {
        ew_groups_free(&named);
    }
    if (status) {
        ew_surface_free(&read);
        return status;
    }
    *surface = read;
    if (n_welded) {
        *n_welded = welded;
    }
    if (groups) {
        *groups = named;
    }
    return EW_OK;
}

ew_status ew_format_read_polygons(const ew_format *format, const ew_bytes *file,
                                  ew_polygons *polygons, int32_t *n_welded)
{
    ew_polygons read = {.n_face = 0};
    int32_t welded = 0;
    ew_status status;
    if (format && format->read_polygons) {
        status = format->read_polygons(file, &read);
    } else {
        status = ew_format_read_surface(format, file, &read.surface, &welded, NULL);
        status = status ? status : ew_polygons_of_triangles(&read);
    }
    if (status) {
        ew_polygons_free(&read);
        return status;
    }
    *polygons = read;
    if (n_welded) {
        *n_welded = welded;
    }
    return EW_OK;
}

ew_status ew_format_write_mesh(const ew_format *format, const ew_mesh *mesh,
                               const ew_groups *groups, bool user_order, ew_text *file)
{
    static const ew_groups none = {0};
    if (!format || !format->write_mesh) {
        return refuse(format, "meshes are not written in this format");
    }
    ew_text text[EW_FORMAT_MAX_FILES] = {{0}};
    ew_status status = format->write_mesh(mesh, groups ? groups : &none, user_order, text);
    const bool keeps = mesh->keeps_slots || (mesh->has_middles && !format->writes_middles);
    if (!status && keeps && user_order && format->comment[0]) {
        status = ew_slots_write(format, mesh, &text[0]);
    }
    for (int32_t i = 0; i < format->n_file; i++) {
        if (status) {
            ew_text_free(&text[i]);
        } else {
            file[i] = text[i];
        }
    }
    return status;
}
