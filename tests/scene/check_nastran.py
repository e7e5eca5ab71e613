#!/usr/bin/python3
"""check_nastran.py PROGRAM SOURCE_DIR BUILD_DIR

A part as a keyword deck and as bulk data of Nastran, by `edgewise convert`: the cases are the same word for word, but
for their heads, and so are the meshes; and the case of the bulk data runs. What has no counterpart is listed with its
line, and what is wrong is refused with it.
"""
import os
import sys
import tempfile

import checks
import support
from checks import expect
from support import numpy

program, source = sys.argv[1], sys.argv[2]
SIDES = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
FACES = ((0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0))  # S1 to S4


class Bar:
    def __init__(self, folder, ten):
        path = os.path.join(folder, "box.mesh")
        checks.run(program, "shape", "box", "--size", "4,1,1", "--cells", "4,2,2", "-o", path)
        mesh = support.read_medit(path)
        self.points, self.tets = mesh.points, mesh.tets
        if ten:
            ends = numpy.sort(self.tets[:, SIDES].reshape(-1, 2), axis=1)
            unique, place = numpy.unique(ends, axis=0, return_inverse=True)
            self.tets = numpy.hstack((self.tets, place.reshape(-1, 6) + len(self.points)))
            self.points = numpy.vstack((self.points, self.points[unique].mean(axis=1)))
        self.kind = 10 if ten else 4

    def nodes(self, inside):
        return [int(v) + 1 for v in numpy.flatnonzero(inside(*self.points.T)) if self.kind == 4 or v in self.tets[:, :4]]

    def faces(self, inside):
        """Tet, number of the face, its corners outward, the corner opposite."""
        good = inside(*self.points.T)
        for e, tet in enumerate(self.tets):
            for f, face in enumerate(FACES):
                if good[tet[list(face)]].all():
                    yield e + 1, f + 1, [int(v) + 1 for v in tet[list(face)]], int(tet[6 - sum(face)]) + 1

    def abaqus(self):
        yield "*NODE, NSET=NALL"
        yield from ("%d, %r, %r, %r" % (v + 1, *map(float, x)) for v, x in enumerate(self.points))
        yield f"*ELEMENT, TYPE=C3D{self.kind}, ELSET=P7"
        yield from (", ".join(map(str, [e + 1, *(tet + 1)])) for e, tet in enumerate(self.tets))
        yield "*ELSET, ELSET=EALL, GENERATE\n1, %d" % len(self.tets)
        yield "*MATERIAL, NAME=M3\n*ELASTIC\n210000., .3\n*DENSITY\n7.85e-9\n*EXPANSION\n1.2e-5\n*SOLID SECTION, ELSET=P7, MATERIAL=M3"

    def nastran(self):
        yield from ("GRID,%d,,%r,%r,%r" % (v + 1, *map(float, x)) for v, x in enumerate(self.points))
        for e, tet in enumerate(self.tets):
            numbers = [str(v + 1) for v in tet]
            yield f"CTETRA,{e + 1},7," + ",".join(numbers[:6]) + ("" if len(numbers) == 4 else "\n+," + ",".join(numbers[6:]))
        yield "PSOLID,7,3\nMAT1,3,2.1+5,,.3,7.85-9,1.2-5,20."


def convert(folder, ending, text):
    path, out = os.path.join(folder, "part." + ending), os.path.join(folder, ending + ".yaml")
    checks.write(folder, "part." + ending, text)
    done = checks.execute(program, "convert", path, out)
    if done.returncode:
        return done, None, None
    with open(out) as file:
        case = [line.replace(ending + ".msh", "MESH") for line in file if not line.startswith("#")]
    with open(os.path.join(folder, ending + ".msh"), "rb") as file:
        return done, case, file.read()


def same(name, folder, bar, abaqus, control, nastran):
    ours = convert(folder, "inp", "\n".join(bar.abaqus()) + "\n" + abaqus)
    theirs = convert(folder, "bdf", control + "BEGIN BULK\n" + "\n".join(bar.nastran()) + "\n" + nastran + "ENDDATA\n")
    for done, case, _ in (ours, theirs):
        if not expect(case is not None, f"{name}: {done.stderr}"):
            return
    for a, b in zip(ours[1], theirs[1]):
        if not expect(a == b, f"{name}: {a!r} of the deck is {b!r} of the bulk data"):
            break
    expect(len(ours[1]) == len(theirs[1]), f"{name}: cases of {len(ours[1])} and {len(theirs[1])} lines")
    expect(ours[2] == theirs[2], f"{name}: the meshes differ")
    done = checks.execute(program, "run", os.path.join(folder, "bdf.yaml"), "-o", os.path.join(folder, "bdf.vtkhdf"))
    expect(done.returncode == 0 or "this build has no direct solver" in done.stderr, f"{name}: {done.stderr}")


def lines(format, rows):
    return "".join(format % row + "\n" for row in rows)


