"""The page DYNAMICS.md from the numbers that dynamics.sh has left in a folder.
usage: dynamics_tables.py [FOLDER [PAGE]]"""
import csv
import glob
import os

from pages import machine_of, page_arguments, table

FOLDER, PAGE = page_arguments(__doc__, "DYNAMICS.md")
STAGES = ("update", "forces", "right-hand side", "solve", "set up")


def read(pattern):
    """{(mesh, tets, threads, where, what): {quantity: value}}, fewest tets first."""
    found = {}
    for path in sorted(glob.glob(os.path.join(FOLDER, pattern))):
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                where = row["where"] if row["where"] != "host" else f"host, {row['threads']} thread(s)"
                key = (row["mesh"], int(row["tets"]), where, row["what"])
                found.setdefault(key, {})[row["quantity"]] = float(row["value"])
    return dict(sorted(found.items(), key=lambda entry: entry[0][:3]))


def number(value):
    return f"{value:.3f}" if value < 0.1 else f"{value:.2f}" if value < 10 else \
        f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def steps():
    rows = [[mesh, f"{tets:,}", where, what, number(one["step ms"]), number(one["mean ms"]),
             *[number(one[name]) for name in STAGES], number(one["forces"] / one["solve"]),
             f"{one['iterations']:.0f}", f"{one['steps']:.0f}"]
            for (mesh, tets, where, what), one in read("dynamics-*.csv").items()]
    return table(["body", "tets", "where", "solver", "step", "mean", *STAGES, "forces / solve",
                  "iterations", "steps"], rows)


def realtime():
    found = read("realtime-*.csv")
    rows = [[mesh, f"{tets:,}", where, what, number(one["median ms"]), number(one["99 % ms"]),
             number(one["worst ms"]), f"{one['steps/s']:.0f}"]
            for (mesh, tets, where, what), one in found.items()]
    largest = {}
    for (mesh, tets, where, what), one in found.items():
        for rate in (60, 30):
            if one["steps/s"] >= rate:
                largest.setdefault((mesh, where, what), {})[rate] = tets
    ways = sorted({(mesh, where, what) for mesh, _, where, what in found})
    reached = [[*way, *[f"{largest.get(way, {}).get(rate, 0):,}" for rate in (60, 30)]] for way in ways]
    return (table(["body", "where", "solver", "tets at 60 steps/s", "tets at 30 steps/s"], reached) + "\n"
            + table(["body", "tets", "where", "solver", "median", "99 %", "worst", "steps/s"], rows))


def operators():
    rows = [[f"{tets:,}", where, what, number(one["median ms"]), number(one["min ms"]),
             number(one["of stored"]), number(one["MB"])]
            for (_, tets, where, what), one in read("operator-*.csv").items()]
    return table(["tets", "where", "products", "median", "least", "of stored", "MB"], rows)


def main():
    about = machine_of(FOLDER, "dynamics-machine.txt")
    text = (
        "# Steps in time\n\nWritten by `dynamics_tables.py` from what `dynamics.sh` measured. "
        f"Milliseconds; what each scenario does is in SCENARIOS.md.\n\n{about}"
        "## Time of a step by stage\n\nThe published time is 20 ms a step at 3,500 tets, by conjugate "
        "gradients. Medians; `mean` is that of whole steps.\n\n"
        f"{steps()}\n## In real time\n\nThe largest bodies whose 99th percentile holds; then every "
        f"body that was tried.\n\n{realtime()}\n## Products from tets\n\n{operators()}")
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(text)


main()
