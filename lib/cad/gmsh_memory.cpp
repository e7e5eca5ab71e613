/* Where objects of Gmsh lie while it meshes edges and faces. HXT takes the vertices of faces in the
 * order of their addresses; those that malloc gives differ from run to run, and so would the mesh.
 * So operator new gives rising addresses then, and what is deleted is not used again: some hundred
 * bytes for each triangle. Also what becomes of a process whose threads find no memory. */
#include "base/child_process.h"
#include "cad/gmsh_job.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace
{

const std::size_t MOST = (std::size_t)1 << 36;

char *begin = nullptr;
std::size_t room = 0; /* of addresses; memory is taken as it is used */
std::atomic<std::size_t> used(0);
std::atomic<bool> on(false), ended(false); /* ended: there was no memory once */

bool is_inside(const void *at)
{
    return begin && at >= begin && at < begin + room;
}

void *take(std::size_t size)
{
    size = (size + 15) / 16 * 16;
    if (!on) {
        return nullptr;
    }
    std::size_t at = used.fetch_add(size);
    if (at > room || size > room - at) {
        ended = true;
        throw std::bad_alloc();
    }
    return begin + at;
}

/* ---- crashes ------------------------------------------------------------------------------- */

/* A thread of Gmsh that finds no memory ends the process, as what it throws leaves the thread, or
 * goes on with a null pointer. */
bool memory_ended()
{
    const std::size_t enough = (std::size_t)32 << 20;
    void *made = ended ? MAP_FAILED
                       : mmap(nullptr, enough, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return made == MAP_FAILED;
}

int pipe_end = -1;
std::atomic_flag is_told = ATOMIC_FLAG_INIT;

/* What a signal's handler may do alone: the header for want of memory, and the end. */
void tell_crash(int number)
{
    static const struct {
        ew_cad_header head;
        char text;
    } told = {{EW_CAD_MAGIC, EW_CAD_MEMORY, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, {0, 0}, 0},
              0};
    if (is_told.test_and_set()) { /* by another thread, which ends the process */
        for (;;) {
            pause();
        }
    }
    if (memory_ended()) {
        _exit(ew_child::send(pipe_end, &told, sizeof told.head + 1) ? 0 : 1);
    }
    signal(number, SIG_DFL);
    raise(number);
}

} /* namespace */

void ew_gmsh::reserve_addresses(double gibibytes)
{
    const double most = gibibytes * 1073741824.0;
    room = gibibytes > 0 && most < (double)MOST ? (std::size_t)most : MOST;
    void *made = mmap(nullptr, room, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    begin = made == MAP_FAILED ? nullptr : static_cast<char *>(made);
}

void ew_gmsh::use_rising_addresses(bool use)
{
    on = use && begin;
}

void ew_gmsh::explain_crashes(int pipe)
{
    pipe_end = pipe;
    for (int number : {SIGSEGV, SIGBUS, SIGABRT}) {
        signal(number, tell_crash);
    }
}

void *operator new(std::size_t size)
{
    void *made = take(size);
    made = made ? made : std::malloc(size ? size : 1);
    if (!made) {
        ended = true;
        throw std::bad_alloc();
    }
    return made;
}

void operator delete(void *at) noexcept
{
    if (!is_inside(at)) {
        std::free(at);
    }
}

void operator delete(void *at, std::size_t) noexcept
{
    operator delete(at);
}

void *operator new[](std::size_t size)
{
    return operator new(size);
}

void operator delete[](void *at) noexcept
{
    operator delete(at);
}

void operator delete[](void *at, std::size_t) noexcept
{
    operator delete(at);
}
