#!/usr/bin/python3
"""check_meshio.py PROGRAM SOURCE_DIR BUILD_DIR

One body with two regions, two labeled faces and sets by name, written by meshio in each of its formats
and settings that are read here: counts, volumes of regions, areas of faces and names are the same, and
so is the answer of a case, with linear and with quadratic tets. Then what meshio reads of what the
program writes. Exit status 77 without meshio (tools/setup.sh)."""
import contextlib
import glob
import os
import re
import sys
import tempfile

import checks
from checks import expect

program, _, build = (os.path.abspath(path) for path in sys.argv[1:4])
sys.path += glob.glob(os.path.join(build, "..", "python", "lib", "python3*", "site-packages"))
try:
    import meshio
    import support
    from support import numpy
except ImportError as missing:
    print(f"skipped: {missing} (tools/setup.sh test)")
    sys.exit(77)

LEFT, RIGHT, WALL, TIP = 3, 7, 11, 12
NAMES = {"left": (LEFT, 3), "right": (RIGHT, 3), "wall": (WALL, 2), "tip": (TIP, 2)}
EDGES = {"tetra10": ((0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3)), "triangle6": ((0, 1), (1, 2), (0, 2))}

CASE = """mesh: FILE
ELEMENTSmaterial:
  - {region: LEFT, young: 200, poisson: 0.3}
  - {region: RIGHT, young: 100, poisson: 0.2}
SETSconstraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: tip, total_force: [0, 0.01, -0.02]}]
steps:
  - static: {tolerance: 1e-10}
"""
LABELS = "sets: {wall: {surface: 11}, tip: {surface: 12}}\n"
PLACES = ("sets: {wall: {plane: {point: [0, 0, 0], normal: x}, of: faces}, "
          "tip: {plane: {point: [2, 0, 0], normal: x}, of: faces}}\n")


class Body:
    """A bent bar: regions one behind the other, faces out of it."""

    def __init__(self, folder, ten=False):
        checks.run(program, "shape", "box", "--size", "2,1,1", "--cells", "4,2,2" if ten else "8,4,4",
                   "-o", "box.mesh", folder=folder)
        box = support.read_medit(os.path.join(folder, "box.mesh"))
        side = box.points[box.tets].mean(axis=1)[:, 0] > 1
        tets = numpy.vstack((box.tets[~side], box.tets[side]))
        self.n_left = int((~side).sum())
        x, y, z = box.points.T
        whole = support.Mesh(box.points, tets)
        skin = whole.boundary()[2]
        wall, tip = (skin[(x[skin] == end).all(axis=1)] for end in (0, 2))
        self.points = numpy.stack((x, y + 0.1 * numpy.sin(x), z - x * x / 30), 1)
        self.tets, self.faces, self.n_wall = tets, numpy.vstack((wall, tip)), len(wall)
        self.corners, self.ten = len(self.points), ten
        self.volume = support.Mesh(self.points, tets).volumes()
        if ten:
            self.add_middles()

    def add_middles(self):
        ends = numpy.sort(self.tets[:, EDGES["tetra10"]].reshape(-1, 2), axis=1)
        unique = numpy.unique(ends, axis=0)
        place = {tuple(pair): self.corners + i for i, pair in enumerate(unique)}
        for name, kind in (("tets", "tetra10"), ("faces", "triangle6")):
            cells = getattr(self, name)
            middle = [[place[tuple(sorted((cell[a], cell[b])))] for a, b in EDGES[kind]] for cell in cells]
            setattr(self, name, numpy.hstack((cells, middle)))
        self.points = numpy.vstack((self.points, self.points[unique].mean(axis=1)))

    def mesh(self, key, split=False, **more):
        """Labels by the name that a format has for them; split: a block of cells each."""
        cut = {"tets": self.n_left, "faces": self.n_wall}
        blocks, labels, entities = [], [], []
        for name, kind, pair in (("tets", "tetra", (LEFT, RIGHT)), ("faces", "triangle", (WALL, TIP))):
            cells, n = getattr(self, name), cut[name]
            kind += {True: {"tetra": "10", "triangle": "6"}[kind], False: ""}[self.ten]
            label = numpy.repeat(pair, (n, len(cells) - n))
            for first, end in ((0, n), (n, len(cells))) if split else ((0, len(cells)),):
                blocks.append((kind, cells[first:end]))
                labels.append(label[first:end])
                entities.append(numpy.where(label[first:end] == pair[0], 1, 2))
        data = {key: labels} if key else {}
        if key == "gmsh:physical":
            data["gmsh:geometrical"] = entities
        return meshio.Mesh(self.points, blocks, cell_data=data, **more)

    def gmsh(self):
        """Of 4.1: every node belongs to one entity, and all entities have nodes."""
        x = self.points[:, 0]
        tags = numpy.stack((numpy.where((x == 0) | (x == 2), 2, 3), numpy.where(x < 1, 1, 2)), 1)
        return self.mesh("gmsh:physical", True, point_data={"gmsh:dim_tags": tags},
                         field_data={name: numpy.array(value) for name, value in NAMES.items()})

    def sets(self):
        """All by name: of cells in blocks, of points."""
        n = [numpy.arange(k) for k in (self.n_left, len(self.tets) - self.n_left, self.n_wall,
                                       len(self.faces) - self.n_wall)]
        none = numpy.array([], int)
        cells = {name: [n[i] if i == k else none for i in range(4)] for k, name in enumerate(NAMES)}
        return self.mesh(None, True, cell_sets=cells,
                         point_sets={"corner": numpy.flatnonzero(self.points[:self.corners].max(axis=1) == 2)})

    def med(self):
        """Families of MED: their numbers are the tags, negative for cells, and have names of groups."""
        mesh = self.mesh("cell_tags")
        family = {LEFT: -1, RIGHT: -2, WALL: -3, TIP: -4}
        mesh.cell_data["cell_tags"] = [numpy.vectorize(family.get)(tags) for tags in mesh.cell_data["cell_tags"]]
        mesh.cell_tags = {family[label]: [name] for name, (label, _) in NAMES.items()}
        corner = self.points[:, :].max(axis=1) == 2
        corner[self.corners:] = False
        mesh.point_data["point_tags"] = numpy.where(corner, 1, 0)
        mesh.point_tags = {1: ["corner"]}
        return mesh


