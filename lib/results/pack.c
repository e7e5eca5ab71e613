/* Mesh and fields by slot in, rows without holes out: active vertices and live tets in slot order.
 */
#include "results/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

static size_t column_bytes(const ew_mesh *mesh, int column)
{
    size_t n_point = (size_t)mesh->n_active_vertex;
    size_t n_tet = (size_t)mesh->n_live_tet;
    switch (column) {
    case EW_COLUMN_POINTS:
        return n_point * 3 * sizeof(double);
    case EW_COLUMN_TETS:
        return n_tet * 4 * sizeof(int32_t);
    case EW_COLUMN_VERTEX_ID:
        return n_point * sizeof(int64_t);
    case EW_COLUMN_TET_ID:
        return n_tet * sizeof(int64_t);
    default:
        return n_tet * sizeof(int32_t);
    }
}

/* Row v of `from` for every active vertex. */
static void pack_vertex_rows(const ew_mesh *mesh, const void *from, size_t row, char *to)
{
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (ew_mesh_vertex_is_active(mesh, v)) {
            memcpy(to, (const char *)from + row * (size_t)v, row);
            to += row;
        }
    }
}

static void pack_tet_rows(const ew_mesh *mesh, const void *from, size_t row, char *to)
{
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            memcpy(to, (const char *)from + row * (size_t)t, row);
            to += row;
        }
    }
}

static void pack_region(const ew_mesh *mesh, int32_t *to)
{
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            *to++ = mesh->region_label[mesh->region[t]];
        }
    }
}

static ew_status pack_connectivity(const ew_mesh *mesh, int32_t *to)
{
    int32_t *point = NULL; /* of vertex slot */
    EW_TRY(ew_new(&point, (size_t)mesh->n_vertex, sizeof *point));
    int32_t n_point = 0;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        point[v] = ew_mesh_vertex_is_active(mesh, v) ? n_point++ : -1;
    }
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            for (int k = 0; k < 4; k++) {
                *to++ = point[mesh->tet[4 * (size_t)t + k]];
            }
        }
    }
    ew_release(point);
    return EW_OK;
}

ew_status ew_pack_mesh(const ew_mesh *mesh, int column, void **data, size_t *bytes)
{
    size_t size = column_bytes(mesh, column);
    char *packed = NULL;
    EW_TRY(ew_new(&packed, size, 1));
    ew_status status = EW_OK;
    switch (column) {
    case EW_COLUMN_POINTS:
        pack_vertex_rows(mesh, mesh->xyz, 3 * sizeof *mesh->xyz, packed);
        break;
    case EW_COLUMN_TETS:
        status = pack_connectivity(mesh, (int32_t *)(void *)packed);
        break;
    case EW_COLUMN_VERTEX_ID:
        pack_vertex_rows(mesh, mesh->vertex_id, sizeof *mesh->vertex_id, packed);
        break;
    case EW_COLUMN_TET_ID:
        pack_tet_rows(mesh, mesh->tet_id, sizeof *mesh->tet_id, packed);
        break;
    case EW_COLUMN_REGION:
        pack_region(mesh, (int32_t *)(void *)packed);
        break;
    default:
        pack_tet_rows(mesh, mesh->born, sizeof *mesh->born, packed);
    }
    if (status) {
        ew_release(packed);
        return status;
    }
    *data = packed;
    *bytes = size;
    return EW_OK;
}

ew_status ew_pack_field(const ew_mesh *mesh, const ew_result_field *field, bool single,
                        double **data)
{
    bool on_vertices = field->place == EW_ON_VERTICES;
    size_t n = (size_t)(on_vertices ? mesh->n_active_vertex : mesh->n_live_tet);
    size_t row = (size_t)field->n_component * sizeof(double);
    double *packed = NULL;
    *data = NULL;
    if (!field->data) {
        return EW_OK;
    }
    EW_TRY(ew_new(&packed, n, row));
    if (on_vertices) {
        pack_vertex_rows(mesh, field->data, row, (char *)packed);
    } else {
        pack_tet_rows(mesh, field->data, row, (char *)packed);
    }
    const size_t n_number = n * (size_t)field->n_component;
    for (size_t i = 0; i < n_number; i++) {
        if (!isfinite(packed[i]) || (single && fabs(packed[i]) > FLT_MAX)) {
            const char *what =
                isfinite(packed[i]) ? "too large for single precision" : "not finite";
            ew_release(packed);
            return ew_fail(EW_NOT_FINITE, "field %s: row %zu of the frame is %s", field->name,
                           i / (size_t)field->n_component, what);
        }
    }
    *data = packed;
    return EW_OK;
}
