/* Springs to the ground. In: mesh, tables, springs over sets. Out: a symmetric stiffness per
 * vertex, and what the matrix gets beside the tets. Each vertex gathers its own in one fixed order,
 * spring by spring, and within one by ascending tet and face, whatever the list of vertices asked
 * for; so an update gives the bits of a full computation. */
#include "analysis/support/springs.h"

#include "analysis/load/curved_face.h"

#include <math.h>
#include <string.h>

/* A row's stiffness along its prescribed directions, in multiples of what its tets give. More makes
 * coarse modes stiff that only nearly slide, less leaves the row as good as free: iterations are
 * fewest from 1 to 4. */
#define STIFFER 2.0

bool ew_spring_is_on_faces(const ew_spring *spring)
{
    return spring->face || spring->kind == EW_SPRING_FOUNDATION;
}

/* k += factor a b^T, symmetric in a and b. */
static void add_product(double factor, const double a[3], double k[6])
{
    for (int c = 0; c < 3; c++) {
        k[c] += factor * a[c] * a[c];
        k[3 + c] += factor * a[c] * a[(c + 1) % 3];
    }
}

/* ---- faces --------------------------------------------------------------- */

bool ew_spring_has_face(const ew_mesh *mesh, const ew_topology *topology, const ew_spring *spring,
                        int32_t face)
{
    if (!ew_spring_is_on_faces(spring)) {
        return false;
    }
    if (spring->face) {
        return ew_set_has(spring->face, ew_boundary_find(spring->boundary, face));
    }
    const int32_t *vertex = mesh->tet + 4 * (size_t)(face / 4);
    for (int k = 0; k < 3; k++) {
        if (!ew_set_has(spring->vertex, vertex[ew_face_vertex[face % 4][k]])) {
            return false;
        }
    }
    return ew_topology_face_neighbor(topology, mesh, face) < 0;
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void add_foundation(const ew_spring *spring, const double area[3], double n, double k[6])
{
    const double size = length(area), across = spring->stiffness[1];
    const double unit[3] = {area[0] / size, area[1] / size, area[2] / size};
    add_product((spring->stiffness[0] - across) * size / n, unit, k);
    for (int c = 0; c < 3; c++) {
        k[c] += across * size / n;
    }
}

static void add_axes(const double stiffness[3], double factor, const double *frame, double k[6])
{
    for (int c = 0; c < 3; c++) {
        add_product(factor * stiffness[c], frame + 3 * c, k);
    }
}

static ew_status refuse_place(int32_t place, const char *what, int64_t id, const double x[3])
{
    return ew_fail_about(EW_BAD_INPUT, place, -1,
                         "spring %d: %s %lld at (%g, %g, %g) lies on the axis of its cylinder, "
                         "where no direction is radial or tangential; take it out of the set",
                         place + 1, what, (long long)id, x[0], x[1], x[2]);
}

ew_status ew_spring_add_area(const ew_spring *spring, double share, int32_t place, const char *what,
                             int64_t id, const double x[3], const double area[3], double n,
                             double k[6])
{
    double frame[9];
    if (!ew_axes_at(&spring->axes, x, frame) && spring->stiffness[0] + spring->stiffness[1] > 0.0) {
        return refuse_place(place, what, id, x);
    }
    if (spring->kind == EW_SPRING_FOUNDATION) {
        add_foundation(spring, area, n, k);
    } else {
        add_axes(spring->stiffness, share * length(area) / n, frame, k);
    }
    return EW_OK;
}

int32_t ew_spring_next_face(const ew_mesh *mesh, const ew_topology *topology,
                            const ew_spring *spring, int32_t v, int32_t *at)
{
    const ew_rows *rows = &topology->vertex_to_tet;
    int32_t found = -1;
    for (; *at < 4 * rows->count[v] && found < 0; ++*at) {
        const int32_t face = 4 * rows->item[rows->begin[v] + *at / 4] + *at % 4;
        found =
            mesh->tet[face] != v && ew_spring_has_face(mesh, topology, spring, face) ? face : -1;
    }
    return found;
}

/* ---- checks -------------------------------------------------------------- */

static ew_status check_values(const ew_spring *spring, int32_t place)
{
    const int n = spring->kind == EW_SPRING_FOUNDATION ? 2 : 3;
    double sum = 0.0;
    for (int c = 0; c < n; c++) {
        if (!(spring->stiffness[c] >= 0.0) || !isfinite(spring->stiffness[c])) {
            return ew_fail_about(EW_BAD_INPUT, place, -1,
                                 "spring %d: its stiffness %g must be finite and at least 0",
                                 place + 1, spring->stiffness[c]);
        }
        sum += spring->stiffness[c];
    }
    return sum > 0.0 || spring->value
               ? EW_OK
               : ew_fail_about(EW_BAD_INPUT, place, -1,
                               "spring %d: its stiffness is 0; leave it out", place + 1);
}

static ew_status check_field(const ew_mesh *mesh, const ew_spring *spring, int32_t place)
{
    for (int32_t i = 0; spring->value && i < 3 * spring->vertex->list.n; i++) {
        const int32_t v = spring->vertex->list.id[i / 3];
        const double k = spring->stiffness[i % 3] + spring->value[3 * (size_t)v + (size_t)(i % 3)];
        if (ew_mesh_vertex_is_active(mesh, v) && (!(k >= 0.0) || !isfinite(k))) {
            return ew_fail_about(EW_BAD_INPUT, place, -1,
                                 "spring %d: its stiffness %g on vertex %lld must be finite and at "
                                 "least 0",
                                 place + 1, k, (long long)mesh->vertex_id[v]);
        }
    }
    return EW_OK;
}

static double area_of(const ew_mesh *mesh, const ew_spring *spring, int32_t face)
{
    ew_curved_face curved;
    double area[3];
    if (spring->curves && ew_curved_face_take(spring->curves, mesh, face, &curved)) {
        return ew_curved_face_area(&curved);
    }
    ew_face_area_vector(mesh, face, area);
    return length(area);
}

/* One over the area of a set of faces, summed in ascending slots. */
static ew_status share_of_faces(const ew_mesh *mesh, const ew_spring *spring, int32_t place,
                                double *share)
{
    double total = 0.0;
    for (int32_t word = 0; word < spring->face->word; word++) {
        for (uint64_t bits = spring->face->bit[word]; bits; bits &= bits - 1) {
            total += area_of(mesh, spring, spring->boundary->code[64 * word + ew_lowest_bit(bits)]);
        }
    }
    *share = spring->kind == EW_SPRING_TOTAL ? 1.0 / total : 1.0;
    return total > 0.0 ? EW_OK
                       : ew_fail_about(EW_BAD_INPUT, place, -1,
                                       "spring %d: its set has no face of the body; select some",
                                       place + 1);
}

static ew_status share_of_vertices(const ew_mesh *mesh, const ew_topology *topology,
                                   const ew_spring *spring, int32_t place, double *share)
{
    const ew_list *list = &spring->vertex->list;
    int32_t n = 0, face = -1;
    for (int32_t i = 0; i < list->n; i++) {
        if (list->id[i] >= mesh->n_vertex) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "spring %d: its set names vertex slot %d of %d; select it again",
                           place + 1, list->id[i], mesh->n_vertex);
        }
        n += ew_mesh_vertex_is_active(mesh, list->id[i]);
    }
    for (int32_t i = 0; i < list->n && face < 0 && ew_spring_is_on_faces(spring); i++) {
        int32_t at = 0;
        face = ew_spring_next_face(mesh, topology, spring, list->id[i], &at);
    }
    if (!n || (face < 0 && ew_spring_is_on_faces(spring))) {
        return ew_fail_about(EW_BAD_INPUT, place, -1, "spring %d: %s; widen the set", place + 1,
                             n ? "no boundary face has all three vertices in its set"
                               : "its set has no vertex of the body");
    }
    *share = spring->kind == EW_SPRING_TOTAL ? 1.0 / n : 1.0;
    return check_field(mesh, spring, place);
}

