/* Change of temperature. In: a change linear in position, by vertex and middle of edge, or an
 * expression of the place, in the whole body, at the vertices of a set (none at others, linear
 * between them) or in the tets of a set. Out: the thermal strain a dT of a tet, the mean of its
 * corners, and the forces V B^T D (a dT I) = V (3 lambda + 2 mu) a dT g_k on them, which balance
 * one another. Recovery takes the strain off again: stress = D (strain - a dT I) (Cook et al. 2002,
 * section 3.9).
 *
 * An expression is taken at corners and middles of edges, as values there are; between them it is
 * quadratic. What comes of it is what the four Gauss points give, and so are the same for the
 * linear function with its values there: with a = (5 + 3 sqrt 5) / 20 at its own corner and b = (5
 * - sqrt 5) / 20 at others (Zienkiewicz & Taylor 2000, volume 1, table 9.3) the corner k has sqrt 5
 * (T_k - b sum T). Their mean is that of the quadratic function. */
#include "analysis/load/load_type.h"

#include <math.h>
#include <string.h>

/* Value of an expression at a point; not a number where it has no value, which the check of the
 * load refuses. */
static double value_at(const ew_load *load, const double *x)
{
    double value;
    ew_expression_value(load->expression, x, &value);
    return load->change * value;
}

/* sum += the change at a place, term by term. */
static void add_change_at(const ew_load *load, const double *x, double *sum)
{
    if (load->expression) {
        *sum += value_at(load, x);
        return;
    }
    *sum += load->change;
    for (int c = 0; c < 3; c++) {
        *sum += load->gradient[c] * (x[c] - load->point[c]);
    }
}

/* The same at a corner of a tet. */
static void add_change(const ew_mesh *mesh, const ew_load *load, int32_t tet, size_t corner,
                       double *sum)
{
    const int32_t v = mesh->tet[4 * (size_t)tet + corner];
    if (load->vertex && !ew_set_has(load->vertex, v)) {
        return;
    }
    if (load->value) {
        *sum += load->change * load->value[v];
    } else {
        add_change_at(load, mesh->xyz + 3 * (size_t)v, sum);
    }
}

static bool acts_on(const ew_load *load, int32_t tet)
{
    return !load->tet || ew_set_has(load->tet, tet);
}

/* Whether the change is more than linear in a tet: with values in the middles of edges, or of
 * places an expression, or with curved sides. d [6][3]: their curves, else zero. */
static bool is_quadratic(const ew_load *load, int32_t tet, double d[18])
{
    memset(d, 0, 18 * sizeof *d);
    if (load->vertex || load->value) {
        return load->nodes && !load->vertex;
    }
    return ew_curves_of(load->curves, tet, d) || load->expression;
}

static void middle_of(const ew_mesh *mesh, int32_t tet, int edge, const double *d, double x[3])
{
    const int32_t *vertex = mesh->tet + 4 * (size_t)tet;
    const double *a = mesh->xyz + 3 * (size_t)vertex[ew_edge_vertex[edge][0]];
    const double *b = mesh->xyz + 3 * (size_t)vertex[ew_edge_vertex[edge][1]];
    for (int c = 0; c < 3; c++) {
        x[c] = 0.5 * (a[c] + b[c]) + d[3 * edge + c];
    }
}

/* The change in the middle of an edge. */
static double change_in_middle(const ew_mesh *mesh, const ew_load *load, int32_t tet, int edge,
                               const double *d, const double corner[4])
{
    const int a = ew_edge_vertex[edge][0], b = ew_edge_vertex[edge][1];
    const int32_t *vertex = mesh->tet + 4 * (size_t)tet;
    double x[3], more[3] = {0.0}, change = 0.0;
    if (load->nodes) {
        ew_load_nodes_add_at(load->nodes, mesh->vertex_id[vertex[a]], mesh->vertex_id[vertex[b]],
                             more);
        return 0.5 * corner[a] + 0.5 * corner[b] + load->change * more[0];
    }
    middle_of(mesh, tet, edge, d, x);
    add_change_at(load, x, &change);
    return change;
}

/* At the four Gauss points, of values at the corners and at the middles of edges. The nodal
 * functions there: 1/10 and -1/10 of the own corner and of others, (1 + sqrt 5) / 10 and
 * (3 - sqrt 5) / 10 of edges with the own corner and of others. */
static void to_gauss_points(const double corner[4], const double middle[6], double point[4])
{
    const double root = sqrt(5.0);
    for (int g = 0; g < 4; g++) {
        point[g] = 0.0;
        for (int k = 0; k < 4; k++) {
            point[g] += (k == g ? 0.1 : -0.1) * corner[k];
        }
        for (int e = 0; e < 6; e++) {
            const bool own = ew_edge_vertex[e][0] == g || ew_edge_vertex[e][1] == g;
            point[g] += 0.1 * (own ? 1.0 + root : 3.0 - root) * middle[e];
        }
    }
}

