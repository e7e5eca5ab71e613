#!/usr/bin/python3
"""check_deck_runs.py PROGRAM SOURCE_DIR BUILD_DIR

Small decks, one for each card and parameter that is read: CalculiX and the case that `edgewise convert` makes of
the deck give the same displacements, and reactions where nothing else acts, to the digits that CalculiX prints, or to
what is said to differ. Exit status 77 without ccx.
"""
import copy
import math
import os
import re
import shutil
import sys
import tempfile

import checks
from checks import expect
from deck_reference import DIGITS, EDGES, PRINT, SECTIONS, STEEL, WOOD, Part, ccx, compare, convert, in_order, nset, program, same, solve_here, tables
from support import numpy

BOTH = PRINT.replace("U\n", "U, RF\n")
FIXED = "*BOUNDARY\nwall, 1, 3\n"
STEP, NLGEOM = "*STEP\n*STATIC\n", "*STEP, NLGEOM\n*STATIC\n0.1, 1.\n"
TIP = "*CLOAD\ntip, 3, -1.\ntip, 1, 2.\n"
SECTION = "*SOLID SECTION, ELSET=Eall, MATERIAL=m\n"
SOFT = "*MATERIAL, NAME=m\n*ELASTIC\n1000., 0.3\n*DENSITY\n1e-3\n*EXPANSION\n1e-4\n" + SECTION
FLOWS = "*MATERIAL, NAME=m\n*ELASTIC\n1e6, 0.3\n*PLASTIC\n10., 0.\n60., 0.0001\n" + SECTION
COLD = "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nNall, 0.\n"
AMPLITUDE = "*AMPLITUDE, NAME=A%s\n0., 0., 1., 1., 2., 4.\n"
n_deck = 0


def deck(name, part, text, **options):
    global n_deck
    n_deck += 1
    same(name, part, text, **{"notes": None, "tolerance": DIGITS * 10, **options})


def supports(part):
    wall = None if part.ten else part.nodes(lambda x, y, z: x == 0)
    for name, cards in (
            ("a wall", ""), ("a prescribed end", "*BOUNDARY\ntip, 3, 3, 0.01\n"),
            ("one component after the other", "*BOUNDARY\ntip, 2\ntip, 1, 1, 0.02\n"),
            ("axes of a wall", "*TRANSFORM, NSET=tip, TYPE=R\n1., 1., 0., -1., 1., 1.\n*BOUNDARY\ntip, 2, 2, .01\n"),
            ("axes of a cylinder", "*TRANSFORM, NSET=tip, TYPE=C\n0., 3., -1., 1., 3., 0.\n*BOUNDARY\ntip, 1, %d, .01\n" % (3 if part.ten else 1))):
        deck(name, part, SECTIONS + FIXED + cards + STEP + TIP + BOTH, reactions=wall)
    deck("supports of steps", part, SECTIONS + FIXED + STEP + TIP + "*BOUNDARY\ntip, 2, 2, .01\n" + BOTH + STEP
         + "*BOUNDARY\ntip, 2, 2, .03\n" + BOTH + STEP + "*BOUNDARY, OP=NEW\nwall, 1, 3\n" + BOTH, steps=3, reactions=wall)


def amplitudes(part):
    """What a step in step time reached stays; total time goes on; TIME RESET, shifts."""
    last = "*STEP\n*STATIC\n1.5, 1.5\n" + PRINT
    begin = "*STEP\n*STATIC\n0.5, 0.5\n"
    for word, time in (("step", ""), ("total", ", TIME=TOTAL TIME")):
        for name, cards in (("forces", "*CLOAD, AMPLITUDE=A\ntip, 3, 1.\n"), ("supports", "*BOUNDARY, AMPLITUDE=A\ntip, 3, 3, .1\n"),
                            ("pressures", "*DSLOAD, AMPLITUDE=A\ntop, P, 1.\n"),
                            ("gravity", "*DLOAD, AMPLITUDE=A\nEall, GRAV, 9.81, 0., 0., -1.\n")):
            deck(f"{name} over {word} time", part, SOFT + AMPLITUDE % time + FIXED + begin + cards + PRINT + last + last, steps=3)
    deck("temperatures over step time", part, SOFT + AMPLITUDE % "" + FIXED + COLD + begin + "*TEMPERATURE, AMPLITUDE=A\nNall, 10.\n"
         + PRINT + last, steps=2, notes=["*AMPLITUDE: in step time, temperatures of steps before begin it again"])
    deck("temperatures over total time", part, SOFT + AMPLITUDE % ", TIME=TOTAL TIME" + FIXED + COLD + begin
         + "*TEMPERATURE, AMPLITUDE=A\nNall, 10.\n" + PRINT + last, steps=2)
    load = "*CLOAD, AMPLITUDE=A\ntip, 3, 1.\n"
    deck("a shifted amplitude", part, SOFT + AMPLITUDE % ", SHIFTX=0.25, SHIFTY=-2." + FIXED + begin + load + PRINT + last, steps=2)
    for word in ("TIME RESET", "TOTAL TIME AT START=1.1"):
        deck(word, part, SOFT + AMPLITUDE % ", TIME=TOTAL TIME" + FIXED + begin + load + PRINT + f"*STEP\n*STATIC, {word}\n.2, .2\n" + PRINT
             + last, steps=3)
    deck("an amplitude again", part, SOFT + AMPLITUDE % "" + FIXED + begin + load + PRINT + "*STEP\n*STATIC\n1., 1.\n" + load + PRINT, steps=2)


