/* Meshes of formats that Gmsh reads and the library does not (.unv, .bdf). In: a file. Out: its
 * tets and triangles; physical groups of Gmsh, which are groups of the file, with their names,
 * where they have one. A tet has the region of its first group, or else of its entity (the PID of a
 * .bdf); groups that come later are listed. */
#include "cad/gmsh_job.h"

#include <gmsh.h>

#include <map>

using namespace ew_gmsh;

namespace
{

/* Group kinds are those of ew_group_kind. */
enum { VERTICES, FACES, TETS };

struct physical {
    int tag;
    std::string name;
    std::vector<int> entity;
};

std::vector<physical> physicals(int dimension)
{
    gmsh::vectorpair groups;
    std::vector<physical> found;
    gmsh::model::getPhysicalGroups(groups, dimension);
    for (const auto &group : groups) {
        physical one = {group.second, "", {}};
        gmsh::model::getPhysicalName(dimension, one.tag, one.name);
        gmsh::model::getEntitiesForPhysicalGroup(dimension, one.tag, one.entity);
        found.push_back(one);
    }
    return found;
}

/* Entities with a label: of the first group, or their own number. Groups that come too late to be
 * the label of all that they have go into `later`. */
std::vector<labeled> label_volumes(const std::vector<physical> &groups,
                                   std::vector<const physical *> &later)
{
    std::map<int, int> label;
    gmsh::vectorpair volumes;
    for (const physical &group : groups) {
        bool first = true;
        for (int entity : group.entity) {
            first = label.emplace(entity, group.tag).second && first;
        }
        if (!first) {
            later.push_back(&group);
        }
    }
    std::vector<labeled> all;
    gmsh::model::getEntities(volumes, 3);
    for (const auto &volume : volumes) {
        auto at = label.find(volume.second);
        all.push_back({volume.second, at == label.end() ? volume.second : at->second});
    }
    return all;
}

std::vector<labeled> label_faces(const std::vector<physical> &groups)
{
    std::vector<labeled> all;
    std::map<int, bool> grouped;
    gmsh::vectorpair faces;
    for (const physical &group : groups) {
        for (int entity : group.entity) {
            all.push_back({entity, group.tag});
            grouped[entity] = true;
        }
    }
    gmsh::model::getEntities(faces, 2);
    for (const auto &face : faces) {
        if (!grouped.count(face.second)) {
            all.push_back({face.second, face.second});
        }
    }
    return all;
}

} /* namespace */

void ew_gmsh::read_mesh(const job &work, result &out)
{
    start_gmsh();
    gmsh::open(work.file);
    std::vector<physical> solids = physicals(3), faces = physicals(2);
    std::vector<const physical *> later;
    std::vector<labeled> volumes = label_volumes(solids, later);
    collect(volumes, label_faces(faces), out);
    if (out.tet.empty()) {
        throw failure("Gmsh found no tets in it" +
                      std::string(volumes.empty() ? ": " + last_error() : "") +
                      "; export tets of four or ten nodes");
    }
    for (const physical &group : solids) {
        if (!group.name.empty()) {
            out.add_group(TETS, true, group.tag, group.name);
        }
    }
    for (const physical &group : faces) {
        if (!group.name.empty()) {
            out.add_group(FACES, true, group.tag, group.name);
        }
    }
}