/* The change at the corners, linear between them. */
static void changes_at_corners(const ew_mesh *mesh, const ew_load *load, int32_t tet,
                               double change[4])
{
    double middle[6], point[4], d[18];
    const double root = sqrt(5.0);
    for (size_t k = 0; k < 4; k++) {
        change[k] = 0.0;
        add_change(mesh, load, tet, k, &change[k]);
    }
    if (!is_quadratic(load, tet, d)) {
        return;
    }
    for (int e = 0; e < 6; e++) {
        middle[e] = change_in_middle(mesh, load, tet, e, d, change);
    }
    to_gauss_points(change, middle, point);
    const double sum = point[0] + point[1] + point[2] + point[3];
    for (int k = 0; k < 4; k++) {
        change[k] = root * (point[k] - (5.0 - root) / 20.0 * sum);
    }
}

/* Mean change in a tet. */
static double change_in_tet(const ew_mesh *mesh, const ew_load *load, int32_t tet)
{
    double sum = 0.0, change[4], d[18];
    if (!acts_on(load, tet)) {
        return 0.0;
    }
    if (is_quadratic(load, tet, d)) {
        changes_at_corners(mesh, load, tet, change);
        return 0.25 * (change[0] + change[1] + change[2] + change[3]);
    }
    for (size_t k = 0; k < 4; k++) {
        add_change(mesh, load, tet, k, &sum);
    }
    return 0.25 * sum;
}

double ew_loads_temperature_change(const ew_mesh *mesh, int32_t n_load, const ew_load *load,
                                   int32_t tet)
{
    double change = 0.0;
    for (int32_t i = 0; i < n_load; i++) {
        if (load[i].kind == EW_LOAD_TEMPERATURE) {
            change += change_in_tet(mesh, &load[i], tet);
        }
    }
    return change;
}

double ew_loads_thermal_strain(const ew_mesh *mesh, const ew_materials *materials, int32_t n_load,
                               const ew_load *load, int32_t tet)
{
    const ew_material *material = &materials->material[mesh->region[tet]];
    const double change = ew_loads_temperature_change(mesh, n_load, load, tet);
    return material->kind == EW_ISOTROPIC && change != 0.0 ? change * material->expansion : 0.0;
}

void ew_loads_change_at_corners(const ew_mesh *mesh, int32_t n_load, const ew_load *load,
                                int32_t tet, double sum[4])
{
    double change[4];
    memset(sum, 0, 4 * sizeof *sum);
    for (int32_t i = 0; i < n_load; i++) {
        if (load[i].kind == EW_LOAD_TEMPERATURE && acts_on(&load[i], tet)) {
            changes_at_corners(mesh, &load[i], tet, change);
            for (int k = 0; k < 4; k++) {
                sum[k] += change[k];
            }
        }
    }
}

/* The expression has a value at a place. */
static ew_status need_value(const ew_load *load, int32_t place, const double x[3])
{
    double value;
    const char *fault = ew_expression_value(load->expression, x, &value);
    return fault ? ew_fail(EW_BAD_INPUT, "load %d (temperature): '%.80s' at (%g, %g, %g): %s",
                           place + 1, load->expression->text, x[0], x[1], x[2], fault)
                 : EW_OK;
}

/* At all places where it is taken. */
static ew_status check_expression(const ew_mesh *mesh, const ew_load *load, int32_t place)
{
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        double d[18];
        if (!ew_mesh_tet_is_live(mesh, t) || !acts_on(load, t)) {
            continue;
        }
        for (size_t k = 0; k < 4; k++) {
            const int32_t v = mesh->tet[4 * (size_t)t + k];
            const bool read = !load->vertex || ew_set_has(load->vertex, v);
            EW_TRY(read ? need_value(load, place, mesh->xyz + 3 * (size_t)v) : EW_OK);
        }
        const bool middles = is_quadratic(load, t, d);
        for (int e = 0; e < 6 && middles; e++) {
            double x[3];
            middle_of(mesh, t, e, d, x);
            EW_TRY(need_value(load, place, x));
        }
    }
    return EW_OK;
}

static ew_status check_temperature(const ew_load_context *in, const ew_load *load, int32_t place,
                                   ew_load_share *share)
{
    int32_t n;
    (void)share;
    if (load->vertex) {
        EW_TRY(ew_load_count_vertices(in, load, place, &n));
    }
    if (load->tet && !load->tet->list.n) {
        return ew_fail(EW_BAD_INPUT,
                       "load %d (temperature): its set has no tet; select some or drop the load",
                       place + 1);
    }
    for (int32_t v = 0; load->value && v < in->mesh->n_vertex; v++) {
        if (ew_mesh_vertex_is_active(in->mesh, v) && !isfinite(load->value[v])) {
            return ew_fail(EW_BAD_INPUT,
                           "load %d (temperature): the change at vertex %lld is %g; all must be "
                           "finite",
                           place + 1, (long long)in->mesh->vertex_id[v], load->value[v]);
        }
    }
    EW_TRY(load->expression ? check_expression(in->mesh, load, place) : EW_OK);
    return ew_load_need_constant(in, load, place, ew_material_has_expansion, "expansion (1/K)");
}

