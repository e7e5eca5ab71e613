#!/usr/bin/python3
"""check_calculix_plastic_ten.py PROGRAM SOURCE_DIR BUILD_DIR

CalculiX's C3D10 with *PLASTIC, small strain, poses the same discrete problem as quadratic tets: the same functions,
four Gauss points, radial return at each from the state before. A cantilever is bent by a pressure beyond its yield
stress and let go in the same steps; displacements of all ten nodes must agree to the digits that CalculiX prints.
Exit status 77 without ccx.
"""
import os
import shutil
import sys
import tempfile

import support
from calculix_ten import SIDES, Mesh, solve_there
from support import expect, numpy

program = sys.argv[1]
CLOSE = 2e-6  # 7 digits, and forces out of balance by 5e-7 at most (*CONTROLS)
STEPS, PRESSURE = 4, 5.2
TABLE = [(250, 0), (300, 0.002), (320, 0.01), (330, 0.05)]
STEEL = dict(young=200e3, poisson=0.3)


def case_of(factor):
    return f"""mesh: beam.mesh
elements: quadratic
material: {{young: {STEEL['young']!r}, poisson: {STEEL['poisson']!r}, plastic: {{table: {[list(p) for p in TABLE]}}}}}
sets:
  top: {{plane: {{point: [0, 0, 1], normal: z}}, of: faces}}
constraints:
  - {{set: {{plane: {{point: [0, 0, 0], normal: x}}, of: faces}}, displacement: [0, 0, 0]}}
steps:
  - name: press
    loads: [{{set: top, pressure: {PRESSURE}}}]
    static: {{tolerance: 1e-11, nonlinear: {{steps: {STEPS}, tolerance: 1e-9}}}}
  - name: let go
    loads: []
    static: {{tolerance: 1e-11, nonlinear: {{steps: {STEPS}, tolerance: 1e-9}}}}
"""


def deck(mesh, loaded_only):
    yield "*NODE, NSET=ALL"
    for k, point in enumerate(mesh.points):
        yield "%d, %.13e, %.13e, %.13e" % (k + 1, *point)
    yield "*ELEMENT, TYPE=C3D10, ELSET=BODY"
    for k, tet in enumerate(mesh.tets):
        yield ", ".join(str(i) for i in (k + 1, *(tet + 1)))
    yield f"*MATERIAL, NAME=STEEL\n*ELASTIC\n{STEEL['young']!r}, {STEEL['poisson']!r}\n*PLASTIC"
    yield from (f"{stress!r}, {strain!r}" for stress, strain in TABLE)
    yield "*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL\n*BOUNDARY"
    yield from (f"{v + 1}, 1, 3" for v in mesh.at(0, 0.0))
    for factor in (1.0,) if loaded_only else (1.0, 0.0):
        yield f"*STEP, INC=100\n*STATIC, DIRECT\n{1.0 / STEPS!r}, 1.0"
        yield "*CONTROLS, PARAMETERS=FIELD\n5e-7, 1e-6\n*DLOAD"
        for t, s in mesh.faces(mesh.at(2, 1.0)):
            yield "%d, P%d, %.13e" % (t + 1, s + 1, factor * PRESSURE)
        yield "*NODE PRINT, NSET=ALL, FREQUENCY=100\nU\n*END STEP"


def main():
    if not shutil.which("ccx"):
        print("skipped: ccx is not installed (Debian package calculix-ccx)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        support.run(program, "shape", "box", "--size", "6,1,1", "--cells", "6,1,1", "-o", "beam.mesh", folder=folder)
        with open(os.path.join(folder, "case.yaml"), "w") as file:
            file.write(case_of(1.0))
        if support.run(program, "run", "case.yaml", "-o", "ours", "--quiet", folder=folder) is None:
            return support.finish("check_calculix_plastic_ten")
        frames = support.read_frames(os.path.join(folder, "ours.vtkhdf"))
        mesh = Mesh(frames[0])
        ours = [frame["PointData/displacement"] for frame in frames]
        flowed = frames[0]["CellData/equivalent_plastic_strain"].max()
        expect(flowed > 5e-4, f"it yields: {flowed:.2g}")
        scale = numpy.abs(ours[0]).max()
        for k, name in enumerate(("pressed", "let go")):
            theirs = solve_there(name, deck(mesh, k == 0), len(ours[0]), folder)
            worst = numpy.abs(theirs - ours[k]).max() / scale if theirs is not None else numpy.inf
            expect(worst < CLOSE, f"{name}: displacements differ by {worst:.2e} of the largest, {CLOSE} may be")
            print(f"  {name}: {len(mesh.tets)} tets, {len(mesh.points)} nodes, plastic strain {flowed:.2g}; "
                  f"displacements differ by {worst:.1e} of the largest")
    return support.finish("check_calculix_plastic_ten")


if __name__ == "__main__":
    sys.exit(main())
