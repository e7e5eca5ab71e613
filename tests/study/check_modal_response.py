#!/usr/bin/python3
"""check_modal_response.py PROGRAM SOURCE_DIR BUILD_DIR

Harmonic response, response spectrum and random vibration by modes of a clamped bar, against closed forms of its first bending mode
(Bernoulli's beam: participation times tip 1.566), the static answer and Miles; fields, tables, replay; what is refused.
"""
import csv
import math
import os
import re
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
"""
STEPS = """output:
  probes: {tip: [1, 0.05, 0.05]}
  sections: {root: {point: [0.001, 0, 0], normal: x}}
steps:
  - {name: modes, modes: {count: 8}}
  - {name: still, loads: [{set: tip, total_force: [0, 0, 100]}], static: {}}
  - {name: machine, loads: [{set: tip, total_force: [0, 0, 100]}], harmonic: {modes: 8, damping: 2 %, frequencies: [0.1, 40, PEAK, 150]}}
  - {name: quake, spectrum: {modes: 8, damping: 5 %, direction: z, table: [[1, 5], [10, 12], [1000, 12]]}}
  - {name: apart, spectrum: {modes: 8, damping: 5 %, direction: z, table: [[1, 5], [10, 12], [1000, 12]], combine: srss}}
  - {name: rough, random: {modes: 8, damping: 2 %, direction: z, table: [[10, 0.5], [250, 0.5]]}}
