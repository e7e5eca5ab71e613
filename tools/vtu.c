/* A result in, a .vtu file for each of its frames and a .pvd that lists them out: what VTK,
 * ParaView of any age, pyvista and meshio read. Arrays stand raw behind the XML, each after its
 * size. Reference: VTK XML file formats, "UnstructuredGrid", "Collection", appended data. */
#define _XOPEN_SOURCE 700
#include "page.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_CELL_ARRAY = 3, TETRA = 10, QUADRATIC_TETRA = 24 }; /* VTK's cell types */

/* ---- one frame -------------------------------------------------------------------- */

/* Sizes stand before the arrays, so that the offsets of the XML are known ahead. */
typedef struct vtu {
    page *to;
    uint64_t offset; /* of the next array behind the XML */
} vtu;

static void declare(vtu *own, const char *type, const char *name, int32_t width, uint64_t bytes)
{
    page_add(own->to, "<DataArray type=\"%s\" Name=\"", type);
    page_add_text(own->to, name);
    page_add(own->to, "\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\"/>\n",
             (int)width, (unsigned long long)own->offset);
    own->offset += sizeof(uint64_t) + bytes;
}

static uint64_t rows_of(const ew_view_frame *frame, const ew_view_field *field)
{
    return (uint64_t)(field->place == EW_ON_VERTICES ? frame->n_point : frame->n_tet);
}

/* A step without an analysis has no values: its fields are left out. */
static bool has_values(const ew_view_frame *frame, const ew_view_field *field)
{
    return rows_of(frame, field) > 0 && !isnan(field->data[0]);
}

static uint64_t nodes_of(const ew_view_frame *frame)
{
    return frame->middle ? 10 : 4;
}

static void declare_fields(vtu *own, const ew_view_frame *frame, ew_field_place place)
{
    const char *element = place == EW_ON_VERTICES ? "PointData" : "CellData";
    page_add(own->to, "<%s>\n", element);
    for (int32_t f = 0; f < frame->n_field; f++) {
        const ew_view_field *field = &frame->field[f];
        if (field->place == place && has_values(frame, field)) {
            declare(own, field->is_integer ? "Int64" : "Float64", field->name, field->n_component,
                    8 * (uint64_t)field->n_component * rows_of(frame, field));
        }
    }
    page_add(own->to, "</%s>\n", element);
}

static void declare_all(vtu *own, const ew_view_frame *frame)
{
    const uint64_t n_point = (uint64_t)frame->n_point, n_tet = (uint64_t)frame->n_tet;
    page_add(own->to,
             "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
             "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n<Piece "
             "NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n",
             (int)frame->n_point, (int)frame->n_tet);
    declare_fields(own, frame, EW_ON_VERTICES);
    declare_fields(own, frame, EW_ON_TETS);
    page_add(own->to, "<Points>\n");
    declare(own, "Float64", "Points", 3, 24 * n_point);
    page_add(own->to, "</Points>\n<Cells>\n");
    declare(own, "Int64", "connectivity", 1, 8 * nodes_of(frame) * n_tet);
    declare(own, "Int64", "offsets", 1, 8 * n_tet);
    declare(own, "UInt8", "types", 1, n_tet);
    page_add(own->to,
             "</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_");
}

static void write_block(page *to, const void *data, uint64_t bytes)
{
    page_add_bytes(to, &bytes, sizeof bytes);
    page_add_bytes(to, data, bytes);
}

static ew_status put_integers(page *to, uint64_t n, int64_t *work, const double *value)
{
    for (uint64_t i = 0; i < n; i++) {
        work[i] = fabs(value[i]) < 9e15 ? (int64_t)value[i] : 0;
    }
    write_block(to, work, n * sizeof *work);
    return to->status;
}

static ew_status put_fields(page *to, const ew_view_frame *frame, ew_field_place place,
                            int64_t *work)
{
    for (int32_t f = 0; f < frame->n_field; f++) {
        const ew_view_field *field = &frame->field[f];
        const uint64_t n = (uint64_t)field->n_component * rows_of(frame, field);
        if (field->place != place || !has_values(frame, field)) {
            continue;
        }
        if (field->is_integer && field->n_component == 1) {
            EW_TRY(put_integers(to, n, work, field->data));
        } else {
            write_block(to, field->data, n * sizeof *field->data);
        }
    }
    return to->status;
}

