#!/usr/bin/python3
"""check_sets.py PROGRAM SOURCE_DIR BUILD_DIR

Sets of three kinds, made by the case and by its steps: what the result file and the tables beside it
say of each, worked out again from its mask and the fields; what info and run print; names that are formulas; replays;
pictures where VTK is installed.
"""
import csv
import os
import re
import subprocess
import sys
import tempfile

import support
from support import expect, h5py, numpy

program, source = sys.argv[1], sys.argv[2]
FACES = ((1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1))  # opposite each vertex, normal outwards

CASE = """mesh: box.mesh
units: {length: m, force: N, time: s}
material: {young: 1e6, poisson: 0.3, density: 1000}
sets:
  wall: {surface: 1}
  floor: {surface: 5}
  end of it/2.0: {surface: 2, of: vertices}
  end of it_2_0: {surface: 2}
  half: {side: {point: [2, 0, 0], normal: x}, of: tets}
  slope: {all: true, normal: [0, 1, 1], angle: 50}
  nothing: {box: [[9, 9, 9], [10, 10, 10]], allow_empty: true}
constraints:
  - {set: wall, displacement: [0, 0, ~]}
  - {set: floor, displacement: [~, ~, 0]}
loads:
  - {set: end of it_2_0, total_force: [0, 30, 0]}
steps:
  - static: {}
  - name: finer
    edit:
      - {refine: {longer_than: 0.8, set: half}}
      - {move: {set: {plane: {point: [4, 0, 0], normal: x, tolerance: 1e-6}, of: faces}, by: [0.5, 0, 0.1]}}
    sets:
      roof: {surface: 6}
      slope: {subtract: [slope, roof]}
    loads:
      - {set: {box: [[3, 0, 0], [9, 1, 0.5]], of: faces, normal: y}, pressure: 5}
      - {gravity: [1, 0, 0]}
    static: {}
  - name: cut
    edit:
      - {decimate: {fraction: 0.2, axis: [0, 1, 0], protect: [wall, end of it_2_0, nothing]}}
    loads: [{gravity: [0, 1, 0]}]
    static: {}
under_constrained: leave_out
elements: linear
"""


class Frame:
    def __init__(self, data, record, step):
        self.points, self.tets = data["Points"], data["Tets"]
        self.data, self.record, self.step = data, record, step
        corner = self.points[self.tets]
        self.volume = numpy.linalg.det(corner[:, 1:] - corner[:, :1]) / 6
        self.faces = self.tets[:, FACES]  # [m][4][3]
        ids = numpy.sort(self.faces.reshape(-1, 3), axis=1)
        _, inverse, times = numpy.unique(ids, axis=0, return_inverse=True, return_counts=True)
        self.outer = (times[inverse.ravel()] == 1).reshape(-1, 4)
        a, b, c = (self.points[self.faces[:, :, k]] for k in range(3))
        self.area = numpy.linalg.norm(numpy.cross(b - a, c - a), axis=2) / 2
        self.center = (a + b + c) / 3


def members(frame, kind, mask):
    """(indices, weights, [weights' vertices]) of a set, and its vertices."""
    if kind == "vertices":
        at = numpy.flatnonzero(mask)
        return numpy.ones(len(at)), at[:, None], at
    if kind == "tets":
        at = frame.tets[mask == 16]
        return frame.volume[mask == 16], at, numpy.unique(at)
    chosen = (mask[:, None] >> numpy.arange(4) & 1) == 1
    expect((frame.outer | ~chosen).all(), f"{frame.step}: faces of the mask that are not on the boundary")
    at = frame.faces[chosen]
    return frame.area[chosen], at, numpy.unique(at)


def same(a, b, what, scale=None):
    size = max(numpy.abs(b).max() if scale is None else scale, 1e-300)
    expect(numpy.abs(numpy.asarray(a) - b).max() <= 1e-9 * size, f"{what}: {a} against {b}")


def mean_of(weight, at, field):
    return (weight @ field[at].mean(axis=1)) / weight.sum()


def check_results(frame, record, weight, at, vertices, what):
    field, kind = frame.data, record["kind"].decode()
    u, mises = field["PointData/displacement"], field["PointData/von_mises"]
    largest = numpy.linalg.norm(u, axis=1).max()
    same(record["mean_displacement"], mean_of(weight, at, u), f"{what}: mean_displacement", largest)
    same(record["max_displacement"], numpy.linalg.norm(u[vertices], axis=1).max(), f"{what}: max_displacement")
    mean, top = mean_of(weight, at, mises), mises[vertices].max()
    if kind == "tets":
        own = field["CellData/von_mises"][field["CellData/" + record["mask"].decode()] == 16]
        mean, top = weight @ own / weight.sum(), max(own.max(), top)
    same(record["mean_von_mises"], mean, f"{what}: mean_von_mises")
    same(record["max_von_mises"], top, f"{what}: max_von_mises")


