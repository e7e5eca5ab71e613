/* A STEP file to its shape, by OpenCASCADE. Out: the names of faces by their entities, by layers
 * and by shape aspects, colors of faces, names of solids and of their products, the unit. */
#include "cad/gmsh_shape.h"

#include <Quantity_Color.hxx>
#include <STEPConstruct_Styles.hxx>
#include <STEPControl_Reader.hxx>
#include <StepAP242_GeometricItemSpecificUsage.hxx>
#include <StepAP242_ItemIdentifiedRepresentationUsageDefinition.hxx>
#include <StepBasic_Product.hxx>
#include <StepBasic_ProductDefinition.hxx>
#include <StepBasic_ProductDefinitionFormation.hxx>
#include <StepRepr_RepresentationItem.hxx>
#include <StepRepr_ShapeAspect.hxx>
#include <StepVisual_FillAreaStyle.hxx>
#include <StepVisual_FillAreaStyleColour.hxx>
#include <StepVisual_FillStyleSelect.hxx>
#include <StepVisual_LayeredItem.hxx>
#include <StepVisual_PresentationLayerAssignment.hxx>
#include <StepVisual_PresentationStyleAssignment.hxx>
#include <StepVisual_PresentationStyleSelect.hxx>
#include <StepVisual_StyledItem.hxx>
#include <StepVisual_SurfaceSideStyle.hxx>
#include <StepVisual_SurfaceStyleElementSelect.hxx>
#include <StepVisual_SurfaceStyleFillArea.hxx>
#include <StepVisual_SurfaceStyleUsage.hxx>
#include <TColStd_SequenceOfAsciiString.hxx>
#include <TopExp.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TransferBRep.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XSControl_TransferReader.hxx>
#include <XSControl_WorkSession.hxx>

#include <algorithm>
#include <fstream>

using namespace ew_gmsh;

void ew_gmsh::add_name(name_map &name, const TopoDS_Shape &shape, const std::string &text)
{
    std::vector<std::string> &all = name[shape.TShape()];
    if (std::find(all.begin(), all.end(), text) == all.end()) {
        all.push_back(text);
    }
}

std::string ew_gmsh::clean(const Handle(TCollection_HAsciiString) & name)
{
    std::string text = name.IsNull() ? "" : name->ToCString();
    size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
    text = first == std::string::npos ? "" : text.substr(first, last - first + 1);
    bool is_default = text == "NONE" || text == "none" || text == "None" ||
                      text.compare(0, 28, "Open CASCADE STEP translator") == 0;
    return is_default ? "" : text;
}

void ew_gmsh::read_whole(IFSelect_ReturnStatus status, const char *kind)
{
    if (status != IFSelect_RetDone) {
        throw failure(std::string("is not a ") + kind +
                      " file that OpenCASCADE can read, or it is damaged; export it again");
    }
}

