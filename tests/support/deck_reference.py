"""Decks of CalculiX for check_decks.py and check_deck_runs.py: a bar as lines of a deck, what ccx finds, what the
case finds that `edgewise convert` makes of it, and whether both are the same."""
import os
import shutil
import subprocess
import sys
import tempfile

import checks
import support
from support import expect, numpy

program = os.path.abspath(sys.argv[1])
DIGITS = 5.001e-7  # half a unit of CalculiX's last digit
EDGES = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))  # the middles of C3D10, in its order

STEEL = "*MATERIAL, NAME=steel\n*ELASTIC\n210000., 0.3\n*DENSITY\n7.85e-9\n*EXPANSION\n1.2e-5\n"
WOOD = ("*MATERIAL, NAME=Wood\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n"
        "11000., 900., 500., .37, .42, .43, 800., 700.,\n60.\n*DENSITY\n4.5e-10\n"
        "*EXPANSION, TYPE=ORTHO\n3e-6, 2e-5, 4e-5\n")


class Part:
    """A bar along x of 4 x 1 x 1, whose nodes are numbered by threes from 1000 down, in two halves."""

    def __init__(self, folder, cells, ten=False):
        path = os.path.join(folder, "box.mesh")
        checks.run(program, "shape", "box", "--size", "4,1,1", "--cells", cells, "-o", path)
        mesh = support.read_medit(path)
        self.points, self.tets, self.ten = mesh.points, mesh.tets, ten
        self.corners = len(self.points)
        if ten:
            ends = numpy.sort(self.tets[:, EDGES].reshape(-1, 2), axis=1)
            unique, place = numpy.unique(ends, axis=0, return_inverse=True)
            self.tets = numpy.hstack((self.tets, place.reshape(-1, 6) + self.corners))
            self.points = numpy.vstack((self.points, self.points[unique].mean(axis=1)))
        self.number = 3 * (len(self.points) - numpy.arange(len(self.points))) + 1000

    def nodes(self, inside):
        return self.number[inside(*self.points.T)]

    def elements(self, inside):
        return numpy.flatnonzero(inside(*self.points[self.tets[:, :4]].mean(axis=1).T)) + 1

    def faces(self, inside):
        """Elements and numbers of faces, all corners of which are inside."""
        good = inside(*self.points.T)[self.tets[:, :4]]
        return [(e + 1, f + 1) for f, corners in enumerate(((0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0)))
                for e in numpy.flatnonzero(good[:, corners].all(axis=1))]

    def text(self):
        yield "*HEADING\n a bar\n*NODE, NSET=Nall"
        for number, point in zip(self.number, self.points):
            yield "%d, %.15g, %.15g, %.15g" % (number, *point)
        halves = [numpy.flatnonzero(self.points[self.tets[:, :4]].mean(axis=1)[:, 0] < 2)]
        halves.append(numpy.setdiff1d(numpy.arange(len(self.tets)), halves[0]))
        for name, half in zip(("left", "right"), halves):
            yield f"*ELEMENT, TYPE=C3D{10 if self.ten else 4}, ELSET={name}"
            for e in half:
                yield ", ".join(map(str, (e + 1, *self.number[self.tets[e]])))
        yield "*ELSET, ELSET=Eall\nLEFT, right"
        yield nset("wall", self.nodes(lambda x, y, z: x == 0))
        yield nset("tip", self.nodes(lambda x, y, z: x == 4))
        yield "*SURFACE, NAME=top"
        yield from ("%d, S%d" % face for face in self.faces(lambda x, y, z: z == 1))


def listed(numbers):
    return ",\n".join(", ".join(map(str, numbers[i:i + 12])) for i in range(0, len(numbers), 12))


def nset(name, numbers):
    return f"*NSET, NSET={name}\n" + listed(list(numbers))


SECTIONS = STEEL + "*SOLID SECTION, ELSET=Eall, MATERIAL=STEEL\n"
PRINT = "*NODE PRINT, NSET=Nall, GLOBAL=YES, FREQUENCY=1000\nU\n*END STEP\n"


def ccx(folder, deck, name):
    done = subprocess.run(["ccx", deck], cwd=folder, capture_output=True, text=True,
                          timeout=300, env=dict(os.environ, OMP_NUM_THREADS="1"))
    return expect(done.returncode == 0 and "*ERROR" not in done.stdout, f"{name}: ccx failed\n{done.stdout[-1500:]}")