def files(body):
    """Name, mesh, format and settings, how the case names parts, by how much the answer may differ."""
    gmsh22 = body.mesh("gmsh:physical", field_data={name: numpy.array(v) for name, v in NAMES.items()})
    for binary in (True, False):
        yield f"two-{binary}.msh", gmsh22, "gmsh22", {"binary": binary}, "names", 0
        # in the order of its entities
        yield f"four-{binary}.msh", body.gmsh(), "gmsh", {"binary": binary}, "names", 1e-9
        for kind in ("vtk42", "vtk"):
            yield f"{kind}-{binary}.vtk", body.mesh("gmsh:physical"), kind, {"binary": binary}, "labels", 0
    for packed in ("zlib", None):
        yield f"{packed}.vtu", body.mesh("gmsh:physical"), "vtu", {"compression": packed}, "labels", 0
    yield "text.vtu", body.mesh("gmsh:physical"), "vtu", {"binary": False}, "labels", 1e-9
    for data in ("XML", "HDF"):
        yield f"{data}.xdmf", body.mesh("medit:ref"), "xdmf", {"data_format": data}, "labels", 0
    yield "packed.xdmf", body.mesh("medit:ref"), "xdmf", {"compression": "gzip"}, "labels", 0
    yield "families.med", body.med(), "med", {}, "sets", 1e-9  # it turns tets otherwise
    yield "deck.inp", body.sets(), "abaqus", {}, "sets", 0
    for points in ("free", "fixed-large"):
        for cells in ("fixed-small", "fixed-large"):  # its "free" fails
            mesh = body.mesh("nastran:ref")
            mesh.points = mesh.points.round(6)  # meshio has no room for more digits of each number
            yield (f"{points}-{cells}.bdf", mesh, "nastran", {"point_format": points, "cell_format": cells}, "labels", 1e-4)
    if not body.ten:
        yield "plain.mesh", body.mesh("medit:ref"), "medit", {}, "labels", 0
        tets = meshio.Mesh(body.points, [("tetra", body.tets)], cell_data={
            "tetgen:ref": [numpy.repeat((LEFT, RIGHT), (body.n_left, len(body.tets) - body.n_left))]})
        yield "plain.node", tets, "tetgen", {}, "places", 0


