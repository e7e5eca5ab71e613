"""CAD files to tets and to stresses: volumes, areas and names of STEP, IGES and BREP files, sizes,
units, curved sides, the same mesh every time; files that are no good end in one line.

check_cad.py PROGRAM SOURCE BUILD"""

import csv
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

import numpy
import support
from support import expect, run, write

program, source, build = (os.path.abspath(word) for word in sys.argv[1:4])
maker = os.path.join(build, "tests", "make_cad")
helper = os.path.join(os.path.dirname(program), "edgewise-gmsh")
run = __import__("functools").partial(run, program)

BRACKET = (8 * 60 * 60 + 72 * 60 * 8 + (1 - math.pi / 4) * 100 * 60
           - 2 * math.pi * 4.5 ** 2 * 8 - math.pi * 12 ** 2 * 8)


class Labels:
    """Of a MEDIT file: areas by label of triangles, volumes by region."""

    def __init__(self, path):
        with open(path) as file:
            words = file.read().split()
        self.area, self.volume, self.edge = {}, {}, {}
        rows = {}
        for name, width, second in (("Vertices", 4, 4), ("Triangles", 4, 7), ("Tetrahedra", 5, 11)):
            at = words.index(name) if name in words else None
            if name + "P2" in words:  # corners, middles, label
                at, width = words.index(name + "P2"), second
            n = int(words[at + 1]) if at else 0
            rows[name] = numpy.array(words[at + 2:at + 2 + n * width] if at else [],
                                     dtype=float).reshape(n, width)
        self.points = rows["Vertices"][:, :3]
        self.tets = rows["Tetrahedra"][:, :4].astype(int) - 1
        self.region = rows["Tetrahedra"][:, -1].astype(int)
        self.face = rows["Triangles"][:, :3].astype(int) - 1
        corner = self.points[self.face]
        area = numpy.linalg.norm(numpy.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]),
                                 axis=1) / 2
        side = numpy.linalg.norm(corner[:, 1] - corner[:, 0], axis=1)
        self.label = label = rows["Triangles"][:, -1].astype(int)
        tet = self.points[self.tets]
        volume = numpy.linalg.det(tet[:, 1:] - tet[:, :1]) / 6
        self.positive = bool((volume > 0).all())
        for one in numpy.unique(label):
            self.area[int(one)] = area[label == one].sum()
            self.edge[int(one)] = side[label == one].mean()
        for one in numpy.unique(self.region):
            self.volume[int(one)] = volume[self.region == one].sum()


def mesh(folder, name, *options):
    """What `edgewise mesh` makes of a file, and what it says."""
    said = run("mesh", name, *options, "-o", "out.mesh", folder=folder)
    return (Labels(os.path.join(folder, "out.mesh")), said) if said is not None else (None, "")


def names(folder, name):
    """Names of regions and surfaces by label, as `info` tells."""
    said = run("info", name, folder=folder) or ""
    return {(kind, text): int(label) for kind, label, text in
            re.findall(r"^(region|surface) +(\d+) +'([^']*)'", said, re.M)}


def near(a, b, share):
    return abs(a - b) <= share * abs(b)


def check_shapes(folder):
    print("shapes")
    for name in ("cube.step", "cube-inch.stp", "cube.iges", "cube.brep", "faces.igs"):
        for algorithm in ("hxt", "delaunay"):
            got, said = mesh(folder, name, "--size", 3, "--algorithm", algorithm)
            expect(got and got.positive and near(sum(got.volume.values()), 1000, 1e-9) and
                   len(got.area) == 6 and all(near(a, 100, 1e-9) for a in got.area.values()),
                   f"{name} by {algorithm}: {got and (got.volume, got.area)}")
    got, said = mesh(folder, "hollow.step", "--size", 1.5)
    ball = 4 / 3 * math.pi * 27
    expect(near(sum(got.volume.values()), 1000 - ball, 0.02) and near(got.area[7], 36 * math.pi, 0.05),
           f"hollow.step: {got.volume}, {got.area}")


