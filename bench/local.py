#!/usr/bin/env python3
"""local.py EDGEWISE [MESH...] [-o PAGE.md] [--threads N]: answers after small edits within an energy error of 1e-3
beside global solves of the same edits, on boxes of 10,000 to a million tets and on meshes.."""
import argparse
import csv
import os
import subprocess
import tempfile

from pages import HERE, number, table

ABOUT = """# Answers after small edits

Written by `local.py` from `edgewise bench energy`, with {threads}. Tets anywhere are removed, 1 to 1,000 at a time, and the
body is solved within an estimated energy error of 1e-3 (`ew_pcg_def.energy_tolerance`), by a correction around the edit
where that is enough; a twin with the same edits is solved to a residual of 1e-6. Milliseconds are those of the commit and
the solve; *with stresses* those to the end of the recovery (stresses, averages, reactions, sums) and of the estimated discretization
error, which after a local answer are computed of what changed alone, with the bits of whole ones. Both aims differ: an energy error of 1e-3 is far below the discretization error of any of
these meshes, a residual of 1e-6 is an energy error of some 1e-7. *Local*: share of answers without an iteration.
*Claimed / true*: the claim over the error of a solution to 1e-10, least and largest over every fifth edit, for bodies of
less than 200,000 tets.

"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("edgewise")
    parser.add_argument("mesh", nargs="*")
    parser.add_argument("-o", dest="page", default=os.path.join(HERE, "LOCAL.md"))
    parser.add_argument("--threads", default="2")
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "energy.csv")
        bodies = (["--shape", "box", "--tets", "1e4,1e5", "--repeat", "5"],
                  ["--shape", "box", "--tets", "1e6", "--repeat", "1"],
                  *(["--mesh", ",".join(given.mesh), "--repeat", "5"],) * bool(given.mesh))
        for body in bodies:
            subprocess.run([given.edgewise, "bench", "energy", *body, "--threads", given.threads, "--csv", path],
                           check=True, stdout=subprocess.DEVNULL)
            found = {}
            with open(path, encoding="utf-8") as file:
                for row in csv.DictReader(file):
                    key = (row["mesh"], row["tets"], row["what"])
                    found.setdefault(key, {})[row["quantity"]] = float(row["value"])
            for (mesh, tets, what), value in found.items():
                claims = f"{value['least']:.2f} to {value['most']:.2f}" if "least" in value else "–"
                rows.append([mesh, f"{int(tets):,}", what, number(value["ms"]), number(value["95 %"]),
                             number(value["all ms"]), number(value["all 95 %"]), number(value["1e-6 ms"]), f"{100 * value['local']:.0f} %", number(value["iterations"]),
                             number(value["at 1e-6"]), claims, f"{value['edits']:.0f}"])
    head = ["body", "tets", "removed at a time", "ms", "95 %", "with stresses", "95 %", "to 1e-6, ms", "local", "iterations", "to 1e-6",
            "claimed / true", "edits"]
    with open(given.page, "w", encoding="utf-8") as file:
        threads = "one thread" if given.threads == "1" else f"{given.threads} threads"
        file.write(ABOUT.format(threads=threads) + table(head, rows))


if __name__ == "__main__":
    main()
