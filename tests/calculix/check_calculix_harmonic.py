#!/usr/bin/python3
"""check_calculix_harmonic.py PROGRAM SOURCE_DIR BUILD_DIR

Harmonic response against CalculiX, *STEADY STATE DYNAMICS, which is by modes: amplitudes and phases of a cantilever of
quadratic tets with Rayleigh damping, direct here. CalculiX integrates the mass of C3D10 at four points, which is not exact and
makes frequencies 1e-3 different (check_calculix_modes.py); away from them answers are near. Exit status 77 without ccx or
without a direct solver."""
import os
import shutil
import subprocess
import sys
import tempfile

import support
from support import expect, numpy

program = sys.argv[1]
YOUNG, POISSON, DENSITY = 210e9, 0.3, 7850.0
ALPHA, BETA = 20.0, 1e-5
# CalculiX answers at both ends of an interval that has no frequency of the body, 50, 84, 313 and 515.
INTERVALS = [(20.0, 40.0), (60.0, 70.0), (120.0, 250.0), (350.0, 450.0)]


def deck(frame, forces):
    points, tets = frame["Points"], frame["Tets"]
    yield "*NODE, NSET=ALL"
    yield from ("%d, %.13e, %.13e, %.13e" % (k + 1, *point) for k, point in enumerate(points))
    yield "*ELEMENT, TYPE=C3D10, ELSET=BODY"
    yield from (", ".join(str(i) for i in (k + 1, *(tet + 1))) for k, tet in enumerate(tets))
    yield f"*MATERIAL, NAME=M\n*ELASTIC\n{YOUNG!r}, {POISSON!r}\n*DENSITY\n{DENSITY!r}"
    yield "*SOLID SECTION, ELSET=BODY, MATERIAL=M\n*BOUNDARY"
    yield from ("%d, 1, 3" % (v + 1) for v in numpy.flatnonzero(abs(points[:, 0]) < 1e-9))
    yield "*STEP\n*FREQUENCY, STORAGE=YES\n80\n*END STEP"
    for low, high in INTERVALS:
        yield f"*STEP\n*STEADY STATE DYNAMICS\n{low!r}, {high!r}, 2\n*MODAL DAMPING, RAYLEIGH\n,, {ALPHA!r}, {BETA!r}\n*CLOAD"
        yield from ("%d, %d, %.13e" % (v + 1, c + 1, forces[v, c]) for v, c in zip(*forces.nonzero()))
        yield "*NODE FILE\nPU\n*END STEP"


def solve_there(lines, n, folder):
    """{frequency: complex displacement [n][3]}."""
    with open(os.path.join(folder, "deck.inp"), "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)
    done = subprocess.run(["ccx", "deck"], cwd=folder, capture_output=True, text=True, timeout=300,
                          env=dict(os.environ, OMP_NUM_THREADS="1"))
    expect(done.returncode == 0 and "*ERROR" not in done.stdout, f"ccx failed\n{done.stdout[-800:]}")
    found, at, into = {}, None, None
    with open(os.path.join(folder, "deck.frd"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("  100C"):
                at = float(line[12:24])
            elif line.startswith(" -4"):
                into = found.setdefault(at, numpy.zeros((n, 3), complex)) if "PDISP" in line else None
            elif line.startswith(" -1") and into is not None:
                six = numpy.array([float(line[13 + 12 * k:25 + 12 * k]) for k in range(6)])
                into[int(line[3:13]) - 1] = six[:3] * numpy.exp(1j * numpy.radians(six[3:]))
            elif line.startswith(" -3"):
                into = None
    return found


def solve_here(folder):
    support.run(program, "shape", "box", "--size", "1,0.06,0.1", "--cells", "10,1,2", "-o", os.path.join(folder, "b.mesh"))
    frequencies = ", ".join(str(f) for pair in INTERVALS for f in pair)
    with open(os.path.join(folder, "case.yaml"), "w", encoding="utf-8") as file:
        file.write(f"""mesh: b.mesh
elements: quadratic
material: {{young: {YOUNG!r}, poisson: {POISSON!r}, density: {DENSITY!r}}}
sets:
  wall: {{plane: {{point: [0, 0, 0], normal: x}}, of: faces}}
  tip: {{plane: {{point: [1, 0, 0], normal: x}}, of: vertices}}
constraints: [{{set: wall, displacement: [0, 0, 0]}}]
loads: [{{set: tip, force: [10, 40, 100]}}]
steps:
  - harmonic: {{method: direct, rayleigh: {{mass: {ALPHA!r}, stiffness: {BETA!r}}}, frequencies: [{frequencies}]}}
""")
    support.run(program, "run", "case.yaml", "-o", "ours", "--quiet", "--device", "host", folder=folder)
    return support.read_frames(os.path.join(folder, "ours.vtkhdf"))


def check(folder):
    frames = solve_here(folder)
    points = frames[0]["Points"]
    forces = numpy.zeros((len(points), 3))
    n_corner = frames[0]["Tets"][:, :4].max() + 1
    forces[numpy.flatnonzero(abs(points[:n_corner, 0] - 1) < 1e-9)] = [10, 40, 100]
    there = solve_there(deck(frames[0], forces), len(points), folder)
    expect(len(there) == len(frames), f"ccx has {sorted(there)}")
    for frame, (frequency, theirs) in zip(frames, sorted(there.items())):
        ours = (frame["PointData/displacement_real"] + 1j * frame["PointData/displacement_imaginary"])[:n_corner]
        error = abs(ours - theirs[:n_corner]).max() / abs(ours).max()
        print(f"{frequency} Hz: differ by {error:.1e}")
        expect(error < 0.006, f"{frequency} Hz: displacements differ by {error:.1e}")


def main():
    if not shutil.which("ccx"):
        print("skipped: ccx is not installed (Debian package calculix-ccx)")
        return 77
    if not support.has_direct_solver(program, sys.argv[2]):
        print("skipped: the program has no direct solver")
        return 77
    with tempfile.TemporaryDirectory(prefix="edgewise-calculix-") as folder:
        check(folder)
    return support.finish("calculix harmonic")


sys.exit(main())
