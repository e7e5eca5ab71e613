#!/usr/bin/python3
"""accuracy.py EDGEWISE [-o PAGE.md]: what accuracy costs, by linear, quadratic and mixed tets of ours and by CalculiX's
C3D10 on the same nodes. Bodies: a plate in bending, a plate with a hole, NAFEMS LE1, LE10 and LE11, and Cook's membrane of
matter that is nearly incompressible, where mixed are tets with displacement and pressure (`elements: mixed`); elsewhere
they are linear ones and quadratic ones in one body. Seconds are the processor's, of the whole program, reading and writing
files included. Needs h5py; ccx where CalculiX is to be shown.
"""
import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "support"))
import support  # noqa: E402
from support import numpy  # noqa: E402

STEEL = dict(young=210e9, poisson=0.3, expansion=2.3e-4)
CORNERS = [(1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1)]  # of our faces
SIDE = [3, 4, 2, 1]  # of CalculiX's
MIDDLE = {(0, 1): 4, (1, 2): 5, (0, 2): 6, (0, 3): 7, (1, 3): 8, (2, 3): 9}


class Body:
    """supports: (set, components); load: kind, set, value; wanted: place, component of the stress or "u"."""

    def __init__(self, name, sets, supports, load, place, component, target, material=STEEL):
        self.name, self.sets, self.supports, self.load = name, sets, supports, load
        self.place, self.component, self.target, self.material = place, component, target, material

    def case(self, mesh, steps):
        lines = [f"mesh: {mesh}", "material: {" + ", ".join(f"{k}: {v!r}" for k, v in self.material.items()) + "}", "sets:"]
        lines += [f"  {name}: {text}" for name, text in self.sets.items()]
        lines.append("  all: {all: true, of: tets}\nconstraints:")
        for name, parts in self.supports:
            value = ", ".join("0" if c in parts else "~" for c in range(3))
            lines.append(f"  - {{set: {name}, displacement: [{value}]}}")
        kind, where, value = self.load
        if kind == "temperature":
            lines.append(f'loads: [{{temperature: {{expression: "{value}"}}}}]')
        else:
            lines.append(f"loads: [{{set: {where}, {kind}: {value}}}]")
        return "\n".join(lines) + "\n" + steps


def nafems(number, z):
    sets = {"side": "{surface: 2}", "bottom": "{surface: 3}", "left": "{surface: 4}", "outer": "{surface: 5}",
            "low": "{surface: 1}"}
    if number == 1:
        return Body("LE1, membrane", sets, [("left", [0]), ("bottom", [1]), ("low", [2])],
                    ("pressure", "outer", -1e7), (2, 0, z), 1, 92.7e6)
    if number == 10:
        sets["line"] = "{intersect: [{surface: 5, of: vertices}, {plane: {point: [0, 0, 0.3], normal: z}, of: vertices}]}"
        return Body("LE10, thick plate", sets, [("left", [0]), ("bottom", [1]), ("outer", [0, 1]), ("line", [2])],
                    ("pressure", "side", 1e6), (2, 0, z), 1, -5.38e6)
    return Body("LE11, turned part", sets, [("left", [0]), ("bottom", [1]), ("low", [2]), ("side", [2])],
                ("temperature", None, "sqrt(x^2 + y^2) + z"), (1, 0, 0), 2, -105e6)


BENDING = Body("plate 200 x 100 x 5 in bending", {"wall": "{plane: {point: [0, 0, 0], normal: x}, of: faces}",
                                                  "tip": "{plane: {point: [0.2, 0, 0], normal: x}, of: faces}"},
               [("wall", [0, 1, 2])], ("traction", "tip", [0, 0, -1e6]), (0.2, 0.05, 0.005), "u", None)
HOLE = Body("plate with a hole", {"left": "{surface: 1}", "bottom": "{surface: 2}", "top": "{surface: 4}",
                                  "back": "{surface: 6}",
                                  "near": "{cylinder: {from: [0, 0, -1], to: [0, 0, 1], radius: 0.2}, of: tets}"},
            [("left", [0]), ("bottom", [1]), ("back", [2])], ("traction", "top", [0, 1e8, 0]), (0.1, 0, 0), 1, None)


