#!/usr/bin/python3
"""check_deck_table.py PROGRAM SOURCE_DIR BUILD_DIR

The table of CalculiX's cards, datasets/DECKS.md: each row goes into a small deck, and what `edgewise convert` says
and writes, beside what it does without, is what the row says. The table has every card once, in order.
"""
import functools
import os
import re
import sys
import tempfile

import checks
from checks import expect

program, source = os.path.abspath(sys.argv[1]), sys.argv[2]

TEN = "6, .5, 0, 0\n7, .5, .5, 0\n8, 0, .5, 0\n9, 0, 0, .5\n10, .5, 0, .5\n11, 0, .5, .5\n"
# A deck in parts, each (word, parameters, lines); what is None is where samples go.
BASE = [
    ("NODE", "", "1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n5, 1, 1, 1\n" + TEN + "12, 3, 3, 3\n13, 0, 0, 0\n"),
    ("ELEMENT", ", ELSET=e, TYPE=C3D4", "1, 1, 2, 3, 4\n2, 2, 3, 4, 5\n"), ("mesh", None, None),
    ("ELSET", ", ELSET=e2", "2\n"), ("NSET", ", NSET=tip", "4, 5\n"), ("NSET", ", NSET=body", "1, 2, 3, 4, 5\n"),
    ("MATERIAL", ", NAME=m", ""), ("ELASTIC", "", "1000., 0.3\n"), ("EXPANSION", "", "1e-5\n"), ("DENSITY", "", "1.\n"), ("material", None, None),
    ("SOLIDSECTION", ", ELSET=e, MATERIAL=m", "1.\n"), ("ORIENTATION", ", NAME=o", "1., 1., 0., -1., 1., 0.\n"),
    ("SURFACE", ", NAME=s", "2, S4\n"), ("SURFACE", ", NAME=s2", "1, S1\n"), ("NSET", ", NSET=one", "4\n"),
    ("AMPLITUDE", ", NAME=A", "0., 0., 1., 1., 2., 5.\n"), ("AMPLITUDE", ", NAME=T, TIME=TOTAL TIME", "0., 0., 2., 4.\n"),
    ("INITIALCONDITIONS", ", TYPE=TEMPERATURE", "body, 0.\n"), ("model", None, None), ("BOUNDARY", "", "1, 1, 3\n2, 1, 3\n3, 1, 3\n"),
    ("STEP", "", ""), ("STATIC", "", "1., 0.5\n"), ("CLOAD", ", AMPLITUDE=T", "4, 1, 1.\n"), ("CLOAD", "", "5, 1, 2.\n"),
    ("TEMPERATURE", "", "4, 10.\n"), ("BOUNDARY", "", "5, 1, 1, .01\n"), ("DSLOAD", "", "s, P, .5\n"), ("ENDSTEP", "", ""),
    ("STEP", "", ""), ("STATIC", "", "1., 0.5\n"), ("step", None, None), ("ENDSTEP", "", ""), ("steps", None, None),
]
STEPS = "*STEP\n*%s%s\n%s*CLOAD\n4, 3, 1.\n*END STEP\n"
WOOD = "1200., 300., 1100., 250., 240., 900., 310., 290.,\n270.\n"
PROCEDURES = {"BUCKLE": "1\n", "DYNAMIC": "0.1, 0.2\n", "FREQUENCY": "1\n"}
# Where a card's sample goes, what it always has, its lines; a tuple in place of a word: the part of BASE that is it.
SAMPLES = {
    "AMPLITUDE": ("model", ", NAME=B", "0., 0., 1., 1., 2., 5.\n", ("step", "*CLOAD, AMPLITUDE=B\n4, 2, 1.\n")),
    "BOUNDARY": ("step", "", "4, 2, 2, .1\n"), "CLOAD": ("step", "", "4, 2, .1\n"), "DLOAD": ("step", "", "1, P1, .1\n"),
    "DSLOAD": ("step", "", "s2, P, .1\n"), "TEMPERATURE": ("step", "", "5, 20.\n"),
    "COUPLING": ("model", ", REF NODE=12, SURFACE=s, CONSTRAINT NAME=c", "", ("model", "*KINEMATIC\n1, 3\n*BOUNDARY\n12, 1, 6\n")),
    "KINEMATIC": ("model", "", "1, 2\n", ("before", "*COUPLING, REF NODE=12, SURFACE=s, CONSTRAINT NAME=c\n"), ("model", "*BOUNDARY\n12, 1, 6\n")),
    "DAMPING": ("material", "", "", ("steps", "*STEP\n*DYNAMIC, DIRECT\n.1, .2\n*END STEP\n")), "DENSITY": (9, "", "1.\n"), "ELASTIC": (7, "", "1000., .3\n"),
    "EXPANSION": (8, "", "1e-5\n"), "PLASTIC": ("material", "", "1., 0.\n2., .1\n"), "ELEMENT": ("mesh", ", TYPE=C3D4", "3, 3, 4, 5, 12\n"),
    "ELSET": ("mesh", ", ELSET=x", "1, 3, 2\n"), "NSET": ("mesh", ", NSET=x", "1, 3, 1\n"), "NODE": ("mesh", "", "20, 4., 4., 4.\n"),
    "EQUATION": ("model", "", "2\n4, 2, 1., 1, 2, -1.\n"), "MATERIAL": (6, ", NAME=m", ""), "SOLIDSECTION": (11, ", ELSET=e, MATERIAL=m", "1.\n"),
    "STATIC": (30, "", "1., 0.5\n"), "STEP": (29, "", ""), "ENDSTEP": (32, "", ""), "MPC": ("model", "", "1, 2\n"),
    "ORIENTATION": ("mesh", ", NAME=p", "1., 1., 0., -1., 1., 0.\n"), "RIGIDBODY": ("model", "", "", ("model", "*BOUNDARY\n5, 2, 3\n12, 1, 6\n13, 1, 3\n")),
    "SURFACE": ("mesh", ", NAME=x", "1, S1\n"), "TRANSFORM": ("model", ", NSET=tip", "1., 1., 0., -1., 1., 0.\n"),
    "INITIALCONDITIONS": ("model", "", "body, 1.\n", ("steps", "*STEP\n*DYNAMIC, DIRECT\n.1, .2\n*END STEP\n")), "INCLUDE": ("model", "", ""), "HEADING": ("model", "", "a deck\n"),
    "DISTRIBUTING": ("model", "", "1, 3\n", ("before", "*COUPLING, REF NODE=12, SURFACE=s, CONSTRAINT NAME=c\n"), ("step", "*CLOAD\n12, 3, .1\n")),
    "DISTRIBUTINGCOUPLING": ("model", ", ELSET=one", "1, 1.\n4, 2.\n5, 1.\n", ("mesh", "*ELEMENT, TYPE=DCOUP3D, ELSET=one\n90, 12\n"), ("step", "*CLOAD\n12, 3, .1\n")),
    "PRE-TENSIONSECTION": ("model", ", SURFACE=p, NODE=12", "", ("mesh", "*SURFACE, NAME=p\n1, S3\n"), ("model", "*BOUNDARY\n12, 1, 1, .1\n")),
    "CYCLICSYMMETRYMODEL": ("model", ", N=4", "0., 0., 0., 0., 0., 1.\n", ("before", "*TIE, NAME=t, CYCLIC SYMMETRY\ns, s2\n")),
    "TIE": ("model", ", NAME=t", "s, s2\n"), "MASS": ("model", ", ELSET=e2", "1.\n"), "SPRING": ("model", ", ELSET=e2", "1\n1.\n"),
}
# What a parameter needs in place of the lines of its card.
LINES = {("ELASTIC", "TYPE=ORTHO"): WOOD, ("ELASTIC", "TYPE=ENGINEERINGCONSTANTS"): "1100., 90., 50., .37, .42, .43, 80., 70.,\n6.\n",
         ("ELASTIC", "TYPE=ANISO"): "1200., 300., 1100., 250., 240., 900., 10., 20.,\n30., 310., 5., 6., 7., 8., 290., 9.,\n11., 12., 13., 14., 270.\n",
         ("EXPANSION", "TYPE=ORTHO"): "1e-5, 2e-5, 3e-5\n", ("EXPANSION", "TYPE=ANISO"): "1e-5, 2e-5, 3e-5, 0., 0., 0.\n",
         ("EQUATION", "REMOVE"): "4, 2\n", ("SURFACE", "TYPE=NODE"): "4\n5\n", ("NSET", "ELSET=e"): "", ("AMPLITUDE", "INPUT=times.inp"): "",
         ("INITIALCONDITIONS", "TYPE=VELOCITY"): "body, 1, 1.\n", ("NODE", "INPUT=nodes.inp"): "", ("ELEMENT", "ELSET=e,INPUT=tets.inp"): "",
         ("AMPLITUDE", "USER"): ""}
