#!/usr/bin/python3
"""check_deck_cards.py PROGRAM SOURCE_DIR BUILD_DIR

Cards of decks that `edgewise convert DECK.inp CASE.yaml` does not read: what is left out is listed with
its line, parameters too, and what is wrong is refused in one line. Then names: a mesh that is written
as .inp has those that CalculiX reads, where it is installed.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import checks
from support import expect

program = os.path.abspath(sys.argv[1])


def ccx(folder, deck, name):
    done = subprocess.run(["ccx", deck], cwd=folder, capture_output=True, text=True,
                          timeout=300, env=dict(os.environ, OMP_NUM_THREADS="1"))
    return expect(done.returncode == 0 and "*ERROR" not in done.stdout, f"{name}: ccx failed\n{done.stdout[-1500:]}")


def convert(folder, text, *, status=0):
    checks.write(folder, "deck.inp", text)
    done = checks.execute(program, "convert", "deck.inp", "case.yaml", folder=folder)
    return done if expect(done.returncode == status,
                          f"convert: exit status {done.returncode}\n{done.stderr}") else None


NOTES = """*NODE
1, 0, 0, 0
2, 1, 0, 0
3, 0, 1, 0
4, 0, 0, 1
*ELEMENT, TYPE=C3D4, ELSET=e
1, 1, 2, 3, 4
*MATERIAL, NAME=m
*ELASTIC
1000., 0.3
*SOLID SECTION, ELSET=e, MATERIAL=m
*BOUNDARY
1, 1, 3
2, 1, 6
3, 11, 11, 5.
*EQUATION
2
3, 1, 1., 4, 1, -1.
*STEP
*STATIC
*CLOAD
4, 3, 1.
4, 5, 1.
*DLOAD
1, BX, 5.
1, P1, 2.
*NODE FILE
U
*END STEP
*STEP
*HEAT TRANSFER
*END STEP
"""


def check_notes(folder):
    told = convert(folder, NOTES)
    for note in ("line 12: *BOUNDARY: component 11 in line 15 is left out",
                 "line 21: *CLOAD: component 5 in line 23 is left out",
                 "line 24: *DLOAD: BX in line 25 is left out", "line 30: *STEP: the step is left out",
                 "line 31: *HEATTRANSFER: left out"):
        expect(told and note in told.stdout, f"'{note}' is listed:\n{told and told.stdout}")
    with open(os.path.join(folder, "case.yaml")) as file:
        expect("#   line 21: *CLOAD: component 5 in line 23 is left out" in file.read(), "the case begins with the list")
    checks.run(program, "info", "case.yaml", folder=folder)


def check_parameters(folder):
    """Misspelled ones are listed."""
    text = NOTES.replace("*STEP\n*STATIC", "*STEP, NLGOEM\n*STATIC, RIKS").replace("*CLOAD", "*CLOAD, AMPLITDUE=a, OP=NEW")
    told = convert(folder, text)
    for note in ("line 19: *STEP: the parameter NLGOEM is left out", "line 20: *STATIC: the parameter RIKS is left out",
                 "line 21: *CLOAD: the parameter AMPLITDUE is left out"):
        expect(told and note in told.stdout, f"'{note}' is listed:\n{told and told.stdout}")


PLASTIC = NOTES.replace("1000., 0.3", "1000., 0.3\n*DENSITY\n1.\n*PLASTIC\n1., 0.\n1.5, 0.05").replace(
    "3, 11, 11, 5.\n*EQUATION\n2\n3, 1, 1., 4, 1, -1.", "3, 1, 3")
MIDDLES = ("4, 0, 0, 1\n5, .5, 0, 0\n6, .5, .5, 0\n7, 0, .5, 0\n8, 0, 0, .5\n9, .5, 0, .5\n10, 0, .5, .5")


def check_elements(folder):
    """Tets of other programs' types are plain ones here; other elements have no stiffness."""
    for kind in ("C3D4H", "C3D4P", "C3D4T", "DC3D4"):
        told = convert(folder, NOTES.replace("TYPE=C3D4", "TYPE=" + kind))
        expect(told and f"line 6: *ELEMENT: TYPE={kind} is read as C3D4" in told.stdout, f"{kind} is listed: {told and told.stdout}")
    ten = NOTES.replace("4, 0, 0, 1", MIDDLES).replace("1, 1, 2, 3, 4", "1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10")
    for kind in ("C3D10H", "C3D10M", "C3D10I", "C3D10MH"):
        told = convert(folder, ten.replace("TYPE=C3D4", "TYPE=" + kind))
        expect(told and f"line 12: *ELEMENT: TYPE={kind} is read as C3D10" in told.stdout, f"{kind} is listed: {told and told.stdout}")
    told = convert(folder, NOTES.replace("*MATERIAL", "*ELEMENT, TYPE=S3\n2, 1, 2, 3\n*ELEMENT, TYPE=B31\n3, 1, 2\n*MATERIAL", 1))
    for note in ("line 8: *ELEMENT: TYPE=S3 names faces; it has no stiffness", "line 10: *ELEMENT: TYPE=B31 names nodes; it has no stiffness"):
        expect(told and note in told.stdout, f"'{note}' is listed:\n{told and told.stdout}")
    expect(told and "TYPE=C3D4" not in told.stdout, "plain tets are not listed")