def check_names(folder):
    print("names")
    found = names(folder, "cube.step")
    expect(set(found) == {("region", "die"), ("surface", "left"), ("surface", "right")}, f"cube.step: {found}")
    for name in ("cube.iges", "faces.igs", "hollow.iges"):
        found = names(folder, name)
        expect(set(found) == {("surface", "left"), ("surface", "right")}, f"{name}: {found}")
        got, _ = mesh(folder, name, "--size", 3)
        side = [got.points[got.face[got.label == found["surface", text]]][:, :, 0] for text in ("left", "right")]
        expect(len(side[0]) and not side[0].any() and len(side[1]) and (abs(side[1] - 10) < 1e-9).all(), f"{name}: sides")
    found = names(folder, "pair.step")
    expect(set(found) == {("region", "rubber"), ("region", "steel"), ("surface", "foot"),
                          ("surface", "top")}, f"pair.step: {found}")
    got, _ = mesh(folder, "pair.step", "--size", 3)
    areas = {text: got.area[label] for (kind, text), label in found.items() if kind == "surface"}
    volumes = {text: got.volume[label] for (kind, text), label in found.items() if kind == "region"}
    expect(near(volumes["rubber"], 1000, 1e-9) and near(volumes["steel"], 150, 1e-9), f"{volumes}")
    expect(near(areas["top"], 100, 1e-9) and near(areas["foot"], 25, 1e-9), f"areas {areas}")
    # Where the solids touch they have the same triangles: no face is in three tets, those of the foot in two.
    faces = numpy.sort(got.tets[:, support.FACES].reshape(-1, 3), axis=1)
    _, first, times = numpy.unique(faces, axis=0, return_index=True, return_counts=True)
    inside = got.points[faces[first[times == 2]]]
    between = inside[(abs(inside[:, :, 0] - 10) < 1e-9).all(axis=1)]
    area = numpy.linalg.norm(numpy.cross(between[:, 1] - between[:, 0], between[:, 2] - between[:, 0]), axis=1)
    expect(times.max() == 2 and near(area.sum() / 2, 25, 1e-9), f"between the solids: {area.sum() / 2}")
    found = names(folder, "bracket.step")
    expect(set(found) == {("region", "bracket"), ("surface", "bolts"), ("surface", "fillet"),
                          ("surface", "hole"), ("surface", "shelf"), ("surface", "wall")}, f"bracket.step: {found}")


def check_sizes(folder):
    print("sizes and units")
    found = names(folder, "bracket.step")
    hole, wall = found["surface", "hole"], found["surface", "wall"]
    coarse, _ = mesh(folder, "bracket.step", "--size", 8)
    fine, _ = mesh(folder, "bracket.step", "--size", 8, "--sizes", "hole=1")
    expect(coarse.edge[hole] > 2.5 and 0.7 < fine.edge[hole] < 1.3, f"hole: {coarse.edge[hole]}, {fine.edge[hole]}")
    expect(near(fine.edge[wall], coarse.edge[wall], 0.05), "the wall is far from it")
    graded, _ = mesh(folder, "bracket.step", "--size", 8, "--sizes", "hole=1", "--growth", 1.5)
    expect(len(graded.tets) < 0.85 * len(fine.tets), f"growth: {len(graded.tets)} of {len(fine.tets)}")
    numbered, _ = mesh(folder, "bracket.step", "--size", 8, "--sizes", f"{hole}=1")
    expect(len(numbered.tets) == len(fine.tets), "a face by its number")
    curved, _ = mesh(folder, "bracket.step", "--size", 8, "--curvature", 40)
    around = 2 * math.pi * 12 / 40
    expect(0.6 * around < curved.edge[hole] < 1.5 * around, f"curvature: {curved.edge[hole]} for {around}")
    expect(near(sum(curved.volume.values()), BRACKET, 1e-3), f"volume {curved.volume} for {BRACKET}")
    better, _ = mesh(folder, "bracket.step", "--size", 3, "--quality", 0.5)
    expect(better and near(sum(better.volume.values()), BRACKET, 5e-3), "quality 0.5")
    for unit, scale in (("m", 1e-3), ("in", 1 / 25.4), ("cm", 0.1)):
        for name in ("cube.step", "cube-inch.stp", "cube.iges"):
            got, said = mesh(folder, name, "--unit", unit)
            expect(near(sum(got.volume.values()), 1000 * scale ** 3, 1e-6) and f"in {unit};" in said,
                   f"{name} in {unit}: {got.volume}")
    one = os.path.join(folder, "out.mesh")
    texts = set()
    for threads in ("1", "2", "1"):
        subprocess.run([program, "mesh", "bracket.step", "--curvature", "20", "-o", "out.mesh"], cwd=folder,
                       env=dict(support.ENVIRONMENT, OMP_NUM_THREADS=threads), stdout=subprocess.DEVNULL, check=True)
        with open(one, "rb") as file:
            texts.add(file.read())
    expect(len(texts) == 1, "the mesh is not the same every time")