def orientations(part):
    for name, card, rows in (
            ("at right angles", "", "1., 1., 0., -1., 1., 0."), ("askew", "", "1., 1., 0., 0., 1., 0.3"),
            ("turned about 1", "", "1., 1., 0., -1., 1., 0.\n1, 40."), ("turned about 2", "", "1., 1., 0., -1., 1., 0.\n2, -25."),
            ("turned about 3", "", "1., 1., 0., -1., 1., 0.\n3, 30."), ("askew and turned", "", "1., 1., 0., 0., 1., 0.3\n2, 70."),
            ("turned by 0", "", "1., 1., 0., -1., 1., 0.\n3, 0."), ("a cylinder", ", SYSTEM=CYLINDRICAL", "0., 3., -1., 4., 3., 0.")):
        deck("orientation " + name, part, WOOD + f"*ORIENTATION, NAME=O{card}\n{rows}\n*SOLID SECTION, ELSET=Eall, MATERIAL=wood, ORIENTATION=o\n"
             + FIXED + STEP + TIP + PRINT)
    origin = WOOD + "*ORIENTATION, NAME=O\n%s\n*SOLID SECTION, ELSET=Eall, MATERIAL=wood, ORIENTATION=o\n" + FIXED + STEP + TIP + PRINT
    lines = "\n".join(part.text()) + "\n"
    same("an origin, Abaqus'", part, origin % "1., 1., 0., 0., 1., 1.", here=lines + origin % "1.5, 2., 3., 0.5, 2., 4., .5, 1., 3.",
         notes=["the third point is the origin, as in Abaqus"])
    for name, what in (("an isotropic material", ""), ("its expansion", "*EXPANSION, TYPE=ORTHO\n1e-4, 2e-4, 4e-4\n")):
        deck("orientation of " + name, part, "*MATERIAL, NAME=m\n*ELASTIC\n1000., 0.3\n" + what
             + "*ORIENTATION, NAME=O\n1., 1., 0., 0., 1., 0.3\n*SOLID SECTION, ELSET=Eall, MATERIAL=m, ORIENTATION=O\n" + FIXED + COLD
             + STEP + TIP + "*TEMPERATURE\nNall, 30.\n" + PRINT)


def steps(part):
    """PERTURBATION drops forces and temperatures, not what acts on elements; its stiffness is noted."""
    heavy, other = SOFT + FIXED + COLD, "*STEP, PERTURBATION\n*STATIC\n*CLOAD\ntip, 2, .001\n" + PRINT + STEP + PRINT
    soft = ["PERTURBATION: stresses of the steps before do not stiffen the body"]
    for name, cards, notes in (("forces", "*CLOAD\ntip, 3, .002\n", soft), ("temperatures", "*TEMPERATURE\nNall, 1e-3\n", soft),
                               ("gravity", "*DLOAD\nEall, GRAV, 1., 0., 0., -1.\n", soft + ["rotation of the steps before go on"]),
                               ("pressures", "*DSLOAD\ntop, P, 1e-3\n", soft + ["rotation of the steps before go on"])):
        deck("perturbation after " + name, part, heavy + STEP + cards + PRINT + other, steps=3, notes=notes, tolerance=1e-3)
    deck("perturbation first", part, heavy + "*STEP, PERTURBATION\n*STATIC\n" + TIP + PRINT + STEP + PRINT, steps=2)
    deck("forces, OP=NEW", part, heavy + STEP + TIP + PRINT + STEP + "*CLOAD, OP=NEW\ntip, 2, 1.\n" + PRINT, steps=2)
    deck("forces, OP=MOD", part, heavy + STEP + TIP + PRINT + STEP + "*CLOAD, OP=MOD\ntip, 2, 1.\n" + PRINT, steps=2)
    deck("pressures, OP=NEW", part, heavy + STEP + "*DSLOAD\ntop, P, 1.\n" + PRINT + STEP + "*DSLOAD, OP=NEW\ntop, P, .5\n" + PRINT, steps=2)
    deck("gravity, OP=NEW", part, heavy + STEP + "*DLOAD\nEall, GRAV, 9., 0., 0., 1.\n" + PRINT + STEP
         + "*DLOAD, OP=NEW\nEall, GRAV, 5., 0., 1., 0.\n" + PRINT, steps=2)