def tables(path, numbers, what="displacements"):
    """Of each step [n][3], by the order of the numbers; what: displacements, forces."""
    place = {number: i for i, number in enumerate(numbers)}
    steps, is_open = [], False
    with open(path) as file:
        for line in file:
            words = line.split()
            if len(words) == 4 and is_open and words[0].isdigit():
                if int(words[0]) in place:
                    steps[-1][place[int(words[0])]] = [float(w) for w in words[1:]]
            elif words:
                is_open = words[0] == what
                if is_open:
                    steps.append(numpy.full((len(numbers), 3), numpy.nan))
    return steps


def convert(folder, text, *, status=0):
    checks.write(folder, "deck.inp", text)
    done = checks.execute(program, "convert", "deck.inp", "case.yaml", folder=folder)
    return done if expect(done.returncode == status,
                          f"convert: exit status {done.returncode}\n{done.stderr}") else None


def solve_here(name, folder, text, notes):
    """Frames of the case that the deck becomes; notes: what is listed, None: nothing."""
    told = convert(folder, text)
    if told is None:
        return None
    for note in notes or ():
        expect(note in told.stdout, f"{name}: '{note}' among what is left out:\n{told.stdout}")
    if not notes:
        expect(("line " if notes is None else "left out") not in told.stdout, f"{name}: nothing is listed:\n{told.stdout}")
    path = os.path.join(folder, "case.yaml")
    with open(path) as file:
        case = file.read()
    with open(path, "w") as file:  # both to the last digit
        file.write(case.replace("static: {}", "static: {tolerance: 1e-10}"))
    done = checks.run(program, "run", "case.yaml", "-o", "ours", "--quiet", "--device", "host", folder=folder)
    return None if done is None else support.read_frames(os.path.join(folder, "ours.vtkhdf"))


def in_order(part, frame, what, by_place):
    """A field by corners of the part, in its order."""
    at, field = frame["PointData/vertex_id"], frame["PointData/" + what]
    if by_place:
        away = numpy.abs(frame["Points"][at >= 0][:, None] - part.points[None, :part.corners]).max(axis=2)
        expect((away.min(axis=0) < 1e-9).all(), "every corner of the deck is a vertex")
        return field[at >= 0][away.argmin(axis=0)]
    here, known = numpy.zeros((part.corners, 3)), (at >= 0) & (at < part.corners)  # others are of bolts that are cut through
    here[at[known]] = field[known]
    return here


def compare(name, what, here, there, tolerance):
    scale = numpy.abs(there).max()
    worst = (numpy.abs(here - there) - tolerance * numpy.abs(there)).max()
    off = numpy.abs(here - there).max() / scale
    return expect(scale > 0 and worst <= max(2e-9, tolerance * 0.1) * scale,
                  f"{name}: {what} differ by {off:.2e} of the largest, {scale:.4g}") and off


def same(name, part, text, *, steps=1, pick=None, tolerance=DIGITS, notes=(), here=None, head=None, reactions=None):
    """The deck solved by both; pick: frames of ours for the steps there; here: another deck for ours; head: in place
    of the part's lines; reactions: numbers of nodes without loads at which they are compared, too."""
    head = "\n".join(part.text()) + "\n" if head is None else head
    with tempfile.TemporaryDirectory() as folder:
        frames = solve_here(name, folder, head + text if here is None else here, notes)
        if frames is None or not shutil.which("ccx"):
            return
        checks.write(folder, "deck.inp", head + text)
        if not ccx(folder, "deck", name):
            return
        data = os.path.join(folder, "deck.dat")
        there, forces = tables(data, part.number), tables(data, part.number, "forces")
        if not expect(len(there) >= steps, f"{name}: {len(there)} steps in CalculiX's output"):
            return
        told = []
        for step in range(steps):
            frame = frames[pick[step] if pick else step]
            told.append(compare(f"{name}, step {step + 1}", "displacements", in_order(part, frame, "displacement", here is not None),
                                there[step][:part.corners], tolerance))
            if reactions is not None:
                at = numpy.isin(part.number[:part.corners], reactions)
                told.append(compare(f"{name}, step {step + 1}", "reactions", in_order(part, frame, "reaction", here is not None)[at],
                                    forces[step][:part.corners][at], tolerance))
        print(f"  {name}: differences " + ", ".join(f"{off:.1e}" for off in told) + " of the largest")
