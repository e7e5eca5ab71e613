"""deck.py PROGRAM: bracket.inp, a deck as other programs write them, in mm, N and t: the L-bracket with all
nodes numbered by tens, bolted to a wall, under a pressure that grows with time and then warm."""
import os
import subprocess
import sys
import tempfile

CARDS = """*MATERIAL, NAME=Steel
*ELASTIC
 210000., 0.3
*DENSITY
 7.85e-09,
*EXPANSION, ZERO=20.
 1.2e-05,
*SOLID SECTION, ELSET=bracket, MATERIAL=Steel
*AMPLITUDE, NAME=Rise
 0., 0., 0.5, 0.25,
 1., 1.
*INITIAL CONDITIONS, TYPE=TEMPERATURE
 all, 20.
*BOUNDARY
 bolts, 1, 3
 wall, 1, 1
*STEP
** the shelf is loaded, and the bracket's own weight acts
*STATIC
*CONTROLS, PARAMETERS=FIELD
 0.01, 0.02
*DSLOAD, AMPLITUDE=Rise
 shelf, P, 0.2
*DLOAD
 bracket, GRAV, 9810., 0., -1., 0.
*NODE FILE
 U
*EL FILE
 S
*END STEP
*STEP
** the load stays, and it gets warm
*STATIC
*TEMPERATURE
 all, 60.
*NODE FILE
 U
*END STEP
"""
# Corners of faces S1 to S4.
FACES = ((0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0))


def read_medit(path):
    """Rows of Vertices, Triangles and Tetrahedra, as words."""
    with open(path) as file:
        words = iter(file.read().split())
    rows = {}
    for word in words:
        width = {"Vertices": 4, "Triangles": 4, "Tetrahedra": 5}.get(word)
        if width:
            rows[word] = [[next(words) for _ in range(width)] for _ in range(int(next(words)))]
    return rows


def lines(numbers):
    numbers = list(map(str, numbers))
    return [" " + ", ".join(numbers[i:i + 16]) for i in range(0, len(numbers), 16)]


def deck(rows):
    yield from ("*HEADING", " An L-bracket of steel, in mm, N and t", "*NODE, NSET=all")
    for i, point in enumerate(rows["Vertices"]):
        yield f" {10 * (i + 1)}, " + ", ".join(f"{1000 * float(x):.8g}" for x in point[:3])
    yield "*ELEMENT, TYPE=C3D4, ELSET=bracket"
    faces = {}
    for i, tet in enumerate(rows["Tetrahedra"]):
        yield f" {i + 1}, " + ", ".join(f"{10 * int(v)}" for v in tet[:4])
        for f, corners in enumerate(FACES):
            faces[frozenset(tet[k] for k in corners)] = (i + 1, f + 1)
    labeled = {label: [row[:3] for row in rows["Triangles"] if row[3] == label] for label in "1234"}
    for name, label in (("wall", "1"), ("bolts", "3")):
        yield f"*NSET, NSET={name}"
        yield from lines(sorted({10 * int(v) for face in labeled[label] for v in face}))
    yield "*SURFACE, NAME=shelf, TYPE=ELEMENT"
    yield from (" %d, S%d" % faces[frozenset(face)] for face in labeled["2"])


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "bracket.mesh")
        subprocess.run([program, "shape", "bracket", "--cells", "2", "-o", path], check=True, stdout=subprocess.DEVNULL)
        text = "\n".join(deck(read_medit(path))) + "\n" + CARDS
    with open("bracket.inp", "w") as file:
        file.write(text)


main(sys.argv[1])
