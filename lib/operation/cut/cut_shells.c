/* Surfaces to cut along, as they come: in one or more shells. In: triangles. Out: a copy that is
 * known to be closed and not to meet itself, turned outwards; or what is wrong with it, in one
 * line.
 *
 * A shell is what hangs together by edges. One that lies inside an even number of others bounds a
 * body, else a cavity; inside is where the others are seen at a solid angle of 4 pi (van Oosterom &
 * Strackee 1983). */
#include "operation/cut/cut_patches.h"

#include <math.h>
#include <string.h>

static const double *vertex_of(const ew_patched *p, int32_t t, int k)
{
    return p->surface.xyz + 3 * (size_t)p->surface.triangle[3 * (size_t)t + (size_t)k];
}

static void minus(const double *a, const double *b, double d[3])
{
    for (int i = 0; i < 3; i++) {
        d[i] = a[i] - b[i];
    }
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double triple(const double *a, const double *b, const double *c)
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* ---- a copy --------------------------------------------------------------------- */

static ew_status copy_surface(ew_patched *p, const ew_surface *from)
{
    const size_t n = (size_t)from->n_triangle, n_vertex = (size_t)from->n_vertex;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    EW_TRY(ew_new(&p->surface.xyz, 3 * n_vertex, sizeof *p->surface.xyz));
    EW_TRY(ew_new(&p->surface.triangle, 3 * n, sizeof *p->surface.triangle));
    memcpy(p->surface.xyz, from->xyz, 3 * n_vertex * sizeof *p->surface.xyz);
    memcpy(p->surface.triangle, from->triangle, 3 * n * sizeof *p->surface.triangle);
    p->surface.n_vertex = from->n_vertex;
    p->surface.n_triangle = from->n_triangle;
    for (int32_t i = 0; i < 3 * from->n_triangle; i++) {
        const double *x = vertex_of(p, i / 3, i % 3);
        EW_TRY(ew_need_finite("cut", "a vertex of the surface", x));
        for (int c = 0; c < 3; c++) {
            low[c] = fmin(low[c], x[c]);
            high[c] = fmax(high[c], x[c]);
        }
    }
    p->extent = fmax(high[0] - low[0], fmax(high[1] - low[1], high[2] - low[2]));
    return p->extent > 0.0 && isfinite(p->extent * p->extent * p->extent)
               ? EW_OK
               : ew_fail(EW_BAD_INPUT, "cut: the surface has the size %g; check its unit",
                         p->extent);
}

/* The surface is closed: each side of a triangle has another one, that runs the other way. */
static ew_status link_sides(ew_patched *p)
{
    ew_map side = {0};
    const int32_t n = 3 * p->surface.n_triangle, *v = p->surface.triangle;
    ew_status status = EW_OK;
    if (!p->across) {
        EW_TRY_OUT(ew_new(&p->across, (size_t)n, sizeof *p->across));
    }
    for (int32_t i = 0; i < n; i++) {
        int32_t old;
        EW_TRY_OUT(ew_map_enter(&side, v[i], v[i - i % 3 + (i + 1) % 3], -1, i, &old));
    }
    for (int32_t i = 0; i < n; i++) {
        p->across[i] = ew_map_find(&side, v[i - i % 3 + (i + 1) % 3], v[i], -1);
        EW_ASSERT(p->across[i] >= 0);
    }
out:
    ew_map_free(&side);
    return status;
}

/* ---- shells ------------------------------------------------------------------------ */

/* shell [n_triangle]; work: room for as many. */
static int32_t find_shells(const ew_patched *p, int32_t *shell, int32_t *work)
{
    int32_t n_shell = 0;
    memset(shell, -1, (size_t)p->surface.n_triangle * sizeof *shell);
    for (int32_t first = 0; first < p->surface.n_triangle; first++) {
        int32_t n = 0;
        if (shell[first] >= 0) {
            continue;
        }
        work[n++] = first;
        shell[first] = n_shell;
        while (n) {
            const int32_t t = work[--n];
            for (int k = 0; k < 3; k++) {
                const int32_t other = p->across[3 * t + k] / 3;
                if (shell[other] < 0) {
                    shell[other] = n_shell;
                    work[n++] = other;
                }
            }
        }
        n_shell++;
    }
    return n_shell;
}

/* Six times the volume under a triangle, from a corner of the surface. */
static double volume_under(const ew_patched *p, int32_t t)
{
    double a[3], b[3], c[3];
    minus(vertex_of(p, t, 0), vertex_of(p, 0, 0), a);
    minus(vertex_of(p, t, 1), vertex_of(p, 0, 0), b);
    minus(vertex_of(p, t, 2), vertex_of(p, 0, 0), c);
    return triple(a, b, c);
}

static double angle_of(const ew_patched *p, int32_t t, const double x[3])
{
    double a[3], b[3], c[3];
    minus(vertex_of(p, t, 0), x, a);
    minus(vertex_of(p, t, 1), x, b);
    minus(vertex_of(p, t, 2), x, c);
    const double la = sqrt(dot(a, a)), lb = sqrt(dot(b, b)), lc = sqrt(dot(c, c));
    return 2.0 *
           atan2(triple(a, b, c), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
}

/* How many other shells a point of this one lies in. angle: room for one number a shell. */
static int32_t depth_of(const ew_patched *p, const int32_t *shell, int32_t n_shell, int32_t of,
                        double *angle)
{
    int32_t first = 0, depth = 0;
    while (shell[first] != of) {
        first++;
    }
    memset(angle, 0, (size_t)n_shell * sizeof *angle);
    for (int32_t t = 0; t < p->surface.n_triangle; t++) {
        if (shell[t] != of) {
            angle[shell[t]] += angle_of(p, t, vertex_of(p, first, 0));
        }
    }
    for (int32_t s = 0; s < n_shell; s++) {
        depth += fabs(angle[s]) > 6.2831853;
    }
    return depth;
}

static void turn(ew_patched *p, const int32_t *shell, int32_t of)
{
    for (int32_t t = 0; t < p->surface.n_triangle; t++) {
        int32_t *v = p->surface.triangle + 3 * (size_t)t;
        if (shell[t] == of) {
            const int32_t swap = v[1];
            v[1] = v[2];
            v[2] = swap;
        }
    }
    p->n_turned++;
}

/* number: [2][n_shell], volumes and room for angles. */
static ew_status turn_shells(ew_patched *p, const int32_t *shell, int32_t n_shell, double *number)
{
    enum { MAX_SHELLS = 1000 };
    if (n_shell > MAX_SHELLS) {
        return ew_fail(EW_BAD_INPUT,
                       "cut: the surface has %d separate shells; at most %d can be cut along: "
                       "remove shells that are not part of the body",
                       n_shell, MAX_SHELLS);
    }
    memset(number, 0, (size_t)n_shell * sizeof *number);
    for (int32_t t = 0; t < p->surface.n_triangle; t++) {
        number[shell[t]] += volume_under(p, t);
    }
    for (int32_t s = 0; s < n_shell; s++) {
        if (!(fabs(number[s]) > 1e-12 * p->extent * p->extent * p->extent)) {
            return ew_fail(EW_BAD_INPUT,
                           "cut: shell %d of the surface encloses no volume; remove "
                           "it",
                           s + 1);
        }
        const bool cavity = depth_of(p, shell, n_shell, s, number + n_shell) % 2 == 1;
        if (cavity == (number[s] > 0.0)) {
            turn(p, shell, s);
        }
    }
    return EW_OK;
}

static ew_status turn_outwards(ew_patched *p)
{
    const size_t n = (size_t)p->surface.n_triangle;
    int32_t *shell;
    double *number = NULL;
    EW_TRY(ew_new(&shell, 2 * n, sizeof *shell));
    const int32_t n_shell = find_shells(p, shell, shell + n);
    ew_status status = ew_new(&number, 2 * (size_t)n_shell, sizeof *number);
    status = status ? status : turn_shells(p, shell, n_shell, number);
    ew_release(shell);
    ew_release(number);
    return status;
}

/* ---- whether it meets itself -------------------------------------------------------- */

/* Corners that both have. */
static int common(const ew_patched *p, int32_t s, int32_t t, int *at_s, int *at_t)
{
    int n = 0;
    for (int i = 0; i < 9; i++) {
        if (p->surface.triangle[3 * s + i / 3] == p->surface.triangle[3 * t + i % 3]) {
            *at_s = i / 3;
            *at_t = i % 3;
            n++;
        }
    }
    return n;
}

/* The side across from a corner, as a triangle without area, against the other triangle. */
static bool side_meets(const ew_patched *p, int32_t s, int at, int32_t t, double slack)
{
    const double *x[3] = {vertex_of(p, s, (at + 1) % 3), vertex_of(p, s, (at + 2) % 3),
                          vertex_of(p, s, (at + 2) % 3)};
    const double *y[3] = {vertex_of(p, t, 0), vertex_of(p, t, 1), vertex_of(p, t, 2)};
    return !ew_hulls_are_parted(3, x, 3, y, slack);
}

/* Both reach into each other, by more than rounding. Neighbors: they are folded onto each other. */
static bool do_meet(const ew_patched *p, int32_t s, int32_t t)
{
    const double slack = -1e-9 * p->extent;
    int i = 0, k = 0;
    const int n = common(p, s, t, &i, &k);
    if (n == 1) {
        return side_meets(p, s, i, t, slack) || side_meets(p, t, k, s, slack);
    }
    if (n >= 2) {
        const double *a = p->normal + 3 * (size_t)s, *b = p->normal + 3 * (size_t)t;
        return n == 3 || dot(a, b) < -1.0 + 1e-12;
    }
    const double *x[3] = {vertex_of(p, s, 0), vertex_of(p, s, 1), vertex_of(p, s, 2)};
    const double *y[3] = {vertex_of(p, t, 0), vertex_of(p, t, 1), vertex_of(p, t, 2)};
    return !ew_hulls_are_parted(3, x, 3, y, slack);
}

ew_status ew_patched_check(const ew_patched *p)
{
    for (int32_t t = 0; t < p->surface.n_triangle; t++) {
        double low[3], high[3];
        for (int i = 0; i < 3; i++) {
            const double a = vertex_of(p, t, 0)[i], b = vertex_of(p, t, 1)[i];
            low[i] = fmin(fmin(a, b), vertex_of(p, t, 2)[i]);
            high[i] = fmax(fmax(a, b), vertex_of(p, t, 2)[i]);
        }
        for (int32_t at = ew_triangles_next(&p->tree, low, high, 0); at < p->tree.n;
             at = ew_triangles_next(&p->tree, low, high, at + 1)) {
            const int32_t other = p->tree.item[at];
            if (other > t && do_meet(p, t, other)) {
                const double *x = vertex_of(p, t, 0);
                return ew_fail_about(EW_BAD_INPUT, t, other,
                                     "cut: the surface meets itself: triangles %d and %d cross at "
                                     "about (%g, %g, %g); repair it",
                                     t, other, x[0], x[1], x[2]);
            }
        }
    }
    return EW_OK;
}

/* ---- all -------------------------------------------------------------------------------- */

static ew_status prepare(ew_patched *p, const ew_surface *surface)
{
    int32_t *list;
    EW_TRY(copy_surface(p, surface));
    EW_TRY(link_sides(p));
    EW_TRY(turn_outwards(p));
    EW_TRY(link_sides(p));
    EW_TRY(ew_patched_begin(p));
    EW_TRY(ew_new(&list, (size_t)p->surface.n_triangle, sizeof *list));
    for (int32_t t = 0; t < p->surface.n_triangle; t++) {
        list[t] = t;
    }
    const ew_status status = ew_triangles_init(&p->tree, &p->surface, list, p->surface.n_triangle);
    ew_release(list);
    return status ? status : ew_patched_check(p);
}

ew_status ew_patched_init(ew_patched *patched, const ew_surface *surface)
{
    memset(patched, 0, sizeof *patched);
    ew_status status = ew_surface_check(surface);
    if (status) {
        return ew_fail_prefix(status, "cut");
    }
    status = prepare(patched, surface);
    if (status) {
        ew_patched_free(patched);
    }
    return status;
}

ew_status ew_cut_surface_check(const ew_surface *surface)
{
    ew_patched patched;
    const ew_status status = ew_patched_init(&patched, surface);
    if (!status) {
        ew_patched_free(&patched);
    }
    return status;
}
