/* Whether a linear theory and linear tets fit a solution. In: mesh, strain, recovered stress,
 * displacement. Out: how much of the body turns or stretches too far for small displacements, and
 * how much of the stress at the surface is bending through too few layers of tets.
 *
 * Bending: from each boundary face a ray runs inwards along the normal to the opposite face. Where
 * the principal stress in the surface changes its sign on the way, bending outweighs tension
 * there. Layers: the ray crosses three tets a layer, exactly so where cells are cut in six (Kuhn),
 * and on average where tets are regular (S / 2V = 3.67 / edge, heights of 0.816 edges). */
#include "analysis/recovery/patches.h"
#include "analysis/recovery/stretches.h"

#include <math.h>

enum { TETS_A_LAYER = 3 };
/* Rays from every so many faces, so that there are at least this many, if there are so many faces:
 * shares to a percent. */
enum { ENOUGH_RAYS = 4096 };
/* Counts are rounded to whole layers: 10 tets are 3 layers, 11 are 4. */
enum { MAX_CROSSED = (2 * EW_MIN_LAYERS - 1) * TETS_A_LAYER / 2 };

typedef struct context {
    const ew_mesh *mesh;
    const ew_topology *topology;
    const ew_fields *fields;
    const ew_recovered *recovered;
    ew_kinematics kinematics;
    const double *u;
    ew_peers *peers; /* that share the work, or null */
} context;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* ---- rotation and strain ------------------------------------------------ */

typedef struct motion {
    double volume, rotated, strained, max_rotation, max_strain;
} motion;

/* The angle of a rotation r[3][3], by its sine and cosine: to rounding from 0 to pi. */
static double angle_of(const double r[9])
{
    const double axis[3] = {r[7] - r[5], r[2] - r[6], r[3] - r[1]};
    return atan2(sqrt(dot(axis, axis)), r[0] + r[4] + r[8] - 1.0);
}

static double rotation_of(const context *in, int32_t t)
{
    double place[12], moved[12], g[4][3], h[3][3] = {{0.0}};
    ew_mesh_tet_values(in->mesh, t, in->mesh->xyz, place);
    ew_mesh_tet_values(in->mesh, t, in->u, moved);
    if (in->kinematics == EW_COROTATIONAL) {
        ew_tet_motion tet;
        ew_tet_move(in->kinematics, place, moved, &tet);
        return angle_of(tet.r);
    }
    ew_element_gradients(place, g);
    for (int a = 0; a < 4; a++) {
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                h[i][j] += moved[3 * a + i] * g[a][j];
            }
        }
    }
    const double turn[3] = {0.5 * (h[2][1] - h[1][2]), 0.5 * (h[0][2] - h[2][0]),
                            0.5 * (h[1][0] - h[0][1])};
    return sqrt(dot(turn, turn));
}

/* No principal strain is above it: with the mean m and the deviator d of a strain |m| + sqrt(2/3)
 * |d|, that of a bar that is pulled. The margin is far above rounding. */
static double strain_bound(const context *in, int32_t t)
{
    const double *e = in->fields->strain + 6 * (size_t)t;
    const double mean = (e[0] + e[1] + e[2]) / 3.0;
    const double d[3] = {e[0] - mean, e[1] - mean, e[2] - mean};
    const double square = dot(d, d) + 0.5 * (e[3] * e[3] + e[4] * e[4] + e[5] * e[5]);
    return (fabs(mean) + sqrt(2.0 / 3.0 * square)) * (1.0 + 1e-9);
}

/* The largest magnitude of a principal strain. */
static double strain_of(const context *in, int32_t t)
{
    const double *e = in->fields->strain + 6 * (size_t)t;
    const double tensor[6] = {e[0], e[1], e[2], 0.5 * e[3], 0.5 * e[4], 0.5 * e[5]};
    double principal[3];
    ew_principal(tensor, principal);
    return fmax(fabs(principal[0]), fabs(principal[2]));
}

/* That of the tet with the largest bound: few others can be above it. */
static double probable_max_strain(const context *in, int32_t begin, int32_t end)
{
    double most = 0.0;
    int32_t at = -1;
    for (int32_t t = begin; t < end; t++) {
        const double bound = ew_mesh_tet_is_live(in->mesh, t) ? strain_bound(in, t) : 0.0;
        at = bound > most ? t : at;
        most = bound > most ? bound : most;
    }
    return at < 0 ? 0.0 : strain_of(in, at);
}