def check_curved(folder):
    """Tets of ten nodes have curved sides at a hollow, and so much nearer a volume and weight."""
    print("curved sides")
    right = 1000 - 36 * math.pi
    for name in ("hollow.step", "hollow.iges"):
        off = []
        for order in (1, 2):
            write(folder, "hollow.yaml", f"mesh: {{file: {name}, size: 2, order: {order}}}\nunits: {{length: mm, force: N}}\n"
                  f"elements: {('linear', 'quadratic')[order - 1]}\n"
                  "material: {young: 1000, poisson: 0.3, density: 2}\nsets: {low: {box: [[0, 0, 0], [10, 10, 0]]}}\n"
                  "constraints: [{set: low, displacement: [0, 0, 0]}]\nloads: [{gravity: [0, 0, -1]}]\n")
            run("run", "hollow.yaml", "-o", "hollow", "--device", "host", folder=folder)
            frame = support.read_frames(os.path.join(folder, "hollow.vtkhdf"))[0]
            expect(frame["Tets"].shape[1] == (4, 10)[order - 1], f"{name}: tets of {frame['Tets'].shape[1]} nodes")
            off += [abs(frame["numbers"]["volume"] / right - 1), abs(frame["numbers"]["reaction_force"][2] / (2 * right) - 1)]
        expect(max(off[:2]) < 0.03 and max(off[2:]) < 0.05 * min(off[:2]), f"{name}: volumes and weights off by {off}")


def check_meshes(folder):
    """A mesh that Gmsh has written as .unv and as .bdf, with four and with ten nodes, and one by meshio."""
    print("meshes of others")
    places = (("tests/fuzz/corpus/unv/names.unv", ("3", "7"), {"left": 100}),
              ("tests/fuzz/corpus/unv/names2.unv", ("3", "7"), {"left": 100}),
              ("tests/fuzz/corpus/bdf/names.bdf", ("1", "2"), {}), ("tests/fuzz/corpus/bdf/names2.bdf", ("1", "2"), {}))
    for name, regions, areas in places:
        path = os.path.join(source, name)
        said = run("info", path, folder=folder) or ""
        found = re.findall(r"^region +(\d+) .*?(\d+) tets, volume (\S+)", said, re.M)
        expect(found == [(regions[0], "36", "1000"), (regions[1], "24", "150")], f"{name}: {found}")
        expect(len(re.findall("^surface", said, re.M)) == 2, f"{name}: {said}")
        run("convert", path, "out.mesh", folder=folder)
        got = Labels(os.path.join(folder, "out.mesh"))
        labels = names(folder, path)
        for text, area in areas.items():
            expect(near(got.area[labels["surface", text]], area, 1e-6), f"{name}: {text}: {got.area}")
    try:
        import meshio
    except ImportError:
        print("  skipped: there is no meshio")
        return
    run("shape", "box", "--size", "2,1,1", "--cells", "4,2,2", "-o", "box.mesh", folder=folder)
    box = support.read_medit(os.path.join(folder, "box.mesh"))
    meshio.write_points_cells(os.path.join(folder, "box.bdf"), box.points, [("tetra", box.tets)])
    said = run("info", "box.bdf", folder=folder) or ""
    expect(f"{len(box.tets)} tets" in said and re.search(r"^volume +2$", said, re.M), f"box.bdf by meshio: {said}")