def materials(part):
    for name, cards in (
            ("two tables of density", "*ELASTIC\n1000., .3\n*DENSITY\n1e-3, 0.\n2e-3, 100.\n"),
            ("elastic constants over temperature", "*ELASTIC\n1000., .3, 0.\n500., .3, 100.\n*DENSITY\n1e-3\n")):
        deck(name, part, "*MATERIAL, NAME=m\n" + cards + SECTION + FIXED + COLD + STEP + "*TEMPERATURE\nNall, 0.\n"
             "*DLOAD\nEall, GRAV, 9.81, 0., 0., -1.\n" + PRINT, notes=["depends on temperature; its first entry is taken"])
    for kind, constants in (("ISO", "1000., 0.3\n"), ("ENGINEERING CONSTANTS", "1100., 90., 50., .37, .42, .43, 80., 70.,\n6.\n"),
                            ("ORTHO", "1200., 300., 1100., 250., 240., 900., 310., 290.,\n270.\n"),
                            ("ANISO", "1200., 300., 1100., 250., 240., 900., 10., 20.,\n30., 310., 5., 6., 7., 8., 290., 9.,\n"
                                      "11., 12., 13., 14., 270.\n")):
        deck(f"TYPE={kind}", part, f"*MATERIAL, NAME=m\n*ELASTIC, TYPE={kind}\n{constants}" + SECTION + FIXED + STEP + TIP + PRINT)
    deck("expansion by axes", part, "*MATERIAL, NAME=m\n*ELASTIC\n1000., .3\n*EXPANSION, TYPE=ORTHO\n1e-4, 2e-4, 4e-4\n" + SECTION + FIXED
         + COLD + STEP + "*TEMPERATURE\nNall, 30.\n" + PRINT)
    deck("expansion with ZERO", part, "*MATERIAL, NAME=m\n*ELASTIC\n1000., .3\n*EXPANSION, ZERO=20.\n1e-4\n" + SECTION + FIXED
         + COLD + STEP + "*TEMPERATURE\nNall, 30.\n" + PRINT)


def elements(four, ten):
    for part, kinds in ((four, ("DC3D4",)), (ten, ("C3D10T", "DC3D10"))):
        for kind in kinds:
            plain = "C3D10" if part.ten else "C3D4"
            deck(f"elements {kind}", part, SOFT + FIXED + STEP + TIP + PRINT, notes=[f"*ELEMENT: TYPE={kind} is read as {plain}"],
                 head="\n".join(part.text()).replace(f"TYPE={plain}", f"TYPE={kind}") + "\n")


def large(part, fine, ten):
    """Strain is Biot's here and Green's there, alike to its size, 0.7 % under pressures; NLGEOM goes on, pressures turn with the faces."""
    small = ["NLGEOM: strain is Biot's"]
    for name, load in (("forces", "*CLOAD\ntip, 3, -.02\n"), ("gravity", "*DLOAD\nEall, GRAV, 30., 0., 0., -1.\n")):
        deck("NLGEOM, " + name, part, SOFT + FIXED + NLGEOM + load + PRINT + STEP + "*CLOAD\ntip, 2, .02\n" + PRINT, steps=2,
             notes=small, tolerance=5e-3)
    for name, body, card in (("pressures", part, "*DSLOAD\ntop, P, %g\n"), ("pressures, ten nodes", ten, "*DSLOAD\ntop, P, %g\n"),
                             ("pressures of elements", part, "*DLOAD\n" + "".join("%d, P%d, %%g\n" % face for face in part.faces(lambda x, y, z: z == 1)))):
        first, then = (card % ((p,) * card.count("%g")) for p in (.8, -.8))
        deck("NLGEOM, " + name, body, SOFT + FIXED + NLGEOM + first + PRINT + STEP + then + PRINT, steps=2, notes=small, tolerance=1.5e-2)
    for name, load, note in (("rotation", "*DLOAD\nEall, CENTRIF, 10., 0., 0., 0., 0., 1., 0.\n", "CENTRIF acts at the undeformed radius"),):
        deck("NLGEOM, " + name, fine, SOFT + FIXED + NLGEOM + load + PRINT, notes=small + [note], tolerance=5e-2)