def check_loads(folder, ten):
    bar, kind = Bar(folder, ten), "ten" if ten else "four"
    wall, tip = bar.nodes(lambda x, y, z: x == 0), bar.nodes(lambda x, y, z: x == 4)
    end, top = list(bar.faces(lambda x, y, z: x == 4)), list(bar.faces(lambda x, y, z: z == 1))
    begin = "*STEP\n*STATIC\n*BOUNDARY, OP=NEW\n" + lines("%d, 1, 3", wall)
    supports = "SPC1,5,123," + ",".join(map(str, wall[:5])) + "\n+," + ",".join(map(str, wall[5:])) + "\n"
    fresh = "*CLOAD, OP=NEW\n*DLOAD, OP=NEW\n"
    same(f"forces, {kind}", folder, bar, begin + fresh + "*CLOAD\n" + lines("%d, 3, -2.5", tip) + lines("%d, 1, 5.", tip)
         + "*END STEP\n", "SPC = 5\nLOAD = 2\n", supports + lines("FORCE,2,%d,,2.5,2.,0.,-1.", tip))
    pressures = "*DLOAD\n" + lines("%d, P%d, 3.5", ((e, f) for e, f, _, _ in end)) + lines("%d, P%d, -2.", ((e, f) for e, f, _, _ in top))
    cards = (lines("PLOAD4,2,%d,3.5,,,,%d,%d", ((e, face[0], opposite) for e, _, face, opposite in end))
             + lines("PLOAD,2,2.,%d,%d,%d", (tuple(outward(bar, face, opposite)) for _, _, face, opposite in top)))
    same(f"pressures, {kind}", folder, bar, begin + fresh + pressures + "*END STEP\n", "SPC = 5\nLOAD = 2\n", supports + cards)
    mass = ("*DLOAD\nEALL, GRAV, 4905., 0., 0., -1.\nEALL, CENTRIF, %r, 0., 0., 0., 0., 1., 0.\n" % (2 * (2 * numpy.pi * 3) ** 2))
    same(f"weight and rotation, {kind}", folder, bar, begin + fresh + mass + "*END STEP\n", "SPC = 5\nLOAD = 9\n", supports
         + "GRAV,3,,9810.,0.,0.,-1.\nRFORCE,4,0,,3.,0.,1.,0.\nLOAD,9,2.,.25,3,1.,4\n")
    warm = "*TEMPERATURE, OP=NEW\n*TEMPERATURE\nNALL, 30.\n" + lines("%d, 60.", tip)
    same(f"temperatures, {kind}", folder, bar, "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nNALL, 20.\n" + begin + fresh + warm
         + "*END STEP\n", "SPC = 5\nTEMP(LOAD) = 6\n", supports + "TEMPD,6,30.\n" + lines("TEMP,6,%d,60.", tip))
    given = "*BOUNDARY\n" + lines("%d, 2, 2, 0.01", tip)
    same(f"two subcases, {kind}", folder, bar, begin + fresh + pressures + "*END STEP\n" + begin + given + fresh + "*END STEP\n",
         "SOL 101\nCEND\nSUBCASE 1\nSPC = 5\nLOAD = 2\nSUBCASE 2\nSPC = 8\n",
         supports + cards + lines("SPC,7,%d,2,.01", tip) + "SPCADD,8,5,7\n")
    rigid = "*NODE, NSET=NALL\n9000, 5., .3, .7\n*NSET, NSET=RBE%d\n" + lines("%d", tip) + "*RIGID BODY, NSET=RBE%d, REF NODE=9000\n"
    mean = ("*NODE, NSET=NALL\n9000, 5., .3, .7\n*ELEMENT, TYPE=DCOUP3D, ELSET=RBE6\n9000, 9000\n*DISTRIBUTING COUPLING, ELSET=RBE6\n"
            + "".join("%d, %g\n" % (node, 1 if i < 4 else 2) for i, node in enumerate(tip)))
    loads = "*CLOAD\n9000, 3, -2.5\n9000, 4, 3.\n9000, 6, 1.5\n*END STEP\n"
    grid, forces = "GRID,9000,,5.,.3,.7\n", "FORCE,2,9000,,2.5,0.,0.,-1.\nMOMENT,2,9000,,1.5,2.,0.,1.\n"
    members = ["%d" % node for node in tip]
    same(f"RBE2, {kind}", folder, bar, rigid % (5, 5) + begin + "9000, 2, 2, 0.\n9000, 5, 5, 0.\n" + fresh + loads,
         "SPC = 5\nLOAD = 2\n", supports + "SPC,5,9000,25\n" + grid + forces + wrapped(["RBE2", "5", "9000", "123456", *members]))
    same(f"RBE3, {kind}", folder, bar, mean + begin + fresh + loads, "SPC = 5\nLOAD = 2\n", supports + grid + forces
         + wrapped(["RBE3", "6", "", "9000", "123456", "1.", "123", *members[:4], "2.", "123", *members[4:]]))
    some = [4, 5, *tip[1:]]
    joined = lines("%d", some).join(rigid.split(lines("%d", tip)))
    same(f"RBE2 with a range, {kind}", folder, bar, joined % (5, 5) + begin + fresh + loads, "SPC = 5\nLOAD = 2\n", supports + grid + forces
         + wrapped(["RBE2", "5", "9000", "123456", "4", "THRU", "5", *members[1:], "ALPHA", "6.5-6"]))
    ranged = mean[:mean.index("%d, 1\n" % tip[0])] + "".join("%d, %d\n" % (node, 1 if i < 4 else 2) for i, node in enumerate(some))
    same(f"RBE3 with a range and ALPHA, {kind}", folder, bar, ranged + begin + fresh + loads, "SPC = 5\nLOAD = 2\n", supports + grid + forces
         + wrapped(["RBE3", "6", "", "9000", "123456", "1.", "123", "4", "THRU", "5", *members[1:3], "2.", "123", *members[3:],
                    "ALPHA", "6.5-6"]))
    same(f"modes, {kind}", folder, bar, "*STEP\n*FREQUENCY\n4\n*BOUNDARY, OP=NEW\n" + lines("%d, 1, 3", wall) + "*END STEP\n",
         "SOL 103\nCEND\nMETHOD = 4\nSPC = 5\n", supports + "EIGRL,4,,,4\n")


