"""Values at places: paths, probes, stress linearized through a wall, force and moment through sections, mass properties, against
closed forms; in sweeps and on the page. Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
import csv
import math
import os
import re
import shutil
import sys
import tempfile

from checks import execute, expect, finish, write

program, source = sys.argv[1], sys.argv[2]
L, B, F, E, RHO = 200.0, 20.0, 500.0, 210e3, 7.85e-9

PLACES = """output:
  paths:
    axis: {{from: [20, 10, 10], to: [180, 10, 10], count: 9}}
    corner: {{points: [[0, 10, 10], [100, 10, 10], [100, 10, 25]], count: 6}}
    wall: {{from: [100, 10, 0], to: [100, 10, 20], linearize: true}}
  probes: {{tip: [200 mm, 10, 10], outside: [300, 0, 0]}}
  sections:
    middle: {{point: [97, 0, 0], normal: x}}
    skew: {{point: [63, 0, 0], normal: [1, 0.3, 0.2]}}
    back: {{point: [97, 0, 0], normal: [-2, 0, 0]}}
    root: {{point: [0, 0, 0], normal: x}}
  mass_properties: true
"""
CASE = """mesh: beam.mesh
units: {{length: mm, force: N}}
material: S355
elements: {elements}
parameters: {{h: 20}}
{extra}
sets:
  wall: {{plane: {{point: [0, 0, 0], normal: x}}, of: faces}}
  tip: {{plane: {{point: [200, 0, 0], normal: x}}, of: faces}}
constraints: [{{set: wall, displacement: [0, 0, 0]}}]
loads: [{{set: tip, total_force: [0, 0, -500]}}, {{temperature: 20}}]
steps:
  - name: bending
    edit: [{{scale: {{factor: [1, 1, h/20]}}}}]
    static: {{tolerance: 1e-10}}
