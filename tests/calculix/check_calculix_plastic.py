#!/usr/bin/python3
"""check_calculix_plastic.py PROGRAM SOURCE_DIR BUILD_DIR

CalculiX's C3D4 with *PLASTIC, small strain, poses the same discrete problem at each load step: radial
return from the state before. Loaded and let go in the same steps, displacements, plastic strains and
stresses must agree to the digits that CalculiX prints. Exit status 77 without ccx.
"""
import os
import shutil
import subprocess
import sys
import tempfile

import support
from support import expect, numpy

program, source = sys.argv[1], sys.argv[2]
# CalculiX prints 7 digits, and both iterate: CalculiX until forces are out of balance by 5e-7 at most
# (*CONTROLS below), edgewise by 1e-9.
CLOSE = 2e-6
STEPS = 4
STEEL = dict(young=200e3, poisson=0.3)
LAWS = {
    "linear hardening": ("plastic: {yield_stress: 250, hardening: 4000}", [(250, 0), (4250, 1.0)]),
    "table": ("plastic: {table: [[250, 0], [300, 0.002], [320, 0.01], [330, 0.05]]}",
              [(250, 0), (300, 0.002), (320, 0.01), (330, 0.05)]),
}


def make_mesh(path):
    support.run(program, "shape", "box", "--size", "6,1,1", "--cells", "9,3,3", "-o", path)
    return support.read_medit(path)


def deck(mesh, table, force):
    """The force on, then off, in as many increments each."""
    yield "*NODE, NSET=ALL"
    for k, point in enumerate(mesh.points):
        yield "%d, %.13e, %.13e, %.13e" % (k + 1, *point)
    yield "*ELEMENT, TYPE=C3D4, ELSET=BODY"
    for k, tet in enumerate(mesh.tets):
        yield "%d, %d, %d, %d, %d" % (k + 1, *(tet + 1))
    yield f"*MATERIAL, NAME=STEEL\n*ELASTIC\n{STEEL['young']!r}, {STEEL['poisson']!r}\n*PLASTIC"
    for stress, strain in table:
        yield f"{stress!r}, {strain!r}"
    yield "*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL\n*BOUNDARY"
    for v in numpy.flatnonzero(mesh.points[:, 0] < 1e-9):
        yield f"{v + 1}, 1, 3"
    tip = numpy.flatnonzero(mesh.points[:, 0] > 6 - 1e-9)
    for factor in (1.0, 0.0):
        yield f"*STEP, INC=100\n*STATIC, DIRECT\n{1.0 / STEPS!r}, 1.0"
        yield "*CONTROLS, PARAMETERS=FIELD\n5e-7, 1e-6"
        yield "*CLOAD"
        for v in tip:
            for c in range(3):
                yield "%d, %d, %.13e" % (v + 1, c + 1, factor * force[c] / len(tip))
        yield "*NODE PRINT, NSET=ALL, FREQUENCY=100\nU\n*EL PRINT, ELSET=BODY, FREQUENCY=100\nS, PEEQ\n*END STEP"


def read_dat(path, mesh):
    """Per step: displacements [n_vertex][3], stress [n_tet][6] xx yy zz xy xz yz, plastic strain [n_tet]."""
    steps, table, size = [], None, 0
    sizes = {"displacements": (len(mesh.points), 3), "stresses": (len(mesh.tets), 6), "equivalent": (len(mesh.tets), 1)}
    with open(path) as file:
        for line in file:
            words = line.split()
            if not words:
                continue
            if words[0] in sizes:
                if words[0] == "displacements":
                    steps.append({})
                table = steps[-1].setdefault(words[0], numpy.full(sizes[words[0]], numpy.nan))
                size = sizes[words[0]][1]
            elif words[0][0].isdigit() and table is not None:
                table[int(words[0]) - 1] = [float(w) for w in words[-size:]]
    return steps


def by_tet(frame, field, n):
    data = frame["CellData/" + field]
    out = numpy.full((n,) + data.shape[1:], numpy.nan)
    out[frame["CellData/tet_id"]] = data
    return out


def case_of(law, force):
    return f"""mesh: beam.mesh
elements: linear
material: {{young: {STEEL['young']!r}, poisson: {STEEL['poisson']!r}, {law}}}
sets:
  tip: {{plane: {{point: [6, 0, 0], normal: x}}}}
constraints:
  - {{set: {{plane: {{point: [0, 0, 0], normal: x}}}}, displacement: [0, 0, 0]}}
steps:
  - name: pull
    loads: [{{set: tip, total_force: {list(force)}}}]
    static: {{tolerance: 1e-11, nonlinear: {{steps: {STEPS}, tolerance: 1e-9}}}}
  - name: let go
    loads: []
    static: {{tolerance: 1e-11, nonlinear: {{steps: {STEPS}, tolerance: 1e-9}}}}
"""


def compare(name, theirs, ours, mesh):
    told = []
    for k, (there, frame) in enumerate(zip(theirs, ours)):
        stress = by_tet(frame, "stress", len(mesh.tets))[:, [0, 1, 2, 3, 5, 4]]
        pairs = (("displacement", there["displacements"],
                  support.by_id(frame, "displacement", len(mesh.points))),
                 ("stress", there["stresses"], stress),
                 ("plastic strain", there["equivalent"][:, 0],
                  by_tet(frame, "equivalent_plastic_strain", len(mesh.tets))))
        for what, one, two in pairs:
            scale = numpy.abs(theirs[0][{"displacement": "displacements", "stress": "stresses",
                                         "plastic strain": "equivalent"}[what]]).max()
            worst = numpy.abs(one - two).max() / scale
            expect(worst < CLOSE, f"{name}, step {k}: {what} differs by {worst:.2e} of the largest")
            told.append(f"{what} {worst:.1e}")
        expect(there["equivalent"].max() > 5e-4, f"{name}: it yields")
    print(f"  {name}: differences relative to the largest, loaded and let go: " + ", ".join(told))


def check(name, law, table, force):
    with tempfile.TemporaryDirectory() as folder:
        mesh = make_mesh(os.path.join(folder, "beam.mesh"))
        with open(os.path.join(folder, "deck.inp"), "w") as file:
            file.writelines(line + "\n" for line in deck(mesh, table, force))
        done = subprocess.run(["ccx", "deck"], cwd=folder, capture_output=True, text=True, timeout=300,
                              env=dict(os.environ, OMP_NUM_THREADS="1"))
        if not expect(done.returncode == 0 and "*ERROR" not in done.stdout,
                      f"{name}: ccx failed\n{done.stdout[-1500:]}"):
            return
        theirs = read_dat(os.path.join(folder, "deck.dat"), mesh)
        with open(os.path.join(folder, "case.yaml"), "w") as file:
            file.write(case_of(law, force))
        if support.run(program, "run", "case.yaml", "-o", "ours", "--quiet", folder=folder) is None:
            return
        ours = support.read_frames(os.path.join(folder, "ours.vtkhdf"))
        if expect(len(theirs) == 2 and len(ours) == 2, f"{name}: {len(theirs)} and {len(ours)} steps"):
            compare(name, theirs, ours, mesh)


def main():
    if not shutil.which("ccx"):
        print("skipped: ccx is not installed (Debian package calculix-ccx)")
        return 77
    for name, (law, table) in LAWS.items():
        check(f"pulled, {name}", law, table, (290.0, 0.0, 0.0))
        check(f"bent, {name}", law, table, (0.0, 0.0, 20.0))
    return support.finish("check_calculix_plastic")


if __name__ == "__main__":
    sys.exit(main())
