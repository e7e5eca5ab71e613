#!/usr/bin/python3
"""check_calculix_quadratic.py PROGRAM SOURCE_DIR BUILD_DIR

CalculiX's C3D10 with straight sides has the functions of our quadratic tet: the same loads must give the
same displacements at vertices and mid-sides, to the 7 digits that CalculiX prints. Gravity, pressure
and temperature are CalculiX's own; what it integrates otherwise or does not have goes in as nodal
forces that are worked out here from the ten nodal functions by Gauss points.
Exit status 77 without ccx.
"""
import os
import shutil
import sys
import tempfile

import calculix_loads
import support
from calculix_ten import MIDDLES, SIDES, SOFT, STEEL, Mesh, deck, fixed, solve_there
from support import expect, numpy

program = sys.argv[1]
DIGITS, NOISE = 5.001e-7, 2e-8
# Degree 3 in a tet (Keast 1986).
TET = [(-4 / 5, (1 / 4,) * 4)] + [(9 / 20, tuple(1 / 2 if k == i else 1 / 6 for k in range(4)))
                                  for i in range(4)]


def add_faces(force, mesh, chosen, traction):
    """Consistent forces of a traction, a function of place and outward unit normal."""
    for t, s in mesh.faces(chosen):
        corner = list(SIDES[s])
        x = mesh.points[mesh.tets[t, corner]]
        area = numpy.cross(x[1] - x[0], x[2] - x[0]) / 2
        size = numpy.linalg.norm(area)
        for weight, at in calculix_loads.TRIANGLE:
            value = weight * size * traction(numpy.array(at) @ x, area / size)
            for i in range(3):
                force[mesh.tets[t, corner[i]]] += at[i] * (2 * at[i] - 1) * value
            for m, (a, b) in enumerate(MIDDLES):
                if a in corner and b in corner:
                    force[mesh.tets[t, 4 + m]] += 4 * at[corner.index(a)] * at[corner.index(b)] * value


def add_body(force, mesh, density, field):
    for weight, at in TET:
        place = numpy.einsum("k,tkc->tc", at, mesh.points[mesh.tets[:, :4]])
        value = (weight * density * mesh.volume)[:, None] * field(place)
        for i in range(4):
            numpy.add.at(force, mesh.tets[:, i], at[i] * (2 * at[i] - 1) * value)
        for m, (a, b) in enumerate(MIDDLES):
            numpy.add.at(force, mesh.tets[:, 4 + m], 4 * at[a] * at[b] * value)


def check(name, folder, text, there):
    """text: constraints and loads of the case; there: a function of the mesh that gives the same as the
    last four arguments of deck."""
    with open(os.path.join(folder, "case.yaml"), "w") as file:
        file.write(f"""mesh: beam.mesh
elements: quadratic
material: [{{region: 2, {", ".join(f"{k}: {v!r}" for k, v in STEEL.items())}}},
           {{region: 7, {", ".join(f"{k}: {v!r}" for k, v in SOFT.items())}}}]
sets:
  wall: {{plane: {{point: [0, 0, 0], normal: x}}, of: faces}}
  tip: {{plane: {{point: [1, 0, 0], normal: x}}, of: faces}}
  top: {{plane: {{point: [0, 0, 0.3], normal: z}}, of: faces}}
{text}
steps: [{{static: {{tolerance: 1e-10}}}}]
""")
    if support.run(program, "run", "case.yaml", "-o", "ours", "--quiet", folder=folder) is None:
        return
    frame, = support.read_frames(os.path.join(folder, "ours.vtkhdf"))
    mesh = Mesh(frame)
    ours = frame["PointData/displacement"]
    theirs = solve_there(name, deck(mesh, *there(mesh)), len(ours), folder)
    if theirs is None:
        return
    scale = numpy.abs(theirs).max()
    difference = numpy.abs(ours - theirs)
    expect(scale > 0 and (difference <= DIGITS * numpy.abs(theirs) + NOISE * scale).all(),
           f"{name}: displacements differ by {difference.max() / scale:.2e} of the largest")
    print(f"  {name}: {len(mesh.tets)} tets, {len(ours)} nodes; displacements differ by "
          f"{difference.max() / scale:.1e} of the largest")


