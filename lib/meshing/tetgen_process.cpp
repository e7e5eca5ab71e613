/* A surface in, TetGen's arrays out, made in a child process that sends them back through a pipe.
 * TetGen 1.5 reports failures by an exception that frees its memory twice on the way out, and
 * prints on standard output; neither may happen to a program that calls this library. On surfaces
 * that cross themselves or are nearly flat it need not end, and takes all memory: the child has a
 * limit of memory, and is ended when its time is over. */
#define TETLIBRARY
#include "meshing/tetgen_process.h"

#include "base/child_process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <tetgen.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

using namespace ew_tetgen;

namespace
{

using ew_child::limit_memory;
using ew_child::send;

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

[[noreturn]] void child(const job &work, int pipe)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    for (int number : {SIGINT, SIGTERM, SIGHUP, SIGSEGV, SIGBUS, SIGABRT, SIGPIPE}) {
        signal(number, SIG_DFL);
    }
    rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    limit_memory(work.def.max_memory);
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

/* Waits for the next bytes; 0 when the time is over, below 0 when no more will come. */
ssize_t read_until(int pipe, void *data, size_t size, double deadline)
{
    double left = deadline - ew_seconds();
    struct pollfd waiting = {pipe, POLLIN, 0};
    int ready = left > 0 ? poll(&waiting, 1, (int)std::min(left * 1000 + 1, 1e6)) : 0;
    if (ready < 0) {
        return errno == EINTR ? read_until(pipe, data, size, deadline) : -1;
    }
    if (ready == 0) {
        return left > 1000 ? read_until(pipe, data, size, deadline) : 0;
    }
    ssize_t n = read(pipe, data, size);
    return n < 0 && errno == EINTR ? read_until(pipe, data, size, deadline) : n > 0 ? n : -1;
}

bool receive(int pipe, void *data, size_t size, double deadline, bool &late)
{
    char *at = static_cast<char *>(data);
    while (size) {
        ssize_t n = read_until(pipe, at, size, deadline);
        late = late || n == 0;
        if (n <= 0) {
            return false;
        }
        at += n;
        size -= (size_t)n;
    }
    return true;
}

/* A child that dies before all is sent has crashed; one that is late is stopped. */
ew_status receive_result(int pipe, pid_t child, double deadline, result &raw)
{
    bool late = false;
    if (!receive(pipe, &raw.head, sizeof raw.head, deadline, late)) {
        raw.head = {RUN_CRASHED, 0, 0, 0};
    }
    size_t n_tet = (size_t)raw.head.n_tet, n_face = (size_t)raw.head.n_face;
    size_t n_coordinate = 3 * (size_t)raw.head.n_point;
    ew_status status = raw.xyz.make(n_coordinate);
    status = status ? status : raw.tet.make(4 * n_tet);
    status = status ? status : raw.region.make(n_tet);
    status = status ? status : raw.face.make(3 * n_face);
    status = status ? status : raw.marker.make(n_face);
    auto get = [&](void *data, size_t size) { return receive(pipe, data, size, deadline, late); };
    if (!status && !(get(raw.xyz.at, n_coordinate * sizeof(double)) &&
                     get(raw.tet.at, 4 * n_tet * sizeof(int32_t)) &&
                     get(raw.region.at, n_tet * sizeof(double)) &&
                     get(raw.face.at, 3 * n_face * sizeof(int32_t)) &&
                     get(raw.marker.at, n_face * sizeof(int32_t)))) {
        raw.head = {RUN_CRASHED, 0, 0, 0};
    }
    if (late) {
        kill(child, SIGKILL);
        raw.head = {RUN_TIME, 0, 0, 0};
    }
    return status;
}

} // namespace

ew_status ew_tetgen::run(const job &work, result &raw)
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
                              : receive_result(end[0], id, work.deadline, raw);
    close(end[0]);
    while (id > 0 && waitpid(id, nullptr, 0) < 0 && errno == EINTR) {
    }
    return status;
}