def check_reaction(frame, record, vertices, components, what):
    expect(("reaction_force" in record) == bool(components), f"{what}: reaction")
    if components:
        f = frame.data["PointData/reaction"][vertices] * [c in components for c in "xyz"]
        size = numpy.abs(frame.data["PointData/reaction"]).sum()
        same(record["reaction_force"], f.sum(0), f"{what}: reaction_force", size)
        arm = frame.points[vertices] - record["centroid"]
        same(record["reaction_moment"], numpy.cross(arm, f).sum(0), f"{what}: reaction_moment", 4 * size)


def check_set(frame, record):
    name, kind = record["name"].decode(), record["kind"].decode()
    what = f"{frame.step}, {name}"
    place = "PointData" if kind == "vertices" else "CellData"
    weight, at, vertices = members(frame, kind, frame.data[f"{place}/{record['mask'].decode()}"].astype(int))
    expect(record["members"] == len(weight), f"{what}: {record['members']} members, its mask has {len(weight)}")
    if not len(weight):
        expect("centroid" not in record and "mean_displacement" not in record, f"{what}: says of nothing")
        return
    if kind == "vertices":  # what a pressure on it would act on
        inside = numpy.isin(frame.faces, vertices).all(axis=2) & frame.outer
        same(record["area"], frame.area[inside].sum(), f"{what}: area", 1)
    else:
        same(record["area" if kind == "faces" else "volume"], weight.sum(), f"{what}: size")
    same(record["centroid"], mean_of(weight, at, frame.points), f"{what}: centroid", 4)
    same(record["low"], frame.points[vertices].min(0), f"{what}: low", 4)
    same(record["high"], frame.points[vertices].max(0), f"{what}: high", 4)
    check_results(frame, record, weight, at, vertices, what)
    check_reaction(frame, record, vertices, {"wall": "xy", "floor": "z"}.get(name, ""), what)


VECTORS = ("centroid", "low", "high", "mean_displacement", "reaction_force", "reaction_moment")