def check_parts(folder):
    """What a part has is told once, however often it is placed."""
    begin, end = NOTES.index("*MATERIAL"), NOTES.index("*BOUNDARY")
    law = NOTES[begin:end].replace("1000., 0.3", "1000., 900., 800., .3, .3, .3, 300., 300.,\n300.").replace("*ELASTIC", "*ELASTIC, TYPE=ENGINEERING CONSTANTS")
    part = (NOTES[:begin] + "*ORIENTATION, NAME=o\n1., 0., 0., 0., 1., 0., .5, 0., 0.\n*SPRING, ELSET=e\n1\n5.\n"
            + law[law.index("*SOLID"):].replace("MATERIAL=m", "MATERIAL=m, ORIENTATION=o"))
    told = convert(folder, "*PART, NAME=p\n" + part + "*END PART\n*INSTANCE, NAME=a, PART=p\n*END INSTANCE\n*INSTANCE, NAME=b, PART=p\n2., 0., 0.\n"
                   "*END INSTANCE\n" + law[:law.index("*SOLID")] + "*BOUNDARY\na.1, 1, 3\nb.1, 1, 3\n*STEP\n*STATIC\n*CLOAD\nb.4, 3, 1.\n*END STEP\n")
    expect(told and re.findall(r"^line .*", told.stdout, re.M) == ["line 9: *ORIENTATION: the third point is the origin, as in Abaqus; CalculiX ignores it",
                                                                 "line 11: *SPRING: left out"], f"{told and told.stdout}")


def check_laws(folder):
    """Tables over temperature, laws of what is not isotropic, two dampings."""
    table = PLASTIC.replace("1., 0.\n1.5, 0.05", "1., 0., 20.\n1.5, 0.05, 20.\n.5, 0., 300.\n.7, .05, 300.")
    told = convert(folder, table)
    expect(told and "*PLASTIC: depends on temperature; the entries of its first one are taken" in told.stdout, f"{told and told.stdout}")
    with open(os.path.join(folder, "case.yaml")) as file:
        case = file.read()
        expect("table: [[1, 0], [1.5, 0.05]]" in case, f"the table of the first temperature:\n{case}")
    told = convert(folder, PLASTIC.replace("*ELASTIC\n1000., 0.3", "*ELASTIC, TYPE=ORTHO\n12., 3., 11., 2.5, 2.4, 9., 3.1, 2.9,\n2.7"))
    expect(told and "*PLASTIC: left out: what flows is isotropic here" in told.stdout, f"{told and told.stdout}")
    told = convert(folder, PLASTIC.replace("*PLASTIC", "*DAMPING, ALPHA=1.\n*PLASTIC").replace("*SOLID", "*DAMPING, BETA=2.\n*SOLID", 1))
    expect(told and "*DAMPING: the one in line 17 is taken, for the whole body" in told.stdout, f"{told and told.stdout}")
    told = convert(folder, PLASTIC.replace("*STEP\n", "*AMPLITUDE, NAME=a\n0., 0., .5, 2., 1., 1.\n*STEP\n", 1).replace("*CLOAD", "*CLOAD, AMPLITUDE=a"))
    expect(told and "*AMPLITUDE: in static steps loads go straight to its value at the end" in told.stdout, f"{told and told.stdout}")


