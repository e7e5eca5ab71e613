#!/usr/bin/python3
"""check_decks.py PROGRAM SOURCE_DIR BUILD_DIR

Whole decks become cases by `edgewise convert DECK.inp CASE.yaml`, and CalculiX and the case give the
same displacements, to the 7 digits that CalculiX prints: supports, forces, pressures by element, set
and surface, gravity, turning, temperatures, local axes, materials of all kinds, amplitudes, steps
that go on from one another, tets of four and ten nodes, motion in time. Exit status 77 without ccx,
after what needs none; see check_deck_cards.py for what is refused.
"""
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile

import checks
import support
from deck_reference import DIGITS, PRINT, SECTIONS, STEEL, WOOD, Part, ccx, convert, program, same, tables
from support import expect, numpy

source = sys.argv[2]


def check_static(folder, ten):
    part = Part(folder, "4,2,2" if ten else "8,2,2", ten)
    end = part.faces(lambda x, y, z: x == 4)
    ending = "ten nodes" if ten else "four nodes"
    same(f"supports, pressures, gravity, {ending}", part, SECTIONS
         + "*BOUNDARY\nWall, 1, 3\n*STEP\n*STATIC\n*DLOAD\n"
         + "".join("%d, P%d, 3.5\n" % face for face in end)
         + "EALL, GRAV, 9810., 0., 0., -1.\n*DSLOAD\ntop, P, 0.25\n"
         + ("" if ten else "*CLOAD\ntip, 3, -10.\n1003, 1, 2.\n") + PRINT
         # at the centroid of each tet, CalculiX; here it is small beside what is prescribed
         + "*STEP\n*STATIC\n*DLOAD, OP=NEW\nEall, CENTRIF, 1e6, 1., 0., 0., 0., 1., 0.\n"
         + ("" if ten else "*CLOAD\nTIP, 3, 5.\n") + "*BOUNDARY\ntip, 2, 2, 0.01\n" + PRINT, steps=2,
         tolerance=1e-4 if ten else DIGITS * 10)
    same(f"pressure inside, {ending}", part, SECTIONS + "*BOUNDARY\nWall, 1, 3\n*AMPLITUDE, NAME=half\n0., 0.5, 2., 0.5\n"
         + "*STEP\n*STATIC\n*DLOAD\nleft, P2, 3.5\n*DLOAD, AMPLITUDE=half\n5, P4, 2.\n" + PRINT)
    same(f"a surface inside, {ending}", part, SECTIONS + "*BOUNDARY\nWall, 1, 3\n*SURFACE, NAME=two\n"
         + "%d, S%d\n1, S1\n1, S2\n1, S3\n1, S4\n" % end[0]
         + "*STEP\n*STATIC\n*DSLOAD\ntwo, P, 3.5\n" + PRINT, notes=["lie inside the body; left out"], steps=0)
    same(f"heat, {ending}", part, SECTIONS + "*BOUNDARY\nwall, 1, 3\n*INITIAL CONDITIONS, TYPE=TEMPERATURE\n"
         "Nall, 20.\n*STEP\n*STATIC\n*TEMPERATURE\nNall, 60.\n" + PRINT
         + "*STEP\n*STATIC\n*TEMPERATURE\ntip, 30.\n" + PRINT
         + "*STEP\n*STATIC\n*TEMPERATURE\n"  # many, and not linear along sides
         + "".join("%d, %.9g\n" % (n, 20 + 5 * x * x + 9 * y * z) for n, (x, y, z) in zip(part.number, part.points))
         + PRINT, steps=3)


