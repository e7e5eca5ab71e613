/* Smooths inner vertices. In: mesh and tables. Out: moves of the vertices that found a better
 * place. Sweeps in ascending vertex_id; each vertex tries the mean of its edge neighbors, then
 * places on the way there, and takes the first that raises the least quality of its tets. Nothing
 * follows the slots, so that a renumbered mesh is smoothed to the same bits.
 * Reference: Freitag 1997, "On combining Laplacian and optimization-based mesh smoothing
 * techniques" (smart Laplacian smoothing).
 *
 * The quality q of ew_mesh_tet_quality has q^3 = 432 D^2 / S^3, where the determinant D = 6V is
 * linear and the sum S of the squared edges quadratic in the place of one vertex. So a star is
 * measured once, and each place costs a few products a tet. Only where this comes too close to a
 * tie for its rounding is the quality itself computed; results are those of computing it always. A
 * vertex that found nothing is passed over until one of its neighbors has moved. */
#include "operation/improve/smooth_star.h"

#include <math.h>
#include <string.h>

/* Two side by side: every processor's vectors hold them. */
typedef double two __attribute__((vector_size(16)));
typedef int64_t two_bits __attribute__((vector_size(16)));

enum { PAIRS = EW_STAR_TET / 2 };

/* D and S of a star's tets when its vertex stands at y from where it is:
 * D = d - normal . y, S = s - 2 sum . y + 3 y . y. */
typedef struct fan {
    int n; /* pairs of tets */
    two normal[3][PAIRS], d[PAIRS], sum[3][PAIRS], s[PAIRS];
    double low, high; /* bounds around the least D^2 / S^3: below is worse, above better */
    bool certain;     /* whether the bounds decide */
} fan;

typedef struct smoother {
    ew_mesh mesh; /* with the coordinates so far; owns these alone */
    const ew_topology *topology;
    ew_stars stars; /* owned */
    bool *settled;  /* [n_vertex] owned: found nothing, and no neighbor has moved since */
    ew_list near;   /* of a star that is not written down: places in the order */
} smoother;

/* ---- places of a star --------------------------------------------------- */

/* Rounding moves D^2 / S^3 =: r by less than 5e-15 / r^(3/4) of itself: a determinant of edges of
 * length l is exact to about 2e-15 l^3, and a star is seen from a vertex that may be 1 / r^(1/4)
 * times as far from a face as this is wide. MARGIN is forty times that; FLAT the quality below
 * which it says little; and a double holds the cubes of S between these two, also at the mean. */
#define MARGIN 2e-13
#define FLAT   0.05
#define MIN_S  1e-90
#define MAX_S  1e+90

static void set_tet(fan *f, int i, const double *p, const double *q, const double *r)
{
    const double a[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    const double b[3] = {r[0] - p[0], r[1] - p[1], r[2] - p[2]};
    const double normal[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                              a[0] * b[1] - a[1] * b[0]};
    double sum2 = 0.0, square = 0.0;
    for (int k = 0; k < 3; k++) {
        const double sum = p[k] + q[k] + r[k];
        f->normal[k][i / 2][i % 2] = normal[k];
        f->sum[k][i / 2][i % 2] = sum;
        sum2 += sum * sum;
        square += p[k] * p[k] + q[k] * q[k] + r[k] * r[k];
    }
    f->d[i / 2][i % 2] = normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2];
    f->s[i / 2][i % 2] = 4.0 * square - sum2; /* of p, q, r and 0 */
}

static void set_bounds(fan *f)
{
    double min = INFINITY, min_s = INFINITY, max_s = 0.0;
    bool positive = true;
    for (int i = 0; i < f->n; i++) {
        const two d = f->d[i], s = f->s[i], ratio = d * d / (s * s * s);
        for (int k = 0; k < 2; k++) {
            positive = positive && d[k] > 0.0;
            min = ratio[k] < min ? ratio[k] : min;
            min_s = s[k] < min_s ? s[k] : min_s;
            max_s = s[k] > max_s ? s[k] : max_s;
        }
    }
    const double root = sqrt(min), margin = MARGIN / (root * sqrt(root));
    f->low = min * (1.0 - margin);
    f->high = min * (1.0 + margin);
    f->certain = positive && min > FLAT * FLAT * FLAT / 432.0 && min_s > MIN_S && max_s < MAX_S;
}

/* Measures the star, and the mean of its neighbors on the way. */
static void measure(const smoother *s, const ew_star *star, fan *f, double mean[3])
{
    const double *from = s->mesh.xyz + 3 * (size_t)star->vertex;
    const int32_t *near = s->stars.near + star->near;
    double y[EW_STAR_NEAR][3];
    mean[0] = mean[1] = mean[2] = 0.0;
    for (int i = 0; i < star->n_near; i++) {
        const double *x = s->mesh.xyz + 3 * (size_t)near[i];
        for (int k = 0; k < 3; k++) {
            y[i][k] = x[k] - from[k];
            mean[k] += x[k] / star->n_near;
        }
    }
    const ew_star_face *face = s->stars.face + star->face;
    f->n = (star->n_face + 1) / 2;
    for (int i = 0; i < 2 * f->n; i++) { /* an odd last one twice */
        const uint8_t *corner = face[i < star->n_face ? i : i - 1].corner;
        set_tet(f, i, y[corner[0]], y[corner[1]], y[corner[2]]);
    }
    set_bounds(f);
}