def check_table(path, frames):
    """NAME.sets.csv holds what the result file does."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    expect(len(rows) == sum(len(f.record) for f in frames), f"{len(rows)} rows in the table of sets")
    for row, (frame, record) in zip(rows, ((f, r) for f in frames for r in f.record)):
        what = f"row {row['step']}, {row['set']}"
        expect((row["step"], row["set"], row["kind"]) ==
               (frame.step, record["name"].decode(), record["kind"].decode()), what)
        for key in ("members", "area", "volume", "max_displacement", "mean_von_mises", "max_von_mises"):
            expect(row[key] == "" if key not in record else float(row[key]) == record[key], f"{what}: {key}")
        for key in VECTORS:
            for c, axis in enumerate("xyz"):
                cell = row[f"{key}_{axis}" if key not in ("low", "high") else f"{key}_{axis}"]
                expect(cell == "" if key not in record else float(cell) == record[key][c], f"{what}: {key}")


def read_frames(path):
    frames = []
    data = support.read_frames(path)
    with h5py.File(path) as file:
        for k, frame in enumerate(data):
            step = file[f"Edgewise/Steps/{k:06d}"]
            frames.append(Frame(frame, [dict(s.attrs) for s in step["Sets"].values()], step.attrs["name"].decode()))
    return frames


def check_in_edit(out):
    """A set given in place in an edit is told as the edit found it."""
    expect(re.search(r"^  .* faces +8 +1  \(4, 0.5, 0.5\) +\(4, 0, 0\) to \(4, 1, 1\)$", out, re.M),
           f"what the move took is not told: {out}")


def check_run(folder):
    out = support.run(program, "run", "case.yaml", "-o", "sets", "--device", "host", folder=folder)
    frames = read_frames(os.path.join(folder, "sets.vtkhdf"))
    names = [r["name"].decode() for r in frames[0].record]
    expect(names == ["wall", "floor", "end of it/2.0", "end of it_2_0", "half", "slope", "nothing", "roof", "box in line 27"],
           f"sets in the result: {names}")
    masks = [r["mask"].decode() for r in frames[0].record]
    expect(masks[2:4] == ["set_end_of_it_2_0", "set_end_of_it_2_0_2"], f"masks: {masks}")
    for frame in frames:
        for record in frame.record:
            check_set(frame, record)
    record = {r["name"].decode(): [dict(f.record[k]) for f in frames] for k, r in enumerate(frames[0].record)}
    expect(record["roof"][0]["members"] == 0 and record["roof"][1]["members"] > 0, "a set that a step makes")
    same(record["slope"][0]["area"], 8, "area that leans less than 50 degrees to y and z")
    same(record["slope"][1]["area"], 4.5, "area of slope without roof")
    same(record["end of it_2_0"][2]["area"], 1, "area of a protected set", 1)
    same(record["wall"][2]["area"], 1, "area of a protected support", 1)
    check_table(os.path.join(folder, "sets.sets.csv"), frames)
    for words in ("sets               of ", "made in step 'finer'", "empty: the selection catches nothing",
                  "  sets made  ", "  supports  ", "moment about the set's centroid", "step 'step 1'",
                  "step 'cut' lost the force" if "lost the force" in out else "", "sets.sets.csv"):
        expect(words in out, f"run does not say '{words}'")
    check_in_edit(out)
    out = support.run(program, "replay", "sets.vtkhdf", folder=folder)
    expect("same bits" in (out or ""), "a replay differs")
    print(f"  {len(frames)} frames of {len(names)} sets")


def check_info(folder):
    out = support.run(program, "info", "case.yaml", folder=folder)
    lines = {line.split()[0]: line.split() for line in out.splitlines() if line.startswith("  ")}
    expect(lines["wall"][1:4] == ["faces", "8", "1"], f"wall: {lines['wall']}")
    expect(lines["half"][1:4] == ["tets", "96", "2"], f"half: {lines['half']}")
    expect("finer: refine, move; sets 'roof', 'slope'; static" in out, "the steps")
    with open(os.path.join(folder, "bad.yaml"), "w") as file:
        file.write(CASE.replace("surface: 5", "surface: 77"))
    done = support.execute(program, "info", "bad.yaml", folder=folder)
    expect(done.returncode == 2 and "bad.yaml:6: set 'floor': surface 77" in done.stderr and
           "'edgewise info' lists them" in done.stderr, done.stderr)
    shared = "vertices of several of these sets count in each"
    for wall, words in ("[0, 0, ~]", False), ("[0, 0, 0]", True):
        with open(os.path.join(folder, "shared.yaml"), "w") as file:
            file.write(CASE.split("steps:")[0].replace("[0, 0, ~]", wall) + "elements: linear\n")
        out = support.run(program, "run", "shared.yaml", "-o", "shared", folder=folder)
        expect((shared in (out or "")) == words, f"reactions of vertices that both supports hold along z: {out}")


def content(path):
    """All masks and what is said of the sets of each step, as bytes."""
    found = {}
    with h5py.File(path) as file:
        for frame, data in file["Frames"].items():
            for place in ("PointData", "CellData"):
                found.update({f"{frame}/{name}": item[()].tobytes() for name, item in data[place].items()
                              if name.startswith("set_")})
        for step in file["Edgewise/Steps"]:
            for number, record in file[f"Edgewise/Steps/{step}/Sets"].items():
                found.update({f"{step}/{number}/{key}": numpy.asarray(value).tobytes()
                              for key, value in record.attrs.items()})
    return found


def check_resumed(folder):
    """Steps taken from a checkpoint make the same sets: the last step fails, twice."""
    with open(os.path.join(folder, "fails.yaml"), "w") as file:
        file.write(CASE.replace("under_constrained", "  - {name: fails, static: {max_iterations: 1}}\n"
                                                     "under_constrained"))
    seen = []
    for more in ((), ("--resume",)):
        support.run(program, "run", "fails.yaml", "-o", "kept", "--device", "host", *more, status=1, folder=folder)
        seen.append(content(os.path.join(folder, "kept.partial.vtkhdf")))
    different = [name for name in seen[0].keys() | seen[1].keys() if seen[0].get(name) != seen[1].get(name)]
    expect(len(seen[0]) > 100 and not different, f"sets after --resume: {len(seen[0])}, {different[:5]}")


GROWING = """mesh: box.mesh
elements: linear
material: {young: 1e6, poisson: 0.3, density: 1000}
sets: {wall: {surface: 1}, tip: {surface: 2}}
constraints: [{set: wall, displacement: [0, 0, 0]}]
steps:
  - {loads: [{set: tip, traction: [1, 0, 0]}], static: {}}
  - name: longer
    edit: [{add: {mesh: more.mesh, weld: 1e-6}}]
    sets:
      tip: {surface: 2}
      ends: {union: [wall, tip, {surface: 1}]}
      new: {side: {point: [4, 0, 0], normal: x}, of: tets}
    loads: [{set: tip, total_force: [3, 0, 0]}]
    static: {}