def equations(part):
    """Of nodes that supports reach, by one or by several equations; of a node by itself; rigid motion."""
    tip, end = part.nodes(lambda x, y, z: x == 4), part.faces(lambda x, y, z: x == 4)
    reference = "*NODE\n900, 5., .5, .5\n901, 0., 0., 0.\n*SURFACE, NAME=end\n" + "".join("%d, S%d\n" % face for face in end)
    pairs = lambda other, nodes: "".join("*EQUATION\n2\n%d, 3, 1., %d, 3, -2.\n" % (n, other) for n in nodes)
    driven = STEP + "*BOUNDARY\n%d, 3, 3, .01\n" + "*CLOAD\ntip, 1, 1.\n" + PRINT
    deck("nodes as one beside the body", part, reference + SECTIONS + FIXED + pairs(900, tip) + driven % 900)
    if part.ten:
        same("nodes as one of them", part, SECTIONS + FIXED + pairs(tip[0], tip[1:]) + driven % tip[0], steps=0,
             notes=["or between different values"])
    else:
        deck("nodes as one of them", part, SECTIONS + FIXED + pairs(tip[0], tip[1:]) + driven % tip[0])
    deck("equations of steps, removed", part, reference + SECTIONS + FIXED + pairs(900, tip) + driven % 900 + driven.replace(
        "*BOUNDARY", "*EQUATION, REMOVE\n" + "".join("%d, 3\n" % n for n in tip[1:]) + "*BOUNDARY") % 900, steps=2)
    deck("four terms", part, reference + SECTIONS + FIXED + "".join(
        "*EQUATION\n5\n%d, 3, 1., 900, 3, -1., 901, 2, .5, 901, 1, 2.,\n900, 1, .1\n" % n for n in tip)
         + driven.replace("*CLOAD", "901, 1, 2, .002\n900, 1, 1, .03\n*CLOAD") % 900)
    if not part.ten:
        deck("directions of nodes", part, SECTIONS + FIXED + "".join("*EQUATION\n2\n%d, 3, 1., %d, 2, -.5\n" % (n, n) for n in tip)
             + STEP + TIP + PRINT)
    free = "".join("*EQUATION\n2\n%d, 1, 1., %d, 1, -1.\n" % (n, tip[0]) for n in tip[1:])
    deck("free nodes", part, SECTIONS + FIXED + free + "*EQUATION\n3\n%d, 3, 1., %d, 2, -.5, %d, 3, .25\n" % (*tip[:2], tip[1])
         + STEP + TIP + PRINT + STEP + "*CLOAD\ntip, 2, 3.\n" + PRINT, steps=2)
    couple = "*COUPLING, REF NODE=900, SURFACE=end, CONSTRAINT NAME=c\n*KINEMATIC\n%s\n"
    for name, components, supports in (("moved", "1, 3", "900, 1, 2\n900, 3, 3, .01\n900, 4, 6\n"), ("in one component", "3", "900, 1, 6\n"),
                                       ("turned", "1, 3", "900, 1, 4\n900, 6, 6\n900, 5, 5, 1e-4\n")):
        turned = name == "turned"
        if not (part.ten and turned):
            deck("a coupled surface " + name, part, reference + SECTIONS + FIXED + couple % components + STEP + "*BOUNDARY\n" + supports + TIP + PRINT,
                 notes=["rotations are taken as small"] if turned else None, tolerance=1e-4 if turned else DIGITS * 10)
    deck("a rigid body", part, reference + SECTIONS + FIXED + "*RIGID BODY, NSET=tip, REF NODE=900, ROT NODE=901\n" + STEP
         + "*BOUNDARY\n900, 1, 2\n900, 3, 3, .01\n901, 1, 3\n" + PRINT)
    if not part.ten:
        deck("a rigid body turned", part, reference + SECTIONS + FIXED + "*RIGID BODY, NSET=tip, REF NODE=900, ROT NODE=901\n" + STEP
             + "*BOUNDARY\n900, 1, 3\n901, 1, 2\n901, 3, 3, 1e-4\n" + PRINT, notes=["rotations are taken as small"], tolerance=1e-4)
    load = "*CLOAD\n900, 3, -1.\n900, 1, 2.\n%d, %d, .5\n%d, %d, -.25\n"
    for kind in ("*KINEMATIC\n1, 3\n", "*DISTRIBUTING\n1, 6\n"):
        deck("a free coupling, " + kind.split()[0], part, reference + SECTIONS + FIXED + couple.split("*KIN")[0] + kind + STEP
             + load % (900, 4, 900, 5) + PRINT)
    halves = [part.nodes(lambda x, y, z: (x == 4) & inside(y)) for inside in (lambda y: y < .6, lambda y: y > .6)]
    bodies = "".join(nset(f"half{i}", half) + f"\n*RIGID BODY, NSET=half{i}, REF NODE=900, ROT NODE=901\n" for i, half in enumerate(halves))
    deck("two rigid bodies of one reference", part, reference + SECTIONS + FIXED + bodies + STEP + load % (901, 1, 901, 2) + PRINT)
    little = "*STEP, INC=100\n*STATIC\n0.05, 1., 1e-5, 0.05\n"
    deck("a coupling of a body that flows", part, reference + FLOWS + FIXED + couple.split("*KIN")[0] + "*KINEMATIC\n1, 3\n"
         + little + load % (900, 4, 900, 5) + PRINT, tolerance=2e-3)
    if not part.ten:
        deck("equations of a body that flows", part, FLOWS + FIXED + free + little + TIP + PRINT, tolerance=2e-3)
    deck("a rigid body that is free in part", part, reference + SECTIONS + FIXED + "*RIGID BODY, NSET=tip, REF NODE=900, ROT NODE=901\n"
         + STEP + "*BOUNDARY\n900, 2, 2, .01\n901, 3, 3, 1e-3\n" + load % (901, 1, 901, 2) + PRINT
         + STEP + "*CLOAD\n900, 3, -2.\n" + PRINT, steps=2, notes=["rotations are taken as small"])
    head = "\n".join(part.text()) + "\n"
    text = reference + SECTIONS + FIXED + "%s" + (driven % 900).replace("900, 3, 3", "900, 1, 3")
    tie = "".join("*EQUATION\n2\n%d, %d, 1., 900, %d, -1.\n" % (n, c, c) for n in tip[:2] for c in (1, 2, 3))
    same("*MPC, TIE", part, text % tie, here=head + text % ("*MPC\n" + "".join("TIE, %d, 900\n" % n for n in tip[:2])))


