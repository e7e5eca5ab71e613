#!/usr/bin/python3
"""check_calculix_modes.py PROGRAM SOURCE_DIR BUILD_DIR

Vibration modes and buckling against CalculiX, *FREQUENCY and *BUCKLE:

- load factors agree to the digits that CalculiX prints, C3D4 with linear tets, C3D10 with quadratic ones;
- frequencies differ, for CalculiX integrates the mass of C3D4 at one point, rho V / 16 for each pair of corners, and
  that of C3D10 at four, which is not exact. CalculiX's are those of that mass, ours those of the exact one, both by
  numpy to the last digit.

Two equal eigenvalues have any two shapes; so the body has none. Exit status 77 without ccx or without a direct solver."""
import os
import shutil
import subprocess
import sys
import tempfile

import quadratic_reference
import support
from support import expect, numpy

program = sys.argv[1]
YOUNG, POISSON, DENSITY = 210e9, 0.3, 7850.0
N_MODE, N_FACTOR = 6, 3
PRESSURE = 1e8
POINTS = {"C3D4": 1, "C3D10": 4}  # of CalculiX's mass
DIGITS = 1e-6  # CalculiX prints 7


def deck(frame, kind, action):
    points, tets = frame["Points"], frame["Tets"]
    yield "*NODE, NSET=ALL"
    yield from ("%d, %.13e, %.13e, %.13e" % (k + 1, *point) for k, point in enumerate(points))
    yield f"*ELEMENT, TYPE={kind}, ELSET=BODY"
    yield from (", ".join(str(i) for i in (k + 1, *(tet + 1))) for k, tet in enumerate(tets))
    yield f"*MATERIAL, NAME=M\n*ELASTIC\n{YOUNG!r}, {POISSON!r}\n*DENSITY\n{DENSITY!r}"
    yield "*SOLID SECTION, ELSET=BODY, MATERIAL=M\n*BOUNDARY"
    yield from ("%d, 1, 3" % (v + 1) for v in numpy.flatnonzero(abs(points[:, 0]) < 1e-9))
    yield "*STEP"
    if action == "frequency":
        yield f"*FREQUENCY\n{N_MODE}"
    else:
        yield f"*BUCKLE\n{N_FACTOR}, 1e-10\n*DLOAD"
        # Face k of support.FACES is S(k + 1) but for the order of its corners.
        for s, side in enumerate(support.FACES):
            inside = (abs(points[tets[:, side], 0] - 1) < 1e-9).all(axis=1)
            yield from ("%d, P%d, %.13e" % (t + 1, s + 1, PRESSURE) for t in numpy.flatnonzero(inside))
    yield "*NODE FILE\nU\n*END STEP"


def numbers(text, title, columns):
    """Rows of a table of the listing: those that start with the number of a mode."""
    after = text.split(title, 1)[1]
    rows = []
    for words in (line.split() for line in after.splitlines()[1:]):
        if words and words[0] == str(len(rows) + 1) and len(words) > columns:
            rows.append([float(word) for word in words[1:columns + 1]])
        elif rows:
            break
    return numpy.array(rows)


