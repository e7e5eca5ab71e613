/* edgewise-gmsh: CAD files to tets, for the library, in a process of its own (GPL, as Gmsh is).
 * In: arguments KEY=VALUE. Out: on standard output what exchange.h says; Gmsh and OpenCASCADE,
 * which print there, too, are given another one. The end of the process is abrupt: neither need be
 * asked to tidy up. */
#include "base/child_process.h"
#include "cad/gmsh_job.h"

#include <Standard_Failure.hxx>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

using namespace ew_gmsh;

namespace
{

using ew_child::limit_memory;
using ew_child::send;

void take_number(const std::string &key, const char *value, double &to)
{
    char *end = nullptr;
    to = std::strtod(value, &end);
    if (end == value || *end) {
        throw failure("argument " + key + " is no number");
    }
}

job read_arguments(int n, char **argument)
{
    job work;
    std::pair<const char *, double *> numbers[] = {{"size", &work.size},
                                                   {"min_size", &work.min_size},
                                                   {"growth", &work.growth},
                                                   {"curvature", &work.curvature},
                                                   {"quality", &work.quality},
                                                   {"sew", &work.sew},
                                                   {"max_memory", &work.max_memory}};
    for (int i = 1; i < n; i++) {
        const char *equal = std::strchr(argument[i], '=');
        std::string key(argument[i], equal ? (size_t)(equal - argument[i]) : 0);
        const char *value = equal ? equal + 1 : "";
        bool known = key == "file" || key == "unit" || key == "face" || key == "algorithm" ||
                     key == "solids" || key == "order";
        for (const auto &number : numbers) {
            if (key == number.first) {
                take_number(key, value, *number.second);
                known = true;
            }
        }
        if (key == "face") { /* SIZE:NAME */
            const char *colon = std::strchr(value, ':');
            double size;
            take_number(key, std::string(value, colon ? colon : value).c_str(), size);
            work.sizes.emplace_back(colon + 1, size);
        }
        work.file = key == "file" ? value : work.file;
        work.unit = key == "unit" ? value : work.unit;
        work.delaunay = work.delaunay || (key == "algorithm" && !std::strcmp(value, "delaunay"));
        work.apart = work.apart || (key == "solids" && !std::strcmp(value, "apart"));
        work.order = key == "order" && !std::strcmp(value, "2") ? 2 : work.order;
        if (!known) {
            throw failure("unknown argument '" + std::string(argument[i]) + "'");
        }
    }
    return work;
}

template <typename T> bool send(int pipe, const std::vector<T> &list)
{
    return send(pipe, list.data(), list.size() * sizeof(T));
}

void send_result(int pipe, result &out)
{
    ew_cad_header &head = out.head;
    head.magic = EW_CAD_MAGIC;
    head.n_node = (int32_t)(out.xyz.size() / 3);
    head.n_tet = (int32_t)out.region.size();
    head.n_face = (int32_t)out.label.size();
    head.n_group = (int32_t)out.group.size();
    head.n_geometry = (int32_t)out.geometry.size();
    head.n_listed = (int32_t)out.listed.size();
    head.n_text = (int32_t)out.text.size();
    (void)(send(pipe, &head, sizeof head) && send(pipe, out.xyz) && send(pipe, out.tet) &&
           send(pipe, out.region) && send(pipe, out.middle) && send(pipe, out.face) &&
           send(pipe, out.label) && send(pipe, out.group) && send(pipe, out.geometry) &&
           send(pipe, out.listed) && send(pipe, out.text.data(), out.text.size()));
}

result failed(int code, const std::string &text)
{
    result out;
    out.head.code = code;
    out.text = text;
    out.text += '\0';
    return out;
}

const size_t MIN_ROOM = 8 << 20;

result work_on(const job &work)
{
    try {
        result out;
        mesh_shape(work, read_shape(work), out);
        return out;
    } catch (const failure &what) {
        /* OpenCASCADE takes a file for damaged where it finds no memory. */
        void *room = std::malloc(MIN_ROOM);
        std::free(room);
        return failed(room ? what.code : EW_CAD_MEMORY, what.what());
    } catch (const std::bad_alloc &) {
        return failed(EW_CAD_MEMORY, "");
    } catch (const Standard_Failure &what) {
        const char *text = what.GetMessageString();
        return failed(EW_CAD_BAD, std::string("OpenCASCADE: ") +
                                      (text && *text ? text : what.DynamicType()->Name()) +
                                      "; repair the shape and export it again");
    } catch (...) { /* Gmsh throws texts and numbers, after it has logged what it says */
        return failed(EW_CAD_BAD,
                      "Gmsh: " + last_error() + "; try a smaller size, or the other algorithm");
    }
}

} /* namespace */

int main(int n, char **argument)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (n < 2 || !std::strchr(argument[1], '=')) {
        std::puts("edgewise-gmsh is started by edgewise, for CAD files: edgewise mesh part.step -o "
                  "part.mesh");
        return n < 2 ? 2 : 0;
    }
    rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    int pipe = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    explain_crashes(pipe);
    result out;
    try {
        job work = read_arguments(n, argument);
        reserve_addresses(work.max_memory); /* they count as taken already */
        limit_memory(work.max_memory);
        out = work_on(work);
    } catch (const failure &what) {
        out = failed(what.code, what.what());
    }
    send_result(pipe, out);
    _exit(0);
}
