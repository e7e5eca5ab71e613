#!/usr/bin/python3
"""check_calculix.py PROGRAM SOURCE_DIR BUILD_DIR

CalculiX's C3D4 poses the same discrete problem: the same decks must give the same displacements and
nodal forces, to the 7 digits that CalculiX prints. Every kind of load, prescribed displacements that
are not zero, two materials. Loads that CalculiX does not have go in as forces (calculix_loads.py).
Exit status 77 without ccx.

Nodal forces: CalculiX's RF is the sum of what acts on a vertex, support and load together. So our
reaction plus the loads worked out here must equal it, at free vertices too.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

import calculix_loads
import support
from support import expect, numpy

program, source = sys.argv[1], sys.argv[2]
# CalculiX prints 7 digits: half a unit of the last is at most 5e-7 of the value. What both solvers
# leave over beside it is less than 1e-9 of the largest.
DIGITS, NOISE = 5.001e-7, 1e-9
# CalculiX's numbers of the faces, in the order of support.FACES.
FACE_NAMES = ("P1", "P2", "P3", "P4")
STEEL = dict(young=210e9, poisson=0.3, density=7850.0)
RUBBER = dict(young=5e6, poisson=0.45, density=1100.0)


class Case:
    """A mesh file with loads; sets are boxes, or cylinders as a case file has them, so that both sides
    select alike."""

    def __init__(self, name, path, materials, constraints, loads, variants=((),)):
        self.name, self.path, self.materials = name, path, materials
        self.constraints, self.loads = constraints, loads
        self.variants = variants  # options of our program to try

    def select(self, mesh, box):
        if isinstance(box, dict):
            start, end = numpy.array(box["cylinder"]["from"]), numpy.array(box["cylinder"]["to"])
            axis = (end - start) / numpy.linalg.norm(end - start)
            out = numpy.linalg.norm(numpy.cross(mesh.points - start, axis), axis=1)
            return numpy.flatnonzero(out <= box["cylinder"]["radius"])
        low, high = numpy.array(box)
        return numpy.flatnonzero(((mesh.points >= low) & (mesh.points <= high)).all(axis=1))


def faces_of(mesh, chosen):
    """Boundary faces with all three vertices among the chosen, and their area vectors."""
    tet, side, ids = mesh.boundary()
    keep = numpy.isin(ids, chosen).all(axis=1)
    a, b, c = (mesh.points[ids[keep, k]] for k in range(3))
    return tet[keep], side[keep], ids[keep], numpy.cross(b - a, c - a) / 2


def nodal_loads(case, mesh):
    force = numpy.zeros_like(mesh.points)
    for kind, box, value in case.loads:
        if kind == "gravity":
            density = numpy.array([case.materials[r]["density"] for r in mesh.region])
            share = numpy.outer(density * mesh.volumes() / 4, value)
            for k in range(4):
                numpy.add.at(force, mesh.tets[:, k], share)
            continue
        chosen = case.select(mesh, box) if box else None
        if isinstance(value, dict) or kind == "moment":
            density = numpy.array([case.materials[r]["density"] for r in mesh.region])
            _, _, ids, area = faces_of(mesh, chosen) if box else (None,) * 4
            force += calculix_loads.forces(kind, mesh, density, chosen, ids, area, value)
        elif kind == "total_force":
            force[chosen] += numpy.array(value) / len(chosen)
        elif kind == "force":
            force[chosen] += value
        else:
            _, _, ids, area = faces_of(mesh, chosen)
            share = (-value * area if kind == "pressure" else
                     numpy.outer(numpy.linalg.norm(area, axis=1), value)) / 3
            for k in range(3):
                numpy.add.at(force, ids[:, k], share)
    return force


# ---- CalculiX ----------------------------------------------------------------

def deck(case, mesh):
    """The same study as input of CalculiX, whose numbers have at most 20 characters."""
    yield "*NODE, NSET=ALL"
    for k, point in enumerate(mesh.points):
        yield "%d, %.13e, %.13e, %.13e" % (k + 1, *point)
    for region, material in case.materials.items():
        yield f"*ELEMENT, TYPE=C3D4, ELSET=R{region}"
        for k in numpy.flatnonzero(mesh.region == region):
            yield "%d, %d, %d, %d, %d" % (k + 1, *(mesh.tets[k] + 1))
        yield f"*MATERIAL, NAME=M{region}\n*ELASTIC\n{material['young']!r}, {material['poisson']!r}"
        yield f"*DENSITY\n{material['density']!r}"
        if "expansion" in material:
            yield f"*EXPANSION\n{material['expansion']!r}"
        yield f"*SOLID SECTION, ELSET=R{region}, MATERIAL=M{region}"
    change = calculix_loads.changes(case, mesh)
    if change is not None:
        yield "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 0."
    yield "*STEP\n*STATIC\n*BOUNDARY"
    for box, value in case.constraints:
        for v in case.select(mesh, box):
            for c in range(3):
                if value[c] is not None:
                    yield "%d, %d, %d, %.13e" % (v + 1, c + 1, c + 1, value[c])
    yield from deck_loads(case, mesh)
    if change is not None:
        yield "*TEMPERATURE"
        yield from ("%d, %.13e" % (v + 1, t) for v, t in enumerate(change))
    yield "*NODE PRINT, NSET=ALL\nU, RF\n*END STEP"


def deck_loads(case, mesh):
    points = numpy.zeros_like(mesh.points)
    for kind, box, value in case.loads:
        if kind == "gravity":
            size = numpy.linalg.norm(value)
            for region in case.materials:
                yield "*DLOAD\nR%d, GRAV, %.13e, %.13e, %.13e, %.13e" % (
                    region, size, *(numpy.array(value) / size))
        elif kind == "pressure":
            tets, sides, _, _ = faces_of(mesh, case.select(mesh, box))
            yield "*DLOAD"
            for t, side in zip(tets, sides):
                yield "%d, %s, %.13e" % (t + 1, FACE_NAMES[side], value)
        elif kind == "pull":  # along the normal of a flat end
            tets, sides, _, area = faces_of(mesh, case.select(mesh, box))
            yield "*DLOAD"
            for t, side in zip(tets, sides):
                yield "%d, %s, %.13e" % (t + 1, FACE_NAMES[side],
                                         -numpy.linalg.norm(value["force"]) / numpy.linalg.norm(area.sum(0)))
        elif kind == "bearing":
            tets, sides, _, area = faces_of(mesh, case.select(mesh, box))
            yield "*DLOAD"
            for t, side, p in zip(tets, sides, calculix_loads.bearing_pressure(area, value["force"])):
                yield "%d, %s, %.13e" % (t + 1, FACE_NAMES[side], p)
        elif kind != "temperature":  # CalculiX has no traction on solids: it goes in as forces
            only = Case("", "", case.materials, [], [(kind, box, value)])
            points += nodal_loads(only, mesh)
    if points.any():
        yield "*CLOAD"
        for v, c in zip(*numpy.nonzero(points)):
            yield "%d, %d, %.13e" % (v + 1, c + 1, points[v, c])


def read_dat(path, n):
    """Displacements and nodal forces, [n][3] each."""
    tables, table = {}, None
    with open(path) as file:
        for line in file:
            words = line.split()
            if len(words) == 4 and table is not None:
                table[int(words[0]) - 1] = [float(w) for w in words[1:]]
            elif words:
                table = tables.setdefault(words[0], numpy.full((n, 3), numpy.nan))
    return tables["displacements"], tables["forces"]


def solve_there(case, mesh, folder):
    with open(os.path.join(folder, "deck.inp"), "w") as file:
        file.writelines(line + "\n" for line in deck(case, mesh))
    done = subprocess.run(["ccx", "deck"], cwd=folder, capture_output=True, text=True, timeout=300,
                          env=dict(os.environ, OMP_NUM_THREADS="1"))
    if not expect(done.returncode == 0 and "*ERROR" not in done.stdout,
                  f"{case.name}: ccx failed\n{done.stdout[-1500:]}"):
        return None
    return read_dat(os.path.join(folder, "deck.dat"), len(mesh.points))


# ---- ours ---------------------------------------------------------------------

def yaml_of(case):
    def text(vector):
        return "[" + ", ".join("~" if x is None else repr(float(x)) for x in vector) + "]"

    def place(box):
        if isinstance(box, dict):
            return json.dumps(box)
        return f"{{box: [{text(box[0])}, {text(box[1])}]}}"

    yield f"mesh: {case.path}\nelements: linear\nmaterial:"
    for region, material in case.materials.items():
        yield f"  - {{region: {region}, " + ", ".join(f"{k}: {v!r}" for k, v in material.items()) + "}"
    yield "constraints:"
    for box, value in case.constraints:
        yield f"  - {{set: {place(box)}, displacement: {text(value)}}}"
    yield "loads:" + (" []" if not case.loads else "")
    for kind, box, value in case.loads:
        if isinstance(value, dict):
            yield calculix_loads.yaml_of(kind, place(box) if box else None, value)
            continue
        value = repr(float(value)) if kind == "pressure" else text(value)
        yield f"  - {{{kind}: {value}" + (f", set: {place(box)}}}" if box else "}")
    yield "steps:\n  - {name: only, static: {tolerance: 1e-10, max_iterations: 50000}}"


def solve_here(case, mesh, options, folder):
    with open(os.path.join(folder, "case.yaml"), "w") as file:
        file.writelines(line + "\n" for line in yaml_of(case))
    if support.run(program, "run", "case.yaml", "-o", "ours", "--quiet", *options,
                   folder=folder) is None:
        return None
    frame, = support.read_frames(os.path.join(folder, "ours.vtkhdf"))
    n = len(mesh.points)
    force = support.by_id(frame, "reaction", n) + nodal_loads(case, mesh)
    return support.by_id(frame, "displacement", n), force


def compare(case, mesh, options, theirs, ours):
    name, told = " ".join((case.name, *options)), []
    for what, there, here in zip(("displacement", "force"), theirs, ours):
        scale = numpy.abs(there).max()
        if not expect(scale > 0 and there.shape == here.shape, f"{name}: {what} in ccx's output"):
            return
        difference = numpy.abs(here - there)
        over = difference - DIGITS * numpy.abs(there)
        worst = numpy.unravel_index(over.argmax(), over.shape)
        expect((over <= NOISE * scale).all(),
               f"{name}: {what} of vertex {worst[0]}: {here[worst]:.9g}, CalculiX "
               f"{there[worst]:.9g}, largest {scale:.6g}")
        told.append(f"{what} {difference.max() / scale:.1e}")
    print(f"  {name}: {len(mesh.tets)} tets; differences relative to the largest: "
          + ", ".join(told))


def check(case):
    mesh = support.read_medit(case.path)
    with tempfile.TemporaryDirectory() as folder:
        theirs = solve_there(case, mesh, folder)
        for options in case.variants if theirs else ():
            ours = solve_here(case, mesh, options, folder)
            if ours:
                compare(case, mesh, options, theirs, ours)


# ---- the cases ------------------------------------------------------------------

def slab(axis, low, high):
    """Everything between two coordinates."""
    box = [[-1e6] * 3, [1e6] * 3]
    box[0][axis], box[1][axis] = low, high
    return box


def beam_cases(folder):
    path = os.path.join(folder, "beam.mesh")
    support.run(program, "shape", "box", "--size", "1,0.2,0.3", "--cells", "12,3,3", "-o", path)
    mesh = support.read_medit(path)
    mesh.region = numpy.where(mesh.points[mesh.tets, 0].mean(axis=1) > 0.6, 7, 2)
    support.write_medit(path, mesh)
    materials = {2: STEEL, 7: dict(young=70e9, poisson=0.33, density=2700.0)}
    wall, tip, top = slab(0, -1, 1e-9), slab(0, 1 - 1e-9, 2), slab(2, 0.3 - 1e-9, 1)
    wall_fixed = [(wall, (0, 0, 0))]
    yield Case("gravity", path, materials, wall_fixed, [("gravity", None, (1.5, -9.81, 3.0))])
    yield Case("forces", path, materials, wall_fixed,
               [("force", tip, (3.0, -100.0, 20.0)), ("total_force", top, (0, 1e3, -5e2))])
    yield Case("pressure", path, materials, wall_fixed, [("pressure", top, 2e5)])
    yield Case("traction", path, materials, wall_fixed, [("traction", tip, (1e5, -2e5, 3e5))])
    yield Case("prescribed displacement", path, materials, wall_fixed + [(tip, (1e-3, None, -2e-3))], [])


def graded_cases(folder):
    """A total force on the end of a beam whose cells are ten times as wide at one side as at the other."""
    path = os.path.join(folder, "graded.mesh")
    support.run(program, "shape", "box", "--size", "1,0.2,0.3", "--cells", "8,5,5", "-o", path)
    mesh = support.read_medit(path)
    mesh.points[:, 1] = 0.2 * (mesh.points[:, 1] / 0.2) ** 2
    mesh.points[:, 2] = 0.3 * (mesh.points[:, 2] / 0.3) ** 2
    support.write_medit(path, mesh)
    wall, tip = slab(0, -1, 1e-9), slab(0, 1 - 1e-9, 2)
    fixed = [(wall, (0, 0, 0))]
    yield Case("total force on faces, graded", path, {1: STEEL}, fixed,
               [("pull", tip, dict(force=[5e4, 0, 0]))])
    # The bar of the textbook: u = F L / E A at every vertex of the end.
    yield Case("the same, without lateral strain", path, {1: dict(STEEL, poisson=0.0)}, fixed,
               [("pull", tip, dict(force=[5e4, 0, 0]))])


HOT_STEEL = dict(STEEL, expansion=1.2e-5)
BRASS = dict(young=100e9, poisson=0.35, density=8400.0, expansion=1.9e-5)


def load_cases(folder):
    """One case for each kind of load that is not in the others."""
    path = os.path.join(folder, "beam.mesh")
    materials = {2: HOT_STEEL, 7: BRASS}
    wall, tip, top = slab(0, -1, 1e-9), slab(0, 1 - 1e-9, 2), slab(2, 0.3 - 1e-9, 1)
    side, fixed = slab(1, -1, 1e-9), [(wall, (0, 0, 0))]
    turning = dict(axis=dict(point=[0.1, 0.3, 0], direction=[0, 0.6, 0.8]), speed=200.0)
    water = dict(value=0.0, gradient=[0, 0, -9810.0], about=[0, 0, 0.2], only_positive=True)
    warm = dict(change=40.0, gradient=[30.0, 0, -100.0], about=[0, 0.1, 0.1])
    round_x = dict(vector=[3.0, -2.0, 1.0], cylinder=dict(point=[0, -0.5, 0.1], axis=[1, 0, 0]))
    yield Case("moment", path, materials, fixed, [("moment", tip, (300.0, -200.0, 100.0))])
    yield Case("remote force", path, materials, fixed,
               [("remote_force", tip, dict(force=[1e3, -2e3, 500.0], at=[1.7, 0.4, -0.2]))])
    yield Case("pressure of water", path, materials, fixed, [("linear_pressure", side, water)])
    yield Case("linear pressure", path, materials, fixed,
               [("linear_pressure", top, dict(value=5e4, gradient=[1e5, -3e4, 0.0]))])
    yield Case("force along a cylinder", path, materials, fixed, [("cylinder_force", tip, round_x)])
    yield Case("centrifugal", path, materials, fixed, [("centrifugal", None, turning)])
    yield Case("temperature", path, materials, fixed, [("temperature", None, dict(change=25.0))])
    yield Case("linear temperature", path, materials, fixed + [(tip, (None, 1e-4, None))],
               [("temperature", None, warm), ("temperature", top, dict(change=-15.0)),
                ("gravity", None, (0, 0, -9.81))])
    plate = os.path.join(folder, "plate.mesh")
    support.run(program, "shape", "plate", "--length", "0.1", "--radius", "0.02", "--thickness",
                "0.01", "--cells", "16,8,2", "-o", plate)
    hole = dict(cylinder={"from": [0, 0, -1], "to": [0, 0, 1], "radius": 0.02001})
    yield Case("bearing", plate, {1: STEEL}, [(slab(0, 0.1 - 1e-9, 1), (0, 0, 0))],
               [("bearing", hole, dict(force=[3e3, 1e3, 0.0]))])


def all_cases(folder):
    yield from beam_cases(folder)
    yield from graded_cases(folder)
    yield from load_cases(folder)
    bracket = os.path.join(source, "datasets", "bracket.mesh")
    regions = numpy.unique(support.read_medit(bracket).region)
    steel = {int(regions[0]): STEEL}
    # Fixed at the back of the wall flange, pushed on top of the other, pulled at its end.
    joint = [("gravity", None, (0, -9.81, 0)), ("pressure", slab(1, 0.008 - 1e-9, 0.009), 2e5),
             ("total_force", slab(0, 0.08 - 1e-9, 1), (400, 0, 50))]
    wall_fixed = [(slab(0, -1, 1e-9), (0, 0, 0))]
    variants = [(), ("--precision", "mixed"), ("--threads", "1")]
    if support.has_opencl(program):
        variants += [("--device", "opencl"), ("--device", "opencl", "--precision", "mixed")]
    else:
        print("  skipped: no OpenCL device")
    yield Case("bracket", bracket, steel, wall_fixed, joint, variants)
    yield from irregular_cases(folder)


def irregular_cases(folder):
    """Tets by TetGen, of two materials, none of whose faces lie along the axes."""
    surface, path = os.path.join(folder, "tube.off"), os.path.join(folder, "tube.mesh")
    support.write_off(surface, *support.bent_tube())
    if support.fill(program, surface, path, "-q", "1.4", "-a", "2e-3"):
        mesh = support.read_medit(path)
        mesh.region = numpy.where(mesh.points[mesh.tets].mean(axis=1) @ (1, 1, 2) > 0.3, 4, 0)
        support.write_medit(path, mesh)
        yield Case("bent tube", path, {0: RUBBER, 4: dict(young=2e7, poisson=0.2, density=900.0)},
                   [(slab(2, -9, -0.3), (0, 0, 0)), (slab(0, 0.9, 9), (None, 0.02, -0.01))],
                   [("gravity", None, (2, 0, -9.81)), ("pressure", slab(1, 0.3, 9), 5e4),
                    ("traction", slab(1, -9, -0.3), (1e4, 0, 3e4))])
        yield Case("bent tube, other loads", path,
                   {0: dict(RUBBER, expansion=2e-4),
                    4: dict(young=2e7, poisson=0.2, density=900.0, expansion=-1e-4)},
                   [(slab(2, -9, -0.3), (0, 0, 0))],
                   [("temperature", None, dict(change=20.0, gradient=[5.0, -3.0, 8.0])),
                    ("temperature", slab(1, 0, 9), dict(change=10.0)),
                    ("moment", slab(1, 0.3, 9), (900.0, 200.0, -400.0)),
                    ("remote_force", slab(1, -9, -0.3), dict(force=[300.0, 0, 900.0], at=[0, 2.0, 3.0])),
                    ("linear_pressure", slab(0, 0.3, 9), dict(value=1e3, gradient=[0, 500.0, 2e3])),
                    ("centrifugal", None, dict(axis=dict(point=[0.3, 0, 0], direction=[0, 0, 1.0]),
                                               speed=5.0))])


def main():
    if not shutil.which("ccx"):
        print("skipped: ccx is not installed (Debian package calculix-ccx)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        for case in all_cases(folder):
            check(case)
    return support.finish("check_calculix")


if __name__ == "__main__":
    sys.exit(main())
