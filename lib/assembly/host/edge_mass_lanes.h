/* edge_mass_lanes: private to assembly. The product with the consistent mass of quadratic tets with
 * straight sides, tets side by side, as edge_lanes.h has that of the
 * stiffness. */
#ifndef EW_ASSEMBLY_EDGE_MASS_LANES_H
#define EW_ASSEMBLY_EDGE_MASS_LANES_H

#include "assembly/host/edge_lanes.h"

/* The groups [begin, end) of the mass' list, as in edge_lanes.h. */
int32_t ew_edge_mass_groups_avx512(const ew_edge_mass *mass, ew_edge_part part, double factor,
                                   int32_t begin, int32_t end, const double *x, double *y);
void ew_edge_mass_groups_avx2(const ew_edge_mass *mass, ew_edge_part part, double factor,
                              int32_t begin, int32_t end, const double *x, double *y);

/* m: factor times the masses of the tets. */
EW_EVERYWHERE void ew_edge_mass_of_group(const ew_edge_mass *mass, double factor,
                                         const int32_t *node, bool plain, ew_lanes *m)
{
    ew_lanes x[12], g[12], volume, density;
    for (int k = 0; k < 4; k++) {
        ew_lanes_gather(mass->of.mesh->xyz, node, k, plain, x + 3 * k);
    }
    ew_lanes_gradients(x, g, &volume);
    for (int l = 0; l < EW_LANE_COUNT; l++) {
        density[l] = mass->of.materials->material[ew_lanes_region(node, l)].density;
    }
    *m = factor * density * volume;
}

/* out [10][3]: what they give their corners and edges; s [4][3]: sums of c at corners. */
EW_EVERYWHERE void ew_edge_mass_forces(const ew_lanes *m, const ew_lanes *u, const ew_lanes *c,
                                       const ew_lanes *s, ew_lanes *out)
{
    const ew_lanes of_u = *m * (1.0 / 30.0), of_c = *m * (2.0 / 105.0);
    for (int i = 0; i < 3; i++) {
        const ew_lanes all = 0.5 * ((s[i] + s[3 + i]) + (s[6 + i] + s[9 + i]));
        const ew_lanes sum = (u[i] + u[3 + i]) + (u[6 + i] + u[9 + i]);
        for (int a = 0; a < 4; a++) {
            out[3 * a + i] = of_u * (all + s[3 * a + i]);
        }
        for (int k = 0; k < 6; k++) {
            const int a = 3 * ew_edge_vertex[k][0] + i, b = 3 * ew_edge_vertex[k][1] + i;
            out[12 + 3 * k + i] =
                of_c * ((all + c[3 * k + i]) + (s[a] + s[b])) + of_u * (sum + (u[a] + u[b]));
        }
    }
}

EW_EVERYWHERE void ew_edge_mass_group(const ew_edge_mass *mass, ew_edge_part part, double factor,
                                      const int32_t *node, bool plain, const double *x, double *y)
{
    const ew_lanes none = {0.0};
    ew_lanes m, u[12], c[18], s[12], out[3 * EW_GROUP_NODES];
    for (int k = 0; k < 12; k++) {
        u[k] = s[k] = none;
    }
    for (int k = 0; k < 18; k++) {
        c[k] = none;
    }
    for (int k = 0; k < 4 && part != EW_EDGE_OF_EDGES; k++) {
        ew_lanes_gather(x, node, k, plain, u + 3 * k);
    }
    for (int k = 0; k < 6 && part != EW_EDGE_OF_CORNERS; k++) {
        ew_lanes_gather(x, node, 4 + k, plain, c + 3 * k);
        for (int i = 0; i < 3; i++) {
            s[3 * ew_edge_vertex[k][0] + i] += c[3 * k + i];
            s[3 * ew_edge_vertex[k][1] + i] += c[3 * k + i];
        }
    }
    ew_edge_mass_of_group(mass, factor, node, plain, &m);
    ew_edge_mass_forces(&m, u, c, s, out);
    for (int k = 0; k < EW_GROUP_NODES; k++) {
        const ew_lanes row[3] = {out[3 * k], out[3 * k + 1], out[3 * k + 2]};
        ew_lanes_turn(row, out + 3 * k);
    }
    ew_lanes_scatter(out, part == EW_EDGE_OF_CORNERS ? 4 : 0, node, plain, y);
}

/* The groups from begin on that make whole lanes; where it stopped. */
EW_EVERYWHERE int32_t ew_edge_mass_groups_any(const ew_edge_mass *mass, ew_edge_part part,
                                              double factor, int32_t begin, int32_t end,
                                              const double *x, double *y)
{
    int32_t i = begin;
    for (; i + EW_GROUPS_AT_ONCE <= end; i += EW_GROUPS_AT_ONCE) {
        const int32_t *node = ew_lanes_take(mass->list, i, end, x, y);
        if (ew_lanes_plain(node)) {
            ew_edge_mass_group(mass, part, factor, node, true, x, y);
        } else {
            ew_edge_mass_group(mass, part, factor, node, false, x, y);
        }
    }
    return i;
}

#endif