static ew_status check_sources(const ew_mesh *mesh, const ew_topology *topology,
                               const ew_spring *spring, int32_t place)
{
    if (topology->pattern.revision != mesh->revision ||
        (spring->face && spring->boundary->revision != mesh->revision)) {
        return ew_fail(EW_STALE, "spring %d: the tables are not those of the mesh; update them",
                       place + 1);
    }
    return EW_OK;
}

ew_status ew_spring_share(const ew_mesh *mesh, const ew_topology *topology, const ew_spring *spring,
                          int32_t place, double *share)
{
    if ((unsigned)spring->kind > EW_SPRING_FOUNDATION || !spring->face == !spring->vertex ||
        (spring->face && (!spring->boundary || spring->kind == EW_SPRING_EACH)) ||
        (spring->value && spring->kind != EW_SPRING_EACH)) {
        return ew_fail(EW_BAD_ARGUMENT, "spring %d: unknown kind, or no set that it can act on",
                       place + 1);
    }
    EW_TRY(check_sources(mesh, topology, spring, place));
    EW_TRY(check_values(spring, place));
    return spring->face ? share_of_faces(mesh, spring, place, share)
                        : share_of_vertices(mesh, topology, spring, place, share);
}

/* ---- springs ------------------------------------------------------------- */

/* A third of each face. */
static ew_status add_faces(const ew_mesh *mesh, const ew_topology *topology,
                           const ew_spring *spring, double share, int32_t place, int32_t v,
                           double k[6])
{
    int32_t face, at = 0;
    while ((face = ew_spring_next_face(mesh, topology, spring, v, &at)) >= 0) {
        double area[3];
        ew_face_area_vector(mesh, face, area);
        EW_TRY(ew_spring_add_area(spring, share, place, "vertex", mesh->vertex_id[v],
                                  mesh->xyz + 3 * (size_t)v, area, 3.0, k));
    }
    return EW_OK;
}

