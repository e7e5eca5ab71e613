/* Tetrahedralisation by TetGen (Si 2015, "TetGen, a Delaunay-based quality tetrahedral mesh
 * generator", ACM TOMS 41(2)). In: a closed surface. Out: a mesh of its inside.
 *
 * TetGen runs in a child process, which sends its arrays back through a pipe. TetGen 1.5
 * reports failures by an exception that frees its memory twice on the way out, and prints
 * on standard output; neither may happen to a program that calls this library.
 *
 * TetGen fills every region that a surface closes off. Which of them are inside is told by
 * the winding number of the surface around a point of each: 0 marks a cavity, and a second
 * run then leaves the cavities open. */
#define TETLIBRARY
#include "meshing/meshing.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/resource.h>
#include <sys/wait.h>
#include <tetgen.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace
{

/* The codes above 0 are TetGen's own. */
enum { RUN_DONE = 0, RUN_MEMORY = 1, RUN_CRASHED = -1 };

/* An array of the library's allocator. */
template <typename T> struct array {
    T *at = nullptr;
    array() = default;
    array(const array &) = delete;
    array &operator=(const array &) = delete;
    ~array()
    {
        ew_release(at);
    }
    ew_status make(size_t n)
    {
        ew_release(at);
        return ew_new(&at, n, sizeof(T));
    }
};

struct job {
    const ew_surface *surface;
    ew_tetgen_def def;
    const int32_t *marker; /* [n_triangle], > 0; only coplanar triangles of equal marker merge */
    const double *hole;    /* [n_hole][3], a point inside each cavity */
    int32_t n_hole;
    bool detect; /* look for triangles that intersect, and make no tets */
};

struct header {
    int32_t code, n_point, n_tet, n_face;
};

struct result {
    header head;
    array<double> xyz;     /* [n_point][3] */
    array<int32_t> tet;    /* [n_tet][4] */
    array<double> region;  /* [n_tet], TetGen's numbers of the regions, whole */
    array<int32_t> face;   /* [n_face][3] */
    array<int32_t> marker; /* [n_face] */
};

/* ---- the child ----------------------------------------------------------- */

void fill_input(tetgenio &in, const job &work)
{
    const ew_surface *surface = work.surface;
    size_t n_point = (size_t)surface->n_vertex, n = (size_t)surface->n_triangle;
    in.firstnumber = 0;
    in.numberofpoints = surface->n_vertex;
    in.pointlist = new double[3 * n_point];
    std::copy(surface->xyz, surface->xyz + 3 * n_point, in.pointlist);
    in.numberoffacets = surface->n_triangle;
    in.facetlist = new tetgenio::facet[n];
    in.facetmarkerlist = new int[n];
    std::copy(work.marker, work.marker + n, in.facetmarkerlist);
    for (size_t i = 0; i < n; i++) {
        tetgenio::facet *facet = &in.facetlist[i];
        tetgenio::init(facet);
        facet->numberofpolygons = 1;
        facet->polygonlist = new tetgenio::polygon[1];
        facet->polygonlist->numberofvertices = 3;
        facet->polygonlist->vertexlist = new int[3];
        std::copy(surface->triangle + 3 * i, surface->triangle + 3 * i + 3,
                  facet->polygonlist->vertexlist);
    }
    if (work.n_hole) {
        in.numberofholes = work.n_hole;
        in.holelist = new double[3 * (size_t)work.n_hole];
        std::copy(work.hole, work.hole + 3 * (size_t)work.n_hole, in.holelist);
    }
}

int32_t run_tetgen(const job &work, tetgenio &out)
{
    try {
        tetgenio in;
        fill_input(in, work);
        tetgenbehavior set;
        set.plc = set.quiet = set.zeroindex = set.regionattrib = 1;
        set.diagnose = work.detect;
        set.nobisect = set.nomergefacet = work.detect || work.def.keep_surface;
        set.quality = !work.detect;
        set.minratio = work.def.quality > 0 ? work.def.quality : 2.0;
        set.fixedvolume = work.def.max_volume > 0;
        set.maxvolume = work.def.max_volume > 0 ? work.def.max_volume : -1.0;
        tetrahedralize(&set, &in, &out);
        return RUN_DONE;
    } catch (int code) {
        return code;
    } catch (const std::bad_alloc &) {
        return RUN_MEMORY;
    } catch (...) {
        return RUN_CRASHED;
    }
}

bool send(int pipe, const void *data, size_t size)
{
    const char *at = static_cast<const char *>(data);
    while (size) {
        ssize_t n = write(pipe, at, size);
        if (n < 0 && errno != EINTR) {
            return false;
        }
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

[[noreturn]] void child(const job &work, int pipe)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    for (int number : {SIGINT, SIGTERM, SIGSEGV, SIGBUS, SIGABRT, SIGPIPE}) {
        signal(number, SIG_DFL);
    }
    rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    tetgenio out;
    header head = {run_tetgen(work, out), 0, 0, 0};
    if (head.code == RUN_DONE) {
        head.n_point = out.numberofpoints;
        head.n_tet = out.numberoftetrahedra;
        head.n_face = out.trifacelist && out.trifacemarkerlist ? out.numberoftrifaces : 0;
    }
    size_t n_tet = (size_t)head.n_tet, n_face = (size_t)head.n_face;
    (void)(send(pipe, &head, sizeof head) &&
           send(pipe, out.pointlist, 3 * (size_t)head.n_point * sizeof(double)) &&
           send(pipe, out.tetrahedronlist, 4 * n_tet * sizeof(int32_t)) &&
           send(pipe, out.tetrahedronattributelist, n_tet * sizeof(double)) &&
           send(pipe, out.trifacelist, 3 * n_face * sizeof(int32_t)) &&
           send(pipe, out.trifacemarkerlist, n_face * sizeof(int32_t)));
    _exit(0);
}

/* ---- the parent ------------------------------------------------------------ */

bool receive(int pipe, void *data, size_t size)
{
    char *at = static_cast<char *>(data);
    while (size) {
        ssize_t n = read(pipe, at, size);
        if (n == 0 || (n < 0 && errno != EINTR)) {
            return false;
        }
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* A child that dies before all is sent has crashed. */
ew_status receive_result(int pipe, result &raw)
{
    if (!receive(pipe, &raw.head, sizeof raw.head)) {
        raw.head = {RUN_CRASHED, 0, 0, 0};
    }
    size_t n_tet = (size_t)raw.head.n_tet, n_face = (size_t)raw.head.n_face;
    size_t n_coordinate = 3 * (size_t)raw.head.n_point;
    EW_TRY(raw.xyz.make(n_coordinate));
    EW_TRY(raw.tet.make(4 * n_tet));
    EW_TRY(raw.region.make(n_tet));
    EW_TRY(raw.face.make(3 * n_face));
    EW_TRY(raw.marker.make(n_face));
    if (!receive(pipe, raw.xyz.at, n_coordinate * sizeof(double)) ||
        !receive(pipe, raw.tet.at, 4 * n_tet * sizeof(int32_t)) ||
        !receive(pipe, raw.region.at, n_tet * sizeof(double)) ||
        !receive(pipe, raw.face.at, 3 * n_face * sizeof(int32_t)) ||
        !receive(pipe, raw.marker.at, n_face * sizeof(int32_t))) {
        raw.head = {RUN_CRASHED, 0, 0, 0};
    }
    return EW_OK;
}

ew_status run(const job &work, result &raw)
{
    int end[2];
    if (pipe2(end, O_CLOEXEC)) {
        return ew_fail(EW_NO_MEMORY, "no pipe to TetGen: %s", strerror(errno));
    }
    pid_t id = fork();
    if (id == 0) {
        close(end[0]);
        child(work, end[1]);
    }
    int error = errno;
    close(end[1]);
    ew_status status = id < 0 ? ew_fail(EW_NO_MEMORY, "no process for TetGen: %s", strerror(error))
                              : receive_result(end[0], raw);
    close(end[0]);
    while (id > 0 && waitpid(id, nullptr, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/* ---- failures --------------------------------------------------------------- */

/* Fails with the first of the triangles that TetGen finds to intersect others, or EW_OK. */
ew_status find_intersection(const ew_surface *surface, const ew_tetgen_def *def)
{
    array<int32_t> marker;
    EW_TRY(marker.make((size_t)surface->n_triangle));
    for (int32_t i = 0; i < surface->n_triangle; i++) {
        marker.at[i] = i + 1;
    }
    job work = {surface, *def, marker.at, nullptr, 0, true};
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
    if (code == RUN_MEMORY) {
        return ew_fail(EW_NO_MEMORY, "TetGen ran out of memory");
    }
    EW_TRY(find_intersection(surface, def));
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

double enclosed_volume(const ew_surface *surface)
{
    double sum = 0;
    for (int32_t i = 0; i < surface->n_triangle; i++) {
        const int32_t *vertex = surface->triangle + 3 * (size_t)i;
        double r[3][3];
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < 3; c++) {
                r[k][c] = surface->xyz[3 * (size_t)vertex[k] + c] - surface->xyz[c];
            }
        }
        sum += determinant(r[0], r[1], r[2]) / 6;
    }
    return sum;
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

/* Lists a point in each cavity. A surface that as a whole looks inwards is taken for the
 * same one turned round. */
ew_status find_cavities(const ew_surface *surface, const result &raw, array<double> &hole,
                        int32_t &n_hole)
{
    array<int32_t> largest;
    int32_t n_number = 0, sign = enclosed_volume(surface) < 0 ? -1 : 1;
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
        int turns = sign * winding(surface, point);
        if (turns < 0) {
            return ew_fail(EW_BAD_INPUT,
                           "the shell around %g %g %g looks inwards but lies in no other shell; "
                           "turn its triangles round",
                           point[0], point[1], point[2]);
        }
        n_hole += turns == 0;
    }
    return EW_OK;
}

/* Runs TetGen, leaving the cavities open. */
ew_status fill(const ew_surface *surface, const ew_tetgen_def *def, const int32_t *marker,
               result &raw)
{
    array<double> hole;
    int32_t n_hole = 0;
    EW_TRY(run(job{surface, *def, marker, nullptr, 0, false}, raw));
    if (raw.head.code == RUN_DONE) {
        EW_TRY(find_cavities(surface, raw, hole, n_hole));
    }
    if (n_hole) {
        EW_TRY(run(job{surface, *def, marker, hole.at, n_hole, false}, raw));
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
    for (int i = 0; i < TRIES; i++) {
        EW_TRY(fill(surface, &asked, marker, raw));
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

/* TetGen lists tets left-handed in our sense. */
ew_status make_mesh(ew_mesh *mesh, result &raw, const array<int32_t> &label, int32_t n_label,
                    ew_mesh_mend *mend)
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
    ew_status status = ew_mesh_init(mesh, &def, mend);
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
    return EW_OK;
}

} // namespace

extern "C" ew_status ew_tetgen_mesh(ew_mesh *mesh, const ew_surface *surface,
                                    const ew_tetgen_def *def, ew_mesh_mend *mend)
{
    EW_TRY(check_def(def));
    EW_TRY(ew_surface_check(surface));
    array<int32_t> marker, label;
    int32_t n_label = 0;
    result raw;
    EW_TRY(rank_labels(surface, marker, label, n_label));
    EW_TRY(fill_within(surface, def, marker.at, raw));
    return make_mesh(mesh, raw, label, n_label, mend);
}
