/* Pressures of a deck on faces inside the body, on which no load of a case acts. In: what holds on
 * faces. Out: the forces on their nodes, with the places of these. A face with nodes in the middle
 * of its sides is integrated by three points, as CalculiX does (Dunavant 1985, degree 2). */
#include "scene/deck/deck.h"

typedef struct face {
    int32_t n, node[6]; /* rows of the deck: corners, middles between 01, 12 and 20 */
} face;

/* Functions of the nodes at area coordinates l, and their derivatives by l[1] and l[2]. */
static void shape(int32_t n, const double l[3], double value[6], double slope[2][6])
{
    static const double by[2][3] = {{-1.0, 1.0, 0.0}, {-1.0, 0.0, 1.0}};
    for (int k = 0; k < 3; k++) {
        const int m = (k + 1) % 3;
        value[k] = n == 6 ? l[k] * (2.0 * l[k] - 1.0) : l[k];
        value[3 + k] = 4.0 * l[k] * l[m];
        for (int i = 0; i < 2; i++) {
            slope[i][k] = by[i][k] * (n == 6 ? 4.0 * l[k] - 1.0 : 1.0);
            slope[i][3 + k] = 4.0 * (by[i][k] * l[m] + l[k] * by[i][m]);
        }
    }
}

/* Whether the deck lists the corners of a tet so that its faces have their normals outward. */
static bool is_outward(const deck_case *d, int32_t t)
{
    const double *x[4];
    double e[3][3];
    for (int k = 0; k < 4; k++) {
        x[k] = d->deck.xyz + 3 * (size_t)d->deck.tet[t][k];
        for (int c = 0; c < 3 && k; c++) {
            e[k - 1][c] = x[k][c] - x[0][c];
        }
    }
    return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
               e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
               e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]) >
           0.0;
}

/* force [n_node] += those of the pressure, which pushes into the tet. */
static void add_face(const deck_case *d, int32_t code, double pressure, deck_force *force)
{
    face of;
    of.n = deck_face_nodes(d, code, of.node);
    const double sign = is_outward(d, code / 4) ? -1.0 : 1.0;
    for (int g = 0; g < 3; g++) {
        double l[3] = {1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0}, value[6], slope[2][6], t[2][3] = {{0.0}};
        l[g] = 2.0 / 3.0;
        shape(of.n, l, value, slope);
        for (int i = 0; i < 2 * of.n; i++) {
            const double *x = d->deck.xyz + 3 * (size_t)of.node[i / 2];
            for (int c = 0; c < 3; c++) {
                t[i % 2][c] += slope[i % 2][i / 2] * x[c];
            }
        }
        for (int c = 0; c < 3; c++) {
            const int a = (c + 1) % 3, b = (c + 2) % 3;
            const double push = sign * pressure / 6.0 * (t[0][a] * t[1][b] - t[0][b] * t[1][a]);
            for (int i = 0; i < of.n; i++) {
                force[of.node[i]].value[c] += value[i] * push;
            }
        }
    }
}

/* The forces with one amplitude. *next: the amplitude after it, INT32_MAX: none. */
static ew_status put_forces(deck_case *d, const deck_moment *at, int32_t amplitude,
                            deck_force *force, int32_t *next, ew_case_entry *to)
{
    const int32_t n = d->deck.n_node;
    int32_t n_used = 0;
    *next = INT32_MAX;
    for (int32_t i = 0; i < n; i++) {
        force[i] = (deck_force){.node = i, .axes = -1, .amplitude = amplitude};
    }
    for (int32_t code = 0; code < 4 * d->mesh.n_tet; code++) {
        double value;
        int32_t own;
        if (!d->pressure[code].has || !d->is_inner[code]) {
            continue;
        }
        EW_TRY(deck_settle(d, at, &d->pressure[code], &value, &own));
        *next = own > amplitude && own < *next ? own : *next;
        if (own == amplitude) {
            add_face(d, code, value, force);
        }
    }
    for (int32_t i = 0; i < n; i++) { /* opposite faces may cancel */
        const double *f = force[i].value;
        if (f[0] != 0.0 || f[1] != 0.0 || f[2] != 0.0) {
            force[n_used++] = force[i];
        }
    }
    return n_used ? deck_put_forces_at(d, force, n_used, to) : EW_OK;
}

ew_status deck_put_inner_pressures(deck_case *d, const deck_moment *at, ew_case_entry *to)
{
    deck_force *force;
    bool any = false;
    ew_status status = EW_OK;
    for (int32_t code = 0; code < 4 * d->mesh.n_tet; code++) {
        any = any || (d->pressure[code].has && d->is_inner[code]);
    }
    if (!any) {
        return EW_OK;
    }
    EW_TRY(ew_new(&force, (size_t)d->deck.n_node, sizeof *force));
    for (int32_t amplitude = -1, next; amplitude < INT32_MAX && !status; amplitude = next) {
        status = put_forces(d, at, amplitude, force, &next, to);
    }
    ew_release(force);
    return status;
}