# ---- what the program makes of them ------------------------------------------------------------------

def number(pattern, text):
    found = re.search(pattern, text)
    return float(found.group(1).replace(",", "")) if found else None


def check_counts(folder, name, body, names):
    told = checks.run(program, "info", name, folder=folder)
    if told is None:
        return
    left = body.volume[:body.n_left].sum(), body.volume[body.n_left:].sum()
    counts = {r"\btets +([\d,]+)": len(body.tets), r"\bvertices +([\d,]+)": body.corners}
    for pattern, count in counts.items():
        expect(number(pattern, told) == count, f"{name}: {pattern} is not {count}:\n{told}")
    labels = (1, 2) if names == "sets" else (LEFT, RIGHT)  # regions of a deck are numbered
    if names != "sets":
        for label, n, volume in zip(labels, (body.n_left, len(body.tets) - body.n_left), left):
            there = number(rf"region {label} .*?([\d,]+) tets", told), number(rf"region {label} .*volume (\S+)", told)
            expect(there[0] == n and abs(there[1] - volume) < 1e-5 * volume, f"{name}: region {label}: {there}")
    for label, n in (() if names == "places" else ((WALL, body.n_wall), (TIP, len(body.faces) - body.n_wall))):
        word = rf"surface {label} .*?" if names == "labels" else rf"surface .*'{'wall' if label == WALL else 'tip'}' +"
        there = number(word + r"([\d,]+) triangles", told)
        expect(there == n, f"{name}: surface {label}: {there}, not {n}:\n{told}")
    if names == "sets":
        expect("group 'corner'" in told, f"{name}: no group of points:\n{told}")


def solve(folder, name, body, names):
    """Displacements, and areas of the two faces."""
    case = CASE.replace("FILE", name).replace("ELEMENTS", "" if body.ten else "elements: linear\n").replace("SETS", {"labels": LABELS, "places": PLACES}.get(names, ""))
    by_name = names in ("names", "sets")
    case = case.replace("LEFT", "left" if by_name else str(LEFT)).replace("RIGHT", "right" if by_name else str(RIGHT))
    checks.write(folder, "case.yaml", case)
    told = checks.run(program, "run", "case.yaml", "-o", "result", "--device", "host", "--threads", 1, folder=folder)
    if told is None:
        return None
    frame = support.read_frames(os.path.join(folder, "result.vtkhdf"))[0]
    areas = {row["set"]: float(row["area"]) for row in support.rows(os.path.join(folder, "result.sets.csv"))}
    expect(abs(areas.get("wall", 0) - 1) < 1e-5 and abs(areas.get("tip", 0) - 1) < 1e-5, f"{name}: areas {areas}")
    at = frame["PointData/vertex_id"] >= 0  # no middles
    points = frame["Points"][at]
    return frame["PointData/displacement"][at][numpy.lexsort(points.round(5).T)]


def write_by(name, mesh, kind, options, folder):
    with open(os.devnull, "w") as quiet, contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
        meshio.write(os.path.join(folder, name), mesh, kind, **options)


def check_files(folder, ten):
    body, first, n = Body(folder, ten), None, 0
    for name, mesh, kind, options, names, tolerance in files(body):
        write_by(name, mesh, kind, options, folder)
        check_counts(folder, name, body, names)
        answer = solve(folder, name, body, names)
        if answer is None:
            continue
        first = answer if first is None else first
        off = numpy.abs(answer - first).max() / numpy.abs(first).max()
        expect(off <= tolerance, f"{name}: displacements differ by {off:.1e}")
        n += 1
    print(f"  {n} files of tets with {10 if ten else 4} nodes: one answer")
    return body


