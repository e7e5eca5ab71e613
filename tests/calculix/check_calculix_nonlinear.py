#!/usr/bin/python3
"""check_calculix_nonlinear.py PROGRAM SOURCE_DIR BUILD_DIR

Slender bodies that turn far and strain little, against *STATIC with NLGEOM of CalculiX's C3D4, which has
another strain (Green's) and law (of the second Piola-Kirchhoff stress): both agree to the order of the strain.
Exit status 77 without ccx."""
import os
import re
import shutil
import sys
import tempfile

import check_calculix as calculix
import support
from support import expect, numpy

program = sys.argv[1]
STRAP = dict(young=1e9, poisson=0.3, density=1000.0)


def deck(case, mesh):
    for line in plain_deck(case, mesh):
        yield line.replace("*STEP\n*STATIC", "*STEP, NLGEOM, INC=300\n*STATIC\n0.1, 1.")


def yaml_of(case):
    """Pressures of CalculiX turn with the faces."""
    yield "kinematics: corotational"
    for line in plain_yaml(case):
        line = re.sub(r"pressure: ([-0-9.e]+)", r"pressure: {value: \1, follower: true}", line)
        yield line.replace("{tolerance: 1e-10, max_iterations: 50000}", "{nonlinear: {tolerance: 1e-8}}")


def read_dat(path, n):
    """The tables of the last increment."""
    with open(path) as file:
        text = file.read()
    last = text.rindex("displacements (")
    with open(path, "w") as file:
        file.write(text[last:].replace("displacements (", " displacements ("))
    return plain_read(path, n)


plain_deck, plain_yaml, plain_read = calculix.deck, calculix.yaml_of, calculix.read_dat
calculix.deck, calculix.yaml_of, calculix.read_dat = deck, yaml_of, read_dat


def compare(case, mesh, theirs, ours, most):
    told = []
    for what, there, here in zip(("displacement", "force"), theirs, ours):
        scale = numpy.abs(there).max()
        worst = numpy.abs(here - there).max() / scale
        expect(worst < most, f"{case.name}: {what} differs by {worst:.2g} of the largest, {most} may be")
        told.append(f"{what} {worst:.1e}")
    print(f"  {case.name}: {len(mesh.tets)} tets, largest displacement {numpy.abs(theirs[0]).max():.3g}; "
          "differences relative to the largest: " + ", ".join(told))


def cases(folder):
    path = os.path.join(folder, "strap.mesh")
    support.run(program, "shape", "box", "--size", "2,0.2,0.02", "--cells", "60,4,2", "-o", path)
    wall, tip = calculix.slab(0, -1, 1e-9), calculix.slab(0, 2 - 1e-9, 3)
    fixed = [(wall, (0, 0, 0))]
    yield calculix.Case("bent strap", path, {1: STRAP}, fixed, [("total_force", tip, (0, 0, 250.0))]), 2e-2
    yield calculix.Case("bent, pulled and twisted strap", path, {1: STRAP}, fixed,
                        [("total_force", tip, (300.0, 100.0, 200.0))]), 2e-2
    yield calculix.Case("pressed strap", path, {1: STRAP}, fixed, [("pressure", calculix.slab(2, 0.02 - 1e-9, 1), 3000.0)]), 5e-2
    yield calculix.Case("strap between two walls", path, {1: STRAP},
                        fixed + [(tip, (0, 0, 0.1))], []), 1e-2


def main():
    if not shutil.which("ccx"):
        print("skipped: ccx is not installed (Debian package calculix-ccx)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        for case, most in cases(folder):
            mesh = support.read_medit(case.path)
            theirs = calculix.solve_there(case, mesh, folder)
            ours = calculix.solve_here(case, mesh, (), folder)
            if theirs and ours:
                compare(case, mesh, theirs, ours, most)
    return support.finish("check_calculix_nonlinear")


if __name__ == "__main__":
    sys.exit(main())