FILES = {"times.inp": "0., 1., 1., 7.\n", "nodes.inp": "21, 5, 5, 5\n", "tets.inp": "4, 3, 4, 5, 12\n", "more.inp": "*BOUNDARY\n4, 2\n"}


def word_of(card):
    return card.replace(" ", "")


def render(parts):
    return "".join(f"*{word}{parameters}\n{lines}" for word, parameters, lines in parts if lines is not None)


def deck(card, parameters, lines, procedure, *, without=False):
    """BASE with the sample of a card, or with all of it but the card itself."""
    word, parts = word_of(card), [list(part) for part in BASE]
    where, always, own, *more = SAMPLES.get(word, ("model", "", "1, 1.\n"))
    lines = own if lines is None else lines
    if without and (procedure or isinstance(where, int)):
        return render(parts)
    if procedure:
        return render(parts) + STEPS % (word, parameters, PROCEDURES.get(word, "1., 1.\n") if lines == own else lines)
    text = "" if without else f"*{word}{always}{parameters}\n{lines}"
    if word == "ORIENTATION":
        parts[7][1:], parts[11][1] = [", TYPE=ORTHO", WOOD], parts[11][1] + ", ORIENTATION=p"
    if isinstance(where, int):
        parts[where] = [word, always + parameters, lines]
        return render(parts)
    before = "".join(what for at, what in more if at == "before")
    texts = {at: "".join(what for place, what in more if place == at) for at in ("mesh", "material", "model", "step", "steps")}
    texts[where] = before + text + texts[where]
    return "".join(texts[part[0]] if part[2] is None else render([part]) for part in parts)


