/* Private to meshing: TetGen in a process of its own. What goes in is a job, what comes out a
 * result or the code of what went wrong. Shared by tetgen_process.cpp and tetgen_shim.cpp. */
#ifndef EW_MESHING_TETGEN_PROCESS_H
#define EW_MESHING_TETGEN_PROCESS_H

#include "meshing/parts/meshing.h"

namespace ew_tetgen
{

/* The codes above 0 are TetGen's own. */
enum { RUN_DONE = 0, RUN_MEMORY = 1, RUN_CRASHED = -1, RUN_TIME = -2 };

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
    bool detect;     /* look for triangles that intersect, and make no tets */
    double deadline; /* by ew_seconds */
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

/* Fails only where no process can be started or memory for the result ends; TetGen's own failures
 * are codes in raw.head. */
ew_status run(const job &work, result &raw);

} // namespace ew_tetgen

#endif
