#!/usr/bin/python3
"""check_material_axes.py PROGRAM SOURCE_DIR BUILD_DIR

Axes of a material by tet, from a file: the answers of axes by region where they are the same, in the order of the mesh and
by tet_id, from arrays of cells, through edits that refine, reflect and turn, on host and device; and each way of a bad file, which ends in one line
with its place."""
import math
import os
import sys
import tempfile

import support
from support import expect, numpy

program, source = sys.argv[1], sys.argv[2]
WOOD = "young: [11e9, 0.9e9, 0.5e9], poisson: [0.37, 0.42, 0.47], shear: [0.7e9, 0.6e9, 0.05e9], density: 450"
CASE = """mesh: {mesh}
material: {{{wood}, axes: {axes}}}
elements: {elements}
sets:
  wall: {{plane: {{point: [0, 0, 0], normal: x}}}}
constraints: [{{set: wall, displacement: [0, 0, 0]}}]
loads: [{{gravity: [0, 0, -9.81]}}]
steps: [{{static: {{tolerance: 1e-11}}}}, {{edit: [{{refine: {{longer_than: 0.05}}}}], static: {{tolerance: 1e-11}}}}]
"""
AXES = [0.8, 0.6, 0.0, -0.6, 0.8, 0.0]


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def solve(folder, name, axes, elements, device="host", mesh=None):
    mesh = mesh or os.path.join(source, "datasets", "bar.mesh")
    write(os.path.join(folder, name + ".yaml"), CASE.format(mesh=mesh, wood=WOOD, axes=axes, elements=elements))
    if support.run(program, "run", name + ".yaml", "-o", name + "_answer", "--device", device, folder=folder) is None:
        return None
    return support.read_frames(os.path.join(folder, name + "_answer.vtkhdf"))


def check_answers(folder, n_tet):
    line = ", ".join(map(str, AXES))
    write(os.path.join(folder, "of_order.csv"), "a head, of words\n# and a comment\n" + (line + "\n") * n_tet)
    write(os.path.join(folder, "of_ids.csv"), "".join(f"{t}; {line.replace(',', ';')}\r\n" for t in reversed(range(n_tet))))
    for elements in ("linear", "quadratic"):
        fixed = solve(folder, "fixed", "{x: [0.8, 0.6, 0], y: [-0.6, 0.8, 0]}", elements)
        for name in ("order", "ids"):
            ours = solve(folder, name, f"{{csv: of_{name}.csv}}", elements)
            for a, b in zip(fixed or [], ours or []):
                u, v = a["PointData/displacement"], b["PointData/displacement"]
                apart = numpy.abs(u - v).max() / numpy.abs(u).max()
                expect(len(a["Tets"]) == len(b["Tets"]) and apart < 1e-8, f"{elements}, {name}: differ by {apart:.1e}")
        if support.has_opencl(program):
            ours = solve(folder, "there", "{csv: of_order.csv}", elements, device="opencl")
            for a, b in zip(fixed or [], ours or []):
                apart = numpy.abs(a["PointData/displacement"] - b["PointData/displacement"]).max()
                expect(apart < 1e-8 * numpy.abs(a["PointData/displacement"]).max(), f"{elements}, device: {apart:.1e}")
            expect(ours, f"{elements}: solved on the device")
        expect(fixed and len(fixed[1]["Tets"]) > n_tet, f"{elements}: the mesh was refined")


def numbers_of(name, width):
    """Rows behind a keyword of a MEDIT file."""
    with open(os.path.join(source, "datasets", "bar.mesh"), encoding="ascii") as file:
        words = file.read().split()
    at = words.index(name) + 2
    rows = numpy.array(words[at:at + width * int(words[at - 1])], float)
    return rows.reshape(-1, width)