def check_axes(folder):
    part = Part(folder, "8,2,2")
    same("local axes, amplitudes", part, SECTIONS
         + "*TRANSFORM, NSET=wall, TYPE=R\n1., 1., 0., -1., 1., 0.\n"
         "*TRANSFORM, NSET=tip, TYPE=C\n0., 2., -1., 1., 2., -1.\n"
         "*AMPLITUDE, NAME=Ramp\n0., 0., 0.5, 4., 2., 1.,\n3., 7.\n"
         "*BOUNDARY\nwall, 1, 3\n*STEP\n*STATIC\n*CLOAD, AMPLITUDE=ramp\ntip, 2, 7.\n"
         "*BOUNDARY, AMPLITUDE=RAMP\ntip, 3, 3, 0.001\n" + PRINT)
    same("wood and steel", part, STEEL + WOOD
         + "*ORIENTATION, NAME=o, SYSTEM=RECTANGULAR\n1., 1., 0., -1., 1., 0.\n"
         "*SOLID SECTION, ELSET=left, MATERIAL=steel\n"
         "*SOLID SECTION, ELSET=right, MATERIAL=wood, ORIENTATION=O\n"
         "*BOUNDARY\nwall, 1, 3\n*STEP\n*STATIC\n*CLOAD\ntip, 3, -.1\n*DLOAD\nEall, GRAV, 9810., 0., 0., -1.\n"
         + PRINT)
    ortho = "1200., 300., 1100., 250., 240., 900., 310., 290.,\n270.\n"
    whole = ("1200., 300., 1100., 250., 240., 900., 10., 20.,\n30., 310., 5., 6., 7., 8., 290., 9.,\n"
             "11., 12., 13., 14., 270.\n")
    for kind, constants in (("ORTHO", ortho), ("ANISO", whole)):
        same(f"TYPE={kind}", part, f"*MATERIAL, NAME=m\n*ELASTIC, TYPE={kind}\n{constants}"
             "*SOLID SECTION, ELSET=Eall, MATERIAL=m\n*BOUNDARY\nwall, 1, 3\n*STEP\n*STATIC\n*CLOAD\n"
             "tip, 3, -.1\ntip, 1, .2\n" + PRINT)


def check_nodes(folder):
    """Forces in the middle of sides, and so many different ones that they are listed by node."""
    for ten in (False, True):
        part = Part(folder, "4,2,2" if ten else "8,4,4", ten)
        same(f"a force of its own on each node, {'ten' if ten else 'four'} nodes", part, SECTIONS
             + "*TRANSFORM, NSET=tip, TYPE=C\n0., 2., -1., 1., 2., -1.\n"
             + "*AMPLITUDE, NAME=A\n0., 0., 1., 3.\n*BOUNDARY\nwall, 1, 3\n*STEP\n*STATIC\n*CLOAD\n"
             + "".join("%d, %d, %g\n" % (n, k % 3 + 1, 1 + 0.1 * k)
                       for k, n in enumerate(part.nodes(lambda x, y, z: (x == 4) | (z == 1))) if k % 7)
             + "*CLOAD, AMPLITUDE=A\n"
             + "".join("%d, 2, 0.5\n" % n for n in part.nodes(lambda x, y, z: (y == 0) & (x < 4) & (z < 1))[::3]) + PRINT,
             tolerance=DIGITS * 10)
        convert(folder, "\n".join(part.text()) + "\n" + SECTIONS + "*BOUNDARY\nwall, 1, 3\n*STEP\n*STATIC\n*CLOAD\n"
                + "".join("%d, 1, %d.\n" % (n, k + 1) for k, n in enumerate(part.nodes(lambda x, y, z: z == 1))) + PRINT)
        with open(os.path.join(folder, "case.yaml")) as file:
            text = file.read()
            expect("nodes: [" in text and "at: [" not in text, "nodes of a deck stay numbers")
    corners = part.nodes(lambda x, y, z: x == 0)[:(part.points[:part.corners, 0] == 0).sum()]
    same("supports at corners alone", part, SECTIONS + "*BOUNDARY\n" + "".join("%d, 1, 3\n" % n for n in corners)
         + "*STEP\n*STATIC\n*DSLOAD\ntop, P, 1.\n" + PRINT, tolerance=DIGITS * 10)
    text = SECTIONS + "*BOUNDARY\nwall, 1, 3\n%d, 1, 1\n*STEP\n*STATIC\n*CLOAD\ntip, 3, -1.\n" % (
        part.nodes(lambda x, y, z: (x > 0) & (x < 1))[0]) + PRINT
    done = convert(folder, "\n".join(part.text()) + "\n" + text)
    expect(done and "*STEP: 1 nodes in the middle of sides are supported otherwise" in done.stdout,
           f"a support in the middle of a side is told: {done and done.stdout}")