def check_equations(folder):
    """Those that tie free nodes are equations of the case, or counted; a force on what they are tied to is told."""
    free = NOTES.replace("2\n3, 1, 1., 4, 1, -1.", "2\n3, 1, 1., 4, 1, -1.\n2\n1, 1, 1., 2, 1, -1.\n3\n3, 2, 1., 3, 3, 1.,\n4, 1, 2.")
    told = convert(folder, free)
    with open(os.path.join(folder, "case.yaml")) as file:
        case = file.read()
    expect(told and "*EQUATION" not in told.stdout and case.count("terms:") == 2, f"{told and told.stdout}{case}")
    for change in (("*EQUATION", "*TRANSFORM, NSET=three\n0, 1, 0, -1, 0, 0\n*EQUATION"),
                   ("*HEAT TRANSFER", "*STATIC\n*EQUATION, REMOVE\n3, 1")):
        told = convert(folder, free.replace("*ELEMENT", "*NSET, NSET=three\n3\n*ELEMENT").replace(*change))
        expect(told and "*EQUATION: 2 of its equations are left out: they tie nodes that are free" in told.stdout, f"{change}: {told and told.stdout}")
    body = NOTES.replace("4, 0, 0, 1", "4, 0, 0, 1\n9, 5, 5, 5").replace("*EQUATION\n2\n3, 1, 1., 4, 1, -1.", "%s").replace("4, 3, 1.", "9, 3, 1.")
    surface = "*SURFACE, NAME=s\n1, S3\n*COUPLING, CONSTRAINT NAME=c, REF NODE=9, SURFACE=s\n"
    for card in ("*RIGID BODY, ELSET=e, REF NODE=9", surface + "*KINEMATIC", surface + "*DISTRIBUTING\n1, 3"):
        told = convert(folder, body % card)
        with open(os.path.join(folder, "case.yaml")) as file:
            case = file.read()
        expect(told and "COUPLING" not in told.stdout and "RIGID" not in told.stdout and "no tet" not in told.stdout
               and ("couplings:" in case) == ("DISTR" not in card) and "force:" in case, f"{card}: {told and told.stdout}{case}")
        told = convert(folder, body.replace("*STEP\n*STATIC", "*STEP, NLGEOM\n*STATIC") % card)
        expect(told and "of its equations" not in told.stdout and ("couplings:" in open(os.path.join(folder, "case.yaml")).read()) == ("DISTR" not in card),
               f"{card}, NLGEOM: {told and told.stdout}")
    second = surface.replace("*SURFACE, NAME=s\n1, S3\n", "").replace("=c", "=d")
    for first, other in (("*KINEMATIC\n", "*DISTRIBUTING\n1, 3"), ("*DISTRIBUTING\n1, 3\n", "*KINEMATIC")):
        forces = []
        for cards in (surface + first.strip(), surface + first + second + other):
            told = convert(folder, body % cards)
            with open(os.path.join(folder, "case.yaml")) as file:
                forces.append(re.findall(r"force: (.*?)\]", file.read()))
        expect(told and "*COUPLING: left out: another coupling has its reference node" in told.stdout and forces[0] == forces[1],
               f"two couplings at one node: {told and told.stdout}{forces}")
    steps = body % (surface + "*DISTRIBUTING\n1, 3")
    told = convert(folder, steps + "*STEP\n*STATIC\n*BOUNDARY\n9, 1, 1, .1\n*END STEP\n")
    with open(os.path.join(folder, "case.yaml")) as file:
        case = file.read()
    expect(told and "*COUPLING: what its reference prescribes after a step where it is free is left out" in told.stdout
           and "couplings:" not in case, f"prescribed in the second step: {told and told.stdout}{case}")
    weights = "*ELEMENT, TYPE=DCOUP3D, ELSET=r\n9, 9\n*DISTRIBUTING COUPLING, ELSET=r\n2, 1.\n3, %s\n4, 1.\n*BOUNDARY\n9, 1, 1, .1"
    for weight in ("1.", "2."):
        told = convert(folder, body % (weights % weight))
        expect(told and ("prescribes is of the mean of its nodes with equal weights" in told.stdout) == (weight == "2."),
               f"weights of a prescribed mean: {told and told.stdout}")
    told = convert(folder, body % "*NSET, NSET=one\n4\n*RIGID BODY, NSET=one, REF NODE=9")
    for note in ("the force at its reference is left out: it takes three nodes", "left out: it takes three nodes with weights"):
        expect(told and "*RIGIDBODY: " + note in told.stdout, f"'{note}' is listed: {told and told.stdout}")
    told = convert(folder, body % "*MPC\nTIE, 4, 9\nBEAM, 3, 9")
    for note in ("*CLOAD: in line", "1 nodes are in no tet; left out", "*MPC: line 19 is left out", "*MPC: 3 of its"):
        expect(told and note in told.stdout, f"'{note}' is listed: {told and told.stdout}")
    for change, message in ((("2\n3, 1, 1., 4, 1, -1.", "2\n1, 1, 1."), "*EQUATION: an equation ends before its last term"),
                            (("2\n3, 1, 1., 4, 1, -1.", "2\n1, 7, 1., 2, 1, -1."), "*EQUATION: component 7 in line 18"),
                            (("2\n3, 1, 1., 4, 1, -1.", "0"), "*EQUATION: how many terms it has"),
                            (("2\n3, 1, 1., 4, 1, -1.", "2\n1, 1, 1., 12, 1, -1."), "*EQUATION: there is no node 12"),
                            (("*EQUATION\n2\n3, 1, 1., 4, 1, -1.", "*RIGID BODY, NSET=no, REF NODE=1"), "*RIGIDBODY: there is no NSET 'no'"),
                            (("*EQUATION\n2\n3, 1, 1., 4, 1, -1.", "*COUPLING, REF NODE=1, SURFACE=no\n*KINEMATIC"), "*COUPLING: there is no *SURFACE")):
        refuse(folder, change, message)


