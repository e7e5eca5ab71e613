/* What the faces and solids of a CAD file are: kinds, areas, centroids, normals, radii. In: the
 * shape. Out: as exchange.h says. */
#include "cad/gmsh_job.h"
#include "format/format.h"

#include <BRepAdaptor_Surface.hxx>
#include <BRepGProp.hxx>
#include <GProp_GProps.hxx>
#include <TopExp.hxx>
#include <TopoDS.hxx>
#include <gp_Cone.hxx>
#include <gp_Cylinder.hxx>
#include <gp_Sphere.hxx>
#include <gp_Torus.hxx>

#include <algorithm>
#include <cmath>

using namespace ew_gmsh;

namespace
{

void put(const gp_XYZ &from, double to[3])
{
    for (int c = 0; c < 3; c++) {
        to[c] = from.Coord(c + 1);
    }
}

/* Mass properties: area or volume, and the centroid. */
void measure(const GProp_GProps &sum, ew_cad_geometry &to)
{
    to.size = std::fabs(sum.Mass());
    put(sum.CentreOfMass().XYZ(), to.centroid);
}

ew_cad_geometry describe_face(const TopoDS_Face &face)
{
    ew_cad_geometry made = {};
    GProp_GProps sum;
    BRepGProp::SurfaceProperties(face, sum);
    measure(sum, made);
    BRepAdaptor_Surface surface(face, false);
    made.kind = EW_GEOMETRY_CURVED;
    switch (surface.GetType()) {
    case GeomAbs_Plane: {
        gp_Ax3 place = surface.Plane().Position();
        bool turned = (face.Orientation() == TopAbs_REVERSED) == place.Direct();
        made.kind = EW_GEOMETRY_PLANE;
        put(place.Direction().XYZ() * (turned ? -1 : 1), made.direction);
        break;
    }
    case GeomAbs_Cylinder:
        made.kind = EW_GEOMETRY_CYLINDER;
        put(surface.Cylinder().Axis().Direction().XYZ(), made.direction);
        made.radius = surface.Cylinder().Radius();
        break;
    case GeomAbs_Cone:
        made.kind = EW_GEOMETRY_CONE;
        put(surface.Cone().Axis().Direction().XYZ(), made.direction);
        break;
    case GeomAbs_Sphere:
        made.kind = EW_GEOMETRY_SPHERE;
        made.radius = surface.Sphere().Radius();
        break;
    case GeomAbs_Torus:
        made.kind = EW_GEOMETRY_TORUS;
        put(surface.Torus().Axis().Direction().XYZ(), made.direction);
        made.radius = surface.Torus().MinorRadius();
        break;
    default:
        break;
    }
    return made;
}

} /* namespace */

void ew_gmsh::describe(const solids &part, const std::vector<int> &face_label,
                       const std::vector<int> &solid_label, result &out)
{
    for (int f = 1; f <= part.face.Extent(); f++) {
        out.geometry.push_back(describe_face(TopoDS::Face(part.face(f))));
        out.geometry.back().label = face_label[(size_t)f - 1];
    }
    for (int s = 1; s <= part.solid.Extent(); s++) {
        TopTools_IndexedMapOfShape around;
        TopExp::MapShapes(part.solid(s), TopAbs_FACE, around);
        for (int i = 1; i <= around.Extent(); i++) {
            ew_cad_geometry &face = out.geometry[(size_t)part.face.FindIndex(around(i)) - 1];
            int label = solid_label[(size_t)s - 1];
            if (face.n_region < 2 && (face.n_region == 0 || face.region[0] != label)) {
                face.region[face.n_region++] = label;
            }
        }
        ew_cad_geometry solid = {};
        GProp_GProps sum;
        BRepGProp::VolumeProperties(part.solid(s), sum);
        measure(sum, solid);
        solid.kind = EW_GEOMETRY_SOLID;
        solid.label = solid_label[(size_t)s - 1];
        out.geometry.push_back(solid);
    }
    out.head.diagonal = part.diagonal;
    out.head.n_unsure = part.n_unsure;
    out.head.unsure[0] = part.unsure[0];
    out.head.unsure[1] = part.unsure[1];
    out.head.unit = -1;
    if (!part.unit.empty()) {
        out.head.unit = (int32_t)out.text.size();
        out.text += part.unit;
        out.text += '\0';
    }
}
