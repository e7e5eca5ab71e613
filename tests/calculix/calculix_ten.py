"""Tets of ten nodes for CalculiX: decks of C3D10 from a frame of ours, and what ccx makes of them."""
import os
import subprocess

from support import expect, numpy

SIDES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]  # of CalculiX's faces S1..S4, corners
MIDDLES = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]
STEEL = dict(young=210e9, poisson=0.3, density=7850.0, expansion=1.2e-5)
SOFT = dict(young=70e9, poisson=0.33, density=2700.0, expansion=2.3e-5)


class Mesh:
    def __init__(self, frame):
        self.points = frame["Points"]
        self.tets, self.region = frame["Tets"], frame["CellData/region"]
        corner = self.points[self.tets[:, :4]]
        self.volume = numpy.einsum("tc,tc->t", corner[:, 1] - corner[:, 0], numpy.cross(
            corner[:, 2] - corner[:, 0], corner[:, 3] - corner[:, 0])) / 6

    def at(self, axis, value):
        return numpy.flatnonzero(numpy.abs(self.points[:, axis] - value) < 1e-9)

    def faces(self, chosen):
        """(tet, side) of the faces with all their six nodes among the chosen."""
        inside = numpy.zeros(len(self.points), bool)
        inside[chosen] = True
        return [(t, s) for s, side in enumerate(SIDES)
                for t in numpy.flatnonzero(inside[self.tets[:, list(side)]].all(axis=1))]


def deck(mesh, supports, loads, forces, heat):
    yield "*NODE, NSET=ALL"
    for k, point in enumerate(mesh.points):
        yield "%d, %.13e, %.13e, %.13e" % (k + 1, *point)
    for region, material in ((2, STEEL), (7, SOFT)):
        yield f"*ELEMENT, TYPE=C3D10, ELSET=R{region}"
        for k in numpy.flatnonzero(mesh.region == region):
            yield ", ".join(str(i) for i in (k + 1, *(mesh.tets[k] + 1)))
        yield f"*MATERIAL, NAME=M{region}\n*ELASTIC\n{material['young']!r}, {material['poisson']!r}"
        yield f"*DENSITY\n{material['density']!r}\n*EXPANSION\n{material['expansion']!r}"
        yield f"*SOLID SECTION, ELSET=R{region}, MATERIAL=M{region}"
    yield "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 0.\n*STEP\n*STATIC\n*BOUNDARY"
    for nodes, component, value in supports:
        yield from ("%d, %d, %d, %.13e" % (v + 1, component, component, value) for v in nodes)
    yield from loads
    if forces.any():
        yield "*CLOAD"
        yield from ("%d, %d, %.13e" % (v + 1, c + 1, forces[v, c]) for v, c in zip(*forces.nonzero()))
    if heat is not None:
        yield "*TEMPERATURE"
        yield from ("%d, %.13e" % (v + 1, t) for v, t in enumerate(heat))
    yield "*NODE PRINT, NSET=ALL\nU\n*END STEP"


def solve_there(name, lines, n, folder):
    with open(os.path.join(folder, "deck.inp"), "w") as file:
        file.writelines(line + "\n" for line in lines)
    done = subprocess.run(["ccx", "deck"], cwd=folder, capture_output=True, text=True, timeout=300,
                          env=dict(os.environ, OMP_NUM_THREADS="1"))
    if not expect(done.returncode == 0 and "*ERROR" not in done.stdout, f"{name}: ccx failed"):
        return None
    found = numpy.full((n, 3), numpy.nan)
    with open(os.path.join(folder, "deck.dat")) as file:
        for words in (line.split() for line in file):
            if len(words) == 4:
                found[int(words[0]) - 1] = [float(w) for w in words[1:]]
    return found


def fixed(nodes, *values):
    return [(nodes, c + 1, v) for c, v in enumerate(values) if v is not None]
