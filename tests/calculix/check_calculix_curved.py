#!/usr/bin/python3
"""check_calculix_curved.py PROGRAM SOURCE_DIR BUILD_DIR

Tets with curved sides against CalculiX's C3D10 on the same ten nodes: displacements to the 7 digits that CalculiX
prints, stresses at vertices to the 5 of its result file. Both integrate by four points in a tet; on a face CalculiX has three, and a
pressure there is off by as much as these leave.
A beam bent round an axis and waved, read from Gmsh's format. Exit status 77 without ccx.
"""
import itertools
import os
import shutil
import sys
import tempfile

import support
from calculix_ten import SIDES, SOFT, STEEL, Mesh, deck, fixed, solve_there
from support import expect, numpy

program = sys.argv[1]
DIGITS, NOISE = 5.001e-7, 2e-8
CELLS = (6, 2, 2)
EDGES = [(0, 1), (1, 2), (0, 2), (0, 3), (2, 3), (1, 3)]  # as Gmsh has the middles


def place(u):
    """From the box [0, 1] x [0, 0.2] x [0, 0.3] to the bent beam."""
    x, y, z = numpy.moveaxis(numpy.asarray(u, float), -1, 0)
    r = 0.8 + z + 0.05 * numpy.sin(7 * x)
    return numpy.stack((r * numpy.sin(1.3 * x), y * (1 + 0.3 * x * x), r * numpy.cos(1.3 * x)), -1)


