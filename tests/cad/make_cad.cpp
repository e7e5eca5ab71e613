/* make_cad FOLDER: the CAD files of the tests, and datasets/bracket.step, written by OpenCASCADE.
 */
#include <APIHeaderSection_MakeHeader.hxx>
#include <BRepAlgoAPI_Cut.hxx>
#include <BRepAlgoAPI_Fuse.hxx>
#include <BRepBndLib.hxx>
#include <BRepFilletAPI_MakeFillet.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRepTools.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <IGESControl_Controller.hxx>
#include <IGESControl_Writer.hxx>
#include <IGESData_IGESEntity.hxx>
#include <Interface_Static.hxx>
#include <STEPConstruct.hxx>
#include <STEPControl_Controller.hxx>
#include <STEPControl_Writer.hxx>
#include <ShapeUpgrade_UnifySameDomain.hxx>
#include <StepBasic_Product.hxx>
#include <StepData_StepModel.hxx>
#include <StepRepr_RepresentationItem.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Compound.hxx>
#include <TransferBRep.hxx>
#include <TransferBRep_ShapeMapper.hxx>
#include <XSControl_TransferWriter.hxx>
#include <XSControl_WorkSession.hxx>
#include <gp_Ax2.hxx>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace
{

std::string folder;

std::string in_folder(const char *name)
{
    return folder + "/" + name;
}

void need(bool done, const char *name)
{
    if (!done) {
        std::fprintf(stderr, "make_cad: %s cannot be written\n", name);
        std::exit(1);
    }
}

/* Faces and solids by what lies in a box: "" gives none. */
typedef std::function<std::string(const TopoDS_Shape &, const Bnd_Box &)> namer;

bool flat(const Bnd_Box &box, int axis, double at)
{
    double low[3], high[3];
    box.Get(low[0], low[1], low[2], high[0], high[1], high[2]);
    return std::fabs(low[axis] - at) < 1e-3 && std::fabs(high[axis] - at) < 1e-3;
}

void name_shapes(STEPControl_Writer &writer, const TopoDS_Shape &shape, const namer &name)
{
    Handle(Transfer_FinderProcess) process = writer.WS()->TransferWriter()->FinderProcess();
    for (TopAbs_ShapeEnum kind : {TopAbs_FACE, TopAbs_SOLID}) {
        TopTools_IndexedMapOfShape found;
        TopExp::MapShapes(shape, kind, found);
        for (int i = 1; i <= found.Extent(); i++) {
            Bnd_Box box;
            BRepBndLib::AddOptimal(found(i), box, false, false);
            std::string text = name(found(i), box);
            Handle(StepRepr_RepresentationItem) item = STEPConstruct::FindEntity(process, found(i));
            if (!item.IsNull()) {
                item->SetName(new TCollection_HAsciiString(text.c_str()));
            }
        }
    }
}

void name_product(STEPControl_Writer &writer, const char *product)
{
    Handle(StepData_StepModel) model = writer.Model();
    for (int i = 1; i <= model->NbEntities(); i++) {
        Handle(StepBasic_Product) item = Handle(StepBasic_Product)::DownCast(model->Value(i));
        if (!item.IsNull()) {
            item->SetName(new TCollection_HAsciiString(product));
            item->SetId(new TCollection_HAsciiString(product));
        }
    }
}

void write_step(const TopoDS_Shape &shape, const char *file, const char *unit, const char *product,
                const namer &name)
{
    STEPControl_Controller::Init();
    Interface_Static::SetCVal("write.step.unit", unit);
    Interface_Static::SetIVal("write.surfacecurve.mode", 0);
    STEPControl_Writer writer;
    need(writer.Transfer(shape, STEPControl_AsIs) == IFSelect_RetDone, file);
    name_shapes(writer, shape, name);
    name_product(writer, product);
    APIHeaderSection_MakeHeader header(writer.Model());
    header.SetTimeStamp(new TCollection_HAsciiString("2026-01-01T00:00:00"));
    header.SetName(new TCollection_HAsciiString(file));
    need(writer.Write(in_folder(file).c_str()) == IFSelect_RetDone, file);
}

/* Labels of eight characters at most. */
void name_faces(IGESControl_Writer &writer, const TopoDS_Shape &shape, const namer &name)
{
    TopTools_IndexedMapOfShape found;
    TopExp::MapShapes(shape, TopAbs_FACE, found);
    for (int i = 1; i <= found.Extent(); i++) {
        Bnd_Box box;
        BRepBndLib::AddOptimal(found(i), box, false, false);
        std::string text = name(found(i), box);
        Handle(TransferBRep_ShapeMapper) key =
            TransferBRep::ShapeMapper(writer.TransferProcess(), found(i));
        Handle(IGESData_IGESEntity) entity =
            Handle(IGESData_IGESEntity)::DownCast(writer.TransferProcess()->FindTransient(key));
        if (!entity.IsNull() && !text.empty()) {
            entity->SetLabel(new TCollection_HAsciiString(text.c_str()));
        }
    }
}

void write_iges(const TopoDS_Shape &shape, const char *file, bool solids, const namer &name)
{
    IGESControl_Controller::Init();
    IGESControl_Writer writer("MM", solids ? 1 : 0);
    need(writer.AddShape(shape), file);
    name_faces(writer, shape, name);
    writer.ComputeModel();
    need(writer.Write(in_folder(file).c_str()), file);
}

std::string no_name(const TopoDS_Shape &, const Bnd_Box &)
{
    return "";
}

/* ---- the bracket of datasets/bracket-step.yaml -------------------------------------- */

TopoDS_Shape bolt_hole(double y, double z)
{
    return BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(-1, y, z), gp_Dir(1, 0, 0)), 4.5, 12);
}

