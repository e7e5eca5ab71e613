"""Renders one frame of a result to a PNG: the deformed body colored by von Mises stress, another number of vertices
or tets, or its sets.

    python3 tools/render.py RESULT.vtkhdf|RESULT.xdmf OUT.png [--step N] [--warp FACTOR] [--scale S] [--title TEXT]
                            [--from X,Y,Z] [--up X,Y,Z] [--zoom Z] [--color-by FIELD | set:NAME,NAME | set:all]

Needs VTK (pip install vtk): 9.3 or newer for .vtkhdf, one with its XDMF reader for .xdmf."""
import argparse
import os
import sys

try:
    import vtkmodules.vtkRenderingOpenGL2  # noqa: F401  registers the renderer
    import vtkmodules.vtkRenderingFreeType  # noqa: F401  and the text
    from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
    from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
    from vtkmodules.vtkFiltersCore import vtkFeatureEdges
    from vtkmodules.vtkFiltersGeneral import vtkWarpVector
    from vtkmodules.vtkFiltersGeometry import vtkDataSetSurfaceFilter
    from vtkmodules.vtkIOImage import vtkPNGWriter
    from vtkmodules.vtkRenderingAnnotation import vtkScalarBarActor
    from vtkmodules.vtkRenderingCore import (vtkActor, vtkColorTransferFunction, vtkPolyDataMapper,
                                             vtkRenderer, vtkRenderWindow, vtkWindowToImageFilter)
except ImportError as missing:
    sys.exit(f"render.py: {missing}; install VTK (pip install vtk), or use build/python/bin/python, "
             "which 'sh tools/setup.sh test' makes")

COLORS = ((0, .23, .30, .75), (.25, .40, .65, .85), (.5, .87, .87, .75), (.75, .93, .55, .35),
           (1, .70, .02, .15))


def vector(text):
    return [float(part) for part in text.split(",")]


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("result")
parser.add_argument("png")
parser.add_argument("--step", type=int, default=0)
parser.add_argument("--warp", type=float, default=1, help="displacements times this")
parser.add_argument("--scale", type=float, default=1e-6, help="stress times this (1e-6: Pa to MPa)")
parser.add_argument("--title", default="von Mises, MPa")
parser.add_argument("--color-by", default="von_mises", metavar="FIELD | set:NAME,NAME | set:all",
                    help="of a set of faces these faces, of tets their skin, of vertices points")
parser.add_argument("--from", dest="eye", type=vector, default=[1, .75, 1.1])
parser.add_argument("--up", type=vector, default=[0, 1, 0])
parser.add_argument("--zoom", type=float, default=1.1)
options = parser.parse_args()
by_set = options.color_by.startswith("set:")


def refuse_halves(path):
    """Files that a killed program left half replaced do not belong together."""
    first = os.path.splitext(path)[0] + ".vtkhdf"
    if os.path.exists(first + ".commit"):
        sys.exit(f"render.py: {path}: a killed program left it half replaced; 'edgewise report {first}' finishes that")


def new_reader(path):
    try:
        if path.endswith(".vtkhdf"):
            from vtkmodules.vtkCommonCore import vtkVersion
            from vtkmodules.vtkIOHDF import vtkHDFReader
            if (vtkVersion.GetVTKMajorVersion(), vtkVersion.GetVTKMinorVersion()) < (9, 3):
                sys.exit("render.py: this VTK is older than 9.3 and misreads .vtkhdf; give it the .xdmf")
            return vtkHDFReader()
        from vtkmodules.vtkIOXdmf2 import vtkXdmfReader
        return vtkXdmfReader()
    except ImportError as missing:
        sys.exit(f"render.py: {missing}; this VTK cannot read {path}: pip install vtk, or give the other of "
                 ".vtkhdf and .xdmf")


refuse_halves(options.result)
reader = new_reader(options.result)
reader.SetFileName(options.result)
reader.UpdateInformation()
times = reader.GetOutputInformation(0).Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS())
if not times:  # a result of one frame, as newer VTK reads it
    times = [0.0]
if not -len(times) <= options.step < len(times):
    sys.exit(f"render.py: there is no step {options.step}: {options.result} has {len(times)} frame(s), from 0")