static ew_status add_vertex(const ew_mesh *mesh, const ew_spring *spring, double share,
                            int32_t place, int32_t v, double k[6])
{
    const double *x = mesh->xyz + 3 * (size_t)v;
    double frame[9], stiffness[3];
    for (int c = 0; c < 3; c++) {
        stiffness[c] =
            spring->stiffness[c] + (spring->value ? spring->value[3 * (size_t)v + (size_t)c] : 0.0);
    }
    if (!ew_axes_at(&spring->axes, x, frame) && stiffness[0] + stiffness[1] > 0.0) {
        return refuse_place(place, "vertex", mesh->vertex_id[v], x);
    }
    add_axes(stiffness, share, frame, k);
    return EW_OK;
}

static ew_status add_spring(const ew_mesh *mesh, const ew_topology *topology,
                            const ew_spring *spring, double share, int32_t place, int32_t v,
                            double k[6])
{
    double own[6] = {0.0};
    EW_TRY(ew_spring_is_on_faces(spring) ? add_faces(mesh, topology, spring, share, place, v, own)
                                         : add_vertex(mesh, spring, share, place, v, own));
    for (int c = 0; c < 6; c++) {
        k[c] += own[c];
    }
    return EW_OK;
}

ew_status ew_springs_gather(const ew_mesh *mesh, const ew_topology *topology, int32_t n_spring,
                            const ew_spring *spring, const double *share, const ew_list *vertex,
                            double *stiffness)
{
    const int32_t n = vertex ? vertex->n : mesh->n_vertex;
    for (int32_t s = 0; s < n_spring; s++) {
        EW_TRY(check_sources(mesh, topology, &spring[s], s));
    }
    for (int32_t i = 0; i < n; i++) {
        const int32_t v = vertex ? vertex->id[i] : i;
        double sum[6] = {0.0};
        for (int32_t s = 0; s < n_spring && ew_mesh_vertex_is_active(mesh, v); s++) {
            if (spring[s].face || ew_set_has(spring[s].vertex, v)) {
                EW_TRY(add_spring(mesh, topology, &spring[s], share[s], s, v, sum));
            }
        }
        memcpy(stiffness + 6 * (size_t)v, sum, sizeof sum);
    }
    return EW_OK;
}