def no_force(mesh):
    return numpy.zeros_like(mesh.points)


def gravity(mesh):
    return (fixed(mesh.at(0, 0), 0, 0, 0),
            [f"*DLOAD\nR{r}, GRAV, 9.81, 0., 0.6, -0.8" for r in (2, 7)], no_force(mesh), None)


def pressure(mesh):
    loads = ["*DLOAD"] + [f"{t + 1}, P{s + 1}, 2e6" for t, s in mesh.faces(mesh.at(2, 0.3))]
    return fixed(mesh.at(0, 0), 0, 0, 0) + fixed(mesh.at(0, 1), None, 1e-4, None), loads, no_force(mesh), None


def spread(mesh):
    force = no_force(mesh)
    add_faces(force, mesh, mesh.at(2, 0.3), lambda x, n: -(1e5 + 3e6 * x[0] - 2e5 * x[1]) * n)
    add_faces(force, mesh, mesh.at(0, 1), lambda x, n: numpy.array([1e6, -2e6, 5e5]))
    density = numpy.where(mesh.region == 2, STEEL["density"], SOFT["density"])
    out = numpy.array([0.0, 1.0, 1.0])  # square to an axis along x
    add_body(force, mesh, density, lambda x: 90000.0 * (x - [0.0, 0.1, 0.2]) * out)
    return fixed(mesh.at(0, 0), 0, 0, 0), [], force, None


def heat(mesh):
    x = mesh.points
    return fixed(mesh.at(0, 0), 0, 0, 0), [], no_force(mesh), 30 + 50 * x[:, 0] - 20 * x[:, 2]


def warm(mesh):
    x = mesh.points
    return (fixed(mesh.at(0, 0), 0, 0, 0), [], no_force(mesh),
            numpy.hypot(30 * x[:, 0] ** 2, 50 * x[:, 1]) + 20 * numpy.exp(2 * x[:, 2]))


if not shutil.which("ccx"):
    print("skipped: no ccx (Debian package calculix-ccx)")
    sys.exit(77)
WALL = "constraints: [{set: wall, displacement: [0, 0, 0]}"
with tempfile.TemporaryDirectory() as where:
    path = os.path.join(where, "beam.mesh")
    support.run(program, "shape", "box", "--size", "1,0.2,0.3", "--cells", "8,2,2", "-o", path)
    beam = support.read_medit(path)
    beam.region = numpy.where(beam.points[beam.tets, 0].mean(axis=1) > 0.6, 7, 2)
    support.write_medit(path, beam)
    check("gravity", where, WALL + "]\nloads: [{gravity: [0, 5.886, -7.848]}]", gravity)
    check("pressure, moved", where,
          WALL + ", {set: tip, displacement: [~, 1e-4, ~]}]\nloads: [{set: top, pressure: 2e6}]", pressure)
    check("linear pressure, traction, turning", where, WALL + """]
loads:
  - {set: top, pressure: {value: 1e5, gradient: [3e6, -2e5, 0]}}
  - {set: tip, traction: [1e6, -2e6, 5e5]}
  - {centrifugal: {axis: {point: [0, 0.1, 0.2], direction: x}, speed: 300}}""", spread)
    check("heat", where, WALL + """]
loads: [{temperature: {change: 30, gradient: [50, 0, -20]}}]""", heat)
    check("heat by an expression", where, WALL + """]
loads: [{temperature: {expression: "hypot(30 * x^2, 50 * y) + 20 * exp(2 * z)"}}]""", warm)
sys.exit(support.finish("check_calculix_quadratic.py"))
