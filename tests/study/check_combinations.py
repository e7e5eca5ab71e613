#!/usr/bin/python3
"""check_combinations.py PROGRAM SOURCE_DIR BUILD_DIR

Combinations of static steps against steps with the same loads and against F/A; envelopes against the largest of the frames, in
the file, the tables and the page; in motion, in sweeps, resumed and replayed; what is refused. Load cases that share a matrix
against runs of each alone, bit for bit, resumed between them, too.
"""
import csv
import os
import resource
import sys
import tempfile

import numpy

from support import execute, expect, finish, read_frames, write

program, source = sys.argv[1], sys.argv[2]

HEAD = """mesh: box.mesh
units: {length: mm, force: N, time: s}
material: {young: 210e3, poisson: POISSON, density: 7.85e-9, expansion: 1.2e-5, yield_strength: 235}
sets: {wall: {surface: 1}, tip: {surface: 2}}
constraints:
  - {set: wall, displacement: [0, 0, 0]}
"""
CASES = """steps:
  - {name: pull, loads: [{set: tip, total_force: [400, 0, 0]}], static: {}}
  - {name: bend, loads: [{set: tip, traction: [0, 0, 1.5]}, {gravity: [0, 0, -9810]}], static: {}}
  - {name: heat, loads: [{temperature: {change: 30}}], static: {}}
"""
COMBINED = HEAD + CASES + """combinations:
  uls: {pull: 1.35, bend: 1.5}
  all: {heat: 1, bend: -0.5, pull: 2}
envelope: [pull, bend, uls, all]
"""
WRITTEN = HEAD + """steps:
  - {name: uls, loads: [{set: tip, total_force: [540, 0, 0]}, {set: tip, traction: [0, 0, 2.25]}, {gravity: [0, 0, -14715]}], static: {}}
  - {name: all, loads: [{temperature: {change: 30}}, {set: tip, traction: [0, 0, -0.75]}, {gravity: [0, 0, 4905]}, {set: tip, total_force: [800, 0, 0]}], static: {}}
"""
PLACES = """output:
  probes: {corner: [10, 2, 2], middle: [5, 1, 1]}
  sections: {front: {point: [5.1, 0, 0], normal: x}}
"""
MOVED = """mesh: box.mesh
material: {young: 210e3, poisson: 0}
sets: {wall: {surface: 1}, tip: {surface: 2}}
steps:
  - {name: one, constraints: [{set: wall, displacement: [0, 0, 0]}, {set: tip, displacement: [0.02, 0, 0]}], loads: [], static: {}}
  - {name: two, constraints: [{set: wall, displacement: [0, 0, 0]}, {set: tip, displacement: [0, 0, 0.03]}], loads: [], static: {}}
combinations: {both: {one: 3, two: 0.5}}
"""


def run(folder, name, text, *options, status=0):
    write(folder, name + ".yaml", text)
    done = execute(program, "run", name + ".yaml", "-o", name, "--device", "host", *options, folder=folder)
    expect(done.returncode == status, f"{name}: exit status {done.returncode}: {done.stderr}")
    return done.stdout + done.stderr