void ew_spring_force(const double *k, const double *u, double *force)
{
    force[0] = -(k[0] * u[0] + k[3] * u[1] + k[5] * u[2]);
    force[1] = -(k[3] * u[0] + k[1] * u[1] + k[4] * u[2]);
    force[2] = -(k[5] * u[0] + k[4] * u[1] + k[2] * u[2]);
}

/* ---- the matrix ------------------------------------------------------------ */

/* The trace of a tet's share of a diagonal block, V (lambda + 4 mu) |g|^2 where it is isotropic. */
static double trace_of(const ew_materials *materials, const ew_mesh *mesh, int32_t t,
                       const double *g, double volume)
{
    const ew_elastic law = ew_elastic_of_tet(materials, mesh, t);
    const double *lame = law.lame;
    double sum = 0.0;
    if (lame) {
        return volume * (lame[0] + 4.0 * lame[1]) * (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        double strain[6] = {0.0}, stress[6];
        strain[i] = g[i];
        strain[3 + i] = g[j]; /* xy, yz, xz */
        strain[3 + k] = g[k];
        ew_elastic_stress(&law, strain, stress);
        for (int c = 0; c < 6; c++) {
            sum += strain[c] * stress[c];
        }
    }
    return volume * sum;
}

/* The trace of a vertex' diagonal block of the tets. */
static double trace_at(const ew_mesh *mesh, const ew_topology *topology,
                       const ew_materials *materials, int32_t v)
{
    const ew_rows *rows = &topology->vertex_to_tet;
    double sum = 0.0;
    for (int32_t i = 0; i < rows->count[v]; i++) {
        const int32_t t = rows->item[rows->begin[v] + i];
        double corner[12], gradient[4][3];
        int k = 0;
        while (mesh->tet[4 * (size_t)t + (size_t)k] != v) {
            k++;
        }
        ew_mesh_tet_values(mesh, t, mesh->xyz, corner);
        const double volume = ew_element_gradients(corner, gradient);
        sum += trace_of(materials, mesh, t, gradient[k], volume);
    }
    return sum;
}

ew_status ew_ground_gather(const ew_mesh *mesh, const ew_topology *topology,
                           const ew_materials *materials, const ew_constraints *constraints,
                           const ew_list *vertex, double *ground)
{
    const int32_t n = vertex ? vertex->n : mesh->n_vertex;
    if (topology->pattern.revision != mesh->revision || constraints->n_vertex != mesh->n_vertex ||
        materials->n < mesh->n_region) {
        return ew_fail(EW_STALE, "ground: tables, materials and constraints are not those of the "
                                 "mesh; bring them up to date first");
    }
    for (int32_t i = 0; i < n; i++) {
        const int32_t v = vertex ? vertex->id[i] : i;
        double k[6] = {0.0};
        if (constraints->spring) {
            memcpy(k, constraints->spring + 6 * (size_t)v, sizeof k);
        }
        if (constraints->fixed[v] & EW_OBLIQUE) {
            const double *normal = constraints->oblique.normal + 6 * (size_t)constraints->place[v];
            const double stiff = STIFFER * trace_at(mesh, topology, materials, v);
            add_product(stiff, normal, k);
            add_product(stiff, normal + 3, k);
        }
        memcpy(ground + 6 * (size_t)v, k, sizeof k);
    }
    return EW_OK;
}