reader.UpdateTimeStep(times[options.step])
grid = reader.GetOutputDataObject(0)
while grid.IsA("vtkMultiBlockDataSet"):
    grid = grid.GetBlock(0)
low, high = 0, 1
if not by_set:
    places = [at for at in (grid.GetPointData(), grid.GetCellData()) if at.GetArray(options.color_by)]
    if not places or places[0].GetArray(options.color_by).GetNumberOfComponents() != 1:
        sys.exit(f"render.py: step {options.step} has no number '{options.color_by}' at vertices or tets")
    shown = numpy_to_vtk(vtk_to_numpy(places[0].GetArray(options.color_by)) * options.scale, deep=True)
    shown.SetName("shown")
    places[0].AddArray(shown)
    places[0].SetActiveScalars("shown")
    low, high = shown.GetRange()
if grid.GetPointData().GetArray("displacement"):
    grid.GetPointData().SetActiveVectors("displacement")
else:
    options.warp = 0

colors = vtkColorTransferFunction()
for place, *rgb in COLORS:
    colors.AddRGBPoint(low + place * (high - low), *rgb)
warp = vtkWarpVector()
warp.SetInputData(grid)
warp.SetScaleFactor(options.warp)
deformed = vtkDataSetSurfaceFilter()
if options.warp:
    deformed.SetInputConnection(warp.GetOutputPort())
else:
    deformed.SetInputData(grid)
mapper = vtkPolyDataMapper()
mapper.SetInputConnection(deformed.GetOutputPort())
mapper.SetLookupTable(colors)
mapper.UseLookupTableScalarRangeOn()
legends = []
if by_set:
    from render_sets import color_sets
    legends = color_sets(grid, deformed, mapper, options.color_by[len("set:"):].split(","))
body = vtkActor()
body.SetMapper(mapper)
body.GetProperty().EdgeVisibilityOn()
body.GetProperty().SetEdgeColor(.2, .2, .25)
body.GetProperty().SetLineWidth(.3)
body.GetProperty().SetEdgeOpacity(.25)

original = vtkDataSetSurfaceFilter()
original.SetInputData(grid)
edges = vtkFeatureEdges()
edges.SetInputConnection(original.GetOutputPort())
edges.SetFeatureAngle(40)
edges.ManifoldEdgesOff()
edges.ColoringOff()
edge_mapper = vtkPolyDataMapper()
edge_mapper.SetInputConnection(edges.GetOutputPort())
edge_mapper.ScalarVisibilityOff()
outline = vtkActor()
outline.SetMapper(edge_mapper)
outline.GetProperty().SetColor(.55, .55, .6)

bar = vtkScalarBarActor()
bar.SetLookupTable(colors)
bar.SetTitle(options.title)
bar.SetNumberOfLabels(5)
bar.SetLabelFormat("%.0f" if high >= 20 else "%.2g")
bar.SetMaximumWidthInPixels(70)
bar.SetPosition(.88, .2)
bar.SetHeight(.6)
bar.UnconstrainedFontSizeOn()
for text, size in ((bar.GetTitleTextProperty(), 20), (bar.GetLabelTextProperty(), 18)):
    text.SetColor(.1, .1, .1)
    text.ItalicOff()
    text.ShadowOff()
    text.BoldOff()
    text.SetFontSize(size)

renderer = vtkRenderer()
renderer.SetBackground(1, 1, 1)
for prop in (body, outline, *(legends or [bar])):
    renderer.AddViewProp(prop)
camera = renderer.GetActiveCamera()
center = grid.GetCenter()
size = grid.GetLength()
camera.SetFocalPoint(*center)
camera.SetPosition(*[c + size * e for c, e in zip(center, options.eye)])
camera.SetViewUp(*options.up)
renderer.ResetCamera()
camera.Zoom(options.zoom)
window = vtkRenderWindow()
window.SetOffScreenRendering(1)
window.SetMultiSamples(8)
window.SetSize(1200, 800)
window.AddRenderer(renderer)
window.Render()
image = vtkWindowToImageFilter()
image.SetInput(window)
writer = vtkPNGWriter()
writer.SetFileName(options.png)
writer.SetInputConnection(image.GetOutputPort())
writer.Write()