def cook(poisson):
    """Cook's membrane (Cook 1974), in plane strain: a tapered panel that is sheared; how far its upper corner moves."""
    sets = {"wall": "{plane: {point: [0, 0, 0], normal: x}, of: faces}", "back": "{plane: {point: [0, 0, 0], normal: z}, of: faces}",
            "front": "{plane: {point: [0, 0, 4], normal: z}, of: faces}", "end": "{plane: {point: [48, 0, 0], normal: x}, of: faces}"}
    return Body(f"Cook's membrane, Poisson's ratio {poisson}", sets, [("wall", [0, 1, 2]), ("back", [2]), ("front", [2])],
                ("traction", "end", [0, 6.25, 0]), (48, 60, 0), "u", None, dict(young=240.565, poisson=poisson))


def used():
    """Processor time of all programs that were run."""
    sum_of = resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum_of.ru_utime + sum_of.ru_stime


# ---- runs -----------------------------------------------------------------------

def read(body, frame):
    at = numpy.abs(frame["Points"] - numpy.array(body.place, float)).sum(1).argmin()
    if body.component == "u":
        return numpy.linalg.norm(frame["PointData/displacement"][at])
    return frame["PointData/stress"][at, body.component]


def ours(program, folder, body, mesh, steps):
    """Value, unknowns, seconds and the last frame."""
    with open(os.path.join(folder, "case.yaml"), "w", encoding="utf-8") as file:
        file.write(body.case(mesh, steps))
    before = used()
    subprocess.run([program, "run", "case.yaml", "-o", "ours", "--quiet"], cwd=folder, check=True)
    seconds = used() - before
    frame = support.read_frames(os.path.join(folder, "ours.vtkhdf"))[-1]
    n = len(numpy.unique(frame["Tets"][:, :4]))
    rows = frame["numbers"]["total_blocks"] - frame["numbers"]["n_vertex"] - frame["numbers"]["n_edge"]
    return read(body, frame), 3 * int(n + rows), seconds, frame


def faces_of(frame, name):
    """(tet, face) of a set of faces."""
    bits = frame["CellData/set_" + name]
    return [(t, f) for f in range(4) for t in numpy.flatnonzero(bits >> f & 1)]


def nodes_of(tet, face):
    corner = CORNERS[face]
    pairs = [tuple(sorted((corner[i], corner[(i + 1) % 3]))) for i in range(3)]
    return [tet[c] for c in corner], [tet[MIDDLE[p]] for p in pairs]


