#!/usr/bin/python3
"""check_results.py PROGRAM SOURCE_DIR BUILD_DIR

Reads the sample study that test_results writes with other people's readers: h5py for every dataset,
an XML parser for the XDMF, and those of VTK's readers that are installed (XDMF 2, XDMF 3, VTKHDF from
VTK 9.3 on) for every frame. Exit status 77 where h5py is missing.
"""

import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import support
from support import expect, h5py, numpy

N_FRAME = 4
TIMES = [0.5 * k for k in range(N_FRAME)]
FIELDS = {  # name: (components, type); one component is one-dimensional
    "PointData": {"vertex_id": (0, "<i8"), "displacement": (3, "<f8"), "von_mises": (0, "<f8")},
    "CellData": {"tet_id": (0, "<i8"), "region": (0, "<i4"), "born": (0, "<i4"),
                 "stress": (6, "<f8"), "von_mises": (0, "<f8")},
}


def expected_field(ids, frame, width):
    """What test_results.c wrote: sample_value()."""
    component = numpy.arange(max(width, 1))
    values = 1000.0 * frame + ids[:, None].astype(float) + component / 8.0 + 1.0 / 3.0
    return values if width else values[:, 0]


def check_series(root, fields_of):
    """Shapes, types and sums of everything below /VTKHDF but the steps."""
    expect(list(root.attrs["Version"]) == [2, 0], "Version")
    kind = root.attrs.get_id("Type")
    expect(root.attrs["Type"] == b"UnstructuredGrid", "Type")
    expect(not kind.get_type().is_variable_str(), "Type has a fixed length")
    n_point, n_tet, n_id = (root[f"NumberOf{k}"][:] for k in ("Points", "Cells", "ConnectivityIds"))
    expect(len(n_point) == len(n_tet) == len(n_id), "counts of parts")
    n_node = n_id[0] // n_tet[0]
    expect(n_node in (4, 10) and (n_id == n_node * n_tet).all(), "four ids for each tet, or ten")
    for name, shape, kind in (("Connectivity", (n_id.sum(),), "<i8"), ("Types", (n_tet.sum(),), "u1"),
                              ("Offsets", (n_tet.sum() + len(n_tet),), "<i8")):
        expect(root[name].shape == shape and root[name].dtype == kind, f"{name}: shape or type")
    expect((root["Types"][:] == (10 if n_node == 4 else 24)).all(), "Types are tetrahedra")
    begin = 0
    for n in n_tet:
        offsets = root["Offsets"][begin:begin + n + 1]
        expect((offsets == n_node * numpy.arange(n + 1)).all(), "Offsets restart with each part")
        begin += n + 1
    expect(root["Points"].shape[1] == 3 and root["Points"].dtype == "<f8", "Points")
    for place, fields in fields_of.items():
        expect(set(root[place]) == set(fields), f"names of {place}")
        for name, (width, kind) in fields.items():
            data = root[place][name]
            expect(data.shape[1:] == ((width,) if width else ()), f"{place}/{name}: shape")
            expect(data.dtype == kind, f"{place}/{name}: type")
            expect(data.chunks is not None and data.maxshape[0] is None, f"{place}/{name}: chunks")
    expect(len(root["FieldData"]) == 0, "FieldData is empty")


def check_steps(root, fields_of, times):
    """Offsets begin at 0, never go back and stay inside what they point into."""
    steps, n_frame = root["Steps"], len(times)
    expect(steps.attrs["NSteps"] == n_frame, "NSteps")
    expect(list(steps["Values"][:]) == times, "Values")
    expect((steps["NumberOfParts"][:] == 1).all(), "NumberOfParts")
    part = steps["PartOffsets"][:]
    columns = [("PartOffsets", (n_frame,), numpy.ones(n_frame), len(root["NumberOfPoints"])),
               ("PointOffsets", (n_frame,), root["NumberOfPoints"][:][part], len(root["Points"])),
               ("CellOffsets", (n_frame, 1), root["NumberOfCells"][:][part], len(root["Types"])),
               ("ConnectivityIdOffsets", (n_frame, 1), root["NumberOfConnectivityIds"][:][part],
                len(root["Connectivity"]))]
    for place, fields in fields_of.items():
        count = root["NumberOfPoints" if place == "PointData" else "NumberOfCells"][:][part]
        columns += [(f"{place}Offsets/{name}", (n_frame,), count, len(root[place][name]))
                    for name in fields]
    for name, shape, rows, total in columns:
        offset = steps[name][:]
        expect(offset.shape == shape and offset.dtype == "<i8", f"{name}: shape or type")
        offset = offset.reshape(-1)
        expect(offset[0] == 0 and (numpy.diff(offset) >= 0).all(), f"{name}: ascending")
        expect((offset + rows <= total).all() and offset[-1] + rows[-1] == total, f"{name}: range")


