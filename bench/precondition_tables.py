"""The page PRECONDITION.md from the numbers that precondition.sh has left in a folder.
usage: precondition_tables.py [FOLDER [PAGE]]"""
import csv
import os
import statistics

from pages import machine_of, number, page_arguments, table

FOLDER, PAGE = page_arguments(__doc__, "PRECONDITION.md")
RIGID, RIGID_ALONE = "Edgewise CG, rigid, all threads", "Edgewise CG, rigid, 1 thread"
JACOBI = "Edgewise CG, block Jacobi, all threads"
GAMG, CHOLMOD = "PETSc CG, GAMG", "CHOLMOD, BLAS on all threads"


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


def race_of(name):
    """{(mesh, tets): {who: stages in ms}} of one race"""
    bodies = {}
    for row in read(name):
        one = {key: float(row[key + "_ms"]) for key in ("assembly", "setup", "solve")}
        one.update(iterations=int(row["iterations"]), total=float(row["median_ms"]))
        bodies.setdefault((row["mesh"], int(row["tets"])), {})[row["who"]] = one
    return bodies


def multigrids(who, alone):
    """{options: stages} of PETSc's multigrid on one process or on all; without an answer none"""
    found = {}
    for name, one in who.items():
        if name.startswith(GAMG) and name.endswith(", 1 process") == alone and one["iterations"]:
            found[name[len(GAMG):].rsplit(",", 1)[0].strip()] = one
    return found


def race():
    """Set-up and solve; the matrix alone is not counted, nor what peers need to assemble theirs."""
    memory = by_row(["precondition.csv", "precondition-boxes.csv"])
    lines, gains = [], []
    for (mesh, tets), who in race_of("peers-static.csv").items():
        fastest = [min(multigrids(who, alone).values(), key=solving) for alone in (False, True)]
        own, alone, direct = who[RIGID], who[RIGID_ALONE], who.get(CHOLMOD)
        rest = [one for one in (fastest[0], direct) if one]
        gain = min(map(solving, rest)) / solving(own)
        gains.append(gain)
        bytes_each = memory.get((mesh, tets, "host", "rigid"), {}).get("bytes/tet")
        lines.append([mesh, f"{tets:,}", cell(own), cell(who.get(JACOBI)), cell(fastest[0]),
                      cell(direct), f"**{gain:.1f}**", cell(alone), cell(fastest[1]),
                      f"{solving(fastest[1]) / solving(alone):.1f}",
                      f"{own['total'] / min(one['total'] for one in rest):.2f}",
                      f"{bytes_each:.0f}" if bytes_each else "–"])
    text = table(["mesh", "tets", "rigid", "block Jacobi", "GAMG", "CHOLMOD", "best peer / rigid",
                  "rigid, 1 thread", "GAMG, 1 process", "ratio", "whole: rigid / best peer",
                  "bytes/tet"], lines)
    return text + f"\nMedian of the gains {statistics.median(gains):.1f}, least {min(gains):.1f}.\n"


def options(name):
    """Set-up + solve of PETSc's multigrid by its options, on all processes."""
    bodies = {key: multigrids(who, False) for key, who in race_of(name).items()}
    sets = list(dict.fromkeys(one for found in bodies.values() for one in found))
    lines = [[f"`{one}`" if one else "defaults",
              *[cell(found.get(one)) for found in bodies.values()]] for one in sets]
    return table(["options", *[f"{mesh}, {tets:,} tets" for mesh, tets in bodies]], lines)


def answers():
    stages = ("commit", "tables", "follow", "matrix", "precond", "loads", "solve", "total ms",
              "iterations")
    lines, peers = [], race_of("peers-static.csv")
    for (mesh, tets, where, what), one in by_row(
            ["answer.csv", "answer-large.csv", "answer-opencl.csv",
             "answer-opencl-large.csv"]).items():
        if "total ms" in one:
            extra = f"{one['kept']:.0f} / {one['fresh']:.0f}" if "kept" in one else ""
            direct = peers.get((mesh, tets), {}).get(CHOLMOD)
            lines.append([mesh, f"{tets:,}", where, what, *[number(one[name]) for name in stages],
                          f"{solving(direct) / one['total ms']:.1f}" if direct else "–", extra])
    return table(["mesh", "tets", "where", "edit, tolerance", *stages, "CHOLMOD / total",
                  "kept / fresh"], lines)


def by_place():
    lines = [[mesh, f"{tets:,}", where, what, f"{one['iterations']:.0f}", number(one["setup ms"]),
              number(one["solve ms"]), f"{one['residual']:.1e}"]
             for (mesh, tets, where, what), one in by_row(["precondition-opencl.csv"]).items()]
    return table(["mesh", "tets", "where", "preconditioner", "iterations", "set-up", "solve",
                  "residual"], lines)


def hard():
    lines = [[mesh, f"{tets:,}", what, f"{one['iterations']:.0f}", f"{one['residual']:.1e}",
              number(one["setup ms"]), number(one["solve ms"])]
             for name in ("hard.csv", "hard-gargoyle.csv", "hard-flat.csv")
             for (mesh, tets, _, what), one in by_row([name]).items()]
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
        "median total of each; every thread and process on a processor of its own, and begun after "
        "a pause. Iterations: set-up + solve; assembly is left out there and counted "
        "in the ratio of whole analyses. `rigid` is what `auto` takes; peers are PETSc's conjugate "
        "gradients with smoothed aggregation (GAMG) that is told the rigid-body modes, on as many "
        "processes as there are threads, each row with the fastest of its sets of options, and "
        f"CHOLMOD.\n\n{race()}\n### PETSc's multigrid by its options\n\nOn all processes. Those "
        f"raced:\n\n{options('peers-static.csv')}\nThe search that they are from, once each; – "
        f"where there was no answer:\n\n{options('gamg.csv')}\n"
        "## From an edit to the next answer\n\nMedians by stage. CHOLMOD is its factor and solve of "
        "the race above. Kept / fresh: iterations to 1e-8 from rest after all edits, with "
        f"the hierarchy that followed them and with a new one.\n\n{answers()}\n"
        f"## On OpenCL\n\n{by_place()}\n## What is hard\n\n{hard()}\n"
        f"## Studies of many steps\n\nWhole steps but for saving.\n\n{studies()}")
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(text)


main()