/* f += part B^T s at a corner with gradient g. */
static void add_stress(const double s[6], double part, const double g[3], double *f)
{
    f[0] += part * (s[0] * g[0] + s[3] * g[1] + s[5] * g[2]);
    f[1] += part * (s[3] * g[0] + s[1] * g[1] + s[4] * g[2]);
    f[2] += part * (s[5] * g[0] + s[4] * g[1] + s[2] * g[2]);
}

/* The stress D alpha that would take back the strain of 1 K. */
static void prevented_in(const ew_load_context *in, int32_t tet, double stress[6])
{
    const ew_elastic law = ew_elastic_of_tet(in->materials, in->mesh, tet);
    ew_elastic_stress(&law, law.expansion, stress);
}

/* The forces of a curved tet: at Gauss point p those of a straight one with corners y, of a quarter
 * of its volume and the change there. */
static void curved_forces(const ew_load_context *in, const ew_load *load, int32_t tet,
                          const double *d, double q[12], double f[18])
{
    double x[12], y[12], g[4][3], change[4], stress[6];
    memset(q, 0, 12 * sizeof *q);
    memset(f, 0, 18 * sizeof *f);
    ew_loads_change_at_corners(in->mesh, 1, load, tet, change);
    prevented_in(in, tet, stress);
    ew_mesh_tet_values(in->mesh, tet, in->mesh->xyz, x);
    for (int p = 0; p < 4; p++) {
        double force[12] = {0.0};
        ew_curved_point(p, x, d, y);
        const double part = 0.25 * ew_element_gradients(y, g) * ew_at_gauss_point(p, change);
        for (int k = 0; k < 4; k++) {
            add_stress(stress, part, g[k], force + 3 * k);
        }
        for (int i = 0; i < 12; i++) {
            q[i] += force[i];
        }
        ew_curved_add_forces(p, force, f);
    }
}

static void temperature_on_tet(const ew_load_context *in, const ew_load *load,
                               const ew_load_share *share, int32_t tet, int corner, double *f)
{
    double x[12], g[4][3], d[18], edge[18], corners[12];
    const ew_elastic law = ew_elastic_of_tet(in->materials, in->mesh, tet);
    const double *lame = law.lame;
    const double change = change_in_tet(in->mesh, load, tet), strain = change * law.expansion[0];
    (void)share;
    if (acts_on(load, tet) && ew_curves_of(load->curves, tet, d)) {
        curved_forces(in, load, tet, d, corners, edge);
        for (int c = 0; c < 3; c++) {
            f[c] += corners[3 * corner + c];
        }
        return;
    }
    if (change == 0.0) {
        return;
    }
    ew_mesh_tet_values(in->mesh, tet, in->mesh->xyz, x);
    const double volume = ew_element_gradients(x, g);
    if (!lame) {
        double stress[6];
        ew_elastic_stress(&law, law.expansion, stress);
        add_stress(stress, volume * change, g[corner], f);
        return;
    }
    if (in->materials->is_mixed) { /* the rest is ew_mixed_find_expansion */
        lame = in->materials->deviatoric + 2 * (size_t)in->mesh->region[tet];
    }
    const double part = volume * (3.0 * lame[0] + 2.0 * lame[1]) * strain;
    for (int c = 0; c < 3; c++) {
        f[c] += part * g[corner][c];
    }
}

/* Linear in the tet, T = sum T_k l_k: of the function of an edge (a, b) the integral of T D alpha
 * times its gradient, V / 5 D alpha ((S + T_a) g_b + (S + T_b) g_a) with S = sum T_k. */
static void temperature_on_edge(const ew_load_context *in, const ew_load *load,
                                const ew_load_share *share, int32_t tet, const int place[2],
                                double *f)
{
    double x[12], g[4][3], change[4], d[18], edge[18], stress[6];
    (void)share;
    if (acts_on(load, tet) && ew_curves_of(load->curves, tet, d)) {
        curved_forces(in, load, tet, d, x, edge);
        for (int c = 0; c < 3; c++) {
            f[c] += edge[3 * ew_edge_between(place) + c];
        }
        return;
    }
    ew_loads_change_at_corners(in->mesh, 1, load, tet, change);
    prevented_in(in, tet, stress);
    ew_mesh_tet_values(in->mesh, tet, in->mesh->xyz, x);
    const double part = ew_element_gradients(x, g) / 5.0;
    const double sum = change[0] + change[1] + change[2] + change[3];
    add_stress(stress, part * (sum + change[place[0]]), g[place[1]], f);
    add_stress(stress, part * (sum + change[place[1]]), g[place[0]], f);
}

const ew_load_type ew_load_type_temperature = {
    .traits = {.name = "temperature",
               .acts_on = EW_LOAD_ON_BODY | EW_LOAD_ON_VERTICES | EW_LOAD_ON_TETS},
    .check = check_temperature,
    .on_tet = temperature_on_tet,
    .on_edge = temperature_on_edge,
};