"""


def run(folder, name, text, status=0):
    write(folder, name + ".yaml", text)
    done = execute(program, "run", name + ".yaml", "-o", name, "--device", "host", folder=folder)
    if "without the direct solver" in done.stderr or "EW_WITH" in done.stderr:
        print("  skipped: the program has no direct solver")
        sys.exit(77)
    expect(done.returncode == status, f"{name}: exit status {done.returncode}: {done.stderr}")
    return done.stdout + done.stderr


def records(folder, name):
    with h5py.File(os.path.join(folder, name + ".vtkhdf")) as file:
        found = []
        for key in sorted(file["Frames"]):
            frame = file["Frames"][key]
            fields = {f"{group}/{n}": frame[group][n][:] for group in ("PointData", "CellData") for n in frame[group]}
            found.append((dict(file["Edgewise/Steps"][key].attrs), fields, frame["Points"][:]))
        return found


def near(found, wanted, tolerance):
    return abs(found - wanted) <= tolerance * abs(wanted)


def check_places(folder, elements, w, static):
    """The tip and the root: Bernoulli's first two modes have 61.3 % and 18.8 % of the mass at heights of 0.726 and 0.209 of the
    length. Shapes have displacements alone, whose largest is 1, and no section; largest values no Tresca stress."""
    def rows(ending):
        with open(os.path.join(folder, elements + ending), encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    tip = {(row["step"], row["record"]): row for row in rows(".paths.csv")}
    root = {(row["step"], row["record"]): row for row in rows(".sections.csv")}
    shape = tip["modes", "1"]
    expect(0.98 < float(shape["displacement"]) <= 1 and shape["stress_xx"] == shape["von_mises"] == "" and float(shape["frequency"]) > 80,
           f"a shape: {shape}")
    expect(("modes", "1") not in root and tip["quake", "1"]["stress_intensity"] == "" != tip["still", "1"]["stress_intensity"], "what there is")
    expect(near(float(tip["machine", "3"]["displacement_z"]), 0.97 * static * 25, 0.02), "resonance at the tip")
    expect(near(float(tip["machine", "3"]["displacement_phase_z"]), -90, 0.06), f"a quarter of a period late: {tip['machine', '3']}")
    expect(near(float(tip["quake", "1"]["displacement_z"]), 1.566 * 12 / w ** 2, 0.02), "spectrum at the tip")
    expect(near(float(tip["rough", "1"]["displacement_z"]), 1.566 * math.sqrt(0.5 / (8 * 0.02 * w ** 3)), 0.02), "Miles at the tip")
    mass = 78.5 * 12
    expect(near(float(root["apart", "1"]["bending"]), mass * math.hypot(0.613 * 0.726, 0.188 * 0.209), 0.02), f"moment: {root['apart', '1']}")
    # Further modes have 6.5 %, 3.3 % ... of the mass.
    expect(near(float(root["apart", "1"]["shear_force"]), mass * math.hypot(0.613, 0.188, 0.065), 0.02), f"shear: {root['apart', '1']}")


def check_bar(folder, elements, tolerance):
    peak = 83.38
    out = run(folder, elements, (HEAD + STEPS).replace("ELEMENTS", elements).replace("PEAK", str(peak)))
    all_records = records(folder, elements)
    numbers = [at[0] for at in all_records]
    own = [n["frequency"] for n in numbers[:8]]
    still, machine, quake, apart, rough = all_records[8], all_records[9:13], all_records[13], all_records[14], all_records[15]
    kinds = [n["kind"].decode() for n in numbers[8:]]
    expect(kinds == ["static"] + ["harmonic"] * 4 + ["spectrum"] * 2 + ["random"], f"kinds: {kinds}")
    expect([n["frequency"] for n in numbers[9:13]] == [0.1, 40, peak, 150], "frequencies")
    tip = still[2][:, 0] > 0.999
    static = still[1]["PointData/displacement"][tip, 2].mean()
    moved = [at[1]["PointData/displacement"][tip, 2].mean() for at in machine]
    if elements == "linear":  # whose tets turn the two planes of bending, and tell their frequencies apart
        expect(near(moved[0], static, 0.015), f"{elements}: slow loads {moved[0]}, static {static}")
        return
    w = 2 * math.pi * own[0]
    # Eight modes have 99 % of the static tip; the first one 97 %.
    expect(near(moved[0], static, 0.015), f"{elements}: slow loads {moved[0]}, static {static}")
    expect(near(moved[1], static * (0.97 / (1 - (40 / own[0]) ** 2) + 0.03), 0.015), f"{elements}: at 40 Hz {moved[1] / static}")
    expect(near(moved[2], 0.97 * static * 25, 0.02), f"{elements}: at resonance {moved[2] / static}, 1 / (2 x 0.02) = 25")
    expect(near(moved[3], static * abs(0.97 / (1 - (150 / own[0]) ** 2) + 0.028), 0.05), f"{elements}: above it {moved[3] / static}")
    # At low frequencies the stress is the static one, where modes have it.
    mises, wanted = machine[0][1]["CellData/von_mises"], still[1]["CellData/von_mises"]
    middle = numpy.linalg.norm(wanted) / len(wanted) ** 0.5
    expect(numpy.abs(mises - wanted).mean() < 0.1 * middle, f"{elements}: stress of slow loads {numpy.abs(mises - wanted).mean()}, {middle}")
    expect(near(quake[1]["PointData/displacement"][tip, 2].mean(), 1.566 * 12 / w ** 2, tolerance), f"{elements}: spectrum")
    expect(near(rough[1]["PointData/displacement"][tip, 2].mean(), 1.566 * math.sqrt(0.5 / (8 * 0.02 * w ** 3)), tolerance),
           f"{elements}: Miles")
    check_places(folder, elements, w, static)
    # Of two modes of nearly one frequency that share the direction SRSS has but a part.
    expect(apart[1]["PointData/displacement"][tip, 2].mean() < 1.001 * quake[1]["PointData/displacement"][tip, 2].mean(), "SRSS below CQC")
    for at in machine + [quake, rough]:
        expect(("PointData/reaction" in at[1]) == any(at is one for one in machine) and "CellData/strain" not in at[1], "fields of a response")
        point = at[1]["PointData/displacement"]
        expect(near(numpy.linalg.norm(point, axis=1).max(), at[0]["max_displacement"], 1e-6) or elements == "quadratic", "largest displacement")
        expect(at[0]["max_von_mises"] == max(at[0]["max_tet_von_mises"], at[0]["max_averaged_von_mises"]) > 0, "largest stress")
    expect(0.8 < quake[0]["carried_mass"] < 0.9 and "less than 90 %" in out, f"carried mass {quake[0]['carried_mass']}")
    with open(os.path.join(folder, elements + ".csv"), encoding="utf-8", newline="") as file:
        table = [row for row in csv.DictReader(file) if row["step"] == "machine"]
    expect([float(row["frequency"]) for row in table] == [0.1, 40, peak, 150] and all(row["max_displacement"] for row in table), f"{table}")
    done = execute(program, "replay", elements + ".vtkhdf", folder=folder)
    expect(done.returncode == 0 and "same bits" in done.stdout, done.stdout + done.stderr)
    expect(execute(program, "report", elements + ".vtkhdf", folder=folder).returncode == 0, "report")
    expect("machine at 0.1 " in out and "machine at 150 " in out, f"rows of a response with their frequencies: {out}")
    with open(os.path.join(folder, elements + ".html"), encoding="utf-8") as file:
        steps = file.read().split("<h2>Steps", 1)[1].split("</table>", 1)[0]
    heads = re.findall("<th(?: [^>]*)?>([^<]*)", steps)
    cells = {name: re.findall("<td[^>]*>([^<]*)", row) for row in steps.split("<tr>") for name in re.findall("(modes mode 1|quake)<", row)}
    at = [heads.index(title) for title in ("max displacement", "est. error")]
    expect([cells["modes mode 1"][k] != "" for k in at] == [False, True] and [cells["quake"][k] != "" for k in at] == [True, False],
           f"a shape has no largest displacement, a spectrum no estimate: {heads} {cells}")


def check_refused(folder):
    plain = HEAD.replace("ELEMENTS", "linear")
    for what, text, words in (
            ("damping", "spectrum: {direction: z, table: [[1, 1], [2, 1]]}", "'damping' is missing"),
            ("too much", "random: {damping: 2, direction: z, table: [[1, 1], [2, 1]]}", "share of the critical damping"),
            ("descending", "spectrum: {damping: 0.1, direction: z, table: [[3, 1], [2, 1]]}", "frequencies of a table ascend"),
            ("one point", "random: {damping: 0.1, direction: z, table: [[3, 1]]}", "its table has 1 points"),
            ("three numbers", "random: {damping: 0.1, direction: z, table: [[3, 1, 2], [4, 1, 1]]}", "a point of the table is"),
            ("no frequency", "harmonic: {damping: 0.1, frequencies: [0]}", "must be greater than 0"),
            ("no direction", "random: {damping: 0.1, table: [[3, 1], [4, 1]]}", "'direction' is missing"),
            ("two analyses", "static: {}, harmonic: {damping: 0.1, frequencies: [3]}", "one analysis"),
            ("large rotations", "harmonic: {damping: 0.1, frequencies: [3]}", "modes add up in a linear theory alone")):
        extra = "kinematics: corotational\n" if what == "large rotations" else ""
        write(folder, "bad.yaml", plain + f"steps: [{{name: a, {text}}}]\n" + extra)
        done = execute(program, "run", "bad.yaml", "-o", "bad", folder=folder)
        expect(done.returncode == 2 and words in done.stderr and len(done.stderr.strip().splitlines()) == 1, f"{what}: {done.stderr}")
    free = plain.split("constraints:")[0] + "steps: [{harmonic: {damping: 0.1, frequencies: [3]}}]\n"
    write(folder, "free.yaml", free)
    done = execute(program, "run", "free.yaml", "-o", "free", folder=folder)
    expect(done.returncode in (1, 2) and "rigid motions" in done.stderr, f"a free body: {done.stderr}")


def main():
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        expect(execute(program, "shape", "box", "--size", "1,0.1,0.1", "--cells", "20,2,2", "-o", "bar.mesh", folder=folder).returncode == 0, "shape")
        check_bar(folder, "quadratic", 0.02)
        check_bar(folder, "linear", 0.0)
        check_refused(folder)
    return finish("responses by modes")


sys.exit(main())
