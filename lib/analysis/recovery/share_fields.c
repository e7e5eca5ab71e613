/* Recovered fields in all processes. In: of each, its stretch of tets and of vertices. Out: all, or
 * what stands by tet at process 0. */
#include "analysis/recovery/stretches.h"
#include "base/pages.h"

typedef struct shared_field {
    double *value; /* null: none */
    size_t width;
} shared_field;

static ew_status share(ew_peers *peers, ew_stretch own, int32_t n, const int32_t *of, int n_field,
                       const shared_field *field)
{
    for (int i = 0; i < n_field; i++) {
        EW_TRY(field[i].value ? ew_stretch_join(peers, own, n, of, field[i].width, field[i].value)
                              : EW_OK);
    }
    return EW_OK;
}

ew_status ew_stretch_mark_around(const ew_topology *topology, ew_stretch own, uint64_t **bit)
{
    const ew_rows *rows = &topology->pattern.row_to_pair;
    EW_TRY(ew_new_zero(bit, (size_t)topology->pattern.n_row / 64 + 1, sizeof **bit));
    for (int32_t v = own.begin; v < own.end; v++) {
        ew_bit_set(*bit, v);
        for (int32_t i = 0; i < rows->count[v]; i++) {
            ew_bit_set(*bit, rows->item[2 * ((size_t)rows->begin[v] + (size_t)i)]);
        }
    }
    return EW_OK;
}

ew_status ew_fields_list_needed(const ew_peers *peers, const ew_mesh *mesh,
                                const ew_topology *topology, ew_list *tet)
{
    const ew_stretch own = ew_stretch_of_tets(peers, mesh->n_tet);
    uint64_t *around = NULL;
    ew_status status =
        ew_stretch_mark_around(topology, ew_stretch_of(peers, mesh->n_vertex), &around);
    for (int32_t t = 0; t < mesh->n_tet && !status; t++) {
        const int32_t *v = mesh->tet + 4 * (size_t)t;
        const bool is_needed = (t >= own.begin && t < own.end) ||
                               (ew_mesh_tet_is_live(mesh, t) &&
                                (ew_bit_has(around, v[0]) || ew_bit_has(around, v[1]) ||
                                 ew_bit_has(around, v[2]) || ew_bit_has(around, v[3])));
        status = is_needed ? ew_list_push(tet, t) : EW_OK;
    }
    ew_release(around);
    return status;
}

void ew_fields_use_small_pages(ew_fields *f)
{
    const struct {
        double *value;
        int32_t capacity;
        size_t width;
    } by_tet[] = {
        {f->strain, f->tet_capacity, 6},           {f->stress, f->tet_capacity, 6},
        {f->thermal_strain, f->tet_capacity, 1},   {f->volume, f->tet_capacity, 1},
        {f->von_mises, f->tet_capacity, 1},        {f->principal, f->tet_capacity, 3},
        {f->energy, f->tet_capacity, 1},           {f->thermal_tensor, f->thermal_capacity, 6},
        {f->corner_stress, f->corner_capacity, 24}};
    for (size_t k = 0; k < sizeof by_tet / sizeof *by_tet; k++) {
        ew_use_small_pages(by_tet[k].value,
                           (size_t)by_tet[k].capacity * by_tet[k].width * sizeof(double));
    }
}

ew_status ew_fields_complete(ew_fields *f, bool with_corners)
{
    ew_peers *peers = f->parts;
    const shared_field field[] = {{f->strain, 6},
                                  {f->stress, 6},
                                  {f->principal, 3},
                                  {f->thermal_strain, 1},
                                  {f->volume, 1},
                                  {f->von_mises, 1},
                                  {f->energy, 1},
                                  {f->has_thermal_tensor ? f->thermal_tensor : NULL, 6},
                                  {with_corners ? f->corner_stress : NULL, 24}};
    f->parts = NULL;
    return share(peers, ew_stretch_of_tets(peers, f->n_tet), f->n_tet, NULL, 9, field);
}

void ew_fields_part(const ew_fields *f, int32_t process, int32_t tet[2])
{
    const ew_peers one = {.rank = process, .n = f->parts ? f->parts->n : 1};
    const ew_stretch of = ew_stretch_of_tets(&one, f->n_tet);
    tet[0] = of.begin;
    tet[1] = of.end;
}

ew_status ew_fields_bring_part(const ew_fields *f, int32_t process, int32_t width,
                               const double *value, double *part)
{
    ew_peers *peers = f->parts;
    int32_t tet[2];
    ew_fields_part(f, process, tet);
    peers->bring_first(peers->user, process, (int64_t)width * (tet[1] - tet[0]),
                       value + (size_t)width * (size_t)tet[0], part);
    return peers->status(peers->user);
}

ew_status ew_fields_tets_von_mises(const ew_fields *f, const ew_list *tet, double *von_mises)
{
    const ew_stretch own = ew_stretch_of_tets(f->parts, f->n_tet);
    for (int32_t i = 0; i < tet->n; i++) {
        const int32_t t = tet->id[i];
        von_mises[i] = t >= own.begin && t < own.end ? f->von_mises[t] : 0.0;
    }
    if (f->parts) {
        f->parts->join(f->parts->user, tet->n, von_mises);
    }
    return f->parts ? f->parts->status(f->parts->user) : EW_OK;
}

ew_status ew_fields_share_vertices(ew_peers *peers, const ew_fields *f)
{
    const shared_field of_vertex[] = {
        {f->reaction, 3}, {f->vertex_stress, 6}, {f->vertex_von_mises, 1}};
    const shared_field of_patch[] = {{f->patch_stress, 6}, {f->patch_von_mises, 1}};
    const ew_stretch own = ew_stretch_of(peers, f->n_vertex);
    EW_TRY(share(peers, own, f->n_vertex, NULL, 3, of_vertex));
    return f->patches.n_vertex ? share(peers, own, f->n_vertex, f->patches.begin, 2, of_patch)
                               : EW_OK;
}