static motion motion_of(const context *in, int32_t begin, int32_t end)
{
    motion sum = {.max_strain = probable_max_strain(in, begin, end)};
    for (int32_t t = begin; t < end; t++) {
        if (!ew_mesh_tet_is_live(in->mesh, t)) {
            continue;
        }
        const double volume = ew_mesh_tet_volume(in->mesh, t);
        const double rotation = rotation_of(in, t), floor = fmin(sum.max_strain, EW_MAX_STRAIN);
        const double strain = strain_bound(in, t) > floor ? strain_of(in, t) : 0.0;
        sum.volume += volume;
        sum.rotated += rotation > EW_MAX_ROTATION ? volume : 0.0;
        sum.strained += strain > EW_MAX_STRAIN ? volume : 0.0;
        sum.max_rotation = fmax(sum.max_rotation, rotation);
        sum.max_strain = fmax(sum.max_strain, strain);
    }
    return sum;
}

/* By chunks of the same tets whatever the number of threads. */
static ew_status take_motion(ew_adequacy *adequacy, const context *in)
{
    const int32_t n = in->mesh->n_tet, n_chunk = ew_sum_chunk_count(n);
    motion *part = NULL, all = {0};
    EW_TRY(ew_new(&part, (size_t)n_chunk, sizeof *part));
    const ew_stretch own = ew_stretch_of(in->peers, n_chunk);
#pragma omp parallel for schedule(static) num_threads(ew_threads())
    for (int32_t k = own.begin; k < own.end; k++) {
        part[k] = motion_of(in, k * EW_SUM_CHUNK, ew_sum_chunk_end(k, n));
    }
    const ew_status status =
        ew_stretch_share(in->peers, n_chunk, NULL, sizeof *part / sizeof(double), part);
    for (int32_t k = 0; k < n_chunk; k++) {
        all.volume += part[k].volume;
        all.rotated += part[k].rotated;
        all.strained += part[k].strained;
        all.max_rotation = fmax(all.max_rotation, part[k].max_rotation);
        all.max_strain = fmax(all.max_strain, part[k].max_strain);
    }
    ew_release(part);
    adequacy->rotated = all.volume > 0.0 ? all.rotated / all.volume : 0.0;
    adequacy->strained = all.volume > 0.0 ? all.strained / all.volume : 0.0;
    adequacy->max_rotation = all.max_rotation;
    adequacy->max_strain = all.max_strain;
    return status;
}

/* ---- bending ------------------------------------------------------------ */

/* Of a boundary face: area x stress^2; tets that a ray crosses to where the stress is of the other
 * sign, 0: none such within reach. */
typedef struct ray {
    double weight;
    int32_t crossed;
} ray;

static const double *corner(const ew_mesh *mesh, int32_t face, int k)
{
    const int32_t v = mesh->tet[4 * (size_t)(face / 4) + (size_t)ew_face_vertex[face % 4][k]];
    return mesh->xyz + 3 * (size_t)v;
}

/* The face through which the ray leaves a tet. */
static int32_t find_exit_face(const ew_mesh *mesh, int32_t t, const double from[3],
                              const double along[3])
{
    int32_t last = -1;
    double nearest = INFINITY;
    for (int f = 0; f < 4; f++) {
        const int32_t code = 4 * t + f;
        double area[3];
        ew_face_area_vector(mesh, code, area);
        const double rate = dot(area, along), *x = corner(mesh, code, 0);
        const double rest[3] = {x[0] - from[0], x[1] - from[1], x[2] - from[2]};
        if (rate > 0.0 && dot(area, rest) / rate < nearest) {
            nearest = dot(area, rest) / rate;
            last = code;
        }
    }
    return last;
}

/* The recovered stress in the middle of a face, of the region inside. */
static void stress_at(const context *in, int32_t face, double stress[6])
{
    for (int c = 0; c < 6; c++) {
        stress[c] = 0.0;
    }
    for (int k = 0; k < 3; k++) {
        const double *at =
            ew_recovered_at(in->recovered, in->mesh, face / 4, ew_face_vertex[face % 4][k]);
        for (int c = 0; c < 6; c++) {
            stress[c] += at[c] / 3.0;
        }
    }
}

/* a . stress b */
static double component(const double s[6], const double a[3], const double b[3])
{
    return a[0] * (s[0] * b[0] + s[3] * b[1] + s[5] * b[2]) +
           a[1] * (s[3] * b[0] + s[1] * b[1] + s[4] * b[2]) +
           a[2] * (s[5] * b[0] + s[4] * b[1] + s[2] * b[2]);
}

