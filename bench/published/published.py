"""Puts the numbers of a run of published.sh into README.md, below its line of numbers.

    python3 bench/published/published.py FOLDER

FOLDER holds what published.sh wrote. Columns are chosen here; the .csv files hold them all."""

import csv
import pathlib
import sys

PAGE = pathlib.Path(__file__).with_name("README.md")
LINE = "<!-- numbers: written by published.py -->"
PUBLISHED = {"decimate": "5-15", "mirror": "1.8-2.2", "scale": "0.95-1.0"}


def read(folder, scenario):
    """Rows in order: (mesh, tets, what) and a dictionary of quantities."""
    rows = {}
    with open(folder / f"{scenario}.csv", newline="") as file:
        for line in csv.DictReader(file):
            key = (line["mesh"], int(line["tets"]), line["what"])
            rows.setdefault(key, {})[line["quantity"]] = float(line["value"])
    return rows


def show(value):
    if value is None:
        return ""
    if value == 0 or abs(value) >= 1000:
        return f"{value:,.0f}"
    digits = 3 if abs(value) < 1 else 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    return f"{value:.{digits}f}" if abs(value) >= 0.01 else f"{value:.2g}"


def table(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "| " + " | ".join("---" if i == 0 else "---:" for i in range(len(head))) + " |"
    for row in rows:
        yield "| " + " | ".join(c if isinstance(c, str) else show(c) for c in row) + " |"
    yield ""


def name(mesh, tets):
    return f"{mesh}, {tets:,}"


def formats(folder):
    yield "### Formats\n"
    columns = ["build ms", "20 products", "20 cg ms", "frames/s", "matrix MiB", "with tables"]
    head = ["mesh, tets", "format", "build, ms", "20 products, ms", "20 iterations, ms",
            "frames/s", "matrix, MiB", "with tables, MiB"]
    yield from table(head, [[name(mesh, tets), what] + [row[c] for c in columns]
                            for (mesh, tets, what), row in read(folder, "formats").items()])


def study(folder):
    rows = read(folder, "study")
    yield "### Initialize, revalidate, reconstruct\n"
    yield "Milliseconds.\n"
    head = ["mesh, tets", "step", "commit", "tables", "matrix", "new tables", "new matrix", "ratio",
            "with commit", "subtract-add: matrix", "its ratio", "published ratio"]
    columns = ["commit ms", "tables ms", "matrix ms", "new tables ms", "new matrix ms", "ratio",
               "with commit"]
    out = []
    for (mesh, tets, what), row in rows.items():
        if not what.endswith("sub-add"):
            other = rows.get((mesh, tets, what + " sub-add"), {})
            out.append([name(mesh, tets), what] + [row.get(c) for c in columns] +
                       [other.get("matrix ms"), other.get("ratio"), PUBLISHED.get(what, "")])
    yield from table(head, out)


def drift(folder):
    yield "### Drift\n"
    yield "Largest relative error of a block, in units of 1e-15; revalidation by gathering: 0.\n"
    head = ["mesh, tets", "edits", "subtract-add", "gathered"]
    yield from table(head, [[name(mesh, tets), what, row["sub-add e-15"], row["ours e-15"]]
                            for (mesh, tets, what), row in read(folder, "drift").items()])


def local(folder):
    yield "### One tet\n"
    yield "Microseconds; the rebuild in milliseconds.\n"
    columns = ["median us", "99 % us", "worst us", "commit us", "tables us", "matrix us",
               "rebuild ms", "ratio", "with commit"]
    head = ["mesh, tets", "edit", "median", "99 %", "worst", "commit", "tables", "matrix",
            "rebuild", "ratio", "with commit"]
    yield from table(head, [[name(mesh, tets), what] + [row[c] for c in columns]
                            for (mesh, tets, what), row in read(folder, "local").items()])


def crossover(folder):
    yield "### Crossover\n"
    yield f"![Revalidation over rebuild]({folder.name}/crossover.svg)\n"
    yield "Milliseconds; every second or third point, all of them in the CSV file.\n"
    columns = ["edited %", "blocks %", "commit ms", "tables ms", "matrix ms", "rebuild ms",
               "ratio %", "faster", "with commit"]
    head = ["mesh, tets", "edit", "edited %", "blocks %", "commit", "tables", "matrix", "rebuild",
            "revalidate / rebuild, %", "times faster", "with commit"]
    rows = read(folder, "crossover")
    last = {}
    for mesh, tets, what in rows:
        last[mesh, tets, what.split()[0]] = what
    kept = []
    decade = None
    for (mesh, tets, what), row in rows.items():
        kind, count = what.split()
        at = (mesh, tets, kind, len(count))
        if at != decade or what == last[mesh, tets, kind] or row["edited %"] > 10:
            kept.append([name(mesh, tets), what] + [row[c] for c in columns])
        decade = at
    yield from table(head, kept)


def main():
    folder = pathlib.Path(sys.argv[1])
    machine = (folder / "machine.txt").read_text().strip()
    lines = ["", "```", machine, "```", ""]
    for part in (formats, study, drift, local, crossover):
        lines += part(folder)
    head, mark, _ = PAGE.read_text().partition(LINE)
    if not mark:
        sys.exit(f"{PAGE}: the line '{LINE}' is missing")
    PAGE.write_text(head + mark + "\n" + "\n".join(lines).rstrip() + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