def check_sums(folder):
    """What a step gives twice adds up, across cards and kinds; what steps before gave is replaced, and dropped by OP=NEW."""
    part = Part(folder, "4,2,2")
    (e, f), (e2, f2) = part.faces(lambda x, y, z: x == 4)[:2]
    heavy = STEEL.replace("7.85e-9", "7.85e-4") + "*SOLID SECTION, ELSET=Eall, MATERIAL=STEEL\n"
    same("loads given twice", part, heavy + "*BOUNDARY\nwall, 1, 3\n*STEP\n*STATIC\n*CLOAD\ntip, 3, -1.\n1003, 3, .5\n"
         f"1003, 3, .25\n*CLOAD\n1003, 1, 2.\n1003, 3, .125\n*DLOAD\n{e}, P{f}, 3.\n{e}, P{f}, 2.\n{e2}, P{f2}, 1.\n"
         "left, GRAV, 9.81, 0., 0., -2.\nright, GRAV, 9.81, 0., 0., -2.\nEall, GRAV, 2., 1., 0., 0.\n"
         "*DLOAD\nEall, GRAV, 3., 2., 0., 0.\n*DSLOAD\ntop, P, 0.25\ntop, P, 0.5\n" + PRINT
         + "*STEP\n*STATIC\n*CLOAD\n1003, 3, 4.\n*DLOAD\nEall, GRAV, 1., 1., 0., 0.\n*DSLOAD\ntop, P, 1.\n" + PRINT
         + "*STEP\n*STATIC\n*CLOAD, OP=NEW\n1003, 3, 2.\n1003, 2, 2.\n1003, 3, 2.\n*DLOAD, OP=NEW\n"
         f"{e}, P{f}, 1.\n{e}, P{f}, 2.\n" + PRINT, steps=3, tolerance=DIGITS * 10)
    same("gravity on a part", part, heavy + "*BOUNDARY\nwall, 1, 3\n*STEP\n*STATIC\n*DLOAD\nleft, GRAV, 0., 0., 0., -1.\n"
         f"{e}, P{f}, 3.\n" + PRINT)
    for load, noted, kept in (("left, GRAV, 9.81, 0., 0., -1.\nEall, GRAV, 9.81, 0., 0., -1.", 1, 1),
                              ("1, GRAV, 9.81, 0., 0., -1.\nEall, GRAV, 9.81, 0., 0., -1.", 1, 1),
                              ("Eall, GRAV, 9.81, 0., 0., -1.\nleft, GRAV, 9.81, 0., 0., -1.", 1, 1),
                              ("left, GRAV, 9.81, 0., 0., -1.\n1, GRAV, 9.81, 0., 0., -1.", 2, 0),
                              ("1, GRAV, 9.81, 0., 0., -1.\n2, GRAV, 9.81, 0., 0., -1.", 2, 0)):
        told = convert(folder, "\n".join(part.text()) + "\n" + heavy + f"*BOUNDARY\nwall, 1, 3\n*STEP\n*STATIC\n*DLOAD\n{load}\n*END STEP\n")
        with open(os.path.join(folder, "case.yaml")) as file:
            found = file.read().count("gravity")
        expect(told and told.stdout.count("acts on a part of the body") == noted and found == kept,
               f"{load}: {found} loads\n{told and told.stdout}")
    told = convert(folder, "\n".join(part.text()) + "\n" + heavy + "*BOUNDARY\nwall, 1, 3\n*STEP\n*STATIC\n*DLOAD\n"
                   "left, GRAV, 1., 0., 0., -1.\nEall, GRAV, 1., 0., 0., -1.\nright, GRAV, 2., 0., 0., -1.\n"
                   "Eall, CENTRIF, 1., 0., 0., 0., 0., 0., 1.\nEall, CENTRIF, 2., 0., 0., 0., 0., 1., 0.\n*END STEP\n")
    expect(told and told.stdout.count("acts on a part of the body") == 2 and "turns about another axis" in told.stdout,
           f"gravity on a part and a second axis are told:\n{told and told.stdout}")


