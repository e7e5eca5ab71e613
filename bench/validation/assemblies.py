#!/usr/bin/python3
"""assemblies.py EDGEWISE [-o PAGE.md] [--seconds N]: five assemblies beside CalculiX on the same nodes, in one run: a bolted flange with preload and
contact, a pin in a lug, a shrink-fit hub, a stack of tied blocks of unlike meshes, a bracket on a base with contact and a tie. Errors are relative to
closed forms, of the bracket to quadratic tets of ours. CalculiX has contact surface to surface with a linear penalty of 50 E a millimeter, *TIE, and
the equations of a pre-tension section (it leaves tets joined that touch one by an edge). Seconds are the processor's, one thread, of whole programs,
reading and writing files included; a run of more than N (300) of them is ended. Needs h5py; ccx where CalculiX is to be shown.
"""
import argparse
import math
import os
import resource
import shutil
import subprocess
import tempfile

import contact
from contact import EDGES, FACES, SIDE, Part, numpy, ring, support, used


def merged(parts):
    """Parts whose nodes lie on one another as one; labels 10 k + 1 .. 10 k + 6 of the k-th stay, but for faces inside."""
    points = numpy.concatenate([part.points for part in parts])
    _, first, place = numpy.unique(points.round(9), axis=0, return_index=True, return_inverse=True)
    place = place.reshape(-1)
    made = object.__new__(Part)
    made.points, tets, made.faces, n, n_tet = points[first], [], {}, 0, 0
    for k, part in enumerate(parts):
        tets.append(place[part.tets + n])
        for label, faces in part.faces.items():
            made.faces[10 * k + label] = [(t + n_tet, f) for t, f in faces]
        n, n_tet = n + len(part.points), n_tet + len(part.tets)
    made.tets = numpy.concatenate(tets)
    every = numpy.sort(made.tets[:, numpy.array(FACES)].reshape(-1, 3), axis=1)
    _, inverse, times = numpy.unique(every, axis=0, return_inverse=True, return_counts=True)
    inside = times[inverse.reshape(-1)] > 1
    made.faces = {label: [(t, f) for t, f in faces if not inside[4 * t + f]] for label, faces in made.faces.items()}
    return made


class Assembly(contact.Assembly):
    """Labels of part k are 100 k and its own. supports: (label, component, value); contacts, ties: (slave, master), bolts: (slave, master,
    force, area), loads: (label, component or None: pressure, value per area). measure(displacement, pressure): numbers."""

    def __init__(self, name, order, parts, supports, measure, contacts=(), ties=(), bolts=(), loads=(), young=210e3, poisson=0.3, distance=0.0):
        first = numpy.cumsum([0] + [len(part.points) for part in parts])
        first_tet = numpy.cumsum([0] + [len(part.tets) for part in parts])
        self.name, self.order, self.supports, self.measure, self.young, self.poisson = name, order, supports, measure, [young], poisson
        self.contacts, self.ties, self.bolts, self.loads, self.distance, self.is_curved = contacts, ties, bolts, loads, distance, False
        self.points = numpy.concatenate([part.points for part in parts])
        self.tets = numpy.concatenate([part.tets + n for part, n in zip(parts, first)])
        self.region = numpy.ones(len(self.tets), int)
        self.faces = {100 * k + label: [(int(t + first_tet[k]), f) for t, f in faces]
                      for k, part in enumerate(parts) for label, faces in part.faces.items() if faces}
        kept, at = numpy.unique(self.tets, return_inverse=True)
        self.points, self.tets = self.points[kept], at.reshape(self.tets.shape)

    def on(self, label):
        return numpy.unique(self.corners(label))

    def shares(self, label):
        """A third of each face of a label at its corners."""
        corner = self.corners(label)
        x = self.points[corner]
        size = numpy.linalg.norm(numpy.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0]), axis=1) / 6
        area = numpy.zeros(len(self.points))
        for k in range(3):
            numpy.add.at(area, corner[:, k], size)
        return area


def run(words, folder, seconds):
    """Exit status, what is told, seconds of the processor; seconds: after which the program is ended."""
    before = used()
    done = subprocess.run(words, cwd=folder, check=False, capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"},
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)))
    return done.returncode, done.stdout + done.stderr, used() - before


# ---- ours ----------------------------------------------------------------------

