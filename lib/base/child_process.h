/* Common functions of the C++ programs that isolate a library in a process, TetGen's child process
 * and edgewise-gmsh: a limit of memory, and the way back through a pipe. */
#ifndef EW_CHILD_PROCESS_H
#define EW_CHILD_PROCESS_H

#include <cerrno>
#include <cstdio>
#include <sys/resource.h>
#include <unistd.h>

namespace ew_child
{

/* At most so much beyond what the process has taken already, where the system tells. 0: no limit.
 */
inline void limit_memory(double gibibytes)
{
    unsigned long long pages = 0;
    std::FILE *file = std::fopen("/proc/self/statm", "r");
    if (file) {
        pages = std::fscanf(file, "%llu", &pages) == 1 ? pages : 0;
        std::fclose(file);
    }
    rlimit limit;
    if (gibibytes > 0 && pages > 0 && getrlimit(RLIMIT_AS, &limit) == 0) {
        double max = (double)pages * (double)sysconf(_SC_PAGESIZE) + gibibytes * 1073741824.0;
        if (max < 9e18 && (limit.rlim_cur == RLIM_INFINITY || max < (double)limit.rlim_cur)) {
            limit.rlim_cur = (rlim_t)max;
            setrlimit(RLIMIT_AS, &limit);
        }
    }
}

/* All bytes, however often the pipe takes a part; false when it is broken. */
inline bool send(int pipe, const void *data, size_t size)
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

} /* namespace ew_child */

#endif
