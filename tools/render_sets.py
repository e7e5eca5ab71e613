"""Colors sets on a body for render.py: faces of sets of faces, skins of sets of tets, points of sets of
vertices. The masks are those that lib/results/README.md describes."""
import sys

import numpy
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkLookupTable, vtkPoints
from vtkmodules.vtkCommonDataModel import vtkPolyData
from vtkmodules.vtkFiltersGeneral import vtkVertexGlyphFilter
from vtkmodules.vtkFiltersSources import vtkCubeSource
from vtkmodules.vtkRenderingAnnotation import vtkLegendBoxActor
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

PLAIN = (.82, .83, .85)
PALETTE = ((.84, .15, .16), (.12, .47, .71), (.17, .63, .17), (.58, .40, .74), (1, .50, .05), (.09, .75, .81),
           (.89, .47, .76), (.74, .74, .13), (.55, .34, .29))


def plain(name):
    """The mask's name of a set, as lib/results/sets.c makes it."""
    return "set_" + "".join(c if c.isascii() and c.isalnum() or c == "-" or ord(c) > 127 else "_" for c in name)


def mask_of(grid, name):
    """(mask, whether it is at points)."""
    for data, at_points in ((grid.GetPointData(), True), (grid.GetCellData(), False)):
        array = data.GetArray(name)
        if array:
            return vtk_to_numpy(array).astype(int), at_points
    known = [data.GetArrayName(i) for data in (grid.GetPointData(), grid.GetCellData())
             for i in range(data.GetNumberOfArrays()) if data.GetArrayName(i).startswith("set_")]
    sys.exit(f"render.py: there is no set '{name[4:]}'; known: {', '.join(n[4:] for n in known)}")


def all_names(grid):
    return [data.GetArrayName(i)[4:] for data in (grid.GetPointData(), grid.GetCellData())
            for i in range(data.GetNumberOfArrays()) if data.GetArrayName(i).startswith("set_")]


def faces_in(grid, surface, mask):
    """Which triangles of the surface are in the set: the face of a tet is opposite its vertex f."""
    tets = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, 4)
    tet = vtk_to_numpy(surface.GetCellData().GetArray("vtkOriginalCellIds"))
    point = vtk_to_numpy(surface.GetPointData().GetArray("vtkOriginalPointIds"))
    corners = point[vtk_to_numpy(surface.GetPolys().GetConnectivityArray()).reshape(-1, 3)]
    opposite = (~(tets[tet][:, :, None] == corners[:, None, :]).any(axis=2)).argmax(axis=1)
    value = mask[tet]
    return (value == 16) | (value >> opposite & 1 == 1)


def points_actor(surface, mask, color):
    """The vertices of a set that lie on the surface, at their displaced places."""
    point = vtk_to_numpy(surface.GetPointData().GetArray("vtkOriginalPointIds"))
    places = vtk_to_numpy(surface.GetPoints().GetData())[mask[point] == 1]
    points, cloud, glyphs, mapper, actor = (vtkPoints(), vtkPolyData(), vtkVertexGlyphFilter(), vtkPolyDataMapper(),
                                            vtkActor())
    points.SetData(numpy_to_vtk(places.copy(), deep=True))
    cloud.SetPoints(points)
    glyphs.SetInputData(cloud)
    mapper.SetInputConnection(glyphs.GetOutputPort())
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(*color)
    actor.GetProperty().SetPointSize(7)
    actor.GetProperty().RenderPointsAsSpheresOn()
    return actor


def legend_of(names):
    legend, symbol = vtkLegendBoxActor(), vtkCubeSource()
    symbol.Update()
    legend.SetNumberOfEntries(len(names))
    for i, name in enumerate(names):
        legend.SetEntry(i, symbol.GetOutput(), name, PALETTE[i % len(PALETTE)])
    legend.SetPosition(.80, .95 - .06 * len(names))
    legend.SetWidth(.19)
    legend.SetHeight(.06 * len(names))
    legend.GetEntryTextProperty().SetColor(.1, .1, .1)
    legend.GetEntryTextProperty().ShadowOff()
    legend.GetEntryTextProperty().ItalicOff()
    legend.BorderOff()
    return legend


def color_sets(grid, surface_filter, mapper, names):
    """Colors the surface; returns the actors that go with it."""
    surface_filter.PassThroughCellIdsOn()
    surface_filter.PassThroughPointIdsOn()
    surface_filter.Update()
    surface = surface_filter.GetOutput()
    names = all_names(grid) if names == ["all"] else names
    number, actors = numpy.zeros(surface.GetNumberOfCells()), []
    for i, name in enumerate(names):
        mask, at_points = mask_of(grid, plain(name))
        if at_points:
            actors.append(points_actor(surface, mask, PALETTE[i % len(PALETTE)]))
        else:
            number[faces_in(grid, surface, mask)] = 1 + i
    table = vtkLookupTable()
    table.SetNumberOfTableValues(1 + len(names))
    table.SetTableRange(-.5, len(names) + .5)
    for i in range(1 + len(names)):
        table.SetTableValue(i, *(PALETTE[(i - 1) % len(PALETTE)] if i else PLAIN), 1)
    scalars = numpy_to_vtk(number, deep=True)
    scalars.SetName("set")
    colored = vtkPolyData()
    colored.ShallowCopy(surface)
    colored.GetCellData().SetScalars(scalars)
    mapper.SetInputData(colored)
    mapper.SetLookupTable(table)
    mapper.SetScalarModeToUseCellData()
    mapper.UseLookupTableScalarRangeOn()
    return actors + [legend_of(names)]
