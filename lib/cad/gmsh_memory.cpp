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

const std::size_t ROOM = (std::size_t)1 << 36; /* of addresses; memory is taken as it is used */

char *begin = nullptr;
std::atomic<std::size_t> used(0);
std::atomic<bool> on(false);

bool is_inside(const void *at)
{
    return begin && at >= begin && at < begin + ROOM;
}

void *take(std::size_t size)
{
    size = (size + 15) / 16 * 16;
    std::size_t at = on ? used.fetch_add(size) : ROOM;
    return at + size <= ROOM ? begin + at : nullptr;
}

} /* namespace */

void ew_gmsh::reserve_addresses()
{
    void *room = mmap(nullptr, ROOM, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    begin = room == MAP_FAILED ? nullptr : static_cast<char *>(room);
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
