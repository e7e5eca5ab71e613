"""What a user meets who gives a command another kind of file than it takes, and what is found where a
name stands for a result. One line that names file, rule and remedy. Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
import os
import shutil
import sys
import tempfile

import checks
from checks import expect, execute

program, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])

CASE = """mesh: part.mesh
material: {young: 1e6, poisson: 0.3, density: 1000}
sets:
  base: {plane: {point: [0, 0, 0], normal: z}}
constraints:
  - {set: base, displacement: [0, 0, 0]}
loads:
  - {gravity: [0, 0, -10]}
"""


def refused(words, *command, status=2, folder=None):
    """The program ends with one line that holds all of `words`."""
    done = execute(program, *command, folder=folder)
    lines = [line for line in done.stderr.splitlines() if line.startswith("edgewise: ")]
    expect(done.returncode == status and len(lines) == 1 and all(w in lines[0] for w in words),
           f"{' '.join(command)}: status {done.returncode}, '{done.stderr.strip()}'; expected {words}")


def said(words, *command, folder=None, absent=()):
    """The program does what it is told, and its output holds all of `words`."""
    done = execute(program, *command, folder=folder)
    out = done.stdout + done.stderr
    expect(done.returncode == 0, f"{' '.join(command)}: status {done.returncode}, {out[-300:]}")
    for word in words:
        expect(word in out, f"{' '.join(command)}: '{word}' is not in {out}")
    for word in absent:
        expect(word not in out, f"{' '.join(command)}: '{word}' is in {out}")


def fills_surfaces(folder):
    """Whether the program has TetGen; without it no surface is looked at."""
    return "without TetGen" not in execute(program, "mesh", "none.off", "-o", "none.mesh", folder=folder).stderr


def check_kinds(folder):
    """Each command is given files of all kinds."""
    for name in ("bracket.off", "bracket.inp", "bracket.step", "beam.scn"):
        shutil.copy(os.path.join(source, "datasets", name), folder)
    refused(["part.mesh: is a mesh, not a case", "'mesh: part.mesh'", "edgewise info part.mesh"],
            "run", "part.mesh", folder=folder)
    refused(["is a surface", "{surface: bracket.off}", "edgewise mesh"], "run", "bracket.off", folder=folder)
    refused(["is a CAD file", "'mesh: bracket.step'"], "run", "bracket.step", folder=folder)
    refused(["is a deck", "edgewise convert bracket.inp"], "run", "bracket.inp", folder=folder)
    refused(["is a SOFA scene", "edgewise convert beam.scn"], "run", "beam.scn", folder=folder)
    refused(["is a result", "edgewise report"], "run", "case.vtkhdf", folder=folder)
    refused(["none.mesh: cannot be opened"], "run", "none.mesh", folder=folder)
    refused(["case.yaml: is a case, not a result", "edgewise run case.yaml"], "report", "case.yaml", folder=folder)
    refused(["case.yaml: is a case", "edgewise run"], "replay", "case.yaml", folder=folder)
    refused(["part.mesh: is not a result", "edgewise run"], "report", "part.mesh", folder=folder)
    refused(["none.xdmf: is not there", "beside it"], "report", "none.xdmf", folder=folder)
    refused(["none.vtkhdf", "No such file"], "report", "none.vtkhdf", folder=folder)
    refused(["case.yaml: is a case, not a mesh"], "check", "case.yaml", folder=folder)
    refused(["case.xdmf: is a result, not a mesh"], "check", "case.xdmf", folder=folder)
    if fills_surfaces(folder):
        refused(["part.mesh: is a mesh of tets already"], "mesh", "part.mesh", "-o", "x.mesh", folder=folder)
    refused(["bracket.off: is a surface", "{surface: FILE}"], "check", "bracket.off", folder=folder)


def check_command_line(folder):
    """Words of the command line that are nearly right."""
    refused(["did you mean 'edgewise run case.yaml'?"], "case.yaml", folder=folder)
    refused(["did you mean 'edgewise info part.mesh'?"], "part.mesh", folder=folder)
    refused(["did you mean 'run'?"], "rnu", "case.yaml", folder=folder)
    refused(["case: is not there; did you mean case.yaml?"], "run", "case", folder=folder)
    refused(["make its folder first"], "run", "case.yaml", "-o", "none/case", folder=folder)
    said(["edgewise "], "version", folder=folder)
    said(["usage: edgewise run"], "help", "run", folder=folder)


def check_cases(folder):
    """Cases that are nearly right: the line, and what to write."""
    changes = (("part.mesh", "prat.mesh", "prat.mesh: cannot be opened", "folder of the case"),
               ("part.mesh", "{surface: bracket.step}", "is a CAD file, not a surface", "'mesh: FILE'"),
               ("set: base", "set: bsae", "case.yaml:6:", "did you mean 'base'?"),
               ("set: base", "set: ground", "case.yaml:6:", "take one of 'base'"),
               ("point: [0, 0, 0]", "point: [0, 0, 9]", "has no vertices in the body, which is in (0, 0, 0) to (1, 1, 1)"),
               ("displacement: [0, 0, 0]", "fixed: true", "case.yaml:6:", "a support is 'displacement: [0, 0, 0]'"),
               ("young: 1e6", "E: 1e6", "case.yaml:2:", "Young's modulus is 'young'"),
               ("gravity: [0, 0, -10]", "set: base, pressure: [0, 0, 1]", "case.yaml:8:", "traction: [x, y, z]"),
               ("gravity: [0, 0, -10]", "weight: 10", "case.yaml:8:", "gravity: [0, 0, -9.81]"),
               ("{plane: {point: [0, 0, 0], normal: z}}", "{box: {min: [0, 0, 0]}}", "case.yaml:4:", "two corners"),
               ("loads:", "boundary_conditions:", "case.yaml:7:", "under 'constraints'"))
    for before, after, *words in changes:
        if "surface:" in after and not fills_surfaces(folder):
            continue
        checks.write(folder, "wrong.yaml", CASE.replace(before, after))
        refused([word.replace("case.yaml:", "wrong.yaml:") for word in words], "run", "wrong.yaml", folder=folder)


def check_results(folder):
    """A result is found by what stands beside it."""
    for name in ("case.vtkhdf", "case.xdmf", "case.csv", "case"):
        page = os.path.join(folder, "case.html")
        said(["case.html"], "report", name, folder=folder)
        expect(os.path.exists(page), f"report {name} writes no page")
        if os.path.exists(page):
            os.remove(page)
    said(["steps", "static"], "info", "case.xdmf", folder=folder)
    said(["same bits as in case.vtkhdf"], "replay", "case.xdmf", folder=folder)
    said(["1 frame"], "convert", "case.xdmf", "frames.pvd", folder=folder)
    os.rename(os.path.join(folder, "case.vtkhdf"), os.path.join(folder, "case.partial.vtkhdf"))
    refused(["case.vtkhdf: is not there", "case.partial.vtkhdf"], "report", "case.vtkhdf", folder=folder)
    said(["case.partial.html"], "report", "case.partial.vtkhdf", folder=folder)


def check_repeated_points(folder):
    """An STL repeats its points by nature: nothing is said of it."""
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    text = "solid tet\n" + "".join(
        "facet normal 0 0 0\nouter loop\n" + "".join("vertex %g %g %g\n" % corners[v] for v in face) +
        "endloop\nendfacet\n" for face in faces) + "endsolid tet\n"
    checks.write(folder, "tet.stl", text)
    done = execute(program, "mesh", "tet.stl", "-o", "tet.mesh", folder=folder)
    if "without TetGen" not in done.stderr:
        expect(done.returncode == 0 and "weld" not in done.stdout, f"mesh tet.stl: {done.stdout}{done.stderr}")


def check_fixed_loads(folder):
    """A load on a set that constraints fix wholly goes into the support: the warning says how much."""
    case = CASE.replace("- {gravity: [0, 0, -10]}", "- {set: base, total_force: [1, 2, -3]}\n  - {gravity: [0, 0, -10]}")
    words = "the total force on 'base' (line 8) acts where 'constraints' fix the body: its force (1, 2, -3)"
    for change, fixed in (("", True), ("elements: quadratic", True), ("~, 0, 0", False), ("0, 0, ~", False)):
        text = case.replace("[0, 0, 0]}\nloads", f"[{change}]}}\nloads") if "," in change else case + change + "\n"
        if "," in change:  # the rest of the supports
            text = text.replace("loads:", "  - {set: {all: true}, spring: 1e3}\nloads:")
        checks.write(folder, "fixed.yaml", text)
        said([words] if fixed else [], "run", "fixed.yaml", folder=folder, absent=() if fixed else ["acts where"])
    # a force along what is fixed, on vertices that are free across it
    text = case.replace("[0, 0, 0]}\nloads", "[~, ~, 0]}\n  - {set: {all: true}, spring: 1e3}\nloads")
    checks.write(folder, "fixed.yaml", text.replace("[1, 2, -3]", "[0, 0, -3]"))
    said(["its force (0, 0, -3)"], "run", "fixed.yaml", folder=folder)


def check_warnings(folder):
    """Each warning once a run, with the number of steps that have it and the words of the last one; warnings of other
    loads are others. A run that fails tells those of the steps before."""
    load = "- {set: base, total_force: [0, 0, -3]}"
    case = (CASE.replace("- {gravity: [0, 0, -10]}", f"- {{gravity: [0, 0, -10]}}\n  {load}\n  {load}") +
            "steps:\n  - {name: a, static: {}}\n  - {name: b, static: {}}\n"
            "  - {name: c, loads: [{gravity: [0, 0, -1]}], static: {}}\n")
    checks.write(folder, "warned.yaml", case)
    done = execute(program, "run", "warned.yaml", "--device", "host", folder=folder)
    warned = [line for line in done.stdout.splitlines() if "acts where" in line]
    expect(len(warned) == 2 and all(line.startswith("warning: in 2 steps, last in 'b': the total force on 'base' (line ")
                                    for line in warned), f"{done.stdout}{done.stderr}")
    checks.write(folder, "warned.yaml", case + "  - {name: d, edit: [{remove: {sphere: {center: [0, 0, 0], radius: 9}}}]}\n")
    done = execute(program, "run", "warned.yaml", "--device", "host", folder=folder)
    expect(done.returncode == 2 and done.stdout.count("in 2 steps, last in 'b'") == 2, f"{done.stdout}{done.stderr}")


with tempfile.TemporaryDirectory() as here:
    checks.write(here, "part.mesh", checks.TWO_TETS)
    checks.write(here, "case.yaml", CASE)
    checks.run(program, "run", "case.yaml", folder=here)
    check_kinds(here)
    check_command_line(here)
    check_cases(here)
    check_results(here)
    check_repeated_points(here)
    check_fixed_loads(here)
    check_warnings(here)
sys.exit(checks.finish("check_messages"))