def check_bad(folder):
    print("bad input")
    with open(os.path.join(folder, "cube.step"), "rb") as file:
        whole = file.read()
    for share in (0, 0.2, 0.7, 0.99):
        with open(os.path.join(folder, "cut.step"), "wb") as file:
            file.write(whole[:int(share * len(whole))])
        refuse(folder, ("info", "cut.step"), "truncated")
    for name, text in (("face.step", "no solid"), ("shell.step", "no solid"), ("overlap.step", "stay apart with 'solids: apart'"),
                       ("nothing.step", "cannot be opened")):
        refuse(folder, ("mesh", name, "-o", "bad.mesh"), text)
    got, _ = mesh(folder, "shell.step", "--sew", 0.01)
    expect(near(sum(got.volume.values()), 1000, 1e-9), "a shell that is sewn")
    refuse(folder, ("mesh", "face.step", "--sew", 0.01, "-o", "bad.mesh"), "free")
    for name in ("text.step", "text.iges", "text.brep"):
        write(folder, name, "nothing of the kind\n" * 20)
        refuse(folder, ("info", name), name)
    for options, text in ((("--size", "1e-7"), "would make about"), (("--sizes", "left=1e-9"), "size of 'left'"),
                          (("--size", "500"), "size 500 is larger than the part, which is"),
                          (("--sizes", "lid=1"), "no face is named 'lid'; there are faces 1 to 6, named 'left', 'right'"),
                          (("--sizes", "7=1"), "no face is named '7'"), (("--sizes", "left"), "FACE=SIZE"),
                          (("--sizes", "left=-1"), "FACE=SIZE"), (("--size", "2", "--min-size", "3"), "above size"),
                          (("--max-volume", "1"), "for surfaces"), (("--quality", "1.4"), "[0.1, 0.9]"),
                          (("--unit", "parsec"), "unit"), (("--order", "3"), "order"),
                          (("--max-seconds", "0.001"), "within 0.001 s"), (("--max-memory", "0.001"), "GiB")):
        refuse(folder, ("mesh", "cube.step", *options, "-o", "bad.mesh"), text)
    bracket = os.path.join(os.path.abspath(source), "datasets", "bracket.step")
    refuse(folder, ("mesh", bracket, "--size", 100, "--order", 2, "-o", "bad.mesh"), "curved sides fold its tet")
    for algorithm in "hxt", "delaunay":  # its threads find no memory, and end the process
        refuse(folder, ("mesh", os.path.join(os.path.abspath(source), "datasets", "bracket.step"), "--size", 1, "--max-memory", 0.1,
                        "--algorithm", algorithm, "-o", "bad.mesh"), "needs more than 0.1 GiB")
    expect(not os.path.exists(os.path.join(folder, "bad.mesh")), "a mesh was written")
    alone = os.path.join(folder, "alone")
    shutil.copy(program, alone)
    done = subprocess.run([alone, "info", "cube.step"], cwd=folder, capture_output=True, text=True,
                          env=dict(support.ENVIRONMENT, PATH="/nowhere"))
    expect(done.returncode == 2 and "EW_WITH_GMSH" in done.stderr and "libgmsh-dev" in done.stderr, f"without its program: {done.stderr}")


