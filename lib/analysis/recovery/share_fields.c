/* Recovered fields in all processes. In: of each, its stretch of tets and of vertices. Out: all. */
#include "analysis/recovery/stretches.h"

typedef struct shared_field {
    double *value; /* null: none */
    size_t width;
} shared_field;

static ew_status share(ew_peers *peers, int32_t n, const int32_t *of, int n_field,
                       const shared_field *field)
{
    for (int i = 0; i < n_field; i++) {
        EW_TRY(field[i].value ? ew_stretch_share(peers, n, of, field[i].width, field[i].value)
                              : EW_OK);
    }
    return EW_OK;
}

ew_status ew_fields_share_tets(ew_peers *peers, const ew_fields *f, bool with_corners)
{
    const shared_field field[] = {{f->strain, 6},
                                  {f->stress, 6},
                                  {f->principal, 3},
                                  {f->thermal_strain, 1},
                                  {f->volume, 1},
                                  {f->von_mises, 1},
                                  {f->energy, 1},
                                  {f->has_thermal_tensor ? f->thermal_tensor : NULL, 6},
                                  {with_corners ? f->corner_stress : NULL, 24}};
    return share(peers, f->n_tet, NULL, 9, field);
}

ew_status ew_fields_share_vertices(ew_peers *peers, const ew_fields *f)
{
    const shared_field of_vertex[] = {
        {f->reaction, 3}, {f->vertex_stress, 6}, {f->vertex_von_mises, 1}};
    const shared_field of_patch[] = {{f->patch_stress, 6}, {f->patch_von_mises, 1}};
    EW_TRY(share(peers, f->n_vertex, NULL, 3, of_vertex));
    return f->patches.n_vertex ? share(peers, f->n_vertex, f->patches.begin, 2, of_patch) : EW_OK;
}