def check_plastic(folder):
    """Of a law that the tets or a step cannot follow, what is told, and a case that runs."""
    more = "*STEP\n*DYNAMIC, DIRECT\n0.01, 0.02\n*END STEP\n*STEP\n*FREQUENCY\n1\n*END STEP\n"
    ten = PLASTIC.replace("4, 0, 0, 1", MIDDLES).replace("C3D4", "C3D10").replace("1, 1, 2, 3, 4", "1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10")
    ten = ten.replace("1., 0.\n1.5, 0.05", "100., 0.\n150., 0.05")  # kept at nodes alone it would be pulled off
    for text, note, inside, outside in ((PLASTIC + more, ": *STEP: the step is left out: it is of the elastic body", "nonlinear: {}", "modes:"),
                                        (ten + more, ": *STEP: the step is left out: it is of the elastic body", "nonlinear: {}", "modes:")):
        told = convert(folder, text)
        expect(told and note in told.stdout, f"'{note}' is listed:\n{told and told.stdout}")
        with open(os.path.join(folder, "case.yaml")) as file:
            case = "".join(line for line in file if line[0] != "#")
        expect("plastic:" in case and inside in case and outside not in case, f"steps of a plastic deck:\n{case}")
        done = checks.execute(program, "run", "case.yaml", "-o", "plastic", "--quiet", "--device", "host", folder=folder)
        expect(done.returncode == 0 or inside == "modes:" and "modes: this build has no direct solver" in done.stderr,
               f"a plastic deck: status {done.returncode}, {done.stderr}")