def turned(part, fine):
    """With NLGEOM: a rigid end that is bent by half a radian and moves freely, a rigid body turned whole, equations of free nodes. Here strain is
    Biot's, there Green's; along a bent bar both are alike to their size."""
    tip, end = part.nodes(lambda x, y, z: x == 4), part.faces(lambda x, y, z: x == 4)
    reference = "*NODE\n900, 5., .5, .5\n901, 0., 0., 0.\n*SURFACE, NAME=end\n" + "".join("%d, S%d\n" % face for face in end)
    slow, small = "*STEP, NLGEOM, INC=1000\n*STATIC\n0.1, 1.\n", ["NLGEOM: strain is Biot's"]
    couple = "*COUPLING, REF NODE=900, SURFACE=end, CONSTRAINT NAME=c\n*KINEMATIC\n1, 3\n"
    body = "*RIGID BODY, NSET=tip, REF NODE=900, ROT NODE=901\n"
    deck("NLGEOM, an end bent by 0.5 rad", part, reference + SOFT + FIXED + body + slow + "*BOUNDARY\n901, 2, 2, .5\n901, 1, 1\n901, 3, 3\n" + PRINT,
         notes=small, tolerance=.1)
    deck("NLGEOM, a rigid body turned", part, reference + SOFT + FIXED + body + slow + "*BOUNDARY\n900, 1, 3\n901, 1, 3, .1\n" + PRINT,
         notes=small, tolerance=.15)
    deck("NLGEOM, a free coupling", part, reference + SOFT + FIXED + couple + slow + "*CLOAD\n900, 3, -.02\n" + PRINT,
         notes=small + ["keep their directions"], tolerance=5e-3)
    free = "".join("*EQUATION\n2\n%d, 1, 1., %d, 1, -1.\n" % (n, tip[0]) for n in tip[1:])
    deck("NLGEOM, equations of free nodes", part, SOFT + FIXED + free + slow + "*CLOAD\ntip, 3, -.02\n" + PRINT, notes=small, tolerance=1e-2)


def sector(folder, ten):
    """A quarter of a ring about an axis through (1, 2, 0), which is pressed: nodes of both sides lie on one another when they are turned."""
    part = Part(folder, "4,2,2", ten)
    bar, corners = part.points.copy(), part.corners
    angle, radius = -bar[:, 0] * math.pi / 8, 1 + bar[:, 1]
    part.points = numpy.column_stack((1 + radius * numpy.cos(angle), 2 + radius * numpy.sin(angle), bar[:, 2]))
    for tet in part.tets if ten else ():
        part.points[tet[4:]] = part.points[tet[list(map(list, zip(*EDGES)))]].mean(axis=0)
    mapped, part.points = part.points, bar
    lines = ["%s" % line for line in part.text()]
    sides = [f"*SURFACE, NAME=side{k}\n" + "".join("%d, S%d\n" % face for face in part.faces(lambda x, y, z: x == at)) for k, at in enumerate((0, 4))]
    bottom = nset("bottom", part.nodes(lambda x, y, z: (z == 0) & (x <= 3)))  # CalculiX takes no support of a slave
    part.points = mapped
    head = list(part.text())
    cut = [i for i, line in enumerate(head) if line.startswith("*ELEMENT")][0]
    then = [i for i, line in enumerate(lines) if line.startswith("*ELEMENT")][0]
    text = "\n".join(head[:cut] + lines[then:] + [bottom]) + "\n" + "".join(sides)
    deck(f"a sector, C3D{10 if ten else 4}", part, SOFT + "*TIE, NAME=t, CYCLIC SYMMETRY, POSITION TOLERANCE=0.01\nside1, side0\n"
         "*CYCLIC SYMMETRY MODEL, N=4, TIE=t, NGRAPH=4\n1., 2., 0., 1., 2., 1.\n*BOUNDARY\nbottom, 3\nwall, 2\n" + STEP
         + "*DSLOAD\ntop, P, 1.\n" + PRINT, head=text)



