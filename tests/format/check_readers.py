"""Results as others read them: the snippets of lib/results/README.md as they stand there, .vtu files byte by byte and
through VTK, tools/render.py. What needs a package that is not there is skipped, and says so.
Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import support
from support import expect, numpy, run

program, source = sys.argv[1], sys.argv[2]
TYPES = {"Float64": "<f8", "Int64": "<i8", "UInt8": "<u1"}

CASE = """mesh: part.mesh
elements: linear
units: {length: m, force: N}
material: {young: 210e9, poisson: 0.3}
sets: {wall: {surface: 1}, end: {surface: 2}}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: end, total_force: [1, 2, -100]}]
steps:
  - {name: plain, static: {}}
  - {name: longer, edit: [{scale: {factor: [1.2, 1, 1]}}]}
  - {name: cut, edit: [{remove: {sphere: {center: [0.5, 0, 0], radius: 0.04}}}], static: {}}
output: {vtu: true, every: 1}
"""


def has(package):
    done = subprocess.run([sys.executable, "-c", f"import {package}"], capture_output=True)
    if done.returncode:
        print(f"  skipped: {package} is not there")
    return done.returncode == 0


def check_snippets(folder):
    """They all print the same numbers."""
    with open(os.path.join(source, "lib", "results", "README.md"), encoding="utf-8") as file:
        snippets = re.findall(r"```python\n(.*?)```", file.read(), re.S)
    expect(len(snippets) == 4, f"{len(snippets)} snippets")
    told = {}
    for text in snippets:
        packages = re.findall(r"^import (h5py|pyvista|meshio)", text, re.M)
        if all(has(package) for package in packages):
            done = subprocess.run([sys.executable, "-c", text], cwd=folder, capture_output=True, text=True, timeout=300)
            expect(done.returncode == 0, f"{packages}: {done.stderr[-500:]}")
            told[text] = done.stdout
    expect(len(set(told.values())) == 1, f"the snippets print {told.values()}")


def read_vtu(path):
    """Names of elements and arrays to numbers, without VTK."""
    with open(path, "rb") as file:
        data = file.read()
    mark = data.index(b"<AppendedData encoding=\"raw\">\n_") + len(b"<AppendedData encoding=\"raw\">\n_")
    expect(data.endswith(b"\n</AppendedData>\n</VTKFile>\n"), f"{path}: its end")
    root = ElementTree.fromstring(data[:mark] + b"</AppendedData></VTKFile>")
    found, piece = {}, root.find("UnstructuredGrid/Piece")
    for element in piece:
        for array in element:
            at = mark + int(array.get("offset"))
            size = int.from_bytes(data[at:at + 8], "little")
            values = numpy.frombuffer(data, TYPES[array.get("type")], offset=at + 8,
                                      count=size // numpy.dtype(TYPES[array.get("type")]).itemsize)
            width = int(array.get("NumberOfComponents"))
            found[element.tag, array.get("Name")] = values.reshape(-1, width) if width > 1 else values
    return int(piece.get("NumberOfPoints")), int(piece.get("NumberOfCells")), found


def check_vtu(folder):
    frames = support.read_frames(os.path.join(folder, "bracket.vtkhdf"))
    with open(os.path.join(folder, "bracket.pvd"), encoding="utf-8") as file:
        listed = [item.get("file") for item in ElementTree.parse(file).getroot().iter("DataSet")]
    expect(listed == [f"bracket.{k:06d}.vtu" for k in range(3)], f"listed: {listed}")
    expect(not os.path.exists(os.path.join(folder, "bracket.000007.vtu")), "a frame of an earlier run stays")
    for k, (name, frame) in enumerate(zip(listed, frames)):
        n_point, n_tet, found = read_vtu(os.path.join(folder, name))
        expect((n_point, n_tet) == (len(frame["Points"]), len(frame["Tets"])), f"{name}: counts")
        expect((found["Cells", "connectivity"].reshape(-1, 4) == frame["Tets"]).all(), f"{name}: tets")
        expect((found["Cells", "offsets"] == 4 * numpy.arange(1, n_tet + 1)).all(), f"{name}: offsets")
        expect((found["Cells", "types"] == 10).all() and len(found["Cells", "types"]) == n_tet, f"{name}: types")
        expect((found["Points", "Points"] == frame["Points"]).all(), f"{name}: points")
        for path, values in frame.items():
            if path.startswith(("PointData/", "CellData/")):
                own = found.get(tuple(path.split("/")))
                same = own is not None and own.shape == values.shape and (own == values).all()
                expect(same, f"{name}: {path} differs")
        expect(("PointData", "displacement") in found or k == 1, f"{name}: no displacement")


def check_vtk(folder):
    if not has("vtkmodules.vtkIOXML"):
        return
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
    for k in range(3):
        path = os.path.join(folder, f"bracket.{k:06d}.vtu")
        reader = vtkXMLUnstructuredGridReader()
        reader.SetFileName(path)
        reader.Update()
        grid, found = reader.GetOutput(), read_vtu(path)[2]
        expect(grid.GetNumberOfCells() > 0 and grid.GetCellType(0) == 10, f"VTK: cells of frame {k}")
        for (element, name), values in found.items():
            if element in ("PointData", "CellData"):
                data = grid.GetPointData() if element == "PointData" else grid.GetCellData()
                expect((vtk_to_numpy(data.GetArray(name)) == values).all(), f"VTK: {name} of frame {k}")


def check_render(folder):
    """The same picture from either file; never one of files that do not belong together."""
    if not has("vtkmodules.vtkRenderingOpenGL2"):
        return
    words = [sys.executable, os.path.join(source, "tools", "render.py")]
    pictures = []
    for ending in ("vtkhdf", "xdmf"):
        done = subprocess.run([*words, f"bracket.{ending}", "out.png", "--step", "2"], cwd=folder, capture_output=True,
                              text=True, timeout=300)
        if "this VTK" in done.stderr:
            print(f"  skipped: {done.stderr.strip()}")
            continue
        expect(done.returncode == 0, f"render.py {ending}: {done.stderr[-300:]}")
        with open(os.path.join(folder, "out.png"), "rb") as file:
            pictures.append(file.read())
    expect(len(set(pictures)) <= 1, "the pictures differ")
    record = os.path.join(folder, "bracket.vtkhdf.commit")
    open(record, "w", encoding="utf-8").close()
    done = subprocess.run([*words, "bracket.xdmf", "out.png"], cwd=folder, capture_output=True, text=True, timeout=300)
    expect(done.returncode == 1 and "half replaced" in done.stderr, f"a half-replaced set: {done.stderr[-300:]}")
    os.remove(record)


def main():
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        run(program, "shape", "box", "--size", "1,0.1,0.1", "--cells", "30,4,4", "-o", "part.mesh", folder=folder)
        with open(os.path.join(folder, "case.yaml"), "w", encoding="utf-8") as file:
            file.write(CASE)
        open(os.path.join(folder, "bracket.000007.vtu"), "w", encoding="utf-8").close()
        run(program, "run", "case.yaml", "-o", "bracket", "--device", "host", folder=folder)
        for check in (check_snippets, check_vtu, check_vtk, check_render):
            check(folder)
        before = {name: open(os.path.join(folder, name), "rb").read() for name in os.listdir(folder)
                  if name.startswith("bracket.0") or name == "bracket.pvd"}
        run(program, "convert", "bracket.vtkhdf", "bracket.pvd", folder=folder)
        after = {name: open(os.path.join(folder, name), "rb").read() for name in before}
        expect(before == after and len(before) == 4, "converted afterwards")
        done = support.execute(program, "convert", "part.mesh", "part.pvd", folder=folder)
        expect(done.returncode == 2, "a mesh is no result")
    return support.finish("readers")


sys.exit(main())