def check_replaced(folder):
    """What a step gives a face, by *DLOAD or *DSLOAD, is in the place of all that steps before gave it, by
    either; OP=NEW is heard once a step, on the first card of its kind."""
    part = Part(folder, "4,2,2")
    (e, f), (e2, f2) = part.faces(lambda x, y, z: z == 1)[:2]
    near = "*SURFACE, NAME=near\n" + "".join("%d, S%d\n" % face for face in part.faces(lambda x, y, z: z == 1)[:9])
    head = near + SECTIONS + "*BOUNDARY\nwall, 1, 3\n*AMPLITUDE, NAME=ramp\n0., 0., 1., 0.5, 9., 4.5\n"
    step = "*STEP\n*STATIC\n"
    first = step + f"*DSLOAD\ntop, P, 1.\n*DLOAD\n{e}, P{f}, 3.\n*CLOAD\ntip, 3, .5\n" + PRINT
    for name, cards in (
            ("a face of a surface again", (f"*DLOAD\n{e}, P{f}, 2.\n", f"*DSLOAD\ntop, P, .5\n*DLOAD\n{e2}, P{f2}, 1.\n",
                                           f"*DLOAD, OP=NEW\n{e2}, P{f2}, 1.\n")),
            ("a surface again", ("*DSLOAD\ntop, P, 0.5\n", "*DSLOAD\nnear, P, 2.\n", "*DSLOAD, OP=NEW\nnear, P, 2.\n")),
            ("surfaces that share faces", ("*DSLOAD\nnear, P, 0.5\n", "*DSLOAD\ntop, P, 2.\nnear, P, 1.\n",
                                           "*DLOAD\n%d, P%d, 0.\n" % (e, f))),
            ("amplitudes", (f"*DLOAD, AMPLITUDE=ramp\n{e}, P{f}, 2.\n", "*DSLOAD, AMPLITUDE=ramp\ntop, P, .5\n",
                            f"*DLOAD\n{e2}, P{f2}, 1.\n")),
            ("OP=NEW second", (f"*DLOAD\n{e2}, P{f2}, 2.\n*DLOAD, OP=NEW\n{e2}, P{f2}, 1.\n",
                               "*CLOAD\n1003, 3, 2.\n*CLOAD, OP=NEW\n1003, 2, 1.\n",
                               f"*DSLOAD, OP=NEW\ntop, P, 2.\n*DLOAD, OP=NEW\n{e2}, P{f2}, 1.\n")),
            ("OP=NEW of supports", ("*BOUNDARY\ntip, 2, 2, .01\n", "*BOUNDARY\ntip, 1, 1, .01\n*BOUNDARY, OP=NEW\nwall, 1, 3\n",
                                    "*BOUNDARY, OP=NEW\nwall, 1, 3\n*BOUNDARY, OP=NEW\ntip, 1, 1, .02\n"))):
        same(name, part, head + first + "".join(step + card + PRINT for card in cards), steps=1 + len(cards), tolerance=DIGITS * 10)


def random_deck(part, draw):
    """Two materials, one to three steps of loads and supports of all kinds, some given twice."""
    faces = part.faces(lambda x, y, z: z == 1) + part.faces(lambda x, y, z: x == 4)
    yield "*MATERIAL, NAME=a\n*ELASTIC\n%g, %g" % (draw.uniform(50, 300), draw.uniform(0, .45))
    yield "*DENSITY\n%g\n*EXPANSION\n%g" % (draw.uniform(.1, 5), draw.uniform(1e-5, 1e-3))
    yield WOOD + "*SOLID SECTION, ELSET=left, MATERIAL=A\n*SOLID SECTION, ELSET=right, MATERIAL=wood"
    yield "*SURFACE, NAME=some\n" + "\n".join("%d, S%d" % face for face in faces[::3])
    yield "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nNall, 20.\n*BOUNDARY\nwall, 1, 3"
    for _ in range(draw.integers(1, 4)):
        new = lambda: draw.choice(["", ", OP=NEW"])
        yield "*STEP\n*STATIC"
        if draw.random() < .7:
            yield f"*CLOAD{new()}"
            yield from ("%d, %d, %g" % (draw.choice(part.number), draw.integers(1, 4), draw.uniform(-1, 1)) for _ in range(4))
            yield "tip, 2, %g" % draw.uniform(-.1, .1)
        if draw.random() < .7:
            yield f"*DLOAD{new()}"
            yield from ("%d, P%d, %g" % (*faces[draw.integers(len(faces))], draw.uniform(-1, 1)) for _ in range(5))
            yield from ("Eall, GRAV, %g, 0.6, 0., -0.8" % draw.uniform(0, .1) for _ in range(draw.integers(3)))
        if draw.random() < .6:
            yield f"*DSLOAD{new()}"
            yield from ("%s, P, %g" % (draw.choice(["some", "top"]), draw.uniform(-1, 1)) for _ in range(draw.integers(1, 3)))
        if draw.random() < .4:
            yield "*TEMPERATURE\nNall, %g" % draw.uniform(0, 100)
        if draw.random() < .4:
            yield "*BOUNDARY\ntip, %d, 3, %g" % (draw.integers(1, 4), draw.uniform(-.01, .01))
        yield PRINT[:-1]


def check_random(folder):
    for seed in range(10):
        part = Part(folder, "4,2,1", seed % 2 == 1)
        text = "\n".join(random_deck(part, numpy.random.default_rng(seed))) + "\n"
        same(f"random deck {seed}", part, text, steps=text.count("*STEP"), tolerance=DIGITS * 10)