def refuse(folder, words, text):
    done = support.execute(program, *words, folder=folder)
    expect(done.returncode in (1, 2) and text in done.stderr and len(done.stderr.splitlines()) == 1,
           f"{words}: status {done.returncode}: {done.stderr}")


CASE = """mesh: {file: bracket.step, size: 8, curvature: 12}
elements: linear
units: {length: mm, force: N}
material: {young: 210000, poisson: 0.3}
constraints: [{set: bolts, displacement: [0, 0, 0]}]
loads: [{set: shelf, total_force: [0, 0, -900]}]
"""


def check_case(folder):
    print("a case")
    write(folder, "case.yaml", CASE)
    run("run", "case.yaml", "-o", "case", "--device", "host", folder=folder)
    frame = support.read_frames(os.path.join(folder, "case.vtkhdf"))[0]
    # The same mesh from a file, with labels in place of names.
    found = names(folder, "bracket.step")
    run("mesh", "bracket.step", "--size", 8, "--curvature", 12, "-o", "plain.mesh", folder=folder)
    write(folder, "plain.yaml", "\n".join([CASE.replace("{file: bracket.step, size: 8, curvature: 12}", "plain.mesh"),
          "sets:", f"  bolts: {{surface: {found['surface', 'bolts']}}}", f"  shelf: {{surface: {found['surface', 'shelf']}}}\n"]))
    run("run", "plain.yaml", "-o", "plain", "--device", "host", folder=folder)
    plain = support.read_frames(os.path.join(folder, "plain.vtkhdf"))[0]
    expect((frame["PointData/displacement"] == plain["PointData/displacement"]).all(), "other displacements")
    run("replay", "case.vtkhdf", "-o", "again", folder=folder)
    # Lengths in the case's unit: stresses are the same numbers in Pa.
    write(folder, "meter.yaml", CASE.replace("length: mm", "length: m").replace("size: 8", "size: 0.008")
          .replace("210000", "210e9"))
    run("run", "meter.yaml", "-o", "meter", "--device", "host", folder=folder)
    meter = support.read_frames(os.path.join(folder, "meter.vtkhdf"))[0]
    expect(near(numpy.abs(meter["CellData/von_mises"]).max(), 1e6 * numpy.abs(frame["CellData/von_mises"]).max(), 0.2),
           "stresses in Pa")
    for old, new, text in (("size: 8", "size: 0", "greater than 0"), ("size: 8", "size: many", "must be a number"),
                           ("size: 8", "width: 8", "width"), ("size: 8", "algorithm: best", "algorithm"),
                           ("size: 8", "sizes: {lid: 1}", "no face is named 'lid'"),
                           ("size: 8", "sizes: {hole: 0}", "greater than 0"), ("size: 8", "sizes: 3", "by name or number"),
                           ("size: 8", "sizes: {hole: 1, hole: 2}", "hole"), ("size: 8", "order: 3", "order"),
                           ("size: 8", "unit: yard", "unit"), ("size: 8", "quality: 2", "at least 0.1 and at most 0.9"),
                           ("size: 8", "size: .nan", "number"), ("curvature: 12", "curvature: -1", "at least 0"),
                           ("length: mm", "length: meters", "CAD files are in a unit"),
                           ("file: bracket.step", "size: 2", "size"), ("bracket.step", "plain.mesh", "CAD files alone"),
                           ("set: bolts", "set: bolt", "bolts")):
        write(folder, "bad.yaml", CASE.replace(old, new))
        refuse(folder, ("run", "bad.yaml", "-o", "bad"), text)
    for old, new in (("size: 8", "size: h"), ("size: 8", "sizes: {hole: h}"), ("curvature: 12", "curvature: h")):
        write(folder, "bad.yaml", "parameters: {h: 6}\nsweep: {list: [{h: 6}, {h: 5}]}\n" + CASE.replace(old, new))
        refuse(folder, ("run", "bad.yaml", "-o", "bad"), "combination 2 has another 'mesh'")