def bolts(part):
    """A bar between two walls, pulled together at half its length by a section through it: by a force, which is then locked while a wall moves, and
    by a shortening. Without lateral contraction the force F shortens the section by F L / E A, and a wall that moves by d adds E A d / L. CalculiX
    2.20 leaves tets joined that touch the section by an edge or a corner (the walls feel 2.4 of a force of 4), so its deck here has the nodes doubled
    and the equations that the card stands for."""
    global n_deck
    points, tets, number = part.points, part.tets, part.number
    half = part.faces(lambda x, y, z: x == 2)
    left = set(part.elements(lambda x, y, z: x < 2).tolist())
    material = "*MATERIAL, NAME=m\n*ELASTIC\n1000., 0.\n*SOLID SECTION, ELSET=Eall, MATERIAL=m\n"
    card = ("*NODE\n900, 9., 9., 9.\n*SURFACE, NAME=cut\n" + "".join("%d, S%d\n" % face for face in half if face[0] in left)
            + "*PRE-TENSION SECTION, SURFACE=cut, NODE=900\n1., 0., 0.\n")
    half_of = [face for face in half if face[0] in left]
    on = part.nodes(lambda x, y, z: x == 2)
    equations = "".join("*EQUATION\n3\n%d, 1, -1., %d, 1, 1., 900, 1, -1.\n" % (n + 50000, n)
                        + "".join("*EQUATION\n2\n%d, %d, 1., %d, %d, -1.\n" % (n + 50000, c, n, c) for c in (2, 3)) for n in on)
    lines = "\n".join(part.text()).split("\n")
    new = set(on.tolist())
    for k, line in enumerate(lines):
        words = line.split(", ")
        if words[0].isdigit() and len(words) == 1 + tets.shape[1] and int(words[0]) not in left:
            lines[k] = ", ".join([words[0]] + [str(int(w) + 50000 * (int(w) in new)) for w in words[1:]])
    doubled = "*NODE, NSET=other\n900, 9., 9., 9.\n" + "".join("%d, %.15g, %.15g, %.15g\n" % (n + 50000, *points[number == n][0]) for n in on)
    walls = "*BOUNDARY\nwall, 1, 3\ntip, 1, 3\n"
    for name, first, then, forces in (
            ("locked", "*CLOAD\n900, 1, 4.\n", "*BOUNDARY, FIXED\n900, 1, 1\n*BOUNDARY\ntip, 1, 1, .002\n", (4, 4.5)),
            ("by its force", "*CLOAD\n900, 1, 4.\n", "*BOUNDARY\ntip, 1, 1, .002\n", (4, 4)),
            ("shortened", "*BOUNDARY\n900, 1, 1, .01\n", "*BOUNDARY\ntip, 1, 1, .002\n", (2.5, 3))):
        n_deck += 1
        steps = walls + STEP + first + BOTH + STEP + then + BOTH
        with tempfile.TemporaryDirectory() as folder:
            frames = solve_here("a bolt " + name, folder, "\n".join(part.text()) + "\n" + material + card + steps, None)
            checks.write(folder, "deck.inp", "\n".join(lines) + "\n" + doubled + material + equations + steps)
            if frames is None or not ccx(folder, "deck", name):
                return
            there = tables(os.path.join(folder, "deck.dat"), number)
            off = []
            for frame, far, force in zip(frames, there, forces):
                off.append(compare(f"a bolt {name}", "displacements", in_order(part, frame, "displacement", False), far[:part.corners], DIGITS * 10))
                pulled = in_order(part, frame, "reaction", False)[points[:part.corners, 0] == 0].sum(axis=0)
                expect(abs(pulled[0] + force) < 1e-6, f"a bolt {name}: the wall pulls with {pulled}, not {force}")
            for change, words in ((("1., 0., 0.\n*MAT", "0., 1., 0.\n*MAT"), "lies in the surface"), ((first, ""), "no *CLOAD above 0"),
                                  (("%d, S%d\n*PRE" % half_of[-1], "*PRE"), "does not cut the bolt through"), (("1., 0., 0.\n*M", "-1., 0., 0.\n*M"), "above 0")):
                text = "\n".join(part.text()) + "\n" + card + material + steps
                if name == "locked" and expect(change[0] in text, change[0]):
                    done = convert(folder, text.replace(*change), status=2)
                    expect(done and words in done.stderr, f"a bolt, {words}: {done and done.stderr}")
            print(f"  a bolt {name}: differences " + ", ".join(f"{one:.1e}" for one in off) + " of the largest")