def check_written(folder):
    """A mesh that is read and written again, with its sets: CalculiX finds the same by it."""
    for ten in (False, True):
        part, found = Part(folder, "4,2,2" if ten else "8,4,4", ten), []
        checks.write(folder, "read.inp", "\n".join(part.text()) + "\n")
        checks.run(program, "convert", "read.inp", "written.inp", folder=folder)
        cards = (SECTIONS + "*BOUNDARY\nwall, 1, 3\n*STEP\n*STATIC\n*DSLOAD\nTop, P, 0.25\n*DLOAD\nright, GRAV, 9810., 0., -1., 0.\n"
                 + PRINT)
        for name, numbers in (("read", part.number), ("written", numpy.arange(part.corners) + 1)):
            checks.write(folder, name + "-deck.inp", f"*INCLUDE, INPUT={name}.inp\n" + cards)
            if not shutil.which("ccx") or not ccx(folder, name + "-deck", name):
                return
            there = tables(os.path.join(folder, name + "-deck.dat"), list(numbers[:part.corners]))
            found.append(there[0] if there else numpy.zeros((part.corners, 3)))
        off = numpy.abs(found[0] - found[1]).max() / numpy.abs(found[0]).max()
        expect(off < 2e-6, f"a written mesh of {10 if ten else 4} nodes: CalculiX's displacements differ by {off:.1e}")


def check_plastic(folder):
    part = Part(folder, "4,1,1")
    same("plastic", part, "*MATERIAL, NAME=m\n*ELASTIC\n1000., 0.3\n*PLASTIC\n1., 0.\n1.5, 0.05\n"
         "*SOLID SECTION, ELSET=Eall, MATERIAL=m\n*BOUNDARY\nwall, 1, 1\nwall, 2, 2\nwall, 3, 3\n"
         "*STEP\n*STATIC\n0.1, 1., 1e-5, 0.1\n*DLOAD\n"
         + "".join("%d, P%d, -1.2\n" % face for face in part.faces(lambda x, y, z: x == 4)) + PRINT,
         tolerance=2e-3)


def check_motion(folder):
    """Its mass is integrated at one point of C3D4, at four of C3D10, which is nearer to the true one."""
    part = Part(folder, "3,1,1", True)
    same("motion", part, SECTIONS + "*AMPLITUDE, NAME=a\n0., 0., 1e-5, 1., 2e-5, 0.5, 1., 0.5\n"
         "*BOUNDARY\nwall, 1, 3\n*STEP, INC=1000\n*DYNAMIC, DIRECT, ALPHA=0.\n1e-6, 3e-5\n"
         "*DLOAD, AMPLITUDE=A\n"
         + "".join("%d, P%d, 3.\n" % face for face in part.faces(lambda x, y, z: z == 1))
         + PRINT, pick=[-1], tolerance=2e-2)


def frequencies(folder):
    part = Part(folder, "4,2,2", True)
    text = ("\n".join(part.text()) + "\n" + SECTIONS + "*BOUNDARY\nwall, 1, 3\n*STEP\n*FREQUENCY\n4\n*END STEP\n"
            "*STEP\n*BUCKLE\n2\n*CLOAD\n"
            + "".join("%d, 1, -1.\n" % n for n in part.nodes(lambda x, y, z: x == 4)
                      if n > part.number[part.corners - 1] - 1) + "*END STEP\n")
    convert(folder, text)
    if "no direct solver" in support.execute(program, "run", "case.yaml", "-o", "probe", folder=folder).stderr:
        print("  modes and buckling: this build has no direct solver")
        return
    done = checks.run(program, "run", "case.yaml", "-o", "ours", folder=folder)
    if done is None or not shutil.which("ccx"):
        return
    subprocess.run(["ccx", "deck"], cwd=folder, capture_output=True, text=True, timeout=300)
    there = []
    with open(os.path.join(folder, "deck.dat")) as file:
        for line in file:
            words = line.split()
            if len(words) in (2, 5) and words[0].isdigit():
                there.append(float(words[3] if len(words) == 5 else words[1]))
    return done, there


