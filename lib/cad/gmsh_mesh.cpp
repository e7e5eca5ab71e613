/* Solids to tets, by Gmsh. In: the solids of a CAD file with the names of their faces. Out: what
 * exchange.h says. Gmsh numbers solids and faces in the order in which it meets them in the shape;
 * that this is the order here is checked by areas and volumes. */
#include "cad/gmsh_job.h"

#include <BRepGProp.hxx>
#include <GProp_GProps.hxx>
#include <gmsh.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <map>

using namespace ew_gmsh;

namespace
{

/* Of about so many tets a file may consist; each takes about 300 bytes here and there. */
const double MAX_TETS = 1e8;

bool near(double a, double b)
{
    return std::fabs(a - b) <= 1e-4 * (std::fabs(a) + std::fabs(b));
}

/* Tag 1, 2, .. of solids and faces are those of the maps. */
void check_order(const TopTools_IndexedMapOfShape &shapes, int dimension)
{
    for (int i = 1; i <= shapes.Extent(); i++) {
        double mass = 0;
        gmsh::model::occ::getMass(dimension, i, mass);
        if (!near(std::fabs(mass), measure_shape(shapes(i), dimension))) {
            throw failure("Gmsh and OpenCASCADE number the " +
                          std::string(dimension == 3 ? "solids" : "faces") +
                          " of this file differently, so that names would be lost; export the "
                          "solids one by one");
        }
    }
}

void take_shape(const solids &part)
{
    gmsh::vectorpair made;
    gmsh::model::add("part");
    gmsh::model::occ::importShapesNativePointer(&part.shape, made, false);
    gmsh::model::occ::synchronize();
    gmsh::vectorpair volumes, faces;
    gmsh::model::getEntities(volumes, 3);
    gmsh::model::getEntities(faces, 2);
    if ((int)volumes.size() != part.solid.Extent() || (int)faces.size() != part.face.Extent()) {
        throw failure("Gmsh took " + std::to_string(volumes.size()) + " solids and " +
                      std::to_string(faces.size()) + " faces of " +
                      std::to_string(part.solid.Extent()) + " and " +
                      std::to_string(part.face.Extent()) +
                      "; repair the shape and export it again");
    }
    check_order(part.solid, 3);
    check_order(part.face, 2);
}

/* ---- sizes --------------------------------------------------------------------- */

/* The faces of a name, or of a number. */
std::vector<int> faces_named(const solids &part, const std::string &name)
{
    std::vector<int> found;
    for (int f = 1; f <= part.face.Extent(); f++) {
        const std::vector<std::string> &names = part.face_name[(size_t)f - 1];
        if (std::find(names.begin(), names.end(), name) != names.end()) {
            found.push_back(f);
        }
    }
    char *end = nullptr;
    long number = std::strtol(name.c_str(), &end, 10);
    if (found.empty() && !name.empty() && *end == 0 && number >= 1 &&
        number <= part.face.Extent()) {
        found.push_back((int)number);
    }
    if (found.empty()) {
        std::string known;
        for (const std::vector<std::string> &names : part.face_name) {
            for (const std::string &one : names) {
                if (known.find("'" + one + "'") == std::string::npos && known.size() < 600) {
                    known += (known.empty() ? "'" : ", '") + one + "'";
                }
            }
        }
        throw failure("sizes: no face is named '" + name + "'; there are faces 1 to " +
                      std::to_string(part.face.Extent()) +
                      (known.empty() ? ", none with a name" : ", named " + known));
    }
    return found;
}

/* Faces of a size of their own: it holds on them, and grows with the distance from them. */
void add_fields(const job &work, const solids &part, double size)
{
    std::vector<double> all;
    for (const auto &one : work.sizes) {
        std::vector<int> faces = faces_named(part, one.first);
        if (one.second >= size) {
            continue;
        }
        int from = gmsh::model::mesh::field::add("Distance");
        gmsh::model::mesh::field::setNumbers(from, "FacesList",
                                             std::vector<double>(faces.begin(), faces.end()));
        gmsh::model::mesh::field::setNumber(from, "NumPointsPerCurve", 60);
        int grow = gmsh::model::mesh::field::add("Threshold");
        gmsh::model::mesh::field::setNumber(grow, "InField", from);
        gmsh::model::mesh::field::setNumber(grow, "SizeMin", one.second);
        gmsh::model::mesh::field::setNumber(grow, "SizeMax", size);
        gmsh::model::mesh::field::setNumber(grow, "DistMin", 0.5 * one.second);
        gmsh::model::mesh::field::setNumber(grow, "DistMax",
                                            0.5 * one.second + (size - one.second) / work.growth);
        all.push_back(grow);
    }
    if (!all.empty()) {
        int least = gmsh::model::mesh::field::add("Min");
        gmsh::model::mesh::field::setNumbers(least, "FieldsList", all);
        gmsh::model::mesh::field::setAsBackgroundMesh(least);
    }
}

/* Refuses before it begins what would never end: about 8.5 equal tets fill a cube of their edge. */
void check_count(const job &work, const solids &part, double size)
{
    double tets = 0;
    for (int i = 1; i <= part.solid.Extent(); i++) {
        tets += 8.5 * measure_shape(part.solid(i), 3) / (size * size * size);
    }
    const std::pair<std::string, double> *worst = nullptr;
    for (const auto &one : work.sizes) {
        for (int f : faces_named(part, one.first)) {
            double s = std::min(one.second, size);
            double more = 4 * measure_shape(part.face(f), 2) / (s * s);
            worst = more > tets ? &one : worst;
            tets += more;
        }
    }
    if (tets > MAX_TETS) {
        char text[320];
        std::snprintf(text, sizeof text,
                      "%s of %.4g would make about %.1g tets of a part that is %.4g wide; at most "
                      "%.1g are made, so give a larger one (in the unit of the mesh)",
                      worst ? ("size of '" + worst->first + "'").c_str() : "size",
                      worst ? worst->second : size, tets, part.diagonal, MAX_TETS);
        throw failure(text, EW_CAD_TOO_LARGE);
    }
}

/* An edge longer than the part is that of a size in another unit. */
void check_size(const job &work, const solids &part)
{
    if (work.size > part.diagonal) {
        char text[320];
        std::string unit = work.unit;
        for (char &c : unit) {
            c = (char)std::tolower((unsigned char)c);
        }
        std::snprintf(text, sizeof text,
                      "size %.4g is larger than the part, which is %.4g across in the unit of the "
                      "mesh, '%s' ('units: {length: ...}' of a case, --unit); give the size in "
                      "this unit, or leave it out for %.3g",
                      work.size, part.diagonal, unit.c_str(), part.diagonal / 15);
        throw failure(text);
    }
}

void set_sizes(const job &work, const solids &part)
{
    check_size(work, part);
    double size = work.size > 0 ? work.size : part.diagonal / 15;
    double min_size = work.min_size > 0 ? work.min_size : size / 20;
    if (min_size > size) {
        throw failure("min_size " + std::to_string(min_size) + " is above size " +
                      std::to_string(size) + "; give a smaller one");
    }
    check_count(work, part, size);
    for (const auto &one : work.sizes) {
        min_size = std::min(min_size, one.second);
    }
    gmsh::option::setNumber("Mesh.MeshSizeMax", size);
    gmsh::option::setNumber("Mesh.MeshSizeMin", min_size);
    gmsh::option::setNumber("Mesh.MeshSizeFromCurvature", work.curvature);
    gmsh::option::setNumber("Mesh.MeshSizeFromPoints", 0);
    add_fields(work, part, size);
}

/* ---- the mesh ------------------------------------------------------------------- */

/* Mean ratio 12 (3V)^(2/3) / sum of squared sides (Liu & Joe 1994), as the library has it. */
double mean_ratio(const double *const x[4])
{
    double side[3][3], sum = 0;
    for (int a = 0; a < 4; a++) {
        for (int b = a + 1; b < 4; b++) {
            for (int c = 0; c < 3; c++) {
                double d = x[b][c] - x[a][c];
                sum += d * d;
                if (a == 0) {
                    side[b - 1][c] = d;
                }
            }
        }
    }
    double det = side[0][0] * (side[1][1] * side[2][2] - side[1][2] * side[2][1]) -
                 side[0][1] * (side[1][0] * side[2][2] - side[1][2] * side[2][0]) +
                 side[0][2] * (side[1][0] * side[2][1] - side[1][1] * side[2][0]);
    return sum > 0 ? 12 * std::cbrt(det * det / 4) / sum : 0;
}

double min_quality()
{
    std::vector<std::size_t> tag, tet, corner;
    std::vector<double> xyz, parametric;
    gmsh::model::mesh::getNodes(tag, xyz, parametric, -1, -1, false, false);
    gmsh::model::mesh::getElementsByType(4, tet, corner);
    std::size_t last = tag.empty() ? 0 : *std::max_element(tag.begin(), tag.end());
    std::vector<std::size_t> row(last + 1);
    for (std::size_t i = 0; i < tag.size(); i++) {
        row[tag[i]] = i;
    }
    double least = 1;
    for (std::size_t i = 0; i + 4 <= corner.size(); i += 4) {
        const double *x[4];
        for (int k = 0; k < 4; k++) {
            x[k] = &xyz[3 * row[corner[i + k]]];
        }
        least = std::min(least, mean_ratio(x));
    }
    return least;
}

/* What generate has left below the quality asked for; another way each time. */
void improve(double quality)
{
    for (const char *way : {"", "Relocate3D", "", "Relocate3D"}) {
        if (min_quality() >= quality) {
            return;
        }
        gmsh::model::mesh::optimize(way);
    }
}

void make_tets(const job &work, const solids &part)
{
    gmsh::option::setNumber("Mesh.Algorithm3D", work.delaunay ? 1 : 10);
    gmsh::option::setNumber("Mesh.OptimizeThreshold", work.quality);
    gmsh::option::setNumber("Mesh.Optimize", 1);
    gmsh::option::setNumber("Mesh.ElementOrder", 1);
    use_rising_addresses(true);
    gmsh::model::mesh::generate(2);
    use_rising_addresses(false);
    gmsh::model::mesh::generate(3);
    for (int i = 1; i <= part.solid.Extent(); i++) {
        std::vector<std::size_t> tet, corner;
        gmsh::model::mesh::getElementsByType(4, tet, corner, i);
        if (tet.empty()) {
            throw failure(
                "Gmsh could not fill solid " + std::to_string(i) + ": " + last_error() +
                "; try another size, or algorithm: " + (work.delaunay ? "hxt" : "delaunay"));
        }
    }
    improve(work.quality);
    if (work.order == 2) {
        gmsh::model::mesh::setOrder(2);
    }
}

/* Label of each shape: its number, or that of the first of its name. */
int label_of(std::map<std::string, int> &known, const std::string &name, int number)
{
    return name.empty() ? number : known.emplace(name, number).first->second;
}

int count_of(const std::vector<std::vector<std::string>> &lists, const std::string &text)
{
    return (int)std::count_if(lists.begin(), lists.end(), [&](const std::vector<std::string> &one) {
        return std::find(one.begin(), one.end(), text) != one.end();
    });
}

} /* namespace */

