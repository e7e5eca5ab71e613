/* Values between known ones. In: mesh, tables, three values at some vertices. Out: those of the
 * others, harmonic by linear tets: sum_j k_ij u_j = 0 with k_ij = V grad i . grad j.
 *
 * Conjugate gradients with the diagonal (Hestenes and Stiefel 1952), one coordinate at a time. All
 * sums are taken in ascending vertex_id and tet_id, so that the slots, which another history may
 * have given otherwise, do not show in the last bits; nor does the number of threads. */
#include "operation/basic/motion.h"

#include <math.h>
#include <string.h>

/* Motions are smooth and small beside the tets: more digits than these show nowhere. */
#define TOLERANCE 1e-10

enum { MAX_ITERATIONS = 20000 };

typedef struct laplacian {
    int32_t n;                 /* unknowns: active vertices, ascending by vertex_id */
    ew_keyed *order;           /* [n] owned: which they are */
    int32_t *place;            /* [n_vertex] owned: of a vertex in the order, -1: not active */
    double *of_pair;           /* [pairs] owned: k_ij of an edge, i != j */
    int64_t *begin;            /* [n + 1] owned: rows */
    int32_t *column;           /* owned: places, ascending */
    double *value;             /* owned */
    double *diagonal;          /* [n] owned: less the sum of the row */
    bool *known;               /* [n] owned, by place */
    double *x, *r, *z, *p, *q; /* [n] owned */
} laplacian;

/* ---- the matrix ------------------------------------------------------------ */

/* Adds a tet's k_ij. The gradient of corner i is less its outward area vector / 3V. */
static void add_tet(laplacian *in, const ew_mesh *mesh, const ew_topology *topology, int32_t t)
{
    const int32_t *v = mesh->tet + 4 * (size_t)t;
    double area[4][3];
    const double volume = ew_mesh_tet_volume(mesh, t);
    for (int32_t i = 0; i < 4; i++) {
        ew_face_area_vector(mesh, 4 * t + i, area[i]);
    }
    for (int k = 0; k < 6; k++) {
        const int i = ew_edge_vertex[k][0], j = ew_edge_vertex[k][1];
        const int32_t pair = ew_pattern_pair_between(&topology->pattern, v[i], v[j]);
        in->of_pair[pair] +=
            (area[i][0] * area[j][0] + area[i][1] * area[j][1] + area[i][2] * area[j][2]) /
            (9.0 * volume);
    }
}

static ew_status add_tets(laplacian *in, const ew_mesh *mesh, const ew_topology *topology)
{
    ew_keyed *tet;
    int32_t n = 0;
    EW_TRY(ew_new(&tet, (size_t)mesh->n_live_tet, sizeof *tet));
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            tet[n++] = (ew_keyed){0.0, mesh->tet_id[t], t};
        }
    }
    ew_sort_by_name(tet, n);
    for (int32_t i = 0; i < n; i++) {
        add_tet(in, mesh, topology, tet[i].slot);
    }
    ew_release(tet);
    return EW_OK;
}

/* A row's entries by their places, which are few. */
static void write_row(laplacian *in, const ew_topology *topology, int32_t i)
{
    int32_t n;
    const int32_t *item = ew_pattern_items(&topology->pattern, in->order[i].slot, &n);
    int32_t *column = in->column + in->begin[i];
    double *value = in->value + in->begin[i], sum = 0.0;
    for (int32_t k = 0; k < n; k++) {
        const int32_t place = in->place[item[2 * (size_t)k]];
        const double entry = in->of_pair[item[2 * (size_t)k + 1]];
        int32_t at = k;
        for (; at > 0 && column[at - 1] > place; at--) {
            column[at] = column[at - 1];
            value[at] = value[at - 1];
        }
        column[at] = place;
        value[at] = entry;
    }
    for (int32_t k = 0; k < n; k++) {
        sum += value[k];
    }
    in->diagonal[i] = -sum;
}

static ew_status list_unknowns(laplacian *in, const ew_mesh *mesh, const bool *known)
{
    EW_TRY(ew_new(&in->order, (size_t)mesh->n_active_vertex, sizeof *in->order));
    EW_TRY(ew_new(&in->place, (size_t)mesh->n_vertex, sizeof *in->place));
    EW_TRY(ew_new(&in->known, (size_t)mesh->n_active_vertex, sizeof *in->known));
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        in->place[v] = -1;
        if (ew_mesh_vertex_is_active(mesh, v)) {
            in->order[in->n++] = (ew_keyed){0.0, mesh->vertex_id[v], v};
        }
    }
    ew_sort_by_name(in->order, in->n);
    for (int32_t i = 0; i < in->n; i++) {
        in->place[in->order[i].slot] = i;
        in->known[i] = known[in->order[i].slot];
    }
    return EW_OK;
}

