/* A CAD file to its solids, by OpenCASCADE. In: a STEP, IGES or BREP file. Out: one compound of
 * solids, which share the faces where they touch unless they are to stay apart, and the names of
 * solids and faces. Debian's Gmsh loses the names of faces on its own way through a STEP file; here
 * they are those of the entities that the faces were made of, of layers and of shape aspects. */
#include "cad/gmsh_shape.h"

#include <BOPAlgo_GlueEnum.hxx>
#include <BRepAlgoAPI_BuilderAlgo.hxx>
#include <BRepAlgoAPI_Common.hxx>
#include <BRepBndLib.hxx>
#include <BRepBuilderAPI_Copy.hxx>
#include <BRepBuilderAPI_MakeSolid.hxx>
#include <BRepBuilderAPI_Sewing.hxx>
#include <BRepLib.hxx>
#include <BRepTools.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <IGESControl_Controller.hxx>
#include <IGESControl_Reader.hxx>
#include <IGESData_IGESEntity.hxx>
#include <IGESData_IGESModel.hxx>
#include <Interface_Static.hxx>
#include <STEPControl_Controller.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_ListOfShape.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Shell.hxx>
#include <TopoDS_Solid.hxx>
#include <TransferBRep.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XSControl_TransferReader.hxx>
#include <XSControl_WorkSession.hxx>

#include <algorithm>
#include <cstdio>

using namespace ew_gmsh;

