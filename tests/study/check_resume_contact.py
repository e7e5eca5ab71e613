#!/usr/bin/python3
"""check_resume_contact.py PROGRAM SOURCE_DIR BUILD_DIR

Contact and friction of runs that go on from a checkpoint, cut after each of its records: files and numbers have the bits of the run that was not stopped, those
of steps that are taken from it and those that follow.
"""
import os
import struct
import sys
import tempfile

from block_case import BLOCK, PLATE, make_block, make_plate, solve_case
from support import content, expect, finish, rows

program = sys.argv[1]

CASE = BLOCK + """constraints: [{set: foot, total_spring: [5, 5, 0]}]
contact: [{slave: foot, friction: 0.4, rigid: {name: die, plane: {point: [0, 0, 0], normal: z}}}]
loads: [{set: top, pressure: 2}]
"""
STOP = "  - {name: fails, static: {max_iterations: 1}, loads: [{set: top, pressure: 9}, {set: top, total_force: [0.7, 0, 0]}]}\n"
NEWTON_STOP = STOP.replace("max_iterations: 1", "nonlinear: {max_iterations: 1, halvings: 0}")
TABLES = (".partial.csv", ".partial.sets.csv")


def draw(way, how="", first=0):
    """Steps that draw the plane under the block."""
    return "".join("  - {name: s%d, static: {%s}, rigid: {die: {displacement: [%g, 0, 0]}}}\n" % (first + k, how, x) for k, x in enumerate(way))


def fall(kind, more=""):
    """A step in time in which the block is thrown along the plane and drawn by it."""
    return ("  - name: %s\n    rigid: {die: {displacement: [0.4, 0, 0], amplitude: up}}\n"
            "    dynamic: {step: 0.01, end: 0.12, output: {every: 3}, initial: {from: previous, velocity: {set: body, value: [0.6, 0.2, -0.1]}}%s}\n" % (kind, more))


TIME = CASE.replace("sets:\n", "sets:\n  body: {box: [[-9, -9, -9], [9, 9, 9]]}\n") + "amplitudes: {up: {table: [[0, 0], [0.12, 1]]}}\n"
TURNING = "kinematics: corotational\n"
CASES = {
    "statics": CASE + "steps:\n" + draw((0, 0.05, 0.2, 0.25, 0.1)) + STOP,
    "newton": CASE + TURNING + "steps:\n" + draw((0, 0.3, 0.25), "nonlinear: {steps: 3}") + NEWTON_STOP,
    "between": CASE + "steps:\n" + draw((0,)) +
               "  - {name: fine, static: {}, edit: [{refine: {by: error, until: 1 %, max_rounds: 2, max_tets: 700}}], rigid: {die: {displacement: [0.3, 0, 0]}}}\n" +
               draw((0.2,), first=2) + STOP,
    "time": TIME + "steps:\n" + fall("slides") + STOP,
    "smooth": TIME.replace("friction: 0.4, ", "") + "steps:\n" + fall("falls") + STOP,
    "turning": TIME + TURNING + "steps:\n" + draw((0.1,), "nonlinear: {steps: 2}") + fall("slides", ", nonlinear: {tolerance: 1e-7}") + NEWTON_STOP,
    "turns": PLATE + "steps:\n  - {name: first, static: {}}\n  - {name: still, static: {}, loads: [{set: top, pressure: 0.01}]}\n" + STOP,
    "newton_turns": PLATE.replace("0.45", "0.45, plastic: {yield_stress: 1e6}") + "steps:\n  - {name: first, static: {}}\n" + NEWTON_STOP,
    "time_turns": PLATE.replace("0.45", "0.45, density: 0.01") +
                  "steps:\n  - {name: t, dynamic: {step: 3, end: 9, scheme: implicit-euler, preconditioner: rigid, output: {every: 1}}}\n" + STOP,
    "refined": TIME + "steps:\n" + fall("slides", ", edits: [{at: 0.05, refine: {longer_than: 0.4, set: foot}}]") + STOP,
}


def records(path):
    """Where the records of a checkpoint end."""
    with open(path, "rb") as file:
        data = file.read()
    at = 40 + struct.unpack_from("<Q", data, 24)[0]
    ends = []
    while at < len(data):
        at += 16 + struct.unpack_from("<Q", data, at)[0]
        ends.append(at)
    return data, ends


def solve(folder, name, *words):
    done = solve_case(program, folder, name, CASES[name], *words, status=1)
    expect("step 'fails'" in done.stderr, f"{name}: {done.stderr}")
    return content(os.path.join(folder, name + ".partial.vtkhdf"), ("touched_blocks",)), [rows(os.path.join(folder, name + ending)) for ending in TABLES], done.stdout


def check(folder, name):
    path = os.path.join(folder, name + ".checkpoint")
    first, tables, _ = solve(folder, name)
    number = "contact_slip" if "friction" in CASES[name] else "contact_force"
    expect(any(key.endswith(number) for key in first), f"{name}: no {number}")
    turns = [key for key, value in first.items() if key.endswith(":warnings") and b"took turns" in value.replace(b"\0", b"")]
    data, ends = records(path)
    expect(len(turns) == (1 if name.endswith("turns") else 0), f"{name}: chatter is told in {turns}")
    expect(len(ends) >= (3 if "turns" not in name else 1), f"{name}: {len(ends)} records")
    for n in range(1, len(ends) + 1):
        with open(path, "wb") as file:
            file.write(data[:ends[n - 1]])
        again, others, text = solve(folder, name, "--resume")
        expect(f"resumed: {n} of" in text, text[:300])
        different = sorted(key for key in first.keys() | again.keys() if first.get(key) != again.get(key))
        expect(not different, f"{name} after {n} records: {len(different)} differ: {different[:5]}")
        expect(others == tables, f"{name} after {n} records: tables")


def main():
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        make_block(program, folder)
        make_plate(program, folder)
        for name in CASES:
            check(folder, name)


main()
sys.exit(finish("check_resume_contact"))