def theirs(folder, body, frame):
    """CalculiX on the ten nodes of our frame: value and seconds."""
    points, tets = frame["Points"], frame["Tets"]
    fixed = set()
    for name, parts in body.supports:
        if "CellData/set_" + name in frame:
            nodes = {v for t, f in faces_of(frame, name) for part in nodes_of(tets[t], f) for v in part}
        else:
            nodes = set(numpy.flatnonzero(frame["PointData/set_" + name]))
        fixed |= {(v, c) for v in nodes for c in parts}
    lines = ["*NODE, NSET=ALL"] + ["%d, %.13e, %.13e, %.13e" % (k + 1, *p) for k, p in enumerate(points)]
    lines += ["*ELEMENT, TYPE=C3D10, ELSET=E"] + [", ".join(map(str, (k + 1, *(t + 1)))) for k, t in enumerate(tets)]
    lines += [f"*MATERIAL, NAME=M\n*ELASTIC\n{body.material['young']!r}, {body.material['poisson']!r}",
              f"*EXPANSION\n{body.material.get('expansion', 0.0)!r}", "*SOLID SECTION, ELSET=E, MATERIAL=M",
              "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 0.\n*STEP\n*STATIC\n*BOUNDARY"]
    lines += ["%d, %d, %d" % (v + 1, c + 1, c + 1) for v, c in sorted(fixed)]
    kind, where, value = body.load
    if kind == "pressure":
        lines += ["*DLOAD"] + [f"{t + 1}, P{SIDE[f]}, {value!r}" for t, f in faces_of(frame, where)]
    elif kind == "traction":  # on flat faces a third of it on each middle
        force = numpy.zeros_like(points)
        for t, f in faces_of(frame, where):
            corner, middle = nodes_of(tets[t], f)
            a, b, c = points[corner]
            force[middle] += numpy.linalg.norm(numpy.cross(b - a, c - a)) / 6 * numpy.array(value)
        lines += ["*CLOAD"] + ["%d, %d, %.13e" % (v + 1, c + 1, force[v, c]) for v, c in zip(*force.nonzero())]
    else:
        heat = numpy.hypot(points[:, 0], points[:, 1]) + points[:, 2]
        lines += ["*TEMPERATURE"] + ["%d, %.13e" % (v + 1, t) for v, t in enumerate(heat)]
    lines.append("*NODE FILE\nU\n*EL FILE\nS\n*END STEP")
    with open(os.path.join(folder, "deck.inp"), "w", encoding="ascii") as file:
        file.writelines(line + "\n" for line in lines)
    before = used()
    done = subprocess.run(["ccx", "deck"], cwd=folder, capture_output=True, text=True)
    seconds = used() - before
    if done.returncode or "*ERROR" in done.stdout:
        raise RuntimeError(done.stdout[-2000:])
    at = numpy.abs(points - numpy.array(body.place, float)).sum(1).argmin() + 1
    block, found = "DISP" if body.component == "u" else "STRESS", None
    with open(os.path.join(folder, "deck.frd"), encoding="ascii", errors="replace") as file:
        inside = False
        for line in file:
            inside = (inside or line.startswith(" -4  " + block)) and not line.startswith(" -3")
            if inside and line.startswith(" -1") and int(line[3:13]) == at:
                found = [float(line[13 + 12 * i:25 + 12 * i]) for i in range((len(line) - 13) // 12)]
    return (numpy.linalg.norm(found[:3]) if body.component == "u" else found[body.component]), seconds


# ---- the table --------------------------------------------------------------------

LINEAR = "elements: linear\nsteps: [{static: {}}]\n"
MIXED = "elements: mixed\nsteps: [{static: {}}]\n"
QUADRATIC = "elements: quadratic\nsteps: [{static: {}}]\n"
NEAR = "elements: linear\nsteps: [{edit: [{enrich: {set: near}}], static: {}}]\n"


def by_error(until):
    return ("elements: linear\nsteps: [{name: first, static: {}}, {name: second, edit: "
            "[{enrich: {by: error, until: %g}}], static: {}}]\n" % until)


def measure(program, folder, out, body, runs):
    """runs: (label, mesh, steps); CalculiX beside every quadratic one."""
    rows = []
    for label, mesh, steps in runs:
        value, unknowns, seconds, frame = ours(program, folder, body, mesh, steps)
        rows.append((label, len(frame["Tets"]), unknowns, seconds, value))
        if label.startswith("quadratic") and shutil.which("ccx"):
            other, seconds = theirs(folder, body, frame)
            rows.append((label.replace("quadratic", "CalculiX C3D10"), len(frame["Tets"]), unknowns, seconds, other))
        print(body.name, *rows[-1], flush=True)
    target = body.target or rows[-1][4]
    out.append(f"\n| {body.name} | tets | unknowns | s | answer | off by |\n| --- | --- | --- | --- | --- | --- |\n")
    for label, tets, unknowns, seconds, value in rows:
        off = f"{100 * abs(value / target - 1):.2g} %"
        out.append(f"| {label} | {tets:,} | {unknowns:,} | {seconds:.2f} | {value:.4g} | {off} |\n")
    last = "the target" if body.target else "the last row"
    out.append(f"\n(Off by: from {last}, {target:.4g}.)\n")


def box(program, folder, cells):
    name = f"box-{cells.replace(',', '-')}.mesh"
    subprocess.run([program, "shape", "box", "--size", "0.2,0.1,0.005", "--cells", cells, "-o", name], cwd=folder,
                   check=True, capture_output=True)
    return name


def plate(program, folder, cells):
    name = f"plate-{cells.replace(',', '-')}.mesh"
    subprocess.run([program, "shape", "plate", "--length", "1", "--radius", "0.1", "--thickness", "0.05", "--cells",
                    cells, "-o", name], cwd=folder, check=True, capture_output=True)
    return name


def membrane(program, folder, n):
    """n cells along each side; a slice as thick as a cell is wide, but for that 4 at the most."""
    name = f"cook-{n}.mesh"
    subprocess.run([program, "shape", "box", "--size", "1,1,4", "--cells", f"{n},{n},{max(1, n // 12)}", "-o", name],
                   cwd=folder, check=True, capture_output=True)
    mesh = support.read_medit(os.path.join(folder, name))
    s, t = mesh.points[:, 0].copy(), mesh.points[:, 1].copy()
    mesh.points[:, 0] = 48 * s
    mesh.points[:, 1] = 44 * s * (1 - t) + t * (44 + 16 * s)
    support.write_medit(os.path.join(folder, name), mesh)
    return name


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("-o", default=None, metavar="PAGE.md")
    chosen = parser.parse_args()
    program, out = os.path.abspath(chosen.program), [__doc__.partition(": ")[2]]
    with tempfile.TemporaryDirectory() as folder:
        for name in ("le1.mesh", "le10.mesh", "le11.mesh", "le10-curved.msh", "le11-curved.msh"):
            shutil.copy(os.path.join(ROOT, "datasets", name), folder)
        coarse, middle = box(program, folder, "20,10,1"), box(program, folder, "40,20,2")
        measure(program, folder, out, BENDING, [
            ("linear", coarse, LINEAR), ("linear", middle, LINEAR), ("linear", box(program, folder, "80,40,4"), LINEAR),
            ("quadratic", coarse, QUADRATIC), ("quadratic", middle, QUADRATIC),
            ("quadratic, finest", box(program, folder, "56,28,3"), QUADRATIC)])
        holed = plate(program, folder, "12,12,1")
        measure(program, folder, out, HOLE, [
            ("linear", holed, LINEAR), ("linear", plate(program, folder, "24,24,1"), LINEAR),
            ("mixed, within two radii", holed, NEAR), ("mixed, by error to 2 %", holed, by_error(0.02)),
            ("quadratic", holed, QUADRATIC), ("quadratic, finest", plate(program, folder, "32,32,2"), QUADRATIC)])
        measure(program, folder, out, nafems(1, 0.1), [
            ("linear", "le1.mesh", LINEAR), ("mixed, by error to 3 %", "le1.mesh", by_error(0.03)),
            ("quadratic", "le1.mesh", QUADRATIC)])
        for number in (10, 11):
            name = f"le{number}"
            measure(program, folder, out, nafems(number, 0.6), [
                ("linear", name + ".mesh", LINEAR), ("mixed, by error to 5 %", name + ".mesh", by_error(0.05)),
                ("quadratic", name + ".mesh", QUADRATIC), ("quadratic, curved", name + "-curved.msh", QUADRATIC)])
        for poisson in (0.3, 0.4999):
            panels = [membrane(program, folder, n) for n in (12, 24, 48)]
            measure(program, folder, out, cook(poisson), [(kind, panel, steps) for kind, steps in (
                ("linear", LINEAR), ("mixed", MIXED), ("quadratic", QUADRATIC)) for panel in panels])
    text = "".join(out)
    if chosen.o:
        with open(chosen.o, "w", encoding="utf-8") as file:
            file.write("# What accuracy costs\n\nMade by `bench/validation/accuracy.py EDGEWISE -o ACCURACY.md`: " + text)
    else:
        print(text)


if __name__ == "__main__":
    main()
