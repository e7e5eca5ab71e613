/* Quadratic tets with curved sides: which they are, and at their Gauss points whether they have any
 * volume. In: rows of edges with their curves. Out: the curves of a tet, its blocks of edges. */
#include "assembly/parts/assembly.h"
#include "curved_blocks.h"

#include <math.h>
#include <string.h>

bool ew_tet_curves(const ew_edge_rows *rows, const ew_topology *topology, int32_t tet, double d[18])
{
    bool any = false;
    if (!rows || !rows->curve || !rows->n_live) {
        return false;
    }
    memset(d, 0, 18 * sizeof *d);
    for (size_t k = 0; k < 6; k++) {
        const int32_t row = rows->row[topology->tet_to_edge[6 * (size_t)tet + k]];
        const double *from = row < 0 ? NULL : rows->curve + 3 * (size_t)row;
        if (from && (from[0] != 0.0 || from[1] != 0.0 || from[2] != 0.0)) {
            memcpy(d + 3 * k, from, 3 * sizeof *d);
            any = true;
        }
    }
    return any;
}

void ew_curved_point(int point, const double *x, const double *d, double y[12])
{
    ew_lanes_bend(point, x, d, y);
}

void ew_curved_add_forces(int point, const double *force, double f[18])
{
    ew_lanes_add_bent(point, force, f);
}

double ew_at_gauss_point(int point, const double corner[4])
{
    const double sum = (corner[0] + corner[1]) + (corner[2] + corner[3]);
    return EW_GAUSS_OTHER * sum + (EW_GAUSS_OWN - EW_GAUSS_OTHER) * corner[point];
}

void ew_curved_forces(const double *x, const double *d, const ew_elastic *law, const double *u,
                      const double *c, double q[12], double f[18])
{
    ew_lanes_curved_forces(x, d, law->lame ? law->lame : law->moduli, law->lame ? 2 : 21, u, c, q,
                           f);
}

double ew_curved_volume(const double *x, const double *d)
{
    return ew_curved_volume_of(x, d);
}

_Static_assert(EW_CURVED_POINTS == EW_MASS_POINTS, "the rule is that of the mass");

double ew_curved_share(int point, const double *x, const double *d, double l[4])
{
    const double weight = ew_mass_point(point, l);
    return ew_mass_point_volume(weight, l, x, d);
}

/* The least Jacobian, over six, at the points that the stiffness or the mass is taken at. */
static double min_volume(const double *x, const double *d, bool of_mass)
{
    double least = INFINITY;
    for (int p = 0; p < (of_mass ? EW_MASS_POINTS : 4); p++) {
        double y[12], l[4];
        if (of_mass) {
            (void)ew_mass_point(p, l);
            least = fmin(least, ew_mass_point_volume(1.0, l, x, d));
        } else {
            ew_lanes_bend(p, x, d, y);
            least = fmin(least, ew_tet_volume(y, y + 3, y + 6, y + 9));
        }
    }
    return least;
}

ew_status ew_edge_rows_check_curves(const ew_edge_rows *rows, const ew_mesh *mesh,
                                    const ew_topology *topology, bool with_mass)
{
    double x[12], d[18];
    for (int32_t t = 0; t < mesh->n_tet && rows->curve; t++) {
        if (!ew_mesh_tet_is_live(mesh, t) || !ew_tet_curves(rows, topology, t, d)) {
            continue;
        }
        ew_mesh_tet_values(mesh, t, mesh->xyz, x);
        if (!(min_volume(x, d, false) > 0.0) || (with_mass && !(min_volume(x, d, true) > 0.0))) {
            return ew_fail_about(EW_MESH_VOLUME, mesh->tet_id[t], -1,
                                 "tet %lld: its curved sides fold it, the Jacobian at an "
                                 "integration point is not positive; move its middles nearer to "
                                 "the straight sides, or use linear tets",
                                 (long long)mesh->tet_id[t]);
        }
    }
    return EW_OK;
}