def read_frame(root, k, fields_of):
    """One frame by the rules of VTKHDF, as a reader would."""
    steps = root["Steps"]
    part = steps["PartOffsets"][k]
    n_point, n_tet = root["NumberOfPoints"][part], root["NumberOfCells"][part]
    point, tet = steps["PointOffsets"][k], steps["ConnectivityIdOffsets"][k, 0]
    offsets = root["Offsets"][steps["CellOffsets"][k, 0] + part:][:n_tet + 1]
    n_node = root["NumberOfConnectivityIds"][part] // n_tet  # ten of quadratic tets
    expect((offsets == n_node * numpy.arange(n_tet + 1)).all(), f"frame {k}: Offsets")
    frame = {"Points": root["Points"][point:point + n_point],
             "Tets": root["Connectivity"][tet:tet + n_node * n_tet].reshape(-1, n_node)}
    for place, fields in fields_of.items():
        for name in fields:
            begin = steps[f"{place}Offsets/{name}"][k]
            n = n_point if place == "PointData" else n_tet
            frame[f"{place}/{name}"] = root[place][name][begin:begin + n]
    return frame


def check_frame(frame, shown, k, fields_of):
    """Virtual datasets against the slices, and the slices against the rules of a frame."""
    for name, data in frame.items():
        if name not in shown:  # as the stress of a mode: the frame has no values of it
            expect(data.dtype.kind == "f" and numpy.isnan(data).all(), f"frame {k}: {name} is nowhere else")
            continue
        expect(shown[name].is_virtual, f"frame {k}: {name} is virtual")
        expect(shown[name].dtype == data.dtype, f"frame {k}: type of {name}")
        expect(numpy.array_equal(shown[name][:], data), f"frame {k}: {name} differs from the slice")
        expect(numpy.isfinite(data).all(), f"frame {k}: {name} is finite")
    corner = frame["Points"][frame["Tets"][:, :4]]
    volume = numpy.linalg.det(corner[:, 1:] - corner[:, :1])
    expect((volume > 0).all(), f"frame {k}: volumes")
    expect(len(numpy.unique(frame["Tets"])) == len(frame["Points"]), f"frame {k}: unused points")
    for place in fields_of:
        ids = frame[f"{place}/" + ("vertex_id" if place == "PointData" else "tet_id")]
        ids = ids[ids >= 0]  # of the middles of edges -1
        expect(len(numpy.unique(ids)) == len(ids), f"frame {k}: {place} ids are unique")


def check_sample_values(frame, k):
    for place, fields in FIELDS.items():
        ids = frame[f"{place}/" + ("vertex_id" if place == "PointData" else "tet_id")]
        for name, (width, kind) in fields.items():
            if kind == "<f8":
                expect(numpy.array_equal(frame[f"{place}/{name}"], expected_field(ids, k, width)),
                       f"frame {k}: values of {place}/{name}")


def check_study(study):
    expect(study.attrs["format"] == 1, "format")
    expect(study.attrs["program"] != b"", "program version")
    expect(study.attrs["length_unit"] == b"m" and study.attrs["time_unit"] == b"", "units")
    expect(study["case"][()].decode("utf-8").startswith("mesh: box.mesh # \u00e9"), "case text")
    expect(study["summary"][()].startswith(b"step,energy"), "summary")
    expect(list(study["Steps"]) == [f"{k:06d}" for k in range(N_FRAME)], "names of the steps")
    for k in range(N_FRAME):
        step = study["Steps"][f"{k:06d}"]
        expect(step.attrs["name"] == b"a & b <c>" and step.attrs["kind"] == b"static", "step name")
        expect(step.attrs["iterations"] == 12 + k, "a number")
        expect(list(step.attrs["applied_force"]) == [0.5, -2.0, 1e-300], "numbers")
        expect(len(step["history"]) == (3 if k > 0 else 0), "history")
        expect(bytes(step["journal"][:]) == (bytes([0, 255, k, 7, 10]) if k > 1 else b""), "journal")


def check_xdmf(path, file, fields_of, times):
    """Every item resolves to a dataset of the size and type it states."""
    grids = ElementTree.parse(path).getroot().findall("./Domain/Grid/Grid")
    expect(len(grids) == len(times), "grids in the XDMF")
    for k, grid in enumerate(grids):
        expect(float(grid.find("Time").get("Value")) == times[k], f"XDMF frame {k}: time")
        names = {(a.get("Center"), a.get("Name")) for a in grid.findall("Attribute")}
        expect(names == {("Node" if place == "PointData" else "Cell", name)
                         for place, fields in fields_of.items() for name in fields if f"{place}/{name}" in file[f"Frames/{k:06d}"]},
               f"XDMF frame {k}: attributes")
        for item in grid.iter("DataItem"):
            name, inside = item.text.split(":")
            data = file[inside]
            expect(name == os.path.basename(file.filename), f"{inside}: file name")
            expect(inside.startswith(f"/Frames/{k:06d}/"), f"{inside}: frame")
            shape = tuple(map(int, item.get("Dimensions").split()))
            if len(shape) == 3:  # each row of a matrix attribute is a matrix of one row
                shape = (shape[0], shape[1] * shape[2])
            expect(shape == data.shape, f"{inside}: shape")
            expect(int(item.get("Precision")) == data.dtype.itemsize, f"{inside}: precision")
            expect(item.get("NumberType") == {"f": "Float", "i": "Int", "u": "UChar"}[data.dtype.kind],
                   f"{inside}: number type")


