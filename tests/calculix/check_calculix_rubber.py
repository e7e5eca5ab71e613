#!/usr/bin/python3
"""check_calculix_rubber.py PROGRAM SOURCE_DIR BUILD_DIR

Cantilevers of Mooney-Rivlin rubber, bent far by a force at the end, against CalculiX's *HYPERELASTIC with the same energy. Its C3D10 poses the same discrete problem as quadratic tets: displacements of all ten nodes must agree to the residual at which
its iterations end. Mixed tets of nearly incompressible rubber (poisson: 0.49) converge to C3D10, which locks little there, where linear
tets lock. Exit status 77 without ccx.
"""
import os
import shutil
import sys
import tempfile

import support
from calculix_ten import MIDDLES, SIDES, Mesh, solve_there
from support import expect, numpy

program = sys.argv[1]
C10, C01, FORCE, STEPS = 0.4, 0.1, -0.02, 5
SIZE = (4.0, 1.0, 1.0)


def case_of(elements, poisson):
    return f"""mesh: beam.mesh
elements: {elements}
kinematics: corotational
material: {{young: {4 * (1 + poisson) * (C10 + C01)!r}, poisson: {poisson}, mooney_rivlin: {{c10: {C10}, c01: {C01}}}}}
sets:
  tip: {{plane: {{point: [{SIZE[0]}, 0, 0], normal: x}}, of: faces}}
constraints:
  - {{set: {{plane: {{point: [0, 0, 0], normal: x}}, of: faces}}, displacement: [0, 0, 0]}}
loads: [{{set: tip, total_force: [0, 0, {FORCE}]}}]
steps:
  - static: {{nonlinear: {{steps: {STEPS}, tolerance: 1e-8, max_iterations: 50}}}}
"""


def deck(mesh, poisson):
    bulk = 2 * (C10 + C01) * 2 * (1 + poisson) / 3 / (1 - 2 * poisson)
    yield "*NODE, NSET=ALL"
    for k, point in enumerate(mesh.points):
        yield "%d, %.13e, %.13e, %.13e" % (k + 1, *point)
    yield "*ELEMENT, TYPE=C3D10, ELSET=BODY"
    for k, tet in enumerate(mesh.tets):
        yield ", ".join(str(i) for i in (k + 1, *(tet + 1)))
    yield f"*MATERIAL, NAME=RUBBER\n*HYPERELASTIC, MOONEY-RIVLIN\n{C10!r}, {C01!r}, {2 / bulk:.12e}"
    yield "*SOLID SECTION, ELSET=BODY, MATERIAL=RUBBER\n*BOUNDARY"
    yield from (f"{v + 1}, 1, 3" for v in mesh.at(0, 0.0))
    yield f"*STEP, NLGEOM, INC=100\n*STATIC, DIRECT\n{1.0 / STEPS!r}, 1.0\n*CONTROLS, PARAMETERS=FIELD\n1e-9, 1e-9\n*CLOAD"
    yield from ("%d, 3, %.13e" % (v + 1, f) for v, f in forces(mesh).items())
    yield "*NODE PRINT, NSET=ALL, FREQUENCY=100\nU\n*END STEP"


def forces(mesh):
    """A uniform traction of six-node triangles: a third of it in the middle of each side. The faces of the end are alike."""
    faces, force = mesh.faces(mesh.at(0, SIZE[0])), {}
    for t, s in faces:
        for k, (a, b) in enumerate(MIDDLES):
            if a in SIDES[s] and b in SIDES[s]:
                v = mesh.tets[t, 4 + k]
                force[v] = force.get(v, 0.0) + FORCE / (3 * len(faces))
    return force


def solve_here(folder, elements, poisson, cells):
    support.run(program, "shape", "box", "--size", ",".join(map(str, SIZE)), "--cells", cells, "-o", "beam.mesh", folder=folder)
    with open(os.path.join(folder, "case.yaml"), "w") as file:
        file.write(case_of(elements, poisson))
    if support.run(program, "run", "case.yaml", "-o", "ours", "--quiet", "--device", "host", folder=folder) is None:
        return None
    return support.read_frames(os.path.join(folder, "ours.vtkhdf"))[-1]


def tip(points, displacement):
    """Mean over the four corners of the free end."""
    corner = (numpy.abs(points[:, 0] - SIZE[0]) < 1e-9) & numpy.isin(points[:, 1:].round(9), (0.0, 1.0)).all(axis=1)
    return displacement[corner].mean(axis=0)


def check_same(folder):
    frame = solve_here(folder, "quadratic", 0.4, "4,1,1")
    if frame is None:
        return
    mesh, ours = Mesh(frame), frame["PointData/displacement"]
    theirs = solve_there("quadratic", deck(mesh, 0.4), len(mesh.points), folder)
    if theirs is not None:
        worst = numpy.abs(ours - theirs).max() / numpy.abs(theirs).max()
        expect(worst < 2e-5, f"quadratic tets: displacement differs by {worst:.2g} of the largest")
        print(f"  quadratic tets: largest displacement {numpy.abs(theirs).max():.4g}, difference {worst:.1e}")


def check_mixed(folder):
    frame = solve_here(folder, "quadratic", 0.49, "8,2,2")
    if frame is None:
        return
    mesh = Mesh(frame)
    theirs = solve_there("nearly incompressible", deck(mesh, 0.49), len(mesh.points), folder)
    if theirs is None:
        return
    wanted = tip(mesh.points, theirs)
    for elements, cells, low, high in (("mixed", "12,3,3", 0.75, 1.0), ("mixed", "24,6,6", 0.95, 1.01), ("linear", "12,3,3", 0, 0.7)):
        frame = solve_here(folder, elements, 0.49, cells)
        if frame is not None:
            ours = tip(frame["Points"], frame["PointData/displacement"])
            share = numpy.linalg.norm(ours) / numpy.linalg.norm(wanted)
            expect(low < share < high, f"{elements} tets, {cells}: the tip moves by {share:.4f} of CalculiX's")
            print(f"  {elements} tets, {cells}: the tip moves by {share:.4f} of CalculiX's C3D10 ({ours} and {wanted})")


def main():
    if not shutil.which("ccx"):
        print("skipped: ccx is not installed (Debian package calculix-ccx)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        check_same(folder)
        check_mixed(folder)
    return support.finish("check_calculix_rubber")


if __name__ == "__main__":
    sys.exit(main())
