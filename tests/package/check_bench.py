"""edgewise bench: every scenario runs on a tiny shape and on a mesh file, its CSV has every number,
and bad names are refused. Times are looked at for being there, never for their size."""
import csv
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

program = sys.argv[1]


def run(*arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True)


def expect(condition, text):
    if not condition:
        sys.exit(f"check_bench: {text}")


listed = run("bench", "list")
if "no command" in listed.stderr:
    print("built without bench")
    sys.exit(77)
expect(listed.returncode == 0, "'bench list' failed")
names = [line.split()[0] for line in listed.stdout.splitlines()]

basic = ["build", "product", "cg", "static", "surface"]
with tempfile.TemporaryDirectory() as folder:
    mesh, table = os.path.join(folder, "part.mesh"), os.path.join(folder, "table.csv")
    made = run("shape", "box", "--cells", "3,4,3", "-o", mesh)
    expect(made.returncode == 0, made.stderr)
    done = run("bench", *basic, "--mesh", mesh, "--shape", "torus,sphere", "--tets", "200",
               "--repeat", "2", "--threads", "1", "--csv", table)
    expect(done.returncode == 0, done.stderr)
    with open(table, encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    seen = {(row["scenario"], row["mesh"]) for row in rows}
    wanted = {(name, body) for name in basic for body in ("part", "torus", "sphere")}
    expect(seen == wanted, f"scenarios and meshes in the CSV: {sorted(seen)}")
    for row in rows:
        expect(float(row["value"]) >= 0, f"a negative number: {row}")
        if row["quantity"] in ("median ms", "min ms"):
            expect(float(row["value"]) > 0, f"no time: {row}")
        if row["scenario"] == "cg" and row["quantity"] == "iterations":
            expect(float(row["value"]) == 20, f"not twenty iterations: {row}")
        if row["quantity"] == "residual":
            expect(float(row["value"]) <= 1e-8, f"not solved: {row}")
    # Formats compares products; study, local and crossover fail where a bit differs from a rebuild.
    edits = ["formats", "study", "drift", "local", "crossover", "remesh", "model", "model-whole",
             "precondition", "answer", "energy", "hard", "direct", "operator", "dynamics", "realtime",
             "quadratic", "corotational", "remove", "cases", "contact", "falling"]
    expect(set(basic + edits) == set(names), f"a scenario that is not tested: {names}")
    plot = os.path.join(folder, "curves.svg")
    done = run("bench", *edits, "--shape", "box", "--cells", "4,4,4", "--repeat", "1", "--threads",
               "1", "--csv", table, "--plot", plot)
    expect(done.returncode == 0, done.stderr)
    with open(table, encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    expect({row["scenario"] for row in rows} == set(edits), "an edit's scenario has no numbers")
    expect("1 tet, 1e-06" in {row["what"] for row in rows}, "a comma of a name parts a column")
    expect(not any(None in row for row in rows), "a row has more columns than the first line")
    ElementTree.parse(plot)
    unwritable = run("bench", "build", "--shape", "box", "--cells", "1", "--repeat", "1", "--csv",
                     os.path.join(folder, "missing", "table.csv"))
    expect(unwritable.returncode == 2, "a CSV into a folder that is missing was not refused")

for arguments, word in ((["prodct"], "product"), (["build", "--shape", "ball"], "sphere"),
                        (["build", "--tets", "many"], "many"),
                        (["build", "--mesh", "none.mesh"], "none.mesh")):
    refused = run("bench", *arguments)
    expect(refused.returncode == 2 and word in refused.stderr,
           f"bench {' '.join(arguments)}: status {refused.returncode}: {refused.stderr}")
print("bench: good")