def check_surfaces(folder):
    """Surfaces alone: the skin of the body."""
    body = Body(folder)
    skin = support.Mesh(body.points, body.tets).boundary()[2]
    mesh = meshio.Mesh(body.points, [("triangle", skin)])
    for name, kind, options in (("text.stl", "stl", {}), ("bytes.stl", "stl", {"binary": True}), ("skin.obj", "obj", {}),
                                ("skin.off", "off", {})):
        write_by(name, mesh, kind, options, folder)
        if not support.fill(program, os.path.join(folder, name), os.path.join(folder, "filled.mesh")):
            return
        filled = support.read_medit(os.path.join(folder, "filled.mesh"))
        expect(abs(filled.volumes().sum() - body.volume.sum()) < 1e-6, f"{name}: volume {filled.volumes().sum()}")
        ends = [(filled.points[:, 0] == x).sum() for x in (0, 2)]
        expect(min(ends) >= 25, f"{name}: {ends} vertices at the ends")


def check_refused(folder):
    """What is not read says so in one line."""
    body = Body(folder)
    write_by("lzma.vtu", body.mesh("gmsh:physical"), "vtu", {"compression": "lzma"}, folder)
    write_by("bytes.meshb", body.mesh("medit:ref"), "medit", {}, folder)
    write_by("bytes.xdmf", body.mesh("medit:ref"), "xdmf", {"data_format": "Binary"}, folder)
    write_by("lost.xdmf", body.mesh("medit:ref"), "xdmf", {}, folder)
    os.remove(os.path.join(folder, "lost.h5"))
    for name, word in (("lzma.vtu", "with ZLib (ParaView"), ("bytes.meshb", ".mesh"), ("bytes.xdmf", "XML and HDF are read"),
                       ("lost.xdmf", "lost.h5: cannot be opened")):
        done = checks.execute(program, "info", name, folder=folder)
        expect(done.returncode == 2 and done.stderr.count("\n") == 1 and word in done.stderr, f"{name}: {done.stderr}")


def check_damage(folder):
    """HDF5 with bytes that are wrong ends in a mesh or in one line, and soon."""
    body = Body(folder)
    write_by("good.med", body.med(), "med", {}, folder)
    write_by("good.xdmf", body.mesh("medit:ref"), "xdmf", {"compression": "gzip"}, folder)
    random = numpy.random.default_rng(7)
    for name, command in (("good.med", "good.med"), ("good.h5", "good.xdmf")):
        path = os.path.join(folder, name)
        with open(path, "rb") as file:
            good = file.read()
        for k in range(int(os.environ.get("EW_HDF5_MUTANTS", 60))):
            bad = bytearray(good)
            for at in random.integers(0, min(len(bad), (300, 4000, len(bad))[k % 3]), random.integers(1, 9)):
                bad[at] = random.integers(256)
            with open(path, "wb") as file:
                file.write(bad if k % 7 else bad[:random.integers(len(bad))])
            done = checks.execute(program, "info", command, folder=folder)
            said = sum(line.startswith("edgewise: ") for line in done.stderr.splitlines())  # a sanitizer says more
            right = done.returncode == 0 or (done.returncode in (1, 2) and said == 1)
            expect(right, f"{name}, change {k}: status {done.returncode}, {done.stderr[-300:]}")


def check_written(folder, ten):
    """Files of the program, as meshio reads them."""
    body = Body(folder, ten)
    write_by("part.msh", body.mesh("gmsh:physical", field_data={name: numpy.array(v) for name, v in NAMES.items()}),
             "gmsh22", {}, folder)
    for name in ("part.vtu", "part.vtk", "again.msh", "part.inp", *(() if ten else ("part.mesh", "part.node"))):
        checks.run(program, "convert", "part.msh", name, "--triangles", folder=folder)
        with contextlib.redirect_stdout(None):
            mesh = meshio.read(os.path.join(folder, name))
        tets = numpy.vstack([cells.data for cells in mesh.cells if cells.type.startswith("tetra")])
        expect(tets.shape == body.tets.shape and (tets[:, :4] == body.tets[:, :4]).all(), f"{name}: other tets")
        expect(numpy.abs(mesh.points[tets] - body.points[body.tets]).max() < 1e-14, f"{name}: other points")
        if name.endswith(".inp"):
            expect({"left", "right"} <= set(mesh.cell_sets), f"{name}: sets {sorted(mesh.cell_sets)}")


def main():
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        for ten in (False, True):
            check_files(folder, ten)
            check_written(folder, ten)
        check_surfaces(folder)
        check_refused(folder)
        check_damage(folder)
    return checks.finish("meshio")


sys.exit(main())
