"""Other ways to the answers of a sweep of hole radii (hole.py): the same mesh in a run of its own, the plate meshed again by
Gmsh at the same sizes, CalculiX from a deck of the same mesh. In: a frame of the sweep. Out: stages in seconds, wall time, of
one thread each."""
import os
import re
import shutil

import support
from support import numpy

# Columns of the page, and the numbers of a frame that each is the sum of.
STAGES = {"mesh": ("choose", "edit"), "tables": ("topology", "follow", "compact"), "matrix": ("matrix",),
          "preconditioner": ("preconditioner", "setup"), "solve": ("solve",)}
COUNTED = ("choose", "edit", "topology", "follow", "compact", "matrix", "preconditioner", "solve")
# Gmsh makes about as many tets as bisection leaves where its sizes are these shares of the longest edges there.
SIZE_SHARE = {"linear": 0.48, "quadratic": 0.50}


def stages_of(numbers, all_seconds, more=0.0):
    """all_seconds: the variation's wall time; more: of it, for meshing before the run. What no stage has is the rest: reading,
    sets, loads, stresses, error estimate, files."""
    cost = {stage: sum(float(numbers["seconds_" + name]) for name in names) for stage, names in STAGES.items()}
    cost["solve"] -= float(numbers["seconds_setup"])
    cost["mesh"] += more
    counted = sum(float(numbers["seconds_" + name]) for name in COUNTED) + more
    cost.update(rest=all_seconds - counted, all=all_seconds, iterations=int(numbers["iterations"]),
                tets=int(numbers["n_tet"]))
    return cost


def straight_mesh(frame):
    """Points and corners of a frame, without what no tet has."""
    tets = frame["Tets"][:, :4]
    used, inverse = numpy.unique(tets, return_inverse=True)
    return support.Mesh(frame["Points"][used], inverse.reshape(tets.shape))


def run_built_again(bench, order, mesh, more=0.0):
    """A run of its own from a file with the hole in it: tables, matrix, preconditioner, a solve from zero."""
    with open(os.path.join(bench.folder, "one.yaml"), "w", encoding="utf-8") as file:
        file.write(bench.case(order, mesh=mesh, sweep="", edit=""))
    seconds = bench.run(bench.program, "run", "one.yaml", "-o", "one", "--quiet")
    frame = support.read_frames(os.path.join(bench.folder, "one.vtkhdf"))[0]
    return stages_of(frame["numbers"], seconds + more, more), frame


def built_again(bench, order, frame):
    support.write_medit(os.path.join(bench.folder, "there.mesh"), straight_mesh(frame))
    return run_built_again(bench, order, "there.mesh")[0]


# ---- Gmsh ------------------------------------------------------------------------------

def write_geometry(bench, order, grading, r):
    share = SIZE_SHARE[order]
    lines = ['SetFactory("OpenCASCADE");', "Box(1) = {0, 0, 0, 200, 100, 5};",
             f"Cylinder(2) = {{100, 50, -1, 0, 0, 7, {r}}};",
             "BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };"]
    for i, (distance, length) in enumerate(grading):
        lines += [f"Field[{i + 1}] = Cylinder;", f"Field[{i + 1}].VIn = {length * share};", f"Field[{i + 1}].VOut = 8;",
                  f"Field[{i + 1}].Radius = {distance};", f"Field[{i + 1}].XCenter = 100; Field[{i + 1}].YCenter = 50;",
                  f"Field[{i + 1}].ZAxis = 20;"]
    n = len(grading) + 1
    lines += [f"Field[{n}] = Min; Field[{n}].FieldsList = {{{', '.join(str(i + 1) for i in range(n - 1))}}};",
              f"Background Field = {n};", "Mesh.CharacteristicLengthExtendFromBoundary = 0;",
              "Mesh.CharacteristicLengthFromPoints = 0;", "Physical Volume(1) = {3};", ""]
    with open(os.path.join(bench.folder, "there.geo"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


def meshed_again(bench, order, grading, r):
    write_geometry(bench, order, grading, r)
    seconds = bench.run("gmsh", "-3", "-nt", "1", "-format", "msh2", "-v", "0", "there.geo", "-o", "there.msh")
    return run_built_again(bench, order, "there.msh", more=seconds)


# ---- CalculiX -----------------------------------------------------------------------------

def deck_of(frame, quadratic):
    """The same mesh and loads; the displacement of the vertex nearest to the middle of the loaded end is printed."""
    points, tets = frame["Points"], frame["Tets"]
    n_node = 10 if quadratic else 4
    used = numpy.unique(tets[:, :n_node])
    lines = ["*NODE, NSET=ALL"] + ["%d, %.12g, %.12g, %.12g" % (v + 1, *points[v]) for v in used]
    lines.append(f"*ELEMENT, TYPE=C3D{n_node}, ELSET=BODY")
    lines += [", ".join(map(str, [i + 1, *(tets[i, :n_node] + 1)])) for i in range(len(tets))]
    lines += ["*MATERIAL, NAME=M", "*ELASTIC", "210e3, 0.3", "*SOLID SECTION, ELSET=BODY, MATERIAL=M", "*BOUNDARY"]
    left = used[abs(points[used, 0]) < 1e-9]
    lines += [f"{v + 1}, 1, 1" for v in left]
    low = left[numpy.argmin(abs(points[left, 1:]).sum(1))]
    high = left[numpy.argmin(abs(points[left, 1:] - (100, 0)).sum(1))]
    lines += [f"{low + 1}, 2, 3", f"{high + 1}, 3, 3", f"*NSET, NSET=END\n{end_vertex(frame) + 1}", "*STEP", "*STATIC",
              "*DLOAD"]
    corner, side = [(1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1)], [3, 4, 2, 1]
    for f in range(4):
        on = (abs(points[tets[:, corner[f]], 0] - 200) < 1e-6).all(1)
        lines += [f"{i + 1}, P{side[f]}, -1" for i in numpy.flatnonzero(on)]
    return "\n".join(lines + ["*NODE FILE", "U", "*EL FILE", "S", "*NODE PRINT, NSET=END", "U", "*END STEP", ""])


def end_vertex(frame):
    corners = numpy.unique(frame["Tets"][:, :4])
    return corners[numpy.argmin(abs(frame["Points"][corners] - (200, 50, 2.5)).sum(1))]


def calculix(bench, order, frame):
    """Also by how much its displacement of the loaded end is another, relative."""
    with open(os.path.join(bench.folder, "there.inp"), "w", encoding="utf-8") as file:
        file.write(deck_of(frame, order == "quadratic"))
    seconds = bench.run("ccx", "there")
    with open(os.path.join(bench.folder, "there.dat"), encoding="utf-8") as file:
        rows = re.findall(r"^ +\d+ +(\S+) +(\S+) +(\S+) *$", file.read(), re.M)
    found, own = float(rows[-1][0]), frame["PointData/displacement"][end_vertex(frame), 0]
    return {"tets": len(frame["Tets"]), "all": seconds}, abs(found / own - 1)


def has(program):
    return shutil.which(program) is not None
