#!/usr/bin/python3
"""check_calculix_dynamic.py PROGRAM SOURCE_DIR BUILD_DIR

*DYNAMIC of CalculiX is the method of Hilber, Hughes and Taylor, with the mass of a linear tet integrated at
one point: rho V / 16 for each pair of corners, where the consistent mass has rho V / 10 and rho V / 20. So a
difference is expected, and here it is explained to the last digit:

- the integration of dynamics_reference.py with the one-point mass gives CalculiX's numbers, and with the
  consistent mass those of the program, so that nothing but the mass is different;
- both masses have the same total and the same first moments; what they make of a smooth motion differs by the
  second derivative times h^2. So half the edge length leaves about a quarter of the difference.

Exit status 77 without ccx."""
import os
import shutil
import subprocess
import sys
import tempfile

import dynamics_reference as reference
import support
from support import expect, numpy

program = sys.argv[1]
YOUNG, POISSON, DENSITY, ALPHA = 1e6, 0.3, 1000.0, -0.05
FORCE = numpy.array([2.0, 0.5, -1.0])  # shared by the vertices of the tip
STEP, STEPS, RISE = 2e-3, 12, 0.01  # the load rises from zero: so does the acceleration in CalculiX
DIGITS = 2e-7  # of the largest value; CalculiX prints 7, and adds its own over the steps


class Beam:
    def __init__(self, folder, cells):
        path = os.path.join(folder, "part.mesh")
        support.run(program, "shape", "box", "--size", "1,0.2,0.2", "--cells", cells, "-o", path)
        self.mesh = support.read_medit(path)
        x = self.mesh.points[:, 0]
        self.wall, self.tip = numpy.flatnonzero(x == 0), numpy.flatnonzero(x == 1)
        self.force = numpy.zeros_like(self.mesh.points)
        self.force[self.tip] = FORCE / len(self.tip)


def deck(beam):
    yield "*NODE, NSET=ALL"
    for k, point in enumerate(beam.mesh.points):
        yield "%d, %.13e, %.13e, %.13e" % (k + 1, *point)
    yield "*ELEMENT, TYPE=C3D4, ELSET=BODY"
    for k, tet in enumerate(beam.mesh.tets):
        yield "%d, %d, %d, %d, %d" % (k + 1, *(tet + 1))
    yield f"*MATERIAL, NAME=M\n*ELASTIC\n{YOUNG!r}, {POISSON!r}\n*DENSITY\n{DENSITY!r}"
    yield "*SOLID SECTION, ELSET=BODY, MATERIAL=M\n*BOUNDARY"
    yield from ("%d, 1, 3" % (v + 1) for v in beam.wall)
    yield f"*AMPLITUDE, NAME=RISE\n0., 0., {RISE!r}, 1., 1000., 1."
    yield f"*STEP, INC=1000\n*DYNAMIC, DIRECT, ALPHA={ALPHA!r}\n{STEP!r}, {STEP * STEPS!r}"
    yield "*CLOAD, AMPLITUDE=RISE"
    for v, c in zip(*numpy.nonzero(beam.force)):
        yield "%d, %d, %.13e" % (v + 1, c + 1, beam.force[v, c])
    yield "*NODE PRINT, NSET=ALL\nU, V\n*END STEP"


