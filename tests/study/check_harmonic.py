#!/usr/bin/python3
"""check_harmonic.py PROGRAM SOURCE_DIR BUILD_DIR

Harmonic response, direct and by modes: the static answer at a low frequency, a mass on a spring, a body on a base that moves,
one method against the other; the deep beam of NAFEMS' test 5H; complex fields, numbers of sets, replay; what is refused.
"""
import csv
import math
import os
import sys
import tempfile

import h5py
import numpy

from checks import execute, expect, finish, write

program, source = sys.argv[1], sys.argv[2]

HEAD = """mesh: bar.mesh
units: {length: m, force: N, time: s}
elements: ELEMENTS
material: {young: 210e9, poisson: 0.3, density: 7850}
sets: {wall: {surface: 1}, tip: {surface: 2}}
constraints:
  - {set: wall, displacement: [0, 0, 0]}
loads: [{set: tip, total_force: [0, 30, 100]}]
output: {paths: {wall: {from: [0.5, 0.05, 0], to: [0.5, 0.05, 0.1], linearize: true, count: 11}}}
"""


def run(folder, name, text):
    write(folder, name + ".yaml", text)
    done = execute(program, "run", name + ".yaml", "-o", name, "--device", "host", folder=folder)
    if "without the direct solver" in done.stderr or "EW_WITH" in done.stderr:
        print("  skipped: the program has no direct solver")
        sys.exit(77)
    expect(done.returncode == 0, f"{name}: exit status {done.returncode}: {done.stderr}")
    with h5py.File(os.path.join(folder, name + ".vtkhdf")) as file:
        frames = []
        for key in sorted(file["Frames"]):
            frame = file["Frames"][key]
            frames.append({f"{group}/{n}": frame[group][n][:] for group in ("PointData", "CellData") for n in frame[group]})
    with open(os.path.join(folder, name + ".sets.csv"), encoding="utf-8", newline="") as file:
        return frames, list(csv.DictReader(file))