static ew_status build(laplacian *in, const ew_mesh *mesh, const ew_topology *topology)
{
    const size_t n = (size_t)in->n;
    EW_TRY(ew_new_zero(&in->of_pair, (size_t)topology->pattern.n_pair, sizeof *in->of_pair));
    EW_TRY(ew_new(&in->begin, n + 1, sizeof *in->begin));
    EW_TRY(ew_new(&in->diagonal, n, sizeof *in->diagonal));
    EW_TRY(add_tets(in, mesh, topology));
    in->begin[0] = 0;
    for (int32_t i = 0; i < in->n; i++) {
        int32_t count;
        ew_pattern_items(&topology->pattern, in->order[i].slot, &count);
        in->begin[i + 1] = in->begin[i] + count;
    }
    EW_TRY(ew_new(&in->column, (size_t)in->begin[n], sizeof *in->column));
    EW_TRY(ew_new(&in->value, (size_t)in->begin[n], sizeof *in->value));
#pragma omp parallel for schedule(static)
    for (int32_t i = 0; i < in->n; i++) {
        write_row(in, topology, i);
    }
    EW_TRY(ew_new(&in->x, n, sizeof *in->x));
    EW_TRY(ew_new(&in->r, n, sizeof *in->r));
    EW_TRY(ew_new(&in->z, n, sizeof *in->z));
    EW_TRY(ew_new(&in->p, n, sizeof *in->p));
    return ew_new(&in->q, n, sizeof *in->q);
}

/* ---- the solve --------------------------------------------------------------- */

/* out = K in at the unknowns, 0 at what is known. */
static void multiply(const laplacian *of, const double *in, double *out)
{
#pragma omp parallel for schedule(static)
    for (int32_t i = 0; i < of->n; i++) {
        double sum = of->diagonal[i] * in[i];
        for (int64_t k = of->begin[i]; k < of->begin[i + 1]; k++) {
            sum += of->value[k] * in[of->column[k]];
        }
        out[i] = of->known[i] ? 0.0 : sum;
    }
}

static double dot(int32_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int32_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* z = r / diagonal; a vertex of flat tets alone has none to speak of. */
static void precondition(const laplacian *of)
{
    for (int32_t i = 0; i < of->n; i++) {
        of->z[i] = of->diagonal[i] > 0.0 ? of->r[i] / of->diagonal[i] : of->r[i];
    }
}

/* x: what is known on entry, 0 elsewhere. */
static ew_status solve(laplacian *of, const char *operation)
{
    const int32_t n = of->n;
    multiply(of, of->x, of->r);
    for (int32_t i = 0; i < n; i++) {
        of->r[i] = -of->r[i];
    }
    precondition(of);
    memcpy(of->p, of->z, (size_t)n * sizeof *of->p);
    double rho = dot(n, of->r, of->z);
    const double enough = rho * TOLERANCE * TOLERANCE;
    for (int32_t k = 0; rho > enough; k++) {
        multiply(of, of->p, of->q);
        const double curvature = dot(n, of->p, of->q);
        if (k == MAX_ITERATIONS || !(curvature > 0.0) || !isfinite(rho)) {
            return ew_fail(EW_LIMIT,
                           "%s: the smooth field between the sets did not converge in %d "
                           "iterations; use blend: distance, or improve the mesh before",
                           operation, (int)k);
        }
        const double alpha = rho / curvature;
        for (int32_t i = 0; i < n; i++) {
            of->x[i] += alpha * of->p[i];
            of->r[i] -= alpha * of->q[i];
        }
        precondition(of);
        const double next = dot(n, of->r, of->z), beta = next / rho;
        for (int32_t i = 0; i < n; i++) {
            of->p[i] = of->z[i] + beta * of->p[i];
        }
        rho = next;
    }
    return EW_OK;
}

static void release(laplacian *in)
{
    ew_release(in->order);
    ew_release(in->place);
    ew_release(in->of_pair);
    ew_release(in->begin);
    ew_release(in->column);
    ew_release(in->value);
    ew_release(in->diagonal);
    ew_release(in->known);
    ew_release(in->x);
    ew_release(in->r);
    ew_release(in->z);
    ew_release(in->p);
    ew_release(in->q);
}

ew_status ew_harmonic_extend(const char *operation, const ew_mesh *mesh,
                             const ew_topology *topology, const bool *known, double *u)
{
    ew_status status;
    laplacian in = {0};
    EW_TRY_OUT(list_unknowns(&in, mesh, known));
    EW_TRY_OUT(build(&in, mesh, topology));
    for (size_t c = 0; c < 3; c++) {
        for (int32_t i = 0; i < in.n; i++) {
            in.x[i] = in.known[i] ? u[3 * (size_t)in.order[i].slot + c] : 0.0;
        }
        EW_TRY_OUT(solve(&in, operation));
        for (int32_t i = 0; i < in.n; i++) {
            u[3 * (size_t)in.order[i].slot + c] = in.x[i];
        }
    }
out:
    release(&in);
    return status;
}