/* The larger principal stress within the plane across `normal`, and its direction. */
static double surface_stress(const double s[6], const double normal[3], double direction[3])
{
    const int i = fabs(normal[0]) < 0.6 ? 0 : fabs(normal[1]) < 0.6 ? 1 : 2;
    double a[3] = {0.0}, b[3];
    a[i] = 1.0;
    for (int c = 0; c < 3; c++) {
        b[c] = a[c] - normal[i] * normal[c];
    }
    const double length = sqrt(dot(b, b));
    for (int c = 0; c < 3; c++) {
        a[c] = b[c] / length;
    }
    for (int c = 0; c < 3; c++) {
        b[c] = normal[(c + 1) % 3] * a[(c + 2) % 3] - normal[(c + 2) % 3] * a[(c + 1) % 3];
    }
    const double p = component(s, a, a), q = component(s, b, b), r = component(s, a, b);
    const double mean = 0.5 * (p + q), half = hypot(0.5 * (p - q), r);
    /* The larger eigenvalue's direction is at half the angle of (p - q, 2 r), the other's across.
     */
    const double angle = 0.5 * atan2(r, 0.5 * (p - q)) + (mean < 0.0 ? 2.0 * atan(1.0) : 0.0);
    for (int c = 0; c < 3; c++) {
        direction[c] = cos(angle) * a[c] + sin(angle) * b[c];
    }
    return mean < 0.0 ? mean - half : mean + half;
}

static ray cast(const context *in, int32_t face)
{
    double area[3], along[3], from[3], direction[3], stress[6], exit_area[3];
    ew_face_area_vector(in->mesh, face, area);
    const double size = sqrt(dot(area, area));
    for (int c = 0; c < 3; c++) {
        along[c] = -area[c] / size;
        from[c] = (corner(in->mesh, face, 0)[c] + corner(in->mesh, face, 1)[c] +
                   corner(in->mesh, face, 2)[c]) /
                  3.0;
    }
    stress_at(in, face, stress);
    const double here = surface_stress(stress, along, direction);
    ray found = {size * here * here, 0};
    for (int32_t n = 1, at = face / 4; n <= MAX_CROSSED; n++) {
        const int32_t last = find_exit_face(in->mesh, at, from, along);
        if (last < 0) {
            return found;
        }
        at = ew_topology_face_neighbor(in->topology, in->mesh, last);
        if (at >= 0) {
            continue;
        }
        ew_face_area_vector(in->mesh, last, exit_area);
        stress_at(in, last, stress);
        const double there = component(stress, direction, direction);
        const bool opposite = dot(exit_area, along) > 0.5 * sqrt(dot(exit_area, exit_area));
        found.crossed = opposite && here * there < 0.0 && fabs(there) > 0.25 * fabs(here) ? n : 0;
        return found;
    }
    return found;
}

static ew_status take_bending(ew_adequacy *adequacy, const context *in)
{
    ew_list face = {0};
    ray *rays = NULL;
    double bent = 0.0, all = 0.0, layers = 0.0;
    ew_status status = ew_topology_boundary(in->topology, in->mesh, &face);
    if (!status) {
        status = ew_new(&rays, (size_t)face.n, sizeof *rays);
    }
    if (!status) {
        const int32_t step = face.n > ENOUGH_RAYS ? face.n / ENOUGH_RAYS : 1;
        const int32_t n_ray = face.n / step;
#pragma omp parallel for schedule(dynamic, 64) num_threads(ew_threads())
        for (int32_t i = 0; i < n_ray; i++) {
            rays[i] = cast(in, face.id[i * step]);
        }
        for (int32_t i = 0; i < n_ray; i++) {
            all += rays[i].weight;
            bent += rays[i].crossed ? rays[i].weight : 0.0;
            layers += rays[i].weight * rays[i].crossed / TETS_A_LAYER;
        }
        adequacy->bent = all > 0.0 ? bent / all : 0.0;
        adequacy->layers = bent > 0.0 ? layers / bent : 0.0;
    }
    ew_list_free(&face);
    ew_release(rays);
    return status;
}

ew_status ew_adequacy_evaluate_together(ew_peers *peers, ew_adequacy *adequacy, const ew_mesh *mesh,
                                        const ew_topology *topology, const ew_fields *fields,
                                        const ew_estimate *estimate, ew_kinematics kinematics,
                                        const double *u)
{
    if (estimate->revision != mesh->revision || topology->pattern.revision != mesh->revision) {
        return ew_fail(EW_STALE,
                       "adequacy: the mesh is of revision %llu, the tables of %llu, the estimate "
                       "of %llu; bring them up to date first",
                       (unsigned long long)mesh->revision,
                       (unsigned long long)topology->pattern.revision,
                       (unsigned long long)estimate->revision);
    }
    const context in = {mesh, topology, fields, &estimate->recovered, kinematics, u, peers};
    ew_adequacy found = {0};
    EW_TRY(take_motion(&found, &in));
    EW_TRY(take_bending(&found, &in));
    *adequacy = found;
    return EW_OK;
}

ew_status ew_adequacy_evaluate(ew_adequacy *adequacy, const ew_mesh *mesh,
                               const ew_topology *topology, const ew_fields *fields,
                               const ew_estimate *estimate, ew_kinematics kinematics,
                               const double *u)
{
    return ew_adequacy_evaluate_together(NULL, adequacy, mesh, topology, fields, estimate,
                                         kinematics, u);
}
