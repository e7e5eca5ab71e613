/* Meshes of formats that Gmsh reads and the library does not (.bdf). In: a file. Out: its tets and
 * triangles; properties (PID) are regions and face labels. */
#include "cad/gmsh_job.h"

#include <gmsh.h>

using namespace ew_gmsh;

namespace
{

std::vector<labeled> entities(int dimension)
{
    gmsh::vectorpair found;
    std::vector<labeled> all;
    gmsh::model::getEntities(found, dimension);
    for (const auto &one : found) {
        all.push_back({one.second, one.second});
    }
    return all;
}

} /* namespace */

void ew_gmsh::read_mesh(const job &work, result &out)
{
    start_gmsh();
    gmsh::open(work.file);
    collect(entities(3), entities(2), out);
    if (out.tet.empty()) {
        throw failure("Gmsh found no tets in it; export tets of four or ten nodes (CTETRA)");
    }
}