def parts(part, kind):
    """A part that is placed twice, the second time turned by 90 or 180 degrees about x, so that sides of quadratic
    tets meet, and tied, with an orientation of its own: Abaqus' assembly here, all nodes and elements, the tie and
    two orientations there."""
    height, angle, second = (1, 180, "1., -.3, 0., 0., -1., -.2") if part.ten else (0, 90, "1., 0., .3, 0., -.2, 1.")
    shift = 10000
    text = "\n".join(part.text()) + "\n"
    ends = "".join(f"*SURFACE, NAME={name}\n" + "".join("%d, S%d\n" % face for face in part.faces(lambda x, y, z, at=at: x == at))
                   for name, at in (("start", 0), ("end", 4)))
    section = "*ORIENTATION, NAME=o\n1., .3, 0., 0., 1., 0.2\n*SOLID SECTION, ELSET=Eall, MATERIAL=wood, ORIENTATION=o\n"
    steps = "*BOUNDARY\n%s, 1, 3\n" + STEP + "*CLOAD\n%s, 3, -.1\n*DSLOAD\n%s, P, .01\n" + PRINT
    here = ("*PART, NAME=p\n" + text.split("\n", 2)[2] + ends + section + "*END PART\n*ASSEMBLY, NAME=a\n*INSTANCE, NAME=i-1, PART=p\n"
            "*END INSTANCE\n*INSTANCE, NAME=i-2, PART=p\n"
            f"4., 1., {height}.\n4., 1., {height}., 5., 1., {height}., {angle}.\n*END INSTANCE\n*TIE, NAME=t\ni-2.start, i-1.end\n*END ASSEMBLY\n" + WOOD + steps % ("i-1.wall", "i-2.tip", "i-2.top"))
    x, y, z = part.points.T
    both, placed = copy.copy(part), numpy.stack((4 + x, 1 - y, 1 - z) if part.ten else (4 + x, 1 - z, y)).T
    both.points = numpy.vstack((part.points[:part.corners], placed[:part.corners], part.points[part.corners:], placed[part.corners:]))
    both.number = numpy.hstack((part.number[:part.corners], part.number[:part.corners] + shift, part.number[part.corners:],
                                part.number[part.corners:] + shift))
    both.corners = 2 * part.corners
    lines = ["*NODE, NSET=Nall"] + ["%d, %.15g, %.15g, %.15g" % (n, *point) for n, point in zip(both.number, both.points)]
    for k, name in enumerate("ab"):
        lines += [f"*ELEMENT, TYPE={kind}, ELSET={name}"] + [", ".join(map(str, (e + 1 + k * shift, *(part.number[tet] + k * shift))))
                                                            for e, tet in enumerate(part.tets)]
        lines += [f"*SURFACE, NAME={name}{what}\n" + "\n".join("%d, S%d" % (e + k * shift, f) for e, f in part.faces(inside)) for what, inside in (
            ("start", lambda x, y, z: x == 0), ("end", lambda x, y, z: x == 4), ("top", lambda x, y, z: z == 1))]
        lines += [nset(name + what, part.nodes(inside) + k * shift) for what, inside in (("wall", lambda x, y, z: x == 0), ("tip", lambda x, y, z: x == 4))]
        lines += [f"*ORIENTATION, NAME=o{name}\n" + ("1., .3, 0., 0., 1., 0.2" if k == 0 else second),
                  f"*SOLID SECTION, ELSET={name}, MATERIAL=wood, ORIENTATION=o{name}"]
    deck(f"a part placed twice, {kind}", both, WOOD + "*TIE, NAME=t\nbstart, aend\n" + steps % ("awall", "btip", "btop"), here=here,
         head="\n".join(lines) + "\n", tolerance=1e-5)
    same(f"the same without parts, {kind}", both, "", here="\n".join(lines) + "\n" + WOOD + "*TIE, NAME=t\nbstart, aend\n"
         + steps % ("awall", "btip", "btop"), steps=0, notes=None)


