#!/usr/bin/python3
"""check_friction_edits.py PROGRAM SOURCE_DIR BUILD_DIR

Friction in steps that solve for their edits, and in combinations that go on from each other: the answers are those of a plain run on the same mesh, and of
combinations that start afresh.
"""
import os
import sys
import tempfile

import numpy

from block_case import BLOCK, make_block, solve_case
from support import expect, finish, read_frames, rows

program = sys.argv[1]

CASE = BLOCK + """constraints: [{set: top, displacement: [0, 0, 0]}]
contact: [{slave: foot, friction: 0.3, rigid: {name: die, plane: {point: [0, 0, 0], normal: z}}}]
"""
PRESS = "  - {name: press, static: {tolerance: 1e-10}, rigid: {die: {displacement: [0, 0, 0.01]}}}\n"
ALONG = "rigid: {die: {displacement: [0.012, 0, 0.012]}}"


def solve(folder, name, text, *options):
    solve_case(program, folder, name, text, *options)
    return read_frames(os.path.join(folder, name + ".vtkhdf"))


def compare(a, b, what, tolerance=1e-5):
    """Fields of two frames, vertices in any order."""
    found = [frame["Points"] if "Points" in frame else frame["VTKHDF/Points"] for frame in (a, b)]
    order = [numpy.lexsort(numpy.round(points, 9).T) for points in found]
    for field in ("displacement", "contact_pressure", "contact_slip", "contact_traction"):
        x, y = (frame["PointData/" + field][rows_] for frame, rows_ in zip((a, b), order))
        expect(x.shape == y.shape and abs(x - y).max() < tolerance * abs(x).max(), f"{what}: {field} {abs(x - y).max()} of {abs(x).max()}")
    for key in ("contact_force", "friction_force", "contact_slip", "contact_slipping"):
        x, y = a["numbers"][key], b["numbers"][key]
        expect(abs(x - y) <= tolerance * max(abs(x), 1e-3), f"{what}: {key} {x} {y}")


def check_solves_for_edits(folder):
    """A step that refines itself ends as a plain step on the mesh that it ends with; by error, until a number converges, by the order of tets."""
    for name, edit, more in (("refine", "edit: [{refine: {by: error, until: 12 %, max_rounds: 2}}], ", ""),
                             ("converge", "", ", converge: {peak: strain_energy, until: 2 %, max_rounds: 2}"),
                             ("turning", "edit: [{refine: {by: error, until: 15 %, max_rounds: 1}}], ", "")):
        case = CASE + ("kinematics: corotational\n" if name == "turning" else "")
        step = "  - {name: drawn, static: {tolerance: 1e-10}, %s}\n"
        own = solve(folder, name, case + "steps:\n" + step % (edit + ALONG + more), "--mesh", name + ".mesh")
        plain = solve(folder, "plain", case.replace("block.mesh", name + ".mesh") + "steps:\n" + step % ALONG)
        expect(len(own[-1]["PointData/displacement"]) > len(read_first(folder)), f"{name}: nothing was refined")
        compare(own[-1], plain[-1], name, 1e-4 if name == "turning" else 1e-5)
    expect(own[-1]["numbers"]["contact_slipping"] > 0, "nothing slides")


def read_first(folder):
    return solve(folder, "first", CASE + "steps:\n" + PRESS)[-1]["PointData/displacement"]


def check_history(folder):
    """What the step before left is what all solves of a step go on from: one that is drawn back slides back, however often it is solved."""
    back = "  - {name: back, static: {tolerance: 1e-10}, rigid: {die: {displacement: [0, 0, 0.012]}}%s}\n"
    case = CASE + "steps:\n" + PRESS + "  - {name: drawn, static: {tolerance: 1e-10}, " + ALONG + "}\n"
    plain = solve(folder, "plain", case + back % "")
    own = solve(folder, "own", case + back % ", edit: [{refine: {by: error, until: 0.1 %, max_rounds: 1, max_tets: 200}}]")
    expect(own[-1]["numbers"]["n_tet"] == plain[-1]["numbers"]["n_tet"], "no tet was to be added")
    compare(own[-1], plain[-1], "the same mesh")


def check_combinations(folder):
    """Each combination has a history of its own, whatever it starts from."""
    steps = ("steps:\n" + PRESS + "  - {name: drawn, static: {tolerance: 1e-10}, rigid: {die: {displacement: [way, 0, 0.012]}}}\n")
    found = []
    for start in ("fresh", "warm", "continue"):
        text = CASE + "parameters: {way: 0}\nsweep: {list: [{way: 0.02}, {way: -0.02}, {way: 0.001}, {way: 0.02}], start: %s}\n" % start + steps
        solve(folder, start, text)
        found.append([[float(row[key]) for key in ("contact_force_x", "contact_force_z")]
                      for row in rows(os.path.join(folder, start + ".sets.csv")) if row["set"] == "foot"])
    expect(len(found[0]) == 8 and abs(found[0][1][0]) > 0.3 and abs(found[0][5][0]) < 0.2, f"{found[0]}")
    for other in found[1:]:
        expect(numpy.allclose(found[0], other, atol=1e-5), f"{found[0]} {other}")


def main():
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        make_block(program, folder)
        check_solves_for_edits(folder)
        check_history(folder)
        check_combinations(folder)


main()
sys.exit(finish("check_friction_edits"))