/* An angle of 80 x 60 x 60 mm, 8 mm thick: its back on a wall by two bolts, a shelf on top of its
 * arm, which has a hole and is rounded where it leaves the back. */
TopoDS_Shape bracket()
{
    TopoDS_Shape back = BRepPrimAPI_MakeBox(gp_Pnt(0, 0, 0), gp_Pnt(8, 60, 60));
    TopoDS_Shape arm = BRepPrimAPI_MakeBox(gp_Pnt(0, 0, 52), gp_Pnt(80, 60, 60));
    ShapeUpgrade_UnifySameDomain unify(BRepAlgoAPI_Fuse(back, arm).Shape());
    unify.Build();
    BRepFilletAPI_MakeFillet fillet(unify.Shape());
    TopTools_IndexedMapOfShape edge;
    TopExp::MapShapes(unify.Shape(), TopAbs_EDGE, edge);
    for (int i = 1; i <= edge.Extent(); i++) {
        Bnd_Box box;
        BRepBndLib::AddOptimal(edge(i), box, false, false);
        if (flat(box, 0, 8) && flat(box, 2, 52)) {
            fillet.Add(10, TopoDS::Edge(edge(i)));
        }
    }
    TopoDS_Shape part = fillet.Shape();
    part = BRepAlgoAPI_Cut(part, bolt_hole(15, 20));
    part = BRepAlgoAPI_Cut(part, bolt_hole(45, 20));
    gp_Ax2 down(gp_Pnt(55, 30, 40), gp_Dir(0, 0, 1));
    return BRepAlgoAPI_Cut(part, BRepPrimAPI_MakeCylinder(down, 12, 30));
}

std::string name_bracket(const TopoDS_Shape &shape, const Bnd_Box &box)
{
    double x0, y0, z0, x1, y1, z1;
    box.Get(x0, y0, z0, x1, y1, z1);
    if (shape.ShapeType() == TopAbs_SOLID) {
        return "bracket";
    }
    if (x1 - x0 > 7 && x1 < 9 && y1 - y0 < 10 && z1 < 40) {
        return "bolts";
    }
    bool fillet = x0 > 7 && x1 < 20 && z0 > 40 && z1 < 53;
    bool hole = x0 > 40 && x1 < 70 && z1 - z0 > 7;
    return flat(box, 2, 60)  ? "shelf"
           : flat(box, 0, 0) ? "wall"
           : fillet          ? "fillet"
           : hole            ? "hole"
                             : "";
}

/* ---- files of the tests ------------------------------------------------------------- */

std::string name_cube(const TopoDS_Shape &shape, const Bnd_Box &box)
{
    return shape.ShapeType() == TopAbs_SOLID ? ""
           : flat(box, 0, 0)                 ? "left"
           : flat(box, 0, 10)                ? "right"
                                             : "NONE";
}

std::string name_pair(const TopoDS_Shape &shape, const Bnd_Box &box)
{
    double x0, y0, z0, x1, y1, z1;
    box.Get(x0, y0, z0, x1, y1, z1);
    if (shape.ShapeType() == TopAbs_SOLID) {
        return x0 > 5 ? "steel" : "rubber";
    }
    return flat(box, 0, 10) ? (y1 < 8 ? "foot" : "top") : "";
}

TopoDS_Compound side_by_side(const TopoDS_Shape &a, const TopoDS_Shape &b)
{
    BRep_Builder builder;
    TopoDS_Compound both;
    builder.MakeCompound(both);
    builder.Add(both, a);
    builder.Add(both, b);
    return both;
}