def rows(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def frames(folder, name):
    """[(name, kind, numbers, {field: values})]"""
    found = read_frames(os.path.join(folder, name + ".vtkhdf"))
    return [(at["numbers"]["name"].decode(), at["numbers"]["kind"].decode(), at["numbers"], at) for at in found]


def near(found, wanted, tolerance):
    scale = numpy.abs(wanted).max()
    return numpy.abs(numpy.asarray(found) - wanted).max() <= tolerance * (scale if scale else 1)


def check_sums(folder, name, extra):
    run(folder, name, (COMBINED + extra).replace("POISSON", "0.3"))
    run(folder, name + "-written", (WRITTEN + extra).replace("POISSON", "0.3"))
    made = {at[0]: at for at in frames(folder, name)}
    for wanted in frames(folder, name + "-written"):
        found = made[wanted[0]]
        expect(found[1] == "combination" and found[2]["iterations"] <= 8, f"{name} {wanted[0]}: {found[1]}, {found[2]['iterations']}")
        for field in ("PointData/displacement", "PointData/stress", "CellData/stress", "PointData/reaction", "CellData/error"):
            expect(near(found[3][field], wanted[3][field], 1e-6), f"{name} {wanted[0]}: {field}")
        for number in ("max_von_mises", "max_displacement", "strain_energy", "reaction_force", "applied_moment", "yield_safety"):
            expect(near(found[2][number], wanted[2][number], 1e-6), f"{name} {wanted[0]}: {number}")


def check_closed_form(folder):
    """A bar of section 4 without Poisson's ratio, pulled: 100 and 200, together 1.35 * 100 + 1.5 * 200."""
    text = HEAD.replace("POISSON", "0") + """steps:
  - {name: dead, loads: [{set: tip, total_force: [400, 0, 0]}], static: {}}
  - {name: live, loads: [{set: tip, total_force: [800, 0, 0]}], static: {}}
combinations: {uls: {dead: 1.35, live: 1.5}, least: {dead: 1, live: -1}}
envelope: true
"""
    out = run(folder, "bar", text)
    stress = {row["step"]: float(row["max_von_mises"]) for row in rows(folder, "bar.csv")}
    for name, wanted in {"dead": 100, "live": 200, "uls": 435, "least": 100, "envelope": 435}.items():
        expect(abs(stress[name] - wanted) < 1e-4, f"{name}: {stress[name]} in place of {wanted}")
    expect("combination 'uls'" in out and "in 'uls'" in out and "bar.envelope.csv" in out, out)
    table = {(row["set"], row["number"]): row for row in rows(folder, "bar.envelope.csv")}
    for key, low, low_step, high, high_step in ((("", "applied_force_x"), -400, "least", 1740, "uls"),
                                                (("wall", "reaction_force_x"), -1740, "uls", 400, "least"),
                                                (("", "yield_safety"), 235 / 435, "uls", 2.35, None)):
        row = table[key]
        expect(abs(float(row["smallest"]) - low) < 1e-5 * abs(low) and row["smallest_step"] == low_step, f"{key}: {row}")
        expect(abs(float(row["largest"]) - high) < 1e-5 * abs(high), f"{key}: {row}")
    text = text.replace("{uls: {dead: 1.35, live: 1.5}", "{uls: {dead: factor, live: 1.5}").replace("units:", "parameters: {factor: 1}\nunits:")
    run(folder, "swept", text + "sweep: {list: [{factor: 1.35}, {factor: 2}]}\n")
    most = [float(row["max_von_mises"]) for row in rows(folder, "swept.csv") if row["step"].startswith("envelope")]
    expect(near(most, numpy.array([435, 500]), 1e-6), f"an envelope for each combination of a sweep: {most}")
    found = [float(row["largest"]) for row in rows(folder, "swept.envelope.csv") if row["number"] == "max_von_mises" and not row["set"]]
    expect(near(found, numpy.array([435, 500]), 1e-6), f"its table: {found}")
    out = run(folder, "jobs", text + "sweep: {list: [{factor: 1.35}, {factor: 2}]}\n", "--jobs", "2")
    expect(rows(folder, "jobs.envelope.csv") == rows(folder, "swept.envelope.csv") and out.count("in 'uls #2'") == 2, f"by threads: {out}")


def check_envelope(folder, elements):
    all_frames = frames(folder, elements)
    part = [at for at in all_frames if at[0] in ("pull", "bend", "uls", "all")]
    number = [k for k, at in enumerate(all_frames) if at[0] in ("pull", "bend", "uls", "all")]
    name, kind, _, fields = all_frames[-1]
    expect((name, kind) == ("envelope", "envelope"), f"the last record: {name}, {kind}")
    moved = numpy.max([numpy.linalg.norm(at[3]["PointData/displacement"], axis=1) for at in part], axis=0)
    mises = numpy.array([at[3]["PointData/von_mises"] for at in part])
    expect(near(fields["PointData/envelope_displacement"], moved, 1e-14), f"{elements}: displacement, also in the middles of edges")
    place = {(row["step"], row["path"]): row for row in rows(folder, elements + ".paths.csv")}
    for probe, point in (("corner", [10, 2, 2]), ("middle", [5, 1, 1])):
        vertex = numpy.abs(fields["Points"] - point).sum(axis=1).argmin()
        row = place["envelope", probe]
        own = [place[at[0], probe] for at in part]
        expect(near(float(row["displacement"]), moved[vertex], 1e-12) and row["displacement_x"] == row["stress_xx"] == "", f"{probe}: {row}")
        for measure in ("von_mises", "stress_intensity", "displacement"):
            expect(float(row[measure]) == max(float(other[measure]) for other in own), f"{probe}: {measure} of the envelope")
    expect(not any(row["step"] == "envelope" for row in rows(folder, elements + ".sections.csv")), "an envelope has no sections")
    expect((fields["PointData/envelope_von_mises"] == mises.max(axis=0)).all(), "von Mises")
    expect((fields["PointData/envelope_record"] == numpy.array(number)[mises.argmax(axis=0)]).all(), "which record")
    expect((fields["CellData/envelope_von_mises"] == numpy.max([at[3]["CellData/von_mises"] for at in part], axis=0)).all(), "of tets")
    principal = numpy.array([at[3]["CellData/principal"] for at in part])
    expect((fields["CellData/envelope_max_principal"] == principal[:, :, 0].max(axis=0)).all(), "largest principal stress")
    expect((fields["CellData/envelope_min_principal"] == principal[:, :, 2].min(axis=0)).all(), "smallest principal stress")
    expect("PointData/displacement" not in fields and "PointData/envelope_von_mises" not in part[0][3], "fields of each record")
    expect(execute(program, "report", elements + ".vtkhdf", folder=folder).returncode == 0, "report")
    with open(os.path.join(folder, elements + ".html"), encoding="utf-8") as file:
        page = file.read()
    expect("<h2>Envelope</h2>" in page and "reaction_force x" in page, "the page has the envelope")
    done = execute(program, "replay", elements + ".vtkhdf", folder=folder)
    expect(done.returncode == 0 and "same bits" in done.stdout, done.stdout + done.stderr)


def check_places_in_motion(folder, found):
    """A probe at a vertex moves as it does; what the tets pass on through a section is what the loads in front have beyond the
    lumped mass times acceleration there."""
    probe = [row for row in rows(folder, "swing.paths.csv") if row["path"] == "corner" and row["step"] != "envelope"]
    section = rows(folder, "swing.sections.csv")
    expect(len(probe) == len(section) == len(found) == 7, f"{len(probe)} rows of a probe, {len(section)} of a section")
    expect([row["record"] for row in probe] == ["1", "1", "2", "3", "4", "5", "6"], "which record of the step")
    expect([float(row["time"]) for row in probe[1:]] == [float(row["time"]) for row in rows(folder, "swing.energy.csv")], "times")
    points, tets = found[0][3]["Points"], found[0][3]["Tets"]
    edges = points[tets[:, 1:]] - points[tets[:, :1]]
    mass = numpy.bincount(tets.ravel(), numpy.repeat(7.85e-9 * numpy.abs(numpy.linalg.det(edges)) / 24, 4), len(points))
    front = points[:, 0] > 5.1
    corner = numpy.abs(points - [10, 2, 2]).sum(axis=1).argmin()
    for k, at in enumerate(found):
        moved = numpy.array([float(probe[k]["displacement_" + c]) for c in "xyz"])
        expect(near(moved, at[3]["PointData/displacement"][corner], 1e-12), f"output {k}: probe {moved}")
        inertia = (mass[:, None] * at[3]["PointData/acceleration"])[front].sum(axis=0)
        force = numpy.array([float(section[k]["force_" + c]) for c in "xyz"])
        expect(near(force, numpy.array([0, 0, 4.0]) - inertia, 1e-5), f"output {k}: force {force}, inertia {inertia}")
    expect(max(abs(float(row["force_z"]) - 4) for row in section) > 1, "inertia counts")


def check_motion(folder):
    text = HEAD.replace("POISSON", "0.3") + """loads: [{set: tip, traction: [0, 0, 1]}]
elements: linear
steps:
  - {name: still, static: {}}
  - {name: swing, dynamic: {initial: rest, step: 2e-5, end: 4e-4, output: {every: 4}}}
envelope: true
"""
    out = run(folder, "swing", text + PLACES)
    expect("probe corner" in out and "section front" in out and "at most" in out, out)
    found = frames(folder, "swing")
    check_places_in_motion(folder, found[:-1])
    moved = numpy.max([numpy.linalg.norm(at[3]["PointData/displacement"], axis=1) for at in found[:-1]], axis=0)
    expect(near(found[-1][3]["PointData/envelope_displacement"], moved, 1e-15), "over time")
    table = {row["number"]: row for row in rows(folder, "swing.envelope.csv") if not row["set"]}
    expect(table["max_displacement"]["largest_step"] in ("still", "swing"), str(table["max_displacement"]))
    run(folder, "first", text.replace("  - {name: still, static: {}}\n", ""))
    found = frames(folder, "first")
    mises = numpy.max([at[3]["PointData/von_mises"] for at in found[:-1]], axis=0)
    expect((found[-1][3]["PointData/envelope_von_mises"] == mises).all(), "all outputs of a dynamic step that is the first")


SHARED = """mesh: bar.mesh
material: {young: 210e3, poisson: 0.3, density: 7.85e-9}
sets: {wall: {surface: 1}, tip: {surface: 2}}
constraints: [{set: wall, displacement: [0, 0, 0]}, {set: tip, displacement: [0, ~, ~]}]
steps:
"""
LOADS = (("down", "loads: [{set: tip, total_force: [0, 0, -9]}]"), ("weight", "loads: [{gravity: [0, -9810, 0]}]"),
         ("none", "loads: []"), ("twice", "loads: [{set: tip, total_force: [0, 0, -18]}]"),
         ("pulled", "constraints: [{set: wall, displacement: [0, 0, 0]}, {set: tip, displacement: [0.01, ~, ~]}], loads: []"))


def steps_of(loads):
    return SHARED + "".join(f"  - {{name: {name}, {text}, static: {{}}}}\n" for name, text in loads)


def displacements(folder, name):
    return {at[0]: at[3]["PointData/displacement"] for at in frames(folder, name)}


def check_load_cases(folder):
    """Steps that share a matrix start from zero, as a run of each alone: a solve after another one would start from its answer."""
    expect(execute(program, "shape", "box", "--size", "10,2,2", "--cells", "14,5,5", "-o", "bar.mesh", folder=folder).returncode == 0, "shape")
    for elements in "linear", "quadratic":
        order = f"elements: {elements}\n"
        run(folder, "shared", steps_of(LOADS) + order)
        shared = displacements(folder, "shared")
        for load in LOADS:
            run(folder, "alone", steps_of((load,)) + order)
            expect(numpy.array_equal(shared[load[0]], displacements(folder, "alone")[load[0]]), f"{elements}: {load[0]} alone")
        expect(near(2 * shared["down"], shared["twice"], 1e-6), "twice the load")
    size = os.path.getsize(os.path.join(folder, "shared.vtkhdf")) // 2
    done = execute(program, "run", "shared.yaml", "-o", "stopped", "--device", "host", folder=folder,
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
    expect(done.returncode == 2 and "File too large" in done.stderr, f"stopped: {done.stderr}")
    expect("(from the checkpoint)" in run(folder, "stopped", steps_of(LOADS) + order, "--resume"), "nothing was resumed")
    for name, u in displacements(folder, "stopped").items():
        expect(numpy.array_equal(u, shared[name]), f"{name} after --resume")
    other = (("other", "constraints: [{set: wall, displacement: [0, 0, 0]}], loads: [{set: tip, total_force: [0, 0, -9]}]"),)
    run(folder, "apart", steps_of(LOADS[:2] + other + LOADS[2:]) + order)
    run(folder, "alone", steps_of(other) + order)
    expect(near(displacements(folder, "apart")["other"], displacements(folder, "alone")["other"], 1e-6), "other supports")


def check_refused(folder):
    plain = HEAD.replace("POISSON", "0.3") + CASES
    for what, text, words in (
            ("no step", plain + "combinations: {a: {puul: 1}}\n", "there is no step 'puul'; there are 'pull', "),
            ("empty", plain + "combinations: {a: {}}\n", "must be a mapping of steps to factors"),
            ("no mapping", plain + "combinations: [pull]\n", "combinations must be a mapping of names"),
            ("no number", plain + "combinations: {a: {pull: much}}\n", "a factor"),
            ("name", plain + "combinations: {pull: {bend: 1}}\n", "has the name of a step"),
            ("modes", plain + "  - {name: m, modes: {count: 2}}\ncombinations: {a: {m: 1}}\n", "is not a linear static one"),
            ("supports", plain.replace("{name: heat, loads", "{name: heat, constraints: [{set: wall, displacement: [0, ~, 0]}], loads")
             + "combinations: {a: {pull: 1, heat: 1}}\n", "have other supports"),
            ("edits", plain.replace("{name: bend,", "{name: bend, edit: [{refine: {longer_than: 0.9}}],")
             + "combinations: {a: {pull: 1, heat: 1}}\n", "changes the body or its sets after step 'pull'"),
            ("large", plain + "kinematics: corotational\ncombinations: {a: {pull: 1}}\n", "add up in a linear theory alone"),
            ("turning", plain.replace("{temperature: {change: 30}}", "{centrifugal: {axis: {point: [0, 0, 0], direction: z}, speed: 3}}")
             + "combinations: {a: {heat: -1}}\n", "square of a speed"),
            ("envelope of nothing", plain + "envelope: [puul]\n", "there is no step or combination 'puul'"),
            ("envelope of modes", plain + "  - {name: m, modes: {count: 2}}\nenvelope: [m]\n", "neither static nor dynamic"),
            ("search", plain.replace("total_force: [400", "total_force: [f").replace("units:", "parameters: {f: 3}\nunits:")
             + "envelope: true\n" "optimise: {parameters: {f: [1, 5]}, minimize: strain_energy}\n", "an envelope is the last one")):
        write(folder, "bad.yaml", text)
        done = execute(program, "run", "bad.yaml", "-o", "bad", folder=folder)
        expect(done.returncode == 2 and words in done.stderr and len(done.stderr.strip().splitlines()) == 1, f"{what}: {done.stderr}")


def main():
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        expect(execute(program, "shape", "box", "--size", "10,2,2", "--cells", "8,2,2", "-o", "box.mesh", folder=folder).returncode == 0, "shape")
        for elements in "linear", "quadratic":
            check_sums(folder, elements, f"elements: {elements}\n" + PLACES)
            check_envelope(folder, elements)
        run(folder, "moved", MOVED)
        both = {at[0]: at[3]["PointData/displacement"] for at in frames(folder, "moved")}
        expect(near(both["both"], 3 * both["one"] + 0.5 * both["two"], 1e-6), "prescribed displacements")
        check_closed_form(folder)
        check_motion(folder)
        check_load_cases(folder)
        check_refused(folder)
    return finish("combinations and envelopes")


sys.exit(main())