def grid_files(folder, rows):
    """The bar as legacy and XML files of VTK, a triangle between its tets, axes in arrays of 6 and 9 numbers."""
    points, tets = numbers_of("Vertices", 4)[:, :3], numbers_of("Tetrahedra", 5)[:, :4].astype(int) - 1
    cells = [list(t) for t in tets[:5]] + [list(tets[0][:3])] + [list(t) for t in tets[5:]]
    axes = numpy.insert(numpy.array(rows, float), 5, [9] * 6, axis=0)
    nine = numpy.hstack([axes, numpy.cross(axes[:, :3], axes[:, 3:])])
    text = lambda values: "\n".join(" ".join(map(repr, row)) for row in numpy.asarray(values).tolist()) + "\n"
    lists = "".join(f"{len(c)} " + " ".join(map(str, c)) + "\n" for c in cells)
    types = "".join(("10" if len(c) == 4 else "5") + "\n" for c in cells)
    write(os.path.join(folder, "bar.vtk"), "# vtk DataFile Version 3.0\nbar\nASCII\nDATASET UNSTRUCTURED_GRID\n"
          f"POINTS {len(points)} double\n{text(points)}CELLS {len(cells)} {sum(len(c) + 1 for c in cells)}\n{lists}"
          f"CELL_TYPES {len(cells)}\n{types}CELL_DATA {len(cells)}\nTENSORS fibers double\n{text(nine)}TENSORS6 more double\n{text(axes)}"
          f"FIELD field 1\nsix 6 {len(cells)} double\n{text(axes)}")
    ends = numpy.cumsum([len(c) for c in cells]).tolist()
    array = lambda name, kind, n, values: (f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{n}" '
                                           f'format="ascii">\n{values}</DataArray>\n')
    write(os.path.join(folder, "bar.vtu"), '<VTKFile type="UnstructuredGrid" version="1.0"><UnstructuredGrid>'
          f'<Piece NumberOfPoints="{len(points)}" NumberOfCells="{len(cells)}">\n<CellData>'
          + array("fibers", "Float64", 9, text(nine)) + array("turned", "Float64", 9, text(nine[:, [3, 4, 5, 0, 1, 2, 6, 7, 8]]))
          + array("three", "Float64", 3, text(nine[:, :3])) + "</CellData><Points>"
          + array("p", "Float64", 3, text(points)) + "</Points><Cells>"
          + array("connectivity", "Int64", 1, " ".join(str(v) for c in cells for v in c))
          + array("offsets", "Int64", 1, " ".join(map(str, ends))) + array("types", "UInt8", 1, types.replace("\n", " "))
          + "</Cells></Piece></UnstructuredGrid></VTKFile>\n")


def check_arrays(folder, n_tet):
    """Axes that differ from tet to tet, by a file of lines and by arrays."""
    angle = numpy.arange(n_tet) * 0.01
    zero = 0 * angle
    rows = numpy.array([numpy.cos(angle), numpy.sin(angle), zero, -numpy.sin(angle), numpy.cos(angle), zero]).T
    grid_files(folder, rows.tolist())
    write(os.path.join(folder, "rows.csv"), "".join(", ".join(map(repr, row)) + "\n" for row in rows.tolist()))
    expected = solve(folder, "rows", "{csv: rows.csv}", "linear")
    for mesh, name in (("bar.vtk", "fibers"), ("bar.vtk", "six"), ("bar.vtk", "more"), ("bar.vtu", "fibers")):
        ours = solve(folder, "array", f"{{array: {name}}}", "linear", mesh=mesh)
        expect(ours and expected and
               numpy.array_equal(ours[0]["PointData/displacement"], expected[0]["PointData/displacement"]),
               f"{mesh}, {name}: other answers than by lines")
    wrong = {("bar.vtu", "none"): "no array of cells 'none'", ("bar.vtu", "three"): "has 3 numbers a cell",
             ("bar.vtu", "turned"): "not right-handed",
             (os.path.join(source, "datasets", "bar.mesh"), "fibers"): "no arrays of cells"}
    for (mesh, name), words in wrong.items():
        write(os.path.join(folder, "bad.yaml"),
              CASE.format(mesh=mesh, wood=WOOD, axes=f"{{array: {name}}}", elements="linear"))
        done = support.execute(program, "run", "bad.yaml", "-o", "answer", "--quiet", "--device", "host", folder=folder)
        lines = done.stderr.strip().splitlines()
        expect(done.returncode == 2 and len(lines) == 1 and words in lines[0], f"{words}: {done.returncode}, {lines}")