def check_names(folder):
    """What is written is read there, and loads act on surfaces without a name; names with commas, long
    ones, and one that a surface and a set of elements share, are made such as CalculiX reads."""
    long = "q" * 100
    mesh = (NOTES[:NOTES.index("*MATERIAL")] + '*ELSET, ELSET="in, part"\n1\n*ELSET, ELSET=both\n1\n*NSET, NSET=both\n1, 2, 3\n'
            f"*NSET, NSET={long}\n4\n*SURFACE, NAME=SURFACE_2\n1, S1\n*SURFACE, NAME=both\n1, S2\n*SURFACE, NAME={long}\n1, S3\n"
            f"*SURFACE, NAME={long}x\n1, S4\n*SURFACE, NAME=region_1\n1, S4\n")
    checks.write(folder, "named.inp", mesh)
    checks.run(program, "convert", "named.inp", "named.msh", folder=folder)
    checks.run(program, "convert", "named.msh", "clean.inp", folder=folder)
    with open(os.path.join(folder, "clean.inp")) as file:
        cards = re.findall(r"^\*(\w+).*?, (?:ELSET|NSET|NAME)=(.*)$", file.read(), re.M)
    elements = [name.strip('"').lower() for card, name in cards if card != "NSET"]
    expect(len(set(elements)) == len(elements) == 8, f"names of elements and surfaces, each once: {elements}")
    expect(all("," not in name and len(name.strip('"')) <= 80 for card, name in cards), f"names for CalculiX: {cards}")
    loads = "".join(f"{name}, P, {i + 1}.\n" for i, name in enumerate(name for card, name in cards if card == "SURFACE"))
    deck = ("*INCLUDE, INPUT=clean.inp\n*MATERIAL, NAME=m\n*ELASTIC\n1000., 0.3\n*SOLID SECTION, ELSET="
            + dict(cards)["ELEMENT"] + ", MATERIAL=m\n*BOUNDARY\nboth, 1, 3\n*STEP\n*STATIC\n*DSLOAD\n" + loads + "*NODE FILE\nU\n*END STEP\n")
    convert(folder, deck)
    with open(os.path.join(folder, "case.yaml")) as file:
        expect(re.search("pressure: .*, set: {surface: 2}}", file.read()), "a surface without a name by its number")
    checks.run(program, "run", "case.yaml", "-o", "named", "--quiet", "--device", "host", folder=folder)
    if shutil.which("ccx"):
        ccx(folder, "deck", "names")


def refuse(folder, change, message):
    text = NOTES.replace(*change)
    done = convert(folder, text, status=2)
    expect(done and done.stderr.count("\n") == 1 and message in done.stderr,
           f"'{message}' where '{change[1]}': {done and done.stderr}")