namespace
{

bool ends_with(std::string text, const std::string &ending)
{
    std::transform(text.begin(), text.end(), text.begin(), ::tolower);
    return text.size() >= ending.size() &&
           text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

/* ---- IGES -------------------------------------------------------------------- */

named_shape read_iges(const job &work)
{
    named_shape made;
    IGESControl_Reader reader;
    read_whole(reader.ReadFile(work.file.c_str()), "IGES");
    made.unit = reader.IGESModel()->GlobalSection().UnitName()->ToCString();
    std::transform(made.unit.begin(), made.unit.end(), made.unit.begin(), ::tolower);
    reader.TransferRoots();
    made.shape = reader.OneShape();
    Handle(Transfer_TransientProcess) process = reader.WS()->TransferReader()->TransientProcess();
    Handle(Interface_InterfaceModel) model = reader.WS()->Model();
    for (int i = 1; i <= model->NbEntities(); i++) {
        Handle(IGESData_IGESEntity) entity = Handle(IGESData_IGESEntity)::DownCast(model->Value(i));
        std::string text;
        if (!entity.IsNull() && (entity->HasName() || entity->HasShortLabel())) {
            text = clean(entity->HasName() ? entity->NameValue() : entity->ShortLabel());
        }
        TopoDS_Shape shape;
        if (!text.empty()) {
            shape = TransferBRep::ShapeResult(process, entity);
        }
        /* An entity of one face may have become a shell or a compound around it. */
        TopExp_Explorer face(shape, TopAbs_FACE);
        if (!shape.IsNull() && shape.ShapeType() == TopAbs_SOLID) {
            add_name(made.name, shape, text);
        } else if (!shape.IsNull() && face.More()) {
            TopoDS_Shape first = face.Current();
            face.Next();
            if (!face.More()) {
                add_name(made.name, first, text);
            }
        }
    }
    return made;
}

/* ---- BREP -------------------------------------------------------------------- */

named_shape read_brep(const job &work)
{
    named_shape made;
    BRep_Builder builder;
    if (!BRepTools::Read(made.shape, work.file.c_str(), builder) || made.shape.IsNull()) {
        throw failure("is not a BREP file of OpenCASCADE, or it is truncated; export it again");
    }
    return made;
}

/* ---- from what was read to solids ------------------------------------------------ */

int count(const TopoDS_Shape &shape, TopAbs_ShapeEnum kind)
{
    TopTools_IndexedMapOfShape found;
    TopExp::MapShapes(shape, kind, found);
    return found.Extent();
}

double diagonal_of(const TopoDS_Shape &shape)
{
    Bnd_Box box;
    BRepBndLib::Add(shape, box);
    return box.IsVoid() ? 0.0 : std::sqrt(box.SquareExtent());
}

/* Faces that are nobody's are joined where they meet within a gap; shells that close become solids.
 * The faces keep their names. */
void sew(named_shape &made, double gap)
{
    BRepBuilderAPI_Sewing sewing(gap);
    TopTools_IndexedMapOfShape face;
    TopExp::MapShapes(made.shape, TopAbs_FACE, face);
    for (int i = 1; i <= face.Extent(); i++) {
        sewing.Add(face(i));
    }
    sewing.Perform();
    for (int i = 1; i <= face.Extent(); i++) {
        for (name_map *map : {&made.name, &made.color}) {
            auto had = map->find(face(i).TShape());
            if (had != map->end() && sewing.IsModified(face(i))) {
                (*map)[sewing.Modified(face(i)).TShape()] = had->second;
            }
        }
    }
    BRep_Builder builder;
    TopoDS_Compound solids;
    builder.MakeCompound(solids);
    int n = 0;
    for (TopExp_Explorer at(sewing.SewedShape(), TopAbs_SHELL); at.More(); at.Next()) {
        if (!BRep_Tool::IsClosed(at.Current())) {
            continue;
        }
        TopoDS_Solid solid = BRepBuilderAPI_MakeSolid(TopoDS::Shell(at.Current())).Solid();
        BRepLib::OrientClosedSolid(solid);
        builder.Add(solids, solid);
        n++;
    }
    if (n == 0) {
        char text[240];
        std::snprintf(text, sizeof text,
                      "has %d faces and no solid, and with gaps up to %g joined none closes (%d "
                      "edges are free); export it as a solid, or give a larger 'sew'",
                      face.Extent(), gap, sewing.NbFreeEdges());
        throw failure(text);
    }
    made.shape = solids;
}

/* The pieces that a shape has become. */
TopTools_ListOfShape pieces_of(BRepAlgoAPI_BuilderAlgo &fuse, const TopoDS_Shape &shape)
{
    TopTools_ListOfShape same;
    if (!fuse.Modified(shape).IsEmpty()) {
        return fuse.Modified(shape);
    }
    if (!fuse.IsDeleted(shape)) {
        same.Append(shape);
    }
    return same;
}

void refuse_overlap(int a, int b, bool is_apart)
{
    char text[240];
    std::snprintf(text, sizeof text,
                  "solids %d and %d lie in one another; cut one out of the other before it is "
                  "exported, or join them%s",
                  std::min(a, b), std::max(a, b),
                  is_apart ? ""
                           : "; parts that are pressed into one another, by less than a tenth, "
                             "stay apart with 'solids: apart'");
    throw failure(text);
}

/* Faces may have come together. */
void carry_names(BRepAlgoAPI_BuilderAlgo &fuse, const TopoDS_Shape &solid, const name_map &name,
                 name_map &names)
{
    TopTools_IndexedMapOfShape face;
    TopExp::MapShapes(solid, TopAbs_FACE, face);
    for (int f = 1; f <= face.Extent(); f++) {
        auto had = name.find(face(f).TShape());
        if (had == name.end()) {
            continue;
        }
        for (const TopoDS_Shape &piece : pieces_of(fuse, face(f))) {
            for (const std::string &text : had->second) {
                add_name(names, piece, text);
            }
        }
    }
}

/* Solids that touch get one face in common, so that their meshes fit. joined[i]: what solid i + 1
 * has become. */
void join(const TopTools_IndexedMapOfShape &solid, const named_shape &made, name_map &name,
          name_map &color, std::vector<TopoDS_Shape> &joined)
{
    TopTools_ListOfShape parts;
    for (int i = 1; i <= solid.Extent(); i++) {
        parts.Append(solid(i));
    }
    BRepAlgoAPI_BuilderAlgo fuse;
    fuse.SetArguments(parts);
    fuse.SetRunParallel(false);
    fuse.SetNonDestructive(true);
    fuse.Build();
    if (fuse.HasErrors()) {
        throw failure("OpenCASCADE could not find where its solids touch; repair them, export them "
                      "one by one, or keep them apart ('solids: apart')");
    }
    TopTools_IndexedMapOfShape taken;
    for (int i = 1; i <= solid.Extent(); i++) {
        TopTools_ListOfShape pieces = pieces_of(fuse, solid(i));
        if (pieces.Extent() != 1 || taken.Contains(pieces.First())) {
            int other = pieces.IsEmpty() ? 0 : taken.FindIndex(pieces.First());
            refuse_overlap(other ? other : i > 1 ? 1 : 2, i, false);
        }
        taken.Add(pieces.First());
        joined.push_back(pieces.First());
        carry_names(fuse, solid(i), made.name, name);
        carry_names(fuse, solid(i), made.color, color);
    }
}

/* Parts that are pressed into one another overlap by little; by more than this share of the smaller
 * one it is a mistake. */
const double MAX_OVERLAP = 0.1;

/* Of what both share the volume; < 0: OpenCASCADE does not find it. */
double measure_common(const TopoDS_Shape &a, const TopoDS_Shape &b)
{
    try {
        BRepAlgoAPI_Common common(a, b);
        return common.IsDone() && !common.HasErrors() ? measure_shape(common.Shape(), 3) : -1;
    } catch (const Standard_Failure &) {
        return -1;
    }
}

/* Notes pairs that are not decided. */
void check_overlap(const TopTools_IndexedMapOfShape &solid, solids &part)
{
    std::vector<Bnd_Box> box((size_t)solid.Extent() + 1);
    std::vector<double> volume((size_t)solid.Extent() + 1);
    for (int i = 1; i <= solid.Extent(); i++) {
        BRepBndLib::Add(solid(i), box[(size_t)i]);
        volume[(size_t)i] = measure_shape(solid(i), 3);
        for (int k = 1; k < i; k++) {
            if (box[(size_t)i].IsOut(box[(size_t)k])) {
                continue;
            }
            double common = measure_common(solid(k), solid(i));
            if (common > MAX_OVERLAP * std::min(volume[(size_t)k], volume[(size_t)i])) {
                refuse_overlap(k, i, true);
            }
            if (common < 0 && part.n_unsure++ == 0) {
                part.unsure[0] = k;
                part.unsure[1] = i;
            }
        }
    }
}

/* Copies of solids, so that none has a face in common with another; faces keep their names. */
void copy_each(const TopTools_IndexedMapOfShape &solid, name_map &name, name_map &color,
               std::vector<TopoDS_Shape> &copies)
{
    for (int i = 1; i <= solid.Extent(); i++) {
        BRepBuilderAPI_Copy copy(solid(i), false);
        copies.push_back(copy.Shape());
        for (TopExp_Explorer at(solid(i), TopAbs_FACE); at.More(); at.Next()) {
            for (name_map *map : {&name, &color}) {
                auto had = map->find(at.Current().TShape());
                if (had != map->end()) {
                    (*map)[copy.ModifiedShape(at.Current()).TShape()] = had->second;
                }
            }
        }
    }
}

void use_solids(const named_shape &made, bool stay_apart, solids &part)
{
    TopTools_IndexedMapOfShape found;
    name_map name = made.name, color = made.color;
    std::vector<TopoDS_Shape> each;
    TopExp::MapShapes(made.shape, TopAbs_SOLID, found);
    if (found.Extent() > 1 && stay_apart) {
        check_overlap(found, part);
        copy_each(found, name, color, each);
    } else if (found.Extent() > 1) {
        join(found, made, name, color, each);
    } else {
        each.push_back(found(1));
    }
    BRep_Builder builder;
    builder.MakeCompound(part.shape);
    for (size_t i = 0; i < each.size(); i++) {
        auto had = made.name.find(found((int)i + 1).TShape());
        part.solid_name.push_back(had == made.name.end() ? "" : had->second[0]);
        part.solid.Add(each[i]);
        builder.Add(part.shape, each[i]);
    }
    TopExp::MapShapes(part.shape, TopAbs_FACE, part.face);
    for (int f = 1; f <= part.face.Extent(); f++) {
        part.face_name.push_back(name[part.face(f).TShape()]);
        part.face_color.push_back(color[part.face(f).TShape()]);
    }
}

named_shape read_file(const job &work)
{
    STEPControl_Controller::Init(); /* before it there are no settings */
    IGESControl_Controller::Init();
    Interface_Static::SetCVal("xstep.cascade.unit", work.unit.c_str());
    if (ends_with(work.file, ".step") || ends_with(work.file, ".stp")) {
        return read_step(work);
    }
    return ends_with(work.file, ".brep") ? read_brep(work) : read_iges(work);
}

} /* namespace */

solids ew_gmsh::read_shape(const job &work)
{
    named_shape made = read_file(work);
    int n_face = made.shape.IsNull() ? 0 : count(made.shape, TopAbs_FACE);
    if (n_face == 0) {
        throw failure("has no faces: there is nothing to fill");
    }
    solids part;
    part.diagonal = diagonal_of(made.shape);
    part.unit = made.unit;
    bool is_iges = ends_with(work.file, ".iges") || ends_with(work.file, ".igs");
    if (count(made.shape, TopAbs_SOLID) == 0 && (is_iges || work.sew > 0)) {
        sew(made, work.sew > 0 ? work.sew : 1e-5 * part.diagonal);
    }
    if (count(made.shape, TopAbs_SOLID) == 0) {
        throw failure("has " + std::to_string(n_face) +
                      " faces and no solid; export it as a solid, or join the faces by 'sew', the "
                      "largest gap between them");
    }
    use_solids(made, work.apart, part);
    return part;
}