""" + PLACES


def table(folder, name):
    with open(os.path.join(folder, name), newline="") as file:
        return list(csv.DictReader(file))


def vector(row, name):
    return [float(row[f"{name}_{c}"]) for c in "xyz"]


def near(value, wanted, tolerance, what):
    scale = max(abs(w) for w in wanted)
    expect(all(abs(v - w) <= tolerance * scale for v, w in zip(value, wanted)), f"{what}: {value} instead of {wanted}")


def run(folder, name, text):
    write(folder, name + ".yaml", text)
    done = execute(program, "run", name + ".yaml", "-o", name, folder=folder)
    expect(done.returncode == 0, f"{name}: {done.stderr}")
    return done.stdout


def sections(folder, name):
    """The free body in front of a plane has the force at the tip: exact on any mesh, with the solver's residual, also
    where heat strains the tets, which adds no force."""
    for row in table(folder, name + ".sections.csv"):
        sign = -1 if row["section"] == "back" else 1
        c = vector(row, "centroid")
        # "back": what lies behind x = 97 acts on what is in front of it.
        near(vector(row, "force"), [0, 0, -sign * F], 1e-7, f"{name}: force through {row['section']}")
        arm = L - c[0]
        near(vector(row, "moment"), [(c[1] - B / 2) * F * -sign * -1, sign * F * arm, 0], 1e-7, f"{name}: moment through {row['section']}")
        n = vector(row, "normal")
        near([float(row["area"])], [B * B / abs(n[0])], 1e-9, f"{name}: area of {row['section']}")
        near([float(row["torsion"]), float(row["bending"])],
             [sign * F * arm * n[1], F * arm * math.sqrt(1 - n[1] ** 2)], 1e-7, f"{name}: torsion and bending of {row['section']}")
        near([float(row["normal_force"]), float(row["shear_force"])],
             [-sign * F * n[2], F * math.sqrt(1 - n[2] ** 2)], 1e-7, f"{name}: normal and shear force of {row['section']}")


def mass(folder, name):
    row = table(folder, name + ".mass.csv")[0]
    m = RHO * L * B * B
    near([float(row["mass"])], [m], 1e-12, "mass")
    near(vector(row, "center"), [L / 2, B / 2, B / 2], 1e-12, "center of mass")
    near([float(row[f"inertia_{c}"]) for c in ("xx", "yy", "zz", "xy", "yz", "xz")],
         [m * 2 * B * B / 12, m * (L * L + B * B) / 12, m * (L * L + B * B) / 12, 0, 0, 0], 1e-12, "inertia")


def beam(folder):
    execute(program, "shape", "box", "--size", "200,20,20", "--cells", "20,2,2", "-o", "beam.mesh", folder=folder)
    for elements in "linear", "quadratic":
        out = run(folder, elements, CASE.format(elements=elements, extra=""))
        expect("probe tip" in out and "section middle" in out and "outside  not in the body" in out, out[-600:])
        sections(folder, elements)
        mass(folder, elements)
    # Saint-Venant: bending M / W = 37.5 MPa at x = 100; the averaged stress of quadratic tets is linear through the wall.
    walls = {row["stress"]: row for row in table(folder, "quadratic.linearized.csv")}
    near([float(walls["bending at end"]["stress_xx"])], [F * 100 * 6 / B**3], 1e-6, "bending")
    expect(abs(float(walls["membrane"]["stress_xx"])) < 0.5, "membrane of bending")
    for end in "start", "end":
        for c in "xx", "yy", "zz", "xy", "yz", "xz":
            parts = [float(walls[f"{kind} at {end}"]["stress_" + c]) for kind in ("membrane + bending", "peak", "total")]
            near([parts[0] + parts[1]], [parts[2]], 1e-9, f"parts of the stress {c} at the {end}")
    points = table(folder, "quadratic.paths.csv")
    axis = [row for row in points if row["path"] == "axis"]
    expect([float(row["distance"]) for row in axis] == [20.0 * k for k in range(9)], "distances")
    for row in axis:  # Timoshenko and the heat's w = 0 on the axis of a beam whose wall holds it across
        x = float(row["x"])
        bent = -F * x * x * (3 * L - x) / (6 * E * B**4 / 12) - 1.2 * F * x / (E / 2.6 * B * B)
        expect(abs(float(row["displacement_z"]) - bent) < 0.01 * abs(bent) + 12e-6 * 20 * B, f"axis at {x}: {row['displacement_z']} {bent}")
    corner = [row for row in points if row["path"] == "corner"]
    near([float(row["distance"]) for row in corner], [23.0 * k for k in range(6)], 1e-12, "a path with a corner")
    expect([row["von_mises"] == "" for row in corner] == [False] * 5 + [True], "a path that leaves the body")
    near([float(corner[-1]["z"])], [25.0], 1e-12, "its end")
    tip = next(row for row in points if row["path"] == "tip")
    step = table(folder, "quadratic.sets.csv")
    mean = next(row for row in step if row["set"] == "tip")
    near([float(tip["displacement_z"])], [float(mean["mean_displacement_z"])], 2e-3, "probe and set")


def sweep(folder):
    text = CASE.format(elements="quadratic", extra="sweep: {grid: {h: [20, 30]}}")
    text = text.replace("to: [100, 10, 20]", "to: [100, 10, h]")
    run(folder, "sweep", text)
    execute(program, "run", "sweep.yaml", "-o", "jobs", "--jobs", "2", folder=folder)
    for ending in ".paths.csv", ".linearized.csv", ".sections.csv", ".mass.csv":
        with open(os.path.join(folder, "sweep" + ending), "rb") as one, open(os.path.join(folder, "jobs" + ending), "rb") as two:
            expect(one.read() == two.read(), f"{ending} of two jobs")
    rows = [row for row in table(folder, "sweep.linearized.csv") if row["stress"] == "bending at end"]
    expect([row["combination"] for row in rows] == ["1", "2"], "combinations")
    near([float(row["stress_xx"]) for row in rows], [F * 100 * 6 / (B * h * h) for h in (20, 30)], 2e-3, "bending of two heights")


def vessel(folder):
    for name in "vessel.yaml", "sphere.mesh":
        shutil.copy(os.path.join(source, "datasets", name), folder)
    done = execute(program, "run", "vessel.yaml", folder=folder)
    expect(done.returncode == 0, done.stderr)
    a, b, p = 0.5, 1.0, 1e6
    t, part = b - a, p * a**3 / (b**3 - a**3)
    membrane = part * (1 + b**3 / (4 * t) * (1 / a**2 - 1 / b**2))
    bending = 3 * part * b**3 / t**2 * ((t / 2 + a) / 2 * (1 / a**2 - 1 / b**2) - (1 / a - 1 / b))
    walls = {row["stress"]: row for row in table(folder, "vessel.linearized.csv")}
    for c in "yy", "zz":  # quadratic tets of t / 8: the stress of their corners is off by 2 % at most, its mean by less
        near([float(walls["membrane"]["stress_" + c])], [membrane], 0.01, "membrane of Lame")
        near([float(walls["bending at start"]["stress_" + c])], [bending], 0.01, "bending of Lame")
        near([float(walls["total at start"]["stress_" + c])], [part * (1 + b**3 / (2 * a**3))], 0.03, "the inner surface")
    row = table(folder, "vessel.sections.csv")[0]
    near([float(row["normal_force"])], [p * math.pi * a * a / 4], 0.01, "the force of the equator")
    row = table(folder, "vessel.mass.csv")[0]
    near([float(row["mass"])], [7850 * math.pi / 6 * (b**3 - a**3)], 0.01, "mass")
    near(vector(row, "center"), [3 / 8 * (b**4 - a**4) / (b**3 - a**3)] * 3, 0.005, "center of an octant")
    middle = [row for row in table(folder, "vessel.paths.csv") if row["path"] == "middle"]
    r, e, nu = 0.433 * math.sqrt(3), 200e9, 0.3
    u = part * r / e * ((1 - 2 * nu) + (1 + nu) * b**3 / (2 * r**3))
    near(vector(middle[0], "displacement"), [u / math.sqrt(3)] * 3, 0.005, "Lame's displacement")
    done = execute(program, "report", "vessel.vtkhdf", folder=folder)
    with open(os.path.join(folder, "vessel.html"), encoding="utf-8") as file:
        page = file.read()
    for words in ("Along paths and at probes", "Values at probes", "meridian, pressure", "Stress through walls", "membrane + bending at start", "equator",
                  "Mass, center of mass"):
        expect(words in page, f"the page without '{words}'")


def refusals(folder):
    text = CASE.format(elements="linear", extra="")
    outside = run(folder, "outside", text.replace("  probes:", "    beyond: {from: [150, 10, 10], to: [250, 10, 10], count: 11}\n    far: {from: [150, 10, 90], to: [250, 10, 90]}\n  probes:", 1))
    expect(re.search(r"path beyond +5 of its 11 points are not in the body", outside) and re.search("path far +21 of its 21", outside), outside)
    execute(program, "report", "outside.vtkhdf", "--pictures", "0", folder=folder)
    with open(os.path.join(folder, "outside.html"), encoding="utf-8") as file:
        expect("far, bending: no point of this path lies in the body" in file.read(), "the page says which path is outside")
    for old, new, words in (
            ("count: 9", "count: 1", "count must be a whole number from 2"),
            ("tip: [200 mm, 10, 10]", "axis: [200 mm, 10, 10]", "there is a path or a probe 'axis' already"),
            ("to: [180, 10, 10], count", "to: [20, 10, 10], count", "path 'axis': two points that follow each other"),
            ("to: [180, 10, 10], count", "count", "key 'to' is missing"),
            ("points: [[0", "from: [0, 0, 0], points: [[0", "give 'points', or 'from' and 'to'"),
            ("to: [100, 10, 20], linearize", "to: [100, 10, 40], linearize", "path 'wall' leaves the body"),
            ("normal: [1, 0.3, 0.2]", "normal: [0, 0, 0]", "normal has length 0"),
            ("middle: {point: [97, 0, 0]", "middle: {point: [300, 0, 0]", "section 'middle' does not cut the body"),
            ("from: [20, 10, 10]", "from: [20 N, 10, 10]", "another unit than length"),
            ("parameters:", "kinematics: corotational\nparameters:", "section 'middle'")):
        expect(old in text, old)
        write(folder, "bad.yaml", text.replace(old, new, 1))
        done = execute(program, "run", "bad.yaml", "-o", "bad", folder=folder)
        expect(done.returncode == 2 and words in done.stderr and done.stderr.count("edgewise:") == 1,
               f"{new}: {done.returncode} {done.stderr}")
        expect(not os.path.exists(os.path.join(folder, "bad.csv")), f"{new}: a table is left")
    shapes = text.split("steps:")[0] + "steps: [{name: a, modes: {count: 2}}]\n"
    for output, words in (("sections: {s: {point: [9, 0, 0], normal: x}}", "section 's': no step has stress"),
                          ("paths: {p: {from: [9, 9, 0], to: [9, 9, 20], linearize: true}}", "path 'p': linearize: no step has stress")):
        write(folder, "bad.yaml", shapes + f"output: {{{output}}}\n")
        done = execute(program, "run", "bad.yaml", "-o", "bad", folder=folder)
        expect(done.returncode == 2 and words in done.stderr and done.stderr.count("edgewise:") == 1, f"{output}: {done.stderr}")


with tempfile.TemporaryDirectory(prefix="edgewise-") as place:
    beam(place)
    sweep(place)
    vessel(place)
    refusals(place)
sys.exit(finish("check_places"))
