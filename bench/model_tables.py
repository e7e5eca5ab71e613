"""The page MODEL.md from the numbers that model.sh has left in a folder.
usage: model_tables.py [FOLDER [PAGE]]"""
import csv
import os

from pages import machine_of, number, page_arguments, table

FOLDER, PAGE = page_arguments(__doc__, "MODEL.md")
STAGES = ("commit", "tables", "boundary", "follow", "support", "matrix", "loads", "precond", "all",
          "95 %")
WHOLE = ("commit", "tables", "matrix", "follow", "rebuild")
REMOVE = ("choose", "edit", "matrix", "preconditioner", "solve", "recover")
REMESH = ("choosing", "commit", "tables", "matrix", "all", "rebuild")


def read(name):
    """{(mesh, tets, where, what): {quantity: value}} in the order of the file."""
    found = {}
    path = os.path.join(FOLDER, name)
    if os.path.exists(path):
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                key = (row["mesh"], int(row["tets"]), row["where"], row["what"])
                found.setdefault(key, {})[row["quantity"]] = float(row["value"])
    return found


def by_state(single):
    """All stages by size, and how far sizes are apart, each state of the caches for itself."""
    sizes = sorted({tets for _, tets, _, _ in single})
    rows = []
    for what in dict.fromkeys(what for _, _, _, what in single):
        times = [one["all us"] for tets in sizes
                 for (_, n, _, name), one in single.items() if n == tets and name == what]
        rows.append([what, *[number(time) for time in times], f"{max(times) / min(times):.2f}"])
    return table(["edit", *[f"{tets:,} tets" for tets in sizes], "largest / least"], rows)


def stages(single):
    rows = [[f"{tets:,}", what, *[number(one[f"{stage} us"]) for stage in STAGES],
             f"{one['faults']:.0f}", f"{one['switches']:.0f}"]
            for (_, tets, _, what), one in single.items()]
    return table(["tets", "edit", *STAGES, "faults", "switches"], rows)


def whole(found):
    rows = [[f"{tets:,}", what, *[number(one[f"{stage} ms"]) for stage in WHOLE],
             f"{one['ratio']:.2f}"] for (_, tets, _, what), one in found.items()]
    return table(["tets", "operation", *WHOLE, "ratio"], rows)


def remesh(found):
    rows = [[f"{tets:,}", what, f"{one['moved, made']:,.0f}",
             *[number(one[f"{stage} ms"]) for stage in REMESH]]
            for (_, tets, _, what), one in found.items()]
    return table(["tets", "operation", "moved, made", *REMESH], rows)


def remove(found):
    rows = []
    for (_, tets, _, what), one in found.items():
        others = [body["all ms"] for (_, n, _, _), body in found.items() if n == tets]
        rows.append([f"{tets:,}", what, *[number(one[f"{stage} ms"]) for stage in REMOVE], f"{one['iterations']:.0f}",
                     number(one["all ms"]), f"{one['all ms'] / max(others):.2f}"])
    return table(["tets", "", *REMOVE, "iterations", "all", "ratio"], rows)


def main():
    about = machine_of(FOLDER, "model-machine.txt")
    single = read("model.csv")
    text = (
        "# Edits through a model\n\nWritten by `model_tables.py` from what `model.sh` measured; what "
        f"each scenario does is in SCENARIOS.md.\n\n{about}"
        "## One tet\n\nMicroseconds, medians of 200, all stages but the solve and the recovery. "
        "Sizes compare in equal states of the caches: \"warm\" is one tet out and in over and over, "
        "\"cold\" the same with the caches emptied before each edit. The rows below follow a short "
        "solve, which leaves a small body in the cache and drives a large one out: they tell what a "
        "user meets.\n\n"
        f"{by_state(single)}\nBy stage; page faults and involuntary switches are those of all 200 "
        f"edits together.\n\n{stages(single)}\n"
        "## A tenth of the mesh and more\n\nMilliseconds, the least of each, beside building tables "
        f"and blocks; the ratio is tables and blocks over the rebuild.\n\n"
        f"{whole(read('model-whole.csv'))}\n"
        "## Smooth and refine\n\nMilliseconds, medians.\n\n"
        f"{remesh(read('remesh.csv'))}\n"
        "## Element removal\n\nMilliseconds of a round on one thread, medians of all rounds, beside a model that is made of the "
        "same body from the mesh alone and solved from zero (every fourth round); what a program without edits must do to "
        f"choose is not in its row.\n\n{remove(read('remove.csv'))}")
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(text)


main()