def ours(program, folder, of, seconds):
    contact.write_mesh(os.path.join(folder, "parts.mesh"), of)
    lines = ["mesh: parts.mesh", f"elements: {of.order}", f"material: {{young: {of.young[0]!r}, poisson: {of.poisson!r}}}", "sets:"]
    lines += [f"  s{label}: {{surface: {label}}}" for label in of.faces] + ["constraints:"]
    for label, c, value in of.supports:
        lines.append(f"  - {{set: s{label}, displacement: [{', '.join(repr(value) if k == c else '~' for k in range(3))}]}}")
    near = f", distance: {of.distance!r}" if of.distance else ""
    for key, pairs in (("contact", of.contacts), ("ties", of.ties)):
        lines += [f"{key}:"] if pairs else []
        lines += [f"  - {{slave: s{a}, master: s{b}{near}}}" for a, b in pairs]
    lines += ["preload:"] if of.bolts else []
    lines += [f"  - {{slave: s{a}, master: s{b}, force: {force!r}}}" for a, b, force, _ in of.bolts]
    lines += ["loads:"] if of.loads else []
    for label, c, value in of.loads:
        what = f"pressure: {value!r}" if c is None else "traction: [%s]" % ", ".join(repr(value if k == c else 0.0) for k in range(3))
        lines.append(f"  - {{set: s{label}, {what}}}")
    with open(os.path.join(folder, "case.yaml"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    status, told, spent = run([program, "run", "case.yaml", "-o", "ours", "--quiet", "--threads", "1", "--device", "host"], folder, seconds)
    if status:
        return f"more than {seconds} s" if status < 0 else "no answer: " + told.strip().splitlines()[-1]
    frame = support.read_frames(os.path.join(folder, "ours.vtkhdf"))[-1]
    place = {int(v): k for k, v in enumerate(frame["PointData/vertex_id"]) if v >= 0}
    at = [place[k] for k in range(len(of.points))]
    pressure = frame["PointData/contact_pressure"][at] if of.contacts else numpy.zeros(len(at))
    return frame["PointData/displacement"][at], pressure, int(frame["numbers"]["iterations"]), spent


# ---- CalculiX --------------------------------------------------------------------

def with_middles(of):
    if of.order == "linear":
        return of.points, of.tets, {}
    pair = numpy.sort(of.tets[:, numpy.array(EDGES)].reshape(-1, 2), 1)
    ends, number = numpy.unique(pair, axis=0, return_inverse=True)
    tets = numpy.concatenate((of.tets, number.reshape(-1, 6) + len(of.points)), 1)
    return numpy.concatenate((of.points, of.points[ends].mean(1))), tets, {tuple(e): len(of.points) + k for k, e in enumerate(ends)}


def nodes_of(of, label, middles):
    nodes = set()
    for corner in of.corners(label):
        nodes.update(int(v) for v in corner)
        nodes.update(middles[tuple(sorted((corner[i], corner[(i + 1) % 3])))] for i in range(3) if middles)
    return sorted(nodes)


def bolt_equations(of, points, middles, reference):
    """Sides whose nodes lie on one another: the slave's are less those of the master by the reference's component 1 along z."""
    lines = []
    for k, (slave, master, _, _) in enumerate(of.bolts):
        there = {tuple(points[node].round(7)): node for node in nodes_of(of, master, middles)}
        sign = numpy.sign(numpy.cross(*(of.points[of.corners(slave)[0]][1:] - of.points[of.corners(slave)[0]][0]))[2])
        for node in nodes_of(of, slave, middles):
            other = there[tuple(points[node].round(7))]
            lines += ["*EQUATION", "3", f"{node + 1}, 3, 1., {other + 1}, 3, -1., {reference + k}, 1, {-sign:.1f}"]
            for c in (1, 2):
                lines += ["*EQUATION", "2", f"{node + 1}, {c}, 1., {other + 1}, {c}, -1."]
    return lines


def write_deck(path, of):
    points, tets, middles = with_middles(of)
    reference = len(points) + 1
    lines = ["*NODE, NSET=ALL"] + ["%d, %.13e, %.13e, %.13e" % (k + 1, *p) for k, p in enumerate(points)]
    lines += [f"{reference + k}, 0., 0., 0." for k in range(len(of.bolts))]
    lines.append(f"*ELEMENT, TYPE=C3D{tets.shape[1]}, ELSET=E")
    lines += [", ".join(map(str, (k + 1, *(tet + 1)))) for k, tet in enumerate(tets)]
    lines.append(f"*MATERIAL, NAME=M\n*ELASTIC\n{of.young[0]!r}, {of.poisson!r}\n*SOLID SECTION, ELSET=E, MATERIAL=M")
    for label in of.faces:
        lines += [f"*SURFACE, NAME=S{label}, TYPE=ELEMENT"] + [f"{t + 1}, S{SIDE[f]}" for t, f in of.faces[label]]
    if of.contacts:
        lines += ["*SURFACE INTERACTION, NAME=I", f"*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n{50 * of.young[0]!r}"]
    for a, b in of.contacts:
        lines += ["*CONTACT PAIR, INTERACTION=I, TYPE=SURFACE TO SURFACE", f"S{a}, S{b}"]
    lines += [f"*TIE, NAME=T{k}, POSITION TOLERANCE=0.01\nS{a}, S{b}" for k, (a, b) in enumerate(of.ties)]
    lines += bolt_equations(of, points, middles, reference)
    fixed = {(node, c): value for label, c, value in of.supports for node in nodes_of(of, label, middles)}
    lines += ["*STEP, INC=100", "*STATIC", "1., 1.", "*BOUNDARY"]
    slaves = {node for pair in (*of.bolts, *of.ties) for node in nodes_of(of, pair[0], middles)}
    lines += ["%d, %d, %d, %r" % (v + 1, c + 1, c + 1, value) for (v, c), value in sorted(fixed.items()) if v not in slaves]
    lines += [f"{reference + k}, 2, 3" for k in range(len(of.bolts))]
    lines += ["*CLOAD"] + [f"{reference + k}, 1, {force!r}" for k, (_, _, force, _) in enumerate(of.bolts)] if of.bolts else []
    for label, c, value in of.loads:
        if c is None:
            lines += ["*DLOAD"] + [f"{t + 1}, P{SIDE[f]}, {value!r}" for t, f in of.faces[label]]
            continue
        share = numpy.zeros(len(points))
        for corner in of.corners(label):
            x = points[corner]
            nodes = [middles[tuple(sorted((corner[i], corner[(i + 1) % 3])))] for i in range(3)] if middles else corner
            share[nodes] += numpy.linalg.norm(numpy.cross(x[1] - x[0], x[2] - x[0])) / 6
        lines += ["*CLOAD"] + [f"{k + 1}, {c + 1}, {value * share[k]!r}" for k in numpy.flatnonzero(share)]
    lines += ["*NODE FILE", "U"] + (["*CONTACT FILE", "CDIS, CSTR"] if of.contacts else []) + ["*END STEP"]
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")


def read_displacement(path, n):
    """Of the last block DISP."""
    found, inside = numpy.full((n, 3), numpy.nan), False
    with open(path, encoding="ascii", errors="replace") as file:
        for line in file:
            if line.startswith(" -4"):
                inside = "DISP" in line
            elif inside and line.startswith(" -1") and int(line[3:13]) <= n:
                found[int(line[3:13]) - 1] = [float(line[13 + 12 * k:25 + 12 * k]) for k in range(3)]
    return found


def theirs(folder, of, seconds):
    write_deck(os.path.join(folder, "deck.inp"), of)
    for ending in (".frd", ".sta"):
        if os.path.exists(os.path.join(folder, "deck" + ending)):
            os.remove(os.path.join(folder, "deck" + ending))
    status, told, spent = run(["ccx", "deck"], folder, seconds)
    if status < 0:
        return f"more than {seconds} s"
    path = os.path.join(folder, "deck.frd")
    displacement = read_displacement(path, len(of.points)) if os.path.exists(path) else None
    if status or displacement is None or numpy.isnan(displacement).any():
        text = [line.strip() for line in told.splitlines() if "*ERROR" in line]
        return "no answer" + (": " + text[0].replace("*ERROR", "").strip(" :") if text else "")
    pressure = contact.read_pressure(path, len(of.points)) if of.contacts else None
    with open(os.path.join(folder, "deck.sta"), encoding="ascii") as file:
        iterations = sum(int(line.split()[3]) for line in file if line.split() and line.split()[0].isdigit())
    return displacement, numpy.zeros(len(of.points)) if pressure is None else pressure, iterations, spent


# ---- assemblies ------------------------------------------------------------------------

QUARTER = math.pi / 2


def tube(cells, inner, outer, low, high):
    made = ring(cells, inner, outer, QUARTER, 1.0)
    made.points[:, 2] = low + (high - low) * made.points[:, 2]
    return made


def flange(order, f, force=20e3):
    """A hollow bolt of radius 5 mm with heads of 8 mm, cut through in the middle, in two rings of 10 mm: a quarter. The rings press on one another with
    the tension of the bolt, so do its heads on them."""
    def place(sign, low, high):
        return sorted((sign * low, sign * high))
    parts = [merged([tube((2 * f, 6 * f, 5 * f), 2.0, 5.0, *place(sign, 0.0, 10.0)), tube((2 * f, 6 * f, 2 * f), 2.0, 5.0, *place(sign, 10.0, 15.0)),
                     tube((2 * f, 6 * f, 2 * f), 5.0, 8.0, *place(sign, 10.0, 15.0))]) for sign in (1.0, -1.0)]
    parts += [tube((5 * f, 8 * f, 4 * f), 5.5, 15.0, *place(sign, 0.0, 10.0)) for sign in (1.0, -1.0)]
    sym = [(100 * k + 10 * m + label, c, 0.0) for k in (0, 1) for m in range(3) for label, c in ((3, 1), (4, 0))]
    sym += [(100 * k + label, c, 0.0) for k in (2, 3) for label, c in ((3, 1), (4, 0))]
    contacts = [(25, 206), (126, 305), (205, 306)]
    sym += [(305, 2, 0.0)]

    def measure(of, displacement, pressure):
        total = (of.shares(205) * pressure).sum()
        shank = of.on(5)
        other = of.on(106)
        return [("pressure of the rings", total / (force / 4) - 1),
                ("shortening", displacement[other, 2].mean() - displacement[shank, 2].mean())]
    return Assembly("bolted flange", order, parts, sym, measure, contacts=contacts, bolts=[(5, 106, force / 4, 1.0)])


def lug(order, f, load=100.0):
    """A pin of radius 10 mm without play in a ring of 200 mm that is fixed at its rim: without friction in a wide plate of the same material the pressure
    is close to 4 F / (pi d t) cos (Noble and Hussain 1969); half of both."""
    parts = [ring((3 * f, 24 * f, f), 2, 10, math.pi, 4.0), ring((12 * f, 24 * f, f), 10, 200, math.pi, 4.0)]
    grade = numpy.hypot(*parts[1].points[:, :2].T)
    wanted = 10 * 20 ** ((grade - 10) / 190)
    parts[1].points[:, :2] *= (wanted / grade)[:, None]
    supports = [(100 * k + label, 1, 0.0) for k in (0, 1) for label in (3, 4)] + [(5, 2, 0.0), (105, 2, 0.0), (102, 0, 0.0), (102, 1, 0.0)]

    def measure(of, _, pressure):
        mean = load * (math.pi * 2 * 4.0) / (10 * 4.0)
        return [("peak", pressure.max() / (4 / math.pi * mean) - 1), ("force", (of.shares(2) * pressure * of.points[:, 0] / 10).sum() / (load * math.pi * 2 * 4.0) - 1)]
    return Assembly("pin in a lug", order, parts, supports, measure, contacts=[(2, 101)], loads=[(1, 0, load)])


def hub(order, f):
    """Tubes of radii 10, 20 and 30 mm that overlap by 0.0025 mm, with the same facets: 5.742 MPa (Lame 1852)."""
    parts = [ring((3 * f, 12 * f, f), 10, 20.0025, QUARTER, 2.0), ring((3 * f, 12 * f, f), 20, 30, QUARTER, 2.0)]
    supports = [(100 * k + label, c, 0.0) for k in (0, 1) for label, c in ((3, 1), (4, 0), (5, 2))]
    exact = 0.0025 * 196e3 / 20 * (300 * 500) / (2 * 400 * 800)

    def measure(of, _, pressure):
        area = of.shares(2)
        mean = (area * pressure).sum() / area.sum()
        return [("mean pressure", mean / exact - 1), ("rms deviation", math.sqrt(((pressure[area > 0] / exact - 1) ** 2).mean()))]
    return Assembly("shrink-fit hub", order, parts, supports, measure, contacts=[(2, 101)], young=196e3)


def stack(order, n):
    """Four blocks of unlike meshes, tied, pulled: 1 MPa everywhere, the top moves by 4 / E."""
    def block(k, m):
        return Part((m, m, m), lambda x, y, z: (x / m, y / m, k + z / m))
    parts = [block(k, m) for k, m in enumerate((n, n + n // 3, n, n + n // 4))]
    supports = [(100 * k + label, c, 0.0) for k in range(4) for label, c in ((1, 0), (3, 1))] + [(5, 2, 0.0)]
    ties = [(105, 6), (105 + 1, 205), (305, 206)]

    def measure(of, displacement, _):
        top = displacement[of.on(306), 2] / (4 / 210e3)
        return [("top", top.mean() - 1), ("largest deviation", abs(top - 1).max())]
    return Assembly("tied stack", order, parts, supports, measure, ties=ties, loads=[(306, None, -1.0)])


def bracket(order, f, reference=None):
    """An angle of 10 mm thickness on a base: its foot is tied over the outer half and rests on the base with the other; a side load on its wall."""
    def box(cells, low, high):
        low, high = numpy.array(low, float), numpy.array(high, float)
        return Part(cells, lambda x, y, z: tuple(low[k] + (high - low)[k] * one / cells[k] for k, one in enumerate((x, y, z))))
    foot = merged([box((3 * f, 4 * f, 2 * f), (0, 0, 0), (15, 20, 10)), box((3 * f, 4 * f, 2 * f), (15, 0, 0), (30, 20, 10)),
                   box((2 * f, 4 * f, 2 * f), (30, 0, 0), (40, 20, 10)), box((2 * f, 4 * f, 8 * f), (30, 0, 10), (40, 20, 50))])
    base = box((7 * f, 5 * f, 3 * f), (-10, -5, -20), (50, 25, 0))

    def measure(of, displacement, _):
        tip = displacement[of.on(36), 0].mean()
        return [("tip", tip / reference - 1 if reference else tip)]
    return Assembly("bracket on a base", order, [foot, base], [(105, c, 0.0) for c in range(3)], measure, contacts=[(15, 106), (25, 106)],
                    ties=[(5, 106)], loads=[(32, 0, -5.0)])


# ---- the page -----------------------------------------------------------------------

def words(numbers):
    return ", ".join(f"{name} {value:.5f} mm" if name in ("shortening", "tip") and abs(value) > 0 and name == "shortening" else f"{name} {100 * value:+.2f} %"
                     for name, value in numbers)


def bodies(program, folder, seconds, small):
    yield flange("linear", 1 if small else 2)
    yield flange("quadratic", 1)
    yield lug("linear", 1 if small else 2)
    yield hub("quadratic", 1 if small else 3)
    for n in ([4] if small else [10, 20]):
        yield stack("linear", n)
    fine = bracket("quadratic", 1 if small else 3)
    found = ours(program, folder, fine, seconds)
    reference = None if isinstance(found, str) else fine.measure(fine, *found[:2])[0][1]
    yield bracket("linear", 1 if small else 3, reference)
    yield bracket("quadratic", 1 if small else 2, reference)

def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("-o", "--output")
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--small", action="store_true", help="tries the script on small bodies")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    page = ["| assembly | tets | | error | iterations | seconds |", "| --- | --- | --- | --- | --- | --- |"]
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        for of in bodies(program, folder, options.seconds, options.small):
            name = f"{of.name}, {of.order}"
            for who in ("Edgewise",) + (("CalculiX",) if shutil.which("ccx") else ()):
                found = ours(program, folder, of, options.seconds) if who == "Edgewise" else theirs(folder, of, options.seconds)
                if isinstance(found, str):
                    page.append(f"| {name} | {len(of.tets):,} | {who} | {found} | | |")
                else:
                    page.append(f"| {name} | {len(of.tets):,} | {who} | {words(of.measure(of, *found[:2]))} | {found[2]} | {found[3]:.1f} |")
                print(page[-1], flush=True)
                name = ""
    if options.output:
        contact.put_table(options.output, "| assembly |", page)


if __name__ == "__main__":
    main()