def solve_there(name, frame, kind, action, folder):
    with open(os.path.join(folder, "deck.inp"), "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in deck(frame, kind, action))
    done = subprocess.run(["ccx", "deck"], cwd=folder, capture_output=True, text=True, timeout=300,
                          env=dict(os.environ, OMP_NUM_THREADS="1"))
    if not expect(done.returncode == 0 and "*ERROR" not in done.stdout, f"{name}: ccx failed\n{done.stdout[-800:]}"):
        return None
    with open(os.path.join(folder, "deck.dat"), encoding="utf-8") as file:
        return file.read()


def solve_here(folder, elements, cells):
    """Frames of the modes, and of the shapes that buckle."""
    support.run(program, "shape", "box", "--size", "1,0.06,0.1", "--cells", cells, "-o", os.path.join(folder, "b.mesh"))
    with open(os.path.join(folder, "case.yaml"), "w", encoding="utf-8") as file:
        file.write(f"""mesh: b.mesh
elements: {elements}
material: {{young: {YOUNG!r}, poisson: {POISSON!r}, density: {DENSITY!r}}}
sets:
  wall: {{plane: {{point: [0, 0, 0], normal: x}}, of: faces}}
  tip: {{plane: {{point: [1, 0, 0], normal: x}}, of: faces}}
constraints: [{{set: wall, displacement: [0, 0, 0]}}]
loads: [{{set: tip, pressure: {PRESSURE!r}}}]
steps:
  - modes: {{count: {N_MODE}}}
  - static: {{tolerance: 1e-12}}
  - buckling: {{count: {N_FACTOR}}}
""")
    if support.run(program, "run", "case.yaml", "-o", "ours", "--quiet", "--device", "host", folder=folder) is None:
        return None, None
    frames = support.read_frames(os.path.join(folder, "ours.vtkhdf"))
    return frames[:N_MODE], frames[N_MODE + 1:]


def of_frames(frames, name):
    return numpy.array([frame["numbers"][name] for frame in frames])


def eigenvalues(frame, rule):
    """The lowest of K x = lambda M x where the wall is fixed, with the mass by this rule; where that is singular, K is
    not."""
    points, tets = frame["Points"], frame["Tets"]
    free = numpy.repeat(abs(points[:, 0]) > 1e-9, 3)
    both = [matrix[numpy.ix_(free, free)] for matrix in
            quadratic_reference.matrices(points, tets, YOUNG, POISSON, DENSITY, rule)]
    lower = numpy.linalg.inv(numpy.linalg.cholesky(both[0]))
    return 1 / numpy.linalg.eigvalsh(lower @ both[1] @ lower.T)[::-1][:N_MODE]


def check(folder, elements, kind, cells):
    modes, buckled = solve_here(folder, elements, cells)
    if not modes:
        return
    eigenvalue = of_frames(modes, "eigenvalue")
    listing = solve_there(elements, modes[0], kind, "frequency", folder)
    if listing:
        there = numbers(listing, "E I G E N V A L U E   O U T P U T", 3)
        for what, found, rule in (("ccx", there[:, 0], POINTS[kind]), ("edgewise", eigenvalue, "exact")):
            error = (abs(found / eigenvalues(modes[0], rule) - 1)).max()
            print(f"{kind}: {what} against numpy with the mass by rule {rule}: off by {error:.1e}")
            expect(error < (DIGITS if what == "ccx" else 1e-8), f"{kind}: eigenvalues of {what} are off by {error:.1e}")
        there = numbers(listing, "E F F E C T I V E   M O D A L   M A S S", 3)
        different = abs(of_frames(modes, "effective_mass") - there).max() / there.max()
        print(f"{kind}: effective masses differ by {different:.1e} of the largest")
        expect(different < 0.03, f"{kind}: effective masses differ by {different}")
    listing = solve_there(elements, modes[0], kind, "buckle", folder)
    if listing:
        there = numbers(listing, "B U C K L I N G   F A C T O R   O U T P U T", 1)[:, 0]
        factor = of_frames(buckled, "load_factor")
        error = (abs(factor / there - 1)).max()
        print(f"{kind}: load factors {factor} differ by {error:.1e}")
        expect(error <= DIGITS, f"{kind}: load factors {factor} here, {there} there")


def main():
    if not shutil.which("ccx"):
        print("skipped: ccx is not installed (Debian package calculix-ccx)")
        return 77
    if not support.has_direct_solver(program, sys.argv[2]):
        print("skipped: the program has no direct solver")
        return 77
    with tempfile.TemporaryDirectory(prefix="edgewise-calculix-") as folder:
        check(folder, "linear", "C3D4", "10,2,2")
        check(folder, "quadratic", "C3D10", "10,1,2")
    return support.finish("calculix modes")


sys.exit(main())