def check_kept_ids(folder):
    """A mesh that keeps ids and slots: lines and arrays are in its order, ids those it keeps."""
    support.run(program, "remove", "bar.vtu", "-o", "kept.vtu", "--ids", "3,4", folder=folder)
    mesh = solve(folder, "plain", "{x: [1, 0, 0], y: [0, 1, 0]}", "linear", mesh="kept.vtu")[0]
    tet_id = mesh["CellData/tet_id"][:]
    ids = numpy.sort(tet_id)
    expect(ids.max() >= len(ids), "the mesh has holes")
    angle = 0.01 * numpy.arange(len(ids))
    rows = [[math.cos(a), math.sin(a), 0, -math.sin(a), math.cos(a), 0] for a in angle]
    write(os.path.join(folder, "in_order.csv"), "".join(", ".join(map(repr, row)) + "\n" for row in rows))
    write(os.path.join(folder, "by_id.csv"),
          "".join(f"{i}, " + ", ".join(map(repr, row)) + "\n" for i, row in reversed(list(zip(ids, rows)))))
    one, other = (solve(folder, name, f"{{csv: {name}.csv}}", "linear", mesh="kept.vtu") for name in ("in_order", "by_id"))
    expect(one and other and numpy.array_equal(one[0]["PointData/displacement"], other[0]["PointData/displacement"]),
           "kept ids: lines in order and by id differ")


def run_turned(folder, name, edit, loads, axes, more=()):
    """Frames before and after an edit, with what the program says."""
    write(os.path.join(folder, name + ".yaml"), f"""mesh: {os.path.join(source, "datasets", "bar.mesh")}
elements: linear
material: {{{WOOD}, axes: {axes}}}
sets: {{floor: {{plane: {{point: [0, 0, 0], normal: z}}}}}}
constraints: [{{set: floor, displacement: [0, 0, 0]}}]
steps:
  - {{loads: [{{gravity: [0, 3, -9.81]}}], static: {{tolerance: 1e-11}}}}
  - {{edit: [{edit}], loads: [{{gravity: {loads}}}], static: {{tolerance: 1e-11}}}}
""")
    done = support.execute(program, "run", name + ".yaml", "-o", name, "--device", "host", "--verify-rebuild", *more, folder=folder)
    expect(done.returncode == 0, f"{name}: {done.stderr}")
    return support.read_frames(os.path.join(folder, name + ".vtkhdf")), done.stdout


def apart(frame, one, other, matrix, image):
    """How far displacements at the images of places are from the images of displacements."""
    x, u = frame["Points"][:], frame["PointData/displacement"][:]
    worst = 0.0
    for place, moved in zip(one, other):
        near = numpy.abs(x - image(place)).sum(axis=1).argmin()
        expect(numpy.abs(x[near] - image(place)).max() < 1e-9, "a place has no image")
        worst = max(worst, numpy.abs(u[near] - matrix @ moved).max())
    return worst / numpy.abs(other).max()


def check_turned(folder, n_tet):
    """A body with fibers at an angle that is reflected or turned answers as its image; a replay has the same bits. Axes of a
    region stay, which is said, but not of materials that have none."""
    line = ", ".join(map(str, [0.6, 0.0, 0.8, 0.0, 1.0, 0.0]))
    write(os.path.join(folder, "fibers.csv"), (line + "\n") * n_tet)
    flip, turn = numpy.diag([-1.0, 1, 1]), numpy.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    edits = (("mirror", "{mirror: {normal: x, at: max}}", [0, 3, -9.81], flip),
             ("rotate", "{rotate: {angle: 90, axis: z}}", [-3, 0, -9.81], turn),
             ("move", "{move: {angle: 90, axis: z}}", [-3, 0, -9.81], turn))
    for name, edit, loads, matrix in edits:
        frames, said = run_turned(folder, name, edit, loads, "{csv: fibers.csv}")
        x, u = frames[0]["Points"][:], frames[0]["PointData/displacement"][:]
        if name == "mirror":
            x, u = frames[1]["Points"][:], frames[1]["PointData/displacement"][:]
        end = numpy.array([x[:, 0].max(), 0, 0]) if name == "mirror" else numpy.zeros(3)
        worst = apart(frames[1], x, u, matrix, lambda p: matrix @ p + end)
        expect(worst < 1e-7, f"{name}: the image differs by {worst:.1e}")
        expect("axes of their material" not in said, f"{name}: axes by tet are warned of")
        expect(" 0 blocks differ" in said, f"{name}: blocks are those of a rebuild")
        support.run(program, "replay", name + ".vtkhdf", "-o", name + "_again", "--device", "host", folder=folder)
        again = support.read_frames(os.path.join(folder, name + "_again.vtkhdf"))
        expect(numpy.array_equal(again[1]["PointData/displacement"][:], frames[1]["PointData/displacement"][:]),
               f"{name}: a replay differs")
    for name, edit, loads, _ in edits:
        said = run_turned(folder, "fixed_" + name, edit, loads, "{x: [0.6, 0, 0.8], y: [0, 1, 0]}")[1]
        expect("axes of their material do not: those of region" in said, f"{name}: fixed axes are warned of")
        said = run_turned(folder, "none_" + name, edit, loads, "{cylinder: {point: [0, 0, 0], axis: z}}")[1]
        expect(("axes of their material" in said) == (name == "mirror"), f"{name}: axes of a cylinder")


