/* Tetrahedralization by TetGen (Si 2015, "TetGen, a Delaunay-based quality tetrahedral mesh
 * generator", ACM TOMS 41(2)). In: a closed surface. Out: a mesh of its inside.
 *
 * TetGen runs in a child process (tetgen_process.cpp). It fills every region that a surface closes
 * off. How many shells lie around a point of a region is odd or even with the winding number of the
 * surface around it; an even one marks a cavity, and a second run then leaves the cavities open. */
#include "meshing/tetgen.h"
#include "meshing/tetgen_process.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>

using namespace ew_tetgen;

namespace
{

/* Looking for what is wrong must not take as long again. */
enum { SEARCH_SECONDS = 20 };

/* ---- failures --------------------------------------------------------------- */

/* Fails with the first of the triangles that TetGen finds to intersect others, or EW_OK. */
ew_status find_intersection(const ew_surface *surface, const ew_tetgen_def *def)
{
    array<int32_t> marker;
    EW_TRY(marker.make((size_t)surface->n_triangle));
    for (int32_t i = 0; i < surface->n_triangle; i++) {
        marker.at[i] = i + 1;
    }
    job work = {surface, *def, marker.at, nullptr, 0, true, ew_seconds() + SEARCH_SECONDS};
    result raw;
    EW_TRY(run(work, raw));
    int32_t first = INT32_MAX;
    for (int32_t i = 0; i < raw.head.n_face; i++) {
        first = std::min(first, raw.marker.at[i]);
    }
    if (first < 1 || first > surface->n_triangle) {
        return EW_OK;
    }
    const int32_t *vertex = surface->triangle + 3 * (size_t)(first - 1);
    const double *x = surface->xyz + 3 * (size_t)vertex[0];
    return ew_fail(EW_BAD_INPUT,
                   "the surface intersects itself: triangle %d (vertices %d, %d, %d, the first at "
                   "%g %g %g) crosses another; %d triangles do; separate them",
                   first - 1, vertex[0], vertex[1], vertex[2], x[0], x[1], x[2], raw.head.n_face);
}

ew_status explain_failure(const ew_surface *surface, const ew_tetgen_def *def, int32_t code)
{
    EW_TRY(find_intersection(surface, def));
    if (code == RUN_MEMORY || code == RUN_TIME) {
        char what[80];
        std::snprintf(what, sizeof what,
                      code == RUN_TIME ? "did not end within %g s" : "needs more than %g GiB",
                      code == RUN_TIME ? def->max_seconds : def->max_memory);
        return ew_fail(code == RUN_TIME ? EW_LIMIT : EW_NO_MEMORY,
                       "TetGen %s on the surface of %d triangles; try a larger max_volume and "
                       "quality, keep_surface, a surface without parts that nearly touch or are "
                       "far thinner than they are wide, or give it more (%s)",
                       what, surface->n_triangle, code == RUN_TIME ? "max_seconds" : "max_memory");
    }
    return ew_fail(EW_BAD_INPUT,
                   "TetGen could not fill the surface of %d triangles, though none intersect; "
                   "remove triangles that nearly touch or are nearly flat%s",
                   surface->n_triangle,
                   def->keep_surface ? ", or allow it to split triangles" : "");
}

/* ---- inside and outside --------------------------------------------------------- */

double determinant(const double *a, const double *b, const double *c)
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* How often the surface winds around the point: the sum of the triangles' solid angles
 * (Van Oosterom & Strackee 1983, eq. 8) over 4 pi. */
int winding(const ew_surface *surface, const double point[3])
{
    double sum = 0;
    for (int32_t i = 0; i < surface->n_triangle; i++) {
        double r[3][3], length[3];
        for (int k = 0; k < 3; k++) {
            const double *x = surface->xyz + 3 * (size_t)surface->triangle[3 * (size_t)i + k];
            for (int c = 0; c < 3; c++) {
                r[k][c] = x[c] - point[c];
            }
            length[k] = std::sqrt(dot(r[k], r[k]));
        }
        double below = length[0] * length[1] * length[2] + dot(r[0], r[1]) * length[2] +
                       dot(r[0], r[2]) * length[1] + dot(r[1], r[2]) * length[0];
        sum += 2 * std::atan2(determinant(r[0], r[1], r[2]), below);
    }
    return (int)std::lround(sum / (16 * std::atan(1.0)));
}

double volume_of(const result &raw, size_t t)
{
    const int32_t *vertex = raw.tet.at + 4 * t;
    const double *x = raw.xyz.at;
    return ew_tet_volume(x + 3 * (size_t)vertex[0], x + 3 * (size_t)vertex[1],
                         x + 3 * (size_t)vertex[2], x + 3 * (size_t)vertex[3]);
}

/* The largest tet of each region, by region number; -1 where none has the number. */
ew_status find_largest(const result &raw, array<int32_t> &largest, int32_t &n_number)
{
    n_number = 0;
    for (int32_t t = 0; t < raw.head.n_tet; t++) {
        double number = raw.region.at[t];
        if (!(number >= 0 && number <= raw.head.n_tet)) {
            return ew_fail(EW_BAD_INPUT, "TetGen numbered a region of the surface %g", number);
        }
        n_number = std::max(n_number, (int32_t)number + 1);
    }
    EW_TRY(largest.make((size_t)n_number));
    std::fill(largest.at, largest.at + n_number, -1);
    for (int32_t t = 0; t < raw.head.n_tet; t++) {
        int32_t &best = largest.at[(int32_t)raw.region.at[t]];
        if (best < 0 ||
            std::fabs(volume_of(raw, (size_t)t)) > std::fabs(volume_of(raw, (size_t)best))) {
            best = t;
        }
    }
    return EW_OK;
}

/* Lists a point in each cavity: in an even number of shells, each of which turns once around it,
 * one way or the other. */
ew_status find_cavities(const ew_surface *surface, const result &raw, array<double> &hole,
                        int32_t &n_hole)
{
    array<int32_t> largest;
    int32_t n_number = 0;
    EW_TRY(find_largest(raw, largest, n_number));
    EW_TRY(hole.make(3 * (size_t)n_number));
    n_hole = 0;
    for (int32_t i = 0; i < n_number; i++) {
        if (largest.at[i] < 0) {
            continue;
        }
        double *point = hole.at + 3 * (size_t)n_hole;
        for (int c = 0; c < 3; c++) {
            point[c] = 0;
            for (int k = 0; k < 4; k++) {
                size_t vertex = (size_t)raw.tet.at[4 * (size_t)largest.at[i] + k];
                point[c] += raw.xyz.at[3 * vertex + c] / 4;
            }
        }
        n_hole += winding(surface, point) % 2 == 0;
    }
    return EW_OK;
}

/* Runs TetGen, leaving the cavities open. shells: the triangles of the surface that enclose; the
 * same surface unless some lie inside. */
ew_status fill(const ew_surface *surface, const ew_surface *shells, const ew_tetgen_def *def,
               double deadline, const int32_t *marker, result &raw)
{
    array<double> hole;
    int32_t n_hole = 0;
    EW_TRY(run(job{surface, *def, marker, nullptr, 0, false, deadline}, raw));
    if (raw.head.code == RUN_DONE) {
        EW_TRY(find_cavities(shells, raw, hole, n_hole));
    }
    if (n_hole) {
        EW_TRY(run(job{surface, *def, marker, hole.at, n_hole, false, deadline}, raw));
    }
    return raw.head.code == RUN_DONE && raw.head.n_tet
               ? EW_OK
               : explain_failure(surface, def, raw.head.code);
}

/* As fill, within def->max_volume: the flips with which TetGen removes slivers last may
 * make tets a little larger again, so it is asked for as much less as it gave too much. Tets
 * at a surface that must be kept cannot always be small enough, and asking for less would only
 * multiply the others. */
ew_status fill_within(const ew_surface *surface, const ew_tetgen_def *def, const int32_t *marker,
                      result &raw)
{
    enum { TRIES = 4 };
    ew_tetgen_def asked = *def;
    double deadline = ew_seconds() + (def->max_seconds > 0 ? def->max_seconds : 1e9);
    for (int i = 0; i < TRIES; i++) {
        EW_TRY(fill(surface, surface, &asked, deadline, marker, raw));
        double largest = 0;
        for (int32_t t = 0; t < raw.head.n_tet; t++) {
            largest = std::max(largest, std::fabs(volume_of(raw, (size_t)t)));
        }
        if (def->max_volume == 0 || def->keep_surface || largest <= def->max_volume) {
            break;
        }
        asked.max_volume *= 0.98 * def->max_volume / largest;
    }
    return EW_OK;
}

/* ---- from result to mesh ----------------------------------------------------------- */

/* Triangles get the rank of their label from 1 as marker; label[rank - 1] tells it back. */
ew_status rank_labels(const ew_surface *surface, array<int32_t> &marker, array<int32_t> &label,
                      int32_t &n_label)
{
    size_t n = (size_t)surface->n_triangle;
    EW_TRY(marker.make(n));
    EW_TRY(label.make(n));
    std::copy(surface->label, surface->label + n, label.at);
    std::sort(label.at, label.at + n);
    int32_t *end = std::unique(label.at, label.at + n);
    n_label = (int32_t)(end - label.at);
    for (size_t i = 0; i < n; i++) {
        marker.at[i] = (int32_t)(std::lower_bound(label.at, end, surface->label[i]) - label.at) + 1;
    }
    return EW_OK;
}

/* TetGen makes two to three times as many tets as the bound of their volume asks for (Debian's 1.5
 * of a cube: 2.75, in 700 bytes for each asked for). */
const double BYTES_PER_TET = 500;

/* Refuses a bound of the tets' volume that no memory allowed can serve, before time is spent. */
ew_status check_room(const ew_surface *surface, const ew_tetgen_def *def)
{
    double six = 0;
    const double *o = surface->xyz;
    for (int32_t i = 0; i < surface->n_triangle && def->max_volume > 0; i++) {
        double r[3][3];
        for (int k = 0; k < 3; k++) {
            const double *x = surface->xyz + 3 * (size_t)surface->triangle[3 * (size_t)i + k];
            for (int c = 0; c < 3; c++) {
                r[k][c] = x[c] - o[c];
            }
        }
        six += determinant(r[0], r[1], r[2]);
    }
    const double volume = std::fabs(six) / 6;
    const double n = def->max_volume > 0 ? volume / def->max_volume : 0;
    const double gib = def->max_memory > 0 ? def->max_memory : INFINITY;
    if (n > INT32_MAX / 4) {
        return ew_fail(EW_LIMIT,
                       "TetGen: %.3g tets of volume %g at most fill the volume %g; at most %d can "
                       "be named; give a larger volume",
                       n, def->max_volume, volume, INT32_MAX / 4);
    }
    if (n * BYTES_PER_TET > gib * 1073741824.0) {
        return ew_fail(EW_NO_MEMORY,
                       "TetGen: %.3g tets of volume %g at most fill the volume %g, which needs "
                       "more than %g GiB; give a larger volume, or more memory (max_memory)",
                       n, def->max_volume, volume, def->max_memory);
    }
    return EW_OK;
}

/* TetGen lists tets left-handed in our sense. */
ew_status make_mesh(ew_mesh *mesh, result &raw, const array<int32_t> &label, int32_t n_label,
                    ew_mesh_repair *repair)
{
    array<int32_t> region;
    EW_TRY(region.make((size_t)raw.head.n_tet));
    for (size_t t = 0; t < (size_t)raw.head.n_tet; t++) {
        region.at[t] = 1;
        if (volume_of(raw, t) < 0) {
            std::swap(raw.tet.at[4 * t + 2], raw.tet.at[4 * t + 3]);
        }
    }
    for (int32_t i = 0; i < raw.head.n_face; i++) {
        int32_t &marker = raw.marker.at[i];
        if (marker < 1 || marker > n_label) {
            return ew_fail(EW_BAD_INPUT, "TetGen gave a triangle the unknown marker %d", marker);
        }
        marker = label.at[marker - 1];
    }
    ew_mesh_def def = {};
    def.n_vertex = raw.head.n_point;
    def.xyz = raw.xyz.at;
    def.n_tet = raw.head.n_tet;
    def.tet = raw.tet.at;
    def.region = region.at;
    def.n_face = raw.head.n_face;
    def.face = raw.face.at;
    def.face_label = raw.marker.at;
    ew_status status = ew_mesh_init(mesh, &def, repair);
    return status ? ew_fail_prefix(status, "mesh made by TetGen") : EW_OK;
}

ew_status check_def(const ew_tetgen_def *def)
{
    if (def->quality != 0 && !(def->quality >= 1 && std::isfinite(def->quality))) {
        return ew_fail(EW_BAD_ARGUMENT, "quality is %g: give a radius-edge ratio >= 1, or 0",
                       def->quality);
    }
    if (!(def->max_volume >= 0 && std::isfinite(def->max_volume))) {
        return ew_fail(EW_BAD_ARGUMENT, "max_volume is %g: give a volume > 0, or 0 for no bound",
                       def->max_volume);
    }
    if (!(def->max_seconds >= 0) || !(def->max_memory >= 0)) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "max_seconds is %g and max_memory %g: give seconds and GiB > 0, or 0 for no "
                       "bound",
                       def->max_seconds, def->max_memory);
    }
    return EW_OK;
}

} // namespace

