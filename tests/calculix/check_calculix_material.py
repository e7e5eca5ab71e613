#!/usr/bin/python3
"""check_calculix_material.py PROGRAM SOURCE_DIR BUILD_DIR

Orthotropic and anisotropic materials along turned and cylindrical axes, with thermal expansion:
CalculiX's C3D4 and C3D10 with *ELASTIC, TYPE=ORTHO or ANISO and *ORIENTATION pose the same discrete
problem and must give the same displacements, to the 7 digits that it prints. Quadratic tets have the
axes of a cylinder at their middle, C3D10 at each Gauss point: these are left out. Exit status 77
without ccx.
"""
import os
import shutil
import subprocess
import sys
import tempfile

import support
from support import expect, numpy

program = sys.argv[1]
DIGITS, NOISE = 5.001e-7, 2e-9
PAIRS = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)]  # our order
THEIRS = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]  # that of CalculiX

YOUNG, POISSON, SHEAR = (11e9, 0.9e9, 0.5e9), (0.37, 0.42, 0.43), (0.8e9, 0.7e9, 0.06e9)
EXPANSION = (3e-6, 2e-5, 4e-5)


def wood():
    compliance = numpy.diag([1 / e for e in YOUNG])
    for k, (i, j) in enumerate(((0, 1), (0, 2), (1, 2))):
        compliance[i, j] = compliance[j, i] = -POISSON[k] / YOUNG[i]
    d = numpy.zeros((6, 6))
    d[:3, :3] = numpy.linalg.inv(compliance)
    d[3, 3], d[5, 5], d[4, 4] = SHEAR
    return d


def crystal():
    m = numpy.random.default_rng(5).uniform(-1, 1, (6, 6))
    return 1e9 * (m @ m.T + numpy.eye(6))


def upper(d):
    return [float(d[i, j]) for i in range(6) for j in range(i, 6)]


def their_stiffness(d, anisotropic):
    """Columns of the upper triangle in CalculiX's order of shear."""
    order = [PAIRS.index(p) for p in THEIRS]
    e = d[numpy.ix_(order, order)]
    if not anisotropic:
        values = [e[0, 0], e[0, 1], e[1, 1], e[0, 2], e[1, 2], e[2, 2], e[3, 3], e[4, 4], e[5, 5]]
    else:
        values = [e[i, j] for j in range(6) for i in range(j + 1)]
    words = ["%.13e" % v for v in values]
    return ",\n".join(", ".join(words[k:k + 8]) for k in range(0, len(words), 8))


def deck(mesh, d, expansion, anisotropic, orientation, load, heat):
    yield "*NODE, NSET=ALL"
    for k, point in enumerate(mesh["Points"]):
        yield "%d, %.13e, %.13e, %.13e" % (k + 1, *point)
    yield f"*ELEMENT, TYPE={'C3D4' if mesh['Tets'].shape[1] == 4 else 'C3D10'}, ELSET=E"
    for k, tet in enumerate(mesh["Tets"]):
        yield ", ".join(str(i) for i in (k + 1, *(tet + 1)))
    kind = "ANISO" if anisotropic else "ORTHO"
    yield from orientation
    yield f"*MATERIAL, NAME=M\n*ELASTIC, TYPE={kind}\n{their_stiffness(d, anisotropic)}"
    yield f"*EXPANSION, TYPE={kind}\n" + ", ".join("%.13e" % a for a in expansion)
    yield "*SOLID SECTION, ELSET=E, MATERIAL=M" + (", ORIENTATION=O" if orientation else "")
    yield "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 0.\n*STEP\n*STATIC\n*BOUNDARY"
    for v in numpy.flatnonzero(numpy.abs(mesh["Points"][:, 0]) < 1e-9):
        yield f"{v + 1}, 1, 3, 0."
    yield "*CLOAD"
    corners = numpy.unique(mesh["Tets"][:, :4])
    for v in corners[numpy.abs(mesh["Points"][corners, 0] - 1) < 1e-9]:
        yield from (f"{v + 1}, {c + 1}, {load[c]!r}" for c in range(3))
    if heat:
        yield f"*TEMPERATURE\nALL, {heat!r}"
    yield "*NODE PRINT, NSET=ALL\nU\n*END STEP"


