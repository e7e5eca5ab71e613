/* Private to edgewise-gmsh: a shape as its file has it, with names. */
#ifndef EW_CAD_GMSH_SHAPE_H
#define EW_CAD_GMSH_SHAPE_H

#include "cad/gmsh_job.h"

#include <IFSelect_ReturnStatus.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TopoDS_Shape.hxx>
#include <TopoDS_TShape.hxx>

#include <map>

namespace ew_gmsh
{

/* Names by what a shape is made of, wherever instances of it stand; it stays as long as they. The
 * first is its own. */
typedef std::map<Handle(TopoDS_TShape), std::vector<std::string>> name_map;
void add_name(name_map &name, const TopoDS_Shape &shape, const std::string &text);
/* What programs write where nobody gave a name is none. */
std::string clean(const Handle(TCollection_HAsciiString) & name);

struct named_shape {
    TopoDS_Shape shape;
    name_map name;
    name_map color;   /* of faces */
    std::string unit; /* of the file */
};
/* A failure unless the file was read. */
void read_whole(IFSelect_ReturnStatus status, const char *kind);
/* gmsh_step.cpp */
named_shape read_step(const job &work);

} /* namespace ew_gmsh */

#endif