def check_refused(folder, n_tet):
    good = [list(AXES) for _ in range(n_tet)]
    text = lambda rows: "".join(", ".join(map(str, row)) + "\n" for row in rows)
    ids = [[t, *row] for t, row in enumerate(good)]
    bad = {
        "it has axes of": text(good[:-1]),
        "axes of tet 3: axes 1 and 2": text(good[:3] + [[1, 0, 0, 1, 1, 0]] + good[4:]),
        "axes of tet 0: axis 2 is (0, 0, 0)": text([[1, 0, 0, 0, 0, 0]] + good[1:]),
        "bad.csv:5: a number is not finite": text(good[:4] + [[1, 0, 0, "nan", 1, 0]] + good[5:]),
        "bad.csv:2: a line has 6 numbers": text([good[0], good[1][:5]] + good[2:]),
        "bad.csv:3: a line has 6 numbers": text(good[:2] + [["word"] + good[2]] + good[3:]),
        "bad.csv:8: tet 6 has axes already": text(ids[:7] + [ids[6]] + ids[8:]),
        "there are no axes of tet 9": text(ids[:9] + ids[10:]),
        "there is no tet -1": text([[-1, *AXES]] + ids[1:]),
        "there is no tet 1e+300": text([[1e300, *AXES]] + ids[1:]),
        "there is no tet 0.5": text([[0.5, *AXES]] + ids[1:]),
        "there are no axes of tet 0": "",
        "bad.csv": None,
    }
    mesh = os.path.join(source, "datasets", "bar.mesh")
    for words, content in bad.items():
        path = os.path.join(folder, "bad.csv")
        if content is None:
            os.remove(path)
        else:
            write(path, content)
        write(os.path.join(folder, "bad.yaml"), CASE.format(mesh=mesh, wood=WOOD, axes="{csv: bad.csv}", elements="linear"))
        done = support.execute(program, "run", "bad.yaml", "-o", "answer", "--quiet", "--device", "host", folder=folder)
        lines = done.stderr.strip().splitlines()
        expect(done.returncode == 2 and len(lines) == 1 and words in lines[0], f"{words}: {done.returncode}, {lines}")
    for axes in ("{csv: 3, x: [1, 0, 0]}", "{csv: []}", "{array: []}", "{array: a, csv: b}", "{csv: bad.csv, cylinder: {point: [0, 0, 0], axis: z}}"):
        write(os.path.join(folder, "bad.yaml"), CASE.format(mesh=mesh, wood=WOOD, axes=axes, elements="linear"))
        done = support.execute(program, "run", "bad.yaml", "-o", "answer", "--quiet", folder=folder)
        expect(done.returncode == 2 and len(done.stderr.strip().splitlines()) == 1, f"{axes}: {done.stderr}")


with tempfile.TemporaryDirectory() as where:
    count = len(solve(where, "plain", "{x: [1, 0, 0], y: [0, 1, 0]}", "linear")[0]["Tets"])
    check_answers(where, count)
    check_arrays(where, count)
    check_kept_ids(where)
    check_turned(where, count)
    check_refused(where, count)
sys.exit(support.finish("check_material_axes.py"))