def solve_there(name, lines, n, folder):
    with open(os.path.join(folder, "deck.inp"), "w") as file:
        file.writelines(line + "\n" for line in lines)
    done = subprocess.run(["ccx", "deck"], cwd=folder, capture_output=True, text=True, timeout=300,
                          env=dict(os.environ, OMP_NUM_THREADS="1"))
    if not expect(done.returncode == 0 and "*ERROR" not in done.stdout, f"{name}: ccx failed: {done.stdout[-400:]}"):
        return None
    found = numpy.full((n, 3), numpy.nan)
    with open(os.path.join(folder, "deck.dat")) as file:
        for words in (line.split() for line in file):
            if len(words) == 4:
                found[int(words[0]) - 1] = [float(w) for w in words[1:]]
    return found


def check(name, folder, material, axes, orientation, d, expansion, anisotropic, heat=0.0, elements="linear"):
    load = (150.0, -40.0, 25.0)
    warmth = f", {{temperature: {heat}}}" if heat else ""
    support.write(folder, "case.yaml", f"""mesh: beam.mesh
material: {{{material}{", axes: " + axes if axes else ""}}}
sets: {{wall: {{plane: {{point: [0, 0, 0], normal: x}}}}, tip: {{plane: {{point: [1, 0, 0], normal: x}}}}}}
elements: {elements}
constraints: [{{set: wall, displacement: [0, 0, 0]}}]
loads: [{{set: tip, force: [{load[0]}, {load[1]}, {load[2]}]}}{warmth}]
steps: [{{static: {{tolerance: 1e-11}}}}]
""")
    if support.run(program, "run", "case.yaml", "-o", "ours", "--quiet", folder=folder) is None:
        return
    frame, = support.read_frames(os.path.join(folder, "ours.vtkhdf"))
    ours = frame["PointData/displacement"]
    theirs = solve_there(name, deck(frame, d, expansion, anisotropic, orientation, load, heat), len(ours), folder)
    if theirs is None:
        return
    scale = numpy.abs(theirs).max()
    difference = numpy.abs(ours - theirs)
    expect(scale > 0 and (difference <= DIGITS * numpy.abs(theirs) + NOISE * scale).all(),
           f"{name}: displacements differ by {difference.max() / scale:.2e} of the largest")
    print(f"  {name}: displacements differ by {difference.max() / scale:.1e} of the largest")


def main():
    if not shutil.which("ccx"):
        print("skipped: no ccx (Debian package calculix-ccx)")
        sys.exit(77)
    engineering = (f"young: {list(YOUNG)}, poisson: {list(POISSON)}, shear: {list(SHEAR)}, "
                   f"expansion: {list(EXPANSION)}")
    a = crystal()
    tensor = [1e-5, 2e-5, 3e-5, 4e-6, -3e-6, 5e-6]  # CalculiX: 11 22 33 12 13 23, shear of the tensor
    ours = [1e-5, 2e-5, 3e-5, 8e-6, 1e-5, -6e-6]
    by_21 = f"stiffness: {upper(a)}, expansion: {ours}"
    nine = [wood()[i, j] for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2), (3, 3), (4, 4), (5, 5))]
    by_nine = f"stiffness: {[float(v) for v in nine]}, expansion: {list(EXPANSION)}"
    turned = ("{x: [1, 2, 0.5], y: [-2, 1, 0]}", ["*ORIENTATION, NAME=O\n1., 2., 0.5, -2., 1., 0."])
    round_axes = ("{cylinder: {point: [0.4, -0.7, 0.1], axis: [0, 0, 1]}}",
                  ["*ORIENTATION, NAME=O, SYSTEM=CYLINDRICAL\n0.4, -0.7, 0.1, 0.4, -0.7, 1.1"])
    plain = (None, [])
    with tempfile.TemporaryDirectory() as folder:
        support.run(program, "shape", "box", "--size", "1,0.3,0.2", "--cells", "8,3,2", "-o", "beam.mesh",
                    folder=folder)
        for name, axes in (("x, y, z", plain), ("turned", turned), ("cylinder", round_axes)):
            check(f"wood, {name}", folder, engineering, *axes, wood(), EXPANSION, False)
            check(f"warm wood, {name}", folder, by_nine, *axes, wood(), EXPANSION, False, heat=35.0)
            check(f"warm crystal, {name}", folder, by_21, *axes, a, tensor, True, heat=35.0)
        for name, axes in (("x, y, z", plain), ("turned", turned)):
            check(f"quadratic wood, {name}", folder, engineering, *axes, wood(), EXPANSION, False, elements="quadratic")
            check(f"warm quadratic crystal, {name}", folder, by_21, *axes, a, tensor, True, 35.0, "quadratic")
    sys.exit(support.finish("check_calculix_material.py"))


if __name__ == "__main__":
    main()