namespace
{

/* OpenCASCADE takes what there is of a file whose end is missing. */
void need_end(const std::string &path, const std::string &mark)
{
    std::ifstream file(path, std::ios::binary);
    file.seekg(0, std::ios::end);
    std::streamoff size = file.tellg(), tail = std::min<std::streamoff>(size, 4096);
    std::string text((size_t)std::max<std::streamoff>(tail, 0), ' ');
    file.seekg(-tail, std::ios::end);
    file.read(&text[0], tail);
    if (text.find(mark) == std::string::npos) {
        throw failure("the file does not end with " + mark +
                      ": it is truncated, or no STEP file; export it again");
    }
}

/* A part has the name of its product where its solid has none: of the product with the fewest
 * solids, as assemblies have those of their parts, too. */
void name_by_products(const Handle(Transfer_TransientProcess) & process,
                      const Handle(Interface_InterfaceModel) & model, name_map &name)
{
    std::map<Handle(TopoDS_TShape), int> count;
    for (int i = 1; i <= model->NbEntities(); i++) {
        Handle(StepBasic_ProductDefinition) product =
            Handle(StepBasic_ProductDefinition)::DownCast(model->Value(i));
        if (product.IsNull() || product->Formation().IsNull() ||
            product->Formation()->OfProduct().IsNull()) {
            continue;
        }
        std::string text = clean(product->Formation()->OfProduct()->Name());
        TopoDS_Shape shape = TransferBRep::ShapeResult(process, product);
        TopTools_IndexedMapOfShape solid;
        if (!text.empty() && !shape.IsNull()) {
            TopExp::MapShapes(shape, TopAbs_SOLID, solid);
        }
        for (int k = 1; k <= solid.Extent(); k++) {
            Handle(TopoDS_TShape) key = solid(k).TShape();
            int &fewest = count[key];
            if ((fewest == 0 && name.count(key) == 0) || fewest > solid.Extent()) {
                fewest = solid.Extent();
                name[key] = {text};
            }
        }
    }
}

/* "mm", as the library writes units, of the first representation. */
std::string unit_of(STEPControl_Reader &reader)
{
    static const std::pair<const char *, const char *> known[] = {
        {"millimetre", "mm"}, {"metre", "m"}, {"centimetre", "cm"}, {"kilometre", "km"},
        {"micrometre", "um"}, {"inch", "in"}, {"foot", "ft"}};
    TColStd_SequenceOfAsciiString length, angle, solid_angle;
    reader.FileUnits(length, angle, solid_angle);
    TCollection_AsciiString first = length.IsEmpty() ? "" : length.First();
    first.LowerCase();
    for (const auto &one : known) {
        if (first == one.first) {
            return one.second;
        }
    }
    return first.ToCString();
}

/* The face that an entity became; a null shape: it is none. */
TopoDS_Shape face_of(const Handle(Transfer_TransientProcess) & process,
                     const Handle(Standard_Transient) & entity)
{
    TopoDS_Shape shape =
        entity.IsNull() ? TopoDS_Shape() : TransferBRep::ShapeResult(process, entity);
    return !shape.IsNull() && shape.ShapeType() == TopAbs_FACE ? shape : TopoDS_Shape();
}

/* Layers of faces, as CadQuery writes them. */
void name_by_layer(const Handle(Transfer_TransientProcess) & process,
                   const Handle(StepVisual_PresentationLayerAssignment) & layer, name_map &name)
{
    std::string text = clean(layer->Name());
    for (int k = 1; k <= layer->NbAssignedItems() && !text.empty(); k++) {
        TopoDS_Shape face = face_of(process, layer->AssignedItemsValue(k).Value());
        if (!face.IsNull()) {
            add_name(name, face, text);
        }
    }
}

/* Shape aspects of AP242. */
void name_by_aspect(const Handle(Transfer_TransientProcess) & process,
                    const Handle(StepAP242_GeometricItemSpecificUsage) & usage, name_map &name)
{
    Handle(StepRepr_ShapeAspect) aspect = usage->Definition().ShapeAspect();
    std::string text = aspect.IsNull() ? "" : clean(aspect->Name());
    for (int k = 1; k <= usage->NbIdentifiedItem() && !text.empty(); k++) {
        TopoDS_Shape face = face_of(process, usage->IdentifiedItemValue(k));
        if (!face.IsNull()) {
            add_name(name, face, text);
        }
    }
}

/* "color_FF0000"; "": the style gives the faces none. */
std::string color_of(const Handle(StepVisual_PresentationStyleAssignment) & style)
{
    Quantity_Color color;
    for (int i = 1; i <= style->NbStyles(); i++) {
        Handle(StepVisual_SurfaceStyleUsage) usage = style->StylesValue(i).SurfaceStyleUsage();
        Handle(StepVisual_SurfaceSideStyle) side;
        if (!usage.IsNull()) {
            side = usage->Style();
        }
        for (int j = 1; !side.IsNull() && j <= side->NbStyles(); j++) {
            Handle(StepVisual_SurfaceStyleFillArea) area =
                side->StylesValue(j).SurfaceStyleFillArea();
            for (int k = 1; !area.IsNull() && k <= area->FillArea()->NbFillStyles(); k++) {
                Handle(StepVisual_FillAreaStyleColour) fill =
                    area->FillArea()->FillStylesValue(k).FillAreaStyleColour();
                if (!fill.IsNull() &&
                    STEPConstruct_Styles::DecodeColor(fill->FillColour(), color)) {
                    return std::string("color_") +
                           (Quantity_Color::ColorToHex(color).ToCString() + 1);
                }
            }
        }
    }
    return "";
}

/* Faces that are marked by a color, as in FreeCAD, whose files name no faces. */
void color_by_style(const Handle(Transfer_TransientProcess) & process,
                    const Handle(StepVisual_StyledItem) & item, name_map &color)
{
    TopoDS_Shape face = face_of(process, item->Item());
    for (int k = 1; !face.IsNull() && k <= item->NbStyles(); k++) {
        std::string text = color_of(item->StylesValue(k));
        if (!text.empty()) {
            add_name(color, face, text);
        }
    }
}

} /* namespace */

named_shape ew_gmsh::read_step(const job &work)
{
    named_shape made;
    STEPControl_Reader reader;
    need_end(work.file, "END-ISO-10303-21");
    read_whole(reader.ReadFile(work.file.c_str()), "STEP");
    made.unit = unit_of(reader);
    reader.TransferRoots();
    made.shape = reader.OneShape();
    Handle(Transfer_TransientProcess) process = reader.WS()->TransferReader()->TransientProcess();
    Handle(Interface_InterfaceModel) model = reader.WS()->Model();
    for (int i = 1; i <= model->NbEntities(); i++) {
        Handle(StepRepr_RepresentationItem) item =
            Handle(StepRepr_RepresentationItem)::DownCast(model->Value(i));
        std::string text = item.IsNull() ? "" : clean(item->Name());
        TopoDS_Shape shape;
        if (!text.empty()) {
            shape = TransferBRep::ShapeResult(process, item);
        }
        if (!shape.IsNull() &&
            (shape.ShapeType() == TopAbs_FACE || shape.ShapeType() == TopAbs_SOLID)) {
            add_name(made.name, shape, text);
        }
    }
    for (int i = 1; i <= model->NbEntities(); i++) {
        auto layer = Handle(StepVisual_PresentationLayerAssignment)::DownCast(model->Value(i));
        auto usage = Handle(StepAP242_GeometricItemSpecificUsage)::DownCast(model->Value(i));
        auto style = Handle(StepVisual_StyledItem)::DownCast(model->Value(i));
        if (!layer.IsNull()) {
            name_by_layer(process, layer, made.name);
        } else if (!usage.IsNull()) {
            name_by_aspect(process, usage, made.name);
        } else if (!style.IsNull()) {
            color_by_style(process, style, made.color);
        }
    }
    name_by_products(process, model, made.name);
    return made;
}