extern "C" ew_status ew_tetgen_mesh(ew_mesh *mesh, const ew_surface *surface,
                                    const ew_tetgen_def *def, ew_mesh_repair *repair)
{
    EW_TRY(check_def(def));
    EW_TRY(ew_surface_check(surface));
    EW_TRY(check_room(surface, def));
    array<int32_t> marker, label;
    int32_t n_label = 0;
    result raw;
    EW_TRY(rank_labels(surface, marker, label, n_label));
    EW_TRY(fill_within(surface, def, marker.at, raw));
    return make_mesh(mesh, raw, label, n_label, repair);
}

extern "C" ew_status ew_tetgen_fill(const ew_cavity *cavity, const ew_tetgen_def *def,
                                    ew_filling *filling)
{
    EW_TRY(check_def(def));
    array<int32_t> marker;
    result raw;
    ew_tetgen_def kept = *def;
    kept.keep_surface = true;
    ew_surface all = {};
    all.n_vertex = cavity->n_vertex;
    all.xyz = const_cast<double *>(cavity->xyz); /* the job reads it alone */
    all.n_triangle = cavity->n_triangle + cavity->n_inner;
    all.triangle = const_cast<int32_t *>(cavity->triangle);
    ew_surface shells = all;
    shells.n_triangle = cavity->n_triangle;
    EW_TRY(check_room(&shells, def));
    EW_TRY(marker.make((size_t)all.n_triangle));
    for (int32_t i = 0; i < all.n_triangle; i++) {
        marker.at[i] = i + 1; /* none may be merged */
    }
    const double deadline = ew_seconds() + (def->max_seconds > 0 ? def->max_seconds : 1e9);
    EW_TRY(fill(&all, &shells, &kept, deadline, marker.at, raw));
    *filling = ew_filling();
    filling->n_vertex = raw.head.n_point;
    filling->n_tet = raw.head.n_tet;
    std::swap(filling->xyz, raw.xyz.at);
    std::swap(filling->tet, raw.tet.at);
    return EW_OK;
}