def check_refusals(folder):
    refuse(folder, ("1000., 0.3", "1000."), "deck.inp:9: *ELASTIC: needs Young's modulus")
    refuse(folder, ("*ELASTIC\n1000., 0.3\n", ""), "deck.inp:8: *MATERIAL: 'm' has no *ELASTIC")
    refuse(folder, ("*ELASTIC", "*ELASTICK"), "deck.inp:9: *ELASTICK: is no card that is known; did you mean *ELASTIC?")
    refuse(folder, ("*STATIC", "*STATICS"), "*STATICS: is no card that is known; did you mean *STATIC?")
    done = convert(folder, NOTES.replace("1, 1, 2, 3, 4", "1, 2, 1, 3, 4"))
    expect(done and re.search(r"\b1 element has a negative volume, at which CalculiX stops; its nodes", done.stdout), f"a tet inside out: {done}")
    refuse(folder, ("*ELASTIC", "*ELASTIC, TYPE=LAMINA"), "deck.inp:9: *ELASTIC: TYPE=LAMINA is not read")
    refuse(folder, ("MATERIAL=m", "MATERIAL=n"), "deck.inp:11: *SOLIDSECTION: there is no *MATERIAL, NAME=n")
    refuse(folder, ("*SOLID SECTION, ELSET=e, MATERIAL=m", "**"), "some tets have no *SOLID SECTION")
    refuse(folder, ("4, 3, 1.", "4, 3, one"), "deck.inp:22: a force is 'one'; expected a finite number")
    refuse(folder, ("4, 3, 1.", "9, 3, 1."), "deck.inp:22: *CLOAD: there is no node 9")
    refuse(folder, ("4, 3, 1.", "fix, 3, 1."), "deck.inp:22: *CLOAD: there is no NSET 'fix'")
    refuse(folder, ("4, 3, 1.", "4"), "deck.inp:22: *CLOAD: node, component, force")
    refuse(folder, ("1, P1, 2.", "7, P1, 2."), "deck.inp:26: *DLOAD: there is no element 7")
    refuse(folder, ("*CLOAD", "*CLOAD, AMPLITUDE=a"), "deck.inp:21: *CLOAD: there is no *AMPLITUDE, NAME=a")
    refuse(folder, ("*STATIC", "*DYNAMIC\n2., 1."), "deck.inp:20: *DYNAMIC: its increment is longer")
    refuse(folder, ("*STATIC", "*VISCO"), "the deck has no step that is read")
    refuse(folder, ("*STATIC", "*FREQUENCY\n0"), "deck.inp:20: *FREQUENCY: how many are wanted")
    refuse(folder, ("*CLOAD", "*CLOAD, OP=NWE"), "deck.inp:21: *CLOAD: OP=NWE is not read; NEW and MOD are")
    refuse(folder, ("*STEP", "*STEP, NLGEOM=MAYBE"), "deck.inp:19: *STEP: NLGEOM=MAYBE is not read; YES and NO are")
    refuse(folder, ("2, 1, 6", "2, 3, 1"), "deck.inp:14: *BOUNDARY: the last component, 1, is before the first, 3")
    refuse(folder, ("*MATERIAL", "*NSET, NSET=s, GENRATE\n1, 4, 1\n*MATERIAL"), "deck.inp:8: *NSET: the parameter GENRATE is not read")
    refuse(folder, ("*MATERIAL", "*NSET, NSET=s, GENERATE\n1, 4, 2\n*MATERIAL"), "deck.inp:9: GENERATE 1, 4, 2: steps from")
    refuse(folder, ("U\n*END STEP", "U"), "deck.inp:29: *STEP: the step before has no *END STEP")
    refuse(folder, ("HEAT TRANSFER\n*END STEP", "HEAT TRANSFER"), "deck.inp:30: *STEP: the deck ends within this step")
    refuse(folder, ("*STEP\n", "*RESTART, READ\n*STEP\n"), "deck.inp:19: *RESTART: READ goes on from another analysis")
    axes = "*ORIENTATION, NAME=o%s\n%s\n*SOLID SECTION, ORIENTATION=o,"
    for card, rows, message in (("", "1., 0., 0.", "needs two points, six numbers"), ("", "1., 0., 0., 2., 0., 0.", "its points a and b lie on one line"),
                                ("", "1., 0., 0., 0., 1., 0.\n4, 10.", "the axis of its additional rotation is 4"),
                                (", SYSTEM=CYLINDRICAL", "1., 0., 0., 0., 1., 0.\n3, 10.", "an additional rotation of a cylindrical system"),
                                (", DEFINITION=NODES", "1, 2, 3, 4, 1, 2", "DEFINITION=NODES is not read; COORDINATES is")):
        refuse(folder, ("*SOLID SECTION,", axes % (card, rows)), "deck.inp:11: *ORIENTATION: " + message)
    refuse(folder, ("*MATERIAL", "*AMPLITUDE, NAME=a, VALUE=ABSOLUTE\n0., 1.\n*MATERIAL"), "deck.inp:8: *AMPLITUDE: VALUE=ABSOLUTE is not read; RELATIVE is")
    refuse(folder, ("C3D4", "C3D8"), "deck.inp:6: volume elements of type C3D8; only tets are read")


with tempfile.TemporaryDirectory() as work:
    check_notes(work)
    check_refusals(work)
    check_plastic(work)
    check_parameters(work)
    check_elements(work)
    check_laws(work)
    check_parts(work)
    check_equations(work)
    check_names(work)
sys.exit(checks.finish("cards of decks"))
