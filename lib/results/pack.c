/* Mesh and fields by slot in, rows without holes out: active vertices and live tets in slot order.
 */
#include "analysis/parts/analysis.h"
#include "results/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

int32_t ew_frame_n_point(const ew_result_frame *frame)
{
    int32_t n = frame->mesh->n_active_vertex;
    for (int32_t e = 0; frame->edges && e < frame->edges->n_edge; e++) {
        n += frame->edges->end[2 * (size_t)e] >= 0;
    }
    return n;
}

static size_t column_bytes(const ew_result_frame *frame, int column)
{
    size_t n_point = (size_t)ew_frame_n_point(frame);
    size_t n_tet = (size_t)frame->mesh->n_live_tet;
    switch (column) {
    case EW_COLUMN_POINTS:
        return n_point * 3 * sizeof(double);
    case EW_COLUMN_TETS:
        return n_tet * (size_t)ew_frame_n_node(frame) * sizeof(int32_t);
    case EW_COLUMN_VERTEX_ID:
        return n_point * sizeof(int64_t);
    case EW_COLUMN_TET_ID:
        return n_tet * sizeof(int64_t);
    default:
        return n_tet * sizeof(int32_t);
    }
}

/* Row v of `from` for every active vertex; the place behind the last one. */
static char *pack_vertex_rows(const ew_mesh *mesh, const void *from, size_t row, char *to)
{
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (ew_mesh_vertex_is_active(mesh, v)) {
            memcpy(to, (const char *)from + row * (size_t)v, row);
            to += row;
        }
    }
    return to;
}

/* Values of a field at the middles of edges. */
typedef struct middles {
    const double *value; /* `stride` numbers from edge to edge; null: the mean of the ends */
    size_t stride;
    bool is_more; /* beyond the mean of the ends, not in its place */
} middles;

/* For the middle of every edge, the ends in `from` [n_vertex][width]. */
static void pack_middles(const ew_result_edges *edges, const double *from, const middles *have,
                         size_t width, char *to)
{
    for (int32_t e = 0; edges && e < edges->n_edge; e++) {
        const int32_t *end = edges->end + 2 * (size_t)e;
        const double *own = have->value ? have->value + have->stride * (size_t)e : NULL;
        for (size_t c = 0; c < width && end[0] >= 0; c++) {
            const double mean =
                0.5 * from[width * (size_t)end[0] + c] + 0.5 * from[width * (size_t)end[1] + c];
            const double value = own && have->is_more ? mean + own[c] : own ? own[c] : mean;
            memcpy(to, &value, sizeof value);
            to += sizeof value;
        }
    }
}

static middles middles_of(const ew_result_edges *edges, const char *field)
{
    static const struct {
        const char *field;
        size_t first;
        bool is_more;
    } own[] = {{"displacement", 0, true},
               {"velocity", 3, true},
               {"acceleration", 6, true},
               {"displacement_real", 3, true},
               {"displacement_imaginary", 6, true},
               {"envelope_displacement", 0, false},
               {"envelope_von_mises", 6, false},
               {"envelope_record", 7, false},
               {"stress", 0, false},
               {"von_mises", 6, false},
               {"stress_region", 7, false}};
    for (size_t k = 0; k < sizeof own / sizeof *own && edges; k++) {
        const double *from = own[k].is_more ? edges->bent : edges->stress;
        if (from && !strcmp(field, own[k].field)) {
            return (middles){from + own[k].first, own[k].is_more ? 9 : 8, own[k].is_more};
        }
    }
    return (middles){0};
}

