#!/usr/bin/python3
"""check_calculix_prestress.py PROGRAM SOURCE_DIR BUILD_DIR

Vibration of a strap that is pulled and bent far, against CalculiX: *STATIC with NLGEOM, and *FREQUENCY in a step that is a
PERTURBATION about it. What is compared is by how much the load raises each eigenvalue, since CalculiX integrates the mass of
C3D4 otherwise. Exit status 77 without ccx or without a direct solver."""
import os
import shutil
import subprocess
import sys
import tempfile

import support
from support import expect, numpy

program = sys.argv[1]
YOUNG, DENSITY, N_MODE = 1e9, 1000.0, 4
SIZE, CELLS = "2,0.2,0.05", "40,3,2"
FORCES = (0.0, 0.0, 0.0), (8000.0, 0.0, 60.0), (0.0, 0.0, 1500.0)  # of the tip, in all
MOST = 0.015


def deck(points, tets, force):
    yield "*NODE, NSET=ALL"
    yield from ("%d, %.13e, %.13e, %.13e" % (k + 1, *point) for k, point in enumerate(points))
    yield "*ELEMENT, TYPE=C3D4, ELSET=BODY"
    yield from (", ".join(str(i) for i in (k + 1, *(tet + 1))) for k, tet in enumerate(tets))
    yield f"*MATERIAL, NAME=M\n*ELASTIC\n{YOUNG!r}, 0.3\n*DENSITY\n{DENSITY!r}\n*SOLID SECTION, ELSET=BODY, MATERIAL=M"
    yield "*BOUNDARY"
    yield from ("%d, 1, 3" % (v + 1) for v in numpy.flatnonzero(abs(points[:, 0]) < 1e-9))
    if any(force):
        tip = numpy.flatnonzero(abs(points[:, 0] - 2) < 1e-9)
        yield "*STEP, NLGEOM, INC=300\n*STATIC\n0.1, 1.\n*CLOAD"
        yield from ("%d, %d, %.13e" % (v + 1, c + 1, force[c] / len(tip)) for v in tip for c in range(3) if force[c])
        yield "*NODE PRINT, NSET=ALL\nU\n*END STEP"
    yield f"*STEP{', PERTURBATION' if any(force) else ''}\n*FREQUENCY\n{N_MODE}\n*NODE FILE\nU\n*END STEP"


def solve_there(points, tets, force, folder):
    with open(os.path.join(folder, "deck.inp"), "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in deck(points, tets, force))
    done = subprocess.run(["ccx", "deck"], cwd=folder, capture_output=True, text=True, timeout=600,
                          env=dict(os.environ, OMP_NUM_THREADS="1"))
    if not expect(done.returncode == 0 and "*ERROR" not in done.stdout, f"ccx failed\n{done.stdout[-800:]}"):
        return None
    with open(os.path.join(folder, "deck.dat"), encoding="utf-8") as file:
        text = file.read()
    rows = [line.split() for line in text.split("E I G E N V A L U E   O U T P U T", 1)[1].splitlines()]
    return numpy.array([float(row[1]) for row in rows if len(row) == 5 and row[0].isdigit()][:N_MODE])


def solve_here(folder):
    """Frames by force: of the static steps, and of the modes behind each."""
    support.run(program, "shape", "box", "--size", SIZE, "--cells", CELLS, "-o", "strap.mesh", folder=folder)
    tip = "{box: [[1.999, -1, -1], [2.001, 1, 1]], of: vertices}"
    steps = "".join(f"  - {{loads: [{{set: tip, total_force: {list(force)}}}], static: {{nonlinear: {{steps: 2, tolerance: 1e-8}}}}}}\n"
                    f"  - {{modes: {{count: {N_MODE}}}}}\n" for force in FORCES)
    support.write(folder, "case.yaml", f"""mesh: strap.mesh
elements: linear
kinematics: corotational
material: {{young: {YOUNG!r}, poisson: 0.3, density: {DENSITY!r}}}
sets: {{wall: {{surface: 1}}, tip: {tip}}}
constraints: [{{set: wall, displacement: [0, 0, 0]}}]
steps:
{steps}""")
    done = support.execute(program, "run", "case.yaml", "-o", "ours", "--quiet", "--device", "host", folder=folder)
    if "no direct solver" in done.stderr:
        print("skipped: the program has no direct solver")
        sys.exit(77)
    if not expect(done.returncode == 0, done.stderr):
        return []
    frames = support.read_frames(os.path.join(folder, "ours.vtkhdf"))
    return [frames[k:k + N_MODE + 1] for k in range(0, len(frames), N_MODE + 1)]


def main():
    if not shutil.which("ccx"):
        print("skipped: ccx is not installed (Debian package calculix-ccx)")
        return 77
    rest = None
    with tempfile.TemporaryDirectory() as folder:
        for force, frames in zip(FORCES, solve_here(folder)):
            here = numpy.array([frame["numbers"]["eigenvalue"] for frame in frames[1:]])
            there = solve_there(frames[0]["Points"], frames[0]["Tets"], force, folder)
            if there is None:
                continue
            rest = rest or (here, there)
            raised = here / rest[0], there / rest[1]
            error = abs(raised[0] / raised[1] - 1).max()
            bent = abs(frames[0]["PointData/displacement"]).max()
            print(f"force {force}: moved by {bent:.3g}, eigenvalues times {raised[0].round(4)}, off by {error:.1e}")
            expect(error < MOST, f"{force}: eigenvalues rise by {raised[0]} here, {raised[1]} there")
            expect(not force[0] or raised[0][0] > 1.01, f"{force}: nothing is raised")
    return support.finish("prestress beside CalculiX")


sys.exit(main())