typedef enum verdict { WORSE, UNSURE, BETTER } verdict;

static verdict judge_position(const fan *f, const double y[3])
{
    const double y2 = 3.0 * (y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
    two_bits worse = {0, 0}, better = {-1, -1};
    for (int i = 0; i < f->n; i++) {
        const two d =
            f->d[i] - f->normal[0][i] * y[0] - f->normal[1][i] * y[1] - f->normal[2][i] * y[2];
        const two half = f->sum[0][i] * y[0] + f->sum[1][i] * y[1] + f->sum[2][i] * y[2];
        const two s = f->s[i] - 2.0 * half + y2, d2 = d * d, s3 = s * s * s;
        worse |= (d <= 0.0) | (d2 < f->low * s3);
        better &= d2 > f->high * s3;
    }
    if (worse[0] | worse[1]) {
        return WORSE;
    }
    return better[0] & better[1] ? BETTER : UNSURE;
}

/* ---- the quality itself ------------------------------------------------- */

/* Of the i-th tet, with the vertex at y from where it was: whether the bounds say better. */
static bool is_clear(const fan *f, int i, const double y[3])
{
    if (!f->certain) { /* nor has it an entry for each tet of a large star */
        return false;
    }
    double d = f->d[i / 2][i % 2], s = f->s[i / 2][i % 2];
    for (int k = 0; k < 3; k++) {
        d -= f->normal[k][i / 2][i % 2] * y[k];
        s += (3.0 * y[k] - 2.0 * f->sum[k][i / 2][i % 2]) * y[k];
    }
    return d > 0.0 && d * d > f->high * (s * s * s);
}

/* 0 when the commit would refuse the tet, which none is that the bounds leave open. */
static double quality(const smoother *s, const fan *f, int32_t t)
{
    const double *x[4];
    ew_refusal refusal = {0};
    if (!f->certain) {
        ew_tet_corners(&s->mesh, t, x);
        ew_refusal_note(&refusal, s->mesh.tet_id[t], x);
    }
    return refusal.n ? 0.0 : ew_mesh_tet_quality(&s->mesh, t);
}

/* Least quality of the vertex' tets. */
static double min_quality(const smoother *s, const fan *f, int32_t v)
{
    const ew_rows *rows = &s->topology->vertex_to_tet;
    const double here[3] = {0.0, 0.0, 0.0};
    double min = INFINITY;
    for (int32_t i = 0; i < rows->count[v]; i++) {
        if (!is_clear(f, i, here)) {
            min = fmin(min, quality(s, f, rows->item[rows->begin[v] + i]));
        }
    }
    return min;
}

/* Whether that of each tet is above `min`, with the vertex moved by y. */
static bool are_above(const smoother *s, const fan *f, int32_t v, const double y[3], double min)
{
    const ew_rows *rows = &s->topology->vertex_to_tet;
    for (int32_t i = 0; i < rows->count[v]; i++) {
        if (!is_clear(f, i, y) && quality(s, f, rows->item[rows->begin[v] + i]) <= min) {
            return false;
        }
    }
    return true;
}

/* ---- one vertex ---------------------------------------------------------- */

/* Of a star that is not written down; summed in ascending vertex_id. */
static ew_status mean_of_neighbors(smoother *s, int32_t v, double mean[3])
{
    const ew_rows *rows = &s->topology->pattern.row_to_pair;
    int32_t n = rows->count[v];
    s->near.n = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t other = rows->item[2 * ((size_t)rows->begin[v] + (size_t)i)];
        EW_TRY(ew_list_push(&s->near, s->stars.place[other]));
    }
    ew_list_sort(&s->near);
    mean[0] = mean[1] = mean[2] = 0.0;
    for (int32_t i = 0; i < n; i++) {
        const double *x = s->mesh.xyz + 3 * (size_t)s->stars.order[s->near.id[i]].slot;
        for (int k = 0; k < 3; k++) {
            mean[k] += x[k] / n;
        }
    }
    return EW_OK;
}

static void settle(smoother *s, int32_t v, bool moved)
{
    const ew_rows *rows = &s->topology->pattern.row_to_pair;
    s->settled[v] = !moved;
    for (int32_t i = 0; moved && i < rows->count[v]; i++) {
        s->settled[rows->item[2 * ((size_t)rows->begin[v] + (size_t)i)]] = false;
    }
}