"""


def check_added(folder):
    """Labels and places that an added mesh brings."""
    support.run(program, "move", "box.mesh", "--by", "4,0,0", "-o", "more.mesh", folder=folder)
    with open(os.path.join(folder, "growing.yaml"), "w") as file:
        file.write(GROWING)
    support.run(program, "run", "growing.yaml", "-o", "growing", "--device", "host", folder=folder)
    frames = read_frames(os.path.join(folder, "growing.vtkhdf"))
    record = {r["name"].decode(): r for r in frames[1].record}
    same(record["tip"]["area"], 1, "area of the added tip")
    same(record["tip"]["centroid"], numpy.array([8, 0.5, 0.5]), "centroid of the added tip")
    same(record["ends"]["area"], 2, "area of both ends: what was welded is no boundary any more")
    expect(record["new"]["members"] == 192 and len(frames[1].tets) == 384, "added tets by place")
    same(frames[1].data["numbers"]["applied_force"], numpy.array([3, 0, 0]), "force on the added tip")
    same(record["wall"]["reaction_force"][:1], numpy.array([-3]), "reaction at the old wall", 1e3)


FORMULAS = """mesh: box.mesh
elements: linear
material: {young: 1e6, poisson: 0.3, density: 1000}
sets:
  "=1+1": {surface: 1}
  "+half": {side: {point: [2, 0, 0], normal: x}, of: tets}
  "-end": {surface: 2}
  "@it": {surface: 3}
  "'quoted": {surface: 4}
  plain: {surface: 5}
constraints: [{set: "=1+1", displacement: [0, 0, 0]}]
loads: [{gravity: [0, 0, -1]}]
steps:
  - name: '=HYPERLINK("http://x", "y")'
    static: {}
  - {name: '-2', static: {}}
"""


def check_formulas(folder):
    """Names that a spreadsheet program would run have a mark before them, in every table, and are told without it."""
    names = ["=1+1", "+half", "-end", "@it", "'quoted", "plain"]
    support.write(folder, "formulas.yaml", FORMULAS)
    support.run(program, "run", "formulas.yaml", "-o", "formulas", "--device", "host", "--quiet", folder=folder)
    steps = ['=HYPERLINK("http://x", "y")', "-2"]
    for ending, column, known in ((".csv", "step", steps), (".sets.csv", "set", names), (".sets.csv", "step", steps)):
        with open(os.path.join(folder, "formulas" + ending), newline="", encoding="utf-8") as file:
            cells = [row[column] for row in csv.DictReader(file)]
        expect(not [c for c in cells if c[0] in "=+-@\t\r"], f"{ending}: {cells}")
        expect({c[1:] if c[0] == "'" else c for c in cells} == set(known), f"{ending}: {cells} of {known}")
    found = set()
    with h5py.File(os.path.join(folder, "formulas.vtkhdf")) as file:
        file.visititems(lambda _, item: found.add(item.attrs["name"].decode()) if "kind" in item.attrs else None)
    expect(found == {*names, *steps}, f"names in the file: {found}")


def check_pictures(folder):
    for python in (os.path.join(sys.argv[3], "..", "python", "bin", "python"), sys.executable):
        if os.path.exists(python) and not subprocess.run(
                [python, "-c", "import vtkmodules.vtkIOXdmf2"], capture_output=True).returncode:
            break
    else:
        print("  skipped: no VTK for pictures")
        return
    render = os.path.join(source, "tools", "render.py")
    for step, names in ((0, "wall,half,end of it/2.0"), (2, "all")):
        done = subprocess.run([python, render, "sets.xdmf", "sets.png", "--step", str(step), "--color-by",
                               "set:" + names], cwd=folder, capture_output=True, text=True, timeout=300)
        expect(done.returncode == 0 and os.path.getsize(os.path.join(folder, "sets.png")) > 5000, done.stderr)
        os.remove(os.path.join(folder, "sets.png"))
    done = subprocess.run([python, render, "sets.xdmf", "sets.png", "--color-by", "set:roofs"], cwd=folder,
                          capture_output=True, text=True, timeout=300)
    expect(done.returncode == 1 and "there is no set 'roofs'; known: " in done.stderr, done.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        support.run(program, "shape", "box", "--size", "4,1,1", "--cells", "8,2,2", "-o", "box.mesh", folder=folder)
        with open(os.path.join(folder, "case.yaml"), "w") as file:
            file.write(CASE)
        check_info(folder)
        check_run(folder)
        check_resumed(folder)
        check_added(folder)
        check_formulas(folder)
        check_pictures(folder)
    return support.finish("check_sets")


if __name__ == "__main__":
    sys.exit(main())