def solve_there(beam, folder):
    """Displacements and velocities after each time step, [steps][n][3] each."""
    with open(os.path.join(folder, "deck.inp"), "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in deck(beam))
    done = subprocess.run(["ccx", "deck"], cwd=folder, capture_output=True, text=True, timeout=300,
                          env=dict(os.environ, OMP_NUM_THREADS="1"))
    if not expect(done.returncode == 0 and "*ERROR" not in done.stdout, f"ccx failed\n{done.stdout[-1500:]}"):
        return None
    tables, table = {"displacements": [], "velocities": []}, None
    with open(os.path.join(folder, "deck.dat"), encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if len(words) == 4 and table is not None:
                table[int(words[0]) - 1] = [float(word) for word in words[1:]]
            elif words:
                table = numpy.full_like(beam.mesh.points, numpy.nan)
                tables[words[0]].append(table)
    return numpy.array(tables["displacements"]), numpy.array(tables["velocities"])


def solve_here(beam, folder):
    path = os.path.join(folder, "run")
    with open(path + ".yaml", "w", encoding="utf-8") as file:
        file.write(f"""mesh: part.mesh
elements: linear
material: {{young: {YOUNG!r}, poisson: {POISSON!r}, density: {DENSITY!r}}}
sets: {{wall: {{plane: {{point: [0, 0, 0], normal: x}}}}, tip: {{plane: {{point: [1, 0, 0], normal: x}}}}}}
amplitudes: {{rise: {{table: [[0, 0], [{RISE!r}, 1]]}}}}
constraints: [{{set: wall, displacement: [0, 0, 0]}}]
loads: [{{set: tip, total_force: {list(map(float, FORCE))}, amplitude: rise}}]
steps:
  - dynamic: {{step: {STEP!r}, steps: {STEPS}, scheme: hht, alpha: {ALPHA!r}, mass: consistent, tolerance: 1e-12}}
""")
    if support.run(program, "run", path + ".yaml", "-o", path, "--device", "host", "--quiet") is None:
        return None
    frames = support.read_frames(path + ".vtkhdf")[1:]
    n = len(beam.mesh.points)
    return (numpy.array([support.by_id(frame, "displacement", n) for frame in frames]),
            numpy.array([support.by_id(frame, "velocity", n) for frame in frames]))


def integrate(beam, kind):
    mesh = beam.mesh
    m = reference.mass(mesh.points, mesh.tets, DENSITY, kind)
    k = reference.stiffness(mesh.points, mesh.tets, YOUNG, POISSON)
    if kind == "one-point":  # singular: but what it cannot accelerate has no load at the start
        m += 1e-12 * abs(m).max() * numpy.eye(len(m))
    free = numpy.setdiff1d(numpy.arange(3 * len(mesh.points)), (3 * beam.wall[:, None] + [0, 1, 2]).ravel())
    rest = numpy.zeros(3 * len(mesh.points))
    motion = reference.Motion(m, 0 * m, k, lambda t: beam.force.ravel() * min(t / RISE, 1.0), free, rest, rest)
    states = []
    for _ in range(STEPS):
        motion.step(STEP, "hht", {"alpha": ALPHA})
        states.append((motion.u.reshape(-1, 3).copy(), motion.v.reshape(-1, 3).copy()))
    return numpy.array([s[0] for s in states]), numpy.array([s[1] for s in states])


def off(found, wanted):
    return abs(found - wanted).max() / abs(wanted).max()


def check(folder, cells):
    """By how much the program's displacement of the tip differs from CalculiX's at most, of the largest."""
    beam = Beam(folder, cells)
    there, here = solve_there(beam, folder), solve_here(beam, folder)
    if there is None or here is None:
        return None
    for k, what in enumerate(("displacement", "velocity")):
        for name, found, kind, allowed in (("ccx", there, "one-point", DIGITS), ("edgewise", here, "consistent", 1e-9)):
            error = off(found[k], integrate(beam, kind)[k])
            print(f"{cells} {what}: {name} against an integration with the {kind} mass: off by {error:.1e}")
            expect(error < allowed, f"{cells}: {what} of {name} is off by {error:.2e}")
    tip = [found[0][:, beam.tip].mean(axis=1) for found in (here, there)]
    return off(*tip)


def main():
    if not shutil.which("ccx"):
        print("skipped: ccx is not installed (Debian package calculix-ccx)")
        return 77
    with tempfile.TemporaryDirectory(prefix="edgewise-calculix-") as folder:
        coarse, fine = check(folder, "5,1,1"), check(folder, "10,2,2")
        if coarse and fine:
            print(f"tip: edgewise and ccx differ by {coarse:.2e}, with half the edges by {fine:.2e}")
            expect(fine < coarse / 2.5 and fine < 0.02, f"difference {coarse:.2e}, then {fine:.2e}")
    return support.finish("calculix dynamic")


sys.exit(main())
