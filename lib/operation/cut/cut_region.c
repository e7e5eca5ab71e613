/* The region of what lies inside a cut. In: a part of the mesh that was cut, both sides there. Out:
 * tets inside with another label, as new ones in the place of those that they come from. */
#include "operation/cut/cut.h"

#include <string.h>

/* A tet that came in when the cut was made already lies on the side of all its vertices. */
static bool is_inside(const ew_cutter *c, const ew_local_tet *tet)
{
    const int8_t side = tet->side ? tet->side : c->side[c->mesh->tet[4 * (size_t)tet->from]];
    return side < 0;
}

static bool has_label(const ew_cutter *c, int32_t region)
{
    return c->mesh->region_label[region] == c->def->region;
}

ew_status ew_cut_relabel(ew_cutter *c)
{
    ew_local *local = &c->local;
    const int32_t n = local->n_tet;
    local->new_region = c->def->region;
    for (int32_t t = 0; t < n && c->def->has_region; t++) {
        const ew_local_tet tet = local->tet[t];
        if (tet.v[0] < 0 || has_label(c, tet.region) || !is_inside(c, &tet)) {
            continue;
        }
        int32_t made = t;
        if (tet.slot >= 0) {
            EW_TRY(ew_local_add_tet(local, tet.v, tet.face, t, &made));
            ew_local_remove_tet(local, t);
        }
        local->tet[made].region = c->mesh->n_region;
    }
    return EW_OK;
}

ew_status ew_cut_relabel_far(const ew_cutter *c, ew_edit *edit)
{
    const ew_mesh *mesh = c->mesh;
    for (int32_t t = 0; t < mesh->n_tet && c->def->has_region; t++) {
        const int32_t *v = mesh->tet + 4 * (size_t)t;
        if (ew_mesh_tet_is_live(mesh, t) && c->side[v[0]] < 0 && !has_label(c, mesh->region[t]) &&
            ew_map_find(&c->local.tet_of, t, -1, -1) < 0) {
            EW_TRY(ew_edit_remove_tet(edit, t));
            EW_TRY(ew_edit_add_tet_from(edit, v, c->def->region, t));
        }
    }
    return EW_OK;
}