@functools.lru_cache(maxsize=None)
def convert(folder, text):
    """Exit status, message, what is listed without the lines' numbers, and what is written without it."""
    checks.write(folder, "deck.inp", text)
    for name in ("case.yaml", "case.msh"):
        if os.path.exists(os.path.join(folder, name)):
            os.remove(os.path.join(folder, name))
    done = checks.execute(program, "convert", "deck.inp", "case.yaml", folder=folder)
    written = ""
    if done.returncode == 0:
        with open(os.path.join(folder, "case.yaml")) as file:
            written = "".join(line for line in file if line[0] != "#")
        with open(os.path.join(folder, "case.msh")) as file:
            written += file.read()
    listed = re.findall(r"^line \d+: (.*)", done.stdout, re.M)
    return done.returncode, done.stderr, {re.sub(r"\d+", "#", note) for note in listed}, written


def outcome(word, result, before):
    status, message, listed, written = result
    if status:
        return "refused" if status == 2 and message.count("\n") == 1 and word in message.replace(" ", "") else f"status {status}: {message}"
    new = {note for note in listed - before[2] if note.startswith((f"*{word}:", "*STEP: the step is left out"))}
    if any("left out" in note for note in new):
        return "left out"
    return "otherwise" if new else "nothing" if written == before[3] else "read"


def check_row(folder, card, given, said):
    word = word_of(card)
    lines, parameters = None, ""
    if given.startswith("`") and ("," in given and "=" not in given.split(",")[0]):
        lines = "".join(line + "\n" for line in re.findall(r"`([^`]*)`", given))
    elif given:
        parameters = ", " + given.strip("`")
    key = (word, parameters[2:].replace(" ", ""))
    procedure = word in PROCEDURES or "the step, too" in said[1]
    own = LINES.get(key, lines)
    if word == "ELEMENT" and "TYPE=" in parameters:
        return check_element(folder, card, parameters, said)
    structural = not given and isinstance(SAMPLES.get(word, ("",))[0], int)
    without = not given or word in ("INCLUDE", "RIGIDBODY", "RESTART", "DAMPING", "MPC", "INITIALCONDITIONS")
    before = convert(folder, deck(card, "", None, procedure, without=without))
    result = convert(folder, deck(card, parameters, own, procedure))
    found = "read" if structural and result[0] == 0 and not result[2] else outcome(word, result, before)
    expect(found == said[0], f"*{card} with '{given}': the table says {said[0]}, found {found}: {sorted(result[2] - before[2])} {result[1]}")


def check_element(folder, card, parameters, said):
    kind = parameters.split("=")[1]
    if "10" in kind:
        text = render([BASE[0], ("ELEMENT", ", ELSET=e" + parameters, "1, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11\n"), *BASE[2:]]).replace(
            "2, S4", "1, S3")
    else:
        nodes = {"S3": 3, "CPS3": 3, "M3D3": 3, "B31": 2, "T3D2": 2, "S8": 8, "MASS": 1, "SPRING1": 1, "C3D8": 8, "C3D8I": 8, "C3D6": 6,
                 "C3D15": 15, "C3D20R": 20, "D": 3}.get(kind, 4 if "4" in kind else 2)
        text = deck(card, "", "", False).replace("*ELEMENT, TYPE=C3D4\n", "*ELEMENT, ELSET=%s%s\n3, %s\n" % (
            "e" if kind.endswith(("D4", "D4H", "D4P", "D4T")) and kind[0] != "F" else "f", parameters, ", ".join(str(k) for k in ([3, 4, 5, 12] + list(range(1, 20)))[:nodes])))
    plain = convert(folder, render(BASE))
    result = convert(folder, text)
    result = (*result[:2], {note for note in result[2] if note.startswith("*ELEMENT")}, result[3])
    found = outcome("ELEMENT" if result[0] == 0 else kind, result, plain)
    expect(found == said[0], f"*{card} with '{parameters}': the table says {said[0]}, found {found}: {result[2]} {result[1]}")


def main():
    with open(os.path.join(source, "datasets", "DECKS.md")) as file:
        rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in file if line.startswith("| `*")]
    cards = [row[0].strip("`*") for row in rows]
    expect(cards == sorted(cards) and len(set(cards)) >= 145, f"{len(set(cards))} cards in order")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            checks.write(folder, name, text)
        status, message, listed, _ = convert(folder, render(BASE))
        expect(status == 0 and not listed, f"the deck without a sample: {message}{listed}")
        for card, (_, given, *said) in zip(cards, rows):
            check_row(folder, card, given, said)
    return checks.finish(f"{len(rows)} rows of {len(set(cards))} cards")


sys.exit(main())
