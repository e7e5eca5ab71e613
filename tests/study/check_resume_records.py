#!/usr/bin/python3
"""check_resume_records.py PROGRAM SOURCE_DIR BUILD_DIR

Runs that are stopped after each of their records, resumed, have the bits of a run that was not: motion of linear, quadratic
and mixed tets with edits at the times of outputs, and sequences of static steps; each preconditioner, also where the edit
comes right after the record. Each case ends in a step that fails, so that the checkpoint of the whole run stays; cut off
behind a record it is that of a run stopped there. EW_RECORDS=all takes all combinations of what is varied."""
import os
import struct
import sys
import tempfile

import support
from support import content, expect, write

program, source = sys.argv[1], sys.argv[2]

HEAD = """mesh: part.mesh
elements: ORDER
material: {young: 1e6, poisson: POISSON, density: 1000}
sets:
  wall: {plane: {point: [0, 0, 0], normal: x}, of: faces}
  tip: {plane: {point: [1, 0, 0], normal: x}, of: faces}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: tip, total_force: [0, 0, -1]}]
steps:
"""
FAILS = """  - {name: fails, loads: [{set: tip, total_force: [0, 1, 0]}], static: {max_iterations: 1, tolerance: 1e-12}}
"""
MOTION = """  - name: swing
    dynamic:
      step: 0.01
      steps: 8
      output: {every: EVERY}
      mass: MASS
      preconditioner: KIND
      edits:
        - {at: 0.02, EDIT_1}
        - {at: 0.04, EDIT_2}
"""
STATICS = """  - {name: one, static: {preconditioner: KIND}}
  - {name: two, edit: [{EDIT_1}], static: {preconditioner: KIND}}
  - {name: three, loads: [{gravity: [0, 0, -10]}], static: {preconditioner: KIND}}
  - {name: four, edit: [{EDIT_2}], static: {preconditioner: KIND}}
"""
COROTATIONAL = "linear\nkinematics: corotational"
EDITS = {"remove": ("remove: {box: [[0.5, 0.1, -1], [0.6, 2, 2]]}", "remove: {box: [[0.8, 0.1, -1], [0.9, 2, 2]]}"),
         "refine": ("refine: {set: {box: [[0, 0, 0], [0.3, 1, 1]], of: vertices}, longer_than: 0.06}",
                    "refine: {set: {box: [[0.3, 0, 0], [0.5, 1, 1]], of: vertices}, longer_than: 0.06}")}


def combinations():
    """Steps, order, preconditioner, edit, mass, outputs."""
    for order in ("linear", "quadratic", "mixed"):
        if os.environ.get("EW_RECORDS") != "all":
            yield MOTION, order, "auto", "remove", "lumped", 1
            yield MOTION, order, "rigid", "refine", "consistent", 2
            yield STATICS, order, "auto", "remove", "", 1
            if order == "linear":
                yield MOTION, COROTATIONAL, "auto", "remove", "lumped", 2
            continue
        for kind in ("auto", "block-jacobi", "rigid"):
            for edit in EDITS:
                yield STATICS, order, kind, edit, "", 1
                for mass in ("lumped", "consistent"):
                    for every in (1, 2):
                        yield MOTION, order, kind, edit, mass, every


def cases():
    """Name and text of each."""
    for steps, order, kind, edit, mass, every in combinations():
        text = HEAD + steps + FAILS
        for word, by in (("ORDER", order), ("POISSON", "0.4999" if order == "mixed" else "0.3"), ("KIND", kind),
                         ("EDIT_1", EDITS[edit][0]), ("EDIT_2", EDITS[edit][1]), ("MASS", mass), ("EVERY", str(every))):
            text = text.replace(word, by)
        yield f"{'motion' if steps is MOTION else 'statics'}, {order.split()[-1]}, {kind}, {edit}, {mass}, every {every}", text


def records(data):
    """Where each record of a checkpoint ends (lib/results/checkpoint.c)."""
    at = 40 + struct.unpack_from("<Q", data, 24)[0]
    ends = []
    while at < len(data):
        at += 16 + struct.unpack_from("<Q", data, at)[0]
        ends.append(at)
    return ends


def check(folder, name, text):
    # blocks that were assembled again are what was done, not what was found, where each step has a tangent of its own
    but = ("touched_blocks",) if "corotational" in text else ()
    write(folder, "case.yaml", text)
    done = support.execute(program, "run", "case.yaml", "-o", "whole", "--device", "host", "--quiet", folder=folder)
    path = os.path.join(folder, "whole.checkpoint")
    if not expect(done.returncode == 1 and os.path.exists(path), f"{name}: {done.returncode} {done.stderr}"):
        return 0, 0
    with open(path, "rb") as file:
        data = file.read()
    whole = content(os.path.join(folder, "whole.partial.vtkhdf"), but)
    ends, bad = records(data), []
    for k, end in enumerate(ends[:-1]):
        with open(path, "wb") as file:
            file.write(data[:end])
        done = support.execute(program, "run", "case.yaml", "-o", "whole", "--device", "host", "--quiet", "--resume", folder=folder)
        again = content(os.path.join(folder, "whole.partial.vtkhdf"), but)
        if done.returncode != 1 or again != whole:
            bad.append(k + 1)
    expect(not bad, f"{name}: other bits after records {bad} of {len(ends)}")
    for file in os.listdir(folder):
        if file.startswith("whole."):
            os.remove(os.path.join(folder, file))
    return len(bad), len(ends) - 1


with tempfile.TemporaryDirectory(prefix="edgewise-") as scratch:
    support.run(program, "shape", "box", "--size", "1,0.2,0.2", "--cells", "15,4,4", "-o", "part.mesh", folder=scratch)
    n_bad, n = 0, 0
    for case in cases():
        one, some = check(scratch, *case)
        n_bad, n = n_bad + one, n + some
    print(f"{n} stops, {n_bad} with other bits")
sys.exit(support.finish("check_resume_records"))
