/* Where objects of Gmsh lie while it meshes edges and faces. HXT takes the vertices of faces in the
 * order of their addresses; those that malloc gives differ from run to run, and so would the mesh.
 * So operator new gives rising addresses then, and what is deleted is not used again: some hundred
 * bytes for each triangle. */
#include "cad/gmsh_job.h"

#include <atomic>
#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace
{

const std::size_t MOST = (std::size_t)1 << 36;

char *begin = nullptr;
std::size_t room = 0; /* of addresses; memory is taken as it is used */
std::atomic<std::size_t> used(0);
std::atomic<bool> on(false);

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
        throw std::bad_alloc();
    }
    return begin + at;
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

void *operator new(std::size_t size)
{
    void *made = take(size);
    made = made ? made : std::malloc(size ? size : 1);
    if (!made) {
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
