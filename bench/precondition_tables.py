"""The page PRECONDITION.md from the numbers that precondition.sh has left in a folder.
usage: precondition_tables.py [FOLDER [PAGE]]"""
import csv
import os
import statistics

from pages import machine_of, number, page_arguments, table

FOLDER, PAGE = page_arguments(__doc__, "PRECONDITION.md")
RIGID, JACOBI = "Edgewise CG, rigid, all threads", "Edgewise CG, block Jacobi, all threads"
GAMG, CHOLMOD = "PETSc CG, GAMG, 1 process", "CHOLMOD, BLAS on all threads"


def read(name):
    path = os.path.join(FOLDER, name)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def by_row(names):
    """{(mesh, tets, where, what): {quantity: value}} of scenarios' files; the first that has it counts"""
    found = {}
    for name in names:
        for row in read(name):
            key = (row["mesh"], int(row["tets"]), row["where"], row["what"])
            found.setdefault(key, {}).setdefault(row["quantity"], float(row["value"]))
    return found


def solving(row):
    return row["setup"] + row["solve"]


def cell(row):
    if not row:
        return "–"
    steps = f"{row['iterations']}: " if row["iterations"] else ""
    return f"{steps}{number(row['setup'])} + {number(row['solve'])}"


def race():
    """Set-up and solve; the matrix alone is not counted, nor what peers need to assemble theirs."""
    memory = by_row(["precondition.csv", "precondition-boxes.csv"])
    bodies = {}
    for row in read("peers-static.csv"):
        one = {key: float(row[key + "_ms"]) for key in ("assembly", "setup", "solve")}
        one.update(iterations=int(row["iterations"]), total=float(row["median_ms"]))
        bodies.setdefault((row["mesh"], int(row["tets"])), {})[row["who"]] = one
    lines, gains = [], []
    for (mesh, tets), who in bodies.items():
        own, rest = who.get(RIGID), [who[name] for name in (GAMG, CHOLMOD) if name in who]
        if not own or not rest:
            continue
        gain = min(map(solving, rest)) / solving(own)
        gains.append(gain)
        bytes_each = memory.get((mesh, tets, "host", "rigid"), {}).get("bytes/tet")
        lines.append([mesh, f"{tets:,}", cell(own), cell(who.get(JACOBI)), cell(who.get(GAMG)),
                      cell(who.get(CHOLMOD)), f"**{gain:.1f}**",
                      f"{own['total'] / min(one['total'] for one in rest):.2f}",
                      f"{bytes_each:.0f}" if bytes_each else "–"])
    text = table(["mesh", "tets", "rigid", "block Jacobi", "GAMG, 1 process", "CHOLMOD",
                  "best peer / rigid", "whole: rigid / best peer", "bytes/tet"], lines)
    if gains:
        text += f"\nMedian of the gains {statistics.median(gains):.1f}, least {min(gains):.1f}.\n"
    return text


def answers():
    stages = ("commit", "tables", "follow", "matrix", "precond", "loads", "solve", "total ms",
              "iterations")
    lines = []
    for (mesh, tets, where, what), one in by_row(
            ["answer.csv", "answer-large.csv", "answer-opencl.csv",
             "answer-opencl-large.csv"]).items():
        if "total ms" in one:
            extra = f"{one['kept']:.0f} / {one['fresh']:.0f}" if "kept" in one else ""
            lines.append([mesh, f"{tets:,}", where, what, *[number(one[name]) for name in stages],
                          extra])
    return table(["mesh", "tets", "where", "edit, tolerance", *stages, "kept / fresh"], lines)


def by_place():
    lines = [[mesh, f"{tets:,}", where, what, f"{one['iterations']:.0f}", number(one["setup ms"]),
              number(one["solve ms"]), f"{one['residual']:.1e}"]
             for (mesh, tets, where, what), one in by_row(["precondition-opencl.csv"]).items()]
    return table(["mesh", "tets", "where", "preconditioner", "iterations", "set-up", "solve",
                  "residual"], lines)


def hard():
    lines = [[mesh, f"{tets:,}", what, f"{one['iterations']:.0f}", f"{one['residual']:.1e}",
              number(one["setup ms"]), number(one["solve ms"])]
             for (mesh, tets, _, what), one in by_row(["hard.csv"]).items()]
    return table(["body", "tets", "case, preconditioner", "iterations", "residual", "set-up",
                  "solve"], lines)


def studies():
    found = {}
    for row in read("studies.csv"):
        found.setdefault((row["study"], row["preconditioner"]), []).append(row)
    lines = []
    for (study, kind), rows in found.items():
        times = [float(row["step_ms"]) for row in rows]
        later = times[1:] or times
        lines.append([study, rows[0]["tets"], kind, str(len(rows)), number(times[0]),
                      number(statistics.median(later)), number(sum(times)),
                      f"{statistics.median(int(row['iterations']) for row in rows):.0f}"])
    return table(["study", "tets", "preconditioner", "steps", "first step", "later steps, median",
                  "all", "iterations, median"], lines)


def main():
    about = machine_of(FOLDER, "precondition-machine.txt")
    text = (
        "# Solves and the next answer\n\nWritten by `precondition_tables.py` from what "
        f"`precondition.sh` measured. Milliseconds.\n\n{about}"
        "## Static solves to 1e-8 beside peers\n\nAll in one run, in turn, the sample with the "
        "median total of each. Iterations: set-up + solve; assembly is left out there and counted "
        "in the last ratio but one. `rigid` is what `auto` takes; peers are PETSc's conjugate "
        "gradients with smoothed aggregation that is told the rigid-body modes, and CHOLMOD.\n\n"
        f"{race()}\n## From an edit to the next answer\n\nMedians by stage.\n\n{answers()}\n"
        f"## On OpenCL\n\n{by_place()}\n## What is hard\n\n{hard()}\n"
        f"## Studies of many steps\n\nWhole steps but for saving.\n\n{studies()}")
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(text)


main()