void write_cubes()
{
    TopoDS_Shape cube = BRepPrimAPI_MakeBox(10.0, 10.0, 10.0);
    write_step(cube, "cube.step", "MM", "die", name_cube);
    write_step(cube, "cube-inch.stp", "INCH", "die", name_cube);
    need(BRepTools::Write(cube, in_folder("cube.brep").c_str()), "cube.brep");
    write_iges(cube, "cube.iges", true, name_cube);
    write_iges(cube, "faces.igs", false, name_cube);
    TopoDS_Shape hollow = BRepAlgoAPI_Cut(cube, BRepPrimAPI_MakeSphere(gp_Pnt(5, 5, 5), 3).Shape());
    write_step(hollow, "hollow.step", "MM", "shell", no_name);
    write_iges(hollow, "hollow.iges", true, name_cube);
}

/* A smaller cube on the side of a larger one; two that overlap; a surface without a solid. */
void write_pairs()
{
    TopoDS_Shape large = BRepPrimAPI_MakeBox(10.0, 10.0, 10.0);
    TopoDS_Shape small = BRepPrimAPI_MakeBox(gp_Pnt(10, 2, 2), gp_Pnt(16, 7, 7));
    write_step(side_by_side(large, small), "pair.step", "MM", "joint", name_pair);
    TopoDS_Shape across = BRepPrimAPI_MakeBox(gp_Pnt(8, 2, 2), gp_Pnt(16, 7, 7));
    write_step(side_by_side(large, across), "overlap.step", "MM", "joint", no_name);
    TopExp_Explorer face(large, TopAbs_FACE);
    write_step(face.Current(), "face.step", "MM", "sheet", no_name);
    TopExp_Explorer shell(large, TopAbs_SHELL);
    write_step(shell.Current(), "shell.step", "MM", "sheet", name_cube);
}

/* ---- a plate that changes --------------------------------------------------------------- */

/* length x 60 x 10, through it holes of radius 8 along its middle; its far upper edge is rounded.
 */
TopoDS_Shape plate(double length, const std::vector<double> &holes, bool is_rounded)
{
    TopoDS_Shape part = BRepPrimAPI_MakeBox(length, 60.0, 10.0);
    if (is_rounded) {
        BRepFilletAPI_MakeFillet fillet(part);
        for (TopExp_Explorer edge(part, TopAbs_EDGE); edge.More(); edge.Next()) {
            Bnd_Box box;
            BRepBndLib::AddOptimal(edge.Current(), box, false, false);
            if (flat(box, 0, length) && flat(box, 2, 10)) {
                fillet.Add(3, TopoDS::Edge(edge.Current()));
                break; /* an edge is met once from each of its faces */
            }
        }
        part = fillet.Shape();
    }
    for (double x : holes) {
        gp_Ax2 up(gp_Pnt(x, 30, -1), gp_Dir(0, 0, 1));
        part = BRepAlgoAPI_Cut(part, BRepPrimAPI_MakeCylinder(up, 8, 12));
    }
    return part;
}

std::string name_plate(const TopoDS_Shape &shape, const Bnd_Box &box)
{
    return shape.ShapeType() == TopAbs_FACE && flat(box, 0, 0) ? "wall" : "";
}

void write_plates()
{
    write_step(plate(100, {30}, false), "plate.step", "MM", "plate", name_plate);
    write_step(plate(100, {42}, false), "plate-moved.step", "MM", "plate", name_plate);
    write_step(plate(120, {30}, false), "plate-long.step", "MM", "plate", name_plate);
    write_step(plate(100, {30}, true), "plate-round.step", "INCH", "plate", name_plate);
    write_step(plate(100, {}, false), "plate-solid.step", "MM", "plate", name_plate);
    write_step(plate(100, {20, 40}, false), "plate-two.step", "MM", "plate", name_plate);
    TopoDS_Shape large = BRepPrimAPI_MakeBox(10.0, 10.0, 10.0);
    for (double end : {16.0, 17.0}) {
        TopoDS_Shape small = BRepPrimAPI_MakeBox(gp_Pnt(10, 2, 2), gp_Pnt(end, 7, 7));
        write_step(side_by_side(large, small), end < 16.5 ? "two.step" : "two-long.step", "MM",
                   "NONE", no_name);
    }
}

} /* namespace */

int main(int n, char **argument)
{
    folder = n > 1 ? argument[1] : ".";
    write_cubes();
    write_pairs();
    write_plates();
    write_step(bracket(), "bracket.step", "MM", "bracket", name_bracket);
    return 0;
}
