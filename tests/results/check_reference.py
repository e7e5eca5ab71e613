"""check_reference.py PROGRAM SOURCE_DIR BUILD_DIR: the tables of results. `edgewise help results` writes what
the documents have, and a run that has every field and kind of number writes what these tables list."""
import json
import os
import re
import sys
import tempfile

import support
from support import expect, numpy

program, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])

# two materials, one of them by axes and one with a law, heat, motion
CASE = """mesh: part.mesh
elements: linear
material:
  - {region: 1, young: 1000, poisson: 0.3, expansion: 1e-4, density: 1, plastic: {yield_stress: 5, hardening: 10}}
  - {region: 2, young: [900, 1000, 1100], poisson: [0.3, 0.3, 0.3], shear: [400, 400, 400], expansion: [1e-4, 2e-4, 1e-4], density: 1}
sets: {wall: {plane: {point: [0, 0, 0], normal: x}}, tip: {plane: {point: [2, 0, 0], normal: x}}}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: tip, traction: [0, 0, -0.01]}, {temperature: 10}]
OUTPUT
steps:
  - {name: rest, static: {nonlinear: {}}}
  - {name: moving, dynamic: {step: 0.01, steps: 2, nonlinear: {}}}
"""


def tables():
    out = support.run(program, "help", "results")
    return [block.strip() for block in out.split("\n\n") if block.startswith("|")]


def rows(table):
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def check_documents(all_tables):
    for name, own in (("lib/results/README.md", all_tables[:6]), ("datasets/reference/results.md", all_tables[6:])):
        with open(os.path.join(source, name), encoding="utf-8") as file:
            text = file.read()
        for table in own:
            expect(table + "\n" in text, f"{name} lacks this table of 'edgewise help results':\n{table}")


def solve(folder, output):
    support.write(folder, "all.yaml", CASE.replace("OUTPUT", output))
    support.run(program, "run", "all.yaml", "-o", "all", "--device", "host", "--log", "log.jsonl", folder=folder)
    return support.read_frames(os.path.join(folder, "all.vtkhdf"))


def check_fields(folder, table):
    listed = {(row[0].strip("`"), row[1]): row for row in rows(table)}
    own = {"vertex_id", "tet_id", "region", "born"}
    frame = solve(folder, "")[-1]
    for group, place in (("PointData", "points"), ("CellData", "tets")):
        written = {key.split("/")[1]: value for key, value in frame.items() if key.startswith(group)}
        written = {name: value for name, value in written.items() if name not in own and not name.startswith("set_")}
        expected = {name for name, at in listed if at == place} - {"volumetric_stress", "equation_force"}  # of mixed tets, of equations
        expected = {name for name in expected if not name.endswith(("_real", "_imaginary"))}  # check_harmonic
        expected = {name for name in expected  # check_combinations, check_fatigue, check_contact
                    if not name.startswith(("envelope_", "fatigue_", "contact_"))}
        expect(set(written) == expected, f"{place}: {set(written) ^ expected}")
        for name in set(written) & expected:
            width = 1 if written[name].ndim == 1 else written[name].shape[1]
            expect(str(width) in re.findall(r"\d", listed[name, place][2]), f"{name} at {place}: {width} components")
    frame = solve(folder, "output: {fields: [stress, velocity]}")[-1]
    written = {key for key in frame if key.startswith(("PointData", "CellData"))}
    written = {key for key in written if key.split("/")[1] not in own and "set_" not in key}
    expect(written == {"PointData/stress", "CellData/stress", "PointData/stress_region", "PointData/velocity"}, f"{written}")


def check_head(folder, name, table):
    """Its columns are those of the table, in that order."""
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        head = file.readline().strip().split(",")
    listed = []
    for row in rows(table):
        for column in re.findall(r"`([^`]+)`", row[0]):
            listed.append(listed[-1][:-2] + column if column in ("_y", "_z") else column)
    expect(head == listed, f"{name}: {head}, listed {listed}")


def check_numbers(folder, numbers, columns):
    frames = solve(folder, "")
    own = {"name", "kind", "time", "frame", "measure", "warnings", "warning_kinds", "seconds_save"}
    listed = {row[0].strip("`"): row for row in rows(numbers) if "records" in row[3]}
    every = {name for name, row in listed.items() if "records," in row[3]}
    for frame in frames:
        written = {name: value for name, value in frame["numbers"].items() if name not in own}
        expect(every <= set(written) <= set(listed), f"{every - set(written)} {set(written) - set(listed)}")
        for name in set(written) & set(listed):
            expect(numpy.size(written[name]) == int(listed[name][1]), f"{name}: {written[name]}")
    expect(frames[0]["numbers"]["path_work"] > 0 and "path_work" not in frames[-1]["numbers"], "of a static step alone")
    expect(frames[-1]["numbers"]["time_steps"] == 2, "of a dynamic step")
    check_head(folder, "all.csv", columns)
    with open(os.path.join(folder, "log.jsonl"), encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    known = {row[3].split("`")[1] if "`" in row[3] else row[0].strip("`") for row in rows(numbers) if "log" in row[3]}
    for line in lines:
        if line["event"] == "step":
            expect(set(line) - known == {"event", "name", "preconditioner"}, f"log: {set(line) - known}")


def make_mesh(folder):
    support.run(program, "shape", "box", "--size", "2,1,1", "--cells", "4,2,2", "-o", "box.mesh", folder=folder)
    with open(os.path.join(folder, "box.mesh"), encoding="utf-8") as file:
        head, tets = file.read().split("Tetrahedra\n")
    count, *lines = tets.splitlines()
    n = int(count)
    lines = [re.sub(r"\d+\s*$", "2", line) if i < n // 2 else line for i, line in enumerate(lines)]
    support.write(folder, "part.mesh", head + "Tetrahedra\n" + "\n".join([count] + lines) + "\n")


with tempfile.TemporaryDirectory(prefix="edgewise-") as scratch:
    found = tables()
    check_documents(found)
    make_mesh(scratch)
    check_fields(scratch, found[0])
    check_numbers(scratch, found[1], found[2])
    check_head(scratch, "all.sets.csv", found[3])
    check_head(scratch, "all.energy.csv", found[4])
sys.exit(support.finish("check_reference"))
