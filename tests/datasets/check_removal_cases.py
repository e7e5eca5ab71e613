#!/usr/bin/python3
"""check_removal_cases.py PROGRAM SOURCE_DIR BUILD_DIR

The cases of datasets/ with element removal: their files as check_datasets.py checks them, their rounds, and what is left: the
volume asked for, in one piece, stiff. The choice of the first rounds is worked out again from strain energies. A run that was
killed between two removals is resumed to the same numbers. Bodies of rounds, where they are asked for, and their chart."""
import csv
import os
import re
import subprocess
import sys
import tempfile
import time

import check_datasets
import support
from support import expect, numpy

program, source = sys.argv[1], sys.argv[2]
COLUMNS = ["step", "round", "tets", "volume", "share", "compliance", "change", "removed", "restored", "iterations", "seconds"]


def read_case(name):
    with open(os.path.join(source, "datasets", name + ".yaml")) as file:
        return re.sub(r"mesh: (\S+\.mesh)\n", lambda found: f"mesh: {os.path.join(source, 'datasets', found.group(1))}\n",
                      file.read(), count=1)


def run(folder, name, text):
    with open(os.path.join(folder, name + ".yaml"), "w") as file:
        file.write(text)
    if support.run(program, "run", name + ".yaml", "-o", name, "--device", "host", "--quiet", folder=folder) is None:
        return None
    return support.read_frames(os.path.join(folder, name + ".vtkhdf"))