/* They are no vertices. */
static void pack_middle_ids(const ew_result_edges *edges, char *to)
{
    const int64_t none = -1;
    for (int32_t e = 0; edges && e < edges->n_edge; e++) {
        if (edges->end[2 * (size_t)e] >= 0) {
            memcpy(to, &none, sizeof none);
            to += sizeof none;
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

/* Points by vertex slot, then by edge slot. */
static ew_status number_points(const ew_result_frame *frame, int32_t **point)
{
    const ew_mesh *mesh = frame->mesh;
    const ew_result_edges *edges = frame->edges;
    const size_t n_edge = edges ? (size_t)edges->n_edge : 0;
    int32_t n_point = 0;
    EW_TRY(ew_new(point, (size_t)mesh->n_vertex + n_edge, sizeof **point));
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        (*point)[v] = ew_mesh_vertex_is_active(mesh, v) ? n_point++ : -1;
    }
    for (size_t e = 0; e < n_edge; e++) {
        (*point)[(size_t)mesh->n_vertex + e] = edges->end[2 * e] >= 0 ? n_point++ : -1;
    }
    return EW_OK;
}

/* Middles in VTK's order: 01 12 02 03 13 23. */
static ew_status pack_connectivity(const ew_result_frame *frame, int32_t *to)
{
    static const int8_t edge_of[6] = {0, 3, 1, 2, 4, 5};
    const ew_mesh *mesh = frame->mesh;
    int32_t *point = NULL;
    EW_TRY(number_points(frame, &point));
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (!ew_mesh_tet_is_live(mesh, t)) {
            continue;
        }
        for (int k = 0; k < 4; k++) {
            *to++ = point[mesh->tet[4 * (size_t)t + k]];
        }
        for (int k = 0; k < 6 && frame->edges; k++) {
            *to++ = point[mesh->n_vertex + frame->edges->tet[6 * (size_t)t + edge_of[k]]];
        }
    }
    ew_release(point);
    return EW_OK;
}

/* The bytes themselves would be a second mesh in memory. A step of a sum is a bijection of the sum
 * before and of the word that comes in, so that bytes which differ within one word never have the
 * same sum; others do once in 2^128. */
bool ew_bytes_stay(ew_written_bytes *last, const void *data, size_t bytes)
{
    const char *at = data;
    ew_written_bytes own = {bytes, {1, 2}};
    for (size_t begin = 0; begin < bytes; begin += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, at + begin, bytes - begin < sizeof word ? bytes - begin : sizeof word);
        own.sum[0] = (own.sum[0] ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        own.sum[0] ^= own.sum[0] >> 32;
        own.sum[1] = (own.sum[1] + word) * UINT64_C(0xd6e8feb86659fd93);
        own.sum[1] ^= own.sum[1] >> 29;
    }
    const bool stay =
        last->n == own.n && bytes > 0 && last->sum[0] == own.sum[0] && last->sum[1] == own.sum[1];
    *last = own;
    return stay;
}

ew_status ew_pack_mesh(const ew_result_frame *frame, int column, void **data, size_t *bytes)
{
    const ew_mesh *mesh = frame->mesh;
    size_t size = column_bytes(frame, column);
    char *packed = NULL, *end;
    middles curve;
    EW_TRY(ew_new(&packed, size, 1));
    ew_status status = EW_OK;
    switch (column) {
    case EW_COLUMN_POINTS:
        end = pack_vertex_rows(mesh, mesh->xyz, 3 * sizeof *mesh->xyz, packed);
        curve = (middles){frame->edges ? frame->edges->curve : NULL, 3, true};
        pack_middles(frame->edges, mesh->xyz, &curve, 3, end);
        break;
    case EW_COLUMN_TETS:
        status = pack_connectivity(frame, (int32_t *)(void *)packed);
        break;
    case EW_COLUMN_VERTEX_ID:
        end = pack_vertex_rows(mesh, mesh->vertex_id, sizeof *mesh->vertex_id, packed);
        pack_middle_ids(frame->edges, end);
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

/* Whether the slots are the rows. */
static bool is_packed(const ew_result_frame *frame, const ew_result_field *field)
{
    const ew_mesh *mesh = frame->mesh;
    return field->place == EW_ON_VERTICES ? !frame->edges && mesh->n_active_vertex == mesh->n_vertex
                                          : mesh->n_live_tet == mesh->n_tet;
}

/* first: row of the frame that they begin with. */
static ew_status check_numbers(const ew_result_field *field, bool single, size_t first, size_t n,
                               const double *number)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(number[i]) || (single && fabs(number[i]) > FLT_MAX)) {
            return ew_fail(EW_NOT_FINITE, "field %s: row %zu of the frame is %s", field->name,
                           first + i / (size_t)field->n_component,
                           isfinite(number[i]) ? "too large for single precision" : "not finite");
        }
    }
    return EW_OK;
}

ew_status ew_pack_field(const ew_result_frame *frame, const ew_result_field *field, bool single,
                        double **room, const double **data)
{
    const ew_mesh *mesh = frame->mesh;
    bool on_vertices = field->place == EW_ON_VERTICES;
    size_t n = (size_t)(on_vertices ? ew_frame_n_point(frame) : mesh->n_live_tet);
    size_t row = (size_t)field->n_component * sizeof(double);
    *room = NULL;
    *data = field->data;
    if (!field->data) {
        return EW_OK;
    }
    if (!is_packed(frame, field)) {
        EW_TRY(ew_new(room, n, row));
        *data = *room;
        if (on_vertices) {
            const middles own = middles_of(frame->edges, field->name);
            pack_middles(frame->edges, field->data, &own, (size_t)field->n_component,
                         pack_vertex_rows(mesh, field->data, row, (char *)*room));
        } else {
            pack_tet_rows(mesh, field->data, row, (char *)*room);
        }
    }
    return check_numbers(field, single, 0, n * (size_t)field->n_component, *data);
}

ew_status ew_pack_part(const ew_result_frame *frame, const ew_result_field *field, bool single,
                       int32_t process, int64_t first, double **room, int64_t *n)
{
    const size_t width = (size_t)field->n_component;
    int32_t tet[2];
    ew_fields_part(frame->parts, process, tet);
    EW_TRY(ew_new(room, (size_t)(tet[1] - tet[0]), width * sizeof **room));
    EW_TRY(ew_fields_bring_part(frame->parts, process, field->n_component, field->data, *room));
    *n = 0;
    for (int32_t t = tet[0]; t < tet[1]; t++) {
        if (ew_mesh_tet_is_live(frame->mesh, t)) {
            memmove(*room + width * (size_t)(*n)++, *room + width * (size_t)(t - tet[0]),
                    width * sizeof **room);
        }
    }
    return check_numbers(field, single, (size_t)first, width * (size_t)*n, *room);
}