def ties(folder, ten):
    """Two bars of unlike meshes: CalculiX ties nodes of the slave to faces."""
    both = Part(folder, "3,1,1", ten), Part(folder, "5,2,2", ten)
    lines = ["*NODE, NSET=Nall"]
    for k, part in enumerate(both):
        part.points, part.number = part.points + (4 * k, 0, 0), part.number + 10000 * k
        lines += ["%d, %.15g, %.15g, %.15g" % (n, *x) for n, x in zip(part.number, part.points)]
    for k, part in enumerate(both):
        lines += [f"*ELEMENT, TYPE=C3D{10 if ten else 4}, ELSET={'ab'[k]}"]
        lines += [", ".join(map(str, (e + 1 + 10000 * k, *part.number[tet]))) for e, tet in enumerate(part.tets)]
        lines += [f"*SURFACE, NAME=face{k}"] + ["%d, S%d" % (e + 10000 * k, f) for e, f in part.faces(lambda x, y, z: x == 4)]
    lines += ["*ELSET, ELSET=Eall", "a, b", nset("wall", both[0].nodes(lambda x, y, z: x == 0)), nset("tip", both[1].nodes(lambda x, y, z: x == 8))]
    one, corners = copy.copy(both[0]), [part.corners for part in both]
    for what in ("points", "number"):
        of = [getattr(part, what) for part in both]
        setattr(one, what, numpy.concatenate([of[0][:corners[0]], of[1][:corners[1]], of[0][corners[0]:], of[1][corners[1]:]]))
    one.corners = sum(corners)
    deck("tied surfaces", one, SECTIONS + "*TIE, NAME=t, POSITION TOLERANCE=0.01\nface1, face0\n" + FIXED + STEP + TIP + PRINT,
         head="\n".join(lines) + "\n", tolerance=2e-2)
    deck("NLGEOM, tied surfaces", one, SOFT + "*TIE, NAME=t, POSITION TOLERANCE=0.01\nface1, face0\n" + FIXED + NLGEOM + "*CLOAD\ntip, 3, -.006\n" + PRINT,
         head="\n".join(lines) + "\n", tolerance=3e-2, notes=["NLGEOM: strain is Biot's"])


def modes(part):
    """Modes of the stressed body, *FREQUENCY with PERTURBATION behind NLGEOM, beside those of the body at rest: mass of C3D4
    differs, which the ratios do not see."""
    there, here = [], []
    for load in ("", "*STEP, NLGEOM\n*STATIC\n*CLOAD\ntip, 1, %g\n*END STEP\n"):
        for size in (0.1, -0.1) if load else (0,):
            with tempfile.TemporaryDirectory() as folder:
                text = SOFT + FIXED + (load % size if load else "") + f"*STEP{', PERTURBATION' if load else ''}\n*FREQUENCY\n2\n*END STEP\n"
                convert(folder, "\n".join(part.text()) + "\n" + text)
                done = checks.execute(program, "run", "case.yaml", "-o", "ours", "--device", "host", folder=folder)
                if "no direct solver" in done.stderr:
                    return
                here.append([float(x) for x in re.findall(r"^ +\d+ +([0-9.e+-]+)", done.stdout, re.M)[:2]])
                ccx(folder, "deck", "modes")
                with open(os.path.join(folder, "deck.dat")) as file:
                    rows = [line.split() for line in file]
                there.append([float(row[3]) for row in rows if len(row) == 5 and row[0].isdigit()])
    if expect([len(row) for row in here + there] == 6 * [2], f"two modes each: {here} {there}"):
        ours, theirs = (numpy.array(rows[1:]) / rows[0] - 1 for rows in (here, there))
        strain = 0.9e-3  # nine forces of 0.1 on an area of 1, E = 1000: to its order both measures of strain agree
        expect(numpy.abs(ours - theirs).max() < 1.5 * strain and numpy.abs(theirs).min() > 10 * strain,
               f"stress shifts modes by {ours}, CalculiX {theirs}")
        print("  modes of the stressed body: " + ", ".join(f"{a:.4f} for {b:.4f}" for a, b in zip(ours.flat, theirs.flat)))


def motion(part):
    """Mass is integrated otherwise there. What had an amplitude in step time stays in the next step."""
    step = "*STEP, INC=1000\n*DYNAMIC, DIRECT, ALPHA=0.\n1e-3, 0.02\n"
    deck("motion", part, SOFT + "*AMPLITUDE, NAME=A\n0., 0., 0.02, 1., 0.04, 3.\n" + FIXED + step + "*CLOAD, AMPLITUDE=A\ntip, 3, .1\n" + PRINT
         + step + PRINT, steps=2, pick=[20, -1], tolerance=1e-2)


def main():
    if not shutil.which("ccx"):
        print("ccx is not installed (Debian package calculix-ccx); nothing was compared with it")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        four, ten, fine = Part(folder, "3,1,1"), Part(folder, "2,1,1", True), Part(folder, "8,2,2")
        ties(folder, False)
        ties(folder, True)
        sector(folder, False)
        sector(folder, True)
        bolts(Part(folder, "4,2,2"))
        bolts(Part(folder, "2,1,1", True))
    for part in (four, ten):
        supports(part)
        equations(part)
    amplitudes(four)
    orientations(four)
    steps(four)
    materials(four)
    elements(four, ten)
    parts(four, "C3D4")
    parts(ten, "C3D10")
    large(four, fine, ten)
    turned(ten, fine)
    motion(ten)
    modes(fine)
    expect(n_deck >= 60, f"{n_deck} decks, 60 or more are compared with CalculiX")
    return checks.finish(f"{n_deck} decks of CalculiX")


sys.exit(main())
