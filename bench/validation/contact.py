#!/usr/bin/python3
"""contact.py EDGEWISE [-o PAGE.md] [--seconds N]: parts that touch, beside closed forms and CalculiX (surface to surface with
a linear penalty of 50 E a millimeter, and mortar) on the same nodes, in one run. Bodies: blocks under pressure, a roller and a ball on flat
bodies (Hertz 1882), a press fit (Lame 1852), a pin in a ring, a roller that is pressed and then drawn along by less than it takes to
slide (Cattaneo 1938, Mindlin 1949). Bodies are pressed by a displacement, which CalculiX needs;
Hertz's pressure is that of the force found. Seconds are the processor's, one thread, of whole programs, reading and writing
files included; a run of more than N (300) is ended. Needs h5py; ccx where CalculiX is to be shown.
"""
import argparse
import math
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

# Of the cell from (0, 0, 0) to (1, 1, 1) along its diagonal (Kuhn), by corners x + 2 y + 4 z.
KUHN = [(0, 1, 3, 7), (0, 3, 2, 7), (0, 2, 6, 7), (0, 6, 4, 7), (0, 4, 5, 7), (0, 5, 1, 7)]
FACES = [(1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1)]
SIDE = [3, 4, 2, 1]  # CalculiX's number of our faces
EDGES = [(0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3)]  # in CalculiX's order of middles


class Part:
    """A grid of cells mapped to a body; face labels 1 .. 6: x, y, z at their least and largest."""

    def __init__(self, cells, place):
        grid = numpy.stack(numpy.meshgrid(*(numpy.arange(n + 1) for n in cells), indexing="ij"), -1).reshape(-1, 3)
        step = numpy.array([(cells[1] + 1) * (cells[2] + 1), cells[2] + 1, 1])
        low = grid[(grid < cells).all(1)] @ step
        corner = numpy.array([[c & 1, c >> 1 & 1, c >> 2] for c in range(8)]) @ step
        self.tets = (low[:, None, None] + corner[numpy.array(KUHN)][None]).reshape(-1, 4)
        self.place = lambda at: numpy.array(place(*at.T), float).T
        self.points = self.place(grid)
        edge = self.points[self.tets[:, 1:]] - self.points[self.tets[:, :1]]
        wrong = numpy.linalg.det(edge) < 0
        self.tets[wrong] = self.tets[wrong][:, [0, 2, 1, 3]]
        ends, side = numpy.unique(numpy.sort(self.tets[:, numpy.array(EDGES)].reshape(-1, 2), 1), axis=0, return_inverse=True)
        self.sides = side.reshape(-1, 6)
        self.middles = self.place((grid[ends[:, 0]] + grid[ends[:, 1]]) / 2)  # of sides that follow the body
        self.faces = {}
        for label in range(6):
            axis, end = label // 2, label % 2 * cells[label // 2]
            on = grid[:, axis] == end
            self.faces[label + 1] = [(t, f) for f, face in enumerate(FACES)
                                     for t in numpy.flatnonzero(on[self.tets[:, face]].all(1))]


class Assembly:
    """Parts one behind the other; labels of part k are 10 k + 1 .. 10 k + 6. supports: (label, component, value);
    contact: labels of slave and master, or of a slave and the words of a rigid body; measure: of (pressure and area at
    slave vertices, their places, force): numbers. order: "linear", "quadratic", or "curved": quadratic with curved sides. Beside these:
    Coulomb's coefficient, a force shared by corners, and whether CalculiX counts with large rotations."""
    poisson, friction, force, is_large = 0.3, 0.0, None, False

    def __init__(self, name, order, parts, young, supports, contact, measure, load=None, interference=None):
        self.name, self.young, self.supports, self.contact = name, young, supports, contact
        self.measure, self.load, self.interference = measure, load, interference
        self.is_curved = order == "curved"
        self.order = "quadratic" if self.is_curved else order
        first_middle = numpy.cumsum([0] + [len(p.middles) for p in parts])
        self.middles = numpy.concatenate([p.middles for p in parts])
        self.sides = numpy.concatenate([p.sides + n for p, n in zip(parts, first_middle)])
        self.is_rigid = isinstance(contact[1], str)
        first = numpy.cumsum([0] + [len(p.points) for p in parts])
        first_tet = numpy.cumsum([0] + [len(p.tets) for p in parts])
        self.points = numpy.concatenate([p.points for p in parts])
        self.tets = numpy.concatenate([p.tets + n for p, n in zip(parts, first)])
        self.region = numpy.concatenate([numpy.full(len(p.tets), k + 1) for k, p in enumerate(parts)])
        self.faces = {10 * k + label: [(int(t + first_tet[k]), f) for t, f in faces]
                      for k, p in enumerate(parts) for label, faces in p.faces.items()}

    def corners(self, label):
        return numpy.array([self.tets[t][list(FACES[f])] for t, f in self.faces[label]])

    def areas(self):
        """A third of each slave face at its corners."""
        corner = self.corners(self.contact[0])
        x = self.points[corner]
        size = numpy.linalg.norm(numpy.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0]), axis=1) / 6
        area = numpy.zeros(len(self.points))
        for k in range(3):
            numpy.add.at(area, corner[:, k], size)
        return area

    def report(self, pressure, force):
        area = self.areas()
        on = area > 0
        return self.measure(pressure[on], area[on], self.points[on], force)