def check_modes(folder):
    found = frequencies(folder)
    if not found:
        return
    told, there = found
    here = [float(x) for x in re.findall(r"^ +\d+ +(?:load factor)? *([0-9.e+-]+)", told, re.M)]
    if not expect(len(here) == len(there) == 6, f"modes and factors {here}, CalculiX's {there}"):
        return
    for i, (one, other) in enumerate(zip(here, there)):  # the mass of C3D10 is not integrated exactly there
        expect(abs(one - other) < (1e-3 if i < 4 else 1e-6) * other,
               f"mode or factor {i + 1}: {one}, CalculiX {other}")
    print("  modes and buckling: " + ", ".join(f"{a / b - 1:.1e}" for a, b in zip(here, there)))


def check_shipped(folder):
    """datasets/bracket.inp: a card that is left out, two steps, CalculiX's displacements."""
    with open(os.path.join(source, "datasets", "bracket.inp")) as file:
        text = file.read()
    told = convert(folder, text)
    line = text[:text.index("*CONTROLS")].count("\n") + 1
    expect(told and re.findall(r"^line .*", told.stdout, re.M) == [f"line {line}: *CONTROLS: left out"],
           f"what is left out of bracket.inp: {told and told.stdout}")
    checks.run(program, "run", "case.yaml", "-o", "shipped", "--quiet", "--device", "host", folder=folder)
    checks.write(folder, "shipped.inp", text.replace("*NODE FILE", "*NODE PRINT, NSET=all"))
    if not shutil.which("ccx") or not ccx(folder, "shipped", "bracket.inp"):
        return
    frames = support.read_frames(os.path.join(folder, "shipped.vtkhdf"))
    numbers = [10 * (i + 1) for i in range(len(frames[0]["Points"]))]
    there = tables(os.path.join(folder, "shipped.dat"), numbers)
    for step, frame in enumerate(frames):
        here = support.by_id(frame, "displacement", len(numbers))
        off = numpy.abs(here - there[step]).max() / numpy.abs(here).max()
        expect(off < 1e-6, f"bracket.inp, step {step + 1}: displacements differ by {off:.1e}")


def check_examples(folder):
    """Those of CalculiX, where Debian's calculix-ccx-test is installed: each in a case or in one line, and
    what it finds for the beam of ten-node tets, with supports at two corners alone."""
    examples = "/usr/share/doc/calculix-ccx-test/examples/test"
    names = sorted(name for name in os.listdir(examples) if ".inp" in name) if os.path.isdir(examples) else []
    if not names:
        print("  CalculiX's examples are not installed")
        return

    def read(name):
        for path in (os.path.join(examples, name + ending) for ending in ("", ".gz")):
            if os.path.exists(path):
                with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
                    return file.read().decode(errors="replace")

    for name in names[::12] + ["beam10p.inp"]:
        checks.write(folder, "example.inp", read(name.removesuffix(".gz")))
        done = checks.execute(program, "convert", "example.inp", "example.yaml", folder=folder)
        expect(done.returncode == 0 or (done.returncode == 2 and done.stderr.count("\n") == 1),
               f"{name}: status {done.returncode}: {done.stderr[-300:]}")
    checks.run(program, "run", "example.yaml", "-o", "example", "--quiet", "--device", "host", folder=folder)
    nodes = re.search(r"\*NODE.*\n([^*]*)", read("beam10p.inp")).group(1).split("\n")
    nodes = numpy.array([[float(word.strip() or 0) for word in (line + ",,,").split(",")[:4]] for line in nodes if line.strip()])
    checks.write(folder, "example.dat", read("beam10p.dat.ref").split(" forces")[0])
    there = tables(os.path.join(folder, "example.dat"), list(nodes[:, 0].astype(int)))[0]
    frame, = support.read_frames(os.path.join(folder, "example.vtkhdf"))
    at = [numpy.abs(nodes[:, 1:] - point).max(axis=1).argmin() for point in frame["Points"]]
    off = numpy.abs(frame["PointData/displacement"] - there[at]).max() / numpy.abs(there).max()
    expect(off < 1e-6, f"beam10p.inp: displacements differ by {off:.1e}")
    print(f"  {len(names[::12])} of CalculiX's {len(names)} examples; beam10p: differences {off:.1e}")


with tempfile.TemporaryDirectory() as work:
    check_shipped(work)
    check_examples(work)
    check_static(work, False)
    check_static(work, True)
    check_axes(work)
    check_nodes(work)
    check_sums(work)
    check_replaced(work)
    check_random(work)
    check_written(work)
    check_plastic(work)
    check_motion(work)
    check_modes(work)
status = checks.finish("decks")
if not shutil.which("ccx"):
    print("ccx is not installed; nothing was compared with it")
sys.exit(status or (0 if shutil.which("ccx") else 77))