double ew_gmsh::measure_shape(const TopoDS_Shape &shape, int dimension)
{
    GProp_GProps sum;
    if (dimension == 3) {
        BRepGProp::VolumeProperties(shape, sum);
    } else {
        BRepGProp::SurfaceProperties(shape, sum);
    }
    return std::fabs(sum.Mass());
}

void ew_gmsh::mesh_shape(const job &work, const solids &part, result &out)
{
    start_gmsh();
    take_shape(part);
    set_sizes(work, part);
    make_tets(work, part);
    std::map<std::string, int> solid_label, face_label;
    std::vector<labeled> volumes, faces;
    std::vector<int> own_label, region;
    for (int i = 1; i <= part.solid.Extent(); i++) {
        volumes.push_back({i, label_of(solid_label, part.solid_name[(size_t)i - 1], i)});
        region.push_back(volumes.back().label);
    }
    int next = part.face.Extent() + 1;
    for (int f = 1; f <= part.face.Extent(); f++) {
        const std::vector<std::string> &names = part.face_name[(size_t)f - 1];
        faces.push_back({f, label_of(face_label, names.empty() ? "" : names[0], f)});
        own_label.push_back(faces.back().label);
        std::vector<std::string> more(names.begin() + !names.empty(), names.end());
        for (const std::string &color : part.face_color[(size_t)f - 1]) {
            if (count_of(part.face_color, color) < part.face.Extent()) { /* it tells some apart */
                more.push_back(color);
            }
        }
        for (const std::string &name : more) { /* a triangle has a label for each */
            faces.push_back({f, label_of(face_label, name, next)});
            next += faces.back().label == next;
        }
        out.head.n_named += !names.empty();
    }
    collect(volumes, faces, out);
    for (const auto &one : solid_label) {
        out.add_group(2, true, one.second, one.first);
    }
    for (const auto &one : face_label) {
        out.add_group(1, true, one.second, one.first);
    }
    out.head.n_solid = part.solid.Extent();
    out.head.n_cad_face = part.face.Extent();
    describe(part, own_label, region, out);
}