def used():
    sum_of = resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum_of.ru_utime + sum_of.ru_stime


# ---- ours ----------------------------------------------------------------------

def write_mesh(path, of):
    points, tets = of.points, of.tets
    if of.is_curved:
        points, tets = numpy.concatenate((points, of.middles)), numpy.concatenate((tets, of.sides + len(points)), 1)
    with open(path, "w", encoding="ascii") as file:
        file.write("MeshVersionFormatted 2\nDimension 3\nVertices %d\n" % len(points))
        file.writelines("%.17g %.17g %.17g 0\n" % tuple(p) for p in points)
        named = [(*c, label) for label in of.faces for c in of.corners(label) + 1]
        file.write("Triangles %d\n" % len(named))
        file.writelines("%d %d %d %d\n" % face for face in named)
        file.write("Tetrahedra%s %d\n" % ("P2" if of.is_curved else "", len(tets)))
        file.writelines(" ".join(map(str, (*t, r))) + "\n" for t, r in zip(tets + 1, of.region))
        file.write("End\n")


def solve(program, folder, lines, seconds):
    """The last frame of a case, and seconds."""
    with open(os.path.join(folder, "case.yaml"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    before = used()
    subprocess.run([program, "run", "case.yaml", "-o", "ours", "--quiet", "--threads", "1", "--device", "host"], cwd=folder,
                   check=True, timeout=seconds)
    spent = used() - before
    return support.read_frames(os.path.join(folder, "ours.vtkhdf"))[-1], spent


def at_points(frame, of, field):
    place = {int(v): k for k, v in enumerate(frame["PointData/vertex_id"]) if v >= 0}
    return frame["PointData/" + field][[place[k] for k in range(len(of.points))]]


def write_case(of):
    """Lines of a case beside its mesh."""
    lines = ["mesh: parts.mesh", f"elements: {of.order}", "material:"]
    lines += [f"  - {{region: {k + 1}, young: {young!r}, poisson: {of.poisson!r}}}" for k, young in enumerate(of.young)]
    lines += ["sets:"] + [f"  s{label}: {{surface: {label}}}" for label in of.faces] + ["constraints:"]
    for label, c, value in of.supports:
        parts = ["~"] * 3
        parts[c] = repr(value)
        lines.append(f"  - {{set: s{label}, displacement: [{', '.join(parts)}]}}")
    if of.load:
        lines.append(f"loads: [{{set: s{of.load[0]}, pressure: {of.load[1]!r}}}]")
    if of.force:
        corners, total = of.force
        lines.insert(lines.index("sets:") + 1, "  pushed: {ids: [%s]}" % ", ".join(map(str, corners)))
        lines.append("loads: [{set: pushed, total_force: [%r, %r, %r]}]" % total)
    fit = "" if of.interference is None else f", interference: {of.interference!r}"
    fit += f", friction: {of.friction!r}" if of.friction else ""
    other = f"rigid: {of.contact[1]}" if of.is_rigid else f"master: s{of.contact[1]}"
    lines.append(f"contact: [{{slave: s{of.contact[0]}, {other}{fit}}}]")
    return lines


def ours(program, folder, of, seconds):
    write_mesh(os.path.join(folder, "parts.mesh"), of)
    frame, spent = solve(program, folder, write_case(of), seconds)
    return at_points(frame, of, "contact_pressure"), frame["numbers"]["contact_force"], int(frame["numbers"]["iterations"]), spent


# ---- CalculiX --------------------------------------------------------------------

def write_deck(path, of, kind):
    points, tets = of.points, of.tets
    middles = {}
    if of.order == "quadratic":
        pair = numpy.sort(tets[:, numpy.array(EDGES)].reshape(-1, 2), 1)
        middles = {tuple(e): len(points) + k for e, k in zip(pair.tolist(), of.sides.reshape(-1).tolist())}
        straight = numpy.empty_like(of.middles)
        straight[of.sides.reshape(-1)] = points[pair].mean(1)
        tets = numpy.concatenate((tets, of.sides + len(points)), 1)
        points = numpy.concatenate((points, of.middles if of.is_curved else straight))
    lines = ["*NODE, NSET=ALL"] + ["%d, %.13e, %.13e, %.13e" % (k + 1, *p) for k, p in enumerate(points)]
    for part, young in enumerate(of.young):
        lines.append(f"*ELEMENT, TYPE=C3D{tets.shape[1]}, ELSET=E{part}")
        lines += [", ".join(map(str, (k + 1, *(tets[k] + 1)))) for k in numpy.flatnonzero(of.region == part + 1)]
        lines.append(f"*MATERIAL, NAME=M{part}\n*ELASTIC\n{young!r}, {of.poisson!r}\n*SOLID SECTION, ELSET=E{part}, MATERIAL=M{part}")
    for name, label in zip(("SLAVE", "MASTER"), of.contact):
        lines += [f"*SURFACE, NAME={name}, TYPE=ELEMENT"] + [f"{t + 1}, S{SIDE[f]}" for t, f in of.faces[label]]
    stiff = f"LINEAR\n{50 * min(of.young)!r}" if kind != "MORTAR" else "HARD"
    lines += ["*SURFACE INTERACTION, NAME=I", f"*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE={stiff}"]
    lines += [f"*FRICTION\n{of.friction!r}, {50 * min(of.young)!r}"] if of.friction else []
    lines += [f"*CONTACT PAIR, INTERACTION=I, TYPE={kind}", "SLAVE, MASTER"]
    if of.interference is not None:
        lines.append(f"*CLEARANCE, SLAVE=SLAVE, MASTER=MASTER, VALUE={-of.interference!r}")
    fixed = {}
    for label, c, value in of.supports:
        for corner in of.corners(label):
            nodes = list(corner)
            nodes += [middles[tuple(sorted((corner[i], corner[(i + 1) % 3])))] for i in range(3) if middles]
            fixed.update({(node, c): value for node in nodes})
    pushed = sorted({v for (v, c), value in fixed.items() if value})
    lines += ["*NSET, NSET=PUSHED"] + [f"{v + 1}," for v in pushed] if pushed else []
    lines += ["*STEP, INC=100" + (", NLGEOM" if of.is_large else ""), "*STATIC", "1., 1.", "*BOUNDARY"]
    lines += ["%d, %d, %d, %r" % (v + 1, c + 1, c + 1, value) for (v, c), value in sorted(fixed.items())]
    if of.load:
        lines += ["*DLOAD"] + [f"{t + 1}, P{SIDE[f]}, {of.load[1]!r}" for t, f in of.faces[of.load[0]]]
    if of.force:
        corners, total = of.force
        lines += ["*CLOAD"] + ["%d, %d, %r" % (v + 1, c + 1, x / len(corners)) for v in corners for c, x in enumerate(total) if x]
    lines += ["*NODE PRINT, NSET=PUSHED, TOTALS=ONLY", "RF"] if pushed else []
    lines += ["*NODE FILE", "U", "*CONTACT FILE", "CDIS, CSTR", "*END STEP"]
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")


def read_nodes(path, n, block="CONTACT", column=3):
    """A number at the nodes, of the last block of this name, such as CPRESS; null: there is none."""
    values, inside, found = numpy.zeros(n), False, False
    with open(path, encoding="ascii", errors="replace") as file:
        for line in file:
            if line.startswith(" -4"):
                inside = block in line
                found = found or inside
            elif inside and line.startswith(" -1") and int(line[3:13]) <= n:
                values[int(line[3:13]) - 1] = float(line[13 + 12 * column:25 + 12 * column])
    return values if found else None


def read_force(path):
    """The largest component of the total force on what is pushed; 0: nothing is."""
    with open(path, encoding="ascii") as file:
        numbers = [line.split() for line in file if len(line.split()) == 3 and "(" not in line]
    return max((abs(float(x)) for x in numbers[-1]), default=0.0) if numbers else 0.0


def theirs(folder, of, kind, seconds):
    """Pressures, force, iterations, seconds; or why there are none."""
    write_deck(os.path.join(folder, "deck.inp"), of, kind)
    for ending in (".frd", ".sta"):
        if os.path.exists(os.path.join(folder, "deck" + ending)):
            os.remove(os.path.join(folder, "deck" + ending))
    before = used()
    try:
        done = subprocess.run(["ccx", "deck"], cwd=folder, capture_output=True, text=True, timeout=seconds, check=False,
                              env={**os.environ, "OMP_NUM_THREADS": "1"})
    except subprocess.TimeoutExpired:
        return f"more than {seconds} s"
    spent = used() - before
    path = os.path.join(folder, "deck.frd")
    pressure = read_nodes(path, len(of.points)) if os.path.exists(path) else None
    if done.returncode or pressure is None or not pressure.any():
        text = [line.strip() for line in done.stdout.splitlines() if "*ERROR" in line]
        return "no answer" + (": " + text[0].replace("*ERROR", "").strip(" :") if text else "")
    with open(os.path.join(folder, "deck.sta"), encoding="ascii") as file:
        iterations = sum(int(line.split()[3]) for line in file if line.split() and line.split()[0].isdigit())
    return pressure, read_force(os.path.join(folder, "deck.dat")), iterations, spent


# ---- bodies ------------------------------------------------------------------------

def graded(h, fine, growth):
    """Places of a row of points: `fine` cells of size h, then each larger by the factor; of middles the means."""
    def at_point(k):
        rest = numpy.maximum(k - fine, 0)
        return h * (numpy.minimum(k, fine) + growth * (growth ** rest - 1) / (growth - 1))

    def place(k):
        low = numpy.floor(k)
        return at_point(low) + (numpy.asarray(k) - low) * (at_point(low + 1) - at_point(low))
    return place


def blocks(order, n):
    def place(k, low):
        return lambda x, y, z: (x / k, y / k, low + z / k)
    supports = [(1, 0, 0.0), (3, 1, 0.0), (5, 2, 0.0), (11, 0, 0.0), (13, 1, 0.0), (16, 2, -0.01)]
    m = n * 5 // 4

    def measure(pressure, area, _, __):
        mean = (pressure * area).sum() / area.sum()
        return [("mean pressure", mean / 1.0 - 1), ("largest deviation", abs(pressure / mean - 1).max())]
    return Assembly("blocks under uniform pressure", order, [Part((n, n, n), place(n, 0)), Part((m, m, m), place(m, 1.0))], [200.0, 200.0],
                    supports, (15, 6), measure)


def hertz(name, order, parts, radius, young, press, thickness, rigid=None):
    """The profile of the pressure of the force found: p0 sqrt(1 - r^2 / a^2). thickness: of a roller; None: a quarter of a ball.
    rigid: that the only part is pressed on."""
    modulus = 1.0 / (0.91 * sum(1.0 / e for e in young))
    supports = [(1, 0, 0.0), (3, 1, 0.0), (5, 2, 0.0), (11, 0, 0.0), (13, 1, 0.0), (16, 2, -press)]
    if rigid:
        supports = [(1, 0, 0.0), (3, 1, 0.0), (6, 2, -press)]
    if thickness:
        supports += [(4, 1, 0.0), (14, 1, 0.0)]

    def measure(pressure, _, x, force):
        if thickness:
            half = math.sqrt(8 * force / thickness * radius / (math.pi * modulus))
            top = 4 * force / thickness / (math.pi * half)
            r = x[:, 0]
        else:
            half = (3 * force * radius / modulus) ** (1 / 3)
            top = 6 * force / (math.pi * half ** 2)
            r = numpy.hypot(x[:, 0], x[:, 1])
        inside = r < 0.9 * half
        wanted = numpy.sqrt(1 - (r[inside] / half) ** 2)
        rms = math.sqrt(((pressure[inside] / top - wanted) ** 2).mean())
        return [("peak", pressure.max() / top - 1), ("rms inside 0.9 a", rms), ("a", half), ("p0", top)]
    return Assembly(name, order, parts, young, supports, (5, rigid) if rigid else (15, 6), measure)


def roller(order, h, press):
    """The steel roller of radius 50 mm on an aluminum block, a = 6.21 mm and 3,585 MPa under 35 kN for each mm, is NAFEMS' first
    benchmark (Konter 2006, Advanced finite element contact benchmarks)."""
    fine = round(9.0 / h)
    x, up = graded(h, fine, 1.4), graded(h, 5, 1.4)
    high = up(15)
    foot = Part((fine + 7, 1, 15), lambda i, j, k: (x(i), h * j, -up(15 - k)))
    body = Part((fine + 6, 1, 14), lambda i, j, k: (1.03 * x(i), h * j,
                                                    up(k) + (1 - up(k) / high) * (50 - numpy.sqrt(numpy.maximum(50 ** 2 - (1.03 * x(i)) ** 2, 0)))))
    return hertz("roller on a block (NAFEMS)", order, [foot, body], 50.0, [70e3, 210e3], press, h)


def ball(order, h, press, rigid=None):
    fine = round(1.5 / h)
    x, up = graded(h, fine, 1.6), graded(h, 4, 1.6)
    high = up(10)
    foot = Part((fine + 5, fine + 5, 9), lambda i, j, k: (x(i), x(j), -up(9 - k)))
    body = Part((fine + 4, fine + 4, 10), lambda i, j, k: (0.97 * x(i), 0.97 * x(j), up(k) + (1 - up(k) / high) * 0.97 ** 2 * (x(i) ** 2 + x(j) ** 2) / 100))
    if rigid == "plane":
        return hertz("ball on a rigid plane", order, [body], 50.0, [1000.0], press, None, "{plane: {point: [0, 0, 0], normal: z}}")
    if rigid == "ball":
        flat = Part((fine + 4, fine + 4, 10), lambda i, j, k: (0.97 * x(i), 0.97 * x(j), up(k)))
        return hertz("block on a rigid ball", order, [flat], 50.0, [1000.0], press, None, "{sphere: {center: [0, 0, -50], radius: 50}}")
    return hertz("ball on a block", order, [foot, body], 50.0, [1000.0, 1000.0], press, None)


def ring(cells, inner, outer, angle, thickness, shift=0.0):
    def place(i, j, k):
        r, a = inner + (outer - inner) * i / cells[0], angle * j / cells[1]
        y = numpy.where(j == cells[1], 0.0 if angle > 2 else r, r * numpy.sin(a))
        x = numpy.where((j == cells[1]) & (angle < 2), 0.0, r * numpy.cos(a))
        return x + shift, y, thickness * k / cells[2]
    return Part(cells, place)


def press_fit(order, f):
    """Tubes of diameters 20, 40 and 60 mm that overlap by 0.005 mm of the diameter: 5.742 MPa (Lame). A quarter."""
    quarter = math.pi / 2
    parts = [ring((3 * f, 9 * f, 1), 10, 20, quarter, 2.0), ring((3 * f, 8 * f, 1), 20, 30, quarter, 2.0)]
    supports = [(3, 1, 0.0), (13, 1, 0.0), (4, 0, 0.0), (14, 0, 0.0), (5, 2, 0.0), (15, 2, 0.0)]
    exact = 0.0025 * 196e3 / 20 * (300 * 500) / (2 * 400 * 800)

    def measure(pressure, area, _, __):
        mean = (pressure * area).sum() / area.sum()
        return [("mean pressure", mean / exact - 1), ("rms deviation", math.sqrt(((pressure / exact - 1) ** 2).mean()))]
    return Assembly("press fit", order, parts, [196e3, 196e3], supports, (2, 11), measure, interference=0.0025)


def rigid_fit(order, f):
    """A ring of radii 20 and 30 mm on a rigid pin that is 0.0025 mm too large, free along the axis (Lame, plane stress). A quarter."""
    supports = [(3, 1, 0.0), (4, 0, 0.0), (5, 2, 0.0)]
    exact = 0.0025 * 196e3 / 20 / ((900 + 400) / (900 - 400) + 0.3)

    def measure(pressure, area, _, __):
        mean = (pressure * area).sum() / area.sum()
        return [("mean pressure", mean / exact - 1), ("rms deviation", math.sqrt(((pressure / exact - 1) ** 2).mean()))]
    return Assembly("press fit on a rigid pin", order, [ring((3 * f, 8 * f, 1), 20, 30, math.pi / 2, 2.0)], [196e3], supports,
                    (1, "{cylinder: {from: [0, 0, 0], to: [0, 0, 1], radius: 20}}"), measure, interference=0.0025)


def pin(order, f, force=None):
    """A hollow pin of radius 10 mm in a ring with 0.02 mm of play, pushed by 0.03 mm. Half of both. force: of quadratic tets of ours."""
    parts = [ring((3 * f, 22 * f, 2 * f), 5, 10, math.pi, 4.0, 0.02), ring((4 * f, 18 * f, 2 * f), 10.02, 20, math.pi, 4.0)]
    supports = [(3, 1, 0.0), (4, 1, 0.0), (13, 1, 0.0), (14, 1, 0.0), (5, 2, 0.0), (15, 2, 0.0), (1, 0, 0.03)]
    supports += [(12, c, 0.0) for c in range(2)]

    def measure(pressure, _, __, found):
        return [("force", found / force - 1 if force else found), ("peak", pressure.max())]
    return Assembly("pin in a ring", order, parts, [210e3, 210e3], supports, (2, 11), measure)


# ---- friction ----------------------------------------------------------------------

def drawn_roller(order, h):
    """A roller of radius 1000 mm on a flat body of the same steel, a slice in plane strain, from side to side."""
    fine = round(9.0 / h)
    x, up = graded(h, fine, 1.4), graded(h, 5, 1.4)
    high = up(14)

    def across(i, n, scale):
        return scale * numpy.sign(i - n) * x(abs(i - n))
    n = fine + 7
    foot = Part((2 * n, 1, 15), lambda i, j, k: (across(i, n, 1), h * j, -up(15 - k)))
    m = fine + 6
    body = Part((2 * m, 1, 14), lambda i, j, k: (across(i, m, 1.03), h * j,
                                                 up(k) + (1 - up(k) / high) * (1e3 - numpy.sqrt(1e6 - across(i, m, 1.03) ** 2))))
    return Assembly("roller that is drawn along", order, [foot, body], [70e3, 70e3], [], (15, 6), None)


def draw(program, folder, of, seconds, friction=0.3, press=0.1, by=0.08):
    """Two steps; the numbers of the second one beside q(x) = mu p0 (sqrt(1 - (x/a)^2) - c/a sqrt(1 - (x/c)^2)), c = a sqrt(1 - Q / (mu P)):
    half widths of what sticks, of what slides, and c; peak and root mean square of the difference inside .95 a, of mu p0."""
    write_mesh(os.path.join(folder, "parts.mesh"), of)
    fixed = ["      - {set: s5, displacement: [0, 0, 0]}"]
    fixed += [f"      - {{set: s{label}, displacement: [~, 0, ~]}}" for label in (3, 4, 13, 14)]
    lines = ["mesh: parts.mesh", f"elements: {of.order}", f"material: {{young: {of.young[0]!r}, poisson: 0.3}}", "sets:"]
    lines += [f"  s{label}: {{surface: {label}}}" for label in of.faces]
    lines += [f"contact: [{{slave: s15, master: s6, friction: {friction!r}}}]", "steps:"]
    for x in (0.0, by):
        lines += ["  - static: {}", "    constraints:"] + fixed + [f"      - {{set: s16, displacement: [{x!r}, 0, {-press!r}]}}"]
    frame, spent = solve(program, folder, lines, seconds)
    place = {int(v): k for k, v in enumerate(frame["PointData/vertex_id"]) if v >= 0}
    line = numpy.flatnonzero((of.areas() > 0) & (of.points[:, 1] < 1e-9))
    at = [place[int(k)] for k in line]
    x, traction, status = abs(of.points[line, 0]), abs(frame["PointData/contact_traction"][at, 0]), frame["PointData/contact_status"][at]
    width = of.points[:, 1].max()
    force, along = frame["numbers"]["contact_force"] / width, frame["numbers"]["friction_force"] / width
    half = math.sqrt(8 * force * 1e3 * 0.91 / (math.pi * of.young[0]))
    most = friction * 2 * force / (math.pi * half)
    c = half * math.sqrt(1 - along / (friction * force))
    wanted = most * (numpy.sqrt(numpy.maximum(1 - (x / half) ** 2, 0)) - c / half * numpy.sqrt(numpy.maximum(1 - (x / c) ** 2, 0)))
    rms = math.sqrt(((traction - wanted)[x < 0.95 * half] ** 2).mean()) / most
    numbers = [("peak of the traction", traction.max() / wanted.max() - 1), ("rms", rms)]
    return f"sticks to {x[status == 2].max():.2f}, slides from {x[status == 3].min():.2f}, c {c:.2f}, " + words(numbers), int(
        frame["numbers"]["iterations"]), spent


# ---- the page -----------------------------------------------------------------------

def words(numbers):
    def word(name, value):
        return f"{name} {value:.4g}" if name in ("a", "p0") or abs(value) > 2 else f"{name} {100 * value:+.2f} %"
    return ", ".join(word(*one) for one in numbers)


def rows(program, folder, of, seconds):
    yield "Edgewise", ours(program, folder, of, seconds)
    if shutil.which("ccx") and not of.is_rigid:
        yield "CalculiX, surface to surface", theirs(folder, of, "SURFACE TO SURFACE", seconds)
        yield "CalculiX, mortar", theirs(folder, of, "MORTAR" if of.order == "quadratic" else "LINMORTAR", seconds)


def bodies(program, folder, seconds, small):
    yield blocks("linear", 4 if small else 8)
    yield roller("quadratic", 2.5 if small else 1.25, 1.7)
    yield roller("curved", 2.5 if small else 1.25, 1.7)
    yield ball("linear", 0.4 if small else 0.2, 0.035)
    yield press_fit("quadratic", 1 if small else 2)
    yield press_fit("curved", 1 if small else 2)
    yield ball("linear", 0.4 if small else 0.2, 0.035, "plane")
    yield ball("curved", 0.4 if small else 0.2, 0.035, "plane")
    yield ball("quadratic", 0.4 if small else 0.2, 0.035, "ball")
    yield rigid_fit("curved", 1 if small else 2)
    size = 1 if small else 6
    force = ours(program, folder, pin("quadratic", 1 if small else 3), seconds)[1]
    for f in ([1] if small else [3, size]):
        yield pin("linear", f, force)


def put_table(path, head, rows):
    """A page of tables: that which begins with the head has these rows now."""
    with open(path, encoding="utf-8") as file:
        before, _, rest = file.read().partition(head)
    tail = rest.partition("\n\n")[2]
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + "\n".join(rows) + "\n" + ("\n" + tail if tail else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("-o", "--output")
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--small", action="store_true", help="tries the script on small bodies")
    options = parser.parse_args()
    page = ["| body | tets | | error | iterations | seconds |", "| --- | --- | --- | --- | --- | --- |"]
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        for of in bodies(os.path.abspath(options.program), folder, options.seconds, options.small):
            name = f"{of.name}, {of.order}" + (" with curved sides" if of.is_curved else "")
            for who, found in rows(os.path.abspath(options.program), folder, of, options.seconds):
                if isinstance(found, str):
                    page.append(f"| {name} | {len(of.tets):,} | {who} | {found} | | |")
                else:
                    page.append(f"| {name} | {len(of.tets):,} | {who} | {words(of.report(found[0], found[1]))} | {found[2]} | {found[3]:.1f} |")
                print(page[-1], flush=True)
                name = ""
        of = drawn_roller("quadratic", 1.6 if options.small else 0.8)
        said, iterations, spent = draw(os.path.abspath(options.program), folder, of, options.seconds)
        page.append(f"| {of.name}, {of.order} | {len(of.tets):,} | Edgewise | {said} | {iterations} | {spent:.1f} |")
        print(page[-1], flush=True)
    if options.output:
        put_table(options.output, "| body |", page)


if __name__ == "__main__":
    main()