/* *moved: whether a place was found that raises the least quality. */
static ew_status improve(smoother *s, const ew_star *star, bool *moved)
{
    const int32_t v = star->vertex;
    double *x = s->mesh.xyz + 3 * (size_t)v, from[3] = {x[0], x[1], x[2]}, mean[3], y[3];
    double before = -1.0; /* not known yet */
    fan f;
    f.certain = false;
    if (star->n_near) {
        measure(s, star, &f, mean);
    } else {
        EW_TRY(mean_of_neighbors(s, v, mean));
    }
    *moved = false;
    for (double step = 1.0; step > 0.1 && !*moved; step /= 2.0) {
        for (int i = 0; i < 3; i++) {
            x[i] = from[i] + step * (mean[i] - from[i]);
            y[i] = x[i] - from[i];
        }
        const verdict found = f.certain ? judge_position(&f, y) : UNSURE;
        if (found == UNSURE && before < 0.0) {
            const double to[3] = {x[0], x[1], x[2]};
            memcpy(x, from, sizeof from);
            before = min_quality(s, &f, v);
            memcpy(x, to, sizeof to);
        }
        *moved = found == BETTER || (found == UNSURE && are_above(s, &f, v, y, before));
    }
    if (!*moved) {
        memcpy(x, from, sizeof from);
    }
    settle(s, v, *moved);
    return EW_OK;
}

static ew_status sweep(smoother *s, int32_t sweeps)
{
    bool any = true, moved;
    for (int32_t i = 0; i < sweeps && any; i++) {
        any = false;
        for (int32_t k = 0; k < s->stars.n; k++) {
            if (!s->settled[s->stars.star[k].vertex]) {
                EW_TRY(improve(s, &s->stars.star[k], &moved));
                any = any || moved;
            }
        }
    }
    return EW_OK;
}

/* ---- the operation ------------------------------------------------------ */

static ew_status queue(const ew_mesh *mesh, const double *xyz, ew_edit *edit)
{
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *to = xyz + 3 * (size_t)v;
        if (memcmp(to, mesh->xyz + 3 * (size_t)v, 3 * sizeof *to) != 0) {
            EW_TRY(ew_edit_move_vertex(edit, v, to));
        }
    }
    return EW_OK;
}

static ew_status check(const ew_mesh *mesh, const ew_topology *topology, int32_t sweeps,
                       const ew_edit *edit)
{
    EW_TRY(ew_need_empty("smooth", edit));
    EW_TRY(ew_need_tets("smooth", mesh));
    EW_TRY(ew_need_current("smooth", topology, mesh));
    if (sweeps < 1) {
        return ew_fail(EW_BAD_ARGUMENT, "smooth: %d sweeps; the number must be >= 1", sweeps);
    }
    return EW_OK;
}

ew_status ew_operation_smooth(const ew_mesh *mesh, const ew_topology *topology, int32_t sweeps,
                              ew_edit *edit)
{
    ew_status status;
    size_t n = (size_t)mesh->n_vertex;
    smoother s = {.mesh = *mesh, .topology = topology};
    s.mesh.xyz = NULL;
    EW_TRY(check(mesh, topology, sweeps, edit));
    EW_TRY_OUT(ew_new(&s.mesh.xyz, n, 3 * sizeof *s.mesh.xyz));
    EW_TRY_OUT(ew_new_zero(&s.settled, n, sizeof *s.settled));
    EW_TRY_OUT(ew_stars_init(&s.stars, mesh, topology));
    memcpy(s.mesh.xyz, mesh->xyz, n * 3 * sizeof *mesh->xyz);
    EW_TRY_OUT(sweep(&s, sweeps));
    EW_TRY_OUT(queue(mesh, s.mesh.xyz, edit));
out:
    ew_release(s.mesh.xyz);
    ew_release(s.settled);
    ew_stars_free(&s.stars);
    ew_list_free(&s.near);
    if (status) {
        ew_edit_clear(edit);
    }
    return status;
}

/* ---- its place in the table -------------------------------------------- */

enum { SWEEPS, N_PARAMETER };

static const ew_parameter parameters[N_PARAMETER] = {
    [SWEEPS] = {.key = "sweeps",
                .kind = EW_PARAMETER_COUNT,
                .preset = "5",
                .low = 1,
                .high = 1000,
                .argument = "N",
                .help = "passes over all inner vertices"},
};

static ew_status queue_values(const ew_operation_input *in, ew_edit *edit)
{
    return ew_operation_smooth(in->mesh, in->topology, (int32_t)in->values->of[SWEEPS].whole, edit);
}

const ew_operation ew_smooth_operation = {
    .name = "smooth",
    .summary = "improve tets without moving the boundary",
    .example = "part.mesh --sweeps 10 -o better.mesh",
    .file_code = 8,
    .n_parameter = N_PARAMETER,
    .parameter = parameters,
    .queue = queue_values,
};