def read_rows(folder, name):
    with open(os.path.join(folder, name + ".removal.csv"), newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def read_rounds(folder, name):
    rows = read_rows(folder, name)
    expect(list(rows[0]) == COLUMNS, f"{name}: columns {list(rows[0])}")
    return rows


def pieces_of(tets):
    """Of each tet the component of tets that share faces."""
    faces = numpy.sort(tets[:, support.FACES].reshape(-1, 3), axis=1)
    _, which = numpy.unique(faces, axis=0, return_inverse=True)
    label = numpy.arange(len(tets))
    owner = numpy.repeat(label, 4)
    while True:
        low = numpy.full(which.max() + 1, len(tets))
        numpy.minimum.at(low, which.ravel(), label[owner])
        new = label.copy()
        numpy.minimum.at(new, owner, low[which.ravel()])
        if (new == label).all():
            return label
        label = new


def check_shipped(folder, name, worst):
    """The compliance rises to no more than `worst` times that of the whole."""
    frames = run(folder, name, read_case(name))
    if not frames:
        return
    check_datasets.check_file(os.path.join(folder, name), 100e3, 0.3)
    whole, left = frames
    rows = read_rounds(folder, name)
    numbers = left["numbers"]
    expect([int(row["round"]) for row in rows] == list(range(len(rows))), f"{name}: numbers of rounds")
    expect(int(rows[-1]["tets"]) == len(left["Tets"]) and int(rows[0]["tets"]) == len(whole["Tets"]), f"{name}: tets")
    expect(numbers["removal_rounds"] == len(rows) - 1 and numbers["compliance"] == float(rows[-1]["compliance"]),
           f"{name}: rows and numbers")
    expect(abs(numbers["compliance"] - 2 * left["CellData/strain_energy"].sum()) < 1e-9 * numbers["compliance"],
           f"{name}: compliance")
    expect(.49 < numbers["volume_share"] <= .5 + 1e-12, f"{name}: {numbers['volume_share']} of the volume")
    ratio = numbers["compliance"] / (2 * whole["CellData/strain_energy"].sum())
    expect(1 < ratio < worst, f"{name}: compliance {ratio} times that of the whole")
    expect(float(rows[-1]["change"]) <= 1e-3 and len(rows) < 80, f"{name}: not settled")
    for before, row in zip(rows, rows[1:]):
        expect(int(row["tets"]) == int(before["tets"]) - int(row["removed"]) + int(row["restored"]), f"{name}: {row}")
    pieces = len(numpy.unique(pieces_of(left["Tets"])))
    expect(pieces == 1, f"{name}: {pieces} pieces")
    print(f"{name}: {len(rows) - 1} rounds, compliance {ratio:.3f} times that of the whole")


# ---- the choice, worked out again ----------------------------------------------------------------

RATE, RESTORED, RADIUS, VOLUME = .1237, .01, 6.0, .503
CASE = f"""mesh: block.mesh
elements: linear
material: {{young: 100e3, poisson: 0.3}}
sets:
  wall: {{surface: 1}}
  tip: {{box: [[80, 20, 0], [80, 30, 10]]}}
constraints:
  - {{set: wall, displacement: [0, 0, 0]}}
loads:
  - {{set: tip, total_force: [0, -1000, 0]}}
steps:
  - static: {{tolerance: 1e-12}}
    optimise: {{remove: {{volume: {VOLUME}, rate: {RATE}, max_restored: {RESTORED}, radius: {RADIUS}, max_rounds: 1}}}}
"""


def keys(frame):
    return [tuple(sorted(row)) for row in frame["PointData/vertex_id"][frame["Tets"]]]


def choose(points, tets, keep, value, there, share):
    """Which of the tets of the start stay: those of the highest values, without too many that come back."""
    corner = points[tets]
    volume = numpy.linalg.det(corner[:, 1:] - corner[:, :1]) / 6
    order = [k for k in numpy.argsort(-value, kind="stable") if not keep[k]]
    room = share * volume.sum() - volume[keep].sum()
    inside = numpy.cumsum(volume[order]) <= room
    wanted = keep.copy()
    wanted[numpy.array(order)[inside]] = True
    if volume[wanted & ~there].sum() > RESTORED * volume.sum():
        back = [k for k in order if not there[k]]
        back = [k for k, total in zip(back, numpy.cumsum(volume[back])) if total <= RESTORED * volume.sum()]
        old = [k for k in order if there[k]]
        old = [k for k, total in zip(old, numpy.cumsum(volume[old])) if total <= room - volume[back].sum()]
        wanted = keep.copy()
        wanted[back + old] = True
    return wanted, volume


def check_choice(folder):
    support.run(program, "shape", "box", "--size", "80,50,10", "--cells", "13,9,2", "-o", "block.mesh", folder=folder)
    whole = run(folder, "choice", re.sub(r"\n    optimise.*", "", CASE))[0]
    points, tets, names = whole["Points"], whole["Tets"], keys(whole)
    at = {name: k for k, name in enumerate(names)}
    tip = (points[:, 0] > 79.99) & (abs(points[:, 1] - 25) <= 5) & (points[:, 2] >= 0)
    keep = tip[tets].any(axis=1)
    weight = numpy.maximum(RADIUS - numpy.linalg.norm(points[:, None] - points[None], axis=2), 0)
    weight /= weight.sum(axis=1, keepdims=True)
    there, value, frame = numpy.ones(len(tets), bool), None, whole
    for n in range(1, 9):
        energy = numpy.zeros(len(tets))
        energy[[at[name] for name in keys(frame)]] = frame["CellData/strain_energy"]
        corner = points[tets]
        volume = numpy.linalg.det(corner[:, 1:] - corner[:, :1]) / 6
        patch, around = numpy.zeros(len(points)), numpy.zeros(len(points))
        for k in range(4):
            numpy.add.at(patch, tets[:, k], energy)
            numpy.add.at(around, tets[:, k], volume)
        now = (weight @ (patch / around))[tets].mean(axis=1)
        value = now if value is None else (now + value) / 2
        share = max(VOLUME, volume[there].sum() / volume.sum() * (1 - RATE))
        wanted, volume = choose(points, tets, keep, value, there, share)
        frame = run(folder, "choice", CASE.replace("max_rounds: 1", f"max_rounds: {n}"))[0]
        found = numpy.zeros(len(tets), bool)
        found[[at[name] for name in keys(frame)]] = True
        label = pieces_of(tets[wanted])  # those that hang on an edge or a vertex alone are left out
        apart = numpy.zeros(len(tets), bool)
        apart[numpy.flatnonzero(wanted)[label != numpy.bincount(label).argmax()]] = True
        wanted[apart & ~found] = False
        expect((found == wanted).all(), f"round {n}: {(found != wanted).sum()} of {len(tets)} tets chosen otherwise")
        expect(n < 7 or (wanted & ~there).any(), f"round {n}: nothing comes back")
        there = found
    print(f"choice: {there.sum()} of {len(tets)} tets after {n} rounds")


# ---- a run that is killed ------------------------------------------------------------------------

def check_resume(folder):
    text = read_case("mbb-lighter") + "  - {name: thinner, optimise: {remove: {volume: 40 %, max_rounds: 30}}}\n"
    whole = run(folder, "whole", text)
    with open(os.path.join(folder, "killed.yaml"), "w") as file:
        file.write(text)
    command = [program, "run", "killed.yaml", "-o", "killed", "--device", "host"]
    with open(os.path.join(folder, "killed.txt"), "w") as out:
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 120
        checkpoint = os.path.join(folder, "killed.checkpoint")
        while process.poll() is None and time.monotonic() < end:
            if os.path.exists(checkpoint) and os.path.getsize(checkpoint) > 3e6:
                break  # the records of the first two steps
            time.sleep(.005)
        process.kill()
        process.wait()
    if not os.path.exists(checkpoint):
        print("resume: the run was done before it could be killed")
        return
    size = os.path.getsize(checkpoint)
    printed = support.run(program, *command[1:], "--resume", folder=folder)
    if printed is None:
        return
    expect("from the checkpoint" in printed, f"resume: nothing came from the checkpoint of {size} bytes")
    again = support.read_frames(os.path.join(folder, "killed.vtkhdf"))
    for one, other in zip(whole, again):
        for field in ("Points", "Tets", "PointData/displacement", "CellData/tet_id", "CellData/von_mises"):
            expect(numpy.array_equal(one[field], other[field]), f"resume: {field}")
        expect(one["numbers"]["warnings"] == other["numbers"]["warnings"], "resume: warnings")
    rows = [[row[:-1] for row in map(lambda r: list(r.values()), read_rounds(folder, name))] for name in ("whole", "killed")]
    expect(rows[0] == rows[1], "resume: rows of the rounds")
    replayed = support.run(program, "replay", "killed.vtkhdf", "--case-dir", folder, folder=folder)
    expect(replayed and "same bits" in replayed, "resume: replay")


# ---- bodies of rounds ------------------------------------------------------------------------------

def check_rounds(folder):
    """Every third round is saved, and its body has the tets and the volume of its row; a report draws the rounds."""
    support.run(program, "shape", "box", "--size", "80,50,10", "--cells", "13,9,2", "-o", "block.mesh", folder=folder)
    text = CASE.replace("max_rounds: 1", "max_rounds: 7, frames: 3").replace("- static", "- name: '=a \"b\", c'\n    static")
    sweep = "parameters: {v: 0.6}\nsweep: {list: [{v: 0.6}, {v: 0.7}]}\n" + text.replace(f"volume: {VOLUME}", "volume: v")
    for name, case, n_combination in (("rounds", text, 1), ("varied", sweep, 2)):
        if not run(folder, name, case):
            return
        rows = read_rows(folder, name)
        with open(os.path.join(folder, name + ".rounds", "frames.csv"), newline="", encoding="utf-8") as file:
            listed = list(csv.DictReader(file))
        wanted = [row for row in rows if int(row["round"]) % 3 == 0]
        found = [(row["step"], row.get("combination", "0"), row["round"]) for row in wanted]
        expect([(row["step"], row["combination"], row["round"]) for row in listed] == found, f"{name}: {listed}")
        expect(wanted and wanted[0]["step"].startswith("'=a \"b\", c"), f"{name}: {wanted[0]}")
        for frame, row in zip(listed, wanted):
            support.run(program, "convert", f"{name}.rounds/{frame['file']}", "body.mesh", folder=folder)
            mesh = support.read_medit(os.path.join(folder, "body.mesh"))
            expect(len(mesh.tets) == int(row["tets"]), f"{name}: {frame}: {len(mesh.tets)} tets for {row['tets']}")
            expect(abs(mesh.volumes().sum() / float(row["volume"]) - 1) < 1e-12, f"{name}: {frame}: volume")
        files = sorted(os.listdir(os.path.join(folder, name + ".rounds")))
        expect(files == sorted(["frames.csv", *(frame["file"] for frame in listed)]), f"{name}: {files}")
        support.run(program, "report", name + ".vtkhdf", folder=folder)
        with open(os.path.join(folder, name + ".html"), encoding="utf-8") as file:
            page = file.read()
        charts = page.count("over those of the whole")
        expect(charts == n_combination and "step '=a &quot;b&quot;, c" in page.replace("&#39;", "'"), f"{name}: {charts} charts of rounds")
    replayed = support.run(program, "replay", "rounds.vtkhdf", folder=folder)
    expect(replayed and "bodies of rounds" not in replayed, "a replay names a folder that it does not write")
    os.mkdir(os.path.join(folder, "taken.rounds"))
    with open(os.path.join(folder, "taken.rounds", "notes.txt"), "w", encoding="utf-8") as file:
        file.write("mine")
    done = support.execute(program, "run", "rounds.yaml", "-o", "taken", folder=folder)
    expect(done.returncode != 0 and "notes.txt" in done.stderr and "sets " not in done.stdout, f"foreign files: {done.stderr} {done.stdout}")
    os.remove(os.path.join(folder, "rounds.removal.csv"))
    support.run(program, "report", "rounds.vtkhdf", folder=folder)
    with open(os.path.join(folder, "rounds.html"), encoding="utf-8") as file:
        expect("over those of the whole" not in file.read(), "a chart without a table")


with tempfile.TemporaryDirectory() as scratch:
    check_shipped(scratch, "cantilever-lighter", 1.75)
    check_shipped(scratch, "mbb-lighter", 1.6)
    check_choice(scratch)
    check_rounds(scratch)
    check_resume(scratch)
sys.exit(support.finish("check_removal_cases"))