def bent_beam():
    """Nodes in the box, corners and middles alike; tets of ten nodes; (label, six nodes) of three sides."""
    n, m, k = CELLS
    node = {}

    def number(point):
        return node.setdefault(tuple(point), len(node))
    tets, faces = [], []
    for cell in itertools.product(range(n), range(m), range(k)):
        for order in itertools.permutations(range(3)):
            corner = [numpy.array(cell) * 2]
            for axis in order:
                corner.append(corner[-1] + 2 * (numpy.arange(3) == axis))
            if numpy.linalg.det(numpy.array(corner[1:]) - corner[0]) < 0:
                corner[2], corner[3] = corner[3], corner[2]
            tets.append([number(c) for c in corner] + [number((corner[a] + corner[b]) // 2) for a, b in EDGES])
            for face in ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)):
                c = [corner[i] for i in face]
                for label, axis, value in ((1, 0, 0), (2, 0, 2 * n), (3, 2, 2 * k)):
                    if all(p[axis] == value for p in c):
                        faces.append((label, [number(p) for p in c] + [number((c[a] + c[b]) // 2) for a, b in
                                                                       ((0, 1), (1, 2), (0, 2))]))
    return numpy.array(list(node)) / (2.0 * n, 10.0 * m, 2 * k / 0.3), tets, faces


def write_msh(path, points, tets, faces, region):
    with open(path, "w", encoding="ascii") as out:
        out.write(f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{len(points)}\n")
        out.writelines("%d %.16g %.16g %.16g\n" % (i + 1, *p) for i, p in enumerate(points))
        out.write(f"$EndNodes\n$Elements\n{len(faces) + len(tets)}\n")
        lines = [(9, label, nodes) for label, nodes in faces] + [(11, r, t) for r, t in zip(region, tets)]
        for i, (kind, group, nodes) in enumerate(lines):
            out.write(f"{i + 1} {kind} 2 {group} {group} {' '.join(str(v + 1) for v in nodes)}\n")
        out.write("$EndElements\n")


def in_box(points, given):
    """Where our points are in the box."""
    order = numpy.array([numpy.abs(place(given) - p).sum(1).argmin() for p in points])
    expect(numpy.abs(place(given)[order] - points).max() < 1e-12, "the nodes are where they were given")
    return given[order]


def stresses(folder, n):
    """Of the result file, by node: xx yy zz xy yz xz."""
    found, inside = numpy.full((n, 6), numpy.nan), False
    with open(os.path.join(folder, "deck.frd"), encoding="ascii") as file:
        for line in file:
            inside = (inside or line.startswith(" -4  STRESS")) and not line.startswith(" -3")
            if inside and line.startswith(" -1"):
                found[int(line[3:13]) - 1] = [float(line[13 + 12 * i:25 + 12 * i]) for i in range(6)]
    return found


def check(name, folder, loads, there, faces=0.0):
    with open(os.path.join(folder, "case.yaml"), "w", encoding="ascii") as file:
        file.write(f"""mesh: beam.msh
material: [{{region: 2, {", ".join(f"{k}: {v!r}" for k, v in STEEL.items())}}},
           {{region: 7, {", ".join(f"{k}: {v!r}" for k, v in SOFT.items())}}}]
sets:
  wall: {{surface: 1}}
  tip: {{surface: 2}}
  top: {{surface: 3}}
constraints: [{{set: wall, displacement: [0, 0, 0]}}]
loads: [{loads}]
steps: [{{static: {{tolerance: 1e-11}}}}]
""")
    if support.run(program, "run", "case.yaml", "-o", "ours", folder=folder) is None:
        return
    frame, = support.read_frames(os.path.join(folder, "ours.vtkhdf"))
    mesh = Mesh(frame)
    mesh.box = in_box(mesh.points, given)
    mesh.at = lambda axis, value: numpy.flatnonzero(numpy.abs(mesh.box[:, axis] - value) < 1e-9)
    force, lines, heat = there(mesh)
    text = list(deck(mesh, fixed(mesh.at(0, 0), 0, 0, 0), lines, force, heat))
    text.insert(-1, "*EL FILE\nS")
    theirs = solve_there(name, text, len(mesh.points), folder)
    if theirs is None:
        return
    ours, scale = frame["PointData/displacement"], numpy.abs(theirs).max()
    difference = numpy.abs(ours - theirs)
    expect(scale > 0 and (difference <= DIGITS * numpy.abs(theirs) + (NOISE + faces) * scale).all(),
           f"{name}: displacements differ by {difference.max() / scale:.2e} of the largest")
    corners = numpy.unique(mesh.tets[:, :4])
    inner = corners[numpy.abs(mesh.box[corners, 0] - 0.5) > 1e-9]  # ccx does not average across materials
    stress, other = frame["PointData/stress"][inner], stresses(folder, len(ours))[inner]
    apart = numpy.abs(stress - other).max() / numpy.abs(other).max()
    expect(apart < 2e-5 + 10 * faces, f"{name}: stresses differ by {apart:.2e} of the largest")
    print(f"  {name}: {len(mesh.tets)} tets, {len(ours)} nodes; displacements differ by "
          f"{difference.max() / scale:.1e} of the largest, stresses by {apart:.1e}")


def check_motion(folder):
    """A moment on the same part in motion: what the record says of it is what is asked for."""
    with open(os.path.join(folder, "case.yaml")) as file:
        text = file.read()
    start = text.index("loads:")
    with open(os.path.join(folder, "case.yaml"), "w") as file:
        file.write(text[:start] + "loads: [{set: top, moment: [1, 2, 3]}]\nsteps: [{dynamic: {step: 1, end: 1}}]\n")
    if support.run(program, "run", "case.yaml", "-o", "ours", folder=folder) is not None:
        moment = support.read_frames(os.path.join(folder, "ours.vtkhdf"))[-1]["numbers"]["applied_moment"]
        expect(numpy.abs(moment - [1, 2, 3]).max() < 1e-9, f"motion: the applied moment is {moment}")


def none(mesh):
    return numpy.zeros_like(mesh.points)


def gravity(mesh):
    return none(mesh), [f"*DLOAD\nR{r}, GRAV, 9.81, 0., 0.6, -0.8" for r in (2, 7)], None


def pressure(mesh):
    return none(mesh), ["*DLOAD"] + [f"{t + 1}, P{s + 1}, 2e6" for t, s in mesh.faces(mesh.at(2, 0.3))], None


def heat(mesh):
    x = mesh.points
    return none(mesh), [], numpy.sqrt(x[:, 0] ** 2 + x[:, 2] ** 2) * 40 + 30 * x[:, 1]


def warm(mesh):
    x = mesh.points
    return none(mesh), [], 30 + 50 * x[:, 0] - 20 * x[:, 2]


if not shutil.which("ccx"):
    print("skipped: no ccx (Debian package calculix-ccx)")
    sys.exit(77)
given, tets, faces = bent_beam()
region = numpy.where(given[numpy.array(tets)[:, :4], 0].mean(axis=1) > 0.5, 7, 2)
with tempfile.TemporaryDirectory() as where:
    write_msh(os.path.join(where, "beam.msh"), place(given), tets, faces, region)
    check("gravity", where, "{gravity: [0, 5.886, -7.848]}", gravity)
    check("pressure", where, "{set: top, pressure: 2e6}", pressure, faces=1e-5)
    check("heat by an expression", where, '{temperature: {expression: "sqrt(x^2 + z^2) * 40 + 30 * y"}}', heat)
    check("heat", where, "{temperature: {change: 30, gradient: [50, 0, -20]}}", warm)
    check_motion(where)
sys.exit(support.finish("check_calculix_curved.py"))