def vtk_readers():
    """Name, reader and ending of VTK's readers that are installed."""
    found = []
    for module, name, ending in (("vtkIOXdmf2", "vtkXdmfReader", ".xdmf"),
                                 ("vtkIOXdmf3", "vtkXdmf3Reader", ".xdmf"),
                                 ("vtkIOHDF", "vtkHDFReader", ".vtkhdf")):
        try:
            reader = getattr(__import__(f"vtkmodules.{module}", fromlist=[name]), name)()
        except ImportError:
            print(f"  skipped: {name} is not installed")
            continue
        if name == "vtkHDFReader" and not hasattr(reader, "GetNumberOfSteps"):
            print("  skipped: this vtkHDFReader knows no steps (VTK before 9.3)")
            continue
        found.append((name, reader, ending))
    return found


def grid_of(output):
    """The one grid in what a reader gives."""
    if output.IsA("vtkCompositeDataSet"):
        blocks = output.NewIterator()
        output = blocks.GetCurrentDataObject()
    return output


def check_vtk_grid(name, grid, frame, k, fields_of):
    from vtkmodules.util.numpy_support import vtk_to_numpy
    where = f"{name}, frame {k}"
    if not grid or not grid.IsA("vtkUnstructuredGrid"):
        expect(False, f"{where}: gives no grid")
        return
    expect(grid.GetNumberOfCells() == len(frame["Tets"]), f"{where}: count of tets")
    if grid.GetNumberOfPoints() != len(frame["Points"]):
        expect(False, f"{where}: count of points {grid.GetNumberOfPoints()}")
        return
    expect(numpy.array_equal(vtk_to_numpy(grid.GetPoints().GetData()), frame["Points"]),
           f"{where}: points")
    cells = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(frame["Tets"].shape)
    expect(numpy.array_equal(cells, frame["Tets"]), f"{where}: tets")
    expect(grid.GetCellType(0) == (10 if frame["Tets"].shape[1] == 4 else 24), f"{where}: cell type")
    for place, fields in fields_of.items():
        data = grid.GetPointData() if place == "PointData" else grid.GetCellData()
        for field in fields:
            array, own = data.GetArray(field), frame[f"{place}/{field}"]
            is_nowhere = own.dtype.kind == "f" and numpy.isnan(own).all()  # as the stress of a mode
            expect(array is None and is_nowhere or array is not None and
                   numpy.array_equal(vtk_to_numpy(array), own, equal_nan=is_nowhere),
                   f"{where}: {place}/{field}")


def check_vtk(stem, frames, fields_of, times):
    for name, reader, ending in vtk_readers():
        reader.SetFileName(stem + ending)
        reader.UpdateInformation()
        pipeline = reader.GetExecutive()
        info = pipeline.GetOutputInformation(0)
        found = info.Get(type(pipeline).TIME_STEPS())
        # VTK's VTKHDF reader tells no times when there is one step only.
        expect(list(found or times[:1]) == times, f"{name}: times {found}")
        for k in list(range(len(times))) + list(range(min(len(times), 2)))[::-1]:  # also backwards
            reader.UpdateTimeStep(times[k])
            check_vtk_grid(name, grid_of(reader.GetOutputDataObject(0)), frames[k], k, fields_of)
        print(f"  {name}: {len(times)} frames read")


def main():
    writer = os.path.join(sys.argv[3], "tests", "test_results")
    if not os.path.exists(writer):
        print(f"skipped: {writer} is not built")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        stem = os.path.join(folder, "a study & more")
        subprocess.run([writer, "--sample", stem], check=True)
        expect(sorted(os.listdir(folder)) == ["a study & more.vtkhdf", "a study & more.xdmf"],
               "nothing but the two files")
        with h5py.File(stem + ".vtkhdf", "r") as file:
            check_series(file["VTKHDF"], FIELDS)
            check_steps(file["VTKHDF"], FIELDS, TIMES)
            frames = [read_frame(file["VTKHDF"], k, FIELDS) for k in range(N_FRAME)]
            expect(list(file["Frames"]) == [f"{k:06d}" for k in range(N_FRAME)], "names of frames")
            for k, frame in enumerate(frames):
                check_frame(frame, file["Frames"][f"{k:06d}"], k, FIELDS)
                check_sample_values(frame, k)
            check_study(file["Edgewise"])
            check_xdmf(stem + ".xdmf", file, FIELDS, TIMES)
        print(f"  h5py and XML: {N_FRAME} frames of {[len(f['Tets']) for f in frames]} tets read")
        check_vtk(stem, frames, FIELDS, TIMES)
    return support.finish("check_results")


if __name__ == "__main__":
    sys.exit(main())
