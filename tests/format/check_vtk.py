#!/usr/bin/python3
"""check_vtk.py PROGRAM SOURCE_DIR BUILD_DIR

Grids that VTK's own writers write in every way they know (text, base64, appended; compressed or not;
both orders of bytes; legacy as text and binary) hold the same mesh with the same named parts, and
VTK reads what the program writes. Exit status 77 without VTK's Python module (tools/setup.sh)."""
import glob
import os
import sys
import tempfile

import checks
from checks import expect

program, _, build = (os.path.abspath(path) for path in sys.argv[1:4])
sys.path += glob.glob(os.path.join(build, "..", "python", "lib", "python3*", "site-packages"))
try:
    import vtkmodules.vtkIOLegacy as legacy
    import vtkmodules.vtkIOXML as xml
except ImportError:
    print("VTK's Python module is not installed")
    sys.exit(77)

PART = """*NODE
1, 0, 0, 0
2, 1, 0, 0
3, 0, 1, 0
4, 0, 0, 1
5, 1, 1, 1
*ELEMENT, TYPE=C3D4, ELSET=left
1, 1, 2, 3, 4
*ELEMENT, TYPE=C3D4, ELSET=right
2, 2, 3, 4, 5
*NSET, NSET=tip
5
*ELSET, ELSET=both
1, 2
*SURFACE, NAME=wall
1, S1
*SURFACE, NAME=outer
both
"""


def facts(folder, name):
    """Regions, surfaces and groups as the program lists them, in any order."""
    told = checks.run(program, "info", name, folder=folder)
    return sorted(line for line in (told or "").splitlines()
                  if line.startswith(("region", "surface", "group", "volume", "vertices")))


def xml_files(grid, folder):
    for mode, packed, wide, encoded, big in ((m, c, h, e, b) for m in range(3) for c in (0, 1)
                                             for h in (0, 1) for e in (0, 1) for b in (0, 1)):
        writer = xml.vtkXMLUnstructuredGridWriter()
        writer.SetInputData(grid)
        writer.SetDataMode(mode)
        writer.SetEncodeAppendedData(encoded)
        (writer.SetCompressorTypeToZLib if packed else writer.SetCompressorTypeToNone)()
        (writer.SetHeaderTypeToUInt64 if wide else writer.SetHeaderTypeToUInt32)()
        (writer.SetByteOrderToBigEndian if big else writer.SetByteOrderToLittleEndian)()
        name = f"{mode}{packed}{wide}{encoded}{big}.vtu"
        writer.SetFileName(os.path.join(folder, name))
        writer.Write()
        yield name


def legacy_files(grid, folder):
    for binary in (0, 1):
        for version in (42, 51):
            writer = legacy.vtkUnstructuredGridWriter()
            writer.SetInputData(grid)
            (writer.SetFileTypeToBinary if binary else writer.SetFileTypeToASCII)()
            writer.SetFileVersion(version)
            name = f"{binary}{version}.vtk"
            writer.SetFileName(os.path.join(folder, name))
            writer.Write()
            yield name


with tempfile.TemporaryDirectory() as work:
    checks.write(work, "part.inp", PART)
    there = facts(work, "part.inp")
    expect(len(there) == 8, f"what the deck holds: {there}")
    for out, reader in (("part.vtu", xml.vtkXMLUnstructuredGridReader()),
                        ("part.vtk", legacy.vtkUnstructuredGridReader())):
        checks.run(program, "convert", "part.inp", out, "--triangles", folder=work)
        reader.SetFileName(os.path.join(work, out))
        if out.endswith("vtk"):
            reader.ReadAllScalarsOn()
        reader.Update()
        grid = reader.GetOutput()
        expect((grid.GetNumberOfPoints(), grid.GetNumberOfCells()) == (5, 9),
               f"{out}: {grid.GetNumberOfPoints()} points, {grid.GetNumberOfCells()} cells in VTK")
        expect(facts(work, out) == there, f"{out}: {facts(work, out)}")
        for name in (*xml_files(grid, work), *legacy_files(grid, work)):
            expect(facts(work, name) == there, f"{name}, as VTK writes {out}: {facts(work, name)}")
sys.exit(checks.finish("vtk"))