def table(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def check_places(folder, elements):
    """Numbers of the file and of the tables; phases; what a wall and a point on it have."""
    points = [row for row in table(folder, elements + ".paths.csv") if row["path"] == "wall" and row["step"] == "direct"]
    walls = [row for row in table(folder, elements + ".linearized.csv") if row["step"] == "direct" and row["stress"] == "total at start"]
    starts = [row for row in points if row["point"] == "0"]
    expect(len(starts) == len(walls) == 4 and [row["record"] for row in walls] == list("1234"), f"{elements}: records of a wall")
    for row, start in zip(walls, starts):
        expect(all(row[name] == start[name] for name in ("stress_xx", "stress_phase_xx", "von_mises")) and row["stress_intensity"] == "",
               f"{elements}: {row} at its start {start}")
    with h5py.File(os.path.join(folder, elements + ".vtkhdf")) as file:
        of = file["Edgewise/Steps/000003/Paths/0000"]
        names = of.attrs["columns"].decode().split(",")
        wanted = [[float(row[name]) if row[name] else math.nan for name in names] for row in points if row["record"] == "3"]
        expect(of.attrs["name"] == b"wall" and numpy.array_equal(of[:], wanted, equal_nan=True), f"{elements}: values of a path in the file")
        expect("Sections" not in file["Edgewise/Steps/000003"], "sections that are not asked for")


def of_set(rows, step, name):
    return [row for row in rows if row["step"] == step and row["set"] == name]


def amplitudes(rows, number, component):
    """Complex ones, of a number of sets with its phase."""
    return numpy.array([float(row[f"{number}_{component}"]) * numpy.exp(1j * math.radians(float(row[f"{number}_phase_{component}"])))
                        for row in rows])


def near(found, wanted, tolerance):
    return abs(found - wanted) <= tolerance * abs(wanted)


def check_complex(frame, what):
    for group, name in (("PointData", "displacement"), ("PointData", "reaction"), ("PointData", "stress"), ("CellData", "stress")):
        real, imaginary = frame[f"{group}/{name}_real"], frame[f"{group}/{name}_imaginary"]
        both = numpy.hypot(real, imaginary)
        n = len(both) if group == "CellData" or name == "displacement" else 99  # behind corners means of their ends
        close = numpy.allclose(frame[f"{group}/{name}"][:n], both[:n], rtol=1e-5, atol=1e-6 * both.max())
        expect(close and both.max() > 0, f"{what}: {group} {name}")

    def squared(s):
        return 0.5 * ((s[:, 0] - s[:, 1]) ** 2 + (s[:, 1] - s[:, 2]) ** 2 + (s[:, 2] - s[:, 0]) ** 2) + 3 * (s[:, 3:] ** 2).sum(axis=1)
    bound = numpy.sqrt(squared(frame["CellData/stress_real"]) + squared(frame["CellData/stress_imaginary"]))
    expect(numpy.allclose(bound, frame["CellData/von_mises"], rtol=1e-4), f"{what}: bound of the von Mises stress")


def check_bar(folder, elements):
    listed = "frequencies: [0.01, 40, 150, 700]"
    frames, rows = run(folder, elements, HEAD.replace("ELEMENTS", elements) + f"""steps:
  - {{name: still, static: {{}}}}
  - {{name: direct, harmonic: {{method: direct, structural: 4 %, rayleigh: {{mass: 3, stiffness: 1e-6}}, {listed}}}}}
  - {{name: modal, harmonic: {{modes: 60, structural: 4 %, rayleigh: {{mass: 3, stiffness: 1e-6}}, {listed}}}}}
""")
    check_places(folder, elements)
    still, direct, modal = frames[0], frames[1:5], frames[5:9]
    for name in ("PointData/displacement", "PointData/reaction", "PointData/stress", "CellData/stress"):
        wanted, part = abs(still[name]), direct[0][name.replace("displacement", "displacement_real")
                                                .replace("reaction", "reaction_real").replace("stress", "stress_real")]
        # e of A = (1 + 0.04 i) K, and a shift of (0.01 / 83)^2
        error = abs(abs(part) * (1 if "reaction" in name else 1.0016) - wanted).max() / wanted.max()
        expect(error < 1e-4, f"{elements}: {name} of slow loads is off by {error:.1e}")
    for k, frame in enumerate(direct):
        check_complex(frame, f"{elements}: frequency {k}")
    for name, number, component, tolerance in (("tip", "mean_displacement", "z", 4e-3), ("wall", "reaction_force", "z", 0.02),
                                               ("wall", "reaction_moment", "y", 0.02)):
        one, other = (amplitudes(of_set(rows, step, name), number, component) for step in ("direct", "modal"))
        expect(len(one) == 4 and (abs(one - other) < tolerance * abs(one)).all(), f"{elements}: {number}: {one} direct, {other} by modes")
    wall = amplitudes(of_set(rows, "direct", "wall"), "reaction_force", "z")
    expect(abs(wall[0] + 100) < 0.01, f"{elements}: reaction to slow loads {wall[0]}")
    moved = [float(row["max_displacement"]) for row in of_set(rows, "direct", "tip")]
    expect(all(near(m, numpy.linalg.norm(f["PointData/displacement"][:99], axis=1).max(), 1e-5) for m, f in zip(moved[:2], direct)),
           f"{elements}: largest displacement of the tip {moved}")
    expect(of_set(rows, "direct", "tip")[0]["mean_von_mises"] == "" != of_set(rows, "still", "tip")[0]["mean_von_mises"], "mean stress")
    expect(execute(program, "report", elements + ".vtkhdf", folder=folder).returncode == 0, "report")
    with open(os.path.join(folder, elements + ".html"), encoding="utf-8") as file:
        text = file.read()
    for words in ("Over frequency", "largest displacement, step &#39;direct&#39;", "phase of the reaction of &#39;wall&#39;, step &#39;modal&#39;",
                  "Along paths and at probes", "wall, modal at "):
        expect(words in text or words.replace("&#39;", "'") in text, f"{elements}: the page lacks '{words}'")
    lines = text.split("phase of &#39;tip&#39;, step &#39;modal&#39;".replace("&#39;", "'" if "&#39;" not in text else "&#39;"), 1)[1].split("</svg>", 1)[0]
    expect(">z</text>" in lines and (">x</text>" not in lines or elements == "linear"), f"{elements}: phases of components without an amplitude: {lines[:400]}")
    done = execute(program, "replay", elements + ".vtkhdf", folder=folder)
    expect(done.returncode == 0 and "same bits" in done.stdout, done.stdout + done.stderr)


def check_mass_on_spring(folder):
    """A block that is next to rigid: m w^2 of a spring k with the loss factor, and its reaction; alone; on a base that moves."""
    mass, k, listed = 7.85, 1e6, [20.0, 56.8, 120.0]
    execute(program, "shape", "box", "--size", "0.1,0.1,0.1", "--cells", "1,1,1", "-o", "block.mesh", folder=folder)
    base = """mesh: block.mesh
units: {length: m, force: N, time: s}
material: {young: 1e13, poisson: 0.3, density: 7850}
sets: {back: {surface: 1}, front: {surface: 2}, all: {plane: {point: [0, 0, 0], normal: x, tolerance: 1}, of: vertices}}
"""
    harmonic = "harmonic: {method: direct, rayleigh: {mass: 30}, frequencies: [20, 56.8, 120]}"
    _, rows = run(folder, "spring", base + f"""constraints:
  - {{set: all, displacement: [~, 0, 0]}}
  - {{set: back, total_spring: [1e6, 0, 0]}}
loads: [{{set: front, total_force: [50, 0, 0]}}]
steps: [{{name: a, {harmonic}}}, {{name: b, {harmonic.replace("rayleigh: {mass: 30}", "structural: 10 %")}}}]
""")
    for step in "ab":
        found = amplitudes(of_set(rows, step, "all"), "mean_displacement", "x")
        drawn = amplitudes(of_set(rows, step, "back"), "reaction_force", "x")
        for f, u, r in zip(listed, found, drawn):
            w = 2 * math.pi * f
            wanted = 50 / (k * (1 if step == "a" else 1 + 0.1j) - mass * w * w + (30j * mass * w if step == "a" else 0))
            expect(near(u, wanted, 1e-3), f"mass on a spring, {f} Hz: {u}, not {wanted}")
            expect(step == "b" or near(r, -k * wanted, 1e-3), f"force of the spring, {f} Hz: {r}, not {-k * wanted}")
    _, rows = run(folder, "flying", base + f"""constraints: []
loads: [{{set: front, total_force: [50, 0, 0]}}]
steps: [{{name: a, {harmonic.replace("rayleigh: {mass: 30}, ", "")}}}]
""")
    found = amplitudes(of_set(rows, "a", "all"), "mean_displacement", "x")
    expect(all(near(u, -50 / (mass * (2 * math.pi * f) ** 2), 1e-3) for f, u in zip(listed, found)), f"a free body: {found}")
    _, rows = run(folder, "moved", base + f"""constraints: [{{set: back, displacement: [1 mm, 0, 0]}}]
steps: [{{name: a, {harmonic}}}]
""")
    found = amplitudes(of_set(rows, "a", "back"), "reaction_force", "x")
    wanted = [mass * (-(2 * math.pi * f) ** 2 + 30j * 2 * math.pi * f) * 1e-3 for f in listed]
    expect(all(near(r, x, 1e-3) for r, x in zip(found, wanted)), f"a base that moves: {found}, not {wanted}")


def check_deep_beam(folder):
    """NAFEMS 1993, Selected Benchmarks for Forced Vibration, test 5H: peak of 13.45 mm at 42.65 Hz by Timoshenko's beam, 241.9 MPa."""
    execute(program, "shape", "box", "--size", "10,2,2", "--cells", "10,2,2", "-o", "deep.mesh", folder=folder)
    _, rows = run(folder, "deep", """mesh: deep.mesh
output: {probes: {span: [5, 1, 1]}, sections: {span: {point: [4.9, 0, 0], normal: x}, end: {point: [0.1, 0, 0], normal: x}}}
units: {length: m, force: N, time: s}
elements: quadratic
material: {young: 200e9, poisson: 0.3, density: 8000}
sets:
  ends: {union: [{surface: 1}, {surface: 2}]}
  left: {sphere: {center: [0, 1, 1], radius: 0.1}}
  both: {union: [left, {sphere: {center: [10, 1, 1], radius: 0.1}}]}
  top: {plane: {point: [0, 0, 2], normal: z}, of: faces}
  span: {sphere: {center: [5, 1, 1], radius: 0.1}}
  fibre: {sphere: {center: [5, 1, 2], radius: 0.1}}
constraints:
  - {set: ends, displacement: [~, ~, 0]}
  - {set: both, displacement: [~, 0, ~]}
  - {set: left, displacement: [0, ~, ~]}
loads: [{set: top, total_force: [0, 0, 1e7]}]
steps:
  - {name: modal, harmonic: {modes: 20, damping: 2 %, frequencies: {from: 42, to: 43.5, count: 31}}}
  - {name: direct, harmonic: {method: direct, structural: 4 %, frequencies: {from: 42, to: 43.5, count: 31}}}
""")
    for step in ("modal", "direct"):
        moved = numpy.abs(amplitudes(of_set(rows, step, "span"), "mean_displacement", "z"))
        stress = max(float(row["max_von_mises"]) for row in of_set(rows, step, "fibre"))
        peak = 42 + 1.5 * moved.argmax() / 30
        print(f"  5H, {step}: {1e3 * moved.max():.2f} mm at {peak:.2f} Hz, {1e-6 * stress:.1f} MPa")
        expect(near(peak, 42.65, 0.003) and near(moved.max(), 13.45e-3, 0.02) and near(stress, 241.9e6, 0.03), f"test 5H, {step}")
        probe = [row for row in table(folder, "deep.paths.csv") if row["step"] == step]
        one, other = amplitudes(probe, "displacement", "z"), amplitudes(of_set(rows, step, "span"), "mean_displacement", "z")
        expect(len(one) == 31 and (abs(one - other) < 1e-9 * abs(other)).all(), f"test 5H, {step}: a probe and the set of its vertex")
        expect([float(row["frequency"]) for row in probe] == [42 + 0.05 * k for k in range(31)] or near(float(probe[-1]["frequency"]), 43.5, 1e-9),
               "frequencies of the probe")
        # The stress of bending at the fibre is that of the moment there, M = stress W; the force at the end is the reaction there
        # but for load and inertia at the last vertices.
        cut = [row for row in table(folder, "deep.sections.csv") if row["step"] == step]
        bent = max(float(row["bending"]) for row in cut if row["section"] == "span")
        expect(near(bent, stress * 2**3 / 6, 0.03), f"test 5H, {step}: moment {bent:.4g} of {stress * 8 / 6:.4g}")
        if step == "direct":
            end = numpy.array([abs(f) for f in amplitudes([row for row in cut if row["section"] == "end"], "force", "z")])
            wanted = abs(amplitudes(of_set(rows, step, "ends"), "reaction_force", "z")) / 2
            expect((abs(end - wanted) < 0.03 * wanted).all(), f"test 5H: shear at the end {end.max():.4g}, half of both reactions {wanted.max():.4g}")


def check_damped_section(folder):
    """The force through the root is the reaction there, also where damping by stiffness pulls as much as the stiffness; but for
    the inertia that consistent masses give the vertices of the support."""
    execute(program, "shape", "box", "--size", "1,0.1,0.1", "--cells", "6,1,1", "-o", "damped.mesh", folder=folder)
    for order in ("linear", "quadratic"):
        _, rows = run(folder, "damped", f"""mesh: damped.mesh
output: {{sections: {{root: {{point: [0, 0, 0], normal: x}}}}}}
units: {{length: m, force: N, time: s}}
elements: {order}
material: {{young: 210e9, poisson: 0.3, density: 7850}}
sets: {{wall: {{surface: 1}}, tip: {{surface: 2}}}}
constraints: [{{set: wall, displacement: [0, 0, 0]}}]
loads: [{{set: tip, total_force: [30, 0, 100]}}]
steps:
  - {{name: direct, harmonic: {{method: direct, structural: 10 %, rayleigh: {{mass: 20, stiffness: 8e-4}}, frequencies: [20, 80, 200]}}}}
""")
        cut = table(folder, "damped.sections.csv")
        for c in "xz":
            force, reaction = amplitudes(cut, "force", c), amplitudes(of_set(rows, "direct", "wall"), "reaction_force", c)
            expect(len(force) == 3 and (abs(force + reaction) < 1e-2 * abs(reaction)).all(), f"{order}: {force} through the root, {reaction} at the support")


def check_example(folder):
    """The shipped cantilever against Bernoulli: the tip at resonance, the moment that its root bears there; by the file, the log
    and the page."""
    done = execute(program, "run", os.path.join(source, "datasets", "bar-harmonic.yaml"), "-o", "shipped", "--device", "host", folder=folder)
    expect(done.returncode == 0, done.stderr)
    rest, eta = 100 / (3 * 210e9 * 0.1**4 / 12), 0.04
    tip = [row for row in table(folder, "shipped.paths.csv") if row["step"] == "peak"]
    root = [row for row in table(folder, "shipped.sections.csv") if row["step"] == "peak"]
    moved = amplitudes(tip, "displacement", "z")
    k = abs(moved).argmax()
    print(f"  the tip moves by {1e3 * abs(moved[k]):.4f} mm at {tip[k]['frequency']} Hz, its root bears {float(root[k]['bending']):.1f} N m")
    expect(near(abs(moved[k]), 0.971 * rest / eta, 0.01) and near(float(tip[k]["frequency"]), 83.5, 0.01), f"resonance: {tip[k]}")
    expect(abs(math.degrees(numpy.angle(moved[k])) + 90) < 6, f"a quarter of a period late: {tip[k]}")
    expect(near(float(root[k]["bending"]), 2 * 2 / 3.516 * 100 / eta, 0.01), f"moment at the root: {root[k]}")
    said = done.stdout.split("step 'peak'")[1]
    expect(f"displacement at most {float(tip[k]['displacement']):.6g} at {float(tip[k]['frequency']):.6g}" in said, said[-400:])


def check_refused(folder):
    plain = HEAD.replace("ELEMENTS", "linear")
    for what, text, words in (
            ("no damping", "harmonic: {frequencies: [3]}", "'damping' is missing, or 'rayleigh' or 'structural'"),
            ("modes of a direct one", "harmonic: {method: direct, modes: 3, frequencies: [3]}", "'modes' is of modes"),
            ("damping of a direct one", "harmonic: {method: direct, damping: 3 %, frequencies: [3]}", "'damping' is of modes"),
            ("method", "harmonic: {method: fast, frequencies: [3]}", "method"),
            ("loss", "harmonic: {method: direct, structural: 3, frequencies: [3]}", "structural"),
            ("Rayleigh", "harmonic: {method: direct, rayleigh: {mass: -1}, frequencies: [3]}", "rayleigh: mass"),
            ("range", "harmonic: {method: direct, frequencies: {from: 3, to: 2, count: 4}}", "to a higher one"),
            ("one of a range", "harmonic: {method: direct, frequencies: {from: 1, to: 2, count: 1}}", "count"),
            ("supports that move", "constraints: [{set: wall, displacement: [1, 0, 0]}], harmonic: {damping: 0.1, frequencies: [3]}",
             "modes are of supports at rest"),
            ("nothing", "loads: [], harmonic: {method: direct, frequencies: [3]}", "no load acts on the body")):
        write(folder, "bad.yaml", plain + f"steps: [{{name: a, {text}}}]\n")
        done = execute(program, "run", "bad.yaml", "-o", "bad", "--device", "host", folder=folder)
        expect(done.returncode in (1, 2) and words in done.stderr and len(done.stderr.strip().splitlines()) == 1, f"{what}: {done.stderr}")


def main():
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        expect(execute(program, "shape", "box", "--size", "1,0.1,0.1", "--cells", "10,2,2", "-o", "bar.mesh", folder=folder).returncode == 0, "shape")
        check_bar(folder, "linear")
        check_bar(folder, "quadratic")
        check_mass_on_spring(folder)
        check_deep_beam(folder)
        check_damped_section(folder)
        check_example(folder)
        check_refused(folder)
    return finish("harmonic responses")


sys.exit(main())