def wrapped(fields):
    """A card in as many lines as it takes."""
    return ",".join(fields[:9]) + "".join("\n+," + ",".join(fields[i:i + 8]) for i in range(9, len(fields), 8)) + "\n"


def outward(bar, face, opposite):
    """Corners whose normal by the right hand leads out of the body, so that the pressure pulls."""
    a, b, c, d = (bar.points[v - 1] for v in (*face, opposite))
    return face if numpy.cross(b - a, c - a) @ (d - a) < 0 else face[::-1]


def refuse(folder, name, text, words):
    done, _, _ = convert(folder, "bdf", text)
    expect(done.returncode == 2 and all(word in done.stderr for word in words), f"{name}: {done.returncode}, {done.stderr}")


def check_refusals(folder):
    bar = Bar(folder, False)
    plain = "BEGIN BULK\n" + "\n".join(bar.nastran()) + "\nSPC1,1,123,1,2,3\n"
    for name, card, words in (
            ("a node in another system", "GRID,900,4,0.,0.,0.", ("GRID", "coordinate system 4")),
            ("a tet without a corner", "CTETRA,9000,7,1,2,3,999", ("CTETRA", "GRID 999")),
            ("a force on no node", "FORCE,2,999,,1.,0.,0.,1.", ("FORCE", "no GRID 999")),
            ("a number that is none", "FORCE,2,1,,1.x,0.,0.,1.", ("a force",)),
            ("components that are none", "SPC,1,1,789", ("789",)),
            ("bricks", "CHEXA,900,7,1,2,3,4,5,6\n+,7,8", ("CHEXA", "tets")),
            ("a corner of another tet", "PLOAD4,2,1,1.,,,,1,40", ("PLOAD4", "no corner"))):
        refuse(folder, name, plain + card + "\nENDDATA\n", ("part.bdf:%d:" % (plain.count("\n") + 1), *words))
    done, _, _ = convert(folder, "bdf", plain + "MOMENT,2,1,,1.,0.,0.,1.\nRBE2,9,1,1,2\nRBAR,10,1,3\nRBAR,11,1,3\nPLOAD4,2,1,1.,2.\nENDDATA\n")
    at = plain.count("\n")
    for line in ("line %d: MOMENT: left out: nodes of tets take no moment" % (at + 1), "line %d: RBE2: left out: it ties components 1 alone" % (at + 2),
                 "line %d: RBAR: left out, as all of its kind" % (at + 3),
                 "line %d: PLOAD4: left out: its pressure differs" % (at + 5)):
        expect(line in done.stdout, f"{line!r} is not in {done.stdout!r}, {done.stderr!r}")
    expect("line %d: RBAR" % (at + 4) not in done.stdout, "a kind is told once")


def check_no_density(folder):
    bar = Bar(folder, False)
    wall, tip = bar.nodes(lambda x, y, z: x == 0), bar.nodes(lambda x, y, z: x == 4)
    text = "BEGIN BULK\n" + "\n".join(bar.nastran()).replace("7.85-9", "") + "\n"
    done, case, _ = convert(folder, "bdf", text + lines("SPC,5,%d,123", wall) + lines("FORCE,2,%d,,1.,0.,0.,1.", tip) + "ENDDATA\n")
    if expect(done.returncode == 0 and not any("density" in line for line in case), f"no density: {done.stderr}, {case}"):
        done = checks.execute(program, "run", os.path.join(folder, "bdf.yaml"), "-o", os.path.join(folder, "bdf.vtkhdf"))
        expect(done.returncode == 0, f"no density: {done.stderr}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for ten in (False, True):
            check_loads(folder, ten)
        check_refusals(folder)
        check_no_density(folder)
    return checks.finish("check_nastran")


sys.exit(main())
