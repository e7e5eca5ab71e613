/* A quadratic tet with curved sides, shared by host and device: isoparametric, its middles lie d_ab
 * beyond the straight ones, as coefficients c_ab move them beyond the mean of their ends. Integrals
 * are those of the four Gauss points of degree 2 (Zienkiewicz & Taylor 2000, volume 1, table 9.3).
 *
 * With x = sum l_a x_a + sum 4 l_a l_b d_ab a small step dl moves by sum y_a dl_a with
 * y_a = x_a + 4 sum_b l_b d_ab: at a Gauss point the tet is like the straight one with the corners
 * y_a, moved by w_a = u_a + 4 sum_b l_b c_ab, of a quarter of its volume. Its forces F_a on these
 * corners are F_a on corners and 4 (l_b F_a + l_a F_b) on edges. */
#ifndef EW_CURVED_H
#define EW_CURVED_H

#include "quadratic.h"

#if EW_HAS_DOUBLE

/* (5 + 3 sqrt 5) / 20 at the point's own corner, (5 - sqrt 5) / 20 at others */
#define EW_GAUSS_OWN   0.58541019662496845446
#define EW_GAUSS_OTHER 0.13819660112501051518

/* y [4][3] = x_a + 4 sum_b l_b d_ab at Gauss point p, of x [4][3] and d [6][3]. */
EW_EVERYWHERE void ew_lanes_bend(int p, const ew_lanes *x, const ew_lanes *d, ew_lanes *y)
{
    const int end[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    for (int i = 0; i < 12; i++) {
        y[i] = x[i];
    }
    for (int k = 0; k < 6; k++) {
        const int a = end[k][0], b = end[k][1];
        const double of_a = 4.0 * (a == p ? EW_GAUSS_OWN : EW_GAUSS_OTHER);
        const double of_b = 4.0 * (b == p ? EW_GAUSS_OWN : EW_GAUSS_OTHER);
        for (int i = 0; i < 3; i++) {
            y[3 * a + i] += of_b * d[3 * k + i];
            y[3 * b + i] += of_a * d[3 * k + i];
        }
    }
}

/* f [6][3] += 4 (l_b F_a + l_a F_b) of forces [4][3]: the transpose. */
EW_EVERYWHERE void ew_lanes_add_bent(int p, const ew_lanes *force, ew_lanes *f)
{
    const int end[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    for (int k = 0; k < 6; k++) {
        const int a = end[k][0], b = end[k][1];
        const double of_a = 4.0 * (a == p ? EW_GAUSS_OWN : EW_GAUSS_OTHER);
        const double of_b = 4.0 * (b == p ? EW_GAUSS_OWN : EW_GAUSS_OTHER);
        for (int i = 0; i < 3; i++) {
            f[3 * k + i] += of_b * force[3 * a + i] + of_a * force[3 * b + i];
        }
    }
}

/* force [4][3] of the straight tet x with a share of its volume. law [n_law]: lambda and mu, or the
 * 21 moduli. */
EW_EVERYWHERE void ew_lanes_straight_forces(const ew_lanes *x, const ew_lanes *law, int n_law,
                                            double share, const ew_lanes *u, ew_lanes *force)
{
    const ew_lanes none = {0.0};
    ew_lanes g[12], s[6], scaled[21], volume;
    ew_lanes_gradients(x, g, &volume);
    volume = share * volume;
    for (int i = 0; i < n_law; i++) {
        scaled[i] = volume * law[i];
    }
    ew_lanes_linear_stress(g, scaled, n_law == 2 ? scaled + 1 : 0, u, s);
    for (int i = 3; i < 12; i++) {
        force[i] = none;
    }
    for (int a = 1; a < 4; a++) {
        ew_lanes_add_force(s, g + 3 * a, force + 3 * a);
    }
    for (int i = 0; i < 3; i++) {
        force[i] = -((force[3 + i] + force[6 + i]) + force[9 + i]);
    }
}

/* The forces of a curved tet of u [4][3] and c [6][3]: on its corners, q [4][3], and on its edges,
 * f [6][3]. Both start from zero. */
EW_EVERYWHERE void ew_lanes_curved_forces(const ew_lanes *x, const ew_lanes *d, const ew_lanes *law,
                                          int n_law, const ew_lanes *u, const ew_lanes *c,
                                          ew_lanes *q, ew_lanes *f)
{
    const ew_lanes none = {0.0};
    for (int i = 0; i < 12; i++) {
        q[i] = none;
    }
    for (int i = 0; i < 18; i++) {
        f[i] = none;
    }
    for (int p = 0; p < 4; p++) {
        ew_lanes y[12], w[12], force[12];
        ew_lanes_bend(p, x, d, y);
        ew_lanes_bend(p, u, c, w);
        ew_lanes_straight_forces(y, law, n_law, 0.25, w, force);
        for (int i = 0; i < 12; i++) {
            q[i] += force[i];
        }
        ew_lanes_add_bent(p, force, f);
    }
}

#endif
#endif