PARTS = """mesh: {file: pair.step, size: 2}
units: {length: mm, force: N}
material: [{region: rubber, young: 100, poisson: 0.3}, {region: steel, young: 210e3, poisson: 0.3}]
sets:
  back: {plane: {point: [0, 0, 0], normal: x}, of: faces}
  end: {plane: {point: [16, 0, 0], normal: x}, of: faces}
constraints: [{set: back, displacement: [0, 0, 0]}, {set: end, displacement: [%g, 0, 0]}]
contact: all
steps: [{static: {}}]
"""


def check_parts(folder):
    """Solids that touch stay apart, where they are asked to or the case has contact: pressed they carry force, pulled they part."""
    print("parts")
    whole, _ = mesh(folder, "pair.step", "--size", 2)
    got, _ = mesh(folder, "pair.step", "--size", 2, "--solids", "apart")
    found = names(folder, "pair.step")
    boundary = 600 + 2 * 25 + 4 * 30
    expect(near(sum(got.area.values()), boundary, 1e-9), f"boundary {sum(got.area.values())}, instead of {boundary}")
    expect(len(got.points) > len(whole.points) * 0.9 and near(sum(got.volume.values()), 1150, 1e-9), "the volume of parts")
    expect(near(got.volume[found["region", "steel"]], 150, 1e-9), "the name of a part")
    refuse(folder, ("mesh", "overlap.step", "--solids", "apart", "-o", "bad.mesh"), "lie in one another")
    force = {}
    for name, move, change in (("pressed", -0.2, ("", "")), ("pulled", 0.2, ("", "")), ("joined", 0.2, ("size: 2", "size: 2, solids: joined"))):
        write(folder, name + ".yaml", (PARTS % move).replace(*change))
        run("run", name + ".yaml", "-o", name, "--device", "host", folder=folder)
        with open(os.path.join(folder, name + ".sets.csv"), newline="") as file:
            force[name] = {row["set"]: float(row["reaction_force_x"]) for row in csv.DictReader(file)}
    expect(force["pressed"]["back"] > 100 and near(force["pressed"]["end"], -force["pressed"]["back"], 1e-6), f"pressed: {force}")
    expect(abs(force["pulled"]["back"]) < 1e-5 * force["pressed"]["back"] and force["joined"]["back"] < -100, f"pulled: {force}")


def check_shipped(folder):
    print("bracket-step.yaml")
    datasets = os.path.join(source, "datasets")
    with open(os.path.join(datasets, "bracket-step.yaml")) as file:
        expect(len(file.read().splitlines()) <= 10, "more than ten lines")
    for name in ("bracket-step.yaml", "bracket.step"):
        shutil.copy(os.path.join(datasets, name), folder)
    said = run("run", "bracket-step.yaml", "-o", "shipped", "--device", "host", folder=folder) or ""
    frame = support.read_frames(os.path.join(folder, "shipped.vtkhdf"))[0]
    force = re.search(r"reaction +force \(([^,]+), ([^,]+), ([^)]+)\)", said)
    expect(force and near(float(force.group(3)), 900, 1e-4), f"reaction {force}")
    volume = frame["numbers"]["volume"]
    expect(near(volume, BRACKET, 1e-4), f"volume {volume} for {BRACKET}: sides are curved")
    expect(30 < numpy.abs(frame["PointData/von_mises"]).max() < 45, "stress at the fillet")


if not (os.path.exists(helper) and os.path.exists(maker)):
    print("skipped: the program was built without Gmsh")
    sys.exit(77)
with tempfile.TemporaryDirectory(prefix="edgewise-") as place:
    subprocess.run([maker, place], check=True, stdout=subprocess.DEVNULL)
    for check in (check_shapes, check_names, check_sizes, check_curved, check_meshes, check_bad, check_case, check_parts, check_shipped):
        check(place)
sys.exit(support.finish("check_cad"))
