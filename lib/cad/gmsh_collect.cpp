/* Gmsh itself: started without its configuration and output, and what it has at the end, as arrays.
 * Gmsh opens nothing more after one failure until it is finalized and initialized again. */
#include "cad/gmsh_job.h"

#include <gmsh.h>

#include <cctype>
#include <map>

using namespace ew_gmsh;

void ew_gmsh::start_gmsh()
{
    gmsh::initialize(0, nullptr, false);
    gmsh::option::setNumber("General.Terminal", 0);
    gmsh::option::setNumber("General.NumThreads", 1); /* for the same mesh every time */
    gmsh::logger::start();
}

std::string ew_gmsh::last_error()
{
    std::vector<std::string> log;
    std::string found = "it says nothing of the reason";
    gmsh::logger::get(log);
    for (const std::string &line : log) {
        size_t at = line.find("Error: ");
        if (at != std::string::npos) {
            found = line.substr(at + 7);
        }
    }
    return found.substr(0, 400);
}

void result::add_group(int kind, bool is_label, int label, const std::string &name)
{
    ew_cad_group made = {kind, is_label, label, 0, (int32_t)text.size()};
    text += name;
    text += '\0';
    group.push_back(made);
}

namespace
{

/* Rows of nodes by Gmsh's tags: corners first, then those that are middles alone. */
struct rows {
    std::map<std::size_t, int32_t> row;
    std::vector<std::size_t> tag;
    int32_t add(std::size_t node)
    {
        auto made = row.emplace(node, (int32_t)tag.size());
        if (made.second) {
            tag.push_back(node);
        }
        return made.first->second;
    }
};

/* Elements of one kind on one entity: nodes [n][nodes]. */
std::vector<std::size_t> nodes_of(int type, int tag)
{
    std::vector<std::size_t> element, node;
    gmsh::model::mesh::getElementsByType(type, element, node, tag);
    return node;
}

/* Gmsh's places of the middles of sides (0 1), (0 2), (0 3), (1 2), (1 3), (2 3). */
const int side_place[6] = {4, 6, 7, 5, 9, 8};

void add_tets(const std::vector<std::size_t> &node, int nodes, int region, rows &all, result &out)
{
    for (size_t i = 0; i + nodes <= node.size(); i += nodes) {
        for (int k = 0; k < 4; k++) {
            out.tet.push_back(all.add(node[i + k]));
        }
        out.region.push_back(region);
    }
}

void add_middles(const std::vector<std::size_t> &node, int nodes, rows &all, result &out)
{
    for (size_t i = 0; i + nodes <= node.size(); i += nodes) {
        for (int k = 0; k < 6; k++) {
            out.middle.push_back(nodes == 10 ? all.add(node[i + side_place[k]]) : -1);
        }
    }
}

void add_faces(const std::vector<std::size_t> &node, int nodes, int label, const rows &all,
               result &out)
{
    for (size_t i = 0; i + nodes <= node.size(); i += nodes) {
        int32_t row[3];
        bool known = true;
        for (int k = 0; k < 3; k++) {
            auto at = all.row.find(node[i + k]);
            known = known && at != all.row.end() && at->second < out.head.n_vertex;
            row[k] = known ? at->second : -1;
        }
        if (known) {
            out.face.insert(out.face.end(), row, row + 3);
            out.label.push_back(label);
        }
    }
}

void add_places(const rows &all, result &out)
{
    std::vector<std::size_t> tag;
    std::vector<double> xyz, parametric;
    gmsh::model::mesh::getNodes(tag, xyz, parametric, -1, -1, false, false);
    out.xyz.resize(3 * all.tag.size());
    for (size_t i = 0; i < tag.size(); i++) {
        auto at = all.row.find(tag[i]);
        if (at != all.row.end()) {
            std::copy(&xyz[3 * i], &xyz[3 * i] + 3, &out.xyz[3 * (size_t)at->second]);
        }
    }
}

} /* namespace */

void ew_gmsh::collect(const std::vector<labeled> &volumes, const std::vector<labeled> &faces,
                      result &out)
{
    enum { TRIANGLE = 2, TET = 4, TRIANGLE_OF_6 = 9, TET_OF_10 = 11 };
    rows all;
    for (const labeled &one : volumes) {
        add_tets(nodes_of(TET, one.tag), 4, one.label, all, out);
        add_tets(nodes_of(TET_OF_10, one.tag), 10, one.label, all, out);
    }
    out.head.n_vertex = (int32_t)all.tag.size();
    std::vector<int32_t> middle;
    bool any = false;
    for (const labeled &one : volumes) {
        add_middles(nodes_of(TET, one.tag), 4, all, out);
        any = any || !nodes_of(TET_OF_10, one.tag).empty();
        add_middles(nodes_of(TET_OF_10, one.tag), 10, all, out);
    }
    out.head.order = any ? 2 : 1;
    if (!any) {
        out.middle.clear();
    }
    for (const labeled &one : faces) {
        add_faces(nodes_of(TRIANGLE, one.tag), 3, one.label, all, out);
        add_faces(nodes_of(TRIANGLE_OF_6, one.tag), 6, one.label, all, out);
    }
    add_places(all, out);
}