static ew_status put_cells(page *to, const ew_view_frame *frame, int64_t *work)
{
    const uint64_t n = (uint64_t)frame->n_tet, n_node = nodes_of(frame);
    for (uint64_t i = 0; i < n_node * n; i++) {
        const uint64_t t = i / n_node, k = i % n_node;
        work[i] = k < 4 ? frame->tet[4 * t + k] : frame->middle[6 * t + k - 4];
    }
    write_block(to, work, n_node * n * sizeof *work);
    for (uint64_t i = 0; i < n; i++) {
        work[i] = (int64_t)(n_node * (i + 1));
    }
    write_block(to, work, n * sizeof *work);
    memset(work, frame->middle ? QUADRATIC_TETRA : TETRA, n);
    write_block(to, work, n);
    return to->status;
}

static ew_status make_frame(page *to, const ew_view_frame *frame)
{
    const size_t n_work = (size_t)nodes_of(frame) * (size_t)frame->n_tet + (size_t)frame->n_point;
    vtu own = {.to = to};
    int64_t *work = NULL;
    EW_TRY(ew_new(&work, n_work, sizeof *work));
    declare_all(&own, frame);
    ew_status status = put_fields(to, frame, EW_ON_VERTICES, work);
    if (!status) {
        status = put_fields(to, frame, EW_ON_TETS, work);
    }
    if (!status) {
        write_block(to, frame->xyz, 24 * (uint64_t)frame->n_point);
        status = put_cells(to, frame, work);
    }
    page_add(to, "\n</AppendedData>\n</VTKFile>\n");
    ew_release(work);
    return status ? status : to->status;
}

/* ---- all of them --------------------------------------------------------------------- */

/* NAME.NNNNNN.vtu */
static bool is_frame_name(const char *entry, const char *base)
{
    const size_t n = strlen(base);
    return !strncmp(entry, base, n) && entry[n] == '.' &&
           strspn(entry + n + 1, "0123456789") == 6 && !strcmp(entry + n + 7, ".vtu");
}

/* Frames of an earlier export: a list must not be mixed with those of another. */
static ew_status remove_frames(const char *name)
{
    char *folder = NULL;
    const char *slash = strrchr(name, '/');
    ew_status status = ew_file_beside(name, ".", &folder);
    DIR *list = status ? NULL : opendir(folder);
    for (struct dirent *entry; list && !status && (entry = readdir(list));) {
        char *path = NULL;
        if (is_frame_name(entry->d_name, slash ? slash + 1 : name)) {
            status = ew_file_beside(name, entry->d_name, &path);
            remove(status ? "" : path);
        }
        ew_release(path);
    }
    if (list) {
        closedir(list);
    }
    ew_release(folder);
    return status;
}

static ew_status write_frame(const char *result, int32_t k, const char *path)
{
    ew_view_frame frame = {0};
    page to = {0};
    EW_TRY(ew_result_read_frame(result, k, NULL, &frame));
    ew_status status = make_frame(&to, &frame);
    if (!status) {
        status = tool_write_file(path, &to.text);
    }
    ew_text_free(&to.text);
    ew_view_frame_free(&frame);
    return status;
}

static ew_status write_frames(const char *result, const ew_result_view *view, const char *name,
                              page *list)
{
    const char *slash = strrchr(name, '/');
    page_add(list, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
                   "byte_order=\"LittleEndian\">\n<Collection>\n");
    for (int32_t s = 0; s < view->n_step; s++) {
        const double *time = ew_view_find(view->step[s].n_number, view->step[s].number, "time", 1);
        char path[4096];
        if (view->step[s].frame < 0) {
            continue;
        }
        if (snprintf(path, sizeof path, "%s.%06d.vtu", name, (int)s) >= (int)sizeof path) {
            return ew_fail(EW_BAD_ARGUMENT, "%s: the name is too long", name);
        }
        EW_TRY(write_frame(result, view->step[s].frame, path));
        page_add(list, "<DataSet timestep=\"%.17g\" file=\"", time ? *time : s);
        page_add_text(list, path + (slash ? slash + 1 - name : 0));
        page_add(list, "\"/>\n");
    }
    page_add(list, "</Collection>\n</VTKFile>\n");
    return list->status;
}

ew_status tool_write_vtu(const char *result, const char *name, int32_t *n_frame)
{
    ew_result_view view = {0};
    page list = {0};
    char *path = NULL;
    ew_status status = ew_replace_recover(result);
    if (!status) {
        status = ew_result_read_view(result, &view);
    }
    if (!status) {
        status = ew_new(&path, strlen(name) + sizeof ".pvd", 1);
    }
    if (!status) {
        strcat(strcpy(path, name), ".pvd");
        remove(path); /* while it is there, what it lists belongs together */
        status = remove_frames(name);
    }
    if (!status) {
        status = write_frames(result, &view, name, &list);
    }
    if (!status) {
        status = tool_write_file(path, &list.text);
    }
    *n_frame = view.n_frame;
    ew_text_free(&list.text);
    ew_result_view_free(&view);
    ew_release(path);
    return status;
}
